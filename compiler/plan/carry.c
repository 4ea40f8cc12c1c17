/* carry.c: what an iteration of an ordered loop stores, and the next one reads, is carried in
 * a variable.  A thread that runs the loop alone then loads elements that wait for no store.
 *
 * What the first iteration needs is loaded: at points under a condition in the loop, else in front
 * of it.  The loop then only stores to the array, so that its elements may be staged as a row. */
#include "plan.h"

struct carrying {
    struct uc *uc;
    struct plan *plan;
    const struct pstmt *loop, *put; /* put: in the loop's body, at each iteration */
    int axis;                       /* the subscript that grows with the loop */
    const bool *written;            /* find_written of the body */
    const struct pval *skipped;     /* a place that is stored to */
    const struct pval *read;        /* of what the iteration before stores; NULL: there is none */
    struct pvar *var;               /* what is to be read instead; NULL: nothing yet */
    struct pstmt **front;           /* the link to the loop, which it may be read before; or NULL */
};

/* v is the index, plus a constant. */
static bool find_offset(const struct pval *v, const struct pvar *index, int64_t *by) {
    *by = 0;
    if (v->kind == PV_VAR && v->var == index)
        return true;
    if (v->kind != PV_OP || (v->op != OP_ADD && v->op != OP_SUB) || v->args[1]->kind != PV_CONST ||
        !find_offset(v->args[0], index, by))
        return false;
    *by += v->op == OP_ADD ? (int64_t)v->args[1]->i : -(int64_t)v->args[1]->i;
    return true;
}

static enum walk find_change(const struct pval *v, void *arg) {
    const struct carrying *c = arg;
    bool changes = v->kind == PV_ELEM ||
                   (v->kind == PV_VAR && (v->var == c->loop->var || c->written[v->var->id]));
    return changes ? WALK_STOP : WALK_IN;
}

static bool stays(const struct carrying *c, const struct pval *v) {
    return value_walk(v, find_change, (void *)c);
}

/* Finds the only subscript that grows with the loop; the others stay. */
static bool find_axis(struct carrying *c) {
    const struct pval *place = c->put->place;
    int64_t by;
    int n = 0;
    for (int i = 0; i < place->nargs; i++) {
        bool grows = find_offset(place->args[i], c->loop->var, &by);
        n += grows;
        c->axis = grows ? i : c->axis;
        if (!grows && !stays(c, place->args[i]))
            return false;
    }
    return n == 1;
}

/* How many iterations ago the element at v was, or will be, stored.  False: it is not known. */
static bool find_age(const struct carrying *c, const struct pval *v, int64_t *age) {
    const struct pval *place = c->put->place;
    int64_t own, other;
    for (int i = 0; i < place->nargs; i++)
        if (i != c->axis && !same_value(place->args[i], v->args[i]))
            return false;
    if (!find_offset(place->args[c->axis], c->loop->var, &own) ||
        !find_offset(v->args[c->axis], c->loop->var, &other))
        return false;
    *age = (own - other) * (int64_t)c->loop->step->i;
    return true;
}

static enum walk visit_read(const struct pval *v, void *arg) {
    struct carrying *c = arg;
    int64_t age;
    const struct pval *read = element_read(v);
    if (read == NULL || read == c->skipped || read->operand != c->put->operand)
        return WALK_IN;
    if (read->checked != 0 || !find_age(c, read, &age) || age < 0 || age > 1)
        return WALK_STOP;
    if (age == 1 && c->var == NULL)
        c->read = read;
    if (age == 1 && c->var != NULL)
        replace_read(c->uc, (struct pval *)(void *)v, c->var);
    return WALK_IN;
}

static enum walk visit_statement(const struct pstmt *s, void *arg) {
    struct carrying *c = arg;
    bool straight = s->kind == PS_SET || s->kind == PS_IF || s->kind == PS_PUT;
    c->skipped = s->place;
    return straight && !s->merged &&
                   (s->kind != PS_PUT || s == c->put || s->operand != c->put->operand)
               ? WALK_IN
               : WALK_STOP;
}

/* Whether each iteration stores what the next one reads, and no other statement stores there. */
static bool carries(struct carrying *c) {
    const struct plan_visitor visitor = {.stmt = visit_statement, .value = visit_read};
    bool sure = false;
    if (c->put->merged || c->put->operand >= c->plan->noperands ||
        c->put->value->dtype != c->put->place->dtype || !find_axis(c))
        return false;
    for (const struct pstmt *s = c->loop->body; s != NULL; s = s->next) {
        c->read = NULL;
        if (!stmt_walk(s, &visitor, c))
            return false;
        sure = sure || (s->kind != PS_IF && c->read != NULL);
    }
    return sure;
}

/* Has the first iteration read what is in memory. */
static void begin(const struct carrying *c, struct pstmt *loop, struct pval *read) {
    struct pstmt *test = NEW(c->uc, struct pstmt);
    *test = (struct pstmt){.kind = PS_IF, .at = loop->at};
    set_kept(c->uc, c->plan, c->var, read, &test->body, loop->body->at);
    if (c->front == NULL) {
        struct pval *index = plan_read(c->uc, loop->var);
        test->value = plan_operation(c->uc, OP_EQ, DT_BOOL, index, loop->lo);
        test->next = loop->body;
        loop->body = test;
        return;
    }
    enum op before = (int64_t)loop->step->i < 0 ? OP_GT : OP_LT;
    test->value = plan_operation(c->uc, before, DT_BOOL, loop->lo, loop->hi);
    int64_t by;
    find_offset(read->args[c->axis], loop->var, &by);
    read->args[c->axis] = plan_operation(c->uc, OP_ADD, DT_INT64, loop->lo, plan_number(c->uc, by));
    test->next = loop;
    *c->front = test;
}

/* Visits what the statements from s up to `end` read: finds c->read, or has them read c->var. */
static void visit_reads(struct carrying *c, const struct pstmt *s, const struct pstmt *end) {
    const struct plan_visitor visitor = {.stmt = visit_statement, .value = visit_read};
    for (; s != end; s = s->next)
        stmt_walk(s, &visitor, c);
}

/* Statements behind the one that stores read what the variable was before. */
static void carry(struct pstmt *loop, struct carrying *c) {
    struct pval *read = NEW(c->uc, struct pval);
    enum ufc_dtype d = c->put->value->dtype;
    const char *name = c->plan->operands[c->put->operand].name;
    const struct pstmt *behind = c->put->next;
    struct pvar *var = kept_new(c->uc, c->plan, name, d), *before = NULL;
    c->read = NULL;
    visit_reads(c, behind, NULL);
    if (c->read != NULL)
        before = kept_new(c->uc, c->plan, name, d);
    visit_reads(c, loop->body, behind);
    *read = *c->read;
    c->var = var;
    visit_reads(c, loop->body, behind);
    c->var = before;
    visit_reads(c, before != NULL ? behind : NULL, NULL);
    struct pstmt **at = &loop->body;
    while (*at != c->put)
        at = &(*at)->next;
    struct pstmt *put = *at;
    set_kept(c->uc, c->plan, var, put->value, at, put->at);
    put->value = read_kept(c->uc, var, d);
    if (before != NULL)
        set_kept(c->uc, c->plan, before, read_kept(c->uc, var, d), at, put->at);
    c->var = var;
    begin(c, loop, read);
}

enum { CARRY_STATEMENTS = 32 }; /* of a loop, at most: each that stores is compared with all */

/* front: as in struct carrying. */
static void carry_in(struct uc *uc, struct plan *p, struct pstmt *loop, struct pstmt **front) {
    int n = 0;
    for (const struct pstmt *s = loop->body; s != NULL; s = s->next)
        n++;
    for (const struct pstmt *s = loop->body; s != NULL && n <= CARRY_STATEMENTS; s = s->next) {
        struct carrying c = {
            .uc = uc, .plan = p, .loop = loop, .put = s, .axis = -1, .front = front};
        if (s->kind != PS_PUT || (front != NULL && s->place->nargs > 1))
            continue;
        c.written = find_written(uc, p, loop->body);
        if (c.written[loop->var->id] || !stays(&c, loop->lo) || !carries(&c))
            continue;
        carry(loop, &c);
        while (front != NULL && *front != loop)
            front = &(*front)->next;
    }
}

struct carrier {
    struct uc *uc;
    struct plan *plan;
};

static bool may_carry(const struct pstmt *s) {
    return s->kind == PS_FOR && s->step->kind == PV_CONST &&
           (s->step->i == 1 || (int64_t)s->step->i == -1) && s->accs == NULL && s->shared == NULL &&
           !s->merged;
}

static enum walk find_loops(const struct pstmt *s, void *arg) {
    const struct carrier *x = arg;
    if (may_carry(s))
        carry_in(x->uc, x->plan, (struct pstmt *)(void *)s, NULL);
    return WALK_IN;
}

static enum walk find_points(const struct pstmt *s, void *carrier) {
    if (s->kind != PS_SPREAD || s->accs != NULL || s->merged)
        return WALK_IN;
    plan_walk(s->body, &(struct plan_visitor){.stmt = find_loops}, carrier);
    return WALK_PAST;
}

/* Of the loops of a call that are no phases, those of the body itself alone that the first thread
 * runs for the others (first.c). */
void carry_elements(struct uc *uc, struct plan *p) {
    struct carrier x = {uc, p};
    plan_walk(p->body, &(struct plan_visitor){.stmt = find_points}, &x);
    for (struct pstmt **at = &p->body->body; *at != NULL && !p->map.in_phases; at = &(*at)->next) {
        struct pstmt *loop = *at;
        if (may_carry(loop) && loop->series == NULL && loop->deal == NULL)
            carry_in(uc, p, loop, at);
        while (*at != loop)
            at = &(*at)->next;
    }
}
