/* compose_scan.c: what a loop becomes whose states are composed: scans, reductions, and what
 * runs it again where the states were not what it was composed of. */
#include "total.h"

#include "compose.h"

/* ---- scans */

/* The states that are found next: those of which all sources but such as they are among are known.
 * within: those that are looked for. */
static uint32_t next_group(const struct composing *x, uint32_t within, uint32_t known) {
    for (int i = 0; i < x->n; i++) {
        uint32_t own = together(x, i);
        if (within >> i & 1 && !(known & own) && !(needs_of(x, own) & ~own & ~known))
            return own;
    }
    return 0;
}

/* Makes a group of states.  False: there is no class for what they do. */
static bool make_group(struct composing *x, uint32_t states, struct group *g) {
    uint32_t needs;
    const struct pstmt *list = slice(x, states, 0, &needs);
    *g = (struct group){.nvars = x->nvars};
    for (int i = 0; i < x->n; i++) {
        if (!(states >> i & 1))
            continue;
        if (g->n == MAX_TOGETHER)
            return false;
        g->state[g->n++] = x->state[i].var;
    }
    return list != NULL && reads_inputs(x, list) && find_form(x->l, g, list, x->loop);
}

bool make_round(struct composing *x, uint32_t within, struct round *r) {
    *r = (struct round){.n = 0};
    for (uint32_t own; (own = next_group(x, within & ~r->all, x->known)) != 0; r->n++) {
        struct group *g = &r->group[r->n];
        if (!make_group(x, own, g))
            return false;
        int accs = form_accs(g);
        if (r->n > 0 && r->accs + accs > SCAN_ACCS)
            break;
        r->accs += accs;
        r->states[r->n] = own;
        r->all |= own;
    }
    return r->n > 0 && r->accs <= SCAN_ACCS;
}

/* Emits the step of each group in an iteration. */
static void emit_steps(struct composing *x, struct round *r, const struct pvar *index) {
    for (int i = 0; i < r->n; i++) {
        uint32_t needs;
        const struct pstmt *own = slice(x, r->states[i], 0, &needs);
        struct copy c = new_copy(x, index);
        provide(x, &c, needs & ~r->states[i], index);
        x->failed = !step_form(x->l, &r->group[i], &c, own) || x->failed;
    }
}

static void emit_joined(struct composing *x, struct round *r, struct pstmt *s) {
    struct pstmt **end = x->l->end;
    struct pacc **accs = &s->accs;
    x->l->end = &s->joined;
    for (int i = 0; i < r->n; i++) {
        join_form(x->l, &r->group[i], x->loop->at);
        accs = list_form(x->l, &r->group[i], accs);
    }
    x->l->end = end;
}

/* The states of a round are at hand where its accs are. */
static void take_round(struct composing *x, const struct round *r, bool at_hand) {
    for (int i = 0; i < r->n; i++)
        for (int k = 0; k < x->n; k++)
            for (int m = 0; m < r->group[i].n; m++)
                if (x->state[k].var == r->group[i].state[m]) {
                    x->state[k].group = at_hand ? &r->group[i] : NULL;
                    x->state[k].place = m;
                }
}

/* Adds an array with an element for each iteration; or with one. */
static int new_array(struct composing *x, enum ufc_dtype d, bool one) {
    struct pval *hi = (struct pval *)x->size;
    const struct prange range = {.hi = hi};
    int n = x->l->plan->noperands;
    x->failed = x->failed || (!one && hi == NULL) || n >= UFC_MAX_OPERANDS / 2;
    if (x->failed || x->o == NULL)
        return 0;
    return add_array(x->l, x->o, one ? NULL : &range, d == DT_BOOL ? DT_UINT8 : d);
}

static void put(struct composing *x, int operand, struct pval *index, struct pval *v) {
    struct pval *place = element_at(x, operand, index);
    emit_put(x->l, place, x->o != NULL ? value_cast(x->l, v, place->dtype) : v, x->loop->at);
}

/* Emits what an iteration does that knows states: its stores, and in the last one what the loop
 * leaves. */
void emit_stores(struct composing *x, const struct pvar *index, struct leaving *leaving) {
    uint32_t needs;
    const struct pstmt *list = slice(x, 0, x->after ? 0 : x->puts, &needs);
    struct copy c = new_copy(x, index);
    provide(x, &c, needs, index);
    emit_copy(x, &c, list);
    if (leaving->states == 0)
        return;
    struct lower *l = x->l;
    struct pval *next = value_op(l, OP_ADD, DT_INT64, read(l, index), x->loop->step);
    struct pstmt *s = open_if(x, value_op(l, OP_EQ, DT_BOOL, next, x->hi));
    struct copy last = new_copy(x, index);
    list = slice(x, leaving->states, 0, &needs);
    provide(x, &last, needs, index);
    emit_copy(x, &last, list);
    for (int i = 0; i < x->n; i++) {
        if (!(leaving->states >> i & 1))
            continue;
        const struct pvar *var = last.vars[x->state[i].var->id];
        leaving->array[i] = new_array(x, x->state[i].var->dtype, true);
        put(x, leaving->array[i], NULL, read(l, var != NULL ? var : x->state[i].var));
    }
    close_if(x, s);
}

/* Emits a scan; last: of all, where all that the loop stores is. */
void emit_scan(struct composing *x, struct round *r, bool last, struct leaving *leaving) {
    struct lower *l = x->l;
    for (int i = 0; i < r->n; i++)
        begin_form(l, &r->group[i], x->loop->at);
    struct pstmt *s = stmt_emit(l, PS_FOR, x->loop->at), **end = l->end;
    const struct pvar *index = &variable_new(l, x->loop->var->name, DT_INT64)->pvar;
    s->var = (struct pvar *)index;
    s->lo = x->lo;
    s->hi = x->hi;
    s->step = x->loop->step;
    s->before = true;
    l->end = &s->rest; /* which tells what of the accs changes */
    emit_steps(x, r, index);
    emit_joined(x, r, s);
    l->end = &s->body;
    take_round(x, r, true);
    int array[MAX_STATES];
    for (int i = 0; i < x->n; i++) {
        if (!(r->all & x->stored) || !(r->all >> i & 1) || !(x->stored >> i & 1))
            continue;
        array[i] = new_array(x, x->state[i].var->dtype, false);
        put(x, array[i], read(l, index), form_value(l, x->state[i].group, x->state[i].place));
    }
    if (last)
        emit_stores(x, index, leaving);
    take_round(x, r, false);
    *l->end = s->rest;
    for (int i = 0; i < x->n; i++)
        if (r->all >> i & 1)
            x->state[i].array = x->stored >> i & 1 ? array[i] : -1;
    x->known |= r->all;
    l->end = end;
}

/* ---- where sums wrapped */

static bool is_written(const struct pval *v, const bool *written) {
    bool is = v->kind == PV_VAR && written[v->var->id];
    for (int i = 0; i < v->nargs; i++)
        is = is || is_written(v->args[i], written);
    return is;
}

/* Whether the loop stores to the same places whatever the states are: it may do so again. */
bool stores_anyway(const struct composing *x) {
    const bool *written = find_written(x->l->uc, x->l->plan, x->loop->body);
    for (const struct pstmt *s = x->loop->body; s != NULL; s = s->next)
        if (s->kind == PS_PUT ? is_written(s->place, written) : is_store(s))
            return false;
    return reads_inputs(x, x->loop->body);
}

/* Emits a loop that finds out whether the states are what they were found to be: the variable that
 * is then 0. */
struct pvar *emit_check(struct composing *x) {
    struct lower *l = x->l;
    bool up = (int64_t)x->loop->step->i > 0;
    struct pvar *bad = &variable_new(l, "bad", DT_INT32)->pvar;
    struct pval *n = value_op(l, OP_SUB, DT_INT64, up ? x->hi : x->lo, up ? x->lo : x->hi);
    set(l, bad, value_zero(l, DT_INT32), x->loop->at);
    for (int i = 0; i < x->nchecks; i++)
        check_clamps(l, &x->check[i], n, bad, x->loop->at);
    struct pstmt *s = stmt_emit(l, PS_FOR, x->loop->at), **end = l->end;
    s->var = &variable_new(l, x->loop->var->name, DT_INT64)->pvar;
    s->lo = x->lo;
    s->hi = x->hi;
    s->step = x->loop->step;
    l->end = &s->body;
    for (int i = 0; i < x->nchecks; i++) {
        uint32_t needs;
        const struct pstmt *own = slice(x, x->checked[i], 0, &needs);
        struct copy c = new_copy(x, s->var);
        provide(x, &c, needs, s->var);
        check_clamp(l, &x->check[i], &c, own, bad);
    }
    l->end = end;
    return bad;
}

/* Emits that the loop runs as it is where they are not. */
void emit_again(struct composing *x, struct pvar *bad, struct leaving *leaving) {
    struct lower *l = x->l;
    struct pstmt *s = NULL, **end = l->end;
    struct copy c = new_copy(x, NULL);
    l->end = &s;
    struct pstmt *rarely =
        open_if(x, value_op(l, OP_NE, DT_BOOL, read(l, bad), value_zero(l, DT_INT32)));
    rarely->rare = true;
    for (int i = 0; i < x->n; i++)
        c.vars[x->state[i].var->id] =
            emit_temporary(l, x->state[i].var->name, read(l, x->state[i].var), x->loop->at)->var;
    *l->end = copy_stmt(&c, x->loop);
    l->end = &(*l->end)->next;
    for (int i = 0; i < x->n; i++)
        if (x->state[i].behind) {
            leaving->states |= bit(i);
            leaving->array[i] = new_array(x, x->state[i].var->dtype, true);
            put(x, leaving->array[i], NULL, read(l, c.vars[x->state[i].var->id]));
        }
    *end = single_point(l->uc, l->plan, s, x->loop->at);
    l->end = &(*end)->next;
}

/* ---- what only leaves the loop */

/* Emits a loop that does nothing but set states, which it leaves. */
struct pstmt *emit_totals(struct composing *x, uint32_t states, bool known) {
    struct lower *l = x->l;
    struct pstmt *s = stmt_emit(l, PS_FOR, x->loop->at), **end = l->end;
    const struct pvar *index = &variable_new(l, x->loop->var->name, DT_INT64)->pvar;
    uint32_t needs;
    const struct pstmt *own = slice(x, states, 0, &needs);
    s->var = (struct pvar *)index;
    s->lo = x->lo;
    s->hi = x->hi;
    s->step = x->loop->step;
    struct copy c = new_copy(x, index);
    l->end = &s->body;
    for (int i = 0; i < x->n && !known; i++)
        if (needs >> i & 1 && !(states >> i & 1))
            c.vars[x->state[i].var->id] =
                emit_temporary(l, "any", value_zero(l, x->state[i].var->dtype), s->at)->var;
    if (known)
        provide(x, &c, needs & ~states, index);
    for (int i = 0; i < x->n; i++)
        if (states >> i & 1)
            c.vars[x->state[i].var->id] = (struct pvar *)x->state[i].var;
    emit_copy(x, &c, own);
    l->end = end;
    return s;
}

/* Whether a loop that sets the states alone takes totals. */
static bool are_totals(struct composing *x, uint32_t states, struct pstmt **at) {
    struct lower *l = x->l;
    struct pstmt *list = NULL, **end = l->end, *loop = *at;
    struct pvar **vars_end = variables_end(l);
    int nvars = l->plan->nvars;
    l->end = &list;
    struct pstmt *s = emit_totals(x, states, false);
    s->next = loop->next;
    *at = s;
    bool are = reads_inputs(x, s->body) && has_loop_totals(l, s);
    *at = loop;
    l->end = end;
    l->vars_end = vars_end;
    *vars_end = NULL;
    l->plan->nvars = nvars;
    return are;
}

/* The states that a loop of totals is to have: those that nothing else needs, and such as these
 * alone need where they take totals together.  0: none. */
uint32_t find_leaving_totals(struct composing *x, uint32_t leaving, uint32_t needed,
                             struct pstmt **at) {
    uint32_t states = leaving;
    while (states != 0 && !are_totals(x, states, at)) {
        uint32_t more = states;
        for (int i = 0; i < x->n; i++) {
            uint32_t by = 0;
            for (int k = 0; k < x->n; k++)
                by |= x->state[k].needs >> i & 1 && k != i ? bit(k) : 0;
            if (!(states >> i & 1) && by != 0 && !(by & ~states) && !(needed >> i & 1))
                more |= bit(i);
        }
        states = more != states ? more : 0;
    }
    return states;
}

/* Emits a reduction that joins what the iterations do, in their order. */
void emit_fold(struct composing *x, struct round *r) {
    struct lower *l = x->l;
    for (int i = 0; i < r->n; i++)
        begin_form(l, &r->group[i], x->loop->at);
    struct pstmt *s = stmt_emit(l, PS_SPREAD, x->loop->at), **end = l->end;
    const struct pvar *index = &variable_new(l, x->loop->var->name, DT_INT64)->pvar;
    s->ranges = NEW(l->uc, struct prange);
    *s->ranges = (struct prange){
        .var = (struct pvar *)index, .lo = x->lo, .hi = x->hi, .step = x->loop->step};
    s->outermost = s->ordered = true;
    l->end = &s->body;
    emit_steps(x, r, index);
    emit_joined(x, r, s);
    l->end = end;
    take_round(x, r, true);
    struct pval *left[MAX_STATES] = {NULL};
    for (int i = 0; i < x->n; i++)
        if (r->all >> i & 1 && x->state[i].behind) {
            struct pval *v = form_value(l, x->state[i].group, x->state[i].place);
            left[i] = emit_temporary(l, x->state[i].var->name, v, x->loop->at);
        }
    for (int i = 0; i < x->n; i++)
        if (left[i] != NULL)
            set(l, x->state[i].var, left[i], x->loop->at);
    take_round(x, r, false);
}
