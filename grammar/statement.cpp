// Statements. The first word decides which it is; of the two that begin with a name, a `(` makes it a call,
// and an assignment has a `=` or a `[` there, so that anything else is told "expected a statement" at its
// first word.
#include "grammar/statement.hpp"

#include "grammar/ast_adapted.hpp"
#include "grammar/attributes.hpp"
#include "grammar/expression.hpp"
#include "grammar/primitives.hpp"
#include "grammar/value.hpp"

namespace tmemc::grammar {

namespace {

constexpr Names copy_mode{"a mode", [](const Token& token) {
                              return token.is("masked") || token.is("direct") || token.is("staged");
                          }};
constexpr Names wait_kind{"`ld` or `st`",
                          [](const Token& token) { return token.is("ld") || token.is("st"); }};
constexpr Names unit{"`warpgroup` or `warp`",
                     [](const Token& token) { return token.is("warpgroup") || token.is("warp"); }};
constexpr Lookahead block_goes_on{"a statement", [](const Token& token) { return !ends_block(token); }};
// A `{` in the middle of a statement: recovery has left the statement there, for the sake of the block.
constexpr Lookahead at_body{"a block", [](const Token& token) {
                                const Token& before =
                                    *(&token - 1); // there is one, the `{` of the block around
                                return token.is("{") && !before.is(";") && !before.is("{") && !before.is("}");
                            }};
constexpr Lookahead is_assignment{"an assignment", [](const Token& token) {
                                      return token.is_name() && ((&token)[1].is("=") || (&token)[1].is("["));
                                  }};

// `if (…) {` is no call, though a function may be called so.
constexpr Lookahead is_call{"a call", [](const Token& token) {
                                const Token& next = (&token)[1];
                                if (!token.is_name() || !next.is("(")) return false;
                                const bool of_c = token.is("if") || token.is("while") || token.is("switch");
                                return !of_c || (next.partner != nullptr && next.partner[1].is(";"));
                            }};

} // namespace

struct TmemId : Placed {};
struct FragId : Placed {};
struct SmemId : Placed {};
struct LetId : Placed {};
struct CopyId : Placed {};
struct CopyModesId {};
struct CopyAsyncId : Placed {};
struct WaitId : Placed {};
struct WaitKindsId {};
struct SyncId : Placed {};
struct LoopId : Placed {};
struct StepClauseId {};
struct OnId : Placed {};
struct AssignId : Placed {};
struct CallId : Placed {};
struct ArgumentsId {};
struct StatementId {};
struct StatementsId {};
struct OrphanId {};

constexpr x3::rule<TmemId, ast::Tmem> tmem{"`tmem`"};
constexpr x3::rule<FragId, ast::Frag> frag{"`frag`"};
constexpr x3::rule<SmemId, ast::Smem> smem{"`smem`"};
constexpr x3::rule<LetId, ast::Let> let{"`let`"};
constexpr x3::rule<CopyId, ast::Copy> copy{"`copy`"};
constexpr x3::rule<CopyModesId, std::vector<ast::Name>> copy_modes{"a mode"};
constexpr x3::rule<CopyAsyncId, ast::CopyAsync> copy_async{"`copy_async`"};
constexpr x3::rule<WaitId, ast::Wait> wait{"`wait`"};
constexpr x3::rule<WaitKindsId, std::vector<ast::Name>> wait_kinds{"`ld` or `st`"};
constexpr x3::rule<SyncId, ast::Sync> sync{"`sync`"};
constexpr x3::rule<LoopId, ast::For> loop{"`for`"};
constexpr x3::rule<StepClauseId, ast::Expr> step_clause{"`step`"};
constexpr x3::rule<OnId, ast::On> on{"`on`"};
constexpr x3::rule<AssignId, ast::Assign> assign{"an assignment"};
constexpr x3::rule<CallId, ast::Call> call{"a call"};
constexpr x3::rule<ArgumentsId, std::vector<ast::Value>> arguments{"a value"};
constexpr x3::rule<StatementId, ast::Statement> statement{"a statement"};
constexpr x3::rule<StatementsId, std::vector<ast::Statement>> statements{"a statement"};
constexpr x3::rule<OrphanId> orphan{"a block"};

// Declarations
constexpr auto tmem_def = lit("tmem") > name > lit(":") > tensor > tmem_attributes > semicolon;
constexpr auto frag_def = lit("frag") > name > lit(":") > tensor > frag_attributes > semicolon;
constexpr auto smem_def = lit("smem") > name > lit(":") > tensor > smem_attributes > semicolon;
constexpr auto let_def = lit("let") > name > lit("=") > expr > semicolon;
constexpr auto tmem_parameter_object_def = lit("tmem") > name > lit(":") > tensor > tmem_parameter_attributes;
constexpr auto frag_object_def = lit("frag") > name > lit(":") > tensor > frag_attributes;

// Copies and what orders them
constexpr auto copy_def = lit("copy") > region > lit("<-") > region > copy_modes > semicolon;
constexpr auto copy_modes_def = *copy_mode;
constexpr auto copy_async_def = lit("copy_async") > region > lit("<-") > region > semicolon;
constexpr auto wait_def = here >> lit("wait") > wait_kinds > semicolon;
constexpr auto wait_kinds_def = list_of(wait_kind);
constexpr auto sync_def = lit("sync") > semicolon;

// Arithmetic
constexpr auto assign_def = is_assignment >> region > lit("=") > value > semicolon;
constexpr auto call_def = is_call >> name >> lit("(") > arguments > lit(")", "`,` or `)`") > semicolon;
constexpr auto arguments_def = -values;

// Blocks
constexpr auto loop_def = lit("for") >>
                          recover(next_body)[(x3::expect[name] > lit("in") > expr > lit("..") > expr) >>
                                             -step_clause > before_block] > block;
constexpr auto step_clause_def = lit("step") > expr;
constexpr auto on_def = lit("on") >> recover(next_body)[x3::expect[unit] > expr > before_block] > block;

constexpr auto statement_def =
    tmem | frag | smem | let | copy | copy_async | wait | sync | loop | on | assign | call;
constexpr auto statements_def = *(orphan | recover(next_statement)[block_goes_on > statement]);
constexpr auto orphan_def = at_body >> x3::omit[block];
constexpr auto block_def = here >> open_block > statements > lit("}");

BOOST_SPIRIT_DEFINE(tmem, frag, smem, let, tmem_parameter_object, frag_object, copy, copy_modes, copy_async,
                    wait, wait_kinds, sync, assign, call, arguments, loop, step_clause, on, statement,
                    statements, orphan, block)

BOOST_SPIRIT_INSTANTIATE(decltype(block), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(tmem_parameter_object), Iterator, Context)
BOOST_SPIRIT_INSTANTIATE(decltype(frag_object), Iterator, Context)

} // namespace tmemc::grammar
