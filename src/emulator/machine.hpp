// A machine that executes PTX text. It knows PTX and tensor memory, by formulas of its own, and nothing of
// the compiler, so that it can judge it. load() reads a module and decodes its kernels, or the one that is to
// run, once: what is not known in another kernel, or in a function that this one does not reach, does not
// matter. run() executes one launch, CTA by CTA, a warp at a time. Everything wrong at run time is a Fault
// that names the instruction, its line, the warp and, where there is one, the lane and column. Not here:
// device memory management for programs (src/runtime), source lines of a .tmx (src/pipeline maps them).
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "emulator/memory.hpp"
#include "ptx/read.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::emulator {

struct Dimensions {
    std::uint32_t x = 1, y = 1, z = 1;
    bool operator==(const Dimensions&) const = default;
};

/// One `.param` of a kernel, in order.
struct KernelParameter {
    std::string name;
    std::string type;                    // "u64", "f32"
    std::uint32_t offset = 0, bytes = 0; // in the parameter block
    bool operator==(const KernelParameter&) const = default;
};
struct KernelSignature {
    std::string name;
    std::vector<KernelParameter> parameters;
    std::uint32_t parameter_bytes = 0;
    std::optional<Dimensions> required_threads; // .reqntid
    bool clusters = false;                      // of more than one CTA: .reqnctapercluster, .explicitcluster
    std::optional<std::uint64_t> max_threads;   // .maxntid
    bool operator==(const KernelSignature&) const = default;
};

/// A decoded module. Immutable; may be run from several threads at once.
struct Executable;

struct LoadResult {
    std::shared_ptr<const Executable> executable; // null when there are errors
    std::vector<KernelSignature> kernels;         // that were decoded
    base::Diagnostics diagnostics;
};
/// Of all kernels, or of the one that is named.
[[nodiscard]] LoadResult load(const base::Source& ptx, std::string_view kernel = {});
/// The same of all kernels of a text that has been read already.
[[nodiscard]] LoadResult load(const base::Source& ptx, const ptx::ReadResult& read);

struct Launch {
    std::string kernel;
    Dimensions grid, block;
    std::vector<std::byte> parameters; // laid out as the signature says
    std::uint32_t shared_bytes = 0;    // behind the kernel's own: its .extern .shared memory
};

struct Limits {
    std::uint64_t max_steps = 0;          // warp instructions, CTA after CTA on one thread; 0: none
    std::chrono::milliseconds timeout{0}; // 0: none
    bool uninitialised_is_fault = true;   // --uninit=fault; false: reads give zero
    bool strict_lanes = false;      // lane bits 5-6 of a tensor-memory address must name the executing warp
    std::uint32_t threads = 0;      // that CTAs are divided among; 0: as many as the machine has
    bool hazards_are_faults = true; // false: a missing wait shows only as the data it leads to
};

/// Where an instruction comes from, as .loc and .file say.
struct SourcePlace {
    std::string file;
    std::uint32_t line = 0, column = 0;
    bool operator==(const SourcePlace&) const = default;
};

/// What went wrong, where.
struct Fault {
    const base::Kind* kind = nullptr; // a TM07xx row
    std::string message;              // the kind's format with its arguments
    std::uint32_t line = 0;           // of the PTX text
    std::string instruction;          // as it stands there
    Dimensions cta{0, 0, 0};
    std::optional<SourcePlace> source; // by the .loc before it
    std::uint32_t warp = 0;
    std::optional<std::uint32_t> thread; // lane of the warp
    std::optional<int> lane, column;     // of tensor memory
    bool operator==(const Fault&) const = default;
};

struct Outcome {
    std::optional<Fault> fault;
    std::uint64_t thread_instructions = 0;
    double seconds = 0;
};

[[nodiscard]] Outcome run(const Executable& executable, GlobalMemory& memory, const Launch& launch,
                          const Limits& limits = {});

} // namespace tmemc::emulator
