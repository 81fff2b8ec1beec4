// Which target, and whether it will do.
#include "sema/target.hpp"

#include "base/near.hpp"
#include "ptx/targets.hpp"
#include "sema/items.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

constexpr std::string_view default_target = "sm_100a";

/// Of one number: `sm_100a` of `sm_100`, but not of `sm_120a`, which is another chip.
std::string nearest_of_number(const std::string& name, std::vector<std::string> fit) {
    const auto number = [](std::string_view target) {
        const std::size_t first = std::min(target.size(), target.find_first_of("0123456789"));
        return target.substr(first, target.find_first_not_of("0123456789", first) - first);
    };
    const auto another = [&](const std::string& each) { return number(each) != number(name); };
    fit.erase(std::remove_if(fit.begin(), fit.end(), another), fit.end());
    return base::nearest(name, fit);
}

/// Whether tensor memory is kept elsewhere, when the target will do.
bool check_target(Environment& env, const std::string& name, Span span, TensorMemoryMode mode) {
    const ptx::TargetRow* row = ptx::target(name);
    if (row != nullptr && (row->tensor_memory || mode != TensorMemoryMode::hardware))
        return mode == TensorMemoryMode::software || !row->tensor_memory;
    const auto& kind = row == nullptr ? catalogue::unknown_target : catalogue::target_without_tensor_memory;
    const bool only_with_it = mode == TensorMemoryMode::hardware;
    const std::vector<std::string> fit = ptx::target_names(only_with_it);
    const std::string near = nearest_of_number(name, fit);
    base::Diagnostic& unfit = env.reports.report(kind, span, name);
    if (!near.empty()) unfit.help(fmt::format("did you mean `{}`?", near));
    unfit.help(fmt::format("targets{}: {}", only_with_it ? " with tensor memory" : "", fmt::join(fit, ", ")));
    if (row != nullptr)
        unfit.help(
            "--tmem=software keeps tensor memory in shared or global memory, on any target from sm_75 on");
    return false;
}

} // namespace

Target target_of(Environment& env, const ast::Module& module, const Options& options) {
    const auto targets = items<ast::Target>(module);
    for (std::size_t i = 1; i < targets.size(); ++i)
        env.reports.report(catalogue::given_twice, targets[i]->place, "target")
            .label(targets.front()->place, "first here");
    Target made{std::string(default_target), false};
    Span span = base::no_place;
    if (!options.target.empty()) {
        made.name = options.target;
    } else if (!targets.empty()) {
        made.name = targets.front()->name.text;
        span = targets.front()->name.place;
    }
    made.software = check_target(env, made.name, span, options.tensor_memory);
    return made;
}

} // namespace tmemc::sema
