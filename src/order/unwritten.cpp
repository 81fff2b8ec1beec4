// Forwards: what has been written so far.
#include "order/conflicts.hpp"
#include "order/phrases.hpp"
#include "order/places.hpp"
#include "order/usage.hpp"

#include <fmt/format.h>

namespace tmemc::order {

namespace {

namespace catalogue = base::catalogue;

class Unwritten {
  public:
    Unwritten(const sema::Kernel& kernel, sema::Reports& reports)
        : kernel_(kernel), reports_(reports), footprints_(kernel), written_(kernel) {}

    void walk() {
        for (const sema::Parameter& each : kernel_.parameters)
            std::visit([this](const auto& parameter) { bring(parameter); }, each);
        for (const sema::Statement& statement : kernel_.statements) {
            reports_.set_place(statement.iteration, statement.calls);
            for (const int group : warpgroups_of(kernel_, statement))
                std::visit([&](const auto& what) { visit(what, statement, group); }, statement.what);
        }
        for (const sema::Parameter& each : kernel_.parameters) {
            if (const auto* result = std::get_if<sema::FragmentParameter>(&each)) return_result(*result);
            if (const auto* result = std::get_if<sema::TmemParameter>(&each)) return_result(*result);
        }
    }

  private:
    // ---- what a function is given, and gives back

    void bring(const sema::Tensor&) {}
    void bring(const sema::Scalar&) {}
    void bring(const sema::TmemParameter& parameter) {
        if (parameter.direction == sema::Direction::out) return;
        sema::Region buffer;
        buffer.object = parameter.buffer;
        PlaceSet& cells = written_.cells(buffer);
        for (const Run& run : footprints_.cells_of(parameter.buffer)) cells.add(run);
    }
    void bring(const sema::FragmentParameter& parameter) {
        if (parameter.direction != sema::Direction::out) write(whole_of(kernel_, parameter.fragment), 0);
    }
    void return_result(const sema::FragmentParameter& parameter) {
        const sema::Region all = whole_of(kernel_, parameter.fragment);
        for (const Run& run : elements(all))
            if (const auto missing = written_.fragment(all, 0).first_missing(run)) {
                reports_.set_iteration({});
                reports_
                    .report(catalogue::unwritten_result, parameter.span, parameter.name, run.line, *missing)
                    .note("the caller finds whatever the registers held")
                    .help(fmt::format("write all of it, or declare it `inout frag {}`", parameter.name));
                return;
            }
    }

    void return_result(const sema::TmemParameter& parameter) {
        if (parameter.direction != sema::Direction::out) return;
        const sema::Buffer& buffer = kernel_.buffers[parameter.buffer];
        const layout::CellMap& cells = kernel_.cells(buffer);
        sema::Region whole;
        whole.object = parameter.buffer;
        for (int row = 0; row < cells.rows; ++row)
            for (int col = 0; col < cells.cols; ++col) {
                const layout::Cell& cell = cells.at(row, col);
                if (!written_.cells(whole).first_missing({cell.lane / slab_lanes, buffer.offset + cell.column,
                                                          buffer.offset + cell.column + 1}))
                    continue;
                reports_.set_iteration({});
                reports_.report(catalogue::unwritten_result, parameter.span, parameter.name, row, col)
                    .note("the caller finds whatever tensor memory held")
                    .help(fmt::format("store to all of it, or declare it `inout tmem {}`", parameter.name));
                return;
            }
    }

    // ---- statements

    void visit(const sema::TmemCopy& copy, const sema::Statement& statement, int group) {
        if (copy.op == sema::TmemCopy::Op::st) {
            read(copy.fragment, statement, group);
            for (const Run& run : footprints_.cells(copy)) written_.cells(copy.buffer).add(run);
        } else {
            read_cells(copy, statement);
            write(copy.fragment, group);
        }
    }
    void visit(const sema::GlobalCopy& copy, const sema::Statement& statement, int group) {
        copy.op == sema::GlobalCopy::Op::load ? write(copy.fragment, group)
                                              : read(copy.fragment, statement, group);
    }
    void visit(const sema::Fill& fill, const sema::Statement&, int group) { write(fill.fragment, group); }
    void visit(const sema::Compute& compute, const sema::Statement& statement, int group) {
        for (const sema::Step& step : compute.steps)
            if (step.what == sema::Step::What::fragment) read(step.fragment, statement, group);
        write(compute.target, group);
    }
    void visit(const sema::Wait&, const sema::Statement&, int) {}
    void visit(const sema::Sync&, const sema::Statement&, int) {}

    void write(const sema::Region& region, int group) {
        for (const Run& run : elements(region)) written_.fragment(region, group).add(run);
    }
    /// What was reported once counts as written, so that its next reader is not blamed too.
    void read(const sema::Region& region, const sema::Statement& statement, int group) {
        for (const Run& run : elements(region)) {
            const auto missing = written_.fragment(region, group).first_missing(run);
            if (!missing) continue;
            report(region, run.line, *missing, statement, group);
            return write(region, group);
        }
    }
    void read_cells(const sema::TmemCopy& copy, const sema::Statement& statement) {
        const sema::Region& region = copy.buffer;
        const Footprint wanted = footprints_.cells(copy);
        PlaceSet& written = written_.cells(region);
        Footprint missing;
        for (const Run& run : wanted)
            for (int at = run.first; at < run.last; ++at) {
                const auto next = written.first_missing({run.line, at, run.last});
                if (!next) break;
                missing.push_back({run.line, *next, *next + 1});
                at = *next;
            }
        if (missing.empty()) return;
        const sema::Buffer& buffer = kernel_.buffers[region.object];
        reports_.report(catalogue::unwritten_cells, statement.span, cells_phrase(kernel_, region, missing))
            .label(buffer.span, fmt::format("`{}` is declared here", buffer.name))
            .help("store to it first: copy_async " + buffer.name + " <- FRAGMENT; wait st;");
        for (const Run& run : wanted) written.add(run);
    }

    void report(const sema::Region& region, int row, int col, const sema::Statement& statement, int group) {
        const sema::Fragment& fragment = kernel_.fragments[region.object];
        base::Diagnostic& error =
            reports_.report(catalogue::unwritten_fragment, statement.span, fragment.name, row, col);
        error.label(fragment.span, fmt::format("`{}` is declared here", fragment.name));
        if (kernel_.warpgroups > 1)
            error.note(fmt::format("each warpgroup has a `{}` of its own; this is warpgroup {}'s",
                                   fragment.name, group));
        error.help("copy to it or fill it first: " + fragment.name + " = 0;");
    }

    const sema::Kernel& kernel_;
    sema::Reports& reports_;
    Footprints footprints_;
    Places written_;
};

} // namespace

void report_unwritten(const sema::Kernel& kernel, sema::Reports& reports) {
    Unwritten(kernel, reports).walk();
}

} // namespace tmemc::order
