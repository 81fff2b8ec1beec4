// Whole kernels: the text of the round trip, and the order of things in it.
#include "lines.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;
using Op = sema::TmemCopy::Op;

namespace {

/// Every register of a message's vector is written before the first message that reads it.
void check_written_before_stores(const LowerResult& result) {
    std::set<std::string> written;
    for (const ptx::Statement& statement : result.module.functions.at(0).body) {
        const auto* i = std::get_if<ptx::Instruction>(&statement);
        if (!i || i->operands.empty()) continue;
        if (i->name.compare(0, 10, "tcgen05.st") == 0) {
            for (const auto& each : std::get<ptx::Vector>(i->operands.back()).elements)
                CHECK(written.count(std::get<ptx::Register>(each).name) == 1);
            continue;
        }
        if (const auto* single = std::get_if<ptx::Register>(&i->operands[0])) written.insert(single->name);
        if (const auto* vector = std::get_if<ptx::Vector>(&i->operands[0]))
            for (const auto& each : vector->elements) written.insert(std::get<ptx::Register>(each).name);
    }
}

} // namespace

TEST_CASE("only tensors that nothing writes are read without coherence") {
    for (const auto direction : {sema::Direction::in, sema::Direction::inout}) {
        Program p = round_trip(8);
        p.tensor(0).direction = direction;
        CHECK(count_of(lines(p.lowered()), "ld.global.nc.") == (direction == sema::Direction::in ? 1 : 0));
        CHECK(count_of(lines(p.lowered()), "ld.global.") == 1);
    }
}

TEST_CASE("the round trip, byte for byte") {
    Program p = round_trip(8);
    const LowerResult result = p.lowered();
    CHECK(result.diagnostics.list.empty());
    CHECK(plainly_written(result.module).text == R"(.version 8.6
.target sm_100a
.address_size 64

.visible .entry roundtrip(
    .param .u64 A,
    .param .u64 B
)
.reqntid 128
{
    .reg .b32 %X_<4>;
    .reg .b32 %Y_<4>;
    .reg .b64 %A_base;
    .reg .b32 %thread;
    .reg .b64 %offset;
    .reg .b64 %A_ptr;
    .shared .align 4 .b32 $allocation;
    .reg .pred %allocates;
    .reg .b32 %allocation;
    .reg .b32 %taddr;
    .reg .b32 %slot;
    .reg .b32 %lane;
    .reg .b64 %B_base;
    .reg .b64 %B_ptr;

    ld.param.u64 %A_base, [A];
    mov.u32 %thread, %tid.x;
    mul.wide.u32 %offset, %thread, 16;
    add.s64 %A_ptr, %A_base, %offset;
    mov.u32 %slot, $allocation;
    setp.lt.u32 %allocates, %thread, 32;
    ld.param.u64 %B_base, [B];
    add.s64 %B_ptr, %B_base, %offset;

    // k.tmx:1: load;
    ld.global.nc.v4.b32 {%X_0, %X_1, %X_2, %X_3}, [%A_ptr];

    // warp 0 allocates 32 columns of tensor memory; shared memory hands their address round
    @!%allocates bra $allocated;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%slot], 32;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
$allocated:
    bar.sync 0;
    ld.shared.b32 %allocation, [%slot];
    and.b32 %lane, %thread, 96;
    shl.b32 %lane, %lane, 16;
    add.u32 %taddr, %allocation, %lane;

    // k.tmx:2: st;
    tcgen05.st.sync.aligned.32x32b.x4.b32 [%taddr], {%X_0, %X_1, %X_2, %X_3};

    // k.tmx:3: wait st;
    tcgen05.wait::st.sync.aligned;

    // k.tmx:4: ld;
    tcgen05.ld.sync.aligned.32x32b.x4.b32 {%Y_0, %Y_1, %Y_2, %Y_3}, [%taddr];

    // k.tmx:5: wait ld;
    tcgen05.wait::ld.sync.aligned;

    // k.tmx:6: store;
    st.global.v4.b32 [%B_ptr], {%Y_0, %Y_1, %Y_2, %Y_3};

    // the warp that allocated frees the columns once every warp is done with them
    bar.sync 0;
    @!%allocates ret;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %allocation, 32;
    ret;
}
)");
    CHECK(ptx::write(p.lowered().module).text == ptx::write(result.module).text);
}

TEST_CASE("round trips of every width assemble for every target") {
    for (const int cols : {2, 8, 64, 256}) {
        check_written_before_stores(round_trip(cols).lowered());
        check_assembles(round_trip(cols));
    }
}

TEST_CASE("the version is the lowest that suffices") {
    CHECK(round_trip(8).lowered().module.version == ptx::Version{8, 6});
    CHECK(round_trip(16).lowered().module.version == ptx::Version{8, 8}); // ld.global.nc.v8.b32
    Program p = round_trip(16);
    p.program.target = "sm_110a";
    CHECK(p.lowered().module.version == ptx::Version{9, 0});
    p.tensor(0).align = p.tensor(1).align = 16;
    p.program.target = "sm_100a";
    CHECK(p.lowered().module.version == ptx::Version{8, 6});
}

TEST_CASE("the trace names each statement's lines, each register and each global access") {
    const LowerResult result = round_trip(16).lowered();
    const KernelTrace& trace = result.trace.kernels.at(0);
    CHECK(trace.function == 0);
    CHECK(trace.statements.size() == 6);
    CHECK(extent_text(result, 0) == "// k.tmx:1: load;\nld.global.nc.v8.b32 {%X_0, %X_1, %X_2, %X_3, %X_4, "
                                    "%X_5, %X_6, %X_7}, [%A_ptr];\n");
    CHECK(extent_text(result, 2) == "// k.tmx:3: wait st;\ntcgen05.wait::st.sync.aligned;\n");
    CHECK(
        extent_text(result, 5) ==
        "// k.tmx:6: store;\nst.global.v8.b32 [%B_ptr], {%Y_0, %Y_1, %Y_2, %Y_3, %Y_4, %Y_5, %Y_6, %Y_7};\n");
    REQUIRE(trace.registers.size() == 2);
    CHECK(trace.registers[1].size() == 8);
    CHECK(trace.registers[1][7] == "%Y_7");
    CHECK(trace.globals == std::vector<GlobalAccess>{{0, false, 32, 0, 64, 0}, {5, false, 32, 0, 64, 0}});
}

TEST_CASE("only loads and fills that come first go ahead of the allocation") {
    Program p = round_trip(8);
    sema::Fill fill;
    fill.fragment = p.whole(1);
    p.kernel().statements.insert(p.kernel().statements.begin(), {fill, std::nullopt, {}, ""});
    for (match::CopyPlan& copy : p.plan.kernels[0].copies) ++copy.statement;
    for (order::ScheduledWait& wait : p.schedule.kernels[0].waits) ++wait.before;
    const std::size_t again = p.load(0, 0); // a load that does not come first
    const LowerResult result = p.lowered();
    const std::vector<std::string> list = lines(result);
    const int alloc = line_of(list, "tcgen05.alloc");
    CHECK(line_of(list, "mov.b32 %Y_0, 0;") < alloc);
    CHECK(line_of(list, "ld.global") < alloc);
    CHECK(line_of(list, "ld.global", alloc) > line_of(list, "tcgen05.ld"));
    CHECK(extent_text(result, again).find("ld.global") != std::string::npos);
    CHECK(result.trace.kernels[0].statements[0].last < static_cast<std::size_t>(alloc));
}

TEST_CASE("a kernel without tensor memory allocates none, and its sync is a barrier") {
    Program p;
    const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 4);
    const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(4, 32));
    p.load(x, a);
    p.add("sync;", sema::Sync{});
    p.store(a, x);
    const std::vector<std::string> list = lines(p.lowered());
    CHECK(count_of(list, "tcgen05") == 0);
    CHECK(count_of(list, "bar.sync 0;") == 1);
    CHECK(count_of(list, ".shared") == 0);
    check_assembles(p);
}

TEST_CASE("a sync is a barrier between the two fences") {
    Program p = round_trip(8);
    p.add("sync;", sema::Sync{});
    const LowerResult result = p.lowered();
    CHECK(extent_text(result, 6) == "// k.tmx:7: sync;\ntcgen05.fence::before_thread_sync;\nbar.sync "
                                    "0;\ntcgen05.fence::after_thread_sync;\n");
    check_assembles(p);
}

TEST_CASE("row, column and group ride in the address, the half split beside it") {
    Program p;
    const std::size_t x = p.fragment("X", base::Dtype::u32, row_per_thread(4, 32));
    p.buffer(0, 64);
    const std::size_t t = p.buffer(36, 64);
    match::Message message;
    message.shape = atlas::Shape::s16x32bx2;
    message.num = 2;
    message.row = 16;
    message.column = 3;
    message.registers = {2, 0};
    message.warps = {0, 1, 2, 3};
    message.pack = true;
    message.half_split = 8;
    sema::Fill fill;
    fill.fragment = p.whole(x);
    p.add("X = 0;", fill);
    const std::size_t st = p.message(Op::st, t, x, {message});
    const std::size_t ld = p.message(Op::ld, t, x, {message});
    const LowerResult result = p.lowered();
    CHECK(extent_text(result, st) == "// k.tmx:2: st;\ntcgen05.st.sync.aligned.16x32bx2.x2.unpack::16b.b32 "
                                     "[%taddr+0x100027], 8, {%X_2, %X_0};\n");
    CHECK(extent_text(result, ld) == "// k.tmx:3: ld;\ntcgen05.ld.sync.aligned.16x32bx2.x2.pack::16b.b32 "
                                     "{%X_2, %X_0}, [%taddr+0x100027], 8;\n");
    check_assembles(p);
}

TEST_CASE("waits that the compiler put in stand before their statement and say so") {
    Program p = round_trip(8);
    p.schedule.kernels[0].waits = {{2, order::WaitKind::st, false},
                                   {3, order::WaitKind::ld, true},
                                   {4, order::WaitKind::ld, false},
                                   {6, order::WaitKind::st, true}};
    const LowerResult result = p.lowered();
    const std::vector<std::string> list = lines(result);
    CHECK(count_of(list, "tcgen05.wait::ld") == 2);
    const int inserted = line_of(list, "// wait ld; (inserted)");
    CHECK(list[static_cast<std::size_t>(inserted) + 1] == "tcgen05.wait::ld.sync.aligned;");
    CHECK(inserted < line_of(list, "tcgen05.ld"));
    CHECK(extent_text(result, 3).find("wait") == std::string::npos);
    const int last = line_of(list, "// wait st; (inserted)");
    CHECK(last > line_of(list, "st.global"));
    CHECK(last < line_of(list, "@!%allocates ret;"));
    check_assembles(p);
}

TEST_CASE("a fill writes whole registers, and parts of them behind a zero") {
    Program p;
    const std::size_t x = p.fragment("X", base::Dtype::u8, row_per_thread(8, 8));
    sema::Fill fill;
    fill.bits = 0x7F;
    fill.fragment = p.whole(x);
    p.add("X = 127;", fill);
    fill.fragment.col = 3;
    fill.fragment.cols = 2;
    fill.fragment.row = 32;
    fill.fragment.rows = 96;
    p.add("part", fill);
    const LowerResult result = p.lowered();
    CHECK(extent_text(result, 0) ==
          "// k.tmx:1: X = 127;\nmov.b32 %X_0, 0x7F7F7F7F;\nmov.b32 %X_1, 0x7F7F7F7F;\n");
    CHECK(extent_text(result, 1) == "// k.tmx:2: part\n@%active bfi.b32 %X_0, 127, %X_0, 24, 8;\n@%active "
                                    "bfi.b32 %X_1, 127, %X_1, 0, 8;\n");
    const std::vector<std::string> list = lines(result);
    CHECK(line_of(list, "setp.ge.u32 %active, %thread, 32;") >= 0);
    CHECK(line_of(list, "mov.b32 %X_0, 0;") < line_of(list, "// k.tmx:1"));
    check_assembles(p);
}

TEST_CASE("several kernels make one module, each with its own names") {
    Program p = round_trip(8), q = round_trip(8);
    q.kernel().name = "again";
    p.program.kernels.push_back(q.program.kernels[0]);
    p.plan.kernels.push_back(q.plan.kernels[0]);
    p.schedule.kernels.push_back(q.schedule.kernels[0]);
    p.space.kernels.push_back(q.space.kernels[0]);
    const LowerResult result = p.lowered();
    REQUIRE(result.module.functions.size() == 2);
    CHECK(result.trace.kernels[1].function == 1);
    CHECK(result.module.functions[0].body == result.module.functions[1].body);
    check_assembles(p);
}
