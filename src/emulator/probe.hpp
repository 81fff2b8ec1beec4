// A CTA under a microscope: run a stretch of a kernel's instructions from a state of one's own making and
// look at what became of it. A Probe knows the instructions by number, in the order of the text. Warps stop
// in front of chosen instructions; between two stops the caller reads and writes registers by name, cells and
// (through the GlobalMemory that it gave) bytes.
//
//     Probe probe(executable, launch, memory);
//     probe.stop_at({n});  probe.begin({0, 0, 0});
//     probe.run({0, 1, 2, 3});              the four warps to instruction n, or to their end
//     probe.word(0, *probe.find("%X_3"))    its 32 threads' values
//
// A run ends with everything settled: stores have landed, loads have delivered. What registers do not show is
// in the Log. A stop is an instruction of the probe's own copy of the code, so an ordinary run pays nothing.
#pragma once

#include "emulator/machine.hpp"
#include "emulator/tensor_memory.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tmemc::emulator {

/// What a run did that registers do not show, in its order.
struct Log {
    struct Cells { // a tcgen05.ld or st was issued
        std::uint32_t warp = 0;
        bool store = false;
        Rectangle where;
    };
    struct Bytes { // a thread stored to global memory
        std::uint64_t address = 0;
        std::uint32_t bytes = 0;
    };
    struct Wait {
        std::uint32_t warp = 0;
        bool store = false;
        bool operator==(const Wait&) const = default;
    };
    struct Shared { // a warp stored to shared memory, between these bytes
        std::uint32_t warp = 0;
        std::uint64_t first = 0, last = 0;
    };
    std::vector<Cells> cells;
    std::vector<Shared> shared;
    std::vector<Bytes> bytes;
    std::vector<Wait> waits;
    std::vector<std::uint32_t> freed_by; // warps that deallocated
    std::vector<std::uint32_t> met;      // warps whose lanes all met at a bar.warp.sync
};

class Probe {
  public:
    using Register = std::uint32_t; // a number of this probe's

    /// The kernel and launch must fit; the memory outlives the probe.
    Probe(const std::shared_ptr<const Executable>& executable, Launch launch, GlobalMemory& memory,
          const Limits& limits = {});
    ~Probe();
    Probe(const Probe&) = delete;
    Probe& operator=(const Probe&) = delete;

    /// How many instructions there are; the exit at the closing brace is one more.
    [[nodiscard]] std::uint32_t instructions() const;
    [[nodiscard]] std::uint32_t line(std::uint32_t instruction) const;
    /// Registers that instructions [first, last) may write, each once.
    [[nodiscard]] std::vector<Register> written(std::uint32_t first, std::uint32_t last) const;

    /// Ascending; every warp stops in front of each of them.
    void stop_at(const std::vector<std::uint32_t>& instructions);
    /// The first `occupied` columns of tensor memory belong to somebody else, so that an allocation begins
    /// behind them.
    void begin(Dimensions cta, int occupied);
    /// Each of the warps to its next stop or its end, or to a barrier that others have yet to reach.
    [[nodiscard]] std::optional<Fault> run(const std::vector<std::uint32_t>& warps);
    [[nodiscard]] const Log& log() const;

    [[nodiscard]] std::uint32_t warps() const;
    /// The instruction in front of which a warp stands; nothing when all of it has exited.
    [[nodiscard]] std::optional<std::uint32_t> place(std::uint32_t warp) const;
    /// True when it stands at a stop, and not at a barrier.
    [[nodiscard]] bool stopped(std::uint32_t warp) const;
    /// What is allocated now, and by which warp.
    struct Allocated {
        Columns columns;
        std::uint32_t warp = 0;
    };
    [[nodiscard]] std::vector<Allocated> allocated() const;

    /// Nothing when the code uses no register of that name.
    [[nodiscard]] std::optional<Register> find(const std::string& name) const;
    [[nodiscard]] const std::string& name(Register which) const;
    /// The low 32 bits of a register in the 32 threads of a warp.
    [[nodiscard]] std::span<std::uint32_t, 32> word(std::uint32_t warp, Register which);
    /// The threads in which it has been written; reading it elsewhere is a fault.
    [[nodiscard]] std::uint32_t& ready(std::uint32_t warp, Register which);
    [[nodiscard]] TensorMemory& tensor();
    /// The CTA's shared memory, and where in it a variable of that name lies.
    [[nodiscard]] GlobalMemory::Block& shared();
    [[nodiscard]] std::optional<std::uint64_t> shared_address(const std::string& variable) const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace tmemc::emulator
