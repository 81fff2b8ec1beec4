// SHA-256, by which two files are known to be the same: the manifest names its cubin so. Source: FIPS 180-4.
// The message, a 1 bit, zeros and its length in bits make blocks of 64 bytes, and each block stirs eight
// words:
//
//     sha256("abc") = ba7816bf 8f01cfea 414140de 5dae2223 b00361a3 96177a9c b410ff61 f20015ad
#pragma once

#include <string>
#include <string_view>

namespace tmemc::base {

/// 64 lower-case hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

} // namespace tmemc::base
