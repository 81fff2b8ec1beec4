// What a string means: its text with the escapes resolved. The parsers themselves are in the header.
#include "grammar/primitives.hpp"

namespace tmemc::grammar {

std::string unescape(std::string_view quoted) {
    std::string text;
    for (std::size_t i = 1; i < quoted.size(); ++i) {
        if (quoted[i] == '"') break;
        if (quoted[i] == '\\' && i + 1 < quoted.size()) ++i;
        text += quoted[i];
    }
    return text;
}

} // namespace tmemc::grammar
