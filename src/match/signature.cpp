// One comparison for all shapes. A row says whether it is split; nothing here asks which shape it is.
#include "match/signature.hpp"

#include "atlas/limits.hpp"

namespace tmemc::match {

namespace {

using atlas::ShapeRow;
using atlas::Step;

constexpr int warp_lanes = atlas::lanes_per_warp;
constexpr int half_warp = warp_lanes / 2;

/// Whether some register of the row's tile has its first thread in `lane` of the warp, the tile starting
/// where it may.
bool may_start(const ShapeRow& row, int lane) {
    for (int reg = 0; reg < row.registers; ++reg) {
        const int start = lane - atlas::cell_of(row, 0, reg).lane;
        if (start >= 0 && start < warp_lanes && start % row.lanes == 0) return true;
    }
    return false;
}

} // namespace

Signatures::Signatures(std::span<const ShapeRow> rows) : rows_(rows), patterns_(rows.size()) {
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (int thread = 0; thread < warp_lanes; ++thread)
            patterns_[i][static_cast<std::size_t>(thread)] = atlas::cell_of(rows[i], thread, 0);
}

std::variant<Signature, Misfit> Signatures::compare(const RegisterCells& cells, std::size_t index) const {
    const ShapeRow& row = rows_[index];
    const int piece = row.split ? half_warp : warp_lanes; // threads that share a start
    const int base = cells.warp * warp_lanes;
    const auto cell = [&](int thread) { return cells.cells[static_cast<std::size_t>(thread)]; };
    for (int first = 0; first < warp_lanes; first += piece) {
        const Step start = cell(first);
        if (start.lane / warp_lanes == cells.warp && !may_start(row, start.lane - base))
            return Misfit{Misfit::Why::start, first, start};
        for (int i = 0; i < piece; ++i) {
            const Step step = patterns_[index][static_cast<std::size_t>(i)];
            const Step expected{start.lane + step.lane,
                                start.column + column_factor(cells.pack) * step.column};
            const Step found = cell(first + i);
            if (found.lane / warp_lanes != cells.warp) return Misfit{Misfit::Why::reach, first + i, expected};
            if (found != expected) return Misfit{Misfit::Why::pattern, first + i, expected};
        }
    }
    Signature signature{&row, {cell(0).lane - base, cell(0).column}};
    if (row.split) {
        const Step far = cell(half_warp);
        if (far == cell(0)) return Misfit{Misfit::Why::same_cells, half_warp, far};
        signature.half_split = (far.lane - cell(0).lane) * 65536 + (far.column - cell(0).column);
    }
    return signature;
}

std::optional<Signature> Signatures::find(const RegisterCells& cells) const {
    for (std::size_t index = 0; index < rows_.size(); ++index) {
        const auto answer = compare(cells, index);
        if (const auto* signature = std::get_if<Signature>(&answer)) return *signature;
    }
    return std::nullopt;
}

} // namespace tmemc::match
