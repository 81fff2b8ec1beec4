// A sweep over the registers sorted by place. Each register that no tile has taken yet opens one, and the
// others are looked up where the shape row wants them.
#include "match/tiles.hpp"

#include "atlas/limits.hpp"

#include <algorithm>
#include <tuple>

namespace tmemc::match {

namespace {

/// The sweep's order: kinds of messages apart, then from left to right, then downwards.
auto key(const SignedRegister& each) {
    const Signature& s = each.signature;
    return std::make_tuple(s.row, each.pack, s.half_split, s.first.column, s.first.lane);
}

class TileSweep {
  public:
    TileSweep(std::vector<SignedRegister> registers, int warp)
        : registers_(std::move(registers)), warp_(warp) {
        auto before = [](const SignedRegister& a, const SignedRegister& b) {
            return std::tuple_cat(key(a), std::make_tuple(a.reg)) <
                   std::tuple_cat(key(b), std::make_tuple(b.reg));
        };
        std::sort(registers_.begin(), registers_.end(), before);
        taken_.assign(registers_.size(), false);
    }

    std::variant<std::vector<Tile>, Obstacle> sweep() {
        std::vector<Tile> tiles;
        for (std::size_t i = 0; i < registers_.size(); ++i) {
            if (taken_[i]) continue;
            const auto tile = open(registers_[i]);
            if (const auto* obstacle = std::get_if<Obstacle>(&tile)) return *obstacle;
            tiles.push_back(std::get<Tile>(tile));
        }
        return tiles;
    }

  private:
    /// The tile whose leftmost register is `first`.
    std::variant<Tile, Obstacle> open(const SignedRegister& first) {
        const Signature& s = first.signature;
        const atlas::ShapeRow& shape = *s.row;
        Tile tile{&shape, first.pack, s.first.lane / shape.lanes * shape.lanes, s.first.column, s.half_split};
        for (int q = 0; q < shape.registers; ++q) {
            const atlas::Step step = atlas::cell_of(shape, 0, q);
            SignedRegister wanted = first;
            wanted.signature.first = {tile.row + step.lane,
                                      tile.column + column_factor(tile.pack) * step.column};
            const auto reg = take(wanted);
            if (!reg) return missing(first, wanted.signature.first);
            tile.registers[static_cast<std::size_t>(q)] = *reg;
        }
        return tile;
    }

    /// The lowest register that stands where `wanted` does and has no tile yet.
    std::optional<int> take(const SignedRegister& wanted) {
        auto before = [](const SignedRegister& a, const SignedRegister& b) { return key(a) < key(b); };
        auto found = std::lower_bound(registers_.begin(), registers_.end(), wanted, before);
        for (; found != registers_.end() && key(*found) == key(wanted); ++found) {
            const auto index = static_cast<std::size_t>(found - registers_.begin());
            if (taken_[index]) continue;
            taken_[index] = true;
            return found->reg;
        }
        return std::nullopt;
    }

    Obstacle missing(const SignedRegister& present, const atlas::Step& place) const {
        Obstacle found{Obstacle::What::part_unit};
        found.thread = warp_ * atlas::lanes_per_warp;
        found.reg = present.reg;
        found.lane = warp_ * atlas::lanes_per_warp + place.lane;
        found.column = place.column;
        found.shape = present.signature.row->shape;
        return found;
    }

    std::vector<SignedRegister> registers_;
    int warp_;
    std::vector<bool> taken_;
};

} // namespace

std::variant<std::vector<Tile>, Obstacle> tiles_of(std::vector<SignedRegister> registers, int warp) {
    return TileSweep(std::move(registers), warp).sweep();
}

} // namespace tmemc::match
