// Plain look-ups.
#include "match/copy_of.hpp"

#include <algorithm>

namespace tmemc::match {

Copy copy_of(const sema::Kernel& kernel, const sema::TmemCopy& copy) {
    const sema::Fragment& fragment = kernel.fragments[copy.fragment.object];
    const sema::Buffer& buffer = kernel.buffers[copy.buffer.object];
    return {kernel.slots(fragment),
            kernel.cells(buffer),
            {copy.fragment.row, copy.fragment.col},
            {copy.buffer.row, copy.buffer.col},
            std::min(copy.fragment.rows, copy.buffer.rows),
            std::min(copy.fragment.cols, copy.buffer.cols),
            copy.op == sema::TmemCopy::Op::st,
            kernel.buffer_images[buffer.image].unpacked,
            kernel.groups[buffer.group].fixed.value_or(0) + buffer.offset};
}

CopyKey key_of(const sema::Kernel& kernel, const sema::TmemCopy& statement) {
    const Copy copy = copy_of(kernel, statement);
    return {kernel.fragments[statement.fragment.object].image,
            kernel.buffers[statement.buffer.object].image,
            copy.in_slots.row,
            copy.in_slots.col,
            copy.in_cells.row,
            copy.in_cells.col,
            copy.rows,
            copy.cols,
            copy.store,
            copy.base % 2 != 0};
}

} // namespace tmemc::match
