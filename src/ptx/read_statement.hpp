// The statements of a function's body. Registers are told from symbols by their declarations, which PTX puts
// before their use:
//
//     .reg .b32 r<4>;   mov.u32 r3, s;     r3 is a register of the range, s a symbol
#pragma once

#include "ptx/cursor.hpp"
#include "ptx/module.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::ptx {

/// The registers of a function: single names, and ranges by their prefix.
class Registers {
  public:
    void declare(const RegisterDeclaration& declared);
    /// True for `r12` as number 12 of r<...> or number 2 of r1<...>, and for every name that begins with `%`.
    [[nodiscard]] bool holds(const std::string& name) const;

  private:
    std::set<std::string> singles_;
    std::map<std::string, std::uint32_t> ranges_;
};

/// A statement with the text it stands for.
struct ReadStatement {
    Statement statement;
    base::Span span;
};

class StatementReader {
  public:
    explicit StatementReader(Cursor& cursor) : cursor_(cursor) {}
    /// Appends the next statement (several, of a declaration with a list); false when it was reported as
    /// wrong.
    bool read(std::vector<ReadStatement>& into);
    /// Goes on behind the next semicolon, or at the brace that ends the body.
    void skip();

  private:
    void add(Statement statement, const Token& first);
    bool register_declaration();
    bool variable();
    bool location();
    bool pragma();
    bool instruction();
    bool operand(Operand& into);
    bool address(Address& into);
    bool vector(Vector& into);
    bool constant_or(std::string_view wanted, Immediate& into);
    /// A register, a symbol or the sink by its name.
    template <class Into>
    void named(std::string text, Into& into) const;

    Cursor& cursor_;
    Registers registers_;
    std::vector<ReadStatement>* into_ = nullptr;
};

/// `.shared .align 4 .b32 slot`, the space still to be taken: as it stands in modules and in bodies.
bool read_variable(Cursor& cursor, Variable& into);

} // namespace tmemc::ptx
