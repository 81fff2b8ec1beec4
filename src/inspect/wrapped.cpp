// A cut at a time, from the left.
#include "inspect/wrapped.hpp"

namespace tmemc::inspect {

std::string wrapped(std::string text, std::size_t indent, std::size_t width) {
    std::string lines;
    while (text.size() > width) {
        const std::size_t blank = text.rfind(' ', width);
        const bool at_blank = blank != std::string::npos && blank > indent;
        lines += text.substr(0, at_blank ? blank : width) + "\n";
        text = std::string(indent, ' ') + text.substr(at_blank ? blank + 1 : width);
    }
    return lines + text + "\n";
}

} // namespace tmemc::inspect
