// The ways of all copies are found first, because they share the staging area; then each is written down.
#include "lower/copies.hpp"

#include "atlas/costs.hpp"

#include <algorithm>
#include <iterator>

namespace tmemc::lower {
namespace {

/// Registers that a walk fills before it stores them.
int on_the_way(const StagedPlan& plan) {
    int most = 0;
    for (const std::vector<StagedPiece>& round : plan.rounds)
        for (const StagedPiece& piece : round)
            for (const AccessGroup& group : piece.walk)
                for (const Access& access : group.accesses)
                    most = std::max(most, access.registers.back() + 1);
    return std::min(most, atlas::staged_registers);
}

} // namespace

Copies::Copies(KernelText& text, const sema::Kernel& kernel,
               const std::vector<std::vector<std::string>>& registers, base::Diagnostics& diagnostics)
    : text_(text), kernel_(kernel), registers_(registers),
      paths_(kernel, text.has("ld.global.v8.b32") ? 32 : 16), numbers_(text, kernel),
      reaches_(text, kernel, numbers_), transfer_(text), staged_(text, kernel, numbers_, reaches_),
      order_(kernel) {
    for (std::size_t s = 0; s < kernel.statements.size(); ++s) {
        const auto* copy = std::get_if<sema::GlobalCopy>(&kernel.statements[s].what);
        if (copy == nullptr) continue;
        const GlobalPath& path =
            chosen_.emplace(s, paths_.path(*copy, kernel.statements[s].span, diagnostics)).first->second;
        if (path.staged) staged_.reserve(path.staged->bytes);
    }
}

GlobalAccess Copies::copy(std::size_t statement) {
    const sema::Statement& what = kernel_.statements.at(statement);
    const auto& copy = std::get<sema::GlobalCopy>(what.what);
    const GlobalPath& path = chosen_.at(statement);
    GlobalAccess made{statement, path.staged.has_value(), 0, 0, path.direct_lines, path.staged_lines};
    if (order_.barrier_before(statement, made.staged)) {
        warp_barrier(text_);
        order_.barrier(what.warpgroup);
    }
    if (path.staged) {
        made.width = staged_.copy(copy, *path.staged, registers_.at(copy.fragment.object));
        made.shared_bytes = path.staged->bytes * warps * kernel_.warpgroups;
        made.on_the_way = on_the_way(*path.staged);
    } else {
        made.width = direct(copy, path.direct);
    }
    order_.done(statement, made.staged);
    return made;
}

int Copies::direct(const sema::GlobalCopy& copy, const std::vector<AccessGroup>& groups) {
    const std::vector<std::string>& names = registers_.at(copy.fragment.object);
    const std::string load_name = load_of(kernel_, copy.tensor.object);
    std::vector<ptx::Statement> last; // what waits until the others are under way
    int width = 0;
    for (const AccessGroup& group : groups)
        for (const Access& access : group.accesses) {
            const Reach reach = reaches_.of(copy, group, access);
            if (copy.op == sema::GlobalCopy::Op::load)
                transfer_.load(load_name, access, reach, names, last);
            else
                transfer_.store("st.global", access, reach, names, last);
            width = std::max(width, access.bytes);
        }
    std::move(last.begin(), last.end(), std::back_inserter(text_.body));
    return width;
}

void Copies::fill(const sema::Fill& fill) {
    const sema::Fragment& fragment = kernel_.fragments.at(fill.fragment.object);
    const std::vector<std::string>& names = registers_.at(fill.fragment.object);
    const int bits = base::bits(fragment.dtype);
    std::uint32_t word = 0;
    for (int bit = 0; bit < 32; bit += bits) word |= fill.bits << bit;
    for (const ThreadForm& form : paths_.forms(fragment, true)) {
        const ThreadForm part =
            restricted(form, {fill.fragment.row, fill.fragment.col}, fill.fragment.rows, fill.fragment.cols);
        for (std::size_t first = 0, last = 0; first < part.slots.size(); first = last) {
            const SlotForm& slot = part.slots[first];
            bool same = true; // the threads of every slot of the register
            for (; last < part.slots.size() && part.slots[last].reg == slot.reg; ++last)
                same = same && part.slots[last].threads == slot.threads;
            const ptx::Register into{names.at(static_cast<std::size_t>(slot.reg))};
            if (same && last - first == static_cast<std::size_t>(32 / bits)) {
                text_.body.emplace_back(
                    instruction("mov.b32", {into, constant(word)}, text_.predicate(slot.threads)));
                continue;
            }
            text_.zero_first(into.name);
            for (std::size_t i = first; i < last; ++i)
                text_.body.emplace_back(inserted(into, constant(fill.bits), part.slots[i].bit, bits,
                                                 text_.predicate(part.slots[i].threads)));
        }
    }
}

} // namespace tmemc::lower
