// Index expressions, extents that cut, and what lies inside.
#include "verify/cta.hpp"

#include "verify/state.hpp"

#include <algorithm>

namespace tmemc::verify {
namespace {

using What = sema::IndexStep::What;

std::vector<std::int64_t> steps_of(const sema::Kernel& kernel, const std::array<std::int64_t, 3>& index) {
    std::vector<std::int64_t> values;
    for (const sema::IndexStep& step : kernel.index_steps) {
        const std::int64_t a = values.empty() ? 0 : values[step.left],
                           b = values.empty() ? 0 : values[step.right];
        std::int64_t value = step.number;
        switch (step.what) {
        case What::number: break;
        case What::cta: value = index.at(static_cast<std::size_t>(step.number)); break;
        case What::add: value = a + b; break;
        case What::subtract: value = a - b; break;
        case What::multiply: value = a * b; break;
        case What::divide: value = a / b; break;
        case What::remainder: value = a % b; break;
        case What::minimum: value = std::min(a, b); break;
        case What::maximum: value = std::max(a, b); break;
        }
        values.push_back(value);
    }
    return values;
}

const sema::Tensor& tensor_of(const sema::Kernel& kernel, std::size_t parameter) {
    return std::get<sema::Tensor>(kernel.parameters[parameter]);
}

std::vector<const sema::GlobalCopy*> copies_of(const sema::Kernel& kernel) {
    std::vector<const sema::GlobalCopy*> copies;
    for (const sema::Statement& statement : kernel.statements)
        if (const auto* copy = std::get_if<sema::GlobalCopy>(&statement.what)) copies.push_back(copy);
    return copies;
}

/// Where the slices of the tensors end whose extent the parameter gives: all of them, or two thirds down
/// each.
std::vector<std::int64_t> ends(const sema::Kernel& kernel, const Cta& cta, std::size_t scalar, int thirds) {
    std::vector<std::int64_t> found;
    for (const sema::GlobalCopy* copy : copies_of(kernel)) {
        const sema::Tensor& tensor = tensor_of(kernel, copy->tensor.object);
        if (tensor.extent_from != scalar) continue;
        const sema::Region& region = copy->tensor;
        const bool vector = tensor.extents.size() == 1;
        const std::int64_t from = vector ? region.col : region.row;
        const std::int64_t base =
            cta.steps.empty() ? 0 : cta.steps[(vector ? region.col_base : region.row_base).step];
        const std::int64_t end =
            from + base + std::int64_t{thirds} * (vector ? region.cols : region.rows) / 3;
        found.push_back(std::clamp<std::int64_t>(end, 0, 0x7fffffff));
    }
    return found;
}

/// An extent that ends two thirds down a slice, of the middle one of several.
std::int64_t cutting_extent(const sema::Kernel& kernel, const Cta& cta, std::size_t scalar) {
    const std::vector<std::int64_t> all = ends(kernel, cta, scalar, 2);
    return all.empty() ? 0 : all[all.size() / 2];
}

std::uint32_t value_of(const sema::Kernel& kernel, const Cta& cta, std::size_t scalar) {
    bool sizes = false;
    std::int64_t value = 0;
    for (const sema::Parameter& parameter : kernel.parameters) {
        const auto* tensor = std::get_if<sema::Tensor>(&parameter);
        if (tensor == nullptr) continue;
        if (tensor->extent_from == scalar) value = std::max(value, cutting_extent(kernel, cta, scalar));
        // Two parameters have different values, so that a text that takes one for the other is found.
        const auto other = static_cast<std::int64_t>(2 * scalar);
        if (tensor->pitch_from == scalar) value = std::max(value, (tensor->extents.back() | 1) + other);
        sizes = sizes || tensor->extent_from == scalar || tensor->pitch_from == scalar;
    }
    return sizes ? static_cast<std::uint32_t>(value) : scalar_value(kernel, scalar);
}

/// The same with other extents: of 0, where whatever has no mask leaves its tensor, or such that all is
/// inside, where every element moves.
Cta with_extents(const sema::Kernel& kernel, Cta cta, bool all) {
    for (const sema::Parameter& parameter : kernel.parameters) {
        const auto* tensor = std::get_if<sema::Tensor>(&parameter);
        if (tensor == nullptr || !tensor->extent_from) continue;
        const std::vector<std::int64_t> reached = ends(kernel, cta, *tensor->extent_from, 3);
        const bool some = all && !reached.empty();
        cta.scalars[*tensor->extent_from] =
            some ? static_cast<std::uint32_t>(*std::max_element(reached.begin(), reached.end())) : 0;
    }
    return cta;
}

/// True when some slice of the CTA is partly inside.
bool cuts(const sema::Kernel& kernel, const Cta& cta) {
    const auto copies = copies_of(kernel);
    return std::any_of(copies.begin(), copies.end(), [&](const sema::GlobalCopy* copy) {
        if (!copy->masked) return false;
        const Rectangle all = rectangle(kernel, cta, *copy);
        const auto corner = [&](int r, int c) { return all.inside(r, c, 1).second == 1; };
        return corner(0, 0) != corner(all.rows - 1, all.cols - 1);
    });
}

} // namespace

Cta cta_of(const sema::Kernel& kernel, const std::array<std::int64_t, 3>& index) {
    Cta cta{index, steps_of(kernel, index), {}};
    for (std::size_t p = 0; p < kernel.parameters.size(); ++p)
        cta.scalars.push_back(
            std::holds_alternative<sema::Scalar>(kernel.parameters[p]) ? value_of(kernel, cta, p) : 0);
    return cta;
}

std::vector<Cta> ctas_to_play(const sema::Kernel& kernel) {
    constexpr std::int64_t looked_at = 4096;
    const auto& grid = kernel.grid;
    std::vector<Cta> ctas{cta_of(kernel, {0, 0, 0})};
    const bool extents =
        std::any_of(kernel.parameters.begin(), kernel.parameters.end(), [](const sema::Parameter& each) {
            const auto* tensor = std::get_if<sema::Tensor>(&each);
            return tensor != nullptr && tensor->extent_from.has_value();
        });
    const auto add = [&](const Cta& cta) {
        if (extents)
            for (const bool all : {false, true}) ctas.push_back(with_extents(kernel, cta, all));
    };
    add(Cta(ctas.front()));
    const std::int64_t count = grid[0] * grid[1] * grid[2];
    if (count == 1) return ctas;
    ctas.push_back(cta_of(kernel, {grid[0] - 1, grid[1] - 1, grid[2] - 1}));
    add(Cta(ctas.back()));
    for (std::size_t axis = 0; axis < 3; ++axis) { // the ends of each axis, where x is not y
        std::array<std::int64_t, 3> index{};
        index[axis] = grid[axis] - 1;
        if (grid[axis] > 1 && grid[axis] != count) ctas.push_back(cta_of(kernel, index));
    }
    if (kernel.index_steps.empty() ||
        std::any_of(ctas.begin(), ctas.end(), [&](const Cta& each) { return cuts(kernel, each); }))
        return ctas;
    for (std::int64_t i = 1; i < std::min(count, looked_at); ++i) {
        Cta cta = cta_of(kernel, {i % grid[0], i / grid[0] % grid[1], i / grid[0] / grid[1]});
        if (!cuts(kernel, cta)) continue;
        ctas.push_back(std::move(cta));
        break;
    }
    return ctas;
}

Measures measures(const sema::Kernel& kernel, const Cta& cta, std::size_t parameter) {
    const sema::Tensor& tensor = tensor_of(kernel, parameter);
    Measures made{1, tensor.extents.back(), tensor.pitch};
    if (tensor.extents.size() == 2) made.rows = tensor.extents.front();
    if (tensor.extent_from)
        (tensor.extents.size() == 2 ? made.rows : made.cols) = cta.scalars[*tensor.extent_from];
    if (tensor.pitch_from) made.pitch = cta.scalars[*tensor.pitch_from];
    return made;
}

std::pair<int, int> Rectangle::inside(int r, int c, int count) const {
    if (!masked) return {0, count};
    if (row + r < 0 || row + r >= tensor.rows) return {0, 0};
    const std::int64_t first = col + c;
    const std::int64_t from = std::clamp<std::int64_t>(-first, 0, count);
    return {static_cast<int>(from),
            static_cast<int>(std::clamp<std::int64_t>(tensor.cols - first, from, count))};
}

bool Rectangle::any_inside() const {
    for (int r = 0; r < rows; ++r) {
        const auto [first, last] = inside(r, 0, cols);
        if (first < last) return true;
    }
    return false;
}

Rectangle rectangle(const sema::Kernel& kernel, const Cta& cta, const sema::GlobalCopy& copy) {
    const sema::Region& region = copy.tensor;
    const auto base = [&](const sema::Base& of) { return cta.steps.empty() ? 0 : cta.steps[of.step]; };
    return {region.row + base(region.row_base),
            region.col + base(region.col_base),
            region.rows,
            region.cols,
            measures(kernel, cta, region.object),
            copy.masked};
}

} // namespace tmemc::verify
