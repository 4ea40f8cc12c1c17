/* common.c: local arrays that the threads of a call have in common.  What all threads set alike
 * outside of definitions, and read in these alone, as flags of the elements that a search has had,
 * is in shared memory once: each thread's own would be in memory, and written back there.  The
 * call's first thread stores; a definition that reads them begins and ends when all threads are
 * there. */
#include "gufunc.h"

enum {
    MOST_COMMON = 2048,
    PIECE = 16
}; /* bytes of all such arrays; that a thread clears at once */

struct common {
    const struct plan *plan;
    bool *may; /* by local array */
};

static bool *of_array(const struct common *c, int operand) {
    return operand >= c->plan->noperands ? &c->may[operand - c->plan->noperands] : NULL;
}

static enum walk drop_read(const struct pval *v, void *arg) {
    bool *may = v->kind == PV_ELEM ? of_array(arg, v->operand) : NULL;
    if (may != NULL)
        *may = false;
    return WALK_IN;
}

static enum walk drop_stored(const struct pstmt *s, void *arg) {
    bool *may = s->kind == PS_PUT || s->kind == PS_CLEAR ? of_array(arg, s->operand) : NULL;
    if (may != NULL)
        *may = false;
    return WALK_IN;
}

/* Drops arrays that a list reads outside of definitions, or stores to in them. */
static void look(struct common *c, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt values = *s;
        values.place = NULL;
        stmt_values(&values, drop_read, c);
        for (int i = 0; s->place != NULL && i < s->place->nargs; i++)
            value_walk(s->place->args[i], drop_read, c);
        if (s->kind == PS_SPREAD) {
            plan_walk(s->body, &(struct plan_visitor){.stmt = drop_stored}, c);
        } else if (s->accs != NULL || s->lag != 0 || s->deal != NULL || s->series != NULL) {
            stmt_walk(s, &(struct plan_visitor){.stmt = drop_stored, .value = drop_read}, c);
        } else {
            look(c, s->shared != NULL ? s->shared : s->body);
            look(c, s->shared != NULL ? NULL : s->other);
        }
    }
}

static enum walk find_common(const struct pval *v, void *g) {
    return v->kind == PV_ELEM && ((struct gen *)g)->arrays[v->operand].common ? WALK_STOP : WALK_IN;
}

static void spread(struct gen *g, const struct pstmt *s) {
    bool reads = !plan_walk(s->body, &(struct plan_visitor){.value = find_common}, g);
    if (reads)
        gpu(g)->barrier(g);
    by_threads.spread(g, s);
    if (reads)
        gpu(g)->barrier(g);
}

static int64_t bytes_of(const struct poperand *o) {
    int64_t bytes = dtype_info[o->dtype].bits / 8;
    for (int i = 0; i < o->rank; i++)
        bytes *= o->dims[i]->size;
    return (bytes + PIECE - 1) / PIECE * PIECE;
}

/* Each thread clears some pieces, when the first one has stored what it stores before. */
static void clear(struct gen *g, const struct pstmt *s) {
    LLVMTypeRef type = LLVMVectorType(i32_type(g), PIECE / 4);
    LLVMValueRef first = g->threads->tid, bytes = i32(g, PIECE);
    gpu(g)->barrier(g);
    LLVMValueRef n = i32(g, (uint32_t)(bytes_of(&g->plan->operands[s->operand]) / PIECE));
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], n));
    LLVMValueRef at =
        at_byte(g, g->arrays[s->operand].base, extended(g, multiply(g, l.phi[0], bytes)));
    LLVMSetAlignment(LLVMBuildStore(g->b, LLVMConstNull(type), at), PIECE);
    LLVMValueRef next = add(g, l.phi[0], g->threads->ntid);
    loop_end(g, &l, &next);
    gpu(g)->barrier(g); /* it stores to pieces of others then */
}

const struct sharing *share_local_arrays(struct gen *g) {
    const struct plan *p = g->plan;
    struct common c = {p, NEWN(g->uc, bool, p->nlocals + 1)};
    int64_t all = 0;
    for (int k = 0; k < p->nlocals; k++)
        c.may[k] = true;
    look(&c, p->body);
    for (int k = p->noperands; k < p->noperands + p->nlocals; k++) {
        const struct poperand *o = &p->operands[k];
        if (!c.may[k - p->noperands] || all + bytes_of(o) > MOST_COMMON)
            continue;
        all += bytes_of(o);
        g->arrays[k].base = shared_array(g, LLVMInt8TypeInContext(g->context),
                                         (unsigned)bytes_of(o), PIECE, o->name);
        g->arrays[k].near = g->arrays[k].common = true;
    }
    struct sharing *own = NEW(g->uc, struct sharing);
    *own = by_threads;
    own->spread = spread;
    own->clear = clear;
    return all > 0 ? own : &by_threads;
}
