// A module that nvcc made, under test: kernels are launched with C++ arguments, whose types are those of the
// kernel's.
//
//     Cuda cuda("data/cuda/matmul.sm_75.ptx");
//     cuda.run("matmul", {{16, 16, 1}, {3, 3, 1}}, 0, a, b, c, n);      vectors are copied in and back
#pragma once

#include "program.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace tmemc::emulator {

inline std::vector<std::string> kept(const std::string& stem) {
    std::vector<std::string> paths;
    for (const auto& entry : std::filesystem::directory_iterator("data/cuda")) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".ptx" && name.substr(0, stem.size() + 1) == stem + ".")
            paths.push_back(entry.path().string());
    }
    std::sort(paths.begin(), paths.end());
    CHECK_MESSAGE(!paths.empty(), stem);
    return paths;
}

inline std::string text_of(const std::string& path) {
    std::ifstream stream(path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

/// A module with its memory, whose kernels are launched with arguments of any type: vectors go to global
/// memory and come back, everything else is a parameter by value.
class Cuda {
  public:
    explicit Cuda(const std::string& path) : source_(path, text_of(path)), loaded_(load(source_)) {
        for (const auto& each : loaded_.diagnostics.list)
            FAIL_CHECK(path, ":", source_.position(each.span.begin).line, ": ", each.message);
    }
    [[nodiscard]] bool good() const { return loaded_.executable != nullptr; }

    template <class... Arguments>
    void run(const std::string& kernel, const Shape& shape, std::uint32_t shared, Arguments&... arguments) {
        Launch launch{kernel, shape.grid, shape.block, {}};
        launch.shared_bytes = shared;
        const auto signature = std::find_if(loaded_.kernels.begin(), loaded_.kernels.end(),
                                            [&](const auto& each) { return each.name == kernel; });
        REQUIRE_MESSAGE(signature != loaded_.kernels.end(), kernel);
        launch.parameters.resize(signature->parameter_bytes);
        std::size_t number = 0;
        (give(launch, signature->parameters.at(number++), arguments), ...);
        CHECK(number == signature->parameters.size());
        const Outcome outcome = emulator::run(*loaded_.executable, memory_, launch);
        REQUIRE_MESSAGE(!outcome.fault, kernel, ": line ", outcome.fault->line, ": ", words(outcome), " in ",
                        outcome.fault->instruction);
        number = 0;
        (take(launch, signature->parameters.at(number++), arguments), ...);
    }

  private:
    template <class T>
    void give(Launch& launch, const KernelParameter& parameter, const T& value) {
        REQUIRE(parameter.bytes == sizeof value);
        std::memcpy(launch.parameters.data() + parameter.offset, &value, sizeof value);
    }
    template <class T>
    void give(Launch& launch, const KernelParameter& parameter, const std::vector<T>& values) {
        const std::uint64_t address = memory_.allocate(values.size() * sizeof(T));
        memory_.write(address, std::as_bytes(std::span(values)));
        give(launch, parameter, address);
    }
    template <class T>
    void take(const Launch&, const KernelParameter&, T&) {}
    template <class T>
    void take(const Launch& launch, const KernelParameter& parameter, std::vector<T>& values) {
        std::uint64_t address = 0;
        std::memcpy(&address, launch.parameters.data() + parameter.offset, sizeof address);
        memory_.read(address, std::as_writable_bytes(std::span(values)));
        memory_.free(address);
    }

    base::Source source_;
    LoadResult loaded_;
    GlobalMemory memory_;
};

/// Calls f with every module kept of that file.
template <class F>
void with_each(const std::string& stem, F f) {
    for (const std::string& path : kept(stem)) {
        CAPTURE(path);
        Cuda cuda(path);
        if (cuda.good()) f(cuda);
    }
}

inline std::vector<std::uint32_t> random_words(std::size_t count, std::uint32_t below = 0) {
    std::mt19937 random(7);
    std::vector<std::uint32_t> words(count);
    for (auto& word : words) word = static_cast<std::uint32_t>(below == 0 ? random() : random() % below);
    return words;
}
inline std::vector<int> random_ints(std::size_t count, int below) {
    std::vector<int> numbers;
    for (const std::uint32_t word : random_words(count, static_cast<std::uint32_t>(below)))
        numbers.push_back(static_cast<int>(word));
    return numbers;
}
inline std::vector<float> random_floats(std::size_t count) {
    std::vector<float> numbers;
    for (const std::uint32_t word : random_words(count, 4001))
        numbers.push_back((static_cast<float>(word) - 2000.0f) / 64.0f);
    return numbers;
}

} // namespace tmemc::emulator
