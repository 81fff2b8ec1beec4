// One walk over the statements, with the parameters that have a value so far. An assignment takes its type
// from the next run that reads the name; a run reads what was assigned, or what an earlier run wrote.
#include "trial/block.hpp"

#include "runtime/sizes.hpp"
#include "trial/expect.hpp"
#include "trial/given.hpp"
#include "trial/reports.hpp"
#include "trial/signature.hpp"

#include <fmt/format.h>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;
using runtime::Formal;

constexpr std::int64_t unsized = -1; // an extent that the next run makes known

std::string type_text(const Formal& formal) { return runtime::to_string(formal.dtype, formal.shape); }

class Binder {
  public:
    Binder(const ast::Test& test, const Kernels& kernels, const Constants& constants,
           base::Diagnostics& diagnostics)
        : test_(test), diagnostics_(diagnostics), scope_{{}, constants} {
        for (const auto& [name, compiled] : kernels) {
            signatures_[name] = signature_of(*compiled.kernel, compiled.scratch_bytes);
            ptx_[name] = &compiled.ptx;
        }
    }

    Block block() {
        for (statement_ = 0; statement_ < test_.statements.size(); ++statement_) {
            std::visit([this](const auto& each) { bind(each); }, test_.statements[statement_].node);
        }
        return std::move(block_);
    }

  private:
    const ast::Test& test_;
    base::Diagnostics& diagnostics_;
    std::map<std::string, runtime::Signature> signatures_;
    std::map<std::string, const std::string*> ptx_;
    Scope scope_;
    std::map<std::string, Fill> fills_;              // what was assigned and not written by a run since
    std::map<std::string, const ast::Run*> writers_; // the last run that wrote it
    Block block_;
    std::size_t statement_ = 0;
    std::optional<std::size_t> launch_;  // the last run, in block_
    std::optional<base::Span> expected_; // the first expectation behind it

    void bind(std::monostate) {}

    // ---- assignments
    // ---------------------------------------------------------------------------------------------

    /// The parameter of the next run that reads `name`.
    const Formal* next_reader(const std::string& name) const {
        for (std::size_t i = statement_; i < test_.statements.size(); ++i) {
            const auto* const run = std::get_if<ast::Run>(&test_.statements[i].node);
            if (run == nullptr) continue;
            for (const Formal& formal : signatures_.at(run->kernel.text).formals) {
                if (formal.name == name && formal.in) return &formal;
            }
        }
        return nullptr;
    }

    void report_unread(const ast::Name& name) {
        std::vector<std::string> known;
        const Formal* written = nullptr;
        for (const auto& [kernel, signature] : signatures_) {
            for (const Formal& formal : signature.formals) {
                known.push_back(formal.name);
                if (formal.name == name.text) written = &formal;
            }
        }
        if (written == nullptr) {
            report_unknown(diagnostics_, name.place, "parameter of a kernel that this test runs", name.text,
                           known);
            return;
        }
        auto& report = diagnostics_.report(catalogue::unread_assignment, name.place, name.text);
        if (!written->in)
            report.help("an `out` tensor starts as zeros; declare it `inout` to give it contents");
    }

    void bind(const ast::Given& given) {
        const Formal* const formal = next_reader(given.tensor.text);
        if (formal == nullptr) return report_unread(given.tensor);
        Formal& known = scope_.parameters[formal->name];
        known = *formal; // even after a mistake: the name has its value
        if (known.extent_from) known.shape.front() = unsized;
        const auto values = bind_values(given, *formal, diagnostics_);
        if (!values) return;
        const Fill fill{*formal, *values, given.place};
        fills_[formal->name] = fill;
        if (!formal->extent_from) block_.emplace_back(fill); // else the run does, when the size is known
    }

    // ---- runs
    // ----------------------------------------------------------------------------------------------------

    /// Sees to it that `formal` has a value of its type before the run.
    void provide(const Formal& formal, const ast::Run& run) {
        const auto known = scope_.parameters.find(formal.name);
        if (known == scope_.parameters.end()) {
            const std::string_view generator = formal.is_scalar() ? "1" : "random(seed: 1)";
            diagnostics_.report(catalogue::missing_input, run.place, run.kernel.text, formal.name)
                .help(fmt::format("give it one before: {} = {};", formal.name, generator));
        } else if (known->second.dtype != formal.dtype || known->second.shape != formal.shape) {
            const auto fill = fills_.find(formal.name);
            if (fill == fills_.end()) {
                diagnostics_
                    .report(catalogue::result_of_other_type, run.place, formal.name, type_text(known->second),
                            run.kernel.text, type_text(formal))
                    .label(writers_.at(formal.name)->place,
                           fmt::format("`{}` writes it here", writers_.at(formal.name)->kernel.text));
            } else {
                fill->second.formal = formal;
                block_.emplace_back(fill->second);
            }
        }
        scope_.parameters[formal.name] = formal;
    }

    /// The kernel's signature with the sizes that its scalars give at this point.
    runtime::Signature sized(const ast::Run& run) {
        runtime::Signature signature = signatures_.at(run.kernel.text);
        std::map<std::string, runtime::Array> scalars;
        for (const Formal& formal : signature.formals) {
            const auto fill = fills_.find(formal.name);
            if (!formal.is_scalar() || fill == fills_.end()) continue;
            auto made = materialise(fill->second.values, formal, {});
            if (auto* const array = std::get_if<runtime::Array>(&made))
                scalars[formal.name] = std::move(*array);
        }
        if (const auto sentence = runtime::give_sizes(signature, scalars))
            diagnostics_.report(catalogue::cannot_fill, run.place, run.kernel.text, *sentence);
        return signature;
    }

    void bind(const ast::Run& run) {
        const runtime::Signature signature = sized(run);
        for (const Formal& formal : signature.formals) {
            if (formal.in) provide(formal, run);
        }
        for (const Formal& formal : signature.formals) {
            if (!formal.out) continue;
            scope_.parameters[formal.name] = formal;
            fills_.erase(formal.name);
            writers_[formal.name] = &run;
        }
        launch_ = block_.size();
        expected_.reset();
        block_.emplace_back(Launch{signature, *ptx_.at(run.kernel.text), {}, run.place});
    }

    // ---- expectations
    // --------------------------------------------------------------------------------------------

    void report_contradiction(base::Span span) {
        diagnostics_.report(catalogue::contradicting_expectations, span)
            .label(*expected_, "a run that faults leaves nothing to compare");
    }

    void bind(const ast::ExpectOutcome& expect) {
        if (!launch_) {
            diagnostics_.report(catalogue::expect_before_run, expect.place);
        } else if (expected_) {
            report_contradiction(expect.place);
        } else {
            std::get<Launch>(block_[*launch_]).fault = expect.code.text;
            expected_ = expect.place;
        }
    }

    void bind(const ast::ExpectValue& expect) {
        if (!launch_) {
            diagnostics_.report(catalogue::expect_before_run, expect.place);
            return;
        }
        if (std::get<Launch>(block_[*launch_]).fault) return report_contradiction(expect.place);
        expected_ = expect.place;
        if (auto expectation = bind_expectation(expect, scope_, diagnostics_))
            block_.emplace_back(std::move(*expectation));
    }
};

} // namespace

Block bind(const ast::Test& test, const Kernels& kernels, const Constants& constants,
           base::Diagnostics& diagnostics) {
    return Binder(test, kernels, constants, diagnostics).block();
}

} // namespace tmemc::trial
