// The table of meanings, its undo list, and what is said about names that do not fit.
#include "sema/names.hpp"

#include "base/near.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace {

using Kind = Symbol::Kind;

bool is_object(Kind kind) { return kind == Kind::tensor || kind == Kind::fragment || kind == Kind::buffer; }
bool is_number(Kind kind) { return kind == Kind::constant || kind == Kind::run_time; }

} // namespace

std::string_view what(Symbol::Kind kind) {
    switch (kind) {
    case Kind::constant:
    case Kind::later: return "a constant";
    case Kind::run_time: return "a number that depends on the CTA";
    case Kind::tensor: return "a tensor parameter";
    case Kind::scalar: return "a scalar parameter";
    case Kind::fragment: return "a fragment";
    case Kind::buffer: return "a tmem buffer";
    case Kind::kernel: return "a kernel";
    case Kind::function: return "a function";
    case Kind::failed: break;
    }
    return "a name whose declaration failed";
}

void Names::set(std::string_view name, const Symbol& symbol) {
    const auto [place, is_new] = meanings_.try_emplace(name, symbol);
    undo_.emplace_back(name, is_new ? std::nullopt : std::optional(place->second));
    if (!is_new) place->second = symbol;
}

void Names::declare(const ast::Name& name, Symbol::Kind kind, std::int64_t value, std::uint32_t step) {
    const Symbol* earlier = find(name.text);
    if (!earlier) {
        set(name.text, {kind, value, name.place, step});
        return;
    }
    reports_.report(base::catalogue::duplicate_name, name.place, name.text)
        .label(earlier->span, "declared here first")
        .help("names do not shadow: give one of the two another name");
    if (is_of_this_block(name.text) && (kind == earlier->kind || kind == Kind::failed)) return;
    set(name.text, {Kind::failed, 0, earlier->span, 0});
}

bool Names::is_of_this_block(std::string_view name) const {
    const auto begin = undo_.begin() + static_cast<std::ptrdiff_t>(blocks_.empty() ? 0 : blocks_.back());
    return std::any_of(begin, undo_.end(), [name](const auto& each) { return each.first == name; });
}

Symbol* Names::declared_at(const ast::Name& name) {
    const auto place = meanings_.find(name.text);
    const bool here = place != meanings_.end() && place->second.span == Span(name.place);
    return here ? &place->second : nullptr;
}

void Names::settle(const ast::Name& name, std::int64_t value) {
    if (Symbol* symbol = declared_at(name); symbol && symbol->kind == Kind::later) {
        symbol->kind = Kind::constant;
        symbol->value = value;
    }
}

void Names::fail(const ast::Name& name) {
    if (Symbol* symbol = declared_at(name)) symbol->kind = Kind::failed;
}

const Symbol* Names::find(std::string_view name) const {
    const auto place = meanings_.find(name);
    return place == meanings_.end() ? nullptr : &place->second;
}

const Symbol* Names::object(const ast::Name& name) {
    const Symbol* symbol = find(name.text);
    if (!symbol) {
        report_unknown(name, is_object);
        return nullptr;
    }
    if (is_object(symbol->kind)) return symbol;
    if (symbol->kind != Kind::failed)
        reports_
            .report(base::catalogue::wrong_kind_of_name, name.place, name.text, what(symbol->kind),
                    "a tensor, a fragment or a tmem buffer")
            .label(symbol->span, "declared here");
    return nullptr;
}

std::string Names::way_out(std::string_view parameter) const {
    if (in_grid)
        return "a grid is an upper bound, written as a constant: grid(1024); copies that say `masked` leave "
               "out what lies outside their tensor, and a launch may take fewer CTAs: NAME_launch_grid in "
               "the "
               "header, --grid of run";
    if (in_function)
        return "a function counts with constants of the file, `let` and loop variables; what differs from "
               "call to call it takes as a region, whose extents are declared";
    return fmt::format("make it a constant of the file: const {0} = 8; and set it with -D {0}=16", parameter);
}

std::optional<std::int64_t> Names::constant(const ast::Name& name) {
    const Symbol* symbol = find(name.text);
    if (!symbol) {
        report_unknown(name, is_number);
        return std::nullopt;
    }
    switch (symbol->kind) {
    case Kind::constant: return symbol->value;
    case Kind::failed: break;
    case Kind::later:
        reports_.report(base::catalogue::constant_used_too_early, name.place, name.text)
            .label(symbol->span, "declared here")
            .help(fmt::format("move `const {}` up", name.text));
        break;
    case Kind::run_time:
        reports_.report(base::catalogue::not_constant, name.place, name.text)
            .label(symbol->span, "it depends on the CTA");
        break;
    case Kind::scalar:
        reports_.report(base::catalogue::not_constant, name.place, name.text)
            .label(symbol->span, in_function ? "a parameter of the function, known when it is called"
                                             : "a parameter of the kernel, known when it is launched")
            .help(way_out(name.text));
        break;
    default:
        reports_
            .report(base::catalogue::wrong_kind_of_name, name.place, name.text, what(symbol->kind),
                    "an integer constant")
            .label(symbol->span, "declared here");
    }
    return std::nullopt;
}

// A near name makes it a slip of the finger, reported wherever it was made. Without one a declaration is
// missing: that is one mistake, reported where the name is first used.
void Names::report_unknown(const ast::Name& name, bool (*fits)(Symbol::Kind)) {
    if (lost_.count(name.text) != 0) return;
    std::vector<std::string> candidates;
    for (const auto& [known, symbol] : meanings_)
        if (fits(symbol.kind)) candidates.emplace_back(known);
    std::sort(candidates.begin(), candidates.end());
    const std::string near = base::nearest(name.text, candidates);
    if (near.empty()) {
        const auto [first, is_new] = missing_.try_emplace(name.text, Span(name.place));
        if (!is_new && !(first->second == Span(name.place))) return;
    }
    base::Diagnostic& unknown = reports_.report(base::catalogue::unknown_name, name.place, name.text);
    if (name.text == "__syncthreads") unknown.help("the threads of a CTA meet at `sync`: sync;");
    if (near.empty()) return;
    unknown.label(meanings_.at(near).span, fmt::format("`{}` is declared here", near));
    unknown.help(fmt::format("did you mean `{}`?", near));
}

void Names::close_block() {
    for (; undo_.size() > blocks_.back(); undo_.pop_back()) {
        const auto& [name, earlier] = undo_.back();
        if (earlier)
            meanings_[name] = *earlier;
        else
            meanings_.erase(name);
    }
    blocks_.pop_back();
    if (blocks_.empty()) missing_.clear();
}

} // namespace tmemc::sema
