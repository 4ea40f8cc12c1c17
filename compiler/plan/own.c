/* own.c: arrays that each iteration of an ordered loop makes anew, as `for i in 0..n { let e[j] =
 * ...; ... }` does.  The iterations have but that array in common, so that they may run in any
 * order where each has its own.  One of few elements becomes a local array, which a thread keeps in
 * registers.  Another one gets an axis for the loop's index in a version of the body; the memory
 * which that takes is looked at by the runtime, which chooses between the versions.
 *
 * Iterations that have more in common, as sums, may still have arrays of their own, if nothing of
 * an earlier one is in these (carried.c): what makes these then runs in any order, and what is left
 * of the loop only adds. */
#include <math.h>

#include "apart.h"
#include "bounded.h"
#include "linear.h"

enum {
    OWN_ELEMENTS = 32, /* of a local array, at most: there are loops over them in a thread, */
    OWN_STEPS = 1024,  /* of which each has so many iterations, at most */
};

struct owning {
    struct lower *l;
    struct plan *plan;
    struct sharer x;
    int given;    /* operands in front of those that the body makes */
    bool small;   /* local arrays are looked for */
    bool any;     /* there are arrays that iterations have */
    bool asks;    /* nothing is changed but what is put back */
    bool part;    /* iterations that have more in common may have arrays, too; */
    bool parts;   /* there are such */
    int *mention; /* by operand: how often the body has it */
    int *axes;    /* by operand: how many it got in front, */
    int *place;   /* and where it gets another one */
};

/* ---- what iterations make */

/* Has an array few elements, whatever the sizes? */
static bool is_small(const struct poperand *array) {
    int64_t n = 1;
    for (int i = 0; i < array->rank && n <= OWN_ELEMENTS; i++)
        n *= array->dims[i]->size >= 0 ? array->dims[i]->size : OWN_ELEMENTS + 1;
    return n >= 1 && n <= OWN_ELEMENTS;
}

/* ---- definitions that a thread may do alone */

/* Do statements take few steps, where those around them take so many? */
static bool takes_few_steps(const struct pstmt *list, struct interval *within, int64_t around) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        int64_t steps = around;
        for (const struct prange *r = s->ranges; r != NULL && steps <= OWN_STEPS; r = r->next) {
            int64_t n = most_steps(within, r->var, r->lo, r->hi, r->step);
            steps = n <= OWN_STEPS ? steps * n : INT64_MAX;
        }
        if (s->kind == PS_FOR) {
            int64_t n = most_steps(within, s->var, s->lo, s->hi, s->step);
            steps = n <= OWN_STEPS ? steps * n : INT64_MAX;
        }
        if (s->kind == PS_SET)
            within[s->var->id] = interval_of(within, s->value);
        if (steps > OWN_STEPS || !takes_few_steps(s->body, within, steps) ||
            !takes_few_steps(s->other, within, steps))
            return false;
    }
    return true;
}

/* Are the definitions and reductions of a list that have elements of an array so short that a
 * thread may do each alone?  Of long ones threads share the points. */
static bool is_short_in(const struct pstmt *list, int k, struct interval *within) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct pstmt only = *s;
        only.next = NULL;
        if (!has_array(s, k))
            continue;
        if (s->kind == PS_SPREAD
                ? !takes_few_steps(&only, within, 1)
                : !is_short_in(s->body, k, within) || !is_short_in(s->other, k, within))
            return false;
    }
    return true;
}

static bool is_short(const struct owning *o, const struct pstmt *loop, int k) {
    return is_short_in(loop->body, k, unknown_intervals(o->l->uc, o->plan));
}

/* ---- arrays of iterations */

/* The arrays that each iteration of a loop makes and no other statement has, a bit each. */
static uint32_t arrays_of(const struct owning *o, const struct pstmt *loop) {
    const int *here = count_elements(o->l->uc, o->plan, loop->body);
    uint32_t arrays = 0;
    for (int k = o->given; k < o->plan->noperands; k++) {
        const struct poperand *array = &o->plan->operands[k];
        bool own = here[k] > 0 && here[k] == o->mention[k] && array->rank < MAX_CORE_RANK &&
                   (!o->small || (is_small(array) && is_short(o, loop, k))) &&
                   is_made_in(o->l->uc, o->plan, loop->body, k);
        arrays |= own ? UINT32_C(1) << k : 0;
    }
    return arrays;
}

/* ---- an axis for the index */

struct axis {
    const struct owning *o;
    uint32_t arrays;
    struct pvar *index; /* NULL: the axis is taken back */
};

/* A value may be in several places. */
static enum walk change_axis(const struct pval *v, void *arg) {
    const struct axis *a = arg;
    struct pval *own = (struct pval *)(void *)v;
    if (v->kind != PV_ELEM || v->operand >= a->o->plan->noperands ||
        !(a->arrays >> v->operand & 1) || v->nargs == a->o->plan->operands[v->operand].rank)
        return WALK_IN;
    int at = a->o->place[v->operand];
    if (a->index != NULL) {
        for (int i = own->nargs++; i > at; i--)
            own->args[i] = own->args[i - 1];
        own->args[at] = value_new(a->o->l, PV_VAR, DT_INT64);
        own->args[at]->var = a->index;
    } else {
        own->nargs--;
        for (int i = at; i < own->nargs; i++)
            own->args[i] = own->args[i + 1];
    }
    return WALK_IN;
}

static void change_axes(const struct owning *o, const struct pstmt *loop, uint32_t arrays,
                        const struct dim *dim) {
    for (int k = o->given; k < o->plan->noperands; k++) {
        struct poperand *array = &o->plan->operands[k];
        int at = o->place[k];
        if (!(arrays >> k & 1))
            continue;
        array->rank += dim != NULL ? 1 : -1;
        for (int i = array->rank - 1; i > at && dim != NULL; i--)
            array->dims[i] = array->dims[i - 1];
        for (int i = at; i < array->rank && dim == NULL; i++)
            array->dims[i] = array->dims[i + 1];
        if (dim != NULL)
            array->dims[at] = dim;
    }
    struct axis a = {o, arrays, dim != NULL ? loop->var : NULL};
    plan_walk(loop->body, &(struct plan_visitor){.value = change_axis, .joined = true}, &a);
}

/* A dimension that a loop's index is always within, as those of inner points of a grid are, which
 * begin behind its first element and end before the last; NULL: there is none. */
static const struct dim *dim_around(const struct owning *o, const struct pstmt *loop) {
    bool *written = find_written(o->l->uc, o->plan, loop->body);
    const struct candidate *c = written[loop->var->id] ? NULL : new_candidate(&o->x, loop, written);
    struct pval *index = value_new(o->l, PV_VAR, DT_INT64);
    const struct dim *dim = c != NULL ? o->plan->overload->decl->dims : NULL;
    index->var = loop->var;
    while (dim != NULL && (dim->optional || !is_always_within(c, index, dim)))
        dim = dim->next;
    return dim;
}

/* Are the elements of an array that a list has in loops those of ordered ones, but where it is
 * filled?  around: the loops around the list; ordered: one of those of the iteration is. */
static bool is_in_order(const struct owning *o, const struct pstmt *list, int k,
                        const struct enclosing *around, bool ordered) {
    struct sharer x = o->x;
    x.around = around;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const struct enclosing own = {s, around};
        if (!has_array(s, k) || (s->kind == PS_SPREAD && fills_array(o->l->uc, o->plan, s, k)))
            continue;
        bool loops = s->kind == PS_FOR || s->kind == PS_LOOP;
        bool waits = ordered || s->kind == PS_LOOP ||
                     (loops && !are_others_apart(&x, s, find_written(x.uc, x.plan, s->body)));
        if (s->kind == PS_SPREAD || (loops && !waits) ||
            !is_in_order(o, s->body, k, s->kind == PS_FOR ? &own : around, waits) ||
            !is_in_order(o, s->other, k, around, waits))
            return false;
    }
    return true;
}

/* Sets where arrays get an axis for a loop's index.  What an ordered loop of each iteration goes
 * along has it behind, so that iterations that threads have side by side access neighbours; what
 * threads share within an iteration has it in front. */
static void place_axes(const struct owning *o, const struct pstmt *loop, uint32_t arrays) {
    const struct enclosing around = {loop, o->x.around};
    for (int k = o->given; k < o->plan->noperands; k++)
        if (arrays >> k & 1)
            o->place[k] = !o->small && is_in_order(o, loop->body, k, &around, false)
                              ? o->plan->operands[k].rank
                              : o->axes[k];
}

/* The dimension that has the end of a loop that begins at 0 or behind it, else one around all that
 * it has; NULL: there is none. */
static const struct dim *dim_of_loop(const struct owning *o, const struct pstmt *loop) {
    const struct decl *d = o->plan->overload->decl;
    const struct pval *hi = loop->hi;
    if (loop->step->kind != PV_CONST || loop->step->i != 1 || loop->lo->kind != PV_CONST ||
        (int64_t)loop->lo->i < 0)
        return dim_around(o, loop);
    const struct dim *dim = d->dims;
    while (dim != NULL && (hi->kind == PV_DIM ? dim->index != hi->operand
                                              : hi->kind != PV_CONST || dim->size < 0 ||
                                                    dim->size != (int64_t)hi->i))
        dim = dim->next;
    dim = dim == NULL ? dim_of_terms(d, hi) : dim;
    return dim != NULL && !dim->optional ? dim : dim_around(o, loop);
}

/* ---- local arrays */

static void mark_outermost(struct pstmt *list) {
    for (; list != NULL; list = list->next) {
        list->outermost = list->kind == PS_SPREAD;
        if (list->kind != PS_SPREAD) {
            mark_outermost(list->body);
            mark_outermost(list->other);
        }
    }
}

static bool clears(const struct pstmt *s) {
    const struct pstmt *put = s->body;
    return s->kind == PS_SPREAD && put->kind == PS_PUT && put->next == NULL &&
           put->value->kind == PV_CONST && put->value->i == 0 && put->value->f == 0 &&
           !signbit(put->value->f) && put->value->im == 0 && !signbit(put->value->im);
}

/* Clears an array that becomes a local one in front of the definition that fills it, or instead of
 * one that sets zeros. */
static void clear_filled(const struct owning *o, struct pstmt **at, int k, int local) {
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at, *clear;
        if (!has_array(s, k))
            continue;
        if (!fills_array(o->l->uc, o->plan, s, k)) {
            clear_filled(o, &s->body, k, local);
            clear_filled(o, &s->other, k, local);
            return;
        }
        clear = NEW(o->l->uc, struct pstmt);
        *clear = (struct pstmt){.kind = PS_CLEAR, .operand = local, .at = s->at};
        clear->next = clears(s) ? s->next : s;
        *at = clear;
        return;
    }
}

/* Has a thread do itself what a list does with an array that becomes a local one: definitions and
 * reductions are loops of its own. */
static void keep_in_thread(struct pstmt **at, int k) {
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        if (!has_array(s, k))
            continue;
        if (s->kind != PS_SPREAD) {
            keep_in_thread(&s->body, k);
            keep_in_thread(&s->other, k);
            continue;
        }
        struct pstmt *list = s->serial, **end = &list;
        mark_outermost(list);
        keep_in_thread(&list, k);
        while (*end != NULL)
            end = &(*end)->next;
        *end = s->next;
        *at = list;
        while ((*at)->next != s->next)
            at = &(*at)->next;
    }
}

/* Adds a local array like an array. */
static int add_local(struct owning *o, int k) {
    struct plan *p = o->plan;
    int n = p->noperands + p->nlocals++;
    struct poperand *more = NEWN(o->l->uc, struct poperand, n + 1);
    for (int i = 0; i < n; i++)
        more[i] = p->operands[i];
    more[n] = p->operands[k];
    more[n].is_output = false;
    p->operands = more;
    p->in_place |= UINT32_C(1) << (k - o->given);
    return n;
}

/* Makes local arrays of those that a loop's iterations make.  All are cleared first: a definition
 * that reads another one of them is none any more once a thread does it. */
static void make_local(struct owning *o, struct pstmt *loop, uint32_t arrays) {
    int local[UFC_MAX_OPERANDS];
    for (int k = o->given; k < o->plan->noperands; k++)
        if (arrays >> k & 1) {
            local[k] = add_local(o, k);
            clear_filled(o, &loop->body, k, local[k]);
        }
    for (int k = o->given; k < o->plan->noperands; k++)
        if (arrays >> k & 1) {
            keep_in_thread(&loop->body, k);
            rename_array(loop->body, k, local[k]);
        }
}

/* ---- loops */

static void note_axes(struct owning *o, uint32_t arrays) {
    for (int k = o->given; k < o->plan->noperands; k++)
        o->axes[k] += arrays >> k & 1 && o->place[k] == o->axes[k];
}

/* Gives arrays of a loop's iterations an axis, of those that nothing of earlier ones is in. */
static void own_part(struct owning *o, const struct pstmt *loop, uint32_t arrays,
                     const struct dim *dim) {
    arrays &= ~carried_arrays(&o->x, loop, arrays);
    o->parts = o->parts || arrays != 0;
    if (arrays == 0 || o->asks)
        return;
    place_axes(o, loop, arrays);
    change_axes(o, loop, arrays, dim);
    note_axes(o, arrays);
}

static void own_loop(struct owning *o, struct pstmt *loop) {
    uint32_t arrays = arrays_of(o, loop);
    const struct dim *dim = dim_of_loop(o, loop);
    for (int k = o->given; k < o->plan->noperands && o->small; k++) /* any will do for a while */
        dim = arrays >> k & 1 ? o->plan->operands[k].dims[0] : dim;
    if (arrays == 0 || dim == NULL)
        return;
    place_axes(o, loop, arrays);
    change_axes(o, loop, arrays, dim);
    bool apart = are_others_apart(&o->x, loop, find_written(o->l->uc, o->plan, loop->body));
    if (!apart || o->small || o->asks)
        change_axes(o, loop, arrays, NULL);
    else
        note_axes(o, arrays);
    o->any = o->any || apart;
    if (apart && o->small && !o->asks) {
        make_local(o, loop, arrays);
        o->x.mentions = count_mentions(o->l->uc, o->plan, o->plan->body);
    }
    if (!apart && o->part)
        own_part(o, loop, arrays, dim);
}

static void own_list(struct owning *o, struct pstmt *list) {
    const struct enclosing *around = o->x.around;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct enclosing own = {s, around};
        if (s->kind == PS_SPREAD)
            continue;
        if (s->kind == PS_FOR && s->accs == NULL)
            own_loop(o, s);
        if (s->kind == PS_FOR && !find_written(o->l->uc, o->plan, s->body)[s->var->id])
            o->x.around = &own;
        own_list(o, s->body);
        own_list(o, s->other);
        o->x.around = around;
    }
}

/* Sets any and parts of o. */
static void own_arrays(struct lower *l, struct owning *o) {
    struct plan *p = o->plan = l->plan;
    o->l = l;
    o->given = p->nin + p->overload->nout;
    if (p->noperands == o->given || p->checked || p->overload->decl->kind != DECL_GUFUNC)
        return;
    add_serial_loops(l->uc, p->body->body);
    o->x = (struct sharer){.uc = l->uc, .plan = p};
    o->x.mentions = count_mentions(l->uc, p, p->body);
    o->mention = count_elements(l->uc, p, p->body);
    o->axes = NEWN(l->uc, int, p->noperands);
    o->place = NEWN(l->uc, int, p->noperands);
    own_list(o, p->body->body);
}

void keep_own_arrays(struct lower *l) {
    own_arrays(l, &(struct owning){.small = true});
}

bool has_own_arrays(struct lower *l, bool *parts) {
    struct owning o = {.part = true, .asks = true};
    own_arrays(l, &o);
    *parts = o.parts;
    return o.any;
}

void spread_own_arrays(struct lower *l, bool part) {
    own_arrays(l, &(struct owning){.part = part});
}
