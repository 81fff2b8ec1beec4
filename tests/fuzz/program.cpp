// Fuzz target: bytes as choices of a valid program. The compiler takes it, verify finds nothing, ptxas (where
// there is one) assembles it, and the emulator runs its test block to the end.
#include "chosen_program.hpp"
#include "fuzz.hpp"

#include "base/render.hpp"
#include "pipeline.hpp"
#include "runtime/device.hpp"
#include "toolchain/ptxas.hpp"
#include "trial/trial.hpp"

using namespace tmemc;

namespace {

void demand_clean(const base::Diagnostics& found, const base::Source& source, const char* what) {
    if (!found.has_errors()) return;
    std::fputs(source.text().data(), stderr);
    for (const base::Diagnostic& each : found.list)
        std::fputs(base::render_text(each, source, {}).c_str(), stderr);
    fuzz::demand(false, what);
}

void assemble(const Compilation& made, const base::Source& source) {
    static const bool there = !toolchain::find_ptxas("").path.empty();
    if (!there) return;
    demand_clean(tmemc::assemble(made, {{}, made.program.target, {}, false}).diagnostics, source,
                 "ptxas takes a program that the compiler takes");
}

trial::Compiled compiled(const base::Source& source, const std::string& kernel) {
    CompileOptions options;
    options.check.only = {kernel};
    Compilation made = compile(source, options);
    demand_clean(made.diagnostics, source, "the compiler takes a valid program");
    const verify::VerifyResult verified = verify_text(made);
    if (verified.mismatch) std::fputs(verify::to_string(*verified.mismatch, source).c_str(), stderr);
    fuzz::demand(!verified.mismatch, "the text does what the program says");
    assemble(made, source);
    return {made.program.kernels.front(), made.ptx.text, made.trace.kernels.front().cells.scratch_bytes(),
            made.diagnostics};
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const base::Source source("chosen.tmx", fuzz::chosen_program(data, size));
    const sema::Program program = compile(source).program;
    trial::Options options;
    options.compile = [&](const std::string& kernel) { return compiled(source, kernel); };
    options.device = [](const runtime::Code&, bool) {
        return runtime::make_emulator({0, 20'000, true, false, 1});
    };
    const std::vector<trial::Verdict> verdicts = trial::run_tests(program, options);
    fuzz::demand(verdicts.size() == 1, "the program has a test block");
    if (verdicts.front().outcome != trial::Verdict::Outcome::passed) {
        std::fputs(source.text().data(), stderr);
        for (const std::string& each : verdicts.front().messages) std::fprintf(stderr, "%s\n", each.c_str());
        demand_clean(verdicts.front().diagnostics, source, "the test block is right");
        fuzz::demand(false, "the program runs, and what only moves arrives");
    }
    return 0;
}
