// Stretches by line, and the rules of place.
#include "verify/outline.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::verify {
namespace {

using Op = sema::TmemCopy::Op;

/// The instruction families whose place matters.
constexpr std::string_view watched[] = {"tcgen05.ld.", "tcgen05.st.", "tcgen05.wait", "tcgen05.fence",
                                        "tcgen05.",    "ld.global",   "st.global",    "bar.warp",
                                        "bar",         "ret",         "exit",         "ld.shared",
                                        "st.shared",   "st.",         "red",          "atom"};

/// The family of a name, empty when its place does not matter.
std::string_view family(const std::string& name) {
    for (const std::string_view each : watched)
        if (starts_with(name, each)) return each;
    return {};
}

/// Whether an instruction of the family may stand in the statement; waits are counted when they run.
struct MayHold {
    std::string_view family;
    Memory memory;
    bool operator()(const sema::TmemCopy& copy) const {
        const bool load = copy.op == Op::ld;
        if (memory == Memory::shared) return family == (load ? "ld.shared" : "st.shared");
        if (memory == Memory::global) return family == (load ? "ld.global" : "st.global");
        return family == (load ? "tcgen05.ld." : "tcgen05.st.");
    }
    bool operator()(const sema::GlobalCopy& copy) const {
        const bool load = copy.op == sema::GlobalCopy::Op::load;
        return family == (load ? "ld.global" : "st.global") || family == "ld.shared" ||
               family == "st.shared" || family == "bar.warp"; // in which order: staging.cpp
    }
    bool operator()(const sema::Wait&) const {
        return family == (in_software(memory) ? "bar.warp" : "tcgen05.wait");
    }
    bool operator()(const sema::Sync&) const { return family == "bar" || family == "tcgen05.fence"; }
    bool operator()(const sema::Fill&) const { return false; }
    bool operator()(const sema::Compute&) const { return false; }
};

bool gap_may_hold(std::string_view family, Memory memory) {
    if (in_software(memory)) return family == "bar" || family == "bar.warp" || family == "ret";
    return family == "tcgen05.wait" || family == "tcgen05." || family == "bar" || family == "ret" ||
           family == "exit" || family == "ld.shared";
}

class Rules {
  public:
    Rules(const Outline& outline, const sema::Kernel& kernel, Memory memory)
        : outline_(outline), kernel_(kernel), memory_(memory) {}

    std::optional<Mismatch> check() {
        for (const Stretch& gap : outline_.gaps)
            for (std::uint32_t i = gap.first; i < gap.last; ++i) gap_instruction(i);
        for (std::size_t s = 0; s < outline_.statements.size(); ++s) {
            const Stretch& stretch = outline_.statements[s];
            for (std::uint32_t i = stretch.first; i < stretch.last; ++i) statement_instruction(s, i);
            if (std::holds_alternative<sema::Sync>(kernel_.statements[s].what)) sync(s);
            if (std::holds_alternative<sema::Wait>(kernel_.statements[s].what)) wait(s);
        }
        return found_;
    }

  private:
    void fail(std::optional<std::size_t> statement, std::uint32_t instruction, std::string what) {
        if (found_) return;
        found_ = mismatch_at(outline_, instruction, std::move(what));
        if (statement) found_->statement = kernel_.statements[*statement].span;
    }

    void gap_instruction(std::uint32_t i) {
        const ptx::Instruction& instruction = *outline_.code[i];
        const std::string_view kind = family(instruction.name);
        if (!kind.empty() && !gap_may_hold(kind, memory_))
            fail({}, i, fmt::format("`{}` stands between statements", instruction.name));
        if (!starts_with(instruction.name, "bra")) return;
        const auto to = target(outline_, instruction);
        const bool inside =
            to && std::any_of(outline_.statements.begin(), outline_.statements.end(),
                              [&](const Stretch& s) { return s.first < *to && *to < s.last; });
        if (!to || *to <= i || inside) fail({}, i, "a branch goes backwards or into a statement");
    }

    void statement_instruction(std::size_t s, std::uint32_t i) {
        const ptx::Instruction& instruction = *outline_.code[i];
        const std::string_view kind = family(instruction.name);
        if (!kind.empty() && !std::visit(MayHold{kind, memory_}, kernel_.statements[s].what))
            fail(s, i, fmt::format("`{}` is no part of this statement", instruction.name));
        const auto* copy = std::get_if<sema::GlobalCopy>(&kernel_.statements[s].what);
        const bool never_written =
            copy != nullptr &&
            std::get<sema::Tensor>(kernel_.parameters[copy->tensor.object]).direction == sema::Direction::in;
        if (starts_with(instruction.name, "ld.global.nc") && !never_written)
            fail(s, i, "a load that takes the tensor as never written; it is no `in` tensor");
        if (!starts_with(instruction.name, "bra")) return;
        const auto to = target(outline_, instruction);
        if (!to || *to <= i || *to > outline_.statements[s].last)
            fail(s, i, "a branch leaves its statement, or goes backwards");
    }

    /// In software a barrier of all lanes, and nothing else.
    void wait(std::size_t s) {
        const Stretch& stretch = outline_.statements[s];
        if (!in_software(memory_) || stretch.empty()) return;
        const ptx::Instruction& first = *outline_.code[stretch.first];
        const std::vector<ptx::Operand> all_lanes{ptx::Immediate{~std::uint64_t{0}}};
        if (stretch.last - stretch.first != 1 || first.guard || first.operands != all_lanes)
            fail(s, stretch.first, "a wait is not a barrier of all lanes");
    }

    /// fence, barrier, fence; every thread.
    void sync(std::size_t s) {
        std::vector<std::string_view> wanted{"bar.sync"};
        if (memory_ == Memory::hardware)
            wanted = {"tcgen05.fence::before_thread_sync", "bar.sync", "tcgen05.fence::after_thread_sync"};
        const Stretch& stretch = outline_.statements[s];
        bool same = stretch.last - stretch.first == wanted.size();
        for (std::uint32_t i = stretch.first; same && i < stretch.last; ++i) {
            const ptx::Instruction& instruction = *outline_.code[i];
            const bool is_barrier = instruction.name == "bar.sync";
            same = instruction.name == wanted[i - stretch.first] && !instruction.guard &&
                   (!is_barrier || instruction.operands == std::vector<ptx::Operand>{ptx::Immediate{}});
        }
        if (!same) fail(s, stretch.first, "`sync` is not a barrier of the CTA between its fences");
    }

    const Outline& outline_;
    const sema::Kernel& kernel_;
    Memory memory_;
    std::optional<Mismatch> found_;
};

} // namespace

std::optional<std::uint32_t> target(const Outline& outline, const ptx::Instruction& branch) {
    if (branch.operands.empty()) return std::nullopt;
    const auto* symbol = std::get_if<ptx::Symbol>(&branch.operands.front());
    const auto found = symbol == nullptr ? outline.labels.end() : outline.labels.find(symbol->name);
    if (found == outline.labels.end()) return std::nullopt;
    return found->second;
}

Mismatch mismatch_at(const Outline& outline, std::uint32_t instruction, std::string what) {
    Mismatch made;
    made.line = instruction < outline.lines.size() ? outline.lines[instruction] : 0;
    made.what = std::move(what);
    return made;
}

Outline outline(const lower::KernelTrace& trace, const std::vector<std::uint32_t>& written,
                const ptx::ReadResult& read) {
    Outline made;
    const ptx::Function& function = read.module.functions[trace.function];
    for (std::size_t s = 0; s < function.body.size(); ++s) {
        if (const auto* label = std::get_if<ptx::Label>(&function.body[s]))
            made.labels[label->name] = static_cast<std::uint32_t>(made.code.size());
        const auto* instruction = std::get_if<ptx::Instruction>(&function.body[s]);
        if (instruction == nullptr) continue;
        made.code.push_back(instruction);
        made.lines.push_back(read.lines[trace.function][s]);
        for (const ptx::Operand& operand : instruction->operands) {
            const auto* special = std::get_if<ptx::Register>(&operand);
            made.reads_cta = made.reads_cta || (special != nullptr && starts_with(special->name, "%ctaid"));
        }
    }
    const auto at = [&](std::size_t statement) {
        const std::uint32_t line = statement < written.size() ? written[statement] : 0xffffffff;
        return static_cast<std::uint32_t>(std::lower_bound(made.lines.begin(), made.lines.end(), line) -
                                          made.lines.begin());
    };
    std::uint32_t from = 0;
    for (const lower::Extent& extent : trace.statements) {
        const Stretch stretch{at(extent.first), at(extent.last)};
        made.statements.push_back(stretch);
        if (stretch.empty()) continue;
        made.gaps.push_back({from, stretch.first});
        from = stretch.last;
    }
    made.gaps.push_back({from, static_cast<std::uint32_t>(made.code.size())});
    return made;
}

std::optional<Mismatch> misplaced(const Outline& outline, const sema::Kernel& kernel, Memory memory) {
    return Rules(outline, kernel, memory).check();
}

} // namespace tmemc::verify
