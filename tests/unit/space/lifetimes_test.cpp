// Who may share columns with whom.
#include "drawn_kernel.hpp"
#include "ordered_program.hpp"
#include "space/space.hpp"

#include <fmt/core.h>

#include <map>

using namespace tmemc;
using tests::Drawn;
using tests::Step;

namespace {

space::KernelSpace place(const std::string& text) {
    const sema::Program program = tests::program_of(text);
    const order::OrderResult ordered = order::order(program);
    for (const auto& each : ordered.diagnostics.list)
        CHECK_MESSAGE(each.severity != base::Severity::error, each.message);
    const space::PlaceResult placed = space::place(program, ordered.schedule, base::Source("t.tmx", text));
    CHECK_FALSE(placed.diagnostics.has_errors());
    return placed.space.kernels.at(0);
}

std::string kernel(const std::string& body, int warpgroups = 1) {
    return fmt::format("kernel k(in A: f32[128, 64], out B: f32[128, 64]) warpgroups({}) {{\n"
                       "frag X: f32[128, 64]; copy X <- A;\n{}\ncopy B <- X;\n}}\n",
                       warpgroups, body);
}

std::string tmem(const char* names) {
    std::string text;
    for (; *names != 0; ++names) text += fmt::format("tmem {}: f32[128, 64];", *names);
    return text;
}

using Columns = std::vector<int>;

} // namespace

TEST_CASE("a buffer gets the columns of one that is done") {
    const auto one = place(kernel(tmem("TU") + "copy_async T <- X; wait st; copy_async X <- T; wait ld;"
                                               "copy_async U <- X; wait st; copy_async X <- U; wait ld;"));
    CHECK(one.group_columns == Columns{0, 0});
    CHECK(one.columns == 64);
    // U is stored before the load of T has been waited for.
    const auto two = place(kernel(
        tmem("TU") +
        "copy_async T <- X; wait st; copy_async X[:, 0:32] <- T[:, 0:32];"
        "copy_async U[:, 0:8] <- X[:, 32:40]; wait ld, st; copy_async X[:, 0:8] <- U[:, 0:8]; wait ld;"));
    CHECK(two.group_columns == Columns{0, 64});
}

TEST_CASE("another warpgroup's buffer shares only behind a sync") {
    const std::string first = "on warpgroup 0 { copy_async T <- X; wait st; copy_async X <- T; wait ld; }",
                      second = "on warpgroup 1 { copy_async U <- X; wait st; copy_async X <- U; wait ld; }";
    CHECK(place(kernel(tmem("TU") + first + second, 2)).group_columns == Columns{0, 64});
    CHECK(place(kernel(tmem("TU") + first + "sync;" + second, 2)).group_columns == Columns{0, 0});
    const std::string both = "on warpgroup 0 { copy_async U <- X; wait st; copy_async X <- U; wait ld; }";
    CHECK(place(kernel(tmem("TU") + first + both, 2)).group_columns == Columns{0, 0});
}

TEST_CASE("buffers of a loop share the columns of one turn") {
    CHECK(place(kernel("for i in 0..100 { tmem T: f32[128, 64]; copy_async T <- X; wait st; copy_async X <- "
                       "T; wait ld; }"))
              .columns == 64);
}

TEST_CASE("a fixed buffer is avoided while it lives") {
    const std::string use = "copy_async {0} <- X; wait st; copy_async X <- {0}; wait ld;";
    const auto uses = [&](const char* name) { return fmt::format(fmt::runtime(use), name); };
    CHECK(place(kernel("tmem T: f32[128, 64] at 0;" + tmem("U") + uses("T") + uses("U"))).group_columns ==
          Columns{0, 0});
    CHECK(place(kernel("tmem T: f32[128, 64] at 0;" + tmem("U") + uses("T") + uses("U") + uses("T")))
              .group_columns == Columns{0, 64});
}

TEST_CASE("sharing never makes a hazard") {
    std::mt19937 random(54);
    std::map<std::string, int> classes{{"shared", 0}, {"apart", 0}, {"shared-2wg", 0}};
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    for (int trial = 0; trial < 12000; ++trial) {
        Drawn drawn;
        drawn.warpgroups = pick(1, 2);
        for (int count = pick(4, 12); count > 0; --count) {
            Step step;
            const int kind = pick(0, 11);
            step.what = kind < 3    ? Step::What::st
                        : kind < 5  ? Step::What::ld
                        : kind < 7  ? Step::What::wait_ld
                        : kind < 10 ? Step::What::wait_st
                                    : Step::What::sync;
            step.warpgroup = pick(0, drawn.warpgroups - 1);
            step.buffer = pick(0, 2);
            drawn.steps.push_back(step);
        }
        std::string text =
            fmt::format("kernel k() warpgroups({}) {{\nfrag X: f32[128, 8]; X = 1.0;\n", drawn.warpgroups);
        for (int b = 0; b < 3; ++b) text += fmt::format("tmem T{}: f32[128, {}];\n", b, 8 * (b + 1));
        for (std::size_t i = 0; i < drawn.steps.size(); ++i) {
            const Step& step = drawn.steps[i];
            const auto on = fmt::format("on warpgroup {} ", step.warpgroup);
            switch (step.what) {
            case Step::What::st:
                text += on + fmt::format("{{ copy_async T{}[:, 0:8] <- X; }}\n", step.buffer);
                break;
            case Step::What::ld:
                text += fmt::format("frag R{}: f32[128, 8];", i) + on +
                        fmt::format("{{ copy_async R{} <- T{}[:, 0:8]; }}\n", i, step.buffer);
                break;
            case Step::What::wait_ld: text += on + "{ wait ld; }\n"; break;
            case Step::What::wait_st: text += on + "{ wait st; }\n"; break;
            case Step::What::sync: text += "sync;\n"; break;
            }
        }
        text += "}\n";
        const sema::Program program = tests::program_of(text);
        const order::OrderResult ordered = order::order(program);
        if (ordered.diagnostics.has_errors()) continue;
        const space::KernelSpace space =
            space::place(program, ordered.schedule, base::Source("t.tmx", text)).space.kernels.at(0);
        const auto cells = [&](const Step& step) {
            tests::Cells list;
            const int first = space.group_columns[static_cast<std::size_t>(step.buffer)];
            for (int lane = 0; lane < 128; ++lane)
                for (int col = 0; col < 8 * (step.buffer + 1); ++col) list.insert({lane, first + col});
            return list;
        };
        INFO(text);
        REQUIRE(tests::free_of_hazards(drawn, cells));
        const bool shared = space.needed < 48;
        ++classes[shared ? "shared" : "apart"];
        classes["shared-2wg"] += shared && drawn.warpgroups == 2;
    }
    for (const auto& each : classes) CHECK_MESSAGE(each.second > 10, each.first);
}
