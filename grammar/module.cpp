// The items of a module, from target to test, and the heads of kernels and functions. A head goes on at its
// `{` after a mistake, and a list of parameters at its next parameter.
#include "grammar/module.hpp"

#include "grammar/ast_adapted.hpp"
#include "grammar/attributes.hpp"
#include "grammar/expression.hpp"
#include "grammar/primitives.hpp"
#include "grammar/statement.hpp"
#include "grammar/trial.hpp"

namespace tmemc::grammar {

namespace {

constexpr Names direction{"`in`, `out` or `inout`", [](const Token& token) {
                              return token.is("in") || token.is("out") || token.is("inout");
                          }};
constexpr Names grid_word{"`grid`", [](const Token& token) { return token.is("grid"); }};
constexpr Names warpgroups_word{"`warpgroups`", [](const Token& token) { return token.is("warpgroups"); }};
constexpr Names cta_group_word{"`cta_group`", [](const Token& token) { return token.is("cta_group"); }};
constexpr Lookahead not_empty{"a parameter", [](const Token& token) { return !token.is(")"); }};
constexpr Lookahead parameter_ends{"`,` or `)`",
                                   [](const Token& token) { return token.is(",") || token.is(")"); }};
constexpr Lookahead module_goes_on{"an item", [](const Token& token) { return token.kind != Kind::end; }};

} // namespace

struct TargetId : Placed {};
struct ConstId : Placed {};
struct TensorParameterId : Placed {};
struct ScalarParameterId : Placed {};
struct TmemParameterId : Placed {};
struct FragParameterId : Placed {};
struct ParameterId {};
struct ParametersId {};
struct FunctionParameterId {};
struct FunctionParametersId {};
struct OneExprInClauseId {};
struct GridId : Placed {};
struct WarpgroupsId : Placed {};
struct CtaGroupId : Placed {};
struct ClausesId {};
struct KernelId : Placed {};
struct FunctionId : Placed {};
struct ItemId {};

constexpr x3::rule<TargetId, ast::Target> target{"`target`"};
constexpr x3::rule<ConstId, ast::Const> constant{"`const`"};
constexpr x3::rule<TensorParameterId, ast::TensorParameter> tensor_parameter{"a parameter"};
constexpr x3::rule<ScalarParameterId, ast::ScalarParameter> scalar_parameter{"a parameter"};
constexpr x3::rule<TmemParameterId, ast::TmemParameter> tmem_parameter{"a parameter"};
constexpr x3::rule<FragParameterId, ast::FragParameter> frag_parameter{"a parameter"};
constexpr x3::rule<ParameterId, ast::Parameter> parameter{"a parameter"};
constexpr x3::rule<ParametersId, std::vector<ast::Parameter>> parameters{"a parameter"};
constexpr x3::rule<FunctionParameterId, ast::FunctionParameter> function_parameter{"a parameter"};
constexpr x3::rule<FunctionParametersId, std::vector<ast::FunctionParameter>> function_parameters{
    "a parameter"};
constexpr x3::rule<OneExprInClauseId, std::vector<ast::Expr>> one_expr{"an expression"};
constexpr x3::rule<GridId, ast::Clause> grid{"`grid`"};
constexpr x3::rule<WarpgroupsId, ast::Clause> warpgroups{"`warpgroups`"};
constexpr x3::rule<CtaGroupId, ast::Clause> cta_group{"`cta_group`"};
constexpr x3::rule<ClausesId, std::vector<ast::Clause>> clauses{"a clause"};
constexpr x3::rule<KernelId, ast::Kernel> kernel{"`kernel`"};
constexpr x3::rule<FunctionId, ast::Function> function{"`function`"};
constexpr x3::rule<ItemId, ast::Item> item{"an item"};

constexpr Literal close_parameters = lit(")", "`,` or `)`");

// target = "target" IDENT ";"     const = "const" IDENT "=" expr ";"
constexpr auto target_def = here >> lit("target") > name > semicolon;
constexpr auto constant_def = lit("const") > name > lit("=") > expr > semicolon;

// param = ( "in" | "out" | "inout" ) IDENT ":" tensor { "pitch" expr | "align" expr } | IDENT ":" DTYPE
constexpr auto tensor_parameter_def = direction > name > lit(":") > tensor > tensor_attributes;
constexpr auto scalar_parameter_def = name > lit(":") > dtype;
constexpr auto parameter_def = tensor_parameter | scalar_parameter;
constexpr auto parameters_def =
    -(not_empty >> list_of(recover(next_parameter)[x3::expect[parameter] > parameter_ends]));

// fparam = param | [ direction ] tmem | direction frag
constexpr auto tmem_parameter_def = -direction >> tmem_parameter_object;
constexpr auto frag_parameter_def = direction >> frag_object;
constexpr auto function_parameter_def = tmem_parameter | frag_parameter | tensor_parameter | scalar_parameter;
constexpr auto function_parameters_def =
    -(not_empty >> list_of(recover(next_parameter)[x3::expect[function_parameter] > parameter_ends]));

// clause = "grid" "(" expr { "," expr } ")" | "warpgroups" "(" expr ")" | "cta_group" expr
constexpr auto grid_def = grid_word > lit("(") > exprs > close_parameters;
constexpr auto warpgroups_def = warpgroups_word > lit("(") > one_expr > lit(")");
constexpr auto cta_group_def = cta_group_word > one_expr;
constexpr auto one_expr_def = x3::repeat(1)[expr];
constexpr auto clauses_def = *(grid | warpgroups | cta_group);

// kernel = "kernel" IDENT "(" [ param { "," param } ] ")" { clause } block
constexpr auto kernel_def = lit("kernel") >>
                            recover(next_body)[x3::expect[name] > lit("(") > parameters > close_parameters >
                                               clauses > before_block] > block;
constexpr auto function_def = lit("function") >>
                              recover(next_body)[x3::expect[name] > lit("(") > function_parameters >
                                                 close_parameters > before_block] > block;

// module = { target | const | kernel | function | test }
constexpr auto item_def = target | constant | kernel | function | test;
constexpr auto items_def = *recover(next_item)[module_goes_on > item];

BOOST_SPIRIT_DEFINE(target, constant, tensor_parameter, scalar_parameter, parameter, parameters,
                    tmem_parameter, frag_parameter, function_parameter, function_parameters, grid, warpgroups,
                    cta_group, one_expr, clauses, kernel, function, item, items)

BOOST_SPIRIT_INSTANTIATE(decltype(items), Iterator, Context)

} // namespace tmemc::grammar
