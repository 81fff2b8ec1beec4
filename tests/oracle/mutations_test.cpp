// Ten thousand mutants of the examples through the compiler: a byte, a token, a number or a line of a program
// is dropped, doubled, swapped or replaced. Each must be taken, and then its PTX verify, or be refused with
// messages that lie in the text, within two seconds and in the project's own words. A crash ends this test,
// and an invariant that breaks (exit status 70) fails it; the seed of the mutant is in the message.
//
// $MUTANTS sets another number of them, for a longer search or under a sanitizer.
#include "base/render.hpp"
#include "pipeline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace tmemc;

/// A program in pieces: words, numbers, blanks, and other characters one by one.
std::vector<std::string> pieces_of(const std::string& text) {
    const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::vector<std::string> pieces;
    for (const char c : text) {
        const bool goes_on = !pieces.empty() && is_word(c) && is_word(pieces.back().back());
        if (goes_on)
            pieces.back() += c;
        else
            pieces.emplace_back(1, c);
    }
    return pieces;
}

std::string joined(const std::vector<std::string>& pieces) {
    std::string text;
    for (const std::string& each : pieces) text += each;
    return text;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines{""};
    for (const char c : text) {
        lines.back() += c;
        if (c == '\n') lines.emplace_back();
    }
    return lines;
}

class Mutator {
  public:
    explicit Mutator(unsigned seed) : random_(seed) {}

    /// The mutant; `kind` becomes the name of what was done.
    std::string mutate(const std::string& text, std::string& kind) {
        static const std::vector<std::string> kinds{
            "byte",       "drop a piece", "double a piece", "swap pieces", "number",
            "other word", "drop a line",  "double a line",  "swap lines",  "cut"};
        kind = kinds[below(kinds.size())];
        if (kind == "byte") return with_byte(text);
        if (kind == "cut") return text.substr(0, below(text.size()));
        if (kind.find("line") != std::string::npos) return joined(changed(lines_of(text), kind));
        std::vector<std::string> pieces = pieces_of(text);
        if (kind == "number") return joined(with_number(pieces));
        if (kind == "other word") {
            pieces[word(pieces)] = pieces[word(pieces)];
            return joined(pieces);
        }
        return joined(changed(std::move(pieces), kind));
    }
    std::size_t below(std::size_t count) {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
    }

  private:
    std::mt19937 random_;

    std::string with_byte(std::string text) {
        text[below(text.size())] = static_cast<char>(below(256));
        return text;
    }
    std::vector<std::string> with_number(std::vector<std::string> pieces) {
        static const std::vector<std::string> numbers{
            "0",  "1",    "-1",  "2",   "3",   "16",         "31",
            "64", "127",  "129", "512", "513", "4294967296", "9223372036854775807",
            "0x", "1e999"};
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < pieces.size(); ++i)
            if (std::isdigit(static_cast<unsigned char>(pieces[i].front())) != 0) places.push_back(i);
        if (!places.empty()) pieces[places[below(places.size())]] = numbers[below(numbers.size())];
        return pieces;
    }
    /// The place of a piece that is more than a blank.
    std::size_t word(const std::vector<std::string>& pieces) {
        std::size_t at = below(pieces.size());
        while (pieces[at] == " " || pieces[at] == "\n") at = below(pieces.size());
        return at;
    }
    std::vector<std::string> changed(std::vector<std::string> parts, const std::string& kind) {
        const std::size_t at = below(parts.size());
        const auto place = parts.begin() + static_cast<std::ptrdiff_t>(at);
        if (kind.rfind("drop", 0) == 0)
            parts.erase(place);
        else if (kind.rfind("double", 0) == 0)
            parts.insert(place, std::string(parts[at]));
        else
            std::swap(parts[at], parts[below(parts.size())]);
        return parts;
    }
};

std::vector<std::string> examples() {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator("../examples"))
        if (entry.path().extension() == ".tmx") paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    std::vector<std::string> texts;
    texts.reserve(paths.size());
    for (const auto& path : paths) {
        std::ifstream stream(path, std::ios::binary);
        texts.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    }
    return texts;
}

/// What only the compiler of this compiler should ever see.
std::string foreign_word(const std::string& message) {
    for (const char* each : {"std::", "tmemc::", "basic_string", "unsigned int", "unsigned long", "size_t",
                             "variant", "optional<", "boost", "lambda", "nullptr", "terminate"})
        if (message.find(each) != std::string::npos) return each;
    return {};
}

bool lies_in(base::Span span, const base::Source& source) {
    return span == base::no_place || (span.begin <= span.end && span.end <= source.text().size());
}

} // namespace

TEST_CASE("mutants of the examples are taken or refused, quickly and in plain words") {
    const std::vector<std::string> programs = examples();
    REQUIRE(programs.size() > 10);
    const char* const asked = std::getenv("MUTANTS");
    const unsigned count = asked != nullptr ? static_cast<unsigned>(std::atoi(asked)) : 10'000;
    std::map<std::string, int> kinds;
    int taken = 0;
    double longest = 0;
    for (unsigned seed = 0; seed < count; ++seed) {
        Mutator mutator(seed);
        std::string kind;
        const base::Source source("mutant.tmx",
                                  mutator.mutate(programs[mutator.below(programs.size())], kind));
        ++kinds[kind];
        INFO("seed ", seed, ", ", kind);
        const auto begin = std::chrono::steady_clock::now();
        const Compilation made = compile(source);
        CHECK_FALSE(verify_text(made).mismatch.has_value());
        const std::chrono::duration<double> taken_s = std::chrono::steady_clock::now() - begin;
        longest = std::max(longest, taken_s.count());
        taken += made.ok() ? 1 : 0;
        CHECK(made.ok() == !made.ptx.text.empty());
        for (const base::Diagnostic& each : made.diagnostics.list) {
            const std::string message = base::render_text(each, source, {});
            CHECK_MESSAGE(foreign_word(message).empty(), message);
            CHECK(lies_in(each.span, source));
            for (const base::Label& label : each.labels) CHECK(lies_in(label.span, source));
        }
    }
    for (const auto& [kind, number] : kinds) MESSAGE(kind, ": ", number);
    MESSAGE("taken: ", taken, " of ", count, "; the longest took ", longest, " s");
    CHECK(kinds.size() == 10);
    CHECK(taken > static_cast<int>(count) / 20);
    CHECK(taken < static_cast<int>(count) / 2);
    CHECK(longest < 2);
}
