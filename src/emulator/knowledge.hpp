// What warps know of each other, as vector clocks. `now[u]` is how far warp u had come, in releases, when we
// last heard of it. `done[u]` counts the wait::ld and wait::st that it had executed, `seen[u]` those of them
// that the fences of tensor memory have carried over. A sync point holds what was released there:
//
//     release: point = max(point, mine); now[me] += 1        acquire: mine = max(mine, point)
//
// Fences of memory work on relaxed accesses in the same way: what was known at the last fence is what a
// relaxed store releases, and what a relaxed load met is acquired at the next fence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tmemc::emulator {

inline constexpr std::size_t most_warps = 32;

template <std::size_t size>
struct Clocks {
    std::array<std::uint32_t, size> of{};
    void join(const Clocks& other) {
        for (std::size_t k = 0; k < size; ++k) of[k] = of[k] < other.of[k] ? other.of[k] : of[k];
    }
};
using WarpClocks = Clocks<most_warps>;
using WaitClocks = Clocks<2 * most_warps>; // loads and stores of each warp

/// What one release tells.
struct News {
    WarpClocks now;
    WaitClocks done, fenced;
    void join(const News& other) {
        now.join(other.now);
        done.join(other.done);
        fenced.join(other.fenced);
    }
};

class Knowledge {
  public:
    std::uint32_t index = 0; // of the warp

    [[nodiscard]] std::uint32_t clock() const { return mine_.now.of[index]; }
    [[nodiscard]] bool heard_of(std::size_t warp, std::uint32_t clock) const {
        return warp == index || mine_.now.of[warp] >= clock;
    }
    /// Accesses carry the number of waits before them; they are complete behind one more.
    [[nodiscard]] std::uint32_t waits(std::size_t kind) const { return mine_.done.of[at(index, kind)]; }
    [[nodiscard]] bool complete(std::size_t warp, std::size_t kind, std::uint32_t waits) const {
        return mine_.done.of[at(warp, kind)] > waits;
    }
    [[nodiscard]] bool visible(std::size_t warp, std::size_t kind, std::uint32_t waits) const {
        return seen_.of[at(warp, kind)] > waits;
    }

    /// A warp begins when `past` is over and known to all.
    void begin(std::uint32_t warp, std::uint32_t past) {
        *this = {};
        index = warp;
        mine_.now.of.fill(past);
        ++mine_.now.of[index];
    }
    void wait(std::size_t kind) { ++mine_.done.of[at(index, kind)]; }
    void fence_before() {
        mine_.fenced.join(seen_);
        for (std::size_t kind = 0; kind < 2; ++kind) mine_.fenced.of[at(index, kind)] = waits(kind);
    }
    void fence_after() { seen_.join(pending_); }

    void release_to(News& point) {
        point.join(mine_);
        ++mine_.now.of[index];
    }
    void acquire(const News& point) {
        mine_.now.join(point.now);
        mine_.done.join(point.done);
        pending_.join(point.fenced);
    }
    void fence_memory() {
        acquire(relaxed_in_);
        relaxed_out_ = mine_;
        ++mine_.now.of[index];
        has_fenced_ = true;
    }
    [[nodiscard]] bool has_fenced() const { return has_fenced_; }
    void release_relaxed_to(News& point) const { point.join(relaxed_out_); }
    void acquire_relaxed(const News& point) { relaxed_in_.join(point); }

  private:
    [[nodiscard]] static std::size_t at(std::size_t warp, std::size_t kind) { return 2 * warp + kind; }
    News mine_, relaxed_in_, relaxed_out_;
    WaitClocks seen_, pending_;
    bool has_fenced_ = false;
};

} // namespace tmemc::emulator
