// Numbers that depend on the CTA: their steps, their ranges, and slices that leave a tensor in some CTA.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

std::string in_grid(std::string_view grid, std::string_view statements) {
    return fmt::format("kernel k(in A: f32[300, 64], in V: f32[1000], out B: f32[300, 64]) grid({}) {{\n"
                       "frag X: f32[128, 64]; frag Y: f32[128, 8];\n{}\n}}\n",
                       grid, statements);
}
const GlobalCopy& copy_of(const Checked& found, std::size_t index = 0) {
    return std::get<GlobalCopy>(found.kernel().statements.at(index).what);
}

} // namespace

TEST_CASE("what loops add stays apart from what the CTA adds") {
    const Checked found = accepts(
        in_grid("2", "let row = cta.x*128;\nfor c in 0..4 { copy Y <- A[row + c*2 +: 128, c*8 +: 8]; }"));
    const Kernel& kernel = found.kernel();
    REQUIRE(kernel.index_steps.size() == 4); // 0, cta.x, 128, their product
    for (int c = 0; c < 4; ++c) {
        const Region& region = copy_of(found, static_cast<std::size_t>(c)).tensor;
        CHECK(region.row == 2 * c);
        CHECK(region.col == 8 * c);
        CHECK(region.row_base == Base{3, 128});
        CHECK(region.col_base == Base{});
    }
    CHECK(kernel.index_steps[3].low == 0);
    CHECK(kernel.index_steps[3].high == 128);
}

TEST_CASE("an axis of one CTA is the number 0") {
    const Checked found = accepts(in_grid("1, 1, 2", "copy X <- A[cta.y*500 + cta.x +: 128, :];"));
    CHECK(copy_of(found).tensor.row_base == Base{});
    refuses(in_grid("1", "let n = cta.x; for i in 0..n { }"), "TM0211", 3, 28, {"`n`"});
}

TEST_CASE("a slice may not leave its tensor in any CTA, unless the copy is masked") {
    refuses(in_grid("3", "copy X <- A[cta.x*128 +: 128, :];"), "TM0243", 3, 13,
            {"reaches row 383", "300 rows", "the grid is 3 x 1 x 1 CTAs", "`masked`"});
    refuses(in_grid("2", "copy X <- A[cta.x*128 - 1 +: 128, :];"), "TM0243", 3, 13, {"reaches row -1"});
    refuses(in_grid("1, 9", "copy Y <- A[0:128, cta.y*8 +: 8];"), "TM0243", 3, 20,
            {"reaches column 71", "64 columns"});
    refuses(in_grid("8", "copy X[0, :] <- V[cta.x*134 +: 64];"), "TM0243", 3, 19, {"reaches element 1001"});
    const Checked found = accepts(in_grid("3", "copy X <- A[cta.x*128 +: 128, :] masked;\n"
                                               "copy Y <- A[200:328, 60:68] masked;"));
    CHECK(copy_of(found).rows_leave);
    CHECK_FALSE(copy_of(found).cols_leave);
    CHECK(copy_of(found, 1).rows_leave);
    CHECK(copy_of(found, 1).cols_leave);
}

TEST_CASE("ranges are those that are reached") {
    for (const char* base :
         {"min(cta.x*128, 172)", "cta.x%2*172", "(cta.x + 1)/2*128", "172 - cta.x*86", "cta.x*128 - cta.x*42",
          "max(cta.x, 1)*86", "cta.x*(2 - cta.x)*172", "-(-cta.x)*86", "cta.x*86/86*86"}) {
        CAPTURE(base);
        accepts(in_grid("3", fmt::format("copy X <- A[{} +: 128, :];", base)));
        accepts(in_grid("3", fmt::format("let b = {}; copy X <- A[b : b + 128, :];", base)));
    }
    refuses(in_grid("3", "copy X <- A[cta.x*129 - cta.x*42 +: 128, :];"), "TM0243", 3, 13, {"row 301"});
}

TEST_CASE("numbers beyond 32 bits and divisions by what may be zero are refused") {
    refuses(in_grid("70000", "copy X <- A[cta.x*40000 +: 128, :] masked;"), "TM0222", 3, 13, {"2799960000"});
    refuses(in_grid("3", "let far = cta.x + 5000000000;"), "TM0222", 3, 11);
    refuses(in_grid("3", "let far = 4 / (cta.x - 1);"), "TM0210", 3, 11);
    refuses(in_grid("3", "let far = 4 % cta.y;"), "TM0210", 3, 11);
}

TEST_CASE("a slice has a width that is known") {
    refuses(in_grid("2", "copy X <- A[0 : cta.x*128 + 128, :];"), "TM0245", 3, 13, {"0 +: 128"});
    refuses("kernel k(in A: f32[n, 64], n: u32) { frag X: f32[128, 64]; copy X <- A masked; }", "TM0245", 1,
            70, {"`n` gives its rows"});
    refuses("kernel k(in A: f32[n, 64], n: u32) { frag X: f32[128, 64]; copy X <- A[0:128, :]; }", "TM0244",
            1, 72, {"`n` rows", "masked"});
}

TEST_SUITE_END();

} // namespace tmemc::sema
