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
        const std::uint32_t alloc = first("tcgen05.alloc", 0), dealloc = first("tcgen05.dealloc", 0);
        if (alloc == end || dealloc == end || dealloc < alloc)
            return mismatch(alloc, "columns are not allocated and then freed");
        if (first("tcgen05.relinquish_alloc_permit", 0) != alloc + 1)
            return mismatch(alloc, "the right to allocate is not given up right behind the allocation");
        const std::uint32_t use = std::min(first_use(alloc), dealloc);
        if (!barrier_between(alloc, use))
            return mismatch(alloc, "no barrier stands between the allocation and its first use");
        if (!barrier_between(last_use(dealloc), dealloc))
            return mismatch(dealloc, "no barrier stands between the last use of the columns and their end");
        return std::nullopt;
    }

  private:
    [[nodiscard]] std::uint32_t first(std::string_view name, std::uint32_t from) const {
        std::uint32_t i = from;
        while (i < outline_.code.size() && !starts_with(outline_.code[i]->name, name)) ++i;
        return i;
    }
    static bool uses(const std::string& name) {
        return starts_with(name, "tcgen05.ld.") || starts_with(name, "tcgen05.st.") ||
               starts_with(name, "tcgen05.wait");
    }
    [[nodiscard]] std::uint32_t first_use(std::uint32_t from) const {
        std::uint32_t i = from;
        while (i < outline_.code.size() && !uses(outline_.code[i]->name)) ++i;
        return i;
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
            if (!starts_with(is.name, "bra") || is.operands.empty()) continue;
            const auto* label = std::get_if<ptx::Symbol>(&is.operands.front());
            const auto to = label == nullptr ? outline_.labels.end() : outline_.labels.find(label->name);
            if (to != outline_.labels.end() && to->second > place) return true;
        }
        return false;
    }
    [[nodiscard]] Mismatch mismatch(std::uint32_t at, const char* what) const {
        Mismatch made;
        made.line = at < outline_.lines.size() ? outline_.lines[at] : 0;
        made.what = what;
        return made;
    }

    const Outline& outline_;
};

} // namespace

std::optional<Mismatch> broken_frame(const Outline& outline) { return Frame(outline).check(); }

} // namespace tmemc::verify
