// The table of all rows, and the processor's level.
#include "emulator/opcodes.hpp"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <string>
#include <unordered_map>

namespace tmemc::emulator {

namespace {

// By full name. Made once per level; never changed after.
struct Table {
    std::unordered_map<std::string, const Opcode*> rows;
    std::size_t longest = 0; // of the names
};

std::string full_name(const Opcode& row) {
    std::string name(row.stem);
    if (!row.modifiers.empty()) name.append(".").append(row.modifiers);
    if (!row.type.empty()) name.append(".").append(row.type);
    return name;
}

template <class... Families>
Table make_table(Families... families) {
    Table table;
    const auto add = [&](std::span<const Opcode> rows) {
        for (const Opcode& row : rows) {
            const std::string name = full_name(row);
            table.longest = std::max(table.longest, name.size());
            table.rows.emplace(name, &row);
        }
    };
    (add(families()), ...);
    return table;
}

// clang-format off
/// Every family of rows; arithmetic is of one CPU level.
#define TMEMC_FAMILIES(level)                                                                                \
    level::approximate_rows,                                                                                 \
    level::bit_rows,                                                                                         \
    level::carry_rows,                                                                                       \
    level::compare_rows,                                                                                     \
    level::count_rows,                                                                                       \
    level::divide_rows,                                                                                      \
    level::double_rows,                                                                                      \
    level::float_rows,                                                                                       \
    level::half_compare_rows,                                                                                \
    level::half_rows,                                                                                        \
    level::integer_rows,                                                                                     \
    level::mixed_rows,                                                                                       \
    level::move_rows,                                                                                        \
    level::narrow_rows,                                                                                      \
    level::sign_rows,                                                                                        \
    address_rows,                                                                                            \
    async_rows,                                                                                              \
    atomic_rows,                                                                                             \
    control_rows,                                                                                            \
    convert_rows,                                                                                            \
    mbarrier_rows,                                                                                           \
    memory_rows,                                                                                             \
    special_opcode_rows,                                                                                     \
    tensor_rows,                                                                                             \
    warp_rows
// clang-format on

const Table& table(CpuLevel level) {
    static const Table baseline_table = make_table(TMEMC_FAMILIES(baseline));
#ifdef TMEMC_HAS_AVX2
    static const Table avx2_table = make_table(TMEMC_FAMILIES(avx2));
    if (level == CpuLevel::avx2) return avx2_table;
#endif
    static_cast<void>(level);
    return baseline_table;
}

} // namespace

CpuLevel cpu_level() {
#ifdef TMEMC_HAS_AVX2
    if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0) return CpuLevel::avx2;
#endif
    return CpuLevel::baseline;
}

OpcodeMatch find_opcode(std::string_view name, CpuLevel level) {
    const auto& [rows, longest] = table(level);
    std::string prefix(name.substr(0, longest + 1));
    if (prefix.size() < name.size()) prefix.resize(std::min(prefix.rfind('.'), prefix.size()));
    while (true) {
        if (const auto row = rows.find(prefix); row != rows.end()) {
            return {row->second, name.substr(std::min(prefix.size() + 1, name.size()))};
        }
        const std::size_t dot = prefix.rfind('.');
        if (dot == std::string::npos) return {};
        prefix.resize(dot);
    }
}

std::string missing(const Needs& needs, const ptx::Version& version, std::string_view target) {
    if (version < needs.version) {
        return fmt::format(".version {}.{} or later, and the module says {}.{}", needs.version.major,
                           needs.version.minor, version.major, version.minor);
    }
    int sm = 0;
    const std::size_t digits = std::min(target.find_first_of("0123456789"), target.size());
    std::from_chars(target.data() + digits, target.data() + target.size(), sm);
    const std::string padded = fmt::format(" {} ", needs.targets);
    const bool listed = padded.find(fmt::format(" {} ", target)) != std::string::npos;
    if (!needs.targets.empty() && !listed) {
        return fmt::format("one of the targets {}, and the module says {}", needs.targets, target);
    }
    return sm >= needs.sm ? ""
                          : fmt::format(".target sm_{} or later, and the module says {}", needs.sm, target);
}

const std::vector<std::string>& opcode_names() {
    static const std::vector<std::string> sorted = [] {
        std::vector<std::string> names;
        for (const auto& [name, row] : table(CpuLevel::baseline).rows) names.push_back(name);
        std::sort(names.begin(), names.end());
        return names;
    }();
    return sorted;
}

} // namespace tmemc::emulator
