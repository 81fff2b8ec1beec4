// Where the hardware puts an element that a register of another shape wants: the answer is laid over the
// formulas of the oracle, which give the cell that the named thread and register meet.
#include "match/disagreement.hpp"

#include "tmem_oracle.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

using namespace tmemc;
using namespace tmemc::match;

namespace {

atlas::Step cell_of(const std::string& shape, int row, int column, bool pack, int thread, int reg) {
    const oracle::Cell cell = oracle::message_cell(shape, row, column, pack, 0, thread, reg);
    return {cell.lane, cell.column};
}

RegisterCells register_of(const std::string& shape, int row, int column, bool pack, int reg) {
    RegisterCells cells{0, reg, pack};
    for (int thread = 0; thread < 32; ++thread)
        cells.cells[static_cast<std::size_t>(thread)] = cell_of(shape, row, column, pack, thread, reg);
    return cells;
}

/// A message of the shape whose register `reg` of thread 0 meets `start`, if there is one.
std::optional<atlas::Step> origin(const std::string& shape, bool pack, int reg, const atlas::Step& start) {
    for (int row = 0; row < 32; row += 16)
        for (int column = 0; column <= start.column; ++column)
            if (cell_of(shape, row, column, pack, 0, reg) == start) return atlas::Step{row, column};
    return std::nullopt;
}

} // namespace

TEST_CASE("the thread and the register that meet the cell are those of the formulas") {
    const Signatures signatures(atlas::shape_rows());
    std::map<std::string, int> judged;
    for (const char* wanted : {"32x32b", "16x64b", "16x128b", "16x256b"})
        for (const bool pack : {false, true})
            for (int reg = 0; reg < 8; ++reg) {
                const RegisterCells word = register_of(wanted, 0, 16, pack, reg);
                for (std::size_t row = 0; row < signatures.rows().size(); ++row) {
                    const atlas::ShapeRow& shape = signatures.rows()[row];
                    const auto answer = signatures.compare(word, row);
                    const auto* misfit = std::get_if<Misfit>(&answer);
                    if (shape.split || misfit == nullptr || misfit->why != Misfit::Why::pattern) continue;
                    const std::string name(shape.name);
                    const Disagreement found = out_of_pattern(word, *misfit, shape, 0, 0);
                    const auto at = origin(name, pack, reg, word.cells[0]);
                    if (!at || !found.its_reg) continue;
                    CHECK_MESSAGE(cell_of(name, at->lane, at->column, pack, found.its_thread,
                                          *found.its_reg) == found.cell,
                                  wanted << " under " << name << ", register " << reg
                                         << (pack ? ", packed" : ""));
                    ++judged[name];
                }
            }
    for (const auto& [name, count] : judged) MESSAGE(name << ": " << count);
    CHECK(judged.size() == 4);
}
