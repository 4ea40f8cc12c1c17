/* state_series.c: series over the dimension of a state.  Each lane computes the terms of its
 * indices and leaves them in shared memory, from where all lanes of the call add them up in their
 * order: loads do not wait for one another, as shuffles from lane to lane would. */
#include "series.h"
#include "state.h"

enum { LOT = 16, ROW_ALIGN = 16 }; /* indices whose terms are loaded at once */

/* Bytes that a lane has for the terms of its indices. */
static uint32_t lane_bytes(const struct state *x) {
    return (uint32_t)x->per * UFC_STATE_TERMS;
}

void reserve_lane_terms(struct gen *g, struct threads *t) {
    struct state *x = t->state;
    uint32_t bytes = kernel_info[t->kind].threads * lane_bytes(x);
    LLVMValueRef all =
        shared_array(g, LLVMInt8TypeInContext(g->context), bytes, ROW_ALIGN, "terms");
    LLVMValueRef first = LLVMBuildAnd(g->b, t->tid, LLVMBuildNeg(g->b, t->group, ""), "");
    x->terms = at_byte(g, all, extended(g, multiply(g, first, i32(g, lane_bytes(x)))));
    t->kept = NEW(g->uc, struct kept_terms);
}

/* ---- where terms are */

static uint32_t bytes_of(const struct series_acc *a) {
    return dtype_info[a->var->dtype].bits / 8;
}

/* Where the terms of variable i begin among those of an index, the widest first; of none behind the
 * last one: the bytes of all. */
static uint32_t offset_of(const struct kept_terms *x, int i) {
    const struct series *s = x->series;
    uint32_t offset = 0, widest = 1;
    for (int k = 0; k < s->n; k++) {
        uint32_t bytes = bytes_of(&s->acc[k]), own = i < s->n ? bytes_of(&s->acc[i]) : 0;
        widest = bytes > widest ? bytes : widest;
        if (bytes > own || (bytes == own && k < i))
            offset += (uint32_t)s->terms[k] * bytes;
    }
    return i < s->n ? offset : (offset + widest - 1) / widest * widest;
}

/* A term in shared memory, as the index `first` (i64) and a number of indices behind it has it. */
struct term {
    LLVMValueRef address;
    LLVMTypeRef type;
    unsigned align; /* first's terms are at a multiple of so many bytes, and this one's too */
};

static struct term term_at(struct gen *g, LLVMValueRef first, unsigned align, int further, int i,
                           int number) {
    const struct kept_terms *x = g->threads->kept;
    const struct series_acc *a = &x->series->acc[i];
    uint32_t index = offset_of(x, x->series->n);
    uint32_t at = index * (uint32_t)further + offset_of(x, i) + (uint32_t)number * bytes_of(a);
    LLVMValueRef base = multiply(g, first, i64(g, index));
    base = at_byte(g, g->threads->state->terms, base);
    uint32_t all = at | align;
    return (struct term){at_byte(g, base, i64(g, at)), gen_type(g, a->var->dtype), all & -all};
}

/* ---- terms and sums */

/* The lane's terms, of all of its indices. */
static void compute_terms(struct gen *g) {
    const struct kept_terms *kept = g->threads->kept;
    const struct series *s = kept->series;
    struct state *x = g->threads->state;
    LLVMValueRef v[MAX_PER][MAX_SERIES_ACCS][MAX_SERIES_TERMS];
    for (int k = 0; k < x->per; k++) {
        take_index(g, k);
        gen_set_index(g, s->points->ranges->var, x->index[k]);
        clear_terms(g);
        gen_kept_terms(g);
        for (int i = 0; i < s->n; i++)
            for (int t = 0; t < s->terms[i]; t++)
                v[k][i][t] =
                    LLVMBuildLoad2(g->b, gen_type(g, s->acc[i].var->dtype), kept->slot[i][t], "");
    }
    take_index(g, 0);
    uint32_t align = ((uint32_t)x->per * offset_of(kept, s->n)) | ROW_ALIGN;
    gpu(g)->warp_barrier(g, g->threads->lane_mask);
    for (int k = 0; k < x->per; k++)
        for (int i = 0; i < s->n; i++)
            for (int t = 0; t < s->terms[i]; t++) {
                struct term to = term_at(g, x->own[0], align, k, i, t);
                LLVMSetAlignment(LLVMBuildStore(g->b, v[k][i][t], to.address), to.align);
            }
    gpu(g)->warp_barrier(g, g->threads->lane_mask);
}

/* Has the terms of the n indices from `first` on, i64, added up. */
static void add_lot(struct gen *g, LLVMValueRef first, int n) {
    const struct kept_terms *x = g->threads->kept;
    LLVMValueRef v[LOT][MAX_SERIES_ACCS][MAX_SERIES_TERMS];
    unsigned align = ((uint32_t)n * offset_of(x, x->series->n)) | ROW_ALIGN;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < x->series->n; i++)
            for (int t = 0; t < x->series->terms[i]; t++) {
                struct term from = term_at(g, first, align, k, i, t);
                v[k][i][t] = LLVMBuildLoad2(g->b, from.type, from.address, "");
                LLVMSetAlignment(v[k][i][t], from.align);
            }
    for (int i = 0; i < x->series->n; i++) {
        const struct series_acc *a = &x->series->acc[i];
        LLVMValueRef slot = var_of(g, a->var)->slot;
        LLVMValueRef sum = LLVMBuildLoad2(g->b, gen_type(g, a->var->dtype), slot, "");
        for (int k = 0; k < n; k++)
            for (int t = 0; t < x->series->terms[i]; t++)
                sum = join_term(g, a, sum, v[k][i][t]);
        LLVMBuildStore(g->b, sum, slot);
    }
}

/* The same of all lots of so many indices from `first` on; gives the index behind them. */
static LLVMValueRef add_lots(struct gen *g, LLVMValueRef first, LLVMValueRef size, int lot) {
    struct loop l;
    LLVMValueRef last = subtract(g, size, i64(g, (uint64_t)lot));
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLE, l.phi[0], last));
    add_lot(g, l.phi[0], lot);
    LLVMValueRef next = add(g, l.phi[0], i64(g, (uint64_t)lot));
    loop_end(g, &l, &next);
    return l.phi[0];
}

void gen_series_in_lanes(struct gen *g, const struct series *s) {
    struct state *x = g->threads->state;
    const struct pstmt *outer = x->spread;
    reserve_terms(g, g->threads->kept, s);
    x->spread = s->points;
    compute_terms(g);
    x->spread = outer;
    LLVMValueRef size = g->dims[g->plan->map.state->index];
    LLVMValueRef next = i64(g, 0);
    for (int lot = LOT; lot > 0; lot /= 4)
        next = add_lots(g, next, size, lot);
}
