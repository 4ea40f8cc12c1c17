/* alike.c: calls of arrays on a GPU that are like an earlier one.
 *
 * A small call is mostly the finding out of what is to be launched, which for calls that are alike
 * is the same.  Addresses alone differ: arrays must be apart as they were, and results must have
 * come from their allocator with the strides and the alignment that they had. */
#include <stdlib.h>
#include <string.h>

#include "alike.h"
#include "fpenv.h"
#include "nvtx.h"

enum { ALIGNED = 64 /* bytes: kernels tell addresses apart by no more */ };

/* An operand: its array's first element is at `data`. */
struct place {
    bool is_array, made;
    enum ufc_dtype dtype;
    uint64_t value[2]; /* a number's */
    uint64_t within;   /* data modulo ALIGNED */
    int64_t offset;    /* of the loop's first element from data, in bytes */
    int64_t low, high; /* the array's bytes, from data on */
    uint32_t same;     /* outputs of a ufunc of scalars that may be this very array, a bit each */
    const int64_t *stride; /* of the loop's axes, bytes */
    /* of a result that was made: */
    int ndim;
    const int64_t *shape, *strides;
    const int *order;
};

/* What is kept of a call. */
struct known {
    struct memo_entry entry;
    struct taken {
        uint32_t overload; /* its number, */
        int version;       /* and that of its version: version_of */
    } taken;
    int nin, nout, naxes;
    int64_t total;
    const int64_t *size;
    const struct core *core; /* NULL: a ufunc of scalars */
    uint32_t noverloads;
    const uint64_t *id; /* of all overloads, and of the version */
    struct place place[];
};

/* ---- keys */

static bool is_plain(const ufc_keywords *kw) {
    return !kw || (!kw->where && kw->casting == UFC_CASTING_DEFAULT && !kw->dtype.bits &&
                   !kw->axes && !kw->naxes && !kw->all_axes && !kw->keepdims && !kw->initial &&
                   !kw->core_axes && !kw->ncore_axes);
}

static char *data_of(const DLTensor *t) {
    return t->data ? (char *)t->data + t->byte_offset : NULL;
}

/* False: calls of such an array are not kept. */
static bool put_array(struct memo_key *key, const DLTensor *t, int *gpu) {
    if (!t || t->device.device_type != kDLCUDA || t->ndim < 0 || t->ndim > MAX_RANK || !t->data ||
        (t->ndim && !t->shape) || (*gpu >= 0 && *gpu != t->device.device_id))
        return false;
    *gpu = t->device.device_id;
    uint64_t type = t->dtype.code | (uint64_t)t->dtype.bits << 8 | (uint64_t)t->dtype.lanes << 16;
    uint64_t head = type << 32 | (uint64_t)t->ndim << 16 | (uint64_t)!t->strides << 8 |
                    (uintptr_t)data_of(t) % ALIGNED;
    memo_key_put(key, &head, 1);
    memo_key_put(key, t->shape, (size_t)t->ndim);
    if (t->strides)
        memo_key_put(key, t->strides, (size_t)t->ndim);
    return true;
}

static void put_number(struct memo_key *key, const ufc_arg *number) {
    uint64_t word[3] = {~(uint64_t)number->kind, 0, 0};
    if (number->kind == UFC_ARG_BOOL)
        word[1] = number->as.b;
    else
        memcpy(&word[1], &number->as, number->kind == UFC_ARG_COMPLEX ? 16 : 8);
    memo_key_put(key, word, 3);
}

/* Sets the key of a call and the context that it runs in. */
static bool set_key(struct alike *a, ufc_context *ctx) {
    const struct ufc_ufunc *ufunc = a->ufunc;
    const uint64_t head[] = {(uint64_t)MEMO_CALL << 32, (uintptr_t)ufunc,
                             (uint64_t)ufunc->nin << 32 | ufunc->nout};
    int gpu = -1;
    bool keyed = ufunc->noverloads > 0;
    memo_key_begin(&a->key);
    memo_key_put(&a->key, head, 3);
    for (uint32_t k = 0; k < ufunc->nin && keyed; k++) {
        if (a->in[k].kind == UFC_ARG_ARRAY)
            keyed = put_array(&a->key, a->in[k].as.array, &gpu);
        else
            put_number(&a->key, &a->in[k]);
    }
    for (uint32_t k = 0; k < ufunc->nout && keyed; k++) {
        static const uint64_t made = 0;
        if (a->out[k].array)
            keyed = put_array(&a->key, a->out[k].array, &gpu);
        else if (a->out[k].result)
            memo_key_put(&a->key, &made, 1);
        else
            keyed = false;
    }
    if (!keyed || gpu < 0 || !memo_key_end(&a->key))
        return false;
    if (!ctx && shared_context(&ctx, (DLDevice){kDLCUDA, gpu}, NULL) != UFC_OK)
        return false;
    a->ctx = ctx;
    return ctx->memo && !ctx->gpus && !ctx->recorder && !ctx->version &&
           ctx->device.device_type == kDLCUDA && ctx->device.device_id == gpu;
}

/* ---- what was kept */

/* Whether the function's overloads are those of the call that was kept: its program may be gone,
 * and another at its address.  Any of them may be what numbers make a call take. */
static bool is_of(const struct known *known, const struct ufc_ufunc *ufunc) {
    if (known->noverloads != ufunc->noverloads)
        return false;
    for (uint32_t i = 0; i < known->noverloads; i++)
        if (ufunc->overloads[i].id != known->id[i])
            return false;
    const struct ufc_ufunc *version =
        version_of(ufunc, &ufunc->overloads[known->taken.overload], known->taken.version);
    return known->taken.version == 0 ||
           (version && version->overloads->id == known->id[known->noverloads]);
}

/* Whether a result has come as that of the earlier call. */
static bool is_as_made(const struct place *p, const DLTensor *t) {
    bool same = t->strides && t->ndim == p->ndim;
    for (int i = 0; i < p->ndim && same; i++)
        same = t->shape[i] == p->shape[i] && (t->shape[i] == 1 || t->strides[i] == p->strides[i]);
    return same && (uintptr_t)data_of(t) % ALIGNED == p->within;
}

/* Whether outputs share no memory with other operands, but for inputs that they may replace. */
static bool are_apart(const struct known *known, char *const *data) {
    for (int out = known->nin; out < known->nin + known->nout; out++)
        for (int k = 0; k < out; k++) {
            const struct place *p = &known->place[k], *q = &known->place[out];
            bool same = data[k] == data[out] && p->same >> (out - known->nin) & 1;
            if (p->is_array && !same && data[k] + p->high > data[out] + q->low &&
                data[out] + q->high > data[k] + p->low)
                return false;
        }
    return true;
}

static void fill(struct iteration *it, const struct known *known, const struct ufc_ufunc *ufunc,
                 char *const *data) {
    const struct ufc_overload *o = &ufunc->overloads[known->taken.overload];
    it->ufunc = version_of(ufunc, o, known->taken.version);
    it->overload = known->taken.version > 0 ? it->ufunc->overloads : o;
    it->core = known->core;
    it->nin = known->nin;
    it->nout = known->nout;
    it->masked = it->planned = false;
    it->script = NULL;
    it->naxes = known->naxes;
    it->total = known->total;
    memcpy(it->size, known->size, (size_t)known->naxes * sizeof *it->size);
    for (int k = 0; k < known->nin + known->nout; k++) {
        const struct place *p = &known->place[k];
        it->data[k] = p->is_array ? data[k] + p->offset : NULL;
        memcpy(it->value[k], p->value, sizeof it->value[k]);
        it->dtype[k] = p->dtype;
        memcpy(it->stride[k], p->stride, (size_t)known->naxes * sizeof *p->stride);
    }
}

/* Makes the results, or those before one that cannot be made. */
static ufc_status make_results(const struct alike *a, const struct known *known, void *stream,
                               const ufc_keywords *kw, DLManagedTensorVersioned **made,
                               ufc_error *err) {
    ufc_status status = UFC_OK;
    for (int k = 0; k < known->nout; k++) {
        const struct place *p = &known->place[known->nin + k];
        made[k] = NULL;
        if (p->made && status == UFC_OK)
            status = new_result(a->ctx, stream, kw, p->dtype, p->ndim, p->shape, p->order, false,
                                &made[k], err);
    }
    return status;
}

/* Finds the arrays' data; whether all is as in the call that was kept. */
static bool find_data(const struct alike *a, const struct known *known,
                      DLManagedTensorVersioned *const *made, char **data) {
    bool fits = true;
    for (int k = 0; k < known->nin; k++)
        data[k] = known->place[k].is_array ? data_of(a->in[k].as.array) : NULL;
    for (int k = 0; k < known->nout; k++) {
        const DLTensor *t = made[k] ? &made[k]->dl_tensor : a->out[k].array;
        data[known->nin + k] = data_of(t);
        fits = fits && (!made[k] || is_as_made(&known->place[known->nin + k], t));
    }
    return fits && are_apart(known, data);
}

/* A call whose results came otherwise than those of the earlier one: they are given to it. */
static ufc_status call_into(const struct alike *a, void *stream, const ufc_keywords *kw,
                            DLManagedTensorVersioned *const *made, ufc_error *err) {
    ufc_out into[UFC_MAX_OPERANDS];
    for (uint32_t k = 0; k < a->ufunc->nout; k++)
        into[k] = made[k] ? ufc_into(&made[k]->dl_tensor) : a->out[k];
    return call_afresh(a->ctx, stream, a->ufunc, a->in, into, kw, NULL, NULL, err);
}

/* Executes it, by an iteration that is allocated, since threads' stacks may be small: whole, since
 * launches copy it. */
static ufc_status execute(const struct alike *a, const struct known *known, void *stream,
                          char *const *data, ufc_error *err) {
    struct iteration *it = malloc(sizeof *it);
    if (!it)
        return fail(err, UFC_ENOMEM, "out of memory for a call");
    fill(it, known, a->ufunc, data);
    fp_env callers = fp_enter();
    ufc_status status =
        fail_at(err, a->ctx->ops->execute(a->ctx, stream, it, err), "%s", a->ufunc->name);
    fp_leave(callers);
    free(it);
    return status;
}

static ufc_status call_as_known(const struct alike *a, const struct known *known, void *stream,
                                const ufc_keywords *kw, ufc_error *err) {
    DLManagedTensorVersioned *made[UFC_MAX_OPERANDS];
    char *data[MAX_WALKED];
    ufc_status status = make_results(a, known, stream, kw, made, err);
    if (status != UFC_OK)
        (void)fail_at(err, status, "%s", a->ufunc->name);
    else if (find_data(a, known, made, data))
        status = execute(a, known, stream, data, err);
    else
        status = call_into(a, stream, kw, made, err);
    for (int k = 0; k < known->nout; k++) {
        if (made[k] && status == UFC_OK)
            *a->out[k].result = made[k];
        else
            free_array(stream, made[k]); /* in the stream's order: a kernel may still write to it */
    }
    return status;
}

bool call_like_earlier(struct alike *a, ufc_context *ctx, void *stream,
                       const struct ufc_ufunc *ufunc, const ufc_arg *in, const ufc_out *out,
                       const ufc_keywords *kw, ufc_status *status, ufc_error *err) {
    a->ufunc = ufunc;
    a->in = in;
    a->out = out;
    a->keyed = is_plain(kw) && set_key(a, ctx) && !nvtx_wanted();
    struct known *known = a->keyed ? (struct known *)memo_find(a->ctx->memo, &a->key) : NULL;
    bool does = known && is_of(known, ufunc);
    if (does)
        *status = call_as_known(a, known, stream, kw, err);
    if (known)
        memo_let_go(&known->entry);
    return does;
}

/* ---- keeping */

/* Memory behind a struct known, from which parts of it are taken; NULL at first, to count. */
struct room {
    char *at;
    size_t used;
};

static void *take(struct room *room, const void *from, size_t size) {
    void *to = room->at ? room->at + room->used : NULL;
    if (to && from)
        memcpy(to, from, size);
    room->used += (size + 15) & ~(size_t)15;
    return to;
}

/* Sets an operand's place; the array's bytes by its own shape. */
static void set_place(struct place *p, const struct iteration *it, const struct operand *op,
                      int k) {
    p->is_array = it->data[k] != NULL;
    p->dtype = it->dtype[k];
    memcpy(p->value, it->value[k], sizeof p->value);
    p->within = (uintptr_t)op->data % ALIGNED;
    p->offset = p->is_array ? it->data[k] - op->data : 0;
    p->high = dtype_info[op->dtype].size;
    for (int i = 0; i < op->ndim; i++) {
        int64_t last = op->shape[i] == 1 ? 0 : (op->shape[i] - 1) * op->stride[i];
        *(last < 0 ? &p->low : &p->high) += last;
    }
}

/* Outputs whose elements are each read before they are written, if an input is that array. */
static uint32_t same_views(const struct iteration *it, const struct operand *op, int k) {
    uint32_t same = 0;
    for (int out = it->nin; out < it->nin + it->nout && k < it->nin && !it->core; out++) {
        bool is = dtype_info[it->dtype[k]].size == dtype_info[it->dtype[out]].size &&
                  it->data[k] - op[k].data == it->data[out] - op[out].data;
        for (int axis = 0; axis < it->naxes && is; axis++)
            is = it->stride[k][axis] == it->stride[out][axis];
        same |= (uint32_t)is << (out - it->nin);
    }
    return same;
}

/* Fills what is kept, or counts its bytes where known is NULL. */
static size_t describe(struct known *known, const struct alike *a, const struct iteration *it,
                       const struct operand *op, DLManagedTensorVersioned *const *made,
                       const int *order, struct taken taken, uint64_t **key) {
    int n = it->nin + it->nout;
    struct room room = {(char *)known, 0};
    struct known unused;
    struct known *to = known ? known : &unused;
    size_t axes = (size_t)it->naxes * sizeof(int64_t);
    take(&room, NULL, sizeof *known + (size_t)n * sizeof known->place[0]);
    *to = (struct known){.taken = taken,
                         .noverloads = a->ufunc->noverloads,
                         .nin = it->nin,
                         .nout = it->nout,
                         .naxes = it->naxes,
                         .total = it->total};
    to->size = take(&room, it->size, axes);
    to->core = it->core ? take(&room, it->core, sizeof *it->core) : NULL;
    uint64_t *id = take(&room, NULL, ((size_t)a->ufunc->noverloads + 1) * sizeof *id);
    *key = take(&room, NULL, a->key.nwords * sizeof **key);
    for (uint32_t i = 0; i < a->ufunc->noverloads && known; i++)
        id[i] = a->ufunc->overloads[i].id;
    if (known)
        id[a->ufunc->noverloads] = it->overload->id;
    to->id = id;
    for (int k = 0; k < n; k++) {
        struct place own = {.stride = take(&room, it->stride[k], axes)};
        const DLManagedTensorVersioned *result = k < it->nin ? NULL : made[k - it->nin];
        set_place(&own, it, &op[k], k);
        own.same = same_views(it, op, k);
        if (result) {
            const DLTensor *t = &result->dl_tensor;
            size_t size = (size_t)t->ndim * sizeof *t->shape;
            own.made = true;
            own.ndim = t->ndim;
            own.shape = take(&room, t->shape, size);
            own.strides = take(&room, t->strides, size);
            own.order = order ? take(&room, order, (size_t)t->ndim * sizeof *order) : NULL;
        }
        if (known)
            known->place[k] = own;
    }
    return room.used;
}

/* Whether the operands are the call's arrays and numbers, of which none was copied or converted. */
static bool are_given(const struct alike *a, const struct iteration *it, const struct operand *op,
                      DLManagedTensorVersioned *const *made) {
    bool given = true;
    for (int k = 0; k < it->nin && given; k++)
        given = a->in[k].kind == UFC_ARG_ARRAY
                    ? it->data[k] && op[k].data == data_of(a->in[k].as.array)
                    : !it->data[k];
    for (int k = 0; k < it->nout && given; k++) {
        const DLTensor *t = made[k] ? &made[k]->dl_tensor : a->out[k].array;
        given = t && it->data[it->nin + k] && op[it->nin + k].data == data_of(t) &&
                (!made[k] || t->strides);
    }
    return given;
}

/* The numbers of the overload that was called, and of its version; false: calls of it are not
 * kept. */
static bool find_taken(const struct alike *a, const struct iteration *it, struct taken *taken) {
    const struct ufc_ufunc *ufunc = a->ufunc;
    bool ids = it->overload->id != 0 && !(it->overload->flags & UFC_CHECKS), found = false;
    for (uint32_t i = 0; i < ufunc->noverloads && ids; i++) {
        const struct ufc_overload *o = &ufunc->overloads[i];
        ids = o->id != 0;
        int number = 0;
        while (number < 3 && it->ufunc != version_of(ufunc, o, number))
            number++;
        if (number == 3 || (number == 0 && it->overload != o))
            continue;
        *taken = (struct taken){i, number};
        found = !o->unwritten;
    }
    return ids && found;
}

void keep_for_later(const struct alike *a, const struct iteration *it, const struct operand *op,
                    DLManagedTensorVersioned *const *made, const int *order) {
    struct taken taken = {0};
    uint64_t *key;
    char *data[MAX_WALKED];
    if (!a || !a->keyed || (uint32_t)(it->nin + it->nout) != a->ufunc->nin + a->ufunc->nout ||
        !find_taken(a, it, &taken) || !are_given(a, it, op, made))
        return;
    struct known *known = malloc(describe(NULL, a, it, op, made, order, taken, &key));
    if (!known)
        return;
    describe(known, a, it, op, made, order, taken, &key);
    atomic_init(&known->entry.users, 1);
    if (find_data(a, known, made, data))
        memo_keep(a->ctx->memo, &a->key, &known->entry, key);
    memo_let_go(&known->entry);
}
