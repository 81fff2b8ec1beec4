// An instruction's row is the one whose pattern spells its name; `(a|b)` in a pattern stands for one of its
// choices.
#include "ptx/opcodes.hpp"

#include "base/invariant.hpp"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace tmemc::ptx {
namespace {

constexpr auto rows = std::to_array<OpcodeRow>({
#define TMEMC_OPCODE(name, major, minor, feature, section, probe)                                            \
    {name, Version{major, minor}, Feature::feature, section, probe},
#include "ptx/opcodes.def"
#undef TMEMC_OPCODE
});

/// True when `name` is what the pattern spells with one choice in each of its parentheses.
bool spells(std::string_view pattern, std::string_view name) {
    const std::size_t open = pattern.find('(');
    if (open == std::string_view::npos) return pattern == name;
    if (name.substr(0, open) != pattern.substr(0, open)) return false;
    const std::size_t close = pattern.find(')', open);
    std::string_view choices = pattern.substr(open + 1, close - open - 1);
    const std::string_view rest = pattern.substr(close + 1);
    name.remove_prefix(open);
    while (true) {
        const std::string_view choice = choices.substr(0, choices.find('|'));
        if (name.substr(0, choice.size()) == choice && spells(rest, name.substr(choice.size()))) return true;
        if (choice.size() == choices.size()) return false;
        choices.remove_prefix(choice.size() + 1);
    }
}

} // namespace

std::span<const OpcodeRow> opcode_rows() { return rows; }

const OpcodeRow* opcode(std::string_view name) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const OpcodeRow& each) { return spells(each.name, name); });
    return row == rows.end() ? nullptr : row;
}

bool has(const TargetRow& target, Feature feature) {
    switch (feature) {
    case Feature::sm_80: return target.capability >= 80;
    case Feature::sm_89: return target.capability >= 89;
    case Feature::sm_90: return target.capability >= 90;
    case Feature::sm_100: return target.capability >= 100;
    case Feature::load_reduce: return target.load_reduce;
    case Feature::tensor_memory: return target.tensor_memory;
    case Feature::any: break;
    }
    return true;
}

Version required_version(const Module& module) {
    const TargetRow* row = target(module.target);
    base::invariant(row != nullptr, "`" + module.target + "` has a row in targets.def");
    Version version = row->since;
    std::unordered_set<std::string_view> seen; // a kernel has thousands of instructions and a dozen names
    for (const Function& function : module.functions)
        for (const Statement& statement : function.body)
            if (const auto* instruction = std::get_if<Instruction>(&statement)) {
                if (!seen.insert(instruction->name).second) continue;
                const OpcodeRow* known = opcode(instruction->name);
                base::invariant(known != nullptr, "`" + instruction->name + "` has a row in opcodes.def");
                version = std::max(version, known->since);
            }
    return version;
}

} // namespace tmemc::ptx
