// Files really written and read, in a folder of their own. Unwritable places are made by kinds, not by
// permissions, because a test that runs as root may write anywhere.
#include "base/file.hpp"

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace tmemc::base;
using tmemc::tests::TemporaryFolder;

namespace {

mode_t mode_of(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

/// No file of this process may grow beyond `bytes` while this lives.
class FileSizeLimit {
  public:
    explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &old_);
        const rlimit limit{bytes, old_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &old_);
        std::signal(SIGXFSZ, old_handler_);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

  private:
    rlimit old_{};
    void (*old_handler_)(int);
};

} // namespace

TEST_CASE("bytes come back as they were written") {
    const TemporaryFolder folder;
    std::string contents(300000, 'x');
    contents[5] = '\0';
    contents[299999] = '\n';
    std::string error;
    REQUIRE(write_file(folder.file("a.bin"), contents, error));
    CHECK(read_file(folder.file("a.bin"), error) == contents);
    CHECK(error.empty());
    CHECK(folder.entries() == 1);
}

TEST_CASE("no more is read than the limit") {
    const TemporaryFolder folder;
    const std::string contents = std::string(70000, 'x') + "end";
    std::string error;
    REQUIRE(write_file(folder.file("a"), contents, error));
    for (const auto limit : std::initializer_list<std::size_t>{0, 1, 65536, 65537, 70002, 70003, 70004}) {
        CHECK(read_file(folder.file("a"), error, limit) == contents.substr(0, limit));
        CHECK(read_file("/dev/zero", error, limit) == std::string(limit, '\0'));
    }
}

TEST_CASE("an empty file is a file") {
    const TemporaryFolder folder;
    std::string error;
    REQUIRE(write_file(folder.file("empty"), "", error));
    CHECK(read_file(folder.file("empty"), error) == "");
}

TEST_CASE("what cannot be read is said in one sentence") {
    const TemporaryFolder folder;
    std::string error;
    CHECK(!read_file(folder.file("none.tmx"), error));
    CHECK(error == "cannot read `" + folder.file("none.tmx") + "`: no such file or directory");
    CHECK(!read_file(folder.path(), error));
    CHECK(error == "cannot read `" + folder.path() + "`: is a directory");
    const std::string locked = folder.write("locked", "secret");
    ::chmod(locked.c_str(), 0);
    if (::geteuid() != 0) {
        CHECK(!read_file(locked, error));
        CHECK(error == "cannot read `" + locked + "`: permission denied");
    }
}

TEST_CASE("a file that exists is replaced and keeps its permissions") {
    const TemporaryFolder folder;
    const std::string path = folder.write("a.ptx", "old and longer");
    ::chmod(path.c_str(), 0640);
    std::string error;
    REQUIRE(write_file(path, "new", error));
    CHECK(folder.read("a.ptx") == "new");
    CHECK(mode_of(path) == 0640);
    CHECK(folder.entries() == 1);
}

TEST_CASE("a new file has the permissions that the umask leaves") {
    const TemporaryFolder folder;
    const mode_t before = ::umask(027);
    std::string error;
    REQUIRE(write_file(folder.file("a"), "x", error));
    ::umask(before);
    CHECK(mode_of(folder.file("a")) == 0640);
}

TEST_CASE("a reader sees the old file or the new one, never a part") {
    const TemporaryFolder folder;
    const std::string path = folder.file("a");
    const std::string ones(1 << 20, '1'), twos(1 << 20, '2');
    std::string error;
    REQUIRE(write_file(path, ones, error));
    std::thread writer([&] {
        std::string problem;
        for (int i = 0; i < 20; ++i) CHECK(write_file(path, i % 2 ? ones : twos, problem));
    });
    for (int i = 0; i < 40; ++i) {
        const auto seen = read_file(path, error);
        CHECK((seen == ones || seen == twos));
    }
    writer.join();
}

TEST_CASE("a symbolic link stays one, and the file behind it is written") {
    const TemporaryFolder folder;
    folder.write("target", "old");
    REQUIRE(::symlink("target", folder.file("link").c_str()) == 0);
    std::string error;
    REQUIRE(write_file(folder.file("link"), "new", error));
    CHECK(folder.read("target") == "new");
    CHECK(std::filesystem::is_symlink(folder.file("link")));
    CHECK(folder.entries() == 2);
}

TEST_CASE("a place that cannot be written is said, and leaves nothing behind") {
    const TemporaryFolder folder;
    folder.write("file", "x");
    std::string error;
    CHECK(!write_file(folder.file("none/a"), "x", error));
    CHECK(error == "cannot write `" + folder.file("none/a") + "`: no such file or directory");
    CHECK(!write_file(folder.file("file/a"), "x", error));
    CHECK(error == "cannot write `" + folder.file("file/a") + "`: not a directory");
    CHECK(!write_file(folder.path(), "x", error));
    CHECK(error == "cannot write `" + folder.path() + "`: is a directory");
    CHECK(!write_file("", "x", error));
    CHECK(error == "cannot write ``: no such file or directory");
    CHECK(folder.entries() == 1);
}

TEST_CASE("a write that breaks off leaves the old file and no temporary one") {
    const TemporaryFolder folder;
    const std::string path = folder.write("a", "old");
    const FileSizeLimit as_if_the_disk_were_full(1000);
    std::string error;
    CHECK(!write_file(path, std::string(5000, 'x'), error));
    CHECK(error == "cannot write `" + path + "`: file too large");
    CHECK(folder.read("a") == "old");
    CHECK(folder.entries() == 1);
}

TEST_CASE("of several outputs all appear or none") {
    const TemporaryFolder folder;
    const std::string old = folder.write("old", "older");
    std::string error;
    CHECK(write_files({{folder.file("a"), "1"}, {folder.file("b"), "2"}}, error));
    CHECK((folder.read("a") == "1" && folder.read("b") == "2"));
    for (const std::string& broken : {folder.file("none/x"), folder.path(), std::string("/dev/full")})
        for (const bool first : {false, true}) {
            std::vector<Output> outputs{{folder.file("c"), "3"}, {old, "newer"}};
            outputs.insert(first ? outputs.begin() : outputs.end(), {broken, "x"});
            CHECK(!write_files(outputs, error));
            CHECK(error.find(broken) != std::string::npos);
            CHECK(folder.read("old") == "older");
            CHECK(folder.entries() == 3);
        }
}

TEST_CASE("a full device is reported") {
    std::string error;
    CHECK(!write_file("/dev/full", "x", error));
    CHECK(error == "cannot write `/dev/full`: no space left on device");
    CHECK(write_file("/dev/null", "x", error));
}

TEST_CASE("a pipe is written through") {
    const TemporaryFolder folder;
    const std::string path = folder.file("pipe");
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    std::string error, seen;
    std::thread reader([&] {
        std::string problem;
        seen = read_file(path, problem).value_or("nothing");
    });
    CHECK(write_file(path, "through", error));
    reader.join();
    CHECK(seen == "through");
    CHECK(!std::filesystem::is_regular_file(path));
}

TEST_CASE("/dev/fd/N is the descriptor itself, at the offset where it stands") {
    const TemporaryFolder folder;
    const std::string path = folder.write("log", "first ");
    const int log = ::open(path.c_str(), O_WRONLY);
    REQUIRE(::lseek(log, 0, SEEK_END) == 6);
    std::string error;
    CHECK(write_file("/dev/fd/" + std::to_string(log), "second ", error));
    CHECK(::write(log, "third", 5) == 5);
    ::close(log);
    CHECK(folder.read("log") == "first second third");
    CHECK(folder.entries() == 1);
    CHECK(!write_file("/dev/fd/" + std::to_string(log), "x", error)); // closed by now
}
