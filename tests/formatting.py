"""`tmemc fmt` as a user meets it: files in place, standard output, --check, and the examples, which are formatted. What
the formatter does to a text is tested in unit/grammar/format_test.cpp."""
import glob, os

from commands import ROOT, Skip

UGLY = "const  W=8;// columns\nkernel k( ){\n\n sync ;}\n"
NICE = "const W = 8;  // columns\nkernel k() {\n  sync;\n}\n"
WRONG = "kernel k() { sync }\n"


def test_examples_are_formatted(here):
    """So that whoever copies one starts with the canonical form."""
    found = glob.glob(os.path.join(ROOT, "examples", "**", "*.tmx"), recursive=True)
    assert len(found) > 15
    said = here.run("fmt", "--check", *found)
    assert said.stdout == said.stderr == "", said


def test_a_file_is_formatted_in_place(here):
    """Whole, with its permissions and through a link; silently, and a formatted one is not touched."""
    here.write("x.tmx", UGLY)
    os.chmod(here.path("x.tmx"), 0o640)
    os.symlink("x.tmx", here.path("link.tmx"))
    said = here.run("fmt", "link.tmx")
    assert said.stdout == said.stderr == "" and here.read("x.tmx").decode() == NICE
    assert os.path.islink(here.path("link.tmx")) and os.stat(here.path("x.tmx")).st_mode & 0o7777 == 0o640
    before = os.stat(here.path("x.tmx"))
    here.run("fmt", "x.tmx")
    after = os.stat(here.path("x.tmx"))
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert sorted(os.listdir(here.folder)) == ["link.tmx", "x.tmx"]


def test_standard_input_goes_to_standard_output(here):
    """Also when it is formatted already."""
    for text in (UGLY, NICE):
        said = here.run("fmt", "-", stdin=text)
        assert (said.stdout, said.stderr) == (NICE, "")


def test_line_ends_and_marks_are_normalised(here):
    """CRLF, a byte-order mark, tabs, no line break at the end, blank lines around."""
    for text in (NICE.replace("\n", "\r\n"), "\ufeff" + NICE, NICE.replace("  ", "\t"), NICE.rstrip("\n"), "\n\n" + NICE + "\n"):
        here.write("x.tmx", text)
        here.run("fmt", "x.tmx")
        assert here.read("x.tmx").decode() == NICE, text


def test_check_names_what_would_change(here):
    """On standard output, one a line, with exit status 1; nothing is written."""
    for name, text in (("a.tmx", UGLY), ("b.tmx", NICE), ("c.tmx", UGLY)):
        here.write(name, text)
    said = here.run("fmt", "--check", "a.tmx", "b.tmx", "c.tmx", status=1)
    assert (said.stdout, said.stderr) == ("a.tmx\nc.tmx\n", "")
    assert here.read("a.tmx").decode() == UGLY
    assert here.run("fmt", "--check", "-", status=1, stdin=UGLY).stdout == "<stdin>\n"
    assert here.run("fmt", "b.tmx", "--check").stdout == ""


def test_a_file_with_mistakes_is_left_alone(here):
    """Its mistakes are shown as `check` shows them; the other files are formatted. Names need not be known."""
    here.write("wrong.tmx", WRONG)
    here.write("x.tmx", UGLY)
    here.write("unknown.tmx", "kernel k(){f();}")
    said = here.run("fmt", "wrong.tmx", "x.tmx", "unknown.tmx", status=1)
    assert said.stderr == here.run("check", "wrong.tmx", status=1).stderr and "TM01" in said.stderr, said
    assert here.read("wrong.tmx").decode() == WRONG and here.read("x.tmx").decode() == NICE
    assert here.read("unknown.tmx") == b"kernel k() {\n  f();\n}\n"
    said = here.run("fmt", "-", "--diagnostics=json", status=1, stdin=WRONG)
    assert said.stdout == "" and said.stderr.startswith("{")


def test_what_cannot_be_read_or_written(here):
    """Is exit status 2, behind which the other files are formatted all the same."""
    here.write("x.tmx", UGLY)
    here.run("fmt", "missing.tmx", "x.tmx", status=2)
    assert here.read("x.tmx").decode() == NICE
    here.write("k.ptx", ".version 8.6\n")
    assert "is PTX" in here.run("fmt", "k.ptx", status=2).stderr


def test_a_read_only_file_is_refused(here):
    """And stays as it is."""
    here.write("x.tmx", UGLY)
    os.chmod(here.path("x.tmx"), 0o440)
    if os.access(here.path("x.tmx"), os.W_OK):
        raise Skip("root may write what is read-only")
    said = here.run("fmt", "x.tmx", status=2).stderr
    assert "cannot write `x.tmx`" in said and here.read("x.tmx").decode() == UGLY
