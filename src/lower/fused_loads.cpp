// One walk over the statements that knows who wrote each column of each fragment last.
#include "lower/fused_loads.hpp"

#include "atlas/costs.hpp"
#include "atlas/images.hpp"
#include "atlas/limits.hpp"
#include "base/invariant.hpp"
#include "ptx/targets.hpp"

#include <algorithm>
#include <map>

namespace tmemc::lower {
namespace {

using What = sema::Step::What;
using base::Dtype;
constexpr std::size_t nobody = static_cast<std::size_t>(-1);

/// An image of which a thread's registers, in one message, are of one row.
struct FoldingImage {
    std::string_view atom;
    int rows;
    atlas::Shape shape;
    int halves; // of a row, each folded by itself
};
constexpr FoldingImage folding_images[] = {{"32x32b", 128, atlas::Shape::s32x32b, 1},
                                           {"16x32bx2", 64, atlas::Shape::s16x32bx2, 2}};

bool has_fold(Dtype dtype) { return dtype == Dtype::f32 || dtype == Dtype::u32 || dtype == Dtype::s32; }

/// A loading statement with its messages.
struct Load {
    std::size_t statement = 0;
    const std::vector<match::Message>* messages = nullptr;
};

class KernelFusing {
  public:
    KernelFusing(sema::Kernel& kernel, const match::KernelPlan& plan, const order::KernelSchedule& schedule)
        : kernel_(kernel), schedule_(schedule) {
        for (const match::CopyPlan& copy : plan.copies) messages_[copy.statement] = &copy.messages;
    }

    void fuse() {
        for (std::size_t s = 0; s < kernel_.statements.size(); ++s) {
            if (auto* compute = std::get_if<sema::Compute>(&kernel_.statements[s].what)) fuse(s, *compute);
            for (const sema::FragmentAccess& access : sema::fragment_accesses(kernel_.statements[s]))
                if (access.writes) note(*access.region, s);
        }
    }

  private:
    void note(const sema::Region& region, std::size_t statement) {
        std::vector<std::size_t>& columns = last_write_[region.object];
        columns.resize(static_cast<std::size_t>(kernel_.fragments[region.object].cols), nobody);
        std::fill_n(columns.begin() + region.col, region.cols, statement);
    }

    void fuse(std::size_t s, sema::Compute& compute) {
        if (!compute.reduction || compute.reduction->what == What::add) return;
        const sema::Region over = compute.reduction->over;
        const bool absolute = compute.steps.back().what == What::absolute;
        const Dtype dtype = compute.steps.back().dtype;
        if (!is_plain(compute, absolute ? 2 : 1) || !has_fold(dtype) || (absolute && dtype != Dtype::f32))
            return;
        const FoldingImage* image = image_of(over);
        if (image == nullptr) return;
        const auto loads = loads_of(s, over, *image);
        if (loads.empty() || (image->halves > 1 && loads.size() > 1)) return;
        const bool greatest = compute.reduction->what == What::maximum;
        auto into = folded_before(loads, greatest, absolute);
        if (!into) {
            if (!cheaper(loads, over.cols / image->halves)) return;
            into = new_vectors(loads, over, *image, greatest);
        }
        fold(loads, *into, *image, greatest, absolute);
        sema::Step step{What::fragment, dtype};
        step.fragment = *into;
        compute.steps = {step};
        compute.reduction->over = *into;
    }

    /// Whether the steps are the elements themselves, or these and one step more.
    static bool is_plain(const sema::Compute& compute, std::size_t steps) {
        const sema::Step& first = compute.steps.front();
        const sema::Region& from = first.fragment;
        const sema::Region& over = compute.reduction->over;
        return compute.steps.size() == steps && first.what == What::fragment &&
               first.spread == sema::Spread::each && first.dtype == compute.steps.back().dtype &&
               from.object == over.object && from.row == over.row && from.col == over.col;
    }

    const FoldingImage* image_of(const sema::Region& over) {
        const sema::Fragment& fragment = kernel_.fragments[over.object];
        const auto [known, fresh] = images_.try_emplace(fragment.image, nullptr);
        if (fresh)
            for (const FoldingImage& each : folding_images)
                if (each.rows == fragment.rows && fragment.cols % each.halves == 0 &&
                    layout::equal_maps(kernel_.fragment_images[fragment.image].layout,
                                       atlas::layout_of(*atlas::atom(each.atom, each.rows), fragment.cols,
                                                        base::bits(fragment.dtype))))
                    known->second = &each;
        return over.rows == fragment.rows ? known->second : nullptr;
    }

    /// The loads that have written what is reduced, in the order of their columns; none when somebody else
    /// had a part in it, or one of them does not qualify.
    std::vector<Load> loads_of(std::size_t s, const sema::Region& over, const FoldingImage& image) {
        const auto written = last_write_.find(over.object);
        if (written == last_write_.end()) return {};
        std::vector<Load> loads;
        for (int col = over.col; col < over.col + over.cols;) {
            const std::size_t writer = written->second[static_cast<std::size_t>(col)];
            if (writer == nobody || !folds(writer, s, image)) return {};
            const sema::Region& region = copy_at(writer).fragment;
            if (region.col != col || col + region.cols > over.col + over.cols) return {};
            for (int c = col; c < col + region.cols; ++c)
                if (written->second[static_cast<std::size_t>(c)] != writer) return {};
            loads.push_back({writer, messages_.at(writer)});
            col += region.cols;
        }
        return loads;
    }

    /// Whether statement `writer` is a load in whole messages of all rows that `s` can rely on.
    bool folds(std::size_t writer, std::size_t s, const FoldingImage& image) {
        const auto* copy = std::get_if<sema::TmemCopy>(&kernel_.statements[writer].what);
        if (copy == nullptr || copy->fragment.rows != image.rows ||
            kernel_.statements[writer].warpgroup != kernel_.statements[s].warpgroup)
            return false;
        const auto& messages = *messages_.at(writer);
        return waited_between(writer, s) &&
               std::all_of(messages.begin(), messages.end(), [&](const match::Message& each) {
                   return each.shape == image.shape && each.num > 1 && !each.pack &&
                          each.warps.size() == static_cast<std::size_t>(atlas::warps_per_group);
               });
    }

    bool waited_between(std::size_t load, std::size_t s) const {
        const auto& waits = schedule_.waits;
        auto wait = std::upper_bound(waits.begin(), waits.end(), load,
                                     [](std::size_t at, const auto& each) { return at < each.before; });
        for (; wait != waits.end() && wait->before <= s; ++wait)
            if (wait->kind == order::WaitKind::ld &&
                (!wait->warpgroup || wait->warpgroup == kernel_.statements[s].warpgroup))
                return true;
        return false;
    }

    /// The fragment of an earlier reduction that asked the same of the same loads.
    std::optional<sema::Region> folded_before(const std::vector<Load>& loads, bool greatest,
                                              bool absolute) const {
        const auto& first = copy_at(loads.front().statement).fold;
        if (!first) return std::nullopt;
        sema::Region whole = first->into;
        whole.cols = 0;
        for (const Load& load : loads) {
            const auto& fold = copy_at(load.statement).fold;
            if (!fold || fold->greatest != greatest || fold->absolute != absolute ||
                fold->into.object != whole.object)
                return std::nullopt;
            whole.cols += fold->into.cols;
        }
        return whole.cols == kernel_.fragments[whole.object].cols ? std::optional(whole) : std::nullopt;
    }

    /// Of `registers` in each thread; every message more is one fold more, the last of all is for nothing.
    [[nodiscard]] bool cheaper(const std::vector<Load>& loads, int registers) const {
        int messages = 0;
        for (const Load& load : loads) {
            if (copy_at(load.statement).fold) return false; // a message folds once
            messages += static_cast<int>(load.messages->size());
        }
        constexpr int fold = 2, message = atlas::load_fold_cost * atlas::folds_by_two;
        return message * messages + fold * (messages - 1) < fold * (registers - 1);
    }

    /// A new fragment with a column for each half of each message.
    sema::Region new_vectors(const std::vector<Load>& loads, const sema::Region& over,
                             const FoldingImage& image, bool greatest) {
        std::size_t messages = 0;
        for (const Load& load : loads) messages += load.messages->size();
        const sema::Fragment& from = kernel_.fragments[over.object];
        const int cols = static_cast<int>(messages) * image.halves;
        sema::Fragment made{
            from.name + (greatest ? "_max" : "_min"), from.dtype, image.rows, cols, 0, from.span};
        const layout::Layout layout = atlas::layout_of(*atlas::atom(image.atom, image.rows), cols, 32);
        auto& images = kernel_.fragment_images;
        made.image = static_cast<std::size_t>(std::find_if(images.begin(), images.end(),
                                                           [&](const sema::FragmentImage& each) {
                                                               return each.layout == layout &&
                                                                      each.slots.bits == 32 &&
                                                                      each.slots.rows == image.rows &&
                                                                      each.slots.cols == cols;
                                                           }) -
                                              images.begin());
        if (made.image == images.size()) {
            auto slots = layout::slot_map(layout, image.rows, cols, 32);
            base::invariant(std::holds_alternative<layout::SlotMap>(slots), "an atom of the atlas is no map");
            images.push_back(
                {"atom " + std::string(image.atom), layout, std::get<layout::SlotMap>(std::move(slots))});
        }
        kernel_.fragments.push_back(std::move(made));
        return {kernel_.fragments.size() - 1, 0, 0, image.rows, cols, over.span};
    }

    void fold(const std::vector<Load>& loads, const sema::Region& whole, const FoldingImage& image,
              bool greatest, bool absolute) {
        int col = 0;
        for (const Load& load : loads) {
            sema::TmemCopy& copy = copy_at(load.statement);
            const int half = kernel_.fragments[copy.fragment.object].cols / image.halves;
            sema::LoadFold made{greatest, absolute, whole, {}};
            made.into.col = col;
            for (int h = 0; h < image.halves; ++h)
                for (const match::Message& message : *load.messages) {
                    std::vector<int>& columns = made.columns.emplace_back();
                    for (const int reg : message.registers) columns.push_back(h * half + reg);
                }
            made.into.cols = static_cast<int>(made.columns.size());
            col += made.into.cols;
            copy.fold = std::move(made);
        }
    }

    sema::TmemCopy& copy_at(std::size_t statement) {
        return std::get<sema::TmemCopy>(kernel_.statements[statement].what);
    }
    [[nodiscard]] const sema::TmemCopy& copy_at(std::size_t statement) const {
        return std::get<sema::TmemCopy>(kernel_.statements[statement].what);
    }

    sema::Kernel& kernel_;
    const order::KernelSchedule& schedule_;
    std::map<std::size_t, const std::vector<match::Message>*> messages_; // by statement
    std::map<std::size_t, std::vector<std::size_t>> last_write_;         // by fragment and column
    std::map<std::size_t, const FoldingImage*> images_;                  // by fragment image
};

} // namespace

sema::Program fuse_loads(sema::Program program, const match::Plan& plan, const order::Schedule& schedule) {
    const ptx::TargetRow* target = ptx::target(program.target);
    if (target == nullptr || !target->load_reduce) return program;
    for (std::size_t k = 0; k < program.kernels.size(); ++k)
        KernelFusing(program.kernels[k], plan.kernels.at(k), schedule.kernels.at(k)).fuse();
    return program;
}

} // namespace tmemc::lower
