// A check that watches a CTA from outside. The machine tells its observers about the rare events that matter
// to ordering; an observer keeps what it needs to know and raises a Fault (faults.hpp) when a rule is broken.
// The machine's own state does not depend on them, so a run with fewer observers is faster and otherwise the
// same.
//
//     cta.observers: [Hazards]      tcgen05.st -> accessed(store) -> tcgen05.ld -> accessed(load): fault
//
// Warps synchronise at sync points: what a warp did before it released one is known to the warps that acquire
// it afterwards. An operation tells all observers through observe():
//
//     observe(warp, [&](Observer& o) { o.released(warp, barrier_point(0)); });
#pragma once

#include <array>
#include <cstdint>

namespace tmemc::emulator {

struct Columns;
struct Cta;
struct Footprint;
struct Instruction;
struct Warp;
enum class Space : std::uint8_t;

enum class Access : std::uint8_t { load, store, atomic, place }; // place: a store that comes later
using Addresses = std::array<std::uint64_t, 32>;                 // by lane
/// What lanes of a warp do to memory with one instruction; of generic addresses once for each space.
struct MemoryAccess {
    Space space{};
    Access access{};
    std::uint32_t bytes = 0;    // of each lane, aligned
    std::uint32_t lanes = 0;    // a bit each
    const Addresses& addresses; // in the space
};

enum class TensorOperation : std::uint8_t { load, store };
enum class Fence : std::uint8_t { tensor_before, tensor_after, memory };

/// A barrier by its number, or a place of shared memory (an mbarrier, a flag, a lock) by its offset.
using SyncPoint = std::uint64_t;
inline constexpr SyncPoint barrier_point(std::uint32_t number) { return SyncPoint{1} << 32 | number; }
inline constexpr SyncPoint shared_point(std::uint64_t offset) { return offset; }

class Observer {
  public:
    Observer() = default;
    Observer(const Observer&) = delete;
    Observer& operator=(const Observer&) = delete;
    virtual ~Observer() = default;

    /// A CTA begins; nothing has happened.
    virtual void started(const Cta&) {}
    /// A tcgen05.ld or st is about to be issued.
    virtual void accessed(Warp&, const Instruction&, TensorOperation, const Footprint&) {}
    /// A tcgen05.wait::ld or ::st has completed the warp's loads or stores.
    virtual void waited(Warp&, const Instruction&, TensorOperation) {}
    /// Memory other than tensor memory is about to be accessed; the access has been found possible. Bytes
    /// never written have been reported already.
    virtual void touched(Warp&, const Instruction&, const MemoryAccess&) {}
    /// The columns are about to be deallocated.
    virtual void freeing(Warp&, const Instruction&, const Columns&) {}
    /// Of what the warp did so far, those shall know who acquire the point afterwards.
    virtual void released(Warp&, SyncPoint) {}
    virtual void acquired(Warp&, SyncPoint) {}
    /// All who waited at a barrier have acquired it; it begins anew.
    virtual void renewed(SyncPoint) {}
    virtual void fenced(Warp&, Fence) {}
    /// Lanes of the warp, a bit each, have met at a barrier of their own.
    virtual void lanes_met(Warp&, std::uint32_t) {}
};

} // namespace tmemc::emulator
