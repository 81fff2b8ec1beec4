// A checked kernel as it is called.
#include "trial/signature.hpp"

#include "bench.hpp"

using namespace tmemc;
using base::Dtype;
using sema::Direction;

TEST_CASE("parameters keep their order, type, direction and pitch") {
    sema::Kernel kernel;
    kernel.name = "k";
    kernel.grid = {3, 2, 1};
    kernel.warpgroups = 2;
    sema::Tensor wide = testing::tensor("C", Dtype::bf16, Direction::inout, {128, 8});
    wide.pitch = 24;
    kernel.parameters = {testing::tensor("A", Dtype::f16, Direction::in, {64}),
                         sema::Scalar{"x", Dtype::u32, {}},
                         testing::tensor("B", Dtype::f16, Direction::out, {128, 8}), wide};
    const runtime::Signature expected{"k",
                                      {{"A", Dtype::f16, {64}, true, false, 64},
                                       {"x", Dtype::u32, {}, true, false, 0},
                                       {"B", Dtype::f16, {128, 8}, false, true, 8},
                                       {"C", Dtype::bf16, {128, 8}, true, true, 24}},
                                      {3, 2, 1},
                                      {256, 1, 1}};
    CHECK(trial::signature_of(kernel) == expected);
}
