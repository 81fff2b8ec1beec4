// The tcgen05 instructions of a kernel, from the allocation to the deallocation, in the order that PTX
// ISA 9.7.16 asks for: one warp allocates and gives up its right at once, all pass a barrier, and the same
// warp frees.
#include "lower/tensor_memory_hardware.hpp"

#include "atlas/limits.hpp"
#include "atlas/shapes.hpp"
#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace tmemc::lower {
namespace {

/// Messages and waits, wherever the address comes from.
class Hardware : public TensorMemory {
  public:
    explicit Hardware(KernelText& text) : text_(text) {}
    void copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, const Place& place,
              const std::vector<std::string>& registers, const std::optional<Fold>& fold) override;
    void wait(order::WaitKind kind) override;

  protected:
    void emit(std::string name, std::vector<ptx::Operand> operands = {},
              std::optional<ptx::Guard> guard = {}) {
        text_.body.emplace_back(instruction(std::move(name), std::move(operands), std::move(guard)));
    }
    /// The address of a group's allocation, or its own, at the warp's first lane.
    [[nodiscard]] virtual const ptx::Register& taddr(std::size_t group) = 0;

    KernelText& text_;

  private:
    void message(sema::TmemCopy::Op op, const match::Message& message, const Place& place,
                 const std::vector<std::string>& registers);
    void fold(const Fold& fold, std::size_t message);
};

/// A kernel's allocation.
class Allocated final : public Hardware {
  public:
    Allocated(KernelText& text, int columns) : Hardware(text), columns_(columns) {}
    bool allocate() override;
    void sync() override;
    void release() override;

  private:
    const ptx::Register& taddr(std::size_t) override { return taddr_; }

    int columns_;
    ptx::Register allocates_;  // a predicate: this is the warp that allocates
    ptx::Register allocation_; // its address: lane 0, first column
    ptx::Register taddr_;      // the same at the warp's first lane
};

/// The parameters of a function, which one warpgroup calls.
class Given final : public Hardware {
  public:
    Given(KernelText& text, const sema::Kernel& kernel) : Hardware(text), kernel_(kernel) {}
    bool allocate() override { return false; }
    void sync() override { throw base::InternalError("a barrier of the CTA in a function"); }
    void release() override {}

  private:
    const ptx::Register& taddr(std::size_t group) override;

    const sema::Kernel& kernel_;
    std::optional<ptx::Register> lane_;
    std::map<std::size_t, ptx::Register> addresses_; // by group
};

bool Allocated::allocate() {
    if (columns_ == 0) return false;
    const ptx::Register thread = text_.cta_thread();
    const std::string variable = text_.names.symbol("allocation");
    text_.declarations.emplace_back(ptx::Variable{"shared", 4, "b32", variable, {}});
    allocates_ = text_.declare("pred", "allocates");
    allocation_ = text_.declare("b32", "allocation");
    taddr_ = text_.declare("b32", "taddr");
    const ptx::Register slot = text_.declare("b32", "slot"), lane = text_.declare("b32", "lane");
    const ptx::Address at_slot{slot, 0};
    // In a register before the branch, the variable's address is made once (two instructions of SASS fewer).
    text_.front.emplace_back(instruction("mov.u32", {slot, ptx::Symbol{variable}}));
    text_.front.emplace_back(
        instruction("setp.lt.u32", {allocates_, thread, constant(atlas::lanes_per_warp)}));

    const std::string allocated = text_.names.symbol("allocated");
    text_.comment(fmt::format(
        "warp 0 allocates {} columns of tensor memory; shared memory hands their address round", columns_));
    emit("bra", {ptx::Symbol{allocated}}, ptx::Guard{allocates_.name, true});
    emit("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32", {at_slot, constant(columns_)});
    emit("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned");
    text_.body.emplace_back(ptx::Label{allocated});
    emit("bar.sync", {constant(0)});
    emit("ld.shared.b32", {allocation_, at_slot});
    emit("and.b32", {lane, thread, constant(atlas::warpgroup_threads - atlas::lanes_per_warp)});
    emit("shl.b32", {lane, lane, constant(16)});
    emit("add.u32", {taddr_, allocation_, lane});
    text_.body.emplace_back(ptx::BlankLine{});
    return true;
}

const ptx::Register& Given::taddr(std::size_t group) {
    const auto known = addresses_.find(group);
    if (known != addresses_.end()) return known->second;
    const auto emit_front = [&](std::string name, std::vector<ptx::Operand> operands) {
        text_.front.emplace_back(instruction(std::move(name), std::move(operands)));
    };
    if (!lane_) {
        const ptx::Register thread = text_.cta_thread();
        lane_ = text_.declare("b32", "lane");
        emit_front("and.b32", {*lane_, thread, constant(atlas::warpgroup_threads - atlas::lanes_per_warp)});
        emit_front("shl.b32", {*lane_, *lane_, constant(16)});
    }
    const auto is_it = [&](const sema::Parameter& each) {
        const auto* tmem = std::get_if<sema::TmemParameter>(&each);
        return tmem != nullptr && kernel_.buffers[tmem->buffer].group == group;
    };
    const auto parameter = std::find_if(kernel_.parameters.begin(), kernel_.parameters.end(), is_it);
    const std::string& name = std::get<sema::TmemParameter>(*parameter).name;
    const ptx::Register given =
        text_.parameter(static_cast<std::size_t>(parameter - kernel_.parameters.begin()), "ld.param.b32",
                        "b32", name + "_address", name);
    const ptx::Register made = text_.declare("b32", name + "_taddr");
    emit_front("add.u32", {made, given, *lane_});
    return addresses_.emplace(group, made).first->second;
}

void Hardware::message(sema::TmemCopy::Op op, const match::Message& message, const Place& place,
                       const std::vector<std::string>& registers) {
    ptx::Vector vector;
    for (const int reg : message.registers)
        vector.elements.emplace_back(ptx::Register{registers.at(static_cast<std::size_t>(reg))});
    const ptx::Address address{taddr(place.group),
                               (std::int64_t{message.row} << 16) + place.column + message.column};
    std::vector<ptx::Operand> operands{address};
    if (message.half_split) operands.emplace_back(constant(*message.half_split));
    if (op == sema::TmemCopy::Op::st)
        operands.emplace_back(std::move(vector));
    else
        operands.insert(operands.begin(), std::move(vector));
    emit(fmt::format("tcgen05.{}.sync.aligned.{}.b32", op == sema::TmemCopy::Op::ld ? "ld" : "st",
                     match::name_of(message, op)),
         std::move(operands));
}

/// Makes the load that was written last fold its registers too.
void Hardware::fold(const Fold& fold, std::size_t message) {
    auto& load = std::get<ptx::Instruction>(text_.body.back());
    load.name.replace(load.name.find(".ld."), 4, ".ld.red.");
    load.name.replace(load.name.rfind("b32"), 3, fold.name);
    load.operands.insert(load.operands.begin() + 1, ptx::Register{fold.registers.at(message)});
}

/// What the same warps send shares a branch, which is what the plan's cost counts.
void Hardware::copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, const Place& place,
                    const std::vector<std::string>& registers, const std::optional<Fold>& fold) {
    for_each_by_warps(text_, messages, [&](std::size_t m) {
        message(op, messages[m], place, registers);
        if (fold) this->fold(*fold, m);
    });
}

void Hardware::wait(order::WaitKind kind) {
    emit(kind == order::WaitKind::ld ? "tcgen05.wait::ld.sync.aligned" : "tcgen05.wait::st.sync.aligned");
}

void Allocated::sync() {
    if (columns_ != 0) emit("tcgen05.fence::before_thread_sync");
    emit("bar.sync", {constant(0)});
    if (columns_ != 0) emit("tcgen05.fence::after_thread_sync");
}

void Allocated::release() {
    if (columns_ == 0) return;
    text_.comment("the warp that allocated frees the columns once every warp is done with them");
    emit("bar.sync", {constant(0)});
    emit("ret", {}, ptx::Guard{allocates_.name, true});
    emit("tcgen05.dealloc.cta_group::1.sync.aligned.b32", {allocation_, constant(columns_)});
}

} // namespace

std::unique_ptr<TensorMemory> hardware_tensor_memory(KernelText& text, int columns) {
    return std::make_unique<Allocated>(text, columns);
}

std::unique_ptr<TensorMemory> given_tensor_memory(KernelText& text, const sema::Kernel& kernel) {
    return std::make_unique<Given>(text, kernel);
}

} // namespace tmemc::lower
