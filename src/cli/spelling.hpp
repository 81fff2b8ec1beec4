// Options as users spell them and as CLI11 knows them, and what CLI11 complains of in our words. CLI11 takes
// `--long=value` and `-x value` only, so the compilers' own spellings are rewritten first: -arch=X,
// -ferror-limit=N, -Wno-NAME, -O2, -lineinfo, -MD, -MF, -###. Example: `-arch=sm_100a` is `--arch=sm_100a` to
// CLI11, and a message about `--arch` speaks of `-arch`.
#pragma once

#include <optional>
#include <string>

namespace tmemc::cli {

/// "-arch=sm_100a" to "--arch=sm_100a" and its like.
[[nodiscard]] std::string rewrite(const std::string& word);

/// What is wrong with a rewritten word by itself: nothing behind its `=`, which CLI11 would look for in the
/// next.
[[nodiscard]] std::optional<std::string> complaint_of_word(const std::string& word);

/// A sentence of CLI11's, such as "--arch: 1 required TEXT missing".
[[nodiscard]] std::string own_words(const std::string& sentence);

} // namespace tmemc::cli
