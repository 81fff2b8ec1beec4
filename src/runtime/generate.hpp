// Values for a tensor by name: what `A = random(seed: 1);` in a test and `A=random:1` on the command line mean. The
// same generator gives the same bits on every machine. Not here: reading .npy files from disk (the caller has a way).
#pragma once

#include "base/dtype.hpp"
#include "runtime/array.hpp"

#include <cstdint>
#include <string>
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

/// The array, or one sentence that says why not (`cells` of a dtype that cannot hold the numbers exactly).
[[nodiscard]] std::variant<Array, std::string> generate(const Generator& generator, base::Dtype dtype,
                                                        const std::vector<std::int64_t>& shape);

} // namespace tmemc::runtime
