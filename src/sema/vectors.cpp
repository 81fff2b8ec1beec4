// Hidden fragments and where an expression has its tile.
#include "sema/vectors.hpp"

#include "sema/copies.hpp"
#include "sema/images.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

/// Looks for the first region of two dimensions.
class TileFinder {
  public:
    explicit TileFinder(Draft& draft) : draft_(draft) {}

    template <class Operand>
    std::optional<Selection> chain(const ast::Chain<Operand>& chain) {
        auto found = visit(chain.first);
        for (const ast::Step<Operand>& step : chain.rest)
            if (!found) found = visit(step.operand);
        return found;
    }
    std::optional<Selection> visit(const ast::Term& term) { return chain(term); }
    std::optional<Selection> visit(const ast::Unary& unary) { return std::visit(*this, unary.node); }

    std::optional<Selection> operator()(std::monostate) { return std::nullopt; }
    std::optional<Selection> operator()(const ast::Float&) { return std::nullopt; }
    std::optional<Selection> operator()(const ast::Integer&) { return std::nullopt; }
    std::optional<Selection> operator()(const ast::ValueParen& paren) { return chain(paren.inner.front()); }
    std::optional<Selection> operator()(const ast::ValueNegation& negation) {
        return visit(negation.operand.front());
    }
    std::optional<Selection> operator()(const ast::Cast& cast) { return chain(cast.operand.front()); }
    std::optional<Selection> operator()(const ast::Select& select) { return first_of(select.operands); }
    std::optional<Selection> operator()(const ast::ValueCall& call) {
        const std::string& name = call.function.text;
        if (name == "rows" || name == "cols" || reduction_named(name)) return std::nullopt;
        return first_of(call.arguments);
    }
    std::optional<Selection> operator()(const ast::Region& region) {
        const Symbol* symbol = draft_.env.names.find(region.object.text);
        if (symbol == nullptr || symbol->kind != Symbol::Kind::fragment) return std::nullopt;
        auto selected = select(draft_, region);
        return selected && selected->extents.size() == 2 ? selected : std::nullopt;
    }

  private:
    std::optional<Selection> first_of(const std::vector<ast::Value>& values) {
        for (const ast::Value& each : values)
            if (auto found = chain(each)) return found;
        return std::nullopt;
    }
    Draft& draft_;
};

} // namespace

std::optional<Step::What> reduction_named(std::string_view name) {
    if (name == "row_max") return Step::What::maximum;
    if (name == "row_min") return Step::What::minimum;
    if (name == "row_sum") return Step::What::add;
    return std::nullopt;
}

std::optional<Selection> first_tile(Draft& draft, const ast::Value& value) {
    return TileFinder(draft).chain(value);
}

std::optional<Selection> hidden_vector(Draft& draft, std::string_view name, Dtype dtype,
                                       const Selection& tile, layout::Coordinates kept, Span span) {
    const bool rows = kept == layout::Coordinates::rows;
    const Fragment fragment = draft.kernel.fragments[tile.region->object];
    const layout::Layout& whole = draft.kernel.fragment_images[fragment.image].layout;
    const int length = rows ? fragment.rows : fragment.cols;
    std::optional<std::size_t> image;
    if (const auto layout = layout::projected(whole, fragment.cols, kept)) {
        const auto made = image_of(draft.kernel, draft.images, *layout, length, 1, base::bits(dtype));
        if (const auto* index = std::get_if<std::size_t>(&made)) image = *index;
    }
    if (!image) {
        draft.env.reports
            .report(catalogue::not_apart, span, tile.name, rows ? "rows" : "columns",
                    rows ? "columns" : "rows")
            .label(tile.declared, "declared here")
            .help("declare a fragment of one dimension with a layout of its own, and copy to it");
        return std::nullopt;
    }
    const std::size_t index = draft.kernel.fragments.size();
    draft.kernel.fragments.push_back({std::string(name), dtype, length, 1, *image, span, true, true});
    const Region& part = *tile.region;
    Region region{index, rows ? part.row : part.col, 0, rows ? part.rows : part.cols, 1, span};
    const Symbol symbol{Symbol::Kind::fragment, static_cast<std::int64_t>(index), span};
    return Selection{symbol, std::string(name), dtype, span, region, {region.rows}, false};
}

std::optional<Selection> loaded_vector(Draft& draft, const Selection& tensor, const Selection& tile,
                                       layout::Coordinates kept, Span span) {
    if (!may_read(draft, tensor, span)) return std::nullopt;
    auto vector = hidden_vector(draft, tensor.name, tensor.dtype, tile, kept, span);
    if (!vector) return std::nullopt;
    GlobalCopy copy;
    copy.op = GlobalCopy::Op::load;
    copy.path = GlobalCopy::Path::direct; // many threads load the same numbers
    copy.tensor = *tensor.region;
    copy.fragment = *vector->region;
    draft.emit(copy, span);
    return vector;
}

} // namespace tmemc::sema
