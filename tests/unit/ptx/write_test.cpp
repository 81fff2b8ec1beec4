// The writer's text, byte for byte.
#include "ptx/write.hpp"

#include <doctest/doctest.h>

using namespace tmemc::ptx;

namespace {

Module sample() {
    Module module;
    module.version = {8, 8};
    module.variables = {{"global", 16, "b8", "table", {64}}};
    Function k;
    k.name = "k";
    k.parameters = {{"u64", "A", 0, std::nullopt}, {"b8", "block", 8, 16}};
    k.required_threads = {128, 1, 1};
    k.max_registers = 56;
    k.body = {
        RegisterDeclaration{"b32", "%X_", 4},
        RegisterDeclaration{"pred", "%p", 0},
        Variable{"shared", 4, "b32", "$slot", {}},
        BlankLine{},
        Comment{"k.tmx:1: x;"},
        Location{1, 2, 3},
        Pragma{"nounroll"},
        Label{"$L"},
        Instruction{Guard{"%p", true}, "bra", {Symbol{"$L"}}},
        Instruction{std::nullopt, "ld.b32", {Register{"%X_0"}, Address{Register{"%a"}, 0x100004}}},
        Instruction{std::nullopt, "ld.b32", {Sink{}, Address{Symbol{"A"}, -16}}},
        Instruction{
            std::nullopt,
            "st.v2",
            {Address{Immediate{64, Immediate::Form::integer}, 4},
             Vector{{Register{"%X_0"}, Immediate{1, Immediate::Form::integer}, Symbol{"s"}, Sink{}}}}},
        Instruction{std::nullopt,
                    "mov",
                    {Immediate{0xFFFFFFFFFFFFFFFE, Immediate::Form::integer},
                     Immediate{0x3F800000, Immediate::Form::f32_bits},
                     Immediate{0x3FF0000000000000, Immediate::Form::f64_bits},
                     Immediate{65535, Immediate::Form::integer}, Immediate{65536, Immediate::Form::integer}}},
        Instruction{std::nullopt, "ret", {}}};
    Function helper;
    helper.name = "helper";
    helper.entry = false;
    helper.linkage = Linkage::none;
    helper.required_threads = {32, 2, 4};
    module.functions = {k, helper};
    return module;
}

constexpr const char* head = R"(.version 8.8
.target sm_100a
.address_size 64

.global .align 16 .b8 table[64];

.visible .entry k(
    .param .u64 A,
    .param .align 8 .b8 block[16]
)
.reqntid 128
.maxnreg 56
{
    .reg .b32 %X_<4>;
    .reg .pred %p;
    .shared .align 4 .b32 $slot;
)";
constexpr const char* tail = R"(    .loc 1 2 3
    .pragma "nounroll";
$L:
    @!%p bra $L;
    ld.b32 %X_0, [%a+0x100004];
    ld.b32 _, [A+-16];
    st.v2 [64+4], {%X_0, 1, s, _};
    mov -2, 0f3F800000, 0d3FF0000000000000, 65535, 0x10000;
    ret;
}

.func helper()
.reqntid 32, 2, 4
{
}
)";

} // namespace

TEST_CASE("a module is written statement by statement") {
    CHECK(write(sample()).text == std::string(head) + "\n    // k.tmx:1: x;\n" + tail);
}

TEST_CASE("without comments the rest stays as it was") {
    CHECK(write(sample(), {false}).text == std::string(head) + tail);
}

TEST_CASE("without locations .loc and .file are left out, and nothing else") {
    Module module = sample();
    module.files = {{1, "k.tmx", 1, 1}};
    const std::string with = write(module).text, without = write(module, {true, false}).text;
    std::string wanted;
    int left_out = 0;
    for (std::size_t at = 0; at < with.size();) {
        const std::size_t end = with.find('\n', at) + 1;
        const std::string line = with.substr(at, end - at);
        const bool location = line.find(".loc ") != std::string::npos || line.find(".file ") == 0;
        left_out += location ? 1 : 0;
        if (!location) wanted += line;
        at = end;
    }
    CHECK(left_out == 2);
    CHECK(without == wanted);
}

TEST_CASE("the line of each statement is known, with and without comments") {
    for (const bool comments : {true, false}) {
        CAPTURE(comments);
        const Written written = write(sample(), {comments});
        REQUIRE(written.lines.size() == 2);
        CHECK(written.lines[1].empty());
        const std::vector<std::uint32_t>& lines = written.lines[0];
        REQUIRE(lines.size() == sample().functions[0].body.size());
        const auto text_of = [&](std::uint32_t line) {
            std::size_t begin = 0;
            for (std::uint32_t i = 1; i < line; ++i) begin = written.text.find('\n', begin) + 1;
            return written.text.substr(begin, written.text.find('\n', begin) - begin);
        };
        CHECK(text_of(lines[0]) == "    .reg .b32 %X_<4>;");
        CHECK(text_of(lines[4]) == (comments ? "    // k.tmx:1: x;" : "    .loc 1 2 3"));
        CHECK(text_of(lines[7]) == "$L:");
        CHECK(text_of(lines[13]) == "    ret;");
    }
}
