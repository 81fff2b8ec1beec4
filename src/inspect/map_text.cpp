// A row of letters for each line, and what the letters stand for.
#include "inspect/map_text.hpp"

#include "base/display.hpp"
#include "inspect/wrapped.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tmemc::inspect {
namespace {

constexpr int most_letters = 72;
constexpr std::size_t all_lines = 40; // of a longer program, lines where nothing changes are left out

class Picture {
  public:
    Picture(const MapModel& model, bool color) : model_(model), color_(color) {
        extent_ = std::max(model.fits() ? model.allocated : model.limit, model.needed);
        while ((extent_ + per_letter_ - 1) / per_letter_ > most_letters) per_letter_ *= 2;
    }

    std::string text() {
        std::string text = wrapped(title_of(model_), 4);
        if (model_.buffers.empty()) return text;
        if (per_letter_ > 1) text += fmt::format("a letter is {} columns\n", per_letter_);
        text += "\n" + ruler();
        for (std::size_t i = 0; i < model_.lines.size(); ++i) {
            const bool left_out = model_.lines.size() > all_lines && i > 0 && i + 1 < model_.lines.size() &&
                                  model_.lines[i].live == model_.lines[i - 1].live &&
                                  model_.lines[i].live == model_.lines[i + 1].live;
            if (!left_out) text += row(model_.lines[i]);
            if (left_out && model_.lines[i - 1].live != model_.lines[i - (i > 1 ? 2 : 1)].live)
                text += "    :\n";
        }
        text += "\n";
        for (std::size_t i = 0; i < model_.buffers.size(); ++i)
            text += painted(i, std::string(1, letter(i))) + "  " +
                    wrapped(title_of(model_.buffers[i]), 4, text_width - 3);
        return text;
    }

  private:
    [[nodiscard]] char letter(std::size_t buffer) const {
        if (buffer >= 26) return '#';
        const auto capital = static_cast<char>('A' + static_cast<int>(buffer));
        return model_.buffers[buffer].inside.empty() ? capital : static_cast<char>(capital + ('a' - 'A'));
    }
    [[nodiscard]] std::string painted(std::size_t buffer, const std::string& text) const {
        static constexpr std::array<int, 6> colors{36, 33, 35, 32, 34, 31};
        return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", colors.at(buffer % colors.size()), text) : text;
    }

    [[nodiscard]] std::string ruler() const {
        std::string text = "line  ";
        if (model_.function) return "line\n"; // each parameter counts for itself
        for (int at = 0; at < extent_; at += 16 * per_letter_) text += fmt::format("{:<16}", at);
        text.erase(text.find_last_not_of(' ') + 1);
        return text + "\n";
    }

    /// Who has the columns of letter `n`: aliases before what they lie in.
    [[nodiscard]] std::vector<std::size_t> owners(const MapLine& line, int n) const {
        std::vector<std::size_t> whole, inside;
        for (const std::size_t buffer : line.live) {
            const MapBuffer& each = model_.buffers[buffer];
            if (each.end() <= n * per_letter_ || (n + 1) * per_letter_ <= each.column) continue;
            (each.inside.empty() ? whole : inside).push_back(buffer);
        }
        return inside.empty() ? whole : inside;
    }
    [[nodiscard]] std::string row(const MapLine& line) const {
        std::string text = fmt::format("{:>4}  ", line.line);
        std::size_t used = text.size();
        for (int n = 0; n * per_letter_ < extent_; ++n, ++used) {
            if (!model_.fits() && n * per_letter_ == model_.limit) {
                text += '!';
                ++used;
            }
            const std::vector<std::size_t> all = owners(line, n);
            if (all.empty()) {
                text += '.';
                continue;
            }
            const std::size_t buffer = all[static_cast<std::size_t>(n) % all.size()];
            text += painted(buffer, std::string(1, letter(buffer)));
        }
        text += model_.function ? "  " : "|  ";
        used += model_.function ? 2 : 3;
        return text + shortened(line.text, text_width - used) + "\n";
    }
    static std::string shortened(const std::string& line, std::size_t room) {
        std::string text;
        std::size_t used = 0;
        const auto glyphs = base::glyphs(line);
        for (std::size_t i = 0; i < glyphs.size(); ++i) {
            const bool last = i + 1 == glyphs.size();
            if (used + glyphs[i].width + (last ? 0 : 2) > room) return text + "..";
            text += glyphs[i].text;
            used += glyphs[i].width;
        }
        return text;
    }

    const MapModel& model_;
    bool color_;
    int extent_ = 0, per_letter_ = 1;
};

std::string lanes_phrase(const std::vector<Range>& lanes) {
    if (lanes.size() == 1 && lanes.front() == Range{0, 127}) return "";
    // Of each warp the same.
    bool alike = lanes.size() == 4 && lanes.front().last < 32;
    for (std::size_t i = 0; alike && i < lanes.size(); ++i) {
        const int warp = 32 * static_cast<int>(i);
        alike = lanes[i] == Range{lanes.front().first + warp, lanes.front().last + warp};
    }
    if (alike) return fmt::format(", lanes {}..{} of each warp", lanes.front().first, lanes.front().last);
    std::string text = ", lanes ";
    for (std::size_t i = 0; i < lanes.size(); ++i)
        text += fmt::format("{}{}..{}", i == 0 ? "" : " ", lanes[i].first, lanes[i].last);
    return text;
}

} // namespace

std::string title_of(const MapModel& model) {
    if (model.buffers.empty()) return fmt::format("`{}`: no tensor memory", model.kernel);
    if (model.function)
        return fmt::format("`{}`, a function: columns count from what each parameter's address names",
                           model.kernel);
    if (!model.fits())
        return fmt::format("`{}`: {} columns needed, {} more than there are; {} in use at most (line {})",
                           model.kernel, model.needed, model.needed - model.limit, model.peak,
                           model.peak_line);
    return fmt::format("`{}`: {} columns allocated, {} in use at most (line {})", model.kernel,
                       model.allocated, model.peak, model.peak_line);
}

std::string title_of(const MapBuffer& buffer) {
    std::string text =
        fmt::format("{}: {}, {}, columns {}..{}{}", buffer.name, buffer.type, buffer.layout_words,
                    buffer.column - buffer.base, buffer.end() - buffer.base - 1, lanes_phrase(buffer.lanes));
    if (!buffer.used)
        text += ", never used, so kept for the whole kernel";
    else if (buffer.first == buffer.last)
        text += fmt::format(", line {}", buffer.first);
    else
        text += fmt::format(", lines {}..{}", buffer.first, buffer.last);
    if (!buffer.inside.empty()) text += fmt::format(", an alias in `{}`", buffer.inside);
    if (buffer.times > 1) text += fmt::format(", {} times", buffer.times);
    return text;
}

std::string map_text(const MapModel& model, bool color) { return Picture(model, color).text(); }

} // namespace tmemc::inspect
