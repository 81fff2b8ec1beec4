// The kinds of section that say something about a kernel.
#include "toolchain/cubin.hpp"

#include "toolchain/elf.hpp"

#include <functional>
#include <map>

namespace tmemc::toolchain {
namespace {

constexpr std::uint16_t cuda = 190; // EM_CUDA
constexpr std::uint64_t reserved_shared = 0x400;
constexpr std::uint64_t has_payload = 4, register_count = 0x2f, parameter_info = 0x17, required_block = 0x10;
constexpr std::uint64_t symbol_bytes = 24, other_at = 5, entry_bit = 0x10; // of st_other
constexpr std::string_view text = ".text.", shared = ".nv.shared.";

/// Calls `each` with the attribute and where its bytes begin and end, for the entries of an .nv.info section
/// that have some. An entry is a format, an attribute and 16 bits, which are a value or, in format 4, the
/// length of what follows.
void for_entries(
    std::string_view section,
    const std::function<void(std::uint64_t attribute, std::uint64_t at, std::uint64_t size)>& each) {
    Bytes bytes(section);
    for (std::uint64_t at = 0; at + 4 <= section.size(); at += 4) {
        if (bytes.number(at, 1) != has_payload) continue;
        const std::uint64_t size = bytes.number(at + 2, 2);
        each(bytes.number(at + 1, 1), at + 4, size);
        at += size;
    }
}

/// Registers by symbol, of .nv.info.
std::map<std::uint64_t, int> registers_by_symbol(std::string_view section) {
    std::map<std::uint64_t, int> counts;
    Bytes bytes(section);
    for_entries(section, [&](std::uint64_t attribute, std::uint64_t at, std::uint64_t size) {
        if (attribute == register_count && size == 8)
            counts[bytes.number(at, 4)] = static_cast<int>(bytes.number(at + 4, 2));
    });
    return counts;
}

/// Parameters and the block's extents, of .nv.info.KERNEL.
void read_signature(std::string_view section, CubinKernel& kernel) {
    std::map<std::uint64_t, CubinParameter> parameters; // by ordinal; the file has the last first
    Bytes bytes(section);
    for_entries(section, [&](std::uint64_t attribute, std::uint64_t at, std::uint64_t size) {
        if (attribute == parameter_info && size == 12)
            parameters[bytes.number(at + 4, 2)] = {bytes.number(at + 6, 2), bytes.number(at + 8, 4) >> 18};
        if (attribute == required_block && size == 12)
            kernel.required_threads = {static_cast<std::uint32_t>(bytes.number(at, 4)),
                                       static_cast<std::uint32_t>(bytes.number(at + 4, 4)),
                                       static_cast<std::uint32_t>(bytes.number(at + 8, 4))};
    });
    kernel.parameters.reserve(parameters.size());
    for (const auto& [ordinal, parameter] : parameters) kernel.parameters.push_back(parameter);
}

/// .nv.compat has entries of two bytes and one of value; number 9 is 1 in code for one chip only.
bool exact_chip(std::string_view compat) {
    for (std::size_t at = 0; at + 4 <= compat.size(); at += 4)
        if (compat.substr(at, 3) == "\x02\x09\x01") return true;
    return false;
}

} // namespace

Cubin read_cubin(std::string_view bytes) {
    Cubin cubin;
    const Elf elf = read_elf(bytes);
    cubin.error = elf.error;
    if (cubin.error.empty() && elf.machine != cuda) cubin.error = "it is no cubin but for another machine";
    if (!cubin.error.empty()) return cubin;
    cubin.architecture = static_cast<int>(elf.flags >> 8 & 0xff);

    std::map<std::string_view, const ElfSection*> sections;
    for (const ElfSection& each : elf.sections) sections.emplace(each.name, &each);
    const auto bytes_of = [&](std::string_view name) {
        const auto found = sections.find(name);
        return found == sections.end() ? std::string_view{} : found->second->bytes;
    };
    cubin.exact = exact_chip(bytes_of(".nv.compat"));
    const auto registers = registers_by_symbol(bytes_of(".nv.info"));
    Bytes symbols(bytes_of(".symtab"));
    for (const ElfSection& each : elf.sections) {
        if (each.name.substr(0, text.size()) != text) continue;
        CubinKernel kernel;
        kernel.name = each.name.substr(text.size());
        kernel.entry = (symbols.number(symbol_bytes * each.info + other_at, 1) & entry_bit) != 0;
        kernel.code = count_sass(each.bytes);
        read_signature(bytes_of(std::string(".nv.info.") + kernel.name), kernel);
        if (const auto known = registers.find(each.info); known != registers.end())
            kernel.registers = known->second;
        const auto variables = sections.find(std::string(shared) + kernel.name);
        if (variables != sections.end() && variables->second->size > reserved_shared)
            kernel.shared_bytes = variables->second->size - reserved_shared;
        cubin.kernels.push_back(std::move(kernel));
    }
    return cubin;
}

} // namespace tmemc::toolchain
