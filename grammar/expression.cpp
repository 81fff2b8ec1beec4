// Integer expressions, and what is made of them: slices, regions, tensor types. In the order of tmx.ebnf.
#include "grammar/expression.hpp"

#include "grammar/ast_adapted.hpp"
#include "grammar/primitives.hpp"

namespace tmemc::grammar {

namespace {

constexpr Leaf<char> sign{"an operator", [](const Token& token) { return token.is("+") || token.is("-"); }};
constexpr Leaf<char> times{
    "an operator", [](const Token& token) { return token.is("*") || token.is("/") || token.is("%"); }};
constexpr Names min_or_max{"a function",
                           [](const Token& token) { return token.is("min") || token.is("max"); }};
constexpr Names cta_axis{"`x`, `y` or `z`",
                         [](const Token& token) { return token.is("x") || token.is("y") || token.is("z"); }};
constexpr Literal close_list = lit("]", "`,` or `]`");

} // namespace

struct SumStepId {};
struct ProductStepId {};
struct FactorId {};
struct OneFactorId {};
struct OneExprId {};
struct PairId {};
struct NegationId : Placed {};
struct CtaIndexId : Placed {};
struct MinMaxId : Placed {};
struct ParenId : Placed {};

constexpr x3::rule<SumStepId, ast::Step<ast::Product>> sum_step{"a term"};
constexpr x3::rule<ProductStepId, ast::Step<ast::Factor>> product_step{"a factor"};
constexpr x3::rule<FactorId, ast::Factor> factor{"an expression"};
constexpr x3::rule<OneFactorId, std::vector<ast::Factor>> one_factor{"an expression"};
constexpr x3::rule<OneExprId, std::vector<ast::Expr>> one_expr{"an expression"};
constexpr x3::rule<PairId, std::vector<ast::Expr>> pair{"an expression"};
constexpr x3::rule<NegationId, ast::Negation> negation{"an expression"};
constexpr x3::rule<CtaIndexId, ast::CtaIndex> cta_index{"an expression"};
constexpr x3::rule<MinMaxId, ast::MinMax> min_max{"an expression"};
constexpr x3::rule<ParenId, ast::Paren> paren{"an expression"};

// expr = product { ( "+" | "-" ) product }
constexpr auto expr_def = product >> *sum_step;
constexpr auto sum_step_def = sign > product;
constexpr auto exprs_def = list_of(expr);

// product = factor { ( "*" | "/" | "%" ) factor }
constexpr auto product_def = factor >> *product_step;
constexpr auto product_step_def = times > factor;

// factor = "-" factor | INT | "cta" "." axis | ( "min" | "max" ) "(" expr "," expr ")" | IDENT | "(" expr ")"
constexpr auto factor_def = negation | integer | cta_index | min_max | name | paren;
constexpr auto negation_def = here >> lit("-") > one_factor;
constexpr auto cta_index_def = here >> lit("cta") >> lit(".") > cta_axis;
constexpr auto min_max_def = min_or_max >> lit("(") > pair > lit(")");
constexpr auto paren_def = here >> lit("(") > one_expr > lit(")");
constexpr auto one_factor_def = x3::repeat(1)[factor];
constexpr auto one_expr_def = x3::repeat(1)[expr];
constexpr auto pair_def = expr > lit(",") > expr;

BOOST_SPIRIT_DEFINE(expr, sum_step, exprs, product, product_step, factor, negation, cta_index, min_max, paren,
                    one_factor, one_expr, pair)

struct SliceId {};
struct SlicesId {};
struct RangeId : Placed {};
struct WindowId : Placed {};
struct PointId : Placed {};

constexpr x3::rule<SliceId, ast::Slice> slice{"a slice"};
constexpr x3::rule<SlicesId, std::vector<ast::Slice>> slices{"a slice"};
constexpr x3::rule<RangeId, ast::Range> range{"a slice"};
constexpr x3::rule<WindowId, ast::Window> window{"a slice"};
constexpr x3::rule<PointId, ast::Point> point{"a slice"};

// region = IDENT [ "[" slice { "," slice } "]" ]
constexpr auto region_def = name >> -slices;
constexpr auto slices_def = lit("[") > list_of(slice) > close_list;

// slice = [ expr ] ":" [ expr ] | expr "+:" expr | expr
constexpr auto slice_def = range | window | point;
constexpr auto range_def = -expr >> lit(":") >> -expr;
constexpr auto window_def = expr >> lit("+:") > expr;
constexpr auto point_def = here >> expr;

// tensor = DTYPE "[" expr { "," expr } "]"
constexpr auto tensor_def = dtype > lit("[") > exprs > close_list;

BOOST_SPIRIT_DEFINE(region, slices, slice, range, window, point, tensor)

BOOST_SPIRIT_INSTANTIATE(decltype(expr), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(exprs), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(product), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(region), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(tensor), Iterator, Context)

} // namespace tmemc::grammar
