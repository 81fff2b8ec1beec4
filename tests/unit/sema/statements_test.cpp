// Loops, on, wait, sync, let: unrolling, limits, and the note of a mistake met in many turns.
#include "checking.hpp"

#include <chrono>

namespace tmemc::sema {

TEST_SUITE_BEGIN("sema");

namespace {

template <class What>
std::vector<What> all(const Checked& found) {
    std::vector<What> list;
    for (const Statement& each : found.kernel().statements)
        if (const auto* what = std::get_if<What>(&each.what)) list.push_back(*what);
    return list;
}

constexpr std::string_view objects = "tmem T: f32[128, 64]; frag X: f32[128, 8]; frag Y: f32[128, 64];\n";

std::string with_objects(std::string_view statements) {
    return body(fmt::format("{}{}", objects, statements));
}

} // namespace

TEST_CASE("the round trip of the language reference is seven statements") {
    const Checked found =
        accepts("const W = 8;\n"
                "kernel roundtrip(in A: f16[128, W], out B: f16[128, W]) {\n"
                "  tmem T: f16[128, W] datapath D;\n  frag X: f16[128, W];\n  frag Y: f16[128, W];\n"
                "  copy X <- A;\n  copy_async T <- X;\n  wait st;\n  copy_async Y <- T;\n  wait ld;\n"
                "  copy B <- Y;\n}\n");
    const Kernel& kernel = found.kernel();
    REQUIRE(kernel.statements.size() == 6);
    const auto& load = std::get<GlobalCopy>(kernel.statements[0].what);
    CHECK(load.op == GlobalCopy::Op::load);
    CHECK(load.tensor.object == 0);
    CHECK(load.fragment.object == 0);
    CHECK(load.tensor.rows == 128);
    CHECK(load.tensor.cols == 8);
    CHECK(load.path == GlobalCopy::Path::choose);
    const auto& store = std::get<TmemCopy>(kernel.statements[1].what);
    CHECK(store.op == TmemCopy::Op::st);
    CHECK(std::get<Wait>(kernel.statements[2].what) == Wait{false, true});
    CHECK(std::get<TmemCopy>(kernel.statements[3].what).op == TmemCopy::Op::ld);
    CHECK(std::get<TmemCopy>(kernel.statements[3].what).fragment.object == 1);
    CHECK(std::get<Wait>(kernel.statements[4].what) == Wait{true, false});
    const auto& out = std::get<GlobalCopy>(kernel.statements[5].what);
    CHECK(out.op == GlobalCopy::Op::store);
    CHECK(out.tensor.object == 1);
    CHECK(found.source.text(kernel.statements[1].span) == "copy_async T <- X;");
    CHECK(kernel.statements[0].iteration == "");
    CHECK(kernel.statements[0].warpgroup == std::nullopt);
}

TEST_CASE("a loop is unrolled with its variable in the slices") {
    const Checked found = accepts(with_objects("for c in 0..8 { copy_async X <- T[:, c*8 +: 8]; }"));
    const auto copies = all<TmemCopy>(found);
    REQUIRE(copies.size() == 8);
    for (int c = 0; c < 8; ++c) {
        CHECK(copies[static_cast<std::size_t>(c)].buffer.col == 8 * c);
        CHECK(copies[static_cast<std::size_t>(c)].buffer.cols == 8);
    }
    CHECK(found.kernel().statements[3].iteration == "c = 3");
}

TEST_CASE("loops nest, step, and use the variables around them") {
    const Checked found = accepts(with_objects("for i in -2..6 step 3 { for j in i..i + 2 { let p = max(i, "
                                               "0) + j - i; copy_async X <- T[:, p*8 +: 8]; } }"));
    std::vector<int> columns;
    std::string iterations;
    for (const Statement& each : found.kernel().statements) {
        columns.push_back(std::get<TmemCopy>(each.what).buffer.col / 8);
        iterations += each.iteration + "; ";
    }
    CHECK(columns == std::vector<int>{0, 1, 1, 2, 4, 5});
    CHECK(iterations ==
          "i = -2, j = -2; i = -2, j = -1; i = 1, j = 1; i = 1, j = 2; i = 4, j = 4; i = 4, j = 5; ");
}

TEST_CASE("an object declared in a loop is a new one each turn") {
    const Checked found = accepts(with_objects("for c in 0..3 { frag Z: f32[128, 64]; copy_async Z <- T; }"));
    CHECK(found.kernel().fragments.size() == 5);
    const auto copies = all<TmemCopy>(found);
    CHECK(copies[0].fragment.object == 2);
    CHECK(copies[2].fragment.object == 4);
}

TEST_CASE("a step is positive") {
    accepts(with_objects("for c in 0..8 step 8 { sync; }"));
    refuses(with_objects("for c in 0..8 step 0 { sync; }"), "TM0230", 3, 20, {"step of 0"});
    refuses(with_objects("for c in 0..8 step -1 { sync; }"), "TM0230", 3, 20, {"step of -1"});
}

TEST_CASE("a loop without turns is a warning") {
    const Checked found =
        refuses(with_objects("for c in 8..8 { sync; }"), "TM0232", 3, 5, {"from 8 to 8 has no turn"});
    CHECK_FALSE(found.result.diagnostics.has_errors());
    CHECK(found.kernel().statements.empty());
    refuses(with_objects("for c in 8..0 { sync; }"), "TM0232", 3, 5, {"counts upwards"});
}

TEST_CASE("a mistake in a loop is reported once, with the turns in which it was met") {
    refuses(
        with_objects("for c in 0..8 { copy_async X <- T[:, c*16 +: 8]; }"), "TM0241", 3, 38,
        {"slice `64 +: 8` lies outside `T`, which has 64 columns", "with c = 4, and in 3 more iterations"});
    refuses(with_objects("for c in 0..8 { copy_async X <- T[:, c*9 +: 8]; }"), "TM0241", 3, 38,
            {"`63 +: 8`", " | with c = 7\n"});
    refuses(with_objects("for i in 0..2 { for c in 0..3 { copy_async X <- T[:, 60 + c +: 8]; } }"), "TM0241",
            3, 54, {"with i = 0, c = 0, and in 5 more iterations"});
    refuses(with_objects("for c in 0..2 { copy_async X <- U; }"), "TM0201", 3, 33,
            {"with c = 0, and in 1 more iteration\n"});
}

TEST_CASE("a loop whose range fails is walked once, for its other mistakes") {
    const Checked found =
        checked(with_objects("for c in 0..nowhere { copy_async X <- T[:, c*8 +: 8]; copy_async Q <- T; }"));
    CHECK(found.report() == "TM0201 at 3:13: unknown name `nowhere`\nTM0201 at 3:66: unknown name `Q`\n");
}

TEST_CASE("unrolling ends at the limit, which itself is allowed") {
    Options options;
    options.statement_limit = 12;
    accepts(body("for i in 0..12 { sync; }"), options);
    accepts(body("for i in 0..4 { let a = i; sync; wait ld; }"), options);
    accepts(body("for i in 0..3 { for j in 0..4 { sync; } }"), options);
    accepts(body("for i in 0..12 { }"), options);
    refuses(body("for i in 0..13 { sync; }"), "TM0231", 2, 5, {"`k`", "more than 12 statements"}, options);
    const Checked at_once =
        refuses(body("for i in 0..7 { sync; on warpgroup 0 { wait ld; } }"), "TM0231", 2, 5, {}, options);
    CHECK(at_once.report().find("with i =") == std::string::npos); // before the first turn
    refuses(body("for i in 0..3 { for j in 0..5 { sync; } }"), "TM0231", 2, 21, {}, options);
    refuses(body("for i in 0..3 { for j in 0..4 { sync; } sync; }"), "TM0231", 2, 21, {}, options);
    refuses(body("for i in 0..13 { }"), "TM0231", 2, 5, {}, options);
    refuses(body("for i in 0..4 { for j in 0..4 { } }"), "TM0231", 2, 21, {}, options);
}

TEST_CASE("beyond the limit every mistake is still found, once") {
    Options options;
    options.statement_limit = 12;
    const Checked found =
        checked(body("for i in 0..13 { copy B <- P; }\nfor i in 0..4000 { copy B <- Q; }"), options);
    CHECK(found.report().find("TM0231 at 2:5") == 0);
    CHECK(found.report().find("unknown name `P`") != std::string::npos);
    CHECK(found.report().find("unknown name `Q`") != std::string::npos);
    CHECK(found.result.diagnostics.list.size() == 3);
}

TEST_CASE("endless loops are refused before they are unrolled") {
    const auto start = std::chrono::steady_clock::now();
    refuses(body("for i in 0..2147483648 { }"), "TM0231", 2, 5, {"1000000"});
    refuses(body("for i in -9223372036854775808..9223372036854775807 { sync; }"), "TM0231", 2, 5);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(1));
    Options options;
    options.statement_limit = 1000;
    refuses(body("for i in 0..1000 { for j in 0..1000 { for l in 0..1000 { sync; } } }"), "TM0231", 2, 43, {},
            options);
}

TEST_CASE("what is too much together is refused before any of it is unrolled") {
    const auto statements = [](const Checked& found) {
        return found.result.program.kernels.front().statements.size();
    };
    // Each half alone would be allowed.
    const std::string half = "for i in 0..1000 { on warpgroup 0 { for j in 0..(W - 1) { wait ld; } } }\n";
    const Checked loops = checked("const W = 801;\nkernel k() {\n" + half + half + "}");
    CHECK(loops.report().find("TM0231 at 4:41") == 0);
    CHECK(statements(loops) < 10);
    Options few;
    few.statement_limit = 50;
    const Checked written =
        checked(body("sync;\nfor i in 0..39 { sync; }\nsync;\nfor i in 0..4 { sync; sync; }\nsync;"), few);
    CHECK(written.report().find("TM0231") == std::string::npos);
    const Checked flat = checked(body("for i in 0..49 { sync; }\nsync;\nsync;\nsync;"), few);
    CHECK(flat.report().find("TM0231 at 4:1") == 0);
    CHECK(statements(flat) < 10);
}

TEST_CASE("ten thousand copies share their images") {
    const Checked found =
        accepts(body("tmem T: f32[128, 512];\nfor i in 0..100 { for c in 0..100 { frag X: f32[128, 4]; "
                     "copy_async X <- T[:, c*4 +: 4]; } }"));
    CHECK(found.kernel().statements.size() == 10000);
    CHECK(found.kernel().fragments.size() == 10000);
    CHECK(found.kernel().fragment_images.size() == 1);
}

TEST_CASE("on restricts statements to one warpgroup") {
    const Checked found = accepts("kernel k() warpgroups(2) { tmem T: f32[128, 8]; frag X: f32[128, 8]; on "
                                  "warpgroup 1 { copy_async X <- T; } sync; }");
    CHECK(found.kernel().statements[0].warpgroup == 1);
    CHECK(found.kernel().statements[1].warpgroup == std::nullopt);
    refuses("kernel k() warpgroups(2) { on warpgroup 2 { } }", "TM0233", 1, 41,
            {"no warpgroup 2", "`k` has 2"});
    refuses("kernel k() warpgroups(2) { on warpgroup -1 { } }", "TM0233", 1, 41);
    accepts("kernel k() warpgroups(2) { on warp 7 { } }");
    refuses("kernel k() warpgroups(2) { on warp 8 { } }", "TM0233", 1, 36, {"no warp 8", "has 8"});
}

TEST_CASE("on inside on may only narrow") {
    accepts("kernel k() warpgroups(2) { on warpgroup 1 { on warpgroup 1 { on warp 5 { on warp 5 { } } } } }");
    refuses("kernel k() warpgroups(2) { on warpgroup 1 { on warpgroup 0 { } } }", "TM0234", 1, 58,
            {"warpgroup 0 never runs this block", "`on warpgroup 1`"});
    refuses("kernel k() warpgroups(2) { on warpgroup 1 { on warp 3 { } } }", "TM0234", 1, 53, {"warp 3"});
    refuses("kernel k() warpgroups(2) { on warp 5 { on warp 4 { } } }", "TM0234", 1, 48, {"`on warp 5`"});
}

TEST_CASE("what needs a whole warpgroup is refused inside on warp") {
    accepts(with_objects("on warpgroup 0 { copy_async Y <- T; }"));
    refuses(with_objects("on warp 0 { copy_async Y <- T; }"), "TM0235", 3, 13,
            {"copy_async needs a whole warpgroup", "warp 0", "on warpgroup 0"});
    refuses(with_objects("on warp 0 { copy Y <- A; }"), "TM0235", 3, 13, {"copy needs"});
    refuses(with_objects("on warp 0 { wait ld; }"), "TM0235", 3, 13, {"wait needs"});
    refuses(with_objects("on warp 0 { Y = 0.0; }"), "TM0235", 3, 13, {"fragment arithmetic"});
}

TEST_CASE("sync is everyone's") {
    accepts(with_objects("for i in 0..2 { sync; }"));
    refuses(with_objects("on warpgroup 0 { sync; }"), "TM0236", 3, 18, {"`on warpgroup`", "whole CTA"});
    refuses(with_objects("on warp 0 { for i in 0..1 { sync; } }"), "TM0236", 3, 29, {"`on warp`"});
}

TEST_CASE("wait names each kind once") {
    CHECK(all<Wait>(accepts(body("wait st, ld;"))) == std::vector<Wait>{{true, true}});
    refuses(body("wait st,\nld, ld;"), "TM0205", 3, 5, {"`ld`", "3: first here"});
}

TEST_CASE("shared memory is not supported yet, nor its uses reported") {
    refuses(with_objects("smem S: f32[128, 64];\ncopy S <- Y;\ncopy_async T <- S;"), "TM0290", 3, 1,
            {"a `smem` buffer is not supported yet"});
}

TEST_CASE("programs that are equal compare equal") {
    const std::string text = with_objects("for c in 0..8 { copy_async X <- T[:, c*8 +: 8]; }");
    CHECK(checked(text).program() == checked(text).program());
    CHECK_FALSE(checked(text).program() ==
                checked(with_objects("for c in 0..7 { copy_async X <- T[:, c*8 +: 8]; }")).program());
}

TEST_SUITE_END();

} // namespace tmemc::sema
