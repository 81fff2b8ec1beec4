// The digits are read without their sign first, so that -9223372036854775808, whose magnitude no int64 holds,
// is a number; std::from_chars reads the same text alike under every locale.
#include "runtime/number.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace tmemc::runtime {

namespace {

/// Digit separators stand between digits only.
std::optional<std::string> without_separators(std::string_view text) {
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            digits += text[i];
        } else if (i == 0 || i + 1 == text.size() || text[i - 1] == '_') {
            return std::nullopt;
        }
    }
    return digits;
}

template <class Value, class Form>
std::optional<Value> read_whole(std::string_view digits, Form form) {
    Value value{};
    const char* const end = digits.data() + digits.size();
    const auto [stop, error] = std::from_chars(digits.data(), end, value, form);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return value;
}

std::optional<Number> integer(std::string_view digits, bool negative) {
    int radix = 10;
    if (digits.starts_with("0x") || digits.starts_with("0X")) radix = 16;
    if (digits.starts_with("0b") || digits.starts_with("0B")) radix = 2;
    if (radix != 10) digits.remove_prefix(2);
    const auto magnitude = read_whole<std::uint64_t>(digits, radix);
    const std::uint64_t limit = std::uint64_t{1} << 63;
    if (!magnitude || *magnitude > limit || (*magnitude == limit && !negative)) return std::nullopt;
    return Number(static_cast<std::int64_t>(negative ? 0 - *magnitude : *magnitude));
}

} // namespace

std::optional<Number> parse_number(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    const std::optional<std::string> digits = without_separators(text);
    if (!digits || digits->empty()) return std::nullopt;
    if (digits->front() != '.' && (digits->front() < '0' || digits->front() > '9')) return std::nullopt;
    if (const auto whole = integer(*digits, negative)) return whole;
    if (digits->find_first_of(".eE") == std::string::npos) return std::nullopt;
    const auto real = read_whole<double>(*digits, std::chars_format::general);
    if (!real) return std::nullopt;
    return Number(negative ? -*real : *real);
}

std::string to_string(const Number& number) {
    return std::visit([](auto value) { return fmt::format("{}", value); }, number);
}

} // namespace tmemc::runtime
