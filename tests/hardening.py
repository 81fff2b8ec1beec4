"""What must not break it: signals, disks, limits and broken tools, from the command line."""
import os, signal, subprocess, time

from commands import Skip

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROUNDTRIP = os.path.join(ROOT, "examples/roundtrip.tmx")


def as_in_a_terminal():
    """What a shell starts in the background ignores SIGINT, and so would its children."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_DFL)


KERNEL = "kernel k(in A: f32[128, 8], out B: f32[128, 8]) {{\n  frag X: f32[128, 8];\n  copy X <- A;\n{}  copy B <- X;\n}}\n"


def script(here, name, text):
    here.write(name, "#!/bin/sh\n" + text)
    os.chmod(here.path(name), 0o755)
    return here.path(name)


def test_a_signal_leaves_no_temporary_file(here):
    """SIGINT or SIGTERM the moment a temporary file is seen: the output is there whole, and nothing else is."""
    here.write("large.tmx", KERNEL.format("  for i in 0..5000 { X = X + 1.0; }\n"))
    words = [here.tmemc, "build", "large.tmx", "-o", "x.ptx", "--no-verify"]
    subprocess.run(words, cwd=here.folder, check=True)
    whole = here.read("x.ptx")
    met = 0
    for turn in range(24):
        os.remove(here.path("x.ptx"))
        process = subprocess.Popen(words, cwd=here.folder, stderr=subprocess.DEVNULL, preexec_fn=as_in_a_terminal)
        while process.poll() is None and not any(name.startswith(".tmemc") for name in os.listdir(here.folder)):
            pass
        process.send_signal((signal.SIGINT, signal.SIGTERM)[turn % 2])
        met += process.wait(timeout=60) < 0
        assert sorted(os.listdir(here.folder)) == ["large.tmx", "x.ptx"], os.listdir(here.folder)
        assert here.read("x.ptx") == whole, turn
    if met == 0:
        raise Skip("no signal met a build that was writing")


def test_a_signal_while_nvdisasm_runs_leaves_nothing(here):
    """Also in the folder for temporary files; the disassembler has the cubin whole and ends with us."""
    os.mkdir(here.path("scratch"))
    script(here, "nvdisasm", f"for last; do :; done\ncat \"$last\" > {here.path('seen')}\necho $$ > {here.path('pid')}\nexec sleep 60\n")
    cubin = os.path.join(ROOT, "tests/data/cubin/roundtrip.sm_100f.ptxas_13.0.cubin")
    environment = os.environ | {"PATH": here.folder + ":" + os.environ["PATH"], "TMPDIR": here.path("scratch")}
    for how in (signal.SIGINT, signal.SIGTERM):
        process = subprocess.Popen([here.tmemc, "report", cubin, "--sass"], env=environment, stdout=subprocess.DEVNULL,
                                   preexec_fn=as_in_a_terminal)
        end = time.monotonic() + 60
        while not (os.path.exists(here.path("pid")) and here.read("pid").endswith(b"\n")):
            assert process.poll() is None and time.monotonic() < end, process.poll()
            time.sleep(0.01)
        process.send_signal(how)
        assert process.wait(timeout=60) == -how, process.returncode
        with open(cubin, "rb") as whole:
            assert here.read("seen") == whole.read()
        assert os.listdir(here.path("scratch")) == []
        pid = int(here.read("pid"))
        while os.path.exists(f"/proc/{pid}") and open(f"/proc/{pid}/stat").read().split()[2] != "Z":
            assert time.monotonic() < end, "nvdisasm goes on alone"
            time.sleep(0.01)
        os.remove(here.path("pid"))


def test_a_full_disk_is_an_error_and_keeps_the_older_file(here):
    """A device that is full, a limit on the size of files, a folder that is not there: exit status 2, nothing half."""
    here.write("old.ptx", "older")
    for words in (("-o", "/dev/full", "--emit=ptx"), ("-o", "absent/x.ptx"), ("-o", "old.ptx/x.ptx")):
        done = here.run("build", ROUNDTRIP, *words, status=2)
        assert "cannot write" in done.stderr, done.stderr
    with open("/dev/full", "w") as full:
        done = subprocess.run([here.tmemc, "build", ROUNDTRIP, "--emit=ptx", "-o", "-"], stdout=full, stderr=subprocess.PIPE)
    assert done.returncode == 2 and b"cannot write to standard output" in done.stderr, done
    done = subprocess.run(["prlimit", "--fsize=1000", here.tmemc, "build", ROUNDTRIP, "-o", "old.ptx"], cwd=here.folder,
                          capture_output=True, text=True)
    assert done.returncode == 2 and "cannot write `old.ptx`: file too large" in done.stderr, done
    assert here.read("old.ptx") == b"older" and os.listdir(here.folder) == ["old.ptx"]


def test_of_several_outputs_all_appear_or_none(here):
    """Also when the last of them fails, whose fault it is is said, and what was there before stays."""
    here.write("old.ptx", "older")
    for broken in ("absent/x.json", "/proc/x.json", "/dev/full"):
        done = here.run("build", ROUNDTRIP, f"--emit=ast=a.tmx,ptx=old.ptx,plan={broken}", status=2)
        assert f"cannot write `{broken}`" in done.stderr, done.stderr
        done = here.run("run", ROUNDTRIP, "A=iota", "--save", "A=a.npy", "--save", f"B={broken}", status=2)
        assert f"cannot write `{broken}`" in done.stderr, done.stderr
        assert here.read("old.ptx") == b"older" and os.listdir(here.folder) == ["old.ptx"]
    here.run("build", ROUNDTRIP, "--emit=ast=a.tmx,ptx=old.ptx,plan=p.json")
    assert here.read("old.ptx") != b"older" and sorted(os.listdir(here.folder)) == ["a.tmx", "old.ptx", "p.json"]


def test_an_unwritable_folder_is_an_error(here):
    """Also for root, to whom permissions say nothing: a folder of /proc takes no files."""
    done = here.run("build", ROUNDTRIP, "-o", "/proc/x.ptx", status=2)
    assert "cannot write `/proc/x.ptx`" in done.stderr, done.stderr
    done = here.run("run", ROUNDTRIP, "A=iota", "--save", "B=/proc/b.npy", status=2)
    assert "cannot write `/proc/b.npy`" in done.stderr, done.stderr


def test_every_limit_has_its_error(here):
    """What is too much is refused by name, within seconds; the source of more than 16 MB has a test of its own."""
    limits = (
        ("TM0231", "  X = X;\n" * 1000001),                                         # a million statements
        ("TM0231", "  for i in 0..2147483648 { X = X + 1.0; }\n"),                  # turns
        ("TM0231", "  for i in 0..2147483648 { }\n"),
        ("TM0231", "  for i in 0..100000 { for j in 0..100000 { } }\n"),
        ("TM0108", "  let x = " + "(" * 100000 + "1" + ")" * 100000 + ";\n"),         # nesting
        ("TM0108", "  X = " + "-" * 100000 + "X;\n"),
        ("TM0108", "  for i in 0..1 {" * 5000 + "}" * 5000 + "\n"),
        ("TM0208", "  let x = 99999999999999999999;\n"),                             # integers
        ("TM0209", "  let x = 9223372036854775807 + 1;\n"),
    )
    if os.environ.get("ASAN_OPTIONS"):
        limits = limits[1:] # a million statements take minutes there
    for code, text in limits:
        here.write("limit.tmx", KERNEL.format(text))
        begin = time.monotonic()
        done = here.run("check", "limit.tmx", status=1)
        assert f"error[{code}]" in done.stderr, (code, text[:40], done.stderr[:400])
        assert time.monotonic() - begin < 60, (code, text[:40])
    here.write("large.tmx", "kernel k(in A: f32[2147483647, 2147483647]) {\n}\n")
    assert "error[TM0214]" in here.run("check", "large.tmx", status=1).stderr


def test_a_broken_ptxas_is_exit_3(here):
    """It prints garbage, crashes, says nothing, is no program, is a folder."""
    cases = ((script(here, "garbage", "head -c 100000 /dev/urandom\n"), "garbage"),
             (script(here, "crash", "kill -SEGV $$\n"), "signal 11"),
             (script(here, "silent", "exit 0\n"), "silent"),
             (script(here, "binary-noise", "head -c 3000 /dev/urandom >&2; exit 1\n"), "binary-noise"),
             (here.path("text.txt"), "text.txt"), (here.folder, ""), (here.path("absent"), "absent"))
    here.write("text.txt", "no program")
    for ptxas, said in cases:
        done = subprocess.run([here.tmemc, "build", ROUNDTRIP, f"--ptxas={ptxas}", "-o", "x.cubin"], cwd=here.folder,
                              capture_output=True, timeout=60)
        message = done.stderr.decode(errors="replace")
        assert done.returncode == 3 and said in message, (ptxas, done)
        assert not os.path.exists(here.path("x.cubin")), ptxas
