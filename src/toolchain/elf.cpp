// Offsets are those of Elf64_Ehdr and Elf64_Shdr.
#include "toolchain/elf.hpp"

namespace tmemc::toolchain {
namespace {

constexpr std::uint32_t no_bits = 8; // SHT_NOBITS
constexpr std::uint64_t section_header = 64;

} // namespace

std::uint64_t Bytes::number(std::uint64_t at, std::uint64_t width) {
    const std::string_view bytes = part(at, width);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
    return value;
}

std::string_view Bytes::part(std::uint64_t at, std::uint64_t size) {
    if (at > bytes_.size() || size > bytes_.size() - at) {
        outside_ = true;
        return {};
    }
    return bytes_.substr(at, size);
}

std::string_view string_at(std::string_view table, std::uint64_t at) {
    if (at >= table.size()) return {};
    table.remove_prefix(at);
    return table.substr(0, table.find('\0'));
}

Elf read_elf(std::string_view bytes) {
    Elf elf;
    constexpr std::string_view magic{"\x7f"
                                     "ELF\x02\x01",
                                     6}; // 64 bits, the lowest byte first
    if (bytes.substr(0, magic.size()) != magic) {
        elf.error = "it is no little-endian ELF file of 64 bits";
        return elf;
    }
    Bytes file(bytes);
    elf.os_abi = static_cast<std::uint8_t>(file.number(7, 1));
    elf.type = static_cast<std::uint16_t>(file.number(16, 2));
    elf.machine = static_cast<std::uint16_t>(file.number(18, 2));
    elf.flags = static_cast<std::uint32_t>(file.number(48, 4));
    const std::uint64_t table = file.number(40, 8), entry = file.number(58, 2), count = file.number(60, 2),
                        names = file.number(62, 2);
    const std::string_view headers = file.part(table, section_header * count);
    if (file.outside() || entry != section_header || names >= count) {
        elf.error = "its table of sections is damaged";
        return elf;
    }
    const auto field = [&](std::uint64_t section, std::uint64_t at, std::uint64_t width) {
        return Bytes(headers).number(section * section_header + at, width);
    };
    const auto contents = [&](std::uint64_t section) -> std::string_view {
        if (field(section, 4, 4) == no_bits) return {};
        return file.part(field(section, 24, 8), field(section, 32, 8));
    };
    const std::string_view name_table = contents(names);
    elf.sections.reserve(count);
    // Two sections may share bytes (line information does); all that overlap could make a reader's work
    // endless.
    const std::uint64_t most = 4 * bytes.size();
    std::uint64_t in_all = 0;
    for (std::uint64_t i = 0; i < count && in_all <= most; ++i) {
        elf.sections.push_back({string_at(name_table, field(i, 0, 4)),
                                static_cast<std::uint32_t>(field(i, 4, 4)), field(i, 8, 8), field(i, 32, 8),
                                contents(i)});
        in_all += elf.sections.back().bytes.size();
    }
    if (in_all > most) elf.error = "its sections overlap";
    if (file.outside()) elf.error = "a section lies outside of the file";
    return elf;
}

} // namespace tmemc::toolchain
