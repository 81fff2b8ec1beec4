// The conversions that exist, read from data/conversions.txt, and an instruction for each. Shared by the test
// of what is taken and the test of what it gives.
#pragma once

#include "conversion_oracle.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace oracle {

struct Case {
    std::string to, from;  // "f16x2"
    std::string operands;  // "one", "pair", "pair+random", "quad+random"
    std::string modifiers; // "rn.relu", "-.sat"
    std::string needs;     // "8.1 sm_89, 7.8 sm_90" or "8.7 sm_100a+sm_103a"
    [[nodiscard]] std::string name() const { return fmt::format("cvt.{}.{}.{}", modifiers, to, from); }
};

inline std::vector<std::string> words(const std::string& text, char separator = ' ') {
    std::vector<std::string> list;
    std::istringstream in(text);
    for (std::string word; std::getline(in, word, separator);)
        if (!word.empty()) list.push_back(word);
    return list;
}

inline std::vector<Case> read_cases() {
    std::vector<Case> all;
    std::ifstream in("data/conversions.txt");
    for (std::string line; std::getline(in, line);) {
        if (line.empty() || line[0] == '#') continue;
        const auto fields = words(line, '|');
        REQUIRE(fields.size() == 4);
        for (const std::string& types : words(fields[0]))
            for (const std::string& modifiers : words(fields[2])) {
                const std::size_t arrow = types.find('<');
                all.push_back({types.substr(0, arrow), types.substr(arrow + 1), words(fields[1])[0],
                               modifiers, fields[3].substr(1)});
            }
    }
    return all;
}
inline const std::vector<Case>& cases() {
    static const std::vector<Case> all = read_cases();
    return all;
}

inline int count_of(const std::string& type) {
    if (type.size() > 2 && type[type.size() - 2] == 'x') return type.back() - '0';
    return 1;
}
inline std::string element_of(const std::string& type) {
    return count_of(type) == 1 ? type : type.substr(0, type.size() - 2);
}
/// From one number of a packed type to the next.
inline int spacing(const std::string& type) {
    const int bits = type_named(element_of(type)).bits;
    return bits == 6 ? 8 : bits;
}
inline char register_of(const std::string& type) {
    const int bits = spacing(type) * count_of(type);
    if (type == "e2m1x2") return 'b';
    return bits <= 16 ? 'h' : bits == 32 ? 'r' : 'd';
}
inline std::string instruction(const Case& c) {
    const std::string name = "cvt" + (c.modifiers[0] == '-' ? c.modifiers.substr(1) : "." + c.modifiers);
    const char from = register_of(c.from);
    std::string sources = fmt::format("%{}1", from);
    if (c.operands == "pair") sources = fmt::format("%{0}1, %{0}2", from);
    if (c.operands == "pair+random") sources = fmt::format("%{0}1, %{0}2, %r5", from);
    if (c.operands == "quad+random") sources = fmt::format("{{%{0}1, %{0}2, %{0}3, %{0}4}}, %r5", from);
    return fmt::format("{}.{}.{} %{}0, {};", name, c.to, c.from, register_of(c.to), sources);
}

} // namespace oracle
