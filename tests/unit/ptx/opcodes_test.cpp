// The rows of targets.def and opcodes.def, judged by ptxas where there is one: each probe assembles at the
// row's version and is refused one version below, and on a target that lacks what the row needs.
#include "ptx/opcodes.hpp"
#include "ptx/read.hpp"
#include "ptx/targets.hpp"
#include "skip.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace tmemc;
using namespace tmemc::ptx;

namespace {

std::string probe_module(Version version, std::string_view target, std::string_view instruction) {
    return fmt::format(".version {}.{}\n.target {}\n.address_size 64\n.visible .entry k(.param .u64 A)\n{{\n"
                       ".reg .b16 %h<4>;\n.reg .b32 %r<200>;\n.reg .b64 %d<4>;\n.reg .pred %p<4>;\n.shared "
                       ".align 4 .b32 S;\n"
                       "{}\nL:\nret;\n}}\n",
                       version.major, version.minor, target, instruction);
}

bool assembles(Version version, std::string_view target, std::string_view instruction) {
    toolchain::PtxasOptions options;
    options.target = target;
    const auto status = toolchain::assemble(probe_module(version, target, instruction), options).status;
    REQUIRE(status != toolchain::Assembled::Status::not_found);
    return status == toolchain::Assembled::Status::ok;
}

/// Versions that ptxas 13.0 knows, in order.
const std::vector<Version> versions = {{6, 3}, {6, 4}, {6, 5}, {7, 0}, {7, 1}, {7, 2}, {7, 3}, {7, 4},
                                       {7, 5}, {7, 6}, {7, 7}, {7, 8}, {8, 0}, {8, 1}, {8, 2}, {8, 3},
                                       {8, 4}, {8, 5}, {8, 6}, {8, 7}, {8, 8}, {9, 0}};

Version before(Version version) {
    const auto here = std::find(versions.begin(), versions.end(), version);
    REQUIRE(here != versions.end());
    REQUIRE(here != versions.begin());
    return *(here - 1);
}

bool no_ptxas() {
    if (!toolchain::find_ptxas().path.empty()) return false;
    tests::skipped("rows against ptxas", "no ptxas");
    return true;
}

Module module_with(const std::string& target, std::vector<std::string> names) {
    Module module;
    module.target = target;
    module.functions.emplace_back();
    for (std::string& name : names)
        module.functions[0].body.emplace_back(Instruction{std::nullopt, std::move(name), {}});
    return module;
}

} // namespace

TEST_CASE("every probe reads, and its name belongs to its row") {
    for (const OpcodeRow& row : opcode_rows()) {
        CAPTURE(row.name);
        const ReadResult result = read(base::Source("t.ptx", probe_module(row.since, "sm_100a", row.probe)));
        REQUIRE(result.diagnostics.list.empty());
        const auto& instruction = std::get<Instruction>(result.module.functions.at(0).body.at(5));
        CHECK(opcode(instruction.name) == &row);
    }
}

TEST_CASE("a name belongs to a row as a whole only") {
    CHECK(opcode("ld.global.v4.b32"));
    CHECK(opcode("tcgen05.ld.sync.aligned.32x32b.x128.b32"));
    CHECK(opcode("tcgen05.ld.sync.aligned.32x32b.x16.pack::16b.b32"));
    for (const char* other :
         {"ld.global.v3.b32", "ld.global", "ld.global.v4.b32.x", "tcgen05.ld.sync.aligned.16x256b.x64.b32",
          "tcgen05.ld.sync.aligned.32x32b.x3.b32", "tcgen05.st.sync.aligned.32x32b.x1.pack::16b.b32", "",
          "re"})
        CHECK_MESSAGE(!opcode(other), other);
}

TEST_CASE("the version is the lowest that target and instructions take") {
    const auto version = [](const char* target, std::vector<std::string> names) {
        return required_version(module_with(target, std::move(names)));
    };
    CHECK(version("sm_100a", {"ret"}) == Version{8, 6});
    CHECK(version("sm_100a", {"ld.global.v4.b32", "tcgen05.wait::ld.sync.aligned"}) == Version{8, 6});
    CHECK(version("sm_100a", {"ld.global.v8.b32", "ret"}) == Version{8, 8});
    CHECK(version("sm_100f", {"ret"}) == Version{8, 8});
    CHECK(version("sm_103a", {"ret"}) == Version{8, 8});
    CHECK(version("sm_110f", {"ld.global.v8.b32"}) == Version{9, 0});
    CHECK_THROWS(version("sm_100a", {"frobnicate"}));
    CHECK(version("sm_75", {"ret"}) == Version{6, 3});
    CHECK(version("sm_75", {"tanh.approx.f32"}) == Version{7, 0});
    CHECK(version("sm_90", {"add.rn.bf16x2"}) == Version{7, 8});
    CHECK_THROWS(version("sm_70", {"ret"}));
}

TEST_CASE("six targets have tensor memory, and there are others from sm_75 on") {
    CHECK(target_names(true) ==
          std::vector<std::string>{"sm_100a", "sm_100f", "sm_103a", "sm_103f", "sm_110a", "sm_110f"});
    CHECK(target_names(false).size() == 23);
    CHECK(target("sm_103a")->load_reduce);
    CHECK_FALSE(target("sm_100f")->load_reduce);
    CHECK_FALSE(target("sm_100")->tensor_memory);
    CHECK(target("sm_75")->capability == 75);
    CHECK(target("sm_70") == nullptr);
}

TEST_CASE("ptxas takes each target, with its tensor memory, from the row's version on") {
    if (no_ptxas()) return;
    const std::string_view probe = "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r0}, [%r1];";
    const std::string_view reduce = "tcgen05.ld.red.sync.aligned.32x32b.x2.min.u32 {%r0, %r1}, %r2, [%r3];";
    for (const TargetRow& row : target_rows()) {
        CAPTURE(row.name);
        CHECK(assembles(row.since, row.name, "ret;"));
        if (row.since != versions.front()) CHECK_FALSE(assembles(before(row.since), row.name, "ret;"));
        CHECK(assembles(row.since, row.name, probe) == row.tensor_memory);
        CHECK(assembles({9, 0}, row.name, reduce) == row.load_reduce);
    }
}

TEST_CASE("ptxas takes each instruction from the row's version on") {
    // By Feature: a target that has it, and one that lacks it.
    const std::vector<std::pair<std::string_view, std::string_view>> targets = {
        {"sm_75", ""},        {"sm_80", "sm_75"},    {"sm_89", "sm_80"},    {"sm_90", "sm_89"},
        {"sm_100a", "sm_90"}, {"sm_100a", "sm_100"}, {"sm_103a", "sm_100a"}};
    if (no_ptxas()) return;
    int probes = 0, refused = 0;
    for (const OpcodeRow& row : opcode_rows()) {
        CAPTURE(row.name);
        const auto& [has, lacks] = targets[static_cast<std::size_t>(row.feature)];
        CHECK(assembles(row.since, has, row.probe));
        ++probes;
        if (row.since == versions.front()) continue;
        CHECK_FALSE(assembles(before(row.since), has, row.probe));
        if (!lacks.empty()) CHECK_FALSE(assembles({9, 0}, lacks, row.probe));
        ++refused;
    }
    MESSAGE(probes << " probes assembled, " << refused << " refused one version below");
}

TEST_CASE("the table spells out the 148 messages that ptxas takes, and no other") {
    int known = 0;
    for (const std::string direction : {"ld", "st"})
        for (const std::string shape : {"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"})
            for (int num = 1; num <= 128; num *= 2)
                for (const bool pack : {false, true}) {
                    const std::string name =
                        fmt::format("tcgen05.{}.sync.aligned.{}.x{}{}.b32", direction, shape, num,
                                    !pack               ? ""
                                    : direction == "ld" ? ".pack::16b"
                                                        : ".unpack::16b");
                    known += opcode(name) != nullptr ? 1 : 0;
                }
    CHECK(known == 148); // facts: all but 16x128b.x128, 16x256b.x64 and .x128
}
