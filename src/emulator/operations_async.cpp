// cp.async and cp.async.bulk, groups of them, and arrivals that they cause (async_copies.hpp):
//
//     cp.async.ca.shared.global [S], [%d0], 16, %r0;      16 bytes, of which the first %r0 come from %d0
//
// What a copy needs is checked when it begins: bounds, alignment, and that its source was written. A bulk
// copy has a multiple of 16 bytes at multiples of 16. Source: PTX ISA 9.7.9.25. Not here: tensor copies,
// shared memory of other CTAs.
#include "emulator/async_copies.hpp"
#include "emulator/decode.hpp"
#include "emulator/faults.hpp"
#include "emulator/lanes.hpp"
#include "emulator/mbarrier.hpp"
#include "emulator/memory_access.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;
using namespace TMEMC_LEVEL;

void land(const AsyncCopy& copy) {
    for (std::uint32_t byte = 0; byte < copy.bytes; ++byte) {
        const bool reads = byte < copy.read;
        store_relaxed(copy.to + byte, reads ? load_relaxed<std::uint8_t>(copy.from + byte) : std::uint8_t{0});
        const bool written = !reads || copy.from_marks == nullptr || copy.from_marks[byte] != 0;
        store_relaxed(reinterpret_cast<std::byte*>(copy.to_marks + byte), static_cast<std::uint8_t>(written));
    }
}

/// Lands those of the copies that `is` chooses, in order.
template <class F>
void land_if(AsyncCopies& copies, F is) {
    auto& pending = copies.pending;
    for (const AsyncCopy& copy : pending) {
        if (is(copy)) land(copy);
    }
    pending.erase(std::remove_if(pending.begin(), pending.end(), is), pending.end());
}

/// A copy may land at any time from now on; a program that never waits must not pile them up.
void begin(Warp& warp, AsyncCopy copy) {
    constexpr std::size_t most_pending = 1 << 16;
    AsyncCopies& copies = warp.async;
    copy.number = copies.begun++;
    if (copies.pending.size() >= most_pending) {
        const std::uint64_t half = copies.pending[most_pending / 2].number;
        land_if(copies, [&](const AsyncCopy& each) { return each.number < half && !each.mbarrier; });
    }
    copies.pending.push_back(copy);
}

Mbarrier read_mbarrier(const Cta& cta, std::uint64_t offset) {
    return mbarrier_of(load_relaxed<std::uint64_t>(cta.shared.bytes.data() + offset));
}
void write_mbarrier(Cta& cta, std::uint64_t offset, const Mbarrier& barrier) {
    store_relaxed(cta.shared.bytes.data() + offset, word_of(barrier));
}

void arrive_for(Warp& warp, const AsyncArrival& arrival) {
    Mbarrier barrier = read_mbarrier(*warp.cta, arrival.mbarrier);
    const std::string why =
        barrier.valid ? arrive(barrier, 1, false, true) : "these 8 bytes are no mbarrier any more";
    if (!why.empty())
        return raise(warp, *arrival.instruction, {.thread = arrival.lane}, catalogue::bad_mbarrier, why);
    write_mbarrier(*warp.cta, arrival.mbarrier, barrier);
}

// ---- copies by threads

const CopyForm& form_of(const Warp& warp, const Instruction& i) { return warp.kernel->copies[i.detail]; }
Addresses address_of(const Warp& warp, const Instruction& i, std::size_t operand) {
    const CopyForm::Place& place = form_of(warp, i).places[operand];
    return addresses_of(warp, i.in[operand], place.wide, place.offset);
}
std::uint8_t* shared_marks(Cta& cta, const std::byte* at) {
    return cta.shared.written.data() + (at - cta.shared.bytes.data());
}
std::uint32_t group_of(const Warp& warp, std::size_t lane, bool bulk) {
    return warp.async.group[bulk ? 1 : 0][lane];
}

void copy(Warp& warp, const Instruction& i, Mask mask) {
    const CopyForm& form = form_of(warp, i);
    const Row& size = warp.registers[i.in[2]];
    Mask reading = 0; // the lanes that read their source at all
    std::array<std::uint32_t, warp_size> read{};
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const bool ignored = form.predicate && (size.word[0] >> lane & 1) != 0;
        read[lane] = ignored ? 0 : form.sized && !form.predicate ? size.word[lane] : form.bytes;
        if (read[lane] > form.bytes) {
            return raise(warp, i, {.thread = lane}, catalogue::bad_async_copy,
                         fmt::format("{} bytes are read for a copy of {}", read[lane], form.bytes));
        }
        reading |= read[lane] != 0 ? Mask{1} << lane : 0;
    }
    // What is read must exist, and no more of it: the last copy of a row may reach beyond its end.
    std::array<std::byte*, warp_size> from{};
    const Addresses sources = address_of(warp, i, 1);
    for (std::uint32_t bytes = 1; bytes <= form.bytes; ++bytes) {
        Mask alike = 0;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
            alike |= (reading >> lane & 1) != 0 && read[lane] == bytes ? Mask{1} << lane : 0;
        if (alike == 0) continue;
        if (!resolve_source(warp, i, alike, bytes, form.bytes, sources)) return;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
            if ((alike >> lane & 1) != 0) from[lane] = warp.address[lane];
    }
    // The bytes count as written only when they land; a thread that reads them before sees what was there.
    const Addresses to = address_of(warp, i, 0);
    if (!resolve_place(warp, i, mask, form.bytes, Space::shared, to)) return;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        AsyncCopy begun{.lane = lane, .group = group_of(warp, lane, false), .to = warp.address[lane]};
        begun.to_marks = shared_marks(*warp.cta, begun.to);
        begun.from = from[lane];
        begun.bytes = form.bytes;
        begun.read = read[lane];
        begin(warp, begun);
    }
}

// ---- bulk copies

struct Stretch {
    std::byte* bytes = nullptr;
    std::uint8_t* marks = nullptr;
};
// The whole of it must lie in one allocation; null after a fault.
Stretch stretch(Warp& warp, const Instruction& i, std::uint32_t lane, Space space, std::uint64_t address,
                std::uint32_t bytes) {
    Cta& cta = *warp.cta;
    std::uint64_t offset = address;
    GlobalMemory::Block* block = &cta.shared;
    if (space == Space::global) block = cta.run->global->find(address, bytes, offset);
    if (block == nullptr || offset > block->bytes.size() || block->bytes.size() - offset < bytes) {
        raise(warp, i, {.thread = lane}, catalogue::access_out_of_bounds, space_row(space).word, "bulk copy",
              bytes, address, "it does not lie in one allocation");
        return {};
    }
    return {block->bytes.data() + offset, block->written.data() + offset};
}

void bulk_copy(Warp& warp, const Instruction& i, Mask mask) {
    const CopyForm& form = form_of(warp, i);
    const Addresses to = address_of(warp, i, 0), from = address_of(warp, i, 1);
    const Addresses tracked = form.tracked ? address_of(warp, i, 3) : Addresses{};
    const Space target = form.tracked ? Space::shared : Space::global;
    if (form.tracked && !resolve_place(warp, i, mask, 8, Space::shared, tracked)) return;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::uint32_t bytes = warp.registers[i.in[2]].word[lane];
        if (bytes % 16 != 0 || to[lane] % 16 != 0 || from[lane] % 16 != 0) {
            return raise(
                warp, i, {.thread = lane}, catalogue::bad_async_copy,
                fmt::format("a bulk copy of {} bytes from {:#x} to {:#x}; all three are multiples of 16",
                            bytes, from[lane], to[lane]));
        }
        const Stretch source =
            stretch(warp, i, lane, form.tracked ? Space::global : Space::shared, from[lane], bytes);
        const Stretch destination = stretch(warp, i, lane, target, to[lane], bytes);
        if (warp.stop == Stop::fault) return;
        AsyncCopy begun{
            .lane = lane, .bulk = true, .group = group_of(warp, lane, true), .to = destination.bytes};
        begun.to_marks = destination.marks;
        begun.from = source.bytes;
        begun.from_marks = source.marks;
        begun.bytes = begun.read = bytes;
        if (form.tracked) begun.mbarrier = tracked[lane];
        begin(warp, begun);
    }
}

// ---- groups and waits

template <bool bulk>
void commit(Warp& warp, const Instruction&, Mask mask) {
    each_lane(mask, [&](int lane) { ++warp.async.group[bulk ? 1 : 0][static_cast<std::size_t>(lane)]; });
}
// All but the latest `immediate` groups.
template <bool bulk>
void wait_group(Warp& warp, const Instruction& i, Mask mask) {
    land_if(warp.async, [&](const AsyncCopy& copy) {
        const std::int64_t open = warp.async.group[bulk ? 1 : 0][copy.lane];
        return copy.bulk == bulk && !copy.mbarrier && (mask >> copy.lane & 1) != 0 &&
               copy.group + i.immediate < open;
    });
}
void wait_all(Warp& warp, const Instruction&, Mask mask) {
    land_if(warp.async, [&](const AsyncCopy& copy) { return !copy.bulk && (mask >> copy.lane & 1) != 0; });
}

// Without .noinc the object expects one arrival more until this one comes.
template <bool adds>
void arrive_later(Warp& warp, const Instruction& i, Mask mask) {
    const Addresses addresses = addresses_of(warp, i);
    if (!resolve(warp, i, mask, 8, Access::atomic, i.space, addresses)) return;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        if (i.space == Space::generic && space_at(addresses[lane]).space != Space::shared)
            return raise(warp, i, {.thread = lane}, catalogue::bad_mbarrier,
                         "an mbarrier lies in shared memory");
        const auto offset = static_cast<std::uint64_t>(warp.address[lane] - warp.cta->shared.bytes.data());
        Mbarrier barrier = read_mbarrier(*warp.cta, offset);
        if (adds && barrier.valid) {
            if (barrier.pending == most_arrivals)
                return raise(warp, i, {.thread = lane}, catalogue::bad_mbarrier,
                             fmt::format("{} arrivals are pending already, and at most {} may be",
                                         barrier.pending, most_arrivals));
            ++barrier.pending;
            write_mbarrier(*warp.cta, offset, barrier);
        }
        warp.async.arrivals.push_back({lane, offset, &i, warp.async.begun});
    }
}

constexpr Needs v70{{7, 0}, 80, {}}, v80{{8, 0}, 90, {}};
constexpr Opcode rows[] = {
    needing(v70, {"cp.async.ca", "", {}, decode_copy, copy}),
    needing(v70, {"cp.async.cg", "", {}, decode_copy, copy}),
    needing(v70, {"cp.async.commit_group", "", {}, decode_plain, commit<false>}),
    needing(v70, {"cp.async.wait_group", "", {}, decode_group_wait, wait_group<false>}),
    needing(v70, {"cp.async.wait_all", "", {}, decode_plain, wait_all}),
    needing(v70, {"cp.async.mbarrier.arrive", "", {}, decode_async_arrival, arrive_later<true>}),
    needing(v70, {"cp.async.mbarrier.arrive.noinc", "", {}, decode_async_arrival, arrive_later<false>}),
    needing(v80, {"cp.async.bulk", "", {}, decode_bulk_copy, bulk_copy}),
    needing(v80, {"cp.async.bulk.commit_group", "", {}, decode_plain, commit<true>}),
    needing(v80, {"cp.async.bulk.wait_group", "", {}, decode_group_wait, wait_group<true>}),
    needing(v80, {"cp.async.bulk.wait_group.read", "", {}, decode_group_wait, wait_group<true>}),
};

// ---- operands

void place(Decoding& decoding, const ptx::Operand& operand, Space space, std::size_t at, CopyForm& form,
           Instruction& into) {
    Instruction address;
    decoding.address(operand, space, address);
    into.in[at] = address.in[0];
    form.places[at] = {address.wide_address, address.immediate};
}
bool cache_words(Decoding& decoding, Modifiers& words, bool& hint) {
    constexpr Needs v74{{7, 4}, 80, {}};
    hint = words.take("L2::cache_hint");
    const bool prefetches = words.take("L2::64B") || words.take("L2::128B") || words.take("L2::256B");
    return !(hint || prefetches) || decoding.require(v74);
}

} // namespace

bool land_tracked(Cta& cta) {
    bool landed = false;
    for (Warp& warp : cta.warps) {
        AsyncCopies& async = warp.async;
        for (const AsyncArrival& arrival : async.arrivals) {
            land_if(async, [&](const AsyncCopy& copy) {
                return !copy.bulk && copy.lane == arrival.lane && copy.number < arrival.before;
            });
            arrive_for(warp, arrival);
            landed = true;
        }
        async.arrivals.clear();
        std::vector<AsyncCopy> tracked;
        for (const AsyncCopy& copy : async.pending)
            if (copy.mbarrier) tracked.push_back(copy);
        land_if(async, [](const AsyncCopy& copy) { return copy.mbarrier.has_value(); });
        for (const AsyncCopy& copy : tracked) {
            Mbarrier barrier = read_mbarrier(cta, *copy.mbarrier);
            static_cast<void>(expect_bytes(barrier, -std::int64_t{copy.bytes}));
            complete(barrier);
            write_mbarrier(cta, *copy.mbarrier, barrier);
            landed = true;
        }
    }
    return landed;
}

// [to], [from], bytes and perhaps how many of them are read, or a predicate that leaves the source out.
void decode_copy(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    Modifiers words(decoding.rest());
    bool hint = false;
    const bool places = (words.take("shared") || words.take("shared::cta")) && words.take("global");
    if (!cache_words(decoding, words, hint)) return;
    if (!places || !words.empty()) return decoding.unknown();
    const std::size_t most = hint ? 5 : 4;
    if (!decoding.operands(text, hint ? 4 : 3, most)) return;
    const auto* bytes = std::get_if<ptx::Immediate>(&text.operands[2]);
    const bool all_sizes = row.stem == "cp.async.ca";
    if (bytes == nullptr || !(bytes->bits == 16 || (all_sizes && (bytes->bits == 4 || bytes->bits == 8))))
        return decoding.refuse(all_sizes ? "it copies 4, 8 or 16 bytes" : "it copies 16 bytes");
    CopyForm form;
    form.bytes = static_cast<std::uint32_t>(bytes->bits);
    place(decoding, text.operands[0], Space::shared, 0, form, into);
    place(decoding, text.operands[1], Space::global, 1, form, into);
    if (text.operands.size() == most) {
        const auto [slot, bits] = decoding.wide_source(text.operands[3], 1);
        form.sized = true;
        form.predicate = bits == 1 && std::holds_alternative<ptx::Register>(text.operands[3]);
        if (form.predicate && !decoding.require({{7, 5}, 80, {}})) return;
        into.in[2] = form.predicate ? slot : decoding.source(text.operands[3], 32);
    }
    if (hint) static_cast<void>(decoding.source(text.operands.back(), 64));
    into.detail = decoding.add(form);
}

// [to], [from], bytes and, into shared memory, the mbarrier that is told.
void decode_bulk_copy(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    Modifiers words(decoding.rest());
    CopyForm form;
    bool hint = false;
    if (!cache_words(decoding, words, hint)) return;
    form.tracked = words.take("mbarrier::complete_tx::bytes");
    const bool cta = words.take("shared::cta"), cluster = words.take("shared::cluster");
    if (!words.take("global") || cta == cluster ||
        (!form.tracked && (!words.take("bulk_group") || cluster)) || !words.empty())
        return decoding.unknown();
    if (form.tracked && cta && !decoding.require({{8, 6}, 90, {}})) return;
    const std::size_t count = (form.tracked ? 4u : 3u) + (hint ? 1u : 0u);
    if (!decoding.operands(text, count, count)) return;
    place(decoding, text.operands[0], form.tracked ? Space::shared : Space::global, 0, form, into);
    place(decoding, text.operands[1], form.tracked ? Space::global : Space::shared, 1, form, into);
    into.in[2] = decoding.source(text.operands[2], 32);
    if (form.tracked) place(decoding, text.operands[3], Space::shared, 3, form, into);
    if (hint) static_cast<void>(decoding.source(text.operands.back(), 64));
    into.detail = decoding.add(form);
    into.order.strong = true; // what it does to the mbarrier
}

void decode_group_wait(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, 1, 1)) return;
    const auto* groups = std::get_if<ptx::Immediate>(&text.operands[0]);
    if (groups == nullptr) return decoding.refuse("the number of groups is a constant");
    into.immediate = static_cast<std::int64_t>(groups->bits & 0xffffffff);
}

void decode_async_arrival(Decoding& decoding, const Opcode&, const ptx::Instruction& text,
                          Instruction& into) {
    Modifiers words(decoding.rest());
    const bool cta = words.take("shared::cta");
    const bool shared = words.take("shared") || cta;
    if (cta && !decoding.require({{7, 8}, 80, {}})) return;
    if (!words.take("b64") || !words.empty()) return decoding.unknown();
    into.order = {.strong = true, .releases = true};
    if (decoding.operands(text, 1, 1))
        decoding.address(text.operands[0], shared ? Space::shared : Space::generic, into);
}

std::span<const Opcode> async_rows() { return rows; }

} // namespace tmemc::emulator
