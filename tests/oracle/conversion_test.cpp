// cvt: that the emulator takes exactly the combinations of types and modifiers that ptxas takes
// (data/conversions.txt, and ptxas itself where there is one), each from the version and target that it
// needs. Not here: what they give (conversion_values_test.cpp).
#include "base/source.hpp"
#include "conversion_cases.hpp"
#include "emulator/decode.hpp"
#include "skip.hpp"
#include "toolchain/ptxas.hpp"

#include <map>
#include <set>

using namespace tmemc;
using namespace tmemc::emulator;
using namespace oracle;

namespace {

constexpr std::uint32_t lines_before = 6;
std::string module_of(const std::string& version, const std::string& target,
                      const std::vector<std::string>& lines) {
    std::string text = fmt::format(".version {}\n.target {}\n.address_size 64\n.visible .entry k()\n{{\n"
                                   ".reg .b8 %b<9>; .reg .b16 %h<9>; .reg .b32 %r<9>; .reg .b64 %d<9>;\n",
                                   version, target);
    for (const std::string& line : lines) text += line + "\n";
    return text + "ret;\n}\n";
}
/// The numbers of the lines that are refused.
std::set<std::size_t> emulator_refuses(const std::string& version, const std::string& target,
                                       const std::vector<std::string>& lines) {
    std::set<std::size_t> refused;
    const base::Source source("cvt.ptx", module_of(version, target, lines));
    for (const auto& diagnostic : load(source, CpuLevel::baseline).diagnostics.list)
        refused.insert(source.position(diagnostic.span.begin).line - lines_before - 1);
    return refused;
}
std::set<std::size_t> ptxas_refuses(const std::string& version, const std::string& target,
                                    const std::vector<std::string>& lines) {
    std::set<std::size_t> refused;
    toolchain::PtxasOptions options;
    options.target = target;
    options.flags = {"-O0"};
    for (const auto& message : toolchain::assemble(module_of(version, target, lines), options).messages)
        if (message.severity == "error" && message.line > lines_before)
            refused.insert(message.line - lines_before - 1);
    return refused;
}

/// Every combination of types, rounding and modifiers, and whether the list has it.
std::pair<std::vector<std::string>, std::set<std::size_t>> all_combinations() {
    const auto types =
        words("u8 u16 u32 u64 s8 s16 s32 s64 f16 bf16 f32 f64 tf32 f16x2 bf16x2 e4m3x2 e5m2x2 e2m1x2 "
              "e2m3x2 e3m2x2 ue8m0x2 e4m3x4 e5m2x4 e2m1x4 e2m3x4 e3m2x4");
    std::map<std::string, std::string> listed; // by name: the operands
    for (const Case& c : cases()) listed[c.name()] = c.operands;
    std::vector<std::string> lines;
    std::set<std::size_t> refused;
    for (const std::string& to : types)
        for (const std::string& from : types)
            for (const char* rounding :
                 {"-", "rn", "rz", "rm", "rp", "rna", "rs", "rni", "rzi", "rmi", "rpi"})
                for (const char* flags : {"", ".ftz", ".sat", ".ftz.sat", ".relu", ".satfinite",
                                          ".relu.satfinite", ".sat.relu"}) {
                    Case c{to, from, "one", std::string(rounding) + flags, ""};
                    const auto found = listed.find(c.name());
                    if (found != listed.end()) c.operands = found->second;
                    // What is not listed is tried with the operands that the target would have.
                    else if (from == "f32" && count_of(to) == 2)
                        c.operands = rounding == std::string("rs") ? "pair+random" : "pair";
                    else if (from == "f32" && count_of(to) == 4)
                        c.operands = "quad+random";
                    if (found == listed.end()) refused.insert(lines.size());
                    lines.push_back(instruction(c));
                }
    return {lines, refused};
}

void same(const std::vector<std::string>& lines, const std::set<std::size_t>& wanted,
          const std::set<std::size_t>& got) {
    for (std::size_t k = 0; k < lines.size(); ++k)
        if (wanted.count(k) != got.count(k))
            FAIL_CHECK(fmt::format("{} {}", lines[k], got.count(k) != 0 ? "is refused" : "is taken"));
}

/// What a case needs: alternatives of a version and a target.
std::vector<std::pair<std::string, std::string>> alternatives(const std::string& needs) {
    std::vector<std::pair<std::string, std::string>> all;
    for (const std::string& either : words(needs, ',')) {
        const auto parts = words(either);
        for (const std::string& target : words(parts[1], '+')) all.emplace_back(parts[0], target);
    }
    return all;
}
const std::vector<std::string> versions =
    words("6.3 6.4 6.5 7.0 7.1 7.2 7.3 7.4 7.5 7.6 7.7 7.8 8.0 8.1 8.2 8.3 8.4 8.5 8.6 8.7 8.8 9.0");
const std::vector<std::string> plain_targets = words("sm_75 sm_80 sm_86 sm_89 sm_90 sm_100");

using Refuses = std::set<std::size_t> (*)(const std::string&, const std::string&,
                                          const std::vector<std::string>&);
/// At its minimum each is taken, one version or target below it is not.
void check_needs(Refuses refuses) {
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> taken, refused;
    for (const Case& c : cases()) {
        const auto all = alternatives(c.needs);
        for (const auto& [version, target] : all) {
            const bool new_target = target.size() > 6 || target == "sm_103" || target > "sm_12";
            if (!new_target) taken[{version, target}].push_back(instruction(c));
            const auto at = std::find(versions.begin(), versions.end(), version);
            if (at != versions.begin() && !new_target) refused[{*(at - 1), target}].push_back(instruction(c));
        }
        const std::string plain = all[0].second.size() > 6 ? "sm_101" : all[0].second;
        auto below = std::find(plain_targets.begin(), plain_targets.end(), plain);
        if (below != plain_targets.begin()) refused[{"9.0", *(below - 1)}].push_back(instruction(c));
    }
    for (const auto& [setting, lines] : taken) same(lines, {}, refuses(setting.first, setting.second, lines));
    for (const auto& each : refused) { // no bindings: INFO captures, and clang 14 captures none
        const auto& setting = each.first;
        std::set<std::size_t> all;
        for (std::size_t k = 0; k < each.second.size(); ++k) all.insert(k);
        INFO(setting.first << " " << setting.second);
        same(each.second, all, refuses(setting.first, setting.second, each.second));
    }
}

} // namespace

TEST_CASE("the emulator takes the conversions of the list and no others") {
    const auto [lines, refused] = all_combinations();
    same(lines, refused, emulator_refuses("9.0", "sm_100a", lines));
    MESSAGE(lines.size() << " combinations, " << lines.size() - refused.size() << " exist");
    CHECK(lines.size() - refused.size() == cases().size());
    check_needs(emulator_refuses);
}

TEST_CASE("ptxas takes the conversions of the list and no others") {
    if (toolchain::find_ptxas().path.empty()) return tests::skipped("conversions", "no ptxas");
    const auto [lines, refused] = all_combinations();
    same(lines, refused, ptxas_refuses("9.0", "sm_100a", lines));
    check_needs(ptxas_refuses);
}
