// What every rule is compiled with: it walks over tokens and carries the Errors in its context. A rule's
// definition and its BOOST_SPIRIT_INSTANTIATE must agree in both types, else the linker misses a
// parse_rule<...>.
//
// There is no skipper, because blanks are gone; and no rule may change the context, because
// a recursive one would then have infinitely many types.
#pragma once

#include "grammar/errors.hpp"
#include "grammar/tokens.hpp"

#include <boost/spirit/home/x3.hpp>

namespace tmemc::grammar {

namespace x3 = boost::spirit::x3;

struct errors_tag;
using Iterator = const Token*;
using Context = x3::context<errors_tag, Errors>;

} // namespace tmemc::grammar
