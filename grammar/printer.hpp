// The canonical text of every node, appended to a string. Each overload of write() mirrors the node's rule in
// tmx.ebnf. Two blanks of indent, one statement a line, attributes in source order. Integer products are
// tight and sums are spaced, `c*32 + 1`, as one writes indices; values are spaced throughout, `X * 2 + Y`.
//
// Private to this folder: others call print.hpp.
#pragma once

#include "grammar/ast.hpp"

#include <string>
#include <string_view>

namespace tmemc::grammar {

class Printer {
  public:
    [[nodiscard]] std::string take() { return std::move(text_); }

    // Any node that is one of several, and any chain of operators.
    template <class... Nodes>
    void write(const ast::OneOf<Nodes...>& node) {
        std::visit([this](const auto& each) { this->write(each); }, node.node);
    }
    void write(std::monostate) {}
    template <class Operand>
    void write(const ast::Chain<Operand>& node) {
        constexpr bool tight = std::is_same_v<Operand, ast::Factor>;
        write(node.first);
        for (const ast::Step<Operand>& step : node.rest) {
            put(tight ? "" : " ");
            put({&step.op, 1});
            put(tight ? "" : " ");
            write(step.operand);
        }
    }

    // print_expression.cpp
    void write(const ast::Name& node) { put(node.text); }
    void write(const ast::Integer& node) { put(node.text); }
    void write(const ast::Float& node) { put(node.text); }
    void write(const ast::String& node);
    void write(const ast::Negation& node);
    void write(const ast::CtaIndex& node);
    void write(const ast::MinMax& node);
    void write(const ast::Paren& node);
    void write(const ast::Range& node);
    void write(const ast::Window& node);
    void write(const ast::Point& node);
    void write(const ast::Region& node);
    void write(const ast::Entry& node);
    void write(const ast::List& node);
    void write(const ast::Digits& node);
    void write(const ast::Offset& node);
    void write(const ast::Layout& node);
    void write(const ast::Tensor& node);
    void write(const ast::Attribute& node);
    void write(const ast::ValueNegation& node);
    void write(const ast::Cast& node);
    void write(const ast::Select& node);
    void write(const ast::ValueCall& node);
    void write(const ast::ValueParen& node);

    // print_statement.cpp
    void write(const ast::Tmem& node);
    void write(const ast::Frag& node);
    void write(const ast::Smem& node);
    void write(const ast::Let& node);
    void write(const ast::Copy& node);
    void write(const ast::CopyAsync& node);
    void write(const ast::Wait& node);
    void write(const ast::Sync& node);
    void write(const ast::Assign& node);
    void write(const ast::Call& node);
    void write(const ast::For& node);
    void write(const ast::On& node);
    void write(const ast::Block& node);

    // print_module.cpp
    void write(const ast::Module& node);
    void write(const ast::Target& node);
    void write(const ast::Const& node);
    void write(const ast::TensorParameter& node);
    void write(const ast::ScalarParameter& node);
    void write(const ast::TmemParameter& node);
    void write(const ast::FragParameter& node);
    void write(const ast::Clause& node);
    void write(const ast::Kernel& node);
    void write(const ast::Function& node);
    void write(const ast::Number& node);
    void write(const ast::GeneratorCall& node);
    void write(const ast::Given& node);
    void write(const ast::Run& node);
    void write(const ast::ExpectOutcome& node);
    void write(const ast::ExpectValue& node);
    void write(const ast::Test& node);

  private:
    void put(std::string_view text) { text_ += text; }
    /// Text and nodes, one after the other.
    template <class... Parts>
    void say(const Parts&... parts) {
        (say_one(parts), ...);
    }
    void say_one(const char* text) { put(text); }
    void say_one(const std::string& text) { put(text); }
    template <class Node>
    void say_one(const Node& node) {
        write(node);
    }
    /// "a, b, c"
    template <class Node>
    void list(const std::vector<Node>& nodes) {
        std::string_view separator;
        for (const Node& node : nodes) {
            put(separator);
            write(node);
            separator = ", ";
        }
    }
    /// Each with a blank before it.
    template <class Node>
    void words(const std::vector<Node>& nodes) {
        for (const Node& node : nodes) say(" ", node);
    }
    /// " { ... }", one statement a line.
    template <class Node>
    void body(const std::vector<Node>& statements) {
        put(" {");
        ++depth_;
        for (const Node& statement : statements) {
            new_line();
            write(statement);
        }
        --depth_;
        if (!statements.empty()) new_line();
        put("}");
    }
    void declaration(const char* word, const auto& node) {
        say(word, node.name, ": ", node.tensor);
        words(node.attributes);
    }
    void new_line() { text_.append(1, '\n').append(2 * depth_, ' '); }

    std::string text_;
    std::size_t depth_ = 0;
};

} // namespace tmemc::grammar
