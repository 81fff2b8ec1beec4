// One walk from the end of the kernel to its start: a read makes registers live, the write before it ends
// their lives. Which registers a region touches is asked once for each image and rectangle, so 10,000 equal
// copies cost one look at the map.
#include "match/pressure.hpp"

#include "atlas/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tmemc::match {

namespace {

struct Touched {
    int reg = 0;
    bool whole = false; // every element that the register holds in any thread
};
using Registers = std::vector<Touched>;

/// The registers of a fragment's region, remembered.
class Regions {
  public:
    explicit Regions(const sema::Kernel& kernel) : kernel_(kernel) {}

    const Registers& of(const sema::Region& region) {
        const std::size_t image = kernel_.fragments[region.object].image;
        const Key key{image, region.row, region.col, region.rows, region.cols};
        const auto known = known_.find(key);
        if (known != known_.end()) return known->second;
        return known_.emplace(key, touched(kernel_.fragment_images[image].slots, region)).first->second;
    }

  private:
    using Key = std::tuple<std::size_t, int, int, int, int>;

    static std::vector<int> elements(const layout::SlotMap& slots, int row, int col, int rows, int cols) {
        std::vector<int> count(static_cast<std::size_t>(slots.words), 0);
        for (int r = row; r < row + rows; ++r)
            for (int c = col; c < col + cols; ++c)
                for (int copy = 0; copy < slots.copies; ++copy) ++count[slots.at(r, c, copy).reg];
        return count;
    }

    static Registers touched(const layout::SlotMap& slots, const sema::Region& region) {
        const auto all = elements(slots, 0, 0, slots.rows, slots.cols);
        const auto here = elements(slots, region.row, region.col, region.rows, region.cols);
        Registers result;
        for (std::size_t reg = 0; reg < here.size(); ++reg)
            if (here[reg] != 0) result.push_back({static_cast<int>(reg), here[reg] == all[reg]});
        return result;
    }

    const sema::Kernel& kernel_;
    std::map<Key, Registers> known_;
};

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

/// A fragment as one warpgroup sees it.
struct Life {
    std::vector<std::size_t> first_write;             // by register: a statement
    std::vector<bool> live;                           // by register, where the walk stands
    int count = 0;                                    // of live ones, those just written included
    std::size_t first = nowhere, last_read = nowhere; // statements
};

struct Peak {
    int registers = 0;
    std::size_t statement = 0;
    int warpgroup = 0;
    int own = 0; // of the registers, those that the statement takes for itself
};

class Pressure {
  public:
    Pressure(const sema::Kernel& kernel, Regions& regions, const OwnRegisters& own, int warpgroup)
        : kernel_(kernel), regions_(regions), own_(own), warpgroup_(warpgroup) {
        for (const sema::Fragment& each : kernel.fragments) {
            const auto words = static_cast<std::size_t>(kernel.slots(each).words);
            lives_.push_back({std::vector<std::size_t>(words, nowhere), std::vector<bool>(words, false)});
        }
        find_ends();
    }

    /// Walks back to `until` and leaves what is live there; the worst statement met.
    Peak walk(std::size_t until) {
        Peak peak{0, 0, warpgroup_};
        for (std::size_t i = kernel_.statements.size(); i-- > until;) {
            const Accesses accesses = accesses_of(i);
            if (accesses.empty()) continue;
            for (const auto& [region, writes] : accesses)
                if (writes) set(*region, true, i);
            if (total_ >= peak.registers) peak = {total_, i, warpgroup_};
            if (i == until) return peak; // a read makes nothing live behind itself
            for (const auto& [region, writes] : accesses)
                if (writes) set(*region, false, i);
            const auto own = own_.find(i);
            if (own != own_.end() && total_ + own->second > peak.registers)
                peak = {total_ + own->second, i, warpgroup_, own->second};
            for (const auto& [region, writes] : accesses)
                if (!writes) set(*region, true, i);
            if (total_ >= peak.registers) peak = {total_, i, warpgroup_};
        }
        return peak;
    }

    [[nodiscard]] const std::vector<Life>& lives() const { return lives_; }
    /// Makes what the statement itself reads and writes live too, or what it writes not.
    void include(std::size_t statement, bool itself) {
        for (const auto& [region, writes] : accesses_of(statement))
            if (itself || writes) set(*region, itself, statement);
    }

  private:
    using Accesses = std::vector<sema::FragmentAccess>;
    [[nodiscard]] Accesses accesses_of(std::size_t index) const {
        const sema::Statement& statement = kernel_.statements[index];
        if (statement.warpgroup && *statement.warpgroup != warpgroup_) return {};
        return sema::fragment_accesses(statement);
    }

    void find_ends() {
        for (std::size_t i = 0; i < kernel_.statements.size(); ++i) {
            for (const auto& [region, writes] : accesses_of(i)) {
                Life& life = lives_[region->object];
                if (writes)
                    write(*region, i);
                else
                    life.last_read = i;
            }
        }
    }
    void write(const sema::Region& region, std::size_t statement) {
        Life& life = lives_[region.object];
        life.first = std::min(life.first, statement);
        for (const Touched& each : regions_.of(region)) {
            std::size_t& first = life.first_write[static_cast<std::size_t>(each.reg)];
            first = std::min(first, statement);
        }
    }

    /// Makes the region's registers live, or ends those whose value begins at `statement`.
    void set(const sema::Region& region, bool live, std::size_t statement) {
        Life& life = lives_[region.object];
        for (const Touched& each : regions_.of(region)) {
            const auto reg = static_cast<std::size_t>(each.reg);
            const bool begins = each.whole || life.first_write[reg] == statement;
            if (life.live[reg] == live || (!live && !begins)) continue;
            life.live[reg] = live;
            life.count += live ? 1 : -1;
            total_ += live ? 1 : -1;
        }
    }

    const sema::Kernel& kernel_;
    Regions& regions_;
    const OwnRegisters& own_;
    int warpgroup_;
    std::vector<Life> lives_;
    int total_ = 0;
};

/// Registers that a thread needs beside its fragments.
int overhead(const sema::Kernel& kernel) {
    const auto tensors =
        std::count_if(kernel.parameters.begin(), kernel.parameters.end(),
                      [](const sema::Parameter& each) { return std::holds_alternative<sema::Tensor>(each); });
    return atlas::thread_registers + atlas::pointer_registers * static_cast<int>(tensors);
}

void explain(base::Diagnostic& warning, const sema::Kernel& kernel, const std::vector<Life>& lives, int own,
             const base::Source& source) {
    const auto line = [&](base::Span span) { return source.position(span.begin).line; };
    for (std::size_t i = 0; i < lives.size(); ++i) {
        const Life& life = lives[i];
        if (life.count == 0 || life.first == nowhere) continue;
        const std::size_t last = life.last_read == nowhere ? life.first : life.last_read;
        warning.note(fmt::format("`{}` (line {}): {} register{}, live from line {} to line {}",
                                 kernel.fragments[i].name, line(kernel.fragments[i].span), life.count,
                                 life.count == 1 ? "" : "s", line(kernel.statements[life.first].span),
                                 line(kernel.statements[last].span)));
    }
    if (own != 0) warning.note(fmt::format("what is on its way through shared memory: {} registers", own));
    warning.note(fmt::format("addresses take about {} more", overhead(kernel)));
    warning.help("move the tile in narrower slices, each stored before the next is loaded");
}

/// Of all warpgroups.
Peak worst_of(const sema::Kernel& kernel, Regions& regions, const OwnRegisters& own) {
    Peak worst;
    for (int group = 0; group < kernel.warpgroups; ++group) {
        const Peak peak = Pressure(kernel, regions, own, group).walk(0);
        if (peak.registers > worst.registers) worst = peak;
    }
    return worst;
}

/// By place of the statement, the fragments' registers of what has been warned of.
using Warned = std::map<std::uint32_t, int>;

void check_kernel(base::Diagnostics& out, const sema::Kernel& kernel, const OwnRegisters& own,
                  const base::Source& source, Warned& warned) {
    Regions regions(kernel);
    const Peak worst = worst_of(kernel, regions, own);
    const int cap = atlas::register_cap(kernel.threads());
    const int needed = worst.registers + overhead(kernel);
    if (needed <= cap) return;
    if (kernel.statements.empty()) return; // nothing is loaded for what does nothing
    // What a function is warned of is no worse where it is called, unless the caller has fragments of its
    // own.
    const sema::Statement& statement = kernel.statements[worst.statement];
    const auto [known, is_new] = warned.try_emplace(statement.span.begin, worst.registers);
    if (!statement.calls.empty() && !is_new && worst.registers <= known->second) return;
    Pressure there(kernel, regions, own, worst.warpgroup);
    there.walk(worst.statement);
    there.include(worst.statement, worst.own == 0);
    explain(out.report(base::catalogue::spill, statement.span, kernel.name, needed, kernel.threads(), cap),
            kernel, there.lives(), worst.own, source);
}

} // namespace

int live_registers(const sema::Kernel& kernel) {
    Regions regions(kernel);
    return worst_of(kernel, regions, {}).registers;
}

base::Diagnostics check_pressure(const sema::Program& program, const base::Source& source,
                                 const std::vector<OwnRegisters>& own) {
    base::Diagnostics out;
    Warned warned;
    for (const bool function : {true, false})
        for (std::size_t k = 0; k < program.kernels.size(); ++k)
            if (program.kernels[k].function == function)
                check_kernel(out, program.kernels[k], k < own.size() ? own[k] : OwnRegisters{}, source,
                             warned);
    return out;
}

} // namespace tmemc::match
