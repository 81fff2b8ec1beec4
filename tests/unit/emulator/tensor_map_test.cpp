// Which cell each register of each thread meets, for every shape, num and packing. The expected map is read
// from tests/data (atom_maps.csv for num 1 and 2, extended by the rule that .xN is N tiles side by side),
// never from the emulator's own formulas, and placement is checked by raw address: cells are filled with 1000
// * lane + column by 32x32b.x1 stores and read through the other shape, or stored through it and read back by
// 32x32b.x1 loads.
#include "program.hpp"

#include <fstream>
#include <map>
#include <sstream>

using namespace tmemc::emulator;

namespace {

/// Half `half` of register `reg` of thread `thread` (half 0 and 16 bits: all of it) meets a cell.
struct Entry {
    int thread, reg, half, lane, column;
};
struct Atom {
    int registers = 0; // of a thread in one tile
    int columns = 0;   // from one tile to the next
    std::vector<Entry> tile;
};

std::vector<std::vector<std::string>> rows(const std::string& path) {
    std::ifstream file(path);
    REQUIRE_MESSAGE(file.good(), "cannot read ", path);
    std::vector<std::vector<std::string>> result;
    std::string line;
    std::getline(file, line); // the names of the columns
    while (std::getline(file, line)) {
        std::istringstream cells(line);
        result.emplace_back();
        for (std::string cell; std::getline(cells, cell, ',');) result.back().push_back(cell);
    }
    return result;
}

// The tile is num 1; num 2 must be two of them, `columns` apart. In the files the second half of 16x32bx2
// stands at the columns behind the first (its offset is num, or 2 * num packed); here its entries are
// relative to its own start.
std::map<std::string, Atom> atoms(bool packed) {
    std::map<std::string, Atom> result;
    std::map<std::string, std::vector<Entry>> twice;
    for (const auto& row : rows(packed ? "data/atom_maps_pack16.csv" : "data/atom_maps.csv")) {
        const auto number = [&](std::size_t k) { return std::stoi(row.at(k)); };
        Entry entry{number(2), number(3), packed ? number(4) : 0, number(packed ? 5 : 4),
                    number(packed ? 6 : 5)};
        const int num = number(1);
        if (row[0] == "16x32bx2" && entry.thread >= 16) entry.column -= packed ? 2 * num : num;
        (num == 1 ? result[row[0]].tile : twice[row[0]]).push_back(entry);
    }
    for (auto& [shape, atom] : result) {
        for (const Entry& e : atom.tile) {
            atom.registers = std::max(atom.registers, e.reg + 1);
            atom.columns = std::max(atom.columns, e.column + 1);
        }
        REQUIRE(twice[shape].size() == 2 * atom.tile.size());
        std::size_t found = 0;
        for (const Entry& e : twice[shape]) {
            for (const Entry& t : atom.tile) {
                const int k = e.reg / atom.registers;
                found += t.thread == e.thread && t.half == e.half && t.reg + k * atom.registers == e.reg &&
                         t.lane == e.lane && t.column + k * atom.columns == e.column;
            }
        }
        REQUIRE(found == twice[shape].size());
    }
    return result;
}

struct Form {
    std::string shape;
    int num = 1;
    bool packed = false;
    int lane = 0; // where the message starts in its warp's slice
    int column = 0;
    int half_split = 0; // of 16x32bx2: columns, and lanes in the upper half of the word
};

std::string name(const Form& form, bool load) {
    return "tcgen05." + std::string(load ? "ld" : "st") + ".sync.aligned." + form.shape + ".x" +
           std::to_string(form.num) + (form.packed ? (load ? ".pack::16b" : ".unpack::16b") : "") + ".b32";
}
std::string registers(int count) {
    std::string text = "{";
    for (int r = 0; r < count; ++r) text += (r == 0 ? "%r" : ", %r") + std::to_string(r);
    return text + "}";
}
std::string address(const Form& form) {
    return "[%t+" + std::to_string((form.lane << 16) + form.column) + "]";
}
std::string split(const Form& form) {
    return form.shape == "16x32bx2" ? ", " + std::to_string(form.half_split) : "";
}

// Every cell of the warp's lanes gets `value of the lane` + column * step, by 32x32b.x1 stores.
std::string fill(const std::string& value, int step) {
    return "mov.u32 %r260, " + value +
           "; mov.u32 %r261, %t; mov.u32 %r262, 0;\nFILL:\n"
           "tcgen05.st.sync.aligned.32x32b.x1.b32 [%r261], {%r260};\n"
           "add.u32 %r260, %r260, " +
           std::to_string(step) +
           "; add.u32 %r261, %r261, 1; add.u32 %r262, %r262, 1;\n"
           "setp.lt.u32 %p9, %r262, 512; @%p9 bra FILL;\ntcgen05.wait::st.sync.aligned;\n";
}

std::string load_text(const Form& form, int count) {
    std::string text = "mov.u32 %r250, 1000; mul.lo.u32 %r250, %r250, %tid;\n" + fill("%r250", 1) +
                       name(form, true) + " " + registers(count) + ", " + address(form) + split(form) +
                       ";\ntcgen05.wait::ld.sync.aligned;\n" + "mul.wide.u32 %d1, %tid, " +
                       std::to_string(4 * count) + "; add.u64 %out, %out, %d1;\n";
    for (int r = 0; r < count; ++r) {
        text += "st.global.u32 [%out+" + std::to_string(4 * r) + "], %r" + std::to_string(r) + ";\n";
    }
    return tensor_kernel(512, text);
}

// Registers get 256 * thread + register in each half; cells hold 0xeeeeeeee before, and are dumped column by
// column.
std::string store_text(const Form& form, int count) {
    std::string text = fill("0xeeeeeeee", 0) + "shl.b32 %r250, %tid, 8; mov.u32 %r251, 0x10001;\n";
    for (int r = 0; r < count; ++r) {
        text += "add.u32 %r" + std::to_string(r) + ", %r250, " + std::to_string(r) + "; mul.lo.u32 %r" +
                std::to_string(r) + ", %r" + std::to_string(r) + ", %r251;\n";
    }
    text +=
        name(form, false) + " " + address(form) + split(form) + ", " + registers(count) +
        ";\ntcgen05.wait::st.sync.aligned;\n"
        "mul.wide.u32 %d1, %tid, 4; add.u64 %out, %out, %d1; mov.u32 %r261, %t; mov.u32 %r262, 0;\nDUMP:\n"
        "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r260}, [%r261]; tcgen05.wait::ld.sync.aligned;\n"
        "st.global.u32 [%out], %r260; add.u64 %out, %out, 512; add.u32 %r261, %r261, 1; add.u32 %r262, "
        "%r262, 1;\n"
        "setp.lt.u32 %p9, %r262, 512; @%p9 bra DUMP;\n";
    return tensor_kernel(512, text);
}

/// The lane and column of tensor memory that an entry of tile k means for a warp.
std::pair<int, int> cell(const Form& form, const Atom& atom, const Entry& e, int tile, int warp) {
    const bool second = form.shape == "16x32bx2" && e.thread >= 16;
    const int lane = 32 * warp + form.lane + e.lane + (second ? form.half_split >> 16 : 0);
    const int column = form.column + e.column + tile * atom.columns + (second ? form.half_split & 0xffff : 0);
    return {lane, column};
}

void check_load(const Form& form, const Atom& atom) {
    const int count = atom.registers * form.num;
    std::vector<std::uint32_t> in(1), out(static_cast<std::size_t>(128 * count));
    Program program(load_text(form, count));
    const Outcome outcome = program.run({{128, 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::vector<std::uint32_t> want(out.size());
    for (int warp = 0; warp < 4; ++warp) {
        for (int tile = 0; tile < form.num; ++tile) {
            for (const Entry& e : atom.tile) {
                const auto [lane, column] = cell(form, atom, e, tile, warp);
                auto value = static_cast<std::uint32_t>(1000 * lane + column);
                if (form.packed) value = (value & 0xffff) << (16 * e.half);
                want[static_cast<std::size_t>((32 * warp + e.thread) * count + tile * atom.registers +
                                              e.reg)] |= value;
            }
        }
    }
    CHECK(out == want);
}

void check_store(const Form& form, const Atom& atom) {
    const int count = atom.registers * form.num;
    std::vector<std::uint32_t> in(1), out(std::size_t{128} * 512, 0);
    Program program(store_text(form, count));
    const Outcome outcome = program.run({{128, 1, 1}}, in, out);
    REQUIRE_MESSAGE(!outcome.fault, words(outcome));
    std::vector<std::uint32_t> want(out.size(), 0xeeeeeeee);
    for (int warp = 0; warp < 4; ++warp) {
        for (int tile = 0; tile < form.num; ++tile) {
            for (const Entry& e : atom.tile) {
                const auto [lane, column] = cell(form, atom, e, tile, warp);
                const int reg = tile * atom.registers + e.reg;
                const auto half = static_cast<std::uint32_t>(256 * (32 * warp + e.thread) + reg);
                want[static_cast<std::size_t>(128 * column + lane)] =
                    form.packed ? half & 0xffff : half * 0x10001;
            }
        }
    }
    CHECK(out == want);
}

} // namespace

TEST_CASE("every shape, num and packing meets the cells of the published maps, loading and storing") {
    std::map<std::string, int> classes;
    for (const bool packed : {false, true}) {
        for (const auto& [shape, atom] : atoms(packed)) {
            for (int num = 1; num * atom.registers <= 128; num *= 2) {
                const int span = num * atom.columns;
                const bool two = shape == "16x32bx2";
                const bool slab = shape != "32x32b" && num % 4 == 0; // the upper 16 lanes, now and then
                Form form{shape, num, packed, slab ? 16 : 0, 0, two ? span : 0};
                const int last = 512 - span * (two ? 2 : 1);
                form.column = std::min(6, last);
                if (two && num == 2) form.half_split = (16 << 16) + 40; // on the other 16 lanes
                INFO(name(form, true), " at lane ", form.lane, ", column ", form.column);
                check_load(form, atom);
                check_store(form, atom);
                classes[shape + (packed ? " packed" : "")] += 2;
            }
        }
    }
    int total = 0;
    for (const auto& [kind, count] : classes) {
        MESSAGE(kind, ": ", count, " messages");
        total += count;
    }
    CHECK(classes.size() == 10);
    CHECK(total == 2 * 74);
}
