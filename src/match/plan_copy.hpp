// One copy, from maps to messages: the steps of the matcher in order. Names play no part here, so that equal
// copies of a kernel can share one answer and a refusal can try what else would have worked.
#pragma once

#include "match/compose.hpp"
#include "match/cut.hpp"

#include <span>
#include <variant>

namespace tmemc::match {

/// The messages, columns counted from the buffer's first; or the first obstacle.
using Outcome = std::variant<std::vector<Message>, Obstacle>;

[[nodiscard]] Outcome plan_copy(const Copy& copy, const Limits& limits,
                                std::span<const atlas::ShapeRow> shapes = atlas::shape_rows());

/// The widest message, in registers, that a CTA of `threads` threads and the option --max-message allow.
[[nodiscard]] Limits limits_for(int threads, int max_message);

} // namespace tmemc::match
