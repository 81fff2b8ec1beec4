// Trial copies: the refused one with its fragment exchanged.
#include "match/advice.hpp"

#include "atlas/images.hpp"

#include <fmt/core.h>

namespace tmemc::match {

namespace {

class Trial {
  public:
    explicit Trial(const Refusal& refusal) : refusal_(refusal) {}

    /// The atoms that move the copy's buffer region when the fragment is declared rows x cols and holds it at `corner`.
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
            const Copy other{*slots,        copy.cells, corner,           copy.in_cells, refusal_.copy.buffer.rows,
                             refusal_.copy.buffer.cols, copy.store, copy.spare_halves, copy.base};
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
    return fmt::format("frag {}: {}[{}, {}] atom {};", fragment.name, base::name(fragment.dtype), rows, cols, atom);
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

/// A fragment of the buffer region's own extents.
std::optional<std::string> advise(const Refusal& refusal, const std::vector<std::string>& atoms, int rows, int cols) {
    if (atoms.empty()) return std::nullopt;
    const std::string& name = refusal.fragment().name;
    const std::string extents = changed_extents(refusal, rows, cols);
    if (const auto atom = atom_of(refusal))
        for (const std::string& each : atoms)
            if (each == *atom && !extents.empty())
                return fmt::format("declare `{}` with {}: {}", name, extents, declaration(refusal, rows, cols, each));
    const std::string with = extents.empty() ? "" : fmt::format(" with {} and", extents);
    return fmt::format("declare `{}`{} with {} {}: {}", name, with, atoms.size() == 1 ? "atom" : "one of the atoms",
                       listed(atoms, "or"), declaration(refusal, rows, cols, atoms.front()));
}

} // namespace

std::optional<std::string> fragment_advice(const Refusal& refusal) {
    const sema::Region& tile = refusal.copy.buffer;
    const Trial trial(refusal);
    if (!refusal.extents_differ()) {
        const sema::Fragment& fragment = refusal.fragment();
        const Corner corner{refusal.copy.fragment.row, refusal.copy.fragment.col};
        const auto found = advise(refusal, trial.atoms(fragment.rows, fragment.cols, corner), fragment.rows, fragment.cols);
        if (found) return found;
    }
    return advise(refusal, trial.atoms(tile.rows, tile.cols, {}), tile.rows, tile.cols);
}

std::optional<std::string> unit_advice(const Refusal& refusal) {
    const auto atom = atom_of(refusal);
    const auto shape = atom ? atlas::shape_named(*atom) : std::nullopt;
    if (!shape) return std::nullopt;
    const atlas::ShapeRow& row = atlas::row(*shape);
    const int columns = row.columns * base::per_word(refusal.fragment().dtype);
    const char* halves = row.split ? " of each half of the columns" : "";
    return fmt::format("{} moves {} rows x {} column{}{} at once: start and end the slice of `{}` at multiples of these",
                       row.name, row.lanes, columns, columns == 1 ? "" : "s", halves, refusal.fragment().name);
}

} // namespace tmemc::match
