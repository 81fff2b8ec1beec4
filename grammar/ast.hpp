// The tree that the grammar builds: plain standard C++, no Boost. It mirrors tmx.ebnf rule by rule, keeps
// names and numbers as they were spelled, and knows no vocabulary: whether `f32` fits or `Y` exists is sema's
// business. So `T[:, c*32 +: 32]` is a Region with two slices, the second a Window whose base is the Chain of
// c and 32.
//
// Every node carries its Place. Places do not take part in ==, so that parse(print(tree)) == tree means what
// it says. Comments and blank lines stand beside the tree (trivia.hpp), for the formatter.
#pragma once

#include "base/source.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tmemc::grammar::ast {

/// Where a node stands. All places are equal: two trees that differ in places only are the same tree.
struct Place : base::Span {
    bool operator==(const Place&) const { return true; }
};

template <class Node, class... Nodes>
concept AnyOf = (std::same_as<Node, Nodes> || ...);

/// One of several node types, or nothing. Spirit assigns the alternative that matched.
template <class... Nodes>
struct OneOf {
    std::variant<std::monostate, Nodes...> node;
    OneOf() = default;
    template <AnyOf<Nodes...> Node>
    OneOf(Node value) : node(std::move(value)) {}
    template <AnyOf<Nodes...> Node>
    OneOf& operator=(Node value) {
        node = std::move(value);
        return *this;
    }
    bool operator==(const OneOf&) const = default;
};

// ---- words ---------------------------------------------------------------------------------------

struct Name { // an identifier, a dtype, an axis, an atom or a letter: any one word
    std::string text;
    Place place;
    bool operator==(const Name&) const = default;
};
struct Integer { // as spelled: 0x1f, 1_000
    std::string text;
    Place place;
    bool operator==(const Integer&) const = default;
};
struct Float { // as spelled: 1.0, .5, 1e-3
    std::string text;
    Place place;
    bool operator==(const Float&) const = default;
};
struct String { // the text between the quotes, escapes resolved
    std::string text;
    Place place;
    bool operator==(const String&) const = default;
};

// ---- integer expressions -------------------------------------------------------------------------

// `a + b * c` is a chain: a first operand and a tail of (operator, operand). Parentheses are nodes of their
// own.

template <class Operand>
struct Step {
    char op = '+'; // + - * / %
    Operand operand;
    bool operator==(const Step&) const = default;
};
template <class Operand>
struct Chain { // left-associative
    Operand first;
    std::vector<Step<Operand>> rest;
    Place place;
    bool operator==(const Chain&) const = default;
};

struct CtaIndex { // cta.x
    Name axis;
    Place place;
    bool operator==(const CtaIndex&) const = default;
};
// Recursion goes through vectors, the one container that may hold a type which is not complete yet; a vector
// named in the singular (`operand`, `inner`) has exactly one element.
struct Factor;
struct Expr;
struct Negation {
    std::vector<Factor> operand;
    Place place;
    bool operator==(const Negation&) const = default;
};
struct MinMax { // min(a, b)
    Name function;
    std::vector<Expr> arguments; // two
    Place place;
    bool operator==(const MinMax&) const = default;
};
struct Paren {
    std::vector<Expr> inner;
    Place place;
    bool operator==(const Paren&) const = default;
};
struct Factor : OneOf<Negation, Integer, CtaIndex, MinMax, Name, Paren> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const Factor&) const = default;
};
using Product = Chain<Factor>;
struct Expr : Chain<Product> {
    bool operator==(const Expr&) const = default;
};

// ---- regions, layouts, types ---------------------------------------------------------------------

struct Range { // [ from ] ":" [ to ]
    std::optional<Expr> from, to;
    Place place;
    bool operator==(const Range&) const = default;
};
struct Window { // base "+:" width
    Expr base, width;
    Place place;
    bool operator==(const Window&) const = default;
};
struct Point { // a lone expression: removes its dimension
    Expr index;
    Place place;
    bool operator==(const Point&) const = default;
};
struct Slice : OneOf<Range, Window, Point> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const Slice&) const = default;
};
struct Region { // T, T[0:64, :]
    Name object;
    std::optional<std::vector<Slice>> slices;
    Place place;
    bool operator==(const Region&) const = default;
};

struct Entry { // expr [ "@" axis ]
    Expr value;
    std::optional<Name> axis;
    Place place;
    bool operator==(const Entry&) const = default;
};
struct List { // "(" entry { "," entry } ")" or one entry, which is the same list
    std::vector<Entry> entries;
    Place place;
    bool operator==(const List&) const = default;
};
struct Digits { // list ":" list, of S or R
    List extents, strides;
    Place place;
    bool operator==(const Digits&) const = default;
};
struct Offset { // "+" product [ "@" axis ]
    Product value;
    std::optional<Name> axis;
    Place place;
    bool operator==(const Offset&) const = default;
};
struct Layout { // S[..:..] + R[..:..] + offsets
    Digits shard;
    std::optional<Digits> replica;
    std::vector<Offset> offsets;
    Place place;
    bool operator==(const Layout&) const = default;
};

struct Tensor { // f32[128, W]
    Name dtype;
    std::vector<Expr> extents;
    Place place;
    bool operator==(const Tensor&) const = default;
};

/// A word with what follows it, behind a declaration: `datapath D`, `at acc + 32`, `unpacked`. Which of them
/// a declaration allows stands in the grammar; that each stands once is sema's business.
struct Attribute {
    enum class Kind { datapath, sub_slab, layout, unpacked, at, atom, swizzle, pitch, align };
    Kind kind{};
    OneOf<Name, Expr, Layout> value; // datapath, atom: Name; layout: Layout; unpacked: nothing; else Expr
    Place place;
    bool operator==(const Attribute&) const = default;
};

// ---- values: elementwise arithmetic --------------------------------------------------------------

struct Unary;
struct Value;
struct ValueNegation {
    std::vector<Unary> operand;
    Place place;
    bool operator==(const ValueNegation&) const = default;
};
struct Cast { // cast<f16>(x)
    Name dtype;
    std::vector<Value> operand;
    Place place;
    bool operator==(const Cast&) const = default;
};
struct Select {                  // select(a < b, yes, no)
    std::vector<Value> operands; // four: a, b, yes, no
    std::string comparison;
    Place place;
    bool operator==(const Select&) const = default;
};
struct ValueCall { // fma(a, b, c)
    Name function;
    std::vector<Value> arguments;
    Place place;
    bool operator==(const ValueCall&) const = default;
};
struct ValueParen {
    std::vector<Value> inner;
    Place place;
    bool operator==(const ValueParen&) const = default;
};
struct Unary : OneOf<ValueNegation, Float, Integer, Cast, Select, ValueCall, Region, ValueParen> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const Unary&) const = default;
};
using Term = Chain<Unary>;
struct Value : Chain<Term> {
    bool operator==(const Value&) const = default;
};

// ---- statements ----------------------------------------------------------------------------------

struct Tmem {
    Name name;
    Tensor tensor;
    std::vector<Attribute> attributes;
    Place place;
    bool operator==(const Tmem&) const = default;
};
struct Frag {
    Name name;
    Tensor tensor;
    std::vector<Attribute> attributes;
    Place place;
    bool operator==(const Frag&) const = default;
};
struct Smem {
    Name name;
    Tensor tensor;
    std::vector<Attribute> attributes;
    Place place;
    bool operator==(const Smem&) const = default;
};
struct Let {
    Name name;
    Expr value;
    Place place;
    bool operator==(const Let&) const = default;
};
struct Copy { // copy D <- S masked direct staged;
    Region target, source;
    std::vector<Name> modes;
    Place place;
    bool operator==(const Copy&) const = default;
};
struct CopyAsync {
    Region target, source;
    Place place;
    bool operator==(const CopyAsync&) const = default;
};
struct Wait { // wait ld, st;
    std::vector<Name> kinds;
    Place place;
    bool operator==(const Wait&) const = default;
};
struct Sync {
    Place place;
    bool operator==(const Sync&) const = default;
};
struct Assign { // Y = X * alpha;
    Region target;
    Value value;
    Place place;
    bool operator==(const Assign&) const = default;
};
struct Call { // store_scaled(T, C, scale);
    Name function;
    std::vector<Value> arguments;
    Place place;
    bool operator==(const Call&) const = default;
};
struct Statement;
struct Block {
    std::vector<Statement> statements;
    Place place;
    bool operator==(const Block&) const = default;
};
struct For { // for i in 0..8 step 2 { }
    Name variable;
    Expr from, to;
    std::optional<Expr> step;
    Block body;
    Place place;
    bool operator==(const For&) const = default;
};
struct On {    // on warpgroup 0 { }
    Name unit; // warpgroup or warp
    Expr index;
    Block body;
    Place place;
    bool operator==(const On&) const = default;
};
struct Statement : OneOf<Tmem, Frag, Smem, Let, Copy, CopyAsync, Wait, Sync, For, On, Assign, Call> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const Statement&) const = default;
};

// ---- the module ----------------------------------------------------------------------------------

struct Target {
    Name name;
    Place place;
    bool operator==(const Target&) const = default;
};
struct Const {
    Name name;
    Expr value;
    Place place;
    bool operator==(const Const&) const = default;
};
struct TensorParameter { // in A: f16[128, W] pitch P
    Name direction;      // in, out, inout
    Name name;
    Tensor tensor;
    std::vector<Attribute> attributes;
    Place place;
    bool operator==(const TensorParameter&) const = default;
};
struct ScalarParameter { // alpha: f32
    Name name;
    Name dtype;
    Place place;
    bool operator==(const ScalarParameter&) const = default;
};
struct TmemParameter { // of a function: [ in | out | inout ] tmem acc: f32[128, 32] datapath D
    std::optional<Name> direction;
    Tmem object;
    Place place;
    bool operator==(const TmemParameter&) const = default;
};
struct FragParameter { // of a function: out frag X: f32[128, 32] atom 16x256b
    Name direction;
    Frag object;
    Place place;
    bool operator==(const FragParameter&) const = default;
};
struct Parameter : OneOf<TensorParameter, ScalarParameter> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const Parameter&) const = default;
};
struct FunctionParameter : OneOf<TensorParameter, ScalarParameter, TmemParameter, FragParameter> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const FunctionParameter&) const = default;
};
struct Clause { // grid(x, y) | warpgroups(n) | cta_group n
    Name word;
    std::vector<Expr> values;
    Place place;
    bool operator==(const Clause&) const = default;
};
struct Kernel {
    Name name;
    std::vector<Parameter> parameters;
    std::vector<Clause> clauses;
    Block body;
    Place place;
    bool operator==(const Kernel&) const = default;
};
struct Function {
    Name name;
    std::vector<FunctionParameter> parameters;
    Block body;
    Place place;
    bool operator==(const Function&) const = default;
};

struct Number { // [ "-" ] ( FLOAT | INT )
    bool negative = false;
    OneOf<Float, Integer> magnitude;
    Place place;
    bool operator==(const Number&) const = default;
};
struct GeneratorCall { // iota, random(seed: 1), npy("x.npy")
    Name name;
    std::optional<Name> label;
    OneOf<Number, String> argument; // nothing when there are no parentheses
    Place place;
    bool operator==(const GeneratorCall&) const = default;
};
struct Given { // A = random(seed: 1);
    Name tensor;
    OneOf<Number, GeneratorCall> generator;
    Place place;
    bool operator==(const Given&) const = default;
};
struct Run { // run roundtrip;
    Name kernel;
    Place place;
    bool operator==(const Run&) const = default;
};
struct ExpectOutcome { // expect fault TM0703;
    Name outcome;      // fault or error
    Name code;
    Place place;
    bool operator==(const ExpectOutcome&) const = default;
};
struct ExpectValue { // expect B[r, c] ~= A[c, r] rtol 1e-3 atol 1e-5;
    Name tensor;
    std::vector<Name> indices;
    std::string comparison; // == or ~=
    Value value;
    std::optional<Number> rtol, atol;
    Place place;
    bool operator==(const ExpectValue&) const = default;
};
struct TestStatement : OneOf<Given, Run, ExpectOutcome, ExpectValue> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const TestStatement&) const = default;
};
struct Test {
    String title;
    std::vector<TestStatement> statements;
    Place place;
    bool operator==(const Test&) const = default;
};

struct Item : OneOf<Target, Const, Kernel, Function, Test> {
    using OneOf::OneOf;
    using OneOf::operator=;
    bool operator==(const Item&) const = default;
};
struct Module {
    std::vector<Item> items;
    bool operator==(const Module&) const = default;
};

} // namespace tmemc::grammar::ast
