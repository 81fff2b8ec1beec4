// The text of a kernel, cut into stretches: the instructions of each statement, found by their lines, and the
// gaps between them, which hold addresses, the allocation, branches round the statements of one warpgroup,
// inserted waits and the end. What may stand where is looked at here, before anything runs:
//
//     tcgen05.ld, st     in statements that are such a copy       ld.global, st.global    likewise
//     ld.shared, st.shared, bar.warp.sync    in copies between global memory and fragments
//     bar.sync, fences   `sync` is exactly those; a gap may have bar.sync
//     alloc, dealloc, ret                                         in gaps
//
// Where tensor memory is kept in software, nothing of tcgen05 may stand anywhere. Its copies are loads or
// stores of shared or global memory, a wait is a barrier of the warp and nothing else, `sync` has no fences.
//
//     bra                forwards, never into or out of a statement
//
// Since nothing branches backwards, every run of the text ends.
#pragma once

#include "lower/lower.hpp"
#include "ptx/read.hpp"
#include "sema/program.hpp"
#include "verify/verify.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::verify {

/// Instructions [first, last), numbered in the order of the text.
struct Stretch {
    std::uint32_t first = 0, last = 0;
    [[nodiscard]] bool empty() const { return first == last; }
    bool operator==(const Stretch&) const = default;
};

struct Outline {
    std::vector<const ptx::Instruction*> code;
    std::vector<std::uint32_t> lines;            // of each instruction
    std::map<std::string, std::uint32_t> labels; // the instruction behind it
    std::vector<Stretch> statements;             // parallel to the kernel's
    std::vector<Stretch> gaps; // before the first statement that has instructions, between, behind
    bool reads_cta = false;    // %ctaid
};

/// Where the kernel's tensor memory is, if it has some.
enum class Memory : std::uint8_t { none, hardware, shared, global };
[[nodiscard]] constexpr bool in_software(Memory memory) {
    return memory == Memory::shared || memory == Memory::global;
}

/// The instruction that a branch goes to.
[[nodiscard]] std::optional<std::uint32_t> target(const Outline& outline, const ptx::Instruction& branch);
/// What is wrong with an instruction, or at the end of the text.
[[nodiscard]] Mismatch mismatch_at(const Outline& outline, std::uint32_t instruction, std::string what);

/// `written` are the lines of the function's body statements as they were written, `read` the text itself.
[[nodiscard]] Outline outline(const lower::KernelTrace& trace, const std::vector<std::uint32_t>& written,
                              const ptx::ReadResult& read);
/// The first instruction that stands where it may not.
[[nodiscard]] std::optional<Mismatch> misplaced(const Outline& outline, const sema::Kernel& kernel,
                                                Memory memory);
/// The first path that ends with columns allocated, or frees what it has not (paths.cpp).
[[nodiscard]] std::optional<Mismatch> leaking_path(const Outline& outline);
/// What is missing round the allocation and the deallocation of a kernel that has both (allocation.cpp).
[[nodiscard]] std::optional<Mismatch> broken_frame(const Outline& outline);
/// The first place where lanes of a warp exchange data without a barrier of the warp between (staging.cpp).
[[nodiscard]] std::optional<Mismatch> unordered_lanes(const Outline& outline, const sema::Kernel& kernel);

[[nodiscard]] inline bool starts_with(const std::string& name, std::string_view head) {
    return name.compare(0, head.size(), head) == 0;
}

} // namespace tmemc::verify
