// A sentence for each copy, each sentence once.
#include "inspect/globals_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tmemc::inspect {
namespace {

using sema::GlobalCopy;

/// `operand`: of an expression, whose way nobody wrote or weighed.
std::string way(const GlobalCopy& copy, bool operand, const sema::Tensor& tensor,
                const lower::GlobalAccess& access) {
    const std::string width = fmt::format("{}-byte accesses", access.width);
    const std::string written = operand || copy.path == GlobalCopy::Path::choose ? "" : ", as written";
    if (access.staged)
        return fmt::format(
            "staged through {} bytes of shared memory, {}{}; touches {} lines of 128 bytes, direct {} "
            "lines",
            access.shared_bytes, width, written, access.staged_lines, access.direct_lines);
    std::string text =
        fmt::format("direct, {}{}; touches {} lines of 128 bytes", width, written, access.direct_lines);
    if (operand || !written.empty()) return text;
    if (tensor.pitch_from) return text + ", and staged would need a pointer for every row";
    return text + (access.staged_lines == 0 ? ", and cannot be staged"
                                            : fmt::format(", staged {} lines", access.staged_lines));
}

struct Line {
    std::size_t statement = 0;
    std::string place, turn, what;
    std::size_t more = 0; // turns
};

Line line(const base::Source& source, const sema::Kernel& kernel, const lower::GlobalAccess& access) {
    const sema::Statement& statement = kernel.statements[access.statement];
    const auto& copy = std::get<GlobalCopy>(statement.what);
    const sema::Fragment& fragment = kernel.fragments[copy.fragment.object];
    const auto& tensor = std::get<sema::Tensor>(kernel.parameters[copy.tensor.object]);
    const bool load = copy.op == GlobalCopy::Op::load;
    const std::string name = fragment.hidden ? fmt::format("operand {}", source.text(fragment.span))
                                             : fmt::format("{} <- {}", load ? fragment.name : tensor.name,
                                                           load ? tensor.name : fragment.name);
    return {access.statement,
            fmt::format("{}:{}: {}", source.name(), source.position(statement.span.begin).line, name),
            statement.iteration, way(copy, fragment.hidden, tensor, access), 0};
}

std::string turns(const Line& line) {
    if (line.turn.empty()) return "";
    if (line.more == 0) return fmt::format(" (with {})", line.turn);
    return fmt::format(" (with {}, and in {} more iteration{})", line.turn, line.more,
                       line.more == 1 ? "" : "s");
}

} // namespace

std::vector<CopyLine> global_lines(const base::Source& source, const sema::Kernel& kernel,
                                   const lower::KernelTrace& trace) {
    std::vector<Line> lines;
    for (const lower::GlobalAccess& access : trace.globals) {
        Line next = line(source, kernel, access);
        const auto known = std::find_if(lines.begin(), lines.end(), [&](const Line& each) {
            return each.place == next.place && each.what == next.what;
        });
        if (known != lines.end())
            ++known->more;
        else
            lines.push_back(std::move(next));
    }
    std::vector<CopyLine> texts;
    texts.reserve(lines.size());
    for (const Line& each : lines)
        texts.push_back({each.statement, each.place + turns(each) + ": " + each.what + "\n"});
    return texts;
}

} // namespace tmemc::inspect
