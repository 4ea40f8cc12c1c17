/* panel.c: PANEL, blocks that take several steps of an ordered loop without waiting for one
 * another.  A block has in shared memory the elements of its own indices along each axis that is
 * cut, and behind them those of the panel's: the indices of the steps that it takes.  The body
 * finds places of both by way of g->subscript; variables hold the places of indices that are cut,
 * and g->index gives the indices.
 *
 * Before a panel, the blocks store home what they have of its indices, wait for one another, and
 * load what they need of it.  None stores what is of the next panel until all have loaded this one.
 */
#include "gufunc.h"

enum { PANEL_AHEAD = 4 }; /* elements that a thread loads at once */

/* What a block has along the axes that are cut: numbers i32. */
struct frame {
    LLVMValueRef blocks;            /* of the call */
    LLVMValueRef part[PANEL_AXES];  /* its number along an axis; NULL: that is not cut */
    LLVMValueRef shift[PANEL_AXES]; /* the logarithm of how many parts there are */
    LLVMValueRef size[PANEL_AXES], own[PANEL_AXES]; /* elements of the axis; those of its own, */
    LLVMValueRef room[PANEL_AXES];                  /* and for how many of them there is room */
    LLVMValueRef first;                             /* index of the panel */
    LLVMValueRef panel[PANEL_AXES];                 /* how many it has along an axis */
    LLVMValueRef steps;                             /* and of the steps themselves */
    struct resident parts[UFC_MAX_OPERANDS], staged[UFC_MAX_OPERANDS];
    struct gen_array home[UFC_MAX_OPERANDS]; /* of what is staged: where it belongs */
    int nparts, nstaged;
    bool stages; /* the body finds inputs where the panel has them */
};

static int axis_of(const struct gen *g, int operand, int subscript) {
    return g->plan->map.panels->axis[operand][subscript] - 1;
}

static int axis_along(const struct gen *g, const struct resident *r, int i) {
    return axis_of(g, (int)(r->operand - g->plan->operands), i);
}

/* A size or an index in 32 bits, as all are where calls are narrow. */
static LLVMValueRef short_of(struct gen *g, LLVMValueRef v) {
    return LLVMBuildTrunc(g->b, v, i32_type(g), "");
}

static LLVMValueRef widened(struct gen *g, LLVMValueRef v) {
    return LLVMBuildSExt(g->b, v, i64_type(g), "");
}

static LLVMValueRef at_least_0(struct gen *g, LLVMValueRef v) {
    return gen_select(g, compare(g, LLVMIntSLT, v, i32(g, 0)), i32(g, 0), v);
}

/* v, or the bound that it is beyond. */
static LLVMValueRef within(struct gen *g, LLVMValueRef v, LLVMValueRef most) {
    return least(g, at_least_0(g, v), most);
}

/* The first of the block's own places that has an index, or one behind it. */
static LLVMValueRef own_from(struct gen *g, int axis, LLVMValueRef index) {
    const struct frame *f = g->threads->frame;
    LLVMValueRef parts = LLVMBuildShl(g->b, i32(g, 1), f->shift[axis], "");
    LLVMValueRef at = add(g, subtract(g, index, f->part[axis]), subtract(g, parts, i32(g, 1)));
    return within(g, LLVMBuildAShr(g->b, at, f->shift[axis], ""), f->own[axis]);
}

static LLVMValueRef own_index(struct gen *g, int axis, LLVMValueRef place) {
    const struct frame *f = g->threads->frame;
    return add(g, LLVMBuildShl(g->b, place, f->shift[axis], ""), f->part[axis]);
}

/* ---- the body's places */

/* A bound of points, i64, in 32 bits: those that an axis lacks have nothing to store to. */
static LLVMValueRef bound_along(struct gen *g, int axis, LLVMValueRef bound) {
    LLVMValueRef size = widened(g, g->threads->frame->size[axis]);
    return short_of(g, least(g, greatest(g, bound, i64(g, 0)), size));
}

void panel_range(struct gen *g, struct nest *n, int i, LLVMValueRef hi) {
    const struct frame *f = g->threads->frame;
    int axis = g->plan->map.panels->cut[n->range[i]->var->id] - 1;
    if (axis < 0)
        return;
    LLVMValueRef lo = bound_along(g, axis, n->lo[i]), first = own_from(g, axis, lo);
    hi = bound_along(g, axis, hi);
    LLVMValueRef own = at_least_0(g, subtract(g, own_from(g, axis, hi), first));
    LLVMValueRef begin = within(g, subtract(g, lo, f->first), f->panel[axis]);
    LLVMValueRef panel = subtract(g, within(g, subtract(g, hi, f->first), f->panel[axis]), begin);
    n->lo[i] = extended(g, first);
    n->count[i] = extended(g, add(g, own, at_least_0(g, panel)));
    n->bend[i] = own;
    n->gap[i] = subtract(g, add(g, f->room[axis], begin), add(g, first, own));
}

LLVMValueRef panel_place(struct gen *g, const struct nest *n, int i, LLVMValueRef position) {
    LLVMValueRef at = short_of(g, position), behind = compare(g, LLVMIntSGE, at, n->bend[i]);
    at = add(g, at, gen_select(g, behind, n->gap[i], i32(g, 0)));
    return extended(g, add(g, at, short_of(g, n->lo[i])));
}

/* g->index */
static LLVMValueRef index_of(struct gen *g, const struct pvar *v, LLVMValueRef place) {
    const struct frame *f = g->threads->frame;
    int axis = g->plan->map.panels->cut[v->id] - 1;
    if (axis < 0)
        return place;
    place = short_of(g, place);
    LLVMValueRef behind = subtract(g, place, f->room[axis]);
    LLVMValueRef index = gen_select(g, compare(g, LLVMIntSLT, behind, i32(g, 0)),
                                    own_index(g, axis, place), add(g, f->first, behind));
    return extended(g, index);
}

/* g->subscript: the place of the point's own index, or of the loop's. */
static LLVMValueRef place_of(struct gen *g, const struct pval *v, int i) {
    const struct frame *f = g->threads->frame;
    const struct panels *panels = g->plan->map.panels;
    uint32_t near = panels->stored | (f->stages ? panels->staged : 0);
    if (v->operand >= 32 || !(near >> v->operand & 1))
        return NULL;
    int axis = axis_of(g, v->operand, i);
    if (axis < 0)
        return NULL;
    LLVMValueRef at = LLVMBuildLoad2(g->b, i64_type(g), gen_slot_of(g, v->args[i]->var), "");
    if (v->args[i]->var != panels->loop->var)
        return at;
    LLVMValueRef behind = subtract(g, short_of(g, at), f->first);
    return extended(g, axis == PANEL_STEPS ? behind : add(g, f->room[axis], behind));
}

/* ---- copies */

/* The block's own ones, from places `from` to `to`. */
static struct stretch own_between(struct gen *g, int axis, LLVMValueRef from, LLVMValueRef to) {
    LLVMValueRef apart = LLVMBuildShl(g->b, i32(g, 1), g->threads->frame->shift[axis], "");
    return (struct stretch){from, own_index(g, axis, from), apart, subtract(g, to, from)};
}

/* The elements of an input that are of the panel's steps, as far as there are any. */
static struct stretch steps_along(struct gen *g, const struct resident *r, int i) {
    const struct frame *f = g->threads->frame;
    LLVMValueRef left = at_least_0(g, subtract(g, r->size[i], f->first));
    return (struct stretch){i32(g, 0), f->first, i32(g, 1), least(g, f->steps, left)};
}

static struct stretch own_along(struct gen *g, const struct resident *r, int i) {
    int axis = axis_along(g, r, i);
    if (axis == PANEL_STEPS)
        return steps_along(g, r, i);
    return axis < 0 ? all_along(g, r, i)
                    : own_between(g, axis, i32(g, 0), g->threads->frame->own[axis]);
}

/* Those of its own that are the panel's. */
static struct stretch own_in_panel(struct gen *g, int axis) {
    const struct frame *f = g->threads->frame;
    return own_between(g, axis, own_from(g, axis, f->first),
                       own_from(g, axis, add(g, f->first, f->panel[axis])));
}

static struct stretch panel_along(struct gen *g, int axis) {
    const struct frame *f = g->threads->frame;
    return (struct stretch){f->room[axis], f->first, i32(g, 1), f->panel[axis]};
}

static bool is_cut(const struct gen *g, const struct resident *r) {
    bool cut = false;
    for (int i = 0; i < r->operand->rank; i++)
        cut = cut || axis_along(g, r, i) >= 0;
    return cut;
}

/* Of blocks that have the same elements of an array, the first one stores them home. */
static LLVMBasicBlockRef begin_first(struct gen *g, const struct resident *r) {
    const struct frame *f = g->threads->frame;
    LLVMValueRef others = i32(g, 0);
    for (int axis = 0; axis < PANEL_AXES; axis++) {
        bool along = f->part[axis] == NULL;
        for (int i = 0; i < r->operand->rank; i++)
            along = along || axis_along(g, r, i) == axis;
        others = along ? others : LLVMBuildOr(g->b, others, f->part[axis], "");
    }
    return begin_if(g, compare(g, LLVMIntEQ, others, i32(g, 0)));
}

/* Stores what the block has of the panel's indices. */
static void publish(struct gen *g, const struct resident *r) {
    struct stretch s[MAX_CORE_RANK];
    LLVMBasicBlockRef after = begin_first(g, r);
    for (int k = 0; k < r->operand->rank; k++) {
        int axis = axis_along(g, r, k);
        for (int i = 0; i < r->operand->rank; i++)
            s[i] = i == k && axis >= 0 ? own_in_panel(g, axis) : own_along(g, r, i);
        if (axis >= 0)
            copy_resident(g, r, s, true);
    }
    end_if(g, after);
}

/* As copy_resident does, but several elements of a thread's are under way at once. */
static void load_ahead(struct gen *g, const struct resident *r, const struct stretch *s) {
    const struct threads *t = g->threads;
    const struct poperand *o = r->operand;
    LLVMTypeRef type = gen_memory_type(g, o->dtype);
    LLVMValueRef total = i32(g, 1), v[PANEL_AHEAD], near[PANEL_AHEAD], in[PANEL_AHEAD];
    for (int i = 0; i < o->rank; i++)
        total = multiply(g, total, s[i].count);
    LLVMValueRef last = subtract(g, total, i32(g, 1));
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){t->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], total));
    LLVMValueRef at = l.phi[0];
    for (int k = 0; k < PANEL_AHEAD; k++) {
        in[k] = compare(g, LLVMIntULT, at, total);
        struct copied c = copied_at(g, r, s, least(g, at, last));
        near[k] = c.near;
        v[k] = LLVMBuildLoad2(g->b, type, c.home, "");
        LLVMSetAlignment(v[k], dtype_align(o->dtype));
        at = add(g, at, t->ntid);
    }
    for (int k = 0; k < PANEL_AHEAD; k++) {
        LLVMBasicBlockRef after = begin_if(g, in[k]);
        LLVMSetAlignment(LLVMBuildStore(g->b, v[k], near[k]), dtype_align(o->dtype));
        end_if(g, after);
    }
    loop_end(g, &l, &at);
}

/* Loads what is of the panel's indices along some axes, a bit each of `which`. */
static void load_panel(struct gen *g, const struct resident *r) {
    struct stretch s[MAX_CORE_RANK];
    int rank = r->operand->rank;
    for (int which = 1; which < 1 << rank; which++) {
        bool cut = true;
        for (int i = 0; i < rank; i++) {
            int axis = axis_along(g, r, i);
            bool panel = which >> i & 1;
            cut = cut && ((axis >= 0 && axis != PANEL_STEPS) || !panel);
            s[i] = panel && axis >= 0 ? panel_along(g, axis) : own_along(g, r, i);
        }
        if (cut)
            load_ahead(g, r, s);
    }
}

/* Loads what the panel's steps read of an input. */
static void load_input(struct gen *g, const struct resident *r) {
    struct stretch s[MAX_CORE_RANK];
    for (int i = 0; i < r->operand->rank; i++)
        s[i] = own_along(g, r, i);
    load_ahead(g, r, s);
    load_panel(g, r);
}

/* What the panel has of the block's own elements replaces them. */
static void return_panel(struct gen *g, const struct resident *r) {
    const struct threads *t = g->threads;
    const struct frame *f = t->frame;
    const struct poperand *o = r->operand;
    LLVMTypeRef type = gen_memory_type(g, o->dtype);
    LLVMValueRef total = i32(g, 1), count[MAX_CORE_RANK];
    for (int i = 0; i < o->rank; i++) {
        count[i] = own_along(g, r, i).count;
        total = multiply(g, total, count[i]);
    }
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){t->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], total));
    LLVMValueRef rest = l.phi[0], to = i32(g, 0), from = i32(g, 0);
    LLVMValueRef any = LLVMConstInt(i1_type(g), 0, false);
    for (int i = o->rank; i-- > 0;) {
        int axis = axis_along(g, r, i);
        LLVMValueRef q = i > 0 ? LLVMBuildUDiv(g->b, rest, count[i], "") : i32(g, 0);
        LLVMValueRef at = subtract(g, rest, multiply(g, q, count[i])), source = at;
        if (axis >= 0) {
            LLVMValueRef behind = subtract(g, own_index(g, axis, at), f->first);
            LLVMValueRef in = compare(g, LLVMIntULT, behind, f->panel[axis]);
            source = gen_select(g, in, add(g, f->room[axis], behind), at);
            any = LLVMBuildOr(g->b, any, in, "");
        }
        to = add(g, to, multiply(g, at, r->near_stride[i]));
        from = add(g, from, multiply(g, source, r->near_stride[i]));
        rest = q;
    }
    LLVMBasicBlockRef after = begin_if(g, any);
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, at_byte(g, r->near, extended(g, from)), "");
    LLVMSetAlignment(v, dtype_align(o->dtype));
    LLVMSetAlignment(LLVMBuildStore(g->b, v, at_byte(g, r->near, extended(g, to))),
                     dtype_align(o->dtype));
    end_if(g, after);
    LLVMValueRef next = add(g, l.phi[0], t->ntid);
    loop_end(g, &l, &next);
}

/* ---- the loop */

static void for_parts(struct gen *g, void (*f)(struct gen *g, const struct resident *r)) {
    const struct frame *frame = g->threads->frame;
    for (int i = 0; i < frame->nparts; i++)
        if (is_cut(g, &frame->parts[i]))
            f(g, &frame->parts[i]);
}

/* The steps of a panel, from index `first` to before `end`: i32. */
static void gen_steps(struct gen *g, const struct pstmt *s, LLVMValueRef first, LLVMValueRef end) {
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    gen_set_index(g, s->var, widened(g, l.phi[0]));
    gen_stmts(g, s->body);
    LLVMValueRef next = add(g, l.phi[0], i32(g, 1));
    loop_end(g, &l, &next);
}

/* Lets the body have an array in shared memory. */
static void move_part(struct gen *g, const struct resident *r) {
    struct gen_array *array = &g->arrays[r->operand - g->plan->operands];
    array->base = r->near;
    array->narrow = true;
    for (int i = 0; i < r->operand->rank; i++)
        array->stride[i] = extended(g, r->near_stride[i]);
}

/* Has the body find inputs where the panel has them. */
static void enter_panel(struct gen *g) {
    struct frame *f = g->threads->frame;
    f->stages = true;
    for (int i = 0; i < f->nstaged; i++) {
        f->home[i] = g->arrays[f->staged[i].operand - g->plan->operands];
        move_part(g, &f->staged[i]);
    }
}

static void leave_panel(struct gen *g) {
    struct frame *f = g->threads->frame;
    f->stages = false;
    for (int i = 0; i < f->nstaged; i++)
        g->arrays[f->staged[i].operand - g->plan->operands] = f->home[i];
}

static bool gen_panels(struct gen *g, const struct pstmt *s) {
    struct frame *f = g->threads->frame;
    if (s != g->plan->map.panels->loop)
        return false;
    LLVMValueRef first = short_of(g, gen_value(g, s->lo)), end = short_of(g, gen_value(g, s->hi));
    LLVMValueRef width = param_i32(g, PARAM(halo));
    struct loop l;
    loop_begin(g, &l, 1, &first);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntSLT, l.phi[0], end));
    f->first = l.phi[0];
    LLVMValueRef behind = least(g, end, add(g, f->first, width));
    for (int axis = 0; axis < PANEL_AXES; axis++)
        if (f->part[axis] != NULL)
            f->panel[axis] =
                within(g, subtract(g, least(g, behind, f->size[axis]), f->first), width);
    f->steps = subtract(g, behind, f->first);
    gpu(g)->barrier(g);
    blocks_await(g); /* until all have loaded the panel before */
    for_parts(g, publish);
    gpu(g)->barrier(g);
    blocks_arrive(g, f->blocks);
    for (int i = 0; i < f->nstaged; i++)
        load_input(g, &f->staged[i]);
    blocks_await(g);
    for_parts(g, load_panel);
    gpu(g)->barrier(g);
    blocks_arrive(g, f->blocks);
    enter_panel(g);
    gen_steps(g, s, f->first, behind);
    leave_panel(g);
    gpu(g)->barrier(g);
    for_parts(g, return_panel);
    loop_end(g, &l, &behind);
    f->first = f->panel[0] = f->panel[1] = i32(g, 0);
    gpu(g)->barrier(g);
    blocks_await(g); /* until all have loaded the last one */
    return true;
}

/* ---- the kernel */

/* Finds the block's number along each axis, and what it has there. */
static void find_frame(struct gen *g, LLVMValueRef block, struct frame *f) {
    const struct panels *panels = g->plan->map.panels;
    f->first = i32(g, 0);
    for (int axis = PANEL_AXES; axis-- > 0;) {
        f->panel[axis] = i32(g, 0);
        if (panels->dims[axis] == NULL)
            continue;
        LLVMValueRef parts = param_i32(g, PARAM(own) + 4 * (size_t)axis);
        LLVMValueRef last = subtract(g, parts, i32(g, 1));
        LLVMValueRef size = short_of(g, g->dims[panels->dims[axis]->index]);
        f->shift[axis] = trailing_zeros(g, parts);
        f->part[axis] = both(g, block, last);
        f->size[axis] = size;
        f->room[axis] = LLVMBuildLShr(g->b, add(g, size, last), f->shift[axis], "");
        f->own[axis] = f->room[axis];
        f->own[axis] = own_from(g, axis, size);
        block = LLVMBuildLShr(g->b, block, f->shift[axis], "");
    }
}

/* Finds operand k's place `offset` bytes (i32) from the beginning of shared memory; gives the
 * offset behind it. */
static LLVMValueRef place_part(struct gen *g, int k, LLVMValueRef offset, const struct frame *f,
                               struct resident *r) {
    const struct poperand *o = &g->plan->operands[k];
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[o->dtype].bits / 8);
    LLVMValueRef width = param_i32(g, PARAM(halo));
    *r = (struct resident){.operand = o, .home = g->arrays[k].base};
    r->near = at_byte(g, dynamic_memory(g), extended(g, offset));
    for (int i = o->rank; i-- > 0;) {
        int axis = axis_of(g, k, i);
        r->size[i] = short_of(g, g->dims[o->dims[i]->index]);
        LLVMValueRef extent = axis == PANEL_STEPS ? width
                              : axis >= 0         ? add(g, f->room[axis], width)
                                                  : r->size[i];
        extent = i == o->rank - 1 ? LLVMBuildOr(g->b, extent, i32(g, 1), "") : extent;
        r->stride[i] = g->arrays[k].stride[i];
        r->near_stride[i] = bytes;
        bytes = multiply(g, bytes, extent);
    }
    bytes = LLVMBuildAnd(g->b, add(g, bytes, i32(g, 15)), i32(g, (uint32_t)-16), "");
    return add(g, offset, bytes);
}

/* Copies all of the block's own elements: home, or from there. */
static void copy_own(struct gen *g, const struct resident *r, bool home) {
    struct stretch s[MAX_CORE_RANK] = {{NULL, NULL, NULL, NULL}};
    LLVMBasicBlockRef after = home ? begin_first(g, r) : NULL;
    for (int i = 0; i < r->operand->rank; i++)
        s[i] = own_along(g, r, i);
    copy_resident(g, r, s, home);
    if (home)
        end_if(g, after);
}

void gen_panel_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    struct sharing sharing = by_threads;
    struct frame f = {.nparts = 0};
    LLVMValueRef offset = i32(g, 0);
    gufunc_find_block(g, t);
    f.blocks = param_i32(g, PARAM(blocks));
    LLVMValueRef call = LLVMBuildUDiv(g->b, t->ctaid, f.blocks, "");
    LLVMValueRef block = subtract(g, t->ctaid, multiply(g, call, f.blocks));
    t->call = extended(g, call);
    t->frame = &f;
    gufunc_enter_call(g, t);
    gufunc_find_counter(g, t);
    find_frame(g, block, &f);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->map.panels->stored >> k & 1) {
            struct resident *r = &f.parts[f.nparts++];
            offset = place_part(g, k, offset, &f, r);
            move_part(g, r);
            if (p->overload->inst->unwritten >> (k - p->nin) & 1)
                copy_own(g, r, false);
        }
    for (int k = 0; k < p->nin; k++)
        if (p->map.panels->staged >> k & 1)
            offset = place_part(g, k, offset, &f, &f.staged[f.nstaged++]);
    sharing.loop = gen_panels;
    g->sharing = &sharing;
    g->merge = gen_merge;
    g->subscript = place_of;
    g->index = index_of;
    gpu(g)->barrier(g);
    gen_stmts(g, p->body);
    gpu(g)->barrier(g);
    g->subscript = NULL;
    g->index = NULL;
    for (int i = 0; i < f.nparts; i++)
        if (f.parts[i].operand < &p->operands[p->nin + p->overload->nout])
            copy_own(g, &f.parts[i], true);
    gufunc_leave_call(g, t);
}
