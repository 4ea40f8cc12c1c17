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

/* ---- the threads of a call */

/* What they have accessed since they last waited: elements, while the indices of the loops around
 * have the same values, else whole outputs.  What several blocks access of rows that each has is
 * apart: it is no matter while others do so, too. */
struct pending {
    struct hazard any, own;
    struct touch *touches;
    int count; /* of these */
};
enum { MANY_TOUCHES = 64 }; /* that are not worth comparing */

struct waits {
    struct toucher toucher;
    bool blocks; /* the threads are several blocks, which do not wait where accs are joined */
    bool owners; /* and have rows */
    double weight, cost; /* how often statements run, by the loops around; of waiting */
};
enum { LOOP_WEIGHT = 100 };

/* Makes the elements whole outputs. */
static void widen(struct pending *h) {
    for (const struct touch *t = h->touches; t != NULL; t = t->next) {
        uint32_t bit = UINT32_C(1) << t->footprint.place->operand;
        struct access a = {t->stored ? 0 : bit, t->stored ? bit : 0};
        add_hazard(t->own ? &h->own : &h->any, t->spread, a);
    }
    h->touches = NULL;
    h->count = 0;
}

static void merge_access(struct access *to, const struct access *from) {
    to->reads |= from->reads;
    to->writes |= from->writes;
}

static void merge(struct pending *h, const struct pending *other) {
    struct pending more = *other;
    widen(h);
    widen(&more);
    merge_access(&h->any.spread, &more.any.spread);
    merge_access(&h->any.single, &more.any.single);
    merge_access(&h->own.spread, &more.own.spread);
}

/* What a statement, and all in it if `whole`, accesses.  Rows that blocks have are accessed by
 * their threads, whatever the statement. */
static struct touch *find_touches(struct waits *w, const struct pstmt *s, bool spread, bool whole) {
    bool owned = w->owners && s->owner != NULL;
    struct touch *list = touches_of(&w->toucher, s, spread || owned, whole);
    for (struct touch *t = list; owned && t != NULL; t = t->next) {
        const struct pval *place = t->footprint.place;
        t->own = place->nargs > 1 && same_value(place->args[0], s->owner);
    }
    return list;
}

/* Adds all that a list may access, in whatever order. */
static void add_any(struct waits *w, const struct pstmt *list, struct pending *h) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        bool spread = s->kind == PS_SPREAD;
        for (struct touch *t = find_touches(w, s, true, spread); t != NULL; t = t->next) {
            uint32_t bit = UINT32_C(1) << t->footprint.place->operand;
            struct access a = {t->stored ? 0 : bit, t->stored ? bit : 0};
            add_hazard(t->own ? &h->own : &h->any, true, a);
            if (!t->own)
                add_hazard(&h->any, false, a);
        }
        if (s->kind == PS_FOR && s->shared != NULL) {
            add_any(w, s->shared, h);
            continue;
        }
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; !spread && i < sizeof lists / sizeof lists[0]; i++)
            add_any(w, *lists[i], h);
    }
}

static bool meets(const struct waits *w, const struct pending *h, const struct touch *t) {
    for (const struct touch *p = h->touches; p != NULL; p = p->next) {
        bool same_thread = p->stored && t->stored && !p->spread && !t->spread;
        if (!same_thread && !(p->own && t->own) && may_meet(&w->toucher, p, t))
            return true;
    }
    return false;
}

/* Whether the threads must wait before a statement; adds its accesses. */
static bool must_wait(struct waits *w, struct pending *h, const struct pstmt *s, bool spread) {
    struct touch *list = find_touches(w, s, spread, spread), **end = &list;
    bool wait = false;
    int n = 0;
    for (; *end != NULL; end = &(*end)->next, n++) {
        const struct touch *t = *end;
        uint32_t bit = UINT32_C(1) << t->footprint.place->operand;
        struct access a = {t->stored ? 0 : bit, t->stored ? bit : 0};
        wait = wait || conflicts(&h->any, t->spread, a) ||
               (!t->own && conflicts(&h->own, t->spread, a)) || meets(w, h, t);
    }
    if (wait)
        *h = (struct pending){.touches = NULL};
    w->cost += wait ? w->weight : 0;
    if (h->count > MANY_TOUCHES)
        widen(h);
    *end = h->touches;
    h->touches = list;
    h->count += n;
    return wait;
}

/* All threads have read what they were to read. */
static void end_reads(struct pending *h) {
    h->any.spread.reads = h->any.single.reads = 0;
    for (struct touch **t = &h->touches; *t != NULL;)
        if ((*t)->stored)
            t = &(*t)->next;
        else
            *t = (*t)->next;
}

static void sync_list(struct waits *w, struct pstmt *s, struct pending *h);

static void enclose(struct waits *w, const struct pstmt *loop) {
    struct enclosing *own = NEW(w->toucher.uc, struct enclosing);
    *own = (struct enclosing){loop, w->toucher.around};
    w->toucher.around = own;
}

/* A loop's iterations come after one another in any state that the body may leave. */
static void sync_loop(struct waits *w, struct pstmt *s, struct pending *h) {
    const struct enclosing *outer = w->toucher.around;
    widen(h);
    struct pending before = *h;
    add_any(w, s->body, h);
    if (s->kind == PS_FOR && !find_written(w->toucher.uc, w->toucher.plan, s->body)[s->var->id])
        enclose(w, s);
    w->weight *= LOOP_WEIGHT;
    sync_list(w, s->body, h);
    w->weight /= LOOP_WEIGHT;
    w->toucher.around = outer;
    merge(h, &before);
}

static void sync_branches(struct waits *w, struct pstmt *s, struct pending *h) {
    widen(h);
    struct pending other = *h;
    sync_list(w, s->body, h);
    sync_list(w, s->other, &other);
    merge(h, &other);
}

/* A PS_LEAVE may go to the end of the block from anywhere in it. */
static void sync_block(struct waits *w, struct pstmt *s, struct pending *h) {
    widen(h);
    struct pending before = *h;
    sync_list(w, s->body, h);
    merge(h, &before);
    add_any(w, s->body, h);
}

static void sync_statement(struct waits *w, struct pstmt *s, struct pending *h) {
    bool spread = s->kind == PS_SPREAD || s->accs != NULL || s->lag > 0;
    *(w->blocks ? &s->sync_blocks : &s->sync) = must_wait(w, h, s, spread);
    switch (s->kind) {
    case PS_SPREAD:
        if (s->accs != NULL && !is_brief(s) && !w->blocks) /* which are then joined */
            end_reads(h);
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

static void sync_list(struct waits *w, struct pstmt *s, struct pending *h) {
    const struct enclosing *outer = w->toucher.around;
    for (; s != NULL; s = s->next) {
        sync_statement(w, s, h);
        const struct pstmt *set = loop_of_set(&w->toucher, s);
        if (set != NULL)
            enclose(w, set);
    }
    w->toucher.around = outer;
}

/* ---- rows */

/* Is a value the same for all threads of a call, whatever list s sets: is it made of sizes, numbers
 * and variables that s does not set? */
static bool is_settled(const bool *written, const struct pval *v) {
    bool settled = v->kind == PV_CONST || v->kind == PV_DIM || v->kind == PV_OP ||
                   v->kind == PV_LOAD || (v->kind == PV_VAR && !written[v->var->id]);
    for (int i = 0; settled && i < v->nargs; i++)
        settled = is_settled(written, v->args[i]);
    return settled;
}

struct rows {
    const struct pval *row; /* the first subscript of all that is stored */
    bool same;
};

static enum walk add_row(const struct pstmt *s, void *arg) {
    struct rows *x = arg;
    if (s->kind != PS_PUT)
        return WALK_IN;
    const struct pval *row = s->place->nargs > 1 && !s->merged ? s->place->args[0] : NULL;
    x->same = x->same && row != NULL && (x->row == NULL || same_value(x->row, row));
    x->row = row;
    return WALK_IN;
}

bool has_inner_reductions(const struct pstmt *s) {
    bool any = false;
    if (s->accs != NULL)
        return false;
    for (const struct pstmt *in = s->body; in != NULL; in = in->next) {
        bool reduces = in->kind == PS_SPREAD && in->accs != NULL;
        if (!reduces && in->kind != PS_SET && in->kind != PS_PUT)
            return false;
        any = any || (reduces && !is_brief(in));
    }
    return any;
}

/* The row that a statement stores to, where a block may have it; NULL: there is none. */
static const struct pval *find_owner(struct uc *uc, const struct plan *p, const struct pstmt *s) {
    struct rows x = {.same = true};
    const struct prange *r = s->ranges;
    bool *written = find_written(uc, p, s->body);
    bool spread = s->kind == PS_SPREAD && s->accs == NULL && !s->merged && !s->ordered &&
                  (r->next == NULL || r->next->next == NULL) && r->step->kind == PV_CONST &&
                  r->step->i == 1;
    if (s->kind == PS_PUT)
        add_row(s, &x);
    else if (spread)
        plan_walk(s->body, &(struct plan_visitor){.stmt = add_row}, &x);
    if (x.row == NULL || !x.same)
        return NULL;
    bool points = r != NULL && r->next != NULL && has_inner_reductions(s);
    if (spread && points) /* lanes share points, whatever their rows */
        return NULL;
    if (spread && x.row->kind == PV_VAR && x.row->var == r->var)
        return x.row;
    for (; r != NULL; r = r->next)
        written[r->var->id] = true;
    bool line = s->ranges == NULL || s->ranges->next == NULL;
    return line && is_settled(written, x.row) ? x.row : NULL;
}

static void set_owners(struct waits *w, struct pstmt *list, bool owners, bool loop) {
    for (struct pstmt *s = list; s != NULL; s = s->next) {
        if (s->kind == PS_PUT || s->kind == PS_SPREAD) {
            s->owner = owners && loop ? find_owner(w->toucher.uc, w->toucher.plan, s) : NULL;
            continue;
        }
        if (s->kind == PS_FOR && s->shared != NULL) {
            set_owners(w, s->shared, owners, loop);
            continue;
        }
        struct pstmt **const lists[] = PSTMT_LISTS(s);
        for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
            set_owners(w, *lists[i], owners, loop || s->kind == PS_FOR || s->kind == PS_LOOP);
    }
}

/* What waiting costs several blocks, whose rows are their own if `owners`. */
static double sync_blocks(struct waits *w, bool owners) {
    w->blocks = true;
    w->owners = owners;
    w->weight = 1;
    w->cost = 0;
    set_owners(w, w->toucher.plan->body->body, owners, false);
    sync_list(w, w->toucher.plan->body->body, &(struct pending){.touches = NULL});
    return w->cost;
}

void sync_threads(struct uc *uc, const struct plan *p) {
    struct waits w = {.toucher = toucher_new(uc, p)};
    sync_list(&w, p->body->body, &(struct pending){.touches = NULL});
    double cost = sync_blocks(&w, false);
    if (cost > 0 && sync_blocks(&w, true) >= cost)
        sync_blocks(&w, false);
}

void count_waits(const struct pstmt *list, struct ufc_loop *loop) {
    for (const struct pstmt *s = list; s != NULL; s = s->next) {
        loop->meets += s->sync || s->sync_blocks;
        loop->waits += s->sync_blocks;
        if (s->kind == PS_FOR && s->shared != NULL)
            count_waits(s->shared, loop);
        struct pstmt *const *const lists[] = PSTMT_LISTS(s);
        bool own = s->kind != PS_SPREAD && s->kind != PS_FOR && s->kind != PS_LOOP;
        for (size_t i = 0; own && i < sizeof lists / sizeof lists[0]; i++)
            count_waits(*lists[i], loop);
    }
}
