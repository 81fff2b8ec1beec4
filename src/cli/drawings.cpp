// Columns as they were placed, or as they would have been.
#include "cli/drawings.hpp"

#include "cli/session.hpp"
#include "inspect/layout_json.hpp"
#include "inspect/layout_svg.hpp"
#include "inspect/layout_text.hpp"
#include "inspect/map_svg.hpp"
#include "inspect/map_text.hpp"
#include "inspect/page.hpp"

#include <algorithm>

namespace tmemc::cli {
namespace {

std::size_t number_of(const Compilation& made, const sema::Kernel& kernel) {
    return static_cast<std::size_t>(&kernel - made.program.kernels.data());
}

} // namespace

std::string format_of_suffix(const std::string& path, const std::string& otherwise) {
    for (const std::string_view format : {"svg", "html", "json"}) {
        const std::size_t length = format.size() + 1;
        if (path.size() > length &&
            path.compare(path.size() - length, length, "." + std::string(format)) == 0)
            return std::string(format);
    }
    return otherwise;
}

inspect::LayoutModel model_of(const base::Source& source, const Compilation& made,
                              const sema::Kernel& kernel) {
    const inspect::Placement placed =
        inspect::placement_for_pictures(source, made.program, made.schedule, made.space);
    return inspect::layout_model(source, kernel, placed.space.kernels[number_of(made, kernel)]);
}

std::string drawn_layout(const Drawing& drawing, const inspect::LayoutModel& model) {
    if (drawing.format == "json") return inspect::layout_json(model);
    if (drawing.format == "text") return inspect::layout_text(model, drawing.color);
    return inspect::layout_svg(model);
}

std::string drawn_map(const Drawing& drawing, const base::Source& source, const Compilation& made,
                      const sema::Kernel& kernel) {
    const inspect::Placement placed =
        inspect::placement_for_pictures(source, made.program, made.schedule, made.space);
    const std::size_t k = number_of(made, kernel);
    const inspect::MapModel model =
        inspect::map_model(source, kernel, placed.schedule.kernels[k], placed.space.kernels[k]);
    if (drawing.format == "text") return inspect::map_text(model, drawing.color);
    if (drawing.format == "svg") return inspect::map_svg(model);
    complain("--map is drawn as text, svg or html, not as " + drawing.format);
    return {};
}

std::string drawn_page(const base::Source& source, const Compilation& made, const sema::Kernel& kernel,
                       const std::string& object, bool map) {
    return inspect::page({source, made.program, made.plan, made.schedule, made.space, made.diagnostics,
                          match::Options{}.max_message, kernel.name, object, map});
}

} // namespace tmemc::cli
