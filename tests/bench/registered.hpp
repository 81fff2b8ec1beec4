// What the executable runs. Benchmarks are registered by calls and not by the library's macros: the examples
// are not known before the folder is read.
#pragma once

namespace tmemc::bench {

void register_copies();
void register_emulation();
void register_stages();
/// True when a benchmark that ran took longer than it may.
[[nodiscard]] bool too_slow();

} // namespace tmemc::bench
