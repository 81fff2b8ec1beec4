// The algebra of layout.hpp: digits to coordinates and back to text. One element costs a division per digit
// (evaluate); all elements together cost about one addition each, because the digits turn like an odometer
// (odometer.hpp). Two layouts are compared by walking both at once.
#include "layout/layout.hpp"

#include "base/invariant.hpp"
#include "layout/odometer.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

namespace tmemc::layout {

namespace {

constexpr std::array<std::string_view, axis_count> axis_names{"tid_in_wg", "wid_in_wg", "laneid",
                                                              "m",         "TLane",     "TCol"};

/// The product of the extents; 0 when one of them counts nothing, and the largest number when it does not
/// fit.
std::int64_t product(const std::vector<Digit>& digits) {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    std::int64_t all = 1;
    for (const Digit& digit : digits) {
        if (digit.extent < 1) return 0;
        all = all > most / digit.extent ? most : all * digit.extent;
    }
    return all;
}

/// Moves `place` to the digits of `index`.
void advance(Coordinate& place, const std::vector<Digit>& digits, std::int64_t index) {
    for (std::size_t i = digits.size(); i-- > 0;) {
        place[digits[i].axis] += index % digits[i].extent * digits[i].stride;
        index /= digits[i].extent;
    }
}

/// The same place with its thread as one number.
Coordinate with_thread_sum(Coordinate place) {
    place[Axis::tid_in_wg] += 32 * place[Axis::wid_in_wg] + place[Axis::laneid];
    place[Axis::wid_in_wg] = place[Axis::laneid] = 0;
    return place;
}

/// The places of the next element, as a set: sorted, none twice.
std::vector<Coordinate> next_places(Odometer& odometer, std::int64_t copies) {
    std::vector<Coordinate> places;
    for (std::int64_t copy = 0; copy < copies; ++copy, odometer.turn())
        places.push_back(with_thread_sum(odometer.place()));
    auto before = [](const Coordinate& a, const Coordinate& b) { return a.value < b.value; };
    std::sort(places.begin(), places.end(), before);
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

std::string entry(std::int64_t amount, Axis axis) {
    return axis == Axis::m ? fmt::format("{}", amount) : fmt::format("{}@{}", amount, name(axis));
}

/// "[(128, 8) : (1@tid_in_wg, 1)]"
std::string bracket(const std::vector<Digit>& digits) {
    std::string extents, strides;
    for (const Digit& digit : digits) {
        const char* comma = extents.empty() ? "" : ", ";
        extents += fmt::format("{}{}", comma, digit.extent);
        strides += comma + entry(digit.stride, digit.axis);
    }
    return "[(" + extents + ") : (" + strides + ")]";
}

} // namespace

std::string_view name(Axis axis) { return axis_names[static_cast<std::size_t>(axis)]; }

std::optional<Axis> axis_named(std::string_view name) {
    const auto* found = std::find(axis_names.begin(), axis_names.end(), name);
    if (found == axis_names.end()) return std::nullopt;
    return static_cast<Axis>(found - axis_names.begin());
}

Coordinate operator+(Coordinate a, const Coordinate& b) {
    for (std::size_t axis = 0; axis < axis_count; ++axis) a.value[axis] += b.value[axis];
    return a;
}

std::int64_t size(const Layout& layout) { return product(layout.shard); }
std::int64_t copies(const Layout& layout) { return product(layout.replica); }

Coordinate evaluate(const Layout& layout, std::int64_t flat, std::int64_t copy) {
    base::invariant(flat >= 0 && flat < size(layout), "layout: the element is not in the layout");
    base::invariant(copy >= 0 && copy < copies(layout), "layout: the copy is not in the layout");
    Coordinate place = layout.offset;
    advance(place, layout.shard, flat);
    advance(place, layout.replica, copy);
    return place;
}

std::vector<Coordinate> evaluate_all(const Layout& layout) {
    std::vector<Coordinate> places(static_cast<std::size_t>(size(layout) * copies(layout)));
    Odometer odometer(layout);
    for (Coordinate& place : places) {
        place = odometer.place();
        odometer.turn();
    }
    return places;
}

bool equal_maps(const Layout& a, const Layout& b) {
    if (size(a) != size(b)) return false;
    Odometer at_a(a), at_b(b);
    const std::int64_t elements = size(a), copies_a = copies(a), copies_b = copies(b);
    if (copies_a == 1 && copies_b == 1) {
        for (std::int64_t element = 0; element < elements; ++element, at_a.turn(), at_b.turn())
            if (with_thread_sum(at_a.place()) != with_thread_sum(at_b.place())) return false;
        return true;
    }
    for (std::int64_t element = 0; element < elements; ++element)
        if (next_places(at_a, copies_a) != next_places(at_b, copies_b)) return false;
    return true;
}

std::string to_string(const Layout& layout) {
    std::string text = "S" + bracket(layout.shard);
    if (!layout.replica.empty()) text += " + R" + bracket(layout.replica);
    for (std::size_t axis = 0; axis < axis_count; ++axis)
        if (layout.offset.value[axis] != 0)
            text += " + " + entry(layout.offset.value[axis], static_cast<Axis>(axis));
    return text;
}

} // namespace tmemc::layout
