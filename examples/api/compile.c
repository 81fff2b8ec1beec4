/* Compiles a .tmx file from C and writes what was asked for, as `tmemc build` does:
 *
 *     cc -std=c99 examples/api/compile.c $(pkg-config --cflags --libs --static tmemc) -o compile
 *     ./compile examples/roundtrip.tmx ptx > roundtrip.ptx
 *
 * The second word is ast, plan, layout, ptx, cubin, report, cuda, header or manifest. Ends with the status of
 * the compilation: 0, 1 for mistakes in the program, 2 for an output that it cannot have, 3 without a ptxas
 * that works. */
#include <tmemc/tmemc.h>

#include <stdio.h>
#include <stdlib.h>

/* The whole file; NULL when it cannot be read. */
static char* read_file(const char* path, size_t* bytes) {
    FILE* file = fopen(path, "rb");
    char* text = NULL;
    size_t room = 0;
    *bytes = 0;
    if (file == NULL) return NULL;
    do {
        char* more = realloc(text, room += 65536);
        if (more == NULL) break;
        text = more;
        *bytes += fread(text + *bytes, 1, room - *bytes, file);
    } while (*bytes == room);
    fclose(file);
    return text;
}

static void show(const tmemc_compilation* made) {
    size_t i;
    for (i = 0; i < tmemc_diagnostic_count(made); ++i)
        fputs(tmemc_diagnostic_get(made, i, "text", NULL), stderr);
    if (tmemc_compilation_status(made) == TMEMC_STATUS_OUT_OF_MEMORY)
        fputs("compile: not enough memory\n", stderr);
    else if (*tmemc_compilation_get(made, "message", NULL) != '\0')
        fprintf(stderr, "compile: %s\n", tmemc_compilation_get(made, "message", NULL));
}

int main(int argc, char** argv) {
    size_t bytes, written;
    char* text;
    const char* output;
    tmemc_options* options;
    tmemc_compilation* made;
    int status;

    if (argc != 3) {
        fprintf(stderr, "compile FILE.tmx KIND, with libtmemc %s\n", tmemc_version());
        return 2;
    }
    text = read_file(argv[1], &bytes);
    if (text == NULL) {
        fprintf(stderr, "compile: cannot read %s\n", argv[1]);
        return 2;
    }
    options = tmemc_options_new();
    if (tmemc_options_set(options, "name", argv[1]) != 0 ||
        tmemc_options_set(options, "output", argv[2]) != 0) {
        fprintf(stderr, "compile: there is no output %s\n", argv[2]);
        tmemc_options_free(options);
        free(text);
        return 2;
    }
    made = tmemc_compile(text, bytes, options);
    tmemc_options_free(options); /* the compilation needs neither any more */
    free(text);
    show(made);
    status = tmemc_compilation_status(made);
    output = tmemc_compilation_get(made, argv[2], &written);
    if (status == TMEMC_STATUS_OK && fwrite(output, 1, written, stdout) != written) status = 2;
    tmemc_compilation_free(made);
    return status;
}
