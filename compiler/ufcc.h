/* ufcc.h: the ufc compiler as a library: from source text to an object, PTX or loaded functions.
 *
 * Nothing here prints, exits or aborts: diagnostics go to a callback.  ufcc(3) says what LLVM may
 * do nevertheless.  Several programs may be used in several threads at once, one program in one
 * thread at a time. */
#ifndef UFCC_H
#define UFCC_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ufcc_severity { UFCC_ERROR, UFCC_WARNING, UFCC_NOTE } ufcc_severity;

/* Valid only during the callback.  A note belongs to the error or warning before it. */
typedef struct ufcc_diagnostic {
    ufcc_severity severity;
    const char *message;
    const char *warning;      /* the name after -W, of a warning; else NULL */
    const char *file;         /* NULL: no place; all that follows is then 0 or NULL */
    int line, column;         /* from 1; columns count bytes */
    int end_line, end_column; /* where the range ends; the column is exclusive */
    const char *source;       /* the text of the line, without its end */
    size_t source_size;
} ufcc_diagnostic;

enum { UFCC_HOST = 1, UFCC_CUDA = 2 };

/* A file's name, as messages show it, and its text. */
typedef struct ufcc_file {
    const char *name, *text;
    size_t size;
} ufcc_file;

/* Options that are all zero are the defaults.  They are copied, with all that they point to but
 * `user`, which is passed to the callback. */
typedef struct ufcc_options {
    unsigned targets; /* UFCC_HOST | UFCC_CUDA; 0: both */
    bool native;      /* host code for this machine only, not for all three levels */
    bool eager;  /* ufcc_load makes all code; else each call makes what it is the first to need */
    int threads; /* that generate code; 0: one.  What they make is the same */
    const int *archs; /* architectures to make cubins for with ptxas: 80, 90, … */
    int narchs;
    const char *ptxas;     /* path; NULL: found on PATH or in CUDA's folders */
    const char *libdevice; /* path of libdevice.10.bc; NULL: found */
    const char *cache;  /* the folder where ufcc_load keeps code, and finds what it has kept; "0":
                           there is none; NULL: $UFC_CACHE, else $XDG_CACHE_HOME/ufc, else
                           ~/.cache/ufc */
    const char *prefix; /* stem of the names in object and header; NULL: from the file's name */
    const char *only; /* the only ufunc that outputs and the loaded program contain; it and what it
                         refers to are checked, nothing else.  NULL: all ufuncs */
    bool fp_contract; /* the last product of a sum is fused with it */
    bool ftz;         /* float32 subnormals are flushed to zero on the GPU */
    bool fast_math;   /* approximate division, square root and functions on the GPU, atomic sums and
                         products of floats; contraction */
    bool line_info;   /* code has the source's line numbers */
    bool check; /* subscripts are tested as kernels run: a call fails if one is out of range */
    bool warnings_are_errors;
    const char *const
        *warnings; /* "double", "no-unused", "serial" (off by default), …, "all", "no-all" */
    int nwarnings;
    const ufcc_file
        *files; /* what imports of these names get, of which no file is read from disk */
    int nfiles;
    const char *dump; /* letters of stages: t tokens, a AST, y typed AST, p plan, l LLVM IR
                         generated, o LLVM IR optimised */
    void (*diagnostic)(void *user, const ufcc_diagnostic *diagnostic); /* NULL: dropped */
    void (*dumped)(void *user, const char *text, size_t size);
    void *user;
} ufcc_options;

typedef struct ufcc_program ufcc_program;
typedef struct ufc_ufunc ufc_ufunc; /* ufc.h calls it */

enum { UFCC_MAX_SOURCE = 1 << 30 }; /* bytes of a source with its imports */

/* Checks a source.  name is shown in messages, and its stem begins the names in an object.  Imports
 * are read from files, relative to the folder of name.  options may be NULL.  Returns NULL after
 * errors, which are all reported; else the caller owns the program and frees it by ufcc_free. */
ufcc_program *ufcc_compile(const char *name, const char *text, size_t size,
                           const ufcc_options *options);
void ufcc_free(ufcc_program *program); /* program may be NULL */

typedef enum ufcc_output {
    UFCC_OBJECT, /* an ELF object: host code, PTX, cubins, and the records that ufc_call takes */
    UFCC_HEADER, /* a C header that declares these records */
    UFCC_PTX,    /* PTX of all overloads, one module after the other */
    UFCC_LLVM,   /* LLVM IR of all targets, optimised */
    UFCC_ASM     /* host assembly */
} ufcc_output;

/* Makes one output.  *data has *size bytes and a NUL behind them; the caller frees it with free.
 * Returns false after errors, which are reported.  After an error that LLVM cannot recover from,
 * all later calls in this process that generate code return false too. */
bool ufcc_emit(ufcc_program *program, ufcc_output output, char **data, size_t *size);

/* Makes the program's functions callable in the process.  A call makes the code that it is the
 * first to need, for this machine or for its GPU; until it is there, other calls that need it wait.
 * A failure is the call's, UFC_ECOMPILE, and the next call tries again.  With options->eager all
 * code is made here.  Returns false as ufcc_emit does. */
bool ufcc_load(ufcc_program *program);
/* A function of a loaded program, for ufc_call; it lives as long as the program.  NULL: there is
 * none of that name. */
const ufc_ufunc *ufcc_function(const ufcc_program *program, const char *name);
/* Code for certain calls: what it is given of sizes of core dimensions, strides and numbers are
 * constants in it, so that loops are unrolled, and what depends on these alone is computed before.
 * How it shares work out, and the order in which it adds, are those of the general code. */
typedef enum ufcc_specialization {
    UFCC_GENERAL, /* calls run the general code */
    /* a call makes what it is the first to need, and others that need it wait */
    UFCC_SPECIALIZE,
    /* it is made in the background, and calls run the general code until it is there */
    UFCC_SPECIALIZE_LATER
} ufcc_specialization;
enum { UFCC_MAX_SPECIAL = 32 }; /* kernels and host loops for certain calls, of a signature */
/* Has calls of a function of a loaded program, or where name is NULL of all its functions, run code
 * that is made for them, from now on; plans (ufc_plan_new) too, methods not.  It is kept in the
 * cache, and lives as long as the program, as all code does: the first UFCC_MAX_SPECIAL of a
 * signature stay.  Where there are so many, or one cannot be made, the general code runs.  It may
 * be called while other threads call the function.  What is made in the background is made by one
 * thread a program, which calls options->dumped; ufcc_free waits for what is being made, and so
 * does the process's end.  False: the program is not loaded, or there is no such function. */
bool ufcc_specialize(ufcc_program *program, const char *name, ufcc_specialization how);
/* The name of a ufunc, in the order of the source from 0; NULL behind the last one. */
const char *ufcc_function_name(const ufcc_program *program, int index);
/* The declaration of the ufunc of an index up to its body, as in the source but without comments
 * and line ends: "add(x, y) : T(T, T) for T in number".  The caller frees it with free.  NULL:
 * there is none, or memory is out. */
char *ufcc_function_declaration(const ufcc_program *program, int index);
/* The names of the files of a program, as messages show them: the source, then its imports; NULL
 * behind the last one. */
const char *ufcc_file_name(const ufcc_program *program, int index);
/* The text of the file of an index, which is the program's and has a NUL behind its *size bytes;
 * NULL behind the last one.  With the names of the imports it makes ufcc_options.files, by which
 * the program can be compiled where these files are not, or are others by now. */
const char *ufcc_file_text(const ufcc_program *program, int index, size_t *size);

/* What is found on this machine, for `ufc doctor`.  The caller frees the strings with free; NULL:
 * nothing is found. */
char *ufcc_find_libdevice(void);
char *ufcc_find_ptxas(void);
/* "22.1.8" */
const char *ufcc_llvm_version(void);

/* A cache of code on disk, for `ufc cache`. */
typedef struct ufcc_cache_state {
    char *folder;                            /* the caller frees it with free */
    unsigned long long entries, size, limit; /* size and limit in bytes */
    const char *unclear; /* the text of UFC_CACHE_SIZE, if it is no size; else NULL */
    int error;           /* why nothing can be kept there, an errno number; 0: it can */
} ufcc_cache_state;
/* Looks at a cache, given as in ufcc_options.  False: there is none, or state->error says why it
 * cannot be told. */
bool ufcc_cache(const char *cache, ufcc_cache_state *state);
/* Removes what was not used for longest, until the rest has at most `size` bytes.  False: not all
 * could be removed, and errno says why. */
bool ufcc_cache_prune(const char *cache, unsigned long long size);

#ifdef __cplusplus
}
#endif

#endif
