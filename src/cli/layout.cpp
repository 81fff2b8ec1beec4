// layout: where every element of a kernel's objects lives, as text or as a picture.
#include "cli/session.hpp"

namespace tmemc::cli {

int layout(const Options&) {
    complain("`layout` is not built yet");
    return exit_usage;
}

} // namespace tmemc::cli
