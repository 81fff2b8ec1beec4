// The functions of `Y = max(X * alpha, 0.0);`, one row each, and how dtypes meet in an expression. Arithmetic
// is done in f32, in f16 or bf16 when all operands are, or in integers when all operands are: f8 and tf32
// exist to be stored. What loses bits is said with `cast`. Not here: the walk over an expression
// (arithmetic.hpp).
#pragma once

#include "sema/program.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::sema {

/// Which numbers a function or an operator takes.
enum class Takes : std::uint8_t { floats, integers, both };

struct MathRow {
    std::string_view name; // "max", "+"
    Step::What what{};
    std::uint32_t arity = 0;
    Takes takes{};
};

/// A function by its name; null when there is none. relu(x) is max(x, 0), and has no row.
[[nodiscard]] const MathRow* function_row(std::string_view name);
/// An operator of two numbers by its sign: + - * / %
[[nodiscard]] const MathRow& operator_row(char sign);
/// What may have been meant by a name of no function: "here it is written max(X, Y)" for fmaxf, the nearest
/// name, or nothing.
[[nodiscard]] std::string help_for(std::string_view name);

[[nodiscard]] bool is_integer(Dtype dtype);
/// The dtype in which a number of this one is worked with: itself, or f32; nothing for raw bits.
[[nodiscard]] std::optional<Dtype> working(Dtype dtype);
/// Whether every number of `from` is one of `to`, and so needs no cast.
[[nodiscard]] bool widens(Dtype from, Dtype to);
/// In which dtype two numbers that are worked with meet; nothing when only a cast can say.
[[nodiscard]] std::optional<Dtype> common(Dtype a, Dtype b);

} // namespace tmemc::sema
