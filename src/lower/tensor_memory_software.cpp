// A register of a message is a spot: what the bits of the thread add in lanes and columns, and constants.
// Threads share a pointer as long as the constants differ by multiples of 8 columns, because only the three
// lowest bits of a column decide how its lanes stand.
#include "lower/tensor_memory_software.hpp"

#include "atlas/limits.hpp"
#include "atlas/shapes.hpp"
#include "lower/staging.hpp"

#include <map>
#include <tuple>

namespace tmemc::lower {
namespace {

constexpr std::int64_t word = 4, column_bytes = atlas::lanes * word;
constexpr std::size_t warp_bit = 5; // of the thread number, and the first of two that give lanes

/// What is joined to the lanes of column `c`.
std::int64_t turn(std::int64_t c) { return ((c << 4 ^ c << 2) & 24); }

/// Where the threads of a message have a register.
struct Spot {
    ThreadSteps lanes{}, columns{};
    std::int64_t lane = 0, column = 0; // on top
};

class Software final : public TensorMemory {
  public:
    Software(KernelText& text, const sema::Kernel& kernel, FrontNumbers& numbers, const CellImage& image)
        : text_(text), kernel_(kernel), numbers_(numbers), image_(image) {}

    bool allocate() override { return false; }
    void copy(sema::TmemCopy::Op op, const std::vector<match::Message>& messages, const Place& place,
              const std::vector<std::string>& registers, const std::optional<Fold>&) override {
        for_each_by_warps(text_, messages,
                          [&](std::size_t m) { message(op, messages[m], place.column, registers); });
    }
    void wait(order::WaitKind) override;
    void sync() override { emit("bar.sync", {constant(0)}); }
    void release() override {}

  private:
    void emit(std::string name, std::vector<ptx::Operand> operands) {
        text_.body.emplace_back(instruction(std::move(name), std::move(operands)));
    }
    void front(std::string name, std::vector<ptx::Operand> operands) {
        text_.front.emplace_back(instruction(std::move(name), std::move(operands)));
    }
    void message(sema::TmemCopy::Op op, const match::Message& message, int column,
                 const std::vector<std::string>& registers);
    void move(sema::TmemCopy::Op op, Spot spot, bool packed, const ptx::Register& value);
    [[nodiscard]] std::string access(sema::TmemCopy::Op op, std::string_view type) const;
    ptx::Address address(const Spot& spot);
    ptx::Register pointer(const Spot& spot);
    ptx::Register lane_bytes(const Spot& spot);
    ptx::Register offset(const Spot& spot);
    const ptx::Register& first_cell();
    ptx::Register cta_number();

    KernelText& text_;
    const sema::Kernel& kernel_;
    FrontNumbers& numbers_;
    const CellImage image_;
    std::optional<ptx::Register> first_cell_;
    std::map<std::pair<ThreadSteps, std::int64_t>, ptx::Register> lane_bytes_;
    std::map<std::tuple<ThreadSteps, ThreadSteps, std::int64_t, std::int64_t>, ptx::Register> pointers_;
};

std::string Software::access(sema::TmemCopy::Op op, std::string_view type) const {
    return std::string(op == sema::TmemCopy::Op::ld ? "ld" : "st") +
           (image_.variable.empty() ? ".global." : ".shared.") + std::string(type);
}

void Software::message(sema::TmemCopy::Op op, const match::Message& message, int column,
                       const std::vector<std::string>& registers) {
    const atlas::ShapeRow& shape = atlas::row(message.shape);
    const int apart = message.pack ? 2 : 1; // cells to a column of the shape
    Spot first;
    for (std::size_t bit = 0; bit < warp_bit; ++bit) {
        first.lanes[bit] = shape.thread_bits[bit].lane;
        first.columns[bit] = std::int64_t{apart} * shape.thread_bits[bit].column;
    }
    first.lanes[warp_bit] = atlas::lanes_per_warp;
    first.lanes[warp_bit + 1] = std::int64_t{2} * atlas::lanes_per_warp;
    if (message.half_split) { // of the address as a whole, lanes in its upper half
        const int near = (message.row << 16) + column + message.column, far = near + *message.half_split;
        first.lanes[warp_bit - 1] = (far >> 16) - (near >> 16);
        first.columns[warp_bit - 1] = (far & 0xffff) - (near & 0xffff);
    }
    for (std::size_t i = 0; i < message.registers.size(); ++i) {
        const atlas::Step step = atlas::cell_of(shape, 0, static_cast<int>(i));
        Spot spot = first;
        spot.lane = message.row + step.lane;
        spot.column = column + message.column + apart * step.column;
        move(op, spot, message.pack, {registers.at(static_cast<std::size_t>(message.registers[i]))});
    }
}

/// One register; a packed one is in the low halves of two cells.
void Software::move(sema::TmemCopy::Op op, Spot spot, bool packed, const ptx::Register& value) {
    const bool load = op == sema::TmemCopy::Op::ld;
    const auto one = [&](std::string_view type, const ptx::Register& reg) {
        if (load)
            emit(access(op, type), {reg, address(spot)});
        else
            emit(access(op, type), {address(spot), reg});
    };
    if (!packed) return one("b32", value);
    constexpr std::int64_t low_halves = 0x5410;
    const ptx::Register high = text_.scratch();
    if (load) {
        one("u16", value);
        ++spot.column;
        one("u16", high);
        return emit("prmt.b32", {value, value, high, constant(low_halves)});
    }
    const ptx::Register low = text_.scratch();
    emit("and.b32", {low, value, constant(0xffff)});
    emit("shr.u32", {high, value, constant(16)});
    one("b32", low);
    ++spot.column;
    one("b32", high);
}

ptx::Address Software::address(const Spot& spot) {
    Spot near = spot; // the pointer is for all that agree in it
    const bool straight = spot.columns == ThreadSteps{};
    near.column = straight ? turn(spot.column) : spot.column % 8;
    const auto key = std::tuple{near.lanes, near.columns, near.lane, near.column};
    auto known = pointers_.find(key);
    if (known == pointers_.end()) known = pointers_.emplace(key, pointer(near)).first;
    return {known->second, spot.column * column_bytes};
}

ptx::Register Software::lane_bytes(const Spot& spot) {
    const auto known = lane_bytes_.find({spot.lanes, spot.lane});
    if (known != lane_bytes_.end()) return known->second;
    ptx::Register lane = *numbers_.position(0, spot.lanes);
    if (spot.lane != 0) {
        const ptx::Register on = text_.scratch();
        front("add.u32", {on, lane, constant(spot.lane)});
        lane = on;
    }
    const ptx::Register bytes = text_.scratch();
    front("shl.b32", {bytes, lane, constant(2)});
    return lane_bytes_.emplace(std::pair{spot.lanes, spot.lane}, bytes).first->second;
}

/// The bytes to the thread's cell, but for those of `spot.column`, of which only what it joins to the lanes
/// is in them; where all threads are in one column, `spot.column` is that itself.
ptx::Register Software::offset(const Spot& spot) {
    ptx::Register bytes = lane_bytes(spot);
    ptx::Register sum = text_.scratch();
    if (spot.columns == ThreadSteps{}) {
        if (spot.column == 0) return bytes;
        front("xor.b32", {sum, bytes, constant(spot.column * word)});
        return sum;
    }
    const ptx::Register of_thread = *numbers_.position(0, spot.columns);
    ptx::Register column = of_thread;
    if (spot.column != 0) {
        column = text_.scratch();
        front("add.u32", {column, of_thread, constant(spot.column)});
    }
    const ptx::Register high = text_.scratch(), low = text_.scratch();
    front("shl.b32", {high, column, constant(6)});
    front("shl.b32", {low, column, constant(4)});
    front("xor.b32", {high, high, low});
    front("and.b32", {high, high, constant(24 * word)});
    front("xor.b32", {high, high, bytes});
    front("mad.lo.u32", {sum, of_thread, constant(column_bytes), high});
    return sum;
}

ptx::Register Software::pointer(const Spot& spot) {
    const ptx::Register bytes = offset(spot), first = first_cell();
    if (!image_.variable.empty()) {
        ptx::Register made = text_.declare("b32", "cell");
        front("add.u32", {made, first, bytes});
        return made;
    }
    const ptx::Register wide = text_.declare("b64", "offset");
    ptx::Register made = text_.declare("b64", "cell");
    front("mul.wide.s32", {wide, bytes, constant(1)});
    front("add.s64", {made, first, wide});
    return made;
}

const ptx::Register& Software::first_cell() {
    if (first_cell_) return *first_cell_;
    const bool shared = !image_.variable.empty();
    first_cell_ = text_.declare(shared ? "b32" : "b64", "cells");
    if (shared) {
        front("mov.u32", {*first_cell_, ptx::Symbol{image_.variable}});
        return *first_cell_;
    }
    front("ld.param.u64", {*first_cell_, ptx::Address{ptx::Symbol{image_.parameter}, 0}});
    if (kernel_.grid == decltype(kernel_.grid){1, 1, 1}) return *first_cell_;
    const ptx::Register slice = text_.declare("b64", "offset"), all = *first_cell_;
    front("mul.wide.u32", {slice, cta_number(), constant(static_cast<std::int64_t>(image_.bytes))});
    front("add.s64", {*first_cell_, all, slice});
    return *first_cell_;
}

/// x + X*(y + Y*z)
ptx::Register Software::cta_number() {
    std::optional<ptx::Register> number;
    for (std::size_t axis = 3; axis-- > 0;) {
        if (kernel_.grid[axis] == 1) continue;
        const ptx::Register index = text_.scratch();
        front("mov.u32", {index, ptx::Register{std::string("%ctaid.") + "xyz"[axis]}});
        if (number) front("mad.lo.u32", {index, *number, constant(kernel_.grid[axis]), index});
        number = index;
    }
    return *number;
}

/// Two waits of one statement are one barrier.
void Software::wait(order::WaitKind) {
    const ptx::Instruction barrier = instruction("bar.warp.sync", {constant(-1)}); // all 32 lanes
    const auto* last = text_.body.empty() ? nullptr : std::get_if<ptx::Instruction>(&text_.body.back());
    if (last == nullptr || *last != barrier) text_.body.emplace_back(barrier);
}

} // namespace

CellImage cell_image(KernelText& text, int columns, int staging) {
    CellImage image;
    if (columns == 0) return image;
    image.bytes = static_cast<std::uint64_t>(columns) * column_bytes;
    const std::string name = text.names.symbol("tensor_memory");
    if (image.bytes + static_cast<std::uint64_t>(staging) > atlas::static_shared_bytes) {
        image.parameter = name;
        return image;
    }
    image.variable = name;
    text.declarations.emplace_back(ptx::Variable{"shared", part_alignment, "b8", name, {image.bytes}});
    return image;
}

std::unique_ptr<TensorMemory> software_tensor_memory(KernelText& text, const sema::Kernel& kernel,
                                                     FrontNumbers& numbers, const CellImage& image) {
    return std::make_unique<Software>(text, kernel, numbers, image);
}

} // namespace tmemc::lower
