// The algebra, with places written out by hand.
#include "layout/layout.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc::layout;

namespace {

Coordinate at(std::initializer_list<std::pair<Axis, std::int64_t>> amounts) {
    Coordinate place;
    for (const auto& [axis, amount] : amounts) place[axis] = amount;
    return place;
}

constexpr Axis tid = Axis::tid_in_wg, wid = Axis::wid_in_wg, lane = Axis::laneid, m = Axis::m;

} // namespace

TEST_CASE("the first extent takes the high digits") {
    const Layout rows{{{128, 1, tid}, {8, 1, m}}, {}, {}};
    CHECK(size(rows) == 1024);
    CHECK(copies(rows) == 1);
    CHECK(evaluate(rows, 0) == at({}));
    CHECK(evaluate(rows, 7) == at({{m, 7}}));
    CHECK(evaluate(rows, 8) == at({{tid, 1}}));
    CHECK(evaluate(rows, 1023) == at({{tid, 127}, {m, 7}}));
}

TEST_CASE("digits of one coordinate may go to different axes") {
    // The fold of the essay: columns 8..15 in threads 64..127.
    const Layout fold{{{64, 1, tid}, {2, 64, tid}, {8, 1, m}}, {}, {}};
    CHECK(evaluate(fold, 16 * 3 + 7) == at({{tid, 3}, {m, 7}}));
    CHECK(evaluate(fold, 16 * 3 + 8) == at({{tid, 67}, {m, 0}}));
    CHECK(evaluate(fold, 16 * 63 + 15) == at({{tid, 127}, {m, 7}}));
}

TEST_CASE("the offset moves every place, and replicas add up") {
    const Layout twice{
        {{4, 1, Axis::TLane}}, {{2, 64, Axis::TLane}, {2, 100, Axis::TCol}}, at({{Axis::TLane, 16}})};
    CHECK(copies(twice) == 4);
    CHECK(evaluate(twice, 3, 0) == at({{Axis::TLane, 19}}));
    CHECK(evaluate(twice, 3, 1) == at({{Axis::TLane, 19}, {Axis::TCol, 100}}));
    CHECK(evaluate(twice, 3, 2) == at({{Axis::TLane, 83}}));
    CHECK(evaluate(twice, 3, 3) == at({{Axis::TLane, 83}, {Axis::TCol, 100}}));
}

TEST_CASE("strides may be negative, and an extent of 1 moves nothing") {
    const Layout backwards{{{4, -2, m}, {1, 999, tid}}, {}, at({{m, 6}})};
    CHECK(evaluate(backwards, 0) == at({{m, 6}}));
    CHECK(evaluate(backwards, 3) == at({{m, 0}}));
}

TEST_CASE("all places at once are the places one by one") {
    std::mt19937 random(1);
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    const auto digits = [&pick](int most) {
        std::vector<Digit> list(static_cast<std::size_t>(pick(0, most)));
        for (Digit& digit : list) digit = {pick(1, 4), pick(-20, 20), static_cast<Axis>(pick(0, 5))};
        return list;
    };
    std::int64_t compared = 0;
    for (int trial = 0; trial < 300; ++trial) {
        Layout layout{digits(4), digits(2), at({{m, pick(-3, 3)}, {Axis::TCol, pick(-3, 3)}})};
        const auto all = evaluate_all(layout);
        REQUIRE(all.size() == static_cast<std::size_t>(size(layout) * copies(layout)));
        for (std::int64_t flat = 0; flat < size(layout); ++flat)
            for (std::int64_t copy = 0; copy < copies(layout); ++copy, ++compared)
                REQUIRE(all[static_cast<std::size_t>(flat * copies(layout) + copy)] ==
                        evaluate(layout, flat, copy));
    }
    CHECK(compared > 3000);
}

TEST_CASE("maps are equal when the places are, whatever the digits") {
    const Layout plain{{{128, 1, Axis::TLane}, {8, 1, Axis::TCol}}, {}, {}};
    const Layout split{{{128, 1, Axis::TLane}, {4, 2, Axis::TCol}, {2, 1, Axis::TCol}}, {}, {}};
    Layout other = split;
    CHECK(plain != split);
    CHECK(equal_maps(plain, split));
    other.shard[1].stride = 1;
    other.shard[2].stride = 4;
    CHECK_FALSE(equal_maps(plain, other));
    CHECK_FALSE(equal_maps(plain, {{{128, 1, Axis::TLane}, {4, 1, Axis::TCol}}, {}, {}}));
}

TEST_CASE("a thread is the sum of the three thread axes") {
    const Layout sum{{{128, 1, tid}}, {}, {}};
    const Layout parts{{{4, 1, wid}, {32, 1, lane}}, {}, {}};
    CHECK(equal_maps(sum, parts));
    CHECK_FALSE(equal_maps(sum, {{{4, 1, lane}, {32, 4, lane}}, {}, {}}));
}

TEST_CASE("the order of copies does not matter, their places do") {
    const Layout up{{{32, 1, tid}}, {{2, 64, tid}}, {}};
    const Layout down{{{32, 1, tid}}, {{2, -64, tid}}, at({{tid, 64}})};
    const Layout once{{{32, 1, tid}}, {}, {}};
    const Layout idle{{{32, 1, tid}}, {{3, 0, tid}}, {}};
    CHECK(equal_maps(up, down));
    CHECK_FALSE(equal_maps(up, once));
    CHECK(equal_maps(once, idle));
}

TEST_CASE("a layout is written as a program would write it") {
    CHECK(to_string({{{128, 1, tid}, {8, 1, m}}, {}, {}}) == "S[(128, 8) : (1@tid_in_wg, 1)]");
    CHECK(to_string(
              {{{64, -1, Axis::TLane}}, {{2, 64, Axis::TLane}}, at({{Axis::TLane, 63}, {Axis::TCol, 4}})}) ==
          "S[(64) : (-1@TLane)] + R[(2) : (64@TLane)] + 63@TLane + 4@TCol");
}

TEST_CASE("every axis has a name of its own") {
    for (std::size_t i = 0; i < axis_count; ++i)
        CHECK(axis_named(name(static_cast<Axis>(i))) == static_cast<Axis>(i));
    CHECK(axis_named("TLane") == Axis::TLane);
    CHECK(axis_named("wid_in_wg") == wid);
    CHECK_FALSE(axis_named("tlane"));
}

TEST_CASE("counts that do not fit are the largest number, and an extent below 1 counts nothing") {
    const std::int64_t huge = std::int64_t{1} << 40;
    CHECK(size({{{huge, 1, m}, {huge, 1, m}}, {}, {}}) == std::numeric_limits<std::int64_t>::max());
    CHECK(size({{{-4, 1, m}, {-2, 1, m}}, {}, {}}) == 0);
}
