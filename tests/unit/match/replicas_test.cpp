// Loads from buffers that hold their elements more than once: whichever copies fit are read, and a refusal is
// confirmed by trying all messages.
#include "match/match.hpp"

#include "tmem_replicas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using layout::Axis;
using layout::Digit;

/// 32 rows of 2 or 4 words in two or four places, and a fragment in some order of the same digits.
CopyCase draw(std::mt19937& random) {
    const auto pick = [&](int last) { return static_cast<int>(random() % static_cast<unsigned>(last + 1)); };
    CopyCase c;
    c.dtype = pick(1) == 0 ? base::Dtype::f32 : base::Dtype::f16;
    const int slots = 32 / base::bits(c.dtype);
    const int words = 2 << pick(1);
    c.datapath = 0;
    c.atom = "";
    c.buffer_rows = c.fragment_rows = 32;
    c.buffer_cols = c.fragment_cols = words * slots;
    // Bits of the lane, some of them turned by the copies: rows split in two halves of 16 or 8 lanes.
    const bool unpacked = slots == 2 && pick(1) == 0;
    const int step = unpacked ? 2 : slots;
    std::vector<Digit>& tile = c.buffer_layout.shard;
    const int kind = pick(3);
    tile = {{2, 16, Axis::TLane},
            {2, 8, Axis::TLane},
            {8, 1, Axis::TLane},
            {words, step * slots / slots, Axis::TCol}};
    if (unpacked) tile.back() = {words * 2, 2, Axis::TCol};
    if (!unpacked && slots == 2) tile.push_back({2, 1, Axis::TCol});
    const int width = unpacked ? words * 4 : words * slots; // in elements
    if (kind == 0) { // 16 lanes on, the halves of the rows one tile apart
        tile[0] = {2, width, Axis::TCol};
        c.buffer_layout.replica = {{2, 16, Axis::TLane}};
    } else if (kind == 1) { // further on in the same lanes
        c.buffer_layout.replica = {{2, width + (pick(1) == 0 ? 0 : 2), Axis::TCol}};
    } else if (kind == 2) { // turned by 8 lanes
        tile[1] = {2, width, Axis::TCol};
        c.buffer_layout.replica = {{2, 8, Axis::TLane}};
    } else { // 16 lanes on and elsewhere
        tile[0] = {2, width, Axis::TCol};
        c.buffer_layout.replica = {{2, 16, Axis::TLane}, {2, 2 * width, Axis::TCol}};
    }
    // The fragment: threads take five bits of (row, word), registers the others, in a random order.
    std::vector<Digit> bits;
    int row_bits = 5, word_bits = words == 2 ? 1 : 2;
    std::vector<std::size_t> order;
    for (int i = 0; i < row_bits + word_bits; ++i) {
        bits.push_back({2, 0, Axis::m});
        order.push_back(static_cast<std::size_t>(i));
    }
    if (pick(3) != 0) {
        // Mostly what a shape has: one row per thread, or the low three bits in thread bits 2..4.
        const std::vector<std::size_t> rows_first{4, 3, 2, 1, 0}, atom{4, 3, 2};
        order.clear();
        const bool plain = pick(1) == 0;
        std::vector<std::size_t> rest;
        for (int i = 0; i < row_bits + word_bits; ++i) {
            const auto bit = static_cast<std::size_t>(i);
            if (plain ? i > 4 : i < 2 || i > 4) rest.push_back(bit);
        }
        std::shuffle(rest.begin(), rest.end(), random);
        if (plain)
            order = rows_first;
        else {
            order = {rest[0], rest[1], 4, 3, 2};
            rest.erase(rest.begin(), rest.begin() + 2);
        }
        order.insert(order.end(), rest.begin(), rest.end());
    } else {
        std::shuffle(order.begin(), order.end(), random);
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i < 5)
            bits[order[i]] = {2, 1 << i, Axis::laneid};
        else
            bits[order[i]] = {2, slots << (i - 5), Axis::m};
    }
    if (slots == 2) bits.push_back({2, 1, Axis::m});
    c.fragment_layout.shard = bits;
    if (pick(3) == 0) c.fragment_layout.replica = {{2, slots << (order.size() - 5), Axis::m}};
    return c;
}

} // namespace

TEST_CASE("a load from replicas is accepted exactly when some choice of copies can be loaded") {
    std::mt19937 random(21);
    std::map<std::string, int> counts;
    for (int trial = 0; trial < 300; ++trial) {
        const CopyCase c = draw(random);
        CAPTURE(trial);
        CAPTURE(layout::to_string(c.buffer_layout));
        CAPTURE(layout::to_string(c.fragment_layout));
        const auto result = match::match(program_of(c));
        const bool exists = ReplicaSearch(elements_of(c), base::bits(c.dtype) / 8, 40).possible();
        REQUIRE(exists == !result.diagnostics.has_errors());
        if (!exists) {
            ++counts["refused"];
            continue;
        }
        const auto& messages = result.plan.kernels.at(0).copies.at(0).messages;
        REQUIRE(judge(c, messages) == "");
        for (const auto& message : messages)
            ++counts[std::string(atlas::row(message.shape).name) + (message.pack ? " packed" : "")];
    }
    for (const auto& [what, count] : counts) MESSAGE("replicas, " << what << ": " << count);
    for (const char* what : {"refused", "32x32b", "16x64b", "16x32bx2"}) {
        CAPTURE(what);
        CHECK(counts[what] > 0);
    }
}
