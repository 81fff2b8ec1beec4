// Each place is a folder or a list of folders; the first that holds a program of the name wins.
#include "toolchain/ptxas.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <sys/stat.h>
#include <unistd.h>

namespace tmemc::toolchain {

namespace {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool is_program(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

/// The first program `name` in the colon-separated `folders`, or empty. An empty folder is the current one.
std::string find_in(const std::string& folders, const std::string& name) {
    for (std::size_t begin = 0; begin <= folders.size();) {
        const std::size_t end = std::min(folders.find(':', begin), folders.size());
        const std::string folder = end > begin ? folders.substr(begin, end - begin) : ".";
        if (std::string path = fmt::format("{}/{}", folder, name); is_program(path)) return path;
        begin = end + 1;
    }
    return {};
}

/// What the user named: a path, or a program in PATH.
Found find_given(const std::string& given, const std::string& how) {
    if (given.find('/') == std::string::npos) {
        const std::string folders = environment("PATH");
        return {find_in(folders, given), {how + " (" + given + " in PATH, " + folders + ")"}};
    }
    return {is_program(given) ? given : "", {how + " (" + given + ")"}};
}

} // namespace

Found find_ptxas(const std::string& path_option) {
    if (!path_option.empty()) return find_given(path_option, "--ptxas");
    if (const std::string variable = environment("TMEMC_PTXAS"); !variable.empty())
        return find_given(variable, "$TMEMC_PTXAS");
    return find_tool("ptxas");
}

Found find_tool(const std::string& name) {
    struct Place {
        std::string how, folders;
    };
    const auto bin_of = [](const char* variable) {
        const std::string folder = environment(variable);
        return folder.empty() ? folder : folder + "/bin";
    };
    Found found;
    for (const Place& place :
         {Place{"PATH", environment("PATH")}, Place{"$CUDA_HOME/bin", bin_of("CUDA_HOME")},
          Place{"$CUDA_PATH/bin", bin_of("CUDA_PATH")},
          Place{"the default CUDA folder", "/usr/local/cuda/bin"}}) {
        if (place.folders.empty()) {
            found.searched.push_back(place.how + " (not set)");
            continue;
        }
        found.searched.push_back(place.how + " (" + place.folders + ")");
        found.path = find_in(place.folders, name);
        if (!found.path.empty()) return found;
    }
    return found;
}

} // namespace tmemc::toolchain
