// Reading, compiling and showing, shared by the verbs. Standard output carries what was asked for and nothing
// else.
#include "cli/session.hpp"

#include "base/file.hpp"
#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <unistd.h>

namespace tmemc::cli {

namespace {

std::string standard_input(std::size_t limit) {
    std::string text;
    char block[65536];
    while (text.size() < limit && std::cin) {
        std::cin.read(block, static_cast<std::streamsize>(std::min(sizeof block, limit - text.size())));
        text.append(block, static_cast<std::size_t>(std::cin.gcount()));
    }
    return text;
}

std::string first_picture; // of the run, for --explain-svg

/// The caption is what the picture shows in words.
std::string drawn(const base::Diagnostic& refusal, const base::Source& source) {
    std::string caption =
        fmt::format("{}:{}: {}", source.name(), source.position(refusal.span.begin).line, refusal.message);
    if (!refusal.notes.empty()) caption += "; " + refusal.notes.front();
    return base::picture_svg(*refusal.picture, caption);
}

} // namespace

bool colorful_output(const Options& options) {
    if (options.color_when != "auto") return options.color_when == "always";
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) != 0 && (no_color == nullptr || *no_color == '\0');
}

bool put(const std::string& text) {
    std::cout << text << std::flush;
    if (std::cout) return true;
    complain("cannot write to standard output");
    return false;
}

bool deliver(const std::string& text, const std::string& output) {
    if (output.empty() || output == "-") return put(text);
    std::string error;
    if (base::write_file(output, text, error)) return true;
    complain(error);
    return false;
}

std::optional<base::Source> read_source(const std::string& path, std::size_t limit) {
    if (path == "-") return base::Source("<stdin>", standard_input(limit));
    std::string error;
    std::optional<std::string> text = base::read_file(path, error, limit);
    if (!text) {
        complain(error);
        return std::nullopt;
    }
    return base::Source(path, std::move(*text));
}

bool is_ptx(std::string_view text) {
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
        const bool line = text.substr(0, 2) == "//", block = text.substr(0, 2) == "/*";
        if (!line && !block) return text.substr(0, 8) == ".version";
        const std::size_t end = line ? text.find('\n') : text.find("*/", 2);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + (line ? 1 : 2));
    }
}

std::optional<base::Source> read_program(const std::string& path) {
    std::optional<base::Source> source = read_source(path);
    if (!source || !is_ptx(source->text())) return source;
    complain(fmt::format("`{}` is PTX; it can be run: tmemc run {}", source->name(), path));
    return std::nullopt;
}

runtime::FileContents read_contents(const std::string& path, std::size_t limit) {
    runtime::FileContents contents;
    contents.bytes = base::read_file(path, contents.error, limit);
    return contents;
}

std::unique_ptr<runtime::Device> emulator(const Options& options) {
    return runtime::make_emulator({options.max_steps, options.timeout_ms, options.uninitialised_is_fault,
                                   options.strict_lanes, options.threads});
}

CompileOptions compile_options(const Options& options) {
    CompileOptions made;
    made.check.definitions = options.definitions;
    made.check.target = options.target;
    using Mode = sema::TensorMemoryMode;
    made.check.tensor_memory = options.tmem == "software" ? Mode::software
                               : options.tmem == "auto"   ? Mode::automatic
                                                          : Mode::hardware;
    made.match.max_message = options.max_message;
    made.order.automatic = options.auto_wait;
    made.text = {options.comments, options.line_info};
    return made;
}

bool names_target(const grammar::ast::Module& module) {
    return std::any_of(module.items.begin(), module.items.end(), [](const grammar::ast::Item& item) {
        return std::holds_alternative<grammar::ast::Target>(item.node);
    });
}

bool show(const base::Diagnostics& diagnostics, const base::Source& source, const Options& options) {
    const base::Diagnostics shown = base::filter(diagnostics, options.warnings);
    for (const base::Diagnostic& each : shown.list) {
        if (each.picture && first_picture.empty()) first_picture = drawn(each, source);
        if (options.quiet && each.severity != base::Severity::error) continue;
        std::cerr << (options.json_diagnostics ? base::render_json(each, source) + "\n"
                                               : base::render_text(each, source, {options.color}));
    }
    return shown.has_errors();
}

int keep_picture(const Options& options, int status) {
    if (options.explain_svg.empty()) return status;
    if (first_picture.empty()) {
        if (options.verbose && !options.quiet)
            remark(
                fmt::format("tmemc: note: no copy was refused, so `{}` is not written", options.explain_svg));
        return status;
    }
    return deliver(first_picture, options.explain_svg) ? status : exit_usage;
}

void verify(const Compilation& compilation, const base::Source& source, const Options& options) {
    if (!options.verify) return;
    const tmemc::verify::VerifyResult result = verify_text(compilation);
    if (result.mismatch) throw base::InternalError(tmemc::verify::to_string(*result.mismatch, source));
}

} // namespace tmemc::cli
