/* deal_own.c: DEAL's warps as owners of bins.  A warp goes through the entries that all blocks have
 * for it, block after block, so in the order of iterations: a lane has one of 32 neighbours.
 * Either lanes have a bin each, in registers, and all see one entry after the other; or they update
 * what is in memory, those that have the same bin in turn.
 *
 * Where keys are few, or one is frequent, all of a block's threads load the entries of one that has
 * bins in lanes, while the first warp sees those before. */
#include "../runtime/image_deal.h"
#include "gufunc.h"

enum {
    BATCH = UFC_DEAL_BATCH, /* entries of a lane at once */
    SMALL_UPDATE = 12,      /* nodes of a short update */
    SEEN = 4,               /* entries that lanes load together */
    ALONE = 5,              /* owners of a block at most that have all its threads in turn */
    ALONE_LEAST = 4096      /* entries of an owner that are worth all threads */
};

struct entry {
    LLVMValueRef bin, kind, term[MAX_DEAL_TERMS]; /* i32 both; kind: NULL where there is one */
};

/* A warp, and the entries that it goes through. */
struct owner {
    struct dealing *x;
    LLVMValueRef number;      /* i32 */
    int part;                 /* of whose arrays it has bins in lanes; -1: all, in memory */
    uint32_t terms;           /* that it needs, a bit each */
    bool together;            /* all threads of the block load its entries, one each at once */
    LLVMValueRef half;        /* then the slot of the half of shared memory that is next, i32 */
    LLVMValueRef block;       /* i32: of up to 32 blocks the first; and for a lane's block: */
    LLVMValueRef place, upto; /* where its entries are, less how many others have before it; and
                                 how many are there with it: i32 */
    LLVMValueRef all;         /* i32: entries of all of these blocks */
    /* Slots of what has been loaded, and is not used before the next entries are at hand: the
     * places of those behind them, their blocks, and whether they are there; these entries
     * themselves. */
    LLVMValueRef found[BATCH], of_block[BATCH], there[BATCH], loaded[BATCH];
    struct entry next[BATCH];
};

static LLVMValueRef from_lane(struct gen *g, LLVMValueRef v, LLVMValueRef lane) {
    return gen_shuffle(g, SHUFFLE_FROM, i32(g, UINT32_MAX), v, lane);
}

/* ---- elements of a bin */

/* Sets the place of a bin of a group, of number `flat`, i32, in it. */
static void set_place(const struct dealing *x, int group, LLVMValueRef flat) {
    struct gen *g = x->g;
    const struct deal_group *of = &x->d->group[group];
    for (int i = of->rank - 1; i >= 0; i--) {
        LLVMValueRef at = flat;
        if (i > 0) {
            LLVMValueRef size = LLVMBuildTrunc(g->b, gen_value(g, of->size[i]), i32_type(g), "");
            flat = LLVMBuildUDiv(g->b, at, size, "");
            at = subtract(g, at, multiply(g, flat, size));
        }
        LLVMBuildStore(g->b, extended(g, at), var_of(g, of->index[i])->slot);
    }
}

/* The number of a bin in its group, i32. */
static LLVMValueRef in_group(const struct dealing *x, int group, LLVMValueRef bin) {
    struct gen *g = x->g;
    return subtract(g, bin, LLVMBuildTrunc(g->b, x->first[group], i32_type(g), ""));
}

static void load_bin(struct gen *g, const struct deal_array *a) {
    LLVMBuildStore(g->b, gen_value(g, a->place), var_of(g, a->element)->slot);
}

static void store_bin(struct gen *g, const struct deal_array *a) {
    LLVMValueRef v =
        LLVMBuildLoad2(g->b, gen_type(g, a->element->dtype), var_of(g, a->element)->slot, "");
    gen_store_to(g, a->place, v);
}

/* Loads the lane's bins of the owner's part, or stores them; those of an owner that has all threads
 * are of the first warp. */
static void move_bins(const struct owner *o,
                      void (*move)(struct gen *, const struct deal_array *)) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef bin = add(g, o->number, LLVMBuildShl(g->b, x->lane, x->shift, ""));
    LLVMValueRef within = compare(g, LLVMIntULT, bin, x->bins);
    if (o->together)
        within = both(g, within, compare(g, LLVMIntEQ, x->warp, i32(g, 0)));
    for (int i = 0; i < x->d->narrays; i++) {
        const struct deal_array *a = &x->d->array[i];
        if (a->part != o->part)
            continue;
        LLVMValueRef flat = in_group(x, a->group, bin);
        LLVMValueRef has = compare(g, LLVMIntULT, extended(g, flat), x->size[a->group]);
        LLVMBasicBlockRef after = begin_if(g, both(g, within, has));
        set_place(x, a->group, flat);
        move(g, a);
        end_if(g, after);
    }
}

/* ---- entries */

/* The places of the owner's entries of 32 blocks from o->block on. */
static void find_segments(struct owner *o) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef block = add(g, o->block, x->lane), zero = i32(g, 0);
    LLVMValueRef has = compare(g, LLVMIntULT, block, g->threads->blocks);
    LLVMValueRef at = deal_places(x, gen_select(g, has, block, zero));
    at = add(g, at, multiply(g, extended(g, o->number), i64(g, 4)));
    LLVMValueRef from = deal_load(x, DT_INT32, at);
    LLVMValueRef to = deal_load(x, DT_INT32, add(g, at, i64(g, 4)));
    LLVMValueRef own = gen_select(g, has, subtract(g, to, from), zero);
    o->upto = own;
    for (uint32_t by = 1; by < WARP; by *= 2) {
        LLVMValueRef other =
            gpu(g)->shuffle(g, SHUFFLE_UP, i32(g, UINT32_MAX), o->upto, i32(g, by));
        LLVMValueRef before = compare(g, LLVMIntUGE, x->lane, i32(g, by));
        o->upto = add(g, o->upto, gen_select(g, before, other, zero));
    }
    o->place = subtract(g, from, subtract(g, o->upto, own));
    o->all = from_lane(g, o->upto, i32(g, WARP - 1));
}

/* Loads what is used a turn of the loop later, before all that is used now: LLVM and ptxas leave a
 * volatile load where it is. */
static LLVMValueRef load_ahead(const struct dealing *x, enum ufc_dtype d, LLVMValueRef at) {
    LLVMValueRef v = deal_load(x, d, at);
    if (LLVMIsALoadInst(v) != NULL)
        LLVMSetVolatile(v, true);
    return v;
}

static uint32_t batch_of(const struct owner *o) {
    return o->together ? 1 : BATCH;
}

/* Finds where the lane's entries from number `first`, i32, on are. */
static void find_entries(struct owner *o, LLVMValueRef first) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef zero = i32(g, 0);
    for (uint32_t u = 0; u < batch_of(o); u++) {
        LLVMValueRef own = o->together ? g->threads->tid : add(g, x->lane, i32(g, u * WARP));
        LLVMValueRef n = add(g, first, own), lane = zero;
        LLVMValueRef there = compare(g, LLVMIntULT, n, o->all);
        for (uint32_t by = WARP / 2; by > 0; by /= 2) {
            LLVMValueRef last = add(g, lane, i32(g, by - 1));
            LLVMValueRef behind = compare(g, LLVMIntUGE, n, from_lane(g, o->upto, last));
            lane = gen_select(g, behind, add(g, lane, i32(g, by)), lane);
        }
        LLVMValueRef place = gen_select(g, there, add(g, n, from_lane(g, o->place, lane)), zero);
        LLVMValueRef block = add(g, o->block, gen_select(g, there, lane, zero));
        LLVMValueRef at = add(g, deal_order(x, block), multiply(g, extended(g, place), i64(g, 4)));
        LLVMBuildStore(g->b, load_ahead(x, DT_INT32, at), o->found[u]);
        LLVMBuildStore(g->b, block, o->of_block[u]);
        LLVMBuildStore(g->b, there, o->there[u]);
    }
}

/* Loads what find_entries has found. */
static void fetch_entries(struct owner *o) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    for (uint32_t u = 0; u < batch_of(o); u++) {
        LLVMValueRef number = LLVMBuildLoad2(g->b, i32_type(g), o->found[u], "");
        LLVMValueRef block = LLVMBuildLoad2(g->b, i32_type(g), o->of_block[u], "");
        LLVMValueRef there = LLVMBuildLoad2(g->b, i1_type(g), o->there[u], "");
        LLVMValueRef at = deal_entry(x, block, gen_select(g, there, number, i32(g, 0)));
        LLVMBuildStore(g->b, there, o->loaded[u]);
        LLVMBuildStore(g->b, load_ahead(x, DT_INT32, at), o->next[u].bin);
        if (x->d->nkinds > 1) {
            LLVMValueRef kind = load_ahead(x, DT_INT32, add(g, at, i64(g, x->room.kind)));
            LLVMBuildStore(g->b, kind, o->next[u].kind);
        }
        for (int i = 0; i < x->d->nterms; i++)
            if (o->terms >> i & 1) {
                LLVMValueRef from = add(g, at, i64(g, x->room.term[i]));
                LLVMValueRef v = load_ahead(x, x->d->term[i]->dtype, from);
                LLVMBuildStore(g->b, v, o->next[u].term[i]);
            }
    }
}

static void take_entries(const struct owner *o, struct entry *e) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    for (uint32_t u = 0; u < batch_of(o); u++) {
        LLVMValueRef there = LLVMBuildLoad2(g->b, i1_type(g), o->loaded[u], "");
        e[u].bin = LLVMBuildLoad2(g->b, i32_type(g), o->next[u].bin, "");
        e[u].bin = gen_select(g, there, e[u].bin, i32(g, UINT32_MAX));
        e[u].kind = d->nkinds > 1 ? LLVMBuildLoad2(g->b, i32_type(g), o->next[u].kind, "") : NULL;
        for (int i = 0; i < d->nterms; i++)
            if (o->terms >> i & 1)
                e[u].term[i] =
                    LLVMBuildLoad2(g->b, gen_type(g, d->term[i]->dtype), o->next[u].term[i], "");
    }
}

static void set_terms(const struct owner *o, const struct entry *e) {
    struct gen *g = o->x->g;
    for (int i = 0; i < o->x->d->nterms; i++)
        if (o->terms >> i & 1)
            LLVMBuildStore(g->b, e->term[i], var_of(g, o->x->d->term[i])->slot);
}

/* i1: the entry is of a kind. */
static LLVMValueRef is_kind(struct gen *g, const struct entry *e, int kind) {
    return e->kind == NULL ? LLVMConstInt(i1_type(g), 1, false)
                           : compare(g, LLVMIntEQ, e->kind, i32(g, (uint32_t)kind));
}

/* ---- bins in lanes */

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
        all = gen_op(g, op, d, all, gen_select(g, own, v, none));
    }
    LLVMBuildStore(g->b, all, slot);
    return true;
}

/* The update of the lane's bin by an entry, if it is its `own`. */
static void update_lane(const struct owner *o, const struct entry *e, LLVMValueRef own) {
    const struct deal *d = o->x->d;
    struct gen *g = o->x->g;
    set_terms(o, e);
    for (int kind = 0; kind < d->nkinds; kind++) {
        LLVMValueRef is = both(g, own, is_kind(g, e, kind));
        for (const struct pstmt *s = d->update[kind]; s != NULL; s = s->next) {
            if (deal_part(d, s) != o->part || (deal_element(d, s->var) >= 0 && add_own(g, s, is)))
                continue;
            LLVMValueRef slot = var_of(g, s->var)->slot, v = gen_value(g, s->value);
            LLVMValueRef old = LLVMBuildLoad2(g->b, gen_type(g, s->var->dtype), slot, "");
            LLVMBuildStore(g->b, gen_select(g, is, v, old), slot);
        }
        deal_store_results(o->x, kind, o->part, is);
    }
}

/* Where shared memory has a value of each entry that the warp's lanes see. */
struct shown {
    LLVMValueRef bin, kind, term[MAX_DEAL_TERMS];
};

static LLVMTypeRef shown_type(struct gen *g, enum ufc_dtype d) {
    return d == DT_BOOL ? LLVMInt8TypeInContext(g->context) : gen_type(g, d);
}

/* Wider values come first, so that all are aligned.  Entries of the warp's, or of the block's in
 * either half. */
static struct shown find_shown(const struct owner *o) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    struct shown s = {NULL, NULL, {NULL}};
    LLVMValueRef count = o->together ? g->threads->ntid : i32(g, UFC_DEAL_SHOWN);
    LLVMValueRef number = o->together ? LLVMBuildLoad2(g->b, i32_type(g), o->half, "") : x->warp;
    LLVMValueRef words = multiply(g, multiply(g, x->warps, x->owners), i32(g, 4));
    words = both(g, add(g, words, i32(g, 15)), i32(g, (uint32_t)-16));
    LLVMValueRef own = multiply(g, number, multiply(g, count, i32(g, x->room.bytes)));
    LLVMValueRef at = extended(g, add(g, words, own));
    LLVMValueRef memory = dynamic_memory(g), far = extended(g, count);
    for (unsigned size = 8; size > 0; size /= 2) {
        for (int i = 0; i < x->d->nterms; i++) {
            unsigned own_size = (unsigned)dtype_info[x->d->term[i]->dtype].bits / 8;
            if (!(o->terms >> i & 1) || (own_size > 0 ? own_size : 1) != size)
                continue;
            s.term[i] = at_byte(g, memory, at);
            at = add(g, at, multiply(g, far, i64(g, size)));
        }
        if (size == 4) {
            s.bin = at_byte(g, memory, at);
            at = add(g, at, multiply(g, far, i64(g, size)));
            s.kind = at_byte(g, memory, at);
            if (x->d->nkinds > 1)
                at = add(g, at, multiply(g, far, i64(g, size)));
        }
    }
    return s;
}

static LLVMValueRef shown_at(struct gen *g, LLVMTypeRef type, LLVMValueRef row, LLVMValueRef i) {
    return LLVMBuildGEP2(g->b, type, row, &i, 1, "");
}

/* Lets all lanes see the lane's entry, the u-th. */
static void put_shown(const struct owner *o, const struct shown *s, const struct entry *e, int u) {
    const struct deal *d = o->x->d;
    struct gen *g = o->x->g;
    LLVMValueRef i = o->together ? g->threads->tid : add(g, o->x->lane, i32(g, (uint32_t)u * WARP));
    LLVMValueRef bin = LLVMBuildLShr(g->b, e->bin, o->x->shift, "");
    LLVMBuildStore(g->b, bin, shown_at(g, i32_type(g), s->bin, i));
    if (e->kind != NULL)
        LLVMBuildStore(g->b, e->kind, shown_at(g, i32_type(g), s->kind, i));
    for (int k = 0; k < d->nterms; k++) {
        if (!(o->terms >> k & 1))
            continue;
        LLVMTypeRef type = shown_type(g, d->term[k]->dtype);
        LLVMValueRef v = e->term[k];
        if (d->term[k]->dtype == DT_BOOL)
            v = LLVMBuildZExt(g->b, v, type, "");
        LLVMBuildStore(g->b, v, shown_at(g, type, s->term[k], i));
    }
}

/* Loads `n` neighbours of a row, from number i, i32, on. */
static void load_shown(struct gen *g, LLVMTypeRef type, unsigned size, LLVMValueRef row,
                       LLVMValueRef i, unsigned n, LLVMValueRef *v) {
    LLVMValueRef at = shown_at(g, type, row, i);
    LLVMValueRef all = LLVMBuildLoad2(g->b, n > 1 ? LLVMVectorType(type, n) : type, at, "");
    LLVMSetAlignment(all, n * size < 16 ? n * size : 16);
    for (unsigned k = 0; k < n; k++)
        v[k] = n > 1 ? LLVMBuildExtractElement(g->b, all, i32(g, k), "") : all;
}

/* All lanes see n entries of those at hand, from number i, i32, on. */
static void show_entries(const struct owner *o, const struct shown *s, LLVMValueRef i, unsigned n) {
    const struct deal *d = o->x->d;
    struct gen *g = o->x->g;
    struct entry e = {NULL, NULL, {NULL}};
    LLVMValueRef bin[SEEN], kind[SEEN], term[MAX_DEAL_TERMS][SEEN];
    load_shown(g, i32_type(g), 4, s->bin, i, n, bin);
    if (d->nkinds > 1)
        load_shown(g, i32_type(g), 4, s->kind, i, n, kind);
    for (int k = 0; k < d->nterms; k++)
        if (o->terms >> k & 1) {
            enum ufc_dtype type = d->term[k]->dtype;
            unsigned size = type == DT_BOOL ? 1 : (unsigned)dtype_info[type].bits / 8;
            load_shown(g, shown_type(g, type), size, s->term[k], i, n, term[k]);
        }
    for (unsigned u = 0; u < n; u++) {
        if (d->nkinds > 1)
            e.kind = kind[u];
        for (int k = 0; k < d->nterms; k++)
            if (o->terms >> k & 1)
                e.term[k] = d->term[k]->dtype == DT_BOOL ? is_set(g, term[k][u]) : term[k][u];
        update_lane(o, &e, compare(g, LLVMIntEQ, bin[u], o->x->lane));
    }
}

/* Nodes of the part's updates. */
static int update_size(const struct owner *o) {
    const struct deal *d = o->x->d;
    int n = 0;
    for (int kind = 0; kind < d->nkinds; kind++)
        for (const struct pstmt *s = d->update[kind]; s != NULL; s = s->next)
            n += deal_part(d, s) == o->part ? value_size(s->value) : 0;
    return n;
}

/* All lanes see the entries at hand up to number `end`, i32.  Few at a time: ptxas would else load
 * what comes next when these have no registers any more. */
static void see_entries(const struct owner *o, const struct shown *s, LLVMValueRef end) {
    struct gen *g = o->x->g;
    LLVMValueRef begin = i32(g, 0);
    bool small = update_size(o) <= SMALL_UPDATE;
    uint32_t each = small ? (o->together ? 2 * WARP : WARP / 2) : 2, n = small ? SEEN : 1;
    struct loop l;
    loop_begin(g, &l, 1, &begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], end));
    struct shown now = {.bin = shown_at(g, i32_type(g), s->bin, l.phi[0])};
    now.kind = shown_at(g, i32_type(g), s->kind, l.phi[0]);
    for (int k = 0; k < o->x->d->nterms; k++)
        if (o->terms >> k & 1) {
            LLVMTypeRef type = shown_type(g, o->x->d->term[k]->dtype);
            now.term[k] = shown_at(g, type, s->term[k], l.phi[0]);
        }
    for (uint32_t k = 0; k < each; k += n)
        show_entries(o, &now, i32(g, k), n);
    LLVMValueRef next = add(g, l.phi[0], i32(g, each));
    loop_end(g, &l, &next);
}

/* By shared memory: ptxas has no other work between shuffles, which each would be waited for. */
static void update_in_lanes(const struct owner *o, const struct entry *entry) {
    struct gen *g = o->x->g;
    LLVMValueRef all = i32(g, UINT32_MAX);
    struct shown s = find_shown(o);
    gpu(g)->warp_barrier(g, all);
    for (int u = 0; u < BATCH; u++)
        put_shown(o, &s, &entry[u], u);
    gpu(g)->warp_barrier(g, all);
    see_entries(o, &s, i32(g, UFC_DEAL_SHOWN));
}

/* The block's threads put an entry each into one half of shared memory; while its first warp sees
 * these, `left` or all of them, the others go on with the other half. */
static void update_together(const struct owner *o, const struct entry *entry, LLVMValueRef left) {
    struct gen *g = o->x->g;
    struct shown s = find_shown(o);
    LLVMValueRef half = LLVMBuildLoad2(g->b, i32_type(g), o->half, "");
    put_shown(o, &s, &entry[0], 0);
    LLVMBuildStore(g->b, LLVMBuildXor(g->b, half, i32(g, 1), ""), o->half);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, o->x->warp, i32(g, 0)));
    see_entries(o, &s, least(g, left, g->threads->ntid));
    end_if(g, after);
}

/* ---- bins in memory */

/* Does an entry for a bin of the group store to array i? */
static bool is_stored(const struct deal *d, int group, int i) {
    bool is = false;
    for (int kind = 0; kind < d->nkinds && d->array[i].group == group; kind++)
        for (const struct pstmt *s = d->update[kind]; s != NULL; s = s->next)
            is = is || s->var == d->array[i].element;
    return is;
}

/* i1: the entry is for a bin of a group. */
static LLVMValueRef is_of_group(const struct dealing *x, const struct entry *e, int group) {
    struct gen *g = x->g;
    LLVMValueRef flat = extended(g, in_group(x, group, e->bin));
    return compare(g, LLVMIntULT, flat, x->size[group]);
}

/* Loads elements of the bins of lanes that are the first ones with an entry for theirs, and finds
 * where they are; or stores those of the last ones. */
static void move_in_lanes(const struct dealing *x, const struct entry *e, LLVMValueRef there,
                          LLVMValueRef moves, bool stores) {
    struct gen *g = x->g;
    const struct deal *d = x->d;
    for (int group = 0; group < d->ngroups; group++) {
        LLVMBasicBlockRef other = begin_if(g, both(g, there, is_of_group(x, e, group)));
        if (!stores)
            set_place(x, group, in_group(x, group, e->bin));
        LLVMBasicBlockRef after = begin_if(g, moves);
        for (int i = 0; i < d->narrays; i++)
            if (!stores && d->array[i].group == group)
                load_bin(g, &d->array[i]);
            else if (stores && is_stored(d, group, i))
                store_bin(g, &d->array[i]);
        end_if(g, after);
        end_if(g, other);
    }
}

/* Lanes whose turn is the next one get what is now in the bin from the lane before theirs. */
static void pass_bins(const struct dealing *x, LLVMValueRef from, LLVMValueRef next) {
    struct gen *g = x->g;
    for (int i = 0; i < x->d->narrays; i++) {
        const struct pvar *element = x->d->array[i].element;
        LLVMValueRef slot = var_of(g, element)->slot;
        LLVMValueRef v = LLVMBuildLoad2(g->b, gen_type(g, element->dtype), slot, "");
        LLVMBuildStore(g->b, gen_select(g, next, from_lane(g, v, from), v), slot);
    }
}

/* Lanes whose entries are of one bin are in turn: the first one loads it, and the last one stores
 * it. */
static void update_in_memory(const struct owner *o, const struct entry *entry) {
    const struct dealing *x = o->x;
    struct gen *g = x->g;
    LLVMValueRef all = i32(g, UINT32_MAX), zero = i32(g, 0), one = i32(g, 1);
    LLVMValueRef below = subtract(g, LLVMBuildShl(g->b, one, x->lane, ""), one);
    for (int u = 0; u < BATCH; u++) {
        const struct entry *e = &entry[u];
        LLVMValueRef there = compare(g, LLVMIntNE, e->bin, all);
        LLVMValueRef mates = gpu(g)->match(g, e->bin), turn = deal_lanes_before(x, mates);
        LLVMValueRef args[] = {LLVMBuildOr(g->b, both(g, mates, below), one, ""),
                               LLVMConstInt(i1_type(g), 1, false)};
        LLVMValueRef from = subtract(g, i32(g, WARP - 1), gen_intrinsic(g, "ctlz", NULL, args, 2));
        LLVMValueRef behind = both(g, mates, LLVMBuildNot(g->b, below, ""));
        LLVMValueRef bit = LLVMBuildShl(g->b, one, x->lane, "");
        struct loop l;
        move_in_lanes(x, e, there, compare(g, LLVMIntEQ, turn, zero), false);
        loop_begin(g, &l, 1, &zero);
        l.keep = true;
        LLVMValueRef left = both(g, there, compare(g, LLVMIntUGE, turn, l.phi[0]));
        loop_while(g, &l, is_set(g, gpu(g)->ballot(g, all, left)));
        LLVMBasicBlockRef after =
            begin_if(g, both(g, there, compare(g, LLVMIntEQ, turn, l.phi[0])));
        set_terms(o, e);
        for (int kind = 0; kind < x->d->nkinds; kind++) {
            LLVMBasicBlockRef other = begin_if(g, is_kind(g, e, kind));
            gen_stmts(g, x->d->update[kind]);
            deal_store_results(x, kind, -1, LLVMConstInt(i1_type(g), 1, false));
            end_if(g, other);
        }
        end_if(g, after);
        gpu(g)->warp_barrier(g, all);
        LLVMValueRef next = add(g, l.phi[0], one);
        pass_bins(x, from, compare(g, LLVMIntEQ, turn, next));
        loop_end(g, &l, &next);
        move_in_lanes(x, e, there, compare(g, LLVMIntEQ, behind, bit), true);
        gpu(g)->warp_barrier(g, all);
    }
}

/* ---- owners */

static void make_slots(struct owner *o) {
    struct gen *g = o->x->g;
    const struct deal *d = o->x->d;
    for (int u = 0; u < BATCH; u++) {
        o->found[u] = gen_alloca(g, i32_type(g), "found");
        o->of_block[u] = gen_alloca(g, i32_type(g), "block");
        o->there[u] = gen_alloca(g, i1_type(g), "there");
        o->loaded[u] = gen_alloca(g, i1_type(g), "loaded");
        o->next[u].bin = gen_alloca(g, i32_type(g), "bin");
        o->next[u].kind = gen_alloca(g, i32_type(g), "kind");
        for (int i = 0; i < d->nterms; i++)
            o->next[u].term[i] = gen_alloca(g, gen_type(g, d->term[i]->dtype), "term");
    }
}

/* All entries of the owner: while some are used, the next ones come, and the places of those behind
 * them.  The first ones come so too, in turns of the loop that use none: LLVM would have loads
 * before it, whose values meet those of loads in it, wait until they are used. */
static void gen_entries(struct owner *o) {
    struct gen *g = o->x->g;
    LLVMValueRef zero = i32(g, 0), step = o->together ? g->threads->ntid : i32(g, BATCH * WARP);
    LLVMValueRef ahead = add(g, step, step);
    struct loop blocks, l;
    loop_begin(g, &blocks, 1, &zero);
    blocks.keep = true;
    loop_while(g, &blocks, compare(g, LLVMIntULT, blocks.phi[0], g->threads->blocks));
    o->block = blocks.phi[0];
    gpu(g)->warp_barrier(g, i32(g, UINT32_MAX)); /* shuffles are slow in lanes that run apart */
    find_segments(o);
    find_entries(o, zero);
    fetch_entries(o);
    find_entries(o, step);
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], o->all));
    struct entry e[BATCH];
    take_entries(o, e);
    fetch_entries(o);
    find_entries(o, add(g, l.phi[0], ahead));
    if (o->together)
        update_together(o, e, subtract(g, o->all, l.phi[0]));
    else
        (o->part < 0 ? update_in_memory : update_in_lanes)(o, e);
    LLVMValueRef next = add(g, l.phi[0], step);
    loop_end(g, &l, &next);
    LLVMValueRef more = add(g, blocks.phi[0], i32(g, WARP));
    loop_end(g, &blocks, &more);
}

/* half: NULL, or all threads of the block are here. */
static void gen_owner(struct dealing *x, LLVMValueRef number, int part, LLVMValueRef half) {
    struct owner o = {x, number, part, .together = half != NULL, .half = half};
    for (int kind = 0; kind < x->d->nkinds; kind++)
        o.terms |= deal_terms(x->d, kind, part);
    make_slots(&o);
    if (part >= 0)
        move_bins(&o, load_bin);
    gen_entries(&o);
    if (part >= 0)
        move_bins(&o, store_bin);
}

/* A unit of which lanes have the bins. */
static void gen_unit(struct dealing *x, LLVMValueRef unit, LLVMValueRef half) {
    struct gen *g = x->g;
    LLVMValueRef part = LLVMBuildLShr(g->b, unit, x->shift, "");
    LLVMValueRef owner = both(g, unit, subtract(g, x->owners, i32(g, 1)));
    for (int i = 0; i < x->d->nparts; i++) {
        LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, part, i32(g, (uint32_t)i)));
        gen_owner(x, owner, i, half);
        end_if(g, after);
    }
}

/* Entries of a unit, i32. */
static LLVMValueRef count_entries(struct dealing *x, LLVMValueRef unit) {
    struct gen *g = x->g;
    struct owner o = {.x = x, .number = both(g, unit, subtract(g, x->owners, i32(g, 1)))};
    LLVMValueRef begin[] = {i32(g, 0), i32(g, 0)};
    struct loop l;
    loop_begin(g, &l, 2, begin);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], g->threads->blocks));
    o.block = l.phi[0];
    find_segments(&o);
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, WARP)), add(g, l.phi[1], o.all)};
    loop_end(g, &l, next);
    return l.phi[1];
}

static LLVMValueRef word_at(const struct dealing *x, LLVMValueRef warp) {
    return LLVMBuildGEP2(x->g->b, i32_type(x->g), x->words, &warp, 1, "");
}

/* Of the block's warps, which have a unit each, what all have together. */
static LLVMValueRef add_words(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef begin[] = {i32(g, 0), i32(g, 0)};
    struct loop l;
    loop_begin(g, &l, 2, begin);
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->warps));
    LLVMValueRef word = LLVMBuildLoad2(g->b, i32_type(g), word_at(x, l.phi[0]), "");
    LLVMValueRef next[] = {add(g, l.phi[0], i32(g, 1)), add(g, l.phi[1], word)};
    loop_end(g, &l, next);
    return l.phi[1];
}

/* i1: a unit with so many entries, of all of the block's, has all of its threads. */
static LLVMValueRef is_alone(const struct dealing *x, LLVMValueRef count, LLVMValueRef all) {
    struct gen *g = x->g;
    if (x->room.bytes > UFC_DEAL_ALONE)
        return LLVMConstNull(i1_type(g));
    LLVMValueRef times = LLVMBuildUDiv(g->b, all, i32(g, ALONE), "");
    return both(g, compare(g, LLVMIntUGE, count, times),
                compare(g, LLVMIntUGE, count, i32(g, ALONE_LEAST)));
}

/* Has the warps be units in turn, neighbouring units of different blocks: first those that have all
 * threads of the block, one after the other. */
static void at_lanes(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef units = multiply(g, x->owners, i32(g, (uint32_t)x->d->nparts));
    LLVMValueRef blocks = g->threads->blocks, zero = i32(g, 0), one = i32(g, 1);
    LLVMValueRef half = gen_alloca(g, i32_type(g), "half");
    LLVMBuildStore(g->b, zero, half);
    struct loop l, warps;
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], units));
    LLVMValueRef first = add(g, l.phi[0], g->threads->block);
    LLVMValueRef unit = add(g, first, multiply(g, x->warp, blocks));
    LLVMValueRef has = compare(g, LLVMIntULT, unit, units);
    LLVMValueRef count = gen_select(g, has, count_entries(x, gen_select(g, has, unit, zero)), zero);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntEQ, x->lane, zero));
    LLVMBuildStore(g->b, count, word_at(x, x->warp));
    end_if(g, after);
    gpu(g)->barrier(g);
    LLVMValueRef all = add_words(x);
    loop_begin(g, &warps, 1, &zero);
    warps.keep = true;
    loop_while(g, &warps, compare(g, LLVMIntULT, warps.phi[0], x->warps));
    LLVMValueRef other = LLVMBuildLoad2(g->b, i32_type(g), word_at(x, warps.phi[0]), "");
    after = begin_if(g, is_alone(x, other, all));
    gen_unit(x, add(g, first, multiply(g, warps.phi[0], blocks)), half);
    end_if(g, after);
    LLVMValueRef next = add(g, warps.phi[0], one);
    loop_end(g, &warps, &next);
    gpu(g)->barrier(g);
    after = begin_if(g, both(g, has, gen_not(g, is_alone(x, count, all))));
    gen_unit(x, unit, NULL);
    end_if(g, after);
    next = add(g, l.phi[0], multiply(g, x->warps, blocks));
    loop_end(g, &l, &next);
}

/* The same, of owners whose bins are in memory. */
static void at_memory(struct dealing *x) {
    struct gen *g = x->g;
    LLVMValueRef blocks = g->threads->blocks;
    LLVMValueRef first = add(g, multiply(g, x->warp, blocks), g->threads->block);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], x->owners));
    gen_owner(x, l.phi[0], -1, NULL);
    LLVMValueRef next = add(g, l.phi[0], multiply(g, x->warps, blocks));
    loop_end(g, &l, &next);
}

void deal_update(struct dealing *x) {
    struct gen *g = x->g;
    LLVMBasicBlockRef lanes = gen_block(g, "lanes"), memory = gen_block(g, "memory"),
                      done = gen_block(g, "updated");
    LLVMBuildCondBr(g->b, is_set(g, param_i32(g, PARAM(across))), lanes, memory);
    gen_place(g, lanes);
    at_lanes(x);
    LLVMBuildBr(g->b, done);
    gen_place(g, memory);
    at_memory(x);
    end_if(g, done);
}
