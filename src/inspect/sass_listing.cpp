// nvdisasm's text is read a line at a time, the PTX is walked once for each kernel.
#include "inspect/sass_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

namespace tmemc::inspect {
namespace {

struct Place {
    std::string file;
    std::uint32_t line = 0; // 0: none
    bool operator==(const Place&) const = default;
};
struct Instruction {
    std::string address, text; // "0390", "STTM.x4 tmem[UR5], R4"
    std::string label;         // ".L_x_4", of a branch to it
    std::uint32_t line = 0;    // of the PTX; 0: not said
    Place place;               // in the source
};
/// By kernel.
using Disassembly = std::map<std::string, std::vector<Instruction>>;

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}
bool starts(std::string_view text, std::string_view with) { return text.substr(0, with.size()) == with; }

/// The number behind `word`, or 0.
std::uint32_t number_behind(std::string_view text, std::string_view word) {
    std::uint32_t value = 0;
    const std::size_t at = text.find(word);
    if (at != std::string_view::npos)
        std::from_chars(text.data() + at + word.size(), text.data() + text.size(), value);
    return value;
}

/// "/*0390*/  STTM.x4 tmem[UR5], R4 ;", trimmed.
std::optional<Instruction> instruction_in(std::string_view text) {
    const std::size_t end = text.find("*/");
    if (!starts(text, "/*") || end == std::string_view::npos) return std::nullopt;
    Instruction made{std::string(text.substr(2, end - 2)), {}, {}, 0, {}};
    std::string_view rest = trimmed(text.substr(end + 2));
    const std::size_t semicolon = rest.find(';');
    if (semicolon != std::string_view::npos && trimmed(rest.substr(semicolon + 1)).empty())
        rest = trimmed(rest.substr(0, semicolon));
    made.text = rest;
    return made;
}

Disassembly read(std::string_view text) {
    Disassembly made;
    std::vector<Instruction>* into = nullptr;
    std::string label;
    std::uint32_t line = 0;
    Place place;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view each = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        constexpr std::string_view section = ".text.", file = "//## File \"", of_ptx = ".nv_debug_ptx_txt";
        if (starts(each, section) && each.back() == ':') {
            into = &made[std::string(each.substr(section.size(), each.size() - section.size() - 1))];
            line = 0;
            place = {};
        } else if (starts(each, file)) {
            const std::string_view name = each.substr(file.size(), each.find('"', file.size()) - file.size());
            const std::uint32_t number = number_behind(each, ", line ");
            if (name == of_ptx)
                line = number;
            else
                place = {std::string(name), number};
        } else if (starts(each, ".L") && each.back() == ':') {
            label = each.substr(0, each.size() - 1);
        } else if (auto found = instruction_in(each); found && into != nullptr) {
            found->label = std::exchange(label, {});
            found->line = line;
            found->place = place;
            into->push_back(std::move(*found));
        }
    }
    for (auto& [name, code] : made) // the padding
        while (!code.empty() && code.back().text == "NOP") code.pop_back();
    return made;
}

std::string_view without_comment(std::string_view line) { return trimmed(line.substr(0, line.find("//"))); }

/// A line that says nothing by itself: blank, a comment, a brace or a declaration.
bool says_nothing(std::string_view line) {
    return line.empty() || line.front() == '.' || line == "{" || line == "}" || line == ")" || line == ";";
}

/// ".loc 1 10 3"
std::pair<std::uint32_t, std::uint32_t> file_and_line(std::string_view loc) {
    std::pair<std::uint32_t, std::uint32_t> made;
    const char* const end = loc.data() + loc.size();
    const char* at = loc.data() + std::string_view(".loc").size();
    for (std::uint32_t* into : {&made.first, &made.second}) {
        while (at != end && (*at == ' ' || *at == '\t')) ++at;
        at = std::from_chars(at, end, *into).ptr;
    }
    return made;
}

bool opens_function(std::string_view line) {
    return line.find(".entry ") != std::string_view::npos || line.find(".func ") != std::string_view::npos;
}

/// Of each line of the PTX the place of the source, by the .loc before it; ahead of a function's first one,
/// by that.
std::vector<Place> places_by_loc(const std::vector<std::string>& ptx) {
    std::map<std::uint32_t, std::string> files;
    for (const std::string& each : ptx)
        if (const std::string_view line = trimmed(each); starts(line, ".file ")) {
            const std::size_t first = line.find('"'), last = line.rfind('"');
            if (first != last)
                files[number_behind(line, ".file ")] = line.substr(first + 1, last - first - 1);
        }
    std::vector<Place> made;
    for (const std::string& each : ptx) {
        Place place = made.empty() || opens_function(without_comment(each)) ? Place{} : made.back();
        if (const std::string_view line = trimmed(each); starts(line, ".loc ")) {
            const auto [file, number] = file_and_line(line);
            place = {files.count(file) != 0 ? files[file] : fmt::format("file {}", file), number};
        }
        made.push_back(std::move(place));
    }
    for (std::size_t i = made.size(); i-- > 1;)
        if (made[i - 1].line == 0) made[i - 1] = made[i];
    return made;
}

/// By the instructions of each line. What became none is of the place of the next line up to a blank one,
/// where ptxas has taken a .loc out, else of the place before.
std::vector<Place> places_by_code(const std::vector<std::string>& ptx, const std::vector<Instruction>& code) {
    std::vector<Place> made(ptx.size());
    for (const Instruction& each : code)
        if (each.line != 0 && each.line <= ptx.size()) made[each.line - 1] = each.place;
    for (std::size_t i = ptx.size(); i-- > 1;)
        if (made[i - 1].line == 0 && !trimmed(ptx[i - 1]).empty()) made[i - 1] = made[i];
    for (std::size_t i = 1; i < ptx.size(); ++i)
        if (made[i].line == 0) made[i] = made[i - 1];
    return made;
}

/// The walk through the PTX of one kernel.
class Listing {
  public:
    Listing(const std::vector<std::string>& ptx, const SourceLine& source_line)
        : ptx_(ptx), source_line_(source_line), by_loc_(places_by_loc(ptx)),
          has_loc_(std::any_of(by_loc_.begin(), by_loc_.end(),
                               [](const Place& each) { return each.line != 0; })) {}
    std::string kernel(const std::string& name, const std::vector<Instruction>& code);

  private:
    void header(const Place& place);
    void instructions(std::uint32_t line);
    [[nodiscard]] std::size_t entry(const std::string& name) const;

    const std::vector<std::string>& ptx_;
    const SourceLine& source_line_;
    std::vector<Place> by_loc_;
    bool has_loc_;
    std::string text_;
    std::multimap<std::uint32_t, const Instruction*> code_; // by line of the PTX
    Place shown_;
};

/// The index of the line that begins the kernel; the number of lines when there is none.
std::size_t Listing::entry(const std::string& name) const {
    for (std::size_t i = 0; i < ptx_.size(); ++i) {
        const std::string_view line = without_comment(ptx_[i]);
        const std::size_t at = line.find(name);
        if (!opens_function(line) || at == std::string_view::npos || at == 0 || line[at - 1] != ' ') continue;
        const std::size_t behind = at + name.size();
        if (behind == line.size() || line[behind] == '(' || line[behind] == ' ') return i;
    }
    return ptx_.size();
}

void Listing::header(const Place& place) {
    if (place == shown_) return;
    shown_ = place;
    const std::optional<std::string> line = source_line_(place.file, place.line);
    text_ +=
        fmt::format("\n{}:{}:{}\n", place.file, place.line, line ? " " + std::string(trimmed(*line)) : "");
}

void Listing::instructions(std::uint32_t line) {
    const auto [first, last] = code_.equal_range(line);
    for (auto each = first; each != last; ++each) {
        if (!each->second->label.empty()) text_ += fmt::format("      {}:\n", each->second->label);
        text_ += fmt::format("      {}  {}\n", each->second->address, each->second->text);
    }
    code_.erase(first, last);
}

std::string Listing::kernel(const std::string& name, const std::vector<Instruction>& code) {
    text_.clear();
    shown_ = {};
    const std::vector<Place> places = has_loc_ ? by_loc_ : places_by_code(ptx_, code);
    for (const Instruction& each : code) code_.emplace(each.line, &each);
    int depth = 0;
    bool inside = false;
    for (std::size_t i = entry(name); i < ptx_.size() && !(inside && depth == 0); ++i) {
        const std::string_view line = without_comment(ptx_[i]);
        const auto number = static_cast<std::uint32_t>(i + 1);
        for (const char c : line) depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        inside = inside || depth > 0;
        const bool silent = !inside || says_nothing(line);
        if (silent && code_.count(number) == 0) continue;
        header(places[i]);
        if (!silent) text_ += fmt::format("  {}\n", line);
        instructions(number);
    }
    if (!code_.empty()) text_ += ptx_.empty() ? "" : "\nof no line of the PTX:\n";
    while (!code_.empty()) instructions(code_.begin()->first);
    return text_;
}

} // namespace

std::string sass_listing(std::string_view disassembly, const std::vector<std::string>& ptx,
                         const std::vector<std::string>& kernels, const SourceLine& source_line) {
    const Disassembly code = read(disassembly);
    Listing listing(ptx, source_line);
    std::string text;
    for (const std::string& kernel : kernels) {
        const auto found = code.find(kernel);
        if (found == code.end()) continue;
        text += fmt::format("{}{}:{}\n", text.empty() ? "" : "\n", kernel,
                            ptx.empty() ? " the file has no line information" : "");
        text += listing.kernel(kernel, found->second);
    }
    return text;
}

} // namespace tmemc::inspect
