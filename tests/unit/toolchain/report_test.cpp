// Each way to fail, as the diagnostics that a user sees. PTX line n stands for the span {10n, 10n + 5}.
#include "toolchain/report.hpp"

#include <doctest/doctest.h>

using namespace tmemc::toolchain;
namespace base = tmemc::base;
using Status = Assembled::Status;
using Strings = std::vector<std::string>;

namespace {

base::Span span_of_line(std::uint32_t line) {
    return line < 100 ? base::Span{10 * line, 10 * line + 5} : base::no_place;
}

std::vector<base::Diagnostic> said(const Assembled& assembled) {
    return report(assembled, span_of_line).list;
}

Assembled failed(std::vector<PtxasMessage> messages = {}) {
    Assembled made;
    made.status = Status::failed;
    made.exit_code = 255;
    made.messages = std::move(messages);
    made.command.program = "/opt/ptxas";
    return made;
}

const PtxasMessage closing{0, "fatal", "Ptx assembly aborted due to errors"};

} // namespace

TEST_CASE("success says nothing, whatever ptxas remarked") {
    Assembled made;
    made.messages = {{0, "warning", "spills"}, {0, "info", "Used 14 registers"}};
    CHECK(said(made).empty());
}

TEST_CASE("a missing ptxas lists the places and the ways out") {
    Assembled made;
    made.status = Status::not_found;
    made.searched = {"PATH (/bin)", "the default CUDA folder (/usr/local/cuda/bin)"};
    const auto list = said(made);
    REQUIRE(list.size() == 1);
    CHECK(list[0].kind->code == "TM0601");
    CHECK(list[0].span == base::no_place);
    CHECK(list[0].message == "ptxas was not found");
    CHECK(list[0].notes ==
          Strings{"tried PATH (/bin)", "tried the default CUDA folder (/usr/local/cuda/bin)"});
    CHECK(list[0].helps.size() == 2);
}

TEST_CASE("errors stand at the statements that their lines came from") {
    const auto list =
        said(failed({{6, "error", "Unknown symbol 'x'"}, {8, "error", "Unknown symbol 'y'"}, closing}));
    REQUIRE(list.size() == 2);
    CHECK(list[0].kind->code == "TM0602");
    CHECK(list[0].span == base::Span{60, 65});
    CHECK(list[0].message == "ptxas refuses what this became: Unknown symbol 'x'");
    CHECK(list[0].notes == Strings{"in line 6 of the PTX"});
    CHECK(list[1].span == base::Span{80, 85});
}

TEST_CASE("an error that a loop repeats is said once, with all its lines") {
    Assembled made = failed({{6, "error", "same"}, {7, "error", "same"}, {7, "error", "other"}, closing});
    const auto list = report(made, [](std::uint32_t) { return base::Span{1, 2}; }).list;
    REQUIRE(list.size() == 2);
    CHECK(list[0].notes == Strings{"in line 6, 7 of the PTX"});
    CHECK(list[1].notes == Strings{"in line 7 of the PTX"});
}

TEST_CASE("an error of no statement is one of the file") {
    const auto list = said(failed(
        {{100, "fatal", "Unsupported .version 9.9"}, {0, "fatal", "Value 'sm_1' is not defined"}, closing}));
    REQUIRE(list.size() == 2);
    CHECK(list[0].kind->code == "TM0603");
    CHECK(list[0].span == base::no_place);
    CHECK(list[0].message == "ptxas failed: Unsupported .version 9.9");
    CHECK(list[0].notes == Strings{"in line 100 of the PTX"});
    CHECK(list[1].message == "ptxas failed: Value 'sm_1' is not defined");
    CHECK(list[1].notes.empty());
}

TEST_CASE("the closing line alone is still an error") {
    const auto list = said(failed({closing}));
    REQUIRE(list.size() == 1);
    CHECK(list[0].message == "ptxas failed: Ptx assembly aborted due to errors");
}

TEST_CASE("a time-out and a signal are told before any message") {
    Assembled hung = failed({{6, "error", "x"}});
    hung.timed_out = true;
    hung.exit_code = 137;
    hung.command.timeout = std::chrono::milliseconds(1500);
    REQUIRE(said(hung).size() == 1);
    CHECK(said(hung)[0].kind->code == "TM0604");
    CHECK(said(hung)[0].message == "ptxas did not finish within 1.5 s");
    Assembled crashed = failed();
    crashed.exit_code = 128 + 11;
    CHECK(said(crashed)[0].message == "ptxas was ended by signal 11 (Segmentation fault)");
}

TEST_CASE("a ptxas that cannot be started says why") {
    Assembled made = failed();
    made.start_error = "exec format error";
    REQUIRE(said(made).size() == 1);
    CHECK(said(made)[0].message == "ptxas failed: `/opt/ptxas` cannot be started: exec format error");
}

TEST_CASE("a failure without an error that is understood shows what was printed") {
    Assembled garbage = failed({{0, "info", "hello"}});
    garbage.exit_code = 3;
    garbage.raw_errors = "one\ntwo\n\n";
    REQUIRE(said(garbage).size() == 1);
    CHECK(said(garbage)[0].kind->code == "TM0603");
    CHECK(said(garbage)[0].message == "ptxas failed: exit status 3");
    CHECK(said(garbage)[0].notes == Strings{"it printed: one\ntwo"});
    CHECK(said(garbage)[0].helps == Strings{"is `/opt/ptxas` NVIDIA's ptxas?"});
    garbage.exit_code = 0;
    garbage.raw_errors = "";
    CHECK(said(garbage)[0].message == "ptxas failed: it ended well but wrote no cubin");
    CHECK(said(garbage)[0].notes.empty());
}
