// Source text and places in it. A stage never copies text: it keeps a Span, two byte offsets into the Source
// it was given, and only the renderer turns a Span into "file:line:column". Lines and columns count from 1; a
// column counts characters (code points), so an editor's cursor lands where the caret points. Example: in
// "a\nbc" the span {3, 4} is the text "c", at line 2, column 2. Not here: what is said about a place
// (diagnostics.hpp) and how it is shown (render.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::base {

/// Half-open range of byte offsets into one Source.
struct Span {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    bool empty() const { return begin == end; }
    bool operator==(const Span&) const = default;
};

/// The place of what concerns a source as a whole, such as a missing ptxas: it is shown without line and
/// excerpt.
inline constexpr Span no_place{0xffffffff, 0xffffffff};

/// The smallest span that holds both; `no_place` adds nothing.
[[nodiscard]] Span join(Span a, Span b);

struct Position {
    std::uint32_t line = 1;   // from 1
    std::uint32_t column = 1; // from 1, in code points
    bool operator==(const Position&) const = default;
};

/// One text with a name. The text is kept as it was read; line breaks are "\n" or "\r\n". A byte-order mark
/// at its start is part of the text but of no line: the first line begins after it. Any offset is fine: one
/// beyond the end is the end.
class Source {
  public:
    static constexpr std::size_t max_bytes =
        0xfffffffe; // a longer text is refused before it becomes a Source
    Source(std::string name, std::string text);
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::string_view text() const { return text_; }
    [[nodiscard]] std::string_view text(Span span) const;
    [[nodiscard]] Position position(std::uint32_t offset) const;
    /// The text of line `line` (from 1) without its line break; empty beyond the end.
    [[nodiscard]] std::string_view line(std::uint32_t line) const;
    [[nodiscard]] std::uint32_t line_begin(std::uint32_t line) const;
    [[nodiscard]] std::uint32_t line_count() const { return static_cast<std::uint32_t>(starts_.size()); }

  private:
    std::string name_;
    std::string text_;
    std::vector<std::uint32_t> starts_; // offset of the first byte of each line
};

} // namespace tmemc::base
