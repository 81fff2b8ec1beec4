// Text with holes, and a folder read. A program here is no user's: what is wrong with it is wrong with this
// file, so the first message ends the run.
#include "programs.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace tmemc::bench {

void must_be_right(const base::Source& source, const base::Diagnostics& diagnostics) {
    for (const base::Diagnostic& each : diagnostics.list) {
        if (each.severity != base::Severity::error) continue;
        fmt::print(stderr, "{}: {}\n{}\n", source.name(), each.message, source.text());
        std::exit(1);
    }
}

base::Source loop_of_copies(Copies copies, std::int64_t count, std::int64_t between) {
    const bool equal = copies == Copies::equal;
    const std::string copy = fmt::format("copy_async T[:, {} +: 1] <- X[:, {} +: 1];", equal ? "0" : "i%500",
                                         equal ? "0" : "i/500");
    const std::string turns =
        between == 1 ? fmt::format("for i in 0..{} {{ {} wait st; }}", count, copy)
                     : fmt::format("for j in 0..{} {{ for i in {}*j..{}*j + {} {{ {} }} wait st; }}",
                                   count / between, between, between, between, copy);
    return {
        "loop.tmx",
        fmt::format("kernel k() {{ tmem T: f32[128, 512]; frag X: f32[128, 32]; X = 0.0;\n{}\n}}\n", turns)};
}

base::Source whole_tile(const std::string& dtype) {
    return {"tile.tmx", fmt::format("kernel k() {{ tmem T: {0}[128, 512]; frag X: {0}[128, 512]; X = 0;\n"
                                    "copy_async T <- X; wait st; }}\n",
                                    dtype)};
}

std::vector<base::Source> examples() {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator(TMEMC_EXAMPLES))
        if (entry.path().extension() == ".tmx") paths.push_back(entry.path().string());
    std::sort(paths.begin(), paths.end());
    std::vector<base::Source> sources;
    for (const std::string& path : paths) {
        std::string error;
        sources.emplace_back(path, base::read_file(path, error).value());
    }
    return sources;
}

std::string stem(const base::Source& source) { return std::filesystem::path(source.name()).stem().string(); }

sema::Program checked(const base::Source& source) {
    const Compilation parsed = parse(source);
    must_be_right(source, parsed.diagnostics);
    sema::CheckResult result = sema::check(parsed.tree);
    must_be_right(source, result.diagnostics);
    return std::move(result.program);
}

Compilation compiled(const base::Source& source) {
    Compilation made = compile(source);
    must_be_right(source, made.diagnostics);
    return made;
}

} // namespace tmemc::bench
