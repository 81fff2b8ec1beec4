// What every verb does around its own work: read the source, turn Options into the compiler's, show
// diagnostics.
#pragma once

#include "cli/options.hpp"
#include "cli/voice.hpp"
#include "grammar/limits.hpp"
#include "pipeline.hpp"
#include "runtime/device.hpp"
#include "runtime/spec.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tmemc::cli {

/// Whether what goes to standard output may have colours.
[[nodiscard]] bool colorful_output(const Options& options);
/// Standard output, whole; false when it is closed or full, after a complaint.
[[nodiscard]] bool put(const std::string& text);
/// Standard output, or the file of -o; true when all of it got there.
[[nodiscard]] bool deliver(const std::string& text, const std::string& output);

/// The file, or standard input for "-"; complains and is absent when it cannot be read.
[[nodiscard]] std::optional<base::Source> read_source(const std::string& path,
                                                      std::size_t limit = grammar::largest_source + 1);

/// True of PTX: behind blanks and comments stands `.version`.
[[nodiscard]] bool is_ptx(std::string_view text);
/// The same of a .tmx: what is PTX is refused with the way out.
[[nodiscard]] std::optional<base::Source> read_program(const std::string& path);

/// A file that a program or an argument names; its reader shows the error.
[[nodiscard]] runtime::FileContents read_contents(const std::string& path, std::size_t limit);

/// A fresh emulator with the limits that the options set.
[[nodiscard]] std::unique_ptr<runtime::Device> emulator(const Options& options);

[[nodiscard]] CompileOptions compile_options(const Options& options);
/// True of a file with a `target`.
[[nodiscard]] bool names_target(const grammar::ast::Module& module);

/// Shows warnings and errors as the options ask, on standard error; true when an error was among them.
bool show(const base::Diagnostics& diagnostics, const base::Source& source, const Options& options);

/// The end of every verb: writes the picture of the first refusal that was shown, where --explain-svg asks
/// for one. Where there was none the file is left alone, and a note says so. Returns the exit status.
[[nodiscard]] int keep_picture(const Options& options, int status);

/// Throws InternalError when the PTX does not do what the program says; not with --no-verify, and nothing
/// when there is no PTX.
void verify(const Compilation& compilation, const base::Source& source, const Options& options);

// The verbs. Each returns the exit status.
[[nodiscard]] int atoms(const Options& options);
[[nodiscard]] int build(const Options& options);
[[nodiscard]] int check(const Options& options);
[[nodiscard]] int completions(const Options& options);
[[nodiscard]] int doctor(const Options& options);
[[nodiscard]] int explain(const Options& options);
[[nodiscard]] int format(const Options& options);
[[nodiscard]] int layout(const Options& options);
[[nodiscard]] int report(const Options& options);
[[nodiscard]] int version(const Options& options);
[[nodiscard]] int list_devices();
[[nodiscard]] int run(const Options& options);
[[nodiscard]] int test(const Options& options);

} // namespace tmemc::cli
