// Slices, one dimension at a time.
#include "sema/regions.hpp"

#include "base/invariant.hpp"
#include "sema/constants.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

struct Interval {
    std::int64_t begin = 0, width = 0;
    bool point = false;
};

/// One dimension of an object: what its slices are measured against.
struct Dimension {
    const std::string& object;
    std::string_view unit; // "rows", "columns" or, of one dimension, "elements"
    std::int64_t extent = 0;
    RunTime run_time = RunTime::refused;
};

class Slicer {
  public:
    Slicer(Environment& env, const Dimension& dimension) : env_(env), dimension_(dimension) {}

    std::optional<Interval> operator()(std::monostate) { throw base::InternalError("an empty slice"); }
    std::optional<Interval> operator()(const ast::Range& range) {
        const auto from = range.from ? value(*range.from) : 0;
        const auto to = range.to ? value(*range.to) : dimension_.extent;
        if (!from || !to) return std::nullopt;
        return half_open(*from, *to, fmt::format("{}:{}", *from, *to), range.place);
    }
    std::optional<Interval> operator()(const ast::Window& window) {
        const auto from = value(window.base);
        const auto width = value(window.width);
        if (!from || !width) return std::nullopt;
        const std::string text = fmt::format("{} +: {}", *from, *width);
        std::int64_t to = 0;
        if (__builtin_add_overflow(*from, *width, &to)) return outside(text, window.place);
        return half_open(*from, to, text, window.place);
    }
    std::optional<Interval> operator()(const ast::Point& point) {
        const auto index = value(point.index);
        if (!index) return std::nullopt;
        if (*index < 0 || *index >= dimension_.extent) return outside(fmt::format("{}", *index), point.place);
        return Interval{*index, 1, true};
    }

  private:
    std::optional<std::int64_t> value(const ast::Expr& expr) {
        return evaluate(env_, expr, dimension_.run_time);
    }

    std::optional<Interval> half_open(std::int64_t from, std::int64_t to, const std::string& text,
                                      Span span) {
        if (to <= from) {
            env_.reports.report(catalogue::empty_slice, span, text, dimension_.object, dimension_.unit)
                .help("a slice is half open: `a:b` selects a to b-1");
            return std::nullopt;
        }
        if (from < 0 || to > dimension_.extent) return outside(text, span);
        return Interval{from, to - from, false};
    }
    std::optional<Interval> outside(const std::string& text, Span span) {
        env_.reports.report(catalogue::slice_outside, span, text, dimension_.object, dimension_.extent,
                            dimension_.unit);
        return std::nullopt;
    }

    Environment& env_;
    const Dimension& dimension_;
};

/// The object without its slices.
struct Object {
    std::string name;
    Dtype dtype{};
    Span declared;
    std::vector<std::int64_t> extents;
};

Object object_of(const Kernel& kernel, const Symbol& symbol) {
    const auto index = static_cast<std::size_t>(symbol.value);
    if (symbol.kind == Symbol::Kind::tensor) {
        const auto& tensor = std::get<Tensor>(kernel.parameters[index]);
        return {tensor.name, tensor.dtype, tensor.span, tensor.extents};
    }
    if (symbol.kind == Symbol::Kind::fragment) {
        const Fragment& fragment = kernel.fragments[index];
        return {fragment.name, fragment.dtype, fragment.span, fragment.extents()};
    }
    const Buffer& buffer = kernel.buffers[index];
    return {buffer.name, buffer.dtype, buffer.span, {buffer.rows, buffer.cols}};
}

/// One interval per dimension, or nothing after reporting.
std::optional<std::vector<Interval>> intervals_of(Environment& env, const Object& object, Symbol::Kind kind,
                                                  const ast::Region& region) {
    const std::size_t dimensions = object.extents.size();
    std::vector<Interval> intervals;
    if (!region.slices) {
        for (const std::int64_t extent : object.extents) intervals.push_back({0, extent, false});
        return intervals;
    }
    if (region.slices->size() != dimensions) {
        env.reports
            .report(catalogue::slice_count, region.place, object.name, dimensions, dimensions == 1 ? "" : "s",
                    region.slices->size(), region.slices->size() == 1 ? "" : "s")
            .label(object.declared, "declared here")
            .help("write one slice per dimension, `:` for all of it");
        return std::nullopt;
    }
    for (std::size_t i = 0; i < dimensions; ++i) {
        const Dimension dimension{object.name,
                                  dimensions == 1 ? "elements"
                                  : i == 0        ? "rows"
                                                  : "columns",
                                  object.extents[i],
                                  kind == Symbol::Kind::tensor ? RunTime::not_yet : RunTime::refused};
        if (const auto interval = std::visit(Slicer(env, dimension), (*region.slices)[i].node))
            intervals.push_back(*interval);
    }
    if (intervals.size() != dimensions) return std::nullopt;
    return intervals;
}

} // namespace

std::optional<Selection> select(Draft& draft, const ast::Region& region) {
    const Symbol* symbol = draft.env.names.object(region.object);
    if (!symbol) return std::nullopt;
    const Object object = object_of(draft.kernel, *symbol);
    Selection selection{*symbol,      object.name, object.dtype,  object.declared,
                        std::nullopt, {},          !region.slices};
    const auto intervals = intervals_of(draft.env, object, symbol->kind, region);
    if (!intervals) return selection;
    for (const Interval& each : *intervals)
        if (!each.point) selection.extents.push_back(each.width);
    const Interval one{0, 1, false};
    const bool two = intervals->size() == 2, upright = symbol->kind == Symbol::Kind::fragment;
    const Interval row = two || upright ? intervals->front() : one;
    const Interval col = two || !upright ? intervals->back() : one;
    selection.region = Region{static_cast<std::size_t>(symbol->value),
                              static_cast<int>(row.begin),
                              static_cast<int>(col.begin),
                              static_cast<int>(row.width),
                              static_cast<int>(col.width),
                              region.place};
    return selection;
}

} // namespace tmemc::sema
