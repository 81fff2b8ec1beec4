// Tensor memory in software: which banks of shared memory the 32 threads of a warp meet, from the emitted
// text, for messages of every shape from every column on; where the image goes; and what waits and barriers
// become.
#include "lines.hpp"
#include "programs.hpp"
#include "thread_machine.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;
using Op = sema::TmemCopy::Op;

namespace {

constexpr int columns = 80; // as many as a packed x4 of 16x256b reaches from column 15 on

Program one_message(const match::Message& message, Op op = Op::ld) {
    Program p;
    p.software = true;
    p.program.target = "sm_90";
    const int count = static_cast<int>(message.registers.size());
    const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(count, 32));
    const std::size_t t = p.buffer(0, columns);
    p.space.kernels[0].needed = columns;
    p.message(op, t, x, {message});
    return p;
}

/// The most threads of a warp that one access of the message has in a bank, each with a word of its own.
int conflicts(const match::Message& message) {
    const LowerResult lowered = one_message(message).lowered();
    std::map<std::uint64_t, std::uint8_t> memory, shared;
    for (std::uint64_t byte = 0; byte < columns * 512; ++byte) shared[0x80 + byte] = 0;
    std::vector<std::vector<std::uint64_t>> places; // by thread
    for (std::uint64_t thread = 0; thread < 32; ++thread) {
        ThreadMachine machine{memory, {}, {}};
        machine.shared = &shared;
        machine.run(lowered.module.functions[0], thread);
        places.push_back(machine.shared_places);
    }
    std::size_t most = 0;
    for (std::size_t access = 0; access < places[0].size(); ++access) {
        std::map<std::uint64_t, std::set<std::uint64_t>> banks;
        for (const auto& mine : places) banks[mine[access] / 4 % 32].insert(mine[access] / 4);
        for (const auto& [bank, words] : banks) most = std::max(most, words.size());
    }
    return static_cast<int>(most);
}

match::Message message_of(const atlas::ShapeRow& shape, int column, bool pack) {
    match::Message message;
    message.shape = shape.shape;
    message.num = 4;
    message.column = column;
    message.pack = pack;
    message.registers = registers(4 * shape.registers);
    message.warps = {0, 1, 2, 3};
    return message;
}

} // namespace

TEST_CASE("banks of shared memory") {
    for (const atlas::ShapeRow& shape : atlas::shape_rows())
        for (const bool pack : {false, true}) {
            int even = 0, odd = 0;
            for (int column = 0; column < 16; ++column) {
                match::Message message = message_of(shape, column, pack);
                if (shape.split) message.half_split = 8;
                int& most = column % 2 == 0 ? even : odd;
                most = std::max(most, conflicts(message));
            }
            const std::string name = std::string(shape.name) + (pack ? ", packed" : "");
            INFO(name);
            MESSAGE(name << ": " << even << " from even columns on, " << odd << " from odd ones");
            const bool free =
                shape.name == "32x32b" || (shape.name == "16x128b" && pack) || (!pack && !shape.split);
            CHECK(even == (free ? 1 : 2));
            CHECK(odd <= (shape.name == "32x32b" ? 1 : 2));
        }
    match::Message split = message_of(atlas::row(atlas::Shape::s16x32bx2), 0, false);
    split.half_split = 16 << 16; // the other half of the lanes
    CHECK(conflicts(split) == 1);
    split.half_split = 12;
    CHECK(conflicts(split) == 1);
}

TEST_CASE("the image is in shared memory where it fits, else behind a hidden parameter") {
    Program p = one_message(plain_message(4));
    LowerResult lowered = p.lowered();
    CHECK(lowered.trace.kernels[0].cells == CellImage{columns * 512, "$tensor_memory", ""});
    CHECK(lowered.module.functions[0].parameters.empty());
    p.space.kernels[0].needed = 96;
    CHECK(p.lowered().trace.kernels[0].cells.scratch_bytes() == 0);
    p.space.kernels[0].needed = 100;
    p.kernel().grid = {3, 1, 5};
    lowered = p.lowered();
    CHECK(lowered.trace.kernels[0].cells == CellImage{100 * 512, "", "$tensor_memory"});
    CHECK(lowered.trace.kernels[0].cells.scratch_bytes() == 100 * 512);
    REQUIRE(lowered.module.functions[0].parameters.size() == 1);
    CHECK(lowered.module.functions[0].parameters[0].name == "$tensor_memory");
    CHECK(extent_text(lowered, 0) ==
          "// k.tmx:1: ld;\nld.global.b32 %X_0, [%cell];\n"
          "ld.global.b32 %X_1, [%cell$2+512];\n"
          "ld.global.b32 %X_2, [%cell$3+1024];\nld.global.b32 %X_3, [%cell$4+1536];\n");
}

TEST_CASE("a wait is a barrier of the warp, and sync one of the CTA") {
    Program p = one_message(plain_message(1), Op::st);
    p.wait(order::WaitKind::st);
    p.add("sync;", sema::Sync{});
    const LowerResult lowered = p.lowered();
    CHECK(extent_text(lowered, 0) == "// k.tmx:1: st;\nst.shared.b32 [%cell], %X_0;\n");
    CHECK(extent_text(lowered, 1) == "// k.tmx:2: wait st;\nbar.warp.sync -1;\n");
    CHECK(extent_text(lowered, 2) == "// k.tmx:3: sync;\nbar.sync 0;\n");
}

TEST_CASE("halves that are packed are low halves of two cells") {
    match::Message message = plain_message(1);
    message.pack = true;
    CHECK(extent_text(one_message(message).lowered(), 0) ==
          "// k.tmx:1: ld;\nld.shared.u16 %X_0, [%cell];\nld.shared.u16 %part_0, [%cell$2+512];\n"
          "prmt.b32 %X_0, %X_0, %part_0, 21520;\n");
    CHECK(extent_text(one_message(message, Op::st).lowered(), 0) ==
          "// k.tmx:1: st;\nand.b32 %part_1, %X_0, 65535;\nshr.u32 %part_0, %X_0, 16;\n"
          "st.shared.b32 [%cell], %part_1;\nst.shared.b32 [%cell$2+512], %part_0;\n");
}
