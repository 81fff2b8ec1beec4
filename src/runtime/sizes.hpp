// Tensors whose size a scalar gives: `in A: f32[n, 64] pitch p` has n rows, p elements apart, once n and p
// have values. A launch cannot do without, so the scalars come first and the tensors after them.
#pragma once

#include "runtime/call.hpp"

#include <map>
#include <optional>
#include <string>

namespace tmemc::runtime {

/// Puts the values of scalars into the shapes and pitches that they give; one sentence when one cannot be.
/// Scalars that have no value are passed over.
[[nodiscard]] std::optional<std::string> give_sizes(Signature& signature,
                                                    const std::map<std::string, Array>& values);

} // namespace tmemc::runtime
