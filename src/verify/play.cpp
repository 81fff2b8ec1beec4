// The player: gaps and statements in turn.
#include "verify/play.hpp"

#include "verify/logical.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tmemc::verify {
namespace {

using Warps = std::vector<std::uint32_t>;
using order::WaitKind;

// What the caller of a function has: two warpgroups, of which the second calls, columns that do not begin at
// 0 (where there is room), shared memory whose first bytes are its own. Staging memory is aligned to what is
// promised and no more.
constexpr std::uint32_t warpgroups_of_caller = 2, calling_warpgroup = 1, staging_address = 3 * 128;
constexpr int spare = 32; // columns

/// The first column of each alias group, which is a parameter's.
std::vector<int> given_columns(const sema::Kernel& kernel) {
    std::vector<int> columns;
    int next = spare + 4; // which no pointer ends in
    for (const sema::AliasGroup& group : kernel.groups) {
        columns.push_back(std::min(next, emulator::tensor_columns - group.columns));
        next += (group.columns + 3) / 4 * 4;
    }
    return columns;
}

emulator::Launch launch_of(const Score& score, const Tensors& tensors, const Cta& cta) {
    const auto extent = [&](std::size_t i) { return static_cast<std::uint32_t>(score.kernel.grid[i]); };
    emulator::Launch launch{score.kernel.name, {extent(0), extent(1), extent(2)}, {}, {}};
    launch.block.x = static_cast<std::uint32_t>(score.kernel.threads());
    if (score.kernel.function) launch.block.x *= warpgroups_of_caller;
    launch.parameters.resize(score.signature.parameter_bytes);
    std::size_t next = 0; // of the signature
    const auto give = [&](std::uint64_t value) {
        const emulator::KernelParameter& parameter = score.signature.parameters[next++];
        std::memcpy(launch.parameters.data() + parameter.offset, &value,
                    std::min<std::size_t>(parameter.bytes, sizeof value));
    };
    const std::vector<int> columns = given_columns(score.kernel);
    for (std::size_t p = 0; p < score.kernel.parameters.size(); ++p) {
        const sema::Parameter& parameter = score.kernel.parameters[p];
        const auto* tmem = std::get_if<sema::TmemParameter>(&parameter);
        if (std::holds_alternative<sema::Tensor>(parameter)) give(tensors.base(p));
        if (std::holds_alternative<sema::Scalar>(parameter)) give(cta.scalars[p]);
        if (tmem != nullptr)
            give(static_cast<std::uint64_t>(columns[score.kernel.buffers[tmem->buffer].group]));
    }
    if (score.memory == Memory::global) give(tensors.scratch());
    if (next < score.signature.parameters.size()) {
        launch.shared_bytes = staging_address + static_cast<std::uint32_t>(score.trace.shared_bytes);
        give(staging_address);
    }
    return launch;
}

/// The waits that a warp has met: true for st.
std::vector<bool> kinds_of(const std::vector<emulator::Log::Wait>& met, std::uint32_t warp) {
    std::vector<bool> kinds;
    for (const emulator::Log::Wait& wait : met)
        if (wait.warp == warp) kinds.push_back(wait.store);
    return kinds;
}

/// Lowered addresses name their own warp's lanes, as ptxas's debug check wants, though hardware ignores that.
emulator::Limits strictest() {
    emulator::Limits limits;
    limits.strict_lanes = true;
    return limits;
}

class Player {
  public:
    Player(const Score& score, const Cta& cta)
        : score_(score), cta_(cta), tensors_(score.kernel, cta),
          probe_(score.executable, launch_of(score, tensors_, cta), tensors_.memory(), strictest()) {
        Warps stops;
        for (const Stretch& each : score_.outline.statements)
            if (!each.empty()) stops.insert(stops.end(), {each.first, each.last});
        probe_.stop_at(stops);
    }

    std::optional<Mismatch> play();

  private:
    /// A warp between two statements.
    struct Journey {
        std::size_t from = 0;   // the first statement that it may come to
        bool over = false;      // it has come to the next, and its waits were right
        std::vector<bool> met;  // waits: true for st
        bool lanes_met = false; // at a barrier of the warp
    };

    void gap(bool at_the_beginning);
    void gap_waits(std::uint32_t warp);
    [[nodiscard]] bool waited(const std::vector<bool>& wanted, const std::vector<bool>& met,
                              bool lanes_met) const;
    void gap_registers(std::size_t gap);
    void watch_allocation();
    std::optional<Image> image();
    void statement(std::size_t s);
    void run(std::size_t s, const Warps& warps, int warpgroup);
    void scratch_registers(std::size_t s, const Warps& warps);
    void shared_parts(std::size_t s);
    [[nodiscard]] bool in_part(const emulator::Log::Shared& touched) const;
    void end();
    [[nodiscard]] std::size_t statement_at(std::uint32_t warp) const;
    [[nodiscard]] Warps all() const;
    [[nodiscard]] std::vector<bool> waits(std::size_t first, std::size_t last, bool inserted,
                                          int warpgroup) const;
    [[nodiscard]] const Stretch& stretch(std::size_t s) const { return score_.outline.statements[s]; }
    void fail(std::size_t s, std::string what, std::uint32_t line = 0);
    void fail(std::size_t s, const emulator::Fault& fault) { fail(s, fault.message, fault.line); }

    const Score& score_;
    const Cta& cta_;
    std::size_t end_ = score_.kernel.statements.size(); // no statement
    Tensors tensors_;
    emulator::Probe probe_;
    std::optional<Registers> registers_;
    std::optional<Cells> cells_;
    std::optional<Logical> logical_;
    std::vector<bool> fixed_; // by register: what a gap computed stays as it is
    std::optional<emulator::Probe::Allocated> allocated_;
    std::vector<Journey> journeys_; // by warp
    std::vector<std::uint32_t> freed_by_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>>
        parts_; // of shared memory, by warp: what it stored to
    std::optional<Mismatch> found_;
};

std::optional<Mismatch> Player::play() {
    const auto at = [&](std::size_t axis) { return static_cast<std::uint32_t>(cta_.index[axis]); };
    const bool function = score_.kernel.function, room = score_.space.columns <= emulator::tensor_columns / 2;
    probe_.begin({at(0), at(1), at(2)}, function ? emulator::tensor_columns : room ? spare : 0);
    registers_.emplace(score_.kernel, score_.trace, probe_);
    const auto where = image();
    if (where)
        cells_.emplace(*where);
    else
        cells_.emplace(probe_);
    logical_.emplace(score_.kernel, cta_, tensors_, *registers_, *cells_);
    if (where) logical_->place(score_.space.group_columns);
    if (function) logical_->place(given_columns(score_.kernel));
    for (std::size_t g = 0; g < score_.outline.gaps.size(); ++g) gap_registers(g);
    journeys_.assign(probe_.warps(), {});
    parts_.assign(probe_.warps(), {~std::uint64_t{0}, 0});
    gap(true);
    for (std::size_t s = 0; s < end_ && !found_; ++s) statement(s);
    end();
    return std::move(found_);
}

/// In software: the CTA's own cells.
std::optional<Image> Player::image() {
    const lower::CellImage& is = score_.trace.cells;
    if (is.bytes == 0) return std::nullopt;
    if (score_.memory == Memory::shared) {
        const auto address = probe_.shared_address(is.variable);
        emulator::GlobalMemory::Block& all = probe_.shared();
        if (!address || *address + is.bytes > all.bytes.size()) {
            fail(end_, "shared memory has no room for the cells");
            return std::nullopt;
        }
        return Image{all.bytes.data() + *address, all.written.data() + *address, *address, is.bytes, false};
    }
    if (score_.memory != Memory::global) return std::nullopt;
    const auto& grid = score_.kernel.grid;
    const std::int64_t number = cta_.index[0] + grid[0] * (cta_.index[1] + grid[1] * cta_.index[2]);
    const std::uint64_t address = tensors_.scratch() + static_cast<std::uint64_t>(number) * is.bytes;
    tensors_.memory().map(address, is.bytes);
    std::uint64_t offset = 0;
    emulator::GlobalMemory::Block* block = tensors_.memory().find(address, is.bytes, offset);
    return Image{block->bytes.data() + offset, block->written.data() + offset, address, is.bytes, true};
}

/// All that execute the text: of a function's caller, those of one warpgroup.
Warps Player::all() const {
    Warps warps(score_.kernel.function ? warps_per_warpgroup : probe_.warps());
    std::iota(warps.begin(), warps.end(),
              score_.kernel.function ? calling_warpgroup * warps_per_warpgroup : 0);
    return warps;
}

void Player::fail(std::size_t s, std::string what, std::uint32_t line) {
    if (found_) return;
    found_.emplace();
    if (s < end_) found_->statement = score_.kernel.statements[s].span;
    found_->line = line;
    found_->what = std::move(what);
}

/// The statement in front of which a warp stands; the number of statements when there is none.
std::size_t Player::statement_at(std::uint32_t warp) const {
    const std::optional<std::uint32_t> place = probe_.place(warp);
    const auto& list = score_.outline.statements;
    if (!place) return list.size();
    // Stretches ascend; of those that begin here all but the last are empty.
    const auto after = std::upper_bound(list.begin(), list.end(), *place,
                                        [](std::uint32_t at, const Stretch& s) { return at < s.first; });
    if (after == list.begin()) return list.size();
    const auto s = static_cast<std::size_t>(after - list.begin()) - 1;
    return list[s].first == *place && !list[s].empty() ? s : list.size();
}

/// Kinds of the scheduled waits of a warpgroup in front of statements [first, last): true for st.
std::vector<bool> Player::waits(std::size_t first, std::size_t last, bool inserted, int warpgroup) const {
    std::vector<bool> kinds;
    const auto& list = score_.schedule.waits;
    auto wait = std::lower_bound(list.begin(), list.end(), first,
                                 [](const order::ScheduledWait& w, std::size_t s) { return w.before < s; });
    for (; wait != list.end() && wait->before < last; ++wait)
        if (wait->inserted == inserted && (!wait->warpgroup || *wait->warpgroup == warpgroup))
            kinds.push_back(wait->kind == WaitKind::st);
    return kinds;
}

// ---- gaps
// --------------------------------------------------------------------------------------------------------

/// What a gap writes is for all that follows; fragments it may only prepare, and only before the first
/// statement.
void Player::gap_registers(std::size_t gap) {
    const Stretch& where = score_.outline.gaps[gap];
    for (const emulator::Probe::Register each : probe_.written(where.first, where.last)) {
        if (registers_->number(each)) {
            if (gap != 0)
                fail(end_, fmt::format("`{}` changes between statements", probe_.name(each)),
                     probe_.line(where.first));
            continue;
        }
        fixed_.resize(std::max<std::size_t>(fixed_.size(), each + 1), false);
        fixed_[each] = true;
    }
}

/// Runs every warp that stands in front of no statement to where it does. Behind a statement of another
/// warpgroup it only passes by; one that waits at a barrier goes on when the others have come.
void Player::gap(bool at_the_beginning) {
    for (bool first = at_the_beginning; !found_; first = false) {
        bool any = first;
        Warps moving;
        for (const std::uint32_t warp : all()) {
            const bool stopped = probe_.stopped(warp);
            if (stopped && statement_at(warp) != end_) continue;
            if (!probe_.place(warp)) continue;
            any = any || stopped;
            moving.push_back(warp);
        }
        if (!any) break;
        if (const auto fault = probe_.run(moving)) return fail(end_, *fault);
        const emulator::Log& log = probe_.log();
        if (!log.cells.empty() || !log.bytes.empty()) fail(end_, "memory changes between statements");
        freed_by_.insert(freed_by_.end(), log.freed_by.begin(), log.freed_by.end());
        for (const emulator::Log::Wait& wait : log.waits) journeys_[wait.warp].met.push_back(wait.store);
        for (const std::uint32_t warp : log.met) journeys_[warp].lanes_met = true;
    }
    for (const std::uint32_t warp : all())
        if (!probe_.place(warp) || statement_at(warp) != end_) gap_waits(warp);
    watch_allocation();
}

/// In software one barrier of the warp does for any number of waits.
bool Player::waited(const std::vector<bool>& wanted, const std::vector<bool>& met, bool lanes_met) const {
    if (in_software(score_.memory)) return wanted.empty() || lanes_met;
    return wanted == met;
}

/// The warp has come from one statement of its own to the next, and has met the waits between that are its
/// warpgroup's.
void Player::gap_waits(std::uint32_t warp) {
    Journey& journey = journeys_[warp];
    const std::size_t next = statement_at(warp);
    if (journey.over) return;
    const auto wanted = waits(journey.from, next + 1, true, static_cast<int>(warp) / warps_per_warpgroup);
    if (!waited(wanted, journey.met, journey.lanes_met))
        fail(next,
             fmt::format("warp {} does not meet the waits that stand in front of this statement", warp));
    journey.over = true;
}

void Player::watch_allocation() {
    const auto now = probe_.allocated();
    if (now.empty()) return;
    allocated_ = now.front();
    if (now.size() > 1 || now.front().columns.count != score_.space.columns)
        fail(end_, "the allocation is not the one that was planned");
    std::vector<int> columns = score_.space.group_columns;
    for (int& each : columns) each += now.front().columns.first;
    logical_->place(std::move(columns));
}

void Player::end() {
    if (found_) return;
    if (const auto fault = probe_.run(all())) return fail(end_, *fault);
    const Warps& freed = probe_.log().freed_by;
    freed_by_.insert(freed_by_.end(), freed.begin(), freed.end());
    for (const std::uint32_t warp : all())
        if (probe_.place(warp)) fail(end_, fmt::format("warp {} never comes to its end", warp));
    if (!probe_.allocated().empty()) fail(end_, "the columns are not freed");
    if (score_.memory != Memory::hardware) return;
    // Where no statement uses them, they come and go within one gap.
    const bool once = allocated_ ? freed_by_ == Warps{allocated_->warp} : freed_by_.size() == 1;
    if (!once) fail(end_, "the columns are not freed once, by the warp that allocated them");
}

// ---- statements
// --------------------------------------------------------------------------------------------------

void Player::statement(std::size_t s) {
    const sema::Statement& statement = score_.kernel.statements[s];
    if (stretch(s).empty()) {
        const auto* copy = std::get_if<sema::GlobalCopy>(&statement.what);
        const bool outside = copy != nullptr && copy->op == sema::GlobalCopy::Op::store &&
                             !rectangle(score_.kernel, cta_, *copy).any_inside();
        const bool nothing = std::holds_alternative<sema::Wait>(statement.what) &&
                             waits(s, s + 1, false, statement.warpgroup.value_or(0)).empty();
        if (!outside && !nothing) fail(s, "the text has no instruction for this statement");
        return;
    }
    Warps here;
    for (const std::uint32_t warp : all()) {
        const int warpgroup = static_cast<int>(warp) / warps_per_warpgroup;
        const bool belongs = !statement.warpgroup || *statement.warpgroup == warpgroup;
        if (belongs != (probe_.place(warp) == stretch(s).first))
            return fail(s, fmt::format("warp {} {}", warp,
                                       belongs ? "does not come to this statement"
                                               : "comes to a statement of others"));
        if (belongs) here.push_back(warp);
    }
    if (std::holds_alternative<sema::Sync>(statement.what)) {
        run(s, here, 0);
    } else {
        for (std::size_t w = 0; w < here.size(); w += warps_per_warpgroup) {
            const auto first = here.begin() + static_cast<std::ptrdiff_t>(w);
            run(s, {first, first + warps_per_warpgroup}, static_cast<int>(*first) / warps_per_warpgroup);
        }
    }
    for (const std::uint32_t warp : here) journeys_[warp] = {s + 1, false, {}, false};
    gap(false);
}

void Player::run(std::size_t s, const Warps& warps, int warpgroup) {
    if (found_) return;
    const sema::Statement& statement = score_.kernel.statements[s];
    const bool allocates = score_.memory == Memory::hardware && !score_.kernel.function;
    if (std::holds_alternative<sema::TmemCopy>(statement.what) && !allocated_ && allocates)
        return fail(s, "no columns are allocated");
    logical_->before(statement, warpgroup);
    if (const auto fault = probe_.run(warps)) return fail(s, *fault);
    const emulator::Log& log = probe_.log();
    logical_->touched(log);
    shared_parts(s);
    const std::vector<bool> wanted = waits(s, s + 1, false, warpgroup);
    for (const std::uint32_t warp : warps) {
        if (probe_.place(warp) != stretch(s).last)
            return fail(s, fmt::format("warp {} does not come behind this statement", warp));
        const bool met = std::find(log.met.begin(), log.met.end(), warp) != log.met.end();
        if (!waited(wanted, kinds_of(log.waits, warp), met))
            return fail(s, fmt::format("warp {} does not wait as the schedule says", warp));
    }
    scratch_registers(s, warps);
    if (found_) return;
    if (auto wrong = logical_->mismatch(statement, warpgroup)) {
        wrong->statement = statement.span;
        wrong->line = probe_.line(stretch(s).first);
        found_ = std::move(wrong);
    }
}

/// Registers of no fragment: what a gap computed may not change, the rest has no value behind the statement.
void Player::scratch_registers(std::size_t s, const Warps& warps) {
    for (const emulator::Probe::Register each : probe_.written(stretch(s).first, stretch(s).last)) {
        if (const auto number = registers_->number(each)) {
            registers_->touch(*number);
            continue;
        }
        if (each < fixed_.size() && fixed_[each])
            return fail(s, fmt::format("`{}` changes, which later statements need", probe_.name(each)),
                        probe_.line(stretch(s).first));
        for (const std::uint32_t warp : warps) probe_.ready(warp, each) = 0;
    }
}

/// A function's memory, divided among the warps in the same way whatever it needs: the next call may be that
/// of another.
bool Player::in_part(const emulator::Log::Shared& touched) const {
    const auto part = static_cast<std::uint64_t>(score_.trace.shared_bytes) / warps_per_warpgroup;
    const std::uint64_t first = staging_address + touched.warp % warps_per_warpgroup * part;
    return first <= touched.first && touched.last <= first + part;
}

/// No barrier orders what statements do in shared memory but those of each warp, so no two warps may meet
/// there.
void Player::shared_parts(std::size_t s) {
    for (const emulator::Log::Shared& each : probe_.log().shared) {
        if (cells_->touch_bytes(false, each.first, each.last)) continue; // tensor memory, in software
        if (score_.kernel.function && !in_part(each))
            return fail(s, fmt::format("warp {} stores outside its part of staging memory", each.warp));
        auto& [first, last] = parts_[each.warp];
        if (first <= each.first && each.last <= last) continue;
        first = std::min(first, each.first);
        last = std::max(last, each.last);
        for (std::size_t other = 0; other < parts_.size(); ++other)
            if (other != each.warp && parts_[other].first < last && first < parts_[other].second)
                return fail(s,
                            fmt::format("warps {} and {} store to the same shared memory", other, each.warp));
    }
}

} // namespace

std::optional<Mismatch> play(const Score& score) {
    const bool alike = !score.outline.reads_cta && score.kernel.index_steps.empty();
    for (const Cta& cta : ctas_to_play(score.kernel)) {
        if (alike && cta.index != std::array<std::int64_t, 3>{}) continue;
        if (auto found = Player(score, cta).play()) return found;
    }
    return std::nullopt;
}

} // namespace tmemc::verify
