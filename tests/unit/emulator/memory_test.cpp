// ld and st: types, widths, vectors, spaces.
#include "program.hpp"

#include <fmt/format.h>

using namespace tmemc::emulator;

namespace {

struct Type {
    const char* name;
    int bytes;
    bool is_signed;
};
constexpr Type types[] = {{"b8", 1, false},  {"u8", 1, false},  {"s8", 1, true},    {"b16", 2, false},
                          {"u16", 2, false}, {"s16", 2, true},  {"b32", 4, false},  {"u32", 4, false},
                          {"s32", 4, true},  {"f32", 4, false}, {"b64", 8, false},  {"u64", 8, false},
                          {"s64", 8, true},  {"f64", 8, false}, {"b128", 16, false}};

// How a thread gets to its 32 bytes of the space: the in and out buffers hold them for global memory; shared
// memory is filled from the one and copied to the other.
struct Space {
    const char* name;   // of the space in the instruction
    const char* before; // puts the address of the data into %d40 and of the result into %d41
    const char* after;
};
const std::string thread_bytes =
    "mov.u32 %r90, %tid.x; mul.wide.u32 %d60, %r90, 32; add.u64 %in, %in, %d60;\n"
    "add.u64 %out, %out, %d60;\n";
const std::string fill_shared =
    ".SPACE .align 32 .b8 first[1024]; .SPACE .align 32 .b8 second[1024];\n"
    "ld.global.v4.b64 {%d1, %d2, %d3, %d4}, [%in]; ld.global.v4.b64 {%d5, %d6, %d7, %d8}, [%out];\n"
    "mov.u64 %d40, first; mov.u64 %d41, second; add.u64 %d40, %d40, %d60; add.u64 %d41, %d41, %d60;\n"
    "st.SPACE.v2.b64 [%d40], {%d1, %d2}; st.SPACE.v2.b64 [%d40+16], {%d3, %d4};\n"
    "st.SPACE.v2.b64 [%d41], {%d5, %d6}; st.SPACE.v2.b64 [%d41+16], {%d7, %d8};\n";
const std::string empty_shared =
    "ld.SPACE.v2.b64 {%d1, %d2}, [%d41]; ld.SPACE.v2.b64 {%d3, %d4}, [%d41+16];\n"
    "st.global.v4.b64 [%out], {%d1, %d2, %d3, %d4};\n";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what))
        text.replace(at, what.size(), with);
    return text;
}

std::string program_text(const std::string& space, const std::string& body) {
    std::string before = thread_bytes, after;
    const std::string own = space.find("local") != std::string::npos    ? "local"
                            : space.find("shared") != std::string::npos ? "shared"
                                                                        : "";
    if (!own.empty()) {
        before += replaced(fill_shared, "SPACE", own);
        after = replaced("mov.u64 %d41, second; add.u64 %d41, %d41, %d60;\n" + empty_shared, "SPACE", own);
    } else {
        before += "mov.u64 %d40, %in; mov.u64 %d41, %out;\n";
    }
    const bool generic = space.find("generic") == 0;
    if (generic && !own.empty())
        before += replaced("cvta.SPACE.u64 %d40, %d40; cvta.SPACE.u64 %d41, %d41;\n", "SPACE", own);
    return kernel(before + replaced(body, "SPACE", generic ? "" : "." + space) + after + "ret;");
}

std::vector<std::uint8_t> random_bytes(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::uint8_t> bytes(1024);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    return bytes;
}

std::string registers(const std::string& prefix, int count) {
    std::string text;
    for (int k = 0; k < count; ++k) text += (k == 0 ? "" : ", ") + prefix + std::to_string(10 + k);
    return count == 1 ? text : "{" + text + "}";
}

} // namespace

TEST_CASE("vectors of every type move unchanged through every space") {
    const auto in = random_bytes(1);
    int forms = 0;
    for (const std::string space :
         {"global", "generic", "shared", "shared::cta", "generic shared", "local", "generic local"}) {
        for (const Type& type : types) {
            for (const int count : {1, 2, 4, 8}) {
                const bool wide = space == "global" || space.find("generic") == 0;
                if (type.bytes * count > (wide && type.bytes >= 4 ? 32 : 16)) continue;
                if (type.bytes == 16 && count > 1) continue;
                const std::string vector = count == 1 ? "" : ".v" + std::to_string(count);
                const std::string list = registers(type.bytes == 16  ? "%q"
                                                   : type.bytes == 8 ? "%d"
                                                                     : "%r",
                                                   count);
                INFO(space, vector, type.name);
                auto out = random_bytes(2);
                const auto before = out;
                Program program(program_text(space, "ldSPACE" + vector + "." + type.name + " " + list +
                                                        ", [%d40];\nstSPACE" + vector + "." + type.name +
                                                        " [%d41], " + list + ";\n"));
                const Outcome outcome = program.run({}, in, out);
                REQUIRE_MESSAGE(!outcome.fault, words(outcome));
                for (std::size_t byte = 0; byte < out.size(); ++byte) {
                    const bool moved = byte % 32 < static_cast<std::size_t>(type.bytes * count);
                    REQUIRE(out[byte] == (moved ? in : before)[byte]);
                }
                ++forms;
            }
        }
    }
    MESSAGE(forms, " forms of ld and st");
    CHECK(forms == 3 * 45 + 4 * 53);
}

TEST_CASE("a load into a wider register extends by the type's sign, and a store takes the low bits") {
    const auto in = random_bytes(3);
    for (const Type& type : types) {
        if (type.bytes > 8) continue;
        INFO(type.name);
        std::vector<std::uint64_t> out(128);
        Program program(
            program_text("global", std::string("ld.global.") + type.name + " %d1, [%d40+8];\n" +
                                       "st.global.u64 [%d41], %d1; mov.u64 %d2, 0x1122334455667788;\n" +
                                       "st.global." + type.name + " [%d41+16], %d2;\n"));
        const Outcome outcome = program.run({}, in, out);
        REQUIRE_MESSAGE(!outcome.fault, words(outcome));
        for (std::size_t t = 0; t < 32; ++t) {
            std::uint64_t want = 0;
            std::memcpy(&want, &in[32 * t + 8], static_cast<std::size_t>(type.bytes));
            const bool negative =
                type.is_signed && (in[32 * t + 8 + static_cast<std::size_t>(type.bytes) - 1] & 0x80) != 0;
            if (negative && type.bytes < 8) want |= ~std::uint64_t{0} << (8 * type.bytes);
            CHECK(out[4 * t] == want);
            std::uint64_t stored = 0x1122334455667788;
            if (type.bytes < 8) stored &= (std::uint64_t{1} << (8 * type.bytes)) - 1;
            CHECK(out[4 * t + 2] == stored);
        }
    }
}

TEST_CASE("one unwritten byte anywhere in a wide access is found") {
    for (int hole = 0; hole < 32; ++hole) {
        std::string body = ".shared .align 32 .b8 row[32];\n";
        for (int byte = 0; byte < 32; ++byte) {
            if (byte != hole) body += "st.shared.u8 [row+" + std::to_string(byte) + "], 1;\n";
        }
        const int size = hole < 16 ? 16 : hole < 24 ? 8 : hole < 28 ? 4 : hole < 30 ? 2 : 1;
        const char* load = size == 16  ? "v2.b64 {%d1, %d2}"
                           : size == 8 ? "b64 %d1"
                           : size == 4 ? "b32 %r1"
                           : size == 2 ? "u16 %r1"
                                       : "u8 %r1";
        const std::string at = "[row+" + std::to_string(hole / size * size) + "]";
        Program narrow(kernel(body + "ld.shared." + load + ", " + at + "; ret;"));
        Program wide(kernel(body + "cvta.shared.u64 %d5, row; ld.v4.b64 {%d1, %d2, %d3, %d4}, [%d5]; ret;"));
        const std::vector<std::uint32_t> in(1);
        std::vector<std::uint32_t> out(1);
        for (Program* program : {&narrow, &wide}) {
            CHECK(words(program->run({}, in, out)) == "TM0705 the byte at " + fmt::format("{:#x}", hole) +
                                                          " of shared memory is read and was never written");
        }
    }
}

TEST_CASE("parameters lie in the block at their natural alignment and are read in parts") {
    const std::string text =
        ".version 9.0\n.target sm_100a\n.address_size 64\n"
        ".visible .entry k(.param .u8 a, .param .u16 b, .param .f32 c, .param .u64 out,\n"
        "  .param .align 16 .b8 e[24], .param .u8 f)\n{\n.reg .b32 %r<9>; .reg .b64 %d<9>;\n"
        "ld.param.u8 %r1, [a]; ld.param.u16 %r2, [b]; ld.param.b32 %r3, [c]; ld.param.u64 %d1, [out];\n"
        "ld.param.v2.b64 {%d2, %d3}, [e]; ld.param.u32 %r4, [e+20]; ld.param.u8 %r5, [f];\n"
        "shl.b32 %r2, %r2, 8; or.b32 %r1, %r1, %r2; shl.b32 %r5, %r5, 24; or.b32 %r1, %r1, %r5;\n"
        "st.global.v4.b32 [%d1], {%r1, %r3, %r4, 9}; st.global.v2.b64 [%d1+16], {%d2, %d3}; ret;\n}\n";
    const LoadResult loaded = load(tmemc::base::Source("p.ptx", text));
    REQUIRE(loaded.executable != nullptr);
    const KernelSignature& signature = loaded.kernels.at(0);
    std::vector<std::uint32_t> offsets;
    for (const auto& parameter : signature.parameters) offsets.push_back(parameter.offset);
    CHECK(offsets == std::vector<std::uint32_t>{0, 2, 4, 8, 16, 40});
    CHECK(signature.parameter_bytes == 41);

    GlobalMemory memory;
    const std::uint64_t address = memory.allocate(32);
    Launch launch{"k", {}, {}, std::vector<std::byte>(41)};
    for (std::size_t byte = 0; byte < 41; ++byte) launch.parameters[byte] = static_cast<std::byte>(byte + 1);
    std::memcpy(launch.parameters.data() + 8, &address, 8);
    const Outcome outcome = run(*loaded.executable, memory, launch);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::vector<std::uint8_t> out(32);
    memory.read(address, std::as_writable_bytes(std::span(out)));
    const std::vector<std::uint8_t> want{1,  3,  4,  41, 5,  6,  7,  8,  37, 38, 39, 40, 9,  0,  0,  0,
                                         17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
    CHECK(out == want);
}

TEST_CASE("allocations of global memory are apart, aligned, and know what was written") {
    GlobalMemory memory;
    const std::uint64_t a = memory.allocate(100), b = memory.allocate(0), c = memory.allocate(5);
    CHECK(a % 256 == 0);
    CHECK(b % 256 == 0);
    CHECK(b >= a + 100 + 256);
    std::uint64_t offset = 0;
    CHECK(memory.find(a + 96, 4, offset) != nullptr);
    CHECK(offset == 96);
    CHECK(memory.find(a + 97, 4, offset) == nullptr);
    CHECK(memory.find(a - 1, 1, offset) == nullptr);
    CHECK(memory.find(a, ~std::uint64_t{0}, offset) == nullptr);
    CHECK(memory.find(b, 1, offset) == nullptr);
    const std::vector<std::uint8_t> data{1, 2, 3};
    memory.write(c + 1, std::as_bytes(std::span(data)));
    CHECK(memory.find(c, 5, offset)->written == std::vector<std::uint8_t>{0, 1, 1, 1, 0});
    memory.free(a);
    CHECK(memory.find(a, 1, offset) == nullptr);
}
