// A message is "ptxas [FILE, line N; ]SEVERITY : TEXT". FILE may hold any character, so the line is read from
// its end.
#include "toolchain/messages.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

namespace tmemc::toolchain {

namespace {

constexpr std::string_view severities[] = {"error", "fatal", "warning", "info"};

std::string_view trimmed(std::string_view text) {
    const std::size_t begin = text.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

/// The number that follows the last `word` in `text`; 0 when there is none.
std::uint32_t number_after(std::string_view text, std::string_view word) {
    const std::size_t at = text.rfind(word);
    if (at == std::string_view::npos) return 0;
    std::uint32_t number = 0;
    std::from_chars(text.data() + at + word.size(), text.data() + text.size(), number);
    return number;
}

std::optional<PtxasMessage> parse_line(std::string_view line) {
    constexpr std::string_view program = "ptxas ";
    if (!line.starts_with(program)) return std::nullopt;
    line.remove_prefix(program.size());
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
         colon = line.find(':', colon + 1)) {
        const std::string_view head = trimmed(line.substr(0, colon));
        const std::size_t semicolon = head.rfind("; ");
        const bool placed = semicolon != std::string_view::npos;
        const std::string_view severity = placed ? trimmed(head.substr(semicolon + 2)) : head;
        if (std::find(std::begin(severities), std::end(severities), severity) == std::end(severities))
            continue;
        const std::string_view text = trimmed(line.substr(colon + 1));
        const std::uint32_t number = placed ? number_after(head.substr(0, semicolon), ", line ")
                                            : number_after(text, "instruction at line ");
        return PtxasMessage{number, std::string(severity), std::string(text)};
    }
    return std::nullopt;
}

} // namespace

std::vector<PtxasMessage> parse_messages(std::string_view printed) {
    std::vector<PtxasMessage> messages;
    bool goes_on = false; // the line before belongs to the last message
    while (!printed.empty()) {
        const std::size_t end = std::min(printed.find('\n'), printed.size());
        const std::string_view line = printed.substr(0, end);
        printed.remove_prefix(std::min(end + 1, printed.size()));
        if (std::optional<PtxasMessage> message = parse_line(line)) {
            messages.push_back(std::move(*message));
            goes_on = true;
        } else if (goes_on && (line.starts_with(' ') || line.starts_with('\t'))) {
            messages.back().text.append("\n").append(trimmed(line));
        } else {
            goes_on = false;
        }
    }
    return messages;
}

} // namespace tmemc::toolchain
