// A kernel from the first declaration to the last instruction.
#include "emulator/decode.hpp"

#include "base/near.hpp"

#include <algorithm>

namespace tmemc::emulator {

namespace catalogue = base::catalogue;

Modifiers::Modifiers(std::string_view rest, char between) {
    while (!rest.empty()) {
        const std::size_t dot = std::min(rest.find(between), rest.size());
        words_.push_back(rest.substr(0, dot));
        rest.remove_prefix(std::min(dot + 1, rest.size()));
    }
}

bool Modifiers::take(std::string_view word) {
    const auto found = std::find(words_.begin(), words_.end(), word);
    if (found == words_.end()) return false;
    words_.erase(found);
    return true;
}

Decoding::Decoding(const ptx::ReadResult& read, const ModuleImage& image, std::size_t function,
                   CpuLevel level, base::Diagnostics& diagnostics)
    : read_(read), image_(image), level_(level), diagnostics_(diagnostics) {
    kernel_.function = function;
    kernel_.constants.push_back({truth, 0xffffffff, false});
}

Kernel Decoding::kernel() {
    find_functions(kernel_.function);
    declare_parameters(read_.module.functions[kernel_.function]);
    declare_shared();
    std::uint32_t begin = 0;
    for (Code& code : codes_) {
        code.begin = begin;
        declare(code);
        for (const ptx::Statement& statement : code.text->body)
            begin += std::holds_alternative<ptx::Instruction>(statement) ? 1 : 0;
        ++begin; // for the threads that reach the closing brace
    }
    place_dynamic_shared();
    for (Code& code : codes_) decode_code(code);
    kernel_.entry = codes_.back().begin;
    kernel_.local_bytes = codes_.back().frame;
    kernel_.constant_image = image_.constants;
    return std::move(kernel_);
}

void Decoding::decode_code(Code& code) {
    code_ = &code;
    scope_ = 0;
    std::size_t scopes = 1;
    const std::size_t first_name = kernel_.names.size();
    const std::vector<ptx::Statement>& body = code.text->body;
    for (statement_ = 0; statement_ < body.size(); ++statement_) {
        if (std::holds_alternative<ptx::ScopeBegin>(body[statement_])) scope_ = scopes++;
        if (std::holds_alternative<ptx::ScopeEnd>(body[statement_])) scope_ = code.scopes[scope_].around;
        if (const auto* instruction = std::get_if<ptx::Instruction>(&body[statement_]))
            decode(statement_, *instruction);
    }
    finish(code, first_name);
}

// The end of a function, and what a call of it must know.
void Decoding::finish(Code& code, std::size_t first_name) {
    const ptx::Instruction ret{std::nullopt, "ret", {}};
    Instruction end;
    const OpcodeMatch match = find_opcode("ret", level_);
    instruction_ = &ret;
    rest_ = match.rest;
    end.operation = match.row->operation;
    match.row->decoder(*this, *match.row, ret, end);
    kernel_.code.push_back(end);
    if (code.text->entry) return;
    kernel_.statement.push_back(no_statement);
    kernel_.function_of.push_back(static_cast<std::uint32_t>(code.number));
    Callee callee{code.text->name, code.begin, static_cast<std::uint32_t>(code.frame),
                  code.recursive,  {},         {}};
    callee.registers.assign(kernel_.names.begin() + static_cast<std::ptrdiff_t>(first_name),
                            kernel_.names.end());
    for (const auto& [offset, slot] : code.addresses) callee.addresses.push_back({slot, offset});
    kernel_.callees.push_back(std::move(callee));
}

void Decoding::decode(std::uint32_t statement, const ptx::Instruction& instruction) {
    instruction_ = &instruction;
    refused_ = false;
    Instruction decoded;
    const OpcodeMatch match = find_opcode(instruction.name, level_);
    rest_ = match.rest;
    if (match.row == nullptr) {
        unknown();
    } else if (require(match.row->needs)) {
        decoded.operation = match.row->operation;
        match.row->decoder(*this, *match.row, instruction, decoded);
    }
    if (instruction.guard) {
        decoded.guard = source(ptx::Register{instruction.guard->predicate}, 1);
        decoded.guard_flip = instruction.guard->negated ? all_lanes : 0;
    }
    kernel_.code.push_back(decoded);
    kernel_.statement.push_back(statement);
    kernel_.function_of.push_back(static_cast<std::uint32_t>(code_->number));
}

void Decoding::refuse(std::string_view why) {
    if (!refused_) diagnostics_.report(catalogue::bad_operands, span(), instruction_->name, why);
    refused_ = true;
}

bool Decoding::has(const Needs& needs) const {
    return missing(needs, read_.module.version, read_.module.target).empty();
}

const Opcode* Decoding::row_named(std::string_view name) const {
    const OpcodeMatch match = find_opcode(name, level_);
    return match.row != nullptr && match.rest.empty() ? match.row : nullptr;
}

bool Decoding::require(const Needs& needs) {
    const std::string lacks = missing(needs, read_.module.version, read_.module.target);
    if (lacks.empty()) return true;
    if (!refused_) diagnostics_.report(catalogue::instruction_needs, span(), instruction_->name, lacks);
    refused_ = true;
    return false;
}

void Decoding::unknown() {
    if (refused_) return;
    refused_ = true;
    auto& diagnostic = diagnostics_.report(catalogue::unknown_instruction, span(), instruction_->name);
    constexpr std::size_t most_suggestions = 64; // nobody reads more, and each is a walk over all names
    if (suggestions_++ >= most_suggestions) return;
    const std::string near = base::nearest(instruction_->name, opcode_names());
    if (!near.empty() && near != instruction_->name) diagnostic.help(fmt::format("it knows `{}`", near));
}

bool Decoding::operands(const ptx::Instruction& instruction, std::size_t least, std::size_t most) {
    const std::size_t count = instruction.operands.size();
    if (count >= least && count <= most) return true;
    refuse(least == most ? fmt::format("it has {} operands and needs {}", count, least)
                         : fmt::format("it has {} operands and needs {} to {}", count, least, most));
    return false;
}

} // namespace tmemc::emulator
