// Programs with random damage: whatever is done to one, the parser ends, speaks the user's words, and finds
// the mistake.
#include "helpers.hpp"
#include "random_tree.hpp"

#include "grammar/scan.hpp"

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

std::vector<std::string> words_of(const std::string& text) {
    const base::Source source("test.tmx", text);
    base::Diagnostics diagnostics;
    std::vector<std::string> words;
    for (const Token& token : scan(source, diagnostics).tokens)
        if (token.kind != Token::Kind::end) words.emplace_back(token.text);
    return words;
}

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) text += words[i] + (i % 7 == 6 ? "\n" : " ");
    return text;
}

void check_wording(const std::string& text) {
    const base::Source source("test.tmx", text);
    for (const base::Diagnostic& each : parse(source).diagnostics.list) {
        CAPTURE(text);
        CAPTURE(each.message);
        CHECK(each.message.find("boost") == std::string::npos);
        CHECK(each.message.find("3x3") == std::string::npos);
        CHECK(each.span.begin <= each.span.end);
        CHECK(each.span.end <= text.size());
    }
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("a program that lost, gained or swapped a token") {
    const auto spare = words_of(
        "kernel { } ( ) [ ] ; , : +: <- = == + - * .. @ cta . 7 1.5 X f32 for in on copy tmem \"s\" R S min");
    std::mt19937 random(20240607);
    int found = 0;
    for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
        CAPTURE(seed);
        std::vector<std::string> words = words_of(print(RandomTree(seed).module()));
        if (words.empty()) continue;
        for (std::uint32_t n = 1 + seed % 3; n > 0 && !words.empty(); --n) {
            const auto place = static_cast<std::ptrdiff_t>(random() % words.size());
            const std::string& other = spare[random() % spare.size()];
            if (seed % 4 == 0)
                words.erase(words.begin() + place);
            else if (seed % 4 == 1)
                words.insert(words.begin() + place, other);
            else
                words[static_cast<std::size_t>(place)] = other;
        }
        const std::string text = joined(words);
        check_wording(text);
        if (!parse_text(text).diagnostics.list.empty()) ++found;
    }
    CHECK(found > 1000);
}

TEST_CASE("a random row of tokens and bytes") {
    const auto spare = words_of("kernel function test const target { } ( ) [ ] ; , : +: <- = == + - * .. @ "
                                "cta . 7 1.5 X f32 for in on copy "
                                "tmem frag let wait ld run expect \"s\" R S min select cast <");
    std::mt19937 random(7);
    for (int round = 0; round < 1000; ++round) {
        std::vector<std::string> words;
        for (std::size_t n = random() % 60; n > 0; --n) words.push_back(spare[random() % spare.size()]);
        check_wording(joined(words));
    }
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (std::size_t n = random() % 200; n > 0; --n) bytes += static_cast<char>(random() % 256);
        check_wording(bytes);
    }
}

TEST_SUITE_END();
