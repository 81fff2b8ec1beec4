// Eight threads compile differing programs, right and wrong ones, at once and several times over; each must
// get what one thread alone gets.
#include "api/tmemc.hpp"
#include "programs.hpp"
#include "skip.hpp"
#include "toolchain/ptxas.hpp"

#include <atomic>
#include <thread>

using namespace tmemc::api;

namespace {

struct Job {
    std::string text;
    Options options;
};

/// All that a Result says, as one text.
std::string said(const Result& result) {
    std::string all = std::to_string(static_cast<int>(result.status)) + result.message + result.target;
    for (const Diagnostic& each : result.diagnostics) all += each.text + each.json;
    for (const Kernel& each : result.kernels) all += each.name + std::to_string(each.threads);
    return all + result.ast + result.plan + result.ptx + result.cubin + result.manifest;
}

std::vector<Job> jobs(bool ptxas) {
    std::vector<Job> made;
    for (const std::string& path : tmemc::tests::examples()) {
        Job job;
        job.text = tmemc::tests::text_of(path);
        job.options.name = path;
        job.options.outputs = {Kind::ast, Kind::plan, Kind::ptx};
        if (ptxas && made.size() % 4 == 0) job.options.outputs.push_back(Kind::cubin);
        made.push_back(job);
        job.options.tensor_memory = TensorMemory::software;
        job.options.target = "sm_90";
        job.options.outputs = {Kind::ptx};
        made.push_back(job);
        job.text.erase(job.text.size() / 2, 1 + made.size() % 7); // mostly a mistake
        made.push_back(job);
    }
    return made;
}

} // namespace

TEST_CASE("eight threads at once") {
    const bool ptxas = !tmemc::toolchain::find_ptxas().path.empty();
    const std::vector<Job> all = jobs(ptxas);
    std::vector<std::string> alone;
    alone.reserve(all.size());
    std::size_t refused = 0;
    for (const Job& job : all) {
        const Result result = compile(job.text, job.options);
        refused += result.status == Status::source ? 1 : 0;
        alone.push_back(said(result));
    }
    REQUIRE(refused > 5);
    REQUIRE(refused < all.size() / 2);
    std::atomic<std::size_t> wrong = 0, done = 0;
    std::vector<std::thread> threads;
    threads.reserve(8);
    for (std::size_t t = 0; t < 8; ++t)
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < all.size() / 2; ++i) { // each its own half, so that any two meet
                const std::size_t job = (t * all.size() / 8 + i * (t + 1)) % all.size();
                wrong += said(compile(all[job].text, all[job].options)) == alone[job] ? 0 : 1;
                ++done;
            }
        });
    for (std::thread& each : threads) each.join();
    CHECK(wrong == 0);
    CHECK(done == 8 * (all.size() / 2));
    if (!ptxas) tmemc::tests::skipped("eight threads at once: cubins", "no ptxas");
}
