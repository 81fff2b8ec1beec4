// What the SVG pictures share: the frame with its styles, for light and dark, and text in cells. A row of
// cells is one text in a fixed-width font with blanks between, and every fourth cell says where it is, so
// that a tile of 32768 elements stays under a megabyte. Colours are classes (w0 to w3 for warps, b0 to b5 for
// buffers), chosen so that the text on them keeps a contrast of 7 to 1, and whatever they say stands there in
// words too.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tmemc::inspect {

inline constexpr int svg_row = 16;      // height of a row of cells
inline constexpr double svg_char = 6.6; // width of a character of 11 px

/// `&`, `<`, `>` and quotes as XML has them; what XML cannot hold becomes `?`.
[[nodiscard]] std::string xml(std::string_view text);

/// The whole file.
[[nodiscard]] std::string svg_file(int width, int height, std::string_view title, const std::string& body);

/// A line of text: class h (head), n (plain) or a (axis, which ends at x).
[[nodiscard]] std::string svg_text(std::string_view kind, int x, int y, std::string_view text);

/// A row of cells of `width` pixels each, their texts padded to `chars`.
[[nodiscard]] std::string svg_cells(int x, int y, int width, std::size_t chars,
                                    const std::vector<std::string>& texts);

/// Lines around `columns` x `rows` cells.
[[nodiscard]] std::string svg_grid(int x, int y, int width, int columns, int rows);

} // namespace tmemc::inspect
