// One walk over the statements that remembers, for every place, the statement that touched it last.
#include "order/conflicts.hpp"

#include <algorithm>
#include <numeric>

namespace tmemc::order {

namespace {

constexpr int nobody = -1;

/// The last statement at each place of a grid.
class LastAccess {
  public:
    void set(const Footprint& where, int width, int lines, int statement) {
        if (last_.empty())
            last_.assign(static_cast<std::size_t>(lines) * static_cast<std::size_t>(width), nobody);
        width_ = width;
        for (const Run& run : where) std::fill_n(last_.begin() + start(run), run.last - run.first, statement);
    }

    /// The statements met in `where`, each once.
    [[nodiscard]] std::vector<int> in(const Footprint& where) const {
        std::vector<int> met;
        if (last_.empty()) return met;
        for (const Run& run : where) {
            const auto first = last_.begin() + start(run);
            for (auto at = first; at != first + (run.last - run.first); ++at)
                if (*at != nobody && (met.empty() || met.back() != *at)) met.push_back(*at);
        }
        std::sort(met.begin(), met.end());
        met.erase(std::unique(met.begin(), met.end()), met.end());
        return met;
    }

  private:
    [[nodiscard]] std::ptrdiff_t start(const Run& run) const {
        return std::ptrdiff_t{run.line} * width_ + run.first;
    }

    int width_ = 0;
    std::vector<int> last_;
};

class Walk {
  public:
    Walk(const sema::Kernel& kernel, Footprints& footprints) : kernel_(kernel), footprints_(footprints) {
        const auto groups = static_cast<std::size_t>(kernel.warpgroups);
        cells_.resize(kernel.groups.size() * groups * 2);
        loads_.resize(kernel.fragments.size() * groups);
        latest_.assign(groups * 2, nobody);
    }

    std::vector<Conflict> walk() {
        for (; now_ < kernel_.statements.size(); ++now_) {
            const sema::Statement& statement = kernel_.statements[now_];
            const std::vector<int> groups = warpgroups_of(kernel_, statement);
            std::visit([&](const auto& what) { visit(what, groups); }, statement.what);
        }
        end();
        return std::move(conflicts_);
    }

  private:
    void visit(const sema::TmemCopy& copy, const std::vector<int>& groups) {
        const bool load = copy.op == sema::TmemCopy::Op::ld;
        const Footprint cells = footprints_.cells(copy);
        const std::size_t group = kernel_.buffers[copy.buffer.object].group;
        for (const int each : groups) {
            meet_cells(cells, group, load, each);
            load ? overwrite(copy.fragment, each) : read(copy.fragment, each);
        }
        const WaitKind kind = load ? WaitKind::ld : WaitKind::st;
        for (const int each : groups) {
            last(group, each, kind).set(cells, kernel_.groups[group].columns, slabs, now());
            latest(each, kind) = now();
            if (load) {
                const int words = kernel_.slots(kernel_.fragments[copy.fragment.object]).words;
                load_of(copy.fragment, each).set(footprints_.registers(copy.fragment), words, warps, now());
            }
        }
    }
    void visit(const sema::GlobalCopy& copy, const std::vector<int>& groups) {
        for (const int each : groups)
            copy.op == sema::GlobalCopy::Op::load ? overwrite(copy.fragment, each)
                                                  : read(copy.fragment, each);
    }
    void visit(const sema::Fill& fill, const std::vector<int>& groups) {
        for (const int each : groups) overwrite(fill.fragment, each);
    }
    void visit(const sema::Compute& compute, const std::vector<int>& groups) {
        for (const int each : groups) {
            for (const sema::Step& step : compute.steps)
                if (step.what == sema::Step::What::fragment) read(step.fragment, each);
            overwrite(compute.target, each);
        }
    }
    void visit(const sema::Wait&, const std::vector<int>&) {}
    void visit(const sema::Sync&, const std::vector<int>&) {}

    void meet_cells(const Footprint& cells, std::size_t group, bool load, int warpgroup) {
        for (int other = 0; other < kernel_.warpgroups; ++other)
            for (const WaitKind kind : {WaitKind::ld, WaitKind::st})
                if (!(load && kind == WaitKind::ld))
                    add(Rule::cells, kind, last(group, other, kind).in(cells), other, warpgroup);
    }
    void overwrite(const sema::Region& fragment, int warpgroup) {
        meet_load(Rule::overwrite, fragment, warpgroup);
    }
    void read(const sema::Region& fragment, int warpgroup) { meet_load(Rule::read, fragment, warpgroup); }
    void meet_load(Rule rule, const sema::Region& fragment, int warpgroup) {
        const std::vector<int> loads = load_of(fragment, warpgroup).in(footprints_.registers(fragment));
        add(rule, WaitKind::ld, loads, warpgroup, warpgroup);
    }
    void end() {
        for (int group = 0; group < kernel_.warpgroups; ++group)
            for (const WaitKind kind : {WaitKind::ld, WaitKind::st})
                if (latest(group, kind) != nobody) add(Rule::end, kind, {latest(group, kind)}, group, group);
    }

    void add(Rule rule, WaitKind kind, const std::vector<int>& earlier, int warpgroup, int later) {
        for (const int each : earlier)
            conflicts_.push_back({rule, kind, static_cast<std::size_t>(each), now_, warpgroup, later});
    }

    [[nodiscard]] int now() const { return static_cast<int>(now_); }
    [[nodiscard]] std::size_t index(std::size_t object, int warpgroup) const {
        return object * static_cast<std::size_t>(kernel_.warpgroups) + static_cast<std::size_t>(warpgroup);
    }
    LastAccess& last(std::size_t group, int warpgroup, WaitKind kind) {
        return cells_[index(group, warpgroup) * 2 + static_cast<std::size_t>(kind)];
    }
    LastAccess& load_of(const sema::Region& fragment, int warpgroup) {
        return loads_[index(fragment.object, warpgroup)];
    }
    int& latest(int warpgroup, WaitKind kind) {
        return latest_[static_cast<std::size_t>(warpgroup) * 2 + static_cast<std::size_t>(kind)];
    }

    const sema::Kernel& kernel_;
    Footprints& footprints_;
    std::size_t now_ = 0;
    std::vector<LastAccess> cells_; // by alias group, warpgroup and kind
    std::vector<LastAccess> loads_; // by fragment and warpgroup
    std::vector<int> latest_;       // by warpgroup and kind, of any place
    std::vector<Conflict> conflicts_;
};

} // namespace

std::vector<Conflict> find_conflicts(const sema::Kernel& kernel, Footprints& footprints) {
    return Walk(kernel, footprints).walk();
}

std::vector<int> warpgroups_of(const sema::Kernel& kernel, const sema::Statement& statement) {
    if (statement.warpgroup) return {*statement.warpgroup};
    std::vector<int> all(static_cast<std::size_t>(kernel.warpgroups));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

} // namespace tmemc::order
