/* runs.c: what the iterations of a scan load and store at places that grow with its index.  Threads
 * that have neighbouring iterations each turn these elements in shared memory, rather than what
 * they join. */
#include "plan.h"

enum {
    RUN_BYTES = 272,       /* of a thread's elements in registers, and of where they are, at most */
    PLACE_BYTES = 8,       /* of these, of an element that is loaded */
    TURNED_BYTES = 128,    /* of an element of all iterations in shared memory */
    RUN_OPERATIONS = 1536, /* of all its iterations, at most */
    FEW_OPERATIONS = 32    /* of an iteration with one state, which memory is slower than */
};

struct runs {
    const struct plan *p;
    const struct pstmt *body;
    const struct pvar *index;
    const bool *written;
    struct scan_run *r;
    uint32_t read, stored;   /* operands, a bit each */
    bool tail;               /* it is looked at what is behind the scan */
    const struct pvar *scan; /* the scan's index */
    bool sometimes;          /* what is looked at is under a condition */
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
        return v->var == x->index       ? EVEN
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

/* Whether a and b are the same in an iteration: of the scan, or of what is behind it. */
static bool is_alike(const struct runs *x, const struct pval *a, const struct pval *b) {
    const struct pval *set[] = {a->kind == PV_VAR ? value_of_set(x->r, a->var) : NULL,
                                b->kind == PV_VAR ? value_of_set(x->r, b->var) : NULL};
    if (set[0] != NULL || set[1] != NULL)
        return is_alike(x, set[0] != NULL ? set[0] : a, set[1] != NULL ? set[1] : b);
    bool index = a->kind == PV_VAR && b->kind == PV_VAR &&
                 (a->var == x->index || a->var == x->scan) &&
                 (b->var == x->index || b->var == x->scan);
    if (index || same_value(a, b))
        return true;
    bool alike = a->kind == b->kind && (a->kind == PV_ELEM || a->kind == PV_OP) &&
                 a->dtype == b->dtype && a->operand == b->operand && a->op == b->op &&
                 a->nargs == b->nargs;
    for (int i = 0; i < a->nargs && alike; i++)
        alike = is_alike(x, a->args[i], b->args[i]);
    return alike;
}

/* Notes where an element is found. */
static bool add_found(struct runs *x, const struct pval *v, int load, int put) {
    struct scan_run *r = x->r;
    for (int i = 0; i < r->nfound; i++)
        if (same_value(r->found[i].place, v))
            return true;
    if (r->nfound == RUN_FOUND)
        return false;
    r->found[r->nfound++] = (struct run_found){v, load, put};
    return true;
}

static bool add_load(struct runs *x, const struct pval *v) {
    struct scan_run *r = x->r;
    int i = 0;
    while (i < r->nloads && !is_alike(x, r->load[i].place, v))
        i++;
    if (i == RUN_LOADS || (x->sometimes && !has_sizes(x, v)))
        return false;
    if (i == r->nloads)
        r->load[r->nloads++] = (struct run_load){.place = v};
    r->load[i].always = r->load[i].always || !x->sometimes;
    return add_found(x, v, i, -1);
}

/* An element that the scan stores, read behind it. */
static bool find_stored(struct runs *x, const struct pval *v) {
    for (int k = 0; k < x->r->nputs; k++)
        if (is_alike(x, x->r->put[k]->place, v))
            return add_found(x, v, -1, k);
    return false;
}

static enum walk look_at_value(const struct pval *v, void *arg) {
    struct runs *x = arg;
    if (v->kind != PV_ELEM)
        return WALK_IN;
    if (x->tail && v->operand < x->p->noperands && x->stored >> v->operand & 1) {
        x->fails = x->fails || !find_stored(x, v);
        return x->fails ? WALK_STOP : WALK_PAST;
    }
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
    bool fits = !x->tail && s->operand < x->p->noperands && !s->merged &&
                !is_complex(s->place->dtype) && s->place->checked == 0;
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
        sets_once(x->body, s->var))
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
    int all = 0, most = 0, n = RUN_UNITS;
    for (int i = 0; i < r->nloads + r->nputs; i++) {
        bool load = i < r->nloads;
        int own = bytes_of((load ? r->load[i].place : r->put[i - r->nloads]->place)->dtype);
        all += own;
        most = own > most ? own : most;
    }
    while (n > 1 && (n * operations > RUN_OPERATIONS || n * all > RUN_BYTES ||
                     (n > RUN_LEAST && n * all + PLACE_BYTES * r->nloads > RUN_BYTES) ||
                     n * most > TURNED_BYTES))
        n /= 2;
    r->units = n;
    r->words = n * all / 4;
}

/* ---- what is behind the scan */

static enum walk find_element(const struct pval *v, void *none) {
    (void)none;
    return v->kind == PV_ELEM ? WALK_STOP : WALK_IN;
}

/* The reduction over the iterations of s in the next phase; NULL: there is none. */
static const struct pstmt *reduction_behind(const struct pstmt *s) {
    const struct pstmt *t = s->next;
    while (t != NULL && t->kind == PS_SET && value_walk(t->value, find_element, NULL))
        t = t->next;
    if (t == NULL || t->kind != PS_SPREAD || t->accs == NULL || t->phase != s->phase + 1)
        return NULL;
    int accs = 0;
    for (const struct pacc *a = t->accs; a != NULL; a = a->next)
        accs++;
    const struct prange *r = t->ranges;
    bool same = r->next == NULL && same_value(r->lo, s->lo) && same_value(r->hi, s->hi) &&
                same_value(r->step, s->step);
    return same && accs <= SCAN_ACCS && !t->merged ? t : NULL;
}

/* The puts that the tail alone reads. */
static uint32_t find_kept(const struct plan *p, const struct scan_run *r) {
    int own = p->noperands - p->overload->nintermediates;
    uint32_t kept = 0;
    for (int k = 0; k < r->nputs; k++) {
        uint32_t reads = 0;
        for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
            reads |= s != r->tail ? access_of(p, s).reads : 0;
        if (r->put[k]->operand >= own && !(reads >> r->put[k]->operand & 1))
            kept |= UINT32_C(1) << k;
    }
    return kept;
}

/* Finds a reduction that threads go on with in their runs. */
static void find_tail(struct uc *uc, const struct runs *scan, const struct pstmt *s,
                      int operations) {
    struct scan_run with = *scan->r;
    struct runs x = *scan;
    const struct pstmt *tail = scan->p->steps == NULL ? reduction_behind(s) : NULL;
    if (tail == NULL)
        return;
    x.r = &with;
    x.tail = true;
    x.body = tail->body;
    x.index = tail->ranges->var;
    x.written = find_written(uc, scan->p, tail->body);
    look_at(&x, tail->body);
    find_units(&with, operations + scan_operations(tail));
    if (x.fails || with.units < RUN_LEAST)
        return;
    with.tail = tail;
    with.kept = find_kept(scan->p, &with);
    *scan->r = with;
}

bool find_scan_run(struct uc *uc, const struct plan *p, const struct pstmt *s, struct scan_run *r) {
    struct runs x = {.p = p, .body = s->body, .index = s->var, .scan = s->var, .r = r};
    int operations = scan_operations(s);
    if (s->accs != NULL && s->accs->next == NULL &&
        operations <= FEW_OPERATIONS) /* more threads have more under way */
        return false;
    x.written = find_written(uc, p, s->body);
    *r = (struct scan_run){0};
    look_at(&x, s->body);
    find_units(r, operations);
    if (x.fails || x.read & x.stored || r->units < RUN_LEAST)
        return false;
    find_tail(uc, &x, s, operations);
    return true;
}
