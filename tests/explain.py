"""The pages of `tmemc explain`, src/explain/pages: one for each code of the catalogue, whose wrong program is refused with
that code and no other, and whose right program compiles without a word.

    # TM0330 warning -Wspill: a fragment needs more registers than a thread has

    What the rule is and why.

    wrong:
    ```tmx
    kernel k() { ... }
    ```

    right:
    ```tmx
    kernel k() { ... }
    ```

    How to find it, what else may help.

The title agrees with the catalogue: words of its own, or an ellipsis, stand where the format has `{}`. A section, `wrong:` or
`right:`, holds a program, ```tmx or ```ptx, which lies in a file wrong.tmx, right.ptx and so on; or a ```console block; or
both. Lines of a console block that begin with `$ ` are run one after the other by a shell, in a folder with the section's
program and the files of examples/, where `tmemc` is the one under test; its other lines must stand in what was printed. A
section without one is run by `tmemc check FILE`, with a test block by `tmemc test FILE`, and PTX by `tmemc run FILE`.
Commands find no GPU and nothing of tmemc's in the environment, but what WORLDS says.
"""
import concurrent.futures, glob, json, os, re, shutil, subprocess, tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = os.path.join(ROOT, "src", "explain", "pages")
SHORTEST, LONGEST, WIDEST = 12, 54, 110 # lines, lines, columns but for the title
SAID = re.compile(r"(?:error|warning)\[(TM\d{4})\]")

# What machine a page's commands meet: variables for both programs, or a pair for the wrong and the right one. %build is the
# build folder, %tests that of the tests.
FAKE = {"TMEMC_CUDA_DRIVER": "%build/tests/gpu/libfake_cuda.so", "TMEMC_PTXAS": "none"}
WORLDS = {
    "TM0602": FAKE,
    "TM0603": {"TMEMC_PTXAS": "%tests/golden/toolchain/fake/fails"},
    "TM0604": {"TMEMC_PTXAS": "%tests/golden/toolchain/fake/crashes"},
    "TM0607": FAKE | {"FAKE_CUDA": "capability=90"},
    "TM0608": FAKE,
    "TM0771": FAKE | {"FAKE_CUDA": "devices=2"},
    "TM0772": FAKE | {"FAKE_CUDA": "memory=10000000"},
    "TM0773": (FAKE | {"FAKE_CUDA": "fault=700"}, FAKE),
    "TM0774": (FAKE | {"FAKE_CUDA": "hang"}, FAKE),
    "TM0775": FAKE,
}


def catalogue():
    """{code: (severity, flag, format)} of every row."""
    with open(os.path.join(ROOT, "src/base/diagnostics.def"), encoding="utf-8") as file:
        text = file.read()
    rows = re.findall(r'^TMEMC_(ERROR|WARNING)\(\w+,\s*"(TM\d{4})",\s*(?:"([\w-]+)",\s*)?"((?:[^"\\]|\\.)*)"', text, re.M)
    return {code: (kind.lower(), flag, words.replace('\\"', '"')) for kind, code, flag, words in rows}


def title_problem(title, code, severity, flag, words):
    head = f"# {code} {severity}{' -W' + flag if flag else ''}: "
    literal = re.split(r"\{[^{}]*\}", words)
    if title.startswith(head) and re.fullmatch(".*".join(map(re.escape, literal)), title.removeprefix(head)):
        return None
    return f"the title is {title}\nand should be  {head}{'…'.join(literal)}"


def sections(text):
    """{"wrong": {"tmx": ..., "console": ...}, "right": ...}"""
    found, section, kind, lines = {"wrong": {}, "right": {}}, None, None, []
    for line in text.splitlines():
        if kind is not None:
            if line == "```":
                found[section][kind] = "\n".join(lines) + "\n"
                kind = None
            lines.append(line)
        elif line.startswith("```"):
            kind, lines = line[3:].strip(), []
            if section is None or kind not in ("tmx", "ptx", "console") or kind in found[section]:
                raise ValueError(f"a block `{kind}` does not belong where it stands")
        elif line in ("wrong:", "right:"):
            section = line[:-1]
    if kind is not None:
        raise ValueError("the last block does not end")
    return found


def environment(tmemc, code, section):
    build = os.path.dirname(tmemc)
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("TMEMC_", "FAKE_CUDA"))}
    world = WORLDS.get(code, {})
    world = world[section == "right"] if isinstance(world, tuple) else world
    given = {key: value.replace("%build", build).replace("%tests", os.path.join(ROOT, "tests")) for key, value in world.items()}
    return plain | {"NO_COLOR": "1", "TMEMC_CUDA_DRIVER": "none", "PATH": build + ":" + os.environ["PATH"]} | given


def run_section(tmemc, code, section, blocks):
    """(exit status of the last command, standard output, standard error)."""
    with tempfile.TemporaryDirectory(prefix="tmemc-explain-") as folder:
        for path in glob.glob(os.path.join(ROOT, "examples", "*.tmx")) if "console" in blocks else ():
            shutil.copy(path, folder)
        commands = []
        for kind in ("tmx", "ptx"):
            if kind in blocks:
                with open(os.path.join(folder, f"{section}.{kind}"), "w", encoding="utf-8") as file:
                    file.write(blocks[kind])
                tests = kind == "tmx" and re.search(r'^test "', blocks[kind], re.M)
                commands = [f"tmemc {'run' if kind == 'ptx' else 'test' if tests else 'check'} {section}.{kind}"]
                commands += [f"tmemc check {section}.tmx"] if tests and section == "right" else []
        if "console" in blocks:
            commands = [line[2:] for line in blocks["console"].splitlines() if line.startswith("$ ")]
        if not commands:
            return None, "", f"`{section}:` has nothing to run"
        try:
            done = subprocess.run(["bash", "-c", " &&\n".join(commands)], cwd=folder, capture_output=True, text=True, timeout=60,
                                  env=environment(tmemc, code, section), stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return None, "", "it did not end within 60 s"
        return done.returncode, done.stdout, done.stderr


def page_problem(tmemc, code, row):
    with open(os.path.join(PAGES, code + ".md"), encoding="utf-8") as file:
        text = file.read()
    lines = text.splitlines()
    problems = [title_problem(lines[0] if lines else "", code, *row)]
    if not SHORTEST <= len(lines) <= LONGEST:
        problems.append(f"{len(lines)} lines are not {SHORTEST} to {LONGEST}")
    problems += [f"line {n} has {len(line)} columns" for n, line in enumerate(lines, 1) if n > 1 and len(line) > WIDEST and n > 1]
    try:
        found = sections(text)
    except ValueError as why:
        return str(why)
    for section, blocks in found.items():
        status, out, err = run_section(tmemc, code, section, blocks)
        codes, wanted = SAID.findall(out + err), {code} if section == "wrong" else set()
        fails = section == "wrong" and row[0] == "error"
        if set(codes) != wanted or bool(status) != fails or status is None or (section == "right" and err):
            problems.append(f"{section}: exit {status}, {' '.join(codes) or 'no code'}\n{out}{err}")
        problems += [f"{section}: nothing printed `{line}`" for line in blocks.get("console", "").splitlines()
                     if not line.startswith("$ ") and line not in (out + err).splitlines()]
    return "\n".join(filter(None, problems)) or None


def command_problem(tmemc, codes):
    """What is wrong with the command itself: its names for a page, its lists, its colours and its refusals."""
    def said(*words, status=0):
        done = subprocess.run([tmemc, "explain", *words], capture_output=True, text=True, timeout=60)
        assert done.returncode == status, f"{words}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done.stderr if status else done.stdout

    try:
        titles = {}
        for code in codes:
            with open(os.path.join(PAGES, code + ".md"), encoding="utf-8") as file:
                page = file.read()
            assert said(code) == page, f"the binary has another page of {code}"
            titles[code] = re.fullmatch(r"# (TM\d{4}) (error|warning)(?: -W([\w-]+))?: (.*)", page.partition("\n")[0]).groups("")
        for word in ("tm0201", "Tm0201", "0201", "201"):
            assert said(word) == said("TM0201"), word
        assert said("empty-loop") == said("TM0232")
        wanted = [f"{code}  {'-W' + flag if flag else kind:<15} {what}" for code, kind, flag, what in titles.values()]
        assert said("--list").splitlines() == wanted, said("--list")
        listed = [tuple(each[key] for key in ("code", "severity", "flag", "title"))
                  for each in json.loads(said("--list", "--format=json"))]
        assert listed == list(titles.values()), listed
        colored = said("--color=always", "TM0201")
        assert "\x1b[1m# TM0201" in colored and re.sub(r"\x1b\[[0-9;]*m", "", colored) == said("TM0201"), colored
        for words, way_out in ((["TM0204"], "did you mean TM0203"), (["9999"], "did you mean TM0"), (["emty-loop"], "TM0232"),
                               (["TM02011"], "--list"), (["spade"], "--list"), ([""], "--list"), ([], "--list"),
                               (["--list", "TM0201"], "--list"), (["TM0201", "TM0202"], "one code")):
            complaint = said(*words, status=2)
            assert complaint.startswith("tmemc: error: ") and way_out in complaint, f"{words}: {complaint}"
    except AssertionError as why:
        return str(why)


def run_all(tmemc, only=None):
    """Yields (name, problem) for every page and for the command."""
    rows = catalogue()
    there = {os.path.basename(path)[:-3] for path in glob.glob(os.path.join(PAGES, "*.md"))}
    codes = sorted(rows.keys() | there)
    chosen = [code for code in codes if only is None or code.startswith(only)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def judge(code):
            if code not in there:
                return f"src/explain/pages/{code}.md is missing"
            if code not in rows:
                return "the catalogue has no such code"
            return page_problem(tmemc, code, rows[code])
        for code, problem in zip(chosen, pool.map(judge, chosen)):
            yield code, problem
    if only is None:
        yield "the command", command_problem(tmemc, sorted(rows.keys() & there))


if __name__ == "__main__": # python3 tests/explain.py build/tmemc [TM03]
    import sys
    failed = [f"{code}: {problem}" for code, problem in
              run_all(os.path.abspath(sys.argv[1]), *sys.argv[2:3]) if problem]
    print("\n".join(failed), f"\n{len(failed)} failed")
    sys.exit(bool(failed))
