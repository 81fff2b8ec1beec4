// The parts of a function in the order of the header.
#include "embed/cuda_function.hpp"

#include "embed/cuda_parameters.hpp"
#include "embed/drawing.hpp"
#include "embed/launcher.hpp"
#include "embed/names.hpp"
#include "embed/places.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tmemc::embed {
namespace {

constexpr std::size_t overloads_for = 3; // fragments: of each alone; of more, all as words or all as elements

// What ptxas 13.0 wants beside the registers of a tcgen05.ld or tcgen05.st of any shape; with fewer it stops
// (C7602).
constexpr std::size_t beside_message = 18;

/// Registers that a thread must have for the widest message; 0: there is none.
std::size_t least_registers(const ptx::Function& function) {
    std::size_t widest = 0;
    for (const ptx::Statement& each : function.body) {
        const auto* instruction = std::get_if<ptx::Instruction>(&each);
        if (instruction == nullptr || instruction->name.rfind("tcgen05.", 0) != 0) continue;
        for (const ptx::Operand& operand : instruction->operands)
            if (const auto* vector = std::get_if<ptx::Vector>(&operand))
                widest = std::max(widest, vector->elements.size());
    }
    return widest == 0 ? 0 : widest + beside_message;
}

std::string shape(base::Dtype dtype, const std::vector<std::int64_t>& extents) {
    return fmt::format("{}[{}]", base::name(dtype), fmt::join(extents, ", "));
}

class Function {
  public:
    Function(const FunctionInput& input, std::vector<std::string>& taken)
        : input_(input), kernel_(input.kernel), taken_(taken) {}

    std::string write();

  private:
    std::string published(const std::string& name) { return taken_.emplace_back(free_name(name, taken_)); }
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        text_ += fmt::format(format, std::forward<Arguments>(arguments)...);
    }

    void describe();
    void describe(const sema::Tensor& tensor) {
        add("// {}: {}\n", tensor.name, described(tensor, kernel_.parameters));
    }
    void describe(const sema::Scalar&) {}
    void describe(const sema::TmemParameter& parameter);
    void describe(const sema::FragmentParameter& parameter);
    void draw(const std::vector<std::string>& lines) {
        for (const std::string& line : lines) add("//     {}\n", line);
    }
    void constant(const std::string& name, std::string_view type, const std::string& value) {
        add("constexpr {} {} = {};\n", type, published(input_.stem + "_" + name), value);
    }
    void constants();
    void places(const sema::FragmentParameter& parameter);
    void searched_places(const std::string& head, const sema::Fragment& fragment);
    void place_function(const std::string& head, const std::string& value, bool of_thread, bool of_element);
    void body();
    void overload(unsigned typed);
    [[nodiscard]] std::string signature(unsigned typed) const;

    const FunctionInput& input_;
    const sema::Kernel& kernel_;
    std::vector<std::string>& taken_;
    std::vector<CudaParameter> parameters_;
    std::string text_;
};

std::string Function::write() {
    describe();
    constants();
    for (const sema::Parameter& each : kernel_.parameters)
        if (const auto* parameter = std::get_if<sema::FragmentParameter>(&each)) places(*parameter);
    parameters_ = cuda_parameters(kernel_, input_.trace, taken_);
    add("#if defined(__CUDACC__)\n");
    body();
    std::size_t typed = 0;
    for (const CudaParameter& each : parameters_) typed += each.word.empty() ? 0 : 1;
    const unsigned all = (1U << std::min(typed, std::size_t{31})) - 1;
    for (unsigned each = 1; typed > 0 && each <= all; ++each)
        if (typed <= overloads_for || each == all) overload(each);
    add("#endif\n");
    return std::move(text_);
}

// ---- the comment ------------------------------------------------------------------------------------------

void Function::describe() {
    add("// ---- {} ----\n", input_.name);
    if (const std::size_t least = least_registers(input_.text))
        add("// A thread needs {} registers or more, {} of them for the widest message; --max-message= "
            "narrows it.\n",
            least, least - beside_message);
    for (const sema::Parameter& each : kernel_.parameters)
        std::visit([&](const auto& parameter) { describe(parameter); }, each);
}

void Function::describe(const sema::TmemParameter& parameter) {
    const sema::Buffer& buffer = kernel_.buffers.at(parameter.buffer);
    const sema::BufferImage& image = kernel_.buffer_images.at(buffer.image);
    const std::string layout = image.datapath != 0 ? fmt::format("datapath {}", image.datapath)
                                                   : "layout " + layout::to_string(image.layout);
    add("// {}: {} in tensor memory, {}{}; lane.column{} of (row, col)\n", parameter.name,
        shape(buffer.dtype, {buffer.rows, buffer.cols}), layout, image.unpacked ? ", unpacked" : "",
        image.cells.bits < 32 ? "+bit" : "");
    draw(drawing(image.cells));
}

void Function::describe(const sema::FragmentParameter& parameter) {
    const sema::Fragment& fragment = kernel_.fragments.at(parameter.fragment);
    add("// {}: {}, {}; thread.i of (row, col)\n", parameter.name, shape(fragment.dtype, fragment.extents()),
        kernel_.fragment_images.at(fragment.image).name);
    draw(drawing(kernel_.slots(fragment)));
}

// ---- constants and places
// -----------------------------------------------------------------------------------

void Function::constants() {
    constant("supported", "bool", input_.supported + " != 0");
    constant("threads", "int", std::to_string(layout::max_threads));
    constant("min_registers", "int", std::to_string(least_registers(input_.text)));
    constant("shared_bytes", "int", std::to_string(input_.trace.shared_bytes));
    for (const sema::Parameter& each : kernel_.parameters) {
        if (const auto* tmem = std::get_if<sema::TmemParameter>(&each))
            constant(tmem->name + "_columns", "int",
                     std::to_string(kernel_.cells(kernel_.buffers.at(tmem->buffer)).words));
        if (const auto* parameter = std::get_if<sema::FragmentParameter>(&each)) {
            const layout::SlotMap& slots = kernel_.slots(kernel_.fragments.at(parameter->fragment));
            constant(parameter->name + "_registers", "int", std::to_string(slots.words));
            constant(parameter->name + "_elements", "int", std::to_string(slots.words * 32 / slots.bits));
        }
    }
}

/// Parameters that the value does not use have no name, so that nobody warns of them.
void Function::place_function(const std::string& head, const std::string& value, bool of_thread,
                              bool of_element) {
    add("{}PLACE constexpr int {}(int{}, int{}) {{ return {}; }}\n", input_.macro_prefix, published(head),
        of_thread ? " thread" : "", of_element ? " i" : "", value);
}

void Function::places(const sema::FragmentParameter& parameter) {
    const sema::Fragment& fragment = kernel_.fragments.at(parameter.fragment);
    const std::string head = input_.stem + "_" + parameter.name;
    const auto form = place_form(kernel_.fragment_images.at(fragment.image).layout, kernel_.slots(fragment));
    if (!form) return searched_places(head, fragment);
    for (const auto& [sum, name] : {std::pair{&form->row, "_row"}, {&form->col, "_col"}}) {
        const auto uses = [&, terms = &sum->terms](bool of_thread) {
            return std::any_of(terms->begin(), terms->end(),
                               [&](const PlaceTerm& term) { return term.of_thread == of_thread; });
        };
        place_function(head + name, cpp_expression(*sum), uses(true), uses(false));
    }
}

/// For layouts with gaps: a walk over the elements; -1 where the thread has none.
void Function::searched_places(const std::string& head, const sema::Fragment& fragment) {
    const layout::Layout& layout = kernel_.fragment_images.at(fragment.image).layout;
    const layout::SlotMap& slots = kernel_.slots(fragment);
    const std::string search = published("tmemc_private_" + head + "_element");
    add("{}PLACE constexpr int {}(int thread, int i) {{\n", input_.macro_prefix, search);
    add("    for (int flat = 0; flat < {}; ++flat)\n", slots.rows * slots.cols);
    if (slots.copies > 1) add("        for (int copy = 0; copy < {}; ++copy)\n", slots.copies);
    add("            if ({} == (thread & {}) && {} == i) return flat;\n", cpp_thread(layout),
        layout::max_threads - 1, cpp_element(layout));
    add("    return -1;\n}}\n");
    const std::string found = search + "(thread, i)";
    place_function(head + "_row", fmt::format("{0} < 0 ? -1 : {0} / {1}", found, slots.cols), true, true);
    place_function(head + "_col", fmt::format("{0} < 0 ? -1 : {0} % {1}", found, slots.cols), true, true);
}

// ---- the function and its overloads
// -------------------------------------------------------------------------

/// Bit k of `typed`: the k-th fragment that has words of its own is given as those.
std::string Function::signature(unsigned typed) const {
    std::vector<std::string> list;
    unsigned bit = 1;
    for (const CudaParameter& each : parameters_) {
        const bool own = !each.word.empty() && (typed & bit) != 0;
        if (!each.word.empty()) bit <<= 1;
        list.push_back(own ? each.declared_word : each.declared);
    }
    return fmt::format("__device__ __forceinline__ void {}({})", input_.name, fmt::join(list, ", "));
}

void Function::body() {
    std::vector<AsmOperand> operands;
    for (const CudaParameter& each : parameters_)
        operands.insert(operands.end(), each.operands.begin(), each.operands.end());
    add("{} {{\n#if {}\n", signature(0), input_.supported);
    text_ += asm_statement(input_.text, input_.trace, operands, input_.comments);
    add("#else\n");
    for (const CudaParameter& each : parameters_) add("    (void){};\n", each.name);
    add("    __trap();\n#endif\n}}\n");
}

void Function::overload(unsigned typed) {
    std::vector<std::string> taken = taken_;
    for (const CudaParameter& each : parameters_) taken.push_back(each.name);
    std::vector<std::string> arguments;
    std::string before, after;
    unsigned bit = 1;
    for (const CudaParameter& each : parameters_) {
        std::string& argument = arguments.emplace_back(each.name);
        if (each.word.empty()) continue;
        const bool own = (typed & bit) != 0;
        bit <<= 1;
        if (!own) continue;
        argument = taken.emplace_back(free_name(each.name + "_words", taken));
        before += fmt::format("    uint32_t {}[{}];\n", argument, each.registers);
        const auto copy = [&](const std::string& to, const std::string& from) {
            return fmt::format("    memcpy({}, {}, sizeof({}));\n", to, from, argument);
        };
        if (each.keeps) before += copy(argument, each.name);
        if (each.out) after += copy(each.name, argument);
    }
    add("{} {{\n{}    {}({});\n{}}}\n", signature(typed), before, input_.name, fmt::join(arguments, ", "),
        after);
}

} // namespace

std::string cuda_function(const FunctionInput& input, std::vector<std::string>& taken) {
    return Function(input, taken).write();
}

std::set<std::string> cuda_includes(const sema::Kernel& kernel) {
    std::set<std::string> list;
    const auto add = [&](base::Dtype dtype) {
        if (!cuda_type(dtype).include.empty()) list.emplace(cuda_type(dtype).include);
    };
    for (const sema::Parameter& each : kernel.parameters) {
        if (const auto* tensor = std::get_if<sema::Tensor>(&each)) add(tensor->dtype);
        if (const auto* scalar = std::get_if<sema::Scalar>(&each)) add(scalar->dtype);
        if (const auto* parameter = std::get_if<sema::FragmentParameter>(&each))
            add(kernel.fragments.at(parameter->fragment).dtype);
    }
    return list;
}

} // namespace tmemc::embed
