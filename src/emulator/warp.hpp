// The state of a running CTA: its warps with their registers, shared memory, tensor memory and barriers. A
// warp runs until something stops it (Stop); the CTA then picks the next one.
//
// Divergence: the lanes of a warp form groups, each with a program counter. The group with the lowest one
// runs; when it reaches another group's counter the two become one. As compilers lay code out in order, the
// threads of an if or a loop meet again at its end. At an .aligned instruction a group waits until the rest
// of the warp has come to it, at one with a member mask until its members have, and at a barrier for the CTA.
// Source: PTX ISA 3.1 (SIMT), chapter 9.7.13 (barriers).
#pragma once

#include "emulator/calls.hpp"
#include "emulator/instruction.hpp"
#include "emulator/machine.hpp"
#include "emulator/memory.hpp"
#include "emulator/observer.hpp"
#include "emulator/tensor_memory.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace tmemc::emulator {

struct Cta;

inline constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

/// What a group that does not run waits for: its turn; at an instruction, for other lanes of its warp; behind
/// one, for a barrier of the CTA.
enum class Wait : std::uint8_t { turn, lanes, barrier };

/// Lanes that stand at one instruction.
struct Group {
    std::uint32_t pc = 0;
    Mask lanes = 0;
    Wait wait = Wait::turn;
    std::uint8_t barrier = 0; // its number
};

enum class Stop : std::uint8_t { none, slice, barrier, allocation, exited, fault, halted };

/// A tcgen05.ld or st that has been issued and has not taken effect.
struct Outstanding {
    const Instruction* instruction = nullptr;
    Footprint footprint;
    std::size_t values = 0; // of a store: the first row of its values in Warp::store_values
};

struct Warp {
    // What every instruction touches.
    Row* registers = nullptr;
    Mask* ready = nullptr; // per slot: the lanes that were written
    std::uint32_t pc = 0;
    std::uint32_t limit = no_limit; // the lowest waiting group: reaching it means to regroup
    Mask active = 0;                // the lanes of the running group
    Mask live = 0;                  // the lanes that have not exited
    Stop stop = Stop::none;
    bool loads_in_flight = false;
    const Kernel* kernel = nullptr;
    Cta* cta = nullptr;
    std::uint32_t index = 0; // in the CTA
    std::uint64_t thread_instructions = 0;

    std::array<Group, warp_size> waiting{}; // the other groups
    int waiting_count = 0;
    const Instruction* tried = nullptr; // its last wait for an mbarrier
    std::uint64_t tried_at = 0;         // thread instructions then
    std::uint32_t tries = 0;            // waits in vain with little else between them
    bool has_turn = false;  // in this slice the running group need not be the lowest (schedule_warp.cpp)
    std::uint32_t turn = 0; // whose it is when groups take turns

    // What few touch.
    std::vector<Outstanding> loads, stores;
    std::vector<Row> store_values;
    AsyncCopies async;
    std::vector<std::uint8_t> in_flight; // per slot: 1 when an outstanding load will write it
    std::vector<Row> register_file;
    std::vector<Mask> ready_file;
    std::vector<CallStack> calls;                // per lane, when the kernel calls functions
    std::vector<GlobalMemory::Block> local;      // the same, and when it has local variables
    std::array<std::byte*, warp_size> address{}; // of the access being executed, per lane

    [[nodiscard]] const Slot* vector(const Instruction& i) const { return kernel->vectors.data() + i.vector; }
    [[nodiscard]] int slice() const { return static_cast<int>(index % tensor_slices); }
    [[nodiscard]] std::uint32_t number(const Instruction& i) const {
        return static_cast<std::uint32_t>(&i - kernel->code.data());
    }
};

struct Barrier {
    bool used = false;                   // since it last completed
    std::uint32_t expected = 0;          // threads; 0: all that have not exited
    std::uint32_t passed = 0;            // threads that have arrived and will not wait
    std::array<Mask, warp_size> lanes{}; // that have arrived and wait or may wait, by warp
    std::uint32_t ayes = 0, noes = 0;    // of the threads' predicates (barrier.red)
};
inline constexpr std::uint32_t barriers = 16;
inline constexpr std::uint32_t cluster_barrier = barriers; // a cluster is one CTA, and has one barrier more

/// Columns that a warp has allocated and nobody has freed.
struct Allocation {
    Columns columns;
    const Instruction* instruction = nullptr;
    Warp* warp = nullptr;
};

inline constexpr std::uint64_t no_cta = std::numeric_limits<std::uint64_t>::max();

/// What the CTAs of one launch have in common.
struct Run {
    const Executable* executable = nullptr;
    const Kernel* kernel = nullptr;
    const Launch* launch = nullptr;
    Limits limits;
    GlobalMemory* global = nullptr;
    std::chrono::steady_clock::time_point deadline;
    std::uint64_t steps = 0; // warp instructions, in whole slices; counted when they are limited
    const std::atomic<std::uint64_t>* faulty_cta = nullptr; // CTAs above this number need not go on
};

struct Cta {
    Run* run = nullptr;
    Dimensions id{0, 0, 0};
    std::uint64_t number = 0; // of the id, x fastest
    std::vector<Warp> warps;
    std::uint64_t slice = 0; // warp instructions until the clock is looked at
    GlobalMemory::Block shared;
    TensorMemory tensor;
    std::vector<Allocation> allocations;
    bool relinquished = false;
    int smallest_allocation = tensor_columns;
    std::array<Barrier, barriers + 1> barrier{};
    std::vector<std::unique_ptr<Observer>> observers;
    std::optional<Fault> fault;
};

/// Calls f with each observer of the warp's CTA until one raises a fault; false then.
template <class F>
bool observe(Warp& warp, F f) {
    for (const auto& observer : warp.cta->observers) {
        f(*observer);
        if (warp.stop == Stop::fault) return false;
    }
    return true;
}

} // namespace tmemc::emulator
