// Two runs and --version.
#include "toolchain/ptxas_info.hpp"

#include "toolchain/ptxas.hpp"

#include <algorithm>

namespace tmemc::toolchain {

namespace {

/// What stands between `head` and the next quote.
std::string quoted_after(const std::string& text, const std::string& head) {
    const std::size_t at = text.find(head);
    if (at == std::string::npos) return {};
    const std::size_t begin = at + head.size();
    return text.substr(begin, text.find('\'', begin) - begin);
}

} // namespace

PtxasInfo ask_ptxas(const std::string& path) {
    PtxasInfo info;
    info.version = ptxas_version(path);
    if (info.version.empty()) return info;
    const std::chrono::seconds enough(10);
    const std::string future = ".version 99.9\n.target sm_80\n.address_size 64\n";
    info.ptx = quoted_after(
        run({path, {"-c", "-arch=sm_80", "/dev/stdin", "-o", "/dev/null"}, future, enough}).errors,
        "current version is '");
    const std::string help = run({path, {"--help"}, {}, enough}).output;
    const std::string mark = "'sm_";
    for (std::size_t at = help.find(mark); at != std::string::npos; at = help.find(mark, at + 1)) {
        std::string target = "sm_" + quoted_after(help.substr(at), mark);
        if (std::find(info.targets.begin(), info.targets.end(), target) == info.targets.end())
            info.targets.push_back(std::move(target));
    }
    return info;
}

} // namespace tmemc::toolchain
