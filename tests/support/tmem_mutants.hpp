// Mutants: values with one fact changed, each of which some check must notice. A check that nothing can fail
// proves nothing; a table whose every entry, changed, fails some check is a table that the tests know by
// heart. Example: a shape row whose thread bit 3 steps 5 lanes instead of 4 must disagree with the maps, or
// move a byte to the wrong place.
//
// A test enumerates its mutants and asks every check about each. The tally counts by class (the field that
// was changed), prints "killed of total" with the checks that did it, and keeps the survivors. A mutant that
// means the same as the original is no mutant: the test argues why and counts it as `equivalent`.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tmemc::testing {

/// Other values for a number: its neighbours, double, half, none, and the other direction.
inline std::set<int> other_values(int value) {
    std::set<int> all{value - 1, value + 1, 2 * value, value / 2, 0, -value, 1};
    all.erase(value);
    return all;
}
/// The same for what is counted, where only positive numbers are values at all.
inline std::set<int> other_counts(int value) {
    std::set<int> all;
    for (int other : other_values(value))
        if (other > 0) all.insert(other);
    return all;
}

/// A check's name, and whether the check fails for the mutant.
template <class Mutant>
struct MutantCheck {
    std::string name;
    std::function<bool(const Mutant&)> fails;
};

class MutantTally {
  public:
    template <class Mutant>
    void judge(const std::string& kind, const std::string& what, const Mutant& mutant,
               const std::vector<MutantCheck<Mutant>>& checks) {
        Line& line = lines_[kind];
        ++line.total;
        bool killed = false;
        for (const auto& check : checks)
            if (check.fails(mutant)) {
                killed = true;
                ++line.by_check[check.name];
            }
        if (killed)
            ++line.killed;
        else
            survivors_.push_back(kind + ": " + what);
    }
    void equivalent(const std::string& kind) { ++lines_[kind].equivalent; }

    /// Prints every class, fails on survivors and on a class of `kinds` without mutants.
    void report(const std::vector<std::string>& kinds) {
        for (const auto& [kind, line] : lines_) {
            std::string by;
            for (const auto& [check, count] : line.by_check) by += ", " + check + " " + std::to_string(count);
            MESSAGE(kind << ": " << line.killed << " of " << line.total << " killed" << by << "; "
                         << line.equivalent << " equivalent");
        }
        for (const std::string& kind : kinds) {
            CAPTURE(kind);
            CHECK(lines_[kind].total > 0);
        }
        CHECK(lines_.size() == kinds.size());
        for (const std::string& survivor : survivors_) FAIL_CHECK("survived, " << survivor);
    }

  private:
    struct Line {
        int total = 0, killed = 0, equivalent = 0;
        std::map<std::string, int> by_check;
    };
    std::map<std::string, Line> lines_;
    std::vector<std::string> survivors_;
};

} // namespace tmemc::testing
