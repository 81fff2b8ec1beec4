// What the rules have to say. A rule that cannot go on names what it expected and the token it met; this
// becomes one diagnostic in the user's words, at the place where the missing piece belongs: behind the last
// token, when the next one stands on a later line. A message about a token that was spoken of before would be
// a follow-on one and is dropped.
//
// Not here: the helps for typical slips (hints.hpp), where the parser goes on (resume.hpp).
#pragma once

#include "base/diagnostics.hpp"
#include "grammar/tokens.hpp"

#include <string_view>
#include <vector>

namespace tmemc::grammar {

/// Tokens [begin, end) that a rule could not read. What they were to be says how the rest is read without
/// them.
struct Unread {
    enum class What : std::uint8_t { statement, parameter, head, item, everything };
    const Token* begin = nullptr;
    const Token* end = nullptr;
    What what = What::everything;
};

class Errors {
  public:
    /// `first` is the first token of the source.
    Errors(const Token* first, base::Diagnostics& diagnostics)
        : first_(first), next_(first), diagnostics_(diagnostics) {}

    /// `what` is either "`;`" or words: "a name".
    void expected(std::string_view what, const Token& found);
    /// So many that reading on helps nobody.
    [[nodiscard]] bool enough() const;
    void left_out(const Unread& unread) { unread_.push_back(unread); }
    [[nodiscard]] const std::vector<Unread>& unread() const { return unread_; }

  private:
    const Token* first_;
    const Token* next_; // what lies before it has been spoken of
    base::Diagnostics& diagnostics_;
    std::vector<Unread> unread_; // in source order
};

} // namespace tmemc::grammar
