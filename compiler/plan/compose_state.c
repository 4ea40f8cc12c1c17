/* compose_state.c: the states of a loop that is to be composed, what of an iteration they
 * need, and whether other iterations store what it does. */
#include <stdlib.h>

#include "compose.h"
#include "linear.h"

/* ---- slices */

/* What of the body is needed for states, and for stores to operands; *needs: becomes the states
 * that it reads. */
struct pstmt *slice(const struct composing *x, uint32_t states, uint32_t puts, uint32_t *needs) {
    struct slicing s = {.uc = x->l->uc, .nvars = x->l->plan->nvars, .puts = puts};
    s.live = NEWN(x->l->uc, bool, s.nvars + 1);
    for (int i = 0; i < x->n; i++)
        s.live[x->state[i].var->id] = states >> i & 1;
    struct pstmt *list = slice_of(&s, x->loop->body);
    *needs = 0;
    for (int i = 0; i < x->n; i++)
        *needs |= s.live[x->state[i].var->id] ? bit(i) : 0;
    return list;
}

static enum walk add_puts(const struct pstmt *s, void *puts) {
    if (s->kind == PS_PUT)
        *(uint32_t *)puts |= bit(s->operand);
    return WALK_IN;
}

static bool add_state(struct composing *x, const struct pvar *v, bool behind) {
    if (x->n == MAX_STATES || v->imag != NULL || v == x->loop->var)
        return false;
    x->state[x->n++] = (struct state){.var = v, .behind = behind, .array = -1};
    return true;
}

/* Finds the states.  False: they are too many. */
bool find_states(struct composing *x) {
    const struct plan *p = x->l->plan;
    plan_walk(x->loop->body, &(struct plan_visitor){.stmt = add_puts}, &x->puts);
    const bool *written = find_written(x->l->uc, p, x->loop->body);
    const int *behind = count_mentions(x->l->uc, p, x->loop->next);
    struct slicing s = {.uc = x->l->uc, .nvars = p->nvars, .puts = x->puts};
    s.live = NEWN(x->l->uc, bool, p->nvars + 1);
    for (int i = 0; i < p->nvars; i++)
        s.live[i] = written[i] && behind[i] > 0;
    if (written[x->loop->var->id])
        return false;
    for (bool grows = true; grows;) { /* what is live before the body is so behind it */
        struct slicing again = s;
        again.live = NEWN(x->l->uc, bool, p->nvars + 1);
        for (int i = 0; i < p->nvars; i++)
            again.live[i] = s.live[i];
        slice_of(&again, x->loop->body);
        grows = false;
        for (int i = 0; i < p->nvars; i++) {
            grows = grows || (written[i] && again.live[i] && !s.live[i]);
            s.live[i] = s.live[i] || (written[i] && again.live[i]);
        }
    }
    for (const struct pvar *v = p->vars; v != NULL; v = v->next)
        if (s.live[v->id] && !add_state(x, v, behind[v->id] > 0))
            return false;
    for (int i = 0; i < x->n; i++)
        slice(x, bit(i), 0, &x->state[i].needs);
    return x->n > 0;
}

/* All states that a state's value comes from, however many iterations before. */
static uint32_t sources_of(const struct composing *x, int state) {
    uint32_t all = x->state[state].needs;
    for (uint32_t before = 0; before != all;) {
        before = all;
        for (int i = 0; i < x->n; i++)
            all |= before >> i & 1 ? x->state[i].needs : 0;
    }
    return all;
}

/* The states that depend on a state as it does on them, with itself. */
uint32_t together(const struct composing *x, int state) {
    uint32_t all = bit(state), sources = sources_of(x, state);
    for (int i = 0; i < x->n; i++)
        if (sources >> i & 1 && sources_of(x, i) >> state & 1)
            all |= bit(i);
    return all;
}

uint32_t needs_of(const struct composing *x, uint32_t states) {
    uint32_t needs = 0;
    for (int i = 0; i < x->n; i++)
        needs |= states >> i & 1 ? x->state[i].needs : 0;
    return needs;
}

/* ---- values of an iteration */

struct pval *element_at(struct composing *x, int operand, struct pval *index) {
    struct pval *v =
        value_new(x->l, PV_ELEM, x->o != NULL ? x->l->plan->operands[operand].dtype : DT_INT64);
    v->operand = operand;
    v->nargs = index != NULL;
    v->args[0] = index;
    return v;
}

struct copy new_copy(const struct composing *x, const struct pvar *index) {
    struct copy c = {.l = x->l};
    c.vars = NEWN(x->l->uc, struct pvar *, x->nvars + 1);
    c.vars[x->loop->var->id] = (struct pvar *)index;
    return c;
}

void emit_copy(struct composing *x, const struct copy *c, const struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        *x->l->end = copy_stmt(c, s);
        x->l->end = &(*x->l->end)->next;
    }
}

struct pstmt *open_if(struct composing *x, struct pval *condition) {
    struct pstmt *s = stmt_emit(x->l, PS_IF, x->loop->at);
    s->value = condition;
    x->l->end = &s->body;
    return s;
}

void close_if(struct composing *x, struct pstmt *s) {
    x->l->end = &s->next;
}

/* The index of the iteration before. */
const struct pvar *index_before(struct composing *x, const struct pvar *index) {
    struct pval *v = value_op(x->l, OP_SUB, DT_INT64, read(x->l, index), x->loop->step);
    return emit_temporary(x->l, "before", v, x->loop->at)->var;
}

struct pval *is_behind_first(struct composing *x, const struct pvar *index) {
    return value_op(x->l, OP_NE, DT_BOOL, read(x->l, index), x->lo);
}

/* Emits the value of a state that the iteration before set, whatever came before that. */
static struct pval *lagged_value(struct composing *x, int state, const struct pvar *index) {
    struct lower *l = x->l;
    struct pval *v =
        emit_temporary(l, x->state[state].var->name, read(l, x->state[state].var), x->loop->at);
    struct pstmt *s = open_if(x, is_behind_first(x, index));
    const struct pvar *before = index_before(x, index);
    struct copy c = new_copy(x, before);
    uint32_t needs;
    const struct pstmt *own = slice(x, bit(state), 0, &needs);
    x->failed = x->failed || ++x->lags > MAX_LAGS;
    if (!x->failed)
        provide(x, &c, needs, before);
    x->lags--;
    emit_copy(x, &c, own);
    if (c.vars[x->state[state].var->id] != NULL)
        set(l, v->var, read(l, c.vars[x->state[state].var->id]), x->loop->at);
    close_if(x, s);
    return v;
}

void provide(struct composing *x, struct copy *c, uint32_t states, const struct pvar *index) {
    struct lower *l = x->l;
    for (int i = 0; i < x->n; i++) {
        const struct state *s = &x->state[i];
        if (!(states >> i & 1))
            continue;
        struct pval *v;
        if (s->group != NULL)
            v = form_value(l, s->group, s->place);
        else if (s->array >= 0)
            v = element_at(x, s->array, read(l, index));
        else
            v = lagged_value(x, i, index);
        if (s->var->dtype == DT_BOOL && v->dtype != DT_BOOL)
            v = value_op(l, OP_NE, DT_BOOL, v, value_zero(l, v->dtype));
        c->vars[s->var->id] = emit_temporary(l, s->var->name, v, x->loop->at)->var;
    }
}

/* ---- what the loop stores */

static enum walk find_stored(const struct pval *v, void *puts) {
    bool stored = v->kind == PV_ELEM && *(const uint32_t *)puts >> (v->operand & 31) & 1;
    return stored ? WALK_STOP : WALK_IN;
}

static enum walk find_reading(const struct pstmt *s, void *puts) {
    bool reads = !value_walk(s->value, find_stored, puts);
    for (int i = 0; s->place != NULL && i < s->place->nargs; i++)
        reads = reads || !value_walk(s->place->args[i], find_stored, puts);
    return reads ? WALK_STOP : WALK_IN;
}

/* Whether a list reads none of a set of operands. */
static bool reads_none(const struct pstmt *list, uint32_t operands) {
    return plan_walk(list, &(struct plan_visitor){.stmt = find_reading}, &operands);
}

/* The same of what the loop stores. */
bool reads_inputs(const struct composing *x, const struct pstmt *list) {
    return reads_none(list, x->puts);
}

/* An operand that iterations store to at a place of their own: the state that tells it grows, or
 * shrinks, with each store. */
struct counting {
    int operand;
    const struct pval *place; /* that all stores have, of which none may have another's then */
    const struct pvar *count;
    bool only;         /* others may have other places */
    bool down, before; /* it shrinks; it does so before the store */
    bool narrow; /* it may wrap: then each of its values has a store, also those below 0, which no
                    subscript may be */
    bool fails;
    int numbers, sets; /* that have stores; how often the count is set */
};

static bool adds_number(const struct counting *k, const struct pstmt *s, int64_t least) {
    const struct pval *v = s->value;
    return v->kind == PV_OP && v->op == (k->down ? OP_SUB : OP_ADD) && v->args[0]->kind == PV_VAR &&
           v->args[0]->var == s->var && v->args[1]->kind == PV_CONST &&
           (int64_t)v->args[1]->i >= least && v->args[1]->i <= INT32_MAX;
}

static bool is_counting(const struct counting *k, const struct pstmt *s) {
    return s->kind == PS_SET && s->var == k->count && adds_number(k, s, 1);
}

/* Whether the statements of a list behind a store, or before it, add to the count. */
static bool is_counted(const struct counting *k, const struct pstmt *list,
                       const struct pstmt *put) {
    const struct pstmt *s = k->before ? list : put->next, *end = k->before ? put : NULL;
    while (s != end && !is_counting(k, s))
        s = s->next;
    return s != end;
}

/* Is no store before it one for the same number? */
static bool is_first_of_number(const struct counting *k, const struct pstmt *list,
                               const struct pstmt *put) {
    bool first = true;
    for (const struct pstmt *s = list; s != put; s = s->next)
        first = is_counting(k, s) || (first && !(s->kind == PS_PUT && s->operand == k->operand));
    return first;
}

/* The only subscript of a place that is no constant; NULL: there is another one. */
static const struct pval *only_subscript(const struct pval *place) {
    const struct pval *only = NULL;
    for (int i = 0; i < place->nargs; i++) {
        if (only != NULL && place->args[i]->kind != PV_CONST)
            return NULL;
        only = place->args[i]->kind != PV_CONST ? place->args[i] : only;
    }
    return only;
}

/* Has another store of the operand another number, or have other subscripts it? */
static bool is_other_place(const struct pval *a, const struct pval *b) {
    for (int i = 0; i < a->nargs; i++)
        if ((a->args[i]->kind == PV_CONST) != (b->args[i]->kind == PV_CONST))
            return true;
    return !same_value(only_subscript(a), only_subscript(b));
}

static enum walk take_size(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ? WALK_IN : WALK_STOP;
}

bool is_of_sizes(const struct pval *v) {
    return value_walk(v, take_size, NULL);
}

/* The variable that a number is, or is apart from by what stays; NULL: it is another one. */
static const struct pvar *number_by(const struct pval *v) {
    if (v->kind == PV_VAR)
        return v->var;
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB);
    for (int i = 0; i < 2 && sum; i++)
        if (is_of_sizes(v->args[1 - i]))
            return number_by(v->args[i]);
    return NULL;
}

/* The same of a place. */
static const struct pvar *counted_by(struct counting *k, const struct pval *v) {
    bool wraps = v->kind == PV_CAST && is_signed(v->args[0]->dtype);
    k->narrow = k->narrow || wraps;
    return wraps || v->dtype == DT_INT64 ? number_by(wraps ? v->args[0] : v) : NULL;
}

static void look_at_stores(struct counting *k, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        look_at_stores(k, s->body);
        look_at_stores(k, s->other);
        if (s->kind != PS_PUT || s->operand != k->operand ||
            (k->only && !same_value(k->place, s->place)))
            continue;
        const struct pval *number = only_subscript(s->place);
        k->count = number != NULL ? counted_by(k, number) : NULL;
        k->fails = k->fails || k->count == NULL ||
                   (k->place != NULL && is_other_place(k->place, s->place));
        k->place = s->place;
        k->numbers += is_first_of_number(k, list, s);
        k->fails = k->fails || !is_counted(k, list, s);
    }
}

static enum walk look_at_count(const struct pstmt *s, void *arg) {
    struct counting *k = arg;
    if (s->kind != PS_SET || s->var != k->count)
        return WALK_IN;
    k->sets++;
    k->fails = k->fails || !adds_number(k, s, 0) || (k->narrow && s->value->args[1]->i != 1);
    return WALK_IN;
}

/* Whether stores to an operand, those to a place if it is given, are counted; *k: becomes how. */
static bool counts_stores(const struct composing *x, int operand, const struct pval *place,
                          struct counting *k) {
    for (int form = 0; form < 4; form++) {
        *k = (struct counting){.operand = operand, .down = form & 1, .before = form >> 1};
        k->place = place;
        k->only = place != NULL;
        look_at_stores(k, x->loop->body);
        if (!k->fails && k->numbers > 0)
            plan_walk(x->loop->body, &(struct plan_visitor){.stmt = look_at_count}, k);
        if (!k->fails && k->numbers > 0 && (!k->narrow || k->sets == k->numbers))
            return true;
    }
    return false;
}

/* ---- stores from both ends of an array on, as `if x[i] < 0 { y[a] = x[i]; a += 1 } else { y[n - 1
 * - b] = x[i]; b += 1 }` */

struct ends {
    int operand;
    const struct pval *place[2];
    int n;
};

static enum walk find_ends(const struct pstmt *s, void *arg) {
    struct ends *e = arg;
    int i = 0;
    if (s->kind != PS_PUT || s->operand != e->operand)
        return WALK_IN;
    while (i < e->n && !same_value(e->place[i], s->place))
        i++;
    if (i == 2)
        return WALK_STOP;
    e->place[i] = s->place;
    e->n = i == e->n ? i + 1 : e->n;
    return WALK_IN;
}

/* How often an iteration counts at most, by one each time. */
static int most_counted(const struct pstmt *s, const struct counting *k) {
    int n = 0;
    for (; s != NULL; s = s->next) {
        int body = most_counted(s->body, k), other = most_counted(s->other, k);
        n += body > other ? body : other;
        if (s->kind == PS_SET && (s->var == k[0].count || s->var == k[1].count))
            n += s->value->args[1]->i == 1 ? 1 : 2;
    }
    return n;
}

static enum walk find_changed(const struct pval *v, void *written) {
    return v->kind == PV_VAR && ((const bool *)written)[v->var->id] ? WALK_STOP : WALK_IN;
}

/* What a variable has before the loop, made of what stays until its end; NULL: that is not known.
 */
static const struct pval *begin_of(const struct composing *x, const struct pvar *var) {
    const struct pval *v = NULL;
    const struct pstmt *s = x->l->plan->body->body;
    for (bool before = true; s != NULL && before; s = before ? s->next : s) {
        struct pstmt only = *s;
        only.next = NULL;
        bool *written = find_written(x->l->uc, x->l->plan, &only);
        before = s != x->whole;
        if (before && written[var->id])
            v = s->kind == PS_SET ? s->value : NULL;
        if (v != NULL && !value_walk(v, find_changed, written))
            v = NULL;
    }
    return s != NULL ? v : NULL;
}

/* The place of the first store, and whether later ones are behind it.  False: it is not known. */
static bool first_place(const struct composing *x, const struct candidate *c,
                        const struct counting *k, struct linear *first, bool *up) {
    const struct pval *begin = begin_of(x, k->count);
    struct linear from, minus = {.n = 0};
    if (begin == NULL || !linear_of(c, k->place->args[0], first) || !linear_of(c, begin, &from))
        return false;
    int i = linear_place(first, k->count);
    if (i < 0 || i == first->n || first->of[i].dim >= 0 || llabs(first->times[i]) != 1)
        return false;
    int64_t times = first->times[i], step = k->down ? -times : times;
    *up = step > 0;
    first->times[i] = 0;
    first->plus += k->before ? step : 0;
    return linear_subtract(&minus, &from) && linear_subtract(first, times > 0 ? &minus : &from);
}

/* Do places from both ends on never meet, since there are as many between as iterations? */
static bool stores_from_ends(const struct composing *x, int operand) {
    struct ends e = {.operand = operand};
    struct counting k[2];
    struct linear first[2], from, to;
    bool up[2];
    if (!plan_walk(x->loop->body, &(struct plan_visitor){.stmt = find_ends}, &e) || e.n < 2)
        return false;
    for (int i = 0; i < 2; i++)
        if (!counts_stores(x, operand, e.place[i], &k[i]))
            return false;
    struct candidate c = {.uc = x->l->uc, .plan = x->l->plan, .loop = x->loop};
    c.written = NEWN(x->l->uc, bool, count_owned(x->l->plan) + 1);
    for (int i = 0; i < 2; i++)
        if (!first_place(x, &c, &k[i], &first[i], &up[i]))
            return false;
    bool ahead = (int64_t)x->loop->step->i > 0;
    if (k[0].count == k[1].count || up[0] == up[1] || most_counted(x->loop->body, k) > 1 ||
        !linear_of(&c, x->loop->lo, &from) || !linear_of(&c, x->loop->hi, &to) ||
        !linear_subtract(ahead ? &to : &from, ahead ? &from : &to))
        return false;
    struct linear *room = &first[up[0] ? 1 : 0];
    room->plus++;
    return linear_subtract(room, &first[up[0] ? 0 : 1]) &&
           linear_subtract(room, ahead ? &to : &from) && linear_never_negative(&c, *room);
}

/* Whether iterations may store in any order, where they know the states. */
bool may_store(struct composing *x, const struct pstmt *list, uint32_t needs) {
    struct lower *l = x->l;
    uint32_t others = x->puts;
    for (int k = 0; k < UFC_MAX_OPERANDS / 2; k++)
        if (x->puts >> k & 1 &&
            (counts_stores(x, k, NULL, &(struct counting){0}) || stores_from_ends(x, k)))
            others &= ~bit(k);
    if (!reads_none(list, x->puts & ~others))
        return false;
    if (others == 0)
        return true;
    uint32_t own;
    struct pstmt *loop = NEW(l->uc, struct pstmt), **end = l->end;
    *loop = *x->loop;
    loop->next = NULL;
    l->end = &loop->body;
    for (int i = 0; i < x->n; i++)
        if (needs >> i & 1)
            set(l, x->state[i].var, value_zero(l, x->state[i].var->dtype), loop->at);
    *l->end = slice(x, 0, others, &own);
    l->end = end;
    struct sharer s = {.uc = l->uc, .plan = l->plan};
    s.mentions = count_mentions(l->uc, l->plan, loop);
    return are_others_apart(&s, loop, find_written(l->uc, l->plan, loop->body));
}
