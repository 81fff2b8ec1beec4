// Each script is a text with places in it for the lists: a `case` of verbs that sets the lists of one, then
// the same questions in the shell's own words. Is the word before an option that wants a value? Does this one
// have a sign, and before it an option that takes a file, or several values? Else it is an option, or a file.
//
// Bash takes words apart at the sign, so its script joins them again and gives back what stands behind it.
#include "cli/completion_scripts.hpp"

#include <fmt/format.h>

namespace tmemc::cli {
namespace {

constexpr std::string_view bash_text =
    R"sh(# Completions of tmemc for bash, made by `tmemc completions bash`: to be sourced, or kept as
# ~/.local/share/bash-completion/completions/tmemc
_tmemc() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev= head= verb= plain= openers= values= places= suffixes= file each
    ((COMP_CWORD > 0)) && prev=${COMP_WORDS[COMP_CWORD - 1]}
    if [[ $cur == "=" ]]; then
        head=$prev= cur= prev=
    elif [[ $prev == "=" ]] && ((COMP_CWORD > 2)); then
        head=${COMP_WORDS[COMP_CWORD - 2]}= prev=
    fi
    local typed=$head$cur
    ((COMP_CWORD > 1)) && verb=${COMP_WORDS[1]}
    case $verb in
@VERBS@    esac
    COMPREPLY=()
    case $prev in
    @FILES_FOLLOW@)
        compopt -o filenames 2>/dev/null
        mapfile -t COMPREPLY < <(compgen -f -- "$cur")
        return ;;
    @VALUE_FOLLOWS@) return ;;
    esac
    case $typed in
    @FILE_OPENERS@)
        compopt -o filenames 2>/dev/null
        file=${typed#*=}
        mapfile -t COMPREPLY < <(compgen -f -P "${typed%%=*}=" -- "$file") ;;
    @LIST_OPENERS@)
        compopt -o nospace 2>/dev/null
        for each in $values; do
            [[ $each == "${typed%%=*}"=* ]] || continue
            each=${typed%,*},${each#*=}
            [[ $each == "$typed"* ]] && COMPREPLY+=("$each")
        done ;;
    *=*) mapfile -t COMPREPLY < <(compgen -W "$values" -- "$typed") ;;
    -*)
        mapfile -t COMPREPLY < <(compgen -W "$plain $openers" -- "$typed")
        [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace 2>/dev/null ;;
    *)
        ((COMP_CWORD == 1)) && places="@NAMES@"
        mapfile -t COMPREPLY < <(compgen -W "$places" -- "$cur")
        if [[ $suffixes ]]; then
            compopt -o filenames 2>/dev/null
            for each in $suffixes; do
                while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -X "!*.$each" -- "$cur")
            done
            while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
        fi ;;
    esac
    COMPREPLY=("${COMPREPLY[@]#"$head"}")
    return 0
}
complete -F _tmemc tmemc
)sh";

constexpr std::string_view zsh_text =
    R"sh(#compdef tmemc
# Completions of tmemc for zsh, made by `tmemc completions zsh`: to be kept as _tmemc in a folder of $fpath.
_tmemc() {
    local verb= suffixes= typed=$words[CURRENT] prev=$words[CURRENT-1]
    local -a plain openers values places
    ((CURRENT > 2)) && verb=$words[2]
    case $verb in
@VERBS@    esac
    case $prev in
    (@FILES_FOLLOW@) _files; return ;;
    (@VALUE_FOLLOWS@) return 1 ;;
    esac
    case $typed in
    (@FILE_OPENERS@) compset -P '*='; _files ;;
    (@LIST_OPENERS@)
        values=(${${(M)values:#${typed%%=*}=*}#*=})
        compset -P '*[=,]'
        compadd -S '' -a values ;;
    (*=*)
        values=(${${(M)values:#${typed%%=*}=*}#*=})
        compset -P '*='
        compadd -a values ;;
    (-*)
        _describe -o option plain
        _describe -o option openers -S '' ;;
    (*)
        if ((CURRENT == 2)); then
            places=(@NAMES@)
        fi
        _describe word places
        [[ -n $suffixes ]] && _files -g "*.(|$suffixes)" ;; # without a | these would be qualifiers
    esac
}
if [[ $funcstack[1] == _tmemc ]]; then
    _tmemc "$@"
else
    compdef _tmemc tmemc
fi
)sh";

constexpr std::string_view fish_text =
    R"sh(# Completions of tmemc for fish, made by `tmemc completions fish`: to be sourced, or kept as
# ~/.config/fish/completions/tmemc.fish
function __tmemc_words
    set -l before (commandline -opc)
    set -l typed (commandline -ct)
    set -l verb $before[2]
    set -l plain
    set -l openers
    set -l values
    set -l places
    set -l suffixes
    switch "$verb"
@VERBS@    end
    switch "$before[-1]"
        case @FILES_FOLLOW@
            __fish_complete_path $typed
            return
        case @VALUE_FOLLOWS@
            return
    end
    set -l option (string replace -r '=.*' = -- $typed)
    switch "$typed"
        case @FILE_OPENERS@
            set -l file (string replace -r '^[^=]*=' '' -- $typed)
            for each in (__fish_complete_path $file)
                echo $option$each
            end
        case @LIST_OPENERS@
            set -l list (string replace -r '[^,]*$' '' -- $typed)
            for each in (string match -- $option'*' $values)
                string replace -- $option $list $each
            end
        case '*=*'
            string match -- $option'*' $values
        case '-*'
            printf '%s\n' $plain $openers
        case '*'
            if test (count $before) -eq 1
                set places @NAMES@
            end
            printf '%s\n' $places
            if set -q suffixes[1]
                __fish_complete_path $typed |
                    string match -r -- '^[^\t]*(?:/|\.(?:'(string join '|' $suffixes)'))(?:\t.*)?$'
            end
    end
end
complete -c tmemc -f -a '(__tmemc_words)'
)sh";

/// Every name between @ signs by its text.
std::string filled(std::string_view text,
                   const std::vector<std::pair<std::string_view, std::string>>& places) {
    std::string made(text);
    for (const auto& [name, content] : places) {
        const std::string mark = fmt::format("@{}@", name);
        for (std::size_t at = made.find(mark); at != std::string::npos;
             at = made.find(mark, at + content.size()))
            made.replace(at, mark.size(), content);
    }
    return made;
}

/// In single quotes, as all three shells read them; `'` leaves them for a moment.
std::string quoted(const std::string& text) {
    std::string made = "'";
    for (const char c : text) made += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return made + "'";
}

/// Each word by `write`, with `between` them.
template <class Words, class Write>
std::string joined(const Words& words, std::string_view between, const Write& write) {
    std::string made;
    for (const auto& each : words)
        made += (made.empty() ? std::string() : std::string(between)) + write(each);
    return made;
}

std::string as_it_is(const std::string& word) { return word; }
std::string as_word(const HelpedWord& word) { return word.word; }
/// "--emit=*" in quotes but for the star, which `behind` follows.
auto opener(std::string_view behind, bool fish) {
    return [=](const std::string& word) {
        return fish ? quoted(word + "*" + std::string(behind)) : quoted(word) + "*" + std::string(behind);
    };
}

/// _describe splits at the first colon that has no backslash.
std::string zsh_entry(const HelpedWord& word) {
    std::string name;
    for (const char c : word.word) name += c == ':' ? std::string("\\:") : std::string(1, c);
    return quoted(name + ":" + word.help);
}
std::string fish_entry(const HelpedWord& word) { return quoted(word.word) + R"(\t)" + quoted(word.help); }

std::vector<HelpedWord> names(const CompletionWords& words) {
    std::vector<HelpedWord> all;
    all.reserve(words.verbs.size() + 2);
    for (const VerbWords& verb : words.verbs) all.push_back({verb.name, verb.help});
    all.push_back({"--help", "what there is"});
    all.push_back({"--version", "of tmemc and ptxas"});
    return all;
}

/// The head of a branch of `case`: the verb that may be left out comes last and takes everything else.
template <class Branch>
std::string branches(const CompletionWords& words, const Branch& branch) {
    std::string made;
    for (std::size_t i = 1; i < words.verbs.size(); ++i) made += branch(words.verbs[i], words.verbs[i].name);
    return made + branch(words.verbs.front(), "*");
}

} // namespace

std::string bash_script(const CompletionWords& words) {
    const auto branch = [](const VerbWords& verb, const std::string& name) {
        return fmt::format(
            "    {})\n        plain={}\n        openers={}\n        values={}\n"
            "        places={} suffixes={} ;;\n",
            name, quoted(joined(verb.plain, " ", as_word)), quoted(joined(verb.openers, " ", as_word)),
            quoted(joined(verb.values, " ", as_it_is)), quoted(joined(verb.places, " ", as_it_is)),
            quoted(joined(verb.suffixes, " ", as_it_is)));
    };
    return filled(bash_text, {{"VERBS", branches(words, branch)},
                              {"FILES_FOLLOW", joined(words.files_follow, " | ", as_it_is)},
                              {"VALUE_FOLLOWS", joined(words.value_follows, " | ", as_it_is)},
                              {"FILE_OPENERS", joined(words.file_openers, " | ", opener("", false))},
                              {"LIST_OPENERS", joined(words.list_openers, " | ", opener(",*", false))},
                              {"NAMES", joined(names(words), " ", as_word)}});
}

std::string zsh_script(const CompletionWords& words) {
    const auto branch = [](const VerbWords& verb, const std::string& name) {
        return fmt::format("    ({})\n        plain=({})\n        openers=({})\n        values=({})\n"
                           "        places=({}) suffixes={} ;;\n",
                           name, joined(verb.plain, " ", zsh_entry), joined(verb.openers, " ", zsh_entry),
                           joined(verb.values, " ", quoted), joined(verb.places, " ", as_it_is),
                           quoted(joined(verb.suffixes, "|", as_it_is)));
    };
    return filled(zsh_text, {{"VERBS", branches(words, branch)},
                             {"FILES_FOLLOW", joined(words.files_follow, "|", as_it_is)},
                             {"VALUE_FOLLOWS", joined(words.value_follows, "|", as_it_is)},
                             {"FILE_OPENERS", joined(words.file_openers, "|", opener("", false))},
                             {"LIST_OPENERS", joined(words.list_openers, "|", opener(",*", false))},
                             {"NAMES", joined(names(words), " ", zsh_entry)}});
}

std::string fish_script(const CompletionWords& words) {
    const auto branch = [](const VerbWords& verb, const std::string& name) {
        return fmt::format(
            "        case {}\n            set plain {}\n            set openers {}\n"
            "            set values {}\n            set places {}\n            set suffixes {}\n",
            quoted(name), joined(verb.plain, " ", fish_entry), joined(verb.openers, " ", fish_entry),
            joined(verb.values, " ", quoted), joined(verb.places, " ", as_it_is),
            joined(verb.suffixes, " ", as_it_is));
    };
    return filled(fish_text, {{"VERBS", branches(words, branch)},
                              {"FILES_FOLLOW", joined(words.files_follow, " ", quoted)},
                              {"VALUE_FOLLOWS", joined(words.value_follows, " ", quoted)},
                              {"FILE_OPENERS", joined(words.file_openers, " ", opener("", true))},
                              {"LIST_OPENERS", joined(words.list_openers, " ", opener(",*", true))},
                              {"NAMES", joined(names(words), " ", fish_entry)}});
}

} // namespace tmemc::cli
