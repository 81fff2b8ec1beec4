// Reading with std::from_chars; every complaint says what the option takes.
#include "cli/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace tmemc::cli {

std::string ticked(std::string_view text) { return fmt::format("`{}`", text); }

void Reader::fail(std::string what) {
    if (error_.empty()) error_ = std::move(what);
}

std::pair<std::string, std::string> Reader::pair(const std::string& text, std::string_view form) {
    const std::size_t at = text.find('=');
    if (at == std::string::npos || at == 0) fail(fmt::format("{} is not of the form {}", ticked(text), form));
    return {text.substr(0, at), at == std::string::npos ? std::string() : text.substr(at + 1)};
}

std::int64_t Reader::integer(const std::string& text) {
    const std::size_t sign = (text.rfind('-', 0) == 0) ? 1 : 0;
    int base = 10;
    if (text.compare(sign, 2, "0x") == 0) base = 16;
    if (text.compare(sign, 2, "0b") == 0) base = 2;
    const std::string written = text.substr(std::min(text.size(), sign + (base == 10 ? 0 : 2)));
    const bool well_formed = !written.empty() && written.front() != '_' && written.back() != '_' &&
                             written.find("__") == std::string::npos && written.front() != '-';
    std::string digits(sign, '-');
    std::copy_if(written.begin(), written.end(), std::back_inserter(digits), [](char c) { return c != '_'; });
    std::int64_t value = 0;
    auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
    if (problem == std::errc::result_out_of_range)
        fail(fmt::format("{} does not fit in a signed 64-bit integer", ticked(text)));
    else if (!well_formed || problem != std::errc{} || end != digits.data() + digits.size())
        fail(fmt::format("{} is not an integer; write it as 64, 0x40 or 0b100_0000", ticked(text)));
    return value;
}

std::vector<std::uint32_t> Reader::dimensions(std::string_view option, const std::string& text) {
    std::vector<std::uint32_t> values;
    for (std::size_t at = 0; !text.empty() && at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::int64_t value = integer(text.substr(at, end - at));
        if (value < 1 || value > 0x7fffffff || values.size() == 3)
            fail(fmt::format("{} takes one to three positive numbers, not {}", option, ticked(text)));
        values.push_back(static_cast<std::uint32_t>(value));
        at = end + 1;
    }
    return values;
}

std::uint64_t Reader::count(std::string_view option, const std::string& text, std::int64_t least,
                            std::int64_t most) {
    if (text.empty()) return 0;
    const std::int64_t value = integer(text);
    if (value < least || value > most)
        fail(fmt::format("{} takes a number from {} to {}, not {}", option, least, most, ticked(text)));
    return static_cast<std::uint64_t>(value);
}

std::uint64_t Reader::milliseconds(std::string_view option, const std::string& text) {
    constexpr double least = 0.001, most = 1e9;
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, problem] = std::from_chars(text.data(), end, seconds);
    const bool fits = problem == std::errc{} && stop == end && seconds >= least && seconds <= most;
    if (!text.empty() && !fits)
        fail(fmt::format("{} takes seconds from {} to {}, not {}", option, least, most, ticked(text)));
    return fits ? static_cast<std::uint64_t>(seconds * 1000) : 0;
}

void Reader::one_of(std::string_view option, const std::string& value,
                    const std::vector<std::string>& allowed) {
    if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
        fail(fmt::format("unknown value {} of {}; it takes {}", ticked(value), option,
                         fmt::join(allowed, ", ")));
}

} // namespace tmemc::cli
