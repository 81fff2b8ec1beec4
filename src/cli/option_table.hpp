// Verbs, kinds of output and options as tables: what --help prints, what the shell completes, what the man
// page is held to, and the names that options.cpp declares to CLI11. A new option is a row here and a field
// there.
//
//     {"--max-message", "--max-message=N", "", "at most N registers per instruction, ...", compiling},
//
// Not here: what an option's value may be beyond a list of words; options.cpp reads and refuses values.
#pragma once

#include "cli/options.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::cli {

struct VerbRow {
    Verb verb;
    std::string_view name;
    std::string_view arguments; // as --help shows them
    std::string_view help;
    std::size_t least, most; // words that are no options; `most` 0: any number
};

struct KindRow {
    Kind kind;
    std::string_view name;
    std::string_view suffix;         // of -o
    std::string_view default_suffix; // of the default name
};

using VerbSet = unsigned; // bit n: the verb of that value

struct OptionRow {
    std::string_view names;   // CLI11's: "--arch,--target"
    std::string_view written; // as users write it: "-arch=TARGET"; alternatives after ", "
    std::string_view values;  // the words it takes, with | between; empty: nothing or anything
    std::string_view help;
    VerbSet verbs; // the verbs that it means something to
};

[[nodiscard]] std::span<const VerbRow> verb_table();
[[nodiscard]] std::span<const KindRow> kind_table();
[[nodiscard]] std::span<const OptionRow> option_table();

[[nodiscard]] const VerbRow& row_of(Verb verb);
/// The row of an option by one of its names; throws InternalError when there is none.
[[nodiscard]] const OptionRow& row_of_option(std::string_view name);
[[nodiscard]] bool takes(Verb verb, const OptionRow& row);
/// "text", "json" of "text|json".
[[nodiscard]] std::vector<std::string> words_of(std::string_view values);

/// What `tmemc --help` prints, and with a verb's name `tmemc VERB --help`.
[[nodiscard]] std::string help_text();
[[nodiscard]] std::string help_text(Verb verb);

} // namespace tmemc::cli
