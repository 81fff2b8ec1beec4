// The indented writer: nlohmann's own would give every register of a message a line of its own.
#include "base/json.hpp"

#include <algorithm>

namespace tmemc::base {
namespace {

bool is_flat(const Json& value) {
    return std::none_of(value.begin(), value.end(), [](const Json& each) { return each.is_structured(); });
}

void append(std::string& out, const Json& value, std::size_t indent) {
    if (!value.is_structured() || value.empty()) {
        out += value.dump();
        return;
    }
    const bool one_line = value.is_array() && is_flat(value);
    const std::string line_break = "\n" + std::string(indent + 2, ' ');
    out += value.is_array() ? "[" : "{";
    bool first = true;
    for (const auto& [key, member] : value.items()) {
        if (!first) out += one_line ? ", " : ",";
        if (!one_line) out += line_break;
        if (value.is_object()) out += Json(key).dump() + ": ";
        append(out, member, indent + 2);
        first = false;
    }
    if (!one_line) out += "\n" + std::string(indent, ' ');
    out += value.is_array() ? "]" : "}";
}

} // namespace

std::string to_text(const Json& value) {
    std::string out;
    append(out, value, 0);
    return out + "\n";
}

} // namespace tmemc::base
