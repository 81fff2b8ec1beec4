// tmx.ebnf as data, and what a test can do with it that knows nothing of the parser: draw sentences, and say
// whether a row of tokens is one, slowly, for any context-free grammar (Earley's algorithm).
//
// Lower-case rules are made of tokens, upper-case ones of characters. `{ x }` is any number of x, `[ x ]` one
// or none, `a | b` either; "word" and 'characters' stand for themselves, ? A-Z _ ? is one of a class.
#pragma once

#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::ebnf {

struct Node {
    enum class Kind { rule, word, characters, one_of, sequence, choice, optional, repeat };
    Kind kind{};
    std::string text; // a rule's name, a word, characters, or the members of a class
    std::vector<Node> parts;
    std::string except = {}; // the one spelling that a token does not have
    std::string label = {};  // of what leaves a choice: "unary/1"
    int shallowest = 1000;   // levels of rules below it at least
};

struct Grammar {
    std::map<std::string, Node> rules;
    std::string start;             // the first rule
    std::set<std::string> words;   // that no NAME is
    std::vector<std::string> free; // that have a meaning in some place, but may be a NAME
};

/// Ends the test when the page breaks its own rules.
[[nodiscard]] Grammar read(const std::string& text);

using Tokens = std::vector<std::string>;

/// Draws sentences and counts the alternatives it took: "unary/1: 0" is the first of that choice.
class Sentences {
  public:
    Sentences(const Grammar& grammar, std::uint32_t seed) : grammar_(grammar), random_(seed) {}
    [[nodiscard]] Tokens sentence();
    [[nodiscard]] const std::map<std::string, int>& drawn() const { return drawn_; }

  private:
    std::uint32_t below(std::size_t n) { return static_cast<std::uint32_t>(random_() % n); }
    void derive(const Node& node, Tokens& tokens);
    std::string spell(const Node& node); // of a rule that is made of characters
    std::size_t choose(const Node& node);

    const Grammar& grammar_;
    std::mt19937 random_;
    int depth_ = 0;
    std::map<std::string, int> drawn_;
};

/// All that a drawing can count: alternatives, and with and without each optional or repeated part.
[[nodiscard]] std::set<std::string> alternatives(const Grammar& grammar);

class Recogniser {
  public:
    explicit Recogniser(const Grammar& grammar);
    [[nodiscard]] bool accepts(const Tokens& tokens);

  private:
    struct Symbol {
        int row = -1;      // of rows_; a terminal has none
        Node::Kind kind{}; // of a terminal: a word, one of some characters, or a class of tokens (rule)
        std::string text, except = {};
    };
    using Symbols = std::vector<Symbol>;
    struct Row { // a symbol that is made of others
        std::vector<Symbols> alternatives;
        bool nullable = false;
    };
    void add_spelling(const Node& node);
    void flatten(const Node& node, Symbols& into);
    std::size_t add_row();
    [[nodiscard]] bool fits(const Symbol& symbol, const std::string& token);
    [[nodiscard]] bool accepts(std::size_t row, const Tokens& tokens);

    const Grammar& grammar_;
    std::set<std::string> spelling_;            // rules that are made of characters
    bool in_token_ = false;                     // while one of them is flattened
    std::map<std::string, std::size_t> row_of_; // rules
    std::vector<Row> rows_;
    std::map<std::pair<std::string, std::string>, bool> known_; // class and token
};

} // namespace tmemc::ebnf
