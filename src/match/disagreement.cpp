// A shape's tile is inverted by asking each of its threads and registers for its cell. Tiles side by side are
// a message, so columns count from the tile's first, round and round; packing doubles them.
#include "match/disagreement.hpp"

#include "atlas/limits.hpp"

#include <fmt/core.h>

namespace tmemc::match {

namespace {

constexpr int warp_threads = atlas::lanes_per_warp;

/// Quotient and remainder, the remainder not negative.
struct Divided {
    int whole = 0, rest = 0;
};
Divided divide(int a, int b) {
    const int rest = (a % b + b) % b;
    return {(a - rest) / b, rest};
}

/// The register of the tile that `lane` of the warp begins, for a tile that starts where it may.
int register_in_tile(const atlas::ShapeRow& shape, int lane) {
    for (int reg = 0; reg < shape.registers; ++reg)
        if (divide(lane, shape.lanes).rest == atlas::cell_of(shape, 0, reg).lane) return reg;
    return 0;
}

} // namespace

Disagreement out_of_reach(const Obstacle& obstacle) {
    return {obstacle.row,
            obstacle.col,
            obstacle.thread,
            obstacle.reg,
            {obstacle.lane, obstacle.column},
            {},
            0,
            {}};
}

Disagreement out_of_pattern(const RegisterCells& word, const Misfit& misfit, const atlas::ShapeRow& shape,
                            int row, int col) {
    const int base = word.warp * warp_threads;
    const int piece = shape.split ? warp_threads / 2 : warp_threads; // threads that share a start
    const int first = misfit.thread / piece * piece;
    const atlas::Step start = word.cells[static_cast<std::size_t>(first)];
    const atlas::Step cell = word.cells[static_cast<std::size_t>(misfit.thread)];
    Disagreement found{row, col, base + misfit.thread, word.reg, cell, shape.name, 0, {}};

    const int of_tile = register_in_tile(shape, start.lane - base);
    const int factor = column_factor(word.pack);
    const int column = cell.column - (start.column - factor * atlas::cell_of(shape, 0, of_tile).column);
    const Divided lane = divide(cell.lane - base, shape.lanes);
    const Divided tile = divide(column, factor * shape.columns);
    for (int thread = 0; thread < piece; ++thread)
        for (int reg = 0; reg < shape.registers; ++reg) {
            const atlas::Step step = atlas::cell_of(shape, thread, reg);
            if (step.lane != lane.rest || factor * step.column != tile.rest / factor * factor) continue;
            found.its_thread = base + first + thread;
            const int its = word.reg + tile.whole * shape.registers + reg - of_tile;
            if (lane.whole == divide(start.lane - base, shape.lanes).whole && its >= 0) found.its_reg = its;
        }
    return found;
}

base::Picture picture_of(const Refusal& refusal, const Disagreement& first) {
    const std::string title = fmt::format("row {}, col {}", refusal.copy.fragment.row + first.row,
                                          refusal.copy.fragment.col + first.col);
    const std::string_view ours = refusal.store() ? "has" : "wants",
                           theirs = refusal.store() ? "takes" : "puts";
    const std::string wanted = fmt::format("fragment {} it", ours);
    const std::string lane = fmt::format("lane {}", first.cell.lane);
    if (first.shape.empty())
        return base::two_places(
            title, "warp", atlas::lanes / warp_threads,
            {wanted, first.thread / warp_threads, fmt::format("thread {}", first.thread)},
            {fmt::format("hardware {} it", theirs), first.cell.lane / warp_threads, lane});
    return base::two_places(title, "thread", atlas::lanes,
                            {wanted, first.thread, fmt::format("register {}", first.reg)},
                            {fmt::format("{} {} it", first.shape, theirs), first.its_thread,
                             first.its_reg ? fmt::format("register {}", *first.its_reg) : lane});
}

} // namespace tmemc::match
