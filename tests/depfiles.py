"""Dependency files, -### and --version. make and ninja are the judges: small projects of theirs must build again what
an input has changed for, and nothing else."""
import os, re, shlex, shutil, subprocess, textwrap

from commands import ROUNDTRIP, Skip

ODD = ["plain.tmx", "two words.tmx", "a#b.tmx", "cost$5.tmx", "back\\ slash.tmx", "c:d.tmx"]


def program(name):
    return open(ROUNDTRIP, encoding="utf-8").read() + f"// {name}\n"


def need(tool):
    if not shutil.which(tool):
        raise Skip(f"no {tool}")


def test_rules(here):
    """All outputs are targets, the program is the input; names, defaults and -o."""
    os.mkdir(here.path("dir"))
    here.write("dir/x.tmx", program("x"))
    here.run("build", "dir/x.tmx", "--emit=ptx,plan=out.json", "-MD")
    assert here.read("x.d") == b"x.ptx out.json: dir/x.tmx\n", here.read("x.d")
    here.run("build", "dir/x.tmx", "-o", "y.ptx", "-MF", "y.dep")
    assert here.read("y.dep") == b"y.ptx: dir/x.tmx\n"
    assert here.run("build", "dir/x.tmx", "--emit=deps", "-o", "-").stdout == "x.cubin: dir/x.tmx\n"
    assert here.run("build", "dir/x.tmx", "--emit=deps=-,ptx").stdout == "x.ptx: dir/x.tmx\n"
    here.run("build", "dir/x.tmx", "--emit=ptx", "-o", "-", "-MD", "-MF", "standard.d")
    assert here.read("standard.d") == b"x.ptx: dir/x.tmx\n"
    here.run("build", "dir/x.tmx", "-o", "z.d")
    assert here.read("z.d") == b"x.cubin: dir/x.tmx\n"
    here.run("layout", "dir/x.tmx", "X", "-o", "x.svg", "-MF", "layout.d")
    assert here.read("layout.d") == b"x.svg: dir/x.tmx\n"
    if here.ptxas:
        here.run("report", "dir/x.tmx", "--format=json", "-o", "x.json", "-MF", "report.d")
        assert here.read("report.d") == b"x.json: dir/x.tmx\n"
    here.run("build", "-", "--emit=ptx,deps", stdin=program("stdin"))
    assert here.read("stdin.d") == b"stdin.ptx:\n"


def test_no_rule_of_what_was_not_made(here):
    """Mistakes leave no dependency file, and what cannot be named in one is refused."""
    here.write("bad.tmx", "kernel k( {\n")
    here.run("build", "bad.tmx", "--emit=ptx", "-MD", status=1)
    here.write("a\nb.tmx", program("x"))
    said = here.run("build", "a\nb.tmx", "--emit=ptx", "-MD", status=2).stderr
    assert "line break" in said, said
    here.write("x.tmx", program("x"))
    said = here.run("build", "x.tmx", "--emit=ptx=x.d", "-MD", status=2).stderr
    assert "two outputs would be written to `x.d`" in said, said
    assert sorted(os.listdir(here.folder)) == ["a\nb.tmx", "bad.tmx", "x.tmx"]


def rebuilt(here, command, outputs):
    """Which outputs the command made again."""
    before = {each: os.stat(here.path(each)).st_mtime_ns if os.path.exists(here.path(each)) else 0 for each in outputs}
    done = subprocess.run(command, cwd=here.folder, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return [each for each in outputs if os.stat(here.path(each)).st_mtime_ns != before[each]]


def change(here, name, seconds):
    """New contents, and a time that no file system is too coarse for."""
    here.write(name, program(f"changed {seconds}"))
    now = os.stat(here.path(name)).st_mtime
    os.utime(here.path(name), (now + seconds, now + seconds))


def test_make_builds_what_changed(here):
    """Rules without inputs of their own: all that make knows of them is in the dependency files."""
    need("make")
    names = ODD[:4]
    for name in names:
        here.write(name, program(name))
    outputs = [f"{i}.ptx" for i in range(len(names))]
    rules = "".join(f"{i}.ptx:\n\t'{here.tmemc}' build {shlex.quote(name).replace('$', '$$')} -o {i}.ptx -MD -MF {i}.d\n"
                    for i, name in enumerate(names))
    here.write("Makefile", f"all: {' '.join(outputs)}\n{rules}-include $(wildcard *.d)\n")
    assert rebuilt(here, ["make"], outputs) == outputs
    assert rebuilt(here, ["make"], outputs) == []
    for i, name in enumerate(names):
        change(here, name, 0)
        stamp = os.stat(here.path(f"{i}.ptx")).st_mtime - 5
        os.utime(here.path(f"{i}.ptx"), (stamp, stamp))
        assert rebuilt(here, ["make"], outputs) == [f"{i}.ptx"], name
    os.remove(here.path("0.ptx"))
    assert rebuilt(here, ["make"], outputs) == ["0.ptx"]


def test_make_reads_odd_names_back(here):
    """What make takes the inputs to be, of names with blanks and signs in them."""
    need("make")
    for i, name in enumerate(ODD):
        here.write(name, program(name))
        here.run("build", name, "--emit=deps", "-o", f"{i}.d")
        here.write("Makefile", f"include {i}.d\n%.cubin:\n\t@printf '%s\\n' '$^'\n")
        done = subprocess.run(["make", "-r"], cwd=here.folder, capture_output=True, text=True, timeout=20)
        assert done.stdout == name + "\n", (name, done.stdout, done.stderr)


def test_ninja_builds_what_changed(here):
    """The same with ninja, two outputs of one program, and every odd name."""
    need("ninja")
    for name in ODD:
        here.write(name, program(name))
    outputs = [f"{i}.{kind}" for i in range(len(ODD)) for kind in ("ptx", "plan.json")]
    text = textwrap.dedent(f"""\
        rule tmemc
          command = '{here.tmemc}' build $input --emit=ptx=$stem.ptx,plan=$stem.plan.json -MD -MF $stem.d
          depfile = $stem.d
          deps = gcc
        """)
    for i, name in enumerate(ODD):
        text += f"build {i}.ptx {i}.plan.json: tmemc\n  input = {shlex.quote(name).replace('$', '$$')}\n  stem = {i}\n"
    here.write("build.ninja", text)
    assert rebuilt(here, ["ninja"], outputs) == outputs
    assert rebuilt(here, ["ninja"], outputs) == []
    for i, name in enumerate(ODD):
        change(here, name, 2)
        assert rebuilt(here, ["ninja"], outputs) == [f"{i}.ptx", f"{i}.plan.json"], name
        now = os.stat(here.path(name)).st_mtime - 4
        os.utime(here.path(name), (now, now))
        assert rebuilt(here, ["ninja"], outputs) == [], name


def test_tool_commands_are_printed(here):
    """-### prints each ptxas as it would be typed, and neither runs nor writes anything; typed, it does what build does."""
    here.write("ptx as", "#!/bin/sh\ntouch ran\n")
    os.chmod(here.path("ptx as"), 0o755)
    done = here.run("build", ROUNDTRIP, "-###", "-O2", f"--ptxas={here.path('ptx as')}", "--emit=header", "-arch=sm_100f,sm_110f")
    lines = [shlex.split(line) for line in done.stderr.splitlines()]
    assert [line[:3] for line in lines] == [[here.path("ptx as"), f"-arch={target}", "-O2"] for target in ("sm_100f", "sm_110f")]
    assert done.stdout == ""
    none = here.run("build", ROUNDTRIP, "-###", "--emit=ptx,deps")
    assert none.stdout + none.stderr == "" and os.listdir(here.folder) == ["ptx as"]
    here.need_ptxas()
    typed = here.run("build", ROUNDTRIP, "-###", "-lineinfo").stderr
    here.run("build", ROUNDTRIP, "-lineinfo", "--emit=ptx,cubin")
    with open(here.path("roundtrip.ptx"), "rb") as ptx:
        made = subprocess.run(["sh", "-c", typed], stdin=ptx, capture_output=True, timeout=60)
    assert made.stdout == here.read("roundtrip.cubin"), made.stderr


def test_tool_commands_of_run(here):
    """On the emulator there are none; for a GPU it is ptxas, and no kernel is launched."""
    quiet = here.run("run", ROUNDTRIP, "A=iota", "-###", "--on=emulator", "--print", "B")
    assert quiet.stdout + quiet.stderr == ""
    here.write("ptxas", "#!/bin/sh\nexit 1\n")
    os.chmod(here.path("ptxas"), 0o755)
    fake = os.path.join(os.path.dirname(here.tmemc), "tests", "gpu", "libfake_cuda.so")
    environment = dict(os.environ, TMEMC_CUDA_DRIVER=fake, FAKE_CUDA=f"capability=100 log={here.path('log')}")
    done = here.run("run", ROUNDTRIP, "A=iota", "-###", "--on=gpu", f"--ptxas={here.path('ptxas')}", environment=environment)
    assert done.stderr == f"{here.path('ptxas')} -arch=sm_100a /dev/stdin -o /dev/stdout\n", done.stderr
    assert "cuLaunchKernel" not in (here.read("log").decode() if os.path.exists(here.path("log")) else "")


def test_version(here):
    """The first line is tmemc's; the second is the ptxas that build would call."""
    here.write("ptxas", "#!/bin/sh\necho 'Cuda compilation tools, release 17.3, V17.3.1'\n")
    here.write("broken", "#!/bin/sh\nexit 1\n")
    for name in ("ptxas", "broken"):
        os.chmod(here.path(name), 0o755)
    first = re.compile(r"tmemc \d+\.\d+\.\d+")
    for path, second in ((here.path("ptxas"), f"ptxas 17.3, {here.path('ptxas')}"),
                         (here.path("broken"), f"ptxas, {here.path('broken')}, which does not run"),
                         ("/nowhere/ptxas", "no ptxas; `tmemc doctor` says where it was looked for")):
        by_option = here.run("--version", f"--ptxas={path}").stdout.splitlines()
        by_variable = here.run("--version", environment=dict(os.environ, TMEMC_PTXAS=path)).stdout.splitlines()
        assert by_option == by_variable and first.fullmatch(by_option[0]) and by_option[1:] == [second], by_option
