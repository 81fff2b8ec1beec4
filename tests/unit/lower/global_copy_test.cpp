// Global copies, executed: whatever the image, the region, the pitch and the alignment, a load and a store
// through a fragment move exactly the elements that the maps name, touch no other byte, and never an address
// that is not aligned.
#include "lines.hpp"
#include "programs.hpp"
#include "thread_machine.hpp"
#include "tile_memory.hpp"

#include "lower/global_access.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;

namespace {

/// A tile between global memory and a fragment: A[row.., col..] -> X's `from` -> B[row.., col..] out of X's
/// `to`.
struct Case {
    base::Dtype dtype = base::Dtype::f32;
    layout::SlotMap map;
    std::int64_t pitch = 0, align = 32;
    int row = 0, col = 0; // of the tensor regions
    sema::Region from, to;
};

struct Executed {
    std::map<std::string, int> instructions; // of all threads
    std::size_t groups = 0;
};

Executed execute(const Case& c) {
    Program p;
    const Window window{c.dtype, c.pitch, c.row, c.col};
    const auto [a, b] = two_tensors(p, window, c.align);
    p.fragment("X", c.dtype, c.map);
    p.load(c.from, a, c.row, c.col);
    p.store(b, c.row, c.col, c.to);
    const LowerResult lowered = p.lowered();
    REQUIRE(lowered.diagnostics.list.empty());

    const std::set<std::uint64_t> readable = window.bytes(a_base, c.from),
                                  writable = window.bytes(b_base, c.to);
    const std::map<std::uint64_t, std::uint8_t> before = pattern(readable);
    std::map<std::uint64_t, std::uint8_t> memory = before;

    Executed result;
    std::set<std::uint64_t> read, written;
    for (std::uint64_t thread = 0; thread < 128; ++thread) {
        // Where the store takes more than was loaded, the rest has a value too; it is not compared.
        ThreadMachine machine{memory, {{"A", a_base}, {"B", b_base}}, {}, {}, {}, {}};
        if (c.to != c.from)
            for (const std::string& name : lowered.trace.kernels[0].registers[0])
                machine.registers[name] = 0xDEADBEEF;
        machine.run(lowered.module.functions[0], thread);
        read.insert(machine.bytes_read.begin(), machine.bytes_read.end());
        written.insert(machine.bytes_written.begin(), machine.bytes_written.end());
        for (const auto& [name, count] : machine.executed) result.instructions[name] += count;
    }
    CHECK(read == readable);
    CHECK(written == writable);
    for (int r = 0; r < c.to.rows; ++r)
        for (int k = 0; k < c.to.cols; ++k) {
            // Element (r, k) of the stored region is (r + dr, k + dk) of the loaded one.
            const int row = c.to.row + r - c.from.row, col = c.to.col + k - c.from.col;
            if (row < 0 || row >= c.from.rows || col < 0 || col >= c.from.cols) continue;
            for (int byte = 0; byte < base::bytes(c.dtype); ++byte)
                REQUIRE(memory.at(window.at(b_base, r, k, byte)) ==
                        before.at(window.at(a_base, row, col, byte)));
        }
    return result;
}

Case whole(base::Dtype dtype, layout::SlotMap map) {
    Case c;
    c.dtype = dtype;
    c.pitch = map.cols;
    c.from = c.to = {0, 0, 0, map.rows, map.cols, {}};
    c.map = std::move(map);
    return c;
}

} // namespace

TEST_CASE("a row per thread moves in accesses of 32 bytes") {
    const Executed result = execute(whole(base::Dtype::f16, row_per_thread(64, 16)));
    CHECK(result.instructions.at("ld.global.nc.v8.b32") == 128 * 4);
    CHECK(result.instructions.at("st.global.v8.b32") == 128 * 4);
    CHECK(result.instructions.count("ld.global.nc.b32") == 0);
}

TEST_CASE("a target without accesses of 32 bytes gets two of 16") {
    sema::Tensor tensor;
    tensor.dtype = base::Dtype::f32;
    tensor.pitch = 8;
    tensor.extents = {128, 8};
    sema::GlobalCopy copy;
    copy.tensor = copy.fragment = {0, 0, 0, 128, 8, {}};
    const auto groups = accesses(copy, tensor, thread_forms(row_per_thread(8, 32), true), 16);
    REQUIRE(groups.size() == 1);
    CHECK(groups[0].accesses.size() == 2);
    CHECK(groups[0].accesses[1].bytes == 16);
}

TEST_CASE("stores of elements stand together, behind what brings them down") {
    Program p;
    const std::size_t b = p.tensor("B", base::Dtype::u8, 128, 16);
    p.tensor(b).pitch = 17;
    p.store(b, p.fragment("X", base::Dtype::u8, row_per_thread(16, 8)));
    const auto list = lines(p.lowered());
    const int first = line_of(list, "st.global.u8");
    for (int i = 0; i < 16; ++i)
        CHECK(list.at(static_cast<std::size_t>(first + i)).substr(0, 12) == "st.global.u8");
}

TEST_CASE("the width is what pointer, pitch and offset allow") {
    const auto widest = [](int cols, std::int64_t pitch, std::int64_t align, int col) {
        Case c = whole(base::Dtype::f32, row_per_thread(cols, 32));
        c.pitch = pitch;
        c.align = align;
        c.col = col;
        const Executed result = execute(c);
        for (const char* name :
             {"ld.global.nc.v8.b32", "ld.global.nc.v4.b32", "ld.global.nc.v2.b32", "ld.global.nc.b32"})
            if (result.instructions.count(name) != 0) return std::string(name);
        return std::string();
    };
    CHECK(widest(16, 16, 32, 0) == "ld.global.nc.v8.b32");
    CHECK(widest(16, 16, 16, 0) == "ld.global.nc.v4.b32");
    CHECK(widest(16, 20, 32, 0) == "ld.global.nc.v4.b32");
    CHECK(widest(16, 18, 32, 0) == "ld.global.nc.v2.b32");
    CHECK(widest(16, 17, 32, 0) == "ld.global.nc.b32");
    CHECK(widest(16, 32, 32, 4) == "ld.global.nc.v8.b32"); // 16, 32, 16 bytes
    CHECK(widest(8, 32, 32, 4) == "ld.global.nc.v4.b32");
    CHECK(widest(16, 32, 32, 1) == "ld.global.nc.v8.b32");
    CHECK(widest(4, 32, 32, 1) == "ld.global.nc.v2.b32");
    CHECK(widest(3, 3, 32, 0) == "ld.global.nc.b32");
}

TEST_CASE("elements whose word is not aligned move alone") {
    Case c = whole(base::Dtype::f16, row_per_thread(8, 16));
    c.pitch = 16;
    c.col = 1;
    const Executed result = execute(c);
    CHECK(result.instructions.at("ld.global.nc.u16") == 128 * 8);
    CHECK(result.instructions.at("st.global.u16") == 128 * 8);
    CHECK(result.instructions.at("bfi.b32") == 128 * 4);
}

TEST_CASE("steps and offsets of gigabytes work") {
    Case c = whole(base::Dtype::f32, row_per_thread(4, 32));
    c.pitch = std::int64_t{1} << 29;
    c.row = 3;
    const Executed result = execute(c);
    CHECK(result.instructions.at("mul.lo.s64") == 128);
}

TEST_CASE("a sum of steps beyond 32 bits is made in 64") {
    Case c = whole(base::Dtype::f32, image_16x256b(128, 8, 32));
    c.pitch = std::int64_t{1} << 26;
    CHECK(execute(c).instructions.at("mad.lo.s64") == 128 * 2);
}

TEST_CASE("a region that starts in the middle of a fragment may lie far below its pointer") {
    Case c = whole(base::Dtype::f32, row_per_thread(4, 32));
    c.pitch = std::int64_t{1} << 20;
    c.from.row = c.to.row = 40;
    c.from.rows = c.to.rows = 64;
    execute(c);
}

TEST_CASE("a load of some elements keeps the others of their register") {
    Program p;
    const std::size_t a = p.tensor("A", base::Dtype::f16, 128, 16),
                      b = p.tensor("B", base::Dtype::f16, 128, 16);
    const std::size_t x = p.fragment("X", base::Dtype::f16, row_per_thread(2, 16));
    sema::Region part = p.whole(x);
    part.cols = 1;
    part.col = 1;
    p.load(part, a, 0, 3);
    part.col = 0;
    p.load(part, a, 0, 8);
    p.store(b, x);
    const LowerResult lowered = p.lowered();
    std::map<std::uint64_t, std::uint8_t> memory;
    for (std::uint64_t i = 0; i < 32; ++i) memory[a_base + i] = static_cast<std::uint8_t>(i);
    ThreadMachine machine{memory, {{"A", a_base}, {"B", b_base}}, {}, {}, {}, {}};
    machine.run(lowered.module.functions[0], 0);
    CHECK(memory[b_base] == 16); // element 8, then element 3
    CHECK(memory[b_base + 1] == 17);
    CHECK(memory[b_base + 2] == 6);
    CHECK(memory[b_base + 3] == 7);
}

TEST_CASE("threads that hold nothing of the region do nothing") {
    Case c = whole(base::Dtype::f32, row_per_thread(8, 32));
    c.from.row = c.to.row = 40;
    c.from.rows = c.to.rows = 3;
    CHECK(execute(c).instructions.at("ld.global.nc.v8.b32") == 3);
}

TEST_CASE("any image, region, pitch and alignment: the right bytes and no other") {
    std::mt19937 random(7);
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    const auto bits_of = [&](int count) { // a random order of `count` bits
        std::vector<int> order(static_cast<std::size_t>(count));
        for (int i = 0; i < count; ++i) order[static_cast<std::size_t>(i)] = i;
        std::shuffle(order.begin(), order.end(), random);
        return order;
    };
    std::map<std::string, int> classes;
    for (int turn = 0; turn < 300; ++turn) {
        const base::Dtype dtype = std::vector{base::Dtype::u8, base::Dtype::bf16,
                                              base::Dtype::f32}[static_cast<std::size_t>(number(0, 2))];
        const int bits = base::bits(dtype), per_word = 32 / bits;
        layout::SlotMap map;
        switch (const int kind = number(0, 5); kind) {
        case 0:
            map = row_per_thread(per_word * number(1, 12), bits);
            ++classes["row per thread"];
            break;
        case 1:
            map = image_16x256b(number(0, 1) == 0 ? 64 : 128, 8 * per_word * number(1, 2), bits);
            ++classes["16x256b"];
            break;
        case 2: { // halves of the columns in halves of the threads
            const int cols = 2 * per_word * number(1, 6);
            map = slots(64, cols, bits,
                        [&](int r, int c) { return slot(r + 64 * (2 * c / cols), c % (cols / 2), bits); });
            ++classes["halves"];
            break;
        }
        case 3: { // bits of row and column in any order over bits of thread and slot
            const std::vector<int> order = bits_of(11);
            map = slots(128, 16, bits, [&](int r, int c) {
                int place = 0;
                for (int bit = 0; bit < 11; ++bit)
                    place |= ((r * 16 + c) >> bit & 1) << order[static_cast<std::size_t>(bit)];
                return slot(place & 127, place >> 7, bits);
            });
            ++classes["bits in any order"];
            break;
        }
        case 4: // threads 40 apart: no formula in bits
            map = slots(3, 40 * per_word, bits,
                        [&](int r, int c) { return slot(40 * r + c / per_word, c % per_word, bits); });
            ++classes["radix 40"];
            break;
        default: // from the last thread and register down
            map = slots(128, 8, bits, [&](int r, int c) { return slot(127 - r, 7 - c, bits); });
            ++classes["backwards"];
        }
        Case c = whole(dtype, map);
        const bool roomy = number(0, 1) == 0; // so that wide accesses come about
        const auto region = [&] {
            sema::Region part = c.from;
            if (roomy) return part;
            part.rows = number(1, map.rows);
            part.cols = number(1, map.cols);
            part.row = number(0, map.rows - part.rows);
            part.col = number(0, map.cols - part.cols);
            return part;
        };
        c.to = region();
        c.from = number(0, 1) == 0 ? c.to : region();
        c.pitch = roomy ? 256 : map.cols + number(0, 3) * number(0, 16);
        c.align = roomy ? 32 : std::max(base::bytes(dtype), 1 << number(0, 6));
        c.row = number(0, 2);
        c.col = roomy ? 0 : number(0, 8);
        CAPTURE(turn);
        for (const auto& [name, count] : execute(c).instructions) ++classes[name];
    }
    std::string counts;
    for (const auto& [what, count] : classes) counts += what + " " + std::to_string(count) + ", ";
    MESSAGE(counts);
    for (const char* each : {"row per thread",
                             "16x256b",
                             "halves",
                             "bits in any order",
                             "radix 40",
                             "backwards",
                             "ld.global.nc.v8.b32",
                             "ld.global.nc.v4.b32",
                             "ld.global.nc.v2.b32",
                             "ld.global.nc.b32",
                             "ld.global.nc.u16",
                             "ld.global.nc.u8",
                             "st.global.v8.b32",
                             "st.global.u16",
                             "st.global.u8",
                             "bfi.b32",
                             "bfe.u32",
                             "mul.wide.s32",
                             "mul.wide.u32",
                             "setp.eq.u32",
                             "setp.le.u32",
                             "setp.ge.u32"})
        CHECK_MESSAGE(classes[each] >= 5, std::string(each));
}
