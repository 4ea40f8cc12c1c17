/* panel.c: ordered loops whose steps several blocks take in panels, as LU decomposition and
 * Floyd's shortest paths: step k computes each element of what that element was, and of elements in
 * row k or column k.  A block that has some rows and columns, and those of the next few steps too,
 * can take these steps alone, as its body is, of these rows and columns: then blocks must wait for
 * one another once for each panel of steps, not in each step.
 *
 * So along an axis that is cut, a subscript is the index of the point that is stored, or that of
 * the loop.  What a block has twice, as its own and as the panel's, it computes twice: its own copy
 * is of no use until the panel's replaces it, so it may choose no place in an array, and no bound
 * of a loop.
 *
 * Of vectors alone blocks have parts, too: a step is short, so that what it reads of inputs by the
 * loop's index, as of a triangle's column, had better be there before the panel's steps begin. */
#include "plan.h"

struct search {
    struct uc *uc;
    const struct plan *plan;
    struct panels *found;
    bool axes[PANEL_AXES];              /* that are to be cut */
    bool steps[PANEL_AXES];             /* some subscript along it is the loop's index */
    const struct pstmt *spread, *loop;  /* around what is searched; or NULL */
    const struct pvar *own[PANEL_AXES]; /* the spread's index along each axis */
    bool *loose;                        /* by variable: it is made of elements that are stored to */
    bool *range;     /* by variable: it is an index of the spread's definitions, */
    bool *around;    /* and of one that is around what is searched */
    bool far[32];    /* by input: steps read it where no panel has it, */
    bool seen[32];   /* or read it at all, */
    bool beside[32]; /* or a vector by the loop's index */
    bool good;
};

static bool is_stored(const struct search *x, int operand) {
    return operand < 32 && x->found->stored >> operand & 1;
}

/* ---- arrays */

static enum walk add_stored(const struct pstmt *s, void *arg) {
    struct search *x = arg;
    if (s->kind != PS_PUT)
        return WALK_IN;
    x->good = x->good && !s->merged && s->place->operand < x->plan->noperands;
    x->found->stored |= x->good ? UINT32_C(1) << s->place->operand : 0;
    return WALK_IN;
}

static bool cut_along(struct search *x, int operand, int subscript, int axis) {
    const struct dim *dim = x->plan->operands[operand].dims[subscript],
                     **own = &x->found->dims[axis];
    if (*own != NULL && *own != dim)
        return false;
    *own = dim;
    x->found->axis[operand][subscript] = axis + 1;
    return true;
}

/* Cuts vectors along the first axis, of one size, where there are no matrices. */
static bool cut_vectors(struct search *x) {
    const struct plan *p = x->plan;
    for (int k = p->nin; k < p->noperands; k++)
        if (is_stored(x, k) && p->operands[k].rank == 1 &&
            (x->found->dims[0] == NULL || x->found->dims[0] == p->operands[k].dims[0]))
            cut_along(x, k, 0, 0);
    return x->axes[0] && !x->axes[1] && x->found->dims[0] != NULL;
}

/* Cuts matrices along the axes; those of one axis are cut where spreads store to them by an index
 * along one: see find_own. */
static bool find_arrays(struct search *x) {
    const struct plan *p = x->plan;
    bool any = false;
    x->good = p->nlocals == 0 && p->noperands <= 31;
    plan_walk(p->body->body, &(struct plan_visitor){.stmt = add_stored}, x);
    for (int k = 0; x->good && k < p->noperands; k++) {
        int rank = p->operands[k].rank;
        if (!is_stored(x, k)) {
            x->good = k < p->nin || k >= p->nin + p->overload->nout;
            continue;
        }
        x->good = k >= p->nin && rank <= 2;
        any = any || rank == 2;
        for (int i = 0; x->good && i < 2 && rank == 2; i++)
            x->good = !x->axes[i] || cut_along(x, k, i, i);
    }
    return x->good && (any || cut_vectors(x));
}

/* ---- indices */

static void mark_ranges(struct search *x, const struct pstmt *s) {
    for (const struct prange *r = s->ranges; s->accs == NULL && r != NULL; r = r->next)
        x->range[r->var->id] = r->step->kind == PV_CONST && r->step->i == 1;
    for (const struct pstmt *in = s->body; s->accs == NULL && in != NULL; in = in->next)
        if (in->kind == PS_SPREAD)
            mark_ranges(x, in);
}

static bool is_index(const struct search *x, const struct pval *v) {
    return v->kind == PV_VAR && x->range[v->var->id];
}

/* Of an element in a spread: its indices along the axes. */
static enum walk find_own(const struct pval *v, void *arg) {
    struct search *x = arg;
    for (int i = 0; v->kind == PV_ELEM && is_stored(x, v->operand) && i < v->nargs; i++) {
        int axis = x->found->axis[v->operand][i] - 1;
        if (axis < 0 || !is_index(x, v->args[i]))
            continue;
        const struct pvar *var = v->args[i]->var;
        int *cut = &x->found->cut[var->id];
        x->good = x->good && (x->own[axis] == NULL || x->own[axis] == var) &&
                  (*cut == 0 || *cut == axis + 1);
        x->own[axis] = var;
        *cut = axis + 1;
    }
    return WALK_IN;
}

/* Of a store to an array of one axis in a spread, by one of its indices along the axes. */
static enum walk cut_vector(const struct pstmt *s, void *arg) {
    struct search *x = arg;
    if (s->kind != PS_PUT || s->place->nargs != 1 || !is_index(x, s->place->args[0]))
        return WALK_IN;
    int axis = x->found->cut[s->place->args[0]->var->id] - 1;
    if (axis >= 0)
        x->good = x->good && cut_along(x, s->place->operand, 0, axis);
    return WALK_IN;
}

static void begin_spread(struct search *x, const struct pstmt *s) {
    const struct plan_visitor own = {.value = find_own}, vectors = {.stmt = cut_vector};
    x->spread = s;
    x->own[0] = x->own[1] = NULL;
    for (int i = 0; i < x->plan->nvars; i++)
        x->range[i] = false;
    mark_ranges(x, s);
    stmt_walk(s, &own, x);
    stmt_walk(s, &vectors, x);
}

/* ---- values */

static enum walk find_loose(const struct pval *v, void *arg) {
    const struct search *x = arg;
    bool loose = (v->kind == PV_ELEM && is_stored(x, v->operand)) ||
                 (v->kind == PV_VAR && x->loose[v->var->id]);
    return loose ? WALK_STOP : WALK_IN;
}

/* Is a value, which may be NULL, the same whatever blocks have? */
static bool is_firm(struct search *x, const struct pval *v) {
    return value_walk(v, find_loose, x);
}

/* Whether subscript i of an element is the point's own, the loop's, or along no axis that is cut.
 */
static bool is_near(struct search *x, const struct pval *v, int i) {
    int axis = x->found->axis[v->operand][i] - 1;
    const struct pval *at = v->args[i];
    if (axis < 0)
        return is_firm(x, at);
    if (at->kind != PV_VAR)
        return false;
    if (x->loop != NULL && at->var == x->loop->var)
        return x->steps[axis] = true;
    return x->own[axis] != NULL && at->var == x->own[axis];
}

/* ---- inputs that steps read by the loop's index */

static void begin_inputs(struct search *x) {
    for (int k = 0; k < x->plan->nin && k < 32; k++) {
        x->far[k] = x->seen[k] = x->beside[k] = false;
        for (int i = 0; i < MAX_CORE_RANK; i++)
            x->found->axis[k][i] = 0;
    }
}

/* What a subscript of an input is: the point's own along an axis, plus 1, or the loop's; 0: neither
 * of them. */
static int side_of(const struct search *x, const struct pval *v, int i) {
    const struct pval *at = v->args[i];
    for (int axis = 0; at->kind == PV_VAR && axis < PANEL_AXES; axis++)
        if (x->own[axis] == at->var && x->found->cut[at->var->id] == axis + 1)
            return x->found->dims[axis] == x->plan->operands[v->operand].dims[i] ? axis + 1 : 0;
    return at->kind == PV_VAR && at->var == x->loop->var ? PANEL_STEPS + 1 : 0;
}

/* A subscript that is both is along the axis, since that has the panel's indices, too. */
static void add_input(struct search *x, const struct pval *v) {
    int k = v->operand;
    if (x->loop == NULL || v->kind != PV_ELEM || k >= x->plan->nin || k >= 32)
        return;
    x->far[k] = x->far[k] || v->nargs > 2;
    for (int i = 0; i < v->nargs && !x->far[k]; i++) {
        int *side = &x->found->axis[k][i], own = side_of(x, v, i);
        x->beside[k] = x->beside[k] || (v->nargs == 1 && own == PANEL_STEPS + 1);
        bool same =
            !x->seen[k] || *side == own || *side == PANEL_STEPS + 1 || own == PANEL_STEPS + 1;
        x->far[k] = own == 0 || !same;
        *side = x->seen[k] && own == PANEL_STEPS + 1 ? *side : own;
    }
    x->seen[k] = true;
}

static enum walk find_bound(const struct pval *v, void *arg) {
    struct search *x = arg;
    if (v->kind == PV_ELEM && v->operand < x->plan->nin && v->operand < 32)
        x->seen[v->operand] = x->far[v->operand] = true;
    return WALK_IN;
}

/* Those of which panels have all that the steps read. */
static void stage_inputs(struct search *x) {
    for (int k = 0; k < x->plan->nin && k < 32; k++) {
        bool steps = x->beside[k];
        for (int i = 0; i < x->plan->operands[k].rank; i++)
            steps = steps || x->found->axis[k][i] == PANEL_STEPS + 1;
        if (x->seen[k])
            *(steps && !x->far[k] ? &x->found->staged : &x->found->far) |= UINT32_C(1) << k;
    }
}

static enum walk check_value(const struct pval *v, void *arg) {
    struct search *x = arg;
    add_input(x, v);
    bool good = v->kind != PV_ELEM || v->operand < x->plan->noperands;
    for (int i = 0; good && (v->kind == PV_ELEM || v->kind == PV_TABLE) && i < v->nargs; i++)
        good = v->kind == PV_ELEM && is_stored(x, v->operand) ? is_near(x, v, i)
                                                              : is_firm(x, v->args[i]);
    return good ? WALK_IN : WALK_STOP;
}

/* ---- statements */

static bool check_list(struct search *x, const struct pstmt *list);

/* A store: blocks that have parts of the points around it store to these parts of the array, since
 * each needs all of its panel's elements. */
static bool check_put(struct search *x, const struct pstmt *s) {
    int operand = s->place->operand;
    bool good = !s->merged && value_walk(s->place, check_value, x);
    for (int axis = 0; axis < PANEL_AXES && x->spread != NULL; axis++) {
        bool cut = x->own[axis] == NULL || !x->around[x->own[axis]->id];
        for (int i = 0; i < s->place->nargs; i++)
            cut = cut || (x->found->axis[operand][i] == axis + 1 &&
                          s->place->args[i]->var == x->own[axis]);
        good = good && cut;
    }
    return good && value_walk(s->value, check_value, x);
}

/* Whether blocks have parts of a loop's or range's iterations only where its index is a point's own
 * along an axis. */
static bool check_index(const struct search *x, const struct pvar *var) {
    int axis = x->found->cut[var->id] - 1;
    return axis < 0 || x->own[axis] == var;
}

static bool check_bounds(struct search *x, const struct pval *lo, const struct pval *hi,
                         const struct pval *step) {
    const struct pval *const bounds[] = {lo, hi, step};
    bool firm = true;
    for (int i = 0; i < 3; i++) {
        firm = firm && is_firm(x, bounds[i]);
        value_walk(bounds[i], find_bound, x);
    }
    return firm;
}

static bool check_spread(struct search *x, const struct pstmt *s) {
    bool outermost = x->spread == NULL, good = !s->merged;
    if (outermost)
        begin_spread(x, s);
    int n = 0;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next, n++)
        good = good && check_bounds(x, r->lo, r->hi, r->step) && check_index(x, r->var);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        x->around[r->var->id] = true;
    good = good && n <= 4 && x->good && check_list(x, s->body);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        x->around[r->var->id] = false;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        x->loose[a->acc->id] = x->loose[a->other->id] = true;
    if (outermost) {
        x->spread = NULL;
        x->own[0] = x->own[1] = NULL;
    }
    return good;
}

static bool check_for(struct search *x, const struct pstmt *s) {
    bool good = s->accs == NULL && s->lag == 0 && check_bounds(x, s->lo, s->hi, s->step);
    if (x->spread == NULL)
        return good && s->shared != NULL && !s->turned && check_list(x, s->shared);
    return good && x->found->cut[s->var->id] == 0 && check_list(x, s->body);
}

static bool check_list(struct search *x, const struct pstmt *list) {
    bool good = true;
    for (const struct pstmt *s = list; good && s != NULL; s = s->next)
        switch (s->kind) {
        case PS_SET:
            good = value_walk(s->value, check_value, x);
            x->loose[s->var->id] = x->loose[s->var->id] || !is_firm(x, s->value);
            break;
        case PS_PUT: good = check_put(x, s); break;
        case PS_IF:
            good = value_walk(s->value, check_value, x) && check_list(x, s->body) &&
                   check_list(x, s->other);
            break;
        case PS_SPREAD: good = check_spread(x, s); break;
        case PS_FOR: good = check_for(x, s); break;
        default: return false;
        }
    return good;
}

/* ---- the body */

static bool find_turns(struct search *x, const struct pstmt *loop) {
    struct pval n = {.kind = PV_OP, .op = OP_SUB, .dtype = DT_INT64, .nargs = 2};
    n.args[0] = loop->hi;
    n.args[1] = loop->lo;
    x->found->turns = NEWN(x->uc, struct ufc_term, UFC_MAX_TERMS);
    return loop->step->kind == PV_CONST && loop->step->i == 1 && loop->accs == NULL &&
           loop->shared == NULL && loop->lag == 0 && loop->lo->kind == PV_CONST &&
           (int64_t)loop->lo->i >= 0 && !find_written(x->uc, x->plan, loop->body)[loop->var->id] &&
           value_terms(&n, x->found->turns, &x->found->nturns);
}

/* The body's only ordered loop outside of others; NULL: there are more. */
static const struct pstmt *only_loop(const struct pstmt *s) {
    const struct pstmt *loop = NULL;
    for (; s != NULL; s = s->next) {
        if (s->kind == PS_FOR && s->shared == NULL && loop != NULL)
            return NULL;
        loop = s->kind == PS_FOR && s->shared == NULL ? s : loop;
    }
    return loop;
}

/* What is beside the loop: definitions, and what is set there. */
static bool check_outside(struct search *x, const struct pstmt *loop) {
    bool good = true;
    for (const struct pstmt *s = x->plan->body->body; good && s != NULL; s = s->next) {
        if (s == loop)
            continue;
        struct pstmt only = *s;
        only.next = NULL;
        good = s->kind != PS_IF && check_list(x, &only);
    }
    return good;
}

/* How much is known of arrays and variables, which only grows. */
static int count_marks(const struct search *x) {
    int n = 0;
    for (int i = 0; i < x->plan->nvars; i++)
        n += x->loose[i] + (x->found->cut[i] != 0);
    for (int k = 0; k < x->plan->noperands; k++)
        for (int i = 0; i < PANEL_AXES; i++)
            n += x->found->axis[k][i] != 0;
    return n;
}

/* Whether the loop's steps may be taken in panels where these axes are cut. */
static bool are_cut(struct uc *uc, const struct plan *p, const struct pstmt *loop, bool rows,
                    bool columns, struct panels *found) {
    struct search x = {.uc = uc,
                       .plan = p,
                       .found = found,
                       .axes = {rows, columns},
                       .loose = NEWN(uc, bool, p->nvars + 1),
                       .range = NEWN(uc, bool, p->nvars + 1),
                       .around = NEWN(uc, bool, p->nvars + 1)};
    *found = (struct panels){.loop = loop, .cut = NEWN(uc, int, p->nvars + 1)};
    if (!find_arrays(&x) || !find_turns(&x, loop) || !is_firm(&x, loop->hi))
        return false;
    int marks = 0, before;
    do { /* until all that is cut, or loose, was so from the beginning */
        before = marks;
        begin_inputs(&x);
        if (!check_outside(&x, loop))
            return false;
        x.loop = loop;
        if (!check_list(&x, loop->body))
            return false;
        x.loop = NULL;
        marks = count_marks(&x);
    } while (marks != before);
    stage_inputs(&x);
    return x.good && (!rows || x.steps[0]) && (!columns || x.steps[1]);
}

void find_panels(struct uc *uc, struct plan *p) {
    static const bool axes[3][2] = {{true, true}, {false, true}, {true, false}};
    struct panels *found = NEW(uc, struct panels);
    const struct pstmt *loop = only_loop(p->body->body);
    for (int i = 0; loop != NULL && !p->checked && p->map.panels == NULL && i < 3; i++)
        if (are_cut(uc, p, loop, axes[i][0], axes[i][1], found))
            p->map.panels = found;
}
