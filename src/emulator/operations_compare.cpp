// Comparison and selection. The unsigned names lo, ls, hi, hs are lt, le, gt, ge. A comparison of
// floating-point numbers is false when one is not a number; `ne` too. Source: PTX ISA 9.7.6 (comparison and
// selection).
#include "emulator/lanes.hpp"

namespace tmemc::emulator::TMEMC_LEVEL {

namespace {

template <class T>
constexpr auto equality_rows(std::string_view type) {
    return std::array{
        compare_row<T>("setp.eq", type, [](T a, T b) { return a == b; }),
        compare_row<T>("setp.ne", type, [](T a, T b) { return a < b || b < a; }),
    };
}
template <class T>
constexpr auto order_rows(std::string_view type) {
    return std::array{
        compare_row<T>("setp.lt", type, [](T a, T b) { return a < b; }),
        compare_row<T>("setp.le", type, [](T a, T b) { return a <= b; }),
        compare_row<T>("setp.gt", type, [](T a, T b) { return a > b; }),
        compare_row<T>("setp.ge", type, [](T a, T b) { return a >= b; }),
    };
}
template <class U>
constexpr auto unsigned_rows(std::string_view type) {
    return std::array{
        compare_row<U>("setp.lo", type, [](U a, U b) { return a < b; }),
        compare_row<U>("setp.ls", type, [](U a, U b) { return a <= b; }),
        compare_row<U>("setp.hi", type, [](U a, U b) { return a > b; }),
        compare_row<U>("setp.hs", type, [](U a, U b) { return a >= b; }),
    };
}

/// out = in[2], a predicate, ? in[0] : in[1]
template <class U>
void select(Warp& warp, const Instruction& i, Mask mask) {
    const Source<U> a(warp, i.in[0]), b(warp, i.in[1]);
    const Destination<U> out(warp, i.out);
    const Mask chosen = predicate(warp, i.in[2]);
    each_lane(mask, [&](int lane) {
        out.set(lane, (chosen & lane_bits.bit[static_cast<std::size_t>(lane)]) != 0 ? a[lane] : b[lane]);
    });
}
template <class U>
constexpr Opcode select_row(std::string_view type) {
    return {"selp", type, {8 * sizeof(U), 8 * sizeof(U), 8 * sizeof(U), 1}, decode_plain, select<U>};
}

constexpr std::array select_rows{
    select_row<std::uint16_t>("b16"), select_row<std::uint16_t>("u16"), select_row<std::uint16_t>("s16"),
    select_row<std::uint32_t>("b32"), select_row<std::uint32_t>("u32"), select_row<std::uint32_t>("s32"),
    select_row<std::uint32_t>("f32"), select_row<std::uint64_t>("b64"), select_row<std::uint64_t>("u64"),
    select_row<std::uint64_t>("s64"), select_row<std::uint64_t>("f64"),
};

} // namespace

std::span<const Opcode> compare_rows() {
    static constexpr auto rows = joined(
        equality_rows<std::uint16_t>("b16"), equality_rows<std::uint16_t>("u16"),
        equality_rows<std::int16_t>("s16"), equality_rows<std::uint32_t>("b32"),
        equality_rows<std::uint32_t>("u32"), equality_rows<std::int32_t>("s32"),
        equality_rows<std::uint64_t>("b64"), equality_rows<std::uint64_t>("u64"),
        equality_rows<std::int64_t>("s64"), equality_rows<float>("f32"), order_rows<std::uint16_t>("u16"),
        order_rows<std::int16_t>("s16"), order_rows<std::uint32_t>("u32"), order_rows<std::int32_t>("s32"),
        order_rows<std::uint64_t>("u64"), order_rows<std::int64_t>("s64"), order_rows<float>("f32"),
        unsigned_rows<std::uint16_t>("u16"), unsigned_rows<std::uint32_t>("u32"),
        unsigned_rows<std::uint64_t>("u64"), select_rows);
    return rows;
}

} // namespace tmemc::emulator::TMEMC_LEVEL
