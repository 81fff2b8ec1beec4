// Whole blocks: what passes, what fails and with which words, what is skipped, and the mistakes in a block
// itself.
#include "bench.hpp"

#include "runtime/npy.hpp"

using namespace tmemc;
using base::Dtype;
using sema::Direction;
using testing::Bench;
using testing::FakeDevice;
using testing::tensor;
using testing::told;
using Fault = std::optional<runtime::DeviceError>;

namespace {

FakeDevice::Kernel copying(std::size_t elements, std::uint32_t plus = 0) {
    return [elements, plus](FakeDevice& memory, FakeDevice::Parameters p) -> Fault {
        for (std::size_t i = 0; i < elements; ++i) {
            memory.store_element(p[1], i, memory.load_element<std::uint32_t>(p[0], i) + plus);
        }
        return {};
    };
}

/// `move` and `next` (B = A + 1) on u32[4, 4]; `scale` (B = A * x); `twice` (inout); `faulty` ends with
/// TM0703.
Bench bench() {
    Bench made;
    const auto a = tensor("A", Dtype::u32, Direction::in, {4, 4}),
               b = tensor("B", Dtype::u32, Direction::out, {4, 4});
    made.program.constants = {{"W", 4}};
    made.add("move", {a, b}, copying(16));
    made.add("next", {a, b}, copying(16, 1));
    made.add("scale", {a, b, sema::Scalar{"x", Dtype::u32, {}}},
             [](FakeDevice& memory, FakeDevice::Parameters p) -> Fault {
                 for (std::size_t i = 0; i < 16; ++i) {
                     memory.store_element(p[1], i,
                                          memory.load_element<std::uint32_t>(p[0], i) *
                                              std::to_integer<std::uint32_t>(p[2][0]));
                 }
                 return {};
             });
    made.add("twice", {tensor("T", Dtype::u32, Direction::inout, {4})},
             [](FakeDevice& memory, FakeDevice::Parameters p) -> Fault {
                 for (std::size_t i = 0; i < 4; ++i)
                     memory.store_element(p[0], i, memory.load_element<std::uint32_t>(p[0], i) * 2);
                 return {};
             });
    made.add(
        "onward",
        {tensor("B", Dtype::u32, Direction::in, {4, 4}), tensor("C", Dtype::u32, Direction::out, {4, 4})},
        copying(16, 10));
    made.add("short_b",
             {tensor("B", Dtype::u32, Direction::in, {4}), tensor("C", Dtype::u32, Direction::out, {4})},
             copying(4));
    made.add("short_a",
             {tensor("A", Dtype::u32, Direction::in, {4}), tensor("C", Dtype::u32, Direction::out, {4})},
             copying(4));
    made.add("short_t",
             {tensor("T", Dtype::u32, Direction::in, {2}), tensor("C", Dtype::u32, Direction::out, {2})},
             copying(2));
    made.add("faulty", {b}, [](FakeDevice&, FakeDevice::Parameters) -> Fault {
        return runtime::DeviceError{
            runtime::DeviceError::Class::fault, "TM0710", "lane 3 is not there", 12, {"warp 1"}};
    });
    made.add("offline", {b}, [](FakeDevice&, FakeDevice::Parameters) -> Fault {
        return runtime::DeviceError{runtime::DeviceError::Class::unavailable, "TM0711", "no driver", 0, {}};
    });
    return made;
}

} // namespace

TEST_CASE("a block passes when every expectation holds") {
    Bench made = bench();
    CHECK(told(made.verdict("A = random(seed: 1); run move; expect B == A;")) == "passed");
    CHECK(told(made.verdict("A = iota; run next; expect B == A + 1; expect B[r, c] == W*r + c + 1;")) ==
          "passed");
    CHECK(told(made.verdict("A = cells; x = 3; run scale; expect B[r, c] == (1000*r + c) * x;")) == "passed");
}

TEST_CASE("a difference fails with its count and places") {
    Bench made = bench();
    const auto verdict = made.verdict("A = iota; run move; expect B[r, c] == select(r == 2, 0, A[r, c]);");
    CHECK(told(verdict) ==
          "failed\nB: 4 of 16 elements differ\n  B[2, 0] is 8 (0x00000008), wanted 0 (0x00000000)\n"
          "  B[2, 1] is 9 (0x00000009), wanted 0 (0x00000000)\n"
          "  B[2, 2] is 10 (0x0000000a), wanted 0 (0x00000000)\n"
          "  B[2, 3] is 11 (0x0000000b), wanted 0 (0x00000000)\n");
    const std::string text = "test \"t\" { A = iota; run move; expect B[r, c]";
    CHECK(verdict.span.begin == text.find("expect"));
    CHECK(verdict.title == "t");
}

TEST_CASE("tolerances are used") {
    Bench made = bench();
    CHECK(told(made.verdict("A = full(1000); run next; expect B ~= A rtol 1e-3;")) == "passed");
    CHECK(told(made.verdict("A = full(1000); run next; expect B ~= A rtol 1e-4;"))
              .starts_with("failed\nB: 16 of 16"));
    CHECK(told(made.verdict("A = full(1000); run next; expect B ~= A atol 1;")) == "passed");
}

TEST_CASE("the first failure ends a block, the others go on") {
    Bench made = bench();
    const auto verdicts =
        made.verdicts("test \"a\" { A = iota; run move; expect B == 0; run next; expect B == 0; }"
                      "test \"b\" { A = iota; run move; expect B == A; }");
    REQUIRE(verdicts.size() == 2);
    CHECK(verdicts[0].messages.size() == 1);
    CHECK(told(verdicts[1]) == "passed");
    CHECK(made.compiled == std::vector<std::string>{"move", "next"}); // each once
}

TEST_CASE("assignments hold for later runs and results feed them") {
    Bench made = bench();
    CHECK(told(made.verdict("A = iota; run move; expect B == A; run next; expect B == A + 1;")) == "passed");
    CHECK(told(made.verdict("A = iota; run move; A = ones; run next; expect B == 2;")) == "passed");
    CHECK(told(made.verdict("A = iota; run next; run onward; expect C == A + 11; expect C == B + 10;")) ==
          "passed");
    CHECK(told(made.verdict("T = ones; run twice; run twice; expect T == 4;")) == "passed");
    CHECK(told(made.verdict("T = ones; run twice; T = ones; run twice; expect T == 2;")) == "passed");
    CHECK(told(made.verdict("A = iota; run move; run short_a; expect C[i] == i; ")) ==
          "passed"); // another shape
    CHECK(told(made.verdict("A = iota; run short_a; run move; expect B[r, c] == 4*r + c; ")) == "passed");
}

TEST_CASE("a result of another type does not feed a run") {
    Bench made = bench();
    CHECK(told(made.verdict("A = iota; run move; run short_b; expect C == 0;")) ==
          "failed\nTM0266: `B` was written as u32[4, 4], but `short_b` reads it as u32[4]");
    CHECK(told(made.verdict("T = ones; run twice; run short_t; expect C == 2;")) ==
          "failed\nTM0266: `T` was written as u32[4], but `short_t` reads it as u32[2]");
    CHECK(told(made.verdict("A = iota; run move; B = iota; run short_b; expect C[i] == i;")) == "passed");
}

TEST_CASE("files are read where the caller says, and must fit") {
    Bench made = bench();
    runtime::Array array = runtime::make_array(Dtype::u32, {4, 4});
    array.set(5, 77);
    made.files["a.npy"] = write_npy(array);
    made.files["short.npy"] = write_npy(runtime::make_array(Dtype::u32, {4}));
    CHECK(told(made.verdict(
              "A = npy(\"a.npy\"); run move; expect B[r, c] == select(4*r + c == 5, 77, 0);")) == "passed");
    CHECK(told(made.verdict("A = npy(\"short.npy\"); run move; expect B == A;")) ==
          "failed\nTM0264: `A` cannot be filled: `short.npy` holds u32[4], but `A` is u32[4, 4]");
    CHECK(told(made.verdict("A = npy(\"b.npy\"); run move; expect B == A;")) ==
          "failed\nTM0264: `A` cannot be filled: cannot read `b.npy`: no such file");
}

TEST_CASE("a fault must be expected, and an expected fault must come") {
    Bench made = bench();
    CHECK(told(made.verdict("run faulty; expect fault TM0710;")) == "passed");
    CHECK(told(made.verdict("run faulty; expect B == 0;")) ==
          "failed\n`run faulty` ended with a fault\n  TM0710: lane 3 is not there (line 12 of the PTX)\n  "
          "note: warp 1");
    CHECK(told(made.verdict("run faulty; expect fault TM0711;")) ==
          "failed\n`run faulty` ended with a fault and not with TM0711\n  TM0710: lane 3 is not there (line "
          "12 of the "
          "PTX)\n  note: warp 1");
    CHECK(told(made.verdict("A = iota; run move; expect fault TM0710;")) ==
          "failed\n`run move` ended well, but fault TM0710 was expected");
    CHECK(told(made.verdict("run faulty; expect fault TM0710; A = iota; run move; expect B == A;")) ==
          "passed");
    CHECK(told(made.verdict("A = iota; run move; expect B == A; run faulty; expect fault TM0710;")) ==
          "passed");
    CHECK(told(made.verdict("A = iota; run move; run faulty; expect B == A;"))
              .starts_with("failed\n`run faulty`"));
}

TEST_CASE("without a device a block is skipped, never passed") {
    Bench made = bench();
    CHECK(told(made.verdict("run offline; expect B == 0;")) == "skipped\nTM0711: no driver");
    CHECK(told(made.verdict("run offline; expect fault TM0711;")) == "skipped\nTM0711: no driver");
    made.has_device = false;
    CHECK(told(made.verdict("A = iota; run move; expect B == A;")) ==
          "skipped\nthere is no device to run it on");
}

TEST_CASE("PTX that the device does not take fails with the lines") {
    Bench made = bench();
    made.load_diagnostics.report(base::catalogue::syntax, {0, 1}, "a", "b");
    CHECK(told(made.verdict("A = iota; run move; expect B == A;")) ==
          "failed\nfake does not take `move.ptx`\n  TM0101: line 1: expected a, found b");
}

TEST_CASE("expected errors of a kernel") {
    Bench made = bench();
    made.errors["next"].report(base::catalogue::syntax, {0, 1}, "a", "b");
    CHECK(told(made.verdict("run next; expect error TM0101;")) == "passed");
    CHECK(told(made.verdict("run move; run next; expect error TM0101;")) == "passed");
    CHECK(told(made.verdict("run next; expect error TM0272;")) ==
          "failed\nTM0272 is not among the errors\nTM0101: expected a, found b");
    CHECK(told(made.verdict("run move; expect error TM0101;")) ==
          "failed\nTM0101 was expected, but there are no errors");
    CHECK(told(made.verdict("A = iota; run next; expect B == A;")) ==
          "failed\n`next` does not compile\nTM0101: expected a, found b");
}

TEST_CASE("a warning is not an expected error") {
    Bench made = bench();
    made.errors["next"].report(base::catalogue::syntax, {0, 1}, "a", "b").severity = base::Severity::warning;
    made.errors["next"].report(base::catalogue::tolerance_missing, {0, 1});
    CHECK(told(made.verdict("run next; expect error TM0277;")) == "passed");
    CHECK(told(made.verdict("run next; expect error TM0101;"))
              .starts_with("failed\nTM0101 is not among the errors"));
}

TEST_CASE("a block that cannot fail is a mistake") {
    Bench made = bench();
    CHECK(told(made.verdict("A = iota; run move;")) ==
          "failed\nTM0279: test \"t\" has no `expect`, so it cannot fail");
    CHECK(told(made.verdict("A = iota; expect B == A;"))
              .starts_with("failed\nTM0279: test \"t\" has no `run`, so it cannot fail"));
    CHECK(told(made.verdict("")) == "failed\nTM0279: test \"t\" has no `run`, so it cannot fail\n"
                                    "TM0279: test \"t\" has no `expect`, so it cannot fail");
}

TEST_CASE("unknown kernels, parameters and codes") {
    Bench made = bench();
    CHECK(told(made.verdict("run mvoe; expect B == A;")) ==
          "failed\nTM0272: no kernel is called `mvoe`\n  help: did you mean `move`?");
    CHECK(
        told(made.verdict("Q = iota; A = iota; run move; expect B == A;")) ==
        "failed\nTM0272: no parameter of a kernel that this test runs is called `Q`\n  help: there are A, B");
    CHECK(told(made.verdict("run faulty; expect fault TM9999;")) ==
          "failed\nTM0272: no fault is called `TM9999`\n  help: a code is one that a message shows in "
          "brackets, such as TM0301");
    CHECK(told(made.verdict("run faulty; expect fault TM0101;")) ==
          "failed\nTM0272: no fault is called `TM0101`\n  help: write `expect error`");
    CHECK(told(made.verdict("run faulty; expect error TM0710;")) ==
          "failed\nTM0272: no error of a kernel is called `TM0710`\n  help: write `expect fault`");
}

TEST_CASE("inputs without a value and assignments without a reader") {
    Bench made = bench();
    CHECK(told(made.verdict("run move; expect B == A;")) ==
          "failed\nTM0265: `run move` reads `A`, which has no value yet\n  help: give it one before: A = "
          "random(seed: 1);");
    CHECK(
        told(made.verdict("A = iota; run scale; expect B == A;")) ==
        "failed\nTM0265: `run scale` reads `x`, which has no value yet\n  help: give it one before: x = 1;");
    CHECK(told(made.verdict("A = iota; B = ones; run move; expect B == A;")) ==
          "failed\nTM0267: no later `run` reads `B`\n  help: an `out` tensor starts as zeros; declare it "
          "`inout` to give "
          "it contents");
    CHECK(told(made.verdict("A = iota; run move; A = ones; expect B == A;")) ==
          "failed\nTM0267: no later `run` reads `A`");
}

TEST_CASE("expectations that no run can meet") {
    Bench made = bench();
    CHECK(told(made.verdict("A = iota; expect B == A; run move; expect B == A;")) ==
          "failed\nTM0268: no `run` stands before this `expect`");
    CHECK(told(made.verdict("expect fault TM0710; run faulty;")) ==
          "failed\nTM0268: no `run` stands before this `expect`");
    for (const char* const text : {"run faulty; expect fault TM0710; expect B == 0;",
                                   "run faulty; expect B == 0; expect fault TM0710;",
                                   "run faulty; expect fault TM0710; expect fault TM0711;",
                                   "run faulty; expect B == 0; expect error TM0101;",
                                   "run faulty; expect error TM0101; expect fault TM0710;"}) {
        CAPTURE(text);
        CHECK(told(made.verdict(text)) ==
              "failed\nTM0269: no run can meet both this expectation and one before it");
    }
}

TEST_CASE("generators and what they take") {
    Bench made = bench();
    const auto given = [&](const std::string& right) {
        return told(made.verdict("A = " + right + "; x = 1; run scale; expect B == A;"));
    };
    for (const char* const right : {"iota", "random(seed: 1)", "random(seed: 0x10)", "random(3)", "random",
                                    "zeros", "ones", "full(-1)", "cells"}) {
        CAPTURE(right);
        CHECK(given(right) == "passed");
    }
    CHECK(given("rnadom(seed: 1)") ==
          "failed\nTM0272: no generator is called `rnadom`\n  help: did you mean `random`?");
    CHECK(given("iota(5)") == "failed\nTM0262: `iota` takes no argument");
    CHECK(given("random(speed: 1)") ==
          "failed\nTM0262: `random` takes a seed that is not negative: random(seed: 1)");
    CHECK(given("random(seed: -1)") ==
          "failed\nTM0262: `random` takes a seed that is not negative: random(seed: 1)");
    CHECK(given("random(seed: 1.5)") ==
          "failed\nTM0262: `random` takes a seed that is not negative: random(seed: 1)");
    CHECK(given("random(\"a\")") ==
          "failed\nTM0262: `random` takes a seed that is not negative: random(seed: 1)");
    CHECK(given("full") == "failed\nTM0262: `full` takes a number: full(1.5)");
    CHECK(given("full(\"a\")") == "failed\nTM0262: `full` takes a number: full(1.5)");
    CHECK(given("full(v: 1)") == "failed\nTM0262: `full` takes a number: full(1.5)");
    CHECK(given("npy(5)") == "failed\nTM0262: `npy` takes the name of a file: npy(\"a.npy\")");
    CHECK(given("2.0") == "failed\nTM0263: `A` is a tensor, which takes a generator\n  help: A = full(2.0);");
    CHECK(given("full(2.5)") ==
          "failed\nTM0264: `A` cannot be filled: 2.5 is no integer, and `u32` holds nothing else");
    CHECK(told(made.verdict("A = iota; x = iota; run scale; expect B == A;")) ==
          "failed\nTM0263: `x` is a scalar, which takes a number\n  help: x = 1;");
    CHECK(told(made.verdict("A = iota; x = 99999999999999999999; run scale; expect B == A;")) ==
          "failed\nTM0278: `99999999999999999999` does not fit a 64-bit integer or a double");
}

TEST_CASE("every mistake of a block is reported") {
    Bench made = bench();
    CHECK(
        told(made.verdict("Q = iota; A = iotta; run move; expect B == Z; expect B == A % 1.5;")) ==
        "failed\nTM0272: no parameter of a kernel that this test runs is called `Q`\n  help: there are A, B\n"
        "TM0272: no generator is called `iotta`\n  help: did you mean `iota`?\n"
        "TM0272: no parameter, index or constant is called `Z`\n  help: there are A, B, W\n"
        "TM0274: an operand of `%` is an integer, but here stands a floating value");
}
