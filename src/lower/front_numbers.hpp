// 32-bit numbers of the front, each made once: fields of the thread number and their sums, the steps that
// depend on the CTA, the kernel's u32 parameters. Adjacent bits of the thread number whose steps double are
// one field, so the row of a 16x256b fragment, 8*t6t5... + t4t3t2, has two:
//
//     bfe.u32 %part_0, %thread, 2, 3;          mov.u32 %cta_x, %ctaid.x;
//     shr.u32 %part_1, %thread, 5;             mul.lo.s32 %part_3, %cta_x, 128;
//     mad.lo.u32 %part_2, %part_1, 16, %part_0;
//
// Not here: addresses (addresses.hpp), comparisons (masks.hpp).
#pragma once

#include "lower/kernel_text.hpp"
#include "sema/program.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tmemc::lower {

/// What every bit of the thread number adds: bytes, rows or columns.
using ThreadSteps = std::array<std::int64_t, thread_bits>;

/// Adjacent bits of the thread number, `step` for each 1 in their number.
struct Field {
    std::size_t shift = 0, width = 1;
    std::int64_t step = 0;
    bool operator==(const Field&) const = default;
};
[[nodiscard]] std::vector<Field> fields(const ThreadSteps& steps);

class FrontNumbers {
  public:
    FrontNumbers(KernelText& text, const sema::Kernel& kernel) : text_(text), kernel_(kernel) {}

    [[nodiscard]] ptx::Register field(const Field& field);
    /// The sum of field * step / unit; there is one.
    [[nodiscard]] ptx::Register of_thread(const ThreadSteps& steps, std::int64_t unit);
    /// A step of Kernel::index_steps.
    [[nodiscard]] ptx::Register of_cta(std::uint32_t step);
    /// Both together; nothing when there is neither.
    [[nodiscard]] std::optional<ptx::Register> position(std::uint32_t step, const ThreadSteps& steps);
    /// A u32 parameter.
    [[nodiscard]] ptx::Register parameter(std::size_t parameter);

  private:
    void emit(std::string name, std::vector<ptx::Operand> operands) {
        text_.front.emplace_back(instruction(std::move(name), std::move(operands)));
    }
    ptx::Register make(const sema::IndexStep& step);
    ptx::Operand operand(std::uint32_t step);

    KernelText& text_;
    const sema::Kernel& kernel_;
    std::map<std::pair<std::size_t, std::size_t>, ptx::Register> fields_; // by shift and width
    std::map<std::uint32_t, ptx::Register> steps_;
    std::map<std::pair<std::uint32_t, ThreadSteps>, ptx::Register> positions_;
};

} // namespace tmemc::lower
