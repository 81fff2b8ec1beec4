// What the decoders of tensor memory's instructions have in common: a module must be for a chip that has
// them, by its .target and by a .version that knows this target. What the decoded operations share when they
// run is in tensor_operand.hpp.
#pragma once

#include "emulator/decode.hpp"

namespace tmemc::emulator {

/// False, and a refusal, when the module's .version is older than its .target: sm_103a is known from 8.8 on.
[[nodiscard]] bool require_tensor_target(Decoding& decoding);

} // namespace tmemc::emulator
