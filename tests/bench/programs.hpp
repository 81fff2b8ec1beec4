// The programs that are timed and what they share. Kernels of one loop are made here, as text, because their
// size is the point:
//
//     for i in 0..1000 { copy_async T[:, i%500 +: 1] <- X[:, i/500 +: 1]; wait st; }
//
// is a thousand copies of which no two are the same pair of regions (`distinct`), so that nothing remembered
// of one helps with the next; with `[:, 0 +: 1]` on both sides they are a thousand times the same one
// (`equal`). Programs that people would write are the files of examples/, found when the executable starts.
#pragma once

#include "pipeline.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tmemc::bench {

enum class Copies : std::uint8_t { equal, distinct };

/// A kernel of `count` stores to tensor memory, a wait behind every `between` of them; at most 10,000.
[[nodiscard]] base::Source loop_of_copies(Copies copies, std::int64_t count, std::int64_t between);
/// A kernel of one store of a whole tile, 128 rows by 512 elements of `dtype`.
[[nodiscard]] base::Source whole_tile(const std::string& dtype);
/// Every .tmx file of examples/, in the order of their names.
[[nodiscard]] std::vector<base::Source> examples();
/// The file's name without folder and suffix.
[[nodiscard]] std::string stem(const base::Source& source);

/// Ends the executable with the first error, if there is one.
void must_be_right(const base::Source& source, const base::Diagnostics& diagnostics);
/// The checked program of a source that must be right.
[[nodiscard]] sema::Program checked(const base::Source& source);
/// The whole way to PTX, likewise.
[[nodiscard]] Compilation compiled(const base::Source& source);

} // namespace tmemc::bench
