// A walk over the statements with what is live at each.
#include "inspect/map_model.hpp"

#include "atlas/limits.hpp"
#include "inspect/layout_model.hpp"
#include "space/lifetimes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace tmemc::inspect {
namespace {

std::vector<Range> lanes_of(const layout::CellMap& cells) {
    std::array<bool, layout::max_lanes> used{};
    for (const layout::Cell& each : cells.places) used.at(each.lane) = true;
    std::vector<Range> ranges;
    for (int lane = 0; lane < layout::max_lanes; ++lane) {
        if (!used.at(static_cast<std::size_t>(lane))) continue;
        if (ranges.empty() || ranges.back().last + 1 != lane) ranges.push_back({lane, lane});
        ranges.back().last = lane;
    }
    return ranges;
}

std::string_view without_blanks(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    return text.substr(0, text.find_last_not_of(blanks) + 1);
}

class Builder {
  public:
    Builder(const base::Source& source, const sema::Kernel& kernel, const order::KernelSchedule& schedule,
            const space::KernelSpace& space)
        : source_(source), kernel_(kernel), space_(space), timeline_(kernel, schedule),
          groups_(space::lifetimes(kernel, timeline_)), outer_(outer_buffers(kernel)) {}

    MapModel build() {
        model_.kernel = kernel_.name;
        model_.function = kernel_.function;
        model_.limit = atlas::columns;
        model_.allocated = space_.columns;
        model_.needed = space_.needed;
        place_groups();
        find_own_lives();
        for (std::size_t i = 0; i < kernel_.buffers.size(); ++i) add(i);
        walk();
        find_peak();
        return std::move(model_);
    }

  private:
    /// Statements [first, last], both included.
    struct Life {
        bool used = false;
        std::size_t first = 0, last = 0;
    };

    [[nodiscard]] std::uint32_t line(std::size_t statement) const {
        const sema::Statement& each = kernel_.statements[statement];
        return source_.position((each.calls.empty() ? each.span : each.calls.back()).begin).line;
    }
    [[nodiscard]] Life life_of(const space::Lifetime& life) const {
        const std::size_t end = kernel_.statements.empty() ? 0 : kernel_.statements.size() - 1;
        return life.used ? Life{true, life.first, std::min(life.last, end)} : Life{false, 0, end};
    }
    /// A buffer that opens a group has the group's life; an alias that of its own accesses.
    [[nodiscard]] Life life_of_buffer(std::size_t index) const {
        const std::size_t group = kernel_.buffers[index].group;
        return life_of(kernel_.groups[group].owner == index ? groups_[group] : own_[index]);
    }
    void find_own_lives() {
        own_.resize(kernel_.buffers.size());
        for (std::size_t i = 0; i < kernel_.statements.size(); ++i) {
            const auto* copy = std::get_if<sema::TmemCopy>(&kernel_.statements[i].what);
            if (copy == nullptr) continue;
            const std::size_t object = copy->buffer.object;
            space::Lifetime& own = own_[kernel_.buffers[object].argument.value_or(object)];
            if (!own.used) own.first = i;
            own.used = true;
            const auto kind = copy->op == sema::TmemCopy::Op::ld ? order::WaitKind::ld : order::WaitKind::st;
            for (const int warpgroup : order::warpgroups_of(kernel_, kernel_.statements[i]))
                own.last = std::max(own.last, timeline_.wait_after(warpgroup, kind, i));
        }
    }

    /// Of a function: side by side.
    void place_groups() {
        bases_.assign(kernel_.groups.size(), 0);
        if (!kernel_.function) return;
        for (std::size_t g = 0; g < kernel_.groups.size(); ++g) {
            bases_[g] = model_.needed;
            model_.needed += (kernel_.groups[g].columns + 3) / 4 * 4;
        }
    }

    void add(std::size_t index) {
        const sema::Buffer& buffer = kernel_.buffers[index];
        if (buffer.argument) return;
        const Life life = life_of_buffer(index);
        const auto outer = outer_[index];
        const Key key{buffer.span.begin, buffer.image, space_.group_columns.at(buffer.group) + buffer.offset,
                      outer ? kernel_.buffers[*outer].span.begin : base::no_place.begin, life.used};
        const auto [known, is_new] = known_.try_emplace(key, model_.buffers.size());
        if (is_new) {
            model_.buffers.push_back(described(buffer));
            if (outer) model_.buffers.back().inside = kernel_.buffers[*outer].name;
            model_.buffers.back().used = life.used;
        } else {
            ++model_.buffers[known->second].times;
        }
        begin_[life.first].push_back(known->second);
        end_[life.last].push_back(known->second);
    }
    [[nodiscard]] MapBuffer described(const sema::Buffer& buffer) const {
        const sema::BufferImage& image = kernel_.buffer_images[buffer.image];
        MapBuffer made;
        made.name = buffer.name;
        made.type = fmt::format("{}[{}, {}]", base::name(buffer.dtype), buffer.rows, buffer.cols);
        made.layout_words = words_of(image);
        made.base = bases_[buffer.group];
        made.column = made.base + space_.group_columns.at(buffer.group) + buffer.offset;
        made.columns = image.cells.words;
        made.lanes = lanes_of(image.cells);
        made.declared = source_.position(buffer.span.begin).line;
        return made;
    }

    /// Notes at every statement what is live there.
    void walk() {
        std::vector<int> live(model_.buffers.size(), 0); // how often: the turns of a loop may overlap
        std::map<std::uint32_t, std::set<std::size_t>> lines;
        std::map<std::uint32_t, std::size_t> noted; // the change up to which a line knows what is live
        std::size_t changes = 1;
        for (std::size_t i = 0; i < kernel_.statements.size(); ++i) {
            if (const auto begins = begin_.find(i); begins != begin_.end()) {
                for (const std::size_t buffer : begins->second) ++live[buffer];
                ++changes;
            }
            const std::uint32_t here = line(i);
            if (std::exchange(noted[here], changes) != changes) note(here, i, live, lines);
            if (const auto ends = end_.find(i); ends != end_.end()) {
                for (const std::size_t buffer : ends->second) --live[buffer];
                ++changes;
            }
        }
        model_.lines.reserve(lines.size());
        for (const auto& [number, buffers] : lines)
            model_.lines.push_back({number,
                                    std::string(without_blanks(source_.line(number))),
                                    {buffers.begin(), buffers.end()}});
    }
    void note(std::uint32_t here, std::size_t statement, const std::vector<int>& live,
              std::map<std::uint32_t, std::set<std::size_t>>& lines) {
        const auto& what = kernel_.statements[statement].what;
        if (!std::holds_alternative<sema::TmemCopy>(what) && !std::holds_alternative<sema::Wait>(what) &&
            !std::holds_alternative<sema::Sync>(what))
            return;
        std::set<std::size_t>& row = lines[here];
        for (std::size_t buffer = 0; buffer < live.size(); ++buffer) {
            if (live[buffer] == 0) continue;
            MapBuffer& each = model_.buffers[buffer]; // its lines are those of its rows, in any turn
            each.first = each.first == 0 ? here : std::min(each.first, here);
            each.last = std::max(each.last, here);
            row.insert(buffer);
        }
    }

    void find_peak() {
        std::map<std::size_t, int> change; // of the columns in use, by statement
        for (std::size_t g = 0; g < kernel_.groups.size(); ++g) {
            const Life life = life_of(groups_[g]);
            change[life.first] += kernel_.groups[g].columns;
            change[life.last + 1] -= kernel_.groups[g].columns;
        }
        int now = 0;
        for (const auto& [statement, by] : change) {
            now += by;
            if (now <= model_.peak || statement >= kernel_.statements.size()) continue;
            model_.peak = now;
            model_.peak_line = line(statement);
        }
    }

    const base::Source& source_;
    const sema::Kernel& kernel_;
    const space::KernelSpace& space_;
    order::Timeline timeline_;
    std::vector<space::Lifetime> groups_;
    std::vector<space::Lifetime> own_;                            // by buffer
    std::vector<int> bases_;                                      // by group
    std::map<std::size_t, std::vector<std::size_t>> begin_, end_; // by statement: buffers of the model
    std::vector<std::optional<std::size_t>> outer_;
    /// What two buffers must agree in to be one: where they are declared, image, column, where what they lie
    /// in is declared, whether they are used.
    using Key = std::tuple<std::uint32_t, std::size_t, int, std::uint32_t, bool>;
    std::map<Key, std::size_t> known_;
    MapModel model_;
};

} // namespace

MapModel map_model(const base::Source& source, const sema::Kernel& kernel,
                   const order::KernelSchedule& schedule, const space::KernelSpace& space) {
    return Builder(source, kernel, schedule, space).build();
}

} // namespace tmemc::inspect
