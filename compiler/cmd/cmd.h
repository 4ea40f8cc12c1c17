/* cmd.h: the parts of the command line.  Commands return the exit status. */
#ifndef CMD_H
#define CMD_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "draft.h"
#include "ufc.h"
#include "ufcc.h"

enum { DONE, FAILED, MISUSED }; /* exit statuses */

enum { BUILD = 1, RUN = 2, CHECK = 4, DOCTOR = 8, BENCH = 16, EXPLAIN = 32, CACHE = 64 };

struct arguments;

struct command {
    const char *name;
    unsigned bit;
    const char *operands; /* its operands, as the usage line shows them */
    const char *summary;
    int (*main)(const struct arguments *args);
};

enum { MAX_ARCHS = 32 };

/* A command line, parsed. */
struct arguments {
    const struct command *command;
    char **operands;
    int noperands;
    const char **outputs; /* the values of -o */
    int noutputs;
    ufcc_options compile; /* points into members below, and into the command line */
    const char **warnings;
    char dump[8];
    int archs[MAX_ARCHS];
    const struct emission *emit; /* NULL: object and header */
    bool rule;                   /* -MD */
    bool phony;                  /* -MP */
    bool json;
    const char *device;
    int threads;
    const char *axis, *axes, *initial, *where; /* of calls, as given; NULL: not given */
    const char *casting, *dtype;
    bool keepdims;
    bool specialize;
    struct sizes {
        int64_t first, last; /* first 0: no --sizes */
        double factor;
    } sizes;
    double seconds;   /* of bench: time for each size */
    const char *plot; /* a file's name; NULL: no --plot */
    bool help, version;
};

/* An output that --emit can name. */
struct emission {
    const char *name;
    ufcc_output output;
    unsigned targets; /* the targets that it contains; 0: those that the options ask for */
};

/* ---- main.c */

/* Print an error, formatted as by printf, and return FAILED and MISUSED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int misuse(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* What parsing a text gives instead of what is wrong with it, where memory is out. */
extern const char out_of_memory[];
/* Prints what is wrong with an option's text, or an argument's where option is NULL.  Memory that
 * is out is no misuse. */
int refuse(const struct command *command, const char *option, const char *text, const char *wrong);

int command_build(const struct arguments *args);
int command_run(const struct arguments *args);
int command_bench(const struct arguments *args);
int command_explain(const struct arguments *args);
int command_check(const struct arguments *args);
int command_doctor(const struct arguments *args);
int command_cache(const struct arguments *args);

/* ---- cache.c */

/* What is wrong with the cache, to be freed; NULL: nothing, or memory was out. */
char *cache_problem(const ufcc_cache_state *state);

/* ---- options.c */

/* Parses a command line; argv[0] is the command's name.  Call arguments_end whatever the status. */
int arguments_parse(struct arguments *args, const struct command *command, int argc, char **argv);
void arguments_end(struct arguments *args);
void print_options(unsigned commands);

/* ---- crash.c */

struct crash_watch {
    struct sigaction segv, bus; /* what was to be done before */
    bool on, on_bus;
};

/* From here to crash_unwatch, says why a kernel may have ended the process, if wanted. */
void crash_watch(struct crash_watch *w, bool wanted);
void crash_unwatch(const struct crash_watch *w);

/* ---- report.c: diagnostics */

struct report {
    const char *file; /* what a diagnostic without a place names */
    bool json;        /* report to standard output as JSON */
    bool colour;
};

void report(const struct report *r, const ufcc_diagnostic *d);
/* Prints a string of JSON. */
void put_json(const char *s);

/* ---- compile.c: reading and checking a source */

struct compilation {
    struct report report;
    ufcc_options options;
    char *text;
    ufcc_program *program;
};

/* Compiles a file, "-" being standard input.  False after errors, which are reported.  Call
 * compilation_end in both cases. */
bool compile(struct compilation *c, const struct arguments *args, const char *file);
/* Compiles args' file.  If it has no ufunc, that is a warning, or an error if args say so. */
bool compile_any(struct compilation *c, const struct arguments *args);
/* Whether an output is none of the files that args' compilation has read; prints an error if it
 * is. */
bool compilation_spares(const struct compilation *c, const struct arguments *args,
                        const char *output);
void compilation_end(struct compilation *c);

/* ---- output.c: outputs as drafts, which get their names when all are made */

/* Whether an output is another file than an input, whatever their names; prints an error if not.
 * "-" is standard output or standard input. */
bool output_spares(const char *output, const char *input);

/* Writes a draft of a file.  False after an error, which is printed.  Call draft_end in both
 * cases. */
bool output_draft(struct draft *d, const char *path, const char *data, size_t size);
bool output_keep(struct draft *d);
/* Writes a file: a draft that is kept. */
bool output_write(const char *path, const char *data, size_t size);

/* ---- view.c: views of arrays, as NumPy writes them: "[::2].T" */

/* The length of a text without the view at its end. */
size_t view_begins(const char *text);
/* Whether a text is "-", standard input, or a view of it. */
bool is_stdin(const char *text);
/* What is wrong with the view; NULL: nothing. */
const char *view_check(const char *view);
/* Applies the view to the array.  Its shape and strides must be in memory of the caller's. */
ufc_status view_apply(DLTensor *array, const char *view, ufc_error *err);

/* ---- input.c: the arguments of run and bench */

enum input_kind {
    INPUT_NONE,
    INPUT_FILE,
    INPUT_STDIN,
    INPUT_NUMBER,
    INPUT_SAME, /* the array of another argument */
    INPUT_ZEROS,
    INPUT_ONES,
    INPUT_ARANGE,
    INPUT_LINSPACE,
    INPUT_RAND
};

enum { MAX_AXES = 64 };

enum { SWEPT = -1 }; /* a size written as N */

struct input {
    enum input_kind kind;
    const char *text;
    char *base;       /* the text without the view; NULL: a number */
    const char *view; /* the view at the end of text */
    int same;         /* INPUT_SAME: the index of the other argument */
    ufc_type dtype;   /* of generated arrays */
    int ndim;
    int64_t shape[MAX_AXES];
    bool swept;           /* some size is SWEPT */
    double low, high;     /* INPUT_RAND: the range [low, high) of floating types, */
    uint64_t first, span; /* and of whole types: span numbers from first on; 0: 2^64 numbers */
    bool has_seed;
    uint64_t seed;
    DLManagedTensorVersioned *memory; /* NULL: it belongs to another argument */
    DLTensor array;                   /* the view of the array */
    int64_t array_shape[MAX_AXES], array_strides[MAX_AXES];
    ufc_arg arg; /* what is passed to the call */
};

/* How to make arrays. */
struct making {
    ufc_context *ctx;
    const struct input *inputs; /* the inputs that an INPUT_SAME refers to */
    int64_t n;                  /* the size that replaces SWEPT */
    bool on_device;             /* make arrays on the device; their random numbers repeat */
};

bool is_number(const char *text);
/* The type of an array that ufc made. */
ufc_type type_of(DLDataType dtype);
/* Parses an argument.  Gives what is wrong with the text, or out_of_memory; NULL: nothing.  Call
 * input_end in all cases. */
const char *input_parse(struct input *in, const char *text);
/* Reads or generates the array.  index: the argument's, on which its random numbers depend. */
ufc_status input_make(struct input *in, const struct making *how, int index, ufc_error *err);
/* Frees the array, so that input_make can be called again. */
void input_unmake(struct input *in);
void input_end(struct input *in);

/* ---- generate.c: generated arrays */

/* Reads a size, as 1000, 1e6 or 2^27, and moves *text behind it.  False: it is no size, or no
 * int64. */
bool size_parse(const char **text, int64_t *size);
/* Finds a type by name.  Gives what is wrong with the name; NULL: nothing. */
const char *dtype_parse(ufc_type *dtype, const char *name);
/* Parses in->base as a generated array.  Gives what is wrong with it; NULL: nothing. */
const char *generator_parse(struct input *in);
/* Makes and fills in->memory, on the host. */
ufc_status generator_make(struct input *in, const struct making *how, int index, ufc_error *err);

/* ---- method.c: the methods of ufuncs, and keywords */

struct method {
    const char *name; /* "reduce"; NULL: a plain call */
    int nargs;        /* 0: as many as the ufunc's inputs */
    ufc_keywords kw;
    struct input where;
    ufc_arg initial;
    int axes[MAX_AXES];
    ufc_axes core_axes[MAX_AXES]; /* point into core_lists */
    int core_lists[MAX_AXES];
};

/* Finds the method of NAME.METHOD, and the length of NAME.  MISUSED: there is no such method. */
int method_named(struct method *m, const struct command *command, const char *name, size_t *length);
/* Takes over the keywords on the command line. */
int method_keywords(struct method *m, const struct arguments *args);
/* Makes the mask of --where.  Call method_end whatever the status. */
ufc_status method_make(struct method *m, const struct making *how, ufc_error *err);
void method_end(struct method *m);
/* Whether the method goes along axes. */
bool method_has_axes(const struct method *m);
/* Calls a ufunc or its method; `at` changes in[0].  If `description` is not NULL, describes the
 * call instead. */
ufc_status method_call(const struct method *m, ufc_context *ctx, const ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, ufc_plan_description *description,
                       ufc_error *err);

/* ---- call.c: the call on the command line of run, bench and explain */

struct call {
    const struct arguments *args;
    struct input *inputs;
    int ninputs;
    ufc_context *ctx;
    struct compilation compilation;
    const ufc_ufunc *ufunc;
    struct method method;
    char *name; /* the ufunc's, without the method */
    int nout;
    ufc_arg *in;
    ufc_out *out;
    DLManagedTensorVersioned **results; /* those that out refers to */
};

/* Prints the declarations of a file's ufuncs, where only the file is given; returns the exit
 * status. */
int list_ufuncs(const struct arguments *args);
/* Reads the arguments, opens the device and compiles the source.  Call call_end whatever the
 * status. */
int call_open(struct call *c, const struct arguments *args);
/* Whether an output is none of the files that the call reads; prints an error if it is. */
bool call_spares(const struct call *c, const char *output);
/* Makes the arrays.  The call itself makes its results.  `how` needs no ctx and no inputs. */
ufc_status call_make(struct call *c, struct making how, ufc_error *err);
/* Makes the call, or, if `description` is not NULL, describes it.  Errors name options, not
 * keywords. */
ufc_status call_once(const struct call *c, ufc_plan_description *description, ufc_error *err);
/* Frees the arrays, so that call_make can be called again. */
void call_unmake(struct call *c);
void call_end(struct call *c);

/* ---- plot.c: what bench measured: as text, as JSON, as a drawing */

struct measure {
    int64_t n;          /* the size N; without --sizes SWEPT */
    int64_t bytes;      /* distinct bytes of all operands, which a call moves */
    int64_t calls;      /* how many make a burst */
    int bursts;         /* how many were timed */
    double quartile[3]; /* of the seconds for a call */
    double copy;        /* speed of copying: bytes per second, read and written */
    double general;     /* with --specialize: seconds for a call of the general code; else 0 */
    double making;      /* and for the first call of the code that is measured */
};

static inline double bytes_per_second(const struct measure *m) {
    return m->quartile[1] > 0 ? (double)m->bytes / m->quartile[1] : 0;
}

void print_measures(const struct call *c, const char *device, const struct measure *m, int n);
void print_measures_json(const struct call *c, const char *device, const struct measure *m, int n);
/* Whether gnuplot is found; prints an error if not. */
bool plot_begin(void);
bool plot_measures(const struct call *c, const char *device, const struct measure *m, int n);

/* ---- print.c: printing a host array as NumPy does, with the digits that read back */

void print_array(FILE *out, const DLTensor *array);

#endif
