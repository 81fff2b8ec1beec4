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

/// While it lives, what would end the process from outside waits: nobody finds half a file or a stray
/// neighbour.
class SignalsWait {
  public:
    SignalsWait() {
        sigset_t held;
        ::sigemptyset(&held);
        for (const int each : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::sigaddset(&held, each);
        ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    ~SignalsWait() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsWait(const SignalsWait&) = delete;
    SignalsWait& operator=(const SignalsWait&) = delete;

  private:
    sigset_t before_{};
};

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
    error = fmt::format("cannot {} `{}`: {}", verb, path, reason(error_number));
    return false;
}

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

int write_through(const std::string& path, std::string_view contents) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file.is_open()) return errno;
    const int problem = write_all(file.number(), contents);
    if (problem != 0) return problem;
    return file.close() ? 0 : errno;
}

/// Into a pipe, a device or a descriptor.
int write_stream(const std::string& path, std::string_view contents) {
    const int descriptor = named_descriptor(path);
    return descriptor >= 0 ? write_all(descriptor, contents) : write_through(path, contents);
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

bool write_file(const std::string& path, std::string_view contents, std::string& error) {
    WholeFiles files;
    return files.add(path, contents, error) && files.appear(error);
}

WholeFiles::WholeFiles() = default;

WholeFiles::~WholeFiles() {
    for (const File& each : files_) {
        if (!each.neighbour.empty()) ::unlink(each.neighbour.c_str());
        if (!each.kept.empty()) ::unlink(each.kept.c_str());
    }
}

int WholeFiles::stage(File& file, std::string_view contents, unsigned mode) {
    Descriptor neighbour = create_neighbour(file.place, file.neighbour);
    if (!neighbour.is_open()) {
        file.neighbour.clear();
        return errno;
    }
    if (file.existed && ::fchmod(neighbour.number(), mode) != 0) return errno;
    if (const int problem = write_all(neighbour.number(), contents)) return problem;
    return neighbour.close() ? 0 : errno;
}

bool WholeFiles::add(const std::string& path, std::string_view contents, std::string& error) {
    struct stat old {};
    const bool descriptor = named_descriptor(path) >= 0;
    const bool exists = !descriptor && ::stat(path.c_str(), &old) == 0;
    if (!descriptor && !exists && errno != ENOENT) return fail(error, "write", path, errno);
    if (exists && S_ISDIR(old.st_mode)) return fail(error, "write", path, EISDIR);
    if (descriptor || (exists && !S_ISREG(old.st_mode))) {
        streams_.push_back({path, std::string(contents)});
        return true;
    }
    // A read-only file is not to be replaced.
    if (exists && ::access(path.c_str(), W_OK) != 0) return fail(error, "write", path, errno);
    if (!waiting_) waiting_ = std::make_unique<SignalsWait>();
    files_.push_back({path, exists ? resolved(path) : path, "", "", exists});
    const int problem = stage(files_.back(), contents, old.st_mode & 07777);
    return problem == 0 || fail(error, "write", path, problem);
}

int WholeFiles::replace(File& file) const {
    if (file.existed && files_.size() > 1) {
        file.kept = file.neighbour + "-old";
        if (::link(file.place.c_str(), file.kept.c_str()) != 0) file.kept.clear();
    }
    if (::rename(file.neighbour.c_str(), file.place.c_str()) != 0) return errno;
    file.neighbour.clear();
    return 0;
}

void WholeFiles::put_back(const File& file) {
    if (!file.existed)
        ::unlink(file.place.c_str());
    else if (!file.kept.empty())
        ::rename(file.kept.c_str(), file.place.c_str());
}

bool WholeFiles::appear(std::string& error) {
    for (const Stream& each : streams_)
        if (const int problem = write_stream(each.path, each.contents))
            return fail(error, "write", each.path, problem);
    for (std::size_t i = 0; i < files_.size(); ++i) {
        const int problem = replace(files_[i]);
        if (problem == 0) continue;
        for (std::size_t j = 0; j < i; ++j) put_back(files_[j]);
        return fail(error, "write", files_[i].path, problem);
    }
    return true;
}

} // namespace tmemc::base
