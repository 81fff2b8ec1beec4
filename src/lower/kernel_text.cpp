// Collects a kernel's body: declarations first, then what every path needs, then the statements in order.
#include "lower/kernel_text.hpp"

#include "base/invariant.hpp"
#include "ptx/opcodes.hpp"

namespace tmemc::lower {
namespace {

constexpr std::size_t threads_per_warp = 32;

/// The 32 threads of warp `warp` as a mask.
std::uint32_t warp_mask(const ThreadSet& threads, std::size_t warp) {
    std::uint32_t mask = 0;
    for (std::size_t lane = 0; lane < threads_per_warp; ++lane)
        if (threads[warp * threads_per_warp + lane]) mask |= std::uint32_t{1} << lane;
    return mask;
}

/// The first and the last of the threads, when they are all between these.
std::optional<std::pair<std::size_t, std::size_t>> as_range(const ThreadSet& threads) {
    std::size_t first = 0, last = threads.size() - 1;
    while (!threads[first]) ++first;
    while (!threads[last]) --last;
    if (threads.count() != last - first + 1) return std::nullopt;
    return std::pair{first, last};
}

/// Bits of the thread number that are the same in all the threads, when these are all that agree in them.
std::optional<std::pair<std::size_t, std::size_t>> as_fixed_bits(const ThreadSet& threads) {
    std::size_t ones = threads.size() - 1, zeros = ones;
    for (std::size_t t = 0; t < threads.size(); ++t)
        if (threads[t]) {
            ones &= t;
            zeros &= ~t;
        }
    const std::size_t fixed = ones | zeros;
    std::size_t agreeing = threads.size();
    for (std::size_t bit = 1; bit < threads.size(); bit *= 2)
        if ((fixed & bit) != 0) agreeing /= 2;
    if (agreeing != threads.count()) return std::nullopt;
    return std::pair{fixed, ones};
}

const ptx::TargetRow& row_of(const std::string& target) {
    const ptx::TargetRow* row = ptx::target(target);
    base::invariant(row != nullptr, "`" + target + "` has a row in targets.def");
    return *row;
}

} // namespace

ptx::Instruction instruction(std::string name, std::vector<ptx::Operand> operands,
                             std::optional<ptx::Guard> guard) {
    return {std::move(guard), std::move(name), std::move(operands)};
}

ptx::Immediate constant(std::int64_t value) {
    return {static_cast<std::uint64_t>(value), ptx::Immediate::Form::integer};
}

KernelText::KernelText(int warpgroups, const std::string& target, bool function)
    : warpgroups_(warpgroups), function_(function), target_(row_of(target)) {}

bool KernelText::has(const std::string& instruction) {
    const auto [known, is_new] = known_.emplace(instruction, false);
    if (!is_new) return known->second;
    const ptx::OpcodeRow* row = ptx::opcode(instruction);
    base::invariant(row != nullptr, "`" + instruction + "` has a row in opcodes.def");
    return known->second = ptx::has(target_, row->feature);
}

ptx::Register KernelText::declare(std::string_view type, std::string_view wanted) {
    std::string name = names.single(wanted);
    declarations.emplace_back(ptx::RegisterDeclaration{std::string(type), name, 0});
    return {std::move(name)};
}

std::string KernelText::declare_range(std::string_view type, std::string_view wanted, std::uint32_t count) {
    std::string prefix = names.range(wanted);
    declarations.emplace_back(ptx::RegisterDeclaration{std::string(type), prefix, count});
    return prefix;
}

ptx::Register KernelText::scratch(const std::string& type) {
    auto& [prefix, count] = scratches_[type];
    if (prefix.empty())
        prefix = names.range(type == "b32"   ? "part"
                             : type == "b16" ? "half"
                             : type == "b64" ? "pair"
                                             : "flag");
    return {prefix + std::to_string(count++)};
}

ptx::Register KernelText::holding(std::uint32_t bits) {
    const auto known = held_.find(bits);
    if (known != held_.end()) return known->second;
    const ptx::Register made = scratch();
    front.emplace_back(instruction("mov.b32", {made, constant(bits)}));
    return held_.emplace(bits, made).first->second;
}

const ptx::Register& KernelText::parameter(std::size_t index, const std::string& load, std::string_view type,
                                           std::string_view wanted, const std::string& name) {
    const auto known = parameters_.find(index);
    if (known != parameters_.end()) return known->second.reg;
    const ptx::Register into = declare(type, wanted);
    (function_ ? loads_ : front).emplace_back(instruction(load, {into, ptx::Address{ptx::Symbol{name}, 0}}));
    return parameters_.emplace(index, Held{into, std::string(type)}).first->second.reg;
}

const ptx::Register& KernelText::cta_thread() {
    if (!cta_thread_) {
        cta_thread_ = declare("b32", alone() ? "thread" : "cta_thread");
        front.emplace_back(instruction("mov.u32", {*cta_thread_, ptx::Register{"%tid.x"}}));
    }
    return *cta_thread_;
}

const ptx::Register& KernelText::thread() {
    if (alone()) return cta_thread();
    if (!thread_) {
        const ptx::Register all = cta_thread();
        thread_ = declare("b32", "thread");
        front.emplace_back(instruction("and.b32", {*thread_, all, constant(127)}));
    }
    return *thread_;
}

std::optional<ptx::Guard> KernelText::predicate(const ThreadSet& threads) {
    if (threads.all()) return std::nullopt;
    const auto known = predicates_.find(threads.to_string());
    if (known != predicates_.end()) return ptx::Guard{known->second.name, false};
    const auto opposite = predicates_.find((~threads).to_string());
    if (opposite != predicates_.end()) return ptx::Guard{opposite->second.name, true};
    const ptx::Register made = make_predicate(threads);
    predicates_.emplace(threads.to_string(), made);
    return ptx::Guard{made.name, false};
}

/// A comparison for a range, one behind a mask where bits of the number decide, else a look at the set
/// itself.
ptx::Register KernelText::make_predicate(const ThreadSet& threads) {
    const ptx::Register number = thread();
    ptx::Register result = declare("pred", "active");
    const auto emit = [&](std::string name, std::vector<ptx::Operand> operands,
                          std::optional<ptx::Guard> guard = {}) {
        front.emplace_back(instruction(std::move(name), std::move(operands), std::move(guard)));
    };
    const auto number_of = [](std::size_t value) { return constant(static_cast<std::int64_t>(value)); };
    if (const auto range = as_range(threads)) {
        const auto [first, last] = *range;
        if (first == 0) {
            emit("setp.le.u32", {result, number, number_of(last)});
        } else if (last == threads.size() - 1) {
            emit("setp.ge.u32", {result, number, number_of(first)});
        } else {
            const ptx::Register above = scratch();
            emit("sub.u32", {above, number, number_of(first)});
            emit("setp.le.u32", {result, above, number_of(last - first)});
        }
    } else if (const auto bits = as_fixed_bits(threads)) {
        const ptx::Register masked = scratch();
        emit("and.b32", {masked, number, number_of(bits->first)});
        emit("setp.eq.u32", {result, masked, number_of(bits->second)});
    } else {
        const ptx::Register mask = scratch(), lane = scratch(), bit = scratch();
        emit("mov.u32", {mask, constant(warp_mask(threads, 0))});
        for (std::size_t warp = 1; warp < 4; ++warp) {
            if (warp_mask(threads, warp) == warp_mask(threads, warp - 1)) continue;
            emit("setp.ge.u32", {result, number, number_of(warp * threads_per_warp)});
            emit("mov.u32", {mask, constant(warp_mask(threads, warp))}, ptx::Guard{result.name, false});
        }
        emit("and.b32", {lane, number, constant(31)});
        emit("shr.u32", {bit, mask, lane});
        emit("and.b32", {bit, bit, constant(1)});
        emit("setp.eq.u32", {result, bit, constant(1)});
    }
    return result;
}

std::optional<ptx::Guard> KernelText::predicate(int warpgroup) {
    if (warpgroups_ == 1) return std::nullopt;
    const auto known = warpgroup_predicates_.find(warpgroup);
    if (known != warpgroup_predicates_.end()) return ptx::Guard{known->second.name, false};
    if (!warpgroup_) {
        const ptx::Register all = cta_thread();
        warpgroup_ = declare("b32", "warpgroup");
        front.emplace_back(instruction("shr.u32", {*warpgroup_, all, constant(7)}));
    }
    const ptx::Register result = declare("pred", "on_warpgroup");
    front.emplace_back(instruction("setp.eq.u32", {result, *warpgroup_, constant(warpgroup)}));
    warpgroup_predicates_.emplace(warpgroup, result);
    return ptx::Guard{result.name, false};
}

void KernelText::zero_first(const std::string& name) {
    if (!zeroed_.emplace(name, true).second) return;
    front.emplace_back(instruction("mov.b32", {ptx::Register{name}, constant(0)}));
}

std::vector<ptx::Statement> KernelText::finish(const ptx::Location& origin) {
    for (const auto& [type, range] : scratches_)
        declarations.emplace_back(ptx::RegisterDeclaration{type, range.first, range.second});
    std::vector<ptx::Statement> all{origin};
    all.insert(all.end(), std::make_move_iterator(declarations.begin()),
               std::make_move_iterator(declarations.end()));
    if (!(front.empty() && loads_.empty()) && all.size() > 1) all.emplace_back(ptx::BlankLine{});
    prologue_ = {all.size(), all.size() + loads_.size()};
    all.insert(all.end(), std::make_move_iterator(loads_.begin()), std::make_move_iterator(loads_.end()));
    all.insert(all.end(), std::make_move_iterator(front.begin()), std::make_move_iterator(front.end()));
    if (all.size() > 1) all.emplace_back(ptx::BlankLine{});
    body_begin_ = all.size();
    all.insert(all.end(), std::make_move_iterator(body.begin()), std::make_move_iterator(body.end()));
    return all;
}

} // namespace tmemc::lower
