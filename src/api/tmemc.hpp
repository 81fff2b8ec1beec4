// The compiler as a library: a program's text goes in, and a value with everything that was asked for comes
// out. This header stands alone: C++17, types of the standard library, nothing else. Nothing is printed,
// thrown, ended or kept between calls, so any number of threads may compile at once.
//
//     #include <tmemc/tmemc.hpp>
//     using namespace tmemc::api;
//
//     Options options;
//     options.name = "roundtrip.tmx"; // as diagnostics call it; no file is read
//     options.outputs = {Kind::ptx, Kind::cubin};
//     const Result made = compile(text, options);
//     for (const Diagnostic& each : made.diagnostics) std::cerr << each.text;
//     if (made.status == Status::ok) load(made.cubin); // cuModuleLoadData takes its bytes
//
// Link with `pkg-config --libs --static tmemc`. The same in C: tmemc.h. Not here: running programs, which
// `tmemc run` and `tmemc test` do.
#ifndef TMEMC_TMEMC_HPP
#define TMEMC_TMEMC_HPP

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__GNUC__)
#define TMEMC_PUBLIC __attribute__((visibility("default")))
#else
#define TMEMC_PUBLIC
#endif

namespace tmemc::api {

/// What can be made of a program, by the names of --emit.
enum class Kind {
    ast,      // the program, printed in its canonical form
    plan,     // JSON: messages, columns and waits
    layout,   // JSON: where every element of a kernel lives
    ptx,      // the text for ptxas or the driver
    cubin,    // machine code, by ptxas
    report,   // JSON: registers, spills and messages, as the machine code has them
    cuda,     // a CUDA C++ header of the functions
    header,   // a C header with cubins and launchers
    manifest, // JSON: what a launcher must know
};

/// Where tensor memory is: the GPU's own, shared and global memory, or the first where the target has it.
enum class TensorMemory { hardware, software, automatic };

struct Options {
    std::string name = "<source>";           // of the file, for diagnostics and comments
    std::vector<Kind> outputs = {Kind::ptx}; // empty: only check
    std::string target;                      // "sm_100a"; empty: the program's own, else sm_100a
    std::vector<std::pair<std::string, std::int64_t>> definitions; // other values for `const`s
    TensorMemory tensor_memory = TensorMemory::hardware;
    int max_message = 128;                // registers of one instruction: a power of two, up to 128
    bool auto_wait = false;               // add the fewest waits that the program lacks
    bool comments = true;                 // the program's lines in the PTX
    bool verify = true;                   // the PTX is read back and held against the program
    std::string ptxas;                    // a path; empty: $TMEMC_PTXAS, PATH, the usual folders
    std::vector<std::string> ptxas_flags; // "-O2", "-lineinfo"
    std::uint32_t ptxas_timeout_ms = 60000;
    std::string kernel;             // whose layout; empty: the first
    std::string prefix, name_space; // of the names in the cuda and header kinds
};

/// From 1; a column counts code points. `offset` counts bytes from 0. All 0 where a message has no place.
struct Place {
    std::uint32_t line = 0, column = 0, offset = 0;
};
struct Range {
    Place begin, end; // half open
};

enum class Severity { error, warning, note };

/// A second place that a diagnostic speaks of.
struct Label {
    Range range;
    std::string text;
};
struct Diagnostic {
    std::string code; // "TM0301": never changes its meaning
    std::string name; // "no_message": the code in words
    std::string flag; // of a warning: the NAME of -Wno-NAME
    Severity severity = Severity::error;
    Range range;
    std::string message;
    std::vector<Label> labels;
    std::vector<std::string> notes, helps;
    std::string text; // all of it with the source's lines, as a terminal shows it; ends with a line break
    std::string json; // all of it as a line of JSON, in the shape of LSP's Diagnostic
};

/// An argument of a launch: a tensor's address in device memory, or a scalar's value.
struct Parameter {
    bool tensor = false;
    std::string name, type; // "alpha", "f32"
    std::uint32_t bits = 0; // of the value, or of one element
    // Of a tensor, which lies row by row:
    std::string direction;               // "in", "out" or "inout"
    std::vector<std::uint64_t> shape;    // one or two extents
    std::uint64_t pitch = 0;             // elements from row to row
    std::uint64_t align = 0;             // the address is a multiple of so many bytes
    std::string extent_from, pitch_from; // the scalars that give the first extent or the pitch at launch,
                                         // where 0 stands above; mostly empty
};

/// How a kernel is launched.
struct Kernel {
    std::string name;
    std::vector<Parameter> parameters; // in the order of the launch
    std::array<std::uint32_t, 3> grid = {1, 1, 1};
    std::uint32_t threads = 0;       // of a CTA
    std::uint64_t scratch_bytes = 0; // of global memory, to which one more parameter points; mostly 0
};

enum class Status {
    ok,
    source,    // the program has errors; diagnostics say which
    option,    // an option has no such value, or an output cannot be had of this program; see message
    toolchain, // no ptxas, or it failed; diagnostics say why
    internal,  // a bug of this library; see message
    out_of_memory,
};

struct Result {
    Status status = Status::ok;
    std::string message; // of option and internal: one sentence
    std::vector<Diagnostic> diagnostics;
    std::string target;          // what it was compiled for
    std::vector<Kernel> kernels; // in the order of the program; functions are none
    std::string ast, plan, layout, ptx, cubin, report, cuda, header,
        manifest; // those asked for, when all went well
};

/// Never throws, but when the text itself cannot be passed.
[[nodiscard]] TMEMC_PUBLIC Result compile(std::string_view text, const Options& options = {}) noexcept;

/// "0.1.0"
[[nodiscard]] TMEMC_PUBLIC std::string_view version() noexcept;

} // namespace tmemc::api

#endif
