// The text, top to bottom: opening, launch.h, bytes, program, launchers.
#include "embed/header.hpp"

#include "base/sha256.hpp"
#include "embed/launch_text.hpp"
#include "embed/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace tmemc::embed {
namespace {

constexpr std::size_t line_width = 108;

/// "127, 69, 76, ..." in lines.
std::string byte_lines(std::string_view bytes) {
    std::string text, line = "   ";
    for (const char each : bytes) {
        const std::string number = fmt::format(" {},", static_cast<unsigned char>(each));
        if (line.size() + number.size() > line_width) {
            text += line + '\n';
            line = "   ";
        }
        line += number;
    }
    return text + line + '\n';
}

/// A union with a number, so that the bytes are aligned as the driver likes it.
std::string blob(const std::string& name, std::string_view bytes) {
    return fmt::format(
        "static const union {{\n    unsigned char bytes[{}];\n    unsigned long long aligned;\n}} {} "
        "= {{{{\n{}}}}};\n",
        bytes.size(), name, byte_lines(bytes));
}

std::string blob_name(const std::string& stem, const Image& image, std::string_view kind) {
    return fmt::format("{}_{}_{}", stem, image.target, kind);
}

bool has_scratch(const Image& image) { return !image.scratch_bytes.empty(); }

std::string scratch_table(const std::string& name, const Image& image) {
    return fmt::format("static const size_t {}[{}] = {{{}}};\n", name, image.scratch_bytes.size(),
                       fmt::join(image.scratch_bytes, ", "));
}

std::string image_row(const std::string& stem, const Image& image) {
    const toolchain::Chip chip = chip_of(image);
    const std::string cubin = blob_name(stem, image, "cubin"), ptx = blob_name(stem, image, "ptx");
    return fmt::format("        {{\"{}\", {}, {}, '{}', {}.bytes, {}, {}.bytes, {}, {}}},\n", image.target,
                       chip.capability / 10, chip.capability % 10, chip.suffix == 0 ? ' ' : chip.suffix,
                       cubin, image.cubin.size(), ptx, image.ptx.size() + 1,
                       has_scratch(image) ? blob_name(stem, image, "scratch") : "NULL");
}

std::string program_function(const Package& package, const std::string& stem) {
    std::string rows, kernels;
    for (const Image& image : package.images) rows += image_row(stem, image);
    for (const Kernel& kernel : package.kernels)
        kernels += fmt::format("{}\"{}\"", kernels.empty() ? "" : ", ", kernel.name);
    const std::size_t images = package.images.size(), count = package.kernels.size();
    return fmt::format("static inline tmemc_program *{}_program(void) {{\n"
                       "    static const tmemc_image images[] = {{\n{}    }};\n"
                       "    static const char *const kernels[] = {{{}}};\n"
                       "    static void *functions[(TMEMC_CONTEXTS + 1) * {}];\n"
                       "    static tmemc_program program = {{{}, images, {}, kernels, {}, functions, "
                       "TMEMC_UNLOCKED, 0, {{{{0, NULL, NULL}}}}}};\n"
                       "    return &program;\n}}\n\n",
                       stem, rows, kernels, count, quoted(package.source), images, count) +
           fmt::format(
               "// Loads everything into the current context, which the first launch would do.\n"
               "static inline tmemc_result {0}_load(void) {{ return tmemc_load({0}_program()); }}\n"
               "// Unloads it from the current context, in which nothing of it may be running.\n"
               "static inline tmemc_result {0}_unload(void) {{ return tmemc_unload({0}_program()); }}\n",
               stem);
}

std::string opening(const Package& package, const Names& names) {
    std::string targets;
    for (const Image& image : package.images) targets += (targets.empty() ? "" : ", ") + image.target;
    const Kernel& kernel = package.kernels.front();
    return fmt::format(
        "// The kernels of {} as machine code for {}, with a launcher for each. Made by tmemc " TMEMC_VERSION
        ".\n//\n//     tmemc_result result = {}({});\n//     if (result.code != 0) fprintf(stderr, "
        "\"%s\\n\", "
        "result.message);\n\n",
        in_comment(package.source), targets, launcher_name(kernel, names), launcher_words(kernel));
}

} // namespace

std::string header(const Package& package, const Names& names) {
    const std::string file = std::filesystem::path(package.source).stem().string();
    const std::string stem = before_underscore(as_name(names.prefix + file));
    std::string body;
    for (const Image& image : package.images)
        body += blob(blob_name(stem, image, "cubin"), image.cubin) + '\n' +
                blob(blob_name(stem, image, "ptx"), image.ptx + std::string(1, '\0')) + '\n';
    for (const Image& image : package.images)
        if (has_scratch(image)) body += scratch_table(blob_name(stem, image, "scratch"), image) + '\n';
    body += program_function(package, stem);
    for (const Kernel& kernel : package.kernels) body += '\n' + launcher(package, kernel, names, stem);
    if (!names.name_space.empty())
        body = fmt::format("namespace {0} {{\n\n{1}\n}} // namespace {0}\n", names.name_space, body);

    // Two headers with this name and other contents meet as two definitions, and not as one that is left out.
    const std::string guard = fmt::format("TMEMC_HEADER_{}_{}", stem, base::sha256(body).substr(0, 16));
    std::string text = opening(package, names) + fmt::format("#ifndef {0}\n#define {0}\n\n", guard);
    if (!names.name_space.empty())
        text += fmt::format("#ifndef __cplusplus\n#error \"made with --namespace={}, which C does not have; "
                            "--prefix= is for both\"\n#endif\n\n",
                            names.name_space);
    text += launch_text;
    text += fmt::format("\n// ---- {}\n\n", in_comment(package.source));
    return text + body + fmt::format("\n#endif // {}\n", guard);
}

} // namespace tmemc::embed
