/* plan.c: typed AST → kernel plan.  Calls of functions are replaced by the functions' bodies, with
 * variables of their own. */
#include <string.h>

#include "apart.h"
#include "path.h"
#include "total.h"

/* how many nodes of a result may take the place of the call */
enum { MAX_VALUE = 256 };
/* how many variables a body has whose loops may be taken apart */
enum { MAX_TAKEN_APART = 256 };
/* how many elements of a local array registers may hold */
enum { MOST_IN_REGISTERS = 32 };

void lower_inline(struct lower *l, const struct node *call, struct pval **results) {
    const struct inst *inst = call->inst;
    const struct node *arg = call->list;
    int n = inst->decl->nparams;
    struct pval **args = NEWN(l->uc, struct pval *, n);
    for (int i = 0; i < n; i++, arg = arg->next)
        if (!inst->params[i]->folded && inst->params[i]->array == NULL)
            args[i] = lower_value(l, arg);
    for (int i = 0; i < n; i++)
        if (args[i] != NULL)
            lower_bind(l, inst->params[i], args[i], call->at);
    lower_function(l, inst, results);
    for (int i = 0; i < inst->nresults; i++)
        if (value_exceeds(results[i], MAX_VALUE))
            results[i] = emit_temporary(l, inst->decl->name, results[i], call->at);
}

/* ---- overloads */

static const char *symbol(struct uc *uc, const struct overload *o, const char *version) {
    char types[3 * UFC_MAX_OPERANDS + 3], *end = types; /* results come first */
    for (int k = 0; k < o->nout; k++)
        end = stpcpy(end, dtype_info[o->dtypes[o->nin + k]].brief);
    end = stpcpy(end, "_");
    for (int k = 0; k < o->nin; k++)
        end = stpcpy(end, dtype_info[o->dtypes[k]].brief);
    return arena_printf(uc, "%s_%s_%s%s", stem(uc), o->decl->name, types, version);
}

static void add_operands(struct uc *uc, struct plan *p, const struct overload *o) {
    p->nin = o->nin;
    p->noperands = o->nin + o->nout + o->nintermediates;
    p->operands = NEWN(uc, struct poperand, p->noperands);
    const struct param *param = o->decl->params;
    for (int k = 0; k < p->noperands; k++) {
        struct poperand *operand = &p->operands[k];
        operand->dtype = (enum ufc_dtype)o->dtypes[k];
        operand->is_output = k >= o->nin;
        if (k == o->nin)
            param = o->decl->outputs;
        if (k == o->nin + o->nout)
            param = o->decl->intermediates;
        if (param != NULL) {
            operand->name = param->name;
            operand->rank = param->rank;
            for (int i = 0; i < param->rank; i++)
                operand->dims[i] = param->core[i];
            param = param->next;
        } else
            operand->name = o->nout == 1 ? "out" : arena_printf(uc, "out%d", k - o->nin);
    }
}

static void number_blocks(struct pstmt *s, int *id) {
    for (; s != NULL; s = s->next) {
        if (s->kind == PS_BLOCK)
            s->id = (*id)++;
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            number_blocks(*lists[i], id);
    }
}

/* Whether loops of the body may be taken apart: in long ones that would take too long to find out.
 */
static bool may_take_apart(const struct plan *p) {
    return p->overload->decl->kind == DECL_GUFUNC && !p->checked && p->nlocals == 0 &&
           p->nvars <= MAX_TAKEN_APART;
}

enum walk find_twice(const struct pstmt *s, void *none) {
    (void)none;
    return s->twice ? WALK_STOP : WALK_IN;
}

/* Begins the plan of an overload: its statements as the source has them, in types that targets
 * compute in.  Arrays that are to be stored are added to it.  draft: it only shows these.  False:
 * there is no such version. */
static bool lower_overload(struct lower *l, struct overload *o, enum storing storing, bool draft) {
    struct uc *uc = l->uc;
    struct plan *p = l->plan;
    p->overload = o;
    p->steps = storing == STORE_IN_STEPS ? NEW(uc, struct plan_steps) : NULL;
    p->stores = storing == STORE_ALL || storing == INTERCHANGED || storing == DELAYED ||
                storing == STACKED || p->steps != NULL;
    p->for_host = storing == FOR_HOST;
    p->calls = storing == STORE_IN_CALLS || storing == RETIMED_CALLS;
    p->recomputes = storing == RECOMPUTED;
    p->owned = storing == OWNED;
    p->symbol = symbol(uc, o,
                       p->steps                   ? "_steps"
                       : storing == DELAYED       ? "_delayed"
                       : storing == STACKED       ? "_stacked"
                       : storing == INTERCHANGED  ? "_interchanged"
                       : p->stores                ? "_stored"
                       : storing == RETIMED_CALLS ? "_retimed_calls"
                       : storing == RETIMED       ? "_retimed"
                       : p->recomputes            ? "_recomputed"
                       : p->owned                 ? "_owned"
                       : p->calls                 ? "_calls"
                                                  : "");
    add_operands(uc, p, o);
    l->end = &stmt_emit(l, PS_EACH, o->inst->body->at)->body;
    for (int k = 0; k < o->nin; k++) {
        if (o->inst->params[k]->array != NULL)
            continue;
        struct pval *load = value_new(l, PV_LOAD, p->operands[k].dtype);
        load->operand = k;
        lower_bind(l, o->inst->params[k], load, o->at);
    }
    lower_function(l, o->inst, NULL);
    if (storing == STACKED && !stack_calls(l, o))
        return false;
    if (o->decl->kind == DECL_GUFUNC)
        take_local_elements(l);
    if (storing == STORE_ALL)
        lift_local_arrays(l, o);
    rename_variables(l);
    make_arrays_anew(l);
    keep_own_arrays(l);
    if (!p->stores && !p->calls && !p->owned && !draft && may_take_apart(p))
        p->owns = has_own_arrays(l, &p->owns_parts);
    if ((p->stores || p->calls || p->owned) && may_take_apart(p))
        spread_own_arrays(l, storing == STORE_ALL);
    if (storing == STORE_ALL && may_take_apart(p))
        widen_parts(l);
    if (p->calls && !rows_to_calls(l))
        return false;
    forward_results(l);
    keep_filled(l);
    place_arrays(l);
    alias_arrays(p);
    lower_types(l);
    bool main = storing == STORE_NONE || storing == STORE_READ_AGAIN;
    if (o->decl->kind == DECL_GUFUNC && main && !draft)
        find_path(uc, p);
    if (o->decl->kind == DECL_GUFUNC && !p->checked) {
        choose_plainly(uc, p);
        find_extremes(uc, p);
    }
    join_in_variables(l);
    keep_results(l);
    if (o->decl->kind == DECL_GUFUNC && !p->checked) {
        peel_loops(l, &p->body);
        keep_incumbents(l);
        keep_last_stored(l);
        take_allowed(l, &p->body);
        unite_stores(l);
        find_flags(l);
    }
    if (may_take_apart(p))
        count_loops(l);
    find_totals(l);
    simplify_ranges(l);
    if (may_take_apart(p)) {
        read_originals(l);
        bool points = has_point_loops(l);
        if (!points || !p->for_host)
            retime_loops(l);
        p->points_retimed = points && !has_point_loops(l);
        p->retimed = (storing == RETIMED || storing == RETIMED_CALLS) && retime_vectors(l);
    }
    if (storing == DELAYED)
        return may_take_apart(p) && delay_updates(l, o);
    if (storing == FOR_HOST) {
        add_serial_loops(uc, p->body->body);
        interchange_loops(l);
    }
    if ((p->stores || p->owned) && may_take_apart(p))
        renew_loops(l, o);
    if (p->stores && may_take_apart(p)) {
        part_conditions(l);
        bool any = run_flags_left(l);
        any = search_loops(l) || any;
        expand_running(l, o);
        drain_loops(l, o);
        if (part_series(l) || any)
            find_totals(l);
        add_serial_loops(uc, p->body->body);
        gather_loops(l);
        gather_pairs(l);
        if (sort_by_keys(l, o))
            find_totals(l);
        sink_numbers(l);
        store_behind(l, o);
        any = store_last_ones(l, o);
        if (compose_loops(l, o) || any)
            find_totals(l);
        add_serial_loops(uc, p->body->body);
        interchange_at_points(l);
        distribute_loops(l, o);
        hoist_loops(l, o);
        interchange_loops(l);
        find_totals(l); /* at the points of definitions, too */
        single_loops(l, o);
        distribute_loops(l, o);
        if (p->steps == NULL)
            pack_factors(l, o);
        else
            store_step_numbers(l, o);
    }
    if (o->decl->kind == DECL_GUFUNC && !p->checked && storing != FOR_HOST)
        store_nested(l, o,
                     storing == INTERCHANGED                           ? STORE_NONE
                     : p->stores                                       ? STORE_ALL
                     : p->calls                                        ? STORE_IN_CALLS
                     : storing == RETIMED || p->recomputes || p->owned ? STORE_NONE
                                                                       : storing);
    return plan_walk(p->body, &(struct plan_visitor){.stmt = find_twice}, NULL);
}

/* Whether the body has elements of an array that it makes, which are not all forwarded. */
static bool has_arrays(const struct lower *l) {
    const struct plan *p = l->plan;
    const int *mentions = count_elements(l->uc, p, p->body);
    int k = p->nin + p->overload->nout;
    while (k < p->noperands && mentions[k] == 0)
        k++;
    return k < p->noperands;
}

/* Whether another version may have definitions in place of ordered loops. */
static bool has_loops_apart(struct lower *l) {
    if (!may_take_apart(l->plan))
        return false;
    add_serial_loops(l->uc, l->plan->body->body);
    return has_series_apart(l) || has_rows_by_key(l) || has_searches(l) || has_flags_left(l) ||
           has_scattered(l) || has_last(l) || has_distributed(l) || has_hoisted(l) ||
           has_interchanged(l) || has_composed(l) || has_gathered(l) || has_pairs(l) ||
           has_numbers_before(l) || has_expanded(l) || has_drained(l) || has_renewed(l);
}

/* What another version of a body may have. */
struct chances {
    bool nested;       /* more reductions that are stored, or loops taken apart: among these */
    bool interchanged; /* ordered ones whose elements have loops of their own */
    bool retimed;      /* ordered ones whose vectors may take their terms by steps */
    bool recomputed;   /* arrays that may be computed where they are read */
    bool renewed;      /* ordered ones that read what they changed as it was before */
    bool conditions;   /* around loops, which may come to stand within these */
    bool whole;        /* becomes the plan's */
};

/* chances: becomes what there is.  NULL: there is no such version. */
static struct plan *plan_overload(struct uc *uc, struct overload *o, enum storing storing,
                                  struct chances *chances) {
    struct plan *p = NEW(uc, struct plan);
    struct lower l = {.uc = uc, .plan = p, .vars_end = &p->vars, .end = &p->body};
    p->whole = chances->whole;
    if (!lower_overload(&l, o, storing, false))
        return NULL;
    p->owns = p->owns && has_arrays(&l);
    p->owns_parts = p->owns_parts && has_arrays(&l);
    chances->nested = p->owns || p->owns_parts || has_nested(&l) ||
                      (!p->stores && has_loops_apart(&l)) ||
                      (!p->stores && may_take_apart(p) && has_packed(&l));
    chances->interchanged = !p->stores && may_take_apart(p) && has_interchanged(&l);
    chances->conditions = !p->stores && may_take_apart(p) && has_conditions_around(&l);
    chances->retimed = !p->stores && may_take_apart(p) && has_vectors_to_retime(&l);
    chances->renewed = !p->stores && !p->owned && may_take_apart(p) && has_renewed(&l);
    chances->recomputed = p->recomputable && !p->checked;
    compute_once(&l);
    unroll_loops(&l);
    fuse_plan(&l);
    find_scans(&l);
    if (o == o->decl->overloads)
        warn_quadratic(uc, p);
    find_running(&l);
    simplify_indices(uc, p);
    map_plan(uc, p);
    find_narrow_ranges(uc, p);
    give_series_to_lanes(uc, p);
    find_domain(uc, p);
    find_neighbours(p);
    find_abreast(uc, p);
    find_repeated(p);
    find_small(uc, p);
    if (p->steps == NULL)
        find_phased(p);
    int id = 0;
    number_blocks(p->body, &id);
    return p;
}

/* A copy to which arrays may be added. */
static struct overload *copy_overload(struct uc *uc, const struct overload *o) {
    struct overload *own = NEW(uc, struct overload);
    *own = *o;
    return own;
}

/* Whether what is read again may be stored: the arrays of all overloads are the gufunc's, so that
 * they have to have the same dimensions. */
static bool stores_alike(struct uc *uc, const struct decl *d) {
    const struct plan *first = NULL;
    for (const struct overload *o = d->overloads; o != NULL; o = o->next) {
        struct plan *p = NEW(uc, struct plan);
        struct lower l = {.uc = uc, .plan = p, .vars_end = &p->vars, .end = &p->body};
        lower_overload(&l, copy_overload(uc, o), STORE_READ_AGAIN, true);
        first = first == NULL ? p : first;
        int given = o->nin + o->nout + o->nintermediates;
        if (p->noperands == given || p->noperands != first->noperands)
            return false;
        for (int k = given; k < p->noperands; k++)
            if (memcmp(p->operands[k].dims, first->operands[k].dims,
                       sizeof first->operands[k].dims) != 0)
                return false;
    }
    return first != NULL;
}

static struct plan *try_version(struct uc *uc, const struct overload *o, enum storing storing,
                                bool whole) {
    struct decl *d = NEW(uc, struct decl);
    struct overload *own = copy_overload(uc, o);
    struct chances chances = {.whole = whole};
    *d = *o->decl;
    own->decl = d;
    return plan_overload(uc, own, storing, &chances);
}

/* Another version of an overload: one that stores reductions within reductions, or whose rows are
 * calls. */
static struct plan *plan_version(struct uc *uc, const struct overload *o, enum storing storing) {
    bool whole = storing != STORE_ALL && storing != INTERCHANGED;
    struct plan *p = try_version(uc, o, storing, whole);
    return p != NULL || whole ? p : try_version(uc, o, storing, true);
}

/* Whether a call reads its rows once, and threads share all that it computes. */
static bool keeps_rows(const struct plan *p) {
    bool keeps = p->map.held > 0;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        keeps = keeps && s->kind != PS_FOR && !has_loop(s->body);
    return keeps;
}

/* The version whose rows are calls, in the place of one that passes over all rows several times;
 * NULL: there is none. */
static struct plan *plan_kept_rows(struct uc *uc, const struct overload *o, const struct plan *p) {
    struct plan *calls = p->nlocals == 0 ? plan_version(uc, o, STORE_IN_CALLS) : NULL;
    if (calls == NULL || !keeps_rows(calls))
        return NULL;
    calls->nests = !has_passes(p); /* few rows may be too long to be kept */
    return calls;
}

/* The version that computes arrays where they are read, but for one that has others; NULL: there is
 * none. */
static struct plan *plan_recomputed(struct uc *uc, const struct overload *before,
                                    const struct plan *p, struct chances chances) {
    bool own = p->noperands == before->nin + before->nout + before->nintermediates;
    return own && chances.recomputed ? plan_version(uc, before, RECOMPUTED) : NULL;
}

/* Whether an ordered loop is no part of a definition or reduction. */
static bool has_ordered(const struct plan *p) {
    const struct pstmt *s = p->body->body;
    while (s != NULL && s->kind != PS_FOR && s->kind != PS_LOOP)
        s = s->next;
    return s != NULL;
}

/* Whether such a loop is not one between constants. */
static bool has_long_ordered(const struct plan *p) {
    const struct pstmt *s = p->body->body;
    while (s != NULL && !(s->kind == PS_LOOP || (s->kind == PS_FOR && constant_steps(s) < 0)))
        s = s->next;
    return s != NULL;
}

/* Has a thread a local array that its registers do not hold, with those of a point? */
static bool has_large_local(const struct plan *p) {
    bool large = false;
    for (int k = p->noperands; k < p->noperands + p->nlocals; k++) {
        int64_t n = 1;
        for (int i = 0; i < p->operands[k].rank && n > 0 && n <= MOST_IN_REGISTERS; i++)
            n *= p->operands[k].dims[i]->size;
        large = large || n > MOST_IN_REGISTERS;
    }
    return large;
}

/* The version of an overload beside which it is; before: as it was before it was planned.  NULL:
 * there is none. */
static struct plan *other_version(struct uc *uc, struct overload *o, const struct overload *before,
                                  const struct plan *p, struct chances chances) {
    struct plan *other = NULL;
    if (p->checked)
        return NULL;
    bool steps = may_be_stepwise(p);
    if (steps && p->map.may_deal) { /* where one thread runs other loops, none may need steps */
        other = plan_version(uc, before, STORE_ALL);
        steps = other == NULL || !other->map.deals || may_be_stepwise(other);
        if (!steps)
            return other;
    }
    if (steps)
        other = plan_version(uc, before, STORE_IN_STEPS);
    if (other != NULL && other->steps != NULL && has_kernel(other, UFC_KERNEL_NEST))
        return other;
    other = NULL;
    if (chances.interchanged || chances.nested)
        other = plan_kept_rows(uc, before, p);
    if (other != NULL)
        return other;
    if (chances.interchanged) /* whose points are those of rows as calls, and more */
        other = plan_version(uc, before, STORE_ALL);
    if (other != NULL && other->map.in_phases)
        return other;
    other = NULL;
    if (has_passes(p) || p->owns || (p->map.point_series && p->nlocals == 0))
        other = plan_version(uc, before, STORE_IN_CALLS);
    if (other != NULL && !has_passes(p) && !p->owns && !other->map.series)
        other = NULL;
    if (other == NULL && o->by_pass != NULL)
        other = plan_overload(uc, o->by_pass, STORE_ALL, &chances);
    else if (other == NULL && chances.nested)
        other = plan_version(uc, before, STORE_ALL);
    if (other != NULL && other->stores && !other->map.in_phases)
        other = NULL;
    if (other == NULL && p->nlocals > 0 && (has_long_ordered(p) || has_large_local(p))) {
        other = plan_version(uc, before, STORE_ALL);
        other = other != NULL && other->nlocals == 0 && other->map.in_phases ? other : NULL;
    }
    if (other == NULL && has_row_steps(p)) {
        other = plan_version(uc, before, STORE_IN_CALLS);
        if (other != NULL || !chances.conditions)
            return other;
    }
    if (other == NULL && chances.conditions) {
        other = plan_version(uc, before, STORE_ALL);
        other = other != NULL && other->map.in_phases ? other : NULL;
    }
    if (other == NULL && ((p->owns && has_ordered(p)) || chances.renewed))
        other = plan_version(uc, before, OWNED);
    if (other == NULL)
        other = plan_recomputed(uc, before, p, chances);
    bool retimed = chances.retimed && !has_kernel(p, UFC_KERNEL_PANEL);
    return other == NULL && retimed ? plan_version(uc, before, RETIMED) : other;
}

static bool has_tilings(const struct plan *p) {
    int i = 0;
    while (i < p->map.phases && p->map.tiling[i] == NULL)
        i++;
    return i < p->map.phases;
}

/* How many definitions hosts compute in tiles; ordered: whose terms are in order. */
static int count_host_tiles(const struct plan *p, bool ordered) {
    int n = 0;
    for (int i = 0; i < p->map.phases; i++)
        n += p->map.tiling[i] != NULL && is_host_tiling(p->map.tiling[i]) &&
             (p->map.tiling[i]->in_order || !ordered);
    return n;
}

/* A further version, beside one whose rows are calls: one with products, that tiles compute, for
 * rows that share what they read; or one whose calls go by steps.  Or, beside one that stores what
 * loops compute in those that are interchanged, one that needs no memory for that.  NULL: there is
 * none. */
static struct plan *further_version(struct uc *uc, const struct overload *before,
                                    const struct plan *p, const struct plan *other,
                                    struct chances chances) {
    struct plan *further = NULL;
    if (other != NULL && other->stores && other->steps == NULL && chances.interchanged)
        further = plan_version(uc, before, INTERCHANGED);
    if (further != NULL && further->map.in_phases && further->noperands < other->noperands)
        return further;
    if (other == NULL || !other->calls)
        return NULL;
    if (chances.nested && !has_tilings(p))
        further = plan_version(uc, before, STORE_ALL);
    if (further != NULL && further->map.in_phases && has_tilings(further))
        return further;
    further = has_ordered(other) ? plan_version(uc, before, RETIMED_CALLS) : NULL;
    if (further != NULL && further->retimed)
        return further;
    return plan_recomputed(uc, before, p, chances);
}

/* Whether points of a definition have a loop that does not begin at 0: hosts may have it in tiles.
 */
static bool has_late_loops(const struct plan *p) {
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        for (const struct pstmt *t = s->kind == PS_SPREAD ? s->body : NULL; t != NULL; t = t->next)
            if (t->kind == PS_FOR && (t->lo->kind != PV_CONST || t->lo->i != 0))
                return true;
    return false;
}

/* The version of an overload that hosts compute in its place: where loops that are interchanged, or
 * begin late, are products, as `for k { for j { c[i, j] += a[i, k] * b[k, j] } }`, or none is left
 * that is in order, or points have loops that are retimed otherwise. NULL: there is none. */
static const struct plan *host_version(struct uc *uc, const struct overload *before,
                                       const struct plan *p) {
    const struct plan *host = plan_version(uc, before, FOR_HOST);
    if (p->points_retimed || count_host_tiles(host, true) > count_host_tiles(p, true))
        return host;
    return !has_ordered(host) && has_ordered(p) ? host : NULL;
}

/* Stops where points merge what they store, as those do that loops which store anywhere become: for
 * hosts these are loops better. */
static enum walk find_merged(const struct pstmt *s, void *none) {
    (void)none;
    return s->merged || s->deal != NULL ? WALK_STOP : WALK_IN;
}

/* The version that hosts go in where calls are long, since arrays that it stores make products of
 * its loops: one of p's others, or one of hosts alone, which is listed.  NULL: there is none. */
static struct plan *tiled_version(struct uc *uc, const struct overload *before,
                                  const struct plan *p, struct plan *other, struct plan *further,
                                  struct plan ***end) {
    bool listed = false;
    struct plan *tiled = NULL, *others[] = {other, further};
    for (int i = 0; i < 2 && !listed; i++) {
        listed = others[i] != NULL && others[i]->stores && others[i]->steps == NULL;
        tiled = listed ? others[i] : NULL;
    }
    if (!listed)
        tiled = plan_version(uc, before, STORE_ALL);
    if (!tiled->map.in_phases ||
        !plan_walk(tiled->body, &(struct plan_visitor){.stmt = find_merged}, NULL) ||
        count_host_tiles(tiled, false) <= count_host_tiles(p->host != NULL ? p->host : p, false))
        return NULL;
    tiled->on_host = true;
    tiled->host_only = !listed;
    if (!listed) {
        **end = tiled;
        *end = &tiled->next;
    }
    return tiled;
}

/* The version of hosts alone whose steps are in blocks, which is listed; NULL: there is none. */
static struct plan *delayed_version(struct uc *uc, const struct overload *before,
                                    struct plan ***end) {
    struct plan *delayed = plan_version(uc, before, DELAYED);
    if (delayed == NULL)
        return NULL;
    delayed->on_host = delayed->host_only = true;
    **end = delayed;
    *end = &delayed->next;
    return delayed;
}

/* The version of hosts alone whose rows are calls that share matrices, where that makes products
 * of its loops, which is listed; NULL: there is none. */
static struct plan *stacked_version(struct uc *uc, const struct overload *before,
                                    const struct plan *p, struct plan ***end) {
    struct plan *stacked = plan_version(uc, before, STACKED);
    if (stacked == NULL || !stacked->map.in_phases ||
        !plan_walk(stacked->body, &(struct plan_visitor){.stmt = find_merged}, NULL) ||
        count_host_tiles(stacked, false) <= count_host_tiles(p->host != NULL ? p->host : p, false))
        return NULL;
    stacked->on_host = stacked->host_only = true;
    **end = stacked;
    *end = &stacked->next;
    return stacked;
}

/* Has a plan another version, if there is one, which is listed before it. */
static void add_version(struct plan *p, struct plan *version, struct plan ***end) {
    if (version == NULL)
        return;
    p->other = **end = version;
    *end = &version->next;
}

/* Plans the overloads of a function.  The other versions come first, each alone. */
static void plan_function(struct uc *uc, const struct decl *d, struct plan ***end) {
    struct plan *list = NULL, **tail = &list;
    bool gufunc = d->kind == DECL_GUFUNC, versions = gufunc && uc->options->targets & UFCC_CUDA,
         host = gufunc && uc->options->targets & UFCC_HOST;
    enum storing storing = gufunc && stores_alike(uc, d) ? STORE_READ_AGAIN : STORE_NONE;
    for (struct overload *o = d->overloads; o != NULL; o = o->next) {
        const struct overload before = *o;
        struct chances chances = {.whole = true};
        struct plan *p = *tail = plan_overload(uc, o, storing, &chances);
        tail = &p->next;
        struct plan *other = versions ? other_version(uc, o, &before, p, chances) : NULL,
                    *further = further_version(uc, &before, p, other, chances);
        add_version(other, further, end);
        add_version(p, other, end);
        if (host && storing == STORE_NONE &&
            (chances.interchanged || p->points_retimed || has_late_loops(p)))
            p->host = host_version(uc, &before, p);
        if (host && !p->checked && (chances.nested || chances.interchanged))
            p->tiled = tiled_version(uc, &before, p, other, further, end);
        if (host && !p->checked && p->tiled == NULL && has_ordered(p))
            p->tiled = delayed_version(uc, &before, end);
        if (host && !p->checked)
            p->stacked = stacked_version(uc, &before, p, end);
        warn_serial(uc, p);
    }
    **end = list;
    *end = list != NULL ? tail : *end;
}

/* Makes terms of the sizes that a gufunc computes. */
static void plan_dims(struct uc *uc, const struct decl *d) {
    struct plan none = {0};
    struct pstmt *list = NULL;
    struct lower l = {.uc = uc, .plan = &none, .vars_end = &none.vars, .end = &list};
    for (struct dim *dim = d->dims; dim != NULL; dim = dim->next) {
        if (dim->expr == NULL)
            continue;
        dim->terms = NEWN(uc, struct ufc_term, UFC_MAX_TERMS);
        bool fits = value_terms(lower_value(&l, dim->expr), dim->terms, &dim->nterms) &&
                    (!dim->length || dim->nterms + 2 <= UFC_MAX_TERMS);
        if (fits && dim->length) { /* below 0 there are no elements */
            dim->terms[dim->nterms++] = (struct ufc_term){UFC_TERM_NUMBER, 0};
            dim->terms[dim->nterms++] = (struct ufc_term){UFC_TERM_MAX, 0};
        }
        if (!fits)
            error(uc, dim->at, "this size has more than %d terms", UFC_MAX_TERMS);
    }
}

void plan(struct uc *uc) {
    struct plan **end = &uc->plans;
    for (const struct decl *d = uc->decls; d != NULL; d = d->next)
        if (is_compiled(uc, d) || d == uc->copies) {
            plan_dims(uc, d);
            plan_function(uc, d, &end);
        }
}
