// Trial copies: the refused one with its fragment exchanged.
#include "match/advice.hpp"

#include "atlas/images.hpp"
#include "atlas/limits.hpp"
#include "match/copy_of.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tmemc::match {

namespace {

class Trial {
  public:
    explicit Trial(const Refusal& refusal) : refusal_(refusal) {}

    /// The atoms that move the copy's buffer region when the fragment is declared rows x cols and holds it at
    /// `corner`.
    std::vector<std::string> atoms(int rows, int cols, Corner corner) const {
        std::vector<std::string> found;
        Copy copy = copy_of(refusal_.kernel, refusal_.copy);
        const int bits = copy.cells.bits;
        const int words = atlas::words_per_row(cols, bits);
        for (const atlas::ImageRow& row : atlas::atom_rows()) {
            if (row.rows != rows || words == 0 || words % row.word_multiple != 0) continue;
            const auto map = layout::slot_map(atlas::layout_of(row, cols, bits), rows, cols, bits);
            const auto* slots = std::get_if<layout::SlotMap>(&map);
            if (slots == nullptr) continue; // more registers than a thread has
            const Copy other{*slots,
                             copy.cells,
                             corner,
                             copy.in_cells,
                             refusal_.copy.buffer.rows,
                             refusal_.copy.buffer.cols,
                             copy.store,
                             copy.spare_halves,
                             copy.base};
            if (std::holds_alternative<std::vector<Message>>(plan_copy(other, refusal_.limits)))
                found.emplace_back(row.name);
        }
        return found;
    }

  private:
    const Refusal& refusal_;
};

std::string declaration(const Refusal& refusal, int rows, int cols, std::string_view atom) {
    const sema::Fragment& fragment = refusal.fragment();
    return fmt::format("frag {}: {}[{}, {}] atom {};", fragment.name, base::name(fragment.dtype), rows, cols,
                       atom);
}

/// The atom that the fragment was declared with, or nothing for a literal.
std::optional<std::string> atom_of(const Refusal& refusal) {
    constexpr std::string_view word = "atom ";
    const std::string& name = refusal.kernel.fragment_images[refusal.fragment().image].name;
    if (!name.starts_with(word)) return std::nullopt;
    return name.substr(word.size());
}

/// "with 64 rows", "with 32 columns" or both: how the declaration would change.
std::string changed_extents(const Refusal& refusal, int rows, int cols) {
    std::vector<std::string> changes;
    if (rows != refusal.fragment().rows) changes.push_back(fmt::format("{} rows", rows));
    if (cols != refusal.fragment().cols) changes.push_back(fmt::format("{} columns", cols));
    return listed(changes);
}

/// Everything that the register holds, for a fragment whose layout has no name.
std::string register_advice(const Refusal& refusal, int warp, int reg) {
    const layout::SlotMap& slots = refusal.kernel.slots(refusal.fragment());
    int first_row = slots.rows, last_row = 0, first_col = slots.cols, last_col = 0;
    for (std::size_t i = 0; i < slots.places.size(); ++i) {
        const layout::Slot& slot = slots.places[i];
        if (slot.reg != reg || slot.thread / atlas::lanes_per_warp != warp) continue;
        const int element = static_cast<int>(i) / slots.copies;
        first_row = std::min(first_row, element / slots.cols);
        last_row = std::max(last_row, element / slots.cols);
        first_col = std::min(first_col, element % slots.cols);
        last_col = std::max(last_col, element % slots.cols);
    }
    const auto range = [](std::string_view what, int first, int last) {
        return first == last ? fmt::format("{} {}", what, first)
                             : fmt::format("{}s {} to {}", what, first, last);
    };
    return fmt::format("register {} of warp {} holds elements of {} and {} of `{}`: copy all of them", reg,
                       warp, range("row", first_row, last_row), range("column", first_col, last_col),
                       refusal.fragment().name);
}

/// A fragment of the buffer region's own extents.
std::optional<std::string> advise(const Refusal& refusal, const std::vector<std::string>& atoms, int rows,
                                  int cols) {
    if (atoms.empty()) return std::nullopt;
    const std::string& name = refusal.fragment().name;
    const std::string extents = changed_extents(refusal, rows, cols);
    if (const auto atom = atom_of(refusal))
        for (const std::string& each : atoms)
            if (each == *atom && !extents.empty())
                return fmt::format("declare `{}` with {}: {}", name, extents,
                                   declaration(refusal, rows, cols, each));
    const std::string with = extents.empty() ? "" : fmt::format(" with {} and", extents);
    return fmt::format("declare `{}`{} with {} {}: {}", name, with,
                       atoms.size() == 1 ? "atom" : "one of the atoms", listed(atoms, "or"),
                       declaration(refusal, rows, cols, atoms.front()));
}

} // namespace

std::optional<std::string> fragment_advice(const Refusal& refusal) {
    const sema::Region &ours = refusal.copy.fragment, &tile = refusal.copy.buffer;
    const sema::Fragment& fragment = refusal.fragment();
    const Trial trial(refusal);
    if (refusal.extents_differ()) {
        if (ours.rows != fragment.rows || ours.cols != fragment.cols)
            return fmt::format("slice both sides alike: {} rows and {} columns",
                               std::min(ours.rows, tile.rows), std::min(ours.cols, tile.cols));
    } else {
        const Corner corner{ours.row, ours.col};
        auto found =
            advise(refusal, trial.atoms(fragment.rows, fragment.cols, corner), fragment.rows, fragment.cols);
        if (found) return found;
    }
    return advise(refusal, trial.atoms(tile.rows, tile.cols, {}), tile.rows, tile.cols);
}

std::string unit_advice(const Refusal& refusal, int warp, int reg) {
    const std::string& name = refusal.fragment().name;
    const auto atom = atom_of(refusal);
    const auto shape = atom ? atlas::shape_named(*atom) : std::nullopt;
    if (!shape) return register_advice(refusal, warp, reg);
    const atlas::ShapeRow& row = atlas::row(*shape);
    if (row.split)
        return fmt::format(
            "{} moves a column of each half at once: copy all columns of `{}`, in slices of {} rows",
            row.name, name, row.lanes);
    const int columns = row.columns * base::per_word(refusal.fragment().dtype);
    return fmt::format(
        "{} moves {} rows x {} column{} at once: start and end the slice of `{}` at multiples of these",
        row.name, row.lanes, columns, columns == 1 ? "" : "s", name);
}

} // namespace tmemc::match
