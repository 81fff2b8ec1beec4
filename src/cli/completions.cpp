// completions: a script for bash, zsh or fish, made of the option table. What may stand on a command line is
// the same for every shell, and each script has it per verb, as four lists:
//
//     plain    -o, -g, --auto-wait         words as they are
//     openers  --tmem=, --ptxas=           a value has to follow
//     values   --tmem=auto, --emit=ptx     those that are known
//     places   TM0301, bash                words that are no options; or files by their suffixes
//
// The scripts (completion_scripts.cpp) say how a shell finds out what has been typed and what it wants back.
// They stand alone: completing does not start tmemc.
#include "cli/completion_scripts.hpp"
#include "cli/option_table.hpp"
#include "cli/session.hpp"

#include "base/diagnostics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tmemc::cli {
namespace {

/// One way to write an option: "-arch=TARGET" is {"-arch=", "TARGET", '='}.
struct Spelling {
    std::string word;
    std::string value; // its placeholder
    char between = 0;  // '=', ' ' or nothing
};

bool is_placeholder(const std::string& word) {
    return std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isupper(c) != 0; });
}

/// Of --format: what only layout can write.
bool is_picture(const std::string& value) { return value == "svg" || value == "html"; }

/// "-arch=TARGET, --target=TARGET" or "-O0 -O1": words that begin with a dash begin a spelling.
std::vector<Spelling> spellings(const OptionRow& row) {
    std::vector<Spelling> all;
    for (std::string_view rest = row.written; !rest.empty();) {
        const std::size_t end = std::min(rest.find(' '), rest.size());
        std::string word(rest.substr(0, end));
        if (word.ends_with(',')) word.pop_back();
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::size_t sign = word.find('=');
        if (word.front() != '-')
            all.back().value = word, all.back().between = ' ';
        else if (sign != std::string::npos && word.find('[') > sign)
            all.push_back({word.substr(0, sign + 1), word.substr(sign + 1), '='});
        else
            all.push_back({word, "", 0});
    }
    return all;
}

bool takes_file(const Spelling& spelling) {
    static constexpr std::string_view placeholders[] = {"OUT", "FILE", "PATH", "OLD.json"};
    return std::find(std::begin(placeholders), std::end(placeholders), spelling.value) !=
           std::end(placeholders);
}

std::vector<std::string> warning_words() {
    std::set<std::string> words{"-Wall", "-Werror"};
    for (const base::Kind* kind : base::all_kinds())
        if (!kind->flag.empty()) {
            words.insert(fmt::format("-Wno-{}", kind->flag));
            words.insert(fmt::format("-Werror={}", kind->flag));
        }
    return {words.begin(), words.end()};
}

void add_option(VerbWords& to, const OptionRow& row) {
    const std::string help(row.help);
    if (row.names == "--warning") {
        for (const std::string& word : warning_words()) to.plain.push_back({word, help});
        return;
    }
    for (const Spelling& spelling : spellings(row)) {
        (spelling.between == '=' ? to.openers : to.plain).push_back({spelling.word, help});
        if (spelling.between != '=') continue;
        for (const std::string& value : words_of(row.values))
            if (!is_placeholder(value) && !(is_picture(value) && to.name != "layout"))
                to.values.push_back(spelling.word + value);
    }
}

/// What a verb takes that is no option: words, or files with these suffixes.
void add_places(VerbWords& to, const VerbRow& row) {
    if (row.verb == Verb::completions) to.places = words_of(row.arguments);
    if (row.verb == Verb::explain)
        for (const base::Kind* kind : base::all_kinds()) to.places.emplace_back(kind->code);
    if (row.arguments.substr(0, 4) == "FILE") to.suffixes = {"tmx"};
    if (row.verb == Verb::run) to.suffixes.insert(to.suffixes.end(), {"ptx", "cubin"});
    if (row.verb == Verb::report) to.suffixes.emplace_back("cubin");
}

CompletionWords all_words() {
    CompletionWords all;
    for (const VerbRow& row : verb_table()) {
        VerbWords words{std::string(row.name), std::string(row.help), {}, {}, {}, {}, {}};
        for (const OptionRow& option : option_table())
            if (takes(row.verb, option)) add_option(words, option);
        words.plain.push_back({"--help", "what there is"});
        add_places(words, row);
        all.verbs.push_back(std::move(words));
    }
    for (const OptionRow& row : option_table())
        for (const Spelling& each : spellings(row)) {
            if (each.between == ' ')
                (takes_file(each) ? all.files_follow : all.value_follows).push_back(each.word);
            if (each.between == '=' && takes_file(each)) all.file_openers.push_back(each.word);
            if (each.between == '=' && (row.names == "--emit" || row.names == "--arch,--target"))
                all.list_openers.push_back(each.word);
        }
    return all;
}

} // namespace

int completions(const Options& options) {
    const std::string& shell = options.inputs.front();
    const CompletionWords words = all_words();
    if (shell == "bash") return put(bash_script(words)) ? exit_ok : exit_usage;
    if (shell == "zsh") return put(zsh_script(words)) ? exit_ok : exit_usage;
    if (shell == "fish") return put(fish_script(words)) ? exit_ok : exit_usage;
    complain(fmt::format("there are completions for bash, zsh and fish, not for `{}`", shell));
    return exit_usage;
}

} // namespace tmemc::cli
