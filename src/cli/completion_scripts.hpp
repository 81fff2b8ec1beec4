// Completion scripts for three shells, of the same words (completions.cpp): each verb with its options, what
// may follow an option, and which of it is a file. The words stand in the script, so a key asks no `tmemc`:
// after `--emit=` come ptx, cubin, ..., after a comma the next of them. Only what the shells do differently
// is in the three functions.
#pragma once

#include <string>
#include <vector>

namespace tmemc::cli {

struct HelpedWord {
    std::string word, help;
};
struct VerbWords {
    std::string name, help;
    std::vector<HelpedWord> plain, openers;
    std::vector<std::string> values, places, suffixes;
};
struct CompletionWords {
    std::vector<VerbWords> verbs;                         // the first is the one that may be left out
    std::vector<std::string> files_follow, value_follows; // options whose value is a word of its own
    std::vector<std::string> file_openers;                // of those with a sign: a file
    std::vector<std::string> list_openers;                // several, with commas between
};

[[nodiscard]] std::string bash_script(const CompletionWords& words);
[[nodiscard]] std::string zsh_script(const CompletionWords& words);
[[nodiscard]] std::string fish_script(const CompletionWords& words);

} // namespace tmemc::cli
