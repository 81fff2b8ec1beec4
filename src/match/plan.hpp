// What the matcher decides: for every tensor-memory copy of a kernel, the messages that do it. Plain data.
// Example: a 128x8 f16 tile between datapath D and the 32x32b image is one message, 32x32b.x4 at row 0,
// column 0.
#pragma once

#include "atlas/shapes.hpp"
#include "sema/program.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tmemc::match {

/// One tcgen05.ld or tcgen05.st.
struct Message {
    atlas::Shape shape{};
    int num = 1;                   // of .xN
    int row = 0;                   // lane offset inside each warp's 32 lanes
    int column = 0;                // first cell, counted from the alias group's first column
    std::vector<int> registers;    // the fragment's 32-bit registers in vector order
    std::vector<int> warps;        // of the warpgroup, 0..3, ascending
    bool pack = false;             // .pack::16b or .unpack::16b
    std::optional<int> half_split; // immHalfSplitoff of a split shape: cells, plus lanes << 16
    bool operator==(const Message&) const = default;
};

/// "32x32b.x4", with the qualifier of a message that packs: what PTX names it by.
[[nodiscard]] std::string name_of(const Message& message, sema::TmemCopy::Op op);

struct CopyPlan {
    std::size_t statement = 0;     // into sema::Kernel::statements; a TmemCopy
    std::vector<Message> messages; // ascending (row, column)
    bool operator==(const CopyPlan&) const = default;
};
struct KernelPlan {
    std::vector<CopyPlan> copies; // one per TmemCopy, in program order
    bool operator==(const KernelPlan&) const = default;
};
struct Plan {
    std::vector<KernelPlan> kernels; // parallel to sema::Program::kernels
    bool operator==(const Plan&) const = default;
};

} // namespace tmemc::match
