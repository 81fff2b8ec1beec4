// Elements are little-endian, as on the GPU and in .npy files, whatever the host's own order is.
#include "runtime/array.hpp"

#include "base/invariant.hpp"

#include <fmt/format.h>

#include <utility>

namespace tmemc::runtime {

namespace {

std::int64_t product(const std::vector<std::int64_t>& shape) {
    std::int64_t result = 1;
    for (const std::int64_t extent : shape) result *= extent;
    return result;
}

std::size_t first_byte(const Array& array, std::int64_t index) {
    const std::size_t at =
        static_cast<std::size_t>(index) * static_cast<std::size_t>(base::bytes(array.dtype));
    base::invariant(index >= 0 && at < array.bytes.size(), "an element outside its array");
    return at;
}

} // namespace

std::int64_t Array::elements() const { return product(shape); }

std::uint32_t Array::get(std::int64_t index) const {
    const std::size_t at = first_byte(*this, index);
    std::uint32_t bits = 0;
    for (int i = base::bytes(dtype); i-- > 0;) {
        bits = bits << 8 | std::to_integer<std::uint32_t>(bytes[at + static_cast<std::size_t>(i)]);
    }
    return bits;
}

void Array::set(std::int64_t index, std::uint32_t bits) {
    const std::size_t at = first_byte(*this, index);
    for (int i = 0; i < base::bytes(dtype); ++i) {
        bytes[at + static_cast<std::size_t>(i)] = static_cast<std::byte>(bits >> (8 * i));
    }
}

Array make_array(base::Dtype dtype, std::vector<std::int64_t> shape) {
    const auto size = static_cast<std::size_t>(product(shape) * base::bytes(dtype));
    return {dtype, std::move(shape), std::vector<std::byte>(size)};
}

std::string to_string(base::Dtype dtype, const std::vector<std::int64_t>& shape) {
    if (shape.empty()) return std::string(base::name(dtype));
    return fmt::format("{}[{}]", base::name(dtype), fmt::join(shape, ", "));
}

} // namespace tmemc::runtime
