// From the most certain cause to the least: no ptxas, none that starts, one that was killed, one that says
// what is wrong, one that does not.
#include "toolchain/report.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>

namespace tmemc::toolchain {

namespace {

using base::Diagnostics;
namespace catalogue = base::catalogue;

void report_not_found(Diagnostics& out, const Assembled& assembled) {
    base::Diagnostic& said = out.report(catalogue::ptxas_not_found, base::no_place);
    for (const std::string& place : assembled.searched) said.note("tried " + place);
    said.help("name it with --ptxas=PATH or $TMEMC_PTXAS; it comes with the CUDA toolkit, 12.8 or later")
        .help("`tmemc check` and --emit=ptx need no ptxas");
}

/// How the process ended, when that says it all; else empty.
std::string violent_end(const Assembled& assembled) {
    if (assembled.timed_out)
        return fmt::format("did not finish within {} s",
                           static_cast<double>(assembled.command.timeout.count()) / 1000);
    const int signal = assembled.exit_code - 128;
    if (signal <= 0 || signal >= 65) return {}; // ptxas itself exits with 255
    const char* meaning = ::sigdescr_np(signal);
    return fmt::format("was ended by signal {} ({})", signal, meaning ? meaning : "a real-time signal");
}

/// The errors among the messages, less the closing line that only says that there were some.
std::vector<PtxasMessage> errors_of(const Assembled& assembled) {
    std::vector<PtxasMessage> errors;
    for (const PtxasMessage& each : assembled.messages)
        if (each.severity == "error" || each.severity == "fatal") errors.push_back(each);
    const auto closing = [](const PtxasMessage& each) {
        return each.text == "Ptx assembly aborted due to errors";
    };
    if (errors.size() > 1) errors.erase(std::remove_if(errors.begin(), errors.end(), closing), errors.end());
    return errors;
}

/// One diagnostic for each statement and text.
void report_errors(Diagnostics& out, const std::vector<PtxasMessage>& errors,
                   const SpanOfLine& span_of_line) {
    struct Said {
        base::Span span;
        std::string text;
        std::string lines;
    };
    std::vector<Said> all;
    for (const PtxasMessage& each : errors) {
        const base::Span span = each.line > 0 ? span_of_line(each.line) : base::no_place;
        const auto same = std::find_if(all.begin(), all.end(), [&](const Said& said) {
            return said.span == span && said.text == each.text;
        });
        if (same == all.end())
            all.push_back({span, each.text, each.line > 0 ? fmt::format("line {}", each.line) : ""});
        else if (each.line > 0)
            same->lines += fmt::format(", {}", each.line);
    }
    for (const Said& said : all) {
        const bool placed = said.span != base::no_place;
        base::Diagnostic& one = placed ? out.report(catalogue::ptxas_refused, said.span, said.text)
                                       : out.report(catalogue::ptxas_failed, base::no_place, said.text);
        if (!said.lines.empty()) one.note(fmt::format("in {} of the PTX", said.lines));
    }
}

/// A failure without a word that is understood: what it printed, as it stands.
void report_speechless(Diagnostics& out, const Assembled& assembled) {
    const std::string what = assembled.exit_code == 0 ? std::string("it ended well but wrote no cubin")
                                                      : fmt::format("exit status {}", assembled.exit_code);
    base::Diagnostic& said = out.report(catalogue::ptxas_failed, base::no_place, what);
    constexpr std::size_t enough = 2000;
    const std::string& printed = assembled.raw_errors;
    const std::size_t end = printed.find_last_not_of(" \r\n") + 1;
    if (end > 0) said.note("it printed: " + printed.substr(0, std::min(end, enough)));
    said.help(fmt::format("is `{}` NVIDIA's ptxas?", assembled.command.program));
}

} // namespace

Diagnostics report(const Assembled& assembled, const SpanOfLine& span_of_line) {
    Diagnostics out;
    if (assembled.status == Assembled::Status::ok) return out;
    if (assembled.status == Assembled::Status::not_found) {
        report_not_found(out, assembled);
    } else if (!assembled.start_error.empty()) {
        out.report(
            catalogue::ptxas_failed, base::no_place,
            fmt::format("`{}` cannot be started: {}", assembled.command.program, assembled.start_error));
    } else if (const std::string end = violent_end(assembled); !end.empty()) {
        out.report(catalogue::ptxas_died, base::no_place, end);
    } else if (const std::vector<PtxasMessage> errors = errors_of(assembled); !errors.empty()) {
        report_errors(out, errors, span_of_line);
    } else {
        report_speechless(out, assembled);
    }
    return out;
}

} // namespace tmemc::toolchain
