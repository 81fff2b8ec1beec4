// The rules, in the order in which they are complained about.
#include "cli/outputs.hpp"

#include "cli/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tmemc::cli {
namespace {

namespace fs = std::filesystem;

/// What holds code holds that of one target, but for header and manifest.
bool holds_every_target(const std::vector<Emission>& wanted, const Options& options) {
    if (options.other_targets.empty()) return true;
    for (const Emission& each : wanted) {
        if (each.kind == Kind::ast || each.kind == Kind::header || each.kind == Kind::manifest ||
            each.kind == Kind::deps)
            continue;
        complain(
            fmt::format("-arch names {} targets, but `{}` would hold the code of one; only --emit=header and "
                        "--emit=manifest take several",
                        options.other_targets.size() + 1, each.path));
        return false;
    }
    return true;
}

/// Also when one is spelled `./a` or through a link.
bool same_file(const std::string& a, const std::string& b) {
    if (a == "-" || b == "-") return a == b;
    std::error_code unknown;
    const fs::path first = fs::weakly_canonical(fs::absolute(a), unknown),
                   second = fs::weakly_canonical(fs::absolute(b), unknown);
    return unknown ? fs::path(a).lexically_normal() == fs::path(b).lexically_normal() : first == second;
}

/// A dependency file cannot hold such a name.
bool no_line_breaks(const std::vector<Emission>& wanted, const std::string& input) {
    const auto is_deps = [](const Emission& each) { return each.kind == Kind::deps; };
    if (std::none_of(wanted.begin(), wanted.end(), is_deps)) return true;
    std::string names = input;
    for (const Emission& each : wanted) names += each.path;
    if (names.find('\n') == std::string::npos) return true;
    complain("a dependency file cannot name a file with a line break in its name");
    return false;
}

} // namespace

std::string default_output(const std::string& input, Kind kind) {
    const std::string stem = input == "-" ? "stdin" : fs::path(input).stem().string();
    return stem + std::string(default_suffix(kind));
}

std::optional<std::vector<Emission>> outputs(const Options& options) {
    std::vector<Emission> wanted = options.emissions;
    if (wanted.empty()) {
        std::optional<Kind> kind = kind_of_suffix(options.output);
        if (!options.output.empty() && !kind && options.output != "-") {
            complain(fmt::format("the suffix of `{}` names no kind of output; say it with --emit=KIND",
                                 options.output));
            return std::nullopt;
        }
        wanted = {{kind.value_or(Kind::cubin), {}}};
    }
    if (!options.output.empty() && wanted.size() > 1) {
        complain(fmt::format("-o names one output, but --emit asks for {}; write --emit=KIND=PATH,...",
                             wanted.size()));
        return std::nullopt;
    }
    for (Emission& each : wanted)
        if (each.path.empty())
            each.path =
                options.output.empty() ? default_output(options.inputs.front(), each.kind) : options.output;
    if (options.depfile)
        wanted.push_back({Kind::deps, options.depfile_path.empty()
                                          ? default_output(options.inputs.front(), Kind::deps)
                                          : options.depfile_path});
    if (!no_line_breaks(wanted, options.inputs.front())) return std::nullopt;
    if (!holds_every_target(wanted, options)) return std::nullopt;
    for (const Emission& each : wanted) {
        std::error_code absent;
        if (each.path != "-" && fs::equivalent(each.path, options.inputs.front(), absent)) {
            complain(fmt::format("the output `{}` is the input", each.path));
            return std::nullopt;
        }
    }
    for (std::size_t i = 0; i < wanted.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (same_file(wanted[i].path, wanted[j].path)) {
                complain(fmt::format("two outputs would be written to `{}`", wanted[i].path));
                return std::nullopt;
            }
    return wanted;
}

} // namespace tmemc::cli
