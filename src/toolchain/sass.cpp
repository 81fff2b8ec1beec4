// Opcodes and fields as bit positions.
#include "toolchain/sass.hpp"

#include "toolchain/elf.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace tmemc::toolchain {
namespace {

constexpr std::uint64_t instruction_bytes = 16;
constexpr std::uint64_t ldtm = 0x9ee, ldtm_stat = 0x5ee, sttm = 0x9ed, ldl = 0x983, stl = 0x387,
                        fence_view = 0x3c6, nop = 0x918, find_and_set = 0x5e3, nanosleep = 0x95d,
                        umov = 0x882;
/// Others that write a uniform register: UMOV of a register, R2UR, LDCU, S2UR, ULEA, UIADD3, ULOP3, USHF,
/// VOTEU, REDUX, UFLO.
constexpr std::uint64_t uniform_writers[] = {0xc82, 0x2ca, 0x7ac, 0x9c3, 0x291, 0x891, 0x290, 0x890,
                                             0x292, 0x892, 0x299, 0x899, 0x886, 0x3c4, 0x2bd, 0x5e3};
constexpr unsigned move_bit = 91; // the 13th bit of the opcode, set of all that move tensor memory
constexpr std::uint64_t of_tensor_memory = 2; // of FENCE.VIEW.ASYNC; 0 shared, 1 global memory
constexpr std::uint64_t frame = 1;            // R1 points to the frame
constexpr int block_of_columns = 32;

constexpr std::array<std::string_view, 8> shape_names{"16x128b",  "16x256b",  "32x32b", "16x64b",
                                                      "16x32bx2", "16x32bx2", "?",      "?"};
constexpr std::array<int, 8> access_bytes{1, 1, 2, 2, 4, 8, 16, 0}; // of bits 73 to 75

/// What .nv.capmerc.text.KERNEL has for a wait: 16 bytes, of which the first is the length, the next two the
/// instruction, the fifth its guard (none).
constexpr std::string_view mercury_wait_ld{"\x01\x63\x66\x0a\xf8\x00\x08\0\0\0\0\0\0\0\0\0", 16};
constexpr std::string_view mercury_wait_st{"\x01\x63\x62\x0a\xf8\x00\x09\0\0\0\0\0\0\0\0\0", 16};

/// The chips whose code was looked at: those that ptxas 12.8 to 13.5 assembles for.
constexpr int known_architectures[] = {70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103, 110, 120, 121};

struct Word {
    std::uint64_t low = 0, high = 0;
    [[nodiscard]] std::uint64_t opcode() const { return low & 0xfff; }
    [[nodiscard]] std::uint64_t field(unsigned first, unsigned width) const {
        return (first < 64 ? low >> first : high >> (first - 64)) & ((std::uint64_t{1} << width) - 1);
    }
};

TensorMove move_of(const Word& word) {
    TensorMove move;
    move.store = word.opcode() == sttm;
    move.shape = shape_names[word.field(87, 1) << 2 | word.field(81, 2)];
    move.num = 1 << word.field(83, 3);
    move.packed = word.field(80, 1) != 0;
    move.offset = static_cast<std::int32_t>(word.low >> 40 | word.field(72, 8) << 24);
    return move;
}

std::vector<Word> words_of(std::string_view code) {
    std::vector<Word> words;
    words.reserve(code.size() / instruction_bytes);
    Bytes bytes(code);
    for (std::uint64_t at = 0; at + instruction_bytes <= code.size(); at += instruction_bytes)
        words.push_back({bytes.number(at, 8), bytes.number(at + 8, 8)});
    while (!words.empty() && words.back().opcode() == nop) words.pop_back();
    return words;
}

/// What a UMOV of a constant has last put into the register that the allocation `at` reads.
std::optional<int> blocks_asked_for(const std::vector<Word>& words, std::size_t at) {
    const std::uint64_t wanted = words[at].field(32, 8);
    for (int steps = 0; at-- > 0 && steps < 64; ++steps) { // it stands close by
        const Word& each = words[at];
        if (each.field(16, 8) != wanted) continue;
        if (each.opcode() == umov) {
            const std::uint64_t blocks = each.field(32, 32);
            return blocks >= 1 && blocks <= 16 ? std::optional<int>(static_cast<int>(blocks)) : std::nullopt;
        }
        if (std::count(std::begin(uniform_writers), std::end(uniform_writers), each.opcode()) != 0) break;
    }
    return std::nullopt;
}

std::optional<int> allocated_columns(const std::vector<Word>& words) {
    int columns = 0;
    bool again = false; // an allocation that has not been successful
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i].opcode() == nanosleep) again = true;
        if (words[i].opcode() != find_and_set) continue;
        if (!std::exchange(again, false)) {
            const std::optional<int> blocks = blocks_asked_for(words, i);
            if (!blocks) return std::nullopt;
            columns += *blocks * block_of_columns;
        }
    }
    return columns;
}

int occurrences(std::string_view of, std::string_view in) {
    int count = 0;
    for (std::size_t at = in.find(of); at != std::string_view::npos; at = in.find(of, at + of.size()))
        ++count;
    return count;
}

} // namespace

bool sass_known(int architecture) {
    return std::count(std::begin(known_architectures), std::end(known_architectures), architecture) != 0;
}

SassCounts count_sass(const Code& code) {
    SassCounts counts;
    const std::vector<Word> words = words_of(code.bytes);
    counts.instructions = static_cast<int>(words.size());
    const auto is_spill = [&](std::size_t i) {
        if (!code.spills) return words[i].field(24, 8) == frame;
        return std::binary_search(code.spills->begin(), code.spills->end(), i * instruction_bytes);
    };
    const auto count_move = [&](const Word& word) {
        if (word.field(move_bit, 1) != 0) counts.moves.push_back(move_of(word));
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
        const Word& each = words[i];
        switch (each.opcode()) {
        case ldl:
        case stl:
            if (is_spill(i))
                (each.opcode() == stl ? counts.spill_stores : counts.spill_loads) +=
                    access_bytes[each.field(73, 3)];
            break;
        case fence_view: counts.store_waits += each.field(72, 2) == of_tensor_memory ? 1 : 0; break;
        case ldtm:
        case ldtm_stat:
        case sttm: count_move(each); break;
        default: break;
        }
    }
    counts.columns = allocated_columns(words);
    // The second form is trusted when it agrees about the waits that the first one has too.
    if (!code.mercury.empty() && occurrences(mercury_wait_st, code.mercury) == counts.store_waits)
        counts.load_waits = occurrences(mercury_wait_ld, code.mercury);
    else if (counts.store_waits == 0 && counts.moves.empty())
        counts.load_waits = 0;
    return counts;
}

} // namespace tmemc::toolchain
