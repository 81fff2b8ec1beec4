// The writer. One statement is one line; instructions are indented, labels stand at the margin. Numbers are
// decimal up to 65535 and hexadecimal beyond, because what is that large here is a bit pattern or a
// tensor-memory address, whose lane stands in the upper half: [%taddr+0x100004] is 16 lanes and 4 columns on.
#include "ptx/write.hpp"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace tmemc::ptx {
namespace {

constexpr std::string_view indent = "    ";

std::string spelled(std::int64_t value) {
    return value < 65536 ? fmt::format("{}", value) : fmt::format("0x{:X}", value);
}

std::string spelled(const Immediate& immediate) {
    switch (immediate.form) {
    case Immediate::Form::f32_bits: return fmt::format("0f{:08X}", immediate.bits);
    case Immediate::Form::f64_bits: return fmt::format("0d{:016X}", immediate.bits);
    case Immediate::Form::integer: break;
    }
    return spelled(static_cast<std::int64_t>(immediate.bits));
}

/// What stands before the name or value: type, alignment, count of a parameter or variable.
template <class Declared>
std::string declared(const Declared& what) {
    std::string text;
    if (what.align != 0) text += fmt::format(".align {} ", what.align);
    text += fmt::format(".{} {}", what.type, what.name);
    if (what.count) text += fmt::format("[{}]", *what.count);
    return text;
}

struct OperandWriter {
    std::string& out;
    void operator()(const Register& each) const { out += each.name; }
    void operator()(const Immediate& each) const { out += spelled(each); }
    void operator()(const Symbol& each) const { out += each.name; }
    void operator()(const Sink&) const { out += '_'; }
    void operator()(const Address& each) const {
        out += '[';
        std::visit(*this, each.base);
        if (each.offset != 0) out += '+' + spelled(each.offset);
        out += ']';
    }
    void operator()(const Vector& each) const {
        std::string_view separator;
        out += '{';
        for (const auto& element : each.elements) {
            out += separator;
            std::visit(*this, element);
            separator = ", ";
        }
        out += '}';
    }
};

/// Appends a statement without its line break.
struct StatementWriter {
    std::string& out;
    void operator()(const Instruction& each) const {
        out += indent;
        if (each.guard) out += fmt::format("@{}{} ", each.guard->negated ? "!" : "", each.guard->predicate);
        out += each.name;
        std::string_view separator = " ";
        for (const Operand& operand : each.operands) {
            out += separator;
            std::visit(OperandWriter{out}, operand);
            separator = ", ";
        }
        out += ';';
    }
    void operator()(const Label& each) const { out += each.name + ':'; }
    void operator()(const Comment& each) const { out += fmt::format("{}// {}", indent, each.text); }
    void operator()(const BlankLine&) const {}
    void operator()(const RegisterDeclaration& each) const {
        out += fmt::format("{}.reg .{} {}", indent, each.type, each.name);
        if (each.count != 0) out += fmt::format("<{}>", each.count);
        out += ';';
    }
    void operator()(const Variable& each) const {
        out += fmt::format("{}.{} {};", indent, each.space, declared(each));
    }
    void operator()(const Location& each) const {
        out += fmt::format("{}.loc {} {} {}", indent, each.file, each.line, each.column);
    }
    void operator()(const Pragma& each) const { out += fmt::format("{}.pragma \"{}\";", indent, each.text); }
};

bool decorates(const Statement& statement) {
    return std::holds_alternative<Comment>(statement) || std::holds_alternative<BlankLine>(statement);
}

/// The text so far and the number of the line that is written next.
class Writer {
  public:
    explicit Writer(const WriteOptions& options) : options_(options) {}

    void line(std::string_view text) {
        written_.text += text;
        end_line();
    }
    void function(const Function& function);
    [[nodiscard]] Written finish() && { return std::move(written_); }

  private:
    void end_line() {
        written_.text += '\n';
        ++line_;
    }
    void head(const Function& function);

    WriteOptions options_;
    Written written_;
    std::uint32_t line_ = 1;
};

void Writer::head(const Function& function) {
    std::string opening = fmt::format("{}{} {}(", function.visible ? ".visible " : "",
                                      function.entry ? ".entry" : ".func", function.name);
    if (function.parameters.empty()) {
        line(opening + ")");
    } else {
        line(opening);
        for (std::size_t i = 0; i < function.parameters.size(); ++i)
            line(fmt::format("{}.param {}{}", indent, declared(function.parameters[i]),
                             i + 1 < function.parameters.size() ? "," : ""));
        line(")");
    }
    if (function.required_threads) {
        const auto& [x, y, z] = *function.required_threads;
        line(y == 1 && z == 1 ? fmt::format(".reqntid {}", x) : fmt::format(".reqntid {}, {}, {}", x, y, z));
    }
    if (function.max_registers) line(fmt::format(".maxnreg {}", *function.max_registers));
}

void Writer::function(const Function& function) {
    line("");
    head(function);
    line("{");
    std::vector<std::uint32_t>& lines = written_.lines.emplace_back();
    for (const Statement& statement : function.body) {
        lines.push_back(line_);
        if (!options_.comments && decorates(statement)) continue;
        std::visit(StatementWriter{written_.text}, statement);
        end_line();
    }
    line("}");
}

} // namespace

Written write(const Module& module, const WriteOptions& options) {
    Writer writer(options);
    writer.line(fmt::format(".version {}.{}", module.version.major, module.version.minor));
    writer.line(fmt::format(".target {}", module.target));
    writer.line(".address_size 64");
    if (!module.variables.empty()) writer.line("");
    for (const Variable& variable : module.variables)
        writer.line(fmt::format(".{} {};", variable.space, declared(variable)));
    for (const Function& function : module.functions) writer.function(function);
    return std::move(writer).finish();
}

} // namespace tmemc::ptx
