/* deal.c: ordered loops that only update bins: elements that each iteration finds anew, by a key
 * that it reads or computes, such as those of a histogram with weights.
 *
 *     for i in 0..n { s[k[i]] += w[i]; c[k[i]] += 1 }
 *
 * What is in order there are the updates of a bin alone.  So the loop is taken apart: the
 * iterations set terms, all that updates are made of but bins, and keys, in any order, and updates
 * are statements of a bin's elements and of terms.  An update is any list of assignments: a sum, a
 * product, the least, a mean as it runs.
 *
 * Statements with the same subscripts one after the other are one entry, for all of their arrays.
 * Inner loops whose bounds are the same in all iterations, or those of a triangle, may have entries
 * too, so that the number of an entry is known before any iteration runs. */
#include "dealer.h"
#include "split.h"

enum { MAX_VARS = 1024 }; /* of a plan, all of which each loop looks through */

/* ---- what depends on bins */

static enum walk find_update(const struct pstmt *s, void *dealer) {
    const struct dealer *x = dealer;
    bool puts = s->kind == PS_PUT && deal_is_updated(x, s->operand);
    return puts || (s->kind == PS_SET && x->depends[s->var->id]) ? WALK_STOP : WALK_IN;
}

static bool is_beside(struct dealer *x, const struct pstmt *s) {
    const struct plan_visitor v = {.stmt = find_update, .value = deal_find_bin, .joined = true};
    return stmt_walk(s, &v, x);
}

static enum walk add_target(const struct pstmt *s, void *dealer) {
    struct dealer *x = dealer;
    if (s->kind == PS_PUT && s->operand < x->plan->noperands)
        x->targets |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

static enum walk add_set(const struct pstmt *s, void *dealer) {
    struct dealer *x = dealer;
    if (s->kind != PS_SET || x->depends[s->var->id])
        return WALK_IN;
    x->depends[s->var->id] = true;
    return WALK_STOP;
}

/* Stops at a variable that was not known to be made of bins: they are in its value, or in what
 * decides whether it is set. */
static enum walk add_dependent(const struct pstmt *s, void *dealer) {
    struct dealer *x = dealer;
    if (s->kind == PS_IF ? !deal_chooses(x, s) : deal_is_free(x, s->value))
        return WALK_IN;
    if (s->kind != PS_IF)
        return add_set(s, x);
    const struct plan_visitor sets = {.stmt = add_set};
    return plan_walk(s->body, &sets, x) && plan_walk(s->other, &sets, x) ? WALK_IN : WALK_STOP;
}

/* Does a statement leave the subscripts of the entry at hand as they are? */
static bool keeps_place(const struct dealer *x, const struct pstmt *s) {
    bool keeps = s->kind == PS_SET;
    for (int i = 0; keeps && i < x->place->nargs; i++)
        keeps = value_walk(x->place->args[i], find_variable, s->var);
    return keeps;
}

static bool add_list(struct dealer *x, struct pstmt *list, struct deal_count *n);

/* The entries of a list of a statement; *at becomes what takes its place. */
static bool add_inner(struct dealer *x, struct pstmt **list, struct deal_count *n) {
    struct pstmt **end = x->end, *first = *list;
    *list = NULL;
    x->end = list;
    bool adds = add_list(x, first, n);
    x->end = end;
    return adds;
}

static bool is_by_one(const struct pstmt *loop) {
    return loop->accs == NULL && loop->step->kind == PV_CONST && loop->step->i == 1;
}

bool deal_has_even_bounds(const struct dealer *x, struct pstmt *loop) {
    if (!is_settled(x->written, loop->lo) || !is_settled(x->written, loop->hi))
        widen_triangle(x->uc, x->outer.loop, x->outer.n, loop);
    return is_settled(x->written, loop->lo) && is_settled(x->written, loop->hi);
}

/* An inner loop: its entries are as many in each iteration. */
static bool add_loop(struct dealer *x, struct pstmt *s, struct deal_count *n) {
    s->shared = NULL;
    if (!is_by_one(s) || !deal_is_free(x, s->lo) || !deal_is_free(x, s->hi) ||
        !deal_has_even_bounds(x, s))
        return false;
    struct pvar *at = plan_variable(x->uc, x->plan, "entry", DT_INT64);
    struct deal_count each = {plan_read(x->uc, at), plan_number(x->uc, 0)};
    const struct pval *first = deal_operate(x, OP_ADD, n->base, n->size);
    x->d->flat = false;
    x->depth++;
    if (!add_inner(x, &s->body, &each))
        return false;
    x->depth--;
    struct pval *turn = deal_operate(x, OP_SUB, plan_read(x->uc, s->var), s->lo);
    struct pval *v = deal_operate(x, OP_ADD, first, deal_operate(x, OP_MUL, turn, each.size));
    struct pstmt *set = deal_set(x, at, v, s->at);
    set->next = s->body;
    s->body = set;
    struct pval *all = deal_operate(x, OP_MUL, deal_iterations(x, s->lo, s->hi), each.size);
    n->size = deal_operate(x, OP_ADD, n->size, all);
    deal_emit(x, s);
    return true;
}

/* Branches: what an update stores in one is not stored before what the other one does. */
static bool add_branches(struct dealer *x, struct pstmt *s, struct deal_count *n) {
    uint32_t before = x->late;
    bool adds = add_inner(x, &s->body, n);
    uint32_t body = x->late;
    x->late = before;
    adds = adds && add_inner(x, &s->other, n);
    x->late |= body;
    return adds;
}

/* A statement that has updates within it. */
static bool add_around(struct dealer *x, struct pstmt *s, struct deal_count *n) {
    if (s->kind == PS_FOR)
        return add_loop(x, s, n);
    if ((s->kind != PS_IF && s->kind != PS_BLOCK) || !deal_is_free(x, s->value))
        return false;
    x->d->sure = false;
    if (!add_branches(x, s, n))
        return false;
    deal_emit(x, s);
    return true;
}

/* The statements of a list, which are copies, with their entries. */
static bool add_list(struct dealer *x, struct pstmt *list, struct deal_count *n) {
    for (struct pstmt *s = list, *next; s != NULL; s = next) {
        next = s->next;
        if (is_beside(x, s)) {
            if (x->place != NULL && !keeps_place(x, s) && !deal_close(x, n))
                return false;
            for (int i = 0; i < MAX_DEAL_TERMS; i++)
                x->term[i].again = false;
            deal_emit(x, s);
            continue;
        }
        bool update = s->kind == PS_SET || s->kind == PS_PUT;
        bool adds = update               ? deal_add_update(x, s, n)
                    : deal_chooses(x, s) ? deal_add_choice(x, s, n)
                                         : deal_close(x, n) && add_around(x, s, n);
        if (!adds)
            return false;
    }
    return deal_close(x, n);
}

/* ---- loops */

/* Finds the loops of the iterations: a loop and those that are all of its body.  Gives the last
 * one's. */
static struct pstmt *find_ranges(struct dealer *x, struct pstmt *loop) {
    while (is_by_one(loop)) {
        struct pstmt *in = loop->body;
        x->outer.loop[x->outer.n++] = loop;
        if (in == NULL || in->kind != PS_FOR || in->next != NULL || !is_by_one(in) ||
            x->outer.n == UFC_MAX_POINT_RANGES || !deal_has_even_bounds(x, in))
            return in;
        loop = in;
    }
    return loop->body;
}

/* The iterations as a nest of ordered loops, which have nothing but local variables in common.
 * list: the statements of one, or of a turn of its ragged loop. */
static bool are_apart(struct dealer *x, struct pstmt *list) {
    struct pstmt loops[UFC_MAX_POINT_RANGES];
    int n = x->outer.n;
    struct pstmt *each = x->ragged != NULL ? deal_ragged_loop(x, list) : list, *last = each;
    for (int i = n - 1; i >= 0; i--) {
        loops[i] = *x->outer.loop[i];
        loops[i].body = i == n - 1 ? each : &loops[i + 1];
        loops[i].next = NULL;
    }
    const struct sharer own = {
        .uc = x->uc, .plan = x->plan, .mentions = count_mentions(x->uc, x->plan, &loops[0])};
    bool apart = true;
    for (int i = 0; i < n && apart; i++)
        apart = are_others_apart(&own, &loops[i], find_written(x->uc, x->plan, loops[i].body));
    while (x->ragged != NULL && last->kind != PS_FOR)
        last = last->next != NULL ? last->next : last->body;
    return apart && (x->ragged == NULL ||
                     are_others_apart(&own, last, find_written(x->uc, x->plan, last->body)));
}

/* The bins of all groups, as terms. */
static struct pval *count_bins(struct dealer *x) {
    struct pval *all = plan_number(x->uc, 0);
    for (int i = 0; i < x->d->ngroups; i++) {
        struct pval *own = plan_number(x->uc, 1);
        for (int k = 0; k < x->d->group[i].rank; k++)
            own = deal_operate(x, OP_MUL, own, x->d->group[i].size[k]);
        all = deal_operate(x, OP_ADD, all, own);
    }
    return all;
}

static bool find_terms(struct dealer *x, const struct pval *v, struct ufc_term **terms, int *n) {
    *terms = NEWN(x->uc, struct ufc_term, UFC_MAX_TERMS);
    return value_terms(v, *terms, n);
}

static bool find_sizes(struct dealer *x) {
    struct deal *d = x->d;
    struct pval *n = plan_number(x->uc, 1);
    for (const struct prange *r = d->points->ranges; r != NULL; r = r->next)
        n = deal_operate(x, OP_MUL, n, deal_iterations(x, r->lo, r->hi));
    if (x->ragged != NULL && !find_terms(x, n, &d->rows, &d->nrows))
        return false;
    n = x->ragged != NULL ? deal_ragged_turns(x, n) : n;
    return find_terms(x, n, &d->iterations, &d->niterations) &&
           find_terms(x, d->each, &d->entries, &d->nentries) &&
           find_terms(x, count_bins(x), &d->bins, &d->nbins);
}

static struct deal *find_deal(struct uc *uc, struct plan *p, const struct pstmt *from,
                              const int *mentions) {
    struct deal *d = NEW(uc, struct deal);
    struct dealer x = {.uc = uc, .plan = p, .d = d, .mentions = mentions, .nvars = p->nvars};
    *d = (struct deal){.sure = true, .flat = true};
    plan_walk(from->body, &(struct plan_visitor){.stmt = add_target}, &x);
    if (x.targets == 0)
        return NULL;
    if (!sets_own(uc, p, from->body, mentions))
        return NULL;
    struct pstmt *loop = copy_statements(uc, from, from->next, NULL, NULL), *body;
    bool *written = find_written(uc, p, loop->body);
    written[from->var->id] = true;
    x.written = written;
    body = deal_find_ragged(&x, find_ranges(&x, loop));
    if (x.ragged == NULL)
        deal_find_apart(&x);
    x.depends = NEWN(uc, bool, p->nvars + 1);
    while (!plan_walk(loop->body, &(struct plan_visitor){.stmt = add_dependent}, &x))
        ;
    struct deal_count n = {plan_number(uc, 0), plan_number(uc, 0)};
    x.end = &body;
    if (x.outer.n == 0 || x.targets == 0 || !deal_is_ragged_free(&x) || !add_list(&x, body, &n))
        return NULL;
    d->each = n.size;
    d->points = new_spread(&(struct sharer){.uc = uc, .plan = p}, &x.outer,
                           x.ragged != NULL ? deal_ragged_turn(&x, body) : body);
    if (!find_sizes(&x) || !are_apart(&x, body))
        return NULL;
    deal_number_parts(&x);
    return d;
}

static bool has_subscripts(const struct deal *d) {
    bool any = false;
    for (int i = 0; i < d->ngroups; i++)
        any = any || d->group[i].rank > 0;
    return any;
}

bool find_deals(struct uc *uc, struct plan *p) {
    bool any = false;
    if (p->checked || p->nvars > MAX_VARS)
        return false;
    const int *mentions = count_mentions(uc, p, p->body);
    for (struct pstmt *s = p->body->body; s != NULL; s = s->next) {
        if (s->kind != PS_FOR || s->shared != NULL || s->accs != NULL)
            continue;
        int nvars = p->nvars;
        struct pvar **end = &p->vars;
        while (*end != NULL)
            end = &(*end)->next;
        s->deal = find_deal(uc, p, s, mentions);
        if (s->deal != NULL) {
            any = any || has_subscripts(s->deal);
            mentions = count_mentions(uc, p, p->body);
        } else { /* its variables are nobody's */
            *end = NULL;
            p->nvars = nvars;
        }
    }
    return any;
}

bool is_dealt(const struct plan *p, int operand) {
    bool is = false;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        for (int i = 0; s->deal != NULL && i < s->deal->narrays; i++)
            is = is || s->deal->array[i].place->operand == operand;
    for (const struct pstmt *s = p->body->body; s != NULL; s = s->next)
        for (int i = 0; s->deal != NULL && i < s->deal->nresults; i++)
            is = is || s->deal->result[i].place->operand == operand;
    return is;
}

bool is_dealing(const struct deal *d, const struct pstmt *loop) {
    if (d == NULL || loop->kind != PS_FOR)
        return false;
    const struct prange *r = d->points->ranges;
    while (r != NULL && r->var != loop->var)
        r = r->next;
    return r != NULL || d->further == loop->var;
}

void describe_deal(struct uc *uc, const struct plan *p, const struct deal *d,
                   struct ufc_phase *phase) {
    phase->deals = deal_room(d).bytes;
    phase->shares = (uint32_t)d->nparts;
    phase->counted = deal_counting(d);
    phase->bin = deal_bin_bytes(d);
    for (int kind = 0; kind < d->nkinds && deal_sees_together(d); kind++) {
        unsigned clocks = update_clocks(uc, p, d->update[kind]);
        phase->chain = phase->chain > clocks ? phase->chain : clocks;
    }
}

int deal_element(const struct deal *d, const struct pvar *var) {
    int i = 0;
    while (i < d->narrays && d->array[i].element != var)
        i++;
    return i < d->narrays ? i : -1;
}

static int part_of(const struct deal *d, const struct pvar *var) {
    int i = deal_element(d, var);
    if (i >= 0)
        return d->array[i].part;
    i = 0;
    while (d->own[i] != var)
        i++;
    return d->own_part[i];
}

int deal_part(const struct deal *d, const struct pstmt *s) {
    return part_of(d, s->var);
}

int deal_result_part(const struct deal *d, int result) {
    return part_of(d, d->result[result].value);
}

bool deal_is_result_of(const struct deal *d, int result, int kind, int part) {
    return d->result[result].kind == kind && (part < 0 || deal_result_part(d, result) == part);
}

/* ---- what entries have */

struct reading {
    const struct deal *d;
    uint32_t terms;
};

static enum walk note_term(const struct pval *v, void *reading) {
    struct reading *r = reading;
    for (int i = 0; i < r->d->nterms; i++)
        if (v->kind == PV_VAR && v->var == r->d->term[i])
            r->terms |= UINT32_C(1) << i;
    return WALK_IN;
}

uint32_t deal_update_terms(const struct deal *d, int kind, int part) {
    struct reading r = {d, 0};
    for (const struct pstmt *s = d->update[kind]; s != NULL; s = s->next)
        if (part < 0 || deal_part(d, s) == part)
            value_walk(s->value, note_term, &r);
    return r.terms;
}

uint32_t deal_terms(const struct deal *d, int kind, int part) {
    struct reading r = {d, deal_update_terms(d, kind, part)};
    for (int i = 0; i < d->nresults; i++) {
        const struct pval number = {.kind = PV_VAR, .var = d->number};
        if (!deal_is_result_of(d, i, kind, part))
            continue;
        value_walk(&number, note_term, &r);
        value_walk(d->result[i].place, note_term, &r);
    }
    return r.terms;
}

static uint32_t bytes_of(const struct pvar *var) {
    return dtype_info[var->dtype].bits == 64 ? 8 : 4;
}

/* Bytes of an entry in shared memory, where results are in place of its number. */
static uint32_t shown_bytes(const struct deal *d) {
    uint32_t n = 4;
    for (int i = 0; i < d->nterms; i++)
        n += d->term[i] != d->number ? bytes_of(d->term[i]) : 0;
    for (int i = 0; i < d->nresults; i++)
        n += bytes_of(d->result[i].value) + (d->result[i].when != NULL ? 1 : 0);
    return n;
}

/* Those of 8 bytes come first, so that all are aligned. */
uint32_t deal_bin_offset(const struct deal *d, int i) {
    uint32_t n = 0, own = i < d->narrays ? bytes_of(d->array[i].element) : 0;
    for (int k = 0; k < d->narrays; k++) {
        uint32_t bytes = bytes_of(d->array[k].element);
        n += bytes > own || (bytes == own && k < i) ? bytes : 0;
    }
    return n;
}

uint32_t deal_bin_bytes(const struct deal *d) {
    return deal_bin_offset(d, d->narrays);
}

uint32_t deal_seen_bytes(const struct deal *d, int part) {
    uint32_t n = 4, terms = 0;
    for (int kind = 0; kind < d->nkinds; kind++)
        terms |= deal_update_terms(d, kind, part);
    for (int i = 0; i < d->nterms; i++)
        n += terms >> i & 1 ? bytes_of(d->term[i]) : 0;
    for (int i = 0; i < d->nresults; i++)
        if (deal_result_part(d, i) == part)
            n += bytes_of(d->result[i].value) + (d->result[i].when != NULL ? 4 : 0);
    return n;
}

bool deal_sees_together(const struct deal *d) {
    enum { MOST_BYTES = 24 }; /* registers hold no more beside the other way */
    bool fits = true;
    for (int i = 0; i < d->nparts; i++)
        fits = fits && deal_seen_bytes(d, i) <= MOST_BYTES;
    return fits;
}

struct deal_room deal_room(const struct deal *d) {
    struct deal_room r = {.bytes = d->nkinds > 1 ? 8 : 4, .align = 4, .kind = 4};
    uint32_t hole = 0; /* before terms of 8 bytes */
    for (int i = 0; i < d->nterms; i++)
        r.align = dtype_info[d->term[i]->dtype].bits == 64 ? 8 : r.align;
    for (int wide = r.align == 8; wide >= 0; wide--)
        for (int i = 0; i < d->nterms; i++) {
            if ((dtype_info[d->term[i]->dtype].bits == 64) != wide)
                continue;
            if (wide && r.bytes % 8 != 0)
                hole = r.bytes, r.bytes += 4;
            r.term[i] = !wide && hole > 0 ? hole : r.bytes;
            r.bytes += !wide && hole > 0 ? 0 : wide ? 8 : 4;
            hole = wide ? hole : 0;
        }
    uint32_t shown = shown_bytes(d);
    r.bytes = ((r.bytes > shown ? r.bytes : shown) + r.align - 1) / r.align * r.align;
    if (r.bytes == 8)
        r.align = 8;
    return r;
}
