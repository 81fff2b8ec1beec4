// Plan to PTX. A kernel becomes: parameters and addresses, global loads that may go first, the allocation
// (one warp asks, the address passes through shared memory and a barrier), then the statements in order, then
// a barrier and the deallocation by the warp that allocated. A function becomes a .func: parameters into
// registers, then what is its callers' to know (the warp's lanes, staging memory), then the statements;
// fragment parameters have no form in PTX and are registers that nothing fills. Registers are named after the
// program's objects: register 3 of X is %X_3. The Trace says which PTX statements each program statement
// became, and the name of each fragment's registers.
#pragma once

#include "base/diagnostics.hpp"
#include "base/source.hpp"
#include "match/plan.hpp"
#include "order/order.hpp"
#include "ptx/module.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tmemc::lower {

/// Body statements [first, last) of a ptx::Function.
struct Extent {
    std::size_t first = 0, last = 0;
    bool operator==(const Extent&) const = default;
};
/// How a global copy was done.
struct GlobalAccess {
    std::size_t statement = 0; // into sema::Kernel::statements; a GlobalCopy
    bool staged = false;       // through shared memory
    int width = 0;             // bytes of the widest access
    int shared_bytes = 0;
    int direct_lines = 0, staged_lines = 0; // of memory that each way touches (global_path.hpp)
    int on_the_way = 0; // registers of a staged copy that hold what moves between shared and global memory
    bool operator==(const GlobalAccess&) const = default;
};
/// Of tensor memory in software: where a CTA's cells are (tensor_memory_software.hpp).
struct CellImage {
    std::uint64_t bytes = 0; // of a CTA; 0: the kernel has none
    std::string variable;    // in shared memory, of this name;
    std::string parameter; // or in global memory: slice `bytes * n` of CTA n, x first, of what this points to
    [[nodiscard]] std::uint64_t scratch_bytes() const { return parameter.empty() ? 0 : bytes; }
    bool operator==(const CellImage&) const = default;
};
/// Of a function: the register that holds a parameter behind the prologue. Fragments are not listed: they lie
/// in the registers of `KernelTrace::registers`. A scalar of 8 or 16 bits is extended to 32, by its sign if
/// it has one.
struct Binding {
    std::size_t parameter = 0; // into sema::Kernel::parameters; their number: the address of staging memory
    std::string name;          // of the register: "%A_base"
    std::string type;          // of the register: "b64" or "b32"
    bool operator==(const Binding&) const = default;
};
struct KernelTrace {
    std::size_t function = 0;                        // into ptx::Module::functions
    std::vector<Extent> statements;                  // parallel to sema::Kernel::statements
    std::vector<std::vector<std::string>> registers; // [fragment][register]: its name
    std::vector<GlobalAccess> globals;               // one per GlobalCopy, in program order
    CellImage cells;
    // Of a function:
    std::vector<Binding> bindings; // ascending; parameters that nothing reads have none
    Extent prologue;               // loads them from the parameters
    int shared_bytes = 0;          // of staging memory, whose address is then the last parameter
    bool operator==(const KernelTrace&) const = default;
};
struct Trace {
    std::vector<KernelTrace> kernels; // parallel to sema::Program::kernels
    bool software = false;            // tensor memory is kept in shared or global memory
    bool operator==(const Trace&) const = default;
};
struct LowerResult {
    ptx::Module module;
    Trace trace;
    base::Diagnostics diagnostics;
};

/// `software`: tensor memory is kept in shared or global memory.
[[nodiscard]] LowerResult lower(const sema::Program& program, const match::Plan& plan,
                                const order::Schedule& schedule, const space::Space& space,
                                const base::Source& source, bool software = false);

} // namespace tmemc::lower
