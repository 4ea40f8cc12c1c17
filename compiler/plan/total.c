/* total.c: ordered loops that only take totals, as reductions.  Such a loop joins numbers to
 * variables that it uses for nothing else, by operations of which every grouping gives the same
 * bits: sums, products and bits of integers, float64 counts (exact.c), and maxima and minima, but
 * for the signs of zeros.  Or a condition that compares a variable with a value sets the variable
 * to it, and others beside it: the first greatest or least value, and where it is.  Of equal values
 * of two parts the earlier one counts: its index is kept beside it; or parts of loops in one
 * another are joined in their order.
 *
 * A loop whose further statements use such totals as they run is one over prefixes. */
#include "apart.h"
#include "total.h"

enum { MAX_NESTED = 3 };

static struct total *total_of(struct totals *t, const struct pvar *var) {
    for (int i = 0; i < t->n; i++)
        if (t->total[i].var == var)
            return &t->total[i];
    return NULL;
}

static enum walk find_total(const struct pval *v, void *totals) {
    return v->kind == PV_VAR && total_of(totals, v->var) != NULL ? WALK_STOP : WALK_IN;
}

/* Whether v, which may be NULL, has none of the totals. */
static bool is_free(struct totals *t, const struct pval *v) {
    return value_walk(v, find_total, t);
}

/* ---- joining */

static bool is_var(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* The operation by which s, a PS_SET, joins a number to its variable: an enum op, or OP_COUNT and
 * the id of a built-in function; -1: it does something else.  Differences and sums are one. */
static int join_of(const struct pstmt *s) {
    const struct pval *v = s->value;
    if ((v->kind != PV_OP && v->kind != PV_CALL) || v->nargs != 2 || v->dtype != s->var->dtype ||
        is_var(v->args[0], s->var) == is_var(v->args[1], s->var))
        return -1;
    if (v->kind == PV_CALL) {
        int id = (int)v->builtin->id;
        bool extreme = id == B_MIN || id == B_MAX;
        return extreme && v->dtype != DT_BOOL ? OP_COUNT + id : -1;
    }
    if (!is_integer(v->dtype) && (!s->var->exact || (v->op != OP_ADD && v->op != OP_SUB)))
        return -1;
    switch (v->op) {
    case OP_SUB: return is_var(v->args[0], s->var) ? OP_ADD : -1;
    case OP_ADD:
    case OP_MUL:
    case OP_AND:
    case OP_OR:
    case OP_XOR: return (int)v->op;
    default: return -1;
    }
}

int join_of_value(const struct pval *v) {
    bool logic = v->kind == PV_OP && (v->op == OP_LAND || v->op == OP_LOR);
    if (v->nargs != 2 || (v->kind != PV_OP && v->kind != PV_CALL))
        return -1;
    if (logic)
        return (int)v->op;
    struct pvar own = {.dtype = v->dtype};
    struct pval state = {.kind = PV_VAR, .dtype = v->dtype, .var = &own}, joined = *v;
    joined.args[0] = &state;
    return join_of(&(struct pstmt){.kind = PS_SET, .var = &own, .value = &joined});
}

static bool takes_set(struct totals *t, const struct pstmt *s) {
    struct total *own = total_of(t, s->var);
    if (own == NULL)
        return is_free(t, s->value);
    int join = join_of(s);
    if (join < 0 || own->choice != NULL || (own->set != NULL && join_of(own->set) != join))
        return false;
    own->set = s;
    return is_free(t, s->value->args[is_var(s->value->args[0], s->var) ? 1 : 0]);
}

/* ---- choosing */

/* The total that s, a PS_IF, compares with a value that is greater, or less; NULL: there is none.
 */
static struct total *compared_by(struct totals *t, const struct pstmt *s,
                                 const struct pval **with) {
    const struct pval *v = s->value;
    if (s->other != NULL || v->kind != PV_OP || (v->op != OP_GT && v->op != OP_LT))
        return NULL;
    for (int i = 0; i < 2; i++) {
        struct total *own = v->args[i]->kind == PV_VAR ? total_of(t, v->args[i]->var) : NULL;
        *with = v->args[1 - i];
        if (own != NULL && is_free(t, *with))
            return own;
    }
    return NULL;
}

/* The value of a variable in a list of assignments before `end`; v itself if it is none. */
static const struct pval *assigned(const struct pstmt *list, const struct pstmt *end,
                                   const struct pval *v) {
    const struct pval *value = v;
    for (; list != end; list = list->next)
        if (v->kind == PV_VAR && list->var == v->var)
            value = list->value;
    return value;
}

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

/* Do assignments before `end` leave what v mentions as it was? */
static bool is_kept(const struct pstmt *list, const struct pstmt *end, const struct pval *v) {
    while (list != end && value_walk(v, find_var, list->var))
        list = list->next;
    return list == end;
}

/* Whether an assignment gives a total the value that it was compared with. */
static bool takes_compared(const struct pstmt *body, const struct pstmt *in,
                           const struct pval *with) {
    const struct pval *value = assigned(body, in, in->value);
    return same_value(value, with) && is_kept(body, in, value);
}

/* Whether s, a PS_IF, chooses values for totals that are set nowhere else. */
static bool takes_choice(struct totals *t, struct pstmt *s) {
    const struct pval *with;
    struct total *compared = compared_by(t, s, &with);
    if (compared == NULL)
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        if (in->kind != PS_SET || !is_free(t, in->value))
            return false;
        struct total *own = total_of(t, in->var);
        if (own == NULL)
            continue;
        if (own->set != NULL || (own == compared && !takes_compared(s->body, in, with)))
            return false;
        own->set = in;
        own->choice = s;
        own->compared = own == compared;
    }
    return compared->choice == s;
}

/* ---- loops */

static bool takes_list(struct totals *t, struct pstmt *s);

/* The same of a reduction, which a version that has arrays may have before a loop of the body. */
static bool takes_reduction(struct totals *t, struct pstmt *s) {
    bool takes = t->reduces && s->accs != NULL && !s->merged;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        takes = takes && is_free(t, r->lo) && is_free(t, r->hi) && is_free(t, r->step);
    return takes && takes_list(t, s->body) && takes_list(t, s->joined);
}

/* Whether a statement uses totals only as these are. */
static bool takes(struct totals *t, struct pstmt *s) {
    switch (s->kind) {
    case PS_SET: return takes_set(t, s);
    case PS_PUT: return t->stores && is_free(t, s->value) && is_free(t, s->place);
    case PS_IF:
        return is_free(t, s->value) ? takes_list(t, s->body) && takes_list(t, s->other)
                                    : takes_choice(t, s);
    case PS_FOR:
        return is_free(t, s->lo) && is_free(t, s->hi) && is_free(t, s->step) &&
               takes_list(t, s->body);
    case PS_LOOP:
    case PS_BLOCK: return !t->stores && takes_list(t, s->body);
    case PS_LEAVE: return !t->stores; /* of the loop's own: are_others_apart */
    case PS_SPREAD: return takes_reduction(t, s);
    default: return false;
    }
}

static bool takes_list(struct totals *t, struct pstmt *s) {
    while (s != NULL && takes(t, s))
        s = s->next;
    return s == NULL;
}

/* Finds the variables that a loop may take totals in, and takes them off `written`.  False: there
 * are none, or too many, or how often it runs depends on what they are before. */
static bool find_candidates(const struct sharer *x, struct totals *t, const struct pstmt *loop,
                            bool *written) {
    const int *within = count_mentions(x->uc, x->plan, loop->body);
    for (struct pvar *v = x->plan->vars; v != NULL; v = v->next) {
        if (!written[v->id] || within[v->id] == x->mentions[v->id])
            continue;
        if (t->n == MAX_TOTALS || v->dtype == DT_BOOL || is_half(v->rounds))
            return false;
        t->total[t->n++] = (struct total){.var = v};
        written[v->id] = false;
    }
    return t->n > 0 && loop->accs == NULL && is_free(t, loop->lo) && is_free(t, loop->hi) &&
           loop->step->kind == PV_CONST && loop->step->i != 0;
}

static bool are_all_set(const struct totals *t) {
    int i = 0;
    while (i < t->n && t->total[i].set != NULL)
        i++;
    return i == t->n;
}

/* Finds the totals of a loop.  False: it is more than these, or they are too many. */
static bool find_loop_totals(const struct sharer *x, struct totals *t, struct pstmt *loop) {
    bool *written = find_written(x->uc, x->plan, loop->body);
    const struct pstmt *s = x->plan->body->body;
    while (s != NULL && s != loop)
        s = s->next;
    t->reduces = x->plan->stores && s == loop;
    return find_candidates(x, t, loop, written) && takes_list(t, loop->body) && are_all_set(t) &&
           are_others_apart(x, loop, written);
}

bool find_totals_beside(const struct sharer *x, struct totals *t, struct pstmt *loop,
                        bool *written) {
    t->stores = true;
    return find_candidates(x, t, loop, written) && takes_list(t, loop->body) && are_all_set(t);
}

/* ---- the reduction */

static struct pval *read(struct lower *l, struct pvar *var) {
    struct pval *v = value_new(l, PV_VAR, var->dtype);
    v->var = var;
    return v;
}

static void set(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = stmt_emit(l, PS_SET, at);
    s->var = var;
    s->value = v;
}

/* Whether what a PS_IF chooses is greater. */
static bool chooses_greater(const struct total *t) {
    return (t->choice->value->op == OP_GT) == is_var(t->choice->value->args[1], t->var);
}

/* What leaves a total as it is. */
static struct pval *neutral(struct lower *l, const struct total *t) {
    enum ufc_dtype d = t->var->dtype;
    if (t->choice != NULL)
        return t->compared ? extreme(l, d, !chooses_greater(t)) : value_zero(l, d);
    return neutral_of(l, join_of(t->set), d);
}

static struct pvar *var_of(const struct total *t, bool of_loop, bool others) {
    return of_loop ? t->var : others ? t->other : t->acc;
}

/* Whether the total comes second where a number is joined to it: minima and maxima take the first
 * of two zeros. */
static bool comes_second(const struct total *t) {
    return is_var(t->set->value->args[1], t->var);
}

static struct pval *joined(struct lower *l, const struct total *t, struct pval *a, struct pval *b) {
    return comes_second(t) ? joined_by(l, join_of(t->set), b, a)
                           : joined_by(l, join_of(t->set), a, b);
}

/* Whether another part's value is chosen. */
static struct pval *is_chosen(struct lower *l, const struct totals *t, const struct total *own,
                              bool all) {
    struct pval *a = read(l, var_of(own, all, false)), *b = read(l, var_of(own, false, !all));
    struct pval *better = value_op(l, chooses_greater(own) ? OP_GT : OP_LT, DT_BOOL, b, a);
    if (all || own->turn == NULL)
        return better;
    struct pval *earlier =
        value_op(l, t->down ? OP_GT : OP_LT, DT_BOOL, read(l, own->later), read(l, own->turn));
    struct pval *equal = value_op(l, OP_EQ, DT_BOOL, b, a);
    return value_op(l, OP_LOR, DT_BOOL, better, value_op(l, OP_LAND, DT_BOOL, equal, earlier));
}

void join_totals(struct totals *t, bool all, struct span at) {
    struct lower *l = t->l;
    for (int i = 0; i < t->n; i++) {
        const struct total *own = &t->total[i];
        struct pvar *to = var_of(own, all, false), *from = var_of(own, false, !all);
        if (own->choice == NULL)
            set(l, to, joined(l, own, read(l, to), read(l, from)), at);
        if (!own->compared)
            continue;
        struct pstmt *s = stmt_emit(l, PS_IF, at), **end = l->end;
        s->value = is_chosen(l, t, own, all);
        l->end = &s->body;
        for (int k = 0; k < t->n; k++)
            if (t->total[k].choice == own->choice)
                set(l, var_of(&t->total[k], all, false), read(l, var_of(&t->total[k], false, !all)),
                    at);
        if (!all && own->turn != NULL)
            set(l, own->turn, read(l, own->later), at);
        l->end = end;
    }
}

/* A bound of a range, evaluated once before the spread. */
static struct pval *bound(struct lower *l, struct pval *v, struct span at) {
    return value_is_atom(v) ? v : emit_temporary(l, "bound", v, at);
}

/* The ranges of a loop and of those in it that are all of its body; *body becomes what is in the
 * last. */
static struct prange *find_ranges(const struct sharer *x, struct lower *l, struct pstmt *loop,
                                  struct pstmt **body) {
    struct prange *first = NULL, **end = &first;
    bool *written = find_written(x->uc, x->plan, loop->body);
    written[loop->var->id] = true;
    for (int n = 0;; n++, loop = loop->body) {
        *end = NEW(l->uc, struct prange);
        **end = (struct prange){.var = loop->var,
                                .lo = bound(l, loop->lo, loop->at),
                                .hi = bound(l, loop->hi, loop->at),
                                .step = loop->step};
        end = &(*end)->next;
        *body = loop->body;
        const struct pstmt *in = loop->body;
        if (in == NULL || in->kind != PS_FOR || in->next != NULL || in->accs != NULL ||
            n + 1 == MAX_NESTED || in->step->kind != PV_CONST ||
            !value_walk(in->lo, find_set_or_element, written) ||
            !value_walk(in->hi, find_set_or_element, written))
            return first;
    }
}

/* Has a loop keep the index at which a value is chosen. */
static void keep_turn(struct totals *t, struct total *own, const struct pstmt *loop) {
    struct lower *l = t->l;
    struct pstmt *s = NEW(l->uc, struct pstmt);
    own->turn = &variable_new(l, "turn", DT_INT64)->pvar;
    own->later = &variable_new(l, "later", DT_INT64)->pvar;
    set(l, own->turn, extreme(l, DT_INT64, !t->down), loop->at);
    *s = (struct pstmt){.kind = PS_SET, .at = loop->at, .var = own->turn};
    s->value = read(l, loop->var);
    s->next = own->choice->body;
    own->choice->body = s;
}

void begin_accs(struct totals *t, const struct pstmt *loop, bool turns) {
    struct lower *l = t->l;
    for (int i = 0; i < t->n; i++) {
        struct total *own = &t->total[i];
        own->acc = &variable_new(l, own->var->name, own->var->dtype)->pvar;
        own->other = &variable_new(l, "other", own->var->dtype)->pvar;
        set(l, own->acc, neutral(l, own), loop->at);
        if (own->compared && turns)
            keep_turn(t, own, loop);
    }
}

static struct pacc **add_acc(struct lower *l, struct pacc **end, struct pvar *acc,
                             struct pvar *other) {
    *end = NEW(l->uc, struct pacc);
    **end = (struct pacc){.acc = acc, .other = other};
    return &(*end)->next;
}

struct pstmt *copy_with_accs(const struct totals *t, const struct pstmt *loop) {
    struct lower *l = t->l;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    for (int i = 0; i < t->n; i++) {
        c.vars[t->total[i].var->id] = t->total[i].acc;
        if (t->total[i].turn != NULL)
            c.vars[t->total[i].turn->id] = t->total[i].turn;
    }
    return copy_stmt(&c, loop);
}

void list_accs(const struct totals *t, struct pstmt *s) {
    struct pacc **end = &s->accs;
    for (int i = 0; i < t->n; i++) {
        end = add_acc(t->l, end, t->total[i].acc, t->total[i].other);
        if (t->total[i].turn != NULL)
            end = add_acc(t->l, end, t->total[i].turn, t->total[i].later);
    }
}

/* A reduction with the ranges and the body of a copy of a loop. */
static struct pstmt *add_reduction(const struct sharer *x, const struct totals *t,
                                   const struct pstmt *loop) {
    struct lower *l = t->l;
    struct pstmt *copied = copy_with_accs(t, loop), *body;
    struct prange *ranges = find_ranges(x, l, copied, &body);
    struct pstmt *s = stmt_emit(l, PS_SPREAD, loop->at);
    s->ranges = ranges;
    s->body = body;
    for (struct pstmt *in = body; in != NULL; in = in->next)
        in->outermost = false;
    s->outermost = true;
    list_accs(t, s);
    return s;
}

/* Do threads get the same total whichever of a loop's iterations, at a turn of the one around,
 * comes first?  written: what the loop sets. */
static bool is_any_first(const struct total *own, bool *written) {
    if (own->choice == NULL || (own->compared && is_integer(own->var->dtype)))
        return true;
    return !own->compared && value_walk(own->set->value, find_set_or_element, written);
}

/* Has threads share loops in a loop that only add to its totals: those whose bounds depend on its
 * index, or that have numbers before them, are no ranges of the reduction.  written: what the loop
 * of the first ones that is around sets; NULL: none is around. */
static void share_inner(const struct sharer *x, struct totals *t, struct pstmt *loop,
                        bool *written) {
    for (struct pstmt *s = loop->body; s != NULL; s = s->next) {
        const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
        struct totals own = {.l = t->l};
        if (s->kind != PS_FOR || constant_points(&r) <= UNROLLED_POINTS ||
            !find_loop_totals(x, &own, s))
            continue;
        bool *all = written != NULL ? written : find_written(x->uc, x->plan, s->body);
        all[s->var->id] = s->further = true;
        for (int i = 0; i < own.n; i++)
            s->further = s->further && total_of(t, own.total[i].var) != NULL &&
                         is_any_first(&own.total[i], all);
        share_inner(x, t, s, all);
    }
}

/* The reduction in the place of *at. */
static void take_totals(const struct sharer *x, struct totals *t, struct pstmt **at) {
    struct lower *l = t->l;
    struct pstmt *loop = *at, *next = loop->next, **end = l->end;
    bool nested = loop->body->kind == PS_FOR, ordered = false, chooses = true;
    t->down = (int64_t)loop->step->i < 0;
    l->end = at;
    share_inner(x, t, loop, NULL);
    begin_accs(t, loop, !nested);
    for (int i = 0; i < t->n; i++) {
        const struct total *own = &t->total[i];
        ordered = ordered || (nested && own->choice != NULL);
        chooses = chooses && (own->choice != NULL || join_of(own->set) >= OP_COUNT);
    }
    struct pstmt *s = add_reduction(x, t, loop);
    s->ordered = ordered;
    s->chooses = chooses;
    l->end = &s->joined;
    join_totals(t, false, loop->at);
    l->end = &s->next;
    join_totals(t, true, loop->at);
    *l->end = next;
    l->end = end;
}

/* ---- running totals */

/* Stops at an element whose place a total tells: no iteration knows which the others access. */
static enum walk find_told(const struct pval *v, void *totals) {
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (!is_free(totals, v->args[i]))
            return WALK_STOP;
    return WALK_IN;
}

/* The statement of a loop from which on totals are used, of which none is needed behind the loop;
 * NULL: the loop does more. */
static const struct pstmt *find_rest(const struct sharer *x, struct totals *t, struct pstmt *loop) {
    bool *written = find_written(x->uc, x->plan, loop->body);
    int64_t step = (int64_t)loop->step->i;
    if (!find_candidates(x, t, loop, written) || (step != 1 && step != -1) || has_loop(loop->body))
        return NULL;
    struct pstmt *rest = loop->body;
    while (rest != NULL && takes(t, rest))
        rest = rest->next;
    const bool *later = find_written(x->uc, x->plan, rest);
    const int *behind = count_mentions(x->uc, x->plan, loop->next);
    for (int i = 0; i < t->n; i++)
        if (t->total[i].choice != NULL || later[t->total[i].var->id] ||
            behind[t->total[i].var->id] > 0)
            return NULL;
    bool known = rest == NULL || plan_walk(rest, &(struct plan_visitor){.value = find_told}, t);
    return known && are_all_set(t) && are_others_apart(x, loop, written) ? rest : NULL;
}

/* Copies statements up to `end` to where statements go. */
static void copy_up_to(const struct copy *c, const struct pstmt *s, const struct pstmt *end) {
    for (; s != end; s = s->next) {
        *c->l->end = copy_stmt(c, s);
        c->l->end = &(*c->l->end)->next;
    }
}

/* Whether joining a number twice is joining it once: all parts may begin with what was before. */
static bool is_idempotent(const struct total *t) {
    int join = join_of(t->set);
    if (is_float(t->var->dtype) && comes_second(t))
        return false;
    return join >= OP_COUNT || join == OP_AND || join == OP_OR;
}

/* The loop with accs in the place of *at. */
static void take_running(struct totals *t, struct pstmt **at, const struct pstmt *rest) {
    struct lower *l = t->l;
    struct pstmt *loop = *at, *next = loop->next, **end = l->end, shell = *loop;
    struct copy c = {.l = l, .vars = NEWN(l->uc, struct pvar *, l->plan->nvars + 1)};
    l->end = at;
    for (int i = 0; i < t->n; i++) {
        struct total *own = &t->total[i];
        own->acc = &variable_new(l, own->var->name, own->var->dtype)->pvar;
        own->other = &variable_new(l, "other", own->var->dtype)->pvar;
        set(l, own->acc, is_idempotent(own) ? read(l, own->var) : neutral(l, own), loop->at);
        c.vars[own->var->id] = own->acc;
    }
    shell.body = NULL;
    struct pval *lo = bound(l, loop->lo, loop->at), *hi = bound(l, loop->hi, loop->at);
    struct pstmt *s = *l->end = copy_stmt(&c, &shell);
    s->lo = lo;
    s->hi = hi;
    struct pacc **acc = &s->accs;
    l->end = &s->body;
    copy_up_to(&c, loop->body, rest);
    struct pstmt **first = l->end;
    for (int i = 0; i < t->n; i++) {
        struct total *own = &t->total[i];
        acc = add_acc(l, acc, own->acc, own->other);
        if (is_idempotent(own))
            continue;
        struct pval *v = joined(l, own, read(l, own->var), read(l, own->acc));
        c.vars[own->var->id] = emit_temporary(l, own->var->name, v, loop->at)->var;
    }
    copy_up_to(&c, rest, NULL);
    s->rest = *first;
    l->end = &s->joined;
    join_totals(t, false, loop->at);
    s->next = next;
    l->end = end;
}

/* ---- the body */

static struct sharer sharer_of(const struct lower *l) {
    return (struct sharer){
        .uc = l->uc, .plan = l->plan, .mentions = count_mentions(l->uc, l->plan, l->plan->body)};
}

/* After a loop was replaced, by one with variables of its own. */
static void count_again(struct sharer *x) {
    x->mentions = count_mentions(x->uc, x->plan, x->plan->body);
}

static void take_steps(struct sharer *x, struct lower *l, struct pstmt **list);
static void take_list(struct sharer *x, struct lower *l, struct pstmt **list, bool within);

/* Replaces loops in the lists of a statement that is no loop over indices. */
static void take_branches(struct sharer *x, struct lower *l, struct pstmt *s) {
    if (s->kind != PS_IF && s->kind != PS_BLOCK && s->kind != PS_LOOP)
        return;
    take_steps(x, l, &s->body);
    take_steps(x, l, &s->other);
}

/* Replaces loops within one; points: whose iterations have no order. */
static void take_inner(struct sharer *x, struct lower *l, struct pstmt *loop, bool points) {
    const struct enclosing *around = x->around;
    struct enclosing own = {loop, around};
    if (!find_written(x->uc, x->plan, loop->body)[loop->var->id])
        x->around = &own;
    if (points)
        take_list(x, l, &loop->body, true);
    else
        take_steps(x, l, &loop->body);
    x->around = around;
}

/* The same of the points that the iterations of a loop are. */
static void take_points(struct sharer *x, struct lower *l, struct pstmt *loop) {
    bool apart = are_others_apart(x, loop, find_written(x->uc, x->plan, loop->body));
    if (apart && keep_cells(x, l, loop))
        count_again(x);
    take_inner(x, l, loop, true);
}

/* The same of the points of a definition that was a loop. */
static void take_definition(struct sharer *x, struct lower *l, struct pstmt *s) {
    take_list(x, l, &s->body, true);
    for (struct pstmt *in = s->body; in != NULL; in = in->next)
        in->outermost = false;
}

/* Replaces loops of a list; within: of one that has no order, whose short loops stay as they are.
 */
static void take_list(struct sharer *x, struct lower *l, struct pstmt **list, bool within) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
        struct totals t = {.l = l};
        if (!within)
            take_branches(x, l, s);
        if (s->kind == PS_SPREAD && s->accs == NULL && s->serial != NULL && !within)
            take_definition(x, l, s);
        if (s->kind != PS_FOR || (within && constant_points(&r) <= UNROLLED_POINTS))
            continue;
        if (find_loop_totals(x, &t, s)) {
            take_totals(x, &t, at);
            count_again(x);
        } else if (is_independent(x, s))
            take_points(x, l, s);
        else if (!within)
            take_inner(x, l, s, false);
    }
}

/* Replaces loops of a list that runs in order, and those within its other statements. */
static void take_steps(struct sharer *x, struct lower *l, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
        struct totals t = {.l = l};
        take_branches(x, l, s);
        if (s->kind != PS_FOR)
            continue;
        if (constant_points(&r) > UNROLLED_POINTS && part_totals(x, l, at)) {
            count_again(x);
            s = *at;
        }
        if (constant_points(&r) > UNROLLED_POINTS && find_loop_totals(x, &t, s)) {
            take_totals(x, &t, at);
            count_again(x);
        } else if (is_independent(x, s)) {
            take_points(x, l, s);
        } else {
            take_inner(x, l, s, false);
        }
    }
}

struct pstmt *point_totals(const struct sharer *x, struct lower *l, struct pstmt *loop) {
    struct enclosing own = {loop, x->around};
    struct sharer within = *x;
    struct pstmt *list = keep_cell(x, l, loop);
    if (list == NULL)
        list = copy_statements(l->uc, loop->body, NULL, NULL, NULL);
    within.around = &own;
    for (struct pstmt **at = &list; *at != NULL; at = &(*at)->next) {
        struct totals t = {.l = l};
        const struct prange r = {.lo = (*at)->lo, .hi = (*at)->hi, .step = (*at)->step};
        if ((*at)->kind != PS_FOR || constant_points(&r) <= UNROLLED_POINTS)
            continue;
        within.mentions = count_mentions(l->uc, l->plan, list);
        if (find_loop_totals(&within, &t, *at))
            take_totals(&within, &t, at);
    }
    return list;
}

static bool may_share(const struct plan *p) {
    return p->overload->decl->kind == DECL_GUFUNC && !p->checked;
}

bool has_loop_totals(struct lower *l, struct pstmt *loop) {
    struct sharer x = sharer_of(l);
    struct totals t = {.l = l};
    return may_share(l->plan) && find_loop_totals(&x, &t, loop);
}

bool has_running_totals(struct lower *l, struct pstmt *loop) {
    struct sharer x = sharer_of(l);
    struct totals t = {.l = l};
    return may_share(l->plan) && find_rest(&x, &t, loop) != NULL;
}

void find_totals(struct lower *l) {
    struct sharer x = sharer_of(l);
    find_exact(l->plan);
    if (may_share(l->plan))
        take_list(&x, l, &l->plan->body->body, false);
}

void find_running(struct lower *l) {
    struct sharer x = sharer_of(l);
    find_exact(l->plan);
    for (struct pstmt **at = &l->plan->body->body; *at != NULL && may_share(l->plan);
         at = &(*at)->next) {
        struct totals t = {.l = l};
        const struct pstmt *rest = (*at)->kind == PS_FOR ? find_rest(&x, &t, *at) : NULL;
        if (rest == NULL)
            continue;
        take_running(&t, at, rest);
        count_again(&x);
    }
}
