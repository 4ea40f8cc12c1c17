/* trial.c: whether iterations access other elements, where all that subscripts and conditions
 * are made of is constants and the loop's index: it is then tried, iteration by iteration.  So
 * permutations that no arithmetic tells are known: bits in reverse order, tables of places. */
#include <stdlib.h>

#include "radix.h"

enum { MOST_STEPS = 1 << 18, MOST_ACCESSES = 1 << 14 };

struct access_at {
    const struct pval *place;
    int64_t at[MAX_CORE_RANK];
    int iteration;
    bool stored;
    struct access_at *next;
};

struct trial {
    const struct candidate *c;
    struct number {
        bool known;
        int64_t n;
    } * vars; /* by id */
    struct access_at **table;
    int iteration, steps, naccesses;
};

static struct number find_number(struct trial *x, const struct pval *v);

static struct constant constant_of(const struct pval *v, int64_t n) {
    enum type_kind kind = TYPE_WEAK_INT;
    return (struct constant){.type = v->dtype == DT_BOOL
                                         ? (struct type){.kind = TYPE_DTYPE, .dtype = DT_BOOL}
                                         : (struct type){.kind = kind},
                             .i = n};
}

/* The operation on exact numbers; what does not fit is not known. */
static struct number operate(const struct pval *v, const struct number *arg) {
    struct constant a = constant_of(v->args[0], arg[0].n), b, r = {.i = 0};
    const char *why;
    bool is;
    if (v->nargs == 1)
        is = fold_unary(v->op, &a, &r, &why);
    else {
        b = constant_of(v->args[1], arg[1].n);
        is = v->op != OP_DIV && v->op != OP_POW && fold_binary(v->op, &a, &b, &r, &why);
    }
    is = is && r.i >= -INT64_MAX && r.i <= INT64_MAX;
    return (struct number){is, is ? (int64_t)r.i : 0};
}

static struct number table_element(const struct pval *v, const struct number *arg) {
    const struct array *t = v->table;
    int64_t at = 0;
    for (int i = 0; i < t->rank; i++) {
        if (arg[i].n < 0 || arg[i].n >= t->dims[i]->size)
            return (struct number){false, 0};
        at = at * t->dims[i]->size + arg[i].n;
    }
    return (struct number){true, (int64_t)t->values[at].i};
}

static struct number find_number(struct trial *x, const struct pval *v) {
    struct number arg[MAX_CORE_RANK], none = {false, 0};
    x->steps++;
    if ((v->dtype != DT_INT64 && v->dtype != DT_BOOL) || x->steps > MOST_STEPS)
        return none;
    if (v->kind == PV_CONST)
        return (struct number){true, (int64_t)v->i};
    if (v->kind == PV_VAR)
        return x->vars[v->var->id];
    if (v->kind != PV_OP && v->kind != PV_SELECT && v->kind != PV_TABLE && v->kind != PV_CALL)
        return none;
    for (int i = 0; i < v->nargs; i++) {
        arg[i] = find_number(x, v->args[i]);
        bool short_cut =
            v->kind == PV_OP && arg[i].known &&
            ((v->op == OP_LAND && arg[i].n == 0) || (v->op == OP_LOR && arg[i].n != 0));
        if (short_cut)
            return arg[i];
    }
    for (int i = 0; i < v->nargs; i++)
        if (!arg[i].known)
            return none;
    if (v->kind == PV_SELECT)
        return arg[arg[0].n != 0 ? 1 : 2];
    if (v->kind == PV_TABLE)
        return table_element(v, arg);
    if (v->kind == PV_OP)
        return operate(v, arg);
    bool least = v->builtin->id == B_MIN, most = v->builtin->id == B_MAX;
    return !least && !most ? none : arg[(arg[0].n < arg[1].n) == least ? 0 : 1];
}

/* ---- accesses */

struct accessing {
    struct trial *trial;
    const struct pval *stored;
};

static struct access_at **bucket_of(struct trial *x, const struct access_at *a) {
    uint64_t hash = (uint64_t)a->place->operand;
    for (int i = 0; i < a->place->nargs; i++)
        hash = (hash + (uint64_t)a->at[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return &x->table[hash >> 50]; /* of MOST_ACCESSES */
}

static bool is_at(const struct access_at *a, const struct access_at *b) {
    bool same = a->place->operand == b->place->operand;
    for (int i = 0; same && i < a->place->nargs; i++)
        same = a->at[i] == b->at[i];
    return same;
}

/* Notes that the iteration accesses an element; stops where another one does, and either stores. */
static enum walk note_access(const struct pval *v, void *arg) {
    const struct accessing *x = arg;
    struct trial *t = x->trial;
    if (!may_be_stored(t->c->plan, v))
        return WALK_IN;
    struct access_at a = {.place = v, .iteration = t->iteration, .stored = v == x->stored};
    for (int i = 0; i < v->nargs; i++) {
        struct number n = find_number(t, v->args[i]);
        if (!n.known)
            return WALK_STOP;
        a.at[i] = n.n;
    }
    struct access_at **bucket = bucket_of(t, &a);
    bool noted = false;
    for (const struct access_at *other = *bucket; other != NULL; other = other->next) {
        if (!is_at(other, &a))
            continue;
        if (other->iteration != a.iteration && (other->stored || a.stored))
            return WALK_STOP;
        noted = noted || (other->iteration == a.iteration && other->stored == a.stored);
    }
    if (noted)
        return WALK_IN;
    if (++t->naccesses > MOST_ACCESSES)
        return WALK_STOP;
    struct access_at *own = NEW(t->c->uc, struct access_at);
    *own = a;
    own->next = *bucket;
    *bucket = own;
    return WALK_IN;
}

/* ---- statements */

static enum walk forget(const struct pstmt *s, void *arg) {
    struct trial *x = arg;
    if (s->var != NULL)
        x->vars[s->var->id].known = false;
    return WALK_IN;
}

static bool try_list(struct trial *x, const struct pstmt *list);

static bool try_loop(struct trial *x, const struct pstmt *s, bool own) {
    struct number lo = find_number(x, s->lo), hi = find_number(x, s->hi);
    struct number step = find_number(x, s->step);
    if (!lo.known || !hi.known || !step.known || llabs(lo.n) > INT32_MAX ||
        llabs(hi.n) > INT32_MAX || llabs(step.n) > INT32_MAX)
        return false;
    for (int64_t i = lo.n; step.n > 0 ? i < hi.n : step.n < 0 && i > hi.n; i += step.n) {
        x->vars[s->var->id] = (struct number){true, i};
        x->iteration += own;
        if (++x->steps > MOST_STEPS || !try_list(x, s->body))
            return false;
    }
    return true;
}

static bool try_if(struct trial *x, const struct pstmt *s) {
    struct number when = find_number(x, s->value);
    if (when.known)
        return try_list(x, when.n != 0 ? s->body : s->other);
    bool is = try_list(x, s->body);
    plan_walk(s->body, &(struct plan_visitor){.stmt = forget}, x);
    is = is && try_list(x, s->other);
    plan_walk(s->other, &(struct plan_visitor){.stmt = forget}, x);
    return is;
}

static bool try_list(struct trial *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct accessing a = {x, s->place};
        if (!stmt_values(s, note_access, &a))
            return false;
        bool is = true;
        switch (s->kind) {
        case PS_SET: x->vars[s->var->id] = find_number(x, s->value); break;
        case PS_PUT: break;
        case PS_IF: is = try_if(x, s); break;
        case PS_FOR: is = try_loop(x, s, false); break;
        default: return false;
        }
        if (!is)
            return false;
    }
    return true;
}

bool are_tried_apart(const struct candidate *c) {
    struct trial x = {.c = c};
    const struct pstmt *loop = c->loop;
    if (loop->lo->kind != PV_CONST || loop->hi->kind != PV_CONST || loop->step->kind != PV_CONST)
        return false;
    x.vars = NEWN(c->uc, struct number, c->plan->nvars + 1);
    x.table = NEWN(c->uc, struct access_at *, MOST_ACCESSES);
    return try_loop(&x, loop, true);
}
