// The emitted text against the program. The PTX is read back and run on the emulator, statement by statement:
// what a statement reads gets fresh tags, its lines alone are executed, and every register, cell and byte
// that they or the statement touch is compared with the logical copy, which comes from the program's maps
// and never from the plan. So a swapped register, a column too far, a lost message or a wrong branch is found
// on every compile, before anything is written. A mismatch is a bug in tmemc.
//
//     copy_async Y <- T;   tags in T's cells; the lines run; Y's registers must hold the tags as the maps of
//                          T and Y say, and nothing else may have changed
//
// A function is played as if it were a kernel: by the second warpgroup of a CTA of two, on tensor memory that
// does not begin at column 0, with registers for its fragments.
//
// It also looks at what has no data: waits stand where the schedule has them, `sync` is a barrier between
// fences, what is allocated is freed on every path. Not here: whether the maps are those of the hardware
// (the tests of atlas and emulator), whether the waits are enough (order).
#pragma once

#include "base/source.hpp"
#include "lower/lower.hpp"
#include "order/order.hpp"
#include "ptx/write.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace tmemc::verify {

/// What the stages before left behind.
struct Subject {
    const sema::Program& written;
    const sema::Program& program; // what was lowered
    const order::Schedule& schedule;
    const space::Space& space;
    const lower::Trace& trace;
    const ptx::Written& ptx;
};

struct Element {
    int row = 0, col = 0;
    bool operator==(const Element&) const = default;
};
/// The first thing that is not as it should be.
struct Mismatch {
    std::string kernel;
    base::Span statement = base::no_place; // of the program; nothing: the kernel's beginning or end
    std::uint32_t line = 0;                // of the PTX text, 0 when it is no single one
    std::string what;                      // the sentence
    std::optional<Element> element;        // of the fragment or tensor, when a value is wrong
    std::string where;                     // "thread 5, register 3 (%X_3)"
    std::uint32_t expected = 0, found = 0; // the word there, or the byte
    bool operator==(const Mismatch&) const = default;
};
struct VerifyResult {
    std::optional<Mismatch> mismatch;
    bool operator==(const VerifyResult&) const = default;
};

[[nodiscard]] VerifyResult verify(const Subject& subject);

/// "kernel roundtrip, line 12 `copy_async Y <- T;`: element (3, 4) ..."
[[nodiscard]] std::string to_string(const Mismatch& mismatch, const base::Source& source);

} // namespace tmemc::verify
