/* by_key.c: ordered loops that update rows by keys, as the gradient of an embedding, or what edges
 * of a graph give to their ends:
 *
 *     for k in 0..e { for a in 0..f { y[to[k], a] += x[of[k], a] } }
 *
 * In a version of the body that has arrays the iterations are put in the order of their keys, those
 * of a key in the order of the loop, by a counting sort: how many come before each is counted, and
 * where a key's begin is a sum over counts.  Each element then is a point that goes through the
 * iterations of its key, so that threads share rows' elements and access neighbours, and each keeps
 * an element as it adds up.  (Inspector and executor: Saltz et al., 1991.)
 *
 * What an iteration finds by loops or conditions of its own before its row, such as the nearest of
 * several centres, is kept in arrays in the row's place, and read there. */
#include "apart.h"

enum { ARRAYS = 4, MAX_SETS = 12, MAX_KEPT = 3 };

struct by_key {
    struct lower *l;
    struct overload *o;
    struct sharer x;
    const struct pstmt *loop, *row; /* row: the loop in it that updates a row's elements */
    const struct pstmt *put;        /* the last statement of row, behind assignments */
    int axis;            /* the subscript that is the key; the other one is row's index */
    const bool *written; /* by number: what the loop sets */
    const struct pstmt *set[MAX_SETS]; /* assignments that any iteration may do for itself, */
    int nsets;                         /* before row */
    struct pstmt *kept[MAX_KEPT];      /* among those, of variables that are kept in arrays */
    int nkept;
};

/* ---- what any iteration may compute */

static bool is_changed_by(const struct by_key *b, const struct pval *v) {
    return v->kind == PV_ELEM &&
           (v->operand >= b->l->plan->noperands || is_put(b->loop, v->operand));
}

static bool is_set(const struct by_key *b, const struct pvar *var) {
    int i = 0;
    while (i < b->nsets && b->set[i]->var != var)
        i++;
    return i < b->nsets;
}

/* Stops at what other iterations may change. */
static enum walk find_other(const struct pval *v, void *by_key) {
    const struct by_key *b = by_key;
    bool other =
        v->kind == PV_VAR && v->var != b->loop->var && b->written[v->var->id] && !is_set(b, v->var);
    return other || is_changed_by(b, v) ? WALK_STOP : WALK_IN;
}

static bool is_free(const struct by_key *b, const struct pval *v) {
    return value_walk(v, find_other, (void *)(uintptr_t)b);
}

struct counting {
    const struct pvar *var;
    int n;
};

static enum walk count_sets(const struct pstmt *s, void *counting) {
    struct counting *c = counting;
    c->n += (s->kind == PS_SET || s->kind == PS_FOR) && s->var == c->var;
    for (const struct pacc *a = s->accs; a != NULL; a = a->next)
        c->n += a->acc == c->var;
    return WALK_IN;
}

/* Finds assignments before `row` to variables that nothing else sets. */
static void find_sets(struct by_key *b) {
    for (const struct pstmt *s = b->loop->body; s != b->row && b->nsets < MAX_SETS; s = s->next) {
        struct counting c = {.var = s->var};
        if (s->kind != PS_SET || !is_free(b, s->value))
            continue;
        plan_walk(b->loop->body, &(struct plan_visitor){.stmt = count_sets}, &c);
        if (c.n == 1)
            b->set[b->nsets++] = s;
    }
}

/* ---- what an iteration keeps */

static bool is_in_row(const struct by_key *b, const struct pvar *var);

/* Has an array keep what a variable is before the row, if that is neither free nor the row's. */
static enum walk keep_variable(const struct pval *v, void *by_key) {
    struct by_key *b = by_key;
    if (v->kind != PV_VAR || v->var == b->loop->var || !b->written[v->var->id] ||
        is_set(b, v->var) || is_in_row(b, v->var))
        return WALK_IN;
    enum ufc_dtype d = v->dtype;
    bool number = (is_integer(d) || is_float(d)) && dtype_info[d].bits >= 32 && !is_half(d);
    if (!number || b->nkept == MAX_KEPT || b->nsets == MAX_SETS)
        return WALK_STOP;
    struct pval *kept = value_new(b->l, PV_ELEM, d);
    kept->args[kept->nargs++] = plan_read(b->x.uc, (struct pvar *)(uintptr_t)b->loop->var);
    struct pstmt *s = NEW(b->x.uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_SET, .at = b->row->at, .var = v->var, .value = kept};
    b->set[b->nsets++] = b->kept[b->nkept++] = s;
    return WALK_IN;
}

/* ---- whether rows are updated */

static enum walk find_element(const struct pval *v, void *by_key) {
    const struct by_key *b = by_key;
    bool other =
        v->kind == PV_ELEM && v->operand == b->put->operand && !same_value(v, b->put->place);
    return other ? WALK_STOP : WALK_IN;
}

/* Is a variable the row's index, or one that it sets for itself? */
static bool is_in_row(const struct by_key *b, const struct pvar *var) {
    const struct pstmt *s = b->row->body;
    while (s != b->put && s->var != var)
        s = s->next;
    return var == b->row->var || s != b->put;
}

/* Stops at what is neither of the row, nor free, nor the element. */
static enum walk find_unknown(const struct pval *v, void *by_key) {
    const struct by_key *b = by_key;
    if (v->kind == PV_ELEM && v->operand == b->put->operand)
        return same_value(v, b->put->place) ? WALK_PAST : WALK_STOP;
    return v->kind == PV_VAR && is_in_row(b, v->var) ? WALK_IN
                                                     : find_other(v, (void *)(uintptr_t)b);
}

/* Does a row set variables alone that nothing else has, and then store one element? */
static bool stores_one(struct by_key *b) {
    const int *here = count_mentions(b->x.uc, b->l->plan, b->row->body);
    const struct pstmt *s = b->row->body;
    for (; s != NULL && s->kind == PS_SET; s = s->next)
        if (here[s->var->id] != b->x.mentions[s->var->id])
            return false;
    b->put = s;
    return s != NULL && s->kind == PS_PUT && s->next == NULL && !s->merged &&
           s->place->nargs == 2 && s->place->checked == 0 && s->operand < b->l->plan->noperands;
}

static bool has_dim(const struct by_key *b, int axis) {
    return b->l->plan->operands[b->put->operand].dims[axis]->index >= 0;
}

/* Is the subscript a key, that is, made of an element that the iteration reads, or of a remainder
 * or quotient? */
static enum walk find_key(const struct pval *v, void *by_key) {
    const struct by_key *b = by_key;
    if (v->kind == PV_ELEM || (v->kind == PV_OP && (v->op == OP_MOD || v->op == OP_FLOORDIV)))
        return WALK_STOP;
    for (int i = 0; v->kind == PV_VAR && i < b->nsets; i++)
        if (b->set[i]->var == v->var && !value_walk(b->set[i]->value, find_key, by_key))
            return WALK_STOP;
    return WALK_IN;
}

/* Do the row's assignments read but what is free, the row's, or the element? */
static bool are_known(struct by_key *b) {
    const struct pstmt *s = b->row->body;
    while (s != b->put && value_walk(s->value, find_unknown, b))
        s = s->next;
    return s == b->put;
}

static bool is_row(struct by_key *b) {
    const struct pstmt *row = b->row;
    const struct points points = {.loop = {b->loop}, .n = 1};
    if (row->kind != PS_FOR || row->accs != NULL || !is_whole_dimension(row) || !stores_one(b) ||
        !is_rectangular(&b->x, &points, b->loop->body, row))
        return false;
    const struct pstmt *put = b->put;
    if (!plan_walk(row->body, &(struct plan_visitor){.value = keep_variable}, b))
        return false;
    for (b->axis = 0; b->axis < 2; b->axis++) {
        const struct pval *key = put->place->args[b->axis], *at = put->place->args[1 - b->axis];
        if (at->kind == PV_VAR && at->var == row->var && is_free(b, key) &&
            !value_walk(key, find_key, b) && value_walk(key, find_variable, row->var))
            break;
    }
    /* All that the loop has of the array are the row's elements, and these the loop's own. */
    return b->axis < 2 && has_dim(b, b->axis) &&
           count_elements(b->x.uc, b->l->plan, b->loop->body)[put->operand] ==
               count_elements(b->x.uc, b->l->plan, row->body)[put->operand] &&
           plan_walk(row->body, &(struct plan_visitor){.value = find_element}, b) &&
           value_walk(put->value, find_unknown, b) && are_known(b);
}

/* ---- what takes the row's place */

static struct pval *read(const struct by_key *b, const struct pvar *var) {
    return plan_read(b->x.uc, (struct pvar *)(uintptr_t)var);
}

/* A list that sets variables of its own. */
static struct pstmt *with_own_sets(const struct by_key *b, struct pstmt *list) {
    return with_own_variables(b->l, list, find_written(b->x.uc, b->l->plan, list));
}

/* The free assignments and, behind them, a list, in the iteration `index` and with variables of
 * their own. */
static struct pstmt *of_iteration(const struct by_key *b, struct pstmt *list,
                                  const struct pval *index) {
    struct pstmt *first = NULL, **end = &first;
    for (int i = 0; i < b->nsets; i++) {
        *end = copy_statements(b->x.uc, b->set[i], b->set[i]->next, NULL, NULL);
        end = &(*end)->next;
    }
    *end = list;
    return with_own_sets(b, copy_statements(b->x.uc, first, NULL, b->loop->var, index));
}

/* Puts an element in the place of all of an array. */
static void replace_elements(struct pval *v, int operand, const struct pval *by) {
    if (v->kind == PV_ELEM && v->operand == operand) {
        *v = *by;
        return;
    }
    for (int i = 0; i < v->nargs; i++)
        replace_elements(v->args[i], operand, by);
}

static struct pstmt *loop_of(const struct by_key *b, const char *name, struct pval *lo,
                             struct pval *hi) {
    struct pstmt *s = NEW(b->x.uc, struct pstmt);
    *s = (struct pstmt){.kind = PS_FOR, .at = b->row->at, .lo = lo, .hi = hi};
    s->var = plan_variable(b->x.uc, b->l->plan, name, DT_INT64);
    s->step = plan_number(b->x.uc, 1);
    return s;
}

/* Has iterations keep what they find in arrays, by the statements that it gives. */
static struct pstmt *keep_found(struct by_key *b) {
    const struct points points = {.loop = {b->loop}, .n = 1};
    struct pstmt *list = NULL, **end = &list;
    for (int i = 0; i < b->nkept; i++) {
        struct pstmt *s = b->kept[i];
        s->value->operand = add_array(b->l, b->o, ranges_of(b->x.uc, &points), s->value->dtype);
        b->l->end = end;
        emit_put(b->l, s->value, read(b, s->var), s->at);
        end = &(*end)->next;
    }
    return list;
}

static struct pstmt *put_of(const struct by_key *b, struct pval *place, struct pval *v) {
    struct pstmt *s = NULL;
    b->l->end = &s;
    emit_put(b->l, place, v, b->row->at);
    return s;
}

static struct pval *element(const struct by_key *b, int array, struct pval *at) {
    struct pval *v = value_new(b->l, PV_ELEM, DT_INT64);
    v->operand = array;
    v->args[v->nargs++] = at;
    return v;
}

static struct pval *add_one(const struct by_key *b, struct pval *v) {
    return value_op(b->l, OP_ADD, DT_INT64, v, plan_number(b->x.uc, 1));
}

/* The keys' dimension. */
static struct pval *keys(const struct by_key *b) {
    struct pval *v = value_new(b->l, PV_DIM, DT_INT64);
    v->operand = b->l->plan->operands[b->put->operand].dims[b->axis]->index;
    return v;
}

static int array_of(const struct by_key *b, const struct pstmt *loop) {
    const struct points points = {.loop = {loop}, .n = 1};
    return add_array(b->l, b->o, ranges_of(b->x.uc, &points), DT_INT64);
}

static void add(struct pstmt ***end, struct pstmt *list) {
    **end = list;
    while (**end != NULL)
        *end = &(**end)->next;
}

/* The loop over iterations, each of which does what a list does, unless rows have no elements: then
 * keys are not looked at, as the source does not. */
static struct pstmt *over_iterations(const struct by_key *b, struct pstmt *list) {
    struct pstmt *loop = loop_of(b, b->loop->var->name, b->loop->lo, b->loop->hi);
    struct pstmt *test = NEW(b->x.uc, struct pstmt);
    *test = (struct pstmt){.kind = PS_IF, .at = b->row->at, .body = list};
    test->value = value_op(b->l, OP_LT, DT_BOOL, b->row->lo, b->row->hi);
    loop->body = of_iteration(b, test, read(b, loop->var));
    return loop;
}

/* Of each iteration its number among those of its key, and of each key how many there are. */
static struct pstmt *count_keys(const struct by_key *b, int count, int rank) {
    struct pval *key = b->put->place->args[b->axis];
    struct pstmt *list = put_of(b, element(b, rank, read(b, b->loop->var)), element(b, count, key));
    list->next = put_of(b, element(b, count, key), add_one(b, element(b, count, key)));
    return over_iterations(b, list);
}

/* Where each key's iterations begin, in their order by keys. */
static struct pstmt *find_begins(const struct by_key *b, int count, int begin) {
    struct pstmt *loop = loop_of(b, "key", plan_number(b->x.uc, 0), keys(b)), *list = NULL;
    struct variable *run = variable_new(b->l, "run", DT_INT64);
    struct pval *at = read(b, loop->var);
    b->l->end = &list;
    emit_set(b->l, run, plan_number(b->x.uc, 0), b->row->at);
    struct pstmt **end = &loop->body;
    add(&end, put_of(b, element(b, begin, at), read(b, &run->pvar)));
    b->l->end = end;
    emit_set(b->l, run,
             value_op(b->l, OP_ADD, DT_INT64, read(b, &run->pvar), element(b, count, at)),
             b->row->at);
    list->next = loop;
    return list;
}

/* The iterations in that order. */
static struct pstmt *order_iterations(const struct by_key *b, int begin, int rank, int order) {
    struct pval *key = b->put->place->args[b->axis], *k = read(b, b->loop->var);
    struct pval *at = value_op(b->l, OP_ADD, DT_INT64, element(b, begin, key), element(b, rank, k));
    return spread_of(&b->x, over_iterations(b, put_of(b, element(b, order, at), k)));
}

/* Has the list of a point keep its element in a variable while it adds up. */
static struct pstmt *keep_element(const struct by_key *b, struct pstmt *turn, struct pstmt *put) {
    struct pval *place = put->place;
    enum ufc_dtype d = place->dtype;
    struct pstmt *list = NULL;
    if (put->value->dtype != d || is_half(d) || is_complex(d) || d == DT_BOOL)
        return turn;
    struct variable *kept = variable_new(b->l, b->l->plan->operands[place->operand].name, d);
    b->l->end = &list;
    emit_set(b->l, kept, place, put->at);
    list->next = turn;
    put->kind = PS_SET;
    put->var = &kept->pvar;
    put->place = NULL;
    for (struct pstmt *s = turn->body; s != NULL; s = s->next)
        replace_elements(s->value, place->operand, read(b, &kept->pvar));
    b->l->end = &turn->next;
    emit_put(b->l, place, read(b, &kept->pvar), put->at);
    return list;
}

/* About how many iterations a key has: as many of all. */
static struct pval *iterations_of_key(const struct by_key *b) {
    struct pval *n = value_op(b->l, OP_ADD, DT_INT64, b->loop->hi, keys(b));
    n = value_op(b->l, OP_SUB, DT_INT64, n, plan_number(b->x.uc, 1));
    return value_op(b->l, OP_FLOORDIV, DT_INT64, n, keys(b));
}

/* The elements, which each go through the iterations of their key. */
static struct pstmt *update_elements(const struct by_key *b, int count, int begin, int order) {
    struct pstmt *key = loop_of(b, "key", plan_number(b->x.uc, 0), keys(b));
    struct pstmt *row = loop_of(b, b->row->var->name, b->row->lo, b->row->hi);
    struct pval *first = element(b, begin, read(b, key->var));
    struct pval *own = element(b, count, read(b, key->var));
    struct pstmt *turn = loop_of(b, "turn", first, value_op(b->l, OP_ADD, DT_INT64, first, own));
    turn->usual = iterations_of_key(b);
    struct variable *k = variable_new(b->l, b->loop->var->name, DT_INT64);
    struct pstmt *put =
        copy_statements(b->x.uc, b->row->body, NULL, b->row->var, read(b, row->var));
    b->l->end = &turn->body;
    emit_set(b->l, k, element(b, order, read(b, turn->var)), b->row->at);
    turn->body->next = put = of_iteration(b, put, read(b, &k->pvar));
    while (put->kind != PS_PUT)
        put = put->next;
    struct pval *place = element(b, put->operand, read(b, b->axis == 0 ? key->var : row->var));
    place->args[place->nargs++] = read(b, b->axis == 0 ? row->var : key->var);
    place->dtype = put->place->dtype;
    for (struct pstmt *s = turn->body; s != NULL; s = s->next)
        replace_elements(s->value, place->operand, place);
    put->place = place;
    row->body = keep_element(b, turn, put);
    key->body = row;
    return key;
}

static struct pstmt *sorted(struct by_key *b) {
    struct pstmt *list = NULL, **end = &list;
    const struct pstmt *key = loop_of(b, "key", plan_number(b->x.uc, 0), keys(b));
    int count = array_of(b, key), begin = array_of(b, key), rank = array_of(b, b->loop),
        order = array_of(b, b->loop);
    struct pstmt *zero = loop_of(b, "key", plan_number(b->x.uc, 0), keys(b));
    zero->body = put_of(b, element(b, count, read(b, zero->var)), plan_number(b->x.uc, 0));
    add(&end, spread_of(&b->x, zero));
    add(&end, count_keys(b, count, rank));
    add(&end, find_begins(b, count, begin));
    add(&end, order_iterations(b, begin, rank, order));
    add(&end, update_elements(b, count, begin, order));
    return list;
}

/* ---- the body */

/* Makes rows of a row that stores elements of several arrays, one each, which set its variables for
 * themselves, so that nothing else may have these. */
static void split_row(struct by_key *b, struct pstmt *row) {
    struct pstmt *first = row->body, *s = first, *next = row->next;
    const int *here = count_mentions(b->x.uc, b->l->plan, first);
    const int *mentions = count_mentions(b->x.uc, b->l->plan, b->l->plan->body);
    int n = 0;
    for (; s != NULL && (s->kind == PS_SET || s->kind == PS_PUT); s = s->next) {
        const int *all = count_elements(b->x.uc, b->l->plan, first);
        struct pstmt *own = copy_statements(b->x.uc, s, s->next, NULL, NULL);
        n += s->kind == PS_PUT;
        if (s->kind == PS_SET && here[s->var->id] != mentions[s->var->id])
            return;
        if (s->kind == PS_PUT &&
            all[s->operand] != count_elements(b->x.uc, b->l->plan, own)[s->operand])
            return;
    }
    if (row->kind != PS_FOR || s != NULL || n < 2)
        return;
    for (s = first; s != NULL; s = s->next) {
        struct pstmt *list = NULL, **end = &list, *own = row;
        if (s->kind != PS_PUT)
            continue;
        for (const struct pstmt *set = first; set != s->next; set = set->next)
            if (set->kind == PS_SET || set == s) {
                *end = copy_statements(b->x.uc, set, set->next, NULL, NULL);
                end = &(*end)->next;
            }
        if (row->body != first) {
            row->next = own = NEW(b->x.uc, struct pstmt);
            *own = *row;
            own->var = plan_variable(b->x.uc, b->l->plan, row->var->name, row->var->dtype);
            list = copy_statements(b->x.uc, list, NULL, row->var, read(b, own->var));
            row = own;
        }
        row->body = with_own_sets(b, list);
        row->next = next;
    }
}

/* Finds a row of the loop that is updated by a key. */
static struct pstmt **find_row(struct by_key *b, struct pstmt *loop) {
    struct lower *l = b->l;
    struct pstmt **row = &loop->body;
    b->x.mentions = count_mentions(l->uc, l->plan, l->plan->body);
    b->written = find_written(l->uc, l->plan, loop->body);
    for (; *row != NULL; row = &(*row)->next) {
        b->row = *row;
        b->nsets = b->nkept = 0;
        find_sets(b);
        if (is_row(b))
            break;
    }
    return row;
}

/* Does the loop, but for the row, set variables alone that nothing behind it reads? */
static bool has_row_alone(const struct by_key *b) {
    const int *inside = count_mentions(b->x.uc, b->l->plan, b->loop->body);
    const struct pstmt *s = b->loop->body;
    while (s != NULL &&
           (s == b->row || (s->kind == PS_SET && inside[s->var->id] == b->x.mentions[s->var->id])))
        s = s->next;
    return s == NULL;
}

/* ---- other statements of the loop */

struct update {
    const struct by_key *b;
    const struct pstmt *put;
};

/* Stops at what is neither free nor the element that is updated. */
static enum walk find_foreign(const struct pval *v, void *update) {
    const struct update *u = update;
    if (v->kind == PV_ELEM && v->operand == u->put->operand)
        return same_value(v, u->put->place) ? WALK_PAST : WALK_STOP;
    return find_other(v, (void *)(uintptr_t)u->b);
}

/* Are variables that any iteration may set for itself the same at a statement and at the row? */
static bool has_same_sets(const struct by_key *b, const struct pstmt *put) {
    bool between = false;
    for (const struct pstmt *s = b->loop->body; s != NULL; s = s->next) {
        between = between != (s == put || s == b->row);
        for (int i = 0; between && s != put && s != b->row && i < b->nsets; i++) {
            struct counting c = {.var = b->set[i]->var};
            stmt_walk(s, &(struct plan_visitor){.stmt = count_sets}, &c);
            if (c.n > 0)
                return false;
        }
    }
    return true;
}

/* Does a statement of the loop update an array that nothing else there has, by what is free? */
static bool is_apart(const struct by_key *b, const struct pstmt *s) {
    if (s->kind != PS_PUT || s->merged || s->place->checked != 0 || !has_same_sets(b, s))
        return false;
    const struct pstmt *alone = copy_statements(b->x.uc, s, s->next, NULL, NULL);
    for (int i = 0; i < s->place->nargs; i++)
        if (!is_free(b, s->place->args[i]))
            return false;
    struct update u = {b, s};
    return value_walk(s->value, find_foreign, &u) &&
           count_elements(b->x.uc, b->l->plan, b->loop->body)[s->operand] ==
               count_elements(b->x.uc, b->l->plan, alone)[s->operand];
}

/* Takes statements that use what iterations keep, as a count of each key, off the loop: they become
 * loops of their own, whose iterations may be shared where the loop's are not. */
static struct pstmt *take_apart(const struct by_key *b, struct pstmt *loop) {
    struct pstmt *list = NULL, **end = &list;
    for (struct pstmt **at = &loop->body; *at != NULL && b->nkept > 0;) {
        struct pstmt *s = *at;
        if (!is_apart(b, s)) {
            at = &s->next;
            continue;
        }
        struct pstmt *own = loop_of(b, b->loop->var->name, b->loop->lo, b->loop->hi);
        own->body =
            of_iteration(b, copy_statements(b->x.uc, s, s->next, NULL, NULL), read(b, own->var));
        *at = s->next;
        add(&end, own);
    }
    return list;
}

/* Puts what takes the row's place behind the loop, or there if it has nothing else. */
static void replace_row(struct by_key *b, struct pstmt **at) {
    bool alone = b->nkept == 0 && has_row_alone(b);
    struct pstmt *kept = keep_found(b), *loop = *at, **row = &loop->body;
    struct pstmt *list = NULL, **end = &list;
    add(&end, take_apart(b, loop));
    add(&end, sorted(b));
    add(&end, loop->next);
    end = &kept;
    add(&end, kept);
    while (*row != b->row)
        row = &(*row)->next;
    *end = (*row)->next;
    *row = kept;
    if (alone)
        *at = list;
    else
        loop->next = list;
}

/* Whether a loop has such a row; then it is replaced, if there may be arrays. */
static bool sort_loop(struct lower *l, struct overload *o, struct pstmt **at) {
    struct pstmt *loop = *at, *own;
    struct by_key b = {.l = l, .o = o, .x = {.uc = l->uc, .plan = l->plan}};
    struct pvar **vars = variables_end(l);
    int nvars = l->plan->nvars;
    if (loop->kind != PS_FOR || loop->accs != NULL || !is_whole_dimension(loop) ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_jump}, NULL))
        return false;
    b.loop = own = copy_statements(l->uc, loop, loop->next, NULL, NULL);
    for (struct pstmt *s = own->body; s != NULL; s = s->next)
        split_row(&b, s);
    own->next = loop->next;
    *at = own;
    struct pstmt **row = find_row(&b, own);
    bool found = *row != NULL && l->plan->noperands + ARRAYS + b.nkept <= UFC_MAX_OPERANDS / 2;
    if (found && o != NULL) {
        replace_row(&b, at);
        return true;
    }
    *at = loop;
    *vars = NULL;
    l->vars_end = vars;
    l->plan->nvars = nvars;
    return found;
}

bool has_rows_by_key(struct lower *l) {
    struct pstmt **at = &l->plan->body->body;
    while (*at != NULL && !sort_loop(l, NULL, at))
        at = &(*at)->next;
    return *at != NULL;
}

bool sort_by_keys(struct lower *l, struct overload *o) {
    bool any = false;
    for (struct pstmt **at = &l->plan->body->body; *at != NULL;)
        if (sort_loop(l, o, at))
            any = true; /* the loop may have another one */
        else
            at = &(*at)->next;
    return any;
}
