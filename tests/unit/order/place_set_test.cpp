// A set of places against std::set.
#include "order/place_set.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>

using namespace tmemc::order;

TEST_CASE("a place set does what a set of pairs does") {
    std::mt19937 random(53);
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    int met = 0, missing = 0;
    for (int trial = 0; trial < 200; ++trial) {
        const int lines = pick(1, 8), width = pick(1, 300);
        PlaceSet set(lines, width);
        std::set<std::pair<int, int>> model;
        for (int step = 0; step < 30; ++step) {
            const int first = pick(0, width - 1);
            const Run run{pick(0, lines - 1), first, pick(first + 1, width)};
            bool meets = false;
            std::optional<int> absent;
            for (int at = run.first; at < run.last; ++at) {
                const bool in = model.count({run.line, at}) > 0;
                meets = meets || in;
                if (!in && !absent) absent = at;
            }
            REQUIRE(set.meets(run) == meets);
            REQUIRE(set.first_missing(run) == absent);
            met += meets;
            missing += absent.has_value();
            const bool add = pick(0, 1) == 0;
            add ? set.add(run) : set.remove(run);
            for (int at = run.first; at < run.last; ++at)
                add ? void(model.insert({run.line, at})) : void(model.erase({run.line, at}));
        }
    }
    CHECK(met > 500);
    CHECK(missing > 500);
}
