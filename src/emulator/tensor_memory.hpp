// Tensor memory of one CTA: 128 lanes x 512 columns of 32-bit cells, and who has allocated which columns. The
// lanes fall into four slices of 32, one for the warps of each rank modulo 4; a slice is stored column by
// column, its 32 lanes together, with a mask per column of the lanes ever written. Columns are allocated in
// granules of 32. Source: PTX ISA 9.7.16.1 (tensor memory), 9.7.16.7 (allocation). Not here: which accesses
// are allowed and when they take effect (operations_tensor.cpp, hazards.hpp).
#pragma once

#include "emulator/instruction.hpp"
#include "emulator/message.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tmemc::emulator {

inline constexpr int tensor_lanes = 128;
inline constexpr int tensor_columns = 512;
inline constexpr int tensor_slices = 4;
inline constexpr int granule_columns = 32;

/// Columns first .. first + count - 1.
struct Columns {
    int first = 0;
    int count = 0;
    bool operator==(const Columns&) const = default;
};

/// The cells that one half of a message touches; every shape touches a rectangle. An unsplit message has one
/// half.
struct Rectangle {
    int slice = 0;
    int lane = 0; // first, in the slice: 0 or 16
    int lanes = 32;
    Columns columns;

    /// The touched lanes of each column of the slice.
    [[nodiscard]] Mask lane_mask() const { return (lanes == 32 ? all_lanes : 0xffffu) << lane; }
    [[nodiscard]] bool overlaps(const Rectangle& other) const;
    bool operator==(const Rectangle&) const = default;
};

/// Where the halves of a message lie.
struct Footprint {
    std::array<Rectangle, 2> half;
    int halves = 1;
    [[nodiscard]] std::span<const Rectangle> rectangles() const {
        return {half.data(), static_cast<std::size_t>(halves)};
    }
    bool operator==(const Footprint&) const = default;
};

struct TensorCell {
    int lane = 0, column = 0; // lane 0 to 127
    bool operator==(const TensorCell&) const = default;
};

class TensorMemory {
  public:
    TensorMemory();

    /// Allocates the lowest free run of columns; nothing when there is none. `count` is a power of two from
    /// 32 to 512.
    [[nodiscard]] std::optional<int> allocate(int count);
    [[nodiscard]] bool has_room(int count) const { return free_run(count).has_value(); }
    void free(Columns columns);
    [[nodiscard]] int free_columns() const;
    [[nodiscard]] bool allocated(Columns columns) const;
    /// The first column of these that is not allocated.
    [[nodiscard]] int first_unallocated(Columns columns) const;

    /// The first cell of the rectangle that nobody has written.
    [[nodiscard]] std::optional<TensorCell> first_unwritten(const Rectangle& rectangle) const;
    void mark_written(const Rectangle& rectangle);
    /// Cells that no one has written read as zero from now on (--uninit=zero).
    void unwritten_is_zero() { unwritten_is_zero_ = true; }

    /// Cells of a slice, column by column with its 32 lanes together; and marks such a column as written.
    [[nodiscard]] std::span<std::uint32_t> cells(int slice, Columns columns);
    void mark_written(int slice, Columns columns);

    /// Copies between the cells of a message and its registers, `registers[r]` the row of its register r.
    void load(const Message& message, const Footprint& footprint, std::span<Row* const> registers) const;
    void store(const Message& message, const Footprint& footprint, std::span<const Row> registers);

  private:
    [[nodiscard]] std::optional<int> free_run(int count) const;
    [[nodiscard]] std::array<std::uint32_t, 2> origins(const Footprint& footprint) const;
    std::uint32_t granules_ = 0;       // a bit per granule in use
    std::vector<std::uint32_t> cells_; // [slice][column][lane]
    std::array<std::array<Mask, tensor_columns>, tensor_slices> written_{};
    bool unwritten_is_zero_ = false;
};

} // namespace tmemc::emulator
