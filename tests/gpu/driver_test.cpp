// The driver's end of the runtime, against a driver without a GPU (fake_cuda.cpp): what is found, what is
// loaded, what is launched with which bytes, and what is said when a call fails. Every function of the table
// is made to fail once.
#include "runtime/call.hpp"
#include "runtime/gpu.hpp"
#include "temporary_folder.hpp"
#include "toolchain/chip.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <fstream>
#include <sstream>

namespace {

using namespace tmemc;
using namespace tmemc::runtime;

// Adds x to the first n elements of A.
constexpr const char* add_text = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry add(.param .u64 A, .param .u32 n, .param .f32 x) .reqntid 32 {
    .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %d<3>; .reg .pred %p;
    ld.param.u64 %d0, [A];
    ld.param.u32 %r0, [n];
    ld.param.f32 %f0, [x];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p, %r1, %r0;
    @%p ret;
    mul.wide.u32 %d1, %r1, 4;
    add.u64 %d2, %d0, %d1;
    ld.global.f32 %f1, [%d2];
    add.f32 %f2, %f1, %f0;
    st.global.f32 [%d2], %f2;
    ret;
}
)";

/// Variables for one test: the fake driver, no ptxas, and a script with a log of calls.
class Machine {
  public:
    explicit Machine(const std::string& script, const char* driver = FAKE_CUDA_PATH) {
        ::setenv("TMEMC_CUDA_DRIVER", driver, 1);
        ::setenv("TMEMC_PTXAS", "none", 1);
        ::setenv("FAKE_CUDA", (script + " log=" + log()).c_str(), 1);
    }
    ~Machine() {
        for (const char* name : {"TMEMC_CUDA_DRIVER", "TMEMC_PTXAS", "FAKE_CUDA"}) ::unsetenv(name);
    }
    [[nodiscard]] std::string log() const { return folder_.path() + "/log"; }
    [[nodiscard]] int calls(const std::string& line) const {
        std::ifstream file(log());
        int found = 0;
        for (std::string each; std::getline(file, each);) found += each.rfind(line, 0) == 0 ? 1 : 0;
        return found;
    }

  private:
    tests::TemporaryFolder folder_;
};

int held() {
    void* const library = ::dlopen(FAKE_CUDA_PATH, RTLD_NOW);
    const auto count = reinterpret_cast<int (*)()>(::dlsym(library, "fakeCudaHeld"));
    return count();
}

Signature add_signature() {
    Signature signature;
    signature.kernel = "add";
    signature.formals = {{"A", base::Dtype::f32, {8}, true, true},
                         {"n", base::Dtype::u32, {}, true, false},
                         {"x", base::Dtype::f32, {}, true, false}};
    signature.grid = {2, 1, 1};
    signature.block = {32, 1, 1};
    return signature;
}
std::map<std::string, Array> add_values() {
    std::map<std::string, Array> values{{"A", make_array(base::Dtype::f32, {8})},
                                        {"n", make_array(base::Dtype::u32, {})},
                                        {"x", make_array(base::Dtype::f32, {})}};
    values["n"].set(0, 3);
    values["x"].set(0, 0x40000000); // 2.0
    return values;
}

/// Everything that can be done with a GPU, once; the error of the first thing that fails.
std::optional<DeviceError> everything(const GpuOptions& options = {}, int repeats = 0) {
    try {
        const Gpus gpus = find_gpus();
        if (gpus.error) return gpus.error;
        Gpu gpu(gpus.driver, gpus.list.front(), options);
        const auto device = gpu.device();
        if (device->load({"add.ptx", add_text, {}}, "add").has_errors()) return DeviceError{};
        Signature signature = add_signature();
        signature.grid = {1, 1, 1};
        signature.shared_bytes = 64 * 1024;
        auto values = add_values();
        return call(*device, signature, values, repeats).error;
    } catch (const DeviceFailure& failure) {
        return failure.error();
    }
}

TEST_CASE("GPUs are found with what they are") {
    const Machine machine("devices=2 capability=103");
    const Gpus gpus = find_gpus();
    REQUIRE(!gpus.error);
    CHECK(gpus.version == 13000);
    REQUIRE(gpus.list.size() == 2);
    CHECK(gpus.list[1] == GpuInfo{1, "Fake 1", 103, 4, std::uint64_t{8} << 30, 1 << 20});
    CHECK(to_string(gpus.list[1]) == "GPU 1, Fake 1");
    CHECK(native_target(gpus.list[1]) == "sm_103a");
    CHECK(has_tensor_memory(gpus.list[1]));
    GpuInfo hopper = gpus.list[1];
    hopper.capability = 90;
    CHECK(native_target(hopper) == "sm_90");
    CHECK(!has_tensor_memory(hopper));
}

TEST_CASE("a driver that is not there, is none or has no GPU") {
    const auto said = [](const std::string& script, const char* driver) {
        const Machine machine(script, driver);
        const Gpus gpus = find_gpus();
        REQUIRE(gpus.error);
        CHECK(gpus.error->what == DeviceError::Class::unavailable);
        CHECK(gpus.error->code == "TM0770");
        return gpus.error->message;
    };
    CHECK(said("", "/no/such/libcuda.so") == "there is no GPU to use: the CUDA driver cannot be opened");
    CHECK(said("", "libc.so.6") == "there is no GPU to use: `libc.so.6` lacks cuGetErrorName");
    CHECK(said("devices=0", FAKE_CUDA_PATH) == "there is no GPU to use: the driver has none");
    CHECK(said("fail=cuInit:999", FAKE_CUDA_PATH) ==
          "there is no GPU to use: cuInit failed with CUDA_ERROR_UNKNOWN (999)");
}

TEST_CASE("a kernel runs with its bytes and extents, and everything is given back") {
    const Machine machine("capability=90");
    {
        const Gpus gpus = find_gpus();
        REQUIRE(!gpus.error);
        Gpu gpu(gpus.driver, gpus.list.front(), {});
        for (int turn = 0; turn < 2; ++turn) {
            const auto device = gpu.device();
            CHECK(device->name() == "Fake 0");
            REQUIRE(!device->load({"add.ptx", add_text, {}}, "add").has_errors());
            auto values = add_values();
            Signature signature = add_signature();
            signature.grid = {1, 1, 1};
            const CallResult called = call(*device, signature, values);
            CHECK(!called.error);
            CHECK(called.statistics.seconds == doctest::Approx(0.002));
            for (std::int64_t i = 0; i < 8; ++i) CHECK(values["A"].get(i) == (i < 3 ? 0x40000000U : 0U));
        }
        CHECK(machine.calls("cuLaunchKernel add 1 1 1 32 1 1 0") == 2);
        CHECK(machine.calls("cuDevicePrimaryCtxRetain") == 1);
        CHECK(machine.calls("cuFuncSetAttribute") == 0);
    }
    CHECK(held() == 0);
}

TEST_CASE("each call that fails is named, with its result and what was being done") {
    const std::pair<const char*, const char*> rows[] = {
        {"cuDriverGetVersion", "asking for its version"},
        {"cuDeviceGetCount", "counting GPUs"},
        {"cuDeviceGet", "asking what GPU 0 is"},
        {"cuDeviceGetName", "asking what GPU 0 is"},
        {"cuDeviceGetAttribute", "asking what GPU 0 is"},
        {"cuDeviceTotalMem", "asking what GPU 0 is"},
        {"cuDevicePrimaryCtxRetain", "opening GPU 0"},
        {"cuCtxSetCurrent", "opening GPU 0"},
        {"cuStreamCreate", "making a stream"},
        {"cuEventCreate", "making an event"},
        {"cuModuleLoadDataEx", "loading `add.ptx`"},
        {"cuModuleGetFunction", "looking for kernel `add` in `add.ptx`"},
        {"cuFuncSetAttribute", "giving `add` 65536 bytes of shared memory"},
        {"cuMemAlloc", "allocating 32 bytes"},
        {"cuMemcpyHtoD", "copying 32 bytes to the GPU"},
        {"cuMemcpyDtoH", "copying 32 bytes from the GPU"},
        {"cuEventRecord", "launching `add`"},
        {"cuLaunchKernel",
         "launching `add` with a grid of 1x1x1, a block of 32x1x1 and 65536 bytes of shared memory"},
        {"cuEventElapsedTime", "reading the GPU's clock"},
        {"cuMemsetD8Async", "emptying the second-level cache"},
    };
    for (const auto& [name, doing] : rows) {
        const Machine machine(fmt::format("capability=90 fail={}:1", name));
        const std::optional<DeviceError> error = everything({}, 1);
        const std::string wanted =
            fmt::format("{} failed with CUDA_ERROR_INVALID_VALUE (1) while {}", name, doing);
        CHECK_MESSAGE(error, wanted);
        if (!error) continue;
        CHECK(error->message == wanted);
        CHECK(error->what == DeviceError::Class::unavailable);
        CHECK(error->code == "TM0772");
        CHECK(held() == 0);
    }
}

TEST_CASE("memory that is not there") {
    const Machine machine("capability=90 memory=20");
    const auto error = everything();
    REQUIRE(error);
    CHECK(error->message ==
          "cuMemAlloc failed with CUDA_ERROR_OUT_OF_MEMORY (2: out of memory) while allocating 32 bytes");
    CHECK(error->notes == std::vector<std::string>{"20 of the GPU's 20 bytes are free"});
    CHECK(held() == 0);
}

TEST_CASE("what the driver's compiler refuses is said of its line") {
    const Machine machine("capability=90");
    const Gpus gpus = find_gpus();
    Gpu gpu(gpus.driver, gpus.list.front(), {});
    const auto device = gpu.device();
    const std::string text =
        ".version 7.8\n.target sm_90\n.address_size 64\n.visible .entry k() {\n    frob;\n    ret;\n}\n";
    const base::Diagnostics refused = device->load({"bad.ptx", text, {}}, "k");
    REQUIRE(refused.has_errors());
    const base::Source source("bad.ptx", text);
    CHECK(source.position(refused.list.front().span.begin).line == 5);
    CHECK(refused.list.front().kind->code == "TM0602");
}

TEST_CASE("code for another chip does not get to the driver") {
    const Machine machine("capability=90");
    const Gpus gpus = find_gpus();
    Gpu gpu(gpus.driver, gpus.list.front(), {});
    const auto said = [&](const Code& code) {
        try {
            const auto device = gpu.device();
            (void)device->load(code, "k");
        } catch (const DeviceFailure& failure) {
            return failure.error().code + " " + failure.error().message;
        }
        return std::string();
    };
    const std::string head = ".version 8.6\n// .target sm_90\n  .target ",
                      tail = ", debug\n.address_size 64\n";
    CHECK(said({"k.ptx", head + "sm_100a" + tail, {}}) ==
          "TM0607 `k.ptx` is for sm_100a, and GPU 0, Fake 0, is of compute capability 9.0");
    CHECK(said({"k.ptx", ".version 8.6\n", {}}) ==
          "TM0608 `k.ptx` cannot be run on a GPU: it has no `.target`");
    CHECK(said({"k.ptx", head + "compute_90" + tail, {}}) ==
          "TM0608 `k.ptx` cannot be run on a GPU: `compute_90` is no target known here");
    CHECK(said({"k.cubin", {}, "no cubin"}).rfind("TM0608", 0) == 0);
    CHECK(machine.calls("cuModuleLoadDataEx") == 0);
}

TEST_CASE("which code runs on which chip") {
    using namespace toolchain;
    struct Row {
        const char* code;
        int gpu;
        bool machine_code, ptx;
    };
    const Row rows[] = {
        {"sm_90", 90, true, true},      {"sm_90", 100, false, true},  {"sm_80", 89, true, true},
        {"sm_89", 80, false, false},    {"sm_90a", 90, true, true},   {"sm_90a", 100, false, false},
        {"sm_100a", 103, false, false}, {"sm_100f", 103, true, true}, {"sm_103f", 100, false, false},
        {"sm_100f", 110, false, false}, {"sm_75", 121, false, true},  {"sm_120", 121, true, true}};
    for (const Row& row : rows) {
        const std::optional<Chip> chip = chip_named(row.code);
        REQUIRE(chip);
        INFO(row.code, " on ", row.gpu);
        CHECK(to_string(*chip) == row.code);
        CHECK(machine_code_runs(*chip, row.gpu) == row.machine_code);
        CHECK(ptx_runs(*chip, row.gpu) == row.ptx);
    }
    for (const char* wrong : {"", "sm_", "sm_x", "90", "sm_90b", "sm_90aa", "compute_90"})
        CHECK(!chip_named(wrong));
    CHECK(to_string(assembled_for({80, 0}, 90)) == "sm_90");
    CHECK(to_string(assembled_for({100, 'f'}, 103)) == "sm_103f");
}

TEST_CASE("a kernel that faults is a result, and takes the GPU along") {
    const Machine machine("capability=90 fault=700");
    const Gpus gpus = find_gpus();
    Gpu gpu(gpus.driver, gpus.list.front(), {});
    {
        const auto device = gpu.device();
        REQUIRE(!device->load({"add.ptx", add_text, {}}, "add").has_errors());
        auto values = add_values();
        const auto error = call(*device, add_signature(), values).error;
        REQUIRE(error);
        CHECK(error->what == DeviceError::Class::fault);
        CHECK(error->code == "TM0773");
        CHECK(error->message ==
              "`add` failed on GPU 0, Fake 0: CUDA_ERROR_ILLEGAL_ADDRESS (700: an illegal memory "
              "access was encountered)");
    }
    CHECK(gpu.lost());
    CHECK_THROWS_AS((void)gpu.device(), const DeviceFailure&);
}

TEST_CASE("a kernel that hangs is waited for as long as is said, and nothing is given back") {
    const Machine machine("capability=90 hang");
    const Gpus gpus = find_gpus();
    {
        Gpu gpu(gpus.driver, gpus.list.front(), {{}, {}, 50});
        {
            const auto device = gpu.device();
            REQUIRE(!device->load({"add.ptx", add_text, {}}, "add").has_errors());
            auto values = add_values();
            const auto error = call(*device, add_signature(), values).error;
            REQUIRE(error);
            CHECK(error->what == DeviceError::Class::timeout);
            CHECK(error->message == "`add` on GPU 0, Fake 0, did not end within 0.05 s (`--timeout`)");
        }
        CHECK(gpu.lost());
        CHECK_THROWS_AS((void)gpu.device(), const DeviceFailure&);
    }
    CHECK(machine.calls("cuMemFree") + machine.calls("cuStreamDestroy") +
              machine.calls("cuDevicePrimaryCtxRelease") ==
          0);
}

TEST_CASE("timing launches to warm up, cold and warm") {
    const Machine machine("capability=90");
    CHECK(!everything({}, 4));
    CHECK(machine.calls("cuLaunchKernel") == 1 + 3 + 4 + 2 * 4);
    CHECK(machine.calls("cuMemsetD8Async 67108864") == 4);
    CHECK(machine.calls("cuFuncSetAttribute 8 65536") == 2);
}

TEST_CASE("a fault is the kernel's, whichever call brings it") {
    for (const int result : {700, 702, 710, 714, 719})
        for (const char* name : {"cuEventRecord", "cuLaunchKernel", "cuStreamSynchronize", "cuMemcpyDtoH",
                                 "cuEventElapsedTime", "cuMemsetD8Async"}) {
            INFO(name, " ", result);
            const Machine machine(fmt::format("capability=90 fail={}:{}", name, result));
            const auto error = everything({}, 1);
            REQUIRE(error);
            CHECK(error->what == DeviceError::Class::fault);
            CHECK(error->code == "TM0773");
            CHECK(machine.calls("cuMemFree") + machine.calls("cuDevicePrimaryCtxRelease") == 0);
        }
    const Machine machine("capability=90 fail=cuLaunchKernel:701"); // too many resources, and nothing is lost
    CHECK(everything()->code == "TM0772");
    CHECK(machine.calls("cuDevicePrimaryCtxRelease") == 1);
}

TEST_CASE("each of two open GPUs gets what is for it") {
    const Machine machine("devices=2 capability=90");
    const Gpus gpus = find_gpus();
    Gpu first(gpus.driver, gpus.list[0], {}), second(gpus.driver, gpus.list[1], {});
    for (Gpu* const gpu : {&first, &second, &first}) {
        const auto device = gpu->device();
        REQUIRE(!device->load({"add.ptx", add_text, {}}, "add").has_errors());
        auto values = add_values();
        Signature signature = add_signature();
        signature.grid = {1, 1, 1};
        CHECK(!call(*device, signature, values).error);
    }
    CHECK(machine.calls("cuModuleLoadDataEx 0") == 2);
    CHECK(machine.calls("cuModuleLoadDataEx 1") == 1);
}

TEST_CASE("any dynamic shared memory is asked for: static bytes count too") {
    const Machine machine("capability=90");
    const Gpus gpus = find_gpus();
    Gpu gpu(gpus.driver, gpus.list.front(), {});
    const auto device = gpu.device();
    REQUIRE(!device->load({"add.ptx", add_text, {}}, "add").has_errors());
    auto values = add_values();
    Signature signature = add_signature();
    signature.grid = {1, 1, 1};
    signature.shared_bytes = 1024;
    CHECK(!call(*device, signature, values).error);
    CHECK(machine.calls("cuFuncSetAttribute 8 1024") == 1);
}

TEST_CASE("the target of a GPU that has none of its own") {
    const std::pair<int, const char*> rows[] = {{70, ""},         {75, "sm_75"},   {90, "sm_90"},
                                                {100, "sm_100a"}, {101, "sm_100"}, {121, "sm_121"},
                                                {130, "sm_121"}};
    for (const auto& [capability, target] : rows) {
        GpuInfo gpu;
        gpu.capability = capability;
        CHECK(native_target(gpu) == target);
    }
    GpuInfo old;
    old.capability = 70;
    const auto error = unfit({"add.ptx", add_text, {}}, old);
    REQUIRE(error);
    CHECK(error->helps ==
          std::vector<std::string>{"no target is for a GPU this old; run with --on=emulator"});
}

TEST_CASE("a ptxas older than the GPU leaves PTX to the driver's compiler") {
    const tests::TemporaryFolder folder;
    const auto load = [&](const std::string& targets) {
        const Machine machine("capability=90");
        const std::string ptxas =
            folder.script("ptxas", "case $1 in --version) echo 'release 11.0, V11.0.1';; --help) echo \"" +
                                       targets + "\";; *) echo 'ptxas fatal   : no' >&2; exit 255;; esac");
        ::setenv("TMEMC_PTXAS", ptxas.c_str(), 1);
        const Gpus gpus = find_gpus();
        Gpu gpu(gpus.driver, gpus.list.front(), {});
        const bool refused = gpu.device()->load({"add.ptx", add_text, {}}, "add").has_errors();
        return std::pair(refused, machine.calls("cuModuleLoadDataEx"));
    };
    CHECK(load("'sm_75','sm_80'") == std::pair(false, 1));
    CHECK(load("'sm_80','sm_90'") == std::pair(true, 0));
}

} // namespace
