/* clip.c: ordered loops all of whose work is under conditions on their index, as
 *
 *     for t in 0..k { if at - t >= 0 and at - t < n { s += h[t] * x[at - t] } }
 *
 * Such a loop begins and ends where those hold that grow evenly with the index: its iterations then
 * have no tests, so that loads of several are under way.  Where points run it together, and those
 * differ between them, the iterations in which all of them hold have code without tests. */
#include "build.h"

enum { MAX_PARTS = 4, MAX_LETS = 16, MAX_GROWTH = 1 << 16 };

/* less < more, or less <= more. */
struct part {
    const struct pval *value, *less, *more;
    int64_t growth;        /* of more - less, with the index */
    bool strictly, varies; /* varies: between points that are abreast */
};

struct clipping {
    struct gen *g;
    const struct pstmt *loop;
    const struct pstmt *let[MAX_LETS]; /* the assignments before the condition */
    int nlets;
    bool *index; /* by id: a variable that is an index of a loop or range, and nothing else */
    struct part part[MAX_PARTS];
    int n;
};

/* ---- variables */

static enum walk note_index(const struct pstmt *s, void *index) {
    if (s->kind == PS_FOR)
        ((bool *)index)[s->var->id] = true;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        ((bool *)index)[r->var->id] = true;
    return WALK_IN;
}

static enum walk note_set(const struct pstmt *s, void *index) {
    if (s->kind == PS_SET)
        ((bool *)index)[s->var->id] = false;
    return WALK_IN;
}

static enum walk count_read(const struct pval *v, void *reads) {
    if (v->kind == PV_VAR)
        ((int *)reads)[v->var->id]++;
    return WALK_IN;
}

static const int *count_reads(struct gen *g, const struct pstmt *list) {
    int *reads = NEWN(g->uc, int, g->plan->nvars + 1);
    plan_walk(list, &(struct plan_visitor){.value = count_read, .joined = true}, reads);
    return reads;
}

static enum walk find_var(const struct pval *v, void *var) {
    return v->kind == PV_VAR && v->var == var ? WALK_STOP : WALK_IN;
}

static enum walk find_set(const struct pstmt *s, void *var) {
    return s->kind == PS_SET && s->var == var ? WALK_STOP : WALK_IN;
}

/* Is a variable set once in an iteration, before it is read there, and read nowhere else? */
static bool is_let(const struct clipping *x, const struct pstmt *let, const int *within,
                   const int *all) {
    const struct pvar *var = let->var;
    if (within[var->id] != all[var->id] ||
        !value_walk(let->value, find_var, (void *)(uintptr_t)var))
        return false;
    for (const struct pstmt *s = x->loop->body; s != let; s = s->next)
        if (s->var == var || !value_walk(s->value, find_var, (void *)(uintptr_t)var))
            return false;
    return plan_walk(let->next, &(struct plan_visitor){.stmt = find_set}, (void *)(uintptr_t)var);
}

/* Finds the assignments and the condition, which are all of the body; NULL: they are not. */
static const struct pstmt *find_condition(struct clipping *x) {
    const int *within = count_reads(x->g, x->loop->body),
              *all = count_reads(x->g, x->g->plan->body);
    const struct pstmt *s = x->loop->body;
    for (; s != NULL && s->kind == PS_SET && x->nlets < MAX_LETS; s = s->next) {
        if (!is_let(x, s, within, all))
            return NULL;
        x->let[x->nlets++] = s;
    }
    return s != NULL && s->kind == PS_IF && s->other == NULL && s->next == NULL ? s : NULL;
}

/* ---- conditions */

/* Does v grow evenly with the loop's index, where it is made of indices and sizes alone? */
static bool grows(const struct clipping *x, const struct pval *v, int64_t *by) {
    int64_t a = 0, b = 0;
    *by = 0;
    if (v->dtype != DT_INT64 || v->kind == PV_DIM)
        return v->dtype == DT_INT64;
    if (v->kind == PV_CONST)
        return (int64_t)v->i > INT32_MIN && (int64_t)v->i < INT32_MAX;
    for (int i = 0; v->kind == PV_VAR && i < x->nlets; i++)
        if (x->let[i]->var == v->var)
            return grows(x, x->let[i]->value, by);
    if (v->kind == PV_VAR) {
        *by = v->var == x->loop->var;
        return x->index[v->var->id];
    }
    if (v->kind != PV_OP || !grows(x, v->args[0], &a) ||
        (v->nargs > 1 && !grows(x, v->args[1], &b)))
        return false;
    const struct pval *times =
        v->nargs > 1 && v->args[0]->kind == PV_CONST ? v->args[0] : v->args[1];
    switch (v->op) {
    case OP_NEG: *by = -a; break;
    case OP_ADD: *by = a + b; break;
    case OP_SUB: *by = a - b; break;
    case OP_MUL:
        *by = (a + b) * (times->kind == PV_CONST ? (int64_t)times->i : 0);
        return times->kind == PV_CONST && *by > -MAX_GROWTH && *by < MAX_GROWTH;
    case OP_FLOORDIV:
    case OP_MOD: return a == 0 && b == 0;
    default: return false;
    }
    return *by > -MAX_GROWTH && *by < MAX_GROWTH;
}

static void add_parts(struct clipping *x, const struct pval *v) {
    const struct abreast *points = x->g->abreast;
    bool varies = points != NULL && value_varies(points->varying, v);
    if (v->kind != PV_OP || v->nargs != 2)
        return;
    if (v->op == OP_LAND) {
        add_parts(x, v->args[0]);
        add_parts(x, v->args[1]);
        return;
    }
    bool less = v->op == OP_LT || v->op == OP_LE, more = v->op == OP_GT || v->op == OP_GE;
    struct part p = {.value = v,
                     .less = v->args[more],
                     .more = v->args[!more],
                     .strictly = v->op == OP_LT || v->op == OP_GT,
                     .varies = varies};
    int64_t a, b;
    if (!(less || more) || x->n == MAX_PARTS || !grows(x, p.less, &a) || !grows(x, p.more, &b) ||
        a == b || (varies && points->outer != NULL))
        return;
    p.growth = b - a;
    x->part[x->n++] = p;
}

/* ---- the loop */

/* Sets the variables of conditions to what they are in the first iteration. */
static void begin(struct clipping *x, LLVMValueRef lo) {
    int64_t by;
    gen_set_index(x->g, x->loop->var, lo);
    for (int i = 0; i < x->nlets; i++)
        if (grows(x, x->let[i]->value, &by))
            gen_list(x->g, x->let[i], x->let[i]->next);
}

/* n / by, of what is above 0; else 0. */
static LLVMValueRef steps_of(struct gen *g, LLVMValueRef n, int64_t by) {
    LLVMValueRef steps = by == 1 ? n : LLVMBuildUDiv(g->b, n, i64(g, (uint64_t)by), "");
    return gen_select(g, compare(g, LLVMIntSGT, n, i64(g, 0)), steps, i64(g, 0));
}

/* Moves the first index, or the end, to where a part of the condition holds. */
static void clip(const struct clipping *x, const struct part *p, LLVMValueRef lo,
                 LLVMValueRef *first, LLVMValueRef *end) {
    struct gen *g = x->g;
    LLVMValueRef left = subtract(g, gen_value(g, p->more), gen_value(g, p->less));
    left = p->strictly ? left : add(g, left, i64(g, 1)); /* it holds where this is above 0 */
    if (p->growth > 0) {
        LLVMValueRef missing = subtract(g, i64(g, (uint64_t)p->growth), left);
        LLVMValueRef from = add(g, lo, steps_of(g, missing, p->growth));
        *first = gen_select(g, compare(g, LLVMIntSGT, from, *first), from, *first);
        return;
    }
    LLVMValueRef none = compare(g, LLVMIntSLE, left, i64(g, 0));
    LLVMValueRef more = add(g, left, i64(g, (uint64_t)(-p->growth - 1)));
    LLVMValueRef to = add(g, lo, steps_of(g, more, -p->growth));
    *end = least(g, *end, gen_select(g, none, lo, to));
}

/* Stand for the first index and the end: no plan has an operation on such numbers. */
static struct pval far = {.kind = PV_CONST, .dtype = DT_INT64, .i = (uint64_t)INT64_MIN};
static struct pval number[] = {{.kind = PV_CONST, .dtype = DT_INT64, .i = 1},
                               {.kind = PV_CONST, .dtype = DT_INT64, .i = 2}};
static struct pval ends[] = {
    {.kind = PV_OP, .op = OP_XOR, .dtype = DT_INT64, .nargs = 2, .args = {&far, &number[0]}},
    {.kind = PV_OP, .op = OP_XOR, .dtype = DT_INT64, .nargs = 2, .args = {&far, &number[1]}}};

/* Settles the parts of the condition that do not vary, or those that do as well: so many. */
static int settle(const struct clipping *x, bool all, struct settled *settled) {
    int n = 0;
    for (int i = 0; i < x->n; i++)
        if (all || !x->part[i].varies)
            settled[n++] = (struct settled){.value = x->part[i].value,
                                            .truth = LLVMConstInt(i1_type(x->g), 1, false)};
    settled[n].value = NULL;
    return n;
}

/* A value with what the assignments before the condition, of indices and sizes, give in place of
 * their variables. */
static struct pval *expanded(const struct clipping *x, struct pval *v) {
    int64_t by;
    for (int i = 0; v->kind == PV_VAR && i < x->nlets; i++)
        if (x->let[i]->var == v->var && grows(x, v, &by))
            return expanded(x, x->let[i]->value);
    struct pval *own = v;
    for (int i = 0; i < v->nargs; i++) {
        struct pval *arg = expanded(x, v->args[i]);
        if (arg == v->args[i])
            continue;
        if (own == v) {
            own = NEW(x->g->uc, struct pval);
            *own = *v;
            own->direct = NULL;
        }
        own->args[i] = arg;
    }
    return own;
}

/* Is a condition one that holds in the iterations that are left? */
static bool holds(const struct clipping *x, const struct pval *v) {
    if (v->kind == PV_OP && v->op == OP_LAND)
        return holds(x, v->args[0]) && holds(x, v->args[1]);
    for (int i = 0; i < x->n; i++)
        if (x->part[i].value == v)
            return true;
    return false;
}

/* The assignments under the condition, where it is known to hold and nothing else is in the body,
 * so that copies of them are straight code; NULL: there is more. */
static struct pstmt *straight_body(const struct clipping *x, const struct pstmt *when) {
    struct pstmt *list = NULL, **end = &list;
    int64_t by;
    for (int i = 0; i < x->nlets; i++)
        if (x->let[i]->var->dtype != DT_INT64 || !grows(x, x->let[i]->value, &by))
            return NULL;
    if (!holds(x, when->value))
        return NULL;
    for (const struct pstmt *s = when->body; s != NULL; s = s->next) {
        if (s->kind != PS_SET)
            return NULL;
        *end = NEW(x->g->uc, struct pstmt);
        **end = *s;
        (*end)->value = expanded(x, s->value);
        end = &(*end)->next;
    }
    return list;
}

/* The loop from `first` to `end`. */
static void gen_between(const struct clipping *x, const struct pstmt *when, LLVMValueRef first,
                        LLVMValueRef end) {
    struct gen *g = x->g;
    struct settled settled[MAX_PARTS + 3];
    struct pstmt own = *x->loop;
    int n = settle(x, true, settled);
    settled[n] = (struct settled){.value = &ends[0], .truth = first};
    settled[n + 1] = (struct settled){.value = &ends[1], .truth = end};
    settled[n + 2].value = NULL;
    own.lo = &ends[0];
    own.hi = &ends[1];
    own.next = NULL;
    struct pstmt *straight = straight_body(x, when);
    own.body = straight != NULL ? straight : own.body;
    g->settled = settled;
    gen_stmts(g, &own);
    g->settled = NULL;
}

/* The body, where all parts of the condition hold at all points, or those that do not vary. */
static void gen_settled_body(const struct clipping *x, bool all) {
    struct settled settled[MAX_PARTS + 1];
    settle(x, all, settled);
    x->g->settled = settled;
    gen_stmts(x->g, x->loop->body);
    x->g->settled = NULL;
}

/* The loop from `first` to `end` of points whose conditions differ. */
static void gen_apart(const struct clipping *x, LLVMValueRef lo, LLVMValueRef first,
                      LLVMValueRef end) {
    struct gen *g = x->g;
    const struct abreast *points = g->abreast;
    LLVMTypeRef type = g->short_loops && x->loop->narrow ? i32_type(g) : i64_type(g);
    LLVMValueRef from = first, to = end;
    g->abreast = NULL;
    for (int k = 0; k < points->points; k++) {
        abreast_take(g, points, k);
        for (int i = 0; i < x->n; i++)
            if (x->part[i].varies)
                clip(x, &x->part[i], lo, &from, &to);
    }
    abreast_take(g, points, 0);
    g->abreast = points;
    from = least(g, from, end);
    LLVMValueRef left = subtract(g, to, from), zero = i64(g, 0);
    left = gen_select(g, compare(g, LLVMIntSGT, left, zero), left, zero);
    first = LLVMBuildTrunc(g->b, first, type, "");
    end = LLVMBuildTrunc(g->b, end, type, "");
    from = LLVMBuildTrunc(g->b, from, type, "");
    left = LLVMBuildTrunc(g->b, left, type, "");
    struct loop l = {.keep = true};
    loop_begin(g, &l, 1, &first);
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    gen_set_index(g, x->loop->var, LLVMBuildSExt(g->b, l.phi[0], i64_type(g), ""));
    LLVMBasicBlockRef inside = gen_block(g, "inside"), edge = gen_block(g, "edge"),
                      done = gen_block(g, "taken");
    LLVMValueRef is = compare(g, LLVMIntULT, subtract(g, l.phi[0], from), left);
    LLVMBuildCondBr(g->b, is, inside, edge);
    gen_place(g, inside);
    gen_settled_body(x, true);
    LLVMBuildBr(g->b, done);
    gen_place(g, edge);
    gen_settled_body(x, false);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
    LLVMValueRef next = LLVMBuildNSWAdd(g->b, l.phi[0], LLVMConstInt(type, 1, false), "");
    loop_end(g, &l, &next);
}

bool gen_clipped(struct gen *g, const struct pstmt *s) {
    struct clipping x = {.g = g, .loop = s};
    bool constant = s->lo->kind == PV_CONST && s->hi->kind == PV_CONST;
    if (g->ahead <= 1 || g->lanes > 1 || constant || g->settled != NULL || s->accs != NULL ||
        s->end != NULL || s->step->kind != PV_CONST || s->step->i != 1)
        return false;
    x.index = NEWN(g->uc, bool, g->plan->nvars + 1);
    plan_walk(g->plan->body, &(struct plan_visitor){.stmt = note_index}, x.index);
    plan_walk(g->plan->body, &(struct plan_visitor){.stmt = note_set}, x.index);
    const struct pstmt *when = find_condition(&x);
    if (when == NULL)
        return false;
    add_parts(&x, when->value);
    if (x.n == 0)
        return false;
    LLVMValueRef lo = gen_scalar(g, s->lo), hi = gen_scalar(g, s->hi), first = lo, end = hi;
    bool differ = false;
    begin(&x, lo);
    for (int i = 0; i < x.n; i++) {
        differ = differ || x.part[i].varies;
        if (!x.part[i].varies)
            clip(&x, &x.part[i], lo, &first, &end);
    }
    LLVMValueRef last = gen_select(g, compare(g, LLVMIntSGT, hi, lo), hi, lo);
    first = least(g, first, last);
    if (differ)
        gen_apart(&x, lo, first, end);
    else
        gen_between(&x, when, first, end);
    return true;
}
