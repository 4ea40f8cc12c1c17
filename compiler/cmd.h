/* cmd.h: the parts of the command line.  Every command gives the exit status. */
#ifndef CMD_H
#define CMD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "ufc.h"
#include "ufcc.h"

enum { DONE, FAILED, MISUSED }; /* exit statuses */

enum { BUILD = 1, RUN = 2, CHECK = 4, DOCTOR = 8 };

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
    bool json;
    const char *device;
    int threads;
    const char *axis, *axes, *initial, *where; /* of run: as given, NULL without */
    const char *casting, *dtype;
    bool keepdims;
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
int command_check(const struct arguments *args);
int command_doctor(const struct arguments *args);

/* ---- cmd_options.c */

/* argv[0] is the command's name.  arguments_end frees, whatever the status. */
int arguments_parse(struct arguments *args, const struct command *command, int argc, char **argv);
void arguments_end(struct arguments *args);
void print_options(unsigned commands);

/* ---- cmd_report.c: diagnostics */

struct report {
    const char *file; /* for what has no place */
    bool json;        /* to standard output */
    bool colour;
};

void report(const struct report *r, const ufcc_diagnostic *d);

/* ---- cmd_compile.c: a source, read and checked */

struct compilation {
    struct report report;
    ufcc_options options;
    char *text;
    ufcc_program *program;
};

/* False after errors (reported).  compilation_end frees, in both cases. */
bool compile(struct compilation *c, const struct arguments *args, const char *file);
void compilation_end(struct compilation *c);

/* ---- cmd_draft.c: files that take their place when all are made */

struct draft {
    char *path;
    char *temp; /* beside it; NULL: nothing to put into place */
};

/* False after an error (printed).  draft_end removes what has not been put into place. */
bool draft_write(struct draft *d, const char *path, const char *data, size_t size);
bool draft_keep(struct draft *d);
void draft_end(struct draft *d);

/* ---- cmd_input.c: the arguments of run */

enum input_kind {
    INPUT_FILE,
    INPUT_NUMBER,
    INPUT_ZEROS,
    INPUT_ONES,
    INPUT_ARANGE,
    INPUT_LINSPACE,
    INPUT_RAND
};

enum { MAX_AXES = 64 };

struct input {
    enum input_kind kind;
    const char *text;
    ufc_type dtype; /* of what is generated */
    int ndim;
    int64_t shape[MAX_AXES];
    DLManagedTensorVersioned *array;
    ufc_arg arg; /* what the call takes */
};

bool is_number(const char *text);
/* NULL, or what is wrong with the name. */
const char *dtype_parse(ufc_type *dtype, const char *name);
/* NULL, or what is wrong with the text. */
const char *input_parse(struct input *in, const char *text);
/* Reads or fills the array.  index: the argument's, from which its random numbers follow. */
ufc_status input_make(struct input *in, ufc_context *ctx, int index, ufc_error *err);
void input_end(struct input *in);

/* ---- cmd_method.c: the methods of ufuncs, and keywords */

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
/* The mask's file.  method_end frees it, whatever the status. */
ufc_status method_make(struct method *m, ufc_context *ctx, ufc_error *err);
void method_end(struct method *m);
/* Calls a ufunc or its method; of `at`, out[0].array is what it changes. */
ufc_status method_call(const struct method *m, ufc_context *ctx, const ufc_ufunc *ufunc,
                       const ufc_arg *in, const ufc_out *out, ufc_error *err);

/* ---- cmd_print.c: a host array as NumPy prints it, with the digits that read back */

void print_array(FILE *out, const DLTensor *array);

#endif
