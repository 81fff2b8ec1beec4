"""The CUDA C++ header, by nvcc: kernels of cuda/ that include it are compiled to PTX, which the emulator runs, to objects
with many flags, and to machine code, whose instructions are counted. Each function whose name starts with `test_` is one
test in a folder of its own; its docstring is what it proves. Values are judged by plain Python arithmetic.

Counts are kept for one nvcc in data/sass/cuda_13.0.txt: a kernel with functions of the header beside the same with
inline assembly written by hand. GOLDEN_UPDATE=1 tests/run writes the file anew.
"""
import concurrent.futures, os, re, shutil, struct, subprocess, tempfile, traceback

from commands import Skip, npy, npy_payload

TESTS = os.path.dirname(os.path.abspath(__file__))
EXAMPLES = os.path.join(os.path.dirname(TESTS), "examples", "embed")
WARNINGS = ["-std=c++17", "-Xcompiler", "-Wall,-Wextra", "-Werror", "all-warnings"]
INCLUDES = ["-I", os.path.join(TESTS, "data", "cuda"), "-I", os.path.join(TESTS, "bench", "kernels")]


class Place:
    """A temporary folder, with the tools and the files of a folder of the tests in reach."""

    def __init__(self, tools, folder):
        self.tools, self.folder = tools, folder

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as out:
            out.write(text)
        return self.path(name)

    def call(self, *command, status=0):
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120)
        assert done.returncode == status, f"{' '.join(command)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def header(self, program, name=None, *options):
        """cuda/PROGRAM.tmx, or the file, as NAME.cuh."""
        path = program if program.endswith(".tmx") else os.path.join(TESTS, "cuda", f"{program}.tmx")
        name = name or f"{os.path.basename(path).removesuffix('.tmx')}.cuh"
        said = self.call(self.tools["tmemc"], "build", path, "-w", "-o", name, *options)
        assert said.stdout + said.stderr == "", said
        with open(self.path(name), "rb") as file:
            return file.read()

    def nvcc(self, *words):
        if not self.tools["nvcc"]:
            raise Skip("no nvcc")
        return self.call(self.tools["nvcc"], "-I", self.folder, *words)

    def ptx(self, source):
        path = source if source.endswith(".cu") else os.path.join(TESTS, "cuda", f"{source}.cu")
        self.nvcc("-ptx", "-arch=sm_100a", *WARNINGS, *INCLUDES, path, "-o", "k.ptx")

    def launch(self, kernel, *arguments, block=128, results=()):
        """The values of the parameters whose numbers are in `results`, (number, how struct calls an element)."""
        name = lambda number: f"{kernel}_param_{number}"
        words = [f"{name(i)}={each}" for i, each in enumerate(arguments)]
        saves = [word for number, _ in results for word in ("--save", f"{name(number)}={number}.npy")]
        self.call(self.tools["tmemc"], "run", "k.ptx", kernel, *words, "--on=emulator", "--block", str(block), *saves)
        values = []
        for number, code in results:
            with open(self.path(f"{number}.npy"), "rb") as file:
                values.append([value for value, in struct.iter_unpack(f"<{code}", npy_payload(file.read()))])
        return values[0] if len(values) == 1 else values


def bf16(value):
    """The bits of the nearest, ties to even; value is no NaN."""
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


def cell(lane, column):
    """What `fill` of functions.cu puts there."""
    return (7 * lane + column) % 101 - 50.0


def scaled_tile(scale, width=64):
    return [bf16(cell(row, col) * scale) for row in range(128) for col in range(width)]


# Of a datapath: the lane and column of (row, col), `width` columns wide.
DATAPATHS = {"D": lambda row, col, width: (row, col),
             "F": lambda row, col, width: (32 * (row // 16) + row % 16, col),
             "B": lambda row, col, width: (row + 64 * (col >= width // 2), col % (width // 2))}
ATOMS = [("32x32b", 128, "D"), ("16x64b", 128, "D"), ("16x128b", 128, "D"), ("16x256b", 128, "D"),
         ("32x32b", 64, "B"), ("16x64b", 64, "F"), ("16x128b", 64, "F"), ("16x256b", 64, "F"), ("16x32bx2", 64, "F")]


def test_where_elements_lie(place):
    """Loads and stores by every atom: a fragment's rows and columns, as the header tells them, against raw cells."""
    place.header("placement")
    place.ptx("placement")
    for atom, rows, datapath in ATOMS:
        width = 4096 // rows
        lies = DATAPATHS[datapath]
        places = [(row, col, *lies(row, col, width)) for row in range(rows) for col in range(width)]
        got = place.launch(f"load_{atom}_{rows}", "zeros:f32[4096]", results=[(0, "f")])
        assert got == [1000.0 * lane + column for _, _, lane, column in places], (atom, rows)
        cells = [1000.0 * lane + column for lane in range(128) for column in range(64)]
        for row, col, lane, column in places:
            cells[64 * lane + column] = 1000.0 * row + col + 0.5
        got = place.launch(f"store_{atom}_{rows}", "zeros:f32[8192]", results=[(0, "f")])
        assert got == cells, (atom, rows)


def functions(place):
    place.header("functions")
    place.header("functions", "other.cuh", "--prefix=my_", "--namespace=other::deep")
    place.ptx("functions")


def test_functions_in_kernels(place):
    """The scaled epilogue, direct and staged; several functions in one kernel, of two headers; warps 4 to 7."""
    functions(place)
    tile = "zeros:b16[128, 64]"
    for kernel, block in (("scaled", 128), ("staged", 128), ("upper_warps", 256)):
        got = place.launch(kernel, tile, 1.3125, block=block, results=[(0, "H")])
        assert got == scaled_tile(1.3125), kernel
    first, others = place.launch("several", tile, "zeros:b16[2, 8192]", 0.375, results=[(0, "H"), (1, "H")])
    assert first == scaled_tile(0.375)
    assert others == scaled_tile(0.375) + scaled_tile(1.375)


def test_parameters_of_every_kind(place):
    """Fragments as words and as elements, in, out and both; scalars of 8 to 32 bits; threads that hold nothing."""
    functions(place)
    narrowed, words, doubled = place.launch("fragments", "zeros:f16[2048]", "zeros:f16[2048]", "zeros:f32[2048]",
                                            results=[(0, "e"), (1, "e"), (2, "f")])
    given = [row + col / 16 for row in range(128) for col in range(16)]
    rounded = [struct.unpack("<e", struct.pack("<e", each))[0] for each in given]
    assert narrowed == rounded
    assert words == [-each for each in rounded]
    assert doubled == [2 * each for each in given]
    sums = place.launch("scalars", "zeros:s32[256]", results=[(0, "i")])
    assert sums[:128] == [-3 + 200 - 30000 + 60000 - 7 + 1000000] * 128
    assert sums[128:] == [-128 + 255 - 32768 + 65535 - 2000000000 + 5] * 128
    got = place.launch("half_of_the_warps", "zeros:f32[4096]", results=[(0, "f")])
    at = lambda row, col, first: cell(64 + row, first + col)  # B of 32 columns: the right half lies 64 lanes on
    assert got[:2048] == [at(row, col, first) for first in (0, 32) for row in range(64) for col in range(16)]
    assert got[2048:3072] == [-2.0] * 1024


# Bytes of each element type.
DTYPES = {"f32": 4, "f16": 2, "bf16": 2, "tf32": 4, "f8e4m3": 1, "f8e5m2": 1, "u8": 1, "s8": 1, "u16": 2, "s16": 2, "u32": 4,
          "s32": 4, "b8": 1, "b16": 2, "b32": 4}


def test_element_types(place):
    """Every type as tensor, fragment and scalar, all bits of it; fragments of one dimension."""
    functions(place)
    for dtype, size in DTYPES.items():
        stored, filled = place.launch(f"kind_{dtype}", f"zeros:b32[{128 * size}]", f"zeros:b32[{128 * size}]", "0x9abcdef1",
                                      results=[(0, "I"), (1, "I")])
        assert stored == [(thread * 0x1030507 + i) % 2**32 for thread in range(128) for i in range(size)], dtype
        scalar = 0x9abcdef1 % 256**size
        assert filled == [scalar * {1: 0x1010101, 2: 0x10001, 4: 1}[size]] * (128 * size), dtype
    rows, quads, stored = place.launch("vectors", "zeros:f32[128]", "zeros:f32[64]", "zeros:f32[64]",
                                       results=[(0, "f"), (1, "f"), (2, "f")])
    assert rows == [max(cell(row, col) for col in range(64)) for row in range(128)]
    lies = DATAPATHS["F"]
    assert quads == stored == [max(cell(*lies(row, col, 32)) for col in range(32)) for row in range(64)]


def test_examples(place):
    """The kernels of examples/embed: an epilogue by the second warpgroup, and two epilogues in one kernel."""
    place.header(os.path.join(EXAMPLES, "epilogue.tmx"))
    tile = [(17 * i % 257 - 128) / 4 for i in range(128 * 64)]
    with open(place.path("tile.npy"), "wb") as out:
        out.write(npy("<f4", [128, 64], struct.pack("<8192f", *tile)))
    scaled = [bf16(each * 0.375) for each in tile]
    place.ptx(os.path.join(EXAMPLES, "one_epilogue.cu"))
    assert place.launch("one_epilogue", "@tile.npy", "zeros:b16[8192]", 0.375, block=256, results=[(1, "H")]) == scaled
    place.ptx(os.path.join(EXAMPLES, "two_epilogues.cu"))
    got, sums = place.launch("two_epilogues", "@tile.npy", "zeros:b16[8192]", "zeros:f32[64]", 0.375,
                             results=[(1, "H"), (2, "f")])
    assert got == scaled
    assert sums == [sum(max(0, tile[64 * row + col]) for row in range(128)) for col in range(64)]


def test_commands_of_examples(place):
    """What the examples of examples/embed say of how they are compiled works."""
    os.makedirs(place.path("examples"))
    shutil.copytree(EXAMPLES, place.path("examples/embed"))
    for name in ("one_epilogue", "two_epilogues"):
        with open(os.path.join(EXAMPLES, f"{name}.cu")) as file:
            commands = re.findall(r"^//     (tmemc|nvcc) (.*)$", file.read(), re.M)
        assert [tool for tool, _ in commands] == ["tmemc", "nvcc"], commands
        for tool, words in commands:
            if not place.tools[tool]:
                raise Skip(f"no {tool}")
            place.call(place.tools[tool], *words.split())
        assert os.path.exists(place.path(f"{name}.o"))


def small(place):
    place.header("small")
    place.header("small", "small_too.cuh", "--prefix=my_", "--namespace=too")
    return os.path.join(TESTS, "cuda", "small.cu")


def test_objects(place):
    """Several targets at once, with and without tensor memory, and code for debugging; no warning."""
    source = small(place)
    for flags in ("-gencode arch=compute_90,code=sm_90 -gencode arch=compute_100a,code=sm_100a", "-arch=sm_103a -G"):
        place.nvcc(*WARNINGS, "-DKERNEL=k", *flags.split(), "-c", source, "-o", "k.o")


def test_every_target(place):
    """Tensor memory where it is, a trap and no warning where it is missing."""
    source = small(place)
    for target, traps in (("100f", False), ("103a", False), ("110a", False), ("100", True), ("75", True), ("120a", True)):
        place.nvcc("-ptx", *WARNINGS, "-DKERNEL=k", f"-arch=compute_{target}", source, "-o", "k.ptx")
        with open(place.path("k.ptx")) as file:
            text = file.read()
        assert ("trap;" in text) == traps and ("tcgen05.ld" in text) != traps, target


def test_what_some_targets_have(place):
    """A function with an instruction that sm_100 lacks is there from sm_103 on."""
    place.header("newer")
    for target, there in (("100a", False), ("100f", False), ("103a", True), ("110f", True)):
        place.nvcc("-ptx", *WARNINGS, f"-arch=compute_{target}", os.path.join(TESTS, "cuda", "newer.cu"), "-o", "k.ptx")
        with open(place.path("k.ptx")) as file:
            text = file.read()
        assert ("tcgen05.ld.red" in text) == there and ("trap;" in text) != there, target


def test_each_function_asks_for_its_own(place):
    """Of one header: integers are there from sm_75 on, a conversion to bf16 from sm_80 on, tensor memory where it is."""
    place.write("mixed.tmx", """function shifted(inout frag X: u32[128, 2]) { X = max(X, 3); }
function narrowed(in frag X: f32[128, 2], out frag Y: bf16[128, 2]) { Y = cast<bf16>(X); }
function loaded(tmem T: f32[128, 2] datapath D, out frag X: f32[128, 2]) { copy_async X <- T; wait ld; }
""")
    place.header(place.path("mixed.tmx"))
    place.write("k.cu", """#include "mixed.cuh"
__global__ void k(uint32_t acc, uint32_t* out) {
    uint32_t x[2] = {acc, acc + threadIdx.x}, y[1] = {0};
    if (shifted_supported) shifted(x);
    if (narrowed_supported) narrowed(x, y);
    if (loaded_supported) loaded(acc, x);
    for (uint32_t i = 0; i < 2; ++i) out[2 * threadIdx.x + i] = x[i] + y[0];
}
""")
    for target, there in (("75", 1), ("80", 2), ("90a", 2), ("100", 2), ("100a", 3), ("120f", 2), ("110f", 3)):
        place.nvcc("-ptx", *WARNINGS, f"-arch=compute_{target}", place.path("k.cu"), "-o", "k.ptx")
        with open(place.path("k.ptx")) as file:
            text = file.read()
        found = ["max.u32" in text, "cvt.rn" in text, "tcgen05.ld" in text]
        assert found == [each < there for each in range(3)] and "trap;" not in text, (target, found)


def test_registers_that_messages_need(place):
    """Of 512 threads each has 128: a message of 128 registers does not fit, as the header says, and one of 64 does."""
    program = place.write("wide.tmx", "function load_wide(tmem T: f32[128, 128] datapath D, out frag X: f32[128, 128]) "
                                      "{ copy_async X <- T; wait ld; }\n"
                                      "function nothing(inout frag X: u32[128, 2]) { X = max(X, 3); }\n")
    place.write("k.cu", """#include "wide.cuh"
__global__ void __launch_bounds__(512) k(uint32_t acc, float* out) {
    float x[load_wide_X_registers];
    load_wide(acc, x);
    float sum = 0;
    for (float each : x) sum += each;
    out[threadIdx.x] = sum;
}
static_assert(load_wide_min_registers == LEAST && nothing_min_registers == 0, "");
""")
    for options, least, status in (([], 146, 255), (["--max-message=64"], 82, 0)):
        place.header(program, None, *options)
        if not place.tools["nvcc"]:
            raise Skip("no nvcc")
        done = place.call(place.tools["nvcc"], "-I", place.folder, "-arch=sm_100a", f"-DLEAST={least}", "-cubin", "k.cu", "-o",
                          "k.cubin", status=status)
        assert status == 0 or f"register target of {least} or higher" in done.stderr, done.stderr


def test_names_that_others_have(place):
    """Functions, parameters and fragments named as CUDA's types, the C library's macros and words of nvcc."""
    names = ("half half2 nv_bfloat16 nv_bfloat162 NAN INFINITY M_PI INT_MAX HUGE_VAL std memcpy dim3 uchar4 float2 "
             "__shared__ __device__ __trap __half __CUDA_ARCH__ _Bool _Complex").split()
    place.write("functions.tmx", "".join(f"function {name}(inout frag X: f16[128, 2]) {{ X = X + X; }}\n" for name in names))
    place.write("parameters.tmx", "".join(
        f"function given{i}({name}: f16, {other}: u8, inout frag Y: f16[128, 2], inout frag {third}: u8[128, 4]) "
        f"{{ Y = {name}; {third} = {other}; }}\n"
        for i, (name, other, third) in enumerate(zip(names, names[1:] + names[:1], names[2:] + names[:2]))))
    for program in ("functions", "parameters"):
        place.header(place.path(f"{program}.tmx"))
        place.header(place.path(f"{program}.tmx"), f"{program}_too.cuh", "--prefix=_", "--namespace=too")
    place.write("k.cu", "#include <math.h>\n#include <limits.h>\n#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
                + "".join(f'#include "{name}.cuh"\n#include "{name}_too.cuh"\n' for name in ("functions", "parameters")))
    place.nvcc("-ptx", *WARNINGS, "-arch=sm_100a", place.path("k.cu"), "-o", "k.ptx")


def test_two_translation_units_link(place):
    """The header in two of them, with and without relocatable device code; no warning."""
    source = small(place)
    for rdc in ([], ["-rdc=true"]):
        for number, macros in ((1, ["-DKERNEL=k", "-DMAIN"]), (2, ["-DKERNEL=l"])):
            place.nvcc(*WARNINGS, "-arch=sm_100a", *rdc, *macros, "-c", source, "-o", f"{number}.o")
        place.nvcc("-arch=sm_100a", *rdc, "1.o", "2.o", "-o", "program")
        place.call(place.path("program"))


LINKED = """#include <stdint.h>
extern "C" __device__ void f(uint32_t acc, float* C, float a, uint16_t b, int8_t c, uint32_t staging);
extern "C" __global__ void k(float* C) {
    __shared__ __align__(128) unsigned char room[32768];
    f(0, C, 2.0f, 1, 2, static_cast<uint32_t>(__cvta_generic_to_shared(room)));
}
"""


def test_functions_link(place):
    """An assembled `.func` with parameters of every kind is what a declaration in CUDA C++ declares, says nvlink."""
    place.write("f.tmx", "function f(tmem acc: f32[128, 32] datapath D, out C: f32[128, 32], a: f32, b: u16, c: s8) {\n"
                "  frag X: f32[128, 32];\n  copy_async X <- acc;\n  wait ld;\n"
                "  X = X * a + cast<f32>(cast<s32>(b) + cast<s32>(c));\n  copy C <- X staged;\n}\n")
    place.write("k.cu", LINKED)
    place.call(place.tools["tmemc"], "build", "f.tmx", "-w", "-o", "f.cubin")
    place.nvcc("-arch=sm_100a", "-rdc=true", "-dc", place.path("k.cu"), "-o", "k.o")
    said = place.nvcc("-arch=sm_100a", "-dlink", "f.cubin", "k.o", "-o", "linked.o")
    assert said.stdout + said.stderr == "", said


def test_the_host_alone(place):
    """Two headers in one translation unit without CUDA; what is constexpr is right there."""
    small(place)
    compiler = shutil.which("g++") or shutil.which("c++")
    if not compiler:
        raise Skip("no g++")
    for standard in ("c++17", "c++20"):
        place.call(compiler, f"-std={standard}", "-Wall", "-Wextra", "-Wpedantic", "-Wundef", "-Wshadow", "-Werror", "-I",
                   place.folder, os.path.join(TESTS, "cuda", "host.cpp"), "-o", "host")
        place.call(place.path("host"))


def atom_maps():
    """shape: {(row of the slab, column): (lane, register)} of its narrowest message, from data/atom_maps.csv."""
    maps = {}
    for line in open(os.path.join(TESTS, "data", "atom_maps.csv")).read().splitlines()[1:]:
        shape, num, thread, reg, lane, column = line.split(",")
        if num == "1" and shape in ("16x64b", "16x128b", "16x256b"):
            maps.setdefault(shape, {})[int(lane), int(column)] = int(thread), int(reg)
    return maps


def holder(maps, atom, rows, words, row, word):
    """The thread and register of a word of a fragment that is `words` wide."""
    if atom == "32x32b":
        part = words * rows // 128
        return row + rows * (word // part), word % part
    if atom == "16x32bx2":
        return 32 * (row // 16) + row % 16 + 16 * (word >= words // 2), word % (words // 2)
    of = maps[atom]
    width, registers = 1 + max(word for _, word in of), 1 + max(reg for _, reg in of.values())
    lane, reg = of[row % 16, word % width]
    reg += word // width * registers
    if rows == 64:
        return 32 * (row // 16) + lane, reg
    return 32 * (row // 32) + lane, reg + row // 16 % 2 * (words // width * registers)


def test_places_by_formula(place):
    """The constexpr functions of every atom, at widths that are powers of two and others, for elements of 8 to 32 bits, and
    of layouts that leave threads and registers out, compiled for the host and asked for each thread and element."""
    maps, cases = atom_maps(), []
    for atom, rows, unit in (("32x32b", 128, 1), ("32x32b", 64, 2), ("32x32b", 32, 4), ("16x64b", 128, 2), ("16x64b", 64, 2),
                             ("16x128b", 128, 4), ("16x128b", 64, 4), ("16x256b", 128, 8), ("16x256b", 64, 8),
                             ("16x32bx2", 64, 2)):
        for units, dtype, size in ((1, "f32", 4), (3, "f16", 2), (4, "u8", 1), (8, "b32", 4)):
            words, per = units * unit, 4 // size
            wanted = {}
            for row in range(rows):
                for col in range(words * per):
                    thread, reg = holder(maps, atom, rows, words, row, col // per)
                    wanted[thread, reg * per + col % per] = row, col
            cases.append((f"{dtype}[{rows}, {words * per}] atom {atom}", wanted))
    cases.append(("f32[32, 3] layout S[(32, 3) : (2@tid_in_wg, 2)] + 1@tid_in_wg",
                  {(2 * row + 1, 2 * col): (row, col) for row in range(32) for col in range(3)}))
    cases.append(("f16[64, 2] layout S[(64, 2) : (-1@tid_in_wg, 1)] + R[(2) : (64@tid_in_wg)] + 63@tid_in_wg",
                  {(63 - row + 64 * copy, col): (row, col) for row in range(64) for col in range(2) for copy in range(2)}))
    place.write("forms.tmx", "".join(f"function tile{i}(in frag X: {each}) {{ }}\n" for i, (each, _) in enumerate(cases)))
    place.header(place.path("forms.tmx"))
    place.write("forms.cpp", '#include "forms.cuh"\n#include <stdio.h>\nint main() {\n' + "".join(
        f'for (int t = 0; t < 128; ++t) for (int i = 0; i < tile{k}_X_elements; ++i) '
        f'printf("%d %d\\n", tile{k}_X_row(t, i), tile{k}_X_col(t, i));\n' for k in range(len(cases))) + "}\n")
    compiler = shutil.which("g++") or shutil.which("c++")
    if not compiler:
        raise Skip("no g++")
    place.call(compiler, "-std=c++17", "-Wall", "-Wextra", "-Werror", "forms.cpp", "-o", "forms")
    said = iter(tuple(map(int, line.split())) for line in place.call(place.path("forms")).stdout.splitlines())
    for text, wanted in cases:
        elements = 1 + max(element for _, element in wanted)
        got = [next(said) for _ in range(128 * elements)]
        assert got == [wanted.get((t, i), (-1, -1)) for t in range(128) for i in range(elements)], text
    assert next(said, None) is None


def test_same_bytes(place):
    """A header does not depend on when, where or how often it is made; its guard does on what is in it."""
    first = place.header("functions")
    again = place.header("functions", "again.cuh")
    copy = place.path("functions.tmx")
    shutil.copy(os.path.join(TESTS, "cuda", "functions.tmx"), copy)
    assert first == again == place.header(copy, "copy.cuh") == place.header(copy)
    assert place.folder.encode() not in first
    guard = re.compile(rb"#ifndef (\w+)")
    assert guard.search(first)[1] != guard.search(place.header("functions", "other.cuh", "--prefix=my_"))[1]


def test_text_is_that_of_the_ptx(place):
    """The assembly of a header, read back, is the verified text of the function but for what brings in its parameters."""
    path = os.path.join(TESTS, "cuda", "small.tmx")
    header = place.header("small", "small.cuh", "--no-comments").decode()
    body = header[header.index("void store_scaled("):]
    body = body[:body.index('"}"')]
    lines = [line.replace("%%", "%") for line in re.findall(r'^ +"(.*);\\n\\t"$', body, re.M)]
    ours = [line for line in lines if not re.fullmatch(r"mov\.b\d+ %\w+, %\d", line)]
    assert len(ours) == len(lines) - 3, lines  # of acc, C and scale
    function = place.call(place.tools["tmemc"], "build", place.write("one.tmx", store_scaled_alone(path)), "-w", "--emit=ptx",
                          "-o", "-", "--no-comments").stdout
    text = function[function.index("{\n") + 2:function.rindex("}")]
    theirs = [line.strip().removesuffix(";") for line in text.splitlines() if line.strip()]
    assert ours == [line for line in theirs if not line.startswith("ld.param") and line != "ret"]


def store_scaled_alone(path):
    with open(path) as file:
        text = file.read()
    return text[text.index("function store_scaled"):]


def kept_counts(place, release):
    return os.path.join(TESTS, "data", "sass", f"cuda_{release}.txt")


def test_no_instruction_more_than_by_hand(place):
    """Pairs of kernels: with the header and with inline assembly. No spill, no instruction more, no count that rises. Of two
    calls in a loop nvcc finds what they have in common, but not within assembly: 3% more may be."""
    place.header("tight")
    place.nvcc("-O3", "-std=c++17", "-arch=sm_100a", "-cubin", *INCLUDES, os.path.join(TESTS, "cuda", "tight.cu"), "-o",
               "k.cubin")
    now = {}
    for line in place.call(place.tools["counter"], "k.cubin").stdout.splitlines():
        _, name, *words = line.split()
        counts = dict(zip(words[::2], words[1::2]))
        now[name] = (int(counts["instructions"]), int(counts["registers"]), int(counts["spills"]))
    pairs = sorted(name.removesuffix("_header") for name in now if name.endswith("_header"))
    assert len(pairs) == 4, now
    for pair in pairs:
        ours, hand = now[f"{pair}_header"], now[f"{pair}_hand"]
        most = hand[0] if pair != "two" else hand[0] * 1.03
        assert ours[2] == 0 and ours[0] <= most, f"{pair}: {ours}, by hand {hand}"
    release = re.search(r"release (\d+\.\d+)", place.call(place.tools["nvcc"], "--version").stdout)[1]
    path = kept_counts(place, release)
    lines = ["# kernel | instructions | registers | by hand: instructions | registers"]
    lines += [" | ".join(map(str, (pair, *now[f"{pair}_header"][:2], *now[f"{pair}_hand"][:2]))) for pair in pairs]
    if place.tools["update"]:
        with open(path, "w") as out:
            out.write("\n".join(lines) + "\n")
    if not os.path.exists(path):
        raise Skip(f"no counts are kept for nvcc {release}")
    kept = open(path).read().splitlines()
    for line, before in zip(lines[1:], kept[1:]):
        assert int(line.split("|")[1]) <= int(before.split("|")[1]), f"now {line}, kept {before}"


def run_one(tools, function):
    with tempfile.TemporaryDirectory(prefix="tmemc-cuda-") as folder:
        try:
            function(Place(tools, folder))
        except Skip as why:
            return f"skipped: {why}"
        except AssertionError as why:
            return f"{function.__doc__}\n{why}"
        except Exception:
            return traceback.format_exc()
    return None


def run_all(tmemc, build, nvcc, update=False):
    """Of each test its name and None, what is wrong, or "skipped: ..."; as many at a time as there are processors."""
    tools = {"tmemc": os.path.abspath(tmemc), "nvcc": nvcc, "update": update,
             "counter": os.path.abspath(os.path.join(build, "tests", "bench", "count_cubin"))}
    tests = [(name, each) for name, each in globals().items() if name.startswith("test_")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = [(name, pool.submit(run_one, tools, each)) for name, each in tests]
        for name, result in results:
            yield name.removeprefix("test_").replace("_", " "), result.result()
