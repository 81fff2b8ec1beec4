// The table of atoms against the compiler: for every datapath, every atom and number of rows, a copy of a
// whole tile is compiled from source, and the datapaths that the table lists must be exactly those that
// compile.
#include "inspect/atoms.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

using namespace tmemc;

namespace {

bool compiles(std::string_view atom, int rows, int cols, char datapath) {
    const std::string text = fmt::format(
        "kernel k(in A: f32[{0}, {1}], out B: f32[{0}, {1}]) {{\n"
        "  tmem T: f32[{0}, {1}] datapath {2};\n  frag X: f32[{0}, {1}] atom {3};\n"
        "  copy X <- A; copy_async T <- X; wait st; copy_async X <- T; wait ld; copy B <- X;\n}}\n",
        rows, cols, datapath, atom);
    return compile(base::Source("k.tmx", text)).ok();
}

} // namespace

TEST_CASE("the datapaths of an atom are those for which a copy of a whole tile compiles") {
    int listed = 0;
    for (const inspect::Atom& atom : inspect::atoms())
        for (const inspect::AtomFragment& fragment : atom.fragments)
            for (const char datapath : std::string("ABCDEFG")) {
                CAPTURE(atom.shape->name);
                CAPTURE(fragment.rows);
                CAPTURE(datapath);
                const bool is_listed = std::count(fragment.datapaths.begin(), fragment.datapaths.end(),
                                                  std::string(1, datapath)) != 0;
                listed += is_listed ? 1 : 0;
                CHECK(is_listed == compiles(atom.shape->name, fragment.rows, 32, datapath));
            }
    CHECK(listed > 10);
}

TEST_CASE("fewer columns than the multiple do not compile, the multiple does") {
    for (const inspect::Atom& atom : inspect::atoms())
        for (const inspect::AtomFragment& fragment : atom.fragments) {
            if (fragment.datapaths.empty()) continue;
            CAPTURE(atom.shape->name);
            CAPTURE(fragment.rows);
            const char datapath = fragment.datapaths.front()[0];
            CHECK(compiles(atom.shape->name, fragment.rows, fragment.multiple, datapath));
            CHECK(compiles(atom.shape->name, fragment.rows, 3 * fragment.multiple, datapath));
            if (fragment.multiple > 1)
                CHECK_FALSE(compiles(atom.shape->name, fragment.rows, fragment.multiple / 2, datapath));
        }
}
