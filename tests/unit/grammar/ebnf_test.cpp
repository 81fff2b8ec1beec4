// tmx.ebnf is the grammar on one page. It must say what the parser does: all its rules are defined and used,
// and its quoted words are the keyword table.
#include "helpers.hpp"

#include "base/dtype.hpp"
#include "base/file.hpp"
#include "grammar/tokens.hpp"

#include <regex>
#include <set>

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

using Words = std::set<std::string>;

Words matches(const std::string& text, const std::regex& pattern) {
    Words found;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), pattern);
         match != std::sregex_iterator(); ++match)
        found.insert((*match)[1].str());
    return found;
}
std::string without(const std::string& text, const std::regex& pattern) {
    return std::regex_replace(text, pattern, " ");
}

struct Grammar {
    std::string text; // without comments
    Words quoted, defined, used;
};

Grammar read_grammar() {
    std::string error;
    const auto file = base::read_file("../grammar/tmx.ebnf", error);
    REQUIRE_MESSAGE(file.has_value(), error);
    Grammar grammar;
    grammar.text = without(*file, std::regex(R"(\(\*([^*]|\*[^)])*\*\))"));
    const std::string bare =
        without(without(grammar.text, std::regex(R"('[^']*')")), std::regex(R"(\?[^?]*\?)"));
    grammar.quoted = matches(bare, std::regex(R"re("([^"]*)")re"));
    const std::string names = without(bare, std::regex(R"re("[^"]*")re"));
    grammar.defined = matches(names, std::regex(R"((\w+)\s*=)"));
    grammar.used = matches(without(names, std::regex(R"((\w+)\s*=)")), std::regex(R"((\w+))"));
    return grammar;
}

Words table(const auto& words) { return {words.begin(), words.end()}; }

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("every rule of the page is defined, and used except the first") {
    const Grammar grammar = read_grammar();
    CHECK(grammar.defined.size() > 50);
    for (const std::string& name : grammar.used) {
        CAPTURE(name);
        CHECK(grammar.defined.count(name) == 1);
    }
    for (const std::string& name : grammar.defined) {
        CAPTURE(name);
        CHECK((grammar.used.count(name) == 1 || name == "items"));
    }
}

TEST_CASE("the quoted words of the page are the keyword table, the symbols are the symbol table") {
    Words expected = table(keywords);
    for (const auto& each : {table(axes), table(free_words), table(atoms), table(symbols)})
        expected.insert(each.begin(), each.end());
    for (const base::DtypeRow& row : base::dtype_rows) expected.insert(std::string(row.name));
    CHECK(read_grammar().quoted == expected);
}

TEST_CASE("a keyword is no name, a free word is") {
    for (const std::string_view word : keywords) {
        CAPTURE(word);
        CHECK(is_keyword(word));
        CHECK(mistakes("const " + std::string(word) + " = 1;").size() == 1);
    }
    for (const auto& words : {table(axes), table(free_words)})
        for (const std::string& word : words) {
            CAPTURE(word);
            CHECK_FALSE(is_keyword(word));
            CHECK(item<ast::Const>("const " + word + " = " + word + ";").name.text == word);
        }
}

TEST_SUITE_END();
