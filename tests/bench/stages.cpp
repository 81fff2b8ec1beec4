// Each stage of the compiler on every file of examples/, and all of them at once. A stage is timed on the
// values that the ones before it left in a Compilation, so the parts add up to the whole but for the passing
// on. A new stage is a row of `stages`. Source to PTX must take less than 10 ms for each example; what takes
// longer fails the run.
#include "programs.hpp"
#include "registered.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <ctime>

namespace tmemc::bench {

namespace {

struct Stage {
    const char* name;
    void (*run)(const base::Source& source, const Compilation& made);
};

// In the order of pipeline.cpp.
const Stage stages[] = {
    {"parse",
     [](const base::Source& source, const Compilation&) { benchmark::DoNotOptimize(parse(source)); }},
    {"check",
     [](const base::Source&, const Compilation& made) { benchmark::DoNotOptimize(sema::check(made.tree)); }},
    {"match", [](const base::Source&,
                 const Compilation& made) { benchmark::DoNotOptimize(match::match(made.program)); }},
    {"order", [](const base::Source&,
                 const Compilation& made) { benchmark::DoNotOptimize(order::order(made.program)); }},
    {"place",
     [](const base::Source& source, const Compilation& made) {
         benchmark::DoNotOptimize(space::place(made.program, made.schedule, source));
     }},
    {"lower",
     [](const base::Source& source, const Compilation& made) {
         benchmark::DoNotOptimize(lower::lower(made.program, made.plan, made.schedule, made.space, source));
     }},
    {"write",
     [](const base::Source&, const Compilation& made) { benchmark::DoNotOptimize(ptx::write(made.module)); }},
    {"verify",
     [](const base::Source&, const Compilation& made) { benchmark::DoNotOptimize(verify_text(made)); }},
};

constexpr double longest = 10e-3; // seconds of the processor: others may be busy too

bool slow = false;

void one_stage(benchmark::State& state, const Stage& stage, const base::Source& source) {
    const Compilation made = compiled(source);
    for ([[maybe_unused]] auto turn : state) stage.run(source, made);
}

void source_to_ptx(benchmark::State& state, const base::Source& source) {
    std::int64_t turns = 0;
    const std::clock_t start = std::clock();
    for ([[maybe_unused]] auto turn : state) {
        benchmark::DoNotOptimize(compile(source));
        ++turns;
    }
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    if (turns == 0 || took / static_cast<double>(turns) < longest) return;
    state.SkipWithError("takes more than 10 ms");
    slow = true;
}

} // namespace

void register_stages() {
    for (const base::Source& source : examples()) {
        for (const Stage& stage : stages)
            benchmark::RegisterBenchmark(fmt::format("{}/{}", stage.name, stem(source)).c_str(), one_stage,
                                         stage, source)
                ->Unit(benchmark::kMicrosecond);
        benchmark::RegisterBenchmark(fmt::format("source to PTX/{}", stem(source)).c_str(), source_to_ptx,
                                     source)
            ->Unit(benchmark::kMicrosecond);
    }
}

bool too_slow() { return slow; }

} // namespace tmemc::bench
