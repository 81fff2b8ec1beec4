// The sentence of the stage: names, leading loads, allocation, statements, deallocation; and the Trace of it.
#include "lower/lower.hpp"

#include "base/invariant.hpp"
#include "lower/arithmetic.hpp"
#include "lower/copies.hpp"
#include "lower/kernel_text.hpp"
#include "lower/parameters.hpp"
#include "lower/register_limit.hpp"
#include "lower/tensor_memory_hardware.hpp"
#include "lower/tensor_memory_software.hpp"
#include "ptx/opcodes.hpp"

#include <algorithm>
#include <memory>

namespace tmemc::lower {
namespace {

/// The last part of a path: the text of a kernel does not depend on where its file lies.
std::string_view file_name(std::string_view path) { return path.substr(path.find_last_of('/') + 1); }

/// ptxas refuses whatever is not ASCII, in comments too.
std::string in_ascii(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if ((c & 0xC0) == 0x80) continue; // a character beyond ASCII becomes one question mark
        out += c == '\t' ? ' ' : c < ' ' || c > '~' ? '?' : c;
    }
    return out;
}

/// The file that .loc speaks of. ptxas would look up a time and size that are not given, and write them into
/// the cubin; with these it has the same bytes wherever and whenever it is made.
ptx::File file_of(const base::Source& source) {
    std::string name = in_ascii(file_name(source.name()));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '"' || c == '\\'; }, '?');
    return {1, std::move(name), 1, 1};
}

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t\r");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

class KernelLowering {
  public:
    /// Names fragments' registers and finds the ways of copies.
    KernelLowering(const sema::Kernel& kernel, const match::KernelPlan& plan,
                   const order::KernelSchedule& schedule, const space::KernelSpace& space,
                   const std::string& target, bool software, const base::Source& source,
                   base::Diagnostics& diagnostics)
        : software_(software), kernel_(kernel), plan_(plan), schedule_(schedule), space_(space),
          source_(source), text_(kernel.warpgroups, target, kernel.function) {
        name_registers();
        copies_ = std::make_unique<Copies>(text_, kernel_, trace_.registers, diagnostics);
    }

    /// Bytes that a warp of a function's callers needs for staged copies; 0 for kernels.
    [[nodiscard]] int staging_of_call() const {
        return kernel_.function ? copies_->staging_bytes() / warps : 0;
    }
    void reserve(int bytes) { copies_->reserve(bytes); }
    ptx::Function function();
    KernelTrace trace() && { return std::move(trace_); }

  private:
    void trace_parameters();
    void name_registers();
    void place_cells();
    [[nodiscard]] std::size_t leading_copies() const;
    void statement(std::size_t index);
    void waits_before(std::size_t index, bool inserted);
    void enter(std::optional<int> warpgroup);
    [[nodiscard]] std::string comment(const sema::Statement& statement) const;
    [[nodiscard]] ptx::Location location(base::Span span) const;

    void lower(const sema::TmemCopy& copy, std::size_t index);
    [[nodiscard]] std::optional<TensorMemory::Fold> fold_of(const sema::TmemCopy& copy,
                                                            std::size_t messages) const;
    void lower(const sema::GlobalCopy&, std::size_t index) { trace_.globals.push_back(copies_->copy(index)); }
    void lower(const sema::Wait&, std::size_t index) { waits_before(index, false); }
    void lower(const sema::Sync&, std::size_t) {
        memory_->sync();
        copies_->synchronized();
    }
    void lower(const sema::Fill& fill, std::size_t) { copies_->fill(fill); }
    void lower(const sema::Compute& compute, std::size_t) { arithmetic_->compute(compute); }

    bool software_; // tensor memory is kept in shared or global memory
    const sema::Kernel& kernel_;
    const match::KernelPlan& plan_;
    const order::KernelSchedule& schedule_;
    const space::KernelSpace& space_;
    const base::Source& source_;
    KernelText text_;
    std::unique_ptr<TensorMemory> memory_;
    std::unique_ptr<Copies> copies_;
    std::unique_ptr<Arithmetic> arithmetic_;
    KernelTrace trace_;
    std::size_t next_plan_ = 0;
    std::optional<int> warpgroup_; // whose branch is open
    std::string branch_end_;
};

ptx::Function KernelLowering::function() {
    arithmetic_ = std::make_unique<Arithmetic>(text_, kernel_, trace_.registers);
    place_cells();
    // Loads that come first go ahead of the allocation, so that they are under way while it is made.
    const std::size_t leading = leading_copies();
    for (std::size_t i = 0; i < leading; ++i) statement(i);
    enter(std::nullopt);
    text_.body.emplace_back(location(kernel_.span));
    if (memory_->allocate()) copies_->synchronized();
    for (std::size_t i = leading; i < kernel_.statements.size(); ++i) statement(i);
    waits_before(kernel_.statements.size(), true);
    enter(std::nullopt);
    text_.body.emplace_back(location(kernel_.span));
    memory_->release();
    text_.body.emplace_back(instruction("ret", {}));

    ptx::Function function;
    function.name = kernel_.name;
    function.parameters = parameters(kernel_, kernel_.function && copies_->staging_bytes() != 0);
    if (!trace_.cells.parameter.empty())
        function.parameters.push_back({"u64", trace_.cells.parameter, 0, std::nullopt});
    if (kernel_.function) {
        function.entry = false;
        // With fragments its text is there to be put into other people's, and nothing else may call it.
        const bool in_text_only = kernel_.first_fragment_parameter() != nullptr;
        function.linkage = in_text_only ? ptx::Linkage::none : ptx::Linkage::visible;
    } else {
        function.required_threads = {static_cast<std::uint32_t>(kernel_.threads()), 1, 1};
        if (!software_)
            function.max_registers = register_limit(kernel_, plan_, text_.body, trace_.statements);
    }
    function.body = text_.finish(location(kernel_.span));
    if (kernel_.function) trace_parameters();
    for (Extent& extent : trace_.statements) {
        extent.first += text_.body_begin();
        extent.last += text_.body_begin();
    }
    return function;
}

void KernelLowering::place_cells() {
    if (!software_) {
        memory_ = kernel_.function ? given_tensor_memory(text_, kernel_)
                                   : hardware_tensor_memory(text_, space_.columns);
        return;
    }
    trace_.cells = cell_image(text_, space_.needed, copies_->staging_bytes() * kernel_.warpgroups);
    copies_->share_with(static_cast<int>(trace_.cells.bytes - trace_.cells.scratch_bytes()));
    memory_ = software_tensor_memory(text_, kernel_, copies_->numbers(), trace_.cells);
}

void KernelLowering::trace_parameters() {
    for (const auto& [parameter, held] : text_.parameters())
        trace_.bindings.push_back({parameter, held.reg.name, held.type});
    trace_.prologue = {text_.prologue().first, text_.prologue().second};
    trace_.shared_bytes = copies_->staging_bytes();
}

void KernelLowering::name_registers() {
    for (const sema::Fragment& fragment : kernel_.fragments) {
        const int count = kernel_.slots(fragment).words;
        const std::string prefix =
            text_.declare_range("b32", fragment.name, static_cast<std::uint32_t>(count));
        std::vector<std::string>& names = trace_.registers.emplace_back();
        for (int i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
    }
}

/// How many statements from the first on need no tensor memory and no barrier.
std::size_t KernelLowering::leading_copies() const {
    const auto needs_more = [](const sema::Statement& each) {
        const auto* copy = std::get_if<sema::GlobalCopy>(&each.what);
        return !(copy && copy->op == sema::GlobalCopy::Op::load) &&
               !std::holds_alternative<sema::Fill>(each.what);
    };
    return static_cast<std::size_t>(
        std::find_if(kernel_.statements.begin(), kernel_.statements.end(), needs_more) -
        kernel_.statements.begin());
}

void KernelLowering::statement(std::size_t index) {
    const sema::Statement& statement = kernel_.statements[index];
    waits_before(index, true);
    enter(statement.warpgroup);
    Extent extent{text_.body.size(), 0};
    text_.comment(comment(statement));
    text_.body.emplace_back(location(statement.span));
    std::visit([&](const auto& what) { lower(what, index); }, statement.what);
    extent.last = text_.body.size();
    trace_.statements.push_back(extent);
    text_.body.emplace_back(ptx::BlankLine{});
}

/// The waits that stand before statement `index`: those the program wrote there, or those the compiler put
/// there.
void KernelLowering::waits_before(std::size_t index, bool inserted) {
    const auto earlier = [](const order::ScheduledWait& a, const order::ScheduledWait& b) {
        return a.before < b.before;
    };
    const auto [first, last] =
        std::equal_range(schedule_.waits.begin(), schedule_.waits.end(),
                         order::ScheduledWait{index, order::WaitKind::ld, false}, earlier);
    for (auto wait = first; wait != last; ++wait) {
        if (wait->inserted != inserted) continue;
        if (inserted) {
            enter(wait->warpgroup);
            text_.comment(wait->kind == order::WaitKind::ld ? "wait ld; (inserted)" : "wait st; (inserted)");
            const bool at_end = index == kernel_.statements.size();
            text_.body.emplace_back(location(at_end ? kernel_.span : kernel_.statements[index].span));
        }
        memory_->wait(wait->kind);
        if (inserted) text_.body.emplace_back(ptx::BlankLine{});
    }
}

/// From here on statements are those of one warpgroup, or of all: closes the branch that is open and opens
/// another.
void KernelLowering::enter(std::optional<int> warpgroup) {
    if (warpgroup == warpgroup_) return;
    if (!branch_end_.empty()) text_.body.emplace_back(ptx::Label{std::exchange(branch_end_, {})});
    warpgroup_ = warpgroup;
    if (!warpgroup) return;
    std::optional<ptx::Guard> inside = text_.predicate(*warpgroup);
    if (!inside) return;
    branch_end_ = text_.names.symbol("other_warpgroups");
    inside->negated = !inside->negated;
    text_.body.emplace_back(instruction("bra", {ptx::Symbol{branch_end_}}, inside));
}

/// "roundtrip.tmx:10: copy_async T <- X;"
std::string KernelLowering::comment(const sema::Statement& statement) const {
    const std::uint32_t line = source_.position(statement.span.begin).line;
    std::string text = std::string(file_name(source_.name())) + ":" + std::to_string(line) + ": ";
    std::string_view written = source_.line(line);
    // What the program's comments say of instructions does not hold in software.
    if (software_) written = written.substr(0, std::min(written.find("//"), written.find("/*")));
    text += trimmed(written);
    if (!statement.iteration.empty()) text += " [" + statement.iteration + "]";
    for (const base::Span call : statement.calls)
        text += " (called in line " + std::to_string(source_.position(call.begin).line) + ")";
    return in_ascii(text);
}

/// For line information. What no statement asks for (pointers, the allocation) is of the line of the kernel.
ptx::Location KernelLowering::location(base::Span span) const {
    const base::Position position = source_.position(span.begin);
    return {1, position.line, position.column};
}

void KernelLowering::lower(const sema::TmemCopy& copy, std::size_t index) {
    const match::CopyPlan& planned = plan_.copies.at(next_plan_++);
    base::invariant(planned.statement == index, "the plan's copies are those of the program, in its order");
    const sema::Buffer& buffer = kernel_.buffers.at(copy.buffer.object);
    memory_->copy(copy.op, planned.messages, {buffer.group, space_.group_columns.at(buffer.group)},
                  trace_.registers.at(copy.fragment.object), fold_of(copy, planned.messages.size()));
}

std::optional<TensorMemory::Fold> KernelLowering::fold_of(const sema::TmemCopy& copy,
                                                          std::size_t messages) const {
    if (!copy.fold) return std::nullopt;
    const sema::Region& into = copy.fold->into;
    const sema::Fragment& fragment = kernel_.fragments.at(into.object);
    TensorMemory::Fold fold{copy.fold->greatest ? "max." : "min.", {}};
    if (copy.fold->absolute) fold.name += "abs.";
    fold.name += base::row(fragment.dtype).name;
    for (std::size_t m = 0; m < messages; ++m) { // the other half of a message is in the same register
        const int reg = kernel_.slots(fragment).at(into.row, into.col + static_cast<int>(m)).reg;
        fold.registers.push_back(trace_.registers.at(into.object).at(static_cast<std::size_t>(reg)));
    }
    return fold;
}

/// Functions may be called with one room, one after the other and with no barrier between, so the parts of
/// the warps must be the same for all that stage.
void share_staging(std::vector<std::unique_ptr<KernelLowering>>& kernels) {
    int most = 0;
    for (const auto& each : kernels) most = std::max(most, each->staging_of_call());
    for (const auto& each : kernels)
        if (each->staging_of_call() != 0) each->reserve(most);
}

} // namespace

LowerResult lower(const sema::Program& program, const match::Plan& plan, const order::Schedule& schedule,
                  const space::Space& space, const base::Source& source, bool software) {
    LowerResult result;
    result.trace.software = software;
    result.module.target = program.target;
    result.module.files.push_back(file_of(source));
    std::vector<std::unique_ptr<KernelLowering>> all;
    for (std::size_t k = 0; k < program.kernels.size(); ++k) {
        check_names(program.kernels[k], result.diagnostics);
        all.push_back(std::make_unique<KernelLowering>(program.kernels[k], plan.kernels.at(k),
                                                       schedule.kernels.at(k), space.kernels.at(k),
                                                       program.target, software, source, result.diagnostics));
    }
    share_staging(all);
    for (std::unique_ptr<KernelLowering>& each : all) {
        result.module.functions.push_back(each->function());
        result.trace.kernels.push_back(std::move(*each).trace());
        result.trace.kernels.back().function = result.trace.kernels.size() - 1;
        each.reset();
    }
    result.module.version = ptx::required_version(result.module);
    return result;
}

} // namespace tmemc::lower
