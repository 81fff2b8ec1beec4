// min and max are PTX's: a NaN gives way to the other side, and -0 is below +0, which std::fmin leaves open.
#include "trial/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tmemc::trial {

namespace {

double real_min(const double* x) {
    if (x[0] == x[1]) return std::signbit(x[0]) ? x[0] : x[1];
    return std::fmin(x[0], x[1]);
}
double real_max(const double* x) {
    if (x[0] == x[1]) return std::signbit(x[0]) ? x[1] : x[0];
    return std::fmax(x[0], x[1]);
}

constexpr auto functions = std::to_array<HostFunction>({
    {"min", 2, real_min, [](const std::int64_t* x) { return std::min(x[0], x[1]); }},
    {"max", 2, real_max, [](const std::int64_t* x) { return std::max(x[0], x[1]); }},
    {"abs", 1, [](const double* x) { return std::fabs(x[0]); },
     [](const std::int64_t* x) { return x[0] < 0 ? wrapping_subtract(0, x[0]) : x[0]; }},
    {"fma", 3, [](const double* x) { return std::fma(x[0], x[1], x[2]); },
     [](const std::int64_t* x) { return wrapping_add(wrapping_multiply(x[0], x[1]), x[2]); }},
    {"exp2", 1, [](const double* x) { return std::exp2(x[0]); }},
    {"log2", 1, [](const double* x) { return std::log2(x[0]); }},
    {"rcp", 1, [](const double* x) { return 1 / x[0]; }},
    {"rsqrt", 1, [](const double* x) { return 1 / std::sqrt(x[0]); }},
    {"sqrt", 1, [](const double* x) { return std::sqrt(x[0]); }},
    {"tanh", 1, [](const double* x) { return std::tanh(x[0]); }},
    {"relu", 1,
     [](const double* x) {
         const std::array with_zero{x[0], 0.0};
         return real_max(with_zero.data());
     },
     [](const std::int64_t* x) { return std::max<std::int64_t>(x[0], 0); }},
});

constexpr HostFunction sum{"sum", 2, [](const double* x) { return x[0] + x[1]; },
                           [](const std::int64_t* x) { return wrapping_add(x[0], x[1]); }};

struct Reduction {
    std::string_view name;
    const HostFunction* fold;
};
constexpr auto reductions =
    std::to_array<Reduction>({{"row_max", &functions[1]}, {"row_min", &functions[0]}, {"row_sum", &sum}});

} // namespace

const HostFunction* host_function(std::string_view name) {
    for (const HostFunction& function : functions) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

const HostFunction* row_reduction(std::string_view name) {
    for (const Reduction& reduction : reductions) {
        if (reduction.name == name) return reduction.fold;
    }
    return nullptr;
}

std::vector<std::string> host_function_names() {
    std::vector<std::string> names{"cols", "rows"};
    for (const HostFunction& function : functions) names.emplace_back(function.name);
    for (const Reduction& reduction : reductions) names.emplace_back(reduction.name);
    return names;
}

std::int64_t wrapping_add(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_subtract(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}
std::int64_t wrapping_multiply(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

} // namespace tmemc::trial
