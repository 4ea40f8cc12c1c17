/* calls.c: whatever a program calls, nothing beyond its arrays is read or written, a call that
 * fails changes nothing and says why, and one that succeeds gives what it does of arrays in C
 * order.
 *
 *     calls FIRST COUNT     calls number FIRST to FIRST + COUNT - 1
 *
 * With -DFUZZER it is a target of libFuzzer (targets/api.c).
 *
 * Ufuncs, gufuncs, methods, plans, explain and copies; shapes, strides (negative, of 0), types,
 * overlap and keywords drawn at random, and some of them spoiled.  Arrays lie at pages that may not
 * be touched (guarded.h). */
#include "called.h"
#include "draw_call.h"

/* Where there is no memory a sanitizer says so, as malloc does. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

static ufc_error err;
static unsigned long long succeeded[KINDS], failed[KINDS];

static void free_results(struct request *r) {
    for (int k = 0; k < r->nout; k++)
        ufc_free(r->made[k]);
    memset(r->made, 0, sizeof r->made);
}

static ufc_status plan(ufc_context *ctx, struct request *r) {
    ufc_plan *made = NULL;
    ufc_status status = ufc_plan_new(&made, ctx, NULL, r->ufunc, r->in, r->out, &r->kw, &err);
    CHECK((status == UFC_OK) == (made != NULL));
    if (status == UFC_OK && (status = ufc_execute(made, NULL, NULL, &err)) != UFC_OK)
        free_results(r); /* which the plan has made */
    ufc_plan_free(made);
    return status;
}

static ufc_status invoke(ufc_context *ctx, struct request *r) {
    ufc_plan_description d;
    const DLTensor *indices = r->has_indices ? &r->indices.t : NULL;
    const ufc_keywords *kw = &r->kw;
    *err.message = 0;
    switch (r->kind) {
    case CALL: return ufc_call_with(ctx, NULL, r->ufunc, r->in, r->out, kw, &err);
    case PLAN: return plan(ctx, r);
    case EXPLAIN: return ufc_explain(ctx, NULL, r->ufunc, r->in, r->out, kw, &d, &err);
    case REDUCE: return ufc_reduce(ctx, NULL, r->ufunc, r->in[0], r->out[0], kw, &err);
    case ACCUMULATE: return ufc_accumulate(ctx, NULL, r->ufunc, r->in[0], r->out[0], kw, &err);
    case REDUCEAT: return ufc_reduceat(ctx, NULL, r->ufunc, r->in[0], indices, r->out[0], kw, &err);
    case OUTER: return ufc_outer(ctx, NULL, r->ufunc, r->in[0], r->in[1], r->out[0], kw, &err);
    case AT: return ufc_at(ctx, NULL, r->ufunc, r->out[0].array, indices, r->in[0], &err);
    case COPY: return ufc_copy(ctx, NULL, r->in[0].as.array, r->out[0].array, &err);
    default: return UFC_EINVAL;
    }
}

static void set_arguments(struct request *r) {
    for (int k = 0; k < r->nin; k++)
        r->in[k] = r->is_number[k] ? r->number[k] : ufc_array(&r->array[k].t);
    for (int k = 0; k < r->nout; k++) {
        r->made[k] = NULL;
        r->out[k] =
            r->is_new[r->nin + k] ? ufc_new(&r->made[k]) : ufc_into(&r->array[r->nin + k].t);
    }
    r->kw.where = r->masked ? &r->mask.t : NULL;
    r->kw.axes = r->kw.axes ? r->axes : NULL;
    r->kw.initial = r->kw.initial ? &r->initial : NULL;
}

/* The packed arrays of a request, in memory of their own. */
struct packed {
    struct request r;
    char *memory[OPERANDS];
};

static void pack_array(struct array *a, const struct array *from, char **memory) {
    *memory = malloc((size_t)(from->n > 0 ? from->n : 1) * 16);
    REQUIRE(*memory);
    pack(from, *memory);
    *a = *from;
    a->t.shape = a->shape;
    a->t.strides = a->strides;
    a->t.data = from->n ? *memory : NULL;
    a->t.byte_offset = 0;
    pack_strides(a);
}

static void pack_request(struct packed *p, const struct request *r) {
    p->r = *r;
    for (int k = 0; k < r->nin + r->nout; k++) {
        p->memory[k] = NULL;
        if (!r->is_number[k] && !r->is_new[k])
            pack_array(&p->r.array[k], &r->array[k], &p->memory[k]);
    }
    p->r.mask.t.shape = p->r.mask.shape;
    p->r.mask.t.strides = p->r.mask.strides;
    p->r.indices.t.shape = p->r.indices.shape;
    p->r.indices.t.strides = p->r.indices.strides;
    set_arguments(&p->r);
}

static void free_packed(struct packed *p) {
    free_results(&p->r);
    for (int k = 0; k < p->r.nin + p->r.nout; k++)
        free(p->memory[k]);
}

static ufc_type type_of(const DLTensor *t) {
    ufc_type type = UFC_BOOL;
    while (type < UFC_COMPLEX128 &&
           strcmp(ufc_type_name(t->dtype), ufc_type_name(ufc_dltype(type))) != 0)
        type++;
    return type;
}

/* Outputs as a call that makes them has them; else any. */
static void draw_outputs(struct request *r, ufc_context *ctx) {
    static struct packed probe;
    bool all_new = r->kind != AT && r->kind != COPY;
    for (int k = r->nin; k < r->nin + r->nout; k++) {
        r->is_number[k] = false;
        r->is_new[k] = true;
    }
    ufc_status status = UFC_EINVAL;
    if (all_new) {
        pack_request(&probe, r);
        if (probe.r.kind == EXPLAIN || probe.r.kind == PLAN)
            probe.r.kind = CALL;
        status = invoke(ctx, &probe.r);
    }
    for (int k = 0; k < r->nout; k++) {
        struct array *a = &r->array[r->nin + k];
        bool known = status == UFC_OK;
        const DLTensor *t = known ? &probe.r.made[k]->dl_tensor : &r->array[0].t;
        ufc_type type = r->array[0].type;
        int ndim = t->ndim;
        type = known ? type_of(t) : type;
        r->is_new[r->nin + k] = all_new && chance(35);
        int64_t shape[RANK], n = 1;
        memcpy(shape, t->shape, (size_t)ndim * sizeof *shape);
        if (r->kind == AT)
            draw_shape(&ndim, shape, 500);
        if (chance(3) && ndim)
            shape[dice((uint64_t)ndim)]++;
        for (int axis = 0; axis < ndim; axis++)
            n = shape[axis] == 0 ? 0 : n > ROOM || shape[axis] > ROOM ? ROOM + 1 : n * shape[axis];
        if (n > ROOM / 16)
            r->is_new[r->nin + k] = true;
        if (r->is_new[r->nin + k])
            continue;
        set_array(a, chance(85) ? type : PICK(types), ndim, shape);
        put_somewhere(r, a, r->nin + k, chance(2));
        fill(a, 3);
    }
    if (all_new)
        free_packed(&probe);
}

/* ---- checking */

static void say(const struct request *r, const char *what) {
    printf("call %llu, %s of %s: %s; %s\n", (unsigned long long)stream, kind_names[r->kind],
           r->ufunc ? ufc_describe(r->ufunc).name : "nothing", what, err.message);
    for (int k = 0; k < r->nin + r->nout; k++) {
        const struct array *a = &r->array[k];
        printf("  %s", k < r->nin ? "in" : "out");
        if (r->is_number[k] || r->is_new[k]) {
            puts(r->is_new[k] ? " new" : " number");
            continue;
        }
        printf(" %s (", dtypes[a->type].brief);
        for (int i = 0; i < a->t.ndim && i < RANK; i++)
            printf("%lld*%lld ", (long long)a->shape[i], (long long)a->strides[i]);
        printf(") slot %d, %p\n", a->slot, (void *)first_of(a));
    }
    test_failures++;
}

static bool same_elements(const DLTensor *t, const struct array *like, const char *wanted) {
    struct array a = *like;
    bool same = true;
    int64_t i = 0;
    a.t = *t;
    a.slot = 0;
    if (t->strides)
        memcpy(a.strides, t->strides, (size_t)t->ndim * sizeof *a.strides);
    EACH_ELEMENT(&a, at, same = same && equal(at, wanted + i++ * size_of(a.type), a.type, 0, -1));
    return same;
}

/* A packed result in a slot's stead, to compare with. */
static void check_results(struct request *r, struct packed *p) {
    for (int k = 0; k < r->nout; k++) {
        struct array *a = &r->array[r->nin + k];
        const char *wanted = p->memory[r->nin + k];
        char *copy = NULL;
        const DLTensor *t = &a->t;
        if (r->is_new[r->nin + k]) {
            if (r->kind == EXPLAIN)
                continue;
            struct array like;
            const DLTensor *m = &p->r.made[k]->dl_tensor;
            set_array(&like, type_of(m), m->ndim, m->shape);
            memcpy(like.strides, m->strides, (size_t)m->ndim * sizeof *like.strides);
            like.n = 1;
            for (int axis = 0; axis < m->ndim; axis++)
                like.n *= m->shape[axis] ? 1 : 0;
            like.t.data = m->data;
            like.slot = 0;
            t = &r->made[k]->dl_tensor;
            if (t->ndim != m->ndim || memcmp(&t->dtype, &m->dtype, sizeof t->dtype) != 0 ||
                (m->ndim && memcmp(t->shape, m->shape, (size_t)m->ndim * sizeof *m->shape) != 0)) {
                say(r, "another result");
                return;
            }
            int64_t n = 1;
            for (int axis = 0; axis < m->ndim && like.n; axis++)
                n *= m->shape[axis];
            copy = malloc((size_t)n * 16);
            REQUIRE(copy);
            pack(&like, copy);
            *a = like;
            a->t.shape = a->shape;
            wanted = copy;
        }
        if (!same_elements(t, a, wanted))
            say(r, "other values");
        free(copy);
    }
}

static void one_call(ufc_context *const *contexts) {
    static struct request r;
    static struct packed p;
    memset(&r, 0, sizeof r);
    nslots = 0;
    static const enum kind kinds[] = {CALL,   CALL,       CALL,     CALL,  PLAN, EXPLAIN, REDUCE,
                                      REDUCE, ACCUMULATE, REDUCEAT, OUTER, AT,   COPY};
    r.kind = PICK(kinds);
    bool in_sim = dice(64) == 0;
    draw_inputs(&r, in_sim ? 200 : dice(200) == 0 ? LARGE : MOST);
    if (r.kind != COPY && r.kind != AT)
        draw_keywords(&r);
    if (r.kind == REDUCEAT)
        draw_indices(&r, &r.array[0]);
    draw_outputs(&r, contexts[0]);
    if (r.kind == AT)
        draw_indices(&r, &r.array[1]);
    pack_request(&p, &r);
    bool in_arguments = chance(50);
    r.spoiled = chance(12);
    if (r.spoiled && in_arguments)
        spoil_array(&r.array[dice((uint64_t)(r.nin + r.nout))]);
    set_arguments(&r);
    if (r.spoiled && !in_arguments)
        spoil_call(&r);
    remember();
    ufc_context *ctx = in_sim ? contexts[2 + dice(2)] : contexts[dice(2)];
    ufc_status status = invoke(chance(10) && !in_sim ? NULL : ctx, &r);
    bool wrote = status == UFC_OK && r.kind != EXPLAIN;
    (status == UFC_OK ? succeeded : failed)[r.kind]++;
    if (status != UFC_OK && (!*err.message || !memchr(err.message, 0, sizeof err.message)))
        say(&r, "no message");
    for (int k = 0; k < r.nout; k++)
        if ((r.made[k] != NULL) != (wrote && r.is_new[r.nin + k]) && !r.spoiled)
            say(&r, "a result that is not wanted, or none");
    if (wrote && !r.spoiled) {
        if (invoke(contexts[0], &p.r) != UFC_OK)
            say(&r, "an error for arrays in C order");
        else
            check_results(&r, &p);
    }
    for (int k = r.nin; wrote && k < r.nin + r.nout; k++)
        if (!r.is_new[k])
            restore(&r.array[k]);
    if (!is_as_before())
        say(&r, wrote ? "memory beside the outputs has changed" : "memory has changed");
    free_results(&r);
    free_packed(&p);
}

static void open_contexts(ufc_context **contexts) {
    make_slots();
    REQUIRE(ufc_context_new(&contexts[0], "cpu", 1, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&contexts[1], "cpu", 3, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&contexts[2], "sim", 2, &err) == UFC_OK);
    REQUIRE(ufc_context_new(&contexts[3], "sim:0,1", 2, &err) == UFC_OK);
}

#ifdef FUZZER

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static ufc_context *contexts[4];
    if (!contexts[0])
        open_contexts(contexts);
    input = data;
    input_size = size;
    while (input_size > 0)
        one_call(contexts);
    if (test_failures > 0)
        abort();
    return 0;
}

#else

static void stop(int signal, siginfo_t *info, void *context) {
    (void)context;
    char text[100];
    int n = snprintf(text, sizeof text,
                     signal == SIGALRM ? "call %llu or those before it take over a minute\n"
                                       : "call %llu: a stray access at %p\n",
                     (unsigned long long)stream, info->si_addr);
    if (write(1, text, (size_t)n) == n)
        _exit(1);
    _exit(2);
}

int main(int argc, char **argv) {
    REQUIRE(argc == 3);
    struct sigaction action = {.sa_sigaction = stop, .sa_flags = SA_SIGINFO};
    sigaction(SIGALRM, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    ufc_context *contexts[4];
    open_contexts(contexts);
    uint64_t first = strtoull(argv[1], NULL, 10), count = strtoull(argv[2], NULL, 10);
    for (stream = first; stream < first + count && test_failures < 10; stream++) {
        position = 0;
        if (stream % 1000 == 0)
            alarm(60);
        one_call(contexts);
    }
    printf("%llu calls; succeeded and failed:", (unsigned long long)(stream - first));
    for (int kind = 0; kind < KINDS; kind++)
        printf("%s %s %llu %llu", kind ? "," : "", kind_names[kind], succeeded[kind], failed[kind]);
    puts("");
    for (int i = 0; i < 4; i++)
        ufc_context_free(contexts[i]);
    return test_failures > 0;
}

#endif
