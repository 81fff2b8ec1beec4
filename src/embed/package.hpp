// A compiled file as other programs use it: its cubins, one per target, and how its kernels are called.
// Header and manifest are two ways to write a Package down.
//
//     roundtrip.tmx for sm_100a and sm_103a -> {"roundtrip.tmx", two images, one kernel: A in, B out, grid 1,
//     ...}
//
// The signature is the program's and does not depend on the target. Functions, which no one can launch, are
// left out. Not here: launching (launch.h).
#pragma once

#include "lower/lower.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"
#include "toolchain/chip.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace tmemc::embed {

/// What was made of the file for one target.
struct Build {
    const sema::Program& program;
    const space::Space& space;
    const lower::Trace& trace;
    std::string ptx, cubin;
};

struct Image {
    std::string target; // "sm_100a"
    std::string ptx, cubin;
    bool software_tmem = false;               // tensor memory is kept in shared or global memory
    std::vector<std::uint64_t> scratch_bytes; // of global memory in place of it, for a launch of each kernel,
                                              // to which a last parameter points; empty: no kernel needs any
    bool operator==(const Image&) const = default;
};
struct Kernel {
    std::string name;
    std::vector<sema::Parameter> parameters; // tensors and scalars, in the order of the launch
    std::array<std::int64_t, 3> grid{1, 1, 1};
    int threads = 0;
    int columns = 0;                // of tensor memory
    std::uint64_t shared_bytes = 0; // for the target that needs most
    bool operator==(const Kernel&) const = default;
};
struct Package {
    std::string source;        // the file's name, without its folder
    std::vector<Image> images; // in the order of -arch
    std::vector<Kernel> kernels;
    bool operator==(const Package&) const = default;
};

[[nodiscard]] toolchain::Chip chip_of(const Image& image);
/// How many kernels a launch can name.
[[nodiscard]] std::size_t launchable(const sema::Program& program);
/// `path` names the source; there is at least one build.
[[nodiscard]] Package package(const std::string& path, const std::vector<Build>& builds);

} // namespace tmemc::embed
