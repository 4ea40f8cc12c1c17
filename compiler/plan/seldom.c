/* seldom.c: ordered loops most of whose iterations do nothing, as that of the greatest elements:
 *
 *     for i in 0..n { var v = x[i]; for k in 0..5 { if v > best[k] { exchange v and best[k] } } }
 *
 * Whether an iteration does something is asked of many next ones at once, with what variables and
 * arrays are.  Those before the first one that does are done; that one runs, and those behind it
 * are asked again:
 *
 *     while at < n { i = least in at..at + width of those that do something; iteration i; at = i +
 * 1 }
 *
 * So each iteration that runs finds what it would, and those that do not would change nothing.
 * What is asked of an iteration reads elements alone that are there whatever variables are.  The
 * width doubles where none is found, and where all are, iterations run without being asked. */
#include "apart.h"
#include "linear.h"
#include "split.h"

enum {
    WINDOW = 2048,   /* the iterations that are asked at once, at most, of a short loop, */
    NARROW = 32,     /* and at least */
    WINDOWS = 64,    /* how many windows a long loop has: several blocks may share each */
    APART = 1 << 20, /* between where windows begin, for forecasts of what they read */
    CLOSE = 16,      /* as far apart iterations that run are dense */
    BURST = 256,     /* iterations that run unasked then, at most */
    FOUND = 64,      /* rounds in which iterations are found, of any length: an assumption */
    MIN_ITERATIONS = 64,
    MAX_VARS = 256, /* of a plan, all of which each loop looks through */
    FEW_PLACES = 32 /* of an array that iterations go through to change it */
};

struct seldom {
    const struct sharer *x;
    struct plan *plan; /* where it gets variables, beside */
    int nvars;         /* those that it had before */
    const struct pstmt *loop;
    const bool *written;  /* by number: variables that the loop sets, and local arrays */
    bool *carried;        /* those that an iteration has from earlier ones, or leaves, */
    bool *made;           /* and those that are made of them */
    uint32_t stored;      /* operands, a bit each */
    bool changed, failed; /* these are not yet complete; it is no such loop */
    struct pvar *first;   /* the index of the first iteration found */
};

/* ---- what an iteration has of its own */

struct reading {
    struct seldom *s;
    const bool *set;
};

static enum walk note_read(const struct pval *v, void *arg) {
    const struct reading *r = arg;
    if (v->kind == PV_VAR && r->s->written[v->var->id] && !r->set[v->var->id] &&
        !r->s->carried[v->var->id])
        r->s->carried[v->var->id] = r->s->changed = true;
    return WALK_IN;
}

static bool *copy_set(const struct seldom *s, const bool *set) {
    int n = s->x->plan->nvars;
    bool *own = NEWN(s->x->uc, bool, n + 1);
    for (int i = 0; i < n; i++)
        own[i] = set[i];
    return own;
}

static enum walk find_itself(const struct pstmt *s, void *block) {
    return s == block ? WALK_STOP : WALK_IN;
}

static enum walk find_way_out(const struct pstmt *s, void *block) {
    bool out = s->kind == PS_LEAVE &&
               stmt_walk(block, &(struct plan_visitor){.stmt = find_itself}, s->target);
    return out ? WALK_STOP : WALK_IN;
}

/* Does a block, as that of a loop which ends at some element, end behind itself? */
static bool stays_within(struct pstmt *block) {
    return block->kind != PS_BLOCK ||
           stmt_walk(block, &(struct plan_visitor){.stmt = find_way_out}, block);
}

/* Finds variables that are read where this iteration has not surely set them. */
static void find_carried(struct seldom *s, struct pstmt *list, bool *set) {
    for (; list != NULL; list = list->next) {
        struct reading r = {s, set};
        stmt_values(list, note_read, &r);
        switch (list->kind) {
        case PS_SET: set[list->var->id] = true; break;
        case PS_PUT:
            s->stored |= list->operand < s->x->plan->noperands ? UINT32_C(1) << list->operand : 0;
            s->failed = s->failed || list->merged || list->operand >= s->x->plan->noperands;
            break;
        case PS_FOR: {
            bool *in = copy_set(s, set);
            s->failed = s->failed || list->shared != NULL || list->accs != NULL;
            in[list->var->id] = true;
            find_carried(s, list->body, in);
            break;
        }
        case PS_BLOCK:
        case PS_LOOP:
        case PS_IF:
            s->failed = s->failed || !stays_within(list);
            find_carried(s, list->body, copy_set(s, set));
            find_carried(s, list->other, copy_set(s, set));
            break;
        case PS_LEAVE: break;
        default: s->failed = true; break;
        }
    }
}

/* ---- what is asked */

/* Does a statement do something that is seen outside of the iteration? */
static bool has_effect(const struct seldom *s, const struct pstmt *at) {
    return at->kind == PS_PUT || (at->kind == PS_SET && s->carried[at->var->id]);
}

/* Has what comes to a list surely an effect? */
static bool has_always(const struct seldom *s, const struct pstmt *list) {
    while (list != NULL && !has_effect(s, list) &&
           !(list->kind == PS_IF && has_always(s, list->body) && has_always(s, list->other)))
        list = list->next;
    return list != NULL;
}

static enum walk find_effect(const struct pstmt *s, void *seldom) {
    return has_effect(seldom, s) ? WALK_STOP : WALK_IN;
}

static struct pval *call_of(struct uc *uc, enum builtin_id id, struct pval *a, struct pval *b) {
    struct pval *v = NEW(uc, struct pval);
    *v = (struct pval){
        .kind = PV_CALL, .dtype = DT_INT64, .builtin = &builtins[id], .nargs = 2, .args = {a, b}};
    return v;
}

static struct pstmt *set_to(struct uc *uc, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .var = var, .value = v, .at = at};
    return s;
}

/* A list with `found` for those in it that surely have an effect, of which nothing else is asked.
 */
static struct pstmt *asked(const struct seldom *s, const struct pstmt *list, bool found) {
    struct uc *uc = s->x->uc;
    struct pstmt *first = NULL, **end = &first;
    struct pval *index = plan_read(uc, s->loop->var);
    if (has_always(s, list))
        return found ? set_to(uc, s->first, call_of(uc, B_MIN, plan_read(uc, s->first), index),
                              list->at)
                     : NULL;
    for (; list != NULL; list = list->next) {
        struct pstmt *own = *end = NEW(uc, struct pstmt);
        *own = *list;
        own->next = NULL;
        own->body = asked(s, list->body, found);
        own->other = asked(s, list->other, found);
        end = &own->next;
    }
    return first;
}

/* ---- whether it may be */

struct accessing {
    const struct seldom *s;
    const struct candidate *c;
};

static enum walk find_outside(const struct pval *v, void *arg) {
    const struct accessing *a = arg;
    const struct plan *p = a->s->x->plan;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (v->operand >= p->noperands ||
            !is_always_within(a->c, v->args[i], p->operands[v->operand].dims[i]))
            return WALK_STOP;
    return WALK_IN;
}

static enum walk find_unsettled(const struct pval *v, void *arg) {
    const struct seldom *s = arg;
    bool known = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                 v->kind == PV_CALL || (v->kind == PV_VAR && !s->written[v->var->id]);
    return known ? WALK_IN : WALK_STOP;
}

/* Stops at loops of an iteration that may have any number of iterations. */
static enum walk find_long(const struct pstmt *s, void *seldom) {
    if (s->kind == PS_BLOCK || s->kind == PS_LOOP)
        return WALK_STOP;
    bool known = s->kind != PS_FOR || (value_walk(s->lo, find_unsettled, seldom) &&
                                       value_walk(s->hi, find_unsettled, seldom) &&
                                       s->step->kind == PV_CONST && s->step->i != 0);
    return known ? WALK_IN : WALK_STOP;
}

/* Whether all of what is asked may be of any iteration: what it reads is there. */
static bool may_be_asked(const struct seldom *s) {
    struct pstmt *loop = NEW(s->x->uc, struct pstmt);
    struct sharer own = *s->x;
    *loop = *s->loop;
    loop->next = NULL;
    loop->body = asked(s, s->loop->body, false);
    if (!plan_walk(loop->body, &(struct plan_visitor){.stmt = find_long}, (void *)s))
        return false;
    own.mentions = count_mentions(own.uc, own.plan, loop);
    struct accessing a = {s, find_candidate(&own, loop)};
    return a.c != NULL && plan_walk(loop->body, &(struct plan_visitor){.value = find_outside}, &a);
}

static enum walk find_changing(const struct pval *v, void *arg) {
    const struct seldom *s = arg;
    bool is = (v->kind == PV_VAR && (s->carried[v->var->id] || s->made[v->var->id])) ||
              (v->kind == PV_ELEM && s->stored >> v->operand & 1);
    return is ? WALK_STOP : WALK_IN;
}

static enum walk note_made(const struct pstmt *at, void *arg) {
    struct seldom *s = arg;
    if (at->kind == PS_SET && !s->made[at->var->id] && !value_walk(at->value, find_changing, s))
        s->made[at->var->id] = s->changed = true;
    return WALK_IN;
}

static void find_made(struct seldom *s) {
    s->made = NEWN(s->x->uc, bool, s->x->plan->nvars + 1);
    do {
        s->changed = false;
        plan_walk(s->loop->body, &(struct plan_visitor){.stmt = note_made}, s);
    } while (s->changed);
}

/* Whether all that has an effect is under a condition of what earlier iterations have changed,
 * which then holds less and less often. */
static bool is_seldom(const struct seldom *s, const struct pstmt *list) {
    for (; list != NULL; list = list->next) {
        bool tests = list->kind == PS_IF && !value_walk(list->value, find_changing, (void *)s);
        bool many = list->kind == PS_FOR &&
                    (constant_steps(list) < 0 || constant_steps(list) > FEW_PLACES) &&
                    !plan_walk(list->body, &(struct plan_visitor){.stmt = find_effect}, (void *)s);
        if (many || has_effect(s, list) ||
            (!tests && (!is_seldom(s, list->body) || !is_seldom(s, list->other))))
            return false;
    }
    return true;
}

static enum walk take_size(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

static bool match(struct seldom *s, const struct sharer *x, const struct pstmt *loop) {
    const struct plan *p = x->plan;
    *s = (struct seldom){.x = x, .loop = loop, .nvars = p->nvars};
    int64_t steps = loop->kind == PS_FOR ? constant_steps(loop) : 0;
    if (loop->kind != PS_FOR || loop->shared != NULL || loop->accs != NULL ||
        loop->step->kind != PV_CONST || loop->step->i != 1 ||
        (steps >= 0 && steps < MIN_ITERATIONS) || !value_walk(loop->lo, take_size, NULL) ||
        !value_walk(loop->hi, take_size, NULL))
        return false;
    s->written = find_written(x->uc, p, loop->body);
    s->carried = NEWN(x->uc, bool, p->nvars + 1);
    const int *in = count_mentions(x->uc, p, loop->body);
    for (int i = 0; i < p->nvars; i++)
        s->carried[i] = s->written[i] && in[i] != x->mentions[i];
    if (s->written[loop->var->id])
        return false;
    do {
        s->changed = false;
        find_carried(s, loop->body, NEWN(x->uc, bool, p->nvars + 1));
    } while (s->changed);
    find_made(s);
    return !s->failed && !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_effect}, s) &&
           is_seldom(s, loop->body) && !has_always(s, loop->body) && may_be_asked(s);
}

/* ---- what it becomes */

static struct pval *operation(struct uc *uc, enum op op, struct pval *a, struct pval *b) {
    bool compares = op == OP_LT || op == OP_LE || op == OP_EQ;
    return plan_operation(uc, op, compares ? DT_BOOL : DT_INT64, a, b);
}

static struct pstmt *statement(struct uc *uc, enum pstmt_kind kind, struct span at) {
    struct pstmt *s = NEW(uc, struct pstmt);
    s->kind = kind;
    s->at = at;
    return s;
}

/* What the rounds have: where the next one begins, how many iterations it asks, and how many run
 * unasked behind one that is found. */
struct rounds {
    struct pvar *round, *at, *width, *end, *burst, *stop, *other;
    struct pval *most, *last; /* the width, at most; and the last round's number */
};

static struct pval *iterations(const struct seldom *s) {
    bool from_zero = s->loop->lo->kind == PV_CONST && s->loop->lo->i == 0;
    return from_zero ? s->loop->hi : operation(s->x->uc, OP_SUB, s->loop->hi, s->loop->lo);
}

/* The index that is so many behind another one of the loop, or the loop's end: a sum of both might
 * wrap. */
static struct pval *behind_some(const struct seldom *s, struct pval *index, struct pval *some) {
    struct uc *uc = s->x->uc;
    struct pval *left = operation(uc, OP_SUB, s->loop->hi, index);
    return operation(uc, OP_ADD, index, call_of(uc, B_MIN, some, left));
}

static struct pvar *own_variable(const struct seldom *s, const struct pvar *var) {
    return plan_variable(s->x->uc, s->plan, var->name, var->dtype);
}

/* Gives a list, which has statements of its own, variables of its own for those that an iteration
 * sets for itself.  So those of the loop that runs what is found are its own: as far as others see,
 * it is the call's first thread's alone. */
static void set_apart(struct seldom *s, struct pstmt *list, struct pstmt *in) {
    for (; in != NULL; in = in->next) {
        struct pvar *var = in->var;
        if (var != NULL && var->id < s->nvars && s->written[var->id] && !s->carried[var->id])
            set_another(s->x->uc, list, var, own_variable(s, var));
        set_apart(s, list, in->body);
        set_apart(s, list, in->other);
    }
}

/* The least index in at..end of an iteration that has an effect; else end. */
static struct pstmt *ask(struct seldom *s, struct rounds *r) {
    struct uc *uc = s->x->uc;
    struct pstmt loop = *s->loop, *spread;
    loop.lo = plan_read(uc, r->at);
    loop.hi = plan_read(uc, r->end);
    loop.body = asked(s, s->loop->body, true);
    spread = spread_of(s->x, &loop);
    struct pval *n = iterations(s), *rounds = operation(uc, OP_ADD, r->last, plan_number(uc, 1)),
                *before = operation(uc, OP_MUL, plan_read(uc, r->round), plan_number(uc, APART));
    struct prange *range = spread->ranges;
    range->about = s->loop;
    range->about_lo = operation(uc, OP_ADD, s->loop->lo, before);
    range->about_hi = operation(
        uc, OP_ADD, operation(uc, OP_ADD, (struct pval *)range->about_lo, plan_number(uc, 1)),
        operation(uc, OP_FLOORDIV, n, rounds));
    spread->accs = NEW(uc, struct pacc);
    *spread->accs = (struct pacc){.acc = s->first, .other = r->other};
    spread->joined =
        set_to(uc, s->first, call_of(uc, B_MIN, plan_read(uc, s->first), plan_read(uc, r->other)),
               loop.at);
    return spread;
}

/* What an iteration that is found runs, and those behind it. */
static struct pstmt *run_found(struct seldom *s, struct rounds *r) {
    struct uc *uc = s->x->uc;
    struct span at = s->loop->at;
    struct pstmt *loop = copy_statements(uc, s->loop, s->loop->next, NULL, NULL);
    set_apart(s, loop->body, loop->body);
    set_another(uc, loop, s->loop->var, own_variable(s, s->loop->var));
    struct pval *first = plan_read(uc, s->first),
                *gap = operation(uc, OP_SUB, first, plan_read(uc, r->at));
    struct pval *one = plan_number(uc, 1);
    struct pval *more = operation(uc, OP_ADD, plan_read(uc, r->burst),
                                  operation(uc, OP_ADD, plan_read(uc, r->burst), one));
    struct pstmt *dense = statement(uc, PS_IF, at), *list;
    dense->value = operation(uc, OP_LT, gap, plan_number(uc, CLOSE));
    dense->body = set_to(uc, r->burst, call_of(uc, B_MIN, more, plan_number(uc, BURST)), at);
    dense->other = set_to(uc, r->burst, plan_number(uc, 0), at);
    struct pval *twice = operation(uc, OP_ADD, gap, gap);
    list = dense;
    list->next =
        set_to(uc, r->width,
               call_of(uc, B_MIN, r->most, call_of(uc, B_MAX, twice, plan_number(uc, NARROW))), at);
    list->next->next =
        set_to(uc, r->stop,
               behind_some(s, first, operation(uc, OP_ADD, plan_read(uc, r->burst), one)), at);
    list->next->next->next = loop;
    loop->lo = first;
    loop->hi = plan_read(uc, r->stop);
    loop->next = set_to(uc, r->at, plan_read(uc, r->stop), at);
    return list;
}

/* A round. */
static struct pstmt *one_round(struct seldom *s, struct rounds *r) {
    struct uc *uc = s->x->uc;
    struct span at = s->loop->at;
    struct pstmt *list =
        set_to(uc, r->end, behind_some(s, plan_read(uc, r->at), plan_read(uc, r->width)), at);
    list->next = set_to(uc, s->first, plan_read(uc, r->end), at);
    list->next->next = ask(s, r);
    struct pstmt *found = list->next->next->next = statement(uc, PS_IF, at);
    found->value = operation(uc, OP_LT, plan_read(uc, s->first), plan_read(uc, r->end));
    found->rare = true;
    found->body = run_found(s, r);
    found->other = set_to(uc, r->at, plan_read(uc, r->end), at);
    found->other->next =
        set_to(uc, r->width,
               call_of(uc, B_MIN, r->most,
                       operation(uc, OP_ADD, plan_read(uc, r->width), plan_read(uc, r->width))),
               at);
    return list;
}

struct spacing {
    const struct seldom *s;
    const struct pvar *last; /* the variable asked about */
    const struct pval *gap;  /* NULL: none was found */
};

static enum walk find_last(const struct pstmt *set, void *spacing) {
    const struct spacing *x = spacing;
    bool is = set->kind == PS_SET && set->var == x->last && set->value->kind == PV_VAR &&
              set->value->var == x->s->loop->var;
    return is ? WALK_STOP : WALK_IN;
}

/* Stops at `i - last >= gap`, where an iteration that runs sets `last` to its index. */
static enum walk find_gap(const struct pval *v, void *spacing) {
    struct spacing *x = spacing;
    const struct pval *from = v->kind == PV_OP && v->op == OP_GE ? v->args[0] : NULL;
    if (from == NULL || from->kind != PV_OP || from->op != OP_SUB ||
        from->args[0]->kind != PV_VAR || from->args[0]->var != x->s->loop->var ||
        from->args[1]->kind != PV_VAR || v->args[1]->kind != PV_CONST ||
        (int64_t)v->args[1]->i <= 1)
        return WALK_IN;
    x->last = from->args[1]->var;
    if (plan_walk(x->s->loop->body, &(struct plan_visitor){.stmt = find_last}, x))
        return WALK_IN;
    x->gap = v->args[1];
    return WALK_STOP;
}

/* The rounds, less one, in which iterations are found, of n: where those that run are a distance
 * apart, as many as have room. */
static struct pval *times_found(const struct seldom *s, struct pval *n) {
    struct uc *uc = s->x->uc;
    struct spacing x = {.s = s};
    plan_walk(s->loop->body, &(struct plan_visitor){.value = find_gap}, &x);
    return x.gap == NULL ? plan_number(uc, FOUND - 1)
                         : operation(uc, OP_FLOORDIV, n, (struct pval *)(uintptr_t)x.gap);
}

/* The loop as rounds, as many as there are windows, and some; the last one goes on to the end. */
static struct pstmt *in_rounds(struct seldom *s, struct plan *p) {
    struct uc *uc = s->x->uc;
    struct span at = s->loop->at;
    struct rounds r;
    s->plan = p;
    r.round = plan_variable(uc, p, "round", DT_INT64);
    r.at = plan_variable(uc, p, "at", DT_INT64);
    r.width = plan_variable(uc, p, "width", DT_INT64);
    r.end = plan_variable(uc, p, "end", DT_INT64);
    r.burst = plan_variable(uc, p, "burst", DT_INT64);
    r.stop = plan_variable(uc, p, "stop", DT_INT64);
    r.other = plan_variable(uc, p, "other", DT_INT64);
    s->first = plan_variable(uc, p, "first", DT_INT64);
    struct pval *n = iterations(s); /* below 0 where there are none, of which no round is missed */
    r.most = call_of(uc, B_MAX, plan_number(uc, WINDOW),
                     operation(uc, OP_FLOORDIV, n, plan_number(uc, WINDOWS)));
    struct pval *windows = operation(uc, OP_FLOORDIV, n, r.most);
    r.last = operation(uc, OP_ADD, windows, times_found(s, n));
    struct pstmt *block = statement(uc, PS_BLOCK, at), *loop = statement(uc, PS_LOOP, at),
                 *test = statement(uc, PS_IF, at), *leave = statement(uc, PS_LEAVE, at),
                 *again = statement(uc, PS_IF, at), *rounds = statement(uc, PS_FOR, at);
    block->body = loop;
    loop->rare = true;
    loop->body = test;
    leave->target = block;
    test->value = operation(uc, OP_LT, plan_read(uc, r.at), s->loop->hi);
    test->body = one_round(s, &r);
    test->other = leave;
    test->next = again;
    again->value = operation(uc, OP_LT, plan_read(uc, r.round), r.last);
    again->body = statement(uc, PS_LEAVE, at);
    again->body->target = block;
    rounds->var = r.round;
    rounds->lo = plan_number(uc, 0);
    rounds->hi = operation(uc, OP_ADD, r.last, plan_number(uc, 1));
    rounds->step = plan_number(uc, 1);
    rounds->body = block;
    struct pstmt *list = set_to(uc, r.at, s->loop->lo, at);
    list->next = set_to(uc, r.width, plan_number(uc, NARROW), at);
    list->next->next = set_to(uc, r.burst, plan_number(uc, 0), at);
    list->next->next->next = rounds;
    return list;
}

static enum walk find_reset(const struct pstmt *at, void *seldom) {
    const struct seldom *s = seldom;
    if (at == s->loop)
        return WALK_PAST;
    return has_effect(s, at) && (at->kind == PS_SET || s->stored >> at->operand & 1) ? WALK_STOP
                                                                                     : WALK_IN;
}

/* Does a loop go on with what it has left in an earlier iteration of the loop around?  Where it
 * begins anew it does more. */
static bool goes_on(const struct seldom *s) {
    const struct enclosing *around = s->x->around;
    return around == NULL ||
           plan_walk(around->loop->body, &(struct plan_visitor){.stmt = find_reset}, (void *)s);
}

/* Has such loops of a list in rounds, and those in its ordered ones. */
static bool skip_list(struct sharer *x, struct toucher *sets, struct plan *p, struct pstmt *list) {
    bool any = false;
    for (struct pstmt *s = list; s != NULL && p->nvars <= MAX_VARS; s = s->next) {
        const struct enclosing *around = x->around, in = {s, around};
        struct seldom own;
        if (s->kind != PS_FOR)
            continue;
        if (match(&own, x, s) && goes_on(&own)) {
            s->shared = in_rounds(&own, p);
            s->turned = any = true;
            *sets = toucher_new(x->uc, p);
            x->mentions = count_mentions(x->uc, p, p->body);
        } else if (s->shared == NULL && s->accs == NULL) {
            x->around = &in;
            any = skip_list(x, sets, p, s->body) || any;
            x->around = around;
        }
    }
    return any;
}

bool skip_iterations(struct uc *uc, struct plan *p) {
    struct toucher sets = toucher_new(uc, p);
    struct sharer x = {
        .uc = uc, .plan = p, .sets = &sets, .mentions = count_mentions(uc, p, p->body)};
    return skip_list(&x, &sets, p, p->body->body);
}
