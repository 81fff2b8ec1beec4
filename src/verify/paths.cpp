// Every path from the allocation to an end passes a deallocation, and only such paths do. The text decides by
// one predicate, "this is the warp that allocates"; each of its two values is followed on its own, and every
// other guard both ways, so no instruction is looked at more than four times.
#include "verify/outline.hpp"

#include <set>
#include <tuple>

namespace tmemc::verify {
namespace {

bool ends(const std::string& name) { return name == "ret" || name == "exit"; }

class Paths {
  public:
    explicit Paths(const Outline& outline) : outline_(outline) {}

    std::optional<Mismatch> check() {
        const std::string predicate = guard_of_allocation();
        for (const bool value : {true, false}) follow(predicate, value);
        return found_;
    }

  private:
    /// The predicate of the branch in front of the allocation.
    [[nodiscard]] std::string guard_of_allocation() const {
        for (std::size_t i = 0; i < outline_.code.size(); ++i) {
            if (!starts_with(outline_.code[i]->name, "tcgen05.alloc")) continue;
            if (outline_.code[i]->guard) return outline_.code[i]->guard->predicate;
            if (i > 0 && outline_.code[i - 1]->guard) return outline_.code[i - 1]->guard->predicate;
        }
        return {};
    }

    void follow(const std::string& predicate, bool value) {
        std::set<std::pair<std::uint32_t, bool>> seen;
        std::vector<std::pair<std::uint32_t, bool>> open{{0, false}};
        while (!open.empty()) {
            auto [at, holds] = open.back();
            open.pop_back();
            if (!seen.emplace(at, holds).second) continue;
            if (at >= outline_.code.size()) {
                end(at, holds);
                continue;
            }
            const ptx::Instruction& is = *outline_.code[at];
            const bool decided = !is.guard || is.guard->predicate == predicate;
            const bool executes = !is.guard || value != is.guard->negated;
            if (!decided || !executes) open.emplace_back(at + 1, holds);
            if (decided && !executes) continue;
            if (ends(is.name)) {
                end(at, holds);
                continue;
            }
            if (starts_with(is.name, "bra")) {
                if (const auto to = target(outline_, is)) open.emplace_back(*to, holds);
                continue;
            }
            if (starts_with(is.name, "tcgen05.alloc")) holds = true;
            if (starts_with(is.name, "tcgen05.dealloc")) {
                if (!holds) fail(at, "a path frees columns that it has not allocated");
                holds = false;
            }
            open.emplace_back(at + 1, holds);
        }
    }
    void end(std::uint32_t at, bool holds) {
        if (holds) fail(at, "a path ends with its columns allocated");
    }
    void fail(std::uint32_t at, const char* what) {
        if (!found_) found_ = mismatch_at(outline_, at, what);
    }

    const Outline& outline_;
    std::optional<Mismatch> found_;
};

} // namespace

std::optional<Mismatch> leaking_path(const Outline& outline) { return Paths(outline).check(); }

} // namespace tmemc::verify
