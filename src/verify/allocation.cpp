// The frame of a kernel that has tensor memory, in the order of the text:
//
//     alloc; relinquish        by one warp, side by side
//     bar.sync 0               so that every warp finds the address         before any message
//     ...                      messages and waits
//     bar.sync 0               so that every warp is done                   behind them all
//     dealloc
//
// A machine that happens to run warp 0 first would not notice a missing barrier, so they are looked for.
#include "verify/outline.hpp"

#include <algorithm>

namespace tmemc::verify {
namespace {

class Frame {
  public:
    explicit Frame(const Outline& outline) : outline_(outline) {}

    std::optional<Mismatch> check() const {
        const auto end = static_cast<std::uint32_t>(outline_.code.size());
        const std::uint32_t alloc = first_named("tcgen05.alloc"), dealloc = first_named("tcgen05.dealloc");
        if (alloc == end || dealloc == end || dealloc < alloc)
            return mismatch_at(outline_, alloc, "columns are not allocated and then freed");
        if (first_named("tcgen05.relinquish_alloc_permit") != alloc + 1)
            return mismatch_at(outline_, alloc,
                               "the right to allocate is not given up right behind the allocation");
        const std::uint32_t use = std::min(first(uses), dealloc);
        if (!barrier_between(alloc, use))
            return mismatch_at(outline_, alloc, "no barrier stands between the allocation and its first use");
        if (!barrier_between(last_use(dealloc), dealloc))
            return mismatch_at(outline_, dealloc,
                               "no barrier stands between the last use of the columns and their end");
        return std::nullopt;
    }

  private:
    /// The first instruction that `is` says yes to; the number of instructions when there is none.
    template <class Is>
    [[nodiscard]] std::uint32_t first(Is is) const {
        const auto found = std::find_if(outline_.code.begin(), outline_.code.end(),
                                        [&](const ptx::Instruction* each) { return is(each->name); });
        return static_cast<std::uint32_t>(found - outline_.code.begin());
    }
    [[nodiscard]] std::uint32_t first_named(std::string_view head) const {
        return first([head](const std::string& name) { return starts_with(name, head); });
    }
    static bool uses(const std::string& name) {
        return starts_with(name, "tcgen05.ld.") || starts_with(name, "tcgen05.st.") ||
               starts_with(name, "tcgen05.wait");
    }
    /// The last instruction before `to` that is a use, or the allocation.
    [[nodiscard]] std::uint32_t last_use(std::uint32_t to) const {
        std::uint32_t i = to;
        while (i > 0 && !uses(outline_.code[i]->name) &&
               !starts_with(outline_.code[i]->name, "tcgen05.alloc"))
            --i;
        return i;
    }
    /// One that every thread comes to: unguarded, and no branch jumps over it.
    [[nodiscard]] bool barrier_between(std::uint32_t from, std::uint32_t to) const {
        for (std::uint32_t i = from + 1; i < to; ++i) {
            const ptx::Instruction& is = *outline_.code[i];
            if (is.name == "bar.sync" && !is.guard && !jumped_over(i)) return true;
        }
        return false;
    }
    [[nodiscard]] bool jumped_over(std::uint32_t place) const {
        for (std::uint32_t i = 0; i < place; ++i) {
            const ptx::Instruction& is = *outline_.code[i];
            const auto to = starts_with(is.name, "bra") ? target(outline_, is) : std::nullopt;
            if (to && *to > place) return true;
        }
        return false;
    }

    const Outline& outline_;
};

} // namespace

std::optional<Mismatch> broken_frame(const Outline& outline) { return Frame(outline).check(); }

} // namespace tmemc::verify
