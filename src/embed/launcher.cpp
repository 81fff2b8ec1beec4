// Types by dtype, then the pieces of a function.
#include "embed/launcher.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::embed {
namespace {

using base::Dtype;
using base::DtypeClass;

constexpr std::int64_t most_rows = 0x7fffffff;  // rows are numbered in 32 bits
constexpr std::int64_t most_pitch = 0xffffffff; // a u32

/// The type of an element in C: tf32 is kept in a float's bits, and of f16, bf16 and f8 C has only the bits.
std::string element_type(Dtype dtype) {
    if (dtype == Dtype::f32 || dtype == Dtype::tf32) return "float";
    const bool with_sign = base::row(dtype).kind == DtypeClass::signed_integer;
    return fmt::format("{}int{}_t", with_sign ? "" : "u", base::bits(dtype));
}

bool only_bits(Dtype dtype) {
    return base::row(dtype).kind == DtypeClass::floating && element_type(dtype) != "float";
}

const std::string& name_of(const sema::Parameter& parameter) {
    return std::visit([](const auto& each) -> const std::string& { return each.name; }, parameter);
}

/// Names of the parameters, and of what else stands in the function.
struct Words {
    std::vector<std::string> parameters;
    std::string stream, tensors, sizes, call, arguments;
    std::array<std::string, 3> grid;
};

Words words_of(const Kernel& kernel, const std::string& stem) {
    const std::vector<std::string> ours{"tmemc_result", "tmemc_tensor", "tmemc_size",
                                        "tmemc_call",   "tmemc_launch", stem + "_program"};
    const auto keeps = [&](const std::string& name) { return free_name(name, ours) == name; };
    std::vector<std::string> taken = ours;
    for (const sema::Parameter& each : kernel.parameters) // ahead of names that must be made up
        if (keeps(name_of(each))) taken.push_back(name_of(each));
    const auto made_up = [&](std::string_view name) {
        taken.push_back(free_name(name, taken));
        return taken.back();
    };
    Words words;
    for (const sema::Parameter& each : kernel.parameters)
        words.parameters.push_back(keeps(name_of(each)) ? name_of(each) : made_up(name_of(each)));
    words.stream = made_up("stream");
    words.tensors = made_up("tensors");
    words.sizes = made_up("sizes");
    words.call = made_up("call");
    words.arguments = made_up("arguments");
    words.grid = {made_up("grid_x"), made_up("grid_y"), made_up("grid_z")};
    return words;
}

std::string parameter_type(const sema::Parameter& parameter) {
    if (const auto* scalar = std::get_if<sema::Scalar>(&parameter)) return element_type(scalar->dtype) + " ";
    const auto& tensor = std::get<sema::Tensor>(parameter);
    return fmt::format("{}{} *", tensor.direction == sema::Direction::in ? "const " : "",
                       only_bits(tensor.dtype) ? "void" : element_type(tensor.dtype));
}

std::string size_text(const std::vector<sema::Parameter>& parameters, const std::optional<std::size_t>& from,
                      std::int64_t number) {
    return from ? name_of(parameters[*from]) : fmt::format("{}", number);
}

std::string comment(const Kernel& kernel, const Words& words) {
    std::string text = fmt::format("// Kernel {}: a grid of {} x {} x {} CTAs, {} threads each", kernel.name,
                                   kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.threads);
    if (kernel.columns > 0) text += fmt::format(", {} columns of tensor memory", kernel.columns);
    if (kernel.shared_bytes > 0) text += fmt::format(", {} bytes of shared memory", kernel.shared_bytes);
    text += ".\n";
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        const auto* scalar = std::get_if<sema::Scalar>(&kernel.parameters[i]);
        const std::string what =
            scalar
                ? fmt::format("{}{}", base::name(scalar->dtype), only_bits(scalar->dtype) ? ", its bits" : "")
                : described(std::get<sema::Tensor>(kernel.parameters[i]), kernel.parameters);
        text += fmt::format("//     {}: {}\n", words.parameters[i], what);
    }
    return text + fmt::format("//     {}: a CUstream or cudaStream_t, or NULL\n", words.stream);
}

/// Scalars that give an extent or a pitch, with the least and the most they can be.
struct Size {
    std::size_t parameter = 0;
    std::int64_t least = 0, most = 0;
};
std::vector<Size> sizes_of(const Kernel& kernel) {
    std::vector<Size> sizes;
    const auto add = [&](std::size_t parameter, std::int64_t least, std::int64_t most) {
        for (Size& each : sizes)
            if (each.parameter == parameter) {
                each.least = std::max(each.least, least);
                each.most = std::min(each.most, most);
                return;
            }
        sizes.push_back({parameter, least, most});
    };
    for (const sema::Parameter& each : kernel.parameters) {
        const auto* tensor = std::get_if<sema::Tensor>(&each);
        if (!tensor) continue;
        if (tensor->extent_from) add(*tensor->extent_from, 0, most_rows);
        if (tensor->pitch_from) add(*tensor->pitch_from, tensor->extents.back(), most_pitch);
    }
    return sizes;
}

std::string list(const std::vector<std::string>& items) { return fmt::format("{}", fmt::join(items, ", ")); }

std::vector<std::string> declared(const Kernel& kernel, const Words& words) {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
        all.push_back(parameter_type(kernel.parameters[i]) + words.parameters[i]);
    all.push_back("void *" + words.stream);
    return all;
}

/// An array of rows and "NAME, COUNT" for the call; of none "NULL, 0".
std::string table(std::string_view type, const std::string& name, const std::vector<std::string>& rows,
                  std::string& text) {
    if (rows.empty()) return "NULL, 0";
    text += fmt::format("    const {} {}[] = {{\n", type, name);
    for (const std::string& row : rows) text += fmt::format("        {},\n", row);
    text += "    };\n";
    return fmt::format("{}, {}", name, rows.size());
}

std::string body(const Kernel& kernel, const Words& words, std::size_t number, const std::string& stem,
                 const std::vector<std::string>& grid) {
    std::vector<std::string> tensors, sizes, arguments;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
        arguments.push_back("&" + words.parameters[i]);
        const auto* tensor = std::get_if<sema::Tensor>(&kernel.parameters[i]);
        if (!tensor) continue;
        tensors.push_back(
            fmt::format("{{\"{}\", {}, {}, {}}}", tensor->name, words.parameters[i], tensor->align,
                        tensor->extent_from ? words.parameters[*tensor->extent_from] + " == 0" : "0"));
    }
    for (const Size& size : sizes_of(kernel))
        sizes.push_back(fmt::format("{{\"{}\", {}, {}u, {}u}}", name_of(kernel.parameters[size.parameter]),
                                    words.parameters[size.parameter], size.least, size.most));
    if (!grid.empty())
        for (std::size_t d = 0; d < 3; ++d)
            sizes.push_back(fmt::format("{{\"{0}\", {0}, 1u, {1}u}}", words.grid[d], kernel.grid[d]));
    const std::size_t count = arguments.size();
    arguments.emplace_back("NULL");

    std::string text;
    const std::string tensor_words = table("tmemc_tensor", words.tensors, tensors, text);
    const std::string size_words = table("tmemc_size", words.sizes, sizes, text);
    text += fmt::format("    const tmemc_call {} = {{{}, {{{}}}, {}, {}, {}, {}}};\n", words.call, number,
                        grid.empty() ? fmt::format("{}", fmt::join(kernel.grid, ", ")) : list(grid),
                        kernel.threads, tensor_words, size_words, count);
    text += fmt::format("    void *{}[] = {{{}}};\n", words.arguments, list(arguments));
    return text + fmt::format("    return tmemc_launch({}_program(), &{}, {}, {});\n", stem, words.call,
                              words.arguments, words.stream);
}

} // namespace

std::string described(const sema::Tensor& tensor, const std::vector<sema::Parameter>& parameters) {
    constexpr std::array<std::string_view, 3> directions{"in", "out", "inout"};
    std::string text = fmt::format("{} {}[{}", directions[static_cast<std::size_t>(tensor.direction)],
                                   base::name(tensor.dtype),
                                   size_text(parameters, tensor.extent_from, tensor.extents.front()));
    for (std::size_t d = 1; d < tensor.extents.size(); ++d) text += fmt::format(", {}", tensor.extents[d]);
    text += "], row-major";
    if (tensor.pitch_from || (tensor.extents.size() == 2 && tensor.pitch != tensor.extents.back()))
        text += fmt::format(" with a pitch of {} elements",
                            size_text(parameters, tensor.pitch_from, tensor.pitch));
    return text + fmt::format(", at a multiple of {} bytes", tensor.align);
}

std::string launcher_name(const Kernel& kernel, const Names& names) {
    return before_underscore(names.prefix + kernel.name) + "_launch";
}

std::string launcher_words(const Kernel& kernel) {
    Words words = words_of(kernel, {});
    words.parameters.push_back(words.stream);
    return list(words.parameters);
}

std::string launcher(const Package& package, const Kernel& kernel, const Names& names,
                     const std::string& stem) {
    const Words words = words_of(kernel, stem);
    const auto number = static_cast<std::size_t>(&kernel - package.kernels.data());
    const std::vector<std::string> parameters = declared(kernel, words);
    const std::string name = launcher_name(kernel, names);
    std::string text =
        comment(kernel, words) + fmt::format("static inline tmemc_result {}({}) {{\n{}}}\n", name,
                                             list(parameters), body(kernel, words, number, stem, {}));
    if (sizes_of(kernel).empty()) return text;
    std::vector<std::string> grid(words.grid.begin(), words.grid.end()), all;
    for (const std::string& each : grid) all.push_back("unsigned " + each);
    all.insert(all.end(), parameters.begin(), parameters.end());
    return text +
           fmt::format("// The same for the first CTAs of the grid along each axis, when that is enough.\n"
                       "static inline tmemc_result {}_grid({}) {{\n{}}}\n",
                       name, list(all), body(kernel, words, number, stem, grid));
}

std::string quoted(const std::string& text) {
    std::string made = "\"";
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (each == '"' || each == '\\' || each == '?')
            made += std::string("\\") + each;
        else if (byte < ' ' || byte > '~')
            made += fmt::format("\\{:03o}", byte);
        else
            made += each;
    }
    return made + '"';
}

} // namespace tmemc::embed
