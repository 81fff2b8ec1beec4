// Operands to slots.
#include "emulator/decode.hpp"

#include "emulator/special.hpp"

#include <bit>
#include <charconv>

namespace tmemc::emulator {

namespace {

constexpr Slot slots_of(int bits) { return bits == 128 ? 4 : bits == 64 ? 2 : 1; }

// A decimal float such as 1.5 is read as a double; where a 32-bit register is meant it is rounded to one.
std::uint64_t immediate_bits(const ptx::Immediate& immediate, int bits) {
    if (immediate.form != ptx::Immediate::Form::f64_bits || bits != 32) return immediate.bits;
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(immediate.bits)));
}

} // namespace

// A register is declared by its own name or, as number n of a range `name<count>`, by the name without the
// number.
const Decoding::Declared* Decoding::declared(const Scope& scope, const std::string& name) {
    if (const auto single = scope.registers.find(name);
        single != scope.registers.end() && single->second.count == 0) {
        return &single->second;
    }
    constexpr std::size_t most_digits = 10;
    std::size_t digit = name.find_last_not_of("0123456789") + 1;
    if (name.size() - digit > most_digits) digit = name.size() - most_digits;
    for (; digit < name.size(); ++digit) {
        const auto range = scope.registers.find(name.substr(0, digit));
        std::uint32_t number = 0;
        const auto parsed = std::from_chars(name.data() + digit, name.data() + name.size(), number);
        const bool plain = name[digit] != '0' || digit + 1 == name.size();
        if (range == scope.registers.end() || parsed.ec != std::errc{} || !plain) continue;
        if (number < range->second.count) return &range->second;
    }
    return nullptr;
}

const Decoding::Declared* Decoding::declared(const std::string& name) const {
    for (std::size_t number = scope_;; number = code_->scopes[number].around) {
        const Scope& scope = code_->scopes[number];
        const Declared* const found = declared(scope, name);
        if (found != nullptr || scope.around == number) return found;
    }
}

std::pair<Slot, int> Decoding::register_slot(const std::string& name) {
    int bits = 0;
    std::size_t number = scope_; // of the innermost scope that declares it
    while (true) {
        const Scope& scope = code_->scopes[number];
        if (const auto known = scope.slots.find(name); known != scope.slots.end()) return known->second;
        const Declared* const known_as = declared(scope, name);
        bits = known_as == nullptr ? 0 : known_as->bits;
        if (known_as != nullptr || scope.around == number) break;
        number = scope.around;
    }
    if (bits == 0) {
        refuse(fmt::format("the register `{}` is not declared", name));
        return {nowhere, 0};
    }
    if (bits > 128) {
        refuse(fmt::format("`{}` has {} bits, and a register at most 128", name, bits));
        return {nowhere, 0};
    }
    const Slot slot = kernel_.slots;
    kernel_.slots += slots_of(bits);
    kernel_.names.push_back({name, slot, bits});
    return code_->scopes[number].slots[name] = {slot, bits};
}

bool Decoding::check_class(const ptx::Operand& operand, OperandClass wanted, int bits) {
    constexpr std::array<std::string_view, 4> kinds{"busfpx", "busx", "bf", "bx"};
    constexpr std::array<std::string_view, 4> words{"", "an integer", "a floating-point number",
                                                    "a pair of numbers"};
    const auto number = static_cast<std::size_t>(wanted);
    using Form = ptx::Immediate::Form;
    bool fits = true;
    if (const auto* named = std::get_if<ptx::Register>(&operand)) {
        const Declared* const known_as = declared(named->name);
        fits = known_as == nullptr || kinds[number].find(known_as->kind) != std::string_view::npos;
    } else if (const auto* constant = std::get_if<ptx::Immediate>(&operand)) {
        const Form same_bits = bits == 64 ? Form::f64_bits : Form::f32_bits;
        fits = wanted == OperandClass::floating  ? constant->form != Form::integer
               : wanted == OperandClass::integer ? constant->form == Form::integer
               : wanted == OperandClass::bits ? constant->form == Form::integer || constant->form == same_bits
                                              : false;
        if (!fits && wanted == OperandClass::bits) refuse("an integer constant stands here");
    }
    if (!fits) refuse(fmt::format("{} stands here", words[number]));
    return fits;
}

Slot Decoding::carry() {
    if (carry_ == nowhere) {
        carry_ = kernel_.slots++;
        kernel_.names.push_back({"CC.CF", carry_, 1});
    }
    return carry_;
}

Slot Decoding::constant(std::uint64_t bits, bool wide) {
    if (!wide) bits &= 0xffffffff;
    auto [known, fresh] = constants_.try_emplace({bits, wide}, kernel_.slots);
    if (fresh) {
        kernel_.constants.push_back({known->second, bits, wide});
        kernel_.slots += wide ? 2 : 1;
    }
    return known->second;
}

Slot Decoding::special(std::size_t row) {
    auto [known, fresh] = specials_.try_emplace(row, kernel_.slots);
    if (fresh) {
        kernel_.specials.push_back({kernel_.slots, row});
        kernel_.slots += slots_of(special_rows()[row].bits);
    }
    return known->second;
}

Slot Decoding::immediate(const ptx::Immediate& immediate, int bits) {
    if (bits == 1) return constant(immediate.bits != 0 ? all_lanes : 0, false);
    return constant(immediate_bits(immediate, bits), bits == 64);
}

Slot Decoding::symbol_address(const std::string& name, std::int64_t offset, int bits) {
    if (name == "WARP_SZ") return constant(warp_size, bits == 64);
    const auto displacement = static_cast<std::uint64_t>(offset);
    const Variable* variable = find(&Scope::variables, name);
    if (variable == nullptr) {
        const auto shared = shared_.find(name);
        if (shared != shared_.end()) variable = &shared->second;
    }
    if (variable != nullptr) {
        const std::uint64_t address = variable->address + displacement;
        return variable->space == Space::local ? frame_address(address, bits) : constant(address, bits == 64);
    }
    if (const KernelParameter* given = parameter(name))
        return constant(given->offset + displacement, bits == 64);
    const auto global = image_.variables.find(name);
    const auto code = image_.code.find(name);
    const bool known = global != image_.variables.end();
    if (!known && code == image_.code.end()) {
        refuse(fmt::format("there is no variable `{}`", name));
    } else if (known && !global->second.unknown.empty()) {
        refuse(fmt::format("`{}` cannot be used: {}", name, global->second.unknown));
    } else if (bits == 64) {
        return constant((known ? global->second.address : code->second) + displacement, true);
    } else {
        refuse(fmt::format("the address of `{}` has 64 bits", name));
    }
    return nowhere;
}

// A kernel's own frame begins at 0; that of a function is where its call put it, and a slot holds the sum.
Slot Decoding::frame_address(std::uint64_t offset, int bits) {
    if (!in_function()) return constant(offset, bits == 64);
    if (bits != 64) {
        refuse("a local address in a function has 64 bits");
        return nowhere;
    }
    const auto [known, fresh] =
        code_->addresses.try_emplace(static_cast<std::uint32_t>(offset), kernel_.slots);
    if (fresh) kernel_.slots += 2;
    return known->second;
}

std::pair<Slot, int> Decoding::any_source(const ptx::Operand& operand, int bits) {
    if (const auto* named = std::get_if<ptx::Register>(&operand)) {
        const auto row = special_row(named->name);
        if (row && special_rows()[*row].changes) refuse("a clock is read by mov alone");
        if (row)
            return {require(special_rows()[*row].needs) ? special(*row) : nowhere, special_rows()[*row].bits};
        return register_slot(named->name);
    }
    if (const auto* number = std::get_if<ptx::Immediate>(&operand)) return {immediate(*number, bits), bits};
    if (const auto* symbol = std::get_if<ptx::Symbol>(&operand)) {
        if (symbol->name == "WARP_SZ") return {constant(warp_size, bits == 64), bits};
        return {symbol_address(symbol->name, 0, bits), bits};
    }
    if (const auto* sum = std::get_if<ptx::Offset>(&operand))
        return {symbol_address(sum->symbol, sum->offset, bits), bits};
    refuse("a register, a constant or a variable stands here");
    return {nowhere, 0};
}

Slot Decoding::source(const ptx::Operand& operand, int bits) {
    const auto [slot, found] = any_source(operand, bits);
    if (bits == 128 && std::holds_alternative<ptx::Immediate>(operand)) refuse("no constant has 128 bits");
    const auto* named = std::get_if<ptx::Register>(&operand);
    const bool low_half = bits == 16 && found == 32 && named != nullptr && special_row(named->name);
    if (found != 0 && found != bits && !low_half) // %tid.x had 16 bits once
        refuse(fmt::format("an operand of {} bits stands where {} are read", found, bits));
    return slot;
}

Slot Decoding::integer_source(const ptx::Operand& operand, int bits) {
    const auto* named = std::get_if<ptx::Register>(&operand);
    const auto* number = std::get_if<ptx::Immediate>(&operand);
    const Declared* found = named == nullptr ? nullptr : declared(named->name);
    if ((found != nullptr && found->kind == 'f') ||
        (number != nullptr && number->form != ptx::Immediate::Form::integer))
        refuse("a float stands where an integer is read");
    return source(operand, bits);
}

Slot Decoding::predicate(const ptx::Operand& operand, std::int64_t& flip) {
    const auto* negated = std::get_if<ptx::Negated>(&operand);
    flip = negated != nullptr ? -1 : 0;
    return source(negated != nullptr ? ptx::Register{negated->predicate} : operand, 1);
}

std::pair<Slot, int> Decoding::wide_source(const ptx::Operand& operand, int bits) {
    const auto [slot, found] = any_source(operand, bits);
    if (found != 0 && found < bits)
        refuse(fmt::format("an operand of {} bits stands where {} are read", found, bits));
    return {slot, found};
}

std::pair<Slot, int> Decoding::wide_destination(const ptx::Operand& operand, int bits) {
    if (std::holds_alternative<ptx::Sink>(operand)) return {nowhere, bits};
    const auto* named = std::get_if<ptx::Register>(&operand);
    if (named == nullptr || special_row(named->name)) {
        refuse("the destination is a register");
        return {nowhere, 0};
    }
    const auto [slot, found] = register_slot(named->name);
    if (found != 0 && found < bits) {
        refuse(fmt::format("`{}` has {} bits, and {} are written", named->name, found, bits));
    }
    return {slot, found};
}

Slot Decoding::destination(const ptx::Operand& operand, int bits) {
    const auto [slot, found] = wide_destination(operand, bits);
    if (found > bits) refuse(fmt::format("a register of {} bits stands where {} are written", found, bits));
    return slot;
}

void Decoding::address(const ptx::Operand& operand, Space space, Instruction& into) {
    const auto* address = std::get_if<ptx::Address>(&operand);
    if (address == nullptr) {
        refuse("an address `[register + offset]` stands here");
        return;
    }
    into.immediate = address->offset;
    into.space = space;
    if (const auto* named = std::get_if<ptx::Register>(&address->base)) {
        const auto [slot, bits] = register_slot(named->name);
        into.in[0] = slot;
        into.wide_address = bits == 64;
        const bool narrow_is_enough = space != Space::global && space != Space::generic;
        if (bits != 0 && bits != 64 && !(bits == 32 && narrow_is_enough)) {
            refuse(fmt::format("`{}` has {} bits, and an address {}", named->name, bits,
                               narrow_is_enough ? "32 or 64" : "64"));
        }
        return;
    }
    into.wide_address = true;
    if (const auto* symbol = std::get_if<ptx::Symbol>(&address->base))
        into.in[0] = symbol_address(symbol->name, 0, 64);
    else
        into.in[0] = constant(std::get<ptx::Immediate>(address->base).bits, true);
}

void Decoding::vector(const std::vector<Slot>& slots, VectorRole role, Instruction& into) {
    into.vector = static_cast<std::uint32_t>(kernel_.vectors.size());
    into.vector_count = static_cast<std::uint16_t>(slots.size());
    into.vector_role = role;
    kernel_.vectors.insert(kernel_.vectors.end(), slots.begin(), slots.end());
}

std::uint32_t Decoding::label(const ptx::Operand& operand) {
    const auto* symbol = std::get_if<ptx::Symbol>(&operand);
    const std::uint32_t* found = symbol == nullptr ? nullptr : find(&Scope::labels, symbol->name);
    if (found != nullptr) return *found;
    refuse(symbol == nullptr ? std::string("a branch goes to a label")
                             : fmt::format("there is no label `{}`", symbol->name));
    return 0;
}

std::uint32_t Decoding::add(Message message) {
    kernel_.messages.push_back(message);
    return static_cast<std::uint32_t>(kernel_.messages.size() - 1);
}

std::uint32_t Decoding::add(const Conversion& conversion) {
    kernel_.conversions.push_back(conversion);
    return static_cast<std::uint32_t>(kernel_.conversions.size() - 1);
}

std::uint32_t Decoding::add(const CopyForm& form) {
    kernel_.copies.push_back(form);
    return static_cast<std::uint32_t>(kernel_.copies.size() - 1);
}

} // namespace tmemc::emulator
