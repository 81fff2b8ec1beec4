// Who executes what: messages of some warps, statements of one warpgroup, and what all must pass.
#include "lines.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;
using Op = sema::TmemCopy::Op;

TEST_CASE("messages of some warps stand in a branch, which neighbours share") {
    Program p = round_trip(8);
    match::Message low = plain_message(2), high = plain_message(2), all = plain_message(4);
    low.warps = {0, 1};
    high.warps = {2, 3};
    std::vector<match::Message>& messages = p.plan.kernels[0].copies[0].messages;
    messages = {low, low, high, all};
    const LowerResult result = p.lowered();
    const std::string text = extent_text(result, 1);
    CHECK(text == R"(// k.tmx:2: st;
@%active bra $other_warps;
tcgen05.st.sync.aligned.32x32b.x2.b32 [%taddr], {%X_0, %X_1};
tcgen05.st.sync.aligned.32x32b.x2.b32 [%taddr], {%X_0, %X_1};
$other_warps:
@!%active bra $other_warps_2;
tcgen05.st.sync.aligned.32x32b.x2.b32 [%taddr], {%X_0, %X_1};
$other_warps_2:
tcgen05.st.sync.aligned.32x32b.x4.b32 [%taddr], {%X_0, %X_1, %X_2, %X_3};
)");
    CHECK(line_of(lines(result), "setp.ge.u32 %active, %thread, 64;") >= 0);
    messages[0].warps = messages[1].warps = {0, 2};
    messages[2].warps = {1};
    const std::vector<std::string> list = lines(p.lowered());
    CHECK(line_of(list, "and.b32 %part_0, %thread, 32;") >= 0);
    CHECK(line_of(list, "setp.eq.u32 %active, %part_0, 32;") >= 0); // the warps that skip: 1 and 3
    check_assembles(p);
}

TEST_CASE("in a kernel of several warpgroups threads and rows count within each") {
    Program p(2);
    const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 4);
    const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(4, 32));
    const std::size_t t = p.buffer(0, 32);
    p.load(x, a);
    p.message(Op::st, t, x, {plain_message(4)}, 0);
    p.wait(order::WaitKind::st, 0);
    p.add("sync;", sema::Sync{});
    p.message(Op::ld, t, x, {plain_message(4)}, 1);
    p.wait(order::WaitKind::ld, 1);
    p.store(a, x);
    const LowerResult result = p.lowered();
    const std::vector<std::string> list = lines(result);
    CHECK(result.module.functions[0].required_threads == std::array<std::uint32_t, 3>{256, 1, 1});
    CHECK(line_of(list, "mov.u32 %cta_thread, %tid.x;") >= 0);
    CHECK(line_of(list, "and.b32 %thread, %cta_thread, 127;") >= 0);
    CHECK(line_of(list, "mul.wide.u32 %offset, %thread, 16;") >= 0);
    CHECK(line_of(list, "shr.u32 %warpgroup, %cta_thread, 7;") >= 0);
    CHECK(line_of(list, "setp.lt.u32 %allocates, %cta_thread, 32;") >= 0);
    CHECK(line_of(list, "and.b32 %lane, %cta_thread, 96;") >= 0);

    // A branch opens before the statements of a warpgroup and closes behind them.
    const int open = line_of(list, "@!%on_warpgroup bra $other_warpgroups;"),
              close = line_of(list, "$other_warpgroups:");
    CHECK(open < line_of(list, "tcgen05.st"));
    CHECK(line_of(list, "tcgen05.wait::st") < close);
    CHECK(close < line_of(list, "tcgen05.fence::before"));
    const int open_2 = line_of(list, "@!%on_warpgroup$2 bra $other_warpgroups_2;"),
              close_2 = line_of(list, "$other_warpgroups_2:");
    CHECK(open_2 < line_of(list, "tcgen05.ld"));
    CHECK(close_2 < line_of(list, "st.global"));
    CHECK(extent_text(result, 1).find("bra") == std::string::npos);

    // One deallocation, behind a barrier that all pass.
    CHECK(count_of(list, "tcgen05.dealloc") == 1);
    CHECK(line_of(list, "bar.sync 0;", close_2) < line_of(list, "@!%allocates ret;"));
    CHECK(line_of(list, "@!%allocates ret;") < line_of(list, "tcgen05.dealloc"));
    check_assembles(p);
}

TEST_CASE("a branch of a warpgroup does not run into the allocation or the end") {
    Program p(2);
    const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 4);
    const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(4, 32));
    const std::size_t t = p.buffer(0, 32);
    p.load(x, a, 1);
    p.message(Op::st, t, x, {plain_message(4)}, 1);
    p.wait(order::WaitKind::st, 1);
    const std::vector<std::string> list = lines(p.lowered());
    CHECK(line_of(list, "$other_warpgroups:") < line_of(list, "tcgen05.alloc"));
    CHECK(line_of(list, "$other_warpgroups_2:") < line_of(list, "@!%allocates ret;"));
    check_assembles(p);
}
