/* begin_store.c: stores with which a loop begins that goes on with the same elements:
 *
 *     label[i] = 0; for a in 0..k { if s[a] < least { least = s[a]; label[i] = a } }
 *
 * Either is moved with the other one alone (hoist.c), so that both are made one block, that nothing
 * leaves. */
#include "apart.h"

static enum walk find_leaving(const struct pstmt *s, void *block) {
    return s->kind == PS_LEAVE && s->target == block ? WALK_STOP : WALK_IN;
}

bool is_begun_loop(const struct pstmt *s) {
    return s->kind == PS_BLOCK && s->body != NULL && s->body->kind == PS_PUT &&
           s->body->next != NULL && s->body->next->next == NULL &&
           plan_walk(s->body, &(struct plan_visitor){.stmt = find_leaving}, (void *)(uintptr_t)s);
}

/* Does a value read the element, or an array that it is of? */
static enum walk find_stored(const struct pval *v, void *put) {
    const struct pstmt *p = put;
    return v->kind == PV_ELEM && v->operand == p->operand ? WALK_STOP : WALK_IN;
}

/* May a store run behind an assignment? */
static bool may_pass(const struct pstmt *put, const struct pstmt *set) {
    return set->kind == PS_SET && value_walk(set->value, find_stored, (void *)(uintptr_t)put) &&
           value_walk(put->value, find_variable, set->var) &&
           value_walk(put->place, find_variable, set->var);
}

/* Is a statement a loop that stores to the array, too? */
static bool goes_on(const struct pstmt *s, const struct pstmt *put) {
    struct pstmt own = *s;
    own.next = NULL;
    return s->kind == PS_FOR && is_put(&own, put->operand);
}

void bind_begun_loops(struct uc *uc, struct pstmt **list) {
    for (struct pstmt **at = list; *at != NULL;) {
        struct pstmt *put = *at, **to = &put->next;
        if (put->kind == PS_FOR)
            bind_begun_loops(uc, &put->body);
        bool stores =
            put->kind == PS_PUT && !put->merged && value_walk(put->value, find_any_element, NULL);
        while (stores && *to != NULL && may_pass(put, *to))
            to = &(*to)->next;
        if (!stores || *to == NULL || !goes_on(*to, put)) {
            at = &put->next;
            continue;
        }
        struct pstmt *block = NEW(uc, struct pstmt), *loop = *to;
        bind_begun_loops(uc, &loop->body);
        *block = (struct pstmt){.kind = PS_BLOCK, .at = put->at, .body = put, .next = loop->next};
        *to = block;
        *at = put->next; /* which is the block where nothing is between */
        put->next = loop;
        loop->next = NULL;
        at = &block->next;
    }
}

void loosen_begun_loops(struct pstmt **list) {
    for (; *list != NULL; list = &(*list)->next) {
        if (is_begun_loop(*list)) {
            struct pstmt *put = (*list)->body;
            put->next->next = (*list)->next;
            *list = put;
        }
        if ((*list)->kind == PS_FOR)
            loosen_begun_loops(&(*list)->body);
    }
}
