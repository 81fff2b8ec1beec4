// What the decoders of tensor memory have in common.
#pragma once

#include "emulator/decode.hpp"

namespace tmemc::emulator {

/// False, and a refusal, when the module's .version is older than its .target: sm_103a is known from 8.8 on.
[[nodiscard]] bool require_tensor_target(Decoding& decoding);

} // namespace tmemc::emulator
