// The warning flags and the error limit, on a run that found a warning of two kinds and an error.
#include "base/render.hpp"

#include <doctest/doctest.h>

using namespace tmemc::base;

namespace {

constexpr TypedKind<> refused{{"TM9901", "refused", Severity::error, "", "refused"}};
constexpr TypedKind<> spill{{"TM9902", "spill", Severity::warning, "spill", "spills"}};
constexpr TypedKind<> unused{{"TM9903", "unused", Severity::warning, "unused", "unused"}};

/// A spill, an error and an unused name, filtered: "wE" is a warning and an error.
std::string shown(const WarningOptions& options) {
    Diagnostics found;
    found.report(spill, {0, 1});
    found.report(refused, {1, 2});
    found.report(unused, {2, 3});
    std::string letters;
    for (const Diagnostic& each : filter(found, options).list)
        letters += each.severity == Severity::error ? 'E' : 'w';
    return letters;
}

} // namespace

TEST_CASE("without options nothing changes") { CHECK(shown({}) == "wEw"); }

TEST_CASE("-Werror raises all warnings, -Werror=NAME those of the name") {
    CHECK(shown({.all_as_errors = true}) == "EEE");
    CHECK(shown({.as_errors = {"unused"}}) == "wEE");
}

TEST_CASE("-w silences warnings, -Wno-NAME those of the name, errors never") {
    CHECK(shown({.silence_all = true}) == "E");
    CHECK(shown({.silenced = {"spill"}}) == "Ew");
}

TEST_CASE("what is silenced stays silent under -Werror") {
    CHECK(shown({.all_as_errors = true, .silenced = {"spill"}}) == "EE");
    CHECK(shown({.all_as_errors = true, .silence_all = true}) == "E");
    CHECK(shown({.as_errors = {"spill"}, .silenced = {"spill"}}) == "Ew");
}

TEST_CASE("the error limit keeps the first errors, and all warnings, and says how many are missing") {
    Diagnostics found;
    for (std::uint32_t i = 0; i < 4; ++i) found.report(refused, {i, i + 1});
    found.report(unused, {9, 10});
    const Diagnostics kept = filter(found, {.error_limit = 2});
    REQUIRE(kept.list.size() == 3);
    CHECK(kept.list[0] == found.list[0]);
    CHECK(kept.list[1].span == Span{1, 2});
    CHECK(kept.list[1].notes == std::vector<std::string>{"2 more errors are not shown (-ferror-limit=2)"});
    CHECK(kept.list[2] == found.list[4]);
    CHECK(filter(found, {.error_limit = 3}).list[2].notes.back() ==
          "1 more error is not shown (-ferror-limit=3)");
    CHECK(filter(found, {.error_limit = 4}) == found);
}

TEST_CASE("what was given is not changed") {
    Diagnostics found;
    found.report(spill, {0, 1});
    const Diagnostics before = found;
    CHECK(filter(found, {.all_as_errors = true}).has_errors());
    CHECK(found == before);
}
