// Which threads of an access of a `masked` copy are inside the tensor. The row and the column of an element
// are a constant and what thread and CTA add (global_access.hpp), and each is compared with the tensor's
// extent. What is known while compiling needs no comparison: it narrows the set of threads.
//
//     copy X <- A[cta.x*128 +: 128, :] masked;      300 rows, one per thread
//     add.u32 %part_1, %part_0, %thread;            the row, in the front
//     setp.lt.s32 %inside, %part_1, 300;            in the front: most accesses share it
//
// Comparisons of columns stand in the body, where they are used, because they differ from access to access.
// A number below zero is as unsigned beyond every extent. Not here: the widths, which are chosen such that no
// edge cuts an access (global_access.hpp).
#pragma once

#include "lower/front_numbers.hpp"
#include "lower/global_access.hpp"

#include <map>
#include <optional>
#include <string>
#include <tuple>

namespace tmemc::lower {

class Masks {
  public:
    Masks(KernelText& text, const sema::Kernel& kernel, FrontNumbers& numbers)
        : text_(text), kernel_(kernel), numbers_(numbers) {}
    /// The threads of the access that may be inside the tensor in some CTA; without a mask, its threads.
    [[nodiscard]] ThreadSet threads(const sema::GlobalCopy& copy, const AccessGroup& group,
                                    const Access& access) const;
    /// True in those that are; nothing for all threads of a warpgroup. What it needs is put in the front, and
    /// in the body.
    [[nodiscard]] std::optional<ptx::Guard> inside(const sema::GlobalCopy& copy, const AccessGroup& group,
                                                   const Access& access);

  private:
    /// One dimension of an access.
    struct Line {
        std::uint32_t step = 0;    // that the CTA adds
        ThreadSteps steps{};       // that the thread adds
        std::int64_t constant = 0; // of a row or column
        std::int64_t extent = 0;
        std::optional<std::size_t> extent_from;
        [[nodiscard]] bool is_static() const { return step == 0 && !extent_from; }
        bool operator<(const Line& other) const {
            return std::tie(step, steps, constant, extent, extent_from) <
                   std::tie(other.step, other.steps, other.constant, other.extent, other.extent_from);
        }
    };
    struct Lines {
        Line row, col;
    };
    [[nodiscard]] Lines lines(const sema::GlobalCopy& copy, const AccessGroup& group,
                              const Access& access) const;
    [[nodiscard]] static ThreadSet narrowed(const ThreadSet& threads, const Line& line);
    [[nodiscard]] bool never_negative(const Line& line) const;
    /// Whether what CTA and thread add, without the constant, can be compared as a signed number.
    [[nodiscard]] bool moves_below_2_31(const Line& line) const;
    ptx::Guard compare(const Line& line, const std::optional<ptx::Guard>& also,
                       std::vector<ptx::Statement>& into, const ptx::Register& result);

    KernelText& text_;
    const sema::Kernel& kernel_;
    FrontNumbers& numbers_;
    std::map<std::pair<std::string, Line>, ptx::Guard> rows_; // by the set of threads
};

} // namespace tmemc::lower
