// atoms: the table of message shapes and of the fragments that they deliver. It reads no file.
#include "cli/session.hpp"

#include "inspect/atoms.hpp"

namespace tmemc::cli {

int atoms(const Options& options) {
    const std::vector<inspect::Atom> list = inspect::atoms();
    const bool json = options.format == "json";
    return put(json ? inspect::atoms_json(list) : inspect::atoms_text(list)) ? exit_ok : exit_usage;
}

} // namespace tmemc::cli
