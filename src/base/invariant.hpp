// A broken invariant is a bug in tmemc, never in the user's program. It throws InternalError, the one
// exception type of the project, which only cli catches (exit status 70). A user's mistake is a Diagnostic
// and a value.
#pragma once

#include <stdexcept>
#include <string>

namespace tmemc::base {

struct InternalError : std::logic_error {
    using std::logic_error::logic_error;
};

/// Throws InternalError with `what` when `holds` is false.
inline void invariant(bool holds, const char* what) {
    if (!holds) throw InternalError(what);
}
inline void invariant(bool holds, const std::string& what) { invariant(holds, what.c_str()); }

} // namespace tmemc::base
