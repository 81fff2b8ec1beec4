// Places: each node spans its first token to its last, whatever blanks and comments stand around.
#include "helpers.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

const std::string program = R"(
const   W = 8 + 2 * ( 3 ) ;  // eight
kernel k ( in A : f16 [ 128 , W ] pitch 4 , s : f32 )  grid ( 2 ) {
  tmem T : f16 [ 64 , W ] datapath F /* here */ at U + 4 ;
  for i in 0 .. 8 step - 1 { copy X [ : , 1 +: 2 ] <- A masked ; }
  Y = cast < f16 > ( X ) * select ( a < b , c , d ) ;
}   /* blanks */
function f ( out frag X : f32 [ 8 ] layout S [ ( 8 , 2 ) : 1 @ m ] + R [ 2 : 4 ] + 3 @ laneid  ) { }
test "t"  {
  A = random ( seed : -1 ) ;
  expect B [ r ] ~= A rtol 1e-3 ;
}
)";

struct Program {
    base::Source source{"test.tmx", program};
    ast::Module module = parse(source).module;
    [[nodiscard]] std::string text(const auto& node) const { return std::string(source.text(node.place)); }
    template <class Node>
    [[nodiscard]] const Node& item(std::size_t i) const {
        return std::get<Node>(module.items.at(i).node);
    }
};

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("places of constants and expressions") {
    const Program p;
    const auto& constant = p.item<ast::Const>(0);
    CHECK(p.text(constant) == "const   W = 8 + 2 * ( 3 ) ;");
    CHECK(p.text(constant.name) == "W");
    CHECK(p.text(constant.value) == "8 + 2 * ( 3 )");
    CHECK(p.text(constant.value.first) == "8");
    const ast::Product& product = constant.value.rest.at(0).operand;
    CHECK(p.text(product) == "2 * ( 3 )");
    CHECK(p.text(std::get<ast::Integer>(product.first.node)) == "2");
    CHECK(p.text(std::get<ast::Paren>(product.rest.at(0).operand.node)) == "( 3 )");
}

TEST_CASE("places of a kernel and its statements") {
    const Program p;
    const auto& kernel = p.item<ast::Kernel>(1);
    CHECK(p.text(kernel).starts_with("kernel k ("));
    CHECK(p.text(kernel).ends_with(";\n}"));
    CHECK(p.text(kernel.clauses.at(0)) == "grid ( 2 )");
    const auto& tensor = std::get<ast::TensorParameter>(kernel.parameters.at(0).node);
    CHECK(p.text(tensor) == "in A : f16 [ 128 , W ] pitch 4");
    CHECK(p.text(tensor.tensor) == "f16 [ 128 , W ]");
    CHECK(p.text(tensor.attributes.at(0)) == "pitch 4");
    CHECK(p.text(std::get<ast::ScalarParameter>(kernel.parameters.at(1).node)) == "s : f32");

    const auto& tmem = std::get<ast::Tmem>(kernel.body.statements.at(0).node);
    CHECK(p.text(tmem) == "tmem T : f16 [ 64 , W ] datapath F /* here */ at U + 4 ;");
    CHECK(p.text(tmem.attributes.at(0)) == "datapath F");
    CHECK(p.text(tmem.attributes.at(1)) == "at U + 4");

    const auto& loop = std::get<ast::For>(kernel.body.statements.at(1).node);
    CHECK(p.text(loop).starts_with("for i"));
    CHECK(p.text(loop.step.value()) == "- 1");
    CHECK(p.text(loop.body) == "{ copy X [ : , 1 +: 2 ] <- A masked ; }");
    const auto& copy = std::get<ast::Copy>(loop.body.statements.at(0).node);
    CHECK(p.text(copy) == "copy X [ : , 1 +: 2 ] <- A masked ;");
    CHECK(p.text(copy.target) == "X [ : , 1 +: 2 ]");
    CHECK(p.text(std::get<ast::Range>(copy.target.slices.value().at(0).node)) == ":");
    CHECK(p.text(std::get<ast::Window>(copy.target.slices.value().at(1).node)) == "1 +: 2");
    CHECK(p.text(copy.source) == "A");
    CHECK(p.text(copy.modes.at(0)) == "masked");

    const auto& assign = std::get<ast::Assign>(kernel.body.statements.at(2).node);
    const ast::Term& term = assign.value.first;
    CHECK(p.text(term) == "cast < f16 > ( X ) * select ( a < b , c , d )");
    CHECK(p.text(std::get<ast::Cast>(term.first.node)) == "cast < f16 > ( X )");
    CHECK(p.text(std::get<ast::Select>(term.rest.at(0).operand.node)) == "select ( a < b , c , d )");
}

TEST_CASE("places of a layout") {
    const Program p;
    const auto& frag = std::get<ast::FragParameter>(p.item<ast::Function>(2).parameters.at(0).node);
    CHECK(p.text(frag).starts_with("out frag X"));
    CHECK(p.text(frag).ends_with("@ laneid"));
    CHECK(p.text(frag.object).starts_with("frag X"));
    const auto& layout = std::get<ast::Layout>(frag.object.attributes.at(0).value.node);
    CHECK(p.text(layout).starts_with("S ["));
    CHECK(p.text(layout.shard) == "[ ( 8 , 2 ) : 1 @ m ]");
    CHECK(p.text(layout.shard.extents) == "( 8 , 2 )");
    CHECK(p.text(layout.shard.strides.entries.at(0)) == "1 @ m");
    CHECK(p.text(layout.replica.value()) == "[ 2 : 4 ]");
    CHECK(p.text(layout.offsets.at(0)) == "+ 3 @ laneid");
}

TEST_CASE("places in a test") {
    const Program p;
    const auto& test = p.item<ast::Test>(3);
    CHECK(p.text(test.title) == "\"t\"");
    const auto& given = std::get<ast::Given>(test.statements.at(0).node);
    const auto& call = std::get<ast::GeneratorCall>(given.generator.node);
    CHECK(p.text(given) == "A = random ( seed : -1 ) ;");
    CHECK(p.text(call) == "random ( seed : -1 )");
    CHECK(p.text(std::get<ast::Number>(call.argument.node)) == "-1");
    const auto& expect = std::get<ast::ExpectValue>(test.statements.at(1).node);
    CHECK(p.text(expect) == "expect B [ r ] ~= A rtol 1e-3 ;");
    CHECK(p.text(expect.value) == "A");
    CHECK(p.text(expect.rtol.value()) == "1e-3");
}

TEST_SUITE_END();
