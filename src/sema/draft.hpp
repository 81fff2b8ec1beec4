// A kernel in the making: what the rules of declarations and statements read and extend while its body is
// walked. Not here: what names mean (names.hpp).
#pragma once

#include "sema/images.hpp"
#include "sema/names.hpp"
#include "sema/program.hpp"

#include <optional>
#include <utility>

namespace tmemc::sema {

struct Draft {
    Environment& env;
    Kernel kernel;
    Images images;                // of the kernel's objects, each made once
    std::optional<int> warpgroup; // inside `on warpgroup k`
    std::optional<int> warp;      // inside `on warp k`, counted over the CTA

    template <class What>
    void emit(What what, Span span) {
        kernel.statements.push_back({std::move(what), warpgroup, span, env.reports.iteration()});
    }
};

} // namespace tmemc::sema
