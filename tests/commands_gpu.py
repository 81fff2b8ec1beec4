"""The command line on GPUs, judged on a machine without one: $TMEMC_CUDA_DRIVER is a driver of the tests' own
(gpu/fake_cuda.cpp), which runs PTX on the emulator, keeps a log of its calls and fails on request."""
import json, os, time

from commands import ROUNDTRIP


def world(here, script="", **more):
    """Variables for a machine with such GPUs and no ptxas."""
    fake = os.path.join(os.path.dirname(here.tmemc), "tests", "gpu", "libfake_cuda.so")
    return os.environ | {"TMEMC_CUDA_DRIVER": fake, "TMEMC_PTXAS": "none", "FAKE_CUDA": f"{script} log={here.path('log')}"} | more


def calls(here, name):
    return [line for line in here.read("log").decode().splitlines() if line.split()[0] == name]


def test_results_come_from_the_gpu(here):
    """A program gives on the GPU what it gives on the emulator, and the launch has the kernel's extents."""
    done = here.run("run", ROUNDTRIP, "A=random:3", "--on=gpu", "--expect", "B=A", "--save", "B=gpu.npy", "-v",
                    environment=world(here))
    assert done.stderr.startswith("GPU 0, Fake 0: 0.002000 s\nthe driver says: fake info\n"), done.stderr
    assert calls(here, "cuLaunchKernel") == ["cuLaunchKernel roundtrip 1 1 1 128 1 1 0"]
    here.run("run", ROUNDTRIP, "A=random:3", "--on=emulator", "--save", "B=emulator.npy")
    assert here.read("gpu.npy") == here.read("emulator.npy")


def test_auto_takes_a_gpu_that_can(here):
    """auto runs on the first GPU for the program's target, on the emulator when there is none, and -v says which."""
    for script, where in (("capability=100", "GPU 0"), ("capability=103", "GPU 0"), ("capability=90", "emulator"),
                          ("devices=0", "emulator")):
        done = here.run("run", ROUNDTRIP, "A=iota", "--expect", "B=A", "-v", environment=world(here, script))
        assert done.stderr.startswith(where), (script, done.stderr)
    named = here.run("run", ROUNDTRIP, "A=iota", "-arch=sm_100a", "-v", environment=world(here, "capability=103"))
    assert named.stderr.startswith("emulator"), named.stderr
    family = here.run("run", ROUNDTRIP, "A=iota", "-arch=sm_100f", "-v", environment=world(here, "capability=103"))
    assert family.stderr.startswith("GPU 0"), family.stderr


def test_a_gpu_without_tensor_memory(here):
    """With --tmem=software such a GPU runs the program, compiled for it; without, `gpu` is refused and `auto` is not."""
    done = here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", "--tmem=software", "--expect", "B=A", "-v",
                    environment=world(here, "capability=90"))
    assert done.stderr.startswith("GPU 0"), done.stderr
    hopper = world(here, "capability=90")
    refused = here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", status=3, environment=hopper)
    assert "TM0607" in refused.stderr and "--tmem=software" in refused.stderr, refused.stderr
    assert here.run("run", ROUNDTRIP, "A=iota", "-v", environment=hopper).stderr.startswith("emulator")
    assert "no tensor memory" in here.run("run", "--list-devices", environment=hopper).stdout


def test_gpus_of_other_ages(here):
    """A GPU older than every target leaves `auto` to the emulator; one newer gets the latest target before it."""
    for tmem in ("software", "auto"):
        for capability, where in ((70, "emulator"), (130, "GPU 0")):
            done = here.run("run", ROUNDTRIP, "A=iota", f"--tmem={tmem}", "--expect", "B=A", "-v",
                            environment=world(here, f"capability={capability}"))
            assert done.stderr.startswith(where), (capability, done.stderr)
    old = world(here, "capability=70")
    assert "TM0607" in here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", "--tmem=software", status=3, environment=old).stderr
    native = here.run("build", ROUNDTRIP, "-arch=native", "--emit=ptx", "-o", "-", status=3, environment=old)
    assert "Fake 0, is older than every target" in native.stderr, native.stderr
    assert "compute capability 7.0 (too old)" in here.run("run", "--list-devices", environment=old).stdout
    doctor = here.run("doctor", status=3, environment=old).stdout
    assert "--tmem=software" not in doctor.split("to install")[0], doctor


def test_each_file_gets_its_gpu(here):
    """With two GPUs `auto` takes the one that each file's target is for, in turns."""
    with open(ROUNDTRIP) as file:
        text = file.read()
    for name, target in (("a", "sm_100a"), ("b", "sm_103a"), ("c", "sm_100a")):
        here.write(f"{name}.tmx", f"target {target};\n" + text)
    here.run("test", "a.tmx", "b.tmx", "c.tmx", environment=world(here, "devices=2 capability=100,103"))
    assert [line[-1] for line in calls(here, "cuModuleLoadDataEx")] == ["0", "1", "0"]


def test_no_gpu_is_exit_3(here):
    """Without a driver, --on=gpu ends with 3 and names the emulator, and so does test."""
    for verb in (["run", ROUNDTRIP, "A=iota"], ["test", ROUNDTRIP]):
        done = here.run(*verb, "--on=gpu", status=3, environment=world(here, TMEMC_CUDA_DRIVER="none"))
        assert "TM0770" in done.stderr and "--on=emulator" in done.stderr, done.stderr
    lacks = here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", status=3,
                     environment=world(here, TMEMC_CUDA_DRIVER="libc.so.6"))
    assert "lacks cuGetErrorName" in lacks.stderr, lacks.stderr
    broken = here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", status=3, environment=world(here, "fail=cuInit:999"))
    assert "cuInit failed with CUDA_ERROR_UNKNOWN (999)" in broken.stderr, broken.stderr


def test_devices_are_listed(here):
    """--list-devices has a line for the emulator and one for each GPU, and needs no file."""
    lines = here.run("run", "--list-devices", environment=world(here, "devices=2 capability=90")).stdout.splitlines()
    assert lines[0].startswith("emulator ") and len(lines) == 3, lines
    assert lines[2] == "gpu:1     Fake 1, compute capability 9.0 (sm_90), 4 multiprocessors, 8.0 GiB, no tensor memory"
    here.run("run", ROUNDTRIP, "A=iota", "--on=gpu:1", environment=world(here, "devices=2"))
    assert calls(here, "cuDevicePrimaryCtxRetain") == ["cuDevicePrimaryCtxRetain 1"]
    none = here.run("run", "--list-devices", environment=world(here, TMEMC_CUDA_DRIVER="none")).stdout
    assert "gpu       none: " in none, none


def test_a_kernel_is_timed(here):
    """--time launches three times to warm up, N times cold and N times warm, each with one before it, and counts the bytes."""
    done = here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", "--time", "--repeat", "5", environment=world(here))
    assert len(calls(here, "cuLaunchKernel")) == 1 + 3 + 5 + 2 * 5
    assert calls(here, "cuMemsetD8Async") == [f"cuMemsetD8Async {64 << 20}"] * 5
    assert "cold cache: median 0.002000 s, 0.002000 to 0.002000 s, 0.0 GB/s" in done.stdout, done.stdout
    told = json.loads(here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", "--time", "--repeat", "1", "--format=json",
                               environment=world(here)).stdout)
    assert told["bytes"] == 2 * 128 * 8 * 2 and told["warm"]["bytes_per_s"] == 2048000, told
    assert told["device"] == "Fake 0" and told["repeats"] == 1 and told["cold"]["median_s"] == 0.002, told
    here.run("run", ROUNDTRIP, "A=iota", "--repeat", "5", status=2)
    here.run("run", ROUNDTRIP, "A=iota", "--time", "--repeat", "0", status=2)


def test_a_kernel_that_hangs(here):
    """--timeout ends the process with 4, soon, though the kernel never does."""
    begun = time.monotonic()
    done = here.run("run", ROUNDTRIP, "A=iota", "--on=gpu", "--timeout", "0.2", status=4, environment=world(here, "hang"))
    assert "TM0774" in done.stderr and time.monotonic() - begun < 20, done.stderr
    here.write("two.tmx", "kernel k(in A: f16[128, 8], out B: f16[128, 8]) { frag X: f16[128, 8]; copy X <- A; copy B <- X; }\n"
               + "".join(f'test "{n}" {{ A = iota; run k; expect B == A; }}\n' for n in "ab"))
    both = here.run("test", "two.tmx", "--on=gpu", "--timeout", "0.2", status=4, environment=world(here, "hang"))
    assert both.stdout.endswith("0 passed, 1 failed, 1 skipped\n") and "TM0774" in both.stdout, both.stdout


def test_blocks_run_on_the_gpu(here):
    """`test --on=gpu` runs the blocks there, one device after another, and skips what only the emulator finds."""
    here.write("t.tmx", """kernel k(in A: f16[128, 8], out B: f16[128, 8]) { frag X: f16[128, 8]; copy X <- A; copy B <- X; }
kernel bad(out B: u32[128, 8]) { tmem T: u32[128, 8] datapath D; frag X: u32[128, 8]; copy_async X <- T; wait ld; copy B <- X; }
test "copied" { A = iota; run k; expect B == A; }
test "not" { A = iota; run k; expect B == 1; }
""")
    done = here.run("test", "t.tmx", "--on=gpu", status=4, environment=world(here))
    assert done.stdout.endswith("1 passed, 1 failed, 0 skipped\n"), done.stdout
    assert len(calls(here, "cuLaunchKernel")) == 2
    fault = here.run("test", ROUNDTRIP, "--on=gpu", status=4, environment=world(here, "fault=700"))
    assert "TM0773" in fault.stdout and "CUDA_ERROR_ILLEGAL_ADDRESS (700" in fault.stdout, fault.stdout
    early = here.run("test", "t.tmx", "--on=gpu", status=4, environment=world(here, "fail=cuEventRecord:700"))
    assert early.stdout.endswith("0 passed, 1 failed, 1 skipped\n") and "TM0773" in early.stdout, early.stdout


def test_a_block_without_its_gpu_is_no_success(here):
    """What a GPU cannot take for want of memory, or for being another, is skipped, and the exit status is 3."""
    for script in ("memory=3000", "capability=90", "fail=cuStreamCreate:999"):
        done = here.run("test", ROUNDTRIP, "--on=gpu", status=3, environment=world(here, script))
        assert done.stdout.endswith("0 passed, 0 failed, 1 skipped\n"), (script, done.stdout)


def test_machine_code_runs(here):
    """A .cubin runs by the names p0, p1; for another chip, on the emulator or with wrong names it is refused."""
    here.need_ptxas()
    here.run("build", ROUNDTRIP, "-o", "k.cubin")
    here.run("run", "k.cubin", "p0=iota:f16[128,8]", "p1=zeros:f16[128,8]", "--on=gpu", environment=world(here))
    assert calls(here, "cuLaunchKernel") == ["cuLaunchKernel roundtrip 1 1 1 128 1 1 0"]
    other = here.run("run", "k.cubin", "p0=iota:f16[128,8]", "p1=zeros:f16[128,8]", "--on=gpu", status=3,
                     environment=world(here, "capability=103"))
    assert "`k.cubin` is for sm_100a" in other.stderr and "sm_103a" in other.stderr, other.stderr
    assert "machine code" in here.run("run", "k.cubin", "p0=1", "--on=emulator", status=2).stderr
    here.run("run", "k.cubin", "p0=iota:f16[128,8]", "p1=1", status=3, environment=world(here, TMEMC_CUDA_DRIVER="none"))
    strange = here.run("run", "k.cubin", "A=iota:f16[128,8]", "--on=gpu", status=2, environment=world(here))
    assert "no parameter `A`" in strange.stderr, strange.stderr
    nameless = here.run("run", "k.cubin", "round", "p0=1", "--on=gpu", status=2, environment=world(here))
    assert "no kernel `round`" in nameless.stderr, nameless.stderr
    here.write("no.cubin", "nonsense")
    assert "no little-endian ELF" in here.run("run", "no.cubin", "--on=gpu", status=2, environment=world(here)).stderr


def test_ptx_is_assembled_where_ptxas_is(here):
    """With a ptxas the driver gets machine code for the GPU; plain PTX is taken to a later chip."""
    here.need_ptxas()
    here.write("k.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 A, .param .b32 x)\n"
               ".reqntid 32\n{ ret; }\n")
    words = ["run", "k.ptx", "A=zeros:f32[4]", "x=2.5", "--on=gpu"]
    here.run(*words, environment=world(here, "capability=90", TMEMC_PTXAS=""))
    here.run(*words, environment=world(here, "capability=90"))
    here.write("folded.ptx", "// .target sm_70\n/*\n.target sm_70 */ .version 7.0 .target\n  sm_80, debug .address_size 64\n"
               ".visible .entry k(.param .u64 A, .param .b32 x) .reqntid 32 { ret; }\n")
    for name in ("k.ptx", "folded.ptx"):
        words[1] = name
        old = here.run(*words, status=3, environment=world(here, "capability=75"))
        assert "is for sm_80" in old.stderr, (name, old.stderr)
    assert "is for sm_80" in old.stderr and "compute capability 7.5" in old.stderr, old.stderr
    here.write("bad.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() .reqntid 32 {\n  frob;\n ret; }\n")
    bad = here.run("run", "bad.ptx", "--on=gpu", status=3, environment=world(here, "capability=90", TMEMC_PTXAS=""))
    assert "bad.ptx:5" in bad.stderr and "TM0602" in bad.stderr, bad.stderr


def test_native_is_the_gpu_s_target(here):
    """-arch=native compiles for the GPU at hand, that of --on=gpu:N; without one it is exit 3."""
    ptx = here.run("build", ROUNDTRIP, "-arch=native", "--emit=ptx", "-o", "-", environment=world(here, "capability=103")).stdout
    assert ".target sm_103a" in ptx
    here.run("build", ROUNDTRIP, "-arch=native", "--emit=ptx", "-o", "-", status=3, environment=world(here, "devices=0"))


def test_doctor(here):
    """doctor says what is there and what to install; it ends with 3 when nothing can compile."""
    done = here.run("doctor", status=3, environment=world(here, TMEMC_CUDA_DRIVER="none"))
    for words in ("ptxas     not found", "TMEMC_PTXAS", "driver    there is no GPU", "works here", "to install for the rest"):
        assert words in done.stdout, done.stdout
    jit = here.run("doctor", environment=world(here, "capability=90")).stdout
    assert "for CUDA 13.0" in jit and "gpu:0     Fake 0, compute capability 9.0" in jit, jit
    here.need_ptxas()
    full = here.run("doctor", environment=world(here, TMEMC_PTXAS="", TMEMC_CUDA_DRIVER="none")).stdout
    assert "PTX ISA 9." in full or "PTX ISA 8." in full, full
    assert "with tensor memory: sm_100a" in full, full
    here.run("doctor", "x.tmx", status=2)
