// Outstanding messages per warp, and the three rules about them.
#include "emulator/hazards.hpp"

#include "emulator/faults.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

struct Access {
    TensorOperation operation{};
    Footprint footprint;
    std::uint32_t line = 0; // of the instruction
};

class Hazards final : public Observer {
  public:
    void started(const Cta& cta) override {
        outstanding_.resize(cta.warps.size());
        for (auto& accesses : outstanding_) accesses.clear();
    }

    void accessed(Warp& warp, const Instruction& i, TensorOperation operation,
                  const Footprint& where) override {
        for (const auto& accesses : outstanding_) {
            for (const Access& earlier : accesses) {
                if (operation == TensorOperation::load && earlier.operation == TensorOperation::load)
                    continue;
                for (const Rectangle& half : where.rectangles()) {
                    const auto cell = shared_cell(half, earlier.footprint);
                    if (cell) return raise_conflict(warp, i, operation, earlier, *cell);
                }
            }
        }
        // A loop that never waits does the same again and again.
        auto& own = outstanding_[warp.index];
        const bool known = std::any_of(own.begin(), own.end(), [&](const Access& access) {
            return access.operation == operation && access.footprint == where;
        });
        if (!known) own.push_back({operation, where, line_of(warp, i)});
    }

    void waited(Warp& warp, const Instruction&, TensorOperation operation) override {
        auto& accesses = outstanding_[warp.index];
        const auto completed = [&](const Access& access) { return access.operation == operation; };
        accesses.erase(std::remove_if(accesses.begin(), accesses.end(), completed), accesses.end());
    }

    void freeing(Warp& warp, const Instruction& i, const Columns& columns) override {
        for (int slice = 0; slice < tensor_slices; ++slice) {
            const Rectangle freed{slice, 0, 32, columns};
            for (const auto& accesses : outstanding_) {
                for (const Access& access : accesses) {
                    const auto cell = shared_cell(freed, access.footprint);
                    if (!cell) continue;
                    return raise(warp, i, {.cell = cell}, catalogue::free_while_outstanding,
                                 word(access.operation), access.line, word(access.operation));
                }
            }
        }
    }

  private:
    static const char* word(TensorOperation operation) {
        return operation == TensorOperation::load ? "ld" : "st";
    }

    // The first cell that lies in both.
    static std::optional<TensorCell> shared_cell(const Rectangle& a, const Footprint& footprint) {
        for (const Rectangle& b : footprint.rectangles()) {
            if (!a.overlaps(b)) continue;
            return TensorCell{a.slice * 32 + std::max(a.lane, b.lane),
                              std::max(a.columns.first, b.columns.first)};
        }
        return std::nullopt;
    }

    static void raise_conflict(Warp& warp, const Instruction& i, TensorOperation operation,
                               const Access& earlier, TensorCell cell) {
        const char* kind = word(earlier.operation);
        if (operation == TensorOperation::load) {
            raise(warp, i, {.cell = cell}, catalogue::load_of_outstanding_store, cell.lane, cell.column,
                  earlier.line);
        } else {
            raise(warp, i, {.cell = cell}, catalogue::store_over_outstanding, cell.lane, cell.column, kind,
                  earlier.line, kind);
        }
    }

    std::vector<std::vector<Access>> outstanding_; // per warp
};

} // namespace

std::unique_ptr<Observer> make_hazards() { return std::make_unique<Hazards>(); }

} // namespace tmemc::emulator
