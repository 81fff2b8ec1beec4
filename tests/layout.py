"""`tmemc layout` against a computation of its own. Declarations are read here from the .tmx with a few regular
expressions, fragments are tiled from the lane maps of data/atom_maps.csv, buffers follow the table of datapaths in the
language reference, literals are evaluated digit by digit; no code or table is the compiler's. Pictures are read back:
the SVG must parse and show every element once in each view, at its place in the JSON; text must fit 100 columns; the map
must agree with --emit=plan."""
import collections, csv, glob, itertools, json, os, re, subprocess, time
import xml.etree.ElementTree as ET

from commands import ROOT

DATA = os.path.join(ROOT, "tests", "data")
BITS = {"f32": 32, "tf32": 32, "u32": 32, "s32": 32, "b32": 32, "f16": 16, "bf16": 16, "u16": 16, "s16": 16, "b16": 16,
        "u8": 8, "s8": 8, "b8": 8, "f8e4m3": 8, "f8e5m2": 8}


# ---- where a cell of 32 bits lies, N cells to a row

def read_tiles():
    """{shape: {(lane of tensor memory, column): (thread, register)} of .x1}, held against .x2 by tiling."""
    maps = collections.defaultdict(dict)
    with open(os.path.join(DATA, "atom_maps.csv"), encoding="utf-8") as file:
        for line in csv.DictReader(file):
            place = int(line["tmem_lane"]), int(line["tmem_col"])
            maps[line["shape"], int(line["num"])][place] = int(line["lane_thread"]), int(line["reg"])
    tiles = {}
    for shape in ("32x32b", "16x64b", "16x128b", "16x256b"):
        tiles[shape] = maps[shape, 1]
        for (row, col), held in maps[shape, 2].items():
            assert tiled(tiles[shape], row, col) == held
    return tiles


def tiled(tile, row, col):
    columns = 1 + max(c for _, c in tile)
    registers = 1 + max(r for _, r in tile.values())
    thread, register = tile[row, col % columns]
    return thread, register + col // columns * registers


TILES = read_tiles()


def fragment_cell(atom, rows, n, r, c):
    if atom == "32x32b":
        if rows == 128:
            thread, register = tiled(TILES[atom], r % 32, c)
            return 32 * (r // 32) + thread, register
        parts = 128 // rows
        return r + rows * (c // (n // parts)), c % (n // parts)
    if atom == "16x32bx2":
        return 32 * (r // 16) + r % 16 + 16 * (c >= n // 2), c % (n // 2)
    thread, register = tiled(TILES[atom], r % 16, c)
    if rows == 64:
        return 32 * (r // 16) + thread, register
    return 32 * (r // 32) + thread, register + (r % 32) // 16 * (n * 16 // 32)


def buffer_cell(datapath, sub_slab, n, r, c):
    if datapath in "AD":
        return r, c
    if datapath in "BE":
        return r + 64 * (c >= n // 2), c % (n // 2)
    if datapath in "CF":
        return 32 * (r // 16) + r % 16 + 16 * sub_slab, c
    return r + 32 * (c // (n // 4)), c % (n // 4)


# ---- literals

def literal_places(text, rows, cols, bits, value):
    """[[row, col, unit, slot, bit]] of S[...] + R[...] + offset@axis."""
    def digits(inside):
        extents, strides = inside.split(":")
        entries = [[each.strip() for each in re.sub(r"^\s*\(|\)\s*$", "", side).split(",")] for side in (extents, strides)]
        split = [(value(e), *(s.split("@") + ["m"])[:2]) for e, s in zip(*entries)]
        return [(extent, value(stride), axis.strip()) for extent, stride, axis in split]

    shard = digits(re.search(r"S\s*\[(.*?)\]", text, re.S).group(1))
    found = re.search(r"R\s*\[(.*?)\]", text, re.S)
    replica = digits(found.group(1)) if found else []
    rest = re.sub(r"[SR]\s*\[.*?\]", "", text, flags=re.S)
    start = collections.Counter()
    for term in filter(None, (each.strip() for each in rest.split("+"))):
        amount, axis = (term.split("@") + ["m"])[:2]
        start[axis.strip()] += value(amount)
    places = []
    for flat in range(rows * cols):
        at, left = collections.Counter(start), flat
        for extent, stride, axis in reversed(shard):
            at[axis] += left % extent * stride
            left //= extent
        for copy in itertools.product(*(range(extent) for extent, _, _ in replica)):
            here = collections.Counter(at)
            for digit, (_, stride, axis) in zip(copy, replica):
                here[axis] += digit * stride
            slot = here["m"] + here["TCol"]
            unit = here["tid_in_wg"] + 32 * here["wid_in_wg"] + here["laneid"] + here["TLane"]
            places.append([flat // cols, flat % cols, unit, slot * bits // 32, slot * bits % 32])
    return places


# ---- what a declaration says

class Declaration:
    def __init__(self, kind, name, dtype, extents, words, value):
        self.kind, self.name, self.dtype, self.shape = kind, name, dtype, extents
        self.words = words
        self.rows, self.cols = extents[0], extents[1] if len(extents) == 2 else 1
        self.bits = BITS[dtype]
        self.value = value

    def word(self, name, otherwise):
        found = re.search(rf"\b{name}\s+(\S+)", self.words)
        return found.group(1) if found else otherwise

    def label(self):
        """Its class, to be counted."""
        if "layout" in self.words:
            return self.kind, "literal"
        if self.kind == "frag":
            return "frag", self.word("atom", "32x32b"), self.rows, self.bits, len(self.shape)
        return ("tmem", self.word("datapath", "D"), self.word("sub_slab", "0"), self.bits, "unpacked" in self.words)

    def places(self):
        """Sorted, columns from the buffer's first."""
        literal = re.search(r"\blayout\b(.*?)(?=\bat\b|\batom\b|$)", self.words, re.S)
        if literal:
            return sorted(literal_places(literal.group(1), self.rows, self.cols, self.bits, self.value))
        if self.kind == "frag" and len(self.shape) == 1:
            return self.vector()
        unpacked = "unpacked" in self.words
        width = 32 if unpacked else self.bits
        n = self.cols * width // 32
        made = []
        for row in range(self.rows):
            for col in range(self.cols):
                cell, bit = divmod(col * width, 32)
                if self.kind == "frag":
                    unit, slot = fragment_cell(self.word("atom", "32x32b"), self.rows, n, row, cell)
                else:
                    unit, slot = buffer_cell(self.word("datapath", "D"), self.value(self.word("sub_slab", "0")), n, row, cell)
                made.append([row, col, unit, slot, bit])
        return made

    def vector(self):
        """A number for each row, in every thread that holds a part of that row of a tile, its rows in the order of its
        registers."""
        tile = collections.defaultdict(dict) # thread: {row: first register}
        n = 32
        for row in range(self.rows):
            for cell in range(n):
                thread, register = fragment_cell(self.word("atom", "32x32b"), self.rows, n, row, cell)
                tile[thread].setdefault(row, register)
        made = []
        for thread, rows in tile.items():
            for slot, row in enumerate(sorted(rows, key=rows.get)):
                made.append([row, 0, thread, slot * self.bits // 32, slot * self.bits % 32])
        return sorted(made)


def without_comments(text):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.S)


def closing(text, at, brackets="{}"):
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == brackets[0]) - (text[i] == brackets[1])
        if depth == 0:
            return i
    raise AssertionError("unbalanced")


def declarations(text):
    """{kernel or function: [Declaration]} in the order of the file; those of loops once, if their size depends on the
    loop None in their place."""
    text = without_comments(text)
    constants = {}

    def value(expression):
        return int(eval(expression.replace("/", "//"), {"__builtins__": {}}, constants)) # pylint: disable=eval-used

    for name, expression in re.findall(r"\bconst\s+(\w+)\s*=\s*([^;]+);", text):
        constants[name] = value(expression)
    found = {}
    for head in re.finditer(r"\b(kernel|function)\s+(\w+)\s*\(", text):
        parameters_end = closing(text, head.end() - 1, "()")
        body = text.index("{", parameters_end)
        parts = text[head.end():parameters_end] + ";" + text[body:closing(text, body)]
        made = found.setdefault(head.group(2), [])
        ends = r"(?=[;,]|$)" # of a declaration; a parameter ends at a comma outside of brackets
        for each in re.finditer(r"\b(tmem|frag)\s+(\w+)\s*:\s*(\w+)\s*\[([^\]]*)\]((?:\[[^\]]*\]|\([^)]*\)|[^;,\[(])*)" + ends, parts):
            kind, name, dtype, extents, words = each.groups()
            made.append(Declaration(kind, name, dtype, [value(e) for e in extents.split(",")], words.strip(), value))
    return found


# ---- comparison

def layout_of(here, file, kernel, *words, status=0):
    return json.loads(here.run("layout", file, "--kernel", kernel, "--format=json", "-w", *words, status=status).stdout)


def compare(made, declared, classes):
    """Every object of the JSON is one that is declared, element by element; columns move with the buffer's first."""
    by_name = collections.defaultdict(list)
    for each in declared:
        by_name[each.name].append(each)
    order = [each.name for each in declared]
    assert [name for name in order if name not in {o["name"] for o in made["objects"]}] == [], (made["kernel"], order)
    shown = list(dict.fromkeys(o["name"] for o in made["objects"]))
    assert shown == list(dict.fromkeys(order)), (shown, order)
    first_columns = collections.defaultdict(set)
    for each in made["objects"]:
        wanted = next(d for d in by_name[each["name"]] if (d.kind, d.dtype, d.shape) == (each["kind"], each["dtype"], each["shape"]))
        places = sorted(each["elements"])
        assert each["elements"] == sorted(places, key=lambda place: place[:2]), "in order of rows and columns"
        expected = wanted.places()
        if each["kind"] == "tmem":
            shift = min(place[3] for place in places) - min(place[3] for place in expected)
            first_columns[each["name"]].add(shift)
            expected = [[r, c, lane, column + shift, bit] for r, c, lane, column, bit in expected]
        assert places == sorted(expected), (made["kernel"], each["name"], wanted.words,
                                            [pair for pair in zip(places, sorted(expected)) if pair[0] != pair[1]][:3])
        classes[wanted.label()] += 1
    return first_columns


def every_kind():
    """A program that declares an object of every atom, rows, element size, datapath, sub-slab and packing."""
    text = "kernel fragments() {\n"
    for atom, rows in [("32x32b", 128), ("32x32b", 64), ("32x32b", 32), ("16x32bx2", 64)] + \
            [(atom, rows) for atom in ("16x64b", "16x128b", "16x256b") for rows in (64, 128)]:
        for dtype in ("f32", "bf16", "u8"):
            text += f"  frag X_{atom}_{rows}_{dtype}: {dtype}[{rows}, {24 * 32 // BITS[dtype]}] atom {atom};\n"
            text += f"  frag V_{atom}_{rows}_{dtype}: {dtype}[{rows}] atom {atom};\n" if rows == 128 else ""
    text += "}\n"
    for datapath, rows in zip("ABCDEFG", (128, 64, 64, 128, 64, 64, 32)):
        text += f"kernel buffers_{datapath}() {{\n"
        for sub_slab in (0, 1) if datapath in "CF" else (0,):
            for dtype, packing in (("f32", ""), ("f16", ""), ("f16", " unpacked"), ("u8", "")):
                width = 32 if packing else BITS[dtype]
                text += f"  tmem T{sub_slab}_{dtype}{packing.strip()}: {dtype}[{rows}, {24 * 32 // width}] datapath {datapath}{packing}"
                text += f" sub_slab {sub_slab};\n" if sub_slab else ";\n"
        text += "}\n"
    return text + """kernel odd() {
  frag Copies: f32[32, 4] layout S[(32, 4) : (1@laneid, 1)] + R[(4) : (1@wid_in_wg)];
  frag Turned: f16[32, 128] layout S[(32, 128) : (1, 1@tid_in_wg)];
  frag Backwards: u8[128, 8] layout S[(128, 8) : (1@tid_in_wg, -1)] + 7@m;
  tmem Spread: f16[32, 8] layout S[(32, 8) : (1@TLane, 2@TCol)] + R[(2) : (64@TLane)] + 32@TLane;
}
"""


def files():
    return sorted(glob.glob(os.path.join(ROOT, "examples", "*.tmx")) + glob.glob(os.path.join(ROOT, "examples", "embed", "*.tmx")))


def test_json_of_the_examples(here):
    """Every element of every object of every example, and the columns of --emit=plan."""
    classes, functions = collections.Counter(), 0
    for file in files():
        plan = json.loads(here.run("build", "-w", file, "--emit=plan", "-o", "-").stdout)
        kernels = declarations(open(file, encoding="utf-8").read())
        planned = {each["name"]: each["tmem"]["buffers"] for each in plan["kernels"]}
        for name in kernels:
            columns = compare(layout_of(here, file, name), with_called(file, kernels, name), classes)
            placed = collections.defaultdict(set)
            for each in planned.get(name, []): # of a function, columns count from what an address names
                placed[each["name"]].add(each["column"])
            assert columns == (placed if name in planned else {each: {0} for each in columns}), (file, columns, placed)
            functions += name not in planned
    assert functions > 1
    kinds = collections.Counter(label[0] for label in classes.elements())
    assert kinds["frag"] > 20 and kinds["tmem"] > 10, classes


def with_called(file, kernels, name):
    """A kernel's declarations, and behind them the fragments of the functions that it calls."""
    text = without_comments(open(file, encoding="utf-8").read())
    head = re.search(rf"\bkernel\s+{name}\s*\(", text)
    if not head:
        return kernels[name]
    body = text.index("{", closing(text, head.end() - 1, "()"))
    body = text[body:closing(text, body)]
    called = [other for other in kernels if other != name and re.search(rf"\b{other}\s*\(", body)]
    return kernels[name] + [each for other in called for each in kernels[other] if each.kind == "frag" and not is_parameter(text, other, each)]


def is_parameter(text, function, declaration):
    head = re.search(rf"\bfunction\s+{function}\s*\(", text)
    return re.search(rf"\bfrag\s+{declaration.name}\b", text[head.end():closing(text, head.end() - 1, "()")]) is not None


def test_json_of_every_kind(here):
    """All atoms with all their row counts, all datapaths, 8, 16 and 32 bits, unpacked, both sub-slabs, vectors, literals
    with replicas, negative strides and offsets."""
    text = every_kind()
    here.write("every.tmx", text)
    classes = collections.Counter()
    for kernel, declared in declarations(text).items():
        compare(layout_of(here, "every.tmx", kernel), declared, classes)
    atoms = {label[1:4] for label in classes if label[0] == "frag" and len(label) == 5}
    assert len(atoms) == 10 * 3, sorted(atoms)
    datapaths = {label[1:] for label in classes if label[0] == "tmem" and len(label) == 5}
    assert len(datapaths) == (7 + 2) * 4, sorted(datapaths)
    assert classes["frag", "literal"] == 3 and classes["tmem", "literal"] == 1
    assert sum(label[-1] == 1 for label in classes if label[0] == "frag") == 12, classes


def test_json_of_golden_programs(here):
    """Programs of the golden files, refused ones too as far as they were understood: exit 1, and the objects are right."""
    classes, statuses = collections.Counter(), collections.Counter()
    paths = sorted(path for stage in ("match", "order", "space", "lower", "inspect", "verify")
                   for path in glob.glob(os.path.join(ROOT, "tests", "golden", stage, "*.tmx")))
    for path in paths[::2]:
        text = "\n".join(line for line in open(path, encoding="utf-8").read().split("\n") if not line.startswith("//"))
        try:
            kernels = declarations(text)
        except (AssertionError, NameError, SyntaxError, TypeError, ZeroDivisionError): # loops in sizes, syntax errors
            statuses["not read"] += 1
            continue
        here.write("x.tmx", text)
        for kernel, declared in kernels.items():
            status = subprocess.run([here.tmemc, "check", "x.tmx", "-w"], cwd=here.folder, capture_output=True, check=False).returncode
            if not declared or status not in (0, 1) or "call" in path:
                continue
            made = layout_of(here, "x.tmx", kernel, status=status)
            compare(made, declared, classes)
            statuses[status] += 1
    print("layouts of golden programs:", dict(statuses))
    assert statuses[0] >= 12 and statuses[1] >= 12, statuses


# ---- pictures

SVG = "{http://www.w3.org/2000/svg}"


def rows_of(group):
    """[(name, cells)] of a view: a row's name is the text of class a in front of its cells."""
    rows, name = [], None
    for text in group.iter(SVG + "text"):
        content = "".join(text.itertext())
        if text.get("class") == "a":
            name = content
        elif text.get("class") is None and name is not None:
            rows.append((name, " ".join("".join(span.itertext()) for span in text.iter(SVG + "tspan")).split()))
            name = None
    return rows


def check_svg(svg, made):
    root = ET.fromstring(svg)
    objects = [group for group in root if group.tag == SVG + "g"]
    assert len(objects) == len(made["objects"])
    for group, each in zip(objects, made["objects"]):
        tensor, hardware = [view for view in group if view.tag == SVG + "g"]
        first, everywhere = {}, collections.defaultdict(list)
        for row, col, unit, slot, bit in each["elements"]:
            first.setdefault((row, col), (unit, slot, bit))
            everywhere[unit].append((row, col))
        shown = [(row, cells) for row, cells in rows_of(tensor)]
        assert [name for name, _ in shown] == [f"row {row}" for row in range(each["shape"][0])]
        copies = len(each["elements"]) // len(first)
        for row, (_, cells) in enumerate(shown):
            wanted = []
            for col in range(each["shape"][1] if len(each["shape"]) == 2 else 1):
                unit, slot, bit = first[row, col]
                wanted.append(("l%d:c%d" if each["kind"] == "tmem" else "t%d:r%d") % (unit, slot) +
                              (f"+{bit}" if bit else "") + (f"x{copies}" if copies > 1 else ""))
            assert cells == wanted, (each["name"], row, cells[:4], wanted[:4])
        for name, cells in rows_of(hardware):
            unit = int(re.fullmatch(r"w\d [lt](\d+)", name).group(1))
            held = [tuple(map(int, cell.split(","))) if "," in cell else (int(cell), 0) for cell in cells]
            assert sorted(held) == sorted(everywhere.pop(unit, [])), (each["name"], name)
        assert not everywhere


def test_svg(here):
    """Parses; every element once in each view, where the JSON has it; a 128x256 tile stays under 2 MB."""
    here.write("every.tmx", every_kind())
    for kernel in declarations(every_kind()):
        svg = here.run("layout", "every.tmx", "--kernel", kernel, "--format=svg", "-w").stdout
        check_svg(svg, layout_of(here, "every.tmx", kernel))
    for dtype, atom in (("f32", "16x256b"), ("f32", "32x32b"), ("u8", "16x64b")):
        here.write("big.tmx", f"kernel k() {{ tmem T: {dtype}[128, 256]; frag X: {dtype}[128, 256] atom {atom}; }}")
        for name in "TX":
            svg = here.run("layout", "big.tmx", name, "--format=svg", "-w").stdout
            assert len(svg) < 2_000_000, len(svg)
            check_svg(svg, {"objects": [o for o in layout_of(here, "big.tmx", "k")["objects"] if o["name"] == name]})


def test_text_fits(here):
    """100 columns, colours or not, for every example and every kind; no escapes unless asked for."""
    here.write("every.tmx", every_kind())
    for file in [*files(), "every.tmx"]:
        text = open(file, encoding="utf-8").read() if os.path.isabs(file) else every_kind()
        for kernel in declarations(text):
            for words in ([], ["--map"]):
                plain = here.run("layout", file, "--kernel", kernel, "-w", *words).stdout
                assert "\x1b" not in plain
                assert max(map(len, plain.split("\n"))) <= 100, max(plain.split("\n"), key=len)
                colored = here.run("layout", file, "--kernel", kernel, "-w", "--color=always", *words).stdout
                assert re.sub(r"\x1b\[\d*m", "", colored) == plain


def test_map(here):
    """Columns of the allocation and of each buffer are those of --emit=plan; SVG parses and has a bar for each buffer."""
    for file in files():
        for kernel in json.loads(here.run("build", "-w", file, "--emit=plan", "-o", "-").stdout)["kernels"]:
            words = ["layout", file, "--kernel", kernel["name"], "--map", "-w"]
            text = here.run(*words).stdout
            svg = ET.fromstring(here.run(*words, "--format=svg").stdout)
            buffers = kernel["tmem"]["buffers"]
            if not buffers:
                assert "no tensor memory" in text
                continue
            listed = re.findall(r"^[A-Za-z]  (\w+): .*?columns (\d+)\.\.(\d+)", text, re.M)
            wanted = [(each["name"], str(each["column"]), str(each["column"] + each["columns"] - 1)) for each in buffers]
            assert listed == wanted, (file, listed, wanted)
            function = "a function" in text
            assert function or f"{kernel['tmem']['columns']} columns allocated" in text
            titles = {each.text for each in svg.iter(SVG + "title")}
            for name, first, last in wanted:
                assert any(title.startswith(f"{name}: ") and f"columns {first}..{last}" in title for title in titles)


def test_map_of_what_does_not_fit(here):
    """More than 512 columns: the error, exit 1, and the map with what lies beyond the edge."""
    body = "".join(f"copy X <- A; copy_async T{i} <- X; " for i in range(3)) + "wait st; " + \
           "".join(f"copy_async X <- T{i}; wait ld; copy A <- X; " for i in range(3))
    here.write("x.tmx", "kernel k(inout A: f32[128, 200]) {\n" + "".join(f"tmem T{i}: f32[128, 200];\n" for i in range(3)) +
               "frag X: f32[128, 200];\n" + body.replace("; ", ";\n") + "}\n")
    done = here.run("layout", "x.tmx", "--map", "-w", status=1)
    assert "error[TM0401]" in done.stderr and "600 columns needed, 88 more than there are" in done.stdout
    assert re.search(r"^ *\d+  A+[AB]?B+[BC]?C+!C+\|", done.stdout, re.M), done.stdout
    svg = ET.fromstring(here.run("layout", "x.tmx", "--map", "-w", "--format=svg", status=1).stdout)
    assert "tensor memory ends: 512 columns" in {each.text for each in svg.iter(SVG + "title")}
    here.run("layout", "x.tmx", "-w", "--format=json", status=1)


def test_layout_of_a_refused_copy(here):
    """The error on standard error, the picture on standard output, exit 1."""
    here.write("x.tmx", "kernel k(out B: f32[64, 32]) {\n  tmem T: f32[64, 32] datapath B;\n  frag Y: f32[64, 32] atom 16x256b;\n"
               "  copy_async Y <- T;\n  wait ld;\n  copy B <- Y;\n}\n")
    done = here.run("layout", "x.tmx", status=1)
    assert "error[TM0301]" in done.stderr and "T: f32[64, 32], datapath B" in done.stdout and "l64:c0" in done.stdout
    here.run("layout", "x.tmx", "Y", "--format=svg", "-o", "y.svg", status=1)
    assert ET.fromstring(here.read("y.svg")) is not None


def test_layout_command_line(here):
    """Unknown names are exit 2 with the near one; formats by --format and by suffix; --emit=layout."""
    here.write("x.tmx", "kernel first() { frag Acc: f32[128, 4]; tmem T: f32[128, 4]; }\nkernel second() { frag Other: f32[128, 2]; }\n")
    for words, near in ((["Accc"], "`Acc`"), (["--kernel", "secnd"], "`second`"), (["--kernel", "second", "Othr"], "`Other`")):
        said = here.run("layout", "x.tmx", "-w", *words, status=2)
        assert f"did you mean {near}?" in said.stderr and said.stdout == "", said.stderr
    assert here.run("layout", "x.tmx", "-w", "T").stdout.startswith("T: f32[128, 4], datapath D")
    here.run("layout", "x.tmx", "-w", "-o", "x.svg")
    assert ET.fromstring(here.read("x.svg")) is not None
    here.run("layout", "x.tmx", "-w", "-o", "x.json")
    assert json.loads(here.read("x.json"))["kernel"] == "first"
    here.run("x.tmx", "-w", "--emit=layout")
    assert here.read("x.layout.json") == here.read("x.json")
    here.run("x.tmx", "-w", "--emit=layout=y.svg")
    assert here.read("y.svg") == here.read("x.svg")
    here.run("layout", "x.tmx", "--map", "T", status=2)


def test_layout_is_quick(here):
    """Twice the tile costs no noticeable time."""
    def seconds(columns):
        here.write("x.tmx", f"kernel k() {{ tmem T: f32[128, {columns}]; }}")
        best = 1e9
        for _ in range(3):
            begin = time.perf_counter()
            here.run("layout", "x.tmx", "-w")
            best = min(best, time.perf_counter() - begin)
        return best
    assert seconds(512) - seconds(256) < 0.2
