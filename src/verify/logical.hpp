// What a statement means, element by element, from the program's maps alone. before() gives what it reads
// fresh tags and writes down what must be there afterwards; mismatch() looks. An element's tag is the next
// number, well mixed, cut to its bits: words differ in all places, bytes in all but one in 256, and a
// mistake of an instruction moves 32 threads at once.
//
// Copies of an element (replicas) are equal, so all of them get one tag; a load must fill every one, a store
// may take any. A store to an unpacked buffer leaves the upper halves of its cells to chance.
#pragma once

#include "verify/compute.hpp"
#include "verify/state.hpp"

namespace tmemc::verify {

class Logical {
  public:
    /// `group_columns` are absolute.
    Logical(const sema::Kernel& kernel, const Cta& cta, Tensors& tensors, Registers& registers, Cells& cells)
        : kernel_(kernel), cta_(cta), tensors_(tensors), registers_(registers), cells_(cells) {}

    /// Absolute first columns of the alias groups, known once the allocation is made.
    void place(std::vector<int> group_columns) { columns_ = std::move(group_columns); }
    void before(const sema::Statement& statement, int warpgroup);
    /// What the machine touched beside what the statement did.
    void touched(const emulator::Log& log);
    [[nodiscard]] std::optional<Mismatch> mismatch(const sema::Statement& statement, int warpgroup);

  private:
    void before(const sema::TmemCopy& copy, int warpgroup);
    void expect_fold(const sema::TmemCopy& copy, int r, int warpgroup);
    void before(const sema::GlobalCopy& copy, int warpgroup);
    void before(const sema::Fill& fill, int warpgroup);
    void before(const sema::Compute& compute, int warpgroup);
    void tag_operand(const sema::Step& step, int warpgroup);
    std::vector<std::uint32_t> row_of_target(const sema::Compute& compute, int warpgroup, int r);
    [[nodiscard]] Values operands(const sema::Compute& compute, int warpgroup, int r) const;
    void settle(const sema::TmemCopy& copy);
    void settle(const sema::Compute& compute, int warpgroup);
    void before(const sema::Wait&, int) {}
    void before(const sema::Sync&, int) {}
    /// Fresh tags for that many elements; they live until the next call.
    std::span<const std::uint32_t> next_tags(int count, int bits);
    [[nodiscard]] const layout::SlotMap& slots_of(const sema::Region& fragment) const {
        return kernel_.slots(kernel_.fragments[fragment.object]);
    }
    [[nodiscard]] int first_column(const sema::Buffer& buffer) const {
        return columns_.at(buffer.group) + buffer.offset;
    }
    [[nodiscard]] Mismatch wrong_register(const sema::Statement& statement,
                                          const Registers::Wrong& wrong) const;
    [[nodiscard]] Mismatch wrong_cell(const sema::Statement& statement, const Cells::Wrong& wrong) const;
    [[nodiscard]] std::optional<Mismatch> wrong_byte(std::uint64_t address, std::uint64_t bytes);

    const sema::Kernel& kernel_;
    const Cta& cta_;
    Tensors& tensors_;
    Registers& registers_;
    Cells& cells_;
    std::vector<int> columns_;
    std::uint32_t count_ = 0;                 // tags given
    std::vector<std::uint32_t> tags_;         // the latest
    std::vector<double> slack_;               // of each row of a reduction
    std::vector<emulator::Log::Bytes> bytes_; // touched
    std::vector<std::pair<std::uint8_t*, std::uint32_t>>
        readable_; // marks of bytes that this statement may read
};

} // namespace tmemc::verify
