// Files as whole values: read everything (up to a limit), or write everything. A written file appears whole
// or not at all (a temporary neighbour is renamed over it), so a failed run never leaves half a result or
// destroys an older one. Several appear together or not at all:
//
//     WholeFiles files;
//     bool done = files.add("x.ptx", ptx, error) && files.add("x.cubin", cubin, error) &&
//     files.appear(error);
//
// What cannot be taken back, a pipe or a device, is written when all else is ready.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tmemc::base {

/// errno's own words in the lower case of a diagnostic: "no such file or directory".
[[nodiscard]] std::string reason(int error_number);
inline constexpr std::size_t no_limit = static_cast<std::size_t>(-1);
/// The contents, of a longer file its first `limit` bytes (a device such as /dev/zero never ends), or nothing
/// and `error` set to one sentence ("cannot read `x.tmx`: no such file or directory").
[[nodiscard]] std::optional<std::string> read_file(const std::string& path, std::string& error,
                                                   std::size_t limit = no_limit);
/// True, or false and `error` set.
[[nodiscard]] bool write_file(const std::string& path, std::string_view contents, std::string& error);

class SignalsWait;

/// While a file waits, so do the signals that would end the process and leave it.
class WholeFiles {
  public:
    WholeFiles();
    ~WholeFiles();
    WholeFiles(const WholeFiles&) = delete;
    WholeFiles& operator=(const WholeFiles&) = delete;
    /// Writes beside the place that the file will take. False and `error` set when that cannot be.
    [[nodiscard]] bool add(const std::string& path, std::string_view contents, std::string& error);
    /// All that were added take their places. False and `error` set when one cannot; the others are then as
    /// they were before, but for an older file on a file system without hard links, which stays replaced.
    [[nodiscard]] bool appear(std::string& error);

  private:
    struct File {
        std::string path, place;     // as named, and behind its links
        std::string neighbour, kept; // the new contents, and the older ones while others may fail
        bool existed = false;
    };
    struct Stream {
        std::string path, contents;
    };
    std::vector<File> files_;
    std::vector<Stream> streams_;
    std::unique_ptr<SignalsWait> waiting_; // the last to go

    static int stage(File& file, std::string_view contents, unsigned mode);
    int replace(File& file) const;
    static void put_back(const File& file);
};

} // namespace tmemc::base
