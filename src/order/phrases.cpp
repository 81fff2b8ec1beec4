// Runs that touch are joined, first along the columns, then down the lanes.
#include "order/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace tmemc::order {

namespace {

struct Block {
    int first_line = 0, last_line = 0; // [first, last)
    int first = 0, last = 0;
};

Footprint joined(Footprint runs) {
    std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) {
        return std::tie(a.line, a.first) < std::tie(b.line, b.first);
    });
    Footprint wide;
    for (const Run& run : runs)
        if (!wide.empty() && wide.back().line == run.line && run.first <= wide.back().last)
            wide.back().last = std::max(wide.back().last, run.last);
        else
            wide.push_back(run);
    return wide;
}

std::vector<Block> blocks_of(const Footprint& runs) {
    std::vector<Block> blocks;
    for (const Run& run : runs) {
        const auto above = std::find_if(blocks.begin(), blocks.end(), [&](const Block& block) {
            return block.last_line == run.line && block.first == run.first && block.last == run.last;
        });
        if (above != blocks.end())
            ++above->last_line;
        else
            blocks.push_back({run.line, run.line + 1, run.first, run.last});
    }
    return blocks;
}

std::string range(std::string_view what, int first, int last) {
    return last - first == 1 ? fmt::format("{} {}", what, first)
                             : fmt::format("{}s {}..{}", what, first, last - 1);
}

} // namespace

std::string cells_phrase(const sema::Kernel& kernel, const sema::Region& region, Footprint cells) {
    constexpr std::size_t most = 3;
    const sema::Buffer& buffer = kernel.buffers[region.object];
    const std::vector<Block> blocks = blocks_of(joined(std::move(cells)));
    std::string text;
    for (std::size_t i = 0; i < std::min(blocks.size(), most); ++i) {
        const Block& block = blocks[i];
        if (i > 0) text += " and ";
        text += range("column", block.first - buffer.offset, block.last - buffer.offset);
        if (i == 0) text += fmt::format(" of `{}`", buffer.name);
        text += ", " + range("lane", block.first_line * slab_lanes, block.last_line * slab_lanes);
    }
    if (blocks.size() > most) text += fmt::format(" and {} more blocks", blocks.size() - most);
    return text;
}

} // namespace tmemc::order
