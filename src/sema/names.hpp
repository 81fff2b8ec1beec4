// What names mean. Names have block scope and do not shadow, so a name has at most one meaning at a time: one
// table for all scopes, and for each open block the list of names to put back when it closes. In
//
//     for c in 0..8 { let base = c*32; ... }
//
// closing a turn forgets `base`, and the next turn declares it anew. A name whose declaration failed is
// `failed`: its uses are passed over in silence, because the mistake has been reported where it was made.
#pragma once

#include "grammar/ast.hpp"
#include "sema/indices.hpp"
#include "sema/reports.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace tmemc::sema {

namespace ast = grammar::ast;
using base::Span;

struct Symbol {
    enum class Kind : std::uint8_t {
        constant, // a const, a let or a loop variable
        run_time, // a let that depends on cta.x, cta.y or cta.z
        later,    // a const whose declaration has not been reached
        tensor,
        scalar,
        fragment,
        buffer,
        kernel,
        function,
        failed,
    };
    Kind kind{};
    std::int64_t value = 0; // of a constant; else the object's index in its vector of the kernel
    Span span;              // of the name where it is declared
    std::uint32_t step = 0; // run_time: to be added to the value (indices.hpp)
};

/// "a constant", "a fragment", ... as a message says it.
[[nodiscard]] std::string_view what(Symbol::Kind kind);

class Names {
  public:
    explicit Names(Reports& reports) : reports_(reports) {}

    bool in_function = false; // what is being checked: a message says what may stand there
    bool in_grid = false;

    /// Names that may have been declared where the text could not be read: nothing is said of them.
    void lose(const std::vector<std::string>& names) { lost_.insert(names.begin(), names.end()); }

    /// Gives `name` a meaning until the innermost open block closes. A name that has one already is an error.
    /// It keeps the first when both are of one kind and stand in one block; else it is uncertain which one is
    /// meant, and it means nothing (`failed`) for the rest of the block.
    void declare(const ast::Name& name, Symbol::Kind kind, std::int64_t value = 0, std::uint32_t step = 0);
    /// Gives the constant that was declared `later` at this very place its value.
    void settle(const ast::Name& name, std::int64_t value);
    /// Takes its meaning from the name that was declared at this very place: its declaration failed after
    /// all.
    void fail(const ast::Name& name);

    /// The meaning of `name`, or null without a word.
    [[nodiscard]] const Symbol* find(std::string_view name) const;
    /// The meaning of `name` as an object that a region can name: a tensor, a fragment or a buffer. Null
    /// after reporting anything else, and null in silence when its declaration failed.
    [[nodiscard]] const Symbol* object(const ast::Name& name);
    /// The value of `name` as a constant, with the same rule.
    [[nodiscard]] std::optional<std::int64_t> constant(const ast::Name& name);

    /// Reports a name without a meaning, and the nearest name of a kind that `fits`.
    void report_unknown(const ast::Name& name, bool (*fits)(Symbol::Kind));

    void open_block() { blocks_.push_back(undo_.size()); }
    void close_block();

  private:
    void set(std::string_view name, const Symbol& symbol);
    [[nodiscard]] bool is_of_this_block(std::string_view name) const;
    Symbol* declared_at(const ast::Name& name);
    /// Where a constant must stand, instead of this parameter.
    [[nodiscard]] std::string way_out(std::string_view parameter) const;

    Reports& reports_;
    std::unordered_map<std::string_view, Symbol> meanings_;
    std::vector<std::pair<std::string_view, std::optional<Symbol>>> undo_; // what each declaration replaced
    std::vector<std::size_t> blocks_;                                      // sizes of undo_ at each opening
    std::unordered_set<std::string> lost_;                                 // unknown, and not to be reported
    std::unordered_map<std::string_view, Span> missing_; // unknown names without a near one, where first met
};

/// A block for as long as this lives.
class OpenBlock {
  public:
    explicit OpenBlock(Names& names) : names_(names) { names_.open_block(); }
    ~OpenBlock() { names_.close_block(); }
    OpenBlock(const OpenBlock&) = delete;
    OpenBlock& operator=(const OpenBlock&) = delete;

  private:
    Names& names_;
};

/// What every rule needs: the meaning of names here, and where to report.
struct Environment {
    Reports reports;
    Names names{reports};
    Indices indices;          // of the kernel in hand
    bool in_function = false; // which knows no grid
};

} // namespace tmemc::sema
