// The page and the parser are the same language: what is drawn from tmx.ebnf parses, and of damaged sentences
// the parser takes those that Earley's algorithm takes on the page, and no other.
#include "ebnf.hpp"
#include "helpers.hpp"

#include "random_tree.hpp"

#include "base/file.hpp"
#include "grammar/scan.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

ebnf::Grammar page() {
    std::string error;
    const auto text = base::read_file("../grammar/tmx.ebnf", error);
    REQUIRE_MESSAGE(text.has_value(), error);
    return ebnf::read(*text);
}

std::string spaced(const ebnf::Tokens& tokens) {
    std::string text;
    for (const std::string& token : tokens) text += token + " ";
    return text;
}

std::string listed(const std::map<std::string, int>& counts) {
    std::string text;
    for (const auto& [what, times] : counts) text += "\n  " + what + ": " + std::to_string(times);
    return text;
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("the recogniser knows a sentence") {
    const ebnf::Grammar grammar = page();
    ebnf::Recogniser recogniser(grammar);
    using Tokens = ebnf::Tokens;
    CHECK(recogniser.accepts({}));
    CHECK(recogniser.accepts({"target", "sm_100a", ";"}));
    CHECK_FALSE(recogniser.accepts({"target", "kernel", ";"}));
    CHECK_FALSE(recogniser.accepts({"target", "f32", ";"}));
    CHECK(recogniser.accepts({"const", "min", "=", "min", "(", "0x1f", ",", "1_0", ")", ";"}));
    CHECK_FALSE(recogniser.accepts({"const", "a", "=", "1.5", ";"}));
    CHECK_FALSE(recogniser.accepts({"const", "a", "=", "1", "+", ";"}));
    const Tokens head{"kernel", "k", "(", ")", "{", "X", "="}, tail{";", "}"};
    const auto value = [&](Tokens tokens) {
        tokens.insert(tokens.begin(), head.begin(), head.end());
        tokens.insert(tokens.end(), tail.begin(), tail.end());
        return recogniser.accepts(tokens);
    };
    CHECK(value({"-", "A", "[", ":", "]", "*", ".5e3"}));
    CHECK(value({"cast", "<", "bf16", ">", "(", "A", ")"}));
    CHECK_FALSE(value({"cast", "<", "X", ">", "(", "A", ")"}));
    CHECK_FALSE(value({"A", "[", "]"}));
}

TEST_CASE("every sentence of the page parses") {
    const ebnf::Grammar grammar = page();
    ebnf::Recogniser recogniser(grammar);
    std::map<std::string, int> drawn;
    int tokens = 0;
    for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
        CAPTURE(seed);
        ebnf::Sentences sentences(grammar, seed);
        const ebnf::Tokens sentence = sentences.sentence();
        const std::string text = spaced(sentence);
        CAPTURE(text);
        const Lines found = mistakes(text);
        CHECK(found == Lines{});
        if (sentence.size() < 100) CHECK(recogniser.accepts(sentence));
        tokens += static_cast<int>(sentence.size());
        for (const auto& [what, times] : sentences.drawn()) drawn[what] += times;
    }
    for (const std::string& each : ebnf::alternatives(grammar)) {
        CAPTURE(each);
        CHECK(drawn[each] > 0);
    }
    MESSAGE("tokens: " << tokens << ", alternatives: " << drawn.size());
}

TEST_CASE("whatever tree there is, its text is a sentence of the page") {
    const ebnf::Grammar grammar = page();
    ebnf::Recogniser recogniser(grammar);
    int texts = 0;
    for (std::uint32_t seed = 1; seed <= 3000; ++seed) {
        CAPTURE(seed);
        const base::Source source("test.tmx", print(RandomTree(seed).module()));
        base::Diagnostics none;
        ebnf::Tokens tokens;
        for (const Token& token : scan(source, none).tokens) tokens.emplace_back(token.text);
        tokens.pop_back(); // the end
        if (tokens.size() > 150) continue;
        CAPTURE(source.text());
        CHECK(recogniser.accepts(tokens));
        ++texts;
    }
    CHECK(texts > 1000);
}

TEST_CASE("the parser takes of damaged sentences what the page takes") {
    const ebnf::Grammar grammar = page();
    ebnf::Recogniser recogniser(grammar);
    std::vector<std::string> spare{"\"s\"", "1.5", "7", "name", "32x32b", "f16", "D"};
    for (const auto& words : {grammar.words, std::set<std::string>{"(", ")", "[",  "]",  "{",  "}",  ";",
                                                                   ",", ":", "+:", "<-", "=",  "==", "<",
                                                                   "-", "+", "*",  "@",  "..", "."}})
        spare.insert(spare.end(), words.begin(), words.end());
    std::map<std::string, int> counts;
    for (std::uint32_t seed = 1; counts["sentences"] < 5000; ++seed) {
        CAPTURE(seed);
        ebnf::Tokens sentence = ebnf::Sentences(grammar, seed).sentence();
        if (sentence.size() < 4 || sentence.size() > 60) continue;
        ++counts["sentences"];
        std::mt19937 random(seed);
        const auto place = static_cast<std::ptrdiff_t>(random() % (sentence.size() - 1));
        const auto at = sentence.begin() + place;
        const char* damages[] = {"lost", "gained", "replaced", "swapped", "doubled"};
        const char* damage = damages[random() % 5];
        const std::string other =
            random() % 2 == 0 ? spare[random() % spare.size()] : sentence[random() % sentence.size()];
        if (damage == damages[0]) sentence.erase(at);
        if (damage == damages[1]) sentence.insert(at, other);
        if (damage == damages[2]) *at = other;
        if (damage == damages[3]) std::swap(*at, *(at + 1));
        if (damage == damages[4]) sentence.insert(at, std::string(*at));
        const bool expected = recogniser.accepts(sentence);
        const std::string text = spaced(sentence);
        CAPTURE(text);
        CHECK(parse_text(text).diagnostics.has_errors() == !expected);
        ++counts[std::string("a token ") + damage + (expected ? ": still a sentence" : ": none")];
    }
    MESSAGE("drawn" << listed(counts));
    CHECK(counts.size() == 1 + 2 * 5);
}

TEST_SUITE_END();
