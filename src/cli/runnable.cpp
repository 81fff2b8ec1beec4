// Two ways to a kernel, one for each kind of file.
#include "cli/runnable.hpp"

#include "base/near.hpp"
#include "runtime/ptx_signature.hpp"
#include "trial/signature.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::cli {
namespace {

constexpr std::size_t largest_ptx = std::size_t{256} << 20; // a million copies, unrolled

bool ends_with(const std::string& path, std::string_view suffix) {
    return path.size() > suffix.size() &&
           std::string_view(path).substr(path.size() - suffix.size()) == suffix;
}

/// The kernel to run: the one named, or the only one. Complains and is absent otherwise.
std::optional<std::string> choose(const std::vector<std::string>& names, const Options& options,
                                  const std::vector<std::string>& functions = {}) {
    const std::string& file = options.inputs.front();
    if (!options.kernel.empty()) {
        if (std::find(names.begin(), names.end(), options.kernel) != names.end()) return options.kernel;
        if (std::find(functions.begin(), functions.end(), options.kernel) != functions.end()) {
            complain(fmt::format("`{}` is a function of `{}`; run a kernel that calls it{}", options.kernel,
                                 file, hint("", names)));
            return std::nullopt;
        }
        complain(fmt::format("`{}` has no kernel `{}`{}", file, options.kernel, hint(options.kernel, names)));
    } else if (names.size() == 1) {
        return names.front();
    } else if (names.empty()) {
        complain(fmt::format("`{}` has no kernel{}", file,
                             functions.empty() ? "" : ", and a function runs in one that calls it"));
    } else {
        complain(
            fmt::format("`{}` has {} kernels; name one of {}", file, names.size(), fmt::join(names, ", ")));
    }
    return std::nullopt;
}

std::optional<Runnable> prepare_program(base::Source source, const Options& options, const Place& place,
                                        int& status) {
    const Compilation parsed = parse(source);
    status = exit_source;
    if (show(parsed.diagnostics, source, options)) return std::nullopt;
    std::vector<std::string> names, functions;
    for (const grammar::ast::Item& item : parsed.tree.items) {
        if (const auto* kernel = std::get_if<grammar::ast::Kernel>(&item.node))
            names.push_back(kernel->name.text);
        if (const auto* function = std::get_if<grammar::ast::Function>(&item.node))
            functions.push_back(function->name.text);
    }
    const std::optional<std::string> kernel = choose(names, options, functions);
    if (!kernel) {
        status = exit_usage;
        return std::nullopt;
    }
    CompileOptions compiling = compile_options(options);
    compiling.check.only = {*kernel};
    if (compiling.check.target.empty() && !names_target(parsed.tree))
        compiling.check.target = place.default_target();
    Compilation made = compile(source, compiling);
    if (show(made.diagnostics, source, options)) return std::nullopt;
    if (!options.grid.empty() || !options.block.empty() || options.shared_bytes != 0) {
        complain("--grid, --block and --shared are for .ptx files; a .tmx kernel says its own");
        status = exit_usage;
        return std::nullopt;
    }
    verify(made, source, options);
    status = exit_ok;
    runtime::Code code{source.name(), made.ptx.text, {}};
    runtime::Signature signature =
        trial::signature_of(made.program.kernels.front(), made.trace.kernels.front().cells.scratch_bytes());
    return Runnable{std::move(source), std::move(code), std::move(signature), std::move(made)};
}

std::array<std::uint32_t, 3> dimensions(const std::vector<std::uint32_t>& given) {
    std::array<std::uint32_t, 3> all{1, 1, 1};
    std::copy(given.begin(), given.end(), all.begin());
    return all;
}

/// The kernel to run of those that came from elsewhere, with the types that the arguments give it and the
/// extents of the command line. Complains and is absent otherwise.
std::optional<runtime::Signature> signature_among(const std::vector<runtime::PtxKernel>& kernels,
                                                  const Options& options) {
    std::vector<std::string> names;
    names.reserve(kernels.size());
    for (const runtime::PtxKernel& kernel : kernels) names.push_back(kernel.name);
    const std::optional<std::string> name = choose(names, options);
    if (!name) return std::nullopt;
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const runtime::PtxKernel& each) { return each.name == *name; });
    auto made = runtime::signature_of(*kernel, options.arguments, read_contents);
    if (const auto* sentence = std::get_if<std::string>(&made)) {
        complain(*sentence);
        return std::nullopt;
    }
    auto signature = std::get<runtime::Signature>(std::move(made));
    signature.grid = dimensions(options.grid);
    signature.shared_bytes = options.shared_bytes;
    if (!options.block.empty()) {
        signature.block = dimensions(options.block);
    } else if (kernel->required_threads) {
        signature.block = *kernel->required_threads;
    } else {
        complain(fmt::format("`{}` has no .reqntid; say the block's threads with --block N", *name));
        return std::nullopt;
    }
    constexpr std::uint64_t most_threads = 1024;
    std::uint64_t threads = 1;
    for (const std::uint32_t extent : signature.block) threads = std::min(threads * extent, most_threads + 1);
    if (threads > most_threads) {
        complain(fmt::format("a block has at most {} threads, not {}", most_threads,
                             fmt::join(signature.block, "x")));
        return std::nullopt;
    }
    return signature;
}

std::optional<Runnable> prepare_ptx(base::Source source, const Options& options, int& status) {
    const runtime::PtxKernels read = runtime::kernels_of(source);
    status = exit_source;
    if (show(read.diagnostics, source, options)) return std::nullopt;
    status = exit_usage;
    std::optional<runtime::Signature> signature = signature_among(read.kernels, options);
    if (!signature) return std::nullopt;
    status = exit_ok;
    runtime::Code code{source.name(), std::string(source.text()), {}};
    return Runnable{std::move(source), std::move(code), std::move(*signature), std::nullopt};
}

std::optional<Runnable> prepare_cubin(const base::Source& source, const Options& options, int& status) {
    status = exit_usage;
    const toolchain::Cubin cubin = toolchain::read_cubin(source.text());
    if (!cubin.error.empty()) {
        complain(fmt::format("`{}` cannot be run: {}", source.name(), cubin.error));
        return std::nullopt;
    }
    if (options.on == On::emulator) {
        complain(
            fmt::format("`{}` is machine code, which a GPU runs and the emulator does not", source.name()));
        return std::nullopt;
    }
    std::optional<runtime::Signature> signature = signature_among(runtime::kernels_of(cubin), options);
    if (!signature) return std::nullopt;
    status = exit_ok;
    return Runnable{base::Source(source.name(), ""),
                    {source.name(), {}, std::string(source.text())},
                    std::move(*signature),
                    std::nullopt};
}

} // namespace

base::Span Runnable::span_of_ptx_line(std::uint32_t line) const {
    if (compiled) return tmemc::span_of_ptx_line(*compiled, line);
    if (line == 0 || line > source.line_count()) return base::no_place;
    const std::string_view text = source.line(line);
    const std::size_t blanks = std::min(text.find_first_not_of(" \t"), text.size());
    const std::uint32_t begin = source.line_begin(line);
    return {begin + static_cast<std::uint32_t>(blanks), begin + static_cast<std::uint32_t>(text.size())};
}

std::string hint(const std::string& name, const std::vector<std::string>& known) {
    const std::string near = base::nearest(name, known);
    if (!near.empty()) return fmt::format("; did you mean `{}`?", near);
    return known.empty() ? "" : fmt::format("; there is {}", fmt::join(known, ", "));
}

std::optional<Runnable> prepare(const Options& options, const Place& place, int& status) {
    const std::string& path = options.inputs.front();
    const bool cubin = ends_with(path, ".cubin");
    const bool elsewhere = cubin || ends_with(path, ".ptx") || path == "-"; // `-` may be either
    std::optional<base::Source> source =
        read_source(path, (elsewhere ? largest_ptx : grammar::largest_source) + 1);
    status = exit_usage;
    if (!source) return std::nullopt;
    if (elsewhere && source->text().size() > largest_ptx) {
        complain(fmt::format("`{}` has more than {} MB", source->name(), largest_ptx >> 20));
        return std::nullopt;
    }
    if (cubin) return prepare_cubin(*source, options, status);
    return elsewhere || is_ptx(source->text()) ? prepare_ptx(std::move(*source), options, status)
                                               : prepare_program(std::move(*source), options, place, status);
}

} // namespace tmemc::cli
