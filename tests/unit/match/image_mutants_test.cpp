// Every fact of every datapath and fragment image, changed: each change must be noticed by the formulas of
// the language reference, by the copy machine that runs the plans made with the changed image, or by the
// table of what is legal. Numbers get their neighbours, double, half, none and the other sign, axes get the
// five others, digits are also removed and exchanged.
//
// Example: datapath B with its halves 63 lanes apart has the second half of row 0 where the first half of
// row 63 is, and is no map at all; with its two word digits exchanged the odd words lie in the upper lanes.
// Not here: the shapes of messages (shape_mutants_test.cpp).
#include "base/invariant.hpp"
#include "layout/tile_map.hpp"
#include "match/plan_copy.hpp"

#include "tmem_copy.hpp"
#include "tmem_legal.hpp"
#include "tmem_mutants.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using atlas::ImageDigit;
using atlas::ImageRow;
using layout::Axis;

/// A row and the one that it was made from; both of a datapath, or both of an atom.
struct Mutant {
    ImageRow row;
    const ImageRow* truth = nullptr;
    bool buffer = false;
};

/// The map of a tile of `words` words of 32 bits per row, or nothing when the row makes none.
template <class Map>
std::optional<Map> map_of(const ImageRow& row, int rows, int words, int sub_slab) {
    try {
        const auto layout = atlas::layout_of(row, words, 32, false, sub_slab);
        if constexpr (std::is_same_v<Map, layout::CellMap>) {
            auto map = layout::cell_map(layout, rows, words, 32);
            if (auto* cells = std::get_if<Map>(&map)) return std::move(*cells);
        } else {
            auto map = layout::slot_map(layout, rows, words, 32);
            if (auto* slots = std::get_if<Map>(&map)) return std::move(*slots);
        }
    } catch (const base::InternalError&) {
        // the columns do not fit the row
    }
    return std::nullopt;
}

bool right_cells(const Mutant& mutant, int words, int sub_slab) {
    const int rows = mutant.row.rows;
    const auto cells = map_of<layout::CellMap>(mutant.row, rows, words, sub_slab);
    if (!cells) return false;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < words; ++c) {
            const auto wanted = oracle::datapath_cell(mutant.row.name[0], sub_slab, words, r, c);
            if (cells->at(r, c).lane != wanted.lane || cells->at(r, c).column != wanted.column) return false;
        }
    return true;
}
bool right_slots(const Mutant& mutant, int words) {
    const int rows = mutant.row.rows;
    const auto slots = map_of<layout::SlotMap>(mutant.row, rows, words, 0);
    if (!slots) return false;
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < words; ++c) {
            const auto wanted = oracle::atom_slot(std::string(mutant.row.name), rows, words, r, c);
            if (slots->at(r, c).thread != wanted.thread || slots->at(r, c).reg != wanted.reg) return false;
        }
    return true;
}

/// Widths, in units of what the table of legal images says, that show a rule and not just one number.
constexpr std::array widths{1, 2, 3, 5, 8};

const oracle::LegalImage* legal(const Mutant& mutant) {
    const auto find = [&](const auto& table) -> const oracle::LegalImage* {
        for (const oracle::LegalImage& each : table)
            if (each.name == mutant.row.name && each.rows == mutant.row.rows) return &each;
        return nullptr;
    };
    return mutant.buffer ? find(oracle::legal_datapaths) : find(oracle::legal_atoms);
}

/// A row is judged as what it says that it is, by its name and its rows.
bool formulas_fail(const Mutant& mutant) {
    const oracle::LegalImage* image = legal(mutant);
    if (image == nullptr) return false; // no formula by that name
    return std::any_of(widths.begin(), widths.end(), [&](int width) {
        const int words = width * image->word_multiple;
        if (!mutant.buffer) return !right_slots(mutant, words);
        return !right_cells(mutant, words, 0) || (image->sub_slab && !right_cells(mutant, words, 1));
    });
}

/// A copy between the changed image and one that fits the true image; the machine goes by the formulas.
bool machine_fails(const Mutant& mutant) {
    CopyCase c;
    const ImageRow& truth = *mutant.truth;
    c.buffer_rows = c.fragment_rows = truth.rows;
    c.buffer_cols = c.fragment_cols = 24;
    if (mutant.buffer) {
        c.datapath = truth.name[0];
        c.sub_slab = truth.sub_slab ? 1 : 0;
        c.atom = truth.sub_slab ? "16x256b" : "32x32b";
    } else {
        c.atom = truth.name;
        c.datapath = truth.rows == 128 ? 'D' : truth.rows == 32 ? 'G' : truth.name == "32x32b" ? 'B' : 'F';
    }
    const std::vector<Placed> elements = elements_of(c);
    (mutant.buffer ? c.datapath_row : c.atom_row) = &mutant.row;
    try {
        const sema::Program program = program_of(c);
        const sema::Kernel& kernel = program.kernels[0];
        const match::Copy copy{kernel.fragment_images[0].slots,
                               kernel.buffer_images[0].cells,
                               {},
                               {},
                               c.fragment_rows,
                               c.fragment_cols};
        const auto outcome = match::plan_copy(copy, {});
        const auto* messages = std::get_if<std::vector<match::Message>>(&outcome);
        return messages == nullptr || judge(c, elements, *messages) != "";
    } catch (const std::exception&) {
        return true; // no map, or no layout of this width
    }
}

bool illegal(const Mutant& mutant) {
    const oracle::LegalImage* truth = legal(mutant);
    return truth == nullptr || mutant.row.word_multiple != truth->word_multiple ||
           mutant.row.sub_slab != truth->sub_slab;
}

std::vector<MutantCheck<Mutant>> checks() {
    return {{"formulas", formulas_fail}, {"machine", machine_fails}, {"legality", illegal}};
}

/// Mutants that mean the same, by the argument; that they are the same map is also tried for all widths.
/// - tid_in_wg for laneid or back: a thread is tid_in_wg + 32*wid_in_wg + laneid, so both step threads by 1.
/// - `behind` for a stride that is just as far: 1 alone on its axis, 64 behind {64, 1} on the same axis.
/// A map is all that anybody reads of digits (layout_of is their only reader).
bool may_be_equivalent(const ImageDigit& truth, const ImageDigit& changed) {
    const auto counts_threads = [](Axis axis) { return axis == Axis::tid_in_wg || axis == Axis::laneid; };
    if (truth.axis != changed.axis) return counts_threads(truth.axis) && counts_threads(changed.axis);
    return truth.extent == changed.extent && changed.stride == atlas::behind;
}
template <class Map>
bool same_maps(const Mutant& mutant) {
    for (int words = mutant.truth->word_multiple; words <= 128; words += mutant.truth->word_multiple)
        if (map_of<Map>(mutant.row, mutant.truth->rows, words, 0) !=
            map_of<Map>(*mutant.truth, mutant.truth->rows, words, 0))
            return false;
    return true;
}

class Enumeration {
  public:
    explicit Enumeration(MutantTally& tally) : tally_(tally) {}

    void row(const ImageRow& truth, bool buffer) {
        truth_ = &truth;
        buffer_ = buffer;
        digits(&ImageRow::row_digits);
        digits(&ImageRow::word_digits);
        for (int rows : other_counts(truth.rows)) add("rows", [&](ImageRow& row) { row.rows = rows; });
        for (int multiple : other_counts(truth.word_multiple))
            add("word_multiple", [&](ImageRow& row) { row.word_multiple = multiple; });
        add("sub_slab", [](ImageRow& row) { row.sub_slab = !row.sub_slab; });
        for (const ImageRow& other : buffer ? atlas::datapath_rows() : atlas::atom_rows())
            if (other.name != truth.name) name(other);
    }

  private:
    using Digits = std::vector<ImageDigit> ImageRow::*;

    void digits(Digits list) {
        const std::vector<ImageDigit>& truth = truth_->*list;
        for (std::size_t i = 0; i < truth.size(); ++i) {
            std::set<int> extents = other_counts(truth[i].extent);
            if (truth[i].extent == atlas::rest)
                extents.insert({2, 4, 8});
            else
                extents.insert(atlas::rest);
            for (int extent : extents) digit("extent", list, i, {extent, truth[i].stride, truth[i].axis});
            for (int stride : other_values(truth[i].stride))
                digit("stride", list, i, {truth[i].extent, stride, truth[i].axis});
            for (const Axis axis :
                 {Axis::tid_in_wg, Axis::wid_in_wg, Axis::laneid, Axis::m, Axis::TLane, Axis::TCol})
                if (axis != truth[i].axis) digit("axis", list, i, {truth[i].extent, truth[i].stride, axis});
            add("digit removed", [&](ImageRow& row) {
                (row.*list).erase((row.*list).begin() + static_cast<std::ptrdiff_t>(i));
            });
            if (i > 0)
                add("digits swapped", [&](ImageRow& row) { std::swap((row.*list)[i - 1], (row.*list)[i]); });
        }
    }
    void digit(const std::string& kind, Digits list, std::size_t i, const ImageDigit& changed) {
        Mutant mutant{*truth_, truth_, buffer_};
        const ImageDigit truth = (mutant.row.*list)[i];
        (mutant.row.*list)[i] = changed;
        const bool same = may_be_equivalent(truth, changed) &&
                          (buffer_ ? same_maps<layout::CellMap>(mutant) : same_maps<layout::SlotMap>(mutant));
        if (same) return tally_.equivalent(kind);
        judge(kind, mutant);
    }
    /// Only what has the same rows and the same digits may go by another name: A is D, B is E, C is F.
    void name(const ImageRow& other) {
        Mutant mutant{*truth_, truth_, buffer_};
        mutant.row.name = other.name;
        const bool same_image = other.rows == truth_->rows && other.row_digits == truth_->row_digits &&
                                other.word_digits == truth_->word_digits;
        if (same_image) return tally_.equivalent("name");
        judge("name", mutant);
    }
    template <class Change>
    void add(const std::string& kind, Change change) {
        Mutant mutant{*truth_, truth_, buffer_};
        change(mutant.row);
        judge(kind, mutant);
    }
    void judge(const std::string& kind, const Mutant& mutant) {
        tally_.judge(kind, std::string(truth_->name) + ", " + std::to_string(truth_->rows) + " rows", mutant,
                     checks_);
    }

    MutantTally& tally_;
    const ImageRow* truth_ = nullptr;
    bool buffer_ = false;
    std::vector<MutantCheck<Mutant>> checks_ = checks();
};

const std::vector<std::string> kinds{"extent", "stride",        "axis",     "digit removed", "digits swapped",
                                     "rows",   "word_multiple", "sub_slab", "name"};

void enumerate(std::span<const ImageRow> rows, bool buffer) {
    MutantTally tally;
    Enumeration enumeration(tally);
    for (const ImageRow& truth : rows) {
        CAPTURE(truth.name);
        for (const auto& check : checks()) {
            CAPTURE(check.name);
            REQUIRE_FALSE(check.fails({truth, &truth, buffer}));
        }
        enumeration.row(truth, buffer);
    }
    tally.report(kinds);
}

} // namespace

TEST_CASE("a datapath with any one fact changed fails some check") {
    CHECK(atlas::datapath_rows().size() == oracle::legal_datapaths.size());
    enumerate(atlas::datapath_rows(), true);
}

TEST_CASE("a fragment image with any one fact changed fails some check") {
    CHECK(atlas::atom_rows().size() == oracle::legal_atoms.size());
    enumerate(atlas::atom_rows(), false);
}
