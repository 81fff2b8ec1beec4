// fmt: the canonical form of a program, in place or on standard output.
#include "cli/session.hpp"

namespace tmemc::cli {

int format(const Options&) {
    complain("`fmt` is not built yet");
    return exit_usage;
}

} // namespace tmemc::cli
