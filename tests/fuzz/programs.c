/* programs.c: random programs of scalars give the same bits on all levels of host code, in the
 * simulator or on a GPU, with any number of threads, in any layout and position.  See workers.h. */
#include "draw.h"
#include "ufcc.h"

enum { ROWS = 11, COLUMNS = 12, N = ROWS * COLUMNS, WIDEST = 16, TILES = 800 };
enum { RESULT_BYTES = MAX_OUT * N * WIDEST };

#include "workers.h"

/* ---- calls */

/* An array of n elements for operand k, as every worker generates it. */
static void fill(char *data, ufc_type t, uint64_t seed, int k) {
    for (int i = 0; i < N; i++)
        generate(data, t, i, seed * 16 + (uint64_t)k, "xxffswzx"[random_bits(seed, i) % 8]);
}

/* An operand's elements and how they lie. */
struct operand {
    char *data; /* of the element with index 0 */
    int64_t strides[2];
};

struct call {
    const ufc_ufunc *ufunc;
    const struct function *f;
    int64_t shape[2];
    int ndim;
    struct operand operands[MAX_IN + MAX_OUT]; /* inputs first */
};

static ufc_type type_at(const struct function *f, int k) {
    return k < f->nin ? f->in[k] : f->out[k - f->nin];
}

static bool do_call(ufc_context *ctx, struct call *c, char *why, size_t size) {
    DLTensor arrays[MAX_IN + MAX_OUT];
    ufc_arg in[MAX_IN];
    ufc_out out[MAX_OUT];
    ufc_error err;
    for (int k = 0; k < c->f->nin + c->f->nout; k++) {
        arrays[k] =
            ufc_host_array(c->operands[k].data, ufc_dltype(type_at(c->f, k)), c->ndim, c->shape);
        arrays[k].strides = c->operands[k].strides;
        if (k < c->f->nin)
            in[k] = ufc_array(&arrays[k]);
        else
            out[k - c->f->nin] = ufc_into(&arrays[k]);
    }
    if (ufc_call(ctx, NULL, c->ufunc, in, out, &err) == UFC_OK)
        return true;
    snprintf(why, size, "%.400s", err.message);
    return false;
}

/* ---- layouts.  Each gives a call of N elements whose results are those of the plain one, whatever
 * lies where. */

static char memory[MAX_IN + MAX_OUT][8 * N * WIDEST];

/* Operand k, element (i, j) of shape[0] × shape[1] at its strides, gets the elements of `plain`. */
static void scatter(struct call *c, int k, const char *plain) {
    int64_t size = size_of(type_at(c->f, k));
    for (int64_t i = 0; i < c->shape[0]; i++)
        for (int64_t j = 0; j < c->shape[1]; j++)
            memcpy(c->operands[k].data +
                       (i * c->operands[k].strides[0] + j * c->operands[k].strides[1]) * size,
                   plain + (i * c->shape[1] + j) * size, (size_t)size);
}

static void gather(const struct call *c, int k, char *plain) {
    int64_t size = size_of(type_at(c->f, k));
    for (int64_t i = 0; i < c->shape[0]; i++)
        for (int64_t j = 0; j < c->shape[1]; j++)
            memcpy(plain + (i * c->shape[1] + j) * size,
                   c->operands[k].data +
                       (i * c->operands[k].strides[0] + j * c->operands[k].strides[1]) * size,
                   (size_t)size);
}

/* Any order of the axes, any steps, forwards and backwards; an offset of any elements. */
static void lay_out(struct call *c, int k, uint64_t bits) {
    struct operand *o = &c->operands[k];
    int64_t step = 1 + (int64_t)(bits % 3), size = size_of(type_at(c->f, k));
    bool transposed = bits >> 8 & 1, back0 = bits >> 9 & 1, back1 = bits >> 10 & 1;
    o->strides[0] = transposed ? step : step * COLUMNS;
    o->strides[1] = transposed ? step * ROWS : step;
    o->data = memory[k] + (int64_t)(bits >> 16 & 7) * size;
    for (int axis = 0; axis < 2; axis++)
        if (axis ? back1 : back0) {
            o->data += (c->shape[axis] - 1) * o->strides[axis] * size;
            o->strides[axis] = -o->strides[axis];
        }
}

static bool same(const struct program *p, const char *what, int out, const char *got,
                 const char *want, int n, struct result *r) {
    ufc_type t = p->main.out[out];
    for (int i = 0; i < n; i++)
        if (!equal(got, want, t, i, -1)) {
            char a[64], b[64];
            spell(a, sizeof a, got, t, i);
            spell(b, sizeof b, want, t, i);
            snprintf(r->why, sizeof r->why, "%s: result %d, element %d is %s, not %s as in C order",
                     what, out, i, a, b);
            r->state = WRONG;
            return false;
        }
    return true;
}

/* All operands with strides of their own. */
static void check_layouts(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                          struct result *r) {
    static char plain[N * WIDEST];
    int nin = p->main.nin, n = nin + p->main.nout;
    c->ndim = 2;
    c->shape[0] = ROWS, c->shape[1] = COLUMNS;
    for (int k = 0; k < n; k++) {
        lay_out(c, k, random_bits(p->seed, 1000 + (uint64_t)k));
        if (k < nin)
            scatter(c, k, in[k]);
    }
    if (!do_call(serial, c, r->why, sizeof r->why)) {
        r->state = WRONG;
        return;
    }
    for (int k = nin; k < n; k++) {
        gather(c, k, plain);
        if (!same(p, "strided", k - nin, plain, r->out + (k - nin) * N * WIDEST, N, r))
            return;
    }
}

/* Inputs that are rows, columns and numbers, beside the same written out. */
static void check_broadcast(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                            struct result *r) {
    static char whole[MAX_OUT][N * WIDEST];
    int nin = p->main.nin, n = nin + p->main.nout;
    c->ndim = 2;
    c->shape[0] = ROWS, c->shape[1] = COLUMNS;
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < n; k++) {
            int64_t size = size_of(type_at(&p->main, k));
            int form = (int)(random_bits(p->seed, 2000 + (uint64_t)k) % 3);
            int64_t strides[] = {form == 0, form == 1};
            c->operands[k] = (struct operand){memory[k], {COLUMNS, 1}};
            if (k < nin && pass)
                c->operands[k] = (struct operand){in[k], {strides[0], strides[1]}};
            for (int64_t i = 0; i < N && k < nin && !pass; i++)
                memcpy(memory[k] + i * size,
                       in[k] + (i / COLUMNS * strides[0] + i % COLUMNS * strides[1]) * size,
                       (size_t)size);
        }
        if (!do_call(serial, c, r->why, sizeof r->why)) {
            r->state = WRONG;
            return;
        }
        for (int k = 0; k < p->main.nout; k++)
            if (!pass)
                memcpy(whole[k], memory[nin + k], sizeof whole[k]);
            else if (!same(p, "broadcast", k, memory[nin + k], whole[k], N, r))
                return;
    }
}

/* Pieces of all lengths, each a call. */
static void check_pieces(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                         struct result *r) {
    int nin = p->main.nin, n = nin + p->main.nout;
    c->ndim = 1;
    for (int64_t first = 0, k = 0; first < N; first += c->shape[0], k++) {
        c->shape[0] = 1 + (int64_t)(random_bits(p->seed, 3000 + (uint64_t)k) % 37);
        if (c->shape[0] > N - first)
            c->shape[0] = N - first;
        for (int i = 0; i < n; i++)
            c->operands[i] = (struct operand){
                (i < nin ? in[i] : memory[i]) + first * size_of(type_at(&p->main, i)), {1, 0}};
        if (!do_call(serial, c, r->why, sizeof r->why)) {
            r->state = WRONG;
            return;
        }
    }
    for (int k = 0; k < p->main.nout; k++)
        if (!same(p, "in pieces", k, memory[nin + k], r->out + k * N * WIDEST, N, r))
            return;
}

/* The same over and over, on several threads. */
static void check_threads(struct call *c, const struct program *p, char (*in)[N * WIDEST],
                          struct result *r) {
    int nin = p->main.nin, n = nin + p->main.nout, tiles = is_host ? TILES : 8;
    char *long_ones[MAX_IN + MAX_OUT];
    c->ndim = 1;
    c->shape[0] = (int64_t)tiles * N;
    for (int k = 0; k < n; k++) {
        size_t bytes = (size_t)(N * size_of(type_at(&p->main, k)));
        REQUIRE(long_ones[k] = malloc((size_t)tiles * bytes));
        for (int i = 0; i < tiles && k < nin; i++)
            memcpy(long_ones[k] + (size_t)i * bytes, in[k], bytes);
        c->operands[k] = (struct operand){long_ones[k], {1, 0}};
    }
    if (!do_call(parallel, c, r->why, sizeof r->why))
        r->state = WRONG;
    for (int k = 0; k < p->main.nout; k++)
        for (int i = 0; i < tiles && r->state == RAN; i++)
            same(p, "on several threads", k,
                 long_ones[nin + k] + (size_t)i * (size_t)(N * size_of(p->main.out[k])),
                 r->out + k * N * WIDEST, N, r);
    for (int k = 0; k < n; k++)
        free(long_ones[k]);
}

static void run_program(const struct program *p, const ufc_ufunc *ufunc, struct result *r) {
    static char in[MAX_IN][N * WIDEST];
    struct call c = {.ufunc = ufunc, .f = &p->main, .shape = {N, 1}, .ndim = 1};
    int nin = p->main.nin;
    for (int k = 0; k < nin + p->main.nout; k++) {
        if (k < nin)
            fill(in[k], p->main.in[k], p->seed, k);
        c.operands[k] = (struct operand){k < nin ? in[k] : r->out + (k - nin) * N * WIDEST, {1, 0}};
    }
    r->state = do_call(serial, &c, r->why, sizeof r->why) ? RAN : WRONG;
    if (r->state == RAN)
        check_layouts(&c, p, in, r);
    if (r->state == RAN)
        check_broadcast(&c, p, in, r);
    if (r->state == RAN)
        check_pieces(&c, p, in, r);
    if (r->state == RAN && p->seed % 8 == 0)
        check_threads(&c, p, in, r);
}

static bool output_of(const struct program *p, int k, struct output *o) {
    if (k >= p->main.nout)
        return false;
    *o = (struct output){p->main.out[k], N, (size_t)k * N * WIDEST};
    return true;
}

static void print_inputs(const struct program *p, int output, int64_t e) {
    static char in[N * WIDEST];
    for (int k = 0; k < p->main.nin && output >= 0; k++) {
        char value[64];
        fill(in, p->main.in[k], p->seed, k);
        spell(value, sizeof value, in, p->main.in[k], e);
        printf("    input %d, element %lld: %s\n", k, (long long)e, value);
    }
}

int main(int argc, char **argv) {
    return fuzz(argc, argv);
}
