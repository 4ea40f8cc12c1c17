/* early.c: small ordered loops that store, several iterations at a time.  What these read is loaded
 * before any of them stores, where it is none of what they store: ptxas cannot tell two rows of an
 * array apart, and would have each iteration wait for its own loads. */
#include "stream.h"

enum {
    MAX_EARLY = 8,   /* elements of an iteration, at most, */
    COPIES = 4,      /* and iterations at a time, */
    EARLY_BODY = 40, /* of fewer operations */
};

struct early {
    struct gen *g;
    struct chunk loop;           /* whose accesses are those that store, */
    int statement[MAX_ACCESSES]; /* in the statements of these numbers */
    const struct pstmt *s;       /* the statement at hand, */
    int at;                      /* and its number */
    const struct pval *read[MAX_EARLY];
    bool early[MAX_EARLY]; /* it is loaded before */
    int nreads;
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
    e->statement[c->naccesses++] = e->at;
}

/* Is what the statement at hand reads stored by none of the iterations before it, nor by its own
 * one? */
static bool is_unstored(const struct early *e, const struct access *a) {
    for (int i = 0; i < e->loop.naccesses; i++) {
        const struct access *stored = &e->loop.access[i];
        int least = e->statement[i] < e->at ? 0 : 1;
        if (stored->place->operand == a->place->operand &&
            !are_apart_within(a, stored, e->loop.step, least, COPIES - 1))
            return false;
    }
    return a->affine && !is_complex(e->g->plan->operands[a->place->operand].dtype);
}

static enum walk add_read(const struct pval *v, void *arg) {
    struct early *e = arg;
    struct access a = {.place = v};
    if (v->kind != PV_ELEM || v->operand >= e->g->plan->noperands || v == e->s->place)
        return WALK_IN;
    find_subscripts(e->g, &e->loop, &a);
    bool early = is_unstored(e, &a);
    int i = 0;
    while (i < e->nreads && !same_value(e->read[i], v))
        i++;
    if (i < e->nreads) {
        e->early[i] = e->early[i] && early;
    } else if (i < MAX_EARLY) {
        e->read[i] = v;
        e->early[e->nreads++] = early;
    }
    return WALK_IN;
}

/* False: nothing is stored, or nothing loaded early. */
static bool find_early(struct early *e) {
    const struct pstmt *body = e->loop.loop->body;
    for (e->s = body, e->at = 0; e->s != NULL; e->s = e->s->next, e->at++)
        add_store(e);
    for (e->s = body, e->at = 0; e->s != NULL; e->s = e->s->next, e->at++)
        stmt_values(e->s, add_read, e);
    int n = 0;
    for (int i = 0; i < e->nreads; i++)
        if (e->early[i])
            e->read[n++] = e->read[i];
    e->nreads = n;
    return n > 0 && e->loop.naccesses > 0;
}

/* ---- the loop */

static void set_index(const struct early *e, LLVMValueRef turn, int k) {
    struct gen *g = e->g;
    turn = add(g, turn, i64(g, (uint64_t)k));
    gen_set_index(g, e->loop.loop->var,
                  add(g, e->lo, multiply(g, turn, i64(g, (uint64_t)e->loop.step))));
}

/* Of n iterations those from `first` on, `copies` at a time while so many are left; gives the next
 * one. */
static LLVMValueRef gen_turns(const struct early *e, LLVMValueRef first, LLVMValueRef n,
                              int copies) {
    struct gen *g = e->g;
    struct held held[MAX_EARLY];
    LLVMValueRef v[COPIES][MAX_EARLY], size = i64(g, (uint64_t)copies);
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSGE, subtract(g, n, l.phi[0]), size));
    for (int k = 0; k < copies; k++) {
        set_index(e, l.phi[0], k);
        for (int i = 0; i < e->nreads; i++)
            v[k][i] = gen_value(g, e->read[i]);
    }
    for (int k = 0; k < copies; k++) {
        set_index(e, l.phi[0], k);
        for (int i = 0; i < e->nreads; i++)
            held[i] = (struct held){e->read[i], v[k][i]};
        g->held = held;
        g->nheld = e->nreads;
        gen_stmts(g, e->loop.loop->body);
        g->nheld = 0;
    }
    LLVMValueRef next = add(g, l.phi[0], size);
    loop_end(g, &l, &next);
    return l.phi[0];
}

static enum walk find_merge(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged ? WALK_STOP : WALK_IN;
}

bool gen_early(struct gen *g, const struct pstmt *s) {
    if (!g->loads_early || g->lanes > 1 || g->nheld > 0 || g->chunk != NULL ||
        s->step->kind != PV_CONST || (s->step->i != 1 && (int64_t)s->step->i != -1) ||
        body_cost(s->body, EARLY_BODY) >= EARLY_BODY || gen_is_checked(s->body) ||
        !plan_walk(s->body, &(struct plan_visitor){.stmt = find_merge}, NULL))
        return false;
    struct early *e = NEW(g->uc, struct early);
    bool *set = find_written(g->uc, g->plan, s->body);
    set[s->var->id] = true;
    *e = (struct early){.g = g, .loop = {.loop = s, .step = (int64_t)s->step->i, .set = set}};
    if (!find_early(e))
        return false;
    e->lo = gen_value(g, s->lo);
    LLVMValueRef n = gen_count(g, e->lo, gen_value(g, s->hi), gen_value(g, s->step));
    gen_turns(e, gen_turns(e, i64(g, 0), n, COPIES), n, 1);
    return true;
}
