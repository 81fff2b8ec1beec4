#include "random_tree.hpp"

namespace tmemc::grammar {

namespace {

constexpr int deepest = 4;

struct Deeper { // while it lives, nodes are one level further down
    int& depth;
    explicit Deeper(int& level) : depth(level) { ++depth; }
    ~Deeper() { --depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
};

} // namespace

template <class Node>
std::vector<Node> RandomTree::some(Node (RandomTree::*make)(), std::uint32_t least, std::uint32_t most) {
    std::vector<Node> nodes;
    for (std::uint32_t n = least + below(most - least + 1); n > 0; --n) nodes.push_back((this->*make)());
    return nodes;
}

template <class Operand>
ast::Chain<Operand> RandomTree::chain(Operand (RandomTree::*make)(), std::string_view operators) {
    ast::Chain<Operand> result;
    result.first = (this->*make)();
    while (chance(3)) {
        const char op = operators[below(static_cast<std::uint32_t>(operators.size()))];
        result.rest.push_back({op, (this->*make)()});
    }
    return result;
}

std::string RandomTree::one_of(std::initializer_list<const char*> words) {
    return *(words.begin() + below(static_cast<std::uint32_t>(words.size())));
}

// ---- words
// -------------------------------------------------------------------------------------------------------

ast::Name RandomTree::name() {
    return count(word({"A",    "B1",    "X",     "Y_", "_t",     "acc",  "kernels", "S",      "R",
                       "cta",  "x",     "y",     "z",  "min",    "max",  "cast",    "select", "rtol",
                       "atol", "fault", "error", "m",  "laneid", "TCol", "iota",    "fma"}));
}
ast::Name RandomTree::dtype() { return word({"f32", "f16", "bf16", "tf32", "f8e4m3", "u8", "s32", "b16"}); }
ast::Integer RandomTree::integer() {
    return count(ast::Integer{one_of({"0", "7", "1_000", "0x1F_a", "0b101", "007"}), {}});
}
ast::Float RandomTree::floating() {
    return count(ast::Float{one_of({"1.0", ".5", "2.", "1e-3", "1.5E+10", ".5e2"}), {}});
}
ast::String RandomTree::string() {
    std::string text;
    while (!chance(5)) text += one_of({"a", " ", "\"", "\\", "//", "/*", "\t", "\u00e9", "{", "'"});
    return count(ast::String{text, {}});
}

// ---- integer expressions
// -----------------------------------------------------------------------------------------

ast::Expr RandomTree::expr() { return count(ast::Expr{chain(&RandomTree::product, "+-")}); }
ast::Product RandomTree::product() { return count(ast::Product{chain(&RandomTree::factor, "*/%")}); }

ast::Factor RandomTree::factor() {
    const Deeper deeper(depth_);
    switch (below(depth_ > deepest ? 3 : 6)) {
    case 0: return name();
    case 1: return integer();
    case 2: return count(ast::CtaIndex{word({"x", "y", "z"}), {}});
    case 3: return count(ast::Negation{some(&RandomTree::factor, 1, 1), {}});
    case 4: return count(ast::MinMax{word({"min", "max"}), some(&RandomTree::expr, 2, 2), {}});
    default: return count(ast::Paren{some(&RandomTree::expr, 1, 1), {}});
    }
}

// ---- regions, layouts, types
// -------------------------------------------------------------------------------------

ast::Slice RandomTree::slice() {
    switch (below(3)) {
    case 0: {
        ast::Range range;
        if (chance(2)) range.from = expr();
        if (chance(2)) range.to = expr();
        return count(range);
    }
    case 1: return count(ast::Window{expr(), expr(), {}});
    default: return count(ast::Point{expr(), {}});
    }
}
ast::Region RandomTree::region() {
    ast::Region region{name(), std::nullopt, {}};
    if (chance(2)) region.slices = some(&RandomTree::slice, 1, 3);
    return count(region);
}
ast::Tensor RandomTree::tensor() { return count(ast::Tensor{dtype(), some(&RandomTree::expr, 1, 3), {}}); }

ast::Layout RandomTree::layout() {
    ast::Layout layout{digits(), std::nullopt, some(&RandomTree::offset, 0, 3), {}};
    if (chance(2)) layout.replica = digits();
    return count(layout);
}
ast::Digits RandomTree::digits() { return count(ast::Digits{list(), list(), {}}); }
ast::List RandomTree::list() { return count(ast::List{some(&RandomTree::entry, 1, 3), {}}); }
ast::Entry RandomTree::entry() {
    ast::Entry entry{expr(), std::nullopt, {}};
    if (chance(2)) entry.axis = axis();
    return count(entry);
}
ast::Offset RandomTree::offset() {
    ast::Offset offset{product(), std::nullopt, {}};
    if (chance(2)) offset.axis = axis();
    return count(offset);
}

ast::Attribute RandomTree::attribute(std::initializer_list<ast::Attribute::Kind> kinds) {
    using Kind = ast::Attribute::Kind;
    ast::Attribute attribute;
    attribute.kind = *(kinds.begin() + below(static_cast<std::uint32_t>(kinds.size())));
    switch (attribute.kind) {
    case Kind::datapath: attribute.value = word({"A", "D", "G"}); break;
    case Kind::atom: attribute.value = word({"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"}); break;
    case Kind::layout: attribute.value = layout(); break;
    case Kind::unpacked: break;
    case Kind::sub_slab:
    case Kind::at:
    case Kind::swizzle:
    case Kind::pitch:
    case Kind::align: attribute.value = expr(); break;
    }
    ++attributes_drawn_[attribute.kind];
    return count(attribute);
}
std::vector<ast::Attribute> RandomTree::attributes(std::initializer_list<ast::Attribute::Kind> kinds) {
    std::vector<ast::Attribute> result;
    while (chance(2)) result.push_back(attribute(kinds));
    return result;
}

// ---- values
// ------------------------------------------------------------------------------------------------------

ast::Value RandomTree::value() { return count(ast::Value{chain(&RandomTree::term, "+-")}); }
ast::Term RandomTree::term() { return count(ast::Term{chain(&RandomTree::unary, "*/%")}); }

ast::Unary RandomTree::unary() {
    const Deeper deeper(depth_);
    switch (below(depth_ > deepest ? 3 : 8)) {
    case 0: return floating();
    case 1: return integer();
    case 2: return region();
    case 3: return count(ast::ValueNegation{some(&RandomTree::unary, 1, 1), {}});
    case 4: return count(ast::Cast{dtype(), some(&RandomTree::value, 1, 1), {}});
    case 5:
        return count(
            ast::Select{some(&RandomTree::value, 4, 4), one_of({"<=", "<", ">=", ">", "==", "!="}), {}});
    case 6: // select(...) is never a plain call
        return count(
            ast::ValueCall{word({"min", "fma", "cast", "row_max", "f"}), some(&RandomTree::value, 1, 3), {}});
    default: return count(ast::ValueParen{some(&RandomTree::value, 1, 1), {}});
    }
}

// ---- statements
// --------------------------------------------------------------------------------------------------

ast::Tmem RandomTree::tmem(bool parameter) {
    using Kind = ast::Attribute::Kind;
    return count(ast::Tmem{
        name(),
        tensor(),
        parameter ? attributes({Kind::datapath, Kind::sub_slab, Kind::layout, Kind::unpacked})
                  : attributes({Kind::datapath, Kind::sub_slab, Kind::layout, Kind::unpacked, Kind::at}),
        {}});
}
ast::Frag RandomTree::frag() {
    using Kind = ast::Attribute::Kind;
    return count(ast::Frag{name(), tensor(), attributes({Kind::atom, Kind::layout}), {}});
}
ast::Block RandomTree::block() {
    const Deeper deeper(depth_);
    return count(ast::Block{
        depth_ > deepest ? std::vector<ast::Statement>{} : some(&RandomTree::statement, 0, 4), {}});
}

ast::Statement RandomTree::statement() {
    using Kind = ast::Attribute::Kind;
    switch (below(12)) {
    case 0: return tmem(false);
    case 1: return frag();
    case 2: return count(ast::Smem{name(), tensor(), attributes({Kind::swizzle, Kind::layout}), {}});
    case 3: return count(ast::Let{name(), expr(), {}});
    case 4: return count(ast::Copy{region(), region(), some(&RandomTree::copy_mode, 0, 2), {}});
    case 5: return count(ast::CopyAsync{region(), region(), {}});
    case 6: return count(ast::Wait{some(&RandomTree::wait_kind, 1, 2), {}});
    case 7: return count(ast::Sync{});
    case 8: {
        ast::For loop{name(), expr(), expr(), std::nullopt, block(), {}};
        if (chance(2)) loop.step = expr();
        return count(loop);
    }
    case 9: return count(ast::On{word({"warpgroup", "warp"}), expr(), block(), {}});
    case 10: return count(ast::Assign{region(), value(), {}});
    default: return count(ast::Call{name(), some(&RandomTree::value, 0, 3), {}});
    }
}

// ---- the module
// --------------------------------------------------------------------------------------------------

ast::TensorParameter RandomTree::tensor_parameter() {
    using Kind = ast::Attribute::Kind;
    return count(
        ast::TensorParameter{direction(), name(), tensor(), attributes({Kind::pitch, Kind::align}), {}});
}
ast::ScalarParameter RandomTree::scalar_parameter() {
    return count(ast::ScalarParameter{name(), dtype(), {}});
}
ast::Parameter RandomTree::parameter() {
    if (chance(2)) return tensor_parameter();
    return scalar_parameter();
}
ast::FunctionParameter RandomTree::function_parameter() {
    switch (below(4)) {
    case 0: return tensor_parameter();
    case 1: return scalar_parameter();
    case 2: {
        ast::TmemParameter parameter{std::nullopt, tmem(true), {}};
        if (chance(2)) parameter.direction = direction();
        return count(parameter);
    }
    default: return count(ast::FragParameter{direction(), frag(), {}});
    }
}
ast::Clause RandomTree::clause() {
    ast::Clause clause{word({"grid", "warpgroups", "cta_group"}), {}, {}};
    clause.values = some(&RandomTree::expr, 1, clause.word.text == "grid" ? 3 : 1);
    return count(clause);
}

ast::Number RandomTree::number() {
    ast::Number number;
    number.negative = chance(2);
    if (chance(2))
        number.magnitude = integer();
    else
        number.magnitude = floating();
    return count(number);
}
ast::TestStatement RandomTree::test_statement() {
    switch (below(4)) {
    case 0: {
        ast::Given given{name(), {}, {}};
        if (chance(3)) {
            given.generator = number();
            return count(given);
        }
        ast::GeneratorCall call{name(), std::nullopt, {}, {}};
        if (chance(2)) {
            if (chance(2)) call.label = name();
            if (chance(2))
                call.argument = number();
            else
                call.argument = string();
        }
        given.generator = count(call);
        return count(given);
    }
    case 1: return count(ast::Run{name(), {}});
    case 2: return count(ast::ExpectOutcome{word({"fault", "error"}), name(), {}});
    default: {
        ast::ExpectValue expect{name(), some(&RandomTree::name, 0, 2), one_of({"==", "~="}), value(), {}, {},
                                {}};
        if (chance(2)) expect.rtol = number();
        if (chance(2)) expect.atol = number();
        return count(expect);
    }
    }
}

ast::Item RandomTree::item() {
    switch (below(5)) {
    case 0: return count(ast::Target{name(), {}});
    case 1: return count(ast::Const{name(), expr(), {}});
    case 2:
        return count(ast::Kernel{
            name(), some(&RandomTree::parameter, 0, 3), some(&RandomTree::clause, 0, 3), block(), {}});
    case 3: return count(ast::Function{name(), some(&RandomTree::function_parameter, 0, 3), block(), {}});
    default: return count(ast::Test{string(), some(&RandomTree::test_statement, 0, 4), {}});
    }
}
ast::Module RandomTree::module() { return {some(&RandomTree::item, 0, 5)}; }

} // namespace tmemc::grammar
