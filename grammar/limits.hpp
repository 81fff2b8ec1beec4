// What a source must be before anybody looks at its words: at most 16 MB, and text. Spans are 32-bit offsets
// and a tree takes some fifty times its text, so a huge file is a mistake, not a program; bytes that are not
// UTF-8 mean another encoding or no text at all.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"

namespace tmemc::grammar {

inline constexpr std::size_t largest_source = std::size_t{16} << 20;
/// After so many messages reading on helps nobody.
inline constexpr std::size_t most_errors = 1000;

/// Reports what is wrong. False: not worth reading on.
[[nodiscard]] bool check_limits(const base::Source& source, base::Diagnostics& diagnostics);

} // namespace tmemc::grammar
