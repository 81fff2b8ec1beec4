// fmt: the canonical form of a program, in place or on standard output. A file is written when it changes and
// whole; one with syntax errors stays as it is. With --check nothing is written and standard output names the
// files that would be: their sources want a change, so that is exit status 1, as a mistake in them is.
#include "cli/session.hpp"

#include "base/file.hpp"
#include "grammar/format.hpp"

#include <algorithm>

namespace tmemc::cli {

namespace {

int format_one(const std::string& input, const Options& options, std::string& names) {
    const std::optional<base::Source> source = read_program(input);
    if (!source) return exit_usage;
    const grammar::FormatResult made = grammar::format(*source);
    if (show(made.diagnostics, *source, options)) return exit_source;
    const bool same = made.text == source->text();
    if (options.check_only) {
        if (!same) names += source->name() + "\n";
        return same ? exit_ok : exit_source;
    }
    if (input == "-") return put(made.text) ? exit_ok : exit_usage;
    std::string error;
    if (same || base::write_file(input, made.text, error)) return exit_ok;
    complain(error);
    return exit_usage;
}

} // namespace

int format(const Options& options) {
    int status = exit_ok;
    std::string names; // of --check
    for (const std::string& input : options.inputs)
        status = std::max(status, format_one(input, options, names));
    return names.empty() || put(names) ? status : exit_usage;
}

} // namespace tmemc::cli
