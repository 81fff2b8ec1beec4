// A place that is wrong, in the program's terms; and the sentence about it.
#include "verify/logical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tmemc::verify {
namespace {

/// The element of a region for which `is_there(place)` holds.
template <class Map, class IsThere>
std::optional<Element> element_at(const Map& map, const sema::Region& region, IsThere is_there) {
    for (int r = region.row; r < region.row + region.rows; ++r)
        for (int c = region.col; c < region.col + region.cols; ++c)
            for (int k = 0; k < map.copies; ++k)
                if (is_there(map.at(r, c, k))) return Element{r, c};
    return std::nullopt;
}

/// True when the bits differ in [bit, bit + bits).
bool differs(std::uint32_t difference, int bit, int bits) {
    return (difference >> bit & (bits == 32 ? 0xffffffffU : (1U << bits) - 1)) != 0;
}

const char* sentence(const std::optional<Element>& element) {
    return element ? "a value is not the one that the copy puts there"
                   : "something changed that is no part of the statement";
}

} // namespace

Mismatch Logical::wrong_register(const sema::Statement& statement, const Registers::Wrong& wrong) const {
    Mismatch made;
    const sema::Fragment& fragment = kernel_.fragments[wrong.fragment];
    const layout::SlotMap& slots = kernel_.slots(fragment);
    const std::uint32_t difference = wrong.absent ? 0xffffffff : wrong.expected ^ wrong.found;
    const std::vector<sema::FragmentAccess> accesses = sema::fragment_accesses(statement);
    if (!accesses.empty() && accesses.back().region->object == wrong.fragment)
        made.element = element_at(slots, *accesses.back().region, [&](const layout::Slot& slot) {
            return slot.thread == wrong.thread && slot.reg == wrong.reg &&
                   differs(difference, slot.bit, slots.bits);
        });
    made.what = wrong.absent ? "the text has no such register" : sentence(made.element);
    made.where = fmt::format("thread {}, register {} of `{}`", wrong.thread, wrong.reg, fragment.name);
    made.expected = wrong.expected;
    made.found = wrong.found;
    return made;
}

Mismatch Logical::wrong_cell(const sema::Statement& statement, const Cells::Wrong& wrong) const {
    Mismatch made;
    if (const auto* copy = std::get_if<sema::TmemCopy>(&statement.what)) {
        const sema::Buffer& buffer = kernel_.buffers[copy->buffer.object];
        const layout::CellMap& cells = kernel_.cells(buffer);
        made.element = element_at(cells, copy->buffer, [&](const layout::Cell& cell) {
            return cell.lane == wrong.lane && first_column(buffer) + cell.column == wrong.column &&
                   differs(wrong.expected ^ wrong.found, cell.bit, cells.bits);
        });
    }
    made.what = sentence(made.element);
    made.where = fmt::format("lane {}, column {} of tensor memory", wrong.lane, wrong.column);
    made.expected = wrong.expected;
    made.found = wrong.found;
    return made;
}

std::optional<Mismatch> Logical::wrong_byte(std::uint64_t address, std::uint64_t bytes) {
    const Tensors::Range range = tensors_.at(address, bytes);
    if (range.real == nullptr) { // a store that no segment holds has been a fault
        Mismatch made;
        made.what = "a store leaves the tensors";
        return made;
    }
    if (std::memcmp(range.real, range.expected, bytes) == 0) return std::nullopt;
    std::uint64_t at = 0;
    while (range.real[at] == range.expected[at]) ++at;
    Mismatch made;
    const Tensors::Byte byte = tensors_.locate(address + at);
    if (const auto* tensor = std::get_if<sema::Tensor>(&kernel_.parameters[byte.parameter])) {
        const std::int64_t element = byte.offset / base::bytes(tensor->dtype);
        const std::int64_t pitch = std::max<std::int64_t>(1, measures(kernel_, cta_, byte.parameter).pitch);
        made.element = Element{static_cast<int>(element / pitch), static_cast<int>(element % pitch)};
        made.where = fmt::format("byte {} of `{}`", byte.offset, tensor->name);
    }
    made.what = "a byte of a tensor is not the one that should be there";
    made.expected = static_cast<std::uint32_t>(range.expected[at]);
    made.found = static_cast<std::uint32_t>(range.real[at]);
    return made;
}

std::string to_string(const Mismatch& mismatch, const base::Source& source) {
    std::string text =
        fmt::format("the PTX of kernel `{}` does not do what the program says", mismatch.kernel);
    if (mismatch.statement != base::no_place)
        text += fmt::format(" at line {}, `{}`", source.position(mismatch.statement.begin).line,
                            source.text(mismatch.statement));
    text += ": " + mismatch.what;
    if (mismatch.element)
        text += fmt::format(", element ({}, {})", mismatch.element->row, mismatch.element->col);
    if (!mismatch.where.empty())
        text += fmt::format(" in {}: expected {:#x}, found {:#x}", mismatch.where, mismatch.expected,
                            mismatch.found);
    if (mismatch.line != 0) text += fmt::format(" (PTX line {})", mismatch.line);
    return text;
}

} // namespace tmemc::verify
