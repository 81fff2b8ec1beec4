// Classes of copies that are easily forgotten, each drawn at random and judged by brute force: what is
// planned is run by the copy machine, what is refused is confirmed by trying all instructions. The classes
// are slices that begin elsewhere on the two sides, aliases (a buffer `at` another, of another element size,
// packing or lanes), and maps in which one pair of digits, or of lanes, has changed places, which no
// instruction does. The counts are printed, and a class without an accepted or a refused copy fails.
// Example: rows 0..15 of a plain tile go to rows 16..31 of a 16x256b fragment, whose slabs may start at any
// 16 lanes; rows 0..15 to rows 32..47 are another warp's.
#include "grammar/parse.hpp"
#include "match/match.hpp"
#include "match/plan_copy.hpp"
#include "sema/check.hpp"

#include "layout_digits.hpp"
#include "tmem_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using layout::Axis;
using layout::Digit;
using layout::Layout;

struct Count {
    int moved = 0, refused = 0;
};

class Dice {
  public:
    explicit Dice(unsigned seed) : random_(seed) {}
    int pick(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
    bool coin() { return pick(0, 1) == 1; }

    /// A whole copy that some atom fits, up to 32 words wide.
    CopyCase whole() {
        static constexpr struct {
            char datapath;
            const char* atom;
            int rows;
        } pairs[] = {{'D', "32x32b", 128}, {'A', "16x64b", 128}, {'D', "16x128b", 128}, {'D', "16x256b", 128},
                     {'F', "16x64b", 64},  {'C', "16x128b", 64}, {'F', "16x256b", 64},  {'F', "16x32bx2", 64},
                     {'B', "32x32b", 64},  {'E', "32x32b", 64},  {'G', "32x32b", 32}};
        const auto& pair = pairs[pick(0, std::size(pairs) - 1)];
        CopyCase c;
        c.dtype = std::array{base::Dtype::f32, base::Dtype::f16,
                             base::Dtype::u8}[static_cast<std::size_t>(pick(0, 2))];
        c.store = coin();
        c.datapath = pair.datapath;
        c.sub_slab = pair.datapath == 'F' || pair.datapath == 'C' ? pick(0, 1) : 0;
        c.unpacked = c.dtype == base::Dtype::f16 && coin();
        c.buffer_rows = c.fragment_rows = pair.rows;
        c.buffer_cols = c.fragment_cols = per_word(c) * (8 << pick(0, 2));
        c.atom = pair.atom;
        return c;
    }
    static int per_word(const CopyCase& c) { return 32 / base::bits(c.dtype); }

  private:
    std::mt19937 random_;
};

/// Judges one copy's outcome and counts it.
void judge_outcome(const CopyCase& c, const match::MatchResult& result, Count& count) {
    if (result.diagnostics.has_errors()) {
        REQUIRE_FALSE(possible(c));
        ++count.refused;
        return;
    }
    REQUIRE(judge(c, result.plan.kernels.at(0).copies.at(0).messages) == "");
    ++count.moved;
}

void print(const std::map<std::string, Count>& counts) {
    for (const auto& [what, count] : counts)
        MESSAGE(what << ": " << count.moved << " moved, " << count.refused << " refused");
}

} // namespace

TEST_CASE("slices that begin elsewhere on the two sides") {
    Dice dice(11);
    std::map<std::string, Count> counts;
    for (int trial = 0; trial < 600; ++trial) {
        CopyCase c = dice.whole();
        const int col_unit = Dice::per_word(c) * (dice.pick(0, 3) == 0 ? 1 : 8), row_unit = 16;
        c.buffer_cols *= 2; // room to move
        c.rows = row_unit * dice.pick(1, std::max(1, c.fragment_rows / row_unit / 2));
        c.cols = col_unit * dice.pick(1, std::max(1, c.fragment_cols / col_unit / 2));
        const auto corner = [&](int all, int window, int unit) {
            return unit * dice.pick(0, (all - window) / unit);
        };
        c.fragment_row = corner(c.fragment_rows, c.rows, row_unit);
        c.fragment_col = corner(c.fragment_cols, c.cols, col_unit);
        c.buffer_row = dice.pick(0, 2) == 0 ? corner(c.buffer_rows, c.rows, row_unit) : c.fragment_row;
        c.buffer_col = corner(c.buffer_cols, c.cols, dice.pick(0, 3) == 0 ? 1 : Dice::per_word(c));
        if (dice.pick(0, 2) == 0 && c.rows == row_unit) {
            // The other slab of the same warp, which a 16-row atom of 128 rows reaches.
            c.buffer_row = c.fragment_row ^ row_unit;
            if (dice.coin()) c.buffer_col = c.fragment_col;
        }
        const bool rows = c.buffer_row != c.fragment_row, cols = c.buffer_col != c.fragment_col;
        if (!rows && !cols) continue;
        CAPTURE(trial);
        const char* what = rows && cols ? "rows and columns apart" : rows ? "rows apart" : "columns apart";
        judge_outcome(c, match::match(program_of(c)), counts[what]);
    }
    print(counts);
    for (const char* what : {"rows apart", "columns apart", "rows and columns apart"}) {
        CAPTURE(std::string(what));
        CHECK(counts[what].moved > 0);
        CHECK(counts[what].refused > 0);
    }
}

namespace {

std::string tensor(const CopyCase& c, int rows, int cols) {
    return std::string(base::name(c.dtype)) + "[" + std::to_string(rows) + ", " + std::to_string(cols) + "]";
}
std::string slice(int row, int rows, int col, int cols) {
    return "[" + std::to_string(row) + " +: " + std::to_string(rows) + ", " + std::to_string(col) +
           " +: " + std::to_string(cols) + "]";
}

/// `tmem T` of words, `tmem V` at some column of it, and a copy between V and a fragment.
std::string alias_program(const CopyCase& c) {
    const std::string fragment =
        "Y" + slice(c.fragment_row, c.window_rows(), c.fragment_col, c.window_cols());
    const std::string view = "V" + slice(c.buffer_row, c.window_rows(), c.buffer_col, c.window_cols());
    return "kernel k() {\n  tmem T: u32[128, 256] datapath D" +
           (c.fixed ? " at " + std::to_string(*c.fixed) : "") +
           ";\n  tmem V: " + tensor(c, c.buffer_rows, c.buffer_cols) + " datapath " + c.datapath +
           (c.sub_slab != 0 ? " sub_slab 1" : "") + (c.unpacked ? " unpacked" : "") + " at T + " +
           std::to_string(c.offset) + ";\n  frag Y: " + tensor(c, c.fragment_rows, c.fragment_cols) +
           " atom " + c.atom + ";\n  copy_async " +
           (c.store ? view + " <- " + fragment : fragment + " <- " + view) + ";\n}\n";
}

} // namespace

TEST_CASE("a buffer at some column of another, with other elements") {
    Dice dice(12);
    std::map<std::string, Count> counts;
    std::map<std::string, int> behind; // that do not begin at the allocation's first column
    for (int trial = 0; trial < 400; ++trial) {
        CopyCase c = dice.whole();
        c.offset = dice.pick(0, 9);
        if (dice.coin()) c.fixed = dice.pick(0, 3) * 16 + (dice.pick(0, 3) == 0 ? 1 : 0);
        const int unit = Dice::per_word(c) * (dice.pick(0, 3) == 0 ? 1 : 8);
        c.rows = c.buffer_rows;
        c.cols = unit * dice.pick(1, std::max(1, c.fragment_cols / unit));
        c.fragment_col = unit * dice.pick(0, (c.fragment_cols - c.cols) / unit);
        c.buffer_col = dice.coin() ? c.fragment_col : dice.pick(0, c.buffer_cols - c.cols);
        const std::string text = alias_program(c);
        CAPTURE(text);
        const base::Source source("alias.tmx", text);
        const auto parsed = grammar::parse(source);
        REQUIRE_FALSE(parsed.diagnostics.has_errors());
        const auto checked = sema::check(parsed.module);
        REQUIRE_FALSE(checked.diagnostics.has_errors());
        const std::string what =
            c.unpacked ? "one half in a cell" : std::to_string(base::bits(c.dtype)) + " bits";
        judge_outcome(c, match::match(checked.program), counts[what]);
        if (c.fixed.value_or(0) + c.offset != 0) ++behind[what];
    }
    print(counts);
    for (const char* what : {"32 bits", "16 bits", "8 bits", "one half in a cell"}) {
        CAPTURE(std::string(what));
        CHECK(counts[what].moved > 0);
        CHECK(counts[what].refused > 0);
        CHECK(behind[what] > 0);
    }
}

namespace {

/// Threads or lanes that a digit steps over; 0 for one that steps along registers or columns.
std::int64_t lanes_of(const Digit& digit) {
    if (digit.axis == Axis::wid_in_wg) return 32 * digit.stride;
    return digit.axis == Axis::m || digit.axis == Axis::TCol ? 0 : digit.stride;
}
bool steps_warps(const Digit& digit) { return lanes_of(digit) >= 32; }

/// Exchanges the places of two digits that step over threads or lanes; whether there was such a pair. Rows
/// that are registers on the other side (lanes 8 and 16 for 16x256b with 128 rows) may well change places:
/// `other`, the other side's digits, tells.
bool swap_digits(Layout& layout, const Layout& other, bool warps, Dice& dice) {
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < layout.shard.size(); ++i)
        for (std::size_t j = 0; j < i; ++j) {
            const Digit &a = layout.shard[i], &b = layout.shard[j];
            if (lanes_of(a) == 0 || lanes_of(b) == 0) continue;
            if (lanes_of(other.shard[i]) == 0 && lanes_of(other.shard[j]) == 0) continue;
            if ((steps_warps(a) || steps_warps(b)) == warps) pairs.emplace_back(i, j);
        }
    if (pairs.empty()) return false;
    const auto& [i, j] = pairs[static_cast<std::size_t>(dice.pick(0, static_cast<int>(pairs.size()) - 1))];
    std::swap(layout.shard[i], layout.shard[j]);
    return true;
}

} // namespace

TEST_CASE("two digits of lanes or of warps exchanged on one side are never moved") {
    Dice dice(13);
    std::map<std::string, Count> counts;
    for (int trial = 0; trial < 400; ++trial) {
        CopyCase c = dice.whole();
        const bool warps = dice.coin(), buffer = dice.coin();
        const Layout cells = tests::in_twos(buffer_layout(c)), slots = tests::in_twos(fragment_layout(c));
        REQUIRE(cells.shard.size() == slots.shard.size());
        Layout changed = buffer ? cells : slots;
        if (!swap_digits(changed, buffer ? slots : cells, warps, dice)) continue;
        if (buffer) {
            c.buffer_layout = changed;
            c.datapath = 0;
        } else {
            c.fragment_layout = changed;
            c.atom = "";
        }
        CAPTURE(trial);
        CAPTURE(layout::to_string(changed));
        const std::string what = std::string(warps ? "a digit of warps" : "digits of lanes") +
                                 (buffer ? " in the buffer" : " in the fragment");
        judge_outcome(c, match::match(program_of(c)), counts[what]);
    }
    print(counts);
    CHECK(counts.size() == 4);
    for (const auto& each : counts) {
        CAPTURE(each.first);
        CHECK(each.second.moved == 0);
        CHECK(each.second.refused > 0);
    }
}

TEST_CASE("two lanes exchanged in the map are never moved") {
    Dice dice(14);
    std::map<std::string, Count> counts;
    for (int trial = 0; trial < 300; ++trial) {
        const CopyCase c = dice.whole();
        sema::Program program = program_of(c);
        layout::CellMap& cells = program.kernels[0].buffer_images[0].cells;
        std::vector<Placed> elements = elements_of(c);
        // Two lanes that the tile uses, of one warp or of two.
        const auto lane = [&] {
            const int element = dice.pick(0, static_cast<int>(elements.size()) - 1);
            return elements[static_cast<std::size_t>(element)].cells[0].lane;
        };
        const int a = lane(), b = lane();
        if (a == b) continue;
        const auto exchange = [a, b](auto& place) {
            if (place.lane == a)
                place.lane = static_cast<decltype(place.lane)>(b);
            else if (place.lane == b)
                place.lane = static_cast<decltype(place.lane)>(a);
        };
        std::for_each(cells.places.begin(), cells.places.end(), exchange);
        for (Placed& element : elements) exchange(element.cells[0]);
        CAPTURE(trial);
        CAPTURE(a);
        CAPTURE(b);
        Count& count = counts[a / 32 == b / 32 ? "lanes of one warp" : "lanes of two warps"];
        REQUIRE_FALSE(MoveSearch(elements, base::bits(c.dtype) / 8, 0).possible());
        CHECK(match::match(program).diagnostics.has_errors());
        ++count.refused;
    }
    print(counts);
    CHECK(counts.size() == 2);
}
