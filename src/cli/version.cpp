// --version: of tmemc itself.
#include "cli/session.hpp"

namespace tmemc::cli {

int version(const Options&) { return put("tmemc " TMEMC_VERSION "\n") ? exit_ok : exit_usage; }

} // namespace tmemc::cli
