// What the reader says of cubins: of those that ptxas makes here, of one made by hand, and of damaged ones.
#include "toolchain/cubin.hpp"

#include "skip.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

using namespace tmemc::toolchain;

namespace {

constexpr const char* header = ".version 8.6\n.target sm_100a\n.address_size 64\n";

Assembled assembled(const std::string& kernels, const std::string& flag = "-v") {
    PtxasOptions options;
    options.target = "sm_100a";
    options.flags = {flag};
    return assemble(header + kernels, options);
}
Cubin read(const Assembled& made) {
    REQUIRE_MESSAGE(made.status == Assembled::Status::ok, made.raw_errors);
    const Cubin cubin = read_cubin(made.cubin);
    CHECK_MESSAGE(cubin.error.empty(), cubin.error);
    CHECK(cubin.architecture == 100);
    return cubin;
}
bool without_ptxas(const char* name) {
    if (!find_ptxas().path.empty()) return false;
    tmemc::tests::skipped(name, "no ptxas");
    return true;
}
const CubinKernel& kernel(const Cubin& cubin, const std::string& name) {
    const auto found = std::find_if(cubin.kernels.begin(), cubin.kernels.end(),
                                    [&](const CubinKernel& each) { return each.name == name; });
    REQUIRE(found != cubin.kernels.end());
    return *found;
}

/// "{r0, r1, ...}"
std::string registers(int count) {
    std::string list = "{";
    for (int i = 0; i < count; ++i) list += fmt::format("{}r{}", i == 0 ? "" : ", ", i);
    return list + "}";
}

/// A number as bytes, the lowest first.
std::string little(std::uint64_t value, int width) {
    std::string bytes;
    for (int i = 0; i < width; ++i) bytes += static_cast<char>(i < 8 ? value >> (8 * i) & 0xff : 0);
    return bytes;
}
std::string instruction(std::uint64_t low, std::uint64_t high = 0) {
    return little(low, 8) + little(high, 8);
}

/// A cubin of kernel `k` with this code, 24 registers and 12 bytes of shared memory.
std::string cubin_by_hand(const std::string& code, std::uint64_t shared = 0x40c) {
    struct Part {
        std::string name;
        std::uint32_t type, info;
        std::uint64_t size;
        std::string bytes;
    };
    // Another entry, with a payload that looks like a count, stands first.
    const std::string info = little(0x1104, 2) + little(8, 2) + little(0x00082f04, 4) + little(7, 4) +
                             little(0x2f04, 2) + little(8, 2) + little(5, 4) + little(24, 4);
    // Symbol 5: its name, a function, an entry.
    const std::string symbols = std::string(5 * 24, '\0') + little(1, 4) + "\x12\x10" + std::string(18, '\0');
    std::vector<Part> parts{{"", 0, 0, 0, ""},
                            {".symtab", 2, 0, symbols.size(), symbols},
                            {".shstrtab", 3, 0, 0, ""},
                            {".strtab", 3, 0, 3, std::string("\0k\0", 3)},
                            {".nv.info", 0x70000000, 0, info.size(), info},
                            {".nv.shared.k", 8, 0, shared, ""},
                            {".text.k", 1, 5, code.size(), code}};
    std::string names;
    for (const Part& part : parts) names += part.name + '\0';
    parts[2].bytes = names;
    parts[2].size = names.size();
    std::string body, headers;
    std::uint64_t name = 0;
    for (const Part& part : parts) {
        headers += little(name, 4) + little(part.type, 4) + little(0, 16) + little(64 + body.size(), 8) +
                   little(part.size, 8) + little(0, 4) + little(part.info, 4) + little(0, 16);
        body += part.bytes;
        name += part.name.size() + 1;
    }
    return std::string("\x7f"
                       "ELF\x02\x01",
                       6) +
           std::string(10, '\0') + little(2, 2) + little(190, 2) + little(1, 4) + little(0, 8) +
           little(0, 8) + little(64 + body.size(), 8) + little(0x06006402, 4) + little(64, 2) +
           little(56, 2) + little(0, 2) + little(64, 2) + little(parts.size(), 2) + little(2, 2) + body +
           headers;
}

const std::string& small_cubin() {
    static const std::string bytes =
        cubin_by_hand(instruction(0xb82) + instruction(0x387 | 1 << 24, 4 << 9) +
                      instruction(0x983 | 1 << 24, 6 << 9) + instruction(0x918) + instruction(0x3c6, 2 << 8) +
                      instruction(0x9ee | 0x345678ULL << 40,
                                  0x12ULL << 8 | 1ULL << 16 | 2ULL << 17 | 5ULL << 19 | 1ULL << 27) +
                      instruction(0x9ee, 2ULL << 17) + // another opcode: bit 91 is clear
                      instruction(0x947) + instruction(0x918) + instruction(0x918));
    return bytes;
}

std::string kept(const std::string& name) {
    std::ifstream file("data/cubin/" + name + ".cubin", std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a cubin made by hand") {
    const Cubin cubin = read_cubin(small_cubin());
    CHECK(cubin.error.empty());
    CHECK(cubin.architecture == 100);
    REQUIRE(cubin.kernels.size() == 1);
    const CubinKernel& k = cubin.kernels[0];
    CHECK(k.name == "k");
    CHECK(k.entry);
    CHECK(k.registers == 24);
    CHECK(k.shared_bytes == 12);
    REQUIRE(k.code);
    CHECK(k.code->instructions == 8);
    CHECK(k.code->spill_stores == 4); // by the frame's register: the file has no annotations
    CHECK(k.code->spill_loads == 16);
    CHECK(k.code->store_waits == 1);
    CHECK(!k.code->load_waits); // a NOP may be a fence
    CHECK(k.code->moves == std::vector<TensorMove>{{false, "32x32b", 32, true, 0x12345678}});
}

TEST_CASE("every shape, length and packing of messages") {
    if (without_ptxas("every shape, length and packing of messages")) return;
    struct Row {
        const char* shape;
        int registers, longest; // of .x1; .xN
    };
    constexpr Row rows[] = {
        {"32x32b", 1, 128}, {"16x64b", 1, 128}, {"16x128b", 2, 64}, {"16x256b", 4, 32}, {"16x32bx2", 1, 128}};
    std::string text;
    std::vector<std::vector<TensorMove>> wanted;
    for (const Row& row : rows)
        for (int num = 1; num <= row.longest; num *= 2)
            for (const bool packed : {false, true}) {
                const bool split = std::string(row.shape) == "16x32bx2";
                const auto line = [&](const char* what, const char* packing, int at) {
                    const std::string name = fmt::format("tcgen05.{}.sync.aligned.{}.x{}{}.b32", what,
                                                         row.shape, num, packed ? packing : "");
                    const std::string address = fmt::format("[t+{}]{}", at, split ? ", 256" : ""),
                                      data = registers(num * row.registers);
                    return *what == 'l' ? fmt::format("{} {}, {};\n", name, data, address)
                                        : fmt::format("{} {}, {};\n", name, address, data);
                };
                text += fmt::format(
                    ".visible .entry k{}(.param .u32 T) .reqntid 128 {{\n.reg .b32 t; .reg .b32 "
                    "r<128>;\nld.param.u32 t, [T];\n{}tcgen05.wait::ld.sync.aligned;\n{}ret;\n}}\n",
                    wanted.size(), line("ld", ".pack::16b", 12), line("st", ".unpack::16b", 0x100006));
                std::vector<TensorMove> moves;
                for (const bool store : {false, true})
                    for (int half = 0; half <= (split ? 1 : 0); ++half)
                        moves.push_back(
                            {store, row.shape, num, packed, (store ? 0x100006 : 12) + 256 * half});
                wanted.push_back(moves);
            }
    const Cubin cubin = read(assembled(text));
    CHECK(cubin.kernels.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        CAPTURE(i);
        const CubinKernel& k = kernel(cubin, fmt::format("k{}", i));
        CHECK(k.code->moves == wanted[i]);
        CHECK(k.code->load_waits == 1);
    }
    MESSAGE(wanted.size() << " messages each way");
}

TEST_CASE("instructions, waits, spills, shared memory and registers as ptxas says") {
    if (without_ptxas("instructions, waits, spills, shared memory and registers as ptxas says")) return;
    std::string loads, stores;
    for (int i = 0; i < 64; ++i) {
        loads += fmt::format("ld.volatile.global.b32 r{}, [a+{}];\n", i, 4 * i);
        stores += fmt::format("st.volatile.global.b32 [a+{}], r{};\n", 4 * i, 63 - i);
    }
    const std::string parts =
        "(.param .u64 A) {{ .reg .b64 a; .reg .b32 r<64>;\nld.param.u64 a, [A];\n{}ret; }}\n";
    const std::string text =
        ".visible .entry empty() { ret; }\n.visible .entry roomy" +
        fmt::format(fmt::runtime(parts), loads + stores) +
        ".visible .entry narrow(.param .u64 A) .maxnreg 32" +
        fmt::format(fmt::runtime(parts), loads + stores).substr(15) + ".visible .entry shares" +
        fmt::format(fmt::runtime(parts), ".shared .align 4 .b8 s[100]; ld.volatile.shared.b32 r0, [s+96]; "
                                         "st.volatile.global.b32 [a], r0;\n") +
        ".visible .entry waits(.param .u32 T) .reqntid 128 { .reg .b32 t, r;\nld.param.u32 t, [T];\n"
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {r}, [t];\ntcgen05.wait::ld.sync.aligned;\n"
        "tcgen05.wait::ld.sync.aligned;\ntcgen05.fence::before_thread_sync;\nfence.proxy.async;\n"
        "tcgen05.st.sync.aligned.32x32b.x1.b32 [t+1], {r};\ntcgen05.wait::st.sync.aligned;\n"
        "tcgen05.st.sync.aligned.32x32b.x1.b32 [t+2], {r};\ntcgen05.wait::st.sync.aligned;\nret; }\n";
    const Assembled made = assembled(text);
    const Cubin cubin = read(made);
    REQUIRE(cubin.kernels.size() == 5);
    CHECK(kernel(cubin, "empty").code->instructions == 3); // a load of the stack pointer, exit, branch
    CHECK(kernel(cubin, "empty").shared_bytes == 0);
    CHECK(kernel(cubin, "roomy").code->spill_stores == 0);
    CHECK(kernel(cubin, "roomy").code->instructions >= 128);
    CHECK(kernel(cubin, "narrow").code->spill_stores > 0);
    CHECK(kernel(cubin, "shares").shared_bytes == 100);
    CHECK(kernel(cubin, "waits").code->store_waits == 2);
    CHECK(kernel(cubin, "waits").code->load_waits == 2);
    // ptxas -v: "Function properties for NAME ... N bytes spill stores, N bytes spill loads ... Used N
    // registers"
    std::string name;
    int compared = 0;
    std::istringstream lines(made.raw_errors);
    for (std::string line; std::getline(lines, line);) {
        constexpr std::string_view entry = "Compiling entry function '", used = "Used ";
        if (const std::size_t at = line.find(entry); at != std::string::npos)
            name = line.substr(at + entry.size(), line.find('\'', at + entry.size()) - at - entry.size());
        if (int spilled = 0, refilled = 0;
            std::sscanf(line.c_str(),
                        "    %*d bytes stack frame, %d bytes spill stores, %d bytes spill loads", &spilled,
                        &refilled) == 2) {
            CAPTURE(name);
            CHECK(kernel(cubin, name).code->spill_stores == spilled);
            CHECK(kernel(cubin, name).code->spill_loads == refilled);
        }
        if (const std::size_t at = line.find(used); at != std::string::npos) {
            CAPTURE(name);
            CHECK(kernel(cubin, name).registers == std::stoi(line.substr(at + used.size())));
            const std::size_t with = line.find(", used ");
            REQUIRE(with != std::string::npos);
            CHECK(kernel(cubin, name).barriers == std::stoi(line.substr(with + 7)));
            ++compared;
        }
    }
    CHECK(compared == 5);
}

TEST_CASE("columns of allocations") {
    if (without_ptxas("columns of allocations")) return;
    std::string text;
    const auto kernel_text = [](const std::string& name, const std::string& body) {
        return fmt::format(
            ".visible .entry {}(.param .u32 C) .reqntid 128 {{ .shared .align 4 .b32 s; .reg .b32 t, u, "
            "c; ld.param.u32 c, [C];\n{}ret; }}\n",
            name, body);
    };
    const auto alloc = [](const std::string& columns, const char* into) {
        return fmt::format(
            "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [s], {};\nld.shared.b32 {}, [s];\n",
            columns, into);
    };
    const auto free = [](const std::string& columns, const char* from) {
        return fmt::format("tcgen05.dealloc.cta_group::1.sync.aligned.b32 {}, {};\n", from, columns);
    };
    for (const char* each : {"32", "64", "128", "256", "512"})
        text += kernel_text(fmt::format("k{}", each), alloc(each, "t") + free(each, "t"));
    text += kernel_text("two", alloc("64", "t") + alloc("128", "u") + free("64", "t") + free("128", "u"));
    text += kernel_text("moved", "mov.u32 c, 64;\n" + alloc("c", "t") + free("c", "t"));
    text += kernel_text("given", alloc("c", "t") + free("c", "t"));
    text += kernel_text("none", "");
    for (const char* flag : {"-O3", "-O1", "-c"}) {
        CAPTURE(flag);
        const Cubin cubin = read(assembled(text, flag));
        for (const int columns : {32, 64, 128, 256, 512})
            CHECK(kernel(cubin, fmt::format("k{}", columns)).code->columns == columns);
        CHECK(kernel(cubin, "two").code->columns == 192);
        CHECK(kernel(cubin, "moved").code->columns == 64);
        CHECK(!kernel(cubin, "given").code->columns);
        CHECK(kernel(cubin, "none").code->columns == 0);
    }
}

TEST_CASE("the kept cubins of several ptxas, with and without one here") {
    struct Row {
        const char* file;
        const char* target;
        const char* kernel;
        int registers, barriers, spill_stores, spill_loads, instructions;
        std::uint64_t shared_bytes;
    };
    // By `ptxas -v` when they were made, and nvdisasm -c up to the last instruction that is no NOP.
    constexpr Row rows[] = {
        {"roundtrip.sm_100f.ptxas_13.0", "sm_100f", "roundtrip", 14, 1, 0, 0, 109, 4},
        {"local.sm_90.ptxas_13.0", "sm_90", "both", 32, 0, 168, 168, 332, 0},
        {"shared.sm_80.ptxas_12.8", "sm_80", "shar", 10, 1, 0, 0, 13, 400},
        {"waits.sm_100a.ptxas_12.8", "sm_100a", "waits", 10, 2, 0, 0, 22, 0},
    };
    for (const Row& row : rows) {
        CAPTURE(row.file);
        const Cubin cubin = read_cubin(kept(row.file));
        CHECK_MESSAGE(cubin.error.empty(), cubin.error);
        CHECK(cubin.target == row.target);
        const CubinKernel& k = kernel(cubin, row.kernel);
        REQUIRE(k.code);
        CHECK(k.registers == row.registers);
        CHECK(k.barriers == row.barriers);
        CHECK(k.shared_bytes == row.shared_bytes);
        CHECK(k.code->spill_stores == row.spill_stores);
        CHECK(k.code->spill_loads == row.spill_loads);
        CHECK(k.code->instructions == row.instructions);
        const bool moves = !k.code->moves.empty();
        CHECK(k.code->load_waits == (moves ? 1 : 0));
        CHECK(k.code->store_waits == (moves ? 1 : 0));
    }
}

TEST_CASE("what is no cubin is refused in words") {
    CHECK(read_cubin("\x50\xed\x55\xba and more").error.find("cuobjdump") != std::string::npos);
    CHECK(read_cubin("").error.find("ELF") != std::string::npos);
    std::string host = small_cubin();
    host[18] = 62; // EM_X86_64
    CHECK(read_cubin(host).error == "it is no cubin but for another machine");
    CHECK(read_cubin(cubin_by_hand(instruction(0x947), 228 * 1024)).error.empty());
    for (const std::uint64_t bytes :
         {std::uint64_t{228 * 1024 + 1}, std::uint64_t{0xffffffff}, ~std::uint64_t{0}})
        CHECK(read_cubin(cubin_by_hand(instruction(0x947), bytes)).error ==
              fmt::format("a kernel of it has {} bytes of shared memory, but an SM has 233472", bytes));
    std::string unknown = small_cubin();
    unknown[49] = static_cast<char>(140); // sm_140
    const Cubin cubin = read_cubin(unknown);
    CHECK(cubin.error.empty());
    CHECK(cubin.target == "sm_140");
    REQUIRE(cubin.kernels.size() == 1);
    CHECK(!cubin.kernels[0].code);
    CHECK(cubin.kernels[0].registers == 24);
    CHECK(ptx_in_cubin(small_cubin()).empty());
}

TEST_CASE("functions that kernels call are told apart from kernels") {
    if (without_ptxas("functions that kernels call are told apart from kernels")) return;
    // For -g ptxas checks each access to tensor memory, and calls a function when the check fails.
    const Cubin cubin =
        read(assembled(".visible .entry k(.param .u64 A, .param .u32 T) .reqntid 128 {\n"
                       ".reg .b64 a; .reg .b32 t, r; ld.param.u64 a, [A]; ld.param.u32 t, [T];\n"
                       "tcgen05.ld.sync.aligned.32x32b.x1.b32 {r}, [t];\n"
                       "tcgen05.wait::ld.sync.aligned; st.global.b32 [a], r; ret; }\n",
                       "-g"));
    CHECK(kernel(cubin, "k").entry);
    CHECK(cubin.kernels.size() > 1);
    CHECK(std::count_if(cubin.kernels.begin(), cubin.kernels.end(),
                        [](const CubinKernel& each) { return each.entry; }) == 1);
}

TEST_CASE("damaged files are read or refused, never run over") {
    std::vector<std::string> whole{small_cubin(), kept("roundtrip.sm_100f.ptxas_13.0"),
                                   kept("local.sm_90.ptxas_13.0")};
    if (!without_ptxas("damaged cubins of ptxas")) {
        const Assembled made =
            assembled(".visible .entry k(.param .u64 A) { .reg .b64 a; .reg .b32 r; .shared .b32 s;\n"
                      "ld.param.u64 a, [A]; ld.volatile.shared.b32 r, [s]; st.global.b32 [a], r; ret; }\n");
        whole.push_back(made.cubin);
    }
    std::mt19937 random(3);
    int refused = 0, changed = 0, as_before = 0;
    const auto tally = [&](const std::string& bytes, const Cubin& healthy) {
        const Cubin cubin = read_cubin(bytes);
        ++(!cubin.error.empty() ? refused : cubin == healthy ? as_before : changed);
    };
    for (const std::string& bytes : whole) {
        const Cubin healthy = read_cubin(bytes);
        REQUIRE(healthy.error.empty());
        for (std::size_t length = 0; length < bytes.size(); length += 1 + length / 64)
            tally(bytes.substr(0, length), healthy);
        for (int turn = 0; turn < 4000; ++turn) {
            std::string damaged = bytes;
            for (unsigned i = 0; i <= random() % 4; ++i) {
                // Half of the blows hit the header or the table of sections.
                const std::size_t table = bytes.size() - std::min<std::size_t>(bytes.size(), 1600);
                const std::size_t at = random() % 2 == 0   ? random() % 64
                                       : random() % 2 == 0 ? table + random() % (bytes.size() - table)
                                                           : random() % bytes.size();
                damaged[at] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
            }
            tally(damaged, healthy);
        }
    }
    MESSAGE(refused << " refused, " << changed << " read as something else, " << as_before << " as before");
    CHECK(refused > 100);
    CHECK(changed > 100);
    CHECK(as_before > 100);
    CHECK(!read_cubin("").error.empty());
    CHECK(!read_cubin("no ELF file").error.empty());
}
