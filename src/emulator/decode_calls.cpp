// Calls, returns and jumps by table.
#include "emulator/decode.hpp"

#include "emulator/calls.hpp"
#include "emulator/operations_call.hpp"

namespace tmemc::emulator {

namespace {

namespace catalogue = base::catalogue;

/// call{.uni} (results), function, (arguments), prototype; all but the function may be left out.
struct CallText {
    const ptx::Arguments* results = nullptr;
    const ptx::Symbol* function = nullptr;
    const ptx::Arguments* arguments = nullptr;
};

CallText call_text(const ptx::Instruction& text) {
    CallText call;
    std::size_t next = 0;
    const auto list = [&]() {
        const auto* found =
            next < text.operands.size() ? std::get_if<ptx::Arguments>(&text.operands[next]) : nullptr;
        next += found != nullptr ? 1 : 0;
        return found;
    };
    call.results = list();
    if (next < text.operands.size()) call.function = std::get_if<ptx::Symbol>(&text.operands[next++]);
    call.arguments = list();
    return call;
}

} // namespace

// Copies between the variables given and the callee's own.
void Decoding::pass(const ptx::Arguments* given, const std::vector<ptx::Parameter>& formal,
                    const Code& callee, std::vector<Copy>& into, bool result) {
    const std::size_t count = given == nullptr ? 0 : given->elements.size();
    const std::string_view what = result ? "results" : "arguments";
    if (count != formal.size())
        return refuse(
            fmt::format("`{}` has {} {}, and {} are given", callee.text->name, formal.size(), what, count));
    for (std::size_t i = 0; i < count; ++i) {
        const auto* symbol = std::get_if<ptx::Symbol>(&given->elements[i]);
        const Variable* variable = symbol == nullptr ? nullptr : find(&Scope::variables, symbol->name);
        if (variable == nullptr || variable->space != Space::local || formal[i].in_register)
            return refuse(fmt::format("the emulator passes {} as `.param` variables only", what));
        const Variable& own = callee.scopes[0].variables.at(formal[i].name);
        if (variable->bytes != own.bytes)
            return refuse(fmt::format("`{}` has {} bytes, and `{}` of `{}` has {}", symbol->name,
                                      variable->bytes, formal[i].name, callee.text->name, own.bytes));
        Copy copy{static_cast<std::uint32_t>(variable->address), static_cast<std::uint32_t>(own.address),
                  static_cast<std::uint32_t>(own.bytes)};
        if (result) std::swap(copy.from, copy.to);
        into.push_back(copy);
    }
}

void Decoding::call(const ptx::Instruction& text, Instruction& into) {
    const CallText read = call_text(text);
    if (read.function == nullptr)
        return refuse("the emulator knows calls of a function by its name, not through a register");
    const auto found = image_.functions.find(read.function->name);
    if (found == image_.functions.end() || read_.module.functions[found->second].entry) {
        if (!refused_)
            diagnostics_.report(catalogue::missing_function, span(), read.function->name,
                                found == image_.functions.end() ? "the module has no body of it"
                                                                : "it is a kernel");
        refused_ = true;
        return;
    }
    const std::uint32_t number = code_numbers_.at(found->second);
    const Code& callee = codes_[number];
    Call call{number, static_cast<std::uint32_t>(code_->frame), {}, {}};
    pass(read.arguments, callee.text->parameters, callee, call.arguments, false);
    pass(read.results, callee.text->results, callee, call.results, true);
    into.detail = static_cast<std::uint32_t>(kernel_.calls.size());
    kernel_.calls.push_back(std::move(call));
}

void Decoding::jump_by_table(const ptx::Instruction& text, Instruction& into) {
    if (!operands(text, 2, 2)) return;
    into.in[0] = source(text.operands[0], 32);
    const auto* symbol = std::get_if<ptx::Symbol>(&text.operands[1]);
    const ptx::Targets* const* table = symbol == nullptr ? nullptr : find(&Scope::tables, symbol->name);
    if (table == nullptr || (*table)->calls)
        return refuse("the second operand is the label of a `.branchtargets`");
    into.detail = static_cast<std::uint32_t>(kernel_.targets.size());
    into.immediate = static_cast<std::int64_t>((*table)->names.size());
    for (const std::string& name : (*table)->names) kernel_.targets.push_back(label(ptx::Symbol{name}));
}

void decode_call(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty() && decoding.rest() != "uni") return decoding.unknown();
    decoding.call(text, into);
}

void decode_return(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty() && decoding.rest() != "uni") return decoding.unknown();
    if (!decoding.operands(text, 0, 0)) return;
    if (decoding.in_function()) into.operation = return_from_function;
}

void decode_table_branch(Decoding& decoding, const Opcode&, const ptx::Instruction& text, Instruction& into) {
    if (!decoding.rest().empty() && decoding.rest() != "uni") return decoding.unknown();
    decoding.jump_by_table(text, into);
}

} // namespace tmemc::emulator
