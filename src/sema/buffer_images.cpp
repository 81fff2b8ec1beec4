// How a buffer spreads over lanes and columns: a datapath letter, an explicit layout (called by the datapath
// that it equals), or neither, which is D and needs 128 rows.
#include "sema/images.hpp"
#include "sema/layout_literals.hpp"

#include "atlas/limits.hpp"
#include "base/invariant.hpp"
#include "sema/constants.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

/// The letters that a literal is called by; as maps A is D, C is F and E is B (language reference, "Tensor
/// memory").
constexpr std::string_view canonical_letters = "DFBG";

/// The attributes of a buffer that shape its map.
struct Words {
    const ast::Attribute* datapath = nullptr;
    const ast::Attribute* layout = nullptr;
    const ast::Attribute* sub_slab = nullptr;
    const ast::Attribute* unpacked = nullptr;
};

std::string suggestion(const Declared& object) {
    const std::string letters = names_with(atlas::datapath_rows(), object.rows());
    if (letters.empty())
        return "datapaths have 128, 64 or 32 rows; a tile with another number of rows needs a layout";
    return fmt::format("datapaths with {} rows: {}", object.rows(), letters);
}

/// The row of the atlas that `datapath` names (null: the default, D), or null after reporting.
const atlas::ImageRow* datapath_row(Environment& env, const Declared& object,
                                    const ast::Attribute* datapath) {
    if (!datapath) {
        if (const auto* row = atlas::datapath("D", object.rows())) return row;
        env.reports.report(catalogue::no_default_datapath, object.name.place, object.name.text, object.rows())
            .help(suggestion(object));
        return nullptr;
    }
    const auto& name = std::get<ast::Name>(datapath->value.node);
    if (const auto* row = atlas::datapath(name.text, object.rows())) return row;
    const auto table = atlas::datapath_rows();
    const auto other =
        std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.name == name.text; });
    if (other == table.end())
        env.reports.report(catalogue::unknown_datapath, name.place, name.text)
            .help("the datapaths are A, B, C, D, E, F and G");
    else
        env.reports
            .report(catalogue::datapath_rows_differ, name.place, name.text, other->rows, object.name.text,
                    object.rows())
            .help(suggestion(object));
    return nullptr;
}

/// 0 or 1, or nothing after reporting. `row` is null when the datapath is in error itself.
std::optional<int> sub_slab_of(Environment& env, const ast::Attribute* sub_slab, const atlas::ImageRow* row) {
    if (!sub_slab) return 0;
    const auto& expr = std::get<ast::Expr>(sub_slab->value.node);
    const auto value = evaluate(env, expr);
    if (!value) return std::nullopt;
    if (*value != 0 && *value != 1) {
        env.reports.report(catalogue::bad_sub_slab, expr.place, *value);
        return std::nullopt;
    }
    if (*value == 1 && row && !row->sub_slab) {
        env.reports.report(catalogue::no_sub_slabs, sub_slab->place, row->name)
            .help("leave it out, or use datapath C or F");
        return std::nullopt;
    }
    return static_cast<int>(*value);
}

/// False after reporting `unpacked` on elements that do not have 16 bits.
bool may_be_unpacked(Environment& env, const ast::Attribute* unpacked, const Declared& object) {
    if (!unpacked || object.bits() == 16) return true;
    env.reports.report(catalogue::unpacked_needs_16_bits, unpacked->place, object.name.text,
                       base::name(object.shape.dtype));
    return false;
}

std::optional<std::size_t> add(Kernel& kernel, Images& images, ImageKey key, BufferImage image) {
    kernel.buffer_images.push_back(std::move(image));
    images.buffers.emplace_back(std::move(key), kernel.buffer_images.size() - 1);
    return kernel.buffer_images.size() - 1;
}

std::optional<std::size_t> from_datapath(Environment& env, Kernel& kernel, Images& images,
                                         const Declared& object, const Words& words) {
    const bool may = may_be_unpacked(env, words.unpacked, object);
    const atlas::ImageRow* row = datapath_row(env, object, words.datapath);
    const auto sub_slab = sub_slab_of(env, words.sub_slab, row);
    if (!may || !row || !sub_slab) return std::nullopt;
    const bool unpacked = words.unpacked != nullptr;
    ImageKey key{
        object.rows(), object.cols(), object.bits(), std::string(row->name), *sub_slab, unpacked, {}};
    if (const auto index = made(images.buffers, key)) return index;
    const std::string name = fmt::format("datapath {}", row->name);
    const auto row_words = words_of(env, object, *row, name, unpacked);
    if (!row_words) return std::nullopt;
    // B, E and G fold a row over several lanes: their word multiple is the number of folds.
    const int columns = *row_words / row->word_multiple;
    if (columns > atlas::columns) {
        env.reports.report(catalogue::buffer_too_wide, object.tensor.place, object.name.text, columns,
                           atlas::columns);
        return std::nullopt;
    }
    layout::Layout layout = atlas::layout_of(*row, object.cols(), object.bits(), unpacked, *sub_slab);
    auto map = layout::cell_map(layout, object.rows(), object.cols(), object.bits());
    base::invariant(std::holds_alternative<layout::CellMap>(map),
                    "a datapath of the atlas is no map: " + name);
    return add(kernel, images, std::move(key),
               {row->name.front(), *sub_slab, unpacked, std::move(layout),
                std::get<layout::CellMap>(std::move(map))});
}

/// Names the literal by the datapath that it equals, if there is one.
void recognise(BufferImage& image, const Declared& object) {
    for (const char letter : canonical_letters) {
        const atlas::ImageRow* row = atlas::datapath(std::string_view(&letter, 1), object.rows());
        if (!row) continue;
        const int words = atlas::words_per_row(object.cols(), object.bits(), image.unpacked);
        if (words == 0 || words % row->word_multiple != 0) continue;
        for (int sub_slab = 0; sub_slab <= (row->sub_slab ? 1 : 0); ++sub_slab) {
            const auto named = atlas::layout_of(*row, object.cols(), object.bits(), image.unpacked, sub_slab);
            if (!layout::equal_maps(named, image.layout)) continue;
            image.datapath = letter;
            image.sub_slab = sub_slab;
            return;
        }
    }
}

std::optional<std::size_t> from_literal(Environment& env, Kernel& kernel, Images& images,
                                        const Declared& object, const ast::Layout& written) {
    auto literal = layout_literal(env, written);
    if (!literal) return std::nullopt;
    ImageKey key{object.rows(), object.cols(), object.bits(), "", 0, false, *literal};
    if (const auto index = made(images.buffers, key)) return index;
    auto map = layout::cell_map(*literal, object.rows(), object.cols(), object.bits());
    if (const auto* problem = std::get_if<layout::MapProblem>(&map)) {
        report_problem(env, *problem, object, written.place);
        return std::nullopt;
    }
    BufferImage image{0, 0, false, std::move(*literal), std::get<layout::CellMap>(std::move(map))};
    image.unpacked =
        object.bits() == 16 && std::all_of(image.cells.places.begin(), image.cells.places.end(),
                                           [](const layout::Cell& cell) { return cell.bit == 0; });
    recognise(image, object);
    return add(kernel, images, std::move(key), std::move(image));
}

/// Reports what may not stand beside `layout`; true when there is nothing.
bool stands_alone(Environment& env, const Words& words) {
    bool alone = true;
    for (const auto& [other, word, why] :
         {std::tuple(words.datapath, "datapath", "the datapath is a layout with a name"),
          std::tuple(words.sub_slab, "sub_slab", "a layout says it with + 16@TLane"),
          std::tuple(words.unpacked, "unpacked", "a layout says it with a stride of 2 on TCol")}) {
        if (!other) continue;
        env.reports.report(catalogue::excluded_attribute, words.layout->place, "layout", word)
            .label(other->place, why);
        alone = false;
    }
    return alone;
}

} // namespace

std::optional<std::size_t> buffer_image(Environment& env, Kernel& kernel, Images& images,
                                        const ast::Tmem& tmem, const Shape& shape) {
    const Declared object{tmem.name, tmem.tensor, shape};
    const Words words{attribute(tmem.attributes, AttributeKind::datapath),
                      attribute(tmem.attributes, AttributeKind::layout),
                      attribute(tmem.attributes, AttributeKind::sub_slab),
                      attribute(tmem.attributes, AttributeKind::unpacked)};
    if (!words.layout) return from_datapath(env, kernel, images, object, words);
    if (!stands_alone(env, words)) return std::nullopt;
    return from_literal(env, kernel, images, object, std::get<ast::Layout>(words.layout->value.node));
}

} // namespace tmemc::sema
