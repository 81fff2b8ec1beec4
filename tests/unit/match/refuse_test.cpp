// What refusals say: places, warps and what would work, in the words of the command-line reference.
#include "match/match.hpp"

#include "tmem_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

base::Diagnostic refusal_of(const CopyCase& c) {
    const auto result = match::match(program_of(c));
    REQUIRE(result.diagnostics.list.size() == 1);
    CHECK(result.plan.kernels.at(0).copies.at(0).messages.empty());
    return result.diagnostics.list[0];
}

/// The note of a shape, without its name.
std::string note_of(const base::Diagnostic& refusal, const std::string& shape) {
    for (const std::string& note : refusal.notes)
        if (note.starts_with(shape + ": ")) return note.substr(shape.size() + 2);
    return "";
}

CopyCase pair(char datapath, int rows, const std::string& atom, int cols) {
    CopyCase c;
    c.datapath = datapath;
    c.buffer_rows = c.fragment_rows = rows;
    c.buffer_cols = c.fragment_cols = cols;
    c.atom = atom;
    return c;
}

} // namespace

TEST_CASE("rows that differ: the first row out of reach, and the row count that would fit") {
    // `frag Y: f32[128, 64] atom 16x256b` from `tmem T: f32[64, 64] datapath F`
    CopyCase c = pair('F', 64, "16x256b", 64);
    c.fragment_rows = 128;
    sema::Program program = program_of(c);
    std::get<sema::TmemCopy>(program.kernels[0].statements[0].what).buffer.rows = 64;
    const auto result = match::match(program);
    REQUIRE(result.diagnostics.list.size() == 1);
    const base::Diagnostic& refusal = result.diagnostics.list[0];
    CHECK(refusal.kind->code == "TM0301");
    CHECK(refusal.span == base::Span{10, 20});
    CHECK(refusal.message ==
          "no tcgen05 instruction moves `Y` (f32[128, 64], atom 16x256b) from `T` (f32[64, 64], "
          "datapath F)");
    REQUIRE_FALSE(refusal.notes.empty());
    CHECK(refusal.notes[0] ==
          "16x256b: row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 "
          "(thread 0, register 32)");
    CHECK(note_of(refusal, "32x32b") ==
          "register 0 of thread 1 would meet lane 1, column 0, but `Y` keeps row 0, "
          "column 2 there, which sits in lane 0, column 2");
    CHECK(refusal.notes.back() == "`Y` has 128 rows here, `T` has 64");
    REQUIRE(refusal.helps.size() == 1);
    CHECK(refusal.helps[0] == "declare `Y` with 64 rows: frag Y: f32[64, 64] atom 16x256b;");
}

TEST_CASE("extents that differ between tiles that fit are the only thing to say") {
    sema::Program program = program_of(pair('D', 128, "32x32b", 64));
    auto& copy = std::get<sema::TmemCopy>(program.kernels[0].statements[0].what);
    copy.fragment.cols = 32;
    const auto result = match::match(program);
    REQUIRE(result.diagnostics.list.size() == 1);
    const base::Diagnostic& refusal = result.diagnostics.list[0];
    CHECK(refusal.notes == std::vector<std::string>{"`Y` has 32 columns here, `T` has 64"});
    CHECK(refusal.helps == std::vector<std::string>{"slice both sides alike: 128 rows and 32 columns"});
}

TEST_CASE("B with any 16-row fragment: row, lane and the two warps") {
    for (const char* atom : {"16x64b", "16x128b", "16x256b", "16x32bx2"}) {
        const base::Diagnostic refusal = refusal_of(pair('B', 64, atom, 32));
        CAPTURE(atom);
        CHECK(refusal.kind->code == "TM0301");
        // Words per row are split at column 16; the first row's second half is in lane 64.
        CHECK(note_of(refusal, atom)
                  .starts_with("row 0, column 16 sits in lane 64, which only warp 2 reaches, but `Y` "
                               "holds it in warp 0 (thread "));
        CHECK(refusal.helps.at(0) == "declare `Y` with atom 32x32b: frag Y: f32[64, 32] atom 32x32b;");
    }
}

TEST_CASE("F with one row per thread: the row's second half is in another warp") {
    const base::Diagnostic refusal = refusal_of(pair('F', 64, "32x32b", 32));
    CHECK(refusal.notes.at(0) ==
          "every shape: row 0, column 16 sits in lane 0, which only warp 0 reaches, but `Y` holds "
          "it in warp 2 (thread 64, register 0)");
    CHECK(note_of(refusal, "32x32b") ==
          "row 16 sits in lane 32, which only warp 1 reaches, but `Y` holds it in warp 0 "
          "(thread 16, register 0)");
    CHECK(refusal.helps.at(0) ==
          "declare `Y` with one of the atoms 16x64b, 16x128b, 16x256b or 16x32bx2: frag Y: "
          "f32[64, 32] atom 16x64b;");
}

TEST_CASE("a store says where the element goes") {
    CopyCase c = pair('B', 64, "16x256b", 32);
    c.store = true;
    const base::Diagnostic refusal = refusal_of(c);
    CHECK(refusal.message ==
          "no tcgen05 instruction moves `Y` (f32[64, 32], atom 16x256b) to `T` (f32[64, 32], datapath "
          "B)");
    CHECK(note_of(refusal, "16x256b").starts_with("row 0, column 16 goes to lane 64"));
}

TEST_CASE("one row in two warps is refused on A, C, D and F with both warps named") {
    for (const char datapath : {'A', 'D', 'C', 'F'}) {
        CopyCase c = pair(datapath, datapath == 'A' || datapath == 'D' ? 128 : 64, "", 16);
        using layout::Axis;
        // Columns 8..15 two warps on.
        c.fragment_layout = {{{c.fragment_rows / 64, 8, Axis::m},
                              {64, 1, Axis::tid_in_wg},
                              {2, 64, Axis::tid_in_wg},
                              {8, 1, Axis::m}},
                             {},
                             {}};
        const base::Diagnostic refusal = refusal_of(c);
        CAPTURE(datapath);
        CHECK(std::any_of(refusal.notes.begin(), refusal.notes.end(), [](const std::string& note) {
            return note.find("row 0, column 8 sits in lane 0, which only warp 0 reaches, but `Y` holds it in "
                             "warp 2 "
                             "(thread 64, register 0)") != std::string::npos;
        }));
        CHECK(refusal.helps.at(0).find("atom") != std::string::npos);
    }
}

TEST_CASE("windows are named, and rows that differ are said for both sides") {
    CopyCase c = pair('D', 128, "32x32b", 64);
    c.rows = 32;
    c.cols = 8;
    c.fragment_row = 32;
    c.fragment_col = 16;
    const base::Diagnostic refusal = refusal_of(c);
    CHECK(refusal.message ==
          "no tcgen05 instruction moves `Y[32:64, 16:24]` (f32[128, 64], atom 32x32b) from "
          "`T[0:32, 0:8]` (f32[128, 64], datapath D)");
    CHECK(refusal.notes.at(0) ==
          "32x32b: row 32 of `Y` (row 0 of `T`) sits in lane 0, which only warp 0 reaches, but "
          "`Y` holds it in warp 1 (thread 32, register 16)");
}

TEST_CASE("part of what an instruction moves at once") {
    CopyCase c = pair('D', 128, "16x256b", 16);
    c.rows = 128;
    c.cols = 3;
    base::Diagnostic refusal = refusal_of(c);
    CHECK(refusal.kind->code == "TM0321");
    CHECK(refusal.notes.at(0) ==
          "the copy needs register 0 of warp 0 in some of its 32 threads: thread 2 holds row 0, "
          "column 4 there, which the copy leaves out; an instruction moves it in all");
    CHECK(refusal.helps.at(0) ==
          "16x256b moves 16 rows x 8 columns at once: start and end the slice of `Y` at multiples "
          "of these");
    c.rows = 8;
    c.cols = 8;
    refusal = refusal_of(c);
    CHECK(refusal.kind->code == "TM0321");
    CHECK(refusal.notes.at(0).find("meets lane 8, column 0") != std::string::npos);
    CopyCase halves = pair('F', 64, "16x32bx2", 32);
    halves.rows = 64;
    halves.cols = 8;
    CHECK(refusal_of(halves).helps.at(0) ==
          "16x32bx2 moves a column of each half at once: copy all columns of `Y`, in "
          "slices of 16 rows");
    CopyCase literal = pair('D', 128, "", 4);
    literal.fragment_layout = {{{128, 1, layout::Axis::tid_in_wg}, {4, 1, layout::Axis::m}}, {}, {}};
    literal.rows = 16;
    CHECK(refusal_of(literal).helps.at(0) ==
          "register 0 of warp 0 holds elements of rows 0 to 31 and column 0 of "
          "`Y`: copy all of them");
}

TEST_CASE("part of a register, and part of a cell") {
    CopyCase c = pair('D', 128, "32x32b", 16);
    c.dtype = base::Dtype::f16;
    c.rows = 128;
    c.cols = 3;
    base::Diagnostic refusal = refusal_of(c);
    CHECK(refusal.kind->code == "TM0320");
    CHECK(refusal.message == "this copy takes only part of a 32-bit register of `Y`");
    CHECK(refusal.notes.at(0) ==
          "register 1 of thread 0 also holds row 0, column 3, which the copy leaves out");
    CHECK(refusal.helps.at(0) ==
          "2 columns of f16 share 32 bits: start and end both slices at multiples of 2");
    c.cols = 2;
    c.buffer_col = 1;
    refusal = refusal_of(c);
    CHECK(refusal.message == "this copy takes only part of a 32-bit cell of `T`");
    CHECK(refusal.notes.at(0) ==
          "row 0, column 0 is in bits 0..15 of register 0 of thread 0, but in bits 16..31 of lane "
          "0, column 0");
}

TEST_CASE("halves of a register in another order, in other cells or in other lanes are no word") {
    using layout::Axis;
    CopyCase c = pair('D', 128, "", 8);
    c.dtype = base::Dtype::f16;
    const std::vector<layout::Layout> fragments{
        {{{128, 1, Axis::tid_in_wg}, {4, 2, Axis::m}, {2, -1, Axis::m}}, {}, {}}, // swapped
        {{{128, 1, Axis::tid_in_wg}, {2, 4, Axis::m}, {2, 1, Axis::m}, {2, 2, Axis::m}},
         {},
         {}}, // two columns on
        {{{64, 2, Axis::tid_in_wg}, {2, 1, Axis::m}, {2, 1, Axis::tid_in_wg}, {4, 2, Axis::m}},
         {},
         {}}, // the next row
    };
    for (const layout::Layout& fragment : fragments)
        for (const bool unpacked : {false, true}) {
            c.fragment_layout = fragment;
            if (fragment.shard.back().stride < 0) c.fragment_layout.offset[Axis::m] = 1;
            c.unpacked = unpacked;
            CAPTURE(layout::to_string(c.fragment_layout));
            CAPTURE(unpacked);
            CHECK(refusal_of(c).kind->code == "TM0320");
            CHECK_FALSE(possible(c));
        }
}

TEST_CASE("a copy in a loop is refused once, with the turns counted") {
    CopyCase c = pair('D', 128, "16x256b", 16);
    c.rows = 128;
    c.cols = 2;
    sema::Program program = program_of(c);
    sema::Statement statement = program.kernels[0].statements[0];
    program.kernels[0].statements.clear();
    for (int turn = 0; turn < 4; ++turn) {
        statement.iteration = "c = " + std::to_string(turn);
        auto& copy = std::get<sema::TmemCopy>(statement.what);
        copy.fragment.col = copy.buffer.col = 2 * turn;
        program.kernels[0].statements.push_back(statement);
    }
    const auto result = match::match(program);
    REQUIRE(result.diagnostics.list.size() == 1);
    CHECK(result.diagnostics.list[0].notes.back() == "with c = 0, and in 3 more iterations");
}
