// Memory that runs out, at any point of a compilation, is a status and nothing worse. `operator new` of this
// executable fails on request: one allocation, or all that do not fit what memory is left.
#include "api/tmemc.h"
#include "api/tmemc.hpp"
#include "programs.hpp"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <malloc.h>
#include <new>

namespace {

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
std::atomic<std::int64_t> allocations = 0, first_failure = never, last_failure = never;
std::atomic<std::int64_t> bytes_in_use = 0, most_bytes = 0, bytes_there_are = never;

void fail_from(std::int64_t first, std::int64_t last) {
    allocations = 0;
    first_failure = first;
    last_failure = last;
}

/// So many bytes more than are in use now.
void leave_bytes(std::int64_t bytes) {
    most_bytes = bytes_in_use.load();
    bytes_there_are = bytes == never ? never : bytes_in_use + bytes;
}

void give_back(void* memory) {
    bytes_in_use -= static_cast<std::int64_t>(malloc_usable_size(memory));
    std::free(memory);
}

} // namespace

void* operator new(std::size_t bytes) {
    const std::int64_t number = allocations++;
    const bool refused = number >= first_failure && number <= last_failure;
    void* const made = refused ? nullptr : std::malloc(bytes == 0 ? 1 : bytes);
    if (made == nullptr) throw std::bad_alloc();
    const std::int64_t used = bytes_in_use += static_cast<std::int64_t>(malloc_usable_size(made));
    if (used > bytes_there_are) {
        give_back(made);
        throw std::bad_alloc();
    }
    if (used > most_bytes) most_bytes = used;
    return made;
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(bytes);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }

using namespace tmemc::api;

namespace {

/// Compiles 150 times, each time with `limit(i)` set, and counts what came of it.
template <class Limit>
void compile_with(const std::string& how, const std::string& text, const Options& options,
                  const Result& whole, const Limit& limit) {
    std::size_t refused = 0, went_on = 0, others = 0;
    for (std::int64_t i = 0; i < 150; ++i) {
        limit(i);
        const Result result = compile(text, options);
        fail_from(never, never);
        leave_bytes(never);
        const bool same = result.status == whole.status && result.ptx == whole.ptx;
        ++(result.status == Status::out_of_memory ? refused : same ? went_on : others);
    }
    MESSAGE(how, ": ", refused, " refused, ", went_on, " done without");
    CHECK(others == 0);
    CHECK(refused > 75);
}

} // namespace

TEST_CASE("memory runs out anywhere") {
    for (const std::string& text : {tmemc::tests::text_of(tmemc::tests::roundtrip), tmemc::tests::wrong}) {
        Options options;
        options.outputs = {Kind::ast, Kind::plan, Kind::ptx};
        leave_bytes(never);
        const std::int64_t before = bytes_in_use;
        const Result whole = compile(text, options);
        const std::int64_t peak = most_bytes - before;
        REQUIRE(peak > 50'000);
        compile_with("bytes", text, options, whole, [&](std::int64_t i) { leave_bytes(peak * i / 150); });
    }
}

TEST_CASE("any one allocation fails") { // without JSON, which takes no such thing (api/guard.hpp)
    const std::string text = tmemc::tests::text_of(tmemc::tests::roundtrip);
    Options options;
    options.outputs = {Kind::ast, Kind::ptx};
    fail_from(never, never);
    const Result whole = compile(text, options);
    const std::int64_t count = allocations;
    REQUIRE(count > 1000);
    compile_with("allocations", text, options, whole, [&](std::int64_t i) {
        const std::int64_t at = i < 50 ? i : count * (i - 49) / 101;
        fail_from(at, at);
    });
}

TEST_CASE("no memory for a handle of C") {
    fail_from(0, never);
    tmemc_options* const options = tmemc_options_new();
    fail_from(never, never);
    CHECK(options == nullptr);
    tmemc_options* const kept = tmemc_options_new();
    const std::string name(1000, 'n');
    fail_from(0, never);
    const int set = tmemc_options_set(kept, "name", name.c_str());
    fail_from(never, never);
    CHECK(set == TMEMC_STATUS_OUT_OF_MEMORY);
    REQUIRE(tmemc_options_set(kept, "name", name.c_str()) == TMEMC_STATUS_OK);
    for (std::int64_t at = 0; at < 12; ++at) {
        fail_from(at, never);
        tmemc_compilation* const made = tmemc_compile("", 0, kept);
        fail_from(never, never);
        CHECK(tmemc_compilation_status(made) == TMEMC_STATUS_OUT_OF_MEMORY);
        tmemc_compilation_free(made);
    }
    tmemc_options_free(kept);
}
