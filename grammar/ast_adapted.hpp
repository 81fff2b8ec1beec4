// The order in which Spirit fills each node: the fields as the rule meets them. Places are not among them, a
// handler sets those (handlers.hpp), except where a node has one other field only (primitives.hpp, Here).
// Select lists its operands twice: one stands before the comparison and three behind it, and Spirit appends
// to a vector.
#pragma once

#include "grammar/ast.hpp"

#include <boost/fusion/include/adapt_struct.hpp>

#define TMEMC_NODE(...) BOOST_FUSION_ADAPT_STRUCT(tmemc::grammar::ast::__VA_ARGS__)

// clang-format off
TMEMC_NODE(Step<tmemc::grammar::ast::Factor>,  op, operand)
TMEMC_NODE(Step<tmemc::grammar::ast::Product>, op, operand)
TMEMC_NODE(Step<tmemc::grammar::ast::Unary>,   op, operand)
TMEMC_NODE(Step<tmemc::grammar::ast::Term>,    op, operand)

TMEMC_NODE(CtaIndex, place, axis)
TMEMC_NODE(Negation, place, operand)
TMEMC_NODE(MinMax,   function, arguments)
TMEMC_NODE(Paren,    place, inner)
TMEMC_NODE(Product,  first, rest)
TMEMC_NODE(Expr,     first, rest)

TMEMC_NODE(Range,  from, to)
TMEMC_NODE(Window, base, width)
TMEMC_NODE(Point,  place, index)
TMEMC_NODE(Region, object, slices)
TMEMC_NODE(Entry,  value, axis)
TMEMC_NODE(List,   place, entries)
TMEMC_NODE(Digits, extents, strides)
TMEMC_NODE(Offset, value, axis)
TMEMC_NODE(Layout, shard, replica, offsets)
TMEMC_NODE(Tensor, dtype, extents)
TMEMC_NODE(Attribute, kind, value)

TMEMC_NODE(ValueNegation, place, operand)
TMEMC_NODE(Cast,          dtype, operand)
TMEMC_NODE(Select,        operands, comparison, operands)
TMEMC_NODE(ValueCall,     function, arguments)
TMEMC_NODE(ValueParen,    place, inner)
TMEMC_NODE(Term,          first, rest)
TMEMC_NODE(Value,         first, rest)

TMEMC_NODE(Tmem,      name, tensor, attributes)
TMEMC_NODE(Frag,      name, tensor, attributes)
TMEMC_NODE(Smem,      name, tensor, attributes)
TMEMC_NODE(Let,       name, value)
TMEMC_NODE(Copy,      target, source, modes)
TMEMC_NODE(CopyAsync, target, source)
TMEMC_NODE(Wait,      place, kinds)
TMEMC_NODE(Assign,    target, value)
TMEMC_NODE(Call,      function, arguments)
TMEMC_NODE(Block,     place, statements)
TMEMC_NODE(For,       variable, from, to, step, body)
TMEMC_NODE(On,        unit, index, body)

TMEMC_NODE(Target,          place, name)
TMEMC_NODE(Const,           name, value)
TMEMC_NODE(TensorParameter, direction, name, tensor, attributes)
TMEMC_NODE(ScalarParameter, name, dtype)
TMEMC_NODE(TmemParameter,   direction, object)
TMEMC_NODE(FragParameter,   direction, object)
TMEMC_NODE(Clause,          word, values)
TMEMC_NODE(Kernel,          name, parameters, clauses, body)
TMEMC_NODE(Function,        name, parameters, body)

TMEMC_NODE(Number,        negative, magnitude)
TMEMC_NODE(GeneratorCall, name, label, argument)
TMEMC_NODE(Given,         tensor, generator)
TMEMC_NODE(Run,           place, kernel)
TMEMC_NODE(ExpectOutcome, outcome, code)
TMEMC_NODE(ExpectValue,   tensor, indices, comparison, value, rtol, atol)
TMEMC_NODE(Test,          title, statements)
// clang-format on

#undef TMEMC_NODE
