/* unshared.c: -Wserial of loops that neither an overload's plan nor its other version has threads
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
    const struct plan *first, *now;
};

static enum walk find_orders(const struct pstmt *s, void *arg) {
    const struct orders *o = arg;
    if (s->kind != PS_FOR || s->order == NULL)
        return WALK_IN;
    if (!is_serial(s))
        return WALK_PAST;
    bool in_first = s->order->plan == o->first;
    if (o->now == o->first)
        s->order->plan = o->first;
    if (o->first->other == NULL || (o->now != o->first && in_first)) {
        warn(o->uc, W_SERIAL, s->order->at,
             "the loop over '%s' has an order: a call's iterations run one after the other",
             s->order->name);
        note(o->uc, s->order->note_at, "%s", s->order->note);
    }
    return WALK_PAST;
}

void warn_serial(struct uc *uc, const struct plan *p) {
    struct orders o = {.uc = uc, .first = p, .now = p};
    const struct plan_visitor visitor = {.stmt = find_orders};
    plan_walk(p->body, &visitor, &o);
    o.now = p->other;
    if (o.now != NULL)
        plan_walk(o.now->body, &visitor, &o);
}
