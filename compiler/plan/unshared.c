/* unshared.c: -Wserial of loops that neither an overload's plan nor its other versions have threads
 * share.  check/serial.c has what it says of each. */
#include "plan.h"

static enum walk find_shared(const struct pstmt *s, void *none) {
    (void)none;
    return s->kind == PS_SPREAD || (s->kind == PS_FOR && s->shared != NULL) ? WALK_STOP : WALK_IN;
}

/* Whether one thread goes through the loop alone, and no others have a share of an iteration. */
static bool is_serial(const struct pstmt *s) {
    return s->shared == NULL &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = find_shared}, NULL);
}

struct orders {
    struct uc *uc;
    const struct plan *before, *now; /* before: the version before this one, or NULL */
};

static enum walk find_orders(const struct pstmt *s, void *arg) {
    const struct orders *o = arg;
    if (s->kind != PS_FOR || s->order == NULL)
        return WALK_IN;
    if (!is_serial(s))
        return WALK_PAST;
    if (o->before != NULL && s->order->plan != o->before)
        return WALK_PAST;
    s->order->plan = o->now; /* as all before it */
    if (o->now->other == NULL) {
        warn(o->uc, W_SERIAL, s->order->at,
             "the loop over '%s' has an order: a call's iterations run one after the other",
             s->order->name);
        note(o->uc, s->order->note_at, "%s", s->order->note);
    }
    return WALK_PAST;
}

void warn_serial(struct uc *uc, const struct plan *p) {
    struct orders o = {.uc = uc, .now = p};
    const struct plan_visitor visitor = {.stmt = find_orders};
    plan_walk(p->body, &visitor, &o);
    for (const struct plan *other = p->other; other != NULL; other = other->other) {
        o.before = o.now;
        o.now = other;
        plan_walk(other->body, &visitor, &o);
    }
}
