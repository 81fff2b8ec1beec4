// Where groups of buffers lie, by hand and against every place that would do.
#include "space/space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc;

namespace {

struct Group {
    int columns = 0;
    std::optional<int> fixed;
};

/// A kernel `k` with a buffer T0, T1, ... in each group.
sema::Program program_of(const std::vector<Group>& groups) {
    sema::Kernel kernel;
    kernel.name = "k";
    for (const Group& group : groups) {
        sema::Buffer buffer;
        buffer.name = "T" + std::to_string(kernel.buffers.size());
        buffer.group = kernel.groups.size();
        const auto place = static_cast<std::uint32_t>(10 * kernel.buffers.size());
        buffer.span = {place, place + 2};
        kernel.groups.push_back({group.columns, group.fixed, kernel.buffers.size()});
        kernel.buffers.push_back(buffer);
    }
    sema::Program program;
    program.kernels.push_back(std::move(kernel));
    return program;
}

/// With nothing but declarations; every group counts as in use all the time.
space::PlaceResult place_program(const sema::Program& program) {
    order::Schedule schedule;
    schedule.kernels.resize(program.kernels.size());
    return space::place(program, schedule, base::Source("t.tmx", ""));
}

space::KernelSpace place(const std::vector<Group>& groups) {
    const auto result = place_program(program_of(groups));
    CHECK_FALSE(result.diagnostics.has_errors());
    return result.space.kernels.at(0);
}

} // namespace

TEST_CASE("groups stand side by side on 4-column boundaries, in the order of declaration") {
    const auto space = place({{200, {}}, {8, {}}, {40, {}}, {6, {}}});
    CHECK(space.group_columns == std::vector{0, 200, 208, 248});
    CHECK(space.needed == 254);
    CHECK(space.columns == 256);
    CHECK(place({{6, {}}, {4, {}}}).group_columns == std::vector{0, 8});
}

TEST_CASE("the allocation is a power of two from 32 to 512, or none") {
    CHECK(place({{4, {}}}).columns == 32);
    CHECK(place({{32, {}}}).columns == 32);
    CHECK(place({{33, {}}}).columns == 64);
    CHECK(place({{512, {}}}).columns == 512);
    const auto none = place({});
    CHECK(none.columns == 0);
    CHECK(none.needed == 0);
}

TEST_CASE("fixed groups take their columns first, and the others the lowest gap") {
    CHECK(place({{16, {}}, {32, 16}, {8, {}}}).group_columns == std::vector{0, 16, 48});
    CHECK(place({{20, {}}, {32, 16}, {8, {}}}).group_columns == std::vector{48, 16, 0});
    // A fixed group may start and end off a boundary.
    CHECK(place({{4, {}}, {3, 3}, {4, {}}}).group_columns == std::vector{8, 3, 12});
    CHECK(place({{8, 480}, {472, {}}, {8, {}}}).group_columns == std::vector{480, 0, 472});
}

TEST_CASE("more than 512 columns is an error that lists every buffer with its share") {
    sema::Program program = program_of({{200, {}}, {201, {}}, {64, {}}, {64, {}}});
    sema::Kernel& kernel = program.kernels[0];
    // An alias of T1, and T2 and T3 as two turns of a loop.
    sema::Buffer alias;
    alias.name = "V";
    alias.group = 1;
    alias.span = {90, 91};
    kernel.buffers.push_back(alias);
    kernel.buffers[3].name = kernel.buffers[2].name = "L";
    kernel.buffers[3].span = kernel.buffers[2].span;
    const auto result = place_program(program);
    REQUIRE(result.diagnostics.list.size() == 1);
    const base::Diagnostic& error = result.diagnostics.list[0];
    CHECK(error.kind->code == "TM0401");
    CHECK(error.message == "the buffers of `k` need 532 columns of tensor memory, and there are 512");
    CHECK(error.span == kernel.buffers[2].span);
    CHECK(error.notes ==
          std::vector<std::string>{"`T0`: 200 columns, never used, so kept for the whole kernel",
                                   "`T1`: 201 columns, never used, so kept for the whole kernel",
                                   "`L`: 64 columns, never used, so kept for the whole kernel, 2 times",
                                   "`V`: inside `T1`"});
}

TEST_CASE("a fixed group beyond the end is counted") {
    const auto result = place_program(program_of({{8, 508}}));
    REQUIRE(result.diagnostics.list.size() == 1);
    CHECK(result.diagnostics.list[0].message.find("need 516 columns") != std::string::npos);
}

TEST_CASE("no group overlaps another, and no more is needed than by first fit in the order of declaration") {
    std::mt19937 random(4);
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    int better = 0;
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<Group> groups;
        std::vector<bool> taken(2048, false);
        const auto is_free = [&taken](int first, int columns) {
            return std::none_of(taken.begin() + first, taken.begin() + first + columns,
                                [](bool t) { return t; });
        };
        const auto take = [&taken](int first, int columns) {
            std::fill(taken.begin() + first, taken.begin() + first + columns, true);
        };
        for (int i = pick(1, 8); i > 0; --i) {
            Group group{pick(1, 90), {}};
            if (const int column = pick(0, 400); pick(0, 2) == 0 && is_free(column, group.columns)) {
                group.fixed = column;
                take(column, group.columns);
            }
            groups.push_back(group);
        }
        const std::vector<bool> fixed = taken;
        int by_declaration = 0; // columns needed
        for (const Group& group : groups) {
            int first = group.fixed.value_or(0);
            while (!group.fixed && !is_free(first, group.columns)) first += 4;
            if (!group.fixed) take(first, group.columns);
            by_declaration = std::max(by_declaration, first + group.columns);
        }

        const auto result = place_program(program_of(groups));
        const space::KernelSpace& space = result.space.kernels.at(0);
        taken = fixed;
        int needed = 0;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const int first = space.group_columns[i];
            needed = std::max(needed, first + groups[i].columns);
            if (groups[i].fixed) {
                REQUIRE(first == *groups[i].fixed);
                continue;
            }
            REQUIRE(first % 4 == 0);
            REQUIRE(is_free(first, groups[i].columns));
            take(first, groups[i].columns);
        }
        REQUIRE(space.needed == needed);
        REQUIRE(needed <= by_declaration);
        REQUIRE(result.diagnostics.has_errors() == (needed > 512));
        REQUIRE(space.columns >= needed);
        REQUIRE((space.columns == 32 || space.columns / 2 < needed));
        better += needed < by_declaration;
    }
    CHECK(better > 0);
}
