// The items of a module. A blank line stands between two of them, except between constants.
#include "grammar/printer.hpp"

namespace tmemc::grammar {

namespace {

bool is_line(const ast::Item& item) {
    return std::holds_alternative<ast::Target>(item.node) || std::holds_alternative<ast::Const>(item.node);
}

} // namespace

void Printer::write(const ast::Module& node) {
    const ast::Item* before = nullptr;
    for (const ast::Item& item : node.items) {
        if (before != nullptr && !(is_line(*before) && is_line(item))) put("\n");
        say(item, "\n");
        before = &item;
    }
}
void Printer::write(const ast::Target& node) { say("target ", node.name, ";"); }
void Printer::write(const ast::Const& node) { say("const ", node.name, " = ", node.value, ";"); }

void Printer::write(const ast::TensorParameter& node) {
    say(node.direction, " ");
    declaration("", node);
}
void Printer::write(const ast::ScalarParameter& node) { say(node.name, ": ", node.dtype); }
void Printer::write(const ast::TmemParameter& node) {
    if (node.direction) say(*node.direction, " ");
    declaration("tmem ", node.object);
}
void Printer::write(const ast::FragParameter& node) {
    say(node.direction, " ");
    declaration("frag ", node.object);
}

void Printer::write(const ast::Clause& node) {
    const bool bracketed = node.word.text != "cta_group";
    say(node.word, bracketed ? "(" : " ");
    list(node.values);
    put(bracketed ? ")" : "");
}
void Printer::write(const ast::Kernel& node) {
    say("kernel ", node.name, "(");
    list(node.parameters);
    put(")");
    words(node.clauses);
    write(node.body);
}
void Printer::write(const ast::Function& node) {
    say("function ", node.name, "(");
    list(node.parameters);
    say(")", node.body);
}

void Printer::write(const ast::Number& node) { say(node.negative ? "-" : "", node.magnitude); }
void Printer::write(const ast::GeneratorCall& node) {
    write(node.name);
    if (std::holds_alternative<std::monostate>(node.argument.node)) return;
    put("(");
    if (node.label) say(*node.label, ": ");
    say(node.argument, ")");
}
void Printer::write(const ast::Given& node) { say(node.tensor, " = ", node.generator, ";"); }
void Printer::write(const ast::Run& node) { say("run ", node.kernel, ";"); }
void Printer::write(const ast::ExpectOutcome& node) { say("expect ", node.outcome, " ", node.code, ";"); }
void Printer::write(const ast::ExpectValue& node) {
    say("expect ", node.tensor);
    if (!node.indices.empty()) {
        put("[");
        list(node.indices);
        put("]");
    }
    say(" ", node.comparison, " ", node.value);
    if (node.rtol) say(" rtol ", *node.rtol);
    if (node.atol) say(" atol ", *node.atol);
    put(";");
}
void Printer::write(const ast::Test& node) {
    say("test ", node.title);
    body(node.statements);
}

} // namespace tmemc::grammar
