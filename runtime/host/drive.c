/* drive.c: what host kernels of ufuncs call: it runs a kernel's loop over vectors on operands of
 * any layout, so that an element is computed by the same vector instructions wherever it lies.
 *
 * Objects call it by its name, and libufcc, which has a copy of it, for programs that it loads. */
#include <alloca.h>

#include "rt.h"

enum { ALIGN = 512 }; /* bits, of buffers */

struct drive {
    char **args;
    const intptr_t *steps;
    const struct ufc_host_traits *traits;
    bool in_order;
    char *buffers, **pointers; /* a buffer and a pointer an operand */
    intptr_t *increments;
};

/* The addresses of operand k's n elements: [begin, end). */
struct range {
    uintptr_t begin, end;
};

static struct range range_of(char **args, intptr_t n, const intptr_t *steps,
                             const struct ufc_host_traits *t, int64_t k) {
    uintptr_t first = (uintptr_t)args[k];
    intptr_t span = (n - 1) * steps[k];
    return (struct range){first + (uintptr_t)(span < 0 ? span : 0),
                          first + (uintptr_t)((span > 0 ? span : 0) + t->size[k])};
}

/* Would output k, stored in vectors, change what is read behind them? */
static bool overlaps(char **args, intptr_t n, const intptr_t *steps,
                     const struct ufc_host_traits *t, int64_t k) {
    struct range out = range_of(args, n, steps, t, k);
    bool any = steps[k] == 0 && n > 1;
    for (int64_t i = 0; i < t->nin && !any; i++) {
        struct range in = range_of(args, n, steps, t, i);
        bool same = in.begin == out.begin && steps[i] == steps[k];
        any = in.begin < out.end && out.begin < in.end && !same;
    }
    return any;
}

int64_t ufc_host_layout(char **args, intptr_t n, const intptr_t *steps,
                        const struct ufc_host_traits *t) {
    enum ufc_host_way way = UFC_WAY_DIRECT;
    for (int64_t k = 0; k < t->nall; k++)
        if (steps[k] != t->size[k] && (steps[k] != 0 || k >= t->nin))
            way = UFC_WAY_BUFFERED;
    for (int64_t k = t->nin; k < t->nall; k++)
        if (overlaps(args, n, steps, t, k))
            return UFC_WAY_ORDERED;
    return way;
}

static char *buffer_of(const struct drive *d, int64_t k) {
    return d->buffers + k * DRIVE_BUFFER;
}

/* Is operand k an input with one element for all? */
static bool is_one(const struct drive *d, int64_t k) {
    return k < d->traits->nin && d->steps[k] == 0 && !d->in_order;
}

/* Sets pointers and increments for m elements from `done` on, and copies inputs to buffers, the
 * first of which fills up the last vector. */
static void gather(const struct drive *d, intptr_t done, intptr_t m, intptr_t vectors) {
    const struct ufc_host_traits *t = d->traits;
    intptr_t padded = vectors * t->lanes;
    for (int64_t k = 0; k < t->nall; k++) {
        int64_t size = t->size[k];
        char *from = d->args[k] + done * d->steps[k], *buffer = buffer_of(d, k);
        bool one = is_one(d, k), plain = m == padded && !d->in_order && d->steps[k] == size;
        d->pointers[k] = plain ? from : buffer;
        d->increments[k] = one ? 0 : t->lanes * size;
        if (plain || one || k >= t->nin)
            continue;
        if (m != padded)
            copy_elements(buffer + (padded - t->lanes) * size, size, from, 0, size, t->lanes);
        copy_elements(buffer, size, from, d->steps[k], size, m);
    }
}

static void scatter(const struct drive *d, intptr_t done, intptr_t m) {
    const struct ufc_host_traits *t = d->traits;
    for (int64_t k = t->nin; k < t->nall; k++)
        if (d->pointers[k] == buffer_of(d, k))
            copy_elements(d->args[k] + done * d->steps[k], d->steps[k], buffer_of(d, k), t->size[k],
                          t->size[k], m);
}

void ufc_host_drive(char **args, const intptr_t *dimensions, const intptr_t *steps,
                    const struct ufc_host_traits *t, ufc_host_loop *loop) {
    intptr_t n = dimensions[0], lanes = t->lanes;
    if (n <= 0)
        return;
    int64_t way = ufc_host_layout(args, n, steps, t);
    struct drive d = {
        .args = args, .steps = steps, .traits = t, .in_order = way == UFC_WAY_ORDERED};
    /* Of no fixed size, since a thread's stack may be small. */
    d.buffers = __builtin_alloca_with_align((size_t)t->nall * DRIVE_BUFFER, ALIGN);
    d.pointers = alloca((size_t)t->nall * sizeof *d.pointers);
    d.increments = alloca((size_t)t->nall * sizeof *d.increments);
    for (int64_t k = 0; k < t->nin; k++)
        if (is_one(&d, k))
            copy_elements(buffer_of(&d, k), t->size[k], args[k], 0, t->size[k], lanes);
    intptr_t batch = d.in_order ? 1 : (intptr_t)t->batch;
    for (intptr_t done = 0, m; done < n; done += m) {
        intptr_t left = n - done;
        m = left < batch ? left : batch;
        if (way == UFC_WAY_DIRECT && left >= lanes)
            m = left & -lanes;
        intptr_t vectors = (m + lanes - 1) >> t->shift;
        gather(&d, done, m, vectors);
        loop(d.pointers, d.increments, vectors);
        scatter(&d, done, m);
    }
}
