// From the words of a declaration to the map of a tile. `atom 16x256b` and `datapath F` are rows of the
// atlas, a layout literal is evaluated as it stands, and a literal that maps a buffer as a datapath does is
// called by that datapath: S[(128, 32) : (1@TLane, 2@TCol)] of a 16-bit buffer is the unpacked D. Objects
// that agree in element size, shape and words share one image, so a declaration in a loop costs its map once.
// Not here: where a buffer's columns lie (groups.hpp).
#pragma once

#include "atlas/images.hpp"
#include "grammar/ast.hpp"
#include "layout/layout.hpp"
#include "layout/tile_map.hpp"
#include "sema/names.hpp"
#include "sema/program.hpp"
#include "sema/shapes.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmemc::sema {

/// What an image depends on.
struct ImageKey {
    int rows = 0, cols = 0, bits = 0;
    std::string row;        // the atom or datapath; empty for a literal
    int sub_slab = 0;       // of a buffer
    bool unpacked = false;  // of a buffer
    layout::Layout literal; // empty for an atom or datapath
    bool operator==(const ImageKey&) const = default;
};
/// The images made so far, each with its index in the kernel.
struct Images {
    std::vector<std::pair<ImageKey, std::size_t>> fragments, buffers;
};

/// The index of a fragment's image, or nothing after reporting (fragment_images.cpp).
[[nodiscard]] std::optional<std::size_t> fragment_image(Environment& env, Kernel& kernel, Images& images,
                                                        const ast::Frag& frag, const Shape& shape);
/// The index of the image that a layout makes of a rows x cols tile, or why it makes none.
[[nodiscard]] std::variant<std::size_t, layout::MapProblem> image_of(Kernel& kernel, Images& images,
                                                                     const layout::Layout& layout, int rows,
                                                                     int cols, int bits,
                                                                     std::string name = "");
/// The index of a buffer's image, or nothing after reporting (buffer_images.cpp).
[[nodiscard]] std::optional<std::size_t> buffer_image(Environment& env, Kernel& kernel, Images& images,
                                                      const ast::Tmem& tmem, const Shape& shape);

// ---- shared by the two
// -------------------------------------------------------------------------------------------

/// The object being declared, as the messages name it.
struct Declared {
    const ast::Name& name;
    const ast::Tensor& tensor;
    const Shape& shape;
    [[nodiscard]] int rows() const { return static_cast<int>(shape.extents[0]); }
    [[nodiscard]] int cols() const { return two() ? static_cast<int>(shape.extents[1]) : 1; }
    [[nodiscard]] bool two() const { return shape.extents.size() == 2; } // dimensions
    [[nodiscard]] int bits() const { return base::bits(shape.dtype); }
};

/// 32-bit words per row when the columns fit `row`; nothing after reporting when they fill no whole words or
/// not the multiple that the image is made of. `image` is "atom 16x256b".
[[nodiscard]] std::optional<int> words_of(Environment& env, const Declared& object,
                                          const atlas::ImageRow& row, std::string_view image,
                                          bool unpacked = false);
/// The names of the rows of `table` with so many rows, "B, C, E, F"; empty when there are none.
[[nodiscard]] std::string names_with(std::span<const atlas::ImageRow> table, int rows);
/// Puts into words why a literal is no map of the object.
void report_problem(Environment& env, const layout::MapProblem& problem, const Declared& object,
                    Span literal);
/// The index of the image that `key` made, or nothing when it is new.
[[nodiscard]] std::optional<std::size_t> made(const std::vector<std::pair<ImageKey, std::size_t>>& images,
                                              const ImageKey& key);

} // namespace tmemc::sema
