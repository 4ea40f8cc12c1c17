/* gufuncs.c: random gufuncs give the same results on all levels of host code, in the simulator or
 * on a GPU, with any number of threads, in any layout, in any version.  Their values are whole
 * numbers, so that no order of a sum changes them.  See workers.h. */
#include "draw_gufunc.h"
#include "context.h"
#include "image_abi.h"
#include "ufcc.h"

enum { RESULT_BYTES = 16 << 20, AXES = LOOP + RANK, SLACK = 64 };

#include "workers.h"

/* ---- arrays */

/* An operand's axes, loop axes first, and how they lie in memory. */
struct layout {
    int ndim;
    int64_t shape[AXES], strides[AXES], first, extent; /* in elements */
};

static struct layout shape_of(const struct gufunc *f, const struct call *c, int k) {
    struct layout l = {.ndim = c->nloop + c->rank[k]};
    for (int i = 0; i < c->nloop; i++)
        l.shape[i] = k < f->nin && c->broadcast[k] >> i & 1 ? 1 : c->loop[i];
    for (int i = 0; i < c->rank[k]; i++)
        l.shape[c->nloop + i] = c->core[k][i];
    return l;
}

static int64_t elements(const struct layout *l) {
    int64_t n = 1;
    for (int i = 0; i < l->ndim; i++)
        n *= l->shape[i];
    return n;
}

static void set_plain(struct layout *l) {
    int64_t stride = 1;
    for (int i = l->ndim; i-- > 0; stride *= l->shape[i] > 0 ? l->shape[i] : 1)
        l->strides[i] = stride;
    l->extent = stride;
}

/* Axes in any order, some with gaps, some backwards; `across`: the loop axes are the fastest. */
static void set_strange(struct layout *l, int nloop, bool across, uint64_t seed, uint64_t stream) {
    int order[AXES];
    uint64_t bits = random_bits(seed, stream);
    for (int i = 0; i < l->ndim; i++) {
        int j = across ? i : (int)(random_bits(seed, stream + 1 + (uint64_t)i) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = across && i < nloop ? nloop - 1 - i : i;
    }
    int64_t stride = bits % 4 == 0 ? 2 : 1, first = bits >> 8 & 7;
    for (int i = 0; i < l->ndim; i++) {
        int axis = order[i];
        int64_t size = l->shape[axis] > 0 ? l->shape[axis] : 1;
        bool back = bits >> (16 + i) & 1 && bits >> (32 + i) & 1;
        l->strides[axis] = back ? -stride : stride;
        first += back ? (size - 1) * stride : 0;
        stride *= size;
        stride += bits >> (24 + i) & 1 ? stride / (size + 1) : 0;
    }
    l->first = first;
    l->extent = stride + 8;
}

/* Elements in C order from memory that lies so, or to it. */
static void move(const struct layout *l, ufc_type t, char *memory, char *plain, bool gathers) {
    int64_t at[AXES] = {0}, size = size_of(t), n = elements(l);
    for (int64_t e = 0; e < n; e++) {
        int64_t offset = l->first;
        for (int i = 0; i < l->ndim; i++)
            offset += at[i] * l->strides[i];
        char *there = memory + offset * size, *here = plain + e * size;
        memcpy(gathers ? here : there, gathers ? there : here, (size_t)size);
        for (int i = l->ndim; i-- > 0 && ++at[i] == l->shape[i];)
            at[i] = 0;
    }
}

/* As every worker generates it. */
static void fill(char *data, ufc_type t, int64_t n, uint64_t stream) {
    for (int64_t i = 0; i < n; i++) {
        int64_t v =
            (int64_t)(random_bits(stream, (uint64_t)i) >> 20) % (2 * OF_INPUT + 1) - OF_INPUT;
        if (is_floating(t))
            put_float(data, t, i, (double)v);
        else
            put_bits(data, t, i, (uint64_t)v);
    }
}

/* ---- calls */

/* An operand's memory; on a GPU there is a copy of it. */
struct memory {
    ufc_type type;
    struct layout layout;
    struct memory *shared; /* the input's that an output lies in; NULL: its own */
    char *data;
    DLManagedTensorVersioned *device;
    DLTensor tensor;
};

static bool says(struct result *r, const char *what, const char *why) {
    snprintf(r->why, sizeof r->why, "%s: %.400s", what, why);
    r->state = WRONG;
    return false;
}

static bool copy(ufc_context *ctx, struct memory *m, bool up, ufc_error *err) {
    DLTensor host = ufc_host_array(m->data, ufc_dltype(m->type), 1, &m->layout.extent);
    const DLTensor *device = &m->device->dl_tensor;
    return ufc_copy(ctx, NULL, up ? &host : device, up ? device : &host, err) == UFC_OK;
}

/* Memory of the host, or where `on_device` of the device. */
static bool place(ufc_context *ctx, struct memory *m, bool on_device, ufc_error *err) {
    struct memory *owner = m->shared ? m->shared : m;
    m->tensor = ufc_host_array(owner->data, ufc_dltype(m->type), m->layout.ndim, m->layout.shape);
    m->tensor.strides = m->layout.strides;
    m->tensor.byte_offset = (uint64_t)(m->layout.first * size_of(m->type));
    if (!on_device)
        return true;
    if (owner == m && (ufc_empty(ctx, m->type, 1, &m->layout.extent, UFC_DEVICE, &m->device, err) ||
                       !copy(ctx, m, true, err)))
        return false;
    m->tensor.data = owner->device->dl_tensor.data;
    m->tensor.device = owner->device->dl_tensor.device;
    return true;
}

/* By a plan, where no output lies in an input's memory. */
static ufc_status execute(ufc_context *ctx, const ufc_ufunc *ufunc, const ufc_arg *in,
                          const ufc_out *out, ufc_error *err) {
    ufc_plan *plan;
    ufc_status status = ufc_plan_new(&plan, ctx, NULL, ufunc, in, out, NULL, err);
    if (status == UFC_OK)
        status = ufc_execute(plan, NULL, NULL, err);
    if (status == UFC_EINVAL && strstr(err->message, "a plan takes no memory"))
        status = ufc_call(ctx, NULL, ufunc, in, out, err);
    ufc_plan_free(plan);
    return status;
}

/* A call with all memory laid out; results in C order to `out`. */
static bool do_call(ufc_context *ctx, const ufc_ufunc *ufunc, const struct gufunc *f,
                    struct memory *memory, bool on_device, bool by_plan, char **out,
                    ufc_error *err) {
    ufc_arg in[MAX_IN];
    ufc_out results[MAX_OUT];
    bool done = true;
    for (int k = 0; k < f->nin + f->nout && done; k++) {
        done = place(ctx, &memory[k], on_device, err);
        if (k < f->nin)
            in[k] = ufc_array(&memory[k].tensor);
        else
            results[k - f->nin] = ufc_into(&memory[k].tensor);
    }
    done = done && (by_plan ? execute(ctx, ufunc, in, results, err)
                            : ufc_call(ctx, NULL, ufunc, in, results, err)) == UFC_OK;
    for (int k = f->nin; k < f->nin + f->nout && done; k++) {
        struct memory *m = &memory[k], *owner = m->shared ? m->shared : m;
        done = !on_device || copy(ctx, owner, false, err);
        move(&m->layout, m->type, owner->data, out[k - f->nin], true);
    }
    return done;
}

static void *allocate(int64_t bytes) {
    void *p = calloc(1, (size_t)bytes + SLACK);
    REQUIRE(p);
    return p;
}

/* Now and then an output lies in an input's memory, in its very place or in any other. */
static void share(const struct gufunc *f, struct memory *memory, uint64_t bits) {
    struct memory *in = &memory[bits % (uint64_t)f->nin], *out = &memory[f->nin];
    out += (bits >> 8) % (uint64_t)f->nout;
    bool alike = in->layout.ndim == out->layout.ndim &&
                 memcmp(in->layout.shape, out->layout.shape, sizeof in->layout.shape) == 0;
    if (bits >> 16 & 3 || size_of(in->type) != size_of(out->type))
        return;
    out->shared = in;
    if (alike && bits >> 18 & 1)
        out->layout = in->layout;
    if (out->layout.extent > in->layout.extent)
        in->layout.extent = out->layout.extent;
}

/* The arrays of call c: in C order, or with strides of all kinds. */
static void lay_out(const struct program *p, int c, bool strange, struct memory *memory,
                    char *const *in) {
    const struct gufunc *f = &p->main;
    const struct call *call = &f->calls[c];
    uint64_t stream = 5000 + 100 * (uint64_t)c;
    int n = f->nin + f->nout;
    for (int k = 0; k < n; k++) {
        memory[k] = (struct memory){.type = f->operands[k].type, .layout = shape_of(f, call, k)};
        if (strange)
            set_strange(&memory[k].layout, call->nloop, call->across, p->seed,
                        stream + 10 * (uint64_t)k);
        else
            set_plain(&memory[k].layout);
    }
    if (strange)
        share(f, memory, random_bits(p->seed, stream + 99));
    for (int k = 0; k < n; k++) {
        if (!memory[k].shared)
            memory[k].data = allocate(memory[k].layout.extent * size_of(memory[k].type));
        if (k < f->nin)
            move(&memory[k].layout, memory[k].type, memory[k].data, in[k], false);
    }
}

static void release(const struct gufunc *f, struct memory *memory) {
    for (int k = 0; k < f->nin + f->nout; k++) {
        ufc_free(memory[k].device);
        free(memory[k].data);
    }
}

static bool same(const struct program *p, const char *how, int k, int64_t n, const char *got,
                 const char *want, struct result *r) {
    ufc_type t = p->main.operands[p->main.nin + k].type;
    for (int64_t i = 0; i < n; i++)
        if (!equal(got, want, t, i, -1)) {
            char a[64], b[64], text[300];
            spell(a, sizeof a, got, t, i);
            spell(b, sizeof b, want, t, i);
            snprintf(text, sizeof text, "output %d, element %lld is %s, not %s as in C order", k,
                     (long long)i, a, b);
            return says(r, how, text);
        }
    return true;
}

/* A call with its arrays laid out anew, whose results are those in C order. */
struct again {
    const struct program *p;
    const ufc_ufunc *ufunc;
    int call;
    char **in, **out, **plain;
    const char *how;
};

static bool run_again(const struct again *a, bool strange, struct result *r) {
    const struct gufunc *f = &a->p->main;
    bool on_gpu = !is_host && strcmp(workers[WORKERS - 1], "cuda") == 0;
    struct memory memory[MAX_OPERANDS];
    struct output o;
    ufc_error err;
    lay_out(a->p, a->call, strange, memory, a->in);
    bool done = do_call(parallel, a->ufunc, f, memory, on_gpu, a->call % 3 == 1, a->out, &err) ||
                says(r, a->how, err.message);
    release(f, memory);
    for (int k = 0; k < f->nout && done; k++)
        done = output_of(a->p, a->call * f->nout + k, &o) &&
               same(a->p, a->how, k, o.n, a->out[k], a->plain[k], r);
    return done;
}

/* Has the function a version of this number? */
static bool has_version(const ufc_ufunc *ufunc, int number) {
    const ufc_ufunc *stacked = ufunc->overloads->stacked;
    if (is_host)
        return (number == 1 && (ufunc->overloads->tiled || stacked)) || (number == 2 && stacked);
    while (number-- > 0 && ufunc)
        ufunc = ufunc->overloads->other;
    return ufunc != NULL;
}

/* In C order, with the results to r; then on several threads with strides, or for every second call
 * of --special in C order again; every third time by a plan.  The same again in all versions. */
static bool run_call(const struct program *p, const ufc_ufunc *ufunc, int c, struct result *r) {
    static const char *const how[] = {"strided", "version 1", "version 2", "version 3"};
    const struct gufunc *f = &p->main;
    char *in[MAX_IN] = {NULL}, *out[MAX_OUT] = {NULL}, *plain[MAX_OUT] = {NULL};
    struct memory memory[MAX_OPERANDS];
    struct output o;
    ufc_error err;
    for (int k = 0; k < f->nin; k++) {
        struct layout l = shape_of(f, &f->calls[c], k);
        in[k] = allocate(elements(&l) * size_of(f->operands[k].type));
        fill(in[k], f->operands[k].type, elements(&l),
             p->seed * 64 + (uint64_t)c * 16 + (uint64_t)k);
    }
    for (int k = 0; k < f->nout; k++) {
        REQUIRE(output_of(p, c * f->nout + k, &o));
        plain[k] = r->out + o.at;
        out[k] = allocate(o.n * size_of(o.type));
    }
    lay_out(p, c, false, memory, in);
    bool done = do_call(serial, ufunc, f, memory, false, false, plain, &err) ||
                says(r, "plain", err.message);
    release(f, memory);
    if (done && specializes)
        REQUIRE(ufcc_specialize(running, f->name, UFCC_SPECIALIZE));
    for (int n = 0; n < 4 && done && (n == 0 || has_version(ufunc, n)); n++) {
        parallel->version = n;
        const struct again a = {p, ufunc, c, in, out, plain, how[n]};
        done = run_again(&a, !specializes || c % 2, r);
    }
    parallel->version = 0;
    ufcc_specialize(running, f->name, UFCC_GENERAL);
    for (int k = 0; k < f->nin; k++)
        free(in[k]);
    for (int k = 0; k < f->nout; k++)
        free(out[k]);
    return done;
}

static void run_program(const struct program *p, const ufc_ufunc *ufunc, struct result *r) {
    for (int c = 0; c < CASES; c++)
        if (!run_call(p, ufunc, c, r)) {
            size_t used = strlen(r->why);
            snprintf(r->why + used, sizeof r->why - used, " (call %d)", c);
            return;
        }
    r->state = RAN;
}

/* ---- results: call by call */

static bool output_of(const struct program *p, int k, struct output *o) {
    const struct gufunc *f = &p->main;
    size_t at = 0;
    for (int i = 0; i <= k; i++) {
        if (i == CASES * f->nout)
            return false;
        int operand = f->nin + i % f->nout;
        struct layout l = shape_of(f, &f->calls[i / f->nout], operand);
        *o = (struct output){f->operands[operand].type, elements(&l), at};
        at += ((size_t)(o->n * size_of(o->type)) + 15) / 16 * 16;
        REQUIRE(at <= RESULT_BYTES);
    }
    return true;
}

static void print_inputs(const struct program *p, int k, int64_t e) {
    const struct gufunc *f = &p->main;
    for (int c = 0; c < CASES; c++) {
        printf("    call %d:", c);
        for (int i = 0; i < f->nin + f->nout; i++) {
            struct layout l = shape_of(f, &f->calls[c], i);
            printf("%s (", i == f->nin ? " ->" : "");
            for (int axis = 0; axis < l.ndim; axis++)
                printf("%s%lld", axis ? "," : "", (long long)l.shape[axis]);
            printf(")");
        }
        printf("\n");
    }
    if (k >= 0)
        printf("    result %d is output %d of call %d, element %lld in C order\n", k, k % f->nout,
               k / f->nout, (long long)e);
}

int main(int argc, char **argv) {
    return fuzz(argc, argv);
}
