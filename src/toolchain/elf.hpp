// The sections of an ELF file of 64 bits, little-endian, which is what a cubin is. The header names a table
// of sections; each has a name in one of them, a type, a size and, unless it is NOBITS, bytes in the file:
//
//     header:  e_shoff 0xf80, e_shnum 22, e_shstrndx 1  ->  .shstrtab, ..., .text.k 0x680 + 0x200, ...
//
// The file may be damaged or no ELF file at all: every number is read within bounds, and what does not fit is
// said in `error`. Views point into the bytes given. Source: System V ABI, chapter 4. Not here: symbols and
// what the sections mean (cubin.hpp).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::toolchain {

/// Numbers from bytes that cannot be trusted: outside of them everything is 0 or empty, and `outside` is set.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
    /// `width` bytes, the lowest first.
    std::uint64_t number(std::uint64_t at, std::uint64_t width);
    std::string_view part(std::uint64_t at, std::uint64_t size);
    [[nodiscard]] bool outside() const { return outside_; }

  private:
    std::string_view bytes_;
    bool outside_ = false;
};

struct ElfSection {
    std::string_view name;
    std::uint32_t type = 0;
    std::uint64_t flags = 0, size = 0;
    std::string_view bytes; // none of a NOBITS section
};
struct Elf {
    std::uint8_t os_abi = 0;
    std::uint16_t type = 0, machine = 0; // type 1: to be linked, 2: to be run
    std::uint32_t flags = 0;
    std::vector<ElfSection> sections;
    std::string error; // why it could not be read; empty: it was
};

/// What begins at `at`, up to the zero that ends it; all of the rest when none does.
[[nodiscard]] std::string_view string_at(std::string_view table, std::uint64_t at);
[[nodiscard]] Elf read_elf(std::string_view bytes);

} // namespace tmemc::toolchain
