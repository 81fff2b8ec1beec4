// Who folds what, for maps that are known by heart, and the reasons against others.
#include "sema/row_fold.hpp"

#include "checking.hpp"

#include <doctest/doctest.h>

namespace tmemc::sema {

namespace {

std::variant<RowFold, Scattered> fold(const std::string& tile, const std::string& vector, int col = 0,
                                      int cols = -1) {
    const Checked found = checked(fmt::format("kernel k() {{\nfrag X: {};\nfrag M: {};\n}}\n", tile, vector));
    REQUIRE(found.report() == "");
    const Fragment &x = found.kernel().fragments[0], &m = found.kernel().fragments[1];
    const Region over{0, 0, col, x.rows, cols < 0 ? x.cols : cols, {}}, target{1, 0, 0, m.rows, 1, {}};
    return row_fold(found.kernel().slots(x), over, found.kernel().slots(m), target);
}
std::string reason(const std::variant<RowFold, Scattered>& found) {
    return std::holds_alternative<Scattered>(found) ? std::get<Scattered>(found).reason : "";
}

} // namespace

TEST_SUITE_BEGIN("sema");

TEST_CASE("a thread that holds rows folds alone, the threads of a quad exchange") {
    const auto alone = std::get<RowFold>(fold("f16[128, 6]", "f16[128]"));
    CHECK(alone.exchanges.empty());
    CHECK(alone.elements.at({0, 0}) ==
          std::vector<RegisterSlot>{{0, 0}, {0, 16}, {1, 0}, {1, 16}, {2, 0}, {2, 16}});
    const auto quads = std::get<RowFold>(fold("f32[64, 16] atom 16x256b", "f32[64] atom 16x256b"));
    CHECK(quads.exchanges == std::vector<int>{1, 2});
    CHECK(quads.elements.at({0, 0}) == std::vector<RegisterSlot>{{0, 0}, {1, 0}, {4, 0}, {5, 0}});
    CHECK(quads.elements.at({1, 0}) == std::vector<RegisterSlot>{{2, 0}, {3, 0}, {6, 0}, {7, 0}});
    CHECK(std::get<RowFold>(fold("f32[64, 4] atom 16x64b", "f32[64] atom 16x64b")).exchanges ==
          std::vector<int>{2});
    CHECK(std::get<RowFold>(fold("f32[64, 4] atom 16x32bx2", "f32[64] atom 16x32bx2")).exchanges ==
          std::vector<int>{16});
    CHECK(std::get<RowFold>(fold("f32[64, 32] atom 16x256b", "f32[64] atom 16x256b", 8, 16))
              .elements.at({0, 0}) == std::vector<RegisterSlot>{{4, 0}, {5, 0}, {8, 0}, {9, 0}});
}

TEST_CASE("threads that hold the same are not asked for it") {
    const char* both = "f32[64, 4] layout S[(64, 4) : (1@tid_in_wg, 1)] + R[(2) : (64@tid_in_wg)]";
    const auto found = std::get<RowFold>(fold(both, "f32[64] atom 32x32b"));
    CHECK(found.exchanges.empty());
    CHECK(found.elements.at({0, 0}).size() == 4);
}

TEST_CASE("rows that do not come together have reasons") {
    CHECK(reason(fold("f32[64, 8] atom 32x32b", "f32[64] atom 32x32b")) ==
          "row 0 is held by threads 0 and 64, in more than one warp");
    CHECK(reason(fold("f32[32, 8] atom 32x32b", "f32[32] atom 32x32b")) ==
          "row 0 is held by threads 0, 32, 64 and 96, in more than one warp");
    CHECK(reason(fold("f32[64, 8] atom 16x256b", "f32[64] atom 16x256b", 0, 2)) ==
          "row 0 is held by thread 0, and wanted in thread 1");
    CHECK(reason(fold("f32[64, 8] atom 16x256b", "f32[64] layout S[(64) : (1@tid_in_wg)]")) ==
          "row 0 is held by threads 0, 1, 2 and 3, and wanted in thread 0 alone");
    // Numbers in every fourth thread only: the others have no register to compute their part for.
    CHECK(
        reason(fold("f32[64, 8] atom 16x128b", "f32[64] layout S[(4, 2, 8) : (1@wid_in_wg, 1, 4@laneid)]")) ==
        "row 0 is held by threads 0, 1, 2 and 3, and wanted in thread 0 alone");
    CHECK(reason(fold("f32[32, 4] layout S[(32, 2, 2) : (1@laneid, 32@tid_in_wg, 1)]",
                      "f32[32] layout S[(32) : (1@laneid)] + R[(2) : (32@tid_in_wg)]"))
              .find("more than one warp") != std::string::npos);
    CHECK(reason(fold("f32[8, 3] layout S[(8, 3) : (3@laneid, 1@laneid)]",
                      "f32[8] layout S[(8) : (3@laneid)] + R[(3) : (1@laneid)]"))
              .find("do not differ in whole bits") != std::string::npos);
}

TEST_SUITE_END();

} // namespace tmemc::sema
