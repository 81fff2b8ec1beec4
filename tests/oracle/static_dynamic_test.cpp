// The static checker and the emulator's observers judge each other. Programs are drawn over one tile of
// tensor memory and its aliases (both sub-slabs, a folded view, slices of all of them) by one or two
// warpgroups, with waits and syncs that are there or are missing. What src/order finds nothing to say about
// must run without a fault; what it refuses is lowered all the same, as it stands, and must raise one.
//
//     copy_async T <- X;  wait st;  copy_async R <- L;  wait ld;     accepted, and runs
//     copy_async T <- X;            copy_async R <- L;  wait ld;     TM0501, and TM0745 when it runs
//
// A fragment that is overwritten while it is being loaded is not drawn: the language forbids it, the machine
// honours it. Programs are counted by what each side says of them; every class has at least 500.
#include "base/render.hpp"
#include "emulator/machine.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <thread>

namespace {

using namespace tmemc;

struct Step {
    enum class What { ld, st, wait_ld, wait_st, sync } what{};
    int warpgroup = 0;       // -1: all of them
    int view = 0;            // into views
    int first = 0, last = 8; // columns
    bool unwritten = false;  // a store from a fragment that nothing has written
};

struct Program {
    int warpgroups = 1;
    int filled = 8; // columns of T that are stored to, waited for and synced at the beginning
    std::vector<Step> steps;
};

struct View {
    const char* name;
    const char* shape; // of the fragment, without columns
    int columns;
    const char* atom;
    const char* declaration;
};
constexpr View views[] = {
    {"T", "128", 8, "", "tmem T: f32[128, 8];"},
    {"L", "64", 8, " atom 16x64b", "tmem L: f32[64, 8] datapath F at T;"},
    {"H", "64", 8, " atom 16x64b", "tmem H: f32[64, 8] datapath F sub_slab 1 at T;"},
    {"B", "64", 16, "", "tmem B: f32[64, 16] datapath B at T;"},
};

// ---- drawing

class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {}

    // Accesses, each with what it needs behind it or, now and then, without.
    Program program() {
        Program made;
        made.warpgroups = pick(1, 2);
        made.filled = pick(0, 9) == 0 ? 4 : 8;
        const int missing = pick(0, 3) * 8; // per cent: how often something is left out
        for (int count = pick(1, 5); count > 0; --count) {
            const Step step = access(made.warpgroups);
            made.steps.push_back(step);
            const bool load = step.what == Step::What::ld;
            Step wait{.what = load ? Step::What::wait_ld : Step::What::wait_st, .warpgroup = step.warpgroup};
            const bool sync = made.warpgroups == 2 && !chance(missing + 10);
            const bool early = sync && chance(missing / 2); // the sync ahead of the wait
            if (early) made.steps.push_back({.what = Step::What::sync});
            if (chance(missing / 4)) wait.what = load ? Step::What::wait_st : Step::What::wait_ld;
            if (made.warpgroups == 2 && chance(missing / 4)) wait.warpgroup = pick(0, 1);
            if (!chance(missing)) made.steps.push_back(wait);
            if (sync && !early) made.steps.push_back({.what = Step::What::sync});
        }
        return made;
    }

  private:
    int pick(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
    bool chance(int per_cent) { return pick(1, 100) <= per_cent; }

    Step access(int warpgroups) {
        Step step{.what = pick(0, 1) == 0 ? Step::What::ld : Step::What::st};
        step.warpgroup = warpgroups == 2 && chance(8) ? -1 : pick(0, warpgroups - 1);
        step.view = pick(0, 3);
        step.last = views[step.view].columns;
        if (step.view != 3) {
            step.first = 2 * pick(0, 3);
            step.last = 2 * pick(step.first / 2 + 1, 4);
        }
        step.unwritten = step.what == Step::What::st && chance(4);
        return step;
    }

    std::mt19937 random_;
};

std::string text_of(const Program& program) {
    std::string text = fmt::format("kernel k() warpgroups({}) {{\n", program.warpgroups);
    for (const View& view : views) text += fmt::format("  {}\n", view.declaration);
    for (const View& view : views)
        for (const char* kind : {"X", "Z"}) // written and not
            text += fmt::format("  frag {}{}: f32[{}, {}]{};\n", kind, view.name, view.shape, view.columns,
                                view.atom);
    for (const View& view : views) text += fmt::format("  X{} = 1.0;\n", view.name);
    text += fmt::format("  on warpgroup 0 {{ copy_async T[:, 0:{0}] <- XT[:, 0:{0}]; wait st; }}\n  sync;\n",
                        program.filled);
    int loads = 0;
    for (const Step& step : program.steps) {
        const View& view = views[step.view];
        const std::string columns = fmt::format("[:, {}:{}]", step.first, step.last);
        std::string line;
        switch (step.what) {
        case Step::What::st:
            line = fmt::format("copy_async {}{} <- {}{}{};", view.name, columns, step.unwritten ? "Z" : "X",
                               view.name, columns);
            break;
        case Step::What::ld:
            text += fmt::format("  frag R{}: f32[{}, {}]{};\n", loads, view.shape, view.columns, view.atom);
            line = fmt::format("copy_async R{}{} <- {}{};", loads++, columns, view.name, columns);
            break;
        case Step::What::wait_ld: line = "wait ld;"; break;
        case Step::What::wait_st: line = "wait st;"; break;
        case Step::What::sync: text += "  sync;\n"; continue;
        }
        text += step.warpgroup < 0 ? "  " + line + "\n"
                                   : fmt::format("  on warpgroup {} {{ {} }}\n", step.warpgroup, line);
    }
    return text + "}\n";
}

// ---- the two judges

struct Verdict {
    std::set<std::string> refusals; // codes of order
    std::string fault;              // code of the emulator
    std::string problem;            // when one of them could not be asked
};

Verdict judge(const std::string& text) {
    Verdict verdict;
    const base::Source source("drawn.tmx", text);
    const auto first_error = [&](const base::Diagnostics& diagnostics) {
        return diagnostics.list.empty() ? "no program" : base::render_text(diagnostics.list.front(), source);
    };
    const grammar::ParseResult parsed = grammar::parse(source);
    const sema::CheckResult checked = sema::check(parsed.module, {});
    const match::MatchResult matched = match::match(checked.program, {});
    if (parsed.diagnostics.has_errors()) return {{}, {}, first_error(parsed.diagnostics)};
    if (checked.diagnostics.has_errors()) return {{}, {}, first_error(checked.diagnostics)};
    if (matched.diagnostics.has_errors()) return {{}, {}, first_error(matched.diagnostics)};
    const order::OrderResult ordered = order::order(checked.program);
    for (const base::Diagnostic& each : ordered.diagnostics.list)
        if (each.kind->severity == base::Severity::error)
            verdict.refusals.insert(std::string(each.kind->code));
    const space::PlaceResult placed = space::place(checked.program, ordered.schedule, source);
    const lower::LowerResult lowered =
        lower::lower(checked.program, matched.plan, ordered.schedule, placed.space, source);
    ptx::WriteOptions plain;
    plain.comments = false;
    const base::Source ptx("drawn.ptx", ptx::write(lowered.module, plain).text);
    const emulator::LoadResult loaded = emulator::load(ptx);
    if (loaded.executable == nullptr) return {{}, {}, "the emulator does not take the PTX\n" + ptx.text()};
    emulator::GlobalMemory memory;
    const auto threads = loaded.kernels.front().required_threads.value_or(emulator::Dimensions{128, 1, 1});
    emulator::Limits limits;
    limits.max_steps = 1000000;
    const emulator::Outcome outcome = emulator::run(
        *loaded.executable, memory, {loaded.kernels.front().name, {1, 1, 1}, threads, {}}, limits);
    if (outcome.fault) verdict.fault = std::string(outcome.fault->kind->code);
    return verdict;
}

void judge_programs(unsigned first_seed, int count, std::map<std::string, int>& classes) {
    std::atomic<int> next = 0;
    std::mutex lock;
    std::string disagreement;
    const auto work = [&] {
        for (int i = next++; i < count; i = next++) {
            const Program program = Draw(first_seed + static_cast<unsigned>(i)).program();
            const std::string text = text_of(program);
            const Verdict verdict = judge(text);
            const std::lock_guard<std::mutex> guard(lock);
            if (!verdict.problem.empty() || verdict.refusals.empty() != verdict.fault.empty()) {
                disagreement = fmt::format("{}\norder: {}\nemulator: {}\n{}", text,
                                           fmt::join(verdict.refusals, " "), verdict.fault, verdict.problem);
                next = count;
            }
            for (const std::string& code : verdict.refusals) ++classes["order " + code];
            ++classes["emulator " + (verdict.fault.empty() ? "nothing" : verdict.fault)];
            ++classes[fmt::format("{} by {} warpgroup{}", verdict.fault.empty() ? "accepted" : "refused",
                                  program.warpgroups, program.warpgroups == 1 ? "" : "s")];
        }
    };
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back(work);
    for (std::thread& thread : threads) thread.join();
    CHECK(disagreement == "");
}

} // namespace

TEST_CASE("order accepts exactly the programs on which the observers report nothing") {
    std::map<std::string, int> classes;
    judge_programs(1000, 10000, classes);
    for (const auto& each : classes) {
        MESSAGE(each.first << ": " << each.second);
        CHECK_MESSAGE(each.second >= 500, each.first);
    }
}
