/* cmd.h: the parts of the command line.  Every command gives the exit status. */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "draft.h"
#include "ufc.h"
#include "ufcc.h"

enum { DONE, FAILED, MISUSED }; /* exit statuses */

enum { BUILD = 1, RUN = 2, CHECK = 4, DOCTOR = 8, BENCH = 16, EXPLAIN = 32 };

struct arguments;

struct command {
    const char *name;
    unsigned bit;
    const char *operands; /* in the usage line */
    const char *summary;
    int (*main)(const struct arguments *args);
};

enum { MAX_ARCHS = 32 };

/* A command's line, taken apart. */
struct arguments {
    const struct command *command;
    char **operands;
    int noperands;
    const char **outputs; /* of -o */
    int noutputs;
    ufcc_options compile; /* points into what follows, and into the command line */
    const char **warnings;
    char dump[8];
    int archs[MAX_ARCHS];
    const struct emission *emit; /* NULL: object and header */
    bool rule;                   /* -MD */
    bool phony;                  /* -MP */
    bool json;
    const char *device;
    int threads;
    const char *axis, *axes, *initial, *where; /* of run and bench: as given, NULL without */
    const char *casting, *dtype;
    bool keepdims;
    struct sizes {
        int64_t first, last; /* first 0: none */
        double factor;
    } sizes;
    double seconds;   /* of bench, for each size */
    const char *plot; /* the file; NULL without */
    bool help, version;
};

/* What --emit can name. */
struct emission {
    const char *name;
    ufcc_output output;
    unsigned targets; /* all that it is made of; 0: whatever is asked for */
};

/* ---- main.c */

/* Says what is wrong, as printf does; give FAILED and MISUSED. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
int misuse(const struct command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

int command_build(const struct arguments *args);
int command_run(const struct arguments *args);
int command_bench(const struct arguments *args);
int command_explain(const struct arguments *args);
int command_check(const struct arguments *args);
int command_doctor(const struct arguments *args);

/* ---- options.c */

/* argv[0] is the command's name.  arguments_end frees, whatever the status. */
int arguments_parse(struct arguments *args, const struct command *command, int argc, char **argv);
void arguments_end(struct arguments *args);
void print_options(unsigned commands);

/* ---- report.c: diagnostics */

struct report {
    const char *file; /* for what has no place */
    bool json;        /* to standard output */
    bool colour;
};

void report(const struct report *r, const ufcc_diagnostic *d);
/* Prints a string of JSON. */
void put_json(const char *s);

/* ---- compile.c: a source, read and checked */

struct compilation {
    struct report report;
    ufcc_options options;
    char *text;
    ufcc_program *program;
};

/* False after errors (reported).  compilation_end frees, in both cases.  "-" is standard input. */
bool compile(struct compilation *c, const struct arguments *args, const char *file);
/* Compiles args' file; that there is no ufunc in it is a warning, or, as args say, an error. */
bool compile_any(struct compilation *c, const struct arguments *args);
/* Whether an output is none of the files that args' compilation has read; says so where it is. */
bool compilation_spares(const struct compilation *c, const struct arguments *args,
                        const char *output);
void compilation_end(struct compilation *c);

/* ---- output.c: files that are written, and take their places when all are made */

/* Whether an output is another file than an input, under whatever names; says so where it is not.
 * "-" is standard output, and standard input. */
bool output_spares(const char *output, const char *input);

/* False after an error (printed).  draft_end is the caller's, in both cases. */
bool output_draft(struct draft *d, const char *path, const char *data, size_t size);
bool output_keep(struct draft *d);
/* Both. */
bool output_write(const char *path, const char *data, size_t size);

/* ---- view.c: views of arrays, as NumPy writes them: "[::2].T" */

/* How long a text is without the view at its end. */
size_t view_begins(const char *text);
/* Is it standard input, "-", or a view of it? */
bool is_stdin(const char *text);
/* NULL, or what is wrong with the view. */
const char *view_check(const char *view);
/* The array becomes its view; room for its shape and strides is the caller's. */
ufc_status view_apply(DLTensor *array, const char *view, ufc_error *err);

/* ---- input.c: the arguments of run and bench */

enum input_kind {
    INPUT_NONE,
    INPUT_FILE,
    INPUT_STDIN,
    INPUT_NUMBER,
    INPUT_SAME, /* another argument */
    INPUT_ZEROS,
    INPUT_ONES,
    INPUT_ARANGE,
    INPUT_LINSPACE,
    INPUT_RAND
};

enum { MAX_AXES = 64 };

enum { SWEPT = -1 }; /* a size that is written N */

struct input {
    enum input_kind kind;
    const char *text;
    char *base;       /* the text without the view; NULL of a number */
    const char *view; /* in the text */
    int same;         /* the argument that this one is, from 0 */
    ufc_type dtype;   /* of what is generated */
    int ndim;
    int64_t shape[MAX_AXES];
    bool swept;           /* a size is SWEPT */
    double low, high;     /* of random numbers: [low, high), */
    uint64_t first, span; /* of whole ones: so many from the first on; 0: 2^64 */
    bool has_seed;
    uint64_t seed;
    DLManagedTensorVersioned *memory; /* NULL: another argument's */
    DLTensor array;                   /* the view */
    int64_t array_shape[MAX_AXES], array_strides[MAX_AXES];
    ufc_arg arg; /* what the call takes */
};

/* How arrays are made. */
struct making {
    ufc_context *ctx;
    const struct input *inputs; /* those that an argument may be the same as */
    int64_t n;                  /* what SWEPT stands for */
    bool on_device;             /* not on the host; then random numbers repeat */
};

bool is_number(const char *text);
/* Of an array that ufc made. */
ufc_type type_of(DLDataType dtype);
/* NULL, or what is wrong with the text.  input_end frees, in both cases. */
const char *input_parse(struct input *in, const char *text);
/* Reads or fills the array.  index: the argument's, from which its random numbers follow. */
ufc_status input_make(struct input *in, const struct making *how, int index, ufc_error *err);
/* Frees the array, which may be made again. */
void input_unmake(struct input *in);
void input_end(struct input *in);

/* ---- generate.c: arrays made on the spot */

/* A size at *text, which moves behind it: 1000, 1e6, 2^27; false: there is none that an int64 has.
 */
bool size_parse(const char **text, int64_t *size);
/* NULL, or what is wrong with the name. */
const char *dtype_parse(ufc_type *dtype, const char *name);
/* in->base as such an array; NULL, or what is wrong with it. */
const char *generator_parse(struct input *in);
/* Its memory, filled, on the host. */
ufc_status generator_make(struct input *in, const struct making *how, int index, ufc_error *err);

/* ---- method.c: the methods of ufuncs, and keywords */

struct method {
    const char *name; /* "reduce"; NULL: a plain call */
    int nargs;        /* 0: as many as the ufunc has inputs */
    ufc_keywords kw;
    struct input where;
    ufc_arg initial;
    int axes[MAX_AXES];
    ufc_axes core_axes[MAX_AXES]; /* into core_lists */
    int core_lists[MAX_AXES];
};

/* The method of NAME.METHOD, whose NAME is `length` long; MISUSED where there is no such one. */
int method_named(struct method *m, const struct command *command, const char *name, size_t *length);
/* The keywords on the command line. */
int method_keywords(struct method *m, const struct arguments *args);
/* Makes the mask.  method_end frees it, whatever the status. */
ufc_status method_make(struct method *m, const struct making *how, ufc_error *err);
void method_end(struct method *m);
/* Does it go along axes? */
bool method_has_axes(const struct method *m);
/* Calls a ufunc or its method; of `at`, in[0] is what it changes.  Where `description` is not
 * NULL, it describes the call instead. */
ufc_status method_call(const struct method *m, ufc_context *ctx, const ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, ufc_plan_description *description,
                       ufc_error *err);

/* ---- call.c: a call as run, bench and explain take it from the command line */

struct call {
    const struct arguments *args;
    struct input *inputs;
    int ninputs;
    ufc_context *ctx;
    struct compilation compilation;
    const ufc_ufunc *ufunc;
    struct method method;
    char *name; /* of the ufunc, without its method */
    int nout;
    ufc_arg *in;
    ufc_out *out;
    DLManagedTensorVersioned **results; /* of out */
};

/* Of a file alone: prints the declarations of its ufuncs; the exit status. */
int list_ufuncs(const struct arguments *args);
/* Reads the arguments, opens the device, compiles the source.  call_end frees, whatever the status.
 */
int call_open(struct call *c, const struct arguments *args);
/* Whether an output is none of the files that the call reads; says so where it is. */
bool call_spares(const struct call *c, const char *output);
/* Makes the arrays; results are new ones of the call.  `how` lacks but ctx and inputs. */
ufc_status call_make(struct call *c, struct making how, ufc_error *err);
/* Calls, or, where `description` is not NULL, describes how that goes; an error names options. */
ufc_status call_once(const struct call *c, ufc_plan_description *description, ufc_error *err);
/* Frees the arrays. */
void call_unmake(struct call *c);
void call_end(struct call *c);

/* ---- plot.c: what bench measured, as text, as JSON, and drawn */

struct measure {
    int64_t n;          /* the size N; SWEPT without --sizes */
    int64_t bytes;      /* that a call moves: of each operand its distinct ones */
    int64_t calls;      /* in a burst */
    int bursts;         /* that were timed */
    double quartile[3]; /* of the seconds a call */
    double copy;        /* bytes a second, read and written */
};

static inline double bytes_per_second(const struct measure *m) {
    return m->quartile[1] > 0 ? (double)m->bytes / m->quartile[1] : 0;
}

void print_measures(const struct call *c, const char *device, const struct measure *m, int n);
void print_measures_json(const struct call *c, const char *device, const struct measure *m, int n);
/* Whether there is a gnuplot; says so where there is none. */
bool plot_begin(void);
bool plot_measures(const struct call *c, const char *device, const struct measure *m, int n);

/* ---- print.c: a host array as NumPy prints it, with the digits that read back */

void print_array(FILE *out, const DLTensor *array);

#endif
