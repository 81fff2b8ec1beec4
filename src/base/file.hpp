// Files as whole values: read everything, or write everything. A written file appears whole or not at all (a
// temporary neighbour is renamed over it), so a failed run never leaves half a result or destroys an older
// one.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tmemc::base {

/// errno's own words in the lower case of a diagnostic: "no such file or directory".
[[nodiscard]] std::string reason(int error_number);
/// The contents, or nothing and `error` set to one sentence ("cannot read `x.tmx`: no such file or
/// directory").
[[nodiscard]] std::optional<std::string> read_file(const std::string& path, std::string& error);
/// True, or false and `error` set.
[[nodiscard]] bool write_file(const std::string& path, std::string_view contents, std::string& error);

} // namespace tmemc::base
