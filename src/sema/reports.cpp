// The first of a kind at a place is kept, the others are counted.
#include "sema/reports.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

base::Diagnostic& Reports::keep(base::Diagnostic diagnostic) {
    const Key key{diagnostic.kind, diagnostic.span.begin, diagnostic.span.end};
    const auto [place, is_new] = index_.try_emplace(key, found_.size());
    if (is_new) {
        for (const base::Span call : calls_) diagnostic.label(call, "called here");
        found_.push_back({std::move(diagnostic), iteration_, iteration_, 0});
        return found_.back().diagnostic;
    }
    count_turn(found_[place->second]);
    repeated_ = std::move(diagnostic);
    return repeated_;
}

bool Reports::repeat(const base::Kind& kind, base::Span span) {
    const auto known = index_.find(Key{&kind, span.begin, span.end});
    if (known == index_.end()) return false;
    count_turn(found_[known->second]);
    return true;
}

void Reports::count_turn(Found& first) {
    if (first.last_iteration == iteration_ || !calls_.empty()) return;
    first.last_iteration = iteration_;
    ++first.more_iterations;
}

std::size_t Reports::errors() const {
    return static_cast<std::size_t>(std::count_if(found_.begin(), found_.end(), [](const Found& each) {
        return each.diagnostic.severity == base::Severity::error;
    }));
}

bool Reports::show(const base::Picture& picture) const {
    return std::any_of(found_.begin(), found_.end(),
                       [&](const Found& each) { return each.diagnostic.picture == picture; });
}

base::Diagnostics Reports::take() {
    base::Diagnostics all;
    for (Found& each : found_) {
        if (each.more_iterations > 0)
            each.diagnostic.note(fmt::format("with {}, and in {} more iteration{}", each.first_iteration,
                                             each.more_iterations, each.more_iterations == 1 ? "" : "s"));
        else if (!each.first_iteration.empty())
            each.diagnostic.note("with " + each.first_iteration);
        all.list.push_back(std::move(each.diagnostic));
    }
    std::stable_sort(all.list.begin(), all.list.end(),
                     [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; });
    found_.clear();
    index_.clear();
    return all;
}

} // namespace tmemc::sema
