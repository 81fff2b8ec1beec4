// Where the rules of this folder report. A loop is unrolled, so a mistake in its body is met once per turn;
// the user made it once. Reports keeps the first of a kind at a place, counts the turns in which it came
// again, and says so:
//
//     note: with c = 3, and in 4 more iterations
//
// Not here: what the diagnostics look like (base/render.hpp).
#pragma once

#include "base/diagnostics.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace tmemc::sema {

class Reports {
  public:
    /// Reports once per kind and place; what is then added to a repeated one is lost with it.
    template <class... Arguments>
    base::Diagnostic& report(const base::TypedKind<Arguments...>& kind, base::Span span,
                             const std::type_identity_t<Arguments>&... arguments) {
        base::Diagnostics one;
        one.report(kind, span, arguments...);
        return keep(std::move(one.list.front()));
    }

    /// Counts one more turn for what was reported of this kind at this place; false when nothing was. For
    /// reports that are dear to put into words.
    bool repeat(const base::Kind& kind, base::Span span);

    /// From here on, what is reported belongs to this turn of the loops around it ("c = 3, i = 0"; empty
    /// outside).
    void set_iteration(std::string iteration) {
        iteration_ = std::move(iteration);
        calls_.clear();
    }
    /// And to these calls around it, the innermost first, which a report is labelled with.
    void set_place(std::string iteration, const std::vector<base::Span>& calls) {
        iteration_ = std::move(iteration);
        calls_ = calls;
    }
    [[nodiscard]] const std::string& iteration() const { return iteration_; }

    /// Whether something reported so far shows this picture.
    [[nodiscard]] bool show(const base::Picture& picture) const;
    /// How many errors there are so far.
    [[nodiscard]] std::size_t errors() const;
    /// Everything reported, in the order of the source.
    [[nodiscard]] base::Diagnostics take();

  private:
    struct Found {
        base::Diagnostic diagnostic;
        std::string first_iteration, last_iteration;
        std::int64_t more_iterations = 0;
    };
    using Key = std::tuple<const void*, std::uint32_t, std::uint32_t>; // kind and span

    base::Diagnostic& keep(base::Diagnostic diagnostic);
    void count_turn(Found& first);

    std::string iteration_;
    std::vector<base::Span> calls_;
    std::vector<Found> found_;
    std::map<Key, std::size_t> index_; // into found_
    base::Diagnostic repeated_;
};

} // namespace tmemc::sema
