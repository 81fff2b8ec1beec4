// Names for a kernel's registers and labels. A program's objects keep theirs: register 3 of fragment X is
// %X_3, the address of tensor A is %A_ptr. Objects may share a name (a declaration in a loop is a new object
// each turn), so a name that is taken gets a number: the second X has %X_2_0, %X_2_1, ... No two ranges meet,
// because the last number of a name is its index and what precedes it is the range's own; and a single
// register's number follows a `$`, as in %A_ptr$2, so that it is never one of a range. PTX's own registers
// are taken from the start: the scalar `laneid` is %laneid$2.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace tmemc::lower {

class Names {
  public:
    /// A single register, "%thread".
    [[nodiscard]] std::string single(std::string_view wanted);
    /// The prefix of numbered registers, "%X_" of %X_0, %X_1, ...
    [[nodiscard]] std::string range(std::string_view wanted);
    /// A label or variable. `$` keeps it apart from every name that a program can spell: "$allocated".
    [[nodiscard]] std::string symbol(std::string_view wanted);

  private:
    /// `wanted`, or with a number behind `joint` the first that is free.
    template <class Free>
    std::string first_free(std::string_view wanted, std::string_view joint, Free free);
    [[nodiscard]] bool in_a_range(const std::string& name) const;

    std::set<std::string> singles_, ranges_, symbols_;
    std::map<std::string, int> numbers_; // by wanted name and joint: smaller numbers are taken for good
};

} // namespace tmemc::lower
