/* cmd_run.c: `ufc run`: calls a ufunc and prints or writes its results. */
#include <string.h>

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
        status = call_once(c, &err);
    return status == UFC_OK ? DONE : complain("%s", err.message);
}

/* The inputs are on the host, so the results are. */
static int put_results(struct call *c) {
    ufc_error err;
    for (int i = 0; i < c->nout; i++) {
        const DLTensor *result = c->results[i] ? &c->results[i]->dl_tensor
                                               : &c->inputs[0].array; /* at changes its first */
        if (i >= c->args->noutputs)
            print_array(stdout, result);
        else if (ufc_npy_write(c->args->outputs[i], result, &err) != UFC_OK)
            return complain("%s", err.message);
    }
    return DONE;
}

int command_run(const struct arguments *args) {
    for (int i = 0; i < args->noutputs; i++) {
        if (strcmp(args->outputs[i], "-") == 0)
            return misuse(args->command, "-o - : results are printed where no -o is given");
        for (int k = 0; k < i; k++)
            if (strcmp(args->outputs[i], args->outputs[k]) == 0)
                return misuse(args->command, "two results cannot go to '%s'", args->outputs[i]);
    }
    struct call c;
    int status = call_open(&c, args);
    if (status == DONE)
        status = check_arguments(&c);
    if (status == DONE)
        status = call(&c);
    if (status == DONE)
        status = put_results(&c);
    call_end(&c);
    return status;
}
