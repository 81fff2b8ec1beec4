// 64 places to a word.
#include "order/place_set.hpp"

#include <algorithm>
#include <bit>

namespace tmemc::order {

template <class Words, class Visit>
void PlaceSet::each_word(Words& words, std::size_t line_start, const Run& run, Visit visit) {
    for (int first = run.first; first < run.last;) {
        const int bit = first % word_bits, count = std::min(word_bits - bit, run.last - first);
        const std::uint64_t ones = count == word_bits ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
        if (!visit(words[line_start + static_cast<std::size_t>(first / word_bits)], ones << bit, first - bit))
            return;
        first += count;
    }
}

void PlaceSet::add(const Run& run) {
    if (bits_.empty()) bits_.assign(static_cast<std::size_t>(lines_) * static_cast<std::size_t>(words_), 0);
    each_word(bits_, start(run), run, [](std::uint64_t& word, std::uint64_t mask, int) {
        word |= mask;
        return true;
    });
}

void PlaceSet::remove(const Run& run) {
    if (bits_.empty()) return;
    each_word(bits_, start(run), run, [](std::uint64_t& word, std::uint64_t mask, int) {
        word &= ~mask;
        return true;
    });
}

bool PlaceSet::meets(const Run& run) const {
    bool met = false;
    if (bits_.empty()) return met;
    each_word(bits_, start(run), run, [&met](std::uint64_t word, std::uint64_t mask, int) {
        met = (word & mask) != 0;
        return !met;
    });
    return met;
}

std::optional<int> PlaceSet::first_missing(const Run& run) const {
    if (bits_.empty()) return run.first;
    std::optional<int> missing;
    each_word(bits_, start(run), run, [&missing](std::uint64_t word, std::uint64_t mask, int first) {
        const std::uint64_t absent = mask & ~word;
        if (absent != 0) missing = first + std::countr_zero(absent);
        return absent == 0;
    });
    return missing;
}

} // namespace tmemc::order
