// Values. `cast`, `select` and the function names are free words, so what follows tells: `cast` is a cast
// before
// `<dtype>`, `select` and any other name before `(` are calls, and all are regions elsewhere.
#include "grammar/value.hpp"

#include "grammar/ast_adapted.hpp"
#include "grammar/expression.hpp"
#include "grammar/primitives.hpp"

namespace tmemc::grammar {

namespace {

constexpr Leaf<char> sign{"an operator", [](const Token& token) { return token.is("+") || token.is("-"); }};
constexpr Leaf<char> times{
    "an operator", [](const Token& token) { return token.is("*") || token.is("/") || token.is("%"); }};
constexpr Leaf<std::string> comparison{"a comparison", [](const Token& token) {
                                           return token.is("<=") || token.is("<") || token.is(">=") ||
                                                  token.is(">") || token.is("==") || token.is("!=");
                                       }};
constexpr Lookahead is_cast{"a cast", [](const Token& token) {
                                return token.is("cast") && (&token)[1].is("<") &&
                                       (&token)[2].kind == Kind::word && (&token)[3].is(">");
                            }};

} // namespace

struct ValueStepId {};
struct TermId : Placed {};
struct TermStepId {};
struct UnaryId {};
struct OneUnaryId {};
struct OneValueId {};
struct BranchesId {};
struct ValueNegationId : Placed {};
struct CastId : Placed {};
struct SelectId : Placed {};
struct ValueCallId : Placed {};
struct ValueParenId : Placed {};

constexpr x3::rule<ValueStepId, ast::Step<ast::Term>> value_step{"a term"};
constexpr x3::rule<TermId, ast::Term> term{"a value"};
constexpr x3::rule<TermStepId, ast::Step<ast::Unary>> term_step{"a factor"};
constexpr x3::rule<UnaryId, ast::Unary> unary{"a value"};
constexpr x3::rule<OneUnaryId, std::vector<ast::Unary>> one_unary{"a value"};
constexpr x3::rule<OneValueId, std::vector<ast::Value>> one_value{"a value"};
constexpr x3::rule<BranchesId, std::vector<ast::Value>> branches{"a value"};
constexpr x3::rule<ValueNegationId, ast::ValueNegation> value_negation{"a value"};
constexpr x3::rule<CastId, ast::Cast> cast{"a value"};
constexpr x3::rule<SelectId, ast::Select> select{"a value"};
constexpr x3::rule<ValueCallId, ast::ValueCall> value_call{"a value"};
constexpr x3::rule<ValueParenId, ast::ValueParen> value_paren{"a value"};

// value = term { ( "+" | "-" ) term }
constexpr auto value_def = term >> *value_step;
constexpr auto value_step_def = sign > term;
constexpr auto values_def = list_of(value);

// term = unary { ( "*" | "/" | "%" ) unary }
constexpr auto term_def = unary >> *term_step;
constexpr auto term_step_def = times > unary;

// unary = "-" unary | FLOAT | INT | cast | select | IDENT "(" values ")" | region | "(" value ")"
constexpr auto unary_def =
    value_negation | floating | integer | cast | select | value_call | region | value_paren;
constexpr auto value_negation_def = here >> lit("-") > one_unary;
constexpr auto value_call_def = name >> lit("(") > values > lit(")", "`,` or `)`");
constexpr auto value_paren_def = here >> lit("(") > one_value > lit(")");

// cast = "cast" "<" DTYPE ">" "(" value ")"
constexpr auto cast_def = is_cast >> lit("cast") > lit("<") > dtype > lit(">") > lit("(") > one_value >
                          lit(")");

// select = "select" "(" value comparison value "," value "," value ")"
constexpr auto select_def = lit("select") >> lit("(") > one_value > comparison > branches > lit(")");
constexpr auto branches_def = value > lit(",") > value > lit(",") > value;

constexpr auto one_unary_def = x3::repeat(1)[unary];
constexpr auto one_value_def = x3::repeat(1)[value];

BOOST_SPIRIT_DEFINE(value, value_step, values, term, term_step, unary, value_negation, value_call,
                    value_paren, cast, select, branches, one_unary, one_value)

BOOST_SPIRIT_INSTANTIATE(decltype(value), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(values), Iterator, Context)

} // namespace tmemc::grammar
