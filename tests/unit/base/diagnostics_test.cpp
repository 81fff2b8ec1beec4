// The catalogue as a whole, and the value that stages fill.
#include "base/diagnostics.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace tmemc::base;

namespace {
constexpr TypedKind<std::string_view, int> unknown{
    {"TM9901", "unknown", Severity::error, "", "`{}` has {} rows"}};
constexpr TypedKind<> unused{{"TM9902", "unused", Severity::warning, "unused", "never used"}};
} // namespace

TEST_CASE("codes are unique, well formed and sorted; names are unique; warnings have a flag") {
    std::set<std::string_view> names;
    std::string_view last;
    for (const Kind* kind : all_kinds()) {
        CAPTURE(std::string(kind->code));
        CHECK(kind->code.size() == 6);
        CHECK(kind->code.substr(0, 2) == "TM");
        CHECK(kind->code.substr(2).find_first_not_of("0123456789") == std::string_view::npos);
        CHECK(kind->code > last);
        last = kind->code;
        CHECK(names.insert(kind->name).second);
        CHECK((kind->severity == Severity::warning) == !kind->flag.empty());
    }
    CHECK(!names.empty());
}

TEST_CASE("messages are lower case, without a full stop, and with paired backticks") {
    for (const Kind* kind : all_kinds()) {
        CAPTURE(std::string(kind->code));
        REQUIRE(!kind->format.empty());
        const auto upper = [&](std::size_t i) { return kind->format[i] >= 'A' && kind->format[i] <= 'Z'; };
        CHECK((!upper(0) || upper(1))); // an acronym, such as PTX, keeps its capitals
        CHECK(kind->format.back() != '.');
        CHECK(std::count(kind->format.begin(), kind->format.end(), '`') % 2 == 0);
    }
}

TEST_CASE("a report is formatted and takes labels, notes and helps") {
    Diagnostics out;
    out.report(unknown, {3, 5}, "Y", 64)
        .label({1, 2}, "declared here")
        .note("first")
        .note("second")
        .help("way out");
    REQUIRE(out.list.size() == 1);
    const Diagnostic& said = out.list[0];
    CHECK(said.kind == &unknown);
    CHECK(said.severity == Severity::error);
    CHECK(said.span == Span{3, 5});
    CHECK(said.message == "`Y` has 64 rows");
    CHECK(said.labels == std::vector<Label>{{{1, 2}, "declared here"}});
    CHECK(said.notes == std::vector<std::string>{"first", "second"});
    CHECK(said.helps == std::vector<std::string>{"way out"});
}

TEST_CASE("only errors are errors") {
    Diagnostics out;
    CHECK(!out.has_errors());
    out.report(unused, {});
    CHECK(!out.has_errors());
    out.report(unknown, {}, "Y", 1);
    CHECK(out.has_errors());
}

TEST_CASE("what a later stage found comes after") {
    Diagnostics first, second;
    first.report(unused, {1, 2});
    second.report(unknown, {3, 4}, "Y", 1);
    first.append(second);
    REQUIRE(first.list.size() == 2);
    CHECK(first.list[0].kind == &unused);
    CHECK(first.list[1] == second.list[0]);
}
