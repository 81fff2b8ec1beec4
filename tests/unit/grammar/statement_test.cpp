// Statements and declarations: what is accepted, with the tree where it is not plain, and what is not, with
// the column.
#include "helpers.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

std::string text_of(const std::vector<ast::Name>& names) {
    std::string all;
    for (const ast::Name& name : names) all += name.text + " ";
    return all;
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("a tmem declaration takes its attributes in any order") {
    const auto tmem = statement<ast::Tmem>("tmem T: f16[64, 8] at acc + 32 unpacked sub_slab 1 datapath F;");
    CHECK(tmem.name.text == "T");
    CHECK(tmem.tensor.dtype.text == "f16");
    CHECK(tmem.tensor.extents.size() == 2);
    using Kind = ast::Attribute::Kind;
    REQUIRE(tmem.attributes.size() == 4);
    CHECK(tmem.attributes[0].kind == Kind::at);
    CHECK(print(std::get<ast::Expr>(tmem.attributes[0].value.node)) == "acc + 32");
    CHECK(tmem.attributes[1].kind == Kind::unpacked);
    CHECK(std::holds_alternative<std::monostate>(tmem.attributes[1].value.node));
    CHECK(tmem.attributes[2].kind == Kind::sub_slab);
    CHECK(tmem.attributes[3].kind == Kind::datapath);
    CHECK(std::get<ast::Name>(tmem.attributes[3].value.node).text == "F");
    CHECK(statement<ast::Tmem>("tmem T: f16[64, 8];").attributes.empty());
}

TEST_CASE("frag and smem have attributes of their own") {
    CHECK(statement<ast::Frag>("frag X: f32[128] atom 16x256b;").attributes.size() == 1);
    CHECK(statement<ast::Smem>("smem S: f32[128, 32] swizzle 128 layout S[8 : 1];").attributes.size() == 2);
    CHECK(mistakes(in_kernel("frag X: f32[8] datapath D;")) ==
          Lines{"2:16 TM0101 expected `;`, found `datapath`"});
    CHECK(mistakes(in_kernel("frag X: f32[8] atom 32;")) ==
          Lines{"2:21 TM0101 expected an atom, found `32`"});
    CHECK(mistakes(in_kernel("tmem T: f32[8] datapath DD;")) ==
          Lines{"2:25 TM0101 expected a datapath, found `DD`"});
    CHECK(mistakes(in_kernel("tmem T: f32[8] atom 32x32b;")) ==
          Lines{"2:16 TM0101 expected `;`, found `atom`"});
    CHECK(mistakes(in_kernel("tmem T;")) == Lines{"2:7 TM0101 expected `:`, found `;`"});
    CHECK(mistakes(in_kernel("tmem : f32[8];")) == Lines{"2:6 TM0101 expected a name, found `:`"});
    CHECK(mistakes(in_kernel("tmem T: f32[8] at;")) ==
          Lines{"2:18 TM0101 expected an expression, found `;`"});
    CHECK(mistakes(in_kernel("smem T: f32[8] layout T;")) ==
          Lines{"2:23 TM0101 expected a layout `S[...]`, found `T`"});
}

TEST_CASE("a layout literal has shard, replica and offsets") {
    const auto frag = statement<ast::Frag>(
        "frag X: f32[128, 8] layout S[(128, 8) : (1@laneid, 1)] + R[2 : 4@m] + 3@tid_in_wg + R + 2*n;");
    const auto& layout = std::get<ast::Layout>(frag.attributes.at(0).value.node);
    REQUIRE(layout.shard.extents.entries.size() == 2);
    REQUIRE(layout.shard.strides.entries.size() == 2);
    CHECK(layout.shard.strides.entries[0].axis.value().text == "laneid");
    CHECK_FALSE(layout.shard.strides.entries[1].axis.has_value());
    CHECK(layout.replica.value().strides.entries.at(0).axis.value().text == "m");
    REQUIRE(layout.offsets.size() == 3);
    CHECK(layout.offsets[0].axis.value().text == "tid_in_wg");
    CHECK(std::get<ast::Name>(layout.offsets[1].value.first.node).text == "R");
    CHECK(layout.offsets[2].value.rest.size() == 1);
}

TEST_CASE("a bracket in a layout is the list's only when the list ends behind it") {
    const auto shard = [](const std::string& digits) {
        const auto frag = statement<ast::Frag>("frag X: f32[8] layout S[" + digits + "];");
        return std::get<ast::Layout>(frag.attributes.at(0).value.node).shard;
    };
    CHECK(shard("(2) : (1)") == shard("2 : 1"));
    CHECK(shard("(2)*3 : (1)@m").extents.entries.at(0).value.first.rest.size() == 1);
    CHECK(shard("(2)*3 : (1)@m").strides.entries.at(0).axis.value().text == "m");
    CHECK(shard("((2)) : 1") != shard("2 : 1"));
    CHECK(shard("((2), 3) : (1, (1))").extents.entries.size() == 2);
    CHECK(mistakes(in_kernel("frag X: f32[8] layout S[(2, 3 : 1];")) ==
          Lines{"2:27 TM0101 expected `)`, found `,`"});
    CHECK(mistakes(in_kernel("frag X: f32[8] layout S[2 : 1@lane];")) ==
          Lines{"2:31 TM0101 expected an axis, found `lane`"});
    CHECK(mistakes(in_kernel("frag X: f32[8] layout S[2];")) == Lines{"2:26 TM0101 expected `:`, found `]`"});
    CHECK(mistakes(in_kernel("frag X: f32[8] layout S[2 : 1, 3];")) ==
          Lines{"2:30 TM0101 expected `]`, found `,`"});
}

TEST_CASE("copies, waits and sync") {
    const auto copy = statement<ast::Copy>("copy X[0:64, :] <- A masked direct staged;");
    CHECK(text_of(copy.modes) == "masked direct staged ");
    CHECK(statement<ast::Copy>("copy X <- A;").modes.empty());
    CHECK(statement<ast::CopyAsync>("copy_async X <- T;").source.object.text == "T");
    CHECK(text_of(statement<ast::Wait>("wait ld, st, ld;").kinds) == "ld st ld ");
    (void)statement<ast::Sync>("sync;");
    CHECK(mistakes(in_kernel("copy X <- ;")) == Lines{"2:11 TM0101 expected a region, found `;`"});
    CHECK(mistakes(in_kernel("copy_async X <- A masked;")) ==
          Lines{"2:19 TM0101 expected `;`, found `masked`"});
    CHECK(mistakes(in_kernel("wait;")) == Lines{"2:5 TM0101 expected `ld` or `st`, found `;`"});
    CHECK(mistakes(in_kernel("wait ld,;")) == Lines{"2:9 TM0101 expected `ld` or `st`, found `;`"});
    CHECK(mistakes(in_kernel("wait ld st;")) == Lines{"2:9 TM0101 expected `;`, found `st`"});
    CHECK(mistakes(in_kernel("sync 3;")) == Lines{"2:6 TM0101 expected `;`, found `3`"});
}

TEST_CASE("let, assignments and calls") {
    CHECK(print(statement<ast::Let>("let b = cta.x*128;").value) == "cta.x*128");
    CHECK(statement<ast::Assign>("Y[:, 0] = X;").target.slices.value().size() == 2);
    CHECK(statement<ast::Call>("f(T, X[0:8], 1.5);").arguments.size() == 3);
    CHECK(statement<ast::Call>("f();").arguments.empty());
    CHECK(statement<ast::Call>("select(1);").function.text == "select");
    CHECK(mistakes(in_kernel("let b cta.x;")) == Lines{"2:7 TM0101 expected `=`, found `cta`"});
    CHECK(mistakes(in_kernel("f(T;")) == Lines{"2:4 TM0101 expected `,` or `)`, found `;`"});
    CHECK(mistakes(in_kernel("f(T, );")) == Lines{"2:6 TM0101 expected a value, found `)`"});
    CHECK(mistakes(in_kernel("Y;")) == Lines{"2:1 TM0101 expected a statement, found `Y`"});
    CHECK(mistakes(in_kernel("Y[0];")) == Lines{"2:5 TM0101 expected `=`, found `;`"});
    CHECK(mistakes(in_kernel(";")) == Lines{"2:1 TM0101 expected a statement, found `;`"});
}

TEST_CASE("for and on have blocks, which nest") {
    const auto loop = statement<ast::For>("for i in 0..8 { for j in i..2*i step 2 { sync; } on warp 3 { } }");
    CHECK_FALSE(loop.step.has_value());
    REQUIRE(loop.body.statements.size() == 2);
    const auto& inner = std::get<ast::For>(loop.body.statements[0].node);
    CHECK(print(inner.to) == "2*i");
    CHECK(print(inner.step.value()) == "2");
    CHECK(inner.body.statements.size() == 1);
    CHECK(std::get<ast::On>(loop.body.statements[1].node).unit.text == "warp");
    CHECK(statement<ast::On>("on warpgroup W - 1 { }").body.statements.empty());
    CHECK(mistakes(in_kernel("for i = 0..8 { }")) == Lines{"2:7 TM0101 expected `in`, found `=`"});
    CHECK(mistakes(in_kernel("for i in 0:8 { }")) == Lines{"2:11 TM0101 expected `..`, found `:`"});
    CHECK(mistakes(in_kernel("for i in 0..8 step { }")) ==
          Lines{"2:20 TM0101 expected an expression, found `{`"});
    CHECK(mistakes(in_kernel("for i in 0..8 sync;")) == Lines{"2:15 TM0101 expected `{`, found `sync`"});
    CHECK(mistakes(in_kernel("on 0 { }")) == Lines{"2:4 TM0101 expected `warpgroup` or `warp`, found `0`"});
    CHECK(mistakes(in_kernel("{ sync; }")) == Lines{"2:1 TM0101 expected a statement, found `{`"});
}

TEST_SUITE_END();
