// Which target, and whether it will do.
#include "sema/target.hpp"

#include "base/near.hpp"
#include "ptx/targets.hpp"
#include "sema/items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

constexpr std::string_view default_target = "sm_100a";

// Targets that ptxas 13.0 knows and that have no tensor memory (ptxas --help, --gpu-name); the plain sm_100
// is one of them, because tcgen05 needs the `a` or `f`.
constexpr std::array<std::string_view, 18> without_tensor_memory{
    "sm_75",  "sm_80",  "sm_86",  "sm_87",   "sm_88",   "sm_89",  "sm_90",   "sm_90a",  "sm_100",
    "sm_103", "sm_110", "sm_120", "sm_120a", "sm_120f", "sm_121", "sm_121a", "sm_121f", "sm_70"};

void check_target(Environment& env, const std::string& name, Span span) {
    if (ptx::target(name)) return;
    const auto* known = std::find(without_tensor_memory.begin(), without_tensor_memory.end(), name);
    const auto& kind = known == without_tensor_memory.end() ? catalogue::unknown_target
                                                            : catalogue::target_without_tensor_memory;
    const std::vector<std::string> fit = ptx::target_names();
    const std::string near = base::nearest(name, fit);
    base::Diagnostic& unfit = env.reports.report(kind, span, name);
    if (!near.empty()) unfit.help(fmt::format("did you mean `{}`?", near));
    unfit.help(fmt::format("targets with tensor memory: {}", fmt::join(fit, ", ")));
}

} // namespace

std::string target_of(Environment& env, const ast::Module& module, const std::string& command_line) {
    const auto targets = items<ast::Target>(module);
    for (std::size_t i = 1; i < targets.size(); ++i)
        env.reports.report(catalogue::given_twice, targets[i]->place, "target")
            .label(targets.front()->place, "first here");
    if (!command_line.empty()) {
        check_target(env, command_line, base::no_place);
        return command_line;
    }
    if (targets.empty()) return std::string(default_target);
    check_target(env, targets.front()->name.text, targets.front()->name.place);
    return targets.front()->name.text;
}

} // namespace tmemc::sema
