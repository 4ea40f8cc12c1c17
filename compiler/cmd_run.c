/* cmd_run.c: `ufc run`: a source compiled, loaded and called, all in memory. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"
#include "kabi.h" /* how many arguments a ufunc has, and how they are called */

struct run {
    const struct arguments *args;
    struct input *inputs;
    int ninputs;
    ufc_context *ctx;
    struct compilation compilation;
    const ufc_ufunc *ufunc;
    DLManagedTensorVersioned *results[UFC_MAX_OPERANDS];
};

static int parse_inputs(struct run *r) {
    char **texts = r->args->operands + 2; /* after the file and the name */
    r->inputs = calloc((size_t)r->ninputs + 1, sizeof *r->inputs);
    if (!r->inputs)
        return complain("out of memory");
    for (int i = 0; i < r->ninputs; i++) {
        const char *wrong = input_parse(&r->inputs[i], texts[i]);
        if (wrong)
            return misuse(r->args->command, "'%s': %s", texts[i], wrong);
    }
    return DONE;
}

static int open_device(struct run *r) {
    ufc_error err;
    ufc_status status = ufc_context_new(&r->ctx, r->args->device, r->args->threads, &err);
    if (status == UFC_EINVAL)
        return misuse(r->args->command, "%s", err.message);
    return status == UFC_OK ? DONE : complain("%s", err.message);
}

/* ---- the ufunc */

static int no_such_name(const struct run *r, const char *name) {
    const char *known = NULL;
    char *list = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&list, &size);
    if (!out)
        return complain("out of memory");
    for (int i = 0; (known = ufcc_function_name(r->compilation.program, i)) != NULL; i++)
        fprintf(out, "%s%s", i ? ", " : "", known);
    fclose(out);
    complain("%s has no ufunc '%s'%s%s", r->args->operands[0], name, size ? "; it has " : "", list);
    free(list);
    return FAILED;
}

static int wrong_count(const struct ufc_ufunc *f, int given) {
    complain("%s has %d argument%s, not %d:", f->name, (int)f->nin, f->nin == 1 ? "" : "s", given);
    fprintf(stderr, "  %s(", f->name);
    for (uint32_t i = 0; i < f->nin; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", f->params[i]);
    fputc(')', stderr);
    for (uint32_t i = 0; i < f->noverloads; i++)
        fprintf(stderr, "%s %s", i ? "," : " :", f->overloads[i].signature);
    fputc('\n', stderr);
    return FAILED;
}

static int find_ufunc(struct run *r) {
    struct arguments native = *r->args;
    ufc_properties device;
    ufc_error err;
    if (ufc_context_properties(r->ctx, &device, &err) != UFC_OK)
        return complain("%s", err.message);
    native.compile.native = true;
    if (device.device.device_type == kDLCPU)
        native.compile.targets = UFCC_HOST;
    const char *name = r->args->operands[1];
    if (!compile(&r->compilation, &native, r->args->operands[0]) ||
        !ufcc_load(r->compilation.program))
        return FAILED;
    r->ufunc = ufcc_function(r->compilation.program, name);
    if (!r->ufunc)
        return no_such_name(r, name);
    if (r->ufunc->nin != (uint32_t)r->ninputs)
        return wrong_count(r->ufunc, r->ninputs);
    if (r->ufunc->nout < (uint32_t)r->args->noutputs)
        return misuse(r->args->command, "-o is given %d times, but %s has %d output%s",
                      r->args->noutputs, name, (int)r->ufunc->nout, r->ufunc->nout == 1 ? "" : "s");
    return DONE;
}

/* ---- the call */

static int call(struct run *r) {
    ufc_arg in[UFC_MAX_OPERANDS];
    ufc_out out[UFC_MAX_OPERANDS];
    ufc_error err;
    for (int i = 0; i < r->ninputs; i++) {
        if (input_make(&r->inputs[i], r->ctx, i, &err) != UFC_OK)
            return complain("%s", err.message);
        in[i] = r->inputs[i].arg;
    }
    for (uint32_t i = 0; i < r->ufunc->nout; i++)
        out[i] = ufc_new(&r->results[i]);
    if (ufc_call(r->ctx, NULL, r->ufunc, in, out, &err) != UFC_OK)
        return complain("%s", err.message);
    return DONE;
}

/* The inputs are on the host, so the results are. */
static int put_results(const struct run *r) {
    ufc_error err;
    for (int i = 0; i < (int)r->ufunc->nout; i++) {
        const DLTensor *result = &r->results[i]->dl_tensor;
        if (i >= r->args->noutputs)
            print_array(stdout, result);
        else if (ufc_npy_write(r->args->outputs[i], result, &err) != UFC_OK)
            return complain("%s", err.message);
    }
    return DONE;
}

static void run_end(struct run *r) {
    for (int i = 0; i < UFC_MAX_OPERANDS; i++)
        ufc_free(r->results[i]);
    for (int i = 0; r->inputs && i < r->ninputs; i++)
        input_end(&r->inputs[i]);
    free(r->inputs);
    compilation_end(&r->compilation);
    ufc_context_free(r->ctx);
}

int command_run(const struct arguments *args) {
    if (args->noperands < 2)
        return misuse(args->command,
                      args->noperands ? "no ufunc is named" : "no file and no ufunc are given");
    int (*const steps[])(struct run *) = {parse_inputs, open_device, find_ufunc, call};
    struct run r = {.args = args, .ninputs = args->noperands - 2};
    int status = DONE;
    for (size_t i = 0; status == DONE && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](&r);
    if (status == DONE)
        status = put_results(&r);
    run_end(&r);
    return status;
}
