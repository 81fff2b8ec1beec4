// Declarations, operands and statements as text.
#include "ptx/write_statement.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tmemc::ptx {
namespace {

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
    void operator()(const Vector& each) const { list('{', each.elements, '}'); }
    void operator()(const Negated& each) const { out += '!' + each.predicate; }
    void operator()(const Pair& each) const {
        std::visit(*this, each.first);
        out += '|';
        std::visit(*this, each.second);
    }
    void operator()(const Offset& each) const { out += each.symbol + '+' + spelled(each.offset); }
    void operator()(const Coordinates& each) const {
        out += '[';
        std::visit(*this, each.base);
        out += ", ";
        list('{', each.at, '}');
        out += ']';
    }
    void operator()(const Arguments& each) const { list('(', each.elements, ')'); }

    void list(char open, const std::vector<Element>& elements, char close) const {
        std::string_view separator;
        out += open;
        for (const Element& element : elements) {
            out += separator;
            std::visit(*this, element);
            separator = ", ";
        }
        out += close;
    }
};

std::string spelled(const InitialValue& value) {
    if (const auto* immediate = std::get_if<Immediate>(&value)) return spelled(*immediate);
    const auto& address = std::get<InitialAddress>(value);
    std::string text = address.generic ? fmt::format("generic({})", address.symbol) : address.symbol;
    if (address.offset != 0) text += '+' + spelled(address.offset);
    return address.mask == 0 ? text : fmt::format("0x{:X}({})", address.mask, text);
}

/// Braces around the elements of one index of each dimension but the last.
std::string initial_values(const Variable& variable) {
    const std::vector<std::uint64_t> extents = shape(variable);
    if (extents.empty()) return spelled(variable.values.front());
    std::vector<std::uint64_t> sizes; // of the parts that have braces of their own, from the inside
    for (std::size_t d = extents.size(); d-- > 1;)
        sizes.push_back((sizes.empty() ? 1 : sizes.back()) * extents[d]);
    const std::size_t count = variable.values.size();
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) text += ", ";
        for (const std::uint64_t size : sizes)
            if (i % size == 0) text += '{';
        text += spelled(variable.values[i]);
        for (const std::uint64_t size : sizes)
            if ((i + 1) % size == 0 || i + 1 == count) text += '}';
    }
    return '{' + text + '}';
}

std::string names(const std::vector<std::string>& list) { return fmt::format("{}", fmt::join(list, ", ")); }

std::string parameters(const std::vector<Parameter>& list) {
    std::string text;
    for (const Parameter& each : list) text += (text.empty() ? "" : ", ") + written(each);
    return '(' + text + ')';
}

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
    void operator()(const Variable& each) const { out += fmt::format("{}{};", indent, written(each)); }
    void operator()(const Location& each) const {
        out += fmt::format("{}.loc {} {} {}", indent, each.file, each.line, each.column);
        if (!each.inlined) return;
        const Location::Inlined& in = *each.inlined;
        out += fmt::format(", function_name {}", in.function);
        if (in.offset != 0) out += '+' + spelled(in.offset);
        out += fmt::format(", inlined_at {} {} {}", in.file, in.line, in.column);
    }
    void operator()(const Pragma& each) const { out += fmt::format("{}.pragma \"{}\";", indent, each.text); }
    void operator()(const ScopeBegin&) const { out += fmt::format("{}{{", indent); }
    void operator()(const ScopeEnd&) const { out += fmt::format("{}}}", indent); }
    void operator()(const Targets& each) const {
        out += fmt::format("{}{} {};", indent, each.calls ? ".calltargets" : ".branchtargets",
                           names(each.names));
    }
    void operator()(const Prototype& each) const {
        out += fmt::format("{}.callprototype {}_ {}{};", indent, written_results(each.results),
                           parameters(each.parameters), each.no_return ? " .noreturn" : "");
    }
};

} // namespace

std::string_view written(Linkage linkage) {
    switch (linkage) {
    case Linkage::none: break;
    case Linkage::visible: return ".visible ";
    case Linkage::external: return ".extern ";
    case Linkage::weak: return ".weak ";
    case Linkage::common: return ".common ";
    }
    return {};
}

std::string written(const Parameter& parameter) {
    std::string text = parameter.in_register ? ".reg " : ".param ";
    if (parameter.align != 0) text += fmt::format(".align {} ", parameter.align);
    text += '.' + parameter.type;
    if (parameter.pointer) {
        text += " .ptr";
        if (!parameter.pointer->space.empty()) text += " ." + parameter.pointer->space;
        if (parameter.pointer->align != 0) text += fmt::format(" .align {}", parameter.pointer->align);
    }
    text += ' ' + parameter.name;
    if (parameter.count) text += fmt::format("[{}]", *parameter.count);
    return text;
}

std::string written(const Variable& variable) {
    std::string text = fmt::format("{}.{} ", written(variable.linkage), variable.space);
    if (variable.managed) text += ".attribute(.managed) ";
    if (variable.align != 0) text += fmt::format(".align {} ", variable.align);
    if (variable.elements != 1) text += fmt::format(".v{} ", variable.elements);
    text += fmt::format(".{} {}", variable.type, variable.name);
    for (const std::uint64_t extent : variable.extents)
        text += extent == 0 ? "[]" : fmt::format("[{}]", extent);
    if (!variable.values.empty()) text += " = " + initial_values(variable);
    return text;
}

std::string written_results(const std::vector<Parameter>& results) {
    return results.empty() ? std::string() : parameters(results) + ' ';
}

void append(std::string& out, const Statement& statement) { std::visit(StatementWriter{out}, statement); }

} // namespace tmemc::ptx
