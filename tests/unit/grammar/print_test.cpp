// Trees to text: the canonical form, and the law parse(print(tree)) == tree.
#include "helpers.hpp"
#include "random_tree.hpp"

#include <typeinfo>

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

// Each alternative of a variant must have been drawn.
template <class... Nodes>
void check_drawn(const std::map<std::type_index, int>& drawn, const std::variant<std::monostate, Nodes...>*) {
    const auto check = [&](const std::type_info& type) {
        CAPTURE(type.name());
        CHECK(drawn.count(std::type_index(type)) == 1);
    };
    (check(typeid(Nodes)), ...);
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("printing a random tree and parsing it gives the tree") {
    std::map<std::type_index, int> drawn;
    std::map<ast::Attribute::Kind, int> attributes;
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        RandomTree random(seed);
        const ast::Module tree = random.module();
        const std::string text = print(tree);
        CAPTURE(text);
        const Lines found = mistakes(text);
        REQUIRE(found == Lines{});
        REQUIRE(parse_text(text).module == tree);
        for (const auto& [type, times] : random.drawn()) drawn[type] += times;
        for (const auto& [kind, times] : random.attributes_drawn()) attributes[kind] += times;
    }
    using Others = std::variant<std::monostate, ast::Expr, ast::Product, ast::Tensor, ast::Layout,
                                ast::Digits, ast::List, ast::Entry, ast::Offset, ast::Attribute, ast::Value,
                                ast::Term, ast::Block, ast::Clause>;
    check_drawn(drawn, static_cast<decltype(ast::Factor::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Slice::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Unary::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Statement::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Parameter::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::FunctionParameter::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::TestStatement::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Item::node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Number::magnitude.node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::GeneratorCall::argument.node)*>(nullptr));
    check_drawn(drawn, static_cast<decltype(ast::Given::generator.node)*>(nullptr));
    check_drawn(drawn, static_cast<Others*>(nullptr));
    CHECK(attributes.size() == 9);
}

TEST_CASE("the canonical form") {
    const std::string text = R"(target sm_103a;
const W = 8*(2 + 1);

kernel k(in A: f16[M, W] pitch W + 1 align 16, M: u32) grid(M/128, 2) warpgroups(2) cta_group 1 {
  tmem T: f16[64, W] datapath F sub_slab 1 unpacked at U + 4;
  frag X: f32[128, 8] layout S[(4, 32, 8) : (1@wid_in_wg, 1@laneid, 1)] + R[2 : 4@m] + 3*n@m;
  smem S: u8[8] swizzle 128;
  for i in 0..8 step 2 {
    on warpgroup i%2 {
      copy_async X[:, i*8 +: 8] <- T[1:, :2, a + 1 : -b, cta.x];
    }
  }
  wait ld, st;
  sync;
  Y[0:64] = -X*alpha + select(a <= -1.0, min(b, c), cast<f16>((d)));
  copy A[i + 1 :, : 3 - i] <- Y masked staged;
  f(T, 2.0);
  on warp 3 {}
}

function f(tmem T: f32[128, 8] datapath D, inout frag X: f32[64, 8] atom 16x256b) {}

test "a \"b\" \\" {
  A = random(seed: -1);
  s = 2.0;
  run k;
  expect B[r, c] ~= A[32*(r/16) + r%16, c] rtol 1e-3 atol 1;
  expect fault TM0703;
}
)";
    std::string printed = print(module_of(text));
    // Values are spaced, integer expressions are tight; the text above writes one product of values tight.
    std::string expected = text;
    expected.replace(expected.find("-X*alpha"), 8, "-X * alpha");
    CHECK(printed == expected);
    CHECK(print(module_of(printed)) == printed);
}

TEST_CASE("an expression alone") {
    const auto constant = item<ast::Const>("const A = -( c*32+1 ) % 0x1f - min(a,b)/cta . x;");
    CHECK(print(constant.value) == "-(c*32 + 1)%0x1f - min(a, b)/cta.x");
}

TEST_CASE("an empty module prints nothing") { CHECK(print(ast::Module{}).empty()); }

TEST_SUITE_END();
