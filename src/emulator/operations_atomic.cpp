// atom and red. The lanes of a warp take their turns in order, and the elements of a vector too; each element
// is changed by its row's function (atomics.hpp):
//
//     atom.global.add.v2.f32 {%f0, _}, [%d0], {%f1, %f2};
//         vectors: the two sources, behind them the two destinations; a scalar has its operands in out and in
//
// An atomic operation is as strong as the strongest that its name could ask for. Source: PTX ISA 9.7.13
// (atom, red). Not here: the asynchronous red.async.
#include "emulator/atomics.hpp"
#include "emulator/decode.hpp"
#include "emulator/lanes.hpp"
#include "emulator/memory_access.hpp"

#include <algorithm>
#include <mutex>

namespace tmemc::emulator {

namespace {

using namespace TMEMC_LEVEL;

template <class T>
T change(std::byte* at, AtomicRow::Update update, std::uint64_t b, std::uint64_t c) {
    using Aliased [[gnu::may_alias]] = T;
    auto* place = reinterpret_cast<Aliased*>(at);
    T there = load_relaxed<T>(at);
    while (!__atomic_compare_exchange_n(place, &there, static_cast<T>(update(there, b, c)), false,
                                        __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return there;
}

bool is_shared(const Instruction& i, std::uint64_t address) {
    return i.space == Space::shared ||
           (i.space == Space::generic && space_at(address).space == Space::shared);
}

template <class T>
void atomic(Warp& warp, const Instruction& i, Mask mask) {
    const AtomicRow& row = atomic_row(i.detail);
    const std::size_t count = std::max<std::size_t>(i.vector_count, 1);
    const Addresses addresses = addresses_of(warp, i);
    const auto bytes = static_cast<std::uint32_t>(sizeof(T) * count);
    if (!resolve(warp, i, mask, bytes, Access::atomic, i.space, addresses)) return;
    const Slot* sources = i.vector_count == 0 ? &i.in[1] : warp.vector(i);
    const Slot* destinations = i.vector_count == 0 ? &i.out : warp.vector(i) + count;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        const auto l = static_cast<int>(lane);
        const bool own = row.update_shared != nullptr && is_shared(i, addresses[lane]);
        for (std::size_t k = 0; k < count; ++k) {
            const std::uint64_t b = Source<T>(warp, sources[k])[l];
            const std::uint64_t c = row.compares ? std::uint64_t{Source<T>(warp, i.in[2])[l]} : 0;
            const T there =
                change<T>(warp.address[lane] + k * sizeof(T), own ? row.update_shared : row.update, b, c);
            if (destinations[k] != nowhere) Destination<T>(warp, destinations[k]).set(l, there);
        }
    }
    if (i.vector_count == 0) return;
    for (std::size_t k = 0; k < count; ++k) warp.ready[destinations[k]] |= mask;
}

struct Pair {
    std::uint64_t low = 0, high = 0;
    bool operator==(const Pair&) const = default;
};
Pair pair_of(const Warp& warp, Slot slot, std::uint32_t lane) {
    Pair pair;
    std::memcpy(&pair, reinterpret_cast<const std::byte*>(warp.registers + slot) + lane * sizeof pair,
                sizeof pair);
    return pair;
}
void atomic_pair(Warp& warp, const Instruction& i, Mask mask) {
    static std::mutex mutex; // of all elements of 128 bits
    if (!resolve(warp, i, mask, sizeof(Pair), Access::atomic)) return;
    for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
        if ((mask >> lane & 1) == 0) continue;
        std::byte* at = warp.address[lane];
        const std::scoped_lock lock(mutex);
        const Pair there{load_relaxed<std::uint64_t>(at), load_relaxed<std::uint64_t>(at + 8)};
        const bool compares = atomic_row(i.detail).compares;
        const Pair b = pair_of(warp, i.in[1], lane);
        const Pair next = compares ? pair_of(warp, i.in[2], lane) : b;
        if (!compares || there == b) {
            store_relaxed(at, next.low);
            store_relaxed(at + 8, next.high);
        }
        if (i.out == nowhere) continue;
        std::memcpy(reinterpret_cast<std::byte*>(warp.registers + i.out) + lane * sizeof there, &there,
                    sizeof there);
    }
}

Operation operation_of(int bits) {
    return bits == 16   ? atomic<std::uint16_t>
           : bits == 32 ? atomic<std::uint32_t>
           : bits == 64 ? atomic<std::uint64_t>
                        : atomic_pair;
}

// ---- names

enum Kind : std::uint8_t { order, scope, space, hint, vector, noftz, kinds };
struct Word {
    std::string_view word;
    Kind kind{};
    bool in_red = true;
    Needs needs{};
    Space space{};
    int elements = 1;
};
constexpr Needs clusters{{7, 8}, 90, {}};
constexpr Word words[] = {
    {"relaxed", order},
    {"acquire", order, false},
    {"release", order},
    {"acq_rel", order, false},
    {"cta", scope},
    {"cluster", scope, true, clusters},
    {"gpu", scope},
    {"sys", scope},
    {"global", space, true, {}, Space::global},
    {"shared", space, true, {}, Space::shared},
    {"shared::cta", space, true, {{7, 8}, 75, {}}, Space::shared},
    {"shared::cluster", space, true, clusters, Space::shared},
    {"L2::cache_hint", hint, true, {{7, 4}, 80, {}}},
    {"v2", vector, true, {}, {}, 2},
    {"v4", vector, true, {}, {}, 4},
    {"v8", vector, true, {}, {}, 8},
    {"noftz", noftz},
};

struct Form {
    std::array<const Word*, kinds> is{};
    std::size_t row = 0;
    [[nodiscard]] int elements() const { return is[vector] != nullptr ? is[vector]->elements : 1; }
    [[nodiscard]] Space where() const { return is[space] != nullptr ? is[space]->space : Space::generic; }
};

// The words in any order; those that are none name the operation and the type.
std::optional<Form> form(Decoding& decoding, bool red) {
    Form form;
    std::vector<std::string_view> rest;
    const Modifiers given(decoding.rest());
    for (std::string_view text : given.words()) {
        const auto* word = std::find_if(std::begin(words), std::end(words), [&](const Word& each) {
            return each.word == text && (each.in_red || !red);
        });
        if (word == std::end(words)) {
            rest.push_back(text);
            continue;
        }
        if (form.is[word->kind] != nullptr || !decoding.require(word->needs)) return std::nullopt;
        form.is[word->kind] = word;
    }
    const auto names = [&](std::string_view word) {
        return std::find(rest.begin(), rest.end(), word) != rest.end();
    };
    for (; form.row < atomic_row_count(); ++form.row) {
        const AtomicRow& row = atomic_row(form.row);
        const bool fits = row.noftz == (form.is[noftz] != nullptr) && (!red || row.reduces);
        if (rest.size() == 2 && fits && names(row.operation) && names(row.type)) return form;
    }
    return std::nullopt;
}

bool check(Decoding& decoding, const Form& form) {
    const AtomicRow& row = atomic_row(form.row);
    if (!decoding.require(form.elements() > 1 ? row.vector_needs : row.needs)) return false;
    if (form.elements() > row.most_elements)
        decoding.refuse(fmt::format("a vector of this type has at most {} elements", row.most_elements));
    else if (form.elements() == 1 && row.noftz && row.operation != "add")
        decoding.refuse("it is there for vectors only");
    else if (form.where() == Space::shared && (form.elements() > 1 || form.is[hint] != nullptr))
        decoding.refuse("vectors and cache hints are for global memory");
    else if (form.is[hint] != nullptr && row.compares)
        decoding.refuse("it takes no cache hint");
    else
        return true;
    return false;
}

Slot value(Decoding& decoding, const AtomicRow& row, const ptx::Operand& operand) {
    return decoding.source(operand, row.bits);
}

// Sources first, then destinations, of which red has none.
void vector_operands(Decoding& decoding, const Form& form, const ptx::Instruction& text, bool red,
                     Instruction& into) {
    const AtomicRow& row = atomic_row(form.row);
    const auto count = static_cast<std::size_t>(form.elements());
    const auto* from = std::get_if<ptx::Vector>(&text.operands[red ? 1 : 2]);
    const auto* to = red ? from : std::get_if<ptx::Vector>(&text.operands[0]);
    if (from == nullptr || to == nullptr || from->elements.size() != count || to->elements.size() != count)
        return decoding.refuse(fmt::format("vectors of {} registers stand here", count));
    const auto operand = [](const ptx::Element& element) {
        return std::visit([](const auto& each) { return ptx::Operand(each); }, element);
    };
    std::vector<Slot> slots;
    for (const auto& each : from->elements) slots.push_back(value(decoding, row, operand(each)));
    for (const auto& each : to->elements)
        slots.push_back(red ? nowhere : decoding.destination(operand(each), row.bits));
    decoding.vector(slots, VectorRole::source, into);
    into.vector_count = static_cast<std::uint16_t>(count);
}

} // namespace

void decode_atomic(Decoding& decoding, const Opcode& opcode, const ptx::Instruction& text,
                   Instruction& into) {
    const bool red = opcode.stem == "red";
    const auto read = form(decoding, red);
    if (!read) return decoding.unknown();
    if (!check(decoding, *read)) return;
    const AtomicRow& row = atomic_row(read->row);
    const std::size_t address = red ? 0 : 1;
    const std::size_t plain = address + (row.compares ? 3 : 2);
    const std::size_t count = plain + (read->is[hint] != nullptr ? 1 : 0);
    if (!decoding.operands(text, count, count)) return;
    decoding.address(text.operands[address], read->where(), into);
    if (read->elements() > 1) {
        vector_operands(decoding, *read, text, red, into);
    } else {
        if (!red) into.out = decoding.destination(text.operands[0], row.bits);
        into.in[1] = value(decoding, row, text.operands[address + 1]);
        if (row.compares) into.in[2] = value(decoding, row, text.operands[address + 2]);
    }
    if (count > plain) static_cast<void>(decoding.source(text.operands[plain], 64));
    into.detail = static_cast<std::uint32_t>(read->row);
    into.operation = operation_of(row.bits);
}

std::span<const Opcode> atomic_rows() {
    static constexpr Opcode rows[] = {{"atom", "", {}, decode_atomic, nullptr},
                                      {"red", "", {}, decode_atomic, nullptr}};
    return rows;
}

} // namespace tmemc::emulator
