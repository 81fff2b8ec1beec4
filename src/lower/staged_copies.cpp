// Round by round, half by half.
#include "lower/staged_copies.hpp"

#include "atlas/costs.hpp"

#include <algorithm>
#include <iterator>

namespace tmemc::lower {
namespace {

constexpr auto load = sema::GlobalCopy::Op::load;

void append(std::vector<ptx::Statement>& list, std::vector<ptx::Statement>&& more) {
    std::move(more.begin(), more.end(), std::back_inserter(list));
}

} // namespace

void warp_barrier(KernelText& text) {
    text.body.emplace_back(instruction("bar.warp.sync", {constant(-1)})); // all 32 lanes
}

std::string load_of(const sema::Kernel& kernel, std::size_t tensor) {
    const bool only_read =
        std::get<sema::Tensor>(kernel.parameters.at(tensor)).direction == sema::Direction::in;
    return only_read && !kernel.function ? "ld.global.nc" : "ld.global";
}

/// A staged store has a barrier ahead of its stores anyway, a staged load one behind its loads.
bool WarpOrder::needed(Since& since, std::size_t statement, const sema::GlobalCopy& copy, bool staged) {
    if (staged && since.staging_read) return true;
    if (!staged && since.direct.worst(statement).how >= order::Meeting::in_warp) return true;
    const auto stored = since.stored.find(copy.tensor.object);
    if (stored == since.stored.end()) return false;
    return staged ? copy.op == load : stored->second;
}

bool WarpOrder::barrier_before(std::size_t statement, bool staged) {
    const sema::Statement& what = kernel_.statements.at(statement);
    bool found = false;
    for (std::size_t w = 0; w < of_.size(); ++w)
        if (!what.warpgroup || *what.warpgroup == static_cast<int>(w))
            found = found || needed(of_[w], statement, std::get<sema::GlobalCopy>(what.what), staged);
    return found;
}

void WarpOrder::barrier(std::optional<int> warpgroup) {
    for (std::size_t w = 0; w < of_.size(); ++w) {
        if (warpgroup && *warpgroup != static_cast<int>(w)) continue;
        of_[w].staging_read = false;
        of_[w].stored.clear();
        of_[w].direct.forget();
    }
}

void WarpOrder::done(std::size_t statement, bool staged) {
    const sema::Statement& what = kernel_.statements.at(statement);
    const auto& copy = std::get<sema::GlobalCopy>(what.what);
    if (staged) barrier(what.warpgroup); // between its halves
    for (std::size_t w = 0; w < of_.size(); ++w) {
        if (what.warpgroup && *what.warpgroup != static_cast<int>(w)) continue;
        of_[w].staging_read = of_[w].staging_read || staged;
        if (!staged) of_[w].direct.remember(statement);
        if (copy.op == load) continue;
        bool& by_another = of_[w].stored[copy.tensor.object];
        by_another = by_another || staged;
    }
}

int StagedCopies::copy(const sema::GlobalCopy& copy, const StagedPlan& plan,
                       const std::vector<std::string>& names) {
    int width = 0;
    for (const std::vector<StagedPiece>& round : plan.rounds) {
        if (&round != &plan.rounds.front()) warp_barrier(text_); // the round before has been read
        if (copy.op != load) fragment(copy, round, names);
        if (copy.op != load) warp_barrier(text_);
        for (const StagedPiece& piece : round) width = std::max(width, walk(copy, piece));
        if (copy.op == load) warp_barrier(text_);
        if (copy.op == load) fragment(copy, round, names);
    }
    return width;
}

void StagedCopies::fragment(const sema::GlobalCopy& copy, const std::vector<StagedPiece>& round,
                            const std::vector<std::string>& names) {
    std::vector<ptx::Statement> last;
    for (const StagedPiece& piece : round)
        for (const StagedGroup& group : piece.fragment)
            for (const Access& access : group.accesses) {
                const Reach place = transfer_.everywhere(
                    access, staging_.at(group.bits, static_cast<std::uint32_t>(access.offset)));
                if (copy.op == load)
                    transfer_.load("ld.shared", access, place, names, last);
                else
                    transfer_.store("st.shared", access, place, names, last);
            }
    append(text_.body, std::move(last));
}

/// As many accesses at a time as there are registers for.
int StagedCopies::walk(const sema::GlobalCopy& copy, const StagedPiece& piece) {
    const std::string from = load_of(kernel_, copy.tensor.object);
    const std::vector<std::string>& names = staging_.registers();
    int width = 0;
    for (const AccessGroup& group : piece.walk)
        for (auto first = group.accesses.begin(), last = first; first != group.accesses.end(); first = last) {
            const auto turn = [](const Access& access) {
                return access.registers.front() / atlas::staged_registers;
            };
            std::vector<ptx::Statement> packing, stores;
            for (; last != group.accesses.end() && turn(*last) == turn(*first); ++last) {
                const Reach memory = reaches_.of(copy, group, *last);
                const std::uint32_t offset =
                    piece.walk_offsets.at(static_cast<std::size_t>(last->registers.front()));
                const Reach place = transfer_.everywhere(*last, staging_.at(piece.walk_bits, offset));
                const bool in = copy.op == load;
                transfer_.load(in ? from : "ld.shared", *last, in ? memory : place, names, packing);
                transfer_.store(in ? "st.shared" : "st.global", *last, in ? place : memory, names, stores);
                width = std::max(width, last->bytes);
            }
            append(text_.body, std::move(packing));
            append(text_.body, std::move(stores));
        }
    return width;
}

} // namespace tmemc::lower
