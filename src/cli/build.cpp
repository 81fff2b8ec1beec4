// build: compile, assemble when a cubin is wanted, write what was asked for. Nothing is written unless
// everything could be made. check: the same up to the PTX, for any number of files, and writes nothing.
#include "cli/session.hpp"

#include "cli/depfile.hpp"
#include "cli/drawings.hpp"
#include "cli/machine_code.hpp"
#include "cli/outputs.hpp"
#include "embed/cuda.hpp"
#include "embed/header.hpp"
#include "embed/manifest.hpp"
#include "grammar/print.hpp"
#include "inspect/plan_json.hpp"
#include "inspect/plan_text.hpp"
#include "inspect/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tmemc::cli {
namespace {

namespace fs = std::filesystem;

bool needs_machine_code(Kind kind) {
    return kind == Kind::cubin || kind == Kind::header || kind == Kind::manifest || kind == Kind::report;
}
bool wants_machine_code(const std::vector<Emission>& wanted) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [](const Emission& each) { return needs_machine_code(each.kind); });
}
bool wants(const std::vector<Emission>& wanted, Kind kind) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const Emission& each) { return each.kind == kind; });
}

/// What was made for one target.
struct Build {
    Compilation made;
    Assembly assembly;
};

embed::Package package(const Options& options, const std::vector<Build>& builds) {
    std::vector<embed::Build> all;
    all.reserve(builds.size());
    for (const Build& each : builds)
        all.push_back({each.made.program, each.made.space, each.made.trace, each.made.ptx.text,
                       each.assembly.assembled.cubin});
    return embed::package(options.inputs.front(), all);
}

std::string layout_content(const std::string& path, const base::Source& source, const Compilation& made) {
    const sema::Kernel* first = first_kernel(made.program);
    if (first == nullptr) return "";
    const Drawing drawing{format_of_suffix(path, "json")};
    return drawing.format == "html" ? drawn_page(source, made, *first, "", false)
                                    : drawn_layout(drawing, model_of(source, made, *first));
}

std::string content(const Emission& wanted, const std::vector<Emission>& all, const base::Source& source,
                    const Options& options, const std::vector<Build>& builds) {
    const Compilation& made = builds.front().made;
    switch (wanted.kind) {
    case Kind::ast: return grammar::print(made.tree);
    case Kind::plan:
        return inspect::plan_json(source, made.fused, made.plan, made.schedule, made.space, made.trace);
    case Kind::ptx: return made.ptx.text;
    case Kind::report:
        return inspect::report_json(
            inspect::report(made.program, made.space, builds.front().assembly.assembled.cubin));
    case Kind::cubin: return builds.front().assembly.assembled.cubin;
    case Kind::cuda:
        return embed::cuda_header({made.program, made.module, made.trace,
                                   fs::path(source.name()).filename().string(), options.names,
                                   options.comments});
    case Kind::header: return embed::header(package(options, builds), options.names);
    case Kind::manifest: return embed::manifest(package(options, builds));
    case Kind::layout: return layout_content(wanted.path, source, made);
    case Kind::deps: return dependency_file(all, options);
    }
    return {};
}

/// Outputs of the text alone, which need not even be a program that makes sense.
bool only_parsed(const std::vector<Emission>& wanted) {
    return std::all_of(wanted.begin(), wanted.end(), [](const Emission& each) {
        return each.kind == Kind::ast || each.kind == Kind::deps;
    });
}

/// -v: what every copy became and why, on standard error, where only errors may be wanted.
void show_plan(const Compilation& made, const base::Source& source, const Options& options) {
    if (!options.verbose) return;
    const auto explained = match::explain(made.fused, made.plan, compile_options(options).match);
    remark(inspect::plan_text(source, made.fused, made.space, explained, made.trace));
}

/// Compiles and verifies for the target of the options, and assembles when machine code is wanted. `first` is
/// the build of the first target, whose warnings are not shown again.
int build_one(const base::Source& source, const std::vector<Emission>& wanted, const Options& options,
              const Build& first, Build& build) {
    const bool parsed_only = only_parsed(wanted);
    build.made = parsed_only ? parse(source) : compile(source, compile_options(options));
    const Compilation& made = build.made;
    const bool said = &first != &build && made.diagnostics == first.made.diagnostics;
    if (!said && show(made.diagnostics, source, options)) return exit_source;
    if (!parsed_only && &first == &build) show_plan(made, source, options);
    if (wants(wanted, Kind::cuda) && !embed::has_functions(made.program)) {
        complain(options.tmem == "hardware"
                     ? fmt::format("`{}` has no function, and --emit=cuda writes functions", source.name())
                     : fmt::format("--emit=cuda writes functions, which --tmem={} leaves out", options.tmem));
        return exit_usage;
    }
    if (wants(wanted, Kind::header) && embed::launchable(made.program) == 0) {
        complain(fmt::format("`{}` has no kernel, so there is nothing to launch", source.name()));
        return exit_usage;
    }
    if (wants(wanted, Kind::layout) && first_kernel(made.program) == nullptr) {
        complain(fmt::format("`{}` has no kernel and no function, so there is no layout", source.name()));
        return exit_usage;
    }
    for (const Emission& each : wanted)
        if ((each.kind == Kind::ptx || needs_machine_code(each.kind)) &&
            show(fragments_in_ptx(made, each.kind != Kind::ptx), source, options))
            return exit_source;
    if (!wants_machine_code(wanted)) {
        verify(made, source, options);
        return exit_ok;
    }
    const auto first_of = std::find_if(wanted.begin(), wanted.end(),
                                       [](const Emission& each) { return needs_machine_code(each.kind); });
    return machine_code(made, source, options, first_of->path, build.assembly);
}

} // namespace

int build(const Options& options) {
    const std::optional<std::vector<Emission>> wanted = outputs(options);
    if (!wanted) return exit_usage;
    const std::optional<base::Source> source = read_program(options.inputs.front());
    if (!source) return exit_usage;

    std::vector<Build> builds(1 + options.other_targets.size());
    for (std::size_t i = 0; i < builds.size(); ++i) {
        Options of_target = options;
        if (i > 0) of_target.target = options.other_targets[i - 1];
        if (const int status = build_one(*source, *wanted, of_target, builds.front(), builds[i]))
            return status;
    }
    if (options.dry_run) return exit_ok;
    std::vector<Delivery> made;
    made.reserve(wanted->size());
    for (const Emission& each : *wanted)
        made.push_back({each.path, content(each, *wanted, *source, options, builds)});
    return deliver(made) ? exit_ok : exit_usage;
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
