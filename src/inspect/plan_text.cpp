// Phrases from small to large, then the lines of a kernel.
#include "inspect/plan_text.hpp"

#include "inspect/cta_warps.hpp"
#include "inspect/globals_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::inspect {
namespace {

constexpr std::size_t messages_shown = 8;

std::string counted(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : what.back() == 'h' ? "es" : "s");
}

/// "warp 1", "warps 0..3", "warps 0, 2".
std::string warps_phrase(const std::vector<int>& warps) {
    if (warps.size() == 1) return fmt::format("warp {}", warps.front());
    const bool dense = warps.back() - warps.front() + 1 == static_cast<int>(warps.size());
    return dense ? fmt::format("warps {}..{}", warps.front(), warps.back())
                 : fmt::format("warps {}", fmt::join(warps, ", "));
}

/// A copy with the names of its kernel.
struct View {
    const sema::Kernel& kernel;
    const space::KernelSpace& space;
    const match::Explanation& explained;

    [[nodiscard]] const sema::Statement& statement() const { return kernel.statements[explained.statement]; }
    [[nodiscard]] const sema::TmemCopy& copy() const { return std::get<sema::TmemCopy>(statement().what); }
    [[nodiscard]] const sema::Buffer& buffer() const { return kernel.buffers[copy().buffer.object]; }
};

std::string message_phrase(const View& view, const match::Message& message) {
    const int column = view.space.group_columns[view.buffer().group] + message.column;
    std::string halves;
    if (message.half_split) {
        const int second = message.row * 65536 + column + *message.half_split;
        halves = fmt::format("second half from row {}, column {}, ", second / 65536, second % 65536);
    }
    return fmt::format("{} (row {}, column {}, {}{})", match::name_of(message, view.copy().op), message.row,
                       column, halves, warps_phrase(warps_of_cta(view.kernel, view.statement(), message)));
}

std::string plan_phrase(const View& view, const std::vector<match::Message>& messages) {
    std::vector<std::string> phrases;
    for (std::size_t i = 0; i < std::min(messages.size(), messages_shown); ++i)
        phrases.push_back(message_phrase(view, messages[i]));
    if (messages.size() > messages_shown)
        phrases.push_back(fmt::format("and {} more", messages.size() - messages_shown));
    return fmt::format("{}", fmt::join(phrases, ", "));
}

/// "1 message", or "2 messages in warp 0 (16) + 1 branch (3)".
std::string cost_phrase(const View& view, const match::Cost& cost, const std::vector<match::Message>& way) {
    std::string messages = counted(static_cast<std::size_t>(cost.messages.count), "message");
    if (cost.branches.count != 0) {
        const match::Message in_warp{way.front().shape, 1, 0, 0, {}, {cost.warp}, false, std::nullopt};
        messages += " in " + warps_phrase(warps_of_cta(view.kernel, view.statement(), in_warp));
    }
    if (cost.messages.cost == cost.total()) return messages;
    std::string sum = fmt::format("{} ({})", messages, cost.messages.cost);
    for (const auto& [part, what] : {std::pair(cost.moves, "move"), std::pair(cost.branches, "branch")})
        if (part.count != 0)
            sum += fmt::format(" + {} ({})", counted(static_cast<std::size_t>(part.count), what), part.cost);
    return sum;
}

/// "2 messages 32x32b.x2", or "3 messages: 32x32b.x4, 2 of 32x32b.x1".
std::string summary(const View& view, const std::vector<match::Message>& messages) {
    std::vector<std::pair<std::string, std::size_t>> kinds;
    for (const match::Message& message : messages) {
        const std::string name = match::name_of(message, view.copy().op);
        const auto known =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == name; });
        if (known != kinds.end())
            ++known->second;
        else
            kinds.emplace_back(name, 1);
    }
    const std::string count = counted(messages.size(), "message");
    if (kinds.size() == 1) return fmt::format("{} {}", count, kinds.front().first);
    std::vector<std::string> phrases;
    phrases.reserve(kinds.size());
    for (const auto& [name, n] : kinds) phrases.push_back(n == 1 ? name : fmt::format("{} of {}", n, name));
    return fmt::format("{}: {}", count, fmt::join(phrases, ", "));
}

std::string runner_up_phrase(const View& view) {
    if (!view.explained.runner_up) return "no other way";
    const match::Way& other = *view.explained.runner_up;
    std::string text =
        fmt::format("runner-up {}, cost {} issue slots", summary(view, other.messages), other.cost.total());
    if (other.cost.messages.cost != other.cost.total())
        text += " = " + cost_phrase(view, other.cost, other.messages);
    return text;
}

/// Plans that differ in places and registers only.
bool alike(const match::Way& a, const match::Way& b) {
    const auto same = [](const match::Message& x, const match::Message& y) {
        return x.shape == y.shape && x.num == y.num && x.warps == y.warps && x.pack == y.pack;
    };
    return a.cost == b.cost &&
           std::equal(a.messages.begin(), a.messages.end(), b.messages.begin(), b.messages.end(), same);
}

/// Turns of one statement that one line can stand for.
bool alike(const View& a, const View& b) {
    if (a.statement().span != b.statement().span || a.statement().warpgroup != b.statement().warpgroup)
        return false;
    const std::optional<match::Way>&x = a.explained.runner_up, &y = b.explained.runner_up;
    return alike(a.explained.plan, b.explained.plan) && x.has_value() == y.has_value() &&
           (!x || alike(*x, *y));
}

std::string line(const base::Source& source, const View& view, std::size_t more_turns) {
    const std::string& fragment = view.kernel.fragments[view.copy().fragment.object].name;
    const bool load = view.copy().op == sema::TmemCopy::Op::ld;
    std::string turns;
    if (!view.statement().iteration.empty()) turns = " (with " + view.statement().iteration;
    if (more_turns != 0) turns += fmt::format(", and in {}", counted(more_turns, "more iteration"));
    if (!turns.empty()) turns += ")";
    const match::Way& plan = view.explained.plan;
    const std::optional<sema::LoadFold>& fold = view.copy().fold;
    const std::string folds =
        fold ? fmt::format("; each gives a row's {} too (ld.red)", fold->greatest ? "maximum" : "minimum")
             : "";
    return fmt::format("{}:{}: {} <- {}{}: {}, cost {} issue slots = {}; {}{}\n", source.name(),
                       source.position(view.statement().span.begin).line,
                       load ? fragment : view.buffer().name, load ? view.buffer().name : fragment, turns,
                       plan_phrase(view, plan.messages), plan.cost.total(),
                       cost_phrase(view, plan.cost, plan.messages), runner_up_phrase(view), folds);
}

/// Both kinds of copies, in the order of their first turns.
std::string kernel_text(const base::Source& source, const sema::Kernel& kernel,
                        const space::KernelSpace& space, const match::KernelExplanation& explained,
                        const lower::KernelTrace& trace) {
    struct Turns {
        View first;
        std::size_t more;
    };
    std::vector<Turns> copies;
    for (const match::Explanation& each : explained.copies) {
        const View view{kernel, space, each};
        const auto known = std::find_if(copies.begin(), copies.end(),
                                        [&](const Turns& turns) { return alike(turns.first, view); });
        if (known != copies.end())
            ++known->more;
        else
            copies.push_back({view, 0});
    }
    std::vector<CopyLine> lines = global_lines(source, kernel, trace);
    for (const Turns& turns : copies)
        lines.push_back({turns.first.explained.statement, line(source, turns.first, turns.more)});
    std::sort(lines.begin(), lines.end(),
              [](const CopyLine& a, const CopyLine& b) { return a.statement < b.statement; });
    std::string text;
    for (const CopyLine& each : lines) text += each.text;
    return text;
}

} // namespace

std::string plan_text(const base::Source& source, const sema::Program& program, const space::Space& space,
                      const std::vector<match::KernelExplanation>& explained, const lower::Trace& trace) {
    std::string text;
    for (std::size_t k = 0; k < program.kernels.size(); ++k)
        text += kernel_text(source, program.kernels[k], space.kernels[k], explained[k], trace.kernels[k]);
    return text;
}

} // namespace tmemc::inspect
