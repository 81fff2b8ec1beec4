/* The compiler as a library, for C99 and everything that calls C. A program's text goes in; what comes out is
 * a handle with everything that was asked for.
 *
 *     tmemc_options *options = tmemc_options_new();
 *     tmemc_options_set(options, "output", "ptx");
 *     tmemc_compilation *made = tmemc_compile(text, strlen(text), options);
 *     size_t bytes;
 *     if (tmemc_compilation_status(made) == TMEMC_STATUS_OK)
 *         fwrite(tmemc_compilation_get(made, "ptx", &bytes), 1, bytes, stdout);
 *     tmemc_compilation_free(made);
 *     tmemc_options_free(options);
 *
 * Nothing is printed, ended or kept between calls; any number of threads may compile at once, also with the
 * same options. Text belongs to its handle, lives as long and ends with a 0 that its length leaves out; a
 * length may be asked for with NULL. Handles are opaque and options are words, so a newer library serves an
 * older program. Every function takes NULL for a handle and answers as for an empty one; freeing NULL does
 * nothing.
 *
 * Link with `pkg-config --libs --static tmemc`. A header that `tmemc build --emit=header` wrote may be
 * included beside this one. The same in C++: tmemc.hpp. */
#ifndef TMEMC_TMEMC_H
#define TMEMC_TMEMC_H

#include <stddef.h>
#include <stdint.h>

#define TMEMC_VERSION_MAJOR 0
#define TMEMC_VERSION_MINOR 1
#define TMEMC_VERSION_PATCH 0

#if defined(__GNUC__)
#define TMEMC_EXPORT __attribute__((visibility("default")))
#else
#define TMEMC_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tmemc_options tmemc_options;
typedef struct tmemc_compilation tmemc_compilation;

/* Numbers keep their meaning. */
enum {
    TMEMC_STATUS_OK = 0,
    TMEMC_STATUS_SOURCE = 1,        /* the program has errors; diagnostics say which */
    TMEMC_STATUS_OPTION = 2,        /* see "message" */
    TMEMC_STATUS_TOOLCHAIN = 3,     /* no ptxas, or it failed; diagnostics say why */
    TMEMC_STATUS_INTERNAL = 4,      /* a bug of this library; see "message" */
    TMEMC_STATUS_OUT_OF_MEMORY = 5, /* also of a compilation that is NULL */
    TMEMC_SEVERITY_ERROR = 0,
    TMEMC_SEVERITY_WARNING = 1,
    TMEMC_SEVERITY_NOTE = 2
};

/* From 1, columns in code points, offsets in bytes from 0, half open. All 0 where a message has no place. */
typedef struct tmemc_range {
    uint32_t begin_line, begin_column, begin_offset;
    uint32_t end_line, end_column, end_offset;
} tmemc_range;

/* The library that is there: "0.1.0". The macros above are those of the header. */
TMEMC_EXPORT const char* tmemc_version(void);

/* NULL when there is no memory for it. */
TMEMC_EXPORT tmemc_options* tmemc_options_new(void);
TMEMC_EXPORT void tmemc_options_free(tmemc_options* options);
/* clang-format off */
/* 0; or 2 and no change when there is no such option or value, 5 when there is no memory. Options, with the
 * value that they begin with:
 *     name          <source>    of the file, for diagnostics; no file is read
 *     output        ptx         ast plan layout ptx cubin report cuda header manifest, or "ptx,cubin";
 *                               "": only check
 *     target                    sm_100a ..., else the program's own
 *     define                    "N=64": another value for a const; may be given again
 *     tensor-memory hardware    or software, auto
 *     max-message   128         registers of one instruction, a power of two
 *     auto-wait     0           1: add the fewest waits that the program lacks
 *     comments      1           the program's lines in the PTX
 *     verify        1           the PTX is read back and held against the program
 *     ptxas                     a path, else $TMEMC_PTXAS, PATH and the usual folders
 *     ptxas-flag                "-O2"; may be given again
 *     ptxas-timeout 60000       in milliseconds
 *     kernel                    whose layout, else the first
 *     prefix, namespace         of the names in the cuda and header outputs */
/* clang-format on */
TMEMC_EXPORT int tmemc_options_set(tmemc_options* options, const char* option, const char* value);

/* `text` need not end with a 0. NULL when there is no memory for the handle. */
TMEMC_EXPORT tmemc_compilation* tmemc_compile(const char* text, size_t bytes, const tmemc_options* options);
TMEMC_EXPORT void tmemc_compilation_free(tmemc_compilation* compilation);

TMEMC_EXPORT int tmemc_compilation_status(const tmemc_compilation* compilation);
/* An output by its name above, "message" or "target"; empty when there is none, NULL for other names. A cubin
 * is bytes, aligned for the CUDA driver. */
TMEMC_EXPORT const char* tmemc_compilation_get(const tmemc_compilation* compilation, const char* what,
                                               size_t* bytes);

/* The kernels of the program, in its order, and how they are launched. */
TMEMC_EXPORT size_t tmemc_kernel_count(const tmemc_compilation* compilation);
TMEMC_EXPORT const char* tmemc_kernel_name(const tmemc_compilation* compilation, size_t kernel);
/* grid[3], the threads of a CTA, and the bytes of scratch memory that one more parameter points to: mostly 0.
 * Any pointer may be NULL. */
TMEMC_EXPORT void tmemc_kernel_launch(const tmemc_compilation* compilation, size_t kernel, uint32_t* grid,
                                      uint32_t* threads, uint64_t* scratch_bytes);

/* What a kernel takes, in the order of the launch. `what` is "name", "kind" ("tensor", launched as its
 * address in device memory, or "scalar", as its value) or "type" (of the value, or of the elements: "f32");
 * of a tensor also "direction" ("in", "out" or "inout"), and "extent-from" and "pitch-from": the scalars that
 * give its first extent or its pitch at launch, empty where they are numbers. NULL for other words. */
TMEMC_EXPORT size_t tmemc_parameter_count(const tmemc_compilation* compilation, size_t kernel);
TMEMC_EXPORT const char* tmemc_parameter_get(const tmemc_compilation* compilation, size_t kernel,
                                             size_t parameter, const char* what, size_t* bytes);
/* "bits" of the value or of one element; of a tensor, which lies row by row, also "dimensions" (1 or 2),
 * "extent" (the first one), "columns" (the last one), "pitch" (elements from row to row) and "align" (the
 * address is a multiple of so many bytes). 0 for a number that a scalar gives at launch, and for other words.
 */
TMEMC_EXPORT uint64_t tmemc_parameter_number(const tmemc_compilation* compilation, size_t kernel,
                                             size_t parameter, const char* what);

/* Diagnostics, in the order they were found. Beyond the last one there is nothing: NULL and ranges of 0. */
TMEMC_EXPORT size_t tmemc_diagnostic_count(const tmemc_compilation* compilation);
TMEMC_EXPORT int tmemc_diagnostic_severity(const tmemc_compilation* compilation, size_t diagnostic);
TMEMC_EXPORT tmemc_range tmemc_diagnostic_range(const tmemc_compilation* compilation, size_t diagnostic);
/* "code" (TM0301), "name" (the code in words), "flag" (of a warning: NAME of -Wno-NAME), "message", "text"
 * (all of it as a terminal shows it) or "json" (all of it in the shape of LSP's Diagnostic); NULL for other
 * words. */
TMEMC_EXPORT const char* tmemc_diagnostic_get(const tmemc_compilation* compilation, size_t diagnostic,
                                              const char* what, size_t* bytes);
/* What belongs to a diagnostic, by `what`: "label" (which has a range), "note" or "help". */
TMEMC_EXPORT size_t tmemc_detail_count(const tmemc_compilation* compilation, size_t diagnostic,
                                       const char* what);
TMEMC_EXPORT const char* tmemc_detail_get(const tmemc_compilation* compilation, size_t diagnostic,
                                          const char* what, size_t detail, size_t* bytes);
TMEMC_EXPORT tmemc_range tmemc_label_range(const tmemc_compilation* compilation, size_t diagnostic,
                                           size_t label);

#ifdef __cplusplus
}
#endif

#endif
