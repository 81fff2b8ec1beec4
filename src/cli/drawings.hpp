// From a compilation to the text of a picture, for `layout` and for --emit=layout: which kernel, which
// columns, and which of text, SVG, HTML and JSON. Not here: what the pictures look like (inspect).
#pragma once

#include "inspect/layout_model.hpp"
#include "pipeline.hpp"

#include <string>

namespace tmemc::cli {

struct Drawing {
    std::string format; // text, svg, html or json
    bool color = false; // of text
};

/// "svg" of "x.svg", "html", "json", else `otherwise`.
[[nodiscard]] std::string format_of_suffix(const std::string& path, const std::string& otherwise);

/// `kernel` is one of the compilation's program, which may have been refused.
[[nodiscard]] inspect::LayoutModel model_of(const base::Source& source, const Compilation& made,
                                            const sema::Kernel& kernel);

[[nodiscard]] std::string drawn_layout(const Drawing& drawing, const inspect::LayoutModel& model);
[[nodiscard]] std::string drawn_map(const Drawing& drawing, const base::Source& source,
                                    const Compilation& made, const sema::Kernel& kernel);
/// The HTML page of the whole program, which begins with `kernel` and, when it is named, with an object.
[[nodiscard]] std::string drawn_page(const base::Source& source, const Compilation& made,
                                     const sema::Kernel& kernel, const std::string& object, bool map);

} // namespace tmemc::cli
