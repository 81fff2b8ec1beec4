// The reader of modules: a method per construct, each of which either stands behind what it read or reports
// and gives up its part. Not here: bytes to tokens (tokens.hpp), the statements of a body
// (read_statement.hpp).
#include "ptx/read.hpp"

#include "ptx/cursor.hpp"
#include "ptx/read_statement.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <string>

namespace tmemc::ptx {
namespace {

using Kind = Token::Kind;

const std::vector<std::string> module_directives = {
    ".version", ".target", ".address_size", ".visible", ".entry", ".func", ".shared", ".global", ".const"};
const std::vector<std::string> head_directives = {".reqntid", ".maxnreg"};

class Reader {
  public:
    explicit Reader(const base::Source& source)
        : source_(source), cursor_(tokens(source, result_.diagnostics), result_.diagnostics) {}
    ReadResult all();

  private:
    bool header();
    bool version();
    bool item();
    void skip_item();
    bool variable();
    bool function();
    bool parameters(Function& into);
    bool parameter(Parameter& into);
    bool head(Function& into);
    bool required_threads(Function& into);
    bool body(Function& into);

    const base::Source& source_;
    ReadResult result_;
    Cursor cursor_;
};

ReadResult Reader::all() {
    if (!header()) skip_item();
    while (!cursor_.at_end())
        if (!item()) skip_item();
    return std::move(result_);
}

bool Reader::header() {
    if (!cursor_.expect(".version") || !version()) return false;
    if (!cursor_.expect(".target") || !cursor_.name(result_.module.target, "a target such as `sm_100a`"))
        return false;
    if (!cursor_.take_if(".address_size")) return true;
    if (cursor_.peek().text != "64") return cursor_.fail("`64`, the address size of every target here");
    cursor_.take();
    return true;
}

bool Reader::version() {
    const std::string_view text = cursor_.peek().text;
    const std::size_t dot = text.find('.');
    const char* const end = text.data() + text.size();
    Version& into = result_.module.version;
    if (!cursor_.peek().is(Kind::number) || dot == std::string_view::npos ||
        std::from_chars(text.data(), end, into.major).ptr != text.data() + dot ||
        std::from_chars(text.data() + dot + 1, end, into.minor).ptr != end)
        return cursor_.fail("a version such as `8.6`");
    cursor_.take();
    return true;
}

bool Reader::item() {
    const std::string_view text = cursor_.peek().text;
    if (!cursor_.peek().is(Kind::directive)) return cursor_.fail("a directive of the module");
    if (text == ".visible" || text == ".entry" || text == ".func") return function();
    if (text == ".shared" || text == ".global" || text == ".const") return variable();
    return cursor_.unknown_directive("at this place of a module", module_directives);
}

/// Goes on at the next function.
void Reader::skip_item() {
    static constexpr std::string_view openers[] = {".visible", ".entry", ".func"};
    do cursor_.take();
    while (!cursor_.at_end() &&
           std::find(std::begin(openers), std::end(openers), cursor_.peek().text) == std::end(openers));
}

bool Reader::variable() {
    Variable declared;
    if (!read_variable(cursor_, declared) || !cursor_.expect(';')) return false;
    result_.module.variables.push_back(std::move(declared));
    return true;
}

bool Reader::function() {
    Function into;
    into.visible = cursor_.take_if(".visible");
    into.entry = cursor_.take_if(".entry");
    if (!into.entry && !cursor_.take_if(".func")) return cursor_.fail("`.entry` or `.func`");
    if (!cursor_.name(into.name, "the function's name") || !parameters(into) || !head(into) ||
        !cursor_.expect('{'))
        return false;
    const bool whole = body(into);
    result_.module.functions.push_back(std::move(into));
    return whole;
}

bool Reader::parameters(Function& into) {
    if (!cursor_.take_if('(') || cursor_.take_if(')')) return true;
    do
        if (!parameter(into.parameters.emplace_back())) return false;
    while (cursor_.take_if(','));
    return cursor_.expect(')');
}

bool Reader::parameter(Parameter& into) {
    if (!cursor_.expect(".param") || (cursor_.take_if(".align") && !cursor_.number(into.align))) return false;
    if (!cursor_.type(into.type) || !cursor_.name(into.name, "the parameter's name")) return false;
    if (!cursor_.take_if('[')) return true;
    return cursor_.number(into.count.emplace(), std::numeric_limits<std::uint32_t>::max()) &&
           cursor_.expect(']');
}

bool Reader::head(Function& into) {
    while (cursor_.peek().is(Kind::directive)) {
        if (cursor_.take_if(".reqntid")) {
            if (!required_threads(into)) return false;
        } else if (cursor_.take_if(".maxnreg")) {
            if (!cursor_.number(into.max_registers.emplace())) return false;
        } else {
            return cursor_.unknown_directive("before a function's body", head_directives);
        }
    }
    return true;
}

bool Reader::required_threads(Function& into) {
    std::array<std::uint32_t, 3>& threads =
        into.required_threads.emplace(std::array<std::uint32_t, 3>{1, 1, 1});
    std::size_t axis = 0;
    do
        if (!cursor_.number(threads[axis])) return false;
    while (++axis < threads.size() && cursor_.take_if(','));
    return true;
}

bool Reader::body(Function& into) {
    std::vector<ReadStatement> list;
    StatementReader statements(cursor_);
    while (!cursor_.peek().is('}') && !cursor_.at_end())
        if (!statements.read(list)) statements.skip();
    std::vector<std::uint32_t>& lines = result_.lines.emplace_back();
    std::vector<base::Span>& spans = result_.spans.emplace_back();
    for (ReadStatement& each : list) {
        into.body.push_back(std::move(each.statement));
        lines.push_back(source_.position(each.span.begin).line);
        spans.push_back(each.span);
    }
    return cursor_.expect('}');
}

} // namespace

ReadResult read(const base::Source& source) { return Reader(source).all(); }

} // namespace tmemc::ptx
