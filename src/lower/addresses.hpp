// Pointers into the kernel's tensors. Thread t of a copy reaches base + f(t) + constant, where f adds so many
// bytes for each set bit of t. Adjacent bits whose steps double are one field of the number, so f of a
// row-per-thread copy is t * pitch, and f of a 16x256b one has the fields t1t0, t4t3t2 and t6t5. Cost: one
// mul.wide.u32 and one add.s64, which ptxas fuses (mad.wide is four instructions dearer), and for more fields
// than one an and, shift or bfe and a mad each. The constant goes into the instruction, whose field has 24
// bits and a sign; what is beyond becomes a pointer of its own. Pointers are kept: copies that differ in the
// constant alone share theirs.
#pragma once

#include "lower/global_access.hpp"
#include "lower/kernel_text.hpp"
#include "sema/program.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace tmemc::lower {

using ByteSteps = std::array<std::int64_t, thread_bits>;

/// Adjacent bits of the thread number, `step` bytes for each 1 in their number.
struct Field {
    std::size_t shift = 0, width = 1;
    std::int64_t step = 0;
    bool operator==(const Field&) const = default;
};
[[nodiscard]] std::vector<Field> fields(const ByteSteps& steps);

class Addresses {
  public:
    Addresses(KernelText& text, const sema::Kernel& kernel) : text_(text), kernel_(kernel) {}
    /// Where an access at `offset` of a group with these steps goes. What it needs is put in the front.
    [[nodiscard]] ptx::Address at(std::size_t parameter, const ByteSteps& steps, std::int64_t offset);
    /// The field's number, in a register of the front.
    ptx::Register field_value(const Field& field);

  private:
    void emit(std::string name, std::vector<ptx::Operand> operands) {
        text_.front.emplace_back(instruction(std::move(name), std::move(operands)));
    }
    const ptx::Register& base(std::size_t parameter);
    ptx::Register thread_offset(const ByteSteps& steps);
    ptx::Register narrow_sum(const std::vector<Field>& list, std::int64_t unit, bool negative);
    ptx::Register wide_sum(const std::vector<Field>& list);

    KernelText& text_;
    const sema::Kernel& kernel_;
    std::map<std::size_t, ptx::Register> bases_;
    std::map<std::pair<std::size_t, std::size_t>, ptx::Register> field_values_; // by shift and width
    std::map<ByteSteps, ptx::Register> offsets_;
    std::map<std::tuple<std::size_t, ByteSteps, std::int64_t>, ptx::Register> pointers_;
};

} // namespace tmemc::lower
