// A scanner over the text of the dict with one remembered complaint: the first thing that does not fit ends
// the reading, so every step may go on as if all were well and the caller looks once.
#include "runtime/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <utility>

namespace tmemc::runtime {

namespace {

class Scanner {
  public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    [[nodiscard]] bool failed() const { return !complaint_.empty(); }
    [[nodiscard]] const std::string& complaint() const { return complaint_; }
    void fail(std::string sentence) {
        if (!failed()) complaint_ = std::move(sentence);
        rest_ = {};
    }

    /// Skips blanks and takes `token` when it comes next.
    bool take(std::string_view token) {
        while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n')) rest_.remove_prefix(1);
        if (!rest_.starts_with(token)) return false;
        rest_.remove_prefix(token.size());
        return true;
    }
    void expect(std::string_view token) {
        if (!take(token)) fail_expecting(token);
    }
    void fail_expecting(std::string_view what) {
        const std::string found = rest_.empty() ? "its end" : fmt::format("`{}`", rest_.substr(0, 12));
        fail(fmt::format("its header is no dict of NumPy's: expected `{}`, found {}", what, found));
    }
    [[nodiscard]] bool at_end() {
        take("");
        return rest_.empty();
    }

    std::string string() {
        const std::string_view quote = take("\"") ? "\"" : "'";
        if (quote == "'") expect("'");
        const std::size_t end = rest_.find(quote);
        if (end == std::string_view::npos) {
            fail("its header has a string that does not end");
            return {};
        }
        std::string text(rest_.substr(0, end));
        rest_.remove_prefix(end + 1);
        return text;
    }

    bool boolean() {
        if (take("True")) return true;
        expect("False");
        return false;
    }

    std::int64_t extent() {
        take("");
        std::int64_t value = 0;
        const auto [stop, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
        if (error == std::errc::result_out_of_range) fail("its header has an extent beyond 64 bits");
        if (error == std::errc::invalid_argument) fail_expecting("an integer");
        if (failed()) return 0;
        if (value < 0) fail(fmt::format("its header has a negative extent, {}", value));
        rest_.remove_prefix(failed() ? 0 : static_cast<std::size_t>(stop - rest_.data()));
        return value;
    }

    std::vector<std::int64_t> tuple() {
        std::vector<std::int64_t> extents;
        expect("(");
        while (!failed() && !take(")")) {
            extents.push_back(extent());
            if (take(")")) break;
            expect(",");
        }
        return extents;
    }

  private:
    std::string_view rest_;
    std::string complaint_;
};

void read_entry(Scanner& scanner, NpyHeader& header, std::set<std::string>& seen) {
    const std::string key = scanner.string();
    scanner.expect(":");
    if (scanner.failed()) return;
    if (!seen.insert(key).second) return scanner.fail(fmt::format("its header has the key `{}` twice", key));
    if (key == "descr") {
        if (scanner.take("[")) return scanner.fail("it holds records, not plain numbers");
        header.descr = scanner.string();
    } else if (key == "fortran_order") {
        header.fortran_order = scanner.boolean();
    } else if (key == "shape") {
        header.shape = scanner.tuple();
    } else {
        scanner.fail(fmt::format("its header has the key `{}`, which NumPy does not write", key));
    }
}

} // namespace

std::variant<NpyHeader, std::string> read_npy_header(std::string_view text) {
    const auto printable = [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); };
    if (!std::all_of(text.begin(), text.end(), printable)) return "its header has bytes that are no text";
    Scanner scanner(text);
    NpyHeader header;
    std::set<std::string> seen;
    scanner.expect("{");
    while (!scanner.failed() && !scanner.take("}")) {
        read_entry(scanner, header, seen);
        if (scanner.take("}")) break;
        scanner.expect(",");
    }
    if (!scanner.failed() && !scanner.at_end()) scanner.fail("its header goes on after the dict");
    for (const char* const key : {"descr", "fortran_order", "shape"}) {
        if (!scanner.failed() && !seen.contains(key))
            scanner.fail(fmt::format("its header has no `{}`", key));
    }
    if (scanner.failed()) return scanner.complaint();
    return header;
}

} // namespace tmemc::runtime
