// The places of tensor memory that two warps can reach.
#include "emulator/tensor_shadow.hpp"

namespace tmemc::emulator {

namespace {
constexpr std::size_t load_kind = static_cast<std::size_t>(TensorOperation::load);
constexpr std::size_t store_kind = static_cast<std::size_t>(TensorOperation::store);
} // namespace

void TensorShadow::reset(std::size_t warps) {
    if (warps > tensor_slices && places_.empty())
        places_.resize(std::size_t{tensor_slices} * 2 * tensor_columns);
    else if (used_)
        std::fill(places_.begin(), places_.end(), Place{});
    if (used_) recent_ = {};
    used_ = false;
}

std::optional<TensorConflict> TensorShadow::conflict(const Place& place, bool store, const Knowledge& who) {
    if (place.store.waits != 0 && place.storer != who.index &&
        !who.visible(place.storer, store_kind, place.store.waits - 1))
        return TensorConflict{{}, place.storer, place.store.instruction, TensorOperation::store};
    if (!store || !place.loaded) return std::nullopt;
    for (std::size_t k = 0; k < sharers; ++k) {
        const Past& load = place.loads[k];
        const std::size_t warp = k * tensor_slices + who.index % tensor_slices;
        if (load.waits != 0 && warp != who.index && !who.visible(warp, load_kind, load.waits - 1))
            return TensorConflict{
                {}, static_cast<std::uint32_t>(warp), load.instruction, TensorOperation::load};
    }
    return std::nullopt;
}

std::optional<TensorConflict> TensorShadow::touch(const Footprint& where, TensorOperation operation,
                                                  const Knowledge& who, std::uint32_t instruction) {
    used_ = true;
    const bool store = operation == TensorOperation::store;
    const auto kind = static_cast<std::size_t>(operation);
    const Past now{who.waits(kind) + 1, instruction};
    for (const Rectangle& half : where.rectangles()) {
        const int end = half.columns.first + half.columns.count;
        for (int granule = half.columns.first / granule_columns; granule * granule_columns < end; ++granule)
            recent_[who.index][static_cast<std::size_t>(granule)][kind] = now;
        if (places_.empty()) continue;
        for (int lane = half.lane; lane < half.lane + half.lanes; lane += 16) {
            for (int column = half.columns.first; column < end; ++column) {
                Place& at = place(half, lane, column);
                if (auto found = conflict(at, store, who)) {
                    found->cell = {half.slice * 32 + lane, column};
                    return found;
                }
                if (store) {
                    at.storer = who.index;
                    at.store = now;
                    if (at.loaded) at.loads = {};
                    at.loaded = false;
                } else {
                    at.loaded = true;
                    at.loads[who.index / tensor_slices] = now;
                }
            }
        }
    }
    return std::nullopt;
}

std::optional<TensorConflict> TensorShadow::free(const Columns& columns, const Knowledge& who) {
    const int end = columns.first + columns.count;
    for (std::uint32_t warp = 0; warp < most_warps; ++warp) {
        for (int granule = columns.first / granule_columns; granule * granule_columns < end; ++granule) {
            auto& kinds_of = recent_[warp][static_cast<std::size_t>(granule)];
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                const Past& past = kinds_of[kind];
                if (past.waits != 0 && !who.complete(warp, kind, past.waits - 1))
                    return TensorConflict{{},
                                          warp,
                                          past.instruction,
                                          kind == load_kind ? TensorOperation::load : TensorOperation::store};
            }
            kinds_of = {};
        }
    }
    if (places_.empty()) return std::nullopt;
    for (std::size_t half = 0; half < std::size_t{tensor_slices} * 2; ++half)
        std::fill_n(places_.begin() + static_cast<std::ptrdiff_t>(half * tensor_columns) + columns.first,
                    columns.count, Place{});
    return std::nullopt;
}

} // namespace tmemc::emulator
