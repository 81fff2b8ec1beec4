// Whether the program that is lowered means what was written. They differ only where a load folds rows on its
// way (lower/fused_loads.hpp), and that must be right whatever the fuser thought:
//
//     copy_async X <- T;        and X_max[:, 0:2] <- the greatest of columns 0 to 63, and of 64 to 127
//     M = row_max(X);           written         M = row_max(X_max[:, 0:2]);       lowered
//
// So one walk keeps what each column of a new fragment stands for, until somebody overwrites a part of that,
// and looks at each reduction that was changed: the columns that it now takes stand for those it took, each
// once, of the same rows and warpgroup. Not here: whether a load gives what it says (logical.hpp).
#pragma once

#include "verify/verify.hpp"

namespace tmemc::verify {

/// The first statement that means something else.
[[nodiscard]] std::optional<Mismatch> misfused(const sema::Kernel& written, const sema::Kernel& fused);

} // namespace tmemc::verify
