// Rules for the words that stand behind a declaration, each with what follows it: `datapath D`, `at acc`,
// `layout S[...]`. A list of them may be empty; that each stands once is sema's business.
#pragma once

#include "grammar/ast.hpp"
#include "grammar/handlers.hpp"

#include <vector>

namespace tmemc::grammar {

struct TmemAttributesId {};
struct TmemParameterAttributesId {};
struct FragAttributesId {};
struct SmemAttributesId {};
struct TensorAttributesId {};

using Attributes = std::vector<ast::Attribute>;
inline constexpr x3::rule<TmemAttributesId, Attributes> tmem_attributes{"an attribute"};
inline constexpr x3::rule<TmemParameterAttributesId, Attributes> tmem_parameter_attributes{"an attribute"};
inline constexpr x3::rule<FragAttributesId, Attributes> frag_attributes{"an attribute"};
inline constexpr x3::rule<SmemAttributesId, Attributes> smem_attributes{"an attribute"};
inline constexpr x3::rule<TensorAttributesId, Attributes> tensor_attributes{"an attribute"};

BOOST_SPIRIT_DECLARE(decltype(tmem_attributes), decltype(tmem_parameter_attributes),
                     decltype(frag_attributes), decltype(smem_attributes), decltype(tensor_attributes))

} // namespace tmemc::grammar
