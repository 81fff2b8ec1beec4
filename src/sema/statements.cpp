// One function per kind of statement. Copies and fills have files of their own.
#include "sema/statements.hpp"

#include "atlas/limits.hpp"
#include "sema/arguments.hpp"
#include "sema/calls.hpp"
#include "sema/constants.hpp"
#include "sema/copies.hpp"
#include "sema/counts.hpp"
#include "sema/declarations.hpp"
#include "sema/fill.hpp"
#include "sema/groups.hpp"
#include "sema/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

/// The turns of a loop: `from`, `from + step`, ...
struct Turns {
    std::int64_t from = 0, step = 1;
    std::uint64_t count = 0;
};

class Walk {
  public:
    Walk(Draft& draft, std::int64_t limit) : draft_(draft), limit_(static_cast<std::uint64_t>(limit)) {}

    /// A body that is too large as it is written is not looked at; one whose loops or calls make it too large
    /// is not unrolled.
    void body(const ast::Block& body) {
        if (const auto at = passes_limit(body, draft_.env.names, draft_.functions, limit_)) over_limit(*at);
        if (written_in(body) <= limit_) block(body);
    }

    void block(const ast::Block& block) {
        const OpenBlock scope(draft_.env.names);
        for (const ast::Statement& each : block.statements) std::visit(*this, each.node);
    }

    void operator()(std::monostate) {} // a block whose head could not be read
    void operator()(const ast::Tmem& tmem);
    void operator()(const ast::Frag& frag) {
        count(frag.place);
        declare(draft_, frag);
    }
    void operator()(const ast::Copy& copy) {
        count(copy.place);
        check(draft_, copy);
    }
    void operator()(const ast::CopyAsync& copy) {
        count(copy.place);
        check(draft_, copy);
    }
    void operator()(const ast::Assign& assign) {
        count(assign.place);
        check(draft_, assign);
    }
    void operator()(const ast::Smem& smem);
    void operator()(const ast::Let& let);
    void operator()(const ast::Wait& wait);
    void operator()(const ast::Sync& sync);
    void operator()(const ast::Call& call);
    void operator()(const ast::For& loop);
    void operator()(const ast::On& on);

  private:
    void count(Span span);
    void expand_call(const ast::Call& call);
    void over_limit(Span span);
    std::optional<Turns> turns(const ast::For& loop);
    void unroll(const ast::For& loop, const Turns& turns);
    void walk_once(const ast::For& loop);
    /// The index of `on`, or nothing after reporting that no such warpgroup or warp runs here.
    std::optional<int> index_of(const ast::On& on);

    Draft& draft_;
    std::uint64_t limit_;
    std::uint64_t counted_ = 0;
    bool over_limit_ = false;
    std::vector<Span> loops_; // the heads of the loops around the statement
};

// ---- the limit
// ---------------------------------------------------------------------------------------------------

void Walk::count(Span span) {
    if (++counted_ > limit_) over_limit(loops_.empty() ? span : loops_.back());
}

void Walk::over_limit(Span span) {
    if (over_limit_) return;
    over_limit_ = true;
    draft_.env.reports.report(catalogue::too_many_statements, span, draft_.kernel.name, limit_)
        .note("loops are unrolled, and each turn has its own statements")
        .help("use fewer turns with larger slices");
}

// ---- simple statements
// -------------------------------------------------------------------------------------------

void Walk::operator()(const ast::Tmem& tmem) {
    count(tmem.place);
    if (!draft_.kernel.function || lies_in_buffer(draft_, tmem)) return declare(draft_, tmem);
    draft_.env.reports.report(catalogue::not_in_function, tmem.place, "a `tmem` of its own")
        .note("a function allocates nothing: its tensor memory is its caller's")
        .help(fmt::format("make it a parameter, `tmem {0}`, or an alias of one: tmem {0}: ... at PARAMETER;",
                          tmem.name.text));
    draft_.env.names.declare(tmem.name, Symbol::Kind::failed);
}

void Walk::operator()(const ast::Smem& smem) {
    count(smem.place);
    draft_.env.reports.report(catalogue::not_supported, smem.place, "a `smem` buffer")
        .help("move the data through fragments, with `copy` and `copy_async`");
    draft_.env.names.declare(smem.name, Symbol::Kind::failed);
}

void Walk::operator()(const ast::Let& let) {
    count(let.place);
    const auto value = evaluate_number(draft_.env, let.value);
    if (!value) return draft_.env.names.declare(let.name, Symbol::Kind::failed);
    draft_.env.names.declare(let.name, value->run_time ? Symbol::Kind::run_time : Symbol::Kind::constant,
                             value->constant, value->step);
}

void Walk::operator()(const ast::Wait& wait) {
    count(wait.place);
    needs_warpgroup(draft_, "wait", wait.place);
    given_once(draft_.env, wait.kinds);
    Wait result;
    for (const ast::Name& kind : wait.kinds) (kind.text == "ld" ? result.ld : result.st) = true;
    draft_.emit(result, wait.place);
}

void Walk::operator()(const ast::Sync& sync) {
    count(sync.place);
    if (draft_.kernel.function) {
        draft_.env.reports.report(catalogue::not_in_function, sync.place, "`sync`")
            .note("it is a barrier of the whole CTA, and one warpgroup calls the function")
            .help("put it into the kernel, before or behind the call");
        return;
    }
    if (draft_.warpgroup || draft_.warp)
        draft_.env.reports.report(catalogue::sync_inside_on, sync.place, draft_.warp ? "warp" : "warpgroup")
            .note("`sync` is a barrier of the whole CTA: warps that do not come to it would be waited for "
                  "forever")
            .help("close the `on` block before `sync` and open another after it");
    draft_.emit(Sync{}, sync.place);
}

void Walk::operator()(const ast::Call& call) {
    count(call.place);
    needs_warpgroup(draft_, "a call", call.place);
    const Symbol* symbol = draft_.env.names.find(call.function.text);
    if (!symbol)
        draft_.env.names.report_unknown(call.function,
                                        [](Symbol::Kind kind) { return kind == Symbol::Kind::function; });
    else if (symbol->kind == Symbol::Kind::function)
        expand_call(call);
    else if (symbol->kind != Symbol::Kind::failed)
        draft_.env.reports
            .report(catalogue::wrong_kind_of_name, call.function.place, call.function.text,
                    what(symbol->kind), "a function")
            .label(symbol->span, "declared here");
}

void Walk::expand_call(const ast::Call& call) {
    const auto found = draft_.functions.find(call.function.text);
    if (found == draft_.functions.end() || !found->second.whole) return; // reported where it is declared
    if (over_limit_) {
        (void)arguments_of(draft_, call, found->second);
        return;
    }
    const std::size_t statements = found->second.kernel.statements.size();
    if (statements > limit_ - std::min(counted_, limit_))
        return over_limit(loops_.empty() ? Span(call.place) : loops_.back());
    counted_ += statements;
    expand(draft_, call, found->second);
}

// ---- loops
// -------------------------------------------------------------------------------------------------------

std::optional<Turns> Walk::turns(const ast::For& loop) {
    const auto from = evaluate(draft_.env, loop.from);
    const auto to = evaluate(draft_.env, loop.to);
    const auto step = loop.step ? evaluate(draft_.env, *loop.step) : 1;
    if (step && *step < 1) {
        draft_.env.reports.report(catalogue::step_not_positive, loop.step->place, *step);
        return std::nullopt;
    }
    if (!from || !to || !step) return std::nullopt;
    if (*to <= *from) {
        draft_.env.reports.report(catalogue::loop_without_turns, head(loop), *from, *to)
            .note("a range is half open and counts upwards");
        return Turns{};
    }
    // The distance of two 64-bit numbers fits in 64 bits without a sign.
    const std::uint64_t distance = static_cast<std::uint64_t>(*to) - static_cast<std::uint64_t>(*from);
    return Turns{*from, *step, (distance - 1) / static_cast<std::uint64_t>(*step) + 1};
}

void Walk::operator()(const ast::For& loop) {
    const auto turns = this->turns(loop);
    if (!turns) return walk_once(loop);
    const std::uint64_t per_turn = std::max<std::uint64_t>(written_in(loop.body), 1);
    const std::uint64_t room = limit_ - std::min(counted_, limit_);
    if (turns->count > room / per_turn) over_limit(head(loop));
    if (over_limit_ && turns->count > 0) return walk_once(loop);
    unroll(loop, *turns);
}

void Walk::unroll(const ast::For& loop, const Turns& turns) {
    const std::string around = draft_.env.reports.iteration();
    const bool written = loop.variable.text.find(' ') == std::string::npos; // else a block that was misread
    loops_.push_back(head(loop));
    for (std::uint64_t turn = 0; turn < turns.count && !over_limit_; ++turn) {
        const std::int64_t value = turns.from + static_cast<std::int64_t>(turn) * turns.step;
        const std::uint64_t before = counted_;
        const OpenBlock scope(draft_.env.names);
        draft_.env.reports.set_iteration(around); // the variable belongs to the turns around it
        draft_.env.names.declare(loop.variable, Symbol::Kind::constant, value);
        if (written)
            draft_.env.reports.set_iteration(
                fmt::format("{}{}{} = {}", around, around.empty() ? "" : ", ", loop.variable.text, value));
        block(loop.body);
        if (counted_ == before) count(head(loop)); // an empty turn takes time all the same
    }
    loops_.pop_back();
    draft_.env.reports.set_iteration(around);
}

/// Finds the mistakes that do not depend on the loop variable.
void Walk::walk_once(const ast::For& loop) {
    const OpenBlock scope(draft_.env.names);
    draft_.env.names.declare(loop.variable, Symbol::Kind::failed);
    block(loop.body);
}

// ---- on
// ----------------------------------------------------------------------------------------------------------

std::optional<int> Walk::index_of(const ast::On& on) {
    const bool warp = on.unit.text == "warp";
    const auto index = evaluate(draft_.env, on.index);
    if (!index) return std::nullopt;
    const int count = draft_.kernel.warpgroups * (warp ? atlas::warps_per_group : 1);
    if (*index < 0 || *index >= count) {
        if (!draft_.warpgroups_known) return std::nullopt;
        draft_.env.reports
            .report(catalogue::no_such_unit, on.index.place, on.unit.text, *index, draft_.kernel.name, count)
            .label(draft_.kernel.span, "declared here")
            .help("a kernel has as many warpgroups as `warpgroups(n)` behind its parameters says, of four "
                  "warps each");
        return std::nullopt;
    }
    const int group = static_cast<int>(*index) / (warp ? atlas::warps_per_group : 1);
    const bool inside_group = !draft_.warpgroup || *draft_.warpgroup == group;
    const bool inside_warp = !draft_.warp || (warp && *draft_.warp == *index);
    if (inside_group && inside_warp) return static_cast<int>(*index);
    draft_.env.reports.report(catalogue::on_never_runs, on.index.place, on.unit.text, *index,
                              draft_.warp ? "warp" : "warpgroup",
                              draft_.warp ? *draft_.warp : *draft_.warpgroup);
    return std::nullopt;
}

void Walk::operator()(const ast::On& on) {
    if (draft_.kernel.function) {
        draft_.env.reports.report(catalogue::not_in_function, on.unit.place, "`on " + on.unit.text + "`")
            .note("whichever warpgroup calls a function, all four warps of it execute every statement")
            .help("call the function inside `on warpgroup`");
        return block(on.body);
    }
    const auto index = index_of(on);
    const auto warpgroup = draft_.warpgroup;
    const auto warp = draft_.warp;
    // When the index is in error, the block is still one that not all warps run.
    if (on.unit.text == "warp")
        draft_.warp = index.value_or(warp.value_or(0));
    else
        draft_.warpgroup = index.value_or(warpgroup.value_or(0));
    block(on.body);
    draft_.warpgroup = warpgroup;
    draft_.warp = warp;
}

} // namespace

void check_body(Draft& draft, const ast::Block& body, std::int64_t limit) { Walk(draft, limit).body(body); }

} // namespace tmemc::sema
