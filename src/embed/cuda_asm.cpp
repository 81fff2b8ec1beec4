// Line by line: PTX statements as string literals, comments as comments.
#include "embed/cuda_asm.hpp"

#include "ptx/write_statement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace tmemc::embed {
namespace {

constexpr std::string_view margin = "        ";

bool in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

/// Letters, then digits: %r1, %rd12.
bool like_nvcc(std::string_view name) {
    const auto* const digits = std::find_if(name.begin() + 1, name.end(), [](char c) {
        return std::isalpha(static_cast<unsigned char>(c)) == 0;
    });
    return digits != name.begin() + 1 && digits != name.end() && std::all_of(digits, name.end(), [](char c) {
               return std::isdigit(static_cast<unsigned char>(c)) != 0;
           });
}

std::set<std::string, std::less<>> names_like_nvcc(const ptx::Function& function) {
    std::set<std::string, std::less<>> names;
    for (const ptx::Statement& each : function.body)
        if (const auto* declared = std::get_if<ptx::RegisterDeclaration>(&each))
            if (declared->count == 0 && like_nvcc(declared->name)) names.insert(declared->name);
    return names;
}

class Text {
  public:
    explicit Text(const ptx::Function& function) : hiding_(names_like_nvcc(function)) {}

    /// A line of PTX as a literal: percent signs doubled, names that would hide nvcc's changed.
    void line(std::string_view ptx) { text_ += fmt::format("{}\"{}\\n\\t\"\n", margin, escaped(ptx)); }
    void statement(const ptx::Statement& statement) {
        std::string ptx;
        ptx::append(ptx, statement);
        line(ptx.substr(std::min(ptx.find_first_not_of(' '), ptx.size())));
    }
    /// A backslash at the end of a line would go on with the next.
    void comment(std::string text) {
        std::replace(text.begin(), text.end(), '\\', '/');
        text_ += fmt::format("{}// {}\n", margin, text);
    }
    void move(const AsmOperand& operand, std::size_t number, bool in) {
        const std::string own = escaped(operand.name);
        text_ += in ? fmt::format("{}\"mov.{} {}, %{};\\n\\t\"\n", margin, operand.type, own, number)
                    : fmt::format("{}\"mov.{} %{}, {};\\n\\t\"\n", margin, operand.type, number, own);
    }
    [[nodiscard]] std::string take() && { return std::move(text_); }

  private:
    [[nodiscard]] std::string escaped(std::string_view ptx) const {
        std::string out;
        for (std::size_t i = 0; i < ptx.size();) {
            if (ptx[i] != '%') {
                if (ptx[i] == '"' || ptx[i] == '\\') out += '\\';
                out += ptx[i++];
                continue;
            }
            std::size_t end = i + 1;
            while (end < ptx.size() && in_name(ptx[end])) ++end;
            const std::string_view name = ptx.substr(i, end - i);
            out += '%';
            out += name;
            if (hiding_.count(name) != 0) out += '$';
            i = end;
        }
        return out;
    }

    std::set<std::string, std::less<>> hiding_;
    std::string text_;
};

bool is_output(const AsmOperand& operand) { return operand.constraint.size() == 2; } // "=r", "+r"
bool is_input(const AsmOperand& operand) { return operand.constraint[0] != '='; }

/// : "=r"(X[0]), "=r"(X[1]), ..., a few on a line.
std::string written(const std::vector<AsmOperand>& operands, bool outputs) {
    constexpr std::size_t per_line = 8;
    std::string text = ":";
    std::size_t count = 0;
    for (const AsmOperand& each : operands) {
        if (is_output(each) != outputs) continue;
        text += count == 0 ? " " : count % per_line == 0 ? fmt::format(",\n{}  ", margin) : ", ";
        text += fmt::format("\"{}\"({})", each.constraint, each.expression);
        ++count;
    }
    return text;
}

bool is_return(const ptx::Statement& statement) {
    const auto* instruction = std::get_if<ptx::Instruction>(&statement);
    return instruction != nullptr && instruction->name == "ret" && !instruction->guard;
}

/// The body but for the prologue and the return at its end; moves stand where the prologue stood.
void add_body(Text& text, const ptx::Function& function, const lower::Extent& prologue, bool comments,
              const std::vector<AsmOperand>& operands) {
    const auto enter = [&] {
        for (std::size_t i = 0; i < operands.size(); ++i)
            if (is_input(operands[i])) text.move(operands[i], i, true);
    };
    const std::size_t length = function.body.size() - (is_return(function.body.back()) ? 1 : 0);
    for (std::size_t i = 0; i < length; ++i) {
        if (i == prologue.first) enter();
        if (prologue.first <= i && i < prologue.last) continue;
        const ptx::Statement& each = function.body[i];
        if (std::holds_alternative<ptx::BlankLine>(each) || std::holds_alternative<ptx::Location>(each))
            continue;
        if (const auto* comment = std::get_if<ptx::Comment>(&each)) {
            if (comments) text.comment(comment->text);
        } else {
            text.statement(each);
        }
    }
    if (prologue.first >= length) enter();
}

} // namespace

std::string asm_statement(const ptx::Function& function, const lower::KernelTrace& trace,
                          const std::vector<AsmOperand>& operands, bool comments) {
    std::vector<AsmOperand> ordered = operands;
    std::stable_partition(ordered.begin(), ordered.end(), is_output);
    Text text(function);
    text.line("{");
    add_body(text, function, trace.prologue, comments, ordered);
    for (std::size_t i = 0; i < ordered.size(); ++i)
        if (is_output(ordered[i])) text.move(ordered[i], i, false);
    return fmt::format("    asm volatile(\n{}{}\"}}\"\n{}{}\n{}{}\n{}: \"memory\");\n",
                       std::move(text).take(), margin, margin, written(ordered, true), margin,
                       written(ordered, false), margin);
}

} // namespace tmemc::embed
