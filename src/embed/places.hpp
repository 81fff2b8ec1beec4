// Layouts the other way round: which element of a tile does element i of thread t hold? A layout writes the
// flat index of an element in digits and moves along an axis with each. Where the digits on the threads, and
// those on the register slots, are themselves the digits of one number, as every atom's are, each can be read
// back from that number:
//
//     16x256b, 64 x 8, f32:  S[(4, 2, 8, 4, 2) : (1@wid_in_wg, 2, 4@laneid, 1@laneid, 1)]
//     row = thread / 32 % 4 * 16  +  i / 2 % 2 * 8  +  thread / 4 % 8
//     col = thread % 4 * 2  +  i % 2
//
// C++ gets that as shifts and masks. A layout whose digits overlap, leave gaps or leave threads out has no
// such form; for it a function walks over the elements. Not here: how a header prints either (cuda.cpp).
#pragma once

#include "layout/layout.hpp"
#include "layout/tile_map.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tmemc::embed {

/// value / step % extent * weight, of the thread's number or the element's.
struct PlaceTerm {
    bool of_thread = false;
    std::int64_t step = 1, extent = 1, weight = 1;
    bool operator==(const PlaceTerm&) const = default;
};
/// A row or a column: the sum of its terms and a constant.
struct PlaceSum {
    std::vector<PlaceTerm> terms;
    std::int64_t constant = 0;
    [[nodiscard]] std::int64_t at(std::int64_t thread, std::int64_t element) const;
    bool operator==(const PlaceSum&) const = default;
};
struct PlaceForm {
    PlaceSum row, col;
    bool operator==(const PlaceForm&) const = default;
};

/// The form of a fragment's layout, held against its map; nothing when there is none.
[[nodiscard]] std::optional<PlaceForm> place_form(const layout::Layout& layout, const layout::SlotMap& map);

/// The sum in C++, with variables `thread` and `i`: "((thread >> 2) & 7) + (i & 2) * 4".
[[nodiscard]] std::string cpp_expression(const PlaceSum& sum);

/// Where element `flat` of the tile lies in C++, with variables `flat` and `copy`: the thread, or the
/// element's number in it.
[[nodiscard]] std::string cpp_thread(const layout::Layout& layout);
[[nodiscard]] std::string cpp_element(const layout::Layout& layout);

} // namespace tmemc::embed
