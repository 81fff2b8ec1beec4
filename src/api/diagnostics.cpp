// One to one, but for spans, which become ranges.
#include "api/diagnostics.hpp"

#include "api/guard.hpp"
#include "base/render.hpp"

#include <algorithm>

namespace tmemc::api {
namespace {

Range range(const base::Source& source, base::Span span) {
    if (span == base::no_place) return {};
    const auto place = [&](std::uint32_t offset) {
        const base::Position at = source.position(offset);
        return Place{at.line, at.column, offset};
    };
    return {place(span.begin), place(std::max(span.begin, span.end))};
}

Severity severity(base::Severity of) {
    switch (of) {
    case base::Severity::error: return Severity::error;
    case base::Severity::warning: return Severity::warning;
    case base::Severity::note: return Severity::note;
    }
    return Severity::error;
}

} // namespace

void append(std::vector<Diagnostic>& to, const base::Diagnostics& found, const base::Source& source) {
    to.reserve(to.size() + found.list.size());
    for (const base::Diagnostic& each : found.list) {
        Diagnostic made;
        made.code = each.kind->code;
        made.name = each.kind->name;
        made.flag = each.kind->flag;
        made.severity = severity(each.severity);
        made.range = range(source, each.span);
        made.message = each.message;
        made.labels.reserve(each.labels.size());
        for (const base::Label& label : each.labels)
            made.labels.push_back({range(source, label.span), label.text});
        made.notes = each.notes;
        made.helps = each.helps;
        made.text = base::render_text(each, source);
        need_room((std::size_t{64} << 10) + 8 * made.text.size());
        made.json = base::render_json(each, source);
        to.push_back(std::move(made));
    }
}

} // namespace tmemc::api
