// The meaning of each kind of statement.
#include "verify/logical.hpp"

#include <algorithm>
#include <cstring>

namespace tmemc::verify {

using Op = sema::TmemCopy::Op;

std::uint64_t Logical::address(const sema::GlobalCopy& copy, int row, int col) const {
    const auto& tensor = std::get<sema::Tensor>(kernel_.parameters[copy.tensor.object]);
    // A one-dimensional fragment lies along a column of the tensor when the rectangles say so.
    if (copy.tensor.rows != copy.fragment.rows) std::swap(row, col);
    const std::int64_t element = (copy.tensor.row + row) * tensor.pitch + copy.tensor.col + col;
    return tensors_.base(copy.tensor.object) +
           static_cast<std::uint64_t>(element * base::bytes(tensor.dtype));
}

void Logical::before(const sema::TmemCopy& copy, int warpgroup) {
    const sema::Buffer& buffer = kernel_.buffers[copy.buffer.object];
    const sema::Fragment& fragment = kernel_.fragments[copy.fragment.object];
    const layout::CellMap& cells = kernel_.cells(buffer);
    const layout::SlotMap& slots = kernel_.slots(fragment);
    const int base = first_column(buffer);
    int first = emulator::tensor_columns, last = 0;
    for (int r = 0; r < copy.fragment.rows; ++r)
        for (int c = 0; c < copy.fragment.cols; ++c) {
            const std::uint32_t tag = next_tag(slots.bits);
            for (int k = 0; k < slots.copies; ++k) {
                const layout::Slot& slot = slots.at(copy.fragment.row + r, copy.fragment.col + c, k);
                if (copy.op == Op::st)
                    registers_.tag(copy.fragment.object, warpgroup, slot, slots.bits, tag);
                else
                    registers_.expect(copy.fragment.object, warpgroup, slot, slots.bits, tag);
            }
            for (int k = 0; k < cells.copies; ++k) {
                const layout::Cell& cell = cells.at(copy.buffer.row + r, copy.buffer.col + c, k);
                const int column = base + cell.column;
                first = std::min(first, column);
                last = std::max(last, column + 1);
                if (copy.op == Op::st)
                    cells_.expect(cell.lane, column, cell.bit, cells.bits, tag);
                else
                    cells_.tag(cell.lane, column, cell.bit, cells.bits, tag);
            }
        }
    cells_.touch(first, last - first);
    if (copy.op == Op::ld) cells_.mark_written(first, last - first);
}

void Logical::before(const sema::GlobalCopy& copy, int warpgroup) {
    const bool load = copy.op == sema::GlobalCopy::Op::load;
    const layout::SlotMap& slots = kernel_.slots(kernel_.fragments[copy.fragment.object]);
    const auto bytes = static_cast<std::uint32_t>(slots.bits) / 8;
    // A row of the fragment is a row of the tensor, or else (copy.tensor is a column) element by element.
    const int together = copy.tensor.rows == copy.fragment.rows ? copy.fragment.cols : 1;
    for (int r = 0; r < copy.fragment.rows; ++r)
        for (int from = 0; from < copy.fragment.cols; from += together) {
            const std::uint32_t size = bytes * static_cast<std::uint32_t>(together);
            const std::uint64_t where = address(copy, r, from);
            Tensors::Range range = tensors_.at(where, size);
            if (load) {
                std::memset(range.written, 1, size);
                readable_.emplace_back(range.written, size);
            } else {
                bytes_.push_back({where, size});
            }
            for (int c = from; c < from + together; ++c) {
                const std::uint32_t tag = next_tag(slots.bits);
                for (int k = 0; k < slots.copies; ++k) {
                    const layout::Slot& slot = slots.at(copy.fragment.row + r, copy.fragment.col + c, k);
                    if (load)
                        registers_.expect(copy.fragment.object, warpgroup, slot, slots.bits, tag);
                    else
                        registers_.tag(copy.fragment.object, warpgroup, slot, slots.bits, tag);
                }
                std::memcpy(range.expected, &tag, bytes); // the first byte is the lowest, here as there
                if (load) std::memcpy(range.real, &tag, bytes);
                range.expected += bytes;
                range.real += bytes;
            }
        }
}

void Logical::before(const sema::Fill& fill, int warpgroup) {
    const layout::SlotMap& slots = kernel_.slots(kernel_.fragments[fill.fragment.object]);
    for (int r = 0; r < fill.fragment.rows; ++r)
        for (int c = 0; c < fill.fragment.cols; ++c)
            for (int k = 0; k < slots.copies; ++k)
                registers_.expect(fill.fragment.object, warpgroup,
                                  slots.at(fill.fragment.row + r, fill.fragment.col + c, k), slots.bits,
                                  fill.bits);
}

void Logical::before(const sema::Statement& statement, int warpgroup) {
    registers_.forget_touched();
    cells_.forget_touched();
    bytes_.clear();
    for (const auto& [written, size] : readable_) std::memset(written, 0, size);
    readable_.clear();
    std::visit([&](const auto& what) { before(what, warpgroup); }, statement.what);
}

void Logical::touched(const emulator::Log& log) {
    for (const emulator::Log::Cells& each : log.cells)
        if (each.store) cells_.touch(each.where.columns.first, each.where.columns.count);
    bytes_.insert(bytes_.end(), log.bytes.begin(), log.bytes.end());
}

void Logical::settle(const sema::Statement& statement) {
    const auto* copy = std::get_if<sema::TmemCopy>(&statement.what);
    if (copy == nullptr || copy->op != Op::st) return;
    const sema::Buffer& buffer = kernel_.buffers[copy->buffer.object];
    if (!kernel_.buffer_images[buffer.image].unpacked) return;
    const layout::CellMap& cells = kernel_.cells(buffer);
    for (int r = 0; r < copy->buffer.rows; ++r)
        for (int c = 0; c < copy->buffer.cols; ++c)
            for (int k = 0; k < cells.copies; ++k) {
                const layout::Cell& cell = cells.at(copy->buffer.row + r, copy->buffer.col + c, k);
                cells_.any_upper_half(cell.lane, first_column(buffer) + cell.column);
            }
}

std::optional<Mismatch> Logical::mismatch(const sema::Statement& statement, int warpgroup) {
    settle(statement);
    if (const auto wrong = registers_.compare(warpgroup)) return wrong_register(statement, *wrong);
    if (const auto wrong = cells_.compare()) return wrong_cell(statement, *wrong);
    for (const emulator::Log::Bytes& each : bytes_)
        if (auto wrong = wrong_byte(each.address, each.bytes)) return wrong;
    return std::nullopt;
}

} // namespace tmemc::verify
