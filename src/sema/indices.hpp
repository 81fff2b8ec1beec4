// Numbers that are known when a CTA runs: expressions in cta.x, cta.y and cta.z. Such a number is a constant
// and one step of a table that holds every different step once, so that `cta.x*128 + c*8` is the same step in
// every turn of the loop over c, with another constant:
//
//     step 1: cta.x   step 2: 128   step 3: step 1 * step 2          cta.x*128 + 64  is  64 + step 3
//
// The grid gives each step a range, by interval arithmetic: cta.x lies in 0 to grid.x - 1. Where an axis
// stands twice in an expression that can be wider than what is reached, so where it matters and the CTAs can
// be counted, extremes() tries them all. Not here: the rules of slices (regions.cpp).
#pragma once

#include "sema/program.hpp"

#include <array>
#include <map>
#include <tuple>

namespace tmemc::sema {

struct Number {
    std::int64_t constant = 0;
    std::uint32_t step = 0; // to be added; 0: the number 0
    bool run_time = false;  // an expression in cta.x, be it 0 in every CTA
};

/// The lowest and the highest value.
struct Range {
    std::int64_t low = 0, high = 0;
    [[nodiscard]] bool inside(const Range& outer) const { return outer.low <= low && high <= outer.high; }
};
/// What depends on the CTA is computed in 32 bits.
inline constexpr Range index_range{-2147483648, 2147483647};

/// The value of each of a kernel's steps in a CTA.
[[nodiscard]] std::vector<std::int64_t> values_in(const Kernel& kernel,
                                                  const std::array<std::int64_t, 3>& cta);

class Indices {
  public:
    /// The table begins anew, for a kernel of this grid.
    void begin(const std::array<std::int64_t, 3>& grid);
    /// cta.x is axis 0.
    [[nodiscard]] Number cta(int axis);
    struct Outcome {
        std::optional<Number> number;
        Range beyond; // else: what it reaches, outside index_range
        bool by_zero = false;
    };
    /// `a op b` for op in + - * / % and < > (minimum, maximum), of which one is no constant.
    [[nodiscard]] Outcome apply(char op, Number a, Number b);
    /// An upper and a lower bound, and the values reached if `exact` and the CTAs can be counted.
    [[nodiscard]] Range range(const Number& number) const;
    [[nodiscard]] Range extremes(const Number& number);
    [[nodiscard]] Base base(const Number& number) const;

    [[nodiscard]] std::vector<IndexStep> take() { return std::move(steps_); }

  private:
    std::uint32_t step(IndexStep::What what, std::int64_t number, std::uint32_t left, std::uint32_t right);
    std::optional<std::uint32_t> operation(IndexStep::What what, std::uint32_t left, std::uint32_t right,
                                           Outcome& outcome);
    std::optional<std::uint32_t> whole(const Number& number, Outcome& outcome);
    std::optional<std::uint32_t> combine(char op, const Number& a, const Number& b, std::int64_t& constant,
                                         Outcome& outcome);
    [[nodiscard]] Range range_of(const IndexStep& step) const;
    [[nodiscard]] std::int64_t multiple_of(const IndexStep& step) const;

    using Key = std::tuple<IndexStep::What, std::int64_t, std::uint32_t, std::uint32_t>;
    std::array<std::int64_t, 3> grid_{1, 1, 1};
    std::vector<IndexStep> steps_;
    std::map<Key, std::uint32_t> known_;
    std::map<std::uint32_t, Range> counted_; // what extremes() has found
};

} // namespace tmemc::sema
