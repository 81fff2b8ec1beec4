// A check that watches a CTA from outside. The machine tells its observers about the rare events that matter
// to ordering; an observer keeps what it needs to know and raises a Fault (faults.hpp) when a rule is broken.
// The machine's own state does not depend on them, so a run with fewer observers is faster and otherwise the
// same.
//
//     cta.observers: [Hazards]      tcgen05.st -> accessed(store) -> tcgen05.ld -> accessed(load): fault
#pragma once

#include <cstdint>

namespace tmemc::emulator {

struct Columns;
struct Cta;
struct Footprint;
struct Instruction;
struct Warp;

enum class TensorOperation : std::uint8_t { load, store };

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
    /// The columns are about to be deallocated.
    virtual void freeing(Warp&, const Instruction&, const Columns&) {}
};

} // namespace tmemc::emulator
