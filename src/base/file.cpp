// Plain POSIX calls, because each of them says what went wrong. Three kinds of places are written in three
// ways: a regular file by a temporary neighbour that is renamed over it; a pipe or device straight into; and
// "/dev/stdout", "/dev/stderr" and "/dev/fd/N" into the descriptor that the process already has, at the
// offset where it stands.
#include "base/file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/core.h>
#include <memory>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace tmemc::base {

namespace {

/// An open file, or none (-1).
class Descriptor {
  public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] bool is_open() const { return number_ >= 0; }
    [[nodiscard]] int number() const { return number_; }
    /// False when the system could not keep what was written.
    bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

bool fail(std::string& error, const char* verb, const std::string& path, int error_number) {
    const std::string place = path == "/dev/stdout" ? "to standard output" : fmt::format("`{}`", path);
    error = fmt::format("cannot {} {}: {}", verb, place, reason(error_number));
    return false;
}

/// While it lives, what would end the process from outside waits: nobody finds half a file or a stray
/// neighbour.
class SignalsWait {
  public:
    SignalsWait() {
        sigset_t held;
        ::sigemptyset(&held);
        for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&held, each);
        ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;

  private:
    sigset_t before_{};
};

/// 0, or the errno of the write that failed.
int write_all(int descriptor, std::string_view contents) {
    while (!contents.empty()) {
        const ssize_t written = ::write(descriptor, contents.data(), contents.size());
        if (written < 0 && errno != EINTR) return errno;
        if (written > 0) contents.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

/// 1 for "/dev/stdout", N for "/dev/fd/N", -1 for a path that names no descriptor.
int named_descriptor(std::string_view path) {
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    constexpr std::string_view prefix = "/dev/fd/";
    if (!path.starts_with(prefix)) return -1;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto [stop, problem] = std::from_chars(path.data() + prefix.size(), end, number);
    return problem == std::errc{} && stop == end ? number : -1;
}

/// Where the file itself lies when `path` is a symbolic link, so that the link stays a link.
std::string resolved(const std::string& path) {
    const std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.c_str(), nullptr), &std::free);
    return real ? real.get() : path;
}

/// A fresh file in the folder of `path`, with the permissions that the process gives to new files.
Descriptor create_neighbour(const std::string& path, std::string& neighbour) {
    const std::string folder = path.substr(0, path.rfind('/') + 1); // empty, or ending in '/'
    for (int attempt = 0;; ++attempt) {
        neighbour = fmt::format("{}.tmemc-{}-{}", folder, ::getpid(), attempt);
        const int number = ::open(neighbour.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (number >= 0 || errno != EEXIST) return Descriptor(number);
    }
}

/// Files written in full beside the places where they will stand; those not there yet when it ends are gone.
class Neighbours {
  public:
    Neighbours() = default;
    ~Neighbours() {
        for (const Pending& each : pending_) ::unlink(each.neighbour.c_str());
    }
    Neighbours(const Neighbours&) = delete;
    Neighbours& operator=(const Neighbours&) = delete;

    int add(const std::string& path, std::string_view contents, const struct stat* old) {
        Pending made{{}, path};
        Descriptor file = create_neighbour(path, made.neighbour);
        if (!file.is_open()) return errno;
        pending_.push_back(made);
        int problem = old != nullptr && ::fchmod(file.number(), old->st_mode & 07777) != 0 ? errno : 0;
        if (problem == 0) problem = write_all(file.number(), contents);
        return problem == 0 && !file.close() ? errno : problem;
    }
    /// 0, or the errno, and `path` of the one that could not be put in its place.
    int rename_all(std::string& path) {
        while (!pending_.empty()) {
            path = pending_.front().path;
            if (::rename(pending_.front().neighbour.c_str(), path.c_str()) != 0) return errno;
            pending_.erase(pending_.begin());
        }
        return 0;
    }

  private:
    struct Pending {
        std::string neighbour, path;
    };
    std::vector<Pending> pending_;
};

int write_through(const std::string& path, std::string_view contents) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open()) return errno;
    const int problem = write_all(file.number(), contents);
    if (problem != 0) return problem;
    return file.close() ? 0 : errno;
}

/// A regular file only becomes a neighbour; anything else is written.
int write(const std::string& path, std::string_view contents, Neighbours& neighbours) {
    if (const int descriptor = named_descriptor(path); descriptor >= 0)
        return write_all(descriptor, contents);
    struct stat old {};
    const bool exists = ::stat(path.c_str(), &old) == 0;
    if (!exists) return errno == ENOENT ? neighbours.add(path, contents, nullptr) : errno;
    if (S_ISDIR(old.st_mode)) return EISDIR;
    if (!S_ISREG(old.st_mode)) return write_through(path, contents);
    if (::access(path.c_str(), W_OK) != 0) return errno; // a read-only file is not to be replaced
    return neighbours.add(resolved(path), contents, &old);
}

} // namespace

std::string reason(int error_number) {
    std::string text = std::generic_category().message(error_number);
    const bool acronym = text.size() > 1 && text[1] >= 'A' && text[1] <= 'Z';
    if (!acronym && !text.empty() && text[0] >= 'A' && text[0] <= 'Z')
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
}

std::optional<std::string> read_file(const std::string& path, std::string& error, std::size_t limit) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    std::string contents;
    struct stat status {};
    if (file.is_open() && ::fstat(file.number(), &status) == 0)
        contents.reserve(std::min(static_cast<std::size_t>(status.st_size), limit));
    char block[65536];
    while (file.is_open()) {
        const std::size_t wanted = std::min(sizeof block, limit - contents.size());
        const ssize_t count = ::read(file.number(), block, wanted); // at the limit: none
        if (count == 0) return contents;
        if (count > 0)
            contents.append(block, static_cast<std::size_t>(count));
        else if (errno != EINTR)
            break;
    }
    fail(error, "read", path, errno);
    return std::nullopt;
}

bool write_files(const std::vector<Output>& outputs, std::string& error) {
    const SignalsWait waiting;
    Neighbours neighbours;
    for (const Output& each : outputs)
        if (const int problem = write(each.path, each.contents, neighbours))
            return fail(error, "write", each.path, problem);
    std::string path;
    const int problem = neighbours.rename_all(path);
    return problem == 0 || fail(error, "write", path, problem);
}

bool write_file(const std::string& path, std::string_view contents, std::string& error) {
    return write_files({{path, contents}}, error);
}

} // namespace tmemc::base
