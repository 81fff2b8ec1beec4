// What has a name: the functions that a kernel reaches, their scopes, variables, registers and labels. All is
// collected before the first instruction is decoded.
#include "emulator/calls.hpp"
#include "emulator/decode.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

constexpr std::uint64_t most_bytes = most_local_bytes; // of shared memory, or of a frame

constexpr std::uint64_t most_parameter_bytes = 32764; // of a kernel: PTX ISA 5.1.6.1

/// The letter that says what a type holds: b, u, s, f, p; x for two in one register.
char type_kind(std::string_view type) {
    return type.size() > 2 && type.substr(type.size() - 2) == "x2" ? 'x' : type.empty() ? 'b' : type[0];
}

/// The function that a call names: its first symbol.
const ptx::Symbol* called(const ptx::Instruction& instruction) {
    if (instruction.name.substr(0, 4) != "call") return nullptr;
    for (const ptx::Operand& operand : instruction.operands)
        if (const auto* symbol = std::get_if<ptx::Symbol>(&operand)) return symbol;
    return nullptr;
}

} // namespace

// ---- functions
// ---------------------------------------------------------------------------------------------------

std::vector<std::size_t> Decoding::callees(std::size_t function) {
    std::vector<std::size_t> list;
    for (const ptx::Statement& statement : read_.module.functions[function].body) {
        const auto* instruction = std::get_if<ptx::Instruction>(&statement);
        const ptx::Symbol* symbol = instruction == nullptr ? nullptr : called(*instruction);
        const auto found = symbol == nullptr ? image_.functions.end() : image_.functions.find(symbol->name);
        if (found != image_.functions.end() && !read_.module.functions[found->second].entry)
            list.push_back(found->second);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

// Callees first. A function is recursive when it can be called from inside itself; as a cycle is rare, every
// function between two visits of the same one counts as such.
void Decoding::find_functions(std::size_t entry) {
    struct Visit {
        std::size_t function = 0;
        std::vector<std::size_t> callees;
        std::size_t next = 0;
    };
    std::vector<Visit> path;
    std::map<std::size_t, bool> seen; // true: finished
    std::vector<std::size_t> recursive;
    std::map<std::size_t, std::size_t> depth; // in the path
    const auto enter = [&](std::size_t function) {
        seen[function] = false;
        depth[function] = path.size();
        path.push_back({function, callees(function), 0});
    };
    enter(entry);
    while (!path.empty()) {
        Visit& visit = path.back();
        if (visit.next == visit.callees.size()) {
            seen[visit.function] = true;
            code_numbers_[visit.function] = static_cast<std::uint32_t>(codes_.size());
            Code& code = codes_.emplace_back();
            code.number = visit.function;
            code.text = &read_.module.functions[visit.function];
            path.pop_back();
            continue;
        }
        const std::size_t callee = visit.callees[visit.next++];
        const auto known = seen.find(callee);
        if (known == seen.end())
            enter(callee);
        else if (!known->second)
            recursive.push_back(callee);
    }
    // Codes are in the order in which visits ended: what a recursive function reaches lies before it.
    for (const std::size_t function : recursive) {
        const std::uint32_t last = code_numbers_[function];
        for (std::uint32_t c = 0; c <= last; ++c) codes_[c].recursive = true;
    }
}

void Decoding::declare_parameters(const ptx::Function& function) {
    KernelSignature& signature = kernel_.signature;
    signature.name = function.name;
    std::uint64_t offset = 0;
    for (const ptx::Parameter& parameter : function.parameters) {
        check_type(parameter.name, parameter.type, read_.functions[kernel_.function]);
        const std::uint64_t element = type_bytes(parameter.type);
        const std::uint64_t bytes = element * parameter.count.value_or(1);
        offset = align_up(offset, parameter.align != 0 ? parameter.align : element);
        signature.parameters.push_back({parameter.name, parameter.type, static_cast<std::uint32_t>(offset),
                                        static_cast<std::uint32_t>(bytes)});
        offset = std::min(offset + bytes, most_parameter_bytes + 1);
    }
    if (offset > most_parameter_bytes)
        diagnostics_.report(catalogue::bad_variable, read_.functions[kernel_.function], function.name,
                            "its parameters have more than 32764 bytes");
    signature.parameter_bytes = static_cast<std::uint32_t>(offset);
    const auto dimensions = [](const ptx::Extents& extents) {
        return Dimensions{extents[0], extents[1], extents[2]};
    };
    const auto many = [](const ptx::Extents& extents) {
        return std::any_of(extents.begin(), extents.end(), [](auto extent) { return extent > 1; });
    };
    signature.clusters =
        function.required_cluster ? many(*function.required_cluster) : function.explicit_cluster;
    if (function.required_threads) signature.required_threads = dimensions(*function.required_threads);
    if (function.max_threads) {
        const auto& [x, y, z] = *function.max_threads;
        signature.max_threads = std::uint64_t{x} * y * z;
    }
}

// ---- scopes
// ------------------------------------------------------------------------------------------------------

void Decoding::declare(Code& code) {
    code_ = &code;
    code.scopes.emplace_back();
    if (!code.text->entry) {
        declare_frame(code, code.text->results);
        declare_frame(code, code.text->parameters);
    }
    std::size_t scope = 0;
    std::vector<std::uint64_t> frames{code.frame}; // used so far, per open scope
    std::uint32_t next = code.begin;
    for (statement_ = 0; statement_ < code.text->body.size(); ++statement_)
        declare_statement(code, scope, frames, next);
}

// Labels stand for the number of the next instruction. Scopes beside each other share the same part of the
// frame.
void Decoding::declare_statement(Code& code, std::size_t& scope, std::vector<std::uint64_t>& frames,
                                 std::uint32_t& next) {
    const ptx::Statement& statement = code.text->body[statement_];
    Scope& here = code.scopes[scope];
    if (std::holds_alternative<ptx::Instruction>(statement)) {
        ++next;
    } else if (const auto* label = std::get_if<ptx::Label>(&statement)) {
        here.labels[label->name] = next;
        const bool last = statement_ + 1 == code.text->body.size();
        const auto* targets = last ? nullptr : std::get_if<ptx::Targets>(&code.text->body[statement_ + 1]);
        if (targets != nullptr) here.tables[label->name] = targets;
    } else if (const auto* registers = std::get_if<ptx::RegisterDeclaration>(&statement)) {
        if (registers->type != "pred") check_type(registers->name, registers->type, span());
        here.registers[registers->name] = {type_bits(registers->type), registers->count,
                                           type_kind(registers->type)};
    } else if (const auto* variable = std::get_if<ptx::Variable>(&statement)) {
        declare_variable(here.variables[variable->name], *variable, span(), frames.back());
        code.frame = std::max(code.frame, frames.back());
    } else if (std::holds_alternative<ptx::ScopeBegin>(statement)) {
        code.scopes.emplace_back().around = scope;
        scope = code.scopes.size() - 1;
        frames.push_back(frames.back());
    } else if (std::holds_alternative<ptx::ScopeEnd>(statement)) {
        scope = here.around;
        frames.pop_back();
    }
}

/// Any other width would be no whole number of the machine's 32-bit registers.
void Decoding::check_type(std::string_view name, std::string_view type, base::Span where) {
    if (!is_declared(type))
        diagnostics_.report(catalogue::bad_variable, where, name,
                            fmt::format("nothing is declared as `.{}`", type));
}

void Decoding::declare_variable(Variable& into, const ptx::Variable& variable, base::Span where,
                                std::uint64_t& frame) {
    const bool shared = variable.space == "shared";
    const bool local = variable.space == "local" || variable.space == "param";
    if (!shared && !local) {
        diagnostics_.report(catalogue::unknown_variable_space, where, variable.space, variable.name);
        return;
    }
    check_type(variable.name, variable.type, where);
    const std::uint64_t bytes = bytes_of(variable);
    const std::uint64_t align =
        variable.align != 0 ? variable.align : type_bytes(variable.type) * variable.elements;
    into = {shared ? Space::shared : Space::local, 0, bytes};
    if (shared && variable.linkage == ptx::Linkage::external) {
        dynamic_.push_back(&into);
        dynamic_align_ = std::max(dynamic_align_, align);
        return;
    }
    std::uint64_t used = shared ? kernel_.shared_bytes : frame;
    into.address = align_up(used, align);
    used = into.address + bytes;
    if (used > most_bytes) {
        diagnostics_.report(catalogue::bad_variable, where, variable.name,
                            "the variables of its space have more than 2^20 bytes");
        used = 0;
    }
    if (!shared) {
        frame = used;
        return;
    }
    kernel_.shared_bytes = static_cast<std::uint32_t>(used);
    kernel_.shared.emplace(variable.name, into.address);
}

/// The module's own shared variables that the code names, as ptxas does it; what else is not in its image the
/// emulator does not know.
void Decoding::declare_shared() {
    const std::set<std::string_view> named = symbols();
    std::uint64_t none = most_bytes;
    for (std::size_t v = 0; v < read_.module.variables.size(); ++v) {
        const ptx::Variable& variable = read_.module.variables[v];
        if (variable.space != "global" && variable.space != "const" && named.count(variable.name) != 0)
            declare_variable(shared_[variable.name], variable, read_.variables[v], none);
    }
}

/// What the operands of the kernel and its functions name.
std::set<std::string_view> Decoding::symbols() const {
    std::set<std::string_view> all;
    const auto add = [&](const auto& part) {
        if (const auto* symbol = std::get_if<ptx::Symbol>(&part)) all.insert(symbol->name);
    };
    for (const Code& code : codes_)
        for (const ptx::Statement& statement : code.text->body) {
            const auto* instruction = std::get_if<ptx::Instruction>(&statement);
            if (instruction == nullptr) continue;
            for (const ptx::Operand& operand : instruction->operands) {
                add(operand);
                if (const auto* sum = std::get_if<ptx::Offset>(&operand)) all.insert(sum->symbol);
                if (const auto* address = std::get_if<ptx::Address>(&operand)) add(address->base);
                if (const auto* place = std::get_if<ptx::Coordinates>(&operand)) add(place->base);
                if (const auto* vector = std::get_if<ptx::Vector>(&operand))
                    for (const ptx::Element& element : vector->elements) add(element);
            }
        }
    return all;
}

/// Parameters and results of a function: variables of its frame.
void Decoding::declare_frame(Code& code, const std::vector<ptx::Parameter>& parameters) {
    for (const ptx::Parameter& parameter : parameters) {
        check_type(parameter.name, parameter.type, read_.functions[code.number]);
        const std::uint64_t element = type_bytes(parameter.type);
        const std::uint64_t bytes =
            element * std::min<std::uint64_t>(parameter.count.value_or(1), most_bytes);
        const std::uint64_t address = align_up(code.frame, parameter.align != 0 ? parameter.align : element);
        code.scopes[0].variables[parameter.name] = {Space::local, address, bytes};
        code.frame = std::min(address + bytes, most_bytes);
    }
}

/// What the launch adds to shared memory begins where the declared variables end.
void Decoding::place_dynamic_shared() {
    if (dynamic_.empty()) return;
    kernel_.shared_bytes = static_cast<std::uint32_t>(align_up(kernel_.shared_bytes, dynamic_align_));
    for (Variable* variable : dynamic_) variable->address = kernel_.shared_bytes;
}

const KernelParameter* Decoding::parameter(const std::string& name) const {
    if (in_function() || find(&Scope::variables, name) != nullptr) return nullptr;
    for (const KernelParameter& parameter : kernel_.signature.parameters)
        if (parameter.name == name) return &parameter;
    return nullptr;
}

bool Decoding::in_frame(const std::string& name) const {
    const Variable* variable = find(&Scope::variables, name);
    return variable != nullptr && variable->space == Space::local;
}

} // namespace tmemc::emulator
