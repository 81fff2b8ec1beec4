// The programs of the placement oracle, and what must come out of each. Tensor memory is filled through the
// plainest view, datapath D by 32x32b, with a number that names the cell, and read through another view, or
// the other way round. The tables are written here once more, by hand, from the language's own (section
// "Tensor memory") and share nothing with the compiler's or the emulator's. oracle/placement_test.cpp runs
// them on the emulator, gpu/suite_test.cpp on a GPU.
#pragma once

#include "base/dtype.hpp"
#include "runtime/array.hpp"

#include <fmt/format.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace tmemc::placement {

/// Which lane and cell column hold word `q` of `n` words of row `r`.
struct Place {
    int lane, column;
};
inline Place place(char datapath, int sub_slab, int r, int q, int n) {
    switch (datapath) {
    case 'A':
    case 'D': return {r, q};
    case 'B':
    case 'E': return {r + 64 * (q >= n / 2), q % (n / 2)};
    case 'C':
    case 'F': return {32 * (r / 16) + r % 16 + 16 * sub_slab, q};
    default: return {r + 32 * (q / (n / 4)), q % (n / 4)}; // G
    }
}

struct View {
    const char* datapath;
    int sub_slab; // -1: the datapath has none
    const char* atom;
    int rows;
    int word_step; // words of one tile, both halves of 16x32bx2 counted
};
// Every pair of a datapath and a fragment image that meet (language reference, "Fragments and layouts").
inline const View views[] = {
    {"A", -1, "32x32b", 128, 1},  {"A", -1, "16x64b", 128, 2},  {"A", -1, "16x128b", 128, 4},
    {"A", -1, "16x256b", 128, 8}, {"D", -1, "32x32b", 128, 1},  {"D", -1, "16x64b", 128, 2},
    {"D", -1, "16x128b", 128, 4}, {"D", -1, "16x256b", 128, 8}, {"B", -1, "32x32b", 64, 2},
    {"E", -1, "32x32b", 64, 2},   {"G", -1, "32x32b", 32, 4},   {"C", 0, "16x64b", 64, 2},
    {"C", 1, "16x64b", 64, 2},    {"F", 0, "16x64b", 64, 2},    {"F", 1, "16x64b", 64, 2},
    {"C", 0, "16x128b", 64, 4},   {"C", 1, "16x128b", 64, 4},   {"F", 0, "16x128b", 64, 4},
    {"F", 1, "16x128b", 64, 4},   {"C", 0, "16x256b", 64, 8},   {"C", 1, "16x256b", 64, 8},
    {"F", 0, "16x256b", 64, 8},   {"F", 1, "16x256b", 64, 8},   {"C", 0, "16x32bx2", 64, 2},
    {"C", 1, "16x32bx2", 64, 2},  {"F", 0, "16x32bx2", 64, 2},  {"F", 1, "16x32bx2", 64, 2},
};

struct Case {
    View view;
    int num = 1;
    base::Dtype dtype{};
    bool unpacked = false, store = false;

    [[nodiscard]] int words() const { return view.word_step * num; } // registers' worth of columns, one row
    [[nodiscard]] int cols() const { return words() * base::per_word(dtype); }
    [[nodiscard]] int cells() const { return unpacked ? cols() : words(); }
    /// Cell columns that the buffer spans: B and E fold in two, G in four.
    [[nodiscard]] int span() const {
        const char d = view.datapath[0];
        return d == 'B' || d == 'E' ? cells() / 2 : d == 'G' ? cells() / 4 : cells();
    }
    /// Registers a thread needs for the fragment.
    [[nodiscard]] int registers() const { return words() * view.rows / 128; }
    [[nodiscard]] std::string name() const {
        return fmt::format("{}{} {} rows {} x{} {}{} {}", view.datapath, view.sub_slab == 1 ? "+16" : "",
                           view.atom, view.rows, num, base::name(dtype), unpacked ? " unpacked" : "",
                           store ? "st" : "ld");
    }
};

/// The columns of the plain view: enough for the buffer, in whole chunks.
inline int plain_columns(const Case& c) {
    return c.span() <= 32 ? (c.span() + 3) / 4 * 4 : (c.span() + 31) / 32 * 32;
}

inline std::string program(const Case& c) {
    const int columns = plain_columns(c), chunk = columns <= 32 ? columns : 32;
    const std::string tile = fmt::format("{}[{}, {}]", base::name(c.dtype), c.view.rows, c.cols());
    const std::string plain = fmt::format("u32[128, {}]", columns);
    const std::string view = fmt::format(
        "  tmem T: {} datapath D;\n  tmem V: {} datapath {}{}{} at T;\n  frag Y: {} atom {};\n", plain, tile,
        c.view.datapath, c.view.sub_slab < 0 ? "" : fmt::format(" sub_slab {}", c.view.sub_slab),
        c.unpacked ? " unpacked" : "", tile, c.view.atom);
    const auto chunks = [&](std::string_view body) {
        return fmt::format("  for i in 0..{} {{\n    frag X: u32[128, {}];\n    {}\n  }}\n", columns / chunk,
                           chunk, body);
    };
    const std::string window = fmt::format("[:, i*{} +: {}]", chunk, chunk);
    const std::string fill =
        chunks(fmt::format("copy X <- A{}; copy_async T{} <- X; wait st;", window, window));
    if (!c.store)
        return fmt::format(
            "kernel k(in A: {}, out R: {}) {{\n{}{}  copy_async Y <- V;\n  wait ld;\n  copy R <- Y;\n}}\n",
            plain, tile, view, fill);
    return fmt::format("kernel k(in A: {}, in S: {}, out R: {}) {{\n{}{}  copy Y <- S;\n  copy_async V <- "
                       "Y;\n  wait st;\n{}}}\n",
                       plain, tile, plain, view, fill,
                       chunks(fmt::format("copy_async X <- T{}; wait ld; copy R{} <- X;", window, window)));
}

/// A number that names the cell, spread over all 32 bits so that every byte of it does (the factor is odd:
/// one to one).
inline std::uint32_t cell_name(int lane, int column) {
    return static_cast<std::uint32_t>(1000 * lane + column) * 2654435761U;
}

inline runtime::Array plain_array(const Case& c) {
    runtime::Array array = runtime::make_array(base::Dtype::u32, {128, plain_columns(c)});
    for (int lane = 0; lane < 128; ++lane)
        for (int column = 0; column < plain_columns(c); ++column)
            array.set(lane * plain_columns(c) + column, cell_name(lane, column));
    return array;
}

struct Where {
    Place cell;
    int bit;
};
inline Where where(const Case& c, int row, int col) {
    const int bits = base::bits(c.dtype);
    const int cell = c.unpacked ? col : col * bits / 32;
    return {place(c.view.datapath[0], c.view.sub_slab, row, cell, c.cells()),
            c.unpacked ? 0 : col * bits % 32};
}
inline std::uint32_t mask(const Case& c) {
    return base::bits(c.dtype) == 32 ? ~0U : (1U << base::bits(c.dtype)) - 1;
}

inline runtime::Array wanted_of_load(const Case& c) {
    runtime::Array array = runtime::make_array(c.dtype, {c.view.rows, c.cols()});
    for (int row = 0; row < c.view.rows; ++row)
        for (int col = 0; col < c.cols(); ++col) {
            const Where at = where(c, row, col);
            array.set(row * c.cols() + col, (cell_name(at.cell.lane, at.cell.column) >> at.bit) & mask(c));
        }
    return array;
}
inline std::uint32_t stored_bits(const Case& c, int row, int col) {
    return (static_cast<std::uint32_t>(row * c.cols() + col + 1) * 2246822519U >> 3) & mask(c);
}
inline runtime::Array stored(const Case& c) {
    runtime::Array array = runtime::make_array(c.dtype, {c.view.rows, c.cols()});
    for (int row = 0; row < c.view.rows; ++row)
        for (int col = 0; col < c.cols(); ++col) array.set(row * c.cols() + col, stored_bits(c, row, col));
    return array;
}
inline runtime::Array wanted_of_store(const Case& c) {
    runtime::Array array = plain_array(c);
    for (int row = 0; row < c.view.rows; ++row)
        for (int col = 0; col < c.cols(); ++col) {
            const Where at = where(c, row, col);
            const std::int64_t index = at.cell.lane * plain_columns(c) + at.cell.column;
            const std::uint32_t kept = c.unpacked ? 0 : array.get(index) & ~(mask(c) << at.bit);
            array.set(index, kept | stored_bits(c, row, col) << at.bit);
        }
    return array;
}

inline std::vector<Case> cases() {
    std::vector<Case> all;
    for (const View& view : views)
        for (const base::DtypeRow& dtype : base::dtype_rows)
            for (bool unpacked : {false, true})
                for (int num = 1; num <= 128; num *= 2)
                    for (bool store : {false, true}) {
                        Case c{view, num, dtype.dtype, unpacked, store};
                        if (unpacked && dtype.bits != 16) continue;
                        // The buffer must fit tensor memory, the fragment the registers beside the address
                        // work.
                        if (c.span() > 512 || c.registers() > 232) continue;
                        all.push_back(c);
                    }
    return all;
}

/// Runs `work(i)` for every i below `count` on as many threads as there are cores.
template <class Work>
void in_parallel(std::size_t count, Work work) {
    std::atomic<std::size_t> next = 0;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(1U, std::thread::hardware_concurrency()); ++t)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        });
    for (std::thread& thread : threads) thread.join();
}

} // namespace tmemc::placement
