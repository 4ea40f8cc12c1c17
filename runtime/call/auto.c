/* auto.c: the host or a GPU, for a call whose arrays are all on the host, and whose context leaves
 * it open: whichever is predicted to take less time, by the machine's rates and by what the body
 * does.  Of a GPU that is with the arrays' way there and back. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "code.h"
#include "schedule/model.h"
#include "rates.h"
#include "recorder.h"

/* What of a call's time is predicted. */
struct work {
    double operations[UFC_WORK_COUNT], all;
    double narrow, wide; /* the same in operations of the host that it reaches, of 32 and 64 bits */
    double chain;        /* clocks of a GPU in which a call's iterations wait for one another */
};

static double larger(double a, double b) {
    return a > b ? a : b;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

void load_add(struct load *l, const struct operand *op, bool is_read, bool is_written) {
    if (op->is_number || op->ndim < 0)
        return;
    double bytes = dtype_info[op->dtype].size;
    for (int i = 0; i < op->ndim; i++)
        bytes *= op->shape[i] != 1 && op->stride[i] == 0 ? 1 : (double)op->shape[i];
    l->in += is_read ? bytes : 0;
    l->out += is_written ? bytes : 0;
    l->pageable = l->pageable || !op->pinned;
}

/* ---- predictions */

/* The elements that threads of the host share: of a gufunc about as many as a call works on. */
static double shared_elements(const struct iteration *it) {
    double n = (double)it->total, each = 1;
    for (uint32_t d = 0; it->core && d < it->ufunc->core->ndims; d++)
        each *= it->core->size[d] > 0 ? (double)it->core->size[d] : 1;
    return n * smaller(each, SHARED_CALL_ELEMS);
}

static double predict_host(const ufc_context *host, const ufc_rates *r, const struct load *l,
                           const struct work *w) {
    double threads = smaller(host->threads, shared_elements(l->it) / HOST_GRAIN);
    threads = larger(1, (double)(int64_t)threads);
    double bytes = l->in + l->out, rate = r->host_cached * threads;
    double moving = bytes / rate;
    if (bytes > AUTO_CACHED * threads)
        moving = larger(moving, bytes / r->host_memory);
    double computing = (w->narrow / r->host_float32 + w->wide / r->host_float64) / threads;
    /* Calls wait for their own steps: one after the other, or where they are many a vector's. */
    double calls = (double)l->it->total, each = calls < AUTO_LANES ? calls : calls / AUTO_LANES;
    double waiting = w->chain / AUTO_STEP_CLOCKS / r->host_steps *
                     larger(1, each / smaller(threads, larger(1, each)));
    double start = threads > 1 ? r->host_start * (threads - 1) / (host->threads - 1) : 0;
    return start + larger(moving, larger(computing, waiting));
}

/* Sets *copying to what of it is the arrays' way: in portions both ways overlap, and the kernel,
 * but for the first portion's way there, and the last one's back. */
static double predict_gpu(const struct gpu_model *m, const ufc_rates *r, const struct load *l,
                          const struct work *w, double *copying) {
    double to = l->in / (l->pageable ? r->to_gpu : r->pinned_to_gpu);
    double from = l->out / (l->pageable ? r->from_gpu : r->pinned_from_gpu);
    double computing = m->copy_rate > 0 ? (l->in + l->out) / m->copy_rate : 0;
    for (int k = 0; k < UFC_WORK_COUNT; k++)
        if (m->rate[k] > 0)
            computing = larger(computing, w->operations[k] / m->rate[k]);
    if (m->clock > 0)
        computing = larger(computing, w->chain / m->clock);
    double portions = (l->in + l->out) / PORTION_BYTES;
    *copying = to + from;
    if (l->pageable || portions <= 2)
        return r->gpu_start + *copying + computing;
    *copying = larger(to, from) + smaller(to, from) / portions;
    return portions * r->gpu_start + larger(*copying, computing);
}

/* ---- the choice */

ufc_status host_beside(ufc_context **host, const ufc_context *gpu, ufc_error *err) {
    *host = gpu->beside;
    return *host ? UFC_OK : shared_context(host, (DLDevice){kDLCPU, 0}, err);
}

/* Says where the call goes, and why, in a description. */
static void tell(struct recorder *r, const ufc_context *ctx, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void tell(struct recorder *r, const ufc_context *ctx, const char *format, ...) {
    char why[sizeof r->d->device];
    va_list args;
    if (!r)
        return;
    va_start(args, format);
    (void)vsnprintf(why, sizeof why, format, args);
    va_end(args);
    *r->d->device = 0;
    put_text(r->d->device, sizeof r->d->device, "%s", ctx->ops->name);
    if (ctx->ops->count)
        put_text(r->d->device, sizeof r->d->device, ":%d", (int)ctx->device.device_id);
    put_text(r->d->device, sizeof r->d->device, ", %s", why);
}

static bool has_host_code(const struct ufc_overload *overload) {
    return code_level(overload) >= 0;
}

/* Are operations added up in an innermost loop?  The host has them in registers, and adds a product
 * by one operation. */
static bool adds_up(const struct ufc_overload *o, uint64_t loops) {
    return loops && o->loops[63 - __builtin_clzll(loops)].kind == UFC_LOOP_REDUCTION;
}

static void count_work(const struct iteration *it, struct work *w) {
    const struct ufc_overload *o = it->overload;
    *w = (struct work){.chain = model_chain(it, NULL)};
    for (uint32_t i = 0; i < o->nwork; i++) {
        double n = (double)it->total * model_points(it, o->work[i].loops);
        double reached = .01 * (adds_up(o, o->work[i].loops) ? AUTO_ADDED : AUTO_REACHED);
        for (int k = 0; k < UFC_WORK_COUNT; k++) {
            double own = n * o->work[i].operations[k];
            w->operations[k] += own;
            w->all += own;
            *(k == UFC_WORK_FLOAT64 ? &w->wide : &w->narrow) +=
                own * (k == UFC_WORK_SPECIAL ? AUTO_SPECIAL : 1) / reached;
        }
    }
}

/* Chooses between a GPU and the host beside it by what the call takes on either. */
static ufc_context *choose(ufc_context *host, ufc_context *gpu, const struct load *l,
                           const struct work *w, struct recorder *recorder) {
    const ufc_rates *r;
    double copying;
    if (gpu->ops->own && gpu->ops->own->room(gpu, NULL, true) < AUTO_ROOM) {
        tell(recorder, host, "since the GPU's memory limit leaves next to nothing");
        return host;
    }
    if (find_rates(host, gpu, &r, NULL) != UFC_OK) {
        tell(recorder, host, "since the machine's rates cannot be measured");
        return host;
    }
    double there = predict_gpu(&gpu->gpu, r, l, w, &copying), here = predict_host(host, r, l, w);
    if (here <= there)
        tell(recorder, host, "%.1f us; %s:%d would take %.1f us, %.1f us of them to copy",
             here * 1e6, gpu->ops->name, (int)gpu->device.device_id, there * 1e6, copying * 1e6);
    else
        tell(recorder, gpu, "%.1f us, %.1f us of them to copy; %s would take %.1f us", there * 1e6,
             copying * 1e6, host->ops->name, here * 1e6);
    return here <= there ? host : gpu;
}

ufc_status decide_device(ufc_context **ctx, const struct undecided *undecided, const struct load *l,
                         struct recorder *recorder, ufc_error *err) {
    const struct ufc_overload *o = l->it->overload;
    ufc_context *gpu = undecided->given, *host = gpu ? gpu->beside : NULL, *chosen;
    struct work w;
    ufc_status status = host ? UFC_OK : shared_context(&host, (DLDevice){kDLCPU, 0}, err);
    if (status != UFC_OK)
        return status;
    count_work(l->it, &w);
    bool few = l->in + l->out <= AUTO_FEW_BYTES && w.all <= AUTO_FEW_OPERATIONS && has_host_code(o);
    if (!gpu && (!few || recorder)) /* else no GPU is opened */
        status = default_context(&gpu, NULL, o, err);
    if (status != UFC_OK)
        return status;
    if (!gpu || is_host(gpu->device) || gpu->ops->count_quickly() == 0) {
        chosen = host; /* in a forked child, too, that cannot use the GPU */
    } else if (!gpu->ops->runs(gpu, o)) {
        chosen = host;
        if (undecided->given)
            tell(recorder, chosen, "since the function has no code for the GPU");
    } else if (!has_host_code(o)) {
        chosen = gpu;
        tell(recorder, chosen, "since the function has no code for the host");
    } else if (few) {
        chosen = host;
        tell(recorder, chosen, "since little is to be computed");
    } else {
        chosen = choose(host, gpu, l, &w, recorder);
    }
    *ctx = recorder_context(recorder, chosen);
    return UFC_OK;
}

ufc_status decide_by_arrays(ufc_context **ctx, const struct undecided *undecided,
                            const struct ufc_overload *overload, bool on_host, ufc_error *err) {
    if (!undecided->given)
        return on_host ? UFC_OK : default_context(ctx, NULL, overload, err);
    *ctx = on_host ? undecided->given->beside : undecided->given;
    return UFC_OK;
}
