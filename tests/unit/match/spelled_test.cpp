// A literal that spells an atom or a datapath is the same program: the PTX text is the same, line for line,
// but for the comments that quote the source. Each image of the atlas is written out in several ways: its
// digits as they are, split into twos, merged where two are one, with digits of extent 1 between them, on
// other axes for the same threads, and with offsets that cancel. The order of digits is the order in which
// they count, so exchanging two, or counting one backwards, is another map and must be another text.
//
// Example: the 128 x 8 tile of 32x32b, S[(128, 8) : (1@tid_in_wg, 1)], is also
// S[(4, 32, 8) : (1@wid_in_wg, 1@laneid, 1)] and S[(128, 8) : (1@laneid, 1)] + 32@tid_in_wg + -1@wid_in_wg.
// Not here: that equal maps have equal plans as values (layouts_test.cpp).
#include "atlas/images.hpp"
#include "pipeline.hpp"

#include "layout_digits.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <sstream>

using namespace tmemc;

namespace {

using layout::Axis;
using layout::Digit;
using layout::Layout;

/// A kernel that stores and loads one tile, with the words given behind the buffer's and the fragments'
/// types.
std::string program(int rows, int cols, std::string_view dtype, const std::string& tile,
                    const std::string& image) {
    const std::string type =
        std::string(dtype) + "[" + std::to_string(rows) + ", " + std::to_string(cols) + "]";
    return "kernel k(in A: " + type + ", out B: " + type + ") {\n  tmem T: " + type + " " + tile +
           ";\n  frag X: " + type + " " + image + ";\n  frag Y: " + type + " " + image +
           ";\n  copy X <- A;\n  copy_async T <- X;\n  wait st;\n  copy_async Y <- T;\n  wait ld;\n"
           "  copy B <- Y;\n}\n";
}

/// The PTX without comment lines; empty when the program is refused.
std::string ptx_of(const std::string& text) {
    const Compilation compiled = compile(base::Source("spelled.tmx", text));
    if (!compiled.ok()) return "";
    std::istringstream lines(compiled.ptx.text);
    std::string result;
    for (std::string line; std::getline(lines, line);) {
        const auto first = line.find_first_not_of(' ');
        if (first != std::string::npos && line.compare(first, 2, "//") == 0) continue;
        result += line + "\n";
    }
    return result;
}

/// Two digits are one when the higher steps over all of the lower.
Layout merged(const Layout& plain) {
    Layout result = plain;
    result.shard.clear();
    for (const Digit& digit : plain.shard) {
        if (digit.extent == 1) continue;
        if (!result.shard.empty()) {
            Digit& last = result.shard.back();
            if (last.axis == digit.axis && last.stride == digit.extent * digit.stride) {
                last = {last.extent * digit.extent, digit.stride, digit.axis};
                continue;
            }
        }
        result.shard.push_back(digit);
    }
    return result;
}
Layout padded(const Layout& plain) {
    Layout result = plain;
    result.shard.clear();
    for (const Digit& digit : plain.shard) {
        result.shard.push_back({1, 77, digit.axis});
        result.shard.push_back(digit);
    }
    return result;
}
/// Threads counted on another axis: a warp is 32 threads, a lane is one.
Layout on_other_axes(const Layout& plain) {
    Layout result = plain;
    for (Digit& digit : result.shard)
        if (digit.axis == Axis::wid_in_wg)
            digit = {digit.extent, 32 * digit.stride, Axis::tid_in_wg};
        else if (digit.axis == Axis::tid_in_wg)
            digit.axis = Axis::laneid;
        else if (digit.axis == Axis::laneid)
            digit.axis = Axis::tid_in_wg;
    return result;
}
/// An offset to the thread, taken back as an offset on another axis, where there are two of threads.
Layout with_offsets(const Layout& plain) {
    Layout result = plain;
    const bool threads = plain.shard[0].axis != Axis::TLane;
    if (threads) {
        result.offset[Axis::tid_in_wg] += 32;
        result.offset[Axis::wid_in_wg] -= 1;
    }
    return result;
}
/// The first digit counted backwards from its end: another map.
Layout backwards(const Layout& plain) {
    Layout result = tests::in_twos(plain);
    Digit& first = result.shard.front();
    result.offset[first.axis] += first.stride;
    first.stride = -first.stride;
    return result;
}
/// The first two digits in another order: another map.
Layout swapped(const Layout& plain) {
    Layout result = tests::in_twos(plain);
    std::swap(result.shard[0], result.shard[1]);
    return result;
}

std::int64_t words_of(const atlas::ImageRow& row) { return std::int64_t{8} * row.word_multiple; }

struct Sort {
    const char* dtype;
    int bits;
};
constexpr Sort sorts[] = {{"f32", 32}, {"f16", 16}, {"u8", 8}};

class Spellings {
  public:
    /// `named` is the program with the name, `with_literal` writes it with a layout.
    template <class Program>
    void compare(const std::string& named, const Layout& plain, Program with_literal) {
        const std::string wanted = ptx_of(named);
        REQUIRE_FALSE(wanted.empty());
        const auto same = [&](const std::string& kind, const Layout& layout) {
            CAPTURE(kind);
            CAPTURE(layout::to_string(layout));
            CHECK(ptx_of(with_literal(layout)) == wanted);
            if (!(layout == plain)) ++count_[kind];
        };
        const auto other = [&](const std::string& kind, const Layout& layout) {
            CAPTURE(kind);
            CAPTURE(layout::to_string(layout));
            CHECK(ptx_of(with_literal(layout)) != wanted);
            ++count_[kind];
        };
        CHECK(ptx_of(with_literal(plain)) == wanted);
        ++count_["plain"];
        same("split", tests::in_twos(plain));
        same("merged", merged(plain));
        same("merged again", merged(tests::in_twos(plain)));
        same("padded", padded(plain));
        same("other axes", on_other_axes(plain));
        same("offsets", with_offsets(plain));
        other("backwards", backwards(plain));
        other("swapped", swapped(plain));
    }
    void report() {
        for (const auto& [kind, count] : count_) MESSAGE(kind << ": " << count);
        for (const char* kind : {"plain", "split", "merged", "merged again", "padded", "other axes",
                                 "offsets", "backwards", "swapped"}) {
            CAPTURE(std::string(kind));
            CHECK(count_[kind] > 0);
        }
    }

  private:
    std::map<std::string, int> count_;
};

} // namespace

TEST_CASE("every spelling of an atom is the same PTX") {
    Spellings spellings;
    std::set<std::string> texts;
    for (const atlas::ImageRow& atom : atlas::atom_rows())
        for (const Sort& sort : sorts) {
            const std::string letter(1, atom.rows == 128        ? 'D'
                                        : atom.rows == 32       ? 'G'
                                        : atom.name == "32x32b" ? 'B'
                                                                : 'F');
            const int cols = static_cast<int>(words_of(atom)) * 32 / sort.bits;
            const auto with = [&](const std::string& image) {
                return program(atom.rows, cols, sort.dtype, "datapath " + letter, image);
            };
            CAPTURE(atom.name);
            CAPTURE(atom.rows);
            CAPTURE(std::string(sort.dtype));
            const std::string named = with("atom " + std::string(atom.name));
            spellings.compare(named, atlas::layout_of(atom, cols, sort.bits), [&](const Layout& layout) {
                return with("layout " + layout::to_string(layout));
            });
            texts.insert(ptx_of(named));
        }
    spellings.report();
    // No two images are the same text; elements of any size are, when the words are as many.
    CHECK(texts.size() == atlas::atom_rows().size());
}

TEST_CASE("every spelling of a datapath is the same PTX") {
    std::map<std::string, int> count;
    for (const atlas::ImageRow& datapath : atlas::datapath_rows())
        for (int sub_slab = 0; sub_slab <= (datapath.sub_slab ? 1 : 0); ++sub_slab)
            for (const Sort& sort : sorts) {
                const std::string atom = datapath.sub_slab ? "atom 16x128b" : "atom 32x32b";
                const int cols = 16 * 32 / sort.bits;
                const auto with = [&](const std::string& tile) {
                    return program(datapath.rows, cols, sort.dtype, tile, atom);
                };
                const std::string named = ptx_of(
                    with("datapath " + std::string(datapath.name) + (sub_slab != 0 ? " sub_slab 1" : "")));
                REQUIRE_FALSE(named.empty());
                const auto same = [&](const std::string& kind, const Layout& layout) {
                    CAPTURE(datapath.name);
                    CAPTURE(layout::to_string(layout));
                    CHECK(ptx_of(with("layout " + layout::to_string(layout))) == named);
                    ++count[kind];
                };
                const Layout plain = atlas::layout_of(datapath, cols, sort.bits, false, sub_slab);
                same("plain", plain);
                same("split", tests::in_twos(plain));
                same("merged", merged(plain));
                same("merged again", merged(tests::in_twos(plain)));
                same("padded", padded(plain));
            }
    for (const auto& [kind, times] : count) {
        MESSAGE(kind << ": " << times);
        CHECK(times == 9 * 3); // seven datapaths, two of them with two sub-slabs
    }
    CHECK(count.size() == 5);
}
