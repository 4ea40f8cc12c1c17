/* batch.c: a PS_SPREAD of straight code, of which a thread takes a batch of points at a time: a few
 * units, each of `lanes` neighbours.  It loads what all points of the batch read before it computes
 * the first, so that as many bytes are under way whatever is computed; a unit's elements are a
 * vector in memory where they can be one. */
#include "gufunc.h"

/* Operations that a function's call counts for, and a merge by one atomic operation, or several. */
enum { BATCH_CALL = 8, BATCH_MERGE = 3, BATCH_EXCHANGE = 12 };

/* An element that the body reads, at the batch's points. */
struct batch_element {
    const struct pval *place;
    LLVMValueRef value[BATCH_POINTS];
    LLVMValueRef kept; /* its value at all points; NULL: it is loaded at each */
    int depth;         /* 0; or more than that of the elements that its subscripts are made of */
    struct batch_element *next;
};

/* An element that is read only where a condition holds, and is one that is loaded at the point so
 * many behind, as x[i - 1] beside x[i]. */
struct batch_beside {
    const struct pval *place;
    const struct batch_element *element;
    int64_t offset;
};
enum { MAX_BESIDE = 8 };

/* A PS_PUT of the body, in its order, and slots for a unit's values. */
struct batch_put {
    const struct pstmt *put;
    LLVMValueRef slot[MAX_LANES]; /* or for those of the points that batch_compute_first takes */
    struct batch_put *next;
};

struct batch {
    struct sharing sharing; /* of the body's PS_PUTs */
    const struct pstmt *spread;
    struct batch_element *elements;
    struct batch_put *puts;
    struct batch_beside beside_of[MAX_BESIDE];
    int nbeside;
    const struct pval *skipped; /* a place, which is not loaded */
    int size;                   /* of the body */
    int n;                      /* elements */
    int depth;                  /* of the elements, at most */
    bool apart;                 /* an element is not of neighbours along g->lane_var, */
    bool shifted;               /* or is, but no unit's are a vector */
    bool calls;                 /* the body calls functions that may branch */
    bool partial;               /* it reads others, each where a condition holds */
    struct batch *next;         /* of a microtile's next point; NULL: there is none */
    int lane;                   /* the point's in its unit */
    LLVMValueRef index[BATCH_POINTS][MAX_RANGES]; /* of each unit's first point */
    struct beside beside[BATCH_POINTS];           /* g->beside at each unit, where it is set */
};

/* ---- what the body accesses */

struct collection {
    struct gen *g;
    struct batch *b;
    bool some;
};

/* The elements that a value is made of, one within the other, at most. */
static int depth_of(const struct pval *v) {
    int most = 0;
    for (int i = 0; i < v->nargs; i++) {
        int depth = depth_of(v->args[i]);
        most = depth > most ? depth : most;
    }
    return most + (v->kind == PV_ELEM);
}

static enum walk collect_element(const struct pval *v, void *arg) {
    const struct collection *c = arg;
    struct batch *b = c->b;
    b->size += v->kind == PV_CALL ? BATCH_CALL : 1;
    b->calls = b->calls || (v->kind == PV_CALL && v->builtin->impl == IMPL_LIB) ||
               (v->kind == PV_OP && v->op == OP_POW);
    if (v->kind != PV_ELEM || v == b->skipped ||
        (c->some && !loads_before(c->g->plan, b->spread, v)))
        return WALK_IN;
    int depth = depth_of(v) - 1;
    bool beside = depth > 0 || gen_lane_axis(c->g, v) >= 0;
    for (int i = 0; i < v->nargs && !beside; i++) {
        int64_t by;
        bool varies = gen_varies(c->g, v->args[i]);
        bool shifted = varies && gen_grows(c->g, v->args[i], c->g->lane_var, &by) && by == 1;
        b->shifted = b->shifted || shifted;
        b->apart = b->apart || (varies && !shifted);
    }
    for (const struct batch_element *e = b->elements; e != NULL; e = e->next)
        if (same_value(e->place, v))
            return WALK_PAST;
    struct batch_element *e = NEW(c->g->uc, struct batch_element);
    e->place = v;
    e->depth = depth;
    e->next = b->elements;
    b->elements = e;
    b->n++;
    b->depth = depth > b->depth ? depth : b->depth;
    return WALK_IN;
}

static enum walk collect_accesses(const struct pstmt *s, void *arg) {
    const struct collection *c = arg;
    if (s->merged) {
        c->b->size += dtype_info[s->place->dtype].bits < 32 ? BATCH_EXCHANGE : BATCH_MERGE;
        value_walk(merged_value(s), collect_element, arg);
        for (int i = 0; i < s->place->nargs; i++)
            value_walk(s->place->args[i], collect_element, arg);
        return WALK_IN;
    }
    c->b->skipped = s->place;
    stmt_values(s, collect_element, arg);
    if (s->kind == PS_PUT) {
        struct batch_put *p = NEW(c->g->uc, struct batch_put), **end = &c->b->puts;
        p->put = s;
        while (*end != NULL)
            end = &(*end)->next;
        *end = p;
    }
    return WALK_IN;
}

/* some: not all elements can be loaded before the body runs. */
static struct batch *collect(struct gen *g, const struct pstmt *s, bool some) {
    struct batch *b = NEW(g->uc, struct batch);
    struct collection c = {g, b, some};
    b->spread = s;
    plan_walk(s->body, &(struct plan_visitor){.stmt = collect_accesses}, &c);
    return b;
}

/* ---- what is read under a condition */

/* Is a subscript another one, the lane variable, and a number? */
static bool is_beside(const struct gen *g, const struct pval *v, int64_t *offset) {
    bool sum = v->kind == PV_OP && (v->op == OP_ADD || v->op == OP_SUB) &&
               v->args[0]->kind == PV_VAR && v->args[0]->var == g->lane_var &&
               v->args[1]->kind == PV_CONST;
    *offset = !sum ? 0 : v->op == OP_ADD ? (int64_t)v->args[1]->i : -(int64_t)v->args[1]->i;
    return sum;
}

static enum walk find_beside(const struct pval *v, void *arg) {
    const struct collection *c = arg;
    struct batch *b = c->b;
    if (v->kind != PV_ELEM || b->nbeside == MAX_BESIDE || v->checked != 0)
        return WALK_IN;
    for (const struct batch_element *e = b->elements; e != NULL; e = e->next) {
        int axis = e->depth == 0 ? gen_lane_axis(c->g, e->place) : -1;
        int64_t offset;
        bool same = axis >= 0 && v->operand == e->place->operand && v->nargs == e->place->nargs &&
                    is_beside(c->g, v->args[axis], &offset);
        for (int i = 0; i < v->nargs && same; i++)
            same = i == axis || same_value(v->args[i], e->place->args[i]);
        if (same) {
            b->beside_of[b->nbeside++] = (struct batch_beside){v, e, offset};
            return WALK_PAST;
        }
    }
    return WALK_IN;
}

/* The same of a reduction of which some elements are read only where a condition holds: the others
 * are loaded together, as vectors where they are side by side, and are those of neighbours too. */
static struct batch *find_most(struct gen *g, const struct pstmt *s) {
    if (s->accs == NULL || s->merged || s->ordered || !loads_most(g->plan, s))
        return NULL;
    struct batch *b = collect(g, s, true);
    struct collection c = {g, b, true};
    plan_walk(s->body, &(struct plan_visitor){.value = find_beside}, &c);
    bool fits = b->depth == 0 && !b->apart && !b->shifted && b->n + b->nbeside <= HELD_BODY;
    return (b->nbeside > 0 || b->elements != NULL) && fits ? b : NULL;
}

struct batch *find_batch(struct gen *g, const struct pstmt *s) {
    if (!loads_first(g->plan, s))
        return find_most(g, s);
    struct batch *b = collect(g, s, false);
    bool fits = !s->merged ||
                (g->threads->kind == UFC_KERNEL_SCATTER ? b->n <= HELD_BODY
                                                        : b->depth == 0 && b->size <= HELD_BODY);
    return b->elements != NULL && !b->apart && !(b->shifted && s->accs == NULL) && fits ? b : NULL;
}

struct batch *find_micro_batch(struct gen *g, const struct pstmt *s) {
    struct batch *first = NULL;
    for (int n = points_at_once(g); n > 0; n--) {
        struct batch *b = find_batch(g, s);
        if (b == NULL)
            return NULL;
        b->next = first;
        first = b;
    }
    return first;
}

struct batch *find_scalars(struct gen *g, const struct pstmt *s) {
    if (!loads_before_storing(g->plan, s))
        return NULL;
    struct batch *b = collect(g, s, false);
    return b->elements != NULL && b->depth == 0 ? b : NULL;
}

/* Does a body store to an array at several places?  LLVM does not know that these are apart, and so
 * joins no stores of neighbouring points between which there are others. */
static bool puts_again(const struct batch *b) {
    for (const struct batch_put *p = b->puts; p != NULL; p = p->next)
        for (const struct batch_put *q = p->next; q != NULL; q = q->next)
            if (p->put->operand == q->put->operand)
                return true;
    return false;
}

struct batch *find_calling(struct gen *g, const struct pstmt *s) {
    if (!stores_behind(g->plan, s))
        return NULL;
    struct batch *b = collect(g, s, true);
    return (b->calls || puts_again(b)) && b->elements != NULL ? b : NULL;
}

/* Drops the elements that differ between the points that the thread has at once, or whose
 * subscripts others are made of. */
static void keep_same(struct gen *g, struct batch *b) {
    struct batch_element **at = &b->elements;
    while (*at != NULL)
        if ((*at)->depth > 0 || value_varies(g->abreast->varying, (*at)->place)) {
            *at = (*at)->next;
            b->n--;
        } else
            at = &(*at)->next;
    b->depth = 0;
}

static bool has_condition(const struct pstmt *list) {
    while (list != NULL && list->kind != PS_IF)
        list = list->next;
    return list != NULL;
}

/* The same of several points of which each reads where a condition of its own holds: what all of
 * them read is loaded once, before any of them asks. */
static struct batch *find_same(struct gen *g, const struct pstmt *s) {
    if (g->abreast == NULL || s->merged || !has_condition(s->body) || !loads_most(g->plan, s))
        return NULL;
    struct batch *b = collect(g, s, true);
    keep_same(g, b);
    b->partial = true;
    return b->elements != NULL ? b : NULL;
}

bool batch_is_partial(const struct batch *b) {
    return b->partial;
}

struct batch *find_reduced(struct gen *g, const struct pstmt *s) {
    if (s->accs == NULL || s->merged || !loads_first(g->plan, s))
        return s->accs != NULL ? find_same(g, s) : NULL;
    struct batch *b = collect(g, s, false);
    bool same = true; /* elements are, for all points that the thread has at once */
    for (const struct batch_element *e = b->elements; e != NULL && g->abreast != NULL; e = e->next)
        same = same && !value_varies(g->abreast->varying, e->place);
    return b->elements != NULL && b->depth == 0 && same ? b : NULL;
}

/* Stops where neighbouring points merge into neighbouring bins. */
static enum walk find_neighbours(const struct pstmt *s, void *g) {
    return s->merged && s->kind == PS_PUT && gen_lane_axis(g, s->place) >= 0 ? WALK_STOP : WALK_IN;
}

bool batch_is_apart(struct gen *g, const struct batch *b) {
    const struct plan_visitor neighbours = {.stmt = find_neighbours};
    if (b->shifted)
        return true;
    return b->spread->merged && (b->depth > 0 || !plan_walk(b->spread->body, &neighbours, g));
}

int batch_units(struct gen *g, const struct batch *b, int lanes) {
    bool nest = g->threads->kind == UFC_KERNEL_NEST;
    int most = lanes > 1 ? BATCH_UNITS : nest ? NEST_POINT_STEPS : BATCH_APART;
    int points = points_at_once(g);
    int size = (b->spread->merged && lanes == 1) || points > 1 ? MERGED_SIZE : BATCH_SIZE;
    int copies = size / (lanes * (b->size + 1) * points);
    if (most > BATCH_POINTS / lanes)
        most = BATCH_POINTS / lanes;
    return copies < 1 ? 1 : copies < most ? copies : most;
}

/* ---- points */

/* Sets the ranges' variables for a point of a unit. */
static void set_point(struct gen *g, const struct batch *b, int unit, int lane) {
    int i = 0;
    for (const struct prange *r = b->spread->ranges; r != NULL; r = r->next, i++) {
        LLVMValueRef index = b->index[unit][i];
        if (r->next == NULL)
            index = add(g, index, i64(g, (uint64_t)lane));
        LLVMBuildStore(g->b, index, var_of(g, r->var)->slot);
    }
}

static enum walk find_index(const struct pval *v, void *nest) {
    const struct nest *n = nest;
    for (int i = 0; i < n->n; i++)
        if (v->kind == PV_VAR && v->var == n->range[i]->var)
            return WALK_STOP;
    return WALK_IN;
}

void batch_keep(struct gen *g, struct batch *b, const struct nest *walked) {
    for (struct batch_element *e = b->elements; e != NULL; e = e->next)
        if (e->depth == 0 && value_walk(e->place, find_index, (void *)(uintptr_t)walked))
            e->kept = gen_element(g, e->place);
}

static void load_unit(struct gen *g, struct batch *b, int unit, int lanes) {
    int i = 0;
    for (const struct prange *r = b->spread->ranges; r != NULL; r = r->next)
        b->index[unit][i++] = LLVMBuildLoad2(g->b, i64_type(g), var_of(g, r->var)->slot, "");
    if (g->beside != NULL)
        b->beside[unit] = *g->beside;
    for (struct batch_element *e = b->elements; e != NULL; e = e->next) {
        LLVMValueRef *value = &e->value[unit * lanes];
        if (e->depth > 0)
            continue;
        if (e->kept != NULL) {
            for (int lane = 0; lane < lanes; lane++)
                value[lane] = e->kept;
            continue;
        }
        if (lanes > 1 && gen_lane_axis(g, e->place) >= 0) {
            load_vector(g, e->place, lanes, value);
            continue;
        }
        for (int lane = 0; lane < lanes; lane++) {
            set_point(g, b, unit, lane);
            value[lane] = gen_element(g, e->place);
        }
        set_point(g, b, unit, 0);
    }
}

/* Units of all points of a microtile: the one that is loaded, or so many that are computed. */
struct micro_units {
    struct batch *first;
    int units, lanes;
};

static struct batch *batch_of_point(const struct micro_units *u, int point) {
    struct batch *b = u->first;
    while (point-- > 0)
        b = b->next;
    return b;
}

static void load_at_point(struct gen *g, int point, const void *arg) {
    const struct micro_units *u = arg;
    load_unit(g, batch_of_point(u, point), u->units, u->lanes);
}

/* Points of a microtile load one after the other: LLVM finds that some load the same. */
void batch_load(struct gen *g, struct batch *b, int unit, int lanes) {
    const struct micro_units u = {b, unit, lanes};
    if (b->next != NULL)
        at_each_point(g, load_at_point, &u);
    else
        load_unit(g, b, unit, lanes);
}

/* The elements up to a depth that are loaded, at a point; gives how many. */
static int hold_point(struct gen *g, const struct batch *b, int depth, int unit, int lanes,
                      int lane, struct held *held) {
    int n = 0;
    for (const struct batch_element *e = b->elements; e != NULL; e = e->next)
        if (e->depth <= depth)
            held[n++] = (struct held){e->place, e->value[unit * lanes + lane]};
    for (const struct batch_beside *s = b->beside_of; s < b->beside_of + b->nbeside; s++)
        if (lane + s->offset >= 0 && lane + s->offset < lanes)
            held[n++] = (struct held){s->place, s->element->value[unit * lanes + lane + s->offset]};
    set_point(g, b, unit, lane);
    return n;
}

/* Loads the elements whose subscripts are made of loaded ones, of all units together. */
static void load_chained(struct gen *g, struct batch *b, int units, int lanes) {
    struct held held[HELD_BODY];
    g->held = held;
    for (int depth = 1; depth <= b->depth; depth++)
        for (int i = 0; i < units * lanes; i++) {
            g->nheld = hold_point(g, b, depth - 1, i / lanes, lanes, i % lanes, held);
            for (struct batch_element *e = b->elements; e != NULL; e = e->next)
                if (e->depth == depth)
                    e->value[i] = gen_element(g, e->place);
        }
    g->nheld = 0;
}

/* A PS_PUT at a point: its value is stored with the unit's others, unless it merges. */
static void put_later(struct gen *g, const struct pstmt *s) {
    const struct batch *b = (const struct batch *)g->sharing;
    if (s->merged) {
        gen_put_here(g, s);
        return;
    }
    struct batch_put *p = b->puts;
    while (p->put != s)
        p = p->next;
    if (p->slot[b->lane] == NULL)
        p->slot[b->lane] = gen_alloca(g, gen_type(g, s->place->dtype), "put");
    LLVMBuildStore(g->b, gen_value(g, s->value), p->slot[b->lane]);
}

static void compute_point(struct gen *g, const struct batch *b, int unit, int lanes) {
    struct held held[HELD_BODY];
    g->held = held;
    g->nheld = hold_point(g, b, b->depth, unit, lanes, b->lane, held);
    gen_stmts(g, b->spread->body);
    g->nheld = 0;
}

static void store_unit(struct gen *g, const struct batch *b, const struct batch_put *p, int unit,
                       int lanes) {
    const struct pval *place = p->put->place;
    LLVMValueRef value[MAX_LANES];
    for (int lane = 0; lane < lanes; lane++)
        value[lane] = LLVMBuildLoad2(g->b, gen_type(g, place->dtype), p->slot[lane], "");
    set_point(g, b, unit, 0);
    if (lanes > 1 && gen_lane_axis(g, place) >= 0) {
        store_vector(g, place, lanes, value);
        return;
    }
    for (int lane = 0; lane < lanes; lane++) {
        set_point(g, b, unit, lane);
        gen_store_to(g, place, value[lane]);
    }
}

static void compute_units(struct gen *g, struct batch *b, int units, int lanes) {
    const struct sharing *outer = g->sharing;
    b->sharing.put = put_later;
    load_chained(g, b, units, lanes);
    for (int unit = 0; unit < units; unit++) {
        g->sharing = &b->sharing;
        for (b->lane = 0; b->lane < lanes; b->lane++)
            compute_point(g, b, unit, lanes);
        g->sharing = outer;
        for (const struct batch_put *p = b->puts; p != NULL; p = p->next)
            store_unit(g, b, p, unit, lanes);
    }
}

static void compute_at_point(struct gen *g, int point, const void *arg) {
    const struct micro_units *u = arg;
    compute_units(g, batch_of_point(u, point), u->units, u->lanes);
}

void batch_compute(struct gen *g, struct batch *b, int units, int lanes) {
    const struct micro_units u = {b, units, lanes};
    if (b->next != NULL)
        at_each_point(g, compute_at_point, &u);
    else
        compute_units(g, b, units, lanes);
}

/* Goes to a point that was loaded as a unit of its own. */
static void return_to(struct gen *g, const struct batch *b, int unit, bool beside) {
    set_point(g, b, unit, 0);
    g->beside = beside ? &b->beside[unit] : NULL;
}

void batch_compute_first(struct gen *g, struct batch *b, int points, int each) {
    const struct sharing *outer = g->sharing;
    struct held held[HELD_BODY];
    b->sharing.put = put_later;
    g->sharing = &b->sharing;
    g->held = held;
    for (b->lane = 0; b->lane < points; b->lane++) {
        return_to(g, b, b->lane, each > 1);
        g->nheld = hold_point(g, b, 0, b->lane, 1, 0, held);
        gen_stmts(g, b->spread->body);
    }
    g->nheld = 0;
    g->sharing = outer;
    for (int first = 0; first < points; first += each)
        for (const struct batch_put *p = b->puts; p != NULL; p = p->next)
            for (int k = first; k < first + each; k++) {
                return_to(g, b, k, each > 1);
                LLVMTypeRef type = gen_type(g, p->put->place->dtype);
                gen_store_to(g, p->put->place, LLVMBuildLoad2(g->b, type, p->slot[k], ""));
            }
    g->beside = NULL;
}
