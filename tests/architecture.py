"""The rules of src/README.md that a script can check: who includes whom, that its table says so, how long files are, that every diagnostic has
a golden file and that Spirit stays in grammar/. Prints the lines per folder."""
import collections, glob, os, re

# Folder: the folders it may include directly (its own is always allowed). The table of src/README.md.
MAY_INCLUDE = {
    "base": "",
    "grammar": "base",
    "ptx": "base",
    "layout": "base",
    "atlas": "layout base",
    "sema": "grammar atlas layout ptx base",
    "match": "sema atlas layout base",
    "order": "sema match base",
    "space": "sema order atlas base",
    "lower": "sema match order space atlas layout ptx base",
    "emulator": "ptx base",
    "verify": "sema order space lower layout ptx emulator base",
    "toolchain": "base",
    "runtime": "emulator toolchain ptx base",
    "trial": "sema grammar runtime base",
    "embed": "sema space lower match layout ptx toolchain base",
    "inspect": "base grammar ptx layout atlas sema match order space lower emulator toolchain runtime trial",
    "api": "verify embed inspect toolchain sema grammar base",
    "explain": "base",
    "cli": "explain verify embed base grammar sema runtime trial inspect toolchain",
}
LONGEST = 600       # lines of a hand-written file, tables aside
OPENING = 2         # lines of comment that a header begins with, at least
BUDGET = 56000      # lines of src, comments counted (see "Decisions" in src/README.md)


def files(root):
    for folder in MAY_INCLUDE:
        where = os.path.join(root, "grammar" if folder == "grammar" else os.path.join("src", folder))
        for path in sorted(glob.glob(os.path.join(where, "**", "*.[chd][pe]*"), recursive=True)):
            if path.endswith((".cpp", ".hpp", ".def")):
                yield folder, path, open(path, encoding="utf-8").read()


def includes(root):
    wrong = []
    for folder, path, text in files(root):
        for header in re.findall(r'^#include "([^"/]+)/', text, re.M):
            if header != folder and header not in MAY_INCLUDE[folder].split():
                wrong.append(f"{os.path.relpath(path, root)} includes {header}/")
    return "\n".join(wrong) or None


def table(root):
    """The table "Folders" of src/README.md says what MAY_INCLUDE says."""
    wrong, above = [], set()
    readme = open(os.path.join(root, "src/README.md"), encoding="utf-8").read().partition("\n## Folders\n")[2].partition("\n## ")[0]
    for name, words in re.findall(r"^\| `(\w+)[/`].*\| ([^|]*) \|$", readme, re.M):
        may = set(MAY_INCLUDE.get(name, "").split())
        said = above if words == "everything above" else set(re.findall(r"\w+", words)) - {"pipeline"}
        if name != "pipeline" and (not may <= said if words == "everything above" else may != said):
            wrong.append(f"{name}: src/README.md says {sorted(said)}, and the rule is {sorted(may)}")
        above.add(name)
    wrong += [f"{name} has no row in src/README.md" for name in MAY_INCLUDE if name not in above]
    return "\n".join(wrong) or None


def spirit(root):
    wrong = [os.path.relpath(path, root) for folder, path, text in files(root)
             if "boost/spirit" in text and folder != "grammar"]
    return "\n".join(wrong) or None


def lengths(root):
    lines = collections.Counter()
    wrong = []
    for folder, path, text in files(root):
        lines[folder] += text.count("\n")
        if text.count("\n") > LONGEST and not path.endswith(".def"):
            wrong.append(f"{os.path.relpath(path, root)} has {text.count(chr(10))} lines, more than {LONGEST}")
    for path in glob.glob(os.path.join(root, "src/**/*.js"), recursive=True):
        if open(path, encoding="utf-8").read().count("\n") > LONGEST:
            wrong.append(f"{os.path.relpath(path, root)} has more than {LONGEST} lines")
    total = sum(count for folder, count in lines.items() if folder != "grammar")
    print("lines:", ", ".join(f"{folder} {count}" for folder, count in lines.items()), f"; src {total} of {BUDGET}")
    if total > BUDGET:
        wrong.append(f"src has {total} lines, more than {BUDGET}")
    return "\n".join(wrong) or None


def opening_comments(root):
    """Every file opens with a comment, every header with at least OPENING lines of it."""
    wrong = []
    for _, path, text in files(root):
        lines = re.match(r"(?://.*\n)*", text)[0].count("\n")
        if lines < (OPENING if path.endswith(".hpp") else 1):
            wrong.append(f"{os.path.relpath(path, root)} opens with {lines} lines of comment")
    return "\n".join(wrong) or None


def diagnostics(root):
    """Every code of diagnostics.def stands in the expectations of some golden file."""
    catalogue = open(os.path.join(root, "src/base/diagnostics.def"), encoding="utf-8").read()
    codes = re.findall(r'^TMEMC_(?:ERROR|WARNING)\(\w+,\s*"(TM\d{4})"', catalogue, re.M)
    shown = set()
    for path in glob.glob(os.path.join(root, "tests/golden/**/*.*"), recursive=True):
        if os.path.isfile(path):
            text = open(path, encoding="utf-8", errors="replace").read()
            shown |= set(re.findall(r"^//!.*\[(TM\d{4})\]", text, re.M))
    # What no file in the repository can hold, such as a source that is too large, the command-line tests show.
    for module in ("commands.py", "messages.py"):
        shown |= set(re.findall(r"TM\d{4}", open(os.path.join(root, "tests", module), encoding="utf-8").read()))
    missing = [code for code in codes if code not in shown]
    twice = [code for code, n in collections.Counter(codes).items() if n > 1]
    problems = [f"no golden file shows {code}" for code in missing] + [f"{code} stands twice" for code in twice]
    return "\n".join(problems) or None


def fault_pairs(root):
    """Every fault that the emulator can raise has its smallest program, tests/golden/emulator/fail_NAME.ptx, which ends
    with exit status 4 and that fault, and a healthy twin, NAME.ptx, which ends with 0. NAME is its row in the catalogue."""
    catalogue = open(os.path.join(root, "src/base/diagnostics.def"), encoding="utf-8").read()
    codes = dict(re.findall(r'^TMEMC_ERROR\((\w+),\s*"(TM07\d\d)"', catalogue, re.M))
    raised = set()
    for path in glob.glob(os.path.join(root, "src/emulator/*.[ch]pp")):
        text = open(path, encoding="utf-8").read()
        raised |= set(re.findall(r"\braise\([^;]*?\bcatalogue::(\w+)", text))
        raised |= set(re.findall(r"\bcatalogue::(barrier_\w+)", text))  # chosen ahead of the call
    problems = []
    for name in sorted(raised):
        for prefix, status in (("fail_", 4), ("", 0)):
            path = os.path.join(root, "tests/golden/emulator", f"{prefix}{name}.ptx")
            text = open(path, encoding="utf-8").read() if os.path.exists(path) else ""
            if f"// EXIT: {status}" not in text or (status == 4) != (f"[{codes[name]}]" in text):
                problems.append(f"{prefix}{name}.ptx is not there or does not end with {status}")
    return "\n".join(problems) or (None if len(raised) > 20 else "no faults found in src/emulator")


def rules(root):
    yield "includes follow the table", includes(root)
    yield "the table in src/README.md is the rule", table(root)
    yield "Spirit stays in grammar", spirit(root)
    yield "files are short", lengths(root)
    yield "every file opens with its subject", opening_comments(root)
    yield "every diagnostic has a golden file", diagnostics(root)
    yield "every fault has a smallest program and a healthy twin", fault_pairs(root)
