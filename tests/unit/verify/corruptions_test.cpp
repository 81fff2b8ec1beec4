// The check can fail. Every emitted text is spoilt in every way of the list below, one place at a time, and
// every spoilt text must be refused. A change keeps the lines where they are, as a mistake of lower would:
// what is dropped becomes a comment. Each class is counted and printed, and one without a member fails.
#include "compiled.hpp"
#include "spoilt_lines.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <functional>
#include <map>
#include <regex>

using namespace tmemc;
using namespace tmemc::test;

namespace {

bool is_message(const std::string& line) { return has(line, "tcgen05.ld.") || has(line, "tcgen05.st."); }
bool is_global(const std::string& line) { return has(line, "ld.global") || has(line, "st.global"); }
bool is_shared(const std::string& line) { return has(line, "ld.shared") || has(line, "st.shared"); }
bool is_wait(const std::string& line) { return has(line, "tcgen05.wait"); }

/// The line with the first match of a pattern replaced; nothing when there is none.
std::optional<std::string> replaced(const std::string& line, const char* pattern, const char* by) {
    const std::regex regex(pattern);
    if (!std::regex_search(line, regex)) return std::nullopt;
    return std::regex_replace(line, regex, by, std::regex_constants::format_first_only);
}

/// Spoils line i, or leaves it alone and says so.
using Spoiler = std::function<bool(Lines&, std::size_t i)>;

Spoiler drop(const std::function<bool(const std::string&)>& which) {
    return [which](Lines& lines, std::size_t i) {
        if (!which(lines[i]) || has(lines[i], "// ")) return false;
        lines[i] = "// dropped";
        return true;
    };
}
Spoiler change(const std::function<bool(const std::string&)>& which, const char* pattern, const char* by) {
    return [=](Lines& lines, std::size_t i) {
        if (!which(lines[i]) || has(lines[i], "// ")) return false;
        const auto line = replaced(lines[i], pattern, by);
        if (!line || *line == lines[i]) return false;
        lines[i] = *line;
        return true;
    };
}

/// What the walk of a masked staged copy compares with an edge has mostly none near, and the rest goes into
/// scratch registers: most of its predicates may change without harm. The oracle of grid copies judges them.
bool stages_masked(const Lines& lines) {
    const std::string text = join(lines);
    return has(text, "%staged_") && has(text, " masked");
}

/// Lanes that hold copies of a number of a vector store the same, so which of them does it makes no
/// difference.
bool stores_copies(const Lines& lines, std::size_t i) {
    return has(lines[i], "@") && has(lines[i], "st.global") && has(join(lines), "shfl.sync");
}

/// From line i to the end of its function only the number of a thread in its warp, or in a part of it, is of
/// interest.
bool only_lanes(const Lines& lines, std::size_t i) {
    static const std::regex of_warp("and\\.b32 %\\w+, %thread, (1|3|7|15|31);|, %cta_thread, 127;");
    for (std::size_t j = i + 1; j < lines.size() && lines[j] != "}"; ++j)
        if ((has(lines[j], ", %thread") || has(lines[j], ", %cta_thread")) &&
            !std::regex_search(lines[j], of_warp))
            return false;
    return true;
}

/// Adds to the constant of an address, which may be hexadecimal or missing.
Spoiler add(const std::function<bool(const std::string&)>& which, const std::string& base, std::int64_t by) {
    return [=](Lines& lines, std::size_t i) {
        if (!which(lines[i]) || has(lines[i], "// ")) return false;
        const std::regex address("\\[(%" + base + "[A-Za-z0-9_$]*)(\\+([0-9A-Fa-fx]+))?\\]");
        std::smatch match;
        if (!std::regex_search(lines[i], match, address)) return false;
        const std::int64_t offset = match[3].matched ? std::stoll(match[3].str(), nullptr, 0) : 0;
        if (offset + by < 0) return false;
        lines[i] = match.prefix().str() + "[" + match[1].str() + "+" + std::to_string(offset + by) + "]" +
                   match.suffix().str();
        return true;
    };
}

/// Swaps line i with the nearest instruction of another statement behind it.
bool move_wait(Lines& lines, std::size_t i, bool forward) {
    if (!is_wait(lines[i]) || has(lines[i], "// ")) return false;
    const auto is_instruction = [&](std::size_t j) {
        return lines[j].size() > 4 && lines[j].back() == ';' && !has(lines[j], "// ") &&
               !has(lines[j], ".reg");
    };
    for (std::size_t j = i; forward ? ++j < lines.size() : j-- > 0;) {
        if (!is_instruction(j)) continue;
        if (is_wait(lines[j]) && lines[j] == lines[i]) return false;
        std::swap(lines[i], lines[j]);
        return true;
    }
    return false;
}

const std::map<std::string, Spoiler>& classes() {
    const auto word = [](const char* what) {
        return [=](const std::string& line) { return has(line, what); };
    };
    static const std::map<std::string, Spoiler> list{
        {"message: swap two registers", change(is_message, "\\{(%\\w+), (%\\w+)", "{$2, $1")},
        {"message: swap the last two", change(is_message, "(%\\w+), (%\\w+)\\}", "$2, $1}")},
        {"message: column + 1", add(is_message, "\\w*taddr", 1)},
        {"message: column + 4", add(is_message, "\\w*taddr", 4)},
        {"message: column - 1", add(is_message, "\\w*taddr", -1)},
        {"message: row + 16", add(is_message, "\\w*taddr", 16 << 16)},
        {"message: row - 16", add(is_message, "\\w*taddr", -(16 << 16))},
        {"message: drop", drop(is_message)},
        {"message: 16x256b to 16x128b", change(is_message, "16x256b\\.x(\\d+)", "16x128b.x$1")},
        {"message: 16x64b.x2n to 16x128b.xn",
         [](Lines& lines, std::size_t i) {
             if (!is_message(lines[i]) || has(lines[i], "// ")) return false;
             for (int n : {64, 32, 16, 8, 4, 2})
                 if (const auto line = replaced(lines[i], ("16x64b\\.x" + std::to_string(2 * n)).c_str(),
                                                ("16x128b.x" + std::to_string(n)).c_str())) {
                     lines[i] = *line;
                     return true;
                 }
             return false;
         }},
        {"message: 32x32b to 16x64b", change(is_message, "32x32b\\.", "16x64b.")},
        {"message: 16x64b to 32x32b", change(is_message, "16x64b\\.", "32x32b.")},
        {"message: without pack", change(is_message, "\\.(un)?pack::16b", "")},
        {"message: with pack", change([](const std::string& line) { return has(line, "tcgen05.ld"); },
                                      "(x\\d+)\\.b32", "$1.pack::16b.b32")},
        {"message: half split", change(is_message, "\\], (\\d+)", "], 1$1")},
        {"message: load for store", change(word("tcgen05.wait::st"), "wait::st", "wait::ld")},
        {"wait: drop", drop(is_wait)},
        {"wait: the other kind", change(word("tcgen05.wait::ld"), "wait::ld", "wait::st")},
        {"wait: later by one", [](Lines& lines, std::size_t i) { return move_wait(lines, i, true); }},
        {"wait: earlier by one", [](Lines& lines, std::size_t i) { return move_wait(lines, i, false); }},
        {"wait: of some warps", change(is_wait, "    tcgen05", "    @%allocates tcgen05")},
        {"dealloc: drop", drop(word("tcgen05.dealloc"))},
        {"dealloc: the others return", change(word("@!%allocates ret"), "@!", "@")},
        {"dealloc: all return", change(word("@!%allocates ret"), "@!%allocates ", "")},
        {"dealloc: an early end on one path",
         [](Lines& lines, std::size_t i) {
             if (!has(lines[i], "add.u32 %taddr")) return false;
             lines[i] += " @%allocates ret;";
             return true;
         }},
        {"dealloc: none return", drop(word("@!%allocates ret"))},
        {"alloc: all warps", drop(word("bra $allocated"))},
        {"alloc: fewer columns", change(word("tcgen05.alloc"), "\\], \\d+", "], 512")},
        {"alloc: another lane base", change(word("and.b32 %lane"), ", 96", ", 32")},
        {"alloc: without the lane", change(word("add.u32 %taddr"), "%lane", "0")},
        {"alloc: a literal column", change(word("add.u32 %taddr"), "%allocation", "0")},
        {"function: without the lane", change(word("_taddr, %"), "%lane", "0")},
        {"function: lanes of the CTA", change(word("and.b32 %lane, %cta_thread"), ", 96", ", 224")},
        {"function: threads of the CTA",
         [=](Lines& lines, std::size_t i) {
             return !only_lanes(lines, i) &&
                    change(word("and.b32 %thread, %cta_thread"), ", 127", ", 255")(lines, i);
         }},
        {"function: a parameter lost", drop(word("ld.param"))},
        {"global: offset + 4", add(is_global, "[A-Z]", 4)},
        {"global: offset + 32", add(is_global, "[A-Z]", 32)},
        {"global: offset + 1", add(is_global, "[A-Z]", 1)},
        {"global: drop", drop(is_global)},
        {"global: swap two registers", change(is_global, "\\{(%\\w+), (%\\w+)", "{$2, $1")},
        {"global: another pitch", change(word("mul.wide"), ", (\\d+);", ", 1$1;")},
        // A load into a scratch register does no harm in other threads: what takes it from there has the
        // guard.
        {"global: unguarded",
         [](Lines& lines, std::size_t i) {
             return !stores_copies(lines, i) &&
                    change(
                        [](const std::string& line) {
                            const bool scratch = has(line, "%part_") || has(line, "%staged_");
                            return is_global(line) && !(scratch && has(line, "ld.global"));
                        },
                        "@!?%\\S+ ", "")(lines, i);
         }},
        {"global: the other guard",
         [](Lines& lines, std::size_t i) {
             return !stores_copies(lines, i) && change(is_global, "@%", "@!%")(lines, i);
         }},
        {"global: narrower", change(is_global, "\\.u16", ".u8")},
        {"global: an element's bits", change(word("bfi.b32"), ", (\\d+), (\\d+);", ", 1$1, $2;")},
        {"global: an insertion lost", drop(word("bfi.b32"))},
        {"global: not cleared first",
         drop([](const std::string& line) { return has(line, "mov.b32 %Part_"); })},
        {"mask: not cleared first", drop(word("mov.b32 %Masked"))},
        {"mask: by one row",
         change([&](const std::string& line) { return has(line, "setp.lt.s32 %inside, %part_0, 300;"); },
                "300;", "301;")},
        {"mask: everywhere",
         change([&](const std::string& line) { return is_global(line); }, "@%inside\\S* ", "")},
        {"mask: rows of another CTA", change(word("%ctaid.x"), "%ctaid\\.x", "%ctaid.y")},
        {"staged: drop an access",
         drop([](const std::string& line) { return is_shared(line) && !has(line, "%allocation"); })},
        {"staged: offset + 4", add(is_shared, "place", 4)},
        {"staged: offset + 16", add(is_shared, "place", 16)},
        {"staged: swap two registers", change(is_shared, "\\{(%\\w+), (%\\w+)", "{$2, $1")},
        {"staged: another swizzle", change(word("xor.b32"), ", (\\d+);", ", 1$1;")},
        {"staged: one part for all warps", change(word("mad.lo.u32 %staging"), ", \\d+, %", ", 0, %")},
        {"staged: the caller's first bytes",
         change(word("%staging_base, [staging]"), "ld\\.param\\.b32 (\\S+), .*", "mov.b32 $1, 0;")},
        {"prologue: a parameter lost", drop(word("ld.param."))},
        {"prologue: another parameter",
         change([](const std::string& line) { return has(line, "ld.param.b32 %acc_"); }, "\\[acc\\]", "[C]")},
        {"lane: that of another warp", change(word("and.b32 %lane, "), ", 96;", ", 32;")},
        {"staged: a barrier lost", drop(word("bar.warp.sync"))},
        {"staged: a barrier of some lanes", change(word("bar.warp.sync"), "-1", "65535")},
        {"fill: another value", change(word("mov.b32 %"), "(0x\\w+)0;", "$011;")},
        {"branch: inverted", change(word(" bra "), "@(!?)(%\\S+) bra \\$other", "@%zz$1$2 bra $$other")},
        {"branch: always", change(word(" bra "), "@\\S+ bra \\$other", "bra $$other")},
        {"branch: never", drop(word(" bra $other"))},
        // Where a mask compares every fourth row, say, other bounds may mean the same.
        {"predicate: another bound",
         [](Lines& lines, std::size_t i) {
             return !stages_masked(lines) &&
                    change(
                        [](const std::string& line) { return has(line, "setp.") && !has(line, "%inside"); },
                        ", (\\d+);", ", 1$1;")(lines, i);
         }},
        {"predicate: by one",
         [](Lines& lines, std::size_t i) {
             std::smatch match;
             if (stages_masked(lines) || has(join(lines), "shfl.sync") || !has(lines[i], "setp.") ||
                 has(lines[i], "%inside") || !std::regex_search(lines[i], match, std::regex(", (\\d+);")))
                 return false;
             lines[i] = match.prefix().str() + ", " + std::to_string(std::stoi(match[1]) + 1) + ";";
             return true;
         }},
        {"sync: drop the barrier",
         [](Lines& lines, std::size_t i) {
             if (!has(lines[i], "bar.sync") || i == 0 || !has(lines[i - 1], "fence::before")) return false;
             lines[i] = "// dropped";
             return true;
         }},
        {"frame: drop the barrier behind the allocation",
         [](Lines& lines, std::size_t i) {
             if (!has(lines[i], "bar.sync") || i == 0 || !has(lines[i - 1], "$allocated")) return false;
             lines[i] = "// dropped";
             return true;
         }},
        {"frame: drop the barrier in front of the deallocation",
         [](Lines& lines, std::size_t i) {
             if (!has(lines[i], "bar.sync") || i == 0 || !has(lines[i - 1], "frees the columns"))
                 return false;
             lines[i] = "// dropped";
             return true;
         }},
        {"frame: keep the right to allocate", drop(word("relinquish_alloc_permit"))},
        {"sync: drop a fence", drop(word("tcgen05.fence"))},
        {"sync: the other fence", change(word("tcgen05.fence::before"), "before", "after")},
        {"address: another thread",
         [=](Lines& lines, std::size_t i) {
             return !only_lanes(lines, i) && change(word("%tid.x"), "%tid\\.x", "%laneid")(lines, i);
         }},
    };
    return list;
}

} // namespace

TEST_CASE("every corruption of every text is found") {
    std::map<std::string, int> counts;
    for (const auto& [name, spoil] : classes()) counts[name] = 0;
    for (const Sample& sample : samples()) {
        const base::Source source(sample.name, sample.text);
        Compilation made = compile(source);
        REQUIRE(made.ok());
        const Lines lines = split(made.ptx.text);
        for (const auto& [name, spoil] : classes()) {
            for (std::size_t i = 0; i < lines.size(); ++i) {
                Lines spoilt = lines;
                if (!spoil(spoilt, i)) continue;
                if (const auto inverted = replaced(spoilt[i], "@%zz(!?)", "")) // "branch: inverted"
                    spoilt[i] = has(spoilt[i], "@%zz!") ? *replaced(spoilt[i], "@%zz!", "@")
                                                        : *replaced(spoilt[i], "@%zz", "@!");
                if (spoilt == lines) continue;
                ++counts[name];
                made.ptx.text = join(spoilt);
                const std::string what = name; // clang 14 captures no structured binding
                INFO(sample.name << ", " << what << ", line " << i + 1 << ": " << lines[i] << " -> "
                                 << spoilt[i]);
                CHECK(verify_text(made).mismatch.has_value());
            }
        }
    }
    for (const auto& [name, count] : counts) {
        std::printf("%5d  %s\n", count, name.c_str());
        const std::string empty = name;
        CHECK_MESSAGE(counts.at(empty) > 0, empty << " has no member");
    }
}
