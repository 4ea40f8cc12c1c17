/* unset.c: -Wunset: outputs that a path through a gufunc's body does not write.  It also
 * finds the outputs that must be cleared when they are new, because some element may keep no value,
 * or is read before it is written.
 *
 * The elements written are kept as boxes whose bounds are sums.  An assignment writes a box of one
 * element, which grows over the ranges of the loops around it.  Where a loop does not run, its
 * boxes are empty and claim nothing; a box that does not grow with a loop's index counts only if
 * the loop runs for certain.  The structure of the body is followed; where paths meet, what all of
 * them have written counts.
 *
 * The warning is about outputs of which a path writes nothing at all.  For this, a loop counts as
 * writing arrays even if it may not run, for then the array usually has no elements; so does a part
 * of a loop's range, `if i >= k - 1 { y[i - k + 1] = s }`. */
#include "check.h"

enum { MAX_BOXES = 24 }; /* of a path; further boxes are dropped */

struct interval {
    struct sum from, to;
};

struct box {
    const struct array *array;
    struct box *next;
    struct interval axis[]; /* one for each dimension of the array */
};

/* What all paths to a place have written; the list of boxes is never modified. */
struct state {
    bool reached;
    uint32_t touched; /* a bit for each output of which something was written */
    const struct box *boxes;
};

/* The states in which the innermost loop is left. */
struct loop {
    struct state breaks, continues;
};

struct flow {
    struct fn *f;
    struct state at;
    struct state returns; /* those in which the call is ended before the body's end */
    struct loop *loop;    /* the innermost loop; NULL: none */
    const struct node *first[UFC_MAX_OPERANDS]; /* the first write of each output */
    uint32_t filtered; /* a bit for each output with a filtered definition */
};

static int output_of(const struct flow *w, const struct array *a) {
    for (int i = 0; a->kind == ARRAY_OUTPUT && i < w->f->decl->noutputs; i++)
        if (w->f->inst->outputs[i]->array == a)
            return i;
    return -1;
}

/* ---- sums */

/* b - a; false: it is not known. */
static bool difference(const struct sum *b, const struct sum *a, struct sum *d) {
    *d = *b;
    return sum_add(d, a, -1);
}

/* Whether a <= b for all sizes.  False where a or b depends on an index. */
static bool at_most(const struct sum *a, const struct sum *b) {
    struct sum d;
    return difference(b, a, &d) && !sum_has_index(&d) && sum_never_below(&d, 1);
}

static bool equal(const struct sum *a, const struct sum *b) {
    struct sum d;
    return difference(b, a, &d) && sum_is_number(&d) && d.plus == 0;
}

static wide_int times_of(const struct sum *s, const struct local *index) {
    for (int i = 0; i < s->n; i++)
        if (s->of[i] == index)
            return s->times[i];
    return 0;
}

/* Replaces the index in s by `to`.  False: the sum is too large. */
static bool replace(struct sum *s, const struct local *index, const struct sum *to) {
    wide_int times = times_of(s, index);
    return sum_add_term(s, index, true, -times) && sum_add(s, to, times);
}

/* ---- boxes */

static struct box *box_new(const struct flow *w, const struct array *a) {
    struct box *b = arena_alloc(w->f->uc, sizeof *b + (size_t)a->rank * sizeof b->axis[0]);
    b->array = a;
    return b;
}

static struct box *box_copy(const struct flow *w, const struct box *from) {
    struct box *b = box_new(w, from->array);
    memcpy(b->axis, from->axis, (size_t)from->array->rank * sizeof b->axis[0]);
    return b;
}

/* Whether b contains all of a. */
static bool has_box(const struct box *b, const struct box *a) {
    bool has = b->array == a->array;
    for (int i = 0; has && i < a->array->rank; i++)
        has =
            at_most(&b->axis[i].from, &a->axis[i].from) && at_most(&a->axis[i].to, &b->axis[i].to);
    return has;
}

static bool has_any(const struct box *list, const struct box *a) {
    while (list && !has_box(list, a))
        list = list->next;
    return list != NULL;
}

/* The one axis along which b begins where a ends, if they are equal along all others; -1: none. */
static int joint(const struct box *a, const struct box *b) {
    int found = -1;
    for (int i = 0; a->array == b->array && i < a->array->rank; i++) {
        if (equal(&a->axis[i].from, &b->axis[i].from) && equal(&a->axis[i].to, &b->axis[i].to))
            continue;
        if (found >= 0 || !equal(&a->axis[i].to, &b->axis[i].from))
            return -1;
        found = i;
    }
    return found;
}

/* The list with b added; b, which is new, is merged with the boxes that it adjoins. */
static const struct box *with_box(const struct flow *w, const struct box *list, struct box *b) {
    struct box *kept = NULL, **end = &kept;
    int n = 0;
    if (has_any(list, b))
        return list;
    for (; list && n < MAX_BOXES; list = list->next) {
        int behind = joint(list, b), before = joint(b, list);
        if (behind >= 0)
            b->axis[behind].from = list->axis[behind].from;
        else if (before >= 0)
            b->axis[before].to = list->axis[before].to;
        if (behind >= 0 || before >= 0)
            continue;
        *end = box_copy(w, list);
        end = &(*end)->next;
        n++;
    }
    b->next = kept;
    return b;
}

/* Makes b, the box of one value of an index, the box of all values in a range with step `by`.
 * False: they do not form a box.  The index must move the box by whole multiples, and by no more
 * than the box is long. */
static bool grow(struct box *b, const struct local *index, const struct interval *range,
                 wide_int by) {
    struct interval *moved = NULL;
    struct sum least = {.plus = 1}, length;
    for (int i = 0; i < b->array->rank; i++) {
        struct interval *axis = &b->axis[i];
        wide_int times = times_of(&axis->from, index);
        if (times != times_of(&axis->to, index) || (times != 0 && moved))
            return false;
        if (times != 0)
            moved = axis;
    }
    if (!moved) /* the box is the same for all indices, and written if the loop runs */
        return difference(&range->to, &range->from, &length) && at_most(&least, &length);
    wide_int times = times_of(&moved->from, index);
    bool up = times > 0;
    least.plus = by * (up ? times : -times);
    if (!difference(&moved->to, &moved->from, &length) || !at_most(&least, &length))
        return false;
    const struct sum *edge = up ? &moved->from : &moved->to;
    struct sum a = *edge, c = *edge;
    if (!replace(&a, index, up ? &range->from : &range->to) ||
        !replace(&c, index, up ? &range->to : &range->from))
        return false;
    moved->from = a;
    moved->to = c;
    return true;
}

/* The range of a clause or a `for`, and its step, turned to ascend; false: they are not known. */
static bool range_of(const struct node *n, struct interval *range, wide_int *by) {
    wide_int step = !n->c ? 1 : n->c->kind == N_CONST ? n->c->value.i : 0;
    bool down = step == -1;
    if (!n->b || !sum_of(NULL, n->a, NULL, down ? &range->to : &range->from) ||
        !sum_of(NULL, n->b, NULL, down ? &range->from : &range->to))
        return false;
    *by = down ? 1 : step;
    if (down) {
        range->from.plus++;
        range->to.plus++;
    }
    return down || (step > 0 && sum_is_small(step));
}

/* Whether an axis has no element from `end` on. */
static bool ends_at(const struct dim *dim, const struct sum *end) {
    const struct node *size = dim->expr;
    const struct sum zero = {.n = 0};
    struct sum s;
    while (size && size->kind == N_CAST)
        size = size->a;
    bool most = size && size->kind == N_CALL && size->builtin->id == B_MAX;
    bool least = size && size->kind == N_CALL && size->builtin->id == B_MIN, ends = most;
    for (const struct node *arg = most || least ? size->list : NULL; arg; arg = arg->next) {
        bool within = sum_of(NULL, arg, NULL, &s) &&
                      (at_most(&s, end) || (most && sum_is_number(&s) && at_most(&s, &zero)));
        ends = most ? ends && within : ends || within;
    }
    return ends || (sum_of_size(NULL, dim, &s) && at_most(&s, end));
}

/* Whether the boxes that span all other axes cover this one. */
static bool is_covered_along(const struct array *a, int axis, const struct box *boxes) {
    struct sum end[MAX_BOXES + 1] = {{.n = 0}}, zero = {.n = 0};
    int n = 1;
    for (bool more = true; more;) {
        more = false;
        for (const struct box *b = boxes; b; b = b->next) {
            bool fits = b->array == a && n <= MAX_BOXES;
            for (int i = 0; fits && i < a->rank; i++)
                fits = i == axis ||
                       (at_most(&b->axis[i].from, &zero) && ends_at(a->dims[i], &b->axis[i].to));
            bool follows = false, seen = false;
            for (int i = 0; fits && i < n; i++) {
                follows = follows || at_most(&b->axis[axis].from, &end[i]);
                seen = seen || equal(&end[i], &b->axis[axis].to);
            }
            if (follows && !seen) {
                end[n++] = b->axis[axis].to;
                more = true;
            }
        }
    }
    bool whole = false;
    for (int i = 0; i < n; i++)
        whole = whole || ends_at(a->dims[axis], &end[i]);
    return whole;
}

/* Whether the boxes cover all elements of the array. */
static bool is_covered(const struct array *a, const struct box *boxes) {
    bool covered = false;
    if (a->rank == 0)
        for (const struct box *b = boxes; b; b = b->next)
            covered = covered || b->array == a;
    for (int axis = 0; axis < a->rank && !covered; axis++)
        covered = is_covered_along(a, axis, boxes);
    return covered;
}

/* ---- paths */

static struct state meet(const struct flow *w, struct state a, struct state b) {
    if (!a.reached || !b.reached)
        return a.reached ? a : b;
    struct state both = {.reached = true, .touched = a.touched & b.touched};
    const struct box *lists[] = {a.boxes, b.boxes};
    for (int k = 0; k < 2; k++)
        for (const struct box *box = lists[k]; box; box = box->next)
            if (has_any(lists[1 - k], box))
                both.boxes = with_box(w, both.boxes, box_copy(w, box));
    return both;
}

static const char *example(struct fn *f, const struct array *a) {
    return arena_printf(f->uc,
                        a->rank == 0   ? "%s = ..."
                        : a->rank == 1 ? "%s[i] = ... for i"
                        : a->rank == 2 ? "%s[i, j] = ... for i, j"
                                       : "%s[...] = ... for ...",
                        a->name);
}

/* Marks outputs that are read where they may have no value yet, so that they are cleared.  Warns of
 * them outside of loops; in a loop, an earlier iteration may have written them. */
static enum walk check_read(const struct node *n, void *arg) {
    struct flow *w = arg;
    const struct array *a = n->kind == N_INDEX                      ? n->array
                            : n->kind == N_LOCAL && n->local->array ? array_of(n->local->array)
                                                                    : NULL;
    int output = a ? output_of(w, a) : -1;
    bool unset = output >= 0 && !(w->at.touched >> output & 1);
    if (unset)
        w->f->inst->unwritten |= UINT32_C(1) << output;
    if (unset && !w->loop)
        warn(w->f->uc, W_UNSET, n->at,
             "output '%s' has no value here on some path; give it one first: '%s'", a->name,
             example(w->f, a));
    return WALK_IN;
}

static void check_reads(struct flow *w, const struct node *list) {
    ast_walk(list, check_read, w);
}

/* Adds the element `target` to what is written; with clauses, that of all their points. */
static void follow_write(struct flow *w, const struct node *target, const struct node *clauses,
                         bool filtered) {
    const struct array *a = target->kind == N_INDEX ? target->array : NULL;
    int output = a ? output_of(w, a) : -1, axis = 0, n = 0;
    const struct node *clause[64];
    if (output < 0)
        return;
    if (!w->first[output])
        w->first[output] = target;
    if (!filtered || w->filtered >> output & 1) /* two may write all elements */
        w->at.touched |= UINT32_C(1) << output;
    w->filtered |= (uint32_t)filtered << output;
    if (filtered)
        return;
    struct box *b = box_new(w, a);
    bool known = true;
    for (const struct node *s = target->list; s && known; s = s->next, axis++) {
        known = sum_of(NULL, s, a->dims[axis], &b->axis[axis].from);
        b->axis[axis].to = b->axis[axis].from;
        b->axis[axis].to.plus++;
    }
    for (const struct node *c = clauses; c; c = c->next)
        if (n < 64)
            clause[n++] = c;
        else
            known = false;
    while (known && n-- > 0) {
        struct interval range;
        wide_int by;
        known = range_of(clause[n], &range, &by) && grow(b, clause[n]->list->local, &range, by);
    }
    if (known)
        w->at.boxes = with_box(w, w->at.boxes, b);
}

/* Adds to the state behind a loop the outputs that an iteration, which ends in `end`, has written;
 * runs: the loop has at least one iteration. */
static void count_touched(const struct flow *w, struct state *after, struct state end, bool runs) {
    for (int i = 0; end.reached && i < w->f->decl->noutputs; i++)
        if (runs || w->f->inst->outputs[i]->array->rank > 0)
            after->touched |= end.touched & UINT32_C(1) << i;
}

static void follow(struct flow *w, const struct node *n);

/* Whether a condition compares indices of loops with sizes and numbers: it takes a part of their
 * ranges, `if i >= k - 1`. */
static bool is_part_of_range(const struct node *n) {
    if (n->kind != N_BINARY)
        return false;
    if (n->op == OP_LAND)
        return is_part_of_range(n->a) && is_part_of_range(n->b);
    struct sum a, b, d;
    return n->op >= OP_LT && n->op <= OP_GE && sum_of(NULL, n->a, NULL, &a) &&
           sum_of(NULL, n->b, NULL, &b) && difference(&a, &b, &d) && sum_has_index(&d);
}

/* The outputs that have no elements where c is true, a bit each: it says that a size of them is 0.
 */
static uint32_t empty_outputs(const struct flow *w, const struct node *c) {
    struct sum a, b, over, under, size;
    uint32_t empty = 0;
    if (c->kind == N_BINARY && c->op == OP_LOR)
        return empty_outputs(w, c->a) & empty_outputs(w, c->b);
    if (c->kind != N_BINARY || c->op != OP_EQ || !sum_of(NULL, c->a, NULL, &a) ||
        !sum_of(NULL, c->b, NULL, &b) || !difference(&a, &b, &over) || !difference(&b, &a, &under))
        return 0;
    for (int i = 0; i < w->f->decl->noutputs; i++) {
        const struct array *output = w->f->inst->outputs[i]->array;
        for (int axis = 0; axis < output->rank; axis++)
            if (sum_of_size(NULL, output->dims[axis], &size) &&
                (equal(&size, &over) || equal(&size, &under)))
                empty |= UINT32_C(1) << i;
    }
    return empty;
}

static void follow_if(struct flow *w, const struct node *n) {
    struct state before = w->at;
    check_reads(w, n->c);
    bool constant = n->c->kind == N_CONST;
    w->at.reached = before.reached && !(constant && !n->c->value.i);
    w->at.touched |= empty_outputs(w, n->c);
    follow(w, n->then);
    struct state then = w->at;
    w->at = before;
    w->at.reached = before.reached && !(constant && n->c->value.i);
    follow(w, n->other);
    if (is_part_of_range(n->c))
        count_touched(w, &w->at, then, false);
    w->at = meet(w, then, w->at);
}

/* Follows a loop's body once.  Gives the state at the end of an iteration. */
static struct state follow_body(struct flow *w, const struct node *n, struct loop *loop) {
    struct loop *outer = w->loop;
    *loop = (struct loop){0};
    w->loop = loop;
    follow(w, n->then);
    w->loop = outer;
    return meet(w, w->at, loop->continues);
}

static void follow_while(struct flow *w, const struct node *n) {
    struct state before = w->at;
    struct loop loop;
    check_reads(w, n->c);
    count_touched(w, &before, follow_body(w, n, &loop), false);
    bool endless = n->c->kind == N_CONST && n->c->value.i;
    before.reached = before.reached && !endless;
    w->at = meet(w, before, loop.breaks);
}

/* Drops boxes that depend on the index: they hold for one of its values only. */
static const struct box *without_index(const struct flow *w, const struct box *boxes,
                                       const struct local *index) {
    const struct box *kept = NULL;
    for (; boxes; boxes = boxes->next) {
        bool mentions = false;
        for (int i = 0; i < boxes->array->rank; i++)
            mentions = mentions || times_of(&boxes->axis[i].from, index) != 0 ||
                       times_of(&boxes->axis[i].to, index) != 0;
        if (!mentions)
            kept = with_box(w, kept, box_copy(w, boxes));
    }
    return kept;
}

static void follow_for(struct flow *w, const struct node *n) {
    const struct local *index = n->list->local;
    struct state before = w->at;
    struct loop loop;
    struct interval range;
    struct sum one = {.plus = 1}, length;
    wide_int by;
    check_reads(w, n->a);
    check_reads(w, n->b);
    struct state end = follow_body(w, n, &loop), after = before;
    bool known = range_of(n, &range, &by);
    bool runs = known && difference(&range.to, &range.from, &length) && at_most(&one, &length);
    count_touched(w, &after, end, runs);
    for (const struct box *b = end.reached && known ? end.boxes : NULL; b; b = b->next) {
        struct box *grown = box_copy(w, b);
        if (grow(grown, index, &range, by))
            after.boxes = with_box(w, after.boxes, grown);
    }
    after.reached = before.reached && (end.reached || !runs);
    loop.breaks.boxes = without_index(w, loop.breaks.boxes, index);
    w->returns.boxes = without_index(w, w->returns.boxes, index);
    w->at = meet(w, after, loop.breaks);
}

static void follow_statement(struct flow *w, const struct node *n) {
    switch (n->kind) {
    case N_ASSIGN:
        check_reads(w, n->b);
        for (const struct node *target = n->list; target; target = target->next)
            follow_write(w, target, NULL, false);
        break;
    case N_DEFINE:
        check_reads(w, n->b);
        follow_write(w, n->list, n->clauses, n->filter != NULL);
        break;
    case N_IF: follow_if(w, n); break;
    case N_WHILE: follow_while(w, n); break;
    case N_FOR: follow_for(w, n); break;
    case N_BREAK:
    case N_CONTINUE: {
        struct state *to = n->kind == N_BREAK ? &w->loop->breaks : &w->loop->continues;
        *to = meet(w, *to, w->at);
        w->at.reached = false;
        break;
    }
    case N_RETURN:
        w->returns = meet(w, w->returns, w->at);
        w->at.reached = false;
        break;
    case N_BLOCK: follow(w, n->list); break;
    default: node_walk(n, check_read, w); break;
    }
}

static void follow(struct flow *w, const struct node *n) {
    if (n && n->kind == N_BLOCK)
        n = n->list;
    for (; n && w->at.reached; n = n->next)
        follow_statement(w, n);
}

void check_unset(struct fn *f) {
    struct flow w = {.f = f, .at = {.reached = true}};
    follow(&w, f->inst->body);
    w.at = meet(&w, w.at, w.returns);
    for (int i = 0; i < f->decl->noutputs; i++) {
        const struct array *a = f->inst->outputs[i]->array;
        if (w.at.reached && !is_covered(a, w.at.boxes))
            f->inst->unwritten |= UINT32_C(1) << i;
        if (w.at.reached && w.first[i] && !(w.at.touched >> i & 1))
            warn(f->uc, W_UNSET, w.first[i]->at,
                 "output '%s' has no value where this is not reached; give it one first: '%s'",
                 a->name, example(f, a));
    }
}
