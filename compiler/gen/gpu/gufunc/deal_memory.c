/* deal_memory.c: DEAL's owners whose bins are in memory.  Of 32 entries those of one bin become
 * neighbours in shared memory, in their order; the first of the lanes that have one of a bin
 * then loads the bin, updates it by all of them, and stores it.  Where all 32 are of one bin the
 * first lane keeps that for the next entries.  So the updates of a frequent bin wait for one
 * another alone. */
#include "deal_own.h"

enum { TURNS = 4, TURN_BYTES = 48 }; /* entries of a bin that a lane loads at once; their bytes */
enum { FEW_MATES = 6 };              /* lanes with entries of a bin in shared memory, in turn */

bool deal_stores(const struct deal *d, int group, int i) {
    bool is = false;
    for (int kind = 0; kind < d->nkinds && d->array[i].group == group; kind++)
        for (const struct pstmt *s = d->update[kind]; s != NULL; s = s->next)
            is = is || s->var == d->array[i].element;
    return is;
}

LLVMValueRef deal_is_of_group(const struct dealing *x, LLVMValueRef bin, int group) {
    struct gen *g = x->g;
    LLVMValueRef flat = extended(g, deal_in_group(x, group, bin));
    return compare(g, LLVMIntULT, flat, x->size[group]);
}

void deal_move_bin(const struct dealing *x, LLVMValueRef bin, bool stores) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    for (int group = 0; group < d->ngroups; group++) {
        LLVMBasicBlockRef after = begin_if(g, deal_is_of_group(x, bin, group));
        if (!stores)
            deal_set_place(x, group, deal_in_group(x, group, bin));
        for (int i = 0; i < d->narrays; i++)
            if (!stores && d->array[i].group == group)
                deal_load_bin(g, &d->array[i]);
            else if (stores && deal_stores(d, group, i))
                deal_store_bin(g, &d->array[i]);
        end_if(g, after);
    }
}

void deal_move(const struct owner *o, LLVMValueRef bin, bool stores) {
    if (o->held)
        deal_move_held(o, bin, stores);
    else
        deal_move_bin(o->x, bin, stores);
}

/* Of the lanes that have an entry of one bin, a bit each: how many are before the lane, and of all;
 * the first one's number among entries of which such are neighbours; i32 all. */
struct mates {
    LLVMValueRef mask, before, all, begin;
};

static struct mates find_mates(const struct dealing *x, const struct entry *e) {
    struct gen *g = x->g;
    struct mates m = {.mask = gpu(g)->match(g, e->bin)};
    m.before = deal_lanes_before(x, m.mask);
    m.all = gen_intrinsic(g, "ctpop", NULL, &m.mask, 1);
    return m;
}

static void find_begin(const struct dealing *x, struct mates *m) {
    struct gen *g = x->g;
    LLVMValueRef first = compare(g, LLVMIntEQ, m->before, i32(g, 0));
    LLVMValueRef own = gen_select(g, first, m->all, i32(g, 0));
    LLVMValueRef before = subtract(g, gen_sum_lanes(g, own, x->lane), own);
    m->begin = gen_from_lane(g, before, trailing_zeros(g, m->mask));
}

static void put_entry(const struct owner *o, const struct shown *s, const struct entry *e,
                      LLVMValueRef at) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    if (e->kind != NULL)
        deal_put_row(g, DT_INT32, multiply(g, e->kind, i32(g, WARP)), s->of.lane, at);
    for (int k = 0; k < d->nterms; k++)
        if (o->shown >> k & 1)
            deal_put_row(g, d->term[k]->dtype, e->term[k], s->of.term[k], at);
}

/* Entries behind that at hand are loaded before it is used. */
static struct entry get_entry(const struct owner *o, const struct shown *s, LLVMValueRef at) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    struct entry e = {NULL, NULL, {NULL}};
    if (d->nkinds > 1)
        e.kind = warp_of(g, deal_get_row(g, DT_INT32, s->of.lane, at, true));
    for (int k = 0; k < d->nterms; k++)
        if (o->shown >> k & 1)
            e.term[k] = deal_get_row(g, d->term[k]->dtype, s->of.term[k], at, true);
    return e;
}

static void update_by(const struct owner *o, const struct entry *e) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    deal_set_terms(o, o->terms, e->term);
    for (int kind = 0; kind < d->nkinds; kind++) {
        LLVMBasicBlockRef after = begin_if(g, deal_is_kind(g, e, kind));
        gen_stmts(g, d->update[kind]);
        deal_store_results(o->x, kind, -1, LLVMConstInt(i1_type(g), 1, false));
        end_if(g, after);
    }
}

/* Updates the lane's bin by the entries of all mates. */
static void update_by_mates(const struct owner *o, const struct shown *s, const struct mates *m) {
    struct gen *g = o->x->g;
    unsigned turns = TURNS;
    while (turns > 1 && turns * o->x->room.bytes > TURN_BYTES)
        turns /= 2;
    LLVMValueRef zero = i32(g, 0), last = subtract(g, m->all, i32(g, 1)), number[TURNS];
    struct entry e[TURNS];
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], m->all));
    for (unsigned u = 0; u < turns; u++) {
        number[u] = add(g, l.phi[0], i32(g, u));
        LLVMValueRef safe = u > 0 ? least(g, number[u], last) : number[u];
        e[u] = get_entry(o, s, add(g, m->begin, safe));
    }
    update_by(o, &e[0]);
    for (unsigned u = 1; u < turns; u++) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULE, number[u], last));
        update_by(o, &e[u]);
        end_if(g, after);
    }
    LLVMValueRef next = add(g, l.phi[0], i32(g, turns));
    loop_end(g, &l, &next);
}

/* The bin that the first lane keeps from entries at hand to the next ones becomes another, -1:
 * none. */
static void keep_bin(const struct owner *o, LLVMValueRef bin) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef kept = LLVMBuildLoad2(g->b, i32_type(g), o->kept, ""), none = i32(g, UINT32_MAX);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntNE, kept, bin));
    LLVMValueRef first = compare(g, LLVMIntEQ, x->lane, i32(g, 0));
    LLVMBasicBlockRef other = begin_if(g, both(g, first, compare(g, LLVMIntNE, kept, none)));
    deal_move(o, kept, true);
    end_if(g, other);
    gpu(g)->warp_barrier(g, none);
    other = begin_if(g, both(g, first, compare(g, LLVMIntNE, bin, none)));
    deal_move(o, bin, false);
    end_if(g, other);
    LLVMBuildStore(g->b, bin, o->kept);
    end_if(g, after);
}

void deal_end_kept(const struct owner *o) {
    keep_bin(o, i32(o->x->g, UINT32_MAX));
}

/* All entries are of one bin. */
static void update_by_run(const struct owner *o, struct shown *s, const struct entry *e) {
    struct gen *g = o->x->g;
    keep_bin(o, e->bin);
    put_entry(o, s, e, o->x->lane);
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX));
    deal_see_run(o, s);
}

/* Entries are of several bins.  Places are found while these are loaded. */
static void update_apart(const struct owner *o, const struct shown *s, const struct entry *e,
                         struct mates *m) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef all = i32(g, UINT32_MAX), there = compare(g, LLVMIntNE, e->bin, all);
    LLVMValueRef first = both(g, there, compare(g, LLVMIntEQ, m->before, i32(g, 0)));
    keep_bin(o, all);
    LLVMBasicBlockRef after = begin_if(g, first);
    deal_move(o, e->bin, false);
    end_if(g, after);
    find_begin(x, m);
    put_entry(o, s, e, add(g, m->begin, m->before));
    gpu(g)->warp_barrier(g, all);
    after = begin_if(g, first);
    update_by_mates(o, s, m);
    deal_move(o, e->bin, true);
    end_if(g, after);
}

/* Each lane updates by its own entry, those of a bin one after the other. */
static void update_in_turn(const struct owner *o, const struct entry *e, const struct mates *m,
                           LLVMValueRef there) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef all = i32(g, UINT32_MAX), begin = i32(g, 0);
    struct loop l;
    keep_bin(o, all);
    gpu(g)->warp_barrier(g, all);
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    LLVMValueRef left = both(g, there, compare(g, LLVMIntUGE, m->before, l.phi[0]));
    loop_while(g, &l, is_set(g, gpu(g)->ballot(g, all, left)));
    LLVMValueRef own = compare(g, LLVMIntEQ, m->before, l.phi[0]);
    LLVMBasicBlockRef after = begin_if(g, both(g, there, own));
    deal_move(o, e->bin, false);
    update_by(o, e);
    deal_move(o, e->bin, true);
    end_if(g, after);
    gpu(g)->warp_barrier(g, all);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

/* Where bins are in shared memory, and no lane has many before its own. */
static LLVMValueRef takes_turns(const struct dealing *x, const struct mates *m,
                                LLVMValueRef there) {
    struct gen *g = x->g;
    LLVMValueRef many = both(g, there, compare(g, LLVMIntUGE, m->before, i32(g, FEW_MATES)));
    return compare(g, LLVMIntEQ, gpu(g)->ballot(g, i32(g, UINT32_MAX), many), i32(g, 0));
}

static void update_by_warp(const struct owner *o, struct shown *s, const struct entry *e) {
    struct gen *g = o->x->g;
    LLVMValueRef all = i32(g, UINT32_MAX);
    struct mates m = find_mates(o->x, e);
    LLVMValueRef there = compare(g, LLVMIntNE, e->bin, all);
    LLVMValueRef alone = both(g, compare(g, LLVMIntEQ, m.mask, all), there);
    LLVMBasicBlockRef run = gen_block(g, "run"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "updated");
    if (o->held) {
        LLVMBasicBlockRef turns = gen_block(g, "turns"), other = gen_block(g, "other");
        LLVMBuildCondBr(g->b, takes_turns(o->x, &m, there), turns, other);
        gen_place(g, turns);
        update_in_turn(o, e, &m, there);
        LLVMBuildBr(g->b, done);
        gen_place(g, other);
    }
    LLVMBuildCondBr(g->b, is_set(g, gpu(g)->ballot(g, all, alone)), run, apart);
    gen_place(g, run);
    update_by_run(o, s, e);
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    update_apart(o, s, e, &m);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    gpu(g)->warp_barrier(g, all);
}

void deal_update_in_memory(const struct owner *o, const struct entry *entry, LLVMValueRef left) {
    struct gen *g = o->x->g;
    LLVMValueRef warp = gen_from_lane(g, o->x->warp, i32(g, 0));
    struct shown s = deal_find_shown(o, warp);
    for (uint32_t u = 0; u < deal_batch(o); u++) {
        LLVMBasicBlockRef after = NULL;
        if (u > 0)
            after = begin_if(g, compare(g, LLVMIntUGT, left, i32(g, u * WARP)));
        update_by_warp(o, &s, &entry[u]);
        if (u > 0)
            end_if(g, after);
    }
}
