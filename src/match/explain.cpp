// Every different copy is planned again, this time for the two best results. Both pass the self-check.
#include "match/explain.hpp"

#include "base/invariant.hpp"
#include "match/copy_of.hpp"
#include "match/plan_copy.hpp"
#include "match/verify_plan.hpp"

#include <map>

namespace tmemc::match {

namespace {

class KernelExplainer {
  public:
    KernelExplainer(const sema::Kernel& kernel, const Options& options)
        : kernel_(kernel), limits_(limits_for(kernel.threads(), options.max_message)) {}

    KernelExplanation explain(const KernelPlan& plan) {
        KernelExplanation all;
        for (const CopyPlan& copy : plan.copies) all.copies.push_back(explain(copy));
        return all;
    }

  private:
    Explanation explain(const CopyPlan& plan) {
        const auto& copy = std::get<sema::TmemCopy>(kernel_.statements[plan.statement].what);
        Explanation made{plan.statement, {plan.messages, cost_of(plan.messages)}, runner_up(copy)};
        if (!made.runner_up) return made;
        base::invariant(made.runner_up->cost.total() >= made.plan.cost.total(),
                        "match: the plan of a copy is not its cheapest");
        for (Message& message : made.runner_up->messages)
            message.column += kernel_.buffers[copy.buffer.object].offset;
        return made;
    }

    const std::optional<Way>& runner_up(const sema::TmemCopy& statement) {
        const CopyKey key = key_of(kernel_, statement);
        auto known = known_.find(key);
        if (known == known_.end()) known = known_.emplace(key, second_of(copy_of(kernel_, statement))).first;
        return known->second;
    }

    std::optional<Way> second_of(const Copy& copy) const {
        auto found = pieces_of(copy, limits_);
        base::invariant(std::holds_alternative<Pieces>(found), "match: a refused copy cannot be explained");
        auto& pieces = std::get<Pieces>(found);
        std::vector<std::vector<Message>> ways = share(std::move(pieces.tiles), limits_, 2);
        if (ways.size() < 2) return std::nullopt;
        verify_plan(pieces.words, ways[1], atlas::shape_rows());
        const Cost cost = cost_of(ways[1]);
        return Way{std::move(ways[1]), cost};
    }

    const sema::Kernel& kernel_;
    Limits limits_;
    std::map<CopyKey, std::optional<Way>> known_;
};

} // namespace

std::vector<KernelExplanation> explain(const sema::Program& program, const Plan& plan,
                                       const Options& options) {
    std::vector<KernelExplanation> all;
    for (std::size_t k = 0; k < program.kernels.size(); ++k)
        all.push_back(KernelExplainer(program.kernels[k], options).explain(plan.kernels[k]));
    return all;
}

} // namespace tmemc::match
