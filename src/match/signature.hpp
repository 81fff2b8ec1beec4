// The shape of a register. The 32 cells that one register of one warp meets are a signature: in every shape
// the cells of the threads stand in a fixed pattern around the cell of thread 0, so one comparison per shape
// tells which it is.
//
//     thread            0       1       2       3       4          (lane, column), seen from thread 0
//     32x32b          (0, 0)  (1, 0)  (2, 0)  (3, 0)  (4, 0)
//     16x256b         (0, 0)  (0, 2)  (0, 4)  (0, 6)  (1, 0)
//
// The patterns come from the shape rows of the atlas. The registers of a tile have the same pattern at other
// places; which of them this one is, its neighbours decide (tiles.hpp). In a split shape (16x32bx2) threads
// 0..15 and 16..31 each have a pattern of their own and may start anywhere, though not on the same cells. No
// two rows have a pattern in common, but threads 0..31 in one column also look like two halves 16 lanes
// apart: the earlier row wins.
#pragma once

#include "match/words.hpp"

#include <span>

namespace tmemc::match {

/// What a register is: a shape, and where thread 0 of it stands.
struct Signature {
    const atlas::ShapeRow* row = nullptr;
    atlas::Step first; // cell of thread 0, its lane counted inside the warp's 32
    /// Of a split shape: from thread 0's cell to thread 16's, in address units (lanes << 16).
    int half_split = 0;
};

/// Why a register is not of a shape.
struct Misfit {
    enum class Why : std::uint8_t {
        start,      // `thread` stands in a lane in which no register of the shape has it
        pattern,    // `thread` should meet `expected`
        same_cells, // both halves of a split shape are the same cells
        reach,      // `thread` meets a lane that its warp does not reach
    };
    Why why{};
    int thread = 0;       // in the warp
    atlas::Step expected; // lane of the CTA
};

/// The shape rows with their patterns written out.
class Signatures {
  public:
    explicit Signatures(std::span<const atlas::ShapeRow> rows);

    /// The first row that `cells` is a register of, or none.
    [[nodiscard]] std::optional<Signature> find(const RegisterCells& cells) const;
    /// Compares with one row.
    [[nodiscard]] std::variant<Signature, Misfit> compare(const RegisterCells& cells, std::size_t row) const;
    [[nodiscard]] std::span<const atlas::ShapeRow> rows() const { return rows_; }

  private:
    std::span<const atlas::ShapeRow> rows_;
    std::vector<std::array<atlas::Step, 32>> patterns_; // parallel to rows_: each thread seen from thread 0
};

/// Cells from one register of a packing message to the next column's: it takes two for each.
[[nodiscard]] constexpr int column_factor(bool pack) { return pack ? 2 : 1; }

} // namespace tmemc::match
