"""The colours of editors (grammar/editors) against the compiler's tables and the examples, and .editorconfig against the
files. TextMate.of runs a grammar as
VS Code does, for the part of Oniguruma that Python's `re` shares: the first match on the line wins, of several at one
place the one listed first, and a begin/end pair holds until its end. Vim itself is asked where it is installed. What a
word is, both are told by a tokenizer of the test's own."""
import glob, json, os, re, shutil, subprocess

from commands import ROOT, Skip

EDITORS = os.path.join(ROOT, "grammar", "editors")
EXAMPLES = sorted(glob.glob(os.path.join(ROOT, "examples", "**", "*.tmx"), recursive=True))


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as file:
        return file.read()


def table(name):
    """The words of a table in grammar/tokens.hpp."""
    found = re.search(rf"\b{name} =\s*(?:std::)?to_array<std::string_view>\(\{{(.*?)\}}\)", read("grammar", "tokens.hpp"), re.S)
    return re.findall(r'"([^"]+)"', found.group(1))


KEYWORDS = table("keywords")
ATOMS = table("atoms")
DTYPES = re.findall(r"^TMEMC_DTYPE\((\w+),", read("src", "base", "dtypes.def"), re.M)

TOKEN = re.compile(r"""(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<string>"(?:\\.|[^"\\\n])*")|(?P<atom>""" + "|".join(ATOMS) + r""")\b
    |(?P<word>[A-Za-z_]\w*)|(?P<number>0[xb]\w+|\d+\.(?!\.)\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|\d+(?:[eE][-+]?\d+|[\d_]*))
    |(?P<symbol><-|\+:|\.\.|[<>=!~]=|[^\s\w])""", re.S | re.X)


def tokens(text):
    """(kind, text, line, column) of every token and comment, lines and columns from 0; a word says what it is."""
    for found in TOKEN.finditer(text):
        kind, word = found.lastgroup, found.group()
        if kind == "word":
            kind = "keyword" if word in KEYWORDS else "dtype" if word in DTYPES else "name"
        before = text[:found.start()]
        yield kind, word, before.count("\n"), len(before) - (before.rfind("\n") + 1)


class TextMate:
    def __init__(self, grammar):
        self.grammar = grammar

    def rules(self, patterns):
        """The patterns with what they include."""
        for pattern in patterns:
            if "include" in pattern:
                yield from self.rules(self.grammar["repository"][pattern["include"].removeprefix("#")]["patterns"])
            elif "match" in pattern or "begin" in pattern:
                yield pattern
            else:
                yield from self.rules(pattern["patterns"])

    def scopes(self, text):
        """For each line a list of the innermost scope of each character, "" where there is none."""
        stack, lines = [], []
        for line in text.split("\n"):
            scopes, at = [""] * len(line), 0
            while at <= len(line):
                ends = stack[-1] if stack else None
                best, chosen = None, None
                if ends:
                    best = re.compile(ends["end"]).search(line, at)
                for rule in self.rules(ends.get("patterns", []) if ends else self.grammar["patterns"]):
                    found = re.compile(rule.get("match") or rule["begin"]).search(line, at)
                    if found and (best is None or found.start() < best.start()):
                        best, chosen = found, rule
                upto = best.start() if best else len(line)
                if ends:
                    scopes[at:upto] = [ends["name"]] * (upto - at)
                if not best:
                    break
                name = (chosen or ends).get("name", "")
                scopes[best.start():best.end()] = [name] * (best.end() - best.start())
                for number, capture in (chosen or {}).get("captures", {}).items():
                    begin, end = best.span(int(number))
                    scopes[begin:end] = [capture["name"]] * (end - begin)
                if chosen is None:
                    stack.pop()
                elif "begin" in chosen:
                    stack.append(chosen)
                elif best.end() == best.start():
                    raise AssertionError(f"{chosen} matches nothing")
                at = best.end()
                if best.end() == len(line) and chosen is None:
                    break
            lines.append(scopes)
        return lines

    def scope_of(self, text, word, nth=0):
        place = -1
        for _ in range(nth + 1):
            place = text.index(word, place + 1)
        found = set(self.scopes(text)[0][place:place + len(word)])
        assert len(found) == 1, f"{word} of {text}: {found}"
        return found.pop().removesuffix(".tmx")


def textmate():
    return TextMate(json.loads(read("grammar", "editors", "vscode", "syntaxes", "tmx.tmLanguage.json")))


KINDS = { # kind of token: (scopes of VS Code, groups of Vim)
    "comment": (r"comment\.", r"tmxComment|tmxTodo"),
    "string": (r"string\.|constant\.character", r"tmxString|tmxEscape"),
    "atom": (r"constant\.language\.atom", r"tmxAtom"),
    "keyword": (r"keyword\.(declaration|other\.statement|control)|storage\.modifier", r"tmx(Declaration|Statement|Control|Modifier)"),
    "dtype": (r"storage\.type", r"tmxType"),
    "name": (r"variable\.|entity\.|support\.|constant\.(language\.(axis|datapath)|other\.code)|keyword\.(control\.outcome|other\.tolerance)",
             r"|tmx(Function|Generator|Name|Cta|Axis|Outcome|Tolerance)"),
    "number": (r"constant\.numeric\.", r"tmx(Number|Float)"),
    "symbol": (r"keyword\.operator|punctuation|variable\.language", r"|tmx(Operator|Cta)"),
}


def test_the_grammar_of_vs_code_knows_every_word(here):
    """Every keyword, dtype and atom alone has its scope; words that are free, and words that only contain one, are names."""
    grammar = textmate()
    assert len(KEYWORDS) == 40 and len(DTYPES) == 15 and len(ATOMS) == 5, (KEYWORDS, DTYPES, ATOMS)
    for kind, words in (("keyword", KEYWORDS), ("dtype", DTYPES), ("atom", ATOMS)):
        for word in words:
            scope = grammar.scope_of(f" {word};", word)
            assert re.match(KINDS[kind][0], scope), f"{word}: {scope}"
    for word in table("free_words") + table("axes") + [word + "_" for word in KEYWORDS] + ["x" + word for word in DTYPES]:
        assert grammar.scope_of(f"({word},", word) == "variable.other", word


def test_the_grammar_of_vs_code_in_chosen_places(here):
    """Names of kernels, datapaths, axes, functions, generators, codes; numbers of each kind; what looks like a comment."""
    grammar = textmate()
    for line, word, scope in (
            ("kernel kernels(in A: f32[1]) {", "kernels", "entity.name.function"),
            ("  run kernels;", "kernels", "entity.name.function"),
            ("tmem T: f16[64, 8] datapath F sub_slab 1;", "F", "constant.language.datapath"),
            ("frag X: f32[8] layout S[8 : 1@laneid];", "laneid", "constant.language.axis"),
            ("Y = max(max, 1.0);", "max", "support.function"),
            ("Y = cast<f32>(X);", "cast", "support.function"),
            ("A = random(seed: 1);", "random", "support.function.generator"),
            ("let r = cta.x*128;", "cta.x", "variable.language.cta"),
            ("expect fault TM0703;", "TM0703", "constant.other.code"),
            ("expect B ~= A rtol 1e-3;", "rtol", "keyword.other.tolerance"),
            ("expect B ~= A rtol 1e-3;", "1e-3", "constant.numeric.float"),
            ("for i in 0..8 {", "0", "constant.numeric.integer"),
            ("for i in 0..8 {", "..", "keyword.operator.range"),
            ("let a = 0x1f_2 + 0b1_1;", "0x1f_2", "constant.numeric.hex"),
            ("let a = 0x1f_2 + 0b1_1;", "0b1_1", "constant.numeric.binary"),
            ("X = .5 * 2.;", ".5", "constant.numeric.float"),
            ("X = .5 * 2.;", "2.", "constant.numeric.float"),
            ("copy X <- A[:, 0 +: 8];", "<-", "keyword.operator.copy"),
            ("copy X <- A[:, 0 +: 8];", "+:", "keyword.operator.range"),
            ('test "no // comment" { }', "no // comment", "string.quoted.double"),
            ('test "a \\" b" { }', '\\"', "constant.character.escape"),
            ("sync; // wait", "// wait", "comment.line.double-slash"),
            ("sync /* in */ ;", "/* in */", "comment.block"),
            ("sync /* in */ ;", ";", "punctuation.terminator")):
        assert grammar.scope_of(line, word) == scope, f"{word} of {line}: {grammar.scope_of(line, word)}"
    assert grammar.scope_of("Y = max(max, 1.0);", "max", 1) == "variable.other"
    two = grammar.scopes("/* a\nkernel */ sync")
    assert set(two[1][:9]) == {"comment.block.tmx"} and two[1][-1] == "keyword.other.statement.tmx"


def test_the_grammar_of_vs_code_on_the_examples(here):
    """Every token of every example has a scope of its kind, and all kinds occur."""
    grammar, seen = textmate(), set()
    for path in EXAMPLES:
        text = read(path)
        scopes = grammar.scopes(text)
        for kind, word, line, column in tokens(text):
            seen.add(kind)
            first = word.split("\n")[0]
            for scope in scopes[line][column:column + len(first)]:
                assert re.match(KINDS[kind][0], scope), f"{path}:{line + 1}: {word} is {scope or 'nothing'}"
    assert seen == set(KINDS), seen


def test_the_files_of_vs_code(here):
    """Are JSON, and name files that are there."""
    folder = os.path.join(EDITORS, "vscode")
    package = json.loads(read(folder, "package.json"))
    json.loads(read(folder, "language-configuration.json"))
    for entry in (package["contributes"]["grammars"][0]["path"], package["contributes"]["languages"][0]["configuration"]):
        assert os.path.exists(os.path.join(folder, entry)), entry
    assert package["contributes"]["grammars"][0]["scopeName"] == textmate().grammar["scopeName"]


def test_the_words_of_vim(here):
    """Its lists hold the compiler's keywords, dtypes and atoms, each once, and no other word."""
    lists = {}
    for group, words in re.findall(r"^syn keyword (\w+) (?!contained)(.*)$", read(EDITORS, "vim", "syntax", "tmx.vim"), re.M):
        lists.setdefault(group, []).extend(words.split())
    assert sorted(lists.pop("tmxType")) == sorted(DTYPES)
    assert sorted(lists.pop("tmxAtom")) == sorted(ATOMS)
    assert sorted(sum(lists.values(), [])) == sorted(KEYWORDS)


VIM = """set nocompatible nomore
let &runtimepath = '{vim},' . $VIMRUNTIME
filetype plugin indent on
syntax on
let out = []
for place in readfile('places')
  let [file, line, column] = split(place, "\\t")
  if expand('%:p') !=# file
    execute 'silent edit! ' . fnameescape(file)
  endif
  call add(out, synIDattr(synID(line, column, 1), 'name'))
endfor
call writefile(out, 'groups')
execute 'silent edit! ' . fnameescape('indent.tmx')
normal! gg=G
silent write! indented.tmx
qall!
"""


def test_vim_on_the_examples(here):
    """Where there is a vim: every token is in a group of its kind, and what loses its indent gets fmt's back."""
    vim = shutil.which("vim")
    if not vim:
        raise Skip("no vim")
    places, wanted = [], []
    for path in EXAMPLES:
        text = read(path)
        lines = text.split("\n")
        for kind, word, line, column in tokens(text):
            byte = len(lines[line][:column].encode()) + 1 # Vim counts bytes, from 1
            places.append(f"{path}\t{line + 1}\t{byte}")
            wanted.append((kind, word))
    here.write("places", "\n".join(places) + "\n")
    here.write("script.vim", VIM.replace("{vim}", os.path.join(EDITORS, "vim")))
    text = read("examples", "pipeline.tmx")
    here.write("indent.tmx", "\n".join(line.lstrip() for line in text.split("\n")))
    environment = {**os.environ, "HOME": here.folder, "LC_ALL": "C.UTF-8"}
    subprocess.run([vim, "-es", "-N", "-u", "NONE", "-i", "NONE", "-S", "script.vim"], cwd=here.folder, timeout=60,
                   env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    groups = here.read("groups").decode().split("\n")[:-1]
    assert len(groups) == len(places)
    if not any(groups):
        raise Skip("this vim has no syntax")
    for place, (kind, word), group in zip(places, wanted, groups):
        assert re.fullmatch(KINDS[kind][1], group), f"{place}: {word} is {group or 'nothing'}"
    assert here.read("indented.tmx").decode() == text


def editorconfig():
    """Its sections, as (pattern of paths from the top, settings)."""
    sections = []
    for line in read(".editorconfig").splitlines():
        if line.startswith("["):
            pattern = re.escape(line[1:-1]).replace(r"\{", "(?:").replace(r"\}", ")").replace(",", "|")
            pattern = pattern.replace(r"\*\*", ".*").replace(r"\*", ".*")
            sections.append((re.compile(pattern if "/" in line else f"(?:.*/)?{pattern}"), {}))
        elif "=" in line and sections:
            key, value = (word.strip() for word in line.split("="))
            sections[-1][1][key] = value
    return sections


def slip(contents, wanted):
    """What a file of these bytes does against its settings, or None."""
    lines = contents.split(b"\n")
    if wanted.get("charset") == "utf-8":
        try:
            contents.decode("utf-8")
        except UnicodeDecodeError as why:
            return str(why)
    if wanted.get("end_of_line") == "lf" and any(line.endswith(b"\r") for line in lines):
        return "CRLF"
    if wanted.get("insert_final_newline") == "true" and contents and not contents.endswith(b"\n"):
        return "no line break at the end"
    for number, line in enumerate(lines, 1):
        if wanted.get("trim_trailing_whitespace") == "true" and line.rstrip(b" \t\r") != line.rstrip(b"\r"):
            return f"blanks at the end of line {number}"
        if wanted.get("indent_style") == "space" and line.startswith(b"\t"):
            return f"a tab at the start of line {number}"
    return None


def test_every_file_is_as_editorconfig_says(here):
    """Or an editor that reads it would change lines that nobody touched."""
    sections, kinds, wrong = editorconfig(), {}, []
    for where, folders, names in os.walk(ROOT):
        folders[:] = [each for each in folders if each not in (".git", "__pycache__", ".cache") and
                      not (where == ROOT and each.startswith("build"))]
        for name in names:
            path = os.path.relpath(os.path.join(where, name), ROOT)
            if os.path.islink(os.path.join(ROOT, path)):
                continue
            wanted = {}
            for pattern, settings in sections:
                if pattern.fullmatch(path):
                    wanted |= settings
            kinds.setdefault(wanted["indent_size"] + wanted["indent_style"], set()).add(os.path.splitext(name)[1])
            with open(os.path.join(ROOT, path), "rb") as file:
                problem = slip(file.read(), wanted)
            if problem and not (path.endswith(".cpp") and problem.startswith("a tab")): # it may be in a raw string
                wrong.append(f"{path}: {problem}")
    assert {".tmx", ".md", ".json"} <= kinds["2space"] and {".cpp", ".py"} <= kinds["4space"], kinds
    assert ".npy" in kinds["4unset"] and not wrong, "\n".join(wrong)
    assert slip(b"a \n", {"trim_trailing_whitespace": "true"}) and slip(b"\tx\n", {"indent_style": "space"})
