// Copies that cp.async has begun and that have not taken effect. They land as late as they may, in the order
// in which they were begun: at the wait for their group or, when an mbarrier tracks them, at the first wait
// on an mbarrier that would otherwise fail. Their sources are read then, too.
//
//     cp.async 4 bytes; cp.async.commit_group;   pending, group 0      cp.async.wait_group 0;   lands
//
// A thread has two rows of groups, one of cp.async and one of cp.async.bulk. Source: PTX ISA 9.7.9.25 (data
// movement, asynchronous copy).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tmemc::emulator {

struct Instruction;

/// The decoded operands of a copy; Instruction::detail is its number in Kernel::copies. in[0] and in[1] are
/// where it goes and comes from, in[2] a size or a predicate, in[3] an mbarrier.
struct CopyForm {
    struct Place {
        bool wide = false; // of the register
        std::int64_t offset = 0;
    };
    std::array<Place, 4> places{};
    std::uint32_t bytes = 0;
    bool sized = false;     // in[2] says how many bytes are read
    bool predicate = false; // or whether none is
    bool tracked = false;   // by an mbarrier
};

struct AsyncCopy {
    std::uint32_t lane = 0;   // whose it is
    std::uint64_t number = 0; // in the order in which the warp began them
    bool bulk = false;
    std::uint32_t group = 0;
    std::byte* to = nullptr;
    std::uint8_t* to_marks = nullptr;
    const std::byte* from = nullptr;
    const std::uint8_t* from_marks = nullptr; // null: all written
    std::uint32_t bytes = 0, read = 0;        // the rest becomes zero
    std::optional<std::uint64_t> mbarrier;    // offset in shared memory: `bytes` of its have come
};
/// An arrival when all copies of the lane that were begun before it have landed.
struct AsyncArrival {
    std::uint32_t lane = 0;
    std::uint64_t mbarrier = 0; // offset in shared memory
    const Instruction* instruction = nullptr;
    std::uint64_t before = 0; // copies of the warp that were begun
};
struct AsyncCopies { // of a warp
    std::vector<AsyncCopy> pending;
    std::vector<AsyncArrival> arrivals;
    std::uint64_t begun = 0;                              // copies
    std::array<std::array<std::uint32_t, 32>, 2> group{}; // that copies join now; [1]: of bulk copies
};

struct Cta;
/// Lands what the CTA's mbarriers wait for; false when there was nothing.
[[nodiscard]] bool land_tracked(Cta& cta);

} // namespace tmemc::emulator
