// Comparison and wording. A register's elements are found again by searching the region, which only a refusal
// does.
#include "match/shape_notes.hpp"

#include "atlas/limits.hpp"
#include "match/copy_of.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace tmemc::match {

namespace {

constexpr int warp_threads = atlas::lanes_per_warp;

class ShapeNotes {
  public:
    ShapeNotes(const Refusal& refusal, const Signatures& signatures, const std::vector<RegisterCells>& words)
        : refusal_(refusal), signatures_(signatures), words_(words) {}

    std::vector<ShapeNote> write() const {
        struct Note {
            std::size_t reached; // registers that fit
            ShapeNote what;
        };
        std::vector<Note> notes;
        for (std::size_t row = 0; row < signatures_.rows().size(); ++row)
            for (std::size_t i = 0; i < words_.size(); ++i) {
                const auto answer = signatures_.compare(words_[i], row);
                const auto* misfit = std::get_if<Misfit>(&answer);
                if (misfit == nullptr) continue;
                const atlas::ShapeRow& shape = signatures_.rows()[row];
                notes.push_back({i,
                                 {fmt::format("{}: {}", shape.name, text(words_[i], *misfit, shape)),
                                  disagreement(words_[i], *misfit, shape)}});
                break;
            }
        std::stable_sort(notes.begin(), notes.end(),
                         [](const Note& a, const Note& b) { return a.reached > b.reached; });
        std::vector<ShapeNote> sorted;
        sorted.reserve(notes.size());
        for (Note& note : notes) sorted.push_back(std::move(note.what));
        return sorted;
    }

  private:
    std::string text(const RegisterCells& word, const Misfit& misfit, const atlas::ShapeRow& shape) const {
        const int thread = word.warp * warp_threads + misfit.thread;
        const atlas::Step cell = word.cells[static_cast<std::size_t>(misfit.thread)];
        switch (misfit.why) {
        case Misfit::Why::reach: return reach_text(refusal_, element_at(thread, word.reg, cell));
        case Misfit::Why::start:
            return fmt::format(
                "its messages start at lane {} of a warp's 32, but register {} of thread {} meets "
                "lane {} of warp {}'s",
                starts(shape), word.reg, thread, cell.lane % warp_threads, word.warp);
        case Misfit::Why::same_cells:
            return fmt::format(
                "register {} of threads {} and {} would meet the same cell, lane {}, column {}", word.reg,
                word.warp * warp_threads, thread, cell.lane, cell.column);
        case Misfit::Why::pattern: break;
        }
        return fmt::format(
            "register {} of thread {} would meet lane {}, column {}, but `{}` keeps {} there, which {} "
            "lane {}, column {}",
            word.reg, thread, misfit.expected.lane, misfit.expected.column, refusal_.fragment().name,
            fragment_content(refusal_, thread, word.reg), refusal_.store() ? "goes to" : "sits in", cell.lane,
            cell.column);
    }

    std::optional<Disagreement> disagreement(const RegisterCells& word, const Misfit& misfit,
                                             const atlas::ShapeRow& shape) const {
        if (misfit.why == Misfit::Why::same_cells) return std::nullopt;
        const int thread = word.warp * warp_threads + misfit.thread;
        const Obstacle element =
            element_at(thread, word.reg, word.cells[static_cast<std::size_t>(misfit.thread)]);
        if (misfit.why == Misfit::Why::reach) return out_of_reach(element);
        return out_of_pattern(word, misfit, shape, element.row, element.col);
    }

    /// "0", or "0 or 16"
    static std::string starts(const atlas::ShapeRow& shape) {
        std::vector<std::string> lanes;
        for (int lane = 0; lane < warp_threads; lane += shape.lanes) lanes.push_back(std::to_string(lane));
        return listed(lanes, "or");
    }

    /// The element that a thread's register holds, as an obstacle of reach.
    Obstacle element_at(int thread, int reg, const atlas::Step& cell) const {
        Obstacle found{Obstacle::What::reach};
        const Copy copy = copy_of(refusal_.kernel, refusal_.copy);
        for (int row = 0; row < copy.rows; ++row)
            for (int col = 0; col < copy.cols; ++col)
                for (int i = 0; i < copy.slots.copies; ++i) {
                    const layout::Slot& slot =
                        copy.slots.at(copy.in_slots.row + row, copy.in_slots.col + col, i);
                    if (slot.thread != thread || slot.reg != reg || slot.bit != 0) continue;
                    found.row = row;
                    found.col = col;
                }
        found.thread = thread;
        found.reg = reg;
        found.lane = cell.lane;
        found.column = cell.column;
        return found;
    }

    const Refusal& refusal_;
    const Signatures& signatures_;
    const std::vector<RegisterCells>& words_;
};

} // namespace

std::vector<ShapeNote> shape_notes(const Refusal& refusal, std::span<const atlas::ShapeRow> shapes) {
    const auto read = words_of(compose(copy_of(refusal.kernel, refusal.copy)));
    const auto* words = std::get_if<std::vector<RegisterCells>>(&read);
    if (words == nullptr) return {};
    return ShapeNotes(refusal, Signatures(shapes), *words).write();
}

std::string reach_text(const Refusal& refusal, const Obstacle& obstacle) {
    return fmt::format(
        "{} {} lane {}, which only warp {} reaches, but `{}` holds it in warp {} (thread {}, register {})",
        element_phrase(refusal, obstacle.row, obstacle.col, obstacle.col != 0),
        refusal.store() ? "goes to" : "sits in", obstacle.lane, obstacle.lane / warp_threads,
        refusal.fragment().name, obstacle.thread / warp_threads, obstacle.thread, obstacle.reg);
}

} // namespace tmemc::match
