// How long matching and ordering take, and how that grows with the number of copies: a tile of 128 by 512
// elements as one copy, then loops of 10 to 10,000 copies. Behind each series the library prints the curve
// that fits best (`_BigO`) and how badly it fits (`_RMS`). Not here: the other stages (stages.cpp).
#include "programs.hpp"
#include "registered.hpp"

#include <benchmark/benchmark.h>

namespace tmemc::bench {

namespace {

void match_tile(benchmark::State& state, const char* dtype) {
    const sema::Program program = checked(whole_tile(dtype));
    for ([[maybe_unused]] auto turn : state) benchmark::DoNotOptimize(match::match(program));
}

void match_copies(benchmark::State& state, Copies copies) {
    const sema::Program program = checked(loop_of_copies(copies, state.range(0), 1));
    for ([[maybe_unused]] auto turn : state) benchmark::DoNotOptimize(match::match(program));
    state.SetComplexityN(state.range(0));
}

void order_copies(benchmark::State& state, Copies copies, std::int64_t between) {
    const base::Source source = loop_of_copies(copies, state.range(0), between);
    const sema::Program program = checked(source);
    must_be_right(source, order::order(program).diagnostics); // a hazard would be timed for its report
    for ([[maybe_unused]] auto turn : state) benchmark::DoNotOptimize(order::order(program));
    state.SetComplexityN(state.range(0));
}

void series(benchmark::internal::Benchmark* each) {
    each->RangeMultiplier(10)->Range(10, 10'000)->Complexity()->Unit(benchmark::kMicrosecond);
}

} // namespace

void register_copies() {
    for (const char* dtype : {"u8", "f16", "f32"})
        benchmark::RegisterBenchmark((std::string("match/tile 128x512/") + dtype).c_str(), match_tile, dtype)
            ->Unit(benchmark::kMicrosecond);
    series(benchmark::RegisterBenchmark("match/equal copies", match_copies, Copies::equal));
    series(benchmark::RegisterBenchmark("match/distinct copies", match_copies, Copies::distinct));
    series(benchmark::RegisterBenchmark("order/equal copies, a wait behind each", order_copies, Copies::equal,
                                        1));
    series(benchmark::RegisterBenchmark("order/distinct copies, a wait behind each", order_copies,
                                        Copies::distinct, 1));
    series(benchmark::RegisterBenchmark("order/distinct copies, a wait behind ten", order_copies,
                                        Copies::distinct, 10));
}

} // namespace tmemc::bench
