// Tree to checked program: names, scopes, constants, types, layouts, slices, unrolled loops. Every
// independent mistake is reported, once also when it stands in an unrolled loop, and a name whose declaration
// failed is not reported again.
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/ast.hpp"
#include "sema/program.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::sema {

/// Where tensor memory is: in the hardware's; in shared or global memory; there where the target has none.
enum class TensorMemoryMode : std::uint8_t { hardware, software, automatic };

struct Options {
    std::vector<std::pair<std::string, std::int64_t>> definitions; // -D NAME=INT
    std::string target;                                            // -arch; empty: the file's, else sm_100a
    TensorMemoryMode tensor_memory = TensorMemoryMode::hardware;
    std::vector<std::string>
        lost_names;                // statements with syntax errors may declare them: unknown, but no mistake
    std::vector<std::string> only; // check these kernels only; empty: all
    std::int64_t statement_limit = 1'000'000; // after unrolling
};

struct CheckResult {
    Program program;            // whole when there are no errors; else what is in error is left out of it
    bool software_tmem = false; // tensor memory is to be kept in shared or global memory
    base::Diagnostics diagnostics;
};

[[nodiscard]] CheckResult check(const grammar::ast::Module& module, const Options& options = {});

} // namespace tmemc::sema
