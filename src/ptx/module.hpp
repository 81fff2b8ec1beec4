// PTX as plain data: what the writer prints, the reader reads and the emulator runs. It follows the text: a
// module has variables and functions, a function has parameters, directives and a body of statements, an
// instruction has an optional guard, a dotted name and operands. Nothing is resolved; `%X_0` is a name.
//
//     @%p1 tcgen05.ld.sync.aligned.32x32b.x2.b32 {%X_0, %X_1}, [%taddr+4];
//
// is Instruction{Guard{"%p1"}, "tcgen05.ld.sync.aligned.32x32b.x2.b32", {Vector{...},
// Address{Register{"%taddr"}, 4}}}. Source: PTX ISA chapters 4 to 6. Not here: which names exist and what
// they need (opcodes.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tmemc::ptx {

/// A named register, special register included: "%r1", "%tid.x".
struct Register {
    std::string name;
    bool operator==(const Register&) const = default;
};
/// A constant. `bits` holds it as a 64-bit integer, or the IEEE bits of a float written 0f... or 0d...
struct Immediate {
    enum class Form : std::uint8_t { integer, f32_bits, f64_bits };
    std::uint64_t bits = 0;
    Form form = Form::integer;
    bool operator==(const Immediate&) const = default;
};
/// A variable, parameter, label or function by its name.
struct Symbol {
    std::string name;
    bool operator==(const Symbol&) const = default;
};
/// "_": a result nobody wants.
struct Sink {
    bool operator==(const Sink&) const = default;
};
/// [base + offset]
struct Address {
    std::variant<Register, Symbol, Immediate> base;
    std::int64_t offset = 0;
    bool operator==(const Address&) const = default;
};
/// {a, b, c}
struct Vector {
    std::vector<std::variant<Register, Immediate, Symbol, Sink>> elements;
    bool operator==(const Vector&) const = default;
};
using Operand = std::variant<Register, Immediate, Symbol, Sink, Address, Vector>;

struct Guard {
    std::string predicate;
    bool negated = false;
    bool operator==(const Guard&) const = default;
};

struct Instruction {
    std::optional<Guard> guard;
    std::string name; // with every modifier: "ld.global.v4.b32"
    std::vector<Operand> operands;
    bool operator==(const Instruction&) const = default;
};
struct Label {
    std::string name;
    bool operator==(const Label&) const = default;
};
struct Comment { // "// text" on a line of its own
    std::string text;
    bool operator==(const Comment&) const = default;
};
struct BlankLine {
    bool operator==(const BlankLine&) const = default;
};
struct RegisterDeclaration { // .reg .b32 %X_<8>;   count 0: a single register of that very name
    std::string type;        // "b32", "b64", "pred"
    std::string name;
    std::uint32_t count = 0;
    bool operator==(const RegisterDeclaration&) const = default;
};
struct Variable {            // .shared .align 4 .b32 slot;
    std::string space;       // "shared", "global", "const"
    std::uint32_t align = 0; // 0: the type's own
    std::string type;        // "b32"
    std::string name;
    std::optional<std::uint64_t> count; // elements of an array
    bool operator==(const Variable&) const = default;
};
struct Pragma { // .pragma "nounroll";
    std::string text;
    bool operator==(const Pragma&) const = default;
};
struct Location { // .loc file line column
    std::uint32_t file = 1, line = 0, column = 0;
    bool operator==(const Location&) const = default;
};
using Statement =
    std::variant<Instruction, Label, Comment, BlankLine, RegisterDeclaration, Variable, Location, Pragma>;

struct Parameter { // .param .u64 A   or   .param .align 8 .b8 A[16]
    std::string type;
    std::string name;
    std::uint32_t align = 0;
    std::optional<std::uint64_t> count;
    bool operator==(const Parameter&) const = default;
};

struct Function {
    std::string name;
    bool entry = true; // .entry or .func
    bool visible = true;
    std::vector<Parameter> parameters;
    std::optional<std::array<std::uint32_t, 3>> required_threads; // .reqntid
    std::optional<std::uint32_t> max_registers;                   // .maxnreg
    std::vector<Statement> body;
    bool operator==(const Function&) const = default;
};

struct Version {
    int major = 8, minor = 6;
    auto operator<=>(const Version&) const =
        default; // NOLINT(modernize-use-nullptr): a false alarm of clang-tidy 14
};

struct Module {
    Version version;
    std::string target = "sm_100a";
    std::vector<Variable> variables;
    std::vector<Function> functions;
    bool operator==(const Module&) const = default;
};

} // namespace tmemc::ptx
