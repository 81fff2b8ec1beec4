// The little that a Program computes.
#include "sema/program.hpp"

namespace tmemc::sema {

std::int64_t Tensor::elements() const {
    std::int64_t product = 1;
    for (const std::int64_t extent : extents) product *= extent;
    return product;
}

std::vector<std::int64_t> Fragment::extents() const {
    return one_dimensional ? std::vector<std::int64_t>{rows} : std::vector<std::int64_t>{rows, cols};
}

const FragmentParameter* Kernel::parameter_of_fragment(std::size_t fragment) const {
    for (const Parameter& each : parameters)
        if (const auto* found = std::get_if<FragmentParameter>(&each); found && found->fragment == fragment)
            return found;
    return nullptr;
}

const FragmentParameter* Kernel::first_fragment_parameter() const {
    for (const Parameter& each : parameters)
        if (const auto* found = std::get_if<FragmentParameter>(&each)) return found;
    return nullptr;
}

const TmemParameter* Kernel::parameter_of_buffer(std::size_t buffer) const {
    for (const Parameter& each : parameters)
        if (const auto* found = std::get_if<TmemParameter>(&each);
            found && buffers[found->buffer].group == buffers[buffer].group)
            return found;
    return nullptr;
}

Spot operand_spot(const Step& step, int row, int col) {
    const Region& from = step.fragment;
    if (step.spread == Spread::each) return {from.row + row, from.col + col};
    const int number = step.spread == Spread::rows ? row : col;
    return from.cols == 1 ? Spot{from.row + number, from.col} : Spot{from.row, from.col + number};
}

std::vector<FragmentAccess> fragment_accesses(const Statement& statement) {
    if (const auto* copy = std::get_if<TmemCopy>(&statement.what)) {
        const FragmentAccess moved{&copy->fragment, copy->op == TmemCopy::Op::ld};
        if (copy->fold) return {{&copy->fold->into, true}, moved};
        return {moved};
    }
    if (const auto* copy = std::get_if<GlobalCopy>(&statement.what))
        return {{&copy->fragment, copy->op == GlobalCopy::Op::load}};
    if (const auto* fill = std::get_if<Fill>(&statement.what)) return {{&fill->fragment, true}};
    std::vector<FragmentAccess> accesses;
    if (const auto* compute = std::get_if<Compute>(&statement.what)) {
        for (const Step& step : compute->steps)
            if (step.what == Step::What::fragment) accesses.push_back({&step.fragment, false});
        accesses.push_back({&compute->target, true});
    }
    return accesses;
}

} // namespace tmemc::sema
