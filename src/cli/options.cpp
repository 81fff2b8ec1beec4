// Options are declared to CLI11 by the names of the option table, one line each for the field that a row
// fills. Not here: the compilers' own spellings, which CLI11 does not know (spelling.hpp).
#include "cli/option_table.hpp"
#include "cli/spelling.hpp"
#include "cli/values.hpp"

#include "base/invariant.hpp"
#include "base/near.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace tmemc::cli {
namespace {

constexpr std::int64_t most_shared = std::int64_t{227} * 1024; // bytes that a CTA can have

/// What CLI11 fills in before it is checked and given its type.
struct Raw {
    std::vector<std::string> positionals, emit, targets, defines, warnings, save, print, expect;
    std::string diagnostics = "text", color = "auto", uninit = "fault", optimisation, grid, block, shared,
                on = "auto", repeat, threads, timeout, max_steps, error_limit;
    bool debug = false, no_comments = false, no_verify = false;
};

bool starts_with(const std::string& text, std::string_view head) { return text.rfind(head, 0) == 0; }

/// Declares rows of the option table, and sees that none is left out.
class Declarer {
  public:
    explicit Declarer(CLI::App& app) : app_(app) {}
    template <class T>
    void one(std::string_view name, T& field) {
        add(name, field);
    }
    /// May be given several times, a value each time.
    void list(std::string_view name, std::vector<std::string>& field) {
        add(name, field)->allow_extra_args(false);
    }
    void flag(std::string_view name, bool& field) {
        app_.add_flag(std::string(row_of_option(name).names), field)->disable_flag_override();
        ++declared_;
    }
    void done() const {
        if (declared_ != option_table().size()) throw base::InternalError("an option that sets nothing");
    }

  private:
    CLI::App& app_;
    std::size_t declared_ = 0;

    template <class T>
    CLI::Option* add(std::string_view name, T& field) {
        ++declared_;
        return app_.add_option(std::string(row_of_option(name).names), field);
    }
};

void declare(CLI::App& app, Options& options, Raw& raw) {
    app.set_help_flag();
    app.add_option("inputs", raw.positionals);
    Declarer declare(app);
    declare.one("-o", options.output);
    declare.list("--emit", raw.emit);
    declare.list("--arch", raw.targets);
    declare.one("--tmem", options.tmem);
    declare.list("-D", raw.defines);
    declare.one("--optimise", raw.optimisation);
    declare.flag("-g", raw.debug);
    declare.flag("--lineinfo", options.line_info);
    declare.one("--ptxas", options.ptxas);
    declare.flag("--auto-wait", options.auto_wait);
    declare.one("--max-message", options.max_message);
    declare.flag("--no-verify", raw.no_verify);
    declare.flag("--no-comments", raw.no_comments);
    declare.one("--prefix", options.names.prefix);
    declare.one("--namespace", options.names.name_space);
    declare.list("--warning", raw.warnings);
    declare.flag("-w", options.warnings.silence_all);
    declare.one("--diagnostics", raw.diagnostics);
    declare.one("--error-limit", raw.error_limit);
    declare.one("--color", raw.color);
    declare.one("--explain-svg", options.explain_svg);
    declare.flag("-M", options.depfile);
    declare.one("-F", options.depfile_path);
    declare.flag("-v", options.verbose);
    declare.flag("--dry-run", options.dry_run);
    declare.flag("-q", options.quiet);
    declare.one("--format", options.format);
    declare.one("--kernel", options.kernel);
    declare.flag("--map", options.map);
    declare.one("--baseline", options.baseline);
    declare.flag("--sass", options.sass);
    declare.flag("--check", options.check_only);
    declare.flag("--list", options.list);
    declare.one("--on", raw.on);
    declare.flag("--list-devices", options.list_devices);
    declare.flag("--time", options.time);
    declare.one("--repeat", raw.repeat);
    declare.list("--save", raw.save);
    declare.list("--print", raw.print);
    declare.list("--expect", raw.expect);
    declare.one("--rtol", options.rtol);
    declare.one("--atol", options.atol);
    declare.one("--grid", raw.grid);
    declare.one("--block", raw.block);
    declare.one("--shared", raw.shared);
    declare.one("--timeout", raw.timeout);
    declare.one("--max-steps", raw.max_steps);
    declare.one("--uninit", raw.uninit);
    declare.flag("--strict-lanes", options.strict_lanes);
    declare.one("--threads", raw.threads);
    declare.done();
}

/// "-arch" of the row of --arch: as users write it, without the value.
std::string_view written_name(const OptionRow& row) {
    return row.written.substr(0, row.written.find_first_of(" =,"));
}

/// The words of a list with commas, over all times that its option is given.
std::vector<std::string> split(Reader& reader, std::string_view option,
                               const std::vector<std::string>& given) {
    std::vector<std::string> all;
    for (const std::string& text : given)
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            all.push_back(text.substr(at, end - at));
            if (end == at) reader.fail(fmt::format("{}={} has nothing beside a comma", option, text));
            at = end + 1;
        }
    return all;
}

/// `-o ""`: what complaint_of_word refuses behind a `=`, as a word of its own.
void refuse_empty(Reader& reader, const CLI::App& app) {
    for (const OptionRow& row : option_table())
        for (const std::string& value :
             app.get_option(std::string(row.names.substr(0, row.names.find(','))))->results())
            if (value.empty())
                reader.fail(fmt::format("{} takes a value, and here it is empty", written_name(row)));
}

Emission emission(Reader& reader, const std::string& text) {
    const std::size_t at = text.find('=');
    const std::string name = text.substr(0, at);
    for (const KindRow& each : kind_table())
        if (each.name == name) {
            if (at + 1 == text.size())
                reader.fail(
                    fmt::format("--emit={} names no file; write --emit={}=PATH, or no `=`", text, name));
            return {each.kind, at == std::string::npos ? std::string() : text.substr(at + 1)};
        }
    reader.fail(fmt::format("unknown kind {} of --emit; it takes {}", ticked(name),
                            fmt::join(words_of(row_of_option("--emit").values), ", ")));
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

/// One output of a kind; of layouts several, whose suffixes say the form.
void read_emissions(Reader& reader, Options& options, const std::vector<std::string>& words) {
    for (const std::string& text : words) {
        const Emission made = emission(reader, text);
        for (const Emission& other : options.emissions)
            if (other.kind == made.kind && made.kind != Kind::layout)
                reader.fail(fmt::format("--emit asks for {} twice; copy the one that it writes",
                                        text.substr(0, text.find('='))));
        options.emissions.push_back(made);
    }
}

/// Differences that are allowed: neither negative, nor without end, nor no number.
void read_tolerance(Reader& reader, std::string_view option, double value) {
    if (!(value >= 0 && value <= std::numeric_limits<double>::max()))
        reader.fail(fmt::format("{} takes a number from 0 up, such as 1e-3, not {}", option, value));
}

void read_targets(Reader& reader, Options& options, const std::vector<std::string>& targets) {
    for (const std::string& target : targets) {
        if (std::count(targets.begin(), targets.end(), target) > 1)
            return reader.fail(fmt::format("-arch names {} twice", ticked(target)));
        if (target == "native" && targets.size() > 1)
            return reader.fail("-arch=native stands alone: it names whatever GPU is there");
    }
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

/// As many words as the verb takes.
void count_inputs(Reader& reader, const VerbRow& verb, const std::vector<std::string>& words) {
    if (verb.arguments.empty() && !words.empty())
        reader.fail(fmt::format("{} takes no file, and here stands {}", verb.name, ticked(words.front())));
    else if (words.size() < verb.least)
        reader.fail(verb.verb == Verb::completions ? "completions of which shell? bash, zsh or fish"
                                                   : "no input file");
    else if (verb.most != 0 && words.size() > verb.most)
        reader.fail(fmt::format("{} takes one {}, not {}", verb.name,
                                verb.verb == Verb::explain       ? "code"
                                : verb.verb == Verb::completions ? "shell"
                                                                 : "file",
                                words.size()));
}

void read_inputs(Reader& reader, Options& options, const std::vector<std::string>& words) {
    if (options.verb == Verb::run && options.list_devices) return;
    count_inputs(reader, row_of(options.verb), words);
    if (std::count(words.begin(), words.end(), "-") > 1)
        reader.fail("`-` stands here more than once, and standard input can be read once");
    if (words.empty()) return;
    if (options.verb == Verb::layout) {
        options.inputs = {words.front()};
        options.objects.assign(words.begin() + 1, words.end());
        return;
    }
    if (options.verb != Verb::run) {
        options.inputs = words;
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

/// svg and html are for pictures.
void read_format(Reader& reader, Options& options, bool given) {
    options.format_given = given;
    reader.one_of("--format", options.format,
                  options.verb == Verb::layout ? words_of(row_of_option("--format").values)
                                               : std::vector<std::string>{"text", "json"});
}

/// An option that the verb would ignore is no option of it; but what `build` takes every verb that compiles
/// does, so that one list of flags serves all of them.
void refuse_foreign(Reader& reader, const CLI::App& app, Verb verb) {
    for (const OptionRow& row : option_table()) {
        const std::string name(row.names.substr(0, row.names.find(',')));
        const bool of_build = takes(Verb::build, row) && takes(verb, row_of_option("--arch"));
        if (app.count(name) == 0 || takes(verb, row) || of_build) continue;
        std::vector<std::string_view> takers;
        for (const VerbRow& each : verb_table())
            if (takes(each.verb, row)) takers.push_back(each.name);
        reader.fail(fmt::format("{} takes no {}; it is an option of {}", row_of(verb).name,
                                ticked(row.written.substr(0, row.written.find(','))),
                                fmt::join(takers, ", ")));
    }
}

/// Checks what CLI11 took as text and gives it its type.
void interpret(Reader& reader, const CLI::App& app, const Raw& raw, bool terminal, Options& options) {
    refuse_empty(reader, app);
    reader.one_of("--diagnostics", raw.diagnostics, {"text", "json"});
    reader.one_of("--color", raw.color, {"auto", "always", "never"});
    read_format(reader, options, app.count("--format") > 0);
    reader.one_of("--uninit", raw.uninit, {"fault", "zero"});
    reader.one_of("--tmem", options.tmem, {"hardware", "software", "auto"});
    if (!raw.optimisation.empty()) reader.one_of("-O", raw.optimisation, {"0", "1", "2", "3"});
    if (options.max_message < 1 || options.max_message > 128 ||
        !std::has_single_bit(static_cast<unsigned>(options.max_message)))
        reader.fail(
            fmt::format("--max-message takes a power of two from 1 to 128, not {}", options.max_message));

    read_inputs(reader, options, raw.positionals);
    read_emissions(reader, options, split(reader, "--emit", raw.emit));
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
    read_targets(reader, options, split(reader, "-arch", raw.targets));
    read_names(reader, app, options.names);
    options.prints = raw.print;
    options.grid = reader.dimensions("--grid", raw.grid);
    options.block = reader.dimensions("--block", raw.block);
    options.shared_bytes = static_cast<std::uint32_t>(reader.count("--shared", raw.shared, 0, most_shared));
    options.threads = static_cast<std::uint32_t>(reader.count("--threads", raw.threads, 1, 1024));
    options.max_steps =
        reader.count("--max-steps", raw.max_steps, 1, std::numeric_limits<std::int64_t>::max());
    options.timeout_ms = reader.milliseconds("--timeout", raw.timeout);
    if (!raw.error_limit.empty())
        options.warnings.error_limit =
            reader.count("-ferror-limit", raw.error_limit, 0, std::numeric_limits<std::int64_t>::max());
    read_tolerance(reader, "--rtol", options.rtol);
    read_tolerance(reader, "--atol", options.atol);
    read_place(reader, raw.on, options);
    if (!raw.repeat.empty())
        options.repeat = static_cast<int>(reader.count("--repeat", raw.repeat, 1, 1'000'000));
    if (!raw.repeat.empty() && !options.time)
        reader.fail("--repeat says how often --time launches; add --time");

    options.verbose = options.verbose && !options.quiet;
    options.json_diagnostics = raw.diagnostics == "json";
    options.color = wants_color(raw.color, terminal) && !options.json_diagnostics;
    options.color_when = raw.color;
    options.comments = !raw.no_comments;
    options.verify = !raw.no_verify;
    options.uninitialised_is_fault = raw.uninit == "fault";
    options.tolerant = app.count("--rtol") + app.count("--atol") > 0;
    if (!raw.optimisation.empty()) options.ptxas_flags.push_back("-O" + raw.optimisation);
    if (raw.debug) options.ptxas_flags.emplace_back("-g");
    if (options.line_info) options.ptxas_flags.emplace_back("-lineinfo");
    if (!options.depfile_path.empty()) options.depfile = true;
    refuse_foreign(reader, app, options.verb);
}

/// An unknown option has its nearest.
std::string complaint(const CLI::ParseError& error, const CLI::App& app) {
    const std::vector<std::string> unknown = app.remaining();
    if (unknown.empty()) return own_words(error.what());
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

std::optional<Verb> verb_named(std::string_view name) {
    for (const VerbRow& each : verb_table())
        if (each.name == name) return each.verb;
    return std::nullopt;
}

/// With a verb in front, that verb's.
std::string help_of(std::string_view first) {
    const std::optional<Verb> verb = verb_named(first);
    return verb ? help_text(*verb) : help_text();
}

/// `explain -Wdead-copy`, as messages write it: the name of a warning, not an option.
std::string flag_name(const std::string& word) {
    for (const std::string_view head : {"--warning=error=", "--warning=no-", "--warning="})
        if (starts_with(word, head)) return word.substr(head.size());
    return word;
}

std::string unknown_command(const std::string& word) {
    std::vector<std::string> names;
    names.reserve(verb_table().size());
    for (const VerbRow& each : verb_table()) names.emplace_back(each.name);
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
        if (arguments.empty()) return {std::nullopt, "no input file; `tmemc --help` shows what there is"};
        options.help = help_of(arguments.front());
        return {options, {}};
    }
    if (asks("--version", "--version")) {
        options.verb = Verb::version;
        for (const std::string& word : arguments) {
            if (starts_with(word, "--ptxas="))
                options.ptxas = word.substr(word.find('=') + 1);
            else if (word != "--version" && !starts_with(word, "--diagnostics="))
                return {std::nullopt, fmt::format("--version takes no {}; only --ptxas=PATH", ticked(word))};
        }
        return {options, {}};
    }
    std::vector<std::string> words(arguments.size());
    std::transform(arguments.begin(), arguments.end(), words.begin(), rewrite);
    for (const std::string& word : words)
        if (const auto wrong = complaint_of_word(word)) return {std::nullopt, *wrong};
    options.verb = Verb::build; // the verb that need not be written
    if (const std::optional<Verb> verb = verb_named(words.front())) {
        options.verb = *verb;
        words.erase(words.begin());
        if (options.verb == Verb::explain)
            std::transform(words.begin(), words.end(), words.begin(), flag_name);
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
    for (const KindRow& each : kind_table())
        if (path.size() > each.suffix.size() && path.substr(path.size() - each.suffix.size()) == each.suffix)
            return each.kind;
    return std::nullopt;
}

std::string_view default_suffix(Kind kind) {
    for (const KindRow& each : kind_table())
        if (each.kind == kind) return each.default_suffix;
    return {};
}

} // namespace tmemc::cli
