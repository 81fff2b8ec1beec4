// The header for the host alone: no CUDA, and what is constexpr is there.
#include "small.cuh"
#include "small_too.cuh"

static_assert(!load_chunk_supported, "");
static_assert(load_chunk_X_row(37, 18) == 32 + 16 + 8 + 1 && load_chunk_X_col(37, 18) == 2, "");
static_assert(too::my_load_chunk_X_row(37, 3) == 32 + 8 + 1 && too::my_load_chunk_X_col(37, 3) == 3, "");

int main() { return load_chunk_X_row(0, 0) + too::my_load_chunk_threads - 128; }
