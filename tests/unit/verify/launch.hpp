// Runs the kernel `k` of a PTX text on the emulator, 128 threads, for tests that judge what it makes of their
// bytes: tensors first, in the order of its parameters, then scalars.
#pragma once

#include "emulator/machine.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

namespace tmemc::test {

using Bytes = std::vector<std::byte>;

/// The tensors as the kernel leaves them.
inline std::vector<Bytes> launched(const std::string& ptx, std::vector<Bytes> tensors,
                                   const std::vector<Bytes>& scalars = {}) {
    const emulator::LoadResult loaded = emulator::load(base::Source("k.ptx", ptx));
    REQUIRE(loaded.executable);
    const auto& parameters = loaded.kernels[0].parameters;
    REQUIRE(parameters.size() == tensors.size() + scalars.size());
    emulator::GlobalMemory memory;
    emulator::Launch launch;
    launch.kernel = "k";
    launch.block = {128, 1, 1};
    launch.parameters.resize(loaded.kernels[0].parameter_bytes);
    std::vector<std::uint64_t> addresses;
    addresses.reserve(tensors.size());
    for (std::size_t p = 0; p < tensors.size(); ++p) {
        addresses.push_back(memory.allocate(tensors[p].size()));
        memory.write(addresses[p], tensors[p]);
        std::memcpy(launch.parameters.data() + parameters[p].offset, &addresses[p], 8);
    }
    for (std::size_t s = 0; s < scalars.size(); ++s)
        std::memcpy(launch.parameters.data() + parameters[tensors.size() + s].offset, scalars[s].data(),
                    scalars[s].size());
    const emulator::Outcome outcome = emulator::run(*loaded.executable, memory, launch);
    REQUIRE_MESSAGE(!outcome.fault, outcome.fault->message);
    for (std::size_t p = 0; p < tensors.size(); ++p) memory.read(addresses[p], tensors[p]);
    return tensors;
}

} // namespace tmemc::test
