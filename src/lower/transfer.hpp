// A thread's accesses to memory as instructions, with the packing of elements that travel alone:
//
//     ld.global.nc.v4.b32 {%X_0, %X_1, %X_2, %X_3}, [%A_ptr+64];     four whole registers
//     ld.global.nc.u16 %part_0, [%A_ptr+2];       an element alone goes through a register of its own
//     bfi.b32 %X_0, %part_0, %X_0, 16, 16;        into bits 16 to 31
//
// The name says which memory, "ld.shared". What has to wait goes into a list of the caller's, so that loads
// go out before anything waits for one, and stores stand together. Not here: addresses.
#pragma once

#include "lower/global_access.hpp"
#include "lower/kernel_text.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::lower {

/// bfi: the element's `bits` bits from `bit` on of the register.
[[nodiscard]] ptx::Instruction inserted(const ptx::Register& into, const ptx::Operand& element, int bit,
                                        int bits, const std::optional<ptx::Guard>& guard);

class Transfer {
  public:
    explicit Transfer(KernelText& text) : text_(text) {}
    void load(const std::string& name, const Access& access, const ptx::Address& from,
              const std::vector<std::string>& names, std::vector<ptx::Statement>& packing);
    void store(const std::string& name, const Access& access, const ptx::Address& to,
               const std::vector<std::string>& names, std::vector<ptx::Statement>& stores);

  private:
    KernelText& text_;
};

} // namespace tmemc::lower
