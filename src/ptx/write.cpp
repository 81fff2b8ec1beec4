// The lines of a module. One statement is one line; instructions are indented, labels stand at the margin.
#include "ptx/write.hpp"

#include "ptx/write_statement.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::ptx {
namespace {

bool left_out(const Statement& statement, const WriteOptions& options) {
    if (std::holds_alternative<Location>(statement)) return !options.locations;
    const bool decorates =
        std::holds_alternative<Comment>(statement) || std::holds_alternative<BlankLine>(statement);
    return decorates && !options.comments;
}

/// The text so far and the number of the line that is written next.
class Writer {
  public:
    explicit Writer(const WriteOptions& options) : options_(options) {}

    void line(std::string_view text) {
        written_.text += text;
        end_line();
    }
    void module(const Module& module);
    [[nodiscard]] Written finish() && { return std::move(written_); }

  private:
    void end_line() {
        written_.text += '\n';
        ++line_;
    }
    void function(const Function& function);
    void head(const Function& function);
    void extents(std::string_view directive, const std::optional<Extents>& extents);
    void number(std::string_view directive, const std::optional<std::uint32_t>& number);

    WriteOptions options_;
    Written written_;
    std::uint32_t line_ = 1;
};

void Writer::extents(std::string_view directive, const std::optional<Extents>& extents) {
    if (!extents) return;
    const auto& [x, y, z] = *extents;
    line(y == 1 && z == 1 ? fmt::format("{} {}", directive, x)
                          : fmt::format("{} {}, {}, {}", directive, x, y, z));
}

void Writer::number(std::string_view directive, const std::optional<std::uint32_t>& number) {
    if (number) line(fmt::format("{} {}", directive, *number));
}

void Writer::head(const Function& function) {
    std::string opening =
        fmt::format("{}{} {}{}(", written(function.linkage), function.entry ? ".entry" : ".func",
                    written_results(function.results), function.name);
    if (function.parameters.empty()) {
        line(opening + ")");
    } else {
        line(opening);
        for (std::size_t i = 0; i < function.parameters.size(); ++i)
            line(fmt::format("{}{}{}", indent, written(function.parameters[i]),
                             i + 1 < function.parameters.size() ? "," : ""));
        line(")");
    }
    extents(".reqntid", function.required_threads);
    number(".maxnreg", function.max_registers);
    extents(".maxntid", function.max_threads);
    number(".minnctapersm", function.min_ctas);
    extents(".reqnctapercluster", function.required_cluster);
    number(".maxclusterrank", function.max_cluster);
    if (function.explicit_cluster) line(".explicitcluster");
    if (function.blocks_are_clusters) line(".blocksareclusters");
    if (function.no_return) line(".noreturn");
    for (const Pragma& pragma : function.pragmas) line(fmt::format(".pragma \"{}\";", pragma.text));
}

void Writer::function(const Function& function) {
    line("");
    head(function);
    std::vector<std::uint32_t>& lines = written_.lines.emplace_back();
    if (function.prototype) return line(";");
    line("{");
    for (const Statement& statement : function.body) {
        lines.push_back(line_);
        if (left_out(statement, options_)) continue;
        append(written_.text, statement);
        end_line();
    }
    line("}");
}

void Writer::module(const Module& module) {
    line(fmt::format(".version {}.{}", module.version.major, module.version.minor));
    std::string target = ".target " + module.target;
    for (const std::string& option : module.options) target += ", " + option;
    line(target);
    line(".address_size 64");
    for (const Pragma& pragma : module.pragmas) line(fmt::format(".pragma \"{}\";", pragma.text));
    for (const File& file : module.files) {
        if (!options_.locations) break;
        const bool dated = file.time != 0 || file.bytes != 0;
        line(fmt::format(".file {} \"{}\"", file.number, file.name) +
             (dated ? fmt::format(", {}, {}", file.time, file.bytes) : ""));
    }
    // Prototypes that come first go ahead of the variables, whose initial values may name them.
    const auto& functions = module.functions;
    const auto own = std::find_if(functions.begin(), functions.end(),
                                  [](const Function& each) { return !each.prototype; });
    std::for_each(functions.begin(), own, [&](const Function& each) { function(each); });
    if (!module.variables.empty()) line("");
    for (const Variable& variable : module.variables) line(written(variable) + ";");
    std::for_each(own, functions.end(), [&](const Function& each) { function(each); });
    for (const Alias& alias : module.aliases) line(fmt::format(".alias {}, {};", alias.name, alias.of));
}

} // namespace

Written write(const Module& module, const WriteOptions& options) {
    Writer writer(options);
    writer.module(module);
    return std::move(writer).finish();
}

} // namespace tmemc::ptx
