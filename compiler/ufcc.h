/* ufcc.h: the ufc compiler as a library: source text in, an object, PTX or loaded functions out.
 *
 * Nothing here prints, exits or aborts: diagnostics go to a callback.  ufcc(3) tells what LLVM may
 * do nevertheless.  Different programs may be used from different threads at once, one program from
 * one thread at a time. */
#ifndef UFCC_H
#define UFCC_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ufcc_severity { UFCC_ERROR, UFCC_WARNING, UFCC_NOTE } ufcc_severity;

/* Valid during the callback.  A note belongs to the error or warning before it. */
typedef struct ufcc_diagnostic {
    ufcc_severity severity;
    const char *message;
    const char *warning;      /* the name after -W, of a warning; else NULL */
    const char *file;         /* NULL where there is no place; then what follows is 0 and NULL */
    int line, column;         /* from 1; columns count bytes */
    int end_line, end_column; /* the first column after the range */
    const char *source;       /* the line's text, without its end */
    size_t source_size;
} ufcc_diagnostic;

enum { UFCC_HOST = 1, UFCC_CUDA = 2 };

/* Zeroed options are the defaults.  They are copied; user is passed on as it is. */
typedef struct ufcc_options {
    unsigned targets; /* UFCC_HOST | UFCC_CUDA; 0: both */
    bool native;      /* host code for this machine only, not for all three levels */
    const int *archs; /* architectures to make cubins for with ptxas: 80, 90, … */
    int narchs;
    const char *ptxas;     /* NULL: found on PATH or in CUDA's folders */
    const char *libdevice; /* libdevice.10.bc; NULL: found */
    const char *prefix;    /* stem of the names in object and header; NULL: from the file's name */
    const char *only;      /* the one ufunc that outputs and the loaded program have; it and what it
                              needs are checked, no more.  NULL: all */
    bool fp_contract;      /* the last product of a sum fuses */
    bool ftz;              /* float32 subnormals are flushed to zero on the GPU */
    bool fast_math; /* approximate division, square root and functions on the GPU; contraction */
    bool line_info; /* the source's lines in the code for GPUs */
    bool check; /* subscripts are tested as kernels run: a call fails where one is out of range */
    bool warnings_are_errors;
    const char *const
        *warnings; /* "double", "no-unused", "serial" (off by default), …, "all", "no-all" */
    int nwarnings;
    const char *dump; /* letters of stages: t tokens, a AST, y typed AST, p plan, l LLVM IR
                         generated, o LLVM IR optimised */
    void (*diagnostic)(void *user, const ufcc_diagnostic *diagnostic); /* NULL: dropped */
    void (*dumped)(void *user, const char *text, size_t size);
    void *user;
} ufcc_options;

typedef struct ufcc_program ufcc_program;
typedef struct ufc_ufunc ufc_ufunc; /* ufc.h calls it */

enum { UFCC_MAX_SOURCE = 1 << 30 }; /* bytes of a source, with what it imports */

/* Checks a source.  name is what messages show, and its stem names the functions of an object.
 * What it imports is read from files, relative to the folder of name.
 * options may be NULL.  Returns NULL after errors (all reported); else the caller owns the program:
 * ufcc_free. */
ufcc_program *ufcc_compile(const char *name, const char *text, size_t size,
                           const ufcc_options *options);
void ufcc_free(ufcc_program *program); /* NULL is allowed */

typedef enum ufcc_output {
    UFCC_OBJECT, /* ELF object: host code, PTX, cubins and the records that ufc_call takes */
    UFCC_HEADER, /* C header that declares them */
    UFCC_PTX,    /* PTX of all overloads, one module after the other */
    UFCC_LLVM,   /* LLVM IR of all targets, optimised */
    UFCC_ASM,    /* host assembly */
} ufcc_output;

/* Makes one output.  *data has *size bytes and a NUL after them; the caller frees it with free.
 * False after errors (reported); after one of LLVM's that it cannot go on after, so is every later
 * call that generates code, in this process. */
bool ufcc_emit(ufcc_program *program, ufcc_output output, char **data, size_t *size);

/* Compiles for this machine and loads the code into the process.  False as of ufcc_emit. */
bool ufcc_load(ufcc_program *program);
/* A function of a loaded program, for ufc_call; it lives as long as the program.  NULL: none. */
const ufc_ufunc *ufcc_function(const ufcc_program *program, const char *name);
/* The program's ufuncs in the order of the source; NULL at the end. */
const char *ufcc_function_name(const ufcc_program *program, int index);
/* The same ufunc's declaration up to its body, as the source has it but for comments and lines:
 * "add(x, y) : T(T, T) for T in number".  The caller frees it with free; NULL: there is none, or no
 * memory. */
char *ufcc_function_declaration(const ufcc_program *program, int index);
/* The files that the program was made of: the source's name, then those imported, as messages show
 * them; NULL at the end. */
const char *ufcc_file_name(const ufcc_program *program, int index);

/* What is found on this machine, for `ufc doctor`; the caller frees the strings with free, NULL
 * where nothing was found. */
char *ufcc_find_libdevice(void);
char *ufcc_find_ptxas(void);
/* "22.1.8" */
const char *ufcc_llvm_version(void);

#ifdef __cplusplus
}
#endif

#endif
