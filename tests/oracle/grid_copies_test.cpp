// Copies of a grid, drawn and judged by plain loops. A drawn kernel loads a slice of A, whose place depends
// on the CTA, into a part of a filled fragment, now and then a row of V on top, and stores a slice of the
// fragment to B, where every CTA has rows of its own. Extents, pitches, alignments, element types, images and
// `masked` are drawn; sizes that do not fit make edges. The host does the same element by element, evaluates
// the slices by functions that were drawn with their text, and compares every element of B; what no CTA may
// touch must be what it was. A kernel whose slices leave a tensor without `masked` must be refused.
//
// Programs are counted by what they show, and a class without a member fails.
#include "base/render.hpp"
#include "pipeline.hpp"
#include "runtime/sizes.hpp"
#include "trial/signature.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <map>
#include <random>

namespace {

using namespace tmemc;

/// Where a slice begins: its text, and its value in CTA (x, y).
struct Place {
    std::string text;
    std::function<int(int x, int y)> at;
};

struct Tensor {
    std::string name, dtype;
    int rows = 1, cols = 1;
    int pitch = 0; // 0: the columns
    bool run_time_rows = false, run_time_pitch = false;
    int align = 32;
    [[nodiscard]] std::string declaration(const std::string& direction) const {
        std::string text = fmt::format("{} {}: {}[{}, {}]", direction, name, dtype,
                                       run_time_rows ? "n" + name : std::to_string(rows), cols);
        if (run_time_pitch) text += " pitch p" + name;
        if (!run_time_pitch && pitch != 0) text += fmt::format(" pitch {}", pitch);
        if (align != 32) text += fmt::format(" align {}", align);
        if (run_time_rows) text += fmt::format(", n{}: u32", name);
        if (run_time_pitch) text += fmt::format(", p{}: u32", name);
        return text;
    }
};

/// A rectangle of the fragment and where it lies in a tensor.
struct Slice {
    int row = 0, col = 0, rows = 0, cols = 0;
    Place from_row, from_col;
    bool masked = false;
    std::string path; // " direct", " staged" or neither
};

struct Program {
    std::string dtype, atom;
    int rows = 128, cols = 8, x = 1, y = 1;
    Tensor a, b;
    Slice load, store;
    std::string text;
    std::vector<std::string> shown;
};

class Draw {
  public:
    explicit Draw(unsigned seed) : random_(seed) {}

    Program program() {
        Program p;
        p.dtype = one_of({"f32", "u32", "f16", "s16", "u8"});
        const int per_word = p.dtype == "u8" ? 4 : p.dtype == "f16" || p.dtype == "s16" ? 2 : 1;
        p.atom = one_of({"", "", "16x64b", "16x128b", "16x256b"});
        p.rows = p.atom.empty() || chance(50) ? 128 : 64;
        p.cols = per_word * 8 * pick(1, 3);
        p.x = pick(1, 4);
        p.y = pick(1, 3);
        p.load = slice(p);
        p.store = slice(p);
        p.load.from_row = place("cta.x", p.x, p.load.rows, &Draw::of_x);
        p.load.from_col = chance(50) ? place("cta.y", p.y, p.load.cols, &Draw::of_y)
                                     : Place{"0", [](int, int) { return 0; }};
        const int step = p.store.rows, shift = pick(0, 3), width = p.x;
        p.store.from_row = {fmt::format("(cta.y*{} + cta.x)*{} + {}", width, step, shift),
                            [=](int x, int y) { return (y * width + x) * step + shift; }};
        const int col = chance(50) ? 0 : pick(0, 5);
        p.store.from_col = {std::to_string(col), [=](int, int) { return col; }};
        p.a = tensor("A", p, p.load);
        p.b = tensor("B", p, p.store);
        p.text = text(p);
        return p;
    }

  private:
    int pick(int first, int last) { return std::uniform_int_distribution<int>(first, last)(random_); }
    bool chance(int per_cent) { return pick(1, 100) <= per_cent; }
    std::string one_of(const std::vector<std::string>& list) {
        return list[static_cast<std::size_t>(pick(0, static_cast<int>(list.size()) - 1))];
    }
    static int of_x(int x, int) { return x; }
    static int of_y(int, int y) { return y; }

    Slice slice(const Program& p) {
        Slice made{0, 0, p.rows, p.cols, {}, {}, chance(65), one_of({" direct", " direct", " staged", ""})};
        if (chance(40)) {
            made.row = pick(0, p.rows / 2);
            made.rows = pick(1, p.rows - made.row);
        }
        if (chance(40)) {
            made.col = pick(0, p.cols / 2);
            made.cols = pick(1, p.cols - made.col);
        }
        return made;
    }

    Place place(const std::string& axis, int count, int size, int (*index)(int, int)) {
        const int shift = chance(40) ? 0 : pick(-3, 9), k = chance(60) ? size : pick(1, size + 8);
        switch (pick(0, 5)) {
        case 0:
            return {fmt::format("{}/2*{} + {}", axis, k, shift),
                    [=](int x, int y) { return index(x, y) / 2 * k + shift; }};
        case 1:
            return {fmt::format("{}%2*{} + {}", axis, k, shift),
                    [=](int x, int y) { return index(x, y) % 2 * k + shift; }};
        case 2:
            return {fmt::format("min({}*{}, {}) + {}", axis, k, 2 * k, shift),
                    [=](int x, int y) { return std::min(index(x, y) * k, 2 * k) + shift; }};
        case 3:
            return {fmt::format("({} - {})*{} + {}", count, axis, k, shift),
                    [=](int x, int y) { return (count - index(x, y)) * k + shift; }};
        default:
            return {fmt::format("{}*{} + {}", axis, k, shift),
                    [=](int x, int y) { return index(x, y) * k + shift; }};
        }
    }

    /// As large as the slices reach, or with an edge inside them.
    Tensor tensor(const std::string& name, const Program& p, const Slice& slice) {
        int rows = 1, cols = 1;
        for (int x = 0; x < p.x; ++x)
            for (int y = 0; y < p.y; ++y) {
                rows = std::max(rows, slice.from_row.at(x, y) + slice.rows);
                cols = std::max(cols, slice.from_col.at(x, y) + slice.cols);
            }
        Tensor made{name, p.dtype, rows, cols};
        if (chance(60)) made.rows = std::max(1, rows - pick(1, 100));
        if (chance(40)) made.cols = std::max(1, cols - (chance(50) ? 8 * pick(0, 2) : pick(1, 9)));
        made.run_time_rows = chance(25);
        made.run_time_pitch = chance(20);
        if (made.run_time_pitch || chance(40))
            made.pitch = chance(50) ? (made.cols + 31) / 32 * 32 : made.cols + pick(0, 9);
        if (chance(30)) made.align = 4 << pick(0, 4);
        return made;
    }

    static std::string region(const std::string& name, const Slice& s) {
        return fmt::format("{}[{} +: {}, {} +: {}]", name, s.from_row.text, s.rows, s.from_col.text, s.cols);
    }
    static std::string part(const Slice& s) {
        return fmt::format("X[{} +: {}, {} +: {}]", s.row, s.rows, s.col, s.cols);
    }
    static std::string text(const Program& p) {
        std::string made = fmt::format("kernel k({}, {}) grid({}, {}) {{\n", p.a.declaration("in"),
                                       p.b.declaration("inout"), p.x, p.y);
        made += fmt::format("  frag X: {}[{}, {}]{};\n", p.dtype, p.rows, p.cols,
                            p.atom.empty() ? "" : " atom " + p.atom);
        made += "  X = 7;\n";
        made += fmt::format("  copy {} <- {}{}{};\n", part(p.load), region("A", p.load), p.load.path,
                            p.load.masked ? " masked" : "");
        made += fmt::format("  copy {} <- {}{}{};\n}}\n", region("B", p.store), part(p.store), p.store.path,
                            p.store.masked ? " masked" : "");
        return made;
    }

    std::mt19937 random_;
};

/// What leaves its tensor in some CTA.
struct Leaves {
    bool rows = false, cols = false;
    [[nodiscard]] bool any() const { return rows || cols; }
};
Leaves leaves(const Program& p, const Slice& s, const Tensor& t) {
    Leaves found;
    for (int x = 0; x < p.x; ++x)
        for (int y = 0; y < p.y; ++y) {
            const int row = s.from_row.at(x, y), col = s.from_col.at(x, y);
            found.rows = found.rows || row < 0 || row + s.rows > t.rows;
            found.cols = found.cols || col < 0 || col + s.cols > t.cols;
        }
    return found;
}

bool must_be_refused(const Program& p, const Slice& s, const Tensor& t) {
    return !s.masked && (t.run_time_rows || leaves(p, s, t).any());
}

runtime::Array random_array(const runtime::Formal& formal, std::mt19937& random) {
    runtime::Array array = runtime::make_array(formal.dtype, formal.shape);
    for (std::int64_t i = 0; i < array.elements(); ++i)
        array.set(i, static_cast<std::uint32_t>(random()) & (0xffffffffU >> (32 - base::bits(formal.dtype))));
    return array;
}

/// B as it should be.
runtime::Array by_hand(const Program& p, const runtime::Array& a, runtime::Array b, std::uint32_t seven) {
    const auto inside = [](const Tensor& t, int r, int c) {
        return r >= 0 && r < t.rows && c >= 0 && c < t.cols;
    };
    for (int x = 0; x < p.x; ++x)
        for (int y = 0; y < p.y; ++y) {
            std::vector<std::uint32_t> tile(static_cast<std::size_t>(p.rows * p.cols), seven);
            const auto at = [&](int r, int c) -> std::uint32_t& {
                return tile[static_cast<std::size_t>(r * p.cols + c)];
            };
            for (int r = 0; r < p.load.rows; ++r)
                for (int c = 0; c < p.load.cols; ++c) {
                    const int row = p.load.from_row.at(x, y) + r, col = p.load.from_col.at(x, y) + c;
                    at(p.load.row + r, p.load.col + c) =
                        inside(p.a, row, col) ? a.get(row * p.a.cols + col) : 0;
                }
            for (int r = 0; r < p.store.rows; ++r)
                for (int c = 0; c < p.store.cols; ++c) {
                    const int row = p.store.from_row.at(x, y) + r, col = p.store.from_col.at(x, y) + c;
                    if (inside(p.b, row, col))
                        b.set(row * p.b.cols + col, at(p.store.row + r, p.store.col + c));
                }
        }
    return b;
}

/// The first thing that is wrong; empty when nothing is.
std::string judge(const Program& p, const Compilation& made, std::mt19937& random) {
    if (const auto wrong = verify_text(made).mismatch) return "verify: " + wrong->what;
    runtime::Signature signature = trial::signature_of(made.program.kernels.front());
    std::map<std::string, runtime::Array> values;
    for (const Tensor* t : {&p.a, &p.b})
        for (const auto& [name, value] :
             {std::pair{"n" + t->name, t->rows}, std::pair{"p" + t->name, t->pitch}}) {
            values[name] = runtime::make_array(base::Dtype::u32, {});
            values[name].set(0, static_cast<std::uint32_t>(value));
        }
    if (const auto sentence = runtime::give_sizes(signature, values)) return *sentence;
    for (const runtime::Formal& formal : signature.formals)
        if (!formal.is_scalar()) values[formal.name] = random_array(formal, random);
    const std::uint32_t seven = p.dtype == "f32" ? 0x40e00000 : p.dtype == "f16" ? 0x4700 : 7;
    const runtime::Array wanted = by_hand(p, values.at("A"), values.at("B"), seven);
    const auto device = runtime::make_emulator();
    if (device->load({"drawn.ptx", made.ptx.text, {}}, signature.kernel).has_errors())
        return "the emulator does not take the PTX";
    const runtime::CallResult called = runtime::call(*device, signature, values);
    if (called.error) return called.error->code + ": " + called.error->message;
    const runtime::Array& b = values.at("B");
    for (std::int64_t i = 0; i < wanted.elements(); ++i)
        if (b.get(i) != wanted.get(i))
            return fmt::format("B[{}, {}] is {:#x}, wanted {:#x}", i / p.b.cols, i % p.b.cols, b.get(i),
                               wanted.get(i));
    return {};
}

} // namespace

TEST_CASE("drawn copies of a grid do what plain loops do") {
    constexpr unsigned programs = 600;
    std::map<std::string, int> classes;
    for (const char* name : {"refused",
                             "run",
                             "rows leave a load",
                             "rows leave a store",
                             "columns leave a load",
                             "columns leave a store",
                             "inside",
                             "run-time rows",
                             "run-time pitch",
                             "pitch",
                             "dtype f32",
                             "dtype u32",
                             "dtype f16",
                             "dtype s16",
                             "dtype u8",
                             "atom ",
                             "atom 16x64b",
                             "atom 16x128b",
                             "atom 16x256b",
                             "one CTA",
                             "staged and masked"})
        classes[name] = 0;
    std::mt19937 random(1);
    for (unsigned seed = 0; seed < programs; ++seed) {
        const Program p = Draw(seed).program();
        CAPTURE(seed);
        CAPTURE(p.text);
        const base::Source source("drawn.tmx", p.text);
        const Compilation made = compile(source);
        const bool refusal = must_be_refused(p, p.load, p.a) || must_be_refused(p, p.store, p.b);
        std::string said;
        for (const base::Diagnostic& each : made.diagnostics.list)
            if (each.severity == base::Severity::error) said += base::render_text(each, source);
        CAPTURE(said);
        CHECK(made.ok() == !refusal);
        ++classes[refusal ? "refused" : "run"];
        if (refusal || !made.ok()) continue;
        const std::string wrong = judge(p, made, random);
        CHECK(wrong == "");
        const Leaves load = leaves(p, p.load, p.a), store = leaves(p, p.store, p.b);
        for (const auto& [shown, name] :
             {std::pair{load.rows, "rows leave a load"},
              {load.cols, "columns leave a load"},
              {store.rows, "rows leave a store"},
              {store.cols, "columns leave a store"},
              {!load.any() && !store.any(), "inside"},
              {p.a.run_time_rows || p.b.run_time_rows, "run-time rows"},
              {p.a.run_time_pitch || p.b.run_time_pitch, "run-time pitch"},
              {p.a.pitch != 0, "pitch"},
              {p.x * p.y == 1, "one CTA"},
              {(p.load.path == " staged" && load.any()) || (p.store.path == " staged" && store.any()),
               "staged and masked"}})
            classes[name] += shown ? 1 : 0;
        ++classes["dtype " + p.dtype];
        ++classes["atom " + p.atom];
    }
    std::string counts;
    for (const auto& [name, count] : classes) {
        counts += fmt::format("  {:<24}{}\n", name, count);
        const std::string what = name; // clang 14 captures no structured binding
        CHECK_MESSAGE(count > 0, what);
    }
    std::fputs(counts.c_str(), stdout);
}
