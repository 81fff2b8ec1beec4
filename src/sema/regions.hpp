// `A[0:64, c*32 +: 32]`: a rectangle of an object. `a:b` is half open, `base +: width` has a base and a
// width, and a lone `i` is a point, which removes its dimension: A[3, :] of a [128, 8] tensor has the one
// extent [8]. No slice is empty, and each lies inside its object in every CTA; one of a `masked` copy may
// leave its tensor.
#pragma once

#include "sema/draft.hpp"
#include "sema/shapes.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::sema {

/// An object named in a statement, and the part of it that the slices select.
struct Selection {
    Symbol symbol;    // a tensor, fragment or buffer; its value is the object's index
    std::string name; // of the object
    Dtype dtype{};
    Span declared;                               // where the object's name is declared
    std::optional<Region> region;                // nothing when a slice was reported
    std::vector<std::int64_t> extents;           // of the region, without the dimensions that points removed
    bool whole = false;                          // no slices: all of the object
    bool rows_leave = false, cols_leave = false; // masked: in some CTA
};

/// Where a region stands: only a copy has a word for what lies outside its tensor.
enum class Place : std::uint8_t { expression, copy, masked_copy, argument };

/// What `region` selects, or nothing after reporting that its name is no object.
[[nodiscard]] std::optional<Selection> select(Draft& draft, const ast::Region& region,
                                              Place place = Place::expression);

/// Labels where the objects of a mistake between two are declared; one that is both gets one label.
base::Diagnostic& label_declarations(base::Diagnostic& wrong, const Selection& one, const Selection& other);

} // namespace tmemc::sema
