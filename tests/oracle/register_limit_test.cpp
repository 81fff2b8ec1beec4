// .maxnreg never costs anything: drawn trips through tensor memory, of one or two fragments, are assembled
// with the limit that the compiler gives and without it, and ptxas spills nothing and needs no instruction
// more.
#include "pipeline.hpp"
#include "skip.hpp"
#include "toolchain/cubin.hpp"
#include "toolchain/ptxas.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <map>
#include <random>

using namespace tmemc;

namespace {

struct Draw {
    std::string text, kind;
};

/// The tile as one fragment, or loaded as two beside each other.
Draw draw(std::mt19937& random, int turn) {
    constexpr const char* atoms[] = {"32x32b", "16x64b", "16x128b", "16x256b"};
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    const std::string atom = atoms[turn % 4];
    const bool rows_per_thread = atom == "32x32b", halves = below(3) == 0, split = turn / 8 % 2 == 0;
    const int rows = rows_per_thread || turn / 4 % 2 == 0 ? 128 : 64, unit = halves ? 16 : 8;
    const int most = (rows == 128 ? 200 : 400) * (halves ? 2 : 1) / unit;
    const int first = 1 + below(static_cast<unsigned>(most) / 2),
              second = 1 + below(static_cast<unsigned>(most) / 2);
    const int cols = unit * (split ? first + second : first), cut = unit * first;
    const std::string tile = fmt::format("{}[{}, ", halves ? "bf16" : "f32", rows);
    std::string text =
        fmt::format("kernel k(in A: {0}{1}], out B: {0}{1}]) {{\n  tmem T: {0}{1}] datapath {2};\n"
                    "  frag Y: {0}{1}] atom {3};\n",
                    tile, cols, rows == 128 ? "D" : "F", atom);
    if (split)
        text += fmt::format("  frag X: {0}{1}] atom {3};\n  frag Z: {0}{2}] atom {3};\n"
                            "  copy X <- A[:, 0:{1}] direct;\n  copy Z <- A[:, {1}:] direct;\n"
                            "  copy_async T[:, 0:{1}] <- X;\n  copy_async T[:, {1}:] <- Z;\n",
                            tile, cut, cols - cut, atom);
    else
        text += fmt::format("  frag X: {}{}] atom {};\n  copy X <- A direct;\n  copy_async T <- X;\n", tile,
                            cols, atom);
    text += "  wait st;\n  copy_async Y <- T;\n  wait ld;\n  copy B <- Y direct;\n}\n";
    return {text, atom + (rows == 128 ? ", 128 rows" : ", 64 rows") + (split ? ", in two" : "")};
}

toolchain::CubinKernel assembled(const std::string& ptx) {
    toolchain::PtxasOptions options;
    options.target = "sm_100a";
    const toolchain::Assembled made = toolchain::assemble(ptx, options);
    REQUIRE_MESSAGE(made.status == toolchain::Assembled::Status::ok, made.raw_errors);
    return toolchain::read_cubin(made.cubin).kernels.at(0);
}

} // namespace

TEST_CASE("a limit of registers spills nothing and costs no instruction") {
    if (toolchain::find_ptxas().path.empty())
        return tests::skipped("a limit of registers spills nothing and costs no instruction", "no ptxas");
    std::mt19937 random(17);
    std::map<std::string, int> limited;
    int saved = 0, none = 0;
    for (int turn = 0; turn < 80; ++turn) {
        const Draw drawn = draw(random, turn);
        CAPTURE(drawn.text);
        const Compilation made = compile(base::Source("k.tmx", drawn.text));
        REQUIRE_MESSAGE(made.ok(), made.diagnostics.list.front().message);
        if (!made.module.functions.at(0).max_registers) {
            ++none;
            continue;
        }
        ptx::Module without = made.module;
        without.functions[0].max_registers.reset();
        const toolchain::CubinKernel tight = assembled(made.ptx.text),
                                     free = assembled(ptx::write(without).text);
        CHECK(tight.code->spill_stores == 0);
        CHECK(tight.code->instructions <= free.code->instructions);
        CHECK(tight.registers <= static_cast<int>(*made.module.functions[0].max_registers));
        saved += free.registers - tight.registers;
        ++limited[drawn.kind];
    }
    std::string counts;
    for (const auto& [kind, count] : limited) counts += fmt::format("{}: {}; ", kind, count);
    MESSAGE(counts << none << " without a limit; " << saved << " registers saved in all");
    CHECK(limited.size() == 14);
    CHECK(saved > 500);
}
