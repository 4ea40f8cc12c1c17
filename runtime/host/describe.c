/* describe.c: describes how the host runs a loop, as cpu.c and the kernel choose. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu.h"
#include "level.h"
#include "recorder.h"
#include "schedule/statements.h"

void describe_level(ufc_plan_description *d, const struct ufc_overload *overload) {
    int level = code_level(overload);
    d->kernel = "host";
    d->level = level >= 0 ? level_names[level] : NULL;
}

void describe_threads(ufc_plan_description *d, const ufc_context *ctx, int used, const char *why,
                      ...) {
    va_list args;
    d->host_threads = used;
    if (used == ctx->threads) {
        put_text(d->host_why, sizeof d->host_why, "%s",
                 used > 1 ? "all of the context's" : "the context has one");
        return;
    }
    va_start(args, why);
    vsnprintf(d->host_why, sizeof d->host_why, why, args);
    va_end(args);
}

/* Names the arrays whose neighbouring elements lie apart for the kernel. */
static void put_apart(ufc_plan_description *d, const struct job *job) {
    const struct iteration *it = job->it;
    for (int k = 0, n = 0; k < it->nin + it->nout; k++) {
        int64_t step = kernel_step(job, k), size = dtype_info[loop_dtype(job, k)].size;
        if (it->data[k] && step != 0 && step != size)
            put_text(d->why, sizeof d->why, "%s%s (%lld bytes apart)",
                     n++ ? ", " : "; gathered: ", it->ufunc->params[k], (long long)step);
    }
}

/* Describes vectors of calls. */
static void put_calls(ufc_plan_description *d, const struct job *job, const char *why) {
    int64_t calls = job->inner_size;
    put_text(d->why, sizeof d->why, "vectors of %d calls, %s", d->lanes, why);
    if (job->gufunc && job->gufunc->packed > 0)
        put_text(d->why, sizeof d->why, "; %lld at a time are copied side by side",
                 (long long)job->gufunc->packed);
    else
        put_apart(d, job);
    if (calls < d->lanes)
        put_text(d->why, sizeof d->why, "; there %s %lld", calls == 1 ? "is" : "are",
                 (long long)calls);
}

static void put_converted(ufc_plan_description *d, const struct job *job) {
    const struct iteration *it = job->it;
    for (int k = 0, n = 0; k < it->nin + it->nout; k++)
        if (job->casts[k])
            put_text(d->why, sizeof d->why, "%s%s, %s",
                     n++ ? " and " : "; converted: ", it->ufunc->params[k],
                     dtype_info[it->dtype[k]].name);
    if (job->cast_bytes && !job->copies)
        put_text(d->why, sizeof d->why, ", %lld elements at a time", (long long)cast_piece(job));
}

static void put_tiles(ufc_plan_description *d, const struct job *job) {
    const struct iteration *it = job->it;
    for (int k = 0, n = 0; k < it->nin; k++)
        if (job->tiled[k])
            put_text(d->why, sizeof d->why, "%s%s",
                     n++ ? ", " : "; turned, along another axis: ", it->ufunc->params[k]);
    put_text(d->why, sizeof d->why, ", by tiles of %lld x %lld", (long long)job->across_tile,
             (long long)job->along_tile);
}

static void put_way(ufc_plan_description *d, const struct job *job, uint32_t way) {
    char vectors[32];
    snprintf(vectors, sizeof vectors, "vectors of %d", d->lanes);
    switch ((enum ufc_host_way)(way & UFC_WAY_MASK)) {
    case UFC_WAY_ORDERED:
        put_text(d->why, sizeof d->why,
                 "element by element, since an output overlaps an input, or has one element for "
                 "all");
        break;
    case UFC_WAY_BUFFERED:
        put_text(d->why, sizeof d->why, "%s elements", vectors);
        put_apart(d, job);
        break;
    case UFC_WAY_DIRECT: put_text(d->why, sizeof d->why, "%s elements", vectors); break;
    case UFC_WAY_CHECKED:
        put_text(d->why, sizeof d->why, "element by element, since subscripts are tested");
        break;
    case UFC_WAY_IN_TURN:
        put_text(d->why, sizeof d->why, "element by element, since their order counts");
        break;
    case UFC_WAY_FEW:
        put_text(d->why, sizeof d->why,
                 "element by element: %lld call%s whose loops are serial would not fill vectors",
                 (long long)job->inner_size, job->inner_size == 1 ? "" : "s");
        break;
    case UFC_WAY_CALLS: put_calls(d, job, "whose loops are serial"); break;
    case UFC_WAY_NARROW: put_calls(d, job, "which are small"); break;
    case UFC_WAY_POINTS: put_text(d->why, sizeof d->why, "%s elements of a call", vectors); break;
    case UFC_WAY_TILES:
        put_text(d->why, sizeof d->why, "tiles of a call's results, in %s", vectors);
        break;
    default: break;
    }
    if (way & UFC_WAY_APART)
        put_text(d->why, sizeof d->why, ", which are gathered: neighbours lie apart");
}

static void put_threads(ufc_plan_description *d, const ufc_context *ctx, const struct job *job,
                        enum ufc_host_way way) {
    const struct gufunc_job *gufunc = job->gufunc;
    long long total = (long long)job->it->total;
    const char *s = total == 1 ? "" : "s";
    int used = threads_used(job->threads, job->shared, job->grain);
    if (!gufunc) {
        describe_threads(d, ctx, used, "%lld element%s: %d are worth a thread", total, s,
                         HOST_GRAIN);
    } else if (!gufunc->shares) {
        describe_threads(d, ctx, used, "%lld call%s of %lld element%s or less: a thread has %lld",
                         total, s, (long long)gufunc->work, gufunc->work == 1 ? "" : "s",
                         (long long)job->grain);
    } else {
        bool alone = way == UFC_WAY_CALLS || way == UFC_WAY_FEW || way == UFC_WAY_NARROW;
        d->host_threads = alone ? 1 : gufunc->threads;
        put_text(d->host_why, sizeof d->host_why, "few calls of much work%s",
                 alone ? ", of which nothing can be shared out"
                       : ": what has no order in each is shared");
    }
}

ufc_status cpu_describe(ufc_context *ctx, const struct iteration *it, ufc_plan_description *d,
                        ufc_error *err) {
    struct job job;
    struct gufunc_job gufunc;
    ufc_status status = cpu_choose(ctx, it, &job, &gufunc, err);
    if (status != UFC_OK)
        return status;
    describe_level(d, it->overload);
    uint32_t way = ask_kernel(&job), how = way & UFC_WAY_MASK;
    bool one = how == UFC_WAY_ORDERED || how == UFC_WAY_IN_TURN || how == UFC_WAY_FEW;
    d->lanes = !way ? 0 : one ? 1 : (int)(way >> UFC_WAY_LANES);
    if (way)
        put_way(d, &job, way);
    describe_special(d, job.special);
    if (job.across)
        put_tiles(d, &job);
    put_converted(d, &job);
    if (it->masked)
        put_text(d->why, sizeof d->why, "; in runs that 'where' has, short ones gathered");
    put_threads(d, ctx, &job, (enum ufc_host_way)how);
    if (it->core) {
        struct body body;
        model_body(&body, it);
        describe_statements(&body, NULL, NULL, d->statements, sizeof d->statements);
    }
    return UFC_OK;
}
