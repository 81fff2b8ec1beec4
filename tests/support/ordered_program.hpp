// A program from its text, checked and ordered.
#pragma once

#include "base/source.hpp"
#include "grammar/parse.hpp"
#include "order/order.hpp"
#include "sema/check.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace tests {

inline tmemc::sema::Program program_of(const std::string& text) {
    using namespace tmemc;
    const grammar::ParseResult parsed = grammar::parse(base::Source("t.tmx", text));
    INFO(text);
    REQUIRE_FALSE(parsed.diagnostics.has_errors());
    sema::CheckResult checked = sema::check(parsed.module, {});
    REQUIRE_FALSE(checked.diagnostics.has_errors());
    return std::move(checked.program);
}

inline std::vector<std::string> codes(const tmemc::base::Diagnostics& diagnostics) {
    std::vector<std::string> list;
    for (const auto& each : diagnostics.list) list.emplace_back(each.kind->code);
    return list;
}

} // namespace tests
