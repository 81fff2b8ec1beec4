// run: compile one kernel, fill its tensors, launch it on a device, then save, print and compare what it
// wrote.
#include "cli/place.hpp"
#include "cli/runnable.hpp"
#include "cli/timing.hpp"

#include "base/file.hpp"
#include "base/invariant.hpp"
#include "runtime/call.hpp"
#include "runtime/compare.hpp"
#include "runtime/gpu_code.hpp"
#include "runtime/npy.hpp"
#include "runtime/sizes.hpp"
#include "runtime/spec.hpp"
#include "runtime/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace tmemc::cli {
namespace {

using Arrays = std::map<std::string, runtime::Array>;

/// The array that `spec` asks for in the place of `formal`; complains and is absent when it cannot be.
std::optional<runtime::Array> array_of(const std::string& spec, const runtime::Formal& formal) {
    const auto parsed = runtime::parse_spec(spec);
    if (const auto* sentence = std::get_if<std::string>(&parsed)) {
        complain(fmt::format("{}={}: {}", formal.name, spec, *sentence));
        return std::nullopt;
    }
    const auto& written = std::get<runtime::Spec>(parsed);
    if (written.type && (written.type->dtype != formal.dtype || written.type->shape != formal.shape)) {
        complain(fmt::format("{}={}: `{}` is {}", formal.name, spec, formal.name,
                             runtime::to_string(formal.dtype, formal.shape)));
        return std::nullopt;
    }
    auto made = runtime::materialise(written.values, formal, read_contents);
    if (const auto* sentence = std::get_if<std::string>(&made)) {
        complain(fmt::format("{}={}: {}", formal.name, spec, *sentence));
        return std::nullopt;
    }
    return std::get<runtime::Array>(std::move(made));
}

/// A kernel's formals by name, with complaints about names it does not have.
class Formals {
  public:
    explicit Formals(const runtime::Signature& signature) : signature_(signature) {
        for (const runtime::Formal& formal : signature.formals) names_.push_back(formal.name);
    }
    [[nodiscard]] const runtime::Formal* find(const std::string& name) const {
        for (const runtime::Formal& formal : signature_.formals)
            if (formal.name == name) return &formal;
        complain(
            fmt::format("kernel `{}` has no parameter `{}`{}", signature_.kernel, name, hint(name, names_)));
        return nullptr;
    }

  private:
    const runtime::Signature& signature_;
    std::vector<std::string> names_;
};

/// The NAME=SPECs of scalars, or of tensors, as arrays, and all that are read given. Complains and is false
/// otherwise.
bool add_arguments(const Options& options, const runtime::Signature& signature, bool scalars,
                   Arrays& values) {
    const Formals formals(signature);
    for (const auto& [name, spec] : options.arguments) {
        const runtime::Formal* formal = formals.find(name);
        if (formal == nullptr) return false;
        if (formal->is_scalar() != scalars) continue;
        if (!formal->in) {
            complain(fmt::format("`{}` is an `out` tensor: it starts as zeros and takes no values", name));
            return false;
        }
        if (values.count(name) != 0) {
            complain(fmt::format("`{}` is given twice", name));
            return false;
        }
        std::optional<runtime::Array> array = array_of(spec, *formal);
        if (!array) return false;
        values.emplace(name, std::move(*array));
    }
    for (const runtime::Formal& formal : signature.formals) {
        if (!formal.in || formal.is_scalar() != scalars || values.count(formal.name) != 0) continue;
        complain(fmt::format("`{}` ({}) is not given; write {}={}", formal.name,
                             runtime::to_string(formal.dtype, formal.shape), formal.name,
                             formal.is_scalar() ? "1" : "random, or =@file.npy"));
        return false;
    }
    return true;
}

/// Scalars first, because they may say how large the tensors of `signature` are.
std::optional<Arrays> arguments(const Options& options, runtime::Signature& signature) {
    Arrays values;
    if (!add_arguments(options, signature, true, values)) return std::nullopt;
    if (const auto sentence = runtime::give_sizes(signature, values)) {
        complain(*sentence);
        return std::nullopt;
    }
    if (!add_arguments(options, signature, false, values)) return std::nullopt;
    return values;
}

/// Names that --save, --print and --expect use must exist; better said before the run than after it.
bool names_exist(const Options& options, const runtime::Signature& signature) {
    const Formals formals(signature);
    std::vector<std::string> used = options.prints;
    for (const auto& [name, path] : options.saves) used.push_back(name);
    for (const auto& [name, spec] : options.expectations) used.push_back(name);
    return std::all_of(used.begin(), used.end(), [&](const std::string& name) {
        const runtime::Formal* formal = formals.find(name);
        if (formal == nullptr || formal->wide == runtime::Wide::no) return formal != nullptr;
        complain(fmt::format("`{}` is passed by value: it can be given and not looked at", name));
        return false;
    });
}

/// The right side of --expect NAME=SPEC: another tensor of the kernel (as it is after the run), or values.
std::optional<runtime::Array> expected(const std::string& spec, const runtime::Formal& formal,
                                       const Arrays& values) {
    const auto other = values.find(spec);
    if (other == values.end()) return array_of(spec, formal);
    const runtime::Array& array = other->second;
    if (array.dtype == formal.dtype && array.shape == formal.shape) return array;
    complain(fmt::format("`{}` is {}, but `{}` is {}", spec, runtime::to_string(array.dtype, array.shape),
                         formal.name, runtime::to_string(formal.dtype, formal.shape)));
    return std::nullopt;
}

/// --save, --print, --expect, in this order.
int use_results(const Options& options, const runtime::Signature& signature, const Arrays& values) {
    std::vector<std::string> files;
    std::vector<base::Output> outputs;
    files.reserve(options.saves.size());
    for (const auto& [name, path] : options.saves)
        outputs.push_back({path, files.emplace_back(runtime::write_npy(values.at(name)))});
    std::string error;
    if (!base::write_files(outputs, error)) {
        complain(error);
        return exit_usage;
    }
    for (const std::string& name : options.prints)
        if (!put(runtime::to_text(name, values.at(name)))) return exit_usage;

    int status = exit_ok;
    const Formals formals(signature);
    for (const auto& [name, spec] : options.expectations) {
        const std::optional<runtime::Array> wanted = expected(spec, *formals.find(name), values);
        if (!wanted) return exit_usage;
        std::optional<runtime::Tolerance> tolerance;
        if (options.tolerant) tolerance = runtime::Tolerance{options.rtol, options.atol};
        const runtime::Array& actual = values.at(name);
        const std::string difference =
            runtime::describe(name, runtime::compare(actual, *wanted, tolerance), actual.dtype);
        if (difference.empty()) continue;
        tell_failure(difference);
        status = exit_check;
    }
    return status;
}

/// -v: where it ran, and how long or how much that was.
void show_statistics(const runtime::LaunchStatistics& statistics, const runtime::Gpu* gpu) {
    if (gpu != nullptr)
        remark(fmt::format("{}: {:.6f} s", runtime::to_string(gpu->info()), statistics.seconds));
    else
        remark(fmt::format("emulator: {} thread-instructions in {:.6f} s", statistics.thread_instructions,
                           statistics.seconds));
    if (!statistics.loading.empty()) remark("the driver says: " + statistics.loading);
}

int run(const Options& options, Place& place, const Runnable& runnable) {
    runtime::Signature signature = runnable.signature;
    if (!names_exist(options, signature)) return exit_usage;
    std::optional<Arrays> values = arguments(options, signature);
    if (!values) return exit_usage;

    const runtime::Gpu* const gpu = place.gpu_for(runnable.code);
    if (options.dry_run) {
        if (gpu != nullptr)
            for (const toolchain::Command& each :
                 runtime::tool_commands(runnable.code, gpu->info(), gpu_options(options)))
                remark(toolchain::to_string(each));
        return exit_ok;
    }
    const std::unique_ptr<runtime::Device> device = place.device_for(runnable.code);
    if (options.time && gpu == nullptr) {
        runtime::Timing none;
        const auto error = device->time(signature.kernel, {}, {}, 0, none);
        return report(*error, runnable.source, base::no_place, options);
    }
    const base::Diagnostics loaded = device->load(runnable.code, signature.kernel);
    const bool refused = show(loaded, base::Source(runnable.code.name, runnable.code.ptx), options);
    base::invariant(gpu != nullptr || runnable.is_ptx() || !refused,
                    "the emulator does not take the PTX that the compiler wrote");
    if (refused) return gpu != nullptr ? exit_toolchain : exit_source;
    const runtime::CallResult called =
        runtime::call(*device, signature, *values, options.time ? options.repeat : 0);
    if (options.verbose) show_statistics(called.statistics, gpu);
    if (called.error)
        return report(*called.error, runnable.source, runnable.span_of_ptx_line(called.error->ptx_line),
                      options);
    const int status = use_results(options, signature, *values);
    if (!options.time) return status;
    const Measured measured{signature.kernel,
                            gpu->info(),
                            place.gpus().version,
                            options.repeat,
                            traffic(signature, runnable.is_ptx()),
                            called.timing};
    const bool json = options.format == "json";
    if (!put(json ? timing_json(measured) : timing_text(measured))) return exit_usage;
    return status;
}

} // namespace

int run(const Options& options) {
    if (options.list_devices) return list_devices();
    Place place(options);
    const base::Source nowhere(options.inputs.front(), "");
    if (place.error()) return report(*place.error(), nowhere, base::no_place, options);
    int status = exit_ok;
    const std::optional<Runnable> runnable = prepare(options, place, status);
    if (!runnable) return status;
    try {
        return place.leave(run(options, place, *runnable));
    } catch (const runtime::DeviceFailure& failure) {
        return place.leave(report(failure.error(), nowhere, base::no_place, options));
    }
}

} // namespace tmemc::cli
