// The warning flags, applied to finished diagnostics: no stage knows them.
#include "base/render.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tmemc::base {

namespace {

bool names(const std::vector<std::string>& flags, std::string_view flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
}

} // namespace

Diagnostics filter(const Diagnostics& diagnostics, const WarningOptions& options) {
    Diagnostics kept;
    std::size_t errors = 0;
    for (Diagnostic each : diagnostics.list) {
        if (each.severity == Severity::warning) {
            if (options.silence_all || names(options.silenced, each.kind->flag)) continue;
            const bool raised = options.all_as_errors || names(options.as_errors, each.kind->flag);
            if (raised) each.severity = Severity::error;
        }
        if (each.severity == Severity::error && ++errors > options.error_limit && options.error_limit > 0)
            continue;
        kept.list.push_back(std::move(each));
    }
    if (options.error_limit == 0 || errors <= options.error_limit) return kept;
    const auto last_error = std::find_if(kept.list.rbegin(), kept.list.rend(), [](const Diagnostic& each) {
        return each.severity == Severity::error;
    });
    const std::size_t left_out = errors - options.error_limit;
    last_error->note(fmt::format("{} more error{} not shown (-ferror-limit={})", left_out,
                                 left_out == 1 ? " is" : "s are", options.error_limit));
    return kept;
}

} // namespace tmemc::base
