/* lone.c: LONE, a thread for each call, and a warp a block.  What a call accesses again and again
 * is in shared memory until it ends, where threads find it as fast at any place, and however far
 * the calls are apart.  The warp copies the arrays of its calls together, so that neighbouring
 * threads access neighbours in memory. */
#include <string.h>

#include "gufunc.h"

/* Elements of a thread that are copied at once: from arrays without gaps in memory, to them, and
 * else. */
enum { AHEAD_WHOLE = 16, AHEAD_HOME = 8, AHEAD_APART = 4 };

/* An array of each of the warp's calls. */
struct lone {
    const struct poperand *operand;
    LLVMValueRef near, pitch; /* those in shared memory: the first; bytes to the next, i32 */
    LLVMValueRef home;        /* the thread's own, in global memory */
    LLVMValueRef stride[MAX_CORE_RANK];         /* in global memory: bytes, i64 */
    LLVMValueRef size[MAX_CORE_RANK], elements; /* i32 */
    LLVMValueRef whole;                         /* i1: it has no gaps in global memory */
    LLVMValueRef first,
        spacing;         /* in global memory: the first call's, and bytes to the next, i64 */
    LLVMValueRef beside; /* i1: from each call's to the next, which is nearer than its elements; */
    LLVMValueRef follow; /* or which is upward, and fits 32 bits */
};

/* Whether the thread's own array has no gaps. */
static void find_whole(struct gen *g, struct lone *a) {
    LLVMValueRef bytes = i64(g, dtype_info[a->operand->dtype].bits / 8);
    a->whole = LLVMConstAllOnes(i1_type(g));
    for (int i = a->operand->rank; i-- > 0; bytes = multiply(g, bytes, extended(g, a->size[i])))
        a->whole = both(g, a->whole, compare(g, LLVMIntEQ, a->stride[i], bytes));
}

/* Finds operand k's places, `offset` bytes (i32) from the beginning of shared memory; gives the
 * offset behind them. */
static LLVMValueRef find_places(struct gen *g, int k, LLVMValueRef offset, struct lone *a) {
    const struct poperand *o = &g->plan->operands[k];
    uint32_t bytes = (uint32_t)dtype_info[o->dtype].bits / 8;
    *a = (struct lone){.operand = o, .home = g->arrays[k].base, .elements = i32(g, 1)};
    a->near = at_byte(g, dynamic_memory(g), extended(g, offset));
    for (int i = o->rank; i-- > 0;) {
        a->stride[i] = g->arrays[k].stride[i];
        a->size[i] = LLVMBuildTrunc(g->b, g->dims[o->dims[i]->index], i32_type(g), "");
        a->elements = multiply(g, a->elements, a->size[i]);
    }
    find_whole(g, a);
    uint32_t unit = bytes < 4 ? 4 : bytes; /* as ufc_lone_bytes */
    LLVMValueRef units = add(g, multiply(g, a->elements, i32(g, bytes)), i32(g, unit - 1));
    units = LLVMBuildOr(g->b, LLVMBuildUDiv(g->b, units, i32(g, unit), ""), i32(g, 1), "");
    a->pitch = multiply(g, units, i32(g, unit));
    return add(g, offset, multiply(g, a->pitch, i32(g, WARP)));
}

/* The thread's own array in shared memory. */
static LLVMValueRef own_place(struct gen *g, const struct lone *a) {
    return at_byte(g, a->near, extended(g, multiply(g, a->pitch, g->threads->tid)));
}

/* Bytes from row to row, … in shared memory. */
static void near_strides(struct gen *g, const struct lone *a, LLVMValueRef *stride) {
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[a->operand->dtype].bits / 8);
    for (int i = a->operand->rank; i-- > 0; bytes = multiply(g, bytes, a->size[i]))
        stride[i] = extended(g, bytes);
}

/* ---- copies */

/* The warp's first `calls` threads have an array each. */
static void find_spacing(struct gen *g, struct lone *a, LLVMValueRef calls) {
    LLVMValueRef all = i32(g, UINT32_MAX), tid = g->threads->tid;
    LLVMValueRef own = LLVMBuildPtrToInt(g->b, a->home, i64_type(g), "");
    LLVMValueRef next = gen_shuffle(g, SHUFFLE_FROM, all, own, i32(g, 1));
    a->first = gen_shuffle(g, SHUFFLE_FROM, all, own, i32(g, 0));
    a->spacing = subtract(g, next, a->first);
    LLVMValueRef at = add(g, a->first, multiply(g, a->spacing, extended(g, tid)));
    LLVMValueRef even = compare(g, LLVMIntEQ, at, own);
    even = LLVMBuildOr(g->b, even, compare(g, LLVMIntUGE, tid, calls), "");
    even = LLVMBuildZExt(g->b, even, i32_type(g), "");
    for (uint32_t by = WARP / 2; by > 0; by /= 2)
        even = both(g, even, gen_shuffle(g, SHUFFLE_ACROSS, all, even, i32(g, by)));
    LLVMValueRef evenly = is_set(g, even);
    LLVMValueRef upward = compare(g, LLVMIntULE, a->spacing, i64(g, INT32_MAX));
    LLVMValueRef back = LLVMBuildNeg(g->b, a->spacing, ""),
                 stride = a->stride[a->operand->rank - 1];
    LLVMValueRef up = compare(g, LLVMIntSGE, a->spacing, i64(g, 0));
    LLVMValueRef far = compare(g, LLVMIntSGT, stride, gen_select(g, up, a->spacing, back));
    LLVMValueRef single = compare(g, LLVMIntULE, a->elements, i32(g, 1));
    a->beside = both(g, evenly, LLVMBuildOr(g->b, far, single, ""));
    a->follow = both(g, evenly, upward);
}

/* Bytes from an array's first element to element e (i32) in global memory. */
static LLVMValueRef far_offset(struct gen *g, const struct lone *a, LLVMValueRef e) {
    LLVMValueRef far = i64(g, 0);
    for (int i = a->operand->rank; i-- > 0;) {
        LLVMValueRef rest = i > 0 ? LLVMBuildUDiv(g->b, e, a->size[i], "") : i32(g, 0);
        LLVMValueRef at = subtract(g, e, multiply(g, rest, a->size[i]));
        at = LLVMBuildSExt(g->b, at, i64_type(g), ""); /* as strides are: one product does */
        far = add(g, far, multiply(g, at, a->stride[i]));
        e = rest;
    }
    return far;
}

/* Where an element is in shared memory and at home. */
struct places {
    LLVMValueRef near, home, valid; /* i1: there is one; NULL: it is known to be there */
};

/* Copies n elements of d, whose places are known: all are loaded before the first is stored. */
static void copy_places(struct gen *g, enum ufc_dtype d, const struct places *p, int n, bool home) {
    LLVMTypeRef type = gen_memory_type(g, d);
    LLVMValueRef v[AHEAD_WHOLE];
    for (int i = 0; i < n; i++) {
        v[i] = LLVMBuildLoad2(g->b, type, home ? p[i].near : p[i].home, "");
        LLVMSetAlignment(v[i], dtype_align(d));
    }
    for (int i = 0; i < n; i++) {
        LLVMBasicBlockRef after = p[i].valid != NULL ? begin_if(g, p[i].valid) : NULL;
        LLVMValueRef to = home ? p[i].home : p[i].near;
        LLVMSetAlignment(LLVMBuildStore(g->b, v[i], to), dtype_align(d));
        if (after != NULL)
            end_if(g, after);
    }
}

/* Arrays without gaps that follow one another evenly: all elements are numbered, and a thread
 * copies every WARP-th.  An element's call is its number by a call's elements, of which there are
 * from 2 to 2^13: a product with `inverse` does. */
struct whole {
    const struct lone *a;
    enum ufc_dtype d;       /* elements, or words of smaller ones, */
    LLVMValueRef some, all; /* of a call, and of all calls: i32 */
    LLVMValueRef inverse;   /* 2^32 by those of a call, and what is left as one more: i32 */
    LLVMValueRef pad, gap;  /* bytes behind a call's, in shared memory and at home, where arrays may
                             overlap: i32 */
};

static struct whole begin_whole(struct gen *g, const struct lone *a, LLVMValueRef calls,
                                enum ufc_dtype d) {
    uint32_t own = (uint32_t)dtype_info[a->operand->dtype].bits / 8;
    uint32_t bytes = (uint32_t)dtype_info[d].bits / 8;
    struct whole w = {.a = a, .d = d};
    LLVMValueRef all = multiply(g, a->elements, i32(g, own));
    w.some = LLVMBuildUDiv(g->b, all, i32(g, bytes), "");
    w.all = multiply(g, w.some, calls);
    w.inverse = add(g, LLVMBuildUDiv(g->b, i32(g, UINT32_MAX), w.some, ""), i32(g, 1));
    w.pad = subtract(g, a->pitch, all);
    w.gap = subtract(g, LLVMBuildTrunc(g->b, a->spacing, i32_type(g), ""), all);
    return w;
}

/* Element number `from`, if no bytes were behind those of a call. */
static struct places first_places(struct gen *g, const struct whole *w, LLVMValueRef from) {
    LLVMValueRef by = extended(g, multiply(g, from, i32(g, (uint32_t)dtype_info[w->d].bits / 8)));
    return (struct places){at_byte(g, w->a->near, by),
                           at_byte(g, global_pointer(g, w->a->first), by), NULL};
}

/* Element `number`, i32, which is `ahead` more than that of `from`. */
static struct places whole_places(struct gen *g, const struct whole *w, LLVMValueRef number,
                                  const struct places *from, uint32_t ahead) {
    LLVMValueRef more = i64(g, (uint64_t)ahead * dtype_info[w->d].bits / 8);
    LLVMValueRef call = multiply(g, extended(g, number), extended(g, w->inverse));
    call = LLVMBuildTrunc(g->b, LLVMBuildLShr(g->b, call, i64(g, 32), ""), i32_type(g), "");
    LLVMValueRef pad = multiply(g, call, w->pad);
    LLVMValueRef gap = multiply(g, LLVMBuildSExt(g->b, call, i64_type(g), ""),
                                LLVMBuildSExt(g->b, w->gap, i64_type(g), ""));
    return (struct places){at_byte(g, at_byte(g, from->near, extended(g, pad)), more),
                           at_byte(g, at_byte(g, from->home, gap), more), NULL};
}

static void copy_whole(struct gen *g, const struct lone *a, LLVMValueRef calls, bool home,
                       enum ufc_dtype d) {
    const uint32_t n = home ? AHEAD_HOME : AHEAD_WHOLE;
    const struct whole w = begin_whole(g, a, calls, d);
    LLVMValueRef from = g->threads->tid, last = subtract(g, w.all, i32(g, 1));
    struct places p[AHEAD_WHOLE];
    struct loop l;
    loop_begin(g, &l, 1, &from);
    l.keep = true;
    LLVMValueRef end = add(g, l.phi[0], i32(g, (n - 1) * WARP));
    loop_while(g, &l, compare(g, LLVMIntULT, end, w.all));
    struct places first = first_places(g, &w, l.phi[0]);
    for (uint32_t i = 0; i < n; i++)
        p[i] = whole_places(g, &w, add(g, l.phi[0], i32(g, i * WARP)), &first, i * WARP);
    copy_places(g, d, p, (int)n, home);
    LLVMValueRef next = add(g, l.phi[0], i32(g, n * WARP));
    loop_end(g, &l, &next);
    from = l.phi[0];
    loop_begin(g, &l, 1, &from);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], w.all));
    for (uint32_t i = 0; i < AHEAD_APART; i++) {
        LLVMValueRef number = add(g, l.phi[0], i32(g, i * WARP));
        LLVMValueRef valid = compare(g, LLVMIntULT, number, w.all);
        number = gen_select(g, valid, number, last);
        first = first_places(g, &w, number);
        p[i] = whole_places(g, &w, number, &first, 0);
        p[i].valid = valid;
    }
    copy_places(g, d, p, AHEAD_APART, home);
    next = add(g, l.phi[0], i32(g, AHEAD_APART * WARP));
    loop_end(g, &l, &next);
}

/* The same of elements smaller than a word by words, where all arrays consist of them. */
static void copy_words(struct gen *g, const struct lone *a, LLVMValueRef calls, bool home) {
    enum ufc_dtype d = a->operand->dtype;
    uint32_t bytes = (uint32_t)dtype_info[d].bits / 8;
    if (bytes >= 4) {
        copy_whole(g, a, calls, home, d);
        return;
    }
    LLVMBasicBlockRef words = gen_block(g, "words"), elements = gen_block(g, "elements"),
                      done = gen_block(g, "whole");
    LLVMValueRef all = extended(g, multiply(g, a->elements, i32(g, bytes)));
    LLVMValueRef bits = LLVMBuildOr(g->b, LLVMBuildOr(g->b, a->first, a->spacing, ""), all, "");
    LLVMValueRef parts = is_set(g, both(g, bits, i64(g, 3)));
    LLVMValueRef single = compare(g, LLVMIntULE, all, i64(g, 4));
    LLVMBuildCondBr(g->b, LLVMBuildOr(g->b, parts, single, ""), elements, words);
    gen_place(g, words);
    copy_whole(g, a, calls, home, DT_UINT32);
    LLVMBuildBr(g->b, done);
    gen_place(g, elements);
    copy_whole(g, a, calls, home, d);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* Calls whose elements are nearer to the next call's than to one another: each thread its own. */
static void copy_beside(struct gen *g, const struct lone *a, LLVMValueRef calls, bool home) {
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntULT, g->threads->tid, calls));
    uint32_t bytes = (uint32_t)dtype_info[a->operand->dtype].bits / 8;
    LLVMValueRef from = i32(g, 0), last = subtract(g, a->elements, i32(g, 1));
    LLVMValueRef own = own_place(g, a);
    struct places p[AHEAD_APART];
    struct loop l;
    loop_begin(g, &l, 1, &from);
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], a->elements));
    for (uint32_t i = 0; i < AHEAD_APART; i++) { /* the last one again and again */
        LLVMValueRef e = add(g, l.phi[0], i32(g, i));
        e = gen_select(g, compare(g, LLVMIntULT, e, a->elements), e, last);
        p[i] = (struct places){at_byte(g, own, extended(g, multiply(g, e, i32(g, bytes)))),
                               at_byte(g, a->home, far_offset(g, a, e)), NULL};
    }
    copy_places(g, a->operand->dtype, p, AHEAD_APART, home);
    LLVMValueRef next = add(g, l.phi[0], i32(g, AHEAD_APART));
    loop_end(g, &l, &next);
    end_if(g, after);
}

/* Element e of call c's array, i32 both; of the last of the warp's calls where there is no call c.
 */
static struct places find_element_of(struct gen *g, const struct lone *a, LLVMValueRef c,
                                     LLVMValueRef e, LLVMValueRef calls) {
    struct places p = {.valid = compare(g, LLVMIntULT, c, calls)};
    c = gen_select(g, p.valid, c, subtract(g, calls, i32(g, 1)));
    LLVMValueRef bytes = i32(g, (uint32_t)dtype_info[a->operand->dtype].bits / 8);
    LLVMValueRef near = add(g, multiply(g, c, a->pitch), multiply(g, e, bytes));
    p.near = at_byte(g, a->near, extended(g, near));
    LLVMValueRef home = LLVMBuildPtrToInt(g->b, a->home, i64_type(g), "");
    home = gen_shuffle(g, SHUFFLE_FROM, i32(g, UINT32_MAX), home, c);
    p.home = at_byte(g, global_pointer(g, home), far_offset(g, a, e));
    return p;
}

/* Arrays of any layout. */
static void copy_apart(struct gen *g, const struct lone *a, LLVMValueRef calls, bool home) {
    LLVMValueRef some = gen_select(g, is_set(g, a->elements), a->elements, i32(g, 1));
    LLVMValueRef down = LLVMBuildUDiv(g->b, i32(g, WARP), some, "");
    LLVMValueRef across = subtract(g, i32(g, WARP), multiply(g, down, some));
    LLVMValueRef c = LLVMBuildUDiv(g->b, g->threads->tid, some, "");
    LLVMValueRef e = subtract(g, g->threads->tid, multiply(g, c, some));
    LLVMValueRef all = multiply(g, a->elements, calls);
    struct places p[AHEAD_APART];
    struct loop l;
    loop_begin(g, &l, 3, (LLVMValueRef[]){i32(g, 0), c, e});
    l.keep = true;
    loop_while(g, &l, compare(g, LLVMIntULT, l.phi[0], all));
    c = l.phi[1], e = l.phi[2];
    for (int i = 0; i < AHEAD_APART; i++) {
        p[i] = find_element_of(g, a, c, e, calls);
        c = add(g, c, down);
        e = add(g, e, across);
        LLVMValueRef beyond = compare(g, LLVMIntUGE, e, some);
        c = gen_select(g, beyond, add(g, c, i32(g, 1)), c);
        e = gen_select(g, beyond, subtract(g, e, some), e);
    }
    copy_places(g, a->operand->dtype, p, AHEAD_APART, home);
    loop_end(g, &l, (LLVMValueRef[]){add(g, l.phi[0], i32(g, AHEAD_APART * WARP)), c, e});
}

/* The warp copies the arrays of its first `calls` threads (i32): home, or from there. */
static void copy(struct gen *g, struct lone *a, LLVMValueRef calls, bool home) {
    LLVMBasicBlockRef beside = gen_block(g, "beside"), along = gen_block(g, "along"),
                      whole = gen_block(g, "whole"), apart = gen_block(g, "apart"),
                      done = gen_block(g, "copied");
    find_spacing(g, a, calls);
    LLVMBuildCondBr(g->b, a->beside, beside, along);
    gen_place(g, beside);
    copy_beside(g, a, calls, home);
    LLVMBuildBr(g->b, done);
    gen_place(g, along);
    LLVMBuildCondBr(g->b, both(g, a->whole, a->follow), whole, apart);
    gen_place(g, whole);
    copy_words(g, a, calls, home);
    LLVMBuildBr(g->b, done);
    gen_place(g, apart);
    copy_apart(g, a, calls, home);
    LLVMBuildBr(g->b, done);
    gen_place(g, done);
}

/* ---- the kernel */

/* The body finds an output in shared memory. */
static void move_output(struct gen *g, const struct lone *a, struct gen_array *array) {
    array->base = own_place(g, a);
    array->near = true;
    near_strides(g, a, array->stride);
}

/* Moves input k, if the launch says so; gives the offset behind it. */
static LLVMValueRef move_input(struct gen *g, int k, LLVMValueRef calls, LLVMValueRef offset) {
    LLVMTypeRef generic = LLVMPointerTypeInContext(g->context, 0);
    struct gen_array *array = &g->arrays[k];
    struct lone a;
    LLVMValueRef behind = find_places(g, k, offset, &a), stride[MAX_CORE_RANK];
    LLVMValueRef bit =
        LLVMBuildAnd(g->b, param_i32(g, PARAM(inputs)), i32(g, UINT32_C(1) << k), "");
    LLVMValueRef moves = is_set(g, bit);
    LLVMBasicBlockRef after = begin_if(g, moves);
    copy(g, &a, calls, false);
    end_if(g, after);
    near_strides(g, &a, stride);
    array->base = gen_select(g, moves, LLVMBuildAddrSpaceCast(g->b, own_place(g, &a), generic, ""),
                             LLVMBuildAddrSpaceCast(g->b, a.home, generic, ""));
    array->near = true;
    for (int i = 0; i < a.operand->rank; i++)
        array->stride[i] = gen_select(g, moves, stride[i], a.stride[i]);
    return gen_select(g, moves, behind, offset);
}

/* The input that a statement copies to an output in shared memory, as the warp does together; -1:
 * it does something else. */
static int whole_input(const struct plan *p, const struct pstmt *s) {
    int k = copied_input(p, s);
    if (k < 0 || !(p->repeated >> s->body->operand & 1))
        return -1;
    const struct poperand *from = &p->operands[k], *to = &p->operands[s->body->operand];
    for (int i = 0; i < to->rank; i++)
        if (from->dims[i] != to->dims[i])
            return -1;
    return k;
}

/* Fills the outputs that the body begins with as copies of inputs; gives what it does then. */
static const struct pstmt *copy_inputs(struct gen *g, const struct lone *a, int n,
                                       LLVMValueRef calls, const struct gen_array *home) {
    const struct plan *p = g->plan;
    const struct pstmt *s = p->body;
    if (s->kind != PS_EACH || s->next != NULL)
        return s;
    int k;
    for (s = s->body; s != NULL && (k = whole_input(p, s)) >= 0; s = s->next) {
        struct lone from = a[0];
        for (int i = 1; i < n; i++)
            from = a[i].operand == &p->operands[s->body->operand] ? a[i] : from;
        from.home = home[k].base;
        for (int i = 0; i < from.operand->rank; i++)
            from.stride[i] = home[k].stride[i];
        find_whole(g, &from);
        copy(g, &from, calls, false);
    }
    return s;
}

void gen_lone_kernel(struct gen *g, struct threads *t) {
    const struct plan *p = g->plan;
    struct lone a[UFC_MAX_OPERANDS];
    struct gen_array home[UFC_MAX_OPERANDS];
    LLVMValueRef offset = i32(g, 0), one = i64(g, 1);
    int n = 0, given = p->nin + p->overload->nout; /* before arrays that end with the call */
    gufunc_find_thread(g, t);
    LLVMValueRef own = t->call, number = param_i64(g, PARAM(calls));
    LLVMValueRef left = subtract(g, number, multiply(g, extended(g, t->ctaid), i64(g, WARP)));
    LLVMValueRef calls = LLVMBuildTrunc(g->b, least(g, left, i64(g, WARP)), i32_type(g), "");
    t->call = least(g, own, subtract(g, number, one)); /* each thread takes part in copies */
    gufunc_find_operands(g, t);
    t->call = own;
    gen_variables(g, 1);
    gen_local_arrays(g);
    memcpy(home, g->arrays, (size_t)p->noperands * sizeof *home);
    for (int k = p->nin; k < p->noperands; k++)
        if (p->repeated >> k & 1) {
            offset = find_places(g, k, offset, &a[n]);
            if (k < given && p->overload->inst->unwritten >> (k - p->nin) & 1)
                copy(g, &a[n], calls, false);
            move_output(g, &a[n++], &g->arrays[k]);
        }
    const struct pstmt *body = copy_inputs(g, a, n, calls, home);
    for (int k = 0; k < p->nin; k++)
        if (p->repeated >> k & 1)
            offset = move_input(g, k, calls, offset);
    gpu(g)->barrier(g);
    LLVMBasicBlockRef after = begin_if(g, compare(g, LLVMIntSLT, own, number));
    t->end = g->stop = after;
    g->in_chunks = true;
    g->early_words = EARLY_WORDS;
    g->early_copies = EARLY_COPIES;
    g->early_grouped = true;
    g->chunk_body = CHUNK_BODY;
    share_rows(g, t);
    gen_stmts(g, body);
    end_if(g, after);
    gpu(g)->barrier(g);
    for (int i = 0; i < n; i++)
        if (a[i].operand < p->operands + given)
            copy(g, &a[i], calls, true);
}
