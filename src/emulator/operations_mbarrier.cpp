// mbarrier objects in shared memory. Lanes act one after the other:
//
//     mbarrier.arrive.expect_tx.shared.b64 %d0, [S], 256;     first 256 bytes more are pending, then one
//     arrival
//                                                             less; %d0 = the object before
//     mbarrier.try_wait.shared.b64 %p0, [S], %d0;             whether the phase of %d0 has completed
//
// A wait that fails lets other warps and lanes have a turn. The parity of a phase is 0 for the first; a wait
// by parity asks whether the current phase has the other one. Source: PTX ISA 9.7.13.15. Not here: the
// arithmetic (mbarrier.cpp), copies that arrive (operations_async.cpp).
#include "emulator/mbarrier.hpp"

#include "emulator/async_copies.hpp"
#include "emulator/decode.hpp"
#include "emulator/faults.hpp"
#include "emulator/lanes.hpp"
#include "emulator/memory_access.hpp"
#include "emulator/schedule.hpp"

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;
using namespace TMEMC_LEVEL;

// Instruction::detail of arrivals and waits.
constexpr std::uint32_t expects = 1, keeps_open = 2, drops = 4, by_parity = 8, counts = 16;

bool fail(Warp& warp, const Instruction& i, std::uint32_t lane, std::string_view why) {
    if (!why.empty()) raise(warp, i, {.thread = lane}, catalogue::bad_mbarrier, why);
    return why.empty();
}

/// Calls f(barrier, lane) for each lane, which says what is wrong, if anything.
template <class F>
void each_mbarrier(Warp& warp, const Instruction& i, Mask mask, F f) {
    const Addresses addresses = addresses_of(warp, i);
    if (!resolve(warp, i, mask, 8, Access::atomic, i.space, addresses)) return;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        Mbarrier barrier = mbarrier_of(load_relaxed<std::uint64_t>(warp.address[lane]));
        if (!barrier.valid ||
            (i.space == Space::generic && space_at(addresses[lane]).space != Space::shared)) {
            fail(warp, i, lane, "these 8 bytes are no mbarrier in shared memory");
            return;
        }
        if (!fail(warp, i, lane, f(barrier, lane))) return;
        store_relaxed(warp.address[lane], word_of(barrier));
    }
}

std::uint32_t word(const Warp& warp, Slot slot, std::uint32_t lane) {
    return warp.registers[slot].word[lane];
}

void initialise(Warp& warp, const Instruction& i, Mask mask) {
    if (!resolve(warp, i, mask, 8, Access::store)) return;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const std::uint32_t count = word(warp, i.in[1], lane);
        if (count == 0 || count > most_arrivals) {
            fail(warp, i, lane,
                 fmt::format("it is made for {} arrivals; there are 1 to {}", count, most_arrivals));
            return;
        }
        store_relaxed(warp.address[lane], word_of({count, count, 0, true, false}));
    }
}
void invalidate(Warp& warp, const Instruction& i, Mask mask) {
    each_mbarrier(warp, i, mask, [](Mbarrier& barrier, std::uint32_t) {
        barrier = {};
        return std::string();
    });
}

/// A phase may have come to its end: nobody waits in vain so far.
void renew_tries(Cta& cta) {
    for (Warp& warp : cta.warps) warp.tries = 0;
}

void expect(Warp& warp, const Instruction& i, Mask mask) {
    each_mbarrier(warp, i, mask, [&](Mbarrier& barrier, std::uint32_t lane) {
        return expect_bytes(barrier, word(warp, i.in[1], lane));
    });
}
void bytes_have_come(Warp& warp, const Instruction& i, Mask mask) {
    renew_tries(*warp.cta);
    each_mbarrier(warp, i, mask, [&](Mbarrier& barrier, std::uint32_t lane) {
        std::string why = expect_bytes(barrier, -std::int64_t{word(warp, i.in[1], lane)});
        complete(barrier);
        return why;
    });
}

void arrive_at(Warp& warp, const Instruction& i, Mask mask) {
    renew_tries(*warp.cta);
    each_mbarrier(warp, i, mask, [&](Mbarrier& barrier, std::uint32_t lane) {
        const std::uint64_t before = word_of(barrier);
        const std::uint32_t operand = word(warp, i.in[1], lane);
        if ((i.detail & expects) != 0) {
            if (std::string why = expect_bytes(barrier, operand); !why.empty()) return why;
        }
        const std::uint32_t count = (i.detail & counts) != 0 ? operand : 1;
        std::string why = arrive(barrier, count, (i.detail & drops) != 0, (i.detail & keeps_open) == 0);
        if (i.out != nowhere) Destination<std::uint64_t>(warp, i.out).set(static_cast<int>(lane), before);
        return why;
    });
}

Mask completed(Warp& warp, const Instruction& i, Mask mask) {
    Mask complete = 0;
    const Source<std::uint64_t> state(warp, i.in[1]);
    each_mbarrier(warp, i, mask, [&](Mbarrier& barrier, std::uint32_t lane) {
        const bool parity = (i.detail & by_parity) != 0;
        const bool phase =
            parity ? (word(warp, i.in[1], lane) & 1) != 0 : mbarrier_of(state[static_cast<int>(lane)]).phase;
        if (barrier.phase != phase) complete |= Mask{1} << lane;
        return std::string();
    });
    return complete;
}
template <bool tries>
void wait_for(Warp& warp, const Instruction& i, Mask mask) {
    Mask complete = completed(warp, i, mask);
    if (complete != mask && warp.stop == Stop::none && land_tracked(*warp.cta)) {
        renew_tries(*warp.cta);
        complete = completed(warp, i, mask);
    }
    set_predicate(warp, i.out, mask, complete);
    const Addresses places = addresses_of(warp, i);
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((complete >> lane & 1) == 0) continue;
        const SyncPoint point = shared_point(static_cast<std::uint32_t>(places[lane]));
        observe(warp, [&](Observer& o) { o.acquired(warp, point); });
        break; // one place, as good as always
    }
    constexpr std::uint64_t loop = std::uint64_t{8} * warp_size; // a jump back to the wait, and a test or two
    const std::uint64_t between =
        warp.thread_instructions - std::exchange(warp.tried_at, warp.thread_instructions);
    warp.tried = &i;
    warp.tries = complete == mask || between > loop ? 0 : warp.tries + 1;
    if (tries && complete != mask) yield(warp);
}

void pending_count(Warp& warp, const Instruction& i, Mask mask) {
    const Source<std::uint64_t> state(warp, i.in[0]);
    const Destination<std::uint32_t> out(warp, i.out);
    each_lane(mask, [&](int lane) { out.set(lane, mbarrier_of(state[lane]).pending); });
}

constexpr Needs v70{{7, 0}, 80, {}}, v78{{7, 8}, 90, {}}, v80{{8, 0}, 90, {}};
constexpr Opcode rows[] = {
    needing(v70, {"mbarrier.init", "", {}, decode_mbarrier, initialise}),
    needing(v70, {"mbarrier.inval", "", {}, decode_mbarrier, invalidate}),
    needing(v80, {"mbarrier.expect_tx", "", {}, decode_mbarrier, expect}),
    needing(v80, {"mbarrier.complete_tx", "", {}, decode_mbarrier, bytes_have_come}),
    needing(v70, {"mbarrier.arrive", "", {}, decode_mbarrier_arrival, arrive_at}),
    needing(v70, {"mbarrier.arrive_drop", "", {}, decode_mbarrier_arrival, arrive_at}),
    needing(v70, {"mbarrier.test_wait", "", {}, decode_mbarrier_wait, wait_for<false>}),
    needing(v78, {"mbarrier.try_wait", "", {}, decode_mbarrier_wait, wait_for<true>}),
    needing(v70, {"mbarrier.pending_count", "b64", {32, 64}, decode_plain, pending_count}),
};

// ---- names and operands

// Order, scope, space and type, all of which may be left out but the type. False when reported.
bool common_words(Decoding& decoding, Modifiers& words, std::string_view order, Space& space) {
    space = Space::generic;
    bool has = true;
    if (words.take(order)) has = has && decoding.require({{8, 0}, 80, {}});
    if (words.take("relaxed")) has = has && decoding.require({{8, 0}, 90, {}});
    words.take("cta");
    if (words.take("cluster")) has = has && decoding.require(v80);
    if (words.take("shared")) space = Space::shared;
    if (words.take("shared::cta")) {
        space = Space::shared;
        has = has && decoding.require({{7, 8}, 80, {}});
    }
    if (words.take("shared::cluster")) {
        space = Space::shared;
        has = has && decoding.require(v80);
    }
    if (!has) return false;
    if (words.take("b64") && words.empty()) return true;
    decoding.unknown();
    return false;
}

} // namespace

// [address], and an operand of 32 bits but for inval.
void decode_mbarrier(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    Modifiers words(decoding.rest());
    Space space{};
    if (!common_words(decoding, words, "relaxed", space)) return;
    const std::size_t count = row.stem == "mbarrier.inval" ? 1 : 2;
    if (!decoding.operands(text, count, count)) return;
    decoding.address(text.operands[0], space, into);
    if (count == 2) into.in[1] = decoding.source(text.operands[1], 32);
    into.order.strong = row.stem != "mbarrier.init"; // which others may touch only behind a barrier
}

// The token, [address] and perhaps a number of arrivals or bytes.
void decode_mbarrier_arrival(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                             Instruction& into) {
    Modifiers words(decoding.rest());
    if (words.take("expect_tx")) into.detail |= expects;
    if (words.take("noComplete")) into.detail |= keeps_open;
    if (row.stem == "mbarrier.arrive_drop") into.detail |= drops;
    if ((into.detail & expects) != 0 && !decoding.require(v80)) return;
    Space space{};
    if (!common_words(decoding, words, "release", space)) return;
    const bool number = (into.detail & (expects | keeps_open)) != 0;
    if (!decoding.operands(text, number ? 3 : 2, 3)) return;
    into.order = {.strong = true, .releases = true};
    into.out = decoding.destination(text.operands[0], 64);
    if (into.out == nowhere && !decoding.require({{7, 1}, 80, {}})) return;
    decoding.address(text.operands[1], space, into);
    if (text.operands.size() == 2) return;
    if (!number && !decoding.require(v78)) return;
    if ((into.detail & expects) == 0) into.detail |= counts;
    into.in[1] = decoding.source(text.operands[2], 32);
}

// The predicate, [address], the token or the parity, and try_wait's time, which is nothing here.
void decode_mbarrier_wait(Decoding& decoding, const Opcode& row, const ptx::Instruction& text,
                          Instruction& into) {
    Modifiers words(decoding.rest());
    const bool parity = words.take("parity");
    if (parity && !decoding.require({{7, 1}, 80, {}})) return;
    Space space{};
    if (!common_words(decoding, words, "acquire", space)) return;
    if (!decoding.operands(text, 3, row.stem == "mbarrier.try_wait" ? 4 : 3)) return;
    into.detail = parity ? by_parity : 0;
    into.order.strong = true; // it acquires when the phase has completed: wait_for
    into.out = decoding.destination(text.operands[0], 1);
    decoding.address(text.operands[1], space, into);
    into.in[1] = decoding.source(text.operands[2], parity ? 32 : 64);
    if (text.operands.size() == 4) into.in[2] = decoding.source(text.operands[3], 32);
}

std::span<const Opcode> mbarrier_rows() { return rows; }

} // namespace tmemc::emulator
