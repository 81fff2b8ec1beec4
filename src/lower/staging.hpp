// The shared memory of a kernel's staged copies: one variable, a part of it for each warp, which all copies
// of the warp use in turn. An address is the warp's part plus what the bits of the thread number contribute,
// joined by exclusive or, and so is the constant of an access. Of the constant only what meets bits of the
// thread is joined in a register; the rest goes into the instruction:
//
//     rows of 256 bytes, a thread each: the thread gives 0x110, 0x220, 0x440, 0x800, 0x1000
//     chunk 9: 0x090 meets the thread's bits in 0x010     xor.b32 %place$2, %place, 16;  [%place$2+128]
//
// So a row of 16 chunks takes 8 registers, which later copies share. A function has no variable: the address
// of its memory, for the one warpgroup that calls it, is its last parameter; the parts of its warps are those
// of all functions of the program, so that one's call may follow another's. Not here: which accesses
// (staged_plan.hpp).
#pragma once

#include "lower/front_numbers.hpp"
#include "lower/staged_plan.hpp"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::lower {

inline constexpr int part_alignment = 128; // bytes: what is joined is mostly less

class Staging {
  public:
    Staging(KernelText& text, const sema::Kernel& kernel, FrontNumbers& numbers)
        : text_(text), kernel_(kernel), numbers_of_(numbers) {}
    /// Each warp's part has as many bytes at least. Before the first address.
    void reserve(int bytes);
    /// Of the CTA's shared memory, what is reserved, and so many bytes that are not to be taken.
    [[nodiscard]] int bytes() const { return bytes_ * warps * kernel_.warpgroups; }
    void share_with(int others) { others_ = others; }
    /// What it needs is put in the front.
    [[nodiscard]] ptx::Address at(const StagedBits& bits, std::uint32_t constant);
    /// Bytes for one warpgroup.
    [[nodiscard]] int bytes_of_warpgroup() const { return bytes_ * warps; }
    /// Names for what is on its way: register i and those a multiple of atlas::staged_registers further on
    /// are one.
    [[nodiscard]] const std::vector<std::string>& registers();

  private:
    void emit(std::string name, std::vector<ptx::Operand> operands) {
        text_.front.emplace_back(instruction(std::move(name), std::move(operands)));
    }
    const ptx::Register& part_of_warp();
    ptx::Register whole();
    const std::optional<ptx::Register>& number(const StagedBits& bits);
    const ptx::Register& place(const StagedBits& bits, std::uint32_t joined);

    KernelText& text_;
    const sema::Kernel& kernel_;
    FrontNumbers& numbers_of_;
    int bytes_ = 0, others_ = 0;
    std::optional<ptx::Register> part_;
    std::map<std::vector<std::uint32_t>, std::optional<ptx::Register>> numbers_; // by the bits
    std::map<std::pair<std::vector<std::uint32_t>, std::uint32_t>, ptx::Register> places_;
    std::vector<std::string> registers_;
};

} // namespace tmemc::lower
