// Compiles a .tmx file in the program that runs it: source text to machine code for the GPU at hand, loaded
// and launched through the CUDA driver, which is opened at run time, so that neither CUDA nor a GPU is needed
// to build this.
//
//     c++ -std=c++17 examples/api/load.cpp $(pkg-config --cflags --libs --static tmemc) -o load
//     ./load examples/masked_tail.tmx store_tiles n=300 p=80
//
// Behind the file stand the kernel and a value for each of its scalars, in any order; tensors are as large as
// they say. Their bytes count up; what they begin with after the launch is printed, and KERNEL.cubin keeps
// the machine code. Without a ptxas the driver compiles the PTX. Ends with 0, 1 for mistakes in the program,
// 2 for those of the command line, 3 when nothing could be launched.
#include <tmemc/tmemc.hpp>

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
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

/// One argument as it is launched: a tensor's bytes and where they lie, or the bits of a scalar.
struct Argument {
    std::string name, contents;
    Address address_or_bits = 0; // little-endian, so that the first bytes are the scalar
};

/// `in A: f32[n, 64]`, `alpha: f32`
std::string described(const api::Parameter& parameter) {
    if (!parameter.tensor) return parameter.name + ": " + parameter.type;
    std::string text = parameter.direction + ' ' + parameter.name + ": " + parameter.type + '[';
    for (std::size_t d = 0; d < parameter.shape.size(); ++d)
        text += (d == 0 ? "" : ", ") + (d == 0 && !parameter.extent_from.empty()
                                            ? parameter.extent_from
                                            : std::to_string(parameter.shape[d]));
    return text + ']' + (parameter.pitch_from.empty() ? "" : " pitch " + parameter.pitch_from);
}

/// Ends the program with what is wrong and what would be right.
[[noreturn]] void refuse(const api::Kernel& kernel, const std::string& wrong) {
    std::string words, list;
    for (const api::Parameter& each : kernel.parameters) {
        if (!each.tensor) words += ' ' + each.name + "=NUMBER";
        list += "\n  " + described(each);
    }
    throw std::invalid_argument(wrong + "\nlaunch it by: " + kernel.name + words + list);
}

/// The whole of `text` as a number from `least` to `most`.
template <class Number>
bool read(const std::string& text, Number least, Number most, Number& value) {
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc() && end == text.data() + text.size() && least <= value && value <= most;
}

/// The bits of a number: of f32 as such, of u16 and s16 as such; b16, f16 and the like are given by their
/// bits.
Address bits_of(const api::Kernel& kernel, const api::Parameter& scalar, const std::string& text) {
    const bool real = scalar.type == "f32" || scalar.type == "tf32", negative = scalar.type[0] == 's';
    const long long values = 1LL << scalar.bits;
    float single = 0;
    long long whole = 0;
    if (real && read(text, -HUGE_VALF, HUGE_VALF, single)) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, &single, sizeof bits);
        return bits;
    }
    if (!real && read(text, negative ? -values / 2 : 0, (negative ? values / 2 : values) - 1, whole))
        return static_cast<Address>(whole);
    const bool by_bits = scalar.type[0] == 'f' || scalar.type[0] == 'b';
    refuse(kernel, '`' + text + "` is no number of type " + scalar.type +
                       (real || !by_bits ? "" : ", of which this program takes the bits as a whole number"));
}

/// How many bytes a tensor needs, where the scalars have these values.
std::size_t bytes_of(const api::Kernel& kernel, const api::Parameter& tensor,
                     const std::map<std::string, Address>& scalars) {
    const auto size = [&](const std::string& from, std::uint64_t number) {
        return from.empty() ? number : static_cast<std::uint64_t>(scalars.at(from));
    };
    const std::uint64_t rows = size(tensor.extent_from, tensor.shape.front());
    const bool flat = tensor.shape.size() == 1;
    const std::uint64_t pitch = flat ? 1 : size(tensor.pitch_from, tensor.pitch);
    if (!flat && pitch < tensor.shape.back())
        refuse(kernel, tensor.pitch_from + " is at least " + std::to_string(tensor.shape.back()));
    if (rows > (std::uint64_t{1} << 30) / pitch) // elements
        refuse(kernel, tensor.name + " would be larger than this program allocates");
    return rows * pitch * tensor.bits / 8;
}

/// For each parameter, from words such as `n=300`.
std::vector<Argument> arguments_of(const api::Kernel& kernel, const std::vector<std::string>& words) {
    std::map<std::string, Address> scalars;
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        const auto wanted =
            std::find_if(kernel.parameters.begin(), kernel.parameters.end(), [&](const auto& each) {
                return !each.tensor && each.name == name && name.size() < word.size();
            });
        if (wanted == kernel.parameters.end()) refuse(kernel, "`" + word + "` gives no scalar a value");
        const Address bits = bits_of(kernel, *wanted, word.substr(name.size() + 1));
        if (!scalars.emplace(name, bits).second) refuse(kernel, name + " is given twice");
    }
    for (const api::Parameter& each : kernel.parameters)
        if (!each.tensor && scalars.count(each.name) == 0)
            refuse(kernel, "there is no value for " + each.name);
    std::vector<Argument> all;
    for (const api::Parameter& each : kernel.parameters) {
        Argument& made = all.emplace_back(Argument{each.name, {}, 0});
        if (each.tensor)
            made.contents.resize(bytes_of(kernel, each, scalars));
        else
            made.address_or_bits = scalars.at(each.name);
        for (std::size_t i = 0; i < made.contents.size(); ++i)
            made.contents[i] = static_cast<char>(i + all.size() - 1);
    }
    return all;
}

const api::Kernel& kernel_named(const api::Result& made, const std::string& name) {
    for (const api::Kernel& each : made.kernels)
        if (each.name == name) return each;
    std::string all;
    for (const api::Kernel& each : made.kernels) all += "\n  " + each.name;
    throw std::invalid_argument("there is no kernel " + name + (all.empty() ? "" : ", but these:") + all);
}

/// Launches the kernel; afterwards the contents of the arguments are what the GPU's memory holds.
void launch(const Driver& cuda, const api::Result& made, const api::Kernel& kernel,
            std::vector<Argument>& arguments) {
    const std::string& image = made.cubin.empty() ? made.ptx : made.cubin;
    void *module = nullptr, *function = nullptr;
    cuda.call("cuModuleLoadDataEx", &module, static_cast<const void*>(image.c_str()), 0U,
              static_cast<int*>(nullptr), static_cast<void**>(nullptr));
    cuda.call("cuModuleGetFunction", &function, module, kernel.name.c_str());

    std::vector<Address> memory; // to be freed
    const auto allocate = [&](Address& address, std::size_t bytes) {
        cuda.call("cuMemAlloc_v2", &address, bytes);
        memory.push_back(address);
    };
    std::vector<void*> parameters;
    for (Argument& each : arguments) {
        parameters.push_back(&each.address_or_bits);
        if (each.contents.empty()) continue; // a scalar, or a tensor without rows
        allocate(each.address_or_bits, each.contents.size());
        cuda.call("cuMemcpyHtoD_v2", each.address_or_bits, static_cast<const void*>(each.contents.data()),
                  each.contents.size());
    }
    // Tensor memory in software may need memory that the kernel gets as a last parameter.
    Address scratch = 0;
    if (kernel.scratch_bytes != 0) allocate(scratch, static_cast<std::size_t>(kernel.scratch_bytes));
    parameters.push_back(&scratch);
    void* stream = nullptr;
    cuda.call("cuStreamCreate", &stream, 0U);
    cuda.call("cuLaunchKernel", function, kernel.grid[0], kernel.grid[1], kernel.grid[2], kernel.threads, 1U,
              1U, 0U, stream, parameters.data(), static_cast<void**>(nullptr));
    cuda.call("cuStreamSynchronize", stream); // faults of the kernel would show here
    cuda.call("cuStreamDestroy_v2", stream);
    for (Argument& each : arguments)
        if (!each.contents.empty())
            cuda.call("cuMemcpyDtoH_v2", static_cast<void*>(each.contents.data()), each.address_or_bits,
                      each.contents.size());
    for (const Address each : memory) cuda.call("cuMemFree_v2", each);
    cuda.call("cuModuleUnload", module);
}

int run(const std::string& path, const std::string& name, const std::vector<std::string>& words) {
    std::ifstream file(path, std::ios::binary);
    if (!file) throw std::invalid_argument("cannot read " + path);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const Driver cuda;
    const api::Result made = compile_for(cuda.capability(), path, text);
    if (made.status != api::Status::ok) return 1;
    const api::Kernel& kernel = kernel_named(made, name);
    std::vector<Argument> arguments = arguments_of(kernel, words);
    if (made.cubin.empty())
        std::cout << "no ptxas, so the driver compiles the PTX for " << made.target << '\n';
    else if (std::ofstream(name + ".cubin", std::ios::binary) << made.cubin)
        std::cout << name << ".cubin: " << made.cubin.size() << " bytes for " << made.target << '\n';
    launch(cuda, made, kernel, arguments);
    for (const Argument& each : arguments) {
        if (each.contents.empty()) continue;
        std::printf("%s, %zu bytes:", each.name.c_str(), each.contents.size());
        for (const char byte : each.contents.substr(0, 16))
            std::printf(" %02x", static_cast<unsigned char>(byte));
        std::printf("\n");
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "load FILE.tmx KERNEL [SCALAR=NUMBER...], with libtmemc " << api::version() << '\n';
        return 2;
    }
    try {
        return run(argv[1], argv[2], {argv + 3, argv + argc});
    } catch (const std::invalid_argument& wrong) {
        std::cerr << "load: " << wrong.what() << '\n';
        return 2;
    } catch (const std::exception& failure) {
        std::cerr << "load: " << failure.what() << '\n';
        return 3;
    }
}
