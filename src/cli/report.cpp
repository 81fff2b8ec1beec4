// report: the numbers of each kernel's machine code, of a .tmx that is compiled and assembled for it or of a
// cubin as it is. The comparison with a baseline follows the text; beside JSON it goes to standard error.
#include "cli/depfile.hpp"
#include "cli/machine_code.hpp"

#include "base/file.hpp"
#include "cli/outputs.hpp"
#include "inspect/report.hpp"
#include "inspect/sass_listing.hpp"
#include "toolchain/nvdisasm.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::cli {
namespace {

constexpr std::size_t largest_cubin = std::size_t{1} << 30;
constexpr std::size_t largest_baseline = std::size_t{1} << 26;
constexpr std::string_view elf = "\x7f"
                                 "ELF",
                           fat_binary = "\x50\xed\x55\xba";

/// What is reported, and for --sass where its source lines are.
struct Subject {
    inspect::Report report;
    std::string cubin;
    std::vector<std::string> ptx; // a line each
    inspect::SourceLine source_line;
};

/// A line of a file that was read when the cubin was made, if it is still there.
std::optional<std::string> line_of_file(const std::string& file, std::uint32_t line) {
    std::string error;
    std::optional<std::string> text = base::read_file(file, error, largest_baseline);
    if (!text) return std::nullopt;
    const base::Source source(file, std::move(*text));
    return std::string(source.line(line));
}

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// By its first bytes; a .cubin that does not begin like one is damaged and no program.
bool is_machine_code(std::string_view path, std::string_view bytes) {
    return bytes.substr(0, elf.size()) == elf || bytes.substr(0, fat_binary.size()) == fat_binary ||
           path.ends_with(".cubin") || path.ends_with(".fatbin");
}

int read_machine_code(const base::Source& file, Subject& subject) {
    const toolchain::Cubin cubin = toolchain::read_cubin(file.text());
    if (!cubin.error.empty()) {
        complain(fmt::format("`{}` cannot be read: {}", file.name(), cubin.error));
        return exit_usage;
    }
    subject = {inspect::report(cubin), std::string(file.text()), toolchain::ptx_in_cubin(file.text()),
               line_of_file};
    return exit_ok;
}

int compile_program(const base::Source& source, const Options& options, Subject& subject) {
    const Compilation made = compile(source, compile_options(options));
    if (show(made.diagnostics, source, options)) return exit_source;
    if (show(fragments_in_ptx(made, true), source, options)) return exit_source;
    Assembly assembly;
    const std::string output = default_output(options.inputs.front(), Kind::report);
    if (const int status = machine_code(made, source, options, output, assembly)) return status;
    if (options.dry_run) return exit_ok;
    subject = {inspect::report(made.program, assembly.assembled.cubin), assembly.assembled.cubin,
               lines_of(made.ptx.text),
               [&source](const std::string&, std::uint32_t line) { return std::string(source.line(line)); }};
    return exit_ok;
}

/// Adds the listing to what will be shown.
int add_sass(const Subject& subject, std::string& text) {
    const toolchain::Disassembled disassembled = toolchain::disassemble(subject.cubin);
    if (!disassembled.error.empty()) {
        std::vector<std::string> notes;
        for (const std::string& place : disassembled.searched) notes.push_back("looked in " + place);
        complain("--sass needs nvdisasm, which comes with the CUDA toolkit: " + disassembled.error, notes);
        return exit_toolchain;
    }
    std::vector<std::string> names;
    for (const inspect::KernelReport& each : subject.report.kernels) names.push_back(each.name);
    text += "\n" + inspect::sass_listing(disassembled.text, subject.ptx, names, subject.source_line);
    return exit_ok;
}

std::optional<inspect::Report> read_baseline(const std::string& path) {
    std::string error;
    const std::optional<std::string> text = base::read_file(path, error, largest_baseline);
    if (!text) {
        complain(error);
        return std::nullopt;
    }
    inspect::ParsedReport parsed = inspect::read_report(*text);
    if (parsed.error.empty()) return std::move(parsed.report);
    complain(
        fmt::format("the baseline `{}` is no report (tmemc report --format=json): {}", path, parsed.error));
    return std::nullopt;
}

int load(const base::Source& source, const Options& options, Subject& subject) {
    if (is_machine_code(source.name(), source.text())) return read_machine_code(source, subject);
    if (!is_ptx(source.text())) return compile_program(source, options, subject);
    complain(
        fmt::format("`{}` is PTX; a report is of machine code: ptxas makes a cubin of it", source.name()));
    return exit_usage;
}

/// The suffix of -o says JSON too.
bool wants_json(const Options& options) {
    return options.format_given ? options.format == "json"
                                : std::string_view(options.output).ends_with(".json");
}

/// True after a complaint about options that do not go together.
bool clash(const Options& options) {
    if (options.format != "text" && options.format != "json")
        complain(fmt::format("a report is text or json, not {}", options.format));
    else if (options.sass && wants_json(options))
        complain("--sass is text; it has no place in JSON");
    else
        return false;
    return true;
}

} // namespace

int report(const Options& given) {
    if (clash(given)) return exit_usage;
    Options options = given;
    if (options.sass && !std::exchange(options.line_info, true))
        options.ptxas_flags.emplace_back("-lineinfo");
    std::optional<inspect::Report> baseline;
    if (!options.baseline.empty() && !(baseline = read_baseline(options.baseline))) return exit_usage;
    const std::optional<base::Source> source = read_source(options.inputs.front(), largest_cubin);
    if (!source) return exit_usage;
    Subject subject;
    if (const int status = load(*source, options, subject)) return status;
    if (options.dry_run) return exit_ok;

    const bool json = wants_json(options);
    std::string text = json ? inspect::report_json(subject.report) : inspect::report_text(subject.report);
    if (options.sass)
        if (const int status = add_sass(subject, text)) return status;
    inspect::Comparison comparison;
    if (baseline) {
        comparison = inspect::compare(subject.report, *baseline);
        if (json)
            remark(comparison.text);
        else
            text += "\n" + comparison.text;
    }
    if (!deliver(text, options.output)) return exit_usage;
    if (!write_dependency_file(options.output, Kind::report, options)) return exit_usage;
    return comparison.worse ? exit_check : exit_ok;
}

} // namespace tmemc::cli
