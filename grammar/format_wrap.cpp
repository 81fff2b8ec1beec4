// A statement to lines. Most fit as they are. A longer one is broken where that costs least, counted over all
// its lines: outside of brackets rather than inside, behind a comma rather than behind a `+`; what can be
// broken nowhere stays long. Lines behind the first are indented by four, which no block is.
//
//     expect B ~= select(A < 0.0, A * slope, A) + cols(Bias) + rows(row_max(A)) * cols(Gain)
//         rtol 1e-3 atol 1e-5;
#include "grammar/format_steps.hpp"

#include <limits>
#include <utility>

namespace tmemc::grammar {

namespace {

constexpr std::size_t widest = 100, block_indent = 2, further_indent = 4;
constexpr std::int64_t too_wide = 1000; // the cost of a column too many

/// Pieces that stay together.
struct Chunk {
    std::string text;
    std::size_t width = 0;
    int break_cost = 0;
    bool blank = false; // before it, unless it begins a line
};

std::vector<Chunk> chunks_of(const std::vector<Piece>& code) {
    std::vector<Chunk> chunks;
    for (const Piece& piece : code) {
        if (chunks.empty() || piece.break_cost != never)
            chunks.push_back({piece.text, 0, chunks.empty() ? 0 : piece.break_cost, piece.blank});
        else
            chunks.back().text += (piece.blank ? " " : "") + piece.text;
    }
    for (Chunk& chunk : chunks) chunk.width = columns(chunk.text);
    return chunks;
}

/// For each chunk, behind which chunk its line ends when it begins one. Found from the last chunk on; of
/// equals the longest first line.
std::vector<std::size_t> best_ends(const std::vector<Chunk>& chunks, std::size_t first_indent,
                                   std::size_t indent) {
    std::vector<std::size_t> ends(chunks.size());
    std::vector<std::int64_t> costs(chunks.size() + 1, 0);
    for (std::size_t begin = chunks.size(); begin-- > 0;) {
        std::int64_t best = std::numeric_limits<std::int64_t>::max();
        std::size_t width = begin == 0 ? first_indent : indent;
        for (std::size_t end = begin; end < chunks.size(); ++end) {
            width += chunks[end].width + (end > begin && chunks[end].blank ? 1 : 0);
            if (width > widest && end > begin) break;
            std::int64_t cost = costs[end + 1];
            if (width > widest) cost += too_wide * static_cast<std::int64_t>(width - widest);
            if (end + 1 < chunks.size()) cost += chunks[end + 1].break_cost;
            if (cost > best) continue;
            best = cost;
            ends[begin] = end + 1;
        }
        costs[begin] = best;
    }
    return ends;
}

class Wrapper {
  public:
    Wrapper(const Statement& statement, std::vector<Line>& lines)
        : statement_(statement), lines_(lines), indent_(block_indent * statement.depth) {}

    void run() {
        std::vector<Piece> code;
        for (const Piece& piece : statement_.pieces) {
            if (!piece.own_line && !piece.trailing) {
                code.push_back(piece);
                continue;
            }
            add_code(code);
            if (piece.trailing)
                lines_.back().comment = piece.text;
            else
                add_comment(piece.text);
        }
        add_code(code);
    }

  private:
    Line& add() {
        Line& line = lines_.emplace_back();
        line.depth = statement_.depth;
        line.indent = indent_;
        line.blank_line = first_ && statement_.blank_line;
        if (first_) indent_ += further_indent;
        first_ = false;
        return line;
    }
    void add_comment(const std::string& text) {
        Line& line = add();
        line.code = text;
        line.only_comment = true;
    }
    void add_code(std::vector<Piece>& code) {
        const std::vector<Chunk> chunks = chunks_of(code);
        const std::size_t further = first_ ? indent_ + further_indent : indent_;
        const std::vector<std::size_t> ends = best_ends(chunks, indent_, further);
        for (std::size_t begin = 0; begin < chunks.size(); begin = ends[begin]) {
            Line& line = add();
            for (std::size_t i = begin; i < ends[begin]; ++i)
                line.code += (i > begin && chunks[i].blank ? " " : "") + chunks[i].text;
        }
        code.clear();
    }

    const Statement& statement_;
    std::vector<Line>& lines_;
    std::size_t indent_;
    bool first_ = true; // no line of this statement so far
};

} // namespace

void wrap(const Statement& statement, std::vector<Line>& lines) { Wrapper(statement, lines).run(); }

} // namespace tmemc::grammar
