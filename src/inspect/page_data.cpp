// A function for each kind of entry, as in plan_json.cpp; members that say nothing are left out.
#include "inspect/page_data.hpp"

#include "atlas/shapes.hpp"
#include "base/json.hpp"
#include "inspect/layout_model.hpp"
#include "match/copy_of.hpp"
#include "match/plan_copy.hpp"
#include "order/waits.hpp"
#include "space/lifetimes.hpp"

#include <filesystem>
#include <map>

namespace tmemc::inspect {
namespace {

using base::Json;

Json digits(const std::vector<layout::Digit>& list) {
    Json out = Json::array();
    for (const layout::Digit& each : list)
        out.push_back({each.extent, each.stride, static_cast<int>(each.axis)});
    return out;
}

Json image(const std::string& name, int words, int copies, const layout::Layout& map) {
    Json out = {{"name", name}, {"words", words}, {"digits", digits(map.shard)}};
    if (copies > 1) out["replica"] = digits(map.replica);
    if (map.offset != layout::Coordinate{}) out["offset"] = map.offset.value;
    return out;
}

Json region(const sema::Region& r) { return {r.object, r.row, r.col, r.rows, r.cols}; }

/// Ascending numbers as runs: first, count, first, count, ...
Json runs(const std::vector<int>& numbers) {
    Json out = Json::array();
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        out.push_back(numbers[i]);
        out.push_back(end - i);
        i = end;
    }
    return out;
}

/// Columns count from the buffer's first, so that the turns of a loop share their list.
Json message(const match::Message& each, int buffer_offset) {
    Json out = {{"shape", atlas::row(each.shape).name},
                {"num", each.num},
                {"row", each.row},
                {"column", each.column - buffer_offset},
                {"registers", runs(each.registers)},
                {"warps", each.warps}};
    if (each.pack) out["pack"] = true;
    if (each.half_split) out["half_split"] = *each.half_split;
    return out;
}

class KernelData {
  public:
    KernelData(const PageInput& input, const sema::Kernel& kernel, const match::KernelPlan& plan,
               const order::KernelSchedule& schedule, const space::KernelSpace& space)
        : input_(input), kernel_(kernel), schedule_(schedule), space_(space) {
        for (const match::CopyPlan& copy : plan.copies) plans_[copy.statement] = &copy.messages;
    }

    Json entry() {
        Json steps = Json::array();
        for (std::size_t i = 0; i < kernel_.statements.size(); ++i) steps.push_back(step(i));
        return {{"name", kernel_.name},
                {"function", kernel_.function},
                {"warpgroups", kernel_.warpgroups},
                {"grid", kernel_.grid},
                {"line", line(kernel_.span)},
                {"allocated", space_.columns},
                {"needed", space_.needed},
                {"slots", slot_images()},
                {"cells", cell_images()},
                {"frags", fragments()},
                {"tmems", buffers()},
                {"groups", groups()},
                {"tensors", tensors()},
                {"sites", std::move(sites_)},
                {"steps", std::move(steps)},
                {"inserted", inserted_waits()},
                {"moves", std::move(moves_)}};
    }

  private:
    [[nodiscard]] std::uint32_t line(base::Span span) const {
        return input_.source.position(span.begin).line;
    }

    [[nodiscard]] Json slot_images() const {
        Json out = Json::array();
        for (const sema::FragmentImage& each : kernel_.fragment_images)
            out.push_back(image(each.name, each.slots.words, each.slots.copies, each.layout));
        return out;
    }
    [[nodiscard]] Json cell_images() const {
        Json out = Json::array();
        for (const sema::BufferImage& each : kernel_.buffer_images)
            out.push_back(image(words_of(each), each.cells.words, each.cells.copies, each.layout));
        return out;
    }
    template <class Object>
    [[nodiscard]] Json object(const Object& each) const {
        return {{"name", each.name},
                {"dtype", base::name(each.dtype)},
                {"bits", base::bits(each.dtype)},
                {"rows", each.rows},
                {"cols", each.cols},
                {"image", each.image},
                {"line", line(each.span)}};
    }
    [[nodiscard]] Json fragments() const {
        Json out = Json::array();
        for (const sema::Fragment& each : kernel_.fragments) {
            out.push_back(object(each));
            if (each.one_dimensional) out.back()["vector"] = true;
            if (each.hidden) out.back()["hidden"] = true;
        }
        return out;
    }
    [[nodiscard]] Json buffers() const {
        Json out = Json::array();
        for (const sema::Buffer& each : kernel_.buffers) {
            Json entry = object(each);
            entry["group"] = each.group;
            entry["column"] = space_.group_columns[each.group] + each.offset;
            if (each.argument) entry["argument"] = *each.argument;
            out.push_back(std::move(entry));
        }
        return out;
    }
    /// With the steps between which each is in use.
    [[nodiscard]] Json groups() const {
        const auto lives = space::lifetimes(kernel_, order::Timeline(kernel_, schedule_));
        Json out = Json::array();
        for (std::size_t g = 0; g < kernel_.groups.size(); ++g) {
            Json entry = {{"column", space_.group_columns[g]},
                          {"columns", kernel_.groups[g].columns},
                          {"owner", kernel_.groups[g].owner}};
            if (lives[g].used) entry["life"] = {lives[g].first, lives[g].last};
            out.push_back(std::move(entry));
        }
        return out;
    }
    [[nodiscard]] Json tensors() const {
        Json out = Json::object();
        for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
            if (const auto* tensor = std::get_if<sema::Tensor>(&kernel_.parameters[i]))
                out[std::to_string(i)] = {{"name", tensor->name}, {"extents", tensor->extents}};
        return out;
    }
    [[nodiscard]] Json inserted_waits() const {
        Json out = Json::array();
        for (const order::ScheduledWait& wait : schedule_.waits)
            if (wait.inserted)
                out.push_back({wait.before, wait.kind == order::WaitKind::ld ? "ld" : "st",
                               wait.warpgroup.value_or(-1)});
        return out;
    }

    /// What the source says; statements of one place share it.
    std::size_t site(const sema::Statement& statement) {
        const auto [known, is_new] =
            site_of_.try_emplace({statement.span.begin, statement.span.end}, sites_.size());
        if (is_new) {
            Json entry = {{"line", line(statement.span)}, {"text", input_.source.text(statement.span)}};
            for (const base::Span& call : statement.calls) entry["calls"].push_back(line(call));
            sites_.push_back(std::move(entry));
        }
        return known->second;
    }

    Json step(std::size_t index) {
        const sema::Statement& statement = kernel_.statements[index];
        Json out = {{"site", site(statement)}};
        if (!statement.iteration.empty()) out["turn"] = statement.iteration;
        if (statement.warpgroup) out["group"] = *statement.warpgroup;
        for (const sema::FragmentAccess& access : sema::fragment_accesses(statement)) {
            Json use = region(*access.region);
            if (access.writes) use.push_back(1);
            out["frag"].push_back(std::move(use));
        }
        std::visit([&](const auto& what) { say(out, what, index); }, statement.what);
        return out;
    }

    void say(Json& out, const sema::TmemCopy& copy, std::size_t index) {
        out["do"] = copy.op == sema::TmemCopy::Op::ld ? "ld" : "st";
        out["tmem"] = region(copy.buffer);
        const auto planned = plans_.find(index);
        if (planned != plans_.end() && !planned->second->empty())
            out["moves"] = moves(*planned->second, kernel_.buffers[copy.buffer.object].offset);
        else
            out["refused"] = refused(copy);
    }
    static void say(Json& out, const sema::GlobalCopy& copy, std::size_t /*index*/) {
        out["do"] = copy.op == sema::GlobalCopy::Op::load ? "load" : "store";
        out["tensor"] = region(copy.tensor);
        if (copy.tensor.row_base.step != 0 || copy.tensor.col_base.step != 0)
            out["cta"] = {copy.tensor.row_base.step != 0, copy.tensor.col_base.step != 0};
    }
    static void say(Json& out, const sema::Wait& wait, std::size_t /*index*/) {
        out["do"] = "wait";
        if (wait.ld) out["kinds"].push_back("ld");
        if (wait.st) out["kinds"].push_back("st");
    }
    static void say(Json& out, const sema::Sync& /*sync*/, std::size_t /*index*/) { out["do"] = "sync"; }
    static void say(Json& out, const sema::Fill& /*fill*/, std::size_t /*index*/) { out["do"] = "fill"; }
    static void say(Json& out, const sema::Compute& /*compute*/, std::size_t /*index*/) {
        out["do"] = "compute";
    }

    std::size_t moves(const std::vector<match::Message>& messages, int buffer_offset) {
        Json list = Json::array();
        for (const match::Message& each : messages) list.push_back(message(each, buffer_offset));
        const auto [known, is_new] = moves_of_.try_emplace(list.dump(), moves_.size());
        if (is_new) moves_.push_back(std::move(list));
        return known->second;
    }

    /// The first element that no message moves, when there is one; the extents may be all that is wrong.
    [[nodiscard]] Json refused(const sema::TmemCopy& copy) const {
        const match::Limits limits = match::limits_for(kernel_.threads(), input_.max_message);
        const match::Outcome outcome = match::plan_copy(match::copy_of(kernel_, copy), limits);
        const auto* obstacle = std::get_if<match::Obstacle>(&outcome);
        if (obstacle == nullptr) return Json::object();
        return {{"row", obstacle->row}, {"col", obstacle->col}};
    }

    const PageInput& input_;
    const sema::Kernel& kernel_;
    const order::KernelSchedule& schedule_;
    const space::KernelSpace& space_;
    std::map<std::size_t, const std::vector<match::Message>*> plans_; // by statement
    Json sites_ = Json::array(), moves_ = Json::array();
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> site_of_;
    std::map<std::string, std::size_t> moves_of_;
};

Json diagnostic(const base::Diagnostic& each, const base::Source& source) {
    Json out = {{"severity", each.severity == base::Severity::error ? "error" : "warning"},
                {"code", each.kind->code},
                {"message", each.message}};
    if (each.span != base::no_place) out["line"] = source.position(each.span.begin).line;
    if (!each.notes.empty()) out["notes"] = each.notes;
    if (!each.helps.empty()) out["helps"] = each.helps;
    return out;
}

} // namespace

std::string page_data(const PageInput& input) {
    const auto [schedule, space] =
        placement_for_pictures(input.source, input.program, input.schedule, input.space);
    Json kernels = Json::array(), diagnostics = Json::array();
    for (std::size_t k = 0; k < input.program.kernels.size(); ++k) {
        const match::KernelPlan plan =
            k < input.plan.kernels.size() ? input.plan.kernels[k] : match::KernelPlan{};
        kernels.push_back(
            KernelData(input, input.program.kernels[k], plan, schedule.kernels[k], space.kernels[k]).entry());
    }
    for (const base::Diagnostic& each : input.diagnostics.list)
        diagnostics.push_back(diagnostic(each, input.source));
    const Json all = {{"file", std::filesystem::path(input.source.name()).filename().string()},
                      {"target", input.program.target},
                      {"source", input.source.text()},
                      {"diagnostics", std::move(diagnostics)},
                      {"show", {{"kernel", input.kernel}, {"object", input.object}, {"map", input.map}}},
                      {"kernels", std::move(kernels)}};
    return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace tmemc::inspect
