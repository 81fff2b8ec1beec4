// Names in the code that is written for other people's programs. A `.tmx` kernel may be called `new` and its
// parameter `linux`, which C and C++ keep for themselves, so a name loses the underscores that make it the
// compiler's, and gets `_` behind it until it is free:
//
//     __trap -> trap  linux -> linux_      stream, where `stream` and `stream_` are taken -> stream__
//
// What the user chooses is in Names: `--prefix=my_` makes `my_roundtrip_launch` of the kernel `roundtrip`,
// and
// `--namespace=mine` puts it all into `namespace mine`, which C does not have.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tmemc::embed {

struct Names {
    std::string prefix;     // in front of every name; empty: none
    std::string name_space; // "a::b"; empty: none
    bool operator==(const Names&) const = default;
};

/// The name, changed as little as makes it usable in C99 and C++ beside those taken.
[[nodiscard]] std::string free_name(std::string_view name, const std::vector<std::string>& taken = {});
/// Any text as part of a name: "my-kernel.v2" to "my_kernel_v2"; a digit in front gets `_`.
[[nodiscard]] std::string as_name(std::string_view text);
/// A name that gets `_` and a word behind it: `tmemc` would meet launch.h's own `tmemc_launch`.
[[nodiscard]] std::string before_underscore(std::string_view name);
/// A file's name in a comment, which it must not end or continue: line ends, backslashes and the like are
/// `?`.
[[nodiscard]] std::string in_comment(std::string text);
/// True of a name that C++ takes; with `::` allowed also of "a::b".
[[nodiscard]] bool is_name(std::string_view text, bool allow_scopes = false);

} // namespace tmemc::embed
