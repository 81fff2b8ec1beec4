// The header with cubins: C99 and C++, everything in it `static inline` or `static const`. Behind launch.h,
// which all such headers share, stand the cubins and the PTX as bytes, the program that holds them, and a
// launcher per kernel with arguments of the types that C has:
//
//     static inline tmemc_result roundtrip_launch(const void *A, void *B, void *stream)
//
// A tensor is a pointer to float or an integer where C has the element's type and to void where not (f16,
// bf16, f8), const when it is only read; a scalar travels by value, without such a type as its bits. A kernel
// with sizes known at launch has a second launcher for part of its grid. The bytes depend on the package and
// names alone.
#pragma once

#include "embed/names.hpp"
#include "embed/package.hpp"

#include <string>

namespace tmemc::embed {

/// There is at least one kernel.
[[nodiscard]] std::string header(const Package& package, const Names& names);

} // namespace tmemc::embed
