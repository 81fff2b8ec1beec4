// One launch of one kernel with host arrays: allocate a buffer per tensor, copy in what the kernel reads,
// launch, copy back what it writes. `out` tensors start as zeros. Arrays are dense; a tensor whose rows lie
// `pitch` elements apart in device memory is spread on the way in and gathered on the way out. Not here:
// loading the module (Device::load), where values come from (spec.hpp).
#pragma once

#include "runtime/array.hpp"
#include "runtime/device.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::runtime {

/// What is passed by value and no dtype has: a scalar of 64 bits, whose value is a b32[2], the low half
/// first, or the bytes of a structure.
enum class Wide : std::uint8_t { no, integer, floating, bytes };

/// A formal parameter of a kernel: a tensor, or a scalar when the shape is empty or it is wide.
struct Formal {
    std::string name;
    base::Dtype dtype{};
    std::vector<std::int64_t> shape;
    bool in = false, out = false;
    std::int64_t pitch = 0; // elements from row to row in device memory; 0: the columns
    Wide wide = Wide::no;
    // Formals, by place, whose values are the first extent and the pitch; what stands above holds from
    // give_sizes() on.
    std::optional<std::size_t> extent_from{}, pitch_from{};
    [[nodiscard]] bool is_scalar() const { return shape.empty() || wide != Wide::no; }
    bool operator==(const Formal&) const = default;
};
struct Signature {
    std::string kernel;
    std::vector<Formal> formals; // in declaration order
    std::array<std::uint32_t, 3> grid{1, 1, 1}, block{128, 1, 1};
    std::uint32_t shared_bytes = 0;  // of .extern .shared memory
    std::uint64_t scratch_bytes = 0; // of global memory for each CTA: a last parameter that is no formal
                                     // points to as many times that; 0: there is none
    bool operator==(const Signature&) const = default;
};

struct CallResult {
    std::optional<DeviceError> error;
    LaunchStatistics statistics;
    Timing timing; // of the launches after the one whose results are kept
};

/// `values` holds an array of the formal's dtype and element count for every formal that is read (a scalar is
/// an array of one element), else an InternalError. The arrays of `out` and `inout` tensors are replaced by
/// what the kernel wrote; after an error they are what they were. With `repeats` it is timed afterwards.
[[nodiscard]] CallResult call(Device& device, const Signature& signature,
                              std::map<std::string, Array>& values, int repeats = 0);

} // namespace tmemc::runtime
