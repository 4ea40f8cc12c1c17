/* cmd_run.c: `ufc run`: a source compiled, loaded and called, all in memory. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

struct run {
    const struct arguments *args;
    struct input *inputs;
    int ninputs;
    ufc_context *ctx;
    struct compilation compilation;
    const ufc_ufunc *ufunc;
    struct method method;
    char *name; /* of the ufunc, without its method */
    int nout;
    DLManagedTensorVersioned **results;
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

static int parse_name(struct run *r) {
    const char *name = r->args->operands[1];
    size_t length;
    int status = method_named(&r->method, r->args->command, name, &length);
    if (status == DONE)
        status = method_keywords(&r->method, r->args);
    if (status != DONE)
        return status;
    r->name = strndup(name, length);
    return r->name ? DONE : complain("out of memory");
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

static int wrong_method_count(const struct run *r) {
    const char *texts[] = {"ARRAY", "ARRAY INDICES", "ARRAY INDICES Y"};
    bool outer = strcmp(r->method.name, "outer") == 0;
    return complain("%s has %d argument%s, not %d: %s", r->args->operands[1], r->method.nargs,
                    r->method.nargs == 1 ? "" : "s", r->ninputs,
                    outer ? "X Y" : texts[r->method.nargs - 1]);
}

static int wrong_count(const ufc_ufunc *ufunc, int given) {
    ufc_description d = ufc_describe(ufunc);
    complain("%s has %d argument%s, not %d:", d.name, d.nin, d.nin == 1 ? "" : "s", given);
    fprintf(stderr, "  %s(", d.name);
    for (int i = 0; i < d.nin; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", d.operands[i]);
    fputc(')', stderr);
    for (int i = 0; i < d.noverloads; i++)
        fprintf(stderr, "%s %s", i ? "," : " :", ufc_signature(ufunc, i));
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
    native.compile.only = r->name;
    bool simulated = device.device.device_type == kDLCPU && device.compute_capability > 0;
    if (simulated)
        native.compile.line_info = true;
    else if (device.device.device_type == kDLCPU)
        native.compile.targets = UFCC_HOST;
    if (!compile(&r->compilation, &native, r->args->operands[0]) ||
        !ufcc_load(r->compilation.program))
        return FAILED;
    r->ufunc = ufcc_function(r->compilation.program, r->name);
    if (!r->ufunc)
        return no_such_name(r, r->name);
    ufc_description d = ufc_describe(r->ufunc);
    if (r->method.name && r->method.nargs != r->ninputs)
        return wrong_method_count(r);
    if (!r->method.name && d.nin != r->ninputs)
        return wrong_count(r->ufunc, r->ninputs);
    if (d.nout < r->args->noutputs)
        return misuse(r->args->command, "-o is given %d times, but %s has %d output%s",
                      r->args->noutputs, r->name, d.nout, d.nout == 1 ? "" : "s");
    r->nout = d.nout;
    return DONE;
}

/* ---- the call */

static int call(struct run *r) {
    ufc_arg *in = calloc((size_t)r->ninputs, sizeof *in);
    ufc_out *out = calloc((size_t)r->nout, sizeof *out);
    ufc_error err = {"out of memory"};
    ufc_status status = UFC_ENOMEM;
    r->results = calloc((size_t)r->nout, sizeof(void *)); /* as each is */
    if (in && out && r->results)
        status = UFC_OK;
    for (int i = 0; status == UFC_OK && i < r->ninputs; i++) {
        status = input_make(&r->inputs[i], r->ctx, i, &err);
        in[i] = r->inputs[i].arg;
    }
    for (int i = 0; status == UFC_OK && i < r->nout; i++)
        out[i] = ufc_new(&r->results[i]);
    if (status == UFC_OK)
        status = method_make(&r->method, r->ctx, &err);
    if (status == UFC_OK)
        status = method_call(&r->method, r->ctx, r->ufunc, in, out, &err);
    free(in);
    free(out);
    return status == UFC_OK ? DONE : complain("%s", err.message);
}

/* The inputs are on the host, so the results are. */
static int put_results(const struct run *r) {
    ufc_error err;
    for (int i = 0; i < r->nout; i++) {
        const DLTensor *result = r->results[i]
                                     ? &r->results[i]->dl_tensor /* at changes its first */
                                     : &r->inputs[0].array->dl_tensor;
        if (i >= r->args->noutputs)
            print_array(stdout, result);
        else if (ufc_npy_write(r->args->outputs[i], result, &err) != UFC_OK)
            return complain("%s", err.message);
    }
    return DONE;
}

static void run_end(struct run *r) {
    for (int i = 0; r->results && i < r->nout; i++)
        ufc_free(r->results[i]);
    free(r->results);
    for (int i = 0; r->inputs && i < r->ninputs; i++)
        input_end(&r->inputs[i]);
    free(r->inputs);
    method_end(&r->method);
    free(r->name);
    compilation_end(&r->compilation);
    ufc_context_free(r->ctx);
}

int command_run(const struct arguments *args) {
    if (args->noperands < 2)
        return misuse(args->command,
                      args->noperands ? "no ufunc is named" : "no file and no ufunc are given");
    for (int i = 0; i < args->noutputs; i++) {
        if (strcmp(args->outputs[i], "-") == 0)
            return misuse(args->command, "-o - : results are printed where no -o is given");
        for (int k = 0; k < i; k++)
            if (strcmp(args->outputs[i], args->outputs[k]) == 0)
                return misuse(args->command, "two results cannot go to '%s'", args->outputs[i]);
    }
    int (*const steps[])(struct run *) = {parse_inputs, parse_name, open_device, find_ufunc, call};
    struct run r = {.args = args, .ninputs = args->noperands - 2};
    int status = DONE;
    for (size_t i = 0; status == DONE && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](&r);
    if (status == DONE)
        status = put_results(&r);
    run_end(&r);
    return status;
}
