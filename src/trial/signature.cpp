// A scalar is a formal without extents that the kernel reads; a tensor keeps its shape, direction and pitch.
#include "trial/signature.hpp"

namespace tmemc::trial {

namespace {

runtime::Formal formal_of(const sema::Tensor& tensor) {
    const bool in = tensor.direction != sema::Direction::out;
    const bool out = tensor.direction != sema::Direction::in;
    return {tensor.name,       tensor.dtype,       tensor.extents,   in, out, tensor.pitch,
            runtime::Wide::no, tensor.extent_from, tensor.pitch_from};
}

runtime::Formal formal_of(const sema::Scalar& scalar) {
    return {scalar.name, scalar.dtype, {}, true, false, 0};
}

} // namespace

runtime::Signature signature_of(const sema::Kernel& kernel, std::uint64_t scratch_bytes) {
    runtime::Signature signature;
    signature.scratch_bytes = scratch_bytes;
    signature.kernel = kernel.name;
    for (const sema::Parameter& parameter : kernel.parameters) {
        if (const auto* tensor = std::get_if<sema::Tensor>(&parameter))
            signature.formals.push_back(formal_of(*tensor));
        else
            signature.formals.push_back(formal_of(std::get<sema::Scalar>(parameter))); // of a kernel
    }
    for (std::size_t d = 0; d < 3; ++d) signature.grid[d] = static_cast<std::uint32_t>(kernel.grid[d]);
    signature.block = {static_cast<std::uint32_t>(kernel.threads()), 1, 1};
    return signature;
}

} // namespace tmemc::trial
