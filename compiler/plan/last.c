/* last.c: ordered loops whose iterations store at places of which nothing tells that they are
 * apart, as
 *
 *     for i in 0..n { y[k[i]] = x[i] }
 *
 * does, where the last iteration that stores to an element has its way.  In a version of the body
 * that has arrays, one of these has for each element the number of that iteration: a maximum, which
 * iterations find in any order.  Then each iteration, in any order, stores to the elements that
 * have its number; or where each stores to one element at most, and to nothing else, each element
 * gets what the iteration of its number stores.
 *
 * Where a value decides which iteration an element is of (winner.c), a further array has the
 * greatest one's key, which comes before the number: that of the first iteration, or the last one,
 * that has this key.  As each pass computes keys and places anew, sums of floats may not decide. */
#include "apart.h"
#include "radix.h"
#include "total.h"

enum { MAX_LAST = 4 }; /* arrays that a loop so stores to, or that are made for it */

/* A statement of a loop that has a winner, and the array of keys beside that of numbers. */
struct contest {
    struct winner of;
    int keys;
};

struct last {
    struct lower *l;
    struct overload *o; /* NULL: it is only asked whether there is such a loop */
    struct sharer x;
    const struct pstmt *loop;
    uint32_t contested; /* operands, a bit each */
    uint32_t stored;    /* all that the loop stores to */
    struct contest contest[MAX_LAST];
    int ncontests;
    int array[UFC_MAX_OPERANDS]; /* by operand: that of numbers */
    /* The loops in one another whose indices make an iteration's number. */
    const struct pstmt *nest[MAX_CORE_RANK];
    int depth, puts;
    struct pvar *clashes; /* clash.c: where it is 0, iterations store to no element of others; or
                             NULL */
};

/* ---- whether a loop is one */

static enum walk note_stored(const struct pstmt *s, void *stored) {
    if (s->kind == PS_PUT)
        *(uint32_t *)stored |= UINT32_C(1) << s->operand;
    return WALK_IN;
}

struct accesses {
    uint32_t operands; /* a bit each */
    int n;
};

static enum walk count_access(const struct pval *v, void *accesses) {
    struct accesses *a = accesses;
    a->n += v->kind == PV_ELEM && (a->operands >> v->operand & 1) != 0;
    return WALK_IN;
}

static int count_accesses(const struct pstmt *list, uint32_t operands) {
    struct accesses a = {operands, 0};
    plan_walk(list, &(struct plan_visitor){.value = count_access}, &a);
    return a.n;
}

/* The contest of a statement, or of a copy of it; NULL: it is none. */
static const struct contest *contest_of(const struct last *d, const struct pstmt *s) {
    struct winner w;
    if (d->ncontests == 0 || !find_winner(d->l->uc, d->l->plan, s, d->stored, &w))
        return NULL;
    for (int i = 0; i < d->ncontests; i++)
        if (d->contest[i].of.stored == w.stored)
            return &d->contest[i];
    return NULL;
}

/* Adds a statement that has a winner, where the loop accesses what it stores in it alone. */
static enum walk add_contest(const struct pstmt *s, void *arg) {
    struct last *d = arg;
    struct winner w;
    if (!find_winner(d->l->uc, d->l->plan, s, d->stored, &w))
        return WALK_IN;
    struct pstmt own = *s;
    own.next = NULL;
    if (d->ncontests < MAX_LAST &&
        count_accesses(&own, w.stored) == count_accesses(d->loop->body, w.stored))
        d->contest[d->ncontests++].of = w;
    return WALK_PAST;
}

/* The operands of contests, or of one. */
static uint32_t contest_operands(const struct last *d) {
    uint32_t all = 0;
    for (int i = 0; i < d->ncontests; i++)
        all |= d->contest[i].of.stored;
    return all;
}

/* Leaves out contests over elements that iterations have to themselves, and has others be over all
 * that they store to. */
static void keep_contests(struct last *d) {
    int n = 0;
    for (int i = 0; i < d->ncontests; i++)
        if ((d->contest[i].of.stored & d->contested) != 0) {
            d->contested |= d->contest[i].of.stored;
            d->contest[n++] = d->contest[i];
        }
    d->ncontests = n;
}

/* The operands by which iterations clash with nothing but stores, or statements that have winners;
 * 0: none, or they do by others. */
static uint32_t find_contested(const struct last *d, const struct pstmt *loop) {
    const struct candidate *c = find_candidate(&d->x, loop);
    uint32_t contested = 0, contests = contest_operands(d);
    for (int i = 0; c != NULL && i < c->nplaces; i++)
        for (int k = 0; k < c->nplaces; k++) {
            int operand = c->place[i]->operand;
            bool contest = contests >> operand & 1;
            if (!may_clash(c, i, k) ||
                (!contest && c->merged[i] >= 0 && c->merged[i] == c->merged[k]))
                continue;
            if (!contest && (!c->stored[k] || c->merged[i] >= 0 || c->merged[k] >= 0))
                return 0;
            contested |= UINT32_C(1) << operand;
        }
    return contested;
}

static bool is_contested(const struct last *d, const struct pstmt *s) {
    return s->kind == PS_PUT && (d->contested >> s->operand & 1) != 0;
}

static enum walk count_contested(const struct pstmt *s, void *arg) {
    struct last *d = arg;
    d->puts += is_contested(d, s);
    return WALK_IN;
}

/* How often a list stores to contested elements. */
static int count_puts(struct last *d, const struct pstmt *list) {
    d->puts = 0;
    plan_walk(list, &(struct plan_visitor){.stmt = count_contested}, d);
    return d->puts;
}

static int count_own(struct last *d, const struct pstmt *s) {
    return is_contested(d, s) + count_puts(d, s->body) + count_puts(d, s->other);
}

/* Whether all iterations of the loops around have as many of s, one by one from the first. */
static bool is_counted(const struct pstmt *s) {
    return s->lo->kind == PV_CONST && s->lo->i == 0 && s->step->kind == PV_CONST &&
           s->step->i == 1 && (s->hi->kind == PV_CONST || s->hi->kind == PV_DIM);
}

static bool number_list(struct last *d, const struct enclosing *around, struct pstmt *list,
                        bool alone);

/* A statement with such stores.  alone: all that the loop has are in it. */
static bool number_stmt(struct last *d, const struct enclosing *around, struct pstmt *s,
                        bool alone) {
    struct sharer x = d->x;
    struct enclosing own = {s, around};
    x.around = around;
    switch (s->kind) {
    case PS_PUT: return true;
    case PS_IF:
        return number_list(d, around, s->body, alone && count_puts(d, s->other) == 0) &&
               number_list(d, around, s->other, alone && count_puts(d, s->body) == 0);
    case PS_SPREAD: return !has_loop(s->body);
    case PS_FOR:
        if (!is_independent(&x, s)) {
            if (!alone || !is_counted(s) || d->depth == MAX_CORE_RANK)
                return false;
            d->nest[d->depth++] = s;
        }
        return number_list(d, &own, s->body, alone);
    default: return false;
    }
}

/* Finds the loops whose indices tell iterations apart that store to the same element: the outermost
 * one, and those in it whose own iterations do. */
static bool number_list(struct last *d, const struct enclosing *around, struct pstmt *list,
                        bool alone) {
    int parts = 0;
    for (const struct pstmt *s = list; s != NULL; s = s->next)
        parts += count_own(d, s) > 0;
    for (struct pstmt *s = list; s != NULL; s = s->next)
        if (count_own(d, s) > 0 && !number_stmt(d, around, s, alone && parts == 1))
            return false;
    return true;
}

static enum walk find_stored(const struct pval *v, void *stored) {
    bool is = v->kind == PV_ELEM && (*(uint32_t *)stored >> v->operand & 1) != 0;
    return is ? WALK_STOP : WALK_IN;
}

struct reader {
    const struct last *d;
    uint32_t stored;
};

static enum walk find_reading(const struct pstmt *s, void *arg) {
    struct reader *r = arg;
    bool reads = s->kind != PS_PUT && contest_of(r->d, s) == NULL &&
                 !stmt_values(s, find_stored, &r->stored);
    for (int i = 0; is_contested(r->d, s) && i < s->place->nargs; i++)
        reads = reads || !value_walk(s->place->args[i], find_stored, &r->stored);
    return reads ? WALK_STOP : WALK_IN;
}

/* Whether what decides where contested elements are stored reads something that the loop stores,
 * which is not there yet as the numbers are found. */
static bool depends_on_stores(const struct last *d, const struct pstmt *loop) {
    struct reader r = {d, d->stored};
    return !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_reading}, &r);
}

/* ---- what passes may find otherwise */

struct marked {
    bool *vars;
    bool fast; /* --fast-math: what floats are computed by hangs on what else there is */
};

static enum walk find_marked(const struct pval *v, void *arg) {
    const struct marked *marked = arg;
    int id = v->kind == PV_CALL ? (int)v->builtin->id : -1;
    bool chosen = id == B_MIN || id == B_MAX || id == B_FMIN || id == B_FMAX;
    bool computed = v->kind == PV_OP || v->kind == PV_FMA || (id >= 0 && !chosen);
    bool is = v->kind == PV_VAR ? marked->vars[v->var->id]
                                : marked->fast && computed && is_float(v->dtype);
    return is ? WALK_STOP : WALK_IN;
}

static bool mark(const struct marked *marked, const struct pvar *var) {
    bool changed = !marked->vars[var->id];
    marked->vars[var->id] = true;
    return changed;
}

/* Marks the variables that hang on sums of floats, which each pass may group in its own way.
 * within: what decides whether the list runs does.  Whether there were more. */
static bool mark_sums(const struct pstmt *s, bool within, struct marked *marked) {
    bool changed = false;
    for (; s != NULL; s = s->next) {
        bool hangs = within || !stmt_values(s, find_marked, marked);
        if (s->kind == PS_LOOP || s->kind == PS_BLOCK) /* which may be left */
            hangs =
                hangs || !plan_walk(s->body, &(struct plan_visitor){.value = find_marked}, marked);
        if (hangs && s->var != NULL)
            changed |= mark(marked, s->var);
        for (const struct prange *r = s->ranges; r != NULL; r = r->next)
            if (!value_walk(r->lo, find_marked, marked) ||
                !value_walk(r->hi, find_marked, marked)) {
                hangs = true;
                changed |= mark(marked, r->var);
            }
        for (const struct pacc *a = s->accs; a != NULL; a = a->next)
            if (hangs || (is_float(a->acc->dtype) && !s->chooses))
                changed |= mark(marked, a->acc);
        changed |= mark_sums(s->body, hangs, marked);
        changed |= mark_sums(s->other, hangs, marked);
    }
    return changed;
}

/* Whether something marked decides where a list stores contested elements, or which wins. */
static bool hangs_on(struct last *d, const struct pstmt *s, struct marked *marked) {
    bool hangs = false;
    for (; s != NULL && !hangs; s = s->next) {
        if (contest_of(d, s) != NULL) {
            hangs = !stmt_values(s, find_marked, marked);
        } else if (is_contested(d, s)) {
            hangs = !value_walk(s->place, find_marked, marked);
        } else if (count_own(d, s) > 0) {
            for (const struct prange *r = s->ranges; r != NULL; r = r->next)
                hangs = hangs || marked->vars[r->var->id];
            hangs = hangs || !stmt_values(s, find_marked, marked) || hangs_on(d, s->body, marked) ||
                    hangs_on(d, s->other, marked);
        }
    }
    return hangs;
}

static bool depends_on_sums(struct last *d, const struct pstmt *loop) {
    struct uc *uc = d->l->uc;
    struct marked marked = {NEWN(uc, bool, d->l->plan->nvars + 1), uc->options->fast_math};
    while (mark_sums(loop->body, false, &marked))
        ;
    return hangs_on(d, loop->body, &marked);
}

static bool has_size(const struct poperand *array) {
    for (int i = 0; i < array->rank; i++)
        if (array->dims[i]->size < 0 && array->dims[i]->index < 0)
            return false;
    return array->rank > 0;
}

static bool is_last_loop(struct last *d) {
    const struct plan *p = d->l->plan;
    const struct pstmt *loop = d->loop;
    struct enclosing own = {loop, NULL};
    int arrays = 0;
    if (loop->kind != PS_FOR || loop->accs != NULL || loop->step->kind != PV_CONST ||
        loop->step->i == 0 ||
        !plan_walk(loop->body, &(struct plan_visitor){.stmt = find_jump}, NULL))
        return false;
    d->x.mentions = count_mentions(d->l->uc, p, p->body);
    d->stored = 0;
    plan_walk(loop->body, &(struct plan_visitor){.stmt = note_stored}, &d->stored);
    plan_walk(loop->body, &(struct plan_visitor){.stmt = add_contest}, d);
    d->contested = find_contested(d, loop);
    keep_contests(d);
    if (d->contested != 0 && (depends_on_stores(d, loop) || depends_on_sums(d, loop)))
        return false;
    for (int i = 0; i < d->ncontests; i++)
        arrays += 1 + (d->contest[i].of.value != NULL);
    for (int k = 0; k < p->noperands; k++) {
        arrays += (d->contested & ~contest_operands(d)) >> k & 1;
        if ((d->contested >> k & 1) != 0 && !has_size(&p->operands[k]))
            return false;
    }
    d->nest[d->depth++] = loop;
    return arrays > 0 && arrays <= MAX_LAST && p->noperands + arrays <= UFC_MAX_OPERANDS / 2 &&
           number_list(d, &own, loop->body, true);
}

/* ---- what it becomes */

static struct pval *number_value(struct last *d, int64_t n) {
    struct pval *v = value_new(d->l, PV_CONST, DT_INT64);
    v->i = (uint64_t)n;
    return v;
}

/* The number of an iteration, which is greater in later ones; first: in earlier ones. */
static struct pval *number_of(struct last *d, const struct copy *c, bool first) {
    struct pval *v = NULL;
    for (int i = 0; i < d->depth; i++) {
        const struct pstmt *loop = d->nest[i];
        struct pval *index = value_new(d->l, PV_VAR, DT_INT64);
        index->var = loop->var;
        index = copy_renamed(c, index);
        if ((int64_t)loop->step->i < 0)
            index = value_op(d->l, OP_SUB, DT_INT64, number_value(d, 0), index);
        v = v == NULL
                ? index
                : value_op(d->l, OP_ADD, DT_INT64,
                           value_op(d->l, OP_MUL, DT_INT64, v, copy_renamed(c, loop->hi)), index);
    }
    return first ? value_op(d->l, OP_SUB, DT_INT64, number_value(d, 0), v) : v;
}

/* A copy whose variables are those that it is made with, until it has its own. */
static struct copy copy_of_none(const struct last *d) {
    return (struct copy){.l = d->l, .vars = NEWN(d->l->uc, struct pvar *, d->l->plan->nvars + 1)};
}

/* The element of an array that is beside a place. */
static struct pval *element_beside(struct last *d, int array, const struct pval *place) {
    const struct copy same = copy_of_none(d);
    struct pval *v = copy_renamed(&same, place);
    v->operand = array;
    v->dtype = d->l->plan->operands[array].dtype;
    return v;
}

/* That of the array of numbers. */
static struct pval *number_beside(struct last *d, const struct pval *place) {
    return element_beside(d, d->array[place->operand], place);
}

/* Adds an array beside an operand, and the definition of all as less than any; *k: becomes its
 * operand. */
static struct pstmt *add_beside(struct last *d, int operand, enum ufc_dtype dtype, int *k) {
    struct lower *l = d->l;
    struct pstmt *s = spread_over(d->l, operand, d->loop->at), **end = l->end;
    *k = add_array_like(l, d->o, operand, dtype);
    l->end = &s->body;
    emit_put(l, array_element(l, *k, s->ranges), neutral_of(l, OP_COUNT + B_MAX, dtype), s->at);
    l->end = end;
    add_serial_loop(l->uc, s);
    return s;
}

/* Emits that the element of an array beside a place becomes v where that is greater. */
static void emit_most(struct last *d, int array, const struct pval *place, struct pval *v) {
    struct pval *arg[2] = {element_beside(d, array, place), v};
    emit_put(d->l, element_beside(d, array, place), value_call(d->l, B_MAX, v->dtype, 2, arg),
             d->loop->at);
}

/* Has the statements emitted from here on go to a list. */
static struct pstmt **emit_to(struct last *d, struct pstmt **list) {
    struct pstmt **outer = d->l->end;
    *list = NULL;
    d->l->end = list;
    return outer;
}

/* What a pass over the iterations finds: the keys, or then the numbers; c: its copies. */
struct pass {
    const struct copy *c;
    bool keys;
};

/* What a pass has for a statement that stores to contested elements; NULL: nothing. */
static struct pstmt *find_in_pass(struct last *d, const struct pass *pass, const struct pstmt *s) {
    struct lower *l = d->l;
    const struct contest *of = contest_of(d, s);
    struct pstmt *list, **outer = emit_to(d, &list);
    struct winner w;
    if (of != NULL)
        find_winner(l->uc, l->plan, s, d->stored, &w);
    const struct pval *place = of != NULL ? w.bin : s->place;
    int numbers = d->array[place->operand];
    struct pval *key =
        of != NULL && w.value != NULL ? emit_key(l, &w, (struct pval *)w.value, d->loop->at) : NULL;
    if (!pass->keys && key != NULL) {
        struct pstmt *same = stmt_emit(l, PS_IF, d->loop->at);
        same->value = value_op(l, OP_EQ, DT_BOOL, key, element_beside(d, of->keys, place));
        l->end = &same->body;
    }
    if (pass->keys && key != NULL)
        emit_most(d, of->keys, place, key);
    else if (!pass->keys)
        emit_most(d, numbers, place, number_of(d, pass->c, of != NULL && w.first));
    d->l->end = outer;
    return list;
}

/* Has a list, which is a copy, do what a pass does and store nothing else. */
static void make_pass(struct last *d, const struct pass *pass, struct pstmt **at) {
    while (*at != NULL) {
        struct pstmt *s = *at, *next = s->next;
        if (is_contested(d, s) || contest_of(d, s) != NULL) {
            *at = find_in_pass(d, pass, s);
            while (*at != NULL)
                at = &(*at)->next;
            *at = next;
            continue;
        }
        make_pass(d, pass, &s->body);
        make_pass(d, pass, &s->other);
        bool empty = s->kind == PS_SPREAD && s->accs == NULL && !has_store(s->body);
        if (s->kind == PS_PUT || empty)
            *at = next;
        else
            at = &s->next;
    }
}

static struct pstmt *pass_of(struct last *d, bool keys) {
    const struct copy own = copy_of_none(d);
    const struct pass pass = {&own, keys};
    struct pstmt *loop = copy_stmt(&own, d->loop);
    make_pass(d, &pass, &loop->body);
    return loop;
}

/* Marks what a list stores to contested elements as no other iteration's. */
static void mark_sole(const struct last *d, struct pstmt *s) {
    for (; s != NULL; s = s->next) {
        s->sole = s->sole || is_contested(d, s);
        mark_sole(d, s->body);
    }
}

/* Has a list store where its iteration is the one whose number is there. */
static void store_last(struct last *d, struct pstmt **at) {
    const struct copy same = copy_of_none(d);
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *s = *at;
        const struct contest *of = contest_of(d, s);
        if (!is_contested(d, s) && of == NULL) {
            store_last(d, &s->body);
            store_last(d, &s->other);
            continue;
        }
        struct pval *own =
            value_op(d->l, OP_EQ, DT_BOOL, number_beside(d, of != NULL ? of->of.bin : s->place),
                     number_of(d, &same, of != NULL && of->of.first));
        struct pstmt *next = s->next, **outer = emit_to(d, at);
        if (d->clashes != NULL)
            own = emit_unless_apart(d->l, d->clashes, own, s->at);
        struct pstmt *when = stmt_emit(d->l, PS_IF, s->at);
        when->value = own;
        when->body = s;
        s->next = NULL;
        mark_sole(d, s);
        while (*at != when)
            at = &(*at)->next;
        when->next = next;
        d->l->end = outer;
    }
}

/* ---- elements that get what their iterations store */

/* How many contested stores, or contests, a list reaches by conditions alone; 2: or by a loop. */
static int count_single(struct last *d, const struct pstmt *s) {
    int n = 0;
    for (; s != NULL; s = s->next)
        if (is_contested(d, s) || contest_of(d, s) != NULL)
            n++;
        else if (count_own(d, s) > 0)
            n += s->kind == PS_IF ? count_single(d, s->body) + count_single(d, s->other) : 2;
    return n;
}

/* Does an iteration store to one element at most, or to those of several arrays at one place? */
static bool stores_single(struct last *d) {
    bool one = d->ncontests == 1 || (d->contested & (d->contested - 1)) == 0;
    return one && d->depth == 1 && d->stored == d->contested && count_single(d, d->loop->body) == 1;
}

/* Has a value, which is a copy, access contested elements at the index of ranges. */
static void move_value(const struct last *d, struct pval *v, const struct prange *ranges) {
    for (int i = 0; v != NULL && i < v->nargs; i++)
        move_value(d, v->args[i], ranges);
    if (v != NULL && v->kind == PV_ELEM && (d->contested >> v->operand & 1) != 0) {
        const struct pval *own = array_element(d->l, v->operand, ranges);
        memcpy(v->args, own->args, sizeof v->args);
    }
}

/* The same of a list, which becomes a definition's. */
static void move_list(const struct last *d, struct pstmt *s, const struct prange *ranges) {
    for (; s != NULL; s = s->next) {
        s->outermost = false;
        struct pval **const values[] = PSTMT_VALUES(s);
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
            move_value(d, *values[i], ranges);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            move_list(d, *lists[i], ranges);
    }
}

/* The loop as a definition of the elements that have a number, each by the iteration of that. */
static struct pstmt *store_single(struct last *d) {
    struct lower *l = d->l;
    int operand = 0;
    while ((d->contested >> operand & 1) == 0)
        operand++;
    bool first = d->ncontests == 1 && d->contest[0].of.first;
    bool negative = first != ((int64_t)d->loop->step->i < 0);
    struct pstmt *s = spread_over(d->l, operand, d->loop->at), **outer = emit_to(d, &s->body);
    struct pval *number = array_element(l, d->array[operand], s->ranges);
    struct pstmt *has = stmt_emit(l, PS_IF, d->loop->at);
    has->value = value_op(l, OP_NE, DT_BOOL, number, neutral_of(l, OP_COUNT + B_MAX, DT_INT64));
    l->end = &has->body;
    struct variable *index = variable_new(l, d->loop->var->name, DT_INT64);
    number = array_element(l, d->array[operand], s->ranges);
    if (negative)
        number = value_op(l, OP_SUB, DT_INT64, number_value(d, 0), number);
    emit_set(l, index, number, d->loop->at);
    struct copy own = copy_of_none(d);
    own.vars[d->loop->var->id] = &index->pvar;
    struct pstmt *iteration = copy_stmt(&own, d->loop);
    move_list(d, iteration->body, s->ranges);
    *l->end = iteration->body;
    l->end = outer;
    add_serial_loop(l->uc, s);
    return s;
}

/* ---- the statements of all */

/* Adds the arrays of numbers and of keys; gives their definitions. */
static struct pstmt *add_arrays(struct last *d) {
    struct pstmt *list = NULL, **end = &list;
    uint32_t left = d->contested;
    for (int i = 0; i < d->ncontests; i++) {
        struct contest *of = &d->contest[i];
        int operand = of->of.bin->operand, numbers;
        if (of->of.value != NULL) {
            *end = add_beside(d, operand, winner_key(&of->of), &of->keys);
            end = &(*end)->next;
        }
        *end = add_beside(d, operand, DT_INT64, &numbers);
        end = &(*end)->next;
        left &= ~of->of.stored;
        for (int k = 0; k < UFC_MAX_OPERANDS; k++)
            if ((of->of.stored >> k & 1) != 0)
                d->array[k] = numbers;
    }
    for (int k = 0; k < UFC_MAX_OPERANDS; k++)
        if ((left >> k & 1) != 0) {
            *end = add_beside(d, k, DT_INT64, &d->array[k]);
            end = &(*end)->next;
        }
    return list;
}

static struct pstmt *last_loop(struct lower *l, struct overload *o, struct pstmt *loop) {
    struct last d = {.l = l, .o = o, .x = {.uc = l->uc, .plan = l->plan}, .loop = loop};
    if (!is_last_loop(&d))
        return NULL;
    if (o == NULL)
        return loop;
    bool keys = false;
    for (int i = 0; i < d.ncontests; i++)
        keys = keys || d.contest[i].of.value != NULL;
    struct pstmt *list = add_arrays(&d), **end = &list;
    while (*end != NULL)
        end = &(*end)->next;
    if (keys) {
        *end = pass_of(&d, true);
        end = &(*end)->next;
    }
    *end = pass_of(&d, false);
    /* Loops in one another store to elements several times within a row, too. */
    bool alone = d.ncontests == 0 && d.depth == 1;
    const struct pstmt *row = alone ? row_of_loop(l, loop, d.contested) : NULL;
    if (row != NULL) {
        struct pstmt *count, **outer = emit_to(&d, &count);
        d.clashes = count_clashes(l, loop, row);
        guard_passes(l, d.clashes, list);
        *l->end = list;
        l->end = outer;
        list = count;
    }
    struct pstmt *stores = stores_single(&d) ? store_single(&d) : loop;
    if (stores == loop)
        store_last(&d, &loop->body);
    (*end)->next = stores;
    stores->next = loop->next;
    return list;
}

bool has_last(struct lower *l) {
    struct pstmt **at = &l->plan->body->body;
    while (*at != NULL && (last_loop(l, NULL, *at) == NULL || is_interchanged(l, at)))
        at = &(*at)->next;
    return *at != NULL;
}

/* in_steps: the list is that of a loop. */
static bool store_last_of(struct lower *l, struct overload *o, struct pstmt **at, bool in_steps) {
    bool any = false;
    for (; *at != NULL; at = &(*at)->next) {
        struct pstmt *loop = *at, *behind = loop->next, *list = NULL;
        if (in_steps || !is_interchanged(l, at))
            list = last_loop(l, o, loop);
        *at = list != NULL ? list : loop;
        while ((*at)->next != behind)
            at = &(*at)->next;
        any = any || list != NULL;
        if (list == NULL && !in_steps && l->plan->steps != NULL && loop->kind == PS_FOR)
            any = store_last_of(l, o, &loop->body, true) || any;
    }
    return any;
}

/* Steps that are launched become statements of the body, too. */
bool store_last_ones(struct lower *l, struct overload *o) {
    return store_last_of(l, o, &l->plan->body->body, false);
}
