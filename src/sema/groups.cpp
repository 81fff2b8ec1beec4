// `at`: a place inside an earlier buffer, or a column of the allocation.
#include "sema/groups.hpp"

#include "atlas/limits.hpp"
#include "sema/constants.hpp"
#include "sema/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

GroupPlace open_group(Draft& draft, int columns, std::optional<int> fixed) {
    draft.kernel.groups.push_back({columns, fixed, draft.kernel.buffers.size()});
    return {draft.kernel.groups.size() - 1, 0};
}

/// The name that an `at` begins with, as in `acc + 32`; null when it begins with anything else.
const ast::Name* leading_name(const ast::Expr& at) {
    return at.first.rest.empty() ? std::get_if<ast::Name>(&at.first.first.node) : nullptr;
}

/// The value of what follows the leading name: `+ 32 - 4`, 0 when nothing does.
std::optional<std::int64_t> behind_leading_name(Environment& env, const ast::Expr& at) {
    std::optional<std::int64_t> sum = 0;
    for (const auto& step : at.rest) {
        const auto operand = evaluate(env, step.operand);
        sum = sum && operand ? apply(env, step.op, *sum, *operand, at.place) : std::nullopt;
    }
    return sum;
}

std::optional<GroupPlace> inside(Draft& draft, const ast::Tmem& tmem, const Symbol& symbol,
                                 const ast::Expr& at, int columns) {
    const auto offset = behind_leading_name(draft.env, at);
    if (!offset) return std::nullopt;
    const Buffer& outer = draft.kernel.buffers[static_cast<std::size_t>(symbol.value)];
    const int room = draft.kernel.cells(outer).words;
    if (*offset < 0 || *offset > room - columns) {
        draft.env.reports
            .report(catalogue::alias_outside, at.place, tmem.name.text, columns, *offset, outer.name, room)
            .label(outer.span, fmt::format("`{}` is declared here", outer.name))
            .help(columns > room
                      ? fmt::format("declare the wider buffer first and alias it the other way round")
                      : fmt::format("an offset from 0 to {} would fit", room - columns));
        return std::nullopt;
    }
    return GroupPlace{outer.group, outer.offset + static_cast<int>(*offset)};
}

} // namespace

std::optional<GroupPlace> group_place(Draft& draft, const ast::Tmem& tmem, int columns) {
    const ast::Attribute* attribute_at = attribute(tmem.attributes, AttributeKind::at);
    if (!attribute_at) return open_group(draft, columns, std::nullopt);
    const auto& at = std::get<ast::Expr>(attribute_at->value.node);
    if (const ast::Name* name = leading_name(at)) {
        const Symbol* symbol = draft.env.names.find(name->text);
        if (symbol && symbol->kind == Symbol::Kind::buffer) return inside(draft, tmem, *symbol, at, columns);
    }
    const auto column = evaluate(draft.env, at);
    if (!column) return std::nullopt;
    if (*column < 0 || *column > atlas::columns - columns) {
        draft.env.reports
            .report(catalogue::fixed_outside, at.place, tmem.name.text, columns, *column, atlas::columns)
            .help(fmt::format("a first column from 0 to {} would fit", atlas::columns - columns));
        if (*column < 0 || *column >= atlas::columns) return std::nullopt;
    } // what begins inside stays declared, so that a picture can show where it ends
    return open_group(draft, columns, static_cast<int>(*column));
}

bool lies_in_buffer(const Draft& draft, const ast::Tmem& tmem) {
    const ast::Attribute* at = attribute(tmem.attributes, AttributeKind::at);
    const ast::Name* name = at ? leading_name(std::get<ast::Expr>(at->value.node)) : nullptr;
    const Symbol* symbol = name ? draft.env.names.find(name->text) : nullptr;
    return symbol && (symbol->kind == Symbol::Kind::buffer || symbol->kind == Symbol::Kind::failed);
}

void merge_fixed_groups(Kernel& kernel) {
    std::vector<AliasGroup>& groups = kernel.groups;
    std::vector<std::size_t> fixed;
    for (std::size_t i = 0; i < groups.size(); ++i)
        if (groups[i].fixed) fixed.push_back(i);
    std::stable_sort(fixed.begin(), fixed.end(),
                     [&](std::size_t a, std::size_t b) { return *groups[a].fixed < *groups[b].fixed; });

    // By ascending first column, each group joins the one before it when that reaches beyond its start.
    std::vector<std::size_t> joined(groups.size());
    std::iota(joined.begin(), joined.end(), std::size_t{0});
    std::vector<int> shift(groups.size(), 0);
    for (std::size_t i = 1; i < fixed.size(); ++i) {
        AliasGroup& group = groups[fixed[i]];
        const std::size_t before = joined[fixed[i - 1]];
        AliasGroup& host = groups[before];
        if (*group.fixed >= *host.fixed + host.columns) continue;
        joined[fixed[i]] = before;
        shift[fixed[i]] = *group.fixed - *host.fixed;
        host.columns = std::max(host.columns, shift[fixed[i]] + group.columns);
        host.owner = std::min(host.owner, group.owner);
    }

    std::vector<std::size_t> renumbered(groups.size());
    std::vector<AliasGroup> kept;
    for (std::size_t i = 0; i < groups.size(); ++i) {
        if (joined[i] != i) continue;
        renumbered[i] = kept.size();
        kept.push_back(groups[i]);
    }
    for (Buffer& buffer : kernel.buffers) {
        buffer.offset += shift[buffer.group];
        buffer.group = renumbered[joined[buffer.group]];
    }
    groups = std::move(kept);
}

} // namespace tmemc::sema
