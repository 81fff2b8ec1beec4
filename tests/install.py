"""The package as a stranger gets it: installed from the build folder into a folder of the test's own, moved somewhere
else, and used from there by programs in C and C++ that know nothing of the source tree. And that where and when things are
built does not show: in tmemc, in its outputs, in an object file."""
import atexit, filecmp, glob, json, os, re, shlex, shutil, subprocess, tempfile

from commands import ROOT, ROUNDTRIP, Skip
from documents import links_problem

EXAMPLES = os.path.join(ROOT, "examples", "api")
STRICT = "-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror".split()


def run(words, folder, status=0, environment=None, timeout=120):
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=timeout, env=environment, errors="replace")
    assert done.returncode == status, f"{words}: {done.returncode}, not {status}\n{done.stdout[-1000:]}{done.stderr[-3000:]}"
    return done


class Installed:
    """One installation, for all tests here: `prefix` is where it was moved to."""
    one = None

    def __init__(self, build):
        for tool in ("meson", "pkg-config", "cc", "c++"):
            if not shutil.which(tool):
                raise Skip(f"no {tool}")
        self.folder = tempfile.mkdtemp(prefix="tmemc-install-")
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        options = json.loads(run(["meson", "introspect", "--buildoptions", build], ROOT).stdout)
        self.options = {each["name"]: each["value"] for each in options}
        staged = os.path.join(self.folder, "stage")
        said = run(["meson", "install", "-C", build, "--no-rebuild", "--destdir", staged], ROOT,
                   environment=dict(os.environ, HOME=self.folder)).stdout
        self.places = re.findall(r"^Installing .* to (/.*)$", said, re.M)
        self.staged_prefix = staged + self.options["prefix"]
        self.outside = [os.path.join(where, name) for where, _, names in os.walk(self.folder) for name in names
                        if not os.path.join(where, name).startswith(self.staged_prefix + "/")]
        self.prefix = os.path.join(self.folder, "moved here")
        os.rename(self.staged_prefix, self.prefix)

    @classmethod
    def get(cls, here):
        cls.one = cls.one or cls(os.path.dirname(here.tmemc))
        return cls.one

    def flags(self, *words):
        """What pkg-config says, told where the package lies now."""
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(self.prefix, self.options["libdir"], "pkgconfig"))
        said = run(["pkg-config", f"--define-variable=prefix={self.prefix.replace(' ', chr(92) + ' ')}", *words, "tmemc"], ROOT,
                   environment=environment).stdout
        return shlex.split(said)

    def program(self, here, compiler, source, name, *words):
        run([*compiler, *words, source, *self.flags("--cflags", "--libs", "--static"), *self.sanitizer(), "-o", name],
            here.folder)
        return here.path(name)

    def sanitizer(self):
        chosen = self.options["b_sanitize"]
        return [] if chosen == "none" else [f"-fsanitize={chosen}"]


def test_everything_has_its_place(here):
    """Programs, library, headers and what goes with them lie in their usual folders, and nothing anywhere else."""
    package = Installed.get(here)
    libdir = package.options["libdir"]
    wanted = ["bin/tmemc", f"{libdir}/libtmemc.a", f"{libdir}/pkgconfig/tmemc.pc", "include/tmemc/tmemc.h",
              "include/tmemc/tmemc.hpp", "share/bash-completion/completions/tmemc", "share/zsh/site-functions/_tmemc",
              "share/fish/vendor_completions.d/tmemc.fish", "share/doc/tmemc/LICENSE", "share/doc/tmemc/grammar/README.md",
              "share/doc/tmemc/examples/roundtrip.tmx", "share/doc/tmemc/examples/api/load.cpp",
              "share/tmemc/schemas/manifest.schema.json", "share/tmemc/vscode/package.json",
              "share/vim/vimfiles/syntax/tmx.vim"]
    if shutil.which("scdoc"):
        wanted.append("share/man/man1/tmemc.1")
    missing = [each for each in wanted if not os.path.isfile(os.path.join(package.prefix, each))]
    assert not missing and not package.outside, (missing, package.outside)
    assert package.places and all(each.startswith(package.staged_prefix) for each in package.places), package.places
    included = sorted(os.listdir(os.path.join(package.prefix, "include")))
    assert included == ["tmemc"], included


def test_links_of_documents(here):
    """Links between installed documents lead to files and headings of the installation."""
    root = os.path.join(Installed.get(here).prefix, "share", "doc", "tmemc")
    pages = [os.path.relpath(page, root) for page in glob.glob(os.path.join(root, "**", "*.md"), recursive=True)]
    assert len(pages) >= 4 and links_problem(pages, root) is None, (pages, links_problem(pages, root))


def test_tmemc_runs_where_it_was_moved(here):
    """Under another prefix, with an empty environment, it makes the same bytes."""
    package = Installed.get(here)
    moved = os.path.join(package.prefix, "bin", "tmemc")
    here.run("build", ROUNDTRIP, "-o", "built.ptx")
    run([moved, "build", ROUNDTRIP, "-o", "moved.ptx"], here.folder, environment={})
    assert here.read("built.ptx") == here.read("moved.ptx")


def test_c_example(here):
    """C99 without a warning; its outputs are those of build, its messages those of the terminal."""
    package = Installed.get(here)
    program = package.program(here, ["cc"], os.path.join(EXAMPLES, "compile.c"), "compile", "-std=c99", *STRICT)
    for kind in ("ptx", "plan", "ast"):
        here.run("build", ROUNDTRIP, f"--emit={kind}=wanted")
        assert run([program, ROUNDTRIP, kind], here.folder).stdout == here.read("wanted").decode(), kind
    here.write("bad.tmx", "kernel k(in A: f32[128, 8]) {\n  copy Q <- A;\n}\n")
    assert run([program, "bad.tmx", "ptx"], here.folder, status=1).stderr == here.run("check", "bad.tmx", status=1).stderr
    assert "no function" in run([program, ROUNDTRIP, "cuda"], here.folder, status=2).stderr
    run([program, ROUNDTRIP, "nothing"], here.folder, status=2)
    nowhere = dict(os.environ, TMEMC_PTXAS="/nowhere/ptxas")
    assert "TM06" in run([program, ROUNDTRIP, "cubin"], here.folder, status=3, environment=nowhere).stderr


def test_cpp_example(here):
    """C++17 without a warning; it compiles a program, loads it by a driver and launches it. The fake driver runs PTX."""
    package = Installed.get(here)
    program = package.program(here, ["c++"], os.path.join(EXAMPLES, "load.cpp"), "load", "-std=c++17", *STRICT)
    fake = os.path.join(os.path.dirname(here.tmemc), "tests", "gpu", "libfake_cuda.so")
    log = here.path("log")

    def load(*words, status=0, **more):
        if os.path.exists(log):
            os.remove(log)
        environment = dict(os.environ, TMEMC_CUDA_DRIVER=fake, FAKE_CUDA=f"capability=100 log={log}") | more
        return run([program, *words], here.folder, status, environment)

    def said(done):
        return [line.split(": ")[1] for line in done.stdout.splitlines() if " bytes: " in line and ".cubin" not in line]

    done = load(ROUNDTRIP, "roundtrip", TMEMC_PTXAS="none")
    assert "the driver compiles the PTX for sm_100a" in done.stdout and said(done)[0] == said(done)[1], done.stdout
    launches = [line for line in here.read("log").decode().splitlines() if line.startswith("cuLaunchKernel")]
    assert launches == ["cuLaunchKernel roundtrip 1 1 1 128 1 1 0"], launches
    hopper = load(ROUNDTRIP, "roundtrip", TMEMC_PTXAS="none", FAKE_CUDA=f"capability=90 log={log}")
    assert "for sm_90" in hopper.stdout and said(hopper)[0] == said(hopper)[1], hopper.stdout
    assert "no kernel other" in load(ROUNDTRIP, "other", status=2, TMEMC_PTXAS="none").stderr
    scalars(load, os.path.join(ROOT, "examples", "masked_tail.tmx"))
    here.write("bad.tmx", "kernel k(in A: f32[128, 8]) {\n  copy Q <- A;\n}\n")
    assert load("bad.tmx", "k", status=1).stderr.startswith("bad.tmx:2:8: error[TM02")
    assert "there is no CUDA driver" in load(ROUNDTRIP, "roundtrip", status=3, TMEMC_CUDA_DRIVER="/nowhere.so").stderr
    here.need_ptxas()
    done = load(ROUNDTRIP, "roundtrip")
    here.run("build", ROUNDTRIP, "-o", "wanted.cubin")
    assert here.read("roundtrip.cubin") == here.read("wanted.cubin")
    assert "roundtrip.cubin: " in done.stdout and "cuLaunchKernel roundtrip" in here.read("log").decode()


def scalars(load, tail):
    """Kernels with scalars: numbers arrive, tensors are as large as they say, and what does not fit is refused with a list."""
    def lines(*words):
        return load(tail, *words, TMEMC_PTXAS="none").stdout.splitlines()[1:]

    # 0x03020100 and its double, an exponent more
    up, double = "A, 76800 bytes: 00 01 02 03 04 05 06 07", "B, 76800 bytes: 00 01 82 03 04 05 86 07"
    scaled = lines("scale_rows", "factor=2.0")
    assert len(scaled) == 2 and scaled[0].startswith(up) and scaled[1].startswith(double), scaled
    tiles = lines("store_tiles", "p=80", "n=5")
    assert [each.split(":")[0] for each in tiles] == ["A, 800 bytes", "B, 720 bytes"], tiles
    assert tiles[0].split(": ")[1] == tiles[1].split(": ")[1], tiles
    assert lines("store_tiles", "n=0", "p=72") == []
    takes = "launch it by: store_tiles n=NUMBER p=NUMBER\n  in A: f16[n, 72] pitch p\n  out B: f16[n, 72]\n  n: u32\n  p: u32\n"
    for words, wrong in (([], "there is no value for n"), (["n=300"], "there is no value for p"),
                         (["300", "80"], "`300` gives no scalar a value"), (["m=1"], "`m=1` gives no scalar a value"),
                         (["A=1"], "`A=1` gives no scalar a value"), (["n=many", "p=80"], "`many` is no number of type u32"),
                         (["n=-1", "p=80"], "`-1` is no number of type u32"), (["n=", "p=80"], "`` is no number of type u32"),
                         (["n=1", "n=2", "p=80"], "n is given twice"), (["n=300", "p=71"], "p is at least 72"),
                         (["n=4294967295", "p=80"], "A would be larger than this program allocates")):
        refused = load(tail, "store_tiles", *words, status=2, TMEMC_PTXAS="none").stderr
        assert refused == f"load: {wrong}\n{takes}", refused
    assert "is no number of type f32" in load(tail, "scale_rows", "factor=twice", status=2, TMEMC_PTXAS="none").stderr


def test_headers_stand_alone(here):
    """Every C and C++ compiler takes them, strictly, twice, together, and beside a header that build writes."""
    package = Installed.get(here)
    emitted = ""
    if here.ptxas:
        here.run("build", ROUNDTRIP, "--emit=header")
        emitted = '#include "roundtrip.h"\n'
    c = f"#include <tmemc/tmemc.h>\n#include <tmemc/tmemc.h>\n{emitted}int f(void);\nint f(void) {{ return TMEMC_VERSION_MAJOR; }}\n"
    cpp = c.replace("tmemc.h>\n", "tmemc.hpp>\n", 1).replace("f(void)", "f()")
    tried = 0
    for language, text, standards, names in (("c", c, ("c99", "c11"), ("gcc", "clang", "clang-14")),
                                             ("cpp", cpp, ("c++17", "c++20"), ("g++", "clang++", "clang++-14"))):
        here.write(f"user.{language}", text)
        for compiler in filter(shutil.which, names):
            for standard in standards:
                run([compiler, f"-std={standard}", *STRICT, "-fsyntax-only", *package.flags("--cflags"), f"user.{language}"],
                    here.folder)
                tried += 1
    assert tried >= 4, tried
    with open(os.path.join(package.prefix, "include/tmemc/tmemc.h"), encoding="utf-8") as header:
        functions = set(re.findall(r"TMEMC_EXPORT [\w *]+?(tmemc_\w+)\(", header.read()))
    calls = "".join(f"    (void)&{each};\n" for each in sorted(functions))
    here.write("all.c", f"#include <tmemc/tmemc.h>\nint main(void) {{\n{calls}    return *tmemc_version() != '0' + TMEMC_VERSION_MAJOR;\n}}\n")
    assert len(functions) > 15, functions
    run([package.program(here, ["cc"], "all.c", "all", "-std=c99", "-Wall", "-Werror")], here.folder)


def test_places_do_not_show(here):
    """tmemc and its library name no folder that they were built in."""
    build = os.path.dirname(here.tmemc)
    if Installed.get(here).options["b_coverage"]:
        raise Skip("coverage keeps paths")
    for path in (here.tmemc, *glob.glob(os.path.join(build, "src", "libtmemc.a"))):
        with open(path, "rb") as file:
            contents = file.read()
        for folder in {ROOT, build, os.path.realpath(ROOT)}:
            at = contents.find(folder.encode())
            assert at < 0, f"{path}: {contents[max(at - 40, 0):at + 120]!r}"


def test_an_object_is_the_same_from_anywhere(here):
    """One source file, copied into two folders with what it includes and compiled by the build's own command, without
    caches: the same object, byte for byte, with its debug information."""
    build = os.path.dirname(here.tmemc)
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        entry = next(each for each in json.load(file) if each["file"].endswith("src/base/sha256.cpp"))
    words = [word for word in shlex.split(entry["command"]) if os.path.basename(word) != "ccache"]
    words[words.index("-o") + 1] = "sha256.o"
    words = words[:words.index("-MD")] + words[words.index("-MF") + 2:]
    objects = []
    for name in ("one", "another place"):
        root = here.path(name)
        for part in ("src/base", "grammar"):
            shutil.copytree(os.path.join(ROOT, part), os.path.join(root, part))
        folder = os.path.join(root, os.path.relpath(entry["directory"], ROOT))
        os.makedirs(folder)
        run([word.replace(ROOT, root) for word in words], folder, environment=dict(os.environ, CCACHE_DISABLE="1"))
        objects.append(os.path.join(folder, "sha256.o"))
    assert filecmp.cmp(*objects, shallow=False), "they differ"


def test_outputs_are_the_same_anywhere(here):
    """PTX, plans, headers and manifests do not depend on the folder, the locale, the time zone or `-v`."""
    kinds = ["ptx", "plan", "ast"] + (["cubin", "header", "manifest"] if here.ptxas else [])
    made = []
    for folder, settings, words in (("one", {"LC_ALL": "C", "TZ": "UTC"}, []),
                                    ("two words", {"LC_ALL": "tr_TR.UTF-8", "LANG": "de_DE", "TZ": "Asia/Tokyo"}, ["-v"])):
        os.mkdir(here.path(folder))
        shutil.copy(ROUNDTRIP, here.path(folder))
        run([here.tmemc, "build", "roundtrip.tmx", f"--emit={','.join(kinds)}", *words], here.path(folder),
            environment=os.environ | settings)
        made.append({name: here.read(f"{folder}/{name}") for name in sorted(os.listdir(here.path(folder)))})
    assert len(made[0]) == len(kinds) + 1 and made[0] == made[1]
