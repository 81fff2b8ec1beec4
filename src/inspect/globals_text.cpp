// A sentence for each copy, each sentence once.
#include "inspect/globals_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace tmemc::inspect {
namespace {

using sema::GlobalCopy;

std::string way(const GlobalCopy& copy, const lower::GlobalAccess& access) {
    const std::string width = fmt::format("{}-byte accesses", access.width);
    const std::string written = copy.path == GlobalCopy::Path::choose ? "" : ", as written";
    if (access.staged)
        return fmt::format(
            "staged through {} bytes of shared memory, {}{}; touches {} lines of 128 bytes, direct {}",
            access.shared_bytes, width, written, access.staged_lines, access.direct_lines);
    std::string text =
        fmt::format("direct, {}{}; touches {} lines of 128 bytes", width, written, access.direct_lines);
    if (!written.empty()) return text;
    return text + (access.staged_lines == 0 ? ", and cannot be staged"
                                            : fmt::format(", staged {}", access.staged_lines));
}

struct Line {
    std::string place, turn, what;
    std::size_t more = 0; // turns
};

Line line(const base::Source& source, const sema::Kernel& kernel, const lower::GlobalAccess& access) {
    const sema::Statement& statement = kernel.statements[access.statement];
    const auto& copy = std::get<GlobalCopy>(statement.what);
    const std::string& fragment = kernel.fragments[copy.fragment.object].name;
    const std::string& tensor = std::get<sema::Tensor>(kernel.parameters[copy.tensor.object]).name;
    const bool load = copy.op == GlobalCopy::Op::load;
    return {fmt::format("{}:{}: {} <- {}", source.name(), source.position(statement.span.begin).line,
                        load ? fragment : tensor, load ? tensor : fragment),
            statement.iteration, way(copy, access), 0};
}

std::string turns(const Line& line) {
    if (line.turn.empty()) return "";
    if (line.more == 0) return fmt::format(" (with {})", line.turn);
    return fmt::format(" (with {}, and in {} more iteration{})", line.turn, line.more,
                       line.more == 1 ? "" : "s");
}

} // namespace

std::string globals_text(const base::Source& source, const sema::Program& program,
                         const lower::Trace& trace) {
    std::string text;
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
        std::vector<Line> lines;
        for (const lower::GlobalAccess& access : trace.kernels[k].globals) {
            Line next = line(source, program.kernels[k], access);
            const auto known = std::find_if(lines.begin(), lines.end(), [&](const Line& each) {
                return each.place == next.place && each.what == next.what;
            });
            if (known != lines.end())
                ++known->more;
            else
                lines.push_back(std::move(next));
        }
        for (const Line& each : lines) text += each.place + turns(each) + ": " + each.what + "\n";
    }
    return text;
}

} // namespace tmemc::inspect
