// Names: scopes, duplicates, near names, and silence about names that failed.
#include "checking.hpp"

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

TEST_CASE("an unknown name is refused, with the near one and where it is declared") {
    refuses(body("frag Acc: f32[128, 64];\ncopy Axc <- A;"), "TM0201", 3, 6,
            {"`Axc`", "2: `Acc` is declared here", "did you mean `Acc`?"});
    accepts(body("frag Acc: f32[128, 64];\ncopy Acc <- A;"));
    refuses("const W = 8;\nkernel k(in A: f32[128, w]) { }", "TM0201", 2, 25, {"`w`", "did you mean `W`?"});
}

TEST_CASE("a near name is one of a kind that fits") {
    const Checked found =
        refuses(body("let Tx = 1;\nfrag X: f32[128, 64];\ncopy X <- Ty;"), "TM0201", 4, 11, {"`Ty`"});
    CHECK(found.report().find("did you mean") == std::string::npos);
}

TEST_CASE("a missing declaration is reported once, a slip at each place") {
    refuses(body("frag X: f32[128, 64];\ncopy X <- missing;\ncopy B <- missing;\nfor i in 0..3 { copy X <- "
                 "missing; }"),
            "TM0201", 3, 11);
    const Checked slips = checked(body("frag Accu: f32[128, 64];\ncopy Acu <- A;\ncopy B <- Acu;"));
    CHECK(slips.result.diagnostics.list.size() == 2);
}

TEST_CASE("a name declared twice is refused with the first place, and keeps its first meaning") {
    refuses(body("frag X: f32[128, 64];\nfrag X: f32[128, 8];\ncopy X <- A;"), "TM0202", 3, 6,
            {"`X`", "2: declared here first"});
    refuses("const W = 8;\nconst W = 9;", "TM0202", 2, 7, {"1: declared here first"});
    refuses("kernel k() { }\nkernel k() { }", "TM0202", 2, 8, {"`k`"});
    refuses("const k = 1;\nkernel k() { }", "TM0202", 2, 8, {"`k`"});
    refuses("kernel k(in A: f32[128, 8], out A: f32[128, 8]) { }", "TM0202", 1, 33, {"`A`"});
    accepts("kernel k(in A: f32[128, 8], out B: f32[128, 8]) { }");
    const Checked used = checked(body("frag X: f32[128, 64];\nfrag X: f32[128, 64];\ncopy X <- A[:, 0:8];"));
    CHECK(used.report().find("TM0202 at 3:6") == 0);
    CHECK(used.report().find("TM0256 at 4:1") != std::string::npos);
}

TEST_CASE("a name of two kinds, or of two blocks, means nothing where both may be meant") {
    refuses(body("frag X: f32[128, 64];\nlet X = 8;\ncopy X <- A[:, 0:X];"), "TM0202", 3, 5);
    refuses(body("frag X: f32[128, 64];\nfor i in 0..1 {\nfrag X: f32[128, 8];\ncopy X <- A[:, 0:8];\n}"),
            "TM0202", 4, 6);
}

TEST_CASE("names do not shadow, of whatever kind") {
    refuses("const W = 8;\nkernel k() { let W = 1; }", "TM0202", 2, 18, {"names do not shadow"});
    refuses(body("for i in 0..2 {\n  for i in 0..2 { }\n}"), "TM0202", 3, 7,
            {"with i = 0, and in 1 more iteration"});
    refuses(body("let c = 1;\nfor c in 0..2 { sync; }"), "TM0202", 3, 5);
    refuses(body("frag A: f32[128, 64];"), "TM0202", 2, 6, {"1: declared here first"});
}

TEST_CASE("a name lives to the end of its block, and the next block may use it again") {
    accepts(body("for i in 0..2 { let x = i; frag X: f32[128, 64]; copy X <- A; }\nfor i in 0..2 { let x = "
                 "i; }\nlet x = 3;"));
    refuses(body("for i in 0..1 { frag X: f32[128, 64]; }\ncopy X <- A;"), "TM0201", 3, 6, {"`X`"});
    accepts("kernel a() { let x = 1; }\nkernel b() { let x = 1; }");
}

TEST_CASE("a duplicate is forgotten with its block") {
    const Checked found = checked("const W = 8;\nkernel a() { let W = 1; }\nkernel b(in A: f32[128, 64]) { "
                                  "frag X: f32[128, W]; copy X <- A; }");
    CHECK(found.report().find("TM0202 at 2:18") == 0);
    CHECK(found.report().find("TM0256 at 3:53") != std::string::npos);
}

TEST_CASE("a declaration in error is reported once, and its uses are not") {
    refuses(body("frag X: f32[128, 0];\ncopy X <- A;\ncopy B <- X[:, 0:4];\nX = 0.0;"), "TM0212", 2, 18,
            {"`X` is 0"});
    refuses(body("let a = nowhere;\nlet b = a + 1;\nfor i in a..b { frag X: f32[128, 64]; copy X[i, :] <- "
                 "C[i, :]; }"),
            "TM0201", 2, 9);
}

TEST_CASE("a name of the wrong kind is refused with what it is") {
    refuses(body("frag X: f32[128, 64];\ncopy X <- k;"), "TM0203", 3, 11,
            {"`k` is a kernel", "a tensor, a fragment or a tmem buffer"});
    refuses(body("frag X: f32[128, 64];\nlet a = X + 1;"), "TM0203", 3, 9,
            {"`X` is a fragment", "an integer constant"});
    refuses("kernel k(s: f32) { frag X: f32[128, 8]; copy X <- s; }", "TM0203", 1, 51,
            {"`s` is a scalar parameter"});
    refuses(body("let W = 8;\nW();"), "TM0203", 3, 1, {"`W` is a constant", "a function"});
}

TEST_CASE("a let sees what stands before it, not itself") {
    accepts(body("let a = 3;\nlet b = a * a;"));
    refuses(body("let a = a;"), "TM0201", 2, 9);
}

TEST_CASE("independent mistakes are all reported, in the order of the source") {
    const Checked found = checked("const W = 1 / 0;\nkernel k(in A: f32[128, 0]) grid(0) {\n  frag X: "
                                  "f32[64, 8];\n  wait ld;\n  copy Y <- Z;\n}\ntarget sm_1;");
    CHECK(found.report().find("TM0210 at 1:11") == 0);
    std::string codes;
    for (const base::Diagnostic& each : found.result.diagnostics.list)
        codes += std::string(each.kind->code) + " ";
    CHECK(codes == "TM0210 TM0212 TM0219 TM0305 TM0201 TM0201 TM0605 ");
}

TEST_SUITE_END();

} // namespace tmemc::sema
