// The text of --help, made of the option table: a few commands to begin with, the verbs, the options in two
// columns. `tmemc VERB --help` is the same for one verb.
#include "cli/option_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::cli {
namespace {

constexpr std::string_view opening =
    R"(tmemc: compiles .tmx kernels for Blackwell tensor memory to PTX, and runs them

  tmemc build roundtrip.tmx                          roundtrip.cubin, by ptxas
  tmemc build roundtrip.tmx --emit=ptx -o -          the PTX, on standard output
  tmemc check roundtrip.tmx                          every check, no ptxas
  tmemc run roundtrip.tmx A=random:1 --expect B=A    on a GPU that can, else on the emulator
  tmemc test examples                                the test blocks of every file
  tmemc layout roundtrip.tmx X                       which thread and register hold each element of X

)";

constexpr std::string_view specs =
    R"(SPEC is @file.npy iota random[:SEED] zeros ones cells or a VALUE. A .ptx has no types, so there the arguments say
them: A=zeros:f16[128,8] B=@b.npy n=5 S=hex:0700; the parameters of a .cubin are p0, p1, ... by position.
)";

constexpr std::string_view closing = R"(
Exit status: 0 success, 1 errors in the source, 2 bad command line or unreadable file, 3 no or failed ptxas or device,
4 a check failed, 70 internal error.
)";

constexpr std::size_t help_column = 34, width = 118;

/// "  left      text", the text wrapped behind its column.
std::string entry(std::string_view left, std::string_view text) {
    std::string lines = fmt::format("  {:<{}}", left, help_column - 2);
    if (left.size() > help_column - 4) lines += '\n' + std::string(help_column, ' ');
    std::size_t column = help_column;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        if (column > help_column && column + 1 + end > width) {
            lines += '\n' + std::string(help_column, ' ');
            column = help_column;
        }
        if (column > help_column) lines += ' ', ++column;
        lines += text.substr(0, end);
        column += end;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines + '\n';
}

std::string option_entry(const OptionRow& row) {
    const std::string values = row.values.empty() ? "" : fmt::format("{}; ", row.values);
    return entry(row.written, values + std::string(row.help));
}

std::string verb_entry(const VerbRow& row) {
    return entry(fmt::format("{} {}", row.name, row.arguments), row.help);
}

} // namespace

std::string help_text() {
    std::string text(opening);
    text += "Commands\n";
    for (const VerbRow& row : verb_table()) text += verb_entry(row);
    text += "  --version, --help\n\n";
    text += specs;
    text += "\nOptions (tmemc COMMAND --help: those of one command)\n";
    for (const OptionRow& row : option_table()) text += option_entry(row);
    return text + std::string(closing);
}

std::string help_text(Verb verb) {
    const VerbRow& row = row_of(verb);
    std::string text = fmt::format("tmemc {}{}{}: {}\n", row.name, row.arguments.empty() ? "" : " ",
                                   row.arguments, row.help);
    if (verb == Verb::run) text += fmt::format("\n{}", specs);
    std::string list;
    for (const OptionRow& each : option_table())
        if (takes(verb, each)) list += option_entry(each);
    return list.empty() ? text : text + '\n' + list;
}

} // namespace tmemc::cli
