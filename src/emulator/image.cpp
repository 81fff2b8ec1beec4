// Layout first, values then: an initial value may be the address of a later variable.
#include "emulator/image.hpp"

#include "emulator/memory_access.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

constexpr std::uint64_t first_global = 0x1000'0000'0000;
constexpr std::uint64_t first_code = 0x6000'0000'0000, code_bytes = 16; // of a function
constexpr std::uint64_t gap = 0x1000, alignment = 256;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 30; // of all variables of a module
constexpr std::uint64_t most_constant_bytes = 65536;         // PTX ISA 5.1.3

/// The values of one variable to bytes.
class Values {
  public:
    Values(const ptx::Variable& variable, const ModuleImage& image) : variable_(variable), image_(image) {}
    /// Why the variable cannot have them; empty when it can.
    std::string write(std::vector<std::byte>& bytes) {
        const std::size_t size = type_bytes(variable_.type);
        if (variable_.values.size() * size > bytes.size())
            return fmt::format("{} values for {} elements", variable_.values.size(), bytes.size() / size);
        for (std::size_t i = 0; i < variable_.values.size() && why_.empty(); ++i) {
            const std::uint64_t bits =
                std::visit([&](const auto& value) { return of(value); }, variable_.values[i]);
            std::memcpy(bytes.data() + i * size, &bits, std::min<std::size_t>(size, 8));
        }
        return why_;
    }

  private:
    // A decimal float is read as a double; elsewhere its bits stand as they are.
    [[nodiscard]] std::uint64_t of(const ptx::Immediate& value) const {
        if (value.form != ptx::Immediate::Form::f64_bits || variable_.type != "f32") return value.bits;
        return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
    }
    std::uint64_t of(const ptx::InitialAddress& value) {
        const auto found = image_.variables.find(value.symbol);
        const auto code = image_.code.find(value.symbol);
        if (found == image_.variables.end() && code == image_.code.end()) {
            why_ = fmt::format("the module has no `.global` or `.const` variable `{}`", value.symbol);
            return 0;
        }
        const bool variable = found != image_.variables.end();
        const bool window = variable && value.generic && found->second.space == Space::constant;
        const std::uint64_t address = (variable ? found->second.address : code->second) +
                                      (window ? constant_window : 0) +
                                      static_cast<std::uint64_t>(value.offset);
        if (value.mask == 0) return address;
        return (address & value.mask) >> std::countr_zero(value.mask);
    }

    const ptx::Variable& variable_;
    const ModuleImage& image_;
    std::string why_;
};

bool lies_here(const ptx::Variable& variable) {
    const bool known = variable.space == "global" || variable.space == "const";
    return known && variable.linkage != ptx::Linkage::external;
}

void name_functions(const ptx::Module& module, ModuleImage& image) {
    for (std::size_t f = 0; f < module.functions.size(); ++f) {
        const ptx::Function& function = module.functions[f];
        if (!function.prototype) image.functions[function.name] = f;
        image.code.try_emplace(function.name, first_code + code_bytes * f);
    }
    for (const ptx::Alias& alias : module.aliases) {
        if (const auto of = image.functions.find(alias.of); of != image.functions.end())
            image.functions[alias.name] = of->second;
        if (const auto of = image.code.find(alias.of); of != image.code.end())
            image.code[alias.name] = of->second;
    }
}

void place_variables(const ptx::ReadResult& read, ModuleImage& image, base::Diagnostics& diagnostics) {
    std::uint64_t global = first_global, constant = 0, total = 0;
    for (std::size_t v = 0; v < read.module.variables.size(); ++v) {
        const ptx::Variable& variable = read.module.variables[v];
        if (!lies_here(variable)) continue;
        const std::uint64_t bytes = bytes_of(variable);
        total = std::min(total + bytes + variable.align, most_bytes + 1);
        if (!is_declared(variable.type)) {
            image.variables[variable.name].unknown =
                fmt::format("it is of the type `.{}`, which the emulator does not know", variable.type);
            continue;
        }
        if (total > most_bytes) {
            diagnostics.report(catalogue::bad_variable, read.variables[v], variable.name,
                               "the variables of the module have more than 2^30 bytes");
            continue;
        }
        const std::uint64_t own = type_bytes(variable.type) * variable.elements;
        const std::uint64_t align = variable.align != 0 ? variable.align : own;
        const bool is_constant = variable.space == "const";
        std::uint64_t& next = is_constant ? constant : global;
        next = align_up(next, is_constant ? align : std::max(align, alignment));
        image.variables[variable.name] = {is_constant ? Space::constant : Space::global, next,
                                          std::vector<std::byte>(bytes)};
        next += bytes + (is_constant ? 0 : gap);
        if (constant > most_constant_bytes) {
            diagnostics.report(catalogue::bad_variable, read.variables[v], variable.name,
                               "the .const variables of the module have more than 65536 bytes");
            return;
        }
    }
}

} // namespace

int type_bits(std::string_view type) {
    if (type == "pred") return 1;
    int bits = 0, times = 1;
    const std::size_t digit = type.find_first_of("0123456789");
    if (digit == std::string_view::npos) return 0;
    const auto [end, error] = std::from_chars(type.data() + digit, type.data() + type.size(), bits);
    if (error != std::errc{} || bits > 1024) return 0;
    const std::string_view rest(end, static_cast<std::size_t>(type.data() + type.size() - end));
    if (rest == "x2")
        times = 2;
    else if (!rest.empty())
        return 0;
    return bits * times;
}

bool is_declared(std::string_view type) {
    static constexpr std::string_view all[] = {"b8",  "b16", "b32",   "b64", "b128", "u8",
                                               "u16", "u32", "u64",   "s8",  "s16",  "s32",
                                               "s64", "f16", "f16x2", "f32", "f64"};
    return std::find(std::begin(all), std::end(all), type) != std::end(all);
}

std::uint64_t type_bytes(std::string_view type) {
    return static_cast<std::uint64_t>(std::max(type_bits(type) / 8, 1));
}

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
    return align == 0 ? value : (value + align - 1) / align * align;
}

std::uint64_t bytes_of(const ptx::Variable& variable) {
    std::uint64_t elements = 1;
    for (const std::uint64_t extent : shape(variable)) elements = std::min(elements * extent, most_bytes + 1);
    if (elements == 0) { // as many rows as there are values
        std::uint64_t row = 1;
        for (const std::uint64_t extent : shape(variable))
            row = std::min(row * std::max<std::uint64_t>(extent, 1), most_bytes + 1);
        elements = row > most_bytes ? most_bytes + 1 : align_up(variable.values.size(), row);
    }
    return elements * type_bytes(variable.type);
}

ModuleImage module_image(const ptx::ReadResult& read, base::Diagnostics& diagnostics) {
    ModuleImage image;
    name_functions(read.module, image);
    place_variables(read, image, diagnostics);
    for (std::size_t v = 0; v < read.module.variables.size(); ++v) {
        const ptx::Variable& variable = read.module.variables[v];
        const auto found = image.variables.find(variable.name);
        if (!lies_here(variable) || found == image.variables.end() || !found->second.unknown.empty())
            continue;
        if (const std::string why = Values(variable, image).write(found->second.bytes); !why.empty())
            diagnostics.report(catalogue::bad_variable, read.variables[v], variable.name, why);
    }
    for (const auto& [name, variable] : image.variables) {
        if (variable.space != Space::constant) continue;
        image.constants.resize(
            std::max<std::size_t>(image.constants.size(), variable.address + variable.bytes.size()));
        std::copy(variable.bytes.begin(), variable.bytes.end(),
                  image.constants.begin() + static_cast<std::ptrdiff_t>(variable.address));
    }
    return image;
}

} // namespace tmemc::emulator
