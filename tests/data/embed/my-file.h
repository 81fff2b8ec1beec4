// The kernels of my-file.tmx as machine code for sm_103f, with a launcher for each. Made by tmemc 0.1.0.
//
//     tmemc_result result = p_k_launch(A, class_, n, h, stream);
//     if (result.code != 0) fprintf(stderr, "%s\n", result.message);

#ifndef TMEMC_HEADER_p_my_file_56f9052978c584a0
#define TMEMC_HEADER_p_my_file_56f9052978c584a0


// ---- my-file.tmx

static const union {
    unsigned char bytes[4];
    unsigned long long aligned;
} p_my_file_sm_103f_cubin = {{
    127, 69, 76, 70,
}};

static const union {
    unsigned char bytes[4];
    unsigned long long aligned;
} p_my_file_sm_103f_ptx = {{
    112, 116, 120, 0,
}};

static inline tmemc_program *p_my_file_program(void) {
    static const tmemc_image images[] = {
        {"sm_103f", 10, 3, 'f', p_my_file_sm_103f_cubin.bytes, 4, p_my_file_sm_103f_ptx.bytes, 4, NULL},
    };
    static const char *const kernels[] = {"k"};
    static void *functions[TMEMC_CONTEXTS * 1];
    static tmemc_program program = {"my-file.tmx", images, 1, kernels, 1, functions, TMEMC_UNLOCKED, 0, {{0, NULL, NULL}}};
    return &program;
}

// Loads everything into the current context, which the first launch would do.
static inline tmemc_result p_my_file_load(void) { return tmemc_load(p_my_file_program()); }
// Unloads it from the current context, in which nothing of it may be running.
static inline tmemc_result p_my_file_unload(void) { return tmemc_unload(p_my_file_program()); }

// Kernel k: a grid of 4 x 2 x 1 CTAs, 256 threads each, 64 columns of tensor memory, 16 bytes of shared memory.
//     A: in bf16[n, 64], row-major with a pitch of n elements, at a multiple of 32 bytes
//     class_: inout s32[64], row-major, at a multiple of 4 bytes
//     n: u32
//     h: f16, its bits
//     stream: a CUstream or cudaStream_t, or NULL
static inline tmemc_result p_k_launch(const void *A, int32_t *class_, uint32_t n, uint16_t h, void *stream) {
    const tmemc_tensor tensors[] = {
        {"A", A, 32, 1},
        {"class", class_, 4, 0},
    };
    const tmemc_size sizes[] = {
        {"n", n, 64u, 2147483647u},
    };
    const tmemc_call call = {0, {4, 2, 1}, 256, tensors, 2, sizes, 1, 4};
    void *arguments[] = {&A, &class_, &n, &h, NULL};
    return tmemc_launch(p_my_file_program(), &call, arguments, stream);
}
// The same for the first CTAs of the grid along each axis, when that is enough.
static inline tmemc_result p_k_launch_grid(unsigned grid_x, unsigned grid_y, unsigned grid_z, const void *A, int32_t *class_, uint32_t n, uint16_t h, void *stream) {
    const tmemc_tensor tensors[] = {
        {"A", A, 32, 1},
        {"class", class_, 4, 0},
    };
    const tmemc_size sizes[] = {
        {"n", n, 64u, 2147483647u},
        {"grid_x", grid_x, 1u, 4u},
        {"grid_y", grid_y, 1u, 2u},
        {"grid_z", grid_z, 1u, 1u},
    };
    const tmemc_call call = {0, {grid_x, grid_y, grid_z}, 256, tensors, 2, sizes, 4, 4};
    void *arguments[] = {&A, &class_, &n, &h, NULL};
    return tmemc_launch(p_my_file_program(), &call, arguments, stream);
}

#endif // TMEMC_HEADER_p_my_file_56f9052978c584a0
