// The checks of every access to global, shared and parameter memory.
#include "emulator/memory_access.hpp"

#include "emulator/faults.hpp"
#include "emulator/lanes.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;
using namespace TMEMC_LEVEL;

struct Target {
    GlobalMemory::Block* block = nullptr;
    std::uint64_t offset = 0;
};

struct Request {
    std::uint64_t address = 0; // as the program gives it
    std::uint32_t bytes = 0;
    std::uint32_t lane = 0;
    Access access{};
};

bool fail_bounds(Warp& warp, const Instruction& i, const char* space, const Request& request,
                 const std::string& near) {
    raise(warp, i, {.thread = request.lane}, catalogue::access_out_of_bounds, space,
          request.access == Access::load ? "load" : "store", request.bytes, request.address, near);
    return false;
}

// An access has 1, 2, 4 or a multiple of 8 bytes; their marks are looked at and set eight at a time.
constexpr std::uint64_t eight_marks = 0x0101010101010101;

bool all_written(const std::uint8_t* written, std::uint32_t bytes) {
    if (bytes < 8) return std::all_of(written, written + bytes, [](std::uint8_t mark) { return mark != 0; });
    bool all = true;
    for (std::uint32_t byte = 0; byte < bytes; byte += 8)
        all &= std::memcmp(written + byte, &eight_marks, 8) == 0;
    return all;
}

void mark_written(std::uint8_t* written, std::uint32_t bytes) {
    if (bytes < 8) std::fill_n(written, bytes, std::uint8_t{1});
    for (std::uint32_t byte = 0; byte + 8 <= bytes; byte += 8) std::memcpy(written + byte, &eight_marks, 8);
}

// The access lies in the block; what is left is alignment and whether its bytes were written.
bool settle(Warp& warp, const Instruction& i, const char* space, const Request& request,
            const Target& target) {
    if (request.address % request.bytes != 0) {
        raise(warp, i, {.thread = request.lane}, catalogue::access_misaligned, space,
              request.access == Access::load ? "load" : "store", request.bytes, request.address);
        return false;
    }
    std::uint8_t* written = target.block->written.data() + target.offset;
    if (request.access == Access::store) {
        mark_written(written, request.bytes);
    } else if (warp.cta->run->limits.uninitialised_is_fault && !all_written(written, request.bytes)) {
        const auto* first = std::find(written, written + request.bytes, std::uint8_t{0});
        raise(warp, i, {.thread = request.lane}, catalogue::uninitialised_memory, space,
              request.address + static_cast<std::uint64_t>(first - written));
        return false;
    }
    warp.address[request.lane] = target.block->bytes.data() + target.offset;
    return true;
}

/// The allocation that the lane before met: neighbouring lanes mostly share it.
struct Neighbour {
    GlobalMemory::Block* block = nullptr;
    std::uint64_t address = 0; // of its first byte
    [[nodiscard]] bool holds(const Request& request) const {
        const std::uint64_t offset = request.address - address;
        return block != nullptr && offset <= block->bytes.size() &&
               block->bytes.size() - offset >= request.bytes;
    }
};

bool access_global(Warp& warp, const Instruction& i, const Request& request, Neighbour& last) {
    if (!last.holds(request)) {
        GlobalMemory& global = *warp.cta->run->global;
        std::uint64_t offset = 0;
        GlobalMemory::Block* block = global.find(request.address, request.bytes, offset);
        if (block == nullptr)
            return fail_bounds(warp, i, "global", request, global.describe(request.address));
        last = {block, request.address - offset};
    }
    return settle(warp, i, "global", request, {last.block, request.address - last.address});
}

bool access_shared(Warp& warp, const Instruction& i, const Request& request, std::uint64_t offset) {
    GlobalMemory::Block& shared = warp.cta->shared;
    if (offset > shared.bytes.size() || shared.bytes.size() - offset < request.bytes) {
        return fail_bounds(warp, i, "shared", request,
                           fmt::format("the CTA has {} bytes of shared memory", shared.bytes.size()));
    }
    return settle(warp, i, "shared", request, {&shared, offset});
}

/// Calls f(request) for each lane of the mask until one fails.
template <class F>
bool each_request(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access, F f) {
    const Source<std::uint64_t> wide(warp, i.in[0]);
    const Source<std::uint32_t> narrow(warp, i.in[0]);
    const auto offset = static_cast<std::uint64_t>(i.immediate);
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const int l = static_cast<int>(lane);
        const std::uint64_t base =
            i.wide_address ? wide[l] + offset : static_cast<std::uint32_t>(narrow[l] + offset);
        if (!f(Request{base, bytes, lane, access})) return false;
    }
    return true;
}

// Tells the observers of an access to shared memory.
bool observed(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access) {
    const bool load = access == Access::load;
    const SharedOperation operation =
        i.order.strong ? (load ? SharedOperation::strong_load : SharedOperation::strong_store)
                       : (load ? SharedOperation::load : SharedOperation::store);
    return observe(warp, [&](Observer& o) { o.accessed_shared(warp, i, mask, bytes, operation); });
}

} // namespace

bool resolve_global(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access) {
    Neighbour last;
    return each_request(warp, i, mask, bytes, access,
                        [&](const Request& request) { return access_global(warp, i, request, last); });
}

bool resolve_shared(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access) {
    const bool fits = each_request(warp, i, mask, bytes, access, [&](const Request& request) {
        return access_shared(warp, i, request, request.address);
    });
    return fits && observed(warp, i, mask, bytes, access);
}

bool resolve_generic(Warp& warp, const Instruction& i, Mask mask, std::uint32_t bytes, Access access) {
    Neighbour last;
    bool any_shared = false;
    const bool fits = each_request(warp, i, mask, bytes, access, [&](const Request& request) {
        if (request.address < shared_window) return access_global(warp, i, request, last);
        any_shared = true;
        return access_shared(warp, i, request, request.address - shared_window);
    });
    return fits && (!any_shared || observed(warp, i, mask, bytes, access));
}

// The block of parameters is the launch's own; an access was checked against the signature when it was
// decoded.
bool resolve_parameter(Warp& warp, const Instruction& i, Mask, std::uint32_t, Access) {
    const auto& parameters = warp.cta->run->launch->parameters;
    warp.address.fill(const_cast<std::byte*>(parameters.data()) + i.immediate); // never stored to
    return true;
}

} // namespace tmemc::emulator
