/* last_stored.c: ordered loops that count what they store, and compare with what they stored last:
 *
 *     for i in 0..n { if k < 0 or x[i] != v[k] { k += 1; v[k] = x[i] } }
 *
 * That is x[i - 1], since else they stored x[i], or it was the same.  So a variable has it, which
 * each iteration sets, and which scans of the count compute again (compose.c):
 *
 *     for i in 0..n { if i == 0 or x[i] != last { k += 1; v[k] = x[i] }; last = x[i] }
 */
#include "total.h"

struct last_stored {
    struct lower *l;
    struct pstmt *loop, *choice; /* the loop's conditional that stores */
    const struct pstmt *put, *count;
    struct pval *read, *differs; /* the element that is compared, and the comparison */
    struct pval *first;          /* a comparison of the count that tells the first iteration */
    const struct pval *begin;    /* the count before the loop, a constant */
    bool before;                 /* it counts before it stores */
    int subscript;               /* that the count is */
};

static bool is_var(const struct pval *v, const struct pvar *var) {
    return v->kind == PV_VAR && v->var == var;
}

/* The statement that counts, beside a store of the choice; it has but these, and assignments. */
static bool find_count(struct last_stored *x, const struct pstmt *put) {
    int counts = 0;
    x->put = put;
    for (const struct pstmt *s = x->choice->body; s != NULL; s = s->next) {
        if (s->kind != PS_SET && s->kind != PS_PUT)
            return false;
        if (s == put)
            x->before = counts == 1;
        if (s->kind == PS_SET && s->value->kind == PV_OP && s->value->op == OP_ADD &&
            s->var->dtype == DT_INT64 && is_var(s->value->args[0], s->var) &&
            s->value->args[1]->kind == PV_CONST && s->value->args[1]->i == 1) {
            x->count = s;
            counts++;
        }
    }
    return x->choice->other == NULL && counts == 1;
}

/* How often statements set the count, or store to the array; and elements of it in values. */
struct uses {
    const struct last_stored *x;
    int sets, puts, reads;
    const struct pval *read;
};

static enum walk count_sets(const struct pstmt *s, void *arg) {
    struct uses *u = arg;
    u->sets += s->var == u->x->count->var;
    u->puts += s->kind == PS_PUT && s->operand == u->x->put->operand;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        u->sets += a->acc == u->x->count->var || a->other == u->x->count->var;
    return s->kind == PS_CLEAR ? WALK_STOP : WALK_IN;
}

static enum walk count_reads(const struct pval *v, void *arg) {
    struct uses *u = arg;
    if (v->kind == PV_ELEM && v->operand == u->x->put->operand && v != u->x->put->place) {
        u->reads++;
        u->read = v;
    }
    return WALK_IN;
}

/* Is v the place that was stored last, as it is before an iteration? */
static bool is_last_place(struct last_stored *x, const struct pval *v, const bool *written) {
    const struct pval *place = x->put->place;
    int counted = 0;
    for (int i = 0; i < place->nargs; i++) {
        const struct pval *own = place->args[i], *a = v->args[i];
        bool less = a->kind == PV_OP && a->op == OP_SUB && a->args[1]->kind == PV_CONST &&
                    a->args[1]->i == 1 && is_var(a->args[0], x->count->var);
        if (is_var(own, x->count->var)) {
            x->subscript = i;
            counted++;
            if (x->before ? !is_var(a, x->count->var) : !less)
                return false;
        } else if (!(own->kind == PV_CONST || own->kind == PV_DIM ||
                     (own->kind == PV_VAR && !written[own->var->id])) ||
                   !same_value(own, a)) {
            return false;
        }
    }
    return counted == 1 && v->checked == 0;
}

/* Is v whether what is stored differs from what was stored last? */
static bool is_difference(struct last_stored *x, struct pval *v) {
    bool is = false;
    for (int i = 0; i < 2 && v->kind == PV_OP && v->op == OP_NE && !is; i++) {
        is = v->args[i] == x->read && same_value(v->args[1 - i], x->put->value);
        x->differs = v;
    }
    return is;
}

/* Does v tell the first iteration, as a comparison of the count with a number? */
static bool tells_first(struct last_stored *x, struct pval *v) {
    if (v->kind != PV_OP || v->nargs != 2 || !is_var(v->args[0], x->count->var) ||
        v->args[1]->kind != PV_CONST)
        return false;
    int64_t with = (int64_t)v->args[1]->i, begin = (int64_t)x->begin->i;
    bool is = (v->op == OP_LT && with == begin + 1) || (v->op == OP_LE && with == begin) ||
              (v->op == OP_EQ && with == begin);
    x->first = is ? v : x->first;
    return is;
}

/* Matches the condition: the difference, or that beside what tells the first iteration, or another
 * condition without the count; perhaps as `v = first; if not v { v = differs }`. */
static bool find_condition(struct last_stored *x) {
    struct pval *c = x->choice->value;
    if (is_difference(x, c))
        return true;
    for (int i = 0; i < 2 && c->kind == PV_OP && c->op == OP_LOR; i++)
        if (is_difference(x, c->args[1 - i]))
            return tells_first(x, c->args[i]) ||
                   value_walk(c->args[i], find_variable, x->count->var);
    struct pstmt *set = x->loop->body;
    while (set != NULL && set->next != NULL && set->next->next != x->choice)
        set = set->next;
    struct pstmt *rest = set != NULL ? set->next : NULL;
    if (c->kind != PV_VAR || rest == NULL || rest->next != x->choice || set->kind != PS_SET ||
        set->var != c->var || rest->kind != PS_IF || rest->other != NULL || rest->body == NULL ||
        rest->body->next != NULL || rest->body->kind != PS_SET || rest->body->var != c->var ||
        rest->value->kind != PV_OP || rest->value->op != OP_LNOT ||
        !is_var(rest->value->args[0], c->var) || !is_difference(x, rest->body->value))
        return false;
    return tells_first(x, set->value) || value_walk(set->value, find_variable, x->count->var);
}

/* Is what is stored there whether or not the choice is made, and as it is before it? */
struct stable {
    const struct last_stored *x;
    const bool *written;
};

static enum walk find_unstable(const struct pval *v, void *arg) {
    const struct stable *y = arg;
    bool changes = v->kind == PV_VAR && y->written[v->var->id];
    for (const struct pstmt *s = y->x->choice->body; s != NULL && v->kind == PV_ELEM; s = s->next)
        changes = changes || (s->kind == PS_PUT && s->operand == v->operand);
    return changes ? WALK_STOP : WALK_IN;
}

/* Finds what iterations may change. */
static enum walk find_changed(const struct pval *v, void *written) {
    bool changes = v->kind == PV_ELEM || (v->kind == PV_VAR && ((const bool *)written)[v->var->id]);
    return changes ? WALK_STOP : WALK_IN;
}

static enum walk find_put_to(const struct pstmt *s, void *operand) {
    return s->kind == PS_PUT && s->operand == *(const int *)operand ? WALK_STOP : WALK_IN;
}

/* What of a list before the loop stores the element that the count has then; NULL: nothing. */
static const struct pstmt *stored_before(const struct last_stored *x, const struct pstmt *list) {
    const struct pstmt *stored = NULL;
    int64_t at = (int64_t)x->begin->i - (x->before ? 0 : 1);
    int operand = x->put->operand;
    for (const struct pstmt *s = list; s != x->loop; s = s->next) {
        bool here = s->kind == PS_PUT && s->operand == x->put->operand;
        for (int i = 0; here && i < s->place->nargs; i++) {
            const struct pval *v = s->place->args[i];
            here = i == x->subscript ? v->kind == PV_CONST && (int64_t)v->i == at
                                     : same_value(v, x->put->place->args[i]);
        }
        if (!stmt_walk(s, &(struct plan_visitor){.stmt = find_put_to}, &operand))
            stored = here ? s : NULL;
    }
    return stored;
}

/* Is a value made of inputs, sizes and numbers? */
static enum walk find_other(const struct pval *v, void *plan) {
    bool stays = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                 v->kind == PV_CAST || v->kind == PV_LOAD ||
                 (v->kind == PV_ELEM && v->operand < ((const struct plan *)plan)->nin);
    return stays ? WALK_IN : WALK_STOP;
}

/* The value of that element, from the inputs if it is made of these. */
static struct pval *first_value(const struct last_stored *x, const struct pstmt *stored) {
    struct lower *l = x->l;
    if (value_walk(stored->value, find_other, l->plan))
        return stored->value;
    struct pval *v = value_new(l, PV_ELEM, x->read->dtype);
    *v = *stored->place;
    return v;
}

static bool match(struct last_stored *x, struct lower *l, const struct pstmt *list,
                  struct pstmt *loop, struct pstmt *choice, const struct pstmt *put) {
    *x = (struct last_stored){.l = l, .loop = loop, .choice = choice};
    if (put->kind != PS_PUT || !find_count(x, put))
        return false;
    struct uses u = {.x = x};
    const struct plan_visitor sets = {.stmt = count_sets}, reads = {.value = count_reads};
    bool *written = find_written(l->uc, l->plan, loop->body);
    enum ufc_dtype d = x->put->value->dtype;
    written[loop->var->id] = true;
    if (!plan_walk(loop->body, &sets, &u) || !plan_walk(loop->body, &reads, &u) || u.sets != 1 ||
        u.puts != 1 || u.reads != 1 || is_complex(d) || is_half(d) || u.read->dtype != d ||
        !is_last_place(x, u.read, written))
        return false;
    x->read = (struct pval *)(uintptr_t)u.read;
    for (const struct pstmt *s = list; s != loop; s = s->next) {
        struct pstmt only = *s;
        only.next = NULL;
        if (find_written(l->uc, l->plan, &only)[x->count->var->id])
            x->begin = s->kind == PS_SET && s->value->kind == PV_CONST ? s->value : NULL;
    }
    struct pstmt own = *choice;
    own.next = NULL;
    struct stable stable = {x, find_written(l->uc, l->plan, &own)};
    if (x->begin == NULL || !find_condition(x) ||
        !value_walk(x->put->value, find_unstable, &stable) ||
        (x->first != NULL && !value_walk(loop->lo, find_changed, written)))
        return false;
    bool none = (int64_t)x->begin->i - (x->before ? 0 : 1) < 0; /* has no element that is read */
    return none || x->first != NULL || stored_before(x, list) != NULL;
}

static struct pstmt *new_set(struct lower *l, struct pvar *var, struct pval *v, struct span at) {
    struct pstmt *s = NEW(l->uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = at, .var = var, .value = v};
    return s;
}

/* Gives the last element a variable.  at: where the loop is; gives where it is then. */
static struct pstmt **keep(struct last_stored *x, const struct pstmt *list, struct pstmt **at) {
    struct lower *l = x->l;
    struct pvar *var = &variable_new(l, "last", x->read->dtype)->pvar;
    const struct pstmt *stored = x->first == NULL ? stored_before(x, list) : NULL;
    struct pval *begin = stored != NULL ? first_value(x, stored) : value_zero(l, var->dtype);
    struct pstmt *behind = new_set(l, var, x->put->value, x->choice->at);
    behind->next = x->choice->next;
    x->choice->next = behind;
    struct pval *last = plan_read(l->uc, var);
    x->differs->args[x->differs->args[0] == x->read ? 0 : 1] = last;
    if (x->first != NULL)
        *x->first = *value_op(l, OP_EQ, DT_BOOL, plan_read(l->uc, x->loop->var), x->loop->lo);
    *at = new_set(l, var, begin, x->loop->at);
    (*at)->next = x->loop;
    return &(*at)->next;
}

/* Of a loop; gives where it is then. */
static struct pstmt **keep_in_loop(struct lower *l, const struct pstmt *list, struct pstmt **at) {
    struct last_stored x;
    for (struct pstmt *s = (*at)->body; s != NULL; s = s->next)
        for (const struct pstmt *put = s->kind == PS_IF ? s->body : NULL; put != NULL;
             put = put->next)
            if (match(&x, l, list, *at, s, put))
                return keep(&x, list, at);
    return at;
}

static void keep_in_list(struct lower *l, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL; at = &(*at)->next) {
        if ((*at)->kind == PS_FOR && (*at)->accs == NULL)
            at = keep_in_loop(l, *list, at);
        struct pstmt **const lists[] = PSTMT_LISTS(*at);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            keep_in_list(l, lists[i]);
    }
}

void keep_last_stored(struct lower *l) {
    keep_in_list(l, &l->plan->body);
}
