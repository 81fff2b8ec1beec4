// Every index of the function's becomes one of the caller's.
#include "sema/calls.hpp"

#include "sema/arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

namespace {

/// Indices in the caller of the images in `of`, whose keys are `theirs`; those that are new are moved there.
template <class Image>
std::vector<std::size_t>
bring(const std::vector<std::pair<ImageKey, std::size_t>>& theirs, const std::vector<Image>& of,
      std::vector<std::pair<ImageKey, std::size_t>>& known, std::vector<Image>& into) {
    std::vector<std::size_t> at(of.size(), of.size());
    for (const auto& [key, index] : theirs) {
        auto found = made(known, key);
        if (!found) {
            into.push_back(of[index]);
            known.emplace_back(key, into.size() - 1);
            found = into.size() - 1;
        }
        at[index] = *found;
    }
    return at;
}

class Expansion {
  public:
    Expansion(Draft& draft, const ast::Call& call, const Function& function, std::vector<Argument> arguments)
        : draft_(draft), call_(call), function_(function), callee_(function.kernel),
          arguments_(std::move(arguments)) {}

    void expand() {
        if (!masks_fit()) return;
        Brought& brought = draft_.brought[&function_];
        if (!std::exchange(brought.images, true)) bring_images(brought);
        images_ = &brought;
        place_objects();
        for (const Statement& each : callee_.statements) append(each);
    }

  private:
    /// A copy that is masked at an edge of its tensor must find the same edge in the caller.
    bool masks_fit() {
        bool fit = true;
        for (const Statement& each : callee_.statements) {
            const auto* copy = std::get_if<GlobalCopy>(&each.what);
            if (!copy) continue;
            const Argument& argument = arguments_[copy->tensor.object];
            const bool rows = argument.upright ? copy->cols_leave : copy->rows_leave;
            const bool cols = argument.upright ? copy->rows_leave : copy->cols_leave;
            if ((!rows || argument.all_rows) && (!cols || argument.all_cols)) continue;
            const auto& parameter = std::get<Tensor>(callee_.parameters[copy->tensor.object]);
            const auto& tensor = std::get<Tensor>(draft_.kernel.parameters[argument.region.object]);
            draft_.env.reports
                .report(catalogue::masked_part, argument.region.span, callee_.name, parameter.name,
                        tensor.name)
                .label(each.span, "this copy is masked")
                .help("pass the whole tensor, and let the copies be written in the kernel");
            fit = false;
        }
        return fit;
    }

    void bring_images(Brought& brought) {
        Kernel& kernel = draft_.kernel;
        brought.fragments = bring(function_.images.fragments, callee_.fragment_images,
                                  draft_.images.fragments, kernel.fragment_images);
        brought.buffers = bring(function_.images.buffers, callee_.buffer_images, draft_.images.buffers,
                                kernel.buffer_images);
    }

    /// Where parameters' fragments lie, and new objects for what statements use of the rest.
    void place_objects() {
        fragments_.resize(callee_.fragments.size());
        buffers_.resize(callee_.buffers.size());
        for (std::size_t p = 0; p < callee_.parameters.size(); ++p)
            if (const auto* frag = std::get_if<FragmentParameter>(&callee_.parameters[p]))
                fragments_[frag->fragment] = arguments_[p].region;
        for (const Statement& each : callee_.statements) {
            for (const FragmentAccess& access : fragment_accesses(each)) own_fragment(access.region->object);
            if (const auto* compute = std::get_if<Compute>(&each.what); compute && compute->reduction)
                own_fragment(compute->reduction->over.object);
            if (const auto* copy = std::get_if<TmemCopy>(&each.what)) own_buffer(copy->buffer.object);
        }
    }
    void own_fragment(std::size_t index) {
        if (fragments_[index]) return;
        Fragment fragment = callee_.fragments[index];
        fragment.image = images_->fragments[fragment.image];
        fragments_[index] = Region{draft_.kernel.fragments.size(), 0, 0, 0, 0, {}, {}, {}};
        draft_.kernel.fragments.push_back(std::move(fragment));
    }
    void own_buffer(std::size_t index) {
        if (buffers_[index]) return;
        Buffer buffer = callee_.buffers[index];
        const TmemParameter* parameter = callee_.parameter_of_buffer(index);
        std::size_t p = 0;
        while (std::get_if<TmemParameter>(&callee_.parameters[p]) != parameter) ++p;
        const Buffer& outer = draft_.kernel.buffers[arguments_[p].region.object];
        buffer.image = images_->buffers[buffer.image];
        buffer.group = outer.group;
        buffer.argument = outer.argument.value_or(arguments_[p].region.object);
        buffer.offset += outer.offset + arguments_[p].shift;
        buffers_[index] = draft_.kernel.buffers.size();
        draft_.kernel.buffers.push_back(std::move(buffer));
    }

    // ---- statements

    void append(const Statement& statement) {
        Statement made = statement;
        std::visit([this](auto& what) { rebase(what); }, made.what);
        made.warpgroup = draft_.warpgroup;
        const std::string& around = draft_.env.reports.iteration();
        if (!around.empty()) made.iteration = around + (made.iteration.empty() ? "" : ", ") + made.iteration;
        made.calls.push_back(call_.place);
        draft_.kernel.statements.push_back(std::move(made));
    }

    void rebase(TmemCopy& copy) {
        copy.buffer.object = *buffers_[copy.buffer.object];
        fragment(copy.fragment);
    }
    void rebase(GlobalCopy& copy) {
        fragment(copy.fragment);
        const Argument& argument = arguments_[copy.tensor.object];
        Region made = argument.region;
        const Region& inside = copy.tensor;
        made.row += argument.upright ? inside.col : inside.row;
        made.col += argument.upright ? inside.row : inside.col;
        made.rows = argument.upright ? inside.cols : inside.rows;
        made.cols = argument.upright ? inside.rows : inside.cols;
        made.span = inside.span;
        copy.tensor = made;
        if (argument.upright) std::swap(copy.rows_leave, copy.cols_leave);
    }
    void rebase(Wait&) {}
    void rebase(Sync&) {}
    void rebase(Fill& fill) { fragment(fill.fragment); }
    void rebase(Compute& compute) {
        fragment(compute.target);
        if (compute.reduction) fragment(compute.reduction->over);
        for (Step& step : compute.steps) {
            if (step.what == Step::What::fragment) fragment(step.fragment);
            if (step.what == Step::What::scalar) step = arguments_[step.parameter].scalar;
        }
    }
    void fragment(Region& region) {
        const Region& at = *fragments_[region.object];
        region.object = at.object;
        region.row += at.row;
        region.col += at.col;
    }

    Draft& draft_;
    const ast::Call& call_;
    const Function& function_;
    const Kernel& callee_;
    std::vector<Argument> arguments_;
    const Brought* images_ = nullptr;
    std::vector<std::optional<Region>> fragments_;    // the caller's, where the function's begins
    std::vector<std::optional<std::size_t>> buffers_; // the caller's
};

} // namespace

void report_depth(Environment& env, const ast::Call& call) {
    env.reports.report(catalogue::calls_too_deep, call.place, call.function.text, most_calls)
        .note("calls are expanded in place, and each statement keeps those it came through")
        .help("let functions call fewer others, or repeat statements with `for`");
}

void expand(Draft& draft, const ast::Call& call, const Function& function) {
    std::size_t deepest = 0; // calls inside each other in the function
    for (const Statement& each : function.kernel.statements) deepest = std::max(deepest, each.calls.size());
    if (deepest >= most_calls) return report_depth(draft.env, call);
    auto arguments = arguments_of(draft, call, function);
    if (arguments) Expansion(draft, call, function, std::move(*arguments)).expand();
}

} // namespace tmemc::sema
