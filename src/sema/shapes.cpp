// Element types, extents and attributes, and what is said about those that are wrong.
#include "sema/shapes.hpp"

#include "base/invariant.hpp"
#include "base/tensor_limits.hpp"
#include "sema/constants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace tmemc::sema {

namespace {

std::string_view word(AttributeKind kind) {
    switch (kind) {
    case AttributeKind::datapath: return "datapath";
    case AttributeKind::sub_slab: return "sub_slab";
    case AttributeKind::layout: return "layout";
    case AttributeKind::unpacked: return "unpacked";
    case AttributeKind::at: return "at";
    case AttributeKind::atom: return "atom";
    case AttributeKind::swizzle: return "swizzle";
    case AttributeKind::pitch: return "pitch";
    case AttributeKind::align: return "align";
    }
    return "attribute";
}

void report_twice(Environment& env, std::string_view word, Span second, Span first) {
    env.reports.report(base::catalogue::given_twice, second, word).label(first, "first here");
}

} // namespace

Dtype dtype_of(const ast::Name& name) {
    const auto dtype = base::dtype_named(name.text);
    base::invariant(dtype.has_value(), "an element type that the grammar let pass");
    return *dtype;
}

std::optional<std::int64_t> extent_of(Environment& env, std::string_view object, const ast::Expr& expr) {
    constexpr std::int64_t most = base::max_tensor_extent;
    const auto value = evaluate(env, expr);
    if (!value) return std::nullopt;
    if (*value >= 1 && *value <= most) return value;
    env.reports.report(base::catalogue::bad_extent, expr.place, object, *value, most);
    return std::nullopt;
}

std::optional<Shape> tile_shape(Environment& env, std::string_view kind, const ast::Name& object,
                                const ast::Tensor& tensor, bool one_is_enough) {
    std::vector<std::int64_t> extents;
    for (const ast::Expr& each : tensor.extents)
        if (const auto extent = extent_of(env, object.text, each)) extents.push_back(*extent);
    const std::size_t dimensions = tensor.extents.size();
    if (dimensions != 2 && !(one_is_enough && dimensions == 1)) {
        env.reports.report(base::catalogue::wrong_dimensions, tensor.place, object.text, dimensions,
                           dimensions == 1 ? "" : "s", kind,
                           one_is_enough ? "one or two" : "two: rows and columns");
        return std::nullopt;
    }
    if (extents.size() != dimensions) return std::nullopt;
    return Shape{dtype_of(tensor.dtype), std::move(extents)};
}

const ast::Attribute* attribute(const std::vector<ast::Attribute>& attributes, AttributeKind kind) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [kind](const ast::Attribute& each) { return each.kind == kind; });
    return found == attributes.end() ? nullptr : &*found;
}

bool given_once(Environment& env, const std::vector<ast::Attribute>& attributes) {
    bool once = true;
    for (const ast::Attribute& each : attributes) {
        const ast::Attribute* first = attribute(attributes, each.kind);
        if (first == &each) continue;
        report_twice(env, word(each.kind), each.place, first->place);
        once = false;
    }
    return once;
}

bool given_once(Environment& env, const std::vector<ast::Name>& words) {
    bool once = true;
    for (const ast::Name& each : words) {
        const auto first = std::find(words.begin(), words.end(), each); // names are equal wherever they stand
        if (&*first == &each) continue;
        report_twice(env, each.text, each.place, first->place);
        once = false;
    }
    return once;
}

std::string to_string(const std::vector<std::int64_t>& extents) {
    return fmt::format("{}", fmt::join(extents, ", "));
}

std::string to_string(Dtype dtype, const std::vector<std::int64_t>& extents) {
    return fmt::format("{}[{}]", base::name(dtype), to_string(extents));
}

} // namespace tmemc::sema
