// A kernel or function in the making: what the rules of declarations and statements read and extend while its
// body is walked. Not here: what names mean (names.hpp).
#pragma once

#include "sema/images.hpp"
#include "sema/names.hpp"
#include "sema/program.hpp"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::sema {

/// A function that has been checked, as calls expand it.
struct Function {
    Kernel kernel;
    Images images;
    bool whole = false; // nothing is in error
};
using Functions = std::map<std::string, Function>;
/// What a caller's calls of a function have in common.
struct Brought {
    bool images = false;
    std::vector<std::size_t> fragments,
        buffers; // the function's images, by index there, as indices in the caller
    std::map<std::array<std::size_t, 4>, int> fits; // regions that fit a parameter (arguments.cpp)
};

/// In the place of a parameter's buffer or fragment when its declaration was refused; a tensor has no name
/// then.
inline constexpr std::size_t no_object = static_cast<std::size_t>(-1);

struct Draft {
    Environment& env;
    const Functions& functions; // that it may call
    Kernel kernel;
    Images images;                // of the kernel's objects, each made once
    std::optional<int> warpgroup; // inside `on warpgroup k`
    std::optional<int> warp;      // inside `on warp k`, counted over the CTA

    bool warpgroups_known = true; // false behind a mistake in `warpgroups`

    std::map<const Function*, Brought> brought; // by its calls

    template <class What>
    void emit(What what, Span span) {
        kernel.statements.push_back({std::move(what), warpgroup, span, env.reports.iteration(), {}});
    }
};

} // namespace tmemc::sema
