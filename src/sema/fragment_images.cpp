// How a fragment spreads over registers: `atom`, `layout`, or neither, which is one row per thread and needs
// 128 rows. A fragment of one dimension has the image of a tile's rows: `frag M: f32[128] atom 16x256b` holds
// number r in every thread that holds a part of row r of a tile in that atom.
#include "sema/images.hpp"
#include "sema/layout_literals.hpp"

#include "base/invariant.hpp"
#include "layout/projection.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

constexpr int layout_word_bits = 32;
constexpr std::string_view default_atom = "32x32b"; // one row per thread, when the fragment has 128 of them

std::string suggestion(const Declared& object) {
    const std::string atoms = names_with(atlas::atom_rows(), object.rows());
    if (atoms.empty())
        return "atoms have 128, 64 or 32 rows; a tile with another number of rows needs a layout";
    return fmt::format("atoms with {} rows: {}", object.rows(), atoms);
}

/// The row of the atlas that `atom` names (null: the default), or null after reporting.
const atlas::ImageRow* atom_row(Environment& env, const Declared& object, const ast::Attribute* atom) {
    if (!atom) {
        if (const auto* row = atlas::atom(default_atom, object.rows()); row && object.rows() == 128)
            return row;
        env.reports.report(catalogue::no_default_atom, object.name.place, object.name.text, object.rows())
            .help(suggestion(object));
        return nullptr;
    }
    const auto& name = std::get<ast::Name>(atom->value.node);
    if (const auto* row = atlas::atom(name.text, object.rows())) return row;
    env.reports.report(catalogue::atom_rows_differ, name.place, name.text, object.rows(), object.name.text)
        .help(suggestion(object));
    return nullptr;
}

std::size_t add(Kernel& kernel, Images& images, ImageKey key, FragmentImage image) {
    kernel.fragment_images.push_back(std::move(image));
    images.fragments.emplace_back(std::move(key), kernel.fragment_images.size() - 1);
    return kernel.fragment_images.size() - 1;
}

std::optional<std::size_t> from_literal(Environment& env, Kernel& kernel, Images& images,
                                        const Declared& object, const ast::Layout& written) {
    const auto literal = layout_literal(env, written);
    if (!literal) return std::nullopt;
    const auto image = image_of(kernel, images, *literal, object.rows(), object.cols(), object.bits());
    if (const auto* index = std::get_if<std::size_t>(&image)) return *index;
    report_problem(env, std::get<layout::MapProblem>(image), object, written.place);
    return std::nullopt;
}

/// Of one dimension: the rows of the narrowest tile, with their elements side by side.
std::optional<std::size_t> from_rows(Kernel& kernel, Images& images, const Declared& object,
                                     const atlas::ImageRow& row) {
    const layout::Layout tile = atlas::layout_of(row, row.word_multiple, layout_word_bits);
    const auto layout = layout::projected(tile, row.word_multiple, layout::Coordinates::rows);
    base::invariant(layout.has_value(), "an atom's digits count rows or columns");
    const auto image =
        image_of(kernel, images, *layout, object.rows(), 1, object.bits(), fmt::format("atom {}", row.name));
    base::invariant(std::holds_alternative<std::size_t>(image), "the rows of an atom are no map");
    return std::get<std::size_t>(image);
}

std::optional<std::size_t> from_atom(Environment& env, Kernel& kernel, Images& images, const Declared& object,
                                     const ast::Attribute* atom) {
    const atlas::ImageRow* row = atom_row(env, object, atom);
    if (!row) return std::nullopt;
    if (!object.two()) return from_rows(kernel, images, object, *row);
    ImageKey key{object.rows(), object.cols(), object.bits(), std::string(row->name), 0, false, {}};
    if (const auto index = made(images.fragments, key)) return index;
    std::string name = fmt::format("atom {}", row->name);
    const auto words = words_of(env, object, *row, name);
    if (!words) return std::nullopt;
    const std::int64_t registers = std::int64_t{object.rows()} * *words / layout::max_threads;
    if (registers > layout::max_registers) {
        env.reports
            .report(catalogue::fragment_too_large, object.tensor.place, object.name.text, registers,
                    layout::max_registers)
            .help("move the tile in column slices, with one smaller fragment in a loop");
        return std::nullopt;
    }
    layout::Layout layout = atlas::layout_of(*row, object.cols(), object.bits());
    auto map = layout::slot_map(layout, object.rows(), object.cols(), object.bits());
    base::invariant(std::holds_alternative<layout::SlotMap>(map), "an atom of the atlas is no map: " + name);
    return add(kernel, images, std::move(key),
               {std::move(name), std::move(layout), std::get<layout::SlotMap>(std::move(map))});
}

} // namespace

std::variant<std::size_t, layout::MapProblem> image_of(Kernel& kernel, Images& images,
                                                       const layout::Layout& layout, int rows, int cols,
                                                       int bits, std::string name) {
    ImageKey key{rows, cols, bits, "", 0, false, layout};
    if (const auto index = made(images.fragments, key)) return *index;
    auto map = layout::slot_map(layout, rows, cols, bits);
    if (const auto* problem = std::get_if<layout::MapProblem>(&map)) return *problem;
    if (name.empty()) name = "layout " + layout::to_string(layout);
    return add(kernel, images, std::move(key),
               {std::move(name), layout, std::get<layout::SlotMap>(std::move(map))});
}

std::optional<std::size_t> fragment_image(Environment& env, Kernel& kernel, Images& images,
                                          const ast::Frag& frag, const Shape& shape) {
    const Declared object{frag.name, frag.tensor, shape};
    const ast::Attribute* atom = attribute(frag.attributes, AttributeKind::atom);
    const ast::Attribute* layout = attribute(frag.attributes, AttributeKind::layout);
    if (atom && layout) {
        env.reports.report(catalogue::excluded_attribute, layout->place, "layout", "atom")
            .label(atom->place, "the atom is a layout with a name");
        return std::nullopt;
    }
    if (layout) return from_literal(env, kernel, images, object, std::get<ast::Layout>(layout->value.node));
    return from_atom(env, kernel, images, object, atom);
}

} // namespace tmemc::sema
