// What the compiler emits passes, for every example and for kernels that between them use every path; and the
// check costs no more than the rest of the front end.
#include "compiled.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdio>

using namespace tmemc;
using namespace tmemc::test;

TEST_CASE("the emitted text does what the program says") {
    for (const Sample& sample : samples()) {
        CAPTURE(sample.name);
        const base::Source source(sample.name, sample.text);
        const Compilation made = compile(source);
        REQUIRE_MESSAGE(made.ok(), explain(made, source));
        const verify::VerifyResult result = verify_text(made);
        CHECK_MESSAGE(!result.mismatch,
                      verify::to_string(result.mismatch.value_or(verify::Mismatch{}), source));
    }
}

TEST_CASE("it passes without comments too") {
    CompileOptions options;
    options.text.comments = false;
    for (const Sample& sample : samples()) {
        CAPTURE(sample.name);
        const base::Source source(sample.name, sample.text);
        CHECK(!verify_text(compile(source, options)).mismatch);
    }
}

TEST_CASE("time of the check and of the rest, in microseconds") {
    using clock = std::chrono::steady_clock;
    const auto best = [](const auto& work) {
        double least = 1e9;
        for (int i = 0; i < 5; ++i) {
            const auto begin = clock::now();
            work();
            least = std::min(least, std::chrono::duration<double, std::micro>(clock::now() - begin).count());
        }
        return least;
    };
    for (const Sample& sample : samples()) {
        const base::Source source(sample.name, sample.text);
        const Compilation made = compile(source);
        const double rest = best([&] { (void)compile(source); });
        const double check = best([&] { (void)verify_text(made); });
        std::printf("%-36s compile %8.0f   verify %8.0f\n", sample.name.c_str(), rest, check);
    }
}
