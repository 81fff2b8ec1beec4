// Runs the kernels of device_cases.hpp on the first GPU of this machine and prints a recording. Stands alone:
//
//     g++ -std=c++20 -O1 tests/oracle/device_record.cpp -o record -ldl
//     ./record tests/data/opcodes 9.0 sm_90 > tests/data/device_sm_90.txt
//
// An instruction that the driver does not take for this GPU is left out, and named on standard error. The
// driver is opened at run time; there is no CUDA header here.
#include "device_cases.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace {

using Handle = void*;
using Address = unsigned long long;

void* library = nullptr;

template <class Function>
Function* entry(const char* name) {
    void* found = dlsym(library, name);
    if (found == nullptr) std::fprintf(stderr, "the driver has no %s\n", name), std::exit(1);
    return reinterpret_cast<Function*>(found);
}
void need(int status, const char* what) {
    if (status != 0) std::fprintf(stderr, "%s: error %d of the driver\n", what, status), std::exit(1);
}

} // namespace

int main(int count, char** arguments) {
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // what came before a program that hangs is kept
    if (count != 4) return std::fprintf(stderr, "record FOLDER VERSION TARGET\n"), 2;
    library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) return std::fprintf(stderr, "there is no libcuda.so.1\n"), 3;
    const auto allocate = entry<int(Address*, std::size_t)>("cuMemAlloc_v2");
    const auto upload = entry<int(Address, const void*, std::size_t)>("cuMemcpyHtoD_v2");
    const auto download = entry<int(void*, Address, std::size_t)>("cuMemcpyDtoH_v2");
    const auto load = entry<int(Handle*, const void*)>("cuModuleLoadData");
    const auto unload = entry<int(Handle)>("cuModuleUnload");
    const auto function_of = entry<int(Handle*, Handle, const char*)>("cuModuleGetFunction");
    const auto launch = entry<int(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                  unsigned, Handle, void**, void**)>("cuLaunchKernel");
    Handle context = nullptr;
    int device = 0;
    need(entry<int(unsigned)>("cuInit")(0), "cuInit");
    need(entry<int(int*, int)>("cuDeviceGet")(&device, 0), "cuDeviceGet");
    need(entry<int(Handle*, int)>("cuDevicePrimaryCtxRetain")(&context, device), "cuDevicePrimaryCtxRetain");
    need(entry<int(Handle)>("cuCtxSetCurrent")(context), "cuCtxSetCurrent");
    Address in = 0, out = 0;
    need(allocate(&in, device::threads * 32), "cuMemAlloc");
    need(allocate(&out, device::threads * 16), "cuMemAlloc");
    std::printf("# instruction | hash of all results | the first results (tests/oracle/device_record.cpp), "
                "%s, PTX %s\n",
                arguments[3], arguments[2]);
    for (const device::Case& of : device::cases(arguments[1])) {
        const std::string text = device::kernel(of, arguments[2], arguments[3]);
        Handle module = nullptr, function = nullptr;
        if (load(&module, text.c_str()) != 0) {
            std::fprintf(stderr, "left out: %s\n", of.instruction.c_str());
            continue;
        }
        const std::vector<std::uint64_t> words = device::inputs(of);
        std::vector<std::uint64_t> results(device::threads * 2);
        void* parameters[] = {&in, &out};
        need(function_of(&function, module, "k"), "cuModuleGetFunction");
        need(upload(in, words.data(), words.size() * 8), "cuMemcpyHtoD");
        need(launch(function, device::threads / device::block, 1, 1, device::block, 1, 1, 0, nullptr,
                    parameters, nullptr),
             "cuLaunchKernel");
        need(download(results.data(), out, results.size() * 8), "cuMemcpyDtoH");
        need(unload(module), "cuModuleUnload");
        std::printf("%s\n", device::line(of, results).c_str());
    }
    return 0;
}
