// JSON for people and programs: objects a member a line, arrays of plain numbers and strings on one line, so
// that a plan can be read and compared line by line. Members stand in the order in which they were added.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace tmemc::base {

/// Members keep the order in which they were added.
using Json = nlohmann::ordered_json;

/// Indented text, ending with a newline.
[[nodiscard]] std::string to_text(const Json& value);

} // namespace tmemc::base
