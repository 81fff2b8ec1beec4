// Depth first along the calls; one that leads back to a function that is not done closes a circle.
#include "sema/functions.hpp"

#include "sema/calls.hpp"
#include "sema/items.hpp"
#include "sema/parameters.hpp"
#include "sema/statements.hpp"

#include <algorithm>
#include <utility>

namespace tmemc::sema {

namespace {

void collect_calls(const ast::Block& block, std::vector<const ast::Call*>& calls) {
    for (const ast::Statement& each : block.statements) {
        if (const auto* call = std::get_if<ast::Call>(&each.node)) calls.push_back(call);
        if (const auto* loop = std::get_if<ast::For>(&each.node)) collect_calls(loop->body, calls);
        if (const auto* on = std::get_if<ast::On>(&each.node)) collect_calls(on->body, calls);
    }
}

class Checker {
  public:
    Checker(Environment& env, const ast::Module& module, const Options& options)
        : env_(env), options_(options), written_(items<ast::Function>(module)) {}

    void check_all() {
        for (const ast::Function* each : written_) check(*each);
    }
    void check_called(const ast::Block& body) {
        std::vector<const ast::Call*> calls;
        collect_calls(body, calls);
        for (const ast::Call* call : calls)
            if (const ast::Function* callee = named(call->function.text)) check(*callee);
    }
    Functions take() { return std::move(functions_); }

  private:
    [[nodiscard]] const ast::Function* named(const std::string& name) const {
        const auto found = std::find_if(written_.begin(), written_.end(),
                                        [&](const ast::Function* each) { return each->name.text == name; });
        return found == written_.end() ? nullptr : *found;
    }

    void check(const ast::Function& function) {
        if (!functions_.try_emplace(function.name.text).second) return;
        open_.push_back(&function);
        std::vector<const ast::Call*> calls;
        collect_calls(function.body, calls);
        for (const ast::Call* call : calls) {
            const ast::Function* callee = named(call->function.text);
            if (callee && std::find(open_.begin(), open_.end(), callee) != open_.end())
                report_circle(*call, *callee);
            else if (callee && open_.size() > most_calls)
                too_deep(*call, *callee);
            else if (callee)
                check(*callee);
        }
        check_body_of(function);
        open_.pop_back();
    }

    /// Reported once; the function is left alone, as one in error.
    void too_deep(const ast::Call& call, const ast::Function& callee) {
        const bool is_new = functions_.try_emplace(callee.name.text).second;
        if (is_new && !std::exchange(too_deep_, true)) report_depth(env_, call);
    }

    void report_circle(const ast::Call& call, const ast::Function& callee) {
        base::Diagnostic& circle =
            env_.reports.report(base::catalogue::calls_itself, call.place, callee.name.text);
        std::string way;
        for (auto at = std::find(open_.begin(), open_.end(), &callee); at != open_.end(); ++at)
            way += (*at)->name.text + " calls ";
        if (open_.back() != &callee) circle.note(way + callee.name.text);
        circle.note("calls are expanded in place, so a circle of them would have no end");
        circle.help("repeat the statements with `for`");
    }

    void check_body_of(const ast::Function& function) {
        const std::size_t errors = env_.reports.errors();
        const OpenBlock scope(env_.names);
        Draft draft{env_, functions_, {}, {}, std::nullopt, std::nullopt, true, {}};
        draft.kernel.name = function.name.text;
        draft.kernel.span = function.name.place;
        draft.kernel.body = function.place;
        draft.kernel.function = true;
        env_.in_function = env_.names.in_function = true;
        check_parameters(draft, function.parameters);
        env_.indices.begin(draft.kernel.grid);
        check_body(draft, function.body, options_.statement_limit);
        env_.in_function = env_.names.in_function = false;
        Function& checked = functions_[function.name.text];
        checked.kernel = std::move(draft.kernel);
        checked.images = std::move(draft.images);
        checked.whole = env_.reports.errors() == errors && !calls_broken(function);
    }

    /// Whether it calls a function that is in error.
    [[nodiscard]] bool calls_broken(const ast::Function& function) const {
        std::vector<const ast::Call*> calls;
        collect_calls(function.body, calls);
        return std::any_of(calls.begin(), calls.end(), [&](const ast::Call* call) {
            const auto found = functions_.find(call->function.text);
            return found != functions_.end() && !found->second.whole;
        });
    }

    Environment& env_;
    const Options& options_;
    std::vector<const ast::Function*> written_;
    std::vector<const ast::Function*> open_; // whose calls are being looked at
    Functions functions_;
    bool too_deep_ = false; // somewhere
};

} // namespace

Functions check_functions(Environment& env, const ast::Module& module, const Options& options) {
    Checker checker(env, module, options);
    if (options.only.empty()) checker.check_all();
    for (const ast::Kernel* each : items<ast::Kernel>(module))
        if (std::find(options.only.begin(), options.only.end(), each->name.text) != options.only.end())
            checker.check_called(each->body);
    return checker.take();
}

} // namespace tmemc::sema
