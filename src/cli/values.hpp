// Values of options as numbers, pairs and words. A Reader keeps the first complaint; whoever asked shows it
// and stops, so the rest need not be right.
//
//     Reader reader;
//     reader.integer("0b100_0000");         // 64
//     reader.count("--repeat", "0", 1, 9);  // reader.error(): "--repeat takes a number from 1 to 9, not `0`"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmemc::cli {

/// The text in backticks.
[[nodiscard]] std::string ticked(std::string_view text);

class Reader {
  public:
    [[nodiscard]] const std::string& error() const { return error_; }
    void fail(std::string what);
    /// "NAME=VALUE" in two; `form` is what it should look like.
    std::pair<std::string, std::string> pair(const std::string& text, std::string_view form);
    /// An integer as the language writes it: decimal, 0x or 0b, with _ between digits.
    std::int64_t integer(const std::string& text);
    /// "4" or "4,2,1", each at least 1.
    std::vector<std::uint32_t> dimensions(std::string_view option, const std::string& text);
    /// A number in the range; 0 when it is not given.
    std::uint64_t count(std::string_view option, const std::string& text, std::int64_t least,
                        std::int64_t most);
    /// Seconds as milliseconds; 0 when it is not given.
    std::uint64_t milliseconds(std::string_view option, const std::string& text);
    /// One of `allowed`, or a complaint that lists them.
    void one_of(std::string_view option, const std::string& value, const std::vector<std::string>& allowed);

  private:
    std::string error_;
};

} // namespace tmemc::cli
