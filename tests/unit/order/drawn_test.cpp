// Order against the judge of drawn_kernel.hpp, on drawn kernels: what it accepts, and what it adds.
#include "drawn_kernel.hpp"
#include "ordered_program.hpp"

#include <fmt/core.h>

#include <map>

using namespace tmemc;
using tests::Drawn;
using tests::Step;

namespace {

/// The schedule's inserted waits as steps, one for each warpgroup that waits. The kernel's text has a store,
/// a wait and a sync of its own ahead of the drawn steps, and two fills.
constexpr std::size_t ahead = 5;

Step wait_step(order::WaitKind kind, int warpgroup) {
    Step step;
    step.what = kind == order::WaitKind::ld ? Step::What::wait_ld : Step::What::wait_st;
    step.warpgroup = warpgroup;
    return step;
}

struct Insertion {
    std::size_t before = 0; // a drawn step
    Step wait;
};

Drawn with(const Drawn& drawn, const std::vector<Insertion>& insertions) {
    Drawn made{drawn.warpgroups, {}};
    for (std::size_t i = 0; i <= drawn.steps.size(); ++i) {
        for (const Insertion& each : insertions)
            if (each.before == i) made.steps.push_back(each.wait);
        if (i < drawn.steps.size()) made.steps.push_back(drawn.steps[i]);
    }
    return made;
}

std::vector<Insertion> everywhere(const Drawn& drawn) {
    std::vector<Insertion> all;
    for (std::size_t i = 0; i <= drawn.steps.size(); ++i)
        for (int group = 0; group < drawn.warpgroups; ++group)
            for (const auto kind : {order::WaitKind::ld, order::WaitKind::st})
                all.push_back({i, wait_step(kind, group)});
    return all;
}

/// Whether `count` more waits could ever do, tried in every way.
bool would_do(const Drawn& drawn, const std::vector<Insertion>& places, std::size_t count,
              std::vector<Insertion>& chosen, std::size_t from = 0) {
    if (chosen.size() == count) return tests::free_of_hazards(with(drawn, chosen));
    for (std::size_t i = from; i < places.size(); ++i) {
        chosen.push_back(places[i]);
        if (would_do(drawn, places, count, chosen, i + 1)) return true;
        chosen.pop_back();
    }
    return false;
}

std::vector<Insertion> inserted(const Drawn& drawn, const order::KernelSchedule& schedule) {
    std::vector<Insertion> list;
    for (const order::ScheduledWait& wait : schedule.waits)
        for (int group = 0; group < drawn.warpgroups; ++group)
            if (wait.inserted && (!wait.warpgroup || *wait.warpgroup == group)) {
                REQUIRE(wait.before >= ahead);
                list.push_back({wait.before - ahead, wait_step(wait.kind, group)});
            }
    return list;
}

void print_classes(const char* what, const std::map<std::string, int>& classes) {
    std::string text;
    for (const auto& [name, count] : classes) {
        text += fmt::format(" {} {}", name, count);
        const std::string& which = name;
        CHECK_MESSAGE(classes.at(which) > 0, which);
    }
    const std::string line = what + (":" + text);
    MESSAGE(line);
}

} // namespace

TEST_CASE("order accepts exactly the kernels in which every pair is kept apart") {
    std::mt19937 random(51);
    std::map<std::string, int> classes{
        {"accepted-1wg", 0}, {"refused-1wg", 0}, {"accepted-2wg", 0}, {"refused-2wg", 0}};
    for (int trial = 0; trial < 3000; ++trial) {
        const Drawn drawn = tests::draw(random, 7, true);
        const std::string text = tests::text_of(drawn);
        const bool accepted = !order::order(tests::program_of(text)).diagnostics.has_errors();
        INFO(text);
        REQUIRE(accepted == tests::free_of_hazards(drawn));
        ++classes[fmt::format("{}-{}wg", accepted ? "accepted" : "refused", drawn.warpgroups)];
    }
    print_classes("drawn", classes);
}

TEST_CASE("--auto-wait adds the fewest waits there can be, none of which could stand later") {
    std::mt19937 random(52);
    std::map<std::string, int> classes{{"one", 0},  {"two", 0},  {"three", 0},
                                       {"more", 0}, {"none", 0}, {"needs-sync", 0}};
    for (int trial = 0; trial < 1500; ++trial) {
        const Drawn drawn = tests::draw(random, 6, trial % 2 == 0);
        const std::string text = tests::text_of(drawn);
        INFO(text);
        const order::OrderResult result = order::order(tests::program_of(text), {true});
        const bool could = tests::free_of_hazards(with(drawn, everywhere(drawn)));
        REQUIRE(could == !result.diagnostics.has_errors());
        if (!could) {
            ++classes["needs-sync"];
            continue;
        }
        const std::vector<Insertion> added = inserted(drawn, result.schedule.kernels[0]);
        REQUIRE(tests::free_of_hazards(with(drawn, added)));
        for (std::size_t i = 0; i < added.size(); ++i) {
            std::vector<Insertion> later = added;
            ++later[i].before;
            CHECK_FALSE(tests::free_of_hazards(with(drawn, later)));
        }
        if (!added.empty() && added.size() <= 4) {
            std::vector<Insertion> chosen;
            CHECK_FALSE(would_do(drawn, everywhere(drawn), added.size() - 1, chosen));
        }
        const char* names[] = {"none", "one", "two", "three"};
        ++classes[added.size() < 4 ? names[added.size()] : "more"];
    }
    print_classes("waits added", classes);
}
