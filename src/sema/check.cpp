// The sentence: target, constants, kernels. Names of the file are declared first, so that no two things share
// one and a kernel may stand before the constants it uses; a constant may use those above it.
#include "sema/check.hpp"

#include "base/near.hpp"
#include "sema/constants.hpp"
#include "sema/draft.hpp"
#include "sema/functions.hpp"
#include "sema/groups.hpp"
#include "sema/items.hpp"
#include "sema/parameters.hpp"
#include "sema/statements.hpp"
#include "sema/target.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

void declare_names(Environment& env, const ast::Module& module) {
    for (const ast::Item& item : module.items) {
        if (const auto* constant = std::get_if<ast::Const>(&item.node))
            env.names.declare(constant->name, Symbol::Kind::later);
        if (const auto* kernel = std::get_if<ast::Kernel>(&item.node))
            env.names.declare(kernel->name, Symbol::Kind::kernel);
        if (const auto* function = std::get_if<ast::Function>(&item.node))
            env.names.declare(function->name, Symbol::Kind::function);
    }
}

// ---- constants
// ---------------------------------------------------------------------------------------------------

/// -D NAME=INT of names that are no constants of the file.
void check_definitions(Environment& env, const std::vector<const ast::Const*>& constants,
                       const Options& options) {
    std::vector<std::string> known;
    known.reserve(constants.size());
    for (const ast::Const* each : constants) known.push_back(each->name.text);
    for (const auto& [name, value] : options.definitions) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string near = base::nearest(name, known);
        base::Diagnostic& unknown =
            env.reports.report(catalogue::unknown_definition, base::no_place, name, value);
        if (!near.empty()) unknown.help(fmt::format("did you mean `{}`?", near));
        if (near.empty() && !known.empty())
            unknown.help(fmt::format("the constants of the file are {}", fmt::join(known, ", ")));
    }
}

/// The last -D of that name.
std::optional<std::int64_t> definition(const Options& options, const std::string& name) {
    std::optional<std::int64_t> value;
    for (const auto& [defined, given] : options.definitions)
        if (defined == name) value = given;
    return value;
}

std::vector<std::pair<std::string, std::int64_t>> check_constants(Environment& env, const ast::Module& module,
                                                                  const Options& options) {
    const auto constants = items<ast::Const>(module);
    check_definitions(env, constants, options);
    std::vector<std::pair<std::string, std::int64_t>> values;
    for (const ast::Const* each : constants) {
        auto value = definition(options, each->name.text);
        if (!value) value = evaluate(env, each->value);
        if (value) {
            env.names.settle(each->name, *value);
            values.emplace_back(each->name.text, *value);
        } else {
            env.names.fail(each->name);
        }
    }
    return values;
}

// ---- kernels
// -----------------------------------------------------------------------------------------------------

Kernel check_kernel(Environment& env, const Functions& functions, const ast::Kernel& kernel,
                    const Options& options) {
    const OpenBlock scope(env.names);
    Draft draft{env, functions, {}, {}, std::nullopt, std::nullopt, true, {}};
    draft.kernel.name = kernel.name.text;
    draft.kernel.span = kernel.name.place;
    draft.kernel.body = kernel.place;
    check_parameters(draft, kernel.parameters);
    check_clauses(draft, kernel.clauses);
    env.indices.begin(draft.kernel.grid);
    check_body(draft, kernel.body, options.statement_limit);
    merge_fixed_groups(draft.kernel);
    draft.kernel.index_steps = env.indices.take();
    return std::move(draft.kernel);
}

/// Kernels, and where no kernels are named functions too, in the order of the file.
std::vector<Kernel> check_kernels(Environment& env, const ast::Module& module, const Options& options) {
    const Functions functions = check_functions(env, module, options);
    const auto wanted = [&options](const std::string& name) {
        return options.only.empty() ||
               std::find(options.only.begin(), options.only.end(), name) != options.only.end();
    };
    std::vector<Kernel> kernels;
    for (const ast::Item& item : module.items) {
        if (const auto* kernel = std::get_if<ast::Kernel>(&item.node); kernel && wanted(kernel->name.text))
            kernels.push_back(check_kernel(env, functions, *kernel, options));
        const auto* function = std::get_if<ast::Function>(&item.node);
        if (function && options.only.empty()) kernels.push_back(functions.at(function->name.text).kernel);
    }
    return kernels;
}

/// A function that takes tensor memory is for callers who have some; calls of it have been expanded.
bool takes_tensor_memory(const Kernel& kernel) {
    return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                       [](const Parameter& each) { return std::holds_alternative<TmemParameter>(each); });
}

std::vector<ast::Test> tests_of(const ast::Module& module) {
    std::vector<ast::Test> tests;
    for (const ast::Test* each : items<ast::Test>(module)) tests.push_back(*each);
    return tests;
}

} // namespace

CheckResult check(const ast::Module& module, const Options& options) {
    Environment env;
    CheckResult result;
    env.names.lose(options.lost_names);
    declare_names(env, module);
    const Target target = target_of(env, module, options);
    result.program.target = target.name;
    result.software_tmem = target.software;
    result.program.constants = check_constants(env, module, options);
    result.program.kernels = check_kernels(env, module, options);
    if (target.software)
        result.program.kernels.erase(
            std::remove_if(result.program.kernels.begin(), result.program.kernels.end(), takes_tensor_memory),
            result.program.kernels.end());
    result.program.tests = tests_of(module);
    result.diagnostics = env.reports.take();
    return result;
}

} // namespace tmemc::sema
