// Explanations: costs counted by hand, and runners-up that the copy machine runs as it runs plans.
#include "match/explain.hpp"

#include "tmem_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc;
using namespace tmemc::testing;
using match::Explanation;
using match::Message;

namespace {

std::optional<Explanation> explained(const CopyCase& c, const match::Options& options = {}) {
    const sema::Program program = program_of(c);
    const auto result = match::match(program, options);
    if (result.diagnostics.has_errors()) return std::nullopt;
    return match::explain(program, result.plan, options).at(0).copies.at(0);
}

CopyCase tile(int cols, const std::string& atom = "32x32b") {
    CopyCase c;
    c.buffer_cols = c.fragment_cols = cols;
    c.atom = atom;
    return c;
}

std::vector<int> nums(const std::vector<Message>& messages) {
    std::vector<int> list;
    list.reserve(messages.size());
    for (const Message& message : messages) list.push_back(message.num);
    return list;
}

/// The price list once more: 8 a message, 9 when split, a move per register of a vector that is not made of
/// aligned blocks of 4 (2 for a pair); 3 for each set of warps that is not all.
int price(const std::vector<Message>& messages) {
    std::array<int, 4> warps{};
    std::set<std::vector<int>> sets;
    for (const Message& message : messages) {
        int cost = message.shape == atlas::Shape::s16x32bx2 ? 9 : 8;
        const std::size_t n = message.registers.size(), unit = std::min<std::size_t>(n, 4);
        bool free = true;
        for (std::size_t i = 0; i < n; ++i) {
            const int start = message.registers[i / unit * unit];
            free = free && start % static_cast<int>(unit) == 0 &&
                   message.registers[i] == start + static_cast<int>(i % unit);
        }
        if (!free) cost += static_cast<int>(n);
        for (int warp : message.warps) warps[static_cast<std::size_t>(warp)] += cost;
        if (message.warps.size() != 4) sets.insert(message.warps);
    }
    return *std::max_element(warps.begin(), warps.end()) + 3 * static_cast<int>(sets.size());
}

} // namespace

TEST_CASE("one message, and two halves behind it") {
    const auto found = explained(tile(8));
    REQUIRE(found);
    CHECK(nums(found->plan.messages) == std::vector{8});
    CHECK(found->plan.cost == match::Cost{0, {1, 8}, {0, 0}, {0, 0}});
    REQUIRE(found->runner_up);
    CHECK(nums(found->runner_up->messages) == std::vector{4, 4});
    CHECK(found->runner_up->cost.total() == 16);
}

TEST_CASE("what cannot be cut can still be sent by each warp alone") {
    const auto found = explained(tile(1));
    REQUIRE(found);
    REQUIRE(found->runner_up);
    CHECK(found->runner_up->messages.size() == 4);
    CHECK(found->runner_up->cost == match::Cost{0, {1, 8}, {0, 0}, {4, 12}});
}

TEST_CASE("one tile of one warp has no other way") {
    CopyCase c = tile(1);
    c.rows = 32;
    c.buffer_row = c.fragment_row = 64;
    const auto found = explained(c);
    REQUIRE(found);
    CHECK(found->plan.cost == match::Cost{2, {1, 8}, {0, 0}, {1, 3}});
    CHECK_FALSE(found->runner_up);
}

TEST_CASE("moves are told apart from messages") {
    // Columns 1..4: x4 with four moves, or x1 + x2 + x1.
    CopyCase c = tile(8);
    c.buffer_col = c.fragment_col = 1;
    c.cols = 4;
    c.offset = 2;
    const auto found = explained(c);
    REQUIRE(found);
    CHECK(found->plan.cost == match::Cost{0, {1, 8}, {4, 4}, {0, 0}});
    REQUIRE(found->runner_up);
    CHECK(nums(found->runner_up->messages) != std::vector{4});
    CHECK(found->runner_up->messages.front().column == 3); // behind the buffer's offset
    CHECK(found->runner_up->cost.total() >= 16);
}

TEST_CASE("no message of a runner-up is wider than the options allow") {
    const auto found = explained(tile(64), {16});
    REQUIRE(found);
    CHECK(nums(found->plan.messages) == std::vector{16, 16, 16, 16});
    REQUIRE(found->runner_up);
    CHECK(nums(found->runner_up->messages).size() == 5);
    CHECK(found->runner_up->cost.total() == 40);
}

TEST_CASE("a runner-up does the same, differs, and is never cheaper") {
    std::mt19937 random(29);
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    int with_branches = 0, with_moves = 0, alone = 0, seen = 0;
    for (int trial = 0; trial < 600; ++trial) {
        const auto rows = atlas::atom_rows();
        const atlas::ImageRow& atom =
            rows[static_cast<std::size_t>(pick(0, static_cast<int>(rows.size()) - 1))];
        CopyCase c;
        c.store = pick(0, 1) == 1;
        c.dtype = pick(0, 1) == 1 ? base::Dtype::f32 : base::Dtype::bf16;
        c.datapath = atom.rows == 128 ? 'D' : atom.rows == 32 ? 'G' : atom.name == "32x32b" ? 'B' : 'F';
        c.atom = atom.name;
        c.offset = pick(0, 2);
        c.buffer_rows = c.fragment_rows = atom.rows;
        const int unit = 32 / base::bits(c.dtype) * atom.word_multiple;
        c.buffer_cols = c.fragment_cols = unit * 2 * pick(1, 6);
        c.rows = pick(0, 1) == 0 ? atom.rows : std::min(atom.rows, 32 * pick(1, 3));
        c.buffer_row = c.fragment_row = pick(0, (atom.rows - c.rows) / 32) * 32;
        c.cols = unit * pick(1, c.fragment_cols / unit);
        c.buffer_col = pick(0, (c.buffer_cols - c.cols) / unit) * unit;
        c.fragment_col = pick(0, (c.fragment_cols - c.cols) / unit) * unit;
        const match::Options options{1 << pick(3, 7)};
        CAPTURE(trial);
        const auto found = explained(c, options);
        if (!found) continue;
        ++seen;
        REQUIRE(found->plan.cost.total() == price(found->plan.messages));
        with_branches += found->plan.cost.branches.count != 0 ? 1 : 0;
        with_moves += found->plan.cost.moves.count != 0 ? 1 : 0;
        if (!found->runner_up) {
            ++alone;
            for (int num : nums(found->plan.messages)) REQUIRE(num == 1);
            continue;
        }
        const match::Way& other = *found->runner_up;
        REQUIRE(other.cost.total() == price(other.messages));
        REQUIRE(other.cost.total() >= found->plan.cost.total());
        REQUIRE(other.messages != found->plan.messages);
        REQUIRE(judge(c, other.messages) == "");
    }
    CHECK(seen > 300);
    CHECK(with_branches > 20);
    CHECK(with_moves > 20);
    CHECK(alone > 0);
}
