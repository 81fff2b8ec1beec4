// The command line as a value. parse_command_line() turns argv into Options or says what is wrong with it; it
// prints nothing and decides nothing. The verbs (build.cpp, check.cpp, run.cpp, test.cpp) read the Options.
#pragma once

#include "base/render.hpp"
#include "embed/names.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmemc::cli {

/// Exit statuses (command-line reference).
enum Exit : int {
    exit_ok = 0,
    exit_source = 1,    // errors in the source
    exit_usage = 2,     // a bad command line, an unreadable file
    exit_toolchain = 3, // no ptxas, or it failed; no fitting device
    exit_check = 4,     // it ran, and a check failed
    exit_internal = 70,
};

enum class Verb : std::uint8_t {
    build,
    check,
    run,
    test,
    layout,
    report,
    fmt,
    explain,
    atoms,
    doctor,
    completions,
    help,
    version
};
enum class Kind : std::uint8_t { ast, plan, layout, ptx, cubin, report, deps, cuda, header, manifest };

/// --on; gpu comes with a number.
enum class On : std::uint8_t { automatic, emulator, gpu };

/// One --emit entry. An empty path is the default name.
struct Emission {
    Kind kind{};
    std::string path;
    bool operator==(const Emission&) const = default;
};

struct Options {
    Verb verb = Verb::help;
    std::vector<std::string> inputs; // of run: the file alone
    std::string help;                // the text of --help

    std::string format = "text"; // text or json; of layout svg or html too
    bool format_given = false;

    // build
    std::vector<Emission> emissions;
    std::string output; // -o
    bool comments = true;
    bool dry_run = false;     // -###
    embed::Names names;       // --prefix, --namespace
    bool depfile = false;     // -MD
    std::string depfile_path; // -MF

    // layout
    std::vector<std::string> objects; // empty: all
    bool map = false;

    // report
    std::string baseline;
    bool sass = false;

    // fmt, explain
    bool check_only = false; // fmt --check
    bool list = false;       // explain --list

    // everything that compiles
    std::vector<std::pair<std::string, std::int64_t>> definitions;
    std::string target;                     // the first of -arch
    std::vector<std::string> other_targets; // only of build
    std::string tmem = "hardware";          // or software, auto
    std::string ptxas;
    std::vector<std::string> ptxas_flags;
    bool line_info = false;  // -lineinfo, which ptxas_flags holds too
    std::string explain_svg; // a file
    int max_message = 128;
    bool auto_wait = false; // add the fewest waits that the program lacks
    bool verify = true;     // false: --no-verify
    base::WarningOptions warnings;
    bool json_diagnostics = false;
    bool color = false;              // of messages, on standard error
    std::string color_when = "auto"; // --color, for what goes to standard output
    bool verbose = false, quiet = false;

    // run
    std::string kernel;                                         // of layout too
    std::vector<std::pair<std::string, std::string>> arguments; // NAME=SPEC
    On on = On::automatic;
    int gpu = 0; // of --on=gpu:N
    bool list_devices = false;
    bool time = false;                                             // --time
    int repeat = 20;                                               // --repeat
    std::vector<std::pair<std::string, std::string>> saves;        // NAME=file.npy
    std::vector<std::string> prints;                               // NAME
    std::vector<std::pair<std::string, std::string>> expectations; // NAME=SPEC
    double rtol = 0, atol = 0;
    bool tolerant = false;                  // --rtol or --atol was given
    std::vector<std::uint32_t> grid, block; // of a .ptx; empty: not given
    std::uint32_t shared_bytes = 0;         // of a .ptx
    std::uint32_t threads = 0;              // of the host; 0: all
    std::uint64_t timeout_ms = 0, max_steps = 0;
    bool uninitialised_is_fault = true;
    bool strict_lanes = false;
};

struct Parsed {
    std::optional<Options> options; // absent: `error` says why
    std::string error;
};

[[nodiscard]] Parsed parse_command_line(const std::vector<std::string>& arguments, bool terminal);

/// The kind of output that a file suffix asks for (".ptx", ".cubin", ".json"), if any.
[[nodiscard]] std::optional<Kind> kind_of_suffix(std::string_view path);
/// The suffix of a default output name: ".plan.json".
[[nodiscard]] std::string_view default_suffix(Kind kind);

} // namespace tmemc::cli
