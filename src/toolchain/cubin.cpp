// The three kinds of section that say something about a kernel.
#include "toolchain/cubin.hpp"

#include "toolchain/elf.hpp"

#include <map>

namespace tmemc::toolchain {
namespace {

constexpr std::uint16_t cuda = 190; // EM_CUDA
constexpr std::uint64_t reserved_shared = 0x400;
constexpr std::uint64_t has_payload = 4, register_count = 0x2f;
constexpr std::uint64_t symbol_bytes = 24, other_at = 5, entry_bit = 0x10; // of st_other
constexpr std::string_view text = ".text.", shared = ".nv.shared.";

/// Registers by symbol, of .nv.info: entries of a format, an attribute and 16 bits, which are a value or, in
/// format 4, the length of what follows.
std::map<std::uint64_t, int> registers_by_symbol(std::string_view section) {
    std::map<std::uint64_t, int> counts;
    Bytes bytes(section);
    for (std::uint64_t at = 0; at + 4 <= section.size(); at += 4) {
        const std::uint64_t value = bytes.number(at + 2, 2);
        if (bytes.number(at, 1) != has_payload) continue;
        if (bytes.number(at + 1, 1) == register_count && value == 8)
            counts[bytes.number(at + 4, 4)] = static_cast<int>(bytes.number(at + 8, 2));
        at += value;
    }
    return counts;
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
    const auto registers = registers_by_symbol(bytes_of(".nv.info"));
    Bytes symbols(bytes_of(".symtab"));
    for (const ElfSection& each : elf.sections) {
        if (each.name.substr(0, text.size()) != text) continue;
        CubinKernel kernel;
        kernel.name = each.name.substr(text.size());
        kernel.entry = (symbols.number(symbol_bytes * each.info + other_at, 1) & entry_bit) != 0;
        kernel.code = count_sass(each.bytes);
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
