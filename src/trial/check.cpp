// Blocks are bound as if they were to run, and the steps are thrown away.
#include "trial/check.hpp"

#include "trial/block.hpp"
#include "trial/outline.hpp"
#include "trial/signature.hpp"

#include <algorithm>
#include <variant>

namespace tmemc::trial {

namespace {

namespace ast = grammar::ast;

const ast::Name* name_of(const ast::Parameter& parameter) {
    if (const auto* const tensor = std::get_if<ast::TensorParameter>(&parameter.node)) return &tensor->name;
    const auto* const scalar = std::get_if<ast::ScalarParameter>(&parameter.node);
    return scalar == nullptr ? nullptr : &scalar->name;
}

/// What the tree declares and the program does not have, because of a mistake.
std::set<std::string> lost_in(const ast::Module& module, const Names& names) {
    std::set<std::string> lost;
    for (const ast::Item& item : module.items) {
        if (const auto* const constant = std::get_if<ast::Const>(&item.node))
            lost.insert(constant->name.text);
        const auto* const kernel = std::get_if<ast::Kernel>(&item.node);
        if (kernel == nullptr) continue;
        for (const ast::Parameter& parameter : kernel->parameters)
            if (const ast::Name* const name = name_of(parameter)) lost.insert(name->text);
    }
    for (const auto& [name, value] : names.constants) lost.erase(name);
    for (const auto& [kernel, signature] : names.kernels)
        for (const runtime::Formal& formal : signature.formals) lost.erase(formal.name);
    return lost;
}

/// A tensor in error has no name there; it stands in its place, and nothing more.
runtime::Signature readable(runtime::Signature signature) {
    for (runtime::Formal& formal : signature.formals)
        if (formal.name.empty()) formal.in = formal.out = false;
    return signature;
}

Names names_of(const sema::Program& program, const ast::Module& module,
               const std::vector<std::string>& lost_names) {
    Names names{{}, program.constants, {}, {}};
    for (const sema::Kernel& kernel : program.kernels)
        if (kernel.function)
            names.functions.insert(kernel.name);
        else
            names.kernels.emplace(kernel.name, readable(signature_of(kernel)));
    names.lost = lost_in(module, names);
    names.lost.insert(lost_names.begin(), lost_names.end());
    return names;
}

/// What is reported at a place where an error stands already follows from it.
void drop_follow_ons(base::Diagnostics& diagnostics, const base::Diagnostics& found) {
    std::set<std::uint32_t> places;
    for (const base::Diagnostic& each : found.list) places.insert(each.span.begin);
    const auto follows = [&](const base::Diagnostic& each) { return places.count(each.span.begin) != 0; };
    diagnostics.list.erase(std::remove_if(diagnostics.list.begin(), diagnostics.list.end(), follows),
                           diagnostics.list.end());
}

/// An error lies in the block: it is one of syntax, and the statement is missing.
bool is_torn(const ast::Test& test, const base::Diagnostics& found) {
    return std::any_of(found.list.begin(), found.list.end(), [&](const base::Diagnostic& each) {
        return each.severity == base::Severity::error && each.span.begin >= test.place.begin &&
               each.span.begin <= test.place.end;
    });
}

} // namespace

base::Diagnostics check(const sema::Program& program, const ast::Module& module,
                        const base::Diagnostics& found, const std::vector<std::string>& lost_names) {
    base::Diagnostics diagnostics;
    if (program.tests.empty()) return diagnostics;
    const Names names = names_of(program, module, lost_names);
    for (const ast::Test& test : program.tests) {
        const bool torn = is_torn(test, found);
        (void)outline_of(test, torn, diagnostics);
        (void)bind(test, names, torn, diagnostics);
    }
    drop_follow_ons(diagnostics, found);
    return diagnostics;
}

} // namespace tmemc::trial
