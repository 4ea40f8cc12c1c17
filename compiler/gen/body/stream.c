/* stream.c: which elements of arrays an ordered loop accesses in turn. */
#include <stdlib.h>

#include "stream.h"

/* ---- subscripts */

/* Whether a value may change within the loop. */
static enum walk find_change(const struct pval *v, void *arg) {
    const struct chunk *c = arg;
    bool changes = v->kind == PV_ELEM || (v->kind == PV_VAR && c->set[v->var->id]);
    return changes ? WALK_STOP : WALK_IN;
}

/* Whether v is a number, or an index that is one in this code. */
static bool find_number(struct gen *g, const struct pval *v, uint64_t *number) {
    LLVMValueRef known = v->kind == PV_VAR ? var_of(g, v->var)->known : NULL;
    *number = known != NULL ? (uint64_t)LLVMConstIntGetSExtValue(known) : v->i;
    return v->kind == PV_CONST || known != NULL;
}

/* Adds `by` times v. */
static bool add_times(struct gen *g, const struct chunk *c, const struct pval *v, uint64_t by,
                      struct affine *a) {
    uint64_t number;
    if (v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB))
        return add_times(g, c, v->args[0], by, a) &&
               add_times(g, c, v->args[1], v->op == OP_SUB ? -by : by, a);
    if (v->kind == PV_OP && v->op == OP_NEG)
        return add_times(g, c, v->args[0], -by, a);
    if (find_number(g, v, &number)) {
        a->plus = (int64_t)((uint64_t)a->plus + by * number);
        return true;
    }
    if (v->kind == PV_VAR && v->var == c->loop->var) {
        a->times = (int64_t)((uint64_t)a->times + by);
        return true;
    }
    bool changes = !value_walk(v, find_change, (void *)c);
    for (int k = 0; changes && v->kind == PV_OP && v->op == OP_MUL && k < 2; k++)
        if (find_number(g, v->args[k], &number))
            return add_times(g, c, v->args[1 - k], by * number, a);
    if (changes || a->n == MAX_REST || (by != 1 && by != -UINT64_C(1)))
        return false;
    a->rest[a->n].value = v;
    a->rest[a->n++].minus = by != 1;
    return true;
}

static bool add_subscript(struct gen *g, const struct chunk *c, const struct pval *v, bool minus,
                          struct affine *a) {
    return add_times(g, c, v, minus ? -UINT64_C(1) : 1, a);
}

void find_subscripts(struct gen *g, const struct chunk *c, struct access *a) {
    a->axis = a->stream = -1;
    a->affine = true;
    bool several = false;
    for (int i = 0; i < a->place->nargs; i++) {
        a->at[i] = (struct affine){0};
        a->affine = a->affine && add_subscript(g, c, a->place->args[i], false, &a->at[i]);
        if (a->at[i].times == 0)
            continue;
        several = several || a->axis >= 0 || a->at[i].times > STEP_ELEMENTS ||
                  a->at[i].times < -STEP_ELEMENTS;
        a->axis = i;
    }
    if (several || !a->affine)
        a->axis = -1;
}

bool are_parallel(const struct affine *a, const struct affine *b) {
    bool same = a->times == b->times && a->n == b->n;
    for (int i = 0; same && i < a->n; i++)
        same =
            a->rest[i].minus == b->rest[i].minus && same_value(a->rest[i].value, b->rest[i].value);
    return same;
}

/* Whether parallel subscripts are the same in some two iterations, if these are enough. */
static bool may_meet(const struct affine *a, const struct affine *b) {
    int64_t by = (int64_t)((uint64_t)b->plus - (uint64_t)a->plus);
    return a->times == 0 ? by == 0 : a->times == -1 || by % a->times == 0;
}

bool is_of_stream(const struct access *a, const struct access *anchor) {
    bool same =
        a->axis >= 0 && a->axis == anchor->axis && a->place->operand == anchor->place->operand;
    for (int i = 0; same && i < a->place->nargs; i++)
        same = are_parallel(&a->at[i], &anchor->at[i]) && may_meet(&a->at[i], &anchor->at[i]);
    return same;
}

/* Whether two accesses of an array are of different elements in any two iterations. */
static bool are_apart(const struct access *a, const struct access *b) {
    for (int i = 0; a->affine && b->affine && i < a->place->nargs; i++)
        if (are_parallel(&a->at[i], &b->at[i]) && !may_meet(&a->at[i], &b->at[i]))
            return true;
    return false;
}

/* Whether of two parallel subscripts b is `by` above a; they wrap, as indices do. */
static bool is_ahead(const struct affine *a, const struct affine *b, int64_t by) {
    return (uint64_t)b->plus - (uint64_t)a->plus == (uint64_t)by;
}

bool are_apart_within(const struct access *read, const struct access *stored, int64_t step,
                      int64_t least, int64_t most) {
    for (int i = 0; i < read->place->nargs; i++) {
        const struct affine *a = &read->at[i], *b = &stored->at[i];
        if (!read->affine || !stored->affine || !are_parallel(a, b))
            continue;
        bool meets = false;
        for (int64_t k = least; k <= most; k++)
            meets = meets || is_ahead(a, b, a->times * step * k);
        if (!meets)
            return true;
    }
    return false;
}

/* Takes away what is added and subtracted. */
static void cancel(struct affine *a) {
    for (int i = 0; i < a->n; i++)
        for (int j = i + 1; j < a->n; j++)
            if (a->rest[i].minus != a->rest[j].minus &&
                same_value(a->rest[i].value, a->rest[j].value)) {
                a->rest[j] = a->rest[--a->n];
                a->rest[i--] = a->rest[--a->n];
                break;
            }
}

/* Finds how far a subscript of `stored` is above that of `read` where the loop's index is `bound`,
 * if that is a number; it grows as the index does. */
static bool find_distance(struct gen *g, const struct chunk *c, const struct pval *read,
                          const struct pval *stored, const struct pval *bound, int64_t *by) {
    struct affine d = {0};
    bool known = add_subscript(g, c, stored, false, &d) && add_subscript(g, c, read, true, &d) &&
                 add_subscript(g, c, bound, false, &d) && d.times == 1;
    cancel(&d);
    *by = d.plus;
    return known && d.n == 0;
}

bool are_never_same(struct gen *g, const struct chunk *c, const struct access *read,
                    const struct access *stored) {
    if (are_apart(read, stored))
        return true;
    bool up = c->step > 0;
    for (int i = 0; read->affine && stored->affine && i < read->place->nargs; i++) {
        const struct pval *a = read->place->args[i], *b = stored->place->args[i];
        int64_t by;
        if (read->at[i].times != 0)
            continue;
        if (find_distance(g, c, a, b, c->loop->lo, &by) && (up ? by > 0 : by < 0))
            return true;
        if (find_distance(g, c, a, b, c->loop->hi, &by) && (up ? by <= 0 : by >= 0))
            return true;
    }
    return false;
}

bool is_stored_before(const struct access *read, const struct access *stored, int64_t step) {
    bool moves = false;
    for (int i = 0; i < read->place->nargs; i++) {
        const struct affine *a = &read->at[i], *b = &stored->at[i];
        if (!read->affine || !stored->affine || !are_parallel(a, b) ||
            !is_ahead(a, b, a->times * step))
            return false;
        moves = moves || a->times != 0;
    }
    return moves;
}

/* ---- the body's accesses */

struct survey {
    struct gen *g;
    struct chunk *c;
    bool *set; /* by variable: it is assigned to, or an index of a loop */
    const struct pval *stored;
    bool certain;
    bool leaves, left;    /* the body skips statements somewhere; it may have done so before */
    bool ends;            /* it ends the loop somewhere: later iterations may never be */
    struct access around; /* its `inner` is of the loops that the survey is in */
    int cost;
};

/* Is an element of an input there in all iterations, whether these come to it or not?  It is where
 * the loop is over all of the array. */
static bool is_there(const struct survey *s, const struct pval *v) {
    const struct plan *p = s->g->plan;
    const struct pstmt *loop = s->c->loop;
    if (v->operand >= p->nin || v->nargs != 1 || v->args[0]->kind != PV_VAR ||
        v->args[0]->var != loop->var || loop->lo->kind != PV_CONST || (int64_t)loop->lo->i < 0 ||
        s->c->step != 1)
        return false;
    const struct dim *d = p->operands[v->operand].dims[0];
    return d->size >= 0 ? loop->hi->kind == PV_CONST && (int64_t)loop->hi->i <= d->size
                        : loop->hi->kind == PV_DIM && loop->hi->operand == d->index;
}

static enum walk add_access(const struct pval *v, void *arg) {
    struct survey *s = arg;
    struct chunk *c = s->c;
    s->cost++;
    if (v->kind != PV_ELEM || v->operand >= s->g->plan->noperands || s->g->arrays[v->operand].near)
        return WALK_IN;
    if (c->naccesses == MAX_ACCESSES) {
        s->cost = s->g->chunk_body;
        return WALK_STOP;
    }
    struct access *a = &c->access[c->naccesses++];
    *a = s->around;
    a->place = v;
    a->stored = v == s->stored;
    a->certain = (s->certain && !s->left && !s->ends) || (s->leaves && is_there(s, v));
    find_subscripts(s->g, c, a);
    return WALK_IN;
}

static void survey(struct survey *s, const struct pstmt *list);

/* A bound that is a number, or a size or an index that is one where the code is. */
static bool known_bound(struct gen *g, const struct pval *v, int64_t *bound) {
    LLVMValueRef known = v->kind == PV_DIM   ? g->dims[v->operand]
                         : v->kind == PV_VAR ? var_of(g, v->var)->known
                                             : NULL;
    bool number = known != NULL && LLVMIsAConstantInt(known);
    *bound = number ? LLVMConstIntGetSExtValue(known) : (int64_t)v->i;
    return number || v->kind == PV_CONST;
}

/* A loop in the body, which is unrolled. */
static void survey_loop(struct survey *s, const struct pstmt *loop) {
    struct gen_var *index = var_of(s->g, loop->var);
    int64_t lo, hi;
    bool constant = loop->step->kind == PV_CONST && loop->step->i == 1 &&
                    known_bound(s->g, loop->lo, &lo) && known_bound(s->g, loop->hi, &hi);
    if (!constant || s->around.ninner == MAX_INNER) {
        s->cost = s->g->chunk_body;
        return;
    }
    struct inner *own = &s->around.inner[s->around.ninner++];
    own->var = loop->var;
    s->set[loop->var->id] = true;
    for (int64_t i = lo; s->cost < s->g->chunk_body && i < hi; i++) {
        index->known = i64(s->g, (uint64_t)i);
        own->index = i;
        survey(s, loop->body);
        s->cost++;
    }
    s->around.ninner--;
    index->known = NULL;
}

static enum walk find_target(const struct pstmt *s, void *target) {
    return s == target ? WALK_STOP : WALK_IN;
}

/* A PS_LEAVE: iterations go on if what it leaves is in the body. */
static void survey_leave(struct survey *s, const struct pstmt *leave) {
    const struct plan_visitor target = {.stmt = find_target};
    s->left = true;
    s->ends = s->ends || plan_walk(s->c->loop->body, &target, leave->target);
}

/* Adds the list's cost, the variables that it assigns to and its accesses. */
static void survey(struct survey *s, const struct pstmt *list) {
    for (; list != NULL && s->cost < s->g->chunk_body; list = list->next) {
        bool certain = s->certain;
        switch (list->kind) {
        case PS_SPREAD: survey(s, list->serial); break;
        case PS_FOR: survey_loop(s, list); break;
        case PS_SET: s->set[list->var->id] = true; break;
        case PS_PUT: break;
        case PS_IF:
        case PS_BLOCK:
            s->certain = false;
            survey(s, list->body);
            survey(s, list->other);
            s->certain = certain;
            break;
        case PS_LEAVE: survey_leave(s, list); break;
        default: s->cost = s->g->chunk_body;
        }
        s->stored = list->place;
        if (list->kind != PS_SPREAD)
            stmt_values(list, add_access, s);
    }
}

/* ---- streams */

static void add_stream(struct chunk *c, const struct access *anchor) {
    for (int k = 0; k < c->nstreams; k++)
        if (is_of_stream(anchor, c->stream[k].anchor))
            return;
    if (c->nstreams < MAX_STREAMS)
        c->stream[c->nstreams++] =
            (struct stream){.anchor = anchor, .down = anchor->at[anchor->axis].times * c->step < 0};
}

/* Whether operand k may have streams. */
static bool is_settled(const struct gen *g, const struct chunk *c, int k) {
    if (is_complex(g->plan->operands[k].dtype))
        return false;
    for (int i = 0; i < c->naccesses; i++)
        for (int j = 0; j < c->naccesses; j++) {
            const struct access *a = &c->access[i], *b = &c->access[j];
            if (a->place->operand == k && a->stored && b->place->operand == k &&
                (a->stream < 0 || a->stream != b->stream) && !are_apart(a, b))
                return false;
        }
    return true;
}

int64_t stream_lag(const struct stream *s, const struct access *a) {
    int64_t up = s->anchor->at[s->anchor->axis].plus - a->at[a->axis].plus;
    up /= llabs(a->at[a->axis].times);
    return s->down ? -up : up;
}

/* Whether a chunk of stream k may have an element read before it is written.  Accesses are in the
 * order in which an iteration makes them. */
static bool is_loaded(const struct chunk *c, int k) {
    const struct stream *s = &c->stream[k];
    bool written = false;
    for (int i = 0; i < c->naccesses; i++) {
        const struct access *a = &c->access[i];
        if (a->stream != k)
            continue;
        int64_t ahead = -stream_lag(s, a);
        written = written || a == s->anchor;
        if (!a->stored && (ahead > 0 || (ahead == 0 && !written)))
            return true;
    }
    return !s->anchor->stored;
}

/* Finds how far behind the anchor reads are, which registers keep from chunk to chunk; and whether
 * an access meets elements of other iterations in memory. */
static void find_tail(struct chunk *c, int k) {
    struct stream *s = &c->stream[k];
    bool certain[MAX_TAIL + 1] = {false};
    for (int i = 0; i < c->naccesses; i++) {
        const struct access *a = &c->access[i];
        int64_t lag = a->stream == k ? stream_lag(s, a) : 0;
        s->far = s->far || (a->stored ? lag != 0 : s->stored && lag > MAX_TAIL);
        if (a->stored || lag <= 0 || lag > MAX_TAIL)
            continue;
        certain[lag] = certain[lag] || a->certain;
        s->tail = (int)lag > s->tail ? (int)lag : s->tail;
    }
    for (int lag = 1; lag <= s->tail; lag++)
        s->guarded = s->guarded || !certain[lag];
}

/* Finds the streams, stores before loads, so that what is stored is held. */
static void collect_streams(struct gen *g, struct chunk *c) {
    for (int stored = 1; stored >= 0; stored--)
        for (int i = 0; i < c->naccesses; i++) {
            const struct access *a = &c->access[i];
            if (a->axis >= 0 && a->certain && a->stored == stored)
                add_stream(c, a);
        }
    for (int i = 0; i < c->naccesses; i++)
        for (int k = 0; k < c->nstreams; k++)
            if (is_of_stream(&c->access[i], c->stream[k].anchor)) {
                c->access[i].stream = k;
                c->stream[k].stored = c->stream[k].stored || c->access[i].stored;
            }
    for (int k = 0; k < c->nstreams; k++) {
        c->stream[k].loaded = is_loaded(c, k);
        find_tail(c, k);
    }
    int n = 0;
    for (int k = 0; k < c->nstreams; k++)
        if (is_settled(g, c, c->stream[k].anchor->place->operand))
            c->stream[n++] = c->stream[k];
    c->nstreams = n;
    find_rows_beside(g, c);
}

bool find_streams(struct gen *g, struct chunk *c, const struct pstmt *s) {
    struct survey v = {.g = g, .c = c, .set = NEWN(g->uc, bool, g->plan->nvars), .certain = true};
    *c = (struct chunk){.loop = s, .step = (int64_t)s->step->i, .set = v.set};
    if (s->step->kind != PV_CONST || (c->step != 1 && c->step != -1))
        return false;
    v.set[s->var->id] = true;
    survey(&v, s->body); /* finds what is assigned */
    c->naccesses = 0;
    struct survey again = v;
    again.certain = true;
    again.leaves = v.left;
    again.left = false;
    again.cost = 0;
    if (v.cost < g->chunk_body)
        survey(&again, s->body);
    bool stored = false;
    for (int i = 0; i < c->naccesses; i++)
        stored = stored || c->access[i].stored;
    if (v.cost < g->chunk_body && !(v.left && stored)) /* what a chunk holds would be lost */
        collect_streams(g, c);
    return c->nstreams > 0;
}
