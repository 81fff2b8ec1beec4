// Runs a program and waits for it: no shell, arguments as they are, both outputs captured, input fed from
// memory.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tmemc::toolchain {

struct Command {
    std::string program; // a path
    std::vector<std::string> arguments;
    std::string input; // standard input
    std::chrono::milliseconds timeout{60'000};
    std::vector<std::string> environment; // NAME=value, beside our own, which comes first
};
struct ProcessResult {
    bool started = false;   // false: `error` says why
    bool timed_out = false; // it was killed
    int exit_code = 0;      // 128 + n when signal n ended it
    std::string output, errors;
    std::string error;
};

[[nodiscard]] ProcessResult run(const Command& command);
/// The command as one would type it, quoted where a shell needs it.
[[nodiscard]] std::string to_string(const Command& command);

} // namespace tmemc::toolchain
