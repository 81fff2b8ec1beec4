// A valid program for any bytes: each byte makes one choice (a datapath, a width, a statement more or less),
// and what is chosen is correct by construction, with its waits and a test block. So whatever libFuzzer makes
// up the compiler must accept, ptxas must assemble and the emulator must finish, and it searches the
// compiler's branches, not the ways to misspell a keyword.
//
//     chosen_program("")          // zeros: one f32[128, 1] tile on datapath D and back
//
// Not here: programs that must be refused; fuzz_source takes any text.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fuzz {

/// Bytes as choices; behind their end all are 0.
class Choices {
  public:
    Choices(const std::uint8_t* data, std::size_t size) : data_(data), size_(size) {}
    /// 0 to count - 1.
    int of(int count) { return at_ < size_ ? data_[at_++] % count : 0; }
    bool yes() { return of(2) == 1; }

  private:
    const std::uint8_t* data_;
    std::size_t size_;
    std::size_t at_ = 0;
};

struct Element {
    std::string_view name;
    int bits;
    bool real;
};
constexpr auto elements = std::to_array<Element>({{"f32", 32, true},
                                                  {"f16", 16, true},
                                                  {"bf16", 16, true},
                                                  {"u32", 32, false},
                                                  {"s32", 32, false},
                                                  {"u16", 16, false},
                                                  {"s8", 8, false},
                                                  {"f8e4m3", 8, true}});

/// What goes together, from the language reference: rows, and the registers that a width is a multiple of.
struct Fit {
    std::string_view buffer, atom;
    int rows, unit;
};
constexpr auto fits = std::to_array<Fit>({{"datapath D", "", 128, 1},
                                          {"datapath D", " atom 16x64b", 128, 2},
                                          {"datapath D", " atom 16x128b", 128, 4},
                                          {"datapath A", " atom 16x256b", 128, 8},
                                          {"datapath F", " atom 16x64b", 64, 2},
                                          {"datapath F sub_slab 1", " atom 16x128b", 64, 4},
                                          {"datapath C sub_slab 1", " atom 16x256b", 64, 8},
                                          {"datapath F", " atom 16x32bx2", 64, 2},
                                          {"datapath B", " atom 32x32b", 64, 2},
                                          {"datapath E", " atom 32x32b", 64, 2},
                                          {"datapath G", " atom 32x32b", 32, 4}});

/// One kernel's text in pieces.
class Program {
  public:
    explicit Program(Choices& choices) : choices_(choices) {}

    std::string text() {
        const int tiles = 1 + choices_.of(3);
        grid_ = choices_.of(3) == 2 ? 3 : 1;
        for (int i = 0; i < tiles; ++i) tile(i);
        const std::string clause = grid_ > 1 ? fmt::format(" grid({})", grid_) : "";
        return fmt::format("kernel chosen({}){} {{\n{}}}\ntest \"chosen\" {{\n{}  run chosen;\n{}}}\n",
                           parameters_, clause, body_, assignments_, expectations_);
    }

  private:
    Choices& choices_;
    int grid_ = 1;
    std::string parameters_, body_, assignments_, expectations_;

    template <class Table>
    const typename Table::value_type& one_of(const Table& table) {
        return table[static_cast<std::size_t>(choices_.of(static_cast<int>(table.size())))];
    }
    void line(const std::string& statement) { body_ += "  " + statement + "\n"; }

    /// A tensor, into tensor memory, back, and out; what happens on the way decides what is expected.
    void tile(int i) {
        const Element& element = one_of(elements);
        const Fit& fit = one_of(fits);
        const int per_register = 32 / element.bits;
        const int cells = fit.unit * (1 + choices_.of(8));
        const int width = cells * per_register;
        const std::string type = fmt::format("{}[{}, {}]", element.name, fit.rows, width);
        const std::string tensor = fmt::format("{}[{}, {}]", element.name, fit.rows * grid_, width);
        parameters_ += fmt::format("{}in A{}: {}, out B{}: {}", i > 0 ? ", " : "", i, tensor, i, tensor);
        line(fmt::format("tmem T{}: {} {};", i, type, fit.buffer));
        line(fmt::format("frag X{}: {}{};", i, type, fit.atom));
        line(fmt::format("frag Y{}: {}{};", i, type, fit.atom));
        const std::string place = grid_ > 1 ? fmt::format("[cta.x*{} +: {}, :]", fit.rows, fit.rows) : "";
        constexpr std::array<std::string_view, 3> ways{"", " direct", " staged"};
        line(fmt::format("copy X{} <- A{}{}{};", i, i, place, one_of(ways)));
        store(i, fit, per_register, cells);
        load(i, fit, per_register, cells);
        const std::string expected = change(i, element);
        line(fmt::format("copy B{}{} <- Y{}{};", i, place, i, one_of(ways)));
        assignments_ += fmt::format("  A{} = random(seed: {});\n", i, i + 1);
        expectations_ += fmt::format("  expect B{} {};\n", i, expected);
    }

    /// Columns of a whole copy, or of its two parts where every image has its columns side by side.
    bool halves(const Fit& fit, int cells) {
        return fit.rows == 128 && cells % (2 * fit.unit) == 0 && choices_.yes();
    }
    void copies(int i, const Fit& fit, int per_register, int cells, std::string_view to,
                std::string_view from) {
        if (!halves(fit, cells)) return line(fmt::format("copy_async {}{} <- {}{};", to, i, from, i));
        const int half = cells / 2 * per_register;
        if (choices_.yes()) {
            line(fmt::format("for c in 0..2 {{ copy_async {}{}[:, c*{} +: {}] <- {}{}[:, c*{} +: {}]; }}", to,
                             i, half, half, from, i, half, half));
            return;
        }
        line(fmt::format("copy_async {}{}[:, {}:] <- {}{}[:, {}:];", to, i, half, from, i, half));
        line(fmt::format("copy_async {}{}[:, :{}] <- {}{}[:, :{}];", to, i, half, from, i, half));
    }
    void store(int i, const Fit& fit, int per_register, int cells) {
        copies(i, fit, per_register, cells, "T", "X");
        line("wait st;");
    }
    void load(int i, const Fit& fit, int per_register, int cells) {
        copies(i, fit, per_register, cells, "Y", "T");
        line("wait ld;");
    }

    /// Works on Y, or leaves it as it is, and says what the test block then expects of what was A.
    std::string change(int i, const Element& element) {
        if (element.bits == 8 || !choices_.yes()) return fmt::format("== A{}", i);
        constexpr std::array<std::string_view, 4> real{"V * 2.0 + 1.0", "max(V, 0.25)",
                                                       "select(V > 0.0, V, -V)", "abs(V) / 3.0"};
        constexpr std::array<std::string_view, 4> whole{"V * 3 + 1", "max(V, 5)", "select(V > 7, V, 7)",
                                                        "min(V, 100) % 7"};
        const std::string_view value = one_of(element.real ? real : whole);
        line(fmt::format("Y{} = {};", i, with(value, fmt::format("Y{}", i))));
        const std::string on_the_host = with(value, fmt::format("A{}", i));
        return element.real ? fmt::format("~= {} rtol 0.02 atol 0.02", on_the_host) : "== " + on_the_host;
    }
    static std::string with(std::string_view value, const std::string& name) {
        std::string text;
        for (const char c : value)
            if (c == 'V')
                text += name;
            else
                text += c;
        return text;
    }
};

inline std::string chosen_program(const std::uint8_t* data, std::size_t size) {
    Choices choices(data, size);
    return Program(choices).text();
}

} // namespace fuzz
