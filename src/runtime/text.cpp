// All elements are turned into text first, for the widest of them sets the columns.
#include "runtime/text.hpp"

#include "runtime/element.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::runtime {

std::string to_text(const std::string& name, const Array& array) {
    std::vector<std::string> words;
    std::size_t width = 0;
    for (std::int64_t i = 0; i < array.elements(); ++i) {
        words.push_back(element_text(array.dtype, array.get(i)));
        width = std::max(width, words.back().size());
    }
    std::string text = fmt::format("{}: {}\n", name, to_string(array.dtype, array.shape));
    const std::size_t columns = array.shape.empty() ? 1 : static_cast<std::size_t>(array.shape.back());
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += fmt::format("  {:>{}}{}", words[i], width, (i + 1) % columns == 0 ? "\n" : "");
    }
    return text;
}

} // namespace tmemc::runtime
