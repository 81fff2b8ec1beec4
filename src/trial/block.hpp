// A test block, bound: steps in the order to be taken, each with the types it works on. bind() finds every
// mistake of a block before anything runs; run() takes the steps and stops at the first that fails.
//
//     A = random(seed: 1);    Fill    {A: f16[128, 8], random}
//     run roundtrip;          Launch  {roundtrip}
//     expect B == A;          Expectation
//
// A Fill appears again before a run that reads the same name in another type.
#pragma once

#include "trial/resolve.hpp"
#include "trial/trial.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace tmemc::trial {

struct Fill {
    runtime::Formal formal;
    runtime::Values values;
    base::Span span;
};
struct Launch {
    runtime::Signature signature;
    std::optional<std::string> fault; // the code that the run is to end with
    base::Span span;
};
using Step = std::variant<Fill, Launch, Expectation>;
using Block = std::vector<Step>;

/// What a block may name.
struct Names {
    std::map<std::string, runtime::Signature> kernels;
    std::vector<std::pair<std::string, std::int64_t>> constants;
    std::set<std::string> functions; // of the file, which no block can run
    std::set<std::string> lost;      // unknown because of a mistake that is reported elsewhere
};

/// Usable when nothing was reported. `torn`: statements of the block could not be read.
[[nodiscard]] Block bind(const grammar::ast::Test& test, const Names& names, bool torn,
                         base::Diagnostics& diagnostics);

/// The kernels that a block runs, compiled without errors, by name.
using Kernels = std::map<std::string, Compiled>;

/// Takes the steps; sets outcome, span, messages and diagnostics of `verdict`.
void run(const Block& block, const Kernels& kernels, const Options& options, Verdict& verdict);

} // namespace tmemc::trial
