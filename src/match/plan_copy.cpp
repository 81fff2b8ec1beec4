// The sentence, and the rules for packing and width that need only a tile to decide.
#include "match/plan_copy.hpp"

#include "atlas/limits.hpp"
#include "base/invariant.hpp"
#include "match/choose.hpp"
#include "match/verify_plan.hpp"

#include <algorithm>

namespace tmemc::match {

namespace {

/// Registers by warp, each with its signature; or the first that has none.
std::variant<std::array<std::vector<SignedRegister>, 4>, Obstacle>
sign(const std::vector<RegisterCells>& words, const Signatures& signatures) {
    std::array<std::vector<SignedRegister>, 4> result;
    for (const RegisterCells& word : words) {
        const auto signature = signatures.find(word);
        if (!signature) {
            Obstacle found{Obstacle::What::pattern};
            found.thread = word.warp * atlas::lanes_per_warp;
            found.reg = word.reg;
            return found;
        }
        result[static_cast<std::size_t>(word.warp)].push_back({*signature, word.reg, word.pack});
    }
    return result;
}

Obstacle at_tile(Obstacle::What what, const Tile& tile, int warp) {
    Obstacle found{what};
    found.thread = warp * atlas::lanes_per_warp;
    found.reg = tile.registers[0];
    found.lane = warp * atlas::lanes_per_warp + tile.row;
    found.column = tile.column;
    found.shape = tile.shape->shape;
    return found;
}

/// A message that packs starts on an even column of the allocation, in both halves of a split shape; every
/// tile of a message is an even number of columns behind its first.
std::optional<Obstacle> check_tile(const Tile& tile, int warp, const Copy& copy, const Limits& limits) {
    if (tile.shape->registers > limits.registers) {
        Obstacle found = at_tile(Obstacle::What::too_wide, tile, warp);
        found.reg = tile.shape->registers;
        return found;
    }
    if (!tile.pack) return std::nullopt;
    Obstacle found = at_tile(Obstacle::What::odd_column, tile, warp);
    if ((copy.base + tile.column) % 2 != 0) return found;
    if (tile.half_split % 2 == 0) return std::nullopt;
    found.thread += atlas::lanes_per_warp / 2;
    found.column = (tile.row * 65536 + tile.column + tile.half_split) % 65536;
    return found;
}

/// Storing unpacked writes whole cells, so no other element of the buffer may live in the upper half of one.
std::optional<Obstacle> check_upper_halves(const std::vector<RegisterCells>& words, const Copy& copy) {
    const auto packs = [](const RegisterCells& word) { return word.pack; };
    if (!copy.store || copy.spare_halves || std::none_of(words.begin(), words.end(), packs))
        return std::nullopt;
    const auto place = [](int lane, int column) {
        return static_cast<std::size_t>(lane) * atlas::columns + static_cast<std::size_t>(column);
    };
    std::vector<bool> used(place(atlas::lanes, 0), false);
    for (const layout::Cell& cell : copy.cells.places)
        if (cell.bit != 0) used[place(cell.lane, cell.column)] = true;
    for (const RegisterCells& word : words)
        for (int thread = 0; thread < atlas::lanes_per_warp && word.pack; ++thread)
            for (int part = 0; part < 2; ++part) {
                const atlas::Step& cell = word.cells[static_cast<std::size_t>(thread)];
                if (!used[place(cell.lane, cell.column + part)]) continue;
                Obstacle found{Obstacle::What::upper_half};
                found.thread = word.warp * atlas::lanes_per_warp + thread;
                found.reg = word.reg;
                found.lane = cell.lane;
                found.column = cell.column + part;
                return found;
            }
    return std::nullopt;
}

} // namespace

Limits limits_for(int threads, int max_message) {
    const int cap = atlas::register_cap(threads) - atlas::message_headroom;
    int widest = 1;
    while (2 * widest <= std::min(cap, max_message)) widest *= 2;
    return {widest};
}

std::variant<Pieces, Obstacle> pieces_of(const Copy& copy, const Limits& limits,
                                         std::span<const atlas::ShapeRow> shapes) {
    // Which cells does each register of each warp meet?
    Pairs pairs = compose(copy);
    if (pairs.obstacle) return *pairs.obstacle;
    choose_copies(copy, limits, shapes, pairs);

    // Whole registers and whole cells, or packed ones.
    auto read = words_of(pairs);
    if (const auto* obstacle = std::get_if<Obstacle>(&read)) return *obstacle;
    auto& words = std::get<std::vector<RegisterCells>>(read);
    if (const auto obstacle = check_upper_halves(words, copy)) return *obstacle;

    // What shape is each register?
    const auto named = sign(words, Signatures(shapes));
    if (const auto* obstacle = std::get_if<Obstacle>(&named)) return *obstacle;

    // Registers that move together are tiles.
    WarpTiles tiles;
    for (std::size_t warp = 0; warp < tiles.size(); ++warp) {
        auto found = tiles_of(std::get<0>(named)[warp], static_cast<int>(warp));
        if (const auto* obstacle = std::get_if<Obstacle>(&found)) return *obstacle;
        tiles[warp] = std::move(std::get<std::vector<Tile>>(found));
        for (const Tile& tile : tiles[warp])
            if (const auto obstacle = check_tile(tile, static_cast<int>(warp), copy, limits))
                return *obstacle;
    }
    return Pieces{std::move(words), std::move(tiles)};
}

Outcome plan_copy(const Copy& copy, const Limits& limits, std::span<const atlas::ShapeRow> shapes) {
    auto found = pieces_of(copy, limits, shapes);
    if (const auto* obstacle = std::get_if<Obstacle>(&found)) return *obstacle;
    auto& pieces = std::get<Pieces>(found);

    // Tiles side by side are runs, cut into messages that as many warps share as is cheap.
    std::vector<Message> messages = share(std::move(pieces.tiles), limits, 1).front();
    verify_plan(pieces.words, messages, shapes);
    return messages;
}

} // namespace tmemc::match
