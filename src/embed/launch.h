// ---- launching through the CUDA driver
// ----------------------------------------------------------------------
//
// The driver (libcuda, nvcuda.dll) is opened at run time: nothing is linked and no CUDA header is needed;
// before glibc 2.34 link with -ldl -pthread. What every function returns says how it went, and nothing prints
// or exits.
//
//     tmemc_result result = roundtrip_launch(A, B, stream);   // a launcher of a header like this one
//     if (result.code != 0) fprintf(stderr, "%s\n", result.message);
//
// A launch goes to the CUDA context that is current in the thread: that of the CUDA runtime, or one made
// current by tmemc_use_device(). The first launch in a context picks the cubin for its device and loads it.
// Each translation unit that includes a header keeps up to 16 contexts in mind, by the identity that the
// driver gives them, under a lock; any number of threads may launch at once. All headers that one translation
// unit includes share this part. Addresses of device memory are pointers here; a CUdeviceptr is cast, (float
// *)address.
#ifndef TMEMC_LAUNCH
#define TMEMC_LAUNCH 1

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#if UINTPTR_MAX < 0xffffffffffffffff
#error "CUDA's addresses have 64 bits, and so must the program's"
#endif

#ifdef _WIN32
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#define TMEMC_CALL __stdcall
#define TMEMC_LOCK SRWLOCK
#define TMEMC_UNLOCKED SRWLOCK_INIT
#define TMEMC_ACQUIRE(lock) AcquireSRWLockExclusive(lock)
#define TMEMC_RELEASE(lock) ReleaseSRWLockExclusive(lock)
#else
#include <dlfcn.h>
#include <pthread.h>
#define TMEMC_CALL
#define TMEMC_LOCK pthread_mutex_t
#define TMEMC_UNLOCKED PTHREAD_MUTEX_INITIALIZER
#define TMEMC_ACQUIRE(lock) pthread_mutex_lock(lock)
#define TMEMC_RELEASE(lock) pthread_mutex_unlock(lock)
#endif
#ifdef __GNUC__
#define TMEMC_LIKE_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define TMEMC_LIKE_PRINTF(text, first)
#endif

// How a call went. A code above 0 is the driver's CUresult, one below 0 is one of these.
enum {
    TMEMC_NO_DRIVER = -1,   // libcuda is not there, or too old
    TMEMC_NO_CUBIN = -2,    // none of those in the header runs on the device
    TMEMC_BAD_ARGUMENT = -3 // an address that is NULL or not aligned, a size out of range
};
typedef struct tmemc_result {
    int code;           // 0: it went well
    char message[2048]; // what was done to what and why it failed, with the driver's own log; empty if it did
                        // not
} tmemc_result;

// The calls into the driver, by the names of its library.
#define TMEMC_DRIVER_CALLS(X)                                                                                \
    X(init, "cuInit", (unsigned flags))                                                                      \
    X(error_name, "cuGetErrorName", (int code, const char **name))                                           \
    X(error_text, "cuGetErrorString", (int code, const char **text))                                         \
    X(device, "cuDeviceGet", (int *device, int ordinal))                                                     \
    X(device_name, "cuDeviceGetName", (char *name, int size, int device))                                    \
    X(attribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))                            \
    X(retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                                      \
    X(let_go, "cuDevicePrimaryCtxRelease_v2", (int device))                                                  \
    X(set_context, "cuCtxSetCurrent", (void *context))                                                       \
    X(context, "cuCtxGetCurrent", (void **context))                                                          \
    X(context_id, "cuCtxGetId", (void *context, unsigned long long *id))                                     \
    X(context_device, "cuCtxGetDevice", (int *device))                                                       \
    X(load, "cuModuleLoadDataEx",                                                                            \
      (void **module, const void *image, unsigned count, int *options, void **values))                       \
    X(unload, "cuModuleUnload", (void *module))                                                              \
    X(function, "cuModuleGetFunction", (void **function, void *module, const char *name))                    \
    X(launch, "cuLaunchKernel",                                                                              \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,                  \
       unsigned block_y, unsigned block_z, unsigned shared_bytes, void *stream, void **arguments,            \
       void **extra))                                                                                        \
    X(synchronize, "cuStreamSynchronize", (void *stream))                                                    \
    X(borrow, "cuMemAllocAsync", (unsigned long long *address, size_t bytes, void *stream))                  \
    X(give_back, "cuMemFreeAsync", (unsigned long long address, void *stream))                               \
    X(allocate, "cuMemAlloc_v2", (unsigned long long *address, size_t bytes))                                \
    X(release, "cuMemFree_v2", (unsigned long long address))                                                 \
    X(upload, "cuMemcpyHtoD_v2", (unsigned long long to, const void *from, size_t bytes))                    \
    X(download, "cuMemcpyDtoH_v2", (void *to, unsigned long long from, size_t bytes))

typedef struct tmemc_driver {
#define TMEMC_MEMBER(member, name, parameters) int(TMEMC_CALL * member) parameters;
    TMEMC_DRIVER_CALLS(TMEMC_MEMBER)
#undef TMEMC_MEMBER
} tmemc_driver;

// A program for one target.
typedef struct tmemc_image {
    const char *target; // "sm_100a"
    int major, minor;   // the compute capability of the target
    char runs_on;       // 'a': that capability alone; 'f': its family, from it on; ' ': its major, from it on
    const unsigned char *cubin;
    size_t cubin_bytes;
    const unsigned char *ptx; // with a 0 behind it, which counts
    size_t ptx_bytes;
    const size_t *scratch_bytes; // of global memory, which a launch of each kernel needs; NULL: nothing
} tmemc_image;

typedef struct tmemc_loaded {
    unsigned long long context; // its identity
    void *module;               // NULL: the slot is free
    const tmemc_image *image;
} tmemc_loaded;

enum { TMEMC_CONTEXTS = 16 };

// What a header holds, and where it has been loaded.
typedef struct tmemc_program {
    const char *source; // "roundtrip.tmx"
    const tmemc_image *images;
    int image_count;
    const char *const *kernels;
    int kernel_count;
    void **functions; // [slot][kernel], and one slot more for what is being loaded
    TMEMC_LOCK lock;
    int next; // of full slots the one that is used next: the oldest
    tmemc_loaded slots[TMEMC_CONTEXTS];
} tmemc_program;

// What an argument must be.
typedef struct tmemc_tensor {
    const char *name;
    const void *address;
    unsigned align; // bytes
    int may_be_null;
} tmemc_tensor;
typedef struct tmemc_size {
    const char *name;
    unsigned value, least, most;
} tmemc_size;
// A launch, without what the kernel is given.
typedef struct tmemc_call {
    int kernel; // its number
    unsigned grid[3], block;
    const tmemc_tensor *tensors;
    int tensor_count;
    const tmemc_size *sizes;
    int size_count;
    int argument_count; // one place more is there, for scratch memory
} tmemc_call;

// An address as the driver takes it.
static inline unsigned long long tmemc_number(const void *address) {
    unsigned long long number;
    memcpy(&number, &address, sizeof number);
    return number;
}

static inline tmemc_result tmemc_ok(void) {
    tmemc_result result;
    result.code = 0;
    result.message[0] = '\0';
    return result;
}

// Adds to the message; what does not fit is cut off.
TMEMC_LIKE_PRINTF(2, 3)
static inline void tmemc_say(tmemc_result *result, const char *format, ...) {
    const size_t used = strlen(result->message);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(result->message + used, sizeof result->message - used, format, arguments);
    va_end(arguments);
}

// True when `code`, which `call` gave, is a failure; then the message says so behind what stands in it.
static inline int tmemc_failed(tmemc_result *result, const tmemc_driver *driver, int code, const char *call) {
    const char *name = NULL, *text = NULL;
    if (code == 0) return 0;
    (void)driver->error_name(code, &name);
    (void)driver->error_text(code, &text);
    result->code = code;
    tmemc_say(result, "%s: %s (%d): %s", call, name ? name : "an error without a name", code,
              text ? text : "the driver does not know it");
    return 1;
}

static inline void *tmemc_symbol(void *library, const char *name) {
#ifdef _WIN32
    FARPROC found = GetProcAddress((HMODULE)library, name);
    void *address = NULL;
    memcpy(&address, &found, sizeof address);
    return address;
#else
    return dlsym(library, name);
#endif
}

static inline void *tmemc_library(tmemc_result *result) {
#ifdef _WIN32
    void *library = (void *)LoadLibraryA("nvcuda.dll");
    const char *why = library ? NULL : "nvcuda.dll cannot be loaded";
#else
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    const char *why = library ? NULL : dlerror();
#endif
    if (why) {
        result->code = TMEMC_NO_DRIVER;
        tmemc_say(result, "there is no CUDA driver: %s", why);
    }
    return library;
}

// The driver, opened and initialised once; NULL, and what is wrong in `result`.
static inline const tmemc_driver *tmemc_open(tmemc_result *result) {
    static TMEMC_LOCK lock = TMEMC_UNLOCKED;
    static tmemc_driver driver;
    static int opened = 0;
    TMEMC_ACQUIRE(&lock);
    if (!opened) {
        void *library = tmemc_library(result), *address = NULL;
#define TMEMC_FIND(member, name, parameters)                                                                 \
    if (result->code == 0) {                                                                                 \
        address = tmemc_symbol(library, name);                                                               \
        memcpy(&driver.member, &address, sizeof address);                                                    \
        if (!address) {                                                                                      \
            result->code = TMEMC_NO_DRIVER;                                                                  \
            tmemc_say(result, "the CUDA driver is too old: it has no %s, which came with CUDA 12.0", name);  \
        }                                                                                                    \
    }
        TMEMC_DRIVER_CALLS(TMEMC_FIND)
#undef TMEMC_FIND
        opened = result->code == 0 && !tmemc_failed(result, &driver, driver.init(0), "cuInit");
    }
    TMEMC_RELEASE(&lock);
    return result->code == 0 ? &driver : NULL;
}

// The cubin that was made for most of what the device has; else PTX that the driver can compile for it.
static inline const tmemc_image *tmemc_pick(const tmemc_program *program, int major, int minor, int *as_ptx) {
    const tmemc_image *best = NULL;
    int best_rank = -1, i;
    for (i = 0; i < program->image_count; ++i) {
        const tmemc_image *image = &program->images[i];
        const int special = image->runs_on == 'a' ? 2 : image->runs_on == 'f' ? 1 : 0;
        const int here = image->major == major && image->minor == minor;
        const int fits = image->runs_on == 'a' ? here : image->major == major && image->minor <= minor;
        const int later =
            !special && (image->major < major || (image->major == major && image->minor <= minor));
        const int rank = fits ? 10000 * (special + 1) + image->minor : 100 * image->major + image->minor;
        if ((fits || later) && rank > best_rank) {
            best = image;
            best_rank = rank;
        }
    }
    *as_ptx = best != NULL && best_rank < 10000;
    return best;
}

// Loads the program into the current context, and finds its kernels. The slot changes when all is well.
static inline void tmemc_load_here(tmemc_program *program, const tmemc_driver *driver, int slot,
                                   tmemc_result *result) {
    int device = 0, major = 0, minor = 0, as_ptx = 0, kernel;
    enum { NAME_BYTES = 96 };
    char name[NAME_BYTES] = "", log[1024] = "";
    const tmemc_image *image;
    void *module = NULL, *values[2], **found = &program->functions[TMEMC_CONTEXTS * program->kernel_count];
    const uintptr_t log_bytes = sizeof log;
    int options[2] = {5, 6}; // CU_JIT_ERROR_LOG_BUFFER and its size
    if (tmemc_failed(result, driver, driver->context_device(&device), "cuCtxGetDevice") ||
        tmemc_failed(result, driver, driver->device_name(name, NAME_BYTES, device), "cuDeviceGetName") ||
        tmemc_failed(result, driver, driver->attribute(&major, 75, device), "cuDeviceGetAttribute") ||
        tmemc_failed(result, driver, driver->attribute(&minor, 76, device), "cuDeviceGetAttribute"))
        return;
    image = tmemc_pick(program, major, minor, &as_ptx);
    if (!image) {
        int i;
        result->code = TMEMC_NO_CUBIN;
        tmemc_say(result, "there is no cubin for device %d, %s, which has compute capability %d.%d; there is",
                  device, name, major, minor);
        for (i = 0; i < program->image_count; ++i)
            tmemc_say(result, "%s %s", i ? "," : "", program->images[i].target);
        return;
    }
    tmemc_say(result,
              "loading the %s for %s (%zu bytes) on device %d, %s (%d.%d): ", as_ptx ? "PTX" : "cubin",
              image->target, as_ptx ? image->ptx_bytes : image->cubin_bytes, device, name, major, minor);
    values[0] = log;
    memcpy(&values[1], &log_bytes, sizeof log_bytes);
    if (tmemc_failed(result, driver,
                     driver->load(&module, as_ptx ? image->ptx : image->cubin, 2, options, values),
                     "cuModuleLoadDataEx")) {
        log[sizeof log - 1] = '\0';
        if (log[0]) tmemc_say(result, "\n%s", log);
        return;
    }
    for (kernel = 0; kernel < program->kernel_count; ++kernel)
        if (tmemc_failed(result, driver,
                         driver->function(&found[kernel], module, program->kernels[kernel]),
                         "cuModuleGetFunction")) {
            tmemc_say(result, ": kernel %s", program->kernels[kernel]);
            (void)driver->unload(module);
            return;
        }
    memcpy(&program->functions[slot * program->kernel_count], found,
           (size_t)program->kernel_count * sizeof *found);
    program->slots[slot].image = image;
    program->slots[slot].module = module;
    result->message[0] = '\0';
}

// The slot of the current context, where the program is loaded if need be; the lock is held by the caller.
static inline int tmemc_slot_here(tmemc_program *program, const tmemc_driver *driver, int load,
                                  tmemc_result *result) {
    void *context = NULL;
    unsigned long long id = 0;
    int slot, full;
    if (tmemc_failed(result, driver, driver->context(&context), "cuCtxGetCurrent")) return -1;
    if (!context) {
        result->code = 201; // CUDA_ERROR_INVALID_CONTEXT
        tmemc_say(result, "this thread has no current CUDA context; cudaSetDevice(), cuCtxSetCurrent() or "
                          "tmemc_use_device() gives it one");
        return -1;
    }
    if (tmemc_failed(result, driver, driver->context_id(context, &id), "cuCtxGetId")) return -1;
    for (slot = 0; slot < TMEMC_CONTEXTS; ++slot)
        if (program->slots[slot].module && program->slots[slot].context == id) return slot;
    if (!load) return -1;
    for (slot = 0; slot < TMEMC_CONTEXTS && program->slots[slot].module; ++slot) continue;
    full = slot == TMEMC_CONTEXTS;
    if (full) slot = program->next; // what is there stays loaded: its context may be gone
    tmemc_load_here(program, driver, slot, result);
    if (result->code != 0) return -1;
    program->slots[slot].context = id;
    if (full) program->next = (slot + 1) % TMEMC_CONTEXTS;
    return slot;
}

// What is handed back: nothing of a success, of a failure what it is about and then what failed.
static inline tmemc_result tmemc_about(const char *source, const char *kernel, const tmemc_result *inner) {
    tmemc_result result = tmemc_ok();
    result.code = inner->code;
    if (inner->code != 0)
        tmemc_say(&result, "%s: %s%s%s", source, kernel ? "kernel " : "", kernel ? kernel : "",
                  kernel ? ": " : "");
    if (inner->code != 0) tmemc_say(&result, "%s", inner->message);
    return result;
}

// Loads the program into the current context ahead of its first launch.
static inline tmemc_result tmemc_load(tmemc_program *program) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    if (driver) {
        TMEMC_ACQUIRE(&program->lock);
        (void)tmemc_slot_here(program, driver, 1, &result);
        TMEMC_RELEASE(&program->lock);
    }
    return tmemc_about(program->source, NULL, &result);
}

// Unloads it from the current context, which no launch may be using.
static inline tmemc_result tmemc_unload(tmemc_program *program) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    if (driver) {
        int slot;
        TMEMC_ACQUIRE(&program->lock);
        slot = tmemc_slot_here(program, driver, 0, &result);
        if (slot >= 0) {
            (void)tmemc_failed(&result, driver, driver->unload(program->slots[slot].module),
                               "cuModuleUnload");
            program->slots[slot].module = NULL;
        }
        TMEMC_RELEASE(&program->lock);
    }
    return tmemc_about(program->source, NULL, &result);
}

static inline void tmemc_check_tensor(const tmemc_tensor *tensor, tmemc_result *result) {
    const unsigned long long address = tmemc_number(tensor->address);
    if (address == 0 && !tensor->may_be_null) {
        result->code = TMEMC_BAD_ARGUMENT;
        tmemc_say(result, "%s is NULL", tensor->name);
    } else if (address % tensor->align != 0) {
        result->code = TMEMC_BAD_ARGUMENT;
        tmemc_say(result, "%s is at 0x%llx, which is no multiple of %u bytes", tensor->name, address,
                  tensor->align);
    }
}

static inline void tmemc_check_size(const tmemc_size *size, tmemc_result *result) {
    if (size->value >= size->least && size->value <= size->most) return;
    result->code = TMEMC_BAD_ARGUMENT;
    tmemc_say(result, "%s is %u; it lies from %u to %u", size->name, size->value, size->least, size->most);
}

// Launches a kernel; scratch memory is its last argument, there from the launch to its end.
static inline void tmemc_launch_with(const tmemc_driver *driver, void *function, const tmemc_call *call,
                                     size_t scratch_bytes, void **arguments, void *stream,
                                     tmemc_result *result) {
    unsigned long long scratch = 0;
    if (scratch_bytes &&
        tmemc_failed(result, driver, driver->borrow(&scratch, scratch_bytes, stream), "cuMemAllocAsync")) {
        tmemc_say(result, "; %zu bytes in place of tensor memory", scratch_bytes);
        return;
    }
    if (scratch_bytes) arguments[call->argument_count] = &scratch;
    (void)tmemc_failed(result, driver,
                       driver->launch(function, call->grid[0], call->grid[1], call->grid[2], call->block, 1,
                                      1, 0, stream, arguments, NULL),
                       "cuLaunchKernel");
    if (scratch_bytes && result->code == 0)
        (void)tmemc_failed(result, driver, driver->give_back(scratch, stream), "cuMemFreeAsync");
    else if (scratch_bytes)
        (void)driver->give_back(scratch, stream);
}

// Launches a kernel; `arguments` points to each of them.
static inline tmemc_result tmemc_launch(tmemc_program *program, const tmemc_call *call, void **arguments,
                                        void *stream) {
    const char *const kernel = program->kernels[call->kernel];
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = NULL;
    void *function = NULL;
    size_t scratch_bytes = 0;
    int i, slot = -1;
    for (i = 0; i < call->tensor_count && result.code == 0; ++i)
        tmemc_check_tensor(&call->tensors[i], &result);
    for (i = 0; i < call->size_count && result.code == 0; ++i) tmemc_check_size(&call->sizes[i], &result);
    if (result.code == 0) driver = tmemc_open(&result);
    if (driver) {
        TMEMC_ACQUIRE(&program->lock);
        slot = tmemc_slot_here(program, driver, 1, &result);
        if (slot >= 0) {
            const tmemc_image *image = program->slots[slot].image;
            function = program->functions[slot * program->kernel_count + call->kernel];
            if (image->scratch_bytes) scratch_bytes = image->scratch_bytes[call->kernel];
        }
        TMEMC_RELEASE(&program->lock);
    }
    if (slot >= 0) tmemc_launch_with(driver, function, call, scratch_bytes, arguments, stream, &result);
    return tmemc_about(program->source, kernel, &result);
}

// ---- for programs that have nothing else of CUDA: a context, memory, and the end of the work

// Makes the primary context of a device, which is also the CUDA runtime's, current in this thread. It is kept once
// per device, however many calls there are, until the program ends.
static inline tmemc_result tmemc_use_device(int ordinal) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    static TMEMC_LOCK lock = TMEMC_UNLOCKED;
    static unsigned char kept[64]; // devices; more than these are kept by every call
    int device = 0;
    void *context = NULL;
    char about[32];
    (void)snprintf(about, sizeof about, "device %d", ordinal);
    if (driver && !tmemc_failed(&result, driver, driver->device(&device, ordinal), "cuDeviceGet") &&
        !tmemc_failed(&result, driver, driver->retain(&context, device), "cuDevicePrimaryCtxRetain")) {
        (void)tmemc_failed(&result, driver, driver->set_context(context), "cuCtxSetCurrent");
        TMEMC_ACQUIRE(&lock);
        if (ordinal < (int)sizeof kept && kept[ordinal]) (void)driver->let_go(device);
        if (ordinal < (int)sizeof kept) kept[ordinal] = 1;
        TMEMC_RELEASE(&lock);
    }
    return tmemc_about(about, NULL, &result);
}

static inline tmemc_result tmemc_allocate(void **address, size_t bytes) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    unsigned long long made = 0;
    char about[48];
    (void)snprintf(about, sizeof about, "allocating %zu bytes", bytes);
    if (driver) (void)tmemc_failed(&result, driver, driver->allocate(&made, bytes), "cuMemAlloc");
    memcpy(address, &made, sizeof made);
    return tmemc_about(about, NULL, &result);
}

static inline tmemc_result tmemc_release(void *address) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    if (driver) (void)tmemc_failed(&result, driver, driver->release(tmemc_number(address)), "cuMemFree");
    return tmemc_about("releasing memory", NULL, &result);
}

static inline tmemc_result tmemc_upload(void *to, const void *from, size_t bytes) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    if (driver)
        (void)tmemc_failed(&result, driver, driver->upload(tmemc_number(to), from, bytes), "cuMemcpyHtoD");
    return tmemc_about("copying to the device", NULL, &result);
}

static inline tmemc_result tmemc_download(void *to, const void *from, size_t bytes) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    if (driver)
        (void)tmemc_failed(&result, driver, driver->download(to, tmemc_number(from), bytes), "cuMemcpyDtoH");
    return tmemc_about("copying from the device", NULL, &result);
}

// Waits for what was launched on the stream; the fault of a kernel shows here.
static inline tmemc_result tmemc_synchronize(void *stream) {
    tmemc_result result = tmemc_ok();
    const tmemc_driver *driver = tmemc_open(&result);
    if (driver) (void)tmemc_failed(&result, driver, driver->synchronize(stream), "cuStreamSynchronize");
    return tmemc_about("waiting for the device", NULL, &result);
}

#elif TMEMC_LAUNCH != 1
#error "headers of tmemc versions that do not go together; make them with one"
#endif
