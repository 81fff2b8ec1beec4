// The keyword table and the questions that rules ask of a token.
#include "grammar/tokens.hpp"

#include "base/dtype.hpp"

#include <algorithm>

namespace tmemc::grammar {

static_assert(std::is_sorted(keywords.begin(), keywords.end()));

bool is_keyword(std::string_view word) {
    return std::binary_search(keywords.begin(), keywords.end(), word) || base::dtype_named(word).has_value();
}

std::string describe(const Token& token) {
    if (token.kind == Token::Kind::end) return "end of file";
    if (token.kind == Token::Kind::string) return "a string";
    constexpr std::size_t longest = 40;
    if (token.text.size() <= longest) return "`" + std::string(token.text) + "`";
    return "`" + std::string(token.text.substr(0, longest)) + "...`";
}

} // namespace tmemc::grammar
