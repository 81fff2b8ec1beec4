// A kernel's PTX while it grows, in three parts that end up one after the other: declarations; the front,
// which every thread runs first and which holds what depends on the thread number alone (pointers,
// predicates), each made when it is first asked for; and the body, the program's statements in order. Because
// the front comes before every branch, what it makes may be used anywhere.
//
// A function's parameters are all loaded ahead of its front, in a prologue, so that a text without it works
// on registers that somebody else fills. Any warpgroup may call it: its thread number is that in the CTA,
// modulo 128.
#pragma once

#include "lower/names.hpp"
#include "lower/thread_form.hpp"
#include "ptx/module.hpp"
#include "ptx/targets.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmemc::lower {

/// A name in text form and its operands: instruction("add.s64", {d, a, b}).
[[nodiscard]] ptx::Instruction instruction(std::string name, std::vector<ptx::Operand> operands,
                                           std::optional<ptx::Guard> guard = {});
[[nodiscard]] ptx::Immediate constant(std::int64_t value);

class KernelText {
  public:
    explicit KernelText(int warpgroups, const std::string& target, bool function = false);

    Names names;
    std::vector<ptx::Statement> declarations, front, body;

    /// A register of its own: declare("b32", "thread") is %thread.
    ptx::Register declare(std::string_view type, std::string_view wanted);
    /// Numbered registers; the prefix.
    std::string declare_range(std::string_view type, std::string_view wanted, std::uint32_t count);
    /// A register for a value between two instructions: "b32", "b16", "b64" or "pred".
    ptx::Register scratch(const std::string& type = "b32");
    /// A register that holds these bits everywhere.
    ptx::Register holding(std::uint32_t bits);

    /// The register that holds a parameter, loaded by `load` when it is first asked for.
    const ptx::Register& parameter(std::size_t index, const std::string& load, std::string_view type,
                                   std::string_view wanted, const std::string& name);

    /// The thread's number in the CTA and in its warpgroup, one register when a kernel has one warpgroup.
    const ptx::Register& cta_thread();
    const ptx::Register& thread();
    /// True in these threads of a warpgroup; nothing for all of them.
    std::optional<ptx::Guard> predicate(const ThreadSet& threads);
    /// True in this warpgroup; nothing where there is only one.
    std::optional<ptx::Guard> predicate(int warpgroup);
    /// The register holds zero unless the program writes it: for those that are written a part at a time.
    void zero_first(const std::string& name);

    /// Whether the target has an instruction, by its full name.
    [[nodiscard]] bool has(const std::string& instruction);

    void comment(std::string text) { body.emplace_back(ptx::Comment{std::move(text)}); }
    /// The declarations of scratch registers join the others. The parts, a blank line between them; `origin`
    /// is where declarations and front come from.
    [[nodiscard]] std::vector<ptx::Statement> finish(const ptx::Location& origin);
    /// Where the body begins in what finish() gives.
    [[nodiscard]] std::size_t body_begin() const { return body_begin_; }
    /// Where the loads of a function's parameters stand in it.
    [[nodiscard]] std::pair<std::size_t, std::size_t> prologue() const { return prologue_; }
    /// By parameter: the register that holds it, and the register's type.
    struct Held {
        ptx::Register reg;
        std::string type;
    };
    [[nodiscard]] const std::map<std::size_t, Held>& parameters() const { return parameters_; }

  private:
    ptx::Register make_predicate(const ThreadSet& threads);

    [[nodiscard]] bool alone() const { return warpgroups_ == 1 && !function_; } // warpgroup of its CTA

    int warpgroups_;
    bool function_;
    const ptx::TargetRow& target_;
    std::map<std::string, bool> known_; // instructions
    std::vector<ptx::Statement> loads_; // of a function's parameters
    std::map<std::size_t, Held> parameters_;
    std::pair<std::size_t, std::size_t> prologue_;
    std::optional<ptx::Register> cta_thread_, thread_, warpgroup_;
    std::map<std::string, ptx::Register> predicates_; // by the set, written as zeros and ones
    std::map<int, ptx::Register> warpgroup_predicates_;
    std::map<std::string, bool> zeroed_;
    std::map<std::string, std::pair<std::string, std::uint32_t>> scratches_; // by type: prefix and count
    std::map<std::uint32_t, ptx::Register> held_;
    std::size_t body_begin_ = 0;
};

} // namespace tmemc::lower
