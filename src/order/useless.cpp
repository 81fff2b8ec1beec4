// Backwards: what will still be read. Waits are counted forwards, since they look back.
#include "order/conflicts.hpp"
#include "order/places.hpp"
#include "order/usage.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace tmemc::order {

namespace {

namespace catalogue = base::catalogue;

using Place = std::pair<std::uint32_t, std::uint32_t>;
Place place_of(base::Span span) { return {span.begin, span.end}; }

/// Per source statement, whether any of its turns is of use.
using Useful = std::map<Place, bool>;
void count(Useful& useful, base::Span span, bool of_use) {
    const auto [place, is_new] = useful.try_emplace(place_of(span), of_use);
    place->second = place->second || of_use;
}

class Readers {
  public:
    explicit Readers(const sema::Kernel& kernel) : kernel_(kernel), footprints_(kernel), awaited_(kernel) {}

    Useful walk() {
        for (const sema::Parameter& each : kernel_.parameters) await_result(each);
        for (std::size_t i = kernel_.statements.size(); i-- > 0;) {
            const sema::Statement& statement = kernel_.statements[i];
            std::visit([&](const auto& what) { visit(what, statement); }, statement.what);
        }
        return std::move(useful_);
    }

  private:
    /// What a function gives back is read by its caller.
    void await_result(const sema::Parameter& parameter) {
        if (const auto* tmem = std::get_if<sema::TmemParameter>(&parameter);
            tmem != nullptr && tmem->direction != sema::Direction::in) {
            sema::Region buffer;
            buffer.object = tmem->buffer;
            PlaceSet& cells = awaited_.cells(buffer);
            for (const Run& run : footprints_.cells_of(tmem->buffer)) cells.add(run);
        }
        if (const auto* frag = std::get_if<sema::FragmentParameter>(&parameter);
            frag != nullptr && frag->direction != sema::Direction::in) {
            const sema::Region all = whole_of(kernel_, frag->fragment);
            for (const Run& run : elements(all)) awaited_.fragment(all, 0).add(run);
        }
    }
    void visit(const sema::TmemCopy& copy, const sema::Statement& statement) {
        const Footprint cells = footprints_.cells(copy);
        PlaceSet& tensor_memory = awaited_.cells(copy.buffer);
        if (copy.op == sema::TmemCopy::Op::st) {
            count(useful_, statement.span, taken(tensor_memory, cells));
            read(copy.fragment, statement);
        } else {
            write(copy.fragment, statement);
            for (const Run& run : cells) tensor_memory.add(run);
        }
    }
    void visit(const sema::GlobalCopy& copy, const sema::Statement& statement) {
        copy.op == sema::GlobalCopy::Op::load ? write(copy.fragment, statement)
                                              : read(copy.fragment, statement);
    }
    void visit(const sema::Fill& fill, const sema::Statement& statement) {
        for (const int group : warpgroups_of(kernel_, statement))
            taken(awaited_.fragment(fill.fragment, group), elements(fill.fragment));
    }
    void visit(const sema::Compute& compute, const sema::Statement& statement) {
        for (const int group : warpgroups_of(kernel_, statement))
            taken(awaited_.fragment(compute.target, group), elements(compute.target));
        for (const sema::Step& step : compute.steps)
            if (step.what == sema::Step::What::fragment) read(step.fragment, statement);
    }
    void visit(const sema::Wait&, const sema::Statement&) {}
    void visit(const sema::Sync&, const sema::Statement&) {}

    void read(const sema::Region& region, const sema::Statement& statement) {
        for (const int group : warpgroups_of(kernel_, statement))
            for (const Run& run : elements(region)) awaited_.fragment(region, group).add(run);
    }
    void write(const sema::Region& region, const sema::Statement& statement) {
        for (const int group : warpgroups_of(kernel_, statement))
            count(useful_, statement.span, taken(awaited_.fragment(region, group), elements(region)));
    }
    /// Whether any of the places is awaited; none of them is before the write.
    static bool taken(PlaceSet& awaited, const Footprint& places) {
        const bool any =
            std::any_of(places.begin(), places.end(), [&](const Run& run) { return awaited.meets(run); });
        for (const Run& run : places) awaited.remove(run);
        return any;
    }

    const sema::Kernel& kernel_;
    Footprints footprints_;
    Places awaited_;
    Useful useful_;
};

void report_dead_copies(const sema::Kernel& kernel, sema::Reports& reports) {
    const Useful useful = Readers(kernel).walk();
    std::set<Place> seen;
    for (const sema::Statement& statement : kernel.statements) {
        if (!statement.calls.empty()) continue; // the function has been judged by itself
        const auto known = useful.find(place_of(statement.span));
        if (known == useful.end() || known->second || !seen.insert(known->first).second) continue;
        const auto* copy = std::get_if<sema::TmemCopy>(&statement.what);
        const sema::FragmentAccess fragment = sema::fragment_accesses(statement).back(); // a copy has one
        const std::string& written = fragment.writes ? kernel.fragments[fragment.region->object].name
                                                     : kernel.buffers[copy->buffer.object].name;
        reports.set_iteration({});
        reports.report(catalogue::dead_copy, statement.span, written);
    }
}

/// An object in a loop is unused when it is in every turn.
template <class Object>
void report_unused(const std::vector<Object>& objects, const std::vector<bool>& used,
                   sema::Reports& reports) {
    std::set<Place> of_use;
    for (std::size_t i = 0; i < objects.size(); ++i)
        if (used[i]) of_use.insert(place_of(objects[i].span));
    for (const Object& object : objects)
        if (of_use.insert(place_of(object.span)).second)
            reports.report(catalogue::unused_object, object.span, object.name);
}

/// A buffer may be there for others to lie in: it is of use when one that overlaps it is.
void hold_columns(const sema::Kernel& kernel, std::vector<bool>& used) {
    std::map<std::size_t, std::vector<std::pair<int, int>>> columns; // of used buffers, by alias group
    const auto range = [&](const sema::Buffer& buffer) {
        return std::pair(buffer.offset, buffer.offset + kernel.cells(buffer).words);
    };
    for (std::size_t i = 0; i < used.size(); ++i)
        if (used[i]) columns[kernel.buffers[i].group].push_back(range(kernel.buffers[i]));
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (used[i]) continue;
        const auto [first, last] = range(kernel.buffers[i]);
        for (const auto& [other_first, other_last] : columns[kernel.buffers[i].group])
            if (first < other_last && other_first < last) used[i] = true;
    }
}

void report_unused_objects(const sema::Kernel& kernel, sema::Reports& reports) {
    std::vector<bool> fragments(kernel.fragments.size()), buffers(kernel.buffers.size());
    for (const sema::Statement& statement : kernel.statements) {
        for (const sema::FragmentAccess& access : sema::fragment_accesses(statement))
            fragments[access.region->object] = true;
        if (const auto* copy = std::get_if<sema::TmemCopy>(&statement.what))
            buffers[copy->buffer.object] = true;
    }
    hold_columns(kernel, buffers);
    reports.set_iteration({});
    report_unused(kernel.fragments, fragments, reports);
    report_unused(kernel.buffers, buffers, reports);
}

} // namespace

void report_useless_waits(const sema::Kernel& kernel, sema::Reports& reports) {
    std::vector<std::array<bool, 2>> outstanding(static_cast<std::size_t>(kernel.warpgroups));
    std::array<Useful, 2> useful; // by kind
    for (const sema::Statement& statement : kernel.statements) {
        const auto* copy = std::get_if<sema::TmemCopy>(&statement.what);
        const auto* wait = std::get_if<sema::Wait>(&statement.what);
        for (const WaitKind kind : {WaitKind::ld, WaitKind::st}) {
            const auto k = static_cast<std::size_t>(kind);
            const bool load = kind == WaitKind::ld;
            bool any = false;
            for (const int group : warpgroups_of(kernel, statement)) {
                bool& pending = outstanding[static_cast<std::size_t>(group)][k];
                any = any || pending;
                if (copy) pending = pending || (copy->op == sema::TmemCopy::Op::ld) == load;
                if (wait && (load ? wait->ld : wait->st)) pending = false;
            }
            const bool here = statement.calls.empty(); // a function is judged by itself
            if (wait && here && (load ? wait->ld : wait->st)) count(useful[k], statement.span, any);
        }
    }
    std::map<Place, std::string> idle;
    for (const auto& [k, word] : {std::pair{0U, "load"}, std::pair{1U, "store"}})
        for (const auto& [place, any] : useful[k])
            if (!any) idle[place] += (idle[place].empty() ? "" : " or ") + std::string(word);
    reports.set_iteration({});
    for (const auto& [place, word] : idle)
        reports.report(catalogue::useless_wait, {place.first, place.second}, word);
}

void report_useless(const sema::Kernel& kernel, sema::Reports& reports) {
    report_dead_copies(kernel, reports);
    report_unused_objects(kernel, reports);
}

} // namespace tmemc::order
