// One run of nvdisasm on a temporary file.
#include "toolchain/nvdisasm.hpp"

#include "base/file.hpp"
#include "toolchain/ptxas.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace tmemc::toolchain {
namespace {

/// A file of a name of its own for as long as this lives.
class TemporaryFile {
  public:
    TemporaryFile() : path_((std::filesystem::temp_directory_path() / "tmemc-XXXXXX").string()) {
        const int file = ::mkstemp(path_.data());
        made_ = file >= 0;
        if (made_) ::close(file);
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (made_) ::unlink(path_.c_str());
    }
    [[nodiscard]] bool made() const { return made_; }
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
    bool made_ = false;
};

} // namespace

Disassembled disassemble(const std::string& cubin) {
    Disassembled made;
    Found found = find_tool("nvdisasm");
    if (found.path.empty()) {
        made.error = "there is no nvdisasm";
        made.searched = std::move(found.searched);
        return made;
    }
    const TemporaryFile file;
    if (!file.made()) {
        made.error = fmt::format("there is no temporary file to be had: {}", base::reason(errno));
        return made;
    }
    if (!base::write_file(file.path(), cubin, made.error)) return made;
    ProcessResult done = run({found.path, {"-c", "-g", "-gp", file.path()}, {}, std::chrono::minutes(1)});
    if (!done.started || done.timed_out || done.exit_code != 0)
        made.error = fmt::format("{} failed: {}", found.path,
                                 !done.started    ? done.error
                                 : done.timed_out ? "it took too long"
                                                  : done.errors);
    made.text = std::move(done.output);
    return made;
}

} // namespace tmemc::toolchain
