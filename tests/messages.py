"""Messages: what every golden program says, as JSON held to its schema and beside the text; carets under what they
speak of, whatever stands before it on the line; colours, limits, the warning options; pictures of refusals. Widths of
characters come from Python's Unicode tables here, so that the compiler's own table is not its judge."""
import collections, json, os, pty, random, re, shlex, subprocess, tempfile, unicodedata
import xml.etree.ElementTree as xml

import golden, json_schema
from commands import ROOT

GOLDEN = os.path.join(ROOT, "tests", "golden")
FIRST_LINE = re.compile(r"^([^\s:]+):(\d+):(\d+): (error|warning)\[(TM\d{4})\]: (.*)$")
WARNING = """kernel k(in A: f32[128, 8], out B: f32[128, 8]) {
  frag X: f32[128, 8];
  frag Y: f32[128, 8];
  copy X <- A;
  wait ld;
  copy B <- X;
}
"""
REFUSED = """kernel k(out B: f32[128, 64]) {
  tmem T: f32[64, 64] datapath F;
  frag Y: f32[128, 64] atom 16x256b;
  copy_async Y <- T;
  wait ld;
  copy B <- Y;
}
"""


def schema():
    with open(os.path.join(ROOT, "src", "base", "diagnostic.schema.json"), encoding="utf-8") as file:
        return json.load(file)


def golden_messages(here):
    """(path, program, text lines, JSON lines) of every command of a golden program that can speak both."""
    for path in golden.find(GOLDEN):
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as file:
            program, _ = golden.split(file.read())
        for line in program:
            if not line.startswith("// RUN:") or any(each.startswith("// NEEDS:") for each in program):
                continue
            command = line.split("RUN:", 1)[1].strip()
            if shlex.split(command)[0] not in ("check", "build", "run", "test") or "--diagnostics" in command:
                continue
            said = []
            for extra in ("", " --diagnostics=json"):
                _, lines = golden.said(here.tmemc, path, program, command + extra)
                said.append([each.removeprefix("//!").removeprefix(" ") for each in lines if each.startswith("//!")])
            yield path, program, said[0], said[1]


def utf16(text):
    return len(text.encode("utf-16-le", errors="surrogatepass")) // 2


def test_json_of_golden_programs(here):
    """Each line is what the schema says, and says what the text says at the same place."""
    known, count = schema(), 0
    for path, program, text, lines in golden_messages(here):
        name = os.path.basename(path)
        found = [json.loads(line) for line in lines]
        for each in found:
            problems = json_schema.problems(each, known)
            assert not problems, f"{path}: {problems}\n{each}"
        heads = [match.groups() for match in map(FIRST_LINE.match, text) if match and match[1] == name]
        placed = [each for each in found if each["file"] == name and re.search(
            rf"^{re.escape(name)}:\d+:\d+: \w+\[{each['code']}\]", "\n".join(text), re.M)]
        assert len(heads) == len(placed), f"{path}: {len(heads)} in text, {len(placed)} in JSON"
        for (_, line, column, severity, code, message), each in zip(heads, placed):
            start = each["range"]["start"]
            assert (start["line"] + 1, each["code"]) == (int(line), code), f"{path}: {line} {code} {each}"
            assert severity == {1: "error", 2: "warning"}[each["severity"]], f"{path}: {each}"
            source = program[int(line) - 1].lstrip("\ufeff") if int(line) <= len(program) else ""
            if not re.search(r"[\udc80-\udcff]", source):  # what is no UTF-8 counts as it likes
                assert start["character"] == utf16(source[:int(column) - 1]), f"{path}:{line}: {each}"
            flag = each["data"].get("flag")
            assert ("[-W" in message) == (flag is not None), f"{path}: {message}"
            count += 1
    assert count > 300, count


def test_json_of_what_has_no_place(here):
    """What the command line says of itself, of files and of runs is JSON by the schema too, with the words of the text."""
    here.write("refused.tmx", REFUSED)
    here.write("short.npy", b"\x93NUMPY")
    roundtrip = os.path.join(ROOT, "examples", "roundtrip.tmx")
    lines = (["build", "nowhere.tmx"], ["build", roundtrip, "--nope"], ["bild", roundtrip], ["check"], ["fmt", "nowhere.tmx"],
             ["build", roundtrip, "-o", "no/folder/x.ptx"], ["build", roundtrip, "--emit=ptx,plan", "-o", "x"],
             ["build", roundtrip, "-o", roundtrip], ["build", roundtrip, "-###", "-o", "x.cubin"],
             ["build", roundtrip, "--emit=ptx", "-v"], ["check", roundtrip, "-v"], ["test", "nowhere"],
             ["run", roundtrip], ["run", roundtrip, "A=iota", "-v"], ["run", roundtrip, "A=iota", "--expect", "B=zeros"],
             ["run", roundtrip, "A=@short.npy"], ["run", roundtrip, "nobody", "A=iota"], ["run", roundtrip, "A=what"],
             ["run", roundtrip, "A=iota", "--print", "Q"], ["run", roundtrip, "A=iota", "--on=gpu"],
             ["layout", roundtrip, "Q"], ["layout", roundtrip, "--kernel", "Q"], ["report", roundtrip, "--format=svg"],
             ["report", roundtrip, "--baseline=nowhere.json"], ["check", "refused.tmx", "--explain-svg=no/x.svg"])
    verbs, known = collections.Counter(), schema()
    environment = {**os.environ, "TMEMC_CUDA_DRIVER": "none"}
    for words in lines:
        text, said = (subprocess.run([here.tmemc, *words, *more], cwd=here.folder, capture_output=True, text=True,
                                     timeout=60, env=environment) for more in ([], ["--diagnostics=json"]))
        assert text.returncode == said.returncode and text.stderr, f"{words}: {text} {said}"
        for line in said.stderr.splitlines():
            each = json.loads(line)
            problems = json_schema.problems(each, known)
            assert not problems, f"{words}: {problems}\n{each}"
            for part in (*each["message"].splitlines(), *each["data"]["notes"]):
                part = re.sub(r"[0-9.]+ s$", "", part)  # the time that a run took
                assert part in text.stderr, f"{words}: {part} is not in\n{text.stderr}"
            assert each["severity"] == (3 if words[-1] in ("-v", "-###", "x.cubin") else 1), f"{words}: {each}"
        verbs[words[0]] += 1
    print("command lines:", *(f"{verb} {n}" for verb, n in sorted(verbs.items())))


def test_schema_refuses(here):
    """The schema is no rubber stamp."""
    here.write("refused.tmx", REFUSED)
    line = json.loads(here.run("check", "refused.tmx", "--diagnostics=json", status=1).stderr.splitlines()[0])
    assert not json_schema.problems(line, schema()) and line["data"]["picture"]["heads"][0] == "warp 0"
    for change in (lambda d: d.update(severity=4), lambda d: d.pop("range"), lambda d: d.update(more=1),
                   lambda d: d["range"]["start"].update(line=-1), lambda d: d.update(code="E12"),
                   lambda d: d["data"]["picture"]["rows"].pop(), lambda d: d["data"].pop("helps")):
        wrong = json.loads(json.dumps(line))
        change(wrong)
        assert json_schema.problems(wrong, schema())


def width(text):
    columns = 0
    for c in text:
        if c == "\t":
            columns += 4 - columns % 4
        elif unicodedata.category(c) not in ("Mn", "Me", "Cf"):
            columns += 2 if unicodedata.east_asian_width(c) in "WF" else 1
    return columns


def test_carets_stand_under_words(here):
    """Behind tabs, wide and combining characters too: drawn comments in front of a name that nobody knows."""
    rng = random.Random(3)
    classes = {"tab": "\t", "CJK": "漢字かなハングル한글", "emoji": "🙂🚀🧪", "combining": "e\u0301o\u0308a\u0303",
               "fullwidth": "ＡＢ！", "Latin": "xyz éß", "Greek": "αβγ"}
    drawn = collections.Counter()
    lines = ["kernel k(in A: f32[128, 8]) {", "  frag X: f32[128, 8];"]
    for _ in range(40):
        kinds = rng.choices(sorted(classes), k=3)
        drawn.update(kinds)
        comment = "".join(rng.choice(classes[kind]) if kind != "combining" else classes[kind] for kind in kinds)
        lines.append(f"  /* {comment} */ copy X <- nobody{len(lines):02};")
    here.write("wide.tmx", "\n".join(lines + ["}"]) + "\n")
    said = here.run("check", "wide.tmx", "-ferror-limit=0", status=1).stderr.splitlines()
    seen = 0
    for i, line in enumerate(said):
        match = FIRST_LINE.match(line)
        if not match or match[5] != "TM0201":
            continue
        source = lines[int(match[2]) - 1]
        assert int(match[3]) == source.index("nobody") + 1, line
        before = width(source[:source.index("nobody")])
        code, marks = said[i + 1].split(" | ", 1)[1], said[i + 2].split(" | ", 1)[1]
        assert marks == " " * before + "^" * 8, f"{source!r}\n{said[i + 1]}\n{said[i + 2]}"
        assert width(code[:code.index("nobody")]) == before, code
        seen += 1
    assert seen == 40, seen
    print("  characters drawn: " + ", ".join(f"{kind} {drawn[kind]}" for kind in classes))
    assert all(drawn[kind] for kind in classes)


def on_a_terminal(here, *words, **environment):
    """What a command writes to a terminal for standard error."""
    ours, theirs = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    process = subprocess.Popen([here.tmemc, *words], cwd=here.folder, stdout=subprocess.DEVNULL, stderr=theirs,
                               stdin=subprocess.DEVNULL, env={**plain, **environment})
    os.close(theirs)
    text = b""
    while True:
        try:
            block = os.read(ours, 65536)
        except OSError:
            break
        if not block:
            break
        text += block
    process.wait()
    os.close(ours)
    return text.decode()


def test_colours(here):
    """On a terminal, and when asked for; not in a pipe, under NO_COLOR or in JSON. They change no letter."""
    here.write("refused.tmx", REFUSED)
    plain = here.run("check", "refused.tmx", status=1).stderr
    always = here.run("check", "refused.tmx", "--color=always", status=1).stderr
    assert "\x1b" not in plain and "\x1b[1;31m" in always
    assert re.sub(r"\x1b\[[\d;]*m", "", always) == plain
    assert "\x1b[" in on_a_terminal(here, "check", "refused.tmx")
    assert "\x1b[" not in on_a_terminal(here, "check", "refused.tmx", NO_COLOR="1")
    assert "\x1b[" in on_a_terminal(here, "check", "refused.tmx", NO_COLOR="")
    assert "\x1b[" not in on_a_terminal(here, "check", "refused.tmx", "--color=never")
    assert "\x1b" not in here.run("check", "refused.tmx", "--color=always", "--diagnostics=json", status=1).stderr


def test_error_limit(here):
    """So many errors, and how many are left out."""
    here.write("many.tmx", "kernel k() {\n" + "".join(f"  copy X{i} <- A;\n" for i in range(30)) + "}\n")
    for limit, shown in (("1", 1), ("7", 7), ("0", None), ("1000", None)):
        said = here.run("check", "many.tmx", f"-ferror-limit={limit}", status=1).stderr
        errors = len(re.findall(r"error\[", said))
        everything = len(re.findall(r"error\[", here.run("check", "many.tmx", "-ferror-limit=0", status=1).stderr))
        assert errors == (shown or everything), (limit, errors)
        assert (f"{everything - errors} more errors are not shown" in said) == (shown is not None), said
    here.run("check", "many.tmx", "-ferror-limit=x", status=2)


def test_warning_options(here):
    """-Wall -Wno-NAME -Werror[=NAME] -w; the name stands in the first line."""
    here.write("warn.tmx", WARNING)

    def said(*words, status=0):
        return [FIRST_LINE.match(line).group(4, 6) for line in here.run("check", "warn.tmx", *words,
                status=status).stderr.splitlines() if FIRST_LINE.match(line)]

    both = said()
    assert len(both) == 2 and [kind for kind, _ in both] == ["warning"] * 2, both
    names = sorted(re.search(r"\[-W([\w-]+)\]$", message)[1] for _, message in both)
    assert names == ["unused", "useless-wait"], names
    assert said("-Wall") == both
    assert said("-w") == said("-w", "-Wall") == said("-w", "-Werror") == []
    assert len(said("-Wno-unused")) == 1 and said("-Wno-unused", "-Wno-useless-wait") == []
    assert [kind for kind, _ in said("-Werror", status=1)] == ["error", "error"]
    assert sorted(said("-Werror=unused", status=1))[0][1].endswith("[-Werror=unused]")
    assert [kind for kind, _ in said("-Werror=unused", status=1)].count("warning") == 1
    assert len(said("-Wno-unused", "-Werror", status=1)) == 1
    assert said("-Wno-unused", "-Werror=unused") == said("-Wno-unused")
    for wrong in ("-Wno-unusd", "-Werror=nothing", "-Wnothing"):
        here.run("check", "warn.tmx", wrong, status=2)


def pictures(text):
    """The three lines of each picture in a message."""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if re.match(r"^      \S.* \| ", line) and not re.match(r"^      \S.* \| ", lines[i - 1]):
            yield lines[i:i + 3]


def test_pictures_of_refusals(here):
    """Aligned, at most 80 columns, after the notes and before the help; all golden programs."""
    count = 0
    for path, _, text, _ in golden_messages(here):
        for lines in pictures("\n".join(text)):
            bars = [[k for k, c in enumerate(line) if c == "|"] for line in lines]
            assert len(lines) == 3 and all(each == bars[0][:len(each)] for each in bars), f"{path}\n" + "\n".join(lines)
            assert all(width(line) <= 80 for line in lines), lines
            behind = text[text.index(lines[2]) + 1:][:1]
            assert not behind or not behind[0].startswith("  note:") or "iteration" in behind[0], (path, behind)
            count += 1
    assert count >= 10, count


def test_explain_svg(here):
    """The picture as a file, whole or not at all; no refusal, no file."""
    here.write("refused.tmx", REFUSED)
    here.write("fine.tmx", WARNING)
    for verb in (["build"], ["check"], ["run"]):
        here.run(*verb, "refused.tmx", "--explain-svg=why.svg", status=1)
        svg = xml.fromstring(here.read("why.svg"))
        texts = [each.text for each in svg.iter("{http://www.w3.org/2000/svg}text")]
        assert {"row 16, col 0", "warp 0", "warp 1", "thread 0", "lane 32"} <= set(texts), texts
        assert "prefers-color-scheme: dark" in here.read("why.svg").decode()
        os.remove(here.path("why.svg"))
    for how, said in (((), ""), (("-v",), "no copy was refused"), (("-v", "-q"), "")):
        done = here.run("check", "fine.tmx", "-w", *how, "--explain-svg=why.svg")
        assert said in done.stderr and (said or not done.stderr) and not os.path.exists(here.path("why.svg")), done
    here.run("check", "refused.tmx", "--explain-svg=absent/why.svg", status=2)
    assert not os.path.exists(here.path("absent"))
    here.run("check", "refused.tmx", "--explain-svg=", status=2)


def test_golden_mistakes(here):
    """The files of golden/mistakes have eight mistakes each, or more, and are told of these lines alone."""
    folder = os.path.join(GOLDEN, "mistakes")
    names = sorted(os.listdir(folder))
    assert len(names) >= 12, names
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            program, _ = golden.split(file.read())
        marked = {i + 1 for i, line in enumerate(program) if line.endswith("// mistake")}
        here.write(name, "\n".join(program) + "\n")
        verb = program[0].split()[2]
        done = subprocess.run([here.tmemc, verb, name, "-w", "--diagnostics=json", "-ferror-limit=0"], cwd=here.folder,
                              capture_output=True, text=True, check=False)
        found = [json.loads(line)["range"]["start"]["line"] + 1 for line in done.stderr.splitlines()]
        assert len(marked) >= 8 and sorted(found) == sorted(marked), f"{name}: marked {marked}, reported {found}"


def test_tests_of_a_file_with_errors(here):
    """Such a file counts as one failure, and what is wrong with a kernel is said once however many tests run it."""
    here.write("broken.tmx", "kernel k( {\n}\n")
    done = here.run("test", "broken.tmx", status=1)
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped", done.stdout
    assert len(re.findall(r"error\[", done.stderr)) == 1, done.stderr
    tests = "".join(f'test "{i}" {{\n  run k;\n  expect B == 0.0;\n}}\n' for i in range(3))
    here.write("refused.tmx", REFUSED + tests)
    done = here.run("test", "refused.tmx", status=4)
    assert "0 passed, 3 failed" in done.stdout, done.stdout
    assert len(re.findall(r"error\[", done.stderr)) == 1, done.stderr


def test_limits_of_statements_and_calls(here):
    """Expressions of more than a million words and towers of 3,000 functions are told so, soon."""
    here.write("long.tmx", "const N = 1" + " + 1" * 600_000 + ";\n")
    said = here.run("check", "long.tmx", "--diagnostics=json", status=1).stderr
    assert json.loads(said)["code"] == "TM0111", said[:500]
    for order in (range(3000), reversed(range(3000))):
        text = "".join(f"function g{i}(tmem T: f32[128, 8], frag_: f32) {{\n  " +
                       (f"g{i + 1}(T, frag_);" if i < 2999 else "wait ld;") + "\n}\n" for i in order)
        here.write("tower.tmx", text)
        found = [json.loads(line)["code"] for line in
                 here.run("check", "tower.tmx", "-w", "--diagnostics=json", status=1).stderr.splitlines()]
        assert found == ["TM0298"], found[:5]


def test_doctor_as_json(here):
    """Findings, what works and what to install, in one object."""
    environment = {**os.environ, "TMEMC_CUDA_DRIVER": "none"}
    done = subprocess.run([here.tmemc, "doctor", "--format=json"], capture_output=True, text=True, env=environment,
                          check=False)
    found = json.loads(done.stdout)
    assert found["schema"] == 1 and found["findings"][0]["what"] == "tmemc" and found["works"], found
    assert all(set(each) == {"what", "how"} for each in found["install"]), found


def test_two_outputs_of_one_name(here):
    """However the name is spelled."""
    here.write("fine.tmx", WARNING)
    done = here.run("build", "fine.tmx", "-w", "--emit=ptx=a,plan=./a", status=2)
    assert "two outputs" in done.stderr and not os.path.exists(here.path("a")), done.stderr


def test_a_test_without_its_title(here):
    """Hides no other mistake of the file: the block is read as one with a title."""
    mistake = "kernel k(in A: f32[128, 8]) {\n  copy Q <- A;\n}\n"
    for head in ("test", "test 3", "test title"):
        here.write("titles.tmx", f"{head} {{\n  A = iota;\n  run k;\n}}\n{mistake}")
        said = here.run("check", "titles.tmx", status=1).stderr
        assert "titles.tmx:1:" in said and "titles.tmx:6:" in said and "`Q`" in said, (head, said)
