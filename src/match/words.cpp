// The two ways in which a register's parts may lie in cells, tried thread by thread; the first thread decides
// for its warp. The obstacle names thread and register; which row and column that is, refuse.cpp looks up.
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

    /// Fills `result` with the cells of a register, or says why there is no such thing.
    std::optional<Obstacle> read(std::size_t index, RegisterCells& result) const {
        const WarpRegister& which = pairs_.registers[index];
        result.warp = which.warp;
        result.reg = which.reg;
        for (int thread = 0; thread < atlas::lanes_per_warp; ++thread) {
            if (!whole(index, thread)) return obstacle(index, thread);
            const Cell& first = pairs_.at(index, thread, 0);
            const Filling filling = filling_of(index, thread);
            if (thread == 0) result.pack = filling == Filling::packed;
            if (filling == Filling::none || result.pack != (filling == Filling::packed))
                return at_thread(Obstacle::What::mixed_word, which, thread);
            result.cells[static_cast<std::size_t>(thread)] = {first.lane, first.column};
        }
        return std::nullopt;
    }

  private:
    bool whole(std::size_t index, int thread) const {
        return pairs_.present[pairs_.word(index, thread)] == (1 << pairs_.parts) - 1;
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

    /// The copy has nothing of the thread's register, or only some of its parts: then the first that is
    /// missing.
    Obstacle obstacle(std::size_t index, int thread) const {
        const WarpRegister& which = pairs_.registers[index];
        const int present = pairs_.present[pairs_.word(index, thread)];
        if (present == 0) return at_thread(Obstacle::What::part_warp, which, thread);
        Obstacle found = at_thread(Obstacle::What::part_word, which, thread);
        while ((present >> (found.bit / bits_) & 1) != 0) found.bit += bits_;
        return found;
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
    std::vector<RegisterCells> result(pairs.registers.size());
    for (std::size_t index = 0; index < result.size(); ++index)
        if (const auto obstacle = reader.read(index, result[index])) return *obstacle;
    return result;
}

} // namespace tmemc::match
