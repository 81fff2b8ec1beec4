// The rules, in the order in which they are complained about: the kinds of build, then what every verb writes
// against what it reads and against each other.
#include "cli/outputs.hpp"

#include "cli/session.hpp"
#include "runtime/spec.hpp"

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
    if (fs::exists(a, unknown) && !fs::is_regular_file(a, unknown)) return false; // a device keeps nothing
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

/// The file, one of another name that is the same, or a program in a folder that `test` goes through.
bool reads(const std::string& input, const std::string& path) {
    std::error_code absent;
    if (input.empty() || input == "-" || path == "-") return false;
    if (!fs::is_directory(input, absent))
        return fs::equivalent(path, input, absent) || same_file(path, input);
    const fs::path inside =
        fs::weakly_canonical(path, absent).lexically_relative(fs::weakly_canonical(input, absent));
    return inside.extension() == ".tmx" && *inside.begin() != "..";
}

/// The file of `@file.npy`, if the spec has one.
std::string file_in(const std::string& spec) {
    const auto parsed = runtime::parse_spec(spec);
    const auto* const whole = std::get_if<runtime::Spec>(&parsed);
    const auto* const file = whole == nullptr ? nullptr : std::get_if<runtime::NpyPath>(&whole->values);
    return file == nullptr ? "" : file->path;
}

/// What else is read, beside the inputs, and must not be replaced by `path`. A tensor may be saved over the
/// file that it came from, and a report over its baseline: those are read before. What --expect names is read
/// after --save, and would be compared with itself.
std::vector<std::string> also_read(const Options& options, const std::string& path) {
    std::vector<std::string> files;
    for (const auto& [name, spec] : options.expectations) files.push_back(file_in(spec));
    const bool result =
        path == options.output || std::any_of(options.saves.begin(), options.saves.end(),
                                              [&](const auto& save) { return save.second == path; });
    if (result) return files;
    for (const auto& [name, spec] : options.arguments) files.push_back(file_in(spec));
    files.push_back(options.baseline);
    return files;
}

/// Whatever the verb would write; absent after a complaint.
std::optional<std::vector<std::string>> written_files(const Options& options) {
    std::vector<std::string> files;
    if (options.verb == Verb::build) {
        const std::optional<std::vector<Emission>> wanted = outputs(options);
        if (!wanted) return std::nullopt;
        for (const Emission& each : *wanted) files.push_back(each.path);
    } else {
        if (!options.output.empty()) files.push_back(options.output);
        if (options.depfile)
            files.push_back(options.depfile_path.empty() ? default_output(options.inputs.front(), Kind::deps)
                                                         : options.depfile_path);
    }
    for (const auto& [name, path] : options.saves) files.push_back(path);
    // A picture on standard output comes where the rest did not.
    if (!options.explain_svg.empty() && options.explain_svg != "-") files.push_back(options.explain_svg);
    return files;
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
    return wanted;
}

bool suffix_fits(const Options& options, std::initializer_list<std::string_view> known) {
    const std::string suffix = fs::path(options.output).extension().string();
    if (options.format_given || std::find(known.begin(), known.end(), suffix) != known.end()) return true;
    complain(
        fmt::format("the suffix of `{}` names no kind of output; say it with --format=FORM", options.output));
    return false;
}

bool outputs_apart(const Options& options) {
    const std::optional<std::vector<std::string>> written = written_files(options);
    if (!written) return false;
    std::vector<std::string> before;
    for (const std::string& path : *written) {
        const auto is_read = [&](const std::string& input) { return reads(input, path); };
        const auto is_written = [&](const std::string& other) { return same_file(other, path); };
        const std::vector<std::string> others = also_read(options, path);
        if (std::any_of(options.inputs.begin(), options.inputs.end(), is_read))
            complain(fmt::format("the output `{}` is the input", path));
        else if (std::any_of(others.begin(), others.end(), is_read))
            complain(fmt::format("the output `{}` is read too", path));
        else if (std::any_of(before.begin(), before.end(), is_written))
            complain(fmt::format("two outputs would be written to `{}`", path));
        else {
            before.push_back(path);
            continue;
        }
        return false;
    }
    return true;
}

} // namespace tmemc::cli
