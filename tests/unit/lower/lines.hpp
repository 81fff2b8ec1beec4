// What tests ask of a lowered kernel: its lines, where one of them is, and ptxas's opinion of it where there
// is one.
#pragma once

#include "programs.hpp"

#include "ptx/write.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace tmemc::lower::test {

/// The text as it is without -lineinfo.
inline ptx::Written plainly_written(const ptx::Module& module) { return ptx::write(module, {true, false}); }

/// The lines of a function's body, trimmed.
inline std::vector<std::string> lines(const LowerResult& result) {
    const std::string text = plainly_written(result.module).text;
    std::vector<std::string> list;
    for (std::size_t at = text.find("{\n") + 2; at < text.size();) {
        const std::size_t end = text.find('\n', at), first = text.find_first_not_of(' ', at);
        if (text[at] == '}') break;
        list.push_back(first < end ? text.substr(first, end - first) : "");
        at = end + 1;
    }
    return list;
}

/// The index of the first line from `from` on that begins like this; there must be one.
inline int line_of(const std::vector<std::string>& list, const std::string& beginning, int from = 0) {
    for (int i = from; i < static_cast<int>(list.size()); ++i)
        if (list[static_cast<std::size_t>(i)].compare(0, beginning.size(), beginning) == 0) return i;
    FAIL_CHECK("no line begins with " << beginning);
    return -1;
}
inline int count_of(const std::vector<std::string>& list, const std::string& beginning) {
    return static_cast<int>(std::count_if(list.begin(), list.end(), [&](const std::string& each) {
        return each.compare(0, beginning.size(), beginning) == 0;
    }));
}

inline std::string extent_text(const LowerResult& result, std::size_t statement) {
    const Extent& extent = result.trace.kernels[0].statements.at(statement);
    const std::vector<std::string> list = lines(result);
    const std::vector<std::uint32_t> at = plainly_written(result.module).lines[0]; // of statements
    std::string text;
    for (std::uint32_t i = at.at(extent.first); i < at.at(extent.last); ++i)
        text += list.at(i - at.front()) + "\n";
    return text;
}

/// Assembles for every target where there is a ptxas.
inline void check_assembles(Program p) {
    if (toolchain::find_ptxas().path.empty()) return;
    for (const char* target : {"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"}) {
        p.program.target = target;
        const std::string text = ptx::write(p.lowered().module).text;
        CAPTURE(text);
        toolchain::PtxasOptions options;
        options.target = target;
        const toolchain::Assembled assembled = toolchain::assemble(text, options);
        CHECK_MESSAGE(assembled.status == toolchain::Assembled::Status::ok, assembled.raw_errors);
    }
}

} // namespace tmemc::lower::test
