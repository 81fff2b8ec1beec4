// Programs really run: small shell scripts that read, write, hang, crash and fork.
#include "toolchain/process.hpp"

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace tmemc::toolchain;
using namespace std::chrono_literals;
using tmemc::tests::TemporaryFolder;

namespace {

ProcessResult shell(const std::string& script, const std::string& input = {},
                    std::chrono::milliseconds timeout = 20s) {
    return run({"/bin/sh", {"-c", script}, input, timeout});
}

/// True once process `pid` is gone, or dead and not yet buried; false when it still runs after two seconds.
bool ends_soon(int pid) {
    for (int i = 0; i < 200; ++i) {
        std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
        std::string number, name, state;
        if (!(file >> number >> name >> state) || state == "Z" || state == "X") return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

int open_descriptors() {
    int count = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
    return count;
}

} // namespace

TEST_CASE("both outputs and the exit code come back") {
    const ProcessResult done = shell("echo out; echo err >&2; exit 7");
    CHECK(done.started);
    CHECK(!done.timed_out);
    CHECK(done.exit_code == 7);
    CHECK(done.output == "out\n");
    CHECK(done.errors == "err\n");
    CHECK(done.error.empty());
}

TEST_CASE("arguments arrive as they are: no shell reads them") {
    const ProcessResult done = run({"/usr/bin/printf", {"%s|", "a b", "$HOME", "*", "", "'\"\\"}, {}});
    CHECK(done.output == "a b|$HOME|*||'\"\\|");
}

TEST_CASE("the input is what was given, and ends") {
    CHECK(shell("cat", "one\ntwo").output == "one\ntwo");
    CHECK(shell("cat", "").output == "");
    CHECK(shell("cat", std::string("a\0b", 3)).output == std::string("a\0b", 3));
    CHECK(shell("cat /dev/stdin > /dev/stdout", "by name").output == "by name");
}

TEST_CASE("ten megabytes each way do not block") {
    std::string input(10 << 20, 'x');
    for (std::size_t i = 0; i < input.size(); i += 1000) input[i] = '\n';
    const ProcessResult both = shell("tee /dev/stderr", input);
    CHECK(both.output == input);
    CHECK(both.errors == input);
    const ProcessResult output_first = shell("head -c 10485760 /dev/zero; cat", input);
    CHECK(output_first.output.size() == 2 * input.size());
}

TEST_CASE("a program that does not read its input does no harm") {
    const std::string input(1 << 20, 'x');
    CHECK(shell("exec <&-; echo done", input).output == "done\n");
    CHECK(run({"/bin/true", {}, input}).exit_code == 0);
}

TEST_CASE("a program that cannot be started says why") {
    const TemporaryFolder folder;
    const ProcessResult missing = run({folder.file("none"), {}, {}});
    CHECK(!missing.started);
    CHECK(missing.error == "no such file or directory");
    CHECK(run({folder.path(), {}, {}}).error == "permission denied");
    CHECK(run({folder.write("plain", "text"), {}, {}}).error == "permission denied");
    const std::string garbage = folder.write("garbage", "\x7f no program");
    std::filesystem::permissions(garbage, std::filesystem::perms::owner_all);
    CHECK(run({garbage, {}, {}}).error == "exec format error");
    CHECK(run({"", {}, {}}).error == "no such file or directory");
    CHECK(run({"/bin/echo", {std::string(200000, 'x')}, {}}).error == "argument list too long");
}

TEST_CASE("a program that cannot be started runs none of this process's exit handlers") {
    static const TemporaryFolder folder;
    static const pid_t self = ::getpid();
    std::atexit([] {
        if (::getpid() != self) folder.write("handler ran", "");
    });
    CHECK(!run({folder.file("none"), {}, {}}).started);
    CHECK(folder.entries() == 0);
}

TEST_CASE("the end by a signal is 128 and its number") {
    CHECK(shell("kill -SEGV $$").exit_code == 128 + SIGSEGV);
    CHECK(shell("kill -KILL $$").exit_code == 128 + SIGKILL);
    CHECK(shell("exit 255").exit_code == 255);
}

TEST_CASE("a program that hangs is killed, with all that it started, and what it said is kept") {
    const auto begin = std::chrono::steady_clock::now();
    const ProcessResult done = shell("sleep 100 & echo $!; sleep 100", {}, 300ms);
    const auto took = std::chrono::steady_clock::now() - begin;
    CHECK(done.started);
    CHECK(done.timed_out);
    CHECK(done.exit_code == 128 + SIGKILL);
    CHECK(took >= 300ms);
    CHECK(took < 10s);
    REQUIRE(!done.output.empty());
    CHECK(ends_soon(std::stoi(done.output)));
}

TEST_CASE(
    "a program that ends but leaves a child with its output is waited for no longer than the time-out") {
    const ProcessResult left = shell("sleep 100 & echo ready", {}, 300ms);
    CHECK(left.timed_out);
    CHECK(left.output == "ready\n");
    CHECK(left.exit_code == 0);
}

TEST_CASE("a child that left the group and keeps the output does not hold the time-out up") {
    const auto begin = std::chrono::steady_clock::now();
    CHECK(shell("setsid sleep 5 & echo ready", {}, 300ms).timed_out);
    CHECK(std::chrono::steady_clock::now() - begin < 4s);
}

TEST_CASE("a program that closes its outputs is still waited for") {
    const ProcessResult done = shell("exec >&- 2>&-; sleep 0.2; exit 3");
    CHECK(done.exit_code == 3);
    CHECK(!done.timed_out);
}

TEST_CASE("the environment is inherited, this process's other descriptors are not") {
    ::setenv("TMEMC_PROCESS_TEST", "inherited", 1);
    CHECK(shell("echo $TMEMC_PROCESS_TEST").output == "inherited\n");
    ::unsetenv("TMEMC_PROCESS_TEST");
    // A FILE opened without close-on-exec; ls itself adds the descriptor of the folder that it reads.
    std::FILE* open = std::fopen("/dev/null", "r");
    CHECK(run({"/bin/ls", {"/proc/self/fd"}, {}}).output == "0\n1\n2\n3\n");
    std::fclose(open);
}

TEST_CASE("a command's own variables are added; one that is set keeps its value") {
    const auto said = [] {
        Command command{"/bin/sh", {"-c", "echo $TMEMC_PROCESS_TEST, $HOME"}, {}};
        command.environment = {"TMEMC_PROCESS_TEST=added=too"};
        return run(command).output;
    };
    const std::string home = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
    CHECK(said() == "added=too, " + home + "\n");
    ::setenv("TMEMC_PROCESS_TEST", "the user's", 1);
    CHECK(said() == "the user's, " + home + "\n");
    ::unsetenv("TMEMC_PROCESS_TEST");
}

TEST_CASE("nothing is left behind: no descriptor, no zombie") {
    const int before = open_descriptors();
    for (int i = 0; i < 20; ++i) {
        (void)run({"/bin/true", {}, "input"});
        (void)run({"/no/such/program", {}, "input"});
    }
    (void)shell("sleep 100", {}, 10ms);
    CHECK(open_descriptors() == before);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1); // no child, dead or alive
    CHECK(errno == ECHILD);
}

TEST_CASE("many threads run programs at once, and none waits for another's") {
    const TemporaryFolder folder;
    const std::string all_done = folder.file("all done");
    std::thread slow(
        [&] { CHECK(!shell("while ! test -e '" + all_done + "'; do sleep 0.02; done").timed_out); });
    std::vector<std::thread> threads;
    std::vector<std::string> outputs(8);
    for (std::size_t i = 0; i < outputs.size(); ++i)
        threads.emplace_back([i, &outputs] {
            for (int k = 0; k < 10; ++k) {
                const ProcessResult done = shell("cat", std::to_string(i));
                outputs[i] += done.timed_out ? "late" : done.output;
            }
        });
    for (std::thread& each : threads) each.join();
    folder.write("all done", "");
    slow.join();
    for (std::size_t i = 0; i < outputs.size(); ++i)
        CHECK(outputs[i] == std::string(10, static_cast<char>('0' + i)));
}

TEST_CASE("a command is shown as one would type it") {
    CHECK(to_string({"/usr/bin/ptxas", {"-arch=sm_100a", "a.ptx"}, {}}) ==
          "/usr/bin/ptxas -arch=sm_100a a.ptx");
    CHECK(to_string({"a b", {"", "it's", "$x", "~"}, {}}) == "'a b' '' 'it'\\''s' '$x' '~'");
}
