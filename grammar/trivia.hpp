// What the tree leaves out and a formatter must keep: comments and blank lines, in source order, each with
// its place.
#pragma once

#include "base/source.hpp"

#include <string>
#include <vector>

namespace tmemc::grammar {

struct TriviaItem {
    enum class Kind { line_comment, block_comment, blank_line };
    Kind kind{};
    base::Span span;       // the whole comment with its marks; of a blank line, its line break
    bool own_line = false; // nothing but blanks stands before it on its line
    bool operator==(const TriviaItem&) const = default;
};
using Trivia = std::vector<TriviaItem>;

} // namespace tmemc::grammar
