/* deal_lanes.c: DEAL's owners whose lanes have a bin each, in registers: all lanes see one entry
 * after the other, by shared memory.  The additions to a bin then wait for one another alone: while
 * lanes add some entries' terms, those of the next ones are loaded, and where all are of one bin
 * they need not see whose these are.
 *
 * Where all of the block's threads load entries, its first warp sees them; what these store, their
 * results, it leaves in shared memory to the threads that have loaded them. */
#include "deal_own.h"

enum {
    SMALL_UPDATE = 12, /* nodes of a short update */
    SEEN = 16,         /* entries that lanes load at once, at most, */
    SEEN_BYTES = 48,   /* and of these: */
    ALL_BYTES = 64,    /* where there is one part */
    FEW_SEEN = 4,      /* where several warps of the block see entries of their own */
    ALONE_BIT = 1 << 8 /* behind lanes and kinds */
};

/* ---- entries in shared memory */

LLVMTypeRef deal_shown_type(struct gen *g, enum ufc_dtype d) {
    return d == DT_BOOL ? LLVMInt8TypeInContext(g->context) : gen_type(g, d);
}

static unsigned shown_size(enum ufc_dtype d) {
    return d == DT_BOOL ? 1 : (unsigned)dtype_info[d].bits / 8;
}

LLVMValueRef deal_shown_at(struct gen *g, LLVMTypeRef type, LLVMValueRef row, LLVMValueRef i) {
    return LLVMBuildGEP2(g->b, type, row, &i, 1, "");
}

void deal_put_row(struct gen *g, enum ufc_dtype d, LLVMValueRef v, LLVMValueRef row,
                  LLVMValueRef i) {
    LLVMTypeRef type = deal_shown_type(g, d);
    if (d == DT_BOOL)
        v = LLVMBuildZExt(g->b, v, type, "");
    LLVMBuildStore(g->b, v, deal_shown_at(g, type, row, i));
}

LLVMValueRef deal_get_row(struct gen *g, enum ufc_dtype d, LLVMValueRef row, LLVMValueRef i,
                          bool stays) {
    LLVMTypeRef type = deal_shown_type(g, d);
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, deal_shown_at(g, type, row, i), "");
    LLVMSetVolatile(v, stays);
    return d == DT_BOOL ? is_set(g, v) : v;
}

/* A row of values of `size` bytes, behind *at, where that is the size at hand. */
static void find_row(struct gen *g, enum ufc_dtype d, unsigned size, LLVMValueRef far,
                     LLVMValueRef *at, LLVMValueRef *row) {
    if (shown_size(d) != size)
        return;
    *row = at_byte(g, dynamic_memory(g), *at);
    *at = add(g, *at, multiply(g, far, i64(g, size)));
}

/* Wider values come first, so that all are aligned. */
struct shown deal_find_shown(const struct owner *o, LLVMValueRef half) {
    const struct dealing *x = o->x;
    const struct deal *d = x->d;
    struct gen *g = x->g;
    struct shown s = {.of = {NULL, {NULL}}};
    LLVMValueRef count = o->together ? g->threads->ntid : i32(g, UFC_DEAL_SHOWN);
    LLVMValueRef own = multiply(g, half, multiply(g, count, i32(g, x->room.bytes)));
    LLVMValueRef at = extended(g, own), far = extended(g, count);
    for (unsigned size = 8; size > 0; size /= 2) {
        for (int i = 0; i < d->nterms; i++)
            if (o->shown >> i & 1)
                find_row(g, d->term[i]->dtype, size, far, &at, &s.of.term[i]);
        for (int i = 0; o->together && i < d->nresults; i++) {
            const struct deal_result *r = &d->result[i];
            find_row(g, r->value->dtype, size, far, &at, &s.result[i]);
            if (r->when != NULL)
                find_row(g, DT_BOOL, size, far, &at, &s.when[i]);
        }
        find_row(g, DT_INT32, size, far, &at, &s.of.lane);
    }
    return s;
}

/* Of a warp's entries that are of one bin the first says so. */
static LLVMValueRef mark_alone(const struct owner *o, const struct entry *e, LLVMValueRef lane) {
    struct gen *g = o->x->g;
    LLVMValueRef all = i32(g, UINT32_MAX);
    LLVMValueRef alike = compare(g, LLVMIntEQ, gpu(g)->match(g, e->bin), all);
    LLVMValueRef there = compare(g, LLVMIntNE, e->bin, all);
    LLVMValueRef first = compare(g, LLVMIntEQ, o->x->lane, i32(g, 0));
    LLVMValueRef bit =
        gen_select(g, both(g, first, both(g, alike, there)), i32(g, ALONE_BIT), i32(g, 0));
    return LLVMBuildOr(g->b, lane, bit, "");
}

/* Lets all lanes see the lane's entry, the u-th. */
static void put_shown(const struct owner *o, const struct seen *s, const struct entry *e, int u) {
    const struct deal *d = o->x->d;
    struct gen *g = o->x->g;
    LLVMValueRef i = o->together ? g->threads->tid : add(g, o->x->lane, i32(g, (uint32_t)u * WARP));
    LLVMValueRef lane = LLVMBuildLShr(g->b, e->bin, o->x->shift, "");
    if (e->kind != NULL)
        lane = LLVMBuildOr(g->b, lane, multiply(g, e->kind, i32(g, WARP)), "");
    else if (o->together)
        lane = mark_alone(o, e, lane);
    LLVMBuildStore(g->b, lane, deal_shown_at(g, i32_type(g), s->lane, i));
    for (int k = 0; k < d->nterms; k++)
        if (o->shown >> k & 1)
            deal_put_row(g, d->term[k]->dtype, e->term[k], s->term[k], i);
}

/* ---- updates */

static bool is_part(const struct owner *o, const struct pstmt *update) {
    return o->part < 0 || deal_part(o->x->d, update) == o->part;
}

/* Joins terms to an element, or what changes nothing where it is not `own`, so that additions wait
 * for nothing else.  False: the update is something else. */
static bool add_own(struct gen *g, const struct pstmt *s, LLVMValueRef own) {
    struct series_term term[MAX_SERIES_TERMS];
    enum ufc_dtype d = s->var->dtype;
    LLVMValueRef slot = var_of(g, s->var)->slot;
    int n = s->var->rounds == s->var->dtype || !is_half(s->var->rounds)
                ? series_terms(s->var, s->value, term)
                : 0;
    if (n <= 0 || term[0].join >= OP_COUNT || (!is_float(d) && !is_integer(d)))
        return false;
    enum op op = (enum op)term[0].join;
    LLVMValueRef all = LLVMBuildLoad2(g->b, gen_type(g, d), slot, "");
    LLVMValueRef none =
        is_float(d) ? gen_float(g, d, op == OP_MUL ? 1 : -0.0) : gen_int(g, d, op == OP_MUL);
    for (int i = 0; i < n; i++) {
        LLVMValueRef v = gen_value(g, term[i].value);
        if (term[i].negative)
            v = gen_op(g, OP_NEG, d, v, NULL);
        LLVMValueRef counts = gen_term_counts(g, &term[i]);
        counts = counts != NULL ? both(g, own, counts) : own;
        all = gen_op(g, op, d, all, gen_select(g, counts, v, none));
    }
    LLVMBuildStore(g->b, all, slot);
    return true;
}

/* Has an entry's results wait in shared memory, which its lane stores there. */
static void put_results(const struct owner *o, const struct shown *s, LLVMValueRef number, int kind,
                        LLVMValueRef own) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    for (int i = 0; i < d->nresults; i++) {
        const struct deal_result *r = &d->result[i];
        if (!deal_is_result_of(d, i, kind, o->part))
            continue;
        LLVMBasicBlockRef after = begin_if(g, own);
        LLVMTypeRef type = gen_type(g, r->value->dtype);
        LLVMValueRef v = LLVMBuildLoad2(g->b, type, var_of(g, r->value)->slot, "");
        deal_put_row(g, r->value->dtype, v, s->result[i], number);
        if (r->when != NULL)
            deal_put_row(g, DT_BOOL, gen_value(g, r->when), s->when[i], number);
        end_if(g, after);
    }
}

static void set_own(struct gen *g, const struct pstmt *s, LLVMValueRef own) {
    LLVMValueRef slot = var_of(g, s->var)->slot, v = gen_value(g, s->value);
    LLVMValueRef old = LLVMBuildLoad2(g->b, gen_type(g, s->var->dtype), slot, "");
    LLVMBuildStore(g->b, gen_select(g, own, v, old), slot);
}

/* The update of the lane's bin by the entry of a number, i32, if it is its own.  Where lanes do not
 * see whose it is, it is the first one's. */
static void update_lane(const struct owner *o, const struct shown *s, const struct seen *e,
                        LLVMValueRef number) {
    const struct deal *d = o->x->d;
    struct gen *g = o->x->g;
    deal_set_terms(o, o->shown, e->term);
    for (int kind = 0; kind < d->nkinds; kind++) {
        LLVMValueRef own = LLVMBuildOr(g->b, o->x->lane, i32(g, (uint32_t)kind * WARP), "");
        LLVMValueRef is = e->lane == NULL ? LLVMConstInt(i1_type(g), 1, false)
                                          : compare(g, LLVMIntEQ, e->lane, own);
        LLVMValueRef stores = e->lane == NULL ? compare(g, LLVMIntEQ, o->x->lane, s->owner) : is;
        for (const struct pstmt *u = d->update[kind]; u != NULL; u = u->next)
            if (is_part(o, u) && !(deal_element(d, u->var) >= 0 && add_own(g, u, is)))
                set_own(g, u, is);
        if (o->together)
            put_results(o, s, number, kind, stores);
        else
            deal_store_results(o->x, kind, o->part, stores);
    }
}

/* ---- entries that are seen */

/* Need lanes not see whose an entry is?  single: it is of a run of one bin. */
static bool is_sure(const struct owner *o, bool single) {
    return single && o->x->d->nkinds == 1;
}

/* Values of entries that come next, in slots: while lanes add some up, others are loaded. */
struct coming {
    LLVMValueRef lane[SEEN], term[MAX_DEAL_TERMS][SEEN];
};

static void make_coming(const struct owner *o, struct coming *c, unsigned n) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    for (unsigned u = 0; u < n; u++) {
        c->lane[u] = gen_alloca(g, i32_type(g), "seen");
        for (int k = 0; k < d->nterms; k++)
            if (o->shown >> k & 1)
                c->term[k][u] = gen_alloca(g, deal_shown_type(g, d->term[k]->dtype), "seen");
    }
}

/* Loads `n` neighbours of a row, from number i, i32, on.  Volatile, so that they are loaded before
 * what is at hand is used, not when it has been. */
static void load_row(struct gen *g, LLVMTypeRef type, unsigned size, LLVMValueRef row,
                     LLVMValueRef i, unsigned n, const LLVMValueRef *slot) {
    unsigned each = size < 4 ? 4 : 16 / size;
    each = each < n ? each : n;
    for (unsigned k = 0; k < n; k += each) {
        LLVMValueRef at = deal_shown_at(g, type, deal_shown_at(g, type, row, i), i32(g, k));
        LLVMValueRef all = LLVMBuildLoad2(g->b, LLVMVectorType(type, each), at, "");
        LLVMSetAlignment(all, each * size);
        LLVMSetVolatile(all, true);
        for (unsigned u = 0; u < each; u++)
            LLVMBuildStore(g->b, LLVMBuildExtractElement(g->b, all, i32(g, u), ""), slot[k + u]);
    }
}

static void load_coming(const struct owner *o, const struct seen *s, LLVMValueRef i, unsigned n,
                        const struct coming *c, bool single) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    if (!is_sure(o, single))
        load_row(g, i32_type(g), 4, s->lane, i, n, c->lane);
    for (int k = 0; k < d->nterms; k++)
        if (o->shown >> k & 1) {
            enum ufc_dtype type = d->term[k]->dtype;
            load_row(g, deal_shown_type(g, type), shown_size(type), s->term[k], i, n, c->term[k]);
        }
}

static void update_by_coming(const struct owner *o, const struct shown *s, const struct coming *c,
                             LLVMValueRef i, unsigned n, bool single) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    for (unsigned u = 0; u < n; u++) {
        bool sure = is_sure(o, single);
        struct seen e = {sure ? NULL : LLVMBuildLoad2(g->b, i32_type(g), c->lane[u], ""), {NULL}};
        for (int k = 0; k < d->nterms; k++)
            if (o->shown >> k & 1) {
                enum ufc_dtype type = d->term[k]->dtype;
                LLVMValueRef v = LLVMBuildLoad2(g->b, deal_shown_type(g, type), c->term[k][u], "");
                e.term[k] = type == DT_BOOL ? is_set(g, v) : v;
            }
        update_lane(o, s, &e, add(g, i, i32(g, u)));
    }
}

/* Nodes of the part's updates. */
static int update_size(const struct owner *o) {
    const struct deal *d = o->x->d;
    int n = 0;
    for (int kind = 0; kind < d->nkinds; kind++)
        for (const struct pstmt *s = d->update[kind]; s != NULL; s = s->next)
            n += is_part(o, s) ? value_size(s->value) : 0;
    return n;
}

/* Entries that are loaded together: as many as have room in registers, twice, with results. */
static unsigned seen_at_once(const struct owner *o, bool single) {
    unsigned n = o->together ? SEEN : FEW_SEEN;
    unsigned bytes = deal_seen_bytes(o->x->d, o->part) - (is_sure(o, single) ? 4 : 0);
    unsigned most = o->x->d->nparts > 1 ? SEEN_BYTES : ALL_BYTES, least = o->part < 0 ? 1 : 2;
    while (n > least && (n * bytes > most || update_size(o) > SMALL_UPDATE))
        n /= 2;
    return n;
}

/* All lanes see entries from number `begin` to `end`, i32. */
static void see_entries(const struct owner *o, const struct shown *s, LLVMValueRef begin,
                        LLVMValueRef end, bool single) {
    struct gen *g = o->x->g;
    unsigned n = seen_at_once(o, single);
    struct coming one, other;
    make_coming(o, &one, n);
    make_coming(o, &other, n);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, begin, end));
    load_coming(o, &s->of, begin, n, &one, single);
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef next = add(g, l.phi[0], i32(g, 2 * n)), more = compare(g, LLVMIntULT, next, end);
    LLVMValueRef half = add(g, l.phi[0], i32(g, n));
    load_coming(o, &s->of, half, n, &other, single);
    update_by_coming(o, s, &one, l.phi[0], n, single);
    load_coming(o, &s->of, gen_select(g, more, next, l.phi[0]), n, &one, single);
    update_by_coming(o, s, &other, half, n, single);
    loop_end(g, &l, &next);
    end_if(g, after);
}

/* ---- results */

static bool has_results(const struct owner *o) {
    bool any = false;
    for (int i = 0; i < o->x->d->nresults; i++)
        any = any || deal_result_part(o->x->d, i) == o->part;
    return any;
}

/* Stores the results of the thread's entry before, which the first warp has left in a half. */
static void store_kept(const struct owner *o, LLVMValueRef half) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    struct entry e = {NULL, NULL, {NULL}};
    struct shown s = deal_find_shown(o, half);
    LLVMBasicBlockRef after = begin_if(g, LLVMBuildLoad2(g->b, i1_type(g), o->was_there, "there"));
    for (int i = 0; i < d->nterms; i++)
        if (o->terms >> i & 1)
            e.term[i] = LLVMBuildLoad2(g->b, gen_type(g, d->term[i]->dtype), o->was.term[i], "");
    e.kind = d->nkinds > 1 ? LLVMBuildLoad2(g->b, i32_type(g), o->was.kind, "") : NULL;
    deal_set_terms(o, o->terms, e.term);
    for (int i = 0; i < d->nresults; i++) {
        const struct deal_result *r = &d->result[i];
        if (deal_result_part(d, i) != o->part)
            continue;
        LLVMValueRef v = deal_get_row(g, r->value->dtype, s.result[i], g->threads->tid, false);
        LLVMBuildStore(g->b, v, var_of(g, r->value)->slot);
        if (r->when != NULL)
            LLVMBuildStore(g->b, deal_get_row(g, DT_BOOL, s.when[i], g->threads->tid, false),
                           var_of(g, r->when->var)->slot);
    }
    for (int kind = 0; kind < d->nkinds; kind++)
        deal_store_results(o->x, kind, o->part, deal_is_kind(g, &e, kind));
    end_if(g, after);
}

static void keep_entry(const struct owner *o, const struct entry *e) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    LLVMBuildStore(g->b, compare(g, LLVMIntNE, e->bin, i32(g, UINT32_MAX)), o->was_there);
    if (d->nkinds > 1)
        LLVMBuildStore(g->b, e->kind, o->was.kind);
    for (int i = 0; i < d->nterms; i++)
        if (o->terms >> i & 1)
            LLVMBuildStore(g->b, e->term[i], o->was.term[i]);
}

/* ---- all entries */

/* By shared memory: ptxas has no other work between shuffles, which each would be waited for.  LLVM
 * leaves a shuffle where it is, else rows of all parts would be in registers in all of them. */
static void update_in_lanes(const struct owner *o, const struct entry *entry, LLVMValueRef left) {
    struct gen *g = o->x->g;
    LLVMValueRef all = i32(g, UINT32_MAX);
    LLVMValueRef warp = gen_from_lane(g, o->x->warp, i32(g, 0));
    struct shown s = deal_find_shown(o, warp);
    gpu(g)->warp_barrier(g, all);
    for (int u = 0; u < BATCH; u++)
        put_shown(o, &s.of, &entry[u], u);
    gpu(g)->warp_barrier(g, all);
    see_entries(o, &s, i32(g, 0), least(g, left, i32(g, UFC_DEAL_SHOWN)), false);
}

/* Lanes whose entries a run does not have get back what was in their bins before it. */
static void keep_others(const struct owner *o, LLVMValueRef owner, const LLVMValueRef *before) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    LLVMValueRef own = compare(g, LLVMIntEQ, o->x->lane, owner);
    for (int i = 0; i < d->narrays; i++) {
        const struct pvar *var = d->array[i].element;
        LLVMValueRef slot = var_of(g, var)->slot;
        if (d->array[i].part != o->part)
            continue;
        LLVMValueRef now = LLVMBuildLoad2(g->b, gen_type(g, var->dtype), slot, "");
        LLVMBuildStore(g->b, gen_select(g, own, now, before[i]), slot);
    }
}

static void load_elements(const struct owner *o, LLVMValueRef *v) {
    struct gen *g = o->x->g;
    for (int i = 0; i < o->x->d->narrays; i++) {
        const struct pvar *var = o->x->d->array[i].element;
        v[i] = LLVMBuildLoad2(g->b, gen_type(g, var->dtype), var_of(g, var)->slot, "");
    }
}

/* Of the lane's warp, by its number, the word of the first entry if all are of one bin, else 0;
 * UINT32_MAX: there is no such warp. */
static LLVMValueRef find_alone(const struct owner *o, const struct shown *s) {
    struct gen *g = o->x->g;
    LLVMValueRef zero = i32(g, 0), has = compare(g, LLVMIntULT, o->x->lane, o->x->warps);
    LLVMValueRef first = multiply(g, gen_select(g, has, o->x->lane, zero), i32(g, WARP));
    LLVMValueRef at = deal_shown_at(g, i32_type(g), s->of.lane, first);
    LLVMValueRef word = LLVMBuildLoad2(g->b, i32_type(g), at, "");
    LLVMValueRef alone = compare(g, LLVMIntUGE, word, i32(g, ALONE_BIT));
    return gen_select(g, has, gen_select(g, alone, word, zero), i32(g, UINT32_MAX));
}

/* All lanes see the block's entries at hand, of which there are `left`, i32, by runs of warps'
 * entries: of a run that is one lane's they do not see whose these are. */
static void see_all(const struct owner *o, struct shown *s, LLVMValueRef left) {
    struct gen *g = o->x->g;
    LLVMValueRef end = least(g, left, g->threads->ntid), zero = i32(g, 0), all = i32(g, UINT32_MAX);
    LLVMValueRef word = find_alone(o, s), before[MAX_DEAL_ARRAYS];
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    LLVMValueRef warp = warp_of(g, l.phi[0]), own = gen_shuffle(g, SHUFFLE_FROM, all, word, warp);
    LLVMValueRef alike = gpu(g)->ballot(g, all, compare(g, LLVMIntEQ, word, own));
    LLVMValueRef other = LLVMBuildNot(g->b, LLVMBuildLShr(g->b, alike, warp, ""), "");
    LLVMValueRef run = multiply(g, trailing_zeros(g, other), i32(g, WARP));
    LLVMValueRef next = least(g, add(g, l.phi[0], run), end);
    LLVMValueRef alone = gen_select(g, is_set(g, own), next, l.phi[0]);
    load_elements(o, before);
    s->owner = both(g, own, i32(g, WARP - 1));
    see_entries(o, s, l.phi[0], alone, true);
    keep_others(o, s->owner, before);
    see_entries(o, s, alone, next, false);
    loop_end(g, &l, &next);
}

/* The block's threads put an entry each into one half of shared memory; while its first warp sees
 * these, the others go on with the other half. */
static void update_together(const struct owner *o, const struct entry *entry, LLVMValueRef left) {
    struct gen *g = o->x->g;
    LLVMValueRef half = LLVMBuildLoad2(g->b, i32_type(g), o->half, "");
    LLVMValueRef other = LLVMBuildXor(g->b, half, i32(g, 1), "");
    struct shown s = deal_find_shown(o, half);
    put_shown(o, &s.of, &entry[0], 0);
    LLVMBuildStore(g->b, other, o->half);
    gpu(g)->barrier(g);
    if (has_results(o)) {
        store_kept(o, other);
        keep_entry(o, &entry[0]);
    }
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, o->x->warp, i32(g, 0)));
    see_all(o, &s, left);
    end_if(g, after);
}

void deal_see_run(const struct owner *o, struct shown *s) {
    s->owner = i32(o->x->g, 0);
    see_entries(o, s, i32(o->x->g, 0), i32(o->x->g, WARP), true);
}

void deal_see(const struct owner *o, const struct entry *entry, LLVMValueRef left) {
    if (o->together)
        update_together(o, entry, left);
    else
        update_in_lanes(o, entry, left);
}

void deal_end_seeing(const struct owner *o) {
    struct gen *g = o->x->g;
    if (!o->together || !has_results(o))
        return;
    gpu(g)->barrier(g);
    LLVMValueRef half = LLVMBuildLoad2(g->b, i32_type(g), o->half, "");
    store_kept(o, LLVMBuildXor(g->b, half, i32(g, 1), ""));
}
