// Which page is meant, and the list of all. A title line is cut at its blanks and its colon.
#include "explain/explain.hpp"

#include "base/json.hpp"
#include "base/near.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tmemc::explain {
namespace {

/// 330 for "TM0330", "tm0330", "0330" and "330"; -1 for what is no number of at most four digits.
int number_in(std::string_view word) {
    if (word.size() > 2 && (word[0] == 'T' || word[0] == 't') && (word[1] == 'M' || word[1] == 'm'))
        word.remove_prefix(2);
    if (word.empty() || word.size() > 4) return -1;
    int number = 0;
    for (const char each : word) {
        if (each < '0' || each > '9') return -1;
        number = 10 * number + (each - '0');
    }
    return number;
}

base::Json json(const Page& page) {
    const Title said = title(page);
    return {{"code", page.code}, {"severity", said.severity}, {"flag", said.flag}, {"title", said.subject}};
}

} // namespace

Title title(const Page& page) {
    std::string_view line = page.text.substr(0, page.text.find('\n'));
    line.remove_prefix(std::min(line.size(), page.code.size() + 3)); // "# TM0330 "
    const std::size_t colon = std::min(line.size(), line.find(": "));
    const std::string_view head = line.substr(0, colon);
    const std::size_t blank = std::min(head.size(), head.find(' '));
    return {head.substr(0, blank), head.substr(std::min(head.size(), blank + 3)), // behind " -W"
            line.substr(std::min(line.size(), colon + 2))};
}

const Page* find(std::string_view word) {
    const int number = number_in(word);
    if (word.empty()) return nullptr;
    for (const Page& page : pages())
        if (number_in(page.code) == number || title(page).flag == word) return &page;
    return nullptr;
}

const Page* nearest(std::string_view word) {
    if (pages().empty()) return nullptr;
    if (const int number = number_in(word); number >= 0) {
        const Page* near = nullptr;
        const auto apart = [number](const Page& page) { return std::abs(number_in(page.code) - number); };
        for (const Page& page : pages())
            if (base::edit_distance(page.code, fmt::format("TM{:04}", number)) == 1 &&
                (near == nullptr || apart(page) < apart(*near)))
                near = &page;
        return near;
    }
    std::vector<std::string> flags;
    for (const Page& page : pages())
        if (const std::string_view flag = title(page).flag; !flag.empty()) flags.emplace_back(flag);
    const std::string flag = base::nearest(word, flags);
    return flag.empty() ? nullptr : find(flag);
}

std::string list_text() {
    std::string text;
    for (const Page& page : pages()) {
        const Title said = title(page);
        const std::string kind =
            said.flag.empty() ? std::string(said.severity) : fmt::format("-W{}", said.flag);
        text += fmt::format("{}  {:<15} {}\n", page.code, kind, said.subject);
    }
    return text;
}

std::string list_json() {
    base::Json list = base::Json::array();
    for (const Page& page : pages()) list.push_back(json(page));
    return base::to_text(list);
}

std::string page_json(const Page& page) {
    base::Json made = json(page);
    made["text"] = page.text;
    return base::to_text(made);
}

} // namespace tmemc::explain
