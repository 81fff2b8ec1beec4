// A CUDA driver for machines without a GPU: libcuda.so.1 as far as the launchers of --emit=header and the Python
// example know it. It computes nothing; it writes down what it is asked, a line per call, and device memory is the
// host's. The environment says what it pretends:
//
//     FAKE_CUDA_LOG=file            where the lines go
//     FAKE_CUDA_IMAGE=file          the last image loaded, byte for byte
//     FAKE_CUDA_CAPABILITY=100      of every device: 10.0
//     FAKE_CUDA_FAIL=NAME:CODE      this call fails
//     FAKE_CUDA_ARGUMENTS=8,8,4     sizes of a kernel's arguments, which are written down in hexadecimal
//     FAKE_CUDA_COPY=2048           a launch copies so many bytes from where argument 0 points to where 1 does
//
// A context is (void *)(1 + device); its identity counts up whenever FAKE_CUDA's own cuTestNewContext is called,
// as that of a context that was destroyed and made again at one address.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread void *current;
static unsigned long long generation = 7000;

static const char *told(const char *name) {
    const char *text = getenv(name);
    return text ? text : "";
}

// Writes the line, and is the code with which the call `name` fails.
static int call(const char *name, const char *text) {
    const char *fail = told("FAKE_CUDA_FAIL"), *colon = strchr(fail, ':');
    FILE *log = fopen(told("FAKE_CUDA_LOG"), "a");
    if (log) {
        fprintf(log, "%s%s%s\n", name, *text ? " " : "", text);
        fclose(log);
    }
    if (!colon || strlen(name) != (size_t)(colon - fail) || strncmp(fail, name, strlen(name)) != 0) return 0;
    return atoi(colon + 1);
}

int cuInit(unsigned flags) { return flags ? 1 : call("cuInit", ""); }
int cuDriverGetVersion(int *version) { return *version = 13000, 0; }
int cuDeviceGetCount(int *count) { return *count = 2, 0; }

int cuGetErrorName(int code, const char **name) {
    *name = code == 200 ? "CUDA_ERROR_INVALID_IMAGE" : code == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : NULL;
    return *name ? 0 : 1;
}
int cuGetErrorString(int code, const char **text) {
    *text = code == 200 ? "device kernel image is invalid" : code == 700 ? "an illegal memory access" : NULL;
    return *text ? 0 : 1;
}

int cuDeviceGet(int *device, int ordinal) {
    *device = ordinal;
    return ordinal < 2 ? call("cuDeviceGet", "") : 101;
}
int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, (size_t)size, "Fake GPU %d", device);
    return 0;
}
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    const int capability = atoi(told("FAKE_CUDA_CAPABILITY"));
    (void)device;
    *value = attribute == 75 ? capability / 10 : attribute == 76 ? capability % 10 : -1;
    return *value < 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
    *context = (char *)0 + 1 + device;
    return call("cuDevicePrimaryCtxRetain", "");
}
int cuDevicePrimaryCtxRelease(int device) { return (void)device, call("cuDevicePrimaryCtxRelease", ""); }
int cuDevicePrimaryCtxRelease_v2(int device) { return cuDevicePrimaryCtxRelease(device); }
int cuCtxSetCurrent(void *context) { return current = context, 0; }
int cuCtxGetCurrent(void **context) { return *context = current, 0; }
int cuCtxGetDevice(int *device) { return *device = (int)((char *)current - (char *)0) - 1, 0; }
int cuCtxGetId(void *context, unsigned long long *id) {
    *id = generation + (unsigned long long)(uintptr_t)context;
    return 0;
}
void cuTestNewContext(void) { generation += 100; }

static size_t elf_size(const unsigned char *elf) {
    uint64_t programs, sections, end, part[2];
    uint16_t count[4]; // size and number of program headers, then of section headers
    memcpy(&programs, elf + 32, 8);
    memcpy(&sections, elf + 40, 8);
    memcpy(count, elf + 54, 8);
    end = sections + (uint64_t)count[2] * count[3];
    if (programs && programs + (uint64_t)count[0] * count[1] > end) end = programs + (uint64_t)count[0] * count[1];
    for (int i = 0; i < count[3]; ++i) {
        const unsigned char *section = elf + sections + (size_t)i * count[2];
        uint32_t type;
        memcpy(&type, section + 4, 4);
        memcpy(part, section + 24, 16);
        if (type != 8 && part[0] + part[1] > end) end = part[0] + part[1];
    }
    return end;
}

int cuModuleLoadDataEx(void **module, const void *image, unsigned count, const int *options, void **values) {
    const int is_elf = memcmp(image,
                              "\x7f"
                              "ELF",
                              4) == 0;
    const size_t bytes = is_elf ? elf_size(image) : strlen(image);
    char text[96];
    int code;
    FILE *out;
    snprintf(text, sizeof text, "%s of %zu bytes, aligned %d", is_elf ? "cubin" : "PTX", bytes,
             (uintptr_t)image % 8 == 0);
    pthread_mutex_lock(&lock);
    out = fopen(told("FAKE_CUDA_IMAGE"), "wb");
    if (out) {
        fwrite(image, 1, bytes, out);
        fclose(out);
    }
    pthread_mutex_unlock(&lock);
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL); // long enough for threads to meet
    code = call("cuModuleLoadDataEx", text);
    for (unsigned i = 0; code && i + 1 < count; ++i)
        if (options[i] == 5) snprintf(values[i], (size_t)(uintptr_t)values[i + 1], "ptxas fatal : a log");
    *module = code ? NULL : malloc(1);
    return code;
}
int cuModuleLoadData(void **module, const void *image) { return cuModuleLoadDataEx(module, image, 0, NULL, NULL); }
int cuModuleUnload(void *module) {
    free(module);
    return call("cuModuleUnload", "");
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
    (void)module;
    *function = strdup(name);
    return call("cuModuleGetFunction", name);
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *stream, void **arguments, void **extra) {
    char text[1024];
    int used = snprintf(text, sizeof text, "%s grid %u,%u,%u block %u,%u,%u shared %u stream %d", (char *)function, gx,
                        gy, gz, bx, by, bz, shared, (int)(uintptr_t)stream);
    const char *sizes = told("FAKE_CUDA_ARGUMENTS");
    const long copied = atol(told("FAKE_CUDA_COPY"));
    int code;
    for (int i = 0; *sizes && !extra && arguments[i]; ++i) {
        used += snprintf(text + used, sizeof text - (size_t)used, " ");
        for (int b = atoi(sizes); b > 0; --b) // the highest byte first
            used += snprintf(text + used, sizeof text - (size_t)used, "%02x", ((unsigned char *)arguments[i])[b - 1]);
        sizes = strchr(sizes, ',') ? strchr(sizes, ',') + 1 : "";
    }
    code = call("cuLaunchKernel", text);
    if (!code && copied) memcpy(*(void **)arguments[1], *(void **)arguments[0], (size_t)copied);
    return code;
}
int cuStreamSynchronize(void *stream) { return (void)stream, call("cuStreamSynchronize", ""); }
int cuCtxSynchronize(void) { return call("cuCtxSynchronize", ""); }

int cuMemAlloc_v2(unsigned long long *address, size_t bytes) {
    char text[32];
    snprintf(text, sizeof text, "%zu", bytes);
    *address = (unsigned long long)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return call("cuMemAlloc_v2", text);
}
int cuMemFree_v2(unsigned long long address) {
    free((void *)(uintptr_t)address);
    return call("cuMemFree_v2", "");
}
int cuMemAllocAsync(unsigned long long *address, size_t bytes, void *stream) {
    char text[32];
    snprintf(text, sizeof text, "%zu stream %d", bytes, (int)(uintptr_t)stream);
    *address = 0xabc000;
    return call("cuMemAllocAsync", text);
}
int cuMemFreeAsync(unsigned long long address, void *stream) {
    char text[48];
    snprintf(text, sizeof text, "%llx stream %d", address, (int)(uintptr_t)stream);
    return call("cuMemFreeAsync", text);
}
int cuMemcpyHtoD_v2(unsigned long long to, const void *from, size_t bytes) {
    memcpy((void *)(uintptr_t)to, from, bytes);
    return call("cuMemcpyHtoD_v2", "");
}
int cuMemcpyDtoH_v2(void *to, unsigned long long from, size_t bytes) {
    memcpy(to, (const void *)(uintptr_t)from, bytes);
    return call("cuMemcpyDtoH_v2", "");
}
