// The choice between direct and staged against measured bandwidth, and the banks of shared memory that the
// accesses of staged copies meet in.
#include "programs.hpp"

#include "atlas/images.hpp"
#include "lower/global_path.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

using namespace tmemc;
using namespace tmemc::lower;
using namespace tmemc::lower::test;
using Path = sema::GlobalCopy::Path;

namespace {

layout::SlotMap atom(const std::string& name, int rows, int cols, int bits) {
    return std::get<layout::SlotMap>(
        layout::slot_map(atlas::layout_of(*atlas::atom(name, rows), cols, bits), rows, cols, bits));
}

GlobalPath path_of(layout::SlotMap map, base::Dtype dtype, std::int64_t pitch, Path path,
                   sema::GlobalCopy::Op op = sema::GlobalCopy::Op::load) {
    Program p;
    const std::size_t a = p.tensor("A", dtype, map.rows, static_cast<int>(pitch));
    sema::GlobalCopy copy;
    copy.op = op;
    copy.path = path;
    copy.fragment = {p.fragment("X", dtype, map), 0, 0, map.rows, map.cols, {}};
    copy.tensor = {a, 0, 0, map.rows, map.cols, {}};
    base::Diagnostics none;
    return GlobalPaths(p.kernel(), 32).path(copy, {}, none);
}

/// How many times the busiest bank is met in one phase of an access: 32 lanes of 4 bytes, 16 of 8, 8 of 16.
int conflicts(const StagedBits& bits, const Access& access, std::uint32_t constant) {
    const std::size_t lanes = 32U * 4U / static_cast<unsigned>(std::max(access.bytes, 4));
    int most = 0;
    for (std::size_t first = 0; first < 32; first += lanes) {
        std::map<std::uint32_t, std::set<std::uint32_t>> words; // by bank
        for (std::size_t lane = first; lane < first + lanes; ++lane) {
            if (!access.threads[lane]) continue;
            XorBytes at{constant};
            for (std::size_t bit = 0; bit < thread_bits; ++bit)
                if ((lane >> bit & 1) != 0) at = at + bits[bit];
            for (std::uint32_t word = at.value / 4;
                 word <= (at.value + static_cast<unsigned>(access.bytes) - 1) / 4; ++word)
                words[word % 32].insert(word);
        }
        for (const auto& [bank, in] : words) most = std::max(most, static_cast<int>(in.size()));
    }
    return most;
}

struct Worst {
    int fragment = 0, walk = 0;
    bool operator==(const Worst&) const = default;
};

Worst worst(const std::string& name, int rows, int cols, base::Dtype dtype) {
    const GlobalPath path = path_of(atom(name, rows, cols, base::bits(dtype)), dtype, cols, Path::staged);
    Worst found;
    for (const auto& round : path.staged->rounds)
        for (const StagedPiece& piece : round) {
            for (const StagedGroup& group : piece.fragment)
                for (const Access& access : group.accesses)
                    found.fragment =
                        std::max(found.fragment,
                                 conflicts(group.bits, access, static_cast<std::uint32_t>(access.offset)));
            for (const AccessGroup& group : piece.walk)
                for (const Access& access : group.accesses)
                    found.walk = std::max(
                        found.walk,
                        conflicts(piece.walk_bits, access,
                                  piece.walk_offsets.at(static_cast<std::size_t>(access.registers[0]))));
        }
    return found;
}

} // namespace

TEST_CASE("the choice is the winner of the measurements") {
    std::ifstream file("data/global_bandwidth.txt");
    REQUIRE(file);
    int rows = 0;
    std::map<bool, int> winners;
    for (std::string line; std::getline(file, line);) {
        if (line.empty() || line[0] == '#') continue;
        std::istringstream words(line);
        std::string name, staged;
        int cols = 0;
        double direct = 0;
        words >> name >> cols >> direct >> staged;
        constexpr double alike = 1; // percent: then the fewer instructions win
        const bool stages = staged != "-" && std::stod(staged) > direct + alike;
        for (const auto op : {sema::GlobalCopy::Op::load, sema::GlobalCopy::Op::store}) {
            CAPTURE(line);
            const GlobalPath path =
                path_of(atom(name, 128, cols, 32), base::Dtype::f32, cols, Path::choose, op);
            CHECK(path.staged.has_value() == stages);
        }
        ++rows;
        ++winners[stages];
    }
    CHECK(rows == 20);
    CHECK(winners[true] == 18);
}

TEST_CASE("what a line of memory costs is what is counted") {
    const auto lines = [](int cols, std::int64_t pitch, Path path) {
        const GlobalPath found = path_of(row_per_thread(cols, 32), base::Dtype::f32, pitch, path);
        return std::pair(found.direct_lines, found.staged_lines);
    };
    CHECK(lines(4, 4, Path::direct) == std::pair(16, 0));       // 512 bytes a warp
    CHECK(lines(32, 32, Path::staged) == std::pair(1024, 128)); // 8 accesses of 128 threads
    CHECK(lines(8, 256, Path::choose) == std::pair(256, 128));  // a line of its own for every row, both ways
    CHECK(lines(16, 256, Path::choose) == std::pair(512, 128));
    CHECK_FALSE(path_of(row_per_thread(4, 32), base::Dtype::f32, 256, Path::choose)
                    .staged); // half a sector both ways
    CHECK(path_of(row_per_thread(8, 32), base::Dtype::f32, 256, Path::choose).staged);
    CHECK(path_of(row_per_thread(16, 32), base::Dtype::f32, 256, Path::choose).staged);
}

TEST_CASE("how many lanes of staged accesses meet in a bank") {
    std::string table;
    for (const base::Dtype dtype : {base::Dtype::u8, base::Dtype::bf16, base::Dtype::f32})
        for (const auto& [name, rows] :
             {std::pair("32x32b", 128), std::pair("32x32b", 64), std::pair("32x32b", 32),
              std::pair("16x64b", 128), std::pair("16x128b", 128), std::pair("16x256b", 128),
              std::pair("16x32bx2", 64)})
            for (const int words : {16, 32, 64}) {
                const int cols = words * 32 / base::bits(dtype);
                const Worst found = worst(name, rows, cols, dtype);
                table += std::string(name) + " " + std::to_string(rows) + " rows, " +
                         std::to_string(words * 4) + " bytes: " + std::to_string(found.fragment) + ", walk " +
                         std::to_string(found.walk) + "\n";
                CAPTURE(table);
                const bool two = std::string(name) == "16x64b" || std::string(name) == "16x256b";
                CHECK(found == Worst{two ? 2 : 1, 1}); // as staged_layout.hpp says
            }
}
