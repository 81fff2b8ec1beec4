// Text to decoded form, one kernel at a time. Decoding hands out slots: for a register at its first use, for
// each distinct constant and special register; it lays out shared variables and knows the labels. The
// decoders of the opcode rows ask it for operands; whatever does not fit is reported once per instruction,
// with the reason. Not here: what the instructions do (operations_*.cpp).
#pragma once

#include "base/diagnostics.hpp"
#include "emulator/instruction.hpp"
#include "emulator/opcodes.hpp"
#include "ptx/read.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmemc::emulator {

/// As machine.hpp's load(), with the arithmetic of the given level.
[[nodiscard]] LoadResult load(const base::Source& ptx, CpuLevel level);

/// The dotted words that follow a row's name; a decoder takes those it knows, in any order.
class Modifiers {
  public:
    explicit Modifiers(std::string_view rest, char between = '.');
    /// Takes one occurrence of the word.
    bool take(std::string_view word);
    [[nodiscard]] const std::vector<std::string_view>& words() const { return words_; }
    [[nodiscard]] bool empty() const { return words_.empty(); }

  private:
    std::vector<std::string_view> words_;
};

class Decoding {
  public:
    /// Of function number `function` of the module.
    Decoding(const ptx::ReadResult& read, std::size_t function, CpuLevel level,
             base::Diagnostics& diagnostics);
    [[nodiscard]] Kernel kernel();

    // For decoders. A slot asked for where the operand does not fit is `nowhere`, and the mismatch is
    // reported.
    [[nodiscard]] Slot source(const ptx::Operand& operand, int bits);
    /// A predicate, possibly negated: `flip` becomes all ones then, else 0.
    [[nodiscard]] Slot predicate(const ptx::Operand& operand, std::int64_t& flip);
    [[nodiscard]] Slot destination(const ptx::Operand& operand, int bits);
    /// Of ld, st and cvt, whose registers may be wider than the type: the slot and the register's own width.
    [[nodiscard]] std::pair<Slot, int> wide_source(const ptx::Operand& operand, int bits);
    [[nodiscard]] std::pair<Slot, int> wide_destination(const ptx::Operand& operand, int bits);
    /// Sets in[0], wide_address, space and immediate from `[base + offset]`.
    void address(const ptx::Operand& operand, Space space, Instruction& into);
    /// Appends slots to the kernel's vectors and makes them the instruction's.
    void vector(const std::vector<Slot>& slots, VectorRole role, Instruction& into);
    /// The slot of CC.CF, a predicate.
    [[nodiscard]] Slot carry();
    /// Whether the operand's register or constant is of a type that the row takes there; refuses it if not.
    bool check_class(const ptx::Operand& operand, OperandClass wanted, int bits);
    /// The row of exactly that name; null when there is none.
    [[nodiscard]] const Opcode* row_named(std::string_view name) const;
    [[nodiscard]] std::uint32_t label(const ptx::Operand& operand);
    [[nodiscard]] std::uint32_t add(Message message);
    [[nodiscard]] std::uint32_t add(const Conversion& conversion);
    /// The offset of a kernel parameter in the block; null when there is none of that name.
    [[nodiscard]] const KernelParameter* parameter(const std::string& name) const;
    [[nodiscard]] std::string_view rest() const { return rest_; } // of the name, behind the row's
    bool operands(const ptx::Instruction& instruction, std::size_t least, std::size_t most);

    void refuse(std::string_view why); // the operands do not fit
    [[nodiscard]] bool has(const Needs& needs) const;
    /// Of a form that needs more than its row says (ld with eight elements); false when the module lacks it.
    bool require(const Needs& needs);
    void unknown(); // the emulator does not know this instruction

  private:
    struct Declared {
        int bits = 0;
        std::uint32_t count = 0; // 0: a single register of that very name
        char kind = 'b';         // of its type: b, u, s, f, p; x for f16x2 and the like
    };
    struct Variable {
        Space space{};
        std::uint64_t address = 0;
    };
    void declare_parameters();
    void declare_variable(const ptx::Variable& variable);
    void declare();
    void decode(std::uint32_t statement, const ptx::Instruction& instruction);
    /// Null when it is not declared.
    [[nodiscard]] const Declared* declared(const std::string& name) const;
    [[nodiscard]] std::pair<Slot, int> register_slot(const std::string& name);
    [[nodiscard]] Slot constant(std::uint64_t bits, bool wide);
    [[nodiscard]] Slot special(std::size_t row);
    [[nodiscard]] Slot immediate(const ptx::Immediate& immediate, int bits);
    [[nodiscard]] Slot symbol_address(const std::string& name, int bits);
    [[nodiscard]] std::pair<Slot, int> any_source(const ptx::Operand& operand, int bits);
    [[nodiscard]] base::Span span() const { return spans_[statement_]; }

    const ptx::Module& module_;
    const ptx::Function& function_;
    const std::vector<base::Span>& spans_;
    CpuLevel level_;
    base::Diagnostics& diagnostics_;
    Kernel kernel_;
    std::map<std::string, Declared> registers_; // ranges by their prefix
    std::map<std::string, Variable> variables_;
    std::uint64_t local_end_ = 0; // of the local variables
    std::map<std::string, std::uint32_t> labels_;
    std::map<std::string, std::pair<Slot, int>> slots_;
    std::map<std::pair<std::uint64_t, bool>, Slot> constants_;
    std::map<std::size_t, Slot> specials_;
    Slot carry_ = nowhere;
    const ptx::Instruction* instruction_ = nullptr;
    std::string_view rest_;
    std::uint32_t statement_ = 0;
    bool refused_ = false; // this instruction has been reported
};

} // namespace tmemc::emulator
