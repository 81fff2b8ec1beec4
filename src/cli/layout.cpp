// layout: where every element of a kernel's objects lives, or with --map who has which columns when. A
// program that is refused has layouts too: its errors are shown, the picture is made as far as it can be, and
// the exit status is that of the errors.
#include "cli/outputs.hpp"
#include "cli/session.hpp"

#include "cli/depfile.hpp"
#include "cli/drawings.hpp"
#include "cli/runnable.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::cli {
namespace {

/// --kernel, or the first kernel, or where there is none the first function; null after a complaint.
const sema::Kernel* chosen_kernel(const Compilation& made, const base::Source& source,
                                  const Options& options) {
    const std::vector<sema::Kernel>& kernels = made.program.kernels;
    if (options.kernel.empty()) {
        const sema::Kernel* first = first_kernel(made.program);
        if (first == nullptr)
            complain(fmt::format("`{}` has no kernel and no function, so there is nothing to show",
                                 source.name()));
        return first;
    }
    std::vector<std::string> names;
    names.reserve(kernels.size());
    for (const sema::Kernel& each : kernels) {
        if (each.name == options.kernel) return &each;
        names.push_back(each.name);
    }
    complain(
        fmt::format("`{}` has no kernel `{}`{}", source.name(), options.kernel, hint(options.kernel, names)));
    return nullptr;
}

/// Leaves the objects that are named; false after a complaint.
bool keep_named(inspect::LayoutModel& model, const std::vector<std::string>& wanted) {
    if (wanted.empty()) return true;
    std::vector<std::string> names;
    for (const inspect::LayoutObject& each : model.objects)
        if (std::find(names.begin(), names.end(), each.name) == names.end()) names.push_back(each.name);
    for (const std::string& each : wanted)
        if (std::find(names.begin(), names.end(), each) == names.end()) {
            complain(fmt::format("kernel `{}` has no buffer or fragment `{}`{}", model.kernel, each,
                                 hint(each, names)));
            return false;
        }
    const auto unnamed = [&](const inspect::LayoutObject& object) {
        return std::find(wanted.begin(), wanted.end(), object.name) == wanted.end();
    };
    model.objects.erase(std::remove_if(model.objects.begin(), model.objects.end(), unnamed),
                        model.objects.end());
    return true;
}

} // namespace

int layout(const Options& options) {
    if (options.map && !options.objects.empty()) {
        complain(fmt::format("--map shows every buffer; leave out `{}`", options.objects.front()));
        return exit_usage;
    }
    if (!suffix_fits(options, {"", ".txt", ".json", ".svg", ".html"})) return exit_usage;
    const std::optional<base::Source> source = read_program(options.inputs.front());
    if (!source) return exit_usage;
    const Compilation made = compile(*source, compile_options(options));
    const bool refused = show(made.diagnostics, *source, options);
    if (refused && made.program.kernels.empty()) return exit_source;

    const sema::Kernel* kernel = chosen_kernel(made, *source, options);
    if (kernel == nullptr) return refused ? exit_source : exit_usage;
    const bool to_terminal = options.output.empty() || options.output == "-";
    const Drawing drawing{options.format_given ? options.format : format_of_suffix(options.output, "text"),
                          to_terminal ? colorful_output(options) : options.color_when == "always"};
    std::string text;
    const bool page = drawing.format == "html";
    if (options.map) {
        text =
            page ? drawn_page(*source, made, *kernel, "", true) : drawn_map(drawing, *source, made, *kernel);
    } else {
        inspect::LayoutModel model = model_of(*source, made, *kernel);
        if (!keep_named(model, options.objects)) return refused ? exit_source : exit_usage;
        const std::string first = options.objects.empty() ? "" : options.objects.front();
        text = page ? drawn_page(*source, made, *kernel, first, false) : drawn_layout(drawing, model);
    }
    if (text.empty()) return exit_usage;
    if (!deliver(with_dependency_file({options.output, text}, Kind::layout, options))) return exit_usage;
    return refused ? exit_source : exit_ok;
}

} // namespace tmemc::cli
