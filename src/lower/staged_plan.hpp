// The accesses of a staged copy. Two maps meet in a warp's part of shared memory (staged_layout.hpp): the
// fragment's own, and that of the walk, in which the lanes of a warp stand side by side in memory. So a
// staged load is a direct load of the walk's registers, a store of these to shared memory, and a load of the
// fragment's from there; a staged store goes the other way:
//
//     copy X <- A staged, f32[128, 64], rows per thread, 16 bytes a lane:
//       walk: step k, lane l    row 2*k + l/16, columns 4*(l%16) to + 3      registers 4*k to 4*k + 3
//       X:    register 4*i..    row l, columns 4*i to + 3
//
// The columns are cut into windows, powers of two of at most 256 bytes a row (64 columns of f32, which is
// where the measured bandwidth levels out), and less where shared memory is short. Windows that fit into a
// warp's part side by side are one round, with one barrier of the warp between its writes and its reads. The
// bytes of a lane in the walk are 16 where the rows of memory are so aligned, else as many as are. Since a
// warp's walk covers what its own lanes hold and nothing else, warps need not know of each other.
#pragma once

#include "lower/global_access.hpp"
#include "lower/staged_layout.hpp"

#include <array>
#include <vector>

namespace tmemc::lower {

/// What one side of a piece contributes to the address, by the bits of the thread number.
using StagedBits = std::array<XorBytes, thread_bits>;

/// Accesses to shared memory; `offset` is joined to the bits by exclusive or.
struct StagedGroup {
    StagedBits bits{};
    std::vector<Access> accesses;
    bool operator==(const StagedGroup&) const = default;
};
/// A window of the copy.
struct StagedPiece {
    std::vector<StagedGroup> fragment;       // by the fragment's registers
    std::vector<AccessGroup> walk;           // to global memory, by the walk's registers
    StagedBits walk_bits{};                  // to shared memory: of all the walk's accesses,
    std::vector<std::uint32_t> walk_offsets; // and of the one that begins with this register
    bool operator==(const StagedPiece&) const = default;
};
struct StagedPlan {
    std::vector<std::vector<StagedPiece>> rounds;
    int bytes = 0; // of a warp's part
    bool operator==(const StagedPlan&) const = default;
};

/// `most_bytes` of shared memory for each warp; what the tiles and the slots count agrees with the direction.
[[nodiscard]] StagedPlan plan_staged(const sema::GlobalCopy& copy, const sema::Tensor& tensor,
                                     const layout::SlotMap& slots, const WarpTiles& tiles, int most_bytes);

} // namespace tmemc::lower
