"""What is made of the option table: the man page and the completions of three shells. The judge is `tmemc --help`, which
is made of it too, and the shells themselves: each completes ten command lines. The man page's lists of commands and
options are those of --help, word for word; GOLDEN_UPDATE=1 rewrites them."""
import os, pty, re, select, shutil, subprocess, time

from commands import ROOT, Skip

MANUAL = os.path.join(ROOT, "src", "cli", "tmemc.1.scd")


def entries(help_text, title):
    """[(left, right)] of a section of --help: the left column, and the right one on as many lines as it takes."""
    found = []
    for line in help_text[help_text.index(f"\n{title}"):].splitlines()[2:]:
        if not line.strip():
            break
        if line.startswith(" " * 30):
            found[-1][1] += " " + line.strip()
        else:
            left, _, right = line.strip().partition("  ")
            found.append([left, right.strip()])
    return [(left, right.strip()) for left, right in found]


def scdoc(text):
    return re.sub(r"([_*\\<#])", r"\\\1", text)


def definitions(rows, head):
    return "\n".join(f"{head(left)}\n\t{scdoc(right)}.\n" for left, right in rows)


def test_man_page_has_the_words_of_help(here):
    """Commands and options stand in the man page as --help has them."""
    said = here.run("--help").stdout
    commands = [row for row in entries(said, "Commands") if not row[0].startswith("--")]
    options = entries(said, "Options")
    assert len(commands) > 8 and len(options) > 40, (commands, options)
    lists = {"# COMMANDS": definitions(commands, lambda left: "*tmemc " + scdoc(left).replace(" ", "* ", 1)
                                       if " " in left else f"*tmemc {scdoc(left)}*"),
             "# OPTIONS": definitions(options, lambda left: ", ".join(f"*{scdoc(each)}*" for each in left.split(", ")))}
    with open(MANUAL, encoding="utf-8") as file:
        page = file.read()
    made = page
    for title, text in lists.items():
        made, count = re.subn(rf"(^{title}\n\n(?:An option.*\n\n)?)(?:\*.*\n(?:\t.*\n)+\n)+", lambda match: match[1] + text + "\n",
                              made, flags=re.M)
        assert count == 1, title
    if os.environ.get("GOLDEN_UPDATE") and made != page:
        with open(MANUAL, "w", encoding="utf-8") as file:
            file.write(made)
        page = made
    for ours, theirs in zip(page.splitlines(), made.splitlines()):
        assert ours == theirs, f"the man page says {ours!r}, and --help {theirs!r}; GOLDEN_UPDATE=1 rewrites it"
    assert page == made


def test_man_page_is_one(here):
    """scdoc takes the page, and every section that people look for is there."""
    if not shutil.which("scdoc"):
        raise Skip("no scdoc")
    with open(MANUAL, encoding="utf-8") as page:
        done = subprocess.run(["scdoc"], stdin=page, capture_output=True, text=True, timeout=20)
    assert done.returncode == 0 and not done.stderr, done.stderr
    for title in ("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"):
        assert re.search(rf'^\.SH "?{title}', done.stdout, re.M), title


# What is typed, and what must be and must not be among the completions. {} is a folder with the files below.
FILES = ["x.tmx", "x.ptx", "x.cubin", "notes.txt", "sub"]
LINES = [
    ("tmemc bui", ["build"], ["check", "x.tmx"]),
    ("tmemc ", ["check", "completions", "x.tmx"], ["notes.txt"]),
    ("tmemc build --ma", ["--max-message="], ["--map"]),
    ("tmemc build --tmem=so", ["--tmem=software"], ["--tmem=hardware"]),
    ("tmemc -arch=sm_103", ["-arch=sm_103a", "-arch=sm_103f"], ["-arch=sm_100a"]),
    ("tmemc build --emit=ptx,cu", ["--emit=ptx,cubin", "--emit=ptx,cuda"], ["--emit=ptx,ast"]),
    ("tmemc check x", ["x.tmx"], ["x.ptx", "notes.txt"]),
    ("tmemc run x.", ["x.tmx", "x.ptx", "x.cubin"], ["notes.txt"]),
    ("tmemc build -Wno-unus", ["-Wno-unused"], ["-Wno-wait"]),
    ("tmemc build x.tmx -o no", ["notes.txt"], ["x.tmx"]),
    ("tmemc layout --m", ["--map", "--max-message="], ["--emit="]),
    ("tmemc explain TM020", ["TM0201"], ["TM0301", "x.tmx"]),
    ("tmemc completions ", ["bash", "zsh", "fish"], ["x.tmx"]),
    ("tmemc doctor --ptxas=x", ["--ptxas=x.tmx", "--ptxas=x.ptx"], ["--ptxas=notes.txt"]),
]


def prepare(here):
    for name in FILES[:-1]:
        here.write(name, "")
    os.mkdir(here.path("sub"))


def judge(shell, complete):
    for line, wanted, unwanted in LINES:
        got = complete(line)
        missing = [each for each in wanted if each not in got]
        wrong = [each for each in unwanted if each in got]
        assert not missing and not wrong, f"{shell}: `{line}`: missing {missing}, wrong {wrong}, of {sorted(got)}"


def test_bash_completes(here):
    """In bash as it reads words, which takes them apart at =, and with = taken out of COMP_WORDBREAKS."""
    if not shutil.which("bash"):
        raise Skip("no bash")
    prepare(here)
    here.write("tmemc.bash", here.run("completions", "bash").stdout)

    def complete(line, apart):
        words = line.split(" ")
        if apart:
            words = [part for word in words for part in re.split("(=)", word) if part or word == ""]
        quoted = " ".join(f"'{word}'" for word in words)
        script = (f"set -u; source ./tmemc.bash; COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _tmemc tmemc; "
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "--norc", "-c", script], cwd=here.folder, capture_output=True, text=True, timeout=20)
        assert done.returncode == 0 and not done.stderr, (line, done.stderr)
        head = line.split(" ")[-1].partition("=")
        behind = apart and head[1]  # bash wants what stands behind the sign
        return {(head[0] + "=" if behind else "") + each for each in done.stdout.splitlines()}

    for apart in (True, False):
        judge("bash", lambda line: complete(line, apart))


def test_fish_completes(here):
    """`complete -C` says what fish would offer."""
    if not shutil.which("fish"):
        raise Skip("no fish")
    prepare(here)
    here.write("tmemc.fish", here.run("completions", "fish").stdout)
    environment = dict(os.environ, HOME=here.folder, XDG_CONFIG_HOME=here.folder, XDG_DATA_HOME=here.folder)

    def complete(line):
        done = subprocess.run(["fish", "--private", "-c", f"source tmemc.fish; complete -C '{line}'"], cwd=here.folder,
                              capture_output=True, text=True, timeout=20, env=environment)
        assert done.returncode == 0 and not done.stderr, (line, done.stderr)
        return {each.split("\t")[0] for each in done.stdout.splitlines()}

    judge("fish", complete)


def test_zsh_completes(here):
    """zsh in a terminal of its own; compadd is watched, because only a terminal sees what zsh offers."""
    if not shutil.which("zsh"):
        raise Skip("no zsh")
    prepare(here)
    os.mkdir(here.path("functions"))
    here.write("functions/_tmemc", here.run("completions", "zsh").stdout)
    here.write(".zshrc", """
        PROMPT= RPROMPT=
        fpath=($PWD/functions $fpath)
        autoload -Uz compinit && compinit -D -u
        unsetopt beep
        compadd() { # the words that match, with what stands before them, into the file
            local -a __found
            builtin compadd -O __found "$@"
            print -rl -- "$IPREFIX"${^__found} >> $PWD/offered
            builtin compadd "$@"
        }
        report() { zle complete-word; print done >> $PWD/offered; zle kill-whole-line }
        zle -N report
        bindkey '^T' report
        print ready >> $PWD/offered
    """)
    lines = []
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(here.folder)
        os.execve(shutil.which("zsh"), ["zsh", "-i"], dict(os.environ, ZDOTDIR=here.folder, HOME=here.folder, TERM="dumb"))

    def wait_for(word):
        """The lines offered up to the word."""
        end = time.time() + 20
        while time.time() < end:
            if select.select([terminal], [], [], 0.02)[0]:
                os.read(terminal, 65536)
            text = here.read("offered").decode() if os.path.exists(here.path("offered")) else ""
            if text.endswith(word + "\n"):
                os.remove(here.path("offered"))
                return text.splitlines()[:-1]
        raise AssertionError(f"zsh: no {word} after {text!r}")

    def complete(line):
        os.write(terminal, line.encode() + b"\x14")
        return set(wait_for("done"))

    try:
        wait_for("ready")
        judge("zsh", complete)
    finally:
        os.close(terminal)
        os.kill(pid, 9)
        os.waitpid(pid, 0)


def test_values_that_mean_nothing_are_refused(here):
    """Empty, negative, doubled, beside a comma: exit status 2, the option and what it takes are named, and nothing is made."""
    roundtrip = os.path.join(ROOT, "examples", "roundtrip.tmx")
    run = ["run", roundtrip, "A=iota", "--expect", "B=A"]
    cases = [(["build", roundtrip, "--emit=ptx", *words], said) for words, said in (
        (["-ferror-limit=-1"], "-ferror-limit takes a number from 0"), (["--max-message=-1"], "--max-message takes"),
        (["--auto-wait=3"], "--auto-wait takes no value"), (["--auto-wait=false"], "--auto-wait takes no value"))]
    cases += [(["build", roundtrip, *words], said) for words, said in (
        (["--emit=ptx,"], "beside a comma"), (["--emit=,ptx"], "beside a comma"), (["--emit", "ptx,,plan"], "beside a comma"),
        (["-arch=sm_100a,"], "beside a comma"), (["-arch", "sm_100a,"], "beside a comma"), (["--target=,sm_100a"], "beside a comma"),
        (["--emit=ptx=a,ptx=b"], "--emit asks for ptx twice"), (["--emit=plan", "--emit=plan=b"], "--emit asks for plan twice"))]
    cases += [([*run, words], said) for words, said in (
        ("--rtol=-1", "--rtol takes a number from 0 up"), ("--rtol=nan", "--rtol takes"), ("--atol=inf", "--atol takes"),
        ("--atol=-0.5", "--atol takes"))]
    cases += [(["--version", "x"], "--version takes no `x`"), (["--version", "--nope"], "--version takes no `--nope`"),
              (["fmt", "-", "-"], "standard input can be read once"), (["check", "-", "-"], "standard input can be read once"),
              (["report", roundtrip, "-o", "q.svg"], "the suffix of `q.svg`"),
              (["report", roundtrip, "-o", "q.cubin"], "the suffix of `q.cubin`")]
    for words, said in cases:
        done = here.run(*words, status=2)
        assert said in done.stderr and not done.stdout, (words, done.stderr)
    # Every option that takes a value takes no empty one, and says so by name.
    valued = {left for each in re.findall(r"^  (-\S.*?)(?:  |$)", here.run("build", "--help").stdout, re.M) for left in each.split(", ")}
    valued = [each for each in valued if re.match(r"-[^ =]+[ =][A-Zm]", each)]
    assert len(valued) > 12, valued
    for each in valued:
        name = re.split("[ =]", each)[0]
        attached = [[f"{name}="]] if each[len(name)] == "=" else []
        apart = [[name, ""]] if each[len(name)] == " " or name.startswith("--") else []
        for words in attached + apart:
            done = here.run("build", roundtrip, *words, status=2)
            assert re.search(rf"error: ({name}|-arch)(= has nothing behind| takes a value, and here it is empty)", done.stderr), (words, done.stderr)
    assert not os.listdir(here.folder), os.listdir(here.folder)
    # What is near to those and means something.
    for words in (["--emit=ptx,plan"], ["--emit=ptx", "--emit=plan"], ["--emit=layout=a.svg,layout=b.html"], ["--emit=ptx", "-ferror-limit=0"]):
        here.run("build", roundtrip, *words)
    here.run(*run, "--rtol=0", "--atol=1e-3")


def test_help_of_a_command_has_what_means_something_there(here):
    """check calls no ptxas and prints nothing of the PTX; both take what build takes all the same, so that one list of flags serves."""
    def listed(verb):
        return {left for each in re.findall(r"^  (-\S.*?)(?:  |$)", here.run(verb, "--help").stdout, re.M) for left in each.split(", ")}
    roundtrip = os.path.join(ROOT, "examples", "roundtrip.tmx")
    silent = {"check": {"-g", "-lineinfo", "--ptxas=PATH", "-###", "--no-comments"}, "layout": {"-g", "--no-verify", "-v", "--ptxas=PATH"},
              "test": {"-v", "-###", "--no-comments"}, "build": {"--map", "--on=WHERE", "--format=FORM"}}
    for verb, words in silent.items():
        assert not listed(verb) & words, (verb, listed(verb) & words)
        for word in words - {"-###"} if verb != "build" else ():
            here.run(verb, roundtrip, word.split("=")[0] + "=none" if "=" in word else word)
    assert {"-g", "--ptxas=PATH", "-###", "--no-comments", "-v"} <= listed("build") and {"-g", "-###"} <= listed("report")
    here.run("build", roundtrip, "--emit=ptx", "--format=json", status=2)
