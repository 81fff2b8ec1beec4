// Which kernels get a `.maxnreg`, and what it is. That it costs nothing is tested against ptxas
// (oracle/register_limit_test.cpp).
#include "lines.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using namespace tmemc::lower::test;

namespace {

std::uint32_t limit(const Program& p) { return p.lowered().module.functions.at(0).max_registers.value_or(0); }

} // namespace

TEST_CASE("one trip through tensor memory is limited to its vector and what addresses take") {
    CHECK(limit(round_trip(16)) == 0);   // 8 registers: ptxas takes no more by itself
    CHECK(limit(round_trip(64)) == 56);  // 32 + 18
    CHECK(limit(round_trip(128)) == 88); // 64 + 18
    CHECK(limit(round_trip(256)) == 152);
    check_assembles(round_trip(128));
}

TEST_CASE("where the vectors are short, what is live counts") {
    Program p = round_trip(256);
    for (match::CopyPlan& copy : p.plan.kernels[0].copies) {
        copy.messages = {plain_message(64), plain_message(64)};
        copy.messages[1].registers = registers(64, 64);
        copy.messages[1].column = 64;
    }
    CHECK(limit(p) == 144); // 128 live, 4 + 2 * 2 for the kernel and its tensors, 4 spare
}

TEST_CASE("other kernels have no limit") {
    Program twice = round_trip(128); // a second trip behind the first
    const std::size_t x = 0, a = 0;
    twice.load(x, a);
    CHECK(limit(twice) == 0);

    Program loops = round_trip(128); // tile by tile, each stored before the next is loaded
    const std::size_t y = 1, b = 1;
    std::vector<sema::Statement>& all = loops.kernel().statements;
    loops.store(b, y);
    loops.load(y, a);
    loops.store(b, y);
    CHECK(limit(loops) == 0);
    all.resize(all.size() - 3);
    CHECK(limit(loops) == 88);

    Program fills = round_trip(128);
    fills.add("fill;", sema::Fill{fills.whole(1), 0});
    CHECK(limit(fills) == 0);

    Program syncs = round_trip(128);
    syncs.add("sync;", sema::Sync{});
    CHECK(limit(syncs) == 0);

    Program bytes_apart = round_trip(128); // elements travel alone and are packed
    bytes_apart.tensor(0).pitch = 129;
    CHECK(limit(bytes_apart) == 0);

    Program tensors = round_trip(128);
    tensors.tensor("C", base::Dtype::f16, 128, 128);
    CHECK(limit(tensors) == 0);

    Program groups = round_trip(128);
    groups.kernel().warpgroups = 2;
    CHECK(limit(groups) == 0);
}
