/* until_state.c: ordered loops that are left where what they go on with says so:
 *
 *     for i in 0..n { s += x[i]; if s > t { k = i; break } }
 *
 * Where a scan finds the states that decide (compose.c), a loop that goes on with copies of these
 * to the end finds the least index at which the first one is left.  That loop then runs up to
 * there, unless the iteration that leaves it does all that is needed.  until.c has those of which
 * indices and elements alone decide. */
#include "apart.h"
#include "form.h"
#include "total.h"

struct until_state {
    struct lower *l;
    struct pstmt *loop; /* in a block, behind plain statements, and before some */
    const bool *needed; /* by variable: it is read behind the block */
};

/* ---- where the loop is left */

static enum walk count_jump(const struct pstmt *s, void *count) {
    *(int *)count += s->kind == PS_LEAVE || s->kind == PS_BLOCK || s->kind == PS_LOOP;
    return WALK_IN;
}

static bool ends_with_jump(const struct pstmt *list) {
    const struct pstmt *last = last_of(list);
    return last != NULL && last->kind == PS_LEAVE;
}

/* The conditional of a list, or of one in it, whose body, or other list, ends with a jump; NULL:
 * there is none. */
static struct pstmt *find_left(struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind != PS_IF)
            continue;
        if (ends_with_jump(s->body) || ends_with_jump(s->other))
            return s;
        struct pstmt *found = find_left(s->body);
        if (found == NULL)
            found = find_left(s->other);
        if (found != NULL)
            return found;
    }
    return NULL;
}

/* The same in a copy, whose body ends so. */
static struct pstmt *left_in_body(struct lower *l, struct pstmt *list) {
    struct pstmt *s = find_left(list);
    if (!ends_with_jump(s->body)) {
        struct pstmt *other = s->other;
        s->other = s->body;
        s->body = other;
        s->value = value_not(l, s->value);
    }
    return s;
}

/* Has a list be what the iteration does that leaves the loop. */
static bool keep_way(struct pstmt **at) {
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        if (s->kind == PS_LEAVE) {
            *at = NULL;
            return true;
        }
        struct pstmt **branch = s->kind != PS_IF      ? NULL
                                : keep_way(&s->body)  ? &s->body
                                : keep_way(&s->other) ? &s->other
                                                      : NULL;
        if (branch != NULL) {
            *at = *branch;
            return true;
        }
    }
    return false;
}

/* ---- what is needed */

static struct slicing slicing_of(const struct until_state *x, const bool *live, uint32_t puts) {
    struct slicing s = {.uc = x->l->uc, .nvars = x->l->plan->nvars, .puts = puts};
    s.live = NEWN(s.uc, bool, s.nvars + 1);
    for (int i = 0; i < s.nvars; i++)
        s.live[i] = live[i];
    return s;
}

/* What of a list is needed if it is run again and again, and some variables are behind; live:
 * becomes those that are before it, too. */
static struct pstmt *slice_again(const struct until_state *x, const struct pstmt *list, bool *live,
                                 uint32_t puts) {
    for (;;) {
        struct slicing s = slicing_of(x, live, puts);
        struct pstmt *needed = slice_of(&s, list);
        bool grows = false;
        for (int i = 0; i < s.nvars; i++) {
            grows = grows || (s.live[i] && !live[i]);
            live[i] = live[i] || s.live[i];
        }
        if (!grows)
            return needed;
    }
}

/* Marks what is read before it is set by a list that comes before what is needed. */
static void add_live(const struct until_state *x, const struct pstmt *list, bool *live) {
    struct slicing s = slicing_of(x, x->needed, UINT32_MAX);
    slice_of(&s, list);
    for (int i = 0; i < s.nvars; i++)
        live[i] = live[i] || s.live[i];
}

/* Has conditionals do something where they hold. */
static void invert(struct lower *l, struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        if (s->kind == PS_IF && s->body == NULL) {
            s->value = value_not(l, s->value);
            s->body = s->other;
            s->other = NULL;
        }
        invert(l, s->body);
        invert(l, s->other);
    }
}

static struct pstmt *copy_list(const struct until_state *x, const struct pstmt *list) {
    return copy_statements(x->l->uc, list, NULL, NULL, NULL);
}

/* ---- the loops */

static struct pstmt *loop_with(const struct until_state *x, struct pstmt *body) {
    struct pstmt *s = NEW(x->l->uc, struct pstmt);
    *s = *x->loop;
    s->next = NULL;
    s->order = NULL;
    s->body = body;
    return s;
}

static struct pvar *own_variable(struct lower *l, const struct pvar *v) {
    struct variable *own = variable_new(l, v->name, v->dtype);
    own->pvar.rounds = v->rounds;
    own->below = ((const struct variable *)(const void *)v)->below;
    return &own->pvar;
}

/* Has what an iteration does that does not leave the loop be behind the conditional. */
static void go_on(struct pstmt *left) {
    struct pstmt **behind = &left->other;
    while (*behind != NULL)
        behind = &(*behind)->next;
    *behind = left->next;
    left->next = left->other;
    left->other = left->body = NULL;
}

/* What the search does: an iteration up to where it is left, and what it goes on with, as if it
 * never was. */
static struct pstmt *searching(const struct until_state *x, struct variable *first) {
    struct lower *l = x->l;
    bool up = (int64_t)x->loop->step->i > 0;
    struct pstmt *body = copy_list(x, x->loop->body), *left = left_in_body(l, body);
    struct pstmt **end = l->end;
    struct pval *const both[] = {plan_read(l->uc, &first->pvar), plan_read(l->uc, x->loop->var)};
    go_on(left);
    l->end = &left->body;
    emit_set(l, first, value_call(l, up ? B_MIN : B_MAX, DT_INT64, 2, both), x->loop->at);
    l->end = end;
    return body;
}

/* Does what the search reads exist, whatever its states are? */
static bool reads_there(const struct until_state *x, struct pstmt *body, const bool *sets) {
    struct lower *l = x->l;
    struct pstmt *list = NULL, **end = l->end;
    l->end = &list;
    for (struct pvar *v = l->plan->vars; v != NULL; v = v->next)
        if (sets[v->id])
            emit_set(l, (struct variable *)(void *)v, value_zero(l, v->dtype), x->loop->at);
    *l->end = body;
    l->end = end;
    return exist_on(l, loop_with(x, list), x->loop);
}

/* Emits the loop that looks for the first iteration which leaves it, with states of its own; gives
 * where it is.  NULL: it would read what is not there, or is no plain list. */
static struct pstmt **emit_search(const struct until_state *x, struct variable *first) {
    struct lower *l = x->l;
    struct pstmt *body = searching(x, first), *loop;
    if (!is_sliceable(body))
        return NULL;
    int nvars = l->plan->nvars;
    bool *live = NEWN(l->uc, bool, nvars + 1);
    live[first->pvar.id] = true;
    body = slice_again(x, body, live, 0);
    invert(l, body);
    loop = loop_with(x, body);
    bool *sets = find_written(l->uc, l->plan, body);
    if (sets[x->loop->var->id] || !reads_there(x, body, sets))
        return NULL;
    sets[first->pvar.id] = false;
    sets[x->loop->var->id] = true;
    struct copy own = {.l = l, .vars = NEWN(l->uc, struct pvar *, nvars + 1)};
    for (struct pvar *v = l->plan->vars; v != NULL && v->id < nvars; v = v->next) {
        own.vars[v->id] = sets[v->id] ? own_variable(l, v) : v;
        if (sets[v->id] && v != x->loop->var && live[v->id])
            emit_set(l, (struct variable *)(void *)own.vars[v->id], plan_read(l->uc, v),
                     x->loop->at);
    }
    struct pstmt **at = l->end;
    *at = copy_stmt(&own, loop);
    l->end = &(*at)->next;
    return at;
}

/* Emits the loop up to there, if something that it does is needed; gives where it is, or NULL. */
static struct pstmt **emit_before(const struct until_state *x, struct variable *first, bool *live) {
    struct lower *l = x->l;
    bool up = (int64_t)x->loop->step->i > 0;
    struct pstmt *body = copy_list(x, x->loop->body);
    go_on(left_in_body(l, body));
    body = slice_again(x, body, live, UINT32_MAX);
    if (body == NULL)
        return NULL;
    invert(l, body);
    struct pstmt *loop = loop_with(x, body);
    struct pval *const bounds[] = {loop->hi, plan_read(l->uc, &first->pvar)};
    loop->hi = value_call(l, up ? B_MIN : B_MAX, DT_INT64, 2, bounds);
    loop->end = &first->pvar;
    struct pstmt **at = l->end;
    *at = loop;
    l->end = &loop->next;
    return at;
}

/* Has the loop run to the end, and do nothing from there on.  False: it may not be composed. */
static bool run_on(const struct until_state *x, struct pstmt **at, struct variable *first) {
    struct lower *l = x->l;
    struct pstmt *loop = *at, *test = NEW(l->uc, struct pstmt);
    bool up = (int64_t)loop->step->i > 0;
    *test = (struct pstmt){.kind = PS_IF, .at = loop->at, .body = loop->body};
    test->value = value_op(l, up ? OP_LT : OP_GT, DT_BOOL, plan_read(l->uc, loop->var),
                           plan_read(l->uc, &first->pvar));
    loop->body = test;
    loop->hi = x->loop->hi;
    loop->end = NULL;
    return may_compose(l, at);
}

/* Emits what comes then: what the iteration that is left does, or what is behind the loop. */
static void emit_behind(const struct until_state *x, struct variable *first, struct pval *none,
                        const struct pstmt *last) {
    struct lower *l = x->l;
    struct span at = x->loop->at;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    for (struct pvar *v = l->plan->vars; v != NULL; v = v->next)
        c.vars[v->id] = v;
    struct pstmt *test = stmt_emit(l, PS_IF, at), **end = l->end;
    test->value = value_op(l, OP_NE, DT_BOOL, plan_read(l->uc, &first->pvar), none);
    test->other = x->loop->next;
    l->end = &test->body;
    c.vars[x->loop->var->id] = emit_temporary(l, "index", plan_read(l->uc, &first->pvar), at)->var;
    for (; last != NULL; last = last->next) {
        *l->end = copy_stmt(&c, last);
        l->end = &(*l->end)->next;
    }
    l->end = end;
}

/* ---- the block */

/* The one loop that a block has, which alone has a jump, that leaves it; NULL: it is another one.
 */
static struct pstmt *match(const struct pstmt *block) {
    int jumps = 0;
    struct pstmt *s = block->body;
    while (s != NULL && s->kind != PS_FOR && is_plain(s, s->next, true))
        s = s->next;
    plan_walk(block->body, &(struct plan_visitor){.stmt = count_jump}, &jumps);
    if (s == NULL || s->kind != PS_FOR || s->accs != NULL || s->step->kind != PV_CONST ||
        ((int64_t)s->step->i != 1 && (int64_t)s->step->i != -1) || jumps != 1 ||
        !is_plain(s->next, NULL, true))
        return NULL;
    const struct pstmt *left = find_left(s->body), *jump = NULL;
    if (left != NULL)
        jump = last_of(ends_with_jump(left->body) ? left->body : left->other);
    return jump != NULL && jump->target == block ? s : NULL;
}

/* Which variables a list mentions. */
static bool *find_mentioned(struct lower *l, const struct pstmt *list) {
    const int *mentions = count_mentions(l->uc, l->plan, list);
    bool *is = NEWN(l->uc, bool, l->plan->nvars + 1);
    for (int i = 0; i < l->plan->nvars; i++)
        is[i] = mentions[i] > 0;
    return is;
}

/* Replaces the block at *at, whose copy is `block`.  False: it may not be. */
static bool replace(struct until_state *x, struct pstmt **at, struct pstmt *block) {
    struct lower *l = x->l;
    bool up = (int64_t)x->loop->step->i > 0;
    struct pstmt *next = (*at)->next, *behind = x->loop->next, **end = &block->body;
    struct pstmt *last = copy_list(x, x->loop->body);
    struct variable *first = variable_new(l, "first", DT_INT64);
    struct pval *none = plan_number(l->uc, up ? INT64_MAX : INT64_MIN);
    bool *live = find_mentioned(l, next);
    keep_way(&last);
    if (!is_sliceable(last) || !is_sliceable(behind))
        return false;
    x->needed = find_mentioned(l, next);
    add_live(x, last, live);
    add_live(x, behind, live);
    struct slicing s = slicing_of(x, x->needed, UINT32_MAX);
    last = slice_of(&s, last);
    invert(l, last);
    while (*end != x->loop)
        end = &(*end)->next;
    l->end = end;
    emit_set(l, first, none, x->loop->at);
    struct pstmt **search = emit_search(x, first);
    if (search == NULL)
        return false;
    struct pstmt **before = emit_before(x, first, live);
    emit_behind(x, first, none, last);
    *l->end = next;
    *at = block->body;
    return may_compose(l, search) &&
           (before == NULL || has_loop_totals(l, *before) || run_on(x, before, first));
}

bool leave_at_state(struct lower *l, struct pstmt **at, bool replaces) {
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct pstmt *block = *at, **end = l->end;
    struct pvar **vars_end = variables_end(l);
    int nvars = l->plan->nvars;
    if (block->kind != PS_BLOCK || match(block) == NULL)
        return false;
    for (struct pvar *v = l->plan->vars; v != NULL; v = v->next)
        c.vars[v->id] = v;
    struct pstmt *own = copy_stmt(&c, block);
    struct until_state x = {.l = l, .loop = match(own)};
    bool is = replace(&x, at, own);
    l->end = end;
    if (is && replaces)
        return true;
    *at = block;
    l->vars_end = vars_end;
    *vars_end = NULL;
    l->plan->nvars = nvars;
    return is;
}
