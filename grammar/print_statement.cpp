// Statements, each on a line of its own.
#include "grammar/printer.hpp"

namespace tmemc::grammar {

void Printer::write(const ast::Tmem& node) {
    declaration("tmem ", node);
    put(";");
}
void Printer::write(const ast::Frag& node) {
    declaration("frag ", node);
    put(";");
}
void Printer::write(const ast::Smem& node) {
    declaration("smem ", node);
    put(";");
}
void Printer::write(const ast::Let& node) { say("let ", node.name, " = ", node.value, ";"); }

void Printer::write(const ast::Copy& node) {
    say("copy ", node.target, " <- ", node.source);
    words(node.modes);
    put(";");
}
void Printer::write(const ast::CopyAsync& node) { say("copy_async ", node.target, " <- ", node.source, ";"); }
void Printer::write(const ast::Wait& node) {
    put("wait ");
    list(node.kinds);
    put(";");
}
void Printer::write(const ast::Sync&) { put("sync;"); }

void Printer::write(const ast::Assign& node) { say(node.target, " = ", node.value, ";"); }
void Printer::write(const ast::Call& node) {
    say(node.function, "(");
    list(node.arguments);
    put(");");
}

void Printer::write(const ast::For& node) {
    say("for ", node.variable, " in ", node.from, "..", node.to);
    if (node.step) say(" step ", *node.step);
    write(node.body);
}
void Printer::write(const ast::On& node) { say("on ", node.unit, " ", node.index, node.body); }
void Printer::write(const ast::Block& node) { body(node.statements); }

} // namespace tmemc::grammar
