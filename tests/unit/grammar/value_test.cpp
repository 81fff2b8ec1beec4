// Values: elementwise arithmetic.
#include "helpers.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

ast::Value value_of(const std::string& text) { return statement<ast::Assign>("Y = " + text + ";").value; }

// A value that is one unary, as a Node.
template <class Node>
Node unary_of(const std::string& text) {
    const ast::Value value = value_of(text);
    CHECK(value.rest.empty());
    CHECK(value.first.rest.empty());
    REQUIRE(std::holds_alternative<Node>(value.first.first.node));
    return std::get<Node>(value.first.first.node);
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("a value is a chain of terms, a term a chain of unaries") {
    const ast::Value value = value_of("X*alpha + 1.0 - -Z % 3 / 2");
    REQUIRE(value.rest.size() == 2);
    CHECK(value.first.rest.at(0).op == '*');
    CHECK(value.rest[0].op == '+');
    CHECK(value.rest[1].op == '-');
    const ast::Term& last = value.rest[1].operand;
    CHECK(std::holds_alternative<ast::ValueNegation>(last.first.node));
    REQUIRE(last.rest.size() == 2);
    CHECK(last.rest[0].op == '%');
    CHECK(last.rest[1].op == '/');
}

TEST_CASE("each kind of unary") {
    CHECK(unary_of<ast::Float>("1e-3").text == "1e-3");
    CHECK(unary_of<ast::Integer>("0x10").text == "0x10");
    CHECK(unary_of<ast::ValueNegation>("--1").operand.size() == 1);
    CHECK(unary_of<ast::Cast>("cast<bf16>(X + 1)").dtype.text == "bf16");
    const auto select = unary_of<ast::Select>("select(a <= -1, b, c + 1)");
    CHECK(select.comparison == "<=");
    REQUIRE(select.operands.size() == 4);
    CHECK(std::holds_alternative<ast::ValueNegation>(select.operands[1].first.first.node));
    CHECK(select.operands[3].rest.size() == 1);
    CHECK(unary_of<ast::ValueCall>("fma(a, b, cols(v))").arguments.size() == 3);
    CHECK(unary_of<ast::Region>("X[:, 3]").slices.value().size() == 2);
    CHECK(unary_of<ast::ValueParen>("(X)").inner.size() == 1);
}

TEST_CASE("every comparison") {
    for (const std::string comparison : {"<", "<=", ">", ">=", "==", "!="}) {
        CAPTURE(comparison);
        CHECK(unary_of<ast::Select>("select(a " + comparison + " b, p, q)").comparison == comparison);
    }
}

TEST_CASE("cast, select, min and max are free as names of regions") {
    CHECK(unary_of<ast::Region>("cast").object.text == "cast");
    CHECK(unary_of<ast::Region>("select[0]").object.text == "select");
    CHECK(unary_of<ast::Select>("select(cast < 1, min, max)").operands.size() == 4);
    CHECK(unary_of<ast::ValueCall>("min(a, b)").function.text == "min");
}

TEST_CASE("values stop where they must") {
    CHECK(mistakes(in_kernel("Y = ;")) == Lines{"2:5 TM0101 expected a value, found `;`"});
    CHECK(mistakes(in_kernel("Y = X * ;")) == Lines{"2:9 TM0101 expected a value, found `;`"});
    CHECK(mistakes(in_kernel("Y = X Z;")) == Lines{"2:7 TM0101 expected `;`, found `Z`"});
    CHECK(mistakes(in_kernel("Y = f();")) == Lines{"2:7 TM0101 expected a value, found `)`"});
    CHECK(mistakes(in_kernel("Y = f(X;")) == Lines{"2:8 TM0101 expected `,` or `)`, found `;`"});
    CHECK(mistakes(in_kernel("Y = (X;")) == Lines{"2:7 TM0101 expected `)`, found `;`"});
    CHECK(mistakes(in_kernel("Y = cast<foo>(X);")) ==
          Lines{"2:10 TM0101 expected an element type, found `foo`"});
    CHECK(mistakes(in_kernel("Y = cast<f16> X;")) == Lines{"2:15 TM0101 expected `(`, found `X`"});
    CHECK(mistakes(in_kernel("Y = select(a, b, c);")) ==
          Lines{"2:13 TM0101 expected a comparison, found `,`"});
    CHECK(mistakes(in_kernel("Y = select(a < b, c);")) == Lines{"2:20 TM0101 expected `,`, found `)`"});
    CHECK(mistakes(in_kernel("Y = select(a < b, c, d, e);")) == Lines{"2:23 TM0101 expected `)`, found `,`"});
    CHECK(mistakes(in_kernel("Y = X == Z;")) == Lines{"2:7 TM0101 expected `;`, found `==`"});
}

TEST_SUITE_END();
