// The JSON is read back by a JSON reader and compared with the numbers an editor would need.
#include "base/render.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

using namespace tmemc::base;

namespace {

constexpr TypedKind<std::string_view> refused{{"TM9901", "refused", Severity::error, "", "{}"}};
constexpr TypedKind<std::string_view> wasteful{{"TM9902", "wasteful", Severity::warning, "waste", "{}"}};

nlohmann::json range(int line, int character, int end_line, int end_character) {
    return {{"start", {{"line", line}, {"character", character}}},
            {"end", {{"line", end_line}, {"character", end_character}}}};
}

} // namespace

TEST_CASE("one line holds the whole diagnostic") {
    const Source source("dir/a b.tmx", "frag Y;\ncopy Y;\n");
    Diagnostics out;
    out.report(refused, {13, 14}, "say \"Y\"").label({5, 6}, "declared here").note("why").help("how");
    const std::string text = render_json(out.list[0], source);
    CHECK(text.find('\n') == std::string::npos);
    const nlohmann::json expected{{"file", "dir/a b.tmx"},
                                  {"range", range(1, 5, 1, 6)},
                                  {"severity", 1},
                                  {"code", "TM9901"},
                                  {"source", "tmemc"},
                                  {"message", "say \"Y\""},
                                  {"relatedInformation",
                                   {{{"location", {{"uri", "dir/a%20b.tmx"}, {"range", range(0, 5, 0, 6)}}},
                                     {"message", "declared here"}}}},
                                  {"data", {{"name", "refused"}, {"notes", {"why"}}, {"helps", {"how"}}}}};
    CHECK(nlohmann::json::parse(text) == expected);
}

TEST_CASE("a warning has severity 2 and its flag") {
    Diagnostics out;
    out.report(wasteful, {0, 1}, "m");
    const auto object = nlohmann::json::parse(render_json(out.list[0], Source("/tmp/a.tmx", "x")));
    CHECK(object["severity"] == 2);
    CHECK(object["data"]["flag"] == "waste");
    CHECK(object["relatedInformation"].is_array());
}

TEST_CASE("characters are UTF-16 units: an emoji counts twice, a byte-order mark not at all") {
    const Source source("a.tmx", "\xef\xbb\xbf\xc3\xa9\xf0\x9f\x98\x80Y\r\nZ");
    Diagnostics out;
    out.report(refused, {9, 10}, "m");
    out.report(refused, {9, 13}, "over the line");
    CHECK(nlohmann::json::parse(render_json(out.list[0], source))["range"] == range(0, 3, 0, 4));
    CHECK(nlohmann::json::parse(render_json(out.list[1], source))["range"] == range(0, 3, 1, 1));
}

TEST_CASE("a full path becomes a file URI, byte by byte") {
    const Source source("/tmp/\xc3\xa9#.tmx", "x");
    Diagnostics out;
    out.report(refused, {0, 1}, "m").label({0, 1}, "l");
    const auto object = nlohmann::json::parse(render_json(out.list[0], source));
    CHECK(object["relatedInformation"][0]["location"]["uri"] == "file:///tmp/%C3%A9%23.tmx");
}

TEST_CASE("no place is the beginning of the file, and an empty source has one") {
    Diagnostics out;
    out.report(refused, no_place, "m");
    CHECK(nlohmann::json::parse(render_json(out.list[0], Source("a", "xyz")))["range"] == range(0, 0, 0, 0));
    CHECK(nlohmann::json::parse(render_json(out.list[0], Source("", "")))["range"] == range(0, 0, 0, 0));
}

TEST_CASE("bytes that are no UTF-8 do not break the JSON") {
    Diagnostics out;
    out.report(refused, {0, 1}, "bad \xff byte");
    const auto object = nlohmann::json::parse(render_json(out.list[0], Source("a\xff", "x")));
    CHECK(object["message"] == "bad \xef\xbf\xbd byte");
}
