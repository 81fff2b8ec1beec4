// How an operation says that the program went wrong: raise() records the first fault of the CTA, with the
// instruction and its place, and stops the warp. The caller returns at once. Only the failing path formats
// text.
#pragma once

#include "base/diagnostics.hpp"
#include "emulator/warp.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace tmemc::emulator {

/// Where in the warp or in tensor memory, as far as it is known.
struct Place {
    std::optional<std::uint32_t> thread; // lane of the warp
    std::optional<TensorCell> cell;
};

void record(Warp& warp, const Instruction& instruction, const base::Kind& kind, std::string message,
            Place place);

template <class... Arguments>
void raise(Warp& warp, const Instruction& instruction, Place place, const base::TypedKind<Arguments...>& kind,
           const std::type_identity_t<Arguments>&... arguments) {
    record(warp, instruction, kind, fmt::format(fmt::runtime(kind.format), arguments...), place);
}

/// The PTX line of an instruction of the warp's kernel; 0 at the closing brace.
[[nodiscard]] std::uint32_t line_of(const Warp& warp, const Instruction& instruction);
/// The function and the statement of its body; nothing of the exit at a closing brace.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> place_of(const Warp& warp,
                                                                          const Instruction& instruction);
/// The name of the register that a slot holds.
[[nodiscard]] std::string register_name(const Kernel& kernel, Slot slot);

} // namespace tmemc::emulator
