// Names spread what is wrong: from the items in which an error lies to those that name them, until nothing
// more is reached.
#include "sema/whole.hpp"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace tmemc::sema {

namespace {

namespace ast = grammar::ast;

struct Part { // an item with a name
    std::string name;
    base::Span place;
    std::set<std::string_view> words; // in its text
};

std::set<std::string_view> words_of(std::string_view text) {
    const auto of_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    std::set<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t end = at;
        while (end < text.size() && of_word(text[end])) ++end;
        if (end > at) words.insert(text.substr(at, end - at));
        at = std::max(end, at + 1);
    }
    return words;
}

template <class Node>
void add(std::vector<Part>& parts, const ast::Module& module, const base::Source& source) {
    for (const ast::Item& item : module.items)
        if (const auto* node = std::get_if<Node>(&item.node))
            parts.push_back({node->name.text, node->place, words_of(source.text(node->place))});
}

bool has_error(const Part& part, const base::Diagnostics& found) {
    return std::any_of(found.list.begin(), found.list.end(), [&](const base::Diagnostic& each) {
        return each.severity == base::Severity::error && each.span.begin >= part.place.begin &&
               each.span.begin <= part.place.end;
    });
}

/// The names of what is not whole, with the lost ones.
std::set<std::string_view> spoilt_names(const std::vector<Part>& parts, const base::Diagnostics& found,
                                        const std::vector<std::string>& lost) {
    std::set<std::string_view> spoilt(lost.begin(), lost.end());
    for (const Part& part : parts)
        if (has_error(part, found)) spoilt.insert(part.name);
    const auto touched = [&](const Part& part) {
        return std::any_of(part.words.begin(), part.words.end(),
                           [&](std::string_view word) { return spoilt.count(word) != 0; });
    };
    for (std::size_t before = 0; before != spoilt.size();) {
        before = spoilt.size();
        for (const Part& part : parts)
            if (touched(part)) spoilt.insert(part.name);
    }
    return spoilt;
}

} // namespace

Program whole_part(const Program& program, const ast::Module& module, const base::Diagnostics& found,
                   const base::Source& source, const std::vector<std::string>& lost) {
    std::vector<Part> parts;
    add<ast::Const>(parts, module, source);
    add<ast::Function>(parts, module, source);
    add<ast::Kernel>(parts, module, source);
    const std::set<std::string_view> spoilt = spoilt_names(parts, found, lost);
    Program whole;
    whole.target = program.target;
    whole.constants = program.constants;
    for (const Kernel& kernel : program.kernels)
        if (spoilt.count(kernel.name) == 0) whole.kernels.push_back(kernel);
    return whole;
}

} // namespace tmemc::sema
