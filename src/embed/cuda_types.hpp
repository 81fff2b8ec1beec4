// The types of CUDA C++ that a program's element types are: what a pointer points to, and what holds one
// 32-bit register of a fragment when it is not a plain uint32_t, two `__half` in a `__half2`. tf32 has no
// type of its own there and travels as float. Not here: how they get into registers (cuda_parameters.hpp).
#pragma once

#include "base/dtype.hpp"

#include <string_view>

namespace tmemc::embed {

struct CudaType {
    base::Dtype dtype{};
    std::string_view element; // "__half"
    std::string_view word;    // "__half2"; empty: uint32_t alone
    std::string_view include; // "cuda_fp16.h"; empty: none
    std::string_view bits;    // of a scalar `{}` as an integer
};

[[nodiscard]] const CudaType& cuda_type(base::Dtype dtype);

} // namespace tmemc::embed
