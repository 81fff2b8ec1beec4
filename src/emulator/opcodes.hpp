// The instructions that the emulator knows, one row each: a name, the widths of its operands, how it is
// decoded and what it does. A row's name is the instruction's or a dotted beginning of it ("ld" for
// "ld.global.v4.b32"); the longest row wins, and what is left of the name is the decoder's to read. Most rows
// are plain: a destination and up to four sources of the widths that the row gives.
//
//     {"mul.wide", "u32", {64, 32, 32}, decode_plain, <out = u64(a) * u64(b)>}
//
// Arithmetic is compiled once per CPU level, the same source in another namespace; the level is chosen at run
// time.
#pragma once

#include "emulator/instruction.hpp"
#include "ptx/module.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::emulator {

class Decoding;
struct Opcode;
/// Fills in what is not yet known of the instruction; reports through Decoding when the text does not fit the
/// row.
using Decoder = void (*)(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);

/// What a module must say before ptxas takes an instruction: the lowest .version, the lowest .target by its
/// number, and where only some targets of that number or above have it, their names with spaces between. The
/// default is what the oldest targets of ptxas 13.0 take.
struct Needs {
    ptx::Version version{6, 3};
    int sm = 75;
    std::string_view targets;
};
inline constexpr std::string_view tensor_memory_targets =
    "sm_100a sm_100f sm_101a sm_101f sm_103a sm_103f sm_110a sm_110f";
inline constexpr Needs tensor_memory{{8, 6}, 100, tensor_memory_targets};
/// What a module of that version and target lacks, in words; empty when it has all.
[[nodiscard]] std::string missing(const Needs& needs, const ptx::Version& version, std::string_view target);

/// Which registers and constants of an operand's width it takes. Source: PTX ISA 6.4 (operand type checking).
enum class OperandClass : std::uint8_t {
    bits,     // of any type
    integer,  // .b, .u or .s; an integer constant
    floating, // .b or .f; a floating-point constant
    packed,   // .b; no constant
};
/// In Opcode::bits: the carry flag, which the text does not name.
inline constexpr int carry_flag = -1;

struct Opcode {
    std::string_view stem;     // "mul.wide"
    std::string_view type;     // "u32", appended with a dot; may be empty
    std::array<int, 5> bits{}; // destination, sources; 1: a predicate, 0: none
    Decoder decoder = nullptr;
    Operation operation = nullptr;
    Operation pack = nullptr;   // of a mov: the same from a vector
    Operation unpack = nullptr; // and into one
    Needs needs{};
    std::array<OperandClass, 5> classes{};
    std::string_view modifiers{}; // "rn.ftz", between stem and type
    Operation other =
        nullptr; // of a setp: with a Boolean operator or two results; of min, max: of three sources
    Operation as_value = nullptr; // of a setp: what set does
};
/// The row with modifiers.
constexpr Opcode modified(std::string_view modifiers, Opcode row) {
    row.modifiers = modifiers;
    return row;
}
/// The row with its needs.
constexpr Opcode needing(const Needs& needs, Opcode row) {
    row.needs = needs;
    return row;
}

void decode_plain(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
/// As decode_plain, whatever is left of the name.
void decode_operands(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_extreme(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_compare(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_compare_with(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_set(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_logic3(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_carry(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_move(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_convert(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_load(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_store(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_call(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_return(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_table_branch(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_atomic(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
/// A mov from a clock: true when it is one.
[[nodiscard]] bool decode_clock(Decoding&, const ptx::Instruction&, Instruction&);
void decode_move_vector(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_mbarrier(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_mbarrier_arrival(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_mbarrier_wait(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_copy(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_bulk_copy(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_group_wait(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_async_arrival(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_advice(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_policy(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_branch(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_barrier(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_barrier_reduction(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_cluster_barrier(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_sleep(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_warp(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_warp_barrier(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_tensor_message(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_tensor_order(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_tensor_allocate(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_tensor_free(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);
void decode_tensor_relinquish(Decoding&, const Opcode&, const ptx::Instruction&, Instruction&);

// Rows by family. The first are compiled per CPU level.
#define TMEMC_LEVEL_ROWS(level)                                                                              \
    namespace level {                                                                                        \
    [[nodiscard]] std::span<const Opcode> integer_rows();                                                    \
    [[nodiscard]] std::span<const Opcode> carry_rows();                                                      \
    [[nodiscard]] std::span<const Opcode> count_rows();                                                      \
    [[nodiscard]] std::span<const Opcode> bit_rows();                                                        \
    [[nodiscard]] std::span<const Opcode> compare_rows();                                                    \
    [[nodiscard]] std::span<const Opcode> float_rows();                                                      \
    [[nodiscard]] std::span<const Opcode> sign_rows();                                                       \
    [[nodiscard]] std::span<const Opcode> divide_rows();                                                     \
    [[nodiscard]] std::span<const Opcode> double_rows();                                                     \
    [[nodiscard]] std::span<const Opcode> approximate_rows();                                                \
    [[nodiscard]] std::span<const Opcode> move_rows();                                                       \
    [[nodiscard]] std::span<const Opcode> narrow_rows();                                                     \
    [[nodiscard]] std::span<const Opcode> half_rows();                                                       \
    [[nodiscard]] std::span<const Opcode> mixed_rows();                                                      \
    [[nodiscard]] std::span<const Opcode> half_compare_rows();                                               \
    }
TMEMC_LEVEL_ROWS(baseline)
TMEMC_LEVEL_ROWS(avx2)
#undef TMEMC_LEVEL_ROWS
[[nodiscard]] std::span<const Opcode> convert_rows();
[[nodiscard]] std::span<const Opcode> memory_rows();
[[nodiscard]] std::span<const Opcode> address_rows();
[[nodiscard]] std::span<const Opcode> atomic_rows();
[[nodiscard]] std::span<const Opcode> control_rows();
[[nodiscard]] std::span<const Opcode> tensor_rows();
[[nodiscard]] std::span<const Opcode> warp_rows();
[[nodiscard]] std::span<const Opcode> mbarrier_rows();
[[nodiscard]] std::span<const Opcode> async_rows();
[[nodiscard]] std::span<const Opcode> special_opcode_rows();

enum class CpuLevel : std::uint8_t { baseline, avx2 };
/// The best level of this processor.
[[nodiscard]] CpuLevel cpu_level();

struct OpcodeMatch {
    const Opcode* row = nullptr;
    std::string_view rest; // of the name, without the dot between
};
/// The row with the longest name that begins `name`; null when there is none.
[[nodiscard]] OpcodeMatch find_opcode(std::string_view name, CpuLevel level);
/// Every name that a row gives, for "did you mean".
[[nodiscard]] const std::vector<std::string>& opcode_names();

} // namespace tmemc::emulator
