// Greedy: the longest run with one step, then the longest run of such runs. What was found is held against
// every place.
#include "inspect/layout_pattern.hpp"

#include <fmt/format.h>

#include <cstddef>

namespace tmemc::inspect {
namespace {

/// The difference of two places.
struct Shift {
    int unit = 0, slot = 0, bit = 0;
    bool operator==(const Shift&) const = default;
};
Shift operator-(const ElementPlace& a, const ElementPlace& b) {
    return {a.unit - b.unit, a.slot - b.slot, a.bit - b.bit};
}
Shift times(const Shift& step, int n) { return {step.unit * n, step.slot * n, step.bit * n}; }

/// What `repeats` say of number `n`.
Shift shift_at(const std::vector<Repeat>& repeats, int n) {
    Shift sum;
    for (const Repeat& each : repeats) {
        const int digit = n / each.size % each.extent;
        sum.unit += each.unit * digit;
        sum.slot += each.slot * digit;
        sum.bit += each.bit * digit;
    }
    return sum;
}

/// The repeats of `count` places, from `step` on and in steps of it; `at(n)` is the shift of number n.
template <class At>
std::vector<Repeat> repeats(int count, int step, At at) {
    std::vector<Repeat> found;
    for (int size = step; size < count;) {
        const Shift once = at(size);
        int extent = 2;
        while (extent * size < count && at(extent * size) == times(once, extent)) ++extent;
        while (count % (size * extent) != 0) --extent; // 1 at the latest
        if (extent == 1) return {};                    // no regular pattern; the comparison will say so
        found.push_back({size, extent, once.unit, once.slot, once.bit});
        size *= extent;
    }
    return found;
}

/// "register +4", "thread +64 and register -8"
std::string shift_words(const Repeat& each, const LayoutObject& object) {
    std::string words;
    const auto add = [&](int by, std::string_view what) {
        if (by != 0) words += fmt::format("{}{} {:+}", words.empty() ? "" : " and ", what, by);
    };
    add(each.unit, object.buffer ? "lane" : "thread");
    add(each.slot, object.buffer ? "tmem column" : "register");
    add(each.bit, "bit");
    return words.empty() ? "the same place" : words;
}

} // namespace

int elements_per_word(const LayoutObject& object) {
    const int group = base::per_word(object.dtype);
    if (group == 1 || object.cols % group != 0) return 1;
    const auto copies = static_cast<std::size_t>(object.copies);
    for (std::size_t i = 0; i < object.places.size(); ++i) {
        const ElementPlace& place = object.places[i];
        const int number = place.col % group;
        const ElementPlace& first = object.places[i - static_cast<std::size_t>(number) * copies];
        if (place.unit != first.unit || place.slot != first.slot ||
            place.bit != number * base::bits(object.dtype))
            return 1;
    }
    return group;
}

std::optional<Pattern> pattern(const LayoutObject& object, int group) {
    const auto index = [&](int row, int col, int copy) {
        const std::size_t element = static_cast<std::size_t>(row) * static_cast<std::size_t>(object.cols) +
                                    static_cast<std::size_t>(col);
        return element * static_cast<std::size_t>(object.copies) + static_cast<std::size_t>(copy);
    };
    const ElementPlace& first = object.places.front();
    Pattern found;
    found.down = repeats(object.rows, 1, [&](int n) { return object.places[index(n, 0, 0)] - first; });
    found.across = repeats(object.cols, group, [&](int n) { return object.places[index(0, n, 0)] - first; });
    found.again = repeats(object.copies, 1, [&](int n) { return object.places[index(0, 0, n)] - first; });

    std::vector<Shift> across, again;
    for (int col = 0; col < object.cols; col += group) across.push_back(shift_at(found.across, col));
    for (int copy = 0; copy < object.copies; ++copy) again.push_back(shift_at(found.again, copy));
    for (int row = 0; row < object.rows; ++row) {
        const Shift down = shift_at(found.down, row);
        for (int col = 0; col < object.cols; col += group)
            for (int copy = 0; copy < object.copies; ++copy) {
                const Shift &a = across[static_cast<std::size_t>(col / group)],
                            &b = again[static_cast<std::size_t>(copy)];
                const Shift sum{down.unit + a.unit + b.unit, down.slot + a.slot + b.slot,
                                down.bit + a.bit + b.bit};
                if (!(object.places[index(row, col, copy)] - first == sum)) return std::nullopt;
            }
    }
    return found;
}

std::string in_words(const std::vector<Repeat>& repeats, std::string_view what, const LayoutObject& object) {
    std::string words;
    for (const Repeat& each : repeats) {
        const int last = each.size * each.extent - 1;
        const std::string shift = shift_words(each, object);
        if (words.empty())
            words = fmt::format("{} 0..{}: {} {}", what, last, shift,
                                each.size > 1 ? fmt::format("every {}", each.size) : "each");
        else if (each.extent == 2)
            words += fmt::format("; again to {} with {}", last, shift);
        else
            words += fmt::format("; again to {}, each time {}", last, shift);
    }
    return words;
}

} // namespace tmemc::inspect
