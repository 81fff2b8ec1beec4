// The line table is built once, so a place is found by one binary search. It begins after a byte-order mark,
// which thereby belongs to no line and has no column.
#include "base/source.hpp"

#include "base/invariant.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <utility>

namespace tmemc::base {

Span join(Span a, Span b) {
    if (a == no_place) return b;
    if (b == no_place) return a;
    return {std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

Source::Source(std::string name, std::string text) : name_(std::move(name)), text_(std::move(text)) {
    invariant(text_.size() <= max_bytes, "a source is too long for 32-bit offsets");
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    starts_.push_back(text_.starts_with(byte_order_mark) ? 3 : 0);
    for (std::uint32_t i = starts_[0]; i < text_.size(); ++i)
        if (text_[i] == '\n') starts_.push_back(i + 1);
}

std::string_view Source::text(Span span) const {
    const std::size_t begin = std::min<std::size_t>(span.begin, text_.size());
    const std::size_t end = std::clamp<std::size_t>(span.end, begin, text_.size());
    return std::string_view(text_).substr(begin, end - begin);
}

Position Source::position(std::uint32_t offset) const {
    offset = std::clamp(offset, starts_[0], static_cast<std::uint32_t>(text_.size()));
    const auto next_line = std::upper_bound(starts_.begin(), starts_.end(), offset);
    Position position{static_cast<std::uint32_t>(next_line - starts_.begin()), 1};
    std::string_view before = text({*(next_line - 1), offset});
    while (!before.empty()) {
        before.remove_prefix(first_code_point(before).bytes);
        ++position.column;
    }
    return position;
}

std::string_view Source::line(std::uint32_t line) const {
    if (line < 1 || line > line_count()) return {};
    const bool last = line == line_count();
    std::string_view found =
        text({starts_[line - 1], last ? static_cast<std::uint32_t>(text_.size()) : starts_[line]});
    if (found.ends_with('\n')) found.remove_suffix(1);
    if (found.ends_with('\r') && !last) found.remove_suffix(1);
    return found;
}

std::uint32_t Source::line_begin(std::uint32_t line) const {
    if (line < 1) return starts_[0];
    return line > line_count() ? static_cast<std::uint32_t>(text_.size()) : starts_[line - 1];
}

} // namespace tmemc::base
