// The list of all kinds comes from the same rows as the kinds themselves.
#include "base/diagnostics.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tmemc::base {

const std::vector<const Kind*>& all_kinds() {
    static const std::vector<const Kind*> kinds{
#define TMEMC_ERROR(identifier, ...) &catalogue::identifier,
#define TMEMC_WARNING(identifier, ...) &catalogue::identifier,
#include "base/diagnostics.def"
#undef TMEMC_ERROR
#undef TMEMC_WARNING
    };
    return kinds;
}

Diagnostic& Diagnostic::label(Span where, std::string text) {
    labels.push_back({where, std::move(text)});
    return *this;
}

Diagnostic& Diagnostic::note(std::string text) {
    notes.push_back(std::move(text));
    return *this;
}

Diagnostic& Diagnostic::help(std::string text) {
    helps.push_back(std::move(text));
    return *this;
}

bool Diagnostics::has_errors() const {
    return std::any_of(list.begin(), list.end(),
                       [](const Diagnostic& each) { return each.severity == Severity::error; });
}

void Diagnostics::append(Diagnostics more) {
    list.insert(list.end(), std::make_move_iterator(more.list.begin()),
                std::make_move_iterator(more.list.end()));
}

Diagnostic& Diagnostics::add(const Kind& kind, Span span, std::string message) {
    return list.emplace_back(Diagnostic{&kind, kind.severity, span, std::move(message), {}, {}, {}, {}});
}

} // namespace tmemc::base
