// Global memory of the emulated machine: allocations with gaps between them, so that an access one byte
// beyond its tensor is found, and a mark per byte that says whether it was ever written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tmemc::emulator {

class GlobalMemory {
  public:
    /// A fresh, unwritten allocation; its address is a multiple of 256.
    [[nodiscard]] std::uint64_t allocate(std::uint64_t bytes);
    /// An unwritten allocation at an address of the caller's choice, where none lies.
    void map(std::uint64_t address, std::uint64_t bytes);
    void free(std::uint64_t address);
    /// Host copies; the range must lie in one allocation. Writing marks the bytes as written.
    void write(std::uint64_t address, std::span<const std::byte> data);
    void read(std::uint64_t address, std::span<std::byte> data) const;

    struct Block {
        std::vector<std::byte> bytes;
        std::vector<std::uint8_t> written; // one per byte
    };
    /// The allocation that holds all of [address, address + bytes), and the offset in it; null when none
    /// does.
    [[nodiscard]] Block* find(std::uint64_t address, std::uint64_t bytes, std::uint64_t& offset);
    /// Where `address` lies, in words: for the message of an access that missed.
    [[nodiscard]] std::string describe(std::uint64_t address) const;

  private:
    std::map<std::uint64_t, Block> blocks_; // by first address
    std::uint64_t next_ = 0x10000;
};

} // namespace tmemc::emulator
