// Kernels of several instructions for a GPU and for the emulator, beside the single ones of device_cases.hpp:
// every atomic operation on shared and global memory, branches of every form, and what lanes tell one another
// while some of them are elsewhere. A program has the registers 1 to 4 that single instructions have, and
//
//     %i0 thread of the grid, %i1 of the CTA, %lane;   %a 16 bytes of memory of its own, %s of its warp, %c
//     of its CTA
//
// and leaves its results in %w0 and %w1. They do not depend on who comes first: threads that share a place do
// what commutes, floats are small integers there, and what else an exchange gives is folded by xor. Not here:
// the operations' rules (the emulator, tests/oracle/atomics_test.cpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace device {

struct Program {
    std::string name, text, functions{}; // the last ahead of the kernel
};
using Programs = std::vector<Program>;
using Words = std::vector<std::pair<std::string, std::string>>;

/// The text with every `#word` replaced; longer words stand first.
inline std::string with(std::string text, const Words& words) {
    for (const auto& [word, by] : words)
        for (std::size_t at; (at = text.find("#" + word)) != std::string::npos;)
            text.replace(at, word.size() + 1, by);
    return text;
}

inline const char* declarations() {
    return ".reg .pred %p<9>; .reg .b16 %h<33>; .reg .b32 %r<33>; .reg .b64 %d<17>; .reg .f32 %f<9>;\n"
           ".reg .f64 %g<9>; .reg .b128 %q<5>; .reg .b32 %i<5>, %lane; .reg .b64 %w<5>, %in, %out, %a, %s, "
           "%c;\n";
}
/// Places of `space`; of generic addresses those of shared memory for odd threads, of global memory for even.
inline std::string places(const std::string& space) {
    const std::string global = "mov.u64 %a, memory; mad.wide.u32 %a, %i0, 16, %a;\n";
    const std::string shared = "mov.u64 %a, window; mad.wide.u32 %a, %i1, 16, %a;\n";
    std::string text = space == "shared" ? shared : global;
    if (space.empty())
        text = shared + "cvta.shared.u64 %c, %a; " + global +
               "cvta.global.u64 %a, %a; and.b32 %i2, %i1, 1; setp.ne.u32 %p5, %i2, 0; selp.b64 %a, %c, %a, "
               "%p5;\n";
    return "and.b32 %lane, %i1, 31;\n" + text +
           "mul.wide.u32 %w2, %lane, 16; sub.u64 %s, %a, %w2; mul.wide.u32 %w2, %i1, 16; sub.u64 %c, %a, "
           "%w2;\n";
}

// ---- atomic operations

struct Atomic {
    const char *operation, *type;
    int bits;
    bool reduces = true, floating = false;
    int most = 1; // elements
};
inline constexpr Atomic atomics[] = {{"exch", "b32", 32, false},
                                     {"exch", "b64", 64, false},
                                     {"cas", "b16", 16, false},
                                     {"cas", "b32", 32, false},
                                     {"cas", "b64", 64, false},
                                     {"and", "b32", 32},
                                     {"and", "b64", 64},
                                     {"or", "b32", 32},
                                     {"or", "b64", 64},
                                     {"xor", "b32", 32},
                                     {"xor", "b64", 64},
                                     {"inc", "u32", 32},
                                     {"dec", "u32", 32},
                                     {"min", "u32", 32},
                                     {"min", "s32", 32},
                                     {"min", "u64", 64},
                                     {"min", "s64", 64},
                                     {"max", "u32", 32},
                                     {"max", "s32", 32},
                                     {"max", "u64", 64},
                                     {"max", "s64", 64},
                                     {"add", "u32", 32},
                                     {"add", "s32", 32},
                                     {"add", "u64", 64},
                                     {"add", "f64", 64, true, true},
                                     {"add", "f32", 32, true, true, 4},
                                     {"add.noftz", "f16", 16, true, true, 8},
                                     {"add.noftz", "f16x2", 32, true, true, 4},
                                     {"add.noftz", "bf16", 16, true, true, 8},
                                     {"add.noftz", "bf16x2", 32, true, true, 4},
                                     {"min.noftz", "f16", 16, true, true, 8},
                                     {"min.noftz", "f16x2", 32, true, true, 4},
                                     {"min.noftz", "bf16", 16, true, true, 8},
                                     {"min.noftz", "bf16x2", 32, true, true, 4},
                                     {"max.noftz", "f16", 16, true, true, 8},
                                     {"max.noftz", "f16x2", 32, true, true, 4},
                                     {"max.noftz", "bf16", 16, true, true, 8},
                                     {"max.noftz", "bf16x2", 32, true, true, 4}};

inline std::string register_of(int bits) { return bits == 16 ? "%h" : bits == 32 ? "%r" : "%d"; }
inline std::string widened(int bits, const std::string& to, const std::string& from) {
    return (bits == 64 ? "mov.b64 " : "cvt.u64.u" + std::to_string(bits) + " ") + to + ", " + from + ";\n";
}
inline Words words_of(const Atomic& of, const std::string& space) {
    const std::string dot = space.empty() ? "" : "." + space;
    const std::string full = std::string(of.operation) + "." + of.type;
    return {{"name", full}, {"space", dot}, {"bits", std::to_string(of.bits)}, {"x", register_of(of.bits)}};
}
/// Each thread at a place of its own: what was there, and what is there.
inline Program alone(const Atomic& of, const std::string& space, bool red) {
    const bool compares = std::string(of.operation) == "cas";
    std::string text = places(space) + "st#space.b#bits [%a], #x2;\n";
    if (compares) text += "and.b32 %i2, %i1, 3; setp.ne.u32 %p5, %i2, 0; @%p5 mov.b#bits #x1, #x2;\n";
    text += red        ? "red#space.#name [%a], #x1;\n"
            : compares ? "atom#space.#name #x0, [%a], #x1, #x3;\n"
                       : "atom#space.#name #x0, [%a], #x1;\n";
    text += "ld#space.b#bits #x5, [%a];\n" + widened(of.bits, "%w0", "#x0") + widened(of.bits, "%w1", "#x5");
    const Words words = words_of(of, space);
    return {with(std::string("own/") + (red ? "red" : "atom") + "#space.#name", words), with(text, words)};
}
/// All threads of a warp or a CTA at one place.
inline Program together(const Atomic& of, const std::string& space, bool warp) {
    std::string text = places(space);
    text += warp ? "setp.eq.u32 %p5, %lane, 0;\n" : "setp.eq.u32 %p5, %i1, 0;\n";
    const std::string type = of.type;
    const auto small = [&](const std::string& r) { // -3 to 4
        const std::string integer = "and.b32 " + r + ", " + r + ", 7; sub.u32 " + r + ", " + r + ", 3; ";
        const std::string n = r.substr(2);
        const std::string pair = type == "f16x2" || type == "bf16x2" ? type.substr(0, type.size() - 2) : type;
        if (of.bits == 64) return integer + "cvt.rn.f64.s32 %d" + n + ", " + r + ";\n";
        if (pair == "f32") return integer + "cvt.rn.f32.s32 " + r + ", " + r + ";\n";
        std::string made = integer + "cvt.rn." + pair + ".s32 %h" + n + ", " + r + ";\n";
        return pair == type ? made : made + "mov.b32 " + r + ", {%h" + n + ", %h" + n + "};\n";
    };
    if (of.floating) text += small("%r1") + small("%r2");
    const std::string operation = of.operation;
    if (operation == "inc" || operation == "dec") // of one limit
        text += "ld.global.u32 %r1, [%in]; and.b32 %r1, %r1, 31; shfl.sync.idx.b32 %r1, %r1, 0, 31, -1;\n";
    const std::string sync = warp ? "bar.warp.sync -1;\n" : "bar.sync 0;\n";
    text += "@%p5 st#space.b#bits [#place], #x2;\n" + sync;
    text += of.reduces ? "red#space.#name [#place], #x1;\n" : "atom#space.#name #x0, [#place], #x1;\n";
    text += sync + "ld#space.b#bits #x5, [#place];\n" + widened(of.bits, "%w1", "#x5");
    if (!of.reduces) // exch: the values that all lanes and the place hold are those that they had
        text +=
            widened(of.bits, "%w0", "#x0") +
            "mov.b64 {%r9, %r10}, %w0; redux.sync.xor.b32 %r9, %r9, -1; redux.sync.xor.b32 %r10, %r10, -1;\n"
            "mov.b64 %w0, {%r9, %r10}; xor.b64 %w0, %w0, %w1; mov.b64 %w1, 0;\n";
    Words words = words_of(of, space);
    words.insert(words.begin(), {"place", warp ? "%s" : "%c"});
    return {
        with(std::string(warp ? "warp/" : "cta/") + (of.reduces ? "red" : "atom") + "#space.#name", words),
        with(text, words)};
}
inline Program vector(const Atomic& of, int count, bool red) {
    std::string text = places("global") + "st.global.v4.b32 [%a], {%r2, %r4, %r3, %r1};\n";
    std::string from, to;
    const bool half = of.bits == 16;
    const int order[] = {1, 3, 4, 2};
    for (int k = 0; k < count; ++k) {
        const std::string n = std::to_string(9 + k);
        if (half && k % 2 == 0)
            text += "mov.b32 {%h" + n + ", %h" + std::to_string(10 + k) + "}, %r" +
                    std::to_string(order[k / 2]) + ";\n";
        from += (k == 0 ? "" : ", ") + (half ? "%h" + n : "%r" + std::to_string(order[k]));
        to += (k == 0 ? "" : ", ") + register_of(of.bits) + std::to_string(20 + k);
    }
    const std::string name =
        "global." + std::string(of.operation) + ".v" + std::to_string(count) + "." + of.type;
    text += (red ? "red." + name + " [%a]" : "atom." + name + " {" + to + "}, [%a]") + ", {" + from + "};\n";
    text += "mov.b64 %w0, 0;\n";
    if (!red)
        for (int k = 0; k < count; ++k)
            text += widened(of.bits, "%w2", register_of(of.bits) + std::to_string(20 + k)) +
                    "mad.lo.u64 %w0, %w0, 0x9e3779b97f4a7c15, %w2;\n";
    return {"own/" + std::string(red ? "red." : "atom.") + name,
            text + "ld.global.v2.b64 {%d5, %d6}, [%a]; mad.lo.u64 %w1, %d6, 0x9e3779b97f4a7c15, %d5;\n"};
}
inline Program pairs(const std::string& space, bool compares) {
    const Words words{{"space", "." + space}};
    const std::string text =
        "st#space.v2.b64 [%a], {%d2, %d4}; mov.b128 %q1, {%d1, %d3}; and.b32 %i2, %i1, 3;\n"
        "setp.ne.u32 %p5, %i2, 0; @%p5 mov.b128 %q1, {%d2, %d4}; mov.b128 %q2, {%d3, %d1};\n" +
        std::string(compares ? "atom#space.cas.b128 %q0, [%a], %q1, %q2;\n"
                             : "atom#space.exch.b128 %q0, [%a], %q1;\n") +
        "mov.b128 {%d5, %d6}, %q0; mad.lo.u64 %w0, %d6, 0x9e3779b97f4a7c15, %d5;\n"
        "ld#space.v2.b64 {%d7, %d8}, [%a]; mad.lo.u64 %w1, %d8, 0x9e3779b97f4a7c15, %d7;\n";
    return {"own/atom." + space + (compares ? ".cas.b128" : ".exch.b128"), with(places(space) + text, words)};
}

/// Left out: ptxas 13.0 reads but half of the operand of a packed sum in shared memory when it comes from a
/// load.
inline bool miscompiled(const Atomic& of, const std::string& space) {
    const std::string type = of.type;
    return space != "global" && type.size() > 2 && type.substr(type.size() - 2) == "x2";
}

inline void add_atomics(Programs& list) {
    for (const char* space : {"shared", "global"}) {
        for (const Atomic& each : atomics) {
            const std::string operation = each.operation;
            if (each.most == 1 || operation.substr(0, 3) == "add") { // else there for vectors only
                const bool right = !miscompiled(each, space);
                if (right) list.push_back(alone(each, space, false));
                if (right && each.reduces) list.push_back(alone(each, space, true));
                if (operation != "cas") list.push_back(together(each, space, true));
                const bool limited = operation == "inc" || operation == "dec"; // by each warp's own limit
                if (each.reduces && !limited) list.push_back(together(each, space, false));
            }
            for (int count = 2; *space == 'g' && count <= each.most; count *= 2) {
                list.push_back(vector(each, count, true));
                list.push_back(vector(each, count, false));
            }
        }
        list.push_back(pairs(space, true));
        list.push_back(pairs(space, false));
    }
    for (const Atomic& each : atomics) {
        const bool for_vectors = each.most > 1 && std::string(each.operation).substr(0, 3) != "add";
        const bool least = std::string(each.operation) == "min"; // as max does
        if (!for_vectors && !least && !miscompiled(each, "")) list.push_back(alone(each, "", false));
    }
}

// ---- branches

/// Who takes the branch, in %p5, and who they are, in %r9; %r10 are the others.
struct Split {
    const char *name, *text;
};
inline constexpr Split splits[] = {
    {"none", "setp.ne.u32 %p5, %lane, %lane;\n"},
    {"eights", "and.b32 %r8, %lane, 8; setp.ne.u32 %p5, %r8, 0;\n"},
    {"odd", "and.b32 %r8, %lane, 1; setp.ne.u32 %p5, %r8, 0;\n"},
    {"drawn", "shr.u32 %r8, %r4, 2; and.b32 %r8, %r8, 1; setp.ne.u32 %p5, %r8, 0;\n"},
};
/// What lanes of the mask #m tell one another: results in %r0 and %p0. A shfl is told in `where` it reads
/// none but members.
struct Exchange {
    const char *name, *text, *where;
};
inline constexpr Exchange exchanges[] = {
    {"shfl.up", "and.b32 %r5, %r2, 6; shfl.sync.up.b32 %r0|%p0, %r1, %r5, 0x1800, #m;", "none eights odd"},
    {"shfl.down", "and.b32 %r5, %r2, 6; shfl.sync.down.b32 %r0|%p0, %r1, %r5, 0x181f, #m;",
     "none eights odd"},
    {"shfl.bfly", "and.b32 %r5, %r2, 6; shfl.sync.bfly.b32 %r0|%p0, %r1, %r5, 0x181f, #m;",
     "none eights odd"},
    {"shfl.idx",
     "and.b32 %r5, %r2, 6; or.b32 %r5, %r5, %lane; shfl.sync.idx.b32 %r0|%p0, %r1, %r5, 0x181f, #m;",
     "none eights"},
    {"shfl.narrow", "shfl.sync.bfly.b32 %r0|%p0, %r1, 2, 0x1c03, #m;", "none eights odd"},
    {"shfl.first",
     "brev.b32 %r5, #m; bfind.shiftamt.u32 %r5, %r5; shfl.sync.idx.b32 %r0|%p0, %r1, %r5, 31, #m;",
     "none eights odd drawn"},
    {"shfl.wide", "shfl.sync.down.b32 %r0|%p0, %r1, 7, 31, #m;", "none"},
    {"vote.all", "setp.ne.u32 %p6, %r3, 0; vote.sync.all.pred %p0, %p6, #m;", ""},
    {"vote.any", "setp.eq.u32 %p6, %r3, 1; vote.sync.any.pred %p0, %p6, #m;", ""},
    {"vote.uni", "and.b32 %r5, %lane, 8; setp.eq.u32 %p6, %r5, 0; vote.sync.uni.pred %p0, !%p6, #m;", ""},
    {"vote.ballot", "vote.sync.ballot.b32 %r0, %p3, #m;", ""},
    {"match.any.b32", "and.b32 %r5, %r3, 3; match.any.sync.b32 %r0, %r5, #m;", ""},
    {"match.any.b64", "and.b64 %d5, %d3, 3; match.any.sync.b64 %r0, %d5, #m;", ""},
    {"match.all.b32", "and.b32 %r5, %lane, 8; match.all.sync.b32 %r0|%p0, %r5, #m;", ""},
    {"match.all.b64", "and.b64 %d5, %d3, 0; match.all.sync.b64 %r0|%p0, %d5, #m;", ""},
    {"redux.add.u32", "redux.sync.add.u32 %r0, %r1, #m;", ""},
    {"redux.add.s32", "redux.sync.add.s32 %r0, %r1, #m;", ""},
    {"redux.min.u32", "redux.sync.min.u32 %r0, %r1, #m;", ""},
    {"redux.min.s32", "redux.sync.min.s32 %r0, %r1, #m;", ""},
    {"redux.max.u32", "redux.sync.max.u32 %r0, %r1, #m;", ""},
    {"redux.max.s32", "redux.sync.max.s32 %r0, %r1, #m;", ""},
    {"redux.and.b32", "redux.sync.and.b32 %r0, %r1, #m;", ""},
    {"redux.or.b32", "redux.sync.or.b32 %r0, %r1, #m;", ""},
    {"redux.xor.b32", "redux.sync.xor.b32 %r0, %r1, #m;", ""},
    {"elect", "elect.sync %r0|%p0, #m;", ""},
    {"activemask", "bar.warp.sync #m; activemask.b32 %r0;", ""},
    {"bar.warp",
     "st.shared.u32 [%a], %r1; bar.warp.sync #m; brev.b32 %r5, #m; bfind.shiftamt.u32 %r5, %r5;\n"
     "mad.wide.u32 %w2, %r5, 16, %s; ld.shared.u32 %r0, [%w2]; bar.warp.sync #m;",
     ""},
    {"groups", "and.b32 %r5, %r3, 3; match.any.sync.b32 %r6, %r5, #m; redux.sync.add.u32 %r0, %r1, %r6;", ""},
};

inline void add_exchanges(Programs& list) {
    const std::string head = places("shared") + "mov.b64 %w1, 0;\n";
    const std::string result = "cvt.u64.u32 %w0, %r0; selp.b64 %w1, 1, 0, %p0;\n";
    for (const Split& split : splits) {
        const std::string masks =
            split.text + std::string("vote.sync.ballot.b32 %r9, %p5, -1; not.b32 %r10, %r9;\n");
        for (const Exchange& each : exchanges) {
            const std::string where = each.where, name = std::string("/") + each.name + "/" + split.name;
            if (!where.empty() && where.find(split.name) == std::string::npos) continue;
            const std::string here = with(each.text, {{"m", "%r10"}}) + "\n";
            const std::string there = "add.u32 %r1, %r1, %r3;\n" + with(each.text, {{"m", "%r9"}}) + "\n";
            list.push_back({"branch" + name, head + masks + "@%p5 bra THERE;\n" + here +
                                                 "bra JOIN;\nTHERE:\n" + there + "JOIN:\n" + result});
            list.push_back(
                {"exit" + name, head + masks +
                                    "@!%p5 bra HERE;\nst.global.u64 [%out], 7; st.global.u64 [%out+8], "
                                    "%w1; exit;\nHERE:\n" +
                                    here + result});
        }
    }
}

inline void add_branches(Programs& list) {
    const std::string head = places("shared") + "mov.b64 %w1, 0;\n";
    const std::string end = "cvt.u64.u32 %w0, %r0; cvt.u64.u32 %w1, %r5;\n";
    const auto add = [&](const char* name, const std::string& text, const std::string& functions = "") {
        list.push_back({std::string("flow/") + name, head + "mov.u32 %r5, 0;\n" + text + end, functions});
    };
    add("nested",
        "@%p1 bra A;\n@%p2 bra B;\nadd.u32 %r0, %r1, 1;\nbra D;\nB: @%p3 bra C;\nmul.lo.u32 %r0, %r2, "
        "%r3;\nbra D;\nC: sub.u32 %r0, %r3, %r2;\nbra D;\nA: xor.b32 %r0, %r1, %r4;\n@%p4 bra D;\nnot.b32 "
        "%r0, %r0;\nD: activemask.b32 %r6; popc.b32 %r6, %r6; min.u32 %r6, %r6, 0;\n");
    add("trips",
        "and.b32 %r6, %r1, 15;\nL: setp.eq.u32 %p5, %r5, %r6; @%p5 bra E;\nmad.lo.u32 %r0, %r0, 31, %r2;\n"
        "add.u32 %r5, %r5, 1; bra L;\nE:\n");
    add("loops",
        "and.b32 %r6, %r1, 7; and.b32 %r7, %r2, 3;\nL: setp.ge.u32 %p5, %r5, %r6; @%p5 bra E;\nmov.u32 %r8, "
        "0;\nM: mad.lo.u32 %r0, %r0, 31, %r3; add.u32 %r8, %r8, 1; setp.lt.u32 %p6, %r8, %r7; @%p6 bra M;\n"
        "and.b32 %r9, %r0, 0x70; setp.eq.u32 %p7, %r9, 0x30; @%p7 bra E;\nadd.u32 %r5, %r5, 1; bra L;\nE:\n");
    add("continues",
        "L: add.u32 %r5, %r5, 1; shr.u32 %r6, %r1, %r5; and.b32 %r6, %r6, 1; setp.eq.u32 %p5, %r6, 0; "
        "@%p5 bra N;\nmad.lo.u32 %r0, %r0, 5, %r5;\nN: setp.lt.u32 %p6, %r5, 20; @%p6 bra L;\n");
    add("leaves",
        "and.b32 %r6, %r1, 15;\nL: setp.ne.u32 %p5, %r5, %r6; @%p5 bra N;\ncvt.u64.u32 %w0, %r0; "
        "st.global.u64 [%out], %w0; st.global.u64 [%out+8], 9; exit;\nN: mad.lo.u32 %r0, %r0, 31, %r2; "
        "add.u32 %r5, %r5, 1; setp.lt.u32 %p6, %r5, 9; @%p6 bra L;\n");
    add("table",
        "and.b32 %r6, %r1, 3;\nT: .branchtargets A, B, C, B;\nbrx.idx %r6, T;\nA: add.u32 %r0, %r1, %r2; bra "
        "E;\nB: sub.u32 %r0, %r1, %r2;\nC: xor.b32 %r0, %r0, %r3;\nE:\n");
    add("meets",
        "and.b32 %r6, %r1, 15;\nL: setp.eq.u32 %p5, %r5, %r6; @%p5 bra E;\nadd.u32 %r5, %r5, 1; bra L;\nE: "
        "bar.warp.sync -1; redux.sync.add.u32 %r0, %r5, -1; vote.sync.ballot.b32 %r5, %p1, -1;\n");
    add("dwindles",
        "and.b32 %r6, %r1, 15; mov.u32 %r9, -1;\nL: setp.ne.u32 %p5, %r5, %r6; vote.sync.ballot.b32 %r9, "
        "%p5, %r9;\nmad.lo.u32 %r0, %r0, 3, %r9; @!%p5 bra E;\nadd.u32 %r5, %r5, 1; bra L;\nE:\n");
    add("guards",
        "setp.ne.u32 %p5, %lane, 31;\n@%p5 add.u32 %r0, %r1, %r2;\n@!%p5 mov.u32 %r0, 5;\n@%p1 xor.b32 %r0, "
        "%r0, %r3;\nvote.sync.ballot.b32 %r9, %p1, -1; @%p1 redux.sync.or.b32 %r5, %r0, %r9;\n");
    add("calls",
        "@%p1 bra A;\n{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r1; call (y), twice, (x); "
        "ld.param.b32 "
        "%r0, [y]; }\nbra E;\nA: { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), twice, "
        "(x); "
        "ld.param.b32 %r5, [y]; }\nE:\n",
        ".func (.param .b32 y) twice(.param .b32 x) { .reg .b32 %r<3>; .reg .pred %p; ld.param.b32 %r0, [x]; "
        "setp.lt.s32 %p, %r0, 0; @%p bra N; add.u32 %r0, %r0, %r0; N: add.u32 %r0, %r0, 1; st.param.b32 [y], "
        "%r0; ret; "
        "}\n");
    add("recursion",
        "and.b32 %r6, %r1, 7;\n{ .param .b32 x; .param .b32 y; st.param.b32 [x], %r6; call (y), sums, (x); "
        "ld.param.b32 %r0, [y]; }\n",
        ".func (.param .b32 y) sums(.param .b32 x);\n"
        ".func (.param .b32 y) sums(.param .b32 x) { .reg .b32 %r<4>; .reg .pred %p; ld.param.b32 %r0, [x]; "
        "mov.u32 "
        "%r2, 1; setp.eq.u32 %p, %r0, 0; @%p bra N; sub.u32 %r1, %r0, 1; { .param .b32 a; .param .b32 b; "
        "st.param.b32 "
        "[a], %r1; call (b), sums, (a); ld.param.b32 %r2, [b]; } mad.lo.u32 %r2, %r2, 3, %r0; N: "
        "st.param.b32 [y], "
        "%r2; ret; }\n");
    const std::string zero =
        "setp.eq.u32 %p5, %lane, 0; @%p5 st.shared.v2.u32 [%s], {%r5, %r5}; bar.warp.sync -1;\n";
    add("compares",
        zero +
            "L: ld.volatile.shared.u32 %r6, [%s]; add.u32 %r7, %r6, %r1; atom.shared.cas.b32 %r8, [%s], "
            "%r6, %r7; setp.ne.u32 %p6, %r8, %r6; @%p6 bra L;\nbar.warp.sync -1; ld.shared.u32 %r0, [%s];\n");
    add("locks",
        zero + "L: atom.shared.cas.b32 %r8, [%s+4], 0, 1; setp.ne.u32 %p6, %r8, 0; @%p6 bra L;\n"
               "ld.volatile.shared.u32 %r6, [%s]; add.u32 %r6, %r6, %r1; st.volatile.shared.u32 [%s], %r6; "
               "membar.cta; atom.shared.exch.b32 %r8, [%s+4], 0;\nbar.warp.sync -1; ld.shared.u32 %r0, "
               "[%s];\n");
    add("waits",
        zero +
            "and.b32 %r6, %lane, 1; setp.eq.u32 %p6, %r6, 0; @%p6 bra P;\nW: ld.volatile.shared.u32 %r7, "
            "[%s]; setp.lt.u32 %p7, %r7, 16; @%p7 bra W;\nmov.u32 %r0, %r7; bra E;\nP: atom.shared.add.u32 "
            "%r8, [%s], 1;\nE: bar.warp.sync -1;\n");
    const std::string exchange = "xor.b32 %r6, %i1, 32; mul.wide.u32 %w2, %r6, 16; add.u64 %w2, %c, %w2;\n";
    add("barrier", exchange + "st.shared.u32 [%a], %r1; bar.sync 0; ld.shared.u32 %r0, [%w2]; bar.sync 0;\n");
    add("barriers",
        exchange + "shr.u32 %r7, %i1, 6; and.b32 %r7, %r7, 1; setp.ne.u32 %p5, %r7, 0; st.shared.u32 [%a], "
                   "%r1;\n@%p5 bra O;\nbar.sync 1, 128; bra E;\nO: bar.sync 2, 128;\nE: ld.shared.u32 %r0, "
                   "[%w2]; bar.sync 0;\n");
    add("arrivals",
        "and.b32 %r7, %i1, 32; setp.ne.u32 %p5, %r7, 0; @%p5 bra O;\nst.shared.u32 [%a], %r1; bar.arrive 1, "
        "256; bra E;\nO: bar.sync 1, 256; ld.shared.u32 %r0, [%a+-512];\nE: bar.sync 0;\n");
    add("lanes", exchange +
                     "st.shared.u32 [%a], %r1; @%p1 bra O;\nbarrier.sync 3; bra E;\nO: barrier.sync 3;\nE: "
                     "ld.shared.u32 %r0, [%w2]; bar.sync 0;\n");
    add("reductions",
        "bar.red.popc.u32 %r0, 0, %p1; bar.red.and.pred %p6, 0, !%p2; bar.red.or.pred %p7, 0, %p3; "
        "setp.lt.u32 %p8, %i1, 999; bar.red.and.pred %p8, 1, 256, %p8;\nselp.u32 %r5, 1, 0, %p6; @%p7 "
        "or.b32 %r5, %r5, 2; @%p8 or.b32 %r5, %r5, 4;\n");
}

inline Programs programs() {
    Programs list;
    add_atomics(list);
    add_exchanges(list);
    add_branches(list);
    return list;
}

} // namespace device
