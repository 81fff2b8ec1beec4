"""Runs every test of a build folder and ends with "N passed, N failed, N skipped".

Unit executables count by doctest case (a line "SKIPPED ..." on their output is a case that lacked a tool), golden files
count one each, and so do each test of the command line, each program in a document and each rule of the architecture
check.
"""
import glob, os, re, shutil, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import architecture
import commands
import commands_gpu
import commands_ptx
import cuda
import depfiles
import documents
import editors
import embed
import explain
import formatting
import golden
import hardening
import install
import layout
import messages
import mistakes
import option_words
import page
import reports

TESTS = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(TESTS, "bench"))
import sass

SUMMARY = re.compile(r"test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed")


COMMAND_LINE = (
    commands,
    commands_gpu,
    commands_ptx,
    depfiles,
    editors,
    embed,
    formatting,
    hardening,
    install,
    layout,
    messages,
    mistakes,
    option_words,
    page,
    reports,
)


# What these judge is the text that comes out, at length, or the library as it is linked by others. Under sanitizers they
# would take most of an hour, and find what the unit tests, golden files and fuzz targets find.
WITHOUT_SANITIZERS = (install, layout, messages, page)


class Count:
    passed = failed = skipped = 0

    def add(self, what, problem):
        if problem is None:
            self.passed += 1
        elif problem.startswith("skipped"):
            self.skipped += 1
            print(f"{what}: {problem}")
        else:
            self.failed += 1
            print(f"FAILED {what}\n{problem}\n")


def unit(build, count):
    for executable in sorted(glob.glob(os.path.join(build, "tests", "unit_*")) +
                             glob.glob(os.path.join(build, "tests", "oracle", "oracle_*")) +
                             glob.glob(os.path.join(build, "tests", "gpu", "gpu_*"))):
        if not os.path.isfile(executable) or not os.access(executable, os.X_OK):
            continue
        limit = 3000 if os.environ.get("ASAN_OPTIONS") else 600
        done = subprocess.run([os.path.abspath(executable)], cwd=TESTS, capture_output=True, text=True, timeout=limit)
        if done.returncode == 77: # what the executable is about is not on this machine
            count.add(os.path.basename(executable), "skipped: " + done.stdout.strip())
            continue
        found = SUMMARY.search(done.stdout)
        skipped = len(re.findall(r"^SKIPPED", done.stdout, re.M))
        if not found:
            count.add(executable, f"ended with {done.returncode}\n{done.stdout}{done.stderr}")
            continue
        total, passed, failed = map(int, found.groups())
        if total == 0:
            count.add(executable, "holds no test case")
        count.passed += passed - skipped
        count.skipped += skipped
        count.failed += failed
        if failed or done.returncode:
            print(done.stdout, done.stderr)
            count.failed += done.returncode != 0 and not failed
        for line in re.findall(r"^SKIPPED.*", done.stdout, re.M):
            print(f"{os.path.basename(executable)}: {line}")


def replays(build, count):
    """Each fuzz target on its corpus, on the PTX that nvcc and people wrote, and on the examples."""
    ptx, tmx = ("data/cuda", "data/floor"), ("../examples", "../examples/embed")
    for target, more in (("reader", ptx), ("run", ptx), ("source", tmx), ("program", ()), ("npy", ())):
        executable = os.path.abspath(os.path.join(build, "tests", "fuzz", f"replay_{target}"))
        done = subprocess.run([executable, f"fuzz/corpus/{target}", *more], cwd=TESTS, capture_output=True, text=True,
                              timeout=1800)
        count.add(f"fuzz: {target}", None if done.returncode == 0 else done.stdout[-300:] + done.stderr[-3000:])


def main():
    build = sys.argv[1]
    tmemc = os.path.abspath(os.path.join(build, "tmemc"))
    update = bool(os.environ.get("GOLDEN_UPDATE"))
    ptxas = shutil.which("ptxas") or (os.path.exists("/usr/local/cuda/bin/ptxas") or None)
    count = Count()
    unit(build, count)
    replays(build, count)
    os.environ["TMEMC_CUDA_DRIVER"] = "none" # what follows is the same with and without a GPU
    tools = ("ptxas", f"ptxas_{sass.version(sass.find('ptxas'))}") if ptxas else () # machine code is of one version
    for path in golden.find(os.path.join(TESTS, "golden")):
        count.add(os.path.relpath(path, TESTS), golden.check(tmemc, path, update, tools))
    for name, problem in sass.run_all(tmemc, build, sass.find("ptxas"), update):
        count.add(f"machine code: {name}", problem)
    for name, problem in cuda.run_all(tmemc, build, sass.find("nvcc"), update):
        count.add(f"CUDA C++: {name}", problem)
    for module in COMMAND_LINE:
        what = "page" if module is page else "command line"
        if os.environ.get("ASAN_OPTIONS") and module in WITHOUT_SANITIZERS:
            count.add(f"{what}: {module.__name__}", "skipped: not under sanitizers")
            continue
        for name, problem in commands.run_all(tmemc, ptxas, vars(module)):
            count.add(f"{what}: {name}", problem)
    for name, problem in explain.run_all(tmemc):
        count.add(f"explain: {name}", problem)
    for name, problem in documents.run_all(tmemc, update):
        count.add(f"document: {name}", problem)
    for rule, problem in architecture.rules(os.path.dirname(TESTS)):
        count.add(f"architecture: {rule}", problem)
    print(f"{count.passed} passed, {count.failed} failed" + (f", {count.skipped} skipped" if count.skipped else ""))
    return 1 if count.failed or not count.passed else 0


sys.exit(main())
