/* few.c: loops of few iterations in which ordered loops have steps that threads share.  As points,
 * the iterations would have a thread, a warp or a block each for all of these steps; one after the
 * other, each step is shared by all threads of the call. */
#include "split.h"

enum { FEW_ITERATIONS = 8 };

struct steps_search {
    struct sharer x;
    bool ordered; /* within an ordered loop of those searched */
};

/* Is there something of a length that constants do not tell which threads may share in an ordered
 * loop of a list? */
static bool has_steps(const struct steps_search *f, struct pstmt *list) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        struct steps_search in = *f;
        struct enclosing own = {s, f->x.around};
        if (s->kind == PS_SPREAD) {
            if (f->ordered && constant_points(s->ranges) == INT64_MAX)
                return true;
            continue;
        }
        if (s->kind == PS_FOR && s->accs == NULL) {
            bool apart = is_independent(&f->x, s);
            if (apart && f->ordered && constant_steps(s) < 0)
                return true;
            in.ordered = f->ordered || !apart;
            if (!find_written(f->x.uc, f->x.plan, s->body)[s->var->id])
                in.x.around = &own;
        }
        in.ordered = in.ordered || s->kind == PS_LOOP;
        if (has_steps(&in, s->body) || has_steps(&in, s->other))
            return true;
    }
    return false;
}

bool has_shared_steps(const struct sharer *x, const struct pstmt *loop) {
    struct enclosing own = {loop, x->around};
    struct steps_search f = {.x = *x};
    f.x.around = &own;
    f.x.given = NULL;
    return has_steps(&f, copy_statements(x->uc, loop->body, NULL, NULL, NULL));
}

bool are_few_iterations(const struct pstmt *loop) {
    int64_t n = constant_steps(loop);
    return n >= 0 && n <= FEW_ITERATIONS;
}
