// Which f32 elements are computed two at a time, and which are not. The values are tested in
// unit/verify/pairs_test.cpp.
#include "lines.hpp"

#include <doctest/doctest.h>

using namespace tmemc;
using namespace tmemc::lower::test;
using sema::Step;
using What = Step::What;

namespace {

Step step(What what, std::vector<std::uint32_t> in = {}, base::Dtype dtype = base::Dtype::f32) {
    Step made;
    made.what = what;
    made.dtype = dtype;
    made.count = static_cast<std::uint32_t>(in.size());
    std::copy(in.begin(), in.end(), made.in.begin());
    return made;
}
Step fragment(const sema::Region& region, base::Dtype dtype = base::Dtype::f32) {
    Step made = step(What::fragment, {}, dtype);
    made.fragment = region;
    return made;
}
Step number(float value) {
    Step made = step(What::number);
    std::memcpy(&made.bits, &value, sizeof made.bits);
    return made;
}
Step scalar(std::size_t parameter) {
    Step made = step(What::scalar);
    made.parameter = parameter;
    return made;
}

/// Columns [col, col + cols) of a fragment.
sema::Region columns(std::size_t fragment, int col, int cols) { return {fragment, 0, col, 128, cols, {}}; }

/// f32 fragments 0 and 1, bf16 fragment 2, of 8 columns; scalar parameter 0.
Program fragments() {
    Program p;
    p.kernel().parameters.emplace_back(sema::Scalar{"alpha", base::Dtype::f32, {}});
    p.fragment("X", base::Dtype::f32, row_per_thread(8, 32));
    p.fragment("Y", base::Dtype::f32, row_per_thread(8, 32));
    p.fragment("Z", base::Dtype::bf16, row_per_thread(8, 16));
    return p;
}

std::string computed(Program p, const sema::Region& target, std::vector<Step> steps) {
    const std::size_t statement = p.add("compute;", sema::Compute{target, std::move(steps)});
    check_assembles(p);
    return extent_text(p.lowered(), statement);
}
int count(const std::string& text, const std::string& word) {
    int n = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
    return n;
}

} // namespace

TEST_CASE("neighbours in even and odd registers are computed together") {
    const std::string text =
        computed(fragments(), columns(1, 0, 2),
                 {fragment(columns(0, 0, 2)), scalar(0), number(1.0F), step(What::multiply_add, {0, 1, 2})});
    CHECK(text == "// k.tmx:1: compute;\n"
                  "mov.b64 %pair_0, {%X_0, %X_1};\n"
                  "fma.rn.f32x2 %pair_3, %pair_0, %pair_1, %pair_2;\n"
                  "mov.b64 {%Y_0, %Y_1}, %pair_3;\n");
}

TEST_CASE("narrowing takes a pair as it comes") {
    const std::string text = computed(fragments(), columns(2, 0, 2),
                                      {fragment(columns(0, 0, 2)), scalar(0), step(What::multiply, {0, 1}),
                                       step(What::convert, {2}, base::Dtype::bf16)});
    CHECK(text == "// k.tmx:1: compute;\n"
                  "mov.b64 %pair_0, {%X_0, %X_1};\n"
                  "mul.rn.f32x2 %pair_2, %pair_0, %pair_1;\n"
                  "mov.b64 {%part_0, %part_1}, %pair_2;\n"
                  "cvt.rn.bf16x2.f32 %Z_0, %part_1, %part_0;\n");
}

TEST_CASE("other steps come between") {
    const std::string text =
        computed(fragments(), columns(1, 0, 2),
                 {fragment(columns(0, 0, 2)), scalar(0), step(What::add, {0, 1}), step(What::exp2, {2}),
                  step(What::subtract, {3, 1}), step(What::multiply, {4, 4})});
    CHECK(text == "// k.tmx:1: compute;\n"
                  "mov.b64 %pair_0, {%X_0, %X_1};\n"
                  "add.rn.f32x2 %pair_2, %pair_0, %pair_1;\n"
                  "mov.b64 {%part_0, %part_1}, %pair_2;\n"
                  "ex2.approx.f32 %part_2, %part_0;\n"
                  "ex2.approx.f32 %part_3, %part_1;\n"
                  "mov.b64 %pair_3, {%part_2, %part_3};\n"
                  "sub.rn.f32x2 %pair_4, %pair_3, %pair_1;\n"
                  "mul.rn.f32x2 %pair_5, %pair_4, %pair_4;\n"
                  "mov.b64 {%Y_0, %Y_1}, %pair_5;\n");
}

TEST_CASE("what lies elsewhere is computed one by one") {
    const auto product = [](const sema::Region& target, const sema::Region& operand) {
        return computed(fragments(), target, {fragment(operand), scalar(0), step(What::multiply, {0, 1})});
    };
    // Registers 1 to 6 of both: the ends alone.
    const std::string ends = product(columns(1, 1, 6), columns(0, 1, 6));
    CHECK(count(ends, "mul.rn.f32x2") == 2);
    CHECK(count(ends, "mul.rn.f32 ") == 2);
    // Odd registers against even ones.
    const std::string odd = product(columns(1, 0, 4), columns(0, 1, 4));
    CHECK(count(odd, "f32x2") == 0);
    CHECK(count(odd, "mul.rn.f32 ") == 4);
    // Even ones of which only the place differs, in the same fragment too.
    const std::string moved = product(columns(1, 0, 4), columns(0, 4, 4));
    CHECK(count(moved, "mul.rn.f32x2") == 2);
    const std::string shifted = product(columns(0, 0, 6), columns(0, 2, 6));
    CHECK(count(shifted, "mul.rn.f32x2") == 3);
    CHECK(count(shifted, "mov.b32 %X_") == 6);
    CHECK(shifted.rfind("f32x2") < shifted.find("mov.b32 %X_")); // read first, then written
}

TEST_CASE("neighbours of a row that are in different threads' registers stay apart") {
    Program p;
    p.fragment("X", base::Dtype::f32, image_16x256b(64, 8, 32)); // registers 0, 1 and 2, 3 are neighbours
    p.fragment("Y", base::Dtype::f32, slots(64, 8, 32, [](int row, int col) {
                   layout::Slot place = image_16x256b(64, 8, 32).places.at(static_cast<std::size_t>(row) * 8 +
                                                                           static_cast<std::size_t>(col));
                   place.reg ^= 2; // pairs change places: still pairs
                   return place;
               }));
    p.fragment("Z", base::Dtype::f32, slots(64, 8, 32, [](int row, int col) {
                   layout::Slot place = image_16x256b(64, 8, 32).places.at(static_cast<std::size_t>(row) * 8 +
                                                                           static_cast<std::size_t>(col));
                   place.reg ^= 1; // the two of a pair change places: none
                   return place;
               }));
    const auto twice = [&](std::size_t target, std::size_t operand) {
        return computed(p, p.whole(target), {fragment(p.whole(operand)), step(What::add, {0, 0})});
    };
    CHECK(count(twice(0, 0), "add.rn.f32x2") == 2);
    CHECK(count(twice(1, 0), "add.rn.f32x2") == 2);
    CHECK(count(twice(2, 0), "add.rn.f32x2") == 0);
    CHECK(count(twice(2, 0), "add.rn.f32 ") == 4);
}
