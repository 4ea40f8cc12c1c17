/* plan_sync.c: where the threads of a call must wait for one another, as some read what others have
 * stored, or store what others have read or stored. */
#include "plan.h"

/* The bit of the output that a place belongs to; 0: no output. */
static uint32_t bit_of(const struct plan *p, const struct pval *place) {
    return place->operand < p->noperands && p->operands[place->operand].is_output
               ? UINT32_C(1) << place->operand
               : 0;
}

struct finding {
    const struct plan *plan;
    const struct pval *place; /* the statement's place, which is written */
    struct access found;
};

static enum walk add_read(const struct pval *v, void *arg) {
    struct finding *f = arg;
    if (v == f->place)
        f->found.writes |= bit_of(f->plan, v);
    else if (v->kind == PV_ELEM)
        f->found.reads |= bit_of(f->plan, v);
    return WALK_IN;
}

static enum walk add_access(const struct pstmt *s, void *arg) {
    struct finding *f = arg;
    f->place = s->place;
    stmt_values(s, add_read, f);
    return WALK_IN;
}

struct access access_of(const struct plan *p, const struct pstmt *s) {
    struct finding f = {.plan = p};
    stmt_walk(s, &(struct plan_visitor){.stmt = add_access}, &f);
    return f.found;
}

static bool conflicts(const struct hazard *h, bool spread, struct access a) {
    uint32_t reads = h->spread.reads | h->single.reads;
    uint32_t stored = h->spread.writes | (spread ? h->single.writes : 0);
    return (a.reads & (h->spread.writes | h->single.writes)) || (a.writes & (stored | reads));
}

static void add_hazard(struct hazard *h, bool spread, struct access a) {
    struct access *to = spread ? &h->spread : &h->single;
    to->reads |= a.reads;
    to->writes |= a.writes;
}

bool must_sync(struct hazard *h, bool spread, struct access a) {
    bool wait = conflicts(h, spread, a);
    if (wait)
        *h = (struct hazard){0};
    add_hazard(h, spread, a);
    return wait;
}

static void merge(struct hazard *h, const struct hazard *other) {
    h->spread.reads |= other->spread.reads;
    h->spread.writes |= other->spread.writes;
    h->single.reads |= other->single.reads;
    h->single.writes |= other->single.writes;
}

/* Adds all that a list may access, in whatever order. */
static void add_any(const struct plan *p, const struct pstmt *list, struct hazard *h) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        struct access a = access_of(p, s);
        add_hazard(h, true, a);
        add_hazard(h, false, a);
    }
}

/* The accesses of a statement's own values. */
static struct access own_access(const struct plan *p, const struct pstmt *s) {
    struct finding f = {.plan = p};
    add_access(s, &f);
    return f.found;
}

struct waits {
    const struct plan *plan;
    bool blocks; /* the threads are several blocks, which do not wait where accs are joined */
};

static void sync_list(const struct waits *w, struct pstmt *s, struct hazard *h);

/* A loop's iterations come after one another in any state that the body may leave. */
static void sync_loop(const struct waits *w, struct pstmt *s, struct hazard *h) {
    struct hazard before = *h;
    add_any(w->plan, s->body, h);
    sync_list(w, s->body, h);
    merge(h, &before);
}

static void sync_branches(const struct waits *w, struct pstmt *s, struct hazard *h) {
    struct hazard other = *h;
    sync_list(w, s->body, h);
    sync_list(w, s->other, &other);
    merge(h, &other);
}

/* A PS_LEAVE may go to the end of the block from anywhere in it. */
static void sync_block(const struct waits *w, struct pstmt *s, struct hazard *h) {
    struct hazard before = *h;
    sync_list(w, s->body, h);
    merge(h, &before);
    add_any(w->plan, s->body, h);
}

static void sync_list(const struct waits *w, struct pstmt *s, struct hazard *h) {
    for (; s != NULL; s = s->next) {
        bool spread = s->kind == PS_SPREAD || s->accs != NULL;
        struct access a = spread ? access_of(w->plan, s) : own_access(w->plan, s);
        *(w->blocks ? &s->sync_blocks : &s->sync) = must_sync(h, spread, a);
        switch (s->kind) {
        case PS_SPREAD:
            if (s->accs != NULL && !is_brief(s) &&
                !w->blocks) /* which are joined when all threads have read */
                h->spread.reads = h->single.reads = 0;
            break;
        case PS_FOR:
            if (s->shared != NULL)
                sync_list(w, s->shared, h);
            else if (s->accs == NULL)
                sync_loop(w, s, h);
            break;
        case PS_LOOP: sync_loop(w, s, h); break;
        case PS_IF: sync_branches(w, s, h); break;
        case PS_BLOCK: sync_block(w, s, h); break;
        default: sync_list(w, s->body, h); break;
        }
    }
}

void sync_threads(const struct plan *p) {
    for (int blocks = 0; blocks < 2; blocks++)
        sync_list(&(struct waits){p, blocks}, p->body->body, &(struct hazard){0});
}
