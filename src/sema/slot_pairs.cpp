// Element by element.
#include "sema/slot_pairs.hpp"

#include "sema/shapes.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace {

/// The copy of an element that lies in the thread; null when none does.
const layout::Slot* in_thread(const layout::SlotMap& map, int row, int col, int thread) {
    for (int k = 0; k < map.copies; ++k) {
        const layout::Slot& slot = map.at(row, col, k);
        if (slot.thread == thread) return &slot;
    }
    return nullptr;
}

} // namespace

std::variant<SlotPairs, Apart> slot_pairs(const layout::SlotMap& target, const Region& target_region,
                                          const layout::SlotMap& operand, const Step& step) {
    SlotPairs pairs(target.words);
    for (int row = 0; row < target_region.rows; ++row)
        for (int col = 0; col < target_region.cols; ++col)
            for (int k = 0; k < target.copies; ++k) {
                const layout::Slot& to = target.at(target_region.row + row, target_region.col + col, k);
                const Spot spot = operand_spot(step, row, col);
                const layout::Slot* from = in_thread(operand, spot.row, spot.col, to.thread);
                const Apart apart{row, col, to, operand.at(spot.row, spot.col)};
                if (from == nullptr) return apart;
                RegisterSlot& known = pairs.at(to.reg, to.bit);
                const RegisterSlot found{from->reg, from->bit};
                if (known.reg >= 0 && known != found) return Apart{row, col, to, *from};
                known = found;
            }
    return pairs;
}

std::string register_text(const layout::Slot& slot) {
    return fmt::format("register {}{}", slot.reg, slot.bit == 0 ? "" : fmt::format(" from bit {}", slot.bit));
}

std::string slot_text(const layout::Slot& slot) {
    return fmt::format("thread {}, {}", slot.thread, register_text(slot));
}

std::string layout_that_fits(const Kernel& kernel, std::size_t has_at, std::size_t wants_at) {
    const Fragment &has = kernel.fragments[has_at], &wants = kernel.fragments[wants_at];
    std::string alike = "each thread works on registers of its own: declare both with one atom or layout";
    if (wants.rows != has.rows || wants.cols != has.cols || has.cols == 1) return alike;
    if (base::bits(wants.dtype) == base::bits(has.dtype))
        return fmt::format("{}: frag {}: {} {};", alike, has.name, to_string(has.dtype, has.extents()),
                           kernel.fragment_images[wants.image].name);
    return fmt::format(
        "an atom spreads words of 32 bits; give `{}` the layout that `{}` has: frag {}: {} layout {};",
        wants.name, has.name, wants.name, to_string(wants.dtype, wants.extents()),
        to_string(kernel.fragment_images[has.image].layout));
}

std::string vector_for(const Kernel& kernel, std::size_t fragment) {
    const Fragment& tile = kernel.fragments[fragment];
    const std::string& image = kernel.fragment_images[tile.image].name;
    if (image.rfind("atom ", 0) == 0) return fmt::format("frag V: f32[{}] {}; V = ...;", tile.rows, image);
    if (tile.rows == 128) return "frag V: f32[128]; V = ...;"; // these have an atom by default
    return {};
}

} // namespace tmemc::sema
