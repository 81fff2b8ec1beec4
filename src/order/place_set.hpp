// A set of places on a grid: the elements of a tile by row and column, or blocks of tensor memory by slab and
// column. Runs go in and out whole, so that a copy of a 128x512 tile costs 128 of them and not 65,536 steps.
#pragma once

#include "order/footprint.hpp"

#include <optional>

namespace tmemc::order {

class PlaceSet {
  public:
    /// An empty set on a grid of `lines` lines of `width` places; nothing is kept until something is added.
    PlaceSet(int lines, int width) : lines_(lines), words_((width + word_bits - 1) / word_bits) {}

    void add(const Run& run);
    void remove(const Run& run);
    [[nodiscard]] bool meets(const Run& run) const;
    /// The first place of the run that is not in the set.
    [[nodiscard]] std::optional<int> first_missing(const Run& run) const;

  private:
    static constexpr int word_bits = 64;

    /// Calls `visit(word, mask, first place of the word)` for the words of a run until it says false.
    template <class Words, class Visit>
    static void each_word(Words& words, std::size_t line_start, const Run& run, Visit visit);
    [[nodiscard]] std::size_t start(const Run& run) const {
        return static_cast<std::size_t>(run.line) * static_cast<std::size_t>(words_);
    }

    int lines_, words_;
    std::vector<std::uint64_t> bits_; // lines_ * words_ of them, or none
};

} // namespace tmemc::order
