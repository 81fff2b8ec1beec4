// What the lanes of a warp tell one another: shfl, vote, match, redux, elect, activemask. All but the last
// have a member mask, in[3]; before they run, the lanes that it names have come together (schedule_warp.cpp).
// Lanes with different masks may run at once; each mask is a group of its own:
//
//     shfl.sync.down.b32 %r0|%p0, %r1, 4, 0x1f, -1;
//         lane k: %p0 = whether k + 4 is a lane, %r0 = its %r1, or else the own one
//
// A value that comes from a lane which takes no part is undefined: it is `nobody`, to be seen in the results.
// Source: PTX ISA 9.7.9.6 (shfl.sync), 9.7.13 (vote.sync, match.sync, activemask, redux.sync, elect.sync).
#include "emulator/decode.hpp"
#include "emulator/lanes.hpp"

#include <algorithm>
#include <cmath>

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;

constexpr std::uint32_t nobody = 0xbad0bad0;

bool has(Mask mask, std::uint32_t lane) { return (mask >> lane & 1) != 0; }

/// Calls f(group) for the lanes of each member mask.
template <class F>
void each_group(const Warp& warp, const Instruction& i, Mask mask, F f) {
    const Row& members = warp.registers[i.in[3]];
    while (mask != 0) {
        const std::uint32_t of_first = members.word[static_cast<std::size_t>(std::countr_zero(mask))];
        const Mask group = mask & lanes_where([&](int lane) {
                               return members.word[static_cast<std::size_t>(lane)] == of_first;
                           });
        f(group);
        mask &= ~group;
    }
}

void set_all(Warp& warp, Slot slot, Mask lanes, std::uint32_t value) {
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if (has(lanes, lane)) warp.registers[slot].word[lane] = value;
    }
}
// The second result, where there is one: its slot is in detail.
void set_second(Warp& warp, const Instruction& i, Mask lanes, Mask value) {
    if (i.detail == nowhere) return;
    set_predicate(warp, i.detail, lanes, value);
    warp.ready[i.detail] |= lanes;
}

// ---- shfl

enum class Way { up, down, butterfly, index };

struct Origin {
    std::uint32_t lane = 0;
    bool inside = false;
};
template <Way way>
Origin source_lane(std::uint32_t lane, std::uint32_t b, std::uint32_t c) {
    const std::uint32_t segment = c >> 8 & 31, distance = b & 31;
    const std::uint32_t least = lane & segment;
    const std::uint32_t most = least | (c & 31 & ~segment);
    std::uint32_t from = 0;
    bool inside = false;
    if constexpr (way == Way::up) {
        from = lane - distance;
        inside = static_cast<std::int32_t>(from) >= static_cast<std::int32_t>(most);
    } else {
        from = way == Way::down        ? lane + distance
               : way == Way::butterfly ? lane ^ distance
                                       : least | (distance & ~segment);
        inside = from <= most;
    }
    return {inside ? from : lane, inside};
}

template <Way way>
void shuffle(Warp& warp, const Instruction& i, Mask mask) {
    const Row values = warp.registers[i.in[0]];
    const Row &b = warp.registers[i.in[1]], &c = warp.registers[i.in[2]];
    Row result{};
    Mask inside = 0;
    each_group(warp, i, mask, [&](Mask group) {
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            if (!has(group, lane)) continue;
            const Origin from = source_lane<way>(lane, b.word[lane], c.word[lane]);
            result.word[lane] = has(group, from.lane) ? values.word[from.lane] : nobody;
            inside |= from.inside ? Mask{1} << lane : 0;
        }
    });
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if (has(mask, lane)) warp.registers[i.out].word[lane] = result.word[lane];
    }
    set_second(warp, i, mask, inside);
}

// ---- vote

Mask ayes(const Warp& warp, const Instruction& i) {
    return warp.registers[i.in[0]].word[0] ^ static_cast<Mask>(i.immediate);
}
template <class F>
void vote(Warp& warp, const Instruction& i, Mask mask) {
    const Mask aye = ayes(warp, i);
    each_group(warp, i, mask,
               [&](Mask group) { set_predicate(warp, i.out, group, F{}(aye & group, group) ? group : 0); });
}
void ballot(Warp& warp, const Instruction& i, Mask mask) {
    const Mask aye = ayes(warp, i);
    each_group(warp, i, mask, [&](Mask group) { set_all(warp, i.out, group, aye & group); });
}
template <class F>
constexpr Opcode vote_row(std::string_view stem, F) {
    return {stem, "pred", {1, 1, 32}, decode_warp, vote<F>};
}

// ---- match

template <class T>
Mask equal_lanes(const Source<T>& values, std::uint32_t lane) {
    const T value = values[static_cast<int>(lane)];
    return lanes_where([&](int other) { return values[other] == value; });
}
template <class T>
void match_any(Warp& warp, const Instruction& i, Mask mask) {
    const Source<T> values(warp, i.in[0]);
    Row result{};
    each_group(warp, i, mask, [&](Mask group) {
        for (std::uint32_t lane = 0; lane < warp_size; ++lane)
            if (has(group, lane)) result.word[lane] = equal_lanes(values, lane) & group;
    });
    for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        if (has(mask, lane)) warp.registers[i.out].word[lane] = result.word[lane];
}
template <class T>
void match_all(Warp& warp, const Instruction& i, Mask mask) {
    const Source<T> values(warp, i.in[0]);
    Mask agreed = 0;
    each_group(warp, i, mask, [&](Mask group) {
        const auto first = static_cast<std::uint32_t>(std::countr_zero(group));
        if ((group & ~equal_lanes(values, first)) == 0) agreed |= group;
    });
    each_group(warp, i, mask, [&](Mask group) { set_all(warp, i.out, group, agreed & group); });
    set_second(warp, i, mask, agreed);
}

// ---- redux

template <class T, class F>
void reduce(Warp& warp, const Instruction& i, Mask mask) {
    const Source<T> values(warp, i.in[0]);
    Row result{};
    each_group(warp, i, mask, [&](Mask group) {
        T sum = F::first(values[std::countr_zero(group)]);
        for (Mask left = group & (group - 1); left != 0; left &= left - 1)
            sum = F{}(sum, values[std::countr_zero(left)]);
        for (std::size_t lane = 0; lane < warp_size; ++lane)
            if ((group >> lane & 1) != 0) result.word[lane] = std::bit_cast<std::uint32_t>(sum);
    });
    for (std::uint32_t lane = 0; lane < warp_size; ++lane)
        if (has(mask, lane)) warp.registers[i.out].word[lane] = result.word[lane];
}
template <class T, class F>
struct Whole {
    static T first(T a) { return a; }
    T operator()(T a, T b) const { return F{}(a, b); }
};
template <class T, class F>
constexpr Opcode reduce_row(std::string_view stem, std::string_view type, F) {
    return needing({{7, 0}, 80, {}}, {stem, type, {32, 32, 32}, decode_warp, reduce<T, Whole<T, F>>});
}

// min and max of floats: NaN gives way to a number, or with .NaN a number to NaN; -0 is less than +0.
template <bool largest, bool absolute, bool nan>
struct Extreme {
    static float plain(float a) { return absolute ? std::fabs(a) : a; }
    static float canonical(float a) { return std::isnan(a) ? std::bit_cast<float>(0x7fffffffu) : a; }
    static float first(float a) { return canonical(plain(a)); }
    float operator()(float a, float b) const {
        b = canonical(plain(b));
        if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == nan ? a : b;
        const bool less = a < b || (a == b && std::signbit(a) && !std::signbit(b));
        return less == largest ? b : a;
    }
};
constexpr Needs float_reduction{{8, 6}, 100, "sm_100a sm_100f sm_103a sm_103f"};
template <bool largest, bool absolute, bool nan>
constexpr Opcode extreme_row(std::string_view stem) {
    return needing(float_reduction,
                   {stem, "f32", {32, 32, 32}, decode_warp, reduce<float, Extreme<largest, absolute, nan>>});
}

// ---- the rest

// The lowest of the members that have come is elected.
void elect(Warp& warp, const Instruction& i, Mask mask) {
    Mask leaders = 0;
    each_group(warp, i, mask, [&](Mask group) {
        leaders |= group & (~group + 1);
        if (i.out != nowhere)
            set_all(warp, i.out, group, static_cast<std::uint32_t>(std::countr_zero(group)));
    });
    set_second(warp, i, mask, leaders);
}
void active_mask(Warp& warp, const Instruction& i, Mask mask) { set_all(warp, i.out, mask, mask); }

template <Way way>
constexpr Opcode shuffle_row(std::string_view stem) {
    return {stem, "b32", {32, 32, 32, 32, 32}, decode_warp, shuffle<way>};
}
using U = std::uint32_t;
using S = std::int32_t;
constexpr Opcode rows[] = {
    shuffle_row<Way::up>("shfl.sync.up"),
    shuffle_row<Way::down>("shfl.sync.down"),
    shuffle_row<Way::butterfly>("shfl.sync.bfly"),
    shuffle_row<Way::index>("shfl.sync.idx"),
    vote_row("vote.sync.all", [](Mask aye, Mask group) { return aye == group; }),
    vote_row("vote.sync.any", [](Mask aye, Mask) { return aye != 0; }),
    vote_row("vote.sync.uni", [](Mask aye, Mask group) { return aye == group || aye == 0; }),
    {"vote.sync.ballot", "b32", {32, 1, 32}, decode_warp, ballot},
    {"match.any.sync", "b32", {32, 32, 32}, decode_warp, match_any<std::uint32_t>},
    {"match.any.sync", "b64", {32, 64, 32}, decode_warp, match_any<std::uint64_t>},
    {"match.all.sync", "b32", {32, 32, 32}, decode_warp, match_all<std::uint32_t>},
    {"match.all.sync", "b64", {32, 64, 32}, decode_warp, match_all<std::uint64_t>},
    reduce_row<U>("redux.sync.add", "u32", [](U a, U b) { return a + b; }),
    reduce_row<U>("redux.sync.add", "s32", [](U a, U b) { return a + b; }),
    reduce_row<U>("redux.sync.min", "u32", [](U a, U b) { return std::min(a, b); }),
    reduce_row<S>("redux.sync.min", "s32", [](S a, S b) { return std::min(a, b); }),
    reduce_row<U>("redux.sync.max", "u32", [](U a, U b) { return std::max(a, b); }),
    reduce_row<S>("redux.sync.max", "s32", [](S a, S b) { return std::max(a, b); }),
    reduce_row<U>("redux.sync.and", "b32", [](U a, U b) { return a & b; }),
    reduce_row<U>("redux.sync.or", "b32", [](U a, U b) { return a | b; }),
    reduce_row<U>("redux.sync.xor", "b32", [](U a, U b) { return a ^ b; }),
    extreme_row<false, false, false>("redux.sync.min"),
    extreme_row<false, true, false>("redux.sync.min.abs"),
    extreme_row<false, false, true>("redux.sync.min.NaN"),
    extreme_row<false, true, true>("redux.sync.min.abs.NaN"),
    extreme_row<true, false, false>("redux.sync.max"),
    extreme_row<true, true, false>("redux.sync.max.abs"),
    extreme_row<true, false, true>("redux.sync.max.NaN"),
    extreme_row<true, true, true>("redux.sync.max.abs.NaN"),
    needing({{8, 0}, 90, {}}, {"elect.sync", "", {32, 32}, decode_warp, elect}),
    {"activemask", "b32", {32}, decode_plain, active_mask},
};

} // namespace

std::span<const Opcode> warp_rows() { return rows; }

} // namespace tmemc::emulator
