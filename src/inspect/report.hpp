// What ptxas made of each kernel, as numbers: a report. All of it is read from the cubin, of a program of
// ours or of any other, so it says what will run and not what was planned:
//
//     roundtrip: 14 registers, 32 columns, messages ld 32x32b.x4 once and st 32x32b.x4 once, 109 instructions
//
// Where the file does not tell a number it is absent (null in JSON): all that stands in the code, for a chip
// whose instructions are not known here; columns, when a kernel allocates as many as it is told or was
// compiled with -g or -O0; waits for loads, when the file has no second form of the code
// (toolchain/sass.hpp). Kernels are the entries of the file, in its order; the functions of a file without
// any.
//
// compare() holds a report against an earlier one: every number is better when it is smaller. Other kinds of
// messages are told and are neither: one long message and two short ones may take the same time.
#pragma once

#include "sema/program.hpp"
#include "space/space.hpp"
#include "toolchain/cubin.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::inspect {

struct KernelReport {
    using Count = std::optional<int>;
    using Messages = std::optional<std::map<std::string, int>>; // by shape and num: "32x32b.x4"
    std::string name;
    Count registers;
    Count spill_stores, spill_loads; // bytes, as ptxas -v counts them
    Count shared_bytes, barriers;
    Count columns; // of tensor memory, by tcgen05.alloc
    Count instructions;
    Messages loads, stores; // tcgen05.ld, tcgen05.st
    Count load_waits, store_waits;
    bool operator==(const KernelReport&) const = default;
};
struct Report {
    std::string target; // "sm_100a"
    std::vector<KernelReport> kernels;
    bool operator==(const Report&) const = default;
};

[[nodiscard]] Report report(const toolchain::Cubin& cubin);
/// Of the cubin that was made of a program: its target, and its kernels in its order. Columns that the code
/// does not tell, as it has them in a register at -O0, are those of the plan.
[[nodiscard]] Report report(const sema::Program& program, const space::Space& space,
                            const std::string& cubin);
[[nodiscard]] std::string report_text(const Report& report);
[[nodiscard]] std::string report_json(const Report& report);

struct ParsedReport {
    Report report;
    std::string error; // why the text is no report; empty: it is one
};
[[nodiscard]] ParsedReport read_report(std::string_view json);

/// A line for each number that changed, for the numbers that only one of the two tells, and for each kernel
/// that came or went. Only a number that grew is worse.
struct Comparison {
    std::string text;
    bool worse = false; // a number is
    bool operator==(const Comparison&) const = default;
};
[[nodiscard]] Comparison compare(const Report& now, const Report& earlier);

} // namespace tmemc::inspect
