// The page read by recursive descent, and sentences drawn from it. Deep in a derivation only the alternative
// that ends soonest is taken.
#include "ebnf.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <compare>

namespace tmemc::ebnf {

namespace {

constexpr int deep = 16, endless = 1000;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_lexical(const std::string& rule) { return std::isupper(static_cast<unsigned char>(rule[0])) != 0; }

/// "0-9 a-f A-F" to its members; of the class of a string's characters some of each kind.
std::string members(const std::string& text) {
    if (text.find("any character of the line except") != std::string::npos) {
        std::string all = "\t"; // bytes, not characters; those above 127 are not drawn
        for (int byte = 128; byte < 256; ++byte) all += static_cast<char>(byte);
        for (char c = ' '; c < 127; ++c)
            if (c != '"' && c != '\\') all += c;
        return all;
    }
    std::string all;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ') continue;
        const char last = i + 2 < text.size() && text[i + 1] == '-' ? text[i + 2] : text[i];
        for (int c = text[i]; c <= last; ++c) all += static_cast<char>(c);
        if (last != text[i]) i += 2;
    }
    return all;
}

class Reader {
  public:
    explicit Reader(const std::string& text) : text_(text) {}

    Grammar run() {
        Grammar grammar;
        while (peek() != '\0') {
            const std::string name = word();
            expect('=');
            if (grammar.rules.empty()) grammar.start = name;
            CHECK(grammar.rules.emplace(name, choice()).second);
            expect(';');
        }
        return grammar;
    }

  private:
    char peek() {
        while (place_ < text_.size()) {
            if (text_.compare(place_, 2, "(*") == 0)
                place_ = text_.find("*)", place_) + 2;
            else if (std::isspace(static_cast<unsigned char>(text_[place_])) != 0)
                ++place_;
            else
                return text_[place_];
        }
        return '\0';
    }
    void expect(char c) {
        CAPTURE(text_.substr(place_, 40));
        REQUIRE(peek() == c);
        ++place_;
    }
    std::string word() {
        std::string name;
        REQUIRE(is_letter(peek()));
        while (is_letter(text_[place_])) name += text_[place_++];
        return name;
    }
    std::string quoted(char mark) {
        expect(mark);
        const std::size_t end = text_.find(mark, place_);
        REQUIRE(end != std::string::npos);
        std::string inside = text_.substr(place_, end - place_);
        place_ = end + 1;
        return inside;
    }
    Node choice() {
        Node node{Node::Kind::choice, "", {sequence()}};
        while (peek() == '|') {
            ++place_;
            node.parts.push_back(sequence());
        }
        return node.parts.size() == 1 ? node.parts[0] : node;
    }
    Node sequence() {
        Node node{Node::Kind::sequence, "", {}};
        while (std::string_view("|;)]}").find(peek()) == std::string_view::npos) node.parts.push_back(part());
        REQUIRE(!node.parts.empty());
        return node.parts.size() == 1 ? node.parts[0] : node;
    }
    Node inside(char open, char close, Node::Kind kind) {
        expect(open);
        Node node{kind, "", {choice()}};
        expect(close);
        return node;
    }
    Node part() {
        switch (peek()) {
        case '{': return inside('{', '}', Node::Kind::repeat);
        case '[': return inside('[', ']', Node::Kind::optional);
        case '(': return inside('(', ')', Node::Kind::sequence);
        case '"': return {Node::Kind::word, quoted('"'), {}};
        case '\'': return {Node::Kind::characters, quoted('\''), {}};
        case '?': return {Node::Kind::one_of, members(quoted('?')), {}};
        default: break;
        }
        Node rule{Node::Kind::rule, word(), {}};
        if (peek() == '-') {
            ++place_;
            peek();
            rule.except = quoted('"');
        }
        return rule;
    }

    const std::string& text_;
    std::size_t place_ = 0;
};

void words_of(const Node& node, std::set<std::string>& words) {
    if (node.kind == Node::Kind::word && is_letter(node.text[0])) words.insert(node.text);
    for (const Node& part : node.parts) words_of(part, words);
}

/// True when a number fell.
bool settle(Node& node, const Grammar& grammar) {
    bool fell = false;
    int depth = 0;
    if (node.kind == Node::Kind::rule) depth = std::min(endless, grammar.rules.at(node.text).shallowest + 1);
    if (node.kind == Node::Kind::choice) depth = endless;
    for (Node& part : node.parts) {
        fell |= settle(part, grammar);
        if (node.kind == Node::Kind::choice) depth = std::min(depth, part.shallowest);
        if (node.kind == Node::Kind::sequence) depth = std::max(depth, part.shallowest);
    }
    fell |= depth < node.shallowest;
    node.shallowest = depth;
    return fell;
}
void label(Node& node, const std::string& rule, int& number) {
    using Kind = Node::Kind;
    if (node.kind == Kind::choice || node.kind == Kind::optional || node.kind == Kind::repeat)
        node.label = rule + "/" + std::to_string(++number);
    for (Node& part : node.parts) label(part, rule, number);
}

void collect(const Node& node, std::set<std::string>& all) {
    const std::size_t ways = node.kind == Node::Kind::choice ? node.parts.size() : 2;
    for (std::size_t i = 0; i < ways && !node.label.empty(); ++i)
        all.insert(node.label + ": " + std::to_string(i));
    for (const Node& part : node.parts) collect(part, all);
}

} // namespace

Grammar read(const std::string& text) {
    Grammar grammar = Reader(text).run();
    for (bool fell = true; fell;) {
        fell = false;
        for (auto& [name, node] : grammar.rules) fell |= settle(node, grammar);
    }
    for (auto& [name, node] : grammar.rules) {
        int number = 0;
        label(node, name, number);
        words_of(node, grammar.words);
    }
    std::set<std::string> free{"rtol", "atol"};
    for (const char* rule : {"axis", "factor", "layout", "cast", "select", "outcome"})
        words_of(grammar.rules.at(rule), free);
    for (const std::string& word : free) grammar.words.erase(word);
    grammar.free.assign(free.begin(), free.end());
    return grammar;
}

std::set<std::string> alternatives(const Grammar& grammar) {
    std::set<std::string> all;
    for (const auto& [name, node] : grammar.rules) collect(node, all);
    return all;
}

// ---- sentences -----------------------------------------------------------------------------------

Tokens Sentences::sentence() {
    Tokens tokens;
    derive(grammar_.rules.at(grammar_.start), tokens);
    return tokens;
}

/// Of a choice the alternative, of an optional or repeated part how often.
std::size_t Sentences::choose(const Node& node) {
    std::size_t way = 0;
    if (node.kind != Node::Kind::choice) {
        if (depth_ < deep) way = node.kind == Node::Kind::optional ? below(2) : below(4) % 3;
        ++drawn_[node.label + ": " + std::to_string(std::min<std::size_t>(way, 1))];
        return way;
    }
    way = below(node.parts.size());
    if (depth_ >= deep)
        for (std::size_t i = 0; i < node.parts.size(); ++i)
            if (node.parts[i].shallowest < node.parts[way].shallowest) way = i;
    ++drawn_[node.label + ": " + std::to_string(way)];
    return way;
}

void Sentences::derive(const Node& node, Tokens& tokens) {
    switch (node.kind) {
    case Node::Kind::word: tokens.push_back(node.text); return;
    case Node::Kind::choice: return derive(node.parts[choose(node)], tokens);
    case Node::Kind::sequence:
        for (const Node& part : node.parts) derive(part, tokens);
        return;
    case Node::Kind::optional:
    case Node::Kind::repeat:
        for (std::size_t n = choose(node); n > 0; --n) derive(node.parts[0], tokens);
        return;
    case Node::Kind::rule: break;
    case Node::Kind::characters:
    case Node::Kind::one_of: FAIL("characters stand in upper-case rules only");
    }
    const Node& rule = grammar_.rules.at(node.text);
    if (!is_lexical(node.text)) {
        ++depth_;
        derive(rule, tokens);
        --depth_;
        return;
    }
    std::string token = spell(rule);
    while (node.text == "NAME" && grammar_.words.count(token) != 0) token = spell(rule);
    if (node.text == "NAME" && below(3) == 0) token = grammar_.free[below(grammar_.free.size())];
    if (token == node.except) token += "_";
    tokens.push_back(std::move(token));
}

std::string Sentences::spell(const Node& node) {
    std::string text;
    switch (node.kind) {
    case Node::Kind::word:
    case Node::Kind::characters: return node.text;
    case Node::Kind::rule: return spell(grammar_.rules.at(node.text));
    case Node::Kind::choice: return spell(node.parts[choose(node)]);
    case Node::Kind::sequence:
        for (const Node& part : node.parts) text += spell(part);
        return text;
    case Node::Kind::optional:
    case Node::Kind::repeat:
        for (std::size_t n = choose(node); n > 0; --n) text += spell(node.parts[0]);
        return text;
    case Node::Kind::one_of: break;
    }
    char drawn = node.text[below(node.text.size())];
    while (static_cast<unsigned char>(drawn) > 127) drawn = node.text[below(node.text.size())];
    return {drawn};
}

// ---- Earley --------------------------------------------------------------------------------------

Recogniser::Recogniser(const Grammar& grammar) : grammar_(grammar) {
    for (const auto& [name, node] : grammar.rules) {
        row_of_[name] = add_row();
        if (is_lexical(name)) spelling_.insert(name);
    }
    for (const std::string& name : std::set<std::string>(spelling_)) add_spelling(grammar.rules.at(name));
    for (const auto& [name, node] : grammar.rules) {
        Symbols symbols;
        in_token_ = spelling_.count(name) != 0;
        flatten(node, symbols);
        rows_[row_of_[name]].alternatives.push_back(std::move(symbols));
    }
    for (bool more = true; more;) {
        more = false;
        for (Row& row : rows_)
            for (const Symbols& symbols : row.alternatives) {
                const bool empty = std::all_of(symbols.begin(), symbols.end(), [this](const Symbol& each) {
                    return each.row >= 0 && rows_[static_cast<std::size_t>(each.row)].nullable;
                });
                more |= empty && !row.nullable;
                row.nullable |= empty;
            }
    }
}

std::size_t Recogniser::add_row() {
    rows_.emplace_back();
    return rows_.size() - 1;
}

/// The rules that those of tokens need are made of characters too.
void Recogniser::add_spelling(const Node& node) {
    if (node.kind == Node::Kind::rule && spelling_.insert(node.text).second)
        add_spelling(grammar_.rules.at(node.text));
    for (const Node& part : node.parts) add_spelling(part);
}

void Recogniser::flatten(const Node& node, Symbols& into) {
    const auto row = [&](std::size_t index) { into.push_back({static_cast<int>(index), node.kind, ""}); };
    switch (node.kind) {
    case Node::Kind::word:
        if (!in_token_) return into.push_back({-1, node.kind, node.text});
        for (const char c : node.text) into.push_back({-1, Node::Kind::one_of, {c}});
        return;
    case Node::Kind::one_of: into.push_back({-1, node.kind, node.text}); return;
    case Node::Kind::characters:
        for (const char c : node.text) into.push_back({-1, Node::Kind::one_of, {c}});
        return;
    case Node::Kind::rule:
        if (!in_token_ && is_lexical(node.text))
            return into.push_back({-1, node.kind, node.text, node.except});
        return row(row_of_.at(node.text));
    case Node::Kind::sequence:
        for (const Node& part : node.parts) flatten(part, into);
        return;
    case Node::Kind::choice:
    case Node::Kind::optional:
    case Node::Kind::repeat: break;
    }
    const std::size_t index = add_row();
    row(index);
    std::vector<Symbols> alternatives;
    for (const Node& part : node.parts) flatten(part, alternatives.emplace_back());
    if (node.kind == Node::Kind::repeat) alternatives[0].push_back({static_cast<int>(index), node.kind, ""});
    if (node.kind != Node::Kind::choice) alternatives.emplace_back();
    rows_[index].alternatives = std::move(alternatives);
}

bool Recogniser::fits(const Symbol& symbol, const std::string& token) {
    if (symbol.kind == Node::Kind::one_of)
        return token.size() == 1 && symbol.text.find(token) != std::string::npos;
    if (symbol.kind == Node::Kind::word) return token == symbol.text;
    if (token == symbol.except) return false;
    const auto [place, fresh] = known_.try_emplace({symbol.text, token}, false);
    if (!fresh || (symbol.text == "NAME" && grammar_.words.count(token) != 0)) return place->second;
    Tokens characters;
    for (const char c : token) characters.push_back({c});
    return place->second = accepts(row_of_.at(symbol.text), characters);
}

bool Recogniser::accepts(const Tokens& tokens) { return accepts(row_of_.at(grammar_.start), tokens); }

bool Recogniser::accepts(std::size_t row, const Tokens& tokens) {
    struct Item {
        std::size_t row, alternative, dot, origin;
        auto operator<=>(const Item&) const = default;
    };
    std::vector<std::vector<Item>> sets(tokens.size() + 1);
    std::set<Item> seen; // of the set being filled
    std::vector<Item> next;
    const auto add = [&](std::size_t at, const Item& item) {
        if (seen.insert(item).second) sets[at].push_back(item);
    };
    const auto predict = [&](std::size_t at, std::size_t what) {
        for (std::size_t i = 0; i < rows_[what].alternatives.size(); ++i) add(at, {what, i, 0, at});
    };
    predict(0, row);
    bool complete = false;
    for (std::size_t at = 0; at <= tokens.size(); ++at) {
        next.clear();
        complete = false;
        for (std::size_t i = 0; i < sets[at].size(); ++i) {
            const Item item = sets[at][i];
            const Symbols& symbols = rows_[item.row].alternatives[item.alternative];
            const Item advanced{item.row, item.alternative, item.dot + 1, item.origin};
            if (item.dot == symbols.size()) {
                complete |= item.row == row && item.origin == 0;
                for (std::size_t j = 0; j < sets[item.origin].size(); ++j) {
                    const Item waiting = sets[item.origin][j];
                    const Symbols& theirs = rows_[waiting.row].alternatives[waiting.alternative];
                    if (waiting.dot < theirs.size() && theirs[waiting.dot].row == static_cast<int>(item.row))
                        add(at, {waiting.row, waiting.alternative, waiting.dot + 1, waiting.origin});
                }
                continue;
            }
            const Symbol& symbol = symbols[item.dot];
            if (symbol.row < 0) {
                if (at < tokens.size() && fits(symbol, tokens[at])) next.push_back(advanced);
                continue;
            }
            predict(at, static_cast<std::size_t>(symbol.row));
            if (rows_[static_cast<std::size_t>(symbol.row)].nullable) add(at, advanced);
        }
        seen.clear();
        if (at < tokens.size())
            for (const Item& item : next) add(at + 1, item);
    }
    return complete;
}

} // namespace tmemc::ebnf
