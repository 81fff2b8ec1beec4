// Digits of the flat index become digits of the thread's and the element's number.
#include "embed/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace tmemc::embed {
namespace {

using layout::Axis;
using layout::Digit;
using layout::Layout;

bool on_thread(const Digit& digit) { return digit.axis != Axis::m; }

/// A digit and what a step of it adds to the flat index; 0 for a digit of copies.
struct Weighted {
    Digit digit;
    std::int64_t weight = 0;
};

std::vector<Weighted> weighted(const Layout& layout) {
    std::vector<Weighted> list;
    std::int64_t weight = 1;
    const std::vector<Digit> ascending(layout.shard.rbegin(), layout.shard.rend());
    for (const Digit& digit : ascending) {
        list.push_back({digit, weight});
        weight *= digit.extent;
    }
    for (const Digit& digit : layout.replica) list.push_back({digit, 0});
    return list;
}

/// Digits that count rows and columns at once, in two; false when that cannot be.
bool split_at_rows(std::vector<Weighted>& list, std::int64_t cols) {
    std::vector<Weighted> result;
    for (const Weighted& each : list) {
        const auto& [digit, weight] = each;
        if (weight >= cols || weight * digit.extent <= cols) {
            result.push_back(each);
            continue;
        }
        if (cols % weight != 0 || digit.extent % (cols / weight) != 0) return false;
        const std::int64_t low = cols / weight;
        result.push_back({{low, digit.stride, digit.axis}, weight});
        result.push_back({{digit.extent / low, digit.stride * low, digit.axis}, cols});
    }
    list = std::move(result);
    return true;
}

std::int64_t first_place(const Layout& layout, bool of_thread) {
    if (!of_thread) return layout.offset[Axis::m];
    return layout.offset[Axis::tid_in_wg] + 32 * layout.offset[Axis::wid_in_wg] + layout.offset[Axis::laneid];
}

/// A warp's number counts in steps of 32 threads.
std::int64_t step_of(const Digit& digit) {
    return digit.axis == Axis::wid_in_wg ? 32 * digit.stride : digit.stride;
}

void add_term(PlaceForm& form, const PlaceTerm& term, std::int64_t cols) {
    if (term.weight == 0) return;
    const bool row = term.weight % cols == 0 && std::abs(term.weight) >= cols;
    PlaceTerm own = term;
    if (row) own.weight /= cols;
    std::vector<PlaceTerm>& terms = (row ? form.row : form.col).terms;
    // Neighbours that go on where the last one ends are one term.
    if (!terms.empty()) {
        PlaceTerm& last = terms.back();
        if (last.of_thread == own.of_thread && last.step * last.extent == own.step &&
            last.weight * last.extent == own.weight) {
            last.extent *= own.extent;
            return;
        }
    }
    terms.push_back(own);
}

/// The digits along the threads or along the elements, which must make up the numbers below `count`.
bool add_digits(PlaceForm& form, std::vector<Weighted> digits, std::int64_t first, std::int64_t count,
                bool of_thread, std::int64_t cols) {
    for (Weighted& each : digits) { // backwards: the same digit forwards, from the other end
        each.digit.stride = step_of(each.digit);
        if (each.digit.stride >= 0) continue;
        const std::int64_t last = each.digit.extent - 1;
        const bool row = each.weight >= cols;
        (row ? form.row : form.col).constant += last * (row ? each.weight / cols : each.weight);
        first += last * each.digit.stride;
        each.digit.stride = -each.digit.stride;
        each.weight = -each.weight;
    }
    std::sort(digits.begin(), digits.end(),
              [](const Weighted& a, const Weighted& b) { return a.digit.stride < b.digit.stride; });
    std::int64_t next = 1;
    for (const auto& [digit, weight] : digits) {
        if (digit.stride != next) return false;
        add_term(form, {of_thread, digit.stride, digit.extent, weight}, cols);
        next *= digit.extent;
    }
    return first == 0 && next == count;
}

bool agrees(const PlaceForm& form, const layout::SlotMap& map) {
    for (int row = 0; row < map.rows; ++row)
        for (int col = 0; col < map.cols; ++col)
            for (int copy = 0; copy < map.copies; ++copy) {
                const layout::Slot& slot = map.at(row, col, copy);
                const int element = slot.reg * (32 / map.bits) + slot.bit / map.bits;
                if (form.row.at(slot.thread, element) != row || form.col.at(slot.thread, element) != col)
                    return false;
            }
    return true;
}

bool power_of_two(std::int64_t value) { return std::has_single_bit(static_cast<std::uint64_t>(value)); }
int exponent(std::int64_t value) { return std::countr_zero(static_cast<std::uint64_t>(value)); }

/// "((thread >> 2) & 7) * 3"; a weight that is the step leaves the bits where they are.
std::string written(const PlaceTerm& term, std::int64_t weight) {
    const std::string_view name = term.of_thread ? "thread" : "i";
    if (!power_of_two(term.step) || !power_of_two(term.extent)) {
        std::string text(name);
        if (term.step > 1) text += fmt::format(" / {}", term.step);
        text += fmt::format(" % {}", term.extent);
        return weight == 1 ? text : text + fmt::format(" * {}", weight);
    }
    if (weight == term.step) return fmt::format("({} & {})", name, (term.extent - 1) * term.step);
    const std::string digit =
        term.step == 1 ? fmt::format("({} & {})", name, term.extent - 1)
                       : fmt::format("(({} >> {}) & {})", name, exponent(term.step), term.extent - 1);
    return weight == 1 ? digit : fmt::format("{} * {}", digit, weight);
}

/// Along one family of axes: the sum of the digits of `flat` and of `copy`.
std::string walked(const Layout& layout, bool of_thread) {
    std::vector<std::string> terms;
    if (const std::int64_t first = first_place(layout, of_thread)) terms.push_back(std::to_string(first));
    const auto add = [&](const std::vector<Digit>& digits, std::string_view number) {
        std::int64_t weight = 1;
        for (auto digit = digits.rbegin(); digit != digits.rend(); weight *= digit->extent, ++digit) {
            if (on_thread(*digit) != of_thread || digit->extent == 1) continue;
            std::string& term = terms.emplace_back(number);
            if (weight > 1) term += fmt::format(" / {}", weight);
            term += fmt::format(" % {}", digit->extent);
            if (step_of(*digit) != 1) term += fmt::format(" * {}", step_of(*digit));
        }
    };
    add(layout.shard, "flat");
    add(layout.replica, "copy");
    return terms.empty() ? "0" : fmt::format("{}", fmt::join(terms, " + "));
}

} // namespace

std::int64_t PlaceSum::at(std::int64_t thread, std::int64_t element) const {
    std::int64_t sum = constant;
    for (const PlaceTerm& each : terms)
        sum += (each.of_thread ? thread : element) / each.step % each.extent * each.weight;
    return sum;
}

std::optional<PlaceForm> place_form(const Layout& layout, const layout::SlotMap& map) {
    std::vector<Weighted> all = weighted(layout);
    all.erase(
        std::remove_if(all.begin(), all.end(), [](const Weighted& each) { return each.digit.extent == 1; }),
        all.end());
    if (!split_at_rows(all, map.cols)) return std::nullopt;
    PlaceForm form;
    for (const bool of_thread : {true, false}) {
        std::vector<Weighted> digits;
        std::copy_if(all.begin(), all.end(), std::back_inserter(digits),
                     [&](const Weighted& each) { return on_thread(each.digit) == of_thread; });
        const std::int64_t count = of_thread ? layout::max_threads : std::int64_t{map.words} * 32 / map.bits;
        if (!add_digits(form, std::move(digits), first_place(layout, of_thread), count, of_thread, map.cols))
            return std::nullopt;
    }
    if (!agrees(form, map)) return std::nullopt;
    return form;
}

std::string cpp_expression(const PlaceSum& sum) {
    std::string text;
    if (sum.constant != 0 || sum.terms.empty()) text = std::to_string(sum.constant);
    for (const PlaceTerm& each : sum.terms) {
        const bool minus = each.weight < 0;
        if (!text.empty() || minus) text += text.empty() ? "-" : minus ? " - " : " + ";
        text += written(each, std::abs(each.weight));
    }
    const bool bracketed = sum.terms.size() == 1 && text.front() == '(' && text.back() == ')';
    return bracketed ? text.substr(1, text.size() - 2) : text;
}

std::string cpp_thread(const Layout& layout) { return walked(layout, true); }
std::string cpp_element(const Layout& layout) { return walked(layout, false); }

} // namespace tmemc::embed
