// The kernels' copies, one after the other. Copies with the same maps and windows have the same plan, so an
// unrolled loop asks once for each different one; what differs between them, where the buffer lies in its
// alias group, is added to the messages afterwards.
#include "match/match.hpp"

#include "match/copy_of.hpp"
#include "match/refuse.hpp"
#include "sema/reports.hpp"

#include <map>

namespace tmemc::match {

namespace {

class KernelMatcher {
  public:
    KernelMatcher(const sema::Kernel& kernel, const Options& options, sema::Reports& reports)
        : kernel_(kernel), limits_(limits_for(kernel.threads(), options.max_message)), reports_(reports) {}

    KernelPlan match() {
        KernelPlan plan;
        for (std::size_t i = 0; i < kernel_.statements.size(); ++i)
            if (const auto* copy = std::get_if<sema::TmemCopy>(&kernel_.statements[i].what))
                plan.copies.push_back({i, messages_of(kernel_.statements[i], *copy)});
        return plan;
    }

  private:
    std::vector<Message> messages_of(const sema::Statement& statement, const sema::TmemCopy& copy) {
        const Outcome& outcome = plan(copy);
        const Refusal refusal{kernel_, copy, limits_};
        const auto* obstacle = std::get_if<Obstacle>(&outcome);
        if (obstacle != nullptr || refusal.extents_differ()) {
            reports_.set_place(statement.iteration, statement.calls);
            refuse(reports_, statement.span, refusal, obstacle);
            return {};
        }
        std::vector<Message> messages = std::get<std::vector<Message>>(outcome);
        const int offset = kernel_.buffers[copy.buffer.object].offset;
        for (Message& message : messages) message.column += offset;
        return messages;
    }

    const Outcome& plan(const sema::TmemCopy& statement) {
        const CopyKey key = key_of(kernel_, statement);
        auto known = known_.find(key);
        if (known == known_.end())
            known = known_.emplace(key, plan_copy(copy_of(kernel_, statement), limits_)).first;
        return known->second;
    }

    const sema::Kernel& kernel_;
    Limits limits_;
    sema::Reports& reports_;
    std::map<CopyKey, Outcome> known_;
};

} // namespace

MatchResult match(const sema::Program& program, const Options& options) {
    MatchResult result;
    sema::Reports reports;
    result.plan.kernels.resize(program.kernels.size());
    // Functions first: what is refused there is not refused again in every caller.
    for (const bool function : {true, false})
        for (std::size_t k = 0; k < program.kernels.size(); ++k)
            if (const sema::Kernel& kernel = program.kernels[k]; kernel.function == function)
                result.plan.kernels[k] = KernelMatcher(kernel, options, reports).match();
    result.diagnostics = reports.take();
    return result;
}

} // namespace tmemc::match
