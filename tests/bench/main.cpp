// Runs the benchmarks that --benchmark_filter picks (all without it) and fails when one of them took longer
// than it may.
#include "registered.hpp"

#include <benchmark/benchmark.h>

int main(int count, char** words) {
    tmemc::bench::register_copies();
    tmemc::bench::register_stages();
    tmemc::bench::register_emulation();
    benchmark::Initialize(&count, words);
    if (benchmark::ReportUnrecognizedArguments(count, words)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return tmemc::bench::too_slow() ? 1 : 0;
}
