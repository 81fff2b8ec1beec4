// Comparisons of f16 and bf16, single and in pairs: setp, and set through the same rows. How two numbers
// relate is found once for all comparisons, as a bit per lane: less, equal, greater, or none of them, when
// one is no number. A comparison is the set of relations in which it holds:
//
//     setp.leu.f16 = less | equal | unordered
//
// A pair has two results, %p|%q the lower and the upper one's. Source: PTX ISA 9.7.7 (half precision
// comparison).
#include "emulator/boolean.hpp"
#include "emulator/half_formats.hpp"
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

constexpr unsigned less = 1, equal = 2, greater = 4, unordered = 8;

/// How a relates to b: a bit per lane.
struct Relations {
    Mask less = 0, equal = 0, greater = 0;
    [[nodiscard]] Mask in(unsigned set) const {
        return ((set & 1) != 0 ? less : 0) | ((set & 2) != 0 ? equal : 0) | ((set & 4) != 0 ? greater : 0) |
               ((set & 8) != 0 ? ~(less | equal | greater) : 0);
    }
};
template <class T, unsigned flags>
[[gnu::noinline]] Relations related(const Warp& warp, const Instruction& i, unsigned shift) {
    const Source<Word> a(warp, i.in[0]), b(warp, i.in[1]);
    const auto number = [&](const Source<Word>& from, int lane) {
        return T::up(flushed<T, flags>(from[lane] >> shift & 0xffff));
    };
    return {lanes_where([&](int lane) { return number(a, lane) < number(b, lane); }),
            lanes_where([&](int lane) { return number(a, lane) == number(b, lane); }),
            lanes_where([&](int lane) { return number(a, lane) > number(b, lane); })};
}

template <class T, unsigned flags, unsigned set>
void compare_single(Warp& warp, const Instruction& i, Mask mask) {
    set_predicate(warp, i.out, mask, related<T, flags>(warp, i, 0).in(set));
}
template <class T, unsigned flags, unsigned set>
void combine_single(Warp& warp, const Instruction& i, Mask mask) {
    const Mask with = predicate(warp, i.in[2]) ^ boolean_flip(i);
    set_predicate(warp, i.out, mask, apply_boolean(i, related<T, flags>(warp, i, 0).in(set), with));
}
template <class T, unsigned flags, unsigned set>
void combine_pair(Warp& warp, const Instruction& i, Mask mask) {
    const Mask with = predicate(warp, i.in[2]) ^ boolean_flip(i);
    const Mask low = related<T, flags>(warp, i, 0).in(set), high = related<T, flags>(warp, i, 16).in(set);
    set_second(warp, i, mask, apply_boolean(i, high, with));
    set_predicate(warp, i.out, mask, apply_boolean(i, low, with));
}

/// set: in[3] holds the value for true, of a pair in its lower half.
inline void write_values(Warp& warp, const Instruction& i, Mask mask, Mask low, Mask high, Word kept) {
    const Source<Word> yes(warp, i.in[3]);
    const Destination<Word> out(warp, i.out);
    each_lane(mask, [&](int lane) {
        const Mask bit = lane_bits.bit[static_cast<std::size_t>(lane)];
        const Word value = yes[lane] & kept;
        out.set(lane, ((low & bit) != 0 ? value : 0) | ((high & bit) != 0 ? value << 16 : 0));
    });
}
template <class T, unsigned flags, unsigned set>
void value_single(Warp& warp, const Instruction& i, Mask mask) {
    const Mask with = predicate(warp, i.in[2]) ^ boolean_flip(i);
    write_values(warp, i, mask, apply_boolean(i, related<T, flags>(warp, i, 0).in(set), with), 0, ~Word{0});
}
template <class T, unsigned flags, unsigned set>
void value_pair(Warp& warp, const Instruction& i, Mask mask) {
    const Mask with = predicate(warp, i.in[2]) ^ boolean_flip(i);
    const Mask low = related<T, flags>(warp, i, 0).in(set), high = related<T, flags>(warp, i, 16).in(set);
    write_values(warp, i, mask, apply_boolean(i, low, with), apply_boolean(i, high, with), 0xffff);
}

template <class T, unsigned flags, unsigned set>
constexpr std::array<Opcode, 2> both(const Needs& needs, std::string_view stem, std::string_view type,
                                     std::string_view pair_type) {
    Opcode single{stem, type, {1, 16, 16}, decode_compare, compare_single<T, flags, set>};
    single.needs = needs;
    single.classes = {OperandClass::bits, OperandClass::packed, OperandClass::packed};
    single.modifiers = flags != 0 ? "ftz" : "";
    single.other = combine_single<T, flags, set>;
    single.as_value = value_single<T, flags, set>;
    Opcode pair = single;
    pair.type = pair_type;
    pair.bits = {1, 32, 32};
    pair.other = combine_pair<T, flags, set>;
    pair.as_value = value_pair<T, flags, set>;
    return {single, pair};
}
template <class T, unsigned flags>
constexpr auto comparisons(const Needs& needs, std::string_view type, std::string_view pair_type) {
    constexpr unsigned different = less | greater, number = less | equal | greater;
    return joined(both<T, flags, equal>(needs, "setp.eq", type, pair_type),
                  both<T, flags, different>(needs, "setp.ne", type, pair_type),
                  both<T, flags, less>(needs, "setp.lt", type, pair_type),
                  both<T, flags, less | equal>(needs, "setp.le", type, pair_type),
                  both<T, flags, greater>(needs, "setp.gt", type, pair_type),
                  both<T, flags, greater | equal>(needs, "setp.ge", type, pair_type),
                  both<T, flags, equal | unordered>(needs, "setp.equ", type, pair_type),
                  both<T, flags, different | unordered>(needs, "setp.neu", type, pair_type),
                  both<T, flags, less | unordered>(needs, "setp.ltu", type, pair_type),
                  both<T, flags, less | equal | unordered>(needs, "setp.leu", type, pair_type),
                  both<T, flags, greater | unordered>(needs, "setp.gtu", type, pair_type),
                  both<T, flags, greater | equal | unordered>(needs, "setp.geu", type, pair_type),
                  both<T, flags, number>(needs, "setp.num", type, pair_type),
                  both<T, flags, unordered>(needs, "setp.nan", type, pair_type));
}

} // namespace

std::span<const Opcode> half_compare_rows() {
    static constexpr auto rows =
        joined(comparisons<F16, 0>({}, "f16", "f16x2"), comparisons<F16, flushing>({}, "f16", "f16x2"),
               comparisons<Bf16, 0>({{7, 8}, 90}, "bf16", "bf16x2"));
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
