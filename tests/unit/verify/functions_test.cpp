// Functions at work: an emitted `.visible .func` is called by a kernel that no compiler of ours has seen,
// from the second warpgroup of its CTA, and leaves in memory what plain C++ computes.
#include "compiled.hpp"
#include "launch.hpp"

#include <doctest/doctest.h>

#include <cstring>

using namespace tmemc;
using namespace tmemc::test;

namespace {

constexpr int rows = 128, cols = 64;

/// Loads the accumulator twice over, once through staging memory, and adds what is in it.
const char* const function_text =
    R"(function scaled(tmem acc: f32[128, 64] datapath D, out C: f32[128, 64], out D: f32[128, 64],
                scale: f32) {
  frag X: f32[128, 64];
  frag Y: f32[128, 64] atom 16x256b;
  copy_async X <- acc;
  copy_async Y <- acc;
  wait ld;
  X = X * scale;
  copy C <- X staged;
  copy D <- Y direct;
})";

/// 256 threads; warps 4 to 7 fill columns 64 to 127 with A's bits, lane by lane, and call.
const char* const caller_text = R"(
.visible .entry caller(.param .u64 A, .param .u64 C, .param .u64 D) .reqntid 256
{
    .shared .align 4 .b32 slot;
    .shared .align 128 .b8 area[49152];
    .reg .b32 %me, %base, %at, %lane, %area, %row, %value, %taddr, %column;
    .reg .b64 %A, %C, %D, %offset;
    .reg .pred %p;
    mov.u32 %me, %tid.x;
    mov.u32 %at, slot;
    setp.lt.u32 %p, %me, 32;
    @!%p bra allocated;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%at], 128;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
allocated:
    bar.sync 0;
    ld.shared.b32 %base, [%at];
    add.u32 %base, %base, 64;
    setp.lt.u32 %p, %me, 128;
    @%p bra done;
    and.b32 %row, %me, 127;
    and.b32 %lane, %me, 96;
    shl.b32 %lane, %lane, 16;
    add.u32 %taddr, %base, %lane;
    ld.param.u64 %A, [A];
    mul.wide.u32 %offset, %row, 256;
    add.s64 %A, %A, %offset;
    mov.u32 %column, 0;
next:
    ld.global.b32 %value, [%A];
    tcgen05.st.sync.aligned.32x32b.x1.b32 [%taddr], {%value};
    add.s64 %A, %A, 4;
    add.u32 %taddr, %taddr, 1;
    add.u32 %column, %column, 1;
    setp.lt.u32 %p, %column, 64;
    @%p bra next;
    tcgen05.wait::st.sync.aligned;
    ld.param.u64 %C, [C];
    ld.param.u64 %D, [D];
    mov.u32 %area, area;
    {
        .param .b32 p0;
        .param .b64 p1;
        .param .b64 p2;
        .param .b32 p3;
        .param .b32 p4;
        st.param.b32 [p0], %base;
        st.param.b64 [p1], %C;
        st.param.b64 [p2], %D;
        st.param.b32 [p3], 0f3F000000;
        st.param.b32 [p4], %area;
        call.uni scaled, (p0, p1, p2, p3, p4);
    }
done:
    bar.sync 0;
    setp.lt.u32 %p, %me, 32;
    @!%p bra freed;
    sub.u32 %base, %base, 64;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %base, 128;
freed:
    ret;
}
)";

} // namespace

TEST_CASE("a kernel of other origin calls an emitted function from its second warpgroup") {
    const base::Source source("f.tmx", function_text);
    const Compilation made = compile(source);
    REQUIRE_MESSAGE(made.ok(), explain(made, source));
    const auto verified = verify_text(made);
    REQUIRE_MESSAGE(!verified.mismatch, verify::to_string(*verified.mismatch, source));
    REQUIRE(made.trace.kernels[0].shared_bytes != 0);

    const emulator::LoadResult loaded = emulator::load(base::Source("k.ptx", made.ptx.text + caller_text));
    REQUIRE(loaded.executable);
    Bytes a(rows * cols * 4), c(a.size()), d(a.size());
    for (std::size_t i = 0; i < rows * cols; ++i) {
        const float value = static_cast<float>(i) * 0.25F - 100.0F;
        std::memcpy(a.data() + i * 4, &value, 4);
    }
    emulator::GlobalMemory memory;
    emulator::Launch launch;
    launch.kernel = "caller";
    launch.block = {256, 1, 1};
    std::vector<std::uint64_t> addresses;
    for (const Bytes* each : {&a, &c, &d}) {
        addresses.push_back(memory.allocate(each->size()));
        memory.write(addresses.back(), *each);
    }
    launch.parameters.resize(24);
    std::memcpy(launch.parameters.data(), addresses.data(), 24);
    const emulator::Outcome outcome = emulator::run(*loaded.executable, memory, launch);
    REQUIRE_MESSAGE(!outcome.fault, outcome.fault->message);
    memory.read(addresses[1], c);
    memory.read(addresses[2], d);
    CHECK(d == a);
    for (std::size_t i = 0; i < rows * cols; ++i) {
        float in = 0, out = 0;
        std::memcpy(&in, a.data() + i * 4, 4);
        std::memcpy(&out, c.data() + i * 4, 4);
        REQUIRE(out == in * 0.5F);
    }
}

TEST_CASE("functions that stage divide one memory among their warps in one way") {
    const base::Source source("f.tmx", R"(
function small(in frag H: f16[128, 32], out C: f16[128, 32]) { copy C <- H staged; }
function wide(in A: f32[128, 32], out frag X: f32[128, 32]) { copy X <- A staged; }
function none(in A: f32[128, 32], out frag X: f32[128, 32]) { copy X <- A direct; }
)");
    Compilation made = compile(source);
    REQUIRE_MESSAGE(made.ok(), explain(made, source));
    const auto& kernels = made.trace.kernels;
    CHECK(kernels[0].shared_bytes == kernels[1].shared_bytes);
    CHECK(kernels[1].shared_bytes == kernels[1].globals[0].shared_bytes);
    CHECK(kernels[0].globals[0].shared_bytes < kernels[0].shared_bytes);
    CHECK(kernels[2].shared_bytes == 0);
    CHECK(!verify_text(made).mismatch);

    const std::string step = ", " + std::to_string(kernels[0].shared_bytes / 4) + ", %staging_base;";
    const std::size_t at = made.ptx.text.find(step);
    REQUIRE(at != std::string::npos);
    const std::string own =
        ", " + std::to_string(kernels[0].globals[0].shared_bytes / 4) + ", %staging_base;";
    made.ptx.text.replace(at, step.size(), own);
    CHECK(verify_text(made).mismatch);
    made.trace.kernels[0].shared_bytes = kernels[0].globals[0].shared_bytes;
    CHECK(verify_text(made).mismatch);
}
