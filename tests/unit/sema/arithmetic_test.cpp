// Expressions as steps. The expected lists are written by hand from the language's rules: a step is its name,
// the numbers of its operands, and its dtype.
#include "checking.hpp"

#include "sema/slot_pairs.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

std::string name_of(Step::What what) {
    constexpr const char* names[] = {
        "fragment", "scalar",   "number", "convert",   "negate",       "absolute", "add",
        "subtract", "multiply", "divide", "remainder", "multiply_add", "minimum",  "maximum",
        "exp2",     "log2",     "rcp",    "rsqrt",     "sqrt",         "tanh",     "select"};
    return names[static_cast<std::size_t>(what)];
}

/// The steps of `Y = value;` with fragments X and Y of the given dtypes, H f16, B bf16, I s32, U u8, E
/// f8e4m3.
std::string steps(std::string_view target, std::string_view value) {
    const Checked found =
        checked(fmt::format("const C = 3;\n"
                            "kernel k(alpha: f32, h: f16, n: s32) {{\n"
                            "frag Y: {}[128, 8];\nfrag X: f32[128, 8];\nfrag H: f16[128, 8];\n"
                            "frag B: bf16[128, 8];\nfrag I: s32[128, 8];\nfrag U: u8[128, 8];\n"
                            "frag E: f8e4m3[128, 8];\nY = {};\n}}\n",
                            target, value));
    CHECK_MESSAGE(found.report() == "", value);
    if (found.kernel().statements.empty()) return "nothing";
    std::string text;
    for (const Step& step : std::get<Compute>(found.kernel().statements.at(0).what).steps) {
        text += (text.empty() ? "" : "; ") + name_of(step.what);
        if (step.what == Step::What::fragment)
            text += " " + found.kernel().fragments[step.fragment.object].name;
        if (step.what == Step::What::number) text += fmt::format(" {:x}", step.bits);
        if (!step.comparison.empty()) text += step.comparison;
        for (std::uint32_t k = 0; k < step.count; ++k) text += fmt::format(" {}", step.in[k]);
        text += fmt::format(":{}", base::name(step.dtype));
    }
    return text;
}

} // namespace

TEST_CASE("numbers take the dtype of what they meet") {
    CHECK(steps("f32", "X + 1") == "fragment X:f32; number 3f800000:f32; add 0 1:f32");
    CHECK(steps("f16", "1 - H") == "fragment H:f16; number 3c00:f16; subtract 1 0:f16");
    CHECK(steps("s32", "I * -2") == "fragment I:s32; number fffffffe:s32; multiply 0 1:s32");
    CHECK(steps("f32", "X * (1 + C) / 2") ==
          "fragment X:f32; number 40800000:f32; multiply 0 1:f32; number 40000000:f32; divide 2 3:f32");
    CHECK(steps("f32", "X * (1.0 / 4)") == "fragment X:f32; number 3e800000:f32; multiply 0 1:f32");
    CHECK(steps("f32", "1.0 + 2") == "number 40400000:f32");
    CHECK(steps("s32", "7 / 2") == "number 3:s32");
}

TEST_CASE("a product that is added at once is one fma, on either side, and nothing else is") {
    CHECK(steps("f32", "X * alpha + 1.0") ==
          "fragment X:f32; scalar:f32; number 3f800000:f32; multiply_add 0 1 2:f32");
    CHECK(steps("f32", "alpha + X * X") ==
          "scalar:f32; fragment X:f32; fragment X:f32; multiply_add 1 2 0:f32");
    CHECK(steps("f32", "X * alpha - 1.0") ==
          "fragment X:f32; scalar:f32; multiply 0 1:f32; number 3f800000:f32; subtract 2 3:f32");
    CHECK(steps("s32", "I * n + I") == "fragment I:s32; scalar:s32; fragment I:s32; multiply_add 0 1 2:s32");
    CHECK(steps("f32", "fma(X, alpha, 2)") ==
          "fragment X:f32; scalar:f32; number 40000000:f32; multiply_add 0 1 2:f32");
}

TEST_CASE("arithmetic is f32 unless all operands are f16, or bf16, or integers") {
    CHECK(steps("f16", "H * h") == "fragment H:f16; scalar:f16; multiply 0 1:f16");
    CHECK(steps("bf16", "B + B") == "fragment B:bf16; fragment B:bf16; add 0 1:bf16");
    CHECK(steps("f32", "H + B") ==
          "fragment H:f16; fragment B:bf16; convert 0:f32; convert 1:f32; add 2 3:f32");
    CHECK(steps("f32", "H * alpha") == "fragment H:f16; scalar:f32; convert 0:f32; multiply 2 1:f32");
    CHECK(steps("f32", "E + E") ==
          "fragment E:f8e4m3; fragment E:f8e4m3; convert 0:f32; convert 1:f32; add 2 3:f32");
    CHECK(steps("f32", "I * X") == "fragment I:s32; fragment X:f32; convert 0:f32; multiply 2 1:f32");
    CHECK(steps("s32", "U + I") == "fragment U:u8; fragment I:s32; convert 0:s32; add 2 1:s32");
    CHECK(steps("f32", "-E") == "fragment E:f8e4m3; convert 0:f32; negate 1:f32");
}

TEST_CASE("assignments widen by themselves and narrow by cast") {
    CHECK(steps("f32", "H") == "fragment H:f16; convert 0:f32");
    CHECK(steps("s32", "U") == "fragment U:u8; convert 0:s32");
    CHECK(steps("f8e4m3", "E") == "fragment E:f8e4m3");
    CHECK(steps("bf16", "cast<bf16>(X * 2)") ==
          "fragment X:f32; number 40000000:f32; multiply 0 1:f32; convert 2:bf16");
    CHECK(steps("f32", "cast<f16>(X) * 2") ==
          "fragment X:f32; convert 0:f16; number 4000:f16; multiply 1 2:f16; convert 3:f32");
    CHECK(steps("f32", "cast<f32>(X)") == "fragment X:f32");
    CHECK(steps("u8", "cast<u8>(U + 1)") == "fragment U:u8; number 1:u8; add 0 1:u8; convert 2:u8");
    CHECK(steps("u8", "cast<u8>(U)") == "fragment U:u8");
}

TEST_CASE("functions and select") {
    CHECK(steps("f32", "relu(X)") == "fragment X:f32; number 0:f32; maximum 0 1:f32");
    CHECK(steps("s32", "max(I, min(n, 4))") ==
          "fragment I:s32; scalar:s32; number 4:s32; minimum 1 2:s32; maximum 0 3:s32");
    CHECK(steps("f32", "select(I > 0, X, 1)") ==
          "fragment I:s32; fragment X:f32; number 0:s32; number 3f800000:f32; select> 0 2 1 3:f32");
    CHECK(steps("f16", "exp2(abs(H))") == "fragment H:f16; absolute 0:f16; exp2 1:f16");
}

TEST_CASE("an element is made in the thread that holds its operands, everywhere from the same registers") {
    const auto pairs = [](std::string_view target, std::string_view operand) {
        const Checked found =
            checked(fmt::format("kernel k() {{\nfrag X: {};\nfrag Y: {};\n}}\n", target, operand));
        REQUIRE(found.report() == "");
        const Fragment &x = found.kernel().fragments[0], &y = found.kernel().fragments[1];
        const Region whole{0, 0, 0, x.rows, x.cols, {}};
        Step step;
        step.fragment = whole;
        return slot_pairs(found.kernel().slots(x), whole, found.kernel().slots(y), step);
    };
    const auto narrow = pairs("bf16[128, 8]", "f32[128, 8]");
    REQUIRE(std::holds_alternative<SlotPairs>(narrow));
    CHECK(std::get<SlotPairs>(narrow).at(0, 16) == RegisterSlot{1, 0});
    CHECK(std::get<SlotPairs>(narrow).at(3, 0) == RegisterSlot{6, 0});
    // Two bf16 lie in one cell, so an atom spreads them over other threads than f32.
    const auto quads = pairs("bf16[64, 16] atom 16x256b", "f32[64, 16] atom 16x256b");
    REQUIRE(std::holds_alternative<Apart>(quads));
    CHECK(std::get<Apart>(quads).row == 0);
    CHECK(std::get<Apart>(quads).col == 2);
    CHECK(std::get<Apart>(quads).target.thread == 0);
    CHECK(std::get<Apart>(quads).operand.thread == 1);
}

TEST_SUITE_END();

} // namespace tmemc::sema
