// The tcgen05 instructions of a kernel, from the allocation to the deallocation, in the order that PTX
// ISA 9.7.16 asks for: one warp allocates and gives up its right at once, all pass a barrier, and the same
// warp frees.
#include "lower/tensor_memory_hardware.hpp"

#include "atlas/limits.hpp"
#include "atlas/shapes.hpp"

#include <fmt/format.h>

namespace tmemc::lower {
namespace {

class Hardware final : public TensorMemory {
  public:
    Hardware(KernelText& text, int columns) : text_(text), columns_(columns) {}

    bool allocate() override;
    void copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, int column,
              const std::vector<std::string>& registers) override;
    void wait(order::WaitKind kind) override;
    void sync() override;
    void release() override;

  private:
    void emit(std::string name, std::vector<ptx::Operand> operands = {},
              std::optional<ptx::Guard> guard = {}) {
        text_.body.emplace_back(instruction(std::move(name), std::move(operands), std::move(guard)));
    }
    void message(sema::TmemCopy::Op op, const match::Message& message, int column,
                 const std::vector<std::string>& registers);

    KernelText& text_;
    int columns_;
    ptx::Register allocates_;  // a predicate: this is the warp that allocates
    ptx::Register allocation_; // its address: lane 0, first column
    ptx::Register taddr_;      // the same at the warp's first lane
};

bool Hardware::allocate() {
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

void Hardware::message(sema::TmemCopy::Op op, const match::Message& message, int column,
                       const std::vector<std::string>& registers) {
    ptx::Vector vector;
    for (const int reg : message.registers)
        vector.elements.emplace_back(ptx::Register{registers.at(static_cast<std::size_t>(reg))});
    const ptx::Address address{taddr_, (std::int64_t{message.row} << 16) + column + message.column};
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

/// What the same warps send shares a branch, which is what the plan's cost counts.
void Hardware::copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, int column,
                    const std::vector<std::string>& registers) {
    for_each_by_warps(text_, messages,
                      [&](const match::Message& each) { message(op, each, column, registers); });
}

void Hardware::wait(order::WaitKind kind) {
    emit(kind == order::WaitKind::ld ? "tcgen05.wait::ld.sync.aligned" : "tcgen05.wait::st.sync.aligned");
}

void Hardware::sync() {
    if (columns_ != 0) emit("tcgen05.fence::before_thread_sync");
    emit("bar.sync", {constant(0)});
    if (columns_ != 0) emit("tcgen05.fence::after_thread_sync");
}

void Hardware::release() {
    if (columns_ == 0) return;
    text_.comment("the warp that allocated frees the columns once every warp is done with them");
    emit("bar.sync", {constant(0)});
    emit("ret", {}, ptx::Guard{allocates_.name, true});
    emit("tcgen05.dealloc.cta_group::1.sync.aligned.b32", {allocation_, constant(columns_)});
}

} // namespace

std::unique_ptr<TensorMemory> hardware_tensor_memory(KernelText& text, int columns) {
    return std::make_unique<Hardware>(text, columns);
}

} // namespace tmemc::lower
