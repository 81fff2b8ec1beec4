// Runs cut into messages and shared between warps, against every possible cut.
#include "match/share.hpp"
#include "match/verify_plan.hpp"

#include "base/invariant.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <random>

using namespace tmemc;
using namespace tmemc::match;

namespace {

using atlas::Shape;

/// Tiles of `shape` side by side from `column`, in these registers.
std::vector<Tile> run(Shape shape, int column, const std::vector<int>& registers, int row = 0) {
    const atlas::ShapeRow& facts = atlas::row(shape);
    std::vector<Tile> tiles;
    for (std::size_t i = 0; i < registers.size(); i += static_cast<std::size_t>(facts.registers)) {
        Tile tile{&facts, false, row, column + static_cast<int>(tiles.size()) * facts.columns,
                  facts.split ? 40 : 0};
        std::copy_n(registers.begin() + static_cast<std::ptrdiff_t>(i), facts.registers,
                    tile.registers.begin());
        tiles.push_back(tile);
    }
    return tiles;
}

std::vector<int> counting(int first, int count) {
    std::vector<int> list(static_cast<std::size_t>(count));
    std::iota(list.begin(), list.end(), first);
    return list;
}

std::vector<int> nums(const std::vector<Message>& messages) {
    std::vector<int> list;
    list.reserve(messages.size());
    for (const Message& message : messages) list.push_back(message.num);
    return list;
}

const std::vector<int> all_warps{0, 1, 2, 3};

/// The cheapest cut of every run, one after the other.
std::vector<Message> cut(std::vector<Tile> tiles, const std::vector<int>& warps, const Limits& limits) {
    std::vector<Message> all;
    for (const RunCuts& run : match::cut(std::move(tiles), warps, limits, 1))
        all.insert(all.end(), run.front().begin(), run.front().end());
    return all;
}

std::vector<Message> share(const WarpTiles& tiles, const Limits& limits) {
    return match::share(tiles, limits, 1).front();
}

int total(const std::vector<Message>& messages) { return cost_of(messages).total(); }

/// The price list once more: 8 a message, 9 when split, a move per register that is not where the vector
/// wants it.
int price(Shape shape, const std::vector<int>& vector) {
    const int message = shape == Shape::s16x32bx2 ? 9 : 8;
    const auto n = static_cast<int>(vector.size());
    const int unit = std::min(n, 4);
    bool free = true;
    for (int i = 0; i < n; ++i) {
        const int block = i / unit * unit;
        const int start = vector[static_cast<std::size_t>(block)];
        if (start % unit != 0 || vector[static_cast<std::size_t>(i)] != start + i % unit) free = false;
    }
    return message + (free ? 0 : n);
}

/// (cost, messages) of the cheapest cut of the tiles from `first` on, by trying all.
std::pair<int, int> cheapest(Shape shape, const std::vector<int>& registers, std::size_t first, int widest) {
    if (first == registers.size()) return {0, 0};
    const auto per_tile = static_cast<std::size_t>(atlas::row(shape).registers);
    std::pair<int, int> best{1 << 20, 0};
    for (std::size_t num = 1; first + num * per_tile <= registers.size() && static_cast<int>(num) <= widest;
         num *= 2) {
        const auto from = registers.begin() + static_cast<std::ptrdiff_t>(first);
        auto rest = cheapest(shape, registers, first + num * per_tile, widest);
        rest.first += price(shape, {from, from + static_cast<std::ptrdiff_t>(num * per_tile)});
        rest.second += 1;
        best = std::min(best, rest);
    }
    return best;
}

/// (cost, messages) of every cut of the tiles from `first` on.
std::vector<std::pair<int, int>> every_cut(Shape shape, const std::vector<int>& registers, std::size_t first,
                                           int widest) {
    if (first == registers.size()) return {{0, 0}};
    std::vector<std::pair<int, int>> all;
    const auto per_tile = static_cast<std::size_t>(atlas::row(shape).registers);
    for (std::size_t num = 1; first + num * per_tile <= registers.size() && static_cast<int>(num) <= widest;
         num *= 2) {
        const auto from = registers.begin() + static_cast<std::ptrdiff_t>(first);
        const int cost = price(shape, {from, from + static_cast<std::ptrdiff_t>(num * per_tile)});
        for (const auto& rest : every_cut(shape, registers, first + num * per_tile, widest))
            all.emplace_back(rest.first + cost, rest.second + 1);
    }
    return all;
}

} // namespace

TEST_CASE("a run is cut widest first when nothing is dearer") {
    CHECK(nums(cut(run(Shape::s32x32b, 0, counting(0, 7)), all_warps, {})) == std::vector{4, 2, 1});
    CHECK(nums(cut(run(Shape::s32x32b, 0, counting(0, 208)), all_warps, {})) == std::vector{128, 64, 16});
    CHECK(nums(cut(run(Shape::s16x256b, 0, counting(0, 4 * 3)), all_warps, {})) == std::vector{2, 1});
    CHECK(nums(cut(run(Shape::s32x32b, 0, counting(0, 128)), all_warps, {32})) ==
          std::vector{32, 32, 32, 32});
    CHECK(nums(cut(run(Shape::s16x128b, 0, counting(0, 128)), all_warps, {32})) ==
          std::vector{16, 16, 16, 16});
}

TEST_CASE("no message is wider than its shape allows") {
    for (const atlas::ShapeRow& shape : atlas::shape_rows())
        for (const Message& message : cut(run(shape.shape, 0, counting(0, 256)), all_warps, {1024}))
            CHECK(message.num * shape.registers == 128);
}

TEST_CASE("registers off their alignment are moved or cut, whichever is cheaper") {
    CHECK(nums(cut(run(Shape::s32x32b, 0, counting(2, 3)), all_warps, {})) == std::vector{2, 1});
    CHECK(nums(cut(run(Shape::s32x32b, 0, counting(1, 4)), all_warps, {})) == std::vector{4});
    const auto blocks = cut(run(Shape::s32x32b, 0, {4, 5, 6, 7, 0, 1, 2, 3}), all_warps, {});
    REQUIRE(blocks.size() == 1);
    CHECK(cost_of(blocks[0]) == 8);
}

TEST_CASE("of equally dear cuts the one with fewer messages is taken") {
    // Widest first would be x8 and three more, for 40 as well.
    const std::vector<int> registers{4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14,
                                     15, 16, 17, 23, 19, 20, 21, 22, 18, 24, 25};
    const auto messages = cut(run(Shape::s16x128b, 0, registers), all_warps, {});
    CHECK(messages.size() == 3);
    CHECK(std::accumulate(messages.begin(), messages.end(), 0,
                          [](int sum, const Message& message) { return sum + cost_of(message); }) == 40);
}

TEST_CASE("messages say where they are and what they move") {
    const auto messages = cut(run(Shape::s16x32bx2, 3, counting(0, 3), 16), {1, 2}, {});
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].shape == Shape::s16x32bx2);
    CHECK(messages[0].row == 16);
    CHECK(messages[0].column == 3);
    CHECK(messages[0].registers == std::vector{0, 1});
    CHECK(messages[0].half_split == 40);
    CHECK(messages[0].warps == std::vector{1, 2});
    CHECK(messages[1].column == 5);
    CHECK(cut(run(Shape::s16x64b, 3, counting(0, 2)), {1}, {})[0].half_split == std::nullopt);
}

TEST_CASE("tiles with a gap, of another row, or of another half split are another run") {
    std::vector<Tile> tiles = run(Shape::s32x32b, 0, counting(0, 4));
    const auto more = run(Shape::s32x32b, 5, counting(4, 4));
    tiles.insert(tiles.end(), more.begin(), more.end());
    CHECK(nums(cut(tiles, all_warps, {})) == std::vector{4, 4});
    std::vector<Tile> slabs = run(Shape::s16x64b, 0, counting(0, 2), 0);
    const auto lower = run(Shape::s16x64b, 4, counting(2, 2), 16);
    slabs.insert(slabs.end(), lower.begin(), lower.end());
    CHECK(nums(cut(slabs, all_warps, {})) == std::vector{2, 2});
    std::vector<Tile> halves = run(Shape::s16x32bx2, 0, counting(0, 4));
    halves[2].half_split = halves[3].half_split = 8;
    CHECK(nums(cut(halves, all_warps, {})) == std::vector{2, 2});
}

TEST_CASE("of two tiles in one place, a run goes on with the one whose register is next") {
    std::vector<Tile> tiles = run(Shape::s32x32b, 0, {0, 1, 2, 3});
    const auto twice = run(Shape::s32x32b, 0, {8, 9, 10, 11});
    tiles.insert(tiles.end(), twice.begin(), twice.end());
    const auto messages = cut(tiles, all_warps, {});
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].registers == std::vector{0, 1, 2, 3});
    CHECK(messages[1].registers == std::vector{8, 9, 10, 11});
}

TEST_CASE("no other cut is cheaper") {
    std::mt19937 random(11);
    int reordered = 0;
    for (int trial = 0; trial < 400; ++trial) {
        const auto shape = static_cast<Shape>(random() % 5);
        const int per_tile = atlas::row(shape).registers;
        const int tiles = 1 + static_cast<int>(random() % 11);
        std::vector<int> registers = counting(static_cast<int>(random() % 5), tiles * per_tile);
        const auto shuffles = random() % 4;
        for (std::size_t i = 0; i < shuffles; ++i)
            std::swap(registers[random() % registers.size()], registers[random() % registers.size()]);
        reordered += std::is_sorted(registers.begin(), registers.end()) ? 0 : 1;
        const Limits limits{1 << (3 + random() % 3)};
        const auto messages = cut(run(shape, 0, registers), all_warps, limits);
        std::vector<int> moved;
        int cost = 0;
        for (const Message& message : messages) {
            cost += cost_of(message);
            moved.insert(moved.end(), message.registers.begin(), message.registers.end());
        }
        REQUIRE(moved == registers);
        const auto best = cheapest(shape, registers, 0, limits.registers / per_tile);
        REQUIRE(cost == best.first);
        REQUIRE(static_cast<int>(messages.size()) == best.second);
    }
    CHECK(reordered > 100);
}

TEST_CASE("the second cut of a run is the cheapest but one") {
    std::mt19937 random(13);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<int> registers =
            counting(static_cast<int>(random() % 5), 1 + static_cast<int>(random() % 9));
        std::swap(registers[random() % registers.size()], registers[random() % registers.size()]);
        const Limits limits{1 << random() % 4};
        const auto found = match::cut(run(Shape::s32x32b, 0, registers), all_warps, limits, 2);
        REQUIRE(found.size() == 1);
        auto all = every_cut(Shape::s32x32b, registers, 0, limits.registers);
        std::sort(all.begin(), all.end());
        REQUIRE(found[0].size() == std::min<std::size_t>(all.size(), 2));
        for (std::size_t rank = 0; rank < found[0].size(); ++rank) {
            REQUIRE(total(found[0][rank]) == all[rank].first);
            REQUIRE(static_cast<int>(found[0][rank].size()) == all[rank].second);
        }
        if (found[0].size() == 2) REQUIRE(found[0][0] != found[0][1]);
    }
}

TEST_CASE("the next best of several warps is another cut or another way to share") {
    const auto eight = run(Shape::s32x32b, 0, counting(0, 8)), four = run(Shape::s32x32b, 0, counting(0, 4));
    const auto ways = match::share({eight, eight, four, four}, {}, 2);
    REQUIRE(ways.size() == 2);
    CHECK(total(ways[0]) == 8 + 2 * 3);
    CHECK(total(ways[1]) == 16 + 3); // tile by tile: x4 for all, x4 for two
    CHECK(ways[1].front().warps == all_warps);
    const auto one = run(Shape::s32x32b, 0, {0});
    CHECK(match::share({one, {}, {}, {}}, {}, 2).size() == 1);
    const auto apart = match::share({one, one, {}, {}}, {}, 2);
    REQUIRE(apart.size() == 2);
    CHECK(total(apart[1]) == 8 + 2 * 3);
}

TEST_CASE("warps that need the same share a message") {
    const auto tiles = run(Shape::s32x32b, 4, counting(4, 8));
    const auto two = share({tiles, tiles, {}, {}}, {});
    REQUIRE(two.size() == 1);
    CHECK(two[0].warps == std::vector{0, 1});
    CHECK(total(two) == 8 + 3);
    CHECK(total(share({tiles, tiles, tiles, tiles}, {})) == 8);
}

TEST_CASE("sharing tile by tile or class by class, whichever is cheaper") {
    const auto eight = run(Shape::s32x32b, 0, counting(0, 8)), four = run(Shape::s32x32b, 0, counting(0, 4));
    const auto by_class = share({eight, eight, four, four}, {});
    REQUIRE(by_class.size() == 2);
    CHECK(by_class[0].num == 8);
    CHECK(by_class[0].warps == std::vector{0, 1});
    CHECK(by_class[1].warps == std::vector{2, 3});
    CHECK(total(by_class) == 8 + 2 * 3);
    // One tile that only warp 0 needs, far from the others: shared messages and one of its own.
    auto more = four;
    more.push_back(run(Shape::s32x32b, 32, {4})[0]);
    const auto by_tile = share({more, four, four, four}, {});
    REQUIRE(by_tile.size() == 2);
    CHECK(by_tile[0].warps == all_warps);
    CHECK(by_tile[1].warps == std::vector{0});
}

TEST_CASE("messages stand in ascending row and column") {
    auto tiles = run(Shape::s16x64b, 8, counting(0, 4), 16);
    const auto upper = run(Shape::s16x64b, 8, counting(4, 4), 0);
    tiles.insert(tiles.end(), upper.begin(), upper.end());
    const auto messages = share({tiles, tiles, tiles, tiles}, {});
    REQUIRE(messages.size() == 2);
    CHECK(messages[0].row == 0);
    CHECK(messages[1].row == 16);
}

TEST_CASE("the self-check throws at a plan that does something else") {
    RegisterCells wanted[2]{{0, 0}, {0, 1}};
    for (int l = 0; l < 32; ++l)
        for (int q = 0; q < 2; ++q) wanted[q].cells[static_cast<std::size_t>(l)] = {l, 4 + q};
    const std::vector<RegisterCells> copy(wanted, wanted + 2);
    const auto shapes = atlas::shape_rows();
    const Message good{Shape::s32x32b, 2, 0, 4, {0, 1}, {0}};
    CHECK_NOTHROW(verify_plan(copy, {good}, shapes));
    const auto wrong = [&](auto change) {
        Message message = good;
        change(message);
        CHECK_THROWS_AS(verify_plan(copy, {message}, shapes), base::InternalError);
    };
    wrong([](Message& m) { m.column = 5; });
    wrong([](Message& m) { m.row = 16; });
    wrong([](Message& m) { m.registers = {1, 0}; });
    wrong([](Message& m) { m.registers = {0}; });
    wrong([](Message& m) { m.warps = {0, 1}; });
    wrong([](Message& m) { m.pack = true; });
    wrong([](Message& m) { m.shape = Shape::s16x64b; });
    wrong([](Message& m) {
        m.num = 1;
        m.registers = {0};
    });
    CHECK_THROWS_AS(verify_plan(copy, {good, good}, shapes), base::InternalError);
    const std::vector<RegisterCells> one{copy[0]};
    Message packed{Shape::s32x32b, 1, 0, 4, {0}, {0}};
    CHECK_NOTHROW(verify_plan(one, {packed}, shapes));
    packed.pack = true;
    CHECK_THROWS_AS(verify_plan(one, {packed}, shapes), base::InternalError);
    CHECK_THROWS_AS(verify_plan(copy, {}, shapes), base::InternalError);
}
