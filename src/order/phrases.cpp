// Runs that touch are joined, first along the columns, then down the lanes.
#include "order/phrases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace tmemc::order {

namespace {

/// Columns [first, last) in the lanes of some slabs, each range [first, last) too.
struct Block {
    int first = 0, last = 0;
    std::vector<std::pair<int, int>> slabs;
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
        auto block = std::find_if(blocks.begin(), blocks.end(), [&](const Block& each) {
            return each.first == run.first && each.last == run.last;
        });
        if (block == blocks.end()) block = blocks.insert(block, {run.first, run.last, {}});
        if (!block->slabs.empty() && block->slabs.back().second == run.line)
            ++block->slabs.back().second;
        else
            block->slabs.emplace_back(run.line, run.line + 1);
    }
    return blocks;
}

std::string range(int first, int last) {
    return last - first == 1 ? std::to_string(first) : fmt::format("{}..{}", first, last - 1);
}

/// "lanes 16..31, 48..63 and 80..95"
std::string lanes_of(const Block& block) {
    std::string text = "lanes ";
    for (std::size_t i = 0; i < block.slabs.size(); ++i) {
        if (i > 0) text += i + 1 == block.slabs.size() ? " and " : ", ";
        text += range(block.slabs[i].first * slab_lanes, block.slabs[i].second * slab_lanes);
    }
    return text;
}

} // namespace

std::string cells_phrase(const sema::Kernel& kernel, const sema::Region& region, Footprint cells) {
    constexpr std::size_t most = 3;
    const sema::Buffer& buffer = kernel.buffers[region.object];
    // As slices count them: a cell holds one element or, of narrow types that are not unpacked, several.
    const bool unpacked = kernel.buffer_images[buffer.image].unpacked;
    const int scale = unpacked ? 1 : base::per_word(buffer.dtype);
    const std::vector<Block> blocks = blocks_of(joined(std::move(cells)));
    std::string text;
    for (std::size_t i = 0; i < std::min(blocks.size(), most); ++i) {
        const Block& block = blocks[i];
        const int first = scale * (block.first - buffer.offset), last = scale * (block.last - buffer.offset);
        if (i > 0) text += "; ";
        text += fmt::format("column{} {}", last - first == 1 ? "" : "s", range(first, last));
        if (i == 0) text += fmt::format(" of `{}`", buffer.name);
        text += ", " + lanes_of(block);
    }
    if (blocks.size() > most) text += fmt::format("; and {} more blocks", blocks.size() - most);
    return text;
}

} // namespace tmemc::order
