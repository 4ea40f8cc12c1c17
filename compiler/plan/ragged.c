/* ragged.c: definitions that merge what they store, `h[b[k]] += w[k] for i, k in at[i]..at[i +
 * 1]`: threads may share the iterations of a range that depends on others' indices, however these
 * are shared out; and what chooses among the latter is asked before the former begin.  Reductions
 * over such ranges are shared likewise. */
#include "plan.h"

static enum walk count_put(const struct pstmt *s, void *n) {
    *(int *)n += s->kind == PS_PUT || s->kind == PS_CLEAR;
    return WALK_IN;
}

static int count_puts(const struct pstmt *list) {
    int n = 0;
    plan_walk(list, &(struct plan_visitor){.stmt = count_put}, &n);
    return n;
}

static enum walk find_unmerged(const struct pstmt *s, void *none) {
    (void)none;
    return (s->kind == PS_PUT && !s->merged) || s->kind == PS_CLEAR ? WALK_STOP : WALK_IN;
}

bool merges_only(const struct pstmt *list) {
    return plan_walk(list, &(struct plan_visitor){.stmt = find_unmerged}, NULL);
}

/* The loop of a further range in a list that runs at a point, or in its conditionals. */
static struct pstmt *further_in(struct pstmt *list) {
    struct pstmt *found = NULL;
    for (struct pstmt *s = list; s != NULL && found == NULL; s = s->next)
        found = s->kind == PS_FOR && s->further ? s : s->kind == PS_IF ? further_in(s->body) : NULL;
    return found;
}

struct pstmt *ragged_loop(const struct pstmt *s) {
    struct pstmt *loop =
        s->kind == PS_SPREAD && s->merged && s->accs == NULL ? further_in(s->body) : NULL;
    /* all else that a point does is done by each thread that has a part of it */
    return loop != NULL && merges_only(loop->body) && count_puts(loop->body) == count_puts(s->body)
               ? loop
               : NULL;
}

/* ---- reductions */

static enum walk find_acc_set(const struct pstmt *s, void *accs) {
    const struct pacc *a = accs;
    while (a != NULL && !(s->kind == PS_SET && s->var == a->acc))
        a = a->next;
    return a != NULL ? WALK_STOP : WALK_IN;
}

static bool sets_acc(const struct pstmt *s, const struct pacc *accs) {
    return !stmt_walk(s, &(struct plan_visitor){.stmt = find_acc_set}, (void *)accs);
}

const struct pstmt *shared_further(const struct pstmt *s) {
    const struct pstmt *further = NULL;
    for (const struct pstmt *b = s->accs != NULL && !s->ordered ? s->body : NULL; b != NULL;
         b = b->next) {
        bool is = b->kind == PS_FOR && b->further && further == NULL;
        further = is ? b : further;
        if (!is && sets_acc(b, s->accs))
            return NULL;
    }
    return further;
}

/* ---- what is asked first */

struct asking {
    const struct pstmt *loop;
    const bool *written;
};

static enum walk find_put_to(const struct pstmt *s, void *operand) {
    return s->kind == PS_PUT && s->operand == *(int *)operand ? WALK_STOP : WALK_IN;
}

/* Stops at what may change while the loop runs. */
static enum walk find_changing(const struct pval *v, void *arg) {
    const struct asking *a = arg;
    int operand = v->operand;
    bool changes =
        v->kind == PV_VAR
            ? a->loop->var == v->var || a->written[v->var->id]
            : v->kind == PV_ELEM &&
                  !plan_walk(a->loop->body, &(struct plan_visitor){.stmt = find_put_to}, &operand);
    return changes ? WALK_STOP : WALK_IN;
}

/* Has a loop whose iterations all depend on one conditional be in this.  What that reads exists
 * where the loop has an iteration. */
static void ask_first(struct uc *uc, struct plan *p, struct pstmt *loop) {
    struct pstmt *test = loop->body, *inner;
    struct asking a = {loop, find_written(uc, p, loop->body)};
    if (test == NULL || test->kind != PS_IF || test->next != NULL || test->other != NULL ||
        loop->step->kind != PV_CONST || (int64_t)loop->step->i <= 0 ||
        !value_walk(test->value, find_changing, &a))
        return;
    struct pval *any = NEW(uc, struct pval);
    *any = (struct pval){
        .kind = PV_OP, .op = OP_LT, .dtype = DT_BOOL, .nargs = 2, .args = {loop->lo, loop->hi}};
    inner = NEW(uc, struct pstmt);
    *inner = *loop;
    inner->next = NULL;
    inner->body = test->body;
    test->body = inner;
    *loop = (struct pstmt){
        .kind = PS_IF, .at = loop->at, .next = loop->next, .value = any, .body = test};
}

void order_ragged(struct uc *uc, struct plan *p) {
    for (struct pstmt *s = p->body->body; s != NULL && !p->checked; s = s->next) {
        struct pstmt *loop = ragged_loop(s);
        if (loop != NULL)
            ask_first(uc, p, loop);
    }
}
