// A refusal as a picture: where the program wants one element, and where the hardware puts it. Two short rows
// under a line of heads, in which the two places stand in different columns:
//
//       row 16, col 0     | warp 0   | warp 1  | warp 2 | warp 3
//       fragment wants it | thread 0 |         |        |
//       hardware puts it  |          | lane 32 |        |
//
// A Picture is plain data, made by the stage that refuses (match, sema) and carried by its Diagnostic; text,
// SVG, JSON and pages draw it each in its own way. Not here: which element is the first
// (match/disagreement.hpp).
#pragma once

#include <string>
#include <vector>

namespace tmemc::base {

struct Picture {
    struct Row {
        std::string label;              // "fragment wants it"
        std::vector<std::string> cells; // parallel to the heads; an empty one is blank
        bool operator==(const Row&) const = default;
    };
    std::string title; // of the corner: "row 16, col 0"
    std::vector<std::string> heads;
    Row wanted, found;
    bool operator==(const Picture&) const = default;
};

/// One of the two rows as a place: "fragment wants it", in thread 1, "register 0".
struct PicturePlace {
    std::string label;
    int number = 0; // of the warp, thread, ...
    std::string text;
};
/// Numbered columns ("thread 0", ...), of `count` that there are: up to four around both places, or only
/// these when they are far apart.
[[nodiscard]] Picture two_places(std::string title, const std::string& unit, int count,
                                 const PicturePlace& wanted, const PicturePlace& found);

/// Three lines of at most 80 columns, as they stand under a diagnostic. A colour, if one is given, paints
/// what the two rows say ("1;31", ECMA-48), and is needed for nothing.
[[nodiscard]] std::string picture_text(const Picture& picture, const std::string& color = {});

/// A whole SVG file with a caption below, for light and dark surroundings.
[[nodiscard]] std::string picture_svg(const Picture& picture, const std::string& caption);

} // namespace tmemc::base
