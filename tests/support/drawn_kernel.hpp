// Small drawn kernels, and a judge of them that shares nothing with the compiler: it knows datapaths D and F
// by heart, holds every access as a set of (lane, column) and asks of every pair of accesses what stands
// between.
#pragma once

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tests {

/// One statement: `copy_async`, `wait` or `sync`.
struct Step {
    enum class What { ld, st, wait_ld, wait_st, sync } what{};
    int warpgroup = 0; // meaningless for sync
    int buffer = 0;    // 0: T, f32[128, 8] D; 1: L, 2: H, the two sub-slabs of 64 rows over the same columns
    int first = 0, last = 8; // columns [first, last)
    bool operator==(const Step&) const = default;
};

struct Drawn {
    int warpgroups = 1;
    std::vector<Step> steps;
    bool operator==(const Drawn&) const = default;
};

using Cells = std::set<std::pair<int, int>>;

inline Cells cells_of(const Step& step) {
    Cells cells;
    for (int row = 0; row < (step.buffer == 0 ? 128 : 64); ++row)
        for (int col = step.first; col < step.last; ++col)
            cells.insert({step.buffer == 0 ? row : row / 16 * 32 + row % 16 + 16 * (step.buffer - 1), col});
    return cells;
}

inline bool is_access(const Step& step) { return step.what == Step::What::ld || step.what == Step::What::st; }

/// Whether every two accesses that meet in a cell, and every access and the end, are kept apart. `cells_of`
/// is where a step's cells lie.
template <class CellsOf>
bool free_of_hazards(const Drawn& drawn, CellsOf cells_of) {
    const auto& steps = drawn.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (!is_access(steps[i])) continue;
        const auto wanted = steps[i].what == Step::What::ld ? Step::What::wait_ld : Step::What::wait_st;
        const auto waits = [&](const Step& step) {
            return step.what == wanted && step.warpgroup == steps[i].warpgroup;
        };
        const auto own = [&](std::size_t j) { // the position of the wait, if it stands before j
            for (std::size_t k = i + 1; k < j; ++k)
                if (waits(steps[k])) return std::optional(k);
            return std::optional<std::size_t>();
        };
        if (!own(steps.size())) return false;
        for (std::size_t j = i + 1; j < steps.size(); ++j) {
            if (!is_access(steps[j])) continue;
            if (steps[i].what == Step::What::ld && steps[j].what == Step::What::ld) continue;
            const Cells mine = cells_of(steps[i]), other = cells_of(steps[j]);
            const bool meet =
                std::any_of(mine.begin(), mine.end(), [&](auto cell) { return other.count(cell) > 0; });
            if (!meet) continue;
            const auto wait = own(j);
            if (!wait) return false;
            if (steps[i].warpgroup == steps[j].warpgroup) continue;
            const auto synced = std::any_of(steps.begin() + static_cast<std::ptrdiff_t>(*wait),
                                            steps.begin() + static_cast<std::ptrdiff_t>(j),
                                            [](const Step& step) { return step.what == Step::What::sync; });
            if (!synced) return false;
        }
    }
    return true;
}

inline bool free_of_hazards(const Drawn& drawn) {
    return free_of_hazards(drawn, [](const Step& step) { return cells_of(step); });
}

/// The kernel in the language. What it loads goes to fragments of their own and is read at the very end, so
/// that only tensor memory is at stake.
inline std::string text_of(const Drawn& drawn) {
    std::string text =
        "kernel k() warpgroups(" + std::to_string(drawn.warpgroups) +
        ") {\n  tmem T: f32[128, 8];\n"
        "  tmem L: f32[64, 8] datapath F at T;\n  tmem H: f32[64, 8] datapath F sub_slab 1 at T;\n"
        "  frag X: f32[128, 8];\n  frag Y: f32[64, 8] atom 16x64b;\n  X = 1.0;\n  Y = 2.0;\n"
        "  on warpgroup 0 { copy_async T <- X; wait st; }\n  sync;\n";
    int fresh = 0;
    for (const Step& step : drawn.steps) {
        std::string line;
        const std::string cols = "[:, " + std::to_string(step.first) + ":" + std::to_string(step.last) + "]";
        const std::string buffer = std::string(1, "TLH"[step.buffer]) + cols;
        const std::string frag = std::string(1, "XYY"[step.buffer]) + cols;
        switch (step.what) {
        case Step::What::st: line = "copy_async " + buffer + " <- " + frag + ";"; break;
        case Step::What::ld: {
            const std::string name = "R" + std::to_string(fresh++);
            text += "  frag " + name + ": f32[" + (step.buffer == 0 ? "128" : "64") + ", 8]" +
                    (step.buffer == 0 ? "" : " atom 16x64b") + ";\n";
            line = "copy_async " + name + cols + " <- " + buffer + ";";
            break;
        }
        case Step::What::wait_ld: line = "wait ld;"; break;
        case Step::What::wait_st: line = "wait st;"; break;
        case Step::What::sync: text += "  sync;\n"; continue;
        }
        text += "  on warpgroup " + std::to_string(step.warpgroup) + " { " + line + " }\n";
    }
    return text + "}\n";
}

inline Drawn draw(std::mt19937& random, int most, bool with_waits) {
    const auto pick = [&random](int first, int last) {
        return std::uniform_int_distribution<int>(first, last)(random);
    };
    Drawn drawn;
    drawn.warpgroups = pick(1, 2);
    for (int count = pick(1, most); count > 0; --count) {
        Step step;
        const int kind = pick(0, with_waits ? 9 : 5);
        step.what = kind < 2   ? Step::What::ld
                    : kind < 4 ? Step::What::st
                    : kind < 6 ? Step::What::sync
                    : kind < 8 ? Step::What::wait_ld
                               : Step::What::wait_st;
        if (step.what == Step::What::sync && drawn.warpgroups == 1) step.what = Step::What::ld;
        step.warpgroup = pick(0, drawn.warpgroups - 1);
        step.buffer = pick(0, 2);
        step.first = 2 * pick(0, 3);
        step.last = 2 * pick(step.first / 2 + 1, 4);
        drawn.steps.push_back(step);
    }
    return drawn;
}

} // namespace tests
