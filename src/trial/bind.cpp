// One walk over the statements, with the parameters that have a value so far. An assignment takes its type
// from the next run that reads the name; a run reads what was assigned, or what an earlier run wrote.
//
// After a mistake the walk goes on, and what is uncertain from then on is not reported: a misspelt kernel is
// read as the nearest one or the only one; if there is none, or a statement is missing, any name may be
// right.
#include "trial/block.hpp"

#include "base/near.hpp"
#include "runtime/sizes.hpp"
#include "trial/expect.hpp"
#include "trial/given.hpp"
#include "trial/reports.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;
namespace catalogue = base::catalogue;
using runtime::Formal;

constexpr std::int64_t unsized = -1; // an extent that the next run makes known

std::string type_text(const Formal& formal) { return runtime::to_string(formal.dtype, formal.shape); }

bool expects_errors(const ast::Test& test) {
    return std::any_of(test.statements.begin(), test.statements.end(), [](const ast::TestStatement& each) {
        const auto* const expect = std::get_if<ast::ExpectOutcome>(&each.node);
        return expect != nullptr && expect->outcome.text == "error";
    });
}

class Binder {
  public:
    Binder(const ast::Test& test, const Names& names, bool torn, base::Diagnostics& diagnostics)
        : test_(test), names_(names), torn_(torn),
          diagnostics_(diagnostics), scope_{{}, names.constants, names.lost, torn},
          needs_inputs_(!expects_errors(test)) {
        for (const ast::TestStatement& each : test.statements)
            if (const auto* const run = std::get_if<ast::Run>(&each.node))
                scope_.open = scope_.open || signature_of(run->kernel.text) == nullptr;
    }

    Block block() {
        for (statement_ = 0; statement_ < test_.statements.size(); ++statement_) {
            std::visit([this](const auto& each) { bind(each); }, test_.statements[statement_].node);
        }
        return std::move(block_);
    }

  private:
    const ast::Test& test_;
    const Names& names_;
    bool torn_;
    base::Diagnostics& diagnostics_;
    Scope scope_;
    bool needs_inputs_;                              // else its kernels are compiled and not run
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
            const runtime::Signature* const read = run == nullptr ? nullptr : signature_of(run->kernel.text);
            if (read == nullptr) continue;
            for (const Formal& formal : read->formals) {
                if (formal.name == name && formal.in) return &formal;
            }
        }
        return nullptr;
    }

    void report_unread(const ast::Name& name) {
        std::vector<std::string> known;
        const Formal* written = nullptr;
        for (const ast::TestStatement& each : test_.statements) {
            const auto* const run = std::get_if<ast::Run>(&each.node);
            const runtime::Signature* const ran = run == nullptr ? nullptr : signature_of(run->kernel.text);
            if (ran == nullptr) continue;
            for (const Formal& formal : ran->formals) {
                if (!formal.name.empty() && std::find(known.begin(), known.end(), formal.name) == known.end())
                    known.push_back(formal.name);
                if (formal.name == name.text) written = &formal;
            }
        }
        if (scope_.excuses(name.text)) return;
        if (written == nullptr) {
            scope_.lost.insert(name.text); // which expectations may go on to use
            report_unknown(diagnostics_, name.place, "parameter of a kernel that this test runs", name.text,
                           known);
            return;
        }
        auto& report = diagnostics_.report(catalogue::unread_assignment, name.place, name.text);
        if (!written->in)
            report.help("an `out` tensor starts as zeros; declare it `inout` to give it contents");
    }

    /// Numbers that the elements cannot hold, among the first ones; all are looked at when it is filled.
    void check_values(const Fill& fill) {
        using Kind = runtime::Generator::Kind;
        const auto* const generator = std::get_if<runtime::Generator>(&fill.values);
        if (!generator || (generator->kind != Kind::cells && generator->kind != Kind::full)) return;
        Formal first = fill.formal;
        std::int64_t room = 1 << 16;
        for (std::size_t d = first.shape.size(); d-- > 0;) {
            first.shape[d] = std::min(first.shape[d], std::max<std::int64_t>(room, 1));
            room /= std::max<std::int64_t>(first.shape[d], 1);
        }
        const auto made = materialise(fill.values, first, {});
        if (const auto* const sentence = std::get_if<std::string>(&made))
            diagnostics_.report(catalogue::cannot_fill, fill.span, first.name, *sentence);
    }

    void bind(const ast::Given& given) {
        const Formal* const formal = next_reader(given.tensor.text);
        const auto values = bind_values(given, formal, diagnostics_);
        if (formal == nullptr) return report_unread(given.tensor);
        Formal& known = scope_.parameters[formal->name];
        known = *formal; // even after a mistake: the name has its value
        if (known.extent_from) known.shape.front() = unsized;
        if (!values && formal->is_scalar()) return;
        const Fill fill{*formal, values.value_or(runtime::Generator{}), given.place};
        check_values(fill);
        fills_[formal->name] = fill;
        if (!formal->extent_from) block_.emplace_back(fill); // else the run does, when the size is known
    }

    // ---- runs
    // ----------------------------------------------------------------------------------------------------

    /// The kernel of that name, or the one that is meant.
    const runtime::Signature* signature_of(const std::string& name) const {
        const auto found = names_.kernels.find(name);
        if (found != names_.kernels.end()) return &found->second;
        if (names_.lost.count(name) != 0 || names_.functions.count(name) != 0) return nullptr;
        const auto near = names_.kernels.find(base::nearest(name, kernel_names()));
        if (near != names_.kernels.end()) return &near->second;
        return names_.kernels.size() == 1 ? &names_.kernels.begin()->second : nullptr;
    }

    std::vector<std::string> kernel_names() const {
        std::vector<std::string> names;
        names.reserve(names_.kernels.size());
        for (const auto& [name, signature] : names_.kernels) names.push_back(name);
        return names;
    }

    void check_name(const ast::Name& kernel) {
        if (names_.kernels.count(kernel.text) != 0 || names_.lost.count(kernel.text) != 0) return;
        report_unknown(diagnostics_, kernel.place, "kernel", kernel.text, kernel_names());
        if (names_.functions.count(kernel.text) != 0)
            diagnostics_.list.back().help("it is a function, which runs in a kernel that calls it");
    }

    /// Sees to it that `formal` has a value of its type before the run.
    void provide(const Formal& formal, const ast::Run& run) {
        const auto known = scope_.parameters.find(formal.name);
        const bool guessed = names_.kernels.count(run.kernel.text) == 0;
        if (!needs_inputs_ || guessed || scope_.excuses(formal.name)) {
            // It may have one that is not known, or need none.
        } else if (known == scope_.parameters.end()) {
            const std::string_view generator = formal.is_scalar() ? "1" : "random(seed: 1)";
            diagnostics_.report(catalogue::missing_input, run.place, run.kernel.text, formal.name)
                .help(fmt::format("give it one before: {} = {};", formal.name, generator));
        } else if (known->second.dtype != formal.dtype || known->second.shape != formal.shape) {
            const auto fill = fills_.find(formal.name);
            const auto writer = writers_.find(formal.name);
            if (fill != fills_.end()) {
                fill->second.formal = formal;
                block_.emplace_back(fill->second);
            } else if (writer != writers_.end()) { // else a mistake kept its value away, and has been told
                diagnostics_
                    .report(catalogue::result_of_other_type, run.place, formal.name, type_text(known->second),
                            run.kernel.text, type_text(formal))
                    .label(writer->second->place,
                           fmt::format("`{}` writes it here", writer->second->kernel.text));
            }
        }
        scope_.parameters[formal.name] = formal;
    }

    /// The kernel's signature with the sizes that its scalars give at this point.
    runtime::Signature sized(const ast::Run& run) {
        const runtime::Signature* const found = signature_of(run.kernel.text);
        if (found == nullptr) return {};
        runtime::Signature signature = *found;
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
        check_name(run.kernel);
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
        block_.emplace_back(Launch{signature, {}, run.place});
    }

    // ---- expectations
    // --------------------------------------------------------------------------------------------

    void report_contradiction(base::Span span) {
        diagnostics_.report(catalogue::contradicting_expectations, span)
            .label(*expected_, "a run that faults leaves nothing to compare");
    }

    void report_before_run(base::Span span) {
        if (!torn_) diagnostics_.report(catalogue::expect_before_run, span);
    }

    /// What is wrong with an expectation in itself, where it compares nothing.
    void check_alone(const ast::ExpectValue& expect) {
        Scope anything = scope_;
        anything.open = true;
        (void)bind_expectation(expect, anything, diagnostics_);
    }

    void bind(const ast::ExpectOutcome& expect) {
        if (expect.outcome.text == "error") return; // of compiling
        if (!launch_) {
            report_before_run(expect.place);
        } else if (expected_) {
            report_contradiction(expect.place);
        } else {
            std::get<Launch>(block_[*launch_]).fault = expect.code.text;
            expected_ = expect.place;
        }
    }

    void bind(const ast::ExpectValue& expect) {
        if (!launch_) {
            report_before_run(expect.place);
            return check_alone(expect);
        }
        if (std::get<Launch>(block_[*launch_]).fault) {
            report_contradiction(expect.place);
            return check_alone(expect);
        }
        expected_ = expect.place;
        if (auto expectation = bind_expectation(expect, scope_, diagnostics_))
            block_.emplace_back(std::move(*expectation));
    }
};

} // namespace

Block bind(const ast::Test& test, const Names& names, bool torn, base::Diagnostics& diagnostics) {
    return Binder(test, names, torn, diagnostics).block();
}

} // namespace tmemc::trial
