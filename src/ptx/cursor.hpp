// A place in a list of tokens, and the small questions of a recursive descent: is this next, take it, else
// say what was wanted. Whatever returns false has reported why.
#pragma once

#include "base/diagnostics.hpp"
#include "ptx/tokens.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::ptx {

class Cursor {
  public:
    Cursor(std::vector<Token> list, base::Diagnostics& diagnostics)
        : list_(std::move(list)), diagnostics_(diagnostics) {}

    [[nodiscard]] const Token& peek(std::size_t ahead = 0) const;
    [[nodiscard]] bool at_end() const { return peek().is(Token::Kind::end); }
    /// The token taken last.
    [[nodiscard]] const Token& last() const { return list_[place_ == 0 ? 0 : place_ - 1]; }
    const Token& take();
    bool take_if(char mark);
    bool take_if(std::string_view directive);

    /// Reports that `wanted` was expected here, with a way out if there is one; false.
    bool fail(std::string_view wanted, std::string help = {});
    /// The same of a token taken before, or of the last one.
    bool fail_at(const Token& found, std::string_view wanted);
    bool fail_last(std::string_view wanted) { return fail_at(last(), wanted); }
    /// Reports the directive here, with the nearest of those that may stand `where`; false.
    bool unknown_directive(std::string_view where, const std::vector<std::string>& known);
    bool expect(char mark);
    bool expect(std::string_view directive);
    bool name(std::string& into, std::string_view what);
    bool string(std::string& into, std::string_view what);
    bool type(std::string& into); // "b32" of .b32
    bool number(std::uint64_t& into, std::uint64_t limit);
    bool number(std::uint32_t& into);
    /// True where a constant begins: a number, a sign, a parenthesis.
    [[nodiscard]] bool at_constant() const;
    /// A constant of any form, or an expression of integers (PTX ISA 4.5.4): -1.5, 5+3, (1<<4)|3, ~0.
    bool immediate(Immediate& into);
    /// One without operators between.
    bool term(Immediate& into);
    /// An integer, perhaps negative.
    bool integer(Immediate& into);
    /// Takes `count` from the zeros that the initial values of a text may leave to be understood.
    bool pad(std::uint64_t count);

  private:
    bool unsigned_constant(Immediate& into);
    bool binary(Immediate& into, int least);
    std::string_view next_operator() const;

    std::vector<Token> list_;
    base::Diagnostics& diagnostics_;
    std::size_t place_ = 0;
    int depth_ = 0; // of parentheses and signs
    std::uint64_t padding_left_ = std::uint64_t{1} << 20;
};

} // namespace tmemc::ptx
