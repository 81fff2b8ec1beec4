// Objects are collected with what tells two of them apart; the maps of sema are copied element by element.
#include "inspect/layout_model.hpp"

#include "order/waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace tmemc::inspect {
namespace {

/// Every place of a map as `take` makes it, with its row and column.
template <class Map, class Take>
std::vector<ElementPlace> places_of(const Map& map, Take take) {
    std::vector<ElementPlace> places;
    places.reserve(map.places.size());
    std::size_t next = 0;
    for (int row = 0; row < map.rows; ++row)
        for (int col = 0; col < map.cols; ++col)
            for (int copy = 0; copy < map.copies; ++copy) {
                ElementPlace place = take(map.places[next++]);
                place.row = row;
                place.col = col;
                places.push_back(place);
            }
    return places;
}

/// An object with its place in the kernel's order and its first use.
struct Found {
    LayoutObject object;
    std::size_t image = 0;
    std::uint32_t declared = 0;
    bool called = false; // of a function that is called
};

class Collector {
  public:
    Collector(const base::Source& source, const sema::Kernel& kernel, const space::KernelSpace& space)
        : source_(source), kernel_(kernel), space_(space), outer_(outer_buffers(kernel)) {
        buffer_use_.assign(kernel.buffers.size(), nullptr);
        fragment_use_.assign(kernel.fragments.size(), nullptr);
        for (const sema::Statement& each : kernel.statements) {
            for (const sema::FragmentAccess& access : sema::fragment_accesses(each))
                use(fragment_use_[access.region->object], each);
            if (const auto* copy = std::get_if<sema::TmemCopy>(&each.what))
                use(buffer_use_[copy->buffer.object], each);
        }
    }

    std::vector<LayoutObject> collect() {
        for (std::size_t i = 0; i < kernel_.buffers.size(); ++i)
            if (const sema::Buffer& each = kernel_.buffers[i]; !each.argument)
                add({each.span.begin, each.image, column_of(each), outer_declared(i)},
                    [&] { return of_buffer(i); });
        for (std::size_t i = 0; i < kernel_.fragments.size(); ++i)
            if (const sema::Fragment& each = kernel_.fragments[i]; !each.hidden)
                add({each.span.begin, each.image, 0, std::nullopt}, [&] { return of_fragment(i); });
        std::stable_sort(found_.begin(), found_.end(), [](const Found& a, const Found& b) {
            return a.called != b.called ? b.called : a.declared < b.declared;
        });
        std::vector<LayoutObject> objects;
        objects.reserve(found_.size());
        for (Found& each : found_) {
            if (declarations(each.declared) == 1) each.object.iteration.clear();
            fill(each);
            objects.push_back(std::move(each.object));
        }
        return objects;
    }

  private:
    static void use(const sema::Statement*& first, const sema::Statement& statement) {
        if (first == nullptr) first = &statement;
    }
    [[nodiscard]] std::size_t declarations(std::uint32_t declared) const {
        return static_cast<std::size_t>(std::count_if(
            found_.begin(), found_.end(), [&](const Found& each) { return each.declared == declared; }));
    }

    /// What two objects must agree in to be one: where they are declared, image, column, what they lie in.
    using Key = std::tuple<std::uint32_t, std::size_t, int, std::optional<std::size_t>>;

    template <class Make>
    void add(const Key& key, Make make) {
        const auto [known, is_new] = known_.try_emplace(key, found_.size());
        if (!is_new) {
            ++found_[known->second].object.times;
            return;
        }
        Found made = make();
        made.declared = std::get<0>(key);
        made.called = kernel_.body.begin > made.declared || made.declared >= kernel_.body.end;
        made.object.line = source_.position(made.declared).line;
        found_.push_back(std::move(made));
    }
    [[nodiscard]] int column_of(const sema::Buffer& buffer) const {
        return space_.group_columns.at(buffer.group) + buffer.offset;
    }
    /// Where the outer buffer is declared counts, not its turn.
    [[nodiscard]] std::optional<std::size_t> outer_declared(std::size_t buffer) const {
        if (!outer_[buffer]) return std::nullopt;
        return kernel_.buffers[*outer_[buffer]].span.begin;
    }

    [[nodiscard]] Found of_buffer(std::size_t index) const {
        const sema::Buffer& buffer = kernel_.buffers[index];
        const sema::BufferImage& image = kernel_.buffer_images[buffer.image];
        Found found{{}, buffer.image, 0, false};
        LayoutObject& object = found.object;
        object.name = buffer.name;
        object.buffer = true;
        object.dtype = buffer.dtype;
        object.shape = {buffer.rows, buffer.cols};
        object.rows = buffer.rows;
        object.cols = buffer.cols;
        object.layout_words = words_of(image);
        object.layout = image.layout;
        object.copies = image.cells.copies;
        object.words = image.cells.words;
        object.column = column_of(buffer);
        if (outer_[index]) object.inside = kernel_.buffers[*outer_[index]].name;
        if (buffer_use_[index] != nullptr) object.iteration = buffer_use_[index]->iteration;
        return found;
    }

    [[nodiscard]] Found of_fragment(std::size_t index) const {
        const sema::Fragment& fragment = kernel_.fragments[index];
        const sema::FragmentImage& image = kernel_.fragment_images[fragment.image];
        Found found{{}, fragment.image, 0, false};
        LayoutObject& object = found.object;
        object.name = fragment.name;
        object.dtype = fragment.dtype;
        object.shape = fragment.extents();
        object.rows = fragment.rows;
        object.cols = fragment.cols;
        object.layout_words = image.name;
        object.layout = image.layout;
        object.copies = image.slots.copies;
        object.words = image.slots.words;
        if (fragment_use_[index] != nullptr) object.iteration = fragment_use_[index]->iteration;
        return found;
    }

    void fill(Found& found) const {
        LayoutObject& object = found.object;
        if (object.buffer)
            object.places = places_of(kernel_.buffer_images[found.image].cells, [&](const layout::Cell& at) {
                return ElementPlace{0, 0, at.lane, object.column + at.column, at.bit};
            });
        else
            object.places = places_of(kernel_.fragment_images[found.image].slots, [](const layout::Slot& at) {
                return ElementPlace{0, 0, at.thread, at.reg, at.bit};
            });
    }

    const base::Source& source_;
    const sema::Kernel& kernel_;
    const space::KernelSpace& space_;
    std::vector<const sema::Statement*> buffer_use_, fragment_use_; // the first statement that uses each
    std::vector<std::optional<std::size_t>> outer_;
    std::vector<Found> found_;
    std::map<Key, std::size_t> known_; // into found_
};

} // namespace

std::string words_of(const sema::BufferImage& image) {
    std::string words = image.datapath ? fmt::format("datapath {}", image.datapath)
                                       : "layout " + layout::to_string(image.layout);
    if (image.datapath && image.sub_slab != 0) words += fmt::format(" sub_slab {}", image.sub_slab);
    if (image.datapath && image.unpacked) words += " unpacked";
    return words;
}

std::vector<std::optional<std::size_t>> outer_buffers(const sema::Kernel& kernel) {
    std::vector<std::optional<std::size_t>> outer(kernel.buffers.size());
    std::vector<std::vector<std::size_t>> members(kernel.groups.size()); // so far
    for (std::size_t i = 0; i < kernel.buffers.size(); ++i) {
        const sema::Buffer& inner = kernel.buffers[i];
        if (inner.argument) continue;
        std::vector<std::size_t>& group = members[inner.group];
        const auto shares = [&](std::size_t other) {
            const sema::Buffer& each = kernel.buffers[other];
            return each.offset < inner.offset + kernel.cells(inner).words &&
                   inner.offset < each.offset + kernel.cells(each).words;
        };
        const auto first = std::find_if(group.begin(), group.end(), shares);
        if (first != group.end()) outer[i] = *first;
        group.push_back(i);
    }
    return outer;
}

std::string LayoutObject::type() const {
    return fmt::format("{}[{}]", base::name(dtype), fmt::join(shape, ", "));
}

LayoutModel layout_model(const base::Source& source, const sema::Kernel& kernel,
                         const space::KernelSpace& space) {
    return {kernel.name, kernel.function, space.columns, Collector(source, kernel, space).collect()};
}

Placement placement_for_pictures(const base::Source& source, const sema::Program& program,
                                 const order::Schedule& schedule, const space::Space& space) {
    Placement made{schedule, space};
    if (made.schedule.kernels.size() != program.kernels.size()) {
        made.schedule.kernels.clear();
        for (const sema::Kernel& kernel : program.kernels)
            made.schedule.kernels.push_back(order::written_waits(kernel));
    }
    if (made.space.kernels.size() != program.kernels.size())
        made.space = space::place(program, made.schedule, source).space;
    return made;
}

} // namespace tmemc::inspect
