// Options are declared to CLI11, one line each with its help. CLI11 knows `--long=value` and `-x value` only,
// so the compilers' own spellings are rewritten first: -arch=X, -ferror-limit=N, -Wno-NAME, -O2, -lineinfo,
// -###.
#include "cli/options.hpp"

#include "base/near.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <limits>

namespace tmemc::cli {
namespace {

constexpr std::string_view version_text = "tmemc " TMEMC_VERSION "\n";

constexpr std::string_view help_text =
    R"(tmemc: compiles .tmx kernels for Blackwell tensor memory to PTX, and runs them

  tmemc build roundtrip.tmx                          roundtrip.cubin, by ptxas
  tmemc build roundtrip.tmx --emit=ptx -o -          the PTX, on standard output
  tmemc check roundtrip.tmx                          every check, no ptxas
  tmemc run roundtrip.tmx A=random:1 --expect B=A    on a GPU that can, else on the emulator
  tmemc test examples                                the test blocks of every file

tmemc [build] FILE|- [-o OUT] [--emit=KIND[=PATH],...]   KIND: ast plan ptx cubin cuda header manifest
tmemc check FILE...
tmemc run FILE [KERNEL] [NAME=SPEC ...]                  SPEC: @file.npy iota random[:SEED] zeros ones cells VALUE
                                                         FILE may be .ptx: A=zeros:f16[128,8] B=@b.npy n=5 S=hex:0700, --grid X,Y,Z --block N --shared BYTES
                                                         or, on a GPU, .cubin: p0=zeros:f16[128,8] p1=5, by position
tmemc run --list-devices                                 what --on= can name
tmemc test FILE|DIR...
tmemc atoms [--format=text|json]                         shapes of messages, and the datapaths they fit
tmemc doctor                                             what works on this machine, and what to install for the rest

-arch=sm_100a       the target: sm_100a sm_100f sm_103a sm_103f sm_110a sm_110f, or native, the GPU's; several, a,b, for header and manifest
--tmem=hardware     or software: tensor memory in shared or global memory, from sm_75 on; auto: where the target has none
--prefix=my_ --namespace=mine                            of the names in a header
-D NAME=INT         another value for a const
--auto-wait         add the fewest waits that the program lacks
--max-message=N     at most N registers per instruction, a power of two
--no-verify         leave out the check of the emitted PTX against the program's layouts
-v, -q              each copy's plan, its cost and the runner-up; nothing but errors
-Wno-NAME -Werror[=NAME] -w                              warnings: one off, as errors, all off
--save B=file.npy --print B --expect B=A --rtol= --atol=  of run: what becomes of its tensors
--on=auto|emulator|gpu[:N] --timeout S                   of run and test: where, and for how long
--time --repeat N   of run: N launches on a GPU, cold and warm: median, range, bytes per second; --format=json
--max-steps N --uninit=zero --strict-lanes --threads N   of run and test: the emulator
--ptxas=PATH        which ptxas; -O0 to -O3, -g, -lineinfo are passed on to it; $TMEMC_CUDA_DRIVER: which libcuda
--diagnostics=json --color=never -ferror-limit=N         how mistakes are shown

Exit status: 0 success, 1 errors in the source, 2 bad command line or unreadable file, 3 no or failed ptxas or device,
4 a check failed, 70 internal error.
)";

constexpr std::int64_t most_shared = std::int64_t{227} * 1024; // bytes that a CTA can have

struct KindRow {
    Kind kind;
    std::string_view name;
    std::string_view suffix;         // of -o
    std::string_view default_suffix; // of the default name
};
constexpr auto kind_rows = std::to_array<KindRow>({
    {Kind::ast, "ast", ".tmx", ".ast.tmx"},
    {Kind::manifest, "manifest", ".manifest.json", ".manifest.json"}, // ahead of .json
    {Kind::plan, "plan", ".json", ".plan.json"},
    {Kind::ptx, "ptx", ".ptx", ".ptx"},
    {Kind::cubin, "cubin", ".cubin", ".cubin"},
    {Kind::cuda, "cuda", ".cuh", ".cuh"},
    {Kind::header, "header", ".h", ".h"},
});

struct VerbRow {
    Verb verb;
    std::string_view name;
};
constexpr auto verb_rows = std::to_array<VerbRow>({{Verb::build, "build"},
                                                   {Verb::check, "check"},
                                                   {Verb::run, "run"},
                                                   {Verb::test, "test"},
                                                   {Verb::atoms, "atoms"},
                                                   {Verb::doctor, "doctor"}});

/// What CLI11 fills in before it is checked and given its type.
struct Raw {
    std::vector<std::string> positionals, emit, targets, defines, warnings, save, print, expect;
    std::string diagnostics = "text", color = "auto", uninit = "fault", optimisation, grid, block, shared,
                on = "auto", repeat, threads, timeout, max_steps;
    bool debug = false, lineinfo = false, no_comments = false, no_verify = false;
};

std::string ticked(std::string_view text) { return fmt::format("`{}`", text); }

bool starts_with(const std::string& text, std::string_view head) { return text.rfind(head, 0) == 0; }

/// "-arch=sm_100a" to "--arch=sm_100a" and its like.
std::string rewrite(const std::string& word) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> exact{
        {{"-###", "--dry-run"}, {"-lineinfo", "--lineinfo"}, {"-arch", "--arch"}}};
    for (const auto& [from, to] : exact)
        if (word == from) return std::string(to);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> heads{
        {{"-arch=", "--arch="},
         {"-ferror-limit=", "--error-limit="},
         {"-W", "--warning="},
         {"-O", "--optimise="}}};
    for (const auto& [from, to] : heads)
        if (starts_with(word, from) && (word.size() > from.size() || from.back() == '='))
            return std::string(to) + word.substr(from.size());
    return word;
}

void declare(CLI::App& app, Options& options, Raw& raw) {
    app.set_help_flag();
    app.add_option("inputs", raw.positionals);
    app.add_option("-o", options.output);
    app.add_option("--emit", raw.emit)->delimiter(',')->take_all()->allow_extra_args(false);
    app.add_option("--arch,--target", raw.targets)->delimiter(',')->take_all()->allow_extra_args(false);
    app.add_option("--tmem", options.tmem);
    app.add_option("--prefix", options.names.prefix);
    app.add_option("--namespace", options.names.name_space);
    app.add_option("-D", raw.defines)->allow_extra_args(false);
    app.add_option("--ptxas", options.ptxas);
    app.add_option("--optimise", raw.optimisation);
    app.add_option("--max-message", options.max_message);
    app.add_flag("--auto-wait", options.auto_wait);
    app.add_option("--warning", raw.warnings)->allow_extra_args(false);
    app.add_option("--diagnostics", raw.diagnostics);
    app.add_option("--format", options.format);
    app.add_option("--error-limit", options.warnings.error_limit);
    app.add_option("--color", raw.color);
    app.add_option("--on", raw.on);
    app.add_flag("--list-devices", options.list_devices);
    app.add_flag("--time", options.time);
    app.add_option("--repeat", raw.repeat);
    app.add_option("--save", raw.save)->allow_extra_args(false);
    app.add_option("--print", raw.print)->allow_extra_args(false);
    app.add_option("--expect", raw.expect)->allow_extra_args(false);
    app.add_option("--grid", raw.grid);
    app.add_option("--block", raw.block);
    app.add_option("--shared", raw.shared);
    app.add_option("--threads", raw.threads);
    app.add_option("--rtol", options.rtol);
    app.add_option("--atol", options.atol);
    app.add_option("--timeout", raw.timeout);
    app.add_option("--max-steps", raw.max_steps);
    app.add_option("--uninit", raw.uninit);
    app.add_flag("-g", raw.debug);
    app.add_flag("--lineinfo", raw.lineinfo);
    app.add_flag("-w", options.warnings.silence_all);
    app.add_flag("-v", options.verbose);
    app.add_flag("-q", options.quiet);
    app.add_flag("--dry-run", options.dry_run);
    app.add_flag("--no-comments", raw.no_comments);
    app.add_flag("--no-verify", raw.no_verify);
    app.add_flag("--strict-lanes", options.strict_lanes);
}

/// Collects what is wrong; the first complaint is the one shown.
class Reader {
  public:
    [[nodiscard]] const std::string& error() const { return error_; }
    void fail(std::string what) {
        if (error_.empty()) error_ = std::move(what);
    }
    /// "NAME=VALUE" in two; `form` is what it should look like.
    std::pair<std::string, std::string> pair(const std::string& text, std::string_view form) {
        const std::size_t at = text.find('=');
        if (at == std::string::npos || at == 0)
            fail(fmt::format("{} is not of the form {}", ticked(text), form));
        return {text.substr(0, at), at == std::string::npos ? std::string() : text.substr(at + 1)};
    }
    /// An integer as the language writes it: decimal, 0x or 0b, with _ between digits.
    std::int64_t integer(const std::string& text) {
        const std::size_t sign = starts_with(text, "-") ? 1 : 0;
        int base = 10;
        if (text.compare(sign, 2, "0x") == 0) base = 16;
        if (text.compare(sign, 2, "0b") == 0) base = 2;
        std::string digits = text.substr(std::min(text.size(), sign + (base == 10 ? 0 : 2)));
        const bool well_formed = !digits.empty() && digits.front() != '_' && digits.back() != '_' &&
                                 digits.find("__") == std::string::npos && digits.front() != '-';
        digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
        digits.insert(0, text, 0, sign);
        std::int64_t value = 0;
        auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
        if (problem == std::errc::result_out_of_range)
            fail(fmt::format("{} does not fit in a signed 64-bit integer", ticked(text)));
        else if (!well_formed || problem != std::errc{} || end != digits.data() + digits.size())
            fail(fmt::format("{} is not an integer; write it as 64, 0x40 or 0b100_0000", ticked(text)));
        return value;
    }
    /// "4" or "4,2,1", each at least 1.
    std::vector<std::uint32_t> dimensions(std::string_view option, const std::string& text) {
        std::vector<std::uint32_t> values;
        for (std::size_t at = 0; !text.empty() && at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            const std::int64_t value = integer(text.substr(at, end - at));
            if (value < 1 || value > 0x7fffffff || values.size() == 3)
                fail(fmt::format("{} takes one to three positive numbers, not {}", option, ticked(text)));
            values.push_back(static_cast<std::uint32_t>(value));
            at = end + 1;
        }
        return values;
    }
    /// A number in the range; 0 when it is not given.
    std::uint64_t count(std::string_view option, const std::string& text, std::int64_t least,
                        std::int64_t most) {
        if (text.empty()) return 0;
        const std::int64_t value = integer(text);
        if (value < least || value > most)
            fail(fmt::format("{} takes a number from {} to {}, not {}", option, least, most, ticked(text)));
        return static_cast<std::uint64_t>(value);
    }
    /// Seconds as milliseconds; 0 when it is not given.
    std::uint64_t milliseconds(std::string_view option, const std::string& text) {
        constexpr double least = 0.001, most = 1e9;
        double seconds = 0;
        const char* const end = text.data() + text.size();
        const auto [stop, problem] = std::from_chars(text.data(), end, seconds);
        const bool fits = problem == std::errc{} && stop == end && seconds >= least && seconds <= most;
        if (!text.empty() && !fits)
            fail(fmt::format("{} takes seconds from {} to {}, not {}", option, least, most, ticked(text)));
        return fits ? static_cast<std::uint64_t>(seconds * 1000) : 0;
    }
    /// One of `allowed`, or a complaint that lists them.
    void one_of(std::string_view option, const std::string& value, std::vector<std::string> allowed) {
        if (std::find(allowed.begin(), allowed.end(), value) == allowed.end())
            fail(fmt::format("unknown value {} of {}; it takes {}", ticked(value), option,
                             fmt::join(allowed, ", ")));
    }

  private:
    std::string error_;
};

Emission emission(Reader& reader, const std::string& text) {
    const std::size_t at = text.find('=');
    const std::string name = text.substr(0, at);
    for (const KindRow& each : kind_rows)
        if (each.name == name) {
            if (at + 1 == text.size())
                reader.fail(
                    fmt::format("--emit={} names no file; write --emit={}=PATH, or no `=`", text, name));
            return {each.kind, at == std::string::npos ? std::string() : text.substr(at + 1)};
        }
    std::vector<std::string> names;
    names.reserve(kind_rows.size());
    for (const KindRow& each : kind_rows) names.emplace_back(each.name);
    reader.fail(fmt::format("unknown kind {} of --emit; it takes {}", ticked(name), fmt::join(names, ", ")));
    return {};
}

void read_warning(Reader& reader, base::WarningOptions& warnings, const std::string& word) {
    if (word == "all") return; // every warning is on from the start
    if (word == "error") {
        warnings.all_as_errors = true;
        return;
    }
    const bool silence = starts_with(word, "no-");
    if (!silence && !starts_with(word, "error="))
        return reader.fail(fmt::format("unknown warning option `-W{}`", word));
    const std::string flag = word.substr(silence ? 3 : 6);
    std::vector<std::string> flags;
    for (const base::Kind* kind : base::all_kinds())
        if (!kind->flag.empty()) flags.emplace_back(kind->flag);
    if (std::find(flags.begin(), flags.end(), flag) == flags.end()) {
        const std::string near = base::nearest(flag, flags);
        return reader.fail(fmt::format("unknown warning {}{}", ticked(flag),
                                       near.empty() ? "" : fmt::format("; did you mean {}?", ticked(near))));
    }
    (silence ? warnings.silenced : warnings.as_errors).push_back(flag);
}

void read_targets(Reader& reader, Options& options, const std::vector<std::string>& targets, bool given) {
    for (const std::string& target : targets) {
        if (target.empty()) return reader.fail("-arch= names no target; write -arch=sm_100a");
        if (std::count(targets.begin(), targets.end(), target) > 1)
            return reader.fail(fmt::format("-arch names {} twice", ticked(target)));
        if (target == "native" && targets.size() > 1)
            return reader.fail("-arch=native stands alone: it names whatever GPU is there");
    }
    if (given && targets.empty()) reader.fail("-arch= names no target; write -arch=sm_100a");
    if (targets.size() > 1 && options.verb != Verb::build)
        reader.fail(fmt::format("-arch names {} targets; several are for build", targets.size()));
    if (targets.empty()) return;
    options.target = targets.front();
    options.other_targets.assign(targets.begin() + 1, targets.end());
}

/// Names that the headers can hold.
void read_names(Reader& reader, const CLI::App& app, const embed::Names& names) {
    if (app.count("--prefix") > 0 && !embed::is_name(names.prefix + "x"))
        reader.fail(
            fmt::format("--prefix takes the beginning of a name, such as my_, not {}", ticked(names.prefix)));
    if (app.count("--namespace") > 0 && !embed::is_name(names.name_space, true))
        reader.fail(fmt::format("--namespace takes a name, such as mine or my::kernels, not {}",
                                ticked(names.name_space)));
}

bool wants_color(const std::string& when, bool terminal) {
    if (when == "auto") return terminal;
    return when == "always";
}

void read_inputs(Reader& reader, Options& options, const std::vector<std::string>& words) {
    const bool fileless = options.verb == Verb::atoms || options.verb == Verb::doctor;
    if (fileless && !words.empty())
        reader.fail(fmt::format("{} takes no file, and here stands {}",
                                options.verb == Verb::atoms ? "atoms" : "doctor", ticked(words.front())));
    if (fileless || (options.verb == Verb::run && options.list_devices)) return;
    if (words.empty()) return reader.fail("no input file");
    if (options.verb != Verb::run) {
        options.inputs = words;
        if (options.verb == Verb::build && words.size() > 1)
            reader.fail(fmt::format("build takes one file, not {}", words.size()));
        return;
    }
    options.inputs = {words.front()};
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i].find('=') != std::string::npos)
            options.arguments.push_back(reader.pair(words[i], "NAME=SPEC"));
        else if (options.kernel.empty())
            options.kernel = words[i];
        else
            reader.fail(
                fmt::format("{} is a second kernel; one is run at a time, and arguments are NAME=SPEC",
                            ticked(words[i])));
    }
}

/// --on=auto|emulator|gpu[:N]
void read_place(Reader& reader, const std::string& on, Options& options) {
    constexpr std::string_view numbered = "gpu:";
    if (starts_with(on, numbered)) {
        options.on = On::gpu;
        options.gpu = static_cast<int>(reader.count("--on=gpu:N", on.substr(numbered.size()), 0, 1023));
        if (on.size() == numbered.size()) reader.fail("--on=gpu: names no number; write --on=gpu:0");
        return;
    }
    if (on == "gpu" || on == "emulator")
        options.on = on == "gpu" ? On::gpu : On::emulator;
    else if (on != "auto")
        reader.fail(fmt::format("unknown value {} of --on; it takes auto, emulator, gpu, gpu:N", ticked(on)));
}

/// Checks what CLI11 took as text and gives it its type.
void interpret(Reader& reader, const CLI::App& app, const Raw& raw, bool terminal, Options& options) {
    reader.one_of("--diagnostics", raw.diagnostics, {"text", "json"});
    reader.one_of("--color", raw.color, {"auto", "always", "never"});
    reader.one_of("--format", options.format, {"text", "json"});
    reader.one_of("--uninit", raw.uninit, {"fault", "zero"});
    reader.one_of("--tmem", options.tmem, {"hardware", "software", "auto"});
    if (!raw.optimisation.empty()) reader.one_of("-O", raw.optimisation, {"0", "1", "2", "3"});
    if (options.max_message < 1 || options.max_message > 128 ||
        !std::has_single_bit(static_cast<unsigned>(options.max_message)))
        reader.fail(
            fmt::format("--max-message takes a power of two from 1 to 128, not {}", options.max_message));

    read_inputs(reader, options, raw.positionals);
    for (const std::string& text : raw.emit) options.emissions.push_back(emission(reader, text));
    for (const std::string& text : raw.defines) {
        auto [name, value] = reader.pair(text, "NAME=INT");
        options.definitions.emplace_back(name, reader.integer(value));
    }
    for (const std::string& word : raw.warnings) read_warning(reader, options.warnings, word);
    for (const std::string& text : raw.save) options.saves.push_back(reader.pair(text, "NAME=file.npy"));
    for (const std::string& text : raw.expect) options.expectations.push_back(reader.pair(text, "NAME=SPEC"));
    for (const auto& [name, path] : options.saves)
        if (path.empty() || path == "-")
            reader.fail(fmt::format("--save {}={} names no file; write --save {}=file.npy, or --print {}",
                                    name, path, name, name));
    if (starts_with(options.output, "="))
        reader.fail(fmt::format("`-o{}` is not a way to name the output; write -o {}", options.output,
                                options.output.substr(1)));
    read_targets(reader, options, raw.targets, app.count("--arch") > 0);
    read_names(reader, app, options.names);
    options.prints = raw.print;
    options.grid = reader.dimensions("--grid", raw.grid);
    options.block = reader.dimensions("--block", raw.block);
    options.shared_bytes = static_cast<std::uint32_t>(reader.count("--shared", raw.shared, 0, most_shared));
    options.threads = static_cast<std::uint32_t>(reader.count("--threads", raw.threads, 1, 1024));
    options.max_steps =
        reader.count("--max-steps", raw.max_steps, 1, std::numeric_limits<std::int64_t>::max());
    options.timeout_ms = reader.milliseconds("--timeout", raw.timeout);
    read_place(reader, raw.on, options);
    if (!raw.repeat.empty())
        options.repeat = static_cast<int>(reader.count("--repeat", raw.repeat, 1, 1'000'000));
    if (!raw.repeat.empty() && !options.time)
        reader.fail("--repeat says how often --time launches; add --time");

    options.json_diagnostics = raw.diagnostics == "json";
    options.color = wants_color(raw.color, terminal) && !options.json_diagnostics;
    options.comments = !raw.no_comments;
    options.verify = !raw.no_verify;
    options.uninitialised_is_fault = raw.uninit == "fault";
    options.tolerant = app.count("--rtol") + app.count("--atol") > 0;
    if (!raw.optimisation.empty()) options.ptxas_flags.push_back("-O" + raw.optimisation);
    if (raw.debug) options.ptxas_flags.emplace_back("-g");
    if (raw.lineinfo) options.ptxas_flags.emplace_back("-lineinfo");
}

/// CLI11's own sentence, with the option as the user wrote it.
std::string complaint(const CLI::ParseError& error, const CLI::App& app) {
    const std::vector<std::string> unknown = app.remaining();
    if (unknown.empty()) return error.what();
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options())
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    const std::string word = unknown.front().substr(0, unknown.front().find('='));
    const std::string near = base::nearest(word, names);
    return fmt::format("unknown option {}{}", ticked(unknown.front()),
                       near.empty() ? "" : fmt::format("; did you mean {}?", ticked(near)));
}

/// A word that can be no file of ours: no suffix, no folder.
bool looks_like_a_verb(const std::string& word) {
    return word.find_first_of("./") == std::string::npos && !starts_with(word, "-");
}

std::string unknown_command(const std::string& word) {
    std::vector<std::string> names;
    names.reserve(verb_rows.size());
    for (const VerbRow& each : verb_rows) names.emplace_back(each.name);
    const std::string near = base::nearest(word, names);
    return fmt::format("unknown command {}; {}", ticked(word),
                       near.empty() ? fmt::format("there is {}", fmt::join(names, ", "))
                                    : fmt::format("did you mean {}?", ticked(near)));
}

} // namespace

Parsed parse_command_line(const std::vector<std::string>& arguments, bool terminal) {
    Options options;
    options.warnings.error_limit = 20;
    const auto asks = [&](std::string_view a, std::string_view b) {
        return std::any_of(arguments.begin(), arguments.end(),
                           [&](const std::string& w) { return w == a || w == b; });
    };
    if (arguments.empty() || asks("--help", "-h")) {
        options.help = help_text;
        if (arguments.empty()) return {std::nullopt, "no input file; `tmemc --help` shows what there is"};
        return {options, {}};
    }
    if (asks("--version", "--version")) {
        options.verb = Verb::version;
        options.help = version_text;
        return {options, {}};
    }
    std::vector<std::string> words(arguments.size());
    std::transform(arguments.begin(), arguments.end(), words.begin(), rewrite);
    options.verb = Verb::build; // the verb that need not be written
    const auto* const verb = std::find_if(verb_rows.begin(), verb_rows.end(),
                                          [&](const VerbRow& each) { return words.front() == each.name; });
    if (verb != verb_rows.end()) {
        options.verb = verb->verb;
        words.erase(words.begin());
    } else if (looks_like_a_verb(words.front())) {
        return {std::nullopt, unknown_command(words.front())};
    }

    CLI::App app;
    Raw raw;
    declare(app, options, raw);
    Reader reader;
    try {
        std::reverse(words.begin(), words.end()); // CLI11 takes them last first
        app.parse(words);
    } catch (const CLI::ParseError& error) {
        return {std::nullopt, complaint(error, app)};
    }
    interpret(reader, app, raw, terminal, options);
    if (!reader.error().empty()) return {std::nullopt, reader.error()};
    return {options, {}};
}

std::optional<Kind> kind_of_suffix(std::string_view path) {
    for (const KindRow& each : kind_rows)
        if (path.size() > each.suffix.size() && path.substr(path.size() - each.suffix.size()) == each.suffix)
            return each.kind;
    return std::nullopt;
}

std::string_view default_suffix(Kind kind) {
    for (const KindRow& each : kind_rows)
        if (each.kind == kind) return each.default_suffix;
    return {};
}

} // namespace tmemc::cli
