/* search.c: ordered loops that are left at the first element of a kind, and do nothing before that:
 *
 *     for k in 0..n { if x[k] >= t { at = k; break } }
 *
 * Which iteration that is, is the least index of all iterations whose condition holds, a total that
 * threads can share; what that iteration does is then done once.  So all of the elements are read:
 * the condition may read those alone that are there whatever it says.  A `while` that counts up to
 * an end becomes one over a range, of which it is known how often it runs at most. */
#include "apart.h"
#include "linear.h"

enum { MAX_SEARCHED = 3, MAX_KNOWN = 8 };

struct search {
    struct lower *l;
    const struct enclosing *around;
    struct pstmt *block;                    /* which it leaves, and ends */
    const struct pstmt *loop[MAX_SEARCHED]; /* in one another, the outer ones first */
    int n;
    const struct pstmt *found; /* the PS_IF that leaves them */
};

/* ---- which loops */

static enum walk find_leave_of(const struct pstmt *s, void *block) {
    return s->kind == PS_LEAVE && s->target == block ? WALK_STOP : WALK_IN;
}

bool is_plain(const struct pstmt *list, const struct pstmt *end, bool stores) {
    for (; list != end; list = list->next) {
        bool branches = list->kind == PS_IF && is_plain(list->body, NULL, stores) &&
                        is_plain(list->other, NULL, stores);
        if (!branches && list->kind != PS_SET && !(stores && list->kind == PS_PUT))
            return false;
    }
    return true;
}

const struct pstmt *last_of(const struct pstmt *list) {
    while (list != NULL && list->next != NULL)
        list = list->next;
    return list;
}

/* Does a list do nothing but compute, also by reductions and loops over ranges that nothing else
 * than they themselves leaves? */
static bool computes(const struct pstmt *list, const struct pstmt *end,
                     const struct blocks *within) {
    for (; list != end; list = list->next) {
        const struct blocks own = {list, within}, *in = within;
        bool reduces = list->kind == PS_SPREAD && list->accs != NULL && !list->merged;
        while (list->kind == PS_LEAVE && in != NULL && in->block != list->target)
            in = in->outer;
        if (list->kind == PS_LEAVE ? in == NULL
                                   : list->kind != PS_SET && list->kind != PS_IF &&
                                         list->kind != PS_FOR && list->kind != PS_BLOCK && !reduces)
            return false;
        const struct blocks *inner = list->kind == PS_BLOCK ? &own : within;
        if (!computes(list->body, NULL, inner) || !computes(list->other, NULL, inner))
            return false;
    }
    return true;
}

/* Matches a loop, and those in it, whose last statement leaves the block. */
static bool match_loops(struct search *x, const struct pstmt *loop) {
    const struct pstmt *last = last_of(loop->body), *leave;
    if (x->n == MAX_SEARCHED || loop->step->kind != PV_CONST || loop->step->i == 0 ||
        last == NULL || !computes(loop->body, last, NULL))
        return false;
    x->loop[x->n++] = loop;
    if (last->kind == PS_FOR)
        return match_loops(x, last);
    leave = last_of(last->body);
    x->found = last;
    return last->kind == PS_IF && last->other == NULL && leave != NULL && leave->kind == PS_LEAVE &&
           leave->target == x->block && is_plain(last->body, leave, true);
}

/* Can a number stand for the indices of all loops? */
static bool are_counted(const struct search *x) {
    struct sharer own = {.uc = x->l->uc, .plan = x->l->plan};
    struct points outer = {.n = 0};
    for (int i = 0; i < x->n && x->n > 1; i++) {
        const struct pstmt *s = x->loop[i];
        if (s->lo->kind != PV_CONST || s->lo->i != 0 || s->step->i != 1 ||
            !is_rectangular(&own, &outer, x->loop[0]->body, s))
            return false;
        outer.loop[outer.n++] = s;
    }
    return true;
}

/* What a search has for its accesses: an iteration without what it does where it is found. */
static struct candidate *candidate_of(const struct search *x) {
    struct uc *uc = x->l->uc;
    struct pstmt *list = NULL;
    for (int i = x->n; i-- > 0;) {
        struct pstmt *loop = NEW(uc, struct pstmt), **end = &loop->body;
        const struct pstmt *last = last_of(x->loop[i]->body);
        *loop = *x->loop[i];
        loop->next = NULL;
        *end = copy_statements(uc, x->loop[i]->body, last, NULL, NULL);
        while (*end != NULL)
            end = &(*end)->next;
        if (list == NULL) {
            list = NEW(uc, struct pstmt);
            *list = *x->found;
            list->next = list->body = NULL;
        }
        *end = list;
        list = loop;
    }
    struct sharer own = {.uc = uc, .plan = x->l->plan, .around = x->around};
    own.mentions = count_mentions(uc, x->l->plan, list);
    return find_candidate(&own, list);
}

struct accessing {
    const struct candidate *c;
    const struct plan *plan;
    bool *subscripts; /* by variable: a subscript mentions it */
};

static enum walk note_variable(const struct pval *v, void *mentioned) {
    if (v->kind == PV_VAR)
        ((bool *)mentioned)[v->var->id] = true;
    return WALK_IN;
}

/* Stops at a loop whose index no subscript has: there may be far more iterations than elements. */
static enum walk find_empty_loop(const struct pstmt *s, void *arg) {
    const struct accessing *x = arg;
    bool ranges = s->kind != PS_FOR || x->subscripts[s->var->id];
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        ranges = ranges && x->subscripts[r->var->id];
    return ranges ? WALK_IN : WALK_STOP;
}

static enum walk find_outside(const struct pval *v, void *arg) {
    const struct accessing *x = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (v->operand >= x->plan->noperands ||
            !is_always_within(x->c, v->args[i], x->plan->operands[v->operand].dims[i]))
            return WALK_STOP;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        value_walk(v->args[i], note_variable, x->subscripts);
    return WALK_IN;
}

/* Whether all iterations may be computed: what they set is their own, what they read is there, and
 * they are no more than arrays have elements. */
static bool may_be_computed(const struct search *x) {
    const struct plan *p = x->l->plan;
    struct accessing a = {candidate_of(x), p, NEWN(x->l->uc, bool, p->nvars + 1)};
    const struct pstmt *loop = x->loop[0];
    const bool *sets = find_written(x->l->uc, p, loop->body);
    const int *in = count_mentions(x->l->uc, p, loop->body),
              *all = count_mentions(x->l->uc, p, p->body);
    if (a.c == NULL)
        return false;
    for (int i = 0; i < p->nvars; i++) /* what is found may set variables that others read */
        if (sets[i] && a.c->written[i] && in[i] != all[i])
            return false;
    for (int i = 0; i < x->n; i++)
        for (const struct pstmt *s = x->loop[i]->body; s != last_of(x->loop[i]->body); s = s->next)
            if (!stmt_walk(s, &(struct plan_visitor){.value = find_outside}, &a))
                return false;
    return value_walk(x->found->value, find_outside, &a) &&
           stmt_walk(x->loop[0], &(struct plan_visitor){.stmt = find_empty_loop}, &a);
}

/* Matches a block that a search ends, behind which only plain statements are. */
static bool match(struct search *x, struct lower *l, const struct enclosing *around,
                  struct pstmt *block) {
    *x = (struct search){.l = l, .around = around, .block = block};
    const struct pstmt *s = block->body;
    const struct plan_visitor leaves = {.stmt = find_leave_of};
    while (s != NULL && stmt_walk(s, &leaves, block))
        s = s->next;
    return s != NULL && s->kind == PS_FOR && match_loops(x, s) && is_plain(s->next, NULL, true) &&
           are_counted(x) && may_be_computed(x);
}

/* ---- what they become */

static struct pval *read(struct lower *l, struct pvar *var) {
    return plan_read(l->uc, var);
}

/* Emits the loops from number i on, which take the first index at which it is found. */
static void emit_loops(const struct search *x, int i, struct variable *first, bool up) {
    struct lower *l = x->l;
    struct pstmt *loop = stmt_emit(l, PS_FOR, x->loop[i]->at), **end = l->end;
    const struct pstmt *from = x->loop[i], *last = last_of(from->body);
    *loop = *from;
    loop->next = NULL;
    loop->body = copy_statements(l->uc, from->body, last, NULL, NULL);
    l->end = &loop->body;
    while (*l->end != NULL)
        l->end = &(*l->end)->next;
    if (i + 1 < x->n) {
        emit_loops(x, i + 1, first, up);
    } else {
        struct pstmt *test = stmt_emit(l, PS_IF, x->found->at);
        struct pval *at = read(l, x->loop[0]->var);
        for (int k = 1; k < x->n; k++)
            at = value_op(l, OP_ADD, DT_INT64, value_op(l, OP_MUL, DT_INT64, at, x->loop[k]->hi),
                          read(l, x->loop[k]->var));
        test->value = x->found->value;
        l->end = &test->body;
        emit_set(l, first,
                 value_call(l, up ? B_MIN : B_MAX, DT_INT64, 2,
                            (struct pval *const[]){read(l, &first->pvar), at}),
                 test->at);
    }
    l->end = end;
}

/* A copy with the indices of the iteration that was found, and variables of its own for what all
 * iterations set. */
static struct copy copy_found(const struct search *x, struct variable *first) {
    struct lower *l = x->l;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    const bool *own = candidate_of(x)->written;
    int nvars = l->plan->nvars;
    for (struct pvar *v = l->plan->vars; v != NULL && v->id < nvars; v = v->next)
        c.vars[v->id] = own[v->id] ? NULL : v;
    struct pval *at = read(l, &first->pvar);
    for (int i = x->n; i-- > 1;) {
        struct pval *size = x->loop[i]->hi;
        struct pval *index = value_op(l, OP_MOD, DT_INT64, at, size);
        c.vars[x->loop[i]->var->id] = emit_temporary(l, "index", index, x->found->at)->var;
        at = value_op(l, OP_FLOORDIV, DT_INT64, at, size);
    }
    c.vars[x->loop[0]->var->id] = emit_temporary(l, "index", at, x->found->at)->var;
    return c;
}

/* Does what is done where it is found have variables that the iterations set before? */
static bool needs_iteration(const struct search *x) {
    const struct plan *p = x->l->plan;
    const int *found = count_mentions(x->l->uc, p, x->found->body);
    for (int i = 0; i < x->n; i++) {
        struct pstmt *own =
            copy_statements(x->l->uc, x->loop[i]->body, last_of(x->loop[i]->body), NULL, NULL);
        const bool *sets = find_written(x->l->uc, p, own);
        for (int k = 0; k < p->nvars; k++)
            if (sets[k] && found[k] > 0)
                return true;
    }
    return false;
}

/* What the block becomes. */
static struct pstmt *search(const struct search *x) {
    struct lower *l = x->l;
    struct pstmt *list = x->block->body, **end = &list, **around = l->end;
    struct span at = x->loop[0]->at;
    bool up = (int64_t)x->loop[0]->step->i > 0;
    while (*end != x->loop[0])
        end = &(*end)->next;
    l->end = end;
    struct variable *first = variable_new(l, "first", DT_INT64);
    struct pval *none = plan_number(l->uc, up ? INT64_MAX : INT64_MIN);
    struct pstmt *behind = x->loop[0]->next;
    emit_set(l, first, none, at);
    emit_loops(x, 0, first, up);
    struct pstmt *test = stmt_emit(l, PS_IF, at), **last = l->end;
    test->value = value_op(l, OP_NE, DT_BOOL, read(l, &first->pvar), none);
    test->other = behind;
    l->end = &test->body;
    struct copy c = copy_found(x, first);
    for (int i = needs_iteration(x) ? 0 : x->n; i <= x->n; i++) {
        const struct pstmt *s = i < x->n ? x->loop[i]->body : x->found->body;
        for (const struct pstmt *stop = last_of(s); s != stop; s = s->next) {
            *l->end = copy_stmt(&c, s);
            l->end = &(*l->end)->next;
        }
    }
    *last = NULL;
    l->end = around;
    return list;
}

/* ---- those that count */

static enum walk find_changing(const struct pval *v, void *sets) {
    bool changes = v->kind == PV_ELEM || (v->kind == PV_VAR && ((const bool *)sets)[v->var->id]);
    return changes ? WALK_STOP : WALK_IN;
}

/* `while k < n and … { …; k += 1 }`, or with `if … { break }` in it; or `while k > n { …; k -= 1
 * }`.
 */
struct counting {
    struct pvar *k;
    struct pval *lo, *hi;
    bool down;
    const struct pstmt *list, *end;     /* what an iteration does before */
    struct pval *value;                 /* what tells whether the loop ends; NULL: nothing but k */
    bool leaves;                        /* where it holds; else where it does not, */
    const struct pstmt *found;          /* and what is done then, up to a PS_LEAVE; NULL: nothing */
    const struct pstmt *behind, *count; /* what is done else, up to where k counts */
};

/* Is s k's count? */
static bool is_count(const struct counting *x, const struct pstmt *s) {
    const struct pval *v = s->kind == PS_SET && s->var == x->k ? s->value : NULL;
    enum op op = x->down ? OP_SUB : OP_ADD;
    return v != NULL && v->kind == PV_OP && v->op == op && v->args[0]->kind == PV_VAR &&
           v->args[0]->var == x->k && v->args[1]->kind == PV_CONST && v->args[1]->i == 1;
}

/* Does a list end with that?  It is what is done where the loop goes on, then. */
static bool counts(struct counting *x, const struct pstmt *list) {
    x->behind = list;
    x->count = last_of(list);
    return x->count != NULL && is_count(x, x->count);
}

static bool is_leave(const struct pstmt *s, const struct pstmt *block) {
    return s != NULL && s->kind == PS_LEAVE && s->target == block;
}

/* Is v whether a variable is before an end that stays? */
static bool is_end(struct lower *l, struct counting *x, const struct pval *v, bool *sets) {
    bool up = v->kind == PV_OP && v->op == OP_LT, from = v->kind == PV_OP && v->op == OP_GE;
    if ((!up && !from && !(v->kind == PV_OP && v->op == OP_GT)) || v->args[0]->kind != PV_VAR ||
        v->args[0]->dtype != DT_INT64 || !value_walk(v->args[1], find_changing, sets) ||
        (from && v->args[1]->kind != PV_CONST))
        return false;
    x->k = v->args[0]->var;
    x->down = !up;
    x->hi = from ? plan_number(l->uc, (int64_t)v->args[1]->i - 1) : v->args[1];
    return true;
}

/* Is a variable surely false behind a list up to `end` whose first statement asks for the end, and
 * finds that it is there? */
static bool is_false(const struct pstmt *list, const struct pstmt *end, const struct pvar *var) {
    const struct pvar *known[MAX_KNOWN] = {list->var};
    int n = 1;
    for (list = list->next; list != end; list = list->next) {
        int from = 0, to = 0;
        const struct pval *v = list->value;
        while (from < n && !(v->kind == PV_VAR && v->var == known[from]))
            from++;
        while (to < n && known[to] != list->var)
            to++;
        if ((list->kind == PS_IF && (from == n || list->other != NULL)) || to == MAX_KNOWN)
            return false;
        if (list->kind != PS_SET || (from == n) == (to == n))
            continue;
        if (from == n) /* it is anything */
            known[to] = known[--n];
        else
            known[n++] = list->var;
    }
    while (n > 0 && known[n - 1] != var)
        n--;
    return n > 0;
}

/* Matches an iteration that the condition of the loop ends. */
static bool match_condition(struct lower *l, struct counting *x, const struct pstmt *s,
                            const struct pstmt *block, bool *sets) {
    const struct pstmt *test = last_of(s);
    x->list = s;
    x->end = test;
    x->value = test->value;
    return s->kind == PS_SET && s != test && test->kind == PS_IF && is_end(l, x, s->value, sets) &&
           is_plain(s, test, false) && test->value->kind == PV_VAR &&
           is_false(s, test, test->value->var) && counts(x, test->body) &&
           is_leave(test->other, block);
}

/* The same of a condition that needs no statements. */
static bool match_plainly(struct lower *l, struct counting *x, const struct pstmt *s,
                          const struct pstmt *block, bool *sets) {
    if (s->kind != PS_IF || s->next != NULL || !is_leave(s->other, block))
        return false;
    struct pval *v = s->value;
    if (is_end(l, x, v, sets))
        return counts(x, s->body);
    for (int i = 0; i < 2 && v->kind == PV_OP && v->op == OP_LAND; i++) {
        x->value = v->args[1 - i];
        if (is_end(l, x, v->args[i], sets) && counts(x, s->body))
            return true;
    }
    return false;
}

/* The same where its body asks that. */
static bool match_break(struct lower *l, struct counting *x, const struct pstmt *s,
                        const struct pstmt *block, bool *sets) {
    const struct pstmt *test = last_of(s->body);
    if (s->kind != PS_IF || s->next != NULL || test == NULL || test->kind != PS_IF ||
        !is_leave(s->other, block) || !is_end(l, x, s->value, sets))
        return false;
    x->list = s->body;
    x->end = test;
    x->value = test->value;
    x->leaves = true;
    x->found = test->body;
    return counts(x, test->other) && is_leave(last_of(test->body), block);
}

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->var == var ? WALK_STOP : WALK_IN;
}

static enum walk find_size(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

/* Matches a block of a list that is such a loop. */
static bool match_counting(struct counting *x, struct lower *l, const struct pstmt *list,
                           const struct pstmt *block) {
    const struct pstmt *loop = block->body, *before = NULL;
    *x = (struct counting){.k = NULL};
    if (loop == NULL || loop->kind != PS_LOOP || loop->next != NULL || loop->body == NULL)
        return false;
    bool *sets = find_written(l->uc, l->plan, loop->body);
    bool (*const match[])(struct lower *, struct counting *, const struct pstmt *,
                          const struct pstmt *,
                          bool *) = {match_condition, match_plainly, match_break};
    int form = 0;
    for (; form < 3 && !match[form](l, x, loop->body, block, sets); form++)
        *x = (struct counting){.k = NULL};
    if (form == 3)
        return false;
    const struct plan_visitor set = {.stmt = find_set}, jumps = {.stmt = find_jump};
    for (; list != block; list = list->next)
        before = stmt_walk(list, &set, x->k) ? before : list;
    if (before == NULL || before->kind != PS_SET || !value_walk(before->value, find_size, NULL))
        return false;
    x->lo = before->value;
    for (const struct pstmt *s = x->list; s != x->end; s = s->next)
        if (!stmt_walk(s, &set, x->k))
            return false;
    for (const struct pstmt *s = x->behind; s != x->count; s = s->next)
        if (!stmt_walk(s, &set, x->k) || !stmt_walk(s, &jumps, NULL))
            return false;
    return is_plain(x->list, x->end, true) &&
           (x->found == NULL ||
            (is_plain(x->found, last_of(x->found), true) && plan_walk(x->found, &set, x->k)));
}

/* What asks whether the loop ends; k: its index. */
static struct pstmt *end_test(const struct counting *x, struct lower *l, const struct pval *k,
                              struct pstmt *block) {
    struct uc *uc = l->uc;
    struct pstmt *test = NEW(uc, struct pstmt), *set = NEW(uc, struct pstmt),
                 *leave = NEW(uc, struct pstmt), **end;
    *test = (struct pstmt){.kind = PS_IF, .at = block->at, .value = x->value};
    if (x->found != NULL)
        test->body = copy_statements(uc, x->found, last_of(x->found), NULL, NULL);
    if (!x->leaves)
        test->value = value_not(l, x->value);
    test = copy_statements(uc, test, NULL, x->k, k);
    for (end = &test->body; *end != NULL;)
        end = &(*end)->next;
    *end = set;
    *set = (struct pstmt){
        .kind = PS_SET, .var = x->k, .value = (struct pval *)(uintptr_t)k, .at = block->at};
    set->next = leave;
    *leave = (struct pstmt){.kind = PS_LEAVE, .target = block, .at = block->at};
    return test;
}

/* Such a loop as one over a range, in a block if something else ends it. */
static struct pstmt *range_of(const struct counting *x, struct lower *l, struct span at) {
    struct uc *uc = l->uc;
    struct pstmt *block = NEW(uc, struct pstmt), *loop = NEW(uc, struct pstmt),
                 *missing = NEW(uc, struct pstmt), **end;
    struct variable *index = variable_new(l, x->k->name, DT_INT64);
    const struct pval *k = read(l, &index->pvar);
    struct pval *step = plan_number(l->uc, x->down ? -1 : 1);
    set_index_range(index, x->lo, x->hi, step);
    *block = (struct pstmt){.kind = PS_BLOCK, .body = loop, .at = at};
    *loop = (struct pstmt){.kind = PS_FOR, .var = &index->pvar, .lo = x->lo, .hi = x->hi, .at = at};
    loop->step = step;
    loop->next = missing;
    loop->body = copy_statements(uc, x->list, x->end, x->k, k);
    for (end = &loop->body; *end != NULL;)
        end = &(*end)->next;
    if (x->value != NULL) {
        *end = end_test(x, l, k, block);
        end = &(*end)->next;
    }
    *end = copy_statements(uc, x->behind, x->count, x->k, k);
    *missing = (struct pstmt){.kind = PS_SET, .var = x->k, .at = at};
    missing->value =
        value_call(l, x->down ? B_MIN : B_MAX, DT_INT64, 2, (struct pval *const[]){x->lo, x->hi});
    return x->value != NULL ? block : loop;
}

static void count_list(struct lower *l, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct counting counting;
        struct pstmt *block = *at;
        if (block->kind != PS_BLOCK)
            continue;
        count_list(l, &block->body);
        if (!match_counting(&counting, l, *list, block))
            continue;
        *at = range_of(&counting, l, block->at);
        while ((*at)->next != NULL)
            at = &(*at)->next;
        (*at)->next = block->next;
    }
}

void count_loops(struct lower *l) {
    count_list(l, &l->plan->body->body);
}

/* ---- */

/* What a block becomes, or itself, if it is only asked for; NULL: it stays as it is. */
static struct pstmt *search_block(struct lower *l, const struct enclosing *around,
                                  struct pstmt *block, bool replaces) {
    struct search x;
    if (!match(&x, l, around, block)) /* what else iterations do may be one thread's at a point */
        return around == NULL ? leave_at_element(l, block, replaces) : NULL;
    return replaces ? search(&x) : block;
}

/* Where to look for searches. */
struct places {
    const struct enclosing *around;
    bool points; /* also in iterations, and at points of definitions */
};

static bool search_list(struct lower *l, struct places in, struct pstmt **list, bool replaces);

/* The same in a list of the points of r and further ranges. */
static bool search_points(struct lower *l, const struct enclosing *around, const struct prange *r,
                          struct pstmt **list, bool replaces) {
    if (r == NULL)
        return search_list(l, (struct places){around, true}, list, replaces);
    struct pstmt loop = {
        .kind = PS_FOR, .var = r->var, .lo = r->lo, .hi = r->hi, .step = r->step, .body = *list};
    const struct enclosing in = {&loop, around};
    return search_points(l, &in, r->next, list, replaces);
}

/* Looks in a statement, which is no block, whose iterations or points have any order or are steps:
 * a search around a loop has each thread leave that early. */
static bool search_within(struct lower *l, struct places in, struct pstmt *s, bool replaces) {
    const struct enclosing loop = {s, in.around};
    if (!in.points || s->accs != NULL)
        return false;
    if (s->kind == PS_SPREAD)
        return search_points(l, in.around, s->ranges, &s->body, replaces);
    in.around = &loop;
    return s->kind == PS_FOR && search_list(l, in, &s->body, replaces);
}

/* Finds searches in a list of the body, and puts what they are in their place, if it may.  Whether
 * there are any. */
static bool search_list(struct lower *l, struct places in, struct pstmt **list, bool replaces) {
    bool any = false;
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at, *next = s->next;
        if (s->kind != PS_BLOCK) {
            any = search_within(l, in, s, replaces) || any;
            continue;
        }
        any = search_list(l, (struct places){in.around, false}, &s->body, replaces) || any;
        struct pstmt *becomes = search_block(l, in.around, s, replaces);
        if (becomes == NULL && in.points)
            any = search_list(l, in, &s->body, replaces) || any;
        any = any || becomes != NULL;
        if (becomes == NULL || !replaces)
            continue;
        *at = becomes;
        while ((*at)->next != NULL)
            at = &(*at)->next;
        (*at)->next = next;
    }
    return any;
}

/* The same of blocks of the body that states leave. */
static bool search_states(struct lower *l, bool replaces) {
    bool any = false;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next)
        any = leave_at_state(l, at, replaces) || any;
    return any;
}

bool has_searches(struct lower *l) {
    return search_list(l, (struct places){NULL, true}, &l->plan->body->body, false) ||
           search_states(l, false);
}

bool search_loops(struct lower *l) {
    bool any = search_list(l, (struct places){NULL, true}, &l->plan->body->body, true);
    return search_states(l, true) || any;
}
