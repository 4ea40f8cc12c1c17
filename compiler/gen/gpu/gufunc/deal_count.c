/* deal_count.c: DEAL's entries that only count.  What one finds in its bin follows from how many of
 * the bin's come before it, so that a warp's lanes each update a bin by their own entry, all at
 * once: plan/deal_count.c. */
#include "deal_own.h"

/* ---- elements */

/* The statement that adds a number to an array's element; NULL: none does. */
static const struct pstmt *find_step(const struct deal *d, int i, struct series_term *term) {
    const struct pstmt *s = d->update[0];
    while (s != NULL && s->var != d->array[i].element)
        s = s->next;
    return s != NULL && deal_step(d, s, term) ? s : NULL;
}

bool deal_has_step(const struct deal *d, int i) {
    struct series_term term;
    return find_step(d, i, &term) != NULL;
}

LLVMValueRef deal_counted(const struct dealing *x, int i, LLVMValueRef element, LLVMValueRef n) {
    struct gen *g = x->g;
    struct series_term term;
    if (find_step(x->d, i, &term) == NULL)
        return element;
    enum ufc_dtype d = x->d->array[i].element->dtype;
    LLVMValueRef times = LLVMBuildIntCast2(g->b, n, gen_type(g, d), false, "");
    LLVMValueRef all = gen_op(g, OP_MUL, d, gen_value(g, term.value), times);
    return gen_op(g, term.negative ? OP_SUB : OP_ADD, d, element, all);
}

static bool is_part(const struct owner *o, int i) {
    return o->part < 0 || o->x->d->array[i].part == o->part;
}

static LLVMValueRef slot_of(const struct dealing *x, int i) {
    return var_of(x->g, x->d->array[i].element)->slot;
}

static LLVMValueRef element_of(const struct dealing *x, int i) {
    struct gen *g = x->g;
    LLVMTypeRef type = gen_type(g, x->d->array[i].element->dtype);
    return LLVMBuildLoad2(g->b, type, slot_of(x, i), "");
}

void deal_count(const struct dealing *x, int part, const LLVMValueRef *element, LLVMValueRef before,
                LLVMValueRef there) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    for (int i = 0; i < d->narrays; i++)
        if (part < 0 || d->array[i].part == part)
            LLVMBuildStore(g->b, deal_counted(x, i, element[i], before), slot_of(x, i));
    for (const struct pstmt *s = d->update[0]; s != NULL; s = s->next)
        if (part < 0 || deal_part(d, s) == part)
            LLVMBuildStore(g->b, gen_value(g, s->value), var_of(g, s->var)->slot);
    deal_store_results(x, 0, part, there);
}

/* ---- bins in lanes */

/* The lanes whose entries are of the lane's own bin, and those whose are of the bin that its entry
 * is for: by the bits of the lanes that have these bins. */
struct alike {
    LLVMValueRef own, mates;
};

static struct alike find_alike(const struct dealing *x, LLVMValueRef lane, LLVMValueRef there) {
    struct gen *g = x->g;
    LLVMValueRef all = i32(g, UINT32_MAX), none = i32(g, 0);
    struct alike a = {.own = gpu(g)->ballot(g, all, there)};
    a.mates = a.own;
    for (uint32_t bit = 1; bit < WARP; bit *= 2) {
        LLVMValueRef of = is_set(g, both(g, lane, i32(g, bit)));
        LLVMValueRef own = is_set(g, both(g, x->lane, i32(g, bit)));
        LLVMValueRef with = gpu(g)->ballot(g, all, of);
        LLVMValueRef without = LLVMBuildNot(g->b, with, "");
        a.own = both(g, a.own, gen_select(g, own, with, without));
        a.mates = both(g, a.mates, gen_select(g, of, with, without));
    }
    a.mates = gen_select(g, there, a.mates, none);
    return a;
}

static void count_entry(const struct owner *o, const struct entry *e) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef there = compare(g, LLVMIntNE, e->bin, i32(g, UINT32_MAX));
    LLVMValueRef lane = both(g, LLVMBuildLShr(g->b, e->bin, x->shift, ""), i32(g, WARP - 1));
    LLVMValueRef element[MAX_DEAL_ARRAYS], kept[MAX_DEAL_ARRAYS];
    struct alike a = find_alike(x, lane, there);
    for (int i = 0; i < d->narrays; i++)
        if (is_part(o, i)) {
            kept[i] = element_of(x, i);
            element[i] = gen_from_lane(g, kept[i], lane);
        }
    deal_set_terms(o, o->terms, e->term);
    deal_count(x, o->part, element, deal_lanes_before(x, a.mates), there);
    for (int i = 0; i < d->narrays; i++)
        if (is_part(o, i))
            LLVMBuildStore(g->b, deal_counted(x, i, kept[i], deal_count_lanes(g, a.own)),
                           slot_of(x, i));
}

void deal_count_in_lanes(const struct owner *o, const struct entry *entry) {
    for (uint32_t u = 0; u < deal_batch(o); u++)
        count_entry(o, &entry[u]);
}

/* ---- bins in memory */

/* The first of the lanes that have an entry of a bin loads it, and stores it when all have counted.
 */
static void count_by_mates(const struct owner *o, const struct entry *e) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    const struct deal *d = x->d;
    LLVMValueRef there = compare(g, LLVMIntNE, e->bin, i32(g, UINT32_MAX));
    LLVMValueRef mates = gpu(g)->match(g, e->bin), before = deal_lanes_before(x, mates);
    LLVMValueRef first = both(g, there, compare(g, LLVMIntEQ, before, i32(g, 0)));
    LLVMValueRef element[MAX_DEAL_ARRAYS], kept[MAX_DEAL_ARRAYS];
    LLVMBasicBlockRef after = begin_if(g, first);
    deal_move(o, e->bin, false);
    end_if(g, after);
    for (int i = 0; i < d->narrays; i++) {
        kept[i] = element_of(x, i);
        element[i] = gen_from_lane(g, kept[i], trailing_zeros(g, mates));
    }
    deal_set_terms(o, o->terms, e->term);
    deal_count(x, o->part, element, before, there);
    for (int i = 0; i < d->narrays; i++)
        LLVMBuildStore(g->b, deal_counted(x, i, kept[i], deal_count_lanes(g, mates)),
                       slot_of(x, i));
    after = begin_if(g, first);
    deal_move(o, e->bin, true);
    end_if(g, after);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
}

void deal_count_in_memory(const struct owner *o, const struct entry *entry) {
    for (uint32_t u = 0; u < deal_batch(o); u++)
        count_by_mates(o, &entry[u]);
}
