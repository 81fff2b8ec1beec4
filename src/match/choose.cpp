// What registers want and what cells hold, as element numbers; then the cover of one warp after the other.
#include "match/choose.hpp"

#include "atlas/limits.hpp"

#include <algorithm>

namespace tmemc::match {

namespace {

constexpr int warp_lanes = atlas::lanes_per_warp;
constexpr int half_warp = warp_lanes / 2;
constexpr int nothing = -1;

class CopyChooser {
  public:
    CopyChooser(const Copy& copy, const Limits& limits, std::span<const atlas::ShapeRow> shapes, Pairs& pairs)
        : copy_(copy), limits_(limits), shapes_(shapes), pairs_(pairs), bits_(32 / pairs.parts),
          wanted_(pairs.cells.size(), nothing),
          held_(std::size_t{atlas::lanes} * atlas::columns * parts(), nothing),
          entry_of_(std::size_t{atlas::warps_per_group} * layout::max_registers, nothing) {
        number_elements();
    }

    void choose() {
        std::vector<layout::Cell> chosen = pairs_.cells;
        for (int warp = 0; warp < atlas::warps_per_group; ++warp) {
            if (!cover(warp)) return;
            for (const Tile& tile : tiles_)
                for (int q = 0; q < tile.shape->registers; ++q) read(tile, q, warp, chosen);
        }
        pairs_.cells = std::move(chosen);
    }

  private:
    [[nodiscard]] std::size_t parts() const { return static_cast<std::size_t>(pairs_.parts); }

    void number_elements() {
        for (std::size_t i = 0; i < pairs_.registers.size(); ++i)
            entry_of_[register_index(pairs_.registers[i].warp, pairs_.registers[i].reg)] =
                static_cast<int>(i);
        int element = 0;
        for (int row = 0; row < copy_.rows; ++row)
            for (int col = 0; col < copy_.cols; ++col, ++element) {
                for (int k = 0; k < copy_.slots.copies; ++k) {
                    const auto& slot = copy_.slots.at(copy_.in_slots.row + row, copy_.in_slots.col + col, k);
                    const int entry = entry_of_[register_index(slot.thread / warp_lanes, slot.reg)];
                    wanted(static_cast<std::size_t>(entry), slot.thread % warp_lanes, slot.bit / bits_) =
                        element;
                }
                for (int k = 0; k < copy_.cells.copies; ++k) {
                    const auto& cell = copy_.cells.at(copy_.in_cells.row + row, copy_.in_cells.col + col, k);
                    held_[cell_index(cell.lane, cell.column, cell.bit)] = element;
                }
            }
    }

    /// Tiles that load every register of the warp once, in tiles_.
    bool cover(int warp) {
        warp_ = warp;
        tiles_.clear();
        open_.clear();
        for (int reg = 0; reg < layout::max_registers; ++reg)
            if (const int entry = entry_of_[register_index(warp, reg)]; entry != nothing)
                open_.push_back(static_cast<std::size_t>(entry));
        taken_.assign(pairs_.registers.size(), false);
        tries_ = 0;
        return cover_from(0);
    }

    bool cover_from(std::size_t first) {
        while (first < open_.size() && taken_[open_[first]]) ++first;
        if (first == open_.size()) return true;
        for (const Tile& tile : candidates(open_[first])) {
            if (++tries_ > search_limit) return false;
            take(tile, true);
            tiles_.push_back(tile);
            if (cover_from(first + 1)) return true;
            tiles_.pop_back();
            take(tile, false);
        }
        return false;
    }

    /// The tiles that could load a register, the likeliest to make wide messages first.
    std::vector<Tile> candidates(std::size_t entry) {
        std::vector<Tile> found;
        for (const atlas::ShapeRow& shape : shapes_)
            for (const bool pack : {false, true})
                for (int q = 0; q < shape.registers; ++q) add_candidates(entry, shape, pack, q, found);
        if (!tiles_.empty()) {
            // The one that goes on where the last tile ended, if it can.
            const auto next = std::find_if(found.begin(), found.end(), [&](const Tile& tile) {
                return same_place(tile, behind(tiles_.back()));
            });
            if (next != found.end()) {
                std::rotate(found.begin(), next, next + 1);
                return found;
            }
        }
        if (found.size() < 2) return found;
        std::vector<std::pair<int, std::size_t>> order;
        for (std::size_t i = 0; i < found.size(); ++i) order.emplace_back(-run_length(found[i]), i);
        std::sort(order.begin(), order.end());
        std::vector<Tile> sorted;
        sorted.reserve(found.size());
        for (const auto& [length, i] : order) sorted.push_back(found[i]);
        return sorted;
    }

    /// Those in which the register stands at place `q` of the tile: one for each copy of what thread 0 holds,
    /// and of what thread 16 holds in a split shape.
    void add_candidates(std::size_t entry, const atlas::ShapeRow& shape, bool pack, int q,
                        std::vector<Tile>& found) {
        const atlas::Step step = atlas::cell_of(shape, 0, q);
        for (const atlas::Step& near : copies_of(entry, 0)) {
            Tile tile{&shape, pack, near.lane - step.lane, near.column - column_factor(pack) * step.column};
            if (!shape.split) {
                add(tile, entry, q, found);
                continue;
            }
            for (const atlas::Step& far : copies_of(entry, half_warp)) {
                tile.half_split = (far.lane - near.lane) * 65536 + far.column - near.column;
                if (tile.half_split != 0 && far.lane % shape.lanes == 0) add(tile, entry, q, found);
            }
        }
    }

    void add(Tile tile, std::size_t entry, int q, std::vector<Tile>& found) {
        if (allowed(tile) && matches(tile, q, entry) && complete(tile, q, pairs_.registers[entry].reg))
            found.push_back(tile);
    }

    /// Where the buffer has the first part of what a thread holds, in this warp's lanes.
    std::vector<atlas::Step> copies_of(std::size_t entry, int thread) {
        const int element = wanted(entry, thread, 0);
        std::vector<atlas::Step> places;
        for (int k = 0; element != nothing && k < copy_.cells.copies; ++k) {
            const auto& cell = copy_.cells.at(copy_.in_cells.row + element / copy_.cols,
                                              copy_.in_cells.col + element % copy_.cols, k);
            if (cell.lane / warp_lanes == warp_ && cell.bit == 0)
                places.push_back({cell.lane % warp_lanes, cell.column});
        }
        return places;
    }

    /// A place where a message may start, within the limits.
    [[nodiscard]] bool allowed(const Tile& tile) const {
        const atlas::ShapeRow& shape = *tile.shape;
        if (tile.row < 0 || tile.row % shape.lanes != 0 || tile.row >= warp_lanes || tile.column < 0)
            return false;
        if (shape.registers > limits_.registers) return false;
        return !tile.pack ||
               (pairs_.parts == 2 && (copy_.base + tile.column) % 2 == 0 && tile.half_split % 2 == 0);
    }

    /// Fills in the registers: at place `known` the given one, elsewhere the lowest that wants those cells.
    bool complete(Tile& tile, int known, int reg) {
        const int count = tile.shape->registers;
        tile.registers[static_cast<std::size_t>(known)] = reg;
        for (int q = 0; q < count; ++q) {
            if (q == known) continue;
            const auto partner = std::find_if(open_.begin(), open_.end(), [&](std::size_t entry) {
                const int other = pairs_.registers[entry].reg;
                const auto chosen = tile.registers.begin();
                const bool used = other == reg || std::find(chosen, chosen + q, other) != chosen + q;
                return !used && !taken_[entry] && matches(tile, q, entry);
            });
            if (partner == open_.end()) return false;
            tile.registers[static_cast<std::size_t>(q)] = pairs_.registers[*partner].reg;
        }
        return true;
    }

    /// Tiles that follow one another from `tile` on, each loading some register that none has loaded yet.
    int run_length(const Tile& tile) {
        std::vector<Tile> run;
        for (std::optional<Tile> at = tile; at; at = successor(run.back())) {
            take(*at, true);
            run.push_back(*at);
        }
        for (const Tile& each : run) take(each, false);
        return static_cast<int>(run.size()) * tile.shape->registers;
    }
    std::optional<Tile> successor(const Tile& tile) {
        Tile next = behind(tile);
        for (std::size_t entry : open_)
            if (!taken_[entry] && matches(next, 0, entry) && complete(next, 0, pairs_.registers[entry].reg))
                return next;
        return std::nullopt;
    }
    static Tile behind(Tile tile) {
        tile.column += column_factor(tile.pack) * tile.shape->columns;
        return tile;
    }
    static bool same_place(Tile a, const Tile& b) {
        a.registers = b.registers;
        return a == b;
    }

    void take(const Tile& tile, bool taken) {
        for (int q = 0; q < tile.shape->registers; ++q) taken_[entry_at(tile, q)] = taken;
    }
    [[nodiscard]] std::size_t entry_at(const Tile& tile, int q) const {
        return static_cast<std::size_t>(
            entry_of_[register_index(warp_, tile.registers[static_cast<std::size_t>(q)])]);
    }

    /// Where part `part` of thread `thread` of the tile's register `q` is read, lane inside the warp.
    [[nodiscard]] layout::Cell cell(const Tile& tile, int q, int thread, int part) const {
        const atlas::Step step = atlas::cell_of(*tile.shape, thread, q);
        int address = tile.row * 65536 + tile.column;
        if (tile.shape->split && thread >= half_warp) address += tile.half_split;
        const int column = address % 65536 + column_factor(tile.pack) * step.column + (tile.pack ? part : 0);
        return {static_cast<std::uint16_t>(address / 65536 + step.lane), static_cast<std::uint16_t>(column),
                static_cast<std::uint8_t>(tile.pack ? 0 : part * bits_)};
    }

    /// Whether the cells of the tile's register `q` hold what the entry wants.
    bool matches(const Tile& tile, int q, std::size_t entry) {
        for (int thread = 0; thread < warp_lanes; ++thread)
            for (int part = 0; part < pairs_.parts; ++part) {
                const layout::Cell at = cell(tile, q, thread, part);
                if (at.lane >= warp_lanes || at.column >= atlas::columns) return false;
                const int element = held_[cell_index(warp_ * warp_lanes + at.lane, at.column, at.bit)];
                if (element == nothing || element != wanted(entry, thread, part)) return false;
            }
        return true;
    }

    void read(const Tile& tile, int q, int warp, std::vector<layout::Cell>& cells) const {
        for (int thread = 0; thread < warp_lanes; ++thread)
            for (int part = 0; part < pairs_.parts; ++part) {
                layout::Cell at = cell(tile, q, thread, part);
                at.lane = static_cast<std::uint16_t>(at.lane + warp * warp_lanes);
                cells[word_index(entry_at(tile, q), thread, part)] = at;
            }
    }

    [[nodiscard]] std::size_t word_index(std::size_t entry, int thread, int part) const {
        return pairs_.word(entry, thread) * parts() + static_cast<std::size_t>(part);
    }
    int& wanted(std::size_t entry, int thread, int part) { return wanted_[word_index(entry, thread, part)]; }
    [[nodiscard]] std::size_t cell_index(int lane, int column, int bit) const {
        return static_cast<std::size_t>(lane * atlas::columns + column) * parts() +
               static_cast<std::size_t>(bit / bits_);
    }
    static std::size_t register_index(int warp, int reg) {
        return static_cast<std::size_t>(warp) * layout::max_registers + static_cast<std::size_t>(reg);
    }

    const Copy& copy_;
    const Limits& limits_;
    std::span<const atlas::ShapeRow> shapes_;
    Pairs& pairs_;
    int bits_;
    std::vector<int> wanted_;   // the element of each part of each entry, as in Pairs::cells
    std::vector<int> held_;     // the element in each cell and part of it
    std::vector<int> entry_of_; // by warp and register
    // of the warp that is being covered
    int warp_ = 0;
    std::vector<std::size_t> open_; // its entries by register
    std::vector<bool> taken_;
    std::vector<Tile> tiles_;
    int tries_ = 0;
};

} // namespace

void choose_copies(const Copy& copy, const Limits& limits, std::span<const atlas::ShapeRow> shapes,
                   Pairs& pairs) {
    if (copy.store || copy.cells.copies == 1 || pairs.obstacle) return;
    CopyChooser(copy, limits, shapes, pairs).choose();
}

} // namespace tmemc::match
