// explain: the page of a diagnostic, and the list of all codes.
#include "cli/session.hpp"

namespace tmemc::cli {

int explain(const Options&) {
    complain("`explain` is not built yet");
    return exit_usage;
}

} // namespace tmemc::cli
