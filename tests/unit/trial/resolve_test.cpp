// Mistakes in expectations: each is reported, once, with a way out.
#include "bench.hpp"
#include "trial/expect.hpp"

using namespace tmemc;
using base::Dtype;

namespace {

/// The diagnostics of one expectation, as text.
std::string mistakes(const std::string& expectation) {
    const auto test = testing::tests_of("test \"t\" { expect " + expectation + "; }").front();
    trial::Scope scope{{}, {{"WIDTH", 8}}};
    scope.parameters = {{"Alpha", {"Alpha", Dtype::f32, {4, 6}, true, false}},
                        {"B", {"B", Dtype::f32, {4, 6}, false, true}},
                        {"I", {"I", Dtype::s32, {4, 6}, true, false}},
                        {"Narrow", {"Narrow", Dtype::f32, {4, 5}, true, false}},
                        {"V", {"V", Dtype::f32, {4}, true, false}},
                        {"x", {"x", Dtype::f32, {}, true, false}},
                        {"n", {"n", Dtype::u32, {}, true, false}}};
    trial::Verdict verdict;
    (void)bind_expectation(std::get<grammar::ast::ExpectValue>(test.statements.front().node), scope,
                           verdict.diagnostics);
    const std::string text = testing::told(verdict);
    return text == "passed" ? text : text.substr(text.find('\n') + 1);
}

} // namespace

TEST_CASE("names that nothing has") {
    CHECK(mistakes("B == Alpah") ==
          "TM0272: no parameter, index or constant is called `Alpah`\n  help: did you mean `Alpha`?");
    CHECK(mistakes("B[row, c] == Alpha[rwo, c]") ==
          "TM0272: no parameter, index or constant is called `rwo`\n  help: did you mean `row`?");
    CHECK(mistakes("B == WIDHT") ==
          "TM0272: no parameter, index or constant is called `WIDHT`\n  help: did you mean `WIDTH`?");
    CHECK(mistakes("B[r, c] == Beta[r, c]")
              .starts_with("TM0272: no parameter, index or constant is called `Beta`"));
    CHECK(mistakes("B[r, c] == Alpha[cta.x, c]")
              .starts_with("TM0272: no parameter, index or constant is called `cta.x`"));
    CHECK(mistakes("B == sqr(Alpha)") == "TM0272: no function is called `sqr`\n  help: did you mean `sqrt`?");
    CHECK(mistakes("Beta == Alpha")
              .starts_with("TM0272: no parameter of the kernels run so far is called `Beta`"));
    CHECK(mistakes("x == 1.0") ==
          "TM0263: `x` is a scalar, which takes no expectation: a kernel cannot change it");
}

TEST_CASE("indices that do not fit") {
    CHECK(mistakes("B[r] == 1") == "TM0271: `B` has 2 dimensions, but 1 index here");
    CHECK(mistakes("B[r, c] == V[r, c]") == "TM0271: `V` has 1 dimension, but 2 indices here");
    CHECK(mistakes("B[r, r] == 1") == "TM0275: `r` names two indices of `B`");
    CHECK(mistakes("B[r, c] == Alpha[r, :]") ==
          "TM0274: an index of `Alpha` is an integer, but here stands a slice");
    CHECK(mistakes("B[r, c] == Alpha[0 +: 2, c]") ==
          "TM0274: an index of `Alpha` is an integer, but here stands a slice");
    CHECK(mistakes("B[r, c] == Alpha[x, c]") ==
          "TM0274: an index of `Alpha` is an integer, but here stands a floating value");
    CHECK(mistakes("B[r, c] == Alpha[I, c]") ==
          "TM0274: an index of `Alpha` is an integer, but here stands a tensor");
    CHECK(mistakes("B[r, c] == Alpha[n, c]") == "passed");
    CHECK(mistakes("B[r, c] == x[r]") == "TM0271: `x` has 0 dimensions, but 1 index here");
}

TEST_CASE("elements that do not pair") {
    CHECK(mistakes("B == Narrow") == "TM0273: elements of [4, 5] do not pair with elements of [4, 6]\n"
                                     "  help: name the indices: expect B[r, c] == ...[r, c];");
    CHECK(mistakes("B == Alpha + Narrow")
              .starts_with("TM0273: elements of [4, 5] do not pair with elements of [4, 6]"));
    CHECK(mistakes("B == Alpha * V") ==
          "TM0273: elements of [4] do not pair with elements of [4, 6]\n  help: `rows(v)` "
          "spreads one element per row over the columns, `cols(v)` one per column over the "
          "rows");
    CHECK(mistakes("B == cols(V)")
              .starts_with("TM0273: elements of [any, 4] do not pair with elements of [4, 6]"));
    CHECK(mistakes("B == rows(V) + cols(V)").starts_with("TM0273: elements of [4, 4] do not pair"));
    CHECK(mistakes("B == rows(Alpha)") ==
          "TM0263: `rows` is a function, which takes elements in one dimension, not elements of [4, 6]");
    CHECK(mistakes("V == row_max(x)") ==
          "TM0263: `row_max` is a function, which takes elements in two dimensions, not a single number");
    CHECK(
        mistakes("V == row_max(rows(V))") ==
        "TM0263: `row_max` is a function, which takes elements in two dimensions, not elements of [4, any]");
    CHECK(mistakes("V[r] == row_max(Alpha + r)") ==
          "TM0263: `r` is a left-side index, which takes no part in the reduction of a row");
}

TEST_CASE("operators and functions with the wrong operands") {
    CHECK(mistakes("B == Alpha % 2") ==
          "TM0274: an operand of `%` is an integer, but here stands a floating value");
    CHECK(mistakes("B == cast<s32>(Alpha) % 2") == "passed");
    CHECK(mistakes("B == cast<f32>(I) % 2").starts_with("TM0274"));
    CHECK(mistakes("B == sqrt(4) % 2").starts_with("TM0274"));
    CHECK(mistakes("B == max(Alpha)") == "TM0270: `max` takes 2 arguments, not 1");
    CHECK(mistakes("B == exp2(Alpha, 1)") == "TM0270: `exp2` takes 1 argument, not 2");
    CHECK(mistakes("B == rows(V, V)") == "TM0270: `rows` takes 1 argument, not 2");
    CHECK(mistakes("B == 99999999999999999999") ==
          "TM0278: `99999999999999999999` does not fit a 64-bit integer or a double");
    CHECK(mistakes("B == 1e999") == "TM0278: `1e999` does not fit a 64-bit integer or a double");
}

TEST_CASE("tolerances stand where they mean something") {
    CHECK(mistakes("B ~= Alpha") ==
          "TM0277: `~=` needs `rtol` or `atol`\n  help: say how near: expect B ~= A rtol 1e-3 atol 1e-5;");
    CHECK(mistakes("B == Alpha rtol 1e-3 atol 1") ==
          "TM0276: `==` compares bits and has no use for `rtol`\n  help: `~=` compares within tolerances\n"
          "TM0276: `==` compares bits and has no use for `atol`\n  help: `~=` compares within tolerances");
    CHECK(mistakes("B ~= Alpha rtol -1e-3") ==
          "TM0278: `-0.001` does not fit a tolerance, which is not negative");
    CHECK(mistakes("B ~= Alpha atol 0") == "passed");
}

TEST_CASE("several mistakes are all reported, and none twice") {
    CHECK(mistakes("B == foo + bar * max(1)") == "TM0272: no parameter, index or constant is called `foo`\n  "
                                                 "help: there are Alpha, B, I, Narrow, V, n, x, WIDTH\n"
                                                 "TM0272: no parameter, index or constant is called `bar`\n  "
                                                 "help: there are Alpha, B, I, Narrow, V, n, x, WIDTH\n"
                                                 "TM0270: `max` takes 2 arguments, not 1");
    CHECK(mistakes("B == Narrow + Alpha + 1").find("TM0273", 10) == std::string::npos);
}
