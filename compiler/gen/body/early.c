/* early.c: small ordered loops, several iterations at a time.  What an iteration reads is loaded as
 * many iterations before, where none of these store it: ptxas cannot tell two rows of an array
 * apart, nor load what a condition guards before it is known, and would have each iteration wait
 * for its own loads.  Where that wait is short, as for shared memory, what a group of iterations
 * reads is loaded before all of them instead, if they store.  What one iteration stores and the
 * next one reads stays in a register, as does what all of them read and none stores. */
#include "stream.h"

enum {
    MAX_EARLY = 8,             /* elements of an iteration, at most, */
    MOST_COPIES = EARLY_STEPS, /* and iterations at a time, at most, */
    EARLY_GROUP_BODY = 40,     /* which are of fewer operations, in groups */
};

/* An element that an iteration reads. */
struct early_read {
    const struct pval *place;
    bool loaded;                     /* several iterations before */
    const struct pstmt *from;        /* or what stores it in the iteration before; or NULL */
    bool same;                       /* all iterations read it, and none stores it */
    LLVMValueRef slot;               /* of these, */
    LLVMValueRef ahead[MOST_COPIES]; /* and of what is loaded, by iteration */
};

struct early {
    struct gen *g;
    struct chunk loop;                        /* whose accesses are those that store, */
    const struct pstmt *stores[MAX_ACCESSES]; /* the statement of each, */
    int number[MAX_ACCESSES];                 /* and its number in the body */
    const struct pstmt *s;                    /* the statement at hand, */
    int at;                                   /* and its number; */
    bool guarded;                             /* what it reads at hand is under a condition */
    struct early_read read[MAX_EARLY];
    int nreads;
    bool grouped;    /* they load for a group of iterations, and then run these */
    int copies;      /* iterations at a time */
    LLVMValueRef lo; /* of the loop's index */
};

/* ---- what is read and stored */

static void add_store(struct early *e) {
    struct chunk *c = &e->loop;
    if (e->s->kind != PS_PUT || e->s->place->operand >= e->g->plan->noperands)
        return;
    struct access *a = &c->access[c->naccesses];
    *a = (struct access){.place = e->s->place, .stored = true};
    find_subscripts(e->g, c, a);
    e->stores[c->naccesses] = e->s;
    e->number[c->naccesses++] = e->at;
}

static enum walk find_other_change(const struct pval *v, void *arg) {
    const struct early *e = arg;
    bool index = v->kind == PV_VAR && v->var == e->loop.loop->var;
    return v->kind == PV_ELEM || (v->kind == PV_VAR && e->loop.set[v->var->id] && !index)
               ? WALK_STOP
               : WALK_IN;
}

/* Does a loop by residues, which keeps what the iterations before stored, read an element
 * that depends on the index alone, before the iteration itself stores? */
static bool is_before_stores(const struct early *e, const struct pval *place) {
    bool before = e->loop.loop->turns;
    for (int i = 0; before && i < place->nargs; i++)
        before = value_walk(place->args[i], find_other_change, (void *)e);
    for (int i = 0; before && i < e->loop.naccesses; i++)
        before = e->loop.access[i].place->operand != place->operand || e->number[i] >= e->at;
    return before;
}

/* Is what the statement at hand reads stored by none of the iterations before it, nor by its own
 * one? */
static bool is_unstored(const struct early *e, const struct access *a) {
    if (is_before_stores(e, a->place))
        return true;
    for (int i = 0; i < e->loop.naccesses; i++) {
        const struct access *stored = &e->loop.access[i];
        int least = e->number[i] < e->at ? 0 : 1;
        if (stored->place->operand == a->place->operand &&
            !are_apart_within(a, stored, e->loop.step, least, e->g->early_copies - 1) &&
            !are_never_same(e->g, &e->loop, a, stored))
            return false;
    }
    return a->affine;
}

/* Do all iterations read the same element, which none of them stores? */
static bool is_same(const struct early *e, const struct access *a) {
    bool same = a->affine;
    for (int i = 0; i < a->place->nargs; i++)
        same = same && a->at[i].times == 0;
    for (int i = 0; i < e->loop.naccesses; i++)
        same = same && (e->loop.access[i].place->operand != a->place->operand ||
                        are_never_same(e->g, &e->loop, a, &e->loop.access[i]));
    return same;
}

static bool is_in_slot(const struct early_read *r) {
    return r->from != NULL || r->same;
}

/* The only statement that stores to the array, if an iteration reads what that has stored in the
 * one before; or NULL. */
static const struct pstmt *stored_before(const struct early *e, const struct access *a) {
    const struct pstmt *from = NULL;
    for (int i = 0; i < e->loop.naccesses; i++) {
        const struct access *stored = &e->loop.access[i];
        if (stored->place->operand != a->place->operand)
            continue;
        if (from != NULL || !is_stored_before(a, stored, e->loop.step))
            return NULL;
        from = e->stores[i];
    }
    return from;
}

/* What is read under a condition is loaded without it, where it exists in all iterations. */
static enum walk add_read(const struct pval *v, void *arg) {
    struct early *e = arg;
    struct access a = {.place = v};
    if (v->kind != PV_ELEM || v->operand >= e->g->plan->noperands || v == e->s->place ||
        is_complex(e->g->plan->operands[v->operand].dtype))
        return WALK_IN;
    find_subscripts(e->g, &e->loop, &a);
    int i = 0;
    while (i < e->nreads && !same_value(e->read[i].place, v))
        i++;
    bool none = e->guarded && (e->grouped || !gen_exists_at_indices(e->g, v));
    if (i == MAX_EARLY || (i == e->nreads && none))
        return WALK_IN;
    bool loaded = is_unstored(e, &a);
    if (i == e->nreads)
        e->read[e->nreads++] = (struct early_read){
            .place = v, .loaded = true, .from = stored_before(e, &a), .same = is_same(e, &a)};
    e->read[i].loaded = e->read[i].loaded && loaded;
    return WALK_IN;
}

static void add_reads(struct early *e, const struct pstmt *s, bool guarded) {
    e->guarded = guarded;
    if (!guarded)
        stmt_values(s, add_read, e);
    else if (s->kind == PS_IF)
        stmt_walk(s, &(struct plan_visitor){.value = add_read}, e);
}

/* Iterations at a time, for what is loaded in which there are registers. */
static int find_copies(const struct early *e, int cost) {
    int words = 0, copies = e->g->early_copies;
    for (int i = 0; i < e->nreads; i++)
        if (!is_in_slot(&e->read[i]))
            words += dtype_info[e->read[i].place->dtype].bits > 32 ? 2 : 1;
    int most = e->grouped ? copies * cost : EARLY_SIZE;
    while (copies > 1 && (copies * words > e->g->early_words || copies * cost > most))
        copies /= 2;
    return copies;
}

/* False: all that is read is loaded where it is read. */
static bool find_early(struct early *e, int cost) {
    const struct pstmt *body = e->loop.loop->body;
    for (e->s = body, e->at = 0; e->s != NULL; e->s = e->s->next, e->at++)
        add_store(e);
    for (e->s = body, e->at = 0; e->s != NULL; e->s = e->s->next, e->at++)
        add_reads(e, e->s, false);
    for (e->s = body, e->at = 0; e->s != NULL; e->s = e->s->next, e->at++)
        add_reads(e, e->s, true);
    int n = 0;
    for (int i = 0; i < e->nreads; i++)
        if (e->read[i].loaded || e->read[i].from != NULL)
            e->read[n++] = e->read[i];
    e->nreads = n;
    e->copies = find_copies(e, cost);
    return n > 0 && e->copies > 1 && (!e->grouped || e->loop.naccesses > 0);
}

/* ---- the loop */

static void set_index(const struct early *e, LLVMValueRef turn, int k) {
    struct gen *g = e->g;
    turn = add(g, turn, i64(g, (uint64_t)k));
    gen_set_index(g, e->loop.loop->var,
                  add(g, e->lo, multiply(g, turn, i64(g, (uint64_t)e->loop.step))));
}

/* Makes slots of what is loaded, and loads what all iterations read, and what is stored before the
 * first. */
static void begin_slots(struct early *e) {
    struct gen *g = e->g;
    set_index(e, i64(g, 0), 0);
    for (int i = 0; i < e->nreads; i++) {
        struct early_read *r = &e->read[i];
        LLVMTypeRef type = gen_type(g, r->place->dtype);
        for (int k = 0; !is_in_slot(r) && k < e->copies; k++)
            r->ahead[k] = gen_alloca(g, type, "ahead");
        if (!is_in_slot(r))
            continue;
        r->slot = gen_alloca(g, type, "carried");
        LLVMBuildStore(g->b, gen_value(g, r->place), r->slot);
    }
}

/* Iteration `turn` + k, what is loaded for which is there. */
static void gen_turn(const struct early *e, LLVMValueRef turn, int k) {
    struct gen *g = e->g;
    struct held held[MAX_EARLY];
    set_index(e, turn, k);
    for (int i = 0; i < e->nreads; i++) {
        const struct early_read *r = &e->read[i];
        LLVMTypeRef type = gen_type(g, r->place->dtype);
        held[i].place = r->place;
        held[i].value = LLVMBuildLoad2(g->b, type, is_in_slot(r) ? r->slot : r->ahead[k], "");
    }
    for (const struct pstmt *s = e->loop.loop->body; s != NULL; s = s->next) {
        g->held = held;
        g->nheld = e->nreads;
        gen_list(g, s, s->next);
        g->nheld = 0;
        for (int i = 0; i < e->nreads; i++)
            if (e->read[i].from == s)
                LLVMBuildStore(g->b, gen_element(g, s->place), e->read[i].slot);
    }
}

/* Loads what iteration `turn` + k reads. */
static void load_turn(const struct early *e, LLVMValueRef turn, int k) {
    struct gen *g = e->g;
    set_index(e, turn, k);
    for (int i = 0; i < e->nreads; i++)
        if (!is_in_slot(&e->read[i]))
            LLVMBuildStore(g->b, gen_value(g, e->read[i].place), e->read[i].ahead[k]);
}

/* Loads what `copies` iterations from `turn` on read, or the last one of n where there are fewer.
 */
static void load_turns(const struct early *e, LLVMValueRef turn, LLVMValueRef n, int copies) {
    struct gen *g = e->g;
    for (int k = 0; k < copies; k++)
        load_turn(e, k == 0 ? turn : least(g, turn, subtract(g, n, i64(g, (uint64_t)k + 1))), k);
}

/* Iterations from `first` on: groups, or, where all is loaded for a group, as long as there are as
 * many behind it, each of which loads for one of these.  Gives the next one. */
static LLVMValueRef gen_turns(const struct early *e, LLVMValueRef first, LLVMValueRef n) {
    struct gen *g = e->g;
    LLVMValueRef size = i64(g, (uint64_t)e->copies), both_sizes = i64(g, 2 * (uint64_t)e->copies);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    LLVMValueRef left = subtract(g, n, l.phi[0]);
    loop_while(g, &l, compare(g, LLVMIntSGE, left, e->grouped ? size : both_sizes));
    LLVMValueRef next = add(g, l.phi[0], size);
    for (int k = 0; e->grouped && k < e->copies; k++)
        load_turn(e, l.phi[0], k);
    for (int k = 0; k < e->copies; k++) {
        gen_turn(e, l.phi[0], k);
        if (!e->grouped)
            load_turn(e, next, k);
    }
    loop_end(g, &l, &next);
    return l.phi[0];
}

/* Of n iterations so many from `turn` on, what is loaded for which is there; the first one exists.
 * Goes to `done` where others do not. */
static void gen_left(const struct early *e, LLVMValueRef turn, LLVMValueRef n, int copies,
                     LLVMBasicBlockRef done) {
    struct gen *g = e->g;
    LLVMValueRef left = subtract(g, n, turn);
    for (int k = 0; k < copies; k++) {
        if (k > 0) {
            LLVMBasicBlockRef body = gen_block(g, "left");
            LLVMBuildCondBr(g->b, compare(g, LLVMIntSGT, left, i64(g, (uint64_t)k)), body, done);
            gen_place(g, body);
        }
        gen_turn(e, turn, k);
    }
}

/* All n iterations, by groups: the last one has fewer. */
static void gen_groups(const struct early *e, LLVMValueRef n) {
    struct gen *g = e->g;
    LLVMValueRef turn = gen_turns(e, i64(g, 0), n);
    LLVMBasicBlockRef done = begin_if(g, compare(g, LLVMIntSGT, n, turn));
    load_turns(e, turn, n, e->copies - 1);
    gen_left(e, turn, n, e->copies - 1, done);
    end_if(g, done);
}

/* All n iterations: the second time around those that are left where less is loaded. */
static void gen_all(const struct early *e, LLVMValueRef n) {
    struct gen *g = e->g;
    LLVMBasicBlockRef done = gen_block(g, "rest");
    LLVMValueRef zero = i64(g, 0);
    struct loop l;
    loop_begin(g, &l, 1, &zero);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSGT, n, l.phi[0]));
    load_turns(e, l.phi[0], n, e->copies);
    LLVMValueRef turn = gen_turns(e, l.phi[0], n);
    gen_left(e, turn, n, e->copies, done);
    LLVMValueRef next = add(g, turn, i64(g, (uint64_t)e->copies));
    loop_end(g, &l, &next);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* A function of 64-bit numbers is a hundred instructions, in each copy of the body. */
static enum walk find_long_function(const struct pval *v, void *none) {
    (void)none;
    bool is = v->kind == PV_CALL && builtin_work(v->builtin).special > 0 &&
              dtype_info[v->dtype].bits > 32;
    return is ? WALK_STOP : WALK_IN;
}

/* Operations of a list of assignments, stores, and conditions that only set variables. */
static int early_cost(const struct pstmt *list) {
    int cost = 0;
    for (const struct pstmt *s = list; s != NULL && cost < EARLY_BODY; s = s->next) {
        struct pstmt only = *s;
        only.next = NULL;
        if (s->kind != PS_IF)
            cost += body_cost(&only, EARLY_BODY);
        else if (has_store(s->body) || has_store(s->other))
            cost = EARLY_BODY;
        else
            cost += value_size(s->value) + early_cost(s->body) + early_cost(s->other);
    }
    return cost;
}

static enum walk find_merge(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged ? WALK_STOP : WALK_IN;
}

/* Is an element read to know it? */
static enum walk find_element(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

static bool is_from_elements(const struct pval *v) {
    return !value_walk(v, find_element, NULL);
}

static bool gen_several(struct gen *g, const struct pstmt *s, bool grouped) {
    int cost = early_cost(s->body);
    if (g->early_words == 0 || g->lanes > 1 || g->abreast != NULL || g->nheld > 0 ||
        g->chunk != NULL || s->step->kind != PV_CONST ||
        (s->step->i != 1 && (int64_t)s->step->i != -1) ||
        cost >= (grouped ? EARLY_GROUP_BODY : EARLY_BODY) || gen_is_checked(s->body) ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_merge, .value = find_long_function},
                   NULL))
        return false;
    struct early *e = NEW(g->uc, struct early);
    bool *set = find_written(g->uc, g->plan, s->body);
    set[s->var->id] = true;
    *e = (struct early){
        .g = g, .loop = {.loop = s, .step = (int64_t)s->step->i, .set = set}, .grouped = grouped};
    const struct pval **below = g->below;
    if (below == NULL && !grouped)
        gen_find_bounds(g);
    bool found = find_early(e, cost);
    g->below = below;
    if (!found)
        return false;
    e->lo = gen_value(g, s->lo);
    LLVMValueRef n = gen_count(g, e->lo, gen_value(g, s->hi), gen_value(g, s->step));
    bool ragged = !grouped && (is_from_elements(s->lo) || is_from_elements(s->hi));
    LLVMValueRef worth = i64(g, ragged ? 2 * (uint64_t)e->copies : 1);
    LLVMBasicBlockRef many = gen_block(g, "early"), done = gen_block(g, "iterated");
    LLVMBasicBlockRef few = ragged ? gen_block(g, "few") : done;
    LLVMBuildCondBr(g->b, compare(g, LLVMIntSGE, n, worth), many, few);
    gen_place(g, many);
    begin_slots(e);
    (grouped ? gen_groups : gen_all)(e, n);
    LLVMBuildBr(g->b, done);
    if (ragged) {
        gen_place(g, few);
        gen_each(g, s);
        LLVMBuildBr(g->b, done);
    }
    gen_place(g, done);
    return true;
}

bool gen_early(struct gen *g, const struct pstmt *s) {
    unsigned words = g->early_words;
    int copies = g->early_copies;
    bool grouped = g->early_grouped || words == 0;
    if (s->turns && words == 0) { /* points have such loops alone, and few of them */
        g->early_words = EARLY_WORDS;
        g->early_copies = EARLY_POINT_COPIES;
    }
    bool done = gen_several(g, s, grouped);
    g->early_words = words;
    g->early_copies = copies;
    return done;
}
