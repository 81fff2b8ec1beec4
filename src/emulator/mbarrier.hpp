// An mbarrier object: 64 bits of shared memory that count arrivals and bytes. A phase completes when no
// arrival and no byte is pending; then the next one expects the same number of arrivals. PTX leaves the bits
// open; here they are
//
//     pending arrivals (20) | expected arrivals (20) | pending bytes, signed (22) | valid (1) | phase (1)
//
// and the token that an arrival returns is the word as it was before. Source: PTX ISA 9.7.13.15 (mbarrier).
#pragma once

#include <cstdint>
#include <string>

namespace tmemc::emulator {

inline constexpr std::uint32_t most_arrivals = (1u << 20) - 1;

struct Mbarrier {
    std::uint32_t pending = 0, expected = 0;
    std::int32_t bytes = 0;
    bool valid = false, phase = false;
    bool operator==(const Mbarrier&) const = default;
};
[[nodiscard]] std::uint64_t word_of(const Mbarrier& barrier);
[[nodiscard]] Mbarrier mbarrier_of(std::uint64_t word);

/// What arrives; each returns why it is wrong, or nothing.
[[nodiscard]] std::string expect_bytes(Mbarrier& barrier, std::int64_t bytes); // negative: they have come
[[nodiscard]] std::string arrive(Mbarrier& barrier, std::uint32_t count, bool drop, bool may_complete);
/// Begins the next phase when this one is complete.
void complete(Mbarrier& barrier);

} // namespace tmemc::emulator
