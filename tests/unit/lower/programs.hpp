// Checked programs made by hand, with the plan, schedule and space that go with them, so that lowering is
// tested without the stages before it. The text of a statement is whatever a test likes to see in the
// comments.
#pragma once

#include "lower/lower.hpp"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace tmemc::lower::test {

/// A fragment's map from a formula: thread, register and bit of element (row, col).
inline layout::SlotMap slots(int rows, int cols, int bits,
                             const std::function<layout::Slot(int, int)>& place) {
    layout::SlotMap map{rows, cols, 1, bits, 0, {}};
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            map.places.push_back(place(row, col));
            map.words = std::max(map.words, map.places.back().reg + 1);
        }
    return map;
}

inline layout::Slot slot(int thread, int element, int bits) {
    return {static_cast<std::uint16_t>(thread), static_cast<std::uint16_t>(element * bits / 32),
            static_cast<std::uint8_t>(element * bits % 32)};
}

/// One row per thread.
inline layout::SlotMap row_per_thread(int cols, int bits) {
    return slots(128, cols, bits, [=](int row, int col) { return slot(row, col, bits); });
}

/// The image of 16x256b messages, from the formulas of PTX ISA 9.7.16.8: 64 rows, or 128 in two slabs a warp.
inline layout::SlotMap image_16x256b(int rows, int cols, int bits) {
    const int words = cols * bits / 32;
    return slots(rows, cols, bits, [=](int row, int col) {
        const int word = col * bits / 32, in_slab = row % 16;
        const int warp = rows == 128 ? row / 32 : row / 16, slab = rows == 128 ? row / 16 % 2 : 0;
        const int lane = 4 * (in_slab % 8) + word / 2 % 4;
        const int reg = slab * words / 2 + word % 2 + 2 * (in_slab / 8) + 4 * (word / 8);
        layout::Slot place = slot(32 * warp + lane, reg * 32 / bits, bits);
        place.bit = static_cast<std::uint8_t>(col * bits % 32);
        return place;
    });
}

/// A kernel under construction, with everything that lower() takes.
struct Program {
    sema::Program program;
    match::Plan plan;
    order::Schedule schedule;
    space::Space space;
    std::string text;
    bool software = false;                                        // tensor memory
    sema::GlobalCopy::Path path = sema::GlobalCopy::Path::direct; // of the global copies that come

    explicit Program(int warpgroups = 1) {
        program.target = "sm_100a";
        program.kernels.emplace_back().name = "k";
        kernel().warpgroups = warpgroups;
        plan.kernels.emplace_back();
        schedule.kernels.emplace_back();
        space.kernels.emplace_back();
    }

    sema::Kernel& kernel() { return program.kernels[0]; }

    std::size_t tensor(const std::string& name, base::Dtype dtype, int rows, int cols) {
        sema::Tensor each;
        each.name = name;
        each.dtype = dtype;
        each.extents = {rows, cols};
        each.pitch = cols;
        kernel().parameters.emplace_back(each);
        return kernel().parameters.size() - 1;
    }
    sema::Tensor& tensor(std::size_t i) { return std::get<sema::Tensor>(kernel().parameters[i]); }
    std::size_t fragment(const std::string& name, base::Dtype dtype, layout::SlotMap map) {
        kernel().fragments.push_back({name, dtype, map.rows, map.cols, kernel().fragment_images.size(), {}});
        kernel().fragment_images.push_back({"image", {}, std::move(map)});
        return kernel().fragments.size() - 1;
    }
    /// A buffer that is a group of its own, at `column` of the allocation.
    std::size_t buffer(int column, int allocation) {
        sema::Buffer each;
        each.group = kernel().groups.size();
        kernel().groups.emplace_back();
        kernel().buffers.push_back(each);
        space.kernels[0].group_columns.push_back(column);
        space.kernels[0].columns = allocation;
        return kernel().buffers.size() - 1;
    }

    std::size_t add(const std::string& line, decltype(sema::Statement::what) what,
                    std::optional<int> warpgroup = {}) {
        const auto begin = static_cast<std::uint32_t>(text.size());
        text += line + "\n";
        kernel().statements.push_back(
            {std::move(what), warpgroup, {begin, static_cast<std::uint32_t>(text.size() - 1)}, ""});
        return kernel().statements.size() - 1;
    }
    [[nodiscard]] sema::Region whole(std::size_t fragment) const {
        const sema::Fragment& each = program.kernels[0].fragments[fragment];
        return {fragment, 0, 0, each.rows, each.cols, {}};
    }
    std::size_t load(std::size_t fragment, std::size_t tensor, std::optional<int> warpgroup = {}) {
        return load(whole(fragment), tensor, 0, 0, warpgroup);
    }
    std::size_t load(sema::Region fragment, std::size_t tensor, int row, int col,
                     std::optional<int> warpgroup = {}) {
        return global(sema::GlobalCopy::Op::load, fragment, tensor, row, col, warpgroup);
    }
    std::size_t store(std::size_t tensor, std::size_t fragment, std::optional<int> warpgroup = {}) {
        return global(sema::GlobalCopy::Op::store, whole(fragment), tensor, 0, 0, warpgroup);
    }
    std::size_t store(std::size_t tensor, int row, int col, sema::Region fragment) {
        return global(sema::GlobalCopy::Op::store, fragment, tensor, row, col, {});
    }
    std::size_t global(sema::GlobalCopy::Op op, sema::Region fragment, std::size_t tensor, int row, int col,
                       std::optional<int> warpgroup) {
        sema::GlobalCopy copy;
        copy.op = op;
        copy.path = path;
        copy.fragment = fragment;
        copy.tensor = {tensor, row, col, fragment.rows, fragment.cols, {}};
        return add(op == sema::GlobalCopy::Op::load ? "load;" : "store;", copy, warpgroup);
    }
    std::size_t message(sema::TmemCopy::Op op, std::size_t buffer, std::size_t fragment,
                        std::vector<match::Message> messages, std::optional<int> warpgroup = {}) {
        sema::TmemCopy copy;
        copy.op = op;
        copy.buffer.object = buffer;
        copy.fragment = whole(fragment);
        const std::size_t statement = add(op == sema::TmemCopy::Op::ld ? "ld;" : "st;", copy, warpgroup);
        plan.kernels[0].copies.push_back({statement, std::move(messages)});
        return statement;
    }
    std::size_t wait(order::WaitKind kind, std::optional<int> warpgroup = {}) {
        const bool load = kind == order::WaitKind::ld;
        const std::size_t statement = add(load ? "wait ld;" : "wait st;", sema::Wait{load, !load}, warpgroup);
        schedule.kernels[0].waits.push_back({statement, kind, false});
        return statement;
    }

    [[nodiscard]] LowerResult lowered() const {
        return lower(program, plan, schedule, space, base::Source("dir/k.tmx", text), software);
    }
};

/// Registers first, first + 1, ..., count of them.
inline std::vector<int> registers(int count, int first = 0) {
    std::vector<int> list;
    for (int i = 0; i < count; ++i) list.push_back(first + i);
    return list;
}

/// 32x32b.xN by all warps at column 0.
inline match::Message plain_message(int num) {
    match::Message message;
    message.shape = atlas::Shape::s32x32b;
    message.num = num;
    message.registers = registers(num);
    message.warps = {0, 1, 2, 3};
    return message;
}

/// The round trip of the language reference with f16 and `cols` columns.
inline Program round_trip(int cols) {
    Program p;
    p.kernel().name = "roundtrip";
    const std::size_t a = p.tensor("A", base::Dtype::f16, 128, cols),
                      b = p.tensor("B", base::Dtype::f16, 128, cols);
    const std::size_t x = p.fragment("X", base::Dtype::f16, row_per_thread(cols, 16));
    const std::size_t y = p.fragment("Y", base::Dtype::f16, row_per_thread(cols, 16));
    const int words = cols / 2;
    const std::size_t t = p.buffer(0, words <= 32 ? 32 : words);
    p.load(x, a);
    p.message(sema::TmemCopy::Op::st, t, x, {plain_message(words)});
    p.wait(order::WaitKind::st);
    p.message(sema::TmemCopy::Op::ld, t, y, {plain_message(words)});
    p.wait(order::WaitKind::ld);
    p.store(b, y);
    return p;
}

} // namespace tmemc::lower::test
