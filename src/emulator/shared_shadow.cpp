// Granules, and the four kinds of access to them.
#include "emulator/shared_shadow.hpp"

namespace tmemc::emulator {

namespace {

bool ordered(const Touch& earlier, const Knowledge& who) {
    return earlier.clock == 0 || who.heard_of(earlier.warp, earlier.clock);
}

} // namespace

void SharedShadow::reset(std::size_t bytes) {
    bytes_ = bytes;
    shift_ = 4;
    granules_.assign((bytes >> shift_) + 1, {});
    crowds_.clear();
    free_crowds_.clear();
}

void SharedShadow::split(std::uint32_t bytes) {
    unsigned shift = shift_;
    while ((std::uint32_t{1} << shift) > bytes) --shift;
    const unsigned finer = shift_ - shift;
    std::vector<Granule> split((bytes_ >> shift) + 1);
    for (std::size_t g = 0; g < split.size(); ++g) {
        split[g] = granules_[g >> finer];
        if (split[g].crowd == 0 || (g & ((std::size_t{1} << finer) - 1)) == 0) continue;
        const Crowd copied = crowds_[split[g].crowd - 1];
        split[g].crowd = 0;
        crowd(split[g]) = copied;
    }
    granules_ = std::move(split);
    shift_ = shift;
}

SharedShadow::Crowd& SharedShadow::crowd(Granule& granule) {
    if (granule.crowd == 0) {
        if (free_crowds_.empty()) {
            crowds_.emplace_back();
            granule.crowd = static_cast<std::uint32_t>(crowds_.size());
        } else {
            granule.crowd = free_crowds_.back();
            free_crowds_.pop_back();
            crowds_[granule.crowd - 1] = {};
        }
    }
    return crowds_[granule.crowd - 1];
}

void SharedShadow::disperse(Granule& granule) {
    if (granule.crowd != 0) free_crowds_.push_back(granule.crowd);
    granule.crowd = 0;
}

SharedShadow::Found SharedShadow::crowd_conflict(const Granule& granule, const Knowledge& who, bool reads,
                                                 bool strong_writes) const {
    if (granule.crowd == 0) return std::nullopt;
    const Crowd& crowd = crowds_[granule.crowd - 1];
    for (std::size_t warp = 0; warp < most_warps; ++warp) {
        if (strong_writes && !ordered(crowd.strong_writes[warp], who))
            return SharedConflict{crowd.strong_writes[warp], true};
        if (reads && !ordered(crowd.reads[warp], who)) return SharedConflict{crowd.reads[warp], false};
    }
    return std::nullopt;
}

SharedShadow::Found SharedShadow::conflict(const Granule& granule, SharedOperation operation,
                                           const Knowledge& who) const {
    const bool strong =
        operation == SharedOperation::strong_load || operation == SharedOperation::strong_store;
    const bool writes = operation == SharedOperation::store || operation == SharedOperation::strong_store;
    if (!ordered(granule.write, who) && !(strong && granule.write.strong != 0))
        return SharedConflict{granule.write, true};
    if (writes && !ordered(granule.read, who)) return SharedConflict{granule.read, false};
    return crowd_conflict(granule, who, writes, !strong);
}

void SharedShadow::note(Granule& granule, SharedOperation operation, const Knowledge& who,
                        std::uint32_t instruction) {
    const bool strong = operation == SharedOperation::strong_store;
    const Touch now(who.clock(), who.index, strong, instruction);
    switch (operation) {
    case SharedOperation::strong_load: return; // a later write that it races with, its last turn will meet
    case SharedOperation::load:
        if (!ordered(granule.read, who)) crowd(granule).reads[granule.read.warp] = granule.read;
        if (granule.crowd != 0) crowd(granule).reads[who.index] = now;
        granule.read = now;
        return;
    case SharedOperation::strong_store:
        if (!ordered(granule.write, who)) crowd(granule).strong_writes[granule.write.warp] = granule.write;
        granule.write = now;
        granule.read = {};
        return;
    case SharedOperation::store:
        disperse(granule);
        granule.write = now;
        granule.read = {};
        return;
    }
}

SharedShadow::Found SharedShadow::touch(std::uint64_t offset, std::uint32_t bytes, SharedOperation operation,
                                        const Knowledge& who, std::uint32_t instruction) {
    if (bytes < (std::uint32_t{1} << shift_)) split(bytes);
    const std::size_t first = offset >> shift_, last = (offset + bytes - 1) >> shift_;
    for (std::size_t g = first; g <= last; ++g) {
        if (Found found = conflict(granules_[g], operation, who)) return found;
        note(granules_[g], operation, who, instruction);
    }
    return std::nullopt;
}

} // namespace tmemc::emulator
