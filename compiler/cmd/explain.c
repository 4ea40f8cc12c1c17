/* explain.c: `ufc explain`: how a call would run, without running it. */
#include <string.h>

#include "cmd.h"

static void line(const char *what) {
    printf("%-12s ", what);
}

/* Prints how host code runs the call. */
static void print_host(const ufc_plan_description *d) {
    printf("%s, %s%s%s\n", d->kernel, d->level, *d->why ? ": " : "", d->why);
    line("threads");
    printf("%d: %s\n", d->host_threads, d->host_why);
}

static void print_passes(const ufc_plan_description *d) {
    if (!*d->passes)
        return;
    line("passes");
    printf("%s\n", d->passes);
}

/* "line 8       4096 points, …" */
static void print_statements(const char *text) {
    while (*text) {
        char label[32];
        int number = (int)strcspn(text, ":"), all = (int)strcspn(text, "\n");
        snprintf(label, sizeof label, "line %.*s", number, text);
        line(label);
        printf("%.*s\n", all - number - 2, text + number + 2);
        text += all + 1;
    }
}

static void print_special(const ufc_plan_description *d) {
    if (!*d->special)
        return;
    line("code");
    printf("%s\n", d->special);
}

static void print_kernel(const ufc_plan_description *d) {
    line("kernel");
    if (d->level) {
        print_host(d);
        print_special(d);
        print_passes(d);
        return;
    }
    printf("%s%s%s\n", d->kernel, *d->why ? ", since " : "", d->why);
    if (d->launches == 0)
        return;
    print_special(d);
    if (d->width > 0) {
        line("width");
        printf("%d element%s in one access%s\n", d->width, d->width == 1 ? "" : "s",
               d->width == 1 ? "" : ", where alignment lets it");
    }
    if (d->call_threads > 0) {
        line("call");
        printf("%lld thread%s each\n", (long long)d->call_threads, d->call_threads == 1 ? "" : "s");
    }
    line("grid");
    printf("%u block%s of %u threads", d->blocks, d->blocks == 1 ? "" : "s", d->threads);
    printf(d->launches > 1 ? ", the first of %d launches\n" : "\n", d->launches);
    print_passes(d);
    line("registers");
    if (d->registers)
        printf("%d a thread, occupancy %.0f %%\n", d->registers, 100 * d->occupancy);
    else
        printf("not known here\n");
}

/* "0 and 2, 1000 elements" */
static void print_axes(const ufc_plan_description *d) {
    line(d->naxes == 1 ? "axis" : "axes");
    for (int i = 0; i < d->naxes; i++)
        printf("%s%d", i ? " and " : "", d->axes[i]);
    printf("%s%lld element%s\n", d->naxes ? ", " : "none, ", (long long)d->length,
           d->length == 1 ? "" : "s");
}

/* "507.0 us of bytes; float32 12.3 us", "2118.4 us of a chain of 1048583 operations; bytes 2.0 us"
 */
static void print_bound(const ufc_plan_description *d) {
    if (d->bytes_seconds <= 0)
        return;
    line("bound");
    if (d->work_seconds > d->bytes_seconds && d->chained > 0)
        printf("%.1f us of a chain of %.0f operations; bytes %.1f us\n", d->work_seconds * 1e6,
               d->chained, d->bytes_seconds * 1e6);
    else if (d->work_seconds > d->bytes_seconds)
        printf("%.1f us of %s; bytes %.1f us\n", d->work_seconds * 1e6, d->work_by,
               d->bytes_seconds * 1e6);
    else
        printf("%.1f us of bytes; %s %.1f us\n", d->bytes_seconds * 1e6,
               d->work_seconds > 0 ? d->work_by : "operations", d->work_seconds * 1e6);
}

/* core_signature: of a gufunc; NULL: a ufunc.  is_method: it goes along axes. */
static void print_plan(const ufc_plan_description *d, const char *core_signature, bool is_method) {
    if (!d->signature) {
        puts("nothing to compute: an array has no elements");
        return;
    }
    line("signature");
    printf("%s\n", d->signature);
    if (core_signature) {
        line("core");
        printf("%s%s%s\n", core_signature, *d->core ? ", " : "", d->core);
    }
    if (*d->device) {
        line("device");
        printf("%s\n", d->device);
    }
    if (is_method)
        print_axes(d);
    line(is_method ? "lines" : "loop");
    for (int i = 0; i < d->ndim; i++)
        printf("%s%lld", i ? " x " : "", (long long)d->shape[i]);
    printf("%s\n", d->ndim ? "" : is_method ? "one" : core_signature ? "one call" : "one element");
    if (*d->parts) {
        line("parts");
        printf("%s\n", d->parts);
    }
    print_kernel(d);
    print_statements(d->statements);
    line("bytes");
    printf(d->bytes ? "%lld\n" : "not known here\n", (long long)d->bytes);
    line("temporaries");
    if (d->temporaries)
        printf("%lld bytes\n", (long long)d->temporaries);
    else
        printf("none\n");
    if (*d->arrays) {
        line("arrays");
        printf("%s\n", d->arrays);
    }
    if (*d->copies) {
        line("copies");
        printf("%s\n", d->copies);
    }
    print_bound(d);
    line("predicted");
    if (d->bytes_per_second > 0)
        printf("%.0f GB/s, %.1f us, by %s\n", d->bytes_per_second * 1e-9,
               (double)d->bytes / d->bytes_per_second * 1e6, d->predicted_by);
    else
        printf("not known here\n");
}

static int explain(struct call *c) {
    ufc_plan_description d;
    ufc_error err;
    for (int i = 0; i < c->ninputs; i++)
        if (c->inputs[i].swept)
            return misuse(c->args->command, "'%s': the size N is for ufc bench --sizes",
                          c->inputs[i].text);
    /* As run has them, where these decide which device it is. */
    bool on_host = ufc_context_gpus(c->ctx) > 0 || strcmp(c->args->device, "auto") == 0;
    ufc_status status = call_make(c, (struct making){.on_device = !on_host}, &err);
    if (status == UFC_OK)
        status = call_once(c, &d, &err);
    if (status != UFC_OK)
        return complain("%s", err.message);
    print_plan(&d, ufc_describe(c->ufunc).core, method_has_axes(&c->method));
    return DONE;
}

int command_explain(const struct arguments *args) {
    if (args->noperands == 1)
        return list_ufuncs(args);
    struct call c;
    int status = call_open(&c, args);
    if (status == DONE)
        status = explain(&c);
    call_end(&c);
    return status;
}
