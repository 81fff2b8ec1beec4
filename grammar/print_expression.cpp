// Integer expressions, regions, layouts, attributes and values.
#include "grammar/printer.hpp"

namespace tmemc::grammar {

namespace {

bool is_simple(const ast::Expr& expr) { return expr.rest.empty(); }
bool is_simple(const std::optional<ast::Expr>& expr) { return !expr || is_simple(*expr); }

// `((a))`, a list whose one entry stands in brackets, would lose them if it stood bare: `(a)` is the list
// `a`.
bool stands_bare(const ast::List& list) {
    if (list.entries.size() != 1) return false;
    const ast::Entry& entry = list.entries[0];
    const bool one_factor = entry.value.rest.empty() && entry.value.first.rest.empty();
    const bool bracketed = one_factor && std::holds_alternative<ast::Paren>(entry.value.first.first.node);
    return !bracketed || entry.axis.has_value();
}

const char* word_of(ast::Attribute::Kind kind) {
    using Kind = ast::Attribute::Kind;
    switch (kind) {
    case Kind::datapath: return "datapath";
    case Kind::sub_slab: return "sub_slab";
    case Kind::layout: return "layout";
    case Kind::unpacked: return "unpacked";
    case Kind::at: return "at";
    case Kind::atom: return "atom";
    case Kind::swizzle: return "swizzle";
    case Kind::pitch: return "pitch";
    case Kind::align: return "align";
    }
    return "";
}

} // namespace

void Printer::write(const ast::String& node) {
    put("\"");
    for (const char& character : node.text) {
        if (character == '"' || character == '\\') put("\\");
        put({&character, 1});
    }
    put("\"");
}

void Printer::write(const ast::Negation& node) { say("-", node.operand.front()); }
void Printer::write(const ast::CtaIndex& node) { say("cta.", node.axis); }
void Printer::write(const ast::MinMax& node) {
    say(node.function, "(");
    list(node.arguments);
    put(")");
}
void Printer::write(const ast::Paren& node) { say("(", node.inner.front(), ")"); }

void Printer::write(const ast::Range& node) {
    const bool spaced = !is_simple(node.from) || !is_simple(node.to);
    if (node.from) write(*node.from);
    put(spaced && node.from ? " :" : ":");
    put(spaced && node.to ? " " : "");
    if (node.to) write(*node.to);
}
void Printer::write(const ast::Window& node) { say(node.base, " +: ", node.width); }
void Printer::write(const ast::Point& node) { write(node.index); }
void Printer::write(const ast::Region& node) {
    write(node.object);
    if (!node.slices) return;
    put("[");
    list(*node.slices);
    put("]");
}

void Printer::write(const ast::Entry& node) {
    write(node.value);
    if (node.axis) say("@", *node.axis);
}
void Printer::write(const ast::List& node) {
    if (stands_bare(node)) return write(node.entries[0]);
    put("(");
    list(node.entries);
    put(")");
}
void Printer::write(const ast::Digits& node) { say("[", node.extents, " : ", node.strides, "]"); }
void Printer::write(const ast::Offset& node) {
    say(" + ", node.value);
    if (node.axis) say("@", *node.axis);
}
void Printer::write(const ast::Layout& node) {
    say("S", node.shard);
    if (node.replica) say(" + R", *node.replica);
    for (const ast::Offset& offset : node.offsets) write(offset);
}

void Printer::write(const ast::Tensor& node) {
    say(node.dtype, "[");
    list(node.extents);
    put("]");
}
void Printer::write(const ast::Attribute& node) {
    put(word_of(node.kind));
    if (!std::holds_alternative<std::monostate>(node.value.node)) say(" ", node.value);
}

void Printer::write(const ast::ValueNegation& node) { say("-", node.operand.front()); }
void Printer::write(const ast::Cast& node) { say("cast<", node.dtype, ">(", node.operand.front(), ")"); }
void Printer::write(const ast::Select& node) {
    say("select(", node.operands[0], " ", node.comparison, " ", node.operands[1], ", ", node.operands[2],
        ", ", node.operands[3], ")");
}
void Printer::write(const ast::ValueCall& node) {
    say(node.function, "(");
    list(node.arguments);
    put(")");
}
void Printer::write(const ast::ValueParen& node) { say("(", node.inner.front(), ")"); }

} // namespace tmemc::grammar
