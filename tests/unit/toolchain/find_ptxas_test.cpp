// The order of the places, with a folder for each and the environment pointing at them.
#include "toolchain/ptxas.hpp"

#include "temporary_folder.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>

using namespace tmemc::toolchain;
using tmemc::tests::TemporaryFolder;

namespace {

/// Sets environment variables for one test and puts the old values back.
class Environment {
  public:
    explicit Environment(const std::map<std::string, std::string>& values) {
        for (const char* name : {"TMEMC_PTXAS", "PATH", "CUDA_HOME", "CUDA_PATH"}) {
            const char* old = std::getenv(name);
            old_[name] = old ? std::optional<std::string>(old) : std::nullopt;
            ::unsetenv(name);
        }
        for (const auto& [name, value] : values) ::setenv(name.c_str(), value.c_str(), 1);
    }
    ~Environment() {
        for (const auto& [name, value] : old_)
            if (value)
                ::setenv(name.c_str(), value->c_str(), 1);
            else
                ::unsetenv(name.c_str());
    }
    Environment(const Environment&) = delete;
    Environment& operator=(const Environment&) = delete;

  private:
    std::map<std::string, std::optional<std::string>> old_;
};

/// A folder with bin/ptxas in it.
struct Toolkit {
    TemporaryFolder folder;
    std::string bin, ptxas;
    Toolkit() : bin(folder.file("bin")) {
        std::filesystem::create_directory(bin);
        ptxas = folder.script("bin/ptxas", "exit 0");
    }
};

} // namespace

TEST_CASE("--ptxas comes first, then $TMEMC_PTXAS, PATH, $CUDA_HOME, $CUDA_PATH") {
    const Toolkit option, variable, path, home, cuda_path;
    std::map<std::string, std::string> values{{"TMEMC_PTXAS", variable.ptxas},
                                              {"PATH", "/nowhere:" + path.bin},
                                              {"CUDA_HOME", home.folder.path()},
                                              {"CUDA_PATH", cuda_path.folder.path()}};
    const auto found = [&](const std::string& given = {}) {
        const Environment environment(values);
        return find_ptxas(given).path;
    };
    CHECK(found(option.ptxas) == option.ptxas);
    CHECK(found() == variable.ptxas);
    values["TMEMC_PTXAS"] = ""; // as good as not set
    CHECK(found() == path.ptxas);
    values["PATH"] = "/nowhere";
    CHECK(found() == home.ptxas);
    values["CUDA_HOME"] = "/nowhere";
    CHECK(found() == cuda_path.ptxas);
}

TEST_CASE("a path that was given and is no program is not replaced by another") {
    const Toolkit path;
    const Environment environment({{"PATH", path.bin}});
    const Found none = find_ptxas("/no/ptxas");
    CHECK(none.path.empty());
    CHECK(none.searched == std::vector<std::string>{"--ptxas (/no/ptxas)"});
    CHECK(find_ptxas(path.folder.path()).path.empty()); // a folder
    CHECK(find_ptxas(path.folder.write("text", "x")).path.empty());
    ::setenv("TMEMC_PTXAS", "/no/ptxas", 1);
    CHECK(find_ptxas().path.empty());
    CHECK(find_ptxas().searched == std::vector<std::string>{"$TMEMC_PTXAS (/no/ptxas)"});
}

TEST_CASE("a bare name is looked for in PATH") {
    const Toolkit toolkit;
    const std::string other = toolkit.folder.script("bin/ptxas-12.9", "exit 0");
    const Environment environment({{"PATH", toolkit.bin}});
    CHECK(find_ptxas("ptxas-12.9").path == other);
    const Found none = find_ptxas("ptxas-1.0");
    CHECK(none.path.empty());
    CHECK(none.searched == std::vector<std::string>{"--ptxas (ptxas-1.0 in PATH, " + toolkit.bin + ")"});
}

TEST_CASE("every place looked at is told, in order") {
    const Environment environment({{"PATH", "/nowhere:/neither"}, {"CUDA_PATH", "/opt/cuda"}});
    const Found found = find_ptxas();
    REQUIRE(found.searched.size() == 4);
    CHECK(found.searched[0] == "PATH (/nowhere:/neither)");
    CHECK(found.searched[1] == "$CUDA_HOME/bin (not set)");
    CHECK(found.searched[2] == "$CUDA_PATH/bin (/opt/cuda/bin)");
    CHECK(found.searched[3] == "the default CUDA folder (/usr/local/cuda/bin)");
}

TEST_CASE("a file in PATH that cannot be run is passed over") {
    const TemporaryFolder folder;
    const Toolkit toolkit;
    folder.write("ptxas", "not a program");
    const Environment environment({{"PATH", folder.path() + ":" + toolkit.bin}});
    CHECK(find_ptxas().path == toolkit.ptxas);
}
