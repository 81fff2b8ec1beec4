// Rules for blocks and what stands in them, and for the tmem and frag declarations that functions take as
// parameters.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

namespace tmemc::grammar {

struct BlockId : Placed {};
struct TmemParameterObjectId : Placed {};
struct FragObjectId : Placed {};

inline constexpr x3::rule<BlockId, ast::Block> block{"`{`"};
inline constexpr x3::rule<TmemParameterObjectId, ast::Tmem> tmem_parameter_object{"`tmem`"};
inline constexpr x3::rule<FragObjectId, ast::Frag> frag_object{"`frag`"}; // a declaration without its `;`

BOOST_SPIRIT_DECLARE(decltype(block), decltype(tmem_parameter_object), decltype(frag_object))

} // namespace tmemc::grammar
