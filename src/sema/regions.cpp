// Slices, one dimension at a time.
#include "sema/regions.hpp"

#include "base/invariant.hpp"
#include "sema/constants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

/// The indices begin, ..., begin + width - 1.
struct Interval {
    Number begin;
    std::int64_t width = 0;
    bool point = false;
    bool leaves = false; // the dimension, in some CTA
};

/// One dimension of an object: what its slices are measured against.
struct Dimension {
    const std::string& object;
    Span declared;         // the object
    std::string_view unit; // "row", "column" or, of one dimension, "element"
    std::int64_t extent = 0;
    bool of_tensor = false;
    Place place{};
    std::string_view extent_from; // the parameter that gives the extent at run time
};

std::string text_of(const Number& number) {
    return number.run_time ? "..." : std::to_string(number.constant);
}

class Slicer {
  public:
    Slicer(Draft& draft, const Dimension& dimension)
        : env_(draft.env), grid_(draft.kernel.grid), dimension_(dimension) {}

    std::optional<Interval> operator()(std::monostate) { throw base::InternalError("an empty slice"); }
    std::optional<Interval> operator()(const ast::Range& range) {
        const auto from = range.from ? value(*range.from) : Number{};
        const auto to = range.to ? value(*range.to) : end(range.place, from);
        if (!from || !to) return std::nullopt;
        const auto width = difference(*to, *from, range.place);
        const std::string text = fmt::format("{}:{}", text_of(*from), text_of(*to));
        return width ? interval(*from, *width, text, range.place) : std::nullopt;
    }
    std::optional<Interval> operator()(const ast::Window& window) {
        const auto from = value(window.base);
        const auto width = evaluate(env_, window.width);
        if (!from || !width) return std::nullopt;
        return interval(*from, *width, fmt::format("{} +: {}", text_of(*from), *width), window.place);
    }
    std::optional<Interval> operator()(const ast::Point& point) {
        const auto index = value(point.index);
        if (!index) return std::nullopt;
        auto found = interval(*index, 1, text_of(*index), point.place);
        if (found) found->point = true;
        return found;
    }
    /// All of the dimension.
    std::optional<Interval> whole(Span span) {
        const auto to = end(span, Number{});
        return to ? interval({}, to->constant, "", span) : std::nullopt;
    }

  private:
    std::optional<Number> value(const ast::Expr& expr) {
        if (dimension_.of_tensor) return evaluate_number(env_, expr);
        const auto constant = evaluate(env_, expr);
        return constant ? std::optional(Number{*constant, 0, false}) : std::nullopt;
    }

    std::optional<Number> end(Span span, const std::optional<Number>& from) {
        if (dimension_.extent_from.empty()) return Number{dimension_.extent, 0, false};
        if (from) without_width(span, *from);
        return std::nullopt;
    }

    void without_width(Span span, const Number& from) {
        base::Diagnostic& report =
            env_.reports.report(catalogue::slice_without_width, span, dimension_.object)
                .label(dimension_.declared, "declared here");
        if (!dimension_.extent_from.empty())
            report.note(fmt::format("`{}` gives its {}s when the kernel is launched", dimension_.extent_from,
                                    dimension_.unit));
        report.help(from.run_time ? "write the base and a width: row +: 128"
                                  : fmt::format("write the base and a width: {} +: 128", from.constant));
    }

    /// How far apart two ends are: a constant, when both depend on the CTA in the same way.
    std::optional<std::int64_t> difference(const Number& to, const Number& from, Span span) {
        if (to.step != from.step) {
            without_width(span, from);
            return std::nullopt;
        }
        std::int64_t width = 0;
        if (!__builtin_sub_overflow(to.constant, from.constant, &width)) return width;
        outside(fmt::format("{}:{}", text_of(from), text_of(to)), span);
        return std::nullopt;
    }

    std::optional<Interval> interval(const Number& from, std::int64_t width, const std::string& text,
                                     Span span) {
        if (width <= 0) {
            env_.reports
                .report(catalogue::empty_slice, span, text, dimension_.object,
                        fmt::format("{}s", dimension_.unit))
                .help("a slice is half open: `a:b` selects a to b-1");
            return std::nullopt;
        }
        const Interval made{from, width, false, false};
        if (from.step == 0 && !masked() && dimension_.extent_from.empty()) {
            std::int64_t to = 0;
            if (from.constant >= 0 && !__builtin_add_overflow(from.constant, width, &to) &&
                to <= dimension_.extent)
                return made;
            outside(text, span);
            return std::nullopt;
        }
        return edges(made, span);
    }

    /// Of a slice that moves with the CTA, or may hang over the edge: whether it leaves the dimension.
    std::optional<Interval> edges(Interval made, Span span) {
        const auto reached = [&](const Range& first) {
            Range all{first.low, 0};
            if (__builtin_add_overflow(first.high, made.width - 1, &all.high)) all.high = INT64_MAX;
            return all;
        };
        const Range inside{0, dimension_.extent - 1};
        Range all = reached(env_.indices.range(made.begin));
        if (!all.inside(inside)) all = reached(env_.indices.extremes(made.begin));
        made.leaves = !all.inside(inside);
        if (!made.leaves) return made;
        if (!all.inside({index_range.low, index_range.high})) {
            env_.reports.report(catalogue::index_too_large, span,
                                all.high > index_range.high ? all.high : all.low);
            return std::nullopt;
        }
        if (masked()) return made;
        base::Diagnostic& report =
            dimension_.extent_from.empty()
                ? env_.reports.report(catalogue::slice_can_leave, span, dimension_.object, dimension_.unit,
                                      all.high >= dimension_.extent ? all.high : all.low, dimension_.extent,
                                      fmt::format("{}s", dimension_.unit))
                : env_.reports.report(catalogue::slice_can_pass, span, dimension_.object,
                                      dimension_.extent_from, fmt::format("{}s", dimension_.unit));
        report.label(dimension_.declared, "declared here");
        if (dimension_.extent_from.empty())
            report.note(fmt::format("the grid is {} x {} x {} CTAs", grid_[0], grid_[1], grid_[2]));
        report.help(std::string(what_helps()));
        return std::nullopt;
    }
    [[nodiscard]] bool masked() const {
        return dimension_.of_tensor && dimension_.place == Place::masked_copy;
    }
    [[nodiscard]] std::string_view what_helps() const {
        switch (dimension_.place) {
        case Place::expression:
            return "an expression has no word for what lies outside: copy it, `masked`, to a fragment of one "
                   "dimension first, and use that";
        case Place::argument:
            return "what a function is given lies inside its tensor in every CTA: choose the grid or the "
                   "extents so";
        case Place::copy:
        case Place::masked_copy: break;
        }
        return "write `masked` behind the copy: loads outside the tensor give zero, and stores outside do "
               "nothing";
    }

    void outside(const std::string& text, Span span) {
        env_.reports
            .report(catalogue::slice_outside, span, text, dimension_.object, dimension_.extent,
                    fmt::format("{}s", dimension_.unit))
            .label(dimension_.declared, "declared here");
    }

    Environment& env_;
    const std::array<std::int64_t, 3>& grid_;
    const Dimension& dimension_;
};

/// The object without its slices.
struct Object {
    std::string name;
    Dtype dtype{};
    Span declared;
    std::vector<std::int64_t> extents;
    std::string extent_from; // the parameter that gives a tensor's first extent
};

Object object_of(const Kernel& kernel, const Symbol& symbol) {
    const auto index = static_cast<std::size_t>(symbol.value);
    if (symbol.kind == Symbol::Kind::tensor) {
        const auto& tensor = std::get<Tensor>(kernel.parameters[index]);
        const Parameter* from = tensor.extent_from ? &kernel.parameters[*tensor.extent_from] : nullptr;
        return {tensor.name, tensor.dtype, tensor.span, tensor.extents,
                from ? std::get<Scalar>(*from).name : std::string()};
    }
    if (symbol.kind == Symbol::Kind::fragment) {
        const Fragment& fragment = kernel.fragments[index];
        return {fragment.name, fragment.dtype, fragment.span, fragment.extents(), {}};
    }
    const Buffer& buffer = kernel.buffers[index];
    return {buffer.name, buffer.dtype, buffer.span, {buffer.rows, buffer.cols}, {}};
}

/// One interval per dimension, or nothing after reporting.
std::optional<std::vector<Interval>> intervals_of(Draft& draft, const Object& object, bool of_tensor,
                                                  const ast::Region& region, Place place) {
    const std::size_t dimensions = object.extents.size();
    if (region.slices && region.slices->size() != dimensions) {
        draft.env.reports
            .report(catalogue::slice_count, region.place, object.name, dimensions, dimensions == 1 ? "" : "s",
                    region.slices->size(), region.slices->size() == 1 ? "" : "s")
            .label(object.declared, "declared here")
            .help("write one slice per dimension, `:` for all of it");
        return std::nullopt;
    }
    std::vector<Interval> intervals;
    for (std::size_t i = 0; i < dimensions; ++i) {
        const Dimension dimension{object.name,
                                  object.declared,
                                  dimensions == 1 ? "element" : i == 0 ? "row" : "column",
                                  object.extents[i],
                                  of_tensor,
                                  place,
                                  i == 0 ? object.extent_from : std::string_view()};
        Slicer slicer(draft, dimension);
        const auto interval =
            region.slices ? std::visit(slicer, (*region.slices)[i].node) : slicer.whole(region.place);
        if (interval) intervals.push_back(*interval);
    }
    if (intervals.size() != dimensions) return std::nullopt;
    return intervals;
}

} // namespace

std::optional<Selection> select(Draft& draft, const ast::Region& region, Place place) {
    const Symbol* symbol = draft.env.names.object(region.object);
    if (!symbol) return std::nullopt;
    const Object object = object_of(draft.kernel, *symbol);
    Selection selection{*symbol,        object.name, object.dtype, object.declared, std::nullopt, {},
                        !region.slices, false,       false};
    const bool of_tensor = symbol->kind == Symbol::Kind::tensor;
    const auto intervals = intervals_of(draft, object, of_tensor, region, place);
    if (!intervals) return selection;
    for (const Interval& each : *intervals)
        if (!each.point) selection.extents.push_back(each.width);
    const Interval one{{}, 1, false, false};
    const bool two = intervals->size() == 2, upright = symbol->kind == Symbol::Kind::fragment;
    const Interval row = two || upright ? intervals->front() : one;
    const Interval col = two || !upright ? intervals->back() : one;
    selection.rows_leave = row.leaves;
    selection.cols_leave = col.leaves;
    selection.region = Region{static_cast<std::size_t>(symbol->value),
                              static_cast<int>(row.begin.constant),
                              static_cast<int>(col.begin.constant),
                              static_cast<int>(row.width),
                              static_cast<int>(col.width),
                              region.place,
                              draft.env.indices.base(row.begin),
                              draft.env.indices.base(col.begin)};
    return selection;
}

base::Diagnostic& label_declarations(base::Diagnostic& wrong, const Selection& one, const Selection& other) {
    wrong.label(one.declared, fmt::format("`{}` is declared here", one.name));
    if (other.declared != one.declared)
        wrong.label(other.declared, fmt::format("`{}` is declared here", other.name));
    return wrong;
}

} // namespace tmemc::sema
