// report: what is in the machine code of each kernel.
#include "cli/session.hpp"

namespace tmemc::cli {

int report(const Options&) {
    complain("`report` is not built yet");
    return exit_usage;
}

} // namespace tmemc::cli
