// What fragments and buffers have in common when their maps are made: whole words, and the words for a bad
// literal.
#include "sema/images.hpp"

#include <fmt/format.h>

namespace tmemc::sema {

namespace catalogue = base::catalogue;

std::optional<int> words_of(Environment& env, const Declared& object, const atlas::ImageRow& row,
                            std::string_view image, bool unpacked) {
    const int words = atlas::words_per_row(object.cols(), object.bits(), unpacked);
    if (words > 0 && words % row.word_multiple == 0) return words;
    const int per_word = unpacked ? 1 : base::per_word(object.shape.dtype);
    const int multiple = row.word_multiple * per_word;
    base::Diagnostic& misfit =
        env.reports.report(catalogue::columns_do_not_fit, object.tensor.place, object.name.text,
                           object.cols(), base::name(object.shape.dtype), image, multiple);
    if (per_word > 1)
        misfit.note(fmt::format("{} elements of {} share 32 bits", per_word, base::name(object.shape.dtype)));
    if (row.word_multiple > 1)
        misfit.note(fmt::format("{} is made of units {} columns of 32 bits wide", image, row.word_multiple));
    const int below = object.cols() / multiple * multiple;
    misfit.help(below == 0
                    ? fmt::format("{} columns would fit", multiple)
                    : fmt::format("{} or {} columns would fit", below, std::int64_t{below} + multiple));
    return std::nullopt;
}

std::string names_with(std::span<const atlas::ImageRow> table, int rows) {
    std::string names;
    for (const atlas::ImageRow& row : table)
        if (row.rows == rows) names += (names.empty() ? "" : ", ") + std::string(row.name);
    return names;
}

void report_problem(Environment& env, const layout::MapProblem& problem, const Declared& object,
                    Span literal) {
    using What = layout::MapProblem::What;
    const std::string& name = object.name.text;
    switch (problem.what) {
    case What::size:
        env.reports.report(catalogue::layout_size, literal, problem.found, name, problem.wanted)
            .note(fmt::format("`{}` is {} by {}", name, object.rows(), object.cols()));
        return;
    case What::axis:
        env.reports.report(catalogue::layout_axis, literal, layout::name(problem.axis), name)
            .help("fragments use tid_in_wg, wid_in_wg, laneid and m, where a stride without an axis is; tmem "
                  "buffers "
                  "use TLane and TCol");
        return;
    case What::range: {
        base::Diagnostic& outside =
            env.reports.report(catalogue::layout_range, literal, problem.row, problem.col, name,
                               problem.found, layout::name(problem.axis), problem.wanted - 1);
        if (problem.found == INT64_MAX || problem.found == INT64_MIN)
            outside.note("or further: 64 bits hold no more");
        return;
    }
    case What::collision:
        env.reports.report(catalogue::layout_collision, literal, problem.row, problem.col, problem.other_row,
                           problem.other_col, name);
        return;
    }
}

std::optional<std::size_t> made(const std::vector<std::pair<ImageKey, std::size_t>>& images,
                                const ImageKey& key) {
    for (const auto& [known, index] : images)
        if (known == key) return index;
    return std::nullopt;
}

} // namespace tmemc::sema
