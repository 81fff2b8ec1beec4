// UTF-8, one code point at a time. Text that is not UTF-8 is no reason to stop: each byte that starts no
// well-formed sequence (a stray continuation byte, an overlong form, a surrogate, half a sequence) counts as
// one code point of its own, U+FFFD. So "a\xffé" has three code points, of 1, 1 and 2 bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace tmemc::base {

struct CodePoint {
    char32_t value = 0;
    std::size_t bytes = 0; // 0: `text` was empty
    bool valid = true;     // false: the byte is no UTF-8, `value` is U+FFFD
    bool operator==(const CodePoint&) const = default;
};

/// The code point that `text` begins with.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

} // namespace tmemc::base
