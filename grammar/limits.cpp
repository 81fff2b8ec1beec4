// What is checked before anything is read: the size of the text and that it is text at all.
#include "grammar/limits.hpp"

#include "base/utf8.hpp"

namespace tmemc::grammar {

namespace {

constexpr int most_reported = 20; // a file with more lines that are no UTF-8 is no text

std::string_view advice(std::string_view text, unsigned byte) {
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return "the file looks like UTF-16; save it as UTF-8";
    return byte == 0 ? "a source holds no zero bytes" : "save the file as UTF-8";
}

} // namespace

bool check_limits(const base::Source& source, base::Diagnostics& diagnostics) {
    const std::string_view text = source.text();
    if (text.size() > largest_source) {
        diagnostics
            .report(base::catalogue::source_too_large, base::no_place, text.size(), largest_source >> 20)
            .note("what may follow was not counted")
            .help("split the program into several files");
        return false;
    }
    int reported = 0;
    for (std::size_t i = 0; i < text.size();) {
        const base::CodePoint here = base::first_code_point(text.substr(i));
        const auto byte = static_cast<unsigned char>(text[i]);
        if (here.valid && byte != 0) {
            i += here.bytes;
            continue;
        }
        const auto begin = static_cast<std::uint32_t>(i);
        diagnostics.report(base::catalogue::not_text, {begin, begin + 1}, byte)
            .help(std::string(advice(text, byte)));
        if (++reported == most_reported) return false;
        i = text.find('\n', i); // one message a line
        if (i == std::string_view::npos) break;
    }
    return true;
}

} // namespace tmemc::grammar
