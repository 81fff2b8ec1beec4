// The statements of a function's body. Registers are told from symbols by their declarations, which PTX puts
// before their use:
//
//     .reg .b32 r<4>;   mov.u32 r3, s;     r3 is a register of the range, s a symbol
//
// A nested scope has registers of its own, and sees those around it. Scopes nest at most 64 deep, so that a
// name is found in bounded time.
#pragma once

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace tmemc::ptx {

/// The registers of a scope, single names and ranges by their prefix, and its labels.
class Registers {
  public:
    /// False when it is there already.
    bool declare(const RegisterDeclaration& declared);
    bool declare_label(const std::string& name) { return labels_.insert(name).second; }
    /// True for `r12` as number 12 of r<...> or number 2 of r1<...>.
    [[nodiscard]] bool holds(const std::string& name) const;

  private:
    std::set<std::string> singles_, labels_;
    std::map<std::string, std::uint32_t> ranges_;
};

/// A statement with the text it stands for.
struct ReadStatement {
    Statement statement;
    base::Span span;
};

class StatementReader {
  public:
    explicit StatementReader(Cursor& cursor) : cursor_(cursor), scopes_(1) {}
    /// Appends the statements up to the brace that ends the body; what is wrong is reported and left out.
    void body(std::vector<ReadStatement>& into);

  private:
    bool statement();
    bool scope_begin();
    void scope_end();
    void skip();
    void add(Statement statement, const Token& first);
    bool register_declaration();
    bool variable();
    bool location();
    bool inlined(Location::Inlined& into);
    bool pragma();
    bool targets();
    bool prototype();
    bool instruction();
    bool operand(Operand& into);
    bool word_operand(Operand& into);
    bool base_of(std::variant<Register, Symbol, Immediate>& into);
    bool address(Operand& into);
    bool elements(char close, std::vector<Element>& into);
    bool constant_or(std::string_view wanted, Immediate& into);
    /// True for a name that begins with `%` or is declared as a register in a scope that is open.
    [[nodiscard]] bool is_register(const std::string& name) const;
    /// A register, a symbol or the sink by its name.
    template <class Into>
    void named(std::string text, Into& into) const;

    Cursor& cursor_;
    std::vector<Registers> scopes_; // that are open, the innermost last
    std::vector<ReadStatement>* into_ = nullptr;
    bool calling_ = false; // the instruction is a call, whose parentheses hold results and arguments
};

/// `.pragma "a", "b";`
bool read_pragmas(Cursor& cursor, std::vector<Pragma>& into);

} // namespace tmemc::ptx
