/* call.c: what `ufc run`, `ufc bench` and `ufc explain` share: compiling a source in memory and
 * calling it on arguments from the command line. */
#include <stdlib.h>
#include <string.h>

#include "cmd.h"

static int parse_inputs(struct call *c) {
    char **texts = c->args->operands + 2; /* after the file and the name */
    c->inputs = calloc((size_t)c->ninputs + 1, sizeof *c->inputs);
    if (!c->inputs)
        return complain("out of memory");
    for (int i = 0; i < c->ninputs; i++) {
        const char *wrong = input_parse(&c->inputs[i], texts[i]);
        if (wrong)
            return refuse(c->args->command, NULL, texts[i], wrong);
        if (c->inputs[i].kind == INPUT_SAME && c->inputs[i].same >= i)
            return misuse(c->args->command, "'%s': say an argument before this one", texts[i]);
        if (c->inputs[i].kind == INPUT_SAME && c->inputs[c->inputs[i].same].kind == INPUT_NUMBER)
            return misuse(c->args->command, "'%s': that is a number", texts[i]);
    }
    return DONE;
}

static int parse_name(struct call *c) {
    const char *name = c->args->operands[1];
    size_t length;
    int status = method_named(&c->method, c->args->command, name, &length);
    if (status == DONE)
        status = method_keywords(&c->method, c->args);
    if (status != DONE)
        return status;
    c->name = strndup(name, length);
    return c->name ? DONE : complain("out of memory");
}

static int open_device(struct call *c) {
    ufc_error err;
    ufc_status status = ufc_context_new(&c->ctx, c->args->device, c->args->threads, &err);
    if (status == UFC_EINVAL)
        return misuse(c->args->command, "%s", err.message);
    return status == UFC_OK ? DONE : complain("%s", err.message);
}

/* Refuses to read arrays from standard input if the source is read from there. */
static int check_stdin(struct call *c) {
    bool read = c->method.where.kind == INPUT_STDIN;
    for (int i = 0; i < c->ninputs; i++)
        read = read || c->inputs[i].kind == INPUT_STDIN;
    if (read && strcmp(c->args->operands[0], "-") == 0)
        return misuse(c->args->command, "'-': standard input is the source, so it is no array");
    return DONE;
}

/* ---- the ufunc */

static int wrong_method_count(const struct call *c) {
    const char *texts[] = {"ARRAY", "ARRAY INDICES", "ARRAY INDICES Y"};
    bool outer = strcmp(c->method.name, "outer") == 0;
    return complain("%s has %d argument%s, not %d: %s", c->args->operands[1], c->method.nargs,
                    c->method.nargs == 1 ? "" : "s", c->ninputs,
                    outer ? "X Y" : texts[c->method.nargs - 1]);
}

/* Prints the declaration of the ufunc of a name, or of all if name is NULL.  False: memory is out;
 * that is printed. */
static bool list_declarations(const ufcc_program *program, const char *name, FILE *out,
                              const char *indent) {
    const char *known;
    for (int i = 0; (known = ufcc_function_name(program, i)) != NULL; i++) {
        if (name && strcmp(known, name) != 0)
            continue;
        char *text = ufcc_function_declaration(program, i);
        if (!text) {
            complain("out of memory");
            return false;
        }
        fprintf(out, "%s%s\n", indent, text);
        free(text);
    }
    return true;
}

static int wrong_count(const struct call *c, int wanted) {
    complain("%s has %d argument%s, not %d:", c->name, wanted, wanted == 1 ? "" : "s", c->ninputs);
    list_declarations(c->compilation.program, c->name, stderr, "  ");
    return FAILED;
}

int list_ufuncs(const struct arguments *args) {
    struct compilation c;
    bool listed = compile_any(&c, args) && list_declarations(c.program, NULL, stdout, "");
    compilation_end(&c);
    return listed ? DONE : FAILED;
}

static int find_ufunc(struct call *c) {
    struct arguments native = *c->args;
    ufc_properties device;
    ufc_error err;
    if (ufc_context_properties(c->ctx, &device, &err) != UFC_OK)
        return complain("%s", err.message);
    native.compile.only = c->name;
    bool simulated = device.device.device_type == kDLCPU && device.compute_capability > 0;
    if (simulated)
        native.compile.line_info = true;
    else if (device.device.device_type == kDLCPU)
        native.compile.targets = UFCC_HOST;
    if (!compile(&c->compilation, &native, c->args->operands[0]) ||
        !ufcc_load(c->compilation.program))
        return FAILED;
    c->ufunc = ufcc_function(c->compilation.program, c->name);
    if (c->args->specialize)
        ufcc_specialize(c->compilation.program, c->name, UFCC_SPECIALIZE);
    ufc_description d = ufc_describe(c->ufunc);
    if (c->method.name && c->method.nargs != c->ninputs)
        return wrong_method_count(c);
    if (!c->method.name && d.nin != c->ninputs)
        return wrong_count(c, d.nin);
    if (d.nout < c->args->noutputs)
        return misuse(c->args->command, "-o is given %d times, but %s has %d output%s",
                      c->args->noutputs, c->name, d.nout, d.nout == 1 ? "" : "s");
    c->nout = d.nout;
    return DONE;
}

int call_open(struct call *c, const struct arguments *args) {
    int (*const steps[])(struct call *) = {parse_inputs, parse_name, check_stdin, open_device,
                                           find_ufunc};
    *c = (struct call){.args = args, .ninputs = args->noperands - 2};
    if (args->noperands == 0)
        return misuse(args->command, "no file and no ufunc are given");
    int status = DONE;
    for (size_t i = 0; status == DONE && i < sizeof steps / sizeof steps[0]; i++)
        status = steps[i](c);
    if (status != DONE)
        return status;
    c->in = calloc((size_t)c->ninputs + 1, sizeof *c->in);
    c->out = calloc((size_t)c->nout, sizeof *c->out);
    c->results = calloc((size_t)c->nout, sizeof(void *)); /* an array of pointers */
    return c->in && c->out && c->results ? DONE : complain("out of memory");
}

bool call_spares(const struct call *c, const char *output) {
    bool spares = compilation_spares(&c->compilation, c->args, output);
    for (int i = -1; spares && i < c->ninputs; i++) {
        const struct input *in = i < 0 ? &c->method.where : &c->inputs[i];
        if (in->kind == INPUT_FILE || in->kind == INPUT_STDIN)
            spares = output_spares(output, in->base);
    }
    return spares;
}

/* ---- the call */

/* Whether argument i is the indices of reduceat. */
static bool stays_on_host(const struct call *c, int i) {
    const char *name = c->method.name;
    return i == 1 && name && strcmp(name, "reduceat") == 0;
}

ufc_status call_make(struct call *c, struct making how, ufc_error *err) {
    ufc_status status = UFC_OK;
    how.ctx = c->ctx;
    how.inputs = c->inputs;
    for (int i = 0; status == UFC_OK && i < c->ninputs; i++) {
        struct making this = how;
        this.on_device = how.on_device && !stays_on_host(c, i);
        status = input_make(&c->inputs[i], &this, i, err);
        c->in[i] = c->inputs[i].arg;
    }
    for (int i = 0; i < c->nout; i++)
        c->out[i] = ufc_new(&c->results[i]);
    return status == UFC_OK ? method_make(&c->method, &how, err) : status;
}

static bool has_operand(const ufc_ufunc *ufunc, const char *name) {
    ufc_description d = ufc_describe(ufunc);
    for (int k = 0; k < d.nin + d.nout; k++)
        if (strcmp(d.operands[k], name) == 0)
            return true;
    return false;
}

/* Replaces keywords of C in a message by the options that give them. */
static void name_options(const struct call *c, ufc_error *err) {
    static const struct {
        const char *keyword, *option;
    } names[] = {{"where", "--where"},       {"casting", "--casting"}, {"dtype", "--dtype"},
                 {"axes", "--axis"},         {"core_axes", "--axes"},  {"all_axes", "--axis=none"},
                 {"keepdims", "--keepdims"}, {"initial", "--initial"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char quoted[16], text[sizeof err->message], *at;
        snprintf(quoted, sizeof quoted, "'%s'", names[i].keyword);
        if (has_operand(c->ufunc, names[i].keyword))
            continue;
        while ((at = strstr(err->message, quoted)) != NULL) {
            snprintf(text, sizeof text, "%.*s%s%s", (int)(at - err->message), err->message,
                     names[i].option, at + strlen(quoted));
            memcpy(err->message, text, sizeof text);
        }
    }
}

ufc_status call_once(const struct call *c, ufc_plan_description *description, ufc_error *err) {
    struct crash_watch watch;
    crash_watch(&watch, !c->args->compile.check);
    ufc_status status = method_call(&c->method, c->ctx, c->ufunc, c->in, c->out, description, err);
    crash_unwatch(&watch);
    if (status != UFC_OK)
        name_options(c, err);
    return status;
}

void call_unmake(struct call *c) {
    for (int i = 0; c->results && i < c->nout; i++) {
        ufc_free(c->results[i]);
        c->results[i] = NULL;
    }
    for (int i = 0; c->inputs && i < c->ninputs; i++)
        input_unmake(&c->inputs[i]);
    input_unmake(&c->method.where);
}

void call_end(struct call *c) {
    call_unmake(c);
    for (int i = 0; c->inputs && i < c->ninputs; i++)
        input_end(&c->inputs[i]);
    free(c->inputs);
    free(c->in);
    free(c->out);
    free(c->results);
    method_end(&c->method);
    free(c->name);
    compilation_end(&c->compilation);
    ufc_context_free(c->ctx);
}
