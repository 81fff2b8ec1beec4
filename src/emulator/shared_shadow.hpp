// Who touched the bytes of shared memory last. A granule is as large as the smallest access so far; when a
// finer one comes every granule is split in copies. Of each granule: its last write, the last read behind it,
// and a crowd when several warps have read it, or written it atomically, unordered with each other.
//
//     warp 0: atom [A]; warp 1: atom [A]; warp 2: ld [A]       the load must be ordered behind both
//
// Clocks never run backwards, so that nothing has to be cleared between two CTAs. Not here: what makes two
// touches ordered (knowledge.hpp).
#pragma once

#include "emulator/knowledge.hpp"

#include <optional>
#include <vector>

namespace tmemc::emulator {

/// Strong ones (volatile, relaxed and up, atomics, which count as stores) may meet each other.
enum class SharedOperation : std::uint8_t { load, store, strong_load, strong_store };

/// One access of a warp. Clock 0: none.
struct Touch {
    std::uint32_t clock = 0;
    std::uint32_t warp : 5, strong : 1, instruction : 26;
    Touch() : warp(0), strong(0), instruction(0) {}
    Touch(std::uint32_t at, std::uint32_t by, bool is_strong, std::uint32_t number)
        : clock(at), warp(by & 31U), strong(is_strong ? 1U : 0U), instruction(number & 0x3ffffffU) {}
};

struct SharedConflict {
    Touch earlier;
    bool earlier_writes = false;
};

class SharedShadow {
  public:
    /// Forgets everything; for so many bytes.
    void reset(std::size_t bytes);
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// An access of `bytes` bytes at `offset`, which is aligned to them; what it conflicts with.
    [[nodiscard]] std::optional<SharedConflict> touch(std::uint64_t offset, std::uint32_t bytes,
                                                      SharedOperation operation, const Knowledge& who,
                                                      std::uint32_t instruction);

  private:
    struct Granule {
        Touch write, read;
        std::uint32_t crowd = 0; // in crowds_, plus 1
    };
    struct Crowd {
        std::array<Touch, most_warps> reads, strong_writes;
    };
    using Found = std::optional<SharedConflict>;

    void split(std::uint32_t bytes);
    Crowd& crowd(Granule& granule);
    void disperse(Granule& granule);
    [[nodiscard]] Found crowd_conflict(const Granule& granule, const Knowledge& who, bool reads,
                                       bool strong_writes) const;
    [[nodiscard]] Found conflict(const Granule& granule, SharedOperation operation,
                                 const Knowledge& who) const;
    void note(Granule& granule, SharedOperation operation, const Knowledge& who, std::uint32_t instruction);

    std::size_t bytes_ = 0;
    unsigned shift_ = 4; // a granule has 1 << shift_ bytes
    std::vector<Granule> granules_;
    std::vector<Crowd> crowds_;
    std::vector<std::uint32_t> free_crowds_;
};

} // namespace tmemc::emulator
