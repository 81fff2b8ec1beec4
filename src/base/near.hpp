// "did you mean": the candidate nearest to a misspelt name, by edits of one letter (insert, drop, change,
// swap two neighbours). A candidate further away than a third of the name's length is no suggestion, unless
// only upper and lower case differ: `x` is near `X`. A name of more than 64 letters was not typed: it gets
// none.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tmemc::base {

[[nodiscard]] int edit_distance(std::string_view a, std::string_view b);
/// The nearest candidate, the first of equals; empty when none is near.
[[nodiscard]] std::string nearest(std::string_view name, std::span<const std::string> candidates);

} // namespace tmemc::base
