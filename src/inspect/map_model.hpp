// Who has which columns of tensor memory, from which line to which: 128 lanes by 512 columns over the lines
// of a kernel, as plain numbers for pictures. A buffer lives from its first access to the wait that completes
// its last; what is never used is kept for the whole kernel. Example, of a kernel that allocates 64 columns:
//
//     T   columns 0..31    lanes 0..127   lines 6..8
//     V   columns 0..15    lanes 0..127   lines 7..8     inside T: the same cells under another name
//     U   columns 0..31    lanes 0..127   lines 9..12    T has ended, so U has its columns
//
// The peak is the most columns that are in use at one time; what is allocated is a power of two and may be
// more. A kernel that does not fit is placed beyond column 511, where there is nothing. Of a function columns
// count from what each parameter's address names, and a picture has the parameters side by side. What a loop
// makes over and over in the same columns is one buffer here, from the first line of any turn to the last.
// Not here: single elements (layout_model.hpp).
#pragma once

#include "base/source.hpp"
#include "order/order.hpp"
#include "sema/program.hpp"
#include "space/space.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::inspect {

/// Numbers first..last.
struct Range {
    int first = 0, last = 0;
    bool operator==(const Range&) const = default;
};

struct MapBuffer {
    std::string name;
    std::string type;            // "f32[128, 64]"
    std::string layout_words;    // "datapath D"
    int column = 0, columns = 0; // the first, and how many
    int base = 0; // of a function: where the picture has column 0 of this parameter; columns count from there
    std::vector<Range> lanes;   // ascending
    std::string inside;         // of an alias: the buffer in whose columns it lies
    std::uint32_t declared = 0; // line
    bool used = false;
    std::uint32_t first = 0, last = 0; // of MapModel::lines, where it is live
    int times = 1;                     // turns of a loop that make it
    [[nodiscard]] int end() const { return column + columns; }
    bool operator==(const MapBuffer&) const = default;
};

/// A line with a statement that touches, waits for or orders tensor memory.
struct MapLine {
    std::uint32_t line = 0;
    std::string text;              // without the blanks around it
    std::vector<std::size_t> live; // buffers, ascending
    bool operator==(const MapLine&) const = default;
};

struct MapModel {
    std::string kernel;
    bool function = false;
    int limit = 0;     // columns that there are
    int allocated = 0; // a power of two; 0: nothing. More than `limit`: it does not fit
    int needed = 0;    // up to the end of the last buffer
    int peak = 0;      // most columns in use at one time
    std::uint32_t peak_line = 0;
    std::vector<MapBuffer> buffers; // in the order of declaration
    std::vector<MapLine> lines;     // ascending
    [[nodiscard]] bool fits() const { return function || needed <= limit; }
    bool operator==(const MapModel&) const = default;
};

/// `schedule`: where the kernel's waits stand.
[[nodiscard]] MapModel map_model(const base::Source& source, const sema::Kernel& kernel,
                                 const order::KernelSchedule& schedule, const space::KernelSpace& space);

} // namespace tmemc::inspect
