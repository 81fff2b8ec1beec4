// Addresses themselves: cvta between a space and the generic addresses, isspacep, the two of a cluster, and
// what only advises the caches, whose operands are checked and which then do nothing.
//
//     cvta.shared.u64 %d0, %d1;          %d0 = %d1 + shared_window
//     isspacep.const %p0, %d0;           whether a generic address lies in the constants' window
//
// A cluster has one CTA here: it is number 0, and its shared memory is all there is of shared::cluster.
// Source: PTX ISA 9.7.9 (cvta, isspacep, mapa, getctarank, prefetch, discard, applypriority, createpolicy).
#include "emulator/decode.hpp"
#include "emulator/lanes.hpp"
#include "emulator/memory_access.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;

template <std::uint64_t window>
constexpr Opcode from_space(std::string_view stem, const Needs& needs = {}) {
    return needing(
        needs, row<std::uint64_t, std::uint64_t>(stem, "u64", [](std::uint64_t a) { return a + window; }));
}
template <std::uint64_t window>
constexpr Opcode to_space(std::string_view stem, const Needs& needs = {}) {
    return from_space<0 - window>(stem, needs);
}

template <std::uint64_t window>
void is_in_window(Warp& warp, const Instruction& i, Mask mask) {
    const Source<std::uint64_t> address(warp, i.in[0]);
    set_predicate(warp, i.out, mask,
                  lanes_where([&](int lane) { return space_at(address[lane]).window == window; }));
}
template <std::uint64_t window>
constexpr Opcode is_space(std::string_view stem, const Needs& needs = {}) {
    return needing(needs, {stem, "", {1, 64}, decode_plain, is_in_window<window>});
}

template <class T>
constexpr Opcode map_row(std::string_view stem, std::string_view type) {
    return row<T, T, std::uint32_t>(stem, type, [](T address, std::uint32_t rank) {
        constexpr std::uint32_t most = 127; // a cluster is one CTA: of another one nothing is there
        return static_cast<T>(address + (T{std::min(rank, most)} << 24));
    });
}
template <class T>
constexpr Opcode rank_row(std::string_view stem, std::string_view type) {
    return row<std::uint32_t, T>(stem, type, [](T) { return std::uint32_t{0}; });
}

void nothing(Warp&, const Instruction&, Mask) {}
constexpr Opcode advice(std::string_view name, const Needs& needs = {}) {
    return needing(needs, {name, "", {}, decode_advice, nothing});
}
// A cache policy is a value that nothing but the caches understands.
constexpr Opcode policy(std::string_view name) {
    return needing({{7, 4}, 80, {}}, {name, "", {}, decode_policy, [](Warp& w, const Instruction& i, Mask m) {
                                          const Destination<std::uint64_t> out(w, i.out);
                                          each_lane(m, [&](int lane) { out.set(lane, 0); });
                                      }});
}

constexpr Needs v77{{7, 7}, 75, {}};
constexpr Needs v78{{7, 8}, 75, {}};
constexpr Needs v83{{8, 3}, 75, {}};
constexpr Needs clusters{{7, 8}, 90, {}};
constexpr Needs priorities{{7, 4}, 80, {}};

constexpr Opcode rows[] = {
    from_space<0>("cvta.global"),
    from_space<shared_window>("cvta.shared"),
    from_space<shared_window>("cvta.shared::cta", v78),
    from_space<shared_window>("cvta.shared::cluster", clusters),
    from_space<local_window>("cvta.local"),
    from_space<constant_window>("cvta.const"),
    from_space<parameter_window>("cvta.param", v77),
    from_space<parameter_window>("cvta.param::entry", v83),
    to_space<0>("cvta.to.global"),
    to_space<shared_window>("cvta.to.shared"),
    to_space<shared_window>("cvta.to.shared::cta", v78),
    to_space<shared_window>("cvta.to.shared::cluster", clusters),
    to_space<local_window>("cvta.to.local"),
    to_space<constant_window>("cvta.to.const"),
    to_space<parameter_window>("cvta.to.param", v77),
    to_space<parameter_window>("cvta.to.param::entry", v83),
    is_space<0>("isspacep.global"),
    is_space<shared_window>("isspacep.shared"),
    is_space<shared_window>("isspacep.shared::cta", v78),
    is_space<shared_window>("isspacep.shared::cluster", clusters),
    is_space<local_window>("isspacep.local"),
    is_space<constant_window>("isspacep.const"),
    is_space<parameter_window>("isspacep.param", v77),
    is_space<parameter_window>("isspacep.param::entry", v83),
    needing(clusters, map_row<std::uint64_t>("mapa", "u64")),
    needing(clusters, map_row<std::uint32_t>("mapa.shared::cluster", "u32")),
    needing(clusters, map_row<std::uint64_t>("mapa.shared::cluster", "u64")),
    needing(clusters, rank_row<std::uint64_t>("getctarank", "u64")),
    needing(clusters, rank_row<std::uint32_t>("getctarank.shared::cluster", "u32")),
    needing(clusters, rank_row<std::uint64_t>("getctarank.shared::cluster", "u64")),
    advice("prefetch.L1"),
    advice("prefetch.L2"),
    advice("prefetch.global.L1"),
    advice("prefetch.global.L2"),
    advice("prefetch.local.L1"),
    advice("prefetch.local.L2"),
    advice("prefetch.global.L2::evict_last", {{7, 4}, 80, {}}),
    advice("prefetch.global.L2::evict_normal", {{7, 4}, 80, {}}),
    advice("prefetchu.L1"),
    advice("discard.L2", priorities),
    advice("discard.global.L2", priorities),
    advice("applypriority.L2::evict_normal", priorities),
    advice("applypriority.global.L2::evict_normal", priorities),
    policy("createpolicy.fractional"),
    policy("createpolicy.range"),
    policy("createpolicy.cvt.L2.b64"),
};

} // namespace

// [address] and, where it has one, the size 128.
void decode_advice(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    const bool sized = row.stem.substr(0, 8) != "prefetch";
    if (!decoding.rest().empty()) return decoding.unknown();
    if (!decoding.operands(text, sized ? 2 : 1, sized ? 2 : 1)) return;
    const auto* size = sized ? std::get_if<ptx::Immediate>(&text.operands[1]) : nullptr;
    if (sized && (size == nullptr || size->bits != 128)) return decoding.refuse("the size is 128");
    decoding.address(text.operands[0], Space::generic, into);
}

// The policy, and behind it a fraction, a stretch of memory or an access property: none of them matters here.
void decode_policy(Decoding& decoding, const Opcode& row, const ptx::Instruction& text, Instruction& into) {
    Modifiers words(decoding.rest());
    const bool range = row.stem == "createpolicy.range", fractional = row.stem == "createpolicy.fractional";
    if (range) words.take("global");
    if (range || fractional) {
        if (words.words().size() < 2 || words.words().size() > 3 || words.words().back() != "b64")
            return decoding.unknown();
        for (std::size_t k = 0; k + 1 < words.words().size(); ++k) {
            if (words.words()[k].substr(0, 10) != "L2::evict_") return decoding.unknown();
        }
    } else if (!words.empty()) {
        return decoding.unknown();
    }
    if (!decoding.operands(text, fractional ? 1 : range ? 4 : 2, fractional ? 2 : range ? 4 : 2)) return;
    into.out = decoding.destination(text.operands[0], 64);
    if (range) decoding.address(text.operands[1], Space::generic, into);
}

std::span<const Opcode> address_rows() { return rows; }

} // namespace tmemc::emulator
