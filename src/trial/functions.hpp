// The functions of section "Arithmetic on fragments" of the language, as the host computes them for an
// expectation: in double, or in 64-bit integers when every argument is one and the function keeps integers
// (min, max, abs, fma, relu). Integers wrap. Not here: cast, select, rows and cols, whose meaning is not a
// function of numbers (evaluate.cpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::trial {

struct HostFunction {
    std::string_view name;
    std::size_t arity = 1;
    double (*real)(const double* arguments) = nullptr;
    std::int64_t (*integer)(const std::int64_t* arguments) = nullptr; // null: integers become doubles
};

/// Null when there is none of that name.
[[nodiscard]] const HostFunction* host_function(std::string_view name);
/// row_max, row_min, row_sum: the function of two that folds a row. Null when there is none of that name.
[[nodiscard]] const HostFunction* row_reduction(std::string_view name);
/// What a call in an expectation may name, reductions included.
[[nodiscard]] std::vector<std::string> host_function_names();

/// Integer arithmetic modulo 2^64.
[[nodiscard]] std::int64_t wrapping_add(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b);
[[nodiscard]] std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b);

} // namespace tmemc::trial
