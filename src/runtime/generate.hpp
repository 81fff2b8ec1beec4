// Values for a tensor by name: what `A = random(seed: 1);` in a test and `A=random:1` on the command line
// mean. The same generator gives the same bits on every machine.
//
//     iota    the row-major index i: i as a number in 32 bits, below that the bit pattern i mod 2^bits
//     random  uniform in [-1, 1), or over the whole range of an integer or raw dtype
//     zeros, ones, full(v)
//     cells   1000 * row + column, so that a value names its place; a tensor of one dimension is row 0
//
// Not here: .npy files (npy.hpp), the spelling on the command line (spec.hpp).
#pragma once

#include "base/dtype.hpp"
#include "runtime/array.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tmemc::runtime {

struct Generator {
    enum class Kind : std::uint8_t { iota, random, zeros, ones, full, cells };
    Kind kind{};
    std::uint64_t seed = 0;                     // random
    std::variant<std::int64_t, double> value{}; // full
    bool operator==(const Generator&) const = default;
};

[[nodiscard]] std::optional<Generator::Kind> generator_named(std::string_view name);
[[nodiscard]] std::vector<std::string> generator_names();

/// The array, or one sentence that says why not (`cells` of a dtype that cannot hold the numbers exactly,
/// `full` of an integer dtype with a fraction).
[[nodiscard]] std::variant<Array, std::string> generate(const Generator& generator, base::Dtype dtype,
                                                        const std::vector<std::int64_t>& shape);

} // namespace tmemc::runtime
