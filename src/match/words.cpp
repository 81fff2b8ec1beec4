// The two ways in which a register's parts may lie in cells, tried thread by thread; the first thread decides for its
// warp. The obstacle names thread and register; which row and column that is, refuse.cpp looks up.
#include "match/words.hpp"

#include "atlas/limits.hpp"

namespace tmemc::match {

namespace {

using layout::Cell;

/// How a register's parts lie in cells.
enum class Filling : std::uint8_t { none, dense, packed };

class WordReader {
  public:
    explicit WordReader(const Pairs& pairs) : pairs_(pairs), bits_(32 / pairs.parts) {}

    std::variant<RegisterCells, Obstacle> read(std::size_t index) const {
        const WarpRegister& which = pairs_.registers[index];
        RegisterCells result{which.warp, which.reg};
        for (int thread = 0; thread < atlas::lanes_per_warp; ++thread) {
            if (const auto missing = first_missing(index, thread)) return obstacle(index, thread, *missing);
            const Cell& first = pairs_.at(index, thread, 0);
            const Filling filling = filling_of(index, thread);
            if (thread == 0) result.pack = filling == Filling::packed;
            if (filling == Filling::none || result.pack != (filling == Filling::packed))
                return at_thread(Obstacle::What::mixed_word, which, thread);
            result.cells[static_cast<std::size_t>(thread)] = {first.lane, first.column};
        }
        return result;
    }

  private:
    std::optional<int> first_missing(std::size_t index, int thread) const {
        for (int part = 0; part < pairs_.parts; ++part)
            if (pairs_.at(index, thread, part).lane == no_lane) return part;
        return std::nullopt;
    }

    Filling filling_of(std::size_t index, int thread) const {
        const Cell& first = pairs_.at(index, thread, 0);
        bool dense = first.bit == 0, packed = first.bit == 0 && bits_ == 16;
        for (int part = 1; part < pairs_.parts; ++part) {
            const Cell& cell = pairs_.at(index, thread, part);
            if (cell.lane != first.lane) return Filling::none;
            dense = dense && cell.column == first.column && cell.bit == part * bits_;
            packed = packed && cell.column == first.column + part && cell.bit == 0;
        }
        return dense ? Filling::dense : packed ? Filling::packed : Filling::none;
    }

    /// A part is missing: the whole register, of this thread or of the earlier ones, or only some of its bits.
    Obstacle obstacle(std::size_t index, int thread, int part) const {
        const WarpRegister& which = pairs_.registers[index];
        for (int other = 0; other < pairs_.parts; ++other) {
            if (pairs_.at(index, thread, other).lane == no_lane) continue;
            Obstacle found = at_thread(Obstacle::What::part_word, which, thread);
            found.bit = part * bits_;
            return found;
        }
        return at_thread(Obstacle::What::part_warp, which, thread);
    }

    static Obstacle at_thread(Obstacle::What what, const WarpRegister& which, int thread) {
        Obstacle found{what};
        found.thread = which.warp * atlas::lanes_per_warp + thread;
        found.reg = which.reg;
        return found;
    }

    const Pairs& pairs_;
    int bits_;
};

} // namespace

std::variant<std::vector<RegisterCells>, Obstacle> words_of(const Pairs& pairs) {
    const WordReader reader(pairs);
    std::vector<RegisterCells> result;
    result.reserve(pairs.registers.size());
    for (std::size_t index = 0; index < pairs.registers.size(); ++index) {
        auto read = reader.read(index);
        if (const auto* obstacle = std::get_if<Obstacle>(&read)) return *obstacle;
        result.push_back(std::get<RegisterCells>(read));
    }
    return result;
}

} // namespace tmemc::match
