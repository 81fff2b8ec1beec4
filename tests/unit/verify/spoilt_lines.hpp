// A text as lines that a test can spoil, and put together again.
#pragma once

#include <string>
#include <vector>

namespace tmemc::test {

using Lines = std::vector<std::string>;

inline Lines split(const std::string& text) {
    Lines lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        lines.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return lines;
}
inline std::string join(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}
inline bool has(const std::string& line, const std::string& what) {
    return line.find(what) != std::string::npos;
}

} // namespace tmemc::test
