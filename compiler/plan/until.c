/* until.c: ordered loops that are left at the first element of a kind, whatever they do before
 * that:
 *
 *     for i in 0..n { if x[i] > t { break }; s += x[i] }
 *
 * Where what they do does not decide when they are left, the least index at which they are is found
 * first, a total that threads can share, and the loop runs up to that: threads may then compute its
 * terms, or its points, as of a loop that is not left.  All of the elements that decide are read,
 * so only those may that are there whatever they say; and iterations are no more than arrays have
 * elements, as most of `for i in 0..10**12 { if i * i > t { break } … }` are never run.  search.c
 * has those that do nothing before. */
#include "apart.h"
#include "linear.h"

enum { UNTIL_DEPTH = 8, UNTIL_STATEMENTS = 64 };

/* A conditional on the way to where a loop is left, and the statements before it in its list. */
struct way {
    const struct pstmt *list, *at;
    bool other;                  /* it goes on where the condition does not hold */
    bool keep[UNTIL_STATEMENTS]; /* by place in the list: it decides */
};

struct until {
    struct lower *l;
    struct pstmt *block, *loop;
    struct way way[UNTIL_DEPTH];
    int n;
    const struct pstmt *last; /* the list that ends where it is left */
    bool *needed;             /* variables that decide, by number */
};

/* ---- where a loop is left */

static enum walk find_any_jump(const struct pstmt *s, void *count) {
    *(int *)count += s->kind == PS_LEAVE || s->kind == PS_BLOCK || s->kind == PS_LOOP;
    return WALK_IN;
}

/* Finds the way to where the block is left in a list. */
static bool find_way(struct until *x, const struct pstmt *list) {
    const struct pstmt *last = last_of(list);
    if (last != NULL && last->kind == PS_LEAVE && last->target == x->block) {
        x->last = list;
        return x->n > 0 && is_plain(list, last, true);
    }
    for (const struct pstmt *s = list; s != NULL && x->n < UNTIL_DEPTH; s = s->next) {
        for (int other = 0; other < 2 && s->kind == PS_IF; other++) {
            x->way[x->n++] = (struct way){.list = list, .at = s, .other = other};
            if (find_way(x, other ? s->other : s->body))
                return is_plain(list, s, true);
            x->n--;
        }
    }
    return false;
}

/* ---- what decides */

static enum walk add_needed(const struct pval *v, void *needed) {
    if (v->kind == PV_VAR)
        ((bool *)needed)[v->var->id] = true;
    return WALK_IN;
}

static enum walk find_needed(const struct pstmt *s, void *needed) {
    return s->var != NULL && ((const bool *)needed)[s->var->id] ? WALK_STOP : WALK_IN;
}

static enum walk find_put(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT ? WALK_STOP : WALK_IN;
}

/* Marks what decides of the statements before a conditional, the last ones first. */
static bool keep_deciding(struct until *x, struct way *w) {
    const struct pstmt *before[UNTIL_STATEMENTS];
    const struct plan_visitor sets = {.stmt = find_needed}, puts = {.stmt = find_put},
                              reads = {.value = add_needed};
    int n = 0;
    for (const struct pstmt *s = w->list; s != w->at; s = s->next) {
        if (n == UNTIL_STATEMENTS)
            return false;
        before[n++] = s;
    }
    value_walk(w->at->value, add_needed, x->needed);
    while (n-- > 0) {
        if (stmt_walk(before[n], &sets, x->needed))
            continue;
        if (!stmt_walk(before[n], &puts, NULL))
            return false;
        w->keep[n] = true;
        if (before[n]->kind == PS_SET)
            x->needed[before[n]->var->id] = false;
        stmt_walk(before[n], &reads, x->needed);
    }
    return true;
}

/* ---- the loop that looks for it */

/* Puts what decides behind one another, with `found` where the loop is left. */
static struct pstmt *deciding(const struct until *x, const struct copy *c, int i,
                              struct pstmt *found) {
    if (i == x->n)
        return found;
    const struct way *w = &x->way[i];
    struct pstmt *list = NULL, **end = &list;
    int n = 0;
    for (const struct pstmt *s = w->list; s != w->at; s = s->next, n++)
        if (w->keep[n]) {
            *end = copy_stmt(c, s);
            end = &(*end)->next;
        }
    *end = NEW(x->l->uc, struct pstmt);
    **end = (struct pstmt){.kind = PS_IF, .at = w->at->at};
    (*end)->value = copy_renamed(c, w->at->value);
    if (w->other)
        (*end)->value = value_not(x->l, (*end)->value);
    (*end)->body = deciding(x, c, i + 1, found);
    return list;
}

/* The loop with what decides alone; c: its copies. */
static struct pstmt *deciding_loop(const struct until *x, const struct copy *c,
                                   struct pstmt *found) {
    struct pstmt *loop = NEW(x->l->uc, struct pstmt);
    *loop = *x->loop;
    loop->next = NULL;
    loop->order = NULL;
    loop->body = deciding(x, c, 0, found);
    return loop;
}

/* A copy in which variables are those that it is made of. */
static struct copy same_variables(const struct until *x) {
    struct plan *p = x->l->plan;
    struct copy c = {.l = x->l, .vars = NEWN(x->l->uc, struct pvar *, p->nvars + 1)};
    for (struct pvar *v = p->vars; v != NULL; v = v->next)
        c.vars[v->id] = v;
    return c;
}

struct reading {
    const struct candidate *c;
    const struct plan *plan;
    uint32_t stored; /* by the loop, a bit each */
    struct pvar *index;
    bool counted; /* an element is one of the index */
};

static enum walk note_stored(const struct pstmt *s, void *stored) {
    if (s->kind == PS_PUT || s->kind == PS_CLEAR)
        *(uint32_t *)stored |= s->operand < 32 ? UINT32_C(1) << s->operand : 0;
    return WALK_IN;
}

/* Stops at an element that may not be there, or that the loop may change; notes one of the index.
 */
static enum walk find_unknown(const struct pval *v, void *arg) {
    struct reading *x = arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    if (v->operand >= x->plan->noperands || v->operand >= 32 || x->stored >> v->operand & 1)
        return WALK_STOP;
    for (int i = 0; i < v->nargs; i++)
        if (!is_always_within(x->c, v->args[i], x->plan->operands[v->operand].dims[i]))
            return WALK_STOP;
    for (int i = 0; i < v->nargs; i++)
        x->counted = x->counted || !value_walk(v->args[i], find_variable, x->index);
    return WALK_IN;
}

/* Is the loop's index below the size of an array? */
static bool is_below_size(const struct reading *x) {
    const struct pval index = {.kind = PV_VAR, .dtype = DT_INT64, .var = x->index};
    for (int k = 0; k < x->plan->noperands; k++)
        for (int i = 0; i < x->plan->operands[k].rank; i++)
            if (is_always_within(x->c, &index, x->plan->operands[k].dims[i]))
                return true;
    return false;
}

static bool read_known(struct reading *r, struct lower *l, struct pstmt *deciding,
                       const struct pstmt *loop) {
    struct sharer own = {.uc = l->uc, .plan = l->plan};
    own.mentions = count_mentions(l->uc, l->plan, deciding);
    *r = (struct reading){
        .c = find_candidate(&own, deciding), .plan = l->plan, .index = deciding->var};
    plan_walk(loop->body, &(struct plan_visitor){.stmt = note_stored}, &r->stored);
    return r->c != NULL &&
           plan_walk(deciding->body, &(struct plan_visitor){.value = find_unknown}, r);
}

bool reads_exist(struct lower *l, struct pstmt *deciding, const struct pstmt *loop) {
    struct reading r;
    return read_known(&r, l, deciding, loop);
}

bool exist_on(struct lower *l, struct pstmt *deciding, const struct pstmt *loop) {
    struct reading r;
    return read_known(&r, l, deciding, loop) && (r.counted || is_below_size(&r));
}

/* Do indices, and what the loop leaves alone, decide when it is left? */
static bool is_decided_before(struct until *x) {
    const struct plan *p = x->l->plan;
    x->needed = NEWN(x->l->uc, bool, p->nvars + 1);
    for (int i = x->n; i-- > 0;)
        if (!keep_deciding(x, &x->way[i]))
            return false;
    const bool *written = find_written(x->l->uc, p, x->loop->body);
    x->needed[x->loop->var->id] = false;
    for (int i = 0; i < p->nvars; i++)
        if (x->needed[i] && written[i])
            return false;
    const struct copy same = same_variables(x);
    return exist_on(x->l, deciding_loop(x, &same, NULL), x->loop);
}

static bool match(struct until *x, struct lower *l, struct pstmt *block) {
    *x = (struct until){.l = l, .block = block};
    int inner = 0, all = 0;
    struct pstmt *s = block->body;
    while (s != NULL && s->kind != PS_FOR && is_plain(s, s->next, true))
        s = s->next;
    if (s == NULL || s->kind != PS_FOR || s->accs != NULL || s->step->kind != PV_CONST ||
        s->step->i == 0 || !is_plain(s->next, NULL, true))
        return false;
    x->loop = s;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_any_jump}, &inner);
    plan_walk(block->body, &(struct plan_visitor){.stmt = find_any_jump}, &all);
    return inner == 1 && all == 1 && find_way(x, s->body) && is_decided_before(x);
}

/* ---- what they become */

/* Takes out of a list of the loop where it is left. */
static void stay_in(const struct until *x, struct pstmt **list, int i) {
    while (*list != x->way[i].at)
        list = &(*list)->next;
    struct pstmt *s = *list, **branch = x->way[i].other ? &s->other : &s->body;
    if (i + 1 < x->n)
        stay_in(x, branch, i + 1);
    else
        *branch = NULL;
    if (s->body == NULL && s->other != NULL) {
        s->value = value_not(x->l, s->value);
        s->body = s->other;
        s->other = NULL;
    }
    if (s->body == NULL && s->other == NULL)
        *list = s->next;
}

/* Emits what the iteration at which the loop is left does. */
static void emit_last(const struct until *x, struct copy *c) {
    for (int i = 0; i <= x->n; i++) {
        const struct pstmt *s = i < x->n ? x->way[i].list : x->last,
                           *end = i < x->n ? x->way[i].at : last_of(s);
        for (; s != end; s = s->next) {
            *x->l->end = copy_stmt(c, s);
            x->l->end = &(*x->l->end)->next;
        }
    }
}

static struct pstmt *leave_early(struct until *x) {
    struct lower *l = x->l;
    struct pstmt *loop = x->loop, *behind = loop->next, *list = x->block->body, **end = &list;
    struct pstmt **outer = l->end, *found = NULL, *last = NULL;
    struct span at = loop->at;
    bool up = (int64_t)loop->step->i > 0;
    struct pval *none = plan_number(l->uc, up ? INT64_MAX : INT64_MIN);
    struct variable *first = variable_new(l, "first", DT_INT64),
                    *index = variable_new(l, loop->var->name, DT_INT64);
    enum builtin_id nearer = up ? B_MIN : B_MAX;
    struct copy own = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    struct copy c = same_variables(x);
    own.vars[loop->var->id] = &index->pvar;
    l->end = &found;
    struct pval *const least[] = {plan_read(l->uc, &first->pvar), plan_read(l->uc, &index->pvar)};
    emit_set(l, first, value_call(l, nearer, DT_INT64, 2, least), at);
    struct pstmt *search = deciding_loop(x, &own, found);
    search->var = &index->pvar;
    l->end = &last;
    c.vars[loop->var->id] = emit_temporary(l, "index", plan_read(l->uc, &first->pvar), at)->var;
    struct pstmt *const set = last;
    emit_last(x, &c);
    while (*end != loop)
        end = &(*end)->next;
    l->end = end;
    emit_set(l, first, none, at);
    *l->end = search;
    stay_in(x, &loop->body, 0);
    struct pval *const bounds[] = {loop->hi, plan_read(l->uc, &first->pvar)};
    loop->hi = value_call(l, nearer, DT_INT64, 2, bounds);
    loop->end = &first->pvar;
    loop->next = NULL;
    search->next = loop;
    l->end = &loop->next;
    if (set->next != NULL || behind != NULL) {
        struct pstmt *test = stmt_emit(l, PS_IF, at);
        test->value = value_op(l, set->next != NULL ? OP_NE : OP_EQ, DT_BOOL,
                               plan_read(l->uc, &first->pvar), none);
        test->body = set->next != NULL ? last : behind;
        test->other = set->next != NULL ? behind : NULL;
    }
    l->end = outer;
    return list;
}

struct pstmt *leave_at_element(struct lower *l, struct pstmt *block, bool replaces) {
    struct until x;
    if (!match(&x, l, block))
        return NULL;
    return replaces ? leave_early(&x) : block;
}
