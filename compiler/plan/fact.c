/* fact.c: what is known of a variable that a loop does not set, from all that sets it: that it
 * is a power of two, and how much it is at least, such as the strides of a butterfly's stages. */
#include "apart.h"
#include "radix.h"

/* ---- powers of two */

/* Is a number 0, or a power of two, or minus one?  All that follows of such numbers is one, too:
 * what wraps becomes one of these, and quotients, rounded down, are. */
static bool is_power_number(const struct pval *v) {
    uint64_t n = v->i, minus = -n;
    return (n & (n - 1)) == 0 || (minus & (minus - 1)) == 0;
}

/* Is a value one, if the variables are of which `power` says so? */
static bool is_power_value(const struct facts *f, const struct pval *v) {
    if (v->dtype != DT_INT64)
        return false;
    if (v->kind == PV_CONST)
        return is_power_number(v);
    if (v->kind == PV_VAR)
        return f->power[v->var->id];
    if (v->kind != PV_OP || !is_power_value(f, v->args[0]))
        return false;
    switch (v->op) {
    case OP_NEG:
    case OP_SHL:
    case OP_SHR: return true;
    case OP_MUL:
    case OP_FLOORDIV: return is_power_value(f, v->args[1]);
    default: return false;
    }
}

struct finding {
    struct facts *facts;
    bool changed;
};

static enum walk note_index(const struct pstmt *s, void *arg) {
    struct facts *f = arg;
    if (s->kind == PS_FOR)
        f->index[s->var->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        f->index[r->var->id] = true;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        f->index[a->acc->id] = f->index[a->other->id] = true;
    if (s->kind == PS_SET)
        f->power[s->var->id] = f->moved[s->var->id] = true;
    return WALK_IN;
}

static enum walk refute_power(const struct pstmt *s, void *arg) {
    struct finding *x = arg;
    bool *power = s->kind == PS_SET ? &x->facts->power[s->var->id] : NULL;
    if (power != NULL && *power && !is_power_value(x->facts, s->value)) {
        *power = false;
        x->changed = true;
    }
    return WALK_IN;
}

struct facts *facts_new(struct uc *uc, const struct plan *p) {
    struct facts *f = NEW(uc, struct facts);
    struct finding x = {f, true};
    *f = (struct facts){.plan = p,
                        .only = toucher_new(uc, p).only,
                        .index = NEWN(uc, bool, p->nvars + 1),
                        .moved = NEWN(uc, bool, p->nvars + 1),
                        .power = NEWN(uc, bool, p->nvars + 1)};
    plan_walk(p->body, &(struct plan_visitor){.stmt = note_index}, f);
    for (int i = 0; i < p->nvars; i++) {
        f->power[i] = f->power[i] && !f->index[i];
        f->moved[i] = f->moved[i] && f->index[i];
        f->only[i] = f->index[i] ? NULL : f->only[i];
    }
    while (x.changed) {
        x.changed = false;
        plan_walk(p->body, &(struct plan_visitor){.stmt = refute_power}, &x);
    }
    return f;
}

/* ---- where a statement stands */

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->var == var ? WALK_STOP : WALK_IN;
}

static bool sets(const struct pstmt *s, const struct pvar *var) {
    return !stmt_walk(s, &(struct plan_visitor){.stmt = find_set}, (void *)var);
}

/* A search for a statement, and for what conditions around it say of a variable that is the same
 * there as where they were tested. */
struct search {
    const struct facts *facts;
    const struct pvar *var;
    bool (*is_target)(const struct pstmt *s, const struct pvar *target);
    const struct pvar *target;
    bool same;             /* the variable is, so far */
    bool least, bounded;   /* its value is at least `number`; at most an output's dimension */
    int64_t number, turns; /* how often the loops around run; 0: not known */
};

static bool is_loop_of(const struct pstmt *s, const struct pvar *var) {
    return s->kind == PS_FOR && s->var == var;
}

/* Is a value at most a dimension of an array that is in memory? */
static bool is_size(const struct plan *p, const struct pval *v) {
    bool less = v->kind == PV_OP && v->args[1 % v->nargs]->kind == PV_CONST &&
                (int64_t)v->args[1 % v->nargs]->i >= (v->op == OP_FLOORDIV) &&
                (v->op == OP_SUB || v->op == OP_FLOORDIV || v->op == OP_SHR);
    bool size = false;
    for (int k = p->nin; v->kind == PV_DIM && !size && k < p->noperands; k++)
        for (int i = 0; i < p->operands[k].rank; i++)
            size = size || p->operands[k].dims[i]->index == v->operand;
    return size || (less && is_size(p, v->args[0]));
}

/* What a condition that holds says of the variable. */
static void take_condition(struct search *x, const struct pval *v) {
    if (v->kind != PV_OP || v->nargs != 2)
        return;
    if (v->op == OP_LAND) {
        take_condition(x, v->args[0]);
        take_condition(x, v->args[1]);
        return;
    }
    bool left = v->args[0]->kind == PV_VAR && v->args[0]->var == x->var;
    const struct pval *other = v->args[left];
    if (!left && !(v->args[1]->kind == PV_VAR && v->args[1]->var == x->var))
        return;
    bool above = left ? v->op == OP_GT || v->op == OP_GE : v->op == OP_LT || v->op == OP_LE;
    bool below = left ? v->op == OP_LT || v->op == OP_LE : v->op == OP_GT || v->op == OP_GE;
    bool equal = v->op == OP_GE || v->op == OP_LE;
    if (above && other->kind == PV_CONST && (int64_t)other->i < MAX_FACTOR) {
        int64_t n = (int64_t)other->i + !equal;
        x->number = x->least && x->number > n ? x->number : n;
        x->least = true;
    }
    x->bounded = x->bounded || (below && is_size(x->facts->plan, other));
}

/* ---- loops that end soon */

/* Of an array's size, which memory has. */
enum { HALVINGS = 50, BEGIN_BITS = 9 };

struct halving {
    const struct plan *plan;
    const struct pvar *var;
    bool is;
};

/* Is a value at most half of the variable's? */
static bool is_halved(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_OP && (v->op == OP_FLOORDIV || v->op == OP_SHR) &&
           v->args[0]->kind == PV_VAR && v->args[0]->var == var && v->args[1]->kind == PV_CONST &&
           (int64_t)v->args[1]->i >= 1 + (v->op == OP_FLOORDIV);
}

static enum walk refute_halving(const struct pstmt *s, void *arg) {
    struct halving *x = arg;
    bool number = s->kind == PS_SET && s->value->kind == PV_CONST && s->value->i <= INT32_MAX;
    bool small = number || (s->kind == PS_SET && is_size(x->plan, s->value));
    x->is =
        x->is && (s->var != x->var || small || (s->kind == PS_SET && is_halved(s->value, x->var)));
    return WALK_IN;
}

static enum walk refute_halved(const struct pstmt *s, void *arg) {
    struct halving *x = arg;
    x->is = x->is && (s->var != x->var || (s->kind == PS_SET && is_halved(s->value, x->var)));
    return WALK_IN;
}

/* Does a list set a variable other than to a half of it? */
static bool resets(const struct pstmt *list, const struct pvar *var) {
    struct halving x = {NULL, var, true};
    plan_walk(list, &(struct plan_visitor){.stmt = refute_halved}, &x);
    return !x.is;
}

/* Does a loop end as soon as a number has been halved down to 0?  It begins with an array's size,
 * or a constant. */
static bool halves(const struct plan *p, const struct pstmt *loop) {
    const struct pstmt *test = loop->body;
    bool is = loop->kind == PS_LOOP && test != NULL && test->kind == PS_IF && test->next == NULL;
    const struct pval *v = is ? test->value : NULL;
    is = is && v->kind == PV_OP && (v->op == OP_GT || v->op == OP_GE) &&
         v->args[0]->kind == PV_VAR && v->args[1]->kind == PV_CONST &&
         (int64_t)v->args[1]->i >= (v->op == OP_GE) && test->other != NULL &&
         test->other->kind == PS_LEAVE &&
         plan_walk(test->body, &(struct plan_visitor){.stmt = find_leave}, NULL);
    if (!is)
        return false;
    struct halving x = {p, v->args[0]->var, true};
    int own = 0;
    for (const struct pstmt *s = test->body; s != NULL; s = s->next) {
        own += s->kind == PS_SET && s->var == x.var && is_halved(s->value, x.var);
        x.is = x.is && (own > 0 || s->var != x.var);
    }
    plan_walk(p->body, &(struct plan_visitor){.stmt = refute_halving}, &x);
    return own > 0 && x.is && !resets(test->body, x.var);
}

/* Looks for the target in a list, from the inside of the plan to the outside. */
static bool find_target(struct search *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        bool found = x->is_target(s, x->target), loop = s->kind == PS_FOR || s->kind == PS_LOOP;
        bool within = !found;
        for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !found; i++) {
            found = find_target(x, *lists[i]);
            if (found && s->kind == PS_IF && lists[i] == &s->body && x->same)
                take_condition(x, s->value);
        }
        if (!found)
            continue;
        const struct prange r = {.lo = s->lo, .hi = s->hi, .step = s->step};
        int64_t turns = !within || !loop            ? 1
                        : s->kind == PS_FOR         ? constant_points(&r)
                        : halves(x->facts->plan, s) ? HALVINGS
                                                    : 0;
        x->turns = turns < MAX_FACTOR && x->turns < MAX_FACTOR ? x->turns * turns : 0;
        x->same = x->same && !(within && loop && sets(s, x->var));
        for (const struct pstmt *before = list; before != s; before = before->next)
            x->same = x->same && !sets(before, x->var);
        return true;
    }
    return false;
}

/* ---- the least value */

/* By how many bits a value that is one of the variable's may be longer than the variable; -1: it
 * may be less than that, or is something else. */
static int growth(const struct pval *v, const struct pvar *var) {
    bool binary = v->kind == PV_OP && v->nargs == 2;
    for (int i = 0; binary && i < 2; i++) {
        const struct pval *own = v->args[i], *by = v->args[1 - i];
        int64_t n = (int64_t)by->i;
        if (own->kind != PV_VAR || own->var != var || by->kind != PV_CONST || n < 0 || n > 256)
            continue;
        if (v->op == OP_MUL && n >= 1)
            return n == 1 ? 0 : 64 - __builtin_clzll((uint64_t)n - 1);
        if (v->op == OP_SHL && i == 0 && n <= 8)
            return (int)n;
    }
    return -1;
}

/* A set of the variable that makes it grow. */
static bool is_growth(const struct pstmt *s, const struct pvar *var) {
    return s->kind == PS_SET && s->var == var && growth(s->value, var) >= 0;
}

/* The statement, or the list that it begins, in which a loop is, and before which a variable is set
 * last; NULL: that is not to 1, or a bit more. */
struct home {
    const struct pvar *var;
    const struct pstmt *loop, *in;
    bool known; /* what sets it last */
};

static bool find_home(struct home *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        bool found = is_loop_of(s, x->loop->var);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0] && !found; i++)
            found = find_home(x, *lists[i]);
        if (!found)
            continue;
        const struct pstmt *last = NULL;
        for (const struct pstmt *before = list; before != s; before = before->next)
            last = sets(before, x->var) ? before : last;
        if (x->known || last == NULL || is_growth(last, x->var))
            return true;
        x->known = true;
        bool begins = last->kind == PS_SET && last->value->kind == PV_CONST &&
                      (int64_t)last->value->i >= 1 && (int64_t)last->value->i < 1 << BEGIN_BITS;
        x->in = begins ? s : NULL;
        return true;
    }
    return false;
}

struct growing {
    const struct pvar *var;
    int sets, bits; /* that make it grow; by how many bits the last one does */
    bool only;      /* no other ones set it */
};

static enum walk note_growth(const struct pstmt *s, void *arg) {
    struct growing *x = arg;
    if (s->var != x->var)
        return WALK_IN;
    x->only = x->only && is_growth(s, x->var);
    x->sets++;
    x->bits = s->kind == PS_SET ? growth(s->value, x->var) : 0;
    return WALK_IN;
}

/* Does a variable begin with 1, or a bit more, and only grow while a loop may run, and not so often
 * that it wraps?  It is then below an array's size before, or grows a known number of times. */
static bool only_grows(const struct facts *f, const struct pvar *var, const struct pstmt *loop) {
    struct home home = {.var = var, .loop = loop};
    if (!find_home(&home, f->plan->body) || home.in == NULL)
        return false;
    struct pstmt in = *home.in;
    struct growing n = {.var = var, .only = true};
    in.next = NULL;
    stmt_walk(&in, &(struct plan_visitor){.stmt = note_growth}, &n);
    if (!n.only || n.sets > 1)
        return false;
    struct search x = {
        .facts = f, .var = var, .is_target = is_growth, .target = var, .same = true, .turns = 1};
    return n.sets == 0 || (find_target(&x, &in) &&
                           (x.bounded || (x.turns > 0 && x.turns * n.bits + BEGIN_BITS < 63)));
}

bool variable_least(const struct facts *f, const struct pvar *var, const struct pstmt *loop,
                    int64_t *least) {
    struct search x = {.facts = f,
                       .var = var,
                       .is_target = is_loop_of,
                       .target = loop->var,
                       .same = true,
                       .turns = 1};
    bool found = find_target(&x, f->plan->body) && x.least;
    *least = found ? x.number : INT64_MIN;
    if (*least < 1 && !f->index[var->id] && only_grows(f, var, loop))
        *least = 1;
    return *least > INT64_MIN;
}
