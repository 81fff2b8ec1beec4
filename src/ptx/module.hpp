// PTX as plain data: what the writer prints, the reader reads and the emulator runs. It follows the text: a
// module has variables and functions, a function has parameters, directives and a body of statements, an
// instruction has an optional guard, a dotted name and operands. Nothing is resolved; `%X_0` is a name. A
// nested scope is no tree but two statements, ScopeBegin and ScopeEnd, so that a body stays one list.
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
using Element = std::variant<Register, Immediate, Symbol, Sink>;
/// {a, b, c}
struct Vector {
    std::vector<Element> elements;
    bool operator==(const Vector&) const = default;
};
/// !%p: a predicate read the other way round.
struct Negated {
    std::string predicate;
    bool operator==(const Negated&) const = default;
};
/// %a|%b: two results, either of which may be a Sink.
struct Pair {
    std::variant<Register, Sink> first, second;
    bool operator==(const Pair&) const = default;
};
/// table+8: an address that is known before the kernel starts.
struct Offset {
    std::string symbol;
    std::int64_t offset = 0;
    bool operator==(const Offset&) const = default;
};
/// [map, {x, y}]: coordinates in what a variable or register stands for.
struct Coordinates {
    std::variant<Register, Symbol, Immediate> base;
    std::vector<Element> at;
    bool operator==(const Coordinates&) const = default;
};
/// (a, b): of a call, its results or its arguments.
struct Arguments {
    std::vector<Element> elements;
    bool operator==(const Arguments&) const = default;
};
using Operand = std::variant<Register, Immediate, Symbol, Sink, Address, Vector, Negated, Pair, Offset,
                             Coordinates, Arguments>;

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
/// Who else may see a name; `common` and `weak` may be defined in several modules.
enum class Linkage : std::uint8_t { none, visible, external, weak, common };

/// An address as an initial value: symbol+offset, as a generic address or in the symbol's own space, and all
/// of it or the bits of a mask, moved down: 0xFF00(generic(table)+4) is its second byte.
struct InitialAddress {
    std::string symbol;
    std::int64_t offset = 0;
    bool generic = false;
    std::uint64_t mask = 0; // 0: all
    bool operator==(const InitialAddress&) const = default;
};
using InitialValue = std::variant<Immediate, InitialAddress>;

struct Variable {            // .visible .shared .align 4 .b32 slot[2][3] = {{1, 2}, {3}};
    std::string space;       // "shared", "global", "const", "local", "param"
    std::uint32_t align = 0; // 0: the type's own
    std::string type;        // "b32"
    std::string name;
    std::vector<std::uint64_t>
        extents;                // none: no array; a first one of 0: `[]`, as long as its initial values
    std::uint32_t elements = 1; // 2 or 4: .v2, .v4
    Linkage linkage = Linkage::none;
    bool managed = false;             // .attribute(.managed)
    std::vector<InitialValue> values; // row by row, the rest is zero; none: no initial value
    bool operator==(const Variable&) const = default;
};
/// Its extents, the elements of a .v2 or .v4 last.
[[nodiscard]] std::vector<std::uint64_t> shape(const Variable& variable);
struct Pragma { // .pragma "nounroll";
    std::string text;
    bool operator==(const Pragma&) const = default;
};
struct Location { // .loc file line column [, function_name symbol+offset, inlined_at file line column]
    struct Inlined {
        std::string function;
        std::int64_t offset = 0;
        std::uint32_t file = 1, line = 0, column = 0;
        bool operator==(const Inlined&) const = default;
    };
    std::uint32_t file = 1, line = 0, column = 0;
    std::optional<Inlined> inlined = std::nullopt;
    bool operator==(const Location&) const = default;
};
struct ScopeBegin { // {
    bool operator==(const ScopeBegin&) const = default;
};
struct ScopeEnd { // }
    bool operator==(const ScopeEnd&) const = default;
};
struct Targets {        // behind a label, of brx.idx or of a call through a register: .branchtargets L0, L1;
    bool calls = false; // .calltargets
    std::vector<std::string> names;
    bool operator==(const Targets&) const = default;
};

struct Parameter { // .param .u64 .ptr .global .align 4 A   or   .param .align 8 .b8 A[16]
    struct Pointer {
        std::string space;       // "global"; empty: generic
        std::uint32_t align = 0; // of what it points to; 0: not said
        bool operator==(const Pointer&) const = default;
    };
    std::string type;
    std::string name;
    std::uint32_t align = 0;
    std::optional<std::uint64_t> count;
    std::optional<Pointer> pointer = std::nullopt;
    bool in_register = false; // .reg .b32 A, of a .func
    bool operator==(const Parameter&) const = default;
};
struct Prototype { // behind a label: .callprototype (.param .b32 _) _ (.param .b64 _) .noreturn;
    std::vector<Parameter> results, parameters;
    bool no_return = false;
    bool operator==(const Prototype&) const = default;
};
using Statement = std::variant<Instruction, Label, Comment, BlankLine, RegisterDeclaration, Variable,
                               Location, Pragma, ScopeBegin, ScopeEnd, Targets, Prototype>;

using Extents = std::array<std::uint32_t, 3>;

struct Function {
    std::string name;
    bool entry = true; // .entry or .func
    Linkage linkage = Linkage::visible;
    bool prototype = false; // ends in a semicolon instead of a body
    bool no_return = false; // .noreturn
    std::vector<Parameter> results;
    std::vector<Parameter> parameters;
    std::optional<Extents> required_threads;    // .reqntid
    std::optional<std::uint32_t> max_registers; // .maxnreg
    std::optional<Extents> max_threads;         // .maxntid
    std::optional<std::uint32_t> min_ctas;      // .minnctapersm
    std::optional<Extents> required_cluster;    // .reqnctapercluster
    std::optional<std::uint32_t> max_cluster;   // .maxclusterrank
    bool explicit_cluster = false;              // .explicitcluster
    bool blocks_are_clusters = false;           // .blocksareclusters
    std::vector<Pragma> pragmas;                // ahead of the body
    std::vector<Statement> body;
    bool operator==(const Function&) const = default;
};
struct Alias { // .alias name, of;
    std::string name, of;
    bool operator==(const Alias&) const = default;
};
struct File { // .file 1 "k.cu"[, time, bytes]
    std::uint32_t number = 0;
    std::string name;
    std::uint64_t time = 0, bytes = 0;
    bool operator==(const File&) const = default;
};

struct Version {
    int major = 8, minor = 6;
    auto operator<=>(const Version&) const =
        default; // NOLINT(modernize-use-nullptr): a false alarm of clang-tidy 14
};

struct Module {
    Version version;
    std::string target = "sm_100a";
    std::vector<std::string> options; // behind the target: "debug", "texmode_independent"
    std::vector<Variable> variables;
    std::vector<Function> functions;
    std::vector<Alias> aliases;
    std::vector<File> files;
    std::vector<Pragma> pragmas;
    bool operator==(const Module&) const = default;
};

} // namespace tmemc::ptx
