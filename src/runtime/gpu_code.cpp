// The `.target` of a text and the flags of a cubin; ptxas, and the driver's compiler, which writes its
// messages in ptxas's way.
#include "runtime/gpu_code.hpp"

#include "base/source.hpp"
#include "ptx/tokens.hpp"
#include "toolchain/cubin.hpp"
#include "toolchain/ptxas.hpp"
#include "toolchain/ptxas_info.hpp"
#include "toolchain/report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::runtime {

namespace {

/// The word behind the first `.target`, wherever on its line that stands.
std::string target_of(const std::string& text) {
    const base::Source source("", text);
    base::Diagnostics ignored;
    const std::vector<ptx::Token> tokens = ptx::tokens(source, ignored);
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i)
        if (tokens[i].is(ptx::Token::Kind::directive) && tokens[i].text == ".target")
            return std::string(tokens[i + 1].text);
    return {};
}

/// The line of the text, as a place in it.
toolchain::SpanOfLine lines_of(const base::Source& source) {
    return [&source](std::uint32_t line) {
        if (line == 0 || line > source.line_count()) return base::no_place;
        const std::uint32_t begin = source.line_begin(line);
        return base::Span{begin, begin + static_cast<std::uint32_t>(source.line(line).size())};
    };
}

/// How the code is assembled for the GPU; absent: it goes there as it is.
std::optional<toolchain::PtxasOptions> assembling(const Code& code, const GpuInfo& gpu,
                                                  const GpuOptions& options) {
    std::string error;
    const std::optional<toolchain::Chip> chip = chip_of(code, error);
    if (!code.cubin.empty() || !chip || toolchain::find_ptxas(options.ptxas).path.empty())
        return std::nullopt;
    toolchain::PtxasOptions made;
    made.path = options.ptxas;
    made.target = toolchain::to_string(toolchain::assembled_for(*chip, gpu.capability));
    made.flags = options.ptxas_flags;
    return made;
}

/// Whether this ptxas runs and does not know the target; the driver's compiler knows its own GPU.
bool is_older(const std::string& ptxas, const std::string& target) {
    const std::vector<std::string> known = toolchain::ask_ptxas(ptxas).targets;
    return !known.empty() && std::find(known.begin(), known.end(), target) == known.end();
}

} // namespace

std::optional<toolchain::Chip> chip_of(const Code& code, std::string& error) {
    if (!code.cubin.empty()) {
        const toolchain::Cubin cubin = toolchain::read_cubin(code.cubin);
        error = cubin.error;
        return error.empty() ? std::optional(cubin.chip()) : std::nullopt;
    }
    const std::string target = target_of(code.ptx);
    const std::optional<toolchain::Chip> chip = toolchain::chip_named(target);
    if (!chip)
        error = target.empty() ? "it has no `.target`" : fmt::format("`{}` is no target known here", target);
    return chip;
}

Image image_of(const Code& code, const GpuInfo& gpu, const GpuOptions& options) {
    Image image;
    const std::optional<toolchain::PtxasOptions> ptxas = assembling(code, gpu, options);
    if (!ptxas) {
        image.text = code.cubin.empty();
        image.bytes = image.text ? code.ptx : code.cubin;
        return image;
    }
    toolchain::Assembled made = toolchain::assemble(code.ptx, *ptxas);
    if (made.status == toolchain::Assembled::Status::failed &&
        is_older(made.command.program, ptxas->target)) {
        image.text = true;
        image.bytes = code.ptx;
        return image;
    }
    const base::Source source(code.name, code.ptx);
    image.diagnostics = toolchain::report(made, lines_of(source));
    if (!image.diagnostics.has_errors()) image.bytes = std::move(made.cubin);
    return image;
}

std::vector<toolchain::Command> tool_commands(const Code& code, const GpuInfo& gpu,
                                              const GpuOptions& options) {
    const std::optional<toolchain::PtxasOptions> ptxas = assembling(code, gpu, options);
    if (!ptxas) return {};
    return {toolchain::command(*ptxas)};
}

base::Diagnostics diagnostics_of(const std::string& log, const Code& code) {
    toolchain::Assembled said;
    said.status = toolchain::Assembled::Status::failed;
    said.messages = toolchain::parse_messages(log);
    if (said.messages.empty()) return {};
    const base::Source source(code.name, code.ptx);
    return toolchain::report(said, lines_of(source));
}

} // namespace tmemc::runtime
