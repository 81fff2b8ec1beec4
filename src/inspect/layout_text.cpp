// Choose rows and columns, write the cells, say what repeats.
#include "inspect/layout_text.hpp"

#include "inspect/layout_pattern.hpp"
#include "inspect/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace tmemc::inspect {
namespace {

constexpr int all_rows = 16;  // of a tile with no more, all are shown
constexpr int first_rows = 4; // of a higher one, those and where something new begins
constexpr std::size_t some_rows = 12;

/// How much of a tile there is room for, in characters or lines.
struct Room {
    std::size_t all = 0, item = 1, gap = 1; // of one shown, of a mark for what is left out
    [[nodiscard]] bool fits(const std::set<int>& shown, int step) const {
        std::size_t taken = shown.size() * item;
        int before = -step;
        for (const int each : shown) {
            if (each != before + step) taken += gap;
            before = each;
        }
        return taken <= all;
    }
};

/// Which of 0..count-1 (in steps of `step`) are shown: first and last, the second, where something new
/// begins, then what follows the first, up to `prefix` of them.
std::vector<int> chosen(int count, int step, const std::vector<int>& begins, int prefix, const Room& room) {
    std::vector<int> wanted{0, count - step, step};
    wanted.insert(wanted.end(), begins.begin(), begins.end());
    for (int next = step; next < prefix; next += step) wanted.push_back(next);
    std::set<int> shown;
    const auto add = [&](int each) {
        if (each < 0 || each >= count || !shown.insert(each).second) return;
        if (!room.fits(shown, step)) shown.erase(each);
    };
    for (const int each : wanted) add(each);
    // A gap of one is no shorter than what it leaves out.
    const std::vector<int> list(shown.begin(), shown.end());
    for (std::size_t i = 1; i < list.size(); ++i)
        if (list[i] == list[i - 1] + 2 * step) add(list[i] - step);
    return {shown.begin(), shown.end()};
}

/// Where each repeat begins; every time when it goes from warp to warp.
std::vector<int> beginnings(const std::vector<Repeat>& repeats) {
    std::vector<int> begins;
    for (std::size_t i = 1; i < repeats.size(); ++i)
        for (int n = 1; n < (repeats[i].unit % 32 == 0 && repeats[i].unit != 0 ? repeats[i].extent : 2); ++n)
            begins.push_back(n * repeats[i].size);
    return begins;
}

class Picture {
  public:
    Picture(const LayoutModel& model, const LayoutObject& object, bool color)
        : model_(model), object_(object), color_(color), group_(elements_per_word(object)),
          pattern_(pattern(object, group_)) {
        ElementPlace widest;
        for (const ElementPlace& each : object.places)
            widest = {0, 0, std::max(widest.unit, each.unit), std::max(widest.slot, each.slot),
                      std::max(widest.bit, each.bit)};
        cell_ = label(widest).size();
        cell_ = std::max(cell_, column_label(object.cols - group_).size());
    }

    std::string text() {
        choose();
        std::string text = wrapped(title_of(object_), 4) + wrapped(extent_of(model_, object_), 4);
        text += "\n" + header();
        int before = -1;
        for (const int row : rows_) {
            if (row != before + 1) text += "    :\n";
            text += line(row);
            before = row;
        }
        return text + "\n" + in_words_();
    }

  private:
    void choose() {
        std::vector<int> across, down;
        if (pattern_) {
            across = beginnings(pattern_->across);
            down = beginnings(pattern_->down);
        }
        // A fragment's warps are worth a row each.
        for (int row = 1; row < object_.rows; ++row)
            if (LayoutObject::warp(at(row, 0).unit) != LayoutObject::warp(at(row - 1, 0).unit))
                down.push_back(row);
        if (down.size() > some_rows / 2) down.resize(some_rows / 2);
        const bool high = object_.rows > all_rows;
        rows_ = chosen(object_.rows, 1, down, high ? first_rows : object_.rows,
                       {static_cast<std::size_t>(high ? 2 * some_rows : all_rows), 1, 1});
        std::size_t most = 0;
        for (const int row : rows_) most = std::max(most, warps_of(row).size());
        columns_ = chosen(object_.cols, group_, across, object_.cols,
                          {text_width - margin - warps_phrase(most), cell_ + gap, 2 + gap});
    }

    [[nodiscard]] std::set<int> warps_of(int row) const {
        std::set<int> warps;
        const std::size_t first = index(row, 0), end = index(row + 1, 0);
        for (std::size_t each = first; each < end; ++each)
            warps.insert(LayoutObject::warp(object_.places[each].unit));
        return warps;
    }
    static std::size_t warps_phrase(std::size_t count) { return count == 1 ? 8 : 6 + 3 * count; }

    [[nodiscard]] const ElementPlace& at(int row, int col) const { return object_.places[index(row, col)]; }
    /// Of the first copy of an element.
    [[nodiscard]] std::size_t index(int row, int col) const {
        const std::size_t element = static_cast<std::size_t>(row) * static_cast<std::size_t>(object_.cols) +
                                    static_cast<std::size_t>(col);
        return element * static_cast<std::size_t>(object_.copies);
    }
    [[nodiscard]] std::string label(const ElementPlace& place) const {
        std::string text = fmt::format("{}{}:{}{}", object_.buffer ? 'l' : 't', place.unit,
                                       object_.buffer ? 'c' : 'r', place.slot);
        if (group_ == 1 && place.bit != 0) text += fmt::format("+{}", place.bit);
        return text;
    }
    [[nodiscard]] std::string column_label(int col) const {
        return group_ == 1 ? fmt::format("{}", col) : fmt::format("{}-{}", col, col + group_ - 1);
    }
    [[nodiscard]] std::string painted(const std::string& text, int warp) const {
        static constexpr std::array<int, 4> colors{36, 33, 35, 32};
        if (!color_) return text;
        return fmt::format("\x1b[{}m{}\x1b[0m", colors.at(static_cast<std::size_t>(warp)), text);
    }

    [[nodiscard]] std::string header() const {
        std::string text = fmt::format("  {:>4}", "row");
        int before = -group_;
        for (const int col : columns_) {
            text += col != before + group_ ? "  .." : "";
            text += fmt::format("  {:<{}}", column_label(col), cell_);
            before = col;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    }
    [[nodiscard]] std::string line(int row) const {
        std::string text = fmt::format("  {:>4}", row);
        int before = -group_;
        for (const int col : columns_) {
            const ElementPlace& place = at(row, col);
            const std::string cell = label(place);
            text += col != before + group_ ? "  .." : "";
            text +=
                "  " + painted(cell, LayoutObject::warp(place.unit)) + std::string(cell_ - cell.size(), ' ');
            before = col;
        }
        const std::set<int> warps = warps_of(row);
        text += warps.size() == 1 ? "  warp " : "  warps ";
        std::string between;
        for (const int warp : warps) {
            text += between + painted(fmt::format("{}", warp), warp);
            between = ", ";
        }
        return text + "\n";
    }
    [[nodiscard]] std::string in_words_() const {
        if (!pattern_)
            return "rows and columns do not add up to a place; --format=json lists every element\n";
        std::string text;
        const auto say = [&](const std::vector<Repeat>& repeats, std::string_view what) {
            if (!repeats.empty()) text += wrapped(in_words(repeats, what, object_), 4);
        };
        say(pattern_->down, "rows");
        say(pattern_->across, "columns");
        const std::string again = in_words(pattern_->again, "each element's copies", object_);
        if (!again.empty()) text += wrapped(again, 4);
        return text;
    }

    static constexpr std::size_t margin = 6, gap = 2;

    const LayoutModel& model_;
    const LayoutObject& object_;
    bool color_;
    int group_;
    std::optional<Pattern> pattern_;
    std::size_t cell_ = 0; // characters
    std::vector<int> rows_, columns_;
};

} // namespace

std::string title_of(const LayoutObject& object) {
    std::string text =
        fmt::format("{}: {}, {} (line {}", object.name, object.type(), object.layout_words, object.line);
    if (!object.inside.empty()) text += fmt::format(", an alias in `{}`", object.inside);
    if (!object.iteration.empty()) text += fmt::format(", with {}", object.iteration);
    if (object.times > 1) text += fmt::format(", {} times", object.times);
    return text + ")";
}

std::string extent_of(const LayoutModel& model, const LayoutObject& object) {
    std::string text;
    if (object.buffer) {
        std::set<int> lanes;
        for (const ElementPlace& each : object.places) lanes.insert(each.unit);
        text = fmt::format("{} lanes x {} column{}, {}..{} of {}", lanes.size(), object.words,
                           object.words == 1 ? "" : "s", object.column, object.column + object.words - 1,
                           model.function ? "what the address names"
                                          : fmt::format("the {} allocated", model.columns));
    } else {
        std::set<int> threads;
        for (const ElementPlace& each : object.places) threads.insert(each.unit);
        text = fmt::format("{} threads x {} register{}", threads.size(), object.words,
                           object.words == 1 ? "" : "s");
    }
    if (base::bits(object.dtype) == 32) return text;
    const std::string_view word = object.buffer ? "cell" : "register";
    if (const int group = elements_per_word(object); group > 1)
        return text + fmt::format(", {} elements in a {}, low bits first", group, word);
    const bool alone = std::all_of(object.places.begin(), object.places.end(),
                                   [](const ElementPlace& each) { return each.bit == 0; });
    return text + (alone ? fmt::format(", one element in the low bits of each {}", word)
                         : fmt::format(", +{0}: from bit {0} of the {1}", base::bits(object.dtype), word));
}

std::string layout_text(const LayoutModel& model, bool color) {
    if (model.objects.empty()) return fmt::format("`{}` has no buffer and no fragment\n", model.kernel);
    std::string text;
    for (auto object = model.objects.begin(); object != model.objects.end(); ++object) {
        const auto like = std::find_if(model.objects.begin(), object, [&](const LayoutObject& each) {
            return each.buffer == object->buffer && each.dtype == object->dtype &&
                   each.shape == object->shape && each.places == object->places;
        });
        text += text.empty() ? "" : "\n";
        text += like == object ? Picture(model, *object, color).text()
                               : wrapped(title_of(*object), 4) +
                                     fmt::format("every element where `{}` has it\n", like->name);
    }
    return text;
}

} // namespace tmemc::inspect
