// Items: targets, constants, kernels, functions, tests, and the programs of the language reference.
#include "helpers.hpp"

#include "base/file.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

TEST_SUITE_BEGIN("grammar");

TEST_CASE("targets and constants") {
    CHECK(item<ast::Target>("target sm_103a;").name.text == "sm_103a");
    CHECK(item<ast::Const>("const W = 8;").name.text == "W");
    CHECK(module_of("").items.empty());
    CHECK(mistakes("target ;") == Lines{"1:8 TM0101 expected a name, found `;`"});
    CHECK(mistakes("const W = 8") == Lines{"1:12 TM0101 expected `;`, found end of file"});
    CHECK(mistakes("const = 8;") == Lines{"1:7 TM0101 expected a name, found `=`"});
}

TEST_CASE("a kernel has parameters, clauses in any order and a block") {
    const auto kernel = item<ast::Kernel>("kernel k(in A: f16[M, 8] pitch P align 16, inout B: u8[4], M: u32)"
                                          " cta_group 2 warpgroups(2) grid(M/128, 2, 3) { sync; }");
    REQUIRE(kernel.parameters.size() == 3);
    const auto& tensor = std::get<ast::TensorParameter>(kernel.parameters[0].node);
    CHECK(tensor.direction.text == "in");
    REQUIRE(tensor.attributes.size() == 2);
    CHECK(tensor.attributes[0].kind == ast::Attribute::Kind::pitch);
    CHECK(tensor.attributes[1].kind == ast::Attribute::Kind::align);
    CHECK(std::get<ast::TensorParameter>(kernel.parameters[1].node).direction.text == "inout");
    CHECK(std::get<ast::ScalarParameter>(kernel.parameters[2].node).dtype.text == "u32");
    REQUIRE(kernel.clauses.size() == 3);
    CHECK(kernel.clauses[0].word.text == "cta_group");
    CHECK(kernel.clauses[0].values.size() == 1);
    CHECK(kernel.clauses[1].word.text == "warpgroups");
    CHECK(kernel.clauses[2].values.size() == 3);
    CHECK(kernel.body.statements.size() == 1);
}

TEST_CASE("heads of kernels stop where they must") {
    CHECK(mistakes("kernel (in A: f16[8]) { }") == Lines{"1:8 TM0101 expected a name, found `(`"});
    CHECK(mistakes("kernel k { }") == Lines{"1:10 TM0101 expected `(`, found `{`"});
    CHECK(mistakes("kernel k(A) { }") == Lines{"1:11 TM0101 expected `:`, found `)`"});
    CHECK(mistakes("kernel k(in A: f16) { }") == Lines{"1:19 TM0101 expected `[`, found `)`"});
    CHECK(mistakes("kernel k(A: f16[8]) { }") == Lines{"1:16 TM0101 expected `,` or `)`, found `[`"});
    CHECK(mistakes("kernel k(tmem T: f16[8]) { }") ==
          Lines{"1:10 TM0101 expected a parameter, found `tmem`"});
    CHECK(mistakes("kernel k(in A: f16[8],) { }") == Lines{"1:23 TM0101 expected a parameter, found `)`"});
    CHECK(mistakes("kernel k() grid 3 { }") == Lines{"1:17 TM0101 expected `(`, found `3`"});
    CHECK(mistakes("kernel k() warpgroups(1, 2) { }") == Lines{"1:24 TM0101 expected `)`, found `,`"});
    CHECK(mistakes("kernel k() grd(3) { }") == Lines{"1:12 TM0101 expected `{`, found `grd`"});
    CHECK(mistakes("kernel k();") == Lines{"1:11 TM0101 expected `{`, found `;`"});
}

TEST_CASE("a function also takes tensor memory and fragments") {
    const auto function = item<ast::Function>(
        "function f(tmem T: f32[128, 8] datapath D unpacked, out tmem U: f32[64, 8] sub_slab 1,"
        " in frag X: f32[128, 8] atom 16x256b, in A: f16[8], s: f32) { }");
    REQUIRE(function.parameters.size() == 5);
    const auto& plain = std::get<ast::TmemParameter>(function.parameters[0].node);
    CHECK_FALSE(plain.direction.has_value());
    CHECK(plain.object.attributes.size() == 2);
    CHECK(std::get<ast::TmemParameter>(function.parameters[1].node).direction.value().text == "out");
    const auto& frag = std::get<ast::FragParameter>(function.parameters[2].node);
    CHECK(frag.direction.text == "in");
    CHECK(frag.object.name.text == "X");
    CHECK(std::holds_alternative<ast::TensorParameter>(function.parameters[3].node));
    CHECK(std::holds_alternative<ast::ScalarParameter>(function.parameters[4].node));
    CHECK(mistakes("function f(frag X: f32[8]) { }") ==
          Lines{"1:12 TM0101 expected a parameter, found `frag`"});
    CHECK(mistakes("function f(tmem T: f32[8] at 3) { }") ==
          Lines{"1:27 TM0101 expected `,` or `)`, found `at`"});
    CHECK(mistakes("function f() grid(1) { }") == Lines{"1:14 TM0101 expected `{`, found `grid`"});
}

TEST_CASE("generators and expectations of tests") {
    using Call = ast::GeneratorCall;
    const auto generator = [](const std::string& text) {
        return test_statement<ast::Given>("A = " + text + ";").generator;
    };
    const auto call = [&](const std::string& text) { return std::get<Call>(generator(text).node); };
    CHECK(call("iota").name.text == "iota");
    CHECK(std::holds_alternative<std::monostate>(call("iota").argument.node));
    CHECK(call("random(seed: 1)").label.value().text == "seed");
    CHECK(std::get<ast::String>(call("npy(\"a.npy\")").argument.node).text == "a.npy");
    CHECK(std::get<ast::Number>(call("full(-2.5)").argument.node).negative);
    CHECK(std::holds_alternative<ast::Float>(std::get<ast::Number>(generator("2.0").node).magnitude.node));
    CHECK(std::get<ast::Number>(generator("-3").node).negative);
    CHECK(test_statement<ast::Run>("run k;").kernel.text == "k");
    CHECK(test_statement<ast::ExpectOutcome>("expect fault TM0703;").code.text == "TM0703");
    CHECK(test_statement<ast::ExpectOutcome>("expect error TM0301;").outcome.text == "error");
    CHECK(test_statement<ast::ExpectValue>("expect fault == error;").tensor.text == "fault");
    const auto value =
        test_statement<ast::ExpectValue>("expect B[r, c] ~= A[c, r] + rtol rtol 1e-3 atol -1;");
    CHECK(value.indices.size() == 2);
    CHECK(value.comparison == "~=");
    CHECK(value.value.rest.size() == 1);
    CHECK(value.rtol.has_value());
    CHECK(value.atol.value().negative);
}

TEST_CASE("tests stop where they must") {
    CHECK(mistakes("test x { }") == Lines{"1:6 TM0101 expected a string, found `x`"});
    CHECK(mistakes(in_test("A = ;")) == Lines{"2:5 TM0101 expected a number or a generator, found `;`"});
    CHECK(mistakes(in_test("A = full();")) == Lines{"2:10 TM0101 expected a number or a string, found `)`"});
    CHECK(mistakes(in_test("A = random(seed 1);")) == Lines{"2:17 TM0101 expected `:`, found `1`"});
    CHECK(mistakes(in_test("A = - x;")) == Lines{"2:5 TM0101 expected a number or a generator, found `-`"});
    CHECK(mistakes(in_test("run;")) == Lines{"2:4 TM0101 expected a name, found `;`"});
    CHECK(mistakes(in_test("expect B = A;")) == Lines{"2:10 TM0101 expected `==` or `~=`, found `=`"});
    CHECK(mistakes(in_test("expect B[0] == A;")) == Lines{"2:10 TM0101 expected a name, found `0`"});
    CHECK(mistakes(in_test("expect B == A rtol x;")) == Lines{"2:20 TM0101 expected a number, found `x`"});
    CHECK(mistakes(in_test("copy B <- A;")) == Lines{"2:1 TM0101 expected a test statement, found `copy`"});
    CHECK(mistakes(in_test("B;")) == Lines{"2:1 TM0101 expected a test statement, found `B`"});
}

TEST_CASE("stray text between items is one mistake a statement or block") {
    CHECK(mistakes("foo bar; fob;\nbaz { }\nconst W = 8;\n") ==
          Lines{"1:1 TM0101 expected an item, found `foo`", "2:1 TM0101 expected an item, found `baz`"});
    CHECK(mistakes("kernel k() { }}\nsync; sync;\n") == Lines{"1:15 TM0101 expected an item, found `}`"});
    CHECK(mistake("kernal k() { }").helps == Lines{"did you mean `kernel`?"});
}

TEST_CASE("the programs of the language reference") {
    for (const std::string name : {"roundtrip", "functions"}) {
        CAPTURE(name);
        std::string error;
        const auto text = base::read_file("data/grammar/" + name + ".tmx", error);
        REQUIRE_MESSAGE(text.has_value(), error);
        const ast::Module module = module_of(*text);
        CHECK(module.items.size() == (name == "roundtrip" ? 3 : 2));
        CHECK(module_of(print(module)) == module);
    }
}

TEST_SUITE_END();
