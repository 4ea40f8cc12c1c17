/* pool.c: what a program may ask of a device's memory pool. */
#include <stdlib.h>
#include <string.h>

#include "rt.h"

/* The context that is meant, which must have a pool. */
static ufc_status choose(ufc_context **ctx, ufc_error *err) {
    ufc_status status = *ctx ? UFC_OK : default_context(ctx, NULL, NULL, err);
    if (status == UFC_OK && !(*ctx)->ops->own)
        return fail(err, UFC_EDEVICE, "the context is of device '%s', which has no memory pool",
                    (*ctx)->ops->name);
    return status;
}

ufc_status ufc_pool_statistics(ufc_context *ctx, ufc_pool *pool, ufc_error *err) {
    if (!pool)
        return fail(err, UFC_EINVAL, "pool is NULL");
    ufc_status status = choose(&ctx, err);
    return status == UFC_OK ? ctx->ops->own->statistics(ctx, pool, err) : status;
}

ufc_status ufc_pool_free_all(ufc_context *ctx, ufc_error *err) {
    ufc_status status = choose(&ctx, err);
    return status == UFC_OK ? ctx->ops->own->free_all(ctx, err) : status;
}

ufc_status ufc_pool_set_limit(ufc_context *ctx, uint64_t bytes, ufc_error *err) {
    ufc_status status = choose(&ctx, err);
    return status == UFC_OK ? ctx->ops->own->set_limit(ctx, bytes, err) : status;
}

ufc_status ufc_set_allocator(ufc_context *ctx, const ufc_allocator *allocator, ufc_error *err) {
    if (allocator && (!allocator->allocate || !allocator->release))
        return fail(err, UFC_EINVAL, "%s is NULL", allocator->allocate ? "release" : "allocate");
    ufc_status status = choose(&ctx, err);
    return status == UFC_OK ? ctx->ops->own->set_allocator(ctx, allocator, err) : status;
}

int64_t wished_limit(uint64_t memory) {
    static const char units[] = "KMGT";
    const char *text = getenv("UFC_GPU_MEMORY_LIMIT");
    char *end;
    if (!text || !*text)
        return 0;
    unsigned long long n = strtoull(text, &end, 10);
    const char *unit = *end ? strchr(units, *end) : NULL;
    bool percent = *end == '%' && n <= 100;
    double bytes = (double)n * (percent ? (double)memory / 100 : 1);
    for (const char *u = units; unit && u <= unit; u++)
        bytes *= 1024;
    if (*text < '0' || *text > '9' || n == 0 || end[unit || percent])
        return -1;
    return bytes < 0x1p62 ? (int64_t)bytes : 0;
}
