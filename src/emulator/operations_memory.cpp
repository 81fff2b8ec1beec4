// ld, st and cvta. An access is resolved to a place per lane first; then the elements are copied, extended to
// the width of their register when that is wider. Source: PTX ISA 9.7.9 (ld,
// st, cvta).
#include "emulator/decode.hpp"
#include "emulator/lanes.hpp"
#include "emulator/memory_access.hpp"
#include "emulator/memory_types.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;

constexpr std::array<Resolve, 4> resolvers{resolve_generic, resolve_global, resolve_shared,
                                           resolve_parameter};

template <Space space, class T, class Register>
void load(Warp& warp, const Instruction& i, Mask mask) {
    constexpr Resolve resolve = resolvers[static_cast<std::size_t>(space)];
    const std::size_t count = i.vector_count;
    if (!resolve(warp, i, mask, static_cast<std::uint32_t>(sizeof(T) * count), Access::load)) return;
    const auto address = warp.address;
    for (std::size_t k = 0; k < count; ++k) {
        const Destination<Register> out(warp, warp.vector(i)[k]);
        each_lane(mask, [&](int lane) {
            T value;
            std::memcpy(&value, address[static_cast<std::size_t>(lane)] + k * sizeof value, sizeof value);
            out.set(lane, static_cast<Register>(value));
        });
    }
}

template <Space space, class T, class Register>
void store(Warp& warp, const Instruction& i, Mask mask) {
    constexpr Resolve resolve = resolvers[static_cast<std::size_t>(space)];
    const std::size_t count = i.vector_count;
    if (!resolve(warp, i, mask, static_cast<std::uint32_t>(sizeof(T) * count), Access::store)) return;
    const auto address = warp.address;
    for (std::size_t k = 0; k < count; ++k) {
        const Source<Register> in(warp, warp.vector(i)[k]);
        each_lane(mask, [&](int lane) {
            const T value = static_cast<T>(in[lane]);
            std::memcpy(address[static_cast<std::size_t>(lane)] + k * sizeof value, &value, sizeof value);
        });
    }
}

template <class T, class Register>
constexpr MemoryOperations operations() {
    return {{load<Space::generic, T, Register>, load<Space::global, T, Register>,
             load<Space::shared, T, Register>, load<Space::parameter, T, Register>},
            {store<Space::generic, T, Register>, store<Space::global, T, Register>,
             store<Space::shared, T, Register>, nullptr}};
}
template <class T>
constexpr MemoryType memory_type(std::string_view name) {
    if constexpr (sizeof(T) == 8)
        return {name, 8 * sizeof(T), {}, operations<T, std::uint64_t>()};
    else
        return {name, 8 * sizeof(T), operations<T, std::uint32_t>(), operations<T, std::uint64_t>()};
}

constexpr MemoryType types[] = {
    memory_type<std::uint8_t>("b8"),   memory_type<std::uint8_t>("u8"),   memory_type<std::int8_t>("s8"),
    memory_type<std::uint16_t>("b16"), memory_type<std::uint16_t>("u16"), memory_type<std::int16_t>("s16"),
    memory_type<std::uint32_t>("b32"), memory_type<std::uint32_t>("u32"), memory_type<std::int32_t>("s32"),
    memory_type<std::uint32_t>("f32"), memory_type<std::uint64_t>("b64"), memory_type<std::uint64_t>("u64"),
    memory_type<std::int64_t>("s64"),  memory_type<std::uint64_t>("f64"),
};

template <std::uint64_t difference>
constexpr Opcode address_row(std::string_view stem) {
    return row<std::uint64_t, std::uint64_t>(stem, "u64", [](std::uint64_t a) { return a + difference; });
}

constexpr Opcode rows[] = {
    {"ld", "", {}, decode_load, nullptr},
    {"st", "", {}, decode_store, nullptr},
    address_row<0>("cvta.global"),
    address_row<0>("cvta.to.global"),
    address_row<shared_window>("cvta.shared"),
    address_row<0 - shared_window>("cvta.to.shared"),
};

} // namespace

const MemoryType* memory_type_named(std::string_view name) {
    const auto* type =
        std::find_if(std::begin(types), std::end(types), [&](auto& t) { return t.name == name; });
    return type == std::end(types) ? nullptr : type;
}

std::span<const Opcode> memory_rows() { return rows; }

} // namespace tmemc::emulator
