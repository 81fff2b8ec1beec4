// The arithmetic of mbarrier objects.
#include "emulator/mbarrier.hpp"

#include <fmt/format.h>

namespace tmemc::emulator {

std::uint64_t word_of(const Mbarrier& barrier) {
    const std::uint64_t bytes = static_cast<std::uint32_t>(barrier.bytes) & 0x3fffff;
    return std::uint64_t{barrier.pending} | std::uint64_t{barrier.expected} << 20 | bytes << 40 |
           std::uint64_t{barrier.valid} << 62 | std::uint64_t{barrier.phase} << 63;
}

Mbarrier mbarrier_of(std::uint64_t word) {
    Mbarrier barrier;
    barrier.pending = word & most_arrivals;
    barrier.expected = word >> 20 & most_arrivals;
    const auto bytes = static_cast<std::int32_t>(word >> 40 & 0x3fffff);
    barrier.bytes = bytes >= 1 << 21 ? bytes - (1 << 22) : bytes;
    barrier.valid = (word >> 62 & 1) != 0;
    barrier.phase = (word >> 63 & 1) != 0;
    return barrier;
}

std::string expect_bytes(Mbarrier& barrier, std::int64_t bytes) {
    const std::int64_t sum = barrier.bytes + bytes;
    if (sum > most_arrivals || sum < -std::int64_t{most_arrivals})
        return fmt::format("{} bytes would be pending, and at most {} may be", sum, most_arrivals);
    barrier.bytes = static_cast<std::int32_t>(sum);
    return {};
}

std::string arrive(Mbarrier& barrier, std::uint32_t count, bool drop, bool may_complete) {
    if (count == 0 || count > most_arrivals)
        return fmt::format("{} arrivals at once; there are 1 to {}", count, most_arrivals);
    if (count > barrier.pending)
        return fmt::format("{} arrive where {} of {} are pending", count, barrier.pending, barrier.expected);
    barrier.pending -= count;
    if (drop) barrier.expected -= count;
    if (!may_complete && barrier.pending == 0) return "an arrival with .noComplete is the last of its phase";
    complete(barrier);
    return {};
}

void complete(Mbarrier& barrier) {
    if (barrier.pending != 0 || barrier.bytes != 0) return;
    barrier.phase = !barrier.phase;
    barrier.pending = barrier.expected;
}

} // namespace tmemc::emulator
