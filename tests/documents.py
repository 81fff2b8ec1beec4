"""The programs in the documents: every block marked ```tmx must be a whole program that `tmemc check` accepts, and its
test blocks must pass; it is formatted as `tmemc fmt` formats it, as far as that can read it. A program that is wrong on purpose is marked ```tmx error CODE, and must be refused with that code
first; a fragment is marked ```text."""
import difflib, os, re, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = ("README.md", "grammar/README.md", "examples/README.md", "src/README.md", "tests/README.md")
FENCE = re.compile(r"^```(.*)$")
HAS_TEST = re.compile(r'^\s*test\s+"', re.M)


def blocks(text):
    """(line, program, code) of every tmx block; the line is that of the fence, so that program line n is line + n."""
    word, opened, lines = None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        fence = FENCE.match(line)
        if not fence:
            lines.append(line)
        elif word is None:
            word, opened, lines = fence.group(1).strip(), number, []
        else:
            if word.split()[:1] == ["tmx"]:
                yield opened, "\n".join(lines) + "\n", word.removeprefix("tmx").removeprefix(" error ").strip()
            word = None
    if word is not None:
        raise ValueError(f"the block of line {opened} is not closed")


def problem(tmemc, program, code):
    """What the compiler has against the program that it should not have, or the other way round; or None."""
    with tempfile.TemporaryDirectory(prefix="tmemc-document-") as folder:
        with open(os.path.join(folder, "block.tmx"), "w", encoding="utf-8") as out:
            out.write(program)
        done = subprocess.run([tmemc, "fmt", "-"], input=program, capture_output=True, text=True, timeout=60)
        if done.returncode == 0 and done.stdout != program:
            return "".join(difflib.unified_diff(program.splitlines(True), done.stdout.splitlines(True), "here", "fmt"))
        if code:
            done = subprocess.run([tmemc, "check", "block.tmx"], cwd=folder, capture_output=True, text=True, timeout=60)
            first = done.stderr.partition("\n")[0]
            return None if f"error[{code}]" in first else f"{code} was to come first\n{done.stderr}"
        for verb in ("check", "test") if HAS_TEST.search(program) else ("check",):
            done = subprocess.run([tmemc, verb, "block.tmx"], cwd=folder, capture_output=True, text=True, timeout=60)
            if done.returncode or (verb == "check" and done.stderr):
                return f"`{verb}` exits {done.returncode}\n{done.stdout}{done.stderr}"
    return None


def run_all(tmemc):
    """Yields (name, problem) for every program; a document without its file or its end is a problem of its own."""
    for document in DOCUMENTS:
        try:
            with open(os.path.join(ROOT, document), encoding="utf-8") as file:
                found = list(blocks(file.read()))
        except (OSError, ValueError) as why:
            yield document, str(why)
            continue
        for line, program, code in found:
            yield f"{document}:{line}", problem(tmemc, program, code)
