// The phrases of refusal.hpp.
#include "match/refusal.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tmemc::match {

namespace {

/// "[16:32, :]", or nothing for the whole object.
std::string slice_text(const sema::Region& region, int rows, int cols) {
    if (region.rows == rows && region.cols == cols) return "";
    const auto slice = [](int first, int count, int all) {
        return count == all ? std::string(":") : fmt::format("{}:{}", first, first + count);
    };
    return fmt::format("[{}, {}]", slice(region.row, region.rows, rows),
                       slice(region.col, region.cols, cols));
}

template <class Object>
std::string object_text(const Object& object, const sema::Region& region, std::string_view image) {
    return fmt::format("`{}{}` ({}[{}, {}], {})", object.name, slice_text(region, object.rows, object.cols),
                       base::name(object.dtype), object.rows, object.cols, image);
}

} // namespace

std::string fragment_phrase(const Refusal& refusal) {
    const sema::Fragment& fragment = refusal.fragment();
    return object_text(fragment, refusal.copy.fragment, refusal.kernel.fragment_images[fragment.image].name);
}

std::string buffer_phrase(const Refusal& refusal) {
    const sema::Buffer& buffer = refusal.buffer();
    const sema::BufferImage& image = refusal.kernel.buffer_images[buffer.image];
    std::string text = image.datapath == 0 ? "layout " + layout::to_string(image.layout)
                                           : fmt::format("datapath {}", image.datapath);
    if (image.datapath != 0 && image.sub_slab != 0) text += fmt::format(" sub_slab {}", image.sub_slab);
    if (image.datapath != 0 && image.unpacked) text += " unpacked";
    return object_text(buffer, refusal.copy.buffer, text);
}

std::string element_phrase(const Refusal& refusal, int row, int col, bool with_column) {
    const auto place = [&](const sema::Region& region) {
        const std::string text = fmt::format("row {}", region.row + row);
        return with_column ? text + fmt::format(", column {}", region.col + col) : text;
    };
    std::string ours = place(refusal.copy.fragment), theirs = place(refusal.copy.buffer);
    if (ours == theirs) return ours;
    return fmt::format("{} of `{}` ({} of `{}`)", ours, refusal.fragment().name, theirs,
                       refusal.buffer().name);
}

std::string fragment_content(const Refusal& refusal, int thread, int reg, int bit) {
    const layout::SlotMap& slots = refusal.kernel.slots(refusal.fragment());
    const layout::Slot wanted{static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(reg),
                              static_cast<std::uint8_t>(bit)};
    const auto found = std::find(slots.places.begin(), slots.places.end(), wanted);
    if (found == slots.places.end()) return std::string(nothing);
    const int element = static_cast<int>(found - slots.places.begin()) / slots.copies;
    return fmt::format("row {}, column {}", element / slots.cols, element % slots.cols);
}

std::string listed(const std::vector<std::string>& words, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? fmt::format(" {} ", last) : ", ";
        text += words[i];
    }
    return text;
}

} // namespace tmemc::match
