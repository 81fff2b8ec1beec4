// Objects of a kernel, one per declaration and turn of the loops around it.
#include "sema/declarations.hpp"

#include "sema/groups.hpp"
#include "sema/shapes.hpp"

namespace tmemc::sema {

namespace {

std::optional<std::size_t> add_buffer(Draft& draft, const ast::Tmem& tmem) {
    const bool once = given_once(draft.env, tmem.attributes);
    const auto shape = tile_shape(draft.env, "a tmem buffer", tmem.name, tmem.tensor);
    if (!once || !shape) return std::nullopt;
    const auto image = buffer_image(draft.env, draft.kernel, draft.images, tmem, *shape);
    if (!image) return std::nullopt;
    const auto place = group_place(draft, tmem, draft.kernel.buffer_images[*image].cells.words);
    if (!place) return std::nullopt;
    draft.kernel.buffers.push_back({tmem.name.text, shape->dtype, static_cast<int>(shape->extents[0]),
                                    static_cast<int>(shape->extents[1]), *image, place->group, place->offset,
                                    tmem.name.place});
    return draft.kernel.buffers.size() - 1;
}

std::optional<std::size_t> add_fragment(Draft& draft, const ast::Frag& frag) {
    const bool once = given_once(draft.env, frag.attributes);
    const auto shape = tile_shape(draft.env, "a fragment", frag.name, frag.tensor, true);
    if (!once || !shape) return std::nullopt;
    const auto image = fragment_image(draft.env, draft.kernel, draft.images, frag, *shape);
    if (!image) return std::nullopt;
    const Declared object{frag.name, frag.tensor, *shape};
    draft.kernel.fragments.push_back({frag.name.text, shape->dtype, object.rows(), object.cols(), *image,
                                      frag.name.place, shape->extents.size() == 1});
    return draft.kernel.fragments.size() - 1;
}

void name_it(Draft& draft, const ast::Name& name, Symbol::Kind kind, std::optional<std::size_t> index) {
    draft.env.names.declare(name, index ? kind : Symbol::Kind::failed,
                            static_cast<std::int64_t>(index.value_or(0)));
}

} // namespace

void declare(Draft& draft, const ast::Tmem& tmem) {
    name_it(draft, tmem.name, Symbol::Kind::buffer, add_buffer(draft, tmem));
}

void declare(Draft& draft, const ast::Frag& frag) {
    name_it(draft, frag.name, Symbol::Kind::fragment, add_fragment(draft, frag));
}

} // namespace tmemc::sema
