// A PTX program under test: loaded from a body and its declarations, launched on buffers that are plain
// vectors.
//
//     Program program(entry("add.u32 %r1, %r0, 1; ..."));
//     const Outcome outcome = program.run({.block = {32}}, buffers);
#pragma once

#include "base/source.hpp"
#include "emulator/decode.hpp"
#include "emulator/machine.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace tmemc::emulator {

/// A module of one kernel `k` with two pointers `in` and `out`, whose addresses are in %in and %out.
inline std::string kernel(const std::string& body) {
    return ".version 9.0\n.target sm_100a\n.address_size 64\n"
           ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n"
           ".reg .pred %p<64>; .reg .b16 %h<64>; .reg .b32 %r<300>; .reg .b64 %d<64>; .reg .f32 %f<64>;\n"
           ".reg .b128 %q<20>; .reg .b64 %in, %out;\n"
           "ld.param.u64 %in, [in]; ld.param.u64 %out, [out];\n" +
           body + "\n}\n";
}

/// One kernel with tensor memory of 32 to 512 columns; %t is its address, %lane the warp's first lane shifted
/// into place. Warp 0 allocates, then every thread runs `body`, then warp 0 deallocates.
inline std::string tensor_kernel(int columns, const std::string& body) {
    const std::string n = std::to_string(columns);
    return kernel(
        ".shared .align 4 .b32 slot;\n.reg .b32 %t, %warp_lane, %tid; .reg .pred %others;\n"
        "mov.u32 %tid, %tid.x; setp.gt.u32 %others, %tid, 31;\n@%others bra HAVE;\n"
        "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], " +
        n +
        ";\ntcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nHAVE: bar.sync 0;\n"
        "ld.shared.b32 %t, [slot]; and.b32 %warp_lane, %tid, 96; shl.b32 %warp_lane, %warp_lane, 16;\n"
        "add.u32 %t, %t, %warp_lane;\n" +
        body +
        "\nbar.sync 0;\n@%others bra END;\nsub.u32 %t, %t, %warp_lane;\n"
        "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %t, " +
        n + ";\nEND: ret;");
}

struct Shape {
    Dimensions block{32, 1, 1};
    Dimensions grid{1, 1, 1};
};

class Program {
  public:
    explicit Program(const std::string& text, CpuLevel level = cpu_level())
        : source_("test.ptx", text), loaded_(load(source_, level)) {
        for (const auto& diagnostic : loaded_.diagnostics.list) {
            FAIL_CHECK("line ", source_.position(diagnostic.span.begin).line, ": ", diagnostic.message);
        }
    }

    /// Runs kernel `k` on copies of the buffers in global memory; `out` is copied back.
    template <class In, class Out>
    Outcome run(const Shape& shape, const std::vector<In>& in, std::vector<Out>& out,
                const Limits& limits = {}) {
        GlobalMemory memory;
        const std::uint64_t from = memory.allocate(in.size() * sizeof(In));
        const std::uint64_t to = memory.allocate(out.size() * sizeof(Out));
        memory.write(from, std::as_bytes(std::span(in)));
        memory.write(to, std::as_bytes(std::span(out)));
        Launch launch{"k", shape.grid, shape.block, std::vector<std::byte>(16)};
        std::memcpy(launch.parameters.data(), &from, 8);
        std::memcpy(launch.parameters.data() + 8, &to, 8);
        REQUIRE(loaded_.executable != nullptr);
        const Outcome outcome = emulator::run(*loaded_.executable, memory, launch, limits);
        memory.read(to, std::as_writable_bytes(std::span(out)));
        return outcome;
    }

  private:
    base::Source source_;
    LoadResult loaded_;
};

/// What the outcome's fault says, for messages; empty without one.
inline std::string words(const Outcome& outcome) {
    return outcome.fault ? std::string(outcome.fault->kind->code) + " " + outcome.fault->message
                         : std::string();
}
/// The code of its fault; empty without one.
inline std::string code(const Outcome& outcome) {
    return outcome.fault ? std::string(outcome.fault->kind->code) : std::string();
}

} // namespace tmemc::emulator
