// Whole programs: where columns count from, the CTA's register cap, replicas, and that equal copies are
// equal.
#include "match/match.hpp"
#include "match/plan_copy.hpp"

#include "tmem_copy.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using layout::Axis;

CopyCase tile(int cols, const std::string& atom = "32x32b") {
    CopyCase c;
    c.buffer_cols = c.fragment_cols = cols;
    c.atom = atom;
    return c;
}

std::vector<match::Message> messages_of(const CopyCase& c, const match::Options& options = {}) {
    auto result = match::match(program_of(c), options);
    REQUIRE_FALSE(result.diagnostics.has_errors());
    return result.plan.kernels.at(0).copies.at(0).messages;
}
std::string code_of(const CopyCase& c, const match::Options& options = {}) {
    const auto result = match::match(program_of(c), options);
    return result.diagnostics.list.empty() ? "" : std::string(result.diagnostics.list[0].kind->code);
}

} // namespace

TEST_CASE("the round trip's tile is one message") {
    CopyCase c = tile(8);
    c.dtype = base::Dtype::f16;
    const auto messages = messages_of(c);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] ==
          match::Message{atlas::Shape::s32x32b, 4, 0, 0, {0, 1, 2, 3}, {0, 1, 2, 3}, false, std::nullopt});
}

TEST_CASE("a 16-row atom on 128 rows is two messages, the second slab's registers behind the first's") {
    const auto messages = messages_of(tile(64, "16x256b"));
    REQUIRE(messages.size() == 2);
    for (int slab : {0, 1}) {
        const match::Message& message = messages[static_cast<std::size_t>(slab)];
        CHECK(message.num == 8);
        CHECK(message.row == 16 * slab);
        CHECK(message.registers.front() == 32 * slab);
        CHECK(message.registers.size() == 32);
    }
}

TEST_CASE("eight column slices fill the same registers as one whole load") {
    CopyCase c = tile(256, "16x256b");
    std::map<int, int> whole, sliced; // register: column of the tile that it belongs to
    const auto note = [](std::map<int, int>& columns, const std::vector<match::Message>& messages) {
        for (const match::Message& m : messages)
            for (std::size_t i = 0; i < m.registers.size(); ++i)
                columns[m.registers[i]] = m.row * 1000 + m.column + 8 * static_cast<int>(i / 4);
    };
    note(whole, messages_of(c));
    for (int i = 0; i < 8; ++i) {
        c.buffer_col = c.fragment_col = 32 * i;
        c.rows = 128;
        c.cols = 32;
        note(sliced, messages_of(c));
    }
    CHECK(whole.size() == 256);
    CHECK(sliced == whole);
}

TEST_CASE("columns count from the first column of the alias group") {
    CopyCase c = tile(8);
    c.offset = 12;
    CHECK(messages_of(c)[0].column == 12);
    c.buffer_cols = 32;
    c.rows = 128;
    c.cols = 8;
    c.buffer_col = 5;
    CHECK(messages_of(c)[0].column == 17);
}

TEST_CASE("a packing message starts on an even column of the allocation") {
    CopyCase c = tile(16);
    c.dtype = base::Dtype::f16;
    c.unpacked = true;
    CHECK(messages_of(c)[0].pack);
    c.offset = 1;
    CHECK(code_of(c) == "TM0322");
    c.fixed = 3;
    CHECK(code_of(c) == "");
    c.offset = 0;
    CHECK(code_of(c) == "TM0322");
    // In 16x32bx2 both halves must: six columns are two halves of three.
    CopyCase halves = tile(12, "16x32bx2");
    halves.dtype = base::Dtype::f16;
    halves.unpacked = true;
    halves.datapath = 'F';
    halves.buffer_rows = halves.fragment_rows = 64;
    CHECK(messages_of(halves)[0].half_split == 6);
    // Seven cells from half to half.
    halves.datapath = 0;
    halves.buffer_layout = {
        {{4, 32, Axis::TLane}, {16, 1, Axis::TLane}, {2, 14, Axis::TCol}, {6, 2, Axis::TCol}}, {}, {}};
    CHECK(code_of(halves) == "TM0322");
}

TEST_CASE("the register cap of the CTA narrows messages, and so does --max-message") {
    CopyCase c = tile(128);
    const auto widest = [](const std::vector<match::Message>& messages) {
        std::size_t most = 0;
        for (const match::Message& message : messages) most = std::max(most, message.registers.size());
        return most;
    };
    CHECK(widest(messages_of(c)) == 128);
    c.warpgroups = 3; // 384 threads: 168 registers each
    CHECK(widest(messages_of(c)) == 128);
    c.warpgroups = 4; // 512 threads: 128 registers each, and x128 would need 146
    CHECK(widest(messages_of(c)) == 64);
    c.warpgroups = 8; // 1024 threads: 64
    CHECK(widest(messages_of(c)) == 32);
    c.warpgroups = 1;
    CHECK(widest(messages_of(c, {16})) == 16);
    CHECK(code_of(tile(8, "16x256b"), {2}) == "TM0325");
    CHECK(messages_of(tile(8, "16x256b"), {4}).size() == 2);
}

TEST_CASE("a load fills every copy in the fragment") {
    // Rows 0..31 in all four warps, from a buffer that holds them in all four quarters.
    CopyCase c;
    c.datapath = 0;
    c.buffer_rows = c.fragment_rows = 32;
    c.buffer_cols = c.fragment_cols = 4;
    c.buffer_layout = {{{32, 1, Axis::TLane}, {4, 1, Axis::TCol}}, {{4, 32, Axis::TLane}}, {}};
    c.atom = "";
    c.fragment_layout = {{{32, 1, Axis::laneid}, {4, 1, Axis::m}}, {{4, 1, Axis::wid_in_wg}}, {}};
    const auto messages = messages_of(c);
    CHECK(messages.size() == 1);
    CHECK(messages[0].warps == std::vector{0, 1, 2, 3});
    CHECK(judge(c, messages) == "");
    // Twice in each thread: two messages from the same cells.
    c.fragment_layout.replica.push_back({2, 4, Axis::m});
    const auto twice = messages_of(c);
    CHECK(twice.size() == 2);
    CHECK(judge(c, twice) == "");
    // A copy in a warp that reaches none of the buffer's.
    c.buffer_layout.replica = {{2, 32, Axis::TLane}};
    CHECK(code_of(c) == "TM0301");
}

TEST_CASE("a store writes every copy in the buffer once, from the warp that reaches it") {
    CopyCase c;
    c.store = true;
    c.datapath = 0;
    c.buffer_rows = c.fragment_rows = 32;
    c.buffer_cols = c.fragment_cols = 4;
    c.buffer_layout = {{{32, 1, Axis::TLane}, {4, 1, Axis::TCol}}, {{2, 64, Axis::TLane}}, {}};
    c.atom = "";
    c.fragment_layout = {{{32, 1, Axis::laneid}, {4, 1, Axis::m}}, {{4, 1, Axis::wid_in_wg}}, {}};
    const auto messages = messages_of(c);
    REQUIRE(messages.size() == 1);
    CHECK(messages[0].warps == std::vector{0, 2});
    CHECK(judge(c, messages) == "");
    // Two copies in reach of one warp: its registers are stored twice.
    c.buffer_layout.replica.push_back({2, 8, Axis::TCol});
    const auto twice = messages_of(c);
    CHECK(twice.size() == 2);
    CHECK(judge(c, twice) == "");
    // Two registers that would write the same cell.
    c.fragment_layout.replica.push_back({2, 4, Axis::m});
    CHECK(code_of(c) == "TM0324");
    // None where it is needed.
    c.fragment_layout.replica = {{2, 1, Axis::wid_in_wg}};
    CHECK(code_of(c) == "TM0301");
}

TEST_CASE("an unpacked store may not overwrite what lives in the upper halves") {
    // Columns 0..31 in the low halves of 32 cells, 32..63 in their upper halves.
    CopyCase c;
    c.dtype = base::Dtype::f16;
    c.datapath = 0;
    c.buffer_cols = c.fragment_cols = 64;
    c.buffer_layout = {{{128, 1, Axis::TLane}, {2, 1, Axis::TCol}, {32, 2, Axis::TCol}}, {}, {}};
    c.rows = 128;
    c.cols = 32;
    CHECK(messages_of(c)[0].pack);
    CHECK(judge(c, messages_of(c)) == "");
    c.store = true;
    CHECK(code_of(c) == "TM0323");
    c.store = false;
    c.buffer_col = 32;
    CHECK(code_of(c) == "TM0320");
}

TEST_CASE("every copy of a kernel has its plan, in program order, and equal copies have equal ones") {
    sema::Program program = program_of(tile(16));
    sema::Kernel& kernel = program.kernels[0];
    const sema::Statement copy = kernel.statements[0];
    kernel.statements = {copy, {sema::Wait{true, false}, {}, {}, {}}, copy};
    sema::Buffer second = kernel.buffers[0];
    second.offset = 16;
    kernel.buffers.push_back(second);
    sema::Statement moved = copy;
    std::get<sema::TmemCopy>(moved.what).buffer.object = 1;
    kernel.statements.push_back(moved);
    const auto result = match::match(program);
    const auto& copies = result.plan.kernels.at(0).copies;
    REQUIRE(copies.size() == 3);
    CHECK(copies[0].statement == 0);
    CHECK(copies[1].statement == 2);
    CHECK(copies[2].statement == 3);
    CHECK(copies[0].messages == copies[1].messages);
    CHECK(copies[2].messages[0].column == 16);
}

TEST_CASE("copies that differ in anything that matters do not share a plan") {
    CopyCase c = tile(16);
    c.dtype = base::Dtype::f16;
    c.unpacked = true;
    c.buffer_cols = 32;
    sema::Program program = program_of(c);
    sema::Kernel& kernel = program.kernels[0];
    const sema::Statement copy = kernel.statements[0];
    // Another column of the same buffer, then the same column of a buffer that starts one cell on.
    kernel.statements.push_back(copy);
    std::get<sema::TmemCopy>(kernel.statements[1].what).buffer.col = 4;
    const auto fine = match::match(program);
    REQUIRE_FALSE(fine.diagnostics.has_errors());
    CHECK(fine.plan.kernels[0].copies[1].messages[0].column == 4);
    kernel.buffers.push_back(kernel.buffers[0]);
    kernel.buffers[1].offset = 1;
    kernel.statements.push_back(copy);
    std::get<sema::TmemCopy>(kernel.statements[2].what).buffer.object = 1;
    CHECK(match::match(program).diagnostics.has_errors());
}

TEST_CASE("odd widths are cut into powers of two, widest first, every register right") {
    const auto nums = [](const CopyCase& c) {
        const auto messages = messages_of(c);
        CHECK(judge(c, messages) == "");
        std::vector<int> all;
        for (const match::Message& message : messages) all.push_back(message.num);
        return all;
    };
    CHECK(nums(tile(7)) == std::vector{4, 2, 1});
    CHECK(nums(tile(24)) == std::vector{16, 8});
    CHECK(nums(tile(56)) == std::vector{32, 16, 8});
    CHECK(nums(tile(104)) == std::vector{64, 32, 8});
    CHECK(nums(tile(208)) == std::vector{128, 64, 16});
    CopyCase halves = tile(112);
    halves.dtype = base::Dtype::f16;
    CHECK(nums(halves) == std::vector{32, 16, 8});
}

TEST_CASE("columns of one half of B are two warps' message, and a half split belongs to the fragment") {
    CopyCase c = tile(32);
    c.datapath = 'B';
    c.buffer_rows = c.fragment_rows = 64;
    c.rows = 64;
    c.cols = 8;
    c.buffer_col = c.fragment_col = 4;
    for (const match::Message& message : messages_of(c)) CHECK(message.warps == std::vector{0, 1});
    CHECK(judge(c, messages_of(c)) == "");
    CopyCase split = tile(48, "16x32bx2");
    split.datapath = 'F';
    split.buffer_rows = split.fragment_rows = 64;
    const auto messages = messages_of(split);
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].num == 16);
    CHECK(messages[1].num == 8);
    CHECK(messages[0].half_split == 24);
    CHECK(messages[1].half_split == 24);
    CHECK(judge(split, messages) == "");
}
