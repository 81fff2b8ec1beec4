"""`tmemc run` on PTX that the compiler did not write: arguments, grids, limits and what is refused. The judge is plain
Python arithmetic; the small kernels are written here so that a test shows what it runs."""
import os, re, struct, time

from commands import Here, npy, npy_payload

HEAD = ".version 9.0\n.target sm_100a\n.address_size 64\n"

# Y[t] = a*X[t] + Y[t] for the n threads of the grid, x fastest; a second kernel of no parameters.
AXPY = HEAD + """.visible .entry axpy(.param .u64 X, .param .u64 Y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>;
  ld.param.u64 %d0, [X]; ld.param.u64 %d1, [Y]; ld.param.f32 %f0, [a]; ld.param.u32 %r0, [n];
  mov.u32 %r1, %ctaid.z; mov.u32 %r2, %nctaid.y; mov.u32 %r3, %ctaid.y; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %nctaid.x; mov.u32 %r3, %ctaid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.u32 %r1, %r1, %r2, %r3;
  mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
  setp.ge.u32 %p, %r1, %r0;
  @%p bra END;
  mul.wide.u32 %d2, %r1, 4; add.u64 %d0, %d0, %d2; add.u64 %d1, %d1, %d2;
  ld.global.f32 %f1, [%d0]; ld.global.f32 %f2, [%d1]; fma.rn.f32 %f2, %f0, %f1, %f2; st.global.f32 [%d1], %f2;
END: ret;
}
"""
NOTHING = ".visible .entry nothing() .reqntid 32 { ret; }\n"


def test_a_grid_of_blocks_over_tensors(here):
    """a*X + Y over grids and blocks of one to three dimensions, on one host thread and on several."""
    here.write("axpy.ptx", AXPY)
    for grid, block, count in (("1", "30", 30), ("3", "10", 30), ("5,3", "2", 30), ("5,3,2", "1,1", 30),
                               ("2,2", "4,2", 30)):
        for threads in ("1", "4"):
            said = here.run("run", "axpy.ptx", "X=iota:f32[30]", "Y=ones:f32[30]", "a=-2.5", f"n={count}", "--grid",
                            grid, "--block", block, "--threads", threads, "--save", "Y=y.npy").stdout
            assert said == ""
            got = struct.unpack("<30f", npy_payload(here.read("y.npy")))
            assert list(got) == [1 - 2.5 * i for i in range(30)], (grid, block, got)


def test_where_values_come_from(here):
    """Files, generators, numbers in every spelling; a random tensor repeats with its seed and not with another."""
    here.write("axpy.ptx", AXPY)
    here.write("x.npy", npy("<f4", [2, 4], struct.pack("<8f", *range(8))))
    run = lambda *words: here.run("run", "axpy.ptx", *words, "--block", "8", "--print", "Y").stdout.split("\n", 1)
    for spelt, value in (("2", 2), ("-2", -2), ("0x10", 16), ("0b11", 3), ("2.5e1", 25), ("-.5", -.5)):
        title, rows = run("X=@x.npy:f32[2,4]", "Y=zeros:f32[2,4]", f"a={spelt}", "n=0x8")
        assert title == "Y: f32[2, 4]" and [float(each) for each in rows.split()] == [value * i for i in range(8)]
    first = run("X=random:f32[8]", "Y=random:7:f32[8]", "a=0", "n=8")
    assert first == run("X=random:f32[8]", "Y=random:7:f32[8]", "a=0", "n=8")
    assert first != run("X=random:f32[8]", "Y=random:8:f32[8]", "a=0", "n=8")


SCALARS = {"u8": "B", "s8": "b", "b8": "B", "u16": "H", "s16": "h", "b16": "H", "f16": "e", "u32": "I", "s32": "i",
           "b32": "I", "f32": "f", "u64": "Q", "s64": "q", "b64": "Q", "f64": "d"}


def test_scalars_of_every_kind(here):
    """Each scalar parameter arrives with its bits: -1, the largest, hex, a float in floating ones."""
    for kind, code in SCALARS.items():
        size = struct.calcsize(code)
        load = f"ld.param.b{8 * size} " + ("%d1" if size == 8 else "%r1") + ", [x]; "
        store = f"st.global.b{8 * size} [%d0], " + ("%d1" if size == 8 else "%r1") + "; ret;"
        here.write("k.ptx", HEAD + f".visible .entry k(.param .u64 out, .param .{kind} x) {{ .reg .b64 %d<2>; "
                   f".reg .b32 %r<2>; ld.param.u64 %d0, [out]; {load}{store} }}\n")
        floating = code in "efd"
        tries = [(1.5, "1.5"), (-0.25, "-0.25"), (3, "3"), (-16, "-0x10")] if floating else \
            [(-1, "-1"), (5, "0x5"), (2 ** (8 * size - 1) - 1, str(2 ** (8 * size - 1) - 1)),
             (-2 ** (8 * size - 1), str(-2 ** (8 * size - 1)))]
        for value, spelt in tries:
            here.run("run", "k.ptx", f"out=zeros:u8[{size}]", f"x={spelt}", "--block", "1", "--save", "out=o.npy")
            wanted = struct.pack("<" + code, value) if floating else \
                (value % 2 ** (8 * size)).to_bytes(size, "little")
            assert npy_payload(here.read("o.npy")) == wanted, (kind, spelt)
        if kind == "b32":  # any 32 bits: compilers declare floats so
            here.run("run", "k.ptx", "out=zeros:u8[4]", "x=1.5", "--block", "1", "--save", "out=o.npy")
            assert npy_payload(here.read("o.npy")) == struct.pack("<f", 1.5)
        elif not floating:
            assert "holds nothing else" in here.run("run", "k.ptx", f"out=zeros:u8[{size}]", "x=1.5", "--block", "1",
                                                    status=2).stderr
        if not floating and size < 8:
            for beyond in (2 ** (8 * size), -2 ** (8 * size - 1) - 1):
                said = here.run("run", "k.ptx", f"out=zeros:u8[{size}]", f"x={beyond}", "--block", "1", status=2)
                assert f"x={beyond}: {beyond} does not fit in {8 * size} bits" in said.stderr, said.stderr


def test_a_null_pointer_is_a_number(here):
    """A pointer without a type is its value; using it is a fault of the program."""
    here.write("axpy.ptx", AXPY)
    here.run("run", "axpy.ptx", "X=0", "Y=0", "a=1", "n=0", "--block", "32")
    said = here.run("run", "axpy.ptx", "X=0", "Y=0", "a=1", "n=1", "--block", "32", status=4).stderr
    assert "error[TM0706]" in said and "no allocation lies near it" in said, said


def test_what_is_not_given_or_does_not_fit(here):
    """Exit 2 with a way out: kernels, parameters, types, structures, blocks."""
    here.write("axpy.ptx", AXPY)
    here.write("two.ptx", AXPY + NOTHING)
    here.write("struct.ptx", HEAD + ".visible .entry k(.param .align 8 .b8 S[24]) .reqntid 32 { ret; }\n")
    tensors = ("X=iota:f32[8]", "Y=ones:f32[8]")
    for words, said in (
            (("axpy.ptx",), "`X` is not given; write its values and type: X=zeros:f32[128,8]"),
            (("axpy.ptx", *tensors, "n=8"), "`a` (f32) is not given; write a=1"),
            (("axpy.ptx", "x=iota:f32[8]"), "kernel `axpy` has no parameter `x`; did you mean `X`?"),
            (("axpy.ptx", "X=iota"), "X=iota: PTX does not say what `X` points to; add the type: X=iota:f32[128,8]"),
            (("axpy.ptx", "X=itoa:f32[8]"), "did you mean `iota`?"),
            (("axpy.ptx", "X=@no.npy:f32[8]", "Y=ones:f32[8]", "a=1", "n=1", "--block", "8"), "no.npy"),
            (("axpy.ptx", *tensors, "a=random", "n=8", "--block", "8"), "`a` is a scalar of type f32"),
            (("axpy.ptx", *tensors, "a=1", "n=8"), "`axpy` has no .reqntid; say the block's threads with --block N"),
            (("axpy.ptx", *tensors, "a=1", "n=8", "--block", "0"), "--block takes one to three positive numbers"),
            (("axpy.ptx", *tensors, "a=1", "n=8", "--grid", "1,1,1,1"), "--grid takes one to three positive numbers"),
            (("axpy.ptx", *tensors, "a=1", "n=8", "--block", "8", "--threads", "0"), "--threads takes a number from 1"),
            (("axpy.ptx", *tensors, "a=1", "n=8", "--block", "8", "--expect", "Z=Y"), "no parameter `Z`"),
            (("axpy.ptx", "axpi"), "no kernel `axpi`; did you mean `axpy`?"),
            (("two.ptx",), "has 2 kernels; name one of axpy, nothing"),
            (("struct.ptx",), "`S` is a structure of 24 bytes and not given; write S=hex:0011... or S=@FILE.npy"),
            (("struct.ptx", "S=1"), "S=1: `S` is a structure of 24 bytes: give it hex:0011... or @FILE.npy"),
            (("struct.ptx", "S=hex:0011"), "`S` has 24 bytes, and 2 are given"),
            (("struct.ptx", "S=hex:001"), "`1` is no byte"),
            (("axpy.ptx", "X=hex:00", "Y=ones:f32[8]"), "X=hex:00: "),
            (("axpy.ptx", "X=zeros:i32[8]"), "no dtype is called `i32`, did you mean `s32`?"),
            (("axpy.ptx", "X=zeros:f64[8]"), "elements have at most 32 bits, two of b32 hold one of 64"),
            (("axpy.ptx", *tensors, "a=1", "n=8", "--block", "2000"), "a block has at most 1024 threads, not 2000x1x1"),
            (("axpy.ptx", *tensors, "--shared", "300000"), "--shared takes a number from 0 to 232448, not `300000`"),
            *((("axpy.ptx", *tensors, f"--timeout={wrong}"), f"--timeout takes seconds from 0.001 to 1000000000, not `{wrong}`")
              for wrong in ("0", "-1", "nan", "1e-9", "inf", "x")),
            (("axpy.ptx", *tensors, "--max-steps=0"), "--max-steps takes a number from 1 to"),
            (("axpy.ptx", *tensors, "--max-steps=-1"), "--max-steps takes a number from 1 to"),
            (("axpy.ptx", *tensors, "--max-steps=99999999999999999999"), "does not fit in a signed 64-bit integer"),
            (("no.ptx",), "no.ptx")):
        err = here.run("run", *words, status=2).stderr
        assert said in err, f"{words}: {err}"
    here.run("run", "two.ptx", "nothing")
    here.run("run", "nothing.ptx", status=2)


def test_structures_and_files_bring_their_types(here):
    """A structure by value is its bytes, in digits or a file; a file without a type has the one in its header."""
    here.write("k.ptx", HEAD + """.visible .entry k(.param .u64 out, .param .align 4 .b8 S[8]) .reqntid 1
{
  .reg .b64 %d<2>; .reg .b32 %r<3>;
  ld.param.u64 %d0, [out]; ld.param.b32 %r0, [S]; ld.param.b32 %r1, [S+4]; ld.global.u32 %r2, [%d0+4];
  add.u32 %r2, %r2, %r1; st.global.v2.u32 [%d0], {%r0, %r2}; ret;
}
""")
    here.write("o.npy", npy("<i4", [2, 1], struct.pack("<2i", 0, -5)))
    here.write("s.npy", npy("<u2", [4], struct.pack("<2I", 7, 8)))
    for given, wanted in (("hex:0700000009000000", (7, 4)), ("@s.npy", (7, 3))):
        said = here.run("run", "k.ptx", "out=@o.npy", f"S={given}", "--print", "out").stdout
        assert said.split() == ["out:", "s32[2,", "1]", *map(str, wanted)], said
    here.write("f.npy", npy("<f8", [2], struct.pack("<2d", 0, 1)))
    assert "no dtype fits" in here.run("run", "k.ptx", "out=@f.npy", "S=@s.npy", status=2).stderr
    assert "`S` has 8 bytes, and 16 are given" in here.run("run", "k.ptx", "out=@o.npy", "S=@f.npy", status=2).stderr


def test_ptx_is_recognised_wherever_it_is_given(here):
    """By what it says: run takes it from standard input, the verbs of .tmx files say where it belongs."""
    here.write("k.tmx", "/* made */ // by hand\n" + HEAD + NOTHING)
    for words in (("build", "k.tmx"), ("check", "k.tmx"), ("test", "k.tmx"), ("check", "-")):
        said = here.run(*words, status=2, stdin=HEAD + NOTHING).stderr
        name = "<stdin>" if words[-1] == "-" else "k.tmx"
        assert said == f"tmemc: error: `{name}` is PTX; it can be run: tmemc run {words[-1]}\n", said
    here.run("run", "k.tmx")
    here.run("run", "-", stdin=HEAD + NOTHING)


def test_many_mistakes_take_little_time(here):
    """A name of 100,000 dots, 20,000 unknown instructions, much local memory, initial values that only pad."""
    body = lambda text: HEAD + ".visible .entry k() .reqntid 32 { " + text + " }\n"
    for text, status in ((body("add" + ".x" * 100000 + " 1;"), 1),
                         (body("".join(f"frobnicate.u{i} 1;\n" for i in range(20000))), 1),
                         (body(".local .b8 much[500000]; .reg .b32 %r; mov.u32 %r, 1; ret;"), 0),
                         (HEAD + ".global .b8 t[60000][30000] = {" + ", ".join(["{1}"] * 60000) + "};\n" + NOTHING, 1)):
        here.write("k.ptx", text)
        begin = time.monotonic()
        here.run("run", "k.ptx", "-q", "--grid", "100" if status == 0 else "1", status=status)
        assert time.monotonic() - begin < 20, text[:200]


def test_each_exit_status_of_run(here):
    """0 fine, 1 the PTX, 2 the command, 3 no device, 4 a mismatch, a fault, a limit; -v is one line of numbers."""
    here.write("axpy.ptx", AXPY)
    here.write("ever.ptx", HEAD + ".visible .entry k() .reqntid 32 { EVER: bra EVER; }\n")
    here.write("bad.ptx", HEAD + ".visible .entry k() .reqntid 32 { frobnicate.u32 %r1, 2; }\n")
    words = ("axpy.ptx", "X=iota:f32[8]", "Y=ones:f32[8]", "a=2", "n=8", "--block", "8")
    done = here.run("run", *words, "-v", "--expect", "X=iota")
    assert done.stdout == "" and re.fullmatch(r"emulator: 208 thread-instructions in \d+\.\d+ s\n", done.stderr)
    here.run("run", "bad.ptx", status=1)
    here.run("run", *words, "--on=gpu", status=3)
    assert "Y: 7 of 8 elements differ" in here.run("run", *words, "--expect", "Y=1", status=4).stderr
    here.run("run", *words, "--expect", "Y=1", "--atol=14")
    here.run("run", *words, "--expect", "Y=1", "--atol=13", status=4)
    here.run("run", *words, "--expect", "Y=1", "--rtol=14")
    for threads in ("1", "3"):
        for limit, code in ((("--timeout", "0.1"), "TM0709"), (("--max-steps", "1000"), "TM0708")):
            said = here.run("run", "ever.ptx", "--grid", "100", *limit, "--threads", threads, status=4).stderr
            assert code in said and "in CTA (0, 0, 0), warp 0" in said, said
    assert "TM0706" in here.run("run", "axpy.ptx", "X=iota:f32[7]", *words[2:], status=4).stderr


def test_shared_memory_of_the_launch(here):
    """--shared adds to the kernel's own shared memory, to the byte, up to what a CTA has."""
    here.write("k.ptx", HEAD + """.shared .align 4 .b32 own[2];
.visible .entry k() .reqntid 32 {
  .reg .b32 %r<3>;
  mov.u32 %r0, %tid.x; mad.lo.u32 %r1, %r0, 4, own; st.shared.u32 [%r1+8], %r0; ret;
}
""")
    here.run("run", "k.ptx", "--shared", "128")
    said = here.run("run", "k.ptx", "--shared", "127", status=4).stderr
    assert "TM0706" in said and "the CTA has 135 bytes of shared memory" in said, said
    here.run("run", "k.ptx", "--shared", str(227 * 1024 - 8))
    assert "at most 232448 bytes of shared memory, not 232449" in \
        here.run("run", "k.ptx", "--shared", str(227 * 1024 - 7), status=4).stderr
    assert "--grid, --block and --shared are for .ptx files" in \
        here.run("run", os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "roundtrip.tmx"),
                 "A=zeros", "--shared", "8", status=2).stderr
