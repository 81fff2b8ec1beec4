// A kernel from the first declaration to the last instruction.
#include "emulator/decode.hpp"

#include "base/near.hpp"
#include "emulator/special.hpp"

#include <algorithm>
#include <charconv>

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

/// The bits of a type's name: "b32" 32, "pred" 1, "f32x2" 64; 0 for what is no type.
int type_bits(std::string_view type) {
    if (type == "pred") return 1;
    int bits = 0, times = 1;
    const std::size_t digit = type.find_first_of("0123456789");
    if (digit == std::string_view::npos) return 0;
    const auto [end, error] = std::from_chars(type.data() + digit, type.data() + type.size(), bits);
    if (error != std::errc{}) return 0;
    const std::string_view rest(end, static_cast<std::size_t>(type.data() + type.size() - end));
    if (rest == "x2")
        times = 2;
    else if (!rest.empty())
        return 0;
    return bits * times;
}

/// The letter that says what a type holds: b, u, s, f, p; x for two in one register.
char type_kind(std::string_view type) {
    return type.size() > 2 && type.substr(type.size() - 2) == "x2" ? 'x' : type.empty() ? 'b' : type[0];
}

std::uint64_t align_up(std::uint64_t value, std::uint64_t align) {
    return (value + align - 1) / align * align;
}

} // namespace

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

Decoding::Decoding(const ptx::ReadResult& read, std::size_t function, CpuLevel level,
                   base::Diagnostics& diagnostics)
    : module_(read.module), function_(read.module.functions[function]), spans_(read.spans[function]),
      level_(level), diagnostics_(diagnostics) {
    kernel_.function = function;
    kernel_.constants.push_back({truth, 0xffffffff, false});
}

Kernel Decoding::kernel() {
    declare_parameters();
    declare();
    for (statement_ = 0; statement_ < function_.body.size(); ++statement_) {
        const auto* instruction = std::get_if<ptx::Instruction>(&function_.body[statement_]);
        if (instruction != nullptr) decode(statement_, *instruction);
    }
    Instruction end{.operation = find_opcode("ret", level_).row->operation};
    kernel_.code.push_back(end); // for the threads that reach the closing brace
    return std::move(kernel_);
}

void Decoding::declare_parameters() {
    KernelSignature& signature = kernel_.signature;
    signature.name = function_.name;
    std::uint64_t offset = 0;
    for (const ptx::Parameter& parameter : function_.parameters) {
        const auto element = static_cast<std::uint64_t>(std::max(type_bits(parameter.type) / 8, 1));
        const std::uint64_t bytes = element * parameter.count.value_or(1);
        offset = align_up(offset, parameter.align != 0 ? parameter.align : element);
        signature.parameters.push_back({parameter.name, parameter.type, static_cast<std::uint32_t>(offset),
                                        static_cast<std::uint32_t>(bytes)});
        offset += bytes;
    }
    signature.parameter_bytes = static_cast<std::uint32_t>(offset);
    if (function_.required_threads) {
        const auto& threads = *function_.required_threads;
        signature.required_threads = Dimensions{threads[0], threads[1], threads[2]};
    }
}

void Decoding::declare_variable(const ptx::Variable& variable) {
    const auto element = static_cast<std::uint64_t>(std::max(type_bits(variable.type) / 8, 1));
    const std::uint64_t align = variable.align != 0 ? variable.align : element;
    std::uint64_t bytes = element;
    for (const std::uint64_t extent : shape(variable)) bytes *= extent;
    std::uint64_t address = 0;
    Space space{};
    if (variable.space == "shared") {
        space = Space::shared;
        address = align_up(kernel_.shared_bytes, align);
        kernel_.shared_bytes = static_cast<std::uint32_t>(address + bytes);
    } else if (variable.space == "local") {
        space = Space::local;
        address = align_up(local_end_, align);
        local_end_ = address + bytes;
        kernel_.local_bytes = static_cast<std::uint32_t>(align_up(local_end_, 32));
    } else if (variable.space == "const") {
        space = Space::constant;
        address = align_up(kernel_.constant_image.size(), align);
        kernel_.constant_image.resize(address + bytes);
    } else {
        diagnostics_.report(catalogue::unknown_variable_space, span(), variable.space, variable.name);
        return;
    }
    variables_[variable.name] = {space, address};
}

// Labels stand for the number of the next instruction; everything else that has a name comes before its use,
// but is collected first all the same.
void Decoding::declare() {
    for (const ptx::Variable& variable : module_.variables) declare_variable(variable);
    std::uint32_t next = 0;
    for (statement_ = 0; statement_ < function_.body.size(); ++statement_) {
        const ptx::Statement& statement = function_.body[statement_];
        if (const auto* label = std::get_if<ptx::Label>(&statement)) labels_[label->name] = next;
        if (const auto* variable = std::get_if<ptx::Variable>(&statement)) declare_variable(*variable);
        if (const auto* registers = std::get_if<ptx::RegisterDeclaration>(&statement)) {
            registers_[registers->name] = {type_bits(registers->type), registers->count,
                                           type_kind(registers->type)};
        }
        if (std::holds_alternative<ptx::Instruction>(statement)) ++next;
    }
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
}

void Decoding::refuse(std::string_view why) {
    if (!refused_) diagnostics_.report(catalogue::bad_operands, span(), instruction_->name, why);
    refused_ = true;
}

bool Decoding::has(const Needs& needs) const {
    return missing(needs, module_.version, module_.target).empty();
}

const Opcode* Decoding::row_named(std::string_view name) const {
    const OpcodeMatch match = find_opcode(name, level_);
    return match.row != nullptr && match.rest.empty() ? match.row : nullptr;
}

bool Decoding::require(const Needs& needs) {
    const std::string lacks = missing(needs, module_.version, module_.target);
    if (lacks.empty()) return true;
    if (!refused_) diagnostics_.report(catalogue::instruction_needs, span(), instruction_->name, lacks);
    refused_ = true;
    return false;
}

void Decoding::unknown() {
    if (refused_) return;
    refused_ = true;
    auto& diagnostic = diagnostics_.report(catalogue::unknown_instruction, span(), instruction_->name);
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
