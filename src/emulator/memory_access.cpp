// The checks of every access. The whole warp is looked at together first; only when that fails is the lane
// found whose fault it is.
#include "emulator/memory_access.hpp"

#include "emulator/faults.hpp"
#include "emulator/lanes.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;
using namespace TMEMC_LEVEL;

/// A stretch of a space, and its addresses there.
struct Region {
    std::byte* bytes = nullptr;
    std::uint8_t* written = nullptr; // null: all of it
    std::uint64_t first = 0, size = 0;
    [[nodiscard]] bool holds(std::uint64_t address, std::uint64_t count) const {
        const std::uint64_t offset = address - first;
        return offset <= size && size - offset >= count;
    }
};

Region region(GlobalMemory::Block& block, std::uint64_t first) {
    return {block.bytes.data(), block.written.data(), first, block.bytes.size()};
}
// Never stored to: decoding lets no store into these spaces, and generic ones are faults.
Region region(const std::vector<std::byte>& image) {
    return {const_cast<std::byte*>(image.data()), nullptr, 0, image.size()};
}

struct Request {
    const SpaceRow* space = nullptr;
    std::uint32_t bytes = 0;
    Access access{};
    const Addresses* addresses = nullptr; // in the space
    std::uint32_t align = 0;              // 0: all its bytes
    [[nodiscard]] std::uint64_t address(std::size_t lane) const { return (*addresses)[lane]; }
    [[nodiscard]] const char* word() const {
        return access == Access::load ? "load" : access == Access::store ? "store" : "atomic operation";
    }
};

/// Of one lane. It is there from its first access on: few threads use what they might.
GlobalMemory::Block& local_memory(Warp& warp, std::size_t lane) {
    GlobalMemory::Block& local = warp.local[lane];
    if (local.bytes.size() >= warp.kernel->local_bytes) return local;
    local.bytes.resize(warp.kernel->local_bytes);
    local.written.resize(warp.kernel->local_bytes);
    return local;
}

/// The part of the space that all lanes of the mask access; of global memory and of local memory, which every
/// thread has for itself, there need not be one.
Region find_region(Warp& warp, const Request& request, std::size_t lane) {
    Cta& cta = *warp.cta;
    switch (request.space->space) {
    case Space::shared: return region(cta.shared, 0);
    case Space::constant: return region(warp.kernel->constant_image);
    case Space::parameter: return region(cta.run->launch->parameters);
    case Space::local: return warp.local.empty() ? Region{} : region(local_memory(warp, lane), 0);
    default: {
        std::uint64_t offset = 0;
        GlobalMemory::Block* block = cta.run->global->find(request.address(lane), request.bytes, offset);
        return block == nullptr ? Region{} : region(*block, request.address(lane) - offset);
    }
    }
}

std::string near(const Warp& warp, const Request& request, std::uint64_t address) {
    switch (request.space->space) {
    case Space::global: return warp.cta->run->global->describe(address);
    case Space::shared:
        return fmt::format("the CTA has {} bytes of shared memory", warp.cta->shared.bytes.size());
    case Space::local:
        return fmt::format("the thread has {} bytes of local memory",
                           std::max<std::size_t>(warp.local.empty() ? 0 : warp.local[0].bytes.size(),
                                                 warp.kernel->local_bytes));
    case Space::constant:
        return fmt::format("the module has {} bytes of constants", warp.kernel->constant_image.size());
    default: return fmt::format("the parameters have {} bytes", warp.cta->run->launch->parameters.size());
    }
}

// ---- marks: a byte for each byte of memory; an access has 1, 2, 4 or a multiple of 8 of them, aligned

constexpr std::size_t cache_line = 64;
constexpr std::uint64_t eight_marks = 0x0101010101010101;

bool all_written(const std::uint8_t* written, std::uint32_t bytes) {
    const auto* at = reinterpret_cast<const std::byte*>(written);
    switch (bytes) {
    case 1: return load_relaxed<std::uint8_t>(at) != 0;
    case 2: return load_relaxed<std::uint16_t>(at) == static_cast<std::uint16_t>(eight_marks);
    case 4: return load_relaxed<std::uint32_t>(at) == static_cast<std::uint32_t>(eight_marks);
    default: break;
    }
    std::uint64_t all = eight_marks;
    for (std::uint32_t byte = 0; byte < bytes; byte += 8) all &= load_relaxed<std::uint64_t>(at + byte);
    return all == eight_marks;
}

void mark_written(std::uint8_t* written, std::uint32_t bytes) {
    auto* at = reinterpret_cast<std::byte*>(written);
    switch (bytes) {
    case 1: return store_relaxed<std::uint8_t>(at, 1);
    case 2: return store_relaxed(at, static_cast<std::uint16_t>(eight_marks));
    case 4: return store_relaxed(at, static_cast<std::uint32_t>(eight_marks));
    default: break;
    }
    for (std::uint32_t byte = 0; byte < bytes; byte += 8) store_relaxed(at + byte, eight_marks);
}

// ---- one lane

bool fail_bounds(Warp& warp, const Instruction& i, const Request& request, std::uint32_t lane) {
    const std::uint64_t address = request.address(lane);
    raise(warp, i, {.thread = lane}, catalogue::access_out_of_bounds, request.space->word, request.word(),
          request.bytes, address, near(warp, request, address));
    return false;
}

bool fail_unwritten(Warp& warp, const Instruction& i, const Request& request, std::uint32_t lane,
                    const std::uint8_t* written) {
    const auto* first = std::find(written, written + request.bytes, std::uint8_t{0});
    raise(warp, i, {.thread = lane}, catalogue::uninitialised_memory, request.space->word,
          request.address(lane) + static_cast<std::uint64_t>(first - written));
    return false;
}

// Of a vector with sinks only the elements that somebody wants are read or written.
bool settle_elements(Warp& warp, const Instruction& i, const Request& request, std::uint32_t lane,
                     std::uint8_t* written) {
    Request element = request;
    Addresses addresses = *request.addresses;
    element.addresses = &addresses;
    element.bytes = request.bytes / i.vector_count;
    for (std::uint32_t k = 0; k < i.vector_count; ++k) {
        const std::size_t at = std::size_t{k} * element.bytes;
        std::uint8_t* marks = written + at;
        if (warp.vector(i)[k] == nowhere) continue;
        addresses[lane] = request.address(lane) + at;
        if (request.access == Access::store)
            mark_written(marks, element.bytes);
        else if (!all_written(marks, element.bytes))
            return fail_unwritten(warp, i, element, lane, marks);
    }
    return true;
}

// The access lies in the region and is aligned; what is left is whether its bytes were written.
bool settle(Warp& warp, const Instruction& i, const Request& request, std::uint32_t lane,
            const Region& region) {
    const std::uint64_t offset = request.address(lane) - region.first;
    warp.address[lane] = region.bytes + offset;
    if (region.written == nullptr || i.moves) return true;
    std::uint8_t* written = region.written + offset;
    if (request.access == Access::place) return true;
    const bool reads = request.access != Access::store && warp.cta->run->limits.uninitialised_is_fault;
    if (i.sinks)
        return request.access == Access::store || reads ? settle_elements(warp, i, request, lane, written)
                                                        : true;
    if (reads && !all_written(written, request.bytes)) return fail_unwritten(warp, i, request, lane, written);
    if (request.access == Access::load) return true;
    mark_written(written, request.bytes);
    // A thread mostly goes on along its row, 32 of them side by side: too many for the processor to foresee.
    __builtin_prefetch(region.bytes + offset + cache_line, 1);
    __builtin_prefetch(written + cache_line, 1);
    return true;
}

bool check_alignment(Warp& warp, const Instruction& i, Mask mask, const Request& request) {
    const std::uint32_t align = request.align != 0 ? request.align : request.bytes;
    std::uint64_t low = 0;
    each_lane(mask, [&](int lane) { low |= request.address(static_cast<std::size_t>(lane)); });
    if (low % align == 0) return true;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0 || request.address(lane) % align == 0) continue;
        if (request.space->space == Space::global && find_region(warp, request, lane).bytes == nullptr)
            return fail_bounds(warp, i, request, lane);
        raise(warp, i, {.thread = lane}, catalogue::access_misaligned, request.space->word, request.word(),
              request.bytes, request.address(lane));
        return false;
    }
    return true;
}

bool resolve_in(Warp& warp, const Instruction& i, Mask mask, const Request& request) {
    if (!check_alignment(warp, i, mask, request)) return false;
    const bool constant = request.space->space == Space::constant || request.space->space == Space::parameter;
    Region region;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        // Neighbouring lanes mostly access one allocation.
        if (request.space->space == Space::local || region.bytes == nullptr ||
            !region.holds(request.address(lane), request.bytes))
            region = find_region(warp, request, lane);
        if (region.bytes == nullptr || !region.holds(request.address(lane), request.bytes))
            return fail_bounds(warp, i, request, lane);
        if (constant && request.access != Access::load) {
            raise(warp, i, {.thread = lane}, catalogue::constant_written, request.word(),
                  request.space->word);
            return false;
        }
        if (!settle(warp, i, request, lane, region)) return false;
    }
    const MemoryAccess access{request.space->space, request.access, request.bytes, mask, *request.addresses};
    for (const auto& observer : warp.cta->observers) observer->touched(warp, i, access);
    return warp.stop != Stop::fault;
}

} // namespace

const SpaceRow& space_at(std::uint64_t address) {
    const std::uint64_t window = (address - shared_window) / window_bytes;
    return window < std::size(spaces) - 1 ? spaces[1 + window] : spaces[0];
}

const SpaceRow& space_row(Space space) {
    return *std::find_if(std::begin(spaces), std::end(spaces) - 1,
                         [&](const SpaceRow& row) { return row.space == space; });
}

Addresses addresses_of(const Warp& warp, Slot slot, bool wide, std::int64_t offset) {
    Addresses addresses{};
    const auto added = static_cast<std::uint64_t>(offset);
    if (wide) {
        const Source<std::uint64_t> base(warp, slot);
        each_lane(all_lanes,
                  [&](int lane) { addresses[static_cast<std::size_t>(lane)] = base[lane] + added; });
    } else {
        const Source<std::uint32_t> base(warp, slot);
        each_lane(all_lanes, [&](int lane) {
            addresses[static_cast<std::size_t>(lane)] = static_cast<std::uint32_t>(base[lane] + added);
        });
    }
    return addresses;
}

Addresses addresses_of(const Warp& warp, const Instruction& i) {
    return addresses_of(warp, i.in[0], i.wide_address, i.immediate);
}

bool resolve_place(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Space space,
                   const Addresses& addresses) {
    return resolve_in(warp, i, mask, {&space_row(space), bytes, Access::place, &addresses});
}

bool resolve_source(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, std::uint32_t align,
                    const Addresses& addresses) {
    return resolve_in(warp, i, mask, {&space_row(Space::global), bytes, Access::load, &addresses, align});
}

bool resolve(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access, Space space,
             const Addresses& addresses) {
    if (space != Space::generic)
        return resolve_in(warp, i, mask, {&space_row(space), bytes, access, &addresses});
    while (mask != 0) { // lanes may have generic addresses of different spaces
        const SpaceRow& row = space_at(addresses[static_cast<std::size_t>(std::countr_zero(mask))]);
        Addresses inside{};
        Mask there = 0;
        for (std::size_t lane = 0; lane < warp_size; ++lane) {
            if (&space_at(addresses[lane]) == &row) there |= Mask{1} << lane;
            inside[lane] = addresses[lane] - row.window;
        }
        there &= mask;
        if (!resolve_in(warp, i, there, {&row, bytes, access, &inside})) return false;
        mask &= ~there;
    }
    return true;
}

bool resolve(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access) {
    return resolve(warp, i, mask, bytes, access, i.space, addresses_of(warp, i));
}

} // namespace tmemc::emulator
