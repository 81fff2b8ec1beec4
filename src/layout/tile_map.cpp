// Layouts to tile maps. Both kinds of map are made by one walk over the tile; they differ in the axes they
// may use, in the bounds of a place and in the struct that holds it, which a Family says. The walk stops at
// the first element that lies outside or meets another one, so a layout that is no map costs no more than one
// that is.
#include "layout/tile_map.hpp"

#include "layout/odometer.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace tmemc::layout {

namespace {

constexpr int word_bits = 32;
constexpr std::int64_t far = std::int64_t{1} << 40; // a step that leaves every tile

/// A place as two numbers: along the threads or lanes, and along the register slots or columns in elements.
struct Point {
    std::int64_t across = 0, along = 0;
};

struct FragmentFamily {
    using Place = Slot;
    static constexpr Axis across = Axis::tid_in_wg, along = Axis::m;
    static constexpr std::int64_t across_limit = max_threads, words_limit = max_registers;
    static bool owns(Axis axis) { return axis != Axis::TLane && axis != Axis::TCol; }
    static std::int64_t weight(Axis axis) { return axis == Axis::wid_in_wg ? 32 : 1; }
    static Point point(const Coordinate& at) {
        return {at[Axis::tid_in_wg] + 32 * at[Axis::wid_in_wg] + at[Axis::laneid], at[Axis::m]};
    }
};

struct BufferFamily {
    using Place = Cell;
    static constexpr Axis across = Axis::TLane, along = Axis::TCol;
    static constexpr std::int64_t across_limit = max_lanes, words_limit = max_columns;
    static bool owns(Axis axis) { return axis == Axis::TLane || axis == Axis::TCol; }
    static std::int64_t weight(Axis) { return 1; }
    static Point point(const Coordinate& at) { return {at[Axis::TLane], at[Axis::TCol]}; }
};

/// The first axis that moves something and does not belong to the family.
template <class Family>
std::optional<Axis> foreign_axis(const Layout& layout) {
    for (const std::vector<Digit>* digits : {&layout.shard, &layout.replica})
        for (const Digit& digit : *digits)
            if (digit.extent > 1 && digit.stride != 0 && !Family::owns(digit.axis)) return digit.axis;
    for (std::size_t i = 0; i < axis_count; ++i) {
        const auto axis = static_cast<Axis>(i);
        if (layout.offset[axis] != 0 && !Family::owns(axis)) return axis;
    }
    return std::nullopt;
}

/// Steps times a stride added to a sum, as far as 64 bits reach.
void add_up(std::int64_t& sum, std::int64_t steps, std::int64_t stride) {
    std::int64_t way = 0;
    if (!__builtin_mul_overflow(steps, stride, &way) && !__builtin_add_overflow(sum, way, &sum)) return;
    sum = (steps < 0) == (stride < 0) ? INT64_MAX : INT64_MIN;
}

/// The same layout for the walk, which may then add up steps without leaving 64 bits. Where it finds a place
/// outside, the bounds may have changed the place but not that it lies outside.
Layout bounded(Layout layout) {
    auto bound = [](std::int64_t& step) { step = std::clamp(step, -far, far); };
    for (Digit& digit : layout.shard) bound(digit.stride);
    for (Digit& digit : layout.replica) bound(digit.stride);
    for (std::int64_t& amount : layout.offset.value) bound(amount);
    return layout;
}

template <class Family>
class MapMaker {
  public:
    using Place = typename Family::Place;
    using Result = std::variant<TileMap<Place>, MapProblem>;

    MapMaker(const Layout& layout, int rows, int cols, int bits)
        : layout_(layout), cols_(cols), bits_(bits), elements_(std::int64_t{rows} * cols),
          slots_(Family::words_limit * word_bits / bits) {
        map_.rows = rows;
        map_.cols = cols;
        map_.bits = bits;
    }

    Result make() {
        if (const auto axis = foreign_axis<Family>(layout_)) {
            MapProblem problem{MapProblem::What::axis};
            problem.axis = *axis;
            return problem;
        }
        const std::int64_t copies = layout::copies(layout_);
        const std::int64_t found = copies == 0 ? 0 : size(layout_);
        if (found != elements_) return MapProblem{MapProblem::What::size, found, elements_};
        return walk(copies);
    }

  private:
    Result walk(std::int64_t copies) {
        // More places than there is room for end in a problem before the walk is through.
        const std::int64_t room = Family::across_limit * slots_;
        owners_.assign(static_cast<std::size_t>(room), nobody);
        map_.copies = static_cast<int>(std::min(copies, room));
        map_.places.reserve(static_cast<std::size_t>(std::min(elements_, room)));
        Odometer odometer(bounded(layout_));
        for (std::int64_t element = 0; element < elements_; ++element)
            for (std::int64_t copy = 0; copy < copies; ++copy, odometer.turn())
                if (auto problem = put(element, Family::point(odometer.place()))) {
                    if (problem->what == MapProblem::What::range)
                        problem->found = found_at(element, copy, problem->axis);
                    return *problem;
                }
        return std::move(map_);
    }

    std::optional<MapProblem> put(std::int64_t element, Point point) {
        if (point.across < 0 || point.across >= Family::across_limit)
            return outside(element, Family::across, Family::across_limit);
        if (point.along < 0 || point.along >= slots_) return outside(element, Family::along, slots_);
        int& owner = owners_[static_cast<std::size_t>(point.across * slots_ + point.along)];
        if (owner != nobody) return meeting(owner, element);
        owner = static_cast<int>(element); // below the room for places
        const auto bit = static_cast<int>(point.along) * bits_;
        const int word = bit / word_bits;
        map_.words = std::max(map_.words, word + 1);
        map_.places.push_back({static_cast<std::uint16_t>(point.across), static_cast<std::uint16_t>(word),
                               static_cast<std::uint8_t>(bit % word_bits)});
        return std::nullopt;
    }

    /// Where a copy of an element lies, along the threads or lanes or along the rest, without the walk's
    /// bounds.
    std::int64_t found_at(std::int64_t element, std::int64_t copy, Axis along) const {
        std::int64_t found = 0;
        const auto count = [&](Axis axis, std::int64_t steps, std::int64_t stride) {
            if (!Family::owns(axis) || (axis == Family::along) != (along == Family::along)) return;
            add_up(found, steps * Family::weight(axis), stride);
        };
        for (std::size_t i = 0; i < axis_count; ++i)
            count(static_cast<Axis>(i), 1, layout_.offset[static_cast<Axis>(i)]);
        using Part = std::pair<const std::vector<Digit>*, std::int64_t>;
        for (const auto& [digits, index] : {Part{&layout_.shard, element}, Part{&layout_.replica, copy}}) {
            std::int64_t rest = index;
            for (auto digit = digits->rbegin(); digit != digits->rend(); rest /= digit->extent, ++digit)
                count(digit->axis, rest % digit->extent, digit->stride);
        }
        return found;
    }

    MapProblem outside(std::int64_t element, Axis axis, std::int64_t limit) const {
        MapProblem problem{MapProblem::What::range, 0, limit, axis};
        problem.row = row(element);
        problem.col = col(element);
        return problem;
    }
    MapProblem meeting(std::int64_t first, std::int64_t second) const {
        MapProblem problem{MapProblem::What::collision};
        problem.row = row(first);
        problem.col = col(first);
        problem.other_row = row(second);
        problem.other_col = col(second);
        return problem;
    }
    int row(std::int64_t element) const { return static_cast<int>(element / cols_); }
    int col(std::int64_t element) const { return static_cast<int>(element % cols_); }

    static constexpr int nobody = -1;
    const Layout& layout_;
    int cols_, bits_;
    std::int64_t elements_;
    std::int64_t slots_;      // elements that fit along the registers or columns
    std::vector<int> owners_; // the element at each place, by across and along
    TileMap<Place> map_;
};

} // namespace

std::variant<SlotMap, MapProblem> slot_map(const Layout& layout, int rows, int cols, int bits) {
    return MapMaker<FragmentFamily>(layout, rows, cols, bits).make();
}

std::variant<CellMap, MapProblem> cell_map(const Layout& layout, int rows, int cols, int bits) {
    return MapMaker<BufferFamily>(layout, rows, cols, bits).make();
}

} // namespace tmemc::layout
