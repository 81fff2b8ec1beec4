// Every fact of every shape row, changed: each change must be noticed by the tables of maps, by the copy
// machine that runs the plans made with the changed row, or by the table of what is legal. Each number gets
// its neighbours, its double, its half, none and the other sign; flags, shapes and names get all others.
//
// Example: 16x64b with thread bit 0 at 7 lanes instead of 8 contradicts the maps, and plans made with it
// load lane 7 where the copy wants lane 8. 32x32b with messages that may start at lane 16 plans nothing else
// (thread 16 would be another warp's), so that only the table of what is legal knows better.
// Not here: the sources' names, which are words and no facts.
#include "base/invariant.hpp"
#include "match/plan_copy.hpp"

#include "tmem_copy.hpp"
#include "tmem_legal.hpp"
#include "tmem_maps.hpp"
#include "tmem_mutants.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using atlas::ShapeRow;

/// A copy that a shape is for, ready to be planned with other rows and judged.
struct Use {
    CopyCase c;
    sema::Program program;
    std::vector<Placed> elements;
};

Use use(char datapath, const std::string& atom, int rows, int cols, base::Dtype dtype) {
    CopyCase c;
    c.dtype = dtype;
    c.unpacked = base::bits(dtype) == 16; // so that messages pack
    c.datapath = datapath;
    c.atom = atom;
    c.sub_slab = datapath == 'F' && atom != "16x32bx2" ? 1 : 0;
    c.buffer_rows = c.fragment_rows = rows;
    c.buffer_cols = c.fragment_cols = cols;
    return {c, program_of(c), elements_of(c)};
}

/// Narrow, packing, in the lower lanes of a slab, in the upper ones, and as wide as tensor memory, by shape.
const std::vector<Use>& uses_of(atlas::Shape shape) {
    static const std::map<atlas::Shape, std::vector<Use>> all = [] {
        std::map<atlas::Shape, std::vector<Use>> uses;
        for (const oracle::LegalShape& each : oracle::legal_shapes) {
            const std::string name(each.name);
            std::vector<Use>& list = uses[*atlas::shape_named(name)];
            const bool slabs = name != "32x32b", both = name != "16x32bx2";
            for (const auto dtype : {base::Dtype::f32, base::Dtype::f16}) {
                if (slabs) list.push_back(use('F', name, 64, 32, dtype));
                if (both) list.push_back(use('D', name, 128, 32, dtype));
            }
            list.push_back(slabs ? use('F', name, 64, 512, base::Dtype::f32)
                                 : use('D', name, 128, 512, base::Dtype::f32));
        }
        return uses;
    }();
    return all.at(shape);
}

const oracle::LegalShape* legal(std::string_view name) {
    const auto& all = oracle::legal_shapes;
    const auto* found =
        std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    return found == all.end() ? nullptr : found;
}

/// Whether the plan of a use with this row alone (another shape might do it too) moves it right, and in the
/// widest messages that there are.
bool moves(const Use& use, const ShapeRow& row) {
    const sema::Kernel& kernel = use.program.kernels[0];
    const match::Copy copy{kernel.fragment_images[0].slots,
                           kernel.buffer_images[0].cells,
                           {},
                           {},
                           use.c.fragment_rows,
                           use.c.fragment_cols,
                           false,
                           use.c.unpacked};
    try {
        const auto outcome = match::plan_copy(copy, {1024}, std::span(&row, 1));
        const auto* messages = std::get_if<std::vector<match::Message>>(&outcome);
        if (messages == nullptr || judge(use.c, use.elements, *messages) != "") return false;
        const int widest = legal(use.c.atom)->max_num;
        return use.c.fragment_cols < 512 ||
               std::all_of(messages->begin(), messages->end(),
                           [widest](const match::Message& message) { return message.num == widest; });
    } catch (const base::InternalError&) {
        return false; // the matcher's self-check saw it
    }
}

/// A changed row, and the shape whose row it was.
struct Mutant {
    ShapeRow row;
    atlas::Shape truth{};
};

std::vector<MutantCheck<Mutant>> checks() {
    return {{"maps", [](const Mutant& mutant) { return wrong_entries(mutant.row) > 0; }},
            {"machine",
             [](const Mutant& mutant) {
                 const auto& uses = uses_of(mutant.truth);
                 return !std::all_of(uses.begin(), uses.end(),
                                     [&](const Use& use) { return moves(use, mutant.row); });
             }},
            {"legality", [](const Mutant& mutant) {
                 const ShapeRow& row = mutant.row;
                 const oracle::LegalShape* truth = legal(row.name);
                 return truth == nullptr || row.max_num != truth->max_num ||
                        row.registers != truth->registers || row.columns != truth->columns ||
                        row.lanes != truth->lanes || row.split != truth->split;
             }}};
}

/// Mutants that mean the same: a tile of 1 register never sets bits of the register's number, and one of 2
/// only bit 0, so the steps of the bits above are read by nobody (cell_of is the only reader of steps). That
/// they change no cell is also tried for every thread and register.
bool unused(const ShapeRow& row, std::size_t register_bit) { return 1 << register_bit >= row.registers; }

bool same_cells(const ShapeRow& a, const ShapeRow& b) {
    for (int thread = 0; thread < 32; ++thread)
        for (int reg = 0; reg < 128; ++reg)
            if (atlas::cell_of(a, thread, reg) != atlas::cell_of(b, thread, reg)) return false;
    return true;
}

class Enumeration {
  public:
    explicit Enumeration(MutantTally& tally) : tally_(tally) {}

    void row(const ShapeRow& truth) {
        truth_ = &truth;
        for (std::size_t bit = 0; bit < truth.thread_bits.size(); ++bit) {
            number("thread bit, lane", [bit](ShapeRow& row) { return &row.thread_bits[bit].lane; });
            number("thread bit, column", [bit](ShapeRow& row) { return &row.thread_bits[bit].column; });
        }
        for (std::size_t bit = 0; bit < truth.register_bits.size(); ++bit) {
            equal_ = unused(truth, bit);
            number("register bit, lane", [bit](ShapeRow& row) { return &row.register_bits[bit].lane; });
            number("register bit, column", [bit](ShapeRow& row) { return &row.register_bits[bit].column; });
            equal_ = false;
        }
        count("registers", [](ShapeRow& row) { return &row.registers; });
        count("columns", [](ShapeRow& row) { return &row.columns; });
        count("lanes", [](ShapeRow& row) { return &row.lanes; });
        count("max_num", [](ShapeRow& row) { return &row.max_num; });
        ShapeRow split = truth;
        split.split = !split.split;
        add("split", split);
        for (const ShapeRow& other : atlas::shape_rows()) {
            if (other.shape == truth.shape) continue;
            ShapeRow shape = truth, name = truth;
            shape.shape = other.shape;
            name.name = other.name;
            add("shape", shape);
            add("name", name);
        }
    }

  private:
    template <class Field>
    void number(const std::string& kind, Field field) {
        change(kind, field, false);
    }
    template <class Field>
    void count(const std::string& kind, Field field) {
        change(kind, field, true);
    }
    template <class Field>
    void change(const std::string& kind, Field field, bool counts) {
        ShapeRow row = *truth_;
        const int value = *field(row);
        for (int other : counts ? other_counts(value) : other_values(value)) {
            *field(row) = other;
            add(kind, row);
        }
    }
    void add(const std::string& kind, const ShapeRow& row) {
        if (equal_) {
            CHECK(same_cells(row, *truth_));
            return tally_.equivalent(kind);
        }
        tally_.judge(kind, std::string(truth_->name), Mutant{row, truth_->shape}, checks_);
    }

    MutantTally& tally_;
    const ShapeRow* truth_ = nullptr;
    bool equal_ = false; // the steps that are changed now are never read
    std::vector<MutantCheck<Mutant>> checks_ = checks();
};

} // namespace

TEST_CASE("a shape row with any one fact changed fails some check") {
    MutantTally tally;
    Enumeration enumeration(tally);
    for (const ShapeRow& truth : atlas::shape_rows()) {
        CAPTURE(truth.name);
        for (const auto& check : checks()) {
            CAPTURE(check.name);
            REQUIRE_FALSE(check.fails({truth, truth.shape}));
        }
        enumeration.row(truth);
    }
    tally.report({"thread bit, lane", "thread bit, column", "register bit, lane", "register bit, column",
                  "registers", "columns", "lanes", "max_num", "split", "shape", "name"});
}
