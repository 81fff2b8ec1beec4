"""The command line as a user meets it: whole commands in a folder of their own, judged by exit status, output and
files. Each function whose name starts with `test_` is one test; its docstring is what it proves. .npy files are
written here by hand, from the format's description, so that the reader under test is not its own judge."""
import collections, json, os, random, re, shutil, struct, subprocess, sys, tempfile, time, traceback

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROUNDTRIP = os.path.join(ROOT, "examples", "roundtrip.tmx")
TARGETS = ["sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"]


class Skip(Exception):
    pass


def npy(descr, shape, payload, order="False"):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple(shape)}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + payload


def npy_payload(contents):
    return contents[10 + struct.unpack("<H", contents[8:10])[0]:]


class Here:
    """A temporary folder with tmemc in it."""

    def __init__(self, tmemc, folder, ptxas):
        self.tmemc, self.folder, self.ptxas = tmemc, folder, ptxas

    def run(self, *words, status=0, environment=None, stdin=""):
        done = subprocess.run([self.tmemc, *words], cwd=self.folder, capture_output=True, text=True, input=stdin,
                              timeout=60, env=environment)
        assert done.returncode == status, f"{words}: exit {done.returncode}, not {status}\n{done.stdout}{done.stderr}"
        return done

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, contents):
        with open(self.path(name), "wb") as out:
            out.write(contents if isinstance(contents, bytes) else contents.encode())

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def need_ptxas(self):
        if not self.ptxas:
            raise Skip("no ptxas")


def lines_with(text, word):
    return [line.strip() for line in text.splitlines() if word in line and not line.strip().startswith("//")]


def test_one_message_each_way(here):
    """The round trip is one st and one ld, of the width that the columns need."""
    for width, num in ((8, 4), (2, 1), (64, 32), (256, 128)):
        ptx = here.run("build", ROUNDTRIP, "-D", f"W={width}", "--emit=ptx", "-o", "-").stdout
        for op in ("st", "ld"):
            found = lines_with(ptx, f"tcgen05.{op}.")
            assert len(found) == 1 and f"tcgen05.{op}.sync.aligned.32x32b.x{num}.b32" in found[0], found


def test_cuda_header(here):
    """Of functions: named after the input, by --emit or by the suffix; names must be those of C++."""
    here.write("x.tmx", "function f(tmem T: f32[128, 8], out frag X: f32[128, 8]) { copy_async X <- T; wait ld; }")
    here.write("k.tmx", "kernel k() { }")
    here.run("x.tmx", "--emit=cuda")
    here.run("x.tmx", "-o", "y.cuh")
    assert here.read("x.cuh") == here.read("y.cuh") and b"void f(uint32_t T, uint32_t (&X)[8])" in here.read("x.cuh")
    text = here.run("x.tmx", "--emit=cuda", "-o", "-", "--prefix=my_", "--namespace=a::b").stdout
    assert "namespace a::b {" in text and "void my_f(" in text and "constexpr int my_f_X_row(" in text
    for wrong in (["x.tmx", "--prefix=2"], ["x.tmx", "--prefix=a-"], ["x.tmx", "--namespace=a:b"],
                  ["x.tmx", "--namespace=new"], ["x.tmx", "--namespace=std"], ["x.tmx", "--prefix=__"], ["x.tmx", "--tmem=software"],
                  ["k.tmx"]):
        said = here.run(*wrong, "--emit=cuda", "-o", "z.cuh", status=2).stderr
        assert said.startswith("tmemc: error: ") and not os.path.exists(here.path("z.cuh")), said


def test_every_target_assembles(here):
    """The round trip assembles at four widths for the six targets that have tensor memory."""
    here.need_ptxas()
    for target in TARGETS:
        for width in (2, 8, 64, 256):
            here.run("build", ROUNDTRIP, f"-arch={target}", "-D", f"W={width}", "-o", "x.cubin")
            assert here.read("x.cubin").startswith(b"\x7fELF")
            os.remove(here.path("x.cubin"))


def test_bits_survive_the_round_trip(here):
    """B holds the bits of A, NaNs and all, as NumPy reads them."""
    bits = random.Random(7).randbytes(2 * 128 * 8)
    here.write("a.npy", npy("<f2", (128, 8), bits))
    here.run("run", ROUNDTRIP, "A=@a.npy", "--save", "B=b.npy")
    saved = here.read("b.npy")
    assert npy_payload(saved) == bits
    assert b"'descr': '<f2'" in saved and b"'shape': (128, 8)" in saved


def test_slips_of_the_command_line(here):
    """-o=x, --save to `-`, an empty --emit path, an empty -arch and bad numbers are refused with the way out."""
    for words, said in ((["-o=x.ptx"], "write -o x.ptx"), (["--emit=plan="], "--emit=plan=PATH"),
                        (["-D", "W=8_"], "0b100_0000"), (["-D", "W=x"], "0b100_0000"), (["-D", "W="], "0b100_0000"),
                        (["-D", "W=--8"], "0b100_0000"), (["-D", "W=99999999999999999999"], "does not fit")):
        done = here.run("build", ROUNDTRIP, *words, status=2)
        assert said in done.stderr, done.stderr
    done = here.run("run", ROUNDTRIP, "A=ones", "--save", "B=-", status=2)
    assert "--print B" in done.stderr, done.stderr
    assert "unknown option" not in here.run("check", ROUNDTRIP, "-arch=", status=2).stderr
    assert os.listdir(here.folder) == []
    plain = here.run("build", ROUNDTRIP, "-D", "W=16", "--emit=ptx", "-o", "-").stdout
    for spelt in ("0b1_0000", "0x10", "1_6"):
        assert here.run("build", ROUNDTRIP, "-D", f"W={spelt}", "--emit=ptx", "-o", "-").stdout == plain


def spilling(width, groups, split):
    """A kernel that holds `width` registers per thread, in one fragment or two."""
    parts = [width - width // 2, width // 2] if split else [width]
    letters = list(enumerate(parts))
    body = lambda form: " ".join(form.format(i=i, w=w) for i, w in letters)
    return (f"kernel k({', '.join(f'in A{i}: f32[128, {w}], out B{i}: f32[128, {w}]' for i, w in letters)}) "
            f"warpgroups({groups}) {{\n" + body("tmem T{i}: f32[128, {w}] datapath D; frag X{i}: f32[128, {w}];") +
            "\non warpgroup 0 {\n" + body("copy X{i} <- A{i} direct;\n") + body("copy_async T{i} <- X{i};\n") +
            "wait st;\n" + body("copy_async X{i} <- T{i};\n") + "wait ld;\n" + body("copy B{i} <- X{i} direct;\n") + "}}\n")


def test_spill_warnings_are_those_of_ptxas(here):
    """-Wspill over a sweep of widths and threads, of direct copies: where ptxas spills data it warns, and it seldom warns for nothing.
    At 128 threads up to 8 bytes are let pass: ptxas 13.0 sometimes spills them well below the cap, in this family from
    207 registers; why was not looked into."""
    here.need_ptxas()
    counts = collections.Counter()
    ptxas = here.ptxas if isinstance(here.ptxas, str) else "/usr/local/cuda/bin/ptxas"
    for groups, cap in ((1, 255), (4, 128), (8, 64)):
        for split in (False, True):
            for width in [cap - 40] + list(range(cap - 14, cap - 4, 2)) + [cap]:
                here.write("k.tmx", spilling(width, groups, split))
                warned = "[TM0330]" in here.run("build", "k.tmx", "--emit=ptx", "-o", "k.ptx").stderr
                done = subprocess.run([ptxas, "-arch=sm_100a", "-v", "k.ptx", "-o", "k.cubin"], cwd=here.folder,
                                      capture_output=True, text=True)
                assert done.returncode == 0, done.stderr
                spills = int(re.search(r"(\d+) bytes spill stores", done.stderr)[1]) > (8 if groups == 1 else 0)
                what = f"{width} registers, {128 * groups} threads, two fragments: {split}"
                assert warned or not spills, f"{what}: no warning\n{done.stderr}"
                counts[warned, spills] += 1
    both, warned_only, spilled_only, neither = (counts[key] for key in ((True, True), (True, False), (False, True),
                                                                        (False, False)))
    print(f"-Wspill and ptxas: {both} warned and spilled, {warned_only} warned only, {spilled_only} spilled only, "
          f"{neither} neither")
    assert both >= 6 and warned_only <= 12 and neither >= 6, counts


def test_spill_warnings_count_what_staging_holds(here):
    """512 threads, a fragment that lives on behind a staged store: where ptxas spills, -Wspill warns, by what is on its way."""
    here.need_ptxas()
    ptxas = here.ptxas if isinstance(here.ptxas, str) else "/usr/local/cuda/bin/ptxas"
    counts = collections.Counter()
    for width in range(88, 121, 4):
        here.write("k.tmx", f"kernel k(in A: f32[128, {width}], out B: f32[128, {width}], out C: f32[128, {width}]) "
                   f"warpgroups(4) {{\n  frag X: f32[128, {width}];\n  on warpgroup 0 {{\n    copy X <- A staged;\n"
                   "    copy B <- X staged;\n    X = X * X + 1.0;\n    copy C <- X staged;\n  }\n}\n")
        said = here.run("build", "k.tmx", "--emit=ptx", "-o", "k.ptx").stderr
        warned = "[TM0330]" in said and "what is on its way through shared memory: 16 registers" in said
        done = subprocess.run([ptxas, "-arch=sm_100a", "-v", "k.ptx", "-o", "k.cubin"], cwd=here.folder,
                              capture_output=True, text=True)
        spills = int(re.search(r"(\d+) bytes spill stores", done.stderr)[1]) > 0
        assert warned or not spills, f"{width} registers: no warning\n{done.stderr}"
        counts[warned, spills] += 1
    print("-Wspill of staged copies (warned, ptxas spilled):", dict(counts))
    assert counts[True, True] >= 4 and counts[False, False] >= 3 and counts[True, False] <= 1, counts


def test_a_wide_tile_in_many_threads(here):
    """512 threads: 128 columns at once warn, with the fragment by line, and assemble; 112, or 32 at a time, do not spill."""
    for width, chunk, warned in ((128, 128, True), (112, 112, False), (128, 32, False)):
        here.write("k.tmx", f"""kernel k(in A: f32[128, {width}], out B: f32[128, {width}]) warpgroups(4) {{
  tmem T: f32[128, {width}] datapath D;
  on warpgroup 0 {{
    for c in 0..{width // chunk} {{
      frag X: f32[128, {chunk}];
      copy X <- A[:, c*{chunk} +: {chunk}] direct;
      copy_async T[:, c*{chunk} +: {chunk}] <- X;
      wait st;
      copy_async X <- T[:, c*{chunk} +: {chunk}];
      wait ld;
      copy B[:, c*{chunk} +: {chunk}] <- X direct;
    }}
  }}
}}
""")
        said = here.run("build", "k.tmx", "--emit=ptx", "-o", "k.ptx").stderr
        assert ("[TM0330]" in said) == warned, said
        assert not warned or "`X` (line 5): 128 registers, live from line 6 to line 11" in said, said
        if here.ptxas:
            done = subprocess.run([here.ptxas if isinstance(here.ptxas, str) else "/usr/local/cuda/bin/ptxas",
                                   "-arch=sm_100a", "-v", "k.ptx", "-o", "k.cubin"], cwd=here.folder,
                                  capture_output=True, text=True)
            assert done.returncode == 0, done.stderr
            assert warned or " 0 bytes spill stores" in done.stderr, done.stderr


def test_pressure_is_linear(here):
    """Ten thousand copies: four times the loop takes about four times as long."""
    def seconds(turns):
        here.write("k.tmx", "kernel k() { tmem T: f32[128, 512]; frag X: f32[128, 4];\n"
                   f"for i in 0..{turns} {{ X = 0.0; copy_async T[:, 4*(i%128) +: 4] <- X; wait st; }} }}\n")
        start = time.monotonic()
        here.run("check", "-w", "k.tmx")
        return time.monotonic() - start
    assert min(seconds(4000) for _ in range(3)) < 8 * min(seconds(1000) for _ in range(3))


def test_the_pipeline_needs_each_of_its_waits(here):
    """examples/pipeline.tmx is clean, refused or warned about without any one of its waits, and what --auto-wait adds to
    it when all are gone is no more than was written."""
    with open(os.path.join(ROOT, "examples", "pipeline.tmx"), encoding="utf-8") as file:
        program = file.read()
    here.write("all.tmx", program)
    assert here.run("check", "all.tmx").stderr == ""
    waits = [match.span() for match in re.finditer(r"wait [ld, st]+;", program)]
    assert len(waits) == 3
    for first, last in waits:
        for kind in ("ld", "st"):
            if kind in program[first:last]:
                left = {"ld": "wait st;", "st": "wait ld;"}[kind] if "," in program[first:last] else ""
                here.write("less.tmx", program[:first] + left + program[last:])
                assert "[TM05" in here.run("check", "-Werror", "less.tmx", status=1).stderr
    here.write("none.tmx", re.sub(r"wait [ld, st]+;", "", program))
    def count(*words):
        return len(json.loads(here.run("build", "--emit=plan", "-o", "-", *words).stdout)["kernels"][0]["waits"])
    assert 0 < count("--auto-wait", "none.tmx") <= count("all.tmx")


def test_declarations_in_loops_are_linear(here):
    """Four times the turns take about four times as long, not sixteen."""
    def seconds(turns):
        here.write("k.tmx", f"kernel k() {{ for i in 0..{turns} {{ frag X: f32[128, 1]; X = 0.0; }} }}\n")
        start = time.monotonic()
        here.run("check", "-w", "k.tmx")
        return time.monotonic() - start
    assert min(seconds(8000) for _ in range(3)) < 8 * min(seconds(2000) for _ in range(3))


def test_distinct_copies_are_linear(here):
    """Source to PTX: four times as many copies, no two alike, take about four times as long, not sixteen."""
    def seconds(turns):
        here.write("k.tmx", "kernel k() { tmem T: f32[128, 512]; frag X: f32[128, 32]; X = 0.0;\n"
                   f"for i in 0..{turns} {{ copy_async T[:, i%500 +: 1] <- X[:, i/500 +: 1]; wait st; }} }}\n")
        start = time.monotonic()
        here.run("build", "-w", "k.tmx", "--emit=ptx", "-o", "k.ptx")
        return time.monotonic() - start
    assert min(seconds(4000) for _ in range(3)) < 8 * min(seconds(1000) for _ in range(3))


def test_a_mismatch_is_counted(here):
    """--expect of something else exits 4 and counts what differs."""
    done = here.run("run", ROUNDTRIP, "A=ones", "--expect", "B=zeros", status=4)
    assert "B: 1024 of 1024 elements differ" in done.stderr, done.stderr
    here.run("run", ROUNDTRIP, "A=random:3", "--expect", "B=A")


def test_a_wrong_npy_shows_both_sides(here):
    """A .npy of another shape or dtype exits 2 and names what it holds and what is wanted."""
    here.write("shape.npy", npy("<f2", (128, 4), bytes(2 * 128 * 4)))
    here.write("dtype.npy", npy("<f4", (128, 8), bytes(4 * 128 * 8)))
    here.write("short.npy", npy("<f2", (128, 8), bytes(10)))
    here.write("text.npy", "no array")
    for name, words in (("shape", ("128, 4", "128, 8")), ("dtype", ("f32[128, 8]", "f16[128, 8]")), ("short", ("short.npy",)),
                        ("text", ("text.npy",)), ("missing", ("missing.npy",))):
        done = here.run("run", ROUNDTRIP, f"A=@{name}.npy", status=2)
        for word in words:
            assert word in done.stderr, (name, word, done.stderr)


def test_sizes_come_from_scalars(here):
    """Tensors have the rows and the pitch that scalars give, in files too; impossible ones are refused."""
    program = os.path.join(ROOT, "examples", "masked_tail.tmx")
    here.write("a.npy", npy("<f2", (131, 72), bytes(range(256)) * 73 + bytes(131 * 72 * 2 - 256 * 73)))

    def run(*words, status=0):
        return here.run("run", program, "store_tiles", *words, status=status)

    run("p=75", "A=@a.npy", "n=131", "--save", "B=b.npy", "--expect", "B=A")
    assert npy_payload(here.read("b.npy")) == npy_payload(here.read("a.npy"))
    assert b"(131, 72)" in here.read("b.npy")[:80]
    for words, said in ((["n=130", "p=72", "A=@a.npy"], "f16[130, 72]"), (["n=131", "p=71", "A=random"], "pitch of 71"),
                        (["n=2147483648", "p=72", "A=random"], "at most 2147483647"), (["p=72", "A=random"], "`n`"),
                        (["n=131", "p=4294967295", "A=random", "n=1"], "given twice"),
                        (["n=4000000", "p=4294967295", "A=random"], "2^40 bytes")):
        assert said in run(*words, status=2).stderr, words
    assert run("n=0", "p=72", "A=random", "--print", "B").stdout.startswith("B: f16[0, 72]")


def test_a_module_of_several_kernels_is_assembled_side_by_side(here):
    """One ptxas for the file, which splits its work when there is some to split; the bytes are the same each time."""
    here.need_ptxas()
    program = os.path.join(ROOT, "examples", "masked_tail.tmx")
    assert "--split-compile" in here.run("build", program, "-###").stderr
    assert "--split-compile" not in here.run("build", ROUNDTRIP, "-###").stderr
    for name in ("one.cubin", "two.cubin"):
        here.run("build", program, "-o", name)
    assert here.read("one.cubin") == here.read("two.cubin")
    for kernel in (b"scale_rows", b"store_tiles"):
        assert kernel in here.read("one.cubin")


def test_usage_errors_exit_2(here):
    """Whatever is wrong with the command line is exit 2, one sentence on standard error and nothing on output."""
    for words, said in (
            ((), "no input file"),
            (("build", "missing.tmx"), "missing.tmx"),
            (("build", "missing"), "missing"),
            (("build",), "no input file"),
            (("chekc", ROUNDTRIP), "did you mean `check`"),
            (("build", ROUNDTRIP, "-o", ROUNDTRIP, "--emit=ptx"), "is the input"),
            (("build", ROUNDTRIP, "--emti=ptx"), "did you mean `--emit`"),
            (("build", ROUNDTRIP, "--emit=sass"), "plan, layout, ptx, cubin, report, deps, cuda, header"),
            (("build", ROUNDTRIP, "--emit=ptx,plan", "-o", "x"), "-o"),
            (("build", ROUNDTRIP, "-o", "x.what"), "--emit=KIND"),
            (("run", ROUNDTRIP), "`A`"),
            (("run", ROUNDTRIP, "nokernel", "A=iota"), "nokernel"),
            (("run", ROUNDTRIP, "Q=iota", "A=iota"), "`Q`"),
            (("run", ROUNDTRIP, "A=itoa"), "iota"),
            (("run", ROUNDTRIP, "A=iota", "--print", "Z"), "`Z`"),
            (("build", ROUNDTRIP, "-D", "W=x"), "is not an integer"),
            (("build", ROUNDTRIP, "--max-message=3"), "power of two"),
            (("build", ROUNDTRIP, "-Wno-such"), "such")):
        done = here.run(*words, status=2)
        assert said in done.stderr and not done.stdout, (words, done.stderr, done.stdout)


def test_outputs_appear_whole_or_not_at_all(here):
    """A failed build leaves an older output as it was, and no other file."""
    here.write("bad.tmx", "kernel k(in A: f32[128, 8]) { copy Q <- A; }")
    here.write("bad.ptx", "older")
    here.run("build", "bad.tmx", "--emit=ptx", status=1)
    assert here.read("bad.ptx") == b"older" and sorted(os.listdir(here.folder)) == ["bad.ptx", "bad.tmx"]


def test_no_output_is_an_input_or_another_output(here):
    """Whatever the verb and the option: exit status 2 before anything is done, and every file is as it was."""
    wrong = "kernel k(in A: f32[128, 8], out B: f32[128, 8]) {\n  frag X: f32[128, 8];\n  copy_async B <- X;\n}\n"
    cubin = os.path.join(ROOT, "tests", "data", "cubin", "roundtrip.sm_100f.ptxas_13.0.cubin")
    files = {"r.tmx": open(ROUNDTRIP).read().encode(), "wrong.tmx": wrong.encode(), "r.cubin": open(cubin, "rb").read(),
             "b.npy": npy("<f2", (128, 8), bytes(2048)), "old.json": b"{}"}
    for name, contents in files.items():
        here.write(name, contents)
    os.symlink("r.tmx", here.path("link.tmx"))
    names = sorted(os.listdir(here.folder))
    input_, other, twice = "is the input", "is read too", "two outputs would be written to"
    refused = [((verb, "wrong.tmx", "--explain-svg=wrong.tmx"), input_) for verb in ("build", "check", "layout", "report", "run", "test")]
    refused += [
        (("check", "r.tmx", "wrong.tmx", "--explain-svg=./wrong.tmx"), input_),
        (("test", ".", "--explain-svg=wrong.tmx"), input_),
        (("layout", "r.tmx", "-o", "r.tmx"), input_),
        (("layout", "r.tmx", "-o", "link.tmx"), input_),
        (("layout", "r.tmx", "--map", "-o", here.path("r.tmx")), input_),
        (("layout", "r.tmx", "-o", "x.svg", "-MD", "-MF", "r.tmx"), input_),
        (("layout", "r.tmx", "-o", "x.svg", "-MD", "-MF", "./x.svg"), twice),
        (("report", "r.tmx", "-o", "r.tmx"), input_),
        (("report", "r.cubin", "-o", "r.cubin"), input_),
        (("report", "r.cubin", "-MD", "-MF", "r.cubin"), input_),
        (("report", "r.cubin", "--baseline=old.json", "-MD", "-MF", "old.json"), other),
        (("build", "r.tmx", "-o", "x.ptx", "--explain-svg=x.ptx"), twice),
        (("build", "r.tmx", "--emit=ptx", "-MD", "-MF", "r.tmx"), input_),
        (("run", "r.tmx", "A=iota", "--save", "B=r.tmx"), input_),
        (("run", "r.tmx", "A=iota", "--save", "B=b.npy", "--save", "A=./b.npy"), twice),
        (("run", "r.tmx", "A=iota", "--save", "B=b.npy", "--expect", "B=@b.npy"), other),
        (("run", "wrong.tmx", "A=@b.npy", "--explain-svg=b.npy"), other)]
    for words, said in refused:
        done = here.run(*words, status=2)
        assert said in done.stderr and not done.stdout, (words, done)
        assert sorted(os.listdir(here.folder)) == names and all(here.read(name) == files[name] for name in files), words
    # A tensor over the file that it came from is no mistake: that is read before.
    here.run("run", "r.tmx", "--on=emulator", "A=@b.npy", "--save", "B=b.npy")
    here.run("run", "r.tmx", "--on=emulator", "A=iota", "--save", "B=/dev/null", "--save", "A=/dev/null")
    here.run("report", "r.cubin", "--format=json", "-o", "old.json")
    here.run("report", "r.cubin", "--format=json", "-o", "old.json", "--baseline=old.json")


def test_errors_of_a_file_without_tests(here):
    """test shows them and fails, whatever finds them: the parser, the checks, the matcher; right files pass."""
    kernel = "kernel k(in A: f32[128, 8], out B: f32[128, 8]) {{\n  frag X: f32[128, 8];\n{}}}\n"
    for line, code in (("  copy X < A;\n", "TM01"), ("  copy X <- Q;\n", "TM02"),
                       ("  tmem T: f32[128, 8];\n  copy X <- A;\n  copy_async T <- X;\n  copy_async X <- T;\n", "TM0")):
        here.write("many.tmx", kernel.format(line))
        done = here.run("test", "many.tmx", status=1)
        assert f"[{code}" in done.stderr and "error" in done.stderr, done
        assert done.stdout == "FAILED  many.tmx: it has errors, so no test of it ran\n0 passed, 1 failed, 0 skipped\n", done
    here.write("many.tmx", kernel.format("  copy X <- A;\n  copy B <- X;\n"))
    assert here.run("test", "many.tmx").stdout == "0 passed, 0 failed, 0 skipped\n"


def test_explain_as_json(here):
    """The page of a code for programs: the members of --list, and the text of the page."""
    listed = json.loads(here.run("explain", "--list", "--format=json").stdout)
    for each in (listed[0], next(each for each in listed if each["flag"])):
        page = json.loads(here.run("explain", each["code"], "--format=json").stdout)
        assert page.pop("text") == here.run("explain", each["code"]).stdout and page == each, page


def test_a_long_name_gets_no_suggestion(here):
    """And costs no time: edit distance grows with the square of the length."""
    long = "n" * 20000
    here.write("long.tmx", f"kernel k(in A: f32[128, 8], out B: f32[128, 8]) {{\n  frag {long}: f32[128, 8];\n"
               f"  copy {long}m <- A;\n  copy B <- {long}m;\n}}\n")
    begin = time.monotonic()
    said = here.run("check", "long.tmx", status=1).stderr
    assert time.monotonic() - begin < 3 and "did you mean" not in said, time.monotonic() - begin
    here.write("short.tmx", here.read("long.tmx").decode().replace(long, "n" * 60))
    assert "did you mean" in here.run("check", "short.tmx", status=1).stderr


def test_outputs_by_suffix_and_default(here):
    """-o's suffix picks the kind; defaults are the input's stem in the current folder; several kinds at once."""
    here.run("build", ROUNDTRIP, "-o", "x.ptx")
    here.run("build", ROUNDTRIP, "--emit=ptx,plan,ast=tree.tmx")
    assert here.read("x.ptx") == here.read("roundtrip.ptx")
    assert json.loads(here.read("roundtrip.plan.json"))["schema"] == 1
    here.run("check", "tree.tmx")
    piped = here.run("build", "-", "--emit=ptx", "-o", "-", stdin=open(ROUNDTRIP).read()).stdout
    assert len(lines_with(piped, "tcgen05.ld")) == 1


def test_the_plan_is_the_reference_s(here):
    """--emit=plan prints the plan that the command-line reference shows for the round trip."""
    plan = json.loads(here.run("build", ROUNDTRIP, "--emit=plan", "-o", "-").stdout)
    issue = {"shape": "32x32b", "num": 4, "row": 0, "column": 0, "registers": [0, 1, 2, 3], "warps": [0, 1, 2, 3],
             "pack": False, "half_split": None}
    assert plan == {"schema": 1, "target": "sm_100a", "kernels": [{
        "name": "roundtrip", "threads": 128, "grid": [1, 1, 1],
        "tmem": {"columns": 32, "buffers": [{"name": "T", "column": 0, "columns": 4, "datapath": "D", "sub_slab": 0}]},
        "copies": [{"line": 10, "op": "st", "tmem": "T", "frag": "X", "issues": [issue]},
                   {"line": 12, "op": "ld", "tmem": "T", "frag": "Y", "issues": [issue]}],
        "globals": [{"line": 9, "op": "load", "tensor": "A", "frag": "X", "path": "direct", "width": 16,
                     "shared_bytes": 0},
                    {"line": 14, "op": "store", "tensor": "B", "frag": "Y", "path": "direct", "width": 16,
                     "shared_bytes": 0}],
        "waits": [{"line": 11, "kind": "st", "inserted": False}, {"line": 13, "kind": "ld", "inserted": False}]}]}, plan


def test_no_ptxas_is_exit_3_and_says_where_it_looked(here):
    """Without ptxas a cubin is exit 3 with the places searched; PTX needs none."""
    bare = {"PATH": here.folder, "CUDA_HOME": here.path("nowhere")}
    done = subprocess.run([here.tmemc, "build", ROUNDTRIP, "--ptxas=" + here.path("no-ptxas")], cwd=here.folder,
                          capture_output=True, text=True, env=bare)
    assert done.returncode == 3 and "no-ptxas" in done.stderr, done.stderr
    here.run("build", ROUNDTRIP, "--emit=ptx", "-o", "-", environment=bare)
    assert os.listdir(here.folder) == []


def test_a_failed_ptxas_keeps_its_input(here):
    """A ptxas that refuses a line is shown at the statement it came from; the PTX and the command are kept."""
    ptx = here.run("build", ROUNDTRIP, "--emit=ptx", "-o", "-").stdout.splitlines()
    line = next(i for i, text in enumerate(ptx, 1) if "tcgen05.ld." in text)
    here.write("ptxas", f"#!/bin/sh\necho 'ptxas stdin, line {line}; error   : made up' >&2\nexit 255\n")
    os.chmod(here.path("ptxas"), 0o755)
    done = here.run("build", ROUNDTRIP, "--ptxas=" + here.path("ptxas"), status=3)
    assert f"{ROUNDTRIP}:12:" in done.stderr and "made up" in done.stderr, done.stderr
    assert here.read("roundtrip.failed.ptx").decode().splitlines() == ptx
    assert "roundtrip.failed.ptx" in done.stderr and not os.path.exists(here.path("roundtrip.cubin"))


def test_blocks_end_with_their_counts(here):
    """`test` runs files and folders; a failing block is exit 4; the last line counts."""
    assert here.run("test", os.path.join(ROOT, "examples")).stdout.splitlines()[-1].endswith("passed, 0 failed, 0 skipped")
    program = open(ROUNDTRIP).read()
    here.write("wrong.tmx", program.replace("expect B == A;", "expect B == 0;"))
    done = here.run("test", "wrong.tmx", status=4)
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed, 0 skipped", done.stdout
    assert "of 1024 elements differ" in done.stdout + done.stderr
    here.write("refused.tmx", program.replace("copy B <- Y;", "copy B <- Z;"))
    here.run("test", "refused.tmx", status=4)


def test_an_option_of_another_command_is_refused(here):
    """What a command would ignore is an error that says whose option it is; --help of a command lists its own."""
    done = here.run("check", ROUNDTRIP, "--save", "B=b.npy", status=2)
    assert "check takes no `--save NAME=FILE.npy`; it is an option of run" in done.stderr, done.stderr
    assert "--save" in here.run("run", "--help").stdout
    assert "--save" not in here.run("check", "--help").stdout


def test_a_block_that_wants_too_much_memory_fails_alone(here):
    """Where memory is limited, the block that needs more fails, and the next one runs."""
    if os.environ.get("ASAN_OPTIONS"):
        raise Skip("the address sanitizer wants terabytes of address space, and ends where memory ends")
    here.write("k.tmx", "kernel k(in A: f32[n, 64], out B: f32[n, 64], n: u32) {\n  frag X: f32[128, 64];\n"
               "  copy X <- A[0 +: 128, :] masked; copy B[0 +: 128, :] <- X masked;\n}\n" +
               "".join(f'test "{n} rows" {{ n = {n}; A = ones; run k; expect B == A; }}\n' for n in ((1 << 31) - 1, 100)))
    done = subprocess.run(["prlimit", f"--as={8 << 30}", here.tmemc, "test", "k.tmx"], cwd=here.folder, text=True,
                          capture_output=True, timeout=60)
    assert done.returncode == 4 and done.stdout.endswith("1 passed, 1 failed, 0 skipped\n"), done.stdout + done.stderr
    assert "it needs more memory than there is" in done.stdout, done.stdout


def test_the_same_bytes_every_time(here):
    """PTX does not depend on folder, time or verbosity."""
    first = here.run("build", ROUNDTRIP, "--emit=ptx", "-o", "-").stdout
    here.write("roundtrip.tmx", open(ROUNDTRIP).read())
    second = here.run("build", "roundtrip.tmx", "--emit=ptx", "-o", "-", "-v").stdout
    assert first == second


def test_a_source_of_more_than_16_mb_is_refused(here):
    """TM0109: a text nobody meant to compile is refused before it is read."""
    here.write("huge.tmx", "// " + "x" * (16 << 20))
    assert "TM0109" in here.run("check", "huge.tmx", status=1).stderr


def test_inputs_without_end_are_refused(here):
    """/dev/zero as a source, on standard input, as .ptx or .npy is refused after its limit; so is a .npy that goes on."""
    def run(*words, status, said):
        # 2 GB; under the address sanitizer, whose shadow takes terabytes of address space, by its own limit.
        sanitizer = os.environ.get("ASAN_OPTIONS")
        limit = "" if sanitizer else "ulimit -v 2000000; "
        environment = os.environ | ({"ASAN_OPTIONS": f"{sanitizer}:hard_rss_limit_mb=2000"} if sanitizer else {})
        with open("/dev/zero", "rb") as zeros:
            done = subprocess.run(["sh", "-c", limit + 'exec "$0" "$@"', here.tmemc, *words], cwd=here.folder,
                                  capture_output=True, text=True, stdin=zeros, timeout=20, env=environment)
        assert done.returncode == status and said in done.stderr, (words, done.returncode, done.stderr)
    os.symlink("/dev/zero", here.path("zero.ptx"))
    run("check", "/dev/zero", status=1, said="TM0109")
    run("check", "-", status=1, said="TM0109")
    run("run", "zero.ptx", status=2, said="`zero.ptx` has more than 256 MB")
    run("run", ROUNDTRIP, "A=@/dev/zero", status=2, said="it is no .npy file")
    here.write("start.npy", npy("<f2", (128, 8), bytes(2 * 128 * 8)))
    os.mkfifo(here.path("endless.npy"))
    writer = subprocess.Popen(["sh", "-c", "cat start.npy /dev/zero > endless.npy"], cwd=here.folder,
                              stderr=subprocess.DEVNULL)
    try:
        run("run", ROUNDTRIP, "A=@endless.npy", status=2, said="but more data follow")
    finally:
        writer.kill()
        writer.wait()
    os.mkfifo(here.path("pipe.npy"))
    writer = subprocess.Popen(["sh", "-c", "cat start.npy > pipe.npy"], cwd=here.folder)
    here.run("run", ROUNDTRIP, "A=@pipe.npy", "--expect", "B=zeros")
    writer.wait()


def test_objects_named_like_special_registers(here):
    """Scalars and fragments with the names of PTX ISA 10: the text verifies, runs, and ptxas takes it."""
    names = ("tid ntid laneid warpid nwarpid ctaid nctaid smid nsmid gridid clock clock_hi clock64 globaltimer globaltimer_lo "
             "globaltimer_hi lanemask_eq lanemask_lt pm0 pm7 envreg0 envreg31 clusterid cluster_ctaid cluster_ctarank "
             "is_explicit_cluster total_smem_size dynamic_smem_size aggr_smem_size current_graph_exec "
             "reserved_smem_offset_begin reserved_smem_offset_0").split()
    scalars = ", ".join(f"{name}: f32" for name in names)
    here.write("names.tmx", f"""kernel k(in A: f32[128, 8], out B: f32[128, 8], {scalars}) {{
  frag pm1: f32[128, 8];
  frag reserved_smem_offset: f32[128, 8];
  copy pm1 <- A;
  reserved_smem_offset = pm1 * {" * ".join(names)};
  copy B <- reserved_smem_offset;
}}
function f(inout A: f32[128, 8], laneid: f32, tid: u32) {{
  frag X: f32[128, 8];
  copy X <- A;
  X = X * laneid;
  copy A <- X;
}}
""")
    here.run("check", "-w", "names.tmx")
    here.run("run", "-w", "names.tmx", "k", "A=iota", *(f"{name}=1" for name in names), "--expect", "B=A")
    if here.ptxas:
        here.run("build", "-w", "names.tmx", "-o", "names.cubin")


def test_quiet_is_quiet(here):
    """-q beside -v: nothing but errors."""
    for words in (("run", ROUNDTRIP, "A=iota"), ("check", ROUNDTRIP), ("build", ROUNDTRIP, "--emit=ptx")):
        assert here.run(*words, "-v").stderr and not here.run(*words, "-v", "-q").stderr


def test_json_diagnostics_are_lsp_s(here):
    """--diagnostics=json prints one object a line and nothing else on standard error."""
    here.write("bad.tmx", "kernel k(in A: f32[128, 8]) {\n  copy Q <- A;\n  copy R <- A;\n}\n")
    done = here.run("check", "bad.tmx", "--diagnostics=json", status=1)
    found = [json.loads(line) for line in done.stderr.splitlines()]
    assert [each["range"]["start"]["line"] for each in found] == [1, 2]
    assert all(each["severity"] == 1 and each["code"].startswith("TM02") for each in found), found


def run_all(tmemc, ptxas, tests):
    """Yields (name, problem) for every test among the names of a module."""
    for name, test in sorted(tests.items()):
        if not name.startswith("test_"):
            continue
        folder = tempfile.mkdtemp(prefix="tmemc-test-")
        try:
            test(Here(tmemc, folder, ptxas))
            yield name[5:], None
        except Skip as why:
            yield name[5:], f"skipped: {why}"
        except Exception:
            yield name[5:], traceback.format_exc(limit=-2)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
