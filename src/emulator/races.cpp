// What each warp knows, and the shadows of shared and tensor memory that it is held against.
#include "emulator/races.hpp"

#include "emulator/faults.hpp"
#include "emulator/shared_shadow.hpp"
#include "emulator/tensor_shadow.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

constexpr std::uint32_t worn_out = 0x80000000; // a clock that should begin anew

const char* noun(bool writes) { return writes ? "store" : "load"; }
const char* word(TensorOperation operation) { return operation == TensorOperation::load ? "ld" : "st"; }
bool writes(SharedOperation operation) {
    return operation == SharedOperation::store || operation == SharedOperation::strong_store;
}

SharedOperation operation_of(Access access, bool strong) {
    if (access == Access::load) return strong ? SharedOperation::strong_load : SharedOperation::load;
    return strong ? SharedOperation::strong_store : SharedOperation::store;
}

class Races final : public Observer {
  public:
    void started(const Cta& cta) override {
        std::uint32_t past = 0;
        for (const Knowledge& each : warps_) past = std::max(past, each.clock());
        if (past >= worn_out || shadow_.bytes() != cta.shared.bytes.size()) {
            shadow_.reset(cta.shared.bytes.size());
            past = 0;
        }
        warps_.resize(cta.warps.size());
        for (std::uint32_t w = 0; w < warps_.size(); ++w) warps_[w].begin(w, past);
        points_.clear();
        tensor_.reset(warps_.size());
    }

    // ---- tensor memory
    void accessed(Warp& warp, const Instruction& i, TensorOperation operation,
                  const Footprint& where) override {
        const auto met = tensor_.touch(where, operation, warps_[warp.index], warp.number(i));
        if (!met) return;
        raise(warp, i, {.cell = met->cell}, catalogue::tensor_race, noun(operation == TensorOperation::store),
              met->cell.lane, met->cell.column, noun(met->operation == TensorOperation::store), met->warp,
              line_of(warp, warp.kernel->code[met->instruction]), word(met->operation));
    }
    void waited(Warp& warp, const Instruction&, TensorOperation operation) override {
        warps_[warp.index].wait(static_cast<std::size_t>(operation));
    }
    void freeing(Warp& warp, const Instruction& i, const Columns& columns) override {
        const auto met = tensor_.free(columns, warps_[warp.index]);
        if (!met) return;
        raise(warp, i, {}, catalogue::free_race, noun(met->operation == TensorOperation::store), met->warp,
              line_of(warp, warp.kernel->code[met->instruction]), word(met->operation));
    }

    // ---- order
    void released(Warp& warp, SyncPoint point) override { warps_[warp.index].release_to(points_[point]); }
    void acquired(Warp& warp, SyncPoint point) override {
        if (const auto known = points_.find(point); known != points_.end())
            warps_[warp.index].acquire(known->second);
    }
    void renewed(SyncPoint point) override { points_[point] = {}; }
    void fenced(Warp& warp, Fence kind) override {
        Knowledge& who = warps_[warp.index];
        switch (kind) {
        case Fence::tensor_before: return who.fence_before();
        case Fence::tensor_after: return who.fence_after();
        case Fence::memory: return who.fence_memory();
        }
    }

    // ---- shared memory
    void touched(Warp& warp, const Instruction& i, const MemoryAccess& access) override {
        if (access.space != Space::shared || warps_.size() == 1) return;
        const SharedOperation operation = operation_of(access.access, i.order.strong);
        std::uint64_t before = ~std::uint64_t{0};
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            const std::uint64_t offset = access.addresses[lane];
            if ((access.lanes >> lane & 1) == 0 || offset == before) continue; // or a broadcast
            before = offset;
            const auto met =
                shadow_.touch(offset, access.bytes, operation, warps_[warp.index], warp.number(i));
            if (met) {
                return raise(warp, i, {.thread = lane}, catalogue::shared_race, noun(writes(operation)),
                             offset, noun(met->earlier_writes), met->earlier.warp,
                             line_of(warp, warp.kernel->code[met->earlier.instruction]));
            }
            if (i.order.strong) order_through(warps_[warp.index], i.order, access.access, offset);
        }
    }

  private:
    // A strong access to a place: a store releases, a load acquires; a relaxed one through fences.
    void order_through(Knowledge& who, const MemoryOrder& order, Access access, std::uint64_t offset) {
        const SyncPoint point = shared_point(offset);
        const auto known = points_.find(point);
        if (access != Access::store && known != points_.end()) {
            if (order.acquires)
                who.acquire(known->second);
            else
                who.acquire_relaxed(known->second);
        }
        if (order.releases)
            who.release_to(points_[point]);
        else if (access != Access::load && who.has_fenced())
            who.release_relaxed_to(points_[point]);
    }

    std::vector<Knowledge> warps_;
    std::unordered_map<SyncPoint, News> points_;
    SharedShadow shadow_;
    TensorShadow tensor_;
};

} // namespace

std::unique_ptr<Observer> make_races() { return std::make_unique<Races>(); }

} // namespace tmemc::emulator
