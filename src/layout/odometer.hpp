// All places of a layout in order, one step at a time. The shard digits and, below them, the replica digits
// turn like the wheels of an odometer: the last wheel moves one stride; a wheel that is through falls back to
// 0 and the one before it moves. Over a whole tile that is little more than one addition per place. Example:
// S[(2, 3) : (10@m, 1@m)] stands at 0, 1, 2, 10, 11, 12.
#pragma once

#include "layout/layout.hpp"

namespace tmemc::layout {

class Odometer {
  public:
    explicit Odometer(const Layout& layout) : wheels_(layout.shard), place_(layout.offset) {
        wheels_.insert(wheels_.end(), layout.replica.begin(), layout.replica.end());
        values_.resize(wheels_.size());
    }

    /// Where it stands: first the first copy of element 0.
    [[nodiscard]] const Coordinate& place() const { return place_; }

    /// To the next copy, or the next element's first copy; after the last place back to the first.
    void turn() {
        for (std::size_t i = wheels_.size(); i-- > 0;) {
            const Digit& wheel = wheels_[i];
            if (++values_[i] < wheel.extent) {
                place_[wheel.axis] += wheel.stride;
                return;
            }
            place_[wheel.axis] -= wheel.stride * (values_[i] - 1);
            values_[i] = 0;
        }
    }

  private:
    std::vector<Digit> wheels_;
    std::vector<std::int64_t> values_; // of the wheels
    Coordinate place_;
};

} // namespace tmemc::layout
