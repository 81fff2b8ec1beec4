// Text to decoded form, one kernel at a time, with the functions it calls. Decoding hands out slots: for a
// register at its first use, for each distinct constant and special register; it lays out shared and local
// variables and knows the labels, each in its scope. The decoders of the opcode rows ask it for operands;
// whatever does not fit is reported once per instruction, with the reason.
//
// The code of a kernel begins with its functions, callees first, so that lanes that are still inside one have
// the lower counters, run first, and meet the others again behind the call (warp.hpp). A function's variables
// and `.param`s live in a frame of local memory (calls.hpp). Not here: what the instructions do
// (operations_*.cpp), the variables of the module (image.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "emulator/image.hpp"
#include "emulator/instruction.hpp"
#include "emulator/opcodes.hpp"
#include "ptx/read.hpp"

#include <cstdint>
#include <deque>
#include <map>
#include <set>
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
    Decoding(const ptx::ReadResult& read, const ModuleImage& image, std::size_t function, CpuLevel level,
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
    void uses_cta_group(std::uint32_t group) { kernel_.cta_groups |= group; }
    [[nodiscard]] const std::string& target() const { return read_.module.target; }
    [[nodiscard]] std::uint32_t add(const Conversion& conversion);
    [[nodiscard]] std::uint32_t add(const CopyForm& form);
    /// The offset of a kernel parameter in the block; null when there is none of that name here.
    [[nodiscard]] const KernelParameter* parameter(const std::string& name) const;
    /// True of a `.param` that lives in the frame: of a function, or of a call.
    [[nodiscard]] bool in_frame(const std::string& name) const;
    [[nodiscard]] std::string_view rest() const { return rest_; } // of the name, behind the row's
    bool operands(const ptx::Instruction& instruction, std::size_t least, std::size_t most);
    /// As source(), and refused when it is declared as a float.
    [[nodiscard]] Slot integer_source(const ptx::Operand& operand, int bits);
    // Of the opcodes that jump (decode_calls.cpp).
    void jump_by_table(const ptx::Instruction& text, Instruction& into);
    void call(const ptx::Instruction& text, Instruction& into);
    [[nodiscard]] bool in_function() const { return code_ != nullptr && !code_->text->entry; }

    void refuse(std::string_view why); // the operands do not fit
    [[nodiscard]] bool has(const Needs& needs) const;
    void unknown(); // the emulator does not know this instruction
    /// Of a form that needs more than its row says (ld with eight elements); false when the module lacks it.
    bool require(const Needs& needs);

  private:
    struct Declared {
        int bits = 0;
        std::uint32_t count = 0; // 0: a single register of that very name
        char kind = 'b';         // of its type: b, u, s, f, p; x for f16x2 and the like
    };
    struct Variable {
        Space space{};
        std::uint64_t address = 0; // of a local one, in its frame
        std::uint64_t bytes = 0;
    };
    struct Scope {
        std::size_t around = 0;                    // its own number: none
        std::map<std::string, Declared> registers; // ranges by their prefix
        std::map<std::string, Variable> variables;
        std::map<std::string, std::uint32_t> labels; // the number of the next instruction
        std::map<std::string, const ptx::Targets*> tables;
        std::map<std::string, std::pair<Slot, int>> slots; // of the registers used so far
    };
    /// The kernel or one of its functions.
    struct Code {
        std::size_t number = 0; // in the module
        const ptx::Function* text = nullptr;
        std::deque<Scope> scopes; // the first is the function's own; in the order of their braces
        std::uint32_t begin = 0;  // of its instructions
        std::uint64_t frame = 0;  // bytes of local memory
        bool recursive = false;
        std::map<std::uint32_t, Slot> addresses; // of places in its frame
    };

    // Before the first instruction.
    void find_functions(std::size_t entry);
    [[nodiscard]] std::vector<std::size_t> callees(std::size_t function);
    void declare_parameters(const ptx::Function& function);
    void declare(Code& code);
    void declare_statement(Code& code, std::size_t& scope, std::vector<std::uint64_t>& frames,
                           std::uint32_t& next);
    void check_type(std::string_view name, std::string_view type, base::Span where);
    void declare_variable(Variable& into, const ptx::Variable& variable, base::Span where,
                          std::uint64_t& frame);
    void declare_shared();
    [[nodiscard]] std::set<std::string_view> symbols() const;
    void declare_frame(Code& code, const std::vector<ptx::Parameter>& parameters);
    void place_dynamic_shared();
    // Then all of them.
    void decode_code(Code& code);
    void decode(std::uint32_t statement, const ptx::Instruction& instruction);
    void finish(Code& code, std::size_t first_name);
    void pass(const ptx::Arguments* given, const std::vector<ptx::Parameter>& formal, const Code& callee,
              std::vector<Copy>& into, bool result);
    [[nodiscard]] static const Declared* declared(const Scope& scope, const std::string& name);
    /// In the innermost scope that declares it; null when none does.
    [[nodiscard]] const Declared* declared(const std::string& name) const;
    [[nodiscard]] std::pair<Slot, int> register_slot(const std::string& name);
    [[nodiscard]] Slot constant(std::uint64_t bits, bool wide);
    [[nodiscard]] Slot special(std::size_t row);
    [[nodiscard]] Slot immediate(const ptx::Immediate& immediate, int bits);
    [[nodiscard]] Slot symbol_address(const std::string& name, std::int64_t offset, int bits);
    [[nodiscard]] Slot frame_address(std::uint64_t offset, int bits);
    [[nodiscard]] std::pair<Slot, int> any_source(const ptx::Operand& operand, int bits);
    [[nodiscard]] base::Span span() const { return read_.spans[code_->number][statement_]; }
    /// What `name` is in the innermost scope that has it; null when none has.
    template <class What>
    [[nodiscard]] const What* find(std::map<std::string, What> Scope::*kind, const std::string& name) const;

    const ptx::ReadResult& read_;
    const ModuleImage& image_;
    CpuLevel level_;
    base::Diagnostics& diagnostics_;
    Kernel kernel_;
    std::deque<Code> codes_;                            // callees first, the kernel last
    std::map<std::size_t, std::uint32_t> code_numbers_; // by the function's number in the module
    std::map<std::string, Variable> shared_;            // of the module
    std::vector<Variable*> dynamic_; // `.extern .shared` arrays, all at the end of the rest
    std::uint64_t dynamic_align_ = 1;
    std::map<std::pair<std::uint64_t, bool>, Slot> constants_;
    std::map<std::size_t, Slot> specials_;
    Slot carry_ = nowhere;
    Code* code_ = nullptr; // that is decoded now
    std::size_t scope_ = 0;
    const ptx::Instruction* instruction_ = nullptr;
    std::string_view rest_;
    std::uint32_t statement_ = 0;
    std::size_t suggestions_ = 0;
    bool refused_ = false; // this instruction has been reported
};

template <class What>
const What* Decoding::find(std::map<std::string, What> Scope::*kind, const std::string& name) const {
    for (std::size_t number = scope_;; number = code_->scopes[number].around) {
        const Scope& scope = code_->scopes[number];
        const auto found = (scope.*kind).find(name);
        if (found != (scope.*kind).end()) return &found->second;
        if (scope.around == number) return nullptr;
    }
}

} // namespace tmemc::emulator
