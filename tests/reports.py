"""`tmemc report`, line information and reproducible machine code. The numbers of a report are judged by what others say of
the same cubin: ptxas -v when it was made, the PTX for messages and waits, cuobjdump and nvdisasm where they are there. The
line table is read by objdump, and instructions are found in it by their opcodes."""
import collections, glob, json, os, re, shutil, struct, subprocess

from commands import ROOT, ROUNDTRIP, Skip

DATA = os.path.join(ROOT, "tests", "data")
PROGRAMS = sorted(glob.glob(os.path.join(ROOT, "examples", "*.tmx")) +
                  glob.glob(os.path.join(ROOT, "tests", "bench", "kernels", "*.tmx")))
FOREIGN = sorted(glob.glob(os.path.join(DATA, "cuda", "*.sm_100a.ptx")) + glob.glob(os.path.join(DATA, "cuda", "*.sm_75.ptx")) +
                 glob.glob(os.path.join(DATA, "floor", "*.ptx")))
LDTM, STTM, STAT = 0x9ee, 0x9ed, 0x5ee
MERGED = {"literal.tmx": {"ld": 1}} # loads that ptxas makes one, because they read the same cells


def tool(name):
    beside = f"/usr/local/cuda/bin/{name}"
    return shutil.which(name) or (beside if os.path.exists(beside) else None)


def ptxas(here, *words):
    here.need_ptxas()
    return subprocess.run([tool("ptxas"), *words], cwd=here.folder, capture_output=True, text=True)


def report(here, *words, status=0):
    return json.loads(here.run("report", *words, "--format=json", status=status).stdout)


def kernels(here, *words):
    return {each["name"]: each for each in report(here, *words)["kernels"]}


def said_by_ptxas(text):
    """{kernel: numbers} of ptxas -v."""
    found = {}
    for part in text.split("Compiling entry function '")[1:]:
        numbers = {"barriers": 0, "shared_bytes": 0}
        for what, pattern in (("registers", r"Used (\d+) registers"), ("barriers", r"used (\d+) barriers"),
                              ("shared_bytes", r"(\d+) bytes smem"), ("spill_stores", r"(\d+) bytes spill stores"),
                              ("spill_loads", r"(\d+) bytes spill loads")):
            if at := re.search(pattern, part):
                numbers[what] = int(at[1])
        found[part.split("'")[0]] = numbers
    return found


def said_by_ptx(text):
    """{kernel: messages and waits}"""
    found = {}
    for body in re.split(r"\.entry\s+", re.sub(r"//.*", "", text))[1:]:
        count = {op: collections.Counter() for op in ("ld", "st")}
        for op, shape, num in re.findall(r"tcgen05\.(ld|st)\.(?:red\.)?sync\.aligned\.(\w+)\.(x\d+)", body):
            count[op][f"{shape}.{num}"] += 1
        waits = collections.Counter(re.findall(r"tcgen05\.wait::(ld|st)", body))
        found[re.match(r"[\w$]+", body)[0]] = {"messages": {op: dict(each) for op, each in count.items()},
                                              "waits": {"ld": waits["ld"], "st": waits["st"]}}
    return found


def sections(cubin):
    at, = struct.unpack_from("<Q", cubin, 40)
    count, names = struct.unpack_from("<HH", cubin, 60)
    rows = [struct.unpack_from("<IIQQQQ", cubin, at + 64 * i) for i in range(count)]
    name = lambda row: cubin[rows[names][4] + row[0]:].split(b"\0", 1)[0].decode()
    return {name(row): cubin[row[4]:row[4] + row[5]] for row in rows if row[1] != 8}


def opcodes(code):
    return [struct.unpack_from("<H", code, at)[0] & 0xfff for at in range(0, len(code), 16)]


def test_kept_cubins(here):
    """Cubins of several ptxas, without one: numbers as ptxas -v and nvdisasm gave them when the files were made."""
    cubin = lambda name: os.path.join(DATA, "cubin", name + ".cubin")
    whole = report(here, cubin("roundtrip.sm_100f.ptxas_13.0"))
    assert whole == {"schema": 1, "target": "sm_100f", "kernels": [
        {"name": "roundtrip", "registers": 14, "spill_stores": 0, "spill_loads": 0, "shared_bytes": 4, "barriers": 1,
         "tmem_columns": 32, "instructions": 109, "messages": {"ld": {"32x32b.x4": 1}, "st": {"32x32b.x4": 1}},
         "waits": {"ld": 1, "st": 1}}]}, whole
    spilt = kernels(here, cubin("local.sm_90.ptxas_13.0"))["both"]
    assert (spilt["spill_stores"], spilt["spill_loads"], spilt["registers"]) == (168, 168, 32), spilt
    assert spilt["messages"] == {"ld": {}, "st": {}} and spilt["waits"] == {"ld": 0, "st": 0} and spilt["tmem_columns"] == 0
    old = kernels(here, cubin("shared.sm_80.ptxas_12.8"))["shar"]
    assert (old["shared_bytes"], old["barriers"], old["registers"]) == (400, 1, 10), old
    # Of a chip that nobody knows the code is not counted, and the rest is.
    strange = bytearray(here.path and open(cubin("roundtrip.sm_100f.ptxas_13.0"), "rb").read())
    strange[49] = 140
    here.write("strange.cubin", bytes(strange))
    unknown = report(here, "strange.cubin")
    assert unknown["target"] == "sm_140", unknown
    kernel, = unknown["kernels"]
    assert kernel["registers"] == 14 and kernel["shared_bytes"] == 4, kernel
    assert all(kernel[name] is None for name in ("instructions", "spill_stores", "tmem_columns")), kernel
    assert kernel["messages"] == {"ld": None, "st": None} and kernel["waits"] == {"ld": None, "st": None}, kernel
    assert "messages       not known" in here.run("report", "strange.cubin").stdout


def test_report_of_programs(here):
    """Of every example and every kernel of the benchmarks: ptxas -v, the PTX and the report agree."""
    here.need_ptxas()
    compared = 0
    programs = [path for path in PROGRAMS if not re.search(r"^function .*frag", open(path).read(), re.M)] # PTX has no such
    for program in programs:
        here.run("build", program, "-w", "-arch=sm_100a", "--emit=ptx=k.ptx")
        numbers = said_by_ptxas(ptxas(here, "-arch=sm_100a", "-v", "k.ptx", "-o", "/dev/null").stderr)
        meant = said_by_ptx(here.read("k.ptx").decode())
        found = kernels(here, program, "-w", "-arch=sm_100a")
        assert found.keys() == numbers.keys() == meant.keys(), (program, found.keys())
        assert list(found) == re.findall(r"\.entry (\w+)", here.read("k.ptx").decode())
        columns = re.findall(r"tcgen05\.alloc\S+ \[\S+\], (\d+);", here.read("k.ptx").decode())
        assert sum(map(int, columns)) == sum(each["tmem_columns"] for each in found.values()), program
        for name, each in found.items():
            for op, less in MERGED.get(os.path.basename(program), {}).items():
                (shape, count), = meant[name]["messages"][op].items()
                meant[name]["messages"][op] = {shape: count - less}
            for what, count in (numbers[name] | meant[name]).items():
                assert each[what] == count, f"{program}, {name}: {what} is {each[what]}, not {count}"
            compared += 1
    assert compared >= len(programs) > 10, compared


def test_report_of_foreign_cubins(here):
    """The same of PTX that nvcc and people wrote, assembled by ptxas, and of code that spills."""
    here.need_ptxas()
    spilling = ".version 8.6\n.target sm_100a\n.address_size 64\n"
    for name, count, cap in (("narrow", 64, 32), ("wide", 100, 200)):
        spilling += (f".visible .entry {name}(.param .u64 A) .maxnreg {cap} {{ .reg .b64 a; .reg .b64 r<{count}>; ld.param.u64 a, [A];\n" +
                     "".join(f"ld.volatile.global.b64 r{i}, [a+{8 * i}];\n" for i in range(count)) +
                     "".join(f"st.volatile.global.b64 [a+{8 * i}], r{count - 1 - i};\n" for i in range(count)) + "ret; }\n")
    here.write("spilling.ptx", spilling)
    spilt = compared = 0
    for path in FOREIGN + [here.path("spilling.ptx")]:
        text = open(path).read()
        target = re.search(r"\.target (\w+)", text)[1]
        done = ptxas(here, f"-arch={target}", "-v", path, "-o", "k.cubin")
        assert done.returncode == 0, done.stderr
        numbers, found = said_by_ptxas(done.stderr), kernels(here, "k.cubin")
        assert found.keys() == numbers.keys(), path
        for name, each in found.items():
            for what, count in numbers[name].items():
                assert each[what] == count, f"{path}, {name}: {what} is {each[what]}, not {count}"
            spilt += each["spill_stores"] > 0
            compared += 1
    assert spilt and compared > len(FOREIGN), (spilt, compared)


def test_reports_beside_nvidias_tools(here):
    """Instructions as nvdisasm lists them, registers and shared memory as cuobjdump says."""
    here.need_ptxas()
    nvdisasm, cuobjdump = tool("nvdisasm"), tool("cuobjdump")
    if not nvdisasm or not cuobjdump:
        raise Skip("no nvdisasm or no cuobjdump")
    for program in PROGRAMS:
        here.run("build", program, "-w", "-arch=sm_100a", "-o", "k.cubin")
        found = kernels(here, "k.cubin")
        listing = subprocess.run([nvdisasm, "-c", here.path("k.cubin")], capture_output=True, text=True).stdout
        for part in re.split(r"^\.text\.", listing, flags=re.M)[1:]:
            name = part.split(":")[0]
            code = [line.strip() for line in re.findall(r"/\*[0-9a-f]{4,}\*/(.*?);", part)]
            while code and code[-1] == "NOP":
                code.pop()
            if name not in found:
                continue
            assert found[name]["instructions"] == len(code), (program, name)
            for op, word in (("ld", "LDTM"), ("st", "STTM")):
                halves = lambda count: sum(n * (2 if shape.startswith("16x32bx2") else 1) for shape, n in count.items())
                assert halves(found[name]["messages"][op]) == sum(word in line for line in code), (program, name)
        usage = subprocess.run([cuobjdump, "--dump-resource-usage", here.path("k.cubin")], capture_output=True, text=True).stdout
        for name, registers, shared in re.findall(r"Function (\w+):\s+REG:(\d+) .*?SHARED:(\d+)", usage):
            if name in found:
                assert found[name]["registers"] == int(registers), (program, name)
                assert found[name]["shared_bytes"] == max(0, int(shared) - 1024), (program, name)


def test_what_cannot_be_reported(here):
    """No ptxas is exit 3, a fat binary, PTX, a host's program and damaged files are exit 2 with words."""
    nothing = os.environ | {"TMEMC_PTXAS": "none"}
    assert "TM0601" in here.run("report", ROUNDTRIP, status=3, environment=nothing).stderr
    whole = open(os.path.join(DATA, "cubin", "roundtrip.sm_100f.ptxas_13.0.cubin"), "rb").read()
    host = bytearray(whole)
    host[18] = 62
    for contents, words in ((b"\x50\xed\x55\xba" + bytes(60), "cuobjdump -xelf all"), (b".version 8.6\n", "is PTX"),
                            (bytes(host), "another machine"), (whole[:5000], "cannot be read"), (b"\x7fELF", "cannot be read")):
        here.write("x", contents)
        assert words in here.run("report", "x", status=2).stderr
    here.write("empty.cubin", b"")
    assert "no little-endian ELF" in here.run("report", "empty.cubin", status=2).stderr
    here.run("report", "missing.cubin", status=2)
    for wrong in (["--format=svg"], ["--sass", "--format=json"]):
        here.run("report", os.path.join(DATA, "cubin", "roundtrip.sm_100f.ptxas_13.0.cubin"), *wrong, status=2)


def test_emit_report(here):
    """build --emit=report writes what report --format=json prints, and -o of report writes a file."""
    here.need_ptxas()
    here.run("build", ROUNDTRIP, "--emit=report,ptx")
    printed = here.run("report", ROUNDTRIP, "--format=json").stdout
    assert here.read("roundtrip.report.json").decode() == printed
    here.run("report", ROUNDTRIP, "-o", "r.txt")
    assert here.read("r.txt").decode() == here.run("report", ROUNDTRIP).stdout
    here.run("report", ROUNDTRIP, "-o", "r.json")
    assert here.read("r.json").decode() == printed
    assert sorted(os.listdir(here.folder)) == ["r.json", "r.txt", "roundtrip.ptx", "roundtrip.report.json"]


def test_baseline(here):
    """What got better and worse, kernel by kernel; 4 when a number got worse, 2 for what is no report."""
    cubin = os.path.join(DATA, "cubin", "roundtrip.sm_100f.ptxas_13.0.cubin")
    now = report(here, cubin)

    def against(change, status, *words):
        earlier = json.loads(json.dumps(now))
        change(earlier["kernels"][0])
        here.write("old.json", json.dumps(earlier))
        return here.run("report", cubin, "--baseline=old.json", *words, status=status)

    assert against(lambda k: None, 0).stdout.endswith("\nas in the baseline\n")
    better = against(lambda k: k.update(registers=20), 0).stdout
    assert better.endswith("\nroundtrip: better: registers 14, 20 before\n"), better
    both = against(lambda k: k.update(registers=20, instructions=100), 4).stdout
    assert "better: registers 14, 20 before\nroundtrip: worse: instructions 109, 100 before\n" in both, both
    for member, value in (("spill_stores", -1), ("shared_bytes", 3), ("tmem_columns", 0), ("barriers", 0)):
        against(lambda k: k.update({member: value}), 2 if value < 0 else 4)
    assert "worse: ld waits 1, 0 before" in against(lambda k: k["waits"].update(ld=0), 4).stdout
    assert "worse: st messages 1, 0 before" in against(lambda k: k["messages"].update(st={}), 4).stdout
    other = against(lambda k: k["messages"].update(ld={"32x32b.x8": 1}), 0).stdout
    assert other.endswith("\nroundtrip: other ld messages: 32x32b.x4; 32x32b.x8 before\n"), other
    gone = against(lambda k: k.update(name="other"), 0).stdout
    assert "roundtrip: is not in the baseline\nother: is in the baseline and no more\n" in gone, gone
    for change in (lambda k: k.update(messages={}), lambda k: k["messages"].update(ld=None, st=None)):
        untold = against(change, 0).stdout
        assert "roundtrip: not compared, since one of the two does not tell: ld messages, st messages\n" in untold, untold
        assert "as in the baseline" not in untold, untold
    assert "worse: ld messages 1, 0 before" in against(lambda k: k["messages"].update(ld={}, st={}), 4).stdout
    here.write("old.json", json.dumps({**now, "kernels": [{"name": "roundtrip"}]}))
    assert "roundtrip: not compared" in here.run("report", cubin, "--baseline=old.json").stdout
    for words in ((), ("--format=json",)):
        here.write("old.json", json.dumps({**now, "target": "sm_110a", "kernels": 2 * now["kernels"]}))
        done = here.run("report", cubin, "--baseline=old.json", *words)
        said = done.stderr if words else done.stdout
        assert "this is for sm_100f, the baseline for sm_110a\n" in said, said
        assert "roundtrip: is in the baseline more than once; the first counts\n" in said, said
    done = against(lambda k: k.update(registers=2), 4, "--format=json")
    assert json.loads(done.stdout) == now and done.stderr == "roundtrip: worse: registers 14, 2 before\n", done.stderr
    for text in ("", "{", "[]", '{"schema": 2, "target": "sm_100a", "kernels": []}', '{"schema": 1, "kernels": []}',
                 '{"schema": 1, "target": "sm_100a", "kernels": [{}]}', '{"schema": 1, "target": "sm_100a", "kernels": {}}'):
        here.write("old.json", text)
        assert "the baseline `old.json` is no report" in here.run("report", cubin, "--baseline=old.json", status=2).stderr
    here.run("report", cubin, "--baseline=missing.json", status=2)


def line_of_address(cubin):
    """{address: line} of the only kernel's instructions, by objdump's reading of the line table."""
    said = subprocess.run(["objdump", "--dwarf=decodedline", cubin], capture_output=True, text=True).stdout
    rows = [(int(at, 0), line) for line, at in re.findall(r"^\S+\s+(\d+|-)\s+(0x[0-9a-f]+|0)\b", said, re.M)]
    table = {}
    for (start, line), (end, _) in zip(rows, rows[1:]):
        for at in range(start, end, 16):
            table[at] = int(line)
    return table


def test_line_information(here):
    """-lineinfo: the instruction of each message is of the line of its copy, in every program with one kernel; the PTX
    differs in .file and .loc alone, the code in nothing; -g goes with it and keeps the checks of tensor memory."""
    here.need_ptxas()
    if not shutil.which("objdump"):
        raise Skip("no objdump")
    programs = moved = 0
    for program in PROGRAMS:
        plan = here.run("build", program, "-w", "-arch=sm_100a", "--emit=plan", "-o", "-").stdout
        if len(json.loads(plan)["kernels"]) != 1 or "functions" in json.loads(plan):
            continue
        here.run("build", program, "-w", "-arch=sm_100a", "--emit=ptx=p.ptx,cubin=p.cubin")
        here.run("build", program, "-w", "-arch=sm_100a", "-lineinfo", "--emit=ptx=l.ptx,cubin=l.cubin")
        plain, lined = here.read("p.ptx").decode().splitlines(), here.read("l.ptx").decode().splitlines()
        kept = [line for line in lined if not re.match(r"\s*\.(loc|file) ", line)]
        assert kept == plain and len(lined) > len(plain), program
        assert f'.file 1 "{os.path.basename(program)}", 1, 1' in lined, program
        kernel, = json.loads(plan)["kernels"]
        code = sections(here.read("l.cubin"))[".text." + kernel["name"]]
        assert code == sections(here.read("p.cubin"))[".text." + kernel["name"]], program
        lines = line_of_address(here.path("l.cubin"))
        found = collections.Counter((lines[16 * i], "st" if opcode == STTM else "ld")
                                    for i, opcode in enumerate(opcodes(code)) if opcode in (LDTM, STTM, STAT))
        wanted = collections.Counter()
        for copy in kernel["copies"]:
            wanted[copy["line"], copy["op"]] += sum(2 if each["shape"] == "16x32bx2" else 1 for each in copy["issues"])
        merged = sum(MERGED.get(os.path.basename(program), {}).values())
        assert not found - wanted and sum((wanted - found).values()) == merged, f"{program}: {found} beside {wanted}"
        assert {copy["line"] for copy in kernel["globals"]} <= set(lines.values()), program
        programs += 1
        moved += sum(found.values())
    assert programs > 10 and moved > 30, (programs, moved)
    here.run("build", ROUNDTRIP, "-g", "-lineinfo", "-o", "g.cubin")
    checked = sections(here.read("g.cubin"))
    assert any("guardrail" in name for name in checked) and ".debug_line" in checked, checked.keys()
    here.run("build", ROUNDTRIP, "-g", "-o", "g.cubin")
    assert any("guardrail" in name for name in sections(here.read("g.cubin")))


def test_columns_are_told_at_every_optimisation(here):
    """ptxas keeps them in a register at -O0 and -g, where the code does not say them."""
    for name in ("roundtrip", "pipeline"):
        program = os.path.join(ROOT, "examples", f"{name}.tmx")
        here.run("build", program, "--emit=ptx=x.ptx")
        allocated = int(re.search(rb"tcgen05\.alloc[^,]*, *(\d+);", here.read("x.ptx"))[1])
        for flag in ("-O0", "-O1", "-O3", "-g"):
            said = json.loads(here.run("report", program, flag, "--format=json").stdout)
            assert said["kernels"][0]["tmem_columns"] == allocated, (name, flag, said)


def test_emulator_reads_lines(here):
    """Text with line information runs, and a fault names the line of the program."""
    here.run("build", ROUNDTRIP, "-lineinfo", "--emit=ptx=l.ptx")
    here.run("run", "l.ptx", "A=iota:f16[128,8]", "B=zeros:f16[128,8]", "--block", "128", "--expect", "B=A")
    broken = here.read("l.ptx").decode().replace("tcgen05.wait::st.sync.aligned;", "")
    here.write("broken.ptx", broken)
    said = here.run("run", "broken.ptx", "A=iota:f16[128,8]", "B=zeros:f16[128,8]", "--block", "128", status=4).stderr
    load = 1 + [i for i, line in enumerate(open(ROUNDTRIP)) if "copy_async Y <- T" in line][0]
    assert f"note: from roundtrip.tmx:{load}:" in said, said


def test_same_input_same_bytes(here):
    """PTX and cubin do not depend on the folder, the name of it, the time, the environment or the verbosity."""
    here.need_ptxas()
    places = (("a", {}, ["-v"]), ("b/c d", {"TZ": "Asia/Tokyo", "LANG": "C", "HOME": "/", "COLUMNS": "7"}, ["-q"]),
              ("e", {"LC_ALL": "tr_TR.UTF-8", "TMPDIR": here.folder, "NO_COLOR": "1"}, ["--color=always"]))
    for path in ("examples/epilogue.tmx", "tests/golden/inspect/report_two_kernels.tmx"):
        text = open(os.path.join(ROOT, path)).read()
        outputs = []
        for place, environment, words in places:
            os.makedirs(here.path(place), exist_ok=True)
            here.write(os.path.join(place, "k.tmx"), text)
            os.utime(here.path(os.path.join(place, "k.tmx")), (len(outputs) * 1e8, len(outputs) * 1e8))
            for flags in ([], ["-lineinfo"]):
                done = subprocess.run([here.tmemc, "build", "k.tmx", "-w", "-arch=sm_100a", f"--emit=ptx=p{len(flags)},cubin=c{len(flags)}",
                                       *flags, *words], cwd=here.path(place), capture_output=True, text=True,
                                      env=os.environ | environment)
                assert done.returncode == 0, done.stderr
            outputs.append([here.read(os.path.join(place, name)) for name in ("p0", "c0", "p1", "c1")])
        assert outputs[0] == outputs[1] == outputs[2], path
        assert len(set(outputs[0])) == 4, path


def test_sass(here):
    """Without nvdisasm --sass is exit 3; with it each instruction stands once, messages under their line and PTX."""
    here.need_ptxas()
    folder = os.path.dirname(tool("ptxas"))
    hidden = os.environ | {"PATH": here.folder, "CUDA_HOME": "", "CUDA_PATH": "", "TMEMC_PTXAS": tool("ptxas")}
    if not os.path.exists("/usr/local/cuda/bin/nvdisasm"):
        done = here.run("report", ROUNDTRIP, "--sass", status=3, environment=hidden)
        assert "nvdisasm" in done.stderr and "PATH" in done.stderr and done.stdout == "", done
    if not tool("nvdisasm"):
        raise Skip(f"no nvdisasm in PATH or {folder}")
    text = here.run("report", ROUNDTRIP, "--sass").stdout
    instructions = re.findall(r"^ {6}([0-9a-f]{4})  (\S.*)$", text, re.M)
    whole = kernels(here, ROUNDTRIP)["roundtrip"]["instructions"]
    assert len(instructions) == len(set(instructions)) == whole, (len(instructions), whole)
    part = text[text.index("copy_async T <- X;"):]
    assert re.match(r".*\n  tcgen05\.st\.sync\S+ \[%taddr\], \{.*\};\n      [0-9a-f]{4}  STTM\.x4 ", part), part[:300]
    here.run("build", ROUNDTRIP, "-lineinfo", "-o", "l.cubin")
    cubin = here.run("report", "l.cubin", "--sass").stdout
    strip = lambda listing: [re.sub(r"^(\S+:\d+:).*", r"\1", line) for line in listing.splitlines()]
    assert strip(cubin)[1:] == strip(text)[1:]  # the first names the target
    here.run("build", ROUNDTRIP, "-o", "p.cubin")
    assert "no line information" in here.run("report", "p.cubin", "--sass").stdout
