// NumPy's .npy files, version 1.0 to 3.0, little-endian: a magic, a header that is a Python dict, the bytes.
// Files in Fortran order are read into C order; written are version 1.0 and C order, byte for byte as
// numpy.save does. bf16 and the 8-bit floats travel as unsigned integers of their size (or the V2, V1
// that NumPy extensions write). Source: numpy.lib.format.
#pragma once

#include "runtime/array.hpp"
#include "runtime/npy_header.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tmemc::runtime {

/// What a file holds: the descriptor as written ("<f2"), the shape, the bytes.
struct NpyFile {
    std::string descr;
    std::vector<std::int64_t> shape;
    std::vector<std::byte> bytes; // C order
};
/// Magic, version, length and header take no more than this: NumPy writes longer ones of records only.
inline constexpr std::size_t npy_start_bytes = 12 + 65536;
/// What the file says it holds, without a look at its data, or one sentence that says what is wrong.
[[nodiscard]] std::variant<NpyHeader, std::string> read_npy_start(std::string_view contents);
/// The file, or one sentence that says what is wrong with it.
[[nodiscard]] std::variant<NpyFile, std::string> read_npy(std::string_view contents);
[[nodiscard]] std::string write_npy(const Array& array);
/// True when a file of descriptor `descr` may hold elements of `dtype`.
[[nodiscard]] bool npy_fits(std::string_view descr, base::Dtype dtype);
/// What a file holds in the words of the language: "f32[128, 4]", or the descriptor itself where those have
/// none.
[[nodiscard]] std::string npy_text(std::string_view descr, const std::vector<std::int64_t>& shape);

} // namespace tmemc::runtime
