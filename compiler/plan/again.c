/* again.c: what a point computes before a loop that has a reduction over the same range, as the
 * size of a cluster whose elements' sums come next:
 *
 *     for a in 0..k {
 *         s = sum(w[i, a] for i)
 *         for f in 0..d { m[a, f] = sum(w[i, a] * x[i, f] for i) / s }
 *     }
 *
 * Computed again for each iteration of the inner loop, in the same pass, it leaves a definition
 * whose points are those of both loops, each by reductions alone, of which all threads of the call
 * have parts.  Else a point would have few of them for all that is in it. */
#include <limits.h>

#include "split.h"

/* ---- statements that only set variables */

static bool only_sets(const struct pstmt *list) {
    for (; list != NULL; list = list->next)
        if (list->kind != PS_SET &&
            (list->kind != PS_IF || !only_sets(list->body) || !only_sets(list->other)))
            return false;
    return true;
}

static bool is_setter(const struct pstmt *s) {
    if (s->kind == PS_IF)
        return only_sets(s->body) && only_sets(s->other);
    return s->kind == PS_SET || (is_reduction(s) && only_sets(s->body));
}

static const bool *written_by(const struct sharer *x, const struct pstmt *s) {
    struct pstmt only = *s;
    only.next = NULL;
    return find_written(x->uc, x->plan, &only);
}

static const int *mentions_of(const struct sharer *x, const struct pstmt *s) {
    struct pstmt only = *s;
    only.next = NULL;
    return count_mentions(x->uc, x->plan, &only);
}

struct stored_search {
    const struct plan *plan;
    uint32_t stored; /* operands, a bit each */
};

static enum walk add_stored(const struct pstmt *s, void *arg) {
    struct stored_search *x = arg;
    if (s->kind == PS_PUT && s->operand < x->plan->noperands)
        x->stored |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

/* Stops at an element of what is stored, and of local arrays. */
static enum walk find_stored(const struct pval *v, void *arg) {
    const struct stored_search *x = arg;
    bool found =
        v->kind == PV_ELEM && (v->operand >= x->plan->noperands || x->stored >> v->operand & 1);
    return found ? WALK_STOP : WALK_IN;
}

/* ---- sums that rounding has depend on who adds up what */

/* Does a reduction join floats?  What they make may hang on how they are grouped. */
static bool may_round(const struct pstmt *s) {
    bool rounds = false;
    for (const struct pacc *a = s->accs; a != NULL && is_reduction(s); a = a->next)
        rounds = rounds || is_float(a->acc->dtype) || is_complex(a->acc->dtype);
    return rounds;
}

/* Does what a reduction of a list sets stay in what will be one spread?  Computed again by other
 * threads for another one, it would be another number there. */
static bool stays_together(const struct sharer *x, const struct pstmt *reduction) {
    const int n = count_owned(x->plan);
    bool *of_it = NEWN(x->uc, bool, n + 1), any = false, loops = false;
    const bool *written = written_by(x, reduction);
    for (int i = 0; i < n; i++)
        of_it[i] = written[i];
    for (const struct pstmt *s = reduction->next; s != NULL; s = s->next) {
        const int *here = mentions_of(x, s);
        bool needs = false, loop = !is_setter(s) && (s->kind == PS_FOR || s->kind == PS_SPREAD);
        for (int i = 0; i < n; i++)
            needs = needs || (of_it[i] && here[i] > 0);
        if (any && needs && !is_setter(s) && (loops || loop))
            return false;
        any = any || (needs && !is_setter(s));
        loops = any && (loops || loop);
        written = written_by(x, s);
        for (int i = 0; i < n && needs && is_setter(s); i++)
            of_it[i] = of_it[i] || written[i];
    }
    return true;
}

bool may_set_again(const struct sharer *x, const struct pstmt *list) {
    struct stored_search stores = {.plan = x->plan};
    const int *here = count_mentions(x->uc, x->plan, list);
    plan_walk(list, &(struct plan_visitor){.stmt = add_stored}, &stores);
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const bool *written = written_by(x, s);
        const int *own = is_setter(s) ? here : mentions_of(x, s);
        bool kept = is_setter(s) || s->kind == PS_PUT || s->kind == PS_FOR ||
                    s->kind == PS_SPREAD || s->kind == PS_IF;
        for (int i = 0; i < count_owned(x->plan) && kept; i++)
            kept = !written[i] || own[i] == x->mentions[i];
        if (!kept || (may_round(s) && !stays_together(x, s)) ||
            (is_setter(s) &&
             !stmt_walk(s, &(struct plan_visitor){.value = find_stored, .joined = true}, &stores)))
            return false;
    }
    return true;
}

static bool sets_needed(const struct sharer *x, const struct pstmt *s, const int *needed) {
    const bool *written = written_by(x, s);
    for (int i = 0; i < count_owned(x->plan); i++)
        if (written[i] && needed[i] > 0)
            return true;
    return false;
}

/* The statements of a list up to `end` that set what is needed, and from `from` on all that store;
 * needed: how often each variable is mentioned behind them. */
static struct pstmt *copy_needed(const struct sharer *x, const struct pstmt *list,
                                 const struct pstmt *from, const struct pstmt *end, int *needed) {
    int n = 0, first = INT_MAX;
    struct pstmt *kept = NULL;
    for (const struct pstmt *s = list; s != end; s = s->next, n++)
        first = s == from ? n : first;
    const struct pstmt **all = NEWN(x->uc, const struct pstmt *, n + 1);
    n = 0;
    for (const struct pstmt *s = list; s != end; s = s->next)
        all[n++] = s;
    while (n-- > 0) {
        if (is_setter(all[n]) ? !sets_needed(x, all[n], needed) : n < first)
            continue;
        struct pstmt *copy = copy_statements(x->uc, all[n], all[n]->next, NULL, NULL);
        const int *own = mentions_of(x, all[n]);
        for (int i = 0; i < count_owned(x->plan); i++)
            needed[i] += own[i];
        copy->next = kept;
        kept = copy;
    }
    return kept;
}

/* Has a sharer know how often what setters of a list set is mentioned in a copy. */
static void set_mentions(struct sharer *x, const struct pstmt *list, const struct pstmt *copy) {
    const int n = count_owned(x->plan), *here = count_mentions(x->uc, x->plan, copy);
    int *mentions = NEWN(x->uc, int, n + 1);
    for (int i = 0; i < n; i++)
        mentions[i] = x->mentions[i];
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        const bool *written = is_setter(s) ? written_by(x, s) : NULL;
        for (int i = 0; i < n && written != NULL; i++)
            mentions[i] = written[i] ? here[i] : mentions[i];
    }
    x->mentions = mentions;
}

struct pstmt *stores_again(struct sharer *x, const struct pstmt *list, const struct pstmt *from,
                           const struct pstmt *end) {
    const struct pstmt *s = from;
    while (s != end && is_setter(s))
        s = s->next;
    if (s == end)
        return NULL;
    struct pstmt *copy =
        copy_needed(x, list, from, end, NEWN(x->uc, int, count_owned(x->plan) + 1));
    set_mentions(x, list, copy);
    return copy;
}

/* ---- loops */

/* The accs of the reductions of a list, and of loops in it, over the same ranges as one if that is
 * not NULL. */
static int count_reduced(const struct pstmt *list, const struct pstmt *as) {
    int n = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool counts = as == NULL || (s->kind == PS_SPREAD && same_bounds(s->ranges, as->ranges));
        for (const struct pacc *a = counts ? s->accs : NULL; a != NULL; a = a->next)
            n++;
        n += s->kind == PS_FOR ? count_reduced(s->body, as) : 0;
    }
    return n;
}

/* Is what comes first as cheap as what the loop does: are its reductions no more than the loop's
 * over the same ranges? */
static bool is_cheap(const struct pstmt *first, const struct pstmt *loop) {
    for (const struct pstmt *s = first; s != NULL; s = s->next)
        if (s->accs != NULL &&
            (!are_sizes(s->ranges) || count_reduced(loop->body, s) < count_reduced(first, NULL)))
            return false;
    return count_reduced(first, NULL) > 0;
}

struct pstmt *loop_again(struct sharer *x, const struct pstmt *list, const struct pstmt *s,
                         const struct pstmt *loop) {
    int *needed = NEWN(x->uc, int, count_owned(x->plan) + 1);
    const int *own = mentions_of(x, s);
    for (int i = 0; i < count_owned(x->plan); i++)
        needed[i] = own[i];
    struct pstmt *first = copy_needed(x, list, NULL, s, needed), **end = &first;
    if (first == NULL || !is_cheap(first, loop))
        return NULL;
    struct pstmt *again = copy_statements(x->uc, loop, loop->next, NULL, NULL);
    while (*end != NULL)
        end = &(*end)->next;
    *end = again->body;
    again->body = first;
    fuse_reductions(x->uc, x->plan, &again->body);
    set_mentions(x, list, again);
    return again;
}
