// The known slips as a table: what was expected, what was found, and the help that goes with the pair.
#include "grammar/hints.hpp"

#include "base/dtype.hpp"
#include "base/near.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace tmemc::grammar {

namespace {

// A row applies when each of its cells is empty or fits: `what` was expected, `found` stands there, `next`
// after it.
struct Slip {
    std::string_view what, found, next, help;
};
// clang-format off
constexpr Slip slips[] = {
    {"`<-`",                   "=",        "",   "`copy` and `copy_async` move with `<-`: TARGET <- SOURCE"},
    {"`<-`",                   "-",        ">",  "the target comes first: TARGET <- SOURCE"},
    {"`<-`",                   "<",        "",   "`<-` is one token, without a blank inside"},
    {"`=`",                    "<-",       "",   "a copy begins with `copy` or `copy_async`"},
    {"a statement",            "",         "<-", "a copy begins with `copy` or `copy_async`"},
    {"`=`",                    "==",       "",   "an assignment has one `=`"},
    {"`==` or `~=`",           "=",        "",   "`==` compares bits, `~=` within tolerances"},
    {"`==` or `~=`",           "!=",       "",   "an expectation compares with `==` or `~=`"},
    {"a comparison",           "<-",       "",   "`<-` is one token; write `< -` to compare with a negative value"},
    {"`;`",                    "{",        "",   "only `for` and `on` have a block"},
    {"`;`",                    "<-",       "",   "`<-` is one token and copies; a comparison stands in `select(a < -1, p, q)`"},
    {"`;`",                    ".",        "x",  "`cta.x` places slices of tensors and may stand in `let`; a value has no place for it"},
    {"`;`",                    ".",        "y",  "`cta.y` places slices of tensors and may stand in `let`; a value has no place for it"},
    {"`;`",                    ".",        "z",  "`cta.z` places slices of tensors and may stand in `let`; a value has no place for it"},
    {"a comparison",           "=",        "",   "`==` compares"},
    {"`..`",                   ":",        "",   "a loop counts over `0..8`; `0:8` is a slice"},
    {"`..`",                   ".",        "",   "a loop counts over `0..8`"},
    {"a statement",            "",         ":",  "a declaration begins with `tmem`, `frag` or `smem`"},
    {"a statement",            "",         "+",  "an assignment is written TARGET = VALUE"},
    {"a statement",            "",         "-",  "an assignment is written TARGET = VALUE"},
    {"a statement",            "",         "*",  "an assignment is written TARGET = VALUE"},
    {"a statement",            "",         "/",  "an assignment is written TARGET = VALUE"},
    {"a statement",            "const",    "",   "constants stand outside kernels; inside, `let` names a value"},
    {"a statement",            "{",        "",   "a block belongs to `for` or `on`"},
    {"a statement",            ";",        "",   "remove it"},
    {"a statement",            "if",       "",   "there are no branches: `on` picks a warpgroup, `select` a value"},
    {"a statement",            "else",     "",   "there are no branches: `on` picks a warpgroup, `select` a value"},
    {"a statement",            "switch",   "",   "there are no branches: `on` picks a warpgroup, `select` a value"},
    {"a statement",            "while",    "",   "a loop is written: for i in 0..8 { }"},
    {"a statement",            "do",       "",   "a loop is written: for i in 0..8 { }"},
    {"a statement",            "return",   "",   "a kernel or function ends behind its last statement; results go to `out` parameters"},
    {"a value",                ">",        "",   "there are no pointers, so no `->`; a copy is written: copy TARGET <- SOURCE;"},
    {"`;`",                    "?",        "",   "a choice is written select(a > b, p, q)"},
    {"`;`",                    ">",        "",   "a comparison stands in `select(a > b, p, q)`"},
    {"a parameter",            "tmem",     "",   "a kernel declares its tensor memory inside; a `function` takes it as a parameter"},
    {"a parameter",            "frag",     "",   "a fragment parameter belongs to a `function` and says `in`, `out` or `inout`"},
    {"`,` or `)`",             "[",        "",   "a tensor parameter begins with `in`, `out` or `inout`"},
    {"`ld` or `st`",           "",         "",   "`wait ld` waits for loads from tensor memory, `wait st` for stores"},
    {"an axis",                "",         "",   "the axes are tid_in_wg, wid_in_wg, laneid, m, TLane and TCol"},
    {"an atom",                "",         "",   "the atoms are 32x32b, 16x64b, 16x128b, 16x256b and 16x32bx2"},
    {"a datapath",             "",         "",   "a datapath is one letter, `A` to `G`"},
    {"an item",                "",         "",   "a file holds `target`, `const`, `kernel`, `function` and `test` items"},
};

// What a web page or a word processor puts in the place of a character of the language, and other languages' signs.
struct Stand { std::string_view text, help; };
constexpr Stand stands[] = {
    {"\u2212", "a minus sign of the language is `-`"},
    {"\u2013", "a minus sign of the language is `-`"},
    {"\u2014", "a minus sign of the language is `-`"},
    {"\u00d7", "a product is written with `*`"},
    {"\u2190", "a copy is written with `<-`"},
    {"\u2264", "write `<=`"},
    {"\u2265", "write `>=`"},
    {"\u2260", "write `!=`"},
    {"\u201c", "a string stands in straight quotes"},
    {"\u201d", "a string stands in straight quotes"},
    {"\u201e", "a string stands in straight quotes"},
    {"\u00a0", "this is a no-break space; write a blank"},
    {"\u200b", "this is an invisible space; remove it"},
    {"\ufeff", "this is a byte-order mark; it may only begin the file"},
    {"'",      "a string stands in double quotes"},
    {"?",      "a choice is written select(a > b, p, q)"},
    {"&",      "there are no logical operators; `select` chooses, and may stand in another"},
    {"|",      "there are no logical operators; `select` chooses, and may stand in another"},
    {"#define",  "a constant is written: const N = 8;"},
    {"#include", "a program is one file; nothing is included"},
    {"#",      "a comment begins with `//`"},
};
// clang-format on

// Keywords that may stand where this was expected, for "did you mean".
std::vector<std::string> candidates(std::string_view what) {
    using Words = std::vector<std::string>;
    if (what == "a statement")
        return {"tmem", "frag", "smem", "let", "copy", "copy_async", "wait", "sync", "for", "on"};
    if (what == "an item") return {"target", "const", "kernel", "function", "test"};
    if (what == "a test statement") return {"run", "expect"};
    if (what == "`;`")
        return {"datapath", "sub_slab", "layout", "unpacked", "at",   "atom",
                "swizzle",  "masked",   "direct", "staged",   "rtol", "atol"};
    if (what == "`,` or `)`") return {"pitch", "align", "datapath", "sub_slab", "layout", "unpacked", "atom"};
    if (what == "`{`") return {"grid", "warpgroups", "cta_group", "step"};
    if (what == "`warpgroup` or `warp`") return {"warpgroup", "warp"};
    if (what == "a parameter") return {"in", "out", "inout"};
    if (what == "an axis") return Words(axes.begin(), axes.end());
    if (what == "an element type") {
        Words names;
        for (const base::DtypeRow& row : base::dtype_rows) names.emplace_back(row.name);
        return names;
    }
    return {};
}

// Types of C and its relatives, with which a declaration may begin there.
constexpr std::string_view types_of_c[] = {"auto",     "bool",     "char",    "double", "float",
                                           "half",     "int",      "int32_t", "long",   "short",
                                           "uint32_t", "unsigned", "var",     "void"};

/// What a statement that begins with a name, followed by signs, was meant to be: `X += 1.0`, `X++`, `A -> X`.
std::string meant_by(const Token& name) {
    if (std::find(std::begin(types_of_c), std::end(types_of_c), name.text) != std::end(types_of_c))
        return "a declaration begins with `frag`, `tmem` or `let`: frag X: f32[128, 8]; or let n = 0;";
    const Token& sign = (&name)[1];
    if (sign.kind == Token::Kind::end || std::string_view("+-*/%").find(sign.text) == std::string_view::npos)
        return "";
    const Token& next = (&sign)[1];
    if (next.is("=")) return fmt::format("write {0} = {0} {1} ...;", name.text, sign.text);
    if (next.is(sign.text)) return fmt::format("write {0} = {0} {1} 1;", name.text, sign.text);
    if (sign.is("-") && next.is(">")) return "a copy is written: copy TARGET <- SOURCE;";
    return "";
}

bool fits(std::string_view cell, std::string_view text) { return cell.empty() || cell == text; }

} // namespace

void help_with_syntax(base::Diagnostic& diagnostic, const Mistake& mistake) {
    const Token& found = *mistake.found;
    if (found.first_on_line && mistake.what == "`;`") {
        diagnostic.help("a statement ends with `;`");
        return;
    }
    if (const std::string ours = habit(mistake); !ours.empty()) {
        diagnostic.help(ours);
        return;
    }
    if (found.is_name()) {
        const auto near = base::nearest(found.text, candidates(mistake.what));
        if (!near.empty()) {
            diagnostic.help(fmt::format("did you mean `{}`?", near));
            return;
        }
    }
    if (found.keyword && mistake.what == "a name") {
        diagnostic.help(fmt::format("choose another name, `{}_` for example", found.text));
        return;
    }
    if (mistake.what == "a name" && found.is("(") && mistake.before != nullptr && mistake.before->is("for")) {
        diagnostic.help("a loop is written: for i in 0..8 { }");
        return;
    }
    if (mistake.what == "an element type") {
        diagnostic.help(fmt::format("the element types are {}", fmt::join(candidates(mistake.what), " ")));
        return;
    }
    if (mistake.what == "an expression" && found.kind == Token::Kind::floating) {
        diagnostic.help("integers stand here; a loop counts over `0..8`");
        return;
    }
    if (mistake.what == "a statement" && found.is_name())
        if (const std::string meant = meant_by(found); !meant.empty()) {
            diagnostic.help(meant);
            return;
        }
    const std::string_view next = found.kind == Token::Kind::end ? std::string_view() : (&found + 1)->text;
    for (const Slip& slip : slips) {
        if (slip.what != mistake.what || !fits(slip.found, found.text) || !fits(slip.next, next)) continue;
        diagnostic.help(std::string(slip.help));
        return;
    }
}

void help_with_number(base::Diagnostic& diagnostic, std::string_view text, bool atom) {
    const bool shape = text.find('x') != std::string_view::npos && text.find('b') != std::string_view::npos &&
                       !text.starts_with("0");
    if (atom || shape) {
        const auto* const near = std::find_if(atoms.begin(), atoms.end(),
                                              [&](std::string_view each) { return each.starts_with(text); });
        if (near != atoms.end() && text.size() > 4) diagnostic.help(fmt::format("did you mean `{}`?", *near));
        diagnostic.help("the atoms are 32x32b, 16x64b, 16x128b, 16x256b and 16x32bx2");
    } else if (text.starts_with("0X") || text.starts_with("0B"))
        diagnostic.help("the prefixes are `0x` and `0b`");
    else if (text.find('_') != std::string_view::npos)
        diagnostic.help("a `_` stands between two digits of an integer");
    else if (text.find('.') != std::string_view::npos)
        diagnostic.help("a number has no suffix; it takes the type of what it meets");
    else
        diagnostic.help("a name does not begin with a digit");
}

void help_with_character(base::Diagnostic& diagnostic, std::string_view text) {
    const std::string_view first = text.substr(0, base::first_code_point(text).bytes);
    for (const Stand& stand : stands)
        if (stand.text == first || (stand.text.size() > 4 && text.starts_with(stand.text))) {
            diagnostic.help(std::string(stand.help));
            return;
        }
    if (static_cast<unsigned char>(first[0]) >= 0x80)
        diagnostic.help("names are made of `A-Z a-z 0-9 _`; comments and strings may hold anything");
}

} // namespace tmemc::grammar
