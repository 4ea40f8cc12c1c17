/* runs.c: what the iterations of a scan load and store at places that grow with its index.  Threads
 * that have neighbouring iterations each turn these elements in shared memory, rather than what
 * they join. */
#include "plan.h"

enum {
    RUN_BYTES = 256,      /* of a thread's elements in registers, at most */
    RUN_OPERATIONS = 1024 /* of all its iterations, at most */
};

struct runs {
    const struct plan *p;
    const struct pstmt *s;
    const bool *written;
    struct scan_run *r;
    uint32_t read, stored; /* operands, a bit each */
    bool sometimes;        /* what is looked at is under a condition */
    bool fails;
};

/* How a value changes from one iteration to the next. */
enum growth { FIXED, EVEN, OTHER };

static const struct pval *value_of_set(const struct scan_run *r, const struct pvar *v) {
    for (int i = 0; i < r->nsets; i++)
        if (r->set[i]->var == v)
            return r->set[i]->value;
    return NULL;
}

static enum growth growth_of(const struct runs *x, const struct pval *v) {
    if (v->kind == PV_VAR) {
        const struct pval *own = value_of_set(x->r, v->var);
        return v->var == x->s->var      ? EVEN
               : own != NULL            ? growth_of(x, own)
               : x->written[v->var->id] ? OTHER
                                        : FIXED;
    }
    if (v->kind == PV_ELEM || v->kind == PV_TABLE)
        return OTHER;
    enum growth most = FIXED;
    int even = 0;
    for (int i = 0; i < v->nargs; i++) {
        enum growth own = growth_of(x, v->args[i]);
        most = own > most ? own : most;
        even += own != FIXED;
    }
    bool sum = v->kind == PV_OP && v->dtype == DT_INT64 && (v->op == OP_ADD || v->op == OP_SUB);
    bool product = v->kind == PV_OP && v->dtype == DT_INT64 && v->op == OP_MUL && even == 1;
    return most == EVEN && !sum && !product ? OTHER : most;
}

static enum growth growth_of_place(const struct runs *x, const struct pval *place) {
    enum growth most = FIXED;
    for (int i = 0; i < place->nargs; i++) {
        enum growth own = growth_of(x, place->args[i]);
        most = own > most ? own : most;
    }
    return most;
}

/* Whether a kernel can tell whether subscripts are in the array. */
static bool has_sizes(const struct runs *x, const struct pval *place) {
    const struct poperand *o = &x->p->operands[place->operand];
    for (int i = 0; i < place->nargs; i++)
        if (o->dims[i] == NULL || (o->dims[i]->index < 0 && o->dims[i]->size < 0))
            return false;
    return true;
}

static bool add_load(struct runs *x, const struct pval *v) {
    struct scan_run *r = x->r;
    int i = 0;
    while (i < r->nloads && !same_value(r->load[i].place, v))
        i++;
    if (i == RUN_LOADS || (x->sometimes && !has_sizes(x, v)))
        return false;
    if (i == r->nloads)
        r->load[r->nloads++] = (struct run_load){.place = v};
    r->load[i].always = r->load[i].always || !x->sometimes;
    return true;
}

static enum walk look_at_value(const struct pval *v, void *arg) {
    struct runs *x = arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    enum growth growth = growth_of_place(x, v);
    bool fits = v->operand < x->p->noperands && !is_complex(v->dtype) && v->checked == 0;
    x->fails =
        x->fails || !fits || growth == OTHER || (growth == FIXED ? x->sometimes : !add_load(x, v));
    x->read |= fits ? UINT32_C(1) << v->operand : 0;
    return x->fails ? WALK_STOP : WALK_PAST;
}

/* What iterations store has a place of their own, or is the call's. */
static void look_at_put(struct runs *x, const struct pstmt *s) {
    struct scan_run *r = x->r;
    enum growth growth = growth_of_place(x, s->place);
    bool fits = s->operand < x->p->noperands && !s->merged && !is_complex(s->place->dtype) &&
                s->place->checked == 0;
    if (!fits || growth == OTHER || (growth == EVEN && (x->sometimes || r->nputs == RUN_PUTS)) ||
        (growth == FIXED && !x->sometimes)) {
        x->fails = true;
        return;
    }
    x->stored |= UINT32_C(1) << s->operand;
    if (growth == EVEN)
        r->put[r->nputs++] = s;
    else
        r->alone = true;
}

/* A variable that is set by the index alone. */
static void look_at_set(struct runs *x, const struct pstmt *s) {
    if (x->r->nsets < RUN_SETS && s->var->dtype == DT_INT64 && growth_of(x, s->value) != OTHER &&
        sets_once(x->s->body, s->var))
        x->r->set[x->r->nsets++] = s;
}

static void look_at(struct runs *x, const struct pstmt *list) {
    for (const struct pstmt *s = list; s != NULL && !x->fails; s = s->next) {
        if (s->kind != PS_SET && s->kind != PS_IF && s->kind != PS_PUT) {
            x->fails = true;
            return;
        }
        value_walk(s->value, look_at_value, x);
        if (s->kind == PS_PUT)
            look_at_put(x, s);
        if (s->kind == PS_SET)
            look_at_set(x, s);
        bool outer = x->sometimes;
        x->sometimes = x->sometimes || s->kind == PS_IF;
        look_at(x, s->body);
        look_at(x, s->other);
        x->sometimes = outer;
    }
}

/* Bytes of registers. */
static int bytes_of(enum ufc_dtype d) {
    return dtype_info[d].bits <= 32 ? 4 : dtype_info[d].bits / 8;
}

/* Finds how many iterations a thread has. */
static void find_units(struct scan_run *r, int operations) {
    int all = 0, n = RUN_UNITS;
    for (int i = 0; i < r->nloads; i++)
        all += bytes_of(r->load[i].place->dtype);
    for (int i = 0; i < r->nputs; i++)
        all += bytes_of(r->put[i]->place->dtype);
    while (n > 1 && (n * operations > RUN_OPERATIONS || n * all > RUN_BYTES))
        n /= 2;
    r->units = n;
    r->words = n * all / 4;
}

bool find_scan_run(struct uc *uc, const struct plan *p, const struct pstmt *s, struct scan_run *r) {
    struct runs x = {.p = p, .s = s, .r = r, .written = find_written(uc, p, s->body)};
    *r = (struct scan_run){0};
    look_at(&x, s->body);
    find_units(r, scan_operations(s));
    return !x.fails && !(x.read & x.stored) && r->units >= RUN_LEAST;
}
