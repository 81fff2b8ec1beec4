// Written waits become the schedule.
#include "order/order.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using order::ScheduledWait;
using order::WaitKind;

namespace {

sema::Statement statement(decltype(sema::Statement::what) what) {
    sema::Statement made;
    made.what = what;
    return made;
}

} // namespace

TEST_CASE("every written wait stands where it is written, and a wait for both kinds is two") {
    sema::Program program;
    program.kernels.resize(2);
    program.kernels[0].statements = {statement(sema::Sync{}), statement(sema::Wait{false, true}),
                                     statement(sema::Wait{true, true}), statement(sema::Wait{true, false})};
    const auto result = order::order(program);
    CHECK_FALSE(result.diagnostics.has_errors());
    REQUIRE(result.schedule.kernels.size() == 2);
    CHECK(result.schedule.kernels[0].waits == std::vector<ScheduledWait>{{1, WaitKind::st, false, {}},
                                                                         {2, WaitKind::ld, false, {}},
                                                                         {2, WaitKind::st, false, {}},
                                                                         {3, WaitKind::ld, false, {}}});
    CHECK(result.schedule.kernels[1].waits.empty());
}
