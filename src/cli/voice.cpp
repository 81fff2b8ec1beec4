// One switch for the process: an error may come before there are Options, and from a catch in main.
#include "cli/voice.hpp"

#include "base/render.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>

namespace tmemc::cli {

namespace {

bool json = false;

void say(base::Severity severity, std::string lines, const std::vector<std::string>& notes,
         const char* head) {
    while (!lines.empty() && lines.back() == '\n') lines.pop_back();
    if (lines.empty()) return;
    if (json) {
        std::cerr << base::render_json(severity, lines, notes) << '\n';
        return;
    }
    std::cerr << head << lines << '\n';
    for (const std::string& note : notes) std::cerr << "  note: " << note << '\n';
}

} // namespace

void speak_json(const std::vector<std::string>& arguments) {
    const auto option = std::find(arguments.begin(), arguments.end(), "--diagnostics");
    const bool apart = option != arguments.end() && option + 1 != arguments.end() && option[1] == "json";
    json = apart || std::find(arguments.begin(), arguments.end(), "--diagnostics=json") != arguments.end();
}

void complain(const std::string& sentence, const std::vector<std::string>& notes) {
    say(base::Severity::error, sentence, notes, "tmemc: error: ");
}

void tell_failure(const std::string& lines) { say(base::Severity::error, lines, {}, ""); }

void remark(const std::string& lines) { say(base::Severity::note, lines, {}, ""); }

} // namespace tmemc::cli
