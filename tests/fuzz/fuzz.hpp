// What the fuzz targets have in common. A target is a function of bytes, which libFuzzer calls with what it
// makes up (the build option `fuzz`), and replay.cpp with the files of corpus/: inputs that found something,
// and seeds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

/// Ends the process, as libFuzzer expects of a finding, when `holds` is false.
inline void demand(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", what);
    std::abort();
}

} // namespace fuzz
