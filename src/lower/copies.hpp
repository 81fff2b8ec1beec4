// Global copies and fills as instructions: the accesses of a copy (global_access.hpp) with pointers and
// predicates, the packing of elements that travel alone, and registers filled with a constant.
//
//     ld.global.nc.v4.b32 {%X_0, %X_1, %X_2, %X_3}, [%A_ptr+64];     four whole registers
//     ld.global.nc.u16 %part_0, [%A_ptr+2];       an element alone goes through a register of its own
//     bfi.b32 %X_0, %part_0, %X_0, 16, 16;        into bits 16 to 31
//
// A tensor that is `in` is read without coherence (.nc): nothing writes it while the kernel runs. The loads
// of a copy stand together, before any packing, so that all are under way; the stores too, behind the
// unpacking.
#pragma once

#include "lower/addresses.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::lower {

class Copies {
  public:
    /// `registers` are the names of every fragment's registers.
    Copies(KernelText& text, const sema::Kernel& kernel,
           const std::vector<std::vector<std::string>>& registers, const std::string& target);

    /// The bytes of the widest access.
    int copy(const sema::GlobalCopy& copy);
    void fill(const sema::Fill& fill);

  private:
    const std::vector<ThreadForm>& forms(const sema::Fragment& fragment, bool every_copy);
    void load(const std::string& name, const Access& access, const ptx::Address& from,
              const std::vector<std::string>& names, std::vector<ptx::Statement>& packing);
    void store(const Access& access, const ptx::Address& to, const std::vector<std::string>& names,
               std::vector<ptx::Statement>& stores);

    KernelText& text_;
    const sema::Kernel& kernel_;
    const std::vector<std::vector<std::string>>& registers_;
    int widest_; // bytes of an access
    Addresses addresses_;
    std::map<std::pair<std::size_t, bool>, std::vector<ThreadForm>> forms_; // by image and every_copy
};

} // namespace tmemc::lower
