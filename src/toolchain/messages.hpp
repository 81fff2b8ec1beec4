// What ptxas prints, as data. It writes a message a line,
//
//     ptxas /dev/stdin, line 6; error   : Not a name of any known instruction: 'foo'
//     ptxas fatal   : (C7602) Insufficient registers (24) to compile instruction at line 23 in function k.
//     ... ptxas info    : Function properties for k
//         0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//
// where a line that begins with a blank goes on with the message before it, and some messages name their line
// in the text only. Other lines are not ptxas's own and are left out.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::toolchain {

struct PtxasMessage {
    std::uint32_t line = 0; // of the PTX, from 1; 0: of no line
    std::string severity;   // "error", "fatal", "warning", "info"
    std::string text;
    bool operator==(const PtxasMessage&) const = default;
};

[[nodiscard]] std::vector<PtxasMessage> parse_messages(std::string_view printed);

} // namespace tmemc::toolchain
