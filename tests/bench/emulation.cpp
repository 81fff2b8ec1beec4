// How fast the emulator executes, in thread-instructions per second of one core: two kernels of 128 threads
// over a grid of 2,000, at each CPU level, with every check and with those that can be left out left out.
//
//     straight   500 dependent fma, mul and add of f32, eight chains side by side, nothing else
//     epilogue   128x256 accumulators from tensor memory, unrolled: tcgen05.ld, scale and bias, a leaky
//                maximum, bf16x2, st.global.v4; each CTA has a tile of its own to write
//
// The counter is what to read, not the time. Not here: several cores.
#include "registered.hpp"

#include "emulator/decode.hpp"
#include "emulator/machine.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace tmemc::bench {

namespace {

constexpr std::uint32_t ctas = 2000, threads = 128, columns = 256;
constexpr std::uint64_t tile_bytes = std::uint64_t{threads} * columns * 2; // bf16

struct EmulatedKernel {
    std::string text;
    std::uint64_t out_bytes = 0; // of the buffer behind its only parameter
};

std::string entry(const std::string& body) {
    return ".version 9.0\n.target sm_100a\n.address_size 64\n.shared .align 4 .b32 slot;\n"
           ".visible .entry k(.param .u64 out) .reqntid 128\n{\n"
           ".reg .pred %p<2>; .reg .b32 %r<64>; .reg .b64 %d<4>; .reg .f32 %f<64>, %scale, %bias, %slope;\n" +
           body + "ret;\n}\n";
}

EmulatedKernel straight() {
    std::string body = "mov.b32 %scale, 0f3F7FFF00; mov.b32 %bias, 0f3A000000;\n";
    for (int chain = 0; chain < 8; ++chain) body += fmt::format("mov.b32 %f{}, 0f3F800000;\n", chain);
    for (int turn = 0; turn < 500; ++turn) {
        const int f = turn % 8;
        const int kind = turn / 8 % 3;
        body += kind == 0   ? fmt::format("fma.rn.f32 %f{0}, %f{0}, %scale, %bias;\n", f)
                : kind == 1 ? fmt::format("mul.f32 %f{0}, %f{0}, %scale;\n", f)
                            : fmt::format("add.f32 %f{0}, %f{0}, %bias;\n", f);
    }
    return {entry(body), 8};
}

// %r0 is the tensor-memory address, %d0 the thread's row of the tile. What a matrix product would have left
// in tensor memory is stored there first, with one register for all columns.
EmulatedKernel epilogue() {
    std::string body = "mov.u32 %r1, %tid.x; setp.gt.u32 %p0, %r1, 31;\n@%p0 bra HAVE;\n"
                       "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 256;\n"
                       "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\nHAVE: bar.sync 0;\n"
                       "ld.shared.b32 %r0, [slot]; ld.param.u64 %d0, [out];\n"
                       "mov.u32 %r2, %ctaid.x; mul.wide.u32 %d1, %r2, 65536; add.u64 %d0, %d0, %d1;\n"
                       "mul.wide.u32 %d1, %r1, 512; add.u64 %d0, %d0, %d1; add.u32 %r3, %r1, 0x3f800000;\n"
                       "mov.b32 %scale, 0f3F7FFF00; mov.b32 %bias, 0fBF800000; mov.b32 %slope, 0f3E000000;\n";
    std::string same = "%r3", loaded = "%f0";
    for (int k = 1; k < 32; ++k) {
        same += ", %r3";
        loaded += fmt::format(", %f{}", k);
    }
    for (int at = 0; at < 256; at += 32)
        body += fmt::format("tcgen05.st.sync.aligned.32x32b.x32.b32 [%r0+{}], {{{}}};\n", at, same);
    body += "tcgen05.wait::st.sync.aligned;\n";
    for (int at = 0; at < 256; at += 32) {
        body += fmt::format("tcgen05.ld.sync.aligned.32x32b.x32.b32 {{{}}}, [%r0+{}];\n", loaded, at);
        body += "tcgen05.wait::ld.sync.aligned;\n";
        for (int k = 0; k < 32; ++k)
            body += fmt::format("fma.rn.f32 %f{0}, %f{0}, %scale, %bias; mul.f32 %f{1}, %f{0}, %slope; "
                                "max.f32 %f{0}, %f{0}, %f{1};\n",
                                k, 32 + k);
        for (int pair = 0; pair < 16; ++pair)
            body += fmt::format("cvt.rn.bf16x2.f32 %r{}, %f{}, %f{};\n", 8 + pair, 2 * pair + 1, 2 * pair);
        for (int k = 0; k < 16; k += 4)
            body += fmt::format("st.global.v4.b32 [%d0+{}], {{%r{}, %r{}, %r{}, %r{}}};\n", at * 2 + k * 4,
                                8 + k, 9 + k, 10 + k, 11 + k);
    }
    body += "bar.sync 0;\n@%p0 bra END;\ntcgen05.dealloc.cta_group::1.sync.aligned.b32 %r0, 256;\nEND:\n";
    return {entry(body), ctas * tile_bytes};
}

void give_up(const std::string& why) {
    std::cerr << why << '\n';
    std::exit(1);
}

void emulate(benchmark::State& state, const EmulatedKernel& kernel, emulator::CpuLevel level, bool checks) {
    const base::Source source("kernel.ptx", kernel.text);
    const emulator::LoadResult loaded = emulator::load(source, level);
    for (const base::Diagnostic& each : loaded.diagnostics.list) give_up(each.message);
    emulator::GlobalMemory memory;
    const std::uint64_t out = memory.allocate(kernel.out_bytes);
    emulator::Launch launch{"k", {ctas}, {threads}, std::vector<std::byte>(sizeof out)};
    std::memcpy(launch.parameters.data(), &out, sizeof out);
    emulator::Limits limits;
    limits.threads = 1;
    limits.uninitialised_is_fault = limits.hazards_are_faults = checks;
    std::uint64_t executed = 0;
    for ([[maybe_unused]] auto turn : state) {
        const emulator::Outcome outcome = emulator::run(*loaded.executable, memory, launch, limits);
        if (outcome.fault) give_up(outcome.fault->message);
        executed += outcome.thread_instructions;
    }
    state.counters["instructions"] =
        benchmark::Counter(static_cast<double>(executed), benchmark::Counter::kIsRate);
}

} // namespace

void register_emulation() {
    const std::pair<const char*, emulator::CpuLevel> levels[] = {{"avx2", emulator::CpuLevel::avx2},
                                                                 {"baseline", emulator::CpuLevel::baseline}};
    const std::pair<const char*, EmulatedKernel> kernels[] = {{"straight", straight()},
                                                              {"epilogue", epilogue()}};
    for (const auto& [level_name, level] : levels) {
        if (level == emulator::CpuLevel::avx2 && emulator::cpu_level() != level) continue;
        for (const auto& [name, kernel] : kernels) {
            for (const bool checks : {true, false}) {
                const std::string full =
                    fmt::format("emulate/{} f32/{}/{} checks", name, level_name, checks ? "all" : "no");
                benchmark::RegisterBenchmark(full.c_str(), emulate, kernel, level, checks)
                    ->Unit(benchmark::kMillisecond);
            }
        }
    }
}

} // namespace tmemc::bench
