// run: compile one kernel, fill its tensors, launch it on a device, then save, print and compare what it wrote.
#include "cli/session.hpp"

#include "base/file.hpp"
#include "base/near.hpp"
#include "runtime/call.hpp"
#include "runtime/compare.hpp"
#include "runtime/npy.hpp"
#include "runtime/spec.hpp"
#include "runtime/text.hpp"
#include "trial/signature.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <map>

namespace tmemc::cli {
namespace {

using Arrays = std::map<std::string, runtime::Array>;

/// "; did you mean `x`?", or what there is when nothing is near.
std::string hint(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = base::nearest(name, known);
    if (!near.empty()) return fmt::format("; did you mean `{}`?", near);
    return known.empty() ? "" : fmt::format("; there is {}", fmt::join(known, ", "));
}

/// The kernel to run: the one named, or the only one. Complains and is absent otherwise.
std::optional<std::string> chosen_kernel(const Compilation& parsed, const Options& options) {
    std::vector<std::string> names;
    for (const grammar::ast::Item& item : parsed.tree.items)
        if (const auto* kernel = std::get_if<grammar::ast::Kernel>(&item.node)) names.push_back(kernel->name.text);
    const std::string& file = options.inputs.front();
    if (!options.kernel.empty()) {
        if (std::find(names.begin(), names.end(), options.kernel) != names.end()) return options.kernel;
        complain(fmt::format("`{}` has no kernel `{}`{}", file, options.kernel, hint(options.kernel, names)));
    } else if (names.size() == 1) {
        return names.front();
    } else if (names.empty()) {
        complain(fmt::format("`{}` has no kernel", file));
    } else {
        complain(fmt::format("`{}` has {} kernels; name one of {}", file, names.size(), fmt::join(names, ", ")));
    }
    return std::nullopt;
}

runtime::FileContents read_npy_file(const std::string& path) {
    runtime::FileContents contents;
    contents.bytes = base::read_file(path, contents.error);
    return contents;
}

/// The array that `spec` asks for in the place of `formal`; complains and is absent when it cannot be.
std::optional<runtime::Array> array_of(const std::string& spec, const runtime::Formal& formal) {
    const auto parsed = runtime::parse_spec(spec);
    if (const auto* sentence = std::get_if<std::string>(&parsed)) {
        complain(fmt::format("{}={}: {}", formal.name, spec, *sentence));
        return std::nullopt;
    }
    const auto& written = std::get<runtime::Spec>(parsed);
    if (written.type) {
        complain(fmt::format("{}={}: the kernel says what type `{}` has; write the values alone", formal.name, spec,
                             formal.name));
        return std::nullopt;
    }
    auto made = runtime::materialise(written.values, formal, read_npy_file);
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
        complain(fmt::format("kernel `{}` has no parameter `{}`{}", signature_.kernel, name, hint(name, names_)));
        return nullptr;
    }

  private:
    const runtime::Signature& signature_;
    std::vector<std::string> names_;
};

/// Every NAME=SPEC as an array, and every tensor that is read given. Complains and is absent otherwise.
std::optional<Arrays> arguments(const Options& options, const runtime::Signature& signature) {
    const Formals formals(signature);
    Arrays values;
    for (const auto& [name, spec] : options.arguments) {
        const runtime::Formal* formal = formals.find(name);
        if (formal == nullptr) return std::nullopt;
        if (!formal->in) {
            complain(fmt::format("`{}` is an `out` tensor: it starts as zeros and takes no values", name));
            return std::nullopt;
        }
        if (values.count(name) != 0) {
            complain(fmt::format("`{}` is given twice", name));
            return std::nullopt;
        }
        std::optional<runtime::Array> array = array_of(spec, *formal);
        if (!array) return std::nullopt;
        values.emplace(name, std::move(*array));
    }
    for (const runtime::Formal& formal : signature.formals) {
        if (!formal.in || values.count(formal.name) != 0) continue;
        complain(fmt::format("`{}` ({}) is not given; write {}={}", formal.name,
                             runtime::to_string(formal.dtype, formal.shape), formal.name,
                             formal.is_scalar() ? "1" : "random, or =@file.npy"));
        return std::nullopt;
    }
    return values;
}

/// Names that --save, --print and --expect use must exist; better said before the run than after it.
bool names_exist(const Options& options, const runtime::Signature& signature) {
    const Formals formals(signature);
    std::vector<std::string> used = options.prints;
    for (const auto& [name, path] : options.saves) used.push_back(name);
    for (const auto& [name, spec] : options.expectations) used.push_back(name);
    return std::all_of(used.begin(), used.end(), [&](const std::string& name) { return formals.find(name) != nullptr; });
}

/// The right side of --expect NAME=SPEC: another tensor of the kernel (as it is after the run), or values.
std::optional<runtime::Array> expected(const std::string& spec, const runtime::Formal& formal, const Arrays& values) {
    const auto other = values.find(spec);
    if (other == values.end()) return array_of(spec, formal);
    const runtime::Array& array = other->second;
    if (array.dtype == formal.dtype && array.shape == formal.shape) return array;
    complain(fmt::format("`{}` is {}, but `{}` is {}", spec, runtime::to_string(array.dtype, array.shape), formal.name,
                         runtime::to_string(formal.dtype, formal.shape)));
    return std::nullopt;
}

/// Says a device's failure at the statement it came from.
int report(const runtime::DeviceError& error, const Compilation& made, const base::Source& source,
           const Options& options) {
    base::Diagnostics diagnostics;
    for (const base::Kind* kind : base::all_kinds()) {
        if (kind->code != error.code) continue;
        base::Diagnostic diagnostic;
        diagnostic.kind = kind;
        diagnostic.span = span_of_ptx_line(made, error.ptx_line);
        diagnostic.message = error.message;
        diagnostic.notes = error.notes;
        diagnostics.list.push_back(std::move(diagnostic));
    }
    if (diagnostics.list.empty()) complain(error.message);
    show(diagnostics, source, options);
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
    const std::optional<base::Source> source = read_source(options.inputs.front());
    if (!source) return exit_usage;
    const Compilation parsed = parse(*source);
    if (show(parsed.diagnostics, *source, options)) return exit_source;
    const std::optional<std::string> kernel = chosen_kernel(parsed, options);
    if (!kernel) return exit_usage;

    CompileOptions compiling = compile_options(options);
    compiling.check.only = {*kernel};
    const Compilation made = compile(*source, compiling);
    if (show(made.diagnostics, *source, options)) return exit_source;

    const runtime::Signature signature = trial::signature_of(made.program.kernels.front());
    if (!names_exist(options, signature)) return exit_usage;
    std::optional<Arrays> values = arguments(options, signature);
    if (!values) return exit_usage;

    const std::unique_ptr<runtime::Device> device = runtime::make_emulator(
        {options.max_steps, options.timeout_ms, options.uninitialised_is_fault, options.strict_lanes});
    base::invariant(!device->load(source->name() + ".ptx", made.ptx.text).has_errors(),
                    "the emulator does not take the PTX that the compiler wrote");
    const runtime::CallResult called = runtime::call(*device, signature, *values);
    if (options.verbose)
        std::cerr << fmt::format("emulator: {} thread-instructions in {:.6f} s\n",
                                 called.statistics.thread_instructions, called.statistics.seconds);
    if (called.error) return report(*called.error, made, *source, options);
    return use_results(options, signature, *values);
}

} // namespace tmemc::cli
