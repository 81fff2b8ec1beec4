// Fragments and buffers in layouts of all kinds: digits permuted, registers shuffled, places swapped. A plan
// is run by the copy machine; a refusal is confirmed by a search over all instructions.
#include "match/match.hpp"

#include "layout_digits.hpp"
#include "tmem_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace tmemc;
using namespace tmemc::testing;

namespace {

using layout::Axis;
using layout::Layout;

struct Drawing {
    CopyCase c;
    std::string kind;
};

class Artist {
  public:
    explicit Artist(unsigned seed) : random_(seed) {}

    int pick(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }

    /// A copy of a whole tile that some atom fits, with its fragment written as a literal in one of several
    /// ways.
    Drawing draw() {
        static constexpr struct {
            char datapath;
            const char* atom;
            int rows;
        } pairs[] = {{'D', "32x32b", 128}, {'D', "16x64b", 128}, {'D', "16x128b", 128}, {'D', "16x256b", 128},
                     {'F', "16x64b", 64},  {'F', "16x128b", 64}, {'F', "16x256b", 64},  {'F', "16x32bx2", 64},
                     {'B', "32x32b", 64},  {'G', "32x32b", 32}};
        const auto& pair = pairs[pick(0, std::size(pairs) - 1)];
        Drawing drawing;
        CopyCase& c = drawing.c;
        c.dtype = std::array{base::Dtype::f32, base::Dtype::f16,
                             base::Dtype::u8}[static_cast<std::size_t>(pick(0, 2))];
        c.store = pick(0, 1) == 1;
        c.datapath = pair.datapath;
        c.sub_slab = pair.datapath == 'F' ? pick(0, 1) : 0;
        c.unpacked = c.dtype == base::Dtype::f16 && pick(0, 1) == 1;
        c.buffer_rows = c.fragment_rows = pair.rows;
        c.buffer_cols = c.fragment_cols = 8 * (32 / base::bits(c.dtype)) * (1 << pick(0, 2));
        c.atom = pair.atom;
        Layout layout = fragment_layout(c);
        layout = tests::in_twos(layout);
        switch (pick(0, 3)) {
        case 0: drawing.kind = "another spelling"; break;
        case 1:
            drawing.kind = "registers permuted";
            permute(
                layout, [](const layout::Digit& d) { return d.axis == Axis::m; }, c);
            break;
        case 2:
            drawing.kind = "places swapped";
            swap_two(layout, c);
            break;
        default:
            drawing.kind = "a tile in another order";
            drawing.c.buffer_layout = buffer_layout(c);
            c.datapath = 0;
            c.buffer_layout = tests::in_twos(c.buffer_layout);
            permute(
                c.buffer_layout, [](const layout::Digit& d) { return d.axis == Axis::TCol; }, c);
            break;
        }
        c.atom = "";
        c.fragment_layout = layout;
        return drawing;
    }

  private:
    /// Elements that share a word keep their digits, the last ones.
    static std::size_t movable_digits(const Layout& layout, const CopyCase& c) {
        std::size_t count = layout.shard.size();
        for (int shared = 32 / base::bits(c.dtype); shared > 1; shared /= 2) --count;
        return count;
    }

    template <class Which>
    void permute(Layout& layout, Which which, const CopyCase& c) {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < movable_digits(layout, c); ++i)
            if (which(layout.shard[i])) places.push_back(i);
        std::vector<layout::Digit> digits;
        digits.reserve(places.size());
        for (std::size_t i : places) digits.push_back(layout.shard[i]);
        std::shuffle(digits.begin(), digits.end(), random_);
        for (std::size_t i = 0; i < places.size(); ++i) layout.shard[places[i]] = digits[i];
    }

    void swap_two(Layout& layout, const CopyCase& c) {
        const int last = static_cast<int>(movable_digits(layout, c)) - 1;
        std::swap(layout.shard[static_cast<std::size_t>(pick(0, last))],
                  layout.shard[static_cast<std::size_t>(pick(0, last))]);
    }

    std::mt19937 random_;
};

} // namespace

TEST_CASE("a layout is accepted exactly when some instructions do it, and then they do") {
    Artist artist(5);
    std::map<std::string, int> accepted, refused;
    for (int trial = 0; trial < 600; ++trial) {
        const Drawing drawing = artist.draw();
        const CopyCase& c = drawing.c;
        const std::string& kind = drawing.kind;
        CAPTURE(trial);
        CAPTURE(kind);
        CAPTURE(layout::to_string(c.fragment_layout));
        const auto result = match::match(program_of(c));
        if (result.diagnostics.has_errors()) {
            REQUIRE_FALSE(possible(c));
            ++refused[kind];
            continue;
        }
        REQUIRE(judge(c, result.plan.kernels.at(0).copies.at(0).messages) == "");
        ++accepted[kind];
    }
    for (const auto& [what, count] : accepted) MESSAGE("moved, " << what << ": " << count);
    for (const auto& [what, count] : refused) MESSAGE("refused, " << what << ": " << count);
    CHECK(accepted.size() == 4);
    CHECK(refused["another spelling"] == 0);
    CHECK(refused["registers permuted"] == 0);
    CHECK(refused["places swapped"] > 30);
    CHECK(refused["a tile in another order"] > 10);
}

TEST_CASE("a literal that spells an atom has the atom's plan") {
    for (const atlas::ImageRow& atom : atlas::atom_rows()) {
        CopyCase named;
        named.datapath = atom.rows == 128 ? 'D' : atom.rows == 32 ? 'G' : atom.name == "32x32b" ? 'B' : 'F';
        named.buffer_rows = named.fragment_rows = atom.rows;
        named.buffer_cols = named.fragment_cols = 32;
        named.atom = atom.name;
        CopyCase spelled = named;
        spelled.atom = "";
        const auto plan = match::match(program_of(named)).plan;
        CHECK_FALSE(plan.kernels.at(0).copies.at(0).messages.empty());
        const auto same = [&](const Layout& layout) {
            CAPTURE(layout::to_string(layout));
            spelled.fragment_layout = layout;
            CHECK(match::match(program_of(spelled)).plan == plan);
        };
        const Layout plain = fragment_layout(named);
        same(plain);
        // Every extent split into twos, and digits of extent 1 between them.
        const Layout split = tests::in_twos(plain);
        Layout padded;
        for (const layout::Digit& digit : plain.shard) {
            padded.shard.push_back(digit);
            padded.shard.push_back({1, 77, Axis::m});
        }
        same(split);
        same(padded);
        // The same threads counted on another axis.
        Layout lanes = split;
        for (layout::Digit& digit : lanes.shard)
            if (digit.axis == Axis::wid_in_wg) digit = {digit.extent, 32 * digit.stride, Axis::tid_in_wg};
        same(lanes);
    }
}
