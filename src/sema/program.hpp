// The checked program: flat, unrolled, every name resolved, every extent a number. Statements refer to
// objects by index into the kernel's vectors. One source statement in a loop of 8 turns is 8 statements here,
// and an object declared in the loop is 8 objects that share one image. Plain data; later stages read it and
// never change it. Not here: how copies become messages (match), when waits stand (order), where columns lie
// (space).
#pragma once

#include "base/dtype.hpp"
#include "base/source.hpp"
#include "grammar/ast.hpp"
#include "layout/layout.hpp"
#include "layout/tile_map.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace tmemc::sema {

using base::Dtype;
using base::Span;

// ---- objects
// -----------------------------------------------------------------------------------------------------

enum class Direction : std::uint8_t { in, out, inout };

struct Tensor { // a tensor parameter
    std::string name;
    Dtype dtype{};
    Direction direction{};
    std::vector<std::int64_t> extents; // one or two
    std::int64_t pitch = 0;            // elements from row to row
    std::int64_t align = 32;           // bytes, of the pointer
    Span span;
    // Scalar parameters that give the first extent and the pitch at run time, where 0 stands above then.
    std::optional<std::size_t> extent_from, pitch_from;
    [[nodiscard]] std::int64_t elements() const;
    bool operator==(const Tensor&) const = default;
};
struct Scalar { // a scalar parameter
    std::string name;
    Dtype dtype{};
    Span span;
    bool operator==(const Scalar&) const = default;
};
/// Of a function: a piece of tensor memory, which travels as the address of its lane 0 and first column.
struct TmemParameter {
    std::string name;
    Direction direction{};
    std::size_t buffer = 0; // into Kernel::buffers; it opens an alias group of its own
    Span span;
    bool operator==(const TmemParameter&) const = default;
};
/// Of a function: a fragment, which travels in registers.
struct FragmentParameter {
    std::string name;
    Direction direction{};
    std::size_t fragment = 0; // into Kernel::fragments
    Span span;
    bool operator==(const FragmentParameter&) const = default;
};
using Parameter = std::variant<Tensor, Scalar, TmemParameter, FragmentParameter>;

/// How a fragment spreads over registers: shared by every fragment of the same dtype, shape and layout.
struct FragmentImage {
    std::string name; // "atom 16x256b", or "layout S[...]" as the program would write it
    layout::Layout layout;
    layout::SlotMap slots; // slots.words is the number of registers per thread
    bool operator==(const FragmentImage&) const = default;
};
struct Fragment {
    std::string name;
    Dtype dtype{};
    int rows = 0, cols = 0; // of one dimension: a column
    std::size_t image = 0;  // into Kernel::fragment_images
    Span span;              // the declaration
    bool one_dimensional = false;
    bool hidden = false; // of the compiler's: what `cols(Bias)` loads
    [[nodiscard]] std::vector<std::int64_t> extents() const;
    bool operator==(const Fragment&) const = default;
};

/// How a buffer spreads over lanes and columns.
struct BufferImage {
    char datapath = 0; // 'A'..'G' as written or recognised; 0: an explicit layout that is none of them
    int sub_slab = 0;
    bool unpacked = false;
    layout::Layout layout;
    layout::CellMap cells; // cells.words is the number of columns
    bool operator==(const BufferImage&) const = default;
};
struct Buffer {
    std::string name;
    Dtype dtype{};
    int rows = 0, cols = 0;
    std::size_t image = 0; // into Kernel::buffer_images
    std::size_t group = 0; // into Kernel::groups: buffers that alias share a group
    int offset = 0;        // first column, counted in cells from the group's first
    Span span;
    std::optional<std::size_t> argument = std::nullopt; // of a call's parameter: the kernel's own buffer
    [[nodiscard]] bool operator==(const Buffer&) const = default;
};
/// Columns that are placed as one: a buffer and everything declared `at` it.
struct AliasGroup {
    int columns = 0;          // cells
    std::optional<int> fixed; // `at 64`: the first column, counted from the allocation's first
    std::size_t owner = 0;    // the buffer that opened the group
    bool operator==(const AliasGroup&) const = default;
};

/// A step of an expression in cta.x, cta.y and cta.z, which has one value in each CTA: `cta.x*128` is the
/// steps cta.x, 128 and their product.
struct IndexStep {
    enum class What : std::uint8_t {
        number,
        cta,
        add,
        subtract,
        multiply,
        divide, // towards zero
        remainder,
        minimum,
        maximum
    };
    What what{};
    std::int64_t number = 0;           // number; cta: the axis, 0 to 2
    std::uint32_t left = 0, right = 0; // earlier steps
    std::int64_t low = 0, high = 0;    // the value of every CTA lies between; both fit in 32 bits
    std::int64_t multiple = 0;         // of which it is one in every CTA
    bool operator==(const IndexStep&) const = default;
};

// ---- statements
// --------------------------------------------------------------------------------------------------

/// What depends on the CTA in a row or column.
struct Base {
    std::uint32_t step = 0;    // into Kernel::index_steps; 0: nothing
    std::int64_t multiple = 0; // of which it is one in every CTA
    bool operator==(const Base&) const = default;
};

/// A rectangle of an object, `rows x cols` from (row, col). A tensor of one dimension is one row, a fragment
/// of one dimension one column: it holds a number for each row of a tile.
struct Region {
    std::size_t object = 0; // index of the parameter, fragment or buffer; the statement says which
    int row = 0, col = 0;
    int rows = 0, cols = 0;
    Span span;
    Base row_base{}, col_base{}; // of a tensor: to be added to row and col
    bool operator==(const Region&) const = default;
};

/// What a load gives beside its elements (tcgen05.ld.red): in each row the greatest, or least, of some
/// columns of the fragment, those of one message. Nothing in a program says so; lower/fused_loads.hpp decides
/// it.
struct LoadFold {
    bool greatest = false, absolute = false; // of the magnitudes
    Region into;                             // of a fragment of the compiler's, as many rows as the load's
    std::vector<std::vector<int>> columns;   // for each column of `into`, those of the load's fragment
    bool operator==(const LoadFold&) const = default;
};
struct TmemCopy { // copy_async; the two rectangles may differ in size, which match refuses with its reasons
    enum class Op : std::uint8_t { ld, st };
    Op op{};
    Region buffer, fragment;
    std::optional<LoadFold> fold{};
    bool operator==(const TmemCopy&) const = default;
};
struct GlobalCopy { // copy
    enum class Op : std::uint8_t { load, store };
    enum class Path : std::uint8_t { choose, direct, staged };
    Op op{};
    Region tensor, fragment;
    Path path{};
    bool masked = false;                         // what lies outside the tensor is zero, and stays as it is
    bool rows_leave = false, cols_leave = false; // masked, and in some CTA the slice may leave the tensor
    bool operator==(const GlobalCopy&) const = default;
};
struct Wait {
    bool ld = false, st = false; // `wait ld, st;` has both
    bool operator==(const Wait&) const = default;
};
struct Sync {
    bool operator==(const Sync&) const = default;
};
struct Fill { // Y = 0.0;
    Region fragment;
    std::uint32_t bits = 0; // of one element
    bool operator==(const Fill&) const = default;
};

/// Which element of its region a fragment step gives for element (r, c) of the target: the one at the same
/// place, or of a vector, a region one element wide, number r (or c).
enum class Spread : std::uint8_t { each, rows, columns };

/// One step of a computation: a number for every element of the target, made from those of earlier steps.
struct Step {
    enum class What : std::uint8_t {
        fragment, // the element at the same place of a fragment's region
        scalar,   // a parameter
        number,   // the same in every element
        convert,  // from the operand's dtype to the step's
        negate,
        absolute,
        add,
        subtract,
        multiply,
        divide,
        remainder,
        multiply_add, // rounds once
        minimum,
        maximum,
        exp2,
        log2,
        rcp,
        rsqrt,
        sqrt,
        tanh,
        select, // operands 0 and 1 compared; if so operand 2, else 3
    };
    What what{};
    Dtype dtype{};                     // of what it makes
    std::array<std::uint32_t, 4> in{}; // steps; as many as count
    std::uint32_t count = 0;
    Region fragment;           // fragment
    Spread spread{};           // fragment
    std::size_t parameter = 0; // scalar
    std::uint32_t bits = 0;    // number
    std::string comparison;    // select: "<"
    bool operator==(const Step&) const = default;
};
/// `M = row_max(X - 1.0);`: the steps make a number for every element of `over`, whose threads compute, and
/// each row of them becomes one number of the target, a column. Threads work in the order of row_fold.hpp.
struct Reduction {
    Step::What what{}; // add, minimum or maximum
    Region over;       // of a fragment, of as many rows as the target
    bool operator==(const Reduction&) const = default;
};
struct Compute { // Y = X * alpha + 1.0;
    Region target;
    std::vector<Step> steps; // the last one is the value, of the target's dtype
    std::optional<Reduction> reduction;
    /// For whose elements the steps are done.
    [[nodiscard]] const Region& elements() const { return reduction ? reduction->over : target; }
    bool operator==(const Compute&) const = default;
};

struct Statement {
    std::variant<TmemCopy, GlobalCopy, Wait, Sync, Fill, Compute> what;
    std::optional<int> warpgroup; // of `on warpgroup k`; nothing: every warpgroup
    Span span;
    std::string iteration; // "c = 3, i = 0" inside loops, else empty
    /// Of a function's statement in its caller: the calls around it, the innermost first.
    std::vector<Span> calls = {};
    bool operator==(const Statement&) const = default;
};

/// A place in a fragment.
struct Spot {
    int row = 0, col = 0;
    bool operator==(const Spot&) const = default;
};
/// Where a fragment step finds its element for (row, col), counted from the target region's corner.
[[nodiscard]] Spot operand_spot(const Step& step, int row, int col);

/// What a statement does with a fragment.
struct FragmentAccess {
    const Region* region = nullptr;
    bool writes = false; // else it reads
};
/// All that it reads, then what it writes; a copy's own last.
[[nodiscard]] std::vector<FragmentAccess> fragment_accesses(const Statement& statement);

/// A kernel, or a function that other people's kernels call: one warpgroup, which may be any of its CTA, a
/// grid that it does not know, and no allocation. Calls are expanded in place, so no statement is one.
struct Kernel {
    std::string name;
    bool function = false;
    std::vector<Parameter> parameters; // in declaration order
    std::array<std::int64_t, 3> grid{1, 1, 1};
    int warpgroups = 1;
    std::vector<IndexStep> index_steps; // each once, the number 0 first; empty when nothing needs them
    std::vector<FragmentImage> fragment_images;
    std::vector<Fragment> fragments;
    std::vector<BufferImage> buffer_images;
    std::vector<Buffer> buffers;
    std::vector<AliasGroup> groups;
    std::vector<Statement> statements;
    Span span; // its name
    Span body; // all of it, parameters too
    [[nodiscard]] int threads() const { return 128 * warpgroups; }
    /// The parameter that a fragment is, or in which a buffer lies; null when it is none.
    [[nodiscard]] const FragmentParameter* parameter_of_fragment(std::size_t fragment) const;
    [[nodiscard]] const TmemParameter* parameter_of_buffer(std::size_t buffer) const;
    /// The first that is a fragment: PTX has no such function. Null when none is.
    [[nodiscard]] const FragmentParameter* first_fragment_parameter() const;
    [[nodiscard]] const layout::SlotMap& slots(const Fragment& f) const {
        return fragment_images[f.image].slots;
    }
    [[nodiscard]] const layout::CellMap& cells(const Buffer& b) const { return buffer_images[b.image].cells; }
    bool operator==(const Kernel&) const = default;
};

struct Program {
    std::string target;                                          // of the file or the command line: "sm_100a"
    std::vector<Kernel> kernels;                                 // and functions, in the order of the file
    std::vector<std::pair<std::string, std::int64_t>> constants; // after -D
    std::vector<grammar::ast::Test> tests;                       // evaluated by src/trial
    bool operator==(const Program&) const = default;
};

} // namespace tmemc::sema
