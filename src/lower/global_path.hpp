// Which way a global copy goes: straight between registers and memory, or through shared memory. A warp's
// access is served line by line, and fetched by sectors, so what it costs is the lines of 128 bytes and the
// sectors of 32 that its 32 threads touch:
//
//     f32[128, 32], rows per thread, direct:   8 accesses of 16 bytes, each touches 32 lines      256
//                                    staged:   8 accesses of the walk, each covers 4 whole lines   32
//
// Where the program names no way, the table of costs (atlas/costs.hpp) says from which proportion on staging
// pays. Not here: the accesses themselves (global_access.hpp, staged_plan.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "lower/staged_plan.hpp"
#include "sema/program.hpp"

#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tmemc::lower {

/// A copy's accesses.
struct GlobalPath {
    std::vector<AccessGroup> direct;
    std::optional<StagedPlan> staged; // when it is taken
    int direct_lines = 0;             // that all accesses of a warpgroup touch
    int staged_lines = 0;             // of the walk; 0: the copy cannot be staged, or nobody asked
    bool operator==(const GlobalPath&) const = default;
};

/// Lines and sectors that the accesses of a warpgroup touch, each warp and access by itself.
struct Touched {
    int lines = 0, sectors = 0;
    Touched& operator+=(const Touched& more) {
        lines += more.lines;
        sectors += more.sectors;
        return *this;
    }
};
/// With `rows_apart`, where a parameter gives the pitch, no line has parts of two rows.
[[nodiscard]] Touched touched(const std::vector<AccessGroup>& groups, bool rows_apart = false);

/// Finds the ways of a kernel's copies, each image's forms and tiles once.
class GlobalPaths {
  public:
    /// `widest` bytes are the target's widest access.
    GlobalPaths(const sema::Kernel& kernel, int widest) : kernel_(kernel), widest_(widest) {}

    /// A copy that is `staged` in the program and cannot be is reported.
    [[nodiscard]] GlobalPath path(const sema::GlobalCopy& copy, base::Span span,
                                  base::Diagnostics& diagnostics);
    [[nodiscard]] const std::vector<ThreadForm>& forms(const sema::Fragment& fragment, bool every_copy);

  private:
    using Key = std::pair<std::size_t, bool>; // image, every_copy
    [[nodiscard]] const std::variant<WarpTiles, int>& tiles(const sema::Fragment& fragment, bool every_copy);

    const sema::Kernel& kernel_;
    int widest_;
    std::map<Key, std::vector<ThreadForm>> forms_;
    std::map<Key, std::variant<WarpTiles, int>> tiles_;
};

} // namespace tmemc::lower
