/* late.c: values that an ordered loop stores, of which its later iterations need nothing, where
 * they take long: quotients, roots.  Threads that have helpers leave in shared memory what such a
 * value is made of, and all of the warp compute the values of a stage when that is done. */
#include "stream.h"

struct search {
    const struct chunk *c;
    struct late *late;
    bool takes_long;
};

/* Variables of the types that registers and memory have alike. */
static bool is_plain(enum ufc_dtype d) {
    char kind = dtype_info[d].kind;
    return dtype_info[d].bits >= 32 && (kind == 'f' || kind == 'i' || kind == 'u');
}

static bool takes_long(const struct pval *v) {
    if (v->kind == PV_CALL)
        return builtin_work(v->builtin).special > 0;
    return v->kind == PV_OP && v->args[v->nargs - 1]->kind != PV_CONST &&
           (v->op == OP_DIV || v->op == OP_FLOORDIV || v->op == OP_MOD || v->op == OP_POW);
}

static bool add_variable(struct late *late, const struct pval *v) {
    for (int i = 0; i < late->n; i++)
        if (late->part[i].row.place->var == v->var)
            return true;
    if (late->n == MAX_LATE || !is_plain(v->dtype))
        return false;
    late->part[late->n++].row.place = v;
    return true;
}

/* Stops at what only the call's own thread can compute, later on. */
static enum walk find_part(const struct pval *v, void *arg) {
    struct search *s = arg;
    s->takes_long = s->takes_long || takes_long(v);
    switch (v->kind) {
    case PV_VAR: return add_variable(s->late, v) ? WALK_IN : WALK_STOP;
    case PV_CONST:
    case PV_DIM:
    case PV_OP:
    case PV_CAST:
    case PV_CALL:
    case PV_SELECT:
    case PV_FMA: return WALK_IN;
    default: return WALK_STOP;
    }
}

/* What the loop stores to the stream, by one of its own statements; or NULL. */
static const struct pstmt *find_store(const struct chunk *c, const struct stream *s) {
    const struct pstmt *store = c->loop->body;
    while (store != NULL && (store->kind != PS_PUT || store->place != s->anchor->place))
        store = store->next;
    return store;
}

static bool is_accessed_once(const struct chunk *c, int k) {
    int n = 0;
    for (int i = 0; i < c->naccesses; i++)
        n += c->access[i].stream == k;
    return n == 1;
}

static void find_late_of(struct gen *g, const struct chunk *c, int k, struct stream *s) {
    struct late *late = NEW(g->uc, struct late);
    struct search x = {.c = c, .late = late};
    *late = (struct late){.store = find_store(c, s)};
    if (s->count > 1 || !s->stored || s->loaded || s->tail > 0 || !is_accessed_once(c, k) ||
        late->store == NULL || late->store->merged || !is_plain(s->anchor->place->dtype) ||
        late->store->value->dtype != s->anchor->place->dtype)
        return;
    if (value_walk(late->store->value, find_part, &x) && x.takes_long && late->n > 0)
        s->late = late;
}

void find_late(struct gen *g, struct chunk *c) {
    for (int k = 0; k < c->nstreams; k++)
        find_late_of(g, c, c->stream[k].anchor->stream, &c->stream[k]);
}

bool chunk_puts_late(struct gen *g, const struct pstmt *store) {
    const struct chunk *c = g->chunk;
    for (int k = 0; c != NULL && c->near && k < c->nstreams; k++) {
        const struct stream *s = &c->stream[k];
        if (s->late == NULL || s->late->store != store)
            continue;
        for (int i = 0; i < s->late->n; i++) {
            const struct late_part *part = &s->late->part[i];
            unsigned size = dtype_info[part->row.place->dtype].bits / 8;
            int at = s->down ? c->size - 1 - c->turn : c->turn;
            LLVMValueRef to = at_byte(g, part->held, i64(g, (uint64_t)at * size));
            LLVMSetAlignment(LLVMBuildStore(g->b, gen_value(g, part->row.place), to), size);
        }
        return true;
    }
    return false;
}
