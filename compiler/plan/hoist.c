/* hoist.c: what the iterations of an ordered loop compute whatever earlier ones did, as the
 * terms of a sum that is added up in order.  In a version of the body that has arrays it is
 * computed first, by a definition over the loop's index, and stored; one thread of the call then
 * runs what is left of the loop.  (Loop distribution: the statements that lie on no cycle of
 * dependences.) */
#include "apart.h"
#include "bounded.h"

enum { MAX_GROUP = 24, MAX_EXPANDED = 4, HEAVY_OPERATIONS = 16 };

struct hoist {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is something to hoist */
    struct sharer x;
    const struct pstmt *loop, *body; /* the loop's, of which conditionals are two */
    const bool *written;             /* by number: what the loop sets; */
    bool *known, *dear, *mentioned;  /* what indices alone decide; of these, what takes long; what
                                        an earlier statement mentions, or one beside the loop; */
    int *kept;                       /* how often what is left of the loop so far does */
    struct points points;            /* in any order, as the definitions have them */
    bool stores;                     /* arrays may have an element for each of them */
    struct pstmt *group[MAX_GROUP];  /* known statements of the loops around, and of this one */
    int ngroup, begin;               /* begin: of this one */
    const struct pvar *var[MAX_EXPANDED]; /* variables that arrays have */
    struct pval *element[MAX_EXPANDED];
    int nexpanded;
    struct pstmt **end;      /* of the definitions */
    bool any, failed, jumps; /* jumps: of the body */
};

static bool is_acc(const struct pstmt *s, int id) {
    const struct pacc *a = s->accs;
    while (a != NULL && a->acc->id != id)
        a = a->next;
    return a != NULL;
}

/* Does a statement set a variable whatever its conditions are? */
static bool sets_surely(const struct pstmt *s, int id) {
    bool sets = (s->kind == PS_SET && s->var->id == id) || is_acc(s, id), both = s->kind == PS_IF;
    const struct pstmt *const lists[] = {s->body, s->other};
    for (int k = 0; k < 2 && both; k++) {
        const struct pstmt *in = lists[k];
        while (in != NULL && !sets_surely(in, id))
            in = in->next;
        both = in != NULL;
    }
    return sets || both;
}

/* ---- what is known */

static enum walk find_function(const struct pval *v, void *none) {
    (void)none;
    struct builtin_work w =
        v->kind == PV_CALL ? builtin_work(v->builtin) : (struct builtin_work){0};
    return w.special > 0 || w.narrow >= HEAVY_OPERATIONS ? WALK_STOP : WALK_IN;
}

static bool takes_long(const struct pstmt *s) {
    return is_loop(s) || !stmt_walk(s, &(struct plan_visitor){.value = find_function}, NULL);
}

/* Whether an element has the indices of all points for subscripts, each where *axes has it; -1: it
 * has not been found yet. */
static bool is_point(const struct hoist *h, const struct pval *v, int *axes) {
    bool is = true;
    for (int i = 0; i < h->points.n && is; i++) {
        for (int k = 0; k < v->nargs && axes[i] < 0; k++)
            if (v->args[k]->kind == PV_VAR && v->args[k]->var == h->points.loop[i]->var)
                axes[i] = k;
        is = axes[i] >= 0 && v->args[axes[i]]->kind == PV_VAR &&
             v->args[axes[i]]->var == h->points.loop[i]->var;
    }
    return is;
}

struct own_elements {
    const struct hoist *h;
    int operand, axes[UFC_MAX_POINT_RANGES];
};

static enum walk find_other_element(const struct pval *v, void *arg) {
    struct own_elements *own = arg;
    bool other =
        v->kind == PV_ELEM && v->operand == own->operand && !is_point(own->h, v, own->axes);
    return other ? WALK_STOP : WALK_IN;
}

/* Are the elements of an array that a statement of the loop has the point's own, and has no other
 * statement any? */
static bool has_own_elements(const struct hoist *h, const struct pstmt *s, int operand) {
    const struct plan_visitor visitor = {.value = find_other_element, .joined = true};
    struct own_elements own = {.h = h, .operand = operand};
    for (int i = 0; i < h->points.n; i++)
        own.axes[i] = -1;
    return count_elements(h->x.uc, h->l->plan, s)[operand] ==
               count_elements(h->x.uc, h->l->plan, h->body)[operand] &&
           plan_walk(s, &visitor, &own);
}

struct unknown {
    const struct hoist *h;
    const struct pstmt *s;
};

static enum walk find_unknown(const struct pval *v, void *arg) {
    const struct unknown *u = arg;
    bool other = v->kind == PV_ELEM &&
                 (v->operand >= u->h->l->plan->noperands ||
                  (is_put(u->h->loop, v->operand) && !has_own_elements(u->h, u->s, v->operand)));
    return other ? WALK_STOP : WALK_IN;
}

static enum walk find_other_store(const struct pstmt *s, void *none) {
    (void)none;
    bool other = (s->kind == PS_PUT && s->merged) || s->kind == PS_CLEAR || s->kind == PS_ASSERT;
    return other ? WALK_STOP : WALK_IN;
}

static enum walk find_dear(const struct pval *v, void *arg) {
    const struct hoist *h = arg;
    return v->kind == PV_VAR && h->dear[v->var->id] ? WALK_STOP : WALK_IN;
}

static bool is_dear(const struct hoist *h, const struct pstmt *s) {
    return takes_long(s) ||
           !stmt_walk(s, &(struct plan_visitor){.value = find_dear, .joined = true}, (void *)h);
}

/* Whether a statement reads but what is known, and elements that the loop does not store, and sets
 * variables alone; or, where it takes long or goes on with such, its point's own elements, too. */
static bool is_known(const struct hoist *h, const struct pstmt *s) {
    const struct plan_visitor visitor = {
        .stmt = find_other_store, .value = find_unknown, .joined = true};
    struct unknown unknown = {h, s};
    const bool *sets = find_written(h->x.uc, h->l->plan, s);
    for (int i = 0; i < h->l->plan->nvars; i++)
        if (sets[i] && h->mentioned[i] && !h->known[i])
            return false;
    if (has_store(s) && (!is_dear(h, s) || h->jumps))
        return false;
    return plan_walk(s, &visitor, &unknown) && reads_known(&h->x, h->loop, s, h->written, h->known);
}

static void note_mentions(struct hoist *h, const struct pstmt *s) {
    const int *here = count_mentions(h->x.uc, h->l->plan, s);
    for (int i = 0; i < h->l->plan->nvars; i++)
        h->mentioned[i] = h->mentioned[i] || here[i] > 0;
}

/* ---- definitions */

static struct pstmt *copy_of(const struct hoist *h, const struct pstmt *s) {
    return copy_statements(h->x.uc, s, s->next, NULL, NULL);
}

/* A list with elements for the variables that arrays have. */
static struct pstmt *with_elements(const struct hoist *h, struct pstmt *list, int n) {
    for (int i = 0; i < n; i++)
        list = copy_statements(h->x.uc, list, NULL, h->var[i], h->element[i]);
    return list;
}

/* Gives the variables that the group sets, take long, and are mentioned elsewhere, arrays. */
static void expand(struct hoist *h, const struct pstmt *group, const struct prange *ranges) {
    const struct plan *p = h->l->plan;
    const bool *sets = find_written(h->x.uc, p, group);
    const int *here = count_mentions(h->x.uc, p, group);
    const int *all = count_mentions(h->x.uc, p, h->body);
    for (const struct pvar *v = p->vars; v != NULL; v = v->next) {
        if (!sets[v->id] || !h->dear[v->id] || here[v->id] == all[v->id])
            continue;
        if (h->nexpanded == MAX_EXPANDED || v->dtype == DT_BOOL || is_in_bounds(h->body, v)) {
            h->failed = true;
            return;
        }
        h->var[h->nexpanded] = v;
        if (h->o != NULL)
            h->element[h->nexpanded] =
                array_element(h->l, add_array(h->l, h->o, ranges, v->dtype), ranges);
        h->nexpanded++;
    }
}

/* Ends the group: if something of it takes long, a definition computes it. */
static void end_group(struct hoist *h) {
    struct pstmt *list = NULL, **end = &list, *own = NULL;
    bool dear = false;
    for (int i = 0; i < h->ngroup; i++) {
        dear = dear || (i >= h->begin && is_dear(h, h->group[i]));
        *end = copy_of(h, h->group[i]);
        loosen_begun_loops(end);
        own = i == h->begin ? *end : own;
        while (*end != NULL)
            end = &(*end)->next;
    }
    int kept = 0; /* what takes no long is computed again where it is read */
    for (int i = 0; i < h->ngroup; i++)
        if (i < h->begin || !is_dear(h, h->group[i]))
            h->group[kept++] = h->group[i];
    h->ngroup = h->begin = kept;
    if (!dear)
        return;
    h->any = true;
    const struct prange *ranges = ranges_of(h->x.uc, &h->points);
    int before = h->nexpanded;
    expand(h, own, ranges);
    if (h->o == NULL || h->failed)
        return;
    h->l->end = end;
    for (int i = before; i < h->nexpanded; i++) {
        struct pval *v = value_new(h->l, PV_VAR, h->var[i]->dtype);
        v->var = (struct pvar *)h->var[i];
        emit_put(h->l, h->element[i], v, h->loop->at);
    }
    add_definitions(h->l, h->o, &h->points, with_elements(h, list, before), h->end);
    while (*h->end != NULL)
        h->end = &(*h->end)->next;
}

/* Whether an array has, or is to have, a variable that is set now, and whose earlier value is read:
 * the array would have but one of these. */
static bool is_used_before(const struct hoist *h, int id, bool dear) {
    bool used = h->kept[id] > 0;
    for (int i = 0; i < h->nexpanded; i++)
        used = used || h->var[i]->id == id;
    return used && (dear || h->dear[id]);
}

/* Adds a statement that is known to the group.  False: it is to stay in the loop. */
static bool add_known(struct hoist *h, struct pstmt *s) {
    const struct plan *p = h->l->plan;
    bool dear = is_dear(h, s);
    const bool *sets = find_written(h->x.uc, p, s);
    const int *here = count_mentions(h->x.uc, p, s), *all = count_mentions(h->x.uc, p, h->body);
    if (h->ngroup == MAX_GROUP || (dear && !h->stores))
        return false;
    for (int i = 0; i < p->nvars; i++) {
        bool has = h->known[i] || sets_surely(s, i);
        if (dear && sets[i] && !has && here[i] != all[i])
            return false;
        if (sets[i] && is_used_before(h, i, dear))
            return false;
    }
    for (int i = 0; i < p->nvars; i++)
        if (sets[i] && (h->known[i] || sets_surely(s, i))) {
            h->known[i] = true;
            h->dear[i] = h->dear[i] || dear;
        }
    h->group[h->ngroup++] = s;
    return true;
}

/* ---- what is left of the loop */

/* The loop over all of a dimension, or from a number on, as it has the same iterations in another
 * order; NULL: it has not. */
static struct pstmt *upward(const struct hoist *h, const struct pstmt *loop) {
    const struct pval *lo = loop->lo, *hi = loop->hi, *step = loop->step;
    struct pstmt *up = NEW(h->x.uc, struct pstmt);
    *up = *loop;
    if (is_to_end(loop))
        return up;
    bool down = step->kind == PV_CONST && (int64_t)step->i == -1 && hi->kind == PV_CONST &&
                (int64_t)hi->i == -1 && lo->kind == PV_OP && lo->nargs == 2 &&
                lo->args[0]->kind == PV_DIM && lo->args[1]->kind == PV_CONST &&
                (int64_t)lo->args[1]->i == (lo->op == OP_SUB ? 1 : -1) &&
                (lo->op == OP_SUB || lo->op == OP_ADD);
    if (!down)
        return NULL;
    up->hi = lo->args[0];
    up->lo = value_new(h->l, PV_CONST, DT_INT64);
    up->step = value_new(h->l, PV_CONST, DT_INT64);
    up->step->i = 1;
    return up;
}

/* What a statement that is not known sets is not known from here on. */
static void note_sets(struct hoist *h, const struct pstmt *s) {
    const bool *sets = find_written(h->x.uc, h->l->plan, s);
    for (int i = 0; i < h->l->plan->nvars; i++) {
        h->failed = h->failed || (sets[i] && h->dear[i]);
        h->known[i] = h->known[i] && !sets[i];
    }
}

static struct pstmt *hoist_list(struct hoist *h, const struct pstmt *list);

/* Goes into a loop, each of whose iterations is a point of its own. */
static void hoist_inside(struct hoist *h, struct pstmt *loop) {
    struct points around = h->points;
    struct pstmt *up = NULL;
    bool stores = h->stores;
    end_group(h);
    note_sets(h, loop);
    if (around.n < UFC_MAX_POINT_RANGES && is_rectangular(&h->x, &around, h->body, loop))
        up = upward(h, loop);
    h->stores = stores && up != NULL;
    if (up != NULL)
        h->points.loop[h->points.n++] = up;
    h->known[loop->var->id] = h->mentioned[loop->var->id] = true;
    int ngroup = h->ngroup, begin = h->begin;
    h->begin = ngroup;
    loop->body = hoist_list(h, loop->body);
    end_group(h);
    note_sets(h, loop);
    h->ngroup = ngroup;
    h->begin = begin;
    h->points = around;
    h->stores = stores;
}

/* Counts what a statement that stays mentions, other than the variable that an assignment sets. */
static void note_kept(struct hoist *h, const struct pstmt *s) {
    const int *here = count_mentions(h->x.uc, h->l->plan, s);
    for (int i = 0; i < h->l->plan->nvars; i++)
        h->kept[i] += here[i] - (s->kind == PS_SET && s->var->id == i);
}

/* Does a statement set variables alone, which nothing outside of the conditional mentions? */
static bool is_own(const struct hoist *h, const int *inside, const struct pstmt *s) {
    struct pstmt alone = *s;
    alone.next = NULL;
    const bool *sets = find_written(h->x.uc, h->l->plan, &alone);
    for (int i = 0; i < h->l->plan->nvars; i++)
        if (sets[i] && inside[i] != h->x.mentions[i])
            return false;
    bool loop = s->kind == PS_FOR && !has_store(s->body) &&
                stmt_walk(s, &(struct plan_visitor){.stmt = find_jump}, NULL);
    return s->kind == PS_SET || loop || (s->kind == PS_SPREAD && s->accs != NULL);
}

/* What a list needs of variables that another one sets, as 0. */
static struct pstmt *zeros_for(const struct hoist *h, const struct pstmt *list,
                               const struct pstmt *needs) {
    const bool *sets = find_written(h->x.uc, h->l->plan, list);
    const int *mentions = count_mentions(h->x.uc, h->l->plan, needs);
    struct pstmt *zeros = NULL;
    for (struct pvar *v = h->l->plan->vars; v != NULL; v = v->next) {
        if (!sets[v->id] || mentions[v->id] == 0)
            continue;
        struct pstmt *set = NEW(h->x.uc, struct pstmt);
        *set = (struct pstmt){.kind = PS_SET, .at = list->at, .var = v, .next = zeros};
        set->value = value_new(h->l, PV_CONST, v->dtype);
        zeros = set;
    }
    return zeros;
}

/* Makes two of a conditional that begins with reductions, so that A may be known where B is not:
 *
 *     if c { A; B }    becomes    if c { A } else { v = 0 }    if c { B }
 *
 * where v is what B needs of A. */
static void split_conditional(const struct hoist *h, struct pstmt *s) {
    struct pstmt alone = *s, **end = &s->body, *behind = NEW(h->x.uc, struct pstmt);
    alone.next = NULL;
    alone.value = NULL; /* what the condition mentions is not set */
    const int *inside = count_mentions(h->x.uc, h->l->plan, &alone);
    while (*end != NULL && is_own(h, inside, *end))
        end = &(*end)->next;
    if (end == &s->body)
        return;
    *behind = (struct pstmt){
        .kind = PS_IF, .at = s->at, .value = s->value, .body = *end, .next = s->next};
    *end = NULL;
    s->other = zeros_for(h, s->body, behind->body);
    s->next = behind;
}

static void split_conditionals(const struct hoist *h, struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        if (s->kind == PS_FOR)
            split_conditionals(h, s->body);
        else if (s->kind == PS_IF && s->other == NULL && is_loop(s))
            split_conditional(h, s);
    }
}

/* A copy of the list without what definitions compute. */
static struct pstmt *hoist_list(struct hoist *h, const struct pstmt *list) {
    struct pstmt *rest = NULL, **end = &rest;
    for (const struct pstmt *from = list; from != NULL; from = from->next) {
        struct pstmt *s = copy_of(h, from);
        bool known = is_known(h, s) && add_known(h, s), gone = known && is_dear(h, s);
        if (!known && is_begun_loop(s)) {
            *end = hoist_list(h, s->body);
            while (*end != NULL)
                end = &(*end)->next;
            continue;
        }
        if (!known && s->kind == PS_FOR)
            hoist_inside(h, s);
        else if (!known)
            note_sets(h, s);
        note_mentions(h, s);
        if (gone)
            continue;
        note_kept(h, s);
        *end = known ? copy_of(h, s) : s;
        end = &(*end)->next;
    }
    return rest;
}

/* ---- the body */

/* Whether the loop leaves a variable to what is behind it, or has it from what is before it. */
static bool is_carried(const struct hoist *h, int id) {
    return h->written[id] && h->mentioned[id];
}

/* The assignments before the loop to what it goes on with; they stand in the body itself, nothing
 * else there reads it, and they give the same at the loop.  False: it is more. */
static bool take_first_values(const struct hoist *h, struct pstmt **list) {
    for (const struct pstmt *s = h->l->plan->body->body; s->next != NULL && s != h->loop;
         s = s->next) {
        struct pstmt *own = copy_of(h, s);
        const int *here = count_mentions(h->x.uc, h->l->plan, own);
        if (s->kind == PS_SET && is_carried(h, s->var->id)) {
            if (!is_still(s->value, s->next, h->loop))
                return false;
            *list = own;
            list = &own->next;
            continue;
        }
        for (int i = 0; i < h->l->plan->nvars; i++)
            if (is_carried(h, i) && here[i] > 0)
                return false;
    }
    return true;
}

static enum walk find_stored(const struct pval *v, void *loop) {
    struct pstmt own = *(const struct pstmt *)loop;
    own.next = NULL;
    return v->kind == PV_ELEM && is_put(&own, v->operand) ? WALK_STOP : WALK_IN;
}

/* Do assignments read no element that the loop stores, which definitions before them may have
 * stored? */
static bool reads_none_stored(const struct hoist *h, const struct pstmt *s) {
    while (s != NULL && value_walk(s->value, find_stored, (void *)(uintptr_t)h->loop))
        s = s->next;
    return s == NULL;
}

/* One thread alone runs what has it. */
static enum walk merge_nothing(const struct pstmt *s, void *none) {
    (void)none;
    ((struct pstmt *)(uintptr_t)s)->merged = false;
    return WALK_IN;
}

/* Has arrays of one element for what the loop leaves, which one point of a definition runs with the
 * assignments before it.  False: it leaves more than variables of the body. */
static bool add_rest(struct hoist *h, struct pstmt *first, struct pstmt *rest,
                     struct pstmt *behind) {
    const struct plan *p = h->l->plan;
    const bool *later = find_written(h->x.uc, p, behind);
    const int *mentions = count_mentions(h->x.uc, p, behind);
    struct pstmt **end = &first;
    while (*end != NULL)
        end = &(*end)->next;
    *end = rest;
    end = &rest->next;
    h->l->end = end;
    bool own = false;
    for (const struct pvar *v = p->vars; v != NULL; v = v->next) {
        if (!is_carried(h, v->id) || mentions[v->id] == 0)
            continue;
        own = true;
        if (later[v->id] || v->dtype == DT_BOOL || is_in_bounds(behind, v) ||
            p->noperands == UFC_MAX_OPERANDS / 2)
            return false;
        struct pval *element = array_element(h->l, add_array(h->l, h->o, NULL, v->dtype), NULL);
        struct pval *value = value_new(h->l, PV_VAR, v->dtype);
        value->var = (struct pvar *)v;
        emit_put(h->l, element, value, h->loop->at);
        behind = copy_statements(h->x.uc, behind, NULL, v, element);
    }
    bool whole = !own && first == rest;
    struct pstmt *turned = whole ? interchange(h->l, rest) : NULL;
    if (turned == NULL && whole && updates_bins(&h->x, rest))
        turned = rest; /* which may be dealt out */
    if (turned != NULL) {
        *h->end = turned;
        while (turned->next != NULL)
            turned = turned->next;
        turned->next = behind;
        return true;
    }
    plan_walk(first, &(struct plan_visitor){.stmt = merge_nothing}, NULL);
    keep_scalars_in(h->x.uc, h->l->plan, &first);
    *h->end = single_point(h->x.uc, h->l->plan, first, h->loop->at);
    (*h->end)->next = behind;
    return true;
}

static enum walk find_spread(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD ? WALK_STOP : WALK_IN;
}

static enum walk find_placed(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_PUT && s->place->nargs > 0 ? WALK_STOP : WALK_IN;
}

/* Has a loop reductions, of which it joins what they give to elements without subscripts alone?
 * All that the iterations, in any order, would have to do one by one is to store there. */
static bool joins_reductions(const struct pstmt *loop) {
    return !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_spread}, NULL) &&
           plan_walk(loop->body, &(struct plan_visitor){.stmt = find_placed}, NULL);
}

/* The statements that a loop of the body and those behind it become; NULL: they stay. */
static struct pstmt *hoist_loop(struct lower *l, struct overload *o, const struct pstmt *loop) {
    struct plan *p = l->plan;
    struct pstmt *list = NULL, *first = NULL;
    struct hoist h = {.l = l, .o = o, .x = {.uc = l->uc, .plan = p}, .loop = loop, .end = &list};
    struct enclosing own = {loop, NULL};
    struct pstmt *up = loop->kind == PS_FOR ? upward(&h, loop) : NULL;
    if (up == NULL)
        return NULL;
    const int *all = count_mentions(l->uc, p, p->body), *in = count_mentions(l->uc, p, loop->body);
    h.x.mentions = all;
    if (is_independent(&h.x, up) && !joins_reductions(up))
        return NULL;
    h.x.around = &own;
    h.written = find_written(l->uc, p, loop->body);
    h.known = NEWN(l->uc, bool, p->nvars + 1);
    h.dear = NEWN(l->uc, bool, p->nvars + 1);
    h.mentioned = NEWN(l->uc, bool, p->nvars + 1);
    h.kept = NEWN(l->uc, int, p->nvars + 1);
    for (int i = 0; i < p->nvars; i++)
        h.mentioned[i] = h.written[i] && in[i] != all[i];
    bool *carried = NEWN(l->uc, bool, p->nvars + 1);
    for (int i = 0; i < p->nvars; i++)
        carried[i] = h.mentioned[i];
    h.points.loop[h.points.n++] = up;
    h.stores = true;
    struct pstmt *rest = copy_of(&h, loop);
    split_conditionals(&h, rest->body);
    h.jumps = !plan_walk(rest->body, &(struct plan_visitor){.stmt = find_jump}, NULL);
    bind_begun_loops(l->uc, &rest->body);
    h.body = rest->body;
    rest->body = hoist_list(&h, h.body);
    end_group(&h);
    h.mentioned = carried;
    if (!h.any || h.failed || !take_first_values(&h, &first) || !reads_none_stored(&h, first))
        return NULL;
    if (o == NULL)
        return up;
    rest = with_elements(&h, rest, h.nexpanded);
    remove_unread_sets(l, &rest, carried);
    choose_values(l, h.x.mentions, &rest);
    return add_rest(&h, first, rest, loop->next) ? list : NULL;
}

/* ---- loops beside definitions */

/* An ordered loop as one thread's; else one block would have the call, definitions and all.  NULL:
 * it is none, or no definition is beside it. */
static struct pstmt *single_loop(struct lower *l, struct overload *o, const struct pstmt *s) {
    const struct plan *p = l->plan;
    struct pstmt *list = NULL, *first = NULL;
    struct hoist h = {.l = l, .o = o, .x = {.uc = l->uc, .plan = p}, .loop = s, .end = &list};
    if (s->kind == PS_IF || s->kind == PS_SPREAD || s->accs != NULL || !is_loop(s))
        return NULL;
    const int *all = count_mentions(l->uc, p, p->body);
    h.x.mentions = all;
    if (!is_beside_wide(&h.x, s))
        return NULL;
    struct pstmt *own = copy_of(&h, s);
    const int *in = count_mentions(l->uc, p, own);
    const int *behind = count_mentions(l->uc, p, s->next);
    const bool *later = find_written(l->uc, p, s->next);
    bool leaves = false,
         state = s->kind == PS_FOR && !has_loop(s->body) && !has_running_totals(l, own);
    h.written = find_written(l->uc, p, own);
    h.mentioned = NEWN(l->uc, bool, p->nvars + 1);
    for (const struct pvar *v = p->vars; v != NULL; v = v->next) {
        bool left = h.written[v->id] && behind[v->id] > 0;
        h.mentioned[v->id] = h.written[v->id] && in[v->id] != all[v->id];
        leaves = leaves || left || (state && h.mentioned[v->id]);
        if (left && (later[v->id] || v->dtype == DT_BOOL || is_in_bounds(s->next, v)))
            return NULL;
    }
    if (!leaves || !plan_walk(own, &(struct plan_visitor){.stmt = find_spread}, NULL) ||
        !take_first_values(&h, &first))
        return NULL;
    if (o == NULL)
        return own;
    return add_rest(&h, first, own, s->next) ? list : NULL;
}

/* Stops at an element that another one tells the place of: a thread alone waits for both. */
static enum walk find_gather(const struct pval *v, void *none) {
    (void)none;
    for (int i = 0; v->kind == PV_ELEM && i < v->nargs; i++)
        if (!value_walk(v->args[i], find_any_element, NULL))
            return WALK_STOP;
    return WALK_IN;
}

/* gathers: those of elements count, as beside reductions, which are hoisted. */
static bool is_heavy_term(const struct pstmt *s, const struct pval *v, bool gathers) {
    return value_walk(v, find_variable, s->var) &&
           (!value_walk(v, find_function, NULL) || (gathers && !value_walk(v, find_gather, NULL)));
}

/* Has what a loop joins to variables stand by itself, where that takes long: it may be hoisted. */
static void split_terms(struct lower *l, struct pstmt **list, bool reduces) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        bool joins = false;
        if ((s->kind == PS_FOR && s->accs == NULL) || (s->kind == PS_IF && reduces))
            split_terms(l, &s->body, reduces);
        for (int i = 0; s->kind == PS_SET && i < s->value->nargs; i++)
            joins =
                joins || (s->value->args[i]->kind == PV_VAR && s->value->args[i]->var == s->var);
        for (int i = 0; joins && i < s->value->nargs; i++) {
            if (!is_heavy_term(s, s->value->args[i], reduces))
                continue;
            struct pval *own = NEW(l->uc, struct pval);
            *own = *s->value;
            l->end = at;
            own->args[i] = emit_temporary(l, "term", own->args[i], s->at);
            *l->end = s;
            s->value = own;
            while (*at != s)
                at = &(*at)->next;
        }
    }
}

bool has_hoisted(struct lower *l) {
    const struct pstmt *s = l->plan->body->body;
    while (s != NULL && hoist_loop(l, NULL, s) == NULL && single_loop(l, NULL, s) == NULL)
        s = s->next;
    return s != NULL;
}

void hoist_loops(struct lower *l, struct overload *o) {
    const struct plan_visitor spreads = {.stmt = find_spread};
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == PS_FOR && (*at)->accs == NULL)
            split_terms(l, &(*at)->body, !plan_walk((*at)->body, &spreads, NULL));
        int noperands = l->plan->noperands;
        struct pstmt *list = hoist_loop(l, o, *at);
        if (list == NULL) {
            drop_arrays(l, o, noperands);
            list = has_interchanged_part(l, at) ? NULL : single_loop(l, o, *at);
        }
        *at = list != NULL ? list : *at;
    }
}

void single_loops(struct lower *l, struct overload *o) {
    for (struct pstmt **at = &l->plan->body->body; *at != NULL; at = &(*at)->next) {
        struct pstmt *list = single_loop(l, o, *at);
        *at = list != NULL ? list : *at;
    }
}
