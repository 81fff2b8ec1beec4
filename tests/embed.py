"""--emit=header and --emit=manifest as their users meet them: headers are compiled by every C and C++ compiler that is
there, launchers run against a driver that writes down what it is asked (embed/fake_cuda.c), manifests are judged by
their schema, and the programs of examples/embed run on that driver and without any."""
import glob, hashlib, json, os, re, shutil, subprocess, textwrap

from commands import ROOT, ROUNDTRIP, Skip
import json_schema

MASKED = os.path.join(ROOT, "examples", "masked_tail.tmx")
FAKE = os.path.join(ROOT, "tests", "embed", "fake_cuda.c")
STRICT = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-qual -Werror".split()
LINKED = ["-ldl", "-pthread"]


def compilers(here):
    """[(language, command)] of those that are there."""
    here.need_ptxas()
    found = []
    for language, standard, names in (("c", "c99", ["gcc"]), ("c", "c99", ["clang", "clang-14"]),
                                      ("cpp", "c++17", ["g++"]), ("cpp", "c++17", ["clang++", "clang++-14"])):
        name = next((each for each in names if shutil.which(each)), None)
        if name:
            found.append((language, [name, f"-std={standard}", *STRICT, "-I."]))
    if not found:
        raise Skip("no C compiler")
    return found


def compile_one(here, command, *words, fails=None):
    done = subprocess.run([*command, *words], cwd=here.folder, capture_output=True, text=True, timeout=120)
    if fails:
        assert done.returncode != 0 and fails in done.stderr, done.stderr
    else:
        assert done.returncode == 0, f"{command} {words}\n{done.stderr[:3000]}"


class Fake:
    """The driver that writes things down, and programs run on it."""

    def __init__(self, here):
        language, self.command = compilers(here)[0]
        self.here = here
        subprocess.run([self.command[0], "-std=gnu11", "-O1", "-shared", "-fPIC", FAKE, "-o", here.path("libcuda.so.1"),
                        "-pthread"], check=True, timeout=120)

    def program(self, text, name="program", *words):
        """Compiles C text, `main` around it if it has none."""
        if "int main" not in text:
            text = "int main(void) {\n" + text + "\nreturn 0; }\n"
            text = '#include "roundtrip.h"\nstatic void say(tmemc_result r) { printf("%d %s\\n", r.code, r.message); }\n' + text
        self.here.write(name + ".c", text)
        compile_one(self.here, self.command, name + ".c", "-o", name, *words, *LINKED)

    def run(self, *words, status=0, **settings):
        """What the program printed, and the driver's lines."""
        if os.path.exists(self.here.path("log")):
            os.remove(self.here.path("log"))
        environment = dict(os.environ, LD_LIBRARY_PATH=self.here.folder, FAKE_CUDA_LOG=self.here.path("log"),
                           FAKE_CUDA_IMAGE=self.here.path("image"))
        for name, value in ({"capability": 100} | settings).items():
            environment["FAKE_CUDA_" + name.upper()] = str(value)
        done = subprocess.run(words or ["./program"], cwd=self.here.folder, capture_output=True, text=True,
                              env=environment, timeout=60)
        assert done.returncode == status, f"{words}: {done.returncode}, not {status}\n{done.stdout}{done.stderr}"
        log = self.here.read("log").decode().splitlines() if os.path.exists(self.here.path("log")) else []
        return done.stdout + done.stderr, log


LAUNCH = "say(tmemc_use_device(0)); say(roundtrip_launch((void *)0x12340, (void *)0x56780, (void *)5));"


def test_headers_of_all_examples_compile(here):
    """In C99 and C++17, by gcc and clang, without a warning: all in one translation unit, optimised and not, and in two
    that are linked; before and behind <cuda.h>, where that is found."""
    headers = []
    for program in sorted(glob.glob(os.path.join(ROOT, "examples", "*.tmx"))):
        stem = os.path.basename(program)[:-4]
        here.run("build", program, "--emit=header", f"--prefix={stem}_")
        headers.append(stem)
    includes = "".join(f'#include "{each}.h"\n' for each in headers)
    users = "".join(f"    (void){each}_{each}_load();\n" for each in headers)
    cuda = next((os.path.dirname(each) for each in ("/usr/include/cuda.h", "/usr/local/cuda/include/cuda.h")
                 if os.path.exists(each)), None)
    assert len(headers) > 15
    for language, command in compilers(here):
        for name, body in (("one", f"int one(void);\nint one(void) {{\n{users}    return 0;\n}}\n"),
                           ("two", "int one(void);\nint main(void) { (void)roundtrip_roundtrip_load(); return one(); }\n")):
            here.write(f"{name}.{language}", (includes if name == "one" else '#include "roundtrip.h"\n') + body)
        compile_one(here, command, "-O2", f"one.{language}", f"two.{language}", "-o", "both", *LINKED)
        subprocess.run([here.path("both")], check=True, timeout=60)
        here.write(f"unused.{language}", includes)
        compile_one(here, command, "-fsyntax-only", f"unused.{language}")
        if cuda:
            for order in ('#include <cuda.h>\n#include "roundtrip.h"\n', '#include "roundtrip.h"\n#include <cuda.h>\n'):
                here.write(f"cuda.{language}", order + textwrap.dedent("""
                    tmemc_result f(CUdeviceptr a, CUdeviceptr b, CUstream s);
                    tmemc_result f(CUdeviceptr a, CUdeviceptr b, CUstream s) {
                        return roundtrip_roundtrip_launch((const void *)a, (void *)b, s);
                    }
                    """))
                compile_one(here, command, "-isystem", cuda, "-c", f"cuda.{language}", "-o", "cuda.o")


def test_header_is_the_same_every_time(here):
    """Two builds give the same bytes, and they hold the cubin and the PTX that build writes."""
    here.need_ptxas()
    texts = []
    for _ in range(2):
        here.run("build", ROUNDTRIP, "--emit=header,cubin,ptx,manifest")
        texts.append(here.read("roundtrip.h"))
    assert texts[0] == texts[1]
    blobs = re.findall(r"\w+_(cubin|ptx) = {{\n([\d, \n]*)}};", texts[0].decode())
    held = {kind: bytes(int(each) for each in text.replace("\n", "").split(",") if each.strip()) for kind, text in blobs}
    assert held == {"cubin": here.read("roundtrip.cubin"), "ptx": here.read("roundtrip.ptx") + b"\0"}
    target = json.loads(here.read("roundtrip.manifest.json"))["targets"][0]
    for kind in ("cubin", "ptx"):
        contents = here.read(f"roundtrip.{kind}")
        assert target[kind] == {"bytes": len(contents), "sha256": hashlib.sha256(contents).hexdigest()}


def test_a_launch_reaches_the_driver(here):
    """Arguments, grid, block and stream arrive; the first launch loads the cubin, whole and aligned, the second does not."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header,cubin")
    fake.program(LAUNCH + "say(roundtrip_launch((void *)0x10000, (void *)0x20000, NULL));")
    said, log = fake.run(arguments="8,8")
    assert said == "0 \n0 \n0 \n", said
    head = "cuLaunchKernel roundtrip grid 1,1,1 block 128,1,1 shared 0 stream"
    assert log == ["cuInit", "cuDeviceGet", "cuDevicePrimaryCtxRetain",
                   f"cuModuleLoadDataEx cubin of {len(here.read('roundtrip.cubin'))} bytes, aligned 1",
                   "cuModuleGetFunction roundtrip", f"{head} 5 0000000000012340 0000000000056780",
                   f"{head} 0 0000000000010000 0000000000020000"], log
    assert here.read("image") == here.read("roundtrip.cubin")


def test_scalars_and_sizes_at_launch(here):
    """Scalars travel by value in their own types; a grid can be cut; sizes that cannot be are refused."""
    fake = Fake(here)
    here.run("build", MASKED, "--emit=header")
    fake.program(textwrap.dedent("""
        #include "masked_tail.h"
        static void say(tmemc_result r) { printf("%d %s\\n", r.code, r.message); }
        int main(void) {
            float *a = (float *)0x100000, *b = (float *)0x200000;
            (void)tmemc_use_device(1);
            say(scale_rows_launch(a, b, -1.5f, NULL));
            say(store_tiles_launch(a, b, 300, 80, NULL));
            say(store_tiles_launch_grid(2, 1, 1, a, b, 200, 72, NULL));
            say(store_tiles_launch(NULL, NULL, 0, 72, NULL));
            say(store_tiles_launch_grid(4, 1, 1, a, a, 200, 72, NULL));
            say(store_tiles_launch(a, a, 300, 71, NULL));
            say(store_tiles_launch(a, NULL, 300, 72, NULL));
            say(store_tiles_launch(a, a, 0x80000000u, 72, NULL));
            return 0;
        }"""))
    said, log = fake.run(arguments="8,8,4,4")
    refused = "masked_tail.tmx: kernel store_tiles: "
    assert said.splitlines() == ["0 "] * 4 + [
        f"-3 {refused}grid_x is 4; it lies from 1 to 3", f"-3 {refused}p is 71; it lies from 72 to 4294967295",
        f"-3 {refused}B is NULL",
        f"-3 {refused}n is 2147483648; it lies from 0 to 2147483647"], said
    launches = [line.split(" ", 1)[1] for line in log if line.startswith("cuLaunchKernel")]
    ab, zeros = "0000000000100000 0000000000200000", "0000000000000000 0000000000000000"
    assert launches[0].startswith(f"scale_rows grid 3,1,1 block 128,1,1 shared 0 stream 0 {ab} bfc00000"), launches
    assert launches[1:] == [f"store_tiles grid 3,2,1 block 128,1,1 shared 0 stream 0 {ab} 0000012c 00000050",
                            f"store_tiles grid 2,1,1 block 128,1,1 shared 0 stream 0 {ab} 000000c8 00000048",
                            f"store_tiles grid 3,2,1 block 128,1,1 shared 0 stream 0 {zeros} 00000000 00000048"]


def test_scalars_of_every_type(here):
    """A scalar of each dtype arrives with its bits; names that C keeps are given another."""
    fake = Fake(here)
    kinds = {"f32": "-2.0f", "tf32": "1.0f", "f16": "0x3c00", "bf16": "0xbf80", "f8e4m3": "0x38", "f8e5m2": "0x3c",
             "u8": "200", "s8": "-3", "u16": "65000", "s16": "-300", "u32": "4000000000u", "s32": "-5"}
    parameters = ", ".join(f"p_{kind}: {kind}" for kind in kinds)
    here.write("k.tmx", f"kernel new(in linux: f32[128, 8], out stream: f32[128, 8], {parameters}, int: u8) {{\n"
                        "  frag X: f32[128, 8]; copy X <- linux; copy stream <- X;\n}\n")
    here.run("build", "k.tmx", "--emit=header,manifest", "-w")
    given = ", ".join(f"({kind[0]}int{kind[1:]}_t){value}" if kind[0] == "u" else value for kind, value in kinds.items())
    for language, command in compilers(here):
        here.write(f"use.{language}", '#include "k.h"\n')
        compile_one(here, command, "-c", f"use.{language}", "-o", "use.o")
    fake.program('#include "k.h"\nint main(void) { float *a = (float *)0x100; (void)tmemc_use_device(0);\n'
                 f"return new_launch(a, a, {given}, 7, NULL).code; }}\n")
    sizes = [8, 8] + [each["bytes"] for each in json.loads(here.read("k.manifest.json"))["kernels"][0]["parameters"][2:]]
    _, log = fake.run(arguments=",".join(map(str, sizes)))
    assert log[-1].split()[-13:] == ["c0000000", "3f800000", "3c00", "bf80", "38", "3c", "c8", "fd", "fde8", "fed4",
                                     "ee6b2800", "fffffffb", "07"], log[-1]


def test_the_cubin_for_the_device(here):
    """`a` runs on its own capability, `f` on its family from it on, and what fits best is taken; the rest is refused with
    what there is."""
    fake = Fake(here)
    targets = ["sm_100f", "sm_103a", "sm_100a", "sm_110f"]
    cubins = {}
    for target in targets:
        here.run("build", ROUNDTRIP, f"-arch={target}", "-o", "x.cubin")
        cubins[here.read("x.cubin")] = target
    assert len(cubins) == 4
    here.run("build", ROUNDTRIP, "-arch=" + ",".join(targets), "--emit=header")
    fake.program(LAUNCH)
    for capability, target in ((100, "sm_100a"), (103, "sm_103a"), (101, "sm_100f"), (109, "sm_100f"), (110, "sm_110f"),
                               (111, "sm_110f")):
        _, log = fake.run(capability=capability)
        assert log[-1].startswith("cuLaunchKernel") and cubins[here.read("image")] == target, capability
    for capability, text in ((90, "9.0"), (120, "12.0"), (75, "7.5")):
        said, log = fake.run(capability=capability)
        assert f"\n-2 roundtrip.tmx: kernel roundtrip: there is no cubin for device 0, Fake GPU 0, which has compute " \
               f"capability {text}; there is sm_100f, sm_103a, sm_100a, sm_110f" in said, said
        assert not any("Load" in line for line in log)


def test_failures_are_told(here):
    """Every failure of the driver comes back with the call, its code and what was being done; nothing exits."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header")
    fake.program(LAUNCH)
    bytes_of_cubin = len(here.run("build", ROUNDTRIP, "-o", "x.cubin") and here.read("x.cubin"))
    kernel = "roundtrip.tmx: kernel roundtrip: "
    loading = f"{kernel}loading the cubin for sm_100a ({bytes_of_cubin} bytes) on device 0, Fake GPU 0 (10.0): "
    for fail, wanted in (
            ("cuModuleLoadDataEx:200", f"200 {loading}cuModuleLoadDataEx: CUDA_ERROR_INVALID_IMAGE (200): device kernel "
                                       "image is invalid\nptxas fatal : a log\n"),
            ("cuModuleGetFunction:500", f"500 {loading}cuModuleGetFunction: an error without a name (500): the driver "
                                        "does not know it: kernel roundtrip\n"),
            ("cuLaunchKernel:700", f"700 {kernel}cuLaunchKernel: CUDA_ERROR_ILLEGAL_ADDRESS (700): an illegal memory "
                                   "access\n"),
            ("cuDevicePrimaryCtxRetain:2", f"201 {kernel}this thread has no current CUDA context; cudaSetDevice(), "
                                           "cuCtxSetCurrent() or tmemc_use_device() gives it one\n"),
            ("cuInit:999", f"999 {kernel}cuInit: an error without a name (999): the driver does not know it\n")):
        said, _ = fake.run(fail=fail)
        assert said.split("\n", 1)[1] == wanted, said
    fake.program("tmemc_use_device(0); say(roundtrip_launch(NULL, (void *)32, NULL));"
                 "say(roundtrip_launch((void *)32, (void *)48, NULL)); say(tmemc_use_device(7));"
                 "void *p; say(tmemc_allocate(&p, 100));")
    said, _ = fake.run(fail="cuMemAlloc_v2:2")
    assert said.splitlines()[:2] == [f"-3 {kernel}A is NULL", f"-3 {kernel}B is at 0x30, which is no multiple of 32 bytes"]
    assert "101 device 7: cuDeviceGet: " in said and "2 allocating 100 bytes: cuMemAlloc: " in said, said
    done = subprocess.run([here.path("program")], cwd=here.folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and "-1 device 7: there is no CUDA driver: libcuda.so.1: " in done.stdout, done.stdout


def test_contexts_keep_their_slots(here):
    """Of 17 contexts and one unloaded, each is loaded once; one that cannot be loaded does not push out another."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header")
    fake.program("""
        #include <stdlib.h>
        #include "roundtrip.h"
        static int launch(int context) {
            tmemc_result r = tmemc_ok();
            tmemc_open(&r)->set_context((char *)0 + context);
            return roundtrip_launch((void *)32, (void *)64, NULL).code;
        }
        int main(void) {
            int i;
            for (i = 1; i <= 16; ++i)
                if (launch(i)) return 1;
            if (launch(3) || roundtrip_unload().code || launch(17)) return 2;
            for (i = 1; i <= 17; ++i)
                if (i != 3 && launch(i)) return 3;
            setenv("FAKE_CUDA_FAIL", "cuModuleGetFunction:500", 1);
            if (launch(18) != 500) return 4;
            unsetenv("FAKE_CUDA_FAIL");
            for (i = 1; i <= 17; ++i)
                if (i != 3 && launch(i)) return 5;
            return launch(18) || launch(18);
        }""", "program", "-std=gnu99", "-Wno-format-nonliteral")
    _, log = fake.run()
    loads = [i for i, line in enumerate(log) if line.startswith("cuModuleLoadDataEx")]
    assert len(loads) == 19 and not any("Launch" in line for line in log[loads[17]:loads[17] + 3]), log


def test_primary_contexts_are_kept_once(here):
    """Of many calls that choose a device, one keeps its context."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header")
    fake.program("int i; for (i = 0; i < 9; ++i) say(tmemc_use_device(i % 2));")
    said, log = fake.run()
    assert said == "0 \n" * 9 and log.count("cuDevicePrimaryCtxRetain") - log.count("cuDevicePrimaryCtxRelease") == 2, log


def test_scratch_memory_comes_and_goes(here):
    """A kernel that has its tensor memory in global memory gets it as its last argument, on the stream of the launch, and
    it is given back after the launch, and after one that failed."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header")
    text = here.read("roundtrip.h").decode()
    row = re.search(r'^ *{"sm_100a".*NULL},$', text, re.M).group()
    text = text.replace(row, row.replace("NULL", "scratch")).replace("static inline tmemc_program *roundtrip_program",
                                                                     "static const size_t scratch[1] = {4096};\n"
                                                                     "static inline tmemc_program *roundtrip_program", 1)
    here.write("roundtrip.h", text)
    fake.program(LAUNCH)
    borrow, give_back = "cuMemAllocAsync 4096 stream 5", "cuMemFreeAsync abc000 stream 5"
    said, log = fake.run(arguments="8,8,8")
    launch = ("cuLaunchKernel roundtrip grid 1,1,1 block 128,1,1 shared 0 stream 5 0000000000012340 0000000000056780 "
              "0000000000abc000")
    assert said == "0 \n0 \n" and log[-3:] == [borrow, launch, give_back], log
    said, log = fake.run(arguments="8,8,8", fail="cuLaunchKernel:700")
    assert "700 roundtrip.tmx: kernel roundtrip: cuLaunchKernel" in said and log[-3:] == [borrow, launch, give_back], log
    said, log = fake.run(fail="cuMemAllocAsync:2")
    assert "cuMemAllocAsync: " in said and "4096 bytes in place of tensor memory" in said and log[-1] == borrow, said


def test_tensor_memory_in_software(here):
    """One header for a GPU with tensor memory and one without: what does not fit shared memory is asked for at the launch
    on the latter, once for each CTA, and never on the former."""
    fake = Fake(here)
    here.write("roundtrip.tmx", "kernel roundtrip(in A: f32[128, 128], out B: f32[128, 128]) grid(1, 3) {\n"
               "  tmem T: f32[128, 128]; frag X: f32[128, 128];\n  copy X <- A direct; copy_async T <- X; wait st;\n"
               "  copy_async X <- T; wait ld; copy B <- X direct;\n}\n")
    here.run("build", "roundtrip.tmx", "-arch=sm_100a,sm_75", "--tmem=auto", "--emit=header,manifest")
    targets = json.loads(here.read("roundtrip.manifest.json"))["targets"]
    assert [(each["tmem"], each["scratch"]) for each in targets] == [
        ("hardware", []), ("software", [{"kernel": "roundtrip", "bytes": 3 * 128 * 128 * 4}])], targets
    fake.program(LAUNCH)
    for capability, lines in ((75, 3), (100, 1)):
        said, log = fake.run(capability=capability, arguments="8,8,8")
        assert said == "0 \n0 \n" and sum("Async" in line or "Launch" in line for line in log) == lines, (said, log)
        if lines == 3:
            assert log[-3] == "cuMemAllocAsync 196608 stream 5" and log[-2].endswith(" 0000000000abc000"), log
    said, log = fake.run(capability=120)  # as PTX, which the driver compiles for it
    assert said == "0 \n0 \n" and any(line.startswith("cuModuleLoadDataEx PTX of ") for line in log), (said, log)


def test_a_failed_load_is_tried_again(here):
    """A launch that could not load does so the next time; what is unloaded is loaded again."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header")
    fake.program(textwrap.dedent("""
        #include "roundtrip.h"
        #include <stdlib.h>
        extern int setenv(const char *name, const char *value, int overwrite);
        int main(void) {
            void *a = (void *)0x100;
            (void)tmemc_use_device(0);
            setenv("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:200", 1);
            printf("%d", roundtrip_launch(a, a, NULL).code);
            setenv("FAKE_CUDA_FAIL", "", 1);
            printf(" %d", roundtrip_launch(a, a, NULL).code);
            printf(" %d %d", roundtrip_unload().code, roundtrip_unload().code);
            printf(" %d %d\\n", roundtrip_load().code, roundtrip_launch(a, a, NULL).code);
            return 0;
        }"""))
    said, log = fake.run()
    assert said == "200 0 0 0 0 0\n", said
    calls = [line.split()[0] for line in log[3:]]
    load = ["cuModuleLoadDataEx", "cuModuleGetFunction"]
    assert calls == [load[0], *load, "cuLaunchKernel", "cuModuleUnload", *load, "cuLaunchKernel"], calls


def test_threads_and_contexts(here):
    """Eight threads load once; each context loads for itself, a context made anew at an old address too; more
    contexts than are kept in mind work, and none takes what was loaded for the one before it in its place."""
    fake = Fake(here)
    here.run("build", ROUNDTRIP, "--emit=header")
    fake.program(textwrap.dedent("""
        #include "roundtrip.h"
        #include <pthread.h>
        #include <stdlib.h>
        extern int setenv(const char *name, const char *value, int overwrite);
        static void *work(void *failed) {
            int i;
            if (tmemc_use_device(0).code != 0) *(int *)failed = 1;
            for (i = 0; i < 20; ++i)
                if (roundtrip_launch((void *)0x100, (void *)0x200, NULL).code != 0) *(int *)failed = 1;
            return NULL;
        }
        int main(void) {
            pthread_t threads[8];
            int i, failed[8] = {0};
            void *renew;
            void (*function)(void);
            for (i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, work, &failed[i]);
            for (i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
            for (i = 0; i < 8; ++i)
                if (failed[i]) return 1;
            (void)tmemc_use_device(1);
            if (roundtrip_load().code != 0) return 2;
            renew = dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuTestNewContext");
            memcpy(&function, &renew, sizeof renew);
            for (i = 0; i < 40; ++i) {
                function();
                if (roundtrip_launch((void *)0x100, (void *)0x200, NULL).code != 0) return 3;
                if (roundtrip_launch((void *)0x100, (void *)0x200, NULL).code != 0) return 4;
            }
            function();
            setenv("FAKE_CUDA_FAIL", "cuModuleLoadDataEx:200", 1);
            for (i = 0; i < 2; ++i)
                if (roundtrip_launch((void *)0x100, (void *)0x200, NULL).code != 200) return 5;
            return 0;
        }"""))
    _, log = fake.run()
    assert sum("LoadDataEx" in line for line in log) == 1 + 1 + 40 + 2, log
    assert sum("cuLaunchKernel" in line for line in log) == 8 * 20 + 2 * 40


def test_names_are_chosen(here):
    """--prefix and --namespace are in the names; a namespace is refused by C, and what is no name by the command line."""
    here.need_ptxas()
    here.run("build", ROUNDTRIP, "--emit=header=a.h", "--prefix=one_")
    here.run("build", ROUNDTRIP, "--emit=header=b.h", "--namespace=two::three")
    for language, command in compilers(here):
        here.write(f"use.{language}", '#include "a.h"\n' + ("" if language == "c" else '#include "b.h"\n') +
                   "int f(void);\nint f(void) { return one_roundtrip_launch(NULL, NULL, NULL).code" +
                   (";" if language == "c" else " + two::three::roundtrip_launch(nullptr, nullptr, nullptr).code;") + " }\n")
        compile_one(here, command, "-c", f"use.{language}", "-o", "use.o")
        if language == "c":
            here.write("wrong.c", '#include "b.h"\n')
            compile_one(here, command, "-c", "wrong.c", "-o", "use.o", fails="--namespace=two::three, which C does not have")
    for words in (["--prefix=a-b"], ["--prefix=1"], ["--namespace=a:b"], ["--namespace=new"]):
        done = here.run("build", ROUNDTRIP, "--emit=header", *words, status=2)
        assert words[0].split("=")[0] in done.stderr and "takes" in done.stderr, done.stderr


def test_several_targets(here):
    """-arch=a,b is for header and manifest, each target once; what holds the code of one target is refused."""
    here.need_ptxas()
    here.run("build", ROUNDTRIP, "-arch=sm_103a,sm_100a", "--emit=header,manifest,ast")
    targets = json.loads(here.read("roundtrip.manifest.json"))["targets"]
    assert [each["target"] for each in targets] == ["sm_103a", "sm_100a"]
    for target in targets:
        here.run("build", ROUNDTRIP, f"-arch={target['target']}", "-o", "x.cubin")
        assert hashlib.sha256(here.read("x.cubin")).hexdigest() == target["cubin"]["sha256"]
    for words in (["--emit=ptx"], ["-o", "x.cubin"], [], ["--emit=header,plan"]):
        done = here.run("build", ROUNDTRIP, "-arch=sm_100a,sm_103a", *words, status=2)
        assert "only --emit=header and --emit=manifest take several" in done.stderr, done.stderr
    for verb in ("check", "test"):
        assert "several are for build" in here.run(verb, ROUNDTRIP, "-arch=sm_100a,sm_103a", status=2).stderr
    assert "stands alone" in here.run("build", ROUNDTRIP, "-arch=native,sm_100a", "--emit=header", status=2).stderr
    assert "twice" in here.run("build", ROUNDTRIP, "-arch=sm_100a,sm_100a", "--emit=header", status=2).stderr
    done = here.run("build", ROUNDTRIP, "-arch=sm_100a,sm_900", "--emit=header=y.h", status=1)
    assert "sm_900" in done.stderr and not os.path.exists(here.path("y.h"))
    done = here.run("build", ROUNDTRIP, "-arch=sm_100a,sm_103a", "--emit=header", "-###")
    assert done.stderr.count("ptxas") == 2, done.stderr
    here.write("none.tmx", "const W = 8;\n")
    assert "has no kernel" in here.run("build", "none.tmx", "--emit=header", status=2).stderr


def test_manifests_of_all_examples(here):
    """Each is what the schema says, and says of each kernel what the plan says."""
    here.need_ptxas()
    with open(os.path.join(ROOT, "src", "embed", "manifest.schema.json"), encoding="utf-8") as file:
        schema = json.load(file)
    kernels = 0
    for program in sorted(glob.glob(os.path.join(ROOT, "examples", "*.tmx"))):
        here.run("build", program, "--emit=manifest=m.json,plan=p.json")
        manifest, plan = json.loads(here.read("m.json")), json.loads(here.read("p.json"))
        problems = json_schema.problems(manifest, schema)
        assert not problems, f"{program}: {problems}"
        planned = {each["name"]: each for each in plan["kernels"]}
        for each in manifest["kernels"]:
            of_plan = planned[each["name"]]
            assert each["grid"] == of_plan["grid"] and each["block"] == [of_plan["threads"], 1, 1]
            assert each["tmem_columns"] == of_plan["tmem"]["columns"]
            kernels += 1
    assert kernels > 15
    for change in (lambda m: m.update(schema=2), lambda m: m["kernels"][0].pop("grid"), lambda m: m.update(more=1),
                   lambda m: m["kernels"][0]["parameters"][0].update(direction="sideways"),
                   lambda m: m["targets"][0]["cubin"].update(sha256="0"), lambda m: m["targets"].clear()):
        wrong = json.loads(json.dumps(manifest))
        change(wrong)
        assert json_schema.problems(wrong, schema)


def test_the_programs_of_examples(here):
    """Those of examples/embed launch on the fake driver, notice wrong values, and end with 3 and a sentence where there is
    no driver and where no cubin fits."""
    fake = Fake(here)
    folder = os.path.join(ROOT, "examples", "embed")
    here.run("build", ROUNDTRIP, "-arch=sm_100f,sm_110f", "--emit=header")
    here.run("build", ROUNDTRIP, "-arch=sm_100f", "--emit=cubin,manifest")
    here.run("build", MASKED, "-arch=sm_100f,sm_110f", "--emit=header", "--namespace=kernels")
    by_language = {}
    for language, command in compilers(here):
        by_language.setdefault(language, command)
    compile_one(here, by_language["c"], os.path.join(folder, "roundtrip.c"), "-o", "roundtrip", *LINKED)
    compile_one(here, by_language["cpp"], os.path.join(folder, "masked_tail.cpp"), "-o", "masked_tail", *LINKED)
    python = ["python3", os.path.join(folder, "roundtrip.py"), "roundtrip.cubin", "roundtrip.manifest.json"]
    for words, good in ((["./roundtrip"], "1024 of 1024 elements came back\n"), (["./masked_tail"], None),
                        (python, "every element came back\n")):
        if good:
            said, log = fake.run(*words, copy=2048, arguments="8,8")
            assert said == good and sum("cuMemFree" in line for line in log) == 2, (said, log)
            assert here.read("image")[:4] == b"\x7fELF"
        said, log = fake.run(*words, status=4)
        assert sum("cuLaunchKernel" in line for line in log) == 1, log
        said, _ = fake.run(*words, status=3, capability=90)
        assert "9.0" in said, said
        said, _ = fake.run(*words, status=3, fail="cuLaunchKernel:700")
        assert "CUDA_ERROR_ILLEGAL_ADDRESS" in said, said
        done = subprocess.run(words, cwd=here.folder, capture_output=True, text=True, timeout=60)
        if done.returncode != 0: # a GPU that runs it may be there
            assert done.returncode == 3 and len(done.stderr.splitlines()) == 1, done.stderr
    here.write("roundtrip.cubin", here.read("roundtrip.cubin") + b"\0")
    assert "the manifest is not of this cubin" in fake.run(*python, status=3)[0]
