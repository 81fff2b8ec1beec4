// The reader of modules: a method per construct, each of which either stands behind what it read or reports
// and gives up its part. Not here: bytes to tokens (tokens.hpp), the statements of a body
// (read_statement.hpp), what is declared (read_declaration.hpp).
#include "ptx/read.hpp"

#include "ptx/cursor.hpp"
#include "ptx/read_declaration.hpp"
#include "ptx/read_statement.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <limits>
#include <set>
#include <string>

namespace tmemc::ptx {
namespace {

using Kind = Token::Kind;

const std::vector<std::string> module_directives = {
    ".version", ".target", ".address_size", ".visible", ".extern", ".weak",    ".common", ".entry", ".func",
    ".shared",  ".global", ".const",        ".local",   ".file",   ".section", ".pragma", ".alias"};
const std::vector<std::string> head_directives = {
    ".reqntid",      ".maxnreg",  ".maxntid", ".minnctapersm",    ".reqnctapercluster", ".maxclusterrank",
    ".maxnctapersm", ".noreturn", ".pragma",  ".explicitcluster", ".blocksareclusters"};

class Reader {
  public:
    explicit Reader(const base::Source& source)
        : source_(source), cursor_(tokens(source, result_.diagnostics), result_.diagnostics) {}
    ReadResult all();

  private:
    bool header();
    bool version();
    bool target();
    bool item();
    void skip_item();
    bool file();
    bool section();
    bool alias();
    bool variable(Linkage linkage);
    bool function(Linkage linkage);
    bool head(Function& into);
    bool head_directive(Function& into);
    bool extents(std::optional<Extents>& into);
    bool body(Function& into);

    const base::Source& source_;
    ReadResult result_;
    Cursor cursor_;
    std::set<std::string> bodies_; // names of the functions that have one
};

ReadResult Reader::all() {
    if (!header()) skip_item();
    while (!cursor_.at_end())
        if (!item()) skip_item();
    return std::move(result_);
}

bool Reader::header() {
    if (!cursor_.expect(".version") || !version() || !target()) return false;
    if (!cursor_.take_if(".address_size")) return true;
    if (cursor_.peek().text != "64") return cursor_.fail("`64`, the address size of every target here");
    cursor_.take();
    return true;
}

bool Reader::target() {
    Module& module = result_.module;
    if (!cursor_.expect(".target") || !cursor_.name(module.target, "a target such as `sm_100a`"))
        return false;
    while (cursor_.take_if(','))
        if (!cursor_.name(module.options.emplace_back(), "a target or an option such as `debug`"))
            return false;
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
    if (cursor_.take_if(';')) return true; // an empty statement, as behind some pragmas
    if (!cursor_.peek().is(Kind::directive)) return cursor_.fail("a directive of the module");
    if (cursor_.peek().text == ".file") return file();
    if (cursor_.peek().text == ".section") return section();
    if (cursor_.peek().text == ".alias") return alias();
    if (cursor_.peek().text == ".pragma") return read_pragmas(cursor_, result_.module.pragmas);
    const Linkage linkage = take_linkage(cursor_);
    const std::string_view text = cursor_.peek().text;
    if (text == ".entry" || text == ".func") return function(linkage);
    if (is_space(text)) return variable(linkage);
    if (linkage != Linkage::none) return cursor_.fail("`.entry`, `.func` or a state space");
    return cursor_.unknown_directive("at this place of a module", module_directives);
}

/// Goes on at the next function.
void Reader::skip_item() {
    static constexpr std::string_view openers[] = {".visible", ".weak", ".entry", ".func"};
    do cursor_.take();
    while (!cursor_.at_end() &&
           std::find(std::begin(openers), std::end(openers), cursor_.peek().text) == std::end(openers));
}

bool Reader::file() {
    constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
    cursor_.take();
    File& file = result_.module.files.emplace_back();
    if (!cursor_.number(file.number) || !cursor_.string(file.name, "the file's name")) return false;
    if (!cursor_.take_if(',')) return true;
    return cursor_.number(file.time, any) && cursor_.expect(',') && cursor_.number(file.bytes, any);
}

/// Debug information, which nobody here has a use for: behind `.section .debug_str` braces without braces.
bool Reader::section() {
    cursor_.take();
    while (!cursor_.peek().is('{') && !cursor_.at_end()) cursor_.take();
    while (!cursor_.peek().is('}') && !cursor_.at_end()) cursor_.take();
    return cursor_.expect('}');
}

bool Reader::alias() {
    cursor_.take();
    Alias& alias = result_.module.aliases.emplace_back();
    return cursor_.name(alias.name, "a function's name") && cursor_.expect(',') &&
           cursor_.name(alias.of, "a function's name") && cursor_.expect(';');
}

bool Reader::variable(Linkage linkage) {
    Variable declared;
    declared.linkage = linkage;
    const base::Span begin = cursor_.peek().span;
    if (!read_variable(cursor_, declared) || !cursor_.expect(';')) return false;
    result_.module.variables.push_back(std::move(declared));
    result_.variables.push_back(base::join(begin, cursor_.last().span));
    return true;
}

bool Reader::function(Linkage linkage) {
    Function into;
    into.linkage = linkage;
    into.entry = cursor_.take_if(".entry");
    if (!into.entry && !cursor_.take_if(".func")) return cursor_.fail("`.entry` or `.func`");
    if (!into.entry && cursor_.peek().is('(') && !read_parameters(cursor_, into.results)) return false;
    if (!cursor_.name(into.name, "the function's name")) return false;
    const base::Span name = cursor_.last().span;
    if (cursor_.peek().is('(') && !read_parameters(cursor_, into.parameters)) return false;
    if (!head(into)) return false;
    into.prototype = cursor_.take_if(';');
    if (!into.prototype && !cursor_.expect('{')) return false;
    if (!into.prototype && !bodies_.insert(into.name).second)
        result_.diagnostics.report(base::catalogue::ptx_syntax, name, "a function that has no body yet",
                                   "`" + into.name + "`");
    const bool whole = body(into);
    result_.functions.push_back(name);
    result_.module.functions.push_back(std::move(into));
    return whole;
}

bool Reader::head(Function& into) {
    while (cursor_.peek().is(Kind::directive))
        if (!head_directive(into)) return false;
    return true;
}

bool Reader::head_directive(Function& into) {
    if (cursor_.take_if(".reqntid")) return extents(into.required_threads);
    if (cursor_.take_if(".maxntid")) return extents(into.max_threads);
    if (cursor_.take_if(".reqnctapercluster")) return extents(into.required_cluster);
    if (cursor_.take_if(".maxnreg")) return cursor_.number(into.max_registers.emplace());
    // .maxnctapersm is the old name of .minnctapersm.
    if (cursor_.take_if(".minnctapersm") || cursor_.take_if(".maxnctapersm"))
        return cursor_.number(into.min_ctas.emplace());
    if (cursor_.take_if(".maxclusterrank")) return cursor_.number(into.max_cluster.emplace());
    if (cursor_.peek().text == ".pragma") return read_pragmas(cursor_, into.pragmas);
    if (cursor_.take_if(".explicitcluster")) return into.explicit_cluster = true;
    if (cursor_.take_if(".blocksareclusters")) return into.blocks_are_clusters = true;
    if (cursor_.take_if(".noreturn")) return into.no_return = true;
    return cursor_.unknown_directive("before a function's body", head_directives);
}

/// One to three numbers, the rest 1.
bool Reader::extents(std::optional<Extents>& into) {
    Extents& threads = into.emplace(Extents{1, 1, 1});
    std::size_t axis = 0;
    do
        if (!cursor_.number(threads[axis])) return false;
    while (++axis < threads.size() && cursor_.take_if(','));
    return true;
}

bool Reader::body(Function& into) {
    std::vector<ReadStatement> list;
    StatementReader statements(cursor_);
    if (!into.prototype) statements.body(list);
    std::vector<std::uint32_t>& lines = result_.lines.emplace_back();
    std::vector<base::Span>& spans = result_.spans.emplace_back();
    for (ReadStatement& each : list) {
        into.body.push_back(std::move(each.statement));
        lines.push_back(source_.position(each.span.begin).line);
        spans.push_back(each.span);
    }
    return into.prototype || cursor_.expect('}');
}

} // namespace

ReadResult read(const base::Source& source) { return Reader(source).all(); }

} // namespace tmemc::ptx
