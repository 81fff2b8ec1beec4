// The steps of a checked block, taken in order over the arrays that the names hold. Each launch has a device
// of its own, so that nothing but these arrays passes from one run to the next.
#include "trial/block.hpp"
#include "trial/evaluate.hpp"

#include "base/source.hpp"
#include "runtime/compare.hpp"
#include "runtime/element.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::trial {

namespace {

using Outcome = Verdict::Outcome;

std::string text_of(const runtime::DeviceError& error) {
    std::string text = fmt::format("{}: {}", error.code, error.message);
    if (error.ptx_line != 0) text += fmt::format(" (line {} of the PTX)", error.ptx_line);
    for (const std::string& note : error.notes) text += "\n  note: " + note;
    return text;
}

/// No element is further than one step of its floating type from what is wanted: the formula may be right and
/// the rounding differ.
bool rounding_apart(const runtime::Array& actual, const runtime::Array& wanted) {
    const base::Dtype dtype = actual.dtype;
    if (!runtime::is_floating(dtype)) return false;
    const std::uint32_t step = dtype == base::Dtype::tf32 ? 1u << 13 : 1; // an f32 without its low bits
    for (std::int64_t i = 0; i < actual.elements(); ++i) {
        const std::uint32_t a = actual.get(i), b = wanted.get(i);
        if (runtime::same(dtype, a, b)) continue;
        if (runtime::is_nan(dtype, a) || runtime::is_nan(dtype, b)) return false;
        if (std::max(a, b) / step - std::min(a, b) / step > 1) return false;
    }
    return true;
}

class Runner {
  public:
    Runner(const Kernels& kernels, const Options& options, Verdict& verdict)
        : kernels_(kernels), options_(options), verdict_(verdict) {}

    /// True when the step succeeded; else the verdict says why not.
    bool take(const Step& step) {
        return std::visit([this](const auto& each) { return take(each); }, step);
    }

  private:
    const Kernels& kernels_;
    const Options& options_;
    Verdict& verdict_;
    std::map<std::string, runtime::Array> values_;

    bool end(Outcome outcome, base::Span span, std::string message) {
        verdict_.outcome = outcome;
        verdict_.span = span;
        verdict_.messages.push_back(std::move(message));
        return false;
    }

    bool take(const Fill& fill) {
        auto made = materialise(fill.values, fill.formal, options_.read_file);
        if (const auto* const sentence = std::get_if<std::string>(&made)) {
            verdict_.diagnostics.report(base::catalogue::cannot_fill, fill.span, fill.formal.name, *sentence);
            verdict_.outcome = Outcome::failed;
            verdict_.span = fill.span;
            return false;
        }
        values_[fill.formal.name] = std::move(std::get<runtime::Array>(made));
        return true;
    }

    bool take(const Launch& launch) {
        const runtime::Code code{
            launch.signature.kernel + ".ptx", kernels_.at(launch.signature.kernel).ptx, {}};
        std::optional<runtime::DeviceError> error;
        try {
            const std::unique_ptr<runtime::Device> device = options_.device(code, launch.fault.has_value());
            if (!device) return end(Outcome::skipped, launch.span, "there is no device to run it on");
            if (!load(*device, code, launch)) return false;
            error = call(*device, launch.signature, values_).error;
        } catch (const runtime::DeviceFailure& failure) {
            error = failure.error();
        }
        if (error && error->what == runtime::DeviceError::Class::unavailable) {
            verdict_.device_failed = true;
            return end(Outcome::skipped, launch.span, text_of(*error));
        }
        return judge(launch, error);
    }

    bool load(runtime::Device& device, const runtime::Code& code, const Launch& launch) {
        const base::Source source(code.name, code.ptx);
        const base::Diagnostics refused = device.load(code, launch.signature.kernel);
        if (!refused.has_errors()) return true;
        std::string message = fmt::format("{} does not take `{}`", device.name(), source.name());
        for (const base::Diagnostic& each : refused.list) {
            message += fmt::format("\n  {}: line {}: {}", each.kind->code,
                                   source.position(each.span.begin).line, each.message);
        }
        return end(Outcome::failed, launch.span, std::move(message));
    }

    /// Holds how the run ended against what the block expects of it.
    bool judge(const Launch& launch, const std::optional<runtime::DeviceError>& error) {
        const std::string& kernel = launch.signature.kernel;
        if (!error && launch.fault) {
            return end(Outcome::failed, launch.span,
                       fmt::format("`run {}` ended well, but fault {} was expected", kernel, *launch.fault));
        }
        if (!error || (launch.fault && error->code == *launch.fault)) return true;
        const std::string instead = launch.fault ? fmt::format(" and not with {}", *launch.fault) : "";
        return end(Outcome::failed, launch.span,
                   fmt::format("`run {}` ended with a fault{}\n  {}", kernel, instead, text_of(*error)));
    }

    bool take(const Expectation& expectation) {
        const auto evaluated = evaluate(expectation, values_);
        if (const auto* const sentence = std::get_if<std::string>(&evaluated)) {
            return end(Outcome::failed, expectation.span, *sentence);
        }
        const std::string& name = expectation.left.name;
        const runtime::Array& actual = values_.at(name);
        if (actual.elements() == 0)
            return end(Outcome::failed, expectation.span,
                       fmt::format("`{}` has no elements here, so this compares nothing", name));
        const Numbers& wanted = std::get<Numbers>(evaluated);
        const auto comparison = expectation.tolerance ? compare(actual, wanted, *expectation.tolerance)
                                                      : compare(actual, rounded(wanted, expectation.left));
        if (comparison.different == 0) return true;
        std::string message = describe(name, comparison, actual.dtype);
        if (!expectation.tolerance && rounding_apart(actual, rounded(wanted, expectation.left)))
            message += "  note: the right side is computed in double and rounded once; write cast<f32>(...) "
                       "where the kernel rounds, or ~= with rtol";
        return end(Outcome::failed, expectation.span, std::move(message));
    }
};

} // namespace

void run(const Block& block, const Kernels& kernels, const Options& options, Verdict& verdict) {
    Runner runner(kernels, options, verdict);
    for (const Step& step : block) {
        if (!runner.take(step)) return;
    }
    verdict.outcome = Outcome::passed;
}

} // namespace tmemc::trial
