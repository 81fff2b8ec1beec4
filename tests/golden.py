"""Golden files: a program, the command to run on it, and what it must say, in one file.

    // RUN: build %s --emit=ptx -o -
    kernel k() { }
    // EXIT: 1
    //> a line of standard output
    //! a line of standard error

Several RUN lines run one after the other; each block of expectations belongs to the RUN line of its number and stands
behind the program. %s is the file's own name; the command runs on the program alone in a folder that has the golden
file's sub-folders, so no message holds a path. A file named fail_* must exit non-zero, any other zero.
`// ENV: NAME=VALUE ...` sets variables, %build in a value being the build folder; no GPU is to be found but by these.
`// NEEDS: ptxas` skips a file where ptxas is missing, `ptxas_13.0` where it is another. GOLDEN_UPDATE=1
rewrites the expectations; read the diff.
"""
import difflib, os, re, shlex, subprocess, tempfile

EXPECTATION = re.compile(r"^//(>|!| EXIT:)")


def split(text):
    """The program with its RUN lines, and the expectations behind it."""
    lines = text.removesuffix("\n").split("\n")
    first = next((i for i, line in enumerate(lines) if EXPECTATION.match(line)), len(lines))
    return lines[:first], lines[first:]


def variables(tmemc, program):
    """The environment of a file's commands: nothing of tmemc's own but what its ENV lines say."""
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("TMEMC_", "FAKE_CUDA"))}
    given = {"NO_COLOR": "1", "TMEMC_CUDA_DRIVER": "none"}
    build = os.path.dirname(os.path.abspath(tmemc))
    for line in program:
        if line.startswith("// ENV:"):
            given |= dict(word.replace("%build", build).split("=", 1) for word in shlex.split(line.split(":", 1)[1]))
    return plain | given


def said(tmemc, path, program, command):
    """What the command says, run on the program alone (without its expectations) in a folder of its own."""
    folder, name = os.path.split(path)
    environment = variables(tmemc, program)
    with tempfile.TemporaryDirectory() as place:
        for beside in os.listdir(folder):
            if os.path.isdir(os.path.join(folder, beside)):
                os.symlink(os.path.join(folder, beside), os.path.join(place, beside))
        with open(os.path.join(place, name), "w", encoding="utf-8", errors="surrogateescape", newline="") as out:
            out.write("\n".join(program) + "\n")
        words = [name if word == "%s" else word for word in shlex.split(command)]
        done = subprocess.run([tmemc, *words], cwd=place, capture_output=True, timeout=60, env=environment,
                              stdin=subprocess.DEVNULL)
    lines = [f"// EXIT: {done.returncode}"]
    for mark, output in (("//> ", done.stdout), ("//! ", done.stderr)):
        lines += [f"{mark}{line}".rstrip() for line in output.decode(errors="surrogateescape").split("\n")[:-1]]
    return done.returncode, lines


def check(tmemc, path, update=False, tools=()):
    """None when the file holds, "skipped: ..." or the difference."""
    text = open(path, encoding="utf-8", errors="surrogateescape", newline="").read()
    program, wanted = split(text)
    commands = [line.split("RUN:", 1)[1].strip() for line in program if line.startswith("// RUN:")]
    if not commands:
        return "no RUN line"
    needs = [line.split("NEEDS:", 1)[1].strip() for line in program if line.startswith("// NEEDS:")]
    lacking = [need for need in needs if need not in tools]
    if lacking:
        return f"skipped: needs {', '.join(lacking)}"
    got = []
    for command in commands:
        status, lines = said(tmemc, path, program, command)
        got += lines
        if (status != 0) != os.path.basename(path).startswith("fail_"):
            return f"exit status {status} does not fit the file's name\n" + "\n".join(lines)
    if update:
        with open(path, "w", encoding="utf-8", errors="surrogateescape", newline="") as out:
            out.write("\n".join(program + got) + "\n")
        return None
    if got != wanted:
        return "\n".join(difflib.unified_diff(wanted, got, "expected", "said", lineterm=""))
    return None


def find(folder):
    return sorted(os.path.join(where, name) for where, _, names in os.walk(folder) for name in names
                  if name.endswith((".tmx", ".ptx")))
