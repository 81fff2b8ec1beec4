// Written by hand: a tile may have a quarter of a million elements.
#include "inspect/layout_json.hpp"

#include "base/json.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tmemc::inspect {
namespace {

void write(fmt::memory_buffer& out, const LayoutObject& object) {
    fmt::format_to(std::back_inserter(out),
                   "    {{\n      \"name\": {},\n      \"kind\": \"{}\",\n      \"dtype\": \"{}\",\n"
                   "      \"shape\": [{}],\n      \"elements\": [",
                   base::Json(object.name).dump(), object.buffer ? "tmem" : "frag", base::name(object.dtype),
                   fmt::join(object.shape, ", "));
    int row = -1;
    for (const ElementPlace& at : object.places) {
        const std::string_view between = at.row != row ? (row < 0 ? "\n        " : ",\n        ") : ", ";
        fmt::format_to(std::back_inserter(out), "{}[{}, {}, {}, {}, {}]", between, at.row, at.col, at.unit,
                       at.slot, at.bit);
        row = at.row;
    }
    fmt::format_to(std::back_inserter(out), "\n      ]\n    }}");
}

} // namespace

std::string layout_json(const LayoutModel& model) {
    fmt::memory_buffer out;
    fmt::format_to(std::back_inserter(out), "{{\n  \"schema\": 1,\n  \"kernel\": {},\n  \"objects\": [",
                   base::Json(model.kernel).dump());
    for (std::size_t i = 0; i < model.objects.size(); ++i) {
        fmt::format_to(std::back_inserter(out), "{}\n", i == 0 ? "" : ",");
        write(out, model.objects[i]);
    }
    fmt::format_to(std::back_inserter(out), "{}]\n}}\n", model.objects.empty() ? "" : "\n  ");
    return fmt::to_string(out);
}

} // namespace tmemc::inspect
