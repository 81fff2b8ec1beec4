// Programs for the tests of the library: the examples, and a few that must be refused.
#pragma once

#include "base/file.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tmemc::tests {

/// The file's text; the working folder is tests/.
inline std::string text_of(const std::string& path) {
    std::string error;
    const auto text = base::read_file(path, error);
    REQUIRE_MESSAGE(text.has_value(), error);
    return *text;
}

inline const std::string roundtrip = "../examples/roundtrip.tmx";

/// Every example, in the order of their names.
inline std::vector<std::string> examples() {
    std::set<std::string> found;
    for (const auto& each : std::filesystem::directory_iterator("../examples"))
        if (each.path().extension() == ".tmx") found.insert(each.path().string());
    REQUIRE(found.size() > 10);
    return {found.begin(), found.end()};
}

/// Two mistakes: a name that is not there, with a near one, and a wait that is missing.
inline const std::string wrong = "kernel k(in A: f32[128, 8]) {\n  frag X: f32[128, 8];\n  copy Y <- A;\n}\n"
                                 "kernel l(in A: f32[128, 8], out B: f32[128, 8]) {\n"
                                 "  frag X: f32[128, 8];\n  copy X <- A;\n  copy B <- Z;\n}\n";

} // namespace tmemc::tests
