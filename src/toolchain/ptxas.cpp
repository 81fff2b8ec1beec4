// One run of ptxas. Its exit status alone is not believed: it exits with 0 when it could not write all of its
// output, so what came must begin like the ELF file that a cubin is.
#include "toolchain/ptxas.hpp"

#include <algorithm>
#include <utility>

namespace tmemc::toolchain {

namespace {

constexpr const char* input = "/dev/stdin";
constexpr const char* output = "/dev/stdout";

/// ptxas takes some 20 MB page by page and gives them back as it goes. Two words to glibc's malloc, large
/// pages and a heap that grows at once, save a sixth of its time (tests/bench/README.md); another malloc does
/// not read them.
constexpr const char* large_pages =
    "GLIBC_TUNABLES=glibc.malloc.hugetlb=1:glibc.malloc.top_pad=67108864:"
    "glibc.malloc.trim_threshold=1073741824:glibc.malloc.mmap_threshold=1073741824";

Command command_of(const std::string& program, const PtxasOptions& options) {
    Command made{program, {"-arch=" + options.target}, {}, options.timeout, {large_pages}};
    if (options.object_only) made.arguments.emplace_back("-c");
    made.arguments.insert(made.arguments.end(), options.flags.begin(), options.flags.end());
    made.arguments.insert(made.arguments.end(), {input, "-o", output});
    return made;
}

} // namespace

std::string ptxas_version(const std::string& path) {
    const ProcessResult done = run({path, {"--version"}, {}, std::chrono::seconds(10)});
    constexpr std::string_view word = "release ";
    const std::size_t at = done.output.find(word);
    if (!done.started || done.timed_out || done.exit_code != 0 || at == std::string::npos) return {};
    const std::size_t begin = at + word.size();
    return done.output.substr(begin, done.output.find_first_not_of("0123456789.", begin) - begin);
}

Assembled assemble(const std::string& ptx, const PtxasOptions& options) {
    Assembled made;
    Found found = find_ptxas(options.path);
    made.command = command_of(found.path, options);
    if (found.path.empty()) {
        made.status = Assembled::Status::not_found;
        made.searched = std::move(found.searched);
        return made;
    }
    Command with_input = made.command;
    with_input.input = ptx;
    ProcessResult done = run(with_input);
    made.raw_errors = std::move(done.errors);
    made.messages = parse_messages(made.raw_errors);
    made.start_error = std::move(done.error);
    made.timed_out = done.timed_out;
    made.exit_code = done.exit_code;
    const bool complete = done.started && !done.timed_out && done.exit_code == 0;
    const bool is_elf = done.output.starts_with("\x7f"
                                                "ELF");
    made.status = complete && is_elf ? Assembled::Status::ok : Assembled::Status::failed;
    if (made.status == Assembled::Status::ok) made.cubin = std::move(done.output);
    return made;
}

Command command(const PtxasOptions& options) {
    const Found found = find_ptxas(options.path);
    return command_of(found.path.empty() ? "ptxas" : found.path, options);
}

Command replay(const Assembled& assembled, const std::string& ptx_path) {
    Command again = assembled.command;
    std::replace(again.arguments.begin(), again.arguments.end(), std::string(input), ptx_path);
    std::replace(again.arguments.begin(), again.arguments.end(), std::string(output),
                 std::string("/dev/null"));
    return again;
}

} // namespace tmemc::toolchain
