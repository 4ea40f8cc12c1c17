/* distribute.c: ordered loops whose iterations may run in any order, and have several
 * reductions and definitions each, as
 *
 *     for c in 0..k { let m = sum(x[i, c] for i); y[i, c] = x[i, c] - m for i }
 *
 * In a version of the body that has arrays each of them becomes a definition of its
 * own, over the loop's index too, with a schedule of its own; what one of them gives, and others
 * read, is stored.  (Loop distribution with scalar expansion: Allen and Kennedy, Optimizing
 * Compilers for Modern Architectures, 2001, sections 5.3 and 6.2.) */
#include "apart.h"

/* Part of what is done at a point: a reduction with what is set before and behind it, or a
 * definition or loop alone, or other statements. */
struct piece {
    struct pstmt *first, *stop;
    bool whole; /* a definition or an independent loop, whose ranges are further ones */
};
enum { MAX_PIECES = 12, MAX_EXPANDED = 4 };

/* A variable that one piece sets and others read, and the array that has its values. */
struct expanded {
    const struct pvar *var;
    const struct piece *by;
    struct pval *element;
};

struct distribution {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is something to distribute */
    struct sharer x;
    struct points points;
    struct expanded expanded[MAX_EXPANDED];
    int nexpanded;
    bool at_loop; /* the pieces are what comes before an ordered loop behind reductions, and it */
};

/* ---- pieces */

static bool is_one_of(const struct pacc *accs, const struct pvar *var) {
    while (accs != NULL && accs->acc != var)
        accs = accs->next;
    return accs != NULL;
}

/* The first of the assignments before a reduction that are its accumulators' first values. */
static struct pstmt *first_of(struct pstmt *list, const struct pstmt *reduction) {
    struct pstmt *first = NULL;
    for (struct pstmt *s = list; s != reduction; s = s->next) {
        bool begins = s->kind == PS_SET && is_one_of(reduction->accs, s->var);
        first = !begins ? NULL : first != NULL ? first : s;
    }
    return first;
}

/* A loop at the points that is a further range of them: its bounds are the same at all. */
static bool is_further(const struct distribution *d, const struct pstmt *list, struct pstmt *s) {
    struct sharer x = d->x;
    return s->kind == PS_FOR && d->points.n < UFC_MAX_POINT_RANGES &&
           is_rectangular(&x, &d->points, list, s) && is_independent(&x, s);
}

static bool is_definition(const struct distribution *d, const struct pstmt *list,
                          const struct pstmt *s) {
    struct pstmt loop = {.kind = PS_FOR};
    int n = d->points.n;
    for (const struct prange *r = s->ranges; r != NULL && s->accs == NULL; r = r->next) {
        loop.lo = r->lo;
        loop.hi = r->hi;
        loop.step = r->step;
        if (++n > UFC_MAX_POINT_RANGES || !is_rectangular(&d->x, &d->points, list, &loop))
            return false;
    }
    return s->kind == PS_SPREAD && s->accs == NULL;
}

static void add_piece(struct piece *pieces, int *n, struct pstmt *first, struct pstmt *stop,
                      bool whole) {
    if (first != stop && *n < MAX_PIECES)
        pieces[*n] = (struct piece){first, stop, whole};
    *n += first != stop;
}

/* The first of the assignments before an ordered loop that set what it goes on with. */
static struct pstmt *first_before(const struct distribution *d, struct pstmt *list,
                                  const struct pstmt *loop) {
    const bool *sets = find_written(d->x.uc, d->x.plan, loop->body);
    struct pstmt *first = NULL;
    for (struct pstmt *s = list; s != loop; s = s->next) {
        bool begins = s->kind == PS_SET && sets[s->var->id];
        first = !begins ? NULL : first != NULL ? first : s;
    }
    return first;
}

/* What comes before the first ordered loop of a list that is behind reductions, and the others. */
static int find_pieces_at_loop(const struct distribution *d, struct pstmt *list,
                               struct piece *pieces) {
    const struct pstmt *reduction = NULL;
    struct pstmt *s = list;
    for (; s != NULL && !(s->kind == PS_FOR && reduction != NULL); s = s->next)
        reduction = s->kind == PS_SPREAD && s->accs != NULL ? s : reduction;
    struct pstmt *first = s != NULL ? first_before(d, reduction->next, s) : NULL;
    int n = 0;
    if (first != NULL) {
        add_piece(pieces, &n, list, first, false);
        add_piece(pieces, &n, first, NULL, false);
    }
    return n;
}

/* Finds the pieces of a list; more than MAX_PIECES: there are too many. */
static int find_pieces(const struct distribution *d, struct pstmt *list, struct piece *pieces) {
    struct pstmt *begin = list;
    bool reduces = false; /* the piece that has begun has a reduction */
    int n = 0;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (is_definition(d, list, s) || is_further(d, list, s)) {
            add_piece(pieces, &n, begin, s, false);
            add_piece(pieces, &n, s, s->next, true);
            begin = s->next;
            reduces = false;
        } else if (s->kind == PS_SPREAD && s->accs != NULL) {
            struct pstmt *first = first_of(begin, s);
            if (reduces && first != NULL) {
                add_piece(pieces, &n, begin, first, false);
                begin = first;
            }
            reduces = true;
        }
    }
    add_piece(pieces, &n, begin, NULL, false);
    return n;
}

/* ---- variables */

static struct pstmt *copy_piece(const struct distribution *d, const struct piece *p) {
    return copy_statements(d->x.uc, p->first, p->stop, NULL, NULL);
}

bool is_dimension(const struct prange *r) {
    return r->lo->kind == PV_CONST && r->lo->i == 0 && r->hi->kind == PV_DIM &&
           r->step->kind == PV_CONST && r->step->i == 1;
}

bool is_whole_dimension(const struct pstmt *loop) {
    return is_dimension(&(struct prange){.lo = loop->lo, .hi = loop->hi, .step = loop->step});
}

bool is_to_end(const struct pstmt *loop) {
    return loop->lo->kind == PV_CONST && (int64_t)loop->lo->i >= 0 && loop->hi->kind == PV_DIM &&
           loop->step->kind == PV_CONST && loop->step->i == 1;
}

/* Does a loop count from 0 to a number? */
static bool is_counted(const struct pstmt *loop) {
    return constant_steps(loop) > 0 && loop->lo->i == 0 && loop->step->i == 1;
}

static enum walk find_length(const struct pstmt *s, void *none) {
    (void)none;
    bool sized = s->kind == PS_FOR && s->hi->kind != PV_CONST;
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        sized = sized || r->hi->kind != PV_CONST;
    return sized ? WALK_STOP : WALK_IN;
}

/* Whether arrays may have an element for each point.  A number makes a dimension of the version,
 * where what is done at the points takes longer than to store. */
static bool have_dimensions(const struct distribution *d, const struct pstmt *list) {
    const struct points *p = &d->points;
    const int before = d->l->plan->overload->decl->ndims;
    int n = before;
    for (int i = 0; i < p->n; i++) {
        bool counted = is_counted(p->loop[i]);
        n += counted;
        if (!counted && !is_whole_dimension(p->loop[i]))
            return false;
    }
    bool is_long = !plan_walk(list, &(struct plan_visitor){.stmt = find_length}, NULL);
    return p->n <= MAX_CORE_RANK && n <= MAX_DIMS && (n == before || is_long);
}

/* Makes one piece of those up to the last one, of which the first one sets a variable, too.  False:
 * there is a definition between. */
static bool join_pieces(struct piece *pieces, int *n, const struct piece *first, int last) {
    int from = (int)(first - pieces);
    for (int i = from; i <= last; i++)
        if (pieces[i].whole)
            return false;
    pieces[from].stop = pieces[last].stop;
    for (int i = last + 1; i < *n; i++)
        pieces[i - (last - from)] = pieces[i];
    *n -= last - from;
    return true;
}

/* Notes the variables that a piece sets and others mention; pieces that set the same one become
 * one.  False: there are too many. */
static bool find_expanded(struct distribution *d, struct pstmt *list, struct piece *pieces,
                          int *n) {
    const struct plan *p = d->l->plan;
    const int *all = count_mentions(d->x.uc, p, list);
    const struct piece **setting = NEWN(d->x.uc, const struct piece *, count_owned(p) + 1);
    d->nexpanded = 0;
    for (int i = 0; i < *n; i++) {
        struct pstmt *own = copy_piece(d, &pieces[i]);
        const bool *written = find_written(d->x.uc, p, own);
        const int *here = count_mentions(d->x.uc, p, own);
        for (const struct pvar *v = p->vars; v != NULL; v = v->next) {
            if (!written[v->id] || here[v->id] == all[v->id])
                continue;
            if (setting[v->id] != NULL)
                return join_pieces(pieces, n, setting[v->id], i) &&
                       find_expanded(d, list, pieces, n);
            if (d->nexpanded == MAX_EXPANDED || v->dtype == DT_BOOL)
                return false;
            setting[v->id] = &pieces[i];
            d->expanded[d->nexpanded++] = (struct expanded){.var = v, .by = &pieces[i]};
        }
    }
    return true;
}

/* ---- what the loop becomes */

static bool mentions(const struct pval *lo, const struct pval *hi, const struct pval *step,
                     void *var) {
    return !value_walk(lo, find_variable, var) || !value_walk(hi, find_variable, var) ||
           !value_walk(step, find_variable, var);
}

static enum walk find_bound(const struct pstmt *s, void *var) {
    bool is = s->kind == PS_FOR && mentions(s->lo, s->hi, s->step, var);
    for (const struct prange *r = s->ranges; r != NULL; r = r->next)
        is = is || mentions(r->lo, r->hi, r->step, var);
    return is ? WALK_STOP : WALK_IN;
}

bool is_in_bounds(const struct pstmt *list, const struct pvar *var) {
    return !plan_walk(list, &(struct plan_visitor){.stmt = find_bound}, (void *)var);
}

static bool has_bounds(const struct distribution *d, struct pstmt *list) {
    for (int i = 0; i < d->nexpanded; i++)
        if (is_in_bounds(list, d->expanded[i].var))
            return true;
    return false;
}

static void add_stmt(struct distribution *d, struct pstmt *s) {
    *d->x.end = s;
    d->x.end = &s->next;
}

/* A piece with elements of arrays for the variables of others. */
static struct pstmt *with_elements(const struct distribution *d, const struct piece *p) {
    struct pstmt *list = copy_piece(d, p);
    for (int i = 0; i < d->nexpanded; i++)
        if (d->expanded[i].by != p)
            list = copy_statements(d->x.uc, list, NULL, d->expanded[i].var, d->expanded[i].element);
    return list;
}

/* A piece that stores what others read, at each point. */
static void add_storing(struct distribution *d, const struct piece *p) {
    struct pstmt *list = with_elements(d, p), **end = &list;
    while (*end != NULL)
        end = &(*end)->next;
    d->l->end = end;
    for (int i = 0; i < d->nexpanded; i++) {
        if (d->expanded[i].by != p)
            continue;
        struct pval *v = value_new(d->l, PV_VAR, d->expanded[i].var->dtype);
        v->var = (struct pvar *)d->expanded[i].var;
        emit_put(d->l, d->expanded[i].element, v, p->first->at);
    }
    add_stmt(d, new_spread(&d->x, &d->points, list));
}

/* A definition at each point, as one of further ranges. */
static void add_definition(struct distribution *d, const struct piece *p) {
    const struct pstmt *own = with_elements(d, p);
    struct pstmt *s = new_spread(&d->x, &d->points, own->body);
    struct prange **end = &s->ranges;
    while (*end != NULL)
        end = &(*end)->next;
    *end = own->ranges;
    s->at = own->at;
    add_serial_loop(d->x.uc, s);
    add_stmt(d, s);
}

static bool distribute_list(struct distribution *d, struct pstmt *list);

/* A loop at each point, and loops in it that are further ranges. */
static void add_further(struct distribution *d, const struct piece *p) {
    struct pstmt *loop = with_elements(d, p);
    struct distribution inner = *d;
    struct enclosing own[UFC_MAX_POINT_RANGES];
    bool distributed, further;
    do {
        int n = inner.points.n;
        own[n] = (struct enclosing){loop, inner.x.around};
        inner.points.loop[inner.points.n++] = loop;
        inner.x.around = &own[n];
        distributed = distribute_list(&inner, loop->body);
        further = !distributed && loop->body != NULL && loop->body->next == NULL &&
                  is_further(&inner, loop->body, loop->body);
        loop = further ? loop->body : loop;
    } while (further);
    if (!distributed)
        add_stmt(&inner, new_spread(&d->x, &inner.points, loop->body));
    d->x.end = inner.x.end;
}

/* Adds the definitions that a list at the points is.  False: it is left as it is. */
static bool distribute_list(struct distribution *d, struct pstmt *list) {
    struct piece pieces[MAX_PIECES];
    int n = (d->at_loop ? find_pieces_at_loop : find_pieces)(d, list, pieces);
    if (n < 2 || n > MAX_PIECES || !find_expanded(d, list, pieces, &n) || n < 2 ||
        (d->nexpanded > 0 && !have_dimensions(d, list)) || has_bounds(d, list) ||
        d->l->plan->noperands + d->nexpanded > UFC_MAX_OPERANDS / 2)
        return false;
    if (d->o == NULL)
        return true;
    for (int i = 0; i < d->nexpanded; i++) {
        const struct prange *ranges = ranges_of(d->x.uc, &d->points);
        int k = add_array(d->l, d->o, ranges, d->expanded[i].var->dtype);
        d->expanded[i].element = array_element(d->l, k, ranges);
    }
    for (int i = 0; i < n; i++)
        if (!pieces[i].whole)
            add_storing(d, &pieces[i]);
        else if (pieces[i].first->kind == PS_FOR)
            add_further(d, &pieces[i]);
        else
            add_definition(d, &pieces[i]);
    return true;
}

void add_definitions(struct lower *l, struct overload *o, const struct points *points,
                     struct pstmt *list, struct pstmt **end) {
    struct distribution d = {.l = l, .o = o, .points = *points, .at_loop = true};
    d.x = (struct sharer){.uc = l->uc, .plan = l->plan, .end = end};
    if (!distribute_list(&d, list))
        add_stmt(&d, new_spread(&d.x, points, list));
}

/* ---- */

static enum walk find_spread(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD ? WALK_STOP : WALK_IN;
}

/* A loop as definitions that have reductions at their points which may come before them; NULL: it
 * has none. */
static struct pstmt *define_nested(struct lower *l, const struct sharer *x,
                                   const struct pstmt *loop) {
    struct sharer own = *x;
    struct nested nested;
    struct pstmt *first = NULL;
    own.around = NULL;
    own.end = &first;
    if (!loop_to_spreads(&own, copy_statements(x->uc, loop, loop->next, NULL, NULL)))
        return NULL;
    struct pstmt *s = first;
    while (s != NULL && !find_nested(l, s, 0, &nested))
        s = s->next;
    return s != NULL ? first : NULL;
}

/* Are there loops at the points whose iterations have any order beside some in order that set
 * variables alone? */
static bool has_both(const struct distribution *d, struct pstmt *list) {
    bool further = false, ordered = false;
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        bool is = is_further(d, list, s);
        further = further || is;
        ordered = ordered || (s->kind == PS_FOR && !is && !has_store(s->body));
    }
    return further && ordered;
}

/* The definitions that a loop of the body is; NULL: none.  Where o is NULL, any list. */
static struct pstmt *distribute_loop(struct lower *l, struct overload *o, struct pstmt *loop) {
    struct distribution d = {.l = l, .o = o, .x = {.uc = l->uc, .plan = l->plan}};
    struct pstmt *first = NULL;
    struct enclosing own = {loop, NULL};
    if (loop->kind != PS_FOR || !has_loop(loop->body))
        return NULL;
    d.x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    d.x.end = &first;
    if (!is_independent(&d.x, loop))
        return NULL;
    d.points.loop[d.points.n++] = loop;
    d.x.around = &own;
    bool spreads = !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_spread}, NULL);
    if ((spreads || has_both(&d, loop->body)) && distribute_list(&d, loop->body))
        return o == NULL ? loop : first;
    struct pstmt *nested = define_nested(l, &d.x, loop);
    if (nested != NULL || o == NULL) /* an ordered loop behind reductions alone is no reason */
        return nested;
    d.at_loop = true;
    return spreads && distribute_list(&d, loop->body) ? first : NULL;
}

bool has_distributed(struct lower *l) {
    struct pstmt *s = l->plan->body->body;
    while (s != NULL && distribute_loop(l, NULL, s) == NULL)
        s = s->next;
    return s != NULL;
}

void distribute_loops(struct lower *l, struct overload *o) {
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *list = distribute_loop(l, o, *at), **end = &list;
        if (list == NULL)
            continue;
        while (*end != NULL)
            end = &(*end)->next;
        *end = (*at)->next;
        *at = list;
    }
}
