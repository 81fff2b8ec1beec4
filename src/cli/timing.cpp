// Medians, and two ways to write them.
#include "cli/timing.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::cli {
namespace {

struct Spread {
    double median = 0, least = 0, most = 0;
};

Spread spread(std::vector<double> seconds) {
    if (seconds.empty()) return {};
    std::sort(seconds.begin(), seconds.end());
    const std::size_t middle = seconds.size() / 2;
    const double median =
        seconds.size() % 2 == 1 ? seconds[middle] : (seconds[middle - 1] + seconds[middle]) / 2;
    return {median, seconds.front(), seconds.back()};
}

double rate(const Spread& spread, std::uint64_t bytes) {
    return spread.median > 0 ? static_cast<double>(bytes) / spread.median : 0;
}

std::string line(std::string_view what, const Spread& seconds, std::uint64_t bytes) {
    return fmt::format("  {} cache: median {:.6f} s, {:.6f} to {:.6f} s, {:.1f} GB/s\n", what, seconds.median,
                       seconds.least, seconds.most, rate(seconds, bytes) / 1e9);
}

std::string member(const Spread& seconds, std::uint64_t bytes) {
    return fmt::format(R"({{"median_s": {:.9f}, "min_s": {:.9f}, "max_s": {:.9f}, "bytes_per_s": {:.0f}}})",
                       seconds.median, seconds.least, seconds.most, rate(seconds, bytes));
}

} // namespace

std::uint64_t traffic(const runtime::Signature& signature, bool directions_unknown) {
    std::uint64_t bytes = 0;
    for (const runtime::Formal& formal : signature.formals) {
        if (formal.is_scalar()) continue;
        std::uint64_t size = static_cast<std::uint64_t>(base::bytes(formal.dtype));
        for (const std::int64_t extent : formal.shape) size *= static_cast<std::uint64_t>(extent);
        const bool twice = formal.in && formal.out && !directions_unknown;
        bytes += twice ? 2 * size : size;
    }
    return bytes;
}

std::string timing_text(const Measured& measured) {
    return fmt::format("{} on {} (CUDA {}), {} launches, {} bytes\n", measured.kernel, measured.gpu.name,
                       runtime::cuda_version_text(measured.driver), measured.repeats, measured.bytes) +
           line("cold", spread(measured.timing.cold), measured.bytes) +
           line("warm", spread(measured.timing.warm), measured.bytes);
}

std::string timing_json(const Measured& measured) {
    return fmt::format(
        R"({{"schema": 1, "kernel": "{}", "device": "{}", "driver": "{}", "repeats": {}, "bytes": {},
 "cold": {},
 "warm": {}}}
)",
        measured.kernel, measured.gpu.name, runtime::cuda_version_text(measured.driver), measured.repeats,
        measured.bytes, member(spread(measured.timing.cold), measured.bytes),
        member(spread(measured.timing.warm), measured.bytes));
}

} // namespace tmemc::cli
