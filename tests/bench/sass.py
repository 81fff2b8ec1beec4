"""How tight the code is: instructions, registers and spills of the kernels in kernels/, beside the tightest PTX known
(floor.py) and nvcc on the same kernel in CUDA C++.

    tests/bench/sass            builds, then prints the table; --time times source to cubin instead

Counts are read from the cubins (src/toolchain/cubin.hpp). They are kept for one ptxas in tests/data/sass/ptxas_13.0.txt, and
`tests/run` holds the compiler to them: a count may not rise, nothing may spill, a kernel may have `ABOVE_FLOOR` instructions
more than the floor and `ABOVE_NVCC` registers more than nvcc, and the epilogue no instruction more than nvcc.
GOLDEN_UPDATE=1 tests/run writes the file anew (nvcc's columns where there is an nvcc of that version).
"""
import os, re, shutil, statistics, subprocess, sys, tempfile, time

import floor

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
KEPT = os.path.join(os.path.dirname(HERE), "data", "sass")
ABOVE_FLOOR = 3   # two of them for giving up the right to allocate early
ABOVE_NVCC = 8
COLUMNS = ("instructions", "registers", "spills", "floor instructions", "floor registers", "nvcc instructions",
           "nvcc registers")


def rows():
    """name: (the program and its constants, the CUDA file and its macros, the floor's PTX)"""
    for dtype in ("f32", "f16"):
        for n in (1, 4, 16, 32, 64, 128):
            yield (f"roundtrip {dtype} 32x32b.x{n}", (f"roundtrip_{dtype}.tmx", [f"N={n}"]),
                   ("roundtrip.cu", [f"N={n}", f'NUM="x{n}"']), floor.round_trip(n))
    for bits in (64, 128, 256):
        for height, width in ((64, 32), (128, 32), (64, 128), (128, 128)):
            macros = [f"ATOM={bits}", f"ROWS={height}", f"W={width}", f"LENGTH={width // 2}",
                      f'NUM="x{width * 32 // bits}"']
            yield (f"fragment 16x{bits}b {height}x{width}", (f"fragment_16x{bits}b_{height}.tmx", [f"W={width}"]),
                   ("fragment.cu", macros), floor.fragment(f"16x{bits}b", height, width))
    yield ("epilogue 128x256 bf16", ("epilogue.tmx", []), ("epilogue.cu", ["UNROLL=8"]), floor.epilogue(256, 32))
    yield ("epilogue 128x256 bf16, a loop", None, ("epilogue.cu", ["UNROLL=1"]), None)


def tmemc_command(tmemc, program, output):
    name, constants = program
    return [tmemc, "build", "-w", os.path.join(KERNELS, name), *(word for each in constants for word in ("-D", each)),
            "-o", output]


def ptxas_command(ptxas, ptx, output):
    return [ptxas, "-arch=sm_100a", ptx, "-o", output]


def nvcc_command(nvcc, program, output):
    name, macros = program
    return [nvcc, "-O3", "-arch=sm_100a", "-cubin", *(f"-D{each}" for each in macros), os.path.join(KERNELS, name),
            "-o", output]


def version(program):
    found = re.search(r"release (\d+\.\d+)", subprocess.run([program, "--version"], capture_output=True, text=True).stdout)
    return found[1] if found else "?"


def measure(tmemc, counter, ptxas, nvcc=None):
    """{kernel: {column: count}}; columns of what is not there are missing."""
    with tempfile.TemporaryDirectory() as place:
        files = {}
        for i, (name, program, cuda, floor_text) in enumerate(rows()):
            at = lambda kind: os.path.join(place, f"{i}.{kind}")
            commands = []
            if program:
                commands.append(("", tmemc_command(tmemc, program, at("cubin"))))
            if floor_text:
                with open(at("ptx"), "w") as out:
                    out.write(floor_text)
                commands.append(("floor ", ptxas_command(ptxas, at("ptx"), at("floor"))))
            if nvcc:
                commands.append(("nvcc ", nvcc_command(nvcc, cuda, at("nvcc"))))
            for column, command in commands:
                subprocess.run(command, check=True, capture_output=True)
                files[command[-1]] = (name, column)
        said = subprocess.run([counter, *files], check=True, capture_output=True, text=True).stdout
        table = {}
        for line in said.splitlines():
            path, _, *words = line.split()
            name, column = files[path]
            counts = dict(zip(words[::2], words[1::2]))
            for what in ("instructions", "registers", "spills"):
                if column + what in COLUMNS:
                    table.setdefault(name, {})[column + what] = int(counts[what])
        return table


def kept_file(release):
    return os.path.join(KEPT, f"ptxas_{release}.txt")


def read_kept(path):
    table = {}
    for line in open(path):
        name, *counts = [part.strip() for part in line.split("|")]
        if counts and not line.startswith("#"):
            table[name] = {column: int(count) for column, count in zip(COLUMNS, counts) if count != "-"}
    return table


def lines(table):
    yield "# " + " | ".join(("kernel", *COLUMNS))
    for name, counts in table.items():
        yield " | ".join([f"{name:<30}", *(f"{counts.get(column, '-'):>4}" for column in COLUMNS)])


def problems(name, now, kept):
    for column in COLUMNS[:3]:
        if column in now and now[column] > kept.get(column, 0):
            yield f"{now[column]} {column}, {kept.get(column, 0)} kept"
    if "instructions" not in now:
        return
    if now["spills"]:
        yield f"{now['spills']} spills"
    if now["instructions"] > now["floor instructions"] + ABOVE_FLOOR:
        yield f"{now['instructions']} instructions, the floor is {now['floor instructions']}"
    if now["registers"] > kept.get("nvcc registers", 255) + ABOVE_NVCC:
        yield f"{now['registers']} registers, nvcc takes {kept['nvcc registers']}"
    if name.startswith("epilogue") and now["instructions"] > kept.get("nvcc instructions", 0):
        yield f"{now['instructions']} instructions, nvcc makes {kept.get('nvcc instructions', 0)}"


def run_all(tmemc, build, ptxas, update=False):
    """Of each kernel its name and None, what is wrong, or "skipped: ..."."""
    if not ptxas:
        yield "counts", "skipped: no ptxas"
        return
    release = version(ptxas)
    path = kept_file(release)
    if not os.path.exists(path) and not update:
        yield "counts", f"skipped: none are kept for ptxas {release}"
        return
    counter = os.path.join(build, "tests", "bench", "count_cubin")
    nvcc = find("nvcc") if update else None
    try:
        now = measure(tmemc, counter, ptxas, nvcc if nvcc and version(nvcc) == release else None)
    except subprocess.CalledProcessError as failed:
        yield "counts", f"{' '.join(failed.cmd)}\n{failed.stderr.decode()}"
        return
    kept = read_kept(path) if os.path.exists(path) else {}
    if update:
        os.makedirs(KEPT, exist_ok=True)
        with open(path, "w") as out:
            out.write("\n".join(lines({name: {**kept.get(name, {}), **counts} for name, counts in now.items()})) + "\n")
        kept = read_kept(path)
    for name, counts in now.items():
        yield name, "; ".join(problems(name, counts, kept.get(name, {}))) or None
        if any(counts.get(column, 0) < kept[name].get(column, 0) for column in COLUMNS[:2]):
            print(f"{name} has become smaller: GOLDEN_UPDATE=1 tests/run keeps that")


def find(tool):
    beside = f"/usr/local/cuda/bin/{tool}"
    return shutil.which(tool) or (beside if os.path.exists(beside) else None)


def median_ms(commands, turns):
    """Of each command the median wall time, the commands taking turns so that all meet the same machine."""
    took = [[] for _ in commands]
    for _ in range(turns):
        for times, command in zip(took, commands):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(1000 * (time.perf_counter() - start))
    return [statistics.median(times) for times in took]


def time_all(tmemc, ptxas, nvcc, turns):
    print("| kernel | tmemc, ms | ptxas alone | tmemc - 1.15 * ptxas | nvcc | nvcc / tmemc |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as place:
        for name, program, cuda, _ in rows():
            if not program or not any(word in name for word in ("f32 32x32b", "16x256b 128x128", "epilogue")):
                continue
            ptx, cubin = os.path.join(place, "k.ptx"), os.path.join(place, "k.cubin")
            whole = tmemc_command(tmemc, program, cubin)
            subprocess.run(whole[:-1] + [ptx], check=True)
            commands = [whole, ptxas_command(ptxas, ptx, cubin)]
            ours, alone = median_ms(commands, turns)
            theirs = median_ms([nvcc_command(nvcc, cuda, cubin)], max(3, turns // 5))[0] if nvcc else 0
            last = f"{theirs:.0f} | {theirs / ours:.1f}" if nvcc else "- | -"
            print(f"| {name} | {ours:.1f} | {alone:.1f} | {ours - 1.15 * alone:.1f} | {last} |", flush=True)


def main():
    build = sys.argv[1]
    tmemc, ptxas, nvcc = os.path.abspath(os.path.join(build, "tmemc")), find("ptxas"), find("nvcc")
    if not ptxas:
        sys.exit("no ptxas: it comes with the CUDA toolkit")
    print(f"ptxas {version(ptxas)}, " + (f"nvcc {version(nvcc)} -O3" if nvcc else "no nvcc") + "\n")
    if "--time" in sys.argv:
        return time_all(tmemc, ptxas, nvcc, 25)
    table = measure(tmemc, os.path.join(build, "tests", "bench", "count_cubin"), ptxas, nvcc)
    print("| " + " | ".join(("kernel", *COLUMNS)) + " |\n" + "|---" * (len(COLUMNS) + 1) + "|")
    for name, counts in table.items():
        print("| " + " | ".join([name, *(str(counts.get(column, "-")) for column in COLUMNS)]) + " |")


if __name__ == "__main__":
    main()
