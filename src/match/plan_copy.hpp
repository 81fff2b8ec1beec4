// One copy, from maps to messages: the steps of the matcher in order. Names play no part here, so that equal
// copies of a kernel can share one answer and a refusal can try what else would have worked.
#pragma once

#include "match/compose.hpp"
#include "match/share.hpp"

#include <span>
#include <variant>

namespace tmemc::match {

/// What a copy moves, before it is cut into messages.
struct Pieces {
    std::vector<RegisterCells> words;
    WarpTiles tiles;
};

/// The registers with their cells, and the tiles they are; or the first obstacle.
[[nodiscard]] std::variant<Pieces, Obstacle>
pieces_of(const Copy& copy, const Limits& limits,
          std::span<const atlas::ShapeRow> shapes = atlas::shape_rows());

/// The messages, columns counted from the buffer's first; or the first obstacle.
using Outcome = std::variant<std::vector<Message>, Obstacle>;

[[nodiscard]] Outcome plan_copy(const Copy& copy, const Limits& limits,
                                std::span<const atlas::ShapeRow> shapes = atlas::shape_rows());

/// The widest message, in registers, that a CTA of `threads` threads and the option --max-message allow.
[[nodiscard]] Limits limits_for(int threads, int max_message);

} // namespace tmemc::match
