// The formatter: where comments go, what is wrapped, and the laws of every text: the same tokens, the same
// comments, the same tree, and no change the second time.
#include "helpers.hpp"
#include "random_tree.hpp"

#include "base/file.hpp"
#include "grammar/format.hpp"
#include "grammar/scan.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

using namespace tmemc;
using namespace tmemc::grammar;

namespace {

std::string formatted(const std::string& text) {
    const FormatResult result = format(base::Source("test.tmx", text));
    CAPTURE(text);
    CHECK(result.diagnostics.list.empty());
    return result.text;
}

/// What a program of one kernel with this body becomes, the body alone, each line without its indent of two.
std::string body(const std::string& text) {
    const std::string head = "kernel k() {\n", tail = "}\n";
    const std::string whole = formatted(head + text + "\n}");
    REQUIRE(whole.starts_with(head));
    REQUIRE(whole.ends_with(tail));
    std::string lines = whole.substr(head.size(), whole.size() - head.size() - tail.size());
    std::string result;
    for (std::size_t begin = 0, end = 0; begin < lines.size(); begin = end + 1) {
        end = lines.find('\n', begin);
        const std::string line = lines.substr(begin, end - begin);
        result += (line.starts_with("  ") ? line.substr(2) : line) + "\n";
    }
    return result;
}

struct Content { // what no formatter may change
    std::vector<std::string> tokens;
    std::multiset<std::string> comments; // blanks and line ends aside
    bool operator==(const Content&) const = default;
};
Content content(const std::string& text) {
    const base::Source source("test.tmx", text);
    base::Diagnostics none;
    Scan scanned = scan(source, none);
    Content result;
    for (const Token& token : scanned.tokens) result.tokens.emplace_back(token.text);
    for (const TriviaItem& each : scanned.trivia) {
        if (each.kind == TriviaItem::Kind::blank_line) continue;
        std::string comment(source.text(each.span));
        comment.erase(std::remove_if(comment.begin(), comment.end(),
                                     [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }),
                      comment.end());
        result.comments.insert(comment);
    }
    return result;
}

/// The lines of a text that break a rule of the form.
std::string slips(const std::string& text) {
    std::string found;
    std::string before = "{";
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        const std::string line = text.substr(begin, end - begin);
        if (line.empty() && (before.empty() || before.ends_with("{"))) found += "a blank line too many\n";
        if (line.ends_with(" ") || line.ends_with("\t") || line.ends_with("\r"))
            found += "blanks at the end: " + line + "\n";
        before = line;
    }
    if (!text.empty() && before.empty()) found += "a blank line at the end\n";
    return found;
}

void check_laws(const std::string& text) {
    CAPTURE(text);
    const std::string once = formatted(text);
    CAPTURE(once);
    CHECK(formatted(once) == once);
    CHECK(content(once) == content(text));
    CHECK(parse_text(once).module == parse_text(text).module);
}

// ---- random trivia -------------------------------------------------------------------------------

/// Writes tokens with random blanks and comments between them, and counts what it wrote by class.
class Scatter {
  public:
    explicit Scatter(std::uint32_t seed) : random_(seed) {}

    std::string text(const std::vector<std::string>& tokens, bool crlf) {
        std::string result;
        gap(result, "start");
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            result += tokens[i];
            if (i + 1 == tokens.size())
                gap(result, "end");
            else if (tokens[i] == "{" && tokens[i + 1] == "}")
                gap(result, "empty block");
            else if (tokens[i] == "{")
                gap(result, "start of a block");
            else if (tokens[i + 1] == "}")
                gap(result, "end of a block");
            else if (tokens[i] == ";" || tokens[i] == "}")
                gap(result, "between statements");
            else
                gap(result, "in a statement");
        }
        if (!crlf) return result;
        for (std::size_t i = 0; (i = result.find('\n', i)) != std::string::npos; i += 2)
            result.replace(i, 1, "\r\n");
        return result;
    }
    [[nodiscard]] const std::map<std::string, int>& drawn() const { return drawn_; }

  private:
    std::size_t below(std::size_t n) { return random_() % n; }
    void add(std::string& text, const char* what, const std::string& where, const char* kind) {
        text += what;
        ++drawn_[where + ": " + kind];
    }
    void gap(std::string& text, const std::string& where) {
        text += below(4) == 0 ? "\n" : " "; // or words would meet
        for (std::size_t n = below(3) == 0 ? below(5) : 0; n > 0; --n) {
            switch (below(8)) {
            case 0: add(text, "// a line  \n", where, "line comment"); break;
            case 1: add(text, "//\n", where, "line comment"); break;
            case 2: add(text, "/* a block */", where, "block comment"); break;
            case 3: add(text, "/* \xe6\xbc\xa2 */ ", where, "block comment"); break;
            case 4: add(text, "/* several \n\n   lines */", where, "comment of several lines"); break;
            case 5: add(text, "\n", where, "line break"); break;
            case 6: add(text, "\n \t\n", where, "blank line"); break;
            default: add(text, "\t", where, "tab"); break;
            }
        }
        if (text.ends_with("/")) text += below(2) == 0 ? " " : "\n";
    }

    std::mt19937 random_;
    std::map<std::string, int> drawn_;
};

std::vector<std::string> tokens_of(const std::string& text) {
    std::vector<std::string> tokens = content(text).tokens;
    tokens.pop_back(); // the end
    return tokens;
}

} // namespace

TEST_SUITE_BEGIN("grammar");

TEST_CASE("one statement a line, indented by two") {
    CHECK(formatted("const  W=8;kernel k(in A:f16[ 128,W ]){copy X<-A;for i in 0 .. 8{on warp 0{}sync ;}}") ==
          "const W = 8;\n"
          "kernel k(in A: f16[128, W]) {\n"
          "  copy X <- A;\n"
          "  for i in 0..8 {\n"
          "    on warp 0 {}\n"
          "    sync;\n"
          "  }\n"
          "}\n");
    CHECK(formatted("").empty());
    CHECK(formatted("\n \n").empty());
    CHECK(formatted("\xef\xbb\xbf"
                    "const\tA=1;\r\n\r\n\r\nconst B=2;") == "const A = 1;\n\nconst B = 2;\n");
}

TEST_CASE("numbers, strings and the brackets of a list stay as they are spelled") {
    CHECK(body("frag X:f32[0x40,1_0]layout S[( 8 ):((1)@m)];Y=X*.5+1e-3;") ==
          "frag X: f32[0x40, 1_0] layout S[(8) : ((1)@m)];\n"
          "Y = X * .5 + 1e-3;\n");
    CHECK(formatted("test \"a  \\\" // b\"{}") == "test \"a  \\\" // b\" {}\n");
}

TEST_CASE("comments between statements") {
    CHECK(body("// own\nsync;// behind\n/* own */\n\n\n\n/* before */ sync;\nsync; /* behind\n  two lines */ "
               "sync;\nsync; /* before too */ sync; // behind, \t \n\n// last") ==
          "// own\n"
          "sync;  // behind\n"
          "/* own */\n"
          "\n"
          "/* before */ sync;\n"
          "sync;                   /* behind\n" // its text stays, blanks at its start too
          "two lines */\n"
          "sync;\n"
          "sync;\n"
          "/* before too */ sync;  // behind,\n"
          "\n"
          "// last\n");
    CHECK(formatted("// a\n\nkernel k() { // b\n\n  // c\n\n}// d\n// e") ==
          "// a\n\nkernel k() {  // b\n  // c\n}  // d\n// e\n");
}

TEST_CASE("comments in empty blocks") {
    CHECK(formatted("kernel k(){/* a */}") == "kernel k() { /* a */ }\n");
    CHECK(formatted("kernel k(){// a\n}") == "kernel k() {  // a\n}\n");
    CHECK(formatted("kernel k(){\n/* a */ /* b */ }") == "kernel k() {\n  /* a */ /* b */\n}\n");
    CHECK(formatted("kernel k(){\n\n}") == "kernel k() {}\n");
}

TEST_CASE("comments in a statement") {
    CHECK(body("copy/*a*/X[/*b*/:/*c*/,0/*d*/:8/*e*/]<-/*f*/A/*g*/;") ==
          "copy /*a*/ X[/*b*/ : /*c*/, 0 /*d*/ :8 /*e*/] <- /*f*/ A /*g*/;\n");
    CHECK(body("copy X // which\n// and\n/* from */ <-\nA;") == "copy X  // which\n"
                                                                "    // and\n"
                                                                "    /* from */ <- A;\n");
    CHECK(formatted("kernel k(in A: f32[8], // from\n out B: f32[8, 8]) { // to\n}") ==
          "kernel k(in A: f32[8],   // from\n"
          "    out B: f32[8, 8]) {  // to\n"
          "}\n");
}

TEST_CASE("comments of neighbours stand in one column") {
    CHECK(body("sync; // a\ncopy X <- A;\nwait st; // b\n\nsync; // c\n// d\nwait ld, st; // e\n"
               "on warp 0 { // f\nsync; // g\n} // h") == "sync;     // a\n"
                                                          "copy X <- A;\n"
                                                          "wait st;  // b\n"
                                                          "\n"
                                                          "sync;  // c\n"
                                                          "// d\n"
                                                          "wait ld, st;  // e\n"
                                                          "on warp 0 {   // f\n"
                                                          "  sync;  // g\n"
                                                          "}  // h\n");
}

TEST_CASE("a long statement is broken where it costs least") {
    CHECK(formatted("kernel quantize(in Activations: f32[128, W], in Scale: f32[128], out Quantized: "
                    "f8e4m3[128, W], alpha: f32) grid(2) {}") ==
          "kernel quantize(in Activations: f32[128, W], in Scale: f32[128], out Quantized: f8e4m3[128, W],\n"
          "    alpha: f32) grid(2) {}\n");
    CHECK(body("Y = select(Activations < 0.0, Activations * slope, Activations) + cols(Bias[:, 0 +: 32]) * "
               "rows(A) + 1.0;") == "Y = select(Activations < 0.0, Activations * slope, Activations) +\n"
                                    "    cols(Bias[:, 0 +: 32]) * rows(A) + 1.0;\n");
    const std::string name(120, 'x');
    CHECK(body("wait_for_" + name + "(A);") == "wait_for_" + name + "(A);\n");
    std::string product = "const A = 1";
    for (int i = 0; i < 60; ++i) product += "*10";
    const std::string broken = formatted(product + ";");
    CHECK(broken.find('\n') == 99);
    CHECK(formatted(broken) == broken);
}

TEST_CASE("a text with mistakes is left alone") {
    const FormatResult result = format(base::Source("test.tmx", "kernel k() { copy X <-; }"));
    CHECK(result.diagnostics.has_errors());
    CHECK(result.text.empty());
}

TEST_CASE("printed trees are formatted but for long lines") {
    for (std::uint32_t seed = 1; seed <= 200; ++seed) {
        CAPTURE(seed);
        const std::string text = print(RandomTree(seed).module());
        std::size_t longest = 0;
        for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
            end = text.find('\n', begin);
            longest = std::max(longest, end - begin);
        }
        if (longest <= 100) CHECK(formatted(text) == text);
    }
}

TEST_CASE("random programs with random blanks and comments keep their content") {
    std::map<std::string, int> drawn;
    int broken = 0;
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        CAPTURE(seed);
        Scatter scatter(seed);
        const std::string plain = print(RandomTree(seed).module());
        const std::string text = scatter.text(tokens_of(plain), seed % 5 == 0);
        check_laws(text);
        const std::string once = formatted(text);
        if (content(text).comments.count("/*severallines*/") == 0) CHECK(slips(once) == "");
        // Without comments and blank lines there is one form, whatever the blanks were.
        const std::string bare = formatted(plain);
        broken += once != bare;
        for (const auto& [what, times] : scatter.drawn()) drawn[what] += times;
    }
    std::string counts;
    for (const auto& [what, times] : drawn) counts += "\n  " + what + ": " + std::to_string(times);
    MESSAGE("drawn" << counts);
    CHECK(drawn.size() == 7 * 6);
    CHECK(broken > 100);
}

TEST_CASE("one form for every spacing") {
    for (std::uint32_t seed = 1; seed <= 100; ++seed) {
        CAPTURE(seed);
        const std::string plain = print(RandomTree(seed).module());
        std::mt19937 random(seed);
        std::string text;
        for (const std::string& token : tokens_of(plain)) text += token + (random() % 3 == 0 ? "\n" : " \t");
        std::string expected = formatted(plain);
        for (std::size_t i = 0; (i = expected.find("\n\n")) != std::string::npos;) expected.erase(i, 1);
        CHECK(formatted(text) == expected);
    }
}

TEST_CASE("every program of the tests keeps its content") {
    int programs = 0;
    for (const char* folder : {"golden", "../examples"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            if (entry.path().extension() != ".tmx") continue;
            std::string error;
            const auto text = base::read_file(entry.path().string(), error);
            REQUIRE_MESSAGE(text.has_value(), error);
            if (parse_text(*text).diagnostics.has_errors()) continue;
            CAPTURE(entry.path().string());
            check_laws(*text);
            ++programs;
        }
    MESSAGE("programs: " << programs);
    CHECK(programs > 100);
}

TEST_SUITE_END();
