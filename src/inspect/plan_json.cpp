// One function per kind of entry; the members stand in the order of the reference.
#include "inspect/plan_json.hpp"

#include "atlas/shapes.hpp"
#include "base/json.hpp"
#include "inspect/cta_warps.hpp"

#include <algorithm>

namespace tmemc::inspect {
namespace {

using base::Json;

/// A kernel with all that is known of it.
struct View {
    const base::Source& source;
    const sema::Kernel& kernel;
    const match::KernelPlan& plan;
    const order::KernelSchedule& schedule;
    const space::KernelSpace& space;
    const lower::KernelTrace& trace;

    [[nodiscard]] std::uint32_t line(std::size_t statement) const {
        return source.position(kernel.statements[statement].span.begin).line;
    }
    [[nodiscard]] int first_column(const sema::Buffer& buffer) const {
        return space.group_columns[buffer.group] + buffer.offset;
    }
};

Json buffer_entry(const View& view, const sema::Buffer& buffer) {
    const sema::BufferImage& image = view.kernel.buffer_images[buffer.image];
    return {{"name", buffer.name},
            {"column", view.first_column(buffer)},
            {"columns", image.cells.words},
            {"datapath", image.datapath ? Json(std::string(1, image.datapath)) : Json(nullptr)},
            {"sub_slab", image.sub_slab}};
}

/// Those that are declared: a call's parameters are regions of them.
Json buffer_entries(const View& view) {
    Json list = Json::array();
    for (const sema::Buffer& each : view.kernel.buffers)
        if (!each.argument) list.push_back(buffer_entry(view, each));
    return list;
}

Json message_entry(const View& view, const sema::Statement& statement, const match::Message& message,
                   int base) {
    return {{"shape", atlas::row(message.shape).name},
            {"num", message.num},
            {"row", message.row},
            {"column", base + message.column},
            {"registers", message.registers},
            {"warps", warps_of_cta(view.kernel, statement, message)},
            {"pack", message.pack},
            {"half_split", message.half_split ? Json(*message.half_split) : Json(nullptr)}};
}

Json copy_entry(const View& view, const match::CopyPlan& plan) {
    const sema::Statement& statement = view.kernel.statements[plan.statement];
    const auto& copy = std::get<sema::TmemCopy>(statement.what);
    const sema::Buffer& buffer = view.kernel.buffers[copy.buffer.object];
    Json issues = Json::array();
    for (const match::Message& message : plan.messages)
        issues.push_back(message_entry(view, statement, message, view.space.group_columns[buffer.group]));
    Json entry{{"line", view.line(plan.statement)},
               {"op", copy.op == sema::TmemCopy::Op::ld ? "ld" : "st"},
               {"tmem", view.kernel.buffers[buffer.argument.value_or(copy.buffer.object)].name},
               {"frag", view.kernel.fragments[copy.fragment.object].name},
               {"issues", std::move(issues)}};
    if (copy.fold)
        entry["reduce"] =
            std::string(copy.fold->greatest ? "max" : "min") + (copy.fold->absolute ? ".abs" : "");
    return entry;
}

Json global_entry(const View& view, const lower::GlobalAccess& access) {
    const auto& copy = std::get<sema::GlobalCopy>(view.kernel.statements[access.statement].what);
    return {{"line", view.line(access.statement)},
            {"op", copy.op == sema::GlobalCopy::Op::load ? "load" : "store"},
            {"tensor", std::get<sema::Tensor>(view.kernel.parameters[copy.tensor.object]).name},
            {"frag", view.kernel.fragments[copy.fragment.object].name},
            {"path", access.staged ? "staged" : "direct"},
            {"width", access.width},
            {"shared_bytes", access.shared_bytes}};
}

Json wait_entry(const View& view, const order::ScheduledWait& wait) {
    // A wait at the end of the kernel stands behind its last statement.
    const std::size_t statement = std::min(wait.before, view.kernel.statements.size() - 1);
    return {{"line", view.line(statement)},
            {"kind", wait.kind == order::WaitKind::ld ? "ld" : "st"},
            {"inserted", wait.inserted}};
}

template <class List, class Entry>
Json entries(const View& view, const List& list, Entry entry) {
    Json out = Json::array();
    for (const auto& each : list) out.push_back(entry(view, each));
    return out;
}

/// In software it says where the cells are.
Json tmem_entry(const View& view) {
    Json entry = {{"columns", view.space.columns}, {"buffers", buffer_entries(view)}};
    const lower::CellImage& cells = view.trace.cells;
    if (cells.bytes != 0)
        entry["software"] = {{"memory", cells.parameter.empty() ? "shared" : "global"},
                             {"bytes", cells.bytes}};
    return entry;
}

Json kernel_entry(const View& view) {
    return {{"name", view.kernel.name},
            {"threads", view.kernel.threads()},
            {"grid", view.kernel.grid},
            {"tmem", tmem_entry(view)},
            {"copies", entries(view, view.plan.copies, copy_entry)},
            {"globals", entries(view, view.trace.globals, global_entry)},
            {"waits", entries(view, view.schedule.waits, wait_entry)}};
}

} // namespace

std::string plan_json(const base::Source& source, const sema::Program& program, const match::Plan& plan,
                      const order::Schedule& schedule, const space::Space& space, const lower::Trace& trace) {
    Json kernels = Json::array(), functions = Json::array();
    for (std::size_t k = 0; k < program.kernels.size(); ++k)
        (program.kernels[k].function ? functions : kernels)
            .push_back(kernel_entry({source, program.kernels[k], plan.kernels[k], schedule.kernels[k],
                                     space.kernels[k], trace.kernels[k]}));
    Json all = {{"schema", 1}, {"target", program.target}, {"kernels", std::move(kernels)}};
    if (!functions.empty()) all["functions"] = std::move(functions);
    return base::to_text(all);
}

} // namespace tmemc::inspect
