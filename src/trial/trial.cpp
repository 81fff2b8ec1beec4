// A block, in a sentence: compile the kernels it runs, then either hold their errors against `expect error`,
// or bind the statements to them and run.
#include "trial/trial.hpp"

#include "base/invariant.hpp"
#include "trial/block.hpp"
#include "trial/outline.hpp"
#include "trial/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
using Outcome = Verdict::Outcome;

bool has_error(const base::Diagnostics& diagnostics, std::string_view code) {
    return std::any_of(diagnostics.list.begin(), diagnostics.list.end(), [&](const base::Diagnostic& each) {
        return each.severity == base::Severity::error && each.kind->code == code;
    });
}

/// Compiles each kernel once, however many blocks run it.
class Compiler {
  public:
    explicit Compiler(const Options& options) : options_(options) {}

    Kernels compile(const std::vector<ast::Name>& runs) {
        Kernels kernels;
        for (const ast::Name& run : runs) kernels[run.text] = compile(run.text);
        return kernels;
    }

  private:
    const Options& options_;
    Kernels known_;

    const Compiled& compile(const std::string& name) {
        const auto found = known_.find(name);
        return found != known_.end() ? found->second : known_[name] = options_.compile(name);
    }
};

/// `expect error TM0301;`: each code must be among the errors of the kernels.
void judge_errors(const std::vector<ast::ExpectOutcome>& expected, const Kernels& kernels, Verdict& verdict) {
    base::Diagnostics all;
    for (const auto& [name, compiled] : kernels) all.append(compiled.diagnostics);
    for (const ast::ExpectOutcome& expect : expected) {
        if (has_error(all, expect.code.text)) continue;
        verdict.span = expect.place;
        verdict.messages.push_back(
            all.has_errors() ? fmt::format("{} is not among the errors", expect.code.text)
                             : fmt::format("{} was expected, but there are no errors", expect.code.text));
        verdict.diagnostics = std::move(all);
        return;
    }
    verdict.outcome = Outcome::passed;
}

/// False when a kernel has errors that the block does not expect.
bool all_compile(const Kernels& kernels, Verdict& verdict) {
    for (const auto& [name, compiled] : kernels) {
        if (compiled.kernel) continue;
        verdict.messages.push_back(fmt::format("`{}` does not compile", name));
        verdict.diagnostics.append(compiled.diagnostics);
    }
    return verdict.messages.empty();
}

constexpr const char* out_of_memory = "it needs more memory than there is";

Verdict run_test(const ast::Test& test, const sema::Program& program, Compiler& compiler,
                 const Options& options) {
    Verdict verdict{test.title.text, test.place, Outcome::failed, {}, {}};
    base::Diagnostics mistakes;
    const Outline outline = outline_of(test, false, mistakes);
    const Kernels kernels = compiler.compile(outline.runs);
    if (!outline.errors.empty()) {
        judge_errors(outline.errors, kernels, verdict);
        return verdict;
    }
    if (!all_compile(kernels, verdict)) return verdict;
    Names names{{}, program.constants, {}, {}};
    for (const auto& [name, compiled] : kernels)
        names.kernels[name] = signature_of(*compiled.kernel, compiled.scratch_bytes);
    const Block block = bind(test, names, false, mistakes);
    base::invariant(!mistakes.has_errors(),
                    "a test block with mistakes, which are to be found before it is run");
    run(block, kernels, options, verdict);
    return verdict;
}

} // namespace

std::vector<Verdict> run_tests(const sema::Program& program, const Options& options) {
    Compiler compiler(options);
    std::vector<Verdict> verdicts;
    for (const ast::Test& test : program.tests) {
        try {
            verdicts.push_back(run_test(test, program, compiler, options));
        } catch (const std::bad_alloc&) { // a size of the block's; the others need not suffer
            verdicts.push_back({test.title.text, test.place, Outcome::failed, {out_of_memory}, {}});
        } catch (const std::length_error&) {
            verdicts.push_back({test.title.text, test.place, Outcome::failed, {out_of_memory}, {}});
        }
    }
    return verdicts;
}

} // namespace tmemc::trial
