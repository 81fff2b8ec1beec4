// Lines copied from ptxas 13.0.
#include "toolchain/messages.hpp"

#include <doctest/doctest.h>

using namespace tmemc::toolchain;
using Messages = std::vector<PtxasMessage>;

TEST_CASE("an error of a line, and the closing one without") {
    CHECK(parse_messages("ptxas /dev/stdin, line 6; error   : Not a name of any known instruction: 'foo'\n"
                         "ptxas fatal   : Ptx assembly aborted due to errors\n") ==
          Messages{{6, "error", "Not a name of any known instruction: 'foo'"},
                   {0, "fatal", "Ptx assembly aborted due to errors"}});
}

TEST_CASE("a fatal error of a line") {
    CHECK(parse_messages(
              "ptxas /dev/stdin, line 1; fatal   : Unsupported .version 9.9; current version is '9.0'") ==
          Messages{{1, "fatal", "Unsupported .version 9.9; current version is '9.0'"}});
}

TEST_CASE("a message that names its line in its text") {
    const std::string text =
        "(C7602) Insufficient registers (24) to compile instruction at line 23 in function k. Try to "
        "compile with register target of 50 or higher.";
    CHECK(parse_messages("ptxas fatal   : " + text + "\n") == Messages{{23, "fatal", text}});
}

TEST_CASE("infos with the lines that go on with them") {
    CHECK(parse_messages("ptxas info    : 0 bytes gmem\n"
                         "ptxas info    : Function properties for k\n"
                         "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                         "ptxas info    : Used 14 registers, used 1 barriers, 4 bytes smem\n") ==
          Messages{
              {0, "info", "0 bytes gmem"},
              {0, "info",
               "Function properties for k\n0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads"},
              {0, "info", "Used 14 registers, used 1 barriers, 4 bytes smem"}});
}

TEST_CASE("warnings, CRLF, and a last line without a break") {
    CHECK(parse_messages("ptxas warning :  .debug_abbrev section not found\r\nptxas warning : x") ==
          Messages{{0, "warning", ".debug_abbrev section not found"}, {0, "warning", "x"}});
}

TEST_CASE("a file name may hold anything") {
    CHECK(parse_messages("ptxas /tmp/a: b, line 9; c.ptx, line 12; error   : m") ==
          Messages{{12, "error", "m"}});
}

TEST_CASE("other lines are left out") {
    CHECK(parse_messages("").empty());
    CHECK(parse_messages("Segmentation fault (core dumped)\n  and more\n\nptxas\nptxas is not: this\n")
              .empty());
    CHECK(parse_messages("ptxas fatal   : a\nsomething else\n    not of the message\n") ==
          Messages{{0, "fatal", "a"}});
}
