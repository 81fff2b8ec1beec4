// Aliases: which buffers share columns, and places that lie outside.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

/// "T 0+0 V 0+32 | 96@0 owner 0": every buffer with group and offset, every group with columns, place and
/// owner.
std::string groups(const std::string& statements) {
    const Checked found = accepts(body(statements));
    std::string text;
    for (const Buffer& each : found.kernel().buffers)
        text += fmt::format("{} {}+{} ", each.name, each.group, each.offset);
    for (const AliasGroup& each : found.kernel().groups)
        text += fmt::format("| {}{} owner {}", each.columns,
                            each.fixed ? fmt::format("@{}", *each.fixed) : "", each.owner);
    return text;
}

} // namespace

TEST_CASE("a buffer opens a group, and an alias joins it") {
    CHECK(groups("tmem T: f32[128, 64]; tmem U: f32[128, 8];") == "T 0+0 U 1+0 | 64 owner 0| 8 owner 1");
    CHECK(groups("tmem T: f32[128, 64]; tmem V: f16[64, 16] datapath F at T;") == "T 0+0 V 0+0 | 64 owner 0");
    CHECK(groups("tmem T: f32[128, 64]; tmem V: f32[128, 32] at T + 32;") == "T 0+0 V 0+32 | 64 owner 0");
    CHECK(groups("let h = 8; tmem T: f32[128, 64]; tmem V: f32[128, 32] at T + 4*h - 16; tmem W: f32[128, 8] "
                 "at V + 24;") == "T 0+0 V 0+16 W 0+40 | 64 owner 0");
}

TEST_CASE("a constant after at is a column of the allocation") {
    CHECK(groups("tmem T: f32[128, 64] at 64;") == "T 0+0 | 64@64 owner 0");
    CHECK(groups("let acc = 8; tmem T: f32[128, 64] at acc + 32;") == "T 0+0 | 64@40 owner 0");
    CHECK(groups("tmem T: f32[128, 64] at 0; tmem U: f32[128, 64] at 64;") ==
          "T 0+0 U 1+0 | 64@0 owner 0| 64@64 owner 1");
}

TEST_CASE("fixed groups that overlap become one, whatever their order") {
    CHECK(groups("tmem T: f32[128, 64] at 0; tmem V: f32[128, 64] at 32;") == "T 0+0 V 0+32 | 96@0 owner 0");
    CHECK(groups("tmem V: f32[128, 64] at 32; tmem F: f32[128, 8]; tmem T: f32[128, 64] at 0; tmem W: "
                 "f32[128, 8] at V + 8;") == "V 1+32 F 0+0 T 1+0 W 1+40 | 8 owner 1| 96@0 owner 0");
    CHECK(groups("tmem A0: f32[128, 8] at 0; tmem A1: f32[128, 8] at 16; tmem A2: f32[128, 64] at 0; tmem "
                 "A3: f32[128, 4] at 62;") == "A0 0+0 A1 0+16 A2 0+0 A3 0+62 | 66@0 owner 0");
    CHECK(groups("for i in 0..2 { tmem T: f32[128, 64] at 64; }") == "T 0+0 T 0+0 | 64@64 owner 0");
}

TEST_CASE("an alias lies inside what it aliases") {
    accepts(body("tmem T: f32[128, 64]; tmem V: f32[128, 32] at T + 32;"));
    refuses(body("tmem T: f32[128, 64]; tmem V: f32[128, 32] at T + 33;"), "TM0490", 2, 47,
            {"`V` takes 32 columns from column 33 of `T`, which has 64", "0 to 32"});
    refuses(body("tmem T: f32[128, 64]; tmem V: f32[128, 32] at T - 1;"), "TM0490", 2, 47, {"column -1"});
    refuses(body("tmem T: f32[128, 64]; tmem V: f32[128, 65] at T;"), "TM0490", 2, 47,
            {"declare the wider buffer first"});
    refuses(body("tmem T: f32[128, 64]; tmem V: f32[128, 16] at T; tmem W: f32[128, 8] at V + 12;"), "TM0490",
            2, 73, {"`V`, which has 16"});
}

TEST_CASE("a fixed buffer lies inside tensor memory") {
    accepts(body("tmem T: f32[128, 64] at 448;"));
    refuses(body("tmem T: f32[128, 64] at 449;"), "TM0491", 2, 25,
            {"64 columns from column 449", "0 to 448"});
    refuses(body("tmem T: f32[128, 64] at 0 - 1;"), "TM0491", 2, 25);
    refuses(body("tmem T: f32[128, 64] at 9223372036854775807;"), "TM0491", 2, 25);
}

TEST_CASE("what stands after at is a buffer or a constant") {
    refuses(body("tmem T: f32[128, 64]; tmem V: f32[128, 8] at 4 + T;"), "TM0203", 2, 50,
            {"`T` is a tmem buffer"});
    refuses(body("frag X: f32[128, 64]; tmem V: f32[128, 8] at X;"), "TM0203", 2, 46, {"`X` is a fragment"});
    refuses(body("tmem V: f32[128, 8] at nowhere;"), "TM0201", 2, 24);
    refuses(body("tmem T: f32[128, 600]; tmem V: f32[128, 8] at T;"), "TM0492", 2, 9);
}

TEST_SUITE_END();

} // namespace tmemc::sema
