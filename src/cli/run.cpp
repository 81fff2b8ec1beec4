// run: compile one kernel, fill its tensors, launch it on a device, then save, print and compare what it
// wrote.
#include "cli/runnable.hpp"

#include "base/file.hpp"
#include "base/invariant.hpp"
#include "runtime/call.hpp"
#include "runtime/compare.hpp"
#include "runtime/npy.hpp"
#include "runtime/sizes.hpp"
#include "runtime/spec.hpp"
#include "runtime/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
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

/// Says a device's failure at the line it came from.
int report(const runtime::DeviceError& error, const Runnable& runnable, const Options& options) {
    base::Diagnostics diagnostics;
    for (const base::Kind* kind : base::all_kinds()) {
        if (kind->code != error.code) continue;
        base::Diagnostic diagnostic;
        diagnostic.kind = kind;
        diagnostic.span = runnable.span_of_ptx_line(error.ptx_line);
        diagnostic.message = error.message;
        diagnostic.notes = error.notes;
        diagnostics.list.push_back(std::move(diagnostic));
    }
    if (diagnostics.list.empty()) complain(error.message);
    show(diagnostics, runnable.source, options);
    return error.what == runtime::DeviceError::Class::unavailable ? exit_toolchain : exit_check;
}

/// --save, --print, --expect, in this order.
int use_results(const Options& options, const runtime::Signature& signature, const Arrays& values) {
    for (const auto& [name, path] : options.saves) {
        std::string error;
        if (!base::write_file(path, runtime::write_npy(values.at(name)), error)) {
            complain(error);
            return exit_usage;
        }
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
        std::cerr << difference;
        status = exit_check;
    }
    return status;
}

} // namespace

int run(const Options& options) {
    if (options.on == "gpu" || options.on.rfind("gpu:", 0) == 0) {
        complain("no GPU can be used by this version of tmemc; --on=emulator runs the same program");
        return exit_toolchain;
    }
    if (options.on != "auto" && options.on != "emulator") {
        complain(fmt::format("unknown value `{}` of --on; it takes auto, emulator, gpu", options.on));
        return exit_usage;
    }
    int status = exit_ok;
    const std::optional<Runnable> runnable = prepare(options, status);
    if (!runnable) return status;
    runtime::Signature signature = runnable->signature;
    if (!names_exist(options, signature)) return exit_usage;
    std::optional<Arrays> values = arguments(options, signature);
    if (!values) return exit_usage;

    const std::unique_ptr<runtime::Device> device = emulator(options);
    const base::Diagnostics loaded = device->load(runnable->source.name(), runnable->ptx, signature.kernel);
    base::invariant(runnable->is_ptx() || !loaded.has_errors(),
                    "the emulator does not take the PTX that the compiler wrote");
    if (show(loaded, runnable->source, options)) return exit_source;
    const runtime::CallResult called = runtime::call(*device, signature, *values);
    if (options.verbose)
        std::cerr << fmt::format("emulator: {} thread-instructions in {:.6f} s\n",
                                 called.statistics.thread_instructions, called.statistics.seconds);
    if (called.error) return report(*called.error, *runnable, options);
    return use_results(options, signature, *values);
}

} // namespace tmemc::cli
