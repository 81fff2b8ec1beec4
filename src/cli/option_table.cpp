// The rows, in the order in which --help shows them.
#include "cli/option_table.hpp"

#include "base/invariant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tmemc::cli {
namespace {

constexpr VerbSet bit(Verb verb) { return 1U << static_cast<unsigned>(verb); }
constexpr VerbSet building = bit(Verb::build);
constexpr VerbSet running = bit(Verb::run);
constexpr VerbSet trying = running | bit(Verb::test);
constexpr VerbSet drawing = bit(Verb::layout);
constexpr VerbSet reporting = bit(Verb::report);
constexpr VerbSet compiling = building | bit(Verb::check) | trying | drawing | reporting;
constexpr VerbSet assembling = building | trying | reporting;
constexpr VerbSet writing = building | drawing | reporting;
constexpr VerbSet messages = compiling | bit(Verb::fmt);

// clang-format off
constexpr auto verbs = std::to_array<VerbRow>({
    {Verb::build, "build", "FILE|- [-o OUT] [--emit=KIND[=PATH],...]", "compile; the word `build` may be left out", 1, 1},
    {Verb::check, "check", "FILE...", "every check up to verify, without ptxas", 1, 0},
    {Verb::run, "run", "FILE [KERNEL] [NAME=SPEC ...]", "run a kernel of a .tmx, .ptx or, on a GPU, .cubin", 1, 0},
    {Verb::test, "test", "FILE|DIR...", "run the test blocks", 1, 0},
    {Verb::layout, "layout", "FILE [NAME...]", "where every element lives; with --map, who owns which columns when", 1, 0},
    {Verb::report, "report", "FILE", "registers, spills, messages, waits and columns of each kernel, of a .tmx or a .cubin", 1, 1},
    {Verb::fmt, "fmt", "FILE...|-", "format in place, `-` to standard output", 1, 0},
    {Verb::explain, "explain", "CODE|--list", "what a diagnostic means, with a wrong and a right program", 0, 1},
    {Verb::atoms, "atoms", "", "shapes of messages, and the datapaths they fit", 0, 1},
    {Verb::doctor, "doctor", "", "what works on this machine, and what to install for the rest", 0, 1},
    {Verb::completions, "completions", "bash|zsh|fish", "a completion script for the shell", 1, 1},
});

constexpr auto kinds = std::to_array<KindRow>({
    {Kind::ast, "ast", ".tmx", ".ast.tmx"},
    {Kind::manifest, "manifest", ".manifest.json", ".manifest.json"}, // ahead of .json
    {Kind::plan, "plan", ".json", ".plan.json"},
    {Kind::layout, "layout", ".svg", ".layout.json"},
    {Kind::layout, "layout", ".html", ".layout.json"},
    {Kind::ptx, "ptx", ".ptx", ".ptx"},
    {Kind::cubin, "cubin", ".cubin", ".cubin"},
    {Kind::report, "report", ".report.json", ".report.json"},
    {Kind::deps, "deps", ".d", ".d"},
    {Kind::cuda, "cuda", ".cuh", ".cuh"},
    {Kind::header, "header", ".h", ".h"},
});

constexpr auto options = std::to_array<OptionRow>({
    {"-o", "-o OUT", "", "the output, `-` is standard output; its suffix picks the kind", writing},
    {"--emit", "--emit=KIND[=PATH],...", "ast|plan|layout|ptx|cubin|report|deps|cuda|header|manifest", "what to write", building},
    {"--arch,--target", "-arch=TARGET, --target=TARGET", "sm_100a|sm_100f|sm_103a|sm_103f|sm_110a|sm_110f|native", "wins over `target` in the file; native is the GPU's; with --tmem=software any from sm_75 on; several, a,b, for header and manifest", compiling},
    {"--tmem", "--tmem=WHERE", "hardware|software|auto", "software: tensor memory in shared or global memory; auto: where the target has none", compiling},
    {"-D", "-D NAME=INT", "", "another value for a const", compiling},
    {"--optimise", "-O0 -O1 -O2 -O3", "", "passed on to ptxas", assembling},
    {"-g", "-g", "", "passed on to ptxas, which then checks accesses to tensor memory", assembling},
    {"--lineinfo", "-lineinfo", "", "machine code knows the lines of the .tmx", assembling},
    {"--ptxas", "--ptxas=PATH", "", "which ptxas; else $TMEMC_PTXAS, PATH, $CUDA_HOME/bin, $CUDA_PATH/bin, the default CUDA folder", assembling | bit(Verb::doctor)},
    {"--auto-wait", "--auto-wait", "", "add the fewest waits that the program lacks", compiling},
    {"--max-message", "--max-message=N", "", "at most N registers per instruction, a power of two up to 128", compiling},
    {"--no-verify", "--no-verify", "", "leave out the check of the emitted PTX against the program's layouts", compiling & ~drawing},
    {"--no-comments", "--no-comments", "", "PTX without the source lines", building},
    {"--prefix", "--prefix=my_", "", "of the names in a header", building},
    {"--namespace", "--namespace=mine", "", "of the functions in a C++ header", building},
    {"--warning", "-Wall -Wno-NAME -Werror[=NAME]", "", "warnings: all (they are), one off, as errors", compiling},
    {"-w", "-w", "", "no warnings", compiling},
    {"--diagnostics", "--diagnostics=FORM", "text|json", "json: one object a line, in the shape of LSP's Diagnostic", messages},
    {"--error-limit", "-ferror-limit=N", "", "at most N errors are shown, 0 shows all; 20 unless told", messages},
    {"--color", "--color=WHEN", "auto|always|never", "NO_COLOR is honoured", messages | bit(Verb::explain)},
    {"--explain-svg", "--explain-svg=FILE", "", "the first disagreeing element of a refused copy as a picture", compiling},
    {"-M", "-MD", "", "write a dependency file for make and ninja too", writing},
    {"-F", "-MF FILE", "", "where", writing},
    {"-v", "-v", "", "each copy's plan, its cost and the runner-up; statistics of a run", building | bit(Verb::check) | running},
    {"--dry-run", "-###", "", "print the tool commands and do not run them", building | running | reporting},
    {"-q", "-q", "", "nothing but errors", messages},
    {"--format", "--format=FORM", "text|svg|html|json", "of what is printed; svg and html are for layout", drawing | reporting | running | bit(Verb::atoms) | bit(Verb::doctor) | bit(Verb::explain)},
    {"--kernel", "--kernel NAME", "", "which kernel; default the first", drawing},
    {"--map", "--map", "", "the map of tensor memory: columns over lines", drawing},
    {"--baseline", "--baseline=OLD.json", "", "an earlier report; exit status 4 when a number got worse", reporting},
    {"--sass", "--sass", "", "source, PTX and machine code interleaved, by nvdisasm", reporting},
    {"--check", "--check", "", "change nothing, name the files that are not formatted; exit status 1 when there are any", bit(Verb::fmt)},
    {"--list", "--list", "", "every code with a line", bit(Verb::explain)},
    {"--on", "--on=WHERE", "auto|emulator|gpu|gpu:N", "auto: a GPU that can run the program, else the emulator", trying},
    {"--list-devices", "--list-devices", "", "what --on= can name", running},
    {"--time", "--time", "", "launch on a GPU, cold and warm: median, range, bytes per second", running},
    {"--repeat", "--repeat N", "", "launches of --time; 20 unless told", running},
    {"--save", "--save NAME=FILE.npy", "", "write a tensor after the run", running},
    {"--print", "--print NAME", "", "print a tensor after the run", running},
    {"--expect", "--expect NAME=SPEC", "", "compare a tensor with SPEC or with another tensor", running},
    {"--rtol", "--rtol=R", "", "of --expect: relative tolerance", running},
    {"--atol", "--atol=A", "", "of --expect: absolute tolerance", running},
    {"--grid", "--grid X[,Y[,Z]]", "", "CTAs, of a .ptx or .cubin", running},
    {"--block", "--block N[,N[,N]]", "", "threads of a CTA, of a .ptx or .cubin", running},
    {"--shared", "--shared BYTES", "", "dynamic shared memory, of a .ptx or .cubin", running},
    {"--timeout", "--timeout S", "", "give up after S seconds", trying},
    {"--max-steps", "--max-steps N", "", "emulator: give up after N instructions", trying},
    {"--uninit", "--uninit=WHAT", "fault|zero", "emulator: what reading what nobody wrote is", trying},
    {"--strict-lanes", "--strict-lanes", "", "emulator: lane bits 5 and 6 of an address must name the executing warp", trying},
    {"--threads", "--threads N", "", "emulator: threads of the host; all unless told", trying},
});
// clang-format on

bool has_name(const OptionRow& row, std::string_view name) {
    return fmt::format(",{},", row.names).find(fmt::format(",{},", name)) != std::string::npos;
}

} // namespace

std::span<const VerbRow> verb_table() { return verbs; }
std::span<const KindRow> kind_table() { return kinds; }
std::span<const OptionRow> option_table() { return options; }

const VerbRow& row_of(Verb verb) {
    const auto* const found =
        std::find_if(verbs.begin(), verbs.end(), [&](const VerbRow& row) { return row.verb == verb; });
    if (found == verbs.end()) throw base::InternalError("a verb without its row");
    return *found;
}

const OptionRow& row_of_option(std::string_view name) {
    const auto* const found = std::find_if(options.begin(), options.end(),
                                           [&](const OptionRow& row) { return has_name(row, name); });
    if (found == options.end()) throw base::InternalError(fmt::format("option {} without its row", name));
    return *found;
}

bool takes(Verb verb, const OptionRow& row) { return (row.verbs & bit(verb)) != 0; }

std::vector<std::string> words_of(std::string_view values) {
    std::vector<std::string> words;
    while (!values.empty()) {
        const std::size_t end = std::min(values.find('|'), values.size());
        words.emplace_back(values.substr(0, end));
        values.remove_prefix(std::min(end + 1, values.size()));
    }
    return words;
}

} // namespace tmemc::cli
