// Integer expressions: values judged by hand, and the refusals of what C leaves undefined.
#include "checking.hpp"

#include "sema/constants.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

std::int64_t value(const std::string& expression) {
    const Checked found = accepts("const V = " + expression + ";");
    REQUIRE(found.program().constants.size() == 1);
    return found.program().constants.front().second;
}

constexpr std::int64_t largest = 9223372036854775807;

} // namespace

TEST_CASE("a constant has the value that arithmetic gives it") {
    CHECK(value("1 + 2 * 3") == 7);
    CHECK(value("(1 + 2) * 3") == 9);
    CHECK(value("10 - 4 - 3") == 3);
    CHECK(value("100 / 10 / 2") == 5);
    CHECK(value("-7 / 2") == -3);
    CHECK(value("-7 % 2") == -1);
    CHECK(value("7 % -2") == 1);
    CHECK(value("7 / -1") == -7);
    CHECK(value("7 % -1") == 0);
    CHECK(value("- -5") == 5);
    CHECK(value("min(3, -4)") == -4);
    CHECK(value("max(3, -4) + 1") == 4);
}

TEST_CASE("an integer is read in each of its spellings") {
    CHECK(value("0x1f") == 31);
    CHECK(value("0b101") == 5);
    CHECK(value("1_000_000") == 1000000);
    CHECK(value("0xFF_FF") == 65535);
    CHECK(value("010") == 10);
    CHECK(value("9223372036854775807") == largest);
    CHECK(value("-9223372036854775808") == -largest - 1);
    CHECK(value("0x7fffffffffffffff") == largest);
}

TEST_CASE("a constant may use those above it, and a kernel those below") {
    const Checked found =
        accepts("const A = 4;\nconst B = A * 2;\nkernel k(in T: f32[128, C]) { }\nconst C = B + 1;");
    CHECK(found.program().constants ==
          std::vector<std::pair<std::string, std::int64_t>>{{"A", 4}, {"B", 8}, {"C", 9}});
    CHECK(std::get<Tensor>(found.kernel().parameters[0]).extents == std::vector<std::int64_t>{128, 9});
    refuses("const B = A * 2;\nconst A = 4;", "TM0207", 1, 11,
            {"`A`", "2: declared here", "move `const A` up"});
}

TEST_CASE("an integer beyond 64 bits is refused where it stands") {
    refuses("const V = 9223372036854775808;", "TM0208", 1, 11, {"`9223372036854775808`"});
    refuses("const V = 1 + 99999999999999999999999;", "TM0208", 1, 15, {"99999999999999999999999"});
    refuses("const V = 0x8000000000000000;", "TM0208", 1, 11);
    refuses("const V = - 9223372036854775809;", "TM0208", 1, 13);
}

TEST_CASE("overflow is refused with its operands") {
    refuses("const V = 9223372036854775807 + 1;", "TM0209", 1, 11, {"`9223372036854775807 + 1`"});
    refuses("const V = -9223372036854775808 - 1;", "TM0209", 1, 11, {"`-9223372036854775808 - 1`"});
    refuses("const V = 4294967296 * 2147483648;", "TM0209", 1, 11, {"`4294967296 * 2147483648`"});
    refuses("const V = -(-9223372036854775808);", "TM0209", 1, 11, {"`0 - -9223372036854775808`"});
    refuses("const V = -9223372036854775808 / -1;", "TM0209", 1, 11, {"`-9223372036854775808 / -1`"});
    CHECK(value("-9223372036854775808 % -1") == 0);
    CHECK(value("4294967296 * 1073741824") == std::int64_t{1} << 62);
}

TEST_CASE("a division by zero is refused, and one by another number is not") {
    refuses("const W = 2;\nconst V = 8 / (W - 2);", "TM0210", 2, 11, {"`8 / 0`"});
    refuses("const V = 8 % 0;", "TM0210", 1, 11, {"`8 % 0`"});
    CHECK(value("8 / (3 - 2)") == 8);
}

TEST_CASE("each operand reports its own mistake") {
    const Checked found = checked("const V = 1/0 + 2/0 + nowhere;");
    CHECK(found.report() == "TM0210 at 1:11: `1 / 0` divides by zero\n"
                            "TM0210 at 1:17: `2 / 0` divides by zero\n"
                            "TM0201 at 1:23: unknown name `nowhere`\n");
}

TEST_CASE("a constant in error is not reported again where it is used") {
    refuses("const W = 1 / 0;\nconst V = W + 1;\nkernel k(in A: f32[128, V]) { frag X: f32[128, W]; copy X "
            "<- A; }",
            "TM0210", 1, 11);
}

TEST_CASE("-D overrides a constant, the last one wins, and its own expression is not evaluated") {
    Options options;
    options.definitions = {{"W", 3}, {"W", 16}};
    const Checked found = accepts("const W = 1 / 0;\nconst V = W * 2;", options);
    CHECK(found.program().constants ==
          std::vector<std::pair<std::string, std::int64_t>>{{"W", 16}, {"V", 32}});
}

TEST_CASE("-D of a constant that the file does not have is refused with the near one") {
    Options options;
    options.definitions = {{"WIDHT", 3}};
    const Checked found = checked("const WIDTH = 8;", options);
    CHECK(found.report().find("TM0206") == 0);
    CHECK(found.report().find("did you mean `WIDTH`?") != std::string::npos);
    CHECK(found.result.diagnostics.list.at(0).span == base::no_place);
    options.definitions = {{"WIDTH", 3}};
    CHECK(accepts("const WIDTH = 8;", options).program().constants.front().second == 3);
}

TEST_CASE("run-time values are no constants") {
    refuses("const V = cta.x;", "TM0211", 1, 11, {"`cta.x`", "run time"});
    refuses("kernel k(n: u32) { for i in 0..n { } }", "TM0211", 1, 32, {"`n`", "-D n="});
    refuses(body("let row = cta.x * 128; for i in 0..row { }"), "TM0211", 2, 36,
            {"`row`", "it depends on the CTA"});
    refuses(body("tmem T: f32[128, 64]; frag X: f32[128, 64]; copy_async X <- T[:, cta.x +: 64];"), "TM0211",
            2, 66);
}

TEST_CASE("the parser of integers knows its limits") {
    CHECK(integer_magnitude("18446744073709551615") == 18446744073709551615ULL);
    CHECK(integer_magnitude("18446744073709551616") == std::nullopt);
    CHECK(integer_magnitude("0b1111_0000") == 240U);
    CHECK(integer_magnitude("0") == 0U);
}

TEST_SUITE_END();

} // namespace tmemc::sema
