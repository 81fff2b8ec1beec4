// Calls of device functions. A function is decoded once per kernel, with slots of its own in the register
// file, so a call only moves the program counter; what must be kept for the way back is kept per lane,
// because lanes that come from different calls may run a function together. A lane's frame in local memory
// holds the function's `.param`s and `.local`s, behind the frame of its caller:
//
//     kernel      | %param0 retval0 | f's parameters, results, locals | g's ...
//                 0                 128
//
// Arguments are copied into the new frame, results back out of it. Only a recursive function has its
// registers saved, as another call of it may be under way in the same lane. Source: PTX ISA 7.1, 9.7.12
// (call, ret). Not here: calls through registers, which decoding refuses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tmemc::emulator {

/// Of one lane that is inside a function.
struct Frame {
    std::uint32_t call = 0;    // in Kernel::calls
    std::uint32_t back = 0;    // the instruction behind it
    std::uint64_t address = 0; // of the caller's frame in local memory
    struct Saved {
        std::array<std::uint64_t, 2> bits{};
        bool ready = false;
    };
    std::vector<Saved> saved; // the registers of a recursive callee
};
/// The calls that a lane is inside, and where its frame begins.
struct CallStack {
    std::vector<Frame> frames;
    std::uint64_t address = 0;
};

inline constexpr std::size_t most_calls = 4096; // inside each other
inline constexpr std::uint64_t most_local_bytes =
    std::uint64_t{512} * 1024; // of a thread: CUDA, table of technical specifications
inline constexpr std::uint64_t frame_alignment = 128;

} // namespace tmemc::emulator
