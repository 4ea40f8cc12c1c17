/* flag.c: flags that ordered loops in one another set, whatever the iteration:
 *
 *     for i in 0..m { for j in 0..n { if x[i, j] < 0 { found = True } } }
 *     for i in 0..m { for j in 0..n { ok = ok and x[i, j] > 0 } }
 *
 * Whether any iteration does is a total that all orders agree on (total.c), from which the flag
 * follows behind the loop.  Flags of a loop without others are found as its states are composed
 * (compose.c).
 *
 * Where such loops do nothing else, a jump that leaves them once the flag is set only saves time:
 *
 *     for i in 0..n { for j in 0..i { if a[i, j] != a[j, i] { ok = False; break } }
 *                     if not ok { break } }
 *
 * In a version of the body all iterations run, in any order. */
#include "apart.h"

enum { FEW_STEPS = 1024 }; /* of a loop between numbers */

enum flag_kind { FLAG_NONE, FLAG_VALUE, FLAG_ANY, FLAG_ALL };

struct flag {
    struct lower *l;
    struct pvar *var;
    bool *written;           /* by id: the loop sets the variable */
    const int *all;          /* mentions in the body, by id, of */
    int n;                   /* variables */
    enum flag_kind kind;     /* what the statements found so far are */
    const struct pval *same; /* FLAG_VALUE: what all of them set the variable to */
    int mentions;            /* of the variable, in these */
    bool leaves;             /* jumps that leave loops once it is set are left out */
    struct pvar *hit;        /* whether an iteration has set it, an int32 */
};

/* ---- statements */

static bool is_flag(const struct flag *f, const struct pval *v) {
    return v->kind == PV_VAR && v->var == f->var;
}

static bool take_kind(struct flag *f, enum flag_kind kind, int mentions) {
    bool takes = f->kind == FLAG_NONE || f->kind == kind;
    f->kind = takes ? kind : f->kind;
    f->mentions += takes ? mentions : 0;
    return takes;
}

/* What v joins to the flag, `flag | v` or `flag & v`; NULL: it is something else. */
static struct pval *joined_to(const struct flag *f, const struct pval *v, enum flag_kind *kind) {
    bool joins = v->kind == PV_OP && v->dtype == DT_BOOL && v->nargs == 2;
    *kind = v->op == OP_OR || v->op == OP_LOR ? FLAG_ANY : FLAG_ALL;
    if (!joins || (*kind == FLAG_ALL && v->op != OP_AND && v->op != OP_LAND))
        return NULL;
    for (int i = 0; i < 2; i++)
        if (is_flag(f, v->args[i]) && value_walk(v->args[1 - i], find_variable, f->var))
            return v->args[1 - i];
    return NULL;
}

/* Are all mentions of a variable these? */
static bool has_all(const struct flag *f, const struct pvar *v, int mentions) {
    return v->id < f->n && f->all[v->id] == mentions;
}

/* Does a list set variables of its own alone before its last assignment? */
static bool sets_own_first(const struct flag *f, const struct pstmt *list) {
    const int *within = NULL;
    for (const struct pstmt *s = list; s->next != NULL; s = s->next) {
        within = within == NULL ? count_mentions(f->l->uc, f->l->plan, list) : within;
        if (!has_all(f, s->var, within[s->var->id]))
            return false;
    }
    return true;
}

/* The assignment that decides in `t = flag; if t { …; t = v }; flag = t`, or `if not t`, as the
 * source's `and` and `or` become; s is the first of them, which alone have t, and what it needs.
 * NULL: they are something else. */
static struct pstmt *decided_by(const struct flag *f, const struct pstmt *s, enum flag_kind *kind) {
    const struct pstmt *when = s->next, *last = when != NULL ? when->next : NULL;
    if (s->kind != PS_SET || !is_flag(f, s->value) || last == NULL || when->kind != PS_IF ||
        when->other != NULL || last->kind != PS_SET || last->var != f->var ||
        last->value->kind != PV_VAR || last->value->var != s->var)
        return NULL;
    const struct pval *c = when->value;
    bool inverted = c->kind == PV_OP && c->op == OP_LNOT;
    c = inverted ? c->args[0] : c;
    *kind = inverted ? FLAG_ANY : FLAG_ALL;
    struct pstmt *set = when->body;
    while (set != NULL && set->next != NULL && set->kind == PS_SET &&
           exists_anyway(f->l->plan, set->value))
        set = set->next;
    bool is = c->kind == PV_VAR && c->var == s->var && set != NULL && set->next == NULL &&
              set->kind == PS_SET && set->var == s->var && exists_anyway(f->l->plan, set->value) &&
              has_all(f, s->var, 4) && sets_own_first(f, when->body);
    return is ? set : NULL;
}

static bool takes_list(struct flag *f, const struct pstmt *s);

/* Does a statement set the flag in one way alone, if it sets it? */
static bool takes_set(struct flag *f, const struct pstmt *s) {
    enum flag_kind kind;
    if (s->var != f->var)
        return true;
    if (joined_to(f, s->value, &kind) != NULL)
        return take_kind(f, kind, 2);
    bool same = f->same == NULL || same_value(f->same, s->value);
    f->same = s->value;
    return same && value_walk(s->value, find_set_or_element, f->written) &&
           take_kind(f, FLAG_VALUE, 1);
}

/* Is a condition that the flag is set?  That of a FLAG_VALUE has to be a bool, or an integer that
 * is compared. */
static bool asks_flag(const struct flag *f, const struct pval *v) {
    bool inverted = v->kind == PV_OP && v->op == OP_LNOT;
    const struct pval *same = f->same;
    if (f->kind == FLAG_NONE)
        return false; /* what it is set to is behind it */
    if (v->kind == PV_OP && v->op == OP_EQ && f->kind == FLAG_VALUE && is_integer(f->var->dtype))
        return (is_flag(f, v->args[0]) && same_value(v->args[1], same)) ||
               (is_flag(f, v->args[1]) && same_value(v->args[0], same));
    if (!is_flag(f, inverted ? v->args[0] : v) || v->dtype != DT_BOOL)
        return false;
    return f->kind == FLAG_ALL   ? inverted
           : f->kind == FLAG_ANY ? !inverted
                                 : same->kind == PV_CONST && (same->i != 0) == !inverted;
}

/* Is s a jump that is taken once the flag is set, or is one behind a condition that it is?  before:
 * the statement before it. */
static bool leaves_set(struct flag *f, const struct pstmt *before, const struct pstmt *s) {
    if (s->kind == PS_LEAVE)
        return before != NULL && before->kind == PS_SET && before->var == f->var &&
               f->kind == FLAG_VALUE;
    bool asks = s->kind == PS_IF && s->other == NULL && s->body != NULL &&
                s->body->kind == PS_LEAVE && asks_flag(f, s->value);
    f->mentions += asks;
    return asks;
}

static bool takes_stmt(struct flag *f, const struct pstmt *s) {
    bool jump = s->kind == PS_LEAVE || s->kind == PS_BLOCK || s->kind == PS_LOOP;
    if (s->kind == PS_SET && !takes_set(f, s))
        return false;
    return (!jump || (f->leaves && s->kind == PS_BLOCK)) && s->kind != PS_CLEAR &&
           s->accs == NULL && takes_list(f, s->body) && takes_list(f, s->other);
}

static bool takes_list(struct flag *f, const struct pstmt *s) {
    const struct pstmt *before = NULL;
    for (; s != NULL; before = s, s = s->next) {
        enum flag_kind kind;
        if (decided_by(f, s, &kind) != NULL) {
            if (!take_kind(f, kind, 2))
                return false;
            s = s->next->next;
        } else if (!(f->leaves && leaves_set(f, before, s)) && !takes_stmt(f, s))
            return false;
    }
    return true;
}

/* ---- totals in their place */

/* hit = hit | v, of a bool. */
static void hit(struct flag *f, struct pval *v, struct pstmt *s) {
    struct pval *before = plan_read(f->l->uc, f->hit);
    s->var = f->hit;
    s->value = value_op(f->l, OP_OR, DT_INT32, before, value_cast(f->l, v, DT_INT32));
}

static struct pval *inverted_if(struct flag *f, bool inverts, struct pval *v) {
    return inverts ? value_not(f->l, v) : v;
}

/* Has what leads to `decides`, of the three statements from *at on, stand alone.  Gives what is
 * behind it. */
static struct pstmt **replace_decided(struct flag *f, struct pstmt **at, struct pstmt *decides,
                                      enum flag_kind kind) {
    struct pstmt *when = (*at)->next, *behind = when->next->next;
    hit(f, inverted_if(f, kind == FLAG_ALL, decides->value), decides);
    *at = when->body;
    decides->next = behind;
    return &decides->next;
}

/* Leaves out a jump, or the block around what it leaves.  False: *at stays. */
static bool drop_jump(struct flag *f, struct pstmt **at) {
    struct pstmt *s = *at, **end = &s->body;
    bool asks = s->kind == PS_IF && s->other == NULL && asks_flag(f, s->value);
    if (s->kind != PS_BLOCK && s->kind != PS_LEAVE && !asks)
        return false;
    while (*end != NULL)
        end = &(*end)->next;
    *end = s->next;
    *at = s->kind == PS_BLOCK ? s->body : s->next;
    return true;
}

static void replace_list(struct flag *f, struct pstmt **at) {
    while (*at != NULL) {
        enum flag_kind kind;
        struct pstmt *s = *at, *decides = decided_by(f, s, &kind);
        if (decides != NULL) {
            at = replace_decided(f, at, decides, kind);
            continue;
        }
        if (f->leaves && drop_jump(f, at))
            continue;
        if (s->kind == PS_SET && s->var == f->var) {
            struct pval *v = joined_to(f, s->value, &kind);
            hit(f, v == NULL ? value_one(f->l, DT_BOOL) : inverted_if(f, kind == FLAG_ALL, v), s);
        }
        replace_list(f, &s->body);
        replace_list(f, &s->other);
        at = &s->next;
    }
}

/* What the flag is behind the loop. */
static struct pval *flag_behind(struct flag *f) {
    struct lower *l = f->l;
    struct pval *found = plan_read(l->uc, f->hit), *before = plan_read(l->uc, f->var);
    found = value_op(l, OP_NE, DT_BOOL, found, value_zero(l, DT_INT32));
    if (f->kind == FLAG_ANY)
        return value_op(l, OP_OR, DT_BOOL, before, found);
    if (f->kind == FLAG_ALL)
        return value_op(l, OP_AND, DT_BOOL, before, value_not(l, found));
    struct pval *v = value_new(l, PV_SELECT, before->dtype);
    v->nargs = 3;
    v->args[0] = found;
    v->args[1] = (struct pval *)(uintptr_t)f->same;
    v->args[2] = before;
    return v;
}

/* Has the loop at *at take a total in the place of the flag.  Gives the loop. */
static struct pstmt **replace_flag(struct flag *f, struct pstmt **at) {
    struct lower *l = f->l;
    struct pstmt *loop = *at, *behind = loop->next, **end = l->end;
    struct variable *found = variable_new(l, f->var->name, DT_INT32);
    f->hit = &found->pvar;
    l->end = at;
    emit_set(l, found, value_zero(l, DT_INT32), loop->at);
    at = l->end;
    *at = loop;
    replace_list(f, &loop->body);
    l->end = &loop->next;
    struct pstmt *s = stmt_emit(l, PS_SET, loop->at);
    s->var = f->var;
    s->value = flag_behind(f);
    s->next = behind;
    l->end = end;
    return at;
}

/* ---- loops */

static bool is_flag_of(struct flag *f, const struct pstmt *loop, const int *within) {
    return f->written[f->var->id] && within[f->var->id] > 0 && !is_half(f->var->rounds) &&
           f->var->imag == NULL && takes_list(f, loop->body) && f->kind != FLAG_NONE &&
           f->mentions == within[f->var->id];
}

/* Gives the loop, before which there may be more now. */
static struct pstmt **take_flags(struct lower *l, struct pstmt **at) {
    const struct plan *p = l->plan;
    const int *all = count_mentions(l->uc, p, p->body),
              *within = count_mentions(l->uc, p, (*at)->body);
    bool *written = find_written(l->uc, p, (*at)->body);
    written[(*at)->var->id] = true;
    int n = p->nvars;
    for (struct pvar *v = p->vars; v != NULL && v->id < n; v = v->next) {
        struct flag f = {.l = l, .var = v, .written = written, .all = all, .n = n};
        if (within[v->id] < all[v->id] && is_flag_of(&f, *at, within))
            at = replace_flag(&f, at);
    }
    return at;
}

static void find_in(struct lower *l, struct pstmt **at) {
    for (; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == PS_FOR && (*at)->accs == NULL && has_loop((*at)->body))
            at = take_flags(l, at);
        find_in(l, &(*at)->body);
        find_in(l, &(*at)->other);
    }
}

void find_flags(struct lower *l) {
    find_in(l, &l->plan->body);
}

/* ---- loops that are left once the flag is set */

static enum walk find_store(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT || s->kind == PS_SPREAD ? WALK_STOP : WALK_IN;
}

struct loop_search {
    const struct pvar *index;
    const struct pstmt *found;
};

static enum walk find_loop_of(const struct pstmt *s, void *arg) {
    struct loop_search *x = arg;
    if (s->kind != PS_FOR || s->var != x->index)
        return WALK_IN;
    x->found = s;
    return WALK_STOP;
}

/* The loop of the block that v is the index of; NULL: of none. */
static const struct pstmt *loop_of(const struct pstmt *loops, const struct pval *v) {
    struct loop_search x = {v->kind == PV_VAR ? v->var : NULL, NULL};
    if (x.index != NULL)
        stmt_walk(loops, &(struct plan_visitor){.stmt = find_loop_of}, &x);
    return x.found != NULL && x.found->step->kind == PV_CONST && x.found->step->i == 1 ? x.found
                                                                                       : NULL;
}

/* v without a number that is added to it: `least`, at least. */
static const struct pval *without_offset(const struct pval *v, int64_t least) {
    bool added = v->kind == PV_OP && v->op == OP_ADD && v->args[1]->kind == PV_CONST &&
                 (int64_t)v->args[1]->i >= 0 && (int64_t)v->args[1]->i <= least;
    return added ? v->args[0] : v;
}

/* Is v 0 or more in all iterations: a number, or an index that begins so, and a number? */
static bool is_not_negative(const struct pstmt *loops, const struct pval *v) {
    const struct pval *base = without_offset(v, INT32_MAX);
    const struct pstmt *loop = loop_of(loops, base);
    return (v->kind == PV_CONST && (int64_t)v->i >= 0) ||
           (loop != NULL && is_not_negative(loops, loop->lo));
}

/* Is index v of a loop below a dimension: does the loop end there, or at an index that is, or
 * behind it? */
static bool is_below(const struct pstmt *loops, const struct pval *v, const struct dim *dim) {
    const struct pstmt *loop = loop_of(loops, v);
    if (loop == NULL)
        return false;
    const struct pval *hi = loop->hi, *index = without_offset(hi, 1);
    return (hi->kind == PV_DIM && hi->operand == dim->index) ||
           (hi->kind == PV_CONST && dim->size >= 0 && (int64_t)hi->i <= dim->size) ||
           is_below(loops, index, dim);
}

struct missing {
    const struct plan *plan;
    const struct pstmt *loops;
};

/* Stops at a loop that may have far more iterations than arrays have elements, of which most may
 * never have been run. */
static enum walk find_long_loop(const struct pstmt *s, void *arg) {
    const struct missing *x = arg;
    if (s->kind != PS_FOR)
        return WALK_IN;
    const struct pval *index = without_offset(s->hi, 1);
    bool ends = s->hi->kind == PV_DIM || loop_of(x->loops, index) != NULL ||
                (s->hi->kind == PV_CONST && (int64_t)s->hi->i <= FEW_STEPS);
    bool begins = s->step->kind == PV_CONST && s->step->i == 1 && is_not_negative(x->loops, s->lo);
    return !ends || !begins ? WALK_STOP : WALK_IN;
}

/* Stops at an element that may not exist in each iteration. */
static enum walk find_missing(const struct pval *v, void *arg) {
    const struct missing *x = arg;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (v->operand >= x->plan->noperands || !is_not_negative(x->loops, v->args[i]) ||
            !is_below(x->loops, v->args[i], x->plan->operands[v->operand].dims[i]))
            return WALK_STOP;
    return WALK_IN;
}

struct jumps {
    const struct pvar *var;
    const struct pstmt *block;
    int sets, leaves;
};

/* Stops at an assignment to the flag without a jump out of the block behind it. */
static enum walk find_unset(const struct pstmt *s, void *jumps) {
    struct jumps *x = jumps;
    bool sets = s->kind == PS_SET && s->var == x->var;
    x->sets += sets;
    x->leaves += s->kind == PS_LEAVE;
    bool leaves = s->next != NULL && s->next->kind == PS_LEAVE && s->next->target == x->block;
    return sets && !leaves ? WALK_STOP : WALK_IN;
}

static enum walk find_jump_out(const struct pstmt *s, void *block) {
    return s->kind == PS_LEAVE && s->target == block ? WALK_STOP : WALK_IN;
}

/* Is what is behind the loop in a block run where the loop does not set the flag, and only there:
 * are jumps out of the block, behind each assignment, all jumps in it? */
static bool is_rest_where_unset(const struct flag *f, const struct pstmt *block,
                                const struct pstmt *loop) {
    struct jumps jumps = {.var = f->var, .block = block};
    return f->kind == FLAG_VALUE &&
           plan_walk(loop->body, &(struct plan_visitor){.stmt = find_unset}, &jumps) &&
           jumps.sets == jumps.leaves &&
           plan_walk(loop->next, &(struct plan_visitor){.stmt = find_jump_out}, (void *)block);
}

/* Whether loops in one another only set one flag, and are left once it is set; the flag becomes of
 * what they set. */
static bool is_left_once_set(struct flag *f, struct pstmt *block, const struct pstmt *loop) {
    const struct plan *p = f->l->plan;
    struct pstmt own = *loop;
    own.next = NULL;
    const int *all = count_mentions(f->l->uc, p, p->body),
              *within = count_mentions(f->l->uc, p, &own);
    int others = 0;
    f->written = find_written(f->l->uc, p, &own);
    f->all = all;
    f->n = p->nvars;
    for (struct pvar *v = p->vars; v != NULL; v = v->next)
        if (f->written[v->id] && within[v->id] < all[v->id]) {
            others += f->var != NULL;
            f->var = v;
        }
    const struct plan_visitor stores = {.stmt = find_store},
                              all_exist = {.stmt = find_long_loop, .value = find_missing};
    struct missing missing = {p, &own};
    return f->var != NULL && others == 0 && is_flag_of(f, loop, within) &&
           plan_walk(loop->body, &stores, NULL) && plan_walk(&own, &all_exist, &missing) &&
           (loop->next == NULL || is_rest_where_unset(f, block, loop));
}

/* Has the loop at *at run all iterations, and what is behind it only where the flag is not set. */
static void run_all(struct flag *f, struct pstmt **at) {
    struct pstmt *loop = *at, *rest = loop->next, *set;
    loop->next = NULL;
    replace_flag(f, at);
    set = loop->next;
    if (rest == NULL)
        return;
    struct pstmt *when = NEW(f->l->uc, struct pstmt);
    *when = (struct pstmt){.kind = PS_IF, .at = set->at, .value = set->value->args[0]};
    set->value = set->value->args[1];
    when->body = set;
    when->other = rest;
    loop->next = when;
}

/* The loop of a block that only assignments come before; it points to NULL: there is none. */
static struct pstmt **loop_in(struct pstmt *block) {
    struct pstmt **at = &block->body;
    while (*at != NULL && ((*at)->kind == PS_SET || (*at)->kind == PS_PUT))
        at = &(*at)->next;
    return *at != NULL && (*at)->kind == PS_FOR && has_loop((*at)->body) ? at : &block->other;
}

static bool flags_left(struct lower *l, bool replaces) {
    bool any = false;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at, **loop = loop_in(s);
        struct flag f = {.l = l, .leaves = true};
        if (s->kind != PS_BLOCK || *loop == NULL || !is_left_once_set(&f, s, *loop))
            continue;
        any = true;
        if (!replaces)
            continue;
        run_all(&f, loop);
        drop_jump(&f, at);
    }
    return any;
}

bool has_flags_left(struct lower *l) {
    return flags_left(l, false);
}

bool run_flags_left(struct lower *l) {
    return flags_left(l, true);
}
