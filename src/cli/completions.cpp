// completions: a completion script for a shell, made of the option table.
#include "cli/session.hpp"

namespace tmemc::cli {

int completions(const Options&) {
    complain("`completions` is not built yet");
    return exit_usage;
}

} // namespace tmemc::cli
