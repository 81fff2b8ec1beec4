// Cells, allocation and the copying loops of tensor memory.
#include "emulator/tensor_memory.hpp"

#include <algorithm>
#include <bit>

namespace tmemc::emulator {

namespace {

constexpr std::size_t next_column = 32; // cells from one column of a slice to the next

std::uint32_t granule_mask(Columns columns) {
    int first = columns.first / granule_columns;
    int last = (columns.first + columns.count - 1) / granule_columns;
    return ((2u << (last - first)) - 1) << first;
}

std::size_t cell_index(int slice, int lane, int column) {
    const int column_of_slice = slice * tensor_columns + column;
    return static_cast<std::size_t>(column_of_slice) * next_column + static_cast<std::size_t>(lane);
}

} // namespace

bool Rectangle::overlaps(const Rectangle& other) const {
    return slice == other.slice && (lane_mask() & other.lane_mask()) != 0 &&
           columns.first < other.columns.first + other.columns.count &&
           other.columns.first < columns.first + columns.count;
}

TensorMemory::TensorMemory() : cells_(cell_index(tensor_slices, 0, 0)) {}

std::optional<int> TensorMemory::free_run(int count) const {
    for (int first = 0; first + count <= tensor_columns; first += granule_columns) {
        if ((granules_ & granule_mask({first, count})) == 0) return first;
    }
    return std::nullopt;
}

std::optional<int> TensorMemory::allocate(int count) {
    const auto first = free_run(count);
    if (!first) return std::nullopt;
    granules_ |= granule_mask({*first, count});
    for (int slice = 0; slice < tensor_slices; ++slice) {
        std::fill_n(written_[static_cast<std::size_t>(slice)].begin() + *first, count, 0u);
        if (!unwritten_is_zero_) continue;
        const auto cells = cells_.begin() + static_cast<std::ptrdiff_t>(cell_index(slice, 0, *first));
        std::fill_n(cells, count * 32, 0u);
    }
    return first;
}

void TensorMemory::free(Columns columns) { granules_ &= ~granule_mask(columns); }

int TensorMemory::free_columns() const { return tensor_columns - granule_columns * std::popcount(granules_); }

bool TensorMemory::allocated(Columns columns) const { return (granule_mask(columns) & ~granules_) == 0; }

int TensorMemory::first_unallocated(Columns columns) const {
    int granule = std::countr_zero(granule_mask(columns) & ~granules_);
    return std::max(columns.first, granule * granule_columns);
}

std::optional<TensorCell> TensorMemory::first_unwritten(const Rectangle& rectangle) const {
    if (unwritten_is_zero_) return std::nullopt;
    const auto& written = written_[static_cast<std::size_t>(rectangle.slice)];
    const Mask lanes = rectangle.lane_mask();
    for (int column = rectangle.columns.first; column < rectangle.columns.first + rectangle.columns.count;
         ++column) {
        const Mask missing = lanes & ~written[static_cast<std::size_t>(column)];
        if (missing != 0) return TensorCell{rectangle.slice * 32 + std::countr_zero(missing), column};
    }
    return std::nullopt;
}

void TensorMemory::mark_written(const Rectangle& rectangle) {
    auto& written = written_[static_cast<std::size_t>(rectangle.slice)];
    const auto first = static_cast<std::size_t>(rectangle.columns.first);
    for (std::size_t column = 0; column < static_cast<std::size_t>(rectangle.columns.count); ++column) {
        written[first + column] |= rectangle.lane_mask();
    }
}

std::span<std::uint32_t> TensorMemory::cells(int slice, Columns columns) {
    return {cells_.data() + cell_index(slice, 0, columns.first),
            static_cast<std::size_t>(columns.count) * 32};
}

void TensorMemory::mark_written(int slice, Columns columns) {
    mark_written(Rectangle{slice, 0, 32, columns});
}

// The cell at which the threads 0 to 15 and 16 to 31 start.
std::array<std::uint32_t, 2> TensorMemory::origins(const Footprint& footprint) const {
    const Rectangle& low = footprint.half[0];
    const Rectangle& high = footprint.half[static_cast<std::size_t>(footprint.halves - 1)];
    return {static_cast<std::uint32_t>(cell_index(low.slice, low.lane, low.columns.first)),
            static_cast<std::uint32_t>(cell_index(high.slice, high.lane, high.columns.first))};
}

void TensorMemory::load(const Message& message, const Footprint& footprint,
                        std::span<Row* const> registers) const {
    const auto origin = origins(footprint);
    const auto tile_registers = static_cast<std::size_t>(message.shape->registers);
    const auto step = static_cast<std::size_t>(message.tile_step());
    for (std::size_t r = 0; r < registers.size(); ++r) {
        const auto& cell = message.cell[r % tile_registers];
        const std::uint32_t* cells = cells_.data() + r / tile_registers * step;
        auto& word = registers[r]->word;
        if (message.in_order) {
            std::copy_n(cells + origin[0], warp_size, word.begin());
            continue;
        }
        for (std::size_t thread = 0; thread < warp_size; ++thread) {
            const std::uint32_t* at = cells + origin[thread / 16] + cell[thread];
            word[thread] = message.packed ? (at[0] & 0xffff) | at[next_column] << 16 : at[0];
        }
    }
}

void TensorMemory::store(const Message& message, const Footprint& footprint, std::span<const Row> registers) {
    const auto origin = origins(footprint);
    const auto tile_registers = static_cast<std::size_t>(message.shape->registers);
    const auto step = static_cast<std::size_t>(message.tile_step());
    for (std::size_t r = 0; r < registers.size(); ++r) {
        const auto& cell = message.cell[r % tile_registers];
        std::uint32_t* cells = cells_.data() + r / tile_registers * step;
        const auto& word = registers[r].word;
        if (message.in_order) {
            std::copy_n(word.begin(), warp_size, cells + origin[0]);
            continue;
        }
        for (std::size_t thread = 0; thread < warp_size; ++thread) {
            std::uint32_t* at = cells + origin[thread / 16] + cell[thread];
            at[0] = message.packed ? word[thread] & 0xffff : word[thread];
            if (message.packed)
                at[next_column] = word[thread] >> 16; // the upper halves are unspecified: zero here
        }
    }
}

} // namespace tmemc::emulator
