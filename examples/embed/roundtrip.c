// Launches a kernel of a .tmx file from C. The header holds the kernel's machine code and opens the CUDA driver when
// the program runs, so neither CUDA nor a GPU is needed to build it:
//
//     build/tmemc build examples/roundtrip.tmx -arch=sm_100f,sm_110f --emit=header
//     cc -std=c99 -I. examples/embed/roundtrip.c -o roundtrip && ./roundtrip
//
// Ends with 0, with 4 when a value came back wrong, and with 3 and the reason when no kernel could be launched.
#include "roundtrip.h"

enum { ROWS = 128, COLUMNS = 8, BYTES = ROWS * COLUMNS * 2 };

// Everything that can fail says so by its result. A program of your own decides here what to do about it.
static int went_well(tmemc_result result) {
    if (result.code != 0) fprintf(stderr, "roundtrip: %s\n", result.message);
    return result.code == 0;
}

static int run(const uint16_t *sent, uint16_t *received) {
    void *A = NULL, *B = NULL;                                 // memory of the device
    const int ran = went_well(tmemc_use_device(0)) &&          // a context; the CUDA runtime's would do
                    went_well(tmemc_allocate(&A, BYTES)) &&    // cudaMalloc(&A, BYTES) would do
                    went_well(tmemc_allocate(&B, BYTES)) &&    // and tmemc_release() is cudaFree()
                    went_well(tmemc_upload(A, sent, BYTES)) && // cudaMemcpy() would do
                    went_well(roundtrip_launch(A, B, NULL)) && // loads the cubin for the device, and launches
                    went_well(tmemc_synchronize(NULL)) &&      // faults of the kernel would show here
                    went_well(tmemc_download(received, B, BYTES));
    if (A) (void)went_well(tmemc_release(A));
    if (B) (void)went_well(tmemc_release(B));
    return ran;
}

int main(void) {
    static uint16_t sent[ROWS * COLUMNS], received[ROWS * COLUMNS];
    int i, wrong = 0;
    for (i = 0; i < ROWS * COLUMNS; ++i) sent[i] = (uint16_t)(0x3c00 + i % 1024); // f16 from 1 to 2
    if (!run(sent, received)) return 3;
    for (i = 0; i < ROWS * COLUMNS; ++i) wrong += sent[i] != received[i];
    printf("%d of %d elements came back\n", ROWS * COLUMNS - wrong, ROWS * COLUMNS);
    return wrong ? 4 : 0;
}
