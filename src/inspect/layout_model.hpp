// Where every element of a kernel's objects lives, as plain numbers: what the pictures of a layout (text,
// SVG, HTML) and its JSON are made of. An object is a buffer of tensor memory or a fragment, in the order in
// which they are declared; those of functions that the kernel calls come last. Example, of the round trip:
//
//     X  fragment  f16[128, 8]  "atom 32x32b"   4 registers   (0, 2) -> thread 0, register 1, bit 0; ...
//     T  buffer    f16[128, 8]  "datapath D"    4 columns     (0, 2) -> lane 0, column 1, bit 0; ...
//
// An element that a layout with replicas keeps several times has a place for each copy. A declaration in a
// loop makes an object a turn, and what agrees in everything, columns too, is one object here, with how many
// it stands for. What the compiler adds (the loaded vector of `cols(Bias)`) and the parameters of expanded
// calls, which are regions of the kernel's own objects, are no objects. Not here: who uses columns when
// (map_model.hpp).
#pragma once

#include "base/source.hpp"
#include "layout/layout.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::inspect {

/// A place of an element. Lanes and columns are absolute in the allocation, or in what a function's address
/// names.
struct ElementPlace {
    int row = 0, col = 0;
    int unit = 0; // thread of the warpgroup, or lane
    int slot = 0; // 32-bit register, or column
    int bit = 0;  // the first of its bits in that register or cell
    bool operator==(const ElementPlace&) const = default;
};

struct LayoutObject {
    std::string name;
    bool buffer = false; // else a fragment
    base::Dtype dtype{};
    std::vector<std::int64_t> shape; // one or two extents
    int rows = 0, cols = 0;          // of one dimension: a column
    std::string layout_words;        // "datapath F sub_slab 1", "atom 16x256b", "layout S[...]"
    layout::Layout layout;
    int copies = 1;         // places of each element
    int words = 0;          // registers per thread, or columns
    int column = 0;         // of a buffer: its first
    std::string inside;     // of an alias: the buffer that it lies in
    std::uint32_t line = 0; // of the declaration
    int times = 1;          // objects like this one
    std::string iteration;  // "c = 0": of the first use of the first of them, when a loop makes several kinds
    std::vector<ElementPlace> places; // by row and column, copies of an element side by side

    [[nodiscard]] std::string type() const; // "f16[128, 8]"
    /// The warp that holds the thread, or reaches the lane.
    [[nodiscard]] static int warp(int unit) { return unit / 32; }
    bool operator==(const LayoutObject&) const = default;
};

struct LayoutModel {
    std::string kernel;
    bool function = false; // its buffers' columns count from what a parameter's address names
    int columns = 0;       // of the allocation
    std::vector<LayoutObject> objects;
    bool operator==(const LayoutModel&) const = default;
};

[[nodiscard]] LayoutModel layout_model(const base::Source& source, const sema::Kernel& kernel,
                                       const space::KernelSpace& space);

/// "datapath F sub_slab 1", "layout S[...]"
[[nodiscard]] std::string words_of(const sema::BufferImage& image);
/// Of each buffer that is an alias: the first one above it that has some of its columns.
[[nodiscard]] std::vector<std::optional<std::size_t>> outer_buffers(const sema::Kernel& kernel);

/// What pictures take for the order and the columns of a program: what was found, or, of one that was refused
/// before, the written waits and the columns that these lead to.
struct Placement {
    order::Schedule schedule;
    space::Space space;
    bool operator==(const Placement&) const = default;
};
[[nodiscard]] Placement placement_for_pictures(const base::Source& source, const sema::Program& program,
                                               const order::Schedule& schedule, const space::Space& space);

} // namespace tmemc::inspect
