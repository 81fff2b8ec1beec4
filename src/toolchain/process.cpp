// Boost.Process v2 does the fork and exec, Boost.Asio the waiting: one event loop reads both outputs, learns
// of the program's end and keeps the time. The input lies in an unnamed file in memory, so a program that
// reads it slowly, or not at all, can block nothing and raises no SIGPIPE.
//
// Boost 1.81 leaves three things to its user, seen in ChildSetup and start(): a failed exec leaves through
// exit(), which would run our exit handlers twice, and leaves a zombie; and descriptors of other threads'
// pipes are inherited.
#include "toolchain/process.hpp"

#include "base/file.hpp"

#define BOOST_PROCESS_USE_STD_FS // nothing of Boost is to be linked
#include <boost/optional.hpp>    // the next three: used by v2 in this mode, but not included there
#include <boost/type_traits/decay.hpp>
#include <boost/type_traits/is_convertible.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/readable_pipe.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/process/v2/process.hpp>
#include <boost/process/v2/stdio.hpp>

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tmemc::toolchain {

namespace {

namespace asio = boost::asio;
namespace process = boost::process::v2;
using boost::system::error_code;

/// What the child does between fork and exec.
struct ChildSetup {
    template <class Launcher>
    error_code on_exec_setup(Launcher&, const std::filesystem::path&, const char* const*) const {
        ::setpgid(0, 0);                    // a group of its own, to be killed as one
        ::prctl(PR_SET_PDEATHSIG, SIGKILL); // Ctrl-C no longer reaches it, so it ends with us
        ::close_range(3, UINT_MAX,
                      static_cast<int>(CLOSE_RANGE_CLOEXEC)); // other threads' pipes are not for it
        return {};
    }
    /// Boost probes and calls this with different arguments; any will do.
    template <class... Anything>
    void on_exec_error(const Anything&...) const {
        ::_exit(127);
    }
};

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// An unnamed file in memory that holds `text`, at its beginning; null when there is no room.
File memory_file(const std::string& text) {
    const int descriptor = ::memfd_create("stdin", MFD_CLOEXEC);
    File file(descriptor < 0 ? nullptr : ::fdopen(descriptor, "w+"));
    if (!file) return nullptr;
    if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size()) return nullptr;
    return std::fseek(file.get(), 0, SEEK_SET) == 0 ? std::move(file) : nullptr;
}

void kill_and_reap(pid_t pid) {
    ::kill(pid, SIGKILL);
    while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
    }
}

/// Our own environment and what `more` adds to it, ended by a null pointer; a variable that is set keeps its
/// value.
std::vector<const char*> environment_with(const std::vector<std::string>& more) {
    std::vector<const char*> all;
    for (char** each = environ; *each != nullptr; ++each) all.push_back(*each);
    for (const std::string& each : more)
        if (std::getenv(each.substr(0, each.find('=')).c_str()) == nullptr) all.push_back(each.c_str());
    all.push_back(nullptr);
    return all;
}

using Process = process::basic_process<asio::io_context::executor_type>;

/// The running program, or nothing and `error`.
std::optional<Process> start(const Command& command, asio::io_context& io, std::FILE* input,
                             asio::readable_pipe& output, asio::readable_pipe& errors, error_code& error) {
    const std::vector<const char*> environment = environment_with(command.environment);
    process::default_process_launcher launcher;
    launcher.env = environment.data();
    try {
        Process started = launcher(io.get_executor(), error, command.program, command.arguments,
                                   process::process_stdio{input, output, errors}, ChildSetup{});
        if (!error) return started;
    } catch (const boost::system::system_error& problem) { // no descriptor left to watch the child with
        error = problem.code();
    }
    if (launcher.pid > 0) kill_and_reap(launcher.pid);
    return std::nullopt;
}

int exit_code(int status) { return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status); }

/// Reads both outputs until they end and the program has ended, or until the time is up.
void finish(Process& program, asio::io_context& io, asio::readable_pipe& output, asio::readable_pipe& errors,
            std::chrono::milliseconds timeout, ProcessResult& result) {
    asio::steady_timer clock(io, timeout);
    int awaited = 3; // two outputs and the program's end
    const auto arrived = [&](auto...) {
        if (--awaited == 0) clock.cancel();
    };
    asio::async_read(output, asio::dynamic_buffer(result.output), arrived);
    asio::async_read(errors, asio::dynamic_buffer(result.errors), arrived);
    program.async_wait(arrived);
    const pid_t group = program.id();
    clock.async_wait([&](error_code cancelled) {
        if (cancelled || awaited == 0) return;
        result.timed_out = true;
        ::kill(-group, SIGKILL);
        error_code ignored;
        output.close(ignored); // whoever left the group may still hold the other ends
        errors.close(ignored);
    });
    io.run();
    result.exit_code = exit_code(program.native_exit_code());
    program.detach(); // it has been waited for; its number may belong to another by now
}

} // namespace

ProcessResult run(const Command& command) {
    ProcessResult result;
    error_code error;
    try {
        asio::io_context io;
        asio::readable_pipe output(io), errors(io);
        const File input = memory_file(command.input);
        if (!input) {
            result.error = "no memory for the input: " + base::reason(errno);
            return result;
        }
        if (std::optional<Process> program = start(command, io, input.get(), output, errors, error)) {
            result.started = true;
            finish(*program, io, output, errors, command.timeout, result);
            return result;
        }
    } catch (const boost::system::system_error& problem) { // no descriptor left for the event loop
        error = problem.code();
    }
    result.error = base::reason(error.value());
    return result;
}

std::string to_string(const Command& command) {
    static constexpr std::string_view plain =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-";
    const auto quoted = [](const std::string& word) {
        if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
        std::string text = "'";
        for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
        return text + "'";
    };
    std::string text = quoted(command.program);
    for (const std::string& argument : command.arguments) text += " " + quoted(argument);
    return text;
}

} // namespace tmemc::toolchain
