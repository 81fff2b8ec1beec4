// A message is expanded once, register by register, and then looked for in each of its warps.
#include "match/verify_plan.hpp"

#include "atlas/limits.hpp"
#include "base/invariant.hpp"

#include <algorithm>

namespace tmemc::match {

namespace {

class PlanVerifier {
  public:
    explicit PlanVerifier(const std::vector<RegisterCells>& wanted)
        : wanted_(wanted), done_(wanted.size(), false) {
        by_register_.resize(std::size_t{atlas::warps_per_group} * layout::max_registers);
        for (std::size_t i = 0; i < wanted.size(); ++i) entries(wanted[i].warp, wanted[i].reg).push_back(i);
    }

    void run(const Message& message, const atlas::ShapeRow& shape) {
        base::invariant(static_cast<int>(message.registers.size()) == message.num * shape.registers &&
                            message.num <= shape.max_num,
                        "match: a message with the wrong number of registers");
        std::array<atlas::Step, 32> threads; // their cells with the message's first register
        for (int thread = 0; thread < atlas::lanes_per_warp; ++thread)
            threads[static_cast<std::size_t>(thread)] = cell(message, shape, thread);
        for (std::size_t i = 0; i < message.registers.size(); ++i) {
            RegisterCells moved{0, message.registers[i], message.pack, threads};
            const atlas::Step step = atlas::cell_of(shape, 0, static_cast<int>(i));
            for (atlas::Step& each : moved.cells) {
                each.lane += step.lane;
                each.column += column_factor(message.pack) * step.column;
            }
            for (int warp : message.warps) mark(moved, warp);
        }
    }

    void finish() const {
        base::invariant(std::all_of(done_.begin(), done_.end(), [](bool done) { return done; }),
                        "match: the plan leaves out part of the copy");
    }

  private:
    /// The cell that a thread's first register meets, its lane counted inside the warp.
    static atlas::Step cell(const Message& message, const atlas::ShapeRow& shape, int thread) {
        const atlas::Step step = atlas::cell_of(shape, thread, 0);
        int address = message.row * 65536 + message.column;
        if (message.half_split && thread >= atlas::lanes_per_warp / 2) address += *message.half_split;
        return {address / 65536 + step.lane, address % 65536 + column_factor(message.pack) * step.column};
    }

    /// Finds the entry that wants exactly this, and crosses it off.
    void mark(const RegisterCells& moved, int warp) {
        const auto same = [warp](const atlas::Step& has, const atlas::Step& wants) {
            return has.lane + warp * atlas::lanes_per_warp == wants.lane && has.column == wants.column;
        };
        for (std::size_t i : entries(warp, moved.reg)) {
            const RegisterCells& each = wanted_[i];
            if (done_[i] || each.pack != moved.pack) continue;
            if (!std::equal(moved.cells.begin(), moved.cells.end(), each.cells.begin(), same)) continue;
            done_[i] = true;
            return;
        }
        throw base::InternalError("match: a message moves what the copy does not ask for");
    }

    std::vector<std::size_t>& entries(int warp, int reg) {
        return by_register_[static_cast<std::size_t>(warp) * layout::max_registers +
                            static_cast<std::size_t>(reg)];
    }

    const std::vector<RegisterCells>& wanted_;
    std::vector<bool> done_;
    std::vector<std::vector<std::size_t>> by_register_;
};

} // namespace

void verify_plan(const std::vector<RegisterCells>& wanted, const std::vector<Message>& messages,
                 std::span<const atlas::ShapeRow> shapes) {
    PlanVerifier verifier(wanted);
    for (const Message& message : messages) {
        const auto shape = std::find_if(shapes.begin(), shapes.end(), [&](const atlas::ShapeRow& row) {
            return row.shape == message.shape;
        });
        base::invariant(shape != shapes.end(), "match: a message of no shape");
        verifier.run(message, *shape);
    }
    verifier.finish();
}

} // namespace tmemc::match
