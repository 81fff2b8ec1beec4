// Names, parameters and comments: what of the program's own text appears in the PTX.
#include "lines.hpp"

#include "lower/names.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;

TEST_CASE("objects of one name have registers of their own") {
    Program p;
    for (const char* name : {"X", "X", "X_2", "pm0", "X_2_2"})
        p.fragment(name, base::Dtype::f32, row_per_thread(2, 32));
    p.tensor("X", base::Dtype::f32, 128, 2);
    const LowerResult result = p.lowered();
    std::set<std::string> all;
    for (const auto& names : result.trace.kernels[0].registers) all.insert(names.begin(), names.end());
    CHECK(all.size() == 10);
    CHECK(result.trace.kernels[0].registers[0][1] == "%X_1");
    CHECK(result.trace.kernels[0].registers[1][1] == "%X_2_1");
    CHECK(result.trace.kernels[0].registers[2][1] == "%X_2_2_1");
    CHECK(result.trace.kernels[0].registers[4][1] == "%X_2_2_2_1");
}

TEST_CASE("parameters keep their order; scalars go by value, narrow floats as bits") {
    Program p;
    p.tensor("A", base::Dtype::f32, 128, 4);
    const auto scalar = [&](const char* name, base::Dtype dtype) {
        p.kernel().parameters.emplace_back(sema::Scalar{name, dtype, {}});
    };
    scalar("f", base::Dtype::f32);
    scalar("h", base::Dtype::f16);
    scalar("t", base::Dtype::tf32);
    scalar("e", base::Dtype::f8e4m3);
    scalar("u", base::Dtype::u8);
    scalar("s", base::Dtype::s16);
    scalar("b", base::Dtype::b32);
    p.tensor("B", base::Dtype::u8, 1, 4);
    std::string types;
    const LowerResult result = p.lowered();
    for (const ptx::Parameter& each : result.module.functions[0].parameters)
        types += each.type + " " + each.name + ", ";
    CHECK(types == "u64 A, f32 f, b16 h, b32 t, b8 e, u8 u, s16 s, b32 b, u64 B, ");
    check_assembles(p);
}

TEST_CASE("comments are the source's line in ASCII") {
    Program p;
    const std::size_t a = p.tensor("A", base::Dtype::f32, 128, 1);
    const std::size_t x = p.fragment("X", base::Dtype::f32, row_per_thread(1, 32));
    p.load(x, a);
    p.text = "\t copy X <- A; // \xC3\xA9t\xC3\xA9 \\\n";
    p.kernel().statements[0].span = {2, 14};
    p.kernel().statements[0].iteration = "c = 3";
    CHECK(extent_text(p.lowered(), 0).substr(0, 46) == "// k.tmx:1: copy X <- A; // ?t? \\ [c = 3]\nld.g");
    check_assembles(p);
}

TEST_CASE("names that PTX keeps are refused where they stand") {
    Program p;
    p.kernel().name = "WARP_SZ";
    p.kernel().span = {1, 2};
    p.tensor("_", base::Dtype::f32, 128, 1);
    const LowerResult result = p.lowered();
    REQUIRE(result.diagnostics.list.size() == 2);
    CHECK(result.diagnostics.list[0].kind->code == "TM0280");
    CHECK(result.diagnostics.list[0].span == base::Span{1, 2});
    CHECK(result.diagnostics.list[1].message ==
          "PTX keeps the name `_` for itself, and kernels and their parameters appear in it");
}

TEST_CASE("single registers and ranges never meet") {
    Names names;
    CHECK(names.range("A_ptr") == "%A_ptr_");
    CHECK(names.single("A_ptr") == "%A_ptr");
    CHECK(names.single("A_ptr") == "%A_ptr$2");
    CHECK(names.single("A_ptr_7") == "%A_ptr_7$2"); // 7 is one of the range
    CHECK(names.single("laneid") == "%laneid$2");   // a special register
    CHECK(names.single("pm3") == "%pm3$2");
    CHECK(names.range("pm3") == "%pm3_2_"); // %pm3_64 is one
    CHECK(names.range("laneid") == "%laneid_");
}
