// The signature of a kernel in a .ptx file. PTX says how many bytes a parameter has, not what its pointer
// points to, so the arguments bring the types: `A=zeros:f16[128,8]` makes the 64-bit parameter A a tensor,
// `n=100` is the value of one that is no pointer, `alpha=2.5` that of a narrower one. Every tensor may be
// read and written. A structure that is passed by value is its bytes: `S=hex:01000000`.
//
// A cubin has lost the names and types of parameters and kept their sizes. They are called p0, p1, ... in
// their order; eight bytes may be a pointer, as in PTX, and the value of four is an f32 when it is written
// with a fraction.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "ptx/module.hpp"
#include "runtime/call.hpp"
#include "runtime/spec.hpp"
#include "toolchain/cubin.hpp"

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tmemc::runtime {

struct PtxKernel {
    std::string name;
    std::vector<ptx::Parameter> parameters;
    std::optional<std::array<std::uint32_t, 3>> required_threads; // .reqntid
};
struct PtxKernels {
    std::vector<PtxKernel> kernels;
    base::Diagnostics diagnostics; // against the PTX text
};
[[nodiscard]] PtxKernels kernels_of(const base::Source& ptx);
/// The entries of machine code.
[[nodiscard]] std::vector<PtxKernel> kernels_of(const toolchain::Cubin& cubin);

/// The signature, its grid and block left at their defaults; or one sentence that says which argument does
/// not fit.
[[nodiscard]] std::variant<Signature, std::string>
signature_of(const PtxKernel& kernel, const std::vector<std::pair<std::string, std::string>>& arguments,
             const FileReader& read_file);

} // namespace tmemc::runtime
