// One table, read in both directions.
#include "cli/spelling.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

namespace tmemc::cli {
namespace {

using Spelling = std::pair<std::string_view, std::string_view>; // the user's, CLI11's

constexpr std::array<Spelling, 5> exact{
    {{"-###", "--dry-run"}, {"-lineinfo", "--lineinfo"}, {"-arch", "--arch"}, {"-MD", "-M"}, {"-MF", "-F"}}};
constexpr std::array<Spelling, 5> heads{{{"-arch=", "--arch="},
                                         {"-ferror-limit=", "--error-limit="},
                                         {"-MF", "-F"},
                                         {"-W", "--warning="},
                                         {"-O", "--optimise="}}};

bool starts_with(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

/// "--error-limit" to "-ferror-limit": as the user writes it.
std::string spelled(std::string_view name) {
    for (const auto& [ours, theirs] : exact)
        if (name == theirs) return std::string(ours);
    for (const auto& [ours, theirs] : heads)
        if (name == theirs.substr(0, theirs.find('='))) return std::string(ours.substr(0, ours.find('=')));
    return std::string(name);
}

} // namespace

std::string rewrite(const std::string& word) {
    for (const auto& [from, to] : exact)
        if (word == from) return std::string(to);
    for (const auto& [from, to] : heads)
        if (starts_with(word, from) && (word.size() > from.size() || from.back() == '='))
            return std::string(to) + word.substr(from.size());
    return word;
}

std::optional<std::string> complaint_of_word(const std::string& word) {
    const std::size_t at = word.find('=');
    if (!starts_with(word, "--") || at == std::string::npos) return std::nullopt;
    const std::string name = spelled(word.substr(0, at));
    if (at + 1 == word.size()) return fmt::format("{}= has nothing behind its `=`", name);
    return std::nullopt;
}

std::string own_words(const std::string& sentence) {
    constexpr std::string_view convert = "Could not convert: ";
    const std::size_t colon = sentence.find(": "), equals = sentence.find(" = ");
    if (starts_with(sentence, convert) && equals != std::string::npos)
        return fmt::format("{} takes a number, not `{}`",
                           spelled(sentence.substr(convert.size(), equals - convert.size())),
                           sentence.substr(equals + 3));
    if (const std::size_t flag = sentence.find(" was given a disallowed flag override");
        flag != std::string::npos)
        return fmt::format("{} takes no value; leave out its `=`", spelled("--" + sentence.substr(0, flag)));
    if (colon == std::string::npos) return sentence;
    const std::string name = spelled(sentence.substr(0, colon));
    if (sentence.find("At Most 1 required", colon) != std::string::npos)
        return fmt::format("{} is given more than once, and takes one value", name);
    if (sentence.find("missing", colon) != std::string::npos)
        return fmt::format("{} takes a value, and none follows", name);
    return sentence;
}

} // namespace tmemc::cli
