// tmemc: argv to Options, Options to a verb. An exception that gets here is a bug of ours: exit status 70.
#include "cli/options.hpp"
#include "cli/outputs.hpp"
#include "cli/place.hpp"
#include "cli/session.hpp"

#include "base/invariant.hpp"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace {

using namespace tmemc::cli;

/// Colours are for terminals, and for people who have not said NO_COLOR.
bool colorful_terminal(int stream) {
    const char* no_color = std::getenv("NO_COLOR");
    return isatty(stream) != 0 && (no_color == nullptr || *no_color == '\0');
}

int act(const Options& options) {
    switch (options.verb) {
    case Verb::build: return build(options);
    case Verb::check: return check(options);
    case Verb::run: return run(options);
    case Verb::test: return test(options);
    case Verb::atoms: return atoms(options);
    case Verb::doctor: return doctor(options);
    case Verb::layout: return layout(options);
    case Verb::report: return report(options);
    case Verb::fmt: return format(options);
    case Verb::explain: return explain(options);
    case Verb::completions: return completions(options);
    case Verb::version: return version(options);
    case Verb::help: return put(options.help) ? exit_ok : exit_usage;
    }
    return exit_usage;
}

int act(const std::vector<std::string>& arguments) {
    speak_json(arguments);
    const bool page =
        !arguments.empty() && arguments.front() == "explain"; // its colours are on standard output
    Parsed parsed = parse_command_line(arguments, colorful_terminal(page ? STDOUT_FILENO : STDERR_FILENO));
    if (!parsed.options) {
        complain(parsed.error);
        return exit_usage;
    }
    if (const int status = resolve_native(*parsed.options)) return status;
    if (!outputs_apart(*parsed.options)) return exit_usage;
    return keep_picture(*parsed.options, act(*parsed.options));
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGXFSZ, SIG_IGN); // a limit on file sizes is an error of the write, like a full disk
    try {
        return act({argv + 1, argv + argc});
    } catch (const std::bad_alloc&) {
        complain("there is not enough memory for this");
        return exit_usage;
    } catch (const std::exception& broken) {
        complain(std::string("internal error: ") + broken.what() +
                 "; this is a bug in tmemc, not in your program");
        return exit_internal;
    }
}
