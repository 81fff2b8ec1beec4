// Every row of the emulator's opcode table against ptxas. A line of tests/data/opcodes/*.txt names a row and
// gives an instruction that fits it and one that does not:
//
//     add.s32 | add.s32 %r0, %r1, 4; | add.s32 %d0, %r1, 4;
//
// The emulator and ptxas must both take the first, at the lowest version and target that the row says it
// needs, and both refuse the second; just below what a row needs, both must refuse the first. A row may have
// more lines than one, and only one of them needs a bad probe; where the row's minimum is above ptxas's own,
// none does. Registers: %p<9> predicates, %h<9> .b16, %r<33> .b32, %d<9> .b64, %f<9> .f32, %g<9> .f64, %q<5>
// .b128; A is a .u64 parameter, S, C and G are .b32[64] in shared, const and global memory, L is a label,
// F a function from .b32 to .b32.
//
// ptxas names every line that it refuses, so all probes of one version and target are one module, a probe a
// line, and the whole table takes seconds. Not here: what the instructions compute.
#include "base/source.hpp"
#include "emulator/decode.hpp"
#include "skip.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace tmemc;

namespace {

struct Probe {
    std::string row, good, bad;
};
/// A module's first lines.
struct Setting {
    ptx::Version version;
    std::string target;
    auto operator<=>(const Setting&) const = default;
};
/// Text of one line each and the setting they are tried in.
using Batches = std::map<Setting, std::vector<std::string>>;

// ---- the lines
// -----------------------------------------------------------------------------------------------------

std::vector<Probe> read_probes() {
    std::vector<Probe> probes;
    for (const auto& file : std::filesystem::directory_iterator("data/opcodes")) {
        std::ifstream in(file.path());
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line[0] == '#') continue;
            const std::size_t first = line.find(" | "), second = line.find(" |", first + 3);
            CAPTURE(line);
            REQUIRE(second != std::string::npos);
            const std::string bad = line.substr(std::min(second + 3, line.size()));
            probes.push_back({line.substr(0, first), line.substr(first + 3, second - first - 3), bad});
        }
    }
    return probes;
}
const std::vector<Probe>& probes() {
    static const std::vector<Probe> all = read_probes();
    return all;
}

// ---- versions and targets
// ------------------------------------------------------------------------------------------

// What ptxas 13.0 knows, in order: versions, and targets with the version that brought each.
const std::vector<ptx::Version> versions = {{6, 3}, {6, 4}, {6, 5}, {7, 0}, {7, 1}, {7, 2}, {7, 3}, {7, 4},
                                            {7, 5}, {7, 6}, {7, 7}, {7, 8}, {8, 0}, {8, 1}, {8, 2}, {8, 3},
                                            {8, 4}, {8, 5}, {8, 6}, {8, 7}, {8, 8}, {9, 0}};
struct Target {
    std::string_view name;
    ptx::Version since;
};
const std::vector<Target> targets = {
    {"sm_75", {6, 3}},   {"sm_80", {7, 0}},   {"sm_86", {7, 1}},   {"sm_87", {7, 4}},   {"sm_88", {9, 0}},
    {"sm_89", {7, 8}},   {"sm_90", {7, 8}},   {"sm_90a", {8, 0}},  {"sm_100", {8, 6}},  {"sm_100a", {8, 6}},
    {"sm_100f", {8, 8}}, {"sm_103", {8, 8}},  {"sm_103a", {8, 8}}, {"sm_103f", {8, 8}}, {"sm_110", {9, 0}},
    {"sm_110a", {9, 0}}, {"sm_110f", {9, 0}}, {"sm_120", {8, 7}},  {"sm_120a", {8, 7}}, {"sm_120f", {8, 8}},
    {"sm_121", {8, 8}},  {"sm_121a", {8, 8}}, {"sm_121f", {8, 8}}};

/// sm_101 was the name of sm_110 in PTX 8; ptxas 13.0 has forgotten it.
bool known(std::string_view name) { return name.rfind("sm_101", 0) != 0; }
const Target& target_named(std::string_view name) {
    const auto found = std::find_if(targets.begin(), targets.end(), [&](auto& t) { return t.name == name; });
    REQUIRE_MESSAGE(found != targets.end(), name);
    return *found;
}
emulator::Needs needs_of(const std::string& row) {
    const auto match = emulator::find_opcode(row, emulator::CpuLevel::baseline);
    return match.row == nullptr ? emulator::Needs{} : match.row->needs;
}

/// The lowest settings that have what is needed: one, or one for each target in a list.
std::vector<Setting> lowest(const emulator::Needs& needs) {
    std::vector<Setting> list;
    std::istringstream names(needs.targets.empty() ? fmt::format("sm_{}", needs.sm)
                                                   : std::string(needs.targets));
    for (std::string name; names >> name;) {
        if (known(name)) list.push_back({std::max(needs.version, target_named(name).since), name});
    }
    return list;
}
/// The settings one step below, each short of one thing: the version; the letter behind the target's number,
/// or the number.
std::vector<Setting> below(const emulator::Needs& needs) {
    std::vector<Setting> list;
    for (const Setting& setting : lowest(needs)) {
        const Target& target = target_named(setting.target);
        if (setting.version > target.since) {
            const auto here = std::find(versions.begin(), versions.end(), setting.version);
            REQUIRE(here != versions.end());
            list.push_back({*(here - 1), setting.target});
        }
        const Target* lower = &target;
        while (lower != targets.data() && lower->name.back() > '9') --lower;
        if (lower == &target && lower != targets.data()) --lower;
        while (lower != targets.data() && lower->name.back() > '9') --lower;
        if (lower != &target) list.push_back({versions.back(), std::string(lower->name)});
    }
    return list;
}

// ---- trying
// --------------------------------------------------------------------------------------------------------

constexpr std::uint32_t lines_before = 10;
std::string module_of(const Setting& setting, const std::vector<std::string>& lines) {
    const auto mentions = [&](const char* name) {
        return std::any_of(lines.begin(), lines.end(),
                           [&](auto& line) { return line.find(name) != std::string::npos; });
    };
    std::string text = fmt::format(
        ".version {}.{}\n.target {}\n.address_size 64\n{}\n{}{}\n"
        ".visible .entry k(.param .u64 A)\n{{\n.reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<33>; "
        ".reg .b64 %d<9>; .reg .f32 %f<9>; .reg .f64 %g<9>; .reg .b128 %q<5>;\n"
        ".shared .align 128 .b32 S[64];\nL:\n",
        setting.version.major, setting.version.minor, setting.target,
        mentions("[C") ? ".const .align 128 .b32 C[64];" : "",
        mentions("[G") ? ".global .align 128 .b32 G[64];" : "",
        mentions(" F,") ? ".func (.param .b32 r) F(.param .b32 x) { ret; }" : "");
    if (setting.version < ptx::Version{8, 3}) text.replace(text.find(".reg .b128 %q<5>;"), 17, "");
    for (const std::string& line : lines) text += line + "\n";
    return text + "ret;\n}\n";
}

/// What is said against a line, by its number in the module.
using Complaints = std::vector<std::pair<std::uint32_t, std::string>>;

Complaints emulator_complains(const Setting&, const std::string& module) {
    Complaints said;
    const base::Source source("probes.ptx", module);
    for (const auto& diagnostic : emulator::load(source, emulator::CpuLevel::baseline).diagnostics.list)
        said.emplace_back(source.position(diagnostic.span.begin).line, diagnostic.message);
    return said;
}
Complaints ptxas_complains(const Setting& setting, const std::string& module) {
    toolchain::PtxasOptions options;
    options.target = setting.target;
    options.flags = {"-O0"};
    const auto assembled = toolchain::assemble(module, options);
    Complaints said;
    for (const auto& message : assembled.messages) {
        if (message.severity == "error") said.emplace_back(message.line, message.text);
    }
    const bool taken = assembled.status == toolchain::Assembled::Status::ok;
    REQUIRE_MESSAGE(taken == said.empty(), assembled.raw_errors);
    return said;
}

using Judge = Complaints (*)(const Setting&, const std::string&);

// A mistake that ends a judge's reading hides those behind it: the lines that it said nothing against are
// tried again, until it takes them all.
std::vector<std::string> says(Judge judge, const Setting& setting, const std::vector<std::string>& lines) {
    std::vector<std::string> said(lines.size()), left = lines;
    while (true) {
        const Complaints complaints = judge(setting, module_of(setting, left));
        if (complaints.empty()) return said;
        for (const auto& complaint : complaints) {
            const std::uint32_t line = complaint.first;
            const std::string& text = complaint.second;
            REQUIRE_MESSAGE(line > lines_before, text);
            const std::size_t k = line - lines_before - 1;
            REQUIRE_MESSAGE(k < left.size(), text);
            REQUIRE_MESSAGE(left[k] != "", text);
            said[k] += text + "; ";
        }
        for (std::size_t k = 0; k < lines.size(); ++k) {
            if (!said[k].empty()) left[k] = "";
        }
    }
}

/// The judge takes all lines, or refuses them all.
void check(const Batches& batches, Judge judge, bool taken) {
    std::size_t lines_tried = 0;
    for (const auto& batch : batches) {
        const Setting& setting = batch.first;
        const std::vector<std::string>& lines = batch.second;
        const std::vector<std::string> said = says(judge, setting, lines);
        for (std::size_t k = 0; k < lines.size(); ++k) {
            const std::string where = fmt::format("{} .version {}.{}", setting.target, setting.version.major,
                                                  setting.version.minor);
            CHECK_MESSAGE(said[k].empty() == taken, lines[k], " at ", where, ": ",
                          said[k].empty() ? "is taken" : said[k]);
        }
        lines_tried += lines.size();
    }
    MESSAGE(lines_tried << " lines in " << batches.size() << " modules");
}

Batches good_lines() {
    Batches batches;
    for (const Probe& probe : probes()) {
        for (const Setting& setting : lowest(needs_of(probe.row))) batches[setting].push_back(probe.good);
    }
    return batches;
}
Batches bad_lines() {
    Batches batches;
    for (const Probe& probe : probes()) {
        if (!probe.bad.empty()) batches[lowest(needs_of(probe.row)).front()].push_back(probe.bad);
    }
    return batches;
}
Batches early_lines() {
    Batches batches;
    for (const Probe& probe : probes()) {
        for (const Setting& setting : below(needs_of(probe.row))) batches[setting].push_back(probe.good);
    }
    return batches;
}

bool no_ptxas() {
    if (!toolchain::find_ptxas().path.empty()) return false;
    tests::skipped("opcode probes", "no ptxas");
    return true;
}

} // namespace

TEST_CASE("every row has a line, every line a row of that very name, and something to refuse") {
    std::set<std::string> named, refusing;
    for (const Probe& probe : probes()) {
        named.insert(probe.row);
        if (!probe.bad.empty() || !below(needs_of(probe.row)).empty()) refusing.insert(probe.row);
        // The good probe is an instruction of this row, and not of a longer or shorter one; where it needs a
        // scope of its own, nobody looks.
        if (probe.good[0] == '{') continue;
        const std::size_t guard = probe.good[0] == '@' ? probe.good.find(' ') + 1 : 0;
        const std::string name = probe.good.substr(guard, probe.good.find_first_of(" ;", guard) - guard);
        const auto row = emulator::find_opcode(probe.row, emulator::CpuLevel::baseline).row;
        CHECK_MESSAGE(emulator::find_opcode(name, emulator::CpuLevel::baseline).row == row, probe.row, ": ",
                      probe.good);
    }
    const std::vector<std::string> names = emulator::opcode_names();
    for (const std::string& name : names) {
        CHECK_MESSAGE(named.count(name) == 1, name, " has no line");
        CHECK_MESSAGE(refusing.count(name) == 1, name, " has nothing to refuse");
    }
    for (const std::string& name : named)
        CHECK_MESSAGE(std::binary_search(names.begin(), names.end(), name), name, " is no row");
}

TEST_CASE("the emulator takes every good probe at its minimum") {
    check(good_lines(), emulator_complains, true);
}
TEST_CASE("the emulator refuses every bad probe") { check(bad_lines(), emulator_complains, false); }
TEST_CASE("the emulator refuses every good probe just below its minimum") {
    check(early_lines(), emulator_complains, false);
}
TEST_CASE("ptxas takes every good probe at its minimum") {
    if (!no_ptxas()) check(good_lines(), ptxas_complains, true);
}
TEST_CASE("ptxas refuses every bad probe") {
    if (!no_ptxas()) check(bad_lines(), ptxas_complains, false);
}
TEST_CASE("ptxas refuses every good probe just below its minimum") {
    if (!no_ptxas()) check(early_lines(), ptxas_complains, false);
}
