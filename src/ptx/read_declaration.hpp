// What is declared: variables with their initial values, parameters, prototypes. They look the same in
// modules and in bodies. Each function stands behind what it read, or has reported what it found and gives
// false.
//
//     .visible .const .align 8 .u64 entries[2] = {generic(squares), generic(squares)+8};
//     .param .u64 .ptr .global .align 16 in
//
// Initial values are kept row by row in one list, the braces of inner dimensions gone: {{1}, {2, 3}} of
// [2][2] is 1, 0, 2, 3. Source: PTX ISA 5.4 (variables), 5.1.6 (parameters).
#pragma once

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

#include <vector>

namespace tmemc::ptx {

/// `.visible`, `.extern`, ... if one is next.
[[nodiscard]] Linkage take_linkage(Cursor& cursor);
/// True of the directives that open a variable: ".shared".
[[nodiscard]] bool is_space(std::string_view directive);
/// The variable from its space on, without the semicolon.
bool read_variable(Cursor& cursor, Variable& into);
/// A list in parentheses.
bool read_parameters(Cursor& cursor, std::vector<Parameter>& into);

} // namespace tmemc::ptx
