// A visit for each kind of parameter.
#include "embed/cuda_parameters.hpp"

#include "embed/names.hpp"

#include <fmt/format.h>

#include <set>

namespace tmemc::embed {
namespace {

using sema::Direction;

/// A thread's register holds something in no thread, in some or in all.
enum class Held : std::uint8_t { nowhere, somewhere, everywhere };

std::vector<Held> held(const layout::SlotMap& map) {
    std::vector<std::set<int>> threads(static_cast<std::size_t>(map.words));
    for (const layout::Slot& slot : map.places) threads[slot.reg].insert(slot.thread);
    std::vector<Held> list;
    list.reserve(threads.size());
    for (const std::set<int>& each : threads)
        list.push_back(each.empty()                         ? Held::nowhere
                       : each.size() == layout::max_threads ? Held::everywhere
                                                            : Held::somewhere);
    return list;
}

/// A scalar's bits as an operand for a register of that width.
AsmOperand scalar_operand(const sema::Scalar& scalar, const std::string& name,
                          const lower::Binding& binding) {
    const CudaType& type = cuda_type(scalar.dtype);
    if (type.bits.empty()) return {"f", name, binding.type, binding.name};
    const std::string bits = fmt::format(fmt::runtime(type.bits), name);
    const bool half = binding.type.find("16") != std::string::npos;
    return {half ? "h" : "r", fmt::format("static_cast<{}>({})", half ? "uint16_t" : "uint32_t", bits),
            binding.type, binding.name};
}

class Maker {
  public:
    Maker(const sema::Kernel& kernel, const lower::KernelTrace& trace, std::vector<std::string> taken)
        : kernel_(kernel), trace_(trace), taken_(std::move(taken)) {}

    std::vector<CudaParameter> all() {
        std::vector<CudaParameter> list;
        for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
            list.push_back(std::visit(
                [&](const auto& each) {
                    CudaParameter made;
                    made.name = fresh(each.name);
                    fill(made, each, i);
                    return made;
                },
                kernel_.parameters[i]));
        if (trace_.shared_bytes > 0) list.push_back(staging());
        return list;
    }

  private:
    std::string fresh(const std::string& name) { return taken_.emplace_back(free_name(name, taken_)); }

    /// An operand for each register that holds the parameter.
    template <class Make>
    void bind(CudaParameter& made, std::size_t parameter, Make make) const {
        for (const lower::Binding& each : trace_.bindings)
            if (each.parameter == parameter) made.operands.push_back(make(each));
    }

    void fill(CudaParameter& made, const sema::Tensor& tensor, std::size_t index) const {
        made.declared = fmt::format("{}{}* {}", tensor.direction == Direction::in ? "const " : "",
                                    cuda_type(tensor.dtype).element, made.name);
        bind(made, index, [&](const lower::Binding& each) {
            return AsmOperand{"l", fmt::format("__cvta_generic_to_global({})", made.name), each.type,
                              each.name};
        });
    }
    void fill(CudaParameter& made, const sema::Scalar& scalar, std::size_t index) const {
        made.declared = fmt::format("{} {}", cuda_type(scalar.dtype).element, made.name);
        bind(made, index,
             [&](const lower::Binding& each) { return scalar_operand(scalar, made.name, each); });
    }
    void fill(CudaParameter& made, const sema::TmemParameter&, std::size_t index) const {
        made.declared = fmt::format("uint32_t {}", made.name);
        bind(made, index, [&](const lower::Binding& each) {
            return AsmOperand{"r", made.name, each.type, each.name};
        });
    }
    void fill(CudaParameter& made, const sema::FragmentParameter& parameter, std::size_t) const {
        const sema::Fragment& fragment = kernel_.fragments.at(parameter.fragment);
        const layout::SlotMap& slots = kernel_.slots(fragment);
        const std::string_view constant = parameter.direction == Direction::in ? "const " : "";
        made.registers = slots.words;
        const bool in = parameter.direction != Direction::out;
        made.out = parameter.direction != Direction::in;
        made.word = cuda_type(fragment.dtype).word;
        made.declared = fmt::format("{}uint32_t (&{})[{}]", constant, made.name, slots.words);
        if (!made.word.empty())
            made.declared_word = fmt::format("{}{} (&{})[{}]", constant, made.word, made.name, slots.words);
        const std::vector<Held> holds = held(slots);
        for (std::size_t reg = 0; reg < holds.size(); ++reg) {
            if (holds[reg] == Held::nowhere) continue;
            const bool keeps = in || holds[reg] == Held::somewhere;
            made.keeps = made.keeps || keeps;
            made.operands.push_back({!made.out ? "r"
                                     : keeps   ? "+r"
                                               : "=r",
                                     fmt::format("{}[{}]", made.name, reg), "b32",
                                     trace_.registers.at(parameter.fragment).at(reg)});
        }
    }
    CudaParameter staging() {
        CudaParameter made;
        made.name = fresh("staging");
        made.declared = fmt::format("void* {}", made.name);
        bind(made, kernel_.parameters.size(), [&](const lower::Binding& each) {
            return AsmOperand{"r",
                              fmt::format("static_cast<uint32_t>(__cvta_generic_to_shared({}))", made.name),
                              each.type, each.name};
        });
        return made;
    }

    const sema::Kernel& kernel_;
    const lower::KernelTrace& trace_;
    std::vector<std::string> taken_;
};

} // namespace

std::vector<CudaParameter> cuda_parameters(const sema::Kernel& kernel, const lower::KernelTrace& trace,
                                           std::vector<std::string> taken) {
    return Maker(kernel, trace, std::move(taken)).all();
}

} // namespace tmemc::embed
