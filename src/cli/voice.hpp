// What the command line says on standard error that is of no place in a source: its own mistakes, files that
// cannot be read, and what a run found. As text, or with --diagnostics=json a line of the same shape as a
// diagnostic's, so that whoever reads one line as JSON can read all of them:
//
//     complain("no input file");    tmemc: error: no input file
//                                   {"file":"","range":...,"severity":1,"source":"tmemc","message":"no input
//                                   file",...}
//
// Not here: diagnostics of a source (show, in session.hpp).
#pragma once

#include <string>
#include <vector>

namespace tmemc::cli {

/// Once, before anything is said, since options may be wrong themselves: from here on all is JSON.
void speak_json(const std::vector<std::string>& arguments);

/// An error of the command line: "tmemc: error: ...", and below it what belongs to it.
void complain(const std::string& sentence, const std::vector<std::string>& notes = {});
/// What a run found wrong: lines that speak for themselves.
void tell_failure(const std::string& lines);
/// What was asked for beside the output, by -v or -###.
void remark(const std::string& lines);

} // namespace tmemc::cli
