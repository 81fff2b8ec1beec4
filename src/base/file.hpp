// Files as whole values: read everything (up to a limit), or write everything. A written file appears whole
// or not at all (a temporary neighbour is renamed over it), so a failed run never leaves half a result or
// destroys an older one.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::base {

/// errno's own words in the lower case of a diagnostic: "no such file or directory".
[[nodiscard]] std::string reason(int error_number);
inline constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
/// The contents, of a longer file its first `limit` bytes (a device such as /dev/zero never ends), or nothing
/// and `error` set to one sentence ("cannot read `x.tmx`: no such file or directory").
[[nodiscard]] std::optional<std::string> read_file(const std::string& path, std::string& error,
                                                   std::size_t limit = no_limit);
/// A text, and where it is to stand.
struct Output {
    std::string path;
    std::string_view contents;
};
/// All of them or none: whatever can fail does so before the first file appears. (A pipe or a device may have
/// got its text by then.) True, or false and `error` set.
[[nodiscard]] bool write_files(const std::vector<Output>& outputs, std::string& error);
/// One of them.
[[nodiscard]] bool write_file(const std::string& path, std::string_view contents, std::string& error);

} // namespace tmemc::base
