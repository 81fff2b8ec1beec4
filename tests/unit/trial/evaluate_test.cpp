// Right sides of expectations, written as text, against loops in C++.
#include "bench.hpp"
#include "trial/evaluate.hpp"
#include "trial/expect.hpp"

#include <functional>

using namespace tmemc;
using base::Dtype;
using runtime::Array;

namespace {

Array array(Dtype dtype, std::vector<std::int64_t> shape,
            const std::function<double(std::int64_t)>& element) {
    Array made = runtime::make_array(dtype, std::move(shape));
    for (std::int64_t i = 0; i < made.elements(); ++i) made.set(i, runtime::encode(dtype, element(i)));
    return made;
}

/// Tensors to speak of; B is the left side in most cases.
std::map<std::string, Array> values() {
    return {{"A", array(Dtype::f32, {4, 6}, [](std::int64_t i) { return 0.5 * static_cast<double>(i) - 3; })},
            {"B", array(Dtype::f32, {4, 6}, [](std::int64_t) { return 0; })},
            {"I", array(Dtype::s32, {4, 6}, [](std::int64_t i) { return static_cast<double>(7 * i - 50); })},
            {"J", array(Dtype::s32, {4, 6}, [](std::int64_t) { return 0; })},
            {"U", array(Dtype::u8, {4, 6}, [](std::int64_t) { return 0; })},
            {"V", array(Dtype::f32, {4}, [](std::int64_t i) { return static_cast<double>(10 * i); })},
            {"H", array(Dtype::f32, {6}, [](std::int64_t i) { return static_cast<double>(100 * i); })},
            {"M", array(Dtype::f32, {4}, [](std::int64_t) { return 0; })},
            {"x", array(Dtype::f32, {}, [](std::int64_t) { return 2.5; })},
            {"n", array(Dtype::u32, {}, [](std::int64_t) { return 3; })}};
}

std::variant<Array, std::string> evaluated(const std::string& expectation) {
    const auto test = testing::tests_of("test \"t\" { expect " + expectation + "; }").front();
    trial::Scope scope{{}, {{"W", 8}, {"r", 1000}}};
    for (const auto& [name, value] : values())
        scope.parameters[name] = {name, value.dtype, value.shape, true, true};
    base::Diagnostics diagnostics;
    const auto bound = bind_expectation(std::get<grammar::ast::ExpectValue>(test.statements.front().node),
                                        scope, diagnostics);
    for (const base::Diagnostic& each : diagnostics.list) FAIL(each.message);
    auto result = evaluate(*bound, values());
    if (auto* const sentence = std::get_if<std::string>(&result)) return std::move(*sentence);
    return trial::rounded(std::get<trial::Numbers>(result), bound->left);
}

std::string failure(const std::string& expectation) {
    const auto result = evaluated(expectation);
    const auto* const sentence = std::get_if<std::string>(&result);
    return sentence == nullptr ? "evaluated" : *sentence;
}

/// Elements of the wanted array that are not `element(r, c)`.
int wrong(const std::string& expectation, const std::function<double(std::int64_t, std::int64_t)>& element) {
    const auto result = evaluated(expectation);
    const auto* const wanted = std::get_if<Array>(&result);
    REQUIRE(wanted != nullptr);
    const std::int64_t columns = wanted->shape.size() == 2 ? wanted->shape[1] : 1;
    int count = 0;
    for (std::int64_t i = 0; i < wanted->elements(); ++i) {
        count += runtime::decode(wanted->dtype, wanted->get(i)) != element(i / columns, i % columns);
    }
    return count;
}

double a(std::int64_t r, std::int64_t c) { return 0.5 * static_cast<double>(6 * r + c) - 3; }
std::int64_t i32(std::int64_t r, std::int64_t c) { return 7 * (6 * r + c) - 50; }

} // namespace

TEST_CASE("a bare tensor means the element at the same place") {
    CHECK(wrong("B == A", a) == 0);
    CHECK(wrong("B == A * 2.0 + 1", [](auto r, auto c) { return a(r, c) * 2 + 1; }) == 0);
    CHECK(wrong("B == -A - A / 4", [](auto r, auto c) { return -a(r, c) - a(r, c) / 4; }) == 0);
    CHECK(wrong("M == V", [](auto r, auto) { return 10.0 * static_cast<double>(r); }) == 0);
}

TEST_CASE("indices are integers, hide constants and may be computed with") {
    CHECK(wrong("B[r, c] == A[3 - r, (c + 1) % 6]", [](auto r, auto c) { return a(3 - r, (c + 1) % 6); }) ==
          0);
    CHECK(wrong("J[r, c] == 1000*r + c", [](auto r, auto c) { return static_cast<double>(1000 * r + c); }) ==
          0);
    CHECK(wrong("J[r, c] == (32*(r/2) + r%2 + W) / 3",
                [](auto r, auto) { return static_cast<double>((32 * (r / 2) + r % 2 + 8) / 3); }) == 0);
    CHECK(wrong("B[i, j] == A[min(i, 2), max(j, n)]", [](auto r, auto c) {
              return a(std::min<std::int64_t>(r, 2), std::max<std::int64_t>(c, 3));
          }) == 0);
    CHECK(wrong("J[i, j] == r", [](auto, auto) { return 1000.0; }) ==
          0); // no index of that name: the constant
    CHECK(wrong("B[i, j] == V[i] + H[j] - A",
                [](auto r, auto c) { return static_cast<double>(10 * r + 100 * c) - a(r, c); }) == 0);
}

TEST_CASE("integers stay integers: / truncates, % has the sign of the left, products wrap to the dtype") {
    CHECK(wrong("J == I / 4", [](auto r, auto c) { return static_cast<double>(i32(r, c) / 4); }) == 0);
    CHECK(wrong("J == I % 4", [](auto r, auto c) { return static_cast<double>(i32(r, c) % 4); }) == 0);
    CHECK(wrong("B == I / 4.0", [](auto r, auto c) { return static_cast<double>(i32(r, c)) / 4; }) == 0);
    CHECK(wrong("U == I", [](auto r, auto c) {
              return static_cast<double>(static_cast<std::uint8_t>(i32(r, c)));
          }) == 0);
    CHECK(wrong("J == I * 0x100000001", [](auto r, auto c) { return static_cast<double>(i32(r, c)); }) == 0);
    CHECK(wrong("J == 7 / -2 * 2 + -7 % 3", [](auto, auto) { return -7.0; }) == 0);
    CHECK(wrong("J == 0x10 + 0b11 + 1_000", [](auto, auto) { return 1019.0; }) == 0);
    CHECK(wrong("J == (-9223372036854775807 - 1) / -1 + (-9223372036854775807 - 1) % -1",
                [](auto, auto) { return 0.0; }) == 0);
}

TEST_CASE("functions, casts and choices") {
    CHECK(wrong("B == max(A, 0)", [](auto r, auto c) { return std::max(a(r, c), 0.0); }) == 0);
    CHECK(wrong("B == fma(A, x, 1.0)", [](auto r, auto c) { return a(r, c) * 2.5 + 1; }) == 0);
    CHECK(wrong("J == abs(I)", [](auto r, auto c) { return static_cast<double>(std::abs(i32(r, c))); }) == 0);
    CHECK(wrong("B == cast<s8>(I) / 2", [](auto r, auto c) {
              return static_cast<double>(static_cast<std::int8_t>(i32(r, c)) / 2);
          }) == 0);
    CHECK(wrong("B == cast<f8e4m3>(1000.0)", [](auto, auto) { return 448.0; }) == 0);
    CHECK(wrong("B == cast<f8e5m2>(-100000.0)", [](auto, auto) { return -57344.0; }) == 0);
    CHECK(wrong("J == cast<u8>(300.0) + cast<u8>(-1.5) + cast<u8>(300)",
                [](auto, auto) { return 255.0 + 44; }) == 0);
    CHECK(wrong("J == cast<s32>(3000000000.0)", [](auto, auto) { return 2147483647.0; }) == 0);
    CHECK(wrong("J == cast<s16>(-1e9)", [](auto, auto) { return -32768.0; }) == 0);
    CHECK(wrong("B == cast<f16>(2049) + 0.5", [](auto, auto) { return 2048.5; }) == 0);
    CHECK(wrong("B == select(A < 0, -1, A)", [](auto r, auto c) { return a(r, c) < 0 ? -1 : a(r, c); }) == 0);
    CHECK(wrong("J == select(I >= 6, 1, 0)", [](auto r, auto c) { return i32(r, c) >= 6 ? 1.0 : 0.0; }) == 0);
    CHECK(wrong("B == select(I == 6, 7, 2) / 2", [](auto r, auto c) { return i32(r, c) == 6 ? 3.0 : 1.0; }) ==
          0);
    CHECK(wrong("B == select(I != 6, 7.0, 2) / 4",
                [](auto r, auto c) { return i32(r, c) != 6 ? 1.75 : 0.5; }) == 0);
    CHECK(wrong("B == select(A > 0, 1, 0) + select(A <= 0, 1, 0)", [](auto, auto) { return 1.0; }) == 0);
}

TEST_CASE("the right side is rounded once, to the left side's dtype") {
    CHECK(wrong("U == 2.5", [](auto, auto) { return 2.0; }) == 0);
    CHECK(wrong("U == 3.5 + 256", [](auto, auto) { return 4.0; }) == 0);
    CHECK(wrong("B == 16777217", [](auto, auto) { return 16777216.0; }) == 0);
    CHECK(wrong("B == 0.1", [](auto, auto) { return static_cast<double>(0.1F); }) == 0);
}

TEST_CASE("rows and columns are spread and reduced") {
    CHECK(wrong("B == rows(V) + cols(H)",
                [](auto r, auto c) { return static_cast<double>(10 * r + 100 * c); }) == 0);
    CHECK(wrong("M == row_max(A)", [](auto r, auto) { return a(r, 5); }) == 0);
    CHECK(wrong("M == row_min(A * -1)", [](auto r, auto) { return -a(r, 5); }) == 0);
    CHECK(wrong("M == row_sum(A) + V", [](auto r, auto) {
              double sum = 0;
              for (std::int64_t c = 0; c < 6; ++c) sum += a(r, c);
              return sum + 10.0 * static_cast<double>(r);
          }) == 0);
    CHECK(wrong("B == A - rows(row_max(A))", [](auto r, auto c) { return a(r, c) - a(r, 5); }) == 0);
    CHECK(wrong("M == row_sum(A - rows(row_min(A)))", [](auto, auto) { return 7.5; }) == 0);
    CHECK(wrong("B[i, j] == rows(row_max(A))", [](auto r, auto) { return a(r, 5); }) == 0);
}

TEST_CASE("a reduction of a wide tile costs each row once") {
    // 128 * 512 elements, each asking for the sum of its row: without memory, 33 million inner steps twice
    // over.
    const auto test =
        testing::tests_of("test \"t\" { expect B == A - rows(row_sum(A - rows(row_max(A)))); }").front();
    std::map<std::string, Array> wide{{"A", array(Dtype::f32, {128, 512}, [](std::int64_t) { return 1; })},
                                      {"B", runtime::make_array(Dtype::f32, {128, 512})}};
    trial::Scope scope;
    for (const auto& [name, value] : wide)
        scope.parameters[name] = {name, value.dtype, value.shape, true, true};
    base::Diagnostics diagnostics;
    const auto bound = bind_expectation(std::get<grammar::ast::ExpectValue>(test.statements.front().node),
                                        scope, diagnostics);
    REQUIRE(bound);
    CHECK(trial::rounded(std::get<trial::Numbers>(evaluate(*bound, wide)), bound->left) == wide["A"]);
}

TEST_CASE("a place without a value is named") {
    CHECK(failure("B[r, c] == A[r + 1, c]") == "B[3, 0] asks for A[4, 0], but `A` is f32[4, 6]");
    CHECK(failure("B[r, c] == A[r, c - 1]") == "B[0, 0] asks for A[0, -1], but `A` is f32[4, 6]");
    CHECK(failure("B[r, c] == V[c]") == "B[0, 4] asks for V[4], but `V` is f32[4]");
    CHECK(failure("J == I / (I + 1)") == "J[1, 1] asks for -1 / 0");
    CHECK(failure("J[r, c] == 5 % (c - 2)") == "J[0, 2] asks for 5 % 0");
    CHECK(failure("B == A / 0.0") == "evaluated"); // infinities
}
