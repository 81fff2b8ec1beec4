// Random trees for the law parse(print(tree)) == tree. Every tree is one that some text has: names are no
// keywords, a fragment parameter has a direction, and so on. The generator counts the nodes it draws by type,
// so that a test can tell that none was left out.
#pragma once

#include "grammar/ast.hpp"

#include <cstdint>
#include <map>
#include <random>
#include <typeindex>

namespace tmemc::grammar {

class RandomTree {
  public:
    explicit RandomTree(std::uint32_t seed) : random_(seed) {}
    ast::Module module();
    [[nodiscard]] const std::map<std::type_index, int>& drawn() const { return drawn_; }
    [[nodiscard]] const std::map<ast::Attribute::Kind, int>& attributes_drawn() const {
        return attributes_drawn_;
    }

  private:
    std::uint32_t below(std::uint32_t n) {
        return static_cast<std::uint32_t>(random_() % n);
    } // same everywhere
    bool chance(std::uint32_t one_in) { return below(one_in) == 0; }
    template <class Node>
    Node count(Node node) {
        ++drawn_[std::type_index(typeid(Node))];
        return node;
    }
    template <class Node>
    std::vector<Node> some(Node (RandomTree::*make)(), std::uint32_t least, std::uint32_t most);
    template <class Operand>
    ast::Chain<Operand> chain(Operand (RandomTree::*make)(), std::string_view operators);
    std::string one_of(std::initializer_list<const char*> words);
    ast::Name word(std::initializer_list<const char*> words) { return {one_of(words), {}}; }

    ast::Name name();
    ast::Name dtype();
    ast::Name direction() { return word({"in", "out", "inout"}); }
    ast::Name axis() { return word({"tid_in_wg", "wid_in_wg", "laneid", "m", "TLane", "TCol"}); }
    ast::Integer integer();
    ast::Float floating();
    ast::String string();

    ast::Expr expr();
    ast::Product product();
    ast::Factor factor();
    ast::Slice slice();
    ast::Region region();
    ast::Tensor tensor();
    ast::Layout layout();
    ast::Digits digits();
    ast::List list();
    ast::Entry entry();
    ast::Offset offset();
    ast::Attribute attribute(std::initializer_list<ast::Attribute::Kind> kinds);
    std::vector<ast::Attribute> attributes(std::initializer_list<ast::Attribute::Kind> kinds);

    ast::Value value();
    ast::Term term();
    ast::Unary unary();

    ast::Statement statement();
    ast::Block block();
    ast::Tmem tmem(bool parameter);
    ast::Frag frag();
    ast::Name wait_kind() { return word({"ld", "st"}); }
    ast::Name copy_mode() { return word({"masked", "direct", "staged"}); }

    ast::Item item();
    ast::TensorParameter tensor_parameter();
    ast::ScalarParameter scalar_parameter();
    ast::Parameter parameter();
    ast::FunctionParameter function_parameter();
    ast::Clause clause();
    ast::Number number();
    ast::TestStatement test_statement();

    std::mt19937 random_;
    int depth_ = 0; // of the node being made; deep ones have no children of their own kind
    std::map<std::type_index, int> drawn_;
    std::map<ast::Attribute::Kind, int> attributes_drawn_;
};

} // namespace tmemc::grammar
