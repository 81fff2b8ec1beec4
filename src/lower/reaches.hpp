// Where the accesses of global copies go and who does them: pointers and masks, over the same numbers of the
// front.
#pragma once

#include "lower/addresses.hpp"
#include "lower/masks.hpp"
#include "lower/transfer.hpp"

namespace tmemc::lower {

class Reaches {
  public:
    Reaches(KernelText& text, const sema::Kernel& kernel, FrontNumbers& numbers)
        : addresses_(text, kernel, numbers), masks_(text, kernel, numbers) {}

    /// What it needs is put in the front, and in the body where it stands.
    [[nodiscard]] Reach of(const sema::GlobalCopy& copy, const AccessGroup& group, const Access& access) {
        Reach made;
        made.masked = copy.rows_leave || copy.cols_leave;
        if (masks_.threads(copy, group, access).none()) return made;
        made.place = addresses_.at(copy.tensor, group, access);
        made.guard = masks_.inside(copy, group, access);
        return made;
    }

  private:
    Addresses addresses_;
    Masks masks_;
};

} // namespace tmemc::lower
