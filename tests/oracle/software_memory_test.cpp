// Tensor memory in software does what it does in hardware: the kernels of the examples and of the golden
// files, and drawn ones of up to 512 columns, leave the same bytes on the emulator, compiled for targets with
// and without what sm_100a has; ptxas assembles them. What is drawn is counted by class, and a class without
// a member fails.
#include "both_memories.hpp"
#include "skip.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

namespace {

using namespace tmemc;
using tests::Arrays;

std::vector<base::Source> sources(const std::string& folder) {
    std::vector<std::filesystem::path> paths;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder))
        if (each.path().extension() == ".tmx") paths.push_back(each.path());
    std::sort(paths.begin(), paths.end());
    std::vector<base::Source> list;
    list.reserve(paths.size());
    for (const auto& path : paths) {
        std::ifstream file(path);
        list.emplace_back(path.string(), std::string{std::istreambuf_iterator<char>(file), {}});
    }
    return list;
}

std::vector<std::string> kernels_of(const base::Source& source) {
    std::vector<std::string> names;
    for (const grammar::ast::Item& item : parse(source).tree.items)
        if (const auto* kernel = std::get_if<grammar::ast::Kernel>(&item.node))
            names.push_back(kernel->name.text);
    return names;
}

/// How many kernels were compared; those in error are left out, for both modes refuse them.
int compare_all(const std::string& folder, std::map<std::string, int>& classes) {
    int compared = 0;
    for (const base::Source& source : sources(folder))
        for (const std::string& kernel : kernels_of(source)) {
            const Compilation made = tests::compiled_for(source, kernel, "sm_100a", false);
            if (!made.ok() || made.program.kernels.empty()) continue;
            const Compilation software = tests::compiled_for(source, kernel, "sm_100a", true);
            REQUIRE(software.ok());
            const lower::CellImage& cells = software.trace.kernels.front().cells;
            ++classes[cells.bytes == 0 ? "no tensor memory" : cells.parameter.empty() ? "shared" : "global"];
            if (made.space.kernels.front().columns == 512) ++classes["512 columns"];
            CHECK(made.plan == software.plan);
            CHECK(made.space == software.space);
            const Arrays given = tests::inputs(tests::signature(made), 7);
            CHECK(tests::difference(source, kernel, given) == "");
            ++compared;
        }
    return compared;
}

struct Draw {
    std::string text, kind;
};

/// A few buffers over up to 512 columns, written whole; then slices of them go to and fro, of two warpgroups
/// in turn or of one, and come out at the end. Nobody writes a wait.
Draw draw(std::mt19937& random, int turn) {
    const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    struct Kind {
        const char *dtype, *tmem, *frag;
        int rows, unit; // columns of the smallest slice
    };
    constexpr Kind kinds[] = {
        {"f32", "datapath D", "atom 32x32b", 128, 1},           {"f32", "datapath D", "atom 16x64b", 128, 2},
        {"u32", "datapath A", "atom 16x128b", 128, 4},          {"f32", "datapath D", "atom 16x256b", 128, 8},
        {"u32", "datapath F sub_slab 1", "atom 16x64b", 64, 2}, {"f16", "datapath C", "atom 16x128b", 64, 8},
        {"bf16", "datapath F", "atom 16x256b", 64, 16},         {"u8", "datapath D", "atom 32x32b", 128, 4},
        {"f16", "datapath D unpacked", "atom 16x64b", 128, 4},  {"s16", "unpacked", "atom 32x32b", 128, 2},
        {"f16", "datapath F unpacked", "atom 16x256b", 64, 16},
    };
    const Kind& kind = kinds[static_cast<std::size_t>(turn) % std::size(kinds)];
    const bool unpacked = std::string(kind.tmem).find("unpacked") != std::string::npos;
    const bool two = turn / 11 % 2 == 1, large = turn / 22 % 3 == 0;
    const int bits = kind.dtype == std::string("u8") ? 8 : kind.dtype[1] == '3' ? 32 : 16;
    const int per_cell = unpacked ? 1 : 32 / bits;
    const int most = (large ? 512 : 64) * per_cell / 2 / kind.unit; // units of one of two buffers
    const int cols = kind.unit * (large ? most : 1 + below(most));
    const int wide = std::min(cols / kind.unit, 32 * 32 / bits / kind.unit); // units of a fragment
    const std::string tile = fmt::format("{}[{}, ", kind.dtype, kind.rows);
    std::string text = fmt::format(
        "kernel k(in A: {0}{1}], out B: {0}{1}], out C: {0}{1}]) warpgroups({2}) {{\n  tmem S: {0}{1}] {3};\n"
        "  tmem T: {0}{1}] {3};\n",
        tile, cols, two ? 2 : 1, kind.tmem);
    int fresh = 0;
    const auto piece = [&](int first, int units, const std::string& body) {
        const int wg = two ? below(2) : 0;
        const std::string name = fmt::format("X{}", fresh++);
        text += fmt::format("  frag {}: {}{}] {};\n  on warpgroup {} {{ ", name, tile, units * kind.unit,
                            kind.frag, wg);
        for (const char c : body)
            text += c == '$'   ? fmt::format("[:, {} +: {}]", first * kind.unit, units * kind.unit)
                    : c == '@' ? name
                               : std::string(1, c);
        text += two ? " wait ld, st; }\n  sync;\n" : " }\n";
    };
    const int units = cols / kind.unit;
    const auto all = [&](const std::string& body) {
        for (int first = 0; first < units; first += wide) piece(first, std::min(wide, units - first), body);
    };
    all("copy @ <- A$; copy_async S$ <- @; copy_async T$ <- @;");
    for (int i = 0; i < 6; ++i) {
        const int count = 1 + below(wide), first = below(units - count + 1), to = below(units - count + 1);
        const bool from_s = below(2) == 0;
        piece(first, count,
              fmt::format("copy_async @ <- {}$; copy_async {}[:, {} +: {}] <- @;", from_s ? "S" : "T",
                          from_s ? "T" : "S", to * kind.unit, count * kind.unit));
    }
    all("copy_async @ <- S$; copy B$ <- @;");
    all("copy_async @ <- T$; copy C$ <- @;");
    return {text + "}\n", fmt::format("{} {} {}{}", kind.dtype, kind.tmem, kind.frag, two ? ", two" : "")};
}

} // namespace

TEST_CASE("examples do the same with tensor memory in software") {
    std::map<std::string, int> classes;
    CHECK(compare_all("../examples", classes) >= 17);
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count);
    CHECK(classes.count("shared") == 1);
    CHECK(classes.count("global") == 1);
}

TEST_CASE("kernels of the golden files do the same with tensor memory in software") {
    std::map<std::string, int> classes;
    MESSAGE("kernels: " << compare_all("golden", classes));
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count);
    CHECK(classes.size() >= 3); // no tensor memory, shared and global
}

TEST_CASE("drawn kernels do the same with tensor memory in software") {
    std::mt19937 random(5);
    std::map<std::string, int> classes;
    for (int turn = 0; turn < 66; ++turn) {
        const Draw drawn = draw(random, turn);
        CAPTURE(drawn.text);
        const base::Source source("drawn.tmx", drawn.text);
        CompileOptions options;
        options.order.automatic = true;
        const Compilation hardware = compile(source, options);
        REQUIRE_MESSAGE(hardware.ok(), base::render_text(hardware.diagnostics.list.front(), source));
        const Arrays given = tests::inputs(tests::signature(hardware), static_cast<std::uint64_t>(turn));
        const tests::Ran wanted = tests::ran(hardware, given);
        REQUIRE(wanted.problem == "");
        options.check.target = tests::software_targets[static_cast<std::size_t>(turn) % 4];
        options.check.tensor_memory = sema::TensorMemoryMode::software;
        const Compilation software = compile(source, options);
        REQUIRE(software.ok());
        CHECK(hardware.plan == software.plan);
        const auto mismatch = verify_text(software).mismatch;
        CHECK_MESSAGE(!mismatch, verify::to_string(mismatch.value_or(verify::Mismatch{}), source));
        const tests::Ran got = tests::ran(software, given);
        CHECK(got.problem == "");
        CHECK(got.values == wanted.values);
        ++classes[drawn.kind];
        ++classes[software.trace.kernels.front().cells.parameter.empty() ? "shared" : "global"];
        if (hardware.space.kernels.front().columns == 512) ++classes["512 columns"];
    }
    for (const auto& [name, count] : classes) MESSAGE(name << ": " << count);
    CHECK(classes.size() == 22 + 3);
}

TEST_CASE("ptxas assembles every example with tensor memory in software") {
    if (toolchain::find_ptxas().path.empty()) return tests::skipped("examples in software", "no ptxas");
    int assembled = 0;
    for (const base::Source& source : sources("../examples"))
        for (const std::string& target : tests::software_targets) {
            const Compilation made = tests::compiled_for(source, {}, target, true);
            REQUIRE_MESSAGE(made.ok(), source.name());
            const toolchain::Assembled done = toolchain::assemble(made.ptx.text, {{}, target, {}, false});
            CHECK_MESSAGE(done.status == toolchain::Assembled::Status::ok,
                          source.name() << " " << target << ": " << done.raw_errors);
            ++assembled;
        }
    MESSAGE("assembled: " << assembled);
}
