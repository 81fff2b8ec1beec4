// The reader on hand-written PTX: kernels by people, and every kind of mistake with its place.
#include "base/file.hpp"
#include "ptx/read.hpp"
#include "ptx/write.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <map>

using namespace tmemc;
using namespace tmemc::ptx;

namespace {

ReadResult read_text(const std::string& text) { return read(base::Source("t.ptx", text)); }

/// The statements of a kernel whose body is `body`.
std::vector<Statement> body_of(const std::string& body) {
    const ReadResult result = read_text(
        ".version 8.8\n.target sm_100a\n.address_size 64\n.visible .entry k()\n{\n" + body + "\n}\n");
    for (const base::Diagnostic& each : result.diagnostics.list) FAIL_CHECK(each.message);
    REQUIRE(result.module.functions.size() == 1);
    return result.module.functions[0].body;
}

struct Mistake {
    std::string code, text, message;
    std::uint32_t line;
};
/// The diagnostics of a module whose body is `body`; line 1 is the body's first.
std::vector<Mistake> mistakes(const std::string& body) {
    const base::Source source("t.ptx",
                              ".version 8.8 .target sm_100a .address_size 64 .entry k() {" + body + "}");
    std::vector<Mistake> found;
    for (const base::Diagnostic& each : read(source).diagnostics.list)
        found.push_back({std::string(each.kind->code), std::string(source.text(each.span)), each.message,
                         source.position(each.span.begin).line});
    return found;
}

template <class Part>
int count(const Function& function) {
    int total = 0;
    for (const Statement& each : function.body) total += std::holds_alternative<Part>(each) ? 1 : 0;
    return total;
}

} // namespace

TEST_CASE("every kernel of the hand-written corpus reads, and reads the same after writing") {
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator("data/floor")) {
        CAPTURE(entry.path().string());
        std::string error;
        const std::optional<std::string> text = base::read_file(entry.path().string(), error);
        REQUIRE_MESSAGE(text, error);
        const ReadResult first = read(base::Source(entry.path().string(), *text));
        REQUIRE(first.diagnostics.list.empty());
        REQUIRE(first.module.functions.size() == 1);
        CHECK(first.module.functions[0].required_threads == std::array<std::uint32_t, 3>{128, 1, 1});
        CHECK(count<Instruction>(first.module.functions[0]) > 20);
        const ReadResult again = read_text(write(first.module).text);
        CHECK(again.diagnostics.list.empty());
        CHECK(again.module == first.module);
        ++files;
    }
    CHECK(files == 6);
}

TEST_CASE("what nvcc writes reads, for every architecture kept, and reads the same after writing") {
    std::map<std::string, int> statements;
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator("data/cuda")) {
        if (entry.path().extension() != ".ptx") continue;
        CAPTURE(entry.path().string());
        std::string error;
        const std::optional<std::string> text = base::read_file(entry.path().string(), error);
        REQUIRE_MESSAGE(text, error);
        const ReadResult first = read(base::Source(entry.path().string(), *text));
        for (const base::Diagnostic& each : first.diagnostics.list) FAIL_CHECK(each.message);
        const Written written = write(first.module);
        const ReadResult again = read_text(written.text);
        CHECK(again.diagnostics.list.empty());
        CHECK(again.module == first.module);
        CHECK(again.lines == written.lines);
        for (const Function& function : first.module.functions) {
            statements["scope"] += count<ScopeBegin>(function);
            statements["targets"] += count<Targets>(function);
            statements["prototype"] += count<Prototype>(function);
            statements["location"] += count<Location>(function);
            statements["call"] += function.results.empty() ? 0 : 1;
        }
        for (const Variable& variable : first.module.variables)
            ++statements[variable.values.empty() ? "variable" : "initialised variable"];
        ++files;
    }
    CHECK(files >= 25);
    for (const auto& entry : statements) CHECK_MESSAGE(entry.second > 0, entry.first);
    CHECK(statements.size() == 7);
}

TEST_CASE("a name is a register when it is declared as one") {
    const std::vector<Statement> body = body_of(".reg .b32 r<600>, one; .reg .b64 r1<4>; .reg .pred p,q;\n"
                                                ".shared .align 4 .b32 s;\n"
                                                "mov.u32 r599, s;\n"
                                                "mov.u32 one, %tid.x;\n"
                                                "mov.u64 r13, r600;\n"
                                                "@!p bra L1;\nL1:");
    REQUIRE(body.size() == 11);
    CHECK(body[0] == Statement{RegisterDeclaration{"b32", "r", 600}});
    CHECK(body[1] == Statement{RegisterDeclaration{"b32", "one", 0}});
    CHECK(body[2] == Statement{RegisterDeclaration{"b64", "r1", 4}});
    CHECK(body[5] == Statement{Variable{"shared", 4, "b32", "s", {}}});
    CHECK(body[6] == Statement{Instruction{std::nullopt, "mov.u32", {Register{"r599"}, Symbol{"s"}}}});
    CHECK(body[7] == Statement{Instruction{std::nullopt, "mov.u32", {Register{"one"}, Register{"%tid.x"}}}});
    CHECK(body[8] == Statement{Instruction{std::nullopt, "mov.u64", {Register{"r13"}, Symbol{"r600"}}}});
    CHECK(body[9] == Statement{Instruction{Guard{"p", true}, "bra", {Symbol{"L1"}}}});
    CHECK(body[10] == Statement{Label{"L1"}});
}

TEST_CASE("an opcode keeps its dots and double colons, a label its lone colon") {
    const std::vector<Statement> body = body_of(
        "L: tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r7],32;tcgen05.wait::ld.sync.aligned;");
    REQUIRE(body.size() == 3);
    CHECK(body[0] == Statement{Label{"L"}});
    CHECK(std::get<Instruction>(body[1]).name == "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32");
    CHECK(std::get<Instruction>(body[2]).operands.empty());
}

TEST_CASE("constants are read in every form of the manual") {
    using Form = Immediate::Form;
    const std::vector<std::pair<std::string, Immediate>> forms = {
        {"10", {10, Form::integer}},
        {"0", {0, Form::integer}},
        {"0x1F", {31, Form::integer}},
        {"0x1EU", {30, Form::integer}},
        {"017", {15, Form::integer}},
        {"0b101", {5, Form::integer}},
        {"7U", {7, Form::integer}},
        {"-1", {0xFFFFFFFFFFFFFFFF, Form::integer}},
        {"18446744073709551615", {0xFFFFFFFFFFFFFFFF, Form::integer}},
        {"0f3F800000", {0x3F800000, Form::f32_bits}},
        {"-0F3f800000", {0xBF800000, Form::f32_bits}},
        {"0d3FF0000000000000", {0x3FF0000000000000, Form::f64_bits}},
        {"1.0", {0x3FF0000000000000, Form::f64_bits}},
        {"1.5e1", {0x402E000000000000, Form::f64_bits}},
        {"-2e-1", {0xBFC999999999999A, Form::f64_bits}},
    };
    for (const auto& form : forms) {
        const std::string& text = form.first;
        const Immediate& value = form.second;
        CAPTURE(text);
        const std::vector<Statement> body = body_of("mov.b64 %a, " + text + ";");
        REQUIRE(body.size() == 1);
        CHECK(std::get<Instruction>(body[0]).operands.at(1) == Operand{value});
    }
    for (const std::string wrong :
         {"08", "0x", "0xG", "0f3F8", "0d1", "0b2", "1x", "18446744073709551616", "1.5q"}) {
        CAPTURE(wrong);
        const std::vector<Mistake> found = mistakes("mov.b64 %a, " + wrong + ";");
        REQUIRE(found.size() == 1);
        CHECK(found[0].code == "TM0712");
        CHECK(found[0].text == wrong);
    }
}

TEST_CASE("addresses have a base and a constant offset") {
    const std::vector<Statement> body =
        body_of("ld.b32 %a, [%r2+0];ld.b32 %a,[ %r2 + 0x100004 ];ld.b32 %a, [%r2+-16];"
                "ld.b32 %a,[in+4];ld.b32 %a,[0x1E+2];");
    const auto place = [&](std::size_t i) {
        return std::get<Address>(std::get<Instruction>(body.at(i)).operands.at(1));
    };
    CHECK(place(0) == Address{Register{"%r2"}, 0});
    CHECK(place(1) == Address{Register{"%r2"}, 0x100004});
    CHECK(place(2) == Address{Register{"%r2"}, -16});
    CHECK(place(3) == Address{Symbol{"in"}, 4});
    CHECK(place(4) == Address{Immediate{30, Immediate::Form::integer}, 2});
}

TEST_CASE("comments, line breaks and a missing list of parameters do not matter") {
    const ReadResult result = read_text(
        "/* a\n b */ .version 9.0 // x\n.target sm_110f\r\n.address_size 64\n"
        ".global .align 16 .b8 table[64];\n"
        ".entry first .maxnreg 56 .reqntid 128, 2, 3 { ret ; }\n"
        ".func second(.param .align 8 .b8 a[16], .param .f32 b) { .loc 1 2 3\n .pragma \"nounroll\"; }");
    CHECK(result.diagnostics.list.empty());
    CHECK(result.module.version == Version{9, 0});
    CHECK(result.module.target == "sm_110f");
    CHECK(result.module.variables == std::vector<Variable>{{"global", 16, "b8", "table", {64}}});
    REQUIRE(result.module.functions.size() == 2);
    const Function& first = result.module.functions[0];
    CHECK(first.linkage == Linkage::none);
    CHECK(first.max_registers == 56U);
    CHECK(first.required_threads == std::array<std::uint32_t, 3>{128, 2, 3});
    const Function& second = result.module.functions[1];
    CHECK_FALSE(second.entry);
    CHECK(second.parameters == std::vector<Parameter>{{"b8", "a", 8, 16}, {"f32", "b", 0, std::nullopt}});
    CHECK(second.body == std::vector<Statement>{Location{1, 2, 3}, Pragma{"nounroll"}});
}

TEST_CASE("every statement has its line and its text") {
    const base::Source source("t.ptx", ".version 8.8\n.target sm_100a\n.entry k() {\n .reg .b32 a,\n b;\n"
                                       "L:\n @%p mov.b32\n  a, b; ret;\n}\n");
    const ReadResult result = read(source);
    REQUIRE(result.diagnostics.list.empty());
    REQUIRE(result.lines.size() == 1);
    CHECK(result.lines[0] == std::vector<std::uint32_t>{4, 4, 6, 7, 8});
    CHECK(source.text(result.spans.at(0).at(3)) == "@%p mov.b32\n  a, b");
    CHECK(source.text(result.spans.at(0).at(4)) == "ret");
}

TEST_CASE("each mistake is named with its place, and the next statement is read again") {
    const std::vector<Mistake> found =
        mistakes("\n mov.b32 %a %b;\n ld.b32 {%a, %b, [%c];\n .regs .b32 x;\n ret;\n"
                 " ld.b32 %a, [%b-4];\n mov.b32 %a, ;\n @ ret;\n #\n .reg .b32 r<99999999999>;\n"
                 " .reg b32 r;\n mov.b32 %a, (1<<);\n");
    REQUIRE(found.size() == 10);
    const auto is = [&](std::size_t i, const char* code, const char* text, std::uint32_t line) {
        CAPTURE(i);
        CHECK(found[i].code == code);
        CHECK(found[i].text == text);
        CHECK(found[i].line == line);
    };
    is(0, "TM0710", "#", 9); // the tokenizer goes first
    is(1, "TM0710", "%b", 2);
    is(2, "TM0710", "[", 3);
    is(3, "TM0711", ".regs", 4);
    is(4, "TM0710", "-", 6);
    is(5, "TM0710", ";", 7);
    is(6, "TM0710", ";", 8);
    is(7, "TM0714", "99999999999", 10);
    is(8, "TM0710", "b32", 11);
    is(9, "TM0710", ")", 12);
    CHECK(found[1].message == "expected `,` or `;`, found `%b`");
    CHECK(found[3].message == "`.regs` is not a directive that may stand in a function's body");
    CHECK(found[9].message == "expected a number, found `)`");
}

TEST_CASE("a mistake inside a list does not end the body") {
    CHECK(mistakes("st.v2 [%c], {%a %b}; ret;").size() == 1);
    CHECK(mistakes("ld.v2 {%a %b}, [%c]; ret;").size() == 1);
}

TEST_CASE("mistakes outside of bodies are named too") {
    const std::string head = ".version 8.8\n.target sm_100a\n.address_size 64\n";
    const auto codes = [](const std::string& text) {
        std::vector<std::string> list;
        for (const base::Diagnostic& each : read_text(text).diagnostics.list)
            list.push_back(std::string(each.kind->code) + " " + each.message);
        return list;
    };
    using List = std::vector<std::string>;
    CHECK(codes("") == List{"TM0710 expected `.version`, found the end of the text"});
    CHECK(codes(".version 8\n.target sm_100a") == List{"TM0710 expected a version such as `8.6`, found `8`"});
    CHECK(codes(".version 8.8\n.target sm_100a\n.address_size 32\n") ==
          List{"TM0710 expected `64`, the address size of every target here, found `32`"});
    CHECK(codes(head + "ret;") == List{"TM0710 expected a directive of the module, found `ret`"});
    CHECK(codes(head + ".entri k() { }") ==
          List{"TM0711 `.entri` is not a directive that may stand at this place of a module"});
    CHECK(codes(head + ".entry k() .maxreg 3 { } .entry l() { mov }") ==
          List{"TM0711 `.maxreg` is not a directive that may stand before a function's body",
               "TM0710 expected an operand, found `}`"});
    CHECK(codes(head + ".entry k(.param .u64) { }") ==
          List{"TM0710 expected the parameter's name, found `)`"});
    CHECK(codes(head + ".entry k() { ret;") == List{"TM0710 expected `}`, found the end of the text"});
    CHECK(codes(head + "/* open") == List{"TM0713 this comment does not end; expected `*/`"});
    CHECK(codes(head + ".entry k() { .pragma \"open;\n }") ==
          List{"TM0713 this string does not end; expected `\"`"});
    CHECK(codes(head + ".entry k() { .pragma \"open\n; }") ==
          List{"TM0713 this string does not end; expected `\"`"});
}

TEST_CASE(
    "no beginning of a kernel makes the reader hang, and each is refused but for one without a function") {
    std::string error;
    const std::string text = base::read_file("data/floor/rt_x4_v8.ptx", error).value();
    const std::size_t target = text.find("sm_"), entry = text.find(".visible"), last = text.rfind('}');
    for (std::size_t size = 0; size <= last; ++size)
        if (!read_text(text.substr(0, size)).diagnostics.has_errors()) {
            CAPTURE(size);
            CHECK(size > target);
            CHECK(size <= entry);
        }
}
