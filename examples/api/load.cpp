// Compiles a .tmx file in the program that runs it: source text to machine code for the GPU at hand, loaded
// and launched through the CUDA driver, which is opened at run time, so that neither CUDA nor a GPU is needed
// to build this.
//
//     c++ -std=c++17 examples/api/load.cpp $(pkg-config --cflags --libs --static tmemc) -o load
//     ./load examples/roundtrip.tmx roundtrip 2048 2048
//
// Behind the file stand the kernel and the bytes of each of its tensors, in the order of its parameters.
// Their bytes count up; what they begin with after the launch is printed, and KERNEL.cubin keeps the machine
// code. Without a ptxas the driver compiles the PTX. Ends with 0, 1 for mistakes in the program, 2 for those
// of the command line, 3 when nothing could be launched.
#include <tmemc/tmemc.hpp>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace api = tmemc::api;
using Address = unsigned long long; // of device memory

/// The CUDA driver and a context on its first GPU. $TMEMC_CUDA_DRIVER names another library.
class Driver {
  public:
    Driver() {
        const char* const named = std::getenv("TMEMC_CUDA_DRIVER");
        library_ = dlopen(named != nullptr ? named : "libcuda.so.1", RTLD_NOW);
        if (library_ == nullptr)
            throw std::runtime_error(std::string("there is no CUDA driver: ") + dlerror());
        call("cuInit", 0U);
        call("cuDeviceGet", &device_, 0);
        void* context = nullptr;
        call("cuDevicePrimaryCtxRetain", &context, device_);
        call("cuCtxSetCurrent", context);
    }
    /// Calls a function by its name in the library; throws when it fails.
    template <class... Arguments>
    void call(const char* name, Arguments... arguments) const {
        const auto function = reinterpret_cast<int (*)(Arguments...)>(dlsym(library_, name));
        const int code = function == nullptr ? 500 : function(arguments...);
        if (code != 0) throw std::runtime_error(std::string(name) + " ended with " + std::to_string(code));
    }
    /// 100 is compute capability 10.0.
    [[nodiscard]] int capability() const {
        int major = 0, minor = 0;
        call("cuDeviceGetAttribute", &major, 75, device_);
        call("cuDeviceGetAttribute", &minor, 76, device_);
        return 10 * major + minor;
    }

  private:
    void* library_ = nullptr;
    int device_ = 0;
};

/// For the GPU: with its own tensor memory where it has some, else with tensor memory in software.
api::Result compile_for(int capability, const std::string& path, const std::string& text) {
    const bool blackwell = capability == 100 || capability == 103 || capability == 110;
    api::Options options;
    options.name = path;
    options.target = "sm_" + std::to_string(capability) + (blackwell ? "a" : "");
    options.tensor_memory = api::TensorMemory::automatic;
    options.outputs = {api::Kind::ptx, api::Kind::cubin};
    api::Result made = api::compile(text, options);
    if (made.status == api::Status::toolchain) { // then the driver has to do it
        options.outputs = {api::Kind::ptx};
        made = api::compile(text, options);
    }
    for (const api::Diagnostic& each : made.diagnostics) std::cerr << each.text;
    if (!made.message.empty()) std::cerr << "load: " << made.message << '\n';
    return made;
}

const api::Kernel& kernel_named(const api::Result& made, const std::string& name) {
    for (const api::Kernel& each : made.kernels)
        if (each.name == name) return each;
    throw std::invalid_argument("there is no kernel " + name);
}

/// Launches the kernel on tensors of so many bytes, and returns what they hold afterwards.
std::vector<std::string> launch(const Driver& cuda, const api::Result& made, const api::Kernel& kernel,
                                const std::vector<std::size_t>& sizes) {
    const std::string& image = made.cubin.empty() ? made.ptx : made.cubin;
    void *module = nullptr, *function = nullptr;
    cuda.call("cuModuleLoadDataEx", &module, static_cast<const void*>(image.c_str()), 0U,
              static_cast<int*>(nullptr), static_cast<void**>(nullptr));
    cuda.call("cuModuleGetFunction", &function, module, kernel.name.c_str());

    std::vector<std::string> contents;
    for (const std::size_t size : sizes) {
        std::string& bytes = contents.emplace_back(size, '\0');
        for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<char>(i + contents.size() - 1);
    }
    std::vector<Address> memory(sizes.size() + 1);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        cuda.call("cuMemAlloc_v2", &memory[i], sizes[i]);
        cuda.call("cuMemcpyHtoD_v2", memory[i], static_cast<const void*>(contents[i].data()), sizes[i]);
    }
    // Tensor memory in software may need memory that the kernel gets as a last parameter.
    if (kernel.scratch_bytes != 0)
        cuda.call("cuMemAlloc_v2", &memory.back(), static_cast<std::size_t>(kernel.scratch_bytes));
    std::vector<void*> parameters;
    for (Address& each : memory) parameters.push_back(&each);
    void* stream = nullptr;
    cuda.call("cuStreamCreate", &stream, 0U);
    cuda.call("cuLaunchKernel", function, kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.threads, 1U,
              1U, 0U, stream, parameters.data(), static_cast<void**>(nullptr));
    cuda.call("cuStreamSynchronize", stream); // faults of the kernel would show here
    cuda.call("cuStreamDestroy_v2", stream);
    for (std::size_t i = 0; i < sizes.size(); ++i)
        cuda.call("cuMemcpyDtoH_v2", static_cast<void*>(contents[i].data()), memory[i], sizes[i]);
    for (const Address each : memory)
        if (each != 0) cuda.call("cuMemFree_v2", each);
    cuda.call("cuModuleUnload", module);
    return contents;
}

int run(const std::string& path, const std::string& name, const std::vector<std::size_t>& sizes) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::invalid_argument("cannot read " + path);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const Driver cuda;
    const api::Result made = compile_for(cuda.capability(), path, text);
    if (made.status != api::Status::ok) return 1;
    const api::Kernel& kernel = kernel_named(made, name);
    if (made.cubin.empty())
        std::cout << "no ptxas, so the driver compiles the PTX for " << made.target << '\n';
    else if (std::ofstream(name + ".cubin", std::ios::binary) << made.cubin)
        std::cout << name << ".cubin: " << made.cubin.size() << " bytes for " << made.target << '\n';
    const std::vector<std::string> contents = launch(cuda, made, kernel, sizes);
    for (std::size_t i = 0; i < contents.size(); ++i) {
        std::printf("parameter %zu, %zu bytes:", i, contents[i].size());
        for (const char byte : contents[i].substr(0, 16))
            std::printf(" %02x", static_cast<unsigned char>(byte));
        std::printf("\n");
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "load FILE.tmx KERNEL [BYTES...], with libtmemc " << api::version() << '\n';
        return 2;
    }
    try {
        std::vector<std::size_t> sizes;
        for (int i = 3; i < argc; ++i) sizes.push_back(std::stoul(argv[i]));
        return run(argv[1], argv[2], sizes);
    } catch (const std::invalid_argument& wrong) {
        std::cerr << "load: " << wrong.what() << '\n';
        return 2;
    } catch (const std::exception& failure) {
        std::cerr << "load: " << failure.what() << '\n';
        return 3;
    }
}
