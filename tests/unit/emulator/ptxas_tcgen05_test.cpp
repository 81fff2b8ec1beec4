// The emulator takes the tcgen05 instructions that ptxas 13.0 takes, and refuses the others with their line:
// row by row of data/ptxas_tcgen05.txt, and every wrong length of every vector. Where the two differ on
// purpose the row stands in `exceptions`, with the reason. tcgen05.commit, cp, shift and mma are not
// emulated: they are refused by name.
#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

using namespace tmemc::emulator;
namespace base = tmemc::base;

namespace {

struct TableRow {
    std::string section, version, target, result, text;
};

// Where the emulator's loader says the opposite of ptxas.
const std::map<std::string, std::string> exceptions = {
    {"tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r9], 32; "
     "tcgen05.dealloc.cta_group::2.sync.aligned.b32 %ta, 32;",
     "a kernel that mixes cta_groups is a fault when it runs (TM0780), so that it can be shown where"},
};

std::vector<std::string> fields(const std::string& line, const std::string& between) {
    std::vector<std::string> list;
    std::size_t at = 0;
    for (std::size_t next; (next = line.find(between, at)) != std::string::npos; at = next + between.size())
        list.push_back(line.substr(at, next - at));
    list.push_back(line.substr(at));
    return list;
}

std::vector<TableRow> table() {
    std::ifstream stream("data/ptxas_tcgen05.txt");
    REQUIRE(stream.good());
    std::vector<TableRow> rows;
    for (std::string line; std::getline(stream, line);) {
        if (line.empty() || line.front() == '#') continue;
        auto f = fields(line, " | ");
        REQUIRE_MESSAGE(f.size() == 5, line);
        rows.push_back({f[0], f[1], f[2], f[3], f[4]});
    }
    return rows;
}

const std::map<std::string, int> registers_per_tile = {
    {"32x32b", 1}, {"16x64b", 1}, {"16x128b", 2}, {"16x256b", 4}, {"16x32bx2", 1}};

std::string vector_of(int count) {
    std::string list;
    for (int k = 0; k < count; ++k) list += fmt::format("{}%r{}", k == 0 ? "{" : ", ", k);
    return list + "}";
}

// "ld 16x64b 2 packed" with so many registers.
std::string message(const std::string& op, const std::string& shape, int num, const std::string& spelling,
                    int registers) {
    const bool split = shape == "16x32bx2";
    const std::string name = fmt::format("tcgen05.{}.sync.aligned.{}.x{}", op, shape, num);
    const std::string values = vector_of(registers), offset = split ? ", 16" : "";
    if (op == "ld.red") return name + spelling + " " + values + ", %u1, [%ta]" + offset + ";";
    const std::string packed = spelling != "packed" ? "" : op == "ld" ? ".pack::16b" : ".unpack::16b";
    if (op == "ld") return name + packed + ".b32 " + values + ", [%ta]" + offset + ";";
    return name + packed + ".b32 [%ta]" + offset + ", " + values + ";";
}
std::string message(const std::string& keys) {
    const auto f = fields(keys, " ");
    const int num = std::stoi(f[2]);
    return message(f[0], f[1], num, f[3], registers_per_tile.at(f[1]) * num);
}

// The line of the first complaint; 0 when the module is taken.
std::uint32_t refused(const std::string& version, const std::string& target, const std::string& body) {
    const base::Source source(
        "p.ptx",
        ".version " + version + "\n.target " + target +
            "\n.address_size 64\n.visible .entry k()\n{\n"
            ".reg .pred %p<9>; .reg .b16 %h<9>; .reg .b32 %r<260>; .reg .b64 %d<9>; .reg .f32 "
            "%f<9>; .reg .s32 %s<9>; .reg .u32 %u<9>; .reg .b32 %ta; .shared .align 8 .b32 S[64];\n" +
            body + "\nret;\n}\n");
    const LoadResult loaded = load(source);
    if (loaded.executable != nullptr) return 0;
    REQUIRE_FALSE(loaded.diagnostics.list.empty());
    return source.position(loaded.diagnostics.list.front().span.begin).line;
}

constexpr std::uint32_t body_line = 7;

} // namespace

TEST_CASE("the emulator takes the tcgen05 instructions that ptxas takes") {
    std::map<std::string, int> counts;
    int excepted = 0;
    for (const TableRow& row : table()) {
        const bool keys = row.section == "A" || row.section == "B" || row.section == "C";
        const std::string body = keys ? message(row.text) : row.text;
        const std::uint32_t line = refused(row.version, row.target, body);
        CAPTURE(row.section);
        CAPTURE(row.version);
        CAPTURE(row.target);
        CAPTURE(body);
        ++counts[row.section + " " + row.result];
        if (exceptions.count(body) != 0) {
            ++excepted;
            CHECK((line == 0) != (row.result == "accept"));
        } else {
            CHECK((line == 0) == (row.result == "accept"));
            CHECK((line == 0 || line == body_line));
        }
    }
    for (const auto& count : counts) MESSAGE(count.first, ": ", count.second);
    MESSAGE("exceptions: ", excepted);
    CHECK(counts.size() == 9); // of C there are only accepted rows
    CHECK(excepted == 2);      // one at two versions
}

TEST_CASE("no length of a vector but its own is taken") {
    int tried = 0;
    for (const auto& each : registers_per_tile) {
        const std::string& shape = each.first;
        const int per_tile = each.second;
        const int most = 128 / per_tile;
        for (int num = 1; num <= most; num *= 2) {
            const int right = num * per_tile;
            for (const std::string op : {"ld", "st"}) {
                for (int wrong : {right - 1, right + 1, 2 * right, right / 2, 256}) {
                    if (wrong == right || wrong <= 0) continue;
                    CAPTURE(shape);
                    CAPTURE(num);
                    CAPTURE(wrong);
                    CHECK(refused("9.0", "sm_100a", message(op, shape, num, "plain", wrong)) == body_line);
                    ++tried;
                }
            }
        }
    }
    CHECK(tried > 300);
}

TEST_CASE("instructions that are not emulated are named, with their line") {
    for (const char* text :
         {"tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%d1];",
          "tcgen05.cp.cta_group::1.128x256b [%ta], %d1;", "tcgen05.shift.cta_group::1.down [%ta];",
          "tcgen05.mma.cta_group::1.kind::f16 [%ta], %d1, %d2, %r1, %p1;"})
        CHECK(refused("9.0", "sm_100a", text) == body_line);
}
