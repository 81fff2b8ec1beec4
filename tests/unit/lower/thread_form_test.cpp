// Maps turned round: the formula of an image, what a region leaves of it, and the fields that addresses are
// made of.
#include "programs.hpp"

#include "lower/addresses.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;

namespace {

using Bits = std::array<Place, thread_bits>;

} // namespace

TEST_CASE("the formula of the 16x256b image is the manual's") {
    const std::vector<ThreadForm> forms = thread_forms(image_16x256b(64, 8, 32), true);
    REQUIRE(forms.size() == 1);
    CHECK(forms[0].bits == Bits{{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}, {16, 0}, {32, 0}}});
    REQUIRE(forms[0].slots.size() == 4);
    CHECK(forms[0].slots[3] == SlotForm{3, 0, ~ThreadSet{}, {8, 1}});
    CHECK(forms[0].at(forms[0].slots[3], 127) == Place{63, 7});
}

TEST_CASE("elements of one register have a slot each") {
    const std::vector<ThreadForm> forms = thread_forms(row_per_thread(4, 16), true);
    REQUIRE(forms.size() == 1);
    REQUIRE(forms[0].slots.size() == 4);
    CHECK(forms[0].slots[1] == SlotForm{0, 16, ~ThreadSet{}, {0, 1}});
    CHECK(forms[0].slots[2] == SlotForm{1, 0, ~ThreadSet{}, {0, 2}});
}

TEST_CASE("a map that no single formula covers is halved until one covers each part") {
    // Thread t of 96 holds column 31 - t below 32 and column t from there on.
    const auto map = slots(1, 96, 32, [](int, int col) { return slot(col < 32 ? 31 - col : col, 0, 32); });
    const std::vector<ThreadForm> forms = thread_forms(map, true);
    REQUIRE(forms.size() == 3); // 0..31 | 32..63 | 64..95
    std::size_t threads = 0;
    for (const ThreadForm& form : forms)
        for (std::size_t t = 0; t < 128; ++t) {
            if (!form.slots.at(0).threads[t]) continue;
            CHECK(form.at(form.slots[0], t) == Place{0, static_cast<int>(t < 32 ? 31 - t : t)});
            ++threads;
        }
    CHECK(threads == 96);
}

TEST_CASE("a region keeps the threads and slots that meet it, counted from its corner") {
    const ThreadForm form = thread_forms(row_per_thread(8, 32), true).at(0);
    const ThreadForm part = restricted(form, {32, 2}, 3, 2);
    REQUIRE(part.slots.size() == 2);
    CHECK(part.slots[0].reg == 2);
    CHECK(part.slots[0].threads.count() == 3);
    CHECK(part.at(part.slots[1], 34) == Place{2, 1});
}

TEST_CASE("only a load wants every copy") {
    layout::SlotMap map{1,  2, 2,
                        32, 1, {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}, {3, 0, 0}}}; // columns 0 and 1, twice
    CHECK(thread_forms(map, true).at(0).slots.at(0).threads.count() == 4);
    CHECK(thread_forms(map, false).at(0).slots.at(0).threads.count() == 2);
}

TEST_CASE("adjacent bits whose steps double are one field") {
    CHECK(fields({4, 8, 16, 32, 64, 128, 256}) == std::vector<Field>{{0, 7, 4}});
    CHECK(fields({8, 16, 128, 256, 512, 4096, 8192}) ==
          std::vector<Field>{{0, 2, 8}, {2, 3, 128}, {5, 2, 4096}});
    CHECK(fields({0, 0, 0, 0, 0, 0, 64}) == std::vector<Field>{{6, 1, 64}});
    CHECK(fields({4, 0, 8, 0, 0, -1, -2}) == std::vector<Field>{{0, 1, 4}, {2, 1, 8}, {5, 2, -1}});
    CHECK(fields({}).empty());
}
