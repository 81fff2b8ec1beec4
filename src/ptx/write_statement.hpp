// The text of the parts of a module: declarations, operands and statements, each a function from data to text
// without a line break. Numbers are decimal up to 65535 and hexadecimal beyond, because what is that large
// here is a bit pattern or a tensor-memory address, whose lane stands in the upper half: [%taddr+0x100004] is
// 16 lanes and 4 columns on. Not here: which lines a module has (write.cpp).
#pragma once

#include "ptx/module.hpp"

#include <string>
#include <string_view>

namespace tmemc::ptx {

inline constexpr std::string_view indent = "    ";

[[nodiscard]] std::string written(const Parameter& parameter);
[[nodiscard]] std::string written(const Variable& variable); // without its semicolon
/// "(.param .b32 a) name": what a function or prototype gives, and the name it goes by.
[[nodiscard]] std::string written_results(const std::vector<Parameter>& results);
[[nodiscard]] std::string_view written(Linkage linkage); // ".visible ", or nothing
/// Appends the statement, indented.
void append(std::string& out, const Statement& statement);

} // namespace tmemc::ptx
