// The probe's copy of the code: a stop replaces an instruction until a warp that stands there goes on, and a
// global store passes by the log.
#include "emulator/probe.hpp"

#include "base/invariant.hpp"
#include "emulator/cta.hpp"
#include "emulator/schedule.hpp"

#include <algorithm>
#include <cstring>
#include <unordered_map>

namespace tmemc::emulator {

namespace {

constexpr Probe::Register no_register = 0xffffffff;

/// Writes the log. The first observer of a probe's CTA.
class Recorder final : public Observer {
  public:
    explicit Recorder(const Kernel& original) : original_(original) {}
    Log log;

    void accessed(Warp& warp, const Instruction&, TensorOperation what, const Footprint& where) override {
        for (const Rectangle& half : where.rectangles())
            log.cells.push_back({warp.index, what == TensorOperation::store, half});
    }
    void waited(Warp& warp, const Instruction&, TensorOperation what) override {
        log.waits.push_back({warp.index, what == TensorOperation::store});
    }
    void touched(Warp& warp, const Instruction&, const MemoryAccess& access) override {
        if (access.space != Space::shared || access.access == Access::load || access.lanes == 0) return;
        Log::Shared where{warp.index, ~std::uint64_t{0}, 0};
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            if ((access.lanes >> lane & 1) == 0) continue;
            where.first = std::min(where.first, access.addresses[lane]);
            where.last = std::max(where.last, access.addresses[lane] + access.bytes);
        }
        log.shared.push_back(where);
    }
    void freeing(Warp& warp, const Instruction&, const Columns&) override {
        log.freed_by.push_back(warp.index);
    }
    void lanes_met(Warp& warp, std::uint32_t lanes) override {
        if (lanes == all_lanes) log.met.push_back(warp.index);
    }
    void store(Warp& warp, const Instruction& i, Mask mask) {
        original_.code[warp.number(i)].operation(warp, i, mask);
        if (warp.stop == Stop::fault) return;
        for (std::uint32_t lane = 0; lane < warp_size; ++lane) {
            if ((mask >> lane & 1) == 0) continue;
            log.bytes.push_back({address(warp, i, lane), i.detail});
        }
    }

  private:
    static std::uint64_t address(const Warp& warp, const Instruction& i, std::uint32_t lane) {
        const auto* row = reinterpret_cast<const std::byte*>(warp.registers + i.in[0]);
        std::uint64_t base = 0;
        std::memcpy(&base, row + lane * sizeof base, sizeof base);
        return base + static_cast<std::uint64_t>(i.immediate);
    }
    const Kernel& original_;
};

void record_store(Warp& warp, const Instruction& i, Mask mask) {
    static_cast<Recorder&>(*warp.cta->observers.front()).store(warp, i, mask);
}

void halt(Warp& warp, const Instruction& i, Mask) {
    warp.pc = warp.number(i);
    warp.stop = Stop::halted;
}

const Kernel& kernel_named(const Executable& executable, const std::string& name) {
    const auto found = std::find_if(executable.kernels.begin(), executable.kernels.end(),
                                    [&](const Kernel& each) { return each.signature.name == name; });
    base::invariant(found != executable.kernels.end(), "a probe of a kernel that is not there");
    return *found;
}

} // namespace

struct Probe::State {
    std::shared_ptr<const Executable> executable;
    Launch launch;
    GlobalMemory& memory;
    const Kernel& original;
    Kernel copy = original;
    Run run{};
    std::optional<Cta> cta;
    std::vector<Register> of_slot; // by slot
    std::unordered_map<std::string, Register> by_name;

    [[nodiscard]] Recorder& recorder() const { return static_cast<Recorder&>(*cta->observers.front()); }
    void stop(std::uint32_t instruction) {
        copy.code[instruction] = {};
        copy.code[instruction].operation = halt;
        copy.code[instruction].collective = true;
    }
    void resume(std::uint32_t instruction) {
        copy.code[instruction] = original.code[instruction];
        const Instruction& is = copy.code[instruction];
        if (is.vector_role == VectorRole::source && is.detail != 0 && !is.collective)
            copy.code[instruction].operation = record_store;
    }
};

Probe::Probe(const std::shared_ptr<const Executable>& executable, Launch launch, GlobalMemory& memory,
             const Limits& limits) {
    const Kernel& original = kernel_named(*executable, launch.kernel);
    state_ = std::make_unique<State>(State{executable, std::move(launch), memory, original});
    State& s = *state_;
    s.of_slot.assign(original.slots, no_register);
    for (std::size_t i = 0; i < original.names.size(); ++i) {
        s.of_slot[original.names[i].slot] = static_cast<Register>(i);
        s.by_name.emplace(original.names[i].name, static_cast<Register>(i));
    }
    for (std::uint32_t i = 0; i < s.copy.code.size(); ++i) s.resume(i);
    s.run = Run{.executable = s.executable.get(),
                .kernel = &s.copy,
                .launch = &s.launch,
                .limits = limits,
                .global = &memory};
}

Probe::~Probe() = default;

std::uint32_t Probe::instructions() const {
    return static_cast<std::uint32_t>(state_->original.statement.size());
}

std::uint32_t Probe::line(std::uint32_t instruction) const {
    return state_->executable->lines[state_->original.function][state_->original.statement[instruction]];
}

std::vector<Probe::Register> Probe::written(std::uint32_t first, std::uint32_t last) const {
    std::vector<Register> list;
    const auto add = [&](Slot slot) {
        if (state_->of_slot[slot] != no_register) list.push_back(state_->of_slot[slot]);
    };
    for (std::uint32_t n = first; n < last; ++n) {
        const Instruction& i = state_->original.code[n];
        add(i.out);
        if (i.vector_role != VectorRole::destination) continue;
        for (std::uint32_t k = 0; k < i.vector_count; ++k) add(state_->original.vectors[i.vector + k]);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

void Probe::stop_at(const std::vector<std::uint32_t>& instructions) {
    for (const std::uint32_t each : instructions) state_->stop(each);
}

void Probe::begin(Dimensions cta, int occupied) {
    State& s = *state_;
    s.cta.reset();
    s.cta.emplace();
    prepare_cta(*s.cta, s.run);
    s.cta->observers.push_back(std::make_unique<Recorder>(s.original));
    begin_cta(*s.cta, cta);
    if (occupied > 0) base::invariant(s.cta->tensor.allocate(occupied) == 0, "a probe's columns are taken");
}

std::optional<Fault> Probe::run(const std::vector<std::uint32_t>& warps) {
    Cta& cta = *state_->cta;
    state_->recorder().log = {};
    std::vector<std::uint32_t> left; // stops
    for (const std::uint32_t w : warps) {
        Warp& warp = cta.warps[w];
        if (warp.stop != Stop::halted) continue;
        left.push_back(warp.pc);
        state_->resume(warp.pc);
        warp.stop = Stop::none;
    }
    for (bool progress = true; progress;) {
        progress = false;
        for (const std::uint32_t w : warps) {
            if (!can_run(cta.warps[w])) continue;
            progress = true;
            if (!turn(cta.warps[w])) return cta.fault;
        }
    }
    for (const std::uint32_t w : warps) {
        Warp& warp = cta.warps[w];
        while (!warp.loads.empty()) deliver_load(warp, 0);
        land_stores(warp);
    }
    for (const std::uint32_t each : left) state_->stop(each);
    return cta.fault;
}

const Log& Probe::log() const { return state_->recorder().log; }
std::uint32_t Probe::warps() const { return static_cast<std::uint32_t>(state_->cta->warps.size()); }

std::optional<std::uint32_t> Probe::place(std::uint32_t warp) const {
    const Warp& each = state_->cta->warps[warp];
    if (each.live == 0) return std::nullopt;
    return each.pc;
}

bool Probe::stopped(std::uint32_t warp) const { return state_->cta->warps[warp].stop == Stop::halted; }

std::vector<Probe::Allocated> Probe::allocated() const {
    std::vector<Allocated> list;
    for (const Allocation& each : state_->cta->allocations) list.push_back({each.columns, each.warp->index});
    return list;
}

std::optional<Probe::Register> Probe::find(const std::string& name) const {
    const auto found = state_->by_name.find(name);
    if (found == state_->by_name.end()) return std::nullopt;
    return found->second;
}

const std::string& Probe::name(Register which) const { return state_->original.names[which].name; }

std::span<std::uint32_t, 32> Probe::word(std::uint32_t warp, Register which) {
    return state_->cta->warps[warp].registers[state_->original.names[which].slot].word;
}

std::uint32_t& Probe::ready(std::uint32_t warp, Register which) {
    return state_->cta->warps[warp].ready[state_->original.names[which].slot];
}

TensorMemory& Probe::tensor() { return state_->cta->tensor; }
GlobalMemory::Block& Probe::shared() { return state_->cta->shared; }

std::optional<std::uint64_t> Probe::shared_address(const std::string& variable) const {
    const auto found = state_->original.shared.find(variable);
    if (found == state_->original.shared.end()) return std::nullopt;
    return found->second;
}

} // namespace tmemc::emulator
