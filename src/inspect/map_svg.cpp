// Bars over lines, then bars over lanes, then their titles.
#include "inspect/map_svg.hpp"

#include "inspect/map_text.hpp"
#include "inspect/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tmemc::inspect {
namespace {

constexpr int margin = 12, axis = 64;
constexpr int lane_height = 2;
constexpr int lanes = 128;

class Picture {
  public:
    explicit Picture(const MapModel& model) : model_(model) {
        extent_ = std::max(model.fits() ? model.allocated : model.limit, model.needed);
        extent_ = std::max(extent_, 1);
        scale_ = std::max(1, 768 / extent_);
    }

    std::string file() {
        y_ = margin + 14;
        body_ += svg_text("h", margin, y_, title_of(model_));
        if (!model_.buffers.empty()) {
            over_lines();
            over_lanes();
            titles();
        }
        const int longest = static_cast<int>(svg_char * static_cast<double>(longest_) * 1.05);
        return svg_file(
            std::max({left() + extent_ * scale_ + source_width_, margin + 24 + longest,
                      margin + static_cast<int>(8.6 * static_cast<double>(title_of(model_).size()))}) +
                margin,
            y_ + margin, title_of(model_), body_);
    }

  private:
    struct Bar {
        int first = 0, last = 0, top = 0, bottom = 0; // columns [first, last), pixels [top, bottom)
        std::size_t name = 0;                         // characters
        [[nodiscard]] bool meets(const Bar& other) const {
            return first < other.last && other.first < last && top < other.bottom && other.top < bottom;
        }
    };
    static int left() { return margin + axis; }
    [[nodiscard]] int at(int column) const { return left() + column * scale_; }
    static std::string color(std::size_t buffer) { return fmt::format("b{}", buffer % 6); }

    /// A bar over others lets them shine through, and its name stands behind theirs.
    void bar(std::size_t index, int top, int height) {
        const MapBuffer& buffer = model_.buffers[index];
        const bool alias = !buffer.inside.empty();
        const int inset = alias ? 2 : 0;
        const Bar here{buffer.column, buffer.end(), top, top + height, buffer.name.size()};
        std::size_t names = 0;
        bool over = false;
        for (const Bar& each : bars_) {
            if (!each.meets(here)) continue;
            over = true;
            if (each.first == here.first && each.top == here.top) names += each.name + 2;
        }
        bars_.push_back(here);
        body_ += fmt::format(
            "<rect class=\"{}{}{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>{}</title></rect>\n",
            color(index), alias ? " i" : "", over ? " s" : "", at(buffer.column) + inset, top + inset,
            std::max(buffer.columns * scale_ - 2 * inset, 1), std::max(height - 2 * inset, 1),
            xml(title_of(buffer)));
        const double room = buffer.columns * scale_ - 8;
        if (svg_char * static_cast<double>(names + buffer.name.size()) <= room)
            names_ +=
                svg_text("n", at(buffer.column) + 4 + static_cast<int>(svg_char * static_cast<double>(names)),
                         top + 12, buffer.name);
    }

    /// Edges and a ruler, at the top of `height` pixels.
    void ground(int top, int height) {
        bars_.clear();
        int step = 1; // between the numbers of the ruler
        while (step * 10 < extent_) step *= 2;
        for (int column = 0; column <= extent_; column += step)
            if (!model_.function) body_ += svg_text("n", at(column) + 1, top - 4, fmt::format("{}", column));
        body_ += fmt::format("<path class=\"g\" d=\"M{0} {1}h{2}v{3}h-{2}z\"/>\n", left(), top,
                             extent_ * scale_, height);
    }
    /// Over all else.
    void edge(int top, int height) {
        if (!model_.fits())
            body_ += fmt::format(
                "<rect class=\"o\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"><title>there are {} "
                "columns</title></rect>\n",
                at(model_.limit), top, (extent_ - model_.limit) * scale_, height, model_.limit);
        body_ += std::exchange(names_, "");
        const int column = model_.fits() ? model_.allocated : model_.limit;
        if (column == 0) return;
        body_ += fmt::format("<path class=\"e\" d=\"M{} {}v{}\"><title>{}</title></path>\n", at(column), top,
                             height,
                             model_.fits() ? fmt::format("the allocation ends: {} columns", column)
                                           : fmt::format("tensor memory ends: {} columns", column));
    }

    void over_lines() {
        const int count = static_cast<int>(model_.lines.size()), top = y_ + 30, height = count * svg_row;
        ground(top, height);
        // What lies inside comes after what it lies in.
        for (std::size_t i = 0; i < model_.buffers.size(); ++i) bars_of(i, top);
        for (int n = 0; n < count; ++n) {
            const MapLine& line = model_.lines[static_cast<std::size_t>(n)];
            const int y = top + n * svg_row + 12;
            body_ += svg_text("a", left() - 6, y, fmt::format("line {}", line.line));
            body_ += svg_text("n", at(extent_) + 8, y, line.text);
            source_width_ =
                std::max(source_width_, 16 + static_cast<int>(6.8 * static_cast<double>(line.text.size())));
        }
        edge(top, height);
        y_ = top + height + 12;
    }
    /// A bar for each run of lines in which the buffer is live.
    void bars_of(std::size_t buffer, int top) {
        const auto live = [&](std::size_t line) {
            const auto& all = model_.lines[line].live;
            return std::binary_search(all.begin(), all.end(), buffer);
        };
        for (std::size_t line = 0; line < model_.lines.size(); ++line) {
            if (!live(line)) continue;
            std::size_t end = line;
            while (end < model_.lines.size() && live(end)) ++end;
            bar(buffer, top + static_cast<int>(line) * svg_row, static_cast<int>(end - line) * svg_row);
            line = end;
        }
    }

    void over_lanes() {
        constexpr int height = lane_height * lanes;
        const int top = y_ + 30;
        ground(top, height);
        for (std::size_t i = 0; i < model_.buffers.size(); ++i)
            for (const Range& range : model_.buffers[i].lanes)
                bar(i, top + lane_height * range.first, lane_height * (range.last - range.first + 1));
        for (int lane = 0; lane < lanes; lane += 32)
            body_ += svg_text("a", left() - 6, top + lane_height * lane + 12, fmt::format("lane {}", lane));
        edge(top, height);
        y_ = top + height + 12;
    }

    void titles() {
        for (std::size_t i = 0; i < model_.buffers.size(); ++i) {
            const std::string title = title_of(model_.buffers[i]);
            y_ += svg_row + 2;
            body_ += fmt::format("<rect class=\"{}{}\" x=\"{}\" y=\"{}\" width=\"14\" height=\"14\"/>\n",
                                 color(i), model_.buffers[i].inside.empty() ? "" : " i", margin, y_ - 12);
            body_ += svg_text("n", margin + 24, y_, title);
            longest_ = std::max(longest_, title.size());
        }
    }

    const MapModel& model_;
    int extent_ = 1, scale_ = 1;
    int y_ = 0, source_width_ = 0;
    std::size_t longest_ = 0;
    std::string body_;
    std::string names_;     // of the bars, to stand over all of them
    std::vector<Bar> bars_; // of the view that is being drawn
};

} // namespace

std::string map_svg(const MapModel& model) { return Picture(model).file(); }

} // namespace tmemc::inspect
