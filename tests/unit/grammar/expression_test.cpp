// Integer expressions, slices, regions, tensor types: what the tree looks like, and where a rule stops.
#include "helpers.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

// The tree of an expression with a bracket around every chain, so that its shape shows.
std::string shape(const ast::Expr& expr);
std::string shape(const ast::Factor& factor) {
    struct Visitor {
        std::string operator()(std::monostate) const { return "?"; }
        std::string operator()(const ast::Negation& node) const {
            return "neg(" + shape(node.operand.at(0)) + ")";
        }
        std::string operator()(const ast::Integer& node) const { return node.text; }
        std::string operator()(const ast::CtaIndex& node) const { return "cta:" + node.axis.text; }
        std::string operator()(const ast::MinMax& node) const {
            REQUIRE(node.arguments.size() == 2);
            return node.function.text + "(" + shape(node.arguments[0]) + "|" + shape(node.arguments[1]) + ")";
        }
        std::string operator()(const ast::Name& node) const { return node.text; }
        std::string operator()(const ast::Paren& node) const { return "(" + shape(node.inner.at(0)) + ")"; }
    };
    return std::visit(Visitor{}, factor.node);
}
std::string shape(const ast::Product& product) {
    std::string result = shape(product.first);
    for (const auto& step : product.rest) result = "[" + result + step.op + shape(step.operand) + "]";
    return result;
}
std::string shape(const ast::Expr& expr) {
    std::string result = shape(expr.first);
    for (const auto& step : expr.rest) result = "[" + result + step.op + shape(step.operand) + "]";
    return result;
}
std::string shape_of(const std::string& text) {
    return shape(item<ast::Const>("const A = " + text + ";").value);
}

const auto& slice_of(const ast::CopyAsync& copy, std::size_t index) {
    return copy.target.slices.value().at(index).node;
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("an expression is left-associative, and a product binds tighter than a sum") {
    CHECK(shape_of("1 + 2*3 - 4") == "[[1+[2*3]]-4]");
    CHECK(shape_of("8/4/2%3*5") == "[[[[8/4]/2]%3]*5]");
    CHECK(shape_of("(1 + 2)*3") == "[([1+2])*3]");
    CHECK(shape_of("-a*b") == "[neg(a)*b]");
    CHECK(shape_of("- -1 - -2") == "[neg(neg(1))-neg(2)]");
    CHECK(shape_of("0x1f + 1_000") == "[0x1f+1_000]");
    CHECK(shape_of("min(a, max(b + 1, 2)) + cta.y") == "[min(a|max([b+1]|2))+cta:y]");
    CHECK(shape_of("min + max*cta - x") == "[[min+[max*cta]]-x]");
}

TEST_CASE("a slice is a range, a window or a point") {
    const auto copy = statement<ast::CopyAsync>("copy_async X[:, 1:, :2, 1:2, a + 1 +: b*2, c + 1] <- T;");
    REQUIRE(copy.target.slices.value().size() == 6);
    const auto range = [&](std::size_t i) { return std::get<ast::Range>(slice_of(copy, i)); };
    CHECK((!range(0).from && !range(0).to));
    CHECK((range(1).from && !range(1).to));
    CHECK((!range(2).from && range(2).to));
    CHECK(shape(range(3).from.value()) == "1");
    CHECK(shape(range(3).to.value()) == "2");
    CHECK(shape(std::get<ast::Window>(slice_of(copy, 4)).base) == "[a+1]");
    CHECK(shape(std::get<ast::Window>(slice_of(copy, 4)).width) == "[b*2]");
    CHECK(shape(std::get<ast::Point>(slice_of(copy, 5)).index) == "[c+1]");
    CHECK_FALSE(copy.source.slices.has_value());
}

TEST_CASE("expressions stop where they must") {
    CHECK(mistakes("const A = ;") == Lines{"1:11 TM0101 expected an expression, found `;`"});
    CHECK(mistakes("const A = 1 + ;") == Lines{"1:15 TM0101 expected an expression, found `;`"});
    CHECK(mistakes("const A = 1 * * 2;") == Lines{"1:15 TM0101 expected an expression, found `*`"});
    CHECK(mistakes("const A = (1 + 2;") == Lines{"1:17 TM0101 expected `)`, found `;`"});
    CHECK(mistakes("const A = 1 2;") == Lines{"1:13 TM0101 expected `;`, found `2`"});
    CHECK(mistakes("const A = min(1);") == Lines{"1:16 TM0101 expected `,`, found `)`"});
    CHECK(mistakes("const A = min(1, 2, 3);") == Lines{"1:19 TM0101 expected `)`, found `,`"});
    CHECK(mistakes("const A = cta.w;") == Lines{"1:15 TM0101 expected `x`, `y` or `z`, found `w`"});
    CHECK(mistakes("const A = 1.5;") == Lines{"1:11 TM0101 expected an expression, found `1.5`"});
    CHECK(mistakes("const A = f(1);") == Lines{"1:12 TM0101 expected `;`, found `(`"});
    CHECK(mistakes("const A = -;") == Lines{"1:12 TM0101 expected an expression, found `;`"});
}

TEST_CASE("regions and tensor types stop where they must") {
    CHECK(mistakes(in_kernel("copy X[] <- A;")) == Lines{"2:8 TM0101 expected a slice, found `]`"});
    CHECK(mistakes(in_kernel("copy X[1, ] <- A;")) == Lines{"2:11 TM0101 expected a slice, found `]`"});
    CHECK(mistakes(in_kernel("copy X[1 2] <- A;")) == Lines{"2:10 TM0101 expected `,` or `]`, found `2`"});
    CHECK(mistakes(in_kernel("copy X[0 +:] <- A;")) ==
          Lines{"2:12 TM0101 expected an expression, found `]`"});
    CHECK(mistakes(in_kernel("copy X[0 <- A;")) == Lines{"2:10 TM0101 expected `,` or `]`, found `<-`"});
    CHECK(mistakes(in_kernel("copy 3 <- A;")) == Lines{"2:6 TM0101 expected a region, found `3`"});
    CHECK(mistakes(in_kernel("frag X: f32;")) == Lines{"2:12 TM0101 expected `[`, found `;`"});
    CHECK(mistakes(in_kernel("frag X: f32[];")) == Lines{"2:13 TM0101 expected an expression, found `]`"});
    CHECK(mistakes(in_kernel("frag X: [128];")) == Lines{"2:9 TM0101 expected an element type, found `[`"});
    CHECK(mistakes(in_kernel("frag X: f64[128];")) ==
          Lines{"2:9 TM0101 expected an element type, found `f64`"});
    CHECK(mistakes(in_kernel("frag X: f32[128 8];")) == Lines{"2:17 TM0101 expected `,` or `]`, found `8`"});
}

TEST_SUITE_END();
