// Staged copies, executed: whatever the image, the dtype, the region, the pitch and the alignment, a load and
// a store move exactly the elements that the maps name. The threads of a warp run one after the other from
// barrier to barrier, forwards or backwards, so a barrier that is missing shows as wrong data.
#include "lines.hpp"
#include "programs.hpp"
#include "thread_machine.hpp"
#include "tile_memory.hpp"

#include "atlas/images.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;
using Path = sema::GlobalCopy::Path;

namespace {

struct Case {
    base::Dtype dtype = base::Dtype::f32;
    layout::SlotMap map;
    std::int64_t pitch = 0, align = 32;
    int row = 0, col = 0; // of the tensor's region
    sema::Region region;
    Path load = Path::staged, store = Path::staged;
    bool backwards = false; // lanes
    int warpgroups = 1;
    [[nodiscard]] Window window() const { return {dtype, pitch, row, col}; }
};

layout::SlotMap atom(const char* name, int rows, int cols, base::Dtype dtype) {
    const int bits = base::bits(dtype);
    return std::get<layout::SlotMap>(
        layout::slot_map(atlas::layout_of(*atlas::atom(name, rows), cols, bits), rows, cols, bits));
}

struct Executed {
    std::map<std::string, int> instructions;
    std::vector<GlobalAccess> globals;
};

/// Every copy of every element of the region is in its register of the warp.
void check_copies(const Case& c, const std::map<std::uint64_t, std::uint8_t>& memory,
                  std::vector<ThreadMachine>& lanes, std::uint64_t warp,
                  const std::vector<std::string>& names) {
    const int bytes = base::bytes(c.dtype);
    for (int r = 0; r < c.region.rows; ++r)
        for (int k = 0; k < c.region.cols; ++k)
            for (int copy = 0; copy < c.map.copies; ++copy) {
                const layout::Slot& slot = c.map.at(c.region.row + r, c.region.col + k, copy);
                if (slot.thread / 32 != warp) continue;
                const std::uint64_t word = lanes[slot.thread % 32].registers[names.at(slot.reg)];
                for (int b = 0; b < bytes; ++b)
                    if (static_cast<std::uint8_t>(word >> (slot.bit + 8 * b)) !=
                        memory.at(c.window().at(a_base, r, k, b)))
                        FAIL("copy " << copy << " of (" << r << ", " << k << ") is wrong");
            }
}

/// A's region to X and from there to B's.
Executed execute(const Case& c) {
    Program p(c.warpgroups);
    const std::optional<int> last = c.warpgroups == 1 ? std::nullopt : std::optional(c.warpgroups - 1);
    const auto [a, b] = two_tensors(p, c.window(), c.align);
    p.fragment("X", c.dtype, c.map);
    p.path = c.load;
    p.load(c.region, a, c.row, c.col, last);
    p.path = c.store;
    p.global(sema::GlobalCopy::Op::store, c.region, b, c.row, c.col, last);
    const LowerResult lowered = p.lowered();
    REQUIRE(lowered.diagnostics.list.empty());

    const std::set<std::uint64_t> readable = c.window().bytes(a_base, c.region),
                                  writable = c.window().bytes(b_base, c.region);
    std::map<std::uint64_t, std::uint8_t> memory = pattern(readable), shared;
    Executed result;
    result.globals = lowered.trace.kernels[0].globals;
    std::set<std::uint64_t> read, written;
    const std::vector<std::string>& names = lowered.trace.kernels[0].registers[0];
    const ptx::Function& function = lowered.module.functions[0];
    for (std::uint64_t warp = 0; warp < 4U * static_cast<unsigned>(c.warpgroups); ++warp) {
        std::vector<ThreadMachine> lanes(
            32, ThreadMachine{memory, {{"A", a_base}, {"B", b_base}}, {}, {}, {}, {}, &shared, 0});
        std::vector<std::size_t> order(32);
        std::iota(order.begin(), order.end(), std::size_t{0});
        if (c.backwards) std::reverse(order.begin(), order.end());
        for (const std::size_t lane : order) lanes[lane].registers["%tid.x"] = 32 * warp + lane;
        for (int going = 32; going > 0;) {
            going = 0;
            for (const std::size_t lane : order) going += lanes[lane].go_on(function) ? 1 : 0;
            REQUIRE((going == 0 || going == 32));
        }
        if (warp / 4 + 1 == static_cast<unsigned>(c.warpgroups))
            check_copies(c, memory, lanes, warp % 4, names);
        for (const ThreadMachine& lane : lanes) {
            read.insert(lane.bytes_read.begin(), lane.bytes_read.end());
            written.insert(lane.bytes_written.begin(), lane.bytes_written.end());
            for (const auto& [name, count] : lane.executed) result.instructions[name] += count;
        }
    }
    CHECK(read == readable);
    CHECK(written == writable);
    for (const std::uint64_t each : readable)
        if (memory.at(each) != memory.at(each - a_base + b_base))
            FAIL("byte " << each - a_base << " is wrong");
    return result;
}

Case whole(base::Dtype dtype, layout::SlotMap map) {
    Case c;
    c.dtype = dtype;
    c.pitch = map.cols;
    c.region = {0, 0, 0, map.rows, map.cols, {}};
    c.map = std::move(map);
    return c;
}

} // namespace

TEST_CASE("rows per thread: whole lines of global memory, 16 bytes of shared memory") {
    const Executed result = execute(whole(base::Dtype::f32, row_per_thread(64, 32)));
    CHECK(result.instructions.at("ld.global.nc.v4.b32") == 128 * 16);
    CHECK(result.instructions.at("st.shared.v4.b32") == 2 * 128 * 16);
    CHECK(result.instructions.at("ld.shared.v4.b32") == 2 * 128 * 16);
    CHECK(result.instructions.at("st.global.v4.b32") == 128 * 16);
    CHECK(result.instructions.at("bar.warp.sync") == 128 * 3); // in each copy, and between the two
    CHECK(result.globals == std::vector<GlobalAccess>{{0, true, 16, 32768, 2048, 256, 32},
                                                      {1, true, 16, 32768, 2048, 256, 32}});
}

TEST_CASE("the first staged copy has one barrier, and a barrier of the CTA spares the next one its own") {
    Program p;
    const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 64),
                      b = p.tensor("B", base::Dtype::f32, 128, 64);
    const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(64, 32));
    p.path = Path::staged;
    p.load(x, a);
    CHECK(count_of(lines(p.lowered()), "bar.warp.sync") == 1);
    p.add("sync;", sema::Sync{});
    p.store(b, x);
    CHECK(count_of(lines(p.lowered()), "bar.warp.sync") == 2);
    p.store(b, x);
    CHECK(count_of(lines(p.lowered()), "bar.warp.sync") == 4);
}

TEST_CASE("copies to one tensor by different lanes have a barrier between") {
    const auto barriers = [](std::vector<std::pair<sema::GlobalCopy::Op, Path>> copies) {
        Program p;
        const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 64);
        p.tensor(a).direction = sema::Direction::inout;
        const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(64, 32));
        for (const auto& [op, path] : copies) {
            p.path = path;
            p.global(op, p.whole(x), a, 0, 0, {});
        }
        return count_of(lines(p.lowered()), "bar.warp.sync");
    };
    using Op = sema::GlobalCopy::Op;
    CHECK(barriers({{Op::store, Path::direct}, {Op::load, Path::direct}}) == 0);
    CHECK(barriers({{Op::store, Path::direct}, {Op::load, Path::staged}}) == 2);
    CHECK(barriers({{Op::store, Path::direct}, {Op::store, Path::staged}}) == 1);
    CHECK(barriers({{Op::store, Path::staged}, {Op::load, Path::direct}}) == 2);
    CHECK(barriers({{Op::store, Path::staged}, {Op::store, Path::direct}}) == 2);
    CHECK(barriers({{Op::load, Path::staged}, {Op::store, Path::direct}}) == 1);
}

TEST_CASE("direct copies of one tensor through different maps have a barrier between, where lanes meet") {
    const auto barriers = [](std::vector<std::pair<sema::GlobalCopy::Op, int>> copies, int second_column) {
        Program p;
        p.path = Path::direct;
        const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 16);
        p.tensor(a).direction = sema::Direction::inout;
        const std::size_t maps[] = {p.fragment("X", base::Dtype::f32, row_per_thread(8, 32)),
                                    p.fragment("Y", base::Dtype::f32, image_16x256b(128, 8, 32))};
        int column = 0;
        for (const auto& [op, map] : copies)
            p.global(op, p.whole(maps[map]), a, 0, std::exchange(column, second_column), {});
        return count_of(lines(p.lowered()), "bar.warp.sync");
    };
    using Op = sema::GlobalCopy::Op;
    CHECK(barriers({{Op::store, 0}, {Op::load, 1}}, 0) == 1);
    CHECK(barriers({{Op::load, 0}, {Op::store, 1}}, 0) == 1);
    CHECK(barriers({{Op::store, 0}, {Op::store, 1}}, 0) == 1);
    CHECK(barriers({{Op::load, 0}, {Op::load, 1}}, 0) == 0);
    CHECK(barriers({{Op::store, 0}, {Op::load, 0}}, 0) == 0);
    CHECK(barriers({{Op::store, 0}, {Op::load, 1}}, 8) == 0); // other columns
    CHECK(barriers({{Op::store, 0}, {Op::load, 0}}, 4) == 0); // shifted, and in the same threads
}

TEST_CASE("many warpgroups share 48 KB") {
    for (const int warpgroups : {1, 2, 3, 4, 8}) {
        Case c = whole(base::Dtype::f32, row_per_thread(64, 32));
        c.warpgroups = warpgroups;
        const Executed result = execute(c);
        CHECK(result.globals[0].shared_bytes <= 48 * 1024 - 16);
        CHECK(result.globals[0].shared_bytes >= 24 * 1024);
    }
}

TEST_CASE("a column per thread takes narrower pieces") {
    const Executed result =
        execute(whole(base::Dtype::f32, slots(128, 128, 32, [](int r, int c) { return slot(c, r, 32); })));
    CHECK(result.globals[0].shared_bytes == 32768); // 128 rows of 16 columns a warp
}

TEST_CASE("what no rows by columns are is refused, and goes straight when no word is written") {
    Case c = whole(base::Dtype::f32,
                   slots(128, 8, 32, [](int r, int k) { return slot((r + 16 * (k % 2)) % 128, k, 32); }));
    for (const Path path : {Path::staged, Path::choose}) {
        Program p;
        const std::size_t a = p.tensor("A", c.dtype, 128, 64);
        p.path = path;
        p.load(p.fragment("X", c.dtype, c.map), a);
        const LowerResult lowered = p.lowered();
        CHECK(lowered.diagnostics.list.size() == (path == Path::staged ? 1 : 0));
        CHECK_FALSE(lowered.trace.kernels[0].globals[0].staged);
    }
}

TEST_CASE("any image, dtype, region, pitch and alignment, staged, direct or chosen") {
    std::mt19937 random(11);
    const auto number = [&](int low, int high) {
        return std::uniform_int_distribution<int>(low, high)(random);
    };
    std::map<std::string, int> classes;
    constexpr int turns = 260;
    for (int turn = 0; turn < turns; ++turn) {
        const base::Dtype dtype = std::vector{base::Dtype::u8, base::Dtype::bf16,
                                              base::Dtype::f32}[static_cast<std::size_t>(number(0, 2))];
        const int bits = base::bits(dtype), per_word = 32 / bits;
        layout::SlotMap map;
        std::string kind;
        switch (number(0, 8)) {
        case 0: kind = "32x32b", map = row_per_thread(number(1, 20) * per_word, bits); break;
        case 1:
            kind = "32x32b, 64 rows", map = atom("32x32b", 64, 2 * per_word * number(1, 20), dtype);
            break;
        case 2:
            kind = "32x32b, 32 rows", map = atom("32x32b", 32, 4 * per_word * number(1, 20), dtype);
            break;
        case 3:
            kind = "16x64b", map = atom("16x64b", 64 * number(1, 2), 2 * per_word * number(1, 16), dtype);
            break;
        case 4:
            kind = "16x128b", map = atom("16x128b", 64 * number(1, 2), 4 * per_word * number(1, 9), dtype);
            break;
        case 5:
            kind = "16x256b", map = atom("16x256b", 64 * number(1, 2), 8 * per_word * number(1, 9), dtype);
            break;
        case 6: kind = "16x32bx2", map = atom("16x32bx2", 64, 2 * per_word * number(1, 16), dtype); break;
        case 7: { // rows and columns backwards, rows dealt round the warps, each in both halves of a warp
            kind = "literal with replicas";
            map = slots(64, 16, bits,
                        [&](int r, int c) { return slot(32 * (3 - r % 4) + r / 4, 15 - c, bits); });
            map.copies = 2;
            std::vector<layout::Slot> places;
            for (layout::Slot each : map.places) {
                places.push_back(each);
                each.thread = static_cast<std::uint16_t>(each.thread + 16);
                places.push_back(each);
            }
            map.places = std::move(places);
            break;
        }
        default: // no power of two anywhere: 24 lanes a warp, 3 columns apart
            kind = "literal with gaps";
            map = slots(96, 12, bits,
                        [&](int r, int c) { return slot(r / 24 * 32 + r % 24, c % 3 * 4 + c / 3, bits); });
        }
        Case c = whole(dtype, map);
        c.backwards = number(0, 1) == 0;
        const bool roomy = number(0, 1) == 0;
        if (!roomy) {
            c.region.rows = number(1, map.rows);
            c.region.cols = number(1, map.cols);
            c.region.row = number(0, map.rows - c.region.rows);
            c.region.col = number(0, map.cols - c.region.cols);
        }
        c.pitch = roomy ? (map.cols + 63) / 64 * 64 : map.cols + number(0, 3) * number(0, 16);
        c.align = roomy ? 32 : std::max(base::bytes(dtype), 1 << number(0, 6));
        c.row = number(0, 2);
        c.col = roomy ? 0 : number(0, 8);
        c.load =
            std::vector{Path::staged, Path::choose, Path::direct}[static_cast<std::size_t>(number(0, 2))];
        c.store =
            std::vector{Path::staged, Path::choose, Path::direct}[static_cast<std::size_t>(number(0, 2))];
        CAPTURE(turn);
        CAPTURE(kind);
        const Executed result = execute(c);
        ++classes[kind];
        for (const GlobalAccess& each : result.globals) {
            const Path path = each.statement == 0 ? c.load : c.store;
            ++classes[path == Path::choose ? each.staged ? "chosen: staged" : "chosen: direct"
                      : each.staged        ? "staged"
                                           : "direct"];
            if (each.staged) ++classes["width " + std::to_string(each.width)];
        }
    }
    std::string counts;
    for (const auto& [name, count] : classes) counts += name + " " + std::to_string(count) + ", ";
    MESSAGE(counts);
    for (const char* each :
         {"32x32b", "32x32b, 64 rows", "32x32b, 32 rows", "16x64b", "16x128b", "16x256b", "16x32bx2",
          "literal with replicas", "literal with gaps", "chosen: staged", "chosen: direct", "staged",
          "direct", "width 16", "width 8", "width 4", "width 2", "width 1"}) {
        CAPTURE(each);
        CHECK(classes[each] >= 5);
    }
}

TEST_CASE("ptxas takes staged copies") {
    for (const base::Dtype dtype : {base::Dtype::u8, base::Dtype::bf16, base::Dtype::f32}) {
        const int words = 32 / base::bits(dtype);
        Program p(2);
        p.path = Path::staged;
        for (const char* name : {"32x32b", "16x64b", "16x256b"}) {
            const std::size_t t = p.tensor(std::string("T") + name + std::to_string(words), dtype, 128, 100);
            const std::size_t x = p.fragment("X", dtype, atom(name, 128, 24 * words, dtype));
            sema::Region part = p.whole(x);
            part.rows = 100;
            part.cols -= 3;
            p.load(part, t, 0, 1);
            p.store(t, 0, 0, p.whole(x));
        }
        check_assembles(p);
    }
}
