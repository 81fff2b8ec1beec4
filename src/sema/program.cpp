// The little that a Program computes.
#include "sema/program.hpp"

namespace tmemc::sema {

std::int64_t Tensor::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
}

} // namespace tmemc::sema
