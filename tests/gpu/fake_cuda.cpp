// A CUDA driver without a GPU, for tests: the functions that src/runtime/driver_entries.def lists, over the
// emulator. $TMEMC_CUDA_DRIVER names it. PTX runs as the emulator runs it, so that a test can look at
// results; machine code loads and does nothing. $FAKE_CUDA says in words what is there and what goes wrong:
//
//     devices=2         how many GPUs (1)
//     capability=90,103 what they are, the last of these all that follow (100)
//     memory=4096       bytes that can be allocated (2^40)
//     fail=cuMemAlloc:2 every call of this function ends with this result; fail=cuInit:999 ...
//     fault=700         a launch is taken, and waiting for it ends with this result
//     (a result such as 700 ends the context: from then on every call ends with it)
//     hang              a launch is taken and never ends
//     log=FILE          a line for each call that a test may want to count, appended
//
// It shares nothing with the code that it judges but the names of the functions.
#include "base/source.hpp"
#include "emulator/machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace tmemc;

constexpr int no_memory = 2, invalid_device = 101, invalid_image = 200, no_context = 201, invalid_ptx = 218,
              wrong_handle = 400, not_found = 500, not_ready = 600, launch_failed = 719;

struct Script {
    int devices = 1, fault = 0;
    std::vector<int> capabilities{100};
    std::uint64_t memory = std::uint64_t{1} << 40;
    bool hang = false;
    std::map<std::string, int> fail;
    std::string log;
};

std::vector<int> numbers(const std::string& list) {
    std::vector<int> all;
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) all.push_back(std::stoi(word));
    return all;
}

Script read_script() {
    Script script;
    const char* const given = std::getenv("FAKE_CUDA");
    std::istringstream words(given == nullptr ? "" : given);
    for (std::string word; words >> word;) {
        const std::size_t at = word.find('=');
        const std::string key = word.substr(0, at),
                          value = at == std::string::npos ? "" : word.substr(at + 1);
        if (key == "devices") script.devices = std::stoi(value);
        if (key == "capability") script.capabilities = numbers(value);
        if (key == "memory") script.memory = std::stoull(value);
        if (key == "fault") script.fault = std::stoi(value);
        if (key == "hang") script.hang = true;
        if (key == "log") script.log = value;
        if (key == "fail")
            script.fail[value.substr(0, value.find(':'))] = std::stoi(value.substr(value.find(':') + 1));
    }
    return script;
}

/// The primary context of a device, with a stream and an event to point to.
struct Primary {
    int device = 0;
    char stream = 0, event = 0;
};
struct Module {
    const Primary* context;
    std::string image; // of machine code
    emulator::LoadResult ptx;
};
struct Function {
    const Module* module;
    std::string name;
};

/// Everything that a process sees of the GPU. Never destroyed: the driver outlives what uses it.
struct World {
    Script script = read_script();
    emulator::GlobalMemory memory;
    std::map<std::uint64_t, std::uint64_t> allocated; // bytes by address
    std::map<int, Primary> primary;                   // by device
    Primary* current = nullptr;
    std::map<void*, std::unique_ptr<Module>> loaded; // a broken context's are never unloaded
    std::vector<std::unique_ptr<Function>> functions;
    int contexts = 0, modules = 0, streams = 0, events = 0;
    int pending = 0; // what waiting will say
    int broken = 0;  // what every call says, once a kernel's fault was seen

    /// The result that the script has for this call, and a line of the log.
    int enter(const std::string& name, const std::string& more = {}) {
        if (!script.log.empty()) std::ofstream(script.log, std::ios::app) << name << more << '\n';
        const auto found = script.fail.find(name);
        return broken != 0 || found == script.fail.end() ? broken : keep(found->second);
    }
    int keep(int result) {
        if (result >= 700 && result < 720 && result != 701) broken = result;
        return result;
    }
};
World& world() {
    static World* const the = new World;
    return *the;
}

std::vector<std::byte> bytes_at(const void* data, std::size_t size) {
    std::vector<std::byte> bytes(size);
    if (size > 0) std::memcpy(bytes.data(), data, size);
    return bytes;
}

void say(void* buffer, std::size_t size, const std::string& text) {
    if (buffer == nullptr || size == 0) return;
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(buffer, text.data(), length);
    static_cast<char*>(buffer)[length] = '\0';
}

/// Errors the way ptxas writes them.
std::string log_of(const base::Diagnostics& diagnostics, const base::Source& source) {
    std::string log;
    for (const base::Diagnostic& each : diagnostics.list)
        log += fmt::format("ptxas application ptx input, line {}; error   : {}\n",
                           source.position(each.span.begin).line, each.message);
    return log + "ptxas fatal   : Ptx assembly aborted due to errors\n";
}

} // namespace

#define ENTER(name)                                                                                          \
    if (const int scripted = world().enter(name)) return scripted
// A call that works on the current context, and on something of that.
#define INSIDE(name, ours)                                                                                   \
    ENTER(name);                                                                                             \
    if (world().current == nullptr) return no_context;                                                       \
    if (!(ours)) return wrong_handle

extern "C" {

int cuGetErrorName(int result, const char** name) {
    static const std::map<int, const char*> names{
        {1, "CUDA_ERROR_INVALID_VALUE"},     {2, "CUDA_ERROR_OUT_OF_MEMORY"},
        {3, "CUDA_ERROR_NOT_INITIALIZED"},   {100, "CUDA_ERROR_NO_DEVICE"},
        {101, "CUDA_ERROR_INVALID_DEVICE"},  {200, "CUDA_ERROR_INVALID_IMAGE"},
        {218, "CUDA_ERROR_INVALID_PTX"},     {500, "CUDA_ERROR_NOT_FOUND"},
        {700, "CUDA_ERROR_ILLEGAL_ADDRESS"}, {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"},
        {719, "CUDA_ERROR_LAUNCH_FAILED"},   {999, "CUDA_ERROR_UNKNOWN"}};
    const auto found = names.find(result);
    *name = found == names.end() ? nullptr : found->second;
    return found == names.end() ? 1 : 0;
}
int cuGetErrorString(int result, const char** text) {
    static const std::map<int, const char*> texts{{2, "out of memory"},
                                                  {700, "an illegal memory access was encountered"}};
    const auto found = texts.find(result);
    *text = found == texts.end() ? nullptr : found->second;
    return found == texts.end() ? 1 : 0;
}
int cuInit(unsigned) {
    world().script = read_script(); // a test that opens the driver anew has a new one
    world().pending = world().broken = 0;
    ENTER("cuInit");
    return 0;
}
int cuDriverGetVersion(int* version) {
    ENTER("cuDriverGetVersion");
    *version = 13000;
    return 0;
}
int cuDeviceGetCount(int* count) {
    ENTER("cuDeviceGetCount");
    *count = world().script.devices;
    return 0;
}
int cuDeviceGet(int* device, int index) {
    ENTER("cuDeviceGet");
    *device = 10 + index; // not the index itself
    return index < world().script.devices ? 0 : invalid_device;
}
int cuDeviceGetName(char* name, int size, int device) {
    ENTER("cuDeviceGetName");
    say(name, static_cast<std::size_t>(size), fmt::format("Fake {}", device - 10));
    return 0;
}
int cuDeviceGetAttribute(int* value, int attribute, int device) {
    ENTER("cuDeviceGetAttribute");
    const std::vector<int>& all = world().script.capabilities;
    const int capability = all[std::min(static_cast<std::size_t>(device - 10), all.size() - 1)];
    const std::map<int, int> known{{16, 4}, {38, 1 << 20}, {75, capability / 10}, {76, capability % 10}};
    *value = known.at(attribute);
    return 0;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    ENTER("cuDeviceTotalMem");
    *bytes = std::size_t{8} << 30;
    return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
    if (const int scripted = world().enter("cuDevicePrimaryCtxRetain", fmt::format(" {}", device - 10)))
        return scripted;
    ++world().contexts;
    world().primary[device].device = device - 10;
    *context = &world().primary[device];
    return 0;
}
int cuDevicePrimaryCtxRelease_v2(int) {
    ENTER("cuDevicePrimaryCtxRelease");
    --world().contexts;
    return 0;
}
int cuCtxSetCurrent(void* context) {
    ENTER("cuCtxSetCurrent");
    world().current = static_cast<Primary*>(context);
    return 0;
}
int cuModuleLoadDataEx(void** module, const void* image, unsigned count, int* options, void** values) {
    const Primary* const current = world().current;
    if (const int scripted = world().enter("cuModuleLoadDataEx",
                                           current == nullptr ? "" : fmt::format(" {}", current->device)))
        return scripted;
    if (current == nullptr) return no_context;
    std::map<int, void*> given;
    for (unsigned i = 0; i < count; ++i) given[options[i]] = values[i];
    const auto size = [&](int option) { return reinterpret_cast<std::size_t>(given[option]); };
    const auto* const text = static_cast<const char*>(image);
    auto loaded = std::make_unique<Module>();
    loaded->context = current;
    if (std::memcmp(text,
                    "\x7f"
                    "ELF",
                    4) == 0) {
        std::uint64_t table = 0; // the sections' headers stand last in what ptxas writes
        std::uint16_t headers = 0;
        std::memcpy(&table, text + 40, 8);
        std::memcpy(&headers, text + 60, 2);
        loaded->image.assign(text, table + std::uint64_t{64} * headers);
    } else {
        const base::Source source("image", text);
        loaded->ptx = emulator::load(source, std::string_view());
        if (loaded->ptx.diagnostics.has_errors()) {
            say(given[5], size(6), log_of(loaded->ptx.diagnostics, source));
            return invalid_ptx;
        }
        if (loaded->ptx.kernels.empty()) return invalid_image;
    }
    say(given[3], size(4), "fake info\n");
    ++world().modules;
    *module = loaded.get();
    world().loaded.emplace(*module, std::move(loaded));
    return 0;
}
int cuModuleUnload(void* module) {
    ENTER("cuModuleUnload");
    --world().modules;
    world().loaded.erase(module);
    return 0;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    ENTER("cuModuleGetFunction");
    const auto& in = *static_cast<const Module*>(module);
    const bool compiled = in.image.find(std::string(".text.") + name + '\0') != std::string::npos;
    const bool text = std::any_of(in.ptx.kernels.begin(), in.ptx.kernels.end(),
                                  [&](const auto& each) { return each.name == name; });
    if (!compiled && !text) return not_found;
    world().functions.push_back(std::make_unique<Function>(Function{&in, name}));
    *function = world().functions.back().get();
    return 0;
}
int cuFuncSetAttribute(void*, int attribute, int value) {
    return world().enter("cuFuncSetAttribute", fmt::format(" {} {}", attribute, value));
}
int cuMemGetInfo_v2(std::size_t* available, std::size_t* all) {
    ENTER("cuMemGetInfo");
    *all = *available = world().script.memory;
    for (const auto& [address, bytes] : world().allocated) *available -= bytes;
    return 0;
}
int cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
    if (const int scripted = world().enter("cuMemAlloc", fmt::format(" {}", bytes))) return scripted;
    std::uint64_t used = bytes;
    for (const auto& [at, size] : world().allocated) used += size;
    if (used > world().script.memory) return no_memory;
    *address = world().memory.allocate(bytes);
    world().allocated[*address] = bytes;
    return 0;
}
int cuMemFree_v2(unsigned long long address) {
    ENTER("cuMemFree");
    return world().allocated.erase(address) == 1 ? 0 : 1;
}
int cuMemcpyHtoD_v2(unsigned long long to, const void* from, std::size_t bytes) {
    ENTER("cuMemcpyHtoD");
    world().memory.write(to, bytes_at(from, bytes));
    return 0;
}
int cuMemcpyDtoH_v2(void* to, unsigned long long from, std::size_t bytes) {
    ENTER("cuMemcpyDtoH");
    world().memory.read(from, {static_cast<std::byte*>(to), bytes});
    return 0;
}
int cuMemcpyDtoDAsync_v2(unsigned long long to, unsigned long long from, std::size_t bytes, void*) {
    ENTER("cuMemcpyDtoDAsync");
    std::vector<std::byte> moved(bytes);
    world().memory.read(from, moved);
    world().memory.write(to, moved);
    return 0;
}
int cuMemsetD8Async(unsigned long long to, unsigned char value, std::size_t bytes, void*) {
    if (const int scripted = world().enter("cuMemsetD8Async", fmt::format(" {}", bytes))) return scripted;
    world().memory.write(to, std::vector<std::byte>(bytes, std::byte{value}));
    return 0;
}
int cuStreamCreate(void** stream, unsigned) {
    INSIDE("cuStreamCreate", true);
    ++world().streams;
    *stream = &world().current->stream;
    return 0;
}
int cuStreamDestroy_v2(void*) {
    ENTER("cuStreamDestroy");
    --world().streams;
    return 0;
}
int cuStreamQuery(void*) {
    ENTER("cuStreamQuery");
    return world().keep(world().pending);
}
int cuStreamSynchronize(void*) {
    ENTER("cuStreamSynchronize");
    while (world().pending == not_ready) std::this_thread::sleep_for(std::chrono::seconds(1));
    return world().keep(world().pending);
}
int cuEventCreate(void** event, unsigned) {
    INSIDE("cuEventCreate", true);
    ++world().events;
    *event = &world().current->event;
    return 0;
}
int cuEventDestroy_v2(void*) {
    ENTER("cuEventDestroy");
    --world().events;
    return 0;
}
int cuEventRecord(void* event, void* stream) {
    INSIDE("cuEventRecord", event == &world().current->event && stream == &world().current->stream);
    return 0;
}
int cuEventElapsedTime(float* milliseconds, void*, void*) {
    ENTER("cuEventElapsedTime");
    *milliseconds = 2;
    return 0;
}
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void* stream, void** parameters, void**) {
    const auto& launched = *static_cast<const Function*>(function);
    if (const int scripted =
            world().enter("cuLaunchKernel", fmt::format(" {} {} {} {} {} {} {} {}", launched.name, gx, gy, gz,
                                                        bx, by, bz, shared)))
        return scripted;
    if (launched.module->context != world().current || stream != &world().current->stream)
        return wrong_handle;
    world().pending = world().script.hang ? not_ready : world().script.fault;
    if (world().pending != 0 || !launched.module->image.empty()) return 0;
    const emulator::LoadResult& ptx = launched.module->ptx;
    const auto signature = std::find_if(ptx.kernels.begin(), ptx.kernels.end(),
                                        [&](const auto& each) { return each.name == launched.name; });
    emulator::Launch launch{launched.name, {gx, gy, gz}, {bx, by, bz}, {}, shared};
    launch.parameters.resize(signature->parameter_bytes);
    for (std::size_t p = 0; p < signature->parameters.size(); ++p)
        std::memcpy(launch.parameters.data() + signature->parameters[p].offset, parameters[p],
                    signature->parameters[p].bytes);
    if (emulator::run(*ptx.executable, world().memory, launch, {}).fault) world().pending = launch_failed;
    return 0;
}

/// What has not been given back: contexts, modules, streams, events and allocations.
int fakeCudaHeld() {
    return world().contexts + world().modules + world().streams + world().events +
           static_cast<int>(world().allocated.size());
}

} // extern "C"
