// Conversions between integers.
#include "emulator/convert_integer.hpp"

#include "emulator/lanes.hpp"

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;

// Bits above the type are shifted out and its sign, or zeros, back in.
template <bool is_signed>
std::uint64_t cut(std::uint64_t value, unsigned shift) {
    using T = std::conditional_t<is_signed, std::int64_t, std::uint64_t>;
    return static_cast<std::uint64_t>(static_cast<T>(value << shift) >> shift);
}

template <class Out, class In, bool signed_out, bool signed_in>
void convert(Warp& warp, const Instruction& i, Mask mask) {
    const Source<In> in(warp, i.in[0]);
    const Destination<Out> out(warp, i.out);
    const unsigned in_shift = i.detail >> 8, out_shift = i.detail & 0xff;
    each_lane(mask, [&](int lane) {
        out.set(lane, static_cast<Out>(cut<signed_out>(cut<signed_in>(in[lane], in_shift), out_shift)));
    });
}

template <class Out, class In>
constexpr std::array<std::array<Operation, 2>, 2> by_sign{
    {{convert<Out, In, false, false>, convert<Out, In, false, true>},
     {convert<Out, In, true, false>, convert<Out, In, true, true>}}};
using U32 = std::uint32_t;
using U64 = std::uint64_t;
constexpr std::array<std::array<std::array<std::array<Operation, 2>, 2>, 2>, 2> operations{
    {{by_sign<U32, U32>, by_sign<U32, U64>}, {by_sign<U64, U32>, by_sign<U64, U64>}}};

} // namespace

Operation integer_conversion(const Format& to, bool wide_out, const Format& from, bool wide_in) {
    return operations[wide_out][wide_in][to.kind == Format::Kind::integer]
                     [from.kind == Format::Kind::integer];
}

} // namespace tmemc::emulator
