// Tests. `fault` and `error` are free words: an expectation is one of an outcome only when a name follows, so
// that `expect fault == A;` speaks of a tensor called fault.
#include "grammar/trial.hpp"

#include "grammar/ast_adapted.hpp"
#include "grammar/primitives.hpp"
#include "grammar/value.hpp"

namespace tmemc::grammar {

namespace {

constexpr Names outcome_word{"an outcome",
                             [](const Token& token) { return token.is("fault") || token.is("error"); }};
constexpr Leaf<std::string> equality{"`==` or `~=`",
                                     [](const Token& token) { return token.is("==") || token.is("~="); }};
constexpr Lookahead test_goes_on{"a test statement", [](const Token& token) { return !ends_block(token); }};
constexpr Lookahead is_given{"an assignment",
                             [](const Token& token) { return token.is_name() && (&token)[1].is("="); }};

} // namespace

struct NumberId : Placed {};
struct MagnitudeId {};
struct GeneratorId {};
struct CalledId : Placed {};
struct PlainId : Placed {};
struct LabelId {};
struct ArgumentId {};
struct GivenId : Placed {};
struct RunId : Placed {};
struct ExpectOutcomeId : Placed {};
struct ExpectValueId : Placed {};
struct IndicesId {};
struct IndexListId {};
struct RtolId {};
struct AtolId {};
struct TestStatementId {};
struct TestStatementsId {};

using Magnitude = decltype(ast::Number::magnitude);
using Generator = decltype(ast::Given::generator);
using Argument = decltype(ast::GeneratorCall::argument);

constexpr x3::rule<NumberId, ast::Number> number{"a number"};
constexpr x3::rule<MagnitudeId, Magnitude> magnitude{"a number"};
constexpr x3::rule<GeneratorId, Generator> generator{"a number or a generator"};
constexpr x3::rule<CalledId, ast::GeneratorCall> called{"a generator"};
constexpr x3::rule<PlainId, ast::GeneratorCall> plain{"a generator"};
constexpr x3::rule<LabelId, ast::Name> label{"a label"};
constexpr x3::rule<ArgumentId, Argument> argument{"a number or a string"};
constexpr x3::rule<GivenId, ast::Given> given{"an assignment"};
constexpr x3::rule<RunId, ast::Run> run{"`run`"};
constexpr x3::rule<ExpectOutcomeId, ast::ExpectOutcome> expect_outcome{"`expect`"};
constexpr x3::rule<ExpectValueId, ast::ExpectValue> expect_value{"`expect`"};
constexpr x3::rule<IndicesId, std::vector<ast::Name>> indices{"`[`"};
constexpr x3::rule<IndexListId, std::vector<ast::Name>> index_list{"`[`"};
constexpr x3::rule<RtolId, ast::Number> rtol{"`rtol`"};
constexpr x3::rule<AtolId, ast::Number> atol{"`atol`"};
constexpr x3::rule<TestStatementId, ast::TestStatement> test_statement{"a test statement"};
constexpr x3::rule<TestStatementsId, std::vector<ast::TestStatement>> test_statements{"a test statement"};

// number = [ "-" ] ( FLOAT | INT )
constexpr auto number_def = x3::matches[lit("-")] >> magnitude;
constexpr auto magnitude_def = floating | integer;

// generator = number | IDENT [ "(" [ IDENT ":" ] ( number | STRING ) ")" ]
const auto generator_def = number | called | plain;
constexpr auto called_def = name >> lit("(") >> -label > argument > lit(")");
const auto plain_def = name >> x3::attr(std::optional<ast::Name>{}) >> x3::attr(Argument{});
constexpr auto label_def = name > lit(":");
constexpr auto argument_def = number | string;

constexpr auto given_def = is_given >> name > lit("=") > generator > semicolon;
constexpr auto run_def = here >> lit("run") > name > semicolon;

// expectation = ( "fault" | "error" ) IDENT
//             | IDENT [ "[" IDENT { "," IDENT } "]" ] ( "==" | "~=" ) value [ "rtol" number ] [ "atol" number
//             ]
constexpr auto expect_outcome_def = lit("expect") >> outcome_word >> name > semicolon;
constexpr auto expect_value_def =
    (lit("expect") > name > indices > equality > value) >> -rtol >> -atol > semicolon;
constexpr auto indices_def = -index_list;
constexpr auto index_list_def = lit("[") >> list_of(x3::expect[name]) > lit("]", "`,` or `]`");
constexpr auto rtol_def = lit("rtol") > number;
constexpr auto atol_def = lit("atol") > number;

// test = "test" STRING "{" { given | run | expect } "}"
constexpr auto test_statement_def = run | expect_outcome | expect_value | given;
constexpr auto test_statements_def = *recover(next_statement)[test_goes_on > test_statement];
constexpr auto test_def = lit("test") >> recover(next_body)[x3::expect[string] > before_block] > open_block
                          > test_statements > lit("}");

BOOST_SPIRIT_DEFINE(number, magnitude, generator, called, plain, label, argument, given, run, expect_outcome,
                    expect_value, indices, index_list, rtol, atol, test_statement, test_statements, test)

BOOST_SPIRIT_INSTANTIATE(decltype(test), Iterator, Context)

} // namespace tmemc::grammar
