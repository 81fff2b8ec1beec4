// Which accesses move a region: neighbours in memory that are neighbours in registers join, up to the widest
// access that the pointer's alignment allows.
#include "lower/global_access.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace tmemc::lower {
namespace {

/// Bits that all threads of the form agree on add the same everywhere: they move into the constants.
void settle_shared_bits(std::array<std::int64_t, thread_bits>& bits, std::vector<Piece>& pieces) {
    ThreadSet all;
    for (const Piece& piece : pieces) all |= piece.threads;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) {
        bool seen[2] = {false, false};
        for (std::size_t t = 0; t < all.size(); ++t)
            if (all[t]) seen[t >> bit & 1] = true;
        if (seen[0] && seen[1]) continue;
        if (seen[1])
            for (Piece& piece : pieces) piece.offset += bits[bit];
        bits[bit] = 0;
    }
}

/// The largest power of two up to `widest` that divides the address of every thread, the constant offset
/// aside.
int alignment(const sema::Tensor& tensor, const std::array<std::int64_t, thread_bits>& bits, int widest) {
    std::int64_t common = std::gcd(std::int64_t{widest}, tensor.align);
    for (const std::int64_t bit : bits) common = std::gcd(common, bit);
    return static_cast<int>(common & -common);
}

bool aligned(std::int64_t offset, int bytes) { return offset % bytes == 0; }

/// True when the register's elements, [first, last), fill it with consecutive bytes of an aligned word.
bool is_word(const std::vector<Piece>& pieces, std::size_t first, std::size_t last, int bytes,
             int alignment) {
    if (last - first != static_cast<std::size_t>(4 / bytes) || alignment < 4 ||
        !aligned(pieces[first].offset, 4))
        return false;
    for (std::size_t i = first + 1; i < last; ++i)
        if (pieces[i].threads != pieces[first].threads || pieces[i].offset != pieces[i - 1].offset + bytes)
            return false;
    return true;
}

/// Words, gathered into accesses as wide as they go.
void add_words(std::vector<Piece> words, int alignment, std::vector<Access>& into) {
    std::sort(words.begin(), words.end(), [](const Piece& a, const Piece& b) {
        if (a.threads != b.threads) return a.threads.to_string() < b.threads.to_string();
        return a.offset < b.offset;
    });
    for (std::size_t first = 0; first < words.size();) {
        std::size_t run = 1;
        while (first + run < words.size() && words[first + run].threads == words[first].threads &&
               words[first + run].offset == words[first].offset + 4 * static_cast<std::int64_t>(run))
            ++run;
        int bytes = alignment;
        while (!aligned(words[first].offset, bytes) || static_cast<std::size_t>(bytes / 4) > run) bytes /= 2;
        Access access{words[first].threads, words[first].offset, bytes, {}, 0, true};
        for (int i = 0; i < bytes / 4; ++i) access.registers.push_back(words[first++].reg);
        into.push_back(std::move(access));
    }
}

AccessGroup group_of(const ThreadForm& form, const sema::GlobalCopy& copy, const sema::Tensor& tensor,
                     int widest) {
    const int bytes = base::bytes(tensor.dtype);
    const bool column = copy.tensor.rows != copy.fragment.rows; // a one-dimensional fragment against a column
    const auto in_bytes = [&](Place place) {
        if (column) std::swap(place.row, place.col);
        return (place.row * tensor.pitch + place.col) * bytes;
    };
    const std::int64_t from = (copy.tensor.row * tensor.pitch + copy.tensor.col) * bytes;

    AccessGroup group;
    for (std::size_t bit = 0; bit < thread_bits; ++bit) group.bits[bit] = in_bytes(form.bits[bit]);
    std::vector<Piece> pieces;
    for (const SlotForm& slot : form.slots)
        pieces.push_back({slot.threads, from + in_bytes(slot.constant), slot.reg, slot.bit});
    settle_shared_bits(group.bits, pieces);

    const int align = alignment(tensor, group.bits, widest);
    group.accesses = gather(pieces, bytes, align);
    return group;
}

} // namespace

std::vector<Access> gather(const std::vector<Piece>& pieces, int bytes, int alignment) {
    std::vector<Access> accesses;
    std::vector<Piece> words;
    for (std::size_t first = 0, last = 0; first < pieces.size(); first = last) {
        while (last < pieces.size() && pieces[last].reg == pieces[first].reg) ++last;
        if (is_word(pieces, first, last, bytes, alignment)) {
            words.push_back(pieces[first]);
            continue;
        }
        const bool whole =
            last - first == static_cast<std::size_t>(4 / bytes) &&
            std::all_of(pieces.begin() + static_cast<std::ptrdiff_t>(first),
                        pieces.begin() + static_cast<std::ptrdiff_t>(last),
                        [&](const Piece& piece) { return piece.threads == pieces[first].threads; });
        for (std::size_t i = first; i < last; ++i)
            accesses.push_back(
                {pieces[i].threads, pieces[i].offset, bytes, {pieces[i].reg}, pieces[i].bit, whole});
    }
    add_words(std::move(words), alignment, accesses);
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
