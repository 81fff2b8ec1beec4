// build: compile, assemble when a cubin is wanted, write what was asked for. Nothing is written unless
// everything could be made. check: the same up to the PTX, for any number of files, and writes nothing.
#include "cli/session.hpp"

#include "base/file.hpp"
#include "grammar/print.hpp"
#include "inspect/globals_text.hpp"
#include "inspect/plan_json.hpp"
#include "inspect/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <iostream>

namespace tmemc::cli {
namespace {

namespace fs = std::filesystem;

/// "dir/x.tmx" to "x.cubin", in the current folder.
std::string default_output(const std::string& input, Kind kind) {
    const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
    return stem + std::string(default_suffix(kind));
}

/// What to write where: --emit, -o and the input's name agreed upon. Complains and is absent when they clash.
std::optional<std::vector<Emission>> outputs(const Options& options) {
    std::vector<Emission> wanted = options.emissions;
    if (wanted.empty()) {
        std::optional<Kind> kind = kind_of_suffix(options.output);
        if (!options.output.empty() && !kind && options.output != "-") {
            complain(fmt::format("the suffix of `{}` names no kind of output; say it with --emit=KIND",
                                 options.output));
            return std::nullopt;
        }
        wanted = {{kind.value_or(Kind::cubin), {}}};
    }
    if (!options.output.empty() && wanted.size() > 1) {
        complain(fmt::format("-o names one output, but --emit asks for {}; write --emit=KIND=PATH,...",
                             wanted.size()));
        return std::nullopt;
    }
    for (Emission& each : wanted)
        if (each.path.empty())
            each.path =
                options.output.empty() ? default_output(options.inputs.front(), each.kind) : options.output;
    for (const Emission& each : wanted) {
        std::error_code absent;
        if (each.path != "-" && fs::equivalent(each.path, options.inputs.front(), absent)) {
            complain(fmt::format("the output `{}` is the input", each.path));
            return std::nullopt;
        }
    }
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (wanted[i].path == wanted[j].path) {
                complain(fmt::format("two outputs would be written to `{}`", wanted[i].path));
                return std::nullopt;
            }
    return wanted;
}

bool wants(const std::vector<Emission>& wanted, Kind kind) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const Emission& each) { return each.kind == kind; });
}

/// A failed ptxas leaves its PTX beside the output that was not made, and says how to run it again.
void keep_failed(const Compilation& compilation, const Assembly& assembly, const std::string& output,
                 const Options& options) {
    const std::string kept =
        (output == "-" ? fs::path(default_output(options.inputs.front(), Kind::cubin)) : fs::path(output))
            .replace_extension(".failed.ptx")
            .string();
    std::string error;
    if (!base::write_file(kept, compilation.ptx.text, error)) {
        complain(error);
        return;
    }
    std::cerr << "tmemc: the PTX is kept in `" << kept << "`; to see the failure again:\n  "
              << toolchain::to_string(toolchain::replay(assembly.assembled, kept)) << '\n';
}

int exit_of(const toolchain::Assembled& assembled) {
    return assembled.status == toolchain::Assembled::Status::ok ? exit_ok : exit_toolchain;
}

bool write_all(const std::vector<Emission>& wanted, const std::vector<std::string>& contents) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        std::string error;
        if (wanted[i].path == "-") {
            if (!put(contents[i])) return false;
        } else if (!base::write_file(wanted[i].path, contents[i], error)) {
            complain(error);
            return false;
        }
    }
    return true;
}

std::string content(Kind kind, const base::Source& source, const Compilation& made,
                    const Assembly& assembly) {
    switch (kind) {
    case Kind::ast: return grammar::print(made.tree);
    case Kind::plan:
        return inspect::plan_json(source, made.fused, made.plan, made.schedule, made.space, made.trace);
    case Kind::ptx: return made.ptx.text;
    case Kind::cubin: return assembly.assembled.cubin;
    }
    return {};
}

bool only_ast(const std::vector<Emission>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(),
                       [](const Emission& each) { return each.kind == Kind::ast; });
}

/// -v: what every copy became and why, on standard error, where only errors or JSON may be wanted.
void show_plan(const Compilation& made, const base::Source& source, const Options& options) {
    if (!options.verbose || options.quiet || options.json_diagnostics) return;
    const auto explained = match::explain(made.fused, made.plan, compile_options(options).match);
    std::cerr << inspect::plan_text(source, made.fused, made.space, explained)
              << inspect::globals_text(source, made.program, made.trace);
}

/// Several kernels are assembled side by side: of two, a fifth of the time is saved, of 32 a third, and the
/// code is the same.
std::vector<std::string> ptxas_flags(const Options& options, const sema::Program& program) {
    std::vector<std::string> flags = options.ptxas_flags;
    if (program.kernels.size() > 1) flags.emplace_back("--split-compile=0"); // as many threads as there are
    return flags;
}

} // namespace

int build(const Options& options) {
    const std::optional<std::vector<Emission>> wanted = outputs(options);
    if (!wanted) return exit_usage;
    const std::optional<base::Source> source = read_program(options.inputs.front());
    if (!source) return exit_usage;

    const bool parsed_only = only_ast(*wanted);
    const Compilation made = parsed_only ? parse(*source) : compile(*source, compile_options(options));
    if (show(made.diagnostics, *source, options)) return exit_source;
    if (!parsed_only) show_plan(made, *source, options);

    Assembly assembly;
    if (wants(*wanted, Kind::cubin)) {
        const toolchain::PtxasOptions ptxas{options.ptxas, made.program.target,
                                            ptxas_flags(options, made.program), made.program.kernels.empty()};
        if (options.dry_run) {
            std::cerr << toolchain::to_string(toolchain::command(ptxas)) << '\n';
            return exit_ok;
        }
        // ptxas works while the text is verified; what it made is shown only when that has gone well.
        std::future<Assembly> assembling =
            std::async(std::launch::async, [&] { return assemble(made, ptxas); });
        verify(made, *source, options);
        assembly = assembling.get();
        show(assembly.diagnostics, *source, options);
        if (int status = exit_of(assembly.assembled)) {
            if (assembly.assembled.status == toolchain::Assembled::Status::failed)
                keep_failed(made, assembly,
                            std::find_if(wanted->begin(), wanted->end(),
                                         [](const Emission& each) { return each.kind == Kind::cubin; })
                                ->path,
                            options);
            return status;
        }
    }
    if (!wants(*wanted, Kind::cubin)) verify(made, *source, options);
    std::vector<std::string> contents;
    for (const Emission& each : *wanted) contents.push_back(content(each.kind, *source, made, assembly));
    return write_all(*wanted, contents) ? exit_ok : exit_usage;
}

int check(const Options& options) {
    int status = exit_ok;
    for (const std::string& input : options.inputs) {
        const std::optional<base::Source> source = read_program(input);
        if (!source) {
            status = exit_usage;
            continue;
        }
        const Compilation made = compile(*source, compile_options(options));
        const bool refused = show(made.diagnostics, *source, options);
        if (refused && status == exit_ok) status = exit_source;
        if (!refused) show_plan(made, *source, options);
        verify(made, *source, options);
    }
    return status;
}

} // namespace tmemc::cli
