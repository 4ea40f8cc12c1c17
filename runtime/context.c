/* context.c: the table of devices; contexts that programs make; the process's own contexts, one a
 * device; the choice of the context that a call runs in. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "gpus.h"
#include "level.h"
#include "memo.h"
#include "rates.h"

enum {
#define DEVICE(name) DEVICE_##name,
#include "device.def"
#undef DEVICE
    DEVICES
};

static const struct device_ops *const devices[DEVICES] = {
#define DEVICE(name) &device_##name,
#include "device.def"
#undef DEVICE
};

static const DLDevice host = {kDLCPU, 0};

/* The place in the table of the first device whose arrays are in such memory. */
static int index_of(DLDevice device) {
    int i = 0;
    while (devices[i]->memory != device.device_type)
        i++;
    return i;
}

const struct device_ops *ops_of(DLDevice device) {
    return devices[index_of(device)];
}

/* Environment variables with malformed values are reported on every device, whether it uses them or
 * not. */
static ufc_status check_environment(ufc_error *err) {
    if (wished_level() < 0)
        return fail(err, UFC_EINVAL,
                    "the environment variable UFC_LEVEL is '%.100s': it may be v2, v3 or v4",
                    getenv("UFC_LEVEL"));
    if (wished_threads() < 0)
        return fail(err, UFC_EINVAL,
                    "the environment variable UFC_NUM_THREADS is '%.100s': it may be a whole "
                    "number from 1 on",
                    getenv("UFC_NUM_THREADS"));
    if (wished_limit(0) < 0)
        return fail(err, UFC_EINVAL,
                    "the environment variable UFC_GPU_MEMORY_LIMIT is '%.100s': it may be bytes, "
                    "as 1000000, 500M or 2G, or a part of the GPU's memory, as 50%%",
                    getenv("UFC_GPU_MEMORY_LIMIT"));
    return UFC_OK;
}

ufc_status open_context(ufc_context **ctx, const struct device_ops *ops, DLDevice device,
                        int threads, ufc_error *err) {
    ufc_status status = check_environment(err);
    if (status != UFC_OK)
        return status;
    ufc_context *c = calloc(1, sizeof *c);
    if (!c)
        return fail(err, UFC_ENOMEM, "out of memory for a context");
    c->ops = ops;
    c->device = device;
    c->threads = !threads ? default_threads() : threads < MAX_THREADS ? threads : MAX_THREADS;
    status = c->ops->open(c, err);
    if (status != UFC_OK) {
        free(c);
        return status;
    }
    if (ops->launches)
        c->memo = memo_new();
    if (ops->count)
        c->rates = rates_new();
    *ctx = c;
    return UFC_OK;
}

void context_as(ufc_context *own, struct device_ops *ops, const ufc_context *ctx) {
    *own = *ctx;
    own->ops = ops;
    own->memo = NULL;
    *ops = *ctx->ops;
}

void ufc_context_free(ufc_context *ctx) {
    if (!ctx)
        return;
    if (ctx->gpus) {
        close_several(ctx);
        return;
    }
    ctx->ops->close(ctx);
    memo_free(ctx->memo);
    rates_free(ctx->rates);
    ufc_context_free(ctx->beside);
    free(ctx);
}

/* Checks that there is a GPU of that number; other devices are not numbered. */
static ufc_status check_number(const struct device_ops *ops, int number, ufc_error *err) {
    const char *why;
    if (!ops->count)
        return UFC_OK;
    int count = ops->count(&why);
    if (count == 0)
        return fail(err, UFC_EDEVICE, "no GPU can be used: %s", why ? why : "none was found");
    if (number < 0 || number >= count || number >= MAX_GPUS)
        return fail(err, UFC_EDEVICE, "there is no GPU %d: the last is %d", number, count - 1);
    return UFC_OK;
}

static ufc_status fail_unknown(const char *text, ufc_error *err) {
    fail(err, UFC_EINVAL, "unknown device '%s': say auto", text);
    for (int i = 0; i < DEVICES; i++) {
        fail_more(err, "%s%s", i == DEVICES - 1 ? " or " : ", ", devices[i]->name);
        if (devices[i]->count)
            fail_more(err, ", %s:N, %s:N,N, %s:all", devices[i]->name, devices[i]->name,
                      devices[i]->name);
    }
    return UFC_EINVAL;
}

/* Reads ":12". */
static bool parse_number(const char *text, int32_t *number) {
    char *end;
    if (text[0] != ':' || text[1] < '0' || text[1] > '9')
        return false;
    long n = strtol(text + 1, &end, 10);
    *number = n < INT32_MAX ? (int32_t)n : INT32_MAX;
    return *end == '\0';
}

static ufc_status parse_device(const char *text, const struct device_ops **ops, DLDevice *device,
                               ufc_error *err) {
    for (int i = 0; i < DEVICES; i++) {
        *ops = devices[i];
        *device = (DLDevice){devices[i]->memory, 0};
        size_t length = strlen(devices[i]->name);
        if (strncmp(text, devices[i]->name, length) != 0)
            continue;
        if (text[length] == '\0' ||
            (devices[i]->count && parse_number(text + length, &device->device_id)))
            return check_number(devices[i], device->device_id, err);
    }
    return fail_unknown(text, err);
}

/* ---- contexts of several */

/* Reads ":all" or ":0,2" of a device that runs kernels; *n: how many, 0: it is no such text. */
static ufc_status parse_list(const char *text, const struct device_ops **ops, int *n, int *number,
                             ufc_error *err) {
    size_t length = strcspn(text, ":");
    const char *at = text + length;
    *n = 0;
    *ops = NULL;
    for (int i = 0; i < DEVICES && !*ops; i++)
        if (devices[i]->launches && strlen(devices[i]->name) == length &&
            strncmp(text, devices[i]->name, length) == 0)
            *ops = devices[i];
    if (!*ops)
        return UFC_OK;
    if ((*ops)->count && strcmp(at, ":all") == 0) {
        ufc_status status = check_number(*ops, 0, err);
        int count = status == UFC_OK ? (*ops)->count(NULL) : 0;
        for (; *n < count && *n < MAX_GPUS; (*n)++)
            number[*n] = *n;
        return status;
    }
    if (!strchr(at, ','))
        return UFC_OK;
    do {
        char *end;
        long given = at[1] >= '0' && at[1] <= '9' ? strtol(at + 1, &end, 10) : -1;
        if (given < 0 || (*end != ',' && *end != '\0') || *n == MAX_GPUS)
            return fail(err, UFC_EINVAL, "device '%.100s': a list of GPUs is %s:0,2, of at most %d",
                        text, (*ops)->name, MAX_GPUS);
        number[(*n)++] = given < INT32_MAX ? (int)given : INT32_MAX;
        at = end;
        ufc_status status = check_number(*ops, number[*n - 1], err);
        if (status != UFC_OK)
            return status;
    } while (*at == ',');
    return UFC_OK;
}

/* Opens a context on a GPU, with the host beside it, where there is one, else on the host. */
static ufc_status open_best(ufc_context **ctx, int threads, ufc_error *err) {
    ufc_context *beside;
    ufc_status status = open_context(&beside, ops_of(host), host, threads, err);
    if (status != UFC_OK)
        return status;
    *ctx = beside;
    for (int i = 0; i < DEVICES; i++)
        if (devices[i]->count && devices[i]->count(NULL) > 0 &&
            open_context(ctx, devices[i], (DLDevice){devices[i]->memory, 0}, threads, NULL) ==
                UFC_OK) {
            (*ctx)->beside = beside;
            return UFC_OK;
        }
    return UFC_OK;
}

ufc_status ufc_context_new(ufc_context **ctx, const char *device, int threads, ufc_error *err) {
    if (!ctx || !device)
        return fail(err, UFC_EINVAL, "%s is NULL", ctx ? "device" : "ctx");
    *ctx = NULL;
    if (threads < 0)
        return fail(err, UFC_EINVAL, "threads is %d: say 0 for one a core", threads);
    if (strcmp(device, "auto") == 0)
        return open_best(ctx, threads, err);
    const struct device_ops *ops;
    DLDevice d;
    int n, number[MAX_GPUS];
    ufc_status status = parse_list(device, &ops, &n, number, err);
    if (status != UFC_OK || n > 0)
        return status == UFC_OK ? open_several(ctx, ops, n, number, threads, err) : status;
    status = parse_device(device, &ops, &d, err);
    return status == UFC_OK ? open_context(ctx, ops, d, threads, err) : status;
}

/* ---- the process's own contexts */

static _Atomic(ufc_context *) shared[DEVICES][MAX_GPUS];

/* The context is opened without a lock, so that a fork in another thread cannot leave one held. */
static ufc_status make_shared(_Atomic(ufc_context *) *place, ufc_context **ctx, DLDevice device,
                              ufc_error *err) {
    ufc_context *made, *first = NULL;
    ufc_status status = open_context(&made, ops_of(device), device, 0, err);
    if (status != UFC_OK)
        return status;
    if (atomic_compare_exchange_strong(place, &first, made)) {
        *ctx = made;
    } else {
        ufc_context_free(made);
        *ctx = first;
    }
    return UFC_OK;
}

ufc_status shared_context(ufc_context **ctx, DLDevice device, ufc_error *err) {
    int i = index_of(device);
    ufc_status status = check_number(devices[i], device.device_id, err);
    if (status != UFC_OK)
        return status;
    _Atomic(ufc_context *) *place = &shared[i][device.device_id];
    *ctx = atomic_load(place);
    return *ctx ? UFC_OK : make_shared(place, ctx, device, err);
}

/* ---- where a call runs */

static bool on_host(const struct operand *op) {
    return op->ndim < 0 || is_host(op->device);
}

/* Indices of operands that are on a GPU; -1: none. */
struct places {
    int gpu; /* the first operand in GPU memory */
    int own; /* the first operand in the memory of one GPU; managed memory is no GPU's own */
};

static ufc_status find_places(struct places *at, int n, const struct operand *op,
                              const char *const *names, ufc_error *err) {
    *at = (struct places){-1, -1};
    for (int k = 0; k < n; k++) {
        if (on_host(&op[k]))
            continue;
        if (at->gpu < 0)
            at->gpu = k;
        if (op[k].device.device_id == ANY_GPU)
            continue;
        if (at->own < 0)
            at->own = k;
        if (op[at->own].device.device_id != op[k].device.device_id)
            return fail(err, UFC_EDEVICE,
                        "array '%s' is on GPU %d and '%s' on GPU %d: copy them to one",
                        names[at->own], (int)op[at->own].device.device_id, names[k],
                        (int)op[k].device.device_id);
    }
    return UFC_OK;
}

/* Of several GPUs takes the one that an array is on. */
static void take_gpu(ufc_context **ctx, const struct places *at, const struct operand *op) {
    const struct gpus *g = (*ctx)->gpus;
    for (int i = 0; g && at->own >= 0 && i < g->n; i++)
        if (g->gpu[i].ctx->device.device_id == op[at->own].device.device_id) {
            *ctx = g->gpu[i].ctx;
            return;
        }
}

static ufc_status check_context(const ufc_context *ctx, const struct places *at,
                                const struct operand *op, const char *const *names,
                                ufc_error *err) {
    if (at->gpu >= 0 && is_host(ctx->device))
        return fail(err, UFC_EDEVICE, "array '%s' is in GPU memory, the context is of device '%s'",
                    names[at->gpu], ctx->ops->name);
    if (at->own >= 0 && ctx->device.device_id != op[at->own].device.device_id)
        return fail(err, UFC_EDEVICE, "array '%s' is on GPU %d, the context is GPU %d's",
                    names[at->own], (int)op[at->own].device.device_id, (int)ctx->device.device_id);
    return UFC_OK;
}

ufc_status default_context(ufc_context **ctx, void *stream, const struct ufc_overload *overload,
                           ufc_error *err) {
    for (int i = 0; i < DEVICES; i++) {
        const struct device_ops *ops = devices[i];
        DLDevice gpu = {ops->memory, 0};
        if (!ops->count || ops->count_quickly() == 0)
            continue;
        ufc_status status = ops->of_stream(stream, &gpu.device_id, err);
        if (status != UFC_OK)
            return status;
        if (shared_context(ctx, gpu, NULL) == UFC_OK && (!overload || ops->runs(*ctx, overload)))
            return UFC_OK;
    }
    return shared_context(ctx, host, err);
}

ufc_status choose_context(ufc_context **ctx, struct undecided *undecided, void *stream,
                          const struct ufc_overload *overload, int n, const struct operand *op,
                          const char *const *names, ufc_error *err) {
    struct places at;
    ufc_status status = find_places(&at, n, op, names, err);
    if (status != UFC_OK)
        return status;
    if (undecided)
        *undecided = (struct undecided){at.gpu < 0 && !stream && (!*ctx || (*ctx)->beside), *ctx};
    if (*ctx) {
        take_gpu(ctx, &at, op);
        return check_context(*ctx, &at, op, names, err);
    }
    if (undecided && undecided->open)
        return shared_context(ctx, host, err);
    if (at.gpu < 0)
        return default_context(ctx, stream, overload, err);
    DLDevice gpu = op[at.own >= 0 ? at.own : at.gpu].device;
    if (at.own < 0) {
        gpu.device_id = 0;
        status = ops_of(gpu)->of_stream(stream, &gpu.device_id, err);
    }
    return status == UFC_OK ? shared_context(ctx, gpu, err) : status;
}

/* ---- properties and synchronization */

ufc_status ufc_context_properties(ufc_context *ctx, ufc_properties *props, ufc_error *err) {
    if (!props)
        return fail(err, UFC_EINVAL, "props is NULL");
    ufc_status status = ctx ? UFC_OK : default_context(&ctx, NULL, NULL, err);
    return status == UFC_OK ? ctx->ops->properties(ctx, props, err) : status;
}

int ufc_device_count(const char **why) {
    int count = 0;
    for (int i = 0; i < DEVICES && count == 0; i++)
        if (devices[i]->count)
            count = devices[i]->count(why);
    return count;
}

/* Waits for the GPU that a stream belongs to; for a default stream, for all GPUs of device i that
 * have a shared context. */
static ufc_status synchronize_gpus(int i, void *stream, ufc_error *err) {
    int first = 0, last = devices[i]->count_quickly() - 1, of_stream = -1;
    ufc_status status = last < 0 ? UFC_OK : devices[i]->of_stream(stream, &of_stream, err);
    if (of_stream >= 0)
        first = last = of_stream;
    for (int gpu = first; gpu <= last && gpu < MAX_GPUS && status == UFC_OK; gpu++) {
        ufc_context *ctx = atomic_load(&shared[i][gpu]);
        status = ctx ? ctx->ops->synchronize(ctx, stream, err) : UFC_OK;
    }
    return status;
}

/* The same of a context of several. */
static ufc_status synchronize_several(const struct gpus *g, void *stream, ufc_error *err) {
    int of_stream = -1;
    const struct device_ops *ops = g->gpu[0].ctx->ops;
    ufc_status status = ops->count ? ops->of_stream(stream, &of_stream, err) : UFC_OK;
    for (int i = 0; i < g->n && status == UFC_OK; i++) {
        ufc_context *ctx = g->gpu[i].ctx;
        if (of_stream < 0 || ctx->device.device_id == of_stream)
            status = fail_at(err, ops->synchronize(ctx, stream, err), "GPU %d",
                             (int)ctx->device.device_id);
    }
    return status;
}

ufc_status ufc_synchronize(ufc_context *ctx, void *stream, ufc_error *err) {
    if (ctx && ctx->gpus)
        return synchronize_several(ctx->gpus, stream, err);
    if (ctx)
        return ctx->ops->synchronize(ctx, stream, err);
    ufc_status status = UFC_OK;
    for (int i = 0; i < DEVICES && status == UFC_OK; i++)
        if (devices[i]->count)
            status = synchronize_gpus(i, stream, err);
    return status;
}
