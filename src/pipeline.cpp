// The data flow, step by step. A step that finds errors does not stop the steps that can go on without its
// result, so one run reports every independent mistake; nothing is lowered while there is any.
#include "pipeline.hpp"

#include "base/render.hpp"
#include "lower/fused_loads.hpp"
#include "match/pressure.hpp"
#include "sema/whole.hpp"
#include "toolchain/report.hpp"
#include "trial/check.hpp"

#include <algorithm>

namespace tmemc {

Compilation parse(const base::Source& source) {
    grammar::ParseResult parsed = grammar::parse(source);
    Compilation made;
    made.tree = std::move(parsed.module);
    made.lost_names = std::move(parsed.lost_names);
    made.diagnostics = std::move(parsed.diagnostics);
    return made;
}

namespace {

/// What staged copies hold on the way, by statement.
std::vector<match::OwnRegisters> own_registers(const lower::Trace& trace) {
    std::vector<match::OwnRegisters> all;
    for (const lower::KernelTrace& kernel : trace.kernels)
        for (const lower::GlobalAccess& access : (all.emplace_back(), kernel.globals))
            if (access.staged) all.back()[access.statement] = access.on_the_way;
    return all;
}

/// Where there are errors, those of order and space in the kernels that have none so far.
base::Diagnostics errors_of_the_rest(const Compilation& made, const base::Source& source,
                                     const CompileOptions& options) {
    base::WarningOptions no_warnings;
    no_warnings.silence_all = true;
    const auto whole = [&](const sema::Program& program, const base::Diagnostics& found) {
        return sema::whole_part(program, made.tree, found, source, made.lost_names);
    };
    const sema::Program ordered = whole(made.program, made.diagnostics);
    base::Diagnostics errors = base::filter(order::order(ordered, options.order).diagnostics, no_warnings);
    const sema::Program placed = whole(ordered, errors);
    errors.append(base::filter(
        space::place(placed, order::order(placed, options.order).schedule, source).diagnostics, no_warnings));
    return errors;
}

} // namespace

Compilation compile(const base::Source& source, const CompileOptions& options) {
    // Read the text: a tree that mirrors the grammar.
    Compilation made = parse(source);
    if (!made.ok() && made.tree.items.empty()) return made;

    // Check it: names, types, layouts; loops unrolled, so that what follows is a flat list of statements.
    sema::Options checking = options.check;
    checking.lost_names = made.lost_names;
    sema::CheckResult checked = sema::check(made.tree, checking);
    made.program = std::move(checked.program);
    made.diagnostics.append(std::move(checked.diagnostics));

    // Check the `test` blocks, unless a kernel is wanted alone: what is wrong with them before they run.
    if (checking.only.empty())
        made.diagnostics.append(trial::check(made.program, made.tree, made.diagnostics, made.lost_names));

    // Match every tensor-memory copy with the messages that do it, or say why none can.
    match::MatchResult matched = match::match(made.program, options.match);
    made.plan = std::move(matched.plan);
    made.diagnostics.append(std::move(matched.diagnostics));
    if (!made.ok()) {
        made.diagnostics.append(errors_of_the_rest(made, source, options));
        return made;
    }

    // Order them: what must not overlap, and where waits stand.
    order::OrderResult ordered = order::order(made.program, options.order);
    made.schedule = std::move(ordered.schedule);
    made.diagnostics.append(std::move(ordered.diagnostics));
    if (!made.ok()) { // without its waits a buffer would seem to live for ever
        made.diagnostics.append(errors_of_the_rest(made, source, options));
        return made;
    }

    // Find every buffer its columns.
    space::PlaceResult placed = space::place(made.program, made.schedule, source);
    made.space = std::move(placed.space);
    made.diagnostics.append(std::move(placed.diagnostics));
    if (!made.ok()) return made;

    // Let loads find the maxima and minima of their rows, where the target has that.
    const bool software = checked.software_tmem;
    made.fused = software ? made.program : lower::fuse_loads(made.program, made.plan, made.schedule);

    // Write it all down as PTX, and keep which line came from which statement.
    lower::LowerResult lowered =
        lower::lower(made.fused, made.plan, made.schedule, made.space, source, software);
    made.module = std::move(lowered.module);
    made.trace = std::move(lowered.trace);
    made.diagnostics.append(std::move(lowered.diagnostics));

    // Do the fragments that live together fit a thread's registers, and what copies keep beside them?
    made.diagnostics.append(match::check_pressure(made.program, source, own_registers(made.trace)));
    if (made.ok()) made.ptx = ptx::write(made.module, options.text);
    return made;
}

// A step of its own, so that ptxas can work meanwhile: read the text back, and see that it does what the
// program's layouts say.
verify::VerifyResult verify_text(const Compilation& compilation) {
    if (!compilation.ok() || compilation.ptx.text.empty()) return {};
    return verify::verify({compilation.program, compilation.fused, compilation.schedule, compilation.space,
                           compilation.trace, compilation.ptx});
}

base::Diagnostics fragments_in_ptx(const Compilation& compilation, bool assembled) {
    base::Diagnostics found;
    bool others = false;
    for (const sema::Kernel& kernel : compilation.program.kernels) {
        const sema::FragmentParameter* fragment = kernel.first_fragment_parameter();
        others = others || fragment == nullptr;
        if (fragment == nullptr) continue;
        found.report(base::catalogue::fragment_in_ptx, fragment->span, fragment->name, kernel.name)
            .label(kernel.span, "the function")
            .help("a CUDA C++ header takes fragments as arrays of registers: --emit=cuda");
    }
    return assembled && others ? base::Diagnostics{} : found;
}

toolchain::PtxasOptions ptxas_options(const Compilation& compilation, const std::string& path,
                                      const std::vector<std::string>& flags) {
    const sema::Kernel* const first = first_kernel(compilation.program);
    const bool functions_only = first == nullptr || first->function;
    toolchain::PtxasOptions made{path, compilation.program.target, flags, functions_only};
    // Of two kernels, a fifth of the time is saved, of 32 a third, and the code is the same. 0: as many
    // threads as there are.
    if (compilation.program.kernels.size() > 1) made.flags.emplace_back("--split-compile=0");
    return made;
}

const sema::Kernel* first_kernel(const sema::Program& program) {
    for (const sema::Kernel& each : program.kernels)
        if (!each.function) return &each;
    return program.kernels.empty() ? nullptr : &program.kernels.front();
}

Assembly assemble(const Compilation& compilation, const toolchain::PtxasOptions& options) {
    Assembly made;
    made.assembled = toolchain::assemble(compilation.ptx.text, options);
    made.diagnostics = toolchain::report(
        made.assembled, [&](std::uint32_t line) { return span_of_ptx_line(compilation, line); });
    return made;
}

base::Span span_of_ptx_line(const Compilation& compilation, std::uint32_t line) {
    for (std::size_t k = 0; k < compilation.trace.kernels.size(); ++k) {
        const lower::KernelTrace& trace = compilation.trace.kernels[k];
        const std::vector<std::uint32_t>& lines = compilation.ptx.lines[trace.function];
        if (lines.empty() || line < lines.front() || line > lines.back()) continue;
        const sema::Kernel& kernel = compilation.program.kernels[k];
        // The last body statement that starts at or before the line.
        auto after = std::upper_bound(lines.begin(), lines.end(), line);
        auto position = static_cast<std::size_t>(after - lines.begin()) - 1;
        for (std::size_t s = 0; s < trace.statements.size(); ++s)
            if (trace.statements[s].first <= position && position < trace.statements[s].last)
                return kernel.statements[s].span;
        return kernel.span;
    }
    return base::no_place;
}

} // namespace tmemc
