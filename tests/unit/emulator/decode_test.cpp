// What load() makes of a module: signatures, and everything it refuses, by name and line.
#include "program.hpp"

using namespace tmemc::emulator;
namespace base = tmemc::base;

namespace {

// The diagnostics of a kernel with this body, as "line code message" each; the body begins on line 9.
std::vector<std::string> complaints(const std::string& body) {
    const base::Source source("t.ptx", kernel(body));
    const LoadResult loaded = load(source);
    CHECK((loaded.executable == nullptr) == loaded.diagnostics.has_errors());
    std::vector<std::string> list;
    for (const auto& d : loaded.diagnostics.list) {
        list.push_back(std::to_string(source.position(d.span.begin).line) + " " + std::string(d.kind->code) +
                       " " + d.message);
    }
    return list;
}
using List = std::vector<std::string>;

} // namespace

TEST_CASE("an unknown instruction is named with its line, and all of them in one run") {
    CHECK(complaints("mov.u32 %r1, 1;\nfoo.u32 %r1, %r1;\nbra END;\nadd.u33 %r1, %r1, 1;\nEND: ret;") ==
          List{"10 TM0700 the emulator does not know the instruction `foo.u32`",
               "12 TM0700 the emulator does not know the instruction `add.u33`"});
    for (const char* instruction : {"ld.shared.v3.b32 {%r1, %r2, %r3}, [%d1];",
                                    "ld.surf.b32 %r1, [%d1];",
                                    "st.param.b32 [in], %r1;",
                                    "ld.global %r1, [%d1];",
                                    "barrier.sync.popc 0;",
                                    "add.u32.x %r1, %r1, %r1;",
                                    "bra.div END;",
                                    "mov.b32.x %r1, %r1;",
                                    "tcgen05.ld.sync.aligned.32x32b.x3.b32 {%r1, %r2, %r3}, [%r4];",
                                    "tcgen05.ld.sync.aligned.16x128b.x128.b32 {%r1}, [%r4];",
                                    "tcgen05.ld.sync.aligned.16x64b.b32 {%r1}, [%r4];",
                                    "tcgen05.ld.aligned.32x32b.x1.b32 {%r1}, [%r4];",
                                    "tcgen05.ld.sync.aligned.32x32b.x1.unpack::16b.b32 {%r1}, [%r4];",
                                    "tcgen05.st.sync.aligned.32x32b.x1.pack::16b.b32 [%r4], {%r1};",
                                    "tcgen05.ld.sync.aligned.32x32b.x1.u32 {%r1}, [%r4];",
                                    "tcgen05.alloc.cta_group::2.sync.aligned.shared::cta.b32 [%r1], 32;",
                                    "tcgen05.wait::ld.sync;",
                                    "tcgen05.dealloc.cta_group::1.sync.b32 %r1, 32;",
                                    "tcgen05.fence::after_thread_sync.sync;",
                                    "tcgen05.relinquish_alloc_permit.sync.aligned;"}) {
        const std::string named = instruction;
        INFO(named);
        const List list = complaints(std::string(instruction) + "\nEND: ret;");
        REQUIRE(list.size() == 1);
        CHECK(list[0].substr(0, 8) == "9 TM0700");
    }
}

TEST_CASE("operands that do not fit are refused with the reason") {
    const std::pair<const char*, const char*> cases[] = {
        {"add.u32 %r1, %r2;", "it has 2 operands and needs 3"},
        {"add.u32 %d1, %r1, %r2;", "a register of 64 bits stands where 32 are written"},
        {"add.u64 %r1, %d1, %d2;", "`%r1` has 32 bits, and 64 are written"},
        {"add.u32 %r1, %d1, %r2;", "an operand of 64 bits stands where 32 are read"},
        {"add.u32 %r1, %x1, %r2;", "the register `%x1` is not declared"},
        {"add.u32 %r01, %r1, %r2;", "the register `%r01` is not declared"},
        {"add.u32 %r300, %r1, %r2;", "the register `%r300` is not declared"},
        {"add.u32 7, %r1, %r2;", "the destination is a register"},
        {"mov.u32 %tid.x, %r1;", "the destination is a register"},
        {"mov.u32 %r1, nobody;", "there is no variable `nobody`"},
        {"bra NOWHERE;", "there is no label `NOWHERE`"},
        {"bra %r1;", "a branch goes to a label"},
        {"@%r1 mov.u32 %r2, 1;", "an operand of 32 bits stands where 1 are read"},
        {"ld.param.u32 %r1, [nobody];", "the kernel has no parameter `nobody`"},
        {"ld.param.u64 %d1, [in+4];", "`in` has 8 bytes, and bytes 4 to 11 are read"},
        {"ld.global.v8.b64 %d1, [%d1];",
         "an access has at most 128 bits, or 256 as eight words or four doublewords"},
        {"ld.shared.v4.b64 {%d1, %d2, %d3, %d4}, [%d1];", "only global memory is accessed in 256 bits"},
        {"ld.global.b32 _, [%d1];", "`_` does not stand here"},
        {"st.global.v2.b32 [%d1], {%r1, _};", "`_` does not stand here"},
        {"ld.relaxed.global.b32 %r1, [%d1];",
         ".relaxed, .acquire and .release have a scope, and nothing else has one"},
        {"ld.global.L2::cache_hint.b32 %r1, [%d1];", "it has 2 operands and needs 3"},
        {"ld.global.u32 %r1, %d1;", "an address `[register + offset]` stands here"},
        {"ld.global.u32 %r1, [%r2];", "`%r2` has 32 bits, and an address 64"},
        {"ld.shared.u32 %r1, [%h2];", "`%h2` has 16 bits, and an address 32 or 64"},
        {"ld.global.v2.u32 {%r1, %r2, %r3}, [%d1];", "3 registers stand where 2 are accessed"},
        {"ld.global.v2.u32 {%r1, %d2}, [%d1];", "the registers differ in width"},
        {"ld.global.u64 %r1, [%d1];", "`%r1` has 32 bits, and 64 are written"},
        {"mov.b64 {%r1, %r2, %r3}, %d1;", "3 elements do not share 64 bits"},
        {"mov.b32 {%h1, %h2}, {%h3, %h4};", "one side is a vector"},
        {"tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1}, [%r4];", "1 registers stand where 2 are moved"},
        {"tcgen05.ld.sync.aligned.32x32b.x1.b32 %r1, [%r4];", "the registers stand in braces"},
        {"tcgen05.ld.sync.aligned.32x32b.x1.b32 {_}, [%r4];", "`_` cannot be a register of a message"},
        {"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%d4];",
         "an operand of 64 bits stands where 32 are read"},
        {"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [5];",
         "a tensor-memory address is `[register]` or `[register + offset]`"},
        {"tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r1}, [%r4];", "it has 2 operands and needs 3"},
        {"tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r1}, [%r4], %r5;",
         "the offset of the second half is a constant"}};
    for (const auto& [instruction, why] : cases) {
        const std::string named = instruction;
        INFO(named);
        const List list = complaints(std::string(instruction) + "\nret;");
        REQUIRE(list.size() == 1);
        CHECK(list[0].substr(0, 8) == "9 TM0701");
        CHECK(list[0].substr(list[0].size() - std::string(why).size()) == why);
    }
}

TEST_CASE("the words of a tcgen05 name may stand in any order, and ld and st do without .aligned") {
    for (const char* instruction : {"tcgen05.ld.sync.32x32b.x1.b32 {%r1}, [%r4];",
                                    "tcgen05.ld.b32.x1.32x32b.aligned.sync {%r1}, [%r4];",
                                    "tcgen05.st.x2.sync.16x64b.unpack::16b.b32 [%r4+-16], {%r1, 5};",
                                    "tcgen05.alloc.sync.aligned.cta_group::1.b32 [%d1], %r1;",
                                    "tcgen05.st.sync.aligned.16x32bx2.x1.b32 [%r4], -3, {%r1};"}) {
        const std::string named = instruction;
        INFO(named);
        CHECK(complaints(std::string(instruction) + "\nret;").empty());
    }
}

TEST_CASE("a module says which kernels it has, and runs the one asked for") {
    const std::string text =
        ".version 9.0\n.target sm_100a\n.address_size 64\n.shared .align 16 .b8 common[8];\n"
        ".visible .entry first() .reqntid 32, 2 { ret; }\n"
        ".visible .entry second(.param .f32 x) { .reg .b32 %r<2>; mov.u32 %r1, common; ret; }\n";
    const LoadResult loaded = load(base::Source("m.ptx", text));
    REQUIRE(loaded.kernels.size() == 2);
    CHECK(loaded.kernels[0].name == "first");
    CHECK(loaded.kernels[0].required_threads == Dimensions{32, 2, 1});
    CHECK(loaded.kernels[1].parameters == std::vector<KernelParameter>{{"x", "f32", 0, 4}});
    GlobalMemory memory;
    CHECK(run(*loaded.executable, memory, {"first", {}, {32, 2, 1}, {}}).thread_instructions == 64);
    CHECK(run(*loaded.executable, memory, {"second", {2, 1, 1}, {32, 1, 1}, std::vector<std::byte>(4)})
              .thread_instructions == 128);
    const std::pair<Launch, const char*> wrong[] = {
        {{"third", {}, {32, 1, 1}, {}}, "`third` cannot be launched: the module has no kernel of this name"},
        {{"first", {}, {64, 1, 1}, {}},
         "`first` cannot be launched: it needs CTAs of 32x2x1 threads (.reqntid), not 64x1x1"},
        {{"second", {}, {32, 1, 1}, {}}, "`second` cannot be launched: its parameters have 4 bytes, not 0"},
        {{"second", {}, {2048, 1, 1}, std::vector<std::byte>(4)},
         "`second` cannot be launched: a CTA has 1 to 1024 threads, not 2048x1x1"},
        {{"second", {0, 1, 1}, {32, 1, 1}, std::vector<std::byte>(4)},
         "`second` cannot be launched: a grid of 0x1x1 has no CTA"}};
    for (const auto& [launch, why] : wrong)
        CHECK(words(run(*loaded.executable, memory, launch)) == std::string("TM0702 ") + why);
}

TEST_CASE("a register may look like a number of another range") {
    std::vector<std::uint32_t> in(1), out(1);
    Program program(
        kernel(".reg .b32 q<20>; .reg .b32 q1<5>; .reg .b64 z;\n"
               "mov.u32 q13, 1; mov.u32 q2, 2; mov.u32 q1, 4; add.u32 q13, q13, q2; add.u32 q13, q13, q1;\n"
               "st.global.u32 [%out], q13; ret;"));
    const Outcome outcome = program.run({{1, 1, 1}}, in, out);
    CHECK_MESSAGE(!outcome.fault, words(outcome));
    CHECK(out[0] == 7);
}
