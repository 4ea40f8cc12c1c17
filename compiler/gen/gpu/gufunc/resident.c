/* resident.c: RESIDENT, a block for each call, and HALO, a block for each part of one.  Outputs
 * that the call reads again are in shared memory until it ends, when the block copies them to where
 * they belong.  Inputs that it reads step by step may be there too, so that no step waits for
 * memory.
 *
 * In HALO a block has a part of the outputs, with what that depends on around it: the body finds
 * arrays at addresses as if they were there from their first elements on, and ranges along the axes
 * that are cut have the indices alone that the block has. */
#include "gufunc.h"

LLVMValueRef dynamic_memory(struct gen *g) {
    static const char name[] = "resident";
    LLVMValueRef v = LLVMGetNamedGlobal(g->module, name);
    if (v != NULL)
        return v;
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(g->context), 0);
    v = LLVMAddGlobalInAddressSpace(g->module, bytes, name, gpu(g)->shared);
    LLVMSetAlignment(v, 16);
    return v;
}

/* Elements from row to row, so that threads with a row each access different banks: an odd number,
 * or an even one where each thread is an odd number of columns behind the one before it. */
static LLVMValueRef pitch(struct gen *g, LLVMValueRef columns) {
    LLVMValueRef one = i32(g, 1);
    if (g->plan->map.odd_lag)
        return LLVMBuildAnd(g->b, add(g, columns, one), i32(g, UINT32_MAX - 1), "");
    return LLVMBuildOr(g->b, columns, one, "");
}

/* Finds operand k's place `offset` bytes (i32) from the beginning of shared memory; gives the
 * offset behind it. */
static LLVMValueRef find_place(struct gen *g, int k, LLVMValueRef offset, struct resident *r) {
    const struct poperand *o = &g->plan->operands[k];
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[o->dtype].bits / 8);
    *r = (struct resident){.operand = o, .home = g->arrays[k].base};
    r->near = at_byte(g, dynamic_memory(g), extended(g, offset));
    for (int i = o->rank; i-- > 0;) {
        r->stride[i] = g->arrays[k].stride[i];
        r->near_stride[i] = bytes;
        r->size[i] = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
        bytes = multiply(g, bytes, i == o->rank - 1 ? pitch(g, r->size[i]) : r->size[i]);
    }
    bytes = LLVMBuildAnd(g->b, add(g, bytes, i32(g, 15)), i32(g, (uint32_t)-16), "");
    return add(g, offset, bytes);
}

/* The body finds an output in shared memory. */
static void move_output(struct gen *g, const struct resident *r, struct gen_array *array) {
    array->base = r->near;
    array->narrow = true;
    for (int i = 0; i < r->operand->rank; i++)
        array->stride[i] = extended(g, r->near_stride[i]);
}

/* The body finds an input there if `moves`, i1. */
static void move_input(struct gen *g, const struct resident *r, struct gen_array *array,
                       LLVMValueRef moves) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    array->base = gen_select(g, moves, LLVMBuildAddrSpaceCast(g->b, r->near, generic, ""),
                             LLVMBuildAddrSpaceCast(g->b, r->home, generic, ""));
    for (int i = 0; i < r->operand->rank; i++)
        array->stride[i] = gen_select(g, moves, extended(g, r->near_stride[i]), r->stride[i]);
}

struct stretch all_along(struct gen *g, const struct resident *r, int i) {
    return (struct stretch){i32(g, 0), i32(g, 0), i32(g, 1), r->size[i]};
}

struct copied copied_at(struct gen *g, const struct resident *r, const struct stretch *s,
                        LLVMValueRef number) {
    LLVMValueRef rest = number, near = i32(g, 0), far = i64(g, 0);
    for (int i = r->operand->rank; i-- > 0;) {
        LLVMValueRef q = i > 0 ? LLVMBuildUDiv(g->b, rest, s[i].count, "") : i32(g, 0);
        LLVMValueRef at = subtract(g, rest, multiply(g, q, s[i].count));
        LLVMValueRef index = add(g, s[i].index, multiply(g, at, s[i].apart));
        near = add(g, near, multiply(g, add(g, s[i].place, at), r->near_stride[i]));
        far = add(g, far, multiply(g, extended(g, index), r->stride[i]));
        rest = q;
    }
    return (struct copied){at_byte(g, r->near, extended(g, near)), at_byte(g, r->home, far)};
}

void copy_resident(struct gen *g, const struct resident *r, const struct stretch *s, bool home) {
    const struct threads *t = g->threads;
    const struct poperand *o = r->operand;
    LLVMTypeRef type = gen_memory_type(g, o->dtype);
    LLVMValueRef total = i32(g, 1);
    for (int i = 0; i < o->rank; i++)
        total = multiply(g, total, s[i].count);
    struct loop l;
    loop_begin(g, &l, 1, &(LLVMValueRef){t->tid});
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], total));
    struct copied c = copied_at(g, r, s, l.phi[0]);
    LLVMValueRef v = LLVMBuildLoad2(g->b, type, home ? c.near : c.home, "");
    LLVMSetAlignment(v, dtype_align(o->dtype));
    LLVMSetAlignment(LLVMBuildStore(g->b, v, home ? c.home : c.near), dtype_align(o->dtype));
    LLVMValueRef next = add(g, l.phi[0], t->ntid);
    loop_end(g, &l, &next);
}

/* The block copies all elements: home, or from there. */
static void copy(struct gen *g, const struct resident *r, bool home) {
    struct stretch all[MAX_CORE_RANK];
    for (int i = 0; i < r->operand->rank; i++)
        all[i] = all_along(g, r, i);
    copy_resident(g, r, all, home);
}

/* The same of the outputs among them; what is in between is not needed again. */
static void copy_home(struct gen *g, const struct resident *r, int n) {
    const struct plan *p = g->plan;
    for (int i = 0; i < n; i++)
        if (r[i].operand < &p->operands[p->nin + p->overload->nout])
            copy(g, &r[i], true);
}

/* Moves the inputs, if the launch says so, behind the outputs. */
static void move_inputs(struct gen *g, LLVMValueRef offset) {
    const struct plan *p = g->plan;
    struct resident r[UFC_MAX_OPERANDS];
    int n = 0;
    LLVMValueRef moves = compare(g, LLVMIntNE, param_i32(g, PARAM(inputs)), i32(g, 0));
    for (int k = 0; k < p->nin; k++)
        if (p->map.resident >> k & 1) {
            offset = find_place(g, k, offset, &r[n]);
            move_input(g, &r[n++], &g->arrays[k], moves);
        }
    LLVMBasicBlockRef after = n > 0 ? begin_if(g, moves) : NULL;
    for (int i = 0; i < n; i++)
        copy(g, &r[i], false);
    if (after != NULL)
        end_if(g, after);
}

/* g->merge: sums of 64 bits are two words, since shared memory adds no more at once. */
static void merge_resident(struct gen *g, const struct pstmt *s) {
    enum ufc_dtype d = s->place->dtype;
    if (!is_integer(d) || dtype_info[d].bits < 64 || merge_of(s) != OP_ADD ||
        !(g->plan->map.resident >> s->operand & 1)) {
        gen_merge(g, s);
        return;
    }
    LLVMValueRef v = gen_merged(g, s), at = gen_address(g, s->place);
    LLVMValueRef low = LLVMBuildTrunc(g->b, v, i32_type(g), "");
    LLVMValueRef high =
        LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, v, i64(g, 32), ""), i32_type(g), "");
    LLVMValueRef sum = add(g, gen_add_word(g, at, low), low);
    LLVMValueRef carry = compare(g, LLVMIntULT, sum, low);
    high = add(g, high, LLVMBuildZExt(g->b, carry, i32_type(g), ""));
    LLVMBasicBlockRef after = begin_if(g, is_set(g, high));
    gen_add_word(g, at_byte(g, at, i64(g, 4)), high);
    end_if(g, after);
}

/* The body, of arrays in shared memory. */
static void gen_near(struct gen *g) {
    g->sharing = g->threads->kind == UFC_KERNEL_RESIDENT ? share_local_arrays(g) : &by_threads;
    g->merge = merge_resident;
    gpu(g)->barrier(g);
    gen_stmts(g, g->plan->body);
    gpu(g)->barrier(g);
}

void gen_resident_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    struct resident r[UFC_MAX_OPERANDS];
    LLVMValueRef offset = i32(g, 0);
    int n = 0;
    gufunc_find_block(g, t);
    gufunc_enter_call(g, t);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->map.resident >> k & 1) {
            offset = find_place(g, k, offset, &r[n]);
            if (p->overload->inst->unwritten >> (k - p->nin) & 1)
                copy(g, &r[n], false);
            move_output(g, &r[n++], &g->arrays[k]);
        }
    move_inputs(g, offset);
    gen_near(g);
    copy_home(g, r, n);
    gufunc_leave_call(g, t);
}

/* ---- HALO */

/* Elements from `first` on of an axis that is cut, up to `end`: i32. */
struct cut {
    LLVMValueRef first, end;
};

/* What the block, number `at` along an axis, has of the results. */
static struct cut find_cut(struct gen *g, int axis, LLVMValueRef at) {
    LLVMValueRef size = g->dims[g->plan->map.halo->dims[axis]];
    LLVMValueRef own = param_i32(g, PARAM(own) + 4 * (size_t)axis);
    struct cut c = {.first = multiply(g, at, own)};
    c.end = least(g, add(g, c.first, own), LLVMBuildTrunc(g->b, size, i32_type(g), ""));
    return c;
}

/* What places along an axis that wraps are more than its indices, so that none is below 0: i32. */
static LLVMValueRef lift_of(struct gen *g, int axis) {
    const struct halo *h = g->plan->map.halo;
    LLVMValueRef size = LLVMBuildTrunc(g->b, g->dims[h->dims[axis]], i32_type(g), "");
    return h->wraps[axis] ? size : i32(g, 0);
}

/* Lets ranges along the axis have these elements, and those of the halo; gives the first place in
 * shared memory, before which there are `pad` more. */
static LLVMValueRef set_frame(struct gen *g, struct threads *t, int axis, const struct cut *c) {
    LLVMValueRef halo = param_i32(g, PARAM(halo) + 4 * (size_t)axis), zero = i32(g, 0);
    LLVMValueRef first = subtract(g, c->first, halo);
    if (!g->plan->map.halo->wraps[axis])
        first = gen_select(g, compare(g, LLVMIntSLT, first, zero), zero, first);
    LLVMValueRef end = add(g, c->end, halo);
    first = add(g, first, lift_of(g, axis));
    t->cut_first[axis] = extended(g, first);
    t->cut_end[axis] = extended(g, add(g, end, lift_of(g, axis)));
    return subtract(g, first, i32(g, (uint32_t)g->plan->map.halo->pad[axis]));
}

/* Finds operand k's place `offset` bytes (i32) from the beginning of shared memory, of which it has
 * elements from `first` on along the axes that are cut, and lets the body have it there; gives the
 * offset behind them.  r becomes what belongs home. */
static LLVMValueRef place_part(struct gen *g, int k, const struct cut *cut,
                               LLVMValueRef const *first, LLVMValueRef offset, struct resident *r) {
    const struct halo *h = g->plan->map.halo;
    const struct poperand *o = &g->plan->operands[k];
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[o->dtype].bits / 8), back = i32(g, 0);
    LLVMValueRef own = i32(g, 0), home = i64(g, 0);
    *r = (struct resident){.operand = o};
    for (int i = o->rank; i-- > 0;) {
        r->stride[i] = g->arrays[k].stride[i];
        r->near_stride[i] = bytes;
        r->size[i] = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
        if (i >= h->naxes) {
            bytes = multiply(g, bytes, r->size[i]);
            continue;
        }
        back = add(g, back, multiply(g, first[i], bytes));
        own = add(g, own, multiply(g, add(g, cut[i].first, lift_of(g, i)), bytes));
        home = add(g, home, multiply(g, extended(g, cut[i].first), r->stride[i]));
        r->size[i] = subtract(g, cut[i].end, cut[i].first);
        LLVMValueRef room = LLVMBuildShl(
            g->b, add(g, param_i32(g, PARAM(halo) + 4 * (size_t)i), i32(g, (uint32_t)h->pad[i])),
            i32(g, 1), "");
        bytes = multiply(g, bytes, add(g, param_i32(g, PARAM(own) + 4 * (size_t)i), room));
    }
    r->home = at_byte(g, g->arrays[k].base, home);
    LLVMValueRef at = LLVMBuildSExt(g->b, subtract(g, offset, back), i64_type(g), "");
    LLVMValueRef base = at_byte(g, dynamic_memory(g), at); /* mostly before all shared memory */
    r->near = base;
    move_output(g, r, &g->arrays[k]);
    r->near = at_byte(g, base, extended(g, own));
    bytes = LLVMBuildAnd(g->b, add(g, bytes, i32(g, 15)), i32(g, (uint32_t)-16), "");
    return add(g, offset, bytes);
}

/* A place less the size if it is that or more, and the size more if it is below 0. */
static LLVMValueRef wrapped(struct gen *g, LLVMValueRef at, LLVMValueRef least, LLVMValueRef size,
                            LLVMValueRef end) {
    LLVMValueRef less = subtract(g, at, size), more = add(g, at, size);
    at = gen_select(g, compare(g, LLVMIntSGE, at, end), less, at);
    return gen_select(g, compare(g, LLVMIntSLT, at, least), more, at);
}

/* g->index: the index of the place that a variable has, if it is one along an axis that wraps. */
static LLVMValueRef wrapped_index(struct gen *g, const struct pvar *v, LLVMValueRef place) {
    const struct halo *h = g->plan->map.halo;
    for (int i = 0; i < h->naxes; i++)
        if (h->wraps[i] && g->cut[i] == v) {
            LLVMValueRef size = g->dims[h->dims[i]];
            return wrapped(g, subtract(g, place, size), i64(g, 0), size, size);
        }
    return place;
}

/* g->subscript: along an axis that wraps, the place beside the point's, at most `pad` away, that is
 * the subscript's, or one size more or less. */
static LLVMValueRef wrapped_subscript(struct gen *g, const struct pval *place, int i) {
    const struct halo *h = g->plan->map.halo;
    if (place->operand >= 32 || !(h->stored >> place->operand & 1) || i >= h->naxes || !h->wraps[i])
        return NULL;
    const struct pval *v = place->args[i];
    LLVMValueRef at = LLVMBuildLoad2(g->b, i64_type(g), gen_slot_of(g, g->cut[i]), "");
    LLVMValueRef index = wrapped_index(g, g->cut[i], at);
    if (v->direct != NULL)
        return add(g, at, subtract(g, gen_value(g, v->direct), index));
    LLVMValueRef by = subtract(g, gen_value(g, v), index);
    LLVMValueRef pad = i64(g, (uint64_t)h->pad[i]), least = i64(g, (uint64_t)-h->pad[i]);
    by = wrapped(g, by, least, g->dims[h->dims[i]], add(g, pad, i64(g, 1)));
    return add(g, at, by);
}

void gen_halo_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    const struct halo *h = p->map.halo;
    struct resident r[UFC_MAX_OPERANDS];
    struct cut cut[HALO_AXES];
    LLVMValueRef first[HALO_AXES], offset = i32(g, 0);
    int n = 0;
    gufunc_find_block(g, t);
    LLVMValueRef blocks = param_i32(g, PARAM(blocks)), across = param_i32(g, PARAM(across));
    LLVMValueRef call = LLVMBuildUDiv(g->b, t->ctaid, blocks, "");
    LLVMValueRef block = subtract(g, t->ctaid, multiply(g, call, blocks));
    LLVMValueRef row = LLVMBuildUDiv(g->b, block, across, "");
    t->call = extended(g, call);
    gufunc_enter_call(g, t);
    for (int i = 0; i < h->naxes; i++) {
        cut[i] = find_cut(g, i, i == 0 ? row : subtract(g, block, multiply(g, row, across)));
        first[i] = set_frame(g, t, i, &cut[i]);
    }
    for (int k = p->nin; k < p->noperands; k++)
        if (h->stored >> k & 1)
            offset = place_part(g, k, cut, first, offset, &r[n++]);
    g->subscript = wrapped_subscript;
    g->index = wrapped_index;
    gen_near(g);
    g->subscript = NULL;
    g->index = NULL;
    copy_home(g, r, n);
    gufunc_leave_call(g, t);
}
