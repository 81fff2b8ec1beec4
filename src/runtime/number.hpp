// A number as people spell it: an integer when it has neither point nor exponent (`-3`, `0x1f`, `0b101`,
// `1_000`), else a double (`1.0`, `.5`, `1e-3`). The spelling is that of .tmx files, and of values on the
// command line. Not here: its bits in a dtype (element.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tmemc::runtime {

using Number = std::variant<std::int64_t, double>;

/// Nothing when the text is no number, or one beyond int64 or double.
[[nodiscard]] std::optional<Number> parse_number(std::string_view text);
[[nodiscard]] std::string to_string(const Number& number);

} // namespace tmemc::runtime
