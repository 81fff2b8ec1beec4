// The rules, in Spirit over characters, tried in the order of the last one. Each matches text and yields the
// Lexeme that stands behind it; the text itself is what the iterator passed.
#include "grammar/lexical.hpp"

#include "grammar/tokens.hpp"

#include <boost/spirit/home/x3.hpp>

#include <string>

namespace tmemc::grammar {

namespace {

namespace x3 = boost::spirit::x3;
using x3::lit;

// A table takes the longest of its spellings that fits.
template <class Spellings>
x3::symbols<x3::unused_type> any_of(const Spellings& spellings) {
    x3::symbols<x3::unused_type> table;
    for (const std::string_view spelling : spellings) table.add(std::string(spelling));
    return table;
}
const auto symbol = any_of(symbols);
const auto atom_name = any_of(atoms);

const auto range = [](char from, char to) { return x3::omit[x3::char_(from, to)]; };
const auto any = x3::omit[x3::char_];
const auto line_break = lit("\r\n") | '\n';
const auto digit = range('0', '9');
const auto letter = range('a', 'z') | range('A', 'Z') | '_';
const auto glued = letter | digit;
const auto separated = [](auto each) { return each >> *(-lit('_') >> each); };

const auto blank = +(lit(' ') | '\t' | '\v' | '\f' | '\r' >> !lit('\n'));
const auto line_comment = "//" >> *(any - line_break);
const auto open_comment = "/*" >> *(any - "*/");
const auto block_comment = open_comment >> "*/";
const auto comment_end = "*/" >> !lit('*'); // `a */* twice */ 2` is a product
const auto word = letter >> *glued;
const auto atom = atom_name >> !glued;
const auto number_end = !glued >> !('.' >> digit); // a number that runs on is malformed
const auto exponent = (lit('e') | 'E') >> -(lit('+') | '-') >> +digit;
const auto fraction = +digit >> '.' >> !lit('.') >> *digit | '.' >> +digit;
const auto floating = (fraction >> -exponent | +digit >> exponent) >> number_end;
const auto hexadecimal = "0x" >> separated(digit | range('a', 'f') | range('A', 'F'));
const auto binary = "0b" >> separated(range('0', '1'));
const auto integer = (hexadecimal | binary | separated(digit)) >> number_end;
const auto malformed = -lit('.') >> digit >> *(glued | '.' >> glued);
const auto open_string = '"' >> *('\\' >> (any - line_break) | (any - '"' - '\\' - line_break));
const auto string = open_string >> '"';

const auto as = [](auto rule, Lexeme lexeme) { return x3::omit[rule] >> x3::attr(lexeme); };
const auto lexeme = as(blank, Lexeme::blank) | as(line_break, Lexeme::line_break) | as(word, Lexeme::word) |
                    as(line_comment, Lexeme::line_comment) | as(block_comment, Lexeme::block_comment) |
                    as(open_comment, Lexeme::open_comment) | as(comment_end, Lexeme::comment_end) |
                    as(atom, Lexeme::atom) | as(floating, Lexeme::floating) | as(integer, Lexeme::integer) |
                    as(malformed, Lexeme::malformed) | as(symbol, Lexeme::symbol) |
                    as(string, Lexeme::string) | as(open_string, Lexeme::open_string) |
                    as(any, Lexeme::stray);

} // namespace

Lexeme next_lexeme(const char*& first, const char* last) {
    Lexeme result{};
    x3::parse(first, last, lexeme, result);
    return result;
}

} // namespace tmemc::grammar
