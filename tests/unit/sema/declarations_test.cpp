// Fragments and buffers: atoms, datapaths, layouts, the rules of their widths. Places are judged by the
// tables of the language reference, written out here by hand.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

struct Place { // thread, register, bit or lane, column, bit
    int across = 0, word = 0, bit = 0;
    bool operator==(const Place&) const = default;
};
Place slot(const Checked& found, std::size_t fragment, int row, int col) {
    const Kernel& kernel = found.kernel();
    const layout::Slot& at = kernel.slots(kernel.fragments.at(fragment)).at(row, col);
    return {at.thread, at.reg, at.bit};
}
Place cell(const Checked& found, std::size_t buffer, int row, int col) {
    const Kernel& kernel = found.kernel();
    const layout::Cell& at = kernel.cells(kernel.buffers.at(buffer)).at(row, col);
    return {at.lane, at.column, at.bit};
}
const BufferImage& image(const Checked& found, std::size_t buffer = 0) {
    return found.kernel().buffer_images.at(found.kernel().buffers.at(buffer).image);
}
const FragmentImage& fragment(const Checked& found, std::size_t index = 0) {
    return found.kernel().fragment_images.at(found.kernel().fragments.at(index).image);
}
std::string name(const Checked& found) {
    const BufferImage& it = image(found);
    return fmt::format("{}{}{}", it.datapath ? it.datapath : '-', it.sub_slab,
                       it.unpacked ? " unpacked" : "");
}

} // namespace

// ---- fragments
// ---------------------------------------------------------------------------------------------------

TEST_CASE("a fragment of 128 rows is one row per thread, others name an atom") {
    const Checked found = accepts(body("frag X: f16[128, 8];"));
    CHECK(found.kernel().fragments.at(0).rows == 128);
    CHECK(fragment(found).name == "atom 32x32b");
    CHECK(fragment(found).slots.words == 4);
    CHECK(slot(found, 0, 77, 5) == Place{77, 2, 16});
    refuses(body("frag X: f16[64, 8];"), "TM0305", 2, 6,
            {"64 rows", "32x32b, 16x64b, 16x128b, 16x256b, 16x32bx2"});
    refuses(body("frag X: f16[96, 8];"), "TM0305", 2, 6, {"128, 64 or 32 rows", "layout"});
    refuses(body("frag X: f16[32, 8];"), "TM0305", 2, 6, {"atoms with 32 rows: 32x32b"});
}

TEST_CASE("each atom has its image") {
    CHECK(slot(accepts(body("frag X: f32[64, 16] atom 32x32b;")), 0, 3, 9) == Place{67, 1, 0});
    CHECK(slot(accepts(body("frag X: f32[32, 16] atom 32x32b;")), 0, 3, 9) == Place{67, 1, 0});
    // 16x64b: lane (l>>2) + 8*(l&1), column ((l>>1)&1) + 2*r
    CHECK(slot(accepts(body("frag X: f32[64, 16] atom 16x64b;")), 0, 16 + 9, 5) ==
          Place{32 + 4 + 2 + 1, 2, 0});
    // 16x128b: lane (l>>2) + 8*(r&1), column (l&3) + 4*(r>>1)
    CHECK(slot(accepts(body("frag X: f32[64, 16] atom 16x128b;")), 0, 9, 6) == Place{4 + 2, 3, 0});
    // 16x256b: lane (l>>2) + 8*((r>>1)&1), column 2*(l&3) + (r&1) + 8*(r>>2); rows 16.. are the second slab
    CHECK(slot(accepts(body("frag X: f32[64, 16] atom 16x256b;")), 0, 9, 13) == Place{4 + 2, 7, 0});
    CHECK(slot(accepts(body("frag X: f32[128, 16] atom 16x256b;")), 0, 16 + 9, 13) == Place{4 + 2, 8 + 7, 0});
    CHECK(slot(accepts(body("frag X: f32[64, 16] atom 16x32bx2;")), 0, 18, 9) == Place{32 + 2 + 16, 1, 0});
}

TEST_CASE("an unknown atom is refused with the list, and a row count it lacks with those that have it") {
    accepts(body("frag X: f32[64, 8] atom 16x256b;"));
    refuses(body("frag X: f32[32, 8] atom 16x256b;"), "TM0307", 2, 25,
            {"atom 16x256b", "32 rows", "atoms with 32 rows: 32x32b"});
    refuses(body("frag X: f32[128, 8] atom 16x32bx2;"), "TM0307", 2, 26, {"16x32bx2"});
}

TEST_CASE("the columns of a fragment are a multiple of its atom's unit") {
    accepts(body("frag X: f32[128, 1]; frag Y: f32[64, 8] atom 16x256b; frag Z: u8[128, 32] atom 16x256b;"));
    refuses(body("frag X: f32[64, 12] atom 16x256b;"), "TM0308", 2, 9,
            {"12 columns of f32", "atom 16x256b", "multiple of 8", "8 or 16 columns"});
    refuses(body("frag X: f16[64, 8] atom 16x256b;"), "TM0308", 2, 9,
            {"multiple of 16", "16 columns would fit"});
    refuses(body("frag X: f16[128, 7];"), "TM0308", 2, 9,
            {"7 columns of f16", "multiple of 2", "6 or 8 columns"});
    refuses(body("frag X: u8[128, 6];"), "TM0308", 2, 9, {"multiple of 4", "4 elements of u8 share 32 bits"});
    refuses(body("frag X: f32[64, 3] atom 32x32b;"), "TM0308", 2, 9, {"multiple of 2"});
    refuses(body("frag X: f32[32, 6] atom 32x32b;"), "TM0308", 2, 9, {"multiple of 4"});
    refuses(body("frag X: f32[64, 3] atom 16x64b;"), "TM0308", 2, 9, {"multiple of 2"});
    refuses(body("frag X: f32[64, 6] atom 16x128b;"), "TM0308", 2, 9, {"multiple of 4"});
    refuses(body("frag X: f32[64, 3] atom 16x32bx2;"), "TM0308", 2, 9, {"multiple of 2"});
}

TEST_CASE("a fragment has one dimension or two") {
    refuses(body("frag X: f32[128, 8, 2];"), "TM0213", 2, 9, {"3 dimensions", "a fragment has one or two"});
    refuses(body("frag X: f32[96];"), "TM0305", 2, 6, {"`X` has 96 rows"});
    refuses(body("frag X: f32[32] atom 16x256b;"), "TM0307", 2, 22, {"32 rows"});
    refuses(body("frag X: f32[128, 0];"), "TM0212", 2, 18);
}

TEST_CASE("a fragment of one dimension holds its number of a row wherever a part of the row is") {
    const auto slots = [](const char* text) {
        const Checked found = accepts(body(text));
        const Fragment& fragment = found.kernel().fragments.at(0);
        CHECK(fragment.extents() == std::vector<std::int64_t>{fragment.rows});
        return found.kernel().slots(fragment);
    };
    using layout::Slot;
    const auto plain = slots("frag M: f32[128];");
    CHECK(plain.copies == 1);
    CHECK(plain.at(77, 0) == Slot{77, 0, 0});
    const auto quads = slots("frag M: f32[128] atom 16x256b;"); // row 61: warp 1, second slab, row 13 of it
    CHECK(quads.copies == 4);
    CHECK(quads.words == 4);
    for (int k = 0; k < 4; ++k)
        CHECK(quads.at(61, 0, k) == Slot{static_cast<std::uint16_t>(32 + 20 + k), 3, 0});
    const auto halves = slots("frag M: f16[64] atom 16x128b;");
    CHECK(halves.words == 1);
    CHECK(halves.at(9, 0, 1) == Slot{5, 0, 16});
    const auto far = slots("frag M: u8[32] atom 32x32b;");
    CHECK(far.copies == 4);
    CHECK(far.at(3, 0, 2) == Slot{67, 0, 0});
    const auto mine = slots("frag M: f32[4] layout S[(4) : (1)] + R[(128) : (1@tid_in_wg)];");
    CHECK(mine.words == 4);
    CHECK(mine.at(2, 0, 99) == Slot{99, 2, 0});
}

TEST_CASE("attributes stand once, and a layout stands alone") {
    refuses(body("frag X: f32[64, 8] atom 16x256b atom 16x256b;"), "TM0205", 2, 33, {"`atom`"});
    refuses(body("frag X: f32[128, 8] atom 32x32b layout S[(128, 8) : (1@tid_in_wg, 1)];"), "TM0309", 2, 33,
            {"`layout` and `atom`"});
    refuses(body("tmem T: f32[128, 8] datapath D datapath D;"), "TM0205", 2, 32, {"`datapath`"});
    refuses(body("tmem T: f32[128, 8] datapath D layout S[(128, 8) : (1@TLane, 1@TCol)];"), "TM0309", 2, 32,
            {"`datapath`"});
    refuses(body("tmem T: f32[128, 8] layout S[(128, 8) : (1@TLane, 1@TCol)] sub_slab 0;"), "TM0309", 2, 21,
            {"`sub_slab`", "16@TLane"});
    refuses(body("tmem T: f16[128, 8] unpacked layout S[(128, 8) : (1@TLane, 2@TCol)];"), "TM0309", 2, 30,
            {"`unpacked`", "stride of 2"});
}

TEST_CASE("a layout literal spreads a fragment as written") {
    const Checked found = accepts(
        body("frag Y: u32[64, 16] layout S[(4, 2, 8, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 1, 1@laneid)];"));
    CHECK(fragment(found).name == "layout S[(4, 2, 8, 4, 4) : (1@wid_in_wg, 4, 4@laneid, 1, 1@laneid)]");
    CHECK(fragment(found).slots.words == 8);
    CHECK(slot(found, 0, 16 + 8 + 3, 4 * 2 + 1) == Place{32 + 12 + 1, 4 + 2, 0});
    const Checked moved =
        accepts("const N = 8;\n" +
                body("frag Y: f16[64, N] layout S[(64, N) : (1@tid_in_wg, 1)] + 2 * 32@tid_in_wg;"));
    CHECK(slot(moved, 0, 5, 3) == Place{69, 1, 16});
    const Checked copies =
        accepts(body("frag Y: f32[64, 8] layout S[(64, 8) : (1@tid_in_wg, 1)] + R[2 : 64@tid_in_wg];"));
    CHECK(fragment(copies).slots.copies == 2);
}

TEST_CASE("a literal that is no map of the tile is refused with numbers") {
    refuses(body("frag X: f32[128, 8] layout S[(128, 4) : (1@tid_in_wg, 1)];"), "TM0316", 2, 28,
            {"512 elements", "1024", "128 by 8"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8) : (1@TLane, 1)];"), "TM0317", 2, 28,
            {"`TLane`", "`X`"});
    refuses(body("tmem T: f32[128, 8] layout S[(128, 8) : (1@TLane, 1)];"), "TM0317", 2, 28, {"`m`", "TCol"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8) : (2@tid_in_wg, 1)];"), "TM0318", 2, 28,
            {"row 64, column 0", "128 on `tid_in_wg`", "0 to 127"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8) : (1@tid_in_wg, 0)];"), "TM0319", 2, 28,
            {"row 0, column 0 and row 0, column 1 of `X`"});
    refuses(body("tmem T: f32[128, 8] layout S[(128, 8) : (1@TLane, 1@TCol)] + 508@TCol;"), "TM0318", 2, 28,
            {"512 on `TCol`", "0 to 511"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8) : (1@tid_in_wg, -1)];"), "TM0318", 2, 28,
            {"-1 on `m`"});
}

TEST_CASE("the digits of a literal pair up, and their axes exist") {
    accepts(body("frag X: f32[128, 1] layout S[128 : 1@tid_in_wg];"));
    refuses(body("frag X: f32[128, 8] layout S[(128, 8) : (1@tid_in_wg, 1, 1)];"), "TM0315", 2, 29,
            {"2 extents and 3 strides"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8@m) : (1@tid_in_wg, 1)];"), "TM0315", 2, 36,
            {"an extent has no axis"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8, 0) : (1@tid_in_wg, 1, 1)];"), "TM0315", 2, 39,
            {"extent of 0"});
    refuses(body("frag X: f32[128, 8] layout S[(128, 8) : (1@tid_in_wg, 1)] + R[0 : 1];"), "TM0315", 2, 63,
            {"extent of 0"});
}

// ---- buffers
// -----------------------------------------------------------------------------------------------------

TEST_CASE("a buffer of 128 rows is datapath D, others say which") {
    const Checked found = accepts(body("tmem T: f16[128, 8];"));
    CHECK(name(found) == "D0");
    CHECK(image(found).cells.words == 4);
    CHECK(cell(found, 0, 77, 5) == Place{77, 2, 16});
    refuses(body("tmem T: f16[64, 8];"), "TM0302", 2, 6, {"64 rows", "datapaths with 64 rows: B, C, E, F"});
    refuses(body("tmem T: f16[32, 8];"), "TM0302", 2, 6, {"datapaths with 32 rows: G"});
    refuses(body("tmem T: f16[16, 8];"), "TM0302", 2, 6, {"128, 64 or 32 rows", "layout"});
}

TEST_CASE("each datapath has its map, and a letter is kept as written") {
    CHECK(cell(accepts(body("tmem T: f32[128, 8] datapath A;")), 0, 100, 3) == Place{100, 3, 0});
    CHECK(cell(accepts(body("tmem T: f32[64, 16] datapath B;")), 0, 5, 9) == Place{69, 1, 0});
    CHECK(cell(accepts(body("tmem T: f32[64, 16] datapath C;")), 0, 17, 9) == Place{33, 9, 0});
    CHECK(cell(accepts(body("tmem T: f32[64, 16] datapath E;")), 0, 5, 7) == Place{5, 7, 0});
    CHECK(cell(accepts(body("tmem T: f32[64, 16] datapath F sub_slab 1;")), 0, 17, 9) == Place{49, 9, 0});
    CHECK(cell(accepts(body("tmem T: f32[32, 16] datapath G;")), 0, 5, 9) == Place{69, 1, 0});
    CHECK(name(accepts(body("tmem T: f32[128, 8] datapath A;"))) == "A0");
    CHECK(name(accepts(body("tmem T: f32[64, 8] datapath E;"))) == "E0");
    CHECK(name(accepts(body("tmem T: f32[64, 8] datapath C sub_slab 1;"))) == "C1");
}

TEST_CASE("a datapath has its number of rows") {
    accepts(body("tmem T: f32[64, 8] datapath F;"));
    refuses(body("tmem T: f32[128, 8] datapath F;"), "TM0304", 2, 30,
            {"datapath F has 64 rows", "`T` has 128", "datapaths with 128 rows: A, D"});
    refuses(body("tmem T: f32[64, 8] datapath D;"), "TM0304", 2, 29, {"datapath D has 128 rows"});
}

TEST_CASE("the columns of a buffer fill its cells and folds") {
    accepts(body("tmem T: f16[64, 8] datapath B; tmem U: u8[32, 16] datapath G; tmem V: f16[128, 2];"));
    refuses(body("tmem T: f16[64, 6] datapath B;"), "TM0308", 2, 9,
            {"datapath B", "multiple of 4", "4 or 8 columns"});
    refuses(body("tmem T: u8[32, 8] datapath G;"), "TM0308", 2, 9, {"multiple of 16"});
    refuses(body("tmem T: f16[128, 3];"), "TM0308", 2, 9, {"2 elements of f16 share 32 bits"});
    refuses(body("tmem T: f32[64, 3] datapath E;"), "TM0308", 2, 9, {"multiple of 2"});
    accepts(body("tmem T: f16[128, 3] unpacked;"));
}

TEST_CASE("a sub_slab is 0 or 1, and 1 belongs to C and F") {
    accepts(body("tmem T: f32[128, 8] datapath D sub_slab 0;"));
    refuses(body("tmem T: f32[128, 8] datapath D sub_slab 1;"), "TM0311", 2, 32, {"datapath D", "C or F"});
    refuses(body("tmem T: f32[64, 8] datapath B sub_slab 1;"), "TM0311", 2, 31, {"datapath B"});
    refuses(body("tmem T: f32[64, 8] datapath F sub_slab 2;"), "TM0310", 2, 40, {"not 2"});
    refuses(body("tmem T: f32[64, 8] datapath F sub_slab -1;"), "TM0310", 2, 40, {"not -1"});
}

TEST_CASE("unpacked is for 16-bit elements, one in each cell") {
    const Checked found = accepts(body("tmem T: f16[128, 8] unpacked;"));
    CHECK(name(found) == "D0 unpacked");
    CHECK(image(found).cells.words == 8);
    CHECK(cell(found, 0, 3, 5) == Place{3, 5, 0});
    refuses(body("tmem T: f32[128, 8] unpacked;"), "TM0312", 2, 21, {"`T` is f32"});
    refuses(body("tmem T: u8[128, 8] unpacked;"), "TM0312", 2, 20);
}

TEST_CASE("there are datapaths A to G") {
    refuses(body("tmem T: f32[128, 8] datapath H;"), "TM0303", 2, 30, {"`H`", "A, B, C, D, E, F and G"});
}

TEST_CASE("a literal is called by the datapath that it equals") {
    const auto called = [](std::string_view declaration) {
        return name(accepts(body(fmt::format("tmem T: {};", declaration))));
    };
    CHECK(called("f32[128, 8] layout S[(128, 8) : (1@TLane, 1@TCol)]") == "D0");
    CHECK(called("f32[128, 8] layout S[(2, 64, 2, 4) : (64@TLane, 1@TLane, 4@TCol, 1@TCol)]") == "D0");
    CHECK(called("u16[128, 32] layout S[(128, 32) : (1@TLane, 2@TCol)]") == "D0 unpacked");
    CHECK(called("u16[128, 32] layout S[(128, 32) : (1@TLane, 1@TCol)]") == "D0");
    CHECK(called("f32[64, 8] layout S[(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)]") == "F0");
    CHECK(called("f32[64, 8] layout S[(4, 16, 8) : (32@TLane, 1@TLane, 1@TCol)] + 16@TLane") == "F1");
    CHECK(called("f16[64, 8] layout S[(4, 16, 8) : (32@TLane, 1@TLane, 2@TCol)] + 16@TLane") ==
          "F1 unpacked");
    CHECK(called("f32[64, 8] layout S[(64, 2, 4) : (1@TLane, 64@TLane, 1@TCol)]") == "B0");
    CHECK(called("f32[32, 8] layout S[(32, 4, 2) : (1@TLane, 32@TLane, 1@TCol)]") == "G0");
    CHECK(called("f32[128, 8] layout S[(128, 8) : (1@TLane, 1@TCol)] + 1@TCol") == "-0");
    CHECK(called("f32[64, 8] layout S[(64, 8) : (1@TLane, 1@TCol)]") == "-0");
    CHECK(called("f16[16, 8] layout S[(16, 8) : (1@TLane, 2@TCol)]") == "-0 unpacked");
    CHECK(called("f32[128, 7] layout S[(128, 7) : (1@TLane, 1@TCol)]") == "D0");
}

TEST_CASE("a buffer has at most 512 columns") {
    CHECK(image(accepts(body("tmem T: f32[128, 512];"))).cells.words == 512);
    CHECK(image(accepts(body("tmem T: f32[64, 1024] datapath B;"))).cells.words == 512);
    CHECK(image(accepts(body("tmem T: u8[32, 8192] datapath G;"))).cells.words == 512);
    refuses(body("tmem T: f32[128, 513];"), "TM0492", 2, 9, {"`T` takes 513 columns", "512"});
    refuses(body("tmem T: f32[64, 1026] datapath B;"), "TM0492", 2, 9, {"513 columns"});
    refuses(body("tmem T: f32[64, 513] datapath F;"), "TM0492", 2, 9, {"513 columns"});
    refuses(body("tmem T: f16[128, 600] unpacked;"), "TM0492", 2, 9, {"600 columns"});
    refuses(body("tmem T: f32[128, 2147483647];"), "TM0492", 2, 9, {"2147483647 columns"});
    refuses(
        body("tmem T: f32[2147483647, 2147483647] layout S[(2147483647, 2147483647) : (1@TLane, 1@TCol)];"),
        "TM0318", 2, 44);
}

TEST_CASE("objects that agree share one image") {
    const Checked found = accepts(body("for i in 0..5 { tmem T: f32[128, 8]; frag X: f32[128, 8]; }\nfrag Y: "
                                       "u32[128, 8];\nfrag Z: f16[128, 8];"));
    CHECK(found.kernel().buffers.size() == 5);
    CHECK(found.kernel().buffer_images.size() == 1);
    CHECK(found.kernel().fragments.size() == 7);
    CHECK(found.kernel().fragment_images.size() == 2);
}

TEST_SUITE_END();

} // namespace tmemc::sema
