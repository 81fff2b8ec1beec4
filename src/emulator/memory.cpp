// Global memory: allocations with a gap of at least one page between them.
#include "emulator/memory.hpp"

#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::emulator {

namespace {
constexpr std::uint64_t gap = 0x1000;
constexpr std::uint64_t alignment = 256;
} // namespace

std::uint64_t GlobalMemory::allocate(std::uint64_t bytes) {
    const std::uint64_t address = next_;
    blocks_[address] = {std::vector<std::byte>(bytes), std::vector<std::uint8_t>(bytes)};
    next_ = (address + bytes + gap + alignment - 1) / alignment * alignment;
    return address;
}

void GlobalMemory::map(std::uint64_t address, std::uint64_t bytes) {
    blocks_[address] = {std::vector<std::byte>(bytes), std::vector<std::uint8_t>(bytes)};
}

void GlobalMemory::free(std::uint64_t address) {
    base::invariant(blocks_.erase(address) == 1, "a free of global memory that was not allocated");
}

void GlobalMemory::write(std::uint64_t address, std::span<const std::byte> data) {
    std::uint64_t offset = 0;
    Block* block = find(address, data.size(), offset);
    base::invariant(block != nullptr, "the host writes outside an allocation");
    const auto begin = static_cast<std::ptrdiff_t>(offset);
    std::copy(data.begin(), data.end(), block->bytes.begin() + begin);
    std::fill_n(block->written.begin() + begin, data.size(), std::uint8_t{1});
}

void GlobalMemory::read(std::uint64_t address, std::span<std::byte> data) const {
    std::uint64_t offset = 0;
    const Block* block = const_cast<GlobalMemory*>(this)->find(address, data.size(), offset);
    base::invariant(block != nullptr, "the host reads outside an allocation");
    std::copy_n(block->bytes.begin() + static_cast<std::ptrdiff_t>(offset), data.size(), data.begin());
}

GlobalMemory::Block* GlobalMemory::find(std::uint64_t address, std::uint64_t bytes, std::uint64_t& offset) {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return nullptr;
    auto& [begin, block] = *std::prev(after);
    offset = address - begin;
    const bool inside = offset <= block.bytes.size() && block.bytes.size() - offset >= bytes;
    return inside ? &block : nullptr;
}

std::string GlobalMemory::describe(std::uint64_t address) const {
    auto after = blocks_.upper_bound(address);
    if (after == blocks_.begin()) return "no allocation lies near it";
    const auto& [begin, block] = *std::prev(after);
    return fmt::format("the nearest allocation has {} bytes from {:#x} on, and this is byte {}",
                       block.bytes.size(), begin, address - begin);
}

} // namespace tmemc::emulator
