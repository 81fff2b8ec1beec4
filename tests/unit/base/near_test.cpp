// Distances counted by hand, and which candidate is near enough to be suggested.
#include "base/near.hpp"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

using namespace tmemc::base;

TEST_CASE("insertions, removals, changes and swaps of neighbours cost one each") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("kernel", "kernel") == 0);
    CHECK(edit_distance("kernl", "kernel") == 1);
    CHECK(edit_distance("kernnel", "kernel") == 1);
    CHECK(edit_distance("kerMel", "kernel") == 1);
    CHECK(edit_distance("kenrel", "kernel") == 1);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("ca", "abc") == 3); // a swapped pair is not edited again
}

TEST_CASE("the distance does not depend on the direction") {
    const std::vector<std::string> words{"", "a", "ab", "ba", "sm_100a", "sm_001a", "datapath", "datpaht"};
    for (const std::string& a : words)
        for (const std::string& b : words) CHECK(edit_distance(a, b) == edit_distance(b, a));
}

TEST_CASE("the nearest candidate is suggested, the first of equals") {
    const std::vector<std::string> targets{"sm_100a", "sm_100f", "sm_103a"};
    CHECK(nearest("sm_100b", targets) == "sm_100a");
    CHECK(nearest("sm_13a", targets) == "sm_103a");
    CHECK(nearest("sm_103a", targets) == "sm_103a");
}

TEST_CASE("a candidate further away than a third of the name is none") {
    const std::vector<std::string> one{"abcdef"};
    CHECK(nearest("abcdxy", one) == "abcdef"); // 2 of 6
    CHECK(nearest("abcxyz", one) == "");       // 3 of 6
    CHECK(nearest("X", std::vector<std::string>{"Y"}) == "");
    CHECK(nearest("name", {}) == "");
    CHECK(nearest("", one) == "");
}

TEST_CASE("another case is always near") {
    CHECK(nearest("x", std::vector<std::string>{"Y", "X"}) == "X");
    CHECK(nearest("BIAS", std::vector<std::string>{"bia", "bias"}) == "bias");
}

TEST_CASE("a search that gives up early finds what a whole one finds") {
    std::mt19937 random(7);
    const auto word = [&] {
        std::string made;
        for (std::size_t size = random() % 12; size > 0; --size) made += "abc."[random() % 4];
        return made;
    };
    int found = 0;
    for (int round = 0; round < 2000; ++round) {
        const std::string name = word();
        const std::vector<std::string> candidates{word(), word(), word(), word()};
        int best = static_cast<int>(name.size() / 3) + 1;
        std::string nearest_one;
        for (const std::string& candidate : candidates) {
            if (edit_distance(name, candidate) >= best) continue;
            best = edit_distance(name, candidate);
            nearest_one = candidate;
        }
        found += nearest_one.empty() ? 0 : 1;
        CHECK(nearest(name, candidates) == nearest_one);
    }
    CHECK(found > 50);
}
