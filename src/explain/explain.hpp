// The error index: a page for every code of the catalogue, which says what the rule is, why the hardware or
// the language has it, and shows a wrong and a right program. Pages are Markdown files, pages/TM0301.md, that
// the build puts into the binary. Each begins with a line of its own,
//
//     # TM0330 warning -Wspill: a fragment needs more registers than a thread has
//
// and tests/explain.py, which compiles the programs, describes the rest of the form. A page is asked for by
// its code, in part or whole, or by the name of its warning: TM0330, tm0330, 0330, 330, spill.
// Not here: printing (cli/explain.cpp), and what a message says (base/diagnostics.def).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tmemc::explain {

struct Page {
    std::string_view code; // "TM0330"
    std::string_view text; // Markdown, ends with a newline
    bool operator==(const Page&) const = default;
};

/// What the first line of a page says.
struct Title {
    std::string_view severity; // "error" or "warning"
    std::string_view flag;     // the NAME of -WNAME; empty for errors
    std::string_view subject;  // "a fragment needs ..."
    bool operator==(const Title&) const = default;
};

/// Ascending by code.
[[nodiscard]] const std::vector<Page>& pages();

[[nodiscard]] Title title(const Page& page);

/// The page that `word` names, or null.
[[nodiscard]] const Page* find(std::string_view word);

/// The page whose number is that in `word` but for one digit or two swapped, or whose warning's name is near;
/// null when there is none.
[[nodiscard]] const Page* nearest(std::string_view word);

/// A line for each page: "TM0330  -Wspill  a fragment needs ...".
[[nodiscard]] std::string list_text();
/// The same for programs: [{"code": ..., "severity": ..., "flag": ..., "title": ...}, ...].
[[nodiscard]] std::string list_json();
/// A page for programs: {"code": ..., "severity": ..., "flag": ..., "title": ..., "text": ...}.
[[nodiscard]] std::string page_json(const Page& page);

} // namespace tmemc::explain
