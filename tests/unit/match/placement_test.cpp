// Every copy that has a name: (datapath, sub-slab, atom, rows, element size, direction) over many widths,
// each plan run by the copy machine. The table says which pairs fit; a pair that does not must be refused.
#include "match/match.hpp"

#include "tmem_search.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using base::Dtype;

struct Sort {
    const char* name;
    Dtype dtype;
    bool unpacked;
};
constexpr Sort sorts[] = {{"32", Dtype::f32, false},
                          {"16", Dtype::bf16, false},
                          {"16 unpacked", Dtype::f16, true},
                          {"8", Dtype::u8, false}};

/// Whether whole tiles of this datapath and this image meet (the table of the language reference's
/// datapaths).
bool fits(char datapath, const atlas::ImageRow& atom) {
    if (datapath == 'A' || datapath == 'D') return atom.rows == 128;
    if (datapath == 'G') return atom.rows == 32;
    if (atom.rows != 64) return false;
    const bool one_row_per_thread = atom.name == "32x32b";
    return (datapath == 'B' || datapath == 'E') ? one_row_per_thread : !one_row_per_thread;
}

match::MatchResult matched(const CopyCase& c, const match::Options& options = {}) {
    return match::match(program_of(c), options);
}
const std::vector<match::Message>& messages_of(const match::MatchResult& result) {
    return result.plan.kernels.at(0).copies.at(0).messages;
}

} // namespace

TEST_CASE("every named pair moves what it should in both directions, and no other pair is accepted") {
    std::map<std::string, int> moved, refused;
    for (const atlas::ImageRow& datapath : atlas::datapath_rows())
        for (const atlas::ImageRow& atom : atlas::atom_rows()) {
            if (datapath.rows != atom.rows) continue;
            for (const Sort& sort : sorts)
                for (int sub_slab = 0; sub_slab <= (datapath.sub_slab ? 1 : 0); ++sub_slab)
                    for (const bool store : {false, true})
                        for (int factor : {1, 2, 3, 5, 8, 16}) {
                            const int per_word = 32 / base::bits(sort.dtype);
                            const int words = factor * std::max(atom.word_multiple, datapath.word_multiple);
                            CopyCase c;
                            c.dtype = sort.dtype;
                            c.store = store;
                            c.datapath = datapath.name[0];
                            c.sub_slab = sub_slab;
                            c.unpacked = sort.unpacked;
                            c.buffer_rows = c.fragment_rows = atom.rows;
                            c.buffer_cols = c.fragment_cols = words * per_word;
                            c.atom = atom.name;
                            CAPTURE(datapath.name);
                            CAPTURE(atom.name);
                            CAPTURE(sort.name);
                            CAPTURE(words);
                            CAPTURE(store);
                            const auto result = matched(c);
                            std::string what(datapath.name);
                            what += sub_slab != 0 ? "+16 " : " ";
                            what +=
                                std::string(atom.name) + " " + std::to_string(atom.rows) + " " + sort.name;
                            if (!fits(c.datapath, atom)) {
                                REQUIRE(result.diagnostics.has_errors());
                                if (factor == 2) REQUIRE_FALSE(possible(c));
                                ++refused[what];
                                continue;
                            }
                            REQUIRE_FALSE(result.diagnostics.has_errors());
                            REQUIRE(judge(c, messages_of(result)) == "");
                            ++moved[what + (store ? " st" : " ld")];
                        }
        }
    // A, D: four atoms; C, F: four atoms and two sub-slabs; B, E, G: one. Four sorts, two directions.
    CHECK(moved.size() == (2 * 4 + 2 * 4 * 2 + 2 + 1) * 4 * 2);
    for (const auto& each : moved) {
        CAPTURE(each.first);
        CHECK(each.second == 6);
    }
    CHECK(refused.size() == (2 * 2 + 2 * 4) * 4);
}

TEST_CASE("random windows are moved exactly or refused, in every class") {
    std::mt19937 random(7);
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    constexpr std::size_t classes = 28; // datapaths and sorts
    std::map<std::string, int> accepted, refused;
    for (int trial = 0; trial < 20000 && (trial < 2000 || accepted.size() < classes); ++trial) {
        const auto any_of = [&](const auto& rows) -> const atlas::ImageRow& {
            return rows[static_cast<std::size_t>(pick(0, static_cast<int>(rows.size()) - 1))];
        };
        const atlas::ImageRow& datapath = any_of(atlas::datapath_rows());
        const bool fitting = pick(0, 2) != 0; // mostly what has a chance
        const atlas::ImageRow* drawn = &any_of(atlas::atom_rows());
        while (fitting && !fits(datapath.name[0], *drawn)) drawn = &any_of(atlas::atom_rows());
        const atlas::ImageRow& atom = *drawn;
        const Sort& sort = sorts[pick(0, 3)];
        const int per_word = 32 / base::bits(sort.dtype);
        CopyCase c;
        c.dtype = sort.dtype;
        c.store = pick(0, 1) == 1;
        c.datapath = datapath.name[0];
        c.sub_slab = datapath.sub_slab ? pick(0, 1) : 0;
        c.unpacked = sort.unpacked;
        c.offset = pick(0, 3);
        c.atom = atom.name;
        c.buffer_rows = datapath.rows;
        c.fragment_rows = atom.rows;
        const auto cols = [&](const atlas::ImageRow& row) {
            return row.word_multiple * pick(1, 4) * per_word;
        };
        c.buffer_cols = cols(datapath) * pick(1, 4);
        c.fragment_cols = cols(atom);
        // Windows on multiples that often fit: whole, half or a few units.
        const int row_unit = 16 << pick(0, 1);
        const int col_unit = pick(0, 7) == 0 ? 1 : per_word * (pick(0, 3) == 0 ? 1 : atom.word_multiple);
        const auto extent = [&](int limit, int unit) {
            const int units = limit / unit;
            return units == 0 ? limit : unit * pick(1, units);
        };
        c.rows = extent(std::min(c.buffer_rows, c.fragment_rows), row_unit);
        c.cols = extent(std::min(c.buffer_cols, c.fragment_cols), col_unit);
        const auto corner = [&](int all, int window, int unit) {
            return pick(0, (all - window) / unit) * unit;
        };
        c.buffer_row = corner(c.buffer_rows, c.rows, 16);
        c.fragment_row = corner(c.fragment_rows, c.rows, 16);
        c.buffer_col = corner(c.buffer_cols, c.cols, pick(0, 1) == 0 ? per_word : col_unit);
        c.fragment_col = corner(c.fragment_cols, c.cols, col_unit);
        // The same place on both sides, where there is room for it.
        if (pick(0, 1) == 0) c.buffer_row = std::min(c.fragment_row, c.buffer_rows - c.rows);
        if (pick(0, 3) == 0) c.buffer_col = std::min(c.fragment_col, c.buffer_cols - c.cols);
        CAPTURE(trial);
        const auto result = matched(c);
        const std::string what = std::string(datapath.name) + " " + sort.name;
        if (result.diagnostics.has_errors()) {
            REQUIRE_FALSE(possible(c));
            ++refused[std::string(result.diagnostics.list[0].kind->code)];
            continue;
        }
        REQUIRE(judge(c, messages_of(result)) == "");
        ++accepted[what];
    }
    for (const auto& [what, count] : accepted) MESSAGE("moved " << what << ": " << count);
    for (const auto& [what, count] : refused) MESSAGE("refused " << what << ": " << count);
    CHECK(accepted.size() == classes);
    for (const char* code : {"TM0301", "TM0320", "TM0321", "TM0322"}) {
        CAPTURE(code);
        CHECK(refused[code] > 0);
    }
}
