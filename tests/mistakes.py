"""Independent mistakes: a program with k of them on k lines is told of exactly these lines. Correct programs are
drawn, statements of every kind on lines of their own; then mistakes from the table below are planted, each on a line
that no other mistake touches, and `check` must report those lines, each with the code that the table has, and nothing
that only follows from them. What was drawn is printed by class; a class that was never drawn fails the test.

The table is the judge: for each class it says which lines it may be planted on and what the compiler must call it."""
import collections, json, random, re

PROGRAMS = 250


class Program:
    """A correct program, line by line. Names that a mistake takes away with it are used on no other line: a mistake in
    the declaration of a name is one mistake, wherever the name is used, but two mistakes about one name are not
    independent."""

    def __init__(self, rng):
        self.lines = []
        for i in range(rng.randint(1, 3)):
            self.add(f"const N{i} = {rng.choice([8, 16, 32])};")
        for i in range(rng.randint(1, 2)):
            self.function(rng, i)
        for i in range(rng.randint(1, 3)):
            self.kernel(rng, i)
        self.test(rng)

    def add(self, line):
        self.lines.append(line)

    def function(self, rng, i):
        self.add(f"function f{i}(")
        self.add("  tmem acc: f32[128, 32] datapath D,")
        self.add("  out C: f32[128, 32],")
        self.add("  scale: f32)")
        self.add("{")
        self.body(rng, ["acc"], "C", "scale", "  ")
        self.add("}")

    def kernel(self, rng, i):
        self.add(f"kernel k{i}(")
        self.add("  in A: f32[128, 32],")
        self.add("  out C: f32[128, 32],")
        self.add("  scale: f32)")
        self.add("{")
        self.add("  tmem T: f32[128, 32] datapath D;")
        self.add("  frag L: f32[128, 32] atom 32x32b;")
        self.add("  copy L[:, 0:32] <- A[:, 0:32];")
        self.add("  copy_async T[:, 0:32] <- L[:, 0:32];")
        self.add("  wait st;")
        self.body(rng, ["T"], "C", "scale", "  ")
        self.add("}")

    def body(self, rng, buffers, tensor, scalar, margin):
        for i in range(rng.randint(1, 4)):
            inner = margin
            looped = rng.random() < 0.3
            if looped:
                self.add(f"{margin}for c{i} in 0..2 {{")
                inner = margin + "  "
            x, z = f"X{i}", f"Z{i}"
            self.add(f"{inner}frag {x}: f32[128, 32] atom 32x32b;")
            self.add(f"{inner}frag {z}: f32[128, 32] atom 32x32b;")
            if rng.random() < 0.3:
                self.add(f"{inner}let n{i} = 8 + {rng.randint(0, 9)};")
            self.add(f"{inner}copy_async {x}[:, 0:32] <- {rng.choice(buffers)}[:, 0:32];")
            self.add(f"{inner}wait ld;")
            self.add(rng.choice([f"{inner}{z} = {x} * {scalar} + 1.0;", f"{inner}{z} = max({x}, 0.0);",
                                 f"{inner}{z} = select({x} < 0.0, {x} * 0.1, {x});"]))
            self.add(f"{inner}copy {tensor}[:, 0:32] <- {z}[:, 0:32];")
            if looped:
                self.add(f"{margin}}}")

    def test(self, rng):
        self.add('test "drawn" {')
        self.add("  A = random(seed: 1);")
        self.add("  scale = 2.0;")
        self.add("  run k0;")
        self.add("  expect C ~= A * 2.0 rtol 1e9 atol 1e9;")
        self.add("}")


def replaced(pattern, by):
    def plant(line, rng):
        changed, count = re.subn(pattern, by, line, count=1)
        return changed if count else None
    return plant


STATEMENT = r"^( +)"
# class: (lines it may stand on, how it is planted, code). A pattern that does not fit leaves the line alone.
MISTAKES = {
    # the end of a statement
    "no semicolon": (r"^ +(frag|tmem|let|copy|copy_async|wait)\b.*;$", replaced(r";$", ""), "TM0101"),
    "no semicolon behind a value": (r"^ +Z\d = .*;$", replaced(r";$", ""), "TM0101"),
    "half a copy": (r"^ +copy(_async)? ", replaced(r"<-.*$", "<-"), "TM0101"),
    "copy of nothing": (r"^ +copy(_async)? ", replaced(r"<-.*$", "<- ;"), "TM0101"),
    "first word alone": (r"^ +copy(_async)? ", replaced(r"(copy(_async)?) .*$", r"\1"), "TM0101"),
    "junk behind": (r"^ +(frag|tmem|let|copy|copy_async|wait)\b.*;$", replaced(r";$", " junk;"), "TM0101"),
    # words
    "copy misspelt": (r"^ +copy ", replaced("copy ", "cpoy "), "TM0101"),
    "copy_async misspelt": (r"^ +copy_async ", replaced("copy_async", "copyasync"), "TM0101"),
    "frag misspelt": (r"^ +frag ", replaced("frag ", "farg "), "TM0101"),
    "tmem misspelt": (r"^ +tmem T", replaced("tmem ", "tmen "), "TM0101"),
    "let misspelt": (r"^ +let ", replaced("let ", "lte "), "TM0101"),
    "wait misspelt": (r"^ +wait ", replaced("wait ", "wiat "), "TM0101"),
    "wait for what": (r"^ +wait ", replaced("(ld|st)", "all"), "TM0101"),
    "a type of C": (r"^ +frag ", replaced(r"frag (\w+):.*$", r"float \1;"), "TM0101"),
    "if of C": (r"^ +Z\d = ", replaced(r"^( +)(.*)$", r"\1if (1 > 0) { \2 }"), "TM0101"),
    "keyword as name": (r"^ +let ", replaced(r"let \w+", "let step"), "TM0102"),
    # signs
    "= in a copy": (r"^ +copy(_async)? ", replaced("<-", "="), "TM0101"),
    "-> in a copy": (r"^ +copy(_async)? ", replaced("<-", "->"), "TM0101"),
    "arrow with a blank": (r"^ +copy(_async)? ", replaced("<-", "< -"), "TM0101"),
    "no arrow": (r"^ +copy(_async)? ", replaced(" <-", ""), "TM0101"),
    "+= of C": (r"^ +Z\d = ", replaced(" = ", " += "), "TM0101"),
    "++ of C": (r"^ +Z\d = ", replaced(r"(Z\d) = .*$", r"\1++;"), "TM0101"),
    "no colon": (r"^ +(frag|tmem T)", replaced(r"(\w): ", r"\1 "), "TM0101"),
    "strange character": (r"^ +(frag|copy|copy_async|wait)\b.*;$", replaced(r";$", " $;"), "TM0103"),
    "two strange characters": (r"^ +Z\d = ", replaced(" = ", " = && "), "TM0103"),
    # brackets
    "no ] in a slice": (r"^ +copy(_async)? ", replaced(r"\] <-", " <-"), "TM0101"),
    "no ] in a declaration": (r"^ +frag ", replaced(r"\]", ""), "TM0101"),
    "no ) in a value": (r"^ +Z\d = (max|select)\(", replaced(r"\);$", ";"), "TM0101"),
    "one ) too many": (r"^ +Z\d = (max|select)\(", replaced(r"\);$", "));"), "TM0101"),
    # numbers and names
    "not a number": (r"^ +frag ", replaced(r"\[128", "[12q8"), "TM0107"),
    "not an atom": (r"^ +frag .*atom", replaced("32x32b", "32x33b"), "TM0107"),
    "not a dtype": (r"^ +(frag|tmem T)", replaced("f32", "float32"), "TM0101"),
    "unknown name": (r"^ +copy", replaced(r"<- (\w+)", r"<- nobody"), "TM0201"),
    "unknown function": (r"^ +Z\d = max", replaced(r"max\(", "maximum_of("), None),
    # what the words mean
    "slice outside": (r"^ +copy(_async)? ", replaced(r"0:32\] <-", "0:320] <-"), "TM0241"),
    "slice of one": (r"^ +copy(_async)? ", replaced(r"\[:, 0:32\] <-", "[0:32] <-"), "TM0240"),
    "empty slice": (r"^ +copy(_async)? ", replaced(r"0:32\] <-", "8:8] <-"), "TM0242"),
    "attribute twice": (r"^ +frag .*atom", replaced(r";$", " atom 32x32b;"), "TM0205"),
    "no such datapath": (r"^ +tmem T", replaced("datapath D", "datapath Q"), "TM0303"),
    "division by zero": (r"^ +let ", replaced(r"8 \+ \d+", "8 / 0"), "TM0210"),
    "declared twice": (r"^ +let ", replaced(r"let \w+", "let scale"), "TM0202"),
    # heads
    "loop without ..": (r"^ +for ", replaced(r"0\.\.2", "0, 2"), "TM0101"),
    "loop without in": (r"^ +for ", replaced(" in ", " "), "TM0101"),
    "loop of C": (r"^ +for ", replaced(r"for .*\{", "for (int i = 0; i < 2; i++) {"), "TM0101"),
    "loop without {": (r"^ +for ", replaced(r" \{$", ""), "TM0101"),
    "loop backwards": (r"^ +for ", replaced(r"0\.\.2", "0..2 step 0"), "TM0230"),
    "parameter without colon": (r"^  (in|out) \w", replaced(":", ""), "TM0101"),
    "parameter of no dtype": (r"^  scale", replaced("f32", "float"), "TM0101"),
    "parameter of no extent": (r"^  (in|out) \w", replaced(r"\[128, 32\]", "[]"), "TM0101"),
    # items
    "const without =": (r"^const ", replaced(" =", ""), "TM0101"),
    "const without value": (r"^const ", replaced(r"= \d+", "="), "TM0101"),
    "const without ;": (r"^const ", replaced(";", ""), "TM0101"),
    # test blocks
    "broken generator": (r"^  A = random", replaced(r"\(seed: 1\)", "(seed: )"), "TM0101"),
    "given without ;": (r"^  scale = ", replaced(";", ""), "TM0101"),
    "run misspelt": (r"^  run ", replaced("run ", "rnu "), "TM0101"),
    "expect with =": (r"^  expect ", replaced("~=", "="), "TM0101"),
    "expect of nothing": (r"^  expect ", replaced("~= .*$", "~= ;"), "TM0101"),
}


def declares(line):
    """The name that a line declares, or None."""
    match = re.match(r"^ +(?:(?:in|out|frag|tmem|let) )?(\w+)(?::| =)", line)
    return match[1] if match and not re.match(r"^ +(Z\d|A|scale) =", line) else None


def dependent(lines, at):
    """Lines of the same item that use the name which this line declares, or declare one that it uses."""
    first = max((i for i in range(at + 1) if re.match(r"^(kernel|function|test|const)", lines[i])), default=0)
    last = next((i for i in range(at + 1, len(lines)) if re.match(r"^(kernel|function|test)", lines[i])), len(lines))

    def uses(i, name):
        return name is not None and re.search(rf"\b{name}\b", lines[i])
    return {i for i in range(first, last) if i != at and (uses(i, declares(lines[at])) or uses(at, declares(lines[i])))}


def plant(rng, lines, count):
    """Lines with mistakes on some of them: {number: (class, code)}. No two stand on neighbouring lines, where a
    forgotten semicolon would reach for the next."""
    whole, lines, planted = lines, list(lines), {}
    free = set(range(len(lines)))
    for _ in range(20 * count):
        if len(planted) == count:
            break
        kind = rng.choice(sorted(MISTAKES))
        where, edit, code = MISTAKES[kind]
        places = [i for i in sorted(free) if re.search(where, lines[i])]
        if not places:
            continue
        at = rng.choice(places)
        changed = edit(lines[at], rng)
        if changed is None or changed == lines[at]:
            continue
        lines[at] = changed
        planted[at + 1] = (kind, code)
        free -= {at - 1, at, at + 1} | dependent(whole, at)
    return lines, planted


def reported(here, name):
    done = here.run("check", name, "-w", "--diagnostics=json", status=1)
    found = collections.defaultdict(set)
    for line in done.stderr.splitlines():
        each = json.loads(line)
        found[each["range"]["start"]["line"] + 1].add(each["code"])
    return found


def test_drawn_mistakes(here):
    """k independent mistakes on k lines are reported on these lines and no other."""
    rng = random.Random(11)
    drawn = collections.Counter()
    for number in range(PROGRAMS):
        lines = Program(rng).lines
        text, planted = plant(rng, lines, rng.randint(1, 8))
        if number % 25 == 0:
            here.write("whole.tmx", "\n".join(lines) + "\n")
            here.run("check", "whole.tmx", "-w")
        here.write("drawn.tmx", "\n".join(text) + "\n")
        found = reported(here, "drawn.tmx")
        story = "\n".join(f"{i + 1:4} {'>>' if i + 1 in planted else '  '} {line}" for i, line in enumerate(text))
        assert set(found) == set(planted), (f"program {number}: planted {planted}, reported {dict(found)}\n{story}")
        for line, (kind, code) in planted.items():
            assert code is None or code in found[line], f"program {number}, line {line}, {kind}: {found[line]}\n{story}"
            drawn[kind] += 1
    print("  mistakes drawn: " + ", ".join(f"{kind} {drawn[kind]}" for kind in MISTAKES))
    assert all(drawn[kind] for kind in MISTAKES), [kind for kind in MISTAKES if not drawn[kind]]
