// One rule, on one line.
#include "cli/depfile.hpp"

#include "cli/outputs.hpp"

#include <utility>

namespace tmemc::cli {
namespace {

std::string escaped(const std::string& name) {
    std::string text;
    std::size_t backslashes = 0; // right before the character
    for (const char c : name) {
        if (c == ' ' || c == '\t') text += std::string(backslashes + 1, '\\');
        if (c == '#' || c == ':') text += '\\';
        if (c == '$') text += '$';
        text += c;
        backslashes = c == '\\' ? backslashes + 1 : 0;
    }
    return text;
}

} // namespace

std::string dependency_rule(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
    std::string rule;
    for (const std::string& output : outputs) rule += (rule.empty() ? "" : " ") + escaped(output);
    rule += ":";
    for (const std::string& input : inputs) rule += " " + escaped(input);
    return rule + "\n";
}

std::string dependency_file(const std::vector<Emission>& wanted, const Options& options) {
    const std::string& input = options.inputs.front();
    std::vector<std::string> outputs;
    for (const Emission& each : wanted)
        if (each.kind != Kind::deps)
            outputs.push_back(each.path == "-" ? default_output(input, each.kind) : each.path);
    if (outputs.empty()) outputs.push_back(default_output(input, Kind::cubin));
    return dependency_rule(outputs, input == "-" ? std::vector<std::string>() : std::vector{input});
}

std::vector<Delivery> with_dependency_file(Delivery output, Kind kind, const Options& options) {
    std::vector<Delivery> all{std::move(output)};
    if (!options.depfile) return all;
    const std::string path = options.depfile_path.empty() ? default_output(options.inputs.front(), Kind::deps)
                                                          : options.depfile_path;
    const std::string& named = all.front().path;
    all.push_back({path, dependency_file({{kind, named.empty() ? "-" : named}}, options)});
    return all;
}

} // namespace tmemc::cli
