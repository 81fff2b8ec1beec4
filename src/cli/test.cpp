// test: run the `test` blocks of files and of every .tmx file under folders. A line per block on standard
// output, what went wrong behind it, and the counts at the end. Warnings of the kernels that run are shown
// once a file, on standard error; with -Werror the blocks that run them fail.
#include "cli/place.hpp"

#include "trial/check.hpp"
#include "trial/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

namespace tmemc::cli {
namespace {

namespace fs = std::filesystem;
using Outcome = trial::Verdict::Outcome;

/// The files named, folders replaced by the .tmx files under them, in order of name.
std::vector<std::string> files_of(const std::vector<std::string>& inputs) {
    std::vector<std::string> files;
    for (const std::string& input : inputs) {
        std::error_code problem;
        if (!fs::is_directory(input, problem)) {
            files.push_back(input);
            continue;
        }
        std::vector<std::string> found;
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(input, problem))
            if (entry.path().extension() == ".tmx") found.push_back(entry.path().string());
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

struct Counts {
    int passed = 0, failed = 0, skipped = 0;
    int unread = 0; // of the failed: files with errors, of which no test could run
};

/// What several blocks that run one kernel have to say of it is said once.
base::Diagnostics not_said_before(const base::Diagnostics& diagnostics, base::Diagnostics& said) {
    base::Diagnostics fresh;
    for (const base::Diagnostic& each : diagnostics.list) {
        if (std::find(said.list.begin(), said.list.end(), each) != said.list.end()) continue;
        said.list.push_back(each);
        fresh.list.push_back(each);
    }
    return fresh;
}

/// `said` is what was shown of the file before.
trial::Options trial_options(const base::Source& source, const Options& options, Place& place,
                             const std::string& target, base::Diagnostics& said) {
    trial::Options made;
    made.compile = [&, target](const std::string& kernel) {
        CompileOptions compiling = compile_options(options);
        compiling.check.only = {kernel};
        compiling.check.target = target;
        Compilation compiled = compile(source, compiling);
        if (compiled.ok()) verify(compiled, source, options);
        trial::Compiled result;
        // With -Werror a warning is an error, and the kernel does not run. The errors are the verdict's to
        // show or to expect, all of them.
        base::WarningOptions warnings = options.warnings;
        warnings.error_limit = 0;
        result.diagnostics = base::filter(compiled.diagnostics, warnings);
        if (!result.diagnostics.has_errors())
            show(not_said_before(result.diagnostics, said), source, options);
        result.ptx = std::move(compiled.ptx.text);
        if (!result.diagnostics.has_errors() && !compiled.program.kernels.empty()) {
            result.kernel = std::move(compiled.program.kernels.front());
            result.scratch_bytes = compiled.trace.kernels.front().cells.scratch_bytes();
        }
        return result;
    };
    made.device = [&](const runtime::Code& code, bool faulty) -> std::unique_ptr<runtime::Device> {
        if (!faulty) return place.device_for(code);
        return options.on == On::gpu ? nullptr : emulator(options); // which alone finds faults
    };
    made.read_file = [&](const std::string& path, std::size_t limit) {
        return read_contents((fs::path(source.name()).parent_path() / path).string(), limit);
    };
    return made;
}

std::string line_of(const trial::Verdict& verdict, const base::Source& source) {
    if (verdict.outcome == Outcome::passed)
        return fmt::format("passed  {}: {}\n", source.name(), verdict.title);
    const base::Position at = source.position(verdict.span.begin);
    return fmt::format("{}  {}:{}:{}: {}\n", verdict.outcome == Outcome::failed ? "FAILED" : "skipped",
                       source.name(), at.line, at.column, verdict.title);
}

std::string indented(const std::string& text) {
    std::string out = "  ";
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == '\n' && i + 1 < text.size()) out += "  ";
    }
    return out.back() == '\n' ? out : out + '\n';
}

void count(Counts& counts, Outcome outcome) {
    counts.passed += outcome == Outcome::passed;
    counts.failed += outcome == Outcome::failed;
    counts.skipped += outcome == Outcome::skipped;
}

int cannot_run(const base::Source& source, Counts& counts) {
    std::cout << fmt::format("FAILED  {}: it has errors, so no test of it ran\n", source.name())
              << std::flush;
    ++counts.failed;
    ++counts.unread;
    return exit_source;
}

/// Runs one file's blocks; the exit status is of mistakes in the file and of devices, not of failed blocks.
int test_file(const std::string& path, const Options& options, Place& place, Counts& counts) {
    const std::optional<base::Source> source = read_program(path);
    if (!source) return exit_usage;
    const Compilation parsed = parse(*source);
    if (show(parsed.diagnostics, *source, options)) return cannot_run(*source, counts);
    base::Diagnostics said = parsed.diagnostics;
    const std::string target =
        options.target.empty() && !names_target(parsed.tree) ? place.default_target() : options.target;
    // A kernel's mistakes matter to the blocks that run it, which compile it for themselves.
    const sema::Program program = sema::check(parsed.tree, compile_options(options).check).program;
    const bool mistaken = trial::check(program, parsed.tree, {}, {}).has_errors();
    if (mistaken || program.tests.empty()) { // nobody else would say what is wrong with the kernels
        CompileOptions compiling = compile_options(options);
        compiling.check.target = target;
        if (show(compile(*source, compiling).diagnostics, *source, options))
            return cannot_run(*source, counts);
    }
    int status = exit_ok;
    for (const trial::Verdict& verdict :
         trial::run_tests(program, trial_options(*source, options, place, target, said))) {
        count(counts, verdict.outcome);
        if (verdict.device_failed) status = exit_toolchain;
        if (!options.quiet || verdict.outcome != Outcome::passed) std::cout << line_of(verdict, *source);
        for (const std::string& message : verdict.messages) std::cout << indented(message);
        std::cout << std::flush;
        show(not_said_before(verdict.diagnostics, said), *source, options);
    }
    return status;
}

} // namespace

int test(const Options& options) {
    Place place(options);
    if (place.error())
        return report(*place.error(), base::Source(options.inputs.front(), ""), base::no_place, options);
    int status = exit_ok;
    Counts counts;
    for (const std::string& file : files_of(options.inputs))
        status = std::max(status, test_file(file, options, place, counts));
    const std::string summary =
        fmt::format("{} passed, {} failed, {} skipped\n", counts.passed, counts.failed, counts.skipped);
    if (!put(summary)) return place.leave(exit_usage);
    return place.leave(counts.failed != counts.unread ? exit_check : status);
}

} // namespace tmemc::cli
