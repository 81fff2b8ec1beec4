// The kinds of section that say something about a kernel.
#include "toolchain/cubin.hpp"

#include "toolchain/elf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>

namespace tmemc::toolchain {
namespace {

constexpr std::uint16_t cuda = 190; // EM_CUDA
constexpr std::uint64_t reserved_shared = 0x400;
constexpr std::uint64_t most_shared =
    std::uint64_t{228} * 1024;         // of an SM: CUDA Programming Guide, compute capabilities
constexpr std::uint16_t to_be_run = 2; // ET_EXEC
constexpr std::uint8_t old_abi = 0x33; // until CUDA 12.9, of chips before sm_100
constexpr std::uint64_t has_payload = 4, register_count = 0x2f, parameter_info = 0x17, required_block = 0x10,
                        annotations = 0x55, spill = 1, barriers = 0x4c, api_version = 0x37;
constexpr std::uint64_t annotates_spills = 128; // CUDA 12.8 and later
constexpr int has_shared_of_system = 90;        // compute capability 9.0 and later
constexpr std::uint64_t symbol_bytes = 24, info_at = 4, other_at = 5, is_function = 2,
                        entry_bit = 0x10; // of st_other
constexpr std::string_view text = ".text.", shared = ".nv.shared.", ptx_text = ".nv_debug_ptx_txt";

/// Calls `each` with the attribute of each entry of an .nv.info section, and where its bytes begin and how
/// many they are. An entry is a format, an attribute and 16 bits, which are a value or, in format 4, the
/// length of what follows.
void for_entries(
    std::string_view section,
    const std::function<void(std::uint64_t attribute, std::uint64_t at, std::uint64_t size)>& each) {
    Bytes bytes(section);
    for (std::uint64_t at = 0; at + 4 <= section.size(); at += 4) {
        if (bytes.number(at, 1) != has_payload) {
            each(bytes.number(at + 1, 1), at + 2, 2);
            continue;
        }
        const std::uint64_t size = bytes.number(at + 2, 2);
        each(bytes.number(at + 1, 1), at + 4, size);
        at += size;
    }
}

struct Function {
    std::uint64_t symbol = 0;
    bool entry = false;
};
/// Functions by name, of .symtab.
std::map<std::string_view, Function> functions_of(std::string_view symbols, std::string_view names) {
    std::map<std::string_view, Function> functions;
    Bytes bytes(symbols);
    for (std::uint64_t i = 0; (i + 1) * symbol_bytes <= symbols.size(); ++i) {
        const std::uint64_t at = i * symbol_bytes;
        if ((bytes.number(at + info_at, 1) & 0xf) != is_function) continue;
        const bool entry = (bytes.number(at + other_at, 1) & entry_bit) != 0;
        functions.emplace(string_at(names, bytes.number(at, 4)), Function{i, entry});
    }
    return functions;
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

/// Parameters, the block's extents and what ptxas made, of .nv.info.KERNEL.
void read_information(std::string_view section, CubinKernel& kernel, Code& code) {
    std::vector<std::uint64_t> spills;
    bool tells_spills = false;
    std::map<std::uint64_t, CubinParameter> parameters; // by ordinal; the file has the last first
    Bytes bytes(section);
    for_entries(section, [&](std::uint64_t attribute, std::uint64_t at, std::uint64_t size) {
        if (attribute == parameter_info && size == 12)
            parameters[bytes.number(at + 4, 2)] = {bytes.number(at + 6, 2), bytes.number(at + 8, 4) >> 18};
        if (attribute == required_block && size == 12)
            kernel.required_threads = {static_cast<std::uint32_t>(bytes.number(at, 4)),
                                       static_cast<std::uint32_t>(bytes.number(at + 4, 4)),
                                       static_cast<std::uint32_t>(bytes.number(at + 8, 4))};
        if (attribute == barriers) kernel.barriers = static_cast<int>(bytes.number(at, 1));
        if (attribute == api_version) tells_spills = bytes.number(at, 4) >= annotates_spills;
        for (std::uint64_t i = 0; attribute == annotations && i + 8 <= size; i += 8)
            if (bytes.number(at + i, 4) == spill) spills.push_back(bytes.number(at + i + 4, 4));
    });
    std::sort(spills.begin(), spills.end());
    if (tells_spills || !spills.empty()) code.spills = std::move(spills);
    kernel.parameters.reserve(parameters.size());
    for (const auto& [ordinal, parameter] : parameters) kernel.parameters.push_back(parameter);
}

/// .nv.compat has entries of two bytes and one of value; number 9 is 1 in code for one chip only.
bool exact_chip(std::string_view compat) {
    for (std::size_t at = 0; at + 4 <= compat.size(); at += 4)
        if (compat.substr(at, 3) == "\x02\x09\x01") return true;
    return false;
}

/// What the note of ptxas says behind -arch, when that is for this chip.
std::string target_of(std::string_view note, const Cubin& cubin) {
    constexpr std::string_view option = "-arch";
    const std::size_t at = note.find(option);
    if (at != std::string_view::npos) {
        note.remove_prefix(at + option.size());
        note.remove_prefix(std::min(note.find_first_not_of(" ="), note.size()));
        const std::optional<Chip> chip =
            chip_named(note.substr(0, note.find_first_of(std::string_view(" \0", 2))));
        if (chip && chip->capability == cubin.architecture) return to_string(*chip);
    }
    return to_string(cubin.chip());
}

/// Why the bytes are no cubin, in the words that help most.
std::string refusal(std::string_view bytes, const Elf& elf) {
    constexpr std::string_view fat_binary = "\x50\xed\x55\xba", wrapper = "\xb1\x43\x62\x46";
    const std::string way_out = "; `cuobjdump -xelf all FILE` takes the cubins out of it";
    if (bytes.substr(0, 4) == fat_binary || bytes.substr(0, 4) == wrapper)
        return "it is a fat binary, a box of cubins" + way_out;
    if (!elf.error.empty()) return elf.error;
    if (elf.machine == cuda) return {};
    for (const ElfSection& each : elf.sections)
        if (each.name == ".nv_fatbin") return "it is a program of the host that holds a fat binary" + way_out;
    return "it is no cubin but for another machine";
}

} // namespace

Cubin read_cubin(std::string_view bytes) {
    Cubin cubin;
    const Elf elf = read_elf(bytes);
    cubin.error = refusal(bytes, elf);
    if (!cubin.error.empty()) return cubin;
    const bool old = elf.os_abi == old_abi;
    cubin.architecture = static_cast<int>((old ? elf.flags : elf.flags >> 8) & 0xff);

    std::map<std::string_view, const ElfSection*> sections;
    for (const ElfSection& each : elf.sections) sections.emplace(each.name, &each);
    const auto bytes_of = [&](std::string_view name) {
        const auto found = sections.find(name);
        return found == sections.end() ? std::string_view{} : found->second->bytes;
    };
    cubin.exact = exact_chip(bytes_of(".nv.compat"));
    cubin.target = target_of(bytes_of(".note.nv.tkinfo"), cubin);
    const auto registers = registers_by_symbol(bytes_of(".nv.info"));
    const auto functions = functions_of(bytes_of(".symtab"), bytes_of(".strtab"));
    for (const ElfSection& each : elf.sections) {
        if (each.name.substr(0, text.size()) != text) continue;
        CubinKernel kernel;
        kernel.name = each.name.substr(text.size());
        Code code{each.bytes, bytes_of(".nv.capmerc.text." + kernel.name), std::nullopt};
        if (old) kernel.barriers = static_cast<int>(each.flags >> 20 & 0x7f);
        read_information(bytes_of(".nv.info." + kernel.name), kernel, code);
        if (sass_known(cubin.architecture)) kernel.code = count_sass(code);
        if (const auto function = functions.find(kernel.name); function != functions.end()) {
            kernel.entry = function->second.entry;
            const auto known = registers.find(function->second.symbol);
            if (known != registers.end()) kernel.registers = known->second;
        }
        const auto variables = sections.find(std::string(shared) + kernel.name);
        if (variables != sections.end()) kernel.shared_bytes = variables->second->size;
        if (kernel.shared_bytes > most_shared) {
            cubin.error = fmt::format("a kernel of it has {} bytes of shared memory, but an SM has {}",
                                      kernel.shared_bytes, most_shared);
            return cubin;
        }
        if (elf.type == to_be_run && cubin.architecture >= has_shared_of_system)
            kernel.shared_bytes -= std::min(kernel.shared_bytes, reserved_shared);
        cubin.kernels.push_back(std::move(kernel));
    }
    return cubin;
}

std::vector<std::string> ptx_in_cubin(std::string_view bytes) {
    std::vector<std::string> lines;
    for (const ElfSection& each : read_elf(bytes).sections) {
        if (each.name != ptx_text) continue;
        for (std::string_view rest = each.bytes; !rest.empty();) {
            const std::size_t end = std::min(rest.find('\0'), rest.size());
            lines.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return lines;
}

} // namespace tmemc::toolchain
