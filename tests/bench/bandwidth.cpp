// Bytes per second between global memory and fragments on a GPU, in percent of what the driver's own copy
// from device to device reaches: f32 tiles of 128 rows of each atom and width, straight, staged and as the
// compiler chooses, and an epilogue (scale, bias, relu) to bf16. 4 GiB are read, bytes read and written
// count, median of 20 launches after 3 of warm-up, each timed behind another that has begun. Of what was made
// every eighth piece is compared; exit status 1 when one is wrong, 77 without a GPU.
//
//     bandwidth        the table, as tests/data/global_bandwidth.txt holds it
//     bandwidth 64     the same with 64 MiB, a trial of the program and no measurement
#include "pipeline.hpp"
#include "runtime/driver_context.hpp"
#include "runtime/gpu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <random>
#include <vector>

namespace {

using namespace tmemc;

constexpr int repeats = 20;

struct Bench {
    runtime::GpuInfo info;
    const runtime::Context& context;
    std::uint64_t bytes; // of the tensor that is read
    std::vector<std::byte> pattern = std::vector<std::byte>(std::size_t{64} << 20); // that repeats in it
    runtime::Handle<runtime::cuda::Pointer> from = context.allocate(bytes), to = context.allocate(bytes);
    runtime::Handle<runtime::cuda::Stream> stream = context.stream();
    double copy_rate = 0; // of the driver's own copy

    [[nodiscard]] const runtime::Driver& driver() const { return context.driver(); }
};

double median(std::vector<double> seconds) {
    std::sort(seconds.begin(), seconds.end());
    return (seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2;
}

/// Numbers, finite ones, so that an epilogue has something to do.
void fill(Bench& bench) {
    std::mt19937 random(1);
    for (std::size_t i = 0; i + 4 <= bench.pattern.size(); i += 4) {
        const std::uint32_t bits = random() & 0x7effffffU;
        std::memcpy(bench.pattern.data() + i, &bits, sizeof bits);
    }
    for (std::uint64_t at = 0; at < bench.bytes; at += bench.pattern.size())
        bench.driver().must("filling", bench.driver().cuMemcpyHtoD, bench.from.get() + at,
                            static_cast<const void*>(bench.pattern.data()), bench.pattern.size());
}

void clear(const Bench& bench) {
    bench.driver().must("clearing", bench.driver().cuMemsetD8Async, bench.to.get(),
                        static_cast<unsigned char>(0xff), static_cast<std::size_t>(bench.bytes),
                        bench.stream.get());
    bench.driver().must("clearing", bench.driver().cuStreamSynchronize, bench.stream.get());
}

/// What the epilogue makes of the pattern: relu(x * 1.5 + bias) rounded to bf16, the bias its first row.
std::vector<std::byte> epilogue_of(const std::vector<std::byte>& pattern) {
    std::vector<float> numbers(pattern.size() / sizeof(float));
    std::memcpy(numbers.data(), pattern.data(), pattern.size());
    std::vector<std::byte> made(pattern.size() / 2);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        const float value = std::max(0.0F, std::fma(numbers[i], 1.5F, numbers[i % 256]));
        std::uint32_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        const auto half = static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16 & 1U)) >> 16); // to even
        std::memcpy(made.data() + 2 * i, &half, sizeof half);
    }
    return made;
}

/// Whether B is `wanted` over and over.
bool holds(const Bench& bench, std::uint64_t written, const std::vector<std::byte>& wanted) {
    std::vector<std::byte> found(wanted.size());
    const std::uint64_t step = std::max(written / 8, std::uint64_t{found.size()});
    for (std::uint64_t at = 0; at < written; at += step) {
        bench.driver().must("comparing", bench.driver().cuMemcpyDtoH, static_cast<void*>(found.data()),
                            bench.to.get() + at, found.size());
        if (found != wanted) return false;
    }
    return true;
}

/// Bytes per second of cuMemcpyDtoDAsync.
double driver_copy(const Bench& bench) {
    const runtime::Driver& driver = bench.driver();
    const auto begin = bench.context.event(), end = bench.context.event();
    const auto copy = [&] {
        driver.must("copying", driver.cuMemcpyDtoDAsync, bench.to.get(), bench.from.get(),
                    static_cast<std::size_t>(bench.bytes), bench.stream.get());
    };
    std::vector<double> seconds;
    for (int turn = -3; turn < repeats; ++turn) {
        copy();
        driver.must("timing", driver.cuEventRecord, begin.get(), bench.stream.get());
        copy();
        driver.must("timing", driver.cuEventRecord, end.get(), bench.stream.get());
        driver.must("waiting", driver.cuStreamSynchronize, bench.stream.get());
        float milliseconds = 0;
        driver.must("timing", driver.cuEventElapsedTime, &milliseconds, begin.get(), end.get());
        if (turn >= 0) seconds.push_back(static_cast<double>(milliseconds) / 1000);
    }
    return 2 * static_cast<double>(bench.bytes) / median(seconds);
}

std::string compiled(const std::string& text, const std::string& target) {
    const base::Source source("bandwidth.tmx", text);
    CompileOptions options;
    options.check.target = target;
    options.check.tensor_memory = sema::TensorMemoryMode::automatic;
    const Compilation made = compile(source, options);
    if (made.ok() && !verify_text(made).mismatch) return made.ptx.text;
    for (const base::Diagnostic& each : made.diagnostics.list) std::cerr << each.message << '\n';
    return {};
}

std::vector<std::byte> address_bytes(runtime::Address address) {
    std::vector<std::byte> bytes(sizeof address);
    std::memcpy(bytes.data(), &address, sizeof address);
    return bytes;
}

/// Percent of the driver's copy that the kernel `k` reaches; it reads A and writes B, `written` bytes, which
/// must be `wanted` over and over. -1 when it cannot be compiled, -2 when it is wrong.
double percent(const Bench& bench, runtime::Gpu& gpu, const std::string& text, std::uint64_t ctas,
               std::uint64_t written, const std::vector<std::byte>& wanted) {
    const std::string ptx = compiled(text, runtime::native_target(bench.info));
    if (ptx.empty()) return -1;
    const auto device = gpu.device();
    if (device->load({"k.ptx", ptx, {}}, "k").has_errors()) return -1;
    clear(bench);
    std::vector<std::vector<std::byte>> parameters{address_bytes(bench.from.get()),
                                                   address_bytes(bench.to.get())};
    if (written != bench.bytes)
        parameters.push_back(address_bytes(bench.from.get())); // the bias: any 256 numbers
    runtime::Timing timing;
    const runtime::LaunchShape shape{{static_cast<std::uint32_t>(ctas), 1, 1}, {128, 1, 1}, 0};
    if (const auto error = device->time("k", shape, parameters, repeats, timing)) {
        std::cerr << error->message << '\n';
        return -1;
    }
    if (!holds(bench, written, wanted)) return -2;
    return 100 * static_cast<double>(bench.bytes + written) / median(timing.warm) / bench.copy_rate;
}

std::string copy_text(const Bench& bench, const char* atom, int columns, const char* how) {
    return fmt::format("const W = {};\nconst N = {};\n"
                       "kernel k(in A: f32[N, W], out B: f32[N, W]) grid(N/128) {{\n"
                       "  frag X: f32[128, W] atom {};\n"
                       "  copy X <- A[cta.x*128 +: 128, :]{};\n"
                       "  copy B[cta.x*128 +: 128, :] <- X{};\n}}\n",
                       columns, bench.bytes / 4 / static_cast<std::uint64_t>(columns), atom, how, how);
}

std::string epilogue_text(const Bench& bench) {
    return fmt::format("const N = {};\n"
                       "kernel k(in A: f32[N, 256], out B: bf16[N, 256], in Bias: f32[256]) grid(N/128) {{\n"
                       "  for c in 0..256 step 64 {{\n"
                       "    frag X: f32[128, 64]; frag Y: bf16[128, 64];\n"
                       "    copy X <- A[cta.x*128 +: 128, c +: 64];\n"
                       "    Y = cast<bf16>(relu(X * 1.5 + cols(Bias[c +: 64])));\n"
                       "    copy B[cta.x*128 +: 128, c +: 64] <- Y;\n  }}\n}}\n",
                       bench.bytes / 1024);
}

std::string cell(double percent, bool& right) {
    right = right && percent >= 0;
    return percent == -1 ? "     -" : percent < 0 ? " WRONG" : fmt::format("{:6.1f}", percent);
}

int measure(const runtime::Gpus& gpus, std::uint64_t bytes) {
    runtime::Gpu gpu(gpus.driver, gpus.list.front(), {});
    const runtime::Context context(gpus.driver, 0);
    context.enter();
    Bench bench{gpus.list.front(), context, bytes};
    fill(bench);
    bench.copy_rate = driver_copy(bench);
    bool right = true;
    std::cout << fmt::format("# {}, CUDA {}, {} MiB read, median of {}; cuMemcpyDtoDAsync: {:.3f} TB/s\n",
                             bench.info.name, runtime::cuda_version_text(gpus.version), bench.bytes >> 20,
                             repeats, bench.copy_rate / 1e12)
              << "# fragment columns direct staged chosen\n";
    for (const char* atom : {"32x32b", "16x64b", "16x128b", "16x256b"})
        for (const int columns : {8, 16, 32, 64, 128}) {
            std::string row = fmt::format("{:<9}{:>5}", atom, columns);
            const std::uint64_t ctas = bench.bytes / 4 / 128 / static_cast<std::uint64_t>(columns);
            for (const char* how : {" direct", " staged", ""})
                row += " " + cell(percent(bench, gpu, copy_text(bench, atom, columns, how), ctas, bench.bytes,
                                          bench.pattern),
                                  right);
            std::cout << row << std::endl; // a row at a time: a run may be cut short
        }
    std::cout << fmt::format("# epilogue f32[n, 256] to bf16: {}\n",
                             cell(percent(bench, gpu, epilogue_text(bench), bench.bytes / 1024 / 128,
                                          bench.bytes / 2, epilogue_of(bench.pattern)),
                                  right));
    return right ? 0 : 1;
}

} // namespace

int main(int argc, char** argv) {
    try {
        const runtime::Gpus gpus = runtime::find_gpus();
        const std::uint64_t mebibytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 4096;
        if (!gpus.error) return measure(gpus, mebibytes << 20);
        std::cout << "skipped: " << gpus.error->message << '\n';
        return 77;
    } catch (const runtime::DeviceFailure& failure) {
        std::cerr << failure.error().message << '\n';
        return 1;
    }
}
