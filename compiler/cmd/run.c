/* run.c: `ufc run`: calls a ufunc and prints or writes its results. */
#include <string.h>
#include <unistd.h>

#include "cmd.h"

static int check_arguments(const struct call *c) {
    for (int i = 0; i < c->ninputs; i++)
        if (c->inputs[i].swept)
            return misuse(c->args->command, "'%s': the size N is for ufc bench --sizes",
                          c->inputs[i].text);
    return c->method.where.swept
               ? misuse(c->args->command, "--where: the size N is for ufc bench --sizes")
               : DONE;
}

static int call(struct call *c) {
    ufc_error err;
    ufc_status status = call_make(c, (struct making){0}, &err);
    if (status == UFC_OK)
        status = call_once(c, NULL, &err);
    return status == UFC_OK ? DONE : complain("%s", err.message);
}

static bool is_stdout(const char *output) {
    return strcmp(output, "-") == 0;
}

/* Checks, before anything is computed, that all outputs may be written. */
static int check_outputs(const struct call *c) {
    const struct arguments *args = c->args;
    for (int i = 0; i < args->noutputs; i++) {
        if (is_stdout(args->outputs[i]) && c->nout > args->noutputs)
            return misuse(args->command,
                          "-o -: %d of the %d results would be printed there too; "
                          "say -o for each",
                          c->nout - args->noutputs, c->nout);
        if (!call_spares(c, args->outputs[i]))
            return FAILED;
    }
    return DONE;
}

static ufc_status write_result(const char *output, const DLTensor *result, ufc_error *err) {
    if (!is_stdout(output))
        return ufc_npy_write(output, result, err);
    ufc_error why;
    ufc_status status = ufc_npy_write_fd(STDOUT_FILENO, result, &why);
    if (status != UFC_OK)
        snprintf(err->message, sizeof err->message, "standard output: %.*s",
                 (int)sizeof err->message - 20, why.message);
    return status;
}

/* Prints or writes the results, which are on the host, as the inputs are. */
static int put_results(struct call *c) {
    ufc_error err;
    for (int i = 0; i < c->nout; i++) {
        const DLTensor *result =
            c->results[i] ? &c->results[i]->dl_tensor : &c->inputs[0].array; /* `at` changes it */
        if (i >= c->args->noutputs)
            print_array(stdout, result);
        else if (write_result(c->args->outputs[i], result, &err) != UFC_OK)
            return complain("%s", err.message);
    }
    return DONE;
}

/* Checks -o: no .npy file goes to a terminal, and no two results to one file. */
static int check_options(const struct arguments *args) {
    for (int i = 0; i < args->noutputs; i++) {
        if (is_stdout(args->outputs[i]) && isatty(STDOUT_FILENO))
            return misuse(args->command, "-o -: a .npy file is not for a terminal; results are "
                                         "printed where no -o is given");
        for (int k = 0; k < i; k++)
            if (strcmp(args->outputs[i], args->outputs[k]) == 0 && !is_stdout(args->outputs[i]))
                return misuse(args->command, "two results cannot go to '%s'", args->outputs[i]);
    }
    return DONE;
}

int command_run(const struct arguments *args) {
    struct call c;
    int status = check_options(args);
    if (status != DONE || args->noperands == 1)
        return status == DONE ? list_ufuncs(args) : status;
    status = call_open(&c, args);
    if (status == DONE)
        status = check_arguments(&c);
    if (status == DONE)
        status = check_outputs(&c);
    if (status == DONE)
        status = call(&c);
    if (status == DONE)
        status = put_results(&c);
    call_end(&c);
    return status;
}
