"""The documents, as a reader would follow them. Each one has a folder of its own, in which `build/tmemc` is the compiler under
test, and `examples`, `src` and `tests` are those of the project. From top to bottom:

    ```tmx                 a whole program: `tmemc check` accepts it without a word, its test blocks pass, and it is formatted as
                           `tmemc fmt` formats it. When its first line is `// NAME.tmx`, later commands find it by that name.
    ```tmx error CODE      a program that is wrong on purpose: refused, with that code first.
    ```console             lines that begin with `$ ` are run by a shell, and what follows each is what it prints, both streams
                           together. A line `...` stands for any lines.
    ```console needs TOOL  the same, where TOOL is found; `ptxas-13.0` is that version of it. Else the block is skipped.
    ```c++ NAME, ```c NAME a file of that name for later commands.
    ```ebnf                in grammar/README.md: the rules of grammar/tmx.ebnf, each once.
    ```text, ``` and others are not looked at.

GOLDEN_UPDATE=1 formats the programs and writes what commands print into the documents; outputs with `...` are left to people.
"""
import difflib, os, re, shutil, subprocess, sys, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DOCUMENTS = ("README.md", "examples/README.md", "examples/embed/README.md", "grammar/README.md", "src/README.md",
             "src/runtime/README.md", "tests/README.md", "tests/bench/README.md", "tests/fuzz/README.md",
             "grammar/editors/README.md")
HAS_TEST = re.compile(r'^\s*test\s+"', re.M)
NAMED = re.compile(r"// ([\w.]+\.tmx)\b")
PATH = os.pathsep.join((os.environ.get("PATH", ""), "/usr/local/cuda/bin"))


def blocks(text):
    """(line, words behind the fence, contents) of every block; line is the fence's, so that line n of the contents is line + n."""
    words, opened, lines = None, 0, []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.startswith("```"):
            lines.append(line)
        elif words is None:
            words, opened, lines = line[3:].split(), number, []
        else:
            yield opened, words, "".join(line + "\n" for line in lines)
            words = None
    if words is not None:
        raise ValueError(f"the block of line {opened} is not closed")


def lacks(needs):
    """The first of the tools that is not here, or is of another version."""
    for tool, _, version in (word.partition("-") for word in needs):
        found = shutil.which(tool, path=PATH)
        if not found or version and f"release {version}" not in subprocess.run([found, "--version"], capture_output=True,
                                                                               text=True, timeout=60).stdout:
            return f"{tool} {version}".strip()
    return None


class Reader:
    """Someone with one document and a folder."""

    def __init__(self, tmemc, folder):
        self.folder, self.environment = folder, dict(os.environ, PATH=PATH, TMEMC_CUDA_DRIVER="none", NO_COLOR="1")
        os.mkdir(os.path.join(folder, "build"))
        os.symlink(tmemc, os.path.join(folder, "build", "tmemc"))
        for name in ("examples", "src", "tests"):
            os.symlink(os.path.join(ROOT, name), os.path.join(folder, name))

    def write(self, name, contents):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as out:
            out.write(contents)

    def shell(self, command):
        return subprocess.run(command, shell=True, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, timeout=120, env=self.environment)

    def program(self, text, code):
        """What the compiler has against a program that it should not have, or the other way round, or None; and the program as
        it is formatted."""
        named = NAMED.match(text)
        name = named.group(1) if named else "block.tmx"
        self.write(name, text)
        formatted = self.shell(f"build/tmemc fmt - <{name} 2>/dev/null")
        if formatted.returncode == 0 and formatted.stdout != text:
            return difference(text, formatted.stdout), formatted.stdout
        if code:
            said = self.shell(f"build/tmemc check {name}").stdout
            return None if f"error[{code}]" in said.partition("\n")[0] else f"{code} was to come first\n{said}", text
        for verb in ("check", "test") if HAS_TEST.search(text) else ("check",):
            done = self.shell(f"build/tmemc {verb} {name}")
            if done.returncode or verb == "check" and done.stdout:
                return f"`{verb}` exits {done.returncode}\n{done.stdout}", text
        return None, text

    def console(self, text):
        """(problem or None, the block with what the commands print now)"""
        problem, now = None if text.startswith("$ ") else "no command in the first line", ""
        for command, expected in re.findall(r"^\$ (.*\n)((?:(?!\$ ).*\n)*)", text, re.M):
            printed = self.shell(command).stdout
            now += f"$ {command}{expected if '...' in expected.splitlines() else printed}"
            if problem is None and not agrees(expected, printed):
                problem = f"$ {command}{difference(expected, printed)}"
        return problem, now


def agrees(expected, printed):
    pattern = "".join(r"(?:.*\n)*" if line == "...\n" else re.escape(line) for line in expected.splitlines(True))
    return re.fullmatch(pattern, printed) is not None


def difference(here, there):
    return "".join(difflib.unified_diff(here.splitlines(True), there.splitlines(True), "document", "tmemc"))


def read(tmemc, document, update):
    """(place, problem or None) of each block; with `update`, the document is rewritten."""
    with open(os.path.join(ROOT, document), encoding="utf-8") as file:
        text = file.read()
    lines, shift = text.splitlines(True), 0
    with tempfile.TemporaryDirectory(prefix="tmemc-document-") as folder:
        reader = Reader(tmemc, folder)
        for line, words, contents in blocks(text):
            problem, now = None, contents
            if words[:1] == ["tmx"]:
                problem, now = reader.program(contents, words[2] if words[1:2] == ["error"] else None)
            elif words[:1] in (["c"], ["c++"]) and len(words) > 1:
                reader.write(words[1], contents)
            elif words[:1] == ["console"]:
                missing = lacks(words[2:])
                problem, now = (f"skipped: no {missing}", contents) if missing else reader.console(contents)
            else:
                continue
            if update and now != contents:
                lines[line + shift:line + shift + contents.count("\n")] = now.splitlines(True)
                shift += now.count("\n") - contents.count("\n")
            yield f"{document}:{line}", problem
    if "".join(lines) != text:
        with open(os.path.join(ROOT, document), "w", encoding="utf-8") as out:
            out.write("".join(lines))


def rules(text):
    """Name: what it is made of, blanks and comments aside, in the order of the text; a rule ends with its line's `;`."""
    text = re.sub(r"\(\*.*?\*\)", " ", text, flags=re.S)
    found = re.findall(r"^(\w+)\s*=(.*?);\s*$", text, re.S | re.M)
    return [(name, " ".join(made_of.split())) for name, made_of in found]


def grammar_problem():
    """What sets the rules of the language reference apart from tmx.ebnf, or None."""
    with open(os.path.join(ROOT, "grammar/tmx.ebnf"), encoding="utf-8") as file:
        page = rules(file.read())
    with open(os.path.join(ROOT, "grammar/README.md"), encoding="utf-8") as file:
        told = [rule for _, words, block in blocks(file.read()) if words == ["ebnf"] for rule in rules(block)]
    if len(page) < 50:
        return f"tmx.ebnf has {len(page)} rules?"
    return difference("".join(f"{name} = {made_of}\n" for name, made_of in sorted(told)),
                      "".join(f"{name} = {made_of}\n" for name, made_of in sorted(page))) or None


def prose(document, root):
    with open(os.path.join(root, document), encoding="utf-8") as file:
        return re.sub(r"^```.*?^```$", "", file.read(), flags=re.S | re.M)


def anchors(document, root):
    """What GitHub makes of headings: lower case, `-` for blanks, without punctuation."""
    headings = re.findall(r"^#+ (.*)$", prose(document, root), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def links_problem(documents, root=ROOT):
    """Links to files and headings that are not there, or None. `root` is where the documents lie, here or installed."""
    wrong = []
    for document in documents:
        for link in re.findall(r"\]\(([^)]+)\)", prose(document, root)):
            path, _, heading = link.partition("#")
            there = os.path.normpath(os.path.join(os.path.dirname(document), path)) if path else document
            if not link.startswith("http") and (not os.path.exists(os.path.join(root, there)) or
                                                heading and heading not in anchors(there, root)):
                wrong.append(f"{document}: {link}")
    return "\n".join(wrong) or None


def run_all(tmemc, update=False, documents=DOCUMENTS):
    """Yields (name, problem) for every block; a document without its file or its end is a problem of its own."""
    yield "the rules of the language reference are those of tmx.ebnf", grammar_problem()
    yield "links lead somewhere", links_problem(documents)
    for document in documents:
        try:
            yield from read(os.path.abspath(tmemc), document, update)
        except (OSError, ValueError, subprocess.TimeoutExpired) as why:
            yield document, str(why)


if __name__ == "__main__": # documents.py TMEMC [DOCUMENT...]
    problems = [(name, problem) for name, problem in
                run_all(sys.argv[1], bool(os.environ.get("GOLDEN_UPDATE")), sys.argv[2:] or DOCUMENTS) if problem]
    for name, problem in problems:
        print(f"{name}\n{problem}")
    sys.exit(1 if any(not problem.startswith("skipped") for _, problem in problems) else 0)
