// Which accesses move a region: neighbours in memory that are neighbours in registers join, up to the widest
// access that the pointer's alignment allows.
#include "lower/global_access.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tmemc::lower {
namespace {

using Steps = std::array<Place, thread_bits>;

/// Bits that all threads of the form agree on add the same everywhere: they move into the constants.
void settle_shared_bits(Steps& bits, std::vector<Piece>& pieces) {
    ThreadSet all;
    for (const Piece& piece : pieces) all |= piece.threads;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) {
        bool seen[2] = {false, false};
        for (std::size_t t = 0; t < all.size(); ++t)
            if (all[t]) seen[t >> bit & 1] = true;
        if (seen[0] && seen[1]) continue;
        if (seen[1])
            for (Piece& piece : pieces) piece.place = piece.place + bits[bit];
        bits[bit] = {};
    }
}

/// The largest power of two up to `widest` that divides the address of every thread in every CTA, the
/// constant offset aside.
int alignment(const sema::GlobalCopy& copy, const sema::Tensor& tensor,
              const std::array<std::int64_t, thread_bits>& bits, int widest) {
    const std::int64_t bytes = base::bytes(tensor.dtype);
    std::int64_t common = std::gcd(std::int64_t{widest}, tensor.align);
    for (const std::int64_t bit : bits) common = std::gcd(common, bit);
    // Of a pitch that a parameter gives nothing is known, and greatest common divisors come before products
    // that might overflow.
    common = std::gcd(common, tensor.pitch_from ? bytes
                                                : std::gcd(copy.tensor.row_base.multiple, common) *
                                                      std::gcd(tensor.pitch * bytes, common));
    common = std::gcd(common, std::gcd(copy.tensor.col_base.multiple, common) * bytes);
    return static_cast<int>(common & -common);
}

/// What accesses of the copy may not reach across.
Borders borders_of(const sema::GlobalCopy& copy, const sema::Tensor& tensor, const Steps& steps) {
    Borders borders;
    borders.rows = copy.rows_leave || copy.cols_leave || tensor.pitch_from.has_value();
    borders.columns = copy.cols_leave;
    if (!tensor.extent_from || tensor.extents.size() == 2) borders.extent = tensor.extents.back();
    borders.step = copy.tensor.col_base.multiple;
    for (const Place& step : steps) borders.step = std::gcd(borders.step, std::int64_t{step.col});
    return borders;
}

bool aligned(std::int64_t offset, int bytes) { return offset % bytes == 0; }

/// True when the register's elements, [first, last), fill it with consecutive bytes of an aligned word.
bool is_word(const std::vector<Piece>& pieces, std::size_t first, std::size_t last, int bytes, int alignment,
             const Borders& borders) {
    if (last - first != static_cast<std::size_t>(4 / bytes) || alignment < 4 ||
        !aligned(pieces[first].offset, 4))
        return false;
    for (std::size_t i = first + 1; i < last; ++i)
        if (pieces[i].threads != pieces[first].threads || pieces[i].offset != pieces[i - 1].offset + bytes ||
            (borders.rows && pieces[i].place.row != pieces[first].place.row))
            return false;
    return borders.allow(pieces[first].place.col, 4 / bytes);
}

/// Words, gathered into accesses as wide as they go.
void add_words(std::vector<Piece> words, int element, int alignment, const Borders& borders,
               std::vector<Access>& into) {
    const auto row = [&](const Piece& piece) { return borders.rows ? piece.place.row : 0; };
    std::sort(words.begin(), words.end(), [&](const Piece& a, const Piece& b) {
        if (a.threads != b.threads) return a.threads.to_string() < b.threads.to_string();
        return std::pair(row(a), a.offset) < std::pair(row(b), b.offset);
    });
    for (std::size_t first = 0; first < words.size();) {
        std::size_t run = 1;
        while (first + run < words.size() && words[first + run].threads == words[first].threads &&
               row(words[first + run]) == row(words[first]) &&
               words[first + run].offset == words[first].offset + 4 * static_cast<std::int64_t>(run))
            ++run;
        int bytes = alignment;
        while (!aligned(words[first].offset, bytes) || static_cast<std::size_t>(bytes / 4) > run ||
               !borders.allow(words[first].place.col, bytes / element))
            bytes /= 2;
        Access access{words[first].threads, words[first].offset, bytes, {}, 0, true, words[first].place};
        for (int i = 0; i < bytes / 4; ++i) access.registers.push_back(words[first++].reg);
        into.push_back(std::move(access));
    }
}

AccessGroup group_of(const ThreadForm& form, const sema::GlobalCopy& copy, const sema::Tensor& tensor,
                     int widest) {
    const int bytes = base::bytes(tensor.dtype);
    const bool column = copy.tensor.rows != copy.fragment.rows; // a one-dimensional fragment against a column
    const auto turned = [&](Place place) { return column ? Place{place.col, place.row} : place; };
    // Modulo 2^64: what lies outside of a masked tensor may have any address.
    const auto in_bytes = [&](Place place) {
        const auto wide = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
        return static_cast<std::int64_t>((wide(place.row) * wide(tensor.pitch) + wide(place.col)) *
                                         wide(bytes));
    };

    AccessGroup group;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) group.places[bit] = turned(form.bits[bit]);
    std::vector<Piece> pieces;
    for (const SlotForm& slot : form.slots)
        pieces.push_back({slot.threads, 0, slot.reg, slot.bit,
                          Place{copy.tensor.row, copy.tensor.col} + turned(slot.constant)});
    settle_shared_bits(group.places, pieces);
    for (std::size_t bit = 0; bit < thread_bits; ++bit) group.bits[bit] = in_bytes(group.places[bit]);
    for (Piece& piece : pieces) piece.offset = in_bytes(piece.place);

    const int align = alignment(copy, tensor, group.bits, widest);
    group.accesses = gather(pieces, bytes, align, borders_of(copy, tensor, group.places));
    return group;
}

} // namespace

bool Borders::allow(int col, int count) const {
    if (!columns || count == 1) return true;
    if (!extent) return false;
    // The column is col plus some multiple of step; an edge lies inside when its distance from there is one
    // of 1 to count - 1.
    const auto apart = [&](std::int64_t edge) {
        const std::int64_t distance = edge - col;
        if (step == 0) return distance <= 0 || distance >= count;
        const std::int64_t nearest = (distance % step + step - 1) % step + 1; // 1 to step
        return nearest >= count;
    };
    return apart(0) && apart(*extent);
}

std::vector<Access> gather(const std::vector<Piece>& pieces, int bytes, int alignment,
                           const Borders& borders) {
    std::vector<Access> accesses;
    std::vector<Piece> words;
    for (std::size_t first = 0, last = 0; first < pieces.size(); first = last) {
        while (last < pieces.size() && pieces[last].reg == pieces[first].reg) ++last;
        if (is_word(pieces, first, last, bytes, alignment, borders)) {
            words.push_back(pieces[first]);
            continue;
        }
        const bool whole =
            last - first == static_cast<std::size_t>(4 / bytes) &&
            std::all_of(pieces.begin() + static_cast<std::ptrdiff_t>(first),
                        pieces.begin() + static_cast<std::ptrdiff_t>(last),
                        [&](const Piece& piece) { return piece.threads == pieces[first].threads; });
        for (std::size_t i = first; i < last; ++i)
            accesses.push_back({pieces[i].threads,
                                pieces[i].offset,
                                bytes,
                                {pieces[i].reg},
                                pieces[i].bit,
                                whole,
                                pieces[i].place});
    }
    add_words(std::move(words), bytes, alignment, borders, accesses);
    std::stable_sort(accesses.begin(), accesses.end(), [](const Access& a, const Access& b) {
        return std::tie(a.registers.front(), a.bit) < std::tie(b.registers.front(), b.bit);
    });
    return accesses;
}

std::vector<AccessGroup> accesses(const sema::GlobalCopy& copy, const sema::Tensor& tensor,
                                  const std::vector<ThreadForm>& forms, int widest) {
    std::vector<AccessGroup> groups;
    for (const ThreadForm& form : forms) {
        const ThreadForm part =
            restricted(form, {copy.fragment.row, copy.fragment.col}, copy.fragment.rows, copy.fragment.cols);
        if (!part.slots.empty()) groups.push_back(group_of(part, copy, tensor, widest));
    }
    return groups;
}

} // namespace tmemc::lower
