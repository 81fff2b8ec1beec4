// Pointers into the kernel's tensors. Thread t of a copy reaches base + f(t) + constant, where f adds so many
// bytes for each set bit of t: t * pitch for a row-per-thread copy; the fields t1t0, t4t3t2 and t6t5 of the
// number have a factor each for a 16x256b one (front_numbers.hpp). Cost: one mul.wide.u32 and one add.s64,
// which ptxas fuses (mad.wide is four instructions dearer), and for more fields an and, shift or bfe and a
// mad each. The constant goes into the instruction, whose field has 24 bits and a sign; what is beyond
// becomes a pointer of its own. Pointers are kept: copies that differ in the constant alone share theirs.
//
// What depends on the CTA is added to the tensor's pointer first, the same for all its threads: for
// A[cta.x*128 +: 128, :] of 1024 bytes a row that is %ctaid.x * 131072. Where a parameter gives the pitch, a
// row's number is computed and multiplied by it, so rows that differ by a constant have pointers of their
// own.
#pragma once

#include "lower/front_numbers.hpp"
#include "lower/global_access.hpp"

#include <cstdint>
#include <map>
#include <tuple>

namespace tmemc::lower {

class Addresses {
  public:
    Addresses(KernelText& text, const sema::Kernel& kernel, FrontNumbers& numbers)
        : text_(text), kernel_(kernel), numbers_(numbers) {}
    /// Where an access of a group of a copy of `region` goes. What it needs is put in the front.
    [[nodiscard]] ptx::Address at(const sema::Region& region, const AccessGroup& group, const Access& access);

  private:
    /// The part of an address that is the same for all threads of a CTA.
    struct Origin {
        std::size_t parameter = 0;
        std::uint32_t row_step = 0, col_step = 0;
        bool operator<(const Origin& other) const {
            return std::tie(parameter, row_step, col_step) <
                   std::tie(other.parameter, other.row_step, other.col_step);
        }
    };
    struct Based {
        ptx::Register pointer;
        std::int64_t offset = 0; // bytes that are still to be added
    };
    void emit(std::string name, std::vector<ptx::Operand> operands) {
        text_.front.emplace_back(instruction(std::move(name), std::move(operands)));
    }
    [[nodiscard]] const sema::Tensor& tensor(std::size_t parameter) const;
    ptx::Register advanced(std::size_t parameter, const ptx::Register& pointer, ptx::Operand by);
    const ptx::Register& parameter_base(std::size_t parameter);
    const Based& origin(const Origin& origin);
    void add_step(std::size_t parameter, std::uint32_t step, std::int64_t bytes, Based& to);
    ptx::Register times(const ptx::Register& number, std::int64_t bytes, bool negative);
    ptx::Register row_offset(const sema::Region& region, const AccessGroup& group, const Access& access);
    ptx::Register thread_offset(const ThreadSteps& steps);
    ptx::Register wide_sum(const std::vector<Field>& list);

    KernelText& text_;
    const sema::Kernel& kernel_;
    FrontNumbers& numbers_;
    std::map<Origin, Based> origins_;
    std::map<ThreadSteps, ptx::Register> offsets_;
    // Where a parameter gives the pitch, a pointer has its row in it: what the CTA, the thread and a constant
    // add.
    using Rows = std::tuple<std::uint32_t, ThreadSteps, int>;
    std::map<std::tuple<Origin, ThreadSteps, std::int64_t, Rows>, ptx::Register> pointers_;
};

} // namespace tmemc::lower
