// The CTAs of a grid over the cores. Each worker is a thread with a CTA of its own (warps, registers, shared
// and tensor memory), which serves one CTA number after the other; the numbers come from one counter, x
// fastest.
//
//     4 CTAs, 2 workers:   worker 0: CTA 0, CTA 2      worker 1: CTA 1, CTA 3
//
// CTAs that do not race give the same memory in any order, and the fault that is reported is the one that a
// run in order would have met first: when CTA n fails, those below it are run to their end, for one of them
// may fail too, and those above it are given up. A limit of steps is counted in order, so it takes one
// worker.
#include "emulator/cta.hpp"
#include "emulator/hazards.hpp"
#include "emulator/races.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace tmemc::emulator {

namespace {

class Grid {
  public:
    explicit Grid(Run& run) : run_(run), size_(run.launch->grid) {
        count_ = std::uint64_t{size_.x} * size_.y * size_.z;
        run_.faulty_cta = &faulty_;
    }

    GridResult run() {
        std::vector<std::thread> helpers;
        for (std::uint64_t n = 1; n < workers(); ++n) {
            try {
                helpers.emplace_back([this] { work(); });
            } catch (const std::exception&) { // no more threads or memory to be had: fewer will do
                break;
            }
        }
        work();
        for (std::thread& helper : helpers) helper.join();
        if (broken_) std::rethrow_exception(broken_);
        return std::move(result_);
    }

  private:
    [[nodiscard]] std::uint64_t workers() const {
        if (run_.limits.max_steps != 0) return 1;
        const std::uint64_t wanted =
            run_.limits.threads != 0 ? run_.limits.threads : std::thread::hardware_concurrency();
        return std::min(std::max<std::uint64_t>(wanted, 1), count_);
    }

    void work() noexcept {
        try {
            Cta cta;
            prepare_cta(cta, run_);
            if (run_.limits.hazards_are_faults) {
                cta.observers.push_back(make_hazards());
                cta.observers.push_back(make_races());
            }
            while (!cta.fault) {
                cta.number = next_++;
                if (cta.number >= count_ || cta.number > faulty_) break;
                if (cta.number % 64 == 0 && expired()) {
                    cta.fault = late(cta.number);
                    break;
                }
                run_cta(cta, place(cta.number));
            }
            report(cta);
        } catch (...) {
            const std::lock_guard lock(mutex_);
            broken_ = std::current_exception();
            faulty_ = 0;
        }
    }

    // CTAs look at the clock when they have run for a while; of many short ones none does.
    [[nodiscard]] bool expired() const {
        return run_.limits.timeout.count() != 0 && std::chrono::steady_clock::now() >= run_.deadline;
    }
    [[nodiscard]] Fault late(std::uint64_t number) const {
        const base::Kind& kind = base::catalogue::time_limit;
        const double seconds = std::chrono::duration<double>(run_.limits.timeout).count();
        return {
            .kind = &kind, .message = fmt::format(fmt::runtime(kind.format), seconds), .cta = place(number)};
    }

    void report(Cta& cta) {
        const std::lock_guard lock(mutex_);
        for (const Warp& warp : cta.warps) result_.thread_instructions += warp.thread_instructions;
        if (!cta.fault || cta.number > faulty_) return;
        faulty_ = cta.number;
        result_.fault = std::move(cta.fault);
    }

    [[nodiscard]] Dimensions place(std::uint64_t number) const {
        const std::uint64_t row = number / size_.x;
        return {static_cast<std::uint32_t>(number % size_.x), static_cast<std::uint32_t>(row % size_.y),
                static_cast<std::uint32_t>(row / size_.y)};
    }

    Run& run_;
    Dimensions size_;
    std::uint64_t count_ = 0;
    std::atomic<std::uint64_t> next_{0};
    std::atomic<std::uint64_t> faulty_{no_cta}; // the lowest that failed
    std::mutex mutex_;                          // of what follows
    GridResult result_;
    std::exception_ptr broken_; // an error of the emulator's own
};

} // namespace

GridResult run_grid(Run& run) { return Grid(run).run(); }

} // namespace tmemc::emulator
